// The USGS' FFM.geojson of a finite fault: a FeatureCollection whose features are patches, each a polygon of
// four corners [longitude, latitude, depth in m], from the upper edge's start along strike, then down, closed
// by the first one again; its properties: slip (m), rake (degree), trup and rise (s), sf_moment (N m). The
// plane of a patch follows from its corners, and its centre is their mean. metadata.epicenter has the moment
// (N m) and the date, "1995-07-30T00:00:00.000000Z": the USGS' program writes the day, at midnight, in the
// forms that its versions of ObsPy and pandas give it.
#include "models/tsunami/earthquake/rupture.h"
#include "models/tsunami/earthquake/text.h"

#include "io/json_file.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CORNERS = 4 };

static const double degree_rad = 3.14159265358979323846 / 180.0;
static const double earth_radius_m = 6371e3;
// Corners are rounded to 1e-4 degree: neighbours of one segment differ by so much.
static const double same_plane_deg = 2;

struct corner {
    double longitude_deg, latitude_deg, depth_m;
};

static enum status read_corners(const cJSON *feature, const char *about, struct corner corners[CORNERS])
{
    const cJSON *geometry = json_member(feature, "geometry");
    const cJSON *ring = cJSON_GetArrayItem(json_member(geometry, "coordinates"), 0);
    const int count = cJSON_GetArraySize(ring);
    if (!cJSON_IsArray(ring) || count != CORNERS + 1)
        return FAIL(STATUS_DATA, "%s: expected a polygon of four corners, the first one again at its end",
                    about);
    for (int k = 0; k < CORNERS; k++) {
        const cJSON *corner = cJSON_GetArrayItem(ring, k);
        double values[3];
        for (int c = 0; c < 3; c++) {
            const cJSON *number = cJSON_GetArrayItem(corner, c);
            if (!cJSON_IsNumber(number) || !isfinite(number->valuedouble))
                return FAIL(STATUS_DATA, "%s: corner %d: expected longitude, latitude and depth in m", about,
                            k + 1);
            values[c] = number->valuedouble;
        }
        corners[k] = (struct corner){values[0], values[1], values[2]};
        if (!(fabs(values[0]) <= 360 && fabs(values[1]) <= 89))
            return FAIL(STATUS_DATA, "%s: corner %d at longitude %g, latitude %g", about, k + 1, values[0],
                        values[1]);
    }
    return STATUS_OK;
}

// From a to b: metres east and north.
static void offset(const struct corner *a, const struct corner *b, double *east_m, double *north_m)
{
    const double scale = earth_radius_m * degree_rad;
    *east_m = scale * cos(0.5 * (a->latitude_deg + b->latitude_deg) * degree_rad) *
              remainder(b->longitude_deg - a->longitude_deg, 360);
    *north_m = scale * (b->latitude_deg - a->latitude_deg);
}

// Opposite edges are equal, but for rounding to 1e-4 degree and the meridians' convergence.
static enum status check_rectangle(const struct corner c[CORNERS], const char *about)
{
    double top[2], bottom[2];
    offset(&c[0], &c[1], &top[0], &top[1]);
    offset(&c[3], &c[2], &bottom[0], &bottom[1]);
    const double most_m = 50 + 0.02 * hypot(top[0], top[1]);
    if (hypot(top[0] - bottom[0], top[1] - bottom[1]) > most_m ||
        fabs(c[0].depth_m - c[1].depth_m) > most_m || fabs(c[3].depth_m - c[2].depth_m) > most_m)
        return FAIL(STATUS_DATA, "%s: its corners are no rectangle with a level upper edge", about);
    return STATUS_OK;
}

static struct fault fault_of(const struct corner c[CORNERS])
{
    double along[2], top[2], bottom[2], left[2], right[2];
    offset(&c[0], &c[1], &top[0], &top[1]);
    offset(&c[3], &c[2], &bottom[0], &bottom[1]);
    offset(&c[0], &c[3], &left[0], &left[1]);
    offset(&c[1], &c[2], &right[0], &right[1]);
    for (int k = 0; k < 2; k++)
        along[k] = 0.5 * (top[k] + bottom[k]);
    const double length_m = hypot(along[0], along[1]),
                 out[2] = {0.5 * (left[0] + right[0]), 0.5 * (left[1] + right[1])};
    // The part of the way down that lies across the strike, to its right.
    const double across_m = length_m > 0 ? (out[0] * along[1] - out[1] * along[0]) / length_m : 0;
    const double down_m = 0.5 * (c[3].depth_m + c[2].depth_m - c[0].depth_m - c[1].depth_m);
    struct fault fault = {.length_m = length_m,
                          .width_m = hypot(across_m, down_m),
                          .strike_deg = atan2(along[0], along[1]) / degree_rad,
                          .dip_deg = atan2(down_m, across_m) / degree_rad,
                          .reference = FAULT_CENTRE};
    for (int k = 0; k < CORNERS; k++) {
        fault.longitude_deg += remainder(c[k].longitude_deg - c[0].longitude_deg, 360) / CORNERS;
        fault.latitude_deg += c[k].latitude_deg / CORNERS;
        fault.depth_m += c[k].depth_m / CORNERS;
    }
    fault.longitude_deg += c[0].longitude_deg;
    return fault;
}

