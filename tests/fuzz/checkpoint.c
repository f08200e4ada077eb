// The reader of checkpoints. The first byte says whether the rest is the file as it stands, or with the
// checksum that belongs to it put at its end, so that what lies behind the checksum is reached. A file that
// is believed must have the right checksum, and reads the same through both functions.
#include "io/checkpoint.h"

#include "tests/fuzz/support/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { HASH_BYTES = 16, ARRAYS = 2 };

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++)
        at[k] = (unsigned char)(value >> (8 * k));
}

static void check_header(const struct checkpoint_header *header)
{
    FUZZ_EXPECT(strnlen(header->version, CHECKPOINT_TEXT_MAX) < CHECKPOINT_TEXT_MAX &&
                    strnlen(header->backend, CHECKPOINT_TEXT_MAX) < CHECKPOINT_TEXT_MAX &&
                    strnlen(header->instruction_set, CHECKPOINT_TEXT_MAX) < CHECKPOINT_TEXT_MAX,
                "a text of the header has no end");
}

// What was read, written again, is the same file.
static void write_again(const char *path, const struct checkpoint_header *header,
                        const struct checkpoint_array *arrays, size_t size)
{
    struct checkpoint_header again;
    const char *copy = fuzz_path("again");
    FUZZ_EXPECT(fuzz_ok(checkpoint_write(copy, header, arrays, ARRAYS)), "what was read cannot be written");
    FUZZ_EXPECT(fuzz_ok(checkpoint_verify(copy, &again)), "what was written is not believed: %s", path);
    FUZZ_EXPECT(again.step == header->step && again.job_hash == header->job_hash &&
                    again.segment == header->segment,
                "what was written has another header");
    FUZZ_EXPECT(checkpoint_file_bytes(arrays, ARRAYS) == size, "another length than what was read");
}

FUZZ_HARNESS(checkpoint)
{
    if (size < 1 + 32 + HASH_BYTES)
        return -1;
    const uint8_t kind = *data++;
    size--;
    unsigned char *file = malloc(size);
    memcpy(file, data, size);
    if (kind & 2)
        put(file + 16, size, 8); // its own length
    if (kind & 1) {
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, XXH3_128bits(file, size - HASH_BYTES));
        memcpy(file + size - HASH_BYTES, canonical.digest, HASH_BYTES);
    }
    XXH128_canonical_t right;
    XXH128_canonicalFromHash(&right, XXH3_128bits(file, size - HASH_BYTES));
    const bool is_right = memcmp(right.digest, file + size - HASH_BYTES, HASH_BYTES) == 0;
    const char *path = fuzz_write("checkpoint.a", file, size);
    struct checkpoint_header header, verified;
    unsigned char state[24], more[40];
    const struct checkpoint_array arrays[ARRAYS] = {{"state", state, sizeof state},
                                                    {"more", more, sizeof more}};
    memset(state, 0xA5, sizeof state);
    const bool is_believed = fuzz_ok(checkpoint_verify(path, &verified));
    FUZZ_EXPECT(!is_believed || is_right, "a file with a wrong checksum is believed");
    if (is_believed)
        check_header(&verified);
    if (fuzz_ok(checkpoint_read(path, &header, arrays, ARRAYS))) {
        FUZZ_EXPECT(is_believed && memcmp(&header, &verified, sizeof header) == 0,
                    "read, but not believed, or another header");
        write_again(path, &header, arrays, size);
    } else {
        for (size_t k = 0; k < sizeof state; k++)
            FUZZ_EXPECT(state[k] == 0xA5, "an array was filled though the file was refused");
    }
    free(file);
    fuzz_files_closed();
    return 0;
}
