// The table of the keys of an N-body job, except those that all models share.
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
        path, JOB_INTEGER, NULL, NULL, true, low, NBODY_COUNT_MAX, NULL, "number of bodies"                  \
    }
#define SEED(path)                                                                                           \
    {                                                                                                        \
        path, JOB_INTEGER, NULL, "1", false, 0, 9007199254740991.0, NULL,                                    \
            "seed of the random numbers; the same seed gives the same bodies on every machine"               \
    }
#define TOTAL(path) REDUCED(path, "kg", false, "total mass of the bodies; if left out, 1 (units nbody)")

static const struct job_key keys[] = {
    BACKEND_KEY,
    CHOICE(
        "units", "nbody", "nbody|si",
        "nbody: G = 1, and every length, mass and time in the job and in the files is a bare number; si: "
        "they are texts with units, \"1 pc\", \"1e5 solar_mass\", \"10 Myr\", and results are in m, kg, s"),

    BLOCK("particles", "the bodies at the start: one of the blocks file, plummer, uniform-cube, "
                       "cold-collapse, encounter, kepler, figure-eight"),
    BLOCK("particles.file", "bodies read from netCDF: an earlier run's final.nc, AMBER trajectories, tables "
                            "of x, y, z, vx, vy, vz, m"),
    PARTICLES_FILE_KEYS("bodies"),
    REDUCED("particles.file.body_mass", "kg", false, "mass of each body, if no file has masses"),
    FLAG("particles.file.at_rest", "false", "true: the bodies start at rest, and no velocities are read"),
    FLAG("particles.file.centred", "false",
         "true: the centre of mass is moved to the origin and set at rest, where single precision is finest"),
    BLOCK("particles.file.units", "units of the variables, if the file does not state them (units si)"),
    TEXT("particles.file.units.position", NULL, "for example pc"),
    TEXT("particles.file.units.velocity", NULL, "for example km/s"),
    TEXT("particles.file.units.mass", NULL, "for example solar_mass"),
    FLAG("particles.file.override", "false", "true: these units replace those that the file states"),

    BLOCK("particles.plummer", "Plummer's sphere in equilibrium, isotropic (Aarseth, Henon and Wielen 1974)"),
    COUNT("particles.plummer.count", 2),
    SEED("particles.plummer.seed"),
    TOTAL("particles.plummer.mass"),
    REDUCED("particles.plummer.radius", "m", false,
            "scale radius a of the density (1 + r2/a2)^-5/2; if left out, 3 pi/16 (units nbody), for which "
            "the energy is -1/4"),
    NUMBER("particles.plummer.cutoff", "40", 1, 1e6,
           "largest distance of a body from the centre, in scale radii; 40 hold 0.9991 of the mass"),

    BLOCK("particles.uniform-cube", "a cube of uniform density about the origin"),
    COUNT("particles.uniform-cube.count", 2),
    SEED("particles.uniform-cube.seed"),
    TOTAL("particles.uniform-cube.mass"),
    REDUCED("particles.uniform-cube.side", "m", false, "side of the cube; if left out, 1 (units nbody)"),
    NUMBER("particles.uniform-cube.virial_ratio", "0", 0, 100,
           "2K/|W| at the start: 0 at rest, 1 in virial balance; velocities are Gaussian"),

    BLOCK("particles.cold-collapse",
          "a sphere of uniform density that collapses, because its bodies are slow"),
    COUNT("particles.cold-collapse.count", 2),
    SEED("particles.cold-collapse.seed"),
    TOTAL("particles.cold-collapse.mass"),
    REDUCED("particles.cold-collapse.radius", "m", false,
            "radius of the sphere; if left out, 1 (units nbody)"),
    NUMBER("particles.cold-collapse.virial_ratio", "0.1", 0, 100,
           "2K/|W| at the start: 0 at rest, 1 in virial balance; velocities are Gaussian"),

    BLOCK("particles.encounter",
          "two disc galaxies, each a disc in a halo, which meet on a parabolic orbit in the plane z = 0"),
    COUNT("particles.encounter.count", 16),
    SEED("particles.encounter.seed"),
    TOTAL("particles.encounter.mass"),
    NUMBER("particles.encounter.mass_ratio", "1", 0.001, 1,
           "mass of the second galaxy over that of the first; lengths scale with its square root"),
    REDUCED("particles.encounter.scale_length", "m", false,
            "scale length of the first galaxy's exponential disc; if left out, 0.1 (units nbody)"),
    NUMBER("particles.encounter.disc_share", "0.1", 0.001, 0.5,
           "share of a galaxy's mass in its disc; the rest is the halo"),
    NUMBER("particles.encounter.disc_bodies", "0.4", 0.01, 0.99, "share of a galaxy's bodies in its disc"),
    NUMBER("particles.encounter.halo_scale", "3", 0.1, 100,
           "Hernquist's scale radius of the halo, in scale lengths of the disc"),
    NUMBER("particles.encounter.toomre_q", "1.5", 0.1, 100,
           "Toomre's Q of the discs, a measure of their random velocities; below 1 they break up"),
    REDUCED("particles.encounter.separation", "m", false,
            "distance of the centres at the start; if left out, 15 scale lengths"),
    REDUCED("particles.encounter.pericentre", "m", false,
            "pericentre of the parabola of two points; if left out, 3 scale lengths"),
    BLOCK("particles.encounter.first", "orientation of the first galaxy's disc"),
    {"particles.encounter.first.inclination", JOB_QUANTITY, "degree", "0 degree", false, -180, 180, NULL,
     "angle between the spin of the disc and that of the orbit; 180 degree: opposite"},
    {"particles.encounter.first.node", JOB_QUANTITY, "degree", "0 degree", false, -360, 360, NULL,
     "angle from the pericentre to the line in which the planes of disc and orbit meet"},
    BLOCK("particles.encounter.second", "orientation of the second galaxy's disc"),
    {"particles.encounter.second.inclination", JOB_QUANTITY, "degree", "60 degree", false, -180, 180, NULL,
     "as particles.encounter.first.inclination"},
    {"particles.encounter.second.node", JOB_QUANTITY, "degree", "0 degree", false, -360, 360, NULL,
     "as particles.encounter.first.node"},

    BLOCK("particles.kepler", "two bodies on an elliptic orbit, furthest apart at the start; the second "
                              "begins at +x and moves to +y"),
    TOTAL("particles.kepler.mass"),
    NUMBER("particles.kepler.mass_ratio", "1", 1e-12, 1, "mass of the second body over that of the first"),
    REDUCED("particles.kepler.semi_major_axis", "m", false,
            "semi-major axis of the relative orbit; if left out, 1 (units nbody), with the period 2 pi"),
    NUMBER("particles.kepler.eccentricity", "0", 0, 0.999999, "eccentricity of the orbit"),

    BLOCK("particles.figure-eight",
          "three equal bodies that follow each other on one orbit in the shape of an "
          "eight (Chenciner and Montgomery 2000)"),
    TOTAL("particles.figure-eight.mass"),
    REDUCED("particles.figure-eight.length", "m", false,
            "length of the orbit, which reaches 1.08 of it to both sides; if left out, 1 (units nbody), with "
            "the period 10.9568"),

    {"physics.softening", JOB_REDUCED, "m", NULL, true, 0, MOST, NULL,
     "Plummer's softening length: a pair attracts by m r/(r2 + softening2)^3/2; 0: points, whose close "
     "passages need very short steps"},

    BLOCK("method", "how forces are summed and how steps are made"),
    CHOICE("method.name", "direct", "direct|direct-tiled|direct-naive|barnes-hut",
           "direct: direct summation, exact to rounding, time grows with the square of the number of bodies; "
           "barnes-hut: a tree, for more than some ten thousand bodies; direct-tiled, direct-naive: direct "
           "summation as in textbooks on GPUs, for comparison"),
    NUMBER("method.theta", "0.6", 0.01, 2,
           "barnes-hut: opening angle; a smaller one is more exact and slower"),
    CHOICE("method.opening", "offset", "offset|size|distance",
           "barnes-hut: the distance from which a cell of side l may replace its bodies: l/theta + s, where "
           "s is the distance from its middle to its centre of mass (offset); l/theta (size); a fixed "
           "distance (distance)"),
    REDUCED("method.distance", "m", false, "barnes-hut, opening distance: the fixed distance"),
    CHOICE(
        "method.multipole", "quadrupole", "quadrupole|monopole",
        "barnes-hut: terms of a cell's field; monopole: its mass alone; quadrupole: its second moments too"),
    CHOICE("method.integrator", "leapfrog", "leapfrog|source",
           "leapfrog: kick-drift-kick, second order, without drift of the energy; source: x += (v + a T/2) "
           "T, v += a T, first order in v, for comparison"),

    REDUCED("time.duration", "s", true,
            "model time from start to end: 10 (units nbody), \"10 Myr\" (units si; a year is the tropical "
            "one, 365.24219878 d)"),
    // The minimum is the smallest double: if there are too many steps, the error states their number.
    {"time.step", JOB_REDUCED, "s", NULL, true, 2.3e-308, MOST, NULL,
     "model time of one step, the same for all bodies: a small part of the shortest orbital period, and of "
     "the time in which a body crosses the softening length"},

    REDUCED("output.fields.every", "s", false,
            "model time between two frames of the trajectory (trajectory.nc, AMBER layout); if left out, no "
            "frames are written"),
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"position\"]", false, 0, 0,
     "position|velocity|acceleration",
     "variables of a frame; the positions are always written; acceleration: that of gravity, computed by "
     "method.name, also in final.nc"},
    {"output.fields.stride", JOB_INTEGER, NULL, "1", false, 1, NBODY_COUNT_MAX, NULL,
     "write only every n-th body: 0, n, 2 n, ..."},
    REDUCED("output.diagnostics.every", "s", false,
            "model time between two lines of energy, momentum, virial ratio and Lagrangian radii; if left "
            "out, output.fields.every, or a hundredth of the duration"),
    FLAG("output.diagnostics.direct_potential", "false",
         "barnes-hut: the potential energy in the diagnostics is computed by direct summation, so that their "
         "error is that of the run, not of the tree; costs a direct summation each time"),
    FLAG("output.final", "true",
         "write all bodies at the end, in double precision (final.nc), to inspect or to continue from"),
    NUMBER("limits.energy_error", NULL, 0, MOST,
           "largest change of the energy since the first record of the run, relative to its magnitude then "
           "(energy_error in the diagnostics)"),
    NUMBER("check.tolerance", NULL, 0, 1000,
           "largest difference of a position or a velocity from the reference that passes, after two steps, "
           "in half-mass radii and in sqrt(G M / that radius); if left out, 1e-5 in single and 1e-11 in "
           "double precision"),
};

const struct job_key_table nbody_keys = {keys, sizeof keys / sizeof *keys};
