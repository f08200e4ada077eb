// An N-body solver on the device, as the files of gpu/nbody/ share it. Private to them.
#ifndef FATHOM_GPU_NBODY_SOLVER_H
#define FATHOM_GPU_NBODY_SOLVER_H

#include "gpu/nbody/method.h"
#include "gpu/nbody/results.h"
#include "gpu/samples.h"

// Times of phases are taken of one step out of so many. Of a direct sum only those from NBODY_STAGE_FORCE on.
enum { NBODY_SAMPLE_EVERY = 8 };

struct solver {
    struct nbody_setup setup;
    struct gpu_timeline timeline;
    struct nbody_device_results results;
    struct nbody_direct direct;
    struct nbody_device_tree *tree; // NULL: direct sums
    char device_name[256];
    size_t element;

    // ---- on the device, in the tree's order, or by id
    struct nbody_device_bodies bodies;
    void *planned_body[2], *planned_velocity[2],
        *planned_field; // where the plan put them; a tree swaps two of a kind
    unsigned *planned_id[2];
    struct stage_samples samples;

    // ---- on the host, pinned, in the device's order; `place` (of a tree): where a body lies in the mirror,
    // by id
    void *mirror_body, *mirror_velocity, *mirror_field;
    unsigned *mirror_id, *place;
    bool is_mirror_current, has_field; // has_field: the mirror's field is that of the bodies as they stand
    enum status status;                // of a call that could not return one
};

static inline bool solver_is_single(const struct solver *s)
{
    return s->setup.precision == ELEMENT_F32;
}

static inline bool solver_has_tree(const struct solver *s)
{
    return s->setup.physics->method == NBODY_BARNES_HUT;
}

// arrays.c
enum status nbody_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix);
// The bodies' pointers, once memory is reserved.
void nbody_point_bodies(struct solver *s);
void nbody_get(const struct solver *s, size_t first, size_t count, struct nbody_body *bodies);
void nbody_set(struct solver *s, size_t first, size_t count, const struct nbody_body *bodies);
void nbody_get_field(const struct solver *s, size_t first, size_t count, struct nbody_field *field);
// The mirror's order is that of the ids.
void nbody_order_by_id(struct solver *s);
// STATUS_DATA if its ids are not 0 … count − 1, each once.
enum status nbody_take_order(struct solver *s);
// Bodies and order; both wait.
enum status nbody_fetch_mirror(struct solver *s);
enum status nbody_send_mirror(struct solver *s);
enum status nbody_fetch_field(struct solver *s, const void *field);

// step.c
// Field of the bodies as they stand: the tree first, if there is one. `sample`: NULL, or where its events are
// recorded.
enum status nbody_begin_forces(struct solver *s, struct stage_sample *sample);
// With potentials; *field is where it lies. Steps find everything as it was.
enum status nbody_begin_field(struct solver *s, bool is_direct, const void **field);
// One step; `begins`: the one before left its own end undone; `ends`: none follows.
enum status nbody_begin_step(struct solver *s, bool begins, bool ends);

#endif
