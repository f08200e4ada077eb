// What structure.c and structure_pairs.c share. Private to them.
#ifndef FATHOM_MODELS_GAS_STRUCTURE_PRIVATE_H
#define FATHOM_MODELS_GAS_STRUCTURE_PRIVATE_H

#include "models/gas/structure.h"

// What a record begins with, in the order of the stream's variables.
enum {
    GAS_STRUCTURE_CLUSTERS,
    GAS_STRUCTURE_LARGEST,
    GAS_STRUCTURE_MEAN_SIZE,
    GAS_STRUCTURE_SAMPLES,
    GAS_STRUCTURE_SCALARS
};

// structure_pairs.c
void gas_structure_choose_cells(struct gas_structure_analysis *analysis);
// Of the particles that were set: pairs by distance, and the clusters.
void gas_structure_find_pairs(struct gas_structure_analysis *analysis);
void gas_structure_count_clusters(struct gas_structure_analysis *analysis, double *scalars, double *classes);

#endif
