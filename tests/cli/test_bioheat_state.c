// A state.nc that no run has written (damaged, or changed by hand) is refused by a run that would continue
// it, and by its plan, in one line that names the file, the variable, the value and what was expected.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);

// ((6 · 18) + 5) · 24 + 5, in brain
enum { CELL = 2717 };

struct change {
    enum { CELL_VALUE, SCALAR, ALL_CELLS, NOT_KEPT, UNITS, NO_UNITS, ATTRIBUTE, RENAMED, RENAMED_AXIS } kind;
    const char *variable; // or the attribute
    double value;
    const char *text, *expected;
};

static void change_cell(int file, int variable, double value)
{
    const size_t at[3] = {6, 5, 5};
    NC(nc_put_var1_double(file, variable, at, &value));
}

static void change_all(int file, int variable, double value)
{
    static double values[BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X];
    for (size_t k = 0; k < COUNT(values); k++)
        values[k] = value;
    NC(nc_put_var_double(file, variable, values));
}

// A cube's axes could be exchanged without another sign of it.
static void rename_axis(int file)
{
    int y;
    NC(nc_inq_dimid(file, "y", &y));
    NC(nc_rename_dim(file, y, "rows"));
}

static void apply(const struct change *c)
{
    int file, variable = NC_GLOBAL;
    cli_copy("good.nc", "first/state.nc");
    NC(nc_open(cli_path("first/state.nc"), NC_WRITE, &file));
    if (c->kind != ATTRIBUTE && c->kind != RENAMED_AXIS)
        NC(nc_inq_varid(file, c->variable, &variable));
    switch (c->kind) {
    case CELL_VALUE:
        change_cell(file, variable, c->value);
        break;
    case SCALAR:
        NC(nc_put_var_double(file, variable, &c->value));
        break;
    case ALL_CELLS:
        change_all(file, variable, c->value);
        break;
    case NOT_KEPT:
        change_all(file, variable, NAN);
        NC(nc_inq_varid(file, "largest_at", &variable));
        change_all(file, variable, NAN);
        break;
    case UNITS:
        NC(nc_put_att_text(file, variable, "units", strlen(c->text), c->text));
        break;
    case NO_UNITS:
        NC(nc_del_att(file, variable, "units"));
        break;
    case ATTRIBUTE:
        NC(nc_put_att_text(file, NC_GLOBAL, c->variable, strlen(c->text), c->text));
        break;
    case RENAMED:
        NC(nc_rename_var(file, variable, c->text));
        break;
    case RENAMED_AXIS:
        rename_axis(file);
        break;
    }
    NC(nc_close(file));
}

// By the run and by the plan, with the same words.
static void assert_refused(const struct change *c)
{
    static const char *const commands[] = {"plan job.json", "run -q job.json"};
    apply(c);
    for (size_t k = 0; k < COUNT(commands); k++) {
        const struct cli_result *result = cli_run(commands[k]);
        if (result->exit_code != DATA)
            fail_msg("%s of %s (%s): exit code %d, not %d: %s", commands[k], c->variable, c->expected,
                     result->exit_code, DATA, result->error);
        cli_assert_error(result, DATA, true, "initial.from", "first/state.nc", c->expected);
    }
}

static cJSON *make_chain(void)
{
    cJSON *job = cli_change(bioheat_job(),
                            "delete dose.definition; dose.definitions = ['cem43', 'cem43-from-39']; "
                            "time.duration = '2 s'; source.boxes.times = ['0 s', '1 s']; output.directory = "
                            "'first'; precision = 'double'");
    cli_run_job(job);
    cli_copy("first/state.nc", "good.nc");
    cli_change(job, "initial = {'from': 'first'}; output.directory = 'next'");
    cli_save_job(job);
    return job;
}

