// CLUSTER UPDATES of a CUDA solver: their part of the memory plan, and their kernels in order.
#include "gpu/ising/clusters.h"
#include "gpu/memory.h"

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

static enum status plan_arrays(struct clusters_arrays *a, const struct ising_setup *setup,
                               struct memory_plan *plan, const char *prefix)
{
    const struct ising_lattice *lattice = &setup->physics->lattice;
    const size_t sites = (size_t)sites_of(setup), replicas = (size_t)lattice->replicas;
    a->row_words = a->tiles_across = (lattice->columns + CLUSTERS_TILE - 1) / CLUSTERS_TILE;
    a->tiles_down = (lattice->rows + CLUSTERS_TILE - 1) / CLUSTERS_TILE;
    a->tiles = a->tiles_across * a->tiles_down * lattice->replicas;
    const struct gpu_array arrays[] = {
        {&a->rows, MEMORY_DEVICE, ELEMENT_I64, replicas * (size_t)lattice->rows, (size_t)a->row_words,
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

enum status ising_device_clusters_plan(const struct ising_setup *setup, struct memory_plan *plan,
                                       const char *prefix, struct ising_device_clusters *c)
{
    const struct ising_words layout = ising_words_of(&setup->physics->lattice);
    c->is_small = clusters_small_fits(&layout);
    c->is_wolff = setup->physics->method == ISING_WOLFF;
    c->unlike = setup->physics->coupling < 0 ? 0xffffffffu : 0;
    return c->is_small ? STATUS_OK : plan_arrays(&c->arrays, setup, plan, prefix);
}

enum status ising_device_clusters_warm_up(struct ising_device_clusters *c)
{
    CUDA_CHECK(c->is_small ? clusters_small_load() : clusters_load(), "to load its kernels");
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
        error = clusters_update(&c->arrays, lattice, rule, first_sweep + (uint32_t)k,
                                is_wanted ? flipped : NULL, stream);
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
