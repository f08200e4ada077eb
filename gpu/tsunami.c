// The tsunami's CUDA back end: state, coefficients and records on the device, one kernel a step (tsunami_step.cuh), and a
// pinned mirror on the host for whatever is asked for between steps. Memory is the plan's; nothing is allocated after it
// but the runtime's stream.
#include "gpu/tsunami.h"

#include "gpu/memory.h"
#include "gpu/tsunami_kernels.h"
#include "models/tsunami/host_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_ARRAYS = 5 + TSUNAMI_ARRIVALS_MAX };

struct tsunami_solver {
    struct host_level host; // the mirror: one copy of the state, pinned; c0 and coefficients
    cudaStream_t stream;
    bool has_stream;
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
    unsigned long long *device_computed, *computed;
    double node_steps, computed_node_steps; // asked for; computed, as far as fetched
    int moving;                             // which of the two moving flags is the last step's
    enum status status;                     // of a call that could not return one
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
    CHECK(
        memory_plan_add(plan, MEMORY_PINNED, ELEMENT_I64, 1, 1, (void **)&s->computed, "%scomputed", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, 1, (void **)&s->device_computed,
                          "%sdevice computed", prefix));
    return plan_records(s, plan, prefix);
}

static enum status cuda_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct tsunami_solver **solver)
{
    CHECK(gpu_memory_use(plan));
    struct tsunami_solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the CUDA solver");
    *solver = s;
    CUDA_CHECK(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), "a stream");
    s->has_stream = true;
    return plan_arrays(s, setup, plan, prefix);
}

static size_t state_bytes(const struct tsunami_solver *s)
{
    return s->host.rows * s->host.pitch * s->host.element;
}

static enum status upload(struct tsunami_solver *s, void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, s->stream), "a copy to the device");
    return STATUS_OK;
}

static enum status download(struct tsunami_solver *s, void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, s->stream), "a copy from the device");
    return STATUS_OK;
}

