// A tsunami solver on the device, as the files of gpu/tsunami/ share it: arrays, tiles, records, given edges,
// launches. Private to them.
#ifndef FATHOM_GPU_TSUNAMI_SOLVER_H
#define FATHOM_GPU_TSUNAMI_SOLVER_H

#include "gpu/tsunami/kernels.h"
#include "gpu/tsunami/results.h"
#include "models/tsunami/host_level.h"

enum { RECORD_ARRAYS = 7 + TSUNAMI_ARRIVALS_MAX };
enum { COUNT_COMPUTED, COUNT_ALL, COUNTS };

struct solver {
    struct host_level host; // the mirror: one copy of the state, pinned; bottom and coefficients
    // A nested grid works on the timeline of the outermost, in one order with all the others.
    struct gpu_timeline own_timeline, *timeline;
    bool has_children;
    struct tsunami_device_results results;
    char device_name[256];
    // On the device. `still`: c0, or z where the shore moves.
    void *state[2][TSUNAMI_FIELDS], *still, *columns, *rows;
    void *packed_rows; // host: the row coefficients as the kernel wants them
    int current;
    bool is_mirror_current; // the mirror holds the device's present state
    // Records: the model's arrays on the host, and the device's.
    float *host_records[RECORD_ARRAYS], *device_records[RECORD_ARRAYS];
    struct device_records records;
    bool is_paused; // the steps leave the records alone
    // Tiles
    struct tile_shape shape;
    int tile_columns, tile_rows, tile_count;
    struct device_tile *tiles, *device_list; // host, device: those that are not always land
    unsigned char *flags, *device_flags;     // [3][tiles]: moving (two steps), awake
    unsigned long long *device_computed,
        *counts;                            // node-steps: on the device, computed; on the host, that and all
    unsigned long long *device_made, *made; // [tiles] steps made
    unsigned long long *device_taken;       // what the blocks of all launches have taken
    unsigned long long steps_made, taken;   // by every tile; what device_taken will be after the last launch
    double all_node_steps,
        computed_node_steps; // as of the last wait: asked for when the plan's memory is gone
    int multiprocessors;
    int moving; // which of the two moving flags is the last step's
    // Given edges, and where those of a nested grid lie in its parent.
    struct device_edge edges[TSUNAMI_SIDES];
    struct device_link *links, *device_links; // host, device
    // Weak dispersion: [rows][pitch] as the state; velocities at the step's start only where a step does not
    // leave them in the other copy of the state.
    struct {
        void *work, *value[2], *lower[2], *upper[2], *psi[2], *scratch, *before[2]; // [2]: along x, along y
    } dispersion;
    bool is_plain;      // a kernel a sweep, all nodes: the baseline
    enum status status; // of a call that could not return one
};

static inline bool solver_is_single(const struct solver *s)
{
    return s->host.setup.precision == ELEMENT_F32;
}

static inline size_t solver_state_bytes(const struct solver *s)
{
    return s->host.rows * s->host.pitch * s->host.element;
}

static inline size_t solver_tiles(const struct solver *s)
{
    return (size_t)s->tile_columns * (size_t)s->tile_rows;
}

// arrays.c: memory of the plan, and between host and device.
enum status solver_plan_arrays(struct solver *s, const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix);
// Copies are begun on the compute stream; finish returns when all that was begun there is done.
enum status solver_upload(struct solver *s, void *to, const void *from, size_t bytes);
enum status solver_download(struct solver *s, void *to, const void *from, size_t bytes);
enum status solver_finish(struct solver *s);
// The mirror's state and coefficients to the device, where nothing is under way.
enum status solver_upload_arrays(struct solver *s);
// The device's present state to the mirror, and back after the mirror was changed.
enum status solver_fetch_state(struct solver *s);
enum status solver_send_state(struct solver *s);
void solver_note_work(struct solver *s);

// records.c
enum status solver_plan_records(struct solver *s, struct memory_plan *plan, const char *prefix);
void solver_set_records(struct solver *s);
// The first `rows` rows of all records, to the device or from it; waits.
enum status solver_copy_records(struct solver *s, bool to_device, size_t rows);
enum status solver_send_source_level(struct solver *s);

// tiles.c
enum status solver_plan_tiles(struct solver *s, struct memory_plan *plan, const char *prefix);
void solver_list_tiles(struct solver *s);
enum status solver_upload_tiles(struct solver *s);
// Those in which the mirror is not all zero: to the flags of the last step.
void solver_find_moving_tiles(struct solver *s);

// edges.c
enum status solver_plan_edges(struct solver *s, struct memory_plan *plan, const char *prefix);
// Links and what the model has written so far.
enum status solver_start_edges(struct solver *s);
enum status solver_take_edges(struct solver *s, size_t first, size_t count);
// What the next step's edges are raised by, if they are.
enum status solver_take_rise(struct solver *s);
enum status solver_gather_edges(struct solver *s, size_t slot);

// dispersion.c: its arrays, if there is dispersion; and those of the plain version too.
enum status solver_plan_dispersion(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status solver_plan_before(struct solver *s, struct memory_plan *plan, const char *prefix);
// Before a step of the plain version.
enum status solver_keep_before(struct solver *s);

// step.c
// Begins steps, or brings the records up to the present state.
enum status solver_launch_steps(struct solver *s, int64_t first_step, int64_t count);
enum status solver_launch_record(struct solver *s, double time_s);
// The present state as the results' kernels see it.
struct results_state solver_present_state(const struct solver *s);

#endif
