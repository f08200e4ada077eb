// The tsunami solver of a test: see the header.
#include "tests/support/tsunami_fixture.h"
#include "tests/support/solver_fixture.h"

#include "io/grid/grid.h"
#include "models/tsunami/solver.h"
#include "tests/support/statuses.h"

static const double pi = 3.14159265358979323846;

struct ocean {
    struct ocean_setup setup;
    enum element precision; // what the solver works in
    struct tsunami_geometry geometry;
    struct tsunami_physics physics;
    struct tsunami_records records;
    double *x_distance, *y_distance, *cosine, *tangent, *coriolis, *depth_m;
    struct memory_plan plan;
    const struct tsunami_backend *backend; // the setup's, for its method
    struct solver *solver;
};

static void plan_arrays(struct ocean *o)
{
    const struct ocean_setup *s = &o->setup;
    const size_t pitch = o->geometry.pitch;
    struct {
        double **slot;
        size_t rows, columns;
        const char *name;
    } arrays[] = {
        {&o->x_distance, 1, s->nx + 1, "x distances"}, {&o->y_distance, 1, s->ny + 1, "y distances"},
        {&o->cosine, 1, s->ny + 2, "cos latitude"},    {&o->tangent, 1, s->ny + 2, "tan latitude / R"},
        {&o->coriolis, 1, s->ny + 2, "Coriolis"},      {&o->depth_m, s->ny, pitch, "still depth"}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        assert_ok(memory_plan_add(&o->plan, MEMORY_HOST, ELEMENT_F64, arrays[k].rows, arrays[k].columns,
                                  (void **)arrays[k].slot, "%s", arrays[k].name));
    struct tsunami_records *r = &o->records;
    r->drawdown_m = s->drawdown_m;
    if (s->has_drawdown_only)
        assert_ok(memory_plan_add(&o->plan, MEMORY_HOST, ELEMENT_F32, s->ny, pitch,
                                  (void **)&r->first_drawdown_s, "first drawdown"));
    if (!s->has_records)
        return;
    float **records[9 + TSUNAMI_ARRIVALS_MAX] = {&r->max_eta_m, &r->max_speed_m_s, &r->max_flux_m2_s,
                                                 &r->time_of_max_s, &r->first_drawdown_s};
    int count = 5;
    for (int a = 0; a < s->arrival_count; a++)
        records[count++] = &r->arrival_s[a];
    if (tsunami_method_floods(s->method)) {
        records[count++] = &r->max_depth_m;
        records[count++] = &r->hazard_m2_s;
        records[count++] = &r->inundation_s;
        records[count++] = &r->wet_since_s;
    }
    for (int k = 0; k < count; k++)
        assert_ok(memory_plan_add(&o->plan, MEMORY_HOST, ELEMENT_F32, s->ny, pitch, (void **)records[k],
                                  "record %d", k));
    r->arrival_count = s->arrival_count;
    memcpy(r->arrival_m, s->arrival_m, sizeof r->arrival_m);
}

// As models/tsunami/geometry.c does it; written again, because that needs a whole job.
static void fill_distances(double *storage, const double *axis, size_t count, double scale, bool is_periodic)
{
    for (size_t i = 0; i + 1 < count; i++)
        storage[i + 1] = (axis[i + 1] - axis[i]) * scale;
    const double mean = (axis[count - 1] - axis[0]) * scale / (double)(count - 1);
    storage[0] = is_periodic ? mean : storage[1];
    storage[count] = is_periodic ? mean : storage[count - 1];
}

static void fill_geometry(struct ocean *o)
{
    struct tsunami_geometry *g = &o->geometry;
    const struct ocean_setup *s = &o->setup;
    const double radian = pi / 180, scale = s->is_spherical ? OCEAN_RADIUS_M * radian : 1;
    fill_distances(o->x_distance, s->x, s->nx, scale, s->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC);
    fill_distances(o->y_distance, s->y, s->ny, scale, s->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC);
    for (size_t k = 0; k < s->ny + 2; k++) {
        const size_t j = k == 0 ? 0 : k > s->ny ? s->ny - 1 : k - 1;
        const double latitude = s->is_spherical ? s->y[j] * radian : 0;
        o->cosine[k] = cos(latitude);
        o->tangent[k] = s->is_spherical ? tan(latitude) / OCEAN_RADIUS_M : 0;
        o->coriolis[k] = s->is_spherical ? 2 * OCEAN_ROTATION * sin(latitude) : s->plane_coriolis_per_s;
    }
    for (size_t j = 0; j < s->ny; j++)
        for (size_t i = 0; i < s->nx; i++) {
            const double depth = s->depth_m[j * s->nx + i];
            const bool is_rounded = tsunami_method_floods(s->method) && o->precision == ELEMENT_F32;
            o->depth_m[j * g->pitch + i] = is_rounded ? (double)(float)depth : depth;
        }
    g->x = s->x;
    g->y = s->y;
    g->x_distance_m = o->x_distance + 1;
    g->y_distance_m = o->y_distance + 1;
    g->cos_latitude = o->cosine + 1;
    g->tan_over_radius = o->tangent + 1;
    g->coriolis_per_s = o->coriolis + 1;
}

static void clear_records(struct ocean *o)
{
    const struct tsunami_records *r = &o->records;
    for (size_t k = 0; r->first_drawdown_s && k < o->setup.ny * o->geometry.pitch; k++)
        r->first_drawdown_s[k] = NAN;
    for (size_t k = 0; r->max_eta_m && k < o->setup.ny * o->geometry.pitch; k++) {
        r->max_eta_m[k] = -INFINITY;
        r->max_speed_m_s[k] = r->max_flux_m2_s[k] = 0;
        if (r->max_depth_m) {
            r->max_depth_m[k] = r->hazard_m2_s[k] = r->inundation_s[k] = 0;
            r->wet_since_s[k] = NAN;
        }
        r->time_of_max_s[k] = NAN;
        for (int a = 0; a < r->arrival_count; a++)
            r->arrival_s[a][k] = NAN;
    }
}

// The smallest distance between neighbours, m.
static double smallest_spacing_m(const struct ocean_setup *s)
{
    const double scale = s->is_spherical ? OCEAN_RADIUS_M * pi / 180 : 1;
    double smallest = INFINITY;
    for (size_t i = 0; i + 1 < s->nx; i++)
        for (size_t j = 0; s->is_spherical ? j < s->ny : j < 1; j++)
            smallest = fmin(smallest, scale * (s->x[i + 1] - s->x[i]) *
                                          (s->is_spherical ? cos(s->y[j] * pi / 180) : 1));
    for (size_t j = 0; j + 1 < s->ny; j++)
        smallest = fmin(smallest, scale * (s->y[j + 1] - s->y[j]));
    return smallest;
}

static void set_physics(struct ocean *o)
{
    const struct ocean_setup *s = &o->setup;
    const bool floods = tsunami_method_floods(s->method);
    const double spacing = floods ? smallest_spacing_m(s) : 0;
    o->physics = (struct tsunami_physics){.method = s->method,
                                          .has_coriolis = s->has_coriolis,
                                          .has_curvature = s->has_curvature,
                                          .has_dispersion = s->has_dispersion,
                                          .limiter = s->limiter,
                                          .eddy_viscosity_m2_s = s->eddy_viscosity_m2_s,
                                          .smagorinsky = s->smagorinsky,
                                          .manning_n = s->manning_n,
                                          .wall_depth_m = floods ? -INFINITY : s->wall_depth_m};
    if (!floods)
        return;
    const double share = s->method == TSUNAMI_VTCS2_SHORE ? 5e-3 : 1e-4;
    o->physics.minimum_depth_m = s->minimum_depth_m > 0 ? s->minimum_depth_m : share * spacing;
    o->records.wet_depth_m =
        s->wet_depth_m > 0 ? s->wet_depth_m : fmax(o->physics.minimum_depth_m, fmin(1e-2 * spacing, 0.05));
}

static void plan_solver(struct ocean *o)
{
    const struct ocean_setup *s = &o->setup;
    const struct tsunami_setup solver_setup = {.geometry = &o->geometry,
                                               .physics = &o->physics,
                                               .records = &o->records,
                                               .depth_m = (const double *const *)&o->depth_m,
                                               .precision = o->precision,
                                               .step_s = s->step_s,
                                               .given = s->given,
                                               .parent = s->parent ? s->parent->solver : NULL,
                                               .links = &o->setup.links,
                                               .link_count = s->link_count,
                                               .skips_quiet_tiles = s->skips_quiet_tiles};
    const int threads = threads_choose(s->threads, 1 + (int)(s->nx * s->ny / 16384));
    assert_ok(o->backend->plan(&solver_setup, &o->plan, "ocean ", &o->solver));
    omp_set_num_threads(threads);
}

// What is given from the start, all of it; a nested grid gathers its own.
static void take_given(struct ocean *o)
{
    const struct ocean_setup *s = &o->setup;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (s->edges[side] == TSUNAMI_EDGE_GIVEN && !s->parent && o->backend->take_edges)
            assert_ok(o->backend->take_edges(o->solver, 0, s->given[side].slots));
}

struct ocean *ocean_open(const struct ocean_setup *setup)
{
    struct ocean *o = zeros_new(1, sizeof *o);
    o->setup = *setup;
    o->backend = tsunami_backend_for(setup->backend, setup->method);
    assert_non_null(o->backend);
    o->precision = setup->backend == &tsunami_backend_reference ? ELEMENT_F64 : setup->precision;
    struct tsunami_geometry *g = &o->geometry;
    g->is_spherical = setup->is_spherical;
    g->nx = setup->nx;
    g->ny = setup->ny;
    g->pitch = memory_pitch(setup->nx + 2 * TSUNAMI_HALO_COLUMNS, o->precision);
    g->gravity_m_s2 = OCEAN_GRAVITY_M_S2;
    memcpy(g->edges, setup->edges, sizeof g->edges);
    set_physics(o);
    memory_plan_begin(&o->plan);
    plan_arrays(o);
    plan_solver(o);
    solver_reserve(&o->plan);
    fill_geometry(o);
    clear_records(o);
    assert_ok(o->backend->start(o->solver));
    take_given(o);
    return o;
}

void ocean_close(struct ocean *o)
{
    memory_plan_release(&o->plan); // clears the pointers that the solver holds: it must still be there
    solver_destroy(&o->backend->head, o->solver);
    free(o);
}

const struct tsunami_geometry *ocean_geometry(const struct ocean *o)
{
    return &o->geometry;
}

const struct tsunami_records *ocean_records(const struct ocean *o)
{
    return &o->records;
}

void ocean_work(const struct ocean *o, double *computed, double *skipped)
{
    o->backend->work(o->solver, computed, skipped);
}

void ocean_set(struct ocean *o, const struct ocean_state *state)
{
    const size_t nx = o->setup.nx;
    for (size_t j = 0; j < o->setup.ny; j++)
        o->backend->set(o->solver, j, 0, nx, state->eta + j * nx, state->u + j * nx, state->v + j * nx);
    assert_ok(solver_touch(&o->backend->head, o->solver, false));
}

void ocean_get(const struct ocean *o, struct ocean_state *state)
{
    const size_t nx = o->setup.nx;
    assert_ok(solver_fetch(&o->backend->head, o->solver));
    for (size_t j = 0; j < o->setup.ny; j++)
        o->backend->get(o->solver, j, 0, nx, state->eta + j * nx, state->u + j * nx, state->v + j * nx);
}

void ocean_record(struct ocean *o, double time_s)
{
    o->backend->record(o->solver, time_s);
    if (o->backend->fetch_records)
        assert_ok(o->backend->fetch_records(o->solver));
}

void ocean_advance(struct ocean *o, int64_t first_step, int64_t count)
{
    assert_ok(o->backend->head.advance(o->solver, first_step, count));
    if (o->backend->fetch_records)
        assert_ok(o->backend->fetch_records(o->solver));
}

void ocean_lift(struct ocean *o, const double *uplift_m)
{
    const size_t nx = o->setup.nx;
    assert_ok(solver_fetch(&o->backend->head, o->solver));
    for (size_t j = 0; j < o->setup.ny; j++) {
        o->backend->lift(o->solver, j, uplift_m + j * nx, uplift_m + j * nx);
        for (size_t i = 0; tsunami_method_floods(o->setup.method) && i < nx; i++) {
            double *depth = &o->depth_m[j * o->geometry.pitch + i];
            *depth -= uplift_m[j * nx + i];
            if (o->precision == ELEMENT_F32)
                *depth = (double)(float)*depth;
        }
    }
    assert_ok(solver_touch(&o->backend->head, o->solver, false));
}

void ocean_gather(struct ocean *o, size_t slot)
{
    assert_ok(o->backend->gather_edges(o->solver, slot));
}

const double *ocean_depth_m(const struct ocean *o)
{
    return o->depth_m;
}

double ocean_wet_depth_m(const struct ocean *o)
{
    return o->records.wet_depth_m;
}

double ocean_water_m3(const struct ocean *o, const struct ocean_state *state)
{
    const struct tsunami_geometry *g = &o->geometry;
    long double volume = 0;
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++) {
        long double row = 0;
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const double depth = o->depth_m[j * (ptrdiff_t)g->pitch + i];
            row += ((long double)state->eta[j * (ptrdiff_t)g->nx + i] + depth) * 0.5L *
                   (g->x_distance_m[i - 1] + g->x_distance_m[i]);
        }
        volume += row * g->cos_latitude[j] * 0.5L * (g->y_distance_m[j - 1] + g->y_distance_m[j]);
    }
    return (double)volume;
}

