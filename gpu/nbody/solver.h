// An N-body solver on the device. Private to gpu/nbody/.
#ifndef FATHOM_GPU_NBODY_SOLVER_H
#define FATHOM_GPU_NBODY_SOLVER_H

#include "gpu/allgather.h"
#include "gpu/nbody/method.h"
#include "gpu/nbody/results_kernels.h"
#include "gpu/order.h"
#include "gpu/results.h"
#include "gpu/samples.h"

// The times of the stages are measured in one step out of so many. A direct sum has only those from
// NBODY_STAGE_FORCE on.
enum { NBODY_SAMPLE_EVERY = 8 };

struct nbody_device_results {
    struct gpu_results common;
    struct nbody_wanted wanted;
    struct results_nbody_trajectory trajectory;
    unsigned *index; // device, by id, as of the last record; NULL: bodies lie by id
    struct results_nbody_scratch scratch;
};

// What several ranks do together (ranks.c): each device has all bodies and the whole tree, and computes the
// field of its rank's bodies; all get all of it. One rank: all is 0.
struct nbody_device_ranks {
    struct gpu_allgather gather;
    // [rank] each. By bodies: those of the start, of direct sums and of checkpoints; by groups: those of the
    // next walk.
    struct share *bodies, *groups;
    // Only with a tree, [group]: the work of the last walk that was weighed, on the device and the host.
    unsigned *group_work, *mirror_work;
    double *weights;
    // Where devices address each other's memory and there are few, a walk writes its accelerations to all.
    int peers;
    cudaEvent_t weighed;
    bool has_event, is_weighed; // is_weighed: by groups that are not cut yet
    int64_t walks;              // since the start
};

struct solver {
    struct nbody_setup setup;
    struct gpu_timeline timeline;
    struct nbody_device_results results;
    struct nbody_direct direct;
    struct nbody_device_tree tree; // of NBODY_BARNES_HUT
    struct nbody_device_ranks ranks;
    char device_name[256];
    size_t element;

    // ---- on the device, in the tree's order, or by id
    struct nbody_device_bodies bodies;
    // As planned; a tree exchanges the two of a kind.
    void *planned_body[2], *planned_velocity[2], *planned_field;
    unsigned *planned_id[2];
    struct stage_samples samples;

    // ---- on the host, pinned, in the device's order
    void *mirror_body, *mirror_velocity, *mirror_field;
    struct gpu_order mirror_order;
    bool is_mirror_current, has_field; // has_field: the mirror's field is that of the present bodies
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
// Sets the bodies' pointers; after the reserve.
void nbody_point_bodies(struct solver *s);
void nbody_get(const struct solver *s, size_t first, size_t count, struct nbody_body *bodies);
void nbody_set(struct solver *s, size_t first, size_t count, const struct nbody_body *bodies);
void nbody_get_field(const struct solver *s, size_t first, size_t count, struct nbody_field *field);
// gpu_order_take of the mirror's order.
enum status nbody_take_order(struct solver *s);
// Bodies and order; both wait. fetch: unless the mirror is current.
enum status nbody_fetch_mirror(struct solver *s);
enum status nbody_send_mirror(struct solver *s);
enum status nbody_fetch_field(struct solver *s, const void *field);

// step.c
// The field of the present bodies; builds the tree first, if the method has one. `sample`: NULL, or what the
// events are recorded in.
enum status nbody_begin_forces(struct solver *s, struct stage_sample *sample);
// With potentials, into *field. Changes nothing that a step uses.
enum status nbody_begin_field(struct solver *s, bool is_direct, const void **field);
// One step; `begins`: the first of a series, `ends`: the last.
enum status nbody_begin_step(struct solver *s, bool begins, bool ends);

// ranks.c. One rank: each does nothing. After the arrays and the tree were planned.
enum status nbody_device_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status nbody_device_ranks_open(struct solver *s);
void nbody_device_ranks_close(struct solver *s);
// All ranks get the bodies of rank 0, by id; or what each has of a checkpoint. In the mirror.
enum status nbody_device_ranks_share_mirror(struct solver *s);
enum status nbody_device_ranks_join_mirror(struct solver *s);
// Begins at the shares of the start.
void nbody_device_ranks_restart(struct solver *s);
// Before a walk: its groups. `begin` may find shares that are due, and is called for the forces of a step.
enum status nbody_device_ranks_begin(struct solver *s);
// After the field of the own bodies was computed: all get all of it. is_direct: by direct summation.
enum status nbody_device_ranks_gather(struct solver *s, void *field, bool is_direct);
// The same after the forces of a step: now and then weighs the groups, by which `begin` cuts them later.
enum status nbody_device_ranks_end(struct solver *s);
// Cuts the groups by a weighing that is over.
enum status nbody_device_ranks_cut(struct solver *s);

// results.c: the back end's operations (models/nbody/solver.h).
enum status nbody_device_plan_results(struct solver *s, const struct nbody_wanted *wanted,
                                      struct memory_plan *plan, const char *prefix);
enum status nbody_device_capture(struct solver *s, enum nbody_result result, int slot, size_t record,
                                 int64_t step);
enum status nbody_device_send(struct solver *s, int result, int slot, size_t records, void *to);
enum status nbody_device_await(struct solver *s, enum nbody_result result, int slot,
                               struct nbody_nonfinite *found);
enum status nbody_device_guard(struct solver *s, int64_t step, struct nbody_nonfinite *found);
enum status nbody_device_finish(struct solver *s, struct nbody_nonfinite *found);
// Runs each of them once, on memory that is still all zero.
enum status nbody_device_warm_up_results(struct solver *s);

#endif
