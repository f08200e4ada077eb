// A run whose results are complete (see the header).
#include "cli/run_finished.h"

#include "cli/run_products.h"
#include "cli/run_report.h"
#include "core/log.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/output/log_file.h"
#include "report/drawn.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- what is removed

// Whether the job reads the file `name`, or with a stem one of the files that begin with it, in the folder of
// its own results: it may continue an earlier run.
static bool is_input(const struct session *s, const char *name, size_t stem)
{
    char folder[PATH_MAX], input[PATH_MAX];
    if (!realpath(s->directory, folder))
        return false;
    for (int k = 0; k < s->plan.input_count; k++) {
        char *slash = realpath(s->plan.input_files[k], input) ? strrchr(input, '/') : NULL;
        if (!slash)
            continue;
        *slash = '\0';
        if (strcmp(input, folder) == 0 &&
            (stem > 0 ? strncmp(slash + 1, name, stem) : strcmp(slash + 1, name)) == 0)
            return true;
    }
    return false;
}

static bool is_written(const struct session *s, const char *file)
{
    const size_t length = strlen(file);
    for (int k = 0; k < s->plan.stream_count; k++) {
        const struct stream *stream = s->plan.streams[k];
        if (!stream->is_internal && strlen(stream->name) + 3 == length &&
            strncmp(stream->name, file, length - 3) == 0)
            return true;
    }
    return false;
}

// A plain file of that name, which is what a run writes; anything else is left alone. One that a final file
// replaces is not removed: after a kill it may be the final file already.
static bool add_plain(const struct session *s, const char *name, cJSON *names)
{
    char path[PATH_BYTES + 256], final[PATH_BYTES], replacing[PATH_BYTES + 256];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    if (output_final_directory(s->directory, final) != STATUS_OK)
        return false; // longer than the paths of any run that got here
    snprintf(replacing, sizeof replacing, "%s/%s", final, name);
    if (access(replacing, F_OK) == 0)
        return false;
    cJSON_AddItemToArray(names, cJSON_CreateString(name));
    return true;
}

enum { NAME_BYTES_MAX = 200 };

static const char *name_of(const cJSON *item)
{
    const char *name = cJSON_IsString(item) ? item->valuestring : "";
    return strchr(name, '/') || strlen(name) > NAME_BYTES_MAX ? "" : name;
}

// NAME.nc, or its segments NAME.0000.nc, NAME.0001.nc, ...
static void add_result(const struct session *s, const char *name, cJSON *names)
{
    char segment[NAME_BYTES_MAX + 32];
    const int length = (int)strlen(name) - 3;
    if (length < 1 || strcmp(name + length, ".nc") != 0 || is_written(s, name) ||
        is_input(s, name, (size_t)length + 1))
        return;
    bool is_there = add_plain(s, name, names), is_segment = !is_there;
    for (int number = 0; is_segment; number++) {
        snprintf(segment, sizeof segment, "%.*s.%04d.nc", length, name, number);
        is_segment = add_plain(s, segment, names);
        is_there |= is_segment;
    }
    if (is_there)
        log_info("%s/%s, of an earlier run, is removed: this run does not write it", s->directory, name);
}

// With what a killed run left of it.
static void add_product(const struct session *s, const char *name, cJSON *names)
{
    char part[NAME_BYTES_MAX + 8];
    if (!name[0] || is_input(s, name, 0))
        return;
    snprintf(part, sizeof part, "%s.part", name);
    (void)add_plain(s, name, names);
    (void)add_plain(s, part, names);
}

static void add_results(const struct session *s, const cJSON *list, cJSON *names)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        add_result(s, name_of(item), names);
    }
}

static void add_products(const struct session *s, const cJSON *list, cJSON *names)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        add_product(s, name_of(item), names);
    }
}

enum status run_finished_list_removed(const struct session *s, cJSON *names)
{
    cJSON *report = output_finished_read(s->directory);
    const bool is_run = report && strncmp(json_text(report, "program"), "Fathom ", 7) == 0;
    if (is_run) {
        add_products(s, json_member(report, "products"), names);
        add_products(s, json_member(json_member(report, output_finished_pending), "files"), names);
    }
    if (is_run && json_text(report, "run_id")[0])
        add_results(s, json_member(report, "files"), names);
    cJSON_Delete(report);
    return output_list_stale(&s->output, names);
}

// ---- the names

enum status run_finished_publish(const char *directory)
{
    if (report_drawn_remove(directory) != STATUS_OK) { // it shows results that are about to go
        log_warning("%s", status_message());
        status_clear();
    }
    CHECK(output_log_settle(directory));
    return output_publish(directory);
}

// ---- the end of a run that was killed

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
