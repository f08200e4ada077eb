// Sums of unit sources are compared with the sum computed in the test: equal except for rounding in general;
// bit for bit for one source with its own slip, for slips that are all doubled, and for any number of records
// at a time. A value that is missing in one source is missing in the sum. Sources with different grids or
// times, and invalid folders for the results, are refused.
#include "tests/support/test.h"

#include "io/units.h"
#include "models/tsunami/forecast/combine.h"
#include "tests/support/folder.h"

#include <float.h>

#include "tests/support/propagation_fixture.h"
#include "tests/support/statuses.h"

enum { SOURCES = 3, VALUES = WAVE_RECORDS * WAVE_ROWS * WAVE_COLUMNS };

// Multiples of 1/8 cm, which are exact in single precision in m and in cm. Land in one corner; for source 1
// also in another corner.
static double wave(int source, double time_s, double latitude, double longitude)
{
    if ((latitude > 32.7 && longitude < 141) || (source == 1 && latitude < 30.2 && longitude > 143.2))
        return NAN;
    return round(800 * sin(0.01 * time_s * (source + 1) + latitude) * cos(longitude + source)) / 1024;
}

static double wave_0(double t, double y, double x)
{
    return 2 * wave(0, t, y, x);
}
static double wave_1(double t, double y, double x)
{
    return wave(1, t, y, x);
}
static double wave_2(double t, double y, double x)
{
    return wave(2, t, y, x);
}

// "a" is a run with a slip of 2 m, "b" NOAA's, in m, and "c" a folder of fields.
static int make_database(void **state)
{
    folder_make(state);
    folder_shell("cd '%s' && mkdir database database/a database/c", folder_root());
    struct wave_file f = wave_file_of(false, wave_0);
    wave_file_write(folder_path("database/a/fields.nc"), &f);
    wave_gauges_write(folder_path("database/a/gauges.nc"), wave_0);
    folder_write_json("database/a/run.json", "{'source': {'sift': {'slips': {'a': 2}}}}");
    f = wave_file_of(true, wave_1);
    f.units = "METERS";
    f.per_si = 1;
    f.is_north_first = true;
    f.turn = -360;
    wave_file_write(folder_path("database/b_ha.nc"), &f);
    f = wave_file_of(false, wave_2);
    wave_file_write(folder_path("database/c/fields.nc"), &f);
    wave_gauges_write(folder_path("database/c/gauges.nc"), wave_2);
    return 0;
}

static int tear_down(void **state)
{
    units_release();
    status_clear();
    return folder_remove(state);
}

static enum status combine_into(const char *directory, const char *slips, size_t memory_bytes,
                                const char *noaa, struct combination *result)
{
    struct database *database;
    struct slip_list list;
    assert_ok(database_open(folder_path("database"), &database));
    assert_ok(slips_parse(slips, "slips", &list));
    const struct combine_request request = {.database = database,
                                            .slips = &list,
                                            .directory = folder_path("%s", directory),
                                            .noaa = noaa ? folder_path("%s", noaa) : NULL,
                                            .title = "a test",
                                            .memory_bytes = memory_bytes};
    const enum status status = combine(&request, result);
    slips_free(&list);
    database_close(database);
    return status;
}

static void combine_well(const char *directory, const char *slips, struct combination *result)
{
    assert_ok(combine_into(directory, slips, 0, NULL, result));
}

static void read_floats(const char *file, const char *name, size_t length, float *values)
{
    int id, variable;
    size_t found = 1;
    NC(nc_open(folder_path("%s", file), NC_NOWRITE, &id));
    NC(nc_inq_varid(id, name, &variable));
    int rank, dimensions[NC_MAX_VAR_DIMS];
    NC(nc_inq_varndims(id, variable, &rank));
    NC(nc_inq_vardimid(id, variable, dimensions));
    for (int k = 0; k < rank; k++) {
        size_t count;
        NC(nc_inq_dimlen(id, dimensions[k], &count));
        found *= count;
    }
    assert_int_equal(found, length);
    NC(nc_get_var_float(id, variable, values));
    NC(nc_close(id));
}

