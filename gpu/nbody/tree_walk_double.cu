// The tree walk in double; in a file of its own, to compile beside the other precision.
#include "gpu/nbody/tree_walk.cuh"

extern "C" cudaError_t device_tree_walk_double(const tree_arrays *tree, const tree_rule *rule,
                                               const void *bodies, void *field, int has_potential,
                                               cudaStream_t stream)
{
    return nbody::walk<double>(*tree, *rule, bodies, field, has_potential != 0, stream);
}

extern "C" cudaError_t device_tree_load_walk_double(const tree_rule *rule)
{
    return nbody::load_walk<double>(*rule);
}
