// Finding input files, output directories, durable renames, free space and checksums. Independent of what is
// in a file.
#include "io/path.h"

#include "core/log.h"

#include "io/suggest.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#define XXH_STATIC_LINKING_ONLY // the hash's state on the stack: no allocation
#include <xxhash.h>

#if !defined FATHOM_SOURCE_DATA || !defined FATHOM_BUILD_DIRECTORY || !defined FATHOM_INSTALLED_DATA
#error "the build must define where the program's data, its build folder and its installed data are"
#endif

enum { HASH_BLOCK_BYTES = 1 << 16, SEARCHED_BYTES = 512 };

// Where Debian's package ferret-datasets lays ETOPO5, ETOPO20 and others.
static const char ferret_directory[] = "/usr/share/ferret-vis/data";

const char *path_error_text(int error)
{
    return error == ENOSPC ? "no space left on device" : strerror(error);
}

// ---- finding inputs

struct search {
    const char *name;
    char *found;                        // PATH_BYTES
    char searched[SEARCHED_BYTES];      // folders so far, for the message
    char similar[SUGGEST_WORD_MAX + 1]; // the nearest file name in them, "" if none is near
    int distance;
    bool is_found, is_for_similar; // a second search, after the first found nothing
};

// Joins directory (length bytes of it) and name. False if the result does not fit.
static bool join_path(const char *directory, size_t length, const char *name, char joined[PATH_BYTES])
{
    int written = length == 0 || (length == 1 && directory[0] == '.')
                      ? snprintf(joined, PATH_BYTES, "%s", name)
                      : snprintf(joined, PATH_BYTES, "%.*s%s%s", (int)length, directory,
                                 directory[length - 1] == '/' ? "" : "/", name);
    return written >= 0 && written < PATH_BYTES;
}

// The file is there: it must be a readable file, else the search ends here with an error, rather than
// silently taking another of the same name further down the list.
static enum status check_readable(const char *path, const struct stat *information)
{
    if (S_ISDIR(information->st_mode))
        return FAIL(STATUS_NO_INPUT, "%s is a folder; a file is expected", path);
    if (access(path, R_OK) != 0)
        return FAIL(STATUS_NO_INPUT, "%s cannot be read: %s", path, strerror(errno));
    return STATUS_OK;
}

// A file of nearly that name in the folder that was searched.
static void find_similar(struct search *search)
{
    char folder[PATH_BYTES];
    const char *slash = strrchr(search->found, '/'), *wanted = slash ? slash + 1 : search->found;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - search->found) + 1 : 1,
             slash ? search->found : ".");
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        const char *name = entry->d_name;
        const int distance = suggest_distance(wanted, name);
        if (!suggest_word(wanted, &name, 1) || (search->similar[0] && distance >= search->distance))
            continue;
        search->distance = distance;
        snprintf(search->similar, sizeof search->similar, "%s", name);
    }
    closedir(entries);
}

static enum status fail_not_found(const struct search *search)
{
    const char *slash = strrchr(search->name, '/');
    if (strcmp(search->similar, slash ? slash + 1 : search->name) == 0) // its entry is there
        return FAIL(STATUS_NO_INPUT, "%.200s is a symbolic link to a file that is not there", search->name);
    if (search->similar[0])
        return FAIL(STATUS_NO_INPUT, "%.200s was not found in %s (did you mean %.*s%s?)", search->name,
                    search->searched, slash ? (int)(slash - search->name) + 1 : 0, search->name,
                    search->similar);
    if (fnmatch("*etopo*.cdf", search->name, FNM_CASEFOLD) == 0 && access(ferret_directory, F_OK) != 0)
        return FAIL(STATUS_NO_INPUT,
                    "%.200s was not found in %s; install the Debian package ferret-datasets, which holds "
                    "ETOPO5 and ETOPO20",
                    search->name, search->searched);
    return FAIL(STATUS_NO_INPUT, "%.200s was not found in %s%s", search->name, search->searched,
                getenv("FATHOM_DATA") ? ""
                                      : " (the environment variable FATHOM_DATA can name further folders)");
}

