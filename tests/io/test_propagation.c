// Waves over time, latitude and longitude: the program's own fields and files as in NOAA's propagation
// database are read alike, whatever their units, order and turn; what they may not be is refused in one line;
// and NOAA's form is written so that it is read back, also by ncdump.
#include "tests/support/test.h"

#include "io/formats/propagation_file.h"
#include "io/units.h"
#include "tests/support/folder.h"

#include <errno.h>
#include <fcntl.h>

#include "tests/support/propagation_fixture.h"
#include "tests/support/statuses.h"

// Files get and lose their names by these two; after so many of them, when >= 0, the process counts as
// killed: nothing changes any more.
static int changes_left = -1;

static bool is_killed(void)
{
    if (changes_left > 0)
        changes_left--;
    else if (changes_left == 0)
        return true;
    return false;
}

int rename(const char *from, const char *to)
{
    if (!is_killed())
        return renameat(AT_FDCWD, from, AT_FDCWD, to);
    errno = EIO;
    return -1;
}

int unlink(const char *path)
{
    if (!is_killed())
        return unlinkat(AT_FDCWD, path, 0);
    errno = EIO;
    return -1;
}

static const double rows_at[WAVE_ROWS] = {30, 30.51, 31.04, 31.59, 32.16, 32.75};

// Single precision holds it, and a hundred times it: eighths of a centimetre.
static double eighths(double time_s, double latitude, double longitude)
{
    if (latitude > 32.7 && longitude < 141)
        return NAN;
    return round(8 * (100 * sin(0.01 * time_s + latitude) * cos(longitude))) / 800;
}

static void expect_same(const char *path, const struct wave_file *f)
{
    struct propagation_file *file;
    static double values[WAVE_RECORDS][WAVE_ROWS][WAVE_COLUMNS];
    assert_ok(propagation_open(path, PROPAGATION_ETA, &file));
    const struct propagation_info *info = propagation_info(file);
    assert_int_equal(info->records, WAVE_RECORDS);
    assert_int_equal(info->rows, WAVE_ROWS);
    assert_int_equal(info->columns, WAVE_COLUMNS);
    const struct propagation_block all = {
        .records = WAVE_RECORDS, .rows = WAVE_ROWS, .columns = WAVE_COLUMNS};
    assert_ok(propagation_read(file, &all, &values[0][0][0]));
    for (int t = 0; t < WAVE_RECORDS; t++)
        for (int j = 0; j < WAVE_ROWS; j++)
            for (int i = 0; i < WAVE_COLUMNS; i++) {
                const double expected = f->value(60.0 * t, rows_at[j], 140 + 0.5 * i);
                assert_true(fabs(info->latitudes[j] - rows_at[j]) < 1e-12);
                assert_true(fabs(info->longitudes[i] - (140 + 0.5 * i) - f->turn) < 1e-12);
                assert_true(fabs(info->times_s[t] - 60.0 * t) < 1e-9);
                if (isnan(expected))
                    assert_true(isnan(values[t][j][i]));
                else if (!(fabs(values[t][j][i] - expected) <= 0x1p-24 * fabs(expected)))
                    fail_msg("record %d, row %d, column %d: %.9g, expected %.9g", t, j, i, values[t][j][i],
                             expected);
            }
    // A part of it is the same part.
    double part[2][2][3];
    const struct propagation_block block = {
        .record = 3, .records = 2, .row = 1, .rows = 2, .column = 4, .columns = 3};
    assert_ok(propagation_read(file, &block, &part[0][0][0]));
    for (int t = 0; t < 2; t++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 3; i++)
                assert_true(part[t][j][i] == values[3 + t][1 + j][4 + i]);
    propagation_close(file);
}

TEST(forms)
{
    struct wave_file f = wave_file_of(false, eighths);
    wave_file_write(folder_path("fields.nc"), &f);
    expect_same(folder_path("fields.nc"), &f);
    f = wave_file_of(true, eighths);
    wave_file_write(folder_path("a_ha.nc"), &f);
    expect_same(folder_path("a_ha.nc"), &f);
    static const struct {
        const char *units, *time_units;
        double per_si;
        bool is_north_first, has_missing_value;
        double turn;
        nc_type type;
    } cases[] = {{"cm", "seconds", 100, true, true, 0, NC_FLOAT},
                 {"m", "s", 1, false, false, -360, NC_FLOAT}, // -1e34, though no attribute says so
                 {"centimeters", "sec", 100, true, false, 360, NC_DOUBLE},
                 {"mm", NULL, 1000, false, true, 0, NC_DOUBLE},
                 {"CM", "seconds since 2006-11-15 11:14:13", 100, false, true, 0, NC_FLOAT}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        f = wave_file_of(true, eighths);
        f.units = cases[k].units;
        f.time_units = cases[k].time_units;
        f.per_si = cases[k].per_si;
        f.is_north_first = cases[k].is_north_first;
        f.has_missing_value = cases[k].has_missing_value;
        f.turn = cases[k].turn;
        f.type = cases[k].type;
        wave_file_write(folder_path("b_ha.nc"), &f);
        expect_same(folder_path("b_ha.nc"), &f);
    }
}

