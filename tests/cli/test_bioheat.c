// What a run of heat in tissue writes: its files, read by other programs too; energy, extremes and volumes
// that follow from each other; sensors, crops, the summary of thermal safety; checks, warnings, and states
// that are no numbers.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

enum { CELLS = BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X };

static size_t cell(size_t z, size_t y, size_t x)
{
    return (z * BIOHEAT_JOB_Y + y) * BIOHEAT_JOB_X + x;
}

// ---- files

TEST(test_files_are_cf)
{
    cli_run_job(bioheat_job());
    assert_string_equal(cli_attribute("out/fields.nc", NULL, "Conventions"), "CF-1.8");
    assert_string_equal(cli_attribute("out/fields.nc", "temperature", "units"), "degC");
    assert_string_equal(cli_attribute("out/fields.nc", "dose", "units"), "min");
    assert_string_equal(cli_attribute("out/fields.nc", "z", "units"), "m");
    assert_string_equal(cli_attribute("out/sensors.nc", NULL, "featureType"), "timeSeries");
    size_t shape[4], count;
    (void)cli_read_variable("out/fields.nc", "temperature", &count, shape);
    assert_true(shape[0] == 6 && shape[1] == BIOHEAT_JOB_Z && shape[2] == BIOHEAT_JOB_Y &&
                shape[3] == BIOHEAT_JOB_X); // 0, 5, 10, 15, 20 s, and the end
    assert_int_equal(cli_dimension("out/sensors.nc", "station"), 2);
    const struct cli_result *result =
        cli_run_tool("/usr/bin/python3", "-c",
                     "import xarray as xr\n"
                     "for n in ('fields', 'maxima', 'diagnostics', 'sensors', 'state'):\n"
                     "    d = xr.open_dataset('out/%s.nc' % n, decode_times=False)\n"
                     "    assert d.attrs['Conventions'] == 'CF-1.8', n\n"
                     "f = xr.open_dataset('out/fields.nc', decode_times=False)\n"
                     "m = xr.open_dataset('out/maxima.nc')\n"
                     "assert f.temperature.dims == ('time', 'z', 'y', 'x')\n"
                     "assert abs(float(f.x[-1]) - 0.023) < 1e-12\n"
                     "assert float(f.maximum[-1].max()) == float(m.max_temperature.max())\n"
                     "print('ok', float(m.max_temperature.max()))\n");
    cli_assert_done(result);
    assert_has(result->output, "ok 4");
}

// ---- what follows from what

// Σ ρc θ V of a field of temperatures, by the numbers that run.json names.
static double heat_j(const cJSON *report, const double *temperature_c)
{
    double capacity[4] = {0}, sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(cli_item(report, "media"), "tissues"))
    {
        if (strcmp(cli_text(item, "role"), "tissue") == 0)
            capacity[(int)cli_json_number(item, "label")] = cli_json_number(item, "heat_capacity_j_m3_k");
    }
    for (size_t z = 0; z < BIOHEAT_JOB_Z; z++)
        for (size_t y = 0; y < BIOHEAT_JOB_Y; y++)
            for (size_t x = 0; x < BIOHEAT_JOB_X; x++)
                sum += capacity[bioheat_job_label(z, y, x)] * (temperature_c[cell(z, y, x)] - 37) * 1e-9;
    return sum;
}

