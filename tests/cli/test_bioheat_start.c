// Automatic steps of method rkl2 in jobs whose start is not at rest: walls that cool, at edges and corners
// too, hot plates, probes, perfusion, temperatures from files and from earlier runs. The estimate of run.json
// is not below the largest error at the end of any step, nor far above, the tolerance is kept, and all back
// ends take the same step. Where there is no estimate, run.json and a warning say so.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

enum { SIDE = 16, CELLS = SIDE * SIDE * SIDE };

static const double middle = 0.5 * (SIDE - 1);

static double focus_at(size_t z, size_t y, size_t x, double sigma)
{
    const double dz = (double)z - middle, dy = (double)y - middle, dx = (double)x - middle;
    return exp(-(dx * dx + dy * dy + dz * dz) / (2 * sigma * sigma));
}

// "start.nc": on SIDE³ cells of 1 mm temperatures "plate", "probe", "focus2", "focus6" (degC), labels
// "label" (2: the probe), and a source "q" (W m-3).
static void write_start(void)
{
    enum { PLATE, PROBE, FOCUS2, FOCUS6, LABEL, SOURCE, FIELDS };
    static const char *const names[] = {"plate", "probe", "focus2", "focus6", "label", "q"}, *const axes[] = {
                                                                                                 "z", "y",
                                                                                                 "x"};
    static double fields[FIELDS][CELLS];
    double positions[SIDE];
    int dimensions[3];
    const int file = make_file(cli_path("start.nc"), NC_NETCDF4);
    for (size_t k = 0; k < SIDE; k++)
        positions[k] = (double)k;
    for (int axis = 0; axis < 3; axis++)
        dimensions[axis] = make_axis(file, axes[axis], "mm", SIDE, positions);
    for (size_t k = 0; k < CELLS; k++) {
        const size_t z = k / SIDE / SIDE, y = k / SIDE % SIDE, x = k % SIDE;
        const bool is_probe = z < SIDE / 2 && y / 2 == SIDE / 4 && x / 2 == SIDE / 4;
        fields[PLATE][k] = z < 2 ? 50 : 37;
        fields[PROBE][k] = is_probe ? 70 : 37;
        fields[FOCUS2][k] = 37 + 15 * focus_at(z, y, x, 2);
        fields[FOCUS6][k] = 37 + 15 * focus_at(z, y, x, 6);
        fields[LABEL][k] = is_probe ? 2 : 1;
        fields[SOURCE][k] = 3e6 * focus_at(z, y, x, 2);
    }
    for (int f = 0; f < FIELDS; f++)
        make_field(file, names[f],
                   f < LABEL    ? "degC"
                   : f == LABEL ? NULL
                                : "W m-3",
                   3, dimensions, fields[f]);
    NC(nc_close(file));
}

static cJSON *start_job(const char *changes)
{
    cJSON *job = cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'method': 'rkl2', 'backend': 'openmp', 'precision': 'double', "
        "'domain': {'uniform': {'density': '1000 kg m-3', 'specific_heat': '4000 J kg-1 K-1', "
        "'conductivity': '0.5 W m-1 K-1', 'perfusion': '2e4 W m-3 K-1', 'cells': {'x': %d, 'y': %d, 'z': "
        "%d}, 'spacing': '1 mm'}, 'faces': {'all': {'kind': 'insulated'}}}, 'time': {'duration': '20 s'}, "
        "'output': {'directory': 'out', 'maxima': false, 'precision': 'double', 'fields': {'every': '20 s', "
        "'variables': ['temperature']}}}",
        SIDE, SIDE, SIDE);
    return changes[0] ? cli_change(job, "%s", changes) : job;
}

