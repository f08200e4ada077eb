// What the script of a heat run's page shows: the volume in three planes, with fields, frames, the anatomical
// image and marks; and the series of web_charts.c.
#include "report/bioheat/report.h"

#include "report/web/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sizes: cells of a field, and bytes of the page. Larger fields are reduced by whole factors.
enum {
    CELLS_MAX = 8000000,
    FIELDS_BYTES_MAX = 4 << 20,
    FRAMES_BYTES_MAX = 4 << 20,
    ANATOMY_BYTES_MAX = 4 << 20,
    FRAMES_MAX = 60, // more are thinned out evenly
};
static const double frame_cells_max = 2e9; // that are read

// Steps of the codes: 0.01 °C, or so that the range of temperatures has at most 60 000; 0.5 % of a dose.
static const double temperature_step_c = 0.01, dose_step = 0.005, dose_low_min = 1e-6;

// ---- fields

struct page_field {
    const char *name, *kind, *variable;
    const char *unit;
    struct web_volume_code code;
    const struct style_scale *scale; // NULL: labels
    const char *const *palette;
};

static struct web_volume_code temperature_code(double low_c, double high_c)
{
    const double step = fmax(temperature_step_c, (high_c - low_c) / 60000);
    return (struct web_volume_code){WEB_VOLUME_LINEAR, floor(low_c / step) * step, step};
}

// The field's text, added to `parent` as `name`, or appended to it if it is a list.
static enum status add_text(cJSON *parent, const char *name, const struct web_volume_code *code,
                            const float *values, size_t count, size_t *bytes)
{
    char *text;
    CHECK(web_volume_text(code, values, count, &text));
    *bytes += strlen(text);
    cJSON *item = cJSON_CreateString(text);
    free(text);
    if (!item)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the page's volume");
    if (name)
        cJSON_AddItemToObject(parent, name, item);
    else
        cJSON_AddItemToArray(parent, item);
    return STATUS_OK;
}

static cJSON *begin_field(cJSON *list, const struct page_field *field, const struct web_volume_grid *grid)
{
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "name", field->name);
    cJSON_AddStringToObject(object, "kind", field->kind);
    web_volume_describe(object, grid, &field->code);
    if (!field->scale)
        return object;
    const struct web_map_field legend = {.name = field->name,
                                         .palette = field->palette,
                                         .scale = field->scale,
                                         .format = style_tick,
                                         .unit = field->unit};
    web_map_legend(object, &legend);
    return object;
}

static enum status add_field(const struct heat_volume *v, const struct heat_reduction *r,
                             const struct page_field *field, cJSON *list, float *values, size_t *bytes)
{
    const size_t *n = r->grid.cells;
    CHECK(field->scale ? report_bioheat_reduce(v, r, field->variable, -1, values)
                       : report_bioheat_reduce_labels(v, r, values));
    cJSON *object = begin_field(list, field, &r->grid);
    return add_text(object, "data", &field->code, values, n[0] * n[1] * n[2], bytes);
}

// The least factor with which the volume has at most CELLS_MAX cells.
static size_t least_factor(const struct heat_volume *v)
{
    size_t factor = 1;
    for (;; factor++) {
        const struct heat_reduction r = report_bioheat_reduction(v, factor);
        const double cells = (double)r.grid.cells[0] * (double)r.grid.cells[1] * (double)r.grid.cells[2];
        if (cells <= CELLS_MAX)
            return factor;
    }
}

static float *make_values(const struct heat_reduction *r)
{
    const size_t count = r->grid.cells[0] * r->grid.cells[1] * r->grid.cells[2];
    float *values = malloc(count * sizeof *values);
    if (!values)
        (void)FAIL(STATUS_SYSTEM, "report: not enough memory for %zu cells of the page", count);
    return values;
}

// A run may keep the dose by a second definition, too, which its variable's name tells.
static const struct {
    const char *variable, *name;
} kept_doses[] = {{"dose", "Thermal dose"},
                  {"dose_cem43", "Dose without a limit"},
                  {"dose_cem43_from_37", "Dose from 37 °C"},
                  {"dose_cem43_from_39", "Dose from 39 °C"}};
