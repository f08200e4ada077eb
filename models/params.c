// See params.h.
#include "models/params.h"

#include <string.h>

int params_choice(const char *word, const char *const *words, int count)
{
    for (int k = 0; k < count; k++)
        if (strcmp(word, words[k]) == 0)
            return k;
    return 0;
}

enum status params_backend(const struct job *job, const struct backend_list *list,
                           const struct backend **backend, int *device)
{
    CHECK_ABOUT(backend_read(list, job_string(job, "backend"), backend, device), "%s: backend",
                job_path(job));
    return STATUS_OK;
}

enum element params_precision(const struct job *job)
{
    return strcmp(job_string(job, "precision"), "double") == 0 ? ELEMENT_F64 : ELEMENT_F32;
}

void params_warn_of_idle_keys(const struct job *job, const struct params_idle_key *keys, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (keys[k].reason && job_has(job, keys[k].key))
            job_warn(job, keys[k].key, "has no effect: %s", keys[k].reason);
}

int64_t params_check_steps(const struct job *job)
{
    return job_has(job, "check.reference_steps") ? job_integer(job, "check.reference_steps") : 0;
}
