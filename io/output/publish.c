// Publication: the final files get their names in the result directory, after a kill too (see
// io/output/output.h). Independent of what the files hold.
#include "io/job/record.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/output/state.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char output_final_name[] = "partial/final", output_report_name[] = "run.json";
const char output_removed[] = "removed";

enum status output_final_directory(const char *directory, char path[PATH_BYTES])
{
    return output_join_path(path, directory, output_final_name, "");
}

static enum status record_path(const char *directory, char path[PATH_BYTES])
{
    char final[PATH_BYTES];
    CHECK(output_final_directory(directory, final));
    return output_join_path(path, final, output_report_name, "");
}

// ---- what would look like files of the streams

struct streams {
    const struct output_request *request;
    const char *final; // the folder of the final files
    cJSON *names;
};

static bool is_stale(const void *context, const char *file)
{
    const struct streams *streams = context;
    char path[PATH_BYTES];
    for (int s = 0; s < streams->request->stream_count; s++) {
        const struct stream *stream = streams->request->streams[s];
        const size_t length = strlen(stream->name);
        const bool is_whole = strncmp(file, stream->name, length) == 0 && strcmp(file + length, ".nc") == 0;
        if (stream->is_internal || (!is_whole && output_number_in(file, stream->name) < 0))
            continue;
        if (output_join_path(path, streams->final, file, "") == STATUS_OK)
            return !output_exists(path);
        status_clear(); // a longer name than any final file has
        return true;
    }
    return false;
}

static enum status add_stale(const void *context, const char *path, const char *file)
{
    (void)path;
    const struct streams *streams = context;
    if (is_stale(context, file))
        cJSON_AddItemToArray(streams->names, cJSON_CreateString(file));
    return STATUS_OK;
}

enum status output_list_stale(const struct output_request *request, cJSON *names)
{
    char final[PATH_BYTES];
    CHECK(output_final_directory(request->directory, final));
    return output_each_entry(request->directory, add_stale, &(struct streams){request, final, names});
}

// ---- the names

static enum status give_name(const char *from, const char *directory, const char *file)
{
    char to[PATH_BYTES];
    CHECK(output_join_path(to, directory, file, ""));
    if (rename(from, to) != 0)
        return FAIL(STATUS_IO, "%s cannot be renamed to %s: %s", from, to, strerror(errno));
    return output_remove(from); // rename leaves both names of one file: of a run that was killed and resumed
}

static bool is_result(const void *context, const char *file)
{
    (void)context;
    return path_ends_with(file, ".nc");
}

static enum status move_result(const void *context, const char *path, const char *file)
{
    return is_result(NULL, file) ? give_name(path, context, file) : STATUS_OK;
}

// Again until none is left: a folder that files leave while it is read may not show all of them (NFS). One
// wait for all names.
static enum status move_results(const char *final, const char *directory)
{
    do
        CHECK(output_each_entry(final, move_result, directory));
    while (output_has_entry(final, is_result));
    return path_sync_directory(directory);
}

enum status output_move(const struct output *output)
{
    const struct streams streams = {&output->request, output->final, NULL};
    CHECK(output_remove_entries(output->directory, is_stale, &streams));
    return move_results(output->final, output->directory);
}

// A plain file, which is what a run writes; anything else is left alone.
static enum status remove_plain(const char *directory, const char *name)
{
    char path[PATH_BYTES];
    struct stat about;
    CHECK(output_join_path(path, directory, name, ""));
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode) || unlink(path) == 0)
        return STATUS_OK;
    return FAIL(STATUS_IO, "%s: of an earlier run; cannot be removed: %s", path, strerror(errno));
}

// Of a file in the folder: no longer one can be there (NAME_MAX), and no path leads out.
static bool is_name(const cJSON *item)
{
    return cJSON_IsString(item) && strlen(item->valuestring) <= NAME_MAX && !strchr(item->valuestring, '/');
}

// After the report of the results that are about to be replaced.
static enum status remove_earlier(const char *directory, const cJSON *names)
{
    const cJSON *name;
    char report[PATH_BYTES];
    CHECK(output_join_path(report, directory, output_report_name, ""));
    if (!cJSON_IsArray(names))
        names = NULL;
    if (cJSON_GetArraySize(names) == 0 && !output_exists(report))
        return STATUS_OK;
    CHECK(output_remove(report));
    cJSON_ArrayForEach(name, names)
    {
        if (is_name(name))
            CHECK(remove_plain(directory, name->valuestring));
    }
    return path_sync_directory(directory);
}

// A run that was taken for lost goes on beside the one that took over, where locks do not reach.
static enum status check_owner(const char *directory, const cJSON *record)
{
    char path[PATH_BYTES], id[JOB_RECORD_ID_BYTES];
    CHECK(output_record_path(directory, path));
    return job_record_read_id(path, id) && strcmp(id, json_text(record, "run_id")) == 0
               ? STATUS_OK
               : FAIL(STATUS_CANNOT_CREATE,
                      "%s: another run has taken over this folder, so these results get no names there",
                      directory);
}

enum status output_publish(const char *directory)
{
    char final[PATH_BYTES], path[PATH_BYTES];
    cJSON *record;
    CHECK(output_final_directory(directory, final));
    CHECK(output_check_partial(final)); // of a link to elsewhere the files are others'
    CHECK(record_path(directory, path));
    CHECK(json_file_read(path, OUTPUT_REPORT_BYTES_MAX, &record));
    enum status status = check_owner(directory, record);
    if (status == STATUS_OK)
        status = remove_earlier(directory, json_member(record, output_removed));
    cJSON_Delete(record);
    CHECK(status);
    CHECK(move_results(final, directory));
    CHECK(give_name(path, directory, output_report_name));
    return path_sync_directory(directory);
}

// ---- a publication that is under way

bool output_is_publishing(const char *directory)
{
    char path[PATH_BYTES];
    if (record_path(directory, path) == STATUS_OK)
        return output_exists(path);
    status_clear(); // a longer path than any run has
    return false;
}

enum status output_check_published(const char *path)
{
    char directory[PATH_BYTES];
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        snprintf(directory, sizeof directory, "%s", path);
    } else if (path_parent(path, directory) != STATUS_OK) {
        status_clear(); // opening it says what is wrong
        return STATUS_OK;
    }
    return output_is_publishing(directory)
               ? FAIL(
                     STATUS_NO_INPUT,
                     "%s: its run was ended while its results got their names, so that files of two runs may "
                     "lie here: %s finishes it in a moment",
                     directory, output_continue_words(directory))
               : STATUS_OK;
}

// ---- the folder of the final files

static bool is_record(const void *context, const char *file)
{
    (void)context;
    return strcmp(file, output_report_name) == 0 || strcmp(file, "run.json.part") == 0;
}

// The record first: it states that all final files are there.
enum status output_final_remove(const char *partial)
{
    char final[PATH_BYTES];
    CHECK(output_join_path(final, partial, strchr(output_final_name, '/') + 1, ""));
    CHECK(output_check_partial(final));
    CHECK(output_remove_entries(final, is_record, NULL));
    CHECK(output_remove_entries(final, is_result, NULL));
    (void)rmdir(final); // others may have files in it
    return STATUS_OK;
}
