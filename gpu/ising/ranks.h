// Runs of several ranks (ranks.c). One rank: each of these does nothing, unless said otherwise.
#ifndef FATHOM_GPU_ISING_RANKS_H
#define FATHOM_GPU_ISING_RANKS_H

#include "gpu/ising/solver.h"

// Sets the rows of the lattice that the solver holds, of one rank all. Before the plan.
void ising_device_ranks_set(struct solver *s);
// After the way is known.
enum status ising_device_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status ising_device_ranks_open(struct solver *s); // between the reserve and the seal
void ising_device_ranks_close(struct solver *s);

// The rows beside the own ones become those of the neighbours, on the compute stream.
enum status ising_exchange_words(struct solver *s);
// Sweeps of spins, in words or plain, of several ranks.
enum status ising_begin_divided(struct solver *s, uint32_t first_sweep, int count);
// The same of the rows of clusters.
enum status ising_exchange_rows(struct solver *s);
// clusters_ranks.c: updates of clusters, of several ranks.
enum status ising_begin_divided_clusters(struct solver *s, uint32_t first_sweep, int count);

// Each value becomes the sum of all ranks'.
enum status ising_device_add_ranks(struct solver *s, int64_t *values, size_t count);
enum status ising_visitors_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
// ising_device_correlate of several ranks: sums of the own rows with all rows. Waits.
enum status ising_correlate_ranks(struct solver *s, const struct ising_device_distances *distances);

#endif