static enum status search_in(struct search *search, const char *directory, size_t length)
{
    if (search->is_found)
        return STATUS_OK;
    if (!join_path(directory, length, search->name, search->found))
        return FAIL(STATUS_NO_INPUT, "%.80s...: the path is longer than %d bytes", search->name,
                    PATH_BYTES - 1);
    size_t used = strlen(search->searched);
    if (!search->is_for_similar)
        snprintf(search->searched + used, sizeof search->searched - used, "%s%.*s", used > 0 ? ", " : "",
                 (int)length, directory);
    struct stat information;
    if (stat(search->found, &information) == 0) {
        search->is_found = true;
        return check_readable(search->found, &information);
    }
    if (errno != ENOENT && errno != ENOTDIR)
        return FAIL(STATUS_NO_INPUT, "%s cannot be read: %s", search->found, strerror(errno));
    if (search->is_for_similar)
        find_similar(search);
    return STATUS_OK;
}

// Each folder of a colon-separated list; empty entries are skipped.
static enum status search_list(struct search *search, const char *list)
{
    for (const char *start = list; *start != '\0';) {
        size_t length = strcspn(start, ":");
        if (length > 0)
            CHECK(search_in(search, start, length));
        start += length + (start[length] == ':' ? 1 : 0);
    }
    return STATUS_OK;
}

// The folder that holds the folder of `program`: "/opt" of "/opt/bin/fathom". False if it lies in no second
// folder.
static bool find_prefix(const char *program, char prefix[PATH_BYTES])
{
    snprintf(prefix, PATH_BYTES, "%s", program);
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(prefix, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    return true;
}

static bool is_within(const char *path, const char *folder)
{
    char resolved[PATH_MAX]; // as /proc resolves the program's own path
    if (realpath(folder, resolved) == NULL)
        return false;
    const size_t length = strlen(resolved);
    return strncmp(path, resolved, length) == 0 && path[length] == '/';
}

// What belongs to this very program: beside it where it is installed, the source tree's where it is run
// from the folder in which it was built. An installed program must not see the source tree, which may have
// changed since.
static enum status search_own_data(struct search *search)
{
    char program[PATH_BYTES], folder[PATH_BYTES + sizeof "/share/fathom"];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    folder[0] = '\0';
    if (is_within(program, FATHOM_BUILD_DIRECTORY))
        snprintf(folder, sizeof folder, "%s", FATHOM_SOURCE_DATA);
    else if (find_prefix(program, folder))
        memcpy(folder + strlen(folder), "/share/fathom", sizeof "/share/fathom");
    if (folder[0] != '\0')
        CHECK(search_in(search, folder, strlen(folder)));
    if (strcmp(folder, FATHOM_INSTALLED_DATA) == 0)
        return STATUS_OK;
    return search_in(search, FATHOM_INSTALLED_DATA, strlen(FATHOM_INSTALLED_DATA));
}

static enum status search_everywhere(struct search *search, const char *directory)
{
    const char *own = directory != NULL && directory[0] != '\0' ? directory : ".";
    const char *users = getenv("FATHOM_DATA");
    CHECK(search_in(search, own, strlen(own)));
    CHECK(search_list(search, users != NULL ? users : ""));
    CHECK(search_own_data(search));
    return search_in(search, ferret_directory, strlen(ferret_directory));
}

static enum status find_absolute(const char *name, char found[PATH_BYTES])
{
    struct stat information;
    if (!join_path("", 0, name, found))
        return FAIL(STATUS_NO_INPUT, "%.80s...: the path is longer than %d bytes", name, PATH_BYTES - 1);
    if (stat(found, &information) != 0)
        return FAIL(STATUS_NO_INPUT, "%s: %s", name, errno == ENOENT ? "no such file" : strerror(errno));
    return check_readable(found, &information);
}

static enum status find_relative(const char *name, const char *directory, char found[PATH_BYTES])
{
    struct search search = {.name = name, .found = found};
    CHECK(search_everywhere(&search, directory));
    if (search.is_found)
        return STATUS_OK;
    search.is_for_similar = true;
    CHECK(search_everywhere(&search, directory));
    return fail_not_found(&search);
}

enum status path_find(const char *name, const char *directory, char found[PATH_BYTES])
{
    assert(name != NULL && found != NULL);
    struct stat information;
    if (name[0] == '\0')
        return FAIL(STATUS_NO_INPUT, "the name of an input file is empty");
    CHECK(name[0] == '/' ? find_absolute(name, found) : find_relative(name, directory, found));
    // A job's inputs are opened several times; a pipe would be empty the second time, or no process would
    // ever write to it.
    if (directory && stat(found, &information) == 0 && S_ISFIFO(information.st_mode))
        return FAIL(STATUS_NO_INPUT, "%s is a pipe; a file is expected", found);
    return STATUS_OK;
}

// ---- output

// Creates one level. Another process may create it at the same time: existing is fine.
static enum status make_one(const char *path, const char *whole)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return STATUS_OK;
    int error = errno;
    struct stat information;
    // A read-only parent refuses with EROFS or EACCES before it reports that the directory exists.
    if (stat(path, &information) == 0 && S_ISDIR(information.st_mode))
        return STATUS_OK;
    if (error == ENOTDIR)
        return FAIL(STATUS_CANNOT_CREATE, "%s cannot be created: a part of the path is not a directory",
                    whole);
    return FAIL(STATUS_CANNOT_CREATE, "%s cannot be created: %s", whole, strerror(error));
}

