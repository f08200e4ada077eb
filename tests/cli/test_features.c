// The features of a job, in small runs: sources and grids of every kind, crops, precisions, checks, and the
// texts that the program prints about a job.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <netcdf.h>

static const double earth_radius_m = 6371e3, pi = 3.14159265358979323846;

static nc_type type_of(const char *file, const char *variable)
{
    int id, var;
    nc_type type;
    assert_int_equal(nc_open(cli_path(file), NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, variable, &var), NC_NOERR);
    assert_int_equal(nc_inq_vartype(id, var, &type), NC_NOERR);
    nc_close(id);
    return type;
}

// ---- displacement files

static double bump(double x, double y, double time_s)
{
    return 2 * exp(-((x - 145) * (x - 145) + (y - 33.5) * (y - 33.5)) / 0.5);
}

// The volume of water that the bump lifts: the sum over the cells of wet nodes.
static double bump_volume_m3(void)
{
    double volume = 0;
    for (size_t j = 0; j < cli_sea.ny; j++)
        for (size_t i = 0; i < cli_sea.nx; i++) {
            const double x = cli_sea.x0 + (double)i * cli_sea.dx, y = cli_sea.y0 + (double)j * cli_sea.dy;
            if (cli_sea.variables[0].value(x, y, 0) >= -10)
                continue;
            const double side_m = 0.25 * pi / 180 * earth_radius_m;
            volume += bump(x, y, 0) * side_m * side_m * cos(y * pi / 180);
        }
    return volume;
}

static cJSON *displacement_job(const struct cli_grid *displacement)
{
    cJSON *job = cli_sea_job();
    cli_write_grid("uplift.nc", displacement);
    cli_change(job, "source = {'displacement': {'file': 'uplift.nc'}}; time = {'duration': '240 s', 'step': "
                    "'30 s'}; output.diagnostics = {'every': '30 s'}");
    return job;
}

static void assert_volumes(const double *shares, size_t count, double tolerance)
{
    size_t have;
    double *mass = cli_read_variable("out/diagnostics.nc", "mass", &have, NULL);
    assert_int_equal(have, count);
    const double whole = bump_volume_m3();
    for (size_t k = 0; k < count; k++)
        if (fabs(mass[k] - shares[k] * whole) > tolerance * whole)
            fail_msg("record %zu: %g of the volume, expected %g", k, mass[k] / whole, shares[k]);
}

static void assert_deformation(double share)
{
    double *deformation = cli_read_variable("out/deformation.nc", "deformation", NULL, NULL);
    for (size_t j = 0; j < cli_sea.ny; j++)
        for (size_t i = 0; i < cli_sea.nx; i++) {
            const double x = cli_sea.x0 + (double)i * cli_sea.dx, y = cli_sea.y0 + (double)j * cli_sea.dy;
            assert_true(fabs(deformation[j * cli_sea.nx + i] - share * bump(x, y, 0)) <= 1e-6);
        }
}

TEST(test_static_displacement_with_rise)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = bump};
    cli_run_to(cli_change(displacement_job(&grid),
                          "source.displacement.start = '60 s'; source.displacement.rise = '2 min'"),
               "out");
    // At 0, 30, … 240 s; exactly 0 up to the start.
    const double shares[] = {0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1};
    assert_volumes(shares, 9, 5e-3);
    double *mass = cli_read_variable("out/diagnostics.nc", "mass", NULL, NULL);
    assert_true(mass[0] == 0 && mass[1] == 0 && mass[2] == 0);
    assert_deformation(1);
}

TEST(test_displacement_at_once_in_centimetres)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0] = (struct cli_variable){.name = "uplift", .units = "cm", .value = bump};
    cli_run_to(displacement_job(&grid), "out");
    const double shares[] = {0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
    assert_volumes(shares, 9, 1e-4);
    assert_deformation(0.01);
}

static double moving_bump(double x, double y, double time_s)
{
    return bump(x, y, 0) * (time_s == 60 ? 1 : time_s == 120 ? 0.5 : 0);
}

