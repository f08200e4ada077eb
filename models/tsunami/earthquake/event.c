// What the readers of events check alike.
#include "models/tsunami/earthquake/event.h"

#include "core/log.h"
#include "io/utf8.h"
#include "models/tsunami/earthquake/great_circle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const double moment_tolerance = 0.05, earth_km = 6371;
// Catalogues' moment magnitudes of one earthquake differ by 0.1 to 0.2; a factor of 10 is 0.67.
static const double moment_gap_least = 0.3;
// Mwp and its like are estimates of the first minutes: 8.1 of Tohoku 2011 (Mw 9.1).
static const double estimate_gap_least = 1.01;
// MS agrees with Mw within some 0.5 from 6.5 to 8; above it saturates, and of slow tsunami earthquakes it is
// too small by up to 1.2 (Aleutians 1946: MS 7.4, Mw 8.6; Lopez & Okal 2006, Geophys. J. Int. 165, 835-849).
// Of deep earthquakes it is none.
static const double surface_least = 6.5, below_surface_least = 1.0, above_surface_least = 1.3, deep_m = 1e5;
// mb saturates near 7, far below the greatest moments: only a tensor far below it is wrong.
static const double below_body_least = 2;
// The greatest ruptures are some 1000 km long, and begin at one end or in the middle: centroid and hypocentre
// lie 250 km apart at most (Chile 1960, Sumatra 2004).
static const double centroid_far_km = 500;
static const double times_apart_s = 600;

static enum status check_point(const struct earthquake_point *point, const char *what, const char *about)
{
    if (!isnan(point->longitude_deg) && !(fabs(point->longitude_deg) <= 360))
        return FAIL(STATUS_DATA, "%s: longitude %g of the %s, expected -360 to 360 degree", about,
                    point->longitude_deg, what);
    if (!isnan(point->latitude_deg) && !(fabs(point->latitude_deg) <= 90))
        return FAIL(STATUS_DATA, "%s: latitude %g of the %s, expected -90 to 90 degree", about,
                    point->latitude_deg, what);
    if (!isnan(point->depth_m) && !(point->depth_m >= 0 && point->depth_m <= 7.5e5))
        return FAIL(STATUS_DATA, "%s: a depth of %g km of the %s, expected 0 to 750 km, positive down", about,
                    1e-3 * point->depth_m, what);
    return STATUS_OK;
}

struct earthquake_event earthquake_event_begin(void)
{
    return (struct earthquake_event){.hypocentre = {NAN, NAN, NAN},
                                     .centroid = {NAN, NAN, NAN},
                                     .magnitude = NAN,
                                     .surface_magnitude = NAN,
                                     .body_magnitude = NAN,
                                     .stated_moment_n_m = NAN};
}

enum status earthquake_event_take_time(struct earthquake_event *event, const char *text, const char *about)
{
    event->time[0] = '\0';
    if (!*text)
        return STATUS_OK;
    char date[DATE_BYTES];
    const enum date_kind kind = date_convert(text, date);
    if (kind == DATE_INVALID)
        return FAIL(STATUS_DATA, "%s: \"%.60s\" is not a date and time: expected, for example, " DATE_EXAMPLE,
                    about, text);
    if (kind != DATE_DAY)
        memcpy(event->time, date, sizeof date);
    return STATUS_OK;
}

enum status earthquake_event_check_plane(struct earthquake_event *event,
                                         const struct earthquake_mechanism *plane, const char *about)
{
    if (!(event->magnitude >= 3 && event->magnitude <= 10))
        return FAIL(STATUS_DATA, "%s: a magnitude of %g, expected 3 to 10", about, event->magnitude);
    if (!(fabs(plane->strike_deg) <= 360 && plane->dip_deg > 0 && plane->dip_deg <= 90 &&
          fabs(plane->rake_deg) <= 360))
        return FAIL(
            STATUS_DATA,
            "%s: a nodal plane of strike %g, dip %g, rake %g degree, expected a dip above 0, up to 90", about,
            plane->strike_deg, plane->dip_deg, plane->rake_deg);
    event->tensor = earthquake_tensor_of(plane, earthquake_moment_n_m(event->magnitude));
    event->has_mechanism = event->is_from_planes = true;
    return STATUS_OK;
}

// ---- magnitudes

enum { RANK_OTHER = 1, RANK_UNSTATED, RANK_ESTIMATE, RANK_MOMENT };

static bool begins(const char *text, const char *prefix)
{
    return strncasecmp(text, prefix, strlen(prefix)) == 0;
}

static int rank_of(const char *type)
{
    static const char *const moments[] = {"Mw", "Mww", "Mwc", "Mwb", "Mwr"};
    if (!type[0])
        return RANK_UNSTATED;
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++)
        if (strcasecmp(type, moments[k]) == 0)
            return RANK_MOMENT;
    return begins(type, "Mw") ? RANK_ESTIMATE : RANK_OTHER;
}

