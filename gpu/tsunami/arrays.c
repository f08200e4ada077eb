// A CUDA solver's arrays: their part of the memory plan, and the copies between host and device. Knows no
// kernel.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

#include <limits.h>
#include <string.h>

_Static_assert((int)ROW_CONSTANTS == (int)HOST_ROW_COEFFICIENTS, "a row's constants are the host level's");

static enum status plan_state(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const bool floods = s->host.floods;
    const struct tsunami_rows stored = s->host.stored;
    const struct {
        void **pointer;
        const char *name;
    } arrays[] = {
        {&s->state[0][0], floods ? "w 0" : "e 0"}, {&s->state[0][1], "u 0"}, {&s->state[0][2], "v 0"},
        {&s->state[1][0], floods ? "w 1" : "e 1"}, {&s->state[1][1], "u 1"}, {&s->state[1][2], "v 1"},
        {&s->still, floods ? "z" : "c0"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_DEVICE, s->host.setup.precision, stored.first, stored.end,
                                   s->host.pitch, arrays[k].pointer, "%sdevice %s", prefix, arrays[k].name));
    return STATUS_OK;
}

static enum status plan_coefficients(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->host.setup.precision;
    const size_t rows = s->host.rows, pitch = s->host.pitch;
    const struct gpu_array arrays[] = {
        {&s->columns, MEMORY_DEVICE, real, HOST_COLUMN_COEFFICIENTS, pitch, "device columns"},
        {&s->rows, MEMORY_DEVICE, real, rows, HOST_ROW_COEFFICIENTS, "device rows"},
        {&s->packed_rows, MEMORY_HOST, real, rows, HOST_ROW_COEFFICIENTS, "packed rows"},
        {&s->counts, MEMORY_PINNED, ELEMENT_I64, 1, COUNTS, "node counts"},
        {&s->device_computed, MEMORY_DEVICE, ELEMENT_I64, 1, 1, "device computed"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status solver_plan_arrays(struct solver *s, const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix)
{
    s->tile_parts = 1;
    if (tsunami_method_is_staggered(setup->physics->method))
        return solver_plan_c_grid(s, setup, plan, prefix);
    CHECK(host_level_plan(&s->host, setup, plan, prefix, 1, MEMORY_PINNED));
    const size_t rows = s->host.rows, pitch = s->host.pitch;
    if (rows * pitch > INT32_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "the cuda back end takes grids of at most %d nodes with their padding, not %zu",
                    INT32_MAX, rows * pitch);
    CHECK(plan_state(s, plan, prefix));
    CHECK(plan_coefficients(s, plan, prefix));
    CHECK(solver_plan_tiles(s, plan, prefix));
    CHECK(solver_plan_edges(s, plan, prefix));
    CHECK(solver_plan_dispersion(s, plan, prefix));
    CHECK(solver_plan_eddies(s, plan, prefix));
    CHECK(solver_plan_ranks(s, plan, prefix));
    return solver_plan_records(s, plan, prefix);
}

// [row][coefficient]: a thread reads those of a row together.
static void pack_rows(struct solver *s)
{
    const size_t rows = s->host.rows, element = s->host.element;
    for (size_t j = 0; j < rows; j++)
        for (size_t k = 0; k < HOST_ROW_COEFFICIENTS; k++)
            memcpy((char *)s->packed_rows + (j * HOST_ROW_COEFFICIENTS + k) * element,
                   (const char *)s->host.row_coefficients + (k * rows + j) * element, element);
}

static void *still_mirror(const struct solver *s)
{
    return s->host.floods ? s->host.z : s->host.c0;
}

// Copies the rows that are held, between a device array and its mirror.
static enum status copy_held(const struct solver *s, void *device, void *mirror, bool to_device)
{
    const struct tsunami_rows stored = s->host.stored;
    const size_t bytes = (stored.end - stored.first) * s->host.pitch * s->host.element;
    void *const there = host_level_row(&s->host, device, stored.first), *const here = host_level_row(
                                                                            &s->host, mirror, stored.first);
    return to_device ? gpu_timeline_upload(s->timeline, there, here, bytes)
                     : gpu_timeline_download(s->timeline, here, there, bytes);
}

enum status solver_upload_arrays(struct solver *s)
{
    pack_rows(s);
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(copy_held(s, s->state[k][f], s->host.state[0][f], true));
    CHECK(copy_held(s, s->still, still_mirror(s), true));
    CHECK(gpu_timeline_upload(s->timeline, s->columns, s->host.columns,
                              HOST_COLUMN_COEFFICIENTS * s->host.pitch * s->host.element));
    return gpu_timeline_upload(s->timeline, s->rows, s->packed_rows,
                               s->host.rows * HOST_ROW_COEFFICIENTS * s->host.element);
}

void solver_note_work(struct solver *s)
{
    s->computed_node_steps = (double)s->counts[COUNT_COMPUTED];
    s->all_node_steps = (double)s->counts[COUNT_ALL];
}

enum status solver_fetch_state(struct solver *s)
{
    if (solver_is_staggered(s))
        return solver_fetch_c_grid(s);
    CHECK(s->status);
    if (s->is_mirror_current)
        return STATUS_OK;
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(copy_held(s, s->state[s->current][f], s->host.state[0][f], false));
    CHECK(gpu_timeline_download(s->timeline, &s->counts[COUNT_COMPUTED], s->device_computed,
                                sizeof *s->counts));
    CHECK(gpu_timeline_finish_compute(s->timeline));
    s->is_mirror_current = true;
    solver_note_work(s);
    return STATUS_OK;
}

// With finite volumes, tiles at rest are not computed again, so both copies must hold the state; and the
// bottom may have risen.
enum status solver_send_state(struct solver *s)
{
    host_level_fill_halo(&s->host);
    if (s->host.floods)
        CHECK(host_level_exchange_bottom(&s->host));
    CHECK(host_level_exchange(&s->host, 0));
    solver_find_moving_tiles(s);
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        CHECK(copy_held(s, s->state[s->current][f], s->host.state[0][f], true));
        if (s->host.floods)
            CHECK(copy_held(s, s->state[1 - s->current][f], s->host.state[0][f], true));
    }
    if (s->host.floods)
        CHECK(copy_held(s, s->still, s->host.z, true));
    CHECK(gpu_timeline_upload(s->timeline, s->device_flags, s->flags, 2 * solver_tiles(s)));
    CHECK(solver_exchange_flags(s));
    CHECK(
        gpu_timeline_upload(s->timeline, s->device_computed, &s->counts[COUNT_COMPUTED], sizeof *s->counts));
    return gpu_timeline_finish_compute(s->timeline);
}
