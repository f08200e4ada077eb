// See read.h.
#include "report/timings/read.h"

#include "io/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// So that units can be changed, and gnuplot can make axes of all.
static const double number_least = 1e-30, number_most = 1e30;
enum { FILE_BYTES_MAX = 64 << 20, WHERE_BYTES = 64 };

static const struct timings_model models[] = {
    {"tsunami", "Tsunami", "nodes", "node_steps_per_s", "node-steps/s", 1, "grid", false},
    {"bioheat", "Heat in tissue", "cells", "cell_steps_per_s", "cell-steps/s", 1, NULL, false},
    {"nbody", "N bodies", "bodies", "interactions_per_s", "interactions/s", 1, NULL, false},
    {"gas", "Gas", "particles", "particle_steps_per_s", "particle-steps/s", 1, "system", false},
    {"ising", "Ising model", "side L (spins on a side)", "flips_per_ns", "flips/s", 1e9, NULL, true},
};
enum { MODELS = sizeof models / sizeof *models };

// ---- values

void timings_text_of(double value, const char *before, char text[96])
{
    snprintf(text, 96, fabs(value) >= 1e4 && fabs(value) < 1e7 ? "%.40s%.0f" : "%.40s%.4g", before, value);
}

void timings_append(char *text, size_t bytes, const char *joint, const char *word)
{
    const size_t used = strlen(text);
    if (word[0] != '\0')
        snprintf(text + used, bytes - used, "%s%s", used == 0 || text[used - 1] == ' ' ? "" : joint, word);
}

void timings_counted(const struct timings_file *file, const char *size, char text[CHART_TEXT_BYTES])
{
    if (file->model->is_square)
        snprintf(text, CHART_TEXT_BYTES, "L = %.80s", size);
    else
        snprintf(text, CHART_TEXT_BYTES, "%.80s %.80s", size, file->model->counted);
}

enum status timings_number(const struct timings_file *file, const char *where, const cJSON *object,
                           const char *key, bool is_needed, double *number)
{
    const cJSON *item = json_member(object, key);
    *number = NAN;
    if (!is_needed && (!item || cJSON_IsNull(item)))
        return STATUS_OK;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= number_least) || !(item->valuedouble <= number_most))
        return FAIL(STATUS_DATA, "%s: %s: %s: a number above 0 (from %g to %g) is expected", file->path,
                    where, key, number_least, number_most);
    *number = item->valuedouble;
    return STATUS_OK;
}

enum status timings_any_number(const struct timings_file *file, const char *where, const cJSON *object,
                               const char *key, double *number)
{
    const cJSON *item = json_member(object, key);
    *number = NAN;
    if (!item || cJSON_IsNull(item))
        return STATUS_OK;
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) <= number_most))
        return FAIL(STATUS_DATA, "%s: %s: %s: a number is expected, of at most %g", file->path, where, key,
                    number_most);
    *number = item->valuedouble;
    return STATUS_OK;
}

enum status timings_text(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, bool is_needed, const char **text)
{
    const cJSON *item = json_member(object, key);
    *text = "";
    if (!is_needed && !item)
        return STATUS_OK;
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return FAIL(STATUS_DATA, "%s: %s: %s: a text that is not empty is expected", file->path, where, key);
    *text = item->valuestring;
    return STATUS_OK;
}

enum status timings_flag(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, bool *flag)
{
    const cJSON *item = json_member(object, key);
    *flag = cJSON_IsTrue(item);
    return !item || cJSON_IsBool(item)
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: %s: %s: true or false is expected", file->path, where, key);
}

enum status timings_list(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, const cJSON **list)
{
    const cJSON *item;
    *list = json_member(object, key);
    bool is_good = cJSON_IsArray(*list) && cJSON_GetArraySize(*list) > 0;
    cJSON_ArrayForEach(item, *list) is_good = is_good && cJSON_IsObject(item);
    return is_good ? STATUS_OK
                   : FAIL(STATUS_DATA, "%s: %s%s%s: a list of objects that is not empty is expected",
                          file->path, where, where[0] ? ": " : "", key);
}

const cJSON *timings_any_list(const cJSON *object, const char *key)
{
    const cJSON *list = json_member(object, key);
    return cJSON_IsArray(list) ? list : NULL;
}

enum status timings_size(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, double *product, char text[CHART_TEXT_BYTES])
{
    const cJSON *list = timings_any_list(object, key), *item;
    const int count = cJSON_GetArraySize(list);
    size_t used = 0;
    bool is_good = count >= 1 && count <= 3;
    *product = 1;
    text[0] = '\0';
    cJSON_ArrayForEach(item, list)
    {
        const double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
        is_good = is_good && value >= 1 && value <= 1e15 && value == floor(value);
        *product *= value;
        if (is_good && used < CHART_TEXT_BYTES)
            used += (size_t)snprintf(text + used, CHART_TEXT_BYTES - used, "%s%.0f", used > 0 ? " × " : "",
                                     value);
    }
    return is_good ? STATUS_OK
                   : FAIL(STATUS_DATA, "%s: %s: %s: a list of one to three whole numbers is expected",
                          file->path, where, key);
}

enum status timings_block(const struct timings_file *file, const char *where, const cJSON *object,
                          const char *key, char text[CHART_TEXT_BYTES])
{
    static const char one[] = " × 1";
    double product;
    CHECK(timings_size(file, where, object, key, &product, text));
    for (size_t length;
         (length = strlen(text)) > strlen(one) && strcmp(text + length - strlen(one), one) == 0;)
        text[length - strlen(one)] = '\0';
    return STATUS_OK;
}

// ---- rows