enum { DOSES = sizeof kept_doses / sizeof *kept_doses, FIELDS_MAX = DOSES + 2 };

// Largest temperature, doses, labels: of maxima.nc.
static size_t list_fields(const struct heat_volume *v, const struct style_scale scales[2],
                          struct page_field fields[FIELDS_MAX])
{
    size_t count = 0;
    fields[count++] = (struct page_field){.name = "Largest temperature",
                                          .kind = "temperature",
                                          .variable = v->variable,
                                          .unit = "°C",
                                          .code = temperature_code(v->coolest_c, v->hottest_c),
                                          .scale = &scales[0],
                                          .palette = style_sequential};
    for (size_t k = 0; k < DOSES; k++)
        if (result_find(v->file, kept_doses[k].variable))
            fields[count++] = (struct page_field){.name = kept_doses[k].name,
                                                  .kind = "dose",
                                                  .variable = kept_doses[k].variable,
                                                  .unit = "CEM43 (min)",
                                                  .code = {WEB_VOLUME_LOG, dose_low_min, dose_step},
                                                  .scale = &scales[1],
                                                  .palette = style_flood};
    if (result_find(v->file, "label"))
        fields[count++] = (struct page_field){
            .name = "Tissues", .kind = "labels", .variable = "label", .code = {WEB_VOLUME_WHOLE, 0, 1}};
    return count;
}

// *factor: the one that the page has.
static enum status add_fields(const struct report *report, const struct heat_volume *v, cJSON *volume,
                              size_t *factor)
{
    const struct style_scale scales[2] = {report_bioheat_temperature_scale(v),
                                          report_bioheat_dose_scale(report)};
    struct page_field fields[FIELDS_MAX];
    const size_t count = list_fields(v, scales, fields);
    enum status status = STATUS_OK;
    for (*factor = least_factor(v); status == STATUS_OK; ++*factor) {
        const struct heat_reduction r = report_bioheat_reduction(v, *factor);
        cJSON *list = cJSON_AddArrayToObject(volume, "fields");
        size_t bytes = 0;
        float *values = make_values(&r);
        status = values ? STATUS_OK : STATUS_SYSTEM;
        for (size_t k = 0; k < count && status == STATUS_OK && bytes <= FIELDS_BYTES_MAX; k++)
            status = add_field(v, &r, &fields[k], list, values, &bytes);
        free(values);
        if (bytes <= FIELDS_BYTES_MAX)
            break;
        cJSON_DeleteItemFromObject(volume, "fields");
    }
    return status;
}

// ---- frames

// The volume of fields.nc, which may be thinned out and cropped. The axes are owned.
static enum status open_frames(const struct report_files *files, const struct heat_volume *v,
                               struct heat_volume *frames)
{
    static const char *const names[HEAT_AXES] = {"z", "y", "x"};
    const struct result_variable *variable = result_find(files->fields, "temperature");
    frames->file = files->fields;
    frames->variable = variable->name;
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        size_t length;
        CHECK(result_read_all(files->fields, names[axis], &frames->axes_mm[axis], &length));
        if (length != variable->lengths[1 + axis])
            return FAIL(STATUS_DATA, "%s: %zu coordinates %s for %zu cells", result_path(files->fields),
                        length, names[axis], variable->lengths[1 + axis]);
        double *mm = frames->axes_mm[axis];
        const double hottest_mm = v->axes_mm[axis][v->hottest[axis]];
        frames->cells[axis] = length;
        for (size_t i = 0; i < length; i++) {
            mm[i] *= 1e3;
            if (fabs(mm[i] - hottest_mm) < fabs(mm[frames->hottest[axis]] - hottest_mm))
                frames->hottest[axis] = i;
        }
    }
    return STATUS_OK;
}

