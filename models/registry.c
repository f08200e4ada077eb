// The models that this program has.
#include "models/model.h"

#include "models/bioheat/bioheat.h"
#include "models/gas/gas.h"
#include "models/ising/ising.h"
#include "models/nbody/nbody.h"
#include "models/tsunami/tsunami.h"

#include <string.h>

static const struct model *const models[] = {&tsunami_model, &bioheat_model, &nbody_model,
                                             &gas_model,     &ising_model,   NULL};

const struct model *const *model_list(void)
{
    return models;
}

const struct model *model_find(const char *name)
{
    for (const struct model *const *model = models; *model; model++)
        if (strcmp((*model)->name, name) == 0)
            return *model;
    return NULL;
}
