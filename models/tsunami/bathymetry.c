// Bathymetry: surveyed before the plan (row by row, nothing stored), read after the seal, and smoothed where
// its steps are too steep for the scheme. Independent of the state and of solvers.
#include "models/tsunami/instance.h"
#include "models/tsunami/points.h"
#include "models/tsunami/sea.h"

#include "core/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITIONING_PASSES = 12 };

// c-grid-6 is stable for c Δt √(1/dx² + 1/dy²) ≤ 0.974 (docs/c-grid.md) with the depths at the faces, which
// are at most 1.1 times those of the nodes.
static const double staggered_share = 0.92;

// The time step's limit at the nodes of one row: Δt ≤ spacing / c. `eta_m`: the initial elevation; NULL: 0.
static void survey_row(struct tsunami_level *t, size_t row, const double *depth_m, const double *eta_m)
{
    const struct grid_window *w = &t->params.window;
    const double radian = acos(-1.0) / 180;
    const double y_scale = w->is_geographic ? t->params.earth_radius_m * radian : 1;
    const double x_scale = y_scale * (w->is_geographic ? cos(w->y[row] * radian) : 1);
    double dy = INFINITY;
    if (row > 0)
        dy = fmin(dy, (w->y[row] - w->y[row - 1]) * y_scale);
    if (row + 1 < w->ny)
        dy = fmin(dy, (w->y[row + 1] - w->y[row]) * y_scale);
    struct tsunami_survey *survey = &t->survey;
    const double dry_depth_m = tsunami_params_dry_depth_m(&t->params);
    for (size_t i = 0; i < w->nx; i++) {
        const double water_m = eta_m && eta_m[i] > 0 ? depth_m[i] + eta_m[i] : depth_m[i];
        if (!(water_m > dry_depth_m))
            continue;
        double dx = INFINITY;
        if (i > 0)
            dx = fmin(dx, (w->x[i] - w->x[i - 1]) * x_scale);
        if (i + 1 < w->nx)
            dx = fmin(dx, (w->x[i + 1] - w->x[i]) * x_scale);
        const double celerity = sqrt(t->params.gravity_m_s2 * water_m);
        const double limit = tsunami_method_is_staggered(t->params.physics.method)
                                 ? staggered_share / sqrt(1 / (dx * dx) + 1 / (dy * dy)) / celerity
                                 : fmin(dx, dy) / celerity;
        if (limit < survey->step_limit_s) {
            survey->step_limit_s = limit;
            survey->limit_x = w->x[i];
            survey->limit_y = w->y[row];
            survey->limit_depth_m = water_m;
        }
        if (!(depth_m[i] > dry_depth_m))
            continue;
        survey->wet_nodes++;
        t->row_work[row]++;
        survey->deepest_m = fmax(survey->deepest_m, depth_m[i]);
        survey->shallowest_m = fmin(survey->shallowest_m, depth_m[i]);
    }
}

// For the edges that the row touches. Sums the depths first.
static void survey_edges(struct tsunami_level *t, size_t row, const double *depth_m)
{
    const struct grid_window *w = &t->params.window;
    const double dry_depth_m = fmax(0, tsunami_params_dry_depth_m(&t->params));
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_along_x = side == TSUNAMI_SOUTH || side == TSUNAMI_NORTH;
        const size_t first = side == TSUNAMI_EAST ? w->nx - 1 : 0, count = is_along_x ? w->nx : 1;
        if (is_along_x && row != (side == TSUNAMI_SOUTH ? 0 : w->ny - 1))
            continue;
        for (size_t i = first; i < first + count; i++) {
            if (!(depth_m[i] > dry_depth_m))
                continue;
            t->survey.edge_nodes[side]++;
            t->survey.edge_depth_m[side] += depth_m[i];
        }
    }
}

// What the survey reads, row by row. displacement: its last record; initial: the surface at the start.
struct survey_input {
    struct grid_sampler *bathymetry, *displacement, *initial; // the latter two: or NULL
    double *depth_m, *eta_m, *rise_m;
};

