// The reference's pairs: the potentials of state.h, and their sum over all pairs.
#include "models/gas/reference.h"

#include <math.h>

void reference_separation(const struct gas_physics *physics, const double *from, const double *to, double *r)
{
    for (int axis = 0; axis < GAS_AXES; axis++) {
        r[axis] = from[axis] - to[axis];
        if (gas_is_periodic(physics, axis))
            r[axis] -= physics->box[axis] * round(r[axis] / physics->box[axis]);
    }
}

// U and dU/ds of the part of REAL_GAS and CONDENSING that is not LOG, without the shift.
static struct reference_pair near_part(const struct gas_physics *p, double s)
{
    struct reference_pair part = {.f = p->repulsion / (s * s), .potential = p->repulsion / (2 * s)};
    if (p->potential == GAS_CONDENSING) {
        part.f -= p->attraction2 / s;
        part.potential += p->attraction2 / 2 * log(s);
    }
    return part;
}

static struct reference_pair real_gas(const struct gas_physics *p, double s)
{
    const double end = p->cut_off * p->cut_off;
    struct reference_pair pair = {.f = -p->attraction / s, .potential = p->attraction / 2 * log(s)};
    if (p->has_repulsion_everywhere) {
        pair.f += p->repulsion / (s * s);
        pair.potential += p->repulsion / (2 * s);
    }
    if (s >= end)
        return pair;
    struct gas_physics within = *p;
    if (p->has_repulsion_everywhere)
        within.repulsion = 0;
    const struct reference_pair part = near_part(&within, s), last = near_part(&within, end);
    pair.f += part.f;
    pair.potential += part.potential - last.potential;
    if (p->is_smooth) { // dU/ds = −f/2
        pair.f -= last.f;
        pair.potential -= (s - end) * (-last.f / 2);
    }
    return pair;
}

// U and dU/dr of Lennard-Jones at r.
static double lennard_jones(const struct gas_physics *p, double r, double *slope)
{
    const double sixth = pow(p->diameter / r, 6);
    *slope = 4 * p->well_depth * (-12 * sixth * sixth + 6 * sixth) / r;
    return 4 * p->well_depth * (sixth * sixth - sixth);
}

static struct reference_pair truncated(const struct gas_physics *p, double r)
{
    double slope, last_slope;
    if (r >= p->cut_off)
        return (struct reference_pair){0, 0};
    const double potential = lennard_jones(p, r, &slope), last = lennard_jones(p, p->cut_off, &last_slope);
    struct reference_pair pair = {.f = -slope / r, .potential = potential - last};
    if (p->potential == GAS_LENNARD_JONES_FORCE_SHIFTED) {
        pair.f += last_slope / r;
        pair.potential -= (r - p->cut_off) * last_slope;
    }
    return pair;
}

struct reference_pair reference_pair_at(const struct gas_physics *physics, const double *r)
{
    const double square = r[GAS_X] * r[GAS_X] + r[GAS_Y] * r[GAS_Y];
    const double s = square + physics->softening * physics->softening;
    switch (physics->potential) {
    case GAS_LOG:
        return s > 0 ? (struct reference_pair){-physics->attraction / s, physics->attraction / 2 * log(s)}
                     : (struct reference_pair){0, 0};
    case GAS_REAL_GAS:
    case GAS_CONDENSING:
        return real_gas(physics, s);
    case GAS_LENNARD_JONES:
    case GAS_LENNARD_JONES_FORCE_SHIFTED:
        return truncated(physics, sqrt(square));
    case GAS_NO_FORCE:
    case GAS_POTENTIALS:
        break;
    }
    return (struct reference_pair){0, 0};
}

void reference_add_pair(const struct gas_physics *physics, const struct gas_particle *i,
                        const struct gas_particle *j, struct gas_field *field)
{
    double r[GAS_AXES];
    reference_separation(physics, i->position, j->position, r);
    const struct reference_pair pair = reference_pair_at(physics, r);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        field->force[axis] += pair.f * r[axis];
        field->virial += r[axis] * pair.f * r[axis] / 2;
    }
    field->potential += pair.potential / 2;
}

void reference_sum_pairs(const struct gas_physics *physics, size_t count,
                         const struct gas_particle *particles, struct gas_field *field,
                         struct gas_finding *found)
{
    for (size_t i = 0; i < count; i++) {
        struct gas_field sum = {{0, 0}, 0, 0};
        for (size_t j = 0; j < count; j++) {
            if (j == i)
                continue;
            reference_add_pair(physics, &particles[i], &particles[j], &sum);
            if (!isfinite(sum.potential) && found->error == GAS_NO_ERROR)
                *found = (struct gas_finding){.error = GAS_OVERLAPPING,
                                              .id = (int64_t)i,
                                              .partner = (int64_t)j,
                                              .particle = particles[i]};
        }
        field[i] = sum;
    }
}
