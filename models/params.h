// Reads keys that are the same for all models. Independent of models.
#ifndef FATHOM_MODELS_PARAMS_H
#define FATHOM_MODELS_PARAMS_H

#include "io/job/job.h"
#include "models/backend.h"

// Returns the index of `word` among `count` words; 0 for an unknown word, which the table of keys refuses.
int params_choice(const char *word, const char *const *words, int count);

// Reads the key `backend`: the head of the back end's table, and the number of its device (0 if none is
// named). Fails with STATUS_CONFIGURATION.
enum status params_backend(const struct job *job, const struct backend_list *list,
                           const struct backend **backend, int *device);

// Reads the key `precision`: ELEMENT_F32 or ELEMENT_F64.
enum element params_precision(const struct job *job);

// A key, and the reason why it has no effect in this job; NULL: it has an effect.
struct params_idle_key {
    const char *key, *reason;
};
// Warns of each of these keys that the job gives.
void params_warn_of_idle_keys(const struct job *job, const struct params_idle_key *keys, size_t count);

// Returns at how many times steps are repeated on the reference; 0: at none.
int64_t params_check_steps(const struct job *job);

#endif
