// A finished run by its run.json (see the header).
#include "io/output/finished.h"

#include "io/job/record.h"
#include "io/json_file.h"
#include "io/output/output.h"
#include "io/path.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char output_finished_pending[] = "products_pending", output_finished_hashes[] = "file_xxh3";

// Sixteen hexadecimal digits; false for anything else.
static bool read_hash(const cJSON *object, const char *key, uint64_t *hash)
{
    char *end;
    const char *text = json_text(object, key);
    *hash = strtoull(text, &end, 16);
    return strlen(text) == 16 && *end == '\0';
}

static bool read_input_hash(const cJSON *report, uint64_t *hash)
{
    enum { INPUTS_MAX = 1024 };
    static uint64_t hashes[INPUTS_MAX];
    int count = 0;
    const cJSON *input;
    cJSON_ArrayForEach(input, json_member(report, "inputs"))
    {
        if (count == INPUTS_MAX || !read_hash(input, "xxh3", &hashes[count++]))
            return false;
    }
    *hash = job_record_input_hash(hashes, count);
    return true;
}

static bool read_verdict(const cJSON *report, struct output_finished *finished)
{
    const cJSON *pending = json_member(report, output_finished_pending);
    const cJSON *check =
        pending ? json_member(pending, "check") : cJSON_GetArrayItem(json_member(report, "checks"), 0);
    const cJSON *code = json_member(check, "exit_code");
    if (!cJSON_IsNumber(code) || !(code->valuedouble >= 0 && code->valuedouble <= 255))
        return false;
    finished->exit_code = (int)code->valuedouble;
    snprintf(finished->message, sizeof finished->message, "%s", json_text(check, "message"));
    return true;
}

