// Description of a run (see the header): gathered as JSON, then printed as JSON or text.
#include "cli/info_run.h"

#include "cli/options.h"
#include "core/status.h"
#include "io/checkpoint.h"
#include "io/job/record.h"
#include "io/json_file.h"
#include "io/netcdf/result.h"
#include "io/output/finished.h"
#include "io/output/output.h"
#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUN_JSON_BYTES_MAX = 256 << 20, SEGMENTS_MAX = 10000, FILE_BYTES = PATH_BYTES + 300 };

static const char run_file[] = "run.json";

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_run_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, run_file) == 0;
}

bool info_run_is_for(const char *path)
{
    struct stat about;
    return is_folder(path) || (is_run_file(path) && stat(path, &about) == 0 && S_ISREG(about.st_mode));
}

// ---- gathering

static void copy(cJSON *about, const char *name, const cJSON *item)
{
    if (item)
        cJSON_AddItemToObject(about, name, cJSON_Duplicate(item, true));
}

// Bytes of a file in the folder; −1: missing.
static double bytes_of(const char *directory, const char *name)
{
    char path[FILE_BYTES];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) ? (double)about.st_size : -1;
}

static enum status add_variables(const char *directory, const char *name, cJSON *file)
{
    char path[FILE_BYTES];
    struct result_file *listing;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    CHECK(result_open(path, &listing));
    cJSON *variables = cJSON_AddArrayToObject(file, "variables");
    for (size_t k = 0; k < result_variable_count(listing); k++) {
        const struct result_variable *variable = result_variable_at(listing, k);
        const bool is_axis = variable->rank == 1 && strcmp(variable->name, variable->dimensions[0]) == 0;
        if (variable->name[0] == '\0' || is_axis)
            continue;
        cJSON *item = json_append_object(variables);
        cJSON_AddStringToObject(item, "name", variable->name);
        cJSON_AddStringToObject(item, "units", variable->units);
    }
    result_close(listing);
    return STATUS_OK;
}

// Adds a result: one file, or in segments NAME.0000.nc … that were not joined.
static enum status add_file(const char *directory, const char *name, cJSON *files)
{
    char segment[300], first[300] = "";
    const int stem = (int)strlen(name) - (int)strlen(".nc");
    double bytes = bytes_of(directory, name), segment_bytes = 0;
    int segments = 0;
    snprintf(first, sizeof first, "%s", name);
    for (int k = 0; bytes < 0 && stem > 0 && k < SEGMENTS_MAX; k++) {
        snprintf(segment, sizeof segment, "%.*s.%04d.nc", stem < 250 ? stem : 250, name, k);
        const double size = bytes_of(directory, segment);
        if (size < 0)
            continue; // a segment without records has no file
        if (segments++ == 0)
            snprintf(first, sizeof first, "%s", segment);
        segment_bytes += size;
    }
    cJSON *file = json_append_object(files);
    cJSON_AddStringToObject(file, "file", name);
    if (bytes < 0 && segments == 0) {
        cJSON_AddNullToObject(file, "bytes");
        return STATUS_OK;
    }
    cJSON_AddNumberToObject(file, "bytes", bytes < 0 ? segment_bytes : bytes);
    if (segments > 0)
        cJSON_AddNumberToObject(file, "parts", segments);
    return add_variables(directory, first, file);
}

// The last checkpoint of an unfinished run: its step and time.
static void add_checkpoint(const char *directory, cJSON *about)
{
    struct checkpoint_header header, last = {.step = -1};
    for (int k = 0; k < 2; k++) {
        char path[FILE_BYTES];
        struct stat file;
        snprintf(path, sizeof path, "%s/partial/checkpoint.%c", directory, 'a' + k);
        if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
            continue;
        if (checkpoint_verify(path, &header) != STATUS_OK)
            status_clear(); // the other one may be complete
        else if (header.step > last.step)
            last = header;
    }
    if (last.step < 0)
        return;
    cJSON *checkpoint = cJSON_AddObjectToObject(about, "checkpoint");
    cJSON_AddNumberToObject(checkpoint, "step", (double)last.step);
    cJSON_AddNumberToObject(checkpoint, "time", last.time_s);
}

// A run without run.json: from its record.
static enum status gather_unfinished(const char *directory, cJSON *about)
{
    char path[PATH_BYTES];
    cJSON *record = NULL;
    CHECK(output_record_path(directory, path));
    if (bytes_of(directory, "partial/job.json") >= 0)
        CHECK(json_file_read(path, RUN_JSON_BYTES_MAX, &record));
    const cJSON *job = json_member(record, "job");
    cJSON_AddStringToObject(about, "state", "not finished");
    copy(about, "title", json_member(job, "title"));
    copy(about, "model", json_member(job, "model"));
    cJSON_Delete(record);
    add_checkpoint(directory, about);
    return STATUS_OK;
}

