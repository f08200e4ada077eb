// The keys of a gas job beside those that all models share. A table, nothing else. Everything is in reduced
// units: bare numbers.
#include "models/keys.h"
#include "models/gas/params.h"

// Lengths: the fourth power of a distance, 1/s², is a number of single precision between these.
#define SHORTEST 1e-8
#define LONGEST  1e8
// Of everything else; not zero.
#define LEAST 1e-12
#define MOST  1e12

#define COUNT(path)                                                                                          \
    {                                                                                                        \
        path, JOB_INTEGER, NULL, NULL, true, 2, GAS_COUNT_MAX, NULL, "how many particles"                    \
    }
#define SEED(path)                                                                                           \
    WHOLE(path, "1", 0, 9007199254740991.0,                                                                  \
          "another number gives other random numbers; the same one gives the same on every machine")
#define TEMPERATURE(path, help) NUMBER(path, NULL, 0, MOST, help)
#define START(path)                                                                                          \
    TEMPERATURE(path, "velocities are Maxwell's, without net momentum, scaled to this temperature exactly; " \
                      "the thermostat's if left out")
#define MASS(path) NUMBER(path, "1", LEAST, MOST, "of each particle")

static const struct job_key keys[] = {
    // A text, as in bioheat: more back ends may be registered than the shared key's choice lists.
    TEXT("backend", "auto",
         "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA GPU; "
         "cuda:1 is the second); auto takes the fastest that this build and this machine have and that the "
         "run fits on"),

    BLOCK("particles", "the particles at the start: one of the blocks lattice, random, file"),
    BLOCK("particles.lattice", "on a lattice that fills the box"),
    COUNT("particles.lattice.count"),
    SEED("particles.lattice.seed"),
    START("particles.lattice.temperature"),
    MASS("particles.lattice.mass"),
    CHOICE("particles.lattice.kind", "triangular", "square|triangular",
           "the lattice closest to it that fits the box; surplus sites stay empty, evenly"),
    NUMBER("particles.lattice.jitter", "0", 0, 0.25,
           "each particle lies off its site by up to so many spacings on each axis, at random"),
    BLOCK("particles.random", "anywhere in the box, one after another, none too near to another"),
    COUNT("particles.random.count"),
    SEED("particles.random.seed"),
    START("particles.random.temperature"),
    MASS("particles.random.mass"),
    NUMBER("particles.random.distance", NULL, 0, LONGEST,
           "no two are nearer; if left out, 0.9 of the potential's core (diameter, or where the force of a "
           "real gas vanishes)"),
    BLOCK("particles.file", "particles read from netCDF: an earlier run's final.nc, AMBER trajectories, "
                            "tables of x, y, z, vx, vy, vz, m; z is left out"),
    PARTICLES_FILE_KEYS("particles"),
    NUMBER("particles.file.particle_mass", NULL, LEAST, MOST,
           "the mass of each particle, where no file has masses"),
    FLAG("particles.file.at_rest", "false", "true: the particles start at rest, and no velocities are read"),
    TEMPERATURE("particles.file.temperature", "no velocities are read: they are Maxwell's, without net "
                                              "momentum, scaled to this temperature exactly"),
    SEED("particles.file.seed"),

    VALUE("domain.size", "[Lx, Ly]; or domain.density"),
    NUMBER("domain.density", NULL, LEAST, MOST, "particles per area: makes the box of their number"),
    NUMBER("domain.aspect", "1", 1e-3, 1e3, "Lx/Ly of a box that is made by its density"),
    VALUE("domain.walls",
          "what the sides do: reflect (if left out; exact specular bounce), velocity-flip, flip-and-mirror, "
          "a-priori (as in Balen 2016), damped (loses speed at each bounce), periodic, soft (a spring beyond "
          "the side), field-corrected (exact in a uniform force); one for all, or {\"left\": ..., \"right\": "
          "..., \"bottom\": ..., \"top\": ...}"),
    NUMBER("domain.damping", NULL, 0, 1, "damped walls: the share of its speed that a particle loses"),
    NUMBER("domain.stiffness", NULL, LEAST, MOST, "soft walls: force per depth beyond the side"),

    {"physics.potential", JOB_OBJECT, NULL, NULL, true, 0, 0, NULL, "how two particles act on each other"},
    CHOICE("physics.potential.name", NULL, "none|log|real-gas|condensing|lennard-jones|lj-force-shifted",
           "log: attraction A/r, potential A ln r; real-gas: and a repulsion R/r3 within the cut-off; "
           "condensing: and a second attraction A2/r there; lennard-jones: truncated and shifted; "
           "lj-force-shifted: its force ends continuously, too; none: no pair force"),
    NUMBER("physics.potential.attraction", "1", 0, MOST, "A of log, real-gas, condensing"),
    NUMBER("physics.potential.attraction2", "10", 0, MOST, "A2 of condensing"),
    NUMBER("physics.potential.repulsion", NULL, 0, MOST,
           "R of real-gas and condensing; if left out, A (condensing: A + A2): the force vanishes at "
           "distance 1"),
    NUMBER("physics.potential.softening", "0", 0, LONGEST,
           "of log, real-gas, condensing: r2 + softening2 stands for r2"),
    NUMBER("physics.potential.cut_off", NULL, SHORTEST, LONGEST,
           "r_c: where the parts that end do; 2.5 diameters if left out, 2 of real-gas and condensing"),
    FLAG("physics.potential.repulsion_everywhere", "false",
         "real-gas, condensing: the repulsion has no end (only method all-pairs)"),
    FLAG("physics.potential.smooth", "false",
         "real-gas, condensing: what ends at the cut-off ends with its force, so that energy is conserved"),
    NUMBER("physics.potential.well_depth", "1", LEAST, MOST, "Lennard-Jones: depth of the well"),
    NUMBER("physics.potential.diameter", "1", SHORTEST, LONGEST, "Lennard-Jones: sigma, where it is 0"),
    VALUE("physics.gravity", "[gx, gy], a uniform outer force per mass; 0 if left out"),
    BLOCK("physics.thermostat", "keeps the temperature (integrator leapfrog)"),
    CHOICE("physics.thermostat.name", NULL, "langevin|bussi",
           "langevin: friction and noise on each particle (BAOAB); bussi: all velocities scaled together, at "
           "random, to the canonical energies"),
    REQUIRED("physics.thermostat.temperature", 0, MOST, "the temperature that is kept"),
    NUMBER("physics.thermostat.friction", "1", LEAST, MOST, "langevin: of the velocities, per time"),
    NUMBER("physics.thermostat.relaxation_time", "1", LEAST, MOST, "bussi: of the kinetic energy"),
    SEED("physics.thermostat.seed"),
    BLOCK("physics.limiters", "guards against bursts (Balen 2016); the run counts how often they act"),
    NUMBER("physics.limiters.mean_energy", "0", 0, MOST,
           "a particle of more than so many mean kinetic energies gets that much; 0: off"),
    NUMBER("physics.limiters.speed_jump", "0", 0, MOST,
           "a particle whose speed grows by more than this factor in a step gets its old velocity; 0: off"),

    BLOCK("method", "how forces are summed and steps are made"),
    CHOICE("method.name", "auto", "auto|all-pairs|cells",
           "all-pairs: direct summation; cells: those within reach of each other, and the rest of ln r by "
           "three regions of cells; auto: the one of fewer operations, but direct summation of less than "
           "16384 particles with ln r"),
    CHOICE(
        "method.integrator", "leapfrog", "leapfrog|symplectic-euler",
        "leapfrog: kick-drift-kick, second order; symplectic-euler: Balen's (2016) basic one, first order"),
    NUMBER("method.skin", NULL, 0, LONGEST,
           "cells: lists reach so far beyond the cut-off; 0.2 of it if left out"),
    WHOLE("method.neighbours", NULL, 1, 65536,
          "cells: most neighbours of a particle, which must hold; if left out, those of the potential packed "
          "closely"),
    BLOCK("method.regions",
          "cells, ln r: pairs in near cells, cell on particle in middle ones, cell on cell in far ones"),
    WHOLE("method.regions.columns", NULL, 1, 32768,
          "cells in x; of fewest operations (on a GPU of least time) if left out"),
    WHOLE("method.regions.rows", NULL, 1, 32768,
          "cells in y; of fewest operations (on a GPU of least time) if left out"),
    NUMBER("method.regions.near", "2", 1.001, 1000, "near cells are those nearer than so many cells"),
    NUMBER("method.regions.far", "10", 1.001, 1000, "far cells are those no nearer than so many cells"),
    WHOLE("method.regions.order", "1", 0, 1,
          "Taylor's order of far cells' field in a cell; 0: one force for all its particles, as in Balen "
          "(2016)"),

    REQUIRED("time.duration", LEAST, MOST, "from start to end"),
    REQUIRED(
        "time.step", 2.3e-308, MOST, // too many steps are refused with their number
        "of one step, the same for all particles: 0.005 is usual for Lennard-Jones, 0.002 with a thermostat"),

    NUMBER("output.fields.every", NULL, LEAST, MOST,
           "time between two frames of the trajectory (trajectory.nc, AMBER layout); none are written "
           "without it"),
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"position\"]", false, 0, 0, "position|velocity",
     "what a frame holds; positions are always there"},
    WHOLE("output.fields.stride", "1", 1, GAS_COUNT_MAX, "every n-th particle only: 0, n, 2 n, ..."),
    NUMBER("output.diagnostics.every", NULL, LEAST, MOST,
           "time between two lines of energy, momentum, temperature, pressure; if left out, as "
           "output.fields.every, or a hundredth of the duration"),
    BLOCK("output.structure", "radial distribution, speeds and clusters"),
    REQUIRED("output.structure.every", LEAST, MOST, "time between two records of the structure"),
    NUMBER("output.structure.from", "0", 0, MOST, "means are taken from this time on"),
    NUMBER("output.structure.radius", NULL, SHORTEST, LONGEST,
           "how far g(r) reaches, at most half the shorter side; if left out, 5 mean distances"),
    WHOLE("output.structure.bins", "200", 2, 100000, "of g(r)"),
    WHOLE("output.structure.speed_bins", "100", 2, 100000, "of the speeds"),
    NUMBER("output.structure.cluster_distance", NULL, SHORTEST, LONGEST,
           "closer particles belong to the same cluster; 1.5 cores of the potential if left out"),
    FLAG("output.final", "true",
         "all particles at the end, in double precision (final.nc), to inspect or to continue from"),
    NUMBER("limits.energy_change", NULL, 0, MOST,
           "largest change of the energy of a particle (energy_change in the diagnostics) since the run's "
           "first record; not where a thermostat, limiters or damped walls change it"),
    NUMBER("check.tolerance", NULL, 0, 1000,
           "largest difference from the reference, after two steps, that passes: of a position in mean "
           "distances, of a velocity in their root mean square; if left out, 1e-11 in double precision, 1e-5 "
           "in single, and more for all pairs in a wide box, whose places are rounded about its middle"),
};

const struct job_key_table gas_keys = {keys, sizeof keys / sizeof *keys};