// Insulated and without blood: what the source gives stays. 4·4·5 cells of 1 mm³ get 5 MW/m³ for 10 s: 4 J.
TEST(test_energy_is_what_the_source_gave)
{
    static const char *const backends[] = {"reference", "openmp"};
    for (size_t b = 0; b < 2; b++) {
        cJSON *job = cli_change(
            bioheat_job(),
            "backend = '%s'; precision = 'double'; output.precision = 'double'; physics.perfusion = false",
            backends[b]);
        cli_run_job(job);
        cJSON *report = cli_read_json("out/run.json");
        assert_true(fabs(cli_json_number(report, "diagnostics.end.heat_J") - 4) < 4e-12);
        double *power = cli_read_values("out/diagnostics.nc", "source_power", 25),
               *heat = cli_read_values("out/diagnostics.nc", "heat", 25);
        assert_true(power[0] == 0); // no step was made yet
        for (size_t k = 1; k < 25; k++) {
            assert_true(fabs(power[k] - (k <= 10 ? 0.4 : 0)) < 1e-13);
            assert_true(fabs(heat[k] - (k <= 10 ? 0.4 * (double)k : 4)) < 4e-12);
        }
        double *temperature = cli_read_values("out/fields.nc", "temperature", 6 * CELLS);
        assert_true(fabs(heat_j(report, temperature + 5 * CELLS) - 4) < 4e-11);
    }
}

TEST(test_diagnostics_follow_from_the_fields)
{
    cJSON *job = cli_change(bioheat_job(),
                            "precision = 'double'; output.precision = 'double'; dose.lesion = '0.05 min'");
    cli_run_job(job);
    double *temperature = cli_read_values("out/fields.nc", "temperature", 6 * CELLS),
           *dose = cli_read_values("out/fields.nc", "dose", 6 * CELLS);
    double *largest = cli_read_values("out/diagnostics.nc", "largest_temperature", 25),
           *hot = cli_read_values("out/diagnostics.nc", "hot_volume", 25),
           *most = cli_read_values("out/diagnostics.nc", "largest_dose", 25),
           *lesion = cli_read_values("out/diagnostics.nc", "lesion_volume", 25),
           *x = cli_read_values("out/diagnostics.nc", "largest_x", 25),
           *index = cli_read_values("out/diagnostics.nc", "largest_index", 25);
    for (size_t frame = 0; frame < 5; frame++) { // 0, 5 … 20 s
        const double *t = temperature + frame * CELLS, *d = dose + frame * CELLS;
        size_t best = SIZE_MAX, hot_cells = 0, lesion_cells = 0;
        double most_min = 0;
        for (size_t z = 0; z < BIOHEAT_JOB_Z; z++)
            for (size_t y = 0; y < BIOHEAT_JOB_Y; y++)
                for (size_t k = 0; k < BIOHEAT_JOB_X; k++) {
                    if (bioheat_job_label(z, y, k) == 0)
                        continue;
                    const size_t i = cell(z, y, k);
                    best = best == SIZE_MAX || t[i] > t[best] ? i : best;
                    hot_cells += t[i] > 43;
                    lesion_cells += d[i] >= 0.05;
                    most_min = fmax(most_min, d[i]);
                }
        const size_t record = 5 * frame;
        assert_true(largest[record] == t[best]);
        assert_true(index[record] == (double)best);
        assert_true(fabs(x[record] - 1e-3 * (double)(best % BIOHEAT_JOB_X)) < 1e-15);
        assert_true(fabs(hot[record] - 1e-9 * (double)hot_cells) < 1e-20);
        assert_true(most[record] == most_min);
        assert_true(fabs(lesion[record] - 1e-9 * (double)lesion_cells) < 1e-20);
    }
    assert_true(hot[10] > 0 && lesion[10] > 0); // else nothing was compared
}

