// `fathom combine`: a forecast as the sum of unit sources times their slips. Uses
// models/tsunami/forecast/combine.h and the keys of run.json. Independent of file formats.
#include "models/tsunami/forecast/combine.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/log.h"
#include "core/status.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/units.h"
#include "report/drawn.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom combine --slips SLIPS DATABASE -o OUTPUT\n"
    "       fathom combine --list DATABASE\n"
    "\n"
    "Computes a tsunami forecast as a sum over unit sources: each unit source's wave times its slip. This\n"
    "takes seconds. It is valid where tsunamis are linear, in deep water, and not at the shore\n"
    "(docs/forecast.md).\n"
    "\n"
    "DATABASE is a folder of unit sources. A unit source is one of:\n"
    "  - a result folder of fathom run or fathom batch (fields.nc, gauges.nc, run.json). Its name is that\n"
    "    of its unit source (source.sift.slips with one name), else that of the folder;\n"
    "  - files of NOAA's propagation database: NAME_ha.nc, NAME_ua.nc, NAME_va.nc with HA, UA, VA. The\n"
    "    names ki_026_a and kisza26 mean the same source.\n"
    "All sources that are used must have the same grid and the same times. A run whose slip is not 1 m is\n"
    "scaled by the slip in its run.json.\n"
    "\n"
    "What is added:\n"
    "      --slips SLIPS       NAME=SLIP[,NAME=SLIP...] in metres, or a file as fathom invert writes it:\n"
    "                          {\"fathom_slips\": 1, \"slips\": {\"kisza26\": 26.3, \"kiszb26\": 21.3}}\n"
    "      --list              list the unit sources of DATABASE and add nothing\n"
    "\n"
    "Results:\n"
    "  -o, --output DIR        folder for fields.nc, maxima.nc (largest values of the records), gauges.nc\n"
    "                          (if all sources have the same gauges) and run.json; fathom report and\n"
    "                          fathom compare read them\n"
    "      --noaa PATH         write also PATH_ha.nc, PATH_ua.nc, PATH_va.nc, in NOAA's form: cm and\n"
    "                          cm/s, LON from 0 to 360, land -1e34\n"
    "      --gauges-only       add the gauges and leave the fields alone, which may be gigabytes: the "
    "forecast\n"
    "                          at all places with a gauge within seconds\n"
    "      --longitude A,B --latitude C,D\n"
    "                          the fields within this box alone, as \"140 degree,144 degree\": what a run "
    "of\n"
    "                          one harbour takes at its edges (source.edges.field), in a part of the time\n"
    "      --times A,B         the same of the time after the event, as \"1 h,9 h\"\n"
    "      --title TEXT        title of the files\n"
    "      --origin DATE       time of the event, as \"2011-03-11 05:46:24\": times count from it\n"
    "      --far-field DEPTH   correct the sources' gauges for what delays the waves on their way, as in\n"
    "                          fathom invert; default: the depth that the fit in the file SLIPS states.\n"
    "                          Fields and maxima are not corrected\n"
    "      --compress          shuffle and deflate level 1\n"
    "      --unrounded         fields of sources that are rounded (output.fields.resolution) in double\n"
    "                          precision; else they are rounded and compressed as the sources are, and the\n"
    "                          file states the largest error\n"
    "      --memory AMOUNT     memory limit, as \"2 GB\" (default: 512 MiB); the files may be larger\n"
    "      --json              print run.json, or with --list the list\n"
    "  -h, --help              print this text\n"
    "\n"
    "Examples:\n"
    "  fathom combine --list sift\n"
    "  fathom combine --slips kiszb25=12.23,kisza26=26.31,kiszb26=21.27,kisza27=22.75 sift -o forecast\n"
    "  fathom combine --slips inversion/slips.json sift -o forecast --origin \"2011-03-11 05:46:24\"\n"
    "  fathom report forecast\n"
    "\n"
    "Exit status: 0 done; 64 wrong command line; 65 unknown source, sources that do not fit together, or\n"
    "invalid data; 66 a file cannot be opened; 73 OUTPUT cannot be created; 74 reading or writing failed;\n"
    "78 the memory limit is too small.\n";