// Makes the automatic step again with records of all steps, and against sixteenths of it.
static double largest_error_k(const char *changes, double step_s)
{
    static const char *const directories[] = {"steps", "fine"};
    for (int fine = 0; fine < 2; fine++)
        cli_run_job(cli_change(start_job(changes),
                               "delete time.tolerance; time.step = '%.17g s'; output.fields.every = '%.17g "
                               "s'; output.directory = '%s'",
                               fine ? step_s / 16 : step_s, step_s, directories[fine]));
    return cli_difference("steps/fields.nc", "fine/fields.nc", "temperature");
}

#define WALL(axis)                                                                                           \
    "domain.faces." axis "_low = {'kind': 'convective', 'transfer': '1000 W m-2 K-1', 'outside': '17 "       \
    "degC'}"
#define TISSUE(perfusion)                                                                                    \
    "'density': '1000 kg m-3', 'specific_heat': '4000 J kg-1 K-1', 'conductivity': '0.5 W m-1 K-1', "        \
    "'perfusion': '" perfusion " W m-3 K-1'"

static const struct {
    const char *name, *changes, *tolerance;
} starts[] = {
    {"one wall", WALL("x"), "0.05"},
    {"an edge", WALL("x") "; " WALL("y"), "0.05"},
    {"a corner", WALL("x") "; " WALL("y") "; " WALL("z"), "0.05"},
    {"hot plate", "domain.faces.z_low.kind = 'fixed'; initial = {'file': 'start.nc', 'variable': 'plate'}",
     "0.01"},
    {"probe",
     "domain = {'labels': {'file': 'start.nc', 'variable': 'label'}, 'faces': {'all': {'kind': "
     "'insulated'}}}; tissues = {'labels': {'1': {'name': 'm', " TISSUE(
         "2e4") "}, '2': {'name': 'p', " TISSUE("0") "}}, 'fixed_temperature': [2]}; initial = {'file': "
                                                     "'start.nc', 'variable': 'probe'}",
     "0.05"},
    {"perfusion", "domain.uniform.perfusion = '4e5 W m-3 K-1'; initial = {'temperature': '30 degC'}", "0.01"},
    {"focus of 2 mm", "initial = {'file': 'start.nc', 'variable': 'focus2'}", "0.01"},
    {"focus of 6 mm", "initial = {'file': 'start.nc', 'variable': 'focus6'}", "0.01"},
    {"earlier run", "initial = {'from': 'heated'}", "0.05"},
    {"cooled walls and a source",
     "domain.faces.all = {'kind': 'convective', 'transfer': '200 W m-2 K-1', 'outside': '20 degC'}; source = "
     "{'maps': {'q': {'file': 'start.nc', 'variable': 'q'}}}",
     "0.02"},
    {"heated and cooled wall",
     "domain.faces.x_low = {'kind': 'convective', 'transfer': '1000 W m-2 K-1', 'outside': '37 degC'}; "
     "source = {'boxes': {'at': [{'first': {'x': 0, 'y': 0, 'z': 0}, 'last': {'x': 4, 'y': 15, 'z': 15}}], "
     "'values': [[1e6]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
     "0.05"},
    {"heated tissue of much blood",
     "domain.uniform.perfusion = '4e5 W m-3 K-1'; source = {'maps': {'q': {'file': 'start.nc', 'variable': "
     "'q'}}}",
     "0.05"},
};

TEST(test_estimates_hold)
{
    write_start();
    cli_run_job(start_job("source = {'maps': {'q': {'file': 'start.nc', 'variable': 'q'}}}; time.duration = "
                          "'15 s'; delete output.fields; output.state = true; output.directory = 'heated'"));
    for (size_t k = 0; k < COUNT(starts); k++) {
        cli_run_job(cli_change(start_job(starts[k].changes), "time.tolerance = '%s K'", starts[k].tolerance));
        const cJSON *run = cli_read_json("out/run.json");
        const double step_s = cli_json_number(run, "step_s"),
                     estimate_k = cli_json_number(run, "physics.step_error_estimate_k"),
                     tolerance_k = cli_json_number(run, "physics.step_tolerance_k"),
                     error_k = largest_error_k(starts[k].changes, step_s);
        print_message("%s: steps of %g s, estimate %.4f K, error %.4f K, %.2f times\n", starts[k].name,
                      step_s, estimate_k, error_k, estimate_k / error_k);
        assert_true(estimate_k >= error_k && estimate_k <= 20 * error_k);
        assert_true(estimate_k <= tolerance_k && estimate_k > 0.1 * tolerance_k);
        assert_true(cli_json_number(run, "physics.start_error_estimate_k") <= estimate_k);
    }
}

