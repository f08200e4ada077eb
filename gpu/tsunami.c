// The tsunami's CUDA back end: state, coefficients and records on the device, steps there (tsunami_march.cuh), results
// made there (tsunami_output.c), and a pinned mirror on the host for checkpoints, checks and moving sources. Memory is the
// plan's; streams and events are made with it.
//
// The host only begins steps and results, in the order of the calls, on one stream; it waits in fetch, fetch_records and
// finish, and where the account of the device's time says that it is too far ahead (timeline.h).
#include "gpu/tsunami.h"

#include "gpu/device.h"
#include "gpu/memory.h"
#include "gpu/tsunami_kernels.h"
#include "gpu/tsunami_output.h"
#include "models/tsunami/host_level.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_ARRAYS = 5 + TSUNAMI_ARRIVALS_MAX };
enum { COUNT_COMPUTED, COUNT_ALL, COUNTS };

struct tsunami_solver {
    struct host_level host; // the mirror: one copy of the state, pinned; c0 and coefficients
    struct gpu_lanes lanes;
    cudaStream_t stream; // lanes.compute: the kernels'
    struct device_output output;
    char device_name[256];
    void *state[2][TSUNAMI_FIELDS], *c0, *columns, *rows; // on the device
    void *packed_rows; // host: the row coefficients as the kernel wants them
    int current;
    bool is_mirror_current; // the mirror holds the device's present state
    // Records: the model's arrays on the host, and the device's.
    float *host_records[RECORD_ARRAYS], *device_records[RECORD_ARRAYS];
    int record_count;
    struct device_records records;
    // Tiles
    int tile_columns, tile_rows, tile_count;
    struct device_tile *tiles, *device_list; // host, device: those with water
    unsigned char *flags, *device_flags;     // [3][tiles]: moving (two steps), awake
    unsigned long long *device_computed,
        *counts; // node-steps: on the device, computed; on the host, that as fetched, and all
    unsigned long long *device_made, *made,
        *device_taken; // [tiles] steps made; what the blocks of a launch have taken
    double all_node_steps,
        computed_node_steps;       // as of the last wait: the report asks when the plan's memory is gone
    unsigned long long steps_made; // by every tile
    int multiprocessors;
    bool is_plain;      // the baseline: a kernel a sweep
    int moving;         // which of the two moving flags is the last step's
    enum status status; // of a call that could not return one
};

static size_t tile_flags(const struct tsunami_solver *s)
{
    return (size_t)s->tile_columns * (size_t)s->tile_rows;
}

static enum status plan_records(struct tsunami_solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_records *r = s->host.setup.records;
    float *const *slots[RECORD_ARRAYS] = {&r->max_eta_m, &r->time_of_max_s, &r->max_speed_m_s,
                                          &r->max_flux_m2_s, &r->first_drawdown_s};
    // Whether a record is wanted is known by its place in the plan: the model has declared its arrays already.
    for (int a = 0; a < TSUNAMI_ARRIVALS_MAX; a++)
        slots[5 + a] = &r->arrival_s[a];
    for (int k = 0; k < RECORD_ARRAYS; k++) {
        bool is_wanted = false;
        for (int q = 0; q < plan->count; q++)
            is_wanted |= plan->arrays[q].pointer == (void **)(void *)slots[k];
        if (is_wanted)
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F32, s->host.rows, s->host.pitch,
                                  (void **)&s->device_records[k], "%sdevice record %d", prefix, k));
    }
    return STATUS_OK;
}

