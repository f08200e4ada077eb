// Which of eight cells may stand for their bodies, as a group sees them: in double whatever the run's precision, all eight at once.
// Part of openmp_tree_isa.c.

typedef double eight __attribute__((vector_size(8 * sizeof(double)), aligned(8), may_alias));
typedef int64_t eight_int __attribute__((vector_size(8 * sizeof(int64_t))));

// Bits of the lanes that are −1.
#if defined(__AVX512DQ__)
#define EIGHT_BITS(mask) ((unsigned)_mm512_movepi64_mask((__m512i)(mask)))
#else
#define EIGHT_BITS(mask) eight_bits((const int64_t *)&(mask))
static inline unsigned eight_bits(const int64_t *mask)
{
    unsigned bits = 0;
    for (int k = 0; k < 8; k++)
        bits |= (unsigned)(mask[k] & 1) << k;
    return bits;
}
#endif

// Of cells cell … cell + 7: those that may stand for their bodies; `empty`: those without mass, which are among them.
static inline unsigned look_at_cells(const struct tree_view *view, const struct tree_scratch *scratch,
                                     size_t cell, unsigned *empty)
{
    eight square = {0};
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const eight centre = *(const eight *)(view->centre[axis] + cell);
        const eight below = scratch->least[axis] - centre, beyond = centre - scratch->most[axis];
        // One of the two at most is positive.
        const eight away = (eight)(((eight_int)below & (below > 0)) | ((eight_int)beyond & (beyond > 0)));
        square += away * away;
    }
    const eight least = *(const eight *)(view->least_square + cell);
    eight_int stands = square >= least;
    const eight_int nothing = least < 0;
    if (view->has_touch) {
        const eight side = *(const eight *)(view->side + cell);
        eight_int apart = {0};
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const eight corner = *(const eight *)(view->corner[axis] + cell);
            apart |= (scratch->most[axis] < corner) | (scratch->least[axis] > corner + side);
        }
        stands = (stands & apart) | nothing;
    }
    *empty = EIGHT_BITS(nothing);
    return EIGHT_BITS(stands);
}
