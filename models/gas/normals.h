// Normal numbers of the FAST versions (the processor's and the GPU's): Box and Muller's transform of two
// uniform numbers (1958, doi:10.1214/aoms/1177706645), as the reference does it by the C library. Here the
// logarithm, the sine and the cosine are made of sums, products, a quotient and a root alone, without
// branches: loops over particles vectorise, and every instruction set and the GPU have the same bits. Largest
// errors found in 6 million draws, two thirds of them with a number close to where a result vanishes or a
// polynomial ends, against numbers of 64 bits (tests/numerics/test_gas_normals.c): 0.9 units in the last
// place for the logarithm, 1.7 for sine and cosine, 3.1 for a normal number.
#ifndef FATHOM_MODELS_GAS_NORMALS_H
#define FATHOM_MODELS_GAS_NORMALS_H

#include "core/host_device.h"
#include "core/philox.h"
#include "models/gas/state.h"

#include <math.h>
#include <string.h>

static FATHOM_HOST_DEVICE double gas_number_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static FATHOM_HOST_DEVICE uint64_t gas_bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// philox_double of the word whose 52 bits these are: 1 + bits/2⁵² less 1, both exact.
static FATHOM_HOST_DEVICE double gas_uniform_of(uint64_t bits)
{
    return gas_number_of(bits | 0x3ff0000000000000u) - 1 + 0x1p-53;
}

// ln u of a normal number u > 0. u = 2ᵏ (1 + f), 1 + f from √½ to √2. With s = f/(2 + f): ln (1 + f) =
// 2 artanh s = 2s + s R, R = 2 (s²/3 + s⁴/5 + …). 2s = f − h + s h with h = f²/2, so that all but the exact f
// is small. R/s²: interpolated at Chebyshev's points of 0 ≤ s² ≤ (3 − 2√2)²; ln 2 in two parts, k times the
// first of which is exact.
static FATHOM_HOST_DEVICE double gas_logarithm(double u)
{
    const uint64_t one = 0x3ff0000000000000u, bits = gas_bits_of(u);
    const uint64_t shifted = bits - 0x3fe6a09e667f3bcdu + one; // by √½; its exponent is k's
    const double k = gas_number_of(shifted >> 52 | 0x4330000000000000u) - (0x1p52 + 1023);
    const double f = gas_number_of(bits - (shifted & 0xfff0000000000000u) + one) - 1;
    const double s = f / (2 + f), z = s * s, h = f * f / 2;
    double r = 0x1.39fe606542ddep-3 + z * 0x1.2b584aae78a57p-3;
    r = 0x1.c71c62e5800a1p-3 + z * (0x1.7462b4ab2ef6bp-3 + z * r);
    r = 0x1.99999999952e2p-2 + z * (0x1.2492492df148dp-2 + z * r);
    r = z * (0x1.5555555555558p-1 + z * r);
    return k * 0x1.62e42fefap-1 - ((h - (s * (h + r) + k * 0x1.cf79abc9e3b3ap-40)) - f);
}

// Cosine and sine of 2π t, 0 ≤ t ≤ 1. t = q/4 + r, |r| ≤ 1/8, is exact; of 2π r by polynomials in r²,
// interpolated at Chebyshev's points; then turned by q quarters.
static FATHOM_HOST_DEVICE void gas_turn(double t, double *cosine, double *sine)
{
    const double shifted = 4 * t + 0x1.8p52; // q in its last bits
    const double r = t - (shifted - 0x1.8p52) / 4, z = r * r;
    double s = 0x1.e8f036bcd3237p+1 + z * -0x1.6cc577dadd922p-1;
    s = 0x1.50783486facaap+5 + z * (-0x1.e3074d2614b2dp+3 + z * s);
    s = 0x1.466bc6775aae1p+6 + z * (-0x1.32d2cce62b872p+6 + z * s);
    s = r * 0x1.921fb54442d18p+2 + r * (0x1.1a62633145c07p-52 + z * (-0x1.4abbce625be53p+5 + z * s));
    double c = 0x1.f9ce245cada0bp+2 + z * -0x1.b2f3eb054afcdp+0;
    c = 0x1.e1f5068688d5bp+5 + z * (-0x1.a6d1eef479be1p+4 + z * c);
    c = 0x1.03c1f081b5acp+6 + z * (-0x1.55d3c7e3cb241p+6 + z * c);
    c = 1 + z * (-0x1.3bd3cc9be45dep+4 + z * c);
    const uint64_t q = gas_bits_of(shifted), of_cosine = gas_bits_of(c), of_sine = gas_bits_of(s);
    const uint64_t exchange = (of_cosine ^ of_sine) & (0 - (q & 1));
    *cosine = gas_number_of(of_cosine ^ exchange ^ ((q + 1) & 2) << 62);
    *sine = gas_number_of(of_sine ^ exchange ^ (q & 2) << 62);
}

// Two normal numbers out of 52 bits each.
static FATHOM_HOST_DEVICE void gas_normals_of(uint64_t radius_bits, uint64_t angle_bits, double *x, double *y)
{
    const double radius = sqrt(-2 * gas_logarithm(gas_uniform_of(radius_bits)));
    double cosine, sine;
    gas_turn(gas_uniform_of(angle_bits), &cosine, &sine);
    *x = radius * cosine;
    *y = radius * sine;
}

// Those of a counter.
static FATHOM_HOST_DEVICE void gas_normals(uint64_t low, uint64_t high, uint64_t seed, double *normals)
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(low, high), philox_key_from_seed(seed));
    gas_normals_of((uint64_t)words.v[0] << 20 | words.v[1] >> 12,
                   (uint64_t)words.v[2] << 20 | words.v[3] >> 12, &normals[GAS_X], &normals[GAS_Y]);
}

#endif