static enum status check_existing(const char *path)
{
    struct stat information;
    if (stat(path, &information) != 0) {
        const int error = errno;
        const bool is_link = lstat(path, &information) == 0 && S_ISLNK(information.st_mode);
        return FAIL(STATUS_CANNOT_CREATE, "%s cannot be created: %s%s", path,
                    is_link ? "it is a symbolic link whose target is missing: " : "", strerror(error));
    }
    if (!S_ISDIR(information.st_mode))
        return FAIL(STATUS_CANNOT_CREATE, "%s exists, but is not a directory", path);
    if (access(path, W_OK | X_OK) != 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: nothing can be written into this directory: %s", path,
                    strerror(errno));
    return STATUS_OK;
}

static enum status copy_name(const char *path, char copy[PATH_BYTES])
{
    const size_t length = strnlen(path, PATH_BYTES);
    if (length == 0)
        return FAIL(STATUS_CANNOT_CREATE, "the name of an output directory is empty");
    if (length >= PATH_BYTES)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is longer than %d bytes", path, PATH_BYTES - 1);
    memcpy(copy, path, length + 1);
    return STATUS_OK;
}

enum status path_check_directory(const char *path)
{
    char part[PATH_BYTES];
    struct stat information;
    CHECK(copy_name(path, part));
    if (lstat(path, &information) == 0)
        return check_existing(path);
    // The nearest folder that is there.
    do {
        char *slash = strrchr(part, '/');
        if (!slash)
            snprintf(part, sizeof part, ".");
        else
            slash[slash == part] = '\0';
    } while (stat(part, &information) != 0 && strcmp(part, ".") != 0 && strcmp(part, "/") != 0);
    if (stat(part, &information) == 0 && !S_ISDIR(information.st_mode))
        return FAIL(STATUS_CANNOT_CREATE, "%s cannot be created: a part of the path is not a directory",
                    path);
    if (access(part, W_OK | X_OK) != 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s cannot be created: %s", path, strerror(errno));
    return STATUS_OK;
}

bool path_ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), end_length = strlen(end);
    return length >= end_length && strcmp(path + length - end_length, end) == 0;
}

enum status path_make_directory(const char *path)
{
    assert(path != NULL);
    char part[PATH_BYTES];
    CHECK(copy_name(path, part));
    const size_t length = strlen(part);
    for (size_t k = 1; k < length; k++) {
        if (part[k] != '/')
            continue;
        part[k] = '\0';
        CHECK(make_one(part, path));
        part[k] = '/';
    }
    CHECK(make_one(part, path));
    return check_existing(path);
}

// Syncs a file, or a directory so that a rename in it lasts. Some file systems cannot sync directories
// (EINVAL): they guarantee no more, so this is not an error.
static enum status sync_path(const char *path, bool is_directory)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | (is_directory ? O_DIRECTORY : 0));
    if (descriptor < 0)
        return FAIL(STATUS_IO, "%s cannot be opened to sync it: %s", path, strerror(errno));
    int result = fsync(descriptor);
    int error = errno;
    close(descriptor); // read-only: nothing can be lost here
    if (result != 0 && !(is_directory && (error == EINVAL || error == ENOTSUP)))
        return FAIL(STATUS_IO, "%s cannot be synced to disk: %s", path, path_error_text(error));
    return STATUS_OK;
}

