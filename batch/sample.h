// The block "sample" of a queue's entry: runs whose values are drawn from distributions.
//   "sample": { "method": "latin_hypercube", "count": 200, "seed": 1,
//               "keys": { "source.earthquake.magnitude": { "normal": { "mean": 8.8, "sigma": 0.2 } } } }
// Methods:
//   latin_hypercube  each key's distribution is divided into `count` parts of equal probability; each part
//                    has one run, at a random place in it, and the parts of different keys meet at random
//                    (McKay, Beckman & Conover 1979, Technometrics 21, 239–245)
//   random           independent draws
//   grid             every combination of the keys' cells, the last key fastest; each at the cells' medians
// The weight of a run is the probability that it stands for: 1/count, in a grid the product of its cells'.
// The draws of a key depend on the seed and the key's name alone, not on the other keys: Philox with the seed
// as its key and the counter (run, XXH3-64 of the name). The same queue gives the same text on every machine.
#ifndef FATHOM_BATCH_SAMPLE_H
#define FATHOM_BATCH_SAMPLE_H

#include "batch/axes.h"

// Fills the axes' members. `document`: the entry, which has "sample". count_max: as many runs at most.
// STATUS_CONFIGURATION: unknown keys, no key, a count that is missing or without effect, distributions as in
// distribution.h, too many runs.
enum status batch_sample_read(const struct job *document, size_t count_max, struct batch_pool **pool,
                              struct batch_axes *axes);

#endif
