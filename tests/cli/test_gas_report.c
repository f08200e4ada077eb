// The report of a gas run: which pictures there are for which results, what the page and the JSON state
// against the results themselves, another run beside it, results that are missing or do not fit; which times
// are shown, and how particles are counted.
#include "report/gas/report.h"
#include "tests/support/gas_job.h"
#include "tests/support/gnuplot.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

// With structure: all pictures but those of an outer force.
static cJSON *fluid_job(void)
{
    return cli_change(gas_job(), "output.structure = {'every': 0.03125}");
}

// Particles that do nothing but fall between such walls.
static cJSON *falling_job(const char *walls, const char *directory)
{
    cJSON *job = gas_job();
    const struct gas_job_system system = {.name = walls,
                                          .potential = "{'name': 'none'}",
                                          .physics = "{'gravity': [0, -0.5]}",
                                          .walls = format_text("\"%s\"", walls),
                                          .method = "{'name': 'all-pairs'}"};
    gas_job_set(job, &system);
    cli_change(job, "output.directory = '%s'", directory);
    return job;
}

static cJSON *report_json(void)
{
    cJSON *said = cli_output_json(cli_do("report out --json --size 500x400"));
    return said;
}

// ---- the command

// Means of the records in the second half, and the straight line through the energies by the formula of two
// sums.
static void assert_series_figures(const cJSON *said)
{
    enum { COUNT = GAS_JOB_RECORDS };
    double *time = cli_read_values("out/diagnostics.nc", "time", COUNT),
           *temperature = cli_read_values("out/diagnostics.nc", "temperature", COUNT),
           *pressure = cli_read_values("out/diagnostics.nc", "pressure", COUNT),
           *change = cli_read_values("out/diagnostics.nc", "energy_change", COUNT);
    double means[2] = {0, 0}, st = 0, se = 0, ste = 0, stt = 0, largest = 0;
    for (int k = 0; k < COUNT; k++) {
        if (k >= COUNT / 2) {
            means[0] += temperature[k] / (COUNT - COUNT / 2);
            means[1] += pressure[k] / (COUNT - COUNT / 2);
        }
        st += time[k];
        se += change[k];
        ste += time[k] * change[k];
        stt += time[k] * time[k];
        largest = fmax(largest, fabs(change[k]));
    }
    const double slope = (COUNT * ste - st * se) / (COUNT * stt - st * st);
    assert_true(fabs(cli_json_number(said, "temperature") / means[0] - 1) < 1e-12);
    assert_true(fabs(cli_json_number(said, "pressure") / means[1] - 1) < 1e-12);
    assert_true(largest > 0 && fabs(cli_json_number(said, "largest_energy_change") / largest - 1) < 1e-6);
    assert_true(fabs(cli_json_number(said, "energy_drift") - slope * 0.25) < 1e-6 * largest);
}

static void assert_structure_figures(const cJSON *said)
{
    size_t shape[4], count, peak = 0;
    double *g = cli_read_variable("out/structure.nc", "radial_distribution", &count, shape);
    double *radius = cli_read_values("out/structure.nc", "radius", shape[1]);
    double *largest = cli_read_values("out/structure.nc", "largest_cluster", shape[0]);
    const double *last = g + (shape[0] - 1) * shape[1];
    for (size_t k = 0; k < shape[1]; k++)
        peak = last[k] > last[peak] ? k : peak;
    cli_expect_number(said, "radial_distribution_peak", last[peak]);
    cli_expect_number(said, "radial_distribution_peak_radius", radius[peak]);
    cli_expect_number(said, "largest_cluster_at_start", largest[0]);
    cli_expect_number(said, "largest_cluster_at_end", largest[shape[0] - 1]);
}

TEST(test_whole_report)
{
    need_gnuplot();
    cJSON *job = cli_change(fluid_job(), "domain.density = 0.2"); // no cluster that holds nearly all
    cli_run_job(job);
    cJSON *said = report_json();
    assert_pictures("snapshots", "diagnostics", "structure");
    assert_picture_sizes(said);
    assert_series_figures(said);
    assert_structure_figures(said);
    assert_true(cli_json_number(said, "limited") == 0);
    assert_page_says("a small fluid", "Particles", "as discs of their core", "reflect walls",
                     "Energy, temperature and pressure", "Structure and clusters",
                     "lennard-jones, density 0.2", "leapfrog, cells", "drift of the energy",
                     "largest cluster at the end", "Stage times", "forces of pairs");
    assert_page_lacks("elevation");
    assert_page_lacks("limiter acted");
}

