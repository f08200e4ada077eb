// core/philox: the published known answers, and properties of the conversions and of the bits.
// Known answers: kat_vectors of the Random123 distribution (Salmon et al. 2011), philox4x32 with 10 rounds.
#include "tests/support/test.h"

#include "core/philox.h"

TEST(test_known_answers)
{
    static const struct {
        struct philox_counter counter;
        struct philox_key key;
        uint32_t expected[4];
    } vectors[] = {{{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                   {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                    {{0xffffffff, 0xffffffff}},
                    {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                   {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                    {{0xa4093822, 0x299f31d0}},
                    {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        struct philox_counter result = philox4x32(vectors[i].counter, vectors[i].key);
        for (int k = 0; k < 4; k++)
            assert_int_equal(result.v[k], vectors[i].expected[k]);
    }
}

TEST(test_helpers_fill_words_low_first)
{
    struct philox_key key = philox_key_from_seed(0x299f31d0a4093822u);
    struct philox_counter counter = philox_counter_from(0x85a308d3243f6a88u, 0x0370734413198a2eu);
    assert_int_equal(philox4x32(counter, key).v[0], 0xd16cfe09);
}

TEST(test_doubles_are_inside_the_unit_interval)
{
    assert_true(philox_double(0, 0) == ldexp(1.0, -53));
    assert_true(philox_double(0xffffffff, 0xffffffff) == 1.0 - ldexp(1.0, -53));
    assert_true(philox_double(0xffffffff, 0xffffffff) < 1.0);
    assert_true(philox_double(0x80000000, 0) == 0.5 + ldexp(1.0, -53));
    assert_true(philox_double(0, 0xfff) == philox_double(0, 0)); // the last 12 bits are not used
    assert_true(philox_double(0, 0x1000) == 3.0 * ldexp(1.0, -53));
}

// Chi-squared over 256 bins of each word's top and bottom byte: 255 degrees of freedom, so within 150 … 400
// unless the numbers are not uniform (probability beyond: below 1e-6). A multiplier or Weyl constant
// mistyped, or a round left out, also moves the known answers; this catches a wrong use of the words.
TEST(test_bytes_are_uniform)
{
    enum { DRAWS = 1 << 18 };
    static uint32_t counts[4][2][256];
    struct philox_key key = philox_key_from_seed(20110311);
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct philox_counter words = philox4x32(philox_counter_from(i, 0), key);
        for (int k = 0; k < 4; k++) {
            counts[k][0][words.v[k] >> 24]++;
            counts[k][1][words.v[k] & 255]++;
        }
    }
    const double expected = DRAWS / 256.0;
    for (int k = 0; k < 4; k++)
        for (int end = 0; end < 2; end++) {
            double chi_squared = 0.0;
            for (int bin = 0; bin < 256; bin++) {
                double deviation = (double)counts[k][end][bin] - expected;
                chi_squared += deviation * deviation / expected;
            }
            assert_true(chi_squared > 150.0 && chi_squared < 400.0);
        }
}

// Flipping any one of the 192 bits of counter and key flips each of the 128 output bits with probability 1/2.
TEST(test_every_input_bit_reaches_every_output_bit)
{
    enum { TRIALS = 512 };
    for (int bit = 0; bit < 192; bit++) {
        int flips[128] = {0};
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            struct philox_counter counter = philox_counter_from(trial * 0x9e3779b97f4a7c15u, trial);
            struct philox_key key = philox_key_from_seed(trial + 1);
            struct philox_counter before = philox4x32(counter, key);
            if (bit < 128)
                counter.v[bit / 32] ^= 1u << (bit % 32);
            else
                key.v[(bit - 128) / 32] ^= 1u << (bit % 32);
            struct philox_counter after = philox4x32(counter, key);
            for (int out = 0; out < 128; out++)
                flips[out] += (int)((before.v[out / 32] ^ after.v[out / 32]) >> (out % 32) & 1u);
        }
        // Binomial(512, 1/2): standard deviation 11.3; seven of them.
        for (int out = 0; out < 128; out++)
            assert_in_range(flips[out], TRIALS / 2 - 80, TRIALS / 2 + 80);
    }
}

TEST(test_mean_and_variance_of_doubles)
{
    enum { DRAWS = 1 << 18 };
    double sum = 0.0, squares = 0.0, products = 0.0;
    struct philox_key key = philox_key_from_seed(7);
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct philox_counter words = philox4x32(philox_counter_from(0, i), key);
        double a = philox_double(words.v[0], words.v[1]) - 0.5,
               b = philox_double(words.v[2], words.v[3]) - 0.5;
        sum += a + b;
        squares += a * a + b * b;
        products += a * b;
    }
    // Standard errors: sqrt(1/12/2N) = 4.0e-4; sqrt(1/180/2N) = 1.03e-4; sqrt(1/144/N) = 1.6e-4. Five of
    // each.
    assert_true(fabs(sum / (2.0 * DRAWS)) < 2.0e-3);
    assert_true(fabs(squares / (2.0 * DRAWS) - 1.0 / 12.0) < 5.2e-4);
    assert_true(fabs(products / DRAWS) < 8.2e-4);
}
