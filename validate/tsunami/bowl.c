// Thacker's oscillations on a rotating canal and in bowls: exact solutions with a shoreline that moves. Where
// it is after three periods, and the shape of the surface.
#include "validate/closed/thacker.h"
#include "validate/tsunami/flood.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// The shoreline is taken where the water is this part of the middle's still depth deep: in the closed form
// too.
static const double shore_depth = 0.01;

struct bowl {
    const char *name, *description;
    double half_width_m, spacing_m; // the grid reaches from −half_width to +half_width
    bool is_canal;                  // the same along y
    double depth_m;                 // in the middle, at rest
    double amplitude_m;             // of the shoreline
    double period_s;
    double coriolis_per_s;
};

static const struct thacker_canal canal_form = {3000, 10, 200, 1e-3, FLOOD_GRAVITY};
static const struct thacker_plane plane_form = {1, 0.1, 0.5, 0, FLOOD_GRAVITY};
static const struct thacker_paraboloid curved_form = {1, 0.1, 0.05625, 0, FLOOD_GRAVITY};

static struct thacker_state canal_state(double x_m, double y_m, double t_s)
{
    (void)y_m;
    return thacker_canal(&canal_form, x_m, t_s);
}

static struct thacker_state plane_state(double x_m, double y_m, double t_s)
{
    return thacker_plane(&plane_form, x_m, y_m, t_s);
}

static struct thacker_state curved_state(double x_m, double y_m, double t_s)
{
    return thacker_paraboloid(&curved_form, x_m, y_m, t_s);
}

typedef struct thacker_state closed_form(double x_m, double y_m, double t_s);

static double value(const void *context, int variable, double x, double y)
{
    closed_form *const *form = context;
    const struct thacker_state s = (*form)(x, y, 0);
    const bool is_wet = s.depth_m + s.eta_m > 0;
    switch (variable) {
    case 0:
        return s.depth_m;
    case 1:
        return s.eta_m; // below the ground where it is dry
    case 2:
        return is_wet ? s.u_m_s : 0;
    default:
        return is_wet ? s.v_m_s : 0;
    }
}

static enum status write_grid(const struct validation_run *run, const struct bowl *bowl, closed_form *form)
{
    const size_t nodes = (size_t)llround(2 * bowl->half_width_m / bowl->spacing_m),
                 rows = bowl->is_canal ? FLOOD_ROWS : nodes;
    const double first_m = -bowl->half_width_m + 0.5 * bowl->spacing_m;
    const struct case_grid grid = {
        .x = {nodes, first_m, bowl->spacing_m},
        .y = {rows, bowl->is_canal ? 0 : first_m, bowl->spacing_m},
        .variable_count = 4,
        .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}, {"u", "m s-1", NULL}, {"v", "m s-1", NULL}},
        .context = &form,
        .value = value};
    return case_write_grid(run, "bowl.nc", &grid);
}

static enum status run_bowl(struct validation_run *run, const struct bowl *bowl)
{
    const char *across = bowl->is_canal ? "periodic" : "wall";
    struct case_job job = flood_job_new(&(struct flood_job){.title = bowl->description,
                                                            .bathymetry = "bowl.nc",
                                                            .duration_s = 3 * bowl->period_s,
                                                            .edges = {"wall", "wall", across, across},
                                                            .fields_every_s = 3 * bowl->period_s});
    case_job_set(
        &job, "source.initial",
        "{\"file\": \"bowl.nc\", \"eta\": \"eta\", \"u\": \"u\", \"v\": \"v\", \"floods_land\": true}");
    if (bowl->coriolis_per_s != 0) {
        case_job_set(&job, "physics.coriolis_parameter", "\"%.9g s-1\"", bowl->coriolis_per_s);
        case_job_set(&job, "physics.coriolis", "true");
    }
    return case_job_run_once(run, &job, bowl->name, NULL, NULL);
}

// ---- where the shore is

