// An append-only journal of JSON lines (see the header).
#include "batch/journal_file.h"

#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { HASH_DIGITS = 16, TEXT_AT = HASH_DIGITS + 1, BUFFER_BYTES = JOURNAL_FILE_LINE_BYTES_MAX + 4096 };

struct journal_file {
    int descriptor;
    off_t whole_bytes;  // up to here every line is complete
    off_t synced_bytes; // and on the disk
    bool has_rest;      // a partly written line follows, and could not be cut off
    char path[PATH_BYTES];
};

// ---- reading

struct reader {
    const char *path;
    enum status (*visit)(void *context, const struct cJSON *record, size_t line);
    void *context;
    size_t line;         // number of the current line, from 1
    off_t whole_bytes;   // up to here every line is complete
    size_t damaged_line; // 0 = none
    const char *damage;
};

// Reads 16 lower-case hexadecimal digits that a blank follows. False if `text` begins otherwise.
static bool parse_hash(const char *text, uint64_t *hash)
{
    *hash = 0;
    for (int k = 0; k < HASH_DIGITS; k++) {
        const char c = text[k];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
        *hash = *hash << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return text[HASH_DIGITS] == ' ';
}

// Whether the line matches its hash. `length`: without the line feed.
static bool is_whole(const char *line, size_t length)
{
    uint64_t hash;
    return length > TEXT_AT && parse_hash(line, &hash) &&
           XXH3_64bits(line + TEXT_AT, length - TEXT_AT) == hash;
}

// Whether a damaged line begins with a complete one: the line feed between two lines was changed. A kill
// leaves no such line.
static bool begins_with_whole_line(const char *line, size_t length)
{
    uint64_t hash;
    for (size_t at = TEXT_AT + 2; at + TEXT_AT < length; at++)
        if (parse_hash(line + at, &hash) && is_whole(line, at - 1))
            return true;
    return false;
}

static enum status fail_damaged(const struct reader *reader)
{
    return FAIL(STATUS_DATA,
                "%s: line %zu %s; the journal was changed or damaged (all lines before it are valid: cut the "
                "file off there to continue from them)",
                reader->path, reader->damaged_line, reader->damage);
}

static void note_damage(struct reader *reader, const char *damage)
{
    reader->damaged_line = reader->line;
    reader->damage = damage;
}

static enum status take_record(struct reader *reader, const char *text, size_t length)
{
    const char *end = NULL;
    cJSON *record = cJSON_ParseWithLengthOpts(text, length, &end, false);
    enum status status = STATUS_OK;
    if (!cJSON_IsObject(record) || end != text + length) {
        note_damage(reader, "has a valid checksum, but is not a JSON object");
        status = fail_damaged(reader);
    } else if (reader->visit) {
        status = reader->visit(reader->context, record, reader->line);
    }
    cJSON_Delete(record);
    return status;
}

// Takes one line without its line feed. is_ended: the line feed was read. A damaged line is an error only if
// another line follows it.
static enum status take_line(struct reader *reader, const char *line, size_t length, bool is_ended)
{
    if (reader->damaged_line > 0)
        return fail_damaged(reader);
    reader->line++;
    if (is_ended && is_whole(line, length)) {
        CHECK(take_record(reader, line + TEXT_AT, length - TEXT_AT));
        reader->whole_bytes += (off_t)length + 1;
        return STATUS_OK;
    }
    note_damage(reader, "does not match its checksum");
    if (begins_with_whole_line(line, length)) {
        reader->damage = "holds two records: the line feed between them was changed";
        return fail_damaged(reader);
    }
    return STATUS_OK;
}

// Takes the lines in the buffer, and moves an incomplete last line to its beginning.
static enum status take_lines(struct reader *reader, char *buffer, size_t *used)
{
    char *line = buffer, *end = buffer + *used;
    for (char *feed; (feed = memchr(line, '\n', (size_t)(end - line))); line = feed + 1)
        CHECK(take_line(reader, line, (size_t)(feed - line), true));
    *used = (size_t)(end - line);
    memmove(buffer, line, *used);
    if (*used < BUFFER_BYTES)
        return STATUS_OK;
    // Such a line is never written, so no kill can leave it.
    reader->line++;
    note_damage(reader, "is longer than the limit of a line");
    return fail_damaged(reader);
}

static enum status read_lines(struct reader *reader, int descriptor, char *buffer)
{
    size_t used = 0;
    for (;;) {
        const ssize_t got = read(descriptor, buffer + used, BUFFER_BYTES - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return FAIL(STATUS_IO, "%s: cannot be read: %s", reader->path, strerror(errno));
        if (got == 0)
            return used > 0 ? take_line(reader, buffer, used, false) : STATUS_OK;
        used += (size_t)got;
        CHECK(take_lines(reader, buffer, &used));
    }
}

// Opens a regular file within the size limit; `refusal`: the status if it cannot be opened or is not one.
// O_NONBLOCK: opening a FIFO must not wait for its other end.
static enum status open_regular(const char *path, int flags, enum status refusal, int *descriptor)
{
    *descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (*descriptor < 0)
        return FAIL(refusal, "%s: the journal cannot be opened: %s", path, strerror(errno));
    struct stat about;
    char limit[24];
    enum status status = STATUS_OK;
    if (fstat(*descriptor, &about) != 0)
        status = FAIL(STATUS_IO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = FAIL(refusal, "%s: expected the journal of a batch, a regular file", path);
    else if (about.st_size > JOURNAL_FILE_BYTES_MAX)
        status = FAIL(STATUS_DATA, "%s: larger than %s, the limit of a journal", path,
                      units_format_bytes(JOURNAL_FILE_BYTES_MAX, limit, sizeof limit));
    if (status != STATUS_OK) {
        close(*descriptor);
        *descriptor = -1;
    }
    return status;
}

static enum status read_whole(struct reader *reader, int descriptor)
{
    char *buffer = malloc(BUFFER_BYTES);
    if (!buffer)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read the journal", reader->path);
    const enum status status = read_lines(reader, descriptor, buffer);
    free(buffer);
    return status;
}

enum status journal_file_read(const char *path,
                              enum status (*visit)(void *context, const struct cJSON *record, size_t line),
                              void *context)
{
    int descriptor;
    CHECK(open_regular(path, O_RDONLY, STATUS_NO_INPUT, &descriptor));
    struct reader reader = {.path = path, .visit = visit, .context = context};
    const enum status status = read_whole(&reader, descriptor);
    close(descriptor); // opened for reading: nothing can be lost
    return status;
}

// ---- writing

// Publishes an empty file under the final name; it replaces an existing one.
static enum status create_empty(const char *path)
{
    char part[PATH_BYTES + 8];
    int descriptor;
    snprintf(part, sizeof part, "%s.part", path);
    // Always creates a new file: opening a link would empty the file to which it points.
    if (unlink(part) != 0 && errno != ENOENT)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be replaced: %s", part, strerror(errno));
    CHECK(open_regular(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, STATUS_CANNOT_CREATE, &descriptor));
    close(descriptor); // empty
    const enum status status = path_publish(part, path);
    if (status != STATUS_OK)
        (void)unlink(part);
    return status;
}

// Two writers would cut off each other's lines. The lock ends when the descriptor is closed. On a file system
// without locks the journal is not locked.
static enum status lock(const struct journal_file *journal)
{
    if (flock(journal->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the journal is in use by another process", journal->path);
    return STATUS_OK;
}

// Checks all lines, and cuts off an incomplete last one.
static enum status check_existing(struct journal_file *journal)
{
    struct reader reader = {.path = journal->path};
    CHECK(read_whole(&reader, journal->descriptor));
    journal->whole_bytes = journal->synced_bytes = reader.whole_bytes;
    if (reader.damaged_line == 0)
        return STATUS_OK;
    if (ftruncate(journal->descriptor, journal->whole_bytes) != 0 || fdatasync(journal->descriptor) != 0)
        return FAIL(STATUS_IO, "%s: its incomplete last line cannot be cut off: %s", journal->path,
                    strerror(errno));
    return STATUS_OK;
}

enum status journal_file_check(const char *path)
{
    struct stat about;
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s: a symbolic link, through which another file would be written; remove it", path);
    return STATUS_OK;
}

enum status journal_file_open(const char *path, bool replaces, struct journal_file **journal)
{
    *journal = NULL;
    struct stat about;
    if (strlen(path) >= PATH_BYTES)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is longer than %d bytes", path, PATH_BYTES - 1);
    CHECK(journal_file_check(path));
    if (replaces || (stat(path, &about) != 0 && errno == ENOENT))
        CHECK(create_empty(path));
    struct journal_file *opened = calloc(1, sizeof *opened);
    if (!opened)
        return FAIL(STATUS_SYSTEM, "%s: no memory for the journal", path);
    memcpy(opened->path, path, strlen(path) + 1);
    opened->descriptor = -1;
    enum status status =
        open_regular(path, O_RDWR | O_APPEND | O_NOFOLLOW, STATUS_CANNOT_CREATE, &opened->descriptor);
    if (status == STATUS_OK)
        status = lock(opened);
    if (status == STATUS_OK)
        status = check_existing(opened);
    if (status != STATUS_OK) {
        journal_file_close(opened);
        return status;
    }
    *journal = opened;
    return STATUS_OK;
}

// A line of `length` bytes, its line feed included, in a new block; NULL if there is no memory.
static char *make_line(const struct cJSON *record, size_t *length)
{
    char *text = utf8_print_json_line(record);
    if (!text)
        return NULL;
    const size_t bytes = strlen(text);
    char *line = malloc(TEXT_AT + bytes + 2);
    if (line) {
        *length = (size_t)snprintf(line, TEXT_AT + bytes + 2, "%016" PRIx64 " %s\n",
                                   (uint64_t)XXH3_64bits(text, bytes), text);
        assert(*length == TEXT_AT + bytes + 1);
    }
    cJSON_free(text);
    return line;
}

static enum status fail_write(const struct journal_file *journal, int error)
{
    return FAIL(STATUS_IO, "%s: the journal cannot be written: %s", journal->path,
                error == ENOSPC ? "no space left on device" : strerror(error));
}

static bool write_line(int descriptor, const char *line, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(descriptor, line, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        line += written;
        length -= (size_t)written;
    }
    return true;
}

static void cut_off(struct journal_file *journal)
{
    journal->has_rest =
        ftruncate(journal->descriptor, journal->whole_bytes) != 0 || fdatasync(journal->descriptor) != 0;
}

static enum status append_line(struct journal_file *journal, const char *line, size_t length)
{
    char size[3][24];
    if (length > JOURNAL_FILE_LINE_BYTES_MAX || journal->whole_bytes + (off_t)length > JOURNAL_FILE_BYTES_MAX)
        return FAIL(STATUS_IO, "%s: a record of %s does not fit: a line has at most %s, a journal %s",
                    journal->path, units_format_bytes((double)length, size[0], sizeof size[0]),
                    units_format_bytes(JOURNAL_FILE_LINE_BYTES_MAX, size[1], sizeof size[1]),
                    units_format_bytes(JOURNAL_FILE_BYTES_MAX, size[2], sizeof size[2]));
    if (journal->has_rest)
        cut_off(journal);
    if (journal->has_rest)
        return fail_write(journal, errno);
    if (!write_line(journal->descriptor, line, length)) {
        const int error = errno;
        cut_off(journal);
        return fail_write(journal, error);
    }
    journal->whole_bytes += (off_t)length;
    return STATUS_OK;
}

// Lines that may not be on the disk are cut off.
enum status journal_file_sync(struct journal_file *journal)
{
    if (journal->synced_bytes == journal->whole_bytes)
        return STATUS_OK;
    if (fdatasync(journal->descriptor) != 0) {
        const int error = errno;
        journal->whole_bytes = journal->synced_bytes;
        cut_off(journal);
        return fail_write(journal, error);
    }
    journal->synced_bytes = journal->whole_bytes;
    return STATUS_OK;
}

enum status journal_file_append(struct journal_file *journal, const struct cJSON *record)
{
    CHECK(journal_file_write(journal, record));
    return journal_file_sync(journal);
}

enum status journal_file_write(struct journal_file *journal, const struct cJSON *record)
{
    assert(journal && cJSON_IsObject(record));
    size_t length = 0;
    char *line = make_line(record, &length);
    if (!line)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a record", journal->path);
    const enum status status = append_line(journal, line, length);
    free(line);
    return status;
}

void journal_file_close(struct journal_file *journal)
{
    if (journal && journal->descriptor >= 0)
        close(journal->descriptor); // its last line was synced
    free(journal);
}
