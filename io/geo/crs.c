// EPSG codes in PROJ's data base: see crs.h.
#include "io/geo/crs.h"

#include <math.h>
#include <proj.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// `about` as the beginning of a message; "": nothing.
#define ABOUT(about) (about), (about)[0] ? ": " : ""

static const double degree_rad = 0.017453292519943295;

const char *geo_missing(void)
{
    return "";
}

// The unit of the first two axes in radians or metres: both must have the same, and it must be `expected`.
static enum status check_unit(const char *about, PJ_CONTEXT *context, const PJ *system,
                              const struct geo_crs *crs)
{
    const double expected = crs->is_geographic ? degree_rad : 1;
    PJ *axes = proj_crs_get_coordinate_system(context, system);
    double factor = 0;
    const char *unit = "an unknown unit";
    enum status status = STATUS_OK;
    for (int k = 0; k < 2 && status == STATUS_OK; k++) {
        const bool is_known =
            axes && proj_cs_get_axis_info(context, axes, k, NULL, NULL, NULL, &factor, &unit, NULL, NULL);
        if (!is_known || !(fabs(factor / expected - 1) < 1e-12))
            status = FAIL(STATUS_DATA, "%s%sEPSG:%d (%s) is in %s, expected %s: convert it (gdalwarp -t_srs)",
                          ABOUT(about), crs->code, crs->name, is_known && unit ? unit : "an unknown unit",
                          crs->is_geographic ? "degrees" : "metres");
    }
    proj_destroy(axes);
    return status;
}

static enum status check_meridian(const char *about, PJ_CONTEXT *context, const PJ *system,
                                  const struct geo_crs *crs)
{
    PJ *meridian = proj_get_prime_meridian(context, system);
    double longitude = 0;
    const bool is_known =
        meridian && proj_prime_meridian_get_parameters(context, meridian, &longitude, NULL, NULL);
    proj_destroy(meridian);
    return is_known && longitude == 0
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s%sEPSG:%d (%s) counts longitudes from another meridian than Greenwich",
                      ABOUT(about), crs->code, crs->name);
}

static enum status describe(const char *about, PJ_CONTEXT *context, const PJ *system, struct geo_crs *crs)
{
    const PJ_TYPE type = proj_get_type(system);
    const char *name = proj_get_name(system);
    snprintf(crs->name, sizeof crs->name, "%s", name ? name : "");
    crs->is_geographic = type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS;
    if (!crs->is_geographic && type != PJ_TYPE_PROJECTED_CRS)
        return FAIL(STATUS_DATA, "%s%sEPSG:%d (%s) is neither geographic nor projected", ABOUT(about),
                    crs->code, crs->name);
    if (crs->is_geographic)
        CHECK(check_meridian(about, context, system, crs));
    return check_unit(about, context, system, crs);
}

enum status geo_crs_find(const char *about, int code, struct geo_crs *crs)
{
    char text[16];
    *crs = (struct geo_crs){.code = code};
    PJ_CONTEXT *context = proj_context_create();
    if (!context)
        return FAIL(STATUS_SYSTEM, "%s%sPROJ: out of memory", ABOUT(about));
    proj_log_level(context, PJ_LOG_NONE);
    proj_context_set_enable_network(context, 0);
    snprintf(text, sizeof text, "%d", code);
    PJ *system = proj_create_from_database(context, "EPSG", text, PJ_CATEGORY_CRS, 0, NULL);
    const enum status status =
        system ? describe(about, context, system, crs)
               : FAIL(STATUS_DATA, "%s%sEPSG:%d is no coordinate system that PROJ knows", ABOUT(about), code);
    proj_destroy(system);
    proj_context_destroy(context);
    return status;
}

// A projection: of a code as a system with its inverse in degrees; of PROJ's own definition in radians both
// ways.
struct projection {
    PJ *system, *inverse; // inverse NULL: the system's own
};

