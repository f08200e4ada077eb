// The tables of a heat run: see products.h.
#include "models/bioheat/products.h"

#include "io/geo/features.h"
#include "io/json_file.h"
#include "io/netcdf/result.h"
#include "models/bioheat/instance.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum product { PRODUCT_SENSORS, PRODUCT_EXPOSURES, PRODUCT_HISTOGRAMS, PRODUCT_TARGET, PRODUCTS };
static const char *const product_names[PRODUCTS] = {"sensors.csv", "exposures.csv", "histograms.csv",
                                                    "target.csv"};

// Temperature, dose, second dose.
enum { QUANTITIES = 3 };

static bool is_wanted(const struct bioheat *b, enum product product)
{
    const struct bioheat_params *p = &b->params;
    return p->has_csv && (product == PRODUCT_SENSORS     ? p->sensor_count > 0
                          : product == PRODUCT_EXPOSURES ? b->marks.exposures > 0
                          : product == PRODUCT_TARGET    ? p->has_target
                                                         : p->has_histograms);
}

void bioheat_products_list(const struct bioheat *b, cJSON *names)
{
    for (int product = 0; product < PRODUCTS; product++)
        if (is_wanted(b, (enum product)product))
            cJSON_AddItemToArray(names, cJSON_CreateString(product_names[product]));
}

static bool may_write(const void *context, const char *name)
{
    for (int product = 0; product < PRODUCTS; product++)
        if (is_wanted(context, (enum product)product) && strcmp(name, product_names[product]) == 0)
            return true;
    return false;
}

enum status bioheat_products_plan(struct bioheat *b, struct model_plan *plan)
{
    const double number_bytes = 20, line_bytes = 160, heading_bytes = 1024;
    const struct bioheat_params *p = &b->params;
    const double sensors = (double)p->sensor_count, tissues = b->tissues.count;
    if (!p->has_csv)
        return STATUS_OK;
    CHECK(model_keep_inputs(b->base.job, "output.products", plan, may_write, b));
    plan->product_bytes += heading_bytes * PRODUCTS;
    if (sensors > 0)
        plan->product_bytes += number_bytes * (QUANTITIES * sensors + 1) *
                               ((double)b->steps / fmax(1, p->sensors_every_s / b->step_s) + 3);
    plan->product_bytes += line_bytes * b->marks.exposures * (tissues + sensors);
    plan->product_bytes += line_bytes * tissues * (HISTOGRAM_TEMPERATURES + 2 * HISTOGRAM_DOSES);
    return STATUS_OK;
}

// ---- sensors.nc

struct series {
    struct result_file *file;
    double *times_s;                               // [record]
    double *temperature_c, *dose_min, *second_min; // [record][sensor]; the doses may be NULL
    size_t records, sensors;
};

static void close_series(struct series *s)
{
    result_close(s->file);
    free(s->times_s);
    free(s->temperature_c);
    free(s->dose_min);
    free(s->second_min);
}

static enum status read_matrix(const struct series *s, const char *name, double **values)
{
    size_t length;
    CHECK(result_read_all(s->file, name, values, &length));
    return length == s->records * s->sensors
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: %s has %zu values, expected %zu records of %zu sensors",
                      result_path(s->file), name, length, s->records, s->sensors);
}

static enum status open_series(const char *directory, size_t sensors, const char *second, struct series *s)
{
    char path[PATH_BYTES + 16];
    *s = (struct series){.sensors = sensors};
    snprintf(path, sizeof path, "%s/sensors.nc", directory);
    CHECK(result_open(path, &s->file));
    CHECK(result_read_all(s->file, "time", &s->times_s, &s->records));
    CHECK(read_matrix(s, "temperature", &s->temperature_c));
    if (result_find(s->file, "dose"))
        CHECK(read_matrix(s, "dose", &s->dose_min));
    return second && result_find(s->file, second) ? read_matrix(s, second, &s->second_min) : STATUS_OK;
}

static void put_sensors(FILE *stream, const struct bioheat *b, const struct series *s)
{
    const double *const values[QUANTITIES] = {s->temperature_c, s->dose_min, s->second_min};
    const char *const names[QUANTITIES][2] = {
        {"temperature", "degC"},
        {"dose", "min"},
        {bioheat_second_dose_texts[b->params.physics.second_dose][0], "min"}};
    fputs("time_s", stream);
    for (int q = 0; q < QUANTITIES; q++)
        for (size_t k = 0; k < s->sensors && values[q]; k++) {
            char name[BIOHEAT_NAME_BYTES + 32];
            snprintf(name, sizeof name, "%s %s", b->params.sensors[k].name, names[q][0]);
            fputc(',', stream);
            geo_csv_heading(stream, name, names[q][1]);
        }
    fputs("\r\n", stream);
    for (size_t t = 0; t < s->records; t++) {
        geo_csv_number(stream, s->times_s[t]);
        for (int q = 0; q < QUANTITIES; q++)
            for (size_t k = 0; k < s->sensors && values[q]; k++) {
                fputc(',', stream);
                geo_csv_number(stream, values[q][t * s->sensors + k]);
            }
        fputs("\r\n", stream);
    }
}

