// For every harness: reads numbers, words and texts from the fuzzer's bytes; makes files that exist for one
// input; and checks the conditions that must hold after every call that can fail. Independent of formats and
// models.
//
// A finding is a crash, a sanitizer's report, a leak, a time-out, or a failed FUZZ_EXPECT.
#ifndef FATHOM_TESTS_FUZZ_SUPPORT_FUZZ_H
#define FATHOM_TESTS_FUZZ_SUPPORT_FUZZ_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Defines a harness and registers it: FUZZ_HARNESS(units) { ... } is given `data` and `size`, and returns 0,
// or −1 for an input that is not kept. One program holds all harnesses; its first argument names the one that
// runs.
#define FUZZ_HARNESS(name)                                                                                   \
    static int name##_harness(const uint8_t *data, size_t size);                                             \
    __attribute__((constructor)) static void name##_register(void)                                           \
    {                                                                                                        \
        fuzz_register(#name, name##_harness);                                                                \
    }                                                                                                        \
    static int name##_harness(const uint8_t *data, size_t size)

typedef int fuzz_harness(const uint8_t *data, size_t size);
void fuzz_register(const char *name, fuzz_harness *harness);

// Stops with a message, which makes the input a finding.
#define FUZZ_EXPECT(condition, ...)                                                                          \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fuzz_finding(__FILE__, __LINE__, __VA_ARGS__);                                                   \
    } while (0)

void fuzz_finding(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

// Returns whether `status` is STATUS_OK, and clears a failure. A failure must have a message of one line
// without control characters, and must not be STATUS_SOFTWARE, which no input may cause. If FATHOM_FUZZ_SAY
// is in the environment, the message is printed.
bool fuzz_ok(enum status status);

// ---- the input is read from its beginning; after its end all bytes are 0

struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

uint8_t fuzz_byte(struct fuzz_bytes *bytes);
uint32_t fuzz_word(struct fuzz_bytes *bytes);              // little-endian, four bytes
size_t fuzz_below(struct fuzz_bytes *bytes, size_t count); // 0 … count − 1, of one byte
bool fuzz_flag(struct fuzz_bytes *bytes);
// Any number: small whole numbers, short decimals, the limits of the integer types, the largest double, NaN,
// infinities, or arbitrary bits.
double fuzz_number(struct fuzz_bytes *bytes);
// One of the words; or sometimes a text of up to 40 bytes of the input (without 0), stored in `own`.
enum { FUZZ_TEXT_BYTES = 41 };
const char *fuzz_text(struct fuzz_bytes *bytes, const char *const *words, size_t count,
                      char own[FUZZ_TEXT_BYTES]);
#define FUZZ_COUNT(array) (sizeof(array) / sizeof *(array))

// ---- files: in a folder in memory that is removed at the end

// The folder's path, and the path of a file in it. The text stays valid until the eighth call after this one.
const char *fuzz_folder(void);
const char *fuzz_path(const char *name);
// Makes or replaces a file; returns its path.
const char *fuzz_write(const char *name, const void *data, size_t size);

// At the end of an input: checks that every file opened since the mark (or since the end of the last input)
// is closed.
void fuzz_files_mark(void);
void fuzz_files_closed(void);

#endif
