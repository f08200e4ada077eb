// Checkpoint files (see the header for the format). Independent of models and of when a state is saved.
#define XXH_STATIC_LINKING_ONLY // the hash's state on the stack: no allocation
#include "io/checkpoint.h"

#include "io/path.h"
#include "io/units.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    MAGIC_BYTES = 8,
    PROLOGUE_BYTES = 32,
    HEADER_BYTES = 8 * (6 + RUN_STREAMS_MAX) + 3 * CHECKPOINT_TEXT_MAX,
    ENTRY_BYTES = 64,
    NAME_BYTES = CHECKPOINT_NAME_MAX + 1,
    FRONT_MAX = PROLOGUE_BYTES + HEADER_BYTES + CHECKPOINT_ARRAYS_MAX * ENTRY_BYTES,
    ALIGNMENT = 64,
    HASH_BYTES = 16,
    PIECE_BYTES = 1 << 20, // hashed while still in the cache
    BUFFER_BYTES = 1 << 16
};

_Static_assert(NAME_BYTES + 16 == ENTRY_BYTES, "a table entry is a name, an offset and a length");

static const unsigned char magic[MAGIC_BYTES] = {0x89, 'F', 'T', 'H', 'M', 0x0D, 0x0A, 0x1A};
static const uint32_t byte_order_mark = 0x01020304;

// ---- layout

static uint64_t aligned(uint64_t offset)
{
    return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static uint64_t front_bytes(int count)
{
    return PROLOGUE_BYTES + HEADER_BYTES + (uint64_t)count * ENTRY_BYTES;
}

uint64_t checkpoint_file_bytes(const struct checkpoint_array *arrays, int count)
{
    uint64_t offset = front_bytes(count);
    for (int i = 0; i < count; i++)
        offset = aligned(offset) + arrays[i].bytes;
    return offset + HASH_BYTES;
}

static unsigned char *put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
    return at + 4;
}

static unsigned char *put_u64(unsigned char *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(value >> (8 * i));
    return at + 8;
}

static unsigned char *put_text(unsigned char *at, const char *text, size_t bytes)
{
    size_t length = strnlen(text, bytes - 1);
    memset(at, 0, bytes);
    memcpy(at, text, length);
    return at + bytes;
}

static uint32_t get_u32(const unsigned char *at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value |= (uint32_t)at[i] << (8 * i);
    return value;
}