enum status path_parent(const char *path, char parent[PATH_BYTES])
{
    size_t length = strnlen(path, PATH_BYTES);
    if (length == 0 || length >= PATH_BYTES)
        return FAIL(STATUS_IO, "%.80s: the path is empty or longer than %d bytes", path, PATH_BYTES - 1);
    memcpy(parent, path, length + 1);
    while (length > 1 && parent[length - 1] == '/')
        parent[--length] = '\0';
    char *slash = strrchr(parent, '/');
    if (slash == NULL)
        memcpy(parent, ".", 2);
    else if (slash == parent)
        parent[1] = '\0';
    else
        *slash = '\0';
    return STATUS_OK;
}

// ---- a file that is being written

static void wait_for_lock(int descriptor)
{
    while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
        continue; // any other failure: there are no locks
}

// Whether the name still is this file's.
static bool is_named(int descriptor, const char *name)
{
    struct stat file, named;
    return fstat(descriptor, &file) == 0 && lstat(name, &named) == 0 && file.st_dev == named.st_dev &&
           file.st_ino == named.st_ino;
}

// Removes the file of that name, after its writer has released the lock.
static enum status remove_left(const char *part)
{
    // Links, folders and pipes are not opened: no writer of a part makes them.
    const int descriptor = open(part, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0)
        wait_for_lock(descriptor);
    const bool is_left = descriptor < 0 || is_named(descriptor, part); // else it was renamed meanwhile
    const int error = is_left && unlink(part) != 0 ? errno : 0;
    if (descriptor >= 0)
        close(descriptor);
    return error == 0 || error == ENOENT
               ? STATUS_OK
               : FAIL(STATUS_CANNOT_CREATE, "%s: cannot be replaced: %s", part, strerror(error));
}

enum status path_take_part(const char *path, const char *part, int *descriptor)
{
    enum { TRIES_MAX = 10000 }; // each but the last was another process's turn
    for (int k = 0; k < TRIES_MAX; k++) {
        // Always a new file: opening a link would write the file to which it points.
        *descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (*descriptor < 0 && errno != EEXIST)
            return FAIL(errno == ENOSPC || errno == EDQUOT ? STATUS_IO : STATUS_CANNOT_CREATE,
                        "%s: cannot be created: %s", path, path_error_text(errno));
        if (*descriptor < 0) {
            CHECK(remove_left(part));
            continue;
        }
        wait_for_lock(*descriptor);
        if (is_named(*descriptor, part))
            return STATUS_OK;
        close(*descriptor); // removed before it was locked
        *descriptor = -1;
    }
    return FAIL(STATUS_CANNOT_CREATE, "%s: other processes write it all the time", path);
}

void path_leave_part(int descriptor)
{
    (void)flock(descriptor, LOCK_UN); // a child that was forked meanwhile may have a copy of the descriptor
    close(descriptor);
}

enum status path_place(const char *from, const char *to)
{
    assert(from != NULL && to != NULL);
    CHECK(sync_path(from, false));
    return rename(from, to) == 0
               ? STATUS_OK
               : FAIL(STATUS_IO, "%s cannot be renamed to %s: %s", from, to, strerror(errno));
}

enum status path_publish(const char *from, const char *to)
{
    char parent[PATH_BYTES];
    assert(from != NULL && to != NULL);
    CHECK(path_parent(to, parent));
    CHECK(path_place(from, to));
    return sync_path(parent, true);
}

