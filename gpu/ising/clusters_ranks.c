// Cluster updates of several ranks: each labels its own rows; then all tell each other of the clusters at
// their borders, around the ring; then each flips its own sites. The host waits for nothing.
#include "gpu/ising/ranks.h"

#include "gpu/memory.h"
#include "parallel/ranks.h"

// A block of each rank, to all.
static enum status gather_blocks(struct solver *s, uint32_t *table, size_t block_bytes)
{
    const struct gpu_allgather_array array = {
        .data = table, .row_bytes = block_bytes, .bytes = (size_t)s->setup.ranks->count * block_bytes};
    return gpu_allgather_rows(&s->gather, &array, 1, s->timeline.compute);
}

static enum status update(struct solver *s, const struct clusters_rule *rule, uint32_t sweep,
                          long long *flipped)
{
    const struct clusters_arrays *a = &s->clusters.arrays;
    const struct ising_device_lattice *lattice = &s->lattice;
    const cudaStream_t stream = s->timeline.compute;
    if (rule->is_wolff)
        CHECK(gpu_timeline_fill(&s->timeline, a->seeds, 0xff,
                                (size_t)lattice->layout.replicas * sizeof *a->seeds));
    CUDA_CHECK(clusters_label(a, lattice, rule, sweep, flipped, stream), "to label clusters");
    CUDA_CHECK(clusters_tell(a, lattice, rule, sweep, stream), "to label clusters");
    CHECK(gather_blocks(s, a->blocks, (size_t)a->block_words * sizeof *a->blocks));
    CUDA_CHECK(clusters_merge(a, lattice, rule, sweep, stream), "to join clusters");
    CUDA_CHECK(clusters_flip(a, lattice, rule, sweep, flipped, stream), "to flip clusters");
    if (flipped && !rule->is_wolff) {
        CUDA_CHECK(clusters_tell_sizes(a, stream), "to add up clusters");
        CHECK(gather_blocks(s, a->sizes_of_parts, (size_t)a->nodes * sizeof *a->sizes_of_parts));
        CUDA_CHECK(clusters_merge_sizes(a, lattice, flipped, stream), "to add up clusters");
    }
    return ising_exchange_rows(s);
}

enum status ising_begin_divided_clusters(struct solver *s, uint32_t first_sweep, int count)
{
    const struct clusters_arrays *a = &s->clusters.arrays;
    const struct clusters_rule rule = {s->rule.key, s->bond_threshold, s->clusters.unlike,
                                       s->clusters.is_wolff};
    CUDA_CHECK(clusters_spread(a, &s->lattice, s->timeline.compute), "to unpack its spins");
    if (!rule.is_wolff && count > 0)
        CHECK(gpu_timeline_fill(&s->timeline, s->flipped, 0,
                                (size_t)s->lattice.layout.replicas * sizeof *s->flipped));
    for (int n = 0; n < count; n++) {
        const bool is_wanted = rule.is_wolff || n == count - 1;
        CHECK(update(s, &rule, first_sweep + (uint32_t)n, is_wanted ? s->flipped : NULL));
    }
    CUDA_CHECK(clusters_gather(a, &s->lattice, s->timeline.compute), "to pack its spins");
    return STATUS_OK;
}