void earthquake_event_offer_magnitude(struct earthquake_event *event, double value, const char *type)
{
    if (isnan(value))
        return;
    const int rank = rank_of(type);
    if (begins(type, "Ms"))
        event->surface_magnitude = fmax(value, event->surface_magnitude);
    if (begins(type, "mb"))
        event->body_magnitude = fmax(value, event->body_magnitude);
    if (rank <= event->magnitude_rank)
        return;
    event->magnitude_rank = rank;
    event->magnitude = value;
    utf8_copy_line(event->magnitude_type, sizeof event->magnitude_type, type);
}

bool earthquake_event_lacks_moment(const struct earthquake_event *event)
{
    return (!event->has_mechanism || event->is_from_planes) && event->magnitude_rank == RANK_OTHER;
}

static enum status refuse_magnitude(const struct earthquake_event *event, double value, const char *type,
                                    const char *about)
{
    return FAIL(
        STATUS_DATA,
        "%s: the tensor is that of Mw %.2f, but the file gives a magnitude of %.1f (%s): is the tensor "
        "in another unit (dyne cm, N m), its exponent wrong, or one of them of another earthquake?",
        about, earthquake_magnitude(event->solution.moment_n_m), value, type[0] ? type : "no type");
}

// The tensor against the file's magnitudes.
static enum status check_magnitudes(const struct earthquake_event *event, const char *about)
{
    const double mw = earthquake_magnitude(event->solution.moment_n_m), stated = event->magnitude,
                 surface = event->surface_magnitude, body = event->body_magnitude,
                 gap = rint(100 * fabs(mw - stated)) / 100;
    const bool is_deep = event->hypocentre.depth_m > deep_m || event->centroid.depth_m > deep_m;
    if ((event->magnitude_rank == RANK_MOMENT && gap >= moment_gap_least) ||
        (event->magnitude_rank == RANK_ESTIMATE && gap >= estimate_gap_least) ||
        (event->magnitude_rank == RANK_UNSTATED && mw <= stated - below_body_least))
        return refuse_magnitude(event, stated, event->magnitude_type, about);
    if (surface >= surface_least &&
        (mw <= surface - below_surface_least || (!is_deep && mw >= surface + above_surface_least)))
        return refuse_magnitude(event, surface, "MS", about);
    if (mw <= body - below_body_least)
        return refuse_magnitude(event, body, "mb", about);
    return STATUS_OK;
}

// ---- the whole

static double distance_km(const struct earthquake_point *a, const struct earthquake_point *b)
{
    return great_circle_m(earth_km, a->longitude_deg, a->latitude_deg, b->longitude_deg, b->latitude_deg);
}

static enum status check_places(const struct earthquake_event *event, const char *about)
{
    const struct earthquake_point *from = &event->hypocentre, *to = &event->centroid;
    const double apart_km = distance_km(from, to); // NaN: one of them is not given
    if (!(apart_km >= centroid_far_km))
        return STATUS_OK;
    return FAIL(
        STATUS_DATA,
        "%s: hypocentre (longitude %g, latitude %g) and centroid (longitude %g, latitude %g) lie %.0f km "
        "apart, expected less than %g km: is the sign of one wrong?",
        about, from->longitude_deg, from->latitude_deg, to->longitude_deg, to->latitude_deg, apart_km,
        centroid_far_km);
}

enum status earthquake_event_check_times(const char *time, const char *what, const char *other,
                                         const char *other_what, const char *about)
{
    double first_s, second_s;
    if (!date_epoch(time, &first_s) || !date_epoch(other, &second_s) ||
        fabs(first_s - second_s) < times_apart_s)
        return STATUS_OK;
    return FAIL(STATUS_DATA, "%s: %s is %s, but %s is %s: expected the same time within %g minutes", about,
                what, time, other_what, other, times_apart_s / 60);
}

enum status earthquake_event_finish(struct earthquake_event *event, const char *about)
{
    CHECK(check_point(&event->hypocentre, "hypocentre", about));
    CHECK(check_point(&event->centroid, "centroid", about));
    CHECK(check_places(event, about));
    if (!event->has_mechanism && !(event->magnitude >= 3 && event->magnitude <= 10))
        return FAIL(STATUS_DATA, "%s: neither a moment tensor nor a magnitude of 3 to 10", about);
    if ((!event->has_mechanism || event->is_from_planes) && event->magnitude_rank == RANK_UNSTATED)
        log_info("%s: the file does not say which magnitude %g is: it is taken as a moment magnitude", about,
                 event->magnitude);
    if (!event->has_mechanism)
        return STATUS_OK;
    CHECK(earthquake_tensor_solve(&event->tensor, about, &event->solution));
    const double moment = event->solution.moment_n_m;
    if (!isnan(event->stated_moment_n_m) &&
        !(fabs(event->stated_moment_n_m - moment) <= moment_tolerance * moment))
        return FAIL(STATUS_DATA,
                    "%s: the tensor's moment is %.4g N m, but the file states %.4g N m: is an exponent or a "
                    "component wrong?",
                    about, moment, event->stated_moment_n_m);
    return event->is_from_planes ? STATUS_OK : check_magnitudes(event, about);
}
