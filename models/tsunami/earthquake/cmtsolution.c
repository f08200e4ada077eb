// CMTSOLUTION: the Global CMT catalogue's form of one solution, in dyne cm (SPECFEM3D_GLOBE user manual,
// §4.3):
//   " PDE 2011  3 11  5 46 23.00  38.3200  142.3700  24.4 7.9 7.9 NEAR EAST COAST OF HONSH"
//   "event name: …", "time shift: …" (s), "half duration: …" (s); of the centroid "latitude: …",
//   "longitude: …", "depth: …" (km); "Mrr: …" to "Mtp: …".
// The first line may be empty; its numbers are date, time, hypocentre, mb, MS. Further solutions in the file,
// as in the USGS' products of finite faults, are point sources of one rupture.
#include "models/tsunami/earthquake/event.h"
#include "models/tsunami/earthquake/text.h"

#include "io/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HEAD_NUMBERS = 11, FIELDS = 11 };

// Where a line's number goes, and its unit.
static const struct {
    const char *name;
    size_t offset;
    double unit;
} fields[FIELDS] = {
    {"latitude", offsetof(struct earthquake_event, centroid.latitude_deg), 1},
    {"longitude", offsetof(struct earthquake_event, centroid.longitude_deg), 1},
    {"depth", offsetof(struct earthquake_event, centroid.depth_m), 1e3},
    {"Mrr", offsetof(struct earthquake_event, tensor.rr), 1e-7},
    {"Mtt", offsetof(struct earthquake_event, tensor.tt), 1e-7},
    {"Mpp", offsetof(struct earthquake_event, tensor.pp), 1e-7},
    {"Mrt", offsetof(struct earthquake_event, tensor.rt), 1e-7},
    {"Mrp", offsetof(struct earthquake_event, tensor.rp), 1e-7},
    {"Mtp", offsetof(struct earthquake_event, tensor.tp), 1e-7},
    {"time shift", SIZE_MAX, 1},
    {"half duration", SIZE_MAX, 1},
};

// The first line: origin time, hypocentre, mb and MS. It may be empty, or another line of words.
static enum status read_head(char *line, const char *about, struct earthquake_event *event)
{
    double n[EARTHQUAKE_NUMBERS_MAX];
    char *rest, *start = earthquake_text_skip(line), time[64];
    while (*start && !isspace((unsigned char)*start) && !isdigit((unsigned char)*start))
        start++; // "PDE", "PDEW2011"
    const size_t count = earthquake_text_numbers(start, n, &rest);
    if (count == 0)
        return STATUS_OK;
    if (count < HEAD_NUMBERS)
        return FAIL(
            STATUS_DATA,
            "%s: %zu numbers, then \"%.20s\", expected the date and the time (six numbers), latitude, "
            "longitude, depth, mb and MS",
            about, count, rest);
    for (int k = 0; k < 6; k++)
        if (!(n[k] >= 0 && n[k] <= 9999 && (k == 5 || n[k] == floor(n[k]))))
            return FAIL(STATUS_DATA, "%s: \"%.40s\" is not a date and time", about, start);
    snprintf(time, sizeof time, "%04.0f-%02.0f-%02.0f %02.0f:%02.0f:%06.3f", n[0], n[1], n[2], n[3], n[4],
             n[5]);
    CHECK(earthquake_event_take_time(event, time, about));
    event->hypocentre =
        (struct earthquake_point){.latitude_deg = n[6], .longitude_deg = n[7], .depth_m = 1e3 * n[8]};
    earthquake_event_offer_magnitude(event, n[10] > 0 ? n[10] : NAN, "MS"); // 0: not determined
    earthquake_event_offer_magnitude(event, n[9] > 0 ? n[9] : NAN, "mb");
    utf8_copy_line(event->place, sizeof event->place, rest);
    return STATUS_OK;
}

static enum status read_field(const char *line, const char *about, struct earthquake_event *event,
                              bool seen[FIELDS])
{
    for (int k = 0; k < FIELDS; k++) {
        if (!earthquake_text_begins(line, fields[k].name))
            continue;
        const char *end = strchr(line, ':');
        double value;
        if (!end || !earthquake_text_number(earthquake_text_skip(end + 1), &end, &value) ||
            !earthquake_text_is_blank(end))
            return FAIL(STATUS_DATA, "%s: \"%.60s\": expected \"%s:\" and one number", about, line,
                        fields[k].name);
        if (seen[k])
            return FAIL(STATUS_DATA, "%s: a second \"%s\"", about, fields[k].name);
        seen[k] = true;
        const double converted = fields[k].unit * value;
        if (fields[k].offset != SIZE_MAX)
            memcpy((char *)event + fields[k].offset, &converted, sizeof converted);
        return STATUS_OK;
    }
    return FAIL(STATUS_DATA, "%s: \"%.40s\": expected latitude, longitude, depth or a component Mrr to Mtp",
                about, line);
}

static enum status check_all_seen(const bool seen[FIELDS], const char *path)
{
    for (int k = 0; k < FIELDS; k++)
        if (!seen[k] && fields[k].offset != SIZE_MAX)
            return FAIL(STATUS_DATA,
                        "%s: no line \"%s:\": expected latitude, longitude, depth and the six "
                        "components Mrr, Mtt, Mpp, Mrt, Mrp, Mtp",
                        path, fields[k].name);
    return STATUS_OK;
}

enum status earthquake_cmtsolution_read(const char *path, char *content, const char *wanted,
                                        struct earthquake_event *event)
{
    static const char name_field[] = "event name:";
    struct earthquake_text text;
    bool seen[FIELDS] = {false};
    *event = earthquake_event_begin();
    event->has_mechanism = true;
    earthquake_text_begin(&text, path, content);
    for (char *line; (line = earthquake_text_line(&text));) {
        if (earthquake_text_begins(line, name_field)) {
            if (event->name[0])
                return FAIL(
                    STATUS_DATA,
                    "%s: a second solution: the point sources of a finite fault are no single tensor; use "
                    "its .param or .fsp file as source.faults",
                    text.about);
            const char *name = earthquake_text_skip(strchr(line, ':') + 1);
            utf8_copy_line(event->name, sizeof event->name, name);
            event->name[strcspn(event->name, " ")] = '\0';
            if (!event->name[0])
                snprintf(event->name, sizeof event->name, "unnamed");
        } else if (!event->name[0]) {
            CHECK(read_head(line, text.about, event));
        } else if (!earthquake_text_is_blank(line) && !earthquake_text_begins(line, "PDE")) {
            CHECK(read_field(earthquake_text_skip(line), text.about, event, seen));
        }
    }
    CHECK(check_all_seen(seen, path));
    if (wanted && strcmp(wanted, event->name) != 0)
        return FAIL(STATUS_DATA, "%s: no event \"%s\"; it holds %s", path, wanted, event->name);
    return earthquake_event_finish(event, path);
}
