// What lies between the grids of a run: which lies in which, where a child's edges lie in its parent, and how they step
// together. Private to models/tsunami.
#ifndef FATHOM_MODELS_TSUNAMI_NESTING_H
#define FATHOM_MODELS_TSUNAMI_NESTING_H

#include "models/tsunami/instance.h"

// Makes the nested grids that the job names, into run->levels behind the outermost one, parents before their children.
// STATUS_CONFIGURATION: more than TSUNAMI_LEVELS_MAX grids in all, a parent that is not there, or grids that lie in each
// other.
enum status tsunami_nesting_create(struct tsunami *run, const struct job *job);

// Before the survey: the grid lies in its parent, is no coarser, and has an edge that its parent gives.
enum status tsunami_nesting_check_place(const struct tsunami_level *t);
// After it: water can come in from the parent, and both files mean depths of the same sign.
enum status tsunami_nesting_check_bottom(struct tsunami_level *t);

// The links and the given edges of a nested grid: their arrays; and, after the seal, where each node lies.
enum status tsunami_nesting_plan(struct tsunami_level *t, struct memory_plan *memory);
void tsunami_nesting_link(struct tsunami_level *t);

// What the outermost grid has after `step` of its steps is given to its children, and so on: at the start, and after a
// checkpoint was loaded.
enum status tsunami_nesting_begin(struct tsunami *run, int64_t step);

// The grid's own steps, and all steps of those in it that belong to them.
enum status tsunami_nesting_advance(struct tsunami *run, struct tsunami_level *t, int64_t first_step,
                                    int64_t count);

#endif
