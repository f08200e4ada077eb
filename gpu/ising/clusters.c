// CLUSTER UPDATES of a CUDA solver: their part of the memory plan, and their kernels in order.
#include "gpu/ising/clusters.h"
#include "gpu/memory.h"
#include "parallel/ranks.h"

#include <stdio.h>

static int64_t sites_of(const struct ising_setup *setup)
{
    const struct ising_lattice *lattice = &setup->physics->lattice;
    return lattice->columns * lattice->rows * lattice->replicas;
}

bool ising_device_clusters_has(const struct ising_setup *setup, char *why, size_t bytes)
{
    const struct ising_words layout = ising_words_of(&setup->physics->lattice);
    if (clusters_small_fits(&layout) || sites_of(setup) <= INT32_MAX)
        return true;
    snprintf(why, bytes, "clusters of %lld sites in all replicas: their labels reach to %ld",
             (long long)sites_of(setup), (long)INT32_MAX);
    return false;
}

// Between ranks: their numbers, and what each tells the others.
static enum status plan_borders(struct clusters_arrays *a, const struct ising_setup *setup, size_t sites,
                                struct memory_plan *plan, const char *prefix)
{
    enum { BLOCK_ALIGNMENT = 64 }; // words
    const struct ising_lattice *lattice = &setup->physics->lattice;
    a->rank = setup->ranks->rank;
    a->ranks = setup->ranks->count;
    a->nodes = 2 * lattice->replicas * lattice->columns;
    a->block_words =
        (2 * a->nodes + 3 * lattice->replicas + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    const size_t ranks = (size_t)a->ranks, nodes = (size_t)a->nodes, block = (size_t)a->block_words;
    const struct gpu_array arrays[] = {
        {&a->marks, MEMORY_DEVICE, ELEMENT_I32, 1, sites, "device clusters, border sites"},
        {&a->node_places, MEMORY_DEVICE, ELEMENT_I32, 1, nodes, "device borders, least sites"},
        {&a->border_labels, MEMORY_DEVICE, ELEMENT_I32, 1, nodes, "device borders, labels"},
        {&a->blocks, MEMORY_DEVICE, ELEMENT_I32, ranks, block, "device borders of all ranks"},
        {&a->sizes_of_parts, MEMORY_DEVICE, ELEMENT_I32, ranks, nodes, "device borders of all ranks, sizes"},
        {&a->node_parents, MEMORY_DEVICE, ELEMENT_I32, ranks, nodes, "device borders, clusters"},
        {&a->node_labels, MEMORY_DEVICE, ELEMENT_I32, ranks, nodes, "device borders, labels of clusters"},
        {&a->node_sizes, MEMORY_DEVICE, ELEMENT_I32, ranks, nodes, "device borders, sizes of clusters"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status plan_arrays(struct clusters_arrays *a, const struct ising_setup *setup,
                               const struct ising_device_lattice *own, struct memory_plan *plan,
                               const char *prefix)
{
    const struct ising_lattice *lattice = &setup->physics->lattice;
    const int64_t rows = own->end - own->first;
    const size_t replicas = (size_t)lattice->replicas, sites = replicas * (size_t)(rows * lattice->columns);
    a->row_words = a->tiles_across = (lattice->columns + CLUSTERS_TILE - 1) / CLUSTERS_TILE;
    a->tiles_down = (rows + CLUSTERS_TILE - 1) / CLUSTERS_TILE;
    a->tiles = a->tiles_across * a->tiles_down * lattice->replicas;
    if (setup->shares)
        CHECK(plan_borders(a, setup, sites, plan, prefix));
    const struct gpu_array arrays[] = {
        {&a->rows, MEMORY_DEVICE, ELEMENT_I64, replicas * (size_t)own->layout.held, (size_t)a->row_words,
         "device clusters, spins"},
        {&a->parents, MEMORY_DEVICE, ELEMENT_I32, 1, sites, "device clusters, labels"},
        {&a->sizes, MEMORY_DEVICE, ELEMENT_I32, 1, sites, "device clusters, sizes"},
        {&a->slots, MEMORY_DEVICE, ELEMENT_U8, 1, sites, "device clusters, slots"},
        {&a->roots, MEMORY_DEVICE, ELEMENT_I32, (size_t)a->tiles, CLUSTERS_SLOTS,
         "device clusters, labels of slots"},
        {&a->lengths, MEMORY_DEVICE, ELEMENT_U8, (size_t)a->tiles, CLUSTERS_SLOTS * sizeof *a->lengths,
         "device clusters, sizes of slots"},
        {&a->counts, MEMORY_DEVICE, ELEMENT_I32, 1, (size_t)a->tiles, "device clusters, counts of slots"},
        {&a->seeds, MEMORY_DEVICE, ELEMENT_I32, 1, replicas, "device clusters, seeds"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status ising_device_clusters_plan(const struct ising_setup *setup,
                                       const struct ising_device_lattice *lattice, struct memory_plan *plan,
                                       const char *prefix, struct ising_device_clusters *c)
{
    const struct ising_words layout = ising_words_of(&setup->physics->lattice);
    c->is_small = clusters_small_fits(&layout) && !setup->shares;
    if (!c->is_small && sites_of(setup) > INT32_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "lattice: clusters of %lld sites in all replicas: their labels reach to %ld on several "
                    "ranks; take fewer replicas, or one rank",
                    (long long)sites_of(setup), (long)INT32_MAX);
    c->is_wolff = setup->physics->method == ISING_WOLFF;
    c->unlike = setup->physics->coupling < 0 ? 0xffffffffu : 0;
    return c->is_small ? STATUS_OK : plan_arrays(&c->arrays, setup, lattice, plan, prefix);
}

enum status ising_device_clusters_warm_up(struct ising_device_clusters *c)
{
    CUDA_CHECK(c->is_small ? clusters_small_load() : clusters_load(), "to load its kernels");
    if (c->arrays.marks)
        CUDA_CHECK(clusters_borders_load(), "to load its kernels");
    return STATUS_OK;
}

static struct clusters_rule rule_of(const struct ising_device_clusters *c, const struct philox_key *key,
                                    uint64_t bond_threshold)
{
    return (struct clusters_rule){*key, bond_threshold, c->unlike, c->is_wolff};
}

static cudaError_t run_tiles(const struct ising_device_clusters *c,
                             const struct ising_device_lattice *lattice, const struct clusters_rule *rule,
                             uint32_t first_sweep, int64_t sweeps, long long *flipped, cudaStream_t stream)
{
    cudaError_t error = clusters_spread(&c->arrays, lattice, stream);
    if (error == cudaSuccess && !c->is_wolff)
        error = cudaMemsetAsync(flipped, 0, (size_t)lattice->layout.replicas * sizeof *flipped, stream);
    for (int64_t k = 0; k < sweeps && error == cudaSuccess; k++) {
        const bool is_wanted = c->is_wolff || k == sweeps - 1;
        long long *const wanted = is_wanted ? flipped : NULL;
        error = clusters_label(&c->arrays, lattice, rule, first_sweep + (uint32_t)k, wanted, stream);
        if (error == cudaSuccess)
            error = clusters_flip(&c->arrays, lattice, rule, first_sweep + (uint32_t)k, wanted, stream);
    }
    return error == cudaSuccess ? clusters_gather(&c->arrays, lattice, stream) : error;
}

enum status ising_device_clusters_run(struct ising_device_clusters *c,
                                      const struct ising_device_lattice *lattice,
                                      const struct philox_key *key, uint64_t bond_threshold,
                                      uint32_t first_sweep, int64_t sweeps, long long *flipped,
                                      cudaStream_t stream)
{
    const struct clusters_rule rule = rule_of(c, key, bond_threshold);
    if (sweeps < 1)
        return STATUS_OK;
    CUDA_CHECK(c->is_small ? clusters_small_run(lattice, &rule, first_sweep, sweeps, 0, NULL, flipped, stream)
                           : run_tiles(c, lattice, &rule, first_sweep, sweeps, flipped, stream),
               "cluster updates");
    return STATUS_OK;
}

enum status ising_device_clusters_run_measured(struct ising_device_clusters *c,
                                               const struct ising_device_lattice *lattice,
                                               const struct philox_key *key, uint64_t bond_threshold,
                                               uint32_t first_sweep, int64_t sweeps, int64_t every,
                                               long long *measures, long long *flipped, cudaStream_t stream)
{
    const struct clusters_rule rule = rule_of(c, key, bond_threshold);
    CUDA_CHECK(clusters_small_run(lattice, &rule, first_sweep, sweeps, every, measures, flipped, stream),
               "cluster updates");
    return STATUS_OK;
}
