// The report of runs of the Ising model: which pictures there are for which results, what the page and the
// JSON state against the results themselves and against exact values, several runs together, results that are
// missing or do not fit.
#include "report/ising/report.h"
#include "tests/support/gnuplot.h"
#include "tests/support/ising_job.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <sys/stat.h>

// Enough sweeps for results that are reliable.
static cJSON *lattice_job(int side, int seed, const char *directory)
{
    cJSON *job = ising_job();
    const char *text = format_text("%d", side);
    cli_change(job,
               "lattice.columns = %s; lattice.rows = %s; method.seed = %d; sweeps.count = 4000; "
               "output.directory = '%s'",
               text, text, seed, directory);
    return job;
}

static cJSON *parse(const struct cli_result *result)
{
    cli_assert_done(result);
    return cli_output_json(result);
}

static cJSON *item(const cJSON *said, const char *list, int k)
{
    cJSON *found = cJSON_GetArrayItem(cJSON_GetObjectItem(said, list), k);
    assert_non_null(found);
    return found;
}

static double result_at(const char *directory, const char *name, size_t count, size_t k)
{
    double *values = cli_read_values(format_text("%s/results.nc", directory), name, count), value = values[k];
    return value;
}

// ---- one run

// Exact energies per bond and specific heats of 8 × 8 at β = 0.40, 0.44: B. Kaufman (1949), computed
// elsewhere.
static void assert_figures(const cJSON *said)
{
    static const double energies[] = {-0.611160, -0.743763}, heats[] = {1.100476, 1.148951};
    double chi_squared = 0;
    for (int k = 0; k < 2; k++) {
        const cJSON *t = item(item(said, "runs", 0), "temperatures", k);
        const double energy = cli_json_number(t, "energy_per_bond"),
                     error = cli_json_number(t, "energy_per_bond_error"),
                     exact = cli_json_number(t, "energy_per_bond_exact");
        assert_true(fabs(energy / result_at("out", "energy_per_bond", 2, (size_t)k) - 1) < 1e-14);
        assert_true(fabs(cli_json_number(t, "susceptibility_error") /
                             result_at("out", "susceptibility_error", 2, (size_t)k) -
                         1) < 1e-14);
        assert_true(fabs(exact - energies[k]) < 6e-7);
        assert_true(fabs(cli_json_number(t, "specific_heat_exact") - heats[k]) < 6e-7);
        const double signed_mean = cli_json_number(t, "magnetisation");
        assert_true(fabs(signed_mean - result_at("out", "magnetisation", 2, (size_t)k)) < 1e-14);
        assert_true(fabs(signed_mean) <= cli_json_number(t, "absolute_magnetisation"));
        assert_true(fabs(energy - exact) < 5 * error);
        chi_squared += pow((energy - exact) / error, 2);
    }
    const double told = cli_json_number(item(said, "runs", 0), "energy_per_bond_exact_chi_squared");
    assert_true(fabs(told / chi_squared - 1) < 1e-9);
}

// A histogram holds all measurements that count, and no others: its area is 1, and its mean is that of
// results.nc but for the bins' width.
static void assert_histogram(const char *variable, double spacing, double mean, size_t temperature)
{
    struct result_file *series;
    struct ising_run one;
    struct points_panel panel = {0};
    size_t records;
    double area = 0, moment = 0;
    char *const directory = strdup(cli_path("out"));
    assert_int_equal(report_ising_read_run(directory, &one), STATUS_OK);
    assert_int_equal(report_open_file(NULL, directory, "series.nc", &series), STATUS_OK);
    assert_true(report_ising_has_series(&one, series, &records) && records == 4000);
    const struct ising_window window = report_ising_window_of(&one, records, temperature);
    assert_true(window.count == 2000 && window.every == 2 && window.first == 2000 * temperature);
    assert_int_equal(report_ising_add_histogram(&panel, series, variable, &window, spacing, "#000000"),
                     STATUS_OK);
    const struct point_set *set = &panel.sets[0];
    for (size_t k = 1; k < set->count; k++) {
        const double width = set->x[k] - set->x[k - 1];
        assert_true(fabs(width / spacing - round(width / spacing)) < 1e-6);
        area += width * set->y[k];
        moment += width * set->y[k] * 0.5 * (set->x[k] + set->x[k - 1]);
    }
    assert_true(fabs(area - 1) < 1e-9);
    assert_true(fabs(moment - mean) < spacing);
    points_free(&panel, 1);
    result_close(series);
    report_ising_free_run(&one);
    free(directory);
}

TEST(test_histograms)
{
    cli_run_job(lattice_job(8, 5, "out"));
    for (size_t t = 0; t < 2; t++) {
        assert_histogram("energy", 4. / 64, result_at("out", "energy", 2, t), t);
        assert_histogram("magnetisation", 2. / 64, result_at("out", "magnetisation", 2, t), t);
    }
}

