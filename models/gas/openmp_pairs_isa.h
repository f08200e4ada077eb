// Pairs in lanes: compiled once per instruction set (openmp_pairs_isa.c) and chosen at run time by
// openmp_pairs.c. Independent of threads.
#ifndef FATHOM_MODELS_GAS_OPENMP_PAIRS_ISA_H
#define FATHOM_MODELS_GAS_OPENMP_PAIRS_ISA_H

#include "models/gas/openmp_solver.h"
#include "models/isa.h"

enum {
    PAIR_TARGETS = 64, // particles that are worked on together
    PAIR_BLOCK =
        256, // how many terms a sum in the run's precision has at most, before it is added to one in double
    PAIR_GROUP = 16, // particles whose neighbours lie side by side
    NEAR_ROOM = 8    // indices that find_near may write beyond what it returns
};

// Sources first … end − 1.
struct pair_range {
    size_t first, end;
};

// Particles of neighbouring cells in a row, and their image: what is added to a position before the distances
// are computed.
struct near_range {
    struct pair_range range;
    double shift[GAS_AXES];
};

// Position of a listed particle in float, as integers in units of the axis modulo 2³²: the range is several
// times the reach and divides a periodic side. The signed difference of two is that of the nearest images.
struct pair_position {
    uint32_t at[GAS_AXES];
};

// periodic: the box's sides, 0 where an axis has none; origin: what float positions are relative to.
struct pair_view {
    const struct gas_law *law;
    const struct gas_arrays *particles;
    double periodic[GAS_AXES], origin[GAS_AXES];
    double attraction, softening_square;         // of multipoles
    const struct pair_position *fixed_positions; // of lists in float
    double unit[GAS_AXES];
};

// Neighbours of particles first … first + PAIR_GROUP − 1: [length][PAIR_GROUP] indices. Empty entries have
// the particle's own index, or the last particle's beyond the end.
struct pair_list {
    const int32_t *neighbours;
    int length;
    bool has_images; // some of them, maybe, across a periodic side
};

// Sums of up to PAIR_TARGETS particles.
struct pair_sums {
    double x[PAIR_TARGETS], y[PAIR_TARGETS]; // force; or potential and virial
};

// [0] single, [1] double. Those of energies are in double.
struct pair_functions {
    const char *instruction_set;
    // Adds to the sums of targets (≤ PAIR_TARGETS) what sources of a range do.
    void (*add_range[2])(const struct pair_view *view, struct pair_range targets, struct pair_range sources,
                         struct pair_sums *sums);
    void (*add_range_energy)(const struct pair_view *view, struct pair_range targets,
                             struct pair_range sources, struct pair_sums *sums);
    // Sets the sums of a group.
    void (*sum_list[2])(const struct pair_view *view, size_t first, const struct pair_list *list,
                        struct pair_sums *sums);
    void (*sum_list_energy)(const struct pair_view *view, size_t first, const struct pair_list *list,
                            struct pair_sums *sums);
    // Indices of the particles in the ranges that are closer to a position than √reach_square, without
    // `itself`; returns how many. The list has space for all of the ranges, and NEAR_ROOM more.
    int (*find_near)(const double *const *positions, const struct near_range *ranges, int count,
                     const double *at, double reach_square, size_t itself, int32_t *list);
    // Adds what multipoles do, `cells` of them by index.
    void (*add_multipoles[2])(const struct pair_view *view, struct pair_range targets,
                              const struct pair_multipole *multipoles, const int32_t *cells, size_t count,
                              struct pair_sums *sums);
};

ISA_TABLES(pair_functions);

#endif