static enum status plan_arrays(struct tsunami_solver *s, const struct tsunami_setup *setup,
                               struct memory_plan *plan, const char *prefix)
{
    static const char *const fields[TSUNAMI_FIELDS] = {"e", "u", "v"};
    const enum element real = setup->precision;
    CHECK(host_level_plan(&s->host, setup, plan, prefix, 1, MEMORY_PINNED));
    const size_t rows = s->host.rows, pitch = s->host.pitch;
    if (rows * pitch > INT32_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "the cuda back end takes grids of at most %d nodes with their padding, not %zu",
                    INT32_MAX, rows * pitch);
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, rows, pitch, &s->state[k][f], "%sdevice %s %d",
                                  prefix, fields[f], k));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, rows, pitch, &s->c0, "%sdevice c0", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, HOST_COLUMN_COEFFICIENTS, pitch, &s->columns,
                          "%sdevice columns", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, rows, HOST_ROW_COEFFICIENTS, &s->rows, "%sdevice rows",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, rows, HOST_ROW_COEFFICIENTS, &s->packed_rows,
                          "%spacked rows", prefix));
    s->tile_columns = (int)((setup->geometry->nx + TILE_COLUMNS - 1) / TILE_COLUMNS);
    s->tile_rows = (int)((setup->geometry->ny + TILE_ROWS - 1) / TILE_ROWS);
    const size_t tiles = tile_flags(s);
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, tiles, sizeof *s->tiles, (void **)&s->tiles,
                          "%stiles", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, tiles, sizeof *s->tiles, (void **)&s->device_list,
                          "%sdevice tiles", prefix));
    CHECK(memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, 3, tiles, (void **)&s->flags, "%stile flags",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 3, tiles, (void **)&s->device_flags,
                          "%sdevice tile flags", prefix));
    CHECK(memory_plan_add(plan, MEMORY_PINNED, ELEMENT_I64, 1, COUNTS, (void **)&s->counts, "%snode counts",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, 1, (void **)&s->device_computed,
                          "%sdevice computed", prefix));
    CHECK(
        memory_plan_add(plan, MEMORY_HOST, ELEMENT_I64, 1, tiles, (void **)&s->made, "%stile steps", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, tiles, (void **)&s->device_made,
                          "%sdevice tile steps", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, 1, (void **)&s->device_taken,
                          "%sdevice tiles taken", prefix));
    return plan_records(s, plan, prefix);
}

static enum status cuda_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct tsunami_solver **solver)
{
    CHECK(gpu_memory_use(plan, setup->device));
    struct tsunami_solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the CUDA solver");
    *solver = s;
    gpu_describe_one(setup->device, s->device_name, sizeof s->device_name);
    CHECK(gpu_lanes_open(&s->lanes, setup->device));
    s->stream = s->lanes.compute;
    CUDA_CHECK(cudaDeviceGetAttribute(&s->multiprocessors, cudaDevAttrMultiProcessorCount, setup->device),
               "to tell its size");
    return plan_arrays(s, setup, plan, prefix);
}

static enum status plain_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                              struct tsunami_solver **solver)
{
    CHECK(cuda_plan(setup, plan, prefix, solver));
    (*solver)->is_plain = true;
    return STATUS_OK;
}

static size_t state_bytes(const struct tsunami_solver *s)
{
    return s->host.rows * s->host.pitch * s->host.element;
}

static enum status upload(struct tsunami_solver *s, void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, s->lanes.compute),
               "a copy to the device");
    return STATUS_OK;
}

static enum status download(struct tsunami_solver *s, void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, s->lanes.compute),
               "a copy from the device");
    return STATUS_OK;
}

static enum status finish(struct tsunami_solver *s)
{
    return gpu_lanes_finish_compute(&s->lanes);
}

// [row][coefficient], as a thread reads them together.
static void pack_rows(struct tsunami_solver *s)
{
    const size_t rows = s->host.rows, element = s->host.element;
    for (size_t j = 0; j < rows; j++)
        for (size_t k = 0; k < HOST_ROW_COEFFICIENTS; k++)
            memcpy((char *)s->packed_rows + (j * HOST_ROW_COEFFICIENTS + k) * element,
                   (const char *)s->host.row_coefficients + (k * rows + j) * element, element);
}

// Of a node, or of one beside the domain: what a periodic edge shows there.
static bool is_water(const struct tsunami_solver *s, ptrdiff_t column, ptrdiff_t row)
{
    const ptrdiff_t place = (ptrdiff_t)s->host.halo_offset + row * (ptrdiff_t)s->host.pitch + column;
    return s->host.setup.precision == ELEMENT_F32 ? ((const float *)s->host.c0)[place] > 0
                                                  : ((const double *)s->host.c0)[place] > 0;
}

