// io/formats/volume.c against files written here with netCDF-C itself: every order of dimensions, descending
// axes, packing, planes, invalid coordinates; and plain HDF5 files, MATLAB's among them, made by h5py where
// it is there.
#include "tests/support/test.h"

#include "io/formats/volume.h"
#include "tests/support/fresh.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"

enum { NZ = 4, NY = 3, NX = 5, CELLS = NZ * NY * NX };

// The value of cell (z, y, x), from which all three can be read.
static double value_at(size_t z, size_t y, size_t x)
{
    return (double)(100 * z + 10 * y + x);
}

OWNED(own_volume, struct volume, volume_close);

static struct volume *open_volume(const char *variable)
{
    struct volume *volume;
    assert_ok(volume_open(folder_path("file.nc"), variable, -1, &volume));
    return own_volume(volume);
}

static void refuses(const char *variable, int64_t record, enum status status, const char *fragment)
{
    struct volume *volume;
    assert_failure(volume_open(folder_path("file.nc"), variable, record, &volume), status, fragment,
                   "file.nc");
    assert_null(volume);
}

// In pieces of one, two and all planes: the same values.
static void expect_values(struct volume *volume, size_t nz, double (*expected)(size_t, size_t, size_t))
{
    static double values[CELLS], scratch[CELLS];
    for (size_t block = 1; block <= nz; block += nz > 1 ? nz / 2 : 1)
        for (size_t z = 0; z < nz; z += block) {
            const size_t count = z + block < nz ? block : nz - z;
            assert_ok(volume_read(volume, z, count, values, scratch));
            for (size_t i = 0; i < count * NY * NX; i++) {
                const double wanted = expected(z + i / (NY * NX), i / NX % NY, i % NX);
                if (values[i] != wanted)
                    fail_msg("block of %zu at %zu: entry %zu is %g, expected %g", block, z, i, values[i],
                             wanted);
            }
        }
}

// ---- order and direction of the axes

// `order`: the file's, as "xzy"; a capital letter: that axis descends.
static void make_ordered(const char *order, const char *units)
{
    static const char letters[] = "zyx";
    static const size_t lengths[] = {NZ, NY, NX};
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
    int dimensions[3], axes[3];
    bool descends[3] = {false};
    for (int k = 0; k < 3; k++) {
        const char letter = (char)(order[k] | 0x20), name[2] = {letter, '\0'};
        const int axis = axes[k] = (int)(strchr(letters, letter) - letters);
        double values[8];
        descends[axis] = order[k] != letter;
        for (size_t i = 0; i < lengths[axis]; i++)
            values[i] = 10.0 * axis + 0.5 * (double)(descends[axis] ? lengths[axis] - 1 - i : i);
        dimensions[k] = make_axis(file, name, units, lengths[axis], values);
    }
    double values[CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        size_t rest = i, at[3];
        for (int k = 2; k >= 0; k--) {
            at[axes[k]] = rest % lengths[axes[k]];
            rest /= lengths[axes[k]];
        }
        for (int axis = 0; axis < 3; axis++)
            if (descends[axis])
                at[axis] = lengths[axis] - 1 - at[axis];
        values[i] = value_at(at[0], at[1], at[2]);
    }
    make_field(file, "T", "degC", 3, dimensions, values);
    NC(nc_close(file));
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(any_order_is_brought_to_zyx)
{
    static const char *const orders[] = {"zyx", "zxy", "yzx", "yxz", "xyz", "xzy",
                                         "Zyx", "zYx", "XyZ", "YXZ", "xZY"};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        make_ordered(orders[k], "mm");
        struct volume *volume = open_volume(k % 2 ? "T" : NULL);
        const struct volume_info *info = volume_info(volume);
        assert_int_equal(info->cells[VOLUME_Z], NZ);
        assert_int_equal(info->cells[VOLUME_Y], NY);
        assert_int_equal(info->cells[VOLUME_X], NX);
        assert_string_equal(info->units, "degC");
        for (int axis = 0; axis < 3; axis++) {
            assert_true(info->has_origin[axis] && info->has_spacing[axis]);
            assert_true(fabs(info->origin_m[axis] - 0.01 * axis) < 1e-15);
            assert_true(fabs(info->spacing_m[axis] - 0.0005) < 1e-15);
        }
        expect_values(volume, NZ, value_at);
        owned_end(volume);
    }
}

