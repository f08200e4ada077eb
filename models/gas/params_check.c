// Combinations that a gas job must not have, and its keys that have no effect.
#include "models/gas/params_private.h"

#include "models/gas/method.h"
#include "models/params.h"

#include <math.h>
#include <string.h>

static const char *const axis_names[GAS_AXES] = {"x", "y"};

// ---- the box

static enum status check_periodic(const struct job *job, const struct gas_physics *physics, int axis)
{
    const bool is_periodic = gas_is_periodic(physics, axis);
    if (is_periodic != (physics->walls[2 * axis + 1] == GAS_PERIODIC))
        return job_fail(job, "domain.walls",
                        "only one of the two sides of %s is periodic: both or none are expected",
                        axis_names[axis]);
    if (!is_periodic)
        return STATUS_OK;
    if (physics->box[axis] < 2 * physics->cut_off)
        return job_fail(job, "domain",
                        "periodic in %s, the box is %.6g long: two cut-offs, %.6g, are expected at least, so "
                        "that a particle interacts with one image of another",
                        axis_names[axis], physics->box[axis], 2 * physics->cut_off);
    if (gas_has_log(physics) || gas_has_endless_repulsion(physics))
        return job_fail(job, "domain.walls",
                        "periodic in %s, but the potential's %s has no end: walls, %s, are expected",
                        axis_names[axis], gas_has_log(physics) ? "ln r" : "repulsion",
                        gas_has_log(physics) ? "or attraction 0" : "or repulsion_everywhere false");
    if (physics->gravity[axis] != 0)
        return job_fail(job, "physics.gravity",
                        "%g along %s, which is periodic: what falls without end gains energy without end",
                        physics->gravity[axis], axis_names[axis]);
    return STATUS_OK;
}

static enum status check_corrected_walls(const struct job *job, const struct gas_physics *physics)
{
    if (!gas_has_wall(physics, GAS_FIELD_CORRECTED))
        return STATUS_OK;
    if (physics->integrator != GAS_LEAPFROG)
        return job_fail(
            job, "domain.walls",
            "field-corrected walls need the parabola of integrator leapfrog, not symplectic-euler");
    if (physics->thermostat == GAS_LANGEVIN)
        return job_fail(
            job, "domain.walls",
            "field-corrected walls exclude noise: with thermostat langevin another kind of wall is expected");
    return STATUS_OK;
}

// ---- physics

static enum status check_thermostat(const struct job *job, const struct gas_physics *physics)
{
    if (physics->thermostat == GAS_NO_THERMOSTAT)
        return STATUS_OK;
    if (!(physics->temperature > 0))
        return job_fail(job, "physics.thermostat.temperature",
                        "%g: a thermostat needs a temperature above 0 (damped walls take energy away)",
                        physics->temperature);
    if (physics->integrator != GAS_LEAPFROG)
        return job_fail(job, "physics.thermostat",
                        "belongs to integrator leapfrog; symplectic-euler runs without");
    return STATUS_OK;
}

static enum status check_limiters(const struct job *job, const struct gas_limiters *limiters)
{
    if (limiters->energy > 0 && limiters->energy <= 1)
        return job_fail(job, "physics.limiters.mean_energy",
                        "%g: more than 1 (15 is usual), or 0 for off, is expected", limiters->energy);
    if (limiters->jump > 0 && limiters->jump <= 1)
        return job_fail(job, "physics.limiters.speed_jump",
                        "%g: more than 1 (100 is usual), or 0 for off, is expected", limiters->jump);
    return STATUS_OK;
}

// The reference is always in double.
static bool is_single(const struct gas_params *p)
{
    return p->precision == ELEMENT_F32 && p->backend != &gas_backend_reference;
}

// σ⁶ is a number of single precision.
static enum status check_diameter(const struct job *job, const struct gas_params *p)
{
    static const double least = 1e-6;
    if (!is_single(p) || !gas_is_lennard_jones(&p->physics) || p->physics.diameter >= least)
        return STATUS_OK;
    return job_fail(job, "physics.potential.diameter",
                    "%g: its sixth power is too small for single precision: at least %g, or precision "
                    "double, is expected",
                    p->physics.diameter, least);
}

static void warn_of_no_well(const struct job *job, const struct gas_physics *physics)
{
    if (physics->potential != GAS_REAL_GAS && physics->potential != GAS_CONDENSING)
        return;
    if (gas_core(physics) == 0)
        job_warn(job, "physics.potential",
                 "there is no distance within the cut-off, %g, at which attraction and repulsion balance: no "
                 "well, nothing condenses or separates particles",
                 physics->cut_off);
}

enum status gas_params_check(const struct job *job, const struct gas_params *p)
{
    const struct gas_physics *physics = &p->physics;
    for (int axis = 0; axis < GAS_AXES; axis++)
        CHECK(check_periodic(job, physics, axis));
    CHECK(check_corrected_walls(job, physics));
    CHECK(check_thermostat(job, physics));
    CHECK(check_limiters(job, &physics->limiters));
    CHECK(check_diameter(job, p));
    warn_of_no_well(job, physics);
    return STATUS_OK;
}

// ---- the method

enum { CELLS_MAX = 1 << 26 };

