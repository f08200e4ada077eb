// What the files of `fathom bench ising` share: its options and its rows. For this folder only.
#ifndef FATHOM_BENCH_ISING_PRIVATE_H
#define FATHOM_BENCH_ISING_PRIVATE_H

#include "bench/time.h"
#include "models/ising/params.h"

enum {
    BENCH_SIZES_MAX = 16,
    BENCH_ROWS_MAX = 256,
    BENCH_SIZE_LEAST = 4,
    BENCH_SIZE_MOST = 1 << 20,
    BENCH_REPLICAS_MOST = 1 << 20,
    BENCH_REFERENCE_SIZE = 64,
    BENCH_SIGMAS = 6 // that an energy may be off by
};

struct bench_options {
    struct bench_common common;
    int sizes[BENCH_SIZES_MAX]; // asked for; none: the usual ones
    int size_count;
    int replicas, every;
    enum ising_boundary boundary;
    bool methods[ISING_METHODS]; // none: all
    double beta, check_beta;
    double budget_s;
};

// Of the energy per site at check_beta against the exact one of a periodic lattice.
struct bench_check {
    int64_t sweeps, measurements; // 0: not made
    double energy, error, exact;
};

struct bench_row {
    const struct bench_entry *entry;
    int entry_index;
    enum ising_method method;
    struct ising_lattice lattice;
    bool has_whole_spins;
    bool has_run;
    struct bench_time time;
    double turned; // sites that a sweep turns or decides on, a replica
    struct bench_check check;
};

struct bench_results {
    int row_count;
    struct bench_row rows[BENCH_ROWS_MAX];
    double draws_per_s[BENCH_ENTRIES_MAX]; // random words; 0: not known
};

static inline bool bench_is_reference(const struct bench_entry *entry)
{
    return entry->backend == &ising_backend_reference.head;
}

// ---- rows.c: which rows there are, and what they take

// All that is asked for and that the back ends have, by method and size.
enum status ising_bench_list_rows(const struct bench_options *options, struct bench_results *results);
// Random words that a spin takes at least.
double ising_bench_words(const struct bench_row *row);
// Bytes that a sweep moves at least, and its share of a measurement; 0: not known.
double ising_bench_bytes(const struct bench_options *options, const struct bench_row *row);
// Spins turned, or decided on, in a nanosecond.
double ising_bench_rate(const struct bench_row *row);
// Standard errors that the energy is off by.
double ising_bench_sigmas(const struct bench_row *row);

// ---- case.c

// Runs the row and fills in its figures.
enum status ising_bench_run_row(const struct bench_options *options, struct bench_row *row);

// ---- print.c, json.c

void ising_bench_describe_row(const struct bench_row *row, char *text, size_t bytes);
// Shares of what arithmetic and copies alone can do; 0: not known.
double ising_bench_of_arithmetic(const struct bench_results *results, const struct bench_row *row);
double ising_bench_of_copy(const struct bench_options *options, const struct bench_row *row);
const char *ising_bench_spins(const struct bench_row *row);
void ising_bench_print(const struct bench_options *options, const struct bench_results *results);
enum status ising_bench_print_json(const struct bench_options *options, const struct bench_results *results);

#endif