TEST(test_whole_report)
{
    need_gnuplot();
    cli_run_job(
        cli_change(lattice_job(8, 3, "out"),
                   "analysis.reweighting = {'width': 0.05, 'points': 11}; output.configurations = {'every': "
                   "1000}; output.correlations = {'every': 20, 'distances': [1, 2, 3, 4]}"));
    cJSON *said = parse(cli_run("report out --json --size 500x400"));
    assert_pictures("beta", "reweighted", "spins", "series", "statistics", "correlations");
    assert_picture_sizes(said);
    assert_figures(said);
    assert_page_says("a small lattice", "Against the inverse temperature", "8 × 8", "metropolis",
                     "β = 0.4 … 0.44", "χ²/n of e, exact", "Temperatures", "is not counted",
                     "Autocorrelation and distributions", "Correlations in space", "Dark: spins up",
                     "Stage times");
    assert_page_lacks("elevation");
    assert_page_lacks("not reliable</");
}

// One temperature is no curve: a table. Too few measurements are reported; a field and helical boundaries
// have no exact values.
TEST(test_what_is_not_known)
{
    need_gnuplot();
    cli_run_job(cli_change(ising_job(), "temperatures.beta = 0.44; sweeps.count = 64; physics = {'field': "
                                        "0.05}; lattice.boundary = 'helical'"));
    cJSON *said = parse(cli_run("report out --json --size 500x400"));
    assert_pictures("spins", "series", "statistics");
    const cJSON *one = item(said, "runs", 0);
    assert_true(cli_json_number(one, "unreliable") == 1);
    assert_null(cJSON_GetObjectItem(item(one, "temperatures", 0), "energy_per_bond_exact"));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(item(one, "temperatures", 0), "is_reliable")));
    assert_page_says("<td class=\"bad\">no</td>", "helical", "too few measurements");
    assert_page_lacks("χ²/n");
}

// No autocorrelation, no histogram, no correlation length: what has nothing to show is left out.
TEST(test_what_never_changes)
{
    need_gnuplot();
    cli_run_job(cli_change(ising_job(), "temperatures.beta = [5, 10]; output.correlations = {'every': 2}"));
    cJSON *said = parse(cli_run("report out --json --size 500x400"));
    assert_pictures("beta", "spins", "series", "correlations");
    assert_true(cli_json_number(item(said, "runs", 0), "unreliable") == 2);
}

TEST(test_what_is_missing_is_left_out)
{
    need_gnuplot();
    cli_run_job(ising_job());
    // Without run.json the files show the model; the size is unknown, and so are exact values.
    cli_copy("out/run.json", "run.json");
    cli_remove("out/run.json");
    cJSON *said = parse(cli_run("report out --json --size 500x400"));
    assert_pictures("beta", "spins", "series", "statistics");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(item(said, "runs", 0), "columns")));
    cli_copy("run.json", "out/run.json");
    cli_truncate("out/results.nc", 0.5);
    cli_assert_error(cli_run("report out"), 65, false, "results.nc");
    cli_run_job(ising_job());
    assert_false(cli_exists("out/pictures")); // of the results that this run has replaced
    cli_remove("out/results.nc");
    cli_remove("out/series.nc");
    cli_remove("out/distributions.nc");
    cli_do("report out --size 500x400");
    assert_pictures("spins");
}

// ---- spins

// The first data file of the picture that was drawn last, whose script was kept; owned.
static float *kept_data(const char *folder, size_t count)
{
    FILE *file = fopen(format_text("%s/data0.bin", folder), "rb");
    assert_non_null(file);
    float *values = malloc(count * sizeof *values);
    assert_non_null(values);
    assert_int_equal(fread(values, sizeof *values, count, file), count);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return values;
}

// Of a folder of scripts the one that draws a picture.
static void find_script(const char *scripts, const char *picture, char folder[512])
{
    DIR *directory = opendir(scripts);
    assert_non_null(directory);
    bool is_found = false;
    for (struct dirent *entry; !is_found && (entry = readdir(directory));) {
        char text[4096];
        if (strncmp(entry->d_name, "fathom-report-", 14) != 0)
            continue;
        snprintf(folder, 512, "%s/%.64s", scripts, entry->d_name);
        FILE *file = fopen(format_text("%s/picture.gp", folder), "rb");
        if (!file)
            continue;
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        is_found = strstr(text, picture);
        fclose(file);
    }
    closedir(directory);
    assert_true(is_found);
}

