// A CUDA solver's weak dispersion and eddy viscosity: their arrays. Knows no arithmetic and no launch of a
// kernel.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

// Number of values for the ends of the segments of `lines` lines of `rows` rows, for those of the ends'
// system, and so on, in the layout of dispersion_lines.cuh.
static size_t scratch_values(size_t lines, size_t rows, size_t most_rows)
{
    const size_t pitch = (lines + 31) / 32 * 32;
    size_t values = 1;
    while (rows > most_rows) {
        rows = 2 * ((rows + most_rows - 1) / most_rows);
        values += 3 * rows * pitch;
    }
    return values;
}

// Rows of storage: all, or of a divided grid the own ones and those of neighbours that are exchanged.
static struct tsunami_rows rows_of(const struct solver *s)
{
    const size_t beyond = (size_t)s->dispersion.ranks.beyond;
    if (!s->host.is_divided)
        return (struct tsunami_rows){0, s->host.rows};
    return (struct tsunami_rows){s->host.own.first + TSUNAMI_HALO_ROWS - beyond, // converted, if negative
                                 s->host.own.end + TSUNAMI_HALO_ROWS + beyond};
}

enum status solver_plan_dispersion(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const enum element real = s->host.setup.precision;
    const size_t most_rows = (size_t)(solver_is_single(s) ? DISPERSION_ROWS(float) : DISPERSION_ROWS(double));
    const struct {
        void **pointer;
        const char *name;
    } arrays[] = {
        {&s->dispersion.work, "work"},        {&s->dispersion.value[0], "value x"},
        {&s->dispersion.lower[0], "lower x"}, {&s->dispersion.upper[0], "upper x"},
        {&s->dispersion.psi[0], "x"},         {&s->dispersion.value[1], "value y"},
        {&s->dispersion.lower[1], "lower y"}, {&s->dispersion.upper[1], "upper y"},
        {&s->dispersion.psi[1], "y"},
    };
    if (!s->host.setup.physics->has_dispersion)
        return STATUS_OK;
    CHECK(solver_plan_dispersion_ranks(s, plan, prefix));
    const struct tsunami_rows rows = rows_of(s), own = tsunami_own(g);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_DEVICE, real, rows.first, rows.end, s->host.pitch,
                                   arrays[k].pointer, "%sdevice dispersion %s", prefix, arrays[k].name));
    const size_t along_x = scratch_values(own.end - own.first, g->nx, most_rows),
                 along_y = scratch_values(g->nx, g->ny, most_rows);
    return memory_plan_add(plan, MEMORY_DEVICE, real, 1, along_x > along_y ? along_x : along_y,
                           &s->dispersion.scratch, "%sdevice dispersion ends", prefix);
}

enum status solver_plan_eddies(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->host.setup.precision;
    const struct tsunami_rows kept = solver_kept_rows(s);
    static const char *const names[2] = {"device eddy u", "device eddy v"};
    for (int k = 0; k < 2 && tsunami_physics_has_eddies(s->host.setup.physics); k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_DEVICE, real, kept.first, kept.end, s->host.pitch,
                                   &s->eddy[k], "%s%s", prefix, names[k]));
    return STATUS_OK;
}

enum status solver_plan_before(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->host.setup.precision;
    const size_t rows = s->host.setup.physics->has_dispersion ? s->host.rows : 0; // 0: not wanted
    const struct gpu_array arrays[] = {
        {&s->dispersion.before[0], MEMORY_DEVICE, real, rows, s->host.pitch, "device u before"},
        {&s->dispersion.before[1], MEMORY_DEVICE, real, rows, s->host.pitch, "device v before"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status solver_keep_before(struct solver *s)
{
    for (int k = 0; k < 2; k++)
        CUDA_CHECK(cudaMemcpyAsync(s->dispersion.before[k], s->state[s->current][1 + k],
                                   solver_state_bytes(s), cudaMemcpyDeviceToDevice, s->timeline->compute),
                   "a copy of the velocities");
    return STATUS_OK;
}
