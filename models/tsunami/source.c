// What lifts the water: faults and given displacements as functions of time. The grids that a source gives
// are read here too. Knows no output.
#include "models/team.h"
#include "models/tsunami/instance.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <omp.h>
#include <string.h>

static size_t displacement_records(const struct tsunami_level *t)
{
    return t->params.source->displacement ? grid_info(t->params.source->displacement)->records : 0;
}

enum status tsunami_source_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    static const char *const names[TSUNAMI_FIELDS] = {"initial eta", "initial u", "initial v"};
    const size_t nx = t->params.window.nx, ny = t->params.window.ny;
    if (t->params.source->displacement)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F32, displacement_records(t) * ny, nx,
                              (void **)&t->displacement_m, "%sdisplacement", t->prefix));
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        if (t->params.source->initial[f])
            CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F32, ny, nx, (void **)&t->initial[f], "%s%s",
                                  t->prefix, names[f]));
    if (t->params.has_deformation)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F32, ny, nx, (void **)&t->deformation_m,
                              "%sdeformation", t->prefix));
    // The slope that a horizontal displacement meets is that of a bottom which has not moved yet: all rows' uplift is known
    // before one of them sinks.
    if (tsunami_level_floods(t) && t->params.source->has_slope_term && t->params.source->faults.count > 0)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, ny, nx, (void **)&t->uplift_m, "%suplift",
                              t->prefix));
    return tsunami_waves_plan(t, memory);
}

// One record of a grid onto the run's nodes; nothing where the file has nothing.
static enum status read_record(struct tsunami_level *t, struct grid_file *file, size_t record, float *values)
{
    const struct grid_window *window = &t->params.window;
    const struct grid_window_request request = {.missing_value = 0, .outside_value = 0};
    struct grid_sampler *sampler = NULL;
    CHECK(grid_sampler_open(file, window, &request, &sampler));
    enum status status = grid_sampler_select_record(sampler, record);
    double *row = t->rows;
    for (size_t j = 0; j < window->ny && status == STATUS_OK; j++) {
        status = grid_sampler_row(sampler, j, row);
        for (size_t i = 0; i < window->nx && status == STATUS_OK; i++)
            values[j * window->nx + i] = (float)row[i];
    }
    grid_sampler_close(sampler);
    return status;
}

enum status tsunami_source_read(struct tsunami_level *t)
{
    const size_t nodes = t->params.window.nx * t->params.window.ny;
    for (size_t record = 0; record < displacement_records(t); record++)
        CHECK(read_record(t, t->params.source->displacement, record, t->displacement_m + record * nodes));
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        if (t->params.source->initial[f])
            CHECK(read_record(t, t->params.source->initial[f], 0, t->initial[f]));
    return tsunami_waves_read(t);
}

// Share of its final value at a time: linear from `start` over `rise`.
static double ramp(double start_s, double rise_s, double time_s)
{
    if (time_s < start_s)
        return 0;
    return rise_s > 0 ? fmin(1, (time_s - start_s) / rise_s) : 1;
}

// Position of a time among the displacement's records: index of the earlier one and the share of the later
// one.
static void locate_record(const struct tsunami_level *t, double time_s, size_t *record, double *share)
{
    const struct grid_info *info = grid_info(t->params.source->displacement);
    const double since = time_s - t->params.source->displacement_start_s;
    size_t k = 0;
    while (k + 1 < info->records && info->times_s[k + 1] <= since)
        k++;
    *record = k;
    *share = k + 1 < info->records && since > info->times_s[k]
                 ? (since - info->times_s[k]) / (info->times_s[k + 1] - info->times_s[k])
                 : 0;
}

bool tsunami_source_moves(const struct tsunami_level *t, double from_s, double to_s)
{
    const struct tsunami_params *p = &t->params;
    for (size_t k = 0; k < p->source->faults.count; k++) {
        const struct fault *fault = &p->source->faults.faults[k];
        if (fault->slip_m != 0 &&
            ramp(fault->start_s, fault->rise_s, to_s) != ramp(fault->start_s, fault->rise_s, from_s))
            return true;
    }
    if (!p->source->displacement)
        return false;
    const struct grid_info *info = grid_info(p->source->displacement);
    if (info->records == 1)
        return ramp(p->source->displacement_start_s, p->source->displacement_rise_s, to_s) !=
               ramp(p->source->displacement_start_s, p->source->displacement_rise_s, from_s);
    return to_s >= p->source->displacement_start_s &&
           from_s < p->source->displacement_start_s + info->times_s[info->records - 1];
}

