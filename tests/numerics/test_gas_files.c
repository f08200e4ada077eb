// The gas's particles read from files, as a run starts with them: frames, masses from elsewhere, a
// temperature, the box's sides. The files are written here with netCDF-C itself; no back end, no run.
#include "tests/support/test.h"

#include "tests/support/gas_start.h"
#include "tests/support/kolmogorov.h"
#include "tests/support/netcdf_maker.h"

// More than two blocks of the file.
enum { PARTICLES = 9001, AXES = 3 };

static double x_of(size_t frame, size_t i, size_t axis)
{
    return 5 + 4.9 * sin(12.9898 * (double)(1 + i + 10007 * axis) + (double)frame);
}
static double v_of(size_t frame, size_t i, size_t axis)
{
    return 0.5 * cos(78.233 * (double)(1 + i + 10007 * axis)) - 2 * (double)frame;
}
static double m_of(size_t frame, size_t i, size_t axis)
{
    return 1 + (double)(i % 7);
}

// One variable of all axes; frames: 0 for none. z is not used.
static void put(int file, const char *name, const char *units, const int *dimensions, size_t frames,
                double (*of)(size_t, size_t, size_t))
{
    static double values[2 * PARTICLES * AXES];
    const bool is_mass = of == m_of;
    size_t count = 0;
    for (size_t frame = 0; frame < (frames ? frames : 1); frame++)
        for (size_t i = 0; i < PARTICLES; i++)
            for (size_t axis = 0; axis < (is_mass ? 1 : AXES); axis++)
                values[count++] = axis == 2 ? NAN : of(frame, i, axis);
    make_field(file, name, units, 1 + !is_mass + (frames > 0), dimensions + !frames, values);
}

static int begin_file(const char *name, size_t frames, int dimensions[3])
{
    const int file = make_file(folder_path("%s", name), NC_NETCDF4);
    dimensions[0] = make_dimension(file, "frame", frames ? frames : 1);
    dimensions[1] = make_dimension(file, "atom", PARTICLES);
    dimensions[2] = make_dimension(file, "spatial", AXES);
    return file;
}

static struct gas_particle *read_back(const char *members)
{
    char blocks[512];
    size_t count;
    snprintf(blocks, sizeof blocks,
             "'particles': {'file': {'file': 'a.nc'%s}}, 'domain': {'size': [10, 10]}" START_NO_FORCE,
             members);
    struct gas_particle *particles = start_make(blocks, &count);
    assert_int_equal(count, PARTICLES);
    return particles;
}

// Bit by bit: nothing is scaled. `mass`: of all; 0: m_of.
static void expect(const char *members, size_t frame, double mass, bool is_at_rest)
{
    struct gas_particle *particles = read_back(members);
    for (size_t i = 0; i < PARTICLES; i++) {
        assert_true(particles[i].mass == (mass > 0 ? mass : m_of(0, i, 0)));
        for (size_t axis = 0; axis < GAS_AXES; axis++) {
            assert_true(particles[i].position[axis] == x_of(frame, i, axis));
            assert_true(particles[i].velocity[axis] == (is_at_rest ? 0 : v_of(frame, i, axis)));
        }
    }
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

// A trajectory as AMBER has it, with velocities and without masses.
TEST(trajectories)
{
    int d[3];
    int file = begin_file("a.nc", 2, d);
    put(file, "coordinates", "angstrom", d, 2, x_of);
    put(file, "velocities", "angstrom/picosecond", d, 2, v_of);
    NC(nc_close(file));
    file = begin_file("m.nc", 0, d);
    put(file, "weight", NULL, d, 0, m_of);
    NC(nc_close(file));
    expect(", 'particle_mass': 2.5", 1, 2.5, false);
    expect(", 'particle_mass': 2.5, 'frame': 0", 0, 2.5, false);
    expect(", 'mass_file': 'm.nc', 'mass': 'weight'", 1, 0, false);
    expect(", 'mass_file': 'm.nc', 'mass': 'weight', 'at_rest': true", 1, 0, true);
}

// Velocities are drawn for the masses of the file: as hot, and at rest as a whole.
TEST(temperature_of_a_file)
{
    int d[3];
    const int file = begin_file("a.nc", 0, d);
    put(file, "position", NULL, d, 0, x_of);
    put(file, "mass", NULL, d, 0, m_of);
    NC(nc_close(file));
    struct gas_particle *particles = read_back(", 'temperature': 1.5, 'seed': 4");
    assert_true(fabs(start_kinetic(particles, PARTICLES) / (1.5 * PARTICLES) - 1) < 1e-13);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        static double v[PARTICLES];
        assert_true(start_momentum(particles, PARTICLES, axis) < 1e-14);
        for (size_t i = 0; i < PARTICLES; i++) {
            assert_true(particles[i].mass == m_of(0, i, 0));
            v[i] = particles[i].velocity[axis] * sqrt(particles[i].mass / 1.5);
        }
        assert_true(kolmogorov(v, PARTICLES, normal_cdf) < 1.95);
    }
}

// Periodic sides take in what lies beyond them; soft ones let it be there.
TEST(places_beyond_the_sides)
{
    static const double x[] = {-0.25, 3, 0, 10, -17.5, 0, 39.75, 14.5, 0, -1e-18, -4.5, 0};
    static const double v[12] = {0}, m[] = {1, 1, 1, 1};
    static const double taken[4][GAS_AXES] = {{9.75, 3}, {0, -17.5 + 20}, {9.75, 14.5}, {0, -4.5}};
    size_t count;
    const int file = make_file(folder_path("a.nc"), NC_NETCDF4);
    const int d[] = {make_dimension(file, "atom", 4), make_dimension(file, "spatial", AXES)};
    make_field(file, "position", NULL, 2, d, x);
    make_field(file, "velocity", NULL, 2, d, v);
    make_field(file, "mass", NULL, 1, d, m);
    NC(nc_close(file));
    struct gas_particle *particles = start_make("'particles': {'file': {'file': 'a.nc'}}, 'domain': {'size': "
                                                "[10, 20], 'walls': 'periodic'}" START_NO_FORCE,
                                                &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(particles[i].position[GAS_X] == taken[i][GAS_X]);
        assert_true(particles[i].position[GAS_Y] == (i == 3 ? 15.5 : taken[i][GAS_Y]));
    }
    static const char soft[] =
        "'particles': {'file': {'file': 'a.nc'}}, 'domain': {'size': [10, %d], 'stiffness': 1, 'walls': "
        "{'left': 'periodic', 'right': 'periodic', 'bottom': 'soft', 'top': 'soft'}}" START_NO_FORCE;
    char blocks[400];
    snprintf(blocks, sizeof blocks, soft, 36);
    particles = start_make(blocks, &count);
    assert_true(particles[1].position[GAS_Y] == -17.5);
    snprintf(blocks, sizeof blocks, soft, 34);
    expect_refusal(
        blocks,
        "variable position: particle 1 (counted from 0), component y: -17.5 lies outside the box, 0 to 34");
}