static double exact_depth_m(closed_form *form, double x_m, double y_m, double t_s)
{
    const struct thacker_state s = form(x_m, y_m, t_s);
    return s.depth_m + s.eta_m;
}

// From `from`, which is deep enough, towards `to`, which is not.
static double exact_shore_m(closed_form *form, double from_m, double to_m, double y_m, double t_s,
                            double depth_m)
{
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (from_m + to_m);
        *(exact_depth_m(form, middle, y_m, t_s) > depth_m ? &from_m : &to_m) = middle;
    }
    return from_m;
}

static double computed_depth_m(const struct flood_map *map, size_t row, size_t column, closed_form *form)
{
    const double eta = flood_eta(map, map->records - 1, row, column);
    return isnan(eta) ? 0 : eta + form(map->x_m[column], map->y_m[row], 0).depth_m;
}

// Outwards from the middle column of the water, to the left (step −1) or right; linear between nodes. NaN:
// not found.
static double computed_shore_m(const struct flood_map *map, size_t row, closed_form *form, size_t start,
                               int step, double depth_m)
{
    double before = computed_depth_m(map, row, start, form);
    for (size_t i = start; (step > 0 ? i + 1 < map->nx : i > 0);) {
        const size_t next = step > 0 ? i + 1 : i - 1;
        const double here = computed_depth_m(map, row, next, form);
        if (here < depth_m)
            return map->x_m[i] + (map->x_m[next] - map->x_m[i]) * (before - depth_m) / (before - here);
        before = here;
        i = next;
    }
    return NAN;
}

// ---- measures

static enum status measure_shores(struct validation_run *run, const struct bowl *bowl, closed_form *form,
                                  const struct flood_map *map)
{
    static const char *const names[2] = {"left shore / amplitude", "right shore / amplitude"};
    const size_t row = map->ny / 2;
    const double depth_m = shore_depth * bowl->depth_m, t_s = map->time_s[map->records - 1];
    size_t deepest = 0;
    for (size_t i = 1; i < map->nx; i++)
        if (exact_depth_m(form, map->x_m[i], map->y_m[row], t_s) >
            exact_depth_m(form, map->x_m[deepest], map->y_m[row], t_s))
            deepest = i;
    for (int side = 0; side < 2; side++) {
        const double end_m = side ? bowl->half_width_m : -bowl->half_width_m;
        const double exact =
            exact_shore_m(form, map->x_m[deepest], end_m, bowl->is_canal ? 0 : map->y_m[row], t_s, depth_m);
        const double computed = computed_shore_m(map, row, form, deepest, side ? 1 : -1, depth_m);
        CHECK(validation_compare(run, "thacker/shore", "amplitude",
                                 "Thacker (1981), J. Fluid Mech. 107, 499-508", computed / bowl->amplitude_m,
                                 exact / bowl->amplitude_m, "%s", names[side]));
    }
    return STATUS_OK;
}

// The mean error of the depth over all nodes relative to the mean depth, and the mass.
static enum status measure_volume(struct validation_run *run, const struct bowl *bowl, closed_form *form,
                                  const struct flood_map *map)
{
    const double t_s = map->time_s[map->records - 1];
    double error = 0, sum = 0;
    for (size_t j = 0; j < map->ny; j++)
        for (size_t i = 0; i < map->nx; i++) {
            const double exact =
                fmax(0, exact_depth_m(form, map->x_m[i], bowl->is_canal ? 0 : map->y_m[j], t_s));
            error += fabs(computed_depth_m(map, j, i, form) - exact);
            sum += exact;
        }
    CHECK(validation_compare(run, NULL, "1", "Thacker (1981), J. Fluid Mech. 107, 499-508", error / sum, NAN,
                             "mean error of the depth / mean depth"));
    return flood_measure_mass(run, bowl->name, "mass drift", sum * bowl->spacing_m * bowl->spacing_m);
}

