// The structure of a gas: the radial distribution function, the distribution of speeds, and clusters, from
// positions and velocities on the host. The same bits for any number of threads, which sum whole numbers
// only. Independent of back ends, jobs and files.
//
// RADIAL DISTRIBUTION  g of a bin = pairs at such distances / those of as many independent, evenly spread
// particles in this box. The mean over directions of the part of the box that a shift by r leaves within the
// walls is 1 − (2 r/π)(b_x + b_y) + r² b_x b_y/π, b = 1/L on an axis with walls, 0 on a periodic one; exact
// for r up to the shorter walled side. An even gas therefore has g = 1, with or without walls.
// SPEEDS  u = v √(m/T), T the thermostat's or else the present 2K/degrees of freedom. Maxwell's density of u
// is u e^{−u²/2} for all masses.
// CLUSTERS  particles closer than a distance belong to one cluster (Stillinger, J. Chem. Phys. 38, 1963,
// doi:10.1063/1.1776907), by nearest images on periodic axes; by union and find (Tarjan 1975), over cells.
#ifndef FATHOM_MODELS_GAS_STRUCTURE_H
#define FATHOM_MODELS_GAS_STRUCTURE_H

#include "core/memory_plan.h"
#include "core/stream.h"
#include "models/gas/params.h"

// The largest reduced speed in the histogram: 2e-8 of Maxwell's distribution are beyond it. Classes of
// sizes of clusters: 1, 2–3, 4–7, …
enum { GAS_SPEED_RANGE = 6, GAS_CLUSTER_CLASSES_MAX = 31 };

struct gas_structure_analysis {
    // Set by the caller before the plan.
    const struct gas_physics *physics;
    struct gas_structure wanted;
    size_t count;
    int threads;
    bool is_idle; // another rank measures: the stream is described, and only what a checkpoint has is planned
    // Set by gas_structure_plan.
    struct stream stream;
    size_t cells[GAS_AXES];
    int classes; // of sizes of clusters
    // Arrays of the plan
    double *positions, *sorted; // [GAS_AXES][count], by id and by cell
    double *energies;           // [count]: m v²
    int32_t *cell, *starts;     // of a particle; where a cell's particles begin in `sorted`, [cells + 1]
    int32_t *parents, *sizes;   // [count], by index in `sorted`
    int64_t *pairs;             // [threads][bins + 1]: of one record; the last bin: pairs further apart
    double *sums;               // of all records since `from`
};

enum status gas_structure_plan(struct gas_structure_analysis *analysis, struct memory_plan *memory);
// Sets the values of the axes, after the reservation.
void gas_structure_start(struct gas_structure_analysis *analysis);
// The array that a checkpoint must hold.
struct checkpoint_array gas_structure_checkpoint(struct gas_structure_analysis *analysis);

// For each record: first set all particles, in any pieces and by any threads; then measure them.
void gas_structure_set(struct gas_structure_analysis *analysis, size_t first, size_t count,
                       const struct gas_particle *particles);
void gas_structure_measure(struct gas_structure_analysis *analysis, double time, double *record);

#endif
