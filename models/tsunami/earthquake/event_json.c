// The USGS' event page as GeoJSON (earthquake.usgs.gov/earthquakes/feed/v1.0/geojson_detail.php): properties.
// products["moment-tensor"], the one with the largest preferredWeight, whose properties are texts: tensor-mrr
// to tensor-mtp and scalar-moment in N m, derived-latitude, derived-longitude, derived-depth (km).
// Magnitudes with their types: properties.mag and magType, and those of the products.
#include "models/tsunami/earthquake/event.h"

#include "io/json_file.h"
#include "io/utf8.h"
#include "models/tsunami/earthquake/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A number that is written as a text or as a number; NaN without it. STATUS_DATA: no finite number.
static enum status read_number(const char *path, const cJSON *object, const char *key, double *value)
{
    const cJSON *item = json_member(object, key);
    *value = NAN;
    if (!item || cJSON_IsNull(item))
        return STATUS_OK;
    if (cJSON_IsNumber(item))
        *value = item->valuedouble;
    const char *text = cJSON_GetStringValue(item);
    const char *end = NULL;
    if (text && (!earthquake_text_number(text, &end, value) || *end))
        *value = NAN;
    if (!isfinite(*value))
        return FAIL(STATUS_DATA, "%s: \"%s\": \"%.40s\" is not a finite number", path, key, text ? text : "");
    return STATUS_OK;
}

// The properties of the product of this kind with the largest weight that have a key.
static const cJSON *find_product(const cJSON *products, const char *kind, const char *key)
{
    const cJSON *best = NULL, *product = NULL;
    double most = -INFINITY;
    cJSON_ArrayForEach(product, json_member(products, kind))
    {
        double weight = json_number(product, "preferredWeight");
        weight = isnan(weight) ? 0 : weight;
        if (json_member(json_member(product, "properties"), key) && weight > most) {
            best = product;
            most = weight;
        }
    }
    return json_member(best, "properties");
}

static enum status read_tensor(const char *path, const cJSON *product, struct earthquake_event *event)
{
    struct earthquake_tensor *m = &event->tensor;
    static const char *const keys[] = {"tensor-mrr", "tensor-mtt", "tensor-mpp",
                                       "tensor-mrt", "tensor-mrp", "tensor-mtp"};
    double *const values[] = {&m->rr, &m->tt, &m->pp, &m->rt, &m->rp, &m->tp};
    for (int k = 0; k < 6; k++) {
        CHECK(read_number(path, product, keys[k], values[k]));
        if (isnan(*values[k]))
            return FAIL(STATUS_DATA,
                        "%s: the moment tensor lacks \"%s\": expected tensor-mrr, -mtt, -mpp, -mrt, -mrp "
                        "and -mtp",
                        path, keys[k]);
    }
    CHECK(read_number(path, product, "scalar-moment", &event->stated_moment_n_m));
    CHECK(read_number(path, product, "derived-latitude", &event->centroid.latitude_deg));
    CHECK(read_number(path, product, "derived-longitude", &event->centroid.longitude_deg));
    CHECK(read_number(path, product, "derived-depth", &event->centroid.depth_m));
    event->centroid.depth_m *= 1e3;
    return STATUS_OK;
}

// The event's magnitude, and those of the products that make moment tensors and origins.
static enum status read_magnitudes(const char *path, const cJSON *properties, struct earthquake_event *event)
{
    static const char *const kinds[][3] = {{"moment-tensor", "derived-magnitude", "derived-magnitude-type"},
                                           {"focal-mechanism", "derived-magnitude", "derived-magnitude-type"},
                                           {"origin", "magnitude", "magnitude-type"}};
    earthquake_event_offer_magnitude(event, json_number(properties, "mag"), json_text(properties, "magType"));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const cJSON *product = find_product(json_member(properties, "products"), kinds[k][0], kinds[k][1]);
        double value;
        CHECK(read_number(path, product, kinds[k][1], &value));
        if (json_text(product, kinds[k][2])[0])
            earthquake_event_offer_magnitude(event, value, json_text(product, kinds[k][2]));
    }
    return STATUS_OK;
}

