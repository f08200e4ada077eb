// A tsunami solver on the device: arrays, tiles, records, boundary data, launches. Private to gpu/tsunami/.
#ifndef FATHOM_GPU_TSUNAMI_SOLVER_H
#define FATHOM_GPU_TSUNAMI_SOLVER_H

#include "gpu/allgather.h"
#include "gpu/exchange.h"
#include "gpu/results.h"
#include "gpu/tsunami/c_grid.h"
#include "gpu/tsunami/kernels.h"
#include "gpu/tsunami/results_kernels.h"
#include "models/tsunami/host_level.h"
#include "models/tsunami/solver.h"

enum { RECORD_ARRAYS = 10 + TSUNAMI_ARRIVALS_MAX };
enum { COUNT_COMPUTED, COUNT_ALL, COUNTS };

// The dispersion's lines along y of a divided grid (dispersion_ranks.c). beyond: rows of neighbours that are
// exchanged; first, end: rows of the parts that have own rows; parts_each: of a rank, at most. slots: of all
// parts (struct tsunami_dispersion_division); ends: [ranks][parts_each][2][3][pitch].
enum { TSUNAMI_DISPERSION_PASSED = 3 }; // arrays of the equations
struct tsunami_dispersion_ranks {
    struct gpu_allgather gather;
    int beyond, first, end, parts_each;
    size_t pitch, block_bytes; // of a rank's ends
    int32_t *slots, *device_slots;
    void *ends;
};

// A step's dispersion, as the kernels see it.
struct solver_dispersion_step {
    const struct tsunami_level_view *level;
    const struct tsunami_dispersion_view *view;
    bool is_x_first;
};

struct tsunami_device_results {
    struct gpu_results common;
    struct tsunami_wanted wanted;
    unsigned char fields[TSUNAMI_FIELD_COUNT];
    // On the device
    struct results_geometry geometry;
    double *depth_m, *columns, *rows;
    double *partials; // block sums of every diagnostics record of the frames
    int *nodes;       // of the gauges, with their weights
    double *weights;
    // On the host
    double *host_columns, *host_rows;
    int *host_nodes;
    double *host_weights;
};