// Sensors are cells of the fields; the maxima are the largest of the sensor that has every step.
TEST(test_sensors_and_maxima)
{
    cli_run_job(cli_change(bioheat_job(), "output.sensors.every = '0.2 s'"));
    double *sensors = cli_read_values("out/sensors.nc", "temperature", 121 * 2),
           *dose = cli_read_values("out/sensors.nc", "dose", 121 * 2),
           *fields = cli_read_values("out/fields.nc", "temperature", 6 * CELLS),
           *maximum = cli_read_values("out/maxima.nc", "max_temperature", CELLS),
           *at_s = cli_read_values("out/maxima.nc", "time_of_max", CELLS),
           *end_dose = cli_read_values("out/maxima.nc", "dose", CELLS);
    const size_t focus = cell(9, 8, 10), air = cell(0, 0, 0);
    double largest = 0, largest_at_s = 0;
    for (size_t k = 0; k < 121; k++)
        if (sensors[2 * k] > largest) {
            largest = sensors[2 * k];
            largest_at_s = 0.2 * (double)k;
        }
    for (size_t frame = 0; frame < 5; frame++)
        assert_true(sensors[2 * 25 * frame] == fields[frame * CELLS + focus]);
    assert_true(maximum[focus] == largest);
    assert_true(fabs(at_s[focus] - largest_at_s) < 1e-5);
    assert_true(largest > 44 && fabs(largest_at_s - 10) < 0.3);
    assert_true(dose[2 * 120] == end_dose[focus]);
    assert_true(isnan(maximum[air]) && isnan(end_dose[air]));
}

// Trilinear by hand, of a record of the fields; air does not count, weights of the rest have the sum 1.
static double interpolated(const double *record, const double at_mm[3], const double *counts)
{
    double sum = 0, weights = 0;
    for (int corner = 0; corner < 8; corner++) {
        size_t index[3];
        double weight = 1;
        for (int axis = 0; axis < 3; axis++) {
            const double low = floor(at_mm[axis]), share = at_mm[axis] - low;
            const int side = corner >> axis & 1;
            index[axis] = (size_t)low + (size_t)side;
            weight *= side == 1 ? share : 1 - share;
        }
        if (weight > 0 && counts[cell(index[0], index[1], index[2])] != 0) {
            sum += weight * record[cell(index[0], index[1], index[2])];
            weights += weight;
        }
    }
    return sum / weights;
}

// Between the cells' middles a sensor is trilinear in temperature and dose, but for air; in air, or with
// `nearest`, it is one cell; half a cell beyond the outermost middles that of the outermost ones.
TEST(test_sensors_are_interpolated)
{
    static const double at_mm[][3] = {
        {9.25, 8.6, 10.3}, {4.45, 8, 10.75}, {9, 8, 10}, {3.3, 4.6, 5.7}}; // z, y, x
    static double counts[CELLS];
    for (size_t z = 0; z < BIOHEAT_JOB_Z; z++)
        for (size_t y = 0; y < BIOHEAT_JOB_Y; y++)
            for (size_t x = 0; x < BIOHEAT_JOB_X; x++)
                counts[cell(z, y, x)] = bioheat_job_label(z, y, x);
    cJSON *job = cli_change(bioheat_job(), "precision = 'double'; output.precision = 'double'");
    cli_set(
        job, "output.sensors.list",
        "[{'name': 'a', 'x': '10.3 mm', 'y': '8.6 mm', 'z': '9.25 mm'}, {'name': 'b', 'x': '10.75 mm', "
        "'y': '8 mm', 'z': '4.45 mm'}, {'name': 'c', 'x': '10 mm', 'y': '8 mm', 'z': '9 mm'}, {'name': "
        "'beside air', 'x': '5.7 mm', 'y': '4.6 mm', 'z': '3.3 mm'}, {'name': 'air', 'x': '-0.4 mm', 'y': "
        "'0.2 mm', 'z': '0 mm'}]");
    cli_run_job(job);
    enum { SENSORS = 5, RECORDS = 61, EVERY = 25, LAST = 4 }; // a record of the sensors each 0.4 s
    double *sensors = cli_read_values("out/sensors.nc", "temperature", RECORDS * SENSORS),
           *dose = cli_read_values("out/sensors.nc", "dose", RECORDS * SENSORS),
           *fields = cli_read_values("out/fields.nc", "temperature", 6 * CELLS),
           *doses = cli_read_values("out/fields.nc", "dose", 6 * CELLS);
    const double *record = fields + LAST * CELLS, *values = sensors + 2 * EVERY * SENSORS;
    for (int k = 0; k < 4; k++) {
        assert_near("temperature", values[k], interpolated(record, at_mm[k], counts), 1e-12);
        assert_near("dose", dose[2 * EVERY * SENSORS + k],
                    interpolated(doses + LAST * CELLS, at_mm[k], counts), 1e-12);
    }
    assert_true(values[0] != record[cell(9, 9, 10)] && values[2] == record[cell(9, 8, 10)]);
    assert_true(fabs(record[cell(3, 4, 5)] - values[3]) > 1e-9); // air would show
    assert_true(isnan(values[4]));                               // air: nobody measures there
    const cJSON *list = cli_item(cli_read_json("out/run.json"), "sensors");
    assert_true(cJSON_IsTrue(cli_item(cJSON_GetArrayItem(list, 0), "is_interpolated")));
    assert_true(cJSON_IsFalse(cli_item(cJSON_GetArrayItem(list, 2), "is_interpolated")));
    assert_near("x", cli_json_number(cJSON_GetArrayItem(list, 0), "x_m"), 10.3e-3, 1e-15);

    cli_run_job(cli_change(job, "output.sensors.interpolation = 'nearest'"));
    values = cli_read_values("out/sensors.nc", "temperature", RECORDS * SENSORS) + 2 * EVERY * SENSORS;
    assert_true(values[0] == record[cell(9, 9, 10)] && values[1] == record[cell(4, 8, 11)]);
    cli_change(job, "output.sensors.interpolation = 'linear'");
    cli_assert_error(cli_try(job), CONFIGURATION, false, "output.sensors.interpolation", "trilinear",
                     "nearest");
}