static void list_tiles(struct tsunami_solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    s->tile_count = 0;
    s->steps_made = 0;
    for (int j = 0; j < s->tile_rows; j++)
        for (int i = 0; i < s->tile_columns; i++) {
            const ptrdiff_t left = (ptrdiff_t)i * TILE_COLUMNS, bottom = (ptrdiff_t)j * TILE_ROWS;
            const ptrdiff_t right =
                left + TILE_COLUMNS < (ptrdiff_t)g->nx ? left + TILE_COLUMNS : (ptrdiff_t)g->nx;
            const ptrdiff_t top =
                bottom + TILE_ROWS < (ptrdiff_t)g->ny ? bottom + TILE_ROWS : (ptrdiff_t)g->ny;
            bool has_water = false;
            bool has_land = left == 0 || bottom == 0 || right == (ptrdiff_t)g->nx || top == (ptrdiff_t)g->ny;
            for (ptrdiff_t row = bottom - 1; row <= top; row++)
                for (ptrdiff_t column = left - 1; column <= right; column++) {
                    const bool is_inside = row >= bottom && row < top && column >= left && column < right;
                    const bool is_wet = is_water(s, column, row);
                    has_water |= is_inside && is_wet;
                    has_land |= !is_wet;
                }
            // Tiles without water are never waited for.
            s->made[j * s->tile_columns + i] = has_water ? 0 : ULLONG_MAX;
            if (has_water)
                s->tiles[s->tile_count++] = (struct device_tile){i, j, has_land};
        }
}

static void set_records(struct tsunami_solver *s)
{
    const struct tsunami_records *r = s->host.setup.records;
    float *const host[5] = {r->max_eta_m, r->time_of_max_s, r->max_speed_m_s, r->max_flux_m2_s,
                            r->first_drawdown_s};
    for (int k = 0; k < RECORD_ARRAYS; k++)
        s->host_records[k] = k < 5 ? host[k] : r->arrival_s[k - 5];
    float *device[RECORD_ARRAYS];
    // The model's record arrays have no halo; the device's have the state's shape, so that one offset serves all.
    for (int k = 0; k < RECORD_ARRAYS; k++)
        device[k] = s->device_records[k] ? s->device_records[k] + s->host.halo_offset : NULL;
    s->records = (struct device_records){.max_eta_m = device[0],
                                         .time_of_max_s = device[1],
                                         .max_speed_m_s = device[2],
                                         .max_flux_m2_s = device[3],
                                         .first_drawdown_s = device[4],
                                         .drawdown_m = (float)r->drawdown_m,
                                         .arrival_count = r->arrival_count};
    s->records.highest_arrival_m = -INFINITY;
    for (int a = 0; a < r->arrival_count; a++) {
        s->records.highest_arrival_m = fmaxf(s->records.highest_arrival_m, (float)r->arrival_m[a]);
        s->records.arrival_s[a] = device[5 + a];
        s->records.arrival_m[a] = (float)r->arrival_m[a];
    }
    s->records.kind = device[2] || device[3] || device[4] ? RECORDS_ALL
                      : device[0]                         ? RECORDS_ETA
                                                          : RECORDS_NONE;
}

static enum status copy_record_rows(struct tsunami_solver *s, bool to_device, size_t rows)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const size_t bytes = g->pitch * sizeof(float);
    for (int k = 0; k < RECORD_ARRAYS; k++) {
        if (!s->device_records[k])
            continue;
        // Shifted by the halo: the last columns of the last row would reach beyond, so row by row (a strided copy).
        float *device = s->device_records[k] + s->host.halo_offset, *host = s->host_records[k];
        const size_t width = g->nx * sizeof(float);
        const cudaError_t error = to_device ? cudaMemcpy2DAsync(device, bytes, host, bytes, width, rows,
                                                                cudaMemcpyHostToDevice, s->lanes.compute)
                                            : cudaMemcpy2DAsync(host, bytes, device, bytes, width, rows,
                                                                cudaMemcpyDeviceToHost, s->lanes.compute);
        CUDA_CHECK(error, "to copy the records");
    }
    return finish(s);
}

static enum status copy_records(struct tsunami_solver *s, bool to_device)
{
    return copy_record_rows(s, to_device, s->host.setup.geometry->ny);
}

