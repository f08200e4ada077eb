// What the files of `fathom bench tsunami` share: its options, its grids, its rows. For this folder only.
#ifndef FATHOM_BENCH_TSUNAMI_PRIVATE_H
#define FATHOM_BENCH_TSUNAMI_PRIVATE_H

#include "bench/common.h"
#include "models/tsunami/backends.h"

enum {
    BENCH_METHODS_MAX = 2, // as many as have a grid in common
    BENCH_VARIANT_BYTES = 48,
    BENCH_ROWS_MAX = 2 * BENCH_METHODS_MAX * BENCH_ENTRIES_MAX
};

struct bench_options {
    struct bench_common common;
    size_t nx, ny;
    double step_s; // 0 = the usual one
    double manning_n;
    bool has_maxima;
    int method_count; // all on the ocean, or all where the shore moves
    enum tsunami_method methods[BENCH_METHODS_MAX];
};

// The grid of the benchmark: everything that a solver's setup points to.
struct bench_grid {
    bool floods; // beach and islands; else the ocean
    struct tsunami_geometry geometry;
    struct tsunami_physics physics;
    struct tsunami_records records;
    double wave_height_m, wave_speed_m_s;
    double *x, *y, *x_distance, *y_distance, *cosine, *tangent, *coriolis, *depth_m;
    double *row[3];
};

struct bench_row {
    const struct bench_entry *entry;
    enum element precision;
    enum tsunami_method method;
    int steps;
    bool is_device_clock;
    size_t wet_nodes; // at the start
    double step_ms, nodes_per_s, bytes_per_node, gigabytes_per_s;
};

struct bench_results {
    double step_s, limit_s;
    int row_count;
    struct bench_row rows[BENCH_ROWS_MAX];
};

static inline bool bench_floods(const struct bench_options *options)
{
    return tsunami_method_floods(options->methods[0]);
}

// ---- grid.c

// The longest step that a job on this grid may have, and the one that it takes if none is given.
double bench_step_limit_s(const struct bench_options *options);
double bench_usual_step_s(const struct bench_options *options);
enum status bench_grid_plan(struct bench_grid *grid, const struct bench_options *options,
                            enum element precision, struct memory_plan *plan);
// After reserve; physics are set for the method, the geometry and the depth filled in.
void bench_grid_fill(struct bench_grid *grid, const struct bench_options *options);
void bench_grid_set_physics(struct bench_grid *grid, const struct bench_options *options,
                            enum tsunami_method method);
// The swell that the benchmark starts from: every wet node moves. Returns how many are wet.
size_t bench_grid_set_state(struct bench_grid *grid, const struct tsunami_backend *backend,
                            struct tsunami_solver *solver);
enum status bench_grid_check_state(struct bench_grid *grid, const struct tsunami_backend *backend,
                                   struct tsunami_solver *solver);

// ---- case.c

// Times the row's variant and fills in its figures.
enum status bench_variant(const struct bench_options *options, double step_s, struct bench_row *row);

// ---- print.c

// "float, vtcs2"
void bench_describe_variant(const struct bench_row *row, char *text, size_t bytes);
void bench_print_table(const struct bench_options *options, const struct bench_results *results);
enum status bench_print_json(const struct bench_options *options, const struct bench_results *results);

#endif
