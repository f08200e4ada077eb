// What the parts of the reference share. Serial, double, plain: the specification.
#ifndef FATHOM_MODELS_NBODY_REFERENCE_H
#define FATHOM_MODELS_NBODY_REFERENCE_H

#include "models/nbody/solver.h"

// Written from state.h's text (THE TREE) and from nothing else; `bodies` in the tree's order of before,
// sorted into that of now together with `ids`. Its arrays are in the plan.
struct reference_tree;
enum status reference_tree_plan(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                                struct reference_tree **tree);
void reference_tree_build(struct reference_tree *tree, struct nbody_body *bodies, uint32_t *ids);
// field [count], in the order of the bodies.
void reference_tree_forces(struct reference_tree *tree, const struct nbody_body *bodies,
                           struct nbody_field *field);
struct nbody_tree_counts reference_tree_count(const struct reference_tree *tree);

#endif