// Whether partial/ holds another run than the finished one.
static bool has_later_run(const char *directory, const cJSON *run)
{
    char path[PATH_BYTES], id[JOB_RECORD_ID_BYTES];
    if (output_record_path(directory, path) != STATUS_OK) {
        status_clear();
        return false;
    }
    return job_record_read_id(path, id) && strcmp(id, json_text(run, "run_id")) != 0;
}

// Products that a kill left out: run.json lists them, made or awaited.
static void add_missing_products(const char *directory, const cJSON *run, cJSON *about)
{
    const cJSON *const lists[] = {json_member(run, "products"),
                                  json_member(json_member(run, output_finished_pending), "files")};
    cJSON *missing = cJSON_CreateArray();
    const cJSON *name;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        cJSON_ArrayForEach(name, lists[k])
        {
            if (cJSON_IsString(name) && bytes_of(directory, name->valuestring) < 0)
                cJSON_AddItemToArray(missing, cJSON_Duplicate(name, true));
        }
    if (cJSON_GetArraySize(missing) > 0)
        cJSON_AddItemToObject(about, "products_missing", missing);
    else
        cJSON_Delete(missing);
}

static enum status gather_finished(const char *directory, const cJSON *run, cJSON *about)
{
    static const char *const keys[] = {"title",     "model", "program", "job",    "history",  "backend",
                                       "precision", "steps", "step_s",  "checks", "findings", "warnings"};
    const cJSON *file;
    cJSON_AddStringToObject(about, "state", "finished");
    if (has_later_run(directory, run))
        cJSON_AddTrueToObject(about, "has_later_run");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        copy(about, keys[k], json_member(run, keys[k]));
    copy(about, "total_s", json_member(json_member(run, "timings"), "total_s"));
    add_missing_products(directory, run, about);
    cJSON *files = cJSON_AddArrayToObject(about, "files");
    cJSON_ArrayForEach(file, json_member(run, "files"))
    {
        if (cJSON_IsString(file))
            CHECK(add_file(directory, file->valuestring, files));
    }
    return STATUS_OK;
}

static enum status gather(const char *directory, cJSON *about)
{
    char path[FILE_BYTES];
    cJSON *run = NULL;
    cJSON_AddStringToObject(about, "directory", directory);
    snprintf(path, sizeof path, "%s/%s", directory, run_file);
    if (bytes_of(directory, run_file) < 0) {
        if (!output_partial_is_empty(directory))
            return gather_unfinished(directory, about);
        return bytes_of(directory, "journal.jsonl") >= 0
                   ? FAIL(STATUS_NO_INPUT,
                          "%s: the folder of a batch; give the folder of one of its runs, or see index.html",
                          directory)
                   : FAIL(STATUS_NO_INPUT,
                          "%s: holds no run: expected run.json, as fathom run writes it, or a grid or result "
                          "file",
                          directory);
    }
    CHECK(json_file_read(path, RUN_JSON_BYTES_MAX, &run));
    const enum status status =
        cJSON_IsString(json_member(run, "model")) || cJSON_IsArray(json_member(run, "files"))
            ? gather_finished(directory, run, about)
            : FAIL(STATUS_DATA, "%s: not a run's report: it has no \"model\"", path);
    cJSON_Delete(run);
    return status;
}

// ---- text

static void print_line(const char *label, const char *text)
{
    if (text[0] != '\0')
        printf("%-10s %s\n", label, UTF8_SHOWN(text));
}

static void print_state(const cJSON *about)
{
    char total[32];
    const cJSON *checkpoint = json_member(about, "checkpoint");
    const double total_s = json_number(about, "total_s"), steps = json_number(about, "steps");
    printf("%-10s %s", "state", UTF8_SHOWN(json_text(about, "state")));
    if (steps > 0)
        printf(", %.0f steps", steps);
    if (total_s > 0)
        printf(" in %s", units_format_duration(total_s, total, sizeof total));
    if (json_member(about, "has_later_run"))
        printf("; partial/ holds a later run that is not finished");
    if (strcmp(json_text(about, "state"), "finished") != 0 && checkpoint)
        printf(": it is running, or it was stopped; %s continues from its checkpoint",
               output_continue_words(json_text(about, "directory")));
    else if (strcmp(json_text(about, "state"), "finished") != 0)
        printf(": it is running, or it was stopped; it has no complete checkpoint");
    putchar('\n');
    if (checkpoint)
        printf("%-10s after step %.0f, at time %.9g\n", "checkpoint", json_number(checkpoint, "step"),
               json_number(checkpoint, "time"));
}