// ---- the table of exposures

// The last record that is not after `time_s`, or the first.
static size_t record_at(const struct series *s, double time_s, double slack_s)
{
    size_t record = 0;
    while (record + 1 < s->records && s->times_s[record + 1] <= time_s + slack_s)
        record++;
    return record;
}

static double gained(const struct series *s, const double *dose_min, size_t first, size_t last, size_t sensor)
{
    return bioheat_dose_gained_min(dose_min[first * s->sensors + sensor],
                                   dose_min[last * s->sensors + sensor]);
}

// Of the records: those of the exposure, and the last before it.
static struct bioheat_marked mark_sensor(const struct series *s, size_t first, size_t last, size_t sensor)
{
    struct bioheat_marked m = {.before_c = s->temperature_c[first * s->sensors + sensor],
                               .after_c = s->temperature_c[last * s->sensors + sensor],
                               .peak_c = -INFINITY,
                               .dose_min = NAN,
                               .second_min = NAN};
    for (size_t t = first; t <= last; t++)
        m.peak_c = fmax(m.peak_c, s->temperature_c[t * s->sensors + sensor]);
    if (isnan(m.before_c)) // in air
        m.peak_c = NAN;
    if (s->dose_min)
        m.dose_min = gained(s, s->dose_min, first, last, sensor);
    if (s->second_min)
        m.second_min = gained(s, s->second_min, first, last, sensor);
    return m;
}

// Adds the sensors to each exposure of the report.
static void mark_sensors(const struct bioheat *b, const struct series *s, cJSON *report)
{
    cJSON *exposure;
    int number = 0;
    cJSON_ArrayForEach(exposure, cJSON_GetObjectItem(report, "exposures"))
    {
        double times_s[3];
        bioheat_marks_times(b, number++, times_s);
        const size_t first = record_at(s, times_s[0], 1e-3 * b->step_s),
                     last = record_at(s, times_s[2], 1e-3 * b->step_s);
        cJSON_DeleteItemFromObject(exposure, "sensors");
        cJSON *sensors = cJSON_AddArrayToObject(exposure, "sensors");
        for (size_t sensor = 0; sensor < s->sensors; sensor++) {
            const struct bioheat_marked marked = mark_sensor(s, first, last, sensor);
            bioheat_marked_add(sensors, "sensor", b->params.sensors[sensor].name, &marked);
        }
    }
}

static void put_exposure(FILE *stream, const cJSON *exposure, const char *kind, const cJSON *item,
                         int columns)
{
    static const char *const times[] = {"begin_s", "train_end_s", "end_s"};
    const struct bioheat_marked m = bioheat_marked_read(item);
    const double values[] = {m.before_c, m.peak_c, m.after_c, m.dose_min, m.second_min};
    fprintf(stream, "%.0f", json_number(exposure, "number"));
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        fputc(',', stream);
        geo_csv_number(stream, json_number(exposure, times[k]));
    }
    fprintf(stream, ",%s,", kind);
    geo_csv_text(stream, json_text(item, kind));
    for (int k = 0; k < columns; k++) {
        fputc(',', stream);
        geo_csv_number(stream, values[k]);
    }
    fputs("\r\n", stream);
}

static void put_exposures(FILE *stream, const struct bioheat *b, const cJSON *report)
{
    const bool has_second = b->params.physics.second_dose != BIOHEAT_DOSE_OFF;
    const cJSON *exposure, *item;
    fprintf(stream,
            "exposure,begin_s,train_end_s,end_s,of,name,before_degC,peak_degC,after_degC,"
            "dose_gained_min%s\r\n",
            has_second ? ",second_dose_gained_min" : "");
    cJSON_ArrayForEach(exposure, json_member(report, "exposures"))
    {
        cJSON_ArrayForEach(item, json_member(exposure, "tissues"))
            put_exposure(stream, exposure, "tissue", item, has_second ? 5 : 4);
        cJSON_ArrayForEach(item, json_member(exposure, "sensors"))
            put_exposure(stream, exposure, "sensor", item, has_second ? 5 : 4);
    }
}

// ---- histograms

static void put_histogram(FILE *stream, const struct bioheat *b, int slot, enum histogram_kind kind,
                          const double *volumes_m3)
{
    static const char *const units[] = {"degC", "min", "min"};
    for (int k = 0; k < bioheat_histogram_thresholds(kind); k++) {
        geo_csv_text(stream, bioheat_tissue_name(b, b->tissues.labels[slot]));
        fprintf(stream, ",%s,", bioheat_histogram_name(kind));
        geo_csv_number(stream, b->volumes.thresholds[kind][k]);
        fprintf(stream, ",%s,", units[kind]);
        geo_csv_number(stream, volumes_m3[k]);
        fputs("\r\n", stream);
    }
}

