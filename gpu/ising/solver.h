// An Ising solver on the device. Private to gpu/ising/.
#ifndef FATHOM_GPU_ISING_SOLVER_H
#define FATHOM_GPU_ISING_SOLVER_H

#include "gpu/allgather.h"
#include "gpu/frames.h"
#include "gpu/ising/clusters.h"
#include "gpu/ising/plain.h"
#include "models/ising/solver.h"

// Sweeps that are requested but not begun yet, so that a launch has many: first `records` times `every`
// sweeps with a measurement each, into consecutive records of a frame; then `rest` sweeps.
struct ising_queue {
    int64_t first_sweep, every, records, rest;
    int slot;
    size_t record;
};

// How sweeps are launched. DIRECT: a launch a sublattice. RESIDENT, SMALL, SMALL_CLUSTERS: many sweeps and
// their measurements a launch. CLUSTERS: an update by several launches. PLAIN: METROPOLIS_INTEGER.
enum ising_way {
    ISING_DIRECT,
    ISING_RESIDENT,
    ISING_SMALL,
    ISING_CLUSTERS,
    ISING_SMALL_CLUSTERS,
    ISING_PLAIN
};

struct solver {
    struct ising_setup setup;
    struct gpu_timeline timeline;
    struct gpu_frames frames; // of measurements
    char device_name[256];
    enum ising_way way;
    struct ising_device_clusters clusters; // of methods with clusters
    struct ising_plain plain;              // METROPOLIS_INTEGER: the spins while they are swept
    bool is_plain;                         // the spins lie in `plain`, not in words
    struct ising_queue queue;
    struct ising_rule rule;
    uint64_t bond_threshold; // T(1 − e^{−2β|J|})

    // ---- on the device
    struct ising_device_lattice lattice;
    uint32_t *words_memory; // of the lattice
    uint32_t *visitor;      // of several ranks: one replica's rows of another rank
    long long *flipped;     // [replicas]: cluster sizes for the next measurement
    long long *measures;    // one record, of `measure`
    long long *sums;        // of `correlate`, by parts
    char *note;             // of frames; empty

    // ---- on the host; the spins, of the own rows, are pinned unless they are too many
    uint32_t *mirror_words;
    int64_t *mirror_flipped;
    struct ising_measure *mirror_measures;
    uint32_t *visitors[2];
    bool is_mirror_current;
    enum status status;                  // of a call that could not return one
    struct ising_stage_times counts;     // sweeps and measurements begun
    double before_s[GPU_TIMELINE_KINDS]; // the timeline's, when the counts were 0

    // ---- between ranks
    struct gpu_allgather gather;
};

static inline bool ising_is_queued(const struct solver *s)
{
    return s->way == ISING_RESIDENT || s->way == ISING_SMALL || s->way == ISING_SMALL_CLUSTERS;
}

// Number of words of the own rows of all replicas; of one rank all words.
static inline size_t ising_own_words(const struct solver *s)
{
    const struct ising_words *l = &s->lattice.layout;
    return 2 * (size_t)l->replicas * (size_t)((s->lattice.end - s->lattice.first) * l->words);
}

// arrays.c
enum status ising_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix);
// Spins and cluster sizes; each waits. Of several ranks, by all of them.
enum status ising_send_mirror(struct solver *s, bool has_flipped);
enum status ising_fetch_mirror(struct solver *s);
enum status ising_fetch_measures(struct solver *s, struct ising_measure *measures);
enum status ising_fetch_correlations(struct solver *s, size_t distances, const int64_t *distance,
                                     int64_t *correlations);

// step.c
// Brings the spins back into words.
enum status ising_gather(struct solver *s);
enum status ising_begin_sweeps(struct solver *s, int64_t first_sweep, int64_t count);
// Of the spins after those sweeps, to a record on the device, or to one of a frame.
enum status ising_begin_measure(struct solver *s, long long *measures);
enum status ising_begin_record(struct solver *s, int slot, size_t record);
// Begins all queued sweeps.
enum status ising_begin_queue(struct solver *s);

#endif
