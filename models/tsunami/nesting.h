// What lies between the grids of a run: which lies in which, where a child's edges lie in its parent, and how
// they step together. Private to models/tsunami.
#ifndef FATHOM_MODELS_TSUNAMI_NESTING_H
#define FATHOM_MODELS_TSUNAMI_NESTING_H

#include "models/tsunami/instance.h"

// Makes the nested grids that the job names, into run->levels behind the outermost one, parents before their
// children. STATUS_CONFIGURATION: more than TSUNAMI_LEVELS_MAX grids in all, a missing parent, or grids that
// lie in each other.
enum status tsunami_nesting_create(struct tsunami *run, const struct job *job);

// Before the survey: the grid lies in its parent, is no coarser, and has an edge that its parent gives.
enum status tsunami_nesting_check_place(const struct tsunami_level *t);
// After it: water can come in from the parent, and both files mean depths of the same sign.
enum status tsunami_nesting_check_bottom(struct tsunami_level *t);

// With all grids surveyed: the water at each nested grid's edges is connected with the open sea through its
// parent, at least at half of the nodes, else a warning; at none: STATUS_CONFIGURATION. Forgets the levels'
// bodies of water.
enum status tsunami_nesting_check_water(struct tsunami *run);
// At the start of a run or of a part of it: by how much the source itself shifts the surface at the edges.
void tsunami_nesting_note_shift(struct tsunami_level *t);
// At the end of a run, with the records of the grid's parent and of the outermost grid on the host: the wave
// at its edges.
void tsunami_nesting_find_wave(struct tsunami_level *t);
// Warns if none came.
void tsunami_nesting_say_wave(const struct tsunami_level *t);
void tsunami_nesting_describe(const struct tsunami_level *t, struct cJSON *report);

// The nodes of one side of a grid, from west or south; and, of a nested grid, where one lies in its parent.
size_t tsunami_nesting_edge_nodes(const struct tsunami_level *t, int side);
void tsunami_nesting_edge_node(const struct tsunami_level *t, int side, size_t k, size_t *column,
                               size_t *row);
struct tsunami_link tsunami_nesting_edge_link(const struct tsunami_level *t, int side, size_t k);

// The links and the given edges of a nested grid: their arrays; and, after the seal, where each node lies.
enum status tsunami_nesting_plan(struct tsunami_level *t, struct memory_plan *memory);
void tsunami_nesting_link(struct tsunami_level *t);

// What the outermost grid has after `step` of its steps is given to its children, and so on: at the start,
// and after a checkpoint was loaded.
enum status tsunami_nesting_begin(struct tsunami *run, int64_t step);

// The grid's own steps, and all steps of those in it that belong to them.
enum status tsunami_nesting_advance(struct tsunami *run, struct tsunami_level *t, int64_t first_step,
                                    int64_t count);

#endif
