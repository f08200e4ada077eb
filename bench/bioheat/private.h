// What the files of `fathom bench bioheat` share: its options, its variants, its rows. For this folder only.
#ifndef FATHOM_BENCH_BIOHEAT_PRIVATE_H
#define FATHOM_BENCH_BIOHEAT_PRIVATE_H

#include "bench/common.h"
#include "models/bioheat/solver.h"

enum { BENCH_VARIANTS = 9, BENCH_ROWS_MAX = 2 * BENCH_VARIANTS * BENCH_ENTRIES_MAX };

// Floating-point operations of a cell in a step, for comparison with the source document: the five-point
// formula along three axes as it is printed there (3 multiplications and 4 additions each), their sum, the
// point's factor, and the addition to the temperature. Its own table does not say how it counts; 135 GFLOP/s
// at the 68 GB/s that it gives for the same kernel are 24 if 12 bytes are moved.
enum { BENCH_FLOPS = 25 };

enum bench_media { BENCH_UNIFORM, BENCH_LABELS, BENCH_FIELDS };

struct bench_variant {
    const char *name; // as --variant takes it
    enum bench_media media;
    enum bioheat_method method;
    enum bioheat_dose dose;
    bool has_maximum;
};
extern const struct bench_variant bench_variants[BENCH_VARIANTS];

struct bench_options {
    struct bench_common common;
    size_t cells[BIOHEAT_AXES];
    bool by_processor_time;         // of all threads together: for one thread on a machine that is busy
    bool is_wanted[BENCH_VARIANTS]; // none: all
    bool precisions[2];             // single, double; none: both
};

struct bench_row {
    const struct bench_entry *entry;
    const struct bench_variant *variant;
    enum element precision;
    int steps;
    bool is_device_clock;
    double step_ms, cells_per_s, bytes_per_cell, gigabytes_per_s;
};

struct bench_results {
    int row_count;
    struct bench_row rows[BENCH_ROWS_MAX];
};

static inline const struct bioheat_backend *bench_backend(const struct bench_entry *entry)
{
    return (const struct bioheat_backend *)entry->backend; // whose first member it is
}

// ---- case.c

// Times the row's variant and fills in its figures.
enum status bench_time_row(const struct bench_options *options, struct bench_row *row);

// ---- print.c

void bench_describe_row(const struct bench_row *row, char *text, size_t bytes);
void bench_print(const struct bench_options *options, const struct bench_results *results);
enum status bench_print_as_json(const struct bench_options *options, const struct bench_results *results);

#endif