// properties.time: ms since 1970; the products repeat it as a text.
static enum status read_time(const char *path, const cJSON *properties, struct earthquake_event *event)
{
    static const char *const kinds[] = {"moment-tensor", "focal-mechanism", "origin"};
    double time_ms;
    CHECK(read_number(path, properties, "time", &time_ms));
    if (!isnan(time_ms) && !date_of_epoch_ms(time_ms, event->time))
        return FAIL(STATUS_DATA, "%s: \"time\": %g, expected milliseconds since 1970", path, time_ms);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const cJSON *product = find_product(json_member(properties, "products"), kinds[k], "eventtime");
        char time[DATE_BYTES], what[64];
        if (date_convert(json_text(product, "eventtime"), time) != DATE_TIME)
            continue;
        snprintf(what, sizeof what, "\"eventtime\" of the %s", kinds[k]);
        CHECK(earthquake_event_check_times(event->time, "\"time\" (ms since 1970)", time, what, path));
    }
    return STATUS_OK;
}

// geometry.coordinates: longitude, latitude, depth in km.
static void read_hypocentre(const cJSON *document, struct earthquake_event *event)
{
    const cJSON *coordinates = json_member(json_member(document, "geometry"), "coordinates");
    double values[3] = {NAN, NAN, NAN};
    for (int k = 0; k < 3; k++) {
        const cJSON *item = cJSON_GetArrayItem(coordinates, k);
        if (cJSON_IsNumber(item))
            values[k] = item->valuedouble;
    }
    event->hypocentre = (struct earthquake_point){values[0], values[1], 1e3 * values[2]};
}

// A mechanism without a tensor: its first nodal plane and the event's magnitude.
static enum status read_plane(const char *path, const cJSON *product, struct earthquake_event *event)
{
    struct earthquake_mechanism plane;
    CHECK(read_number(path, product, "nodal-plane-1-strike", &plane.strike_deg));
    CHECK(read_number(path, product, "nodal-plane-1-dip", &plane.dip_deg));
    CHECK(read_number(path, product, "nodal-plane-1-rake", &plane.rake_deg));
    if (isnan(plane.rake_deg)) // as older products call it
        CHECK(read_number(path, product, "nodal-plane-1-slip", &plane.rake_deg));
    return earthquake_event_check_plane(event, &plane, path);
}

static enum status read_mechanism(const char *path, const cJSON *products, struct earthquake_event *event)
{
    static const char *const kinds[] = {"moment-tensor", "focal-mechanism"};
    const cJSON *product = find_product(products, kinds[0], "tensor-mrr");
    event->has_mechanism = product != NULL;
    if (product)
        return read_tensor(path, product, event);
    for (int k = 0; k < 2 && !product; k++)
        product = find_product(products, kinds[k], "nodal-plane-1-strike");
    return product ? read_plane(path, product, event) : STATUS_OK;
}

static enum status read_document(const char *path, const cJSON *document, const char *wanted,
                                 struct earthquake_event *event)
{
    const cJSON *properties = json_member(document, "properties");
    *event = earthquake_event_begin();
    utf8_copy_line(event->name, sizeof event->name, json_text(document, "id"));
    utf8_copy_line(event->place, sizeof event->place, json_text(properties, "place"));
    CHECK(read_magnitudes(path, properties, event));
    CHECK(read_mechanism(path, json_member(properties, "products"), event));
    CHECK(read_time(path, properties, event));
    read_hypocentre(document, event);
    if (wanted && strcmp(wanted, event->name) != 0)
        return FAIL(STATUS_DATA, "%s: no event \"%s\"; it holds \"%s\"", path, wanted, event->name);
    return earthquake_event_finish(event, path);
}

enum status earthquake_event_json_read(const char *path, char *content, const char *wanted,
                                       struct earthquake_event *event)
{
    cJSON *document;
    CHECK(json_parse(path, content, &document));
    const enum status status = read_document(path, document, wanted, event);
    cJSON_Delete(document);
    return status;
}
