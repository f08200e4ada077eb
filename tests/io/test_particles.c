// io/formats/particles.c against files written here with netCDF-C itself: every layout of bodies, packing,
// missing values, and all that is no such file.
#include "tests/support/test.h"

#include "io/formats/particles.h"
#include "tests/support/fresh.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"

enum { BODIES = 7, FRAMES = 3, AXES = 3 };

// Tells all three.
static double value_at(size_t frame, size_t body, size_t axis)
{
    return (double)(1000 * frame + 10 * body + axis);
}

static int begin_file(int mode, int dimensions[3])
{
    const int file = make_file(folder_path("file.nc"), mode);
    dimensions[0] = make_dimension(file, "frame", FRAMES);
    dimensions[1] = make_dimension(file, "atom", BODIES);
    dimensions[2] = make_dimension(file, "spatial", AXES);
    return file;
}

// All axes in one variable, or (axis ≥ 0) one of them.
static void add_quantity(int file, const char *name, const char *units, const int *dimensions,
                         bool has_frames, int axis)
{
    double values[FRAMES * BODIES * AXES];
    size_t count = 0;
    for (size_t frame = 0; frame < (has_frames ? FRAMES : 1); frame++)
        for (size_t body = 0; body < BODIES; body++)
            for (size_t k = 0; k < AXES; k++)
                if (axis < 0 || k == (size_t)axis)
                    values[count++] = value_at(frame, body, k);
    make_field(file, name, units, (has_frames ? 2 : 1) + (axis < 0), dimensions + !has_frames, values);
}

OWNED(own_particles, struct particles, particles_close);

static struct particles *open_particles(enum particles_quantity quantity, const char *variable, int64_t frame)
{
    struct particles *particles;
    assert_ok(particles_open(folder_path("file.nc"), quantity, variable, frame, &particles));
    return own_particles(particles);
}

// In pieces of one, two … and all bodies: the values of that frame; those of one axis if there is one
// component.
static void expect_frame(struct particles *particles, size_t frame)
{
    const size_t components = particles_info(particles)->components;
    double values[BODIES * AXES], scratch[BODIES];
    for (size_t piece = 1; piece <= BODIES; piece++)
        for (size_t first = 0; first < BODIES; first += piece) {
            const size_t count = first + piece < BODIES ? piece : BODIES - first;
            assert_ok(particles_read(particles, first, count, values, scratch));
            for (size_t i = 0; i < count * components; i++) {
                const double wanted = value_at(frame, first + i / components, i % components);
                if (values[i] != wanted)
                    fail_msg("%s, %zu bodies from %zu: entry %zu is %g, expected %g",
                             particles_info(particles)->variable, count, first, i, values[i], wanted);
            }
        }
}

static void expect_all(enum particles_quantity quantity, const char *variable, int64_t wanted_frame,
                       size_t frame, const char *shown)
{
    struct particles *particles = open_particles(quantity, variable, wanted_frame);
    assert_int_equal(particles_info(particles)->count, BODIES);
    assert_string_equal(particles_info(particles)->variable, shown);
    expect_frame(particles, frame);
    owned_end(particles);
}

static void refuses(enum particles_quantity quantity, const char *variable, int64_t frame, enum status status,
                    const char *fragment)
{
    struct particles *particles;
    assert_failure(particles_open(folder_path("file.nc"), quantity, variable, frame, &particles), status,
                   fragment, "file.nc");
    assert_null(particles);
}

// ---- layouts

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(one_variable_without_frames)
{
    static const int modes[] = {NC_NETCDF4, 0, NC_64BIT_DATA};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        int dimensions[3];
        const int file = begin_file(modes[k], dimensions);
        add_quantity(file, "position", "pc", dimensions, false, -1);
        add_quantity(file, "m", NULL, dimensions, false, 0);
        NC(nc_close(file));
        expect_all(PARTICLES_POSITION, NULL, -1, 0, "position");
        expect_all(PARTICLES_POSITION, "/position", 5, 0, "position"); // which frame has no effect
        expect_all(PARTICLES_MASS, NULL, -1, 0, "m");
        struct particles *particles = open_particles(PARTICLES_POSITION, NULL, -1);
        assert_string_equal(particles_info(particles)->units, "pc");
        assert_int_equal(particles_info(particles)->frames, 0);
        owned_end(particles);
    }
}

TEST(trajectories_have_frames)
{
    int dimensions[3];
    const int file = begin_file(NC_64BIT_OFFSET, dimensions);
    add_quantity(file, "velocities", "angstrom/picosecond", dimensions, true, -1);
    add_quantity(file, "coordinates", "angstrom", dimensions, true, -1);
    NC(nc_close(file));
    expect_all(PARTICLES_POSITION, NULL, -1, FRAMES - 1, "coordinates");
    expect_all(PARTICLES_VELOCITY, NULL, 0, 0, "velocities");
    expect_all(PARTICLES_VELOCITY, "coordinates", 1, 1, "coordinates");
    refuses(PARTICLES_POSITION, NULL, FRAMES, STATUS_DATA,
            "variable coordinates: frame 3 was asked for, it has 3 (counted from 0)");
    refuses(PARTICLES_MASS, NULL, -1, STATUS_DATA,
            "no masses: expected a variable mass, masses, or m (it has: velocities, coordinates)");
}

