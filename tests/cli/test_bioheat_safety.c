// What a heat run states about safety: the largest temperature and the dose of the whole run, not those of
// its last record; the verdict by the ITRUSST levels in run.json, on the report's page and on a batch's, and
// as a check that decides the exit code.
#include "tests/support/bioheat_job.h"
#include "tests/support/gnuplot.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

enum { CELLS = BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X };

// Ten seconds of heat, then ten minutes without: hot at first, near 37 degC at the end.
static cJSON *cooled_job(const char *power)
{
    cJSON *job = cli_change(
        bioheat_job(),
        "delete output.sensors; delete output.state; delete output.fields; output.diagnostics.every = '30 "
        "s'; time.duration = '600 s'; source.boxes.values = [[%s], [0]]",
        power);
    return job;
}

static const cJSON *finding_of(const cJSON *run)
{
    assert_int_equal(cli_count(run, "findings"), 2); // thermal, mechanical
    return cli_item(run, "findings.0");
}

static double largest_of(const char *file, const char *variable)
{
    double *values = cli_read_values(file, variable, CELLS), largest = -INFINITY;
    for (size_t k = 0; k < CELLS; k++)
        largest = fmax(largest, values[k]);
    return largest;
}

static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-5 * fabs(b)))
        fail_msg("%.9g, expected %.9g", a, b);
}

// The records of the diagnostics, each 30 s, miss the largest temperature, which is reached after 10 s.
TEST(test_the_run_counts_not_its_end)
{
    cJSON *job = cooled_job("6e6");
    cli_run_job(job);
    const double largest_c = largest_of("out/maxima.nc", "max_temperature"),
                 dose_min = largest_of("out/maxima.nc", "dose");
    assert_true(largest_c > 45 && dose_min > 2);
    assert_close(cli_run_number("out", "diagnostics.run.largest_temperature_degC"), largest_c);
    assert_close(cli_run_number("out", "diagnostics.run.largest_temperature_at_s"), 10);
    assert_close(cli_run_number("out", "diagnostics.run.largest_dose_min"), dose_min);
    assert_true(cli_run_number("out", "diagnostics.end.largest_temperature_degC") < 38.5);
    cJSON *run = cli_read_json("out/run.json");
    // Of the last record nothing is called the largest but what the whole run, or all records, have under the
    // same name.
    const cJSON *diagnostics = cJSON_GetObjectItemCaseSensitive(run, "diagnostics"), *figure;
    const cJSON *of_run = cJSON_GetObjectItemCaseSensitive(diagnostics, "run"),
                *of_records = cJSON_GetObjectItemCaseSensitive(diagnostics, "records");
    cJSON_ArrayForEach(figure, cJSON_GetObjectItemCaseSensitive(diagnostics, "end"))
    {
        if (strstr(figure->string, "largest") || strstr(figure->string, "smallest"))
            assert_true(cJSON_HasObjectItem(of_run, figure->string) ||
                        cJSON_HasObjectItem(of_records, figure->string));
    }
    assert_string_equal(cli_text(finding_of(run), "rule"), "thermal safety (ITRUSST)");
    assert_string_equal(cli_text(finding_of(run), "verdict"), "exceeded");
    assert_has(cli_text(finding_of(run), "message"), "brain: ");
    assert_has(cli_text(finding_of(run), "message"), "CEM43 (level 2)");
    // Without the largest temperatures the records are what is known, and the report does not call the last
    // frame the largest.
    cli_run_job(cli_change(
        job, "output = {'directory': 'records', 'maxima': false, 'diagnostics': {'every': '10 s'}}"));
    assert_false(cli_exists("records/maxima.nc"));
    assert_close(cli_run_number("records", "diagnostics.records.largest_temperature_degC"), largest_c);
    assert_close(cli_run_number("records", "diagnostics.records.largest_temperature_at_s"), 10);
}

