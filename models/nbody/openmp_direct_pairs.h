// Sums over every pair for a few lanes of bodies, in one precision and for one instruction set: part of openmp_direct_isa.c, after
// openmp_lanes.h and point.h. A sum has its terms in the order of the bodies, by blocks of DIRECT_BLOCK, whoever makes it.

// So many lanes' bodies are kept in registers while those that pull come by: what is loaded serves them all.
#define WIDE 2

struct POINT(direct_bodies) {
    const SCALAR *x, *y, *z, *mass;
};

LANES_FUNCTION struct POINT(direct_bodies) POINT(bodies_of)(const struct direct_view *view)
{
    return (struct POINT(direct_bodies)){view->position[NBODY_X], view->position[NBODY_Y],
                                         view->position[NBODY_Z], view->mass};
}

LANES_FUNCTION void POINT(add_lanes)(REAL block, double *sum)
{
    for (int k = 0; k < LANES; k++)
        sum[k] += (double)block[k];
}

// The pull of bodies j … end − 1 on WIDE · LANES bodies from `first` on, added to sum[axis][target …].
LANES_FUNCTION void POINT(pull_by_block)(struct POINT(direct_bodies) bodies, SCALAR softening_square,
                                         bool is_hard, size_t first, size_t j, size_t end,
                                         double (*sum)[DIRECT_TARGETS], size_t target)
{
    struct POINT(vector) at[WIDE], block[WIDE];
    for (int w = 0; w < WIDE; w++) {
        const size_t i = first + (size_t)(w * LANES);
        at[w] = (struct POINT(vector)){POINT(load)(bodies.x + i), POINT(load)(bodies.y + i),
                                       POINT(load)(bodies.z + i)};
        block[w] = (struct POINT(vector)){NUMBER(0), NUMBER(0), NUMBER(0)};
    }
    const REAL softening = NUMBER(softening_square);
    for (; j < end; j++) {
        const REAL x = NUMBER(bodies.x[j]), y = NUMBER(bodies.y[j]), z = NUMBER(bodies.z[j]);
        const REAL mass = NUMBER(bodies.mass[j]);
        for (int w = 0; w < WIDE; w++) {
            const struct POINT(vector) r = {x - at[w].x, y - at[w].y, z - at[w].z};
            const REAL bare = is_hard ? POINT(softened_square)(r, NUMBER(0)) : NUMBER(0);
            const REAL square = is_hard ? bare + softening : POINT(softened_square)(r, softening);
            REAL guess = POINT(guess)(square);
            if (is_hard)
                guess = POINT(kept)(bare >= NUMBER(LEAST_SQUARE), guess);
            POINT(add_pull)(r, square, guess, mass, &block[w]);
        }
    }
    for (int w = 0; w < WIDE; w++, target += (size_t)LANES) {
        POINT(add_lanes)(block[w].x, sum[NBODY_X] + target);
        POINT(add_lanes)(block[w].y, sum[NBODY_Y] + target);
        POINT(add_lanes)(block[w].z, sum[NBODY_Z] + target);
    }
}

LANES_FUNCTION void POINT(pull_any)(const struct direct_view *view, size_t first, bool is_hard)
{
    const struct POINT(direct_bodies) bodies = POINT(bodies_of)(view);
    const SCALAR softening_square = (SCALAR)(view->softening * view->softening);
    double sum[NBODY_AXES][DIRECT_TARGETS] = {{0}};
    for (size_t j = 0; j < view->padded; j += DIRECT_BLOCK) {
        const size_t end = j + DIRECT_BLOCK < view->padded ? j + DIRECT_BLOCK : view->padded;
        for (size_t i = 0; i < DIRECT_TARGETS; i += (size_t)(WIDE * LANES))
            POINT(pull_by_block)(bodies, softening_square, is_hard, first + i, j, end, sum, i);
    }
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
    const struct POINT(direct_bodies) bodies = POINT(bodies_of)(view);
    const REAL softening = NUMBER(view->softening * view->softening);
    for (size_t k = 0; k < DIRECT_TARGETS; k += (size_t)LANES) {
        const size_t i = first + k;
        const struct POINT(vector)
            at = {POINT(load)(bodies.x + i), POINT(load)(bodies.y + i), POINT(load)(bodies.z + i)};
        REAL_INT index;
        for (int lane = 0; lane < LANES; lane++)
            index[lane] = (SCALAR_INT)i + lane;
        double sum[LANES_BYTES / sizeof(SCALAR)] = {0};
        for (size_t from = 0; from < view->padded; from += DIRECT_BLOCK) {
            const size_t end = from + DIRECT_BLOCK < view->padded ? from + DIRECT_BLOCK : view->padded;
            REAL block = NUMBER(0);
            for (size_t j = from; j < end; j++) {
                const struct POINT(vector) r = {bodies.x[j] - at.x, bodies.y[j] - at.y, bodies.z[j] - at.z};
                const REAL square = POINT(softened_square)(r, softening);
                const REAL_INT mask = (square >= NUMBER(LEAST_SQUARE)) & (index != (SCALAR_INT)j);
                // The guess of nothing is infinite, and would stay: it is left out before it is mended.
                const REAL guess = POINT(kept)(mask, POINT(guess)(square));
                block = MADD(-NUMBER(bodies.mass[j]), POINT(mended)(guess, square), block);
            }
            POINT(add_lanes)(block, sum);
        }
        for (int lane = 0; lane < LANES; lane++)
            ((SCALAR *)view->potential)[i + (size_t)lane] = (SCALAR)sum[lane];
    }
}
#undef WIDE
