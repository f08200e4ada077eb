// What the initial*.c share: who is near whom, and a file of particles. Private to them.
#ifndef FATHOM_MODELS_GAS_INITIAL_PRIVATE_H
#define FATHOM_MODELS_GAS_INITIAL_PRIVATE_H

#include "models/gas/initial.h"
#include "models/particles/file.h"

// ---- cells that say whether a place is too near to one of those before it (initial_grid.c)

struct gas_grid {
    const struct gas_physics *physics; // box, and which sides are periodic
    double distance;
    // NULL: every pair nearer than `distance` counts; else only a pair too near for these masses, or nearer
    // than `overflow`.
    const double *masses;
    double overflow;
    int cells[GAS_AXES];
    // The caller's, after gas_grid_shape: a head of each cell, the next and the place of each particle.
    int32_t *heads, *next;
    double (*places)[GAS_AXES];
};

// Cells no narrower than `distance` (> 0), and no more than there are particles, or about so.
void gas_grid_shape(struct gas_grid *grid, const struct gas_physics *physics, double distance, size_t count);
size_t gas_grid_cells(const struct gas_grid *grid);
void gas_grid_clear(struct gas_grid *grid);
// One of those added that is near; −1: none. `mass`: of the particle at the place, where the grid has masses.
int64_t gas_grid_find_near(const struct gas_grid *grid, const double *place, double mass);
double gas_grid_distance(const struct gas_grid *grid, const double *a, const double *b);
void gas_grid_add(struct gas_grid *grid, size_t id); // at its place

// ---- too near for the step (initial_near.c)

// Two particles repel each other with an energy U above that at their core (or the cut-off, where nothing
// attracts). It becomes a relative speed √(2U/μ), μ the reduced mass. If that carries them further within one
// step than they are apart (with a softening ε: than √(r² + ε²)), the step jumps over the potential, and no
// energy is kept: they are too near.

// U at the distance r; 0 beyond the core.
double gas_near_energy(const struct gas_physics *physics, double r);
// √(2U/μ) Δt.
double gas_near_path(const struct gas_physics *physics, const double masses[2], double r);
bool gas_is_too_near(const struct gas_physics *physics, const double masses[2], double r);
// Two of this mass are too near below it; 0: at no distance.
double gas_near_distance(const struct gas_physics *physics, double mass);

// ---- places (initial_places.c)

// Two numbers, each strictly between 0 and 1: draw `draw` of particle `id` under the seed. No thermostat's
// noise has the same.
void gas_draw_two(uint64_t seed, uint64_t draw, uint64_t id, double two[static 2]);
enum { GAS_DRAW_VELOCITY, GAS_DRAW_JITTER, GAS_DRAW_PLACES }; // the last: and all that follow

// A lattice of columns × rows sites that fills the box.
struct gas_lattice {
    bool is_triangular;
    double jitter; // in spacings
    size_t columns, rows;
};
void gas_lattice_fit(struct gas_lattice *lattice, const struct gas_physics *physics, size_t count);
void gas_lattice_place(const struct gas_lattice *lattice, const struct gas_physics *physics, size_t count,
                       uint64_t seed, size_t id, double place[static GAS_AXES]);

// Fills the grid's places one by one, none nearer than its distance to one before it; distance 0: anywhere.
// Whether each found one; *placed: how many did.
bool gas_random_places(struct gas_grid *grid, size_t count, uint64_t seed, size_t *placed);

// ---- a file (initial_file.c)

struct gas_file;
enum { GAS_FILE_BLOCK = 4096 };

// `has_velocities`: those of the file are wanted.
enum status gas_file_open(const struct job *job, bool has_velocities, struct gas_file **file);
void gas_file_close(struct gas_file *file); // NULL is fine
// What it has as a file of particles: number, path, inputs.
const struct particles_file *gas_file_base(const struct gas_file *file);
bool gas_file_masses(const struct gas_file *file, double *mass); // as gas_initial_masses
// Particles first … first + count − 1 (at most GAS_FILE_BLOCK). `scratch`: 4 · GAS_FILE_BLOCK. STATUS_DATA:
// a value that is not finite, or too large.
enum status gas_file_read(struct gas_file *file, size_t first, size_t count, struct gas_particle *particles,
                          double *scratch);
// Reads it all and refuses what is wrong; whether any particle moves.
enum status gas_file_survey(struct gas_file *file, bool *is_moving);
// Takes places into a periodic box, and refuses those that are outside other sides (soft ones: by more than
// half the box).
enum status gas_file_take_in(const struct gas_file *file, const struct gas_physics *physics, size_t first,
                             size_t count, struct gas_particle *particles);
// Two particles that are too near for the step, or nearer than `overflow`: STATUS_DATA, naming both. Reads
// the file once more.
enum status gas_file_check_apart(struct gas_file *file, const struct gas_physics *physics, double overflow);

#endif