// Between two records tissue was above 43 degC and cooled again. What "run" states is of every step; what is
// known of the records alone stands under "records", and misses that.
TEST(test_what_happened_between_records)
{
    static const char *const backends[] = {"reference", "openmp"};
    static const char *const moments[] = {"hot_volume_m3", "smallest_temperature_degC"};
    cJSON *job = cli_change(
        cooled_job("6e6"),
        "time.duration = '120 s'; output.diagnostics.every = '120 s'; output.precision = 'double'");
    for (size_t k = 0; k < 2; k++) {
        cli_run_job(cli_change(job, "backend = '%s'; output.directory = '%s'", backends[k], backends[k]));
        double hot_cells = 0, *largest, *label;
        const char *file = format_text("%s/maxima.nc", backends[k]);
        largest = cli_read_values(file, "max_temperature", CELLS);
        label = cli_read_values(file, "label", CELLS);
        for (size_t cell = 0; cell < CELLS; cell++)
            hot_cells += label[cell] > 0 && largest[cell] > 43;
        assert_true(hot_cells > 0);
        assert_close(cli_run_number(backends[k], "diagnostics.run.ever_hot_volume_m3"), hot_cells * 1e-9);
        assert_true(cli_run_number(backends[k], "diagnostics.records.hot_volume_m3") == 0);
        cJSON *run = cli_read_json(format_text("%s/run.json", backends[k]));
        const cJSON *of_run = cJSON_GetObjectItemCaseSensitive(cli_item(run, "diagnostics"), "run");
        for (size_t m = 0; m < COUNT(moments); m++)
            assert_null(cJSON_GetObjectItemCaseSensitive(of_run, moments[m]));
    }
    // Without largest temperatures nothing is reported of every step but the dose, which never falls.
    cli_run_job(cli_change(job, "output.maxima = false; output.directory = 'unknown'"));
    cJSON *run = cli_read_json("unknown/run.json");
    const cJSON *of_run = cJSON_GetObjectItemCaseSensitive(cli_item(run, "diagnostics"), "run");
    assert_non_null(cJSON_GetObjectItemCaseSensitive(of_run, "largest_dose_min"));
    assert_null(cJSON_GetObjectItemCaseSensitive(of_run, "largest_temperature_degC"));
    assert_null(cJSON_GetObjectItemCaseSensitive(of_run, "ever_hot_volume_m3"));
}

TEST(test_the_check_decides)
{
    cJSON *job =
        cli_change(cooled_job("6e6"),
                   "check.itrusst = true; output.maxima = false"); // what is judged is kept all the same
    cli_save_job(job);
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "check.itrusst",
                     "thermal safety (ITRUSST) EXCEEDED", "brain", "degC", "CEM43 (level 2)");
    assert_false(cli_exists("out/maxima.nc"));
    cJSON *run = cli_read_json("out/run.json");
    assert_string_equal(cli_text(run, "checks.0.verdict"), "failed");
    assert_has(cli_text(run, "checks.0.message"), "EXCEEDED");
    assert_string_equal(cli_text(finding_of(run), "verdict"), "exceeded");

    job = cooled_job("1e5");
    cli_run_job(cli_change(job, "check.itrusst = true; output.directory = 'mild'"));
    run = cli_read_json("mild/run.json");
    assert_string_equal(cli_text(run, "checks.0.verdict"), "passed");
    assert_string_equal(cli_text(finding_of(run), "verdict"), "passed");
    // An ablation is not judged.
    cli_run_job(cli_change(
        job, "check.itrusst = false; source.boxes.values = [[6e6], [0]]; output.directory = 'ablation'"));
    run = cli_read_json("ablation/run.json");
    assert_string_equal(cli_text(finding_of(run), "verdict"), "not judged");
    assert_string_equal(cli_text(finding_of(run), "message"), "check.itrusst is false in the job");
    assert_int_equal(cli_count(run, "warnings"), 0);
    // Without a dose there is nothing to judge by.
    cli_save_job(cli_change(job, "check.itrusst = true; dose.definition = 'off'"));
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "check.itrusst", "dose.definition");
}

// A job that asks for the verdict and names no dose keeps both, each with the bits of a run of its own; the
// larger is judged.
static const cJSON *tissue_of(const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cli_item(cli_read_json("out/run.json"), "thermal_safety.tissues"))
    {
        if (strcmp(cli_text(item, "tissue"), name) == 0)
            return item;
    }
    fail_msg("no %s in run.json", name);
    return NULL;
}

// A job may tighten ITRUSST's limit of a tissue, not loosen it. A limit for a tissue that ITRUSST does not
// name is the job's own: it is stated, and can be exceeded, but nothing passes by it.
TEST(test_a_limit_of_the_jobs_own)
{
    cJSON *job = cli_change(cooled_job("6e6"), "check.itrusst = true; tissues.labels.3 = {'tissue': "
                                               "'brain', 'safety_dose': '1e9 min'}");
    cli_save_job(job);
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "tissues.labels.3",
                     "safety_dose: 1e+09 min is looser than ITRUSST's limit for this tissue, 2 min");
    cli_save_job(cli_change(job, "tissues.labels.3.safety_dose = '1 min'"));
    cli_assert_error(cli_run("run --restart job.json"), CHECK_FAILED, true, "EXCEEDED: brain", "(level 1)");
    assert_true(cJSON_IsTrue(cli_item(tissue_of("brain"), "dose_limit_by_itrusst")));
    assert_true(cli_json_number(tissue_of("skin"), "dose_limit_min") == 21);
    cli_save_job(cli_change(job, "tissues.labels.3 = {'tissue': 'muscle', 'safety_dose': '1e9 min'}"));
    cli_assert_error(cli_run("run --restart job.json"), CHECK_FAILED, true,
                     "thermal safety (ITRUSST) not judged",
                     "muscle: not judged (within a limit of dose of the job's own, which is not ITRUSST's)");
    assert_string_equal(cli_text(tissue_of("muscle"), "verdict"), "not judged");
    assert_true(cJSON_IsFalse(cli_item(tissue_of("muscle"), "dose_limit_by_itrusst")));
    cli_save_job(cli_change(job, "tissues.labels.3.safety_dose = '1 min'"));
    cli_assert_error(cli_run("run --restart job.json"), CHECK_FAILED, true, "EXCEEDED: muscle", "(level 1)");
}