void path_start_sync(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return; // path_sync_file says so
    (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
    close(file);
}

enum status path_sync_file(const char *path)
{
    return sync_path(path, false);
}

enum status path_sync_directory(const char *path)
{
    return sync_path(path, true);
}

enum status path_remove(const char *path)
{
    char parent[PATH_BYTES];
    CHECK(path_parent(path, parent));
    if (unlink(path) != 0)
        return errno == ENOENT ? STATUS_OK
                               : FAIL(STATUS_IO, "%s cannot be removed: %s", path, strerror(errno));
    return sync_path(parent, true);
}

enum status path_free_bytes(const char *path, uint64_t *bytes)
{
    assert(path != NULL && bytes != NULL);
    char part[PATH_BYTES];
    size_t length = strnlen(path, PATH_BYTES);
    if (length == 0 || length >= PATH_BYTES)
        return FAIL(STATUS_SYSTEM, "%.80s: the path is empty or longer than %d bytes", path, PATH_BYTES - 1);
    memcpy(part, path, length + 1);
    struct statvfs information;
    while (statvfs(part, &information) != 0) {
        bool has_parent = strcmp(part, "/") != 0 && strcmp(part, ".") != 0;
        if ((errno != ENOENT && errno != ENOTDIR) || !has_parent)
            return FAIL(STATUS_SYSTEM, "the free space for %s cannot be found: %s", path, strerror(errno));
        char parent[PATH_BYTES];
        CHECK(path_parent(part, parent));
        memcpy(part, parent, sizeof part);
    }
    *bytes = (uint64_t)information.f_bavail * (uint64_t)information.f_frsize;
    return STATUS_OK;
}

// ---- checksum

static enum status hash_descriptor(int descriptor, const char *path, XXH3_state_t *state)
{
    unsigned char block[HASH_BLOCK_BYTES];
    for (;;) {
        ssize_t count = read(descriptor, block, sizeof block);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return FAIL(errno == EISDIR ? STATUS_NO_INPUT : STATUS_IO, "%s cannot be read: %s", path,
                        strerror(errno));
        if (count == 0)
            return STATUS_OK;
        if (XXH3_64bits_update(state, block, (size_t)count) != XXH_OK)
            return FAIL(STATUS_SOFTWARE, "%s: the checksum failed", path);
    }
}

enum status path_check_file(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)
               ? STATUS_OK
               : FAIL(STATUS_NO_INPUT, "%s: is a pipe, a socket or a device: expected a regular file", path);
}

enum status path_hash(const char *path, uint64_t *hash)
{
    assert(path != NULL && hash != NULL);
    CHECK(path_check_file(path));
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return FAIL(path_open_status(errno), "%s cannot be opened: %s", path, strerror(errno));
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    enum status status = STATUS_OK;
    if (XXH3_64bits_reset(&state) != XXH_OK)
        status = FAIL(STATUS_SOFTWARE, "%s: the checksum failed", path);
    else
        status = hash_descriptor(descriptor, path, &state);
    if (status == STATUS_OK)
        *hash = XXH3_64bits_digest(&state);
    close(descriptor);
    return status;
}

// 0, or errno's number.
static int lock_now(int descriptor)
{
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
}

enum status path_lock_directory(const char *path, double wait_s, int *descriptor)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    *descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*descriptor < 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be opened: %s", path, strerror(errno));
    int error = lock_now(*descriptor);
    if (error == EWOULDBLOCK && wait_s > 0)
        log_info("%s is in use; waiting up to %.0f s for the process that holds it", path, wait_s);
    for (double waited_s = 0; error == EWOULDBLOCK && waited_s < wait_s;
         waited_s += 1e-9 * (double)pause.tv_nsec) {
        nanosleep(&pause, NULL);
        error = lock_now(*descriptor);
    }
    if (error == 0)
        return STATUS_OK;
    close(*descriptor);
    *descriptor = -1;
    if (error == EWOULDBLOCK)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s is in use by another run; wait for it, or give another --output", path);
    return STATUS_OK;
}

enum status path_share_directory(const char *path, int *descriptor)
{
    *descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*descriptor < 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be opened: %s", path, strerror(errno));
    const int error = flock(*descriptor, LOCK_SH | LOCK_NB) == 0 ? 0 : errno;
    if (error == 0)
        return STATUS_OK;
    close(*descriptor);
    *descriptor = -1;
    return error == EWOULDBLOCK ? FAIL(STATUS_CANNOT_CREATE, "%s is in use by another run", path) : STATUS_OK;
}

enum status path_open_status(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM ? STATUS_SYSTEM : STATUS_NO_INPUT;
}
