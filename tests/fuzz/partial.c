// What an unfinished run left in partial/: files cut off, changed, gone, under each other's names, or of
// others. A checkpoint is found or not; if one is, the run resumes from it, or states why it cannot, and its
// results are whole.
#include "io/checkpoint.h"
#include "io/netcdf/result.h"
#include "io/output/output.h"

#include "tests/fuzz/support/fuzz.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { FILES_MAX = 16, LENGTH = 4, CHANGES_MAX = 4, HASH_BYTES = 16 };

static const double places[LENGTH] = {0, 1, 2, 3};
static const struct stream fields = {
    .name = "fields",
    .title = "fields",
    .has_records = true,
    .element = ELEMENT_F32,
    .records_per_frame = 1,
    .axis_count = 1,
    .axes = {{"x", NULL, "x", "m", 'X', LENGTH, places}},
    .variable_count = 1,
    .variables = {{.name = "eta", .long_name = "eta", .units = "m", .rank = 1, .axes = {0}}}};
static const struct stream *const streams[] = {&fields};

static struct {
    char name[64];
    unsigned char *bytes;
    size_t size;
} files[FILES_MAX];
static int file_count;

static struct output_request request_of(void)
{
    return (struct output_request){.directory = fuzz_path("run"),
                                   .streams = streams,
                                   .stream_count = 1,
                                   .title = "fuzz",
                                   .source = "Fathom",
                                   .history = "fuzz",
                                   .join = true};
}

static bool write_record(struct sink *sink, int64_t record)
{
    float values[LENGTH] = {(float)record, 1, 2, 3};
    double time_s = (double)record;
    const struct frame frame = {.records = 1, .times_s = &time_s, .data = values};
    return fuzz_ok(sink->write(sink->context, &frame));
}

static bool save(struct sink *sink, int64_t step)
{
    double state[2] = {(double)step, 7};
    const struct checkpoint_array array = {"state", state, sizeof state};
    struct checkpoint_header header = {.step = step, .version = "0.1.0", .backend = "openmp"};
    return fuzz_ok(sink->checkpoint(sink->context, &header, &array, 1));
}

static void empty(const char *directory)
{
    DIR *entries = opendir(directory);
    char path[512];
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && remove(path) != 0)
            rmdir(path);
    }
    if (entries)
        closedir(entries);
}

static void keep_files(void)
{
    DIR *entries = opendir(fuzz_path("run/partial"));
    for (struct dirent *entry; entries && file_count < FILES_MAX && (entry = readdir(entries));) {
        char path[512];
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", fuzz_path("run/partial"), entry->d_name);
        if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        FILE *file = fopen(path, "rb");
        files[file_count].size = (size_t)about.st_size;
        files[file_count].bytes = malloc(files[file_count].size);
        snprintf(files[file_count].name, sizeof files[0].name, "%.63s", entry->d_name);
        FUZZ_EXPECT(file && fread(files[file_count].bytes, 1, files[file_count].size, file) ==
                                files[file_count].size,
                    "%s", path);
        fclose(file);
        file_count++;
    }
    closedir(entries);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

// An undisturbed run up to its third checkpoint, whose files are then changed for each input.
static void make_run(void)
{
    struct sink sink;
    const struct output_request request = request_of();
    FUZZ_EXPECT(fuzz_ok(output_open(&request, &sink)), "no run");
    for (int64_t step = 0; step < 3; step++)
        FUZZ_EXPECT(write_record(&sink, step) && save(&sink, step + 1), "no checkpoint");
    write_record(&sink, 3); // which the checkpoint does not know
    output_close(&sink);
    keep_files();
    qsort(files, (size_t)file_count, sizeof *files, compare_names);
    FUZZ_EXPECT(file_count >= 4, "%d files in partial/", file_count);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, "run/partial/%.64s", name);
    fuzz_write(path, bytes, size);
}

// The checksum that belongs to a checkpoint, so that what is in it is believed.
static void put_hash(unsigned char *bytes, size_t size)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size - HASH_BYTES));
    memcpy(bytes + size - HASH_BYTES, canonical.digest, HASH_BYTES);
}