// A table of the user's own cannot state what its source does not say. What it states without the source, or
// for a tissue that the source does not name, passes nothing and is told.
TEST(test_a_limit_of_a_table)
{
#define CITED(limit) "\"" limit " min\", \"source\": \"itrusst\""
// The numbers of brain under another name, with a limit.
#define NAMED(name, limit)                                                                                   \
    "s/\"brain\": {/\"" name "\": {/; 0,/" CITED("2") "/ s/" CITED("2") "/" CITED(limit) "/"
    static const struct {
        const char *change, *tissue, *expected, *warned; // expected NULL: it passes
        int exit_code;
    } rows[] = {
        {"s/" CITED("2") "/" CITED("20") "/", "brain",
         "own.json: tissue \"brain\": safety_dose: 20 min with the source \"itrusst\", whose limit for such "
         "a "
         "tissue is 2 min: give that",
         NULL, DATA},
        {"s/" CITED("16") "/" CITED("21") "/", "brain",
         "tissue \"cortical bone\": safety_dose: 21 min with the source \"itrusst\", whose limit", NULL,
         DATA},
        {"s/" CITED("21") "/" CITED("22") "/", "brain", "tissue \"skin\": safety_dose: 22 min", NULL, DATA},
        {"s/" CITED("2") "/\"9e9 min\"/", "brain", "brain: not judged (within a limit",
         "brain has a limit of dose of 9e+09 min in ", CHECK_FAILED},
        {NAMED("lesion", "21"), "lesion", "lesion: not judged (within a limit",
         "lesion has a limit of dose of 21 min in ", CHECK_FAILED},
        {NAMED("lesion", "2"), "lesion", NULL, NULL, 0},
        // Of several words the strictest level; the looser ones by whole words, and by no unknown one.
        {NAMED("thalamus", "16"), "thalamus", "whose limit for such a tissue is 2 min", NULL, DATA},
        {NAMED("Cerebrum (below scalp)", "21"), "brain", "whose limit for such a tissue is 2 min", NULL,
         DATA},
        {NAMED("Kortex unter skin", "21"), "brain", "whose limit for such a tissue is 2 min", NULL, DATA},
        {NAMED("cerebellum skull base", "16"), "brain", "whose limit for such a tissue is 2 min", NULL, DATA},
        {NAMED("Großhirn", "3"), "brain", "whose limit for such a tissue is 2 min", NULL, DATA},
        {NAMED("left skull (cortical bone)", "17"), "brain", "whose limit for such a tissue is 16 min", NULL,
         DATA},
        {NAMED("left skull (cortical bone)", "16"), "left skull (cortical bone)", NULL, NULL, 0},
        {NAMED("Scalp 1", "21"), "Scalp 1", NULL, NULL, 0},
        {NAMED("lesion next to backbone", "16"), "lesion next to backbone",
         "lesion next to backbone: not judged (within a limit", "has a limit of dose of 16 min in ",
         CHECK_FAILED},
        {NAMED("bone, tumour", "16"), "bone, tumour", "bone, tumour: not judged (within a limit",
         "bone, tumour has a limit of dose of 16 min in ", CHECK_FAILED},
        {"s/" CITED("2") "/" CITED("1.9") "/", "brain", NULL, "whose own is 2 min: the stricter one", 0}};
    cJSON *job = cli_change(cooled_job("2.5e6"), "check.itrusst = true; tissues.file = 'own.json'; "
                                                 "dose.definition = 'cem43'");
    for (size_t k = 0; k < COUNT(rows); k++) {
        folder_shell("sed '%s' %s/data/tissues.json >%s", rows[k].change, TEST_SOURCE_DIRECTORY,
                     cli_path("own.json"));
        cli_save_job(cli_change(job, "tissues.labels.3 = '%s'", rows[k].tissue));
        const struct cli_result *result = cli_run("run --restart job.json");
        if (!rows[k].expected)
            cli_assert_done(result);
        else
            cli_assert_error(result, rows[k].exit_code, rows[k].exit_code == CHECK_FAILED, rows[k].expected);
        if (rows[k].warned)
            assert_true(cli_has_warning("out", "tissues.labels.3: ", rows[k].warned));
        if (rows[k].exit_code != DATA)
            assert_true(cli_json_number(tissue_of(rows[k].tissue), "largest_temperature_c") > 39);
    }
}