// What tells the row's series from the others, but its precision, which becomes the line's dashes too.
static enum status read_names(const struct timings_file *file, const char *where, const cJSON *item,
                              struct timings_row *row)
{
    const char *precision, *spin;
    char more[CHART_TEXT_BYTES] = "";
    double copies;
    CHECK(timings_text(file, where, item, "backend", true, &row->backend));
    CHECK(timings_text(file, where, item, "method", true, &row->method));
    CHECK(timings_text(file, where, item, "precision", false, &precision));
    CHECK(timings_text(file, where, item, "spin", false, &spin));
    CHECK(timings_number(file, where, item, "copies", false, &copies));
    row->kind = "";
    if (file->model->kind_key)
        CHECK(timings_text(file, where, item, file->model->kind_key, false, &row->kind));
    row->is_double = strcmp(precision, "double") == 0;
    timings_append(row->base, sizeof row->base, ", ", row->backend);
    timings_append(row->base, sizeof row->base, ", ", row->method);
    if (spin[0] != '\0')
        snprintf(more, sizeof more, "%s", spin);
    timings_append(row->base, sizeof row->base, ", ", more);
    if (copies > 1) {
        snprintf(more, sizeof more, "%.0f copies", copies);
        timings_append(row->base, sizeof row->base, ", ", more);
        row->size = copies;
    }
    snprintf(row->name, sizeof row->name, "%s", row->base);
    timings_append(row->name, sizeof row->name, ", ", precision);
    return STATUS_OK;
}

static enum status read_row(const struct timings_file *file, const char *where, const cJSON *item,
                            struct timings_row *row)
{
    double product;
    *row = (struct timings_row){.size = 1};
    CHECK(read_names(file, where, item, row));
    CHECK(timings_size(file, where, item, "size", &product, row->size_text));
    if (file->model->is_square)
        snprintf(row->size_text, sizeof row->size_text, "%.0f", product);
    row->size = file->model->is_square ? product : row->size * product;
    CHECK(timings_number(file, where, item, "step_ms", true, &row->step_ms));
    CHECK(timings_number(file, where, item, file->model->rate_key, false, &row->rate));
    CHECK(timings_number(file, where, item, "gb_s", false, &row->gb_s));
    CHECK(timings_number(file, where, item, "flop_s", false, &row->flop_s));
    CHECK(timings_number(file, where, item, "of_arithmetic", false, &row->of_arithmetic));
    CHECK(timings_number(file, where, item, "threads", false, &row->threads));
    CHECK(timings_number(file, where, item, "speed_up", false, &row->speed_up));
    CHECK(timings_number(file, where, item, "efficiency", false, &row->efficiency));
    row->rate *= file->model->rate_scale;
    return timings_flag(file, where, item, "is_estimate", &row->is_estimate);
}

// A number for each back end, in the order of the rows.
static void number_backends(struct timings_file *file)
{
    int count = 0;
    for (size_t k = 0; k < file->row_count; k++) {
        size_t like = 0;
        while (strcmp(file->rows[like].backend, file->rows[k].backend) != 0)
            like++;
        file->rows[k].backend_number = like < k ? file->rows[like].backend_number : count++;
    }
}

static enum status read_rows(struct timings_file *file)
{
    const cJSON *list, *item;
    CHECK(timings_list(file, "", file->json, "rows", &list));
    file->rows = calloc((size_t)cJSON_GetArraySize(list), sizeof *file->rows);
    if (!file->rows)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for its rows", file->path);
    cJSON_ArrayForEach(item, list)
    {
        char where[WHERE_BYTES];
        snprintf(where, sizeof where, "rows[%zu]", file->row_count);
        CHECK(read_row(file, where, item, &file->rows[file->row_count++]));
    }
    number_backends(file);
    return STATUS_OK;
}

// ---- the file

static enum status find_model(struct timings_file *file)
{
    const char *name;
    char known[CHART_TEXT_BYTES] = "";
    CHECK(timings_text(file, "a report of fathom bench MODEL --json", file->json, "model", true, &name));
    for (size_t k = 0; k < MODELS && !file->model; k++)
        if (strcmp(models[k].name, name) == 0)
            file->model = &models[k];
    for (size_t k = 0; k < MODELS; k++)
        timings_append(known, sizeof known, ", ", models[k].name);
    return file->model ? STATUS_OK
                       : FAIL(STATUS_DATA, "%s: model: \"%.40s\" is not one of %s", file->path, name, known);
}

// A report of rungs has no rows; one of a benchmark that timed nothing has an empty list of them.
enum status timings_read(const char *path, struct timings_file *file)
{
    *file = (struct timings_file){.path = path};
    CHECK(json_file_read(path, FILE_BYTES_MAX, &file->json));
    if (!cJSON_IsObject(file->json))
        return FAIL(STATUS_DATA, "%s: an object is expected, as fathom bench MODEL --json writes it", path);
    CHECK(find_model(file));
    const cJSON *rows = json_member(file->json, "rows");
    const bool has_rungs = json_member(file->json, "tables") || json_member(file->json, "blocks") ||
                           json_member(file->json, "ladder");
    if (!rows && !has_rungs)
        return FAIL(STATUS_DATA,
                    "%s: it has neither rows nor tables nor blocks: a report of fathom bench MODEL --json is "
                    "expected",
                    path);
    const bool is_empty = cJSON_IsArray(rows) && cJSON_GetArraySize(rows) == 0;
    return (has_rungs && !rows) || is_empty ? STATUS_OK : read_rows(file);
}

void timings_free(struct timings_file *file)
{
    free(file->rows);
    cJSON_Delete(file->json);
    *file = (struct timings_file){0};
}
