// A CUDA gas solver's arrays: their part of the memory plan, the copies between host and device, and the
// mirror by id, in the model's order.
#include "gpu/gas/solver.h"
#include "gpu/memory.h"

#include <math.h>

bool gas_has_order(const struct solver *s)
{
    return s->has_regions || s->has_lists;
}

static enum status plan_device(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct gas_device_particles *p = &s->particles;
    struct gas_move *move = &s->move;
    const size_t count = s->setup.count, sums = gas_move_has_sums(s->setup.physics) ? 1 : 0; // 0: not wanted
    const size_t ranks = s->setup.shares ? (size_t)s->setup.ranks->count : 1;
    const struct gpu_array arrays[] = {
        {&p->position, MEMORY_DEVICE, ELEMENT_F64, count, GAS_AXES, "device positions"},
        {&p->velocity, MEMORY_DEVICE, ELEMENT_F64, count, GAS_AXES, "device velocities"},
        {&p->force, MEMORY_DEVICE, ELEMENT_F64, count, GAS_AXES, "device forces"},
        {&p->before, MEMORY_DEVICE, ELEMENT_F64, s->setup.physics->limiters.jump > 0 ? count : 0, GAS_AXES,
         "device velocities before"},
        {&p->mass, MEMORY_DEVICE, ELEMENT_F64, s->setup.has_masses, count, "device masses"},
        {&p->id, MEMORY_DEVICE, ELEMENT_I32, gas_has_order(s), count, "device ids"},
        {&s->other_force, MEMORY_DEVICE, ELEMENT_F64, count, GAS_AXES, "device forces, of evaluate"},
        {&s->energy, MEMORY_DEVICE, ELEMENT_F64, count, GAS_AXES, "device energies"},
        {&s->direct.scratch, MEMORY_DEVICE, ELEMENT_F64, 1, s->direct.scratch_numbers,
         "device sums of parts"},
        {&s->direct.points, MEMORY_DEVICE, ELEMENT_U8, 1, s->direct.points_bytes,
         "device points of all pairs"},
        {&s->direct.carried, MEMORY_DEVICE, ELEMENT_F64, 1, s->direct.carried_numbers,
         "device sums between blocks"},
        {&s->direct.left, MEMORY_DEVICE, ELEMENT_I32, 1, s->direct.left_numbers,
         "device flags between blocks"},
        {&s->error_flags, MEMORY_DEVICE, ELEMENT_U8, ranks, sizeof *s->error_flags, "device error flags"},
        {&s->counts, MEMORY_DEVICE, ELEMENT_U8, 1, sizeof *s->counts, "device counts"},
        {&move->kinetic, MEMORY_DEVICE, ELEMENT_F64, sums, count, "device kinetic energies"},
        {&move->partial, MEMORY_DEVICE, ELEMENT_F64, sums, gas_move_partials(count),
         "device kinetic block sums"},
        {&move->sum, MEMORY_DEVICE, ELEMENT_F64, sums, 1, "device kinetic sum"},
        {&move->factor, MEMORY_DEVICE, ELEMENT_F64, sums, 1, "device factor of velocities"},
    };
    p->count = count;
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status gas_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t count = s->setup.count, lists = s->has_lists ? count : 0;
    const struct gpu_array mirror[] = {
        {&s->mirror_position, MEMORY_PINNED, ELEMENT_F64, count, GAS_AXES, "mirror positions"},
        {&s->mirror_velocity, MEMORY_PINNED, ELEMENT_F64, count, GAS_AXES, "mirror velocities"},
        {&s->mirror_force, MEMORY_PINNED, ELEMENT_F64, count, GAS_AXES, "mirror forces"},
        {&s->mirror_energy, MEMORY_PINNED, ELEMENT_F64, count, GAS_AXES, "mirror energies"},
        {&s->mirror_counts, MEMORY_PINNED, ELEMENT_U8, 1, sizeof *s->mirror_counts, "mirror counts"},
        {&s->mirror_mass, MEMORY_PINNED, ELEMENT_F64, s->setup.has_masses, count, "mirror masses"},
        {&s->mirror_at_sort, MEMORY_PINNED, ELEMENT_F64, lists, GAS_AXES, "mirror positions at the sort"},
        {&s->mirror_order.ids, MEMORY_PINNED, ELEMENT_I32, gas_has_order(s), count, "mirror ids"},
        {&s->mirror_order.index, MEMORY_HOST, ELEMENT_I32, gas_has_order(s), count, "index by id"},
    };
    CHECK(plan_device(s, plan, prefix));
    return GPU_PLAN_ARRAYS(plan, prefix, mirror);
}

