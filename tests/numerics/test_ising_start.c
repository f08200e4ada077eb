// The spins of the Ising model at the start: cold, striped, random (the same for any number of threads), and
// from files of all supported layouts. The test writes the files with netCDF-C. No back end, no run.
#include "tests/support/test.h"

#include "models/ising/random.h"
#include "tests/support/ising_start.h"
#include "tests/support/netcdf_maker.h"

#include <omp.h>

// Words with 32, 22, 7 and other numbers of spins; rows of one, two and more words; one replica and several.
static const char *const lattices[] = {
    "'lattice': {'columns': 64}",
    "'lattice': {'columns': 128, 'rows': 6, 'boundary': 'helical', 'replicas': 3}",
    "'lattice': {'columns': 44, 'rows': 300}",
    "'lattice': {'columns': 14, 'rows': 4, 'replicas': 5}",
    "'lattice': {'columns': 74, 'rows': 10}",
    "'lattice': {'columns': 4, 'rows': 8, 'replicas': 2}"};
enum { LATTICES = sizeof lattices / sizeof *lattices };

static uint32_t *make(const char *lattice, const char *start, uint32_t temperature)
{
    const char *blocks = format_text("%s, 'start': {%s}", lattice, start);
    return start_make(blocks, temperature);
}

// ---- without a file

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

TEST(cold_and_stripes)
{
    static const char *const kinds[] = {"'kind': 'cold'", "'kind': 'stripes'"};
    for (int k = 0; k < LATTICES; k++)
        for (int striped = 0; striped < 2; striped++) {
            uint32_t *words = make(lattices[k], kinds[striped], 0);
            assert_true(start_is_clean(words));
            for (int64_t replica = 0; replica < start_lattice.replicas; replica++)
                for (int64_t y = 0; y < start_lattice.rows; y++)
                    for (int64_t x = 0; x < start_lattice.columns; x++)
                        assert_int_equal(start_is_up(words, replica, y, x), !striped || y % 2 == 0);
        }
}

static uint64_t count_up(const uint32_t *words)
{
    uint64_t up = 0;
    for (size_t g = 0; g < start_words(); g++)
        up += (uint64_t)__builtin_popcount(words[g]);
    return up;
}

TEST(half_of_the_hot_spins_are_up)
{
    uint32_t *words = make("'lattice': {'columns': 1000, 'rows': 1000}", "'kind': 'hot'", 0);
    const double deviation = ((double)count_up(words) - 500000) / sqrt(250000);
    print_message("spins up of a million at random: %+.2f sigma\n", deviation);
    assert_true(fabs(deviation) < 4);
}

// Each word is the one that state.h defines; other seeds, temperatures and replicas have other spins.
TEST(hot_spins_are_those_of_state_h)
{
    const int threads = omp_get_max_threads();
    for (int k = 0; k < LATTICES; k++) {
        uint32_t *of_one = NULL;
        for (int team = 1; team <= 3; team++) {
            omp_set_num_threads(team);
            uint32_t *words = make(lattices[k], "'kind': 'hot', 'seed': 7", 1);
            assert_true(start_is_clean(words));
            const int bits = ising_word_bits(start_lattice.columns);
            const struct philox_key key = ising_key(7, 1);
            for (size_t g = 0; g < start_words(); g++) {
                const struct philox_counter counter = {{(uint32_t)(g / 4), 0, 0, ISING_USE_START << 8}};
                const uint32_t drawn = philox4x32(counter, key).v[g % 4];
                assert_int_equal(words[g], bits == 32 ? drawn : drawn & ((1u << bits) - 1));
            }
            if (team > 1)
                assert_memory_equal(words, of_one, start_words() * sizeof *words);
            of_one = team > 1 ? of_one : words;
        }
        uint32_t *other_seed = make(lattices[k], "'kind': 'hot', 'seed': 8", 1);
        uint32_t *other_temperature = make(lattices[k], "'kind': 'hot', 'seed': 7", 0);
        assert_memory_not_equal(other_seed, of_one, start_words() * sizeof *of_one);
        assert_memory_not_equal(other_temperature, of_one, start_words() * sizeof *of_one);
        if (start_lattice.replicas > 1)
            assert_memory_not_equal(of_one, of_one + ising_lattice_words(&start_lattice),
                                    ising_lattice_words(&start_lattice) * sizeof *of_one);
    }
    omp_set_num_threads(threads);
}

// If the start has no seed, that of the method is used.
TEST(the_start_uses_the_seed_of_the_method)
{
    static const char lattice[] = "'lattice': {'columns': 64}";
    uint32_t *words = make(lattice, "'kind': 'hot'", 0);
    uint32_t *same = make(lattice, "'kind': 'hot', 'seed': 1", 0);
    assert_memory_equal(words, same, start_words() * sizeof *words);
}

// ---- files

