// Whether the bathymetry's sign and unit can be right, by what is known of the Earth's relief. Independent of
// the state and of solvers.
#include "models/tsunami/params_private.h"

#include "models/tsunami/instance.h"

#include <math.h>
#include <stdlib.h>

// No sea is deeper than 10 935 m (Challenger Deep), no land higher than 8849 m (Mount Everest).
static const double deepest_geographic_m = 11500, deepest_plane_m = 12000, highest_land_m = 9000;

// In no window of ETOPO20 of at least 10 by 10 degrees, at least a fiftieth of it sea, does more than half of
// the land lie above this height where the land is higher on average than the sea is deep. With the sign
// exchanged half of those of 30 by 30 degrees are so, three quarters of those of 60 by 60 degrees.
static const double high_land_m = 3500;

// A sea that is nowhere deeper than shallow_sea_m on a grid wider than wide_deg is improbable.
static const double shallow_sea_m = 50, wide_deg = 5;

// Largest plausible ratio of the depths of a nested grid and its parent, where one of them exceeds deep_m.
static const double depths_factor = 3, deep_m = 100;
enum { ROWS_COMPARED = 64 };

void tsunami_relief_add_row(struct tsunami_level *t, size_t row, const double *depth_m)
{
    struct tsunami_relief *relief = &t->survey.relief;
    const struct grid_window *w = &t->params.window;
    for (size_t i = 0; i < w->nx; i++) {
        if (depth_m[i] > 0) {
            relief->sea_nodes++;
            relief->sea_sum_m += depth_m[i];
        } else {
            relief->land_nodes++;
            relief->land_sum_m -= depth_m[i];
            relief->high_nodes += -depth_m[i] > high_land_m;
            relief->highest_m = fmax(relief->highest_m, -depth_m[i]);
        }
        if (depth_m[i] > relief->deepest_m) {
            relief->deepest_m = depth_m[i];
            relief->deepest_x = w->x[i];
            relief->deepest_y = w->y[row];
        }
    }
}

// Land and sea look exchanged, and the file does not state its sign.
static void warn_of_relief(const struct tsunami_level *t)
{
    const struct tsunami_relief *relief = &t->survey.relief;
    const struct grid_info *info = grid_info(t->params.bathymetry);
    if (info->sign_statement[0] || info->format == GRID_FORMAT_MOST || relief->land_nodes == 0)
        return;
    const double height_m = relief->land_sum_m / (double)relief->land_nodes;
    const double depth_m = relief->sea_nodes > 0 ? relief->sea_sum_m / (double)relief->sea_nodes : 0;
    const bool is_exchanged =
        relief->sea_nodes > 0 && 2 * relief->high_nodes > relief->land_nodes && height_m > depth_m;
    if (relief->highest_m > highest_land_m || is_exchanged)
        job_warn(
            t->job, "domain.bathymetry",
            "%s: the land is %.3g km high on average and %.3g km at most, the sea %.3g km deep on average "
            "and %.3g km at most: is domain.bathymetry.positive right?",
            t->params.bathymetry_path, height_m / 1000, relief->highest_m / 1000, depth_m / 1000,
            relief->deepest_m / 1000);
}

static void warn_of_shallow_sea(const struct tsunami_level *t)
{
    const struct tsunami_relief *relief = &t->survey.relief;
    const struct grid_window *w = &t->params.window;
    const double wide = fmax(w->x[w->nx - 1] - w->x[0], w->y[w->ny - 1] - w->y[0]);
    if (relief->sea_nodes > 0 && relief->deepest_m < shallow_sea_m && wide > wide_deg)
        job_warn(
            t->job, "domain.bathymetry",
            "%s: the sea is at most %g m deep on a grid of %.3g degrees: is its unit right (values read as "
            "in %s)?",
            t->params.bathymetry_path, relief->deepest_m, wide,
            tsunami_params_bathymetry_unit(t->job, &t->params));
}

