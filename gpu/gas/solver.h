// A gas solver on the device, as the files of gpu/gas/ share it. Private to them.
#ifndef FATHOM_GPU_GAS_SOLVER_H
#define FATHOM_GPU_GAS_SOLVER_H

#include "gpu/gas/method.h"
#include "gpu/gas/move.h"
#include "gpu/gas/results.h"
#include "gpu/samples.h"

// Times of phases are taken of one step out of so many; a prime, so that sorts that come every few steps are
// not always missed.
enum { GAS_SAMPLE_EVERY = 11 };

struct solver {
    struct gas_setup setup;
    struct gpu_timeline timeline;
    struct gas_device_results results;
    struct gas_direct direct;
    struct gas_device_lists *lists;     // NULL: none
    struct gas_device_regions *regions; // NULL: none
    char device_name[256];

    // ---- on the device, in the order of the last sort, or by id
    struct gas_device_particles particles;
    double *other_force; // [count][2]: of evaluate
    double *energy;      // [count][2]: of evaluate and of diagnostics
    struct gas_error_flag *error_flag;
    struct gas_device_counts *counts;
    struct gas_move move;
    unsigned token; // of the last renewal of the lists

    struct stage_samples samples;
    struct gas_counts told; // as of the last finish

    // ---- on the host, pinned, in the device's order; `place`: where a particle lies in the mirror, by id;
    // NULL: by id
    double *mirror_position, *mirror_velocity, *mirror_mass, *mirror_places, *mirror_force, *mirror_energy;
    unsigned *mirror_id, *place;
    struct gas_device_counts *mirror_counts;
    bool is_mirror_current, has_field; // has_field: the mirror's field is that of the particles as they stand
};

// Whether particles have an order of their own.
bool gas_has_order(const struct solver *s);
static inline bool gas_has_pairs(const struct solver *s)
{
    return s->setup.physics->potential != GAS_NO_FORCE;
}

// arrays.c
enum status gas_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix);
// Who moves them knows their arrays; once memory is reserved.
void gas_point_moves(struct solver *s);
void gas_get(const struct solver *s, size_t first, size_t count, struct gas_particle *particles);
void gas_set(struct solver *s, size_t first, size_t count, const struct gas_particle *particles);
void gas_get_field(const struct solver *s, size_t first, size_t count, struct gas_field *field);
// The mirror's order is that of the ids.
void gas_order_by_id(struct solver *s);
// STATUS_DATA if its ids are not 0 … count − 1, each once.
enum status gas_take_order(struct solver *s);
// Particles, order, places at the sort and counts; both wait. `at_sort`: places at the sort as positions.
enum status gas_fetch_mirror(struct solver *s);
enum status gas_send_mirror(struct solver *s, bool at_sort);
enum status gas_fetch_field(struct solver *s, const double *force);

// step.c
// Sort and lists. `sample`: NULL, or where its events are recorded; likewise below.
enum status gas_begin_order(struct solver *s, bool must, int64_t done, struct stage_sample *sample);
// Forces of pairs, of the particles as they stand and are sorted.
enum status gas_begin_forces(struct solver *s, struct stage_sample *sample);
// Energies of pairs, gravity and soft walls. Steps find everything as it was.
enum status gas_begin_energy(struct solver *s, bool is_by_pairs);
// All forces, to other_force.
enum status gas_begin_other_forces(struct solver *s, bool is_by_pairs);
// One step; `begins`: the one before left nothing undone and has begun nothing; `ends`: none follows.
enum status gas_begin_step(struct solver *s, int64_t step, bool begins, bool ends);

#endif