// The picture of packed spins equals that of a run that stores bytes, each spin as a square of 680/8 pixels,
// the first row at the bottom.
TEST(test_spins)
{
    need_gnuplot();
    enum { SIDE = 8, ZOOM = 85, PIXELS = SIDE * ZOOM };
    char folder[512];
    cJSON *job = lattice_job(SIDE, 7, "out"), *bytes = lattice_job(SIDE, 7, "bytes");
    cli_change(bytes, "output.configurations = {'every': 8000, 'format': 'bytes'}");
    cli_run_job(job);
    cli_run_job(bytes);
    double *spins = cli_read_values("bytes/final.nc", "spins", (size_t)SIDE * SIDE);
    find_script(report_scripts("--no-html"), "spins.png", folder);
    float *pixels = kept_data(folder, (size_t)PIXELS * PIXELS);
    size_t up = 0;
    for (size_t y = 0; y < PIXELS; y++)
        for (size_t x = 0; x < PIXELS; x++)
            assert_true(pixels[y * PIXELS + x] == (float)spins[y / ZOOM * SIDE + x / ZOOM]);
    for (size_t k = 0; k < (size_t)SIDE * SIDE; k++)
        up += spins[k] > 0;
    assert_true(up > 0 && up < (size_t)SIDE * SIDE);
    free(pixels);
}

// ---- several runs

// R and its error by their definition, from the files.
static double chi_squared_of(const char *name)
{
    double sum = 0;
    const char *error = format_text("%s_error", name);
    for (size_t k = 0; k < 2; k++) {
        const double a = result_at("out", name, 2, k), b = result_at("other", name, 2, k),
                     da = result_at("out", error, 2, k), db = result_at("other", error, 2, k),
                     ratio = 2 * (a - b) / (a + b),
                     square = 16 * (b * b * da * da + a * a * db * db) / pow(a + b, 4);
        sum += ratio * ratio / square;
    }
    return sum;
}

static void assert_comparison(const cJSON *said)
{
    static const char *const names[] = {"energy_per_bond", "absolute_magnetisation", "specific_heat",
                                        "susceptibility"};
    assert_int_equal(cli_count(said, "comparisons"), 1);
    const cJSON *pair = item(said, "comparisons", 0);
    for (size_t k = 0; k < 4; k++) {
        char key[64];
        snprintf(key, sizeof key, "%s_chi_squared", names[k]);
        assert_true(fabs(cli_json_number(pair, key) / chi_squared_of(names[k]) - 1) < 1e-9);
        snprintf(key, sizeof key, "%s_count", names[k]);
        assert_true(cli_json_number(pair, key) == 2);
    }
}

TEST(test_several_runs)
{
    need_gnuplot();
    cli_run_job(lattice_job(8, 1, "out"));
    cli_run_job(lattice_job(8, 2, "other"));
    cli_run_job(lattice_job(16, 3, "large"));
    // In any order: by size, and the pictures go to the first folder.
    cJSON *said = parse(cli_run("report out large other --json --size 500x400"));
    assert_pictures("together", "together_scaling", "together_ratio");
    assert_picture_sizes(said);
    assert_comparison(said);
    assert_string_equal(cli_text(item(said, "runs", 2), "name"), "L = 16");
    assert_string_equal(cli_text(item(said, "runs", 0), "name"), "L = 8, out");
    assert_string_equal(cli_text(item(said, "runs", 1), "name"), "L = 8, other");
    assert_string_equal(cli_text(said, "page"), "out/together.html");
    assert_true(cli_exists("out/together.html") && !cli_exists("out/report.html"));
    // Without two of one lattice no picture of their difference; the page where it is wanted.
    cli_remove("out/pictures");
    cli_do("report out large -o out/report.html --size 500x400");
    assert_pictures("together", "together_scaling");
    assert_page_says("Ising model, 2 runs", "All lattices", "Finite-size scaling");
    assert_page_lacks("Two runs of one lattice");
    assert_page_lacks("a small lattice");
    cli_flip_byte("large/results.nc", -1);
    cli_assert_error(cli_run("report out large"), 65, false, "large/results.nc: was damaged");
}

TEST(test_folders_that_do_not_fit)
{
    need_gnuplot();
    cli_run_job(ising_job());
    cli_assert_error(cli_run("report out nowhere"), 66, false, "nowhere: ");
    cli_assert_error(cli_run("report out out --beside out"), 64, false, "--beside out");
    cli_copy("out/results.nc", "results.nc"); // here is no run.json
    cli_assert_error(cli_run("report out ."), 66, false, ".: run.json");
    cli_write_job(cli_change(cli_read_json("out/run.json"), "model = 'gas'"), "out/run.json");
    cli_assert_error(cli_run("report out out"), 64, false, "are not drawn together");
}

// ---- numbers

