// Shared by initial*.c: generators of bodies, and a file of them. Private to them and to the bench, which
// generates bodies without a job.
#ifndef FATHOM_MODELS_NBODY_INITIAL_PRIVATE_H
#define FATHOM_MODELS_NBODY_INITIAL_PRIVATE_H

#include "core/philox.h"
#include "models/nbody/initial.h"
#include "models/particles/file.h"

#include <math.h>

// ---- random numbers: draw number `draw` of body `index` under the seed, in any order.

struct nbody_draws {
    struct philox_key key;
    uint64_t index, draw;
};

// Two numbers, each strictly between 0 and 1.
static inline void nbody_draw_two(struct nbody_draws *draws, double two[static 2])
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(draws->draw++, draws->index), draws->key);
    two[0] = philox_double(words.v[0], words.v[1]);
    two[1] = philox_double(words.v[2], words.v[3]);
}

static inline double nbody_draw(struct nbody_draws *draws)
{
    double two[2];
    nbody_draw_two(draws, two);
    return two[0];
}

// A vector of this length in a random direction; all directions are equally likely.
void nbody_draw_direction(struct nbody_draws *draws, double length, double vector[static NBODY_AXES]);
// Normally distributed numbers of mean 0 and standard deviation 1.
void nbody_draw_normals(struct nbody_draws *draws, double normals[static NBODY_AXES]);

// ---- generators

// Bodies that are generated together about a centre: the sample is put to rest there, scaled to the kinetic
// energy if one is given, and moved.
struct nbody_group {
    size_t first, count;
    double kinetic;                                    // about the centre; NaN: as sampled
    double position[NBODY_AXES], velocity[NBODY_AXES]; // of the centre
};

enum { NBODY_GROUPS_MAX = 2 };

struct nbody_galaxies; // initial_encounter.c

struct nbody_generator;
// Generates a body about its group's centre; by any thread, in any order.
typedef void nbody_sample(const struct nbody_generator *generator, struct nbody_draws *draws, size_t index,
                          struct nbody_body *body);

// All values are in units in which G = 1: those of the job if its units are "nbody", else those of the run.
struct nbody_generator {
    size_t count;
    uint64_t seed;
    double mass, radius, cutoff, virial_ratio; // radius: the generator's own length
    double mass_ratio, eccentricity;
    struct nbody_galaxies *galaxies;
    int group_count;
    struct nbody_group groups[NBODY_GROUPS_MAX];
    nbody_sample *sample;
};

// How a block "particles.NAME" becomes bodies. `read` leaves mass and radius in the job's units.
struct nbody_recipe {
    const char *key;
    enum status (*read)(const struct job *job, struct nbody_generator *generator);
    nbody_sample *sample;
    // (optional) Sets the groups and tables from mass, radius and the values that follow from them, which
    // are now in units with G = 1. Without it there is one group, as sampled.
    enum status (*prepare)(struct nbody_generator *generator);
    double reach; // no body is further from the centre than this many radii (0: the cutoff)
};
extern const struct nbody_recipe nbody_recipe_plummer, nbody_recipe_cube, nbody_recipe_sphere,
    nbody_recipe_kepler, nbody_recipe_figure_eight, nbody_recipe_encounter;

void nbody_galaxies_free(struct nbody_galaxies *galaxies);

// ---- a file

struct nbody_file;
enum status nbody_file_open(const struct job *job, struct nbody_file **file);
void nbody_file_close(struct nbody_file *file); // NULL: does nothing
// The part that all files of particles have: number, path, inputs.
const struct particles_file *nbody_file_base(const struct nbody_file *file);
// Reads the whole file and refuses invalid values.
enum status nbody_file_survey(struct nbody_file *file, struct nbody_extent *extent);
// Bodies first … first + count − 1 (at most NBODY_FILE_BLOCK) in the job's units; centred if the job says so.
// `scratch`: 4 · NBODY_FILE_BLOCK.
enum { NBODY_FILE_BLOCK = 4096 };
enum status nbody_file_read(struct nbody_file *file, size_t first, size_t count, struct nbody_body *bodies,
                            double *scratch);

#endif
