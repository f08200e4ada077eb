// A CUDA gas solver's arrays: what they ask of the memory plan, what travels between host and device, and the
// mirror as the model sees it, by id. Knows no kernel.
#include "gpu/gas/private.h"
#include "gpu/memory.h"
#include "models/gas/method.h"

#include <math.h>
#include <string.h>

bool gas_has_order(const struct solver *s)
{
    return gas_has_regions(s->setup.physics) || gas_has_lists(s->setup.physics);
}

static enum status plan_pairs(struct solver *s, struct memory_plan *plan, enum memory_kind kind, double **to,
                              const char *prefix, const char *name)
{
    return memory_plan_add(plan, kind, ELEMENT_F64, s->setup.count, GAS_AXES, (void **)to, "%s%s", prefix,
                           name);
}

static enum status plan_particles(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct gas_device_particles *p = &s->particles;
    const size_t count = s->setup.count;
    p->count = count;
    CHECK(plan_pairs(s, plan, MEMORY_DEVICE, &p->position, prefix, "device positions"));
    CHECK(plan_pairs(s, plan, MEMORY_DEVICE, &p->velocity, prefix, "device velocities"));
    CHECK(plan_pairs(s, plan, MEMORY_DEVICE, &p->force, prefix, "device forces"));
    if (s->setup.physics->limiters.jump > 0)
        CHECK(plan_pairs(s, plan, MEMORY_DEVICE, &p->before, prefix, "device velocities before"));
    if (s->setup.has_masses)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, count, (void **)&p->mass,
                              "%sdevice masses", prefix));
    if (gas_has_order(s))
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I32, 1, count, (void **)&p->id, "%sdevice ids",
                              prefix));
    CHECK(plan_pairs(s, plan, MEMORY_DEVICE, &s->other_force, prefix, "device forces to show"));
    return plan_pairs(s, plan, MEMORY_DEVICE, &s->energy, prefix, "device energies");
}

static enum status plan_direct(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    if (s->direct.scratch_numbers > 0)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, s->direct.scratch_numbers,
                              (void **)&s->direct.scratch, "%sdevice sums of parts", prefix));
    if (s->direct.places_bytes == 0)
        return STATUS_OK;
    return memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, s->direct.places_bytes, &s->direct.places,
                           "%sdevice places of all pairs", prefix);
}

static enum status plan_moves(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t count = s->setup.count;
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, sizeof *s->alarm, (void **)&s->alarm,
                          "%sdevice alarm", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, sizeof *s->counts, (void **)&s->counts,
                          "%sdevice counts", prefix));
    if (!gas_move_has_sums(s->setup.physics))
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, count, (void **)&s->move.kinetic,
                          "%sdevice kinetic energies", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, gas_move_partials(count),
                          (void **)&s->move.partial, "%sdevice kinetic block sums", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, 1, (void **)&s->move.sum,
                          "%sdevice kinetic sum", prefix));
    return memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, 1, (void **)&s->move.factor,
                           "%sdevice factor of velocities", prefix);
}

static enum status plan_mirror(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t count = s->setup.count;
    CHECK(plan_pairs(s, plan, MEMORY_PINNED, &s->mirror_position, prefix, "mirror positions"));
    CHECK(plan_pairs(s, plan, MEMORY_PINNED, &s->mirror_velocity, prefix, "mirror velocities"));
    CHECK(plan_pairs(s, plan, MEMORY_PINNED, &s->mirror_force, prefix, "mirror forces"));
    CHECK(plan_pairs(s, plan, MEMORY_PINNED, &s->mirror_energy, prefix, "mirror energies"));
    CHECK(memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, 1, sizeof *s->mirror_counts,
                          (void **)&s->mirror_counts, "%smirror counts", prefix));
    if (s->setup.has_masses)
        CHECK(memory_plan_add(plan, MEMORY_PINNED, ELEMENT_F64, 1, count, (void **)&s->mirror_mass,
                              "%smirror masses", prefix));
    if (gas_has_lists(s->setup.physics))
        CHECK(plan_pairs(s, plan, MEMORY_PINNED, &s->mirror_places, prefix, "mirror places at the sort"));
    if (!gas_has_order(s))
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_PINNED, ELEMENT_I32, 1, count, (void **)&s->mirror_id, "%smirror ids",
                          prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, count, (void **)&s->place, "%splaces by id",
                           prefix);
}

enum status gas_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    CHECK(plan_particles(s, plan, prefix));
    CHECK(plan_direct(s, plan, prefix));
    CHECK(plan_moves(s, plan, prefix));
    return plan_mirror(s, plan, prefix);
}

