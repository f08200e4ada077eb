// See ladder.h.
#include "bench/ladder/ladder.h"

#include <string.h>
#include <strings.h>

const struct ladder_model *ladder_find(const char *name)
{
    static const struct ladder_model *const models[] = {&ladder_tsunami, &ladder_bioheat, &ladder_gas};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        if (strcmp(models[k]->name, name) == 0)
            return models[k];
    return NULL;
}

const struct ladder_rung *ladder_find_rung(const struct ladder_model *model, const char *name)
{
    for (const struct ladder_rung *const *rung = model->rungs; *rung; rung++)
        if (strcmp((*rung)->name, name) == 0)
            return *rung;
    return NULL;
}

bool ladder_is_of_device(const char *name)
{
    return strncasecmp(name, "gpu", strlen("gpu")) == 0;
}

void ladder_count(const struct ladder_model *model, const struct ladder_rung *rung,
                  const struct ladder_case *wanted, struct ladder_counts *counts)
{
    *counts = (struct ladder_counts){0};
    if (model->count)
        model->count(wanted, counts);
    if (rung->count)
        rung->count(wanted, counts);
}

double ladder_count_bytes(const struct ladder_model *model, const struct ladder_rung *rung,
                          const struct ladder_case *wanted)
{
    return rung->count_bytes    ? rung->count_bytes(wanted)
           : model->count_bytes ? model->count_bytes(wanted)
                                : 0;
}
