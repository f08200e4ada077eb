// What every harness needs: the fuzzer's bytes taken as numbers, words and texts; files that last for one
// input; and what must hold after every call that can fail. Knows no format and no model.
//
// A finding is a crash, a sanitizer's report, a leak, a time-out, or whatever FUZZ_EXPECT says.
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

// Holds the status of a call against its contract: a failure has a message of one line, without control
// characters, and is no STATUS_SOFTWARE, which is for what must not happen whatever the input. Forgets the
// failure. Whether it was STATUS_OK. With FATHOM_FUZZ_SAY in the environment the message is printed.
bool fuzz_ok(enum status status);

// ---- the input, from its front; at its end there are zeros

struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

uint8_t fuzz_byte(struct fuzz_bytes *bytes);
uint32_t fuzz_word(struct fuzz_bytes *bytes);              // little-endian, four bytes
size_t fuzz_below(struct fuzz_bytes *bytes, size_t count); // 0 … count − 1, of one byte
bool fuzz_flag(struct fuzz_bytes *bytes);
// Any: small whole numbers, short decimals, the ends of the integers, the largest, NaN, infinities, or any
// bits.
double fuzz_number(struct fuzz_bytes *bytes);
// One of the words; or, seldom, a text of up to 40 of the input's own bytes (without 0), in `own`.
enum { FUZZ_TEXT_BYTES = 41 };
const char *fuzz_text(struct fuzz_bytes *bytes, const char *const *words, size_t count,
                      char own[FUZZ_TEXT_BYTES]);
#define FUZZ_COUNT(array) (sizeof(array) / sizeof *(array))

// ---- files: in a folder in memory that is removed at the end

// The folder's path, and the path of a file in it; the text lasts until the eighth call after it.
const char *fuzz_folder(void);
const char *fuzz_path(const char *name);
// Makes or replaces a file; returns its path.
const char *fuzz_write(const char *name, const void *data, size_t size);

// At the end of an input: every file that was opened since the mark (or the end of the last input) is closed.
void fuzz_files_mark(void);
void fuzz_files_closed(void);

#endif
