// What the files of `fathom bench nbody` share: its options, its rows, its bodies. For this folder only.
#ifndef FATHOM_BENCH_NBODY_PRIVATE_H
#define FATHOM_BENCH_NBODY_PRIVATE_H

#include "bench/time.h"
#include "models/nbody/solver.h"

enum {
    BENCH_COUNTS_MAX = 16, // numbers of bodies in a table
    BENCH_ROWS_MAX = 1024,
    BENCH_SAMPLES = 1000, // bodies whose error is looked at
    BENCH_COUNT_LEAST = 2,
    BENCH_HOST_COUNT_MOST = 1 << 20 // on a processor, unless more is asked for
};

// Floating-point operations, for comparison with others. A pair: 20, as Nyland, Harris and Prins count it
// (GPU Gems 3, chapter 31, 2007). A cell with its quadrupole: those of point.h's add_cell and what comes
// before it, a fused multiply-add as two, the inverse root as two: 3 + 6 + 2 + 41.
enum { BENCH_PAIR_FLOPS = 20, BENCH_CELL_FLOPS = 52 };
// Instructions that a pair needs at least: three differences, three multiply-adds for the square, the inverse
// root, three products, three multiply-adds for the sums. A unit of its own for inverse roots may limit
// besides.
enum { BENCH_PAIR_OPERATIONS = 13 };

// Tables, and which of them a row is for.
enum bench_table {
    BENCH_VARIANTS = 1, // every method
    BENCH_SOURCE = 2,   // the source document's algorithms and numbers of bodies
    BENCH_PHASES = 4,   // its phases of a step with the tree
    BENCH_SIZES = 8     // time against the number of bodies
};

enum bench_error { BENCH_MEDIAN, BENCH_P90, BENCH_P99, BENCH_LARGEST, BENCH_ERRORS };

struct bench_options {
    struct bench_common common;
    size_t counts[BENCH_COUNTS_MAX]; // of the variants
    int count_count;
    bool has_own_counts;                        // asked for
    bool methods[NBODY_METHODS], precisions[2]; // float, double; none: all
    unsigned tables;                            // 0: all, or with --size the variants
    double theta, softening, budget_s;
    bool is_cube; // else Plummer's sphere
};

struct bench_row {
    const struct bench_entry *entry;
    int entry_index;
    enum nbody_method method;
    enum element precision;
    size_t count;
    unsigned tables;
    bool has_run; // else step_ms, if it is above 0, is an estimate, and nothing else is there
    struct bench_time time;
    double step_ms;
    double phase_ms[NBODY_PHASES]; // a step
    struct nbody_tree_counts counts;
    double interactions, flops; // of a step
    double errors[BENCH_ERRORS];
};

struct bench_results {
    int row_count;
    struct bench_row rows[BENCH_ROWS_MAX];
    struct bench_limit limits[BENCH_ENTRIES_MAX][2];
};

// The bodies of all rows of one number, and the exact accelerations of a sample of them for each precision.
struct bench_bodies {
    size_t count, samples;
    struct nbody_body *bodies;
    bool has_exact[2];
    double exact[2][BENCH_SAMPLES][NBODY_AXES];
};

static inline double bench_pairs_per_s(const struct bench_limit *limit)
{
    return limit->fma_per_s / BENCH_PAIR_OPERATIONS;
}

static inline int bench_kind(enum element precision)
{
    return precision == ELEMENT_F32 ? 0 : 1;
}

static inline bool bench_is_reference(const struct bench_entry *entry)
{
    return entry->backend == &nbody_backend_reference.head;
}

// ---- rows.c: which rows there are

extern const size_t nbody_bench_sizes[], nbody_bench_source_counts[];
enum { BENCH_SIZE_COUNT = 10, BENCH_SOURCE_COUNT = 2, BENCH_PHASES_COUNT = 150000 };

// All that is asked for, by number of bodies; those of one entry, method and precision one after the other.
enum status nbody_bench_list_rows(const struct bench_options *options, struct bench_results *results);
// NULL: there is none.
const struct bench_row *nbody_bench_find(const struct bench_results *results, int entry,
                                         enum nbody_method method, enum element precision, size_t count);
// Seconds that a step of the row will take, by what was measured with fewer bodies; 0: nothing is known.
double nbody_bench_expected_step_s(const struct bench_results *results, const struct bench_row *row);

// ---- case.c

// Bodies of this number into `bodies`, whatever was there. free(bodies->bodies) in the end.
enum status nbody_bench_make_bodies(const struct bench_options *options, size_t count,
                                    struct bench_bodies *bodies);
// Runs the row and fills in its figures.
enum status nbody_bench_run_row(const struct bench_options *options, struct bench_bodies *bodies,
                                struct bench_row *row);

// ---- print.c, tables.c, json.c

void nbody_bench_describe_row(const struct bench_row *row, char *text, size_t bytes);
// Their share of what the arithmetic alone can do; 0: not known.
double nbody_bench_share_of_limit(const struct bench_results *results, const struct bench_row *row);
void nbody_bench_print(const struct bench_options *options, const struct bench_results *results);
void nbody_bench_print_source(const struct bench_options *options, const struct bench_results *results);
void nbody_bench_print_phases(const struct bench_options *options, const struct bench_results *results);
void nbody_bench_print_sizes(const struct bench_options *options, const struct bench_results *results);
enum status nbody_bench_print_json(const struct bench_options *options, const struct bench_results *results);

// Times of two ways against the number of bodies: from how many on the second is the faster one.
struct bench_series {
    int entry;
    enum nbody_method method;
    enum element precision;
};
struct bench_crossover {
    bool is_known; // both were measured
    double count;  // interpolated; 0: at every number of bodies; INFINITY: at none
};
struct bench_crossover nbody_bench_find_crossover(const struct bench_results *results,
                                                  struct bench_series first, struct bench_series second);
// The pairs of ways that are compared, one after the other; false: there are no more.
struct bench_comparison {
    struct bench_series first, second;
    char text[3 * BENCH_LABEL_BYTES]; // "openmp, float: barnes-hut against direct"
};
bool nbody_bench_next_comparison(const struct bench_options *options, int *number,
                                 struct bench_comparison *comparison);

// The source document's figures.
struct bench_source_row {
    const char *name;
    bool is_device;
    int method;                           // enum nbody_method
    const char *text[BENCH_SOURCE_COUNT]; // seconds; NULL: it has no such algorithm
};
enum { BENCH_SOURCE_ROWS = 6 };
extern const struct bench_source_row nbody_bench_source_rows[BENCH_SOURCE_ROWS];
extern const double nbody_bench_source_phase_ms[NBODY_PHASES];
extern const char *const nbody_bench_phase_names[NBODY_PHASES];

#endif
