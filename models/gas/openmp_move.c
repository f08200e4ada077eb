// Kicks, drifts, walls, thermostats and limiters of the fast CPU version: threads over particles; sums are in the order of ids. Knows no pairs.
#include "models/gas/openmp_move.h"

#include "core/statistics.h"
#include "models/gas/move_point.h"
#include "models/team.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

void gas_for_pieces(int threads, size_t count, void (*body)(void *context, size_t item), void *context)
{
    const size_t pieces = (count + GAS_PIECE - 1) / GAS_PIECE;
    team_for(pieces > 1 ? threads : 1, pieces, body, context);
}

struct move_work {
    const struct gas_mover *mover;
    struct gas_arrays *particles; // the mover's
    const struct gas_physics *physics;
    int64_t step;
    double number; // Langevin's decay, a factor, or a limit
    bool has_energy;
    _Atomic int64_t alarm, acted; // least (id · GAS_TROUBLES + trouble); how many limiters acted
};

static struct move_work work_of(const struct gas_mover *mover, int64_t step)
{
    return (struct move_work){.mover = mover,
                              .particles = mover->particles,
                              .physics = mover->setup->physics,
                              .step = step,
                              .alarm = INT64_MAX};
}

static void for_all(struct move_work *work, void (*body)(void *context, size_t item))
{
    gas_for_pieces(work->mover->threads, work->particles->count, body, work);
}

static void raise_alarm(struct move_work *work, size_t place, enum gas_trouble trouble)
{
    const int64_t alarm = (int64_t)work->particles->id[place] * GAS_TROUBLES + (int64_t)trouble;
    int64_t first = work->alarm;
    while (alarm < first && !atomic_compare_exchange_weak(&work->alarm, &first, alarm))
        ;
}

static struct gas_alarm alarm_of(const struct move_work *work)
{
    const int64_t alarm = work->alarm;
    if (alarm == INT64_MAX)
        return (struct gas_alarm){GAS_SOUND, -1};
    return (struct gas_alarm){(enum gas_trouble)(alarm % GAS_TROUBLES), alarm / GAS_TROUBLES};
}

static double mass_of(const struct move_work *work, size_t i)
{
    return work->particles->mass ? work->particles->mass[i] : work->mover->setup->mass;
}

// ---- up to the forces

struct motion {
    double x[GAS_AXES], v[GAS_AXES], a[GAS_AXES];
};

static void drift(const struct gas_physics *physics, double time, double kicked, struct motion *m)
{
    gas_drift(physics, time, kicked, m->a, m->x, m->v);
}

static void move_one(const struct move_work *work, size_t i, struct motion *m)
{
    const struct gas_physics *physics = work->physics;
    const double time = physics->step;
    const double kicked = physics->integrator == GAS_SYMPLECTIC_EULER ? time : time / 2;
    gas_foresee_walls(physics, m->x, m->a, m->v);
    for (int axis = 0; axis < GAS_AXES; axis++)
        m->v[axis] += m->a[axis] * kicked;
    if (physics->integrator == GAS_SYMPLECTIC_EULER || physics->thermostat != GAS_LANGEVIN) {
        drift(physics, time, kicked, m);
        return;
    }
    drift(physics, time / 2, kicked, m);
    gas_feel_noise(physics, work->number, mass_of(work, i), work->step, work->particles->id[i], m->v);
    drift(physics, time / 2, kicked, m);
}

// One particle, whatever befalls it.
static void move_with_care(struct move_work *work, size_t i, double fastest_square)
{
    struct gas_arrays *p = work->particles;
    struct motion m;
    const double inverse_mass = 1 / mass_of(work, i);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        m.x[axis] = p->position[axis][i];
        m.v[axis] = p->velocity[axis][i];
        m.a[axis] = p->force[axis][i] * inverse_mass;
    }
    move_one(work, i, &m);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        p->position[axis][i] = m.x[axis];
        p->velocity[axis][i] = m.v[axis];
    }
    const double square = m.v[GAS_X] * m.v[GAS_X] + m.v[GAS_Y] * m.v[GAS_Y];
    if (!(square <= fastest_square))
        raise_alarm(work, i, isfinite(square) ? GAS_TOO_FAST : GAS_NOT_FINITE);
}

enum { SWARM = 64 }; // particles that are tried at once

struct swarm {
    size_t first, count;
    double inverse_mass[SWARM], x[GAS_AXES][SWARM], v[GAS_AXES][SWARM];
};