double tsunami_source_end_s(const struct tsunami_source *source)
{
    double end_s = -INFINITY;
    for (size_t k = 0; k < source->faults.count; k++)
        if (source->faults.faults[k].slip_m != 0)
            end_s = fmax(end_s, source->faults.faults[k].start_s + source->faults.faults[k].rise_s);
    if (!source->displacement)
        return end_s;
    const struct grid_info *info = grid_info(source->displacement);
    const double lasts_s =
        info->records == 1 ? source->displacement_rise_s : info->times_s[info->records - 1];
    return fmax(end_s, source->displacement_start_s + lasts_s);
}

static void add_displacement_row(const struct tsunami_level *t, size_t row, double from_s, double to_s,
                                 double *uplift_m)
{
    const struct tsunami_params *p = &t->params;
    const size_t nx = p->window.nx, nodes = nx * p->window.ny;
    const float *base = t->displacement_m + row * nx;
    if (grid_info(p->source->displacement)->records == 1) {
        const double rise = ramp(p->source->displacement_start_s, p->source->displacement_rise_s, to_s) -
                            ramp(p->source->displacement_start_s, p->source->displacement_rise_s, from_s);
        for (size_t i = 0; i < nx; i++)
            uplift_m[i] += rise * (double)base[i];
        return;
    }
    const double times[2] = {from_s, to_s}, signs[2] = {-1, 1};
    for (int end = 0; end < 2; end++) {
        if (times[end] < p->source->displacement_start_s)
            continue;
        size_t record;
        double share;
        locate_record(t, times[end], &record, &share);
        const float *earlier = base + record * nodes, *later = share > 0 ? earlier + nodes : earlier;
        for (size_t i = 0; i < nx; i++)
            uplift_m[i] += signs[end] * ((1 - share) * (double)earlier[i] + share * (double)later[i]);
    }
}

// 1 near a fault, fading to 0 as a half cosine over the outer half of the extent: a flat half space says
// nothing sensible thousands of kilometres away, and a sudden end would be a step in the water.
static double fade(double distance_m, double extent_m)
{
    if (extent_m <= 0 || distance_m <= 0.5 * extent_m)
        return 1;
    if (distance_m >= extent_m)
        return 0;
    return 0.5 * (1 + cos(acos(-1.0) * (2 * distance_m / extent_m - 1)));
}

// haversine of an angle in radians
static double haversine(double angle)
{
    const double half = sin(0.5 * angle);
    return half * half;
}

static double fault_distance_m(const struct tsunami_level *t, const struct fault *fault, double x, double y)
{
    if (!t->params.window.is_geographic)
        return hypot(x - fault->longitude_deg, y - fault->latitude_deg);
    const double radian = acos(-1.0) / 180;
    const double h =
        haversine(radian * (y - fault->latitude_deg)) +
        cos(y * radian) * cos(fault->latitude_deg * radian) * haversine(radian * (x - fault->longitude_deg));
    return 2 * t->params.earth_radius_m * asin(fmin(1, sqrt(h)));
}

// How far from the fault, along x and in the grid's coordinates, a row may feel it: most nodes of an ocean do
// not, and are not asked. Below 0: none does. A little too far rather than too near.
static double fault_reach(const struct tsunami_level *t, const struct fault *fault, double y)
{
    const double extent = t->params.source->fault_extent_m * (1 + 1e-9);
    if (extent <= 0)
        return INFINITY;
    if (!t->params.window.is_geographic)
        return fabs(y - fault->latitude_deg) <= extent ? extent : -1;
    const double radian = acos(-1.0) / 180, angle = extent / t->params.earth_radius_m;
    if (angle >= acos(-1.0))
        return INFINITY;
    const double left = haversine(angle) - haversine(radian * (y - fault->latitude_deg));
    const double scale = cos(y * radian) * cos(fault->latitude_deg * radian);
    if (left < 0)
        return -1;
    return left < scale ? 2 * asin(sqrt(left / scale)) / radian + 1e-6 : INFINITY;
}