static enum status try_frames(const struct heat_volume *frames, const struct heat_reduction *r,
                              const double *times_s, size_t records, const struct page_field *field,
                              cJSON *volume, float *values, size_t *bytes)
{
    const size_t *n = r->grid.cells;
    const double cells =
        (double)frames->cells[HEAT_Z] * (double)frames->cells[HEAT_Y] * (double)frames->cells[HEAT_X];
    const size_t most = (size_t)fmax(2, fmin(FRAMES_MAX, frame_cells_max / cells)),
                 count = records < most ? records : most;
    cJSON *object = begin_field(cJSON_GetObjectItem(volume, "fields"), field, &r->grid),
          *times = cJSON_AddArrayToObject(object, "times_s"),
          *data = cJSON_AddArrayToObject(object, "frames");
    for (size_t k = 0; k < count && *bytes <= FRAMES_BYTES_MAX; k++) {
        const size_t record = count > 1 ? (k * (records - 1) + (count - 1) / 2) / (count - 1) : 0;
        CHECK(report_bioheat_reduce(frames, r, field->variable, (long long)record, values));
        CHECK(add_text(data, NULL, &field->code, values, n[0] * n[1] * n[2], bytes));
        cJSON_AddItemToArray(times, cJSON_CreateNumber(times_s[record]));
    }
    return STATUS_OK;
}

static enum status add_frames_of(double hottest_c, const struct heat_volume *v,
                                 const struct heat_volume *frames, cJSON *volume, size_t *factor)
{
    // The last frame may be cooler than the others, and a frame cooler than the maxima.
    struct heat_volume range = *v;
    range.hottest_c = fmax(v->hottest_c, hottest_c);
    const struct style_scale scale = report_bioheat_temperature_scale(&range);
    const double range_k = scale.high - scale.low;
    const struct page_field field = {.name = "Temperature at a time",
                                     .kind = "frames",
                                     .variable = "temperature",
                                     .unit = "°C",
                                     .code = temperature_code(scale.low - 2 * range_k, scale.high + range_k),
                                     .scale = &scale,
                                     .palette = style_sequential};
    double *times_s;
    size_t records;
    CHECK(result_read_all(frames->file, "time", &times_s, &records));
    enum status status = STATUS_OK;
    for (*factor = least_factor(frames); status == STATUS_OK; ++*factor) {
        const struct heat_reduction r = report_bioheat_reduction(frames, *factor);
        float *values = make_values(&r);
        size_t bytes = 0;
        status =
            values ? try_frames(frames, &r, times_s, records, &field, volume, values, &bytes) : STATUS_SYSTEM;
        free(values);
        if (bytes <= FRAMES_BYTES_MAX)
            break;
        cJSON *list = cJSON_GetObjectItem(volume, "fields");
        cJSON_DeleteItemFromArray(list, cJSON_GetArraySize(list) - 1);
    }
    free(times_s);
    return status;
}

static enum status add_frames(const struct report *report, const struct heat_volume *v, cJSON *volume,
                              size_t *factor)
{
    const struct report_files *files = &report->files;
    const struct result_variable *variable = result_find(files->fields, "temperature");
    struct heat_volume frames = {0};
    if (!variable || variable->rank != 1 + HEAT_AXES || variable->lengths[0] == 0)
        return STATUS_OK;
    enum status status = open_frames(files, v, &frames);
    if (status == STATUS_OK)
        status =
            add_frames_of(((const struct report_heat *)report->state)->largest_c, v, &frames, volume, factor);
    report_bioheat_close_volume(&frames);
    return status;
}

// ---- the anatomical image

