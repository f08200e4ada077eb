// The folder of an unfinished run: which of its files are the run's, and what is removed of them, in which
// order. Independent of what the files hold.
#include "core/log.h"
#include "io/checkpoint_set.h"
#include "io/output/output.h"
#include "io/output/state.h"
#include "io/path.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char record_name[] = "job.json";

static bool is_ours(const char *file)
{
    return path_ends_with(file, ".nc") || strcmp(file, "checkpoint.a") == 0 ||
           strcmp(file, "checkpoint.b") == 0 || strcmp(file, "checkpoint.a.tmp") == 0 ||
           strcmp(file, "checkpoint.b.tmp") == 0 || checkpoint_set_segment(file) >= 0 ||
           strcmp(file, record_name) == 0 || strcmp(file, "job.json.part") == 0;
}

// What is removed first, second and last of an unfinished run, so that one that is killed meanwhile leaves no
// checkpoint without its segments, and the record of what the run was as long as there is anything else.
static bool want_checkpoint(const void *context, const char *file)
{
    (void)context;
    return is_ours(file) && strncmp(file, "checkpoint.", 11) == 0;
}

static bool want_result(const void *context, const char *file)
{
    (void)context;
    return is_ours(file) && strcmp(file, record_name) != 0;
}

static bool want_ours(const void *context, const char *file)
{
    (void)context;
    return is_ours(file);
}

// Nothing to remove is nothing to wait for.
static enum status remove_and_sync(const char *partial, bool (*wanted)(const void *context, const char *file))
{
    if (!output_has_entry(partial, wanted))
        return STATUS_OK;
    CHECK(output_remove_entries(partial, wanted, NULL));
    return path_sync_directory(partial);
}

enum status output_partial_empty(const char *partial)
{
    CHECK(remove_and_sync(partial, want_checkpoint));
    CHECK(output_final_remove(partial));
    CHECK(remove_and_sync(partial, want_result));
    return output_remove_entries(partial, want_ours, NULL);
}

// What the checkpoint does not need: later segments, and unfinished files.
static bool want_later(const void *context, const char *file)
{
    const struct output *output = context;
    if (checkpoint_set_segment(file) > output->checkpoint_segment)
        return true;
    if (path_ends_with(file, ".tmp") || path_ends_with(file, ".part"))
        return is_ours(file);
    for (int s = 0; s < output->request.stream_count; s++) {
        const char *name = output->streams[s].stream->name;
        size_t length = strlen(name);
        if (strncmp(file, name, length) == 0 && strcmp(file + length, ".static.tmp.nc") == 0)
            return true;
        if (output_number_in(file, name) >= output->checkpoint_segment)
            return true;
    }
    return false;
}

enum status output_partial_rewind(const struct output *output)
{
    CHECK(output_final_remove(output->partial));
    return output_remove_entries(output->partial, want_later, output);
}

enum status output_partial_remove(const char *partial)
{
    CHECK(output_check_partial(partial));
    if (!output_exists(partial))
        return STATUS_OK;
    CHECK(output_partial_empty(partial));
    if (rmdir(partial) != 0 && errno != ENOENT)
        log_warning("%s: not removed, because it holds files of others: %s", partial, strerror(errno));
    return STATUS_OK;
}

enum status output_record_path(const char *directory, char path[PATH_BYTES])
{
    char partial[PATH_BYTES];
    CHECK(output_join_path(partial, directory, "partial", ""));
    return output_join_path(path, partial, record_name, "");
}

enum status output_remove_partial(const char *directory)
{
    char partial[PATH_BYTES];
    CHECK(output_join_path(partial, directory, "partial", ""));
    return output_partial_remove(partial);
}

bool output_partial_is_empty(const char *directory)
{
    char partial[PATH_BYTES];
    if (output_join_path(partial, directory, "partial", "") != STATUS_OK) {
        status_clear();
        return false;
    }
    DIR *entries = opendir(partial);
    if (!entries)
        return errno == ENOENT;
    bool is_empty = true;
    for (const struct dirent *entry; is_empty && (entry = readdir(entries));)
        is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(entries);
    return is_empty;
}