static enum status draw(struct validation_run *run, const struct bowl *bowl, closed_form *form,
                        const struct flood_map *map)
{
    const size_t nx = map->nx, row = map->ny / 2, last = map->records - 1;
    const double y_m = bowl->is_canal ? 0 : map->y_m[row];
    struct validation_picture *picture;
    double *lines = malloc(3 * nx * sizeof *lines);
    if (!lines)
        return FAIL(STATUS_SYSTEM, "not enough memory for a section of %zu nodes", nx);
    for (size_t i = 0; i < nx; i++) {
        const struct thacker_state s = form(map->x_m[i], y_m, map->time_s[last]);
        lines[i] = s.depth_m + s.eta_m > 0 ? s.eta_m : (double)NAN;
        lines[nx + i] = flood_eta(map, last, row, i);
        lines[2 * nx + i] = -s.depth_m;
    }
    enum status status = validation_picture(run, "Section after three periods", "x (m)", "height (m)",
                                            "The middle row of the grid.", &picture);
    static const char *const names[3] = {"closed form", "Fathom", "ground"};
    for (size_t k = 0; k < 3 && status == STATUS_OK; k++)
        status = validation_line(run, picture, names[k], k == 0, map->x_m, lines + k * nx, nx);
    free(lines);
    return status;
}

static enum status run_case(struct validation_run *run, const struct bowl *bowl, closed_form *form)
{
    struct flood_map map;
    CHECK(write_grid(run, bowl, form));
    CHECK(run_bowl(run, bowl));
    CHECK(flood_read_fields(run, bowl->name, false, &map));
    enum status status = measure_shores(run, bowl, form, &map);
    if (status == STATUS_OK)
        status = measure_volume(run, bowl, form, &map);
    if (status == STATUS_OK)
        status = draw(run, bowl, form, &map);
    flood_map_free(&map);
    CHECK(status);
    return case_note(run, bowl->name, "%s, spacing %g m, three periods of %.5g s", bowl->description,
                     bowl->spacing_m, bowl->period_s);
}

enum status tsunami_case_canal(struct validation_run *run)
{
    const struct bowl bowl = {.name = "canal",
                              .description = "Parabolic canal on a rotating plane",
                              .half_width_m = 4000,
                              .spacing_m = 20,
                              .is_canal = true,
                              .depth_m = canal_form.depth_m,
                              .amplitude_m = canal_form.swing_m,
                              .period_s = 2 * pi / thacker_canal_frequency_per_s(&canal_form),
                              .coriolis_per_s = canal_form.coriolis_per_s};
    return run_case(run, &bowl, canal_state);
}

enum status tsunami_case_bowl_plane(struct validation_run *run)
{
    const struct bowl bowl = {.name = "plane",
                              .description = "Plane surface that goes round in a paraboloid",
                              .half_width_m = 1.6,
                              .spacing_m = 0.02,
                              .depth_m = plane_form.depth_m,
                              .amplitude_m = plane_form.swing_m,
                              .period_s = 2 * pi / thacker_plane_frequency_per_s(&plane_form)};
    return run_case(run, &bowl, plane_state);
}

enum status tsunami_case_bowl_curved(struct validation_run *run)
{
    // The radius goes from its largest to its smallest and back.
    const double period_s = 2 * pi / thacker_paraboloid_frequency_per_s(&curved_form);
    const double small_m = thacker_paraboloid_shoreline_m(&curved_form, 0),
                 large_m = thacker_paraboloid_shoreline_m(&curved_form, 0.5 * period_s);
    const struct bowl bowl = {.name = "curved",
                              .description = "Curved surface that rises and falls in a paraboloid",
                              .half_width_m = 1.3,
                              .spacing_m = 0.01,
                              .depth_m = curved_form.depth_m,
                              .amplitude_m = 0.5 * fabs(large_m - small_m),
                              .period_s = period_s};
    return run_case(run, &bowl, curved_state);
}