TEST(test_displacement_in_time)
{
    static const double times_s[] = {0, 60, 120};
    struct cli_grid grid = cli_sea;
    grid.records = 3;
    grid.times_s = times_s;
    grid.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = moving_bump};
    cli_run_to(cli_change(displacement_job(&grid), "source.displacement.start = '30 s'"), "out");
    // Uplift from 30 to 90 s; half of it is reversed by 150 s.
    const double shares[] = {0, 0, 0.5, 1, 0.75, 0.5, 0.5, 0.5, 0.5};
    assert_volumes(shares, 9, 5e-3);
    assert_deformation(0.5);
}

TEST(test_displacement_outside_the_grid_is_refused)
{
    struct cli_grid grid = cli_sea;
    grid.x0 = 40;
    grid.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = bump};
    cJSON *job = displacement_job(&grid);
    cli_save_job(job);
    cli_assert_error(cli_run("run job.json"), 78, false, "source.displacement", "uplift.nc", "outside");
    cli_write_grid("uplift.nc", &cli_basin);
    cli_save_job(job);
    const struct cli_result *result = cli_run("run job.json");
    assert_true(result->exit_code == 65 || result->exit_code == 78);
    cli_assert_error(result, result->exit_code, false, "source.displacement", "uplift.nc", "geographic");
}

// If the computation of the uplift takes long, its progress is shown like that of steps. In this test it is
// shown from the first row on, or never.
TEST(test_uplift_is_reported)
{
    cli_save_job(cli_sea_job());
    assert_int_equal(setenv("FATHOM_PROGRESS_PATIENCE_S", "0", 1), 0);
    assert_has(cli_do("run -o told job.json")->error, "uplift: ", " of 30 rows of the source");
    assert_null(strstr(cli_run("run -q -o quiet job.json")->error, "uplift: "));
    assert_int_equal(setenv("FATHOM_PROGRESS_PATIENCE_S", "1e9", 1), 0);
    assert_null(strstr(cli_run("run -o quick job.json")->error, "uplift: "));
    assert_int_equal(unsetenv("FATHOM_PROGRESS_PATIENCE_S"), 0);
}

// ---- a given state

static double current_cm_s(double x, double y, double time_s)
{
    return 10 * bump(x, y, time_s);
}

TEST(test_initial_state)
{
    cJSON *job = cli_sea_job();
    struct cli_grid grid = cli_sea;
    grid.variable_count = 3;
    grid.variables[0] = (struct cli_variable){.name = "surface", .units = "m", .value = bump};
    grid.variables[1] = (struct cli_variable){.name = "east", .units = "cm s-1", .value = current_cm_s};
    grid.variables[2] = (struct cli_variable){.name = "north", .units = "m s-1", .value = bump};
    cli_write_grid("start.nc", &grid);
    cli_set(job, "source", "{'initial': {'file': 'start.nc', 'eta': 'surface', 'u': 'east', 'v': 'north'}}");
    cli_run_to(cli_change(job, "precision = 'double'"), "out");
    static const char *const names[] = {"eta", "u", "v"};
    static const double factors[] = {1, 0.1, 1};
    for (size_t f = 0; f < 3; f++) {
        double *values = cli_read_variable("out/fields.nc", names[f], NULL, NULL);
        for (size_t j = 0; j < cli_sea.ny; j++)
            for (size_t i = 0; i < cli_sea.nx; i++) {
                const double x = cli_sea.x0 + (double)i * cli_sea.dx, y = cli_sea.y0 + (double)j * cli_sea.dy;
                const double value = values[j * cli_sea.nx + i];
                if (cli_sea.variables[0].value(x, y, 0) >= -10)
                    assert_true(isnan(value));
                else
                    assert_true(fabs(value - factors[f] * bump(x, y, 0)) <= 3e-7 * factors[f]);
            }
    }
}

// ---- NOAA's unit sources