static void print_missing_products(const cJSON *about)
{
    const cJSON *name, *missing = json_member(about, "products_missing");
    if (!missing)
        return;
    printf("%-10s missing: ", "products");
    cJSON_ArrayForEach(name, missing)
        printf("%s%s", name == missing->child ? "" : ", ", UTF8_SHOWN(name->valuestring));
    printf("; %s makes them of these results\n", output_continue_words(json_text(about, "directory")));
}

static void print_finding(const cJSON *item, bool is_exceeded)
{
    printf("%-10s %s %s: %s\n", "finding", UTF8_SHOWN(json_text(item, "rule")),
           is_exceeded ? "EXCEEDED" : UTF8_SHOWN(json_text(item, "verdict")),
           UTF8_SHOWN(json_text(item, "message")));
}

// Those that are exceeded come first. Returns whether there is a rule of the model that the run did not pass.
static bool print_findings(const cJSON *findings)
{
    const cJSON *item;
    bool has_open = false;
    for (int pass = 0; pass < 2; pass++) {
        cJSON_ArrayForEach(item, findings)
        {
            const char *verdict = json_text(item, "verdict");
            const bool is_exceeded = strcmp(verdict, "exceeded") == 0;
            has_open |= strcmp(verdict, "passed") != 0 && !cJSON_IsTrue(json_member(item, "is_remark"));
            if (is_exceeded == (pass == 0))
                print_finding(item, is_exceeded);
        }
    }
    return has_open;
}

static void print_verdicts(const cJSON *about)
{
    const cJSON *item;
    const bool has_open = print_findings(json_member(about, "findings"));
    cJSON_ArrayForEach(item, json_member(about, "checks"))
    {
        const char *message = json_text(item, "message");
        const bool is_alone = has_open && strcmp(json_text(item, "verdict"), "passed") == 0;
        printf("%-10s %s%s%s%s\n", "check", is_alone ? "numerical check " : "",
               UTF8_SHOWN(json_text(item, "verdict")), message[0] ? ": " : "", UTF8_SHOWN(message));
    }
    cJSON_ArrayForEach(item, json_member(about, "warnings"))
    {
        if (cJSON_IsString(item))
            print_line("warning", item->valuestring);
    }
}

static void print_files(const cJSON *about)
{
    const char *label = "files";
    const cJSON *file, *variable;
    cJSON_ArrayForEach(file, json_member(about, "files"))
    {
        char size[32];
        const double bytes = json_number(file, "bytes"), segments = json_number(file, "parts");
        printf("%-10s %s, ", label, UTF8_SHOWN(json_text(file, "file")));
        if (isnan(bytes))
            printf("missing");
        else
            printf("%s", units_format_bytes(bytes, size, sizeof size));
        if (segments > 0)
            printf(" in %.0f segment%s", segments, segments == 1 ? "" : "s");
        const char *mark = ": ";
        cJSON_ArrayForEach(variable, json_member(file, "variables"))
        {
            const char *units = json_text(variable, "units");
            printf("%s%s%s%s%s", mark, UTF8_SHOWN(json_text(variable, "name")), units[0] ? " (" : "",
                   UTF8_SHOWN(units), units[0] ? ")" : "");
            mark = ", ";
        }
        putchar('\n');
        label = "";
    }
}

static void print_text(const cJSON *about)
{
    char means[200];
    print_line("run", json_text(about, "directory"));
    print_line("title", json_text(about, "title"));
    print_line("model", json_text(about, "model"));
    print_state(about);
    print_verdicts(about);
    snprintf(means, sizeof means, "%s, %s back end, %s precision", json_text(about, "program"),
             json_text(about, "backend"), json_text(about, "precision"));
    print_line("computed", json_text(about, "backend")[0] ? means : "");
    print_line("job", json_text(about, "job"));
    print_line("started", json_text(about, "history"));
    print_files(about);
    print_missing_products(about);
}

enum status info_run(const char *path, bool as_json)
{
    char directory[PATH_BYTES];
    cJSON *about = cJSON_CreateObject();
    snprintf(directory, sizeof directory, "%s", path);
    char *slash = strrchr(directory, '/');
    if (!is_folder(path) && slash)
        slash[slash == directory] = '\0';
    else if (!is_folder(path))
        snprintf(directory, sizeof directory, ".");
    const enum status status = gather(directory, about);
    if (status == STATUS_OK && as_json)
        return options_print_json(about);
    if (status == STATUS_OK)
        print_text(about);
    cJSON_Delete(about);
    return status;
}
