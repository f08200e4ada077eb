// A heat solver on the device. Private to gpu/bioheat/.
#ifndef FATHOM_GPU_BIOHEAT_SOLVER_H
#define FATHOM_GPU_BIOHEAT_SOLVER_H

#include "gpu/bioheat/kernels.h"
#include "gpu/bioheat/results_kernels.h"
#include "gpu/exchange.h"
#include "gpu/results.h"
#include "models/bioheat/results.h"
#include "models/bioheat/solver.h"

#include <stddef.h>
#include <stdint.h>

// Doses of this many steps are added in the run's precision before they are added to the sum in double: this
// bounds the rounding error to 32/2 units in the last place of a single-precision number.
enum { HEAT_FLUSH_STEPS = 32 };
// Amplitudes of points and boxes: number of calls of advance that may be under way.
enum { HEAT_BATCHES = 4 };
enum { HEAT_COLOURS = 3 };
// Arrays of the temperature at most.
enum { HEAT_STATES = 3 };

struct heat_device_results {
    struct gpu_results common;
    struct bioheat_wanted wanted;
    unsigned char fields[BIOHEAT_FIELD_COUNT];
    // On the device
    double *partials;       // block sums of every diagnostics record of the frames
    long long *sensors;     // heat_cell_offset, [BIOHEAT_CORNERS][sensor]
    double *sensor_weights; // the same
    unsigned char *roles;
    double *capacities;
    void *capacity;
    // On the host
    long long *host_sensors;
    double *host_sensor_weights;
    unsigned char *host_roles;
    double *host_capacities;
    struct results_heat_media media;
};

struct solver {
    struct bioheat_setup setup;
    struct gpu_timeline timeline;
    struct heat_device_results results;
    char device_name[256];
    int multiprocessors;
    bool is_plain; // the baseline: a cell a thread
    bool has_velocity;
    struct heat_sweeps has_sweep; // sweeping kernels that the device can run
    bool sweeps;                  // the media permit such a kernel
    int labels_max;               // number of labels planned for

    // ---- the state on the device. An array's memory begins `lead` elements before its cell (0, 0, 0).
    struct heat_shape shape;
    struct gpu_exchange exchange; // of planes that a step or stage reads
    // euler, and rkl2 that sweeps: whether the halo is one that steps left; euler: how many were made since
    // it was exchanged
    bool is_halo_current;
    int halo_steps;
    size_t element, array_elements;
    ptrdiff_t lead;           // of a rank's part less than none: cell (0, 0, 0) is not in its memory
    void *theta[HEAT_STATES]; // euler: two; rkl2: three; else one
    void *first_change;       // rkl2: what a step at the rates of its start would add
    // index of the array with the state; in place: 0: the state lies at the array's beginning, 1: `shift`
    // planes on
    int current;
    bool is_divided;   // rkl2: the steps have sub-steps
    int slab, shift;   // in place: planes of a slab, and by how many planes the state moves in a step
    void *side_planes; // in place, periodic along z: old planes that are overwritten before they are read
    void *low, *largest;
    double *high, *largest_at_s;
    // The second dose: kernels of their own record it of all cells, so that the others stay as they are. rkl2
    // that sweeps writes over the step's start, of which second_start keeps a copy.
    void *second_low, *second_start;
    double *second_high;
    struct heat_records second;
    // number of last steps that are not yet in the records of cells that no step changes; their weight, and
    // the time of the first
    int unrecorded;
    double unrecorded_weight_min, unrecorded_since_s;

    // ---- media and source on the device
    struct heat_media media;
    struct heat_step step; // what stays from step to step
    void *codes, *pairs, *conductances, *cells, *walls, *conductivity, *gain, *loss, *carry[BIOHEAT_AXES];
    unsigned char *classes, *compact;
    void *layers[BIOHEAT_LAYERS_MAX];
    cudaEvent_t layer_free, layer_there[BIOHEAT_LAYERS_MAX];
    bool is_layer_awaited[BIOHEAT_LAYERS_MAX];  // the next step that uses it must wait for it
    const void *layer_from[BIOHEAT_LAYERS_MAX]; // host: what was sent last
    struct heat_points points;
    long long *point_cells;
    int *point_starts, *point_indices;
    void *point_gains;
    struct heat_box *boxes;
    int box_groups, *box_group_ends; // host; groups of boxes without common cells, one after the other
    double *amplitudes[HEAT_BATCHES], *device_amplitudes[HEAT_BATCHES];
    cudaEvent_t batch_done[HEAT_BATCHES];
    int batch, events; // the next batch; events created

    // ---- on the host: tables to upload, and the mirror, dense [z][y][x], pinned
    void *host_conductances, *host_cells, *host_walls, *host_point_gains;
    unsigned char *host_compact;
    long long *host_point_cells;
    int *host_point_starts, *host_point_indices;
    struct heat_box *host_boxes;
    void *mirror_theta, *mirror_low, *mirror_largest;
    double *mirror_high, *mirror_largest_at_s;
    void *mirror_second_low;
    double *mirror_second_high;
    bool is_mirror_current;
    enum status status; // of a call that could not return one
};

static inline void solver_forget_halo(struct solver *s)
{
    s->is_halo_current = false;
    s->halo_steps = 0;
}

static inline bool solver_is_single(const struct solver *s)
{
    return s->setup.precision == ELEMENT_F32;
}

static inline bool solver_is_in_place(const struct solver *s)
{
    return s->setup.physics->method == BIOHEAT_EULER_IN_PLACE;
}