// Two rows in the form of NOAA's table. The same faults in the job must give the same elevation, bit for bit.
TEST(test_sift_sources)
{
    cli_write_text("info_sz.dat",
                   "# name, URL, lon, lat, slip, strike, dip, depth, length, width, rake\n"
                   "abcda1, http://example.org/a, 144.8, 33.9, 1.0, 200.5, 19.0, 17.94, 100.0, 50.0, 90.0\n"
                   "abcdb1, http://example.org/b, 145.4, 33.6, 1.0, 198.0, 16.0, 5.0, 100.0, 50.0, 90.0\n");
    cJSON *job = cli_change(
        cli_sea_job(), "source = {'sift': {'table': 'info_sz.dat', 'slips': {'abcdb1': 3, 'abcda1': 2}}}");
    cli_run_to(job, "sift");
    cli_save_job(cli_change(job, "source.sift.slips = {'abcda2': 1}"));
    cli_assert_error(cli_run("run -o bad job.json"), 78, false, "info_sz.dat", "abcda2", "did you mean",
                     "abcda1");
    job = cli_sea_job();
    cli_run_to(cli_change(job, "source.faults.reference = 'sift'; source.faults.rows = [[145.4, 33.6, 5, "
                               "100, 50, 198, 16, 90, 3], [144.8, 33.9, 17.94, 100, 50, 200.5, 19, 90, 2]]"),
               "faults");
    cli_assert_same_results("sift", "faults");
    size_t count;
    double highest = 0, *deformation = cli_read_variable("sift/deformation.nc", "deformation", &count, NULL);
    for (size_t n = 0; n < count; n++)
        highest = fmax(highest, deformation[n]);
    assert_true(highest > 0.5 && highest < 3); // some metres of slip, and not nothing
}

// ---- grids

static double plane_hump(double x, double y, double time_s)
{
    return 0.1 * exp(-((x - 5000) * (x - 5000) + (y - 8000) * (y - 8000)) / 4e6);
}

// A closed basin on a plane: axes in metres, the wave at √(g d), and no water lost.
TEST(test_plane_grid)
{
    cJSON *job = cli_sea_job();
    cli_write_grid("basin.nc", &cli_basin);
    struct cli_grid hump = cli_basin;
    hump.variables[0] = (struct cli_variable){.name = "surface", .units = "m", .value = plane_hump};
    cli_write_grid("start.nc", &hump);
    cli_write_json("gauges.json",
                   "{'fathom_gauges': 1, 'gauges': [{'name': 'north', 'x': '5 km', 'y': '15 km'}]}");
    cli_run_to(
        cli_change(job,
                   "domain = {'bathymetry': {'file': 'basin.nc'}, 'edges': {'west': 'wall', 'east': 'wall', "
                   "'south': 'wall', 'north': 'wall'}}; source = {'initial': {'file': 'start.nc', 'eta': "
                   "'surface'}}; time = {'duration': '10 min', 'step': '5 s'}; output.fields.every = '1 "
                   "min'; output.gauges = {'file': 'gauges.json', 'every': '5 s'}"),
        "out");
    assert_string_equal(cli_attribute("out/fields.nc", "x", "units"), "m");
    assert_string_equal(cli_attribute("out/fields.nc", "y", "standard_name"), "projection_y_coordinate");
    size_t count;
    double *mass = cli_read_variable("out/diagnostics.nc", "mass", &count, NULL);
    for (size_t k = 1; k < count; k++)
        assert_true(fabs(mass[k] - mass[0]) <= 0.01 * mass[0]);
    // The crest of a long wave travels 7 km in water of 100 m depth at 31.32 m/s: 223.5 s. The crest of a
    // circular wave is a little earlier than that of a plane wave; the grid's dispersion delays it.
    double *eta = cli_read_variable("out/gauges.nc", "eta", &count, NULL);
    size_t crest = 0;
    for (size_t k = 0; k < 60; k++) // before the reflection from the wall 500 m behind returns
        if (eta[k] > eta[crest])
            crest = k;
    assert_in_range(5 * crest, 195, 245);
}

TEST(test_faults_on_a_plane_are_in_metres)
{
    cJSON *job = cli_sea_job();
    cli_write_grid("basin.nc", &cli_basin);
    cli_save_job(
        cli_change(job, "domain.bathymetry.file = 'basin.nc'; time = {'duration': '1 min', 'step': '5 s'}"));
    cli_assert_error(cli_run("run job.json"), 78, false, "source", "degrees", "metres");
    cli_run_to(cli_change(job,
                          "source.faults.columns = ['x', 'y', 'depth', 'length', 'width', 'strike', 'dip', "
                          "'rake', 'slip']; source.faults.units = ['km', 'km', 'km', 'km', 'km', 'degree', "
                          "'degree', 'degree', 'm']; source.faults.rows = [[10, 8, 3, 6, 3, 0, 45, 90, 1]]"),
               "out");
    size_t count;
    double *deformation = cli_read_variable("out/deformation.nc", "deformation", &count, NULL);
    size_t highest = 0;
    for (size_t n = 0; n < count; n++)
        highest = deformation[n] > deformation[highest] ? n : highest;
    // A thrust lifts the ground above it, along its middle, to the east of a plane that dips to the east or
    // near it.
    assert_true(deformation[highest] > 0.1 && deformation[highest] < 1);
    assert_true(labs((long)(highest / 48) - 16) <= 1);
    assert_true(labs((long)(highest % 48) - 20) <= 8);
}

