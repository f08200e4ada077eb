// Bodies read from files, as a run starts with them: units, frames, masses from elsewhere, the centre of mass
// put to the origin. The files are written here with netCDF-C itself; no back end, no run.
#include "tests/support/test.h"

#include "tests/support/nbody_start.h"
#include "tests/support/netcdf_maker.h"

static const double pc_m = 3.0856775814913673e16; // IAU 2015 B2: 648000/π au

// More than two blocks of the file.
enum { BODIES = 9001, AXES = 3 };

static double x_of(size_t frame, size_t i, size_t axis)
{
    return sin(12.9898 * (double)(1 + i + 10007 * axis)) + (double)frame;
}
static double v_of(size_t frame, size_t i, size_t axis)
{
    return 0.5 * cos(78.233 * (double)(1 + i + 10007 * axis)) - 2 * (double)frame;
}
static double m_of(size_t frame, size_t i, size_t axis)
{
    return 1 + (double)(i % 7);
}

static double values[2 * BODIES * AXES];

// One variable of all axes; frames: 0 for none.
static void put(int file, const char *name, const char *units, const int *dimensions, size_t frames,
                double (*of)(size_t, size_t, size_t))
{
    const bool is_mass = of == m_of;
    const size_t axes = is_mass ? 1 : AXES;
    size_t count = 0;
    for (size_t frame = 0; frame < (frames ? frames : 1); frame++)
        for (size_t i = 0; i < BODIES; i++)
            for (size_t axis = 0; axis < axes; axis++)
                values[count++] = of(frame, i, axis);
    make_field(file, name, units, 1 + !is_mass + (frames > 0), dimensions + !frames, values);
}

static int begin_file(const char *name, size_t frames, int dimensions[3])
{
    const int file = make_file(folder_path("%s", name), NC_NETCDF4);
    dimensions[0] = make_dimension(file, "frame", frames ? frames : 1);
    dimensions[1] = make_dimension(file, "atom", BODIES);
    dimensions[2] = make_dimension(file, "spatial", AXES);
    return file;
}

// The bodies times the run's units are those of the frame, `scale` the file's units of position, velocity and
// mass.
static void expect(const char *units, const char *particles, size_t frame, const double scale[3],
                   bool is_at_rest)
{
    size_t count;
    struct nbody_body *bodies = start_make(units, particles, &count);
    assert_int_equal(count, BODIES);
    for (size_t i = 0; i < count; i++) {
        const double mass = m_of(frame, i, 0) * scale[2];
        if (!(fabs(bodies[i].mass * start_units.mass - mass) <= 1e-14 * mass))
            fail_msg("body %zu: mass %.17g, expected %.17g", i, bodies[i].mass * start_units.mass, mass);
        for (size_t k = 0; k < AXES; k++) {
            const double x = x_of(frame, i, k) * scale[0], v = is_at_rest ? 0 : v_of(frame, i, k) * scale[1];
            if (!(fabs(bodies[i].position[k] * start_units.length - x) <= 1e-14 * fabs(x)) ||
                !(fabs(bodies[i].velocity[k] * start_units.velocity - v) <= 1e-14 * fabs(v)))
                fail_msg("body %zu, component %zu: %.17g and %.17g, expected %.17g and %.17g", i, k,
                         bodies[i].position[k] * start_units.length,
                         bodies[i].velocity[k] * start_units.velocity, x, v);
        }
    }
}

static const double bare[3] = {1, 1, 1};

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

TEST(bare_numbers_stay)
{
    int d[3];
    const int file = begin_file("a.nc", 2, d);
    put(file, "coordinates", "angstrom", d, 2, x_of); // as readers of AMBER trajectories want it
    put(file, "velocities", "angstrom/picosecond", d, 2, v_of);
    put(file, "mass", "1", d, 0, m_of);
    NC(nc_close(file));
    expect("nbody", "{'file': {'file': 'a.nc'}}", 1, bare, false);
    expect("nbody", "{'file': {'file': 'a.nc', 'frame': 0}}", 0, bare, false);
    expect("nbody", "{'file': {'file': 'a.nc', 'at_rest': true}}", 1, bare, true);
    assert_true(start_units.length == 1 && start_units.time == 1);
}