// Where the shoreline moves, the initial state may flood land and deepen shallow water: `eta_m`, else NULL.
static void note_reach(struct tsunami_reach *reach, const struct tsunami_params *p, const double *depth_m,
                       const double *value_m, const double *eta_m)
{
    const double dry_depth_m = tsunami_params_dry_depth_m(p);
    for (size_t i = 0; i < p->window.nx; i++) {
        const double size_m = fabs(value_m[i]);
        const double water_m = eta_m ? depth_m[i] + fmax(eta_m[i], 0) : depth_m[i];
        reach->most_m = fmax(reach->most_m, size_m);
        if (water_m > dry_depth_m)
            reach->on_water_m = fmax(reach->on_water_m, size_m);
        else if (water_m > 0)
            reach->on_shallow_m = fmax(reach->on_shallow_m, size_m);
    }
}

static enum status open_survey(const struct tsunami_params *p, struct survey_input *input)
{
    CHECK(grid_sampler_open(p->bathymetry, &p->window, &p->window_request, &input->bathymetry));
    const struct grid_window_request request = {.missing_value = 0, .outside_value = 0};
    if (p->source->initial[0])
        CHECK(grid_sampler_open(p->source->initial[0], &p->window, &request, &input->initial));
    if (p->source->displacement) {
        CHECK(grid_sampler_open(p->source->displacement, &p->window, &request, &input->displacement));
        CHECK(
            grid_sampler_select_record(input->displacement, grid_info(p->source->displacement)->records - 1));
    }
    input->depth_m = malloc(p->window.nx * sizeof *input->depth_m);
    input->eta_m = malloc(p->window.nx * sizeof *input->eta_m);
    input->rise_m = malloc(p->window.nx * sizeof *input->rise_m);
    return input->depth_m && input->eta_m && input->rise_m
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "no memory for a row of %zu depths", p->window.nx);
}

// The source's grids at a row.
static enum status survey_source(struct tsunami_level *t, const struct survey_input *input, size_t row)
{
    const struct tsunami_params *p = &t->params;
    const double *eta_m = input->initial && tsunami_level_floods(t) ? input->eta_m : NULL;
    if (input->initial) {
        CHECK(grid_sampler_row(input->initial, row, input->eta_m));
        note_reach(&t->survey.initial, p, input->depth_m, input->eta_m, eta_m);
    }
    if (input->displacement) {
        CHECK(grid_sampler_row(input->displacement, row, input->rise_m));
        note_reach(&t->survey.displacement, p, input->depth_m, input->rise_m, eta_m);
    }
    survey_row(t, row, input->depth_m, eta_m);
    return STATUS_OK;
}

static enum status survey_rows(struct tsunami_level *t, const struct survey_input *input)
{
    const struct tsunami_params *p = &t->params;
    const bool is_periodic[2] = {p->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
                                 p->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC};
    gauge_list_locate(&t->params.gauges, &p->window, is_periodic, p->gauges_interpolate);
    tsunami_points_enter(t);
    for (size_t row = 0; row < p->window.ny; row++) {
        CHECK(grid_sampler_row(input->bathymetry, row, input->depth_m));
        CHECK(survey_source(t, input, row));
        tsunami_relief_add_row(t, row, input->depth_m);
        survey_edges(t, row, input->depth_m);
        if (t->sea)
            CHECK(tsunami_sea_add_row(t->sea, input->depth_m, tsunami_params_dry_depth_m(p)));
        if (t->shallower_sea)
            CHECK(tsunami_sea_add_row(t->shallower_sea, input->depth_m, 0));
        gauge_list_consider(&t->params.gauges, &p->window, p->earth_radius_m, row, input->depth_m,
                            p->physics.wall_depth_m, &p->gauge_search);
        tsunami_points_consider(t, row, input->depth_m);
    }
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (t->survey.edge_nodes[side] > 0)
            t->survey.edge_depth_m[side] /= (double)t->survey.edge_nodes[side];
    return STATUS_OK;
}

static enum status create_sea(const struct tsunami_params *p, struct tsunami_sea **sea)
{
    return tsunami_sea_create(p->window.nx, p->window.ny, p->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
                              p->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC, sea);
}