// Every node kept by a crop with a stride has the bits that the whole field has there.
TEST(test_crop_and_stride)
{
    cli_run_to(cli_sea_job(), "whole");
    cJSON *job = cli_change(cli_sea_job(),
                            "output.fields.longitude = ['-218.1 degree', '-211.7 degree']"); // 141.9 to 148.3
    cli_run_to(
        cli_change(job, "output.fields.latitude = ['31.1 degree', '35 degree']; output.fields.stride = 3"),
        "part");
    size_t nx, ny, count, shape[4];
    double *lon = cli_read_variable("part/fields.nc", "lon", &nx, NULL);
    double *lat = cli_read_variable("part/fields.nc", "lat", &ny, NULL);
    assert_int_equal(nx, 9); // 142, 142.75, … 148
    assert_int_equal(ny, 6); // 31.25, 32, … 35
    assert_true(lon[0] == 142 && lon[8] == 148 && lat[0] == 31.25 && lat[5] == 35);
    static const char *const names[] = {"eta", "u", "v"};
    for (size_t f = 0; f < 3; f++) {
        double *whole = cli_read_variable("whole/fields.nc", names[f], &count, NULL);
        double *part = cli_read_variable("part/fields.nc", names[f], &count, shape);
        assert_true(shape[0] == 4 && shape[1] == ny && shape[2] == nx);
        for (size_t t = 0; t < 4; t++)
            for (size_t j = 0; j < ny; j++)
                for (size_t i = 0; i < nx; i++) {
                    const double a = part[(t * ny + j) * nx + i];
                    const double b = whole[(t * 30 + 5 + 3 * j) * 40 + 8 + 3 * i];
                    assert_memory_equal(&a, &b, sizeof a);
                }
    }
    cli_assert_same_data("part/maxima.nc", "whole/maxima.nc"); // only fields are cropped
}

TEST(test_double_output)
{
    cJSON *job = cli_change(cli_sea_job(), "precision = 'double'");
    cli_run_to(job, "single");
    cli_run_to(cli_change(job, "output.precision = 'double'"), "double");
    assert_int_equal(type_of("single/fields.nc", "eta"), NC_FLOAT);
    assert_int_equal(type_of("double/fields.nc", "eta"), NC_DOUBLE);
    size_t count, finer = 0;
    double *narrow = cli_read_variable("single/fields.nc", "eta", &count, NULL);
    double *wide = cli_read_variable("double/fields.nc", "eta", &count, NULL);
    for (size_t n = 0; n < count; n++) {
        if (isnan(wide[n]))
            continue;
        assert_true((float)wide[n] == (float)narrow[n]);
        finer += wide[n] != narrow[n];
    }
    assert_true(finer > count / 2); // more digits than a float has
}

static double shifted_sea(double x, double y, double time_s)
{
    return cli_sea.variables[0].value(x - 35, y, time_s);
}

static double wrapped_sea(double x, double y, double time_s)
{
    return shifted_sea(x < 0 ? x + 360 : x, y, time_s);
}

