// What the readers of events check alike.
#include "models/tsunami/earthquake/event.h"

#include <math.h>
#include <string.h>

static const double moment_tolerance = 0.05, magnitude_gap_most = 2;

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

enum status earthquake_event_finish(struct earthquake_event *event, double other_magnitude, const char *about)
{
    CHECK(check_point(&event->hypocentre, "hypocentre", about));
    CHECK(check_point(&event->centroid, "centroid", about));
    if (!event->has_mechanism && !(event->magnitude >= 3 && event->magnitude <= 10))
        return FAIL(STATUS_DATA, "%s: neither a moment tensor nor a magnitude of 3 to 10", about);
    if (!event->has_mechanism)
        return STATUS_OK;
    CHECK(earthquake_tensor_solve(&event->tensor, about, &event->solution));
    const double moment = event->solution.moment_n_m, magnitude = earthquake_magnitude(moment);
    if (!isnan(event->stated_moment_n_m) &&
        !(fabs(event->stated_moment_n_m - moment) <= moment_tolerance * moment))
        return FAIL(STATUS_DATA,
                    "%s: the tensor's moment is %.4g N m, but the file states %.4g N m: is an exponent or a "
                    "component wrong?",
                    about, moment, event->stated_moment_n_m);
    if (magnitude < other_magnitude - magnitude_gap_most)
        return FAIL(
            STATUS_DATA,
            "%s: the tensor is that of Mw %.2f, but the file gives a magnitude of %.1f: is the tensor in "
            "another unit (dyne cm, N m), or its exponent wrong?",
            about, magnitude, other_magnitude);
    return STATUS_OK;
}
