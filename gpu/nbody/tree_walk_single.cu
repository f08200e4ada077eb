// The tree walk in float, in a separate file so that both precisions are compiled in parallel.
#include "gpu/nbody/tree_walk.cuh"

extern "C" cudaError_t device_tree_walk_single(const tree_arrays *tree, const tree_rule *rule,
                                               const void *bodies, void *field, int has_potential,
                                               cudaStream_t stream)
{
    return nbody::walk<float>(*tree, *rule, bodies, field, has_potential != 0, stream);
}

extern "C" cudaError_t device_tree_load_walk_single(const tree_rule *rule)
{
    return nbody::load_walk<float>(*rule);
}
