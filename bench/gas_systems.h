// The systems of `fathom bench gas`: their jobs, and particles in a state that is typical of a run.
#ifndef FATHOM_BENCH_GAS_SYSTEMS_H
#define FATHOM_BENCH_GAS_SYSTEMS_H

#include "bench/bench.h"
#include "models/gas/params.h"

// LOG_2500 and CONDENSING_2500 have 50 × 50 cells; for LOG and CONDENSING the job's default applies.
enum bench_gas_system {
    BENCH_GAS_LOG,
    BENCH_GAS_LOG_2500,
    BENCH_GAS_CONDENSING,
    BENCH_GAS_CONDENSING_2500,
    BENCH_GAS_REAL_GAS,
    BENCH_GAS_LENNARD_JONES,
    BENCH_GAS_FORCE_SHIFTED,
    BENCH_GAS_SYSTEMS
};

// The model's options.
enum { BENCH_GAS_SYSTEM, BENCH_GAS_SKIN, BENCH_GAS_COLUMNS, BENCH_GAS_NEAR, BENCH_GAS_FAR, BENCH_GAS_ORDER };

extern const char *const bench_gas_system_names[BENCH_GAS_SYSTEMS + 1];

// The particles of all rows of one system and size.
struct bench_gas_particles {
    enum bench_gas_system system;
    size_t count;
    struct gas_particle *particles;
    double potential; // energy for each particle of a fluid; else NaN
};

// Reads the physics of a row from its job. Nothing has to be freed.
enum status bench_gas_read(const struct bench *bench, const struct bench_row *row, struct gas_params *params);
// Makes the particles of the row's system and size, unless `particles` holds them already; frees others. Free
// the last ones with bench_gas_free.
enum status bench_gas_make_particles(const struct bench *bench, const struct bench_row *row,
                                     struct bench_gas_particles *particles);
void bench_gas_free(struct bench_gas_particles *particles);

#endif
