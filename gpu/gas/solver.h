// A gas solver on the device. Private to gpu/gas/.
#ifndef FATHOM_GPU_GAS_SOLVER_H
#define FATHOM_GPU_GAS_SOLVER_H

#include "gpu/allgather.h"
#include "gpu/gas/method.h"
#include "gpu/gas/move.h"
#include "gpu/gas/results_kernels.h"
#include "gpu/order.h"
#include "gpu/results.h"
#include "gpu/samples.h"

// The times of the stages are measured in one step out of so many: a prime, so that a sort every few steps is
// not always missed.
enum { GAS_SAMPLE_EVERY = 11 };

struct gas_device_results {
    struct gpu_results common;
    struct results_gas_trajectory trajectory;
    unsigned *index; // device, by id, as of the last record; NULL: particles lie by id
    struct results_gas_scratch scratch;
};

// What several ranks do together (ranks.c). One rank: all is 0.
struct gas_device_ranks {
    struct gpu_allgather gather;
    struct share *particles, *ones; // [rank] each: its particles; a row for each rank
    // Of regions, where devices address each other's memory and there are few: the others' forces, where the
    // own ones are written, too.
    double *peer_force[REGION_PEERS_MAX];
    int peers;
};

// Bands of lists (bands.h, ranks_bands.c): used if `is_open`, which is decided where the devices are known.
// is_joined: each rank has all particles, until the next step.
struct gas_device_bands {
    struct gas_bands view;
    bool is_planned, is_open, is_joined;
};

struct solver {
    struct gas_setup setup;
    struct gpu_timeline timeline;
    struct gas_device_results results;
    struct gas_direct direct;
    struct gas_device_lists lists;     // if has_lists
    struct gas_device_regions regions; // if has_regions
    bool has_lists, has_regions;       // at most one of them
    struct gas_device_ranks ranks;
    struct gas_device_bands bands;
    char device_name[256];

    // ---- on the device, in the order of the last sort, or by id
    struct gas_device_particles particles;
    double *other_force;                // [count][2]: of evaluate
    double *energy;                     // [count][2]: of evaluate and of diagnostics
    struct gas_error_flag *error_flags; // [rank]
    struct gas_error_flag *error_flag;  // this rank's
    struct gas_device_counts *counts;
    struct gas_move move;
    unsigned token; // of the last renewal of the lists

    struct stage_samples samples;
    struct gas_counts reported; // as of the last finish

    // ---- on the host, pinned, in the device's order. mirror_at_sort: positions at the last sort.
    double *mirror_position, *mirror_velocity, *mirror_mass, *mirror_at_sort, *mirror_force, *mirror_energy;
    struct gpu_order mirror_order;
    struct gas_device_counts *mirror_counts;
    bool is_mirror_current, has_field; // has_field: the mirror's field is that of the present particles
};

// Whether particles lie in another order than that of the ids.
bool gas_has_order(const struct solver *s);
static inline bool gas_has_pairs(const struct solver *s)
{
    return s->setup.physics->potential != GAS_NO_FORCE;
}

// arrays.c
enum status gas_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix);
// Sets the arrays of `move` and the error flag; after the reserve.
void gas_point_moves(struct solver *s);
void gas_get(const struct solver *s, size_t first, size_t count, struct gas_particle *particles);
void gas_set(struct solver *s, size_t first, size_t count, const struct gas_particle *particles);
void gas_get_field(const struct solver *s, size_t first, size_t count, struct gas_field *field);
// gpu_order_take of the mirror's order.
enum status gas_take_order(struct solver *s);
// Particles, order, positions at the sort and counts; both wait. `at_sort`: sends these as the positions.
enum status gas_fetch_mirror(struct solver *s);
enum status gas_send_mirror(struct solver *s, bool at_sort);
enum status gas_fetch_field(struct solver *s, const double *force);

// step.c
// Sort and lists. `sample`: NULL, or what the events are recorded in; likewise below.
enum status gas_begin_order(struct solver *s, bool must, int64_t done, struct stage_sample *sample);
// Forces of pairs, of the present particles as the last sort left them.
enum status gas_begin_forces(struct solver *s, struct stage_sample *sample);
// Energies of pairs, gravity and soft walls. Changes nothing that a step uses.
enum status gas_begin_energy(struct solver *s, bool is_by_pairs);
// All forces, to other_force.
enum status gas_begin_other_forces(struct solver *s, bool is_by_pairs);
// One step; `begins`: the first of a series, `ends`: the last.
enum status gas_begin_step(struct solver *s, int64_t step, bool begins, bool ends);

// ranks.c. One rank: each does nothing.
bool gas_device_has_ranks(const struct solver *s);
// After the arrays and the method were planned.
enum status gas_device_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status gas_device_ranks_open(struct solver *s);
void gas_device_ranks_close(struct solver *s);
// An exchange; and all exchanges of the warm-up are not counted.
enum status gas_device_ranks_warm_up(struct solver *s);
// All ranks get the particles of rank 0, by id; or what each has of a checkpoint. In the mirror.
enum status gas_device_ranks_share_mirror(struct solver *s);
enum status gas_device_ranks_join_mirror(struct solver *s);
// After sums for the own particles, [count][2]: all get all of them.
enum status gas_device_ranks_gather(struct solver *s, double *sums);
// Before the forces of a step are written to the others.
enum status gas_device_ranks_begin_writes(struct solver *s);
// The first error of all becomes that of each. In steps it goes with forces, or at the bands' meeting.
enum status gas_device_ranks_join_flags(struct solver *s);
// After the forces of a step: all have all of them, and the first error of all.
enum status gas_device_ranks_gather_forces(struct solver *s);
// Makes the counts of the own lists those of all.
enum status gas_device_ranks_add_counts(struct solver *s, struct gas_counts *counts);

// ranks_bands.c. Without bands each does nothing.
enum status gas_device_bands_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status gas_device_bands_open(struct solver *s);
// After a step has moved the own particles: ranks get of the others what they need.
enum status gas_device_bands_meet(struct solver *s);
// Before a sort of all particles, which each rank has.
enum status gas_device_bands_hold_all(struct solver *s);
// All ranks get all particles.
enum status gas_device_bands_join(struct solver *s);
// Makes an error that any rank has found that of all, as one rank would report it. All ranks meet here, and
// what each has found is with it (gas_device_find), also where each has all particles.
enum status gas_device_ranks_agree(struct solver *s, struct gas_finding *found);
// Adds what was read, and what this rank waited, to the run's. No work may be in progress.
enum status gas_device_bands_finish(struct solver *s);

// results.c: the back end's operations (models/gas/solver.h); its finish also collects the counts.
enum status gas_device_plan_results(struct solver *s, const struct gas_wanted *wanted,
                                    struct memory_plan *plan, const char *prefix);
enum status gas_device_capture(struct solver *s, enum gas_result result, int slot, size_t record,
                               int64_t step);
enum status gas_device_send(struct solver *s, int result, int slot, size_t records, void *to);
enum status gas_device_await(struct solver *s, enum gas_result result, int slot, struct gas_finding *found);
enum status gas_device_guard(struct solver *s, int64_t step, struct gas_finding *found);
enum status gas_device_finish_results(struct solver *s, struct gas_finding *found);
// The first error of the steps so far; of bands, GAS_ERRORS if another rank has the particle. Waits.
enum status gas_device_find(struct solver *s, struct gas_finding *found);
// Loads their kernels, and runs each of them once, on memory that is still all zero.
enum status gas_device_plan_finding(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status gas_device_warm_up_results(struct solver *s);

#endif
