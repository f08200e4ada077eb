// How particles (bodies of N-body, particles of the gas) are divided among ranks: in groups of consecutive
// ones, which loops take together on one rank, too. Rank 0 makes the results; each rank saves its particles
// of a checkpoint.
#ifndef FATHOM_MODELS_PARTICLES_RANKS_H
#define FATHOM_MODELS_PARTICLES_RANKS_H

#include "core/status.h"
#include "parallel/shares.h"

#include <stdbool.h>
#include <stddef.h>

struct checkpoint_array;
struct checkpoint_rows;
struct instance;
struct ranks;
struct stream;

// In a group.
enum { PARTICLES_GROUP = 64 };

// Particles first … end − 1.
struct particles_range {
    size_t first, end;
};

// What shares_cut is to cut, but for ranks and parts. groups: "groups of 64 bodies", for messages.
struct shares_request particles_request(size_t count, const char *groups);

// A run's shares of groups, [rank], which the caller frees; NULL with one rank. divided: the names of back
// ends that divide a run, for the message where `is_divided` is false. STATUS_CONFIGURATION.
enum status particles_cut(const struct instance *base, size_t count, const char *groups, bool is_divided,
                          const char *divided, struct share **shares);

// The particles in the groups of a share; the last group may be a shorter one.
struct particles_range particles_in(const struct share *groups, size_t count);

// The rank's particles; all without shares.
struct particles_range particles_own(const struct share *shares, const struct ranks *ranks, size_t count);

// Of a checkpoint's arrays with a number of each of `all` particles, of which the rank saves its own.
void particles_checkpoint_rows(const struct checkpoint_array *arrays, int count, struct particles_range own,
                               size_t all, struct checkpoint_rows *rows);

// Of a run with shares: rank 0 has the whole record.
void particles_divide_stream(const struct share *shares, bool makes_results, struct stream *stream);

#endif
