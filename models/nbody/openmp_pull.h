// What a block of bodies does to a few lanes of others, in one precision and for one instruction set: the inner loops of the direct
// sum and of the tree's lists. Included once per precision after lanes.h and point.h; lanes_end.h undoes it. A sum has
// its terms in their order, whatever the lanes; a block's sum is in the run's precision and is added to one in double.

// So many lanes' bodies are kept in registers while those that pull come by: what is loaded serves them all.
#if LANES_BYTES == 64
#define WIDE 2
#else
#define WIDE 1
#endif

// Bodies that pull, or, without the mass, that are pulled.
struct POINT(bodies) {
    const SCALAR *x, *y, *z, *mass;
};

LANES_FUNCTION struct POINT(vector) POINT(lanes_at)(const struct POINT(bodies) * bodies, size_t i)
{
    return (struct POINT(vector)){POINT(load)(bodies->x + i), POINT(load)(bodies->y + i),
                                  POINT(load)(bodies->z + i)};
}

LANES_FUNCTION struct POINT(vector) POINT(no_pull)(void)
{
    return (struct POINT(vector)){NUMBER(0), NUMBER(0), NUMBER(0)};
}

LANES_FUNCTION void POINT(add_lanes)(REAL block, double *sum)
{
    for (int k = 0; k < LANES; k++)
        sum[k] += (double)block[k];
}

// Sums of add_pull (point.h) come in a unit of their own.
LANES_FUNCTION void POINT(add_pulls)(REAL block, double *sum)
{
    for (int k = 0; k < LANES; k++)
        sum[k] += PULL_UNIT * (double)block[k];
}

LANES_FUNCTION void POINT(add_vector)(struct POINT(vector) block, double (*sum)[NBODY_PAD], size_t target)
{
    POINT(add_lanes)(block.x, sum[NBODY_X] + target);
    POINT(add_lanes)(block.y, sum[NBODY_Y] + target);
    POINT(add_lanes)(block.z, sum[NBODY_Z] + target);
}

// The pull of sources j … end − 1 on targets first … first + WIDE · LANES − 1, added to sum[axis][target …]. `is_hard`: with so
// little softening that m/ε³ of a body by itself is no number; pairs at one point are then left out one by one.
LANES_FUNCTION void POINT(pull_block)(struct POINT(bodies) targets, size_t first,
                                      struct POINT(bodies) sources, size_t j, size_t end,
                                      SCALAR softening_square, bool is_hard, double (*sum)[NBODY_PAD],
                                      size_t target)
{
    struct POINT(vector) at[WIDE], block[WIDE];
    for (int w = 0; w < WIDE; w++) {
        at[w] = POINT(lanes_at)(&targets, first + (size_t)(w * LANES));
        block[w] = POINT(no_pull)();
    }
    const REAL softening = NUMBER(softening_square);
    for (; j < end; j++) {
        const REAL x = NUMBER(sources.x[j]), y = NUMBER(sources.y[j]), z = NUMBER(sources.z[j]);
        const REAL mass = NUMBER(sources.mass[j]);
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
        POINT(add_pulls)(block[w].x, sum[NBODY_X] + target);
        POINT(add_pulls)(block[w].y, sum[NBODY_Y] + target);
        POINT(add_pulls)(block[w].z, sum[NBODY_Z] + target);
    }
}

// The potential of sources j … end − 1 at targets first … first + LANES − 1, added to sum[0 …]. A source is not felt by the target
// with its number: `numbers` [source], or NULL where it is j; a target's is its place.
LANES_FUNCTION void POINT(potential_block)(struct POINT(bodies) targets, size_t first,
                                           struct POINT(bodies) sources, const uint32_t *numbers, size_t j,
                                           size_t end, SCALAR softening_square, double *sum)
{
    const struct POINT(vector) at = POINT(lanes_at)(&targets, first);
    const REAL softening = NUMBER(softening_square);
    REAL block = NUMBER(0);
    REAL_INT number;
    for (int lane = 0; lane < LANES; lane++)
        number[lane] = (SCALAR_INT)first + lane;
    for (; j < end; j++) {
        const struct POINT(vector) r = {sources.x[j] - at.x, sources.y[j] - at.y, sources.z[j] - at.z};
        const REAL square = POINT(softened_square)(r, softening);
        const SCALAR_INT other = numbers ? (SCALAR_INT)numbers[j] : (SCALAR_INT)j;
        const REAL_INT mask = (square >= NUMBER(LEAST_SQUARE)) & (number != other);
        // The guess of nothing is infinite, and would stay: it is left out before it is mended.
        const REAL guess = POINT(kept)(mask, POINT(guess)(square));
        block = MADD(-NUMBER(sources.mass[j]), POINT(mended)(guess, square), block);
    }
    POINT(add_lanes)(block, sum);
}