static enum status finish(struct tsunami_solver *s)
{
    CUDA_CHECK(cudaStreamSynchronize(s->stream), "to finish its work");
    return STATUS_OK;
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

static void list_tiles(struct tsunami_solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    s->tile_count = 0;
    for (int j = 0; j < s->tile_rows; j++)
        for (int i = 0; i < s->tile_columns; i++) {
            const ptrdiff_t left = (ptrdiff_t)i * TILE_COLUMNS, bottom = (ptrdiff_t)j * TILE_ROWS;
            const ptrdiff_t right =
                left + TILE_COLUMNS < (ptrdiff_t)g->nx ? left + TILE_COLUMNS : (ptrdiff_t)g->nx;
            const ptrdiff_t top =
                bottom + TILE_ROWS < (ptrdiff_t)g->ny ? bottom + TILE_ROWS : (ptrdiff_t)g->ny;
            bool has_water = false, has_land = false;
            for (ptrdiff_t row = bottom - 1; row <= top; row++)
                for (ptrdiff_t column = left - 1; column <= right; column++) {
                    const bool is_inside = row >= bottom && row < top && column >= left && column < right;
                    const bool is_wet = host_level_celerity(&s->host, column, row) > 0;
                    has_water |= is_inside && is_wet;
                    has_land |= !is_wet;
                }
            if (has_water)
                s->tiles[s->tile_count++] = (struct device_tile){(short)i, (short)j, has_land};
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
    for (int a = 0; a < r->arrival_count; a++) {
        s->records.arrival_s[a] = device[5 + a];
        s->records.arrival_m[a] = (float)r->arrival_m[a];
    }
    s->records.kind = !device[0]                            ? RECORDS_NONE
                      : device[2] || device[3] || device[4] ? RECORDS_ALL
                                                            : RECORDS_ETA;
}

static enum status copy_records(struct tsunami_solver *s, bool to_device)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const size_t bytes = g->pitch * sizeof(float);
    for (int k = 0; k < RECORD_ARRAYS; k++) {
        if (!s->device_records[k])
            continue;
        // Shifted by the halo: the last columns of the last row would reach beyond, so row by row (a strided copy).
        float *device = s->device_records[k] + s->host.halo_offset, *host = s->host_records[k];
        const size_t width = g->nx * sizeof(float);
        const cudaError_t error = to_device ? cudaMemcpy2DAsync(device, bytes, host, bytes, width, g->ny,
                                                                cudaMemcpyHostToDevice, s->stream)
                                            : cudaMemcpy2DAsync(host, bytes, device, bytes, width, g->ny,
                                                                cudaMemcpyDeviceToHost, s->stream);
        CUDA_CHECK(error, "to copy the records");
    }
    return finish(s);
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
    s->node_steps = s->computed_node_steps = 0;
    s->status = STATUS_OK;
    *s->computed = 0;
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(upload(s, s->state[k][f], s->host.state[0][f], state_bytes(s)));
    CHECK(upload(s, s->c0, s->host.c0, state_bytes(s)));
    CHECK(upload(s, s->columns, s->host.columns, HOST_COLUMN_COEFFICIENTS * s->host.pitch * s->host.element));
    CHECK(upload(s, s->rows, s->packed_rows, s->host.rows * HOST_ROW_COEFFICIENTS * s->host.element));
    CHECK(upload(s, s->device_list, s->tiles, (size_t)s->tile_count * sizeof *s->tiles));
    CHECK(upload(s, s->device_flags, s->flags, 3 * tile_flags(s)));
    CHECK(upload(s, s->device_computed, s->computed, sizeof *s->computed));
    return copy_records(s, true);
}

static enum status cuda_fetch(struct tsunami_solver *s)
{
    CHECK(s->status);
    if (s->is_mirror_current)
        return STATUS_OK;
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(download(s, s->host.state[0][f], s->state[s->current][f], state_bytes(s)));
    CHECK(download(s, s->computed, s->device_computed, sizeof *s->computed));
    CHECK(finish(s));
    s->computed_node_steps = (double)*s->computed;
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
    CHECK(upload(s, s->device_computed, s->computed, sizeof *s->computed));
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
    else
        s->status = finish(s);
}

static enum status cuda_advance(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    CHECK(s->status);
    const struct tsunami_setup *setup = &s->host.setup;
    const bool alternates = setup->physics->method == TSUNAMI_VTCS2_O2;
    for (int64_t step = first_step; step < first_step + count; step++) {
        const float time_s = (float)(setup->start_s + (double)(step + 1) * setup->step_s);
        const bool is_odd = alternates && step % 2 != 0;
        CUDA_CHECK(is_single(s) ? step_f(s, is_odd, time_s) : step_d(s, is_odd, time_s), "to start a step");
        s->current = 1 - s->current;
        s->moving = 1 - s->moving;
    }
    s->is_mirror_current = false;
    s->node_steps += (double)count * (double)(setup->geometry->nx * setup->geometry->ny);
    return finish(s); // so that the run loop's clock and signals mean something: once in a batch of steps
}

static int cuda_checkpoint_arrays(struct tsunami_solver *s, struct checkpoint_array *arrays)
{
    const int count = host_level_checkpoint_arrays(&s->host, arrays);
    arrays[count] = (struct checkpoint_array){"node counts", s->computed, sizeof *s->computed};
    return count + 1;
}

static void cuda_work(const struct tsunami_solver *s, double *computed, double *skipped)
{
    *computed = s->computed_node_steps;
    *skipped = s->node_steps - s->computed_node_steps;
}

static const char *cuda_instruction_set(void)
{
    return "cuda";
}

static void cuda_destroy(struct tsunami_solver *s)
{
    if (s->has_stream)
        (void)cudaStreamDestroy(s->stream);
    free(s);
}

const struct tsunami_backend tsunami_backend_cuda = {
    .name = "cuda",
    .summary = "one NVIDIA GPU",
    .plan = cuda_plan,
    .start = cuda_start,
    .get = cuda_get,
    .set = cuda_set,
    .lift = cuda_lift,
    .record = cuda_record,
    .touch = cuda_touch,
    .fetch = cuda_fetch,
    .fetch_records = cuda_fetch_records,
    .send_records = cuda_send_records,
    .advance = cuda_advance,
    .checkpoint_arrays = cuda_checkpoint_arrays,
    .work = cuda_work,
    .instruction_set = cuda_instruction_set,
    .destroy = cuda_destroy,
};