// Slope of the bottom, ∂d/∂x and ∂d/∂y (depth positive down), by central differences; one-sided at the edges.
// On land the wall depth stands for the bottom.
static void bottom_slope(const struct tsunami_level *t, size_t i, size_t j, double *east, double *north)
{
    const struct tsunami_geometry *g = &t->geometry;
    const double wall = t->params.physics.wall_depth_m;
    const size_t im = i > 0 ? i - 1 : i, ip = i + 1 < g->nx ? i + 1 : i;
    const size_t jm = j > 0 ? j - 1 : j, jp = j + 1 < g->ny ? j + 1 : j;
    double dx = 0, dy = 0;
    for (size_t k = im; k < ip; k++)
        dx += g->x_distance_m[k] * g->cos_latitude[j];
    for (size_t k = jm; k < jp; k++)
        dy += g->y_distance_m[k];
    *east = (fmax(wall, t->depth_m[j * g->pitch + ip]) - fmax(wall, t->depth_m[j * g->pitch + im])) / dx;
    *north = (fmax(wall, t->depth_m[jp * g->pitch + i]) - fmax(wall, t->depth_m[jm * g->pitch + i])) / dy;
}

static double fault_uplift_m(const struct tsunami_level *t, const struct fault *fault, size_t i, size_t row)
{
    const struct tsunami_geometry *g = &t->geometry;
    const struct fault_displacement d =
        g->is_spherical ? fault_displacement_sphere(fault, g->x[i], g->y[row], t->params.earth_radius_m)
                        : fault_displacement_plane(fault, g->x[i], g->y[row]);
    if (!t->params.source->has_slope_term)
        return d.up_m;
    // Tanioka & Satake (1996), Geophys. Res. Lett. 23(8), 861–864, eq. 1: u_h = u_x ∂d/∂x + u_y ∂d/∂y.
    double east, north;
    bottom_slope(t, i, row, &east, &north);
    return d.up_m + d.east_m * east + d.north_m * north;
}

// Index of the first coordinate that is not below `value`.
static size_t first_from(const double *x, size_t count, double value)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Adds the fault's uplift to the columns from x = from to x = to.
static void add_fault_span(const struct tsunami_level *t, const struct fault *fault, size_t row, double rise,
                           double from, double to, double *uplift_m)
{
    const struct tsunami_geometry *g = &t->geometry;
    for (size_t i = first_from(g->x, g->nx, from); i < g->nx && g->x[i] <= to; i++) {
        const double weight =
            rise * fade(fault_distance_m(t, fault, g->x[i], g->y[row]), t->params.source->fault_extent_m);
        if (weight != 0)
            uplift_m[i] += weight * fault_uplift_m(t, fault, i, row);
    }
}

static void add_fault_row(const struct tsunami_level *t, const struct fault *fault, size_t row, double rise,
                          double *uplift_m)
{
    const struct tsunami_geometry *g = &t->geometry;
    const double reach = fault_reach(t, fault, g->y[row]), x = fault->longitude_deg;
    const double first = g->x[0], last = g->x[g->nx - 1];
    if (reach < 0)
        return;
    if (!t->params.window.is_geographic) {
        add_fault_span(t, fault, row, rise, x - reach, x + reach, uplift_m);
    } else if (reach >= 180) {
        add_fault_span(t, fault, row, rise, first, last, uplift_m);
    } else { // the grid's longitudes may be any turn away from the fault's
        for (double turn = ceil((first - x - reach) / 360); turn <= floor((last - x + reach) / 360); turn++)
            add_fault_span(t, fault, row, rise, x + 360 * turn - reach, x + 360 * turn + reach, uplift_m);
    }
}

static void uplift_row(const struct tsunami_level *t, size_t row, double from_s, double to_s,
                       double *uplift_m)
{
    memset(uplift_m, 0, t->geometry.nx * sizeof *uplift_m);
    for (size_t k = 0; k < t->params.source->faults.count; k++) {
        const struct fault *fault = &t->params.source->faults.faults[k];
        const double rise =
            ramp(fault->start_s, fault->rise_s, to_s) - ramp(fault->start_s, fault->rise_s, from_s);
        if (rise != 0 && fault->slip_m != 0)
            add_fault_row(t, fault, row, rise, uplift_m);
    }
    if (t->params.source->displacement)
        add_displacement_row(t, row, from_s, to_s, uplift_m);
}

struct lift {
    struct tsunami_level *tsunami;
    const struct tsunami_backend *backend;
    struct tsunami_solver *solver;
    double from_s, to_s;
    bool keep;
};

static void keep_uplift_row(void *context, size_t row)
{
    const struct lift *lift = context;
    struct tsunami_level *t = lift->tsunami;
    uplift_row(t, row, lift->from_s, lift->to_s, t->uplift_m + row * t->geometry.nx);
}

