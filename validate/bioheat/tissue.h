// Numbers of tissues that the cases use; of the size of the published ones.
#ifndef FATHOM_VALIDATE_BIOHEAT_TISSUE_H
#define FATHOM_VALIDATE_BIOHEAT_TISSUE_H

#include "validate/bioheat/heat_job.h"

// Density, specific heat, conductivity; perfusion in W/m³/K (1050 kg/m³ · 3617 J/kg/K · the blood's rate).
static const struct heat_job_tissue tissue_skin = {1109, 3391, 0.37, 0}, tissue_skull = {1908, 1313, 0.32, 0},
                                    tissue_brain = {1046, 3630, 0.51, 0},
                                    tissue_brain_perfused = {1046, 3630, 0.51, 37000};

// Labels 1, 2 and 3: skin, skull and brain.
static inline void tissue_set_head(struct heat_job *job, const struct heat_job_tissue *brain)
{
    job->tissue_count = 3;
    job->tissues[1] = tissue_skin;
    job->tissues[2] = tissue_skull;
    job->tissues[3] = *brain;
}

static inline double tissue_capacity_j_m3_k(const struct heat_job_tissue *tissue)
{
    return tissue->density_kg_m3 * tissue->specific_heat_j_kg_k;
}

#endif