// Two runs of three temperatures; the second has no first one.
TEST_WITH(test_comparison, NULL, NULL)
{
    double betas[] = {0.3, 0.44, 0.5}, u[] = {1, 2, 4}, v[] = {3, 4}, du[] = {0.1, 0.2, 0.3}, dv[] = {0.4, 0},
           trusted[] = {1, 1, 1};
    struct ising_run a = {.facts = {.columns = 8, .rows = 8, .coupling = 1},
                          .count = 3,
                          .beta = betas,
                          .is_reliable = trusted},
                     b = {.facts = a.facts, .count = 2, .beta = betas + 1, .is_reliable = trusted};
    for (int figure = 0; figure < ISING_FIGURES; figure++) {
        a.value[figure] = u;
        a.error[figure] = du;
        b.value[figure] = v;
        b.error[figure] = dv;
    }
    double error;
    // R = 2 (2 − 3)/5; its error is 4 √(3² 0.2² + 2² 0.4²)/5² = 4 · 1/25.
    assert_true(fabs(report_ising_ratio(&a, 1, &b, 0, ISING_FIGURE_ENERGY, &error) + 0.4) < 1e-15);
    assert_true(fabs(error - 0.16) < 1e-15);
    const struct ising_difference d = report_ising_compare(&a, &b, ISING_FIGURE_ENERGY);
    assert_true(d.count == 2 && fabs(d.chi_squared - 6.25) < 1e-12);
    assert_true(report_ising_find_beta(&b, 0.3) == b.count);
    trusted[1] = 0; // of both at another temperature
    assert_int_equal(report_ising_compare(&a, &b, ISING_FIGURE_ENERGY).count, 0);
    trusted[1] = 1;
    // Binder's cumulants, u of one and v of the other: they differ by 1 at 0.44 and 0 at 0.5, where no sign
    // changes.
    assert_true(isnan(report_ising_crossing(&a, &b, &error)));
    v[0] = 1.5;                                                // −0.5 at 0.44
    v[1] = 6;                                                  // 2 at 0.5: zero after a fifth of the way
    assert_true(isnan(report_ising_crossing(&a, &b, &error))); // -0.5 with an error of 0.45 is no side
    dv[0] = 0.1;
    assert_true(fabs(report_ising_crossing(&a, &b, &error) - (0.44 + 0.06 / 5)) < 1e-12);
    const double before = hypot(0.2, 0.1), after = 0.3;
    assert_true(fabs(error - 0.06 * hypot(2 * before, 0.5 * after) / 6.25) < 1e-12);
    b.facts.columns = 32; // the cumulant is no straight line over 0.06 * 32
    assert_true(isnan(report_ising_crossing(&a, &b, &error)));
}

TEST_WITH(test_selection, NULL, NULL)
{
    double betas[27];
    size_t selected[ISING_SELECTED_MAX];
    struct ising_run run = {.facts = {.coupling = 1}, .count = 27, .beta = betas};
    for (size_t k = 0; k < 27; k++)
        betas[k] = 0.1 + 0.03 * (double)k;
    // 0.43 is the nearest to the critical one; the ends stay.
    assert_int_equal(report_ising_select(&run, 3, selected), 3);
    assert_true(selected[0] == 0 && selected[1] == 11 && selected[2] == 26);
    run.facts.coupling = -2; // half as large
    assert_int_equal(report_ising_select(&run, 3, selected), 3);
    assert_true(selected[0] == 0 && selected[1] == 4 && selected[2] == 26);
    run.count = 2;
    assert_int_equal(report_ising_select(&run, 3, selected), 2);
    assert_true(selected[0] == 0 && selected[1] == 1);
}

// Bins of a tenth about 0.05, 0.15, …: the outline begins and ends on the axis, at the edges of what is
// filled.
TEST_WITH(test_outline, NULL, NULL)
{
    static const double heights[] = {0, 2, 0, 3, 0, 0}, x[] = {0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4},
                        y[] = {0, 2, 2, 0, 0, 3, 3, 0};
    struct points_panel panel = {0};
    struct point_set *set;
    assert_int_equal(points_add(&panel, POINTS_LINE, "#000000", 6, &set), STATUS_OK);
    for (size_t k = 0; k < 6; k++) {
        set->x[k] = 0.05 + 0.1 * (double)k;
        set->y[k] = heights[k];
    }
    assert_int_equal(points_outline(set), STATUS_OK);
    assert_int_equal(set->count, 8);
    for (size_t k = 0; k < 8; k++)
        assert_true(fabs(set->x[k] - x[k]) < 1e-12 && set->y[k] == y[k]);
    memset(set->y, 0, set->count * sizeof *set->y);
    assert_int_equal(points_outline(set), STATUS_OK);
    assert_int_equal(set->count, 0);
    points_free(&panel, 1);
}

TEST_MAIN(cli_setup, cli_teardown)