double ocean_volume_m3(const struct ocean *o, const struct ocean_state *state)
{
    const struct tsunami_geometry *g = &o->geometry;
    double volume = 0;
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++) {
        double row = 0;
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const double eta = state->eta[(size_t)j * g->nx + (size_t)i];
            if (!isnan(eta))
                row += eta * 0.5 * (g->x_distance_m[i - 1] + g->x_distance_m[i]);
        }
        volume += row * g->cos_latitude[j] * 0.5 * (g->y_distance_m[j - 1] + g->y_distance_m[j]);
    }
    return volume;
}

double *array_new(size_t count)
{
    return owned_zeros(count, sizeof(double));
}

struct ocean_state state_new(size_t nx, size_t ny)
{
    return (struct ocean_state){nx, ny, array_new(nx * ny), array_new(nx * ny), array_new(nx * ny)};
}

void state_free(struct ocean_state *state)
{
    owned_end(state->eta);
    owned_end(state->u);
    owned_end(state->v);
    *state = (struct ocean_state){0};
}

enum field_change { MIRROR_X, MIRROR_Y, TRANSPOSE };

static void change_field(const double *from, double *to, size_t nx, size_t ny, enum field_change change,
                         double sign)
{
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            const size_t target = change == MIRROR_X   ? j * nx + (nx - 1 - i)
                                  : change == MIRROR_Y ? (ny - 1 - j) * nx + i
                                                       : i * ny + j;
            to[target] = sign * from[j * nx + i];
        }
}