TEST(test_crop_and_stride)
{
    cJSON *job = bioheat_job();
    cli_run_job(job);
    cli_run_job(cli_change(job, "output.fields.x = ['5 mm', '15 mm']; output.fields.z = ['4 mm', '12 mm']; "
                                "output.fields.stride = 2; output.directory = 'crop'"));
    double *all = cli_read_values("out/fields.nc", "temperature", 6 * CELLS);
    size_t count, shape[4];
    double *part = cli_read_variable("crop/fields.nc", "temperature", &count, shape);
    double *x = cli_read_values("crop/fields.nc", "x", shape[3]),
           *z = cli_read_values("crop/fields.nc", "z", shape[1]);
    assert_true(shape[0] == 6 && shape[1] == 5 && shape[2] == (BIOHEAT_JOB_Y + 1) / 2 && shape[3] == 6);
    assert_true(fabs(x[0] - 5e-3) < 1e-12 && fabs(x[5] - 15e-3) < 1e-12 && fabs(z[4] - 12e-3) < 1e-12);
    for (size_t i = 0; i < count; i++) {
        const size_t kx = i % 6, ky = i / 6 % shape[2], kz = i / 6 / shape[2] % 5,
                     frame = i / 6 / shape[2] / 5;
        assert_true(part[i] == all[frame * CELLS + cell(4 + 2 * kz, 2 * ky, 5 + 2 * kx)]);
    }
}

// A plane of cells: nz = 1, and results with an axis of one.
TEST(test_two_dimensions)
{
    cJSON *job = cli_change(
        bioheat_job(),
        "domain = {'uniform': {'tissue': 'brain', 'cells': {'x': 24, 'y': 20}, 'spacing': '1 mm'}, 'faces': "
        "{'all': {'kind': 'insulated'}}}; delete tissues; source.boxes.at = [{'first': {'x': 9, 'y': 7, 'z': "
        "0}, 'last': {'x': 12, 'y': 10, 'z': 0}}]; output.sensors = {'list': [{'name': 'focus', 'x': '10 "
        "mm', 'y': '8 mm', 'z': '0 mm'}]}; physics.perfusion = false");
    cli_run_job(job);
    // 16 cells of 1 mm³ get 5 MW/m³ for 10 s.
    assert_true(fabs(cli_run_number("out", "diagnostics.end.heat_J") - 0.8) < 1e-6);
    cli_do("report out --size 500x400");
    assert_true(cli_exists("out/pictures/slices.png"));
}