enum { RUN_JSON_BYTES_MAX = 64 << 20 };

static const char source_text[] = "Fathom " FATHOM_VERSION;
static const char default_title[] = "linear combination of tsunami unit sources";

struct command {
    struct combine_request request;
    const char *slips, *folder;
    bool is_listing, as_json;
    char history[2048], comment[1024];
};

// ---- the list

static cJSON *describe_source(const struct database_source *source)
{
    static const char *const forms[] = {[DATABASE_RESULT] = "result", [DATABASE_NOAA] = "noaa"};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", source->name);
    cJSON_AddStringToObject(item, "form", forms[source->form]);
    cJSON_AddStringToObject(item, "path", source->path);
    cJSON_AddNumberToObject(item, "run_with_slip_m", source->slip_m);
    return item;
}

static enum status list_sources(const struct command *command, const struct database *database)
{
    if (command->as_json) {
        cJSON *list = cJSON_CreateArray();
        for (size_t k = 0; k < database_count(database); k++)
            cJSON_AddItemToArray(list, describe_source(database_at(database, k)));
        return options_print_json(list);
    }
    printf("%-20s %10s  %s\n", "unit source", "slip (m)", "files");
    for (size_t k = 0; k < database_count(database); k++) {
        const struct database_source *source = database_at(database, k);
        char path[PATH_BYTES];
        const bool is_file =
            source->form == DATABASE_NOAA && database_fields_path(source, PROPAGATION_ETA, path);
        printf("%-20s %10.6g  %s\n", source->name, source->slip_m, is_file ? path : source->path);
    }
    return STATUS_OK;
}

// ---- run.json

static enum status add_input(cJSON *inputs, const char *path)
{
    uint64_t hash;
    char text[20];
    CHECK(path_hash(path, &hash));
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON *input = json_append_object(inputs);
    cJSON_AddStringToObject(input, "file", path);
    cJSON_AddStringToObject(input, "xxh3", text);
    return STATUS_OK;
}

// All files of sources that contributed to the sum.
static enum status add_inputs(cJSON *inputs, const struct combination *result,
                              const struct database_source *source)
{
    char path[PATH_BYTES], last[PATH_BYTES] = "";
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        if (!result->has[q] || !database_fields_path(source, (enum propagation_quantity)q, path) ||
            strcmp(path, last) == 0)
            continue;
        CHECK(add_input(inputs, path));
        snprintf(last, sizeof last, "%s", path);
    }
    if (result->stations > 0 && snprintf(path, sizeof path, "%s/gauges.nc", source->path) < PATH_BYTES)
        CHECK(add_input(inputs, path));
    return STATUS_OK;
}

static enum status add_file(const char *directory, const char *name, cJSON *files, cJSON *report)
{
    cJSON_AddItemToArray(files, cJSON_CreateString(name));
    return output_finished_add_small_sum(report, directory, name);
}

