// io/checkpoint: what was written comes back, and nothing that was changed, cut or made by others is
// believed.
#include "tests/support/test.h"

#include "io/checkpoint.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <xxhash.h>

// The disk fills up after this many more bytes, when >= 0. Calls of write(2) in this program come here.
static long disk_left = -1;

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    if (disk_left >= 0 && descriptor > STDERR_FILENO) {
        if (disk_left == 0) {
            errno = ENOSPC;
            return -1;
        }
        if (count > (size_t)disk_left)
            count = (size_t)disk_left; // a short write, as a real disk makes
        disk_left -= (long)count;
    }
    return syscall(SYS_write, descriptor, bytes, count);
}

static char path[128], other_path[128];

static int make_directory(void **state)
{
    if (folder_make(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s", folder_path("checkpoint.a"));
    snprintf(other_path, sizeof other_path, "%s", folder_path("changed"));
    return 0;
}

static int clean(void **state)
{
    disk_left = -1;
    status_clear();
    unlink(path);
    unlink(other_path);
    return 0;
}

static const struct checkpoint_header header = {.job_hash = 0x0123456789abcdefu,
                                                .input_hash = 0xfedcba9876543210u,
                                                .step = 1234567890123,
                                                .time_s = -0.1,
                                                .steps_run = 1234567890200,
                                                .segment = 7,
                                                .records = {1, 2, 3, 4, 5, 6, 7, -8},
                                                .version = "0.1.0",
                                                .backend = "openmp",
                                                .instruction_set = "avx512"};

static double eta[9] = {1.5, -2.5, 3e300, 0.0, -0.0, 1e-310, 7, 8, 9};
static unsigned char flags[3] = {1, 0, 255};
static int64_t counter = -5;

enum { ARRAYS = 4 };

static const struct checkpoint_array arrays[ARRAYS] = {
    {"eta", eta, sizeof eta}, {"flags", flags, sizeof flags}, {"nothing", NULL, 0}, {"counter", &counter, 8}};

static void write_example(void)
{
    assert_ok(checkpoint_write(path, &header, arrays, ARRAYS));
}

static unsigned char *load(const char *file, size_t *bytes)
{
    struct stat information;
    assert_int_equal(stat(file, &information), 0);
    *bytes = (size_t)information.st_size;
    unsigned char *content = owned_zeros(*bytes, 1);
    FILE *stream = fopen(file, "rb");
    assert_non_null(stream);
    assert_int_equal(fread(content, 1, *bytes, stream), *bytes);
    fclose(stream);
    return content;
}

static void store(const char *file, const unsigned char *content, size_t bytes)
{
    FILE *stream = fopen(file, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(content, 1, bytes, stream), bytes);
    assert_int_equal(fclose(stream), 0);
}

TEST_SUITE(.group_setup = make_directory, .group_teardown = folder_remove, .teardown = clean);

TEST(test_what_was_written_comes_back)
{
    write_example();
    double eta_read[9];
    unsigned char flags_read[3];
    int64_t counter_read;
    struct checkpoint_header read = {0};
    const struct checkpoint_array into[ARRAYS] = {{"eta", eta_read, sizeof eta},
                                                  {"flags", flags_read, 3},
                                                  {"nothing", NULL, 0},
                                                  {"counter", &counter_read, 8}};
    assert_ok(checkpoint_verify(path, NULL));
    assert_ok(checkpoint_verify(path, &read));
    assert_memory_equal(&read, &header, sizeof header);
    memset(&read, 0, sizeof read);
    assert_ok(checkpoint_read(path, &read, into, ARRAYS));
    assert_memory_equal(&read, &header, sizeof header);
    assert_memory_equal(eta_read, eta, sizeof eta);
    assert_memory_equal(flags_read, flags, sizeof flags);
    assert_int_equal(counter_read, counter);
}

static uint64_t little_endian(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

TEST(test_the_file_is_as_documented)
{
    size_t bytes;
    write_example();
    unsigned char *content = load(path, &bytes);
    assert_int_equal(bytes, checkpoint_file_bytes(arrays, ARRAYS));
    assert_memory_equal(content,
                        "\x89"
                        "FTHM\r\n\x1a",
                        8);
    assert_int_equal(little_endian(content + 8, 4), 2);
    assert_int_equal(little_endian(content + 12, 4), ARRAYS);
    assert_int_equal(little_endian(content + 16, 8), bytes);
    assert_int_equal(little_endian(content + 28, 4), 880);
    assert_int_equal(little_endian(content + 32, 8), 0x0123456789abcdefu);
    assert_int_equal(little_endian(content + 48, 8), 1234567890123);
    assert_int_equal(little_endian(content + 32 + 48 + 56, 8), (uint64_t)-8);
    assert_string_equal((const char *)content + 32 + 688, "0.1.0");
    for (int i = 0; i < ARRAYS; i++) {
        const unsigned char *entry = content + 32 + 880 + 64 * i;
        size_t offset = (size_t)little_endian(entry + 48, 8);
        assert_string_equal((const char *)entry, arrays[i].name);
        assert_int_equal(offset % 64, 0);
        assert_int_equal(little_endian(entry + 56, 8), arrays[i].bytes);
        if (arrays[i].bytes > 0)
            assert_memory_equal(content + offset, arrays[i].data, arrays[i].bytes);
    }
}

// xxhsum is the hash's own program: an independent reader of the last 16 bytes.
TEST(test_the_checksum_is_xxh3_128)
{
    if (system("command -v xxhsum >/dev/null 2>&1") != 0) {
        print_message("skipped: xxhsum is not installed\n");
        skip();
    }
    size_t bytes;
    char command[256], expected[33], found[64] = "";
    write_example();
    unsigned char *content = load(path, &bytes);
    store(other_path, content, bytes - 16);
    for (int i = 0; i < 16; i++)
        snprintf(expected + 2 * i, 3, "%02x", content[bytes - 16 + (size_t)i]);
    snprintf(command, sizeof command, "xxhsum -H2 %s", other_path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%63s", found), 1);
    pclose(pipe);
    assert_string_equal(found, expected);
}

TEST(test_every_changed_byte_is_refused)
{
    size_t bytes;
    write_example();
    unsigned char *content = load(path, &bytes);
    for (size_t i = 0; i < bytes; i++) {
        // One bit, and all of them.
        const unsigned char masks[2] = {(unsigned char)(1u << (i % 8)), 0xff};
        for (int m = 0; m < 2; m++) {
            content[i] ^= masks[m];
            store(other_path, content, bytes);
            assert_failure(checkpoint_verify(other_path, NULL), STATUS_DATA, other_path);
            content[i] ^= masks[m];
        }
    }
    store(other_path, content, bytes); // the test itself changed nothing else
    assert_ok(checkpoint_verify(other_path, NULL));
}

TEST(test_every_truncation_is_refused)
{
    size_t bytes;
    write_example();
    unsigned char *content = load(path, &bytes);
    for (size_t length = 0; length < bytes; length++) {
        store(other_path, content, length);
        assert_failure(checkpoint_verify(other_path, NULL), STATUS_DATA, "truncated");
    }
    unsigned char *longer = owned_zeros(bytes + 1, 1);
    memcpy(longer, content, bytes);
    store(other_path, longer, bytes + 1);
    assert_int_equal(checkpoint_verify(other_path, NULL), STATUS_DATA);
}

static void refused(enum status status, const char *reason)
{
    assert_int_equal(checkpoint_verify(other_path, NULL), status);
    assert_non_null(strstr(status_message(), other_path));
    if (!strstr(status_message(), reason))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), reason);
    status_clear();
}

TEST(test_reasons_are_clear)
{
    size_t bytes;
    refused(STATUS_NO_INPUT, "cannot open the checkpoint: No such file or directory");
    write_example();
    unsigned char *content = load(path, &bytes);
    content[8] = 1;
    store(other_path, content, bytes);
    refused(STATUS_DATA, "format version 1, this program reads version 2");
    content[8] = 2;
    const unsigned char swapped[4] = {content[27], content[26], content[25], content[24]};
    memcpy(content + 24, swapped, 4);
    store(other_path, content, bytes);
    refused(STATUS_DATA, "other byte order");
    memset(content, 'x', bytes);
    store(other_path, content, bytes);
    refused(STATUS_DATA, "not a checkpoint of this program");
    unlink(other_path);
    assert_int_equal(mkdir(other_path, 0700), 0);
    refused(STATUS_DATA, "not a regular file");
    assert_int_equal(rmdir(other_path), 0);
    assert_int_equal(mkfifo(other_path, 0600), 0);
    refused(STATUS_DATA, "not a regular file"); // and does not wait for a writer
}

static void read_refused(const struct checkpoint_array *into, int count, const char *reason)
{
    assert_int_equal(checkpoint_read(path, NULL, into, count), STATUS_DATA);
    if (!strstr(status_message(), reason))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), reason);
    status_clear();
}

