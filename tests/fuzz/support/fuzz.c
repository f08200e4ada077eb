// See fuzz.h.
#include "tests/fuzz/support/fuzz.h"

#include "core/log.h"

#include <ctype.h>
#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int report = 2; // the fuzzer closes standard error to what it runs

void fuzz_finding(const char *file, int line, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dprintf(report, "FINDING: %s:%d: %s\n", file, line, text);
    abort();
}

bool fuzz_ok(enum status status)
{
    if (status == STATUS_OK) {
        FUZZ_EXPECT(!status_message()[0], "a failure was recorded, yet the call succeeded: %s",
                    status_message());
        return true;
    }
    const char *message = status_message();
    FUZZ_EXPECT(message[0], "%s without a message", status_name(status));
    for (const char *c = message; *c; c++)
        FUZZ_EXPECT(!iscntrl((unsigned char)*c), "control character %d in the message: %s", *c, message);
    FUZZ_EXPECT(status != STATUS_SOFTWARE, "STATUS_SOFTWARE: %s (%s)", message, status_origin());
    if (getenv("FATHOM_FUZZ_SAY"))
        dprintf(report, "%s: %s\n", status_name(status), message);
    status_clear();
    return false;
}

// udunits2's scanner keeps a few bytes of each unit that its grammar then refuses (libudunits2 2.2.28).
// netCDF-C keeps a file's description when it cannot write it (4.9.0: the files made for it, netcdf_bytes.c);
// a file left open by its reader is found by fuzz_files_closed.
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libudunits2\nleak:libnetcdf";
}

// ---- the input

uint8_t fuzz_byte(struct fuzz_bytes *bytes)
{
    if (bytes->left == 0)
        return 0;
    bytes->left--;
    return *bytes->at++;
}

uint32_t fuzz_word(struct fuzz_bytes *bytes)
{
    uint32_t word = 0;
    for (int k = 0; k < 4; k++)
        word |= (uint32_t)fuzz_byte(bytes) << (8 * k);
    return word;
}

size_t fuzz_below(struct fuzz_bytes *bytes, size_t count)
{
    return count > 0 ? fuzz_byte(bytes) % count : 0;
}

bool fuzz_flag(struct fuzz_bytes *bytes)
{
    return fuzz_byte(bytes) & 1;
}

double fuzz_number(struct fuzz_bytes *bytes)
{
    static const double odd[] = {NAN,
                                 INFINITY,
                                 -INFINITY,
                                 1.7976931348623157e308,
                                 -1.7976931348623157e308,
                                 5e-324,
                                 2.2e-308,
                                 9007199254740993.0,
                                 9223372036854775807.0,
                                 -9223372036854775808.0,
                                 18446744073709551615.0,
                                 4294967296.0,
                                 2147483648.0,
                                 -2147483649.0,
                                 1e30,
                                 9.96920996838687e36,
                                 -32767,
                                 -9999,
                                 1e-30,
                                 -0.0,
                                 1e20,
                                 360,
                                 720,
                                 90,
                                 3.4e38,
                                 3.5e38};
    const uint8_t kind = fuzz_byte(bytes);
    double value;
    uint64_t bits;
    switch (kind >> 5) {
    case 0:
    case 1:
    case 2:
        return kind; // 0 … 95
    case 3:
        return -(double)fuzz_byte(bytes);
    case 4:
        return (double)(int32_t)fuzz_word(bytes) / 1000;
    case 5:
        return (double)fuzz_byte(bytes) * 1e-3;
    case 6:
        return odd[kind % FUZZ_COUNT(odd)];
    default:
        bits = fuzz_word(bytes);
        bits |= (uint64_t)fuzz_word(bytes) << 32;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

const char *fuzz_text(struct fuzz_bytes *bytes, const char *const *words, size_t count,
                      char own[FUZZ_TEXT_BYTES])
{
    const uint8_t choice = fuzz_byte(bytes);
    if (choice < 250 && count > 0)
        return words[choice % count];
    size_t length = fuzz_below(bytes, FUZZ_TEXT_BYTES), k = 0;
    for (; k < length && bytes->left > 0; k++) {
        own[k] = (char)fuzz_byte(bytes);
        if (!own[k])
            own[k] = ' ';
    }
    own[k] = '\0';
    return own;
}

// ---- files

static char folder[64];

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    if (folder[0])
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
    if (folder[0])
        return folder;
    strcpy(folder, "/dev/shm/fathom-fuzz-XXXXXX");
    if (!mkdtemp(folder)) {
        strcpy(folder, "/tmp/fathom-fuzz-XXXXXX");
        if (!mkdtemp(folder))
            abort();
    }
    atexit(remove_folder);
    return folder;
}

const char *fuzz_path(const char *name)
{
    static char paths[8][160];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder(), name);
    return path;
}

const char *fuzz_write(const char *name, const void *data, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

static int open_files, open_files_left; // at the last look; since then, by what is looked at

static int count_open_files(void)
{
    int count = 0;
    DIR *entries = opendir("/proc/self/fd");
    while (entries && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    return count;
}

void fuzz_files_mark(void)
{
    open_files = count_open_files();
}

void fuzz_files_closed(void)
{
    enum { OTHERS_MAX = 8 }; // that libraries and the fuzzer open once
    const int count = count_open_files();
    if (open_files > 0)
        open_files_left += count - open_files;
    open_files = count;
    FUZZ_EXPECT(open_files_left <= OTHERS_MAX, "%d files were left open", open_files_left);
}

// ---- the harnesses, and what libFuzzer calls

enum { HARNESSES_MAX = 32 };

static struct {
    const char *name;
    fuzz_harness *harness;
} harnesses[HARNESSES_MAX];
static size_t harness_count;
static fuzz_harness *chosen;

void fuzz_register(const char *name, fuzz_harness *harness)
{
    if (harness_count == HARNESSES_MAX)
        abort();
    harnesses[harness_count].name = name;
    harnesses[harness_count++].harness = harness;
}

// Takes the harness's name from the front of the arguments; the program's name stays.
static void choose(int *argc, char ***argv)
{
    for (size_t k = 0; k<harness_count && * argc> 1; k++)
        if (strcmp((*argv)[1], harnesses[k].name) == 0)
            chosen = harnesses[k].harness;
    if (!chosen) {
        fprintf(stderr, "%s: the first argument names a harness:", (*argv)[0]);
        for (size_t k = 0; k < harness_count; k++)
            fprintf(stderr, " %s", harnesses[k].name);
        fprintf(stderr, "\n");
        exit(EXIT_FAILURE);
    }
    (*argv)[1] = (*argv)[0];
    (*argv)++, (*argc)--;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    choose(argc, argv);
    report = dup(2);
    fuzz_folder();
    const struct log_options quiet = {.terminal_level = LOG_QUIET};
    return log_open(&quiet) == STATUS_OK ? 0 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return chosen(data, size);
}