// The same sea at 175 to 184.75 E, once from a file that reaches across 180 and once cut from a global one
// whose longitudes go from −180: the same results.
TEST(test_domain_across_the_antimeridian)
{
    cJSON *job = cli_sea_job();
    struct cli_grid grid = cli_sea;
    grid.x0 = 175;
    grid.variables[0].value = shifted_sea;
    cli_write_grid("sea.nc", &grid);
    cli_run_to(cli_change(job, "source.faults.rows = [[179.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]"),
               "direct");
    grid.x0 = -180;
    grid.nx = 1440;
    grid.variables[0].value = wrapped_sea;
    cli_write_grid("globe.nc", &grid);
    cli_set(job, "domain",
            "{'bathymetry': {'file': 'globe.nc'}, 'longitude': ['175 degree', '-175.25 degree']}");
    cli_run_to(job, "cut");
    size_t count;
    double *lon = cli_read_variable("cut/fields.nc", "lon", &count, NULL);
    assert_int_equal(count, 40);
    for (size_t i = 0; i < count; i++)
        assert_true(lon[i] == 175 + 0.25 * (double)i);
    cli_assert_same_results("cut", "direct");
    // The same convention for the part to be written: 178 to 182.
    cli_run_to(
        cli_change(cli_read_json("job.json"), "output.fields.longitude = ['178 degree', '-178 degree']"),
        "part");
    lon = cli_read_variable("part/fields.nc", "lon", &count, NULL);
    assert_int_equal(count, 17);
    assert_true(lon[0] == 178 && lon[16] == 182);
}

static double ring_depth(double x, double y, double time_s)
{
    return -4000;
}

// A periodic grid round the Earth: a source at the seam gives the same elevation as one at the opposite
// longitude, shifted by 180 degrees.
TEST(test_periodic_longitude)
{
    enum { NX = 90, NY = 16 };
    struct cli_grid grid = {.nx = NX, .ny = NY, .x0 = 0, .y0 = -30, .dx = 4, .dy = 4, .variable_count = 1};
    grid.variables[0] = (struct cli_variable){"elevation", "m", "up", NULL, ring_depth};
    static const char *const rows[] = {"[[0, 2, 80, 900, 300, 0, 20, 90, 50]]",
                                       "[[180, 2, 80, 900, 300, 0, 20, 90, 50]]"};
    static const char *const outputs[] = {"seam", "middle"};
    double *eta[2];
    size_t count = 0, records = 0;
    for (int k = 0; k < 2; k++) {
        cJSON *job = cli_sea_job();
        cli_write_grid("globe.nc", &grid);
        cli_run_to(
            cli_change(job,
                       "domain = {'bathymetry': {'file': 'globe.nc'}, 'edges': {'west': 'periodic', 'east': "
                       "'periodic'}}; precision = 'double'; time = {'duration': '4 h', 'step': '20 min'}; "
                       "output.fields.every = '1 h'; source.faults.rows = %s",
                       rows[k]),
            outputs[k]);
        size_t shape[4];
        eta[k] = cli_read_variable(format_text("%s/fields.nc", outputs[k]), "eta", &count, shape);
        records = shape[0];
        assert_true(shape[0] == 5 && shape[1] == NY && shape[2] == NX);
    }
    double largest = 0, west = 0, east = 0;
    for (size_t t = 0; t < records; t++)
        for (size_t j = 0; j < NY; j++)
            for (size_t i = 0; i < NX; i++) {
                const double seam = eta[0][(t * NY + j) * NX + i];
                const double middle = eta[1][(t * NY + j) * NX + (i + NX / 2) % NX];
                assert_true(fabs(seam - middle) <= 1e-6);
                largest = fmax(largest, fabs(seam));
                if (t == records - 1 && i >= 5 && i < 20)
                    east = fmax(east, fabs(seam));
                if (t == records - 1 && i >= NX - 20 && i < NX - 5)
                    west = fmax(west, fabs(seam));
            }
    assert_true(largest > 0.5);
    assert_true(east > 0.01 && west > 0.01); // it went both ways, one of them across the seam
}

// ---- the check against the reference

static void assert_verdict(const char *expected)
{
    assert_string_equal(cli_text(cli_read_json("out/run.json"), "checks.0.verdict"), expected);
}

TEST(test_reference_check_decides_the_exit_code)
{
    cJSON *job = cli_change(cli_sea_job(), "check = {'reference_steps': 5, 'tolerance': '1 mm'}");
    cli_run_job(job);
    assert_verdict("passed");
    assert_true(cli_run_number("out", "reference_check.steps") == 5);
    assert_true(cli_run_number("out", "reference_check.largest_difference_m") > 0); // single against double
    cli_save_job(cli_change(job, "check.tolerance = '1e-12 m'"));
    cli_remove("out");
    cli_assert_error(cli_run("run -q job.json"), 1, false, "check against the reference failed", "step");
    assert_verdict("failed");
    assert_true(cli_exists("out/fields.nc")); // the results are there to be looked at
}