// ---- sums

TEST_SUITE(.setup = make_database, .teardown = tear_down);

TEST(superposition)
{
    const struct wave_file axes = wave_file_of(false, NULL);
    static const double slips_m[SOURCES] = {1.3, -0.7, 22.75};
    struct combination result;
    float eta[VALUES];
    combine_well("out", "a=1.3,b=-0.7,c=22.75", &result);
    assert_int_equal(result.records, WAVE_RECORDS);
    assert_int_equal(result.stations, 0); // b has no gauges
    assert_int_equal(result.partly_missing, 1);
    read_floats("out/fields.nc", "eta", VALUES, eta);
    float largest = -1;
    for (int t = 0, at = 0; t < WAVE_RECORDS; t++)
        for (int j = 0; j < WAVE_ROWS; j++)
            for (int i = 0; i < WAVE_COLUMNS; i++, at++) {
                double sum = 0, size = 0;
                for (int s = 0; s < SOURCES; s++) {
                    const double term =
                        slips_m[s] * wave(s, axes.times[t], axes.latitudes[j], axes.longitudes[i]);
                    sum += term;
                    size += fabs(term);
                }
                if (isnan(sum)) {
                    assert_true(isnan(eta[at]));
                    continue;
                }
                // The rounding of the sum, and of its stored value.
                if (!(fabs(eta[at] - sum) <= 2 * SOURCES * 0x1p-53 * size + 0x1p-24 * fabs(sum)))
                    fail_msg("record %d, row %d, column %d: %.9g, expected %.9g", t, j, i, (double)eta[at],
                             sum);
                largest = fmaxf(largest, eta[at]);
            }
    assert_true((float)result.largest_m == largest);
    float maxima[WAVE_ROWS * WAVE_COLUMNS];
    read_floats("out/maxima.nc", "max_eta", WAVE_ROWS * WAVE_COLUMNS, maxima);
    for (int k = 0; k < WAVE_ROWS * WAVE_COLUMNS; k++) {
        float most = eta[k];
        for (int t = 1; t < WAVE_RECORDS; t++)
            most = fmaxf(most, eta[t * WAVE_ROWS * WAVE_COLUMNS + k]);
        assert_true(isnan(most) ? isnan(maxima[k]) : maxima[k] == most);
    }
}

TEST(identity)
{
    struct combination result;
    float before[VALUES], after[VALUES], gauges[2][2 * WAVE_RECORDS];
    combine_well("out", "a=2", &result);
    read_floats("database/a/fields.nc", "eta", VALUES, before);
    read_floats("out/fields.nc", "eta", VALUES, after);
    for (int k = 0; k < VALUES; k++)
        assert_true(isnan(before[k]) ? isnan(after[k]) : before[k] == after[k]);
    assert_int_equal(result.stations, 2);
    read_floats("database/a/gauges.nc", "eta", 2 * WAVE_RECORDS, gauges[0]);
    read_floats("out/gauges.nc", "eta", 2 * WAVE_RECORDS, gauges[1]);
    assert_memory_equal(gauges[0], gauges[1], sizeof gauges[0]);
    assert_string_equal(result.date, "");
}

TEST(linearity)
{
    struct combination result;
    float once[VALUES], twice[VALUES], gauges[2][2 * WAVE_RECORDS];
    combine_well("once", "a=1.3,c=-2.9", &result);
    combine_well("twice", "a=2.6,c=-5.8", &result);
    read_floats("once/fields.nc", "eta", VALUES, once);
    read_floats("twice/fields.nc", "eta", VALUES, twice);
    for (int k = 0; k < VALUES; k++)
        assert_true(isnan(once[k]) ? isnan(twice[k]) : twice[k] == 2 * once[k]);
    read_floats("once/gauges.nc", "eta", 2 * WAVE_RECORDS, gauges[0]);
    read_floats("twice/gauges.nc", "eta", 2 * WAVE_RECORDS, gauges[1]);
    for (int k = 0; k < 2 * WAVE_RECORDS; k++)
        assert_true(gauges[1][k] == 2 * gauges[0][k]);
    // At a gauge: the sum of the sources that have it.
    for (int t = 0; t < WAVE_RECORDS; t++) {
        const double sum = 1.3 * wave(0, 60.0 * t, 32, 143) - 2.9 * wave(2, 60.0 * t, 32, 143);
        assert_true(fabs(gauges[0][2 * t + 1] - sum) <= 1e-15 + 0x1p-24 * fabs(sum));
    }
}