// ---- the target

static void put_value(FILE *stream, const char *name, double value, const char *units)
{
    fprintf(stream, "%s,", name);
    geo_csv_number(stream, value);
    fprintf(stream, ",%s\r\n", units);
}

// A null stands for an infinite number.
static void put_target(FILE *stream, const cJSON *report)
{
    static const struct {
        const char *key, *name, *units;
    } rows[] = {{"x_m", "x", "m"},
                {"y_m", "y", "m"},
                {"z_m", "z", "m"},
                {"radius_m", "radius", "m"},
                {"largest_temperature_degC", "largest_temperature", "degC"},
                {"largest_dose_min", "largest_dose", "min"},
                {"largest_second_dose_min", "largest_second_dose", "min"},
                {"hottest_distance_m", "distance_of_the_hottest_cell", "m"}};
    const cJSON *target = json_member(report, "target");
    fputs("quantity,value,units\r\n", stream);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const cJSON *item = json_member(target, rows[k].key);
        if (item)
            put_value(stream, rows[k].name, cJSON_IsNull(item) ? (double)INFINITY : item->valuedouble,
                      rows[k].units);
    }
}

// Of histograms.nc: [tissue][threshold].
static enum status read_histograms(const struct bioheat *b, const char *directory,
                                   double *volumes_m3[HISTOGRAM_KINDS])
{
    char path[PATH_BYTES + 16];
    struct result_file *file;
    snprintf(path, sizeof path, "%s/histograms.nc", directory);
    CHECK(result_open(path, &file));
    enum status status = STATUS_OK;
    for (int kind = 0; kind < HISTOGRAM_KINDS && status == STATUS_OK; kind++) {
        const char *name = bioheat_histogram_name((enum histogram_kind)kind);
        const size_t expected =
            (size_t)b->tissues.count * (size_t)bioheat_histogram_thresholds((enum histogram_kind)kind);
        size_t length = 0;
        if (!b->volumes.cells[kind])
            continue;
        status = result_read_all(file, name, &volumes_m3[kind], &length);
        if (status == STATUS_OK && length != expected)
            status = FAIL(STATUS_DATA, "%s: %s has %zu values, expected %zu", path, name, length, expected);
    }
    result_close(file);
    return status;
}

static enum status put_histograms(FILE *stream, const struct bioheat *b, const char *directory)
{
    double *volumes_m3[HISTOGRAM_KINDS] = {NULL};
    const enum status status = read_histograms(b, directory, volumes_m3);
    fputs("tissue,quantity,at_least,units,volume_m3\r\n", stream);
    for (int slot = 0; slot < b->tissues.count && status == STATUS_OK; slot++)
        for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
            if (volumes_m3[kind])
                put_histogram(stream, b, slot, (enum histogram_kind)kind,
                              volumes_m3[kind] +
                                  slot * bioheat_histogram_thresholds((enum histogram_kind)kind));
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        free(volumes_m3[kind]);
    return status;
}

struct results {
    const char *directory;
    struct series series;
    cJSON *report; // run.json
};

static enum status write_product(const struct bioheat *b, enum product product, const struct results *results,
                                 cJSON *names)
{
    char path[PATH_BYTES + 32];
    struct whole_file file;
    enum status status = STATUS_OK;
    snprintf(path, sizeof path, "%s/%s", results->directory, product_names[product]);
    CHECK(whole_file_begin(&file, path));
    if (product == PRODUCT_SENSORS)
        put_sensors(file.stream, b, &results->series);
    else if (product == PRODUCT_EXPOSURES)
        put_exposures(file.stream, b, results->report);
    else if (product == PRODUCT_TARGET)
        put_target(file.stream, results->report);
    else
        status = put_histograms(file.stream, b, results->directory);
    CHECK(whole_file_end(&file, status));
    cJSON_AddItemToArray(names, cJSON_CreateString(product_names[product]));
    return STATUS_OK;
}

enum status bioheat_products_write(const struct bioheat *b, const char *directory, cJSON *report,
                                   cJSON *names)
{
    struct results results = {.directory = directory, .report = report};
    enum status status = STATUS_OK;
    if (b->params.sensor_count > 0 && (b->params.has_csv || b->marks.exposures > 0)) {
        status = open_series(directory, b->params.sensor_count,
                             bioheat_second_dose_texts[b->params.physics.second_dose][0], &results.series);
        if (status == STATUS_OK)
            mark_sensors(b, &results.series, report);
    }
    for (int product = 0; product < PRODUCTS && status == STATUS_OK; product++)
        if (is_wanted(b, (enum product)product))
            status = write_product(b, (enum product)product, &results, names);
    close_series(&results.series);
    return status;
}