// ---- what the program prints

TEST(test_plan_agrees_with_the_run)
{
    static const char *const backends[] = {"openmp", "reference"};
    static const char *const precisions[] = {"single", "double"};
    cli_save_job(cli_change(cli_sea_job(), "delete time.step"));
    for (int k = 0; k < 4; k++) {
        const char *backend = backends[k % 2], *precision = precisions[k / 2];
        const struct cli_result *result =
            cli_do("plan --json -o planned -b %s -p %s job.json", backend, precision);
        assert_false(cli_exists("planned"));
        cJSON *plan = cli_output_json(result);
        cli_do("run -q -b %s -p %s job.json", backend, precision);
        cJSON *report = cli_read_json("out/run.json");
        // The rest is the memory of the program itself, in units of 4 MiB.
        const double program = cli_json_number(plan, "host_bytes") -
                               cli_json_number(report, "memory.planned_bytes") -
                               cli_json_number(report, "memory.library_ceiling_bytes");
        assert_true(program > 0 && fmod(program, 4 << 20) == 0);
        cli_expect_number(report, "memory.used_bytes", cli_json_number(report, "memory.planned_bytes"));
        cli_expect_number(plan, "steps", cli_json_number(report, "steps"));
        cli_expect_number(plan, "step_s", cli_json_number(report, "step_s"));
        assert_string_equal(cli_text(plan, "backend"), backend);
        double bytes = 0;
        const cJSON *array;
        cJSON_ArrayForEach(array, cJSON_GetObjectItem(plan, "arrays")) bytes +=
            cli_json_number(array, "bytes");
        assert_true(bytes == cli_json_number(plan, "host_bytes"));
        assert_true(cli_json_number(plan, "output_bytes") >= 4 * 3 * 1200 * 4);
    }
}

TEST(test_plan_for_people)
{
    cli_save_job(cli_sea_job());
    const struct cli_result *result = cli_do("plan --arrays job.json");
    assert_has(result->output, "A small sea", "60 steps of 30 s", "sea.nc", "fields.nc", "frame fields");
    assert_string_equal(result->error, "");
}

TEST(test_run_json_is_the_file)
{
    cli_save_job(cli_sea_job());
    const struct cli_result *result = cli_do("run -q --json job.json");
    assert_string_equal(result->error, "");
    cJSON *printed = cli_output_json(result), *stored = cli_read_json("out/run.json");
    assert_true(cJSON_Compare(printed, stored, true));
}

TEST(test_explain)
{
    const struct cli_result *result = cli_do("run --explain tsunami");
    static const char *const keys[] = {
        "domain.bathymetry.file", "physics.manning_n", "source.faults", "time.duration",
        "output.fields.every",    "checkpoint.every",  "memory.host",   "check.reference_steps"};
    enum { KEYS = COUNT(keys) };
    for (int k = 0; k < KEYS; k++)
        assert_has(result->output, keys[k]);
    result = cli_do("run --json --explain tsunami");
    cJSON *list = cli_output_json(result);
    assert_true(cJSON_IsArray(list));
    assert_true(cJSON_GetArraySize(list) > 40);
    for (int k = 0; k < KEYS; k++)
        assert_has(result->output, keys[k]);
    result = cli_do("run --markdown --explain tsunami");
    assert_has(result->output, "|");
    for (int k = 0; k < KEYS; k++)
        assert_has(result->output, keys[k]);
}

// The model's page has every key with the program's explanation.
TEST(test_pages_have_the_keys)
{
    static const char *const models[] = {"tsunami", "bioheat", "nbody", "gas", "ising"};
    for (size_t m = 0; m < COUNT(models); m++) {
        char *page = folder_read(format_text(TEST_SOURCE_DIRECTORY "/docs/%s.md", models[m]), NULL), *rest;
        char *rows = owned_take(strdup(cli_do("run --explain %s --markdown", models[m])->output));
        int count = 0;
        for (char *row = strtok_r(rows, "\n", &rest); row; row = strtok_r(NULL, "\n", &rest))
            if (row[0] == '|' && ++count > 0 && !strstr(page, format_text("\n%s\n", row)))
                fail_msg("docs/%s.md lacks the row %s", models[m], row);
        assert_true(count > 40);
    }
}