// Of enough records: ten blocks of the second half, here three records each; what is left over comes first.
TEST(test_errors_of_means)
{
    need_gnuplot();
    enum { RECORDS = 65, BLOCKS = 10, LENGTH = 3 };
    cli_run_job(cli_change(gas_job(), "time.duration = 0.5; output.diagnostics.every = 0.0078125"));
    cJSON *said = report_json();
    double *pressure = cli_read_values("out/diagnostics.nc", "pressure", RECORDS), mean = 0, variance = 0;
    for (int k = RECORDS - BLOCKS * LENGTH; k < RECORDS; k++)
        mean += pressure[k] / (BLOCKS * LENGTH);
    for (int b = 0; b < BLOCKS; b++) {
        const double *block = pressure + RECORDS - (b + 1) * LENGTH;
        variance += pow((block[0] + block[1] + block[2]) / LENGTH - mean, 2) / (BLOCKS - 1);
    }
    assert_true(fabs(cli_json_number(said, "pressure_error") / sqrt(variance / BLOCKS) - 1) < 1e-6);
}

// What a run of the regions and of limiters measured stands on the page; no drift where energy is taken.
TEST(test_regions_and_limiters)
{
    need_gnuplot();
    const struct gas_job_system system = {
        .potential = "{'name': 'log', 'attraction': 0.01, 'softening': 0.1}",
        .physics = "{'limiters': {'mean_energy': 2}}",
        .walls = "{'left': 'damped', 'right': 'reflect', 'bottom': 'reflect', 'top': 'reflect'}",
        .method = "{'name': 'cells', 'regions': {'columns': 10, 'rows': 10, 'far': 4}}"};
    cJSON *job = gas_job();
    gas_job_set(job, &system);
    cli_run_job(job);
    cJSON *said = report_json();
    cli_expect_number(said, "limited", cli_run_number("out", "diagnostics.end.limited"));
    assert_true(cli_json_number(said, "limited") > 0);
    assert_page_says("error beyond near cells", "near 2, far 4, order 1", "times a limiter acted",
                     "left damped, right reflect");
    assert_page_lacks("drift of the energy");
}

// Without pair forces: velocities along the force, of this run and of another one.
TEST(test_another_run_beside)
{
    need_gnuplot();
    cli_run_job(falling_job("a-priori", "out"));
    cli_run_job(falling_job("field-corrected", "other"));
    (void)report_json();
    assert_pictures("snapshots", "phase", "diagnostics");
    assert_page_lacks("below: the other one");
    cli_do("report out --beside other --size 500x400");
    assert_pictures("snapshots", "phase", "diagnostics");
    assert_page_says("Along the external force", "below: the other one");
    cli_assert_error(cli_run("report out --beside nowhere"), 66, false, "nowhere/run.json");
    // Words of a file are text in the picture, and nothing else.
    cJSON *strange = cli_read_json("other/run.json");
    cli_set(strange, "walls.left", "\"it's\\nquit\"");
    cli_write_job(strange, "other/run.json");
    cli_do("report out --beside other --size 500x400");
    assert_pictures("snapshots", "phase", "diagnostics");
    cli_flip_byte("other/final.nc", -1);
    cli_assert_error(cli_run("report out --beside other"), 65, false, "other/final.nc: was damaged");
    cli_remove("other/final.nc");
    cli_remove("other/trajectory.nc");
    cli_assert_error(cli_run("report out --beside other"), 66, false,
                     "other: holds no velocities to show beside");
    cli_write_json("other/run.json", "{'model': 'nbody'}");
    cli_assert_error(cli_run("report out --beside other"), 65, false, "other/run.json: \"box\" is missing");
}

TEST(test_what_is_missing_is_left_out)
{
    need_gnuplot();
    cli_run_job(fluid_job());
    // Without run.json the files show the model, and the particles the box.
    cli_copy("out/run.json", "run.json");
    cli_remove("out/run.json");
    cli_do("report out --no-html --size 500x400");
    assert_pictures("snapshots", "diagnostics", "structure");
    cli_copy("run.json", "out/run.json");
    cli_remove("out/trajectory.nc");
    cli_remove("out/diagnostics.nc");
    cli_remove("out/pictures");
    cJSON *said = report_json();
    assert_pictures("snapshots", "structure");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(said, "temperature")));
    cli_remove("out/pictures");
    cli_remove("out/final.nc");
    cli_do("report out --size 500x400");
    assert_pictures("structure");
    cli_truncate("out/structure.nc", 0.5);
    cli_assert_error(cli_run("report out"), 65, false, "structure.nc");
}

// Many: a map of the density, made from counts.
TEST(test_density)
{
    need_gnuplot();
    cli_run_job(cli_change(
        falling_job("periodic", "out"),
        "physics = {'potential': {'name': 'none'}}; particles.lattice.count = 32000; domain = "
        "{'size': [200, 160], 'walls': 'periodic'}; time.duration = 0.0625; output.final = false"));
    cli_do("report out --size 500x400");
    assert_page_says("density of the particles", "in a box of 200 × 160");
}

// ---- which times are shown

static void assert_stages(const struct gas_growth *growth, const double *times, size_t frames,
                          const size_t *expected, size_t count)
{
    size_t stages[GAS_STAGES];
    assert_int_equal(report_gas_choose_stages(times, frames, growth, stages), count);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(stages[k], expected[k]);
}

