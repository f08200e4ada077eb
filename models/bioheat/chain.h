// Continues an earlier run with another source: reads temperature, dose, largest rise and time from its
// state.nc (described in output_streams.c). Uses solvers only through their table.
#ifndef FATHOM_MODELS_BIOHEAT_CHAIN_H
#define FATHOM_MODELS_BIOHEAT_CHAIN_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/bioheat/carried.h"
#include "models/bioheat/params.h"

struct bioheat_chain; // opaque

// Of a state's variable bioheat_rounding_name: more is as good as unknown.
#define BIOHEAT_ROUNDING_MOST_K 1e4

// Why a run is not judged as passed, whatever its temperatures are: a sum, which its state.nc has for the
// runs that continue it (variable bioheat_lacks_name), beside the words on the runs before it (attribute
// bioheat_earlier_name).
enum bioheat_lack {
    BIOHEAT_LACKS_BEFORE = 1,     // it begins after a part of its plan
    BIOHEAT_LACKS_AFTER = 2,      // it ends before its plan
    BIOHEAT_LACKS_LAYERS = 4,     // heat in layers of fixed faces
    BIOHEAT_LACKS_UNSOLVED = 8,   // heat in void cells and those of fixed temperature
    BIOHEAT_LACKS_MODEL = 16,     // temperatures beyond the model
    BIOHEAT_LACKS_EARLIER = 32,   // a run that it continues
    BIOHEAT_LACKS_UNKNOWN = 64,   // its state does not say (an earlier version made it)
    BIOHEAT_LACKS_UNHEATED = 128, // pressure in tissue that is void or of fixed temperature
    BIOHEAT_LACKS_BODY = 256,     // it starts at, or its blood has, a temperature that no body has
    BIOHEAT_LACKS_STEPS = 512,    // of the steps: an error that is too large, or not known
    BIOHEAT_LACKS_SOUND = 1024,   // there is no pressure in the tissue
    BIOHEAT_LACKS_DRAINED = 2048, // faces of the domain carry heat off
    BIOHEAT_LACKS_PASS = 4096,    // a tissue exceeds its level
    BIOHEAT_LACKS_ALL = 2 * BIOHEAT_LACKS_PASS - 1
};
extern const char bioheat_lacks_name[], bioheat_earlier_name[], bioheat_index_name[], bioheat_rounding_name[];
// In words, those of the run itself, with commas; "": none. The attribute bioheat_reasons_name has them for
// people.
void bioheat_list_lacks(int lacks, char *text, size_t bytes);
extern const char bioheat_reasons_name[];
extern const char bioheat_label_hash_name[]; // attribute of state.nc

// The job's initial.from, a folder of results: reads the headers and checks that the grids agree. *chain is
// NULL without the key.
enum status bioheat_chain_create(const struct job *job, const struct bioheat_params *params,
                                 struct bioheat_chain **chain);
void bioheat_chain_destroy(struct bioheat_chain *chain); // NULL: does nothing

// Before the plan: θ (K) of plane z [y][x], from this run's reference temperature. STATUS_DATA: not finite.
enum status bioheat_chain_read(const struct bioheat_chain *chain, size_t z, double *theta_k);

// Path of state.nc, and its model time (s).
const char *bioheat_chain_path(const struct bioheat_chain *chain);
double bioheat_chain_end_s(const struct bioheat_chain *chain);
// After prepare: whether the largest temperatures of all earlier exposures are known.
bool bioheat_chain_has_largest(const struct bioheat_chain *chain);
// "earlier run DIR: the run ends before the plan": that the earlier run, or one before it, is not judged as
// passed; "": it may be.
const char *bioheat_chain_lacking(const struct bioheat_chain *chain);

// What the runs before hand on; NULL: an earlier version made the state.
const struct bioheat_carried *bioheat_chain_carried(const struct bioheat_chain *chain);

// What roundings of the earlier runs sum up to at most (rounding.h, K); 0: nothing is known.
double bioheat_chain_rounding_k(const struct bioheat_chain *chain);

// The largest mechanical index of the earlier runs; 0: none is known.
double bioheat_chain_index(const struct bioheat_chain *chain);

// bioheat_domain_label_hash of the earlier run; "": it is not stated.
const char *bioheat_chain_label_hash(const struct bioheat_chain *chain);

enum status bioheat_chain_plan(struct bioheat_chain *chain, struct memory_plan *memory);
enum status bioheat_chain_prepare(struct bioheat_chain *chain); // on the I/O thread
// After the solver's start, by all ranks: sets the state and touches the solver.
enum status bioheat_chain_apply(struct bioheat_chain *chain, const struct bioheat_backend *backend,
                                struct solver *solver, struct ranks *ranks);

#endif
