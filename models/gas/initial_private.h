// Shared by initial*.c, and private to them: a search for close pairs, and a file of particles.
#ifndef FATHOM_MODELS_GAS_INITIAL_PRIVATE_H
#define FATHOM_MODELS_GAS_INITIAL_PRIVATE_H

#include "models/gas/initial.h"
#include "models/particles/file.h"

// ---- cells for the search of close pairs (initial_grid.c)

struct gas_grid {
    const struct gas_physics *physics; // box, and which sides are periodic
    double distance;
    // NULL: every pair closer than `distance` counts; else only a pair too close for these masses, or closer
    // than `overflow`.
    const double *masses;
    double overflow;
    int cells[GAS_AXES];
    // Set by the caller after gas_grid_shape: the head of each cell; the next particle and the position of
    // each.
    int32_t *heads, *next;
    double (*positions)[GAS_AXES];
};

// Cells no narrower than `distance` (> 0), and no more than there are particles, or about so.
void gas_grid_shape(struct gas_grid *grid, const struct gas_physics *physics, double distance, size_t count);
size_t gas_grid_cells(const struct gas_grid *grid);
void gas_grid_clear(struct gas_grid *grid);
// A particle, of those added, that is close to the position; −1: none. `mass`: of the new particle, where the
// grid has masses.
int64_t gas_grid_find_near(const struct gas_grid *grid, const double *position, double mass);
double gas_grid_distance(const struct gas_grid *grid, const double *a, const double *b);
void gas_grid_add(struct gas_grid *grid, size_t id); // at its position

// ---- too near for the step (initial_near.c)

// Two particles repel each other with an energy U above that at their core (or at the cut-off, without
// attraction). It becomes a relative speed √(2U/μ), μ the reduced mass. They are too close if that speed
// moves them, within one step, further than their distance (with a softening ε: than √(r² + ε²)): the step
// then jumps over the potential, and the energy is not conserved.

// U at the distance r; 0 beyond the core.
double gas_near_energy(const struct gas_physics *physics, double r);
// √(2U/μ) Δt.
double gas_near_path(const struct gas_physics *physics, const double masses[2], double r);
bool gas_is_too_near(const struct gas_physics *physics, const double masses[2], double r);
// Two particles of this mass are too close below it; 0: at no distance.
double gas_near_distance(const struct gas_physics *physics, double mass);

// ---- positions (initial_places.c)

// Two numbers, each strictly between 0 and 1: draw `draw` of particle `id` under the seed, distinct from the
// noise of every thermostat.
void gas_draw_two(uint64_t seed, uint64_t draw, uint64_t id, double two[static 2]);
enum { GAS_DRAW_VELOCITY, GAS_DRAW_JITTER, GAS_DRAW_PLACES }; // the last: and all that follow

// A lattice of columns × rows sites that fills the box.
struct gas_lattice {
    bool is_triangular;
    double jitter; // in spacings
    size_t columns, rows;
};
void gas_lattice_fit(struct gas_lattice *lattice, const struct gas_physics *physics, size_t count);
void gas_lattice_position(const struct gas_lattice *lattice, const struct gas_physics *physics, size_t count,
                          uint64_t seed, size_t id, double position[static GAS_AXES]);

// Fills the grid's positions one by one, each at least its distance from those before it; distance 0:
// anywhere. Whether all were placed; *placed: how many were.
bool gas_random_positions(struct gas_grid *grid, size_t count, uint64_t seed, size_t *placed);

// ---- a file (initial_file.c)

struct gas_file;
enum { GAS_FILE_BLOCK = 4096 };

// `has_velocities`: those of the file are wanted.
enum status gas_file_open(const struct job *job, bool has_velocities, struct gas_file **file);
void gas_file_close(struct gas_file *file); // NULL: does nothing
// What it has as a file of particles: number, path, inputs.
const struct particles_file *gas_file_base(const struct gas_file *file);
bool gas_file_masses(const struct gas_file *file, double *mass); // as gas_initial_masses
// Particles first … first + count − 1 (at most GAS_FILE_BLOCK). `scratch`: 4 · GAS_FILE_BLOCK. STATUS_DATA:
// a value that is not finite, or too large.
enum status gas_file_read(struct gas_file *file, size_t first, size_t count, struct gas_particle *particles,
                          double *scratch);
// Reads it all and refuses what is wrong; whether any particle moves.
enum status gas_file_survey(struct gas_file *file, bool *is_moving);
// Wraps positions into a periodic box, and refuses those outside other sides (soft ones: by more than half
// the box).
enum status gas_file_take_in(const struct gas_file *file, const struct gas_physics *physics, size_t first,
                             size_t count, struct gas_particle *particles);
// Two particles too close for the step, or closer than `overflow`: STATUS_DATA with both. Reads the file
// again.
enum status gas_file_check_apart(struct gas_file *file, const struct gas_physics *physics, double overflow);

#endif