void gas_point_moves(struct solver *s)
{
    s->move.physics = s->setup.physics;
    s->move.mass = s->setup.mass;
    s->move.alarm = s->alarm;
    s->move.counts = s->counts;
    if (!s->lists)
        return;
    const struct gas_device_wear wear = gas_device_lists_wear(s->lists);
    s->move.places = wear.places;
    s->move.worn = wear.worn;
}

// ---- the mirror, by id

static size_t place_of(const struct solver *s, size_t id)
{
    return s->place ? s->place[id] : id;
}

void gas_get(const struct solver *s, size_t first, size_t count, struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++) {
        const size_t place = place_of(s, first + k);
        for (size_t axis = 0; axis < GAS_AXES; axis++) {
            particles[k].position[axis] = s->mirror_position[GAS_AXES * place + axis];
            particles[k].velocity[axis] = s->mirror_velocity[GAS_AXES * place + axis];
        }
        particles[k].mass = s->mirror_mass ? s->mirror_mass[place] : s->setup.mass;
    }
}

// All are set before the next touch, which makes the order that of the ids: so that is where they go.
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
        const double *force = s->mirror_force + GAS_AXES * place_of(s, first + k);
        const double *energy = s->mirror_energy + GAS_AXES * place_of(s, first + k);
        field[k] = s->has_field ? (struct gas_field){{force[GAS_X], force[GAS_Y]}, energy[0], energy[1]}
                                : (struct gas_field){{NAN, NAN}, NAN, NAN};
    }
}

void gas_order_by_id(struct solver *s)
{
    for (size_t k = 0; s->place && k < s->setup.count; k++)
        s->mirror_id[k] = s->place[k] = (unsigned)k;
}

enum status gas_take_order(struct solver *s)
{
    const size_t count = s->setup.count;
    if (!s->place)
        return STATUS_OK;
    memset(s->place, 0xff, count * sizeof *s->place);
    for (size_t k = 0; k < count; k++) {
        const unsigned id = s->mirror_id[k];
        if (id >= count || s->place[id] != ~0u)
            return FAIL(STATUS_DATA, "the order of the particles names particle %u %s", id,
                        id >= count ? "of which there is none" : "twice");
        s->place[id] = (unsigned)k;
    }
    return STATUS_OK;
}

// ---- copies

static enum status copy_to_host(struct solver *s, void *to, const void *from, size_t bytes)
{
    if (to)
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, s->timeline.compute),
                   "a copy from the device");
    return STATUS_OK;
}

static enum status copy_to_device(struct solver *s, void *to, const void *from, size_t bytes)
{
    if (from)
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, s->timeline.compute),
                   "a copy to the device");
    return STATUS_OK;
}

enum status gas_fetch_mirror(struct solver *s)
{
    const struct gas_device_particles *p = &s->particles;
    const size_t number = p->count * sizeof(double), pair = GAS_AXES * number;
    CHECK(copy_to_host(s, s->mirror_position, p->position, pair));
    CHECK(copy_to_host(s, s->mirror_velocity, p->velocity, pair));
    CHECK(copy_to_host(s, s->mirror_mass, p->mass, number));
    CHECK(copy_to_host(s, s->mirror_places, s->move.places, pair));
    CHECK(copy_to_host(s, s->mirror_id, p->id, p->count * sizeof *p->id));
    CHECK(copy_to_host(s, s->mirror_counts, s->counts, sizeof *s->counts));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    return gas_take_order(s);
}

enum status gas_send_mirror(struct solver *s, bool at_sort)
{
    const struct gas_device_particles *p = &s->particles;
    const size_t number = p->count * sizeof(double), pair = GAS_AXES * number;
    CHECK(copy_to_device(s, p->position, at_sort ? s->mirror_places : s->mirror_position, pair));
    CHECK(copy_to_device(s, p->velocity, s->mirror_velocity, pair));
    CHECK(copy_to_device(s, p->mass, s->mirror_mass, number));
    CHECK(copy_to_device(s, p->id, s->mirror_id, p->count * sizeof *p->id));
    CHECK(copy_to_device(s, s->counts, s->mirror_counts, sizeof *s->counts));
    return gpu_timeline_finish_compute(&s->timeline);
}

enum status gas_fetch_field(struct solver *s, const double *force)
{
    const size_t bytes = GAS_AXES * s->setup.count * sizeof(double);
    CHECK(copy_to_host(s, s->mirror_force, force, bytes));
    CHECK(copy_to_host(s, s->mirror_energy, s->energy, bytes));
    return gpu_timeline_finish_compute(&s->timeline);
}
