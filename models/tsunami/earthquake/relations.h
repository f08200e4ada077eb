// Published relations of an earthquake's moment magnitude with the length and width of its rupture. Pure
// functions over one table. Independent of files, jobs and grids.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RELATIONS_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RELATIONS_H

#include "models/tsunami/earthquake/tensor.h"

#include <stdbool.h>
#include <stddef.h>

enum earthquake_relation {
    EARTHQUAKE_STRASSER_INTERFACE,
    EARTHQUAKE_STRASSER_INTRASLAB,
    EARTHQUAKE_BLASER,
    EARTHQUAKE_LEONARD,
    EARTHQUAKE_WELLS_COPPERSMITH,
    EARTHQUAKE_THINGBAIJAM_INTERFACE,
    EARTHQUAKE_THINGBAIJAM,
    EARTHQUAKE_MUROTANI,
    EARTHQUAKE_RELATIONS
};

// The names as a job's choices: "strasser-interface|…".
extern const char earthquake_relation_choices[];
const char *earthquake_relation_name(enum earthquake_relation relation);
// "Strasser et al. (2010), interface"
const char *earthquake_relation_title(enum earthquake_relation relation);
enum earthquake_relation earthquake_relation_named(const char *name); // of the choices

struct earthquake_size {
    double length_m, width_m;
    // Standard deviation of log10 of the regression; NaN: the paper gives none for this quantity.
    double sigma_length, sigma_width, sigma_area;
    // Whether the magnitude lies within the regression's data, and whether the style is one of its own.
    bool is_in_range, is_of_style;
    double magnitude_least, magnitude_most; // of the data; NaN: not stated
};

// Median length and width. style: relations for subduction zones have one regression for all of them. aspect:
// length/width, > 0, used by murotani alone, which gives the area.
struct earthquake_size earthquake_relation_size(enum earthquake_relation relation, double magnitude,
                                                enum earthquake_style style, double aspect);

#endif