// In SI the run's length is a power of two of metres, so that positions lose no bit; and bodies are of size 1
// in it.
TEST(units_of_the_file)
{
    const double scale[2] = {1e3 * pc_m, 1e3};
    int d[3], exponent;
    const int file = begin_file("a.nc", 0, d);
    put(file, "position", "kpc", d, 0, x_of);
    put(file, "velocity", "km/s", d, 0, v_of);
    put(file, "mass", NULL, d, 0, m_of);
    NC(nc_close(file));
    size_t count;
    struct nbody_body *bodies =
        start_make("si", "{'file': {'file': 'a.nc', 'units': {'mass': '1e30 kg'}}}", &count);
    assert_true(frexp(start_units.length, &exponent) == 0.5);
    assert_true(start_units.length > 0.25e3 * pc_m && start_units.length < 2e3 * pc_m);
    assert_true(fabs(start_units.velocity / sqrt(6.6743e-11 * start_units.mass / start_units.length) - 1) <
                1e-14);
    double mass = 0;
    for (size_t i = 0; i < count; i++) {
        mass += bodies[i].mass;
        for (size_t k = 0; k < AXES; k++) {
            assert_true(fabs(bodies[i].position[k] * start_units.length / (x_of(0, i, k) * scale[0]) - 1) <
                        1e-14);
            assert_true(fabs(bodies[i].velocity[k] * start_units.velocity / (v_of(0, i, k) * scale[1]) - 1) <
                        1e-14);
        }
    }
    assert_true(fabs(mass - 1) < 1e-12);
    assert_true(fabs(bodies[6].mass / bodies[0].mass - 7) < 1e-14);
}

TEST(masses_from_elsewhere)
{
    int d[3];
    int file = begin_file("a.nc", 0, d);
    put(file, "position", NULL, d, 0, x_of);
    put(file, "velocity", NULL, d, 0, v_of);
    NC(nc_close(file));
    file = begin_file("m.nc", 0, d);
    put(file, "weight", NULL, d, 0, m_of);
    NC(nc_close(file));
    expect("nbody", "{'file': {'file': 'a.nc', 'mass_file': 'm.nc', 'mass': 'weight'}}", 0, bare, false);
    size_t count;
    struct nbody_body *bodies = start_make("nbody", "{'file': {'file': 'a.nc', 'body_mass': 0.25}}", &count);
    for (size_t i = 0; i < count; i++)
        assert_true(bodies[i].mass == 0.25);
}

// Far from the origin and on the move: centred, the centre is at the origin and at rest, and differences
// stay.
TEST(centred_bodies)
{
    int d[3];
    const int file = begin_file("a.nc", 2, d);
    put(file, "position", NULL, d, 2, x_of);
    put(file, "velocity", NULL, d, 2, v_of);
    put(file, "mass", NULL, d, 2, m_of);
    NC(nc_close(file));
    size_t count;
    double mass = 0;
    struct nbody_body *bodies = start_make("nbody", "{'file': {'file': 'a.nc', 'centred': true}}", &count);
    for (size_t i = 0; i < count; i++)
        mass += m_of(1, i, 0);
    assert_centred(bodies, count, mass);
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < AXES; k++) {
            const double apart = x_of(1, i, k) - x_of(1, 0, k), faster = v_of(1, i, k) - v_of(1, 0, k);
            assert_true(fabs(bodies[i].position[k] - bodies[0].position[k] - apart) < 1e-14);
            assert_true(fabs(bodies[i].velocity[k] - bodies[0].velocity[k] - faster) < 1e-14);
        }
}