enum status tsunami_relief_check(const struct tsunami_level *t)
{
    const struct tsunami_relief *relief = &t->survey.relief;
    const struct tsunami_params *p = &t->params;
    const char *set_aside = grid_info(p->bathymetry)->set_aside;
    const double limit_m = p->window.is_geographic ? deepest_geographic_m : deepest_plane_m;
    const bool overrides = job_boolean(t->job, "domain.bathymetry.override");
    const bool is_too_deep = relief->deepest_m > limit_m;
    if (is_too_deep && !overrides)
        return FAIL(
            STATUS_DATA,
            "%s: the sea is %.6g m deep at (%g, %g), values read as in %s: expected at most %g m; is the "
            "unit right? If it is, add \"override\": true",
            p->bathymetry_path, relief->deepest_m, relief->deepest_x, relief->deepest_y,
            tsunami_params_bathymetry_unit(t->job, p), limit_m);
    if (is_too_deep)
        job_warn(t->job, "domain.bathymetry.override", "%s: a sea %.6g m deep is taken as it is",
                 p->bathymetry_path, relief->deepest_m);
    tsunami_params_warn_of_override(t->job, "domain.bathymetry.override", overrides && !is_too_deep,
                                    p->bathymetry_path, set_aside);
    const bool has_water = t->survey.step_limit_s < INFINITY; // else an error follows
    if (p->window.is_geographic && has_water) {
        warn_of_relief(t);
        warn_of_shallow_sea(t);
    }
    return STATUS_OK;
}

// ---- a nested grid and its parent

// Sums over nodes that are water in both grids and deep in one of them.
struct depths {
    size_t nodes, deeper, shallower;
    double own_sum_m, parent_sum_m;
};

static enum status compare_rows(const struct tsunami_level *t, struct grid_sampler *const samplers[2],
                                double *rows, struct depths *depths)
{
    const struct grid_window *w = &t->params.window;
    const size_t stride = 1 + w->ny / ROWS_COMPARED;
    for (size_t row = 0; row < w->ny; row += stride) {
        CHECK(grid_sampler_row(samplers[0], row, rows));
        CHECK(grid_sampler_row(samplers[1], row, rows + w->nx));
        for (size_t i = 0; i < w->nx; i++) {
            const double own_m = rows[i], parent_m = rows[w->nx + i];
            if (!(fmin(own_m, parent_m) > 0 && fmax(own_m, parent_m) > deep_m))
                continue;
            depths->nodes++;
            depths->deeper += own_m > depths_factor * parent_m;
            depths->shallower += parent_m > depths_factor * own_m;
            depths->own_sum_m += own_m;
            depths->parent_sum_m += parent_m;
        }
    }
    return STATUS_OK;
}

static enum status compare_with_parent(const struct tsunami_level *t)
{
    const struct tsunami_params *own = &t->params, *parent = &t->parent->params;
    const struct grid_window_request anything = {.missing_value = 0, .outside_value = 0};
    struct grid_sampler *samplers[2] = {NULL, NULL};
    struct depths depths = {0};
    double *rows = calloc(2 * own->window.nx, sizeof *rows);
    enum status status =
        rows ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for two rows of %zu depths", own->window.nx);
    if (status == STATUS_OK)
        status = grid_sampler_open(own->bathymetry, &own->window, &own->window_request, &samplers[0]);
    if (status == STATUS_OK)
        status = grid_sampler_open(parent->bathymetry, &own->window, &anything, &samplers[1]);
    if (status == STATUS_OK)
        status = compare_rows(t, samplers, rows, &depths);
    grid_sampler_close(samplers[0]);
    grid_sampler_close(samplers[1]);
    free(rows);
    CHECK(status);
    if (2 * depths.deeper > depths.nodes || 2 * depths.shallower > depths.nodes)
        job_warn(t->job, "domain.bathymetry",
                 "%s: the sea is %.4g m deep on average where %s has %.4g m: are the units of both right?",
                 own->bathymetry_path, depths.own_sum_m / (double)depths.nodes, parent->bathymetry_path,
                 depths.parent_sum_m / (double)depths.nodes);
    return STATUS_OK;
}

enum status tsunami_relief_compare(const struct tsunami *run)
{
    for (int k = 0; k < run->level_count; k++)
        if (run->levels[k]->parent)
            CHECK(compare_with_parent(run->levels[k]));
    return STATUS_OK;
}
