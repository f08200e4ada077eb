// A run whose results are complete (see the header).
#include "cli/run_finished.h"

#include "cli/run_products.h"
#include "cli/run_report.h"
#include "core/log.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether the job reads NAME.nc, or a part of it, in the folder of its own results: it may continue an
// earlier run.
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
    cJSON *report = output_finished_read(s->directory);
    const bool is_run = report && strncmp(json_text(report, "program"), "Fathom ", 7) == 0 &&
                        json_text(report, "run_id")[0] != '\0';
    const cJSON *file, *files = is_run ? json_member(report, "files") : NULL;
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

bool run_finished_is_of(const struct output_finished *finished, const struct session *session,
                        uint64_t input_hash)
{
    return finished->job_hash == session->job_hash && finished->input_hash == input_hash;
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

// As it was judged.
static enum status verdict_of(const struct output_finished *finished)
{
    const enum status status = status_of(finished->exit_code);
    return status == STATUS_OK
               ? STATUS_OK
               : FAIL(status, "%s", finished->message[0] ? finished->message : status_text(status));
}

enum status run_finished_end(const struct output_finished *finished, struct session *session, bool print)
{
    const bool makes_products = finished->lacks_products && run_products_are_wanted(session);
    enum status verdict = verdict_of(finished);
    if (makes_products)
        CHECK(run_products_write(session, &verdict));
    CHECK(output_remove_partial(session->directory));
    if (print)
        CHECK(run_report_print(session));
    log_info("complete before: results in %s; %s", session->directory,
             makes_products ? "its products were made, nothing else was computed"
                            : "nothing was computed again");
    return verdict;
}
