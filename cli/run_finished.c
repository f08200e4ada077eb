// A run whose results are complete (see the header).
#include "cli/run_finished.h"

#include "core/log.h"
#include "io/job_record.h"
#include "io/json_file.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPORT_BYTES_MAX = 256 << 20 };

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

// Sixteen hexadecimal digits; false for anything else.
static bool read_hash(const cJSON *object, const char *key, uint64_t *hash)
{
    char *end;
    const char *text = text_of(object, key);
    *hash = strtoull(text, &end, 16);
    return strlen(text) == 16 && *end == '\0';
}

static bool read_input_hash(const cJSON *report, uint64_t *hash)
{
    enum { INPUTS_MAX = 1024 };
    static uint64_t hashes[INPUTS_MAX];
    int count = 0;
    const cJSON *input;
    cJSON_ArrayForEach(input, cJSON_GetObjectItemCaseSensitive(report, "inputs"))
    {
        if (count == INPUTS_MAX || !read_hash(input, "xxh3", &hashes[count++]))
            return false;
    }
    *hash = job_record_input_hash(hashes, count);
    return true;
}

static bool read_verdict(const cJSON *report, struct run_finished *finished)
{
    const cJSON *check = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(report, "checks"), 0);
    const cJSON *code = cJSON_GetObjectItemCaseSensitive(check, "exit_code");
    if (!cJSON_IsNumber(code) || !(code->valuedouble >= 0 && code->valuedouble <= 255))
        return false;
    finished->exit_code = (int)code->valuedouble;
    snprintf(finished->message, sizeof finished->message, "%s", text_of(check, "message"));
    return true;
}

// NAME.nc, or its first part where the segments were not joined.
static bool has_result(const char *directory, const char *name)
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

static bool has_results(const cJSON *report, const char *directory)
{
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(report, "files"), *file;
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
    const char *own = text_of(report, "run_id");
    if (!own[0] || output_record_path(directory, path) != STATUS_OK) {
        status_clear();
        return false;
    }
    if (job_record_read_id(path, id))
        return strcmp(id, own) == 0;
    return output_partial_is_empty(directory) &&
           strcmp(text_of(report, "program"), "Fathom " FATHOM_VERSION) == 0;
}

// run.json of a folder; NULL if it is not there or cannot be read.
static cJSON *read_report(const char *directory)
{
    char path[PATH_BYTES];
    struct stat about;
    cJSON *report = NULL;
    if (snprintf(path, sizeof path, "%s/run.json", directory) >= (int)sizeof path ||
        stat(path, &about) != 0 || !S_ISREG(about.st_mode)) // a FIFO would be waited for
        return NULL;
    if (json_file_read(path, REPORT_BYTES_MAX, &report) != STATUS_OK)
        status_clear(); // without it a resume needs a checkpoint
    return report;
}

bool run_finished_find(const char *directory, struct run_finished *finished)
{
    *finished = (struct run_finished){0};
    cJSON *report = read_report(directory);
    const bool is_finished = report && read_hash(report, "job_xxh3", &finished->job_hash) &&
                             read_input_hash(report, &finished->input_hash) &&
                             read_verdict(report, finished) && has_results(report, directory) &&
                             is_last_run(report, directory);
    cJSON_Delete(report);
    return is_finished;
}

// Whether the job reads NAME.nc, or a part of it, in the folder of its own results: it may go on from what lies there.
static bool is_input(const struct session *s, const char *file)
{
    char folder[PATH_MAX], input[PATH_MAX];
    const size_t stem = strlen(file) - 2; // with its point
    if (!realpath(s->directory, folder))
        return false;
    for (int k = 0; k < s->plan.input_count; k++) {
        char *slash = realpath(s->plan.input_files[k], input) ? strrchr(input, '/') : NULL;
        if (!slash)
            continue;
        *slash = '\0';
        if (strcmp(input, folder) == 0 && strncmp(slash + 1, file, stem) == 0)
            return true;
    }
    return false;
}

void run_finished_list_files(const struct session *s, struct run_earlier *earlier)
{
    earlier->count = 0;
    cJSON *report = read_report(s->directory);
    const bool is_run = report && strncmp(text_of(report, "program"), "Fathom ", 7) == 0 &&
                        text_of(report, "run_id")[0] != '\0';
    const cJSON *file, *files = is_run ? cJSON_GetObjectItemCaseSensitive(report, "files") : NULL;
    cJSON_ArrayForEach(file, files)
    {
        const char *name = cJSON_IsString(file) ? file->valuestring : "";
        const size_t length = strlen(name);
        if (length < 4 || length >= sizeof earlier->names[0] || strcmp(name + length - 3, ".nc") != 0 ||
            strchr(name, '/') || earlier->count == RUN_STREAMS_MAX || is_input(s, name))
            continue;
        memcpy(earlier->names[earlier->count], name, length + 1);
        earlier->files[earlier->count] = earlier->names[earlier->count];
        earlier->count++;
    }
    cJSON_Delete(report);
}

bool run_finished_is_of(const struct run_finished *finished, const struct session *session,
                        uint64_t input_hash)
{
    return finished->job_hash == session->job_hash && finished->input_hash == input_hash;
}

static enum status print_report(const struct session *s)
{
    char path[PATH_BYTES + 16], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/run.json", s->directory);
    CHECK(text_file_read(path, REPORT_BYTES_MAX, &text, &length));
    fputs(text, stdout);
    free(text);
    return STATUS_OK;
}

static enum status status_of(int exit_code)
{
    static const enum status all[] = {
#define STATUS_VALUE(name, text, code) name,
        STATUS_LIST(STATUS_VALUE)
#undef STATUS_VALUE
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (status_exit_code(all[k]) == exit_code)
            return all[k];
    return STATUS_CHECK_FAILED;
}

enum status run_finished_end(const struct run_finished *finished, const struct session *session, bool print)
{
    CHECK(output_remove_partial(session->directory));
    if (print)
        CHECK(print_report(session));
    log_info("complete before: results in %s; nothing was computed again", session->directory);
    const enum status status = status_of(finished->exit_code);
    return status == STATUS_OK
               ? STATUS_OK
               : FAIL(status, "%s", finished->message[0] ? finished->message : status_text(status));
}