static uint64_t get_u64(const unsigned char *at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static unsigned char *put_header(unsigned char *at, const struct checkpoint_header *header)
{
    uint64_t time_bits;
    memcpy(&time_bits, &header->time_s, sizeof time_bits);
    at = put_u64(at, header->job_hash);
    at = put_u64(at, header->input_hash);
    at = put_u64(at, (uint64_t)header->step);
    at = put_u64(at, time_bits);
    at = put_u64(at, (uint64_t)header->steps_run);
    at = put_u64(at, (uint64_t)header->segment);
    for (int i = 0; i < RUN_STREAMS_MAX; i++)
        at = put_u64(at, (uint64_t)header->records[i]);
    at = put_text(at, header->version, CHECKPOINT_TEXT_MAX);
    at = put_text(at, header->backend, CHECKPOINT_TEXT_MAX);
    return put_text(at, header->instruction_set, CHECKPOINT_TEXT_MAX);
}

static void get_header(const unsigned char *at, struct checkpoint_header *header)
{
    uint64_t time_bits = get_u64(at + 24);
    header->job_hash = get_u64(at);
    header->input_hash = get_u64(at + 8);
    header->step = (int64_t)get_u64(at + 16);
    memcpy(&header->time_s, &time_bits, sizeof time_bits);
    header->steps_run = (int64_t)get_u64(at + 32);
    header->segment = (int64_t)get_u64(at + 40);
    for (int i = 0; i < RUN_STREAMS_MAX; i++)
        header->records[i] = (int64_t)get_u64(at + 48 + 8 * i);
    at += 48 + 8 * RUN_STREAMS_MAX;
    memcpy(header->version, at, CHECKPOINT_TEXT_MAX);
    memcpy(header->backend, at + CHECKPOINT_TEXT_MAX, CHECKPOINT_TEXT_MAX);
    memcpy(header->instruction_set, at + 2 * CHECKPOINT_TEXT_MAX, CHECKPOINT_TEXT_MAX);
    header->version[CHECKPOINT_TEXT_MAX - 1] = '\0';
    header->backend[CHECKPOINT_TEXT_MAX - 1] = '\0';
    header->instruction_set[CHECKPOINT_TEXT_MAX - 1] = '\0';
}

// Everything before the arrays. Returns its length.
static size_t put_front(unsigned char front[FRONT_MAX], const struct checkpoint_header *header,
                        const struct checkpoint_array *arrays, int count)
{
    unsigned char *at = front;
    memcpy(at, magic, MAGIC_BYTES);
    at = put_u32(at + MAGIC_BYTES, CHECKPOINT_FORMAT_VERSION);
    at = put_u32(at, (uint32_t)count);
    at = put_u64(at, checkpoint_file_bytes(arrays, count));
    memcpy(at, &byte_order_mark, 4);
    at = put_u32(at + 4, HEADER_BYTES);
    at = put_header(at, header);
    uint64_t offset = front_bytes(count);
    for (int i = 0; i < count; i++) {
        offset = aligned(offset);
        at = put_text(at, arrays[i].name, NAME_BYTES);
        at = put_u64(at, offset);
        at = put_u64(at, arrays[i].bytes);
        offset += arrays[i].bytes;
    }
    return (size_t)(at - front);
}

// ---- writing

struct writer {
    const char *path;
    int descriptor;
    uint64_t offset;
    XXH3_state_t hash;
};

static enum status write_raw(const char *path, int descriptor, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return FAIL(STATUS_IO, "%s: cannot write the checkpoint: %s", path,
                        written < 0 ? path_error_text(errno) : "nothing was written");
        bytes += written;
        count -= (size_t)written;
    }
    return STATUS_OK;
}

static enum status write_hashed(struct writer *writer, const void *data, size_t count)
{
    const unsigned char *bytes = data;
    while (count > 0) {
        size_t piece = count < PIECE_BYTES ? count : PIECE_BYTES;
        if (XXH3_128bits_update(&writer->hash, bytes, piece) != XXH_OK)
            return FAIL(STATUS_SOFTWARE, "%s: the checksum cannot be computed", writer->path);
        CHECK(write_raw(writer->path, writer->descriptor, bytes, piece));
        writer->offset += piece;
        bytes += piece;
        count -= piece;
    }
    return STATUS_OK;
}

static enum status write_content(struct writer *writer, const struct checkpoint_header *header,
                                 const struct checkpoint_array *arrays, int count)
{
    static const unsigned char zeros[ALIGNMENT];
    unsigned char front[FRONT_MAX];
    XXH3_INITSTATE(&writer->hash);
    if (XXH3_128bits_reset(&writer->hash) != XXH_OK)
        return FAIL(STATUS_SOFTWARE, "%s: the checksum cannot be computed", writer->path);
    CHECK(write_hashed(writer, front, put_front(front, header, arrays, count)));
    for (int i = 0; i < count; i++) {
        CHECK(write_hashed(writer, zeros, (size_t)(aligned(writer->offset) - writer->offset)));
        CHECK(write_hashed(writer, arrays[i].data, arrays[i].bytes));
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&writer->hash));
    return write_raw(writer->path, writer->descriptor, canonical.digest, HASH_BYTES);
}

