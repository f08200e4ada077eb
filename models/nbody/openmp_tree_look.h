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

// Of cells cell … cell + 7: those that may stand for their bodies as seen from a box.
static inline unsigned stand_before(const struct tree_view *view, const struct tree_box *box, size_t cell)
{
    eight square = {0};
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const eight centre = *(const eight *)(view->centre[axis] + cell);
        const eight below = box->least[axis] - centre, beyond = centre - box->most[axis];
        // One of the two at most is positive.
        const eight away = (eight)(((eight_int)below & (below > 0)) | ((eight_int)beyond & (beyond > 0)));
        square += away * away;
    }
    eight_int stands = square >= *(const eight *)(view->least_square + cell);
    if (view->has_touch) {
        const eight side = *(const eight *)(view->side + cell);
        eight_int apart = {0};
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const eight corner = *(const eight *)(view->corner[axis] + cell);
            apart |= (box->most[axis] < corner) | (box->least[axis] > corner + side);
        }
        stands &= apart;
    }
    return EIGHT_BITS(stands);
}

// Of cells cell … cell + 7: those that may stand for their bodies; `empty`: those without mass, which are among them. `parts`: how
// many of them matter. A cell that is far enough from the box around all boxes is so from each.
static inline unsigned look_at_cells(const struct tree_view *view, const struct tree_scratch *scratch,
                                     size_t cell, unsigned parts, unsigned *empty)
{
    const eight_int has_nothing = *(const eight *)(view->least_square + cell) < 0;
    const unsigned all = (1u << parts) - 1;
    *empty = EIGHT_BITS(has_nothing);
    unsigned stands = *empty | stand_before(view, &scratch->around, cell);
    if (~stands & all) {
        unsigned before_each = all;
        for (int box = 0; box < scratch->box_count && before_each; box++)
            before_each &= stand_before(view, &scratch->boxes[box], cell);
        stands |= before_each;
    }
    return stands & all;
}