enum status tsunami_survey(struct tsunami_level *t)
{
    const struct tsunami_params *p = &t->params;
    t->survey = (struct tsunami_survey){.step_limit_s = INFINITY, .shallowest_m = INFINITY};
    struct survey_input input = {0};
    t->row_work = calloc(p->window.ny, sizeof *t->row_work);
    if (!t->row_work)
        return FAIL(STATUS_SYSTEM, "no memory for %zu rows", p->window.ny);
    if (t->parent || job_has(t->job, "nested") || p->source->faults.count > 0 || p->points.count > 0)
        CHECK(create_sea(p, &t->sea));
    if (!t->parent && job_has(t->job, "nested") && tsunami_params_dry_depth_m(p) > 0)
        CHECK(create_sea(p, &t->shallower_sea));
    enum status status = open_survey(p, &input);
    if (status == STATUS_OK)
        status = survey_rows(t, &input);
    free(input.depth_m);
    free(input.eta_m);
    free(input.rise_m);
    grid_sampler_close(input.bathymetry);
    grid_sampler_close(input.displacement);
    grid_sampler_close(input.initial);
    CHECK(status);
    CHECK(tsunami_relief_check(t));
    if (t->survey.step_limit_s < INFINITY)
        return STATUS_OK;
    if (tsunami_level_floods(t))
        return FAIL(STATUS_DATA,
                    "%s: the whole domain lies above the sea, and no water stands on it at the start; is "
                    "domain.bathymetry.positive right?",
                    p->bathymetry_path);
    return FAIL(
        STATUS_DATA,
        "%s: the whole domain is land: no depth (positive down) is larger than physics.wall_depth, "
        "%g m: the deepest place has %g m (values read as in %s); is domain.bathymetry.positive right, "
        "and the unit?",
        p->bathymetry_path, p->physics.wall_depth_m, t->survey.relief.deepest_m,
        tsunami_params_bathymetry_unit(t->job, p));
}

enum status tsunami_read_bathymetry(struct tsunami_level *t)
{
    struct tsunami_params *p = &t->params;
    struct grid_sampler *sampler = NULL;
    CHECK(grid_sampler_open(p->bathymetry, &p->window, &p->window_request, &sampler));
    enum status status = STATUS_OK;
    for (size_t row = 0; row < p->window.ny && status == STATUS_OK; row++)
        status = grid_sampler_row(sampler, row, t->depth_m + row * t->geometry.pitch);
    grid_sampler_close(sampler);
    CHECK(status);
    // Where the shore moves the depth is the solver's bottom, to the last bit.
    if (tsunami_level_floods(t) && tsunami_level_real(t) == ELEMENT_F32)
        for (size_t k = 0; k < t->geometry.ny * t->geometry.pitch; k++)
            t->depth_m[k] = (double)(float)t->depth_m[k];
    return STATUS_OK;
}

// Lines of nodes side by side: node k of line l is at k · stride + l.
struct lines {
    double *depth_m;
    size_t count, stride, lanes;
    unsigned char *are_new;    // [lanes] in: to be checked; out: changed
    unsigned char *across_new; // [count] set where a line across was changed
};

// One pass along lines: counts wet neighbours whose √d differ too much and, if `smooths`, gives each the mean
// of itself (twice) and its wet neighbours. Jacobi iteration: from the values before the pass, so that no
// direction is preferred.
static size_t smooth_lines(struct tsunami_level *t, const struct lines *lines, bool smooths)
{
    const double limit = t->params.steepness_limit, wall = t->params.physics.wall_depth_m;
    const size_t lanes = lines->lanes;
    double *before = t->line;
    size_t steep_pairs = 0;
    for (size_t k = 0; k < lines->count; k++)
        for (size_t l = 0; l < lanes; l++) {
            const double depth_m = lines->depth_m[k * lines->stride + l];
            before[k * lanes + l] = depth_m > wall ? sqrt(depth_m) : 0;
        }
    memset(lines->are_new, 0, lanes);
    for (size_t k = 0; k < lines->count; k++)
        for (size_t l = 0; l < lanes; l++) {
            const double *here = &before[k * lanes + l];
            if (*here == 0)
                continue;
            const double left = k > 0 ? here[-(ptrdiff_t)lanes] : 0;
            const double right = k + 1 < lines->count ? here[lanes] : 0;
            const bool is_steep_left = left > 0 && (left > limit * *here || *here > limit * left);
            const bool is_steep_right = right > 0 && (right > limit * *here || *here > limit * right);
            steep_pairs += is_steep_right;
            if (!smooths || (!is_steep_left && !is_steep_right))
                continue;
            const double weight = 2 + (left > 0) + (right > 0);
            const double smooth = (2 * *here + left + right) / weight;
            lines->depth_m[k * lines->stride + l] = smooth * smooth;
            lines->are_new[l] = lines->across_new[k] = 1;
        }
    return steep_pairs;
}