static void change(struct fuzz_bytes *bytes)
{
    static const char *const names[] = {"checkpoint.a",
                                        "checkpoint.b",
                                        "fields.0000.nc",
                                        "fields.0001.nc",
                                        "fields.0002.nc",
                                        "fields.0003.nc",
                                        "fields.9999.nc",
                                        "checkpoint.a.tmp",
                                        "final",
                                        "other",
                                        "fields..nc",
                                        "fields.00x1.nc",
                                        "fields.18446744073709551616.nc",
                                        "fields.-1.nc",
                                        "maxima.static.nc"};
    const int which = (int)fuzz_below(bytes, (size_t)file_count);
    const bool is_checkpoint = strncmp(files[which].name, "checkpoint", 10) == 0;
    const size_t size = files[which].size;
    unsigned char *copy = malloc(size);
    char name[96];
    memcpy(copy, files[which].bytes, size);
    switch (fuzz_below(bytes, 6)) {
    case 0: // gone
        snprintf(name, sizeof name, "run/partial/%s", files[which].name);
        unlink(fuzz_path(name));
        break;
    case 1: // cut off
        write_file(files[which].name, copy, size * fuzz_byte(bytes) / 256);
        break;
    case 2: // changed; what HDF5 makes of changed files is its own
    case 3:
        for (size_t n = fuzz_below(bytes, 4) + 1; is_checkpoint && n > 0; n--)
            copy[(fuzz_byte(bytes) | (size_t)fuzz_byte(bytes) << 8) % size] = fuzz_byte(bytes);
        if (is_checkpoint && fuzz_flag(bytes))
            put_hash(copy, size);
        write_file(files[which].name, copy, size);
        break;
    case 4: // under another's name
        write_file(names[fuzz_below(bytes, FUZZ_COUNT(names))], copy, size);
        break;
    default:
        write_file(names[fuzz_below(bytes, FUZZ_COUNT(names))], bytes->at,
                   bytes->left < 64 ? bytes->left : 64);
    }
    free(copy);
}

static void check_results(int64_t records)
{
    struct result_file *file = NULL;
    double *times = NULL;
    size_t length;
    FUZZ_EXPECT(fuzz_ok(result_open(fuzz_path("run/fields.nc"), &file)),
                "the results of a run that ended cannot be opened");
    FUZZ_EXPECT(fuzz_ok(result_read_all(file, "time", &times, &length)) && length == (size_t)records,
                "%zu records, not %lld", length, (long long)records);
    for (size_t k = 1; k < length; k++)
        FUZZ_EXPECT(times[k] > times[k - 1], "time %zu: %g after %g", k, times[k], times[k - 1]);
    free(times);
    result_close(file);
}

static void go_on(void)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct sink sink;
    double state[2];
    const struct checkpoint_array array = {"state", state, sizeof state};
    output_partial_bytes(fuzz_path("run"));
    if (!fuzz_ok(output_find_checkpoint(fuzz_path("run"), path)))
        return;
    FUZZ_EXPECT(fuzz_ok(checkpoint_verify(path, &header)), "a checkpoint was found that cannot be believed");
    if (!fuzz_ok(checkpoint_read(path, &header, &array, 1)))
        return;
    struct output_request request = request_of();
    request.resume_path = path;
    request.resume = &header;
    if (!fuzz_ok(output_open(&request, &sink)))
        return;
    const int64_t records = header.records[0];
    bool is_fine = write_record(&sink, records) && save(&sink, records + 1) &&
                   write_record(&sink, records + 1) && fuzz_ok(sink.finish(sink.context));
    output_close(&sink);
    if (is_fine)
        check_results(records + 2);
}

FUZZ_HARNESS(partial)
{
    struct fuzz_bytes bytes = {data, size};
    if (file_count == 0)
        make_run();
    mkdir(fuzz_path("run"), 0777);
    mkdir(fuzz_path("run/partial"), 0777);
    empty(fuzz_path("run/partial"));
    for (int k = 0; k < file_count; k++)
        write_file(files[k].name, files[k].bytes, files[k].size);
    for (int k = 0; k < CHANGES_MAX && bytes.left > 0; k++)
        change(&bytes);
    go_on();
    fuzz_files_closed();
    empty(fuzz_path("run/partial"));
    empty(fuzz_path("run"));
    return 0;
}