TEST(blocks)
{
    struct combination all, one;
    float expected[VALUES], values[VALUES];
    const size_t record_bytes = 2 * sizeof(double) * WAVE_ROWS * WAVE_COLUMNS; // the sum, and a source
    combine_well("all", "a=1.3,b=-0.7,c=22.75", &all);
    const size_t least = all.planned_bytes - (WAVE_RECORDS - 1) * record_bytes;
    for (size_t records = 1; records < WAVE_RECORDS; records++) {
        assert_ok(
            combine_into("one", "a=1.3,b=-0.7,c=22.75", least + (records - 1) * record_bytes, NULL, &one));
        assert_true(one.planned_bytes <= least + (records - 1) * record_bytes);
        read_floats("all/fields.nc", "eta", VALUES, expected);
        read_floats("one/fields.nc", "eta", VALUES, values);
        assert_memory_equal(values, expected, sizeof values);
    }
    assert_failure(combine_into("one", "a=1", least - 1, NULL, &one), STATUS_CONFIGURATION,
                   "a record of 8 × 6 nodes needs");
}

TEST(noaa)
{
    struct combination result;
    float own[VALUES], cm[VALUES];
    assert_ok(combine_into("out", "a=1.3,b=2", 0, "sum", &result));
    read_floats("out/fields.nc", "eta", VALUES, own);
    read_floats("sum_ha.nc", "HA", VALUES, cm);
    for (int k = 0; k < VALUES; k++)
        if (isnan(own[k]))
            assert_true(cm[k] == -1e34F);
        else
            assert_true(fabsf(cm[k] - 100 * own[k]) <= 2 * FLT_EPSILON * fabsf(cm[k]));
    assert_false(folder_has("sum_ua.nc"));
}

// ---- refusals

TEST(misfits)
{
    struct combination result;
    const struct wave_file good = wave_file_of(false, wave_2);
    struct wave_file f = good;
    f.times[3] = 190;
    wave_file_write(folder_path("database/c/fields.nc"), &f);
    assert_failure(combine_into("out", "a=1,c=1", 0, NULL, &result), STATUS_DATA, "time (s)[3] is 190, in");
    assert_false(folder_has("out"));
    f = good;
    f.latitudes[2] += 0.01;
    wave_file_write(folder_path("database/c/fields.nc"), &f);
    assert_failure(combine_into("out", "a=1,c=1", 0, NULL, &result), STATUS_DATA, "latitude[2] is 31.05, in");
    f = good;
    f.turn = 0.5;
    wave_file_write(folder_path("database/c/fields.nc"), &f);
    assert_failure(combine_into("out", "a=1,c=1", 0, NULL, &result), STATUS_DATA,
                   "longitude[0] is 140.5, in");
    f = good;
    f.units = "K";
    wave_file_write(folder_path("database/c/fields.nc"), &f);
    assert_failure(combine_into("out", "a=1,c=1", 0, NULL, &result), STATUS_DATA, "variable eta");
    folder_shell("truncate -s 3000 '%s'", folder_path("database/c/fields.nc"));
    assert_failure(combine_into("out", "a=1,c=1", 0, NULL, &result), STATUS_DATA, "c/fields.nc");
    assert_failure(combine_into("out", "a=1,d=1", 0, NULL, &result), STATUS_DATA, "no unit source \"d\"");
    assert_false(folder_has("out"));
}

