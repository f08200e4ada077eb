// The force of one pair, and of a multipole, in the FAST versions (the processor's and the GPU's). The reference does not use it. Knows nothing of
// arrays or threads. What one particle does by itself (kicks, walls, noise) is in move_point.h.
//
// Included once per arithmetic, after law.h, with, defined:
//   REAL          a number, or lanes of numbers (gcc's vectors)
//   POINT(name)   adds a suffix of its own to each name
//   NUMBER(c)     a constant as a REAL
//   MADD(a,b,c)   a·b + c, fused wherever there is an instruction for it: contraction by the compiler is off
//   KEPT(c,x)     x where the comparison c holds, else 0, whatever x is
//   GUESS_ORDER   how much the guess y of 1/√s that is handed in needs mending: powers of e = 1 − s y² (about twice its relative error)
//                 that are taken into account: 0 none, the guess is as good as the arithmetic; 1, 2, 3
// Compiled for host and device (core/host_device.h).

#include "core/host_device.h"

// struct gas_law in this arithmetic.
struct POINT(law) {
    REAL softening_square, end_square, attraction, everywhere, within, attraction2, last_f;
    REAL sixth, strength, last_slope; // strength: 24 e
};

static FATHOM_HOST_DEVICE void POINT(make_law)(const struct gas_law *law, struct POINT(law) * made)
{
    made->softening_square = NUMBER(law->softening_square);
    made->end_square = NUMBER(law->end_square);
    made->attraction = NUMBER(law->attraction);
    made->everywhere = NUMBER(law->everywhere);
    made->within = NUMBER(law->within);
    made->attraction2 = NUMBER(law->attraction2);
    made->last_f = NUMBER(law->last_f);
    made->sixth = NUMBER(law->sixth);
    made->strength = NUMBER(24 * law->depth);
    made->last_slope = NUMBER(law->last_slope);
}

// 1/s = y²/(1 − e) = y² (1 + e + e² + e³ …), with the guess y of 1/√s.
static FATHOM_HOST_DEVICE REAL POINT(inverse)(REAL s, REAL guess)
{
    const REAL square = guess * guess;
#if GUESS_ORDER == 0
    (void)s;
    return square;
#else
    const REAL e = MADD(-s, square, NUMBER(1)), once = MADD(e, square, square);
#if GUESS_ORDER == 1
    return once;
#elif GUESS_ORDER == 2
    return MADD(once, e, square);
#else
    return MADD(once, e * e, once);
#endif
#endif
}

// 1/√s = y (1 − e)^{−1/2} = y (1 + e/2 + 3/8 e² + 5/16 e³ …).
static FATHOM_HOST_DEVICE REAL POINT(inverse_root)(REAL s, REAL guess)
{
#if GUESS_ORDER == 0
    (void)s;
    return guess;
#else
    const REAL e = MADD(-s, guess * guess, NUMBER(1));
    REAL sum = NUMBER(0.5);
#if GUESS_ORDER == 2
    sum = MADD(NUMBER(0.375), e, sum);
#elif GUESS_ORDER == 3
    sum = MADD(MADD(NUMBER(0.3125), e, NUMBER(0.375)), e, sum);
#endif
    return MADD(sum * e, guess, guess);
#endif
}

// f of a pair (F_i = f (x_i − x_j)) at s, with the guess of 1/√s. `kind` is a constant wherever this is compiled. At s = 0 LOG gives 0
// and the others no finite number.
static FATHOM_HOST_DEVICE REAL POINT(pair_force)(enum gas_law_kind kind, const struct POINT(law) * law,
                                                 REAL s, REAL guess)
{
    const REAL inverse = POINT(inverse)(s, guess);
    if (kind == GAS_LAW_LOG)
        return KEPT(s > NUMBER(0), -law->attraction * inverse);
    if (kind == GAS_LAW_NEAR) {
        const REAL within = MADD(inverse, MADD(law->within, inverse, -law->attraction2), -law->last_f);
        return MADD(inverse, MADD(law->everywhere, inverse, -law->attraction),
                    KEPT(s < law->end_square, within));
    }
    const REAL q = law->sixth * (inverse * inverse) * inverse;
    REAL f = (law->strength * inverse) * MADD(q + q, q, -q);
    if (kind == GAS_LAW_FORCE_SHIFTED)
        f = MADD(law->last_slope, POINT(inverse_root)(s, guess), f);
    return KEPT(s < law->end_square, f);
}

// Adds E of a multipole (THE REGIONS) at d = z − c to `field`: M conj(d)/(|d|² + ε²) + Q/d³; inverse: 1/(|d|² + ε²), bare: 1/|d|².
// Q/d³ = Q conj(d)³/|d|⁶; each factor is divided by |d|² alone: no power leaves a float's range.
static FATHOM_HOST_DEVICE void POINT(add_multipole)(REAL x, REAL y, REAL inverse, REAL bare, REAL count,
                                                    REAL square_x, REAL square_y, REAL *field_x,
                                                    REAL *field_y)
{
    const REAL ux = x * bare, uy = -y * bare; // 1/d
    const REAL u2x = MADD(ux, ux, -uy * uy), u2y = (ux + ux) * uy;
    const REAL qx = MADD(square_x, ux, -square_y * uy), qy = MADD(square_x, uy, square_y * ux);
    const REAL weight = count * inverse;
    *field_x = MADD(weight, x, MADD(qx, u2x, MADD(-qy, u2y, *field_x)));
    *field_y = MADD(-weight, y, MADD(qx, u2y, MADD(qy, u2x, *field_y)));
}