TEST(test_stages)
{
    enum { FRAMES = 10, RECORDS = 19 };
    double times[FRAMES], records[RECORDS], largest[RECORDS], mean[RECORDS];
    struct gas_growth none = {0}, growth = {RECORDS, records, largest, mean};
    for (int k = 0; k < FRAMES; k++)
        times[k] = k;
    for (int k = 0; k < RECORDS; k++)
        records[k] = 0.5 * k;
    assert_stages(&none, times, FRAMES, (const size_t[]){0, 3, 6, 9}, 4);
    assert_stages(&none, times, 2, (const size_t[]){0, 1}, 2);
    assert_stages(&none, NULL, 1, (const size_t[]){0}, 1);
    // 10 … 10·2⁹ in powers: each stage 8 times the one before it, where they stand evenly.
    for (int k = 0; k < RECORDS; k++)
        largest[k] = 10 * pow(2, records[k]);
    assert_stages(&growth, times, FRAMES, (const size_t[]){0, 3, 6, 9}, 4);
    // All growth between 5 and 8.
    for (int k = 0; k < RECORDS; k++)
        largest[k] = 10 * pow(1000, fmin(fmax((records[k] - 5) / 3, 0), 1));
    assert_stages(&growth, times, FRAMES, (const size_t[]){0, 6, 7, 9}, 4);
    // A lattice has no clusters: the gas after it is the first stage.
    for (int k = 0; k < RECORDS; k++)
        largest[k] = k == 0 ? 1 : 10 * pow(2, records[k]);
    assert_stages(&growth, times, FRAMES, (const size_t[]){1, 3, 6, 9}, 4);
    // Growth between two frames, or none, is shown evenly.
    for (int k = 0; k < RECORDS; k++)
        largest[k] = records[k] < 4.5 ? 10 : 1000;
    assert_stages(&growth, times, FRAMES, (const size_t[]){0, 3, 6, 9}, 4);
    for (int k = 0; k < RECORDS; k++)
        largest[k] = 10 + k % 2;
    assert_stages(&growth, times, FRAMES, (const size_t[]){0, 3, 6, 9}, 4);
}

// ---- the box, and particles in it

TEST(test_box)
{
    char text[160];
    struct gas_box box;
    cJSON *run_json =
        cli_json("{'box': [30, 20], 'core': 1.5, 'gravity': [0, -2], 'potential': 'none', 'walls': {'left': "
                 "'periodic', 'right': 'periodic', 'bottom': 'reflect', 'top': 'soft'}}");
    assert_true(report_gas_read_box(run_json, &box));
    assert_true(box.size[0] == 30 && box.size[1] == 20 && box.core == 1.5 && box.gravity[1] == -2);
    assert_true(!box.has_pair_force && report_gas_is_periodic(&box, 0) && !report_gas_is_periodic(&box, 1));
    assert_string_equal(report_gas_walls_text(&box, text, sizeof text),
                        "left periodic, right periodic, bottom reflect, top soft");
    for (int side = 0; side < GAS_REPORT_SIDES; side++)
        snprintf(box.walls[side], GAS_WALL_BYTES, "damped");
    assert_string_equal(report_gas_walls_text(&box, text, sizeof text), "damped walls");
    assert_true(!report_gas_read_box(NULL, &box));
    assert_string_equal(report_gas_walls_text(&box, text, sizeof text), "");
}

// Two on a cell, one on another, one outside; two frames.
TEST(test_counts)
{
    enum { ATOMS = 4, FRAMES = 2, AXES = 3 };
    static const double x[FRAMES][ATOMS][AXES] = {{{0.5, 0.5, 0}, {0.9, 0.1, 0}, {2.5, 1.5, 0}, {9, 0, 0}},
                                                  {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {2.99, 1.99, 0}}};
    static const double times[FRAMES] = {0, 4};
    make_trajectory(cli_path("trajectory.nc"), FRAMES, ATOMS, times, &x[0][0][0]);
    struct report_particles particles = {0};
    bool is_there;
    float counts[6];
    const struct particles_raster raster = {.axes = {0, 1}, .cell = {1, 1}, .cells = {3, 2}};
    assert_int_equal(report_particles_open(cli_path("."), &particles, &is_there), STATUS_OK);
    assert_true(is_there && particles.frames == FRAMES && particles.count == ATOMS &&
                particles.times[1] == 4);
    assert_true(!report_particles_has_velocities(&particles));
    static const float expected[FRAMES][6] = {{2, 0, 0, 0, 0, 1}, {1, 1, 0, 0, 0, 2}};
    for (size_t f = 0; f < FRAMES; f++) {
        assert_int_equal(report_particles_count(&particles, f, &raster, counts), STATUS_OK);
        assert_memory_equal(counts, expected[f], sizeof counts);
    }
    struct gas_box box;
    assert_int_equal(report_gas_estimate_box(&particles, &box), STATUS_OK);
    assert_true(box.size[0] == 9 && box.size[1] == 1.99);
    report_particles_close(&particles);
}

TEST_MAIN(cli_setup, cli_teardown)