// Where tissue would boil or freeze somewhere, no tissue passes; below absolute zero there is nothing.
TEST(test_temperatures_that_the_model_does_not_know)
{
    static const char reason[] =
        "not judged (there were temperatures below -50 or above 100 degC, where the model is not right)";
    cJSON *job = cli_change(cooled_job("-1e8"),
                            "check.itrusst = true; time.duration = '20 s'; output.diagnostics.every = '1 s'");
    cli_save_job(job);
    assert_has(cli_run("run job.json")->error, "tissue freezes",
               "thermal safety (ITRUSST) not judged: ", reason);
    assert_string_equal(cli_text(tissue_of("brain"), "reason"), reason);
    cli_save_job(cli_change(job, "source.boxes.values = [[1e8], [0]]"));
    assert_has(cli_run("run --restart job.json")->error, "water boils",
               "EXCEEDED: cortical bone: ", "; brain: 2");
    assert_string_equal(cli_text(tissue_of("brain"), "verdict"), "exceeded");
    assert_string_equal(cli_text(tissue_of("skin"), "reason"), reason);
    static const char *const backends[] = {"openmp", "reference"};
    for (size_t k = 0; k < COUNT(backends); k++) {
        cli_save_job(cli_change(job, "source.boxes.values = [[-2e9], [0]]; backend = '%s'", backends[k]));
        const struct cli_result *result = cli_run("run --restart job.json");
        assert_int_equal(result->exit_code, DATA);
        assert_has(result->error, "below absolute zero (-273.15");
    }
}

TEST(test_a_verdict_keeps_both_doses)
{
    static const char *const names[][2] = {
        {"cem43", "none"}, {"cem43-from-37", "kwave"}, {"cem43-from-39", "iso"}};
    cJSON *job = cli_change(cooled_job("6e6"), "time.duration = '60 s'");
    for (size_t k = 0; k < COUNT(names); k++) {
        cli_run_to(cli_change(job, "dose.definition = '%s'", names[k][0]), names[k][0]);
        cli_run_to(cli_change(job, "dose.definition = '%s'", names[k][1]), names[k][1]);
        assert_true(cli_difference(format_text("%s/maxima.nc", names[k][0]),
                                   format_text("%s/maxima.nc", names[k][1]), "dose") == 0);
    }
    cli_save_job(cli_change(job, "delete dose; check.itrusst = true"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "EXCEEDED: brain: ");
    const double *plain = cli_read_values("cem43/maxima.nc", "dose", CELLS),
                 *iso = cli_read_values("cem43-from-39/maxima.nc", "dose", CELLS),
                 *first = cli_read_values("out/maxima.nc", "dose", CELLS),
                 *second = cli_read_values("out/maxima.nc", "dose_cem43_from_39", CELLS);
    for (size_t k = 0; k < CELLS; k++) {
        assert_true(first[k] == plain[k] || isnan(plain[k]));
        assert_true(second[k] == iso[k] || isnan(iso[k]));
    }
    cJSON *run = cli_read_json("out/run.json");
    char judged[64];
    const double plain_min = largest_of("out/maxima.nc", "dose"),
                 from_39_min = largest_of("out/maxima.nc", "dose_cem43_from_39");
    assert_true(fabs(plain_min - from_39_min) > 1e-3);
    snprintf(judged, sizeof judged, "%.3g CEM43 (level 2)", fmax(plain_min, from_39_min));
    assert_has(cli_text(finding_of(run), "message"), judged);
    assert_string_equal(cli_text(run, "physics.dose"), "cem43");
    assert_string_equal(cli_text(run, "physics.second_dose"), "cem43-from-39");
    cli_save_job(cli_change(job, "dose = {'definition': 'cem43', 'definitions': ['iso']}"));
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "dose.definitions",
                     "is given beside dose.definition");
    cli_save_job(cli_change(job, "dose = {'definitions': ['iso', 'cem43-from-39']}"));
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "dose.definitions",
                     "both are cem43-from-39");
}

// 2 K above the body's own temperature pass only with a dose within its level, and only of a body: at 45 degC
// of blood and tissue brain gets 4 CEM43 a minute.
TEST(test_a_raised_arterial_temperature_is_no_pass)
{
    static const struct {
        const char *arterial, *duration, *verdict, *reason;
        bool is_warned;
        const char *dose, *tissue;
    } rows[] = {{"45 degC", "200 s", "exceeded", "EXCEEDED", true, "cem43", "brain"},
                {"40 degC", "200 s", "passed", "passed (temperature)", false, "cem43", "brain"}, // 0.05 CEM43
                {"40 degC", "10000 s", "exceeded", "EXCEEDED", false, "cem43", "brain"},         // 2.6 CEM43
                {"38 degC", "10000 s", "passed", "passed (temperature)", false, "cem43", "brain"},
                // Without a dose, or a level of one, no time limit would hold.
                {"40 degC", "200 s", "passed", "passed (temperature)", false, "off", "brain"},
                {"40 degC", "10000 s", "not judged", "not judged (no dose was kept)", false, "off", "brain"},
                {"40 degC", "200 s", "passed", "passed (temperature)", false, "cem43", "muscle"},
                {"40 degC", "10000 s", "not judged", "not judged (no limit of dose for this tissue)", false,
                 "cem43", "muscle"},
                {"34 degC", "200 s", "not judged", "not judged (start or blood are not at 35 to 40 degC)",
                 true, "cem43", "brain"}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cJSON *job =
            cli_change(cooled_job("0"),
                       "delete output.diagnostics; physics.arterial_temperature = '%s'; "
                       "initial.temperature = '%s'; time = {'duration': '%s', 'step': 'auto'}; method = "
                       "'rkl2'; dose.definition = '%s'; tissues.labels.3 = '%s'",
                       rows[k].arterial, rows[k].arterial, rows[k].duration, rows[k].dose, rows[k].tissue);
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json"), *brain = cli_item(run, "thermal_safety.tissues.2");
        assert_string_equal(cli_text(brain, "tissue"), rows[k].tissue);
        assert_string_equal(cli_text(brain, "verdict"), rows[k].verdict);
        assert_string_equal(cli_text(brain, "reason"), rows[k].reason);
        assert_int_equal(
            cli_has_warning("out", "physics.arterial_temperature", "is not that of a body, 35 to 40"),
            rows[k].is_warned);
    }
}

