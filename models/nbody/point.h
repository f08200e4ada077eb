// The arithmetic of one pair, and of one body's step, of the FAST versions (the processor's and the GPU's). The reference does
// not use it. Knows nothing of arrays or threads.
//
// Included once per arithmetic with, defined:
//   REAL          a number, or lanes of numbers (gcc's vectors): all that is done here is + − × and MADD
//   POINT(name)   adds a suffix of its own to each name
//   NUMBER(c)     a constant as a REAL
//   MADD(a,b,c)   a·b + c, fused wherever there is an instruction for it: contraction by the compiler is off
//   GUESS_ORDER   how much the guess y of 1/√r² that is handed in needs mending: powers of e = 1 − r²y² (about twice its relative
//                 error) that are taken into account: 0 none, the guess is as good as the arithmetic; 1, 2, 3
//   PULLS_ARE_SCALED (optional) see mended_cube
// Compiled for host and device (core/host_device.h).

#include "core/host_device.h"

struct POINT(vector) {
    REAL x, y, z;
};

// (1 − e)^{−3/2} = 1 + 3/2 e + 15/8 e² + 35/16 e³ …, e = 1 − r²y²: what mends y³. Where PULLS_ARE_SCALED is defined, the series is
// divided by its leading coefficient and written in t = e plus a constant, so that the power below the leading one is gone: t, t² + b, or
// (t² + a) t + b, which is an operation a pair less. What sums of add_pull must be multiplied with is then PULL_UNIT, one over the
// polynomial at e = 0 (of order 1 and 2 with the numbers as a float has them).
#if !defined(PULLS_ARE_SCALED) || GUESS_ORDER == 0
#define PULL_UNIT 1
#elif GUESS_ORDER == 1
#define PULL_C    0x1.aaaaaap+0 // 5/3
#define PULL_UNIT (1 / (PULL_C - 1))
#elif GUESS_ORDER == 2
#define PULL_C    0x1.666666p+0 // 7/5
#define PULL_B    0x1.7e4b18p-2 // 28/75
#define PULL_UNIT (1 / ((PULL_C - 1) * (PULL_C - 1) + PULL_B))
#else
#define PULL_C    (9.0 / 7)
#define PULL_A    (108.0 / 245)
#define PULL_B    0x1.3b42b9650e7aap-2 // 528/1715, rounded down: then the errors of all three cancel
#define PULL_UNIT (35.0 / 16)
#endif

static FATHOM_HOST_DEVICE REAL POINT(mended_cube)(REAL cube, REAL square, REAL guess_square)
{
#if GUESS_ORDER == 0
    (void)square;
    (void)guess_square;
    return cube;
#elif defined(PULLS_ARE_SCALED)
    const REAL t = MADD(-square, guess_square, NUMBER(PULL_C));
#if GUESS_ORDER == 1
    return cube * t;
#elif GUESS_ORDER == 2
    return cube * MADD(t, t, NUMBER(PULL_B));
#else
    return cube * MADD(MADD(t, t, NUMBER(PULL_A)), t, NUMBER(PULL_B));
#endif
#else // up to order 2
    const REAL e = MADD(-square, guess_square, NUMBER(1));
    return cube * MADD(MADD(NUMBER(1.875), e, NUMBER(1.5)), e, NUMBER(1));
#endif
}

// (1 − e)^{−1/2} = 1 + 1/2 e + 3/8 e² + 5/16 e³ …: what mends y.
static FATHOM_HOST_DEVICE REAL POINT(mended)(REAL guess, REAL square)
{
#if GUESS_ORDER == 0
    (void)square;
    return guess;
#else
    const REAL e = MADD(-square, guess * guess, NUMBER(1));
    REAL sum = NUMBER(0.5);
#if GUESS_ORDER == 2
    sum = MADD(NUMBER(0.375), e, sum);
#elif GUESS_ORDER == 3
    sum = MADD(MADD(NUMBER(0.3125), e, NUMBER(0.375)), e, sum);
#endif
    return guess * MADD(sum, e, NUMBER(1));
#endif
}

// |r|² + ε², r = x_j − x_i.
static FATHOM_HOST_DEVICE REAL POINT(softened_square)(struct POINT(vector) r, REAL softening_square)
{
    return MADD(r.x, r.x, MADD(r.y, r.y, MADD(r.z, r.z, softening_square)));
}

// Adds m r / (|r|² + ε²)^{3/2} / PULL_UNIT to `sum`, with the guess of 1/√(|r|² + ε²).
static FATHOM_HOST_DEVICE void POINT(add_pull)(struct POINT(vector) r, REAL square, REAL guess, REAL mass,
                                               struct POINT(vector) * sum)
{
    const REAL guess_square = guess * guess;
    const REAL weight = POINT(mended_cube)((mass * guess) * guess_square, square, guess_square);
    sum->x = MADD(weight, r.x, sum->x);
    sum->y = MADD(weight, r.y, sum->y);
    sum->z = MADD(weight, r.z, sum->z);
}

// Adds the field of a cell to `sum`, and to `potential` unless it is NULL (then that sums no instruction): r = its centre of mass −
// x, inverse = 1/√(|r|² + ε²), s = 3 S (xx, xy, xz, yy, yz, zz), half_trace = 3/2 tr S. S r is divided by R² first: no power
// beyond R⁻³ is made alone, so small cells do not leave a float's range.
static FATHOM_HOST_DEVICE void POINT(add_cell)(struct POINT(vector) r, REAL inverse, REAL mass, const REAL *s,
                                               REAL half_trace, struct POINT(vector) * sum, REAL *potential)
{
    const REAL square = inverse * inverse, cube = inverse * square;
    const REAL vx = MADD(s[0], r.x, MADD(s[1], r.y, s[2] * r.z)) * square;
    const REAL vy = MADD(s[1], r.x, MADD(s[3], r.y, s[4] * r.z)) * square;
    const REAL vz = MADD(s[2], r.x, MADD(s[4], r.y, s[5] * r.z)) * square;
    const REAL q = MADD(r.x, vx, MADD(r.y, vy, r.z * vz));
    const REAL weight = MADD(MADD(NUMBER(2.5), q, -half_trace), square, mass);
    sum->x = MADD(cube, MADD(weight, r.x, -vx), sum->x);
    sum->y = MADD(cube, MADD(weight, r.y, -vy), sum->y);
    sum->z = MADD(cube, MADD(weight, r.z, -vz), sum->z);
    if (potential) {
        const REAL share = MADD(MADD(NUMBER(0.5), q, half_trace * NUMBER(-1.0 / 3)), square, mass);
        *potential = MADD(-share, inverse, *potential);
    }
}

// x + v Δt, and v + a Δt: the two halves of leapfrog are steps of these.
static FATHOM_HOST_DEVICE REAL POINT(moved)(REAL at, REAL rate, REAL time)
{
    return MADD(rate, time, at);
}

// The source document's position after a step: x + (v + a Δt/2) Δt.
static FATHOM_HOST_DEVICE REAL POINT(moved_twice)(REAL at, REAL velocity, REAL acceleration, REAL time)
{
    return MADD(MADD(acceleration, NUMBER(0.5) * time, velocity), time, at);
}
