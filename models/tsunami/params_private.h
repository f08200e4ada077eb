// What params.c, params_source.c and params_waves.c share. Private to them.
#ifndef FATHOM_MODELS_TSUNAMI_PARAMS_PRIVATE_H
#define FATHOM_MODELS_TSUNAMI_PARAMS_PRIVATE_H

#include "models/tsunami/params.h"

// A key that means nothing without another one: a forgotten half of a pair must not pass in silence.
struct tsunami_companions {
    const char *key, *needs;
};
enum status tsunami_params_check_companions(const struct job *job, const struct tsunami_companions *pairs,
                                            size_t count);

// Warns of what a grid's block of the job set aside of its file's own words (`set_aside`, "": nothing), and
// of an `override` (key `key`) without effect.
void tsunami_params_warn_of_override(const struct job *job, const char *key, bool overrides,
                                     const struct grid_file *file, const char *set_aside);

// The block `source`. After the domain: places are checked against it.
enum status tsunami_params_read_source(const struct job *job, struct tsunami_params *params);

// Its waves at the edges and its solitary wave (params_waves.c); sets the edges to TSUNAMI_EDGE_GIVEN.
enum status tsunami_params_read_waves(const struct job *job, struct tsunami_params *params);

#endif
