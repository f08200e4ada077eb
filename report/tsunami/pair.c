// The values of a map of a tsunami with the share of water, and the ground where the shore moves. Knows the
// variables of maxima.nc.
#include "report/tsunami/report.h"

#include "report/map.h"

#include <math.h>

// The share of water, from the depth if the file has it, else from another map with NaN on land.
static enum status read_water(const struct report_grid *grid, size_t max_nx, size_t max_ny,
                              const struct result_window *window, struct result_map *water)
{
    static const char *const names[] = {"depth", "max_eta", "max_speed"};
    static const size_t first[RESULT_RANK_MAX];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (result_find(grid->files.maxima, names[k]))
            return result_read_map(grid->files.maxima, names[k], first, RESULT_VALID_FRACTION, max_nx, max_ny,
                                   window, water);
    if (result_find(grid->files.fields, "eta"))
        return result_read_map(grid->files.fields, "eta", first, RESULT_VALID_FRACTION, max_nx, max_ny,
                               window, water);
    return result_read_map(grid->files.deformation, "deformation", first, RESULT_VALID_FRACTION, max_nx,
                           max_ny, window, water);
}

// Where the shore moves the depth is known on land too: its sign marks the water at rest.
static enum status read_ground(const struct report_grid *grid, size_t max_nx, size_t max_ny,
                               const struct result_window *window, struct map_pair *pair)
{
    static const size_t first[RESULT_RANK_MAX];
    if (!grid->is_flooding || !result_find(grid->files.maxima, "depth"))
        return STATUS_OK;
    CHECK(result_read_map(grid->files.maxima, "depth", first, RESULT_MEAN, max_nx, max_ny, window,
                          &pair->ground));
    for (size_t k = 0; k < pair->ground.nx * pair->ground.ny; k++) {
        pair->ground.values[k] = -pair->ground.values[k];
        pair->water.values[k] = pair->ground.values[k] < 0;
    }
    return STATUS_OK;
}

static bool have_same_pixels(const struct result_map *a, const struct result_map *b)
{
    double x_slack = 1e-3 * fabs(b->x_step), y_slack = 1e-3 * fabs(b->y_step);
    return a->nx == b->nx && a->ny == b->ny && fabs(a->x_first - b->x_first) < x_slack &&
           fabs(a->y_first - b->y_first) < y_slack && fabs(a->x_step - b->x_step) < x_slack / (double)b->nx &&
           fabs(a->y_step - b->y_step) < y_slack / (double)b->ny;
}

enum status report_tsunami_read_pair(const struct report_grid *grid, const struct result_file *file,
                                     const char *variable, const size_t *leading,
                                     enum result_reduction reduction, size_t max_nx, size_t max_ny,
                                     const struct result_window *window, struct map_pair *pair)
{
    CHECK(result_read_map(file, variable, leading, reduction, max_nx, max_ny, window, &pair->values));
    CHECK(read_water(grid, max_nx, max_ny, window, &pair->water));
    CHECK(read_ground(grid, max_nx, max_ny, window, pair));
    if (!have_same_pixels(&pair->water, &pair->values)) {
        // Another grid (fields thinned out or cropped): land is where this variable itself has no value.
        result_map_free(&pair->water);
        result_map_free(&pair->ground);
        CHECK(result_read_map(file, variable, leading, RESULT_VALID_FRACTION, max_nx, max_ny, window,
                              &pair->water));
    }
    return STATUS_OK;
}