// The scale at a place, of both main directions the one farther from 1; NaN: the place is not in the
// projection.
static double scale_at(const struct projection *p, const double place[2])
{
    const PJ_COORD plane = proj_coord(place[0], place[1], 0, 0);
    const PJ_COORD found =
        p->inverse ? proj_trans(p->inverse, PJ_FWD, plane) : proj_trans(p->system, PJ_INV, plane);
    const double unit = p->inverse ? degree_rad : 1;
    if (!isfinite(found.lp.lam) || !isfinite(found.lp.phi))
        return NAN;
    proj_errno_reset(p->system);
    const PJ_FACTORS factors =
        proj_factors(p->system, proj_coord(found.lp.lam * unit, found.lp.phi * unit, 0, 0));
    const double most = factors.tissot_semimajor, least = factors.tissot_semiminor;
    if (proj_errno(p->system) != 0 || !(least > 0 && isfinite(most)))
        return NAN;
    return fabs(most - 1) > fabs(least - 1) ? most : least;
}

static enum status check_scales(const char *about, const struct projection *p, const double (*places)[2],
                                int count)
{
    static const double departure_most = 0.02;
    double scale = 1;
    int at = 0;
    for (int k = 0; k < count; k++) {
        const double value = scale_at(p, places[k]);
        if (fabs(value - 1) > fabs(scale - 1)) {
            scale = value;
            at = k;
        }
    }
    const char *name = p->inverse ? proj_get_name(p->system) : NULL;
    return fabs(scale - 1) <= departure_most
               ? STATUS_OK
               : FAIL(STATUS_DATA,
                      "%s%sat x %.9g, y %.9g a metre of its projection%s%s%s is 1/%.4g m on the ground, "
                      "expected "
                      "within 2 %%: convert it to UTM, or to longitudes and latitudes (gdalwarp -t_srs "
                      "EPSG:4326)",
                      ABOUT(about), places[at][0], places[at][1], name && name[0] ? " (" : "",
                      name ? name : "", name && name[0] ? ")" : "", scale);
}

enum status geo_crs_check_scale(const char *about, const char *definition, const double (*places)[2],
                                int count)
{
    PJ_CONTEXT *context = proj_context_create();
    if (!context)
        return FAIL(STATUS_SYSTEM, "%s%sPROJ: out of memory", ABOUT(about));
    proj_log_level(context, PJ_LOG_NONE);
    proj_context_set_enable_network(context, 0);
    PJ *stated = proj_create(context, definition);
    const bool is_own = strncmp(definition, "+proj=", 6) == 0;
    PJ *base = stated && !is_own ? proj_crs_get_geodetic_crs(context, stated) : NULL;
    PJ *both = base ? proj_create_crs_to_crs_from_pj(context, stated, base, NULL, NULL) : NULL;
    // Of a system with axes to the north and the east, proj_factors would be wrong.
    struct projection p = {.system = base ? proj_normalize_for_visualization(context, stated) : stated};
    p.inverse = both ? proj_normalize_for_visualization(context, both) : NULL;
    const bool is_known = p.system && (is_own || p.inverse);
    const enum status status = is_known ? check_scales(about, &p, places, count) : STATUS_OK;
    proj_destroy(p.inverse);
    proj_destroy(both);
    proj_destroy(base);
    if (p.system != stated)
        proj_destroy(p.system);
    proj_destroy(stated);
    proj_context_destroy(context);
    return status;
}

enum status geo_crs_parse(const char *about, const char *text, struct geo_crs *crs)
{
    char *end = NULL;
    const long code = strncasecmp(text, "EPSG:", 5) == 0 ? strtol(text + 5, &end, 10) : 0;
    if (!end || end == text + 5 || *end || code < 1 || code > 999999)
        return FAIL(STATUS_DATA, "%s%s\"%.80s\": expected an EPSG code such as \"EPSG:32654\"", ABOUT(about),
                    text);
    return geo_crs_find(about, (int)code, crs);
}
