// The names of a run's files: segments, static streams, checkpoints. Internal to io/output/.
#include "io/output/state.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status output_join_path(char path[PATH_BYTES], const char *directory, const char *name,
                             const char *suffix)
{
    if ((size_t)snprintf(path, PATH_BYTES, "%s/%s%s", directory, name, suffix) >= PATH_BYTES - 16)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long (at most %d bytes)", directory,
                    PATH_BYTES - 16);
    return STATUS_OK;
}

enum status output_segment_path(const struct output *output, int s, int64_t segment, char path[PATH_BYTES])
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, ".%04lld.nc", (long long)segment);
    return output_join_path(path, output->partial, output->streams[s].stream->name, suffix);
}

enum status output_remove(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return FAIL(STATUS_IO, "%s: cannot be removed: %s", path, strerror(errno));
    return STATUS_OK;
}

enum status output_each_entry(const char *directory,
                              enum status (*act)(const void *context, const char *path, const char *file),
                              const void *context)
{
    DIR *entries = opendir(directory);
    if (!entries && errno == ENOENT)
        return STATUS_OK;
    if (!entries)
        return FAIL(STATUS_IO, "%s: cannot list the directory: %s", directory, strerror(errno));
    enum status status = STATUS_OK;
    for (const struct dirent *entry; status == STATUS_OK && (entry = readdir(entries));) {
        char path[PATH_BYTES];
        if (entry->d_name[0] == '.')
            continue;
        status = output_join_path(path, directory, entry->d_name, "");
        if (status == STATUS_OK)
            status = act(context, path, entry->d_name);
    }
    closedir(entries);
    return status;
}

struct removal {
    bool (*wanted)(const void *context, const char *file);
    const void *context;
};

static enum status remove_wanted(const void *context, const char *path, const char *file)
{
    const struct removal *removal = context;
    return removal->wanted(removal->context, file) ? output_remove(path) : STATUS_OK;
}

enum status output_remove_entries(const char *directory,
                                  bool (*wanted)(const void *context, const char *file), const void *context)
{
    return output_each_entry(directory, remove_wanted, &(struct removal){wanted, context});
}

bool output_has_entry(const char *directory, bool (*wanted)(const void *context, const char *file))
{
    DIR *entries = opendir(directory);
    bool has_one = false;
    for (const struct dirent *entry; !has_one && entries && (entry = readdir(entries));)
        has_one = entry->d_name[0] != '.' && wanted(NULL, entry->d_name);
    if (entries)
        closedir(entries);
    return has_one;
}

bool output_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

enum status output_check_partial(const char *partial)
{
    struct stat about;
    if (lstat(partial, &about) == 0 && S_ISLNK(about.st_mode))
        return FAIL(
            STATUS_CANNOT_CREATE,
            "%s: is a symbolic link to a folder in which files would be removed and written; remove it",
            partial);
    return STATUS_OK;
}

// The number in "NAME.NNNN.nc", or −1 if the file is called otherwise.
int64_t output_number_in(const char *file, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '.' || !isdigit((unsigned char)file[length + 1]))
        return -1;
    char *end;
    errno = 0;
    long long number = strtoll(file + length + 1, &end, 10);
    return errno == 0 && strcmp(end, ".nc") == 0 ? number : -1;
}

// The least number of a segment that is in partial/ and not below `from`; −1: none.
static int64_t next_in_folder(const struct output *output, int s, int64_t from)
{
    DIR *folder = opendir(output->partial);
    if (!folder) // the count of records shows what is missing
        return -1;
    int64_t next = -1;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const int64_t number = output_number_in(entry->d_name, output->streams[s].stream->name);
        if (number >= from && number <= output->segment && (next < 0 || number < next))
            next = number;
    }
    closedir(folder);
    return next;
}

bool output_segment_next(const struct output *output, int s, int64_t *number, char path[PATH_BYTES])
{
    // Mostly they follow one another; where they do not, the gap may be as long as a damaged checkpoint
    // claims.
    for (int64_t next = *number + 1; next >= 0; next = next_in_folder(output, s, next + 1)) {
        if (output_segment_path(output, s, next, path) !=
            STATUS_OK) { // of the same length as those that were written
            status_clear();
            return false;
        }
        if (next <= output->segment && output_exists(path)) {
            *number = next;
            return true;
        }
    }
    return false;
}

static uint64_t folder_bytes(const char *directory, const char *name)
{
    char folder_path[PATH_BYTES], path[2 * PATH_BYTES];
    if (output_join_path(folder_path, directory, name, "") != STATUS_OK) {
        status_clear();
        return 0;
    }
    DIR *folder = opendir(folder_path);
    if (!folder)
        return 0;
    uint64_t bytes = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder_path, entry->d_name);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
            bytes += (uint64_t)about.st_size;
    }
    closedir(folder);
    return bytes;
}

uint64_t output_partial_bytes(const char *directory)
{
    return folder_bytes(directory, "partial") + folder_bytes(directory, output_final_name);
}