TEST(test_other_arrays_are_refused_and_nothing_is_filled)
{
    double eta_read[9] = {0};
    unsigned char flags_read[3];
    int64_t counter_read;
    struct checkpoint_array into[ARRAYS] = {{"eta", eta_read, sizeof eta},
                                            {"flags", flags_read, 3},
                                            {"nothing", NULL, 0},
                                            {"counter", &counter_read, 8}};
    write_example();
    read_refused(into, 3, "holds 4 arrays, this run has 3");
    read_refused(NULL, 0, "holds 4 arrays, this run has 0");
    into[3].name = "count";
    read_refused(into, ARRAYS, "array 3 of the checkpoint is \"counter\", expected \"count\"");
    into[3] = (struct checkpoint_array){"counter", &counter_read, 4};
    read_refused(into, ARRAYS, "\"counter\" of the checkpoint has 8 B, expected 4 B");
    for (int i = 0; i < 9; i++)
        assert_true(eta_read[i] == 0.0);
}

// Whole by its checksum, and yet more than the arrays: what they are followed by would be lost.
TEST(test_bytes_behind_the_arrays_are_refused)
{
    enum { HASH_BYTES = 16, EXTRA_BYTES = 24 };
    size_t bytes;
    double eta_read[9];
    unsigned char flags_read[3];
    int64_t counter_read = 0;
    const struct checkpoint_array into[ARRAYS] = {{"eta", eta_read, sizeof eta},
                                                  {"flags", flags_read, 3},
                                                  {"nothing", NULL, 0},
                                                  {"counter", &counter_read, 8}};
    write_example();
    unsigned char *content = load(path, &bytes), *longer = owned_zeros(1, bytes + EXTRA_BYTES);
    for (size_t extra = 0; extra <= EXTRA_BYTES; extra += EXTRA_BYTES) {
        const uint64_t total = bytes + extra; // little-endian in the file, as here
        XXH128_canonical_t hash;
        memset(longer, 0, bytes + EXTRA_BYTES);
        memcpy(longer, content, bytes - HASH_BYTES);
        memcpy(longer + 16, &total, sizeof total);
        XXH128_canonicalFromHash(&hash, XXH3_128bits(longer, total - HASH_BYTES));
        memcpy(longer + total - HASH_BYTES, &hash, HASH_BYTES);
        store(path, longer, total);
        if (extra > 0)
            read_refused(into, ARRAYS, "holds 24 B behind its arrays, expected nothing");
        else // the test itself makes good files
            assert_ok(checkpoint_read(path, NULL, into, ARRAYS));
    }
    store(path, content, bytes);
    FILE *stream = fopen(path, "ab");
    assert_true(stream && fputc('\n', stream) != EOF && fclose(stream) == 0);
    read_refused(into, ARRAYS, "truncated or damaged");
}