static enum status add_anatomy(const struct report *report, const struct heat_volume *v, cJSON *volume,
                               size_t *factor)
{
    static const struct web_volume_code code = {WEB_VOLUME_WHOLE, 0, 1};
    const struct heat_anatomy *anatomy = ((const struct report_heat *)report->state)->anatomy;
    if (!anatomy)
        return STATUS_OK;
    for (*factor = least_factor(v);; ++*factor) {
        const struct heat_reduction r = report_bioheat_reduction(v, *factor);
        const size_t *n = r.grid.cells;
        float *levels;
        size_t bytes = 0;
        CHECK(report_bioheat_sample_anatomy(anatomy, &r.grid, &levels));
        cJSON *object = cJSON_AddObjectToObject(volume, "anatomy");
        cJSON_AddStringToObject(object, "name", report_bioheat_anatomy_name(anatomy));
        web_volume_describe(object, &r.grid, &code);
        const enum status status = add_text(object, "data", &code, levels, n[0] * n[1] * n[2], &bytes);
        free(levels);
        if (status != STATUS_OK || bytes <= ANATOMY_BYTES_MAX)
            return status;
        cJSON_DeleteItemFromObject(volume, "anatomy");
    }
}

// ---- what the numbers mean

// From the run's list of tissues; without it the page shows numbers.
static void add_tissues(const struct report *report, cJSON *volume)
{
    cJSON *list = cJSON_AddArrayToObject(volume, "tissues");
    const cJSON *item;
    cJSON_ArrayForEach(item, json_member(json_member(report->run, "media"), "tissues"))
    {
        cJSON *tissue = json_append_object(list);
        json_add_number(tissue, "label", json_number(item, "label"));
        cJSON_AddStringToObject(tissue, "name", json_text(item, "name"));
        cJSON_AddBoolToObject(tissue, "is_void", strcmp(json_text(item, "role"), "void") == 0);
    }
}

static void add_numbers(cJSON *list, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(round(1e6 * values[k]) / 1e6));
}

// Levels that have lines: of temperatures, and of doses the tissues' limits and that of a lesion.
static void add_levels(const struct report *report, cJSON *volume)
{
    static const double temperatures_c[] = {39, 43, 50}, lesion_min = 240;
    cJSON *levels = cJSON_AddObjectToObject(volume, "levels");
    add_numbers(cJSON_AddArrayToObject(levels, "temperature"), temperatures_c, 3);
    cJSON *doses = cJSON_AddArrayToObject(levels, "dose");
    const cJSON *item, *other;
    cJSON_ArrayForEach(item, json_member(json_member(report->run, "thermal_safety"), "tissues"))
    {
        const double limit_min = json_number(item, "dose_limit_min");
        bool is_new = limit_min > 0 && limit_min < lesion_min && cJSON_GetArraySize(doses) < 3;
        int before = 0;
        cJSON_ArrayForEach(other, doses)
        {
            is_new &= other->valuedouble != limit_min;
            before += other->valuedouble < limit_min;
        }
        if (is_new)
            cJSON_InsertItemInArray(doses, before, cJSON_CreateNumber(limit_min));
    }
    add_numbers(doses, &lesion_min, 1);
}

static void add_box(const struct heat_volume *v, const struct heat_box *box, const char *name, cJSON *volume)
{
    cJSON *list = cJSON_AddArrayToObject(volume, name);
    for (int r = 0; r < 3; r++) {
        const int axis = HEAT_AXES - 1 - r;
        const double *mm = v->axes_mm[axis];
        const double half = v->cells[axis] > 1 ? 0.5 * (mm[1] - mm[0]) : 0;
        const double ends[2] = {mm[box->first[axis]] - half,
                                mm[box->first[axis] + box->count[axis] - 1] + half};
        add_numbers(list, ends, 2);
    }
}

static size_t add_factor(char *text, size_t bytes, size_t used, const char *what, size_t factor)
{
    if (factor < 2 || used >= bytes)
        return used;
    return used + (size_t)snprintf(text + used, bytes - used, "%s blocks of %zu × %zu × %zu cells", what,
                                   factor, factor, factor);
}