// ---- the summary

static const cJSON *tissue_of(const cJSON *report, const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(cli_item(report, "thermal_safety"), "tissues"))
    {
        if (strcmp(cli_text(item, "tissue"), name) == 0)
            return item;
    }
    fail_msg("no tissue %s in run.json", name);
    return NULL;
}

static const char *verdict_of(const cJSON *report, const char *name)
{
    return cli_text(tissue_of(report, name), "verdict");
}

TEST(test_thermal_safety)
{
    cJSON *job = bioheat_job();
    // The brain gets more than 2 CEM43, the skin nothing much.
    cli_save_job(cli_change(job, "physics.perfusion = false; source.boxes.values = [[7e6], [0]]"));
    assert_has(cli_do("run job.json")->error, "brain: ", "EXCEEDED");
    cJSON *report = cli_read_json("out/run.json");
    assert_string_equal(verdict_of(report, "brain"), "exceeded");
    assert_string_equal(verdict_of(report, "skin"), "passed");
    const cJSON *brain = tissue_of(report, "brain");
    double *maximum = cli_read_values("out/maxima.nc", "max_temperature", CELLS),
           *dose = cli_read_values("out/maxima.nc", "dose", CELLS);
    double largest = 0, most = 0;
    for (size_t i = 0; i < CELLS; i++) {
        largest = maximum[i] > largest ? maximum[i] : largest;
        most = dose[i] > most ? dose[i] : most;
    }
    assert_true(most > 2);
    assert_true(fabs(cli_json_number(brain, "largest_temperature_c") - largest) < 1e-5);
    assert_true(fabs(cli_json_number(brain, "largest_dose_min") / most - 1) < 1e-6);
    assert_true(cli_json_number(brain, "dose_limit_min") == 2);
    // Above 39 °C, but with a dose below the limit: passed by its dose. The heating of the usual job.
    cli_run_job(cli_change(job, "source.boxes.values = [[3e6], [0]]"));
    report = cli_read_json("out/run.json");
    assert_true(cli_json_number(tissue_of(report, "brain"), "largest_temperature_c") > 39);
    assert_string_equal(cli_text(tissue_of(report, "brain"), "reason"), "passed (dose)");
    // What temperatures are counted from within the run is no yardstick of safety; that of the body's blood
    // is.
    cli_run_job(
        cli_change(job, "source.boxes.values = [[7e6], [0]]; physics.reference_temperature = '60 degC'"));
    report = cli_read_json("out/run.json");
    brain = tissue_of(report, "brain");
    assert_string_equal(verdict_of(report, "brain"), "exceeded");
    assert_true(fabs(cli_json_number(brain, "largest_rise_k") + 37 -
                     cli_json_number(brain, "largest_temperature_c")) < 1e-9);
}

// ---- checks, warnings, refusals

TEST(test_reference_steps)
{
    static const char *const methods[] = {"euler", "euler-in-place", "three-colour", "source-three-colour",
                                          "rkl2"};
    cJSON *job = cli_change(bioheat_job(), "check = {'reference_steps': 5}");
    for (size_t m = 0; m < COUNT(methods); m++) {
        cli_run_job(
            cli_change(job, "method = '%s'; time.step = %s", methods[m], m == 3 ? "\"0.1 s\"" : "\"0.2 s\""));
        assert_true(cli_run_number("out", "reference_check.repeated_steps") == 10);
        assert_true(cli_run_number("out", "reference_check.largest_difference_k") < 1e-5);
    }
    cli_assert_error(cli_try(cli_change(job, "check.tolerance = '1e-12 K'")), CHECK_FAILED, false, "check",
                     "cell [", "the reference's", "allowed: 1e-12 K");
}

