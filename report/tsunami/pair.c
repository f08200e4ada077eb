// The values of a map of a tsunami with the share of water, and the ground where the shore moves. Uses the
// variables of maxima.nc.
#include "report/tsunami/report.h"

#include "report/map.h"

#include <math.h>

static const size_t first[RESULT_RANK_MAX];

static enum status read_map(const struct result_file *file, const char *variable, const size_t *leading,
                            enum result_reduction reduction, const struct map_part *part,
                            struct result_map *map)
{
    return result_read_map(file, variable, leading ? leading : first, reduction, part->nx, part->ny,
                           part->window, map);
}

// The share of water, from the depth if the file has it, else from another map with NaN on land.
static enum status read_water(const struct report_grid *grid, const struct map_part *part,
                              struct result_map *water)
{
    const struct {
        const struct result_file *file;
        const char *variable;
    } maps[] = {{grid->files.maxima, "depth"},
                {grid->files.maxima, "max_eta"},
                {grid->files.maxima, "max_speed"},
                {grid->files.fields, "eta"},
                {grid->files.deformation, "deformation"}};
    enum { LAST = sizeof maps / sizeof *maps - 1 };
    size_t k = 0;
    while (k < LAST && !result_find(maps[k].file, maps[k].variable))
        k++;
    return read_map(maps[k].file, maps[k].variable, NULL, RESULT_VALID_FRACTION, part, water);
}

// Where the shore moves the depth is known on land too: its sign marks the water at rest.
static enum status read_ground(const struct report_grid *grid, const struct map_part *part,
                               struct map_pair *pair)
{
    if (!grid->is_flooding || !result_find(grid->files.maxima, "depth"))
        return STATUS_OK;
    CHECK(read_map(grid->files.maxima, "depth", NULL, RESULT_MEAN, part, &pair->ground));
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
                                     enum result_reduction reduction, const struct map_part *part,
                                     struct map_pair *pair)
{
    CHECK(read_map(file, variable, leading, reduction, part, &pair->values));
    CHECK(read_water(grid, part, &pair->water));
    CHECK(read_ground(grid, part, pair));
    if (!have_same_pixels(&pair->water, &pair->values)) {
        // Another grid (fields thinned out or cropped): land is where this variable itself has no value.
        result_map_free(&pair->water);
        result_map_free(&pair->ground);
        CHECK(read_map(file, variable, leading, RESULT_VALID_FRACTION, part, &pair->water));
    }
    return STATUS_OK;
}

enum status report_tsunami_mark_source(const struct report_grid *grid, double threshold_m,
                                       const struct map_part *part, struct map_pair *arrivals)
{
    struct result_map highest;
    if (!result_find(grid->files.maxima, "max_eta"))
        return STATUS_OK;
    CHECK(read_map(grid->files.maxima, "max_eta", NULL, RESULT_MAXIMUM, part, &highest));
    struct result_map *times = &arrivals->values;
    const bool is_same = highest.nx == times->nx && highest.ny == times->ny;
    for (size_t k = 0; is_same && k < times->nx * times->ny; k++)
        if (isnan(times->values[k]) && (double)highest.values[k] >= threshold_m)
            times->values[k] = 0;
    result_map_free(&highest);
    return STATUS_OK;
}
