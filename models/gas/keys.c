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
        path, JOB_INTEGER, NULL, NULL, true, 2, GAS_COUNT_MAX, NULL, "number of particles"                   \
    }
#define SEED(path)                                                                                           \
    WHOLE(path, "1", 0, 9007199254740991.0,                                                                  \
          "seed of the random numbers; the same seed gives the same numbers on every machine")
#define TEMPERATURE(path, help) NUMBER(path, NULL, 0, MOST, help)
#define START(path)                                                                                          \
    TEMPERATURE(path, "Maxwellian velocities without net momentum, scaled to exactly this temperature; if "  \
                      "left out, that of the thermostat")
#define MASS(path) NUMBER(path, "1", LEAST, MOST, "mass of each particle")

static const struct job_key keys[] = {
    BACKEND_KEY,

    BLOCK("particles", "the particles at the start: one of the blocks lattice, random, file"),
    BLOCK("particles.lattice", "particles on a lattice that fills the box"),
    COUNT("particles.lattice.count"),
    SEED("particles.lattice.seed"),
    START("particles.lattice.temperature"),
    MASS("particles.lattice.mass"),
    CHOICE(
        "particles.lattice.kind", "triangular", "square|triangular",
        "shape of the lattice, which is stretched to fit the box; surplus sites stay empty, evenly spread"),
    NUMBER("particles.lattice.jitter", "0", 0, 0.25,
           "largest random displacement of a particle from its site along each axis, in spacings"),
    BLOCK("particles.random",
          "particles at random positions in the box, placed one after another at a least distance"),
    COUNT("particles.random.count"),
    SEED("particles.random.seed"),
    START("particles.random.temperature"),
    MASS("particles.random.mass"),
    NUMBER("particles.random.distance", NULL, 0, LONGEST,
           "least distance of two particles; if left out, 0.9 of the potential's core (the diameter, or the "
           "distance at which the force of a real gas vanishes)"),
    BLOCK("particles.file", "particles read from netCDF: an earlier run's final.nc, AMBER trajectories, "
                            "tables of x, y, z, vx, vy, vz, m; z is ignored"),
    PARTICLES_FILE_KEYS("particles"),
    NUMBER("particles.file.particle_mass", NULL, LEAST, MOST, "mass of each particle, if no file has masses"),
    FLAG("particles.file.at_rest", "false", "true: the particles start at rest, and no velocities are read"),
    TEMPERATURE("particles.file.temperature", "Maxwellian velocities without net momentum, scaled to exactly "
                                              "this temperature, instead of those of the file"),
    SEED("particles.file.seed"),

    FORMS("domain.size", "list", "sides of the box, [Lx, Ly]; or give domain.density"),
    NUMBER("domain.density", NULL, LEAST, MOST, "particles per area, from which the size of the box follows"),
    NUMBER("domain.aspect", "1", 1e-3, 1e3, "ratio Lx/Ly of a box with domain.density"),
    FORMS("domain.walls", "text|object",
          "kinds of the sides: reflect (if left out; exact specular reflection), velocity-flip, "
          "flip-and-mirror, a-priori (as in Balen 2016), damped (speed is lost at each reflection), "
          "periodic, soft (a spring beyond the side), field-corrected (exact in a uniform force); one for "
          "all sides, or {\"left\": ..., \"right\": ..., \"bottom\": ..., \"top\": ...}"),
    NUMBER("domain.damping", NULL, 0, 1, "damped walls: share of the speed that is lost at each reflection"),
    NUMBER("domain.stiffness", NULL, LEAST, MOST, "soft walls: force per depth beyond the side"),

    {"physics.potential", JOB_OBJECT, NULL, NULL, true, 0, 0, NULL, "how two particles act on each other"},
    CHOICE("physics.potential.name", NULL, "none|log|real-gas|condensing|lennard-jones|lj-force-shifted",
           "log: attraction A/r, potential A ln r; real-gas: log and a repulsion R/r3 within the cut-off; "
           "condensing: real-gas and a second attraction A2/r within the cut-off; lennard-jones: truncated "
           "and shifted at the cut-off; lj-force-shifted: the force is continuous at the cut-off, too; none: "
           "no pair force"),
    NUMBER("physics.potential.attraction", "1", 0, MOST, "A of log, real-gas, condensing"),
    NUMBER("physics.potential.attraction2", "10", 0, MOST, "A2 of condensing"),
    NUMBER("physics.potential.repulsion", NULL, 0, MOST,
           "R of real-gas and condensing; if left out, A (condensing: A + A2): the force vanishes at "
           "distance 1"),
    NUMBER("physics.potential.softening", "0", 0, LONGEST,
           "log, real-gas, condensing: r2 is replaced by r2 + softening2"),
    NUMBER("physics.potential.cut_off", NULL, SHORTEST, LONGEST,
           "distance r_c beyond which the short-range parts vanish; if left out, 2.5 diameters, or 2 for "
           "real-gas and condensing"),
    FLAG("physics.potential.repulsion_everywhere", "false",
         "real-gas, condensing: the repulsion has no cut-off (only method all-pairs)"),
    FLAG("physics.potential.smooth", "false",
         "real-gas, condensing: the force of the short-range parts is continuous at the cut-off, so that "
         "energy is conserved"),
    NUMBER("physics.potential.well_depth", "1", LEAST, MOST, "Lennard-Jones: depth of the well"),
    NUMBER("physics.potential.diameter", "1", SHORTEST, LONGEST,
           "Lennard-Jones: sigma, the distance at which the potential is 0"),
    FORMS("physics.gravity", "list", "uniform external force per mass, [gx, gy]; 0 if left out"),
    BLOCK("physics.thermostat", "keeps the temperature (integrator leapfrog)"),
    CHOICE("physics.thermostat.name", NULL, "langevin|bussi",
           "langevin: friction and noise on each particle (BAOAB); bussi: all velocities are scaled "
           "together, by a random factor that gives the canonical distribution of energies"),
    REQUIRED("physics.thermostat.temperature", 0, MOST, "temperature of the thermostat"),
    NUMBER("physics.thermostat.friction", "1", LEAST, MOST,
           "langevin: friction coefficient of the velocities, per time"),
    NUMBER("physics.thermostat.relaxation_time", "1", LEAST, MOST,
           "bussi: relaxation time of the kinetic energy"),
    SEED("physics.thermostat.seed"),
    BLOCK("physics.limiters",
          "limits against bursts of energy (Balen 2016); the run counts how often they act"),
    NUMBER("physics.limiters.mean_energy", "0", 0, MOST,
           "limits the kinetic energy of a particle to this many mean kinetic energies; 0: off"),
    NUMBER("physics.limiters.speed_jump", "0", 0, MOST,
           "a particle whose speed grows by more than this factor in a step gets its old velocity; 0: off"),

    BLOCK("method", "how forces are summed and how steps are made"),
    CHOICE("method.name", "auto", "auto|all-pairs|cells",
           "all-pairs: direct summation; cells: pairs within the cut-off by neighbour lists, and the rest of "
           "ln r by three regions of cells; auto: the one with fewer operations, but direct summation of "
           "fewer than 16384 particles with ln r"),
    CHOICE("method.integrator", "leapfrog", "leapfrog|symplectic-euler",
           "leapfrog: kick-drift-kick, second order; symplectic-euler: the basic one of Balen (2016), first "
           "order"),
    NUMBER("method.skin", NULL, 0, LONGEST,
           "cells: range of the neighbour lists beyond the cut-off; if left out, 0.2 of the cut-off"),
    WHOLE("method.neighbours", NULL, 1, 65536,
          "cells: largest number of neighbours of a particle; a run with more ends with an error; if left "
          "out, that of closely packed particles"),
    BLOCK("method.regions", "cells, ln r: near cells act by pairs, middle cells as a whole on each particle, "
                            "far cells as a whole on a whole cell"),
    WHOLE("method.regions.columns", NULL, 1, 32768,
          "cells in x; if left out, the number with the fewest operations (on a GPU with the least time)"),
    WHOLE("method.regions.rows", NULL, 1, 32768,
          "cells in y; if left out, the number with the fewest operations (on a GPU with the least time)"),
    NUMBER("method.regions.near", "2", 1.001, 1000, "near cells are those nearer than this number of cells"),
    NUMBER("method.regions.far", "10", 1.001, 1000, "far cells are those at this number of cells or more"),
    WHOLE("method.regions.order", "1", 0, 1,
          "order of Taylor's expansion of the far cells' field in a cell; 0: one force for all its "
          "particles, as in Balen (2016)"),

    REQUIRED("time.duration", LEAST, MOST, "time from start to end"),
    REQUIRED("time.step", 2.3e-308, MOST, // too many steps are refused with their number
             "time of one step, the same for all particles: 0.005 is usual for Lennard-Jones, 0.002 with a "
             "thermostat"),

    NUMBER("output.fields.every", NULL, LEAST, MOST,
           "time between two frames of the trajectory (trajectory.nc, AMBER layout); if left out, no frames "
           "are written"),
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"position\"]", false, 0, 0, "position|velocity",
     "variables of a frame; the positions are always written"},
    WHOLE("output.fields.stride", "1", 1, GAS_COUNT_MAX, "write only every n-th particle: 0, n, 2 n, ..."),
    NUMBER("output.diagnostics.every", NULL, LEAST, MOST,
           "time between two lines of energy, momentum, temperature and pressure; if left out, "
           "output.fields.every, or a hundredth of the duration"),
    BLOCK("output.structure", "radial distribution, speeds and clusters"),
    REQUIRED("output.structure.every", LEAST, MOST, "time between two records of the structure"),
    NUMBER("output.structure.from", "0", 0, MOST, "mean values begin at this time"),
    NUMBER("output.structure.radius", NULL, SHORTEST, LONGEST,
           "largest r of g(r), at most half the shorter side; if left out, 5 mean distances"),
    WHOLE("output.structure.bins", "200", 2, 100000, "number of bins of g(r)"),
    WHOLE("output.structure.speed_bins", "100", 2, 100000, "number of bins of the speeds"),
    NUMBER("output.structure.cluster_distance", NULL, SHORTEST, LONGEST,
           "particles closer than this belong to the same cluster; if left out, 1.5 cores of the potential"),
    FLAG("output.final", "true",
         "write all particles at the end, in double precision (final.nc), to inspect or to continue from"),
    NUMBER("limits.energy_change", NULL, 0, MOST,
           "largest change of the energy per particle (energy_change in the diagnostics) since the first "
           "record of the run; not with a thermostat, limiters or damped walls, which change the energy"),
    NUMBER("check.tolerance", NULL, 0, 1000,
           "largest difference from the reference that passes, after two steps: of a position in mean "
           "distances, of a velocity in root mean square velocities; if left out, 1e-11 in double precision, "
           "1e-5 in single, and more for all pairs in a wide box, whose positions are rounded relative to "
           "its middle"),
};

const struct job_key_table gas_keys = {keys, sizeof keys / sizeof *keys};
