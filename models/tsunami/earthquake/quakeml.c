// QuakeML 1.2 (Schorlemmer et al. 2011, Ann. Geophys. 54, 59–65; quake.ethz.ch/quakeml): the event's
// preferred focal mechanism with a tensor, else its first one with a tensor, with a warning if it has
// several; the tensor's own origin is the centroid, the event's preferred origin the hypocentre. Tensors are
// in N m, depths in m.
#include "models/tsunami/earthquake/event.h"

#include "core/log.h"
#include "io/utf8.h"
#include "io/xml_read.h"
#include "models/tsunami/earthquake/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const char *path;
    const struct xml_node *event;
};

// The number in an element's <value>; NaN without the element. STATUS_DATA: it is no finite number.
static enum status read_value(const struct source *source, const struct xml_node *node, const char *name,
                              double *value)
{
    const struct xml_node *element = xml_child(node, name);
    const char *text = xml_child_text(element, "value");
    const char *end;
    *value = NAN;
    if (!element)
        return STATUS_OK;
    if (!earthquake_text_number(text, &end, value) || *end)
        return FAIL(STATUS_DATA, "%s: line %zu: <%s>: \"%.40s\" is not a finite number", source->path,
                    element->line, name, text);
    return STATUS_OK;
}

static const struct xml_node *find_origin(const struct source *source, const char *identifier)
{
    const struct xml_node *origin = xml_child(source->event, "origin");
    while (origin && identifier[0] && strcmp(xml_child_text(origin, "publicID"), identifier) != 0)
        origin = xml_next(origin);
    return identifier[0] ? origin : NULL;
}

static enum status read_point(const struct source *source, const struct xml_node *origin,
                              struct earthquake_point *point)
{
    *point = (struct earthquake_point){NAN, NAN, NAN};
    if (!origin)
        return STATUS_OK;
    CHECK(read_value(source, origin, "latitude", &point->latitude_deg));
    CHECK(read_value(source, origin, "longitude", &point->longitude_deg));
    return read_value(source, origin, "depth", &point->depth_m);
}

static enum status read_tensor(const struct source *source, const struct xml_node *moment,
                               struct earthquake_event *event)
{
    struct earthquake_tensor *m = &event->tensor;
    static const char *const names[] = {"Mrr", "Mtt", "Mpp", "Mrt", "Mrp", "Mtp"};
    double *const values[] = {&m->rr, &m->tt, &m->pp, &m->rt, &m->rp, &m->tp};
    const struct xml_node *tensor = xml_child(moment, "tensor");
    for (int k = 0; k < 6; k++) {
        CHECK(read_value(source, tensor, names[k], values[k]));
        if (isnan(*values[k]))
            return FAIL(STATUS_DATA,
                        "%s: line %zu: the tensor lacks <%s>: expected Mrr, Mtt, Mpp, Mrt, Mrp and Mtp",
                        source->path, tensor->line, names[k]);
    }
    return read_value(source, moment, "scalarMoment", &event->stated_moment_n_m);
}

// Of which of several nothing is said: the first one is taken.
static void warn_of_several(const struct source *source, const char *element, const char *preferred,
                            const struct xml_node *first, size_t count)
{
    if (count > 1)
        log_warning("%s: %zu elements <%s>, and no <%s> of them: the first one is taken (line %zu)",
                    source->path, count, element, preferred, first->line);
}

// The preferred mechanism that has this part, else the first one.
static const struct xml_node *find_mechanism(const struct source *source, const char *part)
{
    static const char key[] = "preferredFocalMechanismID";
    const char *preferred = xml_child_text(source->event, key);
    const struct xml_node *first = NULL, *mechanism = xml_child(source->event, "focalMechanism");
    size_t count = 0;
    for (; mechanism; mechanism = xml_next(mechanism)) {
        if (!xml_child(mechanism, part))
            continue;
        if (strcmp(xml_child_text(mechanism, "publicID"), preferred) == 0)
            return mechanism;
        if (count++ == 0)
            first = mechanism;
    }
    if (first)
        warn_of_several(source, "focalMechanism", key, first, count);
    return first;
}

