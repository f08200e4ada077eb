// Whether the patches of a finite fault agree with each other, and with what its file states of them.
// Independent of formats. Before the seal.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_PATCHES_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_PATCHES_H

#include "models/tsunami/earthquake/event.h"
#include "models/tsunami/earthquake/faults.h"

// Patches of a finite fault, and their places in the file.
struct earthquake_patches {
    const struct fault *faults;         // [count], in the file's order
    const size_t *rows;                 // [count] numbers of lines or features
    size_t count;                       // ≥ 1
    const char *row_word;               // what a patch is in its file: "line", "feature"
    struct earthquake_point hypocentre; // NaN: not in the file
};

// One segment's patches, whose lengths and widths the file states, in rows of `along` along strike, or in
// columns down dip: more than half of the centres lie another distance apart, by more than a fifth.
// STATUS_DATA, with two rows.
enum status earthquake_patches_check_spacing(const struct earthquake_patches *patches, size_t along,
                                             const char *path);

// All patches. STATUS_DATA, with the row: a patch twice; one far from all others; a hypocentre far from all;
// one that begins later than any rupture could have come to it. STATUS_SYSTEM: no memory.
enum status earthquake_patches_check(const struct earthquake_patches *patches, const char *path);

#endif
