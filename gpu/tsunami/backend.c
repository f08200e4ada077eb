// The tsunami's CUDA back end: state, coefficients and records on the device, steps there (step.c), results
// made there (results.c), and a pinned mirror on the host for checkpoints, checks and moving sources. Memory
// is the plan's; streams and events are made with it.
//
// The host only begins steps and results, in the order of the calls, on one stream, which nested grids share
// with their parents; it waits in fetch, fetch_records and finish, and where the account of the device's time
// says that it is too far ahead (timeline.h).
#include "gpu/tsunami/backend.h"

#include "gpu/device.h"
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

#include <stdlib.h>
#include <string.h>

static enum status open_timeline(struct solver *s, const struct tsunami_setup *setup)
{
    if (setup->parent) {
        s->timeline = setup->parent->timeline;
        setup->parent->has_children = true;
        return STATUS_OK;
    }
    s->timeline = &s->own_timeline;
    return gpu_timeline_open(s->timeline, setup->device);
}

static enum status cuda_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    CHECK(gpu_memory_use(plan, setup->device));
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the CUDA solver");
    *solver = s;
    // Of that method there is one form, a kernel a sweep.
    s->is_plain = setup->physics->method == TSUNAMI_VTCS2_SHORE;
    gpu_describe_one(setup->device, s->device_name, sizeof s->device_name);
    CHECK(open_timeline(s, setup));
    CUDA_CHECK(cudaDeviceGetAttribute(&s->multiprocessors, cudaDevAttrMultiProcessorCount, setup->device),
               "to report its size");
    return solver_plan_arrays(s, setup, plan, prefix);
}

static enum status plain_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                              struct solver **solver)
{
    CHECK(cuda_plan(setup, plan, prefix, solver));
    (*solver)->is_plain = true;
    return solver_plan_before(*solver, plan, prefix);
}

static enum status cuda_start(struct solver *s)
{
    host_level_start(&s->host);
    solver_list_tiles(s);
    solver_set_records(s);
    memset(s->flags, 0, 3 * solver_tiles(s));
    s->current = s->moving = 0;
    s->is_mirror_current = true;
    s->status = STATUS_OK;
    s->counts[COUNT_COMPUTED] = s->counts[COUNT_ALL] = 0;
    CHECK(solver_upload_arrays(s));
    CHECK(solver_upload_tiles(s));
    CHECK(solver_upload(s, s->device_computed, &s->counts[COUNT_COMPUTED], sizeof *s->counts));
    CHECK(solver_start_edges(s));
    CHECK(tsunami_device_results_start(&s->results, s->timeline));
    CHECK(solver_copy_records(s, true, s->host.setup.geometry->ny));
    gpu_timeline_restart(s->timeline); // the warm-up is not the run's
    return STATUS_OK;
}

static enum status cuda_fetch(struct solver *s)
{
    CHECK(s->status);
    if (!s->is_mirror_current)
        CHECK(solver_fetch_state(s));
    s->is_mirror_current = true;
    return STATUS_OK;
}

static enum status cuda_fetch_records(struct solver *s)
{
    return solver_copy_records(s, false, s->host.setup.geometry->ny);
}

static enum status cuda_send_records(struct solver *s)
{
    return solver_copy_records(s, true, s->host.setup.geometry->ny);
}

static void cuda_get(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                     double *u_m_s, double *v_m_s)
{
    host_level_get(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void cuda_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                     const double *u_m_s, const double *v_m_s)
{
    host_level_set(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void cuda_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    host_level_lift(&s->host, row, uplift_m, bottom_m);
}

// After set, lift or a loaded checkpoint the mirror is newer than the device.
static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    (void)is_loaded;
    if (s->status == STATUS_OK)
        s->status = solver_send_state(s);
    if (s->status == STATUS_OK)
        s->status = solver_send_source_level(s);
    s->is_mirror_current = true;
    return s->status;
}

static void cuda_record(struct solver *s, double time_s)
{
    if (s->status == STATUS_OK)
        s->status = solver_launch_record(s, time_s);
}

static enum status cuda_take_edges(struct solver *s, size_t first, size_t count)
{
    CHECK(s->status);
    return solver_take_edges(s, first, count);
}

static enum status cuda_gather_edges(struct solver *s, size_t slot)
{
    CHECK(s->status);
    return solver_gather_edges(s, slot);
}

static enum status begin_steps(struct solver *s, int64_t first_step, int64_t count)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    struct gpu_timeline *timeline = s->timeline;
    const bool is_nested = s->has_children || s->host.setup.parent;
    for (int64_t step = first_step, end = first_step + count; step < end;) {
        int steps;
        CHECK(gpu_timeline_join(timeline, end - step, &steps));
        CHECK(solver_launch_steps(s, step, steps));
        if (!is_nested)
            CHECK(gpu_timeline_close_batch(timeline));
        s->is_mirror_current = false;
        s->counts[COUNT_ALL] += (unsigned long long)steps * g->nx * g->ny;
        step += steps;
    }
    return STATUS_OK;
}

static enum status cuda_advance(struct solver *s, int64_t first_step, int64_t count)
{
    CHECK(s->status);
    CHECK(solver_take_rise(s));
    s->is_paused = s->host.setup.records->is_paused;
    return begin_steps(s, first_step, count);
}