// A preferred element that is not there, though others of its kind are: the file is a part of another one, or
// damaged. Services that leave out a whole kind keep its preferred name.
static enum status check_preferred(const struct source *source)
{
    static const char *const kinds[][2] = {{"preferredOriginID", "origin"},
                                           {"preferredMagnitudeID", "magnitude"},
                                           {"preferredFocalMechanismID", "focalMechanism"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct xml_node *preferred = xml_child(source->event, kinds[k][0]),
                              *node = xml_child(source->event, kinds[k][1]);
        if (!preferred || !preferred->text[0] || !node)
            continue;
        while (node && strcmp(xml_child_text(node, "publicID"), preferred->text) != 0)
            node = xml_next(node);
        if (!node)
            return FAIL(STATUS_DATA, "%s: line %zu: <%s>: no <%s> of the event is \"%.80s\"", source->path,
                        preferred->line, kinds[k][0], kinds[k][1], preferred->text);
    }
    return STATUS_OK;
}

static const char *name_of(const struct xml_node *event)
{
    const char *name = xml_child_text(event, "eventid");
    if (name[0])
        return name;
    name = xml_child_text(event, "publicID");
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

// The region, else the earthquake's name, else the first description.
static const char *place_of(const struct xml_node *event)
{
    static const char *const types[] = {"Flinn-Engdahl region", "region name", "earthquake name"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (const struct xml_node *d = xml_child(event, "description"); d; d = xml_next(d))
            if (strcmp(xml_child_text(d, "type"), types[k]) == 0)
                return xml_child_text(d, "text");
    return xml_child_text(event, "description/text");
}

static enum status offer_magnitude(const struct source *source, const struct xml_node *magnitude,
                                   struct earthquake_event *event)
{
    double value;
    CHECK(read_value(source, magnitude, "mag", &value));
    earthquake_event_offer_magnitude(event, value, xml_child_text(magnitude, "type"));
    return STATUS_OK;
}

// The preferred magnitude first.
static enum status read_magnitudes(const struct source *source, struct earthquake_event *event)
{
    const char *preferred = xml_child_text(source->event, "preferredMagnitudeID");
    const struct xml_node *first = xml_child(source->event, "magnitude"), *magnitude;
    for (magnitude = first; magnitude; magnitude = xml_next(magnitude))
        if (strcmp(xml_child_text(magnitude, "publicID"), preferred) == 0)
            CHECK(offer_magnitude(source, magnitude, event));
    for (magnitude = first; magnitude; magnitude = xml_next(magnitude))
        CHECK(offer_magnitude(source, magnitude, event));
    return STATUS_OK;
}

// A mechanism without a tensor: its first nodal plane and the event's magnitude.
static enum status read_plane(const struct source *source, const struct xml_node *mechanism,
                              struct earthquake_event *event)
{
    const struct xml_node *node = xml_child(mechanism, "nodalPlanes/nodalPlane1");
    struct earthquake_mechanism plane;
    CHECK(read_value(source, node, "strike", &plane.strike_deg));
    CHECK(read_value(source, node, "dip", &plane.dip_deg));
    CHECK(read_value(source, node, "rake", &plane.rake_deg));
    return earthquake_event_check_plane(event, &plane, source->path);
}

static enum status read_origins(const struct source *source, const struct xml_node *mechanism,
                                struct earthquake_event *event)
{
    const char *derived = xml_child_text(mechanism, "momentTensor/derivedOriginID");
    const struct xml_node *hypocentre =
        find_origin(source, xml_child_text(source->event, "preferredOriginID"));
    if (!hypocentre)
        hypocentre = find_origin(source, xml_child_text(mechanism, "triggeringOriginID"));
    if (!hypocentre && !derived[0]) {
        hypocentre = xml_child(source->event, "origin");
        size_t count = 0;
        for (const struct xml_node *origin = hypocentre; origin; origin = xml_next(origin))
            count++;
        if (hypocentre)
            warn_of_several(source, "origin", "preferredOriginID", hypocentre, count);
    }
    CHECK(read_point(source, hypocentre, &event->hypocentre));
    CHECK(read_point(source, find_origin(source, derived), &event->centroid));
    const struct xml_node *time = xml_child(hypocentre, "time/value");
    if (!time)
        return STATUS_OK;
    char about[EARTHQUAKE_ABOUT_BYTES];
    snprintf(about, sizeof about, "%s: line %zu: <time>", source->path, time->line);
    return earthquake_event_take_time(event, time->text, about);
}

static enum status read_event(const struct source *source, struct earthquake_event *event)
{
    *event = earthquake_event_begin();
    CHECK(check_preferred(source));
    const struct xml_node *mechanism = find_mechanism(source, "momentTensor/tensor");
    utf8_copy_line(event->name, sizeof event->name, name_of(source->event));
    const char *place = place_of(source->event);
    utf8_copy_line(event->place, sizeof event->place, place + strspn(place, " \t\r\n"));
    CHECK(read_magnitudes(source, event));
    event->has_mechanism = mechanism != NULL;
    if (mechanism) {
        CHECK(read_tensor(source, xml_child(mechanism, "momentTensor"), event));
    } else if ((mechanism = find_mechanism(source, "nodalPlanes/nodalPlane1"))) {
        CHECK(read_plane(source, mechanism, event));
    }
    CHECK(read_origins(source, mechanism, event));
    return earthquake_event_finish(event, source->path);
}

static enum status choose_event(const struct xml_node *root, struct source *source, const char *wanted)
{
    const struct xml_node *parameters =
        strcmp(root->name, "eventParameters") == 0 ? root : xml_child(root, "eventParameters");
    const struct xml_node *event = xml_child(parameters, "event");
    if (!event)
        return FAIL(STATUS_DATA, "%s: no <event>: expected QuakeML with an earthquake", source->path);
    if (!wanted && xml_next(event))
        return FAIL(STATUS_DATA, "%s: several events: give the name of one as source.earthquake.event",
                    source->path);
    while (event && wanted && strcmp(name_of(event), wanted) != 0)
        event = xml_next(event);
    if (!event)
        return FAIL(STATUS_DATA, "%s: no event \"%s\"", source->path, wanted);
    source->event = event;
    return STATUS_OK;
}

enum status earthquake_quakeml_read(const char *path, char *content, const char *wanted,
                                    struct earthquake_event *event)
{
    struct xml_document *document;
    struct source source = {.path = path};
    char *converted;
    CHECK(xml_to_utf8(path, content, &converted));
    enum status status = xml_read(path, converted ? converted : content, &document);
    if (status == STATUS_OK)
        status = choose_event(xml_root(document), &source, wanted);
    if (status == STATUS_OK)
        status = read_event(&source, event);
    xml_free(document);
    free(converted);
    return status;
}
