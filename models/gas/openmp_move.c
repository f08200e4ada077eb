// Kicks, drifts, walls, thermostats and limiters of the fast CPU version: threads over particles; sums are in
// the order of ids. Independent of pairs.
#include "models/gas/openmp_move.h"

#include "core/statistics.h"
#include "models/gas/move_point.h"
#include "models/team.h"

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
    const struct sweep_functions *sweep;
    struct gas_arrays *particles; // the mover's
    const struct gas_physics *physics;
    int64_t step;
    double number; // Langevin's decay, a factor, or a limit
    bool has_energy;
    _Atomic int64_t first_error, acted; // least id · GAS_ERRORS + error; how often limiters acted
};

static struct move_work work_of(const struct gas_mover *mover, int64_t step)
{
    return (struct move_work){.mover = mover,
                              .sweep = mover->sweep,
                              .particles = mover->particles,
                              .physics = mover->setup->physics,
                              .step = step,
                              .first_error = INT64_MAX};
}

static void for_all(struct move_work *work, void (*body)(void *context, size_t item))
{
    gas_for_pieces(work->mover->threads, work->particles->count, body, work);
}

// The particles of this rank; item: as for gas_piece.
static void for_own(struct move_work *work, void (*body)(void *context, size_t item))
{
    const struct particles_range own = work->particles->own;
    gas_for_pieces(work->mover->threads, own.end - own.first, body, work);
}

static void record_error(struct move_work *work, size_t index, enum gas_error error)
{
    const int64_t packed = (int64_t)work->particles->id[index] * GAS_ERRORS + (int64_t)error;
    int64_t first = work->first_error;
    while (packed < first && !atomic_compare_exchange_weak(&work->first_error, &first, packed))
        ;
}

static struct gas_first_error first_error(const struct move_work *work)
{
    const int64_t packed = work->first_error;
    if (packed == INT64_MAX)
        return (struct gas_first_error){GAS_NO_ERROR, -1};
    return (struct gas_first_error){(enum gas_error)(packed % GAS_ERRORS), packed / GAS_ERRORS};
}

static double mass_of(const struct move_work *work, size_t i)
{
    return work->particles->mass ? work->particles->mass[i] : work->mover->setup->mass;
}

// ---- up to the forces

struct motion {
    double x[GAS_AXES], v[GAS_AXES], a[GAS_AXES];
};

// LANGEVIN's noise of particles that are moved together.
struct noise {
    bool is_active;
    double of[GAS_AXES][SWEEP_PARTICLES];
};

static void drift(const struct gas_physics *physics, double time, double kick_time, struct motion *m)
{
    gas_drift(physics, time, kick_time, m->a, m->x, m->v);
}

// noise: of the particle, by axis; NULL: none.
static void move_one(const struct move_work *work, const double *noise, struct motion *m)
{
    const struct gas_physics *physics = work->physics;
    const double time = physics->step;
    const double kick_time = physics->integrator == GAS_SYMPLECTIC_EULER ? time : time / 2;
    gas_apply_a_priori_walls(physics, m->x, m->a, m->v);
    for (int axis = 0; axis < GAS_AXES; axis++)
        m->v[axis] += m->a[axis] * kick_time;
    if (!noise) {
        drift(physics, time, kick_time, m);
        return;
    }
    drift(physics, time / 2, kick_time, m);
    for (int axis = 0; axis < GAS_AXES; axis++)
        m->v[axis] = work->number * m->v[axis] + noise[axis];
    drift(physics, time / 2, kick_time, m);
}

// One particle, with walls.
static void move_singly(struct move_work *work, size_t i, const double *noise, double fastest_square)
{
    struct gas_arrays *p = work->particles;
    struct motion m;
    const double inverse_mass = 1 / mass_of(work, i);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        m.x[axis] = p->position[axis][i];
        m.v[axis] = p->velocity[axis][i];
        m.a[axis] = p->force[axis][i] * inverse_mass;
    }
    move_one(work, noise, &m);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        p->position[axis][i] = m.x[axis];
        p->velocity[axis][i] = m.v[axis];
    }
    const double square = m.v[GAS_X] * m.v[GAS_X] + m.v[GAS_Y] * m.v[GAS_Y];
    if (!(square <= fastest_square))
        record_error(work, i, isfinite(square) ? GAS_TOO_FAST : GAS_NOT_FINITE);
}