// The levels assume 37 degC. A start at 20 degC is below 39 degC with a rise of 12 K; one of 36 is a body's.
TEST(test_a_start_that_no_body_has_is_no_pass)
{
    static const struct {
        const char *start, *arterial, *message; // NULL: it passes
        bool is_warned;
    } rows[] = {{"20 degC", "37 degC", "the start is at 20 degC: ", true},
                {"41 degC", "37 degC", "the start is at 41 degC: ", true},
                {"37 degC", "30 degC", "the blood is at 30 degC: ", false},
                {"36 degC", "37 degC", NULL, false},
                {"35 degC", "35 degC", NULL, false}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        size_t count;
        cJSON *job = cli_change(cooled_job("1e3"),
                                "delete output.diagnostics; time.duration = '10 s'; initial.temperature = "
                                "'%s'; physics.arterial_temperature = '%s'; output.state = true",
                                rows[k].start, rows[k].arterial);
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json");
        assert_string_equal(cli_text(finding_of(run), "verdict"), rows[k].message ? "not judged" : "passed");
        assert_int_equal(cli_has_warning("out", "initial.temperature: ", "is not that of a body, 35 to 40"),
                         rows[k].is_warned);
        if (rows[k].message)
            assert_has(cli_text(finding_of(run), "message"), rows[k].message);
        assert_true(cli_read_variable("out/state.nc", "lacking", &count, NULL)[0] ==
                    (rows[k].message ? 256 : 0));
    }
}

// "start.nc": temperature(z, y, x) in K, 37 degC but for one cell.
static void write_start(double cell_c, size_t z, size_t y, size_t x)
{
    int file, variable, dimensions[3];
    static double values[CELLS];
    for (size_t k = 0; k < CELLS; k++)
        values[k] = 310.15;
    values[(z * BIOHEAT_JOB_Y + y) * BIOHEAT_JOB_X + x] = cell_c + 273.15;
    file = make_file(cli_path("start.nc"), NC_NETCDF4);
    dimensions[0] = make_dimension(file, "z", BIOHEAT_JOB_Z);
    dimensions[1] = make_dimension(file, "y", BIOHEAT_JOB_Y);
    dimensions[2] = make_dimension(file, "x", BIOHEAT_JOB_X);
    variable = make_variable(file, "temperature", NC_FLOAT, "K", 3, dimensions);
    make_values(file, variable, values);
    NC(nc_close(file));
}

// So it is with a start from a file, in any cell that is judged: of tissue, and not of the water around it.
// A run that continues such a one is not judged either, whatever its state says of the start.
TEST(test_a_start_from_a_file_that_no_body_has_is_no_pass)
{
    static const struct {
        double cell_c;
        size_t z, y, x;
        const char *skin, *message; // NULL: it passes
    } rows[] = {{20, 9, 9, 9, "skin", "at the start brain is at 20 degC at (9, 9, 9) mm: "},
                {41, 4, 9, 9, "skin", "at the start cortical bone is at 41 degC at (9, 9, 4) mm: "},
                {20, 1, 9, 9, "skin", "at the start skin is at 20 degC at (9, 9, 1) mm: "},
                {20, 1, 9, 9, "water", NULL},
                {20, 0, 0, 0, "skin", NULL}, // air
                {35, 9, 9, 9, "skin", NULL},
                {40, 9, 9, 9, "skin", NULL}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        write_start(rows[k].cell_c, rows[k].z, rows[k].y, rows[k].x);
        cJSON *job = cli_change(cooled_job("1e3"),
                                "delete output.diagnostics; time.duration = '10 s'; tissues.labels.1 = '%s'; "
                                "initial = {'file': 'start.nc', 'axes': 'ascending'}; output.state = true; "
                                "dose.definition = 'cem43'",
                                rows[k].skin);
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json");
        assert_string_equal(cli_text(finding_of(run), "verdict"), rows[k].message ? "not judged" : "passed");
        assert_int_equal(cli_has_warning("out", "initial.file: ", "is not that of a body, 35 to 40"),
                         rows[k].message != NULL);
        if (!rows[k].message)
            continue;
        assert_has(cli_text(finding_of(run), "message"), rows[k].message);
        cli_run_to(cli_change(job, "initial = {'from': 'out'}"), "next");
        assert_has(cli_text(finding_of(cli_read_json("next/run.json")), "message"),
                   "a temperature of the start or the blood that no body has");
        cli_remove("next");
    }
}