TEST(three_variables)
{
    static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz"};
    for (int has_frames = 0; has_frames < 2; has_frames++) {
        int dimensions[3];
        const int file = begin_file(NC_NETCDF4, dimensions);
        for (int k = 0; k < 6; k++)
            add_quantity(file, names[k], k < 3 ? "kpc" : "km/s", dimensions, has_frames, k % 3);
        NC(nc_close(file));
        expect_all(PARTICLES_POSITION, NULL, -1, has_frames ? FRAMES - 1 : 0, "x y z");
        expect_all(PARTICLES_VELOCITY, NULL, 0, 0, "vx vy vz");
        expect_all(PARTICLES_VELOCITY, " x  y z ", 0, 0, "x y z");
        refuses(PARTICLES_POSITION, "x y", -1, STATUS_DATA,
                "variables \"x y\" for the positions: expected one name, or three");
        refuses(PARTICLES_POSITION, "x y z vx", -1, STATUS_DATA, "expected one name, or three");
        refuses(PARTICLES_POSITION, "", -1, STATUS_DATA, "expected one name, or three");
        refuses(PARTICLES_POSITION, "x y w", -1, STATUS_DATA,
                "no variable w for the positions (it has: x, y, z, vx, vy, vz)");
        refuses(PARTICLES_POSITION, "x y vz", -1, STATUS_DATA,
                "variable vz is in \"km/s\", but x in \"kpc\"");
        refuses(PARTICLES_MASS, "x y", -1, STATUS_DATA,
                "variables \"x y\" for the masses: expected one name");
    }
}

// One of three is missing: that one is named.
TEST(two_of_three)
{
    int dimensions[3];
    const int file = begin_file(NC_NETCDF4, dimensions);
    add_quantity(file, "x", NULL, dimensions, false, 0);
    add_quantity(file, "z", NULL, dimensions, false, 2);
    NC(nc_close(file));
    refuses(PARTICLES_POSITION, NULL, -1, STATUS_DATA, "no variable y for the positions (it has: x, z)");
    refuses(PARTICLES_VELOCITY, NULL, -1, STATUS_DATA,
            "no velocities: expected a variable velocity, velocities, vel, or vx vy vz (it has: x, z)");
}

// ---- values

// As AMBER packs velocities: a scale factor, single precision.
TEST(packing_and_missing_values)
{
    static const double scale = 20.455;
    static const float fill = -99;
    int dimensions[3];
    float stored[BODIES * AXES];
    const int file = begin_file(NC_NETCDF4, dimensions);
    const int variable = make_variable(file, "velocities", NC_FLOAT, NULL, 2, dimensions + 1);
    NC(nc_put_att_double(file, variable, "scale_factor", NC_DOUBLE, 1, &scale));
    NC(nc_put_att_float(file, variable, "_FillValue", NC_FLOAT, 1, &fill));
    for (size_t k = 0; k < BODIES * AXES; k++)
        stored[k] = k == 4 ? fill : k == 5 ? NAN : k == 6 ? INFINITY : 0.25F * (float)k;
    NC(nc_enddef(file));
    NC(nc_put_var_float(file, variable, stored));
    NC(nc_close(file));
    struct particles *particles = open_particles(PARTICLES_VELOCITY, NULL, -1);
    double values[BODIES * AXES];
    assert_ok(particles_read(particles, 0, BODIES, values, NULL));
    for (size_t k = 0; k < BODIES * AXES; k++)
        if (k == 4 || k == 5)
            assert_true(isnan(values[k]));
        else if (k == 6)
            assert_true(isinf(values[k]));
        else
            assert_true(values[k] == (double)stored[k] * scale);
}

TEST(whole_numbers)
{
    static const int masses[BODIES] = {1, 2, 3, 4, 5, 6, -7};
    int dimensions[3];
    const int file = begin_file(NC_NETCDF4, dimensions);
    const int variable = make_variable(file, "mass", NC_INT, NULL, 1, dimensions + 1);
    NC(nc_enddef(file));
    NC(nc_put_var_int(file, variable, masses));
    NC(nc_close(file));
    struct particles *particles = open_particles(PARTICLES_MASS, NULL, -1);
    double values[BODIES];
    assert_ok(particles_read(particles, 0, BODIES, values, NULL));
    for (size_t k = 0; k < BODIES; k++)
        assert_true(values[k] == masses[k]);
}