static enum status add_results(const char *directory, const struct combination *result, cJSON *report)
{
    cJSON *files = cJSON_AddArrayToObject(report, "files");
    if (result->records > 0)
        CHECK(add_file(directory, "fields.nc", files, report));
    if (result->has[PROPAGATION_ETA])
        CHECK(add_file(directory, "maxima.nc", files, report));
    if (result->stations > 0)
        CHECK(add_file(directory, "gauges.nc", files, report));
    if (result->records > 0) {
        cJSON *grid = cJSON_AddObjectToObject(report, "grid");
        cJSON_AddStringToObject(grid, "coordinates", "degrees");
        cJSON_AddNumberToObject(grid, "nx", (double)result->columns);
        cJSON_AddNumberToObject(grid, "ny", (double)result->rows);
        cJSON_AddNumberToObject(grid, "x_first", result->longitude[0]);
        cJSON_AddNumberToObject(grid, "x_last", result->longitude[1]);
        cJSON_AddNumberToObject(grid, "y_first", result->latitude[0]);
        cJSON_AddNumberToObject(grid, "y_last", result->latitude[1]);
    }
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        if (result->roundings[q] > 0) {
            char key[64];
            snprintf(key, sizeof key, "largest_rounding_error_%s_%s",
                     propagation_name((enum propagation_quantity)q), q == PROPAGATION_ETA ? "m" : "m_s");
            cJSON_AddNumberToObject(report, key, result->roundings[q]);
        }
    cJSON_AddNumberToObject(report, "records", (double)result->records);
    cJSON_AddNumberToObject(report, "duration_s", result->last_s);
    cJSON_AddNumberToObject(report, "largest_eta_m", result->largest_m); // null without
    cJSON_AddNumberToObject(report, "largest_eta_time_s", result->largest_time_s);
    cJSON_AddNumberToObject(report, "largest_eta_x", result->largest_longitude);
    cJSON_AddNumberToObject(report, "largest_eta_y", result->largest_latitude);
    cJSON *memory = cJSON_AddObjectToObject(report, "memory");
    cJSON_AddNumberToObject(memory, "planned_bytes", (double)result->planned_bytes);
    cJSON *warnings = cJSON_AddArrayToObject(report, "warnings");
    for (size_t k = 0; k < log_warning_kept(); k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(log_warning_text(k)));
    return STATUS_OK;
}

// The gauges of the first source's run, with the observations that its job named: for the report. A missing
// or invalid run.json is no failure.
static void add_gauges(cJSON *report, const struct database_source *source)
{
    char path[PATH_BYTES];
    cJSON *run = NULL;
    if (snprintf(path, sizeof path, "%s/run.json", source->path) < PATH_BYTES &&
        json_file_read(path, RUN_JSON_BYTES_MAX, &run) == STATUS_OK) {
        const cJSON *gauges = json_member(run, "gauges");
        if (cJSON_IsArray(gauges))
            cJSON_AddItemToObject(report, "gauges", cJSON_Duplicate(gauges, true));
    }
    cJSON_Delete(run);
    status_clear();
}

// The slips have the same keys as in a run's run.json, so that the sum can be used as a source itself.
static enum status describe(const struct command *command, const struct database *database,
                            const struct combination *result, cJSON *report)
{
    const struct slip_list *slips = command->request.slips;
    cJSON_AddStringToObject(report, "program", source_text);
    cJSON_AddStringToObject(report, "title", command->request.title);
    cJSON_AddStringToObject(report, "model", "tsunami");
    cJSON_AddStringToObject(report, "history", command->history);
    cJSON_AddStringToObject(report, "precision", result->is_double ? "double" : "single");
    cJSON *sift = cJSON_AddObjectToObject(cJSON_AddObjectToObject(report, "source"), "sift");
    cJSON *by_name = cJSON_AddObjectToObject(sift, "slips");
    cJSON *combined = cJSON_AddObjectToObject(report, "combination");
    cJSON_AddStringToObject(combined, "database", database_folder(database));
    cJSON_AddNumberToObject(combined, "far_field_depth_m", command->request.far_field_depth_m);
    cJSON *sources = cJSON_AddArrayToObject(combined, "sources"),
          *inputs = cJSON_AddArrayToObject(report, "inputs");
    for (size_t k = 0; k < slips->count; k++) {
        size_t index;
        CHECK(database_find(database, slips->slips[k].name, &index));
        const struct database_source *source = database_at(database, index);
        cJSON *item = describe_source(source);
        cJSON_AddNumberToObject(item, "slip_m", slips->slips[k].slip_m);
        cJSON_AddNumberToObject(item, "factor", slips->slips[k].slip_m / source->slip_m);
        cJSON_AddItemToArray(sources, item);
        cJSON_AddNumberToObject(by_name, source->name, slips->slips[k].slip_m);
        CHECK(add_inputs(inputs, result, source));
        if (k == 0 && result->stations > 0)
            add_gauges(report, source);
    }
    return add_results(command->request.directory, result, report);
}