// One pass along all rows, then all columns. A line in which nothing was steep and nothing has changed since
// is skipped. Columns are taken several at a time, as they lie in memory.
static size_t smooth_all(struct tsunami_level *t, bool smooths)
{
    const size_t nx = t->geometry.nx, ny = t->geometry.ny, pitch = t->geometry.pitch;
    unsigned char *columns = t->new_lines, *rows = t->new_lines + nx;
    size_t steep = 0;
    for (size_t j = 0; j < ny; j++)
        if (rows[j])
            steep += smooth_lines(t, &(struct lines){t->depth_m + j * pitch, nx, 1, 1, &rows[j], columns},
                                  smooths);
    for (size_t i = 0; i < nx; i += TSUNAMI_LINES) {
        const size_t lanes = nx - i < TSUNAMI_LINES ? nx - i : TSUNAMI_LINES;
        if (memchr(columns + i, 1, lanes))
            steep += smooth_lines(t, &(struct lines){t->depth_m + i, ny, pitch, lanes, columns + i, rows},
                                  smooths);
    }
    return steep;
}

static void compare_with_file(struct tsunami_level *t, const double *original, size_t row)
{
    const double *depth = t->depth_m + row * t->geometry.pitch;
    struct tsunami_conditioning *result = &t->conditioning;
    for (size_t i = 0; i < t->geometry.nx; i++) {
        const double change = fabs(depth[i] - original[i]);
        result->changed_nodes += change > 0;
        if (change > result->largest_change_m) {
            result->largest_change_m = change;
            result->largest_x = t->geometry.x[i];
            result->largest_y = t->geometry.y[row];
        }
    }
}

// Reads the file again for the comparison, to save a second array of depths.
static enum status report_changes(struct tsunami_level *t)
{
    struct grid_sampler *sampler = NULL;
    CHECK(grid_sampler_open(t->params.bathymetry, &t->params.window, &t->params.window_request, &sampler));
    double *original = t->rows;
    enum status status = STATUS_OK;
    for (size_t row = 0; row < t->geometry.ny && status == STATUS_OK; row++) {
        status = grid_sampler_row(sampler, row, original);
        if (status == STATUS_OK)
            compare_with_file(t, original, row);
    }
    grid_sampler_close(sampler);
    return status;
}

enum status tsunami_condition_bathymetry(struct tsunami_level *t)
{
    t->conditioning = (struct tsunami_conditioning){0};
    if (!(t->params.steepness_limit > 0))
        return STATUS_OK;
    memset(t->new_lines, 1, t->geometry.nx + t->geometry.ny);
    size_t steep = 0, total = 0;
    for (int pass = 0; pass <= CONDITIONING_PASSES; pass++) {
        steep = smooth_all(t, pass < CONDITIONING_PASSES); // the last time round only what is left is counted
        total += steep;
        if (steep == 0)
            break;
    }
    t->conditioning.steep_pairs_left = steep;
    if (total == 0)
        return STATUS_OK;
    CHECK(report_changes(t));
    log_info("%sbathymetry: %zu of %zu wet nodes smoothed where the square root of neighbouring depths "
             "differed by more than a factor %g; largest change %.0f m at (%g, %g)",
             t->prefix, t->conditioning.changed_nodes, t->survey.wet_nodes, t->params.steepness_limit,
             t->conditioning.largest_change_m, t->conditioning.largest_x, t->conditioning.largest_y);
    if (steep > 0)
        log_warning("%sbathymetry: after %d passes %zu pairs of neighbours are still steeper than "
                    "physics.steepness_limit = %g",
                    t->prefix, CONDITIONING_PASSES, steep, t->params.steepness_limit);
    return STATUS_OK;
}