// A start at rest has no error, and takes one step.
TEST(test_rest_takes_one_step)
{
    cli_run_job(start_job(""));
    assert_true(cli_run_number("out", "step_s") == 20);
    assert_true(cli_run_number("out", "physics.step_error_estimate_k") == 0);
}

TEST(test_back_ends_take_the_same_step)
{
    static const char *const backends[] = {"openmp", "reference", "auto"};
    double step_s[COUNT(backends)], estimate_k[COUNT(backends)];
    write_start();
    for (size_t k = 0; k < COUNT(backends); k++) {
        cli_run_job(cli_change(start_job(WALL("x") "; " WALL("y")),
                               "initial = {'file': 'start.nc', 'variable': 'focus2'}; time.duration = '4 s'; "
                               "time.tolerance = '0.2 K'; output.fields.every = '4 s'; backend = '%s'; "
                               "precision = '%s'",
                               backends[k], k == 2 ? "single" : "double"));
        step_s[k] = cli_run_number("out", "step_s");
        estimate_k[k] = cli_run_number("out", "physics.step_error_estimate_k");
        assert_true(step_s[k] == step_s[0] && estimate_k[k] == estimate_k[0]);
    }
    assert_true(step_s[0] < 4);
}

// Of a stream there is no estimate of the method's error, but of the start's and of what steps miss there is.
TEST(test_an_unknown_error_is_null)
{
    bioheat_job_write_stream(20, 1.7);
    cli_run_job(cli_change(bioheat_job(),
                           "method = 'rkl2'; time.step = '2 s'; delete output.sensors; delete output.fields; "
                           "source = {'stream': {'file': 'heating.nc', 'after_end': 'last'}}; "
                           "initial.temperature = '30 degC'; output.diagnostics.every = '24 s'"));
    const cJSON *run = cli_read_json("out/run.json");
    const cJSON *physics = cJSON_GetObjectItem(run, "physics");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(physics, "step_error_estimate_k")));
    assert_true(cli_json_number(run, "physics.switch_error_estimate_k") > 0);
    assert_true(cli_json_number(run, "physics.start_error_estimate_k") > 0);
    assert_true(cli_has_warning("out", "time.step: the error of steps of 2 s is not known", "a stream"));
}

// A run's own image of the largest temperatures, in which air has none, is a start for another run.
TEST(test_air_needs_no_temperature)
{
    static const char *const methods[] = {"euler", "rkl2"};
    cli_run_job(cli_change(bioheat_job(),
                           "output.nifti = ['largest_temperature']; output.directory = 'first'; "
                           "output.maxima = true"));
    for (size_t k = 0; k < COUNT(methods); k++) {
        cli_run_job(cli_change(bioheat_job(),
                               "delete source; time.duration = '0.2 s'; method = '%s'; initial = "
                               "{'file': 'first/largest_temperature.nii.gz', 'units': 'degC'}",
                               methods[k]));
        // Of the first record alone: nothing has flowed yet.
        assert_near("largest", cli_run_number("out", "diagnostics.start.largest_temperature_degC"),
                    cli_run_number("first", "diagnostics.run.largest_temperature_degC"), 1e-4);
        assert_near("smallest", cli_run_number("out", "diagnostics.start.smallest_temperature_degC"), 37,
                    1e-3);
    }
}

TEST_MAIN(cli_setup, cli_teardown)