static enum status record(const struct command *command, const struct database *database,
                          const struct combination *result)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/run.json", command->request.directory) >= (int)sizeof path)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", command->request.directory);
    CHECK(report_drawn_remove(command->request.directory));
    cJSON *report = cJSON_CreateObject();
    enum status status = describe(command, database, result, report);
    if (status == STATUS_OK)
        status = json_file_write(path, report);
    if (status == STATUS_OK && command->as_json)
        return options_print_json(report);
    cJSON_Delete(report);
    return status;
}

// ---- the work

static void print_result(const struct command *command, const struct combination *result)
{
    char memory[24];
    printf("%s: %zu unit source%s", command->request.directory, command->request.slips->count,
           command->request.slips->count == 1 ? "" : "s");
    if (result->records > 0)
        printf(", %zu records of %zu × %zu nodes", result->records, result->columns, result->rows);
    if (result->stations > 0)
        printf(", %zu gauges", result->stations);
    printf("; memory at most %s\n", units_format_bytes((double)result->planned_bytes, memory, sizeof memory));
    if (isfinite(result->largest_m))
        printf("largest elevation of the records: %.4g m at %.4f degrees east, %.4f north, %.0f s after the "
               "event\n",
               result->largest_m, result->largest_longitude, result->largest_latitude,
               result->largest_time_s);
    if (command->request.far_field_depth_m > 0)
        printf("gauges corrected for the far field over an ocean of %g m\n",
               command->request.far_field_depth_m);
    if (command->request.noaa)
        printf("NOAA's form: %s_ha.nc%s%s\n", command->request.noaa,
               result->has[PROPAGATION_U] ? ", _ua.nc" : "", result->has[PROPAGATION_V] ? ", _va.nc" : "");
}

static void note_comment(struct command *command, const struct slip_list *list)
{
    char *text = command->comment;
    size_t used = (size_t)snprintf(text, sizeof command->comment, "slips in m: ");
    for (size_t k = 0; k < list->count && used < sizeof command->comment; k++)
        used += (size_t)snprintf(text + used, sizeof command->comment - used, "%s%s %.9g", k > 0 ? ", " : "",
                                 list->slips[k].name, list->slips[k].slip_m);
    if (used >= sizeof command->comment)
        snprintf(text + sizeof command->comment - 5, 5, " ...");
    command->request.comment = text;
}

// What the fit of the slips did to the waves, beside the slips, and how the sum follows it.
static void follow_fit(struct command *command, const struct slip_list *list)
{
    struct combine_request *request = &command->request;
    if (!(request->far_field_depth_m > 0))
        request->far_field_depth_m = list->far_field_depth_m;
    if (list->has_shifts)
        log_warning("%s: its fit shifted stations in time (--shift); the sum has no shifts: they are those "
                    "stations' own (docs/forecast.md)",
                    command->slips);
    if (list->delay_s != 0 && !request->origin)
        log_warning("%s: its fit delayed all waves by %g s after the event; times of the sum count from the "
                    "rupture: give --origin, the event and that delay",
                    command->slips, list->delay_s);
}

static enum status combine_sources(struct command *command, struct database *database)
{
    struct slip_list list;
    struct combination result;
    CHECK(slips_take(command->slips, "--slips", &list));
    note_comment(command, &list);
    command->request.database = database;
    command->request.slips = &list;
    follow_fit(command, &list);
    enum status status = combine(&command->request, &result);
    if (status == STATUS_OK && result.partly_missing > 0)
        log_warning("at %zu nodes only some of the unit sources have water: the sum is missing there",
                    result.partly_missing);
    if (status == STATUS_OK && command->request.far_field_depth_m > 0 && result.records > 0)
        log_warning("the gauges are corrected for the far field over an ocean of %g m, fields and maxima are "
                    "not: their waves come sooner",
                    command->request.far_field_depth_m);
    if (status == STATUS_OK)
        status = record(command, database, &result);
    if (status == STATUS_OK && !command->as_json)
        print_result(command, &result);
    slips_free(&list);
    return status;
}