static enum status check_arrays(const char *path, const struct checkpoint_array *arrays, int count)
{
    if (count < 0 || count > CHECKPOINT_ARRAYS_MAX)
        return FAIL(STATUS_SOFTWARE, "%s: %d arrays in a checkpoint, at most %d", path, count,
                    CHECKPOINT_ARRAYS_MAX);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(arrays[i].name);
        if (length == 0 || length > CHECKPOINT_NAME_MAX)
            return FAIL(STATUS_SOFTWARE,
                        "%s: array %d of a checkpoint: its name \"%s\" has %zu bytes, expected 1 to %d", path,
                        i, arrays[i].name, length, CHECKPOINT_NAME_MAX);
        for (int j = 0; j < i; j++)
            if (strcmp(arrays[i].name, arrays[j].name) == 0)
                return FAIL(STATUS_SOFTWARE, "%s: arrays %d and %d of a checkpoint are both named \"%s\"",
                            path, j, i, arrays[i].name);
    }
    return STATUS_OK;
}

enum status checkpoint_write(const char *path, const struct checkpoint_header *header,
                             const struct checkpoint_array *arrays, int count)
{
    char temporary[PATH_BYTES];
    CHECK(check_arrays(path, arrays, count));
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.tmp", path) >= sizeof temporary)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long (at most %d bytes)", path,
                    PATH_BYTES - 5);
    struct writer writer = {.path = temporary};
    // A new file: a link of that name is not followed.
    (void)unlink(temporary);
    writer.descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (writer.descriptor < 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot create the checkpoint: %s", temporary,
                    path_error_text(errno));
    enum status status = write_content(&writer, header, arrays, count);
    // Some file systems report a full disk only now.
    if (close(writer.descriptor) != 0 && status == STATUS_OK)
        status = FAIL(STATUS_IO, "%s: cannot write the checkpoint: %s", temporary, path_error_text(errno));
    if (status == STATUS_OK)
        status = path_publish(temporary, path);
    if (status != STATUS_OK)
        unlink(temporary);
    return status;
}

// ---- reading

struct reader {
    const char *path;
    int descriptor;
    uint64_t bytes; // of the whole file
    int count;      // arrays in it
};

