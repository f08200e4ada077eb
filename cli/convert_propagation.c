// Results of a run in the form of NOAA's propagation database: see convert_propagation.h.
#include "cli/convert_propagation.h"

#include "cli/options.h"
#include "io/formats/propagation_file.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What one quantity goes through.
struct part {
    char path[PATH_BYTES];
    struct propagation_file *file;
    struct propagation_writer *writer;
};

// NAME, of NAME or NAME_ha.nc; and none of its files is the input.
static enum status take_stem(const struct convert_propagation *request, char stem[PATH_BYTES])
{
    const char *first = propagation_noaa_suffix(PROPAGATION_ETA);
    size_t length = strlen(request->output);
    if (length > strlen(first) && strcasecmp(request->output + length - strlen(first), first) == 0)
        length -= strlen(first);
    if (snprintf(stem, PATH_BYTES, "%.*s", (int)length, request->output) >= PATH_BYTES)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", request->output);
    return propagation_check_input(stem, request->path);
}

static enum status copy_records(struct part *part)
{
    const struct propagation_info *info = propagation_info(part->file);
    double *values = malloc(info->rows * info->columns * sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a record of %zu nodes", part->path,
                    info->rows * info->columns);
    enum status status = STATUS_OK;
    for (size_t t = 0; t < info->records && status == STATUS_OK; t++) {
        const struct propagation_block block = {
            .record = t, .records = 1, .rows = info->rows, .columns = info->columns};
        status = propagation_read(part->file, &block, values);
        if (status == STATUS_OK)
            status = propagation_append(part->writer, info->times_s[t], values);
    }
    free(values);
    return status;
}

static enum status convert_part(const struct convert_propagation *request, const char *stem, int quantity,
                                struct part *part)
{
    bool has;
    CHECK(propagation_has(request->path, (enum propagation_quantity)quantity, &has));
    if (!has && quantity != PROPAGATION_ETA)
        return STATUS_OK;
    CHECK(propagation_open(request->path, (enum propagation_quantity)quantity, &part->file));
    CHECK(propagation_noaa_path(stem, (enum propagation_quantity)quantity, part->path));
    const struct propagation_info *info = propagation_info(part->file);
    const struct propagation_write write = {.stem = stem,
                                            .quantity = (enum propagation_quantity)quantity,
                                            .rows = info->rows,
                                            .columns = info->columns,
                                            .latitudes = info->latitudes,
                                            .longitudes = info->longitudes,
                                            .title = "wave of a tsunami source",
                                            .history = request->history,
                                            .source = "Fathom " FATHOM_VERSION};
    CHECK(propagation_create(&write, &part->writer));
    return copy_records(part);
}

static enum status print_parts(const struct convert_propagation *request, const struct part *parts)
{
    const struct propagation_info *info = propagation_info(parts[PROPAGATION_ETA].file);
    cJSON *report = cJSON_CreateObject(), *files = cJSON_AddArrayToObject(report, "outputs");
    cJSON_AddStringToObject(report, "input", request->path);
    cJSON_AddNumberToObject(report, "records", (double)info->records);
    cJSON_AddNumberToObject(report, "nx", (double)info->columns);
    cJSON_AddNumberToObject(report, "ny", (double)info->rows);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        if (!parts[q].file)
            continue;
        cJSON_AddItemToArray(files, cJSON_CreateString(parts[q].path));
        if (!request->as_json)
            printf("%s: %s, %zu records of %zu × %zu nodes\n", parts[q].path,
                   propagation_noaa_name((enum propagation_quantity)q), info->records, info->columns,
                   info->rows);
    }
    if (request->as_json)
        return options_print_json(report);
    cJSON_Delete(report);
    return STATUS_OK;
}

static enum status convert_parts(const struct convert_propagation *request, struct part *parts)
{
    char stem[PATH_BYTES];
    struct propagation_writer *writers[PROPAGATION_QUANTITIES];
    CHECK(take_stem(request, stem));
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        CHECK(convert_part(request, stem, q, &parts[q]));
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        writers[q] = parts[q].writer;
        parts[q].writer = NULL;
    }
    CHECK(propagation_finish(writers));
    return print_parts(request, parts);
}

enum status convert_propagation(const struct convert_propagation *request)
{
    struct part *parts = calloc(PROPAGATION_QUANTITIES, sizeof *parts);
    if (!parts)
        return FAIL(STATUS_SYSTEM, "%s: no memory to convert it", request->path);
    const enum status status = convert_parts(request, parts);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        propagation_abandon(parts[q].writer);
        propagation_close(parts[q].file);
    }
    free(parts);
    return status;
}
