// What the trees of the N-body model share: how many cells there can be, and for the fast ones, on host and
// device, a body's key. The reference has its own. Independent of back ends.
#ifndef FATHOM_MODELS_NBODY_TREE_H
#define FATHOM_MODELS_NBODY_TREE_H

#include "core/host_device.h"
#include "models/nbody/state.h"

// Cells that are divided at most: at each of the depths 0 … 20 a cell that is has more than NBODY_LEAF_BODIES
// bodies, and there are 8^depth cells. Bodies in tight clusters of NBODY_LEAF_BODIES + 1 come close to it.
static inline size_t nbody_tree_divided_bound(size_t count)
{
    const size_t full = count / (NBODY_LEAF_BODIES + 1);
    size_t bound = 0;
    for (int depth = 0; depth < NBODY_KEY_BITS; depth++) {
        const size_t places = (size_t)1 << (3 * depth); // < 2⁶¹
        bound += places < full ? places : full;
    }
    return bound;
}

// All cells at most, from the number of bodies (≥ 1) alone: a leaf has a body, and a divided cell has 8 cells
// at most.
static inline size_t nbody_tree_cells_bound(size_t count)
{
    const size_t divided = nbody_tree_divided_bound(count), children = 7 * divided + 1;
    return divided + (children < count ? children : count);
}

// How far along the curve a place (x, y, z, < 2²¹ each) is: the steps of Skilling (2004), figures 1 and 2,
// each `if` made a mask. Cells of a depth are visited one after the other, each next to the one before it.
static FATHOM_HOST_DEVICE uint64_t nbody_tree_spread(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u; // every third bit
}

static FATHOM_HOST_DEVICE uint64_t nbody_tree_key(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t turn, differ, mirrored;
    for (int bit = NBODY_KEY_BITS - 1; bit > 0; bit--) {
        const uint32_t below = ((uint32_t)1 << bit) - 1;
        x ^= below & (0 - (x >> bit & 1));
        mirrored = 0 - (y >> bit & 1);
        differ = (x ^ y) & below & ~mirrored;
        x ^= differ | (below & mirrored);
        y ^= differ;
        mirrored = 0 - (z >> bit & 1);
        differ = (x ^ z) & below & ~mirrored;
        x ^= differ | (below & mirrored);
        z ^= differ;
    }
    y ^= x;
    z ^= y;
    turn = z >> 1; // of each bit: whether those of z above it are odd in number
    for (int shift = 1; shift < NBODY_KEY_BITS; shift *= 2)
        turn ^= turn >> shift;
    return nbody_tree_spread(x ^ turn) << 2 | nbody_tree_spread(y ^ turn) << 1 | nbody_tree_spread(z ^ turn);
}

#endif