// ---- the command line

static enum status take_memory(void *context, const char *name, const char *value)
{
    return options_bytes(name, value, &((struct command *)context)->request.memory_bytes);
}

static enum status take_far_field(void *context, const char *name, const char *value)
{
    struct command *command = context;
    return options_far_field(name, value, &command->request.far_field_depth_m);
}

static enum status take_longitude(void *context, const char *name, const char *value)
{
    struct combine_request *request = &((struct command *)context)->request;
    request->has_longitudes = true;
    return options_pair(name, value, "degree", false, request->longitudes);
}

static enum status take_latitude(void *context, const char *name, const char *value)
{
    struct combine_request *request = &((struct command *)context)->request;
    request->has_latitudes = true;
    return options_pair(name, value, "degree", false, request->latitudes);
}

static enum status take_times(void *context, const char *name, const char *value)
{
    struct combine_request *request = &((struct command *)context)->request;
    request->has_times = true;
    return options_pair(name, value, "s", false, request->times_s);
}

static enum status check_command(const struct command *command, int words)
{
    if (words != 1)
        return FAIL(STATUS_USAGE,
                    "combine needs one DATABASE, a folder of unit sources; see fathom combine --help");
    if (command->is_listing && (command->slips || command->request.directory))
        return FAIL(STATUS_USAGE, "--list adds nothing: leave out --slips and --output");
    if (!command->is_listing && (!command->slips || !command->request.directory))
        return FAIL(STATUS_USAGE, "combine needs --slips and --output; see fathom combine --help");
    if (command->request.is_gauges_only && command->request.noaa)
        return FAIL(STATUS_USAGE, "--noaa writes fields, which --gauges-only leaves alone");
    if (command->request.is_gauges_only &&
        (command->request.has_longitudes || command->request.has_latitudes || command->request.has_times))
        return FAIL(STATUS_USAGE,
                    "--longitude, --latitude and --times choose a part of the fields, which --gauges-only "
                    "leaves alone");
    if (command->request.directory && !command->request.directory[0])
        return FAIL(STATUS_USAGE, "--output must not be empty");
    return STATUS_OK;
}

static enum status run_command(struct command *command)
{
    struct database *database;
    CHECK(database_open(command->folder, &database));
    const enum status status =
        command->is_listing ? list_sources(command, database) : combine_sources(command, database);
    database_close(database);
    return status;
}

int command_combine(int argc, char **argv)
{
    struct command command = {.request = {.title = default_title, .source = source_text}};
    struct combine_request *request = &command.request;
    const struct option_row rows[] = {{"slips", .text = &command.slips},
                                      {"list", .flag = &command.is_listing},
                                      {"output", 'o', .text = &request->directory},
                                      {"noaa", .text = &request->noaa},
                                      {"title", .text = &request->title},
                                      {"origin", .text = &request->origin},
                                      {"far-field", .take = take_far_field},
                                      {"longitude", .take = take_longitude},
                                      {"latitude", .take = take_latitude},
                                      {"times", .take = take_times},
                                      {"gauges-only", .flag = &request->is_gauges_only},
                                      {"compress", .flag = &request->compress},
                                      {"unrounded", .flag = &request->is_unrounded},
                                      {"memory", .take = take_memory},
                                      {"json", .flag = &command.as_json},
                                      {NULL}};
    int code;
    options_history(argc, argv, command.history, sizeof command.history);
    request->history = command.history;
    if (!options_read(argc, argv, help, rows, &command, &code))
        return code;
    enum status status = check_command(&command, argc - optind);
    if (status == STATUS_OK) {
        command.folder = argv[optind];
        status = run_command(&command);
    }
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