TEST(minutes)
{
    struct wave_file f = wave_file_of(true, eighths);
    struct propagation_file *file;
    f.time_units = "minutes";
    wave_file_write(folder_path("a.nc"), &f);
    assert_ok(propagation_open(folder_path("a.nc"), PROPAGATION_ETA, &file));
    assert_true(fabs(propagation_info(file)->times_s[1] - 3600) < 1e-9);
    assert_string_equal(propagation_info(file)->date, "");
    assert_true(propagation_info(file)->is_noaa);
    propagation_close(file);
    f = wave_file_of(false, eighths);
    wave_file_write(folder_path("a.nc"), &f);
    assert_ok(propagation_open(folder_path("a.nc"), PROPAGATION_ETA, &file));
    assert_string_equal(propagation_info(file)->date, "2011-03-11 05:46:24");
    assert_false(propagation_info(file)->is_noaa);
    propagation_close(file);
}

// ---- refusals

static void refuses(const struct wave_file *f, enum propagation_quantity quantity, const char *fragment)
{
    struct propagation_file *file;
    static double values[WAVE_RECORDS * WAVE_ROWS * WAVE_COLUMNS];
    const struct propagation_block all = {
        .records = WAVE_RECORDS, .rows = WAVE_ROWS, .columns = WAVE_COLUMNS};
    if (f)
        wave_file_write(folder_path("bad.nc"), f);
    enum status opened;
    assert_failure((opened = propagation_open(folder_path("bad.nc"), quantity, &file)) == STATUS_OK
                       ? propagation_read(file, &all, values)
                       : opened,
                   STATUS_DATA, fragment, "bad.nc");
    propagation_close(file);
}

static double infinite(double time_s, double latitude, double longitude)
{
    return time_s > 100 && latitude > 31 && longitude > 142 ? (double)INFINITY : 0.0;
}

static double absurd(double time_s, double latitude, double longitude)
{
    return latitude > 31 && longitude > 142 ? 1e20 : 0.0;
}

TEST(mistakes)
{
    const struct wave_file good = wave_file_of(true, eighths);
    struct wave_file f = good;
    f.variable = "ZA";
    refuses(&f, PROPAGATION_ETA, "no variable eta or HA (it has: TIME, LAT, LON, ZA)");
    refuses(&good, PROPAGATION_V, "no variable v or VA");
    f = good;
    f.units = "kg";
    refuses(&f, PROPAGATION_ETA, "variable HA");
    f.units = "cm/s";
    refuses(&f, PROPAGATION_ETA, "variable HA");
    f.units = NULL;
    refuses(&f, PROPAGATION_ETA, "has no units");
    f = good;
    f.time_units = "metres";
    refuses(&f, PROPAGATION_ETA, "axis TIME");
    f = good;
    f.axes[0] = "STEP"; // no time
    f.time_units = NULL;
    refuses(&f, PROPAGATION_ETA, "expected numbers over (time, latitude, longitude)");
    f = good;
    f.times[3] = f.times[2];
    refuses(&f, PROPAGATION_ETA, "axis TIME: 120 (entry 3) does not come after 120");
    f = good;
    f.longitudes[4] = NAN;
    refuses(&f, PROPAGATION_ETA, "axis LON: entry 4 is missing");
    f = good;
    f.latitudes[5] = 91;
    refuses(&f, PROPAGATION_ETA, "expected latitudes");
    f = good;
    f.longitudes[7] = 141;
    refuses(&f, PROPAGATION_ETA, "axis LON: 141 (entry 7) does not come after 143");
    f = good;
    f.type = NC_DOUBLE;
    f.value = infinite;
    refuses(&f, PROPAGATION_ETA, "HA is inf CENTIMETERS");
    f.value = absurd;
    refuses(&f, PROPAGATION_ETA, "HA is 1e+22 CENTIMETERS");
}

TEST(damage)
{
    struct wave_file f = wave_file_of(true, eighths);
    struct propagation_file *file;
    wave_file_write(folder_path("bad.nc"), &f);
    folder_shell("truncate -s 1000 '%s'", folder_path("bad.nc"));
    refuses(NULL, PROPAGATION_ETA, "");
    folder_write_text("bad.nc", "time lat lon eta\n");
    refuses(NULL, PROPAGATION_ETA, "");
    assert_int_equal(propagation_open(folder_path("none.nc"), PROPAGATION_ETA, &file), STATUS_NO_INPUT);
    assert_null(file);
    status_clear();
}