static void lift_row(void *context, size_t row)
{
    const struct lift *lift = context;
    struct tsunami_level *t = lift->tsunami;
    const size_t nx = t->geometry.nx;
    double *uplift_m = t->uplift_m ? t->uplift_m + row * nx : tsunami_row_buffer(t, 3);
    if (!t->uplift_m)
        uplift_row(t, row, lift->from_s, lift->to_s, uplift_m);
    lift->backend->lift(lift->solver, row, uplift_m);
    if (lift->keep && tsunami_level_floods(t))
        tsunami_level_sink(t, row, uplift_m);
    for (size_t i = 0; lift->keep && t->deformation_m && i < nx; i++)
        t->deformation_m[row * nx + i] += (float)uplift_m[i];
}

enum status tsunami_source_lift(struct tsunami_level *t, const struct tsunami_backend *backend,
                                struct tsunami_solver *solver, double from_s, double to_s, bool keep)
{
    if (backend->fetch)
        CHECK(backend->fetch(solver));
    struct lift lift = {t, backend, solver, from_s, to_s, keep};
    if (t->uplift_m)
        team_for(t->threads, t->geometry.ny, keep_uplift_row, &lift);
    team_for(t->threads, t->geometry.ny, lift_row, &lift);
    backend->touch(solver);
    return STATUS_OK;
}

int tsunami_source_inputs(const struct tsunami_source *source, const char *paths[TSUNAMI_SOURCE_INPUTS])
{
    const char *const all[TSUNAMI_SOURCE_INPUTS] = {
        source->faults_path,   source->sift_path,     source->displacement_path, source->initial_path,
        source->waves[0].path, source->waves[1].path, source->waves[2].path,     source->waves[3].path};
    int count = 0;
    for (int k = 0; k < TSUNAMI_SOURCE_INPUTS; k++)
        if (all[k][0])
            paths[count++] = all[k];
    return count;
}

static void describe_waves(const struct tsunami_source *source, cJSON *report)
{
    cJSON *edges = NULL;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_wave *wave = &source->waves[side];
        if (!wave->series)
            continue;
        const struct series_info *info = series_info(wave->series);
        edges = edges ? edges : cJSON_AddObjectToObject(report, "edges");
        cJSON *edge = cJSON_AddObjectToObject(edges, tsunami_side_names[side]);
        cJSON_AddStringToObject(edge, "file", wave->path);
        cJSON_AddNumberToObject(edge, "samples", (double)info->samples);
        cJSON_AddNumberToObject(edge, "first_s", wave->start_s + info->first_s);
        cJSON_AddNumberToObject(edge, "last_s", wave->start_s + info->last_s);
        cJSON_AddStringToObject(edge, "velocity",
                                wave->has_velocity    ? "given"
                                : wave->is_travelling ? "of a wave that travels in"
                                                      : "follows from what runs against the edge");
    }
    if (!source->solitary.is_there)
        return;
    cJSON *solitary = cJSON_AddObjectToObject(report, "solitary");
    cJSON_AddNumberToObject(solitary, "height_m", source->solitary.height_m);
    cJSON_AddNumberToObject(solitary, "crest_m", source->solitary.crest_m);
    cJSON_AddNumberToObject(solitary, "depth_m", source->solitary.depth_m);
    cJSON_AddStringToObject(solitary, "toward", tsunami_side_names[source->solitary.toward]);
    cJSON_AddStringToObject(solitary, "velocity", source->solitary.is_exact ? "exact" : "linear");
}

void tsunami_source_describe(const struct tsunami_source *source, cJSON *report)
{
    cJSON *object = cJSON_CreateObject();
    if (source->faults.count > 0) {
        cJSON_AddNumberToObject(object, "faults", (double)source->faults.count);
        // 40 GPa: what NOAA's unit sources assume (Gica et al. 2008, NOAA Tech. Memo. OAR PMEL-139).
        cJSON_AddNumberToObject(object, "moment_magnitude_at_40_gpa",
                                fault_table_magnitude(&source->faults, 4e10));
    }
    if (source->sift_slips) {
        cJSON *sift = cJSON_AddObjectToObject(object, "sift");
        cJSON_AddStringToObject(sift, "table", source->sift_path);
        cJSON_AddItemToObject(sift, "slips", cJSON_Duplicate(source->sift_slips, true));
    }
    describe_waves(source, object);
    if (object && object->child)
        cJSON_AddItemToObject(report, "source", object);
    else
        cJSON_Delete(object);
}