static enum status cuda_start(struct tsunami_solver *s)
{
    host_level_start(&s->host);
    pack_rows(s);
    list_tiles(s);
    set_records(s);
    memset(s->flags, 0, 3 * tile_flags(s));
    s->current = s->moving = 0;
    s->is_mirror_current = true;
    s->status = STATUS_OK;
    s->counts[COUNT_COMPUTED] = s->counts[COUNT_ALL] = 0;
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(upload(s, s->state[k][f], s->host.state[0][f], state_bytes(s)));
    CHECK(upload(s, s->c0, s->host.c0, state_bytes(s)));
    CHECK(upload(s, s->columns, s->host.columns, HOST_COLUMN_COEFFICIENTS * s->host.pitch * s->host.element));
    CHECK(upload(s, s->rows, s->packed_rows, s->host.rows * HOST_ROW_COEFFICIENTS * s->host.element));
    CHECK(upload(s, s->device_list, s->tiles, (size_t)s->tile_count * sizeof *s->tiles));
    CHECK(upload(s, s->device_flags, s->flags, 3 * tile_flags(s)));
    CHECK(upload(s, s->device_made, s->made, tile_flags(s) * sizeof *s->made));
    CHECK(upload(s, s->device_computed, &s->counts[COUNT_COMPUTED], sizeof *s->counts));
    CHECK(device_output_start(&s->output, &s->lanes));
    CHECK(copy_records(s, true));
    timeline_restart(&s->lanes.timeline); // the warm-up is not the run's
    return STATUS_OK;
}

static void note_work(struct tsunami_solver *s)
{
    s->computed_node_steps = (double)s->counts[COUNT_COMPUTED];
    s->all_node_steps = (double)s->counts[COUNT_ALL];
}

static enum status cuda_fetch(struct tsunami_solver *s)
{
    CHECK(s->status);
    if (s->is_mirror_current)
        return STATUS_OK;
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(download(s, s->host.state[0][f], s->state[s->current][f], state_bytes(s)));
    CHECK(download(s, &s->counts[COUNT_COMPUTED], s->device_computed, sizeof *s->counts));
    CHECK(finish(s));
    note_work(s);
    s->is_mirror_current = true;
    return STATUS_OK;
}

static enum status cuda_fetch_records(struct tsunami_solver *s)
{
    return copy_records(s, false);
}

static enum status cuda_send_records(struct tsunami_solver *s)
{
    return copy_records(s, true);
}

