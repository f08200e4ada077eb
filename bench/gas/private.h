// What the files of `fathom bench gas` share: its options, its rows, its particles. For this folder only.
#ifndef FATHOM_BENCH_GAS_PRIVATE_H
#define FATHOM_BENCH_GAS_PRIVATE_H

#include "bench/time.h"
#include "models/gas/params.h"
#include "models/gas/regions_error.h"

enum {
    BENCH_COUNTS_MAX = 16, // numbers of particles asked for
    BENCH_ROWS_MAX = 512,
    BENCH_COUNT_LEAST = 256,
    BENCH_HOST_PAIRS_MOST = 65536, // on a processor, unless more is asked for: by every pair, and by cells
    BENCH_HOST_COUNT_MOST = 1 << 21,
    BENCH_FLUID_MOST = 1 << 20,
    BENCH_REFERENCE_COUNT = 2048
};

// What is computed. LOG_2500 and CONDENSING_2500 have the source document's 50 × 50 cells, LOG and CONDENSING
// as many as a job would have.
enum bench_system {
    BENCH_LOG,
    BENCH_LOG_2500,
    BENCH_CONDENSING,
    BENCH_CONDENSING_2500,
    BENCH_REAL_GAS,
    BENCH_LENNARD_JONES,
    BENCH_FORCE_SHIFTED,
    BENCH_SYSTEMS
};

// How a row sums its forces, which is also the table that shows it.
enum bench_way { BENCH_PAIRS, BENCH_LISTS, BENCH_REGIONS, BENCH_WAYS };

// Tables, and which of them a row is for. 0: what is run only to know what more particles will take.
enum bench_table { BENCH_VARIANTS = 1, BENCH_SOURCE = 2 };

struct bench_options {
    struct bench_common common;
    size_t counts[BENCH_COUNTS_MAX]; // asked for; none: the usual ones
    int count_count;
    bool systems[BENCH_SYSTEMS], methods[GAS_METHODS], precisions[2]; // float, double; none: all
    unsigned tables;                                                  // 0: all, or with --size the variants
    double budget_s, skin;                                            // skin 0: as a job has it
    double near, far;                                                 // radii of the regions in cells
    int order, columns;                                               // columns 0: the system's
};

struct bench_row {
    const struct bench_entry *entry;
    int entry_index;
    enum bench_system system;
    enum gas_method method;
    enum bench_way way;
    enum element precision;
    size_t count;
    unsigned tables;
    double operations; // of a step, estimated: only ratios matter
    int columns, rows; // of the regions
    bool has_run;      // else time.step_ms, if it is above 0, is an estimate, and nothing else is there
    struct bench_time time;
    double phase_ms[GAS_PHASES];          // a step
    double pairs, bytes;                  // of a step
    double potential;                     // a particle, of a fluid at the start
    double neighbours, rebuilds_per_step; // of the lists
    struct gas_regions_error error;       // of the regions
};

struct bench_results {
    int row_count;
    struct bench_row rows[BENCH_ROWS_MAX];
    struct bench_limit limits[BENCH_ENTRIES_MAX][2];
};

// The particles of all rows of one system and one number; and the fluid that they are copies of.
struct bench_particles {
    enum bench_system system;
    size_t count, fluid_count;
    enum bench_system fluid_system;
    double fluid_potential; // a particle
    struct gas_particle *particles, *fluid;
};

static inline int bench_kind(enum element precision)
{
    return precision == ELEMENT_F32 ? 0 : 1;
}

static inline const char *bench_precision_name(enum element precision)
{
    return precision == ELEMENT_F32 ? "float" : "double";
}

static inline bool bench_is_reference(const struct bench_entry *entry)
{
    return entry->backend == &gas_backend_reference.head;
}

// ---- systems.c: physics, and particles at the start

extern const char *const gas_bench_system_names[BENCH_SYSTEMS];

// The physics of a row, as a job would have it. `backend`: whose cells are chosen, NULL: the processor's.
void gas_bench_set_up(const struct bench_options *options, enum bench_system system, enum gas_method method,
                      size_t count, const struct backend *backend, struct gas_params *params);
// Particles of this system and number, whatever was there. gas_bench_free in the end.
enum status gas_bench_make_particles(const struct bench_options *options, enum bench_system system,
                                     size_t count, struct bench_particles *particles);
void gas_bench_free(struct bench_particles *particles);
// Instructions that a pair takes at least (besides the reciprocal of a square): differences, the square, the
// law, the sums.
int gas_bench_pair_operations(enum bench_system system);

// ---- rows.c: which rows there are

// All that is asked for, by system and number of particles; those of one entry and precision one after the
// other.
enum status gas_bench_list_rows(const struct bench_options *options, struct bench_results *results);
// NULL: there is none.
const struct bench_row *gas_bench_find(const struct bench_results *results, int entry,
                                       enum bench_system system, enum gas_method method,
                                       enum element precision, size_t count);
// Seconds that a step of the row will take, by what was measured with fewer particles; 0: nothing is known.
double gas_bench_expected_step_s(const struct bench_results *results, const struct bench_row *row);

// ---- case.c

// Runs the row and fills in its figures.
enum status gas_bench_run_row(const struct bench_options *options, const struct bench_particles *particles,
                              struct bench_row *row);

// ---- print.c, json.c

extern const char *const gas_bench_phase_names[GAS_PHASES];
void gas_bench_describe_row(const struct bench_row *row, char *text, size_t bytes);
// Pairs a second that the arithmetic alone could do; 0: not known.
double gas_bench_pairs_limit(const struct bench_results *results, const struct bench_row *row);
void gas_bench_print(const struct bench_options *options, const struct bench_results *results);
enum status gas_bench_print_json(const struct bench_options *options, const struct bench_results *results);

// ---- source.c: the source document's figures

struct bench_source_row {
    const char *name, *machine;
    bool is_device;
    enum bench_system system;
    enum gas_method method;
    size_t count;
    double ms, speed_up; // of a frame; against its own sum over every pair; 0: not given
    int near_cells;      // of its cells; 0: not given, or it has none
    const char *note;    // or NULL
    bool has_none;       // nothing here does the same: no time of ours stands beside it
};
enum { BENCH_SOURCE_ROWS = 18 };
extern const struct bench_source_row gas_bench_source_rows[BENCH_SOURCE_ROWS];
void gas_bench_print_source(const struct bench_options *options, const struct bench_results *results);

#endif