static enum status check_regions(const struct job *job, const struct gas_physics *physics)
{
    const struct gas_regions *regions = &physics->regions;
    const double side = fmin(physics->box[GAS_X] / regions->columns, physics->box[GAS_Y] / regions->rows);
    if ((int64_t)regions->columns * regions->rows > CELLS_MAX)
        return job_fail(job, "method.regions", "%d by %d cells are more than the %d that can be counted",
                        regions->columns, regions->rows, CELLS_MAX);
    if (physics->cut_off > side)
        return job_fail(job, "method.regions",
                        "the cut-off, %.6g, is larger than a cell of %d columns and %d rows, whose shorter "
                        "side is %.6g: larger cells, or a shorter cut-off, are expected",
                        physics->cut_off, regions->columns, regions->rows, side);
    if (physics->cut_off > 0 && regions->near * regions->near <= 2)
        return job_fail(job, "method.regions.near",
                        "%g leaves out the cells at a cell's corners, where particles within the cut-off may "
                        "be: more than the root of 2 is expected",
                        regions->near);
    return STATUS_OK;
}

static enum status check_lists(const struct job *job, const struct gas_params *p)
{
    const struct gas_physics *physics = &p->physics;
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (gas_is_periodic(physics, axis) && gas_lists_cells(physics, p->count, axis) < 3)
            return job_fail(job, "method.name",
                            "cells: periodic in %s, the box is %.6g long: three times cut-off and skin, "
                            "%.6g, are expected at least, or method all-pairs",
                            axis_names[axis], physics->box[axis], 3 * gas_lists_reach(physics));
    return STATUS_OK;
}

// In direct summation in single precision positions are rounded about the box's centre, to 2⁻²⁵ of a side.
static void warn_of_rounded_places(const struct job *job, const struct gas_params *p)
{
    static const double most = 3e-4; // of the core: some per cent of a steep force
    const double core = gas_core(&p->physics);
    const double rounding = fmax(p->physics.box[GAS_X], p->physics.box[GAS_Y]) * 0x1p-25;
    if (p->physics.method != GAS_ALL_PAIRS || !is_single(p) || core == 0 || rounding <= most * core)
        return;
    job_warn(job, "precision",
             "of all pairs in single precision, places in so wide a box are rounded to %.2g of the distance "
             "at which two particles meet: precision double, or method cells, is exact",
             rounding / core);
}

enum status gas_params_check_method(const struct job *job, const struct gas_params *p)
{
    const struct gas_physics *physics = &p->physics;
    warn_of_rounded_places(job, p);
    if (physics->method != GAS_CELLS)
        return STATUS_OK;
    if (physics->potential == GAS_NO_FORCE)
        return job_fail(job, "method.name", "cells: without a pair force cells have no use");
    if (gas_has_endless_repulsion(physics))
        return job_fail(job, "method.name",
                        "cells: a repulsion everywhere goes beyond the near cells; method all-pairs, or "
                        "repulsion_everywhere false, is expected");
    return physics->regions.columns > 0 ? check_regions(job, physics) : check_lists(job, p);
}

// ---- keys without effect

void gas_params_warn_of_idle_keys(const struct job *job, const struct gas_params *p)
{
    const struct gas_physics *physics = &p->physics;
    const bool is_lennard_jones = gas_is_lennard_jones(physics),
               is_condensing = physics->potential == GAS_CONDENSING;
    const bool is_real_gas = is_condensing || physics->potential == GAS_REAL_GAS;
    const bool has_lists = physics->method == GAS_CELLS && physics->regions.columns == 0;
    const bool has_temperature = job_has(job, "particles.file.temperature");
    const char *const no_attraction = physics->potential == GAS_NO_FORCE || is_lennard_jones
                                          ? "only log, real-gas and condensing have it"
                                          : NULL;
    const char *const no_repulsion = is_real_gas ? NULL : "only real-gas and condensing have it";
    const char *const no_diameter = is_lennard_jones ? NULL : "only Lennard-Jones has it";
    const char *const no_lists =
        has_lists ? NULL : "only method cells of a potential that ends has lists of neighbours";
    const char *const no_trajectory =
        p->outputs.trajectory_every > 0 ? NULL : "no trajectory is written without output.fields.every";
    const struct params_idle_key idle[] = {
        {"physics.potential.attraction", no_attraction},
        {"physics.potential.attraction2", is_condensing ? NULL : "only condensing has it"},
        {"physics.potential.repulsion", no_repulsion},
        {"physics.potential.repulsion_everywhere", no_repulsion},
        {"physics.potential.smooth", no_repulsion},
        {"physics.potential.softening", no_attraction},
        {"physics.potential.cut_off", gas_has_cut_off(physics) ? NULL : "no part of the potential ends"},
        {"physics.potential.well_depth", no_diameter},
        {"physics.potential.diameter", no_diameter},
        {"physics.thermostat.friction", physics->thermostat == GAS_LANGEVIN ? NULL : "only langevin has it"},
        {"physics.thermostat.relaxation_time", physics->thermostat == GAS_BUSSI ? NULL : "only bussi has it"},
        {"domain.aspect", job_has(job, "domain.size") ? "domain.size is given" : NULL},
        {"domain.damping", gas_has_wall(physics, GAS_DAMPED) ? NULL : "no wall is damped"},
        {"domain.stiffness", gas_has_wall(physics, GAS_SOFT) ? NULL : "no wall is soft"},
        {"method.skin", no_lists},
        {"method.neighbours", no_lists},
        {"method.regions",
         physics->regions.columns > 0 ? NULL : "only method cells of a potential with ln r has regions"},
        {"output.fields.variables", no_trajectory},
        {"output.fields.stride", no_trajectory},
        {"check.tolerance",
         p->outputs.check_steps > 0 ? NULL : "no steps are checked without check.reference_steps"},
        {"particles.file.velocity", has_temperature ? "particles.file.temperature is given"
                                    : job_boolean(job, "particles.file.at_rest")
                                        ? "particles.file.at_rest is true"
                                        : NULL},
        {"particles.file.seed",
         has_temperature ? NULL : "only with particles.file.temperature numbers are drawn"},
    };
    params_warn_of_idle_keys(job, idle, sizeof idle / sizeof *idle);
}
