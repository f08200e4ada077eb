// The grids of a run together: which lies in which, where a child's edges lie in its parent, and the order of
// their steps. Private to models/tsunami.
#ifndef FATHOM_MODELS_TSUNAMI_NESTING_H
#define FATHOM_MODELS_TSUNAMI_NESTING_H

#include "models/tsunami/instance.h"

// Creates the nested grids of the job in run->levels behind the outermost one, parents before their children.
// STATUS_CONFIGURATION: more than TSUNAMI_LEVELS_MAX grids in all, a missing parent, or grids that lie in
// each other.
enum status tsunami_nesting_create(struct tsunami *run, const struct job *job);

// Before the survey: the grid lies in its parent, is no coarser, and has a given edge.
enum status tsunami_nesting_check_place(const struct tsunami_level *t);
// After it: water can come in from the parent, and both files have depths of the same sign.
enum status tsunami_nesting_check_bottom(struct tsunami_level *t);

// With all grids surveyed: checks that the open sea reaches the water at each nested grid's edges through its
// parent; warns below half of the nodes. STATUS_CONFIGURATION: it reaches no node. Frees the levels' bodies
// of water.
enum status tsunami_nesting_check_water(struct tsunami *run);
// At the start of a run or a part of it: the shift of the surface at the edges by the source itself.
void tsunami_nesting_note_shift(struct tsunami_level *t);
// At the end of a run, with the records of the parent and the outermost grid on the host: the wave at the
// edges.
enum status tsunami_nesting_find_wave(struct tsunami_level *t);
// Warns if no wave came.
void tsunami_nesting_warn_of_calm(const struct tsunami_level *t);
void tsunami_nesting_describe(const struct tsunami_level *t, struct cJSON *report);

// The last record of a displacement, or the surface at the start, on the grid's nodes: `take` is given each
// row (nx values, m) and least_m. Before the run. STATUS_SYSTEM: no memory; else those of the sampler.
enum status tsunami_nesting_last_rows(struct tsunami_level *t, struct grid_file *file,
                                      void (*take)(struct tsunami_level *t, size_t row, const double *values,
                                                   double least_m),
                                      double least_m);
// Opens the bodies of water at edges with given waves. Whether the grid has such edges.
bool tsunami_nesting_open_given_edges(struct tsunami_level *t);

// The nodes of one side of a grid, from west or south; and, of a nested grid, where one lies in its parent.
size_t tsunami_nesting_edge_nodes(const struct tsunami_level *t, int side);
void tsunami_nesting_edge_node(const struct tsunami_level *t, int side, size_t k, size_t *column,
                               size_t *row);
// Where the data of a node of a given edge are taken: at the node, for finite volumes half a spacing beyond
// it.
void tsunami_nesting_edge_place(const struct tsunami_level *t, int side, size_t k, double *x, double *y);
struct tsunami_link tsunami_nesting_edge_link(const struct tsunami_level *t, int side, size_t k);
// The same of the node itself, where the edge's data are taken farther out.
struct tsunami_link tsunami_nesting_node_link(const struct tsunami_level *t, int side, size_t k);
// Whether an open body of the parent's water holds one of the parent's nodes of a link.
bool tsunami_nesting_is_fed(const struct tsunami_level *t, const struct tsunami_link *link);

// The links and the given edges of a nested grid: their arrays; and, after the seal, where each node lies.
enum status tsunami_nesting_plan(struct tsunami_level *t, struct memory_plan *memory);
void tsunami_nesting_link(struct tsunami_level *t);

// Passes the outermost grid's state after `step` of its steps to its children, and so on: at the start, and
// after a checkpoint was loaded.
enum status tsunami_nesting_begin(struct tsunami *run, int64_t step);

// The grid's own steps, and all steps of those in it that belong to them.
enum status tsunami_nesting_advance(struct tsunami *run, struct tsunami_level *t, int64_t first_step,
                                    int64_t count);

#endif