TEST(test_reference_file)
{
    cJSON *job = cli_change(bioheat_job(), "output.directory = 'first'");
    cli_run_job(job);
    cli_run_job(cli_change(job, "output.directory = 'out'; precision = 'double'; check = {'reference_file': "
                                "'first/fields.nc', 'variables': {'temperature': '1e-3 K'}}"));
    // The same by hand; kelvins of a difference are degrees Celsius.
    cli_do("compare out/fields.nc first/fields.nc --variable temperature --absolute '1e-3 K'");
    cli_assert_error(cli_try(cli_change(job, "source.boxes.values = [[5.01e6], [0]]")), CHECK_FAILED, false,
                     "temperature", "differs", "first/fields.nc");
}

// One array of temperatures where the method needs one.
TEST(test_plan_shows_the_methods_arrays)
{
    static const struct {
        const char *method;
        bool has_two;
    } methods[] = {
        {"euler", true}, {"euler-in-place", false}, {"three-colour", false}, {"source-three-colour", false}};
    static const char *const backends[] = {"reference", "openmp"};
    for (size_t m = 0; m < COUNT(methods); m++)
        for (size_t b = 0; b < 2; b++) {
            cJSON *job =
                cli_change(bioheat_job(), "method = '%s'; backend = '%s'", methods[m].method, backends[b]);
            cli_save_job(job);
            const struct cli_result *result = cli_do("plan --arrays job.json");
            const char *first = strstr(result->output, "temperature  ");
            assert_non_null(first);
            assert_true((strstr(result->output, "temperature, next  ") != NULL) == methods[m].has_two);
        }
}

// In brain at 1 mm and 0.2 s: D = 0.51/(1046·3630) = 1.343e-7 m²/s, μ = 0.02686, 1/(1 − 3.75 μ) = 1.112.
TEST(test_the_sources_colouring_is_described)
{
    cJSON *job =
        cli_change(bioheat_job(), "domain = {'uniform': {'tissue': 'brain', 'cells': {'x': 24, 'y': 18, 'z': "
                                  "15}, 'spacing': '1 mm'}}; delete tissues; method = 'source-three-colour'");
    cli_save_job(job);
    assert_has(cli_do("run job.json")->error, "decay rates come out 1.11 times as large");
}

TEST(test_warns_of_boiling_once)
{
    cJSON *job = cli_change(bioheat_job(), "source.boxes.values = [[5e7], [0]]");
    const struct cli_result *result = cli_try(job);
    cli_assert_done(result);
    const char *first = strstr(result->error, "water boils");
    assert_non_null(first);
    assert_null(strstr(first + 1, "water boils"));
    assert_has(result->error, "mm after ");
    cJSON *report = cli_read_json("out/run.json");
    size_t boiling = 0;
    const cJSON *warning;
    cJSON_ArrayForEach(warning, cJSON_GetObjectItem(report, "warnings")) boiling +=
        strstr(warning->valuestring, "water boils") != NULL;
    assert_int_equal(boiling, 1); // others tell of the tissues' levels
    cli_change(job, "source.boxes.values = [[-5e7], [0]]");
    result = cli_try(job);
    cli_assert_done(result);
    assert_has(result->error, "tissue freezes");
}

