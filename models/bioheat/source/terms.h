// Where the heat source of a job acts, as the solvers read it. Independent of jobs and files.
#ifndef FATHOM_MODELS_BIOHEAT_SOURCE_TERMS_H
#define FATHOM_MODELS_BIOHEAT_SOURCE_TERMS_H

#include "models/bioheat/body/grid.h"

// The heat source is a sum of terms in the order layers, points, boxes. A term is a region times an
// amplitude; the model gives the amplitude's mean over each step. A layer is a full field in W/m³ per unit of
// amplitude. A point heats one cell, a box all cells first … last (inclusive); their amplitudes are in W/m³.
// Points and boxes may overlap; they are added in their order.
enum { BIOHEAT_LAYERS_MAX = 16 };
struct bioheat_box {
    size_t first[BIOHEAT_AXES], last[BIOHEAT_AXES];
};
struct bioheat_source {
    int layer_count;
    const void *const
        *layers[BIOHEAT_LAYERS_MAX]; // dense [z][y][x], precision of the run, pinned host memory
    size_t point_count, box_count;
    const size_t (*points)[BIOHEAT_AXES]; // [point_count], indices of cells
    const struct bioheat_box *boxes;
};
static inline size_t bioheat_terms(const struct bioheat_source *source)
{
    return (size_t)source->layer_count + source->point_count + source->box_count;
}

#endif
