// The tsunami's CUDA back end: state, coefficients and records on the device, where steps (step.c) and
// results (results.c) are computed, and a pinned mirror on the host for checkpoints, checks and moving
// sources. The plan owns the memory; streams and events are created when the plan is made.
//
// The host only launches steps and results, in the order of the calls, on one stream, which nested grids
// share with their parents. It waits in fetch, fetch_records and finish, and if it is too far ahead of the
// device (timeline.h).
#include "gpu/backends.h"
#include "gpu/tsunami/solver.h"

#include "parallel/ranks.h"

#include <string.h>

// Of several grids those that are faster whole than divided (docs/parallel.md has the measurements).
enum { WHOLE_NODES = 1 << 18 };

#define HAS_OWN_TIMES
#include "gpu/backend_head.inc"

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

static enum status plan_solver(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, bool is_plain, struct solver **solver)
{
    CHECK(cuda_create(plan, setup->device, solver));
    struct solver *s = *solver;
    // vtcs2-shore has only the plain form: one kernel for each sweep.
    s->is_plain = is_plain || setup->physics->method == TSUNAMI_VTCS2_SHORE;
    CHECK(open_timeline(s, setup));
    CUDA_CHECK(cudaDeviceGetAttribute(&s->multiprocessors, cudaDevAttrMultiProcessorCount, setup->device),
               "to report its size");
    return solver_plan_arrays(s, setup, plan, prefix);
}

static enum status cuda_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    return plan_solver(setup, plan, prefix, false, solver);
}

static enum status plain_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                              struct solver **solver)
{
    CHECK(plan_solver(setup, plan, prefix, true, solver));
    return solver_plan_before(*solver, plan, prefix);
}

static enum status start_nodes(struct solver *s)
{
    host_level_start(&s->host);
    solver_list_tiles(s);
    memset(s->flags, 0, 3 * solver_tiles(s));
    CHECK(solver_upload_arrays(s));
    return solver_upload_tiles(s);
}

static size_t own_rows(const struct solver *s)
{
    const struct tsunami_rows own = tsunami_own(s->host.setup.geometry);
    return own.end - own.first;
}

static enum status cuda_start(struct solver *s)
{
    solver_set_records(s);
    s->current = s->moving = 0;
    s->is_mirror_current = true;
    s->status = STATUS_OK;
    s->counts[COUNT_COMPUTED] = s->counts[COUNT_ALL] = 0;
    CHECK((solver_is_staggered(s) ? solver_start_c_grid : start_nodes)(s));
    CHECK(
        gpu_timeline_upload(s->timeline, s->device_computed, &s->counts[COUNT_COMPUTED], sizeof *s->counts));
    CHECK(solver_start_edges(s));
    CHECK(solver_start_points(s));
    CHECK(solver_start_dispersion(s));
    CHECK(tsunami_device_start_results(s));
    CHECK(solver_start_peers(s));
    CHECK(solver_copy_records(s, true, own_rows(s)));
    gpu_timeline_restart(s->timeline); // the run begins here
    return STATUS_OK;
}

static enum status cuda_fetch_records(struct solver *s)
{
    return solver_copy_records(s, false, own_rows(s));
}

static enum status cuda_send_records(struct solver *s)
{
    return solver_copy_records(s, true, own_rows(s));
}