// The step of particles that meet no wall, on one axis. Returns whether none of them does.
static bool try_axis(const struct move_work *work, int axis, struct swarm *s)
{
    const struct gas_physics *physics = work->physics;
    const double *position = work->particles->position[axis] + s->first;
    const double *velocity = work->particles->velocity[axis] + s->first;
    const double *force = work->particles->force[axis] + s->first;
    const double time = physics->step, length = physics->box[axis];
    const double kicked = physics->integrator == GAS_SYMPLECTIC_EULER ? time : time / 2;
    const bool foresees =
        physics->walls[2 * axis] == GAS_A_PRIORI || physics->walls[2 * axis + 1] == GAS_A_PRIORI;
    int64_t is_out = 0;
    for (size_t k = 0; k < s->count; k++) {
        const double a = force[k] * s->inverse_mass[k];
        s->v[axis][k] = velocity[k] + a * kicked;
        s->x[axis][k] = position[k] + s->v[axis][k] * time;
        is_out |= (s->x[axis][k] >= 0 ? 0 : 1) | (s->x[axis][k] <= length ? 0 : 1);
    }
    for (size_t k = 0; k < s->count && foresees; k++) {
        const double next = position[k] + velocity[k] * time + force[k] * s->inverse_mass[k] * time * time;
        is_out |= (next >= 0 ? 0 : 1) | (next <= length ? 0 : 1);
    }
    return is_out == 0;
}

// All at once, if nothing befalls any of them.
static bool move_at_once(const struct move_work *work, double fastest_square, struct swarm *s)
{
    const struct gas_arrays *p = work->particles;
    int64_t is_fast = 0;
    for (size_t k = 0; k < s->count; k++)
        s->inverse_mass[k] = 1 / mass_of(work, s->first + k);
    if (!try_axis(work, GAS_X, s) || !try_axis(work, GAS_Y, s))
        return false;
    for (size_t k = 0; k < s->count; k++)
        is_fast |=
            s->v[GAS_X][k] * s->v[GAS_X][k] + s->v[GAS_Y][k] * s->v[GAS_Y][k] <= fastest_square ? 0 : 1;
    for (int axis = 0; axis < GAS_AXES && !is_fast; axis++) {
        memcpy(p->position[axis] + s->first, s->x[axis], s->count * sizeof *s->x[axis]);
        memcpy(p->velocity[axis] + s->first, s->v[axis], s->count * sizeof *s->v[axis]);
    }
    return is_fast == 0;
}

static void move_piece(void *context, size_t item)
{
    struct move_work *work = context;
    const struct gas_physics *physics = work->physics;
    struct gas_arrays *p = work->particles;
    const size_t end = gas_piece_end(p->count, item);
    const double most =
        physics->cut_off > 0 ? physics->cut_off : fmin(physics->box[GAS_X], physics->box[GAS_Y]);
    const double fastest = most / physics->step;
    const bool has_noise = physics->thermostat == GAS_LANGEVIN && physics->integrator == GAS_LEAPFROG;
    for (size_t first = item * GAS_PIECE; first < end; first += SWARM) {
        struct swarm s;
        s.first = first;
        s.count = end - first < SWARM ? end - first : SWARM;
        for (int axis = 0; axis < GAS_AXES && p->before[axis]; axis++)
            memcpy(p->before[axis] + first, p->velocity[axis] + first, s.count * sizeof *p->before[axis]);
        if (!has_noise && move_at_once(work, fastest * fastest, &s))
            continue;
        for (size_t i = first; i < first + s.count; i++)
            move_with_care(work, i, fastest * fastest);
    }
}

struct gas_alarm gas_move_first(const struct gas_mover *mover, int64_t step)
{
    struct move_work work = work_of(mover, step);
    work.number = exp(-work.physics->friction * work.physics->step);
    for_all(&work, move_piece);
    return alarm_of(&work);
}

// ---- outer forces

static bool has_soft_wall(const struct gas_physics *physics)
{
    for (int side = 0; side < GAS_SIDES; side++)
        if (physics->walls[side] == GAS_SOFT)
            return true;
    return false;
}

static void add_outer(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    const double *gravity = work->physics->gravity;
    const size_t first = item * GAS_PIECE, end = gas_piece_end(p->count, item);
    const bool is_simple = !has_soft_wall(work->physics) && !work->has_energy;
    int64_t is_bad = 0;
    for (size_t i = first; i < end && !is_simple; i++) {
        const double x[GAS_AXES] = {p->position[GAS_X][i], p->position[GAS_Y][i]};
        double force[GAS_AXES] = {p->force[GAS_X][i], p->force[GAS_Y][i]};
        const double potential = gas_outer_force(work->physics, mass_of(work, i), x, force);
        if (work->has_energy) {
            p->potential[i] += potential;
            continue;
        }
        p->force[GAS_X][i] = force[GAS_X];
        p->force[GAS_Y][i] = force[GAS_Y];
    }
    for (int axis = 0; axis < GAS_AXES && is_simple; axis++)
        for (size_t i = first; i < end && fabs(gravity[axis]) > 0; i++)
            p->force[axis][i] += mass_of(work, i) * gravity[axis];
    for (size_t i = first; i < end; i++)
        is_bad |= fabs(p->force[GAS_X][i] + p->force[GAS_Y][i]) <= DBL_MAX ? 0 : 1;
    for (size_t i = first; i < end && is_bad; i++)
        if (!isfinite(p->force[GAS_X][i] + p->force[GAS_Y][i]))
            raise_alarm(work, i, GAS_NOT_FINITE);
}