TEST(lengths_come_in_their_units)
{
    static const struct {
        const char *units;
        double metre;
    } units[] = {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}, {"inch", 0.0254}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        make_ordered("zyx", units[k].units);
        struct volume *volume = open_volume("T");
        assert_true(fabs(volume_info(volume)->spacing_m[VOLUME_X] / (0.5 * units[k].metre) - 1) < 1e-14);
        assert_true(fabs(volume_info(volume)->origin_m[VOLUME_X] / (20 * units[k].metre) - 1) < 1e-14);
        owned_end(volume);
    }
    make_ordered("zyx", NULL);
    struct volume *volume = open_volume("T");
    assert_false(
        volume_info(volume)->has_spacing[VOLUME_X]); // indices, perhaps: nothing is taken for granted
    assert_string_equal(volume_info(volume)->coordinate[VOLUME_X], "x");
    owned_end(volume);
    make_ordered("zyx", "K");
    refuses("T", -1, STATUS_DATA, "coordinate");
}

// ---- other shapes

static double flat_at(size_t z, size_t y, size_t x)
{
    return value_at(z + 2, y, x);
}

TEST(a_plane_has_one_z)
{
    const int file = make_file(folder_path("file.nc"), 0);
    double values[NY * NX];
    for (size_t i = 0; i < NY * NX; i++)
        values[i] = flat_at(0, i / NX, i % NX);
    const int dimensions[] = {make_dimension(file, "rows", NY), make_dimension(file, "columns", NX)};
    make_field(file, "T", NULL, 2, dimensions, values);
    NC(nc_close(file));
    struct volume *volume = open_volume(NULL);
    assert_int_equal(volume_info(volume)->cells[VOLUME_Z], 1);
    assert_string_equal(volume_info(volume)->units, "");
    assert_false(volume_info(volume)->has_spacing[VOLUME_X]);
    expect_values(volume, 1, flat_at);
}

// Dimensions whose names say nothing are z, y, x from the slowest on; lengths of 1 go only where there are
// too many.
TEST(lengths_of_one)
{
    static const struct {
        size_t lengths[5], cells[3]; // of the file, 0 ends them; z, y, x
    } cases[] = {
        {{1, NY, NX}, {1, NY, NX}},         {{NZ, NY, 1}, {NZ, NY, 1}}, {{1, 1, NX}, {1, 1, NX}},
        {{NZ, 1, NY, NX, 1}, {NZ, NY, NX}}, {{NY, NX}, {1, NY, NX}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
        int dimensions[5], rank = 0;
        for (; rank < 5 && cases[k].lengths[rank]; rank++) {
            const char *name = format_text("n%d", rank);
            dimensions[rank] = make_dimension(file, name, cases[k].lengths[rank]);
        }
        make_field(file, "T", "K", rank, dimensions, (double[CELLS]){0});
        NC(nc_close(file));
        struct volume *volume = open_volume(NULL);
        assert_memory_equal(volume_info(volume)->cells, cases[k].cells, sizeof cases[k].cells);
        owned_end(volume);
    }
}

TEST(a_record_is_chosen)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
    static double values[3 * CELLS];
    for (size_t i = 0; i < 3 * CELLS; i++)
        values[i] = (double)(i / CELLS) * 200 + value_at(i % CELLS / (NY * NX), i / NX % NY, i % NX);
    const int dimensions[] = {make_axis(file, "time", "seconds since 2026-01-01", 3, (double[]){0, 1, 2}),
                              make_dimension(file, "z", NZ), make_dimension(file, "y", NY),
                              make_dimension(file, "x", NX)};
    make_field(file, "T", "K", 4, dimensions, values);
    NC(nc_close(file));
    refuses("T", -1, STATUS_DATA, "3 records");
    refuses("T", 3, STATUS_DATA, "record 3");
    struct volume *volume;
    assert_ok(volume_open(folder_path("file.nc"), "T", 1, &volume));
    own_volume(volume);
    expect_values(volume, 3, flat_at); // record 1 is 200 more, as two planes further on
}