// Reads exactly `count` bytes at the descriptor's position.
static enum status read_exactly(const struct reader *reader, void *data, size_t count)
{
    unsigned char *bytes = data;
    while (count > 0) {
        size_t piece = count < PIECE_BYTES ? count : PIECE_BYTES;
        ssize_t got = read(reader->descriptor, bytes, piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return FAIL(STATUS_IO, "%s: cannot read the checkpoint: %s", reader->path, strerror(errno));
        if (got == 0)
            return FAIL(STATUS_DATA, "%s: the checkpoint is truncated", reader->path);
        bytes += got;
        count -= (size_t)got;
    }
    return STATUS_OK;
}

static enum status seek_to(const struct reader *reader, uint64_t offset)
{
    if (lseek(reader->descriptor, (off_t)offset, SEEK_SET) < 0)
        return FAIL(STATUS_IO, "%s: cannot read the checkpoint: %s", reader->path, strerror(errno));
    return STATUS_OK;
}

// The prologue describes the rest. It serves to give a better reason than a wrong checksum.
static enum status check_prologue(struct reader *reader)
{
    unsigned char prologue[PROLOGUE_BYTES];
    if (reader->bytes < PROLOGUE_BYTES)
        return FAIL(STATUS_DATA, "%s: not a checkpoint, or truncated: %s, expected at least %s", reader->path,
                    UNITS_BYTES(reader->bytes), UNITS_BYTES(PROLOGUE_BYTES));
    CHECK(read_exactly(reader, prologue, sizeof prologue));
    if (memcmp(prologue, magic, MAGIC_BYTES) != 0)
        return FAIL(STATUS_DATA, "%s: not a checkpoint of this program (its first bytes differ)",
                    reader->path);
    uint32_t version = get_u32(prologue + 8), count = get_u32(prologue + 12), order;
    memcpy(&order, prologue + 24, sizeof order);
    if (version != CHECKPOINT_FORMAT_VERSION)
        return FAIL(STATUS_DATA, "%s: checkpoint format version %u, this program reads version %d",
                    reader->path, version, CHECKPOINT_FORMAT_VERSION);
    if (order == __builtin_bswap32(byte_order_mark))
        return FAIL(STATUS_DATA, "%s: the checkpoint was written on a machine with the other byte order",
                    reader->path);
    const uint64_t expected = get_u64(prologue + 16);
    if (expected != reader->bytes)
        return FAIL(STATUS_DATA, "%s: the checkpoint is truncated or damaged: it has %s, expected %s (%s %s)",
                    reader->path, UNITS_BYTES(reader->bytes), UNITS_BYTES(expected),
                    UNITS_BYTES(fabs((double)expected - (double)reader->bytes)),
                    reader->bytes < expected ? "less" : "more");
    if (order != byte_order_mark || get_u32(prologue + 28) != HEADER_BYTES || count > CHECKPOINT_ARRAYS_MAX ||
        reader->bytes < front_bytes((int)count) + HASH_BYTES)
        return FAIL(STATUS_DATA, "%s: the checkpoint is damaged: its first bytes contradict one another",
                    reader->path);
    reader->count = (int)count;
    return STATUS_OK;
}

static enum status check_hash(const struct reader *reader)
{
    unsigned char buffer[BUFFER_BYTES];
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    if (XXH3_128bits_reset(&state) != XXH_OK)
        return FAIL(STATUS_SOFTWARE, "%s: the checksum cannot be computed", reader->path);
    CHECK(seek_to(reader, 0));
    for (uint64_t left = reader->bytes - HASH_BYTES; left > 0;) {
        size_t piece = left < BUFFER_BYTES ? (size_t)left : BUFFER_BYTES;
        CHECK(read_exactly(reader, buffer, piece));
        if (XXH3_128bits_update(&state, buffer, piece) != XXH_OK)
            return FAIL(STATUS_SOFTWARE, "%s: the checksum cannot be computed", reader->path);
        left -= piece;
    }
    XXH128_canonical_t stored, computed;
    CHECK(read_exactly(reader, stored.digest, HASH_BYTES));
    XXH128_canonicalFromHash(&computed, XXH3_128bits_digest(&state));
    if (memcmp(stored.digest, computed.digest, HASH_BYTES) != 0)
        return FAIL(STATUS_DATA,
                    "%s: the checkpoint is damaged: its checksum does not agree with its content",
                    reader->path);
    return STATUS_OK;
}

// Opens the file and verifies it, its checksum only if asked. `front`: everything before the arrays.
static enum status read_front(struct reader *reader, bool verifies, unsigned char front[FRONT_MAX])
{
    struct stat file;
    if (fstat(reader->descriptor, &file) != 0)
        return FAIL(STATUS_IO, "%s: cannot read the checkpoint: %s", reader->path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return FAIL(STATUS_DATA, "%s: not a checkpoint: not a regular file", reader->path);
    reader->bytes = (uint64_t)file.st_size;
    CHECK(check_prologue(reader));
    if (verifies)
        CHECK(check_hash(reader));
    CHECK(seek_to(reader, 0));
    return read_exactly(reader, front, (size_t)front_bytes(reader->count));
}

// Compares the table with the arrays that the run has.
static enum status check_table(const struct reader *reader, const unsigned char *front,
                               const struct checkpoint_array *arrays, int count)
{
    if (reader->count != count)
        return FAIL(STATUS_DATA, "%s: the checkpoint holds %d arrays, this run has %d", reader->path,
                    reader->count, count);
    uint64_t offset = front_bytes(count);
    for (int i = 0; i < count; i++) {
        const unsigned char *entry = front + front_bytes(i);
        uint64_t bytes = get_u64(entry + NAME_BYTES + 8);
        offset = aligned(offset);
        if (strncmp((const char *)entry, arrays[i].name, NAME_BYTES) != 0)
            return FAIL(STATUS_DATA, "%s: array %d of the checkpoint is \"%.47s\", expected \"%s\"",
                        reader->path, i, (const char *)entry, arrays[i].name);
        if (bytes != arrays[i].bytes)
            return FAIL(STATUS_DATA, "%s: array \"%s\" of the checkpoint has %s, expected %s", reader->path,
                        arrays[i].name, UNITS_BYTES(bytes), UNITS_BYTES(arrays[i].bytes));
        if (get_u64(entry + NAME_BYTES) != offset)
            return FAIL(STATUS_DATA, "%s: array \"%s\" of the checkpoint is at another offset than expected",
                        reader->path, arrays[i].name);
        offset += bytes;
    }
    if (offset + HASH_BYTES != reader->bytes)
        return FAIL(STATUS_DATA, "%s: the checkpoint holds %s behind its arrays, expected nothing",
                    reader->path, UNITS_BYTES(reader->bytes - HASH_BYTES - offset));
    return STATUS_OK;
}

static enum status read_arrays(const struct reader *reader, const unsigned char *front,
                               const struct checkpoint_array *arrays, int count)
{
    CHECK(check_table(reader, front, arrays, count));
    for (int i = 0; i < count; i++) {
        CHECK(seek_to(reader, get_u64(front + front_bytes(i) + NAME_BYTES)));
        CHECK_ABOUT(read_exactly(reader, arrays[i].data, arrays[i].bytes), "array \"%s\"", arrays[i].name);
    }
    return STATUS_OK;
}

static enum status open_reader(const char *path, struct reader *reader)
{
    *reader = (struct reader){.path = path};
    reader->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO must not block
    return reader->descriptor >= 0
               ? STATUS_OK
               : FAIL(path_open_status(errno), "%s: cannot open the checkpoint: %s", path, strerror(errno));
}

static enum status open_and_read(const char *path, struct checkpoint_header *header, bool wants_arrays,
                                 const struct checkpoint_array *arrays, int count)
{
    unsigned char front[FRONT_MAX] = {0};
    struct reader reader;
    CHECK(open_reader(path, &reader));
    enum status status = read_front(&reader, true, front);
    if (status == STATUS_OK && wants_arrays)
        status = read_arrays(&reader, front, arrays, count);
    if (status == STATUS_OK && header)
        get_header(front + PROLOGUE_BYTES, header);
    close(reader.descriptor); // opened for reading: closing cannot lose anything
    return status;
}

enum status checkpoint_verify(const char *path, struct checkpoint_header *header)
{
    return open_and_read(path, header, false, NULL, 0);
}

enum status checkpoint_read(const char *path, struct checkpoint_header *header,
                            const struct checkpoint_array *arrays, int count)
{
    if (count < 0 || (count > 0 && !arrays))
        return FAIL(STATUS_SOFTWARE, "%s: %d arrays of a checkpoint asked for", path, count);
    return open_and_read(path, header, true, arrays, count);
}

// ---- parts of a file

static void get_entries(const unsigned char *front, struct checkpoint_entry *entries, int count)
{
    for (int i = 0; i < count; i++) {
        const unsigned char *at = front + front_bytes(i);
        memcpy(entries[i].name, at, NAME_BYTES);
        entries[i].name[NAME_BYTES - 1] = '\0';
        entries[i].offset = get_u64(at + NAME_BYTES);
        entries[i].bytes = get_u64(at + NAME_BYTES + 8);
    }
}

enum status checkpoint_inspect(const char *path, bool verifies, struct checkpoint_header *header,
                               struct checkpoint_entry *entries, int *count)
{
    unsigned char front[FRONT_MAX] = {0};
    struct reader reader;
    CHECK(open_reader(path, &reader));
    const enum status status = read_front(&reader, verifies, front);
    close(reader.descriptor);
    CHECK(status);
    get_header(front + PROLOGUE_BYTES, header);
    get_entries(front, entries, reader.count);
    *count = reader.count;
    return STATUS_OK;
}

enum status checkpoint_read_bytes(const char *path, uint64_t offset, void *data, uint64_t bytes)
{
    struct reader reader;
    CHECK(open_reader(path, &reader));
    enum status status = seek_to(&reader, offset);
    if (status == STATUS_OK)
        status = read_exactly(&reader, data, (size_t)bytes);
    close(reader.descriptor);
    return status;
}