// Particles that meet no wall, and are slow enough, are moved together. False: at least one does not qualify,
// and nothing was changed.
static bool move_together(const struct move_work *work, const struct noise *noise, double fastest_square,
                          size_t first, size_t count)
{
    const struct sweep_functions *sweep = work->sweep;
    const struct gas_physics *physics = work->physics;
    const struct gas_arrays *p = work->particles;
    const double inverse_mass = 1 / work->mover->setup->mass;
    double a[SWEEP_PARTICLES], x[GAS_AXES][SWEEP_PARTICLES], v[GAS_AXES][SWEEP_PARTICLES];
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const enum gas_wall *walls = physics->walls + 2 * axis;
        const struct sweep_step step = {
            .time = physics->step,
            .kick_time = physics->integrator == GAS_SYMPLECTIC_EULER ? physics->step : physics->step / 2,
            .length = physics->box[axis],
            .is_a_priori = walls[0] == GAS_A_PRIORI || walls[1] == GAS_A_PRIORI,
            .decay = work->number};
        sweep->accelerations(count, p->force[axis] + first, p->mass ? p->mass + first : NULL, inverse_mass,
                             a);
        const double *const old_x = p->position[axis] + first, *const old_v = p->velocity[axis] + first;
        if (!(noise->is_active
                  ? sweep->noisy_step(&step, count, old_x, old_v, a, noise->of[axis], x[axis], v[axis])
                  : sweep->step(&step, count, old_x, old_v, a, x[axis], v[axis])))
            return false;
    }
    if (!sweep->are_slow(count, v[GAS_X], v[GAS_Y], fastest_square))
        return false;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        memcpy(p->position[axis] + first, x[axis], count * sizeof *x[axis]);
        memcpy(p->velocity[axis] + first, v[axis], count * sizeof *v[axis]);
    }
    return true;
}

static void draw_noise(const struct move_work *work, size_t first, size_t count, struct noise *noise)
{
    const struct gas_arrays *p = work->particles;
    const struct sweep_noise draws = {.step = (uint64_t)work->step,
                                      .seed = work->physics->seed,
                                      .spread = gas_noise_spread(work->physics, work->number),
                                      .mass = work->mover->setup->mass};
    if (noise->is_active)
        work->sweep->draw_noise(&draws, count, p->id + first, p->mass ? p->mass + first : NULL,
                                noise->of[GAS_X], noise->of[GAS_Y]);
}

static void move_piece(void *context, size_t item)
{
    struct move_work *work = context;
    const struct gas_physics *physics = work->physics;
    struct gas_arrays *p = work->particles;
    struct noise noise = {.is_active =
                              physics->thermostat == GAS_LANGEVIN && physics->integrator == GAS_LEAPFROG};
    const struct particles_range piece = gas_piece(p->own, item);
    const double most =
        physics->cut_off > 0 ? physics->cut_off : fmin(physics->box[GAS_X], physics->box[GAS_Y]);
    const double fastest = most / physics->step;
    for (size_t first = piece.first; first < piece.end; first += SWEEP_PARTICLES) {
        const size_t count = piece.end - first < SWEEP_PARTICLES ? piece.end - first : SWEEP_PARTICLES;
        for (int axis = 0; axis < GAS_AXES && p->before[axis]; axis++)
            memcpy(p->before[axis] + first, p->velocity[axis] + first, count * sizeof *p->before[axis]);
        draw_noise(work, first, count, &noise);
        if (move_together(work, &noise, fastest * fastest, first, count))
            continue;
        for (size_t k = 0; k < count; k++) {
            const double own[GAS_AXES] = {noise.of[GAS_X][k], noise.of[GAS_Y][k]};
            move_singly(work, first + k, noise.is_active ? own : NULL, fastest * fastest);
        }
    }
}

struct gas_first_error gas_move_first(const struct gas_mover *mover, int64_t step)
{
    struct move_work work = work_of(mover, step);
    work.number = exp(-work.physics->friction * work.physics->step);
    for_own(&work, move_piece);
    return first_error(&work);
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
    const struct particles_range piece = gas_piece(p->own, item);
    const size_t first = piece.first, end = piece.end;
    const bool is_simple = !has_soft_wall(work->physics) && !work->has_energy;
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
    if (work->sweep->are_finite(end - first, p->force[GAS_X] + first, p->force[GAS_Y] + first))
        return;
    for (size_t i = first; i < end; i++)
        if (!isfinite(p->force[GAS_X][i] + p->force[GAS_Y][i]))
            record_error(work, i, GAS_NOT_FINITE);
}

struct gas_first_error gas_add_outer(const struct gas_mover *mover, bool has_energy)
{
    struct move_work work = work_of(mover, 0);
    work.has_energy = has_energy;
    for_own(&work, add_outer);
    return first_error(&work);
}

// ---- after the forces