// NAME.nc, or its first segment if the segments were not joined.
static bool has_result_in(const char *directory, const char *name)
{
    char path[PATH_BYTES];
    const int length = (int)strlen(name) - 3;
    if (length < 1 || strcmp(name + length, ".nc") != 0 || strchr(name, '/'))
        return false;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return false;
    if (access(path, F_OK) == 0)
        return true;
    return snprintf(path, sizeof path, "%s/%.*s.0000.nc", directory, length, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

// In the folder, or still without its name.
static bool has_result(const char *directory, const char *name)
{
    char final[PATH_BYTES];
    if (has_result_in(directory, name))
        return true;
    if (output_final_directory(directory, final) == STATUS_OK)
        return has_result_in(final, name);
    status_clear();
    return false;
}

static bool has_results(const cJSON *report, const char *directory)
{
    const cJSON *files = json_member(report, "files"), *file;
    if (!cJSON_IsArray(files))
        return false;
    cJSON_ArrayForEach(file, files)
    {
        if (!cJSON_IsString(file) || !has_result(directory, file->valuestring))
            return false;
    }
    return true;
}

// What lies in partial/ is this run's; or nothing does.
static bool is_last_run(const cJSON *report, const char *directory)
{
    char path[PATH_BYTES], id[JOB_RECORD_ID_BYTES];
    const char *own = json_text(report, "run_id");
    if (!own[0] || output_record_path(directory, path) != STATUS_OK) {
        status_clear();
        return false;
    }
    if (job_record_read_id(path, id))
        return strcmp(id, own) == 0;
    return output_partial_is_empty(directory) &&
           strcmp(json_text(report, "program"), "Fathom " FATHOM_VERSION) == 0;
}

// run.json of a folder; NULL if it is missing or cannot be read.
cJSON *output_finished_read(const char *directory)
{
    char path[PATH_BYTES];
    cJSON *report = NULL;
    if (snprintf(path, sizeof path, "%s/run.json", directory) >= (int)sizeof path || access(path, F_OK) != 0)
        return NULL;
    if (path_check_file(path) != STATUS_OK ||
        json_file_read(path, OUTPUT_REPORT_BYTES_MAX, &report) != STATUS_OK)
        status_clear(); // without it a resume needs a checkpoint
    return report;
}

// The report that is to get its name, else the one that has it.
static cJSON *read_latest(const char *directory, bool *is_unnamed)
{
    char final[PATH_BYTES];
    *is_unnamed = output_is_publishing(directory) && output_final_directory(directory, final) == STATUS_OK;
    return output_finished_read(*is_unnamed ? final : directory);
}

bool output_finished_find(const char *directory, struct output_finished *finished)
{
    *finished = (struct output_finished){0};
    cJSON *report = read_latest(directory, &finished->is_unnamed);
    const bool is_finished = report && read_hash(report, "job_xxh3", &finished->job_hash) &&
                             read_input_hash(report, &finished->input_hash) &&
                             read_verdict(report, finished) && has_results(report, directory) &&
                             is_last_run(report, directory);
    finished->lacks_products = is_finished && json_member(report, output_finished_pending);
    cJSON_Delete(report);
    return is_finished;
}

// ---- sums of files

// A file of at most 1 GiB: reading a larger one once more would take seconds.
static bool is_small(const char *directory, const char *name)
{
    static const off_t bytes_max = (off_t)1 << 30;
    char path[PATH_BYTES];
    struct stat about;
    return snprintf(path, sizeof path, "%s/%s", directory, name) < PATH_BYTES && stat(path, &about) == 0 &&
           S_ISREG(about.st_mode) && about.st_size <= bytes_max;
}

enum { SUM_BYTES = 17 };

static enum status sum_of(const char *directory, const char *name, char path[PATH_BYTES], char sum[SUM_BYTES])
{
    uint64_t hash;
    if (snprintf(path, PATH_BYTES, "%s/%s", directory, name) >= PATH_BYTES)
        return FAIL(STATUS_NO_INPUT, "%.80s...: the path is too long", directory);
    CHECK(path_hash(path, &hash));
    snprintf(sum, SUM_BYTES, "%016" PRIx64, hash);
    return STATUS_OK;
}

enum status output_finished_add_sum(cJSON *run, const char *directory, const char *name)
{
    char path[PATH_BYTES], sum[SUM_BYTES];
    CHECK(sum_of(directory, name, path, sum));
    cJSON *sums = cJSON_GetObjectItemCaseSensitive(run, output_finished_hashes);
    if (!sums)
        sums = cJSON_AddObjectToObject(run, output_finished_hashes);
    cJSON_AddStringToObject(sums, name, sum);
    return STATUS_OK;
}

enum status output_finished_add_small_sum(cJSON *run, const char *directory, const char *name)
{
    return is_small(directory, name) ? output_finished_add_sum(run, directory, name) : STATUS_OK;
}

enum status output_finished_check_file(const cJSON *run, const char *directory, const char *name,
                                       bool *has_sum)
{
    const char *stated = json_text(json_member(run, output_finished_hashes), name);
    char path[PATH_BYTES], found[SUM_BYTES];
    *has_sum = stated[0] != '\0';
    if (!*has_sum)
        return STATUS_OK;
    CHECK(sum_of(directory, name, path, found));
    return strcmp(stated, found) == 0 ? STATUS_OK
                                      : FAIL(STATUS_DATA,
                                             "%s: was damaged or changed after its run: its XXH3-64 is %s, "
                                             "that in run.json %.40s; run it again, "
                                             "or, if the change is meant, remove that number from run.json",
                                             path, found, stated);
}

static enum status check_listed(const cJSON *run, const char *directory)
{
    const cJSON *sum;
    cJSON_ArrayForEach(sum, json_member(run, output_finished_hashes))
    {
        const char *name = sum->string ? sum->string : "";
        bool has_sum;
        if (path_ends_with(name, ".nc") && !strchr(name, '/') && is_small(directory, name))
            CHECK(output_finished_check_file(run, directory, name, &has_sum));
    }
    return STATUS_OK;
}

enum status output_finished_check_results(const char *directory)
{
    cJSON *run = output_finished_read(directory);
    const enum status status = check_listed(run, directory);
    cJSON_Delete(run);
    return status;
}