static enum status cuda_plan_results(struct solver *s, const struct tsunami_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix)
{
    return tsunami_device_results_plan(&s->results, &s->host.setup, wanted, plan, prefix);
}

static enum status cuda_capture(struct solver *s, enum tsunami_result result, int slot, size_t record)
{
    const struct results_state state = solver_present_state(s);
    CHECK(s->status);
    return tsunami_device_results_capture(&s->results, s->timeline, &state, result, slot, record);
}

static enum status cuda_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    return tsunami_device_results_send(&s->results, s->timeline, (enum tsunami_result)result, slot, records,
                                       to);
}

static enum status cuda_await(struct solver *s, enum tsunami_result result, int slot,
                              struct tsunami_invalid *found)
{
    return tsunami_device_results_await(&s->results, s->timeline, result, slot, found);
}

static enum status cuda_guard(struct solver *s, int64_t step, struct tsunami_invalid *found)
{
    const struct results_state state = solver_present_state(s);
    CHECK(s->status);
    return tsunami_device_results_guard(&s->results, s->timeline, &state, step, found);
}

static enum status cuda_finish(struct solver *s, struct tsunami_invalid *found)
{
    CHECK(s->status);
    CHECK(solver_download(s, &s->counts[COUNT_COMPUTED], s->device_computed, sizeof *s->counts));
    CHECK(tsunami_device_results_finish(&s->results, s->timeline, found));
    solver_note_work(s);
    return STATUS_OK;
}

// The outermost grid reports for all: they share the timeline.
static struct device_times cuda_times(const struct solver *s)
{
    return s->host.setup.parent ? (struct device_times){0} : gpu_timeline_times(s->timeline);
}

// On memory that is still all zero: one tile without water takes an even and an odd step, with records and
// without.
static enum status cuda_warm_up(struct solver *s)
{
    struct tsunami_invalid found = {.step = -1};
    const struct results_state state = solver_present_state(s);
    solver_set_records(s);
    s->tile_count = 1;
    s->tiles[0] = (struct device_tile){.is_coast = 1}; // looks at nothing beyond the domain's edges
    CHECK(solver_upload(s, s->device_list, s->tiles, sizeof *s->tiles));
    // No tile is there that this one could wait for.
    CUDA_CHECK(
        cudaMemsetAsync(s->device_made, 0xff, solver_tiles(s) * sizeof *s->device_made, s->timeline->compute),
        "to fill memory");
    for (int step = 0; step < 4; step++) {
        s->is_paused = step >= 2;
        CHECK(begin_steps(s, step, 1));
    }
    cuda_record(s, 0);
    CHECK(solver_copy_records(s, true, 1));
    CHECK(solver_copy_records(s, false, 1));
    CHECK(solver_download(s, s->flags, s->device_flags, 1));
    if (s->host.setup.parent)
        CHECK(solver_gather_edges(s, 0));
    CHECK(tsunami_device_results_warm_up(&s->results, s->timeline, &state));
    return cuda_finish(s, &found);
}

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const int count = host_level_checkpoint_arrays(&s->host, arrays);
    arrays[count] = (struct checkpoint_array){"node counts", s->counts, COUNTS * sizeof *s->counts};
    return count + 1;
}

static void cuda_work(const struct solver *s, double *computed, double *skipped)
{
    *computed = s->is_plain ? s->all_node_steps : s->computed_node_steps;
    *skipped = s->all_node_steps - *computed;
}

static void cuda_destroy(struct solver *s)
{
    gpu_results_close(&s->results.results);
    if (!s->host.setup.parent)
        gpu_timeline_close(&s->own_timeline);
    free(s);
}

#include "gpu/backend_head.inc"

// clang-format off
// Of their own operations all but `plan`.
#define CUDA_BACKEND \
    .has_dispersion = true, \
    .start = cuda_start, \
    .get = cuda_get, \
    .set = cuda_set, \
    .lift = cuda_lift, \
    .record = cuda_record, \
    .fetch_records = cuda_fetch_records, \
    .send_records = cuda_send_records, \
    .take_edges = cuda_take_edges, \
    .gather_edges = cuda_gather_edges, \
    .work = cuda_work, \
    .plan_results = cuda_plan_results, \
    .capture = cuda_capture, \
    .await = cuda_await, \
    .guard = cuda_guard, \
    .finish = cuda_finish
#define FAST_BACKEND \
    .head = {.name = "cuda", .summary = "one NVIDIA GPU", .rank = 10, \
             .advance = cuda_advance, .measure_copy = gpu_measure_copy, CUDA_HEAD}, \
    .plan = cuda_plan, CUDA_BACKEND
#define PLAIN_BACKEND \
    .head = {.name = "cuda-plain", \
             .summary = "one NVIDIA GPU, the plain way: a kernel a sweep; for comparison", \
             .rank = -1, .advance = cuda_advance, .measure_copy = gpu_measure_copy, CUDA_HEAD}, \
    .plan = plain_plan, CUDA_BACKEND

// clang-format on
static const struct tsunami_backend cuda_flooding = {FAST_BACKEND};
static const struct tsunami_backend plain_flooding = {PLAIN_BACKEND};
const struct tsunami_backend tsunami_backend_cuda = {FAST_BACKEND, .flooding = &cuda_flooding};
const struct tsunami_backend tsunami_backend_cuda_plain = {PLAIN_BACKEND, .flooding = &plain_flooding};