static void kick_piece(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    const struct particles_range piece = gas_piece(p->own, item);
    const size_t first = piece.first, count = piece.end - first;
    for (int axis = 0; axis < GAS_AXES; axis++)
        work->sweep->kick(count, p->force[axis] + first, p->mass ? p->mass + first : NULL,
                          1 / work->mover->setup->mass, work->physics->step / 2, p->velocity[axis] + first);
}

static double kinetic_of(const struct move_work *work, size_t i)
{
    const double vx = work->particles->velocity[GAS_X][i], vy = work->particles->velocity[GAS_Y][i];
    return mass_of(work, i) * (vx * vx + vy * vy) / 2;
}

// Of several ranks each knows the velocities of its own particles only.
static void find_own_kinetic(void *context, size_t item)
{
    struct move_work *work = context;
    const struct particles_range piece = gas_piece(work->particles->own, item);
    for (size_t i = piece.first; i < piece.end; i++)
        work->mover->division->kinetic[i] = kinetic_of(work, i);
}

static void find_kinetic(void *context, size_t item)
{
    struct move_work *work = context;
    const double *known = work->mover->division->kinetic;
    for (size_t id = item * GAS_PIECE; id < gas_piece_end(work->particles->count, item); id++) {
        const size_t i = work->mover->index_of_id[id];
        work->mover->terms[id] = known ? known[i] : kinetic_of(work, i);
    }
}

static enum status find_kinetic_energy(struct move_work *work, double *energy)
{
    struct gas_division *division = work->mover->division;
    if (division->kinetic) {
        for_own(work, find_own_kinetic);
        CHECK(gas_division_share_kinetic(division));
    }
    for_all(work, find_kinetic);
    *energy = statistics_block_sum(work->mover->terms, work->particles->count);
    return STATUS_OK;
}

static void scale_piece(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    const struct particles_range piece = gas_piece(p->own, item);
    for (int axis = 0; axis < GAS_AXES; axis++)
        for (size_t i = piece.first; i < piece.end; i++)
            p->velocity[axis][i] *= work->number;
}

static void limit_jumps(void *context, size_t item)
{
    struct move_work *work = context;
    struct gas_arrays *p = work->particles;
    const struct particles_range piece = gas_piece(p->own, item);
    int64_t acted = 0;
    for (size_t i = piece.first; i < piece.end; i++) {
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
    const struct particles_range piece = gas_piece(p->own, item);
    int64_t acted = 0;
    for (size_t i = piece.first; i < piece.end; i++) {
        const double energy = kinetic_of(work, i);
        if (energy <= work->number)
            continue;
        for (int axis = 0; axis < GAS_AXES; axis++)
            p->velocity[axis][i] *= sqrt(work->number / energy);
        acted++;
    }
    work->acted += acted;
}

enum status gas_move_last(const struct gas_mover *mover, int64_t step, struct gas_counts *counts)
{
    struct move_work work = work_of(mover, step);
    const struct gas_physics *physics = work.physics;
    const size_t count = work.particles->count;
    double energy;
    if (physics->integrator == GAS_LEAPFROG)
        for_own(&work, kick_piece);
    if (physics->thermostat == GAS_BUSSI) {
        CHECK(find_kinetic_energy(&work, &energy));
        work.number = gas_bussi_factor(physics, step, gas_degrees(physics, count), energy);
        for_own(&work, scale_piece);
    }
    if (physics->limiters.jump > 0) {
        work.number = physics->limiters.jump;
        for_own(&work, limit_jumps);
        counts->limited_jumps += work.acted;
        work.acted = 0;
    }
    if (physics->limiters.energy > 0) {
        CHECK(find_kinetic_energy(&work, &energy));
        work.number = physics->limiters.energy * energy / (double)count;
        for_own(&work, limit_energies);
        counts->limited_energy += work.acted;
    }
    return STATUS_OK;
}

// ---- the guard

static void check_piece(void *context, size_t item)
{
    struct move_work *work = context;
    const struct gas_arrays *p = work->particles;
    const struct particles_range piece = gas_piece(p->own, item);
    for (size_t i = piece.first; i < piece.end; i++)
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double x = p->position[axis][i], length = work->physics->box[axis];
            if (!isfinite(x) || !isfinite(p->velocity[axis][i]))
                record_error(work, i, GAS_NOT_FINITE);
            else if (fabs(x - length / 2) > 1.5 * length)
                record_error(work, i, GAS_ESCAPED);
        }
}

struct gas_first_error gas_check_particles(const struct gas_mover *mover)
{
    struct move_work work = work_of(mover, 0);
    for_own(&work, check_piece);
    return first_error(&work);
}
