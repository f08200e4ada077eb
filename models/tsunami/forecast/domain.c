// The domain, the spacing and the duration of a forecast: see domain.h.
#include "models/tsunami/forecast/domain.h"

#include "models/tsunami/earthquake/great_circle.h"

#include <math.h>

static const double radian = 3.14159265358979323846 / 180;
static const double margin_least_deg = 3, margin_most_deg = 5, ocean_way_m = 5e6, polar_deg = 75,
                    globe_deg = 350;

// Boxes of the oceans, in longitudes from 20 to 380.
static const struct {
    const char *name;
    struct forecast_box box;
} oceans[] = {
    {"the Indian Ocean", {20, 147, -65, 31}},
    {"the Atlantic", {262, 380, -65, 70}},
    {"the Pacific", {105, 300, -65, 66}},
};

double forecast_distance_m(const struct forecast_place *a, const struct forecast_place *b)
{
    return great_circle_m(forecast_earth_radius_m, a->longitude_deg, a->latitude_deg, b->longitude_deg,
                          b->latitude_deg);
}

static void extend(struct forecast_box *box, double longitude_deg, double latitude_deg)
{
    box->west_deg = fmin(box->west_deg, longitude_deg);
    box->east_deg = fmax(box->east_deg, longitude_deg);
    box->south_deg = fmin(box->south_deg, latitude_deg);
    box->north_deg = fmax(box->north_deg, latitude_deg);
}

// By the great circle from `from` to `to`, in steps of about a degree; longitudes continue from step to step.
static void extend_along(struct forecast_box *box, const struct forecast_place *from,
                         const struct forecast_place *to)
{
    const double angle = forecast_distance_m(from, to) / forecast_earth_radius_m;
    const int steps = (int)ceil(angle / radian) + 1;
    double longitude = from->longitude_deg;
    for (int k = 1; k <= steps; k++) {
        const double t = (double)k / steps;
        // Spherical linear interpolation.
        const double a = angle > 1e-9 ? sin((1 - t) * angle) / sin(angle) : 1 - t,
                     b = angle > 1e-9 ? sin(t * angle) / sin(angle) : t;
        const double c = cos(from->latitude_deg * radian), d = cos(to->latitude_deg * radian);
        const double x = a * c * cos(from->longitude_deg * radian) + b * d * cos(to->longitude_deg * radian),
                     y = a * c * sin(from->longitude_deg * radian) + b * d * sin(to->longitude_deg * radian),
                     z = a * sin(from->latitude_deg * radian) + b * sin(to->latitude_deg * radian);
        longitude += remainder(atan2(y, x) / radian - longitude, 360);
        extend(box, longitude, atan2(z, hypot(x, y)) / radian);
    }
}

bool forecast_box_has(const struct forecast_box *box, double longitude_deg, double latitude_deg)
{
    const double beyond = fmod(longitude_deg - box->west_deg, 360);
    const double east = beyond < 0 ? beyond + 360 : beyond;
    return east <= box->east_deg - box->west_deg + 1e-9 && latitude_deg >= box->south_deg &&
           latitude_deg <= box->north_deg;
}

static bool has_source(const struct forecast_box *box, const struct forecast_box *source)
{
    return forecast_box_has(box, 0.5 * (source->west_deg + source->east_deg),
                            0.5 * (source->south_deg + source->north_deg));
}

// Adds the box of the ocean that holds the source and most of the places.
static void add_ocean(const struct forecast_box *source, const struct forecast_place *places, size_t count,
                      struct forecast_domain *domain)
{
    size_t most = 0, best = 0;
    for (size_t k = 0; k < sizeof oceans / sizeof *oceans; k++) {
        size_t inside = 0;
        for (size_t p = 0; p < count; p++)
            inside += forecast_box_has(&oceans[k].box, places[p].longitude_deg, places[p].latitude_deg);
        if (has_source(&oceans[k].box, source) && inside > most) {
            most = inside;
            best = k;
        }
    }
    if (2 * most <= count)
        return;
    const struct forecast_box *ocean = &oceans[best].box;
    const double middle = 0.5 * (domain->box.west_deg + domain->box.east_deg),
                 turn = 360 * round((middle - 0.5 * (ocean->west_deg + ocean->east_deg)) / 360);
    extend(&domain->box, ocean->west_deg + turn, ocean->south_deg);
    extend(&domain->box, ocean->east_deg + turn, ocean->north_deg);
    domain->ocean = oceans[best].name;
}

