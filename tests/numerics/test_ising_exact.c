// The Ising model's closed forms against published numbers, every state of a small lattice, and each other.
// Knows no solver.
#include "tests/support/test.h"

#include "models/ising/exact.h"
#include "validate/closed/ising_correlation.h"
#include "validate/closed/ising_states.h"
#include "validate/ising/source_betas.h"

#include "tests/support/numbers.h"

TEST(small_lattices_are_counted_out)
{
    static const double betas[] = {0.05, 0.3, ISING_CRITICAL_BETA, 0.5, 1.2};
    const struct ising_system system = {.columns = 4, .rows = 4, .coupling = 1};
    for (size_t k = 0; k < sizeof betas / sizeof *betas; k++) {
        const struct ising_means all = ising_count_states(&system, betas[k]);
        const struct ising_exact exact = ising_exact_periodic(4, 4, betas[k]);
        assert_near("energy", exact.energy, all.energy, 1e-11);
        assert_near("specific heat", exact.specific_heat, all.specific_heat, 1e-11);
    }
    // As published.
    const struct ising_means critical = ising_count_states(&system, 1 / 2.269185314213022);
    assert_near("|m|", critical.absolute, 0.843860444813, 1e-12);
    assert_near("m2", critical.square, 0.761358908569, 1e-12);
    assert_near("U4", critical.binder, 0.617199318412, 1e-12);
}

// ln Z of a ring of n spins in a field, by its two eigenvalues.
static double log_ring(double n, double coupling, double field)
{
    const double s = exp(coupling) * sinh(field), c = exp(coupling) * cosh(field);
    const double root = sqrt(s * s + exp(-2 * coupling));
    return n * log(c + root) + log1p(pow((c - root) / (c + root), n));
}

// A single row is a ring, whose sites are their own neighbours above and below: −J each. Fields and both
// signs of J.
TEST(rings_in_a_field_are_counted_out)
{
    static const double couplings[] = {1, -0.7}, fields[] = {0.1, -0.6};
    const double beta = 0.4, h = 1e-5;
    for (int is_helical = 0; is_helical < 2; is_helical++)
        for (int k = 0; k < 2; k++)
            for (int f = 0; f < 2; f++) {
                const double j = couplings[k], b = fields[f], n = 10;
                const struct ising_means all =
                    ising_count_states(&(struct ising_system){10, 1, is_helical, j, b}, beta);
                const double up = log_ring(n, (beta + h) * j, (beta + h) * b);
                const double down = log_ring(n, (beta - h) * j, (beta - h) * b);
                const double more = log_ring(n, beta * j, beta * b + h);
                const double less = log_ring(n, beta * j, beta * b - h);
                const double middle = log_ring(n, beta * j, beta * b);
                assert_near("energy", all.energy, -(up - down) / (2 * h * n) - j, 1e-8);
                assert_near("specific heat", all.specific_heat,
                            beta * beta * (up - 2 * middle + down) / (h * h * n), 2e-5);
                assert_near("magnetisation", all.magnetisation, (more - less) / (2 * h * n), 1e-8);
                assert_near("var m", all.square - pow(all.magnetisation, 2),
                            (more - 2 * middle + less) / (h * h * n * n), 2e-5);
            }
}

// ---- the helical lattice of 8 x 8 sites, site by site

enum { ROW = 8, STATES = 1 << ROW, SITES = ROW * ROW };

// Z of all spins but the last row's, which the index has, and its derivatives by beta.
struct partial {
    double z, first, second;
};

static struct partial times(struct partial p, double beta, int bonds)
{
    const double w = exp(beta * bonds), b = bonds;
    return (struct partial){w * p.z, w * (p.first + b * p.z), w * (p.second + 2 * b * p.first + b * b * p.z)};
}

static struct partial plus(struct partial a, struct partial b)
{
    return (struct partial){a.z + b.z, a.first + b.first, a.second + b.second};
}

static int product(unsigned row, int one, int other)
{
    return (row >> one & 1) == (row >> other & 1) ? 1 : -1;
}