static enum status read_property(const cJSON *properties, const char *key, bool is_required,
                                 const char *about, double *value)
{
    const cJSON *item = json_member(properties, key);
    if (!item && !is_required)
        return STATUS_OK;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
        return FAIL(STATUS_DATA, "%s: \"%s\": expected a number", about, key);
    *value = item->valuedouble;
    return STATUS_OK;
}

static enum status read_feature(const cJSON *feature, const char *about, struct fault *fault,
                                double *moment_n_m)
{
    const cJSON *properties = json_member(feature, "properties");
    struct corner corners[CORNERS];
    CHECK(read_corners(feature, about, corners));
    CHECK(check_rectangle(corners, about));
    *fault = fault_of(corners);
    *moment_n_m = NAN;
    if (!(fault->dip_deg > 0 && fault->dip_deg <= 90.5))
        return FAIL(STATUS_DATA,
                    "%s: a dip of %.3g degree to the right of its upper edge, expected above 0, up to 90: "
                    "are the corners in another order?",
                    about, fault->dip_deg);
    fault->dip_deg = fmin(fault->dip_deg, 90);
    CHECK(read_property(properties, "slip", true, about, &fault->slip_m));
    CHECK(read_property(properties, "rake", true, about, &fault->rake_deg));
    CHECK(read_property(properties, "trup", false, about, &fault->start_s));
    CHECK(read_property(properties, "rise", false, about, &fault->rise_s));
    return read_property(properties, "sf_moment", false, about, moment_n_m);
}

// A change of strike or dip begins another segment.
static bool is_other_plane(const struct fault *a, const struct fault *b)
{
    return fabs(remainder(a->strike_deg - b->strike_deg, 360)) > same_plane_deg ||
           fabs(a->dip_deg - b->dip_deg) > same_plane_deg;
}

// metadata.epicenter, where there is one.
static enum status read_metadata(const char *path, const cJSON *document, struct earthquake_rupture *rupture)
{
    const cJSON *origin = json_member(json_member(document, "metadata"), "epicenter");
    rupture->hypocentre = (struct earthquake_point){json_number(origin, "lon"), json_number(origin, "lat"),
                                                    1e3 * json_number(origin, "depth")};
    rupture->header_moment_n_m = json_number(origin, "moment");
    utf8_copy_line(rupture->title, sizeof rupture->title, json_text(origin, "location"));
    char about[EARTHQUAKE_ABOUT_BYTES];
    snprintf(about, sizeof about, "%s: metadata.epicenter.date", path);
    const char *date = json_text(origin, "date");
    const bool is_word = !isdigit((unsigned char)*date); // "UNK"
    return is_word ? STATUS_OK : earthquake_rupture_take_time(rupture, date, about);
}

static enum status read_document(const char *path, const cJSON *document, struct earthquake_rupture *rupture)
{
    const cJSON *features = json_member(document, "features"), *feature = NULL;
    size_t number = 0;
    struct fault before = {0};
    char about[EARTHQUAKE_ABOUT_BYTES];
    if (!cJSON_IsArray(features))
        return FAIL(STATUS_DATA, "%s: no list \"features\": expected a FeatureCollection of patches", path);
    CHECK(read_metadata(path, document, rupture));
    cJSON_ArrayForEach(feature, features)
    {
        struct fault fault;
        double moment_n_m;
        snprintf(about, sizeof about, "%s: feature %zu", path, ++number);
        CHECK(read_feature(feature, about, &fault, &moment_n_m));
        if (number > 1 && is_other_plane(&before, &fault))
            CHECK(earthquake_rupture_end_segment(rupture, path));
        CHECK(earthquake_rupture_add(rupture, &fault, moment_n_m, number, about));
        before = fault;
    }
    return earthquake_rupture_end_segment(rupture, path);
}

enum status earthquake_ffm_read(const char *path, char *content, struct earthquake_rupture *rupture)
{
    earthquake_rupture_begin(rupture);
    rupture->row_word = "feature";
    cJSON *document;
    enum status status = json_parse(path, content, &document);
    if (status == STATUS_OK)
        status = read_document(path, document, rupture);
    cJSON_Delete(document);
    return earthquake_rupture_finish(rupture, path, status);
}
