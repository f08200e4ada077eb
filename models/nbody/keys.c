// The keys of an N-body job beside those that all models share. A table, nothing else.
#include "models/keys.h"
#include "models/nbody/params.h"

#include <math.h>

// Not zero; params_check.c checks the range of the run's precision.
#define LEAST 1e-150
#define MOST  HUGE_VAL

#define REDUCED(path, unit, is_required, help)                                                               \
    {                                                                                                        \
        path, JOB_REDUCED, unit, NULL, is_required, LEAST, MOST, NULL, help                                  \
    }
#define COUNT(path, low)                                                                                     \
    {                                                                                                        \
        path, JOB_INTEGER, NULL, NULL, true, low, NBODY_COUNT_MAX, NULL, "how many bodies"                   \
    }
#define SEED(path)                                                                                           \
    {                                                                                                        \
        path, JOB_INTEGER, NULL, "1", false, 0, 9007199254740991.0, NULL,                                    \
            "another number gives other bodies; the same one gives the same bodies on every machine"         \
    }
#define TOTAL(path) REDUCED(path, "kg", false, "of all bodies together; 1 if left out (units nbody)")

static const struct job_key keys[] = {
    // A text, as in bioheat: more back ends may be registered than the shared key's choice lists.
    TEXT("backend", "auto",
         "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA GPU; "
         "cuda:1 is the second); auto takes the fastest that this build and this machine have and that the "
         "run fits on"),
    CHOICE(
        "units", "nbody", "nbody|si",
        "nbody: G = 1, and every length, mass and time in the job and in the files is a bare number; si: "
        "they are texts with units, \"1 pc\", \"1e5 solar_mass\", \"10 Myr\", and results are in m, kg, s"),

    BLOCK("particles", "the bodies at the start: one of the blocks file, plummer, uniform-cube, "
                       "cold-collapse, encounter, kepler"),
    BLOCK("particles.file", "bodies read from netCDF: an earlier run's final.nc, AMBER trajectories, tables "
                            "of x, y, z, vx, vy, vz, m"),
    PARTICLES_FILE_KEYS("bodies"),
    REDUCED("particles.file.body_mass", "kg", false, "the mass of each body, where no file has masses"),
    FLAG("particles.file.at_rest", "false", "true: the bodies start at rest, and no velocities are read"),
    FLAG("particles.file.centred", "false",
         "true: the centre of mass is put at the origin and at rest; single precision is finest there"),
    BLOCK("particles.file.units", "units of the variables where the file does not say (units si)"),
    TEXT("particles.file.units.position", NULL, "for example pc"),
    TEXT("particles.file.units.velocity", NULL, "for example km/s"),
    TEXT("particles.file.units.mass", NULL, "for example solar_mass"),
    FLAG("particles.file.override", "false",
         "true: the file is wrong about its units, and those given here are right"),

    BLOCK("particles.plummer", "Plummer's sphere in equilibrium, isotropic (Aarseth, Henon and Wielen 1974)"),
    COUNT("particles.plummer.count", 2),
    SEED("particles.plummer.seed"),
    TOTAL("particles.plummer.mass"),
    REDUCED("particles.plummer.radius", "m", false,
            "scale radius a of the density (1 + r2/a2)^-5/2; 3 pi/16 if left out (units nbody): the energy "
            "is -1/4"),
    NUMBER("particles.plummer.cutoff", "40", 1, 1e6,
           "no body further out than so many scale radii; 40 hold 0.9991 of the mass"),

    BLOCK("particles.uniform-cube", "a cube of even density about the origin"),
    COUNT("particles.uniform-cube.count", 2),
    SEED("particles.uniform-cube.seed"),
    TOTAL("particles.uniform-cube.mass"),
    REDUCED("particles.uniform-cube.side", "m", false, "of the cube; 1 if left out (units nbody)"),
    NUMBER("particles.uniform-cube.virial_ratio", "0", 0, 100,
           "2K/|W| at the start: 0 at rest, 1 balanced; velocities are Gaussian"),

    BLOCK("particles.cold-collapse", "a sphere of even density, too cold to stay up"),
    COUNT("particles.cold-collapse.count", 2),
    SEED("particles.cold-collapse.seed"),
    TOTAL("particles.cold-collapse.mass"),
    REDUCED("particles.cold-collapse.radius", "m", false, "of the sphere; 1 if left out (units nbody)"),
    NUMBER("particles.cold-collapse.virial_ratio", "0.1", 0, 100,
           "2K/|W| at the start: 0 at rest, 1 balanced; velocities are Gaussian"),

    BLOCK("particles.encounter",
          "two disc galaxies, each a disc in a halo, that meet on a parabola in the plane z = 0"),
    COUNT("particles.encounter.count", 16),
    SEED("particles.encounter.seed"),
    TOTAL("particles.encounter.mass"),
    NUMBER("particles.encounter.mass_ratio", "1", 0.001, 1,
           "mass of the second galaxy to the first's; its lengths go with the root of it"),
    REDUCED("particles.encounter.scale_length", "m", false,
            "of the first galaxy's exponential disc; 0.1 if left out (units nbody)"),
    NUMBER("particles.encounter.disc_share", "0.1", 0.001, 0.5,
           "of a galaxy's mass, in its disc; the rest is halo"),
    NUMBER("particles.encounter.disc_bodies", "0.4", 0.01, 0.99, "of a galaxy's bodies, in its disc"),
    NUMBER("particles.encounter.halo_scale", "3", 0.1, 100,
           "Hernquist's scale radius of the halo, in scale lengths of the disc"),
    NUMBER("particles.encounter.toomre_q", "1.5", 0.1, 100,
           "of the discs: how hot they are; below 1 they break up"),
    REDUCED("particles.encounter.separation", "m", false,
            "of the centres at the start; 15 scale lengths if left out"),
    REDUCED("particles.encounter.pericentre", "m", false,
            "of the parabola, if the galaxies were points; 3 scale lengths if left out"),
    BLOCK("particles.encounter.first", "how the first galaxy's disc lies"),
    {"particles.encounter.first.inclination", JOB_QUANTITY, "degree", "0 degree", false, -180, 180, NULL,
     "between the disc's spin and the orbit's; 180 degree: opposite to it"},
    {"particles.encounter.first.node", JOB_QUANTITY, "degree", "0 degree", false, -360, 360, NULL,
     "from the pericentre to the line in which disc and orbit meet"},
    BLOCK("particles.encounter.second", "how the second galaxy's disc lies"),
    {"particles.encounter.second.inclination", JOB_QUANTITY, "degree", "60 degree", false, -180, 180, NULL,
     "as particles.encounter.first.inclination"},
    {"particles.encounter.second.node", JOB_QUANTITY, "degree", "0 degree", false, -360, 360, NULL,
     "as particles.encounter.first.node"},

    BLOCK("particles.kepler",
          "two bodies on their ellipse, furthest apart at the start, the second at +x, moving to +y"),
    TOTAL("particles.kepler.mass"),
    NUMBER("particles.kepler.mass_ratio", "1", 1e-12, 1, "mass of the second body to the first's"),
    REDUCED("particles.kepler.semi_major_axis", "m", false,
            "of the orbit of one about the other; 1 if left out (units nbody): the period is 2 pi"),
    NUMBER("particles.kepler.eccentricity", "0", 0, 0.999999, "of the orbit"),

    {"physics.softening", JOB_REDUCED, "m", NULL, true, 0, MOST, NULL,
     "Plummer's softening length: a pair acts as m r/(r2 + softening2)^3/2; 0 for points, whose close "
     "passages need very short steps"},

    BLOCK("method", "how forces are summed and steps are made"),
    CHOICE("method.name", "direct", "direct|direct-tiled|direct-naive|barnes-hut",
           "direct: direct summation, exact to rounding, time grows with the square of the bodies; "
           "barnes-hut: a tree, for more than some ten thousand; direct-tiled, direct-naive: direct "
           "summation as a GPU's textbook has it, to compare"),
    NUMBER("method.theta", "0.6", 0.01, 2, "barnes-hut: opening angle; smaller is more exact and slower"),
    CHOICE("method.opening", "offset", "offset|size|distance",
           "barnes-hut: a cell of side l may replace its bodies from l/theta + s on, s from its middle to "
           "its centre of mass (offset); from l/theta on (size); from a fixed distance on (distance)"),
    REDUCED("method.distance", "m", false, "barnes-hut, opening distance: that distance"),
    CHOICE("method.multipole", "quadrupole", "quadrupole|monopole",
           "barnes-hut: what of a cell's field is taken; monopole: its mass alone"),
    CHOICE("method.integrator", "leapfrog", "leapfrog|source",
           "leapfrog: kick-drift-kick, second order, keeps the energy; source: x += (v + a T/2) T, v += a T, "
           "first order in v, to compare"),

    REDUCED("time.duration", "s", true,
            "model time from start to end: 10 (units nbody), \"10 Myr\" (units si; a year is the tropical "
            "one, 365.24219878 d)"),
    // The least is that of a double: too many steps are refused with their number.
    {"time.step", JOB_REDUCED, "s", NULL, true, 2.3e-308, MOST, NULL,
     "model time of one step, the same for all bodies: a small part of the shortest orbit, and of what a "
     "body needs to cross the softening length"},

    REDUCED("output.fields.every", "s", false,
            "model time between two frames of the trajectory (trajectory.nc, AMBER layout); none are written "
            "without it"),
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"position\"]", false, 0, 0,
     "position|velocity|acceleration",
     "what a frame holds; positions are always there; acceleration: that of gravity by method.name, in "
     "final.nc too"},
    {"output.fields.stride", JOB_INTEGER, NULL, "1", false, 1, NBODY_COUNT_MAX, NULL,
     "every n-th body only: 0, n, 2 n, ..."},
    REDUCED("output.diagnostics.every", "s", false,
            "model time between two lines of energy, momentum, virial ratio, Lagrangian radii; if left out, "
            "as output.fields.every, or a hundredth of the duration"),
    FLAG("output.diagnostics.direct_potential", "false",
         "barnes-hut: the potential energy of the diagnostics by direct summation, so that their error is "
         "the run's and not the tree's; costs a direct sum each time"),
    FLAG("output.final", "true",
         "all bodies at the end, in double precision (final.nc), to inspect or to continue from"),
    NUMBER("limits.energy_error", NULL, 0, MOST,
           "largest change of the energy since the run's first record, relative to its magnitude then "
           "(energy_error in the diagnostics)"),
    NUMBER("check.tolerance", NULL, 0, 1000,
           "largest difference of a position or a velocity from the reference, after two steps, that passes, "
           "in half-mass radii and in sqrt(G M / that radius); 1e-5 in single and 1e-11 in double precision "
           "if left out"),
};

const struct job_key_table nbody_keys = {keys, sizeof keys / sizeof *keys};