void state_mirror_x(const struct ocean_state *from, struct ocean_state *to)
{
    change_field(from->eta, to->eta, from->nx, from->ny, MIRROR_X, 1);
    change_field(from->u, to->u, from->nx, from->ny, MIRROR_X, -1);
    change_field(from->v, to->v, from->nx, from->ny, MIRROR_X, 1);
}

void state_mirror_y(const struct ocean_state *from, struct ocean_state *to)
{
    change_field(from->eta, to->eta, from->nx, from->ny, MIRROR_Y, 1);
    change_field(from->u, to->u, from->nx, from->ny, MIRROR_Y, 1);
    change_field(from->v, to->v, from->nx, from->ny, MIRROR_Y, -1);
}

void state_transpose(const struct ocean_state *from, struct ocean_state *to)
{
    change_field(from->eta, to->eta, from->nx, from->ny, TRANSPOSE, 1);
    change_field(from->u, to->v, from->nx, from->ny, TRANSPOSE, 1);
    change_field(from->v, to->u, from->nx, from->ny, TRANSPOSE, 1);
}

static bool are_equal(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

size_t state_unequal(const struct ocean_state *a, const struct ocean_state *b, size_t *where)
{
    size_t unequal = 0;
    assert_int_equal(a->nx, b->nx);
    assert_int_equal(a->ny, b->ny);
    for (size_t k = 0; k < a->nx * a->ny; k++) {
        if (are_equal(a->eta[k], b->eta[k]) && are_equal(a->u[k], b->u[k]) && are_equal(a->v[k], b->v[k]))
            continue;
        if (unequal++ == 0 && where)
            *where = k;
    }
    return unequal;
}

void state_difference(const struct ocean_state *a, const struct ocean_state *b, double difference[3])
{
    const double *const of_a[] = {a->eta, a->u, a->v}, *const of_b[] = {b->eta, b->u, b->v};
    for (int f = 0; f < 3; f++) {
        difference[f] = 0;
        for (size_t k = 0; k < a->nx * a->ny; k++) {
            const double here = fabs(of_a[f][k] - of_b[f][k]);
            if (isnan(of_a[f][k]) && isnan(of_b[f][k]))
                continue;
            difference[f] = isnan(here) ? INFINITY : fmax(difference[f], here);
        }
    }
}

double *axis_new(size_t count, double first, double spacing, double unevenness)
{
    double *axis = array_new(count);
    axis[0] = first;
    for (size_t k = 1; k < count; k++)
        axis[k] = unevenness > 0 ? axis[k - 1] + spacing * (1 + unevenness * sin(0.37 * (double)k))
                                 : first + spacing * (double)k;
    return axis;
}

double *axis_mirrored(const double *axis, size_t count)
{
    double *mirrored = array_new(count);
    for (size_t k = 0; k < count; k++)
        mirrored[k] = -axis[count - 1 - k];
    return mirrored;
}

double *field_mirrored_x(const double *field, size_t nx, size_t ny)
{
    double *to = array_new(nx * ny);
    change_field(field, to, nx, ny, MIRROR_X, 1);
    return to;
}

double *field_mirrored_y(const double *field, size_t nx, size_t ny)
{
    double *to = array_new(nx * ny);
    change_field(field, to, nx, ny, MIRROR_Y, 1);
    return to;
}

double *field_transposed(const double *field, size_t nx, size_t ny)
{
    double *to = array_new(nx * ny);
    change_field(field, to, nx, ny, TRANSPOSE, 1);
    return to;
}

double *rugged_depth_new(size_t nx, size_t ny, bool has_land)
{
    double *depth = array_new(nx * ny);
    uint32_t random = 12345;
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            const double x = (double)i, y = (double)j;
            random = random * 1664525u + 1013904223u; // Numerical Recipes' generator: no structure is needed
            const double noise = (double)(random >> 8) / (double)(1u << 24) - 0.5;
            double d = 3500 + 1500 * sin(0.11 * x + 0.6) * cos(0.13 * y) +
                       700 * sin(0.05 * x * 1.3 + 0.17 * y) + 400 * noise;
            if (has_land) {
                const double fx = x / (double)nx, fy = y / (double)ny;
                const double coast =
                    0.12 + 0.05 * sin(9 * fy) + 0.02 * sin(31 * fy); // along the south-western side
                const bool is_island =
                    hypot(x - 0.7 * (double)nx, 1.3 * (y - 0.62 * (double)ny)) < 0.07 * (double)ny ||
                    hypot(x - 0.42 * (double)nx, y - 0.3 * (double)ny) < 2.1 ||
                    (i == nx / 2 && j == (3 * ny) / 4);                       // one node alone
                const bool is_peninsula = fx > 0.55 && fx < 0.6 && fy < 0.14; // reaches the southern edge
                if ((fx < coast && fy < 0.8) || is_island || is_peninsula)
                    d = -100 + 50 * noise;
                else if (fx < coast + 0.05)
                    d *= 0.5; // a shelf
            }
            depth[j * nx + i] = d;
        }
    return depth;
}