// A medium of nearly no heat capacity (full fields may be of anything), and a stream that heats it.
static void write_thin_medium(void)
{
    enum { N = 6, ALL = N * N * N };
    static const char *const names[] = {"density", "specific_heat", "conductivity"}, *const units[] = {
                                                                                         "kg m-3",
                                                                                         "J kg-1 K-1",
                                                                                         "W m-1 K-1"};
    static const double numbers[] = {1e-290, 3600, 1e-290}, ends_s[] = {0, 0.01, 0.02};
    double middles_mm[N], values[2 * ALL] = {0};
    for (int i = 0; i < N; i++)
        middles_mm[i] = i;
    const int file = make_file(cli_path("thin.nc"), NC_NETCDF4),
              dimensions[] = {
                  make_axis(file, "t", "s", 2, ends_s + 1), make_axis(file, "z", "mm", N, middles_mm),
                  make_axis(file, "y", "mm", N, middles_mm), make_axis(file, "x", "mm", N, middles_mm)};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < ALL; i++)
            values[i] = numbers[k];
        make_field(file, names[k], units[k], 3, dimensions + 1, values);
    }
    make_axis(file, "ends", "s", 3, ends_s);
    for (int i = 0; i < ALL; i++)
        values[ALL + i] = 1e29;
    make_field(file, "Q", "W m-3", 4, dimensions, values);
    NC(nc_close(file));
}

// Numbers beyond double precision: named with place and time, and no result is left.
TEST(test_a_non_finite_value_ends_the_run)
{
    static const char *const backends[] = {"reference", "openmp"};
    write_thin_medium();
    for (size_t b = 0; b < 2; b++) {
        cJSON *job = cli_change(
            bioheat_job(),
            "backend = '%s'; precision = 'double'; domain = {'fields': {'file': 'thin.nc'}, 'faces': {'all': "
            "{'kind': 'insulated'}}}; delete tissues; delete output.sensors; delete output.state; delete "
            "dose; "
            "output.fields.variables = ['temperature']; time = {'duration': '20 ms', 'step': '0.25 ms'}; "
            "source = "
            "{'stream': {'file': 'thin.nc', 'variable': 'Q', 'times': 'ends', 'between': 'stepwise', "
            "'amplitude': 1e12}}",
            backends[b]);
        const struct cli_result *result = cli_try(job);
        if (result->exit_code != DATA || !strstr(result->error, "became non-finite by step") ||
            !strstr(result->error, " mm, cell ["))
            fail_msg("%s: exit code %d: %s", backends[b], result->exit_code, result->error);
        assert_false(cli_exists("out/fields.nc"));
    }
}

TEST(test_refuses_a_missing_dose)
{
    cJSON *job = cli_change(bioheat_job(), "delete dose");
    cli_assert_error(cli_try(job), CONFIGURATION, false, "output.fields.variables", "dose");
    // The field is kept for itself.
    cli_run_job(
        cli_change(job, "output.fields.variables = ['temperature', 'maximum']; output.maxima = false"));
    assert_false(cli_exists("out/maxima.nc"));
    double *maximum = cli_read_values("out/fields.nc", "maximum", 6 * CELLS);
    assert_true(maximum[5 * CELLS + cell(9, 8, 10)] > 44);
}

// Whatever the number of threads.
TEST(test_threads_change_no_bit)
{
    cli_save_job(bioheat_job());
    cli_do("run -q -t 1 -o one job.json");
    cli_do("run -q -t 3 -o three job.json");
    cli_assert_same_results("one", "three");
}

static void expect_threads(const char *option, double expected)
{
    cli_do("run -q --restart %s job.json", option);
    cli_expect_number(cli_read_json("out/run.json"), "threads", expected);
}

// The fixture offers two; a small grid takes one, unless the command line gives their number.
TEST(test_small_grids_take_one_thread)
{
    cJSON *job = cli_change(bioheat_job(), "time.duration = '1 s'");
    cli_set(job, "domain",
            "{'uniform': {'tissue': 'brain', 'cells': {'x': 20, 'y': 20, 'z': 20}, 'spacing': '1 mm'}, "
            "'faces': {'all': {'kind': 'insulated'}}}");
    cli_set(job, "tissues", NULL);
    cli_save_job(job);
    expect_threads("", 1);
    expect_threads("-t2", 2);
    cli_set(job, "domain.uniform.cells", "{'x': 21, 'y': 20, 'z': 20}");
    cli_save_job(job);
    expect_threads("", 2); // 8192 cells and more
}

TEST_MAIN(cli_setup, cli_teardown)