// Whether the steps are rkl2's and sweep: the state stays in the first array, and the others, with
// differences from it, are 0 where steps change nothing.
static inline bool solver_sweeps_stages(const struct solver *s)
{
    return s->setup.physics->method == BIOHEAT_RKL2 && s->sweeps && !s->is_plain;
}

static inline bool solver_has_dose(const struct solver *s)
{
    return s->setup.physics->dose != BIOHEAT_DOSE_OFF;
}

static inline bool solver_has_second_dose(const struct solver *s)
{
    return s->setup.physics->second_dose != BIOHEAT_DOSE_OFF;
}

static inline size_t solver_labels_row(const struct heat_media *media)
{
    return media->is_few ? HEAT_FEW_LABELS : BIOHEAT_LABELS;
}

static inline void *solver_element(const struct solver *s, void *array, size_t index)
{
    return (char *)array + index * s->element;
}

static inline bool heat_has_colours(enum bioheat_method method)
{
    return method == BIOHEAT_THREE_COLOUR || method == BIOHEAT_SOURCE_THREE_COLOUR;
}

// Cell (0, 0, 0) of the present state, or of the state that the next step computes.
void *solver_theta(const struct solver *s, bool next);
// The address so many bytes on or back, which need not be within the array. NULL stays NULL.
static inline void *solver_address(void *array, ptrdiff_t bytes)
{
    return array ? (void *)((uintptr_t)array + (uintptr_t)bytes) : NULL;
}

// The address of an array's cell (0, 0, 0).
static inline void *solver_cells(const struct solver *s, void *array)
{
    return solver_address(array, s->lead * (ptrdiff_t)s->element);
}
static inline double *solver_doubles(const struct solver *s, double *array)
{
    return solver_address(array, s->lead * (ptrdiff_t)sizeof *array);
}

// Elements from an array's cell (0, 0, 0) to another.
static inline long long heat_cell_offset(const struct heat_shape *shape, const size_t cell[BIOHEAT_AXES])
{
    return (long long)cell[BIOHEAT_Z] * shape->plane + (long long)cell[BIOHEAT_Y] * shape->pitch +
           (long long)cell[BIOHEAT_X];
}

// arrays.c
enum status heat_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix);
// A dense array [z][y][x] of the grid to the cells of a device array, or back, elements of `element` bytes;
// begun on a stream.
enum status heat_copy_grid(struct solver *s, void *device_cells, void *host, size_t element, bool to_device,
                           cudaStream_t stream);
// Of some planes; host: where its plane 0 would be.
enum status heat_copy_planes(struct solver *s, struct bioheat_planes copied, void *device_cells, void *host,
                             size_t element, bool to_device, cudaStream_t stream);
// The mirror: state and records; both wait. fetch: unless it is current.
enum status heat_fetch_mirror(struct solver *s);
enum status heat_send_mirror(struct solver *s);

// media.c
enum status heat_plan_media(struct solver *s, struct memory_plan *plan, const char *prefix);
void heat_point_media(struct solver *s); // addresses, once reserved
enum status heat_start_media(struct solver *s);
double heat_gain(const struct solver *s,
                 const size_t at[BIOHEAT_AXES]); // Δt/ρc, 0 where steps change nothing

// source.c
enum status heat_plan_source(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status heat_start_source(struct solver *s);
enum status heat_take_layer(struct solver *s, int layer);
enum status heat_layer_taken(struct solver *s, int layer);
// Uploads the amplitudes of points and boxes of a call of advance, to *device.
enum status heat_send_amplitudes(struct solver *s, int64_t count, const double *amplitudes,
                                 const double **device);
enum status heat_amplitudes_used(struct solver *s);
// Sets the layers of a step, those whose amplitude is not 0; the compute stream waits for them.
enum status heat_set_layers(struct solver *s, const double *amplitudes);
// Points and boxes, `weight` times their heat of a step, into the own cells of an array (its cell (0, 0, 0)).
enum status heat_places(struct solver *s, void *cells, const double *amplitudes, double weight);
// The same for planes [first, last) alone, on a stream, with weight 1.
enum status heat_places_in(struct solver *s, void *cells, const double *amplitudes, int first, int last,
                           cudaStream_t stream);
void heat_close_source(struct solver *s);

// step.c
// The halo's planes of an array of temperatures (its cell (0, 0, 0)) from the neighbouring ranks.
// is_beside: while other work fills the device.
enum status heat_exchange_planes(struct solver *s, void *cells, bool is_beside);
void heat_set_step(struct solver *s);
enum status heat_launch_step(struct solver *s, int64_t step, const double *amplitudes,
                             const double *device_amplitudes);
// Records what the steps left out; before the records are read.
enum status heat_finish_records(struct solver *s);
struct results_heat heat_present_state(const struct solver *s);
// Nothing recorded yet.
enum status heat_forget_records(struct solver *s);

// results.c: the back end's operations (models/bioheat/solver.h).
enum status heat_device_plan_results(struct solver *s, const struct bioheat_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix);
enum status heat_device_capture(struct solver *s, enum bioheat_result result, int slot, size_t record,
                                int64_t step, const double *amplitudes);
enum status heat_device_send(struct solver *s, int result, int slot, size_t records, void *to);
enum status heat_device_await(struct solver *s, enum bioheat_result result, int slot,
                              struct bioheat_nonfinite *found);
enum status heat_device_guard(struct solver *s, int64_t step, struct bioheat_nonfinite *found);
enum status heat_device_finish(struct solver *s, struct bioheat_nonfinite *found);
// With the media filled in: begins uploads on the compute stream; nothing is found yet.
enum status heat_device_start_results(struct solver *s);
// Runs each of them once, on memory that is still all zero.
enum status heat_device_warm_up_results(struct solver *s);

#endif