static void add_note(const struct report *report, const struct heat_volume *v, const size_t factors[3],
                     cJSON *volume)
{
    const struct heat_anatomy *anatomy = ((const struct report_heat *)report->state)->anatomy;
    char text[REPORT_TEXT_BYTES], reduced[256] = "";
    size_t used = 0;
    used = add_factor(reduced, sizeof reduced, used, " Shown are", factors[0]);
    used = add_factor(reduced, sizeof reduced, used, used ? "; at the times" : " At the times are shown",
                      factors[1]);
    used = add_factor(reduced, sizeof reduced, used, used ? "; of the image" : " Of the image are shown",
                      factors[2]);
    if (factors[0] > 1 || factors[1] > 1)
        snprintf(reduced + used, sizeof reduced - used, ", each with its largest value.");
    const double step_c = temperature_code(v->coolest_c, v->hottest_c).step;
    int length =
        snprintf(text, sizeof text, "Temperatures to %.2g °C, doses to %g %%; %zu × %zu × %zu cells.%s",
                 step_c, 100 * dose_step, v->cells[HEAT_X], v->cells[HEAT_Y], v->cells[HEAT_Z], reduced);
    if (anatomy && length > 0 && (size_t)length < sizeof text)
        snprintf(text + length, sizeof text - (size_t)length,
                 " Behind: %.200s, which covers %.0f %% of the volume.", report_bioheat_anatomy_name(anatomy),
                 100 * report_bioheat_anatomy_share(anatomy));
    cJSON_AddStringToObject(volume, "note", text);
}

// Rows x, y, z of scanner positions (mm) from (x, y, z, 1) of the planes: only where slices are tilted.
static void add_scanner(const struct heat_volume *v, cJSON *volume)
{
    double affine[12];
    if (result_numbers(v->file, NULL, "axes_to_scanner", affine, 12) != 12)
        return;
    for (int row = 0; row < 3; row++)
        affine[4 * row + 3] *= 1e3;
    cJSON_AddItemToObject(volume, "scanner", cJSON_CreateDoubleArray(affine, 12));
}

static enum status add_volume(const struct report *report, const struct heat_volume *v)
{
    size_t factors[3] = {1, 1, 1};
    cJSON *volume = web_volume_add(report->web, "heat-volume");
    cJSON_AddBoolToObject(volume, "is_oriented", report_bioheat_is_oriented(v));
    add_scanner(v, volume);
    json_add_number(volume, "hottest_s", ((const struct report_heat *)report->state)->at_s);
    add_box(v, &v->all, "whole", volume);
    if (v->has_close)
        add_box(v, &v->close, "close", volume);
    if (v->is_maximum)
        CHECK(add_fields(report, v, volume, &factors[0]));
    else
        cJSON_AddArrayToObject(volume, "fields");
    CHECK(add_frames(report, v, volume, &factors[1]));
    CHECK(add_anatomy(report, v, volume, &factors[2]));
    add_tissues(report, volume);
    add_levels(report, volume);
    add_note(report, v, factors, volume);
    return report_bioheat_web_marks(report, v, volume);
}

// The pictures whose content the planes or the series have.
static void mark_pictures(struct report *report)
{
    const bool has_volume = cJSON_GetArraySize(json_member(report->web, "volumes")) > 0,
               has_series = cJSON_GetArraySize(json_member(report->web, "charts")) > 0;
    for (size_t k = 0; k < report->picture_count; k++) {
        struct report_picture *picture = &report->pictures[k];
        if (has_volume &&
            (strncmp(picture->file, "slices", 6) == 0 || strcmp(picture->file, "snapshots.png") == 0))
            picture->live = REPORT_BY_MAP;
        if (has_series && strcmp(picture->file, "sensors.png") == 0)
            picture->live = REPORT_BY_CHART;
    }
}

enum status report_bioheat_web(struct report *report, bool has_maps, bool has_charts)
{
    struct heat_volume volume = {0};
    bool is_found;
    (void)has_maps; // the planes need no library
    enum status status = report_bioheat_open_volume(&report->files, &volume, &is_found);
    is_found = is_found && status == STATUS_OK && isfinite(volume.hottest_c);
    if (is_found)
        status = add_volume(report, &volume);
    if (status == STATUS_OK && has_charts)
        status = report_bioheat_web_charts(report, is_found ? &volume : NULL);
    mark_pictures(report);
    report_bioheat_close_volume(&volume);
    return status;
}