// Compressed in chunks of a few bodies: read as any other, and the memory for it is stated.
TEST(chunks)
{
    static const size_t lengths[] = {1, 2, 3};
    int dimensions[3];
    const int file = begin_file(NC_NETCDF4, dimensions);
    const int variable = make_variable(file, "position", NC_DOUBLE, NULL, 3, dimensions);
    NC(nc_def_var_chunking(file, variable, NC_CHUNKED, lengths));
    NC(nc_def_var_deflate(file, variable, 1, 1, 1));
    double values[FRAMES * BODIES * AXES];
    for (size_t k = 0; k < FRAMES * BODIES * AXES; k++)
        values[k] = value_at(k / (BODIES * AXES), k / AXES % BODIES, k % AXES);
    make_values(file, variable, values);
    NC(nc_close(file));
    for (int64_t frame = 0; frame < FRAMES; frame++)
        expect_all(PARTICLES_POSITION, NULL, frame, (size_t)frame, "position");
    struct particles *particles = open_particles(PARTICLES_POSITION, NULL, 0);
    assert_true(particles_cache_bytes(particles) >= BODIES * AXES * sizeof(double));
}

// ---- what is wrong with a file

TEST(shapes_of_no_bodies)
{
    int d[3];
    const int file = begin_file(NC_NETCDF4, d);
    const int two = make_dimension(file, "two", 2), none = make_dimension(file, "none", NC_UNLIMITED);
    const int flat[] = {d[1], two}, turned[] = {d[2], d[1]}, four[] = {two, d[0], d[1], d[2]};
    const int empty[] = {none, d[2]}, no_frames[] = {none, d[1], d[2]};
    make_variable(file, "flat", NC_DOUBLE, NULL, 2, flat);
    make_variable(file, "turned", NC_DOUBLE, NULL, 2, turned);
    make_variable(file, "four", NC_DOUBLE, NULL, 4, four);
    make_variable(file, "point", NC_DOUBLE, NULL, 0, NULL);
    make_variable(file, "line", NC_DOUBLE, NULL, 1, d + 1);
    make_variable(file, "other", NC_DOUBLE, NULL, 1, d);
    make_variable(file, "text", NC_CHAR, NULL, 2, d + 1);
    make_variable(file, "empty", NC_DOUBLE, NULL, 2, empty);
    make_variable(file, "still", NC_DOUBLE, NULL, 3, no_frames);
    NC(nc_close(file));
    static const struct {
        enum particles_quantity quantity;
        const char *variable, *fragment;
    } bad[] = {{PARTICLES_POSITION, "flat",
                "variable flat has the shape (7, 2): expected (bodies, 3) or (frames, bodies, 3)"},
               {PARTICLES_POSITION, "turned", "variable turned has the shape (3, 7): expected (bodies, 3)"},
               {PARTICLES_POSITION, "four", "variable four has the shape (2, 3, 7, 3): expected"},
               {PARTICLES_POSITION, "point", "variable point has the shape (): expected"},
               {PARTICLES_POSITION, "line", "variable line has the shape (7): expected"},
               {PARTICLES_POSITION, "line line other", "variable other has the shape (3), unlike line"},
               {PARTICLES_POSITION, "line line flat", "variable flat has the shape (7, 2), unlike line"},
               {PARTICLES_POSITION, "text", "variable text does not hold numbers"},
               {PARTICLES_POSITION, "empty", "variable empty has no bodies"},
               {PARTICLES_POSITION, "still", "variable still has no frames"},
               {PARTICLES_MASS, "four",
                "variable four has the shape (2, 3, 7, 3): expected (bodies) or (frames, bodies)"},
               {PARTICLES_MASS, "point", "variable point has the shape (): expected (bodies)"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        refuses(bad[k].quantity, bad[k].variable, -1, STATUS_DATA, bad[k].fragment);
    char name[2000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    refuses(PARTICLES_POSITION, name, -1, STATUS_DATA, "too long");
}

TEST(files_that_cannot_be_read)
{
    refuses(PARTICLES_POSITION, NULL, -1, STATUS_NO_INPUT, "file.nc");
    folder_write_text("file.nc", "1 2 3\n4 5 6\n");
    refuses(PARTICLES_POSITION, NULL, -1, STATUS_DATA, "file.nc");
    static const int modes[] = {NC_NETCDF4, 0};
    for (size_t k = 0; k < 2; k++) {
        int dimensions[3];
        const int file = begin_file(modes[k], dimensions);
        add_quantity(file, "position", NULL, dimensions, true, -1);
        NC(nc_close(file));
        size_t length;
        char *bytes = folder_read("file.nc", &length);
        folder_write("file.nc", bytes, length / 2);
        refuses(PARTICLES_POSITION, NULL, -1, STATUS_DATA, "file.nc");
    }
    static const double none = 0;
    int dimensions[3];
    const int file = begin_file(NC_NETCDF4, dimensions);
    const int variable = make_variable(file, "position", NC_FLOAT, NULL, 2, dimensions + 1);
    NC(nc_put_att_double(file, variable, "scale_factor", NC_DOUBLE, 1, &none));
    NC(nc_close(file));
    refuses(PARTICLES_POSITION, NULL, -1, STATUS_DATA, "position");
}