static void cuda_get(const struct tsunami_solver *s, size_t row, size_t first, size_t count, double *eta_m,
                     double *u_m_s, double *v_m_s)
{
    host_level_get(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void cuda_set(struct tsunami_solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                     const double *u_m_s, const double *v_m_s)
{
    host_level_set(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void cuda_lift(struct tsunami_solver *s, size_t row, const double *uplift_m)
{
    host_level_lift(&s->host, row, uplift_m);
}

static bool row_moves(const struct tsunami_solver *s, int field, size_t row, size_t first, size_t count)
{
    const char *line = (const char *)s->host.state[0][field] +
                       (s->host.halo_offset + row * s->host.pitch + first) * s->host.element;
    for (size_t k = 0; k < count * s->host.element; k += 4) {
        uint32_t bits;
        memcpy(&bits, line + k, sizeof bits);
        if (bits != 0)
            return true;
    }
    return false;
}

// Tiles in which the mirror is not all zero.
static void find_moving_tiles(struct tsunami_solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    unsigned char *moving = s->flags + (size_t)s->moving * tile_flags(s);
    for (size_t j = 0; j < g->ny; j++)
        for (int i = 0; i < s->tile_columns; i++) {
            const size_t first = (size_t)i * TILE_COLUMNS;
            const size_t count = g->nx - first < TILE_COLUMNS ? g->nx - first : TILE_COLUMNS;
            unsigned char *flag = &moving[(j / TILE_ROWS) * (size_t)s->tile_columns + (size_t)i];
            for (int f = 0; f < TSUNAMI_FIELDS && !*flag; f++)
                *flag = row_moves(s, f, j, first, count);
        }
}

static enum status send_mirror(struct tsunami_solver *s)
{
    host_level_fill_halo(&s->host);
    find_moving_tiles(s);
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(upload(s, s->state[s->current][f], s->host.state[0][f], state_bytes(s)));
    CHECK(upload(s, s->device_flags, s->flags, 2 * tile_flags(s)));
    CHECK(upload(s, s->device_computed, &s->counts[COUNT_COMPUTED], sizeof *s->counts));
    return finish(s);
}

// After set, lift or a loaded checkpoint the mirror is newer than the device.
static void cuda_touch(struct tsunami_solver *s)
{
    if (s->status == STATUS_OK)
        s->status = send_mirror(s);
    s->is_mirror_current = true;
}

#define REAL        float
#define POINT(name) name##_f
#include "gpu/tsunami_view.h"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "gpu/tsunami_view.h"
#undef REAL
#undef POINT

static bool is_single(const struct tsunami_solver *s)
{
    return s->host.setup.precision == ELEMENT_F32;
}

static void cuda_record(struct tsunami_solver *s, double time_s)
{
    if (s->status != STATUS_OK || s->records.kind == RECORDS_NONE)
        return;
    const cudaError_t error = is_single(s) ? record_f(s, (float)time_s) : record_d(s, (float)time_s);
    if (error != cudaSuccess)
        s->status = FAIL(STATUS_SYSTEM, "the GPU refused to record: %s", cudaGetErrorString(error));
}

// The baseline's: four launches a step; the present state stays in its copy.
static enum status launch_plain_steps(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    for (int64_t step = first_step; step < first_step + count; step++)
        CUDA_CHECK(is_single(s) ? plain_step_f(s, step) : plain_step_d(s, step), "to start a step");
    return STATUS_OK;
}

// Begins the steps: one launch, however many.
static enum status launch_steps(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    if (s->is_plain)
        return launch_plain_steps(s, first_step, count);
    CUDA_CHECK(is_single(s) ? steps_f(s, first_step, count) : steps_d(s, first_step, count),
               "to start its steps");
    s->steps_made += (unsigned long long)count;
    s->current ^= (int)(count & 1);
    s->moving ^= (int)(count & 1);
    return STATUS_OK;
}

static enum status cuda_advance(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    struct timeline *timeline = &s->lanes.timeline;
    CHECK(s->status);
    for (int64_t step = first_step, end = first_step + count; step < end;) {
        const int64_t most = timeline_batch_steps(timeline);
        const int64_t steps = end - step < most ? end - step : most;
        CHECK(timeline_begin(timeline, TIMELINE_STEPS, (int)steps, s->lanes.compute));
        CHECK(launch_steps(s, step, steps));
        CHECK(timeline_end(timeline, s->lanes.compute));
        s->is_mirror_current = false;
        s->counts[COUNT_ALL] += (unsigned long long)steps * g->nx * g->ny;
        step += steps;
    }
    return STATUS_OK;
}

// The present state as the results' kernels see it.
static struct results_state present_state(const struct tsunami_solver *s)
{
    const size_t offset = s->host.halo_offset * s->host.element;
    void *const *fields = s->state[s->current];
    return (struct results_state){
        .e = (const char *)fields[0] + offset,
        .u = (const char *)fields[1] + offset,
        .v = (const char *)fields[2] + offset,
        .c0 = (const char *)s->c0 + offset,
        .precision = s->host.setup.precision,
        .nx = (int)s->host.setup.geometry->nx,
        .ny = (int)s->host.setup.geometry->ny,
        .pitch = (int)s->host.pitch,
    };
}

static enum status cuda_plan_results(struct tsunami_solver *s, const struct tsunami_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix)
{
    return device_output_plan(&s->output, &s->host.setup, wanted, plan, prefix);
}

static enum status cuda_capture(struct tsunami_solver *s, enum tsunami_result result, int slot, size_t record)
{
    const struct results_state state = present_state(s);
    CHECK(s->status);
    return device_output_capture(&s->output, &s->lanes, &state, result, slot, record);
}

static enum status cuda_send(struct tsunami_solver *s, enum tsunami_result result, int slot, size_t records,
                             void *to)
{
    return device_output_send(&s->output, &s->lanes, result, slot, records, to);
}

static enum status cuda_await(struct tsunami_solver *s, enum tsunami_result result, int slot,
                              struct tsunami_unsound *found)
{
    return device_output_await(&s->output, &s->lanes, result, slot, found);
}

static enum status cuda_guard(struct tsunami_solver *s, int64_t step, struct tsunami_unsound *found)
{
    const struct results_state state = present_state(s);
    CHECK(s->status);
    return device_output_guard(&s->output, &s->lanes, &state, step, found);
}

static enum status cuda_finish(struct tsunami_solver *s, struct tsunami_unsound *found)
{
    CHECK(s->status);
    CHECK(download(s, &s->counts[COUNT_COMPUTED], s->device_computed, sizeof *s->counts));
    CHECK(device_output_finish(&s->output, &s->lanes, found));
    note_work(s);
    return STATUS_OK;
}

static struct device_times cuda_times(const struct tsunami_solver *s)
{
    return timeline_times(&s->lanes.timeline);
}

// On memory that is still all zero: one tile of open water without depth takes an even and an odd step.
static enum status cuda_warm_up(struct tsunami_solver *s)
{
    struct tsunami_unsound found = {.step = -1};
    const struct results_state state = present_state(s);
    set_records(s);
    s->tile_count = 1;
    // No tile is there that this one could wait for.
    CUDA_CHECK(cudaMemsetAsync(s->device_made, 0xff, tile_flags(s) * sizeof *s->device_made, s->stream),
               "to fill memory");
    CHECK(cuda_advance(s, 0, 1));
    CHECK(cuda_advance(s, 1, 1));
    cuda_record(s, 0);
    CHECK(copy_record_rows(s, true, 1));
    CHECK(copy_record_rows(s, false, 1));
    CHECK(upload(s, s->device_list, s->tiles, sizeof *s->tiles));
    CHECK(download(s, s->flags, s->device_flags, 1));
    CHECK(device_output_warm_up(&s->output, &s->lanes, &state));
    return cuda_finish(s, &found);
}

static int cuda_checkpoint_arrays(struct tsunami_solver *s, struct checkpoint_array *arrays)
{
    const int count = host_level_checkpoint_arrays(&s->host, arrays);
    arrays[count] = (struct checkpoint_array){"node counts", s->counts, COUNTS * sizeof *s->counts};
    return count + 1;
}

static void cuda_work(const struct tsunami_solver *s, double *computed, double *skipped)
{
    *computed = s->is_plain ? s->all_node_steps : s->computed_node_steps;
    *skipped = s->all_node_steps - *computed;
}

static const char *cuda_device_name(const struct tsunami_solver *s)
{
    return s->device_name;
}

static const char *cuda_instruction_set(void)
{
    return "cuda";
}

static void cuda_destroy(struct tsunami_solver *s)
{
    device_output_close(&s->output);
    gpu_lanes_close(&s->lanes);
    free(s);
}

// clang-format off
// What both have in common: all but their names and the steps.
#define CUDA_BACKEND \
    .has_devices = true, \
    .is_usable = gpu_is_usable, \
    .is_absent = gpu_is_absent, \
    .warm_up = cuda_warm_up, \
    .start = cuda_start, \
    .get = cuda_get, \
    .set = cuda_set, \
    .lift = cuda_lift, \
    .record = cuda_record, \
    .touch = cuda_touch, \
    .fetch = cuda_fetch, \
    .fetch_records = cuda_fetch_records, \
    .send_records = cuda_send_records, \
    .advance = cuda_advance, \
    .checkpoint_arrays = cuda_checkpoint_arrays, \
    .work = cuda_work, \
    .plan_results = cuda_plan_results, \
    .capture = cuda_capture, \
    .send = cuda_send, \
    .await = cuda_await, \
    .guard = cuda_guard, \
    .finish = cuda_finish, \
    .device_name = cuda_device_name, \
    .times = cuda_times, \
    .measure_copy = gpu_measure_copy, \
    .instruction_set = cuda_instruction_set, \
    .destroy = cuda_destroy

// clang-format on
const struct tsunami_backend tsunami_backend_cuda = {
    .name = "cuda",
    .summary = "one NVIDIA GPU",
    .rank = 10,
    .plan = cuda_plan,
    CUDA_BACKEND,
};

const struct tsunami_backend tsunami_backend_cuda_plain = {
    .name = "cuda-plain",
    .summary = "one NVIDIA GPU, the plain way: a kernel a sweep; for comparison",
    .rank = -1,
    .plan = plain_plan,
    CUDA_BACKEND,
};
