// Results of a run in the form of NOAA's propagation database: see convert_propagation.h.
#include "cli/convert_propagation.h"

#include "io/path.h"
#include "io/propagation_file.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What one quantity goes through.
struct part {
    char path[PATH_BYTES];
    struct propagation_file *file;
    struct propagation_writer *writer;
};

static enum status name_part(const struct convert_propagation *request, int quantity, char path[PATH_BYTES])
{
    struct stat from, to;
    const char *first = propagation_noaa_suffix(PROPAGATION_ETA);
    size_t length = strlen(request->output);
    if (length > strlen(first) && strcmp(request->output + length - strlen(first), first) == 0)
        length -= strlen(first);
    if (snprintf(path, PATH_BYTES, "%.*s%s", (int)length, request->output,
                 propagation_noaa_suffix((enum propagation_quantity)quantity)) >= PATH_BYTES)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", request->output);
    if (stat(request->path, &from) == 0 && stat(path, &to) == 0 && from.st_dev == to.st_dev &&
        from.st_ino == to.st_ino)
        return FAIL(STATUS_CANNOT_CREATE, "%s: is the input itself", path);
    return STATUS_OK;
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

static enum status convert_part(const struct convert_propagation *request, int quantity, struct part *part)
{
    bool has;
    CHECK(propagation_has(request->path, (enum propagation_quantity)quantity, &has));
    if (!has && quantity != PROPAGATION_ETA)
        return STATUS_OK;
    CHECK(propagation_open(request->path, (enum propagation_quantity)quantity, &part->file));
    CHECK(name_part(request, quantity, part->path));
    const struct propagation_info *info = propagation_info(part->file);
    const struct propagation_write write = {.path = part->path,
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
    char *text = request->as_json ? cJSON_Print(report) : NULL;
    cJSON_Delete(report);
    if (request->as_json && !text)
        return FAIL(STATUS_SYSTEM, "no memory for the result as JSON");
    if (text)
        puts(text);
    free(text);
    return STATUS_OK;
}

enum status convert_propagation(const struct convert_propagation *request)
{
    struct part *parts = calloc(PROPAGATION_QUANTITIES, sizeof *parts);
    if (!parts)
        return FAIL(STATUS_SYSTEM, "%s: no memory to convert it", request->path);
    enum status status = STATUS_OK;
    for (int q = 0; q < PROPAGATION_QUANTITIES && status == STATUS_OK; q++)
        status = convert_part(request, q, &parts[q]);
    for (int q = 0; q < PROPAGATION_QUANTITIES && status == STATUS_OK; q++) {
        struct propagation_writer *writer = parts[q].writer;
        parts[q].writer = NULL;
        if (writer)
            status = propagation_finish(writer);
    }
    if (status == STATUS_OK)
        status = print_parts(request, parts);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        propagation_abandon(parts[q].writer);
        propagation_close(parts[q].file);
    }
    free(parts);
    return status;
}