void gas_point_moves(struct solver *s)
{
    s->error_flag = s->error_flags + (s->setup.shares ? s->setup.ranks->rank : 0);
    s->move.physics = s->setup.physics;
    s->move.mass = s->setup.mass;
    s->move.error_flag = s->error_flag;
    s->move.counts = s->counts;
    s->move.at_sort = s->lists.grid.at_sort;
    s->move.stale = s->lists.arrays.stale;
}

// ---- the mirror, by id

void gas_get(const struct solver *s, size_t first, size_t count, struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++) {
        const size_t index = gpu_order_index(&s->mirror_order, first + k);
        for (size_t axis = 0; axis < GAS_AXES; axis++) {
            particles[k].position[axis] = s->mirror_position[GAS_AXES * index + axis];
            particles[k].velocity[axis] = s->mirror_velocity[GAS_AXES * index + axis];
        }
        particles[k].mass = s->mirror_mass ? s->mirror_mass[index] : s->setup.mass;
    }
}

// By id: all are set before the next touch, which makes the order that of the ids.
void gas_set(struct solver *s, size_t first, size_t count, const struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++) {
        const size_t id = first + k;
        for (size_t axis = 0; axis < GAS_AXES; axis++) {
            s->mirror_position[GAS_AXES * id + axis] = particles[k].position[axis];
            s->mirror_velocity[GAS_AXES * id + axis] = particles[k].velocity[axis];
        }
        if (s->mirror_mass)
            s->mirror_mass[id] = particles[k].mass;
    }
}

void gas_get_field(const struct solver *s, size_t first, size_t count, struct gas_field *field)
{
    for (size_t k = 0; k < count; k++) {
        const size_t index = gpu_order_index(&s->mirror_order, first + k);
        const double *force = s->mirror_force + GAS_AXES * index;
        const double *energy = s->mirror_energy + GAS_AXES * index;
        field[k] = s->has_field ? (struct gas_field){{force[GAS_X], force[GAS_Y]}, energy[0], energy[1]}
                                : (struct gas_field){{NAN, NAN}, NAN, NAN};
    }
}

enum status gas_take_order(struct solver *s)
{
    return gpu_order_take(&s->mirror_order, s->setup.count, "particle");
}

// ---- copies

// Does nothing if the array was not planned.
static enum status download(struct solver *s, void *to, const void *from, size_t bytes)
{
    return to ? gpu_timeline_download(&s->timeline, to, from, bytes) : STATUS_OK;
}

static enum status upload(struct solver *s, void *to, const void *from, size_t bytes)
{
    return from ? gpu_timeline_upload(&s->timeline, to, from, bytes) : STATUS_OK;
}

enum status gas_fetch_mirror(struct solver *s)
{
    const struct gas_device_particles *p = &s->particles;
    const size_t number = p->count * sizeof(double), pair = GAS_AXES * number;
    CHECK(download(s, s->mirror_position, p->position, pair));
    CHECK(download(s, s->mirror_velocity, p->velocity, pair));
    CHECK(download(s, s->mirror_mass, p->mass, number));
    CHECK(download(s, s->mirror_at_sort, s->move.at_sort, pair));
    CHECK(download(s, s->mirror_order.ids, p->id, p->count * sizeof *p->id));
    CHECK(download(s, s->mirror_counts, s->counts, sizeof *s->counts));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    return gas_take_order(s);
}

enum status gas_send_mirror(struct solver *s, bool at_sort)
{
    const struct gas_device_particles *p = &s->particles;
    const size_t number = p->count * sizeof(double), pair = GAS_AXES * number;
    CHECK(upload(s, p->position, at_sort ? s->mirror_at_sort : s->mirror_position, pair));
    CHECK(upload(s, p->velocity, s->mirror_velocity, pair));
    CHECK(upload(s, p->mass, s->mirror_mass, number));
    CHECK(upload(s, p->id, s->mirror_order.ids, p->count * sizeof *p->id));
    CHECK(upload(s, s->counts, s->mirror_counts, sizeof *s->counts));
    return gpu_timeline_finish_compute(&s->timeline);
}

enum status gas_fetch_field(struct solver *s, const double *force)
{
    const size_t bytes = GAS_AXES * s->setup.count * sizeof(double);
    CHECK(download(s, s->mirror_force, force, bytes));
    CHECK(download(s, s->mirror_energy, s->energy, bytes));
    return gpu_timeline_finish_compute(&s->timeline);
}
