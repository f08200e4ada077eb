// The ladders of the sources: their authors' programs, rung by rung, written anew after the descriptions, to
// be timed beside the authors' figures (`fathom bench MODEL --table source|blocks`). Compiled only with
// FATHOM_LADDERS; no run uses them. Independent of files and of how they are timed and printed.
#ifndef FATHOM_BENCH_LADDER_LADDER_H
#define FATHOM_BENCH_LADDER_LADDER_H

#include "core/element.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LADDER_AXES = 3, LADDER_STAGES_MAX = 8, LADDER_SHAPES_MAX = 16 };

// What a rung computes in.
enum ladder_precisions { LADDER_SINGLE = 1, LADDER_DOUBLE = 2 };

// What a rung is asked to compute.
struct ladder_case {
    long long size[LADDER_AXES]; // as bench_row's: further axes are 1
    enum element precision;      // ELEMENT_F32 or ELEMENT_F64
    int block[LADDER_AXES];      // shape of a device's blocks, or of the processor's; 0: the rung's own
    int threads;                 // of the processor; 0: all
    int device;                  // number of the device
};

// What a step is, for rates; 0: not known.
struct ladder_counts {
    double work; // what the model counts: nodes, pairs
    double bytes, operations;
};

// A rung. `create` makes the initial state of the model's ladder (the same for all rungs) in *state, which
// `destroy` frees, even if `create` failed. A device that is missing or refuses: STATUS_SYSTEM.
struct ladder_rung {
    const char *name;                 // as in data/ladders/MODEL.json; of a device: "gpu…" or "GPU…"
    const char *summary;              // what is new in it, in a few words
    const char *differs;              // (optional) what it is not the same as: cells, precision, grid
    bool is_device;                   // else on the processor
    bool has_threads;                 // uses as many threads as the case says, else one
    bool has_barriers;                // several threads wait so often that time does not follow operations
    unsigned precisions;              // a set of enum ladder_precisions
    int block[LADDER_AXES];           // its shape of blocks; 0: it has none
    const int (*shapes)[LADDER_AXES]; // (optional) those of --table blocks; ends with a first 0
    enum status (*create)(const struct ladder_case *wanted, void **state);
    // Makes `count` steps and waits for their end.
    enum status (*step)(void *state, int count);
    // Writes the state, in the model's order, as many numbers as count_values says.
    enum status (*read)(void *state, double *values);
    void (*destroy)(void *state);
    // (optional) Of the model's counts, where this rung does more or less.
    void (*count)(const struct ladder_case *wanted, struct ladder_counts *counts);
    // (optional) In place of the model's count_bytes.
    double (*count_bytes)(const struct ladder_case *wanted);
    // (optional) Its kernels or loops, ends with NULL, and the seconds that each took in `count` more steps.
    const char *const *stages;
    enum status (*time_stages)(void *state, int count, double seconds[LADDER_STAGES_MAX]);
};

// A model's ladder.
struct ladder_model {
    const char *name; // the model's
    const char *work; // what it counts, "nodes"
    int axes;
    long long size_usual[LADDER_AXES];      // where the author's table has no grid
    const struct ladder_rung *const *rungs; // from the lowest up; ends with NULL
    // (optional while there are no rungs)
    void (*count)(const struct ladder_case *wanted, struct ladder_counts *counts);
    size_t (*count_values)(const struct ladder_case *wanted);
    // (optional) Bytes of the host's memory that a rung takes, one of a device too: no less, and little more.
    double (*count_bytes)(const struct ladder_case *wanted);
};

extern const struct ladder_model ladder_tsunami, ladder_bioheat, ladder_gas;

const struct ladder_model *ladder_find(const char *name); // NULL: the model has no ladder
const struct ladder_rung *ladder_find_rung(const struct ladder_model *model, const char *name); // NULL: none
// Whether the name is that of a rung of a device, which may not be compiled in.
bool ladder_is_of_device(const char *name);
void ladder_count(const struct ladder_model *model, const struct ladder_rung *rung,
                  const struct ladder_case *wanted, struct ladder_counts *counts);
double ladder_count_bytes(const struct ladder_model *model, const struct ladder_rung *rung,
                          const struct ladder_case *wanted); // 0: not known

#ifdef __cplusplus
}
#endif

#endif