// A pulse of 0.5 s in steps of 2 s, of which the heat of a step is 1.5 K, or a tenth of that.
TEST(test_an_error_of_steps_beyond_what_is_allowed_is_no_pass)
{
    static const char *const methods[] = {"euler", "rkl2"};
    static const double powers[] = {3e6, 2e4};
    for (size_t k = 0; k < COUNT(methods) * COUNT(powers); k++) {
        const bool is_judged = k >= COUNT(methods);
        size_t count;
        cJSON *job = cli_change(cooled_job("0"),
                                "method = '%s'; delete output.diagnostics; time = {'duration': '20 s', "
                                "'step': '2 s'}; source.boxes.times = ['0 s', '0.5 s']; "
                                "source.boxes.values = [[%g], [0]]; output.state = true",
                                methods[k % COUNT(methods)], powers[k / COUNT(methods)]);
        if (k % COUNT(methods) == 0)
            cli_change(job, "time.step = '0.8 s'");
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json");
        assert_string_equal(cli_text(finding_of(run), "verdict"), is_judged ? "passed" : "not judged");
        if (!is_judged)
            assert_has(cli_text(finding_of(run), "message"), "the source is switched within steps, an error");
        assert_true(cli_read_variable("out/state.nc", "lacking", &count, NULL)[0] == (is_judged ? 0 : 512));
    }
}

