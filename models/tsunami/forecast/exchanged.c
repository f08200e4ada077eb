// Longitudes and latitudes that look exchanged: see exchanged.h.
#include "models/tsunami/forecast/exchanged.h"

#include <math.h>
#include <stdlib.h>

// The place with longitude and latitude exchanged; false: its latitude would be beyond 90 degrees.
static bool exchange(const struct forecast_place *place, struct forecast_place *other)
{
    *other = (struct forecast_place){place->latitude_deg, remainder(place->longitude_deg, 360)};
    return fabs(other->latitude_deg) <= 90;
}

static size_t count_at_coast(const struct forecast_sea *sea, const struct forecast_place *places,
                             size_t count)
{
    size_t at_coast = 0;
    for (size_t k = 0; k < count; k++)
        at_coast += forecast_sea_has_coast(sea, &places[k]);
    return at_coast;
}

// The box of places, wider by more than forecast_sea_has_coast looks.
static struct forecast_box box_of(const struct forecast_place *places, size_t count)
{
    static const double margin_deg = 2;
    struct forecast_box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t k = 0; k < count; k++) {
        box.west_deg = fmin(box.west_deg, places[k].longitude_deg - margin_deg);
        box.east_deg = fmax(box.east_deg, places[k].longitude_deg + margin_deg);
        box.south_deg = fmin(box.south_deg, fmax(-90, places[k].latitude_deg - margin_deg));
        box.north_deg = fmax(box.north_deg, fmin(90, places[k].latitude_deg + margin_deg));
    }
    return box;
}

static enum status look(struct grid_file *file, double wall_depth_m, const struct forecast_place *places,
                        size_t count, size_t *at_coast)
{
    const struct grid_info *info = grid_info(file);
    const struct forecast_box extent = {info->x[0], info->x[info->nx - 1], info->y[0], info->y[info->ny - 1]};
    struct forecast_box box = box_of(places, count);
    struct forecast_sea sea;
    *at_coast = 0;
    if (!forecast_box_clip(&box, &extent, info->wraps))
        return STATUS_OK;
    enum status status = forecast_sea_read(file, &box, false, wall_depth_m, &sea);
    if (status == STATUS_OK)
        *at_coast = count_at_coast(&sea, places, count);
    forecast_sea_free(&sea);
    if (status == STATUS_CONFIGURATION) { // the file has too narrow a strip of the box: no coast to speak of
        status_clear();
        status = STATUS_OK;
    }
    return status;
}

enum status forecast_exchanged_places(struct grid_file *file, const struct forecast_sea *sea,
                                      const struct forecast_place *places, size_t count, bool *is_exchanged)
{
    size_t at_coast = 0;
    *is_exchanged = false;
    if (2 * count_at_coast(sea, places, count) >= count)
        return STATUS_OK;
    struct forecast_place *others = calloc(count, sizeof *others);
    if (!others)
        return FAIL(STATUS_SYSTEM, "no memory for %zu points", count);
    bool are_all = true;
    for (size_t k = 0; k < count; k++)
        are_all = exchange(&places[k], &others[k]) && are_all;
    const enum status status = are_all ? look(file, sea->wall_depth_m, others, count, &at_coast) : STATUS_OK;
    *is_exchanged = status == STATUS_OK && 4 * at_coast >= 3 * count;
    free(others);
    return status;
}

double forecast_nearest_m(const struct forecast_place *from, const struct forecast_place *places,
                          size_t count)
{
    double nearest_m = INFINITY;
    for (size_t k = 0; k < count; k++)
        nearest_m = fmin(nearest_m, forecast_distance_m(from, &places[k]));
    return nearest_m;
}

bool forecast_exchanged_epicentre(const struct forecast_place *epicentre, const struct forecast_place *places,
                                  size_t count, struct forecast_place *meant, const char **way)
{
    static const double far_m = 2e6, near_m = 5e5;
    const double x = epicentre->longitude_deg, y = epicentre->latitude_deg;
    struct forecast_place others[4] = {{x, -y}, {-x, y}, {-x, -y}};
    const size_t other_count = exchange(epicentre, &others[3]) ? 4 : 3;
    double best_m = near_m;
    if (forecast_nearest_m(epicentre, places, count) < far_m)
        return false;
    for (size_t k = 0; k < other_count; k++) {
        const double nearest_m = forecast_nearest_m(&others[k], places, count);
        if (nearest_m > best_m)
            continue;
        best_m = nearest_m;
        *meant = others[k];
        *way = k == 3 ? "longitude and latitude exchanged" : "another sign";
    }
    return best_m < near_m;
}