TEST(packed_and_missing)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
    const int dimensions[] = {make_dimension(file, "y", 2), make_dimension(file, "x", 3)};
    const int variable = make_variable(file, "T", NC_SHORT, "degC", 2, dimensions);
    NC(nc_put_att_double(file, variable, "scale_factor", NC_DOUBLE, 1, &(double){0.5}));
    NC(nc_put_att_double(file, variable, "add_offset", NC_DOUBLE, 1, &(double){30}));
    NC(nc_put_att_short(file, variable, "_FillValue", NC_SHORT, 1, &(short){-9}));
    make_values(file, variable, (double[]){0, 2, -9, 14, 15, 16});
    NC(nc_close(file));
    struct volume *volume = open_volume("T");
    double values[6], scratch[6];
    assert_ok(volume_read(volume, 0, 1, values, scratch));
    assert_true(values[0] == 30 && values[1] == 31 && isnan(values[2]) && values[5] == 38);
}

// ---- what is no volume

TEST(bad_coordinates)
{
    const struct {
        double x[4];
        const char *fragment;
    } cases[] = {{{0, 1, 2.01, 3}, "not evenly spaced"},
                 {{0, 1, NAN, 3}, "entry 2 is not a finite number"},
                 {{1, 1, 1, 1}, "does not change"},
                 {{0, 1, 0, 1}, "not evenly spaced"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
        const int dimensions[] = {make_dimension(file, "y", 2), make_axis(file, "x", "mm", 4, cases[k].x)};
        make_field(file, "T", "K", 2, dimensions, (double[8]){0});
        NC(nc_close(file));
        refuses("T", -1, STATUS_DATA, cases[k].fragment);
    }
    // A thousandth is what rounding to few decimals does.
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
    const int dimensions[] = {make_dimension(file, "y", 2),
                              make_axis(file, "x", "mm", 4, (double[]){0, 1.0002, 2, 3})};
    make_field(file, "T", "K", 2, dimensions, (double[8]){0});
    NC(nc_close(file));
    owned_end(open_volume("T"));
}

TEST(bad_variables)
{
    const int file = make_file(folder_path("file.nc"), NC_NETCDF4);
    const int x = make_dimension(file, "x", 3), y = make_dimension(file, "y", 2);
    const int many[] = {make_dimension(file, "a", 2), make_dimension(file, "b", 2), y, x};
    make_field(file, "line", NULL, 1, &x, (double[]){1, 2, 3});
    make_field(file, "A", NULL, 2, (int[]){y, x}, (double[6]){0});
    make_field(file, "B", NULL, 2, (int[]){y, x}, (double[6]){0});
    make_field(file, "four", NULL, 4, many, (double[24]){0});
    make_variable(file, "text", NC_CHAR, NULL, 2, (int[]){y, x});
    make_field(file, "square", NULL, 2, (int[]){x, x}, (double[9]){0});
    NC(nc_close(file));
    refuses(NULL, -1, STATUS_DATA, "several volumes: name the variable; volumes in the file: A, B, four");
    refuses("C", -1, STATUS_DATA, "no variable \"C\"; volumes in the file: A, B");
    refuses("line", -1, STATUS_DATA, "is not a volume");
    refuses("four", -1, STATUS_DATA, "more dimensions than a volume");
    refuses("text", -1, STATUS_DATA, "no plain numbers");
    refuses("square", -1, STATUS_DATA, "two dimensions that are the same axis");
    folder_write_text("file.nc", "no netCDF file\n");
    refuses("A", -1, STATUS_DATA, "file.nc");
    folder_delete("file.nc");
    refuses("A", -1, STATUS_NO_INPUT, "file.nc");
}

TEST(a_cut_file_is_noticed)
{
    make_ordered("zyx", "mm");
    size_t length;
    char *bytes = folder_read("file.nc", &length);
    folder_write("file.nc", bytes, length * 3 / 4);
    struct volume *volume;
    enum status status = volume_open(folder_path("file.nc"), "T", -1, &volume);
    if (status == STATUS_OK) {
        double values[CELLS], scratch[CELLS];
        status = volume_read(volume, 0, NZ, values, scratch);
        volume_close(volume);
    }
    assert_int_equal(status, STATUS_DATA);
    assert_non_null(strstr(status_message(), "file.nc"));
}

TEST(two_volumes_must_be_alike)
{
    make_ordered("zyx", "mm");
    folder_shell("cp %s %s", folder_path("file.nc"), folder_path("other.nc"));
    make_ordered("zyx", "cm");
    struct volume *volume = open_volume("T"), *other;
    assert_ok(volume_open(folder_path("other.nc"), "T", -1, &other));
    own_volume(other);
    assert_ok(volume_check_alike(volume, volume));
    assert_failure(volume_check_alike(volume, other), STATUS_DATA, "spacing of 5 mm along z");
}

// ---- HDF5 without netCDF's conventions

TEST(plain_hdf5_files)
{
    static const char python[] = "/usr/bin/python3";
    if (folder_shell_code("%s -c 'import h5py, numpy' >/dev/null 2>&1", python) != 0) {
        print_message("h5py is not installed: plain HDF5 files are not tested\n");
        skip();
    }
    // MATLAB v7.3 puts 512 bytes of its own before the HDF5 file, and writes the first index last.
    folder_write_text(
        "make.py",
        "import h5py, numpy as np, sys\n"
        "z, y, x = np.meshgrid(range(4), range(3), range(5), indexing='ij')\n"
        "T = 100.0 * z + 10 * y + x\n"
        "if sys.argv[2] == 'mat':\n"
        "    with h5py.File(sys.argv[1], 'w', userblock_size=512) as f:\n"
        "        f.create_dataset('T', data=T).attrs['MATLAB_class'] = np.bytes_('double')\n"
        "    with open(sys.argv[1], 'r+b') as f:\n"
        "        f.write(b'MATLAB 7.3 MAT-file, Platform: GLNXA64'.ljust(124) + b'\\x00\\x02IM')\n"
        "else:\n"
        "    with h5py.File(sys.argv[1], 'w') as f:\n"
        "        f.create_dataset('T', data=T.astype('f4'), chunks=(2, 3, 2), compression='gzip')\n");
    static const char *const kinds[] = {"mat", "plain"};
    for (int k = 0; k < 2; k++) {
        folder_shell("%s %s %s %s", python, folder_path("make.py"), folder_path("file.nc"), kinds[k]);
        struct volume *volume = open_volume("T");
        assert_false(volume_info(volume)->has_spacing[VOLUME_X]);
        expect_values(volume, NZ, value_at);
        owned_end(volume);
    }
}

// Links that lead upwards, or to more groups than there are: netCDF-C would follow them without an end. The
// same group under two names is none of them.
TEST(loops_of_groups)
{
    static const char python[] = "/usr/bin/python3";
    static const struct {
        const char *make, *fragment;
    } cases[] = {
        {"h['g'] = h['/']", "the link g leads to a group that contains it"},
        {"h['g'] = h5py.SoftLink('/')", "the link g leads to a group that contains it"},
        {"h['g'] = h5py.ExternalLink('file.nc', '/')", "the link g leads to a group that contains it"},
        {"c = h.create_group('a/b/c'); c['up'] = h['a']", "the link up leads to a group that contains it"},
        {"g = h\nfor k in range(40):\n    g, above = g.create_group('a'), g\n    above['b'] = g",
         "more than 100000 groups"},
        {"x = h.create_group('x'); x['T'] = h['T']\nh['y'] = h['x']\nh['z'] = h5py.SoftLink('/x')", NULL}};
    if (folder_shell_code("%s -c 'import h5py, numpy' >/dev/null 2>&1", python) != 0) {
        print_message("h5py is not installed: loops of groups are not tested\n");
        skip();
    }
    for (size_t k = 0; k < COUNT(cases); k++) {
        folder_write_text("make.py",
                          format_text("import h5py, numpy as np, sys\nh = h5py.File(sys.argv[1], 'w')\n"
                                      "h['T'] = np.ones((2, 3, 4))\n%s\n",
                                      cases[k].make));
        folder_shell("%s %s %s", python, folder_path("make.py"), folder_path("file.nc"));
        if (cases[k].fragment)
            refuses("T", -1, STATUS_DATA, cases[k].fragment);
        else
            owned_end(open_volume("z/T"));
    }
}