TEST(test_arguments_out_of_bounds)
{
    struct checkpoint_array many[CHECKPOINT_ARRAYS_MAX + 1];
    char names[CHECKPOINT_ARRAYS_MAX + 1][16];
    for (int i = 0; i <= CHECKPOINT_ARRAYS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "a%d", i);
        many[i] = (struct checkpoint_array){names[i], eta, 8};
    }
    assert_failure(checkpoint_write(path, &header, many, CHECKPOINT_ARRAYS_MAX + 1), STATUS_SOFTWARE, "");
    assert_ok(checkpoint_write(path, &header, many, CHECKPOINT_ARRAYS_MAX));
    assert_ok(checkpoint_verify(path, NULL));
    many[1].name = "a0";
    assert_failure(checkpoint_write(path, &header, many, 2), STATUS_SOFTWARE, "both named \"a0\"");
    many[1].name = "a-name-of-forty-eight-bytes-is-one-byte-too-long";
    assert_int_equal(checkpoint_write(path, &header, many, 2), STATUS_SOFTWARE);
    many[1].name++;
    assert_ok(checkpoint_write(path, &header, many, 2));
    assert_ok(checkpoint_read(path, NULL, many, 2));
}

TEST(test_no_arrays_at_all)
{
    struct checkpoint_header read;
    assert_ok(checkpoint_write(path, &header, NULL, 0));
    assert_ok(checkpoint_read(path, &read, NULL, 0));
    assert_memory_equal(&read, &header, sizeof header);
}

TEST(test_large_arrays)
{
    const size_t bytes = (9u << 20) + 13;
    unsigned char *data = owned_zeros(bytes, 1), *back = owned_zeros(bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)(i * 2654435761u >> 13);
    struct checkpoint_array array = {"large", data, bytes};
    assert_ok(checkpoint_write(path, &header, &array, 1));
    array.data = back;
    assert_ok(checkpoint_read(path, NULL, &array, 1));
    assert_memory_equal(data, back, bytes);
    int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "?", 1, 5 << 20), 1);
    close(file);
    assert_failure(checkpoint_read(path, NULL, &array, 1), STATUS_DATA, "checksum");
}

TEST(test_full_disk_leaves_the_old_one)
{
    size_t bytes, bytes_after;
    const char *temporary = format_text("%s.tmp", path);
    write_example();
    unsigned char *before = load(path, &bytes);
    struct checkpoint_header later = header;
    later.step++;
    for (long room = 0; room < (long)bytes; room += 37) {
        disk_left = room;
        assert_int_equal(checkpoint_write(path, &later, arrays, ARRAYS), STATUS_IO);
        disk_left = -1;
        assert_non_null(strstr(status_message(), "no space left on device"));
        assert_non_null(strstr(status_message(), path));
        status_clear();
        assert_int_equal(access(temporary, F_OK), -1);
    }
    unsigned char *after = load(path, &bytes_after);
    assert_int_equal(bytes_after, bytes);
    assert_memory_equal(before, after, bytes);
    disk_left = (long)bytes;
    assert_ok(checkpoint_write(path, &later, arrays, ARRAYS));
    disk_left = -1;
    struct checkpoint_header read;
    assert_ok(checkpoint_verify(path, &read));
    assert_int_equal(read.step, header.step + 1);
}

TEST(test_folder_that_is_not_there)
{
    const char *nowhere = format_text("%s/no/checkpoint.a", folder_root());
    assert_failure(checkpoint_write(nowhere, &header, arrays, ARRAYS), STATUS_CANNOT_CREATE, nowhere);
}