void state_add_bell(struct ocean_state *state, double height_m, double at_x, double at_y, double width)
{
    for (size_t j = 0; j < state->ny; j++)
        for (size_t i = 0; i < state->nx; i++) {
            const double x = ((double)i - at_x * (double)state->nx) / width;
            const double y = ((double)j - at_y * (double)state->ny) / (0.8 * width);
            const double bell = height_m * exp(-x * x - y * y);
            const size_t k = j * state->nx + i;
            state->eta[k] += bell * (1 + 0.3 * x);
            state->u[k] += 0.02 * bell;
            state->v[k] += 0.01 * bell * (1 - 0.2 * y);
        }
}

static enum status read_rows(struct grid_file *file, const struct grid_window_request *request,
                             struct real_ocean *ocean)
{
    struct grid_window window;
    CHECK(grid_window_resolve(file, request, &window));
    ocean->nx = window.nx;
    ocean->ny = window.ny;
    ocean->x = array_new(window.nx);
    ocean->y = array_new(window.ny);
    ocean->depth_m = array_new(window.nx * window.ny);
    memcpy(ocean->x, window.x, window.nx * sizeof *window.x);
    memcpy(ocean->y, window.y, window.ny * sizeof *window.y);
    struct grid_sampler *sampler = NULL;
    enum status status = grid_sampler_open(file, &window, request, &sampler);
    for (size_t j = 0; j < window.ny && status == STATUS_OK; j++)
        status = grid_sampler_row(sampler, j, ocean->depth_m + j * window.nx);
    grid_sampler_close(sampler);
    grid_window_free(&window);
    return status;
}