// The first row given. Bit 0 of a row is its oldest site.
static struct partial close_helix(unsigned begin, double beta)
{
    static struct partial now[STATES], next[STATES];
    struct partial sum = {0, 0, 0};
    int bonds = 0;
    for (int k = 0; k + 1 < ROW; k++)
        bonds += product(begin, k, k + 1);
    for (unsigned row = 0; row < STATES; row++)
        now[row] = row == begin ? times((struct partial){1, 0, 0}, beta, bonds) : sum;
    for (int site = ROW; site < SITES; site++) {
        for (unsigned row = 0; row < STATES; row++)
            next[row] = (struct partial){0, 0, 0};
        for (unsigned row = 0; row < STATES; row++)
            for (unsigned spin = 0; spin < 2; spin++) {
                const unsigned longer = row | spin << ROW; // above is its bit 0, to the left its bit ROW − 1
                const int both = product(longer, ROW, 0) + product(longer, ROW, ROW - 1);
                next[longer >> 1] = plus(next[longer >> 1], times(now[row], beta, both));
            }
        for (unsigned row = 0; row < STATES; row++)
            now[row] = next[row];
    }
    for (unsigned row = 0; row < STATES; row++) {
        // Below the last row is the first, and to the right of the last site the first.
        int last = product(row >> (ROW - 1) | begin << 1, 0, 1);
        for (int k = 0; k < ROW; k++)
            last += (row >> k & 1) == (begin >> k & 1) ? 1 : -1;
        sum = plus(sum, times(now[row], beta, last));
    }
    return sum;
}

TEST(the_helical_table_is_right)
{
    for (int k = 0; k < ISING_SOURCE_BETAS; k += 5) {
        const double beta = ising_source_betas[k];
        struct partial all = {0, 0, 0};
        for (unsigned begin = 0; begin < STATES / 2; begin++) // the others are these with all spins flipped
            all = plus(all, close_helix(begin, beta));
        const double slope = all.first / all.z, curve = all.second / all.z - slope * slope;
        assert_near("energy per bond", ising_helical_means[k].energy_per_bond, -slope / (2 * SITES), 6e-7);
        assert_near("specific heat", ising_helical_means[k].specific_heat, beta * beta * curve / SITES, 6e-7);
    }
}

// ---- correlations

TEST(correlations_are_exact)
{
    static const double betas[] = {0.1, 0.3, 0.42, 0.46, 0.6};
    double g[ISING_CORRELATION_MAX + 1];
    for (size_t k = 0; k < sizeof betas / sizeof *betas; k++) {
        ising_exact_correlation(betas[k], 2, g);
        assert_near("one bond", g[1], -ising_exact_infinite(betas[k]).energy / 2, 1e-12);
    }
    const double z = tanh(0.03); // one way of two steps, six of four
    ising_exact_correlation(0.03, 2, g);
    assert_near("hot", g[2], z * z + 6 * pow(z, 4), 30 * pow(z, 6));
    ising_exact_correlation(0.5, 40, g);
    assert_near("cold", g[40], pow(ising_exact_magnetisation(0.5), 2), 1e-11);
    ising_exact_correlation(0.4, 41, g); // it falls as e^{−r/ξ}/√r
    assert_near("length", g[41] / g[40] * sqrt(41. / 40), exp(-1 / ising_exact_length(0.4)), 1e-3);
}

// ---- formulas

// At T_c = 2.269185314213022: Ferdinand and Fisher's table, to more digits.
TEST(critical_lattices_are_as_published)
{
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

// The heat is −β² dE/dβ; a lattice may lie on its side; large ones are the infinite one, away from the
// critical point.
TEST(forms_agree_with_each_other)
{
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

TEST(limits_are_known)
{
    assert_near("cold", ising_exact_infinite(3).energy, -2, 1e-9);
    assert_near("hot: −2 tanh β", ising_exact_infinite(1e-3).energy, -2e-3, 1e-8);
    assert_near("at the critical point", ising_exact_infinite(ISING_CRITICAL_BETA + 1e-6).energy, -sqrt(2),
                1e-4);
    assert_near("hot: no magnetisation", ising_exact_magnetisation(0.44), 0, 0);
    assert_near("cold: all", ising_exact_magnetisation(3), 1, 1e-9);
    assert_near("T = 2", ising_exact_magnetisation(0.5), 0.911319, 1e-6);
}