static size_t widest_line(const char *text)
{
    size_t widest = 0;
    for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] != '\0')) {
        size_t columns = 0;
        for (const char *c = text; *c && *c != '\n'; c++)
            columns += ((unsigned char)*c & 0xc0) != 0x80;
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

TEST(test_explain_a_part)
{
    const struct cli_result *result = cli_do("run --explain tsunami output.gauges");
    assert_has(result->output, "output.gauges.every");
    assert_null(strstr(result->output, "time.duration"));
    cli_do("run --explain tsunami time.step --json");
    assert_null(strstr(result->output, "time.duration"));
    cli_assert_error(cli_run("run --explain tsunami output.guages"), 64, false,
                     "did you mean output.gauges?");
    cli_assert_error(cli_run("run --explain tsunmi"), 64, false, "\"tsunmi\"", "did you mean tsunami?");
    cli_assert_error(cli_run("run --explain tsunami time output"), 64, false, "at most one");
    for (int columns = 100; columns >= 80; columns -= 10) {
        if (columns < 100) // without a terminal
            assert_int_equal(setenv("COLUMNS", format_text("%d", columns), 1), 0);
        else
            assert_int_equal(unsetenv("COLUMNS"), 0);
        assert_in_range(widest_line(cli_do("run --explain tsunami")->output), columns - 10, columns);
    }
    assert_int_equal(unsetenv("COLUMNS"), 0);
}

// The plan begins with the totals; the arrays are printed on request.
TEST(test_plan_begins_with_the_totals)
{
    static const char *const labels[] = {"A small sea\n", "\nmodel ",  "\ntime ",  "\nmemory ", "\nresults ",
                                         "\nestimate ",   "\ninputs ", "\nfiles ", "\narrays "};
    cli_save_job(cli_sea_job());
    const struct cli_result *result = cli_do("plan job.json");
    const char *at = result->output;
    for (size_t k = 0; k < COUNT(labels); k++) {
        const char *next = strstr(at, labels[k]);
        if (!next)
            fail_msg("\"%s\" is missing or in the wrong place:\n%s", labels[k], result->output);
        at = next;
    }
    assert_null(strstr(result->output, "frame fields"));
    assert_has(result->output, " MB on the host (");
}

static void expect_the_same(const char *line, const char *other)
{
    char *text = owned_take(strdup(cli_run_line(line)->output));
    assert_string_equal(cli_run_line(other)->output, text);
    assert_true(text[0] != '\0');
}

TEST(test_help_and_version)
{
    static const char *const commands[] = {"run", "plan", "info", "convert", "report"};
    for (size_t k = 0; k < COUNT(commands); k++) {
        const struct cli_result *result = cli_do("%s --help", commands[k]);
        assert_has(result->output, "Usage: fathom ");
        assert_string_equal(result->error, "");
    }
    expect_the_same("help run", "run --help");
    expect_the_same("help", "--help");
    cli_assert_error(cli_run("help rum"), 64, false, "unknown command \"rum\"", "did you mean run?");
    const struct cli_result *result = cli_do("--help");
    for (size_t k = 0; k < COUNT(commands); k++)
        assert_has(result->output, commands[k]);
    cli_do("--version");
}

// One, two or three threads: the same bits.
TEST(test_threads_do_not_change_a_bit)
{
    cli_save_job(cli_sea_job());
    cli_do("run -q -t 1 -o one job.json");
    cli_do("run -q -t 2 -o two job.json");
    cli_do("run -q -t 3 -o three job.json");
    cli_assert_same_results("two", "one");
    cli_assert_same_results("three", "one");
    assert_true(cli_run_number("three", "threads") == 3);
}

TEST(test_compressed_output_has_the_same_data)
{
    cJSON *job = cli_sea_job();
    cli_run_to(job, "plain");
    cli_run_to(cli_change(job, "output.compress = true"), "packed");
    cli_assert_same_results("packed", "plain");
}

TEST_MAIN(cli_setup, cli_teardown)
