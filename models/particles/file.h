// The block `particles.file` of a job: the variables and files of positions, velocities and masses, opened
// and compared with each other. For every model of particles, which checks the units and the numbers.
#ifndef FATHOM_MODELS_PARTICLES_FILE_H
#define FATHOM_MODELS_PARTICLES_FILE_H

#include "io/formats/particles.h"
#include "io/job/job.h"
#include "io/path.h"

enum { PARTICLES_FILE_QUANTITIES = PARTICLES_MASS + 1, PARTICLES_FILE_INPUTS_MAX = 2 };

struct particles_file {
    // Set by the caller before it is opened. The job must outlive it.
    const struct job *job;
    const char *one, *many; // "body", "bodies"
    const char *mass_key;   // the key for the mass of each particle, if no file has masses
    size_t most;            // largest number of particles
    bool has_velocities;    // velocities are read
    // Checks the units of a quantity that was opened.
    enum status (*settle_units)(void *context, enum particles_quantity q);
    void *context;
    // Set by particles_file_open.
    char path[PATH_BYTES], mass_path[PATH_BYTES];       // mass_path: "" for the same
    struct particles *parts[PARTICLES_FILE_QUANTITIES]; // NULL: none
    size_t count;
};

// STATUS_CONFIGURATION, STATUS_NO_INPUT, STATUS_DATA, with the key, or the file and the variable. Close it
// after a failure, too.
enum status particles_file_open(struct particles_file *file);
void particles_file_close(struct particles_file *file);

// Whether the numbers of a quantity that was opened have no unit. AMBER's fixed units for coordinates count
// as unitless: every reader of such trajectories requires them.
bool particles_file_is_bare(const struct particles_file *file, enum particles_quantity q);

const char *particles_file_positions(const struct particles_file *file); // the variable's name
// Writes its paths, at most PARTICLES_FILE_INPUTS_MAX; returns their number.
int particles_file_inputs(const struct particles_file *file, const char **paths);
size_t particles_file_cache_bytes(const struct particles_file *file);

// Fails with STATUS_DATA for a value that is not finite, or with `complaint`: "-1: a mass below 0".
enum status particles_file_refuse(const struct particles_file *file, enum particles_quantity q, size_t index,
                                  int axis, double value, const char *complaint);

#endif