static void cuda_get(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                     double *u_m_s, double *v_m_s)
{
    if (solver_is_staggered(s))
        solver_get_c_grid(s, row, first, count, eta_m, u_m_s, v_m_s);
    else
        host_level_get(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void cuda_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                     const double *u_m_s, const double *v_m_s)
{
    if (solver_is_staggered(s))
        solver_set_c_grid(s, row, first, count, eta_m, u_m_s, v_m_s);
    else
        host_level_set(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void cuda_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    if (solver_is_staggered(s))
        solver_lift_c_grid(s, row, uplift_m);
    else
        host_level_lift(&s->host, row, uplift_m, bottom_m);
}

static enum status touch_nodes(struct solver *s)
{
    CHECK(solver_send_state(s));
    CHECK(solver_send_source_level(s));
    s->is_mirror_current = true;
    return STATUS_OK;
}

// After set, lift or a loaded checkpoint the mirror is newer than the device.
static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    if (is_loaded && s->host.is_divided && s->host.setup.ranks->rank > 0)
        s->counts[COUNT_COMPUTED] = s->counts[COUNT_ALL] = 0; // rank 0 has those of all
    if (s->status == STATUS_OK)
        s->status = solver_is_staggered(s) ? solver_touch_c_grid(s, is_loaded) : touch_nodes(s);
    return s->status;
}

static void cuda_record(struct solver *s, double time_s)
{
    if (s->status == STATUS_OK)
        s->status = solver_launch_record(s, time_s);
    if (s->status == STATUS_OK)
        s->status = solver_launch_points(s, time_s);
}

static enum status begin_steps(struct solver *s, int64_t first_step, int64_t count)
{
    const unsigned long long nodes = (unsigned long long)own_rows(s) * s->host.setup.geometry->nx;
    struct gpu_timeline *timeline = s->timeline;
    const bool is_nested = s->has_children || s->host.setup.parent;
    for (int64_t step = first_step, end = first_step + count; step < end;) {
        int steps;
        CHECK(gpu_timeline_join(timeline, end - step, &steps));
        CHECK(solver_launch_steps(s, step, steps));
        if (!is_nested)
            CHECK(gpu_timeline_close_batch(timeline));
        s->is_mirror_current = false;
        s->counts[COUNT_ALL] += (unsigned long long)steps * nodes;
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

// The outermost grid reports for all: they share the timeline.
static struct device_times cuda_times(const struct solver *s)
{
    return s->host.setup.parent ? (struct device_times){0} : gpu_timeline_times(s->timeline);
}

// One tile without water makes an even and an odd step, with records and without.
static enum status warm_up_tiles(struct solver *s)
{
    s->tile_count = 1;
    const int lowest = solver_part_of(s, (int)tsunami_own(s->host.setup.geometry).first);
    s->tiles[0] = (struct device_tile){.j = lowest, .is_coast = 1}; // reads nothing beyond the domain's edges
    CHECK(gpu_timeline_upload(s->timeline, s->device_list, s->tiles, sizeof *s->tiles));
    // The tile must wait for no other.
    CUDA_CHECK(
        cudaMemsetAsync(s->device_made, 0xff, solver_tiles(s) * sizeof *s->device_made, s->timeline->compute),
        "to fill memory");
    for (int step = 0; step < 4; step++) {
        s->is_paused = step >= 2;
        CHECK(begin_steps(s, step, 1));
    }
    return gpu_timeline_download(s->timeline, s->flags, s->device_flags, 1);
}

// All nodes are land.
static enum status warm_up_c_grid(struct solver *s)
{
    CHECK(solver_warm_up_c_tiles(s));
    for (int step = 0; step < 4; step++) {
        s->is_paused = step >= 2;
        CHECK(begin_steps(s, step, 1));
    }
    s->is_paused = false;
    CHECK(solver_launch_c_steps(s, 0, 2)); // together, however many steps a batch has
    s->c_grid.has_set = true;
    CHECK(solver_touch_c_grid(s, false));
    s->c_grid.is_lifted[0] = 1;
    CHECK(solver_touch_c_grid(s, false));
    return solver_fetch_c_grid(s);
}

// On memory that is still all zero.
static enum status cuda_warm_up(struct solver *s)
{
    struct tsunami_invalid found = {.step = -1};
    CHECK(solver_open_ranks(s));
    solver_set_records(s);
    CHECK(solver_start_points(s));
    CHECK((solver_is_staggered(s) ? warm_up_c_grid : warm_up_tiles)(s));
    cuda_record(s, 0);
    CHECK(solver_copy_records(s, true, 1));
    CHECK(solver_copy_records(s, false, 1));
    if (s->host.setup.parent)
        CHECK(solver_gather_edges(s, 0));
    CHECK(tsunami_device_warm_up_results(s));
    return tsunami_device_finish(s, &found);
}

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const int count = solver_is_staggered(s) ? solver_c_grid_checkpoint_arrays(s, arrays)
                                             : host_level_checkpoint_arrays(&s->host, arrays);
    arrays[count] = (struct checkpoint_array){"node counts", s->counts, COUNTS * sizeof *s->counts};
    return count + 1;
}

static void cuda_work(const struct solver *s, double *computed, double *skipped)
{
    *computed = s->is_plain ? s->all_node_steps : s->computed_node_steps;
    *skipped = s->all_node_steps - *computed;
}

// Of divided grids; the plain version divides none.
static void cuda_checkpoint_rows(const struct solver *s, struct checkpoint_rows *rows)
{
    host_level_checkpoint_rows(&s->host, rows); // a staggered grid has as many fields, and no bottom
}

static void cuda_destroy(struct solver *s)
{
    gpu_exchange_close(&s->exchange);
    gpu_allgather_close(&s->dispersion.ranks.gather);
    gpu_allgather_close(&s->edges_of_ranks.gather);
    gpu_results_close(&s->results.common);
    if (!s->host.setup.parent)
        gpu_timeline_close(&s->own_timeline);
    free(s);
}

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
    .take_edges = solver_take_edges, \
    .gather_edges = solver_gather_edges, \
    .work = cuda_work, \
    CUDA_RESULTS(tsunami), \
    .finish = tsunami_device_finish
#define OWN_HEAD \
    .advance = cuda_advance, .fetch = solver_fetch_state, .send = tsunami_device_send, CUDA_HEAD
#define FAST_BACKEND \
    .head = {.name = "cuda", .summary = "one NVIDIA GPU", .rank = 10, OWN_HEAD}, \
    .plan = cuda_plan, CUDA_BACKEND
#define DIVIDED \
    .least_rows = solver_least_rows, .whole_nodes = WHOLE_NODES, .checkpoint_rows = cuda_checkpoint_rows
#define PLAIN_BACKEND \
    .head = {.name = "cuda-plain", \
             .summary = "one NVIDIA GPU, the plain way: a kernel a sweep; for comparison", \
             .rank = -1, OWN_HEAD}, \
    .plan = plain_plan, CUDA_BACKEND

// clang-format on
static const struct tsunami_backend cuda_flooding = {FAST_BACKEND, DIVIDED};
static const struct tsunami_backend plain_flooding = {PLAIN_BACKEND};
static const struct tsunami_backend cuda_staggered = {
    FAST_BACKEND, .get_staggered = solver_get_staggered, .least_rows = solver_least_c_rows,
    .whole_nodes = WHOLE_NODES, .checkpoint_rows = cuda_checkpoint_rows};
static const struct tsunami_backend plain_staggered = {PLAIN_BACKEND, .get_staggered = solver_get_staggered};
const struct tsunami_backend tsunami_backend_cuda = {FAST_BACKEND, DIVIDED, .flooding = &cuda_flooding,
                                                     .staggered = &cuda_staggered};
const struct tsunami_backend tsunami_backend_cuda_plain = {PLAIN_BACKEND, .flooding = &plain_flooding,
                                                           .staggered = &plain_staggered};