TEST(values_that_cannot_be_are_refused)
{
    static const struct change rows[] = {
        {CELL_VALUE, "rise", -400, NULL,
         "rise[2717] (index in [z][y][x] order) is -400: a temperature below"},
        {CELL_VALUE, "rise", NAN, NULL, "rise[2717] (index in [z][y][x] order) is nan: not finite"},
        {CELL_VALUE, "rise", 1e5, NULL, "is 100000: a temperature above 10000 degC"},
        {CELL_VALUE, "dose", INFINITY, NULL, "dose[2717] (index in [z][y][x] order) is inf: not finite"},
        {CELL_VALUE, "dose", -1, NULL, "dose[2717] (index in [z][y][x] order) is -1: negative"},
        {CELL_VALUE, "dose", NAN, NULL, "is nan: missing"},
        {CELL_VALUE, "dose", 240, NULL, "is 240: more than "},
        {CELL_VALUE, "second_dose", INFINITY, NULL, "is inf: infinite, which takes more than 57 degC"},
        {CELL_VALUE, "second_dose", -0.5, NULL, "is -0.5: negative"},
        {CELL_VALUE, "largest_rise", INFINITY, NULL, "is inf: not finite"},
        {CELL_VALUE, "largest_rise", 1e300, NULL, "is 1e+300: a temperature above 10000 degC"},
        {CELL_VALUE, "largest_rise", -5, NULL, "is -5: less than the rise in that cell"},
        {CELL_VALUE, "largest_rise", NAN, NULL, "is nan: missing, although largest_rise[0] is not"},
        {CELL_VALUE, "largest_at", 99, NULL, "is 99: later than the state itself (clock)"},
        {CELL_VALUE, "largest_at", -1, NULL, "is -1: before the first run"},
        {CELL_VALUE, "largest_at", NAN, NULL, "largest_at[2717] (index in [z][y][x] order) is nan: missing"},
        {ALL_CELLS, "largest_rise", NAN, NULL, "not missing, although largest_rise[0] is missing"},
        {NOT_KEPT, "largest_rise", NAN, NULL, "kept no largest temperatures"},
        {SCALAR, "clock", 1e300, NULL, "clock is 1e+300 s: expected a number from 0 to 1e+09"},
        {SCALAR, "clock", -1, NULL, "clock is -1 s: expected a number from 0"},
        {SCALAR, "clock", NAN, NULL, "clock is nan s: expected a number"},
        {SCALAR, "reference_temperature", 1e5, NULL,
         "reference_temperature is 100000 degC: expected a number from -273.15 to 10000"},
        {SCALAR, "reference_temperature", -274, NULL, "reference_temperature is -274 degC"},
        {SCALAR, "reference_temperature", INFINITY, NULL, "reference_temperature is inf degC"},
        {SCALAR, "lacking", 8192, NULL, "lacking is 8192: expected a whole number from 0 to 8191"},
        {SCALAR, "lacking", 0.5, NULL, "lacking is 0.5: expected a whole number"},
        {SCALAR, "mechanical_index", -1, NULL, "mechanical_index is -1: expected a number from 0 to 10000"},
        {SCALAR, "mechanical_index", INFINITY, NULL, "mechanical_index is inf"},
        {SCALAR, "rounding", -1, NULL, "rounding is -1 K: expected a number from 0 to 10000"},
        {SCALAR, "warming_heat_solved", NAN, NULL, "warming_heat_solved is nan J: expected a number from 0"},
        {SCALAR, "warming_heat_layers", -1, NULL, "warming_heat_layers is -1 J: expected a number from 0"},
        {SCALAR, "warming_heat_layers", 5, NULL, "layers_rise does not fit the heat beside it"},
        {SCALAR, "warming_heat_unsolved", INFINITY, NULL, "warming_heat_unsolved is inf J"},
        {SCALAR, "cooling_heat_solved", 1e300, NULL, "cooling_heat_solved is 1e+300 J: expected"},
        {SCALAR, "cooling_heat_layers", -1e-9, NULL, "cooling_heat_layers is -1e-09 J"},
        {SCALAR, "cooling_heat_unsolved", NAN, NULL, "cooling_heat_unsolved is nan J"},
        {SCALAR, "layers_rise", -0.1, NULL, "layers_rise is -0.1 K: expected a number from 0"},
        {SCALAR, "layers_rise", 0.1, NULL, "layers_rise does not fit the heat beside it"},
        {SCALAR, "solved_rise", 0, NULL, "solved_rise does not fit the heat beside it"},
        {SCALAR, "solved_rise_index", 6480, NULL, "is 6480: expected a whole number from -15 to 6479"},
        {SCALAR, "solved_rise_index", 0.5, NULL, "is 0.5: expected a whole number"},
        {SCALAR, "drained_z_low", -1, NULL, "drained_z_low is -1 K m-1: expected a number from 0 to 1e+10"},
        {SCALAR, "drained_y_high", NAN, NULL, "drained_y_high is nan K m-1: expected"},
        {SCALAR, "drained_x_high", INFINITY, NULL, "drained_x_high is inf K m-1: expected"},
    };
    make_chain();
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_refused(&rows[k]);
}