// Changes one number in the gauges.nc of source c.
static void change_gauges(const char *variable, size_t index, double value)
{
    int file, id;
    wave_gauges_write(folder_path("database/c/gauges.nc"), wave_2);
    NC(nc_open(folder_path("database/c/gauges.nc"), NC_WRITE, &file));
    NC(nc_inq_varid(file, variable, &id));
    NC(nc_put_var1_double(file, id, &index, &value));
    NC(nc_close(file));
}

TEST(gauge_misfits)
{
    struct combination result;
    static const struct {
        const char *variable;
        size_t index;
        double value;
        const char *fragment;
    } cases[] = {{"lat", 1, 32.5, "gauge far lies at 143, 32.5, in"},
                 {"lon", 0, 500.5, ""}, // 360 degrees more: the same place
                 {"time", 2, 130, "time (s)[2] is 130, in"},
                 {"time", 2, 60, "time[2] is 60 s: expected ascending times"},
                 {"time", 4, NAN, "time[4] is nan s"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        change_gauges(cases[k].variable, cases[k].index, cases[k].value);
        if (cases[k].fragment[0])
            assert_failure(combine_into("out", "a=1,c=1", 0, NULL, &result), STATUS_DATA, cases[k].fragment);
        else
            combine_well("shifted", "a=1,c=1", &result);
        assert_false(folder_has("out"));
    }
    folder_shell("truncate -s 5000 '%s'", folder_path("database/c/gauges.nc"));
    assert_failure(combine_into("out", "a=1,c=1", 0, NULL, &result), STATUS_DATA, "c/gauges.nc");
    // Gauges without fields are enough; without gauges and fields there is nothing to add.
    wave_gauges_write(folder_path("database/c/gauges.nc"), wave_2);
    folder_delete("database/c/fields.nc");
    combine_well("gauges", "c=1", &result);
    assert_true(result.records == 0 && result.stations == 2 && isnan(result.largest_m));
    assert_false(folder_has("gauges/fields.nc"));
    assert_failure(combine_into("out", "b=1,c=1", 0, NULL, &result), STATUS_DATA,
                   "neither fields nor gauges");
    assert_failure(combine_into("out", "c=1", 0, "sum", &result), STATUS_DATA,
                   "no fields in common to write");
}

TEST(folders)
{
    struct combination result;
    assert_failure(combine_into("database", "a=1", 0, NULL, &result), STATUS_DATA, "lies in the database");
    folder_shell("mkdir '%s'", folder_path("database/out"));
    assert_failure(combine_into("database/out", "a=1", 0, NULL, &result), STATUS_DATA,
                   "lies in the database");
    assert_failure(combine_into("database/c", "a=1", 0, NULL, &result), STATUS_DATA, "lies in the database");
    folder_delete("database/out");
    // Gauges of another result would seem to belong to this one.
    combine_well("out", "a=1", &result);
    assert_failure(combine_into("out", "a=1,b=1", 0, NULL, &result), STATUS_DATA,
                   "gauges.nc: belongs to another result");
    // Files of a combination that was killed are overwritten; the state of a stopped run is not.
    folder_shell("mkdir -p '%s'", folder_path("left/partial"));
    folder_write_text("left/partial/fields.0000.nc", "half a file");
    combine_well("left", "a=1", &result);
    assert_false(folder_has("left/partial"));
    folder_shell("mkdir -p '%s'", folder_path("stopped/partial"));
    folder_write_text("stopped/partial/checkpoint.a", "a state");
    assert_failure(combine_into("stopped", "a=1", 0, NULL, &result), STATUS_DATA,
                   "holds a run that was stopped");
    assert_true(folder_has("stopped/partial/checkpoint.a"));
    folder_write_text("file", "no folder");
    assert_failure(combine_into("file", "a=1", 0, NULL, &result), STATUS_CANNOT_CREATE, "file");
    // A failure while writing NOAA's files leaves nothing under a final name.
    assert_failure(combine_into("other", "a=1", 0, "no/such/sum", &result), STATUS_CANNOT_CREATE,
                   "sum_ha.nc");
    assert_false(folder_has("other/fields.nc"));
}