// A pattern without symmetry, different in each record and replica.
static bool pattern(size_t record, size_t replica, size_t y, size_t x)
{
    const double s = sin(12.9898 * (double)(x + 1) + 78.233 * (double)(y + 1) + 37.7 * (double)replica +
                         5.1 * (double)record) *
                     43758.5453;
    return s - floor(s) < 0.4;
}

struct layout {
    const char *variable;
    const char *first; // of the first dimension: "time", or another
    nc_type type;
    int rank;
    double up, down;
    size_t records, replicas, rows, columns;
};

// Writes the pattern to spins.nc. A variable spins_packed has eight spins in each byte, the first in the
// highest bit.
static void write_spins(const struct layout *l)
{
    const bool is_packed = strcmp(l->variable, "spins_packed") == 0;
    const size_t length = is_packed ? (l->columns + 7) / 8 : l->columns;
    double *values = owned_zeros(l->records * l->replicas * l->rows * length, sizeof *values), *to = values;
    for (size_t record = 0; record < l->records; record++)
        for (size_t replica = 0; replica < l->replicas; replica++)
            for (size_t y = 0; y < l->rows; y++, to += length)
                for (size_t x = 0; x < l->columns; x++) {
                    const bool is_up = pattern(record, replica, y, x);
                    if (is_packed)
                        to[x / 8] += is_up ? 128 >> x % 8 : 0;
                    else
                        to[x] = is_up ? l->up : l->down;
                }
    const int file = make_file(folder_path("spins.nc"), NC_NETCDF4);
    const int all[] = {make_dimension(file, l->rank == 4 ? "time" : "unused", l->records),
                       make_dimension(file, l->rank == 3 ? l->first : "replica",
                                      l->rank == 3 && l->replicas == 1 ? l->records : l->replicas),
                       make_dimension(file, "row", l->rows), make_dimension(file, "column", length)};
    make_values(file, make_variable(file, l->variable, l->type, NULL, l->rank, all + 4 - l->rank), values);
    NC(nc_close(file));
}

static void expect_pattern(const uint32_t *words, size_t record)
{
    assert_true(start_is_clean(words));
    for (int64_t replica = 0; replica < start_lattice.replicas; replica++)
        for (int64_t y = 0; y < start_lattice.rows; y++)
            for (int64_t x = 0; x < start_lattice.columns; x++)
                if (start_is_up(words, replica, y, x) !=
                    pattern(record, (size_t)replica, (size_t)y, (size_t)x))
                    fail_msg("replica %lld, row %lld, column %lld", (long long)replica, (long long)y,
                             (long long)x);
}

static void expect_read(const struct layout *l, const char *record_member, size_t record)
{
    char blocks[512];
    snprintf(blocks, sizeof blocks,
             "'lattice': {'columns': %zu, 'rows': %zu, 'replicas': %zu}, 'start': {'kind': 'file', 'file': "
             "'spins.nc'%s}",
             l->columns, l->rows, l->replicas, record_member);
    uint32_t *words = start_make(blocks, 0);
    expect_pattern(words, record);
}

TEST(files_of_all_layouts)
{
    static const struct layout layouts[] = {{"spins_packed", "", NC_UBYTE, 4, 0, 0, 3, 2, 6, 64},
                                            {"spins_packed", "replica", NC_UBYTE, 3, 0, 0, 1, 3, 8, 44},
                                            {"spins_packed", "", NC_UBYTE, 2, 0, 0, 1, 1, 4, 14},
                                            {"spins_packed", "time", NC_SHORT, 3, 0, 0, 4, 1, 4, 70},
                                            {"spins", "", NC_UBYTE, 4, 1, 0, 2, 3, 4, 12},
                                            {"spins", "replica", NC_BYTE, 3, 1, -1, 1, 3, 4, 12},
                                            {"spins", "frame", NC_INT, 3, 1, -1, 3, 1, 4, 12},
                                            {"spins", "", NC_FLOAT, 2, 1, -1, 1, 1, 10, 64},
                                            {"spins", "", NC_DOUBLE, 2, 1, 0, 1, 1, 10, 64},
                                            // More than one block of numbers.
                                            {"spins", "", NC_BYTE, 2, 1, -1, 1, 1, 410, 512},
                                            {"spins_packed", "", NC_UBYTE, 2, 0, 0, 1, 1, 2100, 512}};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
        write_spins(&layouts[k]);
        expect_read(&layouts[k], "", layouts[k].records - 1); // the last
        if (layouts[k].records > 1)
            expect_read(&layouts[k], ", 'record': 0", 0);
        if (layouts[k].records > 2)
            expect_read(&layouts[k], ", 'record': 1", 1);
    }
}

// The same spins at every temperature.
TEST(a_file_gives_the_same_spins_at_all_temperatures)
{
    const struct layout l = {"spins", "", NC_BYTE, 2, 1, -1, 1, 1, 4, 12};
    write_spins(&l);
    uint32_t *words = make("'lattice': {'columns': 12, 'rows': 4}", "'kind': 'file', 'file': 'spins.nc'", 1);
    expect_pattern(words, 0);
}