// Two exposures, each within the level by itself: together they are not.
TEST(test_a_chain_is_judged_as_a_whole)
{
    cJSON *job = cli_change(cooled_job("5.3e6"),
                            "time.duration = '120 s'; output = {'directory': 'first', 'state': true}");
    cli_run_job(job);
    const double first_min = cli_run_number("first", "diagnostics.run.largest_dose_min"),
                 first_c = cli_run_number("first", "diagnostics.run.largest_temperature_degC");
    cJSON *run = cli_read_json("first/run.json");
    assert_true(first_min > 1 && first_min < 2 && first_c > 45);
    assert_string_equal(cli_text(finding_of(run), "verdict"), "passed");
    cli_save_job(
        cli_change(job, "initial = {'from': 'first'}; check.itrusst = true; output.directory = 'second'"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "EXCEEDED: brain: ");
    assert_true(cli_run_number("second", "diagnostics.run.largest_dose_min") > 2 * first_min);
    // The third heats nothing: what was, is still there.
    cli_save_job(cli_change(job, "initial.from = 'second'; delete source; output.directory = 'third'"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "EXCEEDED: brain: ");
    assert_true(cli_run_number("third", "diagnostics.run.largest_temperature_degC") >= first_c);
    assert_true(cli_run_number("third", "diagnostics.end.largest_temperature_degC") < 41);
}

// A level of the first run's own, which the run after it does not have.
TEST(test_an_exceeded_level_stays_so_in_a_chain)
{
    cJSON *job = cli_change(cooled_job("5.3e6"),
                            "time.duration = '120 s'; output = {'directory': 'first', 'state': true}; "
                            "tissues.labels.3 = {'tissue': 'brain', 'safety_dose': '0.5 min'}");
    cli_run_job(job);
    assert_string_equal(cli_text(finding_of(cli_read_json("first/run.json")), "verdict"), "exceeded");
    cli_save_job(cli_change(job, "initial = {'from': 'first'}; delete source; check.itrusst = true; "
                                 "output.directory = 'second'; tissues.labels.3 = 'brain'"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true,
                     "not judged: earlier run first: thermal safety EXCEEDED: ");
    assert_true(cli_has_warning("second", "initial.from: the run continues one", "EXCEEDED"));
}

// Where the earlier exposure kept no largest temperatures, a cool one after it does not make up for the dose.
TEST(test_an_unknown_part_is_not_passed)
{
    cJSON *job =
        cli_change(cooled_job("6e6"), "output = {'directory': 'first', 'state': true, 'maxima': false}");
    cli_run_job(job);
    cli_save_job(cli_change(job, "initial = {'from': 'first'}; delete source; check.itrusst = true; output = "
                                 "{'directory': 'second', 'state': true}"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "not judged",
                     "brain: ", "kept no largest temperatures");
    // Nor is it forgotten one exposure later.
    cli_save_job(cli_change(job, "initial.from = 'second'; output.directory = 'third'"));
    cli_assert_error(cli_run("run job.json"), CHECK_FAILED, true, "kept no largest temperatures");
}

TEST(test_the_pages_say_it)
{
    cli_save_job(cooled_job("6e6"));
    cli_write_json("queue.json", "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'job': 'job.json', "
                                 "'name': 'power', 'sweep': {'time.duration': ['60 s', '600 s']}}, {'job': "
                                 "'job.json', 'name': 'checked', 'set': {'check.itrusst': true}}]}");
    const struct cli_result *result = cli_run("batch queue.json");
    assert_int_equal(result->exit_code, CHECK_FAILED);
    assert_has(result->error, "thermal safety (ITRUSST) EXCEEDED");
    assert_null(strstr(result->error, "power-0001 passed"));
    assert_has(result->error, "3 of 3 runs did not pass: 1 failed, 2 EXCEEDED a safety level");
    char *page = folder_text("overnight/index.html");
    assert_has(page, "<b class=\"bad\">3 EXCEEDED</b>", "<b class=\"\">0</b>passed");
    assert_null(strstr(page, "<td class=\"good\">passed</td>"));
    assert_has(page, "<th>largest_<wbr>temperature_<wbr>degC</th>");
    assert_null(strstr(page, "end.largest"));
    assert_has(page, "thermal safety (ITRUSST) EXCEEDED: brain: ");
    if (has_gnuplot()) {
        cli_do("report overnight/power-0002 --size 500x400");
        page = folder_text("overnight/power-0002/report.html");
        const char *alarm = strstr(page, "<p class=\"alarm\">thermal safety (ITRUSST) EXCEEDED: brain: ");
        assert_non_null(alarm);
        assert_true(alarm < strstr(page, "class=\"tiles\""));
        assert_has(page, "<b class=\"bad\">EXCEEDED</b>", "1\u00A0EXCEEDED, ", "<b class=\"place\">(");
        // Heated by boxes, it has no pressure: that is said, and counts as no missing verdict.
        assert_has(page, "mechanical safety (ITRUSST) not judged: the pressure is not known: only "
                         "source.pressure gives it");
        assert_has(page, "The criterion of thermal safety: levels of the ITRUSST consensus (");
        // A key that was set on the command line is written as in the job.
        assert_has(page, "<tr><th>time.duration</th>");
        // An ablation is not judged as a whole, and does not claim both.
        cli_run_to(cli_change(cooled_job("6e6"), "check.itrusst = false; time.duration = '60 s'"),
                   "ablation");
        const struct cli_result *drawn = cli_run("report -q ablation --size 500x400");
        cli_assert_done(drawn);
        assert_string_equal(drawn->output, "");
        page = folder_text("ablation/report.html");
        assert_has(page, "<b class=\"soft\">not judged</b>", "1\u00A0beyond the levels, ",
                   "<b>beyond the levels</b>");
        assert_null(strstr(page, "EXCEEDED"));
    }
}

static int total(const char *key)
{
    return (int)cli_json_number(cli_item(cli_read_json("overnight/summary.json"), "totals"), key);
}

// A run that exceeds a level has not passed, though its own exit code is 0: so state each count and the
// batch's exit code. It is done all the same, and a resumed batch does not run it again. A run that is not
// judged did not fail.
TEST(test_a_batch_passes_only_what_is_within)
{
    cJSON *job = cli_change(cooled_job("6e6"), "time.duration = '60 s'");
    cli_save_job(job);
    cli_write_json(
        "queue.json",
        "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'job': 'job.json', 'name': 'hot'}]}");
    const struct cli_result *result = cli_run("batch queue.json");
    assert_int_equal(result->exit_code, CHECK_FAILED);
    assert_has(result->error, "1 of 1 runs EXCEEDED a safety level");
    assert_int_equal(total("passed"), 0);
    assert_int_equal(total("exceeded"), 1);
    // The figures of the whole run stand beside the verdict, and nothing is green.
    char *hot = folder_text("overnight/index.html"), shown[64];
    snprintf(shown, sizeof shown, "largest_temperature_degC %.6g<br>",
             cli_run_number("overnight/hot", "diagnostics.run.largest_temperature_degC"));
    assert_has(hot, shown, "largest_dose_min ", "<td class=\"bad\"><b>EXCEEDED</b>",
               "EXCEEDED; other checks: ");
    assert_null(strstr(hot, "class=\"good\""));
    assert_true(strstr(hot, "<h2 class=\"bad\">EXCEEDED</h2>") < strstr(hot, "Single runs"));
    const cJSON *entry = cli_item(cli_read_json("overnight/summary.json"), "runs.0");
    assert_string_equal(cli_text(entry, "state"), "exceeded");
    assert_string_equal(cli_text(entry, "verdict"), "exceeded");
    result = cli_run("batch --resume queue.json");
    assert_int_equal(result->exit_code, CHECK_FAILED);
    assert_has(result->error, "0 of 1 passed before, 1 EXCEEDED a safety level, 0 to run");
    assert_int_equal(total("attempts"), 1);
    assert_int_equal(cli_run("batch --summary queue.json")->exit_code, CHECK_FAILED);

    // An ablation, and one that keeps no dose: neither is judged, one of them on purpose.
    cli_write_job(cli_change(job, "delete dose"), "undosed.json");
    cli_write_json(
        "queue.json",
        "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'job': 'job.json', 'name': 'ablation', 'set': "
        "{'check.itrusst': false}}, {'job': 'undosed.json', 'name': 'undosed'}]}");
    assert_has(cli_do("batch --restart queue.json")->error, "undosed done, not judged, in",
               "ablation done, not judged, in", "0 failed, 2 not judged, 1 with warnings; ");
    assert_int_equal(total("passed"), 0);
    assert_int_equal(total("not_judged"), 2);
    assert_has(cli_do("batch --resume queue.json")->error, "0 of 2 passed before, 2 not judged, 0 to run");
    assert_has(cli_run("batch queue.json")->error, "0 of 2 passed, 2 not judged, 0 failed; --resume");
    char *page = folder_text("overnight/index.html");
    assert_has(page, "<b class=\"warned\">not judged</b>", "<b class=\"\">0</b>passed",
               "<b class=\"warned\">2 not judged</b>", "thermal safety (ITRUSST) not judged: brain",
               "thermal safety (ITRUSST) not judged: check.itrusst is false in the job");
}

// Two labels of one tissue, of which only the one of the higher number becomes hot.
TEST(test_labels_of_one_tissue_are_told_apart)
{
    cJSON *job = cli_change(cooled_job("6e6"), "time.duration = '20 s'; tissues.labels.3 = 'cortical bone'; "
                                               "output.histograms = true; output.products = ['csv']");
    cli_save_job(job);
    cli_write_json("queue.json",
                   "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'job': 'job.json', 'name': 'flow', "
                   "'sweep': {'tissues.scale.perfusion': [0.7, 1.3]}}]}");
    cli_run("batch --restart queue.json");
    const cJSON *run = cli_read_json("overnight/flow-0001/run.json"),
                *tissues = cli_item(run, "distributions.tissues"),
                *hot = cJSON_GetObjectItemCaseSensitive(tissues, "cortical bone (label 3)"),
                *cold = cJSON_GetObjectItemCaseSensitive(tissues, "cortical bone (label 2)");
    assert_non_null(hot);
    assert_non_null(cold);
    assert_non_null(cJSON_GetObjectItemCaseSensitive(tissues, "skin"));
    assert_int_equal(cJSON_GetArraySize(tissues), 3);
    const double hot_c = cli_item(hot, "largest_temperature_degC")->valuedouble;
    assert_true(hot_c > cli_item(cold, "largest_temperature_degC")->valuedouble + 2);
    assert_close(hot_c, cli_item(run, "diagnostics.run.largest_temperature_degC")->valuedouble);
    assert_string_equal(cli_text(run, "thermal_safety.tissues.2.tissue"), "cortical bone (label 3)");
    assert_string_equal(cli_text(run, "exposures.0.tissues.1.tissue"), "cortical bone (label 2)");
    assert_has(folder_text("overnight/flow-0001/exposures.csv"), ",tissue,cortical bone (label 2),",
               ",tissue,cortical bone (label 3),", ",tissue,skin,");
    assert_has(folder_text("overnight/flow-0001/histograms.csv"),
               "cortical bone (label 2),temperature_volume", "cortical bone (label 3),temperature_volume");
    const cJSON *spread = cli_item(cli_read_json("overnight/summary.json"), "entries.0.tissues");
    assert_int_equal(cJSON_GetArraySize(spread), 3);
    hot = cJSON_GetObjectItemCaseSensitive(spread, "cortical bone (label 3)");
    assert_close(
        fmax(hot_c, cli_run_number("overnight/flow-0002", "diagnostics.run.largest_temperature_degC")),
        cli_item(hot, "largest_temperature_degC.max")->valuedouble);
    assert_has(folder_text("overnight/index.html"), "cortical bone (label 2)", "cortical bone (label 3)");
}

// The one line of a run that says nothing else; and no "passed" before it.
TEST(test_a_quiet_run_says_that_it_is_not_judged)
{
    static const char words[] = "thermal safety (ITRUSST): not judged: brain: ";
    cli_save_job(cli_change(cooled_job("6e6"),
                            "delete dose; check.reference_steps = 1; output.target = {'x': "
                            "'10 mm', 'y': '8 mm', 'z': '9 mm', 'radius': '2 mm'}"));
    assert_has(cli_do("run -q job.json")->error, words);
    assert_null(strstr(folder_text("out/run.log"), "nan"));
    assert_has(folder_text("out/run.log"), " °C; the hottest cell, in brain, is ");
    const char *said = cli_do("info out")->output;
    assert_has(said, "finding    thermal safety (ITRUSST) not judged: brain",
               "check      numerical check passed\n");
    assert_true(strstr(said, "finding ") < strstr(said, "check "));
    cli_save_job(cli_change(cooled_job("1e3"), "title = 'cool'"));
    assert_null(strstr(cli_do("run --restart -q job.json")->error, "not judged"));
}

TEST_MAIN(cli_setup, cli_teardown)
