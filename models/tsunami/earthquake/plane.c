// Length and width from a scaling relation or as given, slip from the moment, place from the point.
#include "models/tsunami/earthquake/plane.h"

#include <math.h>

static const double degree_rad = 3.14159265358979323846 / 180.0;
static const double contradiction_most = 0.01;

static enum status check_sigma(double sigmas, double sigma, const char *what, const char *relation,
                               const char *about)
{
    if (sigmas == 0 || !isnan(sigma))
        return STATUS_OK;
    return FAIL(STATUS_CONFIGURATION,
                "%s.%s_sigmas: %s gives no standard deviation of the %s; leave it out, or take another of "
                "length_sigmas, width_sigmas and area_sigmas",
                about, what, relation, what);
}

// The relation's median size, exceeded by multiples of its standard deviations.
static enum status deviate(const struct earthquake_request *r, const char *about,
                           struct earthquake_size *size)
{
    const char *title = earthquake_relation_title(r->relation);
    CHECK(check_sigma(r->length_sigmas, size->sigma_length, "length", title, about));
    CHECK(check_sigma(r->width_sigmas, size->sigma_width, "width", title, about));
    CHECK(check_sigma(r->area_sigmas, size->sigma_area, "area", title, about));
    const double half = r->area_sigmas == 0 ? 0 : 0.5 * r->area_sigmas * size->sigma_area;
    const double length = r->length_sigmas == 0 ? half : half + r->length_sigmas * size->sigma_length,
                 width = r->width_sigmas == 0 ? half : half + r->width_sigmas * size->sigma_width;
    size->length_m *= pow(10, length);
    size->width_m *= pow(10, width);
    return STATUS_OK;
}

// Size and slip such that moment = rigidity · length · width · slip.
static enum status set_size(const struct earthquake_request *r, const char *about,
                            struct earthquake_plane *plane)
{
    struct fault *fault = &plane->fault;
    const bool has_moment = !isnan(r->moment_n_m);
    if (!has_moment && (isnan(r->length_m) || isnan(r->width_m) || isnan(r->slip_m)))
        return FAIL(STATUS_CONFIGURATION,
                    "%s: neither magnitude nor moment: expected one of them, or length, width and slip",
                    about);
    plane->moment_n_m =
        has_moment ? r->moment_n_m : r->rigidity_pa * r->length_m * r->width_m * fabs(r->slip_m);
    plane->is_scaled = isnan(r->length_m) || isnan(r->width_m);
    plane->size = earthquake_relation_size(r->relation, earthquake_magnitude(plane->moment_n_m),
                                           earthquake_style_of(r->mechanism.rake_deg), r->aspect);
    CHECK(deviate(r, about, &plane->size));
    fault->length_m = isnan(r->length_m) ? plane->size.length_m : r->length_m;
    fault->width_m = isnan(r->width_m) ? plane->size.width_m : r->width_m;
    const double stiffness_n_m = r->rigidity_pa * fault->length_m * fault->width_m;
    fault->slip_m = isnan(r->slip_m) ? plane->moment_n_m / stiffness_n_m : r->slip_m;
    const double made_n_m = stiffness_n_m * fabs(fault->slip_m);
    if (fabs(made_n_m - plane->moment_n_m) > contradiction_most * plane->moment_n_m)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: a slip of %g m on %.4g km by %.4g km with a rigidity of %g GPa is Mw %.2f, but the "
                    "magnitude is %.2f: leave out slip, which then follows from the others, or the magnitude",
                    about, fault->slip_m, 1e-3 * fault->length_m, 1e-3 * fault->width_m,
                    1e-9 * r->rigidity_pa, earthquake_magnitude(made_n_m),
                    earthquake_magnitude(plane->moment_n_m));
    plane->moment_n_m = made_n_m;
    return STATUS_OK;
}

// From the point to the plane's centre; then down until the upper edge no longer breaks the sea floor.
static void place(const struct earthquake_request *r, struct earthquake_plane *plane)
{
    struct fault *fault = &plane->fault;
    const double strike = fault->strike_deg * degree_rad, dip = fault->dip_deg * degree_rad;
    const double along_m = (0.5 - r->along_strike) * fault->length_m,
                 down_m = (0.5 - r->down_dip) * fault->width_m, out_m = down_m * cos(dip);
    const double east_m = along_m * sin(strike) + out_m * cos(strike),
                 north_m = along_m * cos(strike) - out_m * sin(strike);
    const double metres_per_degree = r->earth_radius_m * degree_rad;
    fault->longitude_deg =
        r->longitude_deg + east_m / (metres_per_degree * cos(r->latitude_deg * degree_rad));
    fault->latitude_deg = r->latitude_deg + north_m / metres_per_degree;
    fault->depth_m = r->depth_m + down_m * sin(dip);
    plane->moved_down_m = fmax(0, 0.5 * fault->width_m * sin(dip) - fault->depth_m);
    fault->depth_m += plane->moved_down_m;
}

enum status earthquake_plane_of(const struct earthquake_request *request, const char *about,
                                struct earthquake_plane *plane)
{
    *plane = (struct earthquake_plane){.fault = {.strike_deg = request->mechanism.strike_deg,
                                                 .dip_deg = request->mechanism.dip_deg,
                                                 .rake_deg = request->mechanism.rake_deg,
                                                 .start_s = request->start_s,
                                                 .rise_s = request->rise_s,
                                                 .reference = FAULT_CENTRE}};
    CHECK(set_size(request, about, plane));
    place(request, plane);
    if (!(fabs(plane->fault.latitude_deg) <= 89))
        return FAIL(STATUS_CONFIGURATION,
                    "%s: the plane's centre would lie at latitude %g, expected -89 to 89", about,
                    plane->fault.latitude_deg);
    return STATUS_OK;
}