struct solver {
    struct host_level host; // the mirror: one copy of the state, pinned; bottom and coefficients
    // Nested grids use the timeline of the outermost grid, so that all work has one order.
    struct gpu_timeline own_timeline, *timeline;
    bool has_children;
    struct tsunami_device_results results;
    char device_name[256];
    // On the device. `still`: c0, or z where the shore moves.
    void *state[2][TSUNAMI_FIELDS], *still, *columns, *rows;
    void *packed_rows; // host: the row coefficients in the kernels' order
    int current;
    bool is_mirror_current; // the mirror holds the device's present state
    // Records: the model's arrays on the host, and the device's.
    float *host_records[RECORD_ARRAYS], *device_records[RECORD_ARRAYS];
    struct device_records records;
    bool is_paused; // steps do not update the records
    // Points: as the device sees them; host places [2][count], and the device's.
    struct results_points points;
    int *point_places, *device_point_places;
    struct tsunami_point_state *device_point_states;
    // Tiles
    struct tile_shape shape;
    int tile_columns, tile_rows, tile_count;
    int tile_parts;                               // of each along y, which are counted; 1 of a whole grid
    struct device_tile *tiles, *device_list;      // host, device: those that are not always land
    unsigned char *flags, *device_flags;          // [3][tiles]: moving (two steps), awake
    unsigned long long *device_computed, *counts; // node-steps: computed, on the device; [COUNTS] on the host
    unsigned long long *device_made, *made;       // [tiles]: number of steps done
    unsigned long long *device_taken;             // items taken by the blocks of all launches
    unsigned long long steps_made, taken; // by every tile; the value of device_taken after the last launch
    double all_node_steps,
        computed_node_steps; // as of the last wait; read when the plan's memory is released
    int multiprocessors;
    int moving; // index of the last step's moving flags
    // Of a grid that is divided among ranks (ranks.c): flags for the neighbours and theirs, on the device.
    struct gpu_exchange exchange;
    unsigned char *sent_flags, *received_flags;
    // With tiles that wait for those of neighbours (peers.c): of theirs, on the host and the device, number
    // of steps done and flags of moving; by side, the neighbour's copies of this rank's.
    struct {
        bool is_open, is_used; // it can be; it is, from the start on
        unsigned long long *made, *device_made, *device_waited_ns;
        unsigned char *device_moving; // [2][tiles]
        void *theirs[GPU_EXCHANGE_SIDES][GPU_EXCHANGE_ADDRESSES_MAX];
    } peers;
    // Boundary data, and where those of a nested grid lie in its parent.
    struct device_edge edges[TSUNAMI_SIDES];
    struct device_link *links, *device_links; // host, device
    // Where the parent is divided: a slot of all given edges, [ranks][values], and how ranks tell each other.
    struct {
        struct gpu_allgather gather;
        double *blocks;
        size_t values;
    } edges_of_ranks;
    // Weak dispersion: [rows][pitch] as the state. `before`: velocities at the step's start, in the plain
    // version; else the other copy of the state has them.
    struct {
        void *work, *value[2], *lower[2], *upper[2], *psi[2], *scratch, *before[2]; // [2]: along x, along y
        struct tsunami_dispersion_ranks ranks;
    } dispersion;
    void *eddy[2]; // with eddy viscosity: [rows][pitch], what a step adds to u and v
    // On a staggered grid (c_grid.c): device arrays [rows][pitch]; the velocities of the nodes at the time of
    // η, and whether they are the present state's; the host's copy of them, and what was lifted since `touch`
    // (pinned); which rows were (host); `code` of the host.
    struct {
        void *depth, *depth_u, *depth_v, *inverse_corner, *nodes[2], *work[C_GRID_WORK];
        int32_t *device_code, *code;
        void *node_mirror[2], *lifted;
        double shallowest_m;                      // still depth of the wet nodes
        unsigned char *is_lifted;                 // [ny]
        bool has_set, has_nodes, is_prepared;     // is_prepared: its kernels
        struct c_grid_tile *tiles, *device_tiles; // host, device: those that are not all land
        unsigned char *moving, *awake;            // device
        // host, device: [tile columns][rows]; see struct c_grid_tiles
        unsigned char *has_land, *device_has_land;
        unsigned char *has_water; // host, [tile columns][rows]: whether the tiles' own nodes have water
        int32_t *first_tiles;     // host, [tile columns + 1]: the place of the first tile's flags
        // Of a divided grid: the rows of storage that are held; on the host, of the tiles of all ranks,
        // whether they have water, and the flags `moving` of this rank and of all, until all_move.
        // The list begins with tiles_beside tiles whose rows neighbours read.
        struct tsunami_rows stored;
        int tiles_beside;
        unsigned char *is_water, *own_moving, *all_moving;
        bool all_move;
    } c_grid;
    bool is_plain;      // a kernel a sweep, all nodes: the baseline
    enum status status; // of a call that could not return one
};

static inline bool solver_is_single(const struct solver *s)
{
    return s->host.setup.precision == ELEMENT_F32;
}

static inline bool solver_is_staggered(const struct solver *s)
{
    return tsunami_method_is_staggered(s->host.setup.physics->method);
}

static inline size_t solver_state_bytes(const struct solver *s)
{
    return s->host.rows * s->host.pitch * s->host.element;
}

// Rows of the storage that the device's arrays of a step hold: all, or those of the rank alone.
static inline struct tsunami_rows solver_kept_rows(const struct solver *s)
{
    const struct tsunami_rows all = {0, s->host.rows};
    return s->host.is_divided ? s->host.kept : all;
}

static inline size_t solver_tiles(const struct solver *s)
{
    return (size_t)s->tile_columns * (size_t)s->tile_rows * (size_t)s->tile_parts;
}

static inline int solver_part_rows(const struct solver *s)
{
    return (s->shape.rows + s->tile_parts - 1) / s->tile_parts;
}

// The row of parts that a row of the grid lies in.
static inline int solver_part_of(const struct solver *s, int row)
{
    return row / s->shape.rows * s->tile_parts + row % s->shape.rows / solver_part_rows(s);
}

