// A CUDA solver's weak dispersion: its arrays. Knows no arithmetic and no launch of a kernel.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

// Values for the ends of the segments of `lines` lines of `rows` rows, and for those of their ends' system,
// and so on; as dispersion_lines.cuh lays them out.
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

static enum status plan_field(struct solver *s, struct memory_plan *plan, const char *prefix,
                              const char *name, void **pointer)
{
    return memory_plan_add(plan, MEMORY_DEVICE, s->host.setup.precision, s->host.rows, s->host.pitch, pointer,
                           "%sdevice dispersion %s", prefix, name);
}

enum status solver_plan_dispersion(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[][2] = {
        {"value x", "value y"}, {"lower x", "lower y"}, {"upper x", "upper y"}, {"x", "y"}};
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const size_t most_rows = (size_t)(solver_is_single(s) ? DISPERSION_ROWS(float) : DISPERSION_ROWS(double));
    const size_t along_x = scratch_values(g->ny, g->nx, most_rows),
                 along_y = scratch_values(g->nx, g->ny, most_rows);
    if (!s->host.setup.physics->has_dispersion)
        return STATUS_OK;
    CHECK(plan_field(s, plan, prefix, "work", &s->dispersion.work));
    for (int axis = 0; axis < 2; axis++) {
        CHECK(plan_field(s, plan, prefix, names[0][axis], &s->dispersion.value[axis]));
        CHECK(plan_field(s, plan, prefix, names[1][axis], &s->dispersion.lower[axis]));
        CHECK(plan_field(s, plan, prefix, names[2][axis], &s->dispersion.upper[axis]));
        CHECK(plan_field(s, plan, prefix, names[3][axis], &s->dispersion.psi[axis]));
    }
    return memory_plan_add(plan, MEMORY_DEVICE, s->host.setup.precision, 1,
                           along_x > along_y ? along_x : along_y, &s->dispersion.scratch,
                           "%sdevice dispersion ends", prefix);
}

enum status solver_plan_before(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[] = {"u", "v"};
    for (int k = 0; k < 2 && s->host.setup.physics->has_dispersion; k++)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, s->host.setup.precision, s->host.rows, s->host.pitch,
                              &s->dispersion.before[k], "%sdevice %s before", prefix, names[k]));
    return STATUS_OK;
}

enum status solver_keep_before(struct solver *s)
{
    for (int k = 0; k < 2; k++)
        CUDA_CHECK(cudaMemcpyAsync(s->dispersion.before[k], s->state[s->current][1 + k],
                                   solver_state_bytes(s), cudaMemcpyDeviceToDevice, s->timeline->compute),
                   "a copy of the velocities");
    return STATUS_OK;
}