bool real_ocean_read(double west, double east, double south, double north, struct real_ocean *ocean)
{
    static const char path[] = "/usr/share/ferret-vis/data/etopo20.cdf";
    if (access(path, R_OK) != 0) {
        fprintf(stderr, "%s is not there (Debian's ferret-datasets)\n", path);
        return false;
    }
    const struct grid_request request = {
        .path = path, .positive = GRID_POSITIVE_UP, .units = "m", .target_units = "m", .time_index = -1};
    const struct grid_window_request window = {.has_x = true,
                                               .has_y = true,
                                               .x_range = {west, east},
                                               .y_range = {south, north},
                                               .missing_value = NAN,
                                               .outside_value = NAN};
    struct grid_file *file = NULL;
    *ocean = (struct real_ocean){0};
    assert_ok(grid_open(&request, &file));
    const enum status status = read_rows(file, &window, ocean);
    grid_close(file);
    assert_ok(status);
    return true;
}

void instruction_set_choose(const char *name)
{
    solver_choose_instruction_set(name);
}

int instruction_sets(const char *names[INSTRUCTION_SETS_MAX])
{
    return solver_instruction_sets(&tsunami_backend_openmp.head, names);
}

const char *method_name(enum tsunami_method method)
{
    static const char *const names[] = {"vtcs2", "vtcs2-o2", "muscl-hancock", "vtcs2-shore", "c-grid-6"};
    return names[method];
}

const char *precision_name(enum element precision)
{
    return precision == ELEMENT_F32 ? "float" : "double";
}