// arrays.c: memory of the plan, and copies between host and device.
enum status solver_plan_arrays(struct solver *s, const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix);
// Uploads the mirror's state and coefficients. No work may be under way.
enum status solver_upload_arrays(struct solver *s);
// Copies the present state to the mirror unless it is current, and back after the mirror was changed.
enum status solver_fetch_state(struct solver *s);
enum status solver_send_state(struct solver *s);
void solver_note_work(struct solver *s);

// records.c
enum status solver_plan_records(struct solver *s, struct memory_plan *plan, const char *prefix);
void solver_set_records(struct solver *s);
// Copies the first `rows` of the own rows of all records, to the device or from it; waits. From it, by all
// ranks together: each gets the points of all.
enum status solver_copy_records(struct solver *s, bool to_device, size_t rows);
enum status solver_send_source_level(struct solver *s);

// points.c: their plan; after the reserve, their places; copies of their records, to the device or from it,
// which the caller waits for; their update from the present state.
enum status solver_plan_points(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status solver_start_points(struct solver *s);
enum status solver_copy_points(struct solver *s, bool to_device);
// Of a divided grid: the points' records on the host become those of all ranks.
enum status solver_merge_points(struct solver *s);
enum status solver_launch_points(struct solver *s, double time_s);
static inline bool solver_has_points(const struct solver *s)
{
    return s->host.setup.records->points.count > 0;
}

// tiles.c
enum status solver_plan_tiles(struct solver *s, struct memory_plan *plan, const char *prefix);
void solver_list_tiles(struct solver *s);
enum status solver_upload_tiles(struct solver *s);
// Marks the tiles in which the mirror is not all zero, in the flags of the last step.
void solver_find_moving_tiles(struct solver *s);
// Rows that a rank must have (models/tsunami/solver.h).
size_t solver_least_rows(const struct tsunami_physics *physics, size_t nx, size_t ny);

// ranks.c: of a grid that is divided among ranks; else they do nothing. Neighbours exchange rows of the
// present state; with them, or alone, the flags of moving tiles.
enum status solver_plan_ranks(struct solver *s, struct memory_plan *plan, const char *prefix);
// Between the reserve and the seal, by all ranks.
enum status solver_open_ranks(struct solver *s);
enum status solver_exchange_rows(struct solver *s);
enum status solver_exchange_step(struct solver *s);
enum status solver_exchange_flags(struct solver *s);
// Neighbours exchange rows of arrays of the state's shape.
enum status solver_exchange_arrays(struct solver *s, void *const *arrays, int count);
// The same of a divided grid, beside other work, on the stream of gpu_exchange_fork.
enum status solver_exchange_beside(struct solver *s, void *const *arrays, int count, cudaStream_t stream);
// On a staggered grid: they exchange the nodes' velocities, which a gauge or a nested grid's edge may read
// beyond the own rows; the flags of moving tiles become those of all ranks.
enum status solver_exchange_nodes(struct solver *s);
double solver_node_bytes(const struct solver *s); // that it sends
enum status solver_merge_c_flags(struct solver *s);
// With the counts of this rank on the host: those of all ranks become rank 0's.
enum status solver_gather_counts(struct solver *s);

// Bytes of the state and of flags that a step sends to a neighbour.
size_t solver_step_bytes(const struct solver *s);

// peers.c: of a grid that is divided among devices that address each other's memory; else they do nothing, or
// is_used is not set. To be called beside those of ranks.c and tiles.c.
// Whether it might be, which is the same on all ranks.
bool solver_can_use_peers(const struct solver *s);
enum status solver_plan_peers(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status solver_open_peers(struct solver *s);
void solver_list_peer_tile(struct solver *s, int i, int j, struct tile_bounds bounds, bool has_water);
enum status solver_start_peers(struct solver *s);
// For a launch of steps.
struct device_peers solver_peers(const struct solver *s, int64_t first_step);
// After a launch of `count` steps: waits, on the device, until the neighbours have made them.
enum status solver_settle_peers(struct solver *s, int64_t count);
enum status solver_finish_peers(struct solver *s);

// edges.c
enum status solver_plan_edges(struct solver *s, struct memory_plan *plan, const char *prefix);
// Uploads the links.
enum status solver_start_edges(struct solver *s);
enum status solver_take_edges(struct solver *s, size_t first, size_t count);
// Uploads the rise of the next step's boundary data, if the bottom moves.
enum status solver_take_rise(struct solver *s);
enum status solver_gather_edges(struct solver *s, size_t slot);

// dispersion.c: its arrays, if the run has dispersion; and those of the plain version.
enum status solver_plan_dispersion(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status solver_plan_before(struct solver *s, struct memory_plan *plan, const char *prefix);
// dispersion_ranks.c: of a divided grid the arrays; rows that a rank must have; the tables, before the run.
enum status solver_plan_dispersion_ranks(struct solver *s, struct memory_plan *plan, const char *prefix);
size_t solver_least_dispersion_rows(size_t ny);
enum status solver_start_dispersion(struct solver *s);
// Begins the dispersion of a step.
enum status solver_disperse(struct solver *s, const struct solver_dispersion_step *step);
// The arrays of eddy viscosity, if the run has it.
enum status solver_plan_eddies(struct solver *s, struct memory_plan *plan, const char *prefix);
// Before a step of the plain version.
enum status solver_keep_before(struct solver *s);

// step.c
// Blocks of the tiles' kernel that a multiprocessor can hold; and those that a launch has on the device, if
// there are as many tiles.
int solver_blocks(const struct solver *s);
int solver_resident_blocks(const struct solver *s);
// Begins steps, or brings the records up to the present state.
enum status solver_launch_steps(struct solver *s, int64_t first_step, int64_t count);
enum status solver_launch_record(struct solver *s, double time_s);
// The present surface as the results' kernels see it; and the present state, for which it begins what the
// velocities need.
struct results_state solver_present_surface(const struct solver *s);
enum status solver_present_state(struct solver *s, struct results_state *state);

// c_grid.c: the same on a staggered grid, and the back end's operations (models/tsunami/solver.h). `touch`
// takes over what was set, lifted or loaded in the mirror.
enum status solver_plan_c_grid(struct solver *s, const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix);
// c_grid_tiling.c: the arrays of the tiles; cuts the grid, and begins the upload of the list.
enum status solver_plan_c_tiles(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status solver_upload_c_tiles(struct solver *s);
// Before a warm-up: one tile without water.
enum status solver_warm_up_c_tiles(struct solver *s);
enum status solver_start_c_grid(struct solver *s);
enum status solver_launch_c_steps(struct solver *s, int64_t first_step, int64_t count);
enum status solver_launch_c_record(struct solver *s, double time_s);
// Begins the nodes' velocities of the present state, unless they are there.
enum status solver_make_c_nodes(struct solver *s);
enum status solver_fetch_c_grid(struct solver *s);
enum status solver_touch_c_grid(struct solver *s, bool is_loaded);
void solver_get_c_grid(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s);
void solver_set_c_grid(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s);
void solver_lift_c_grid(struct solver *s, size_t row, const double *uplift_m);
int solver_c_grid_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays);
size_t solver_least_c_rows(const struct tsunami_physics *physics, size_t nx, size_t ny);
void solver_get_staggered(const struct solver *s, size_t row, double *eta_m, double *u_m_s, double *v_m_s);

// results.c: the back end's operations (models/tsunami/solver.h).
enum status tsunami_device_plan_results(struct solver *s, const struct tsunami_wanted *wanted,
                                        struct memory_plan *plan, const char *prefix);
enum status tsunami_device_capture(struct solver *s, enum tsunami_result result, int slot, size_t record);
enum status tsunami_device_send(struct solver *s, int result, int slot, size_t records, void *to);
enum status tsunami_device_await(struct solver *s, enum tsunami_result result, int slot,
                                 struct tsunami_invalid *found);
enum status tsunami_device_guard(struct solver *s, int64_t step, struct tsunami_invalid *found);
enum status tsunami_device_finish(struct solver *s, struct tsunami_invalid *found);
// With the depth filled in: begins uploads on the compute stream; nothing is found yet.
enum status tsunami_device_start_results(struct solver *s);
// Runs each of them once, on memory that is still all zero.
enum status tsunami_device_warm_up_results(struct solver *s);

#endif
