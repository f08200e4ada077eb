// Files that describe an earthquake: finite faults (.param, .fsp, FFM.geojson, CSV), moment tensors
// (CMTSOLUTION, ndk, QuakeML, event GeoJSON). The first byte says which reader; the rest is the file.
#include "models/tsunami/earthquake/plane.h"
#include "models/tsunami/earthquake/recognise.h"
#include "models/tsunami/source_shape.h"
#include "tests/fuzz/support/fuzz.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_rupture(const struct earthquake_rupture *rupture)
{
    FUZZ_EXPECT(rupture->faults.count > 0 && rupture->segments > 0 &&
                    rupture->segments <= rupture->faults.count,
                "%zu patches in %zu segments", rupture->faults.count, rupture->segments);
    for (size_t k = 0; k < rupture->faults.count; k++) {
        const struct fault *f = &rupture->faults.faults[k];
        FUZZ_EXPECT(isfinite(f->longitude_deg) && fabs(f->latitude_deg) <= 89 && isfinite(f->strike_deg) &&
                        fabs(f->rake_deg) <= 360 && f->dip_deg >= 0 && f->dip_deg <= 90,
                    "patch %zu: %g %g %g %g %g", k, f->longitude_deg, f->latitude_deg, f->strike_deg,
                    f->rake_deg, f->dip_deg);
        FUZZ_EXPECT(f->length_m > 0 && f->width_m > 0 && isfinite(f->length_m * f->width_m * f->slip_m),
                    "patch %zu: %g x %g m, slip %g m", k, f->length_m, f->width_m, f->slip_m);
        FUZZ_EXPECT(fault_top_depth_m(f) >= -1e-5 * f->width_m - 1e-6, "patch %zu: top %g m", k,
                    fault_top_depth_m(f));
    }
    const struct source_shape shape = source_shape_of(&rupture->faults, 6371e3, rupture->faults.count < 20);
    FUZZ_EXPECT(isfinite(shape.largest_uplift_m) && isfinite(shape.area_m2), "uplift %g m",
                shape.largest_uplift_m);
    FUZZ_EXPECT(isnan(rupture->moment_n_m) || (rupture->moment_n_m > 0 && isfinite(rupture->moment_n_m)),
                "moment %g", rupture->moment_n_m);
    cJSON_Delete(source_shape_tables(&rupture->faults));
}

static void check_event(const struct earthquake_event *event)
{
    const struct earthquake_solution *s = &event->solution;
    if (!event->has_mechanism) {
        FUZZ_EXPECT(event->magnitude >= 3 && event->magnitude <= 10, "magnitude %g", event->magnitude);
        return;
    }
    const double magnitude = earthquake_magnitude(s->moment_n_m);
    FUZZ_EXPECT(magnitude >= 3 && magnitude <= 10, "Mw %g", magnitude);
    FUZZ_EXPECT(strnlen(event->name, sizeof event->name) < sizeof event->name &&
                    strnlen(event->place, sizeof event->place) < sizeof event->place &&
                    strnlen(event->time, sizeof event->time) < sizeof event->time,
                "a text without its end");
    for (int k = 0; k < 2; k++) {
        const struct earthquake_mechanism *p = &s->planes[k];
        FUZZ_EXPECT(p->strike_deg >= 0 && p->strike_deg <= 360 && p->dip_deg >= 0 &&
                        p->dip_deg <= 90 + 1e-9 && fabs(p->rake_deg) <= 180,
                    "plane %d: %g %g %g", k, p->strike_deg, p->dip_deg, p->rake_deg);
        const struct earthquake_tensor tensor = earthquake_tensor_of(p, s->moment_n_m);
        struct earthquake_solution again;
        FUZZ_EXPECT(fuzz_ok(earthquake_tensor_solve(&tensor, "again", &again)), "a double couple is refused");
        FUZZ_EXPECT(fabs(again.moment_n_m / s->moment_n_m - 1) < 1e-9, "another moment");
    }
    cJSON *report = cJSON_CreateObject();
    source_shape_add_event(report, event, 0);
    cJSON_Delete(report);
}

static void try_rupture(const char *path)
{
    static const char *const references[] = {NULL, "centre"};
    enum earthquake_format format;
    for (int k = 0; k < 2; k++) {
        struct earthquake_rupture rupture;
        if (fuzz_ok(earthquake_read_rupture(path, references[k], &rupture, &format)))
            check_rupture(&rupture);
        else
            FUZZ_EXPECT(rupture.faults.count == 0 && !rupture.faults.faults, "something is left");
        earthquake_rupture_free(&rupture);
    }
}

static void try_event(const char *path)
{
    static const char *const wanted[] = {NULL, "a", "M201103110546A"};
    struct earthquake_event event;
    enum earthquake_format format;
    for (int k = 0; k < 3; k++)
        if (fuzz_ok(earthquake_read_event(path, wanted[k], &event, &format)))
            check_event(&event);
}

// A reader of one format, whatever the file looks like.
static void try_reader(uint8_t kind, const uint8_t *data, size_t size)
{
    struct earthquake_rupture rupture = {0};
    struct earthquake_event event;
    char *content = calloc(1, size + 1);
    memcpy(content, data, size);
    static enum status (*const ruptures[])(const char *, char *, struct earthquake_rupture *) = {
        earthquake_param_read, earthquake_fsp_read, earthquake_ffm_read};
    static enum status (*const events[])(const char *, char *, const char *, struct earthquake_event *) = {
        earthquake_cmtsolution_read, earthquake_ndk_read, earthquake_quakeml_read,
        earthquake_event_json_read};
    if (kind < 3) {
        if (fuzz_ok(ruptures[kind]("file", content, &rupture)))
            check_rupture(&rupture);
    } else if (kind == 3) {
        if (fuzz_ok(earthquake_csv_read("file", content, "top_centre", &rupture)))
            check_rupture(&rupture);
    } else if (fuzz_ok(events[kind - 4]("file", content, NULL, &event))) {
        check_event(&event);
    }
    earthquake_rupture_free(&rupture);
    free(content);
}

FUZZ_HARNESS(earthquake)
{
    if (size < 1)
        return -1;
    const uint8_t kind = *data++ % 10;
    size--;
    if (kind >= 2) {
        try_reader((uint8_t)(kind - 2), data, size);
        return 0;
    }
    const char *path = fuzz_write("file", data, size);
    if (kind == 0)
        try_rupture(path);
    else
        try_event(path);
    return 0;
}