static void add_margin(struct forecast_box *box, double farthest_m)
{
    const double tenth = 0.1 * farthest_m / (forecast_earth_radius_m * radian),
                 margin = fmin(margin_most_deg, fmax(margin_least_deg, tenth)),
                 polar = fmin(polar_deg, fmax(fabs(box->south_deg), fabs(box->north_deg)));
    // Near the poles, where no limit is moved any more, only places count.
    const double south = fmin(box->south_deg, fmax(box->south_deg - margin, -polar_deg)),
                 north = fmax(box->north_deg, fmin(box->north_deg + margin, polar_deg));
    box->south_deg = fmax(floor(south), -forecast_farthest_north_deg);
    box->north_deg = fmin(ceil(north), forecast_farthest_north_deg);
    box->west_deg = floor(box->west_deg - margin / cos(polar * radian));
    box->east_deg = ceil(box->east_deg + margin / cos(polar * radian));
}

// Great circles to far places may lead near a pole, over ice: without a place there the box ends before.
static void leave_poles(const struct forecast_box *source, const struct forecast_place *places, size_t count,
                        struct forecast_box *box)
{
    double south = source->south_deg, north = source->north_deg;
    for (size_t k = 0; k < count; k++) {
        south = fmin(south, places[k].latitude_deg);
        north = fmax(north, places[k].latitude_deg);
    }
    box->south_deg = fmax(box->south_deg, fmin(south, -polar_deg));
    box->north_deg = fmin(box->north_deg, fmax(north, polar_deg));
}

void forecast_domain_of(const struct forecast_box *source, const struct forecast_place *places, size_t count,
                        struct forecast_domain *domain)
{
    const struct forecast_place middle = {0.5 * (source->west_deg + source->east_deg),
                                          0.5 * (source->south_deg + source->north_deg)};
    *domain = (struct forecast_domain){.box = *source};
    for (size_t k = 0; k < count; k++) {
        const double way_m = forecast_distance_m(&middle, &places[k]);
        extend_along(&domain->box, &middle, &places[k]);
        if (way_m > domain->farthest_m) {
            domain->farthest_m = way_m;
            domain->farthest = k;
        }
    }
    leave_poles(source, places, count, &domain->box);
    add_margin(&domain->box, domain->farthest_m);
    if (domain->farthest_m > ocean_way_m)
        add_ocean(source, places, count, domain);
    if (domain->box.east_deg - domain->box.west_deg < globe_deg)
        return;
    domain->is_globe = true;
    domain->box.west_deg = floor(middle.longitude_deg) - 180;
    domain->box.east_deg = domain->box.west_deg + 360;
}

bool forecast_box_clip(struct forecast_box *box, const struct forecast_box *extent, bool wraps)
{
    box->south_deg = fmax(box->south_deg, extent->south_deg);
    box->north_deg = fmin(box->north_deg, extent->north_deg);
    if (wraps)
        return box->south_deg < box->north_deg;
    struct forecast_box best = *box;
    double widest = 0;
    for (int turn = -2; turn <= 2; turn++) {
        const double west = fmax(box->west_deg, extent->west_deg + 360.0 * turn),
                     east = fmin(box->east_deg, extent->east_deg + 360.0 * turn);
        if (east - west > widest) {
            widest = east - west;
            best.west_deg = west;
            best.east_deg = east;
        }
    }
    *box = best;
    return widest > 0 && box->south_deg < box->north_deg;
}

// ---- spacing and duration

struct forecast_spacing forecast_spacing_given(const struct forecast_work *work, double arcmin)
{
    const struct forecast_box *box = &work->box;
    const double spacing_deg = arcmin / 60;
    struct forecast_spacing spacing = {.arcmin = arcmin};
    spacing.nodes = (floor((box->east_deg - box->west_deg) / spacing_deg) + 1) *
                    (floor((box->north_deg - box->south_deg) / spacing_deg) + 1);
    spacing.steps = ceil(work->duration_s * work->rate_deg_per_s / (work->courant * spacing_deg));
    spacing.estimate_s = spacing.nodes * spacing.steps / work->node_steps_per_s;
    spacing.is_files = spacing_deg < 1.34 * work->file_spacing_deg;
    return spacing;
}

struct forecast_spacing forecast_spacing_of(const struct forecast_work *work)
{
    static const double list[] = {0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20};
    enum { COUNT = sizeof list / sizeof *list };
    struct forecast_spacing spacing = {0};
    for (int k = 0; k < COUNT; k++) {
        if (list[k] / 60 < work->file_spacing_deg * 2 / 3 && k + 1 < COUNT)
            continue;
        spacing = forecast_spacing_given(work, list[k]);
        if (spacing.estimate_s <= work->within_s)
            return spacing;
    }
    spacing.is_late = true;
    return spacing;
}

double forecast_duration_h(double last_arrival_s, double after_h)
{
    static const double longest_h = 48;
    return fmin(longest_h, 0.5 * ceil(2 * (last_arrival_s / 3600 + after_h)));
}