// A header that promises more than any memory holds is not believed: nothing is allocated for it.
TEST(absurd_sizes)
{
    static const size_t lengths[3] = {2, 2, 3000000000}, chunks[3] = {1, 2, 1000};
    static const char *const names[3] = {"time", "lat", "lon"}, *const units[3] = {"s", "degrees_north",
                                                                                   "degrees_east"};
    static const double ends[2] = {0, 1};
    const int file = make_file(folder_path("bad.nc"), NC_NETCDF4);
    int dimensions[3];
    for (int k = 0; k < 3; k++) {
        dimensions[k] = make_dimension(file, names[k], lengths[k]);
        const int axis = make_variable(file, names[k], NC_DOUBLE, units[k], 1, &dimensions[k]);
        NC(nc_def_var_chunking(file, axis, NC_CHUNKED, &chunks[k]));
        if (k < 2)
            make_values(file, axis, ends);
    }
    const int eta = make_variable(file, "eta", NC_FLOAT, "m", 3, dimensions);
    NC(nc_def_var_chunking(file, eta, NC_CHUNKED, chunks));
    NC(nc_close(file));
    refuses(NULL, PROPAGATION_ETA, "axis lon has 3000000000 entries, expected at most 1000000");
}

// ---- writing

static void write_copy(const char *name, double turn, size_t records)
{
    const struct wave_file f = wave_file_of(true, eighths);
    double longitudes[WAVE_COLUMNS], values[WAVE_ROWS][WAVE_COLUMNS];
    for (int i = 0; i < WAVE_COLUMNS; i++)
        longitudes[i] = f.longitudes[i] + turn;
    const struct propagation_write request = {
        .stem = folder_path("%.*s", (int)(strlen(name) - strlen("_ha.nc")), name),
        .quantity = PROPAGATION_ETA,
        .rows = WAVE_ROWS,
        .columns = WAVE_COLUMNS,
        .latitudes = f.latitudes,
        .longitudes = longitudes,
        .title = "a test"};
    struct propagation_writer *writer;
    assert_ok(propagation_create(&request, &writer));
    for (size_t t = 0; t < records; t++) {
        for (int j = 0; j < WAVE_ROWS; j++)
            for (int i = 0; i < WAVE_COLUMNS; i++)
                values[j][i] = eighths(f.times[t], f.latitudes[j], f.longitudes[i]);
        assert_false(folder_has(name));
        assert_ok(propagation_append(writer, f.times[t], &values[0][0]));
    }
    assert_ok(propagation_finish((struct propagation_writer *[PROPAGATION_QUANTITIES]){writer}));
    assert_int_equal(folder_count(""), 1); // nothing else is left
}

TEST(writing)
{
    struct wave_file f = wave_file_of(true, eighths);
    write_copy("w_ha.nc", -360, WAVE_RECORDS); // is written in 0 … 360
    expect_same(folder_path("w_ha.nc"), &f);
    folder_shell("ncdump -h '%s' | grep -q 'float HA(TIME, LAT, LON)'", folder_path("w_ha.nc"));
    folder_shell("ncdump -h '%s' | grep -q 'TIME = UNLIMITED ; // (5 currently)'", folder_path("w_ha.nc"));
    folder_shell("ncdump -h '%s' | grep -q 'HA:missing_value = -1.e+34f'", folder_path("w_ha.nc"));
    folder_shell("ncdump -h '%s' | grep -q 'HA:units = \"CENTIMETERS\"'", folder_path("w_ha.nc"));
    folder_shell("ncdump -k '%s' | grep -q '64-bit offset'", folder_path("w_ha.nc"));
    // A file that cannot be: nothing stands under its name, nor beside it.
    folder_clear();
    struct propagation_writer *writer;
    const struct propagation_write request = {.stem = folder_path("no/folder/x"),
                                              .rows = WAVE_ROWS,
                                              .columns = WAVE_COLUMNS,
                                              .latitudes = f.latitudes,
                                              .longitudes = f.longitudes};
    assert_int_equal(propagation_create(&request, &writer), STATUS_CANNOT_CREATE);
    assert_null(writer);
    assert_int_equal(folder_count(""), 0);
    status_clear();
}

