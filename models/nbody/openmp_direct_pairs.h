// Sums over every pair for a few bodies, in one precision and for one instruction set: part of openmp_direct_isa.c, after
// openmp_pull.h. A sum has its terms in the order of the bodies, by blocks of DIRECT_BLOCK, whoever makes it.

LANES_FUNCTION struct POINT(bodies) POINT(bodies_of)(const struct direct_view *view)
{
    return (struct POINT(bodies)){view->position[NBODY_X], view->position[NBODY_Y], view->position[NBODY_Z],
                                  view->mass};
}

LANES_FUNCTION size_t POINT(block_end)(const struct direct_view *view, size_t j)
{
    return j + DIRECT_BLOCK < view->padded ? j + DIRECT_BLOCK : view->padded;
}

LANES_FUNCTION void POINT(pull_any)(const struct direct_view *view, size_t first, bool is_hard)
{
    const struct POINT(bodies) bodies = POINT(bodies_of)(view);
    const SCALAR softening_square = (SCALAR)(view->softening * view->softening);
    double sum[NBODY_AXES][DIRECT_TARGETS] = {{0}};
    for (size_t j = 0; j < view->padded; j += DIRECT_BLOCK)
        for (size_t i = 0; i < DIRECT_TARGETS; i += (size_t)(WIDE * LANES))
            POINT(pull_block)
    (bodies, first + i, bodies, j, POINT(block_end)(view, j), softening_square, is_hard, sum, i);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        for (size_t i = 0; i < DIRECT_TARGETS; i++)
            ((SCALAR *)view->acceleration[axis])[first + i] = (SCALAR)sum[axis][i];
}

static void POINT(pull)(const struct direct_view *view, size_t first)
{
    POINT(pull_any)(view, first, false);
}

static void POINT(pull_hard)(const struct direct_view *view, size_t first)
{
    POINT(pull_any)(view, first, true);
}

static void POINT(potential)(const struct direct_view *view, size_t first)
{
    const struct POINT(bodies) bodies = POINT(bodies_of)(view);
    const SCALAR softening_square = (SCALAR)(view->softening * view->softening);
    double sum[DIRECT_TARGETS] = {0};
    for (size_t j = 0; j < view->padded; j += DIRECT_BLOCK)
        for (size_t i = 0; i < DIRECT_TARGETS; i += (size_t)LANES)
            POINT(potential_block)
    (bodies, first + i, bodies, NULL, j, POINT(block_end)(view, j), softening_square, sum + i);
    for (size_t i = 0; i < DIRECT_TARGETS; i++)
        ((SCALAR *)view->potential)[first + i] = (SCALAR)sum[i];
}
