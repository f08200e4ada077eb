// The Ising model's closed forms against published numbers, every state of a small lattice, and each other. Knows no solver.
#include "models/ising/exact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/numbers.h"

// Z, ⟨E⟩ and var E of all 2¹⁶ states of a periodic 4 × 4 lattice.
static struct ising_exact count_all_states(double beta)
{
    double z = 0, sum = 0, squares = 0;
    for (unsigned state = 0; state < 65536; state++) {
        int bonds = 0;
        for (int site = 0; site < 16; site++) {
            const int right = site / 4 * 4 + (site + 1) % 4, down = (site + 4) % 16;
            const unsigned spin = state >> site & 1;
            bonds += (spin == (state >> right & 1) ? 1 : -1) + (spin == (state >> down & 1) ? 1 : -1);
        }
        // Above the ground state, for the variance's sake.
        const double excess = 32 - bonds, weight = exp(-beta * excess);
        z += weight;
        sum += weight * excess;
        squares += weight * excess * excess;
    }
    const double mean = sum / z;
    return (struct ising_exact){mean / 16 - 2, beta * beta * (squares / z - mean * mean) / 16};
}

static void small_lattices_are_counted_out(void **unused)
{
    (void)unused;
    static const double betas[] = {0.05, 0.3, ISING_CRITICAL_BETA, 0.5, 1.2};
    for (size_t k = 0; k < sizeof betas / sizeof *betas; k++) {
        const struct ising_exact all = count_all_states(betas[k]);
        const struct ising_exact exact = ising_exact_periodic(4, 4, betas[k]);
        assert_near("energy", exact.energy, all.energy, 1e-11);
        assert_near("specific heat", exact.specific_heat, all.specific_heat, 1e-11);
    }
}

// At T_c = 2.269185314213022: Ferdinand and Fisher's table, to more digits.
static void critical_lattices_are_as_published(void **unused)
{
    (void)unused;
    static const struct {
        int side;
        double energy, heat;
    } published[] = {{8, -1.49158910744, 1.14555923989},
                     {16, -1.45306485281, 1.4987049594},
                     {32, -1.43365846615, 1.84676759004},
                     {64, -1.42393838983, 2.19221139314},
                     {128, -1.41907627208, 2.53633133511}};
    for (size_t k = 0; k < sizeof published / sizeof *published; k++) {
        const struct ising_exact exact =
            ising_exact_periodic(published[k].side, published[k].side, 1 / 2.269185314213022);
        assert_near("energy", exact.energy, published[k].energy, 2e-11);
        assert_near("specific heat", exact.specific_heat, published[k].heat, 2e-10);
    }
}

// The heat is −β² dE/dβ; a lattice may lie on its side; large ones are the infinite one, away from the critical point.
static void forms_agree_with_each_other(void **unused)
{
    (void)unused;
    static const double betas[] = {0.2, 0.38, 0.44, 0.47, 0.8};
    for (size_t k = 0; k < sizeof betas / sizeof *betas; k++) {
        const double beta = betas[k], h = 1e-4;
        const struct ising_exact at = ising_exact_periodic(24, 10, beta),
                                 turned = ising_exact_periodic(10, 24, beta);
        const double slope =
            (ising_exact_periodic(24, 10, beta + h).energy - ising_exact_periodic(24, 10, beta - h).energy) /
            (2 * h);
        assert_near("on its side", turned.energy, at.energy, 1e-12);
        assert_near("on its side", turned.specific_heat, at.specific_heat, 1e-10);
        assert_near("slope", -beta * beta * slope, at.specific_heat, 1e-4);
        if (fabs(beta - ISING_CRITICAL_BETA) < 0.01)
            continue;
        const struct ising_exact infinite = ising_exact_infinite(beta),
                                 large = ising_exact_periodic(512, 512, beta);
        assert_near("energy", large.energy, infinite.energy, 1e-10);
        assert_near("specific heat", large.specific_heat, infinite.specific_heat, 1e-8);
    }
}

static void limits_are_known(void **unused)
{
    (void)unused;
    assert_near("cold", ising_exact_infinite(3).energy, -2, 1e-9);
    assert_near("hot: −2 tanh β", ising_exact_infinite(1e-3).energy, -2e-3, 1e-8);
    assert_near("at the critical point", ising_exact_infinite(ISING_CRITICAL_BETA + 1e-6).energy, -sqrt(2),
                1e-4);
    assert_near("hot: no magnetisation", ising_exact_magnetisation(0.44), 0, 0);
    assert_near("cold: all", ising_exact_magnetisation(3), 1, 1e-9);
    assert_near("T = 2", ising_exact_magnetisation(0.5), 0.911319, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_lattices_are_counted_out),
        cmocka_unit_test(critical_lattices_are_as_published),
        cmocka_unit_test(forms_agree_with_each_other),
        cmocka_unit_test(limits_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