TEST(giving_up)
{
    struct wave_file f = wave_file_of(true, eighths);
    const struct propagation_write request = {.stem = folder_path("x"),
                                              .rows = WAVE_ROWS,
                                              .columns = WAVE_COLUMNS,
                                              .latitudes = f.latitudes,
                                              .longitudes = f.longitudes};
    struct propagation_writer *writer;
    double values[WAVE_ROWS * WAVE_COLUMNS] = {0};
    assert_ok(propagation_create(&request, &writer));
    assert_ok(propagation_append(writer, 60, values));
    assert_failure(propagation_append(writer, 60, values), STATUS_SOFTWARE, "");
    propagation_abandon(writer);
    assert_int_equal(folder_count(""), 0);
}

// ---- the three files of a source

// Every value is `marker`; `quantities`: one bit for each.
static enum status write_source(const char *stem, unsigned quantities, double marker)
{
    const struct wave_file f = wave_file_of(true, eighths);
    struct propagation_writer *writers[PROPAGATION_QUANTITIES] = {0};
    double values[WAVE_ROWS * WAVE_COLUMNS];
    for (int k = 0; k < WAVE_ROWS * WAVE_COLUMNS; k++)
        values[k] = marker;
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        const struct propagation_write request = {.stem = folder_path("%s", stem),
                                                  .quantity = (enum propagation_quantity)q,
                                                  .rows = WAVE_ROWS,
                                                  .columns = WAVE_COLUMNS,
                                                  .latitudes = f.latitudes,
                                                  .longitudes = f.longitudes};
        if (!(quantities >> q & 1))
            continue;
        CHECK(propagation_create(&request, &writers[q]));
        assert_ok(propagation_append(writers[q], 0, values));
    }
    const enum status status = propagation_finish(writers);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        assert_null(writers[q]);
    return status;
}

// Which quantities are present, bit by bit; all must be readable and of one source, whose marker is returned.
static unsigned inspect_source(const char *stem, double *marker)
{
    unsigned found = 0;
    *marker = 0;
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        char path[PATH_BYTES];
        struct propagation_file *file;
        double value;
        const struct propagation_block one = {.records = 1, .rows = 1, .columns = 1};
        assert_ok(propagation_noaa_path(folder_path("%s", stem), (enum propagation_quantity)q, path));
        if (access(path, F_OK) != 0)
            continue;
        assert_ok(propagation_open(path, (enum propagation_quantity)q, &file));
        assert_ok(propagation_read(file, &one, &value));
        propagation_close(file);
        if (found && value != *marker)
            fail_msg("files of two sources stand together: %g and %g", *marker, value);
        *marker = value;
        found |= 1U << q;
    }
    return found;
}

TEST(trios)
{
    enum { ETA = 1, ALL = 7 };
    static const unsigned cases[][2] = {{ALL, ALL}, {ALL, ETA}, {ETA, ALL}, {ALL, 3}, {3, 5}, {ALL, 6}};
    double marker;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool is_done = false;
        int kill_after = 0;
        for (; !is_done; kill_after++) {
            folder_clear();
            assert_ok(write_source("x", cases[k][0], 1));
            assert_int_equal(inspect_source("x", &marker), cases[k][0]);
            changes_left = kill_after;
            const enum status status = write_source("x", cases[k][1], 2);
            is_done = changes_left > 0; // nothing was left to be killed at
            changes_left = -1;
            const unsigned found = inspect_source("x", &marker);
            // The elevations, without which a source does not count, have all that belongs to them.
            if (found & ETA && marker == 2)
                assert_int_equal(found, cases[k][1]);
            if (kill_after == 0)
                assert_int_equal(found, cases[k][0]);
            if (is_done) {
                assert_ok(status);
                assert_int_equal(found, cases[k][1]);
                assert_true(marker == 2);
                assert_int_equal(folder_count(""), __builtin_popcount(found));
            } else if (status != STATUS_OK) {
                assert_int_equal(status, STATUS_IO);
            }
            status_clear();
        }
        assert_in_range(kill_after, 3, 20);
    }
}

// Names that would be read as part of the source, or are read instead of it.
TEST(neighbours)
{
    double marker;
    assert_ok(write_source("X", 7, 1));
    assert_failure(write_source("x", 1, 2), STATUS_CANNOT_CREATE, "differs in case alone");
    assert_int_equal(inspect_source("X", &marker), 7);
    assert_int_equal(folder_count(""), 3);
    const char *stem = format_text("%s", folder_path("X"));
    assert_ok(propagation_check_input(stem, folder_path("x_ha.nc"))); // is not there
    folder_shell("cd '%s' && ln -s X_va.nc other.nc", folder_root());
    assert_failure(propagation_check_input(stem, folder_path("other.nc")), STATUS_CANNOT_CREATE,
                   "X_va.nc: is the input itself");
}

static int tear_down(void **state)
{
    changes_left = -1;
    units_release();
    return folder_remove(state);
}

TEST_SUITE(.setup = folder_make, .teardown = tear_down);