TEST(units_shapes_and_words_that_cannot_be_are_refused)
{
    static const struct change rows[] = {
        {UNITS, "rise", 0, "degC", "rise is in \"degC\": expected \"K\""},
        {UNITS, "rise", 0, "mK", "rise is in \"mK\": expected \"K\""},
        {UNITS, "dose", 0, "s", "dose is in \"s\": expected \"min\""},
        {UNITS, "second_dose", 0, "h", "second_dose is in \"h\": expected \"min\""},
        {UNITS, "largest_rise", 0, "degF", "largest_rise is in \"degF\": expected \"K\""},
        {UNITS, "largest_at", 0, "min", "largest_at is in \"min\": expected \"s\""},
        {UNITS, "clock", 0, "h", "clock is in \"h\": expected \"s\""},
        {UNITS, "clock", 0, "no unit", "clock is in \"no unit\": expected \"s\""},
        {UNITS, "reference_temperature", 0, "K", "reference_temperature is in \"K\": expected \"degC\""},
        {UNITS, "lacking", 0, "K", "lacking is in \"K\": expected \"1\""},
        {UNITS, "warming_heat_layers", 0, "kJ", "warming_heat_layers is in \"kJ\": expected \"J\""},
        {UNITS, "drained_x_low", 0, "K mm-1", "drained_x_low is in \"K mm-1\": expected \"K m-1\""},
        {UNITS, "z", 0, "mm", "z is in \"mm\": expected \"m\""},
        {NO_UNITS, "rise", 0, NULL, "rise does not state its units: expected \"K\""},
        {NO_UNITS, "clock", 0, NULL, "clock does not state its units: expected \"s\""},
        {NO_UNITS, "x", 0, NULL, "x does not state its units: expected \"m\""},
        {ATTRIBUTE, "dose_definition", 0, "cem44",
         "attribute dose_definition is \"cem44\": expected off, cem43, cem43-from-37 or cem43-from-39"},
        {ATTRIBUTE, "labels_hash", 0, "0123", "labels_hash is \"0123\": expected 16 hexadecimal digits"},
        {RENAMED, "rise", 0, "risen", "has no variable rise(z, y, x)"},
        {RENAMED, "largest_at", 0, "at", "has no variable largest_at(z, y, x)"},
        {RENAMED, "clock", 0, "watch", "the scalar clock is missing"},
        {RENAMED, "layers_rise", 0, "other", "the scalar layers_rise is missing"},
        {RENAMED, "drained_y_low", 0, "other", "the scalar drained_y_low is missing"},
        {RENAMED_AXIS, "y", 0, NULL, "has no variable rise(z, y, x)"},
    };
    make_chain();
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_refused(&rows[k]);
}

// What no check of values sees, the checksum in run.json does.
TEST(a_changed_state_is_refused)
{
    static const char damaged[] = "was damaged or changed after its run: its XXH3-64 is ";
    static const struct change rows[] = {
        {SCALAR, "drained_z_low", 3, NULL, damaged}, {SCALAR, "solved_rise_index", -1, NULL, damaged},
        {SCALAR, "clock", 3, NULL, damaged},         {RENAMED, "mechanical_index", 0, "index", damaged},
        {ALL_CELLS, "dose", 0, NULL, damaged},       {CELL_VALUE, "rise", 0, NULL, damaged},
        {ATTRIBUTE, "title", 0, "another", damaged}};
    make_chain();
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_refused(&rows[k]);
    cli_copy("good.nc", "first/state.nc");
    cli_do("run -q job.json");
    assert_false(cli_has_warning("next", "initial.from: ", "has no checksum in a run.json"));
    assert_string_equal(cli_text(cli_read_json("next/run.json"), "findings.0.verdict"), "passed");
}

// Without the checksum it may hide any dose: the runs that continue it are not judged as passed.
TEST(a_state_that_cannot_be_compared_passes_nothing)
{
    static const char reason[] = "its state has no checksum in a run.json beside it";
    make_chain();
    cli_do("run -q job.json");
    assert_string_equal(cli_text(cli_read_json("next/run.json"), "findings.0.verdict"), "passed");
    apply(&(const struct change){ALL_CELLS, "dose", 0, NULL, NULL});
    cli_remove("first/run.json");
    cli_do("run -q --restart job.json");
    assert_true(cli_has_warning("next", "initial.from: the run continues one that is not judged", reason));
    const cJSON *run = cli_read_json("next/run.json");
    assert_string_equal(cli_text(run, "findings.0.verdict"), "not judged");
    assert_has(cli_text(run, "findings.0.message"), reason);
}

// What is written otherwise but means the same is read.
TEST(what_a_run_has_written_is_accepted)
{
    static const struct change rows[] = {{UNITS, "rise", 0, "kelvin", NULL},
                                         {UNITS, "dose", 0, "minutes", NULL},
                                         {SCALAR, "clock", 1e6, NULL, NULL}};
    make_chain();
    cli_remove("first/run.json"); // with its checksum
    for (size_t k = 0; k < COUNT(rows); k++) {
        apply(&rows[k]);
        cli_assert_done(cli_run("plan job.json"));
        cli_assert_done(cli_run("run -q --restart job.json"));
    }
}

// Beyond 57 degC ISO's dose is infinite, and so it is continued.
TEST(a_dose_that_is_infinite_by_its_law_is_accepted)
{
    static const char *const precisions[] = {"single", "double"};
    for (size_t k = 0; k < COUNT(precisions); k++) {
        size_t count, infinite = 0;
        cJSON *job = cli_change(bioheat_job(),
                                "dose.definition = 'cem43-from-39'; precision = '%s'; time.duration = '4 s'; "
                                "source.boxes.values = [[3e7], [0]]; source.boxes.times = ['0 s', '4 s']; "
                                "output.directory = 'hot'; output.maxima = true",
                                precisions[k]);
        cli_assert_done(cli_rerun(job));
        const double *dose = cli_read_variable("hot/state.nc", "dose", &count, NULL);
        for (size_t i = 0; i < count; i++)
            infinite += isinf(dose[i]) != 0;
        assert_true(infinite > 0 && infinite < count);
        cli_assert_done(cli_rerun(cli_change(job, "delete source; initial = {'from': 'hot'}; time.duration = "
                                                  "'1 s'; output.directory = 'after'")));
    }
}