struct gas_alarm gas_add_outer(const struct gas_mover *mover, bool has_energy)
{
    struct move_work work = work_of(mover, 0);
    work.has_energy = has_energy;
    for_all(&work, add_outer);
    return alarm_of(&work);
}

// ---- after the forces

static void kick_piece(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    const double half = work->physics->step / 2, inverse_mass = 1 / work->mover->setup->mass;
    const size_t first = item * GAS_PIECE, end = gas_piece_end(p->count, item);
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (p->mass)
            for (size_t i = first; i < end; i++)
                p->velocity[axis][i] += p->force[axis][i] * (1 / p->mass[i]) * half;
        else
            for (size_t i = first; i < end; i++)
                p->velocity[axis][i] += p->force[axis][i] * inverse_mass * half;
}

static double kinetic_of(const struct move_work *work, size_t i)
{
    const double vx = work->particles->velocity[GAS_X][i], vy = work->particles->velocity[GAS_Y][i];
    return mass_of(work, i) * (vx * vx + vy * vy) / 2;
}

static void find_kinetic(void *context, size_t item)
{
    struct move_work *work = context;
    for (size_t id = item * GAS_PIECE; id < gas_piece_end(work->particles->count, item); id++)
        work->mover->terms[id] = kinetic_of(work, work->mover->places[id]);
}

static double kinetic_energy(struct move_work *work)
{
    for_all(work, find_kinetic);
    return statistics_block_sum(work->mover->terms, work->particles->count);
}

static void scale_piece(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    for (int axis = 0; axis < GAS_AXES; axis++)
        for (size_t i = item * GAS_PIECE; i < gas_piece_end(p->count, item); i++)
            p->velocity[axis][i] *= work->number;
}

static void limit_jumps(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    int64_t acted = 0;
    for (size_t i = item * GAS_PIECE; i < gas_piece_end(p->count, item); i++) {
        const double bx = p->before[GAS_X][i], by = p->before[GAS_Y][i];
        if (hypot(p->velocity[GAS_X][i], p->velocity[GAS_Y][i]) <= work->number * hypot(bx, by))
            continue;
        p->velocity[GAS_X][i] = bx;
        p->velocity[GAS_Y][i] = by;
        acted++;
    }
    work->acted += acted;
}

static void limit_energies(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    int64_t acted = 0;
    for (size_t i = item * GAS_PIECE; i < gas_piece_end(p->count, item); i++) {
        const double energy = kinetic_of(work, i);
        if (energy <= work->number)
            continue;
        for (int axis = 0; axis < GAS_AXES; axis++)
            p->velocity[axis][i] *= sqrt(work->number / energy);
        acted++;
    }
    work->acted += acted;
}

void gas_move_last(const struct gas_mover *mover, int64_t step, struct gas_counts *counts)
{
    struct move_work work = work_of(mover, step);
    const struct gas_physics *physics = work.physics;
    const size_t count = work.particles->count;
    if (physics->integrator == GAS_LEAPFROG)
        for_all(&work, kick_piece);
    if (physics->thermostat == GAS_BUSSI) {
        work.number = gas_bussi_factor(physics, step, gas_degrees(physics, count), kinetic_energy(&work));
        for_all(&work, scale_piece);
    }
    if (physics->limiters.jump > 0) {
        work.number = physics->limiters.jump;
        for_all(&work, limit_jumps);
        counts->limited_jumps += work.acted;
        work.acted = 0;
    }
    if (physics->limiters.energy > 0) {
        work.number = physics->limiters.energy * kinetic_energy(&work) / (double)count;
        for_all(&work, limit_energies);
        counts->limited_energy += work.acted;
    }
}

// ---- the guard

static void look_at_piece(void *context, size_t item)
{
    struct move_work *work = context;
    const struct gas_arrays *p = work->particles;
    for (size_t i = item * GAS_PIECE; i < gas_piece_end(p->count, item); i++)
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double x = p->position[axis][i], length = work->physics->box[axis];
            if (!isfinite(x) || !isfinite(p->velocity[axis][i]))
                raise_alarm(work, i, GAS_NOT_FINITE);
            else if (fabs(x - length / 2) > 1.5 * length)
                raise_alarm(work, i, GAS_ESCAPED);
        }
}

struct gas_alarm gas_look_at_all(const struct gas_mover *mover)
{
    struct move_work work = work_of(mover, 0);
    for_all(&work, look_at_piece);
    return alarm_of(&work);
}
