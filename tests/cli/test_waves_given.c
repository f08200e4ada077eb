// Waves that a job gives itself: series at the edges, solitary waves and states at the start, in small runs
// held against closed forms.
#include "tests/support/channel_fixture.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

static const double pi = 3.14159265358979323846;

// ---- the wave: one smooth pulse

static const double pulse_s = 200;

static double pulse(double height_m, double time_s)
{
    const double s = sin(pi * time_s / pulse_s);
    return time_s > 0 && time_s < pulse_s ? height_m * s * s : 0;
}

// Samples of the pulse from 0 to `until_s`, with the speed of a simple wave.
static void write_pulse(const char *name, double height_m, double sample_s, double until_s)
{
    FILE *file = fopen(cli_path(name), "w");
    assert_non_null(file);
    fprintf(file, "time (s), eta (cm), u (m/s)\n");
    for (int k = 0; k * sample_s <= until_s; k++) {
        const double eta = pulse(height_m, k * sample_s);
        const double u =
            2 * (sqrt(channel_gravity * (channel_depth_m + eta)) - sqrt(channel_gravity * channel_depth_m));
        assert_true(fprintf(file, "%.17g, %.17g, %.17g\n", k * sample_s, 100 * eta, u) > 0);
    }
    assert_int_equal(fclose(file), 0);
}

static const char pulse_source[] =
    "{'file': 'pulse.csv', 'skip_lines': 1, 'time_unit': 's', 'eta_unit': 'cm'}";
static const char travelling_source[] =
    "{'file': 'pulse.csv', 'skip_lines': 1, 'time_unit': 's', 'eta_unit': 'cm', 'travelling': true}";

static const char *const methods[] = {"vtcs2-o2", "muscl-hancock"};

static const double small_m = 1e-3;
static double channel_end_m; // from where the wave is given to the wall

// The edge holds η; what comes back is turned round with the other sign.
static double held_edge(double x_m, double time_s)
{
    const double c = sqrt(channel_gravity * channel_depth_m);
    double sum = 0, sign = 1;
    for (int n = 0; n < 4; n++, sign = -sign)
        sum += sign * (pulse(small_m, time_s - (2 * n * channel_end_m + x_m) / c) +
                       pulse(small_m, time_s - (2 * (n + 1) * channel_end_m - x_m) / c));
    return sum;
}

// What comes back leaves.
static double passing_edge(double x_m, double time_s)
{
    const double c = sqrt(channel_gravity * channel_depth_m);
    return pulse(small_m, time_s - x_m / c) + pulse(small_m, time_s - (2 * channel_end_m - x_m) / c);
}

TEST(a_given_elevation_makes_its_wave)
{
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = channel_job(methods[m], "west");
        write_pulse("pulse.csv", small_m, 1, 2000);
        cli_change(job, "time.duration = '1800 s'"); // 56 km: two turns at the wall, one at the edge
        cli_set(job, "source.edges.west", pulse_source);
        channel_run(job, "out");
        channel_end_m = (CHANNEL_NODES - 0.5) * channel_spacing_m + channel_edge_m(methods[m]);
        const double error = channel_error("out", held_edge, channel_edge_m(methods[m]), small_m);
        print_message("%s: held edge, error %.2g of the height\n", methods[m], error);
        assert_true(error < 0.02);
    }
}

TEST(a_travelling_wave_comes_in_and_lets_out)
{
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = channel_job(methods[m], "west");
        write_pulse("pulse.csv", small_m, 1, 2000);
        cli_change(job, "time.duration = '1800 s'; source.edges.west = %s", travelling_source);
        channel_run(job, "out");
        channel_end_m = (CHANNEL_NODES - 0.5) * channel_spacing_m + channel_edge_m(methods[m]);
        const double error = channel_error("out", passing_edge, channel_edge_m(methods[m]), small_m);
        print_message("%s: travelling wave, error %.2g of the height\n", methods[m], error);
        assert_true(error < 0.02);
    }
}

// Where the series ends the edge is open: what the held edge would turn round leaves.
TEST(an_edge_is_open_when_nothing_is_given_any_more)
{
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = channel_job(methods[m], "west");
        write_pulse("pulse.csv", small_m, 1, pulse_s);
        cli_change(job, "time.duration = '1800 s'; source.edges.west = %s", pulse_source);
        channel_run(job, "out");
        channel_end_m = (CHANNEL_NODES - 0.5) * channel_spacing_m + channel_edge_m(methods[m]);
        assert_true(channel_error("out", passing_edge, channel_edge_m(methods[m]), small_m) < 0.02);
    }
}

// A simple wave of finite height: the state given at τ arrives at x after x/(3c − 2c0), c = √(g(d + η(τ))),
// until it breaks.
static const double high_m = 5;

static double simple_wave(double x_m, double time_s)
{
    const double c0 = sqrt(channel_gravity * channel_depth_m);
    double early = time_s - 2 * x_m / c0 - pulse_s, late = time_s;
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (early + late);
        const double c = sqrt(channel_gravity * (channel_depth_m + pulse(high_m, middle)));
        *(middle + x_m / (3 * c - 2 * c0) < time_s ? &early : &late) = middle;
    }
    return pulse(high_m, early);
}

TEST(a_high_wave_travels_as_a_simple_wave)
{
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = channel_job(methods[m], "west");
        write_pulse("pulse.csv", high_m, 0.5, 2000);
        cli_change(job, "time.duration = '650 s'"); // before it comes back from the wall to a gauge
        cli_set(job, "source.edges.west", travelling_source);
        channel_run(job, "out");
        const double error = channel_error("out", simple_wave, channel_edge_m(methods[m]), high_m);
        print_message("%s: simple wave of 5 %% of the depth, error %.2g of the height\n", methods[m], error);
        assert_true(error < 0.03);
    }
}

TEST(all_four_edges_are_the_same)
{
    static const char *const sides[] = {"west", "east", "south", "north"};
    write_pulse("pulse.csv", high_m, 1, 2000);
    for (size_t m = 0; m < COUNT(methods); m++)
        for (int side = 0; side < 4; side++) {
            cJSON *job = channel_job(methods[m], sides[side]);
            cli_set(job, format_text("source.edges.%s", sides[side]), travelling_source);
            channel_run(job, sides[side]);
            channel_assert_same("west", sides[side], 1e-12);
        }
}

TEST(a_given_velocity_is_taken)
{
    write_pulse("pulse.csv", high_m, channel_step_s,
                2000); // a sample each step: nothing is lost between them
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = channel_job(methods[m], "west");
        cli_set(job, "source.edges.west", travelling_source);
        channel_run(job, "out");
        job = channel_job(methods[m], "west");
        cli_change(
            job,
            "source.edges.west = %s; source.edges.west.velocity = 3; source.edges.west.velocity_unit = 'm/s'",
            pulse_source);
        channel_run(job, "given");
        channel_assert_same("out", "given", 1e-11);
    }
}

// The same wave, with times that count from 100 s before and 100 s after the run's start.
TEST(the_start_moves_the_series)
{
    write_pulse("pulse.csv", small_m, channel_step_s, 2000);
    cJSON *job = cli_change(channel_job("vtcs2-o2", "west"),
                            "source.edges.west = %s; source.edges.west.start = '100 s'", travelling_source);
    channel_run(job, "later");
    channel_end_m = (CHANNEL_NODES - 0.5) * channel_spacing_m;
    size_t count;
    double *times, *eta = channel_gauge("later", 0, &times, &count);
    for (size_t k = 0; k < count; k++)
        assert_true(fabs(eta[k] - passing_edge(channel_stations_m[0], times[k] - 100)) < 0.02 * small_m);
    job = channel_job("vtcs2-o2", "west");
    cli_change(job, "source.edges.west = %s; source.edges.west.start = '-50 s'", travelling_source);
    channel_run(job, "within");
    eta = channel_gauge("within", 0, &times, &count);
    for (size_t k = 0; k < count; k++)
        if (times[k] * sqrt(channel_gravity * channel_depth_m) >
            channel_stations_m[0] + 10 * channel_spacing_m) // behind the sudden start
            assert_true(fabs(eta[k] - passing_edge(channel_stations_m[0], times[k] + 50)) < 0.05 * small_m);
}

TEST(text_and_netcdf_give_the_same_results)
{
    enum { SAMPLES = 300 };
    static double times[SAMPLES], eta[SAMPLES];
    FILE *text = fopen(cli_path("pulse.txt"), "w");
    assert_non_null(text);
    for (int k = 0; k < SAMPLES; k++) {
        times[k] = 0.9 * k;
        eta[k] = pulse(small_m, times[k]);
        assert_true(fprintf(text, "%.17g\t%.17g # sample %d\n", times[k], eta[k], k) > 0);
    }
    assert_int_equal(fclose(text), 0);
    const int file = make_file(cli_path("pulse.nc"), NC_NETCDF4);
    const int time = make_axis(file, "time", "seconds since 2011-03-11 05:46:24", SAMPLES, times);
    make_field(file, "eta", "m", 1, &time, eta);
    NC(nc_close(file));
    cJSON *job = cli_change(channel_job("vtcs2-o2", "west"),
                            "source.edges.west = {'file': 'pulse.txt', 'time_unit': 's', 'eta_unit': 'm'}");
    channel_run(job, "text");
    job = channel_job("vtcs2-o2", "west");
    cli_change(job, "source.edges.west = {'file': 'pulse.nc'}");
    channel_run(job, "netcdf");
    cli_assert_same_results("netcdf", "text");
    assert_true(cli_run_number("netcdf", "source.edges.west.samples") == SAMPLES);
    // A unit against the file's: only if the job states that the file is wrong.
    job = channel_job("vtcs2-o2", "west");
    cli_assert_error(cli_try(cli_change(job, "source.edges.west = {'file': 'pulse.nc', 'eta_unit': 'cm'}")),
                     78, false, "job.json: source.edges.west: ", "pulse.nc",
                     "variable eta: \"eta_unit\": \"cm\" contradicts", "units = \"m\"", "\"override\": true");
    cli_change(job, "source.edges.west.override = true");
    channel_run(job, "overridden");
    cJSON *report = cli_read_json("overridden/run.json");
    char *warnings = owned_take(cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(report, "warnings")));
    assert_has(warnings, "source.edges.west.override: ", "read in cm");
}

// A wave higher than the water is deep outruns a step that is right for still water: speeds are held back
// then, and a result would look like no flood. The run reports it instead; with a smaller step it goes
// through.
TEST(a_wave_too_fast_for_the_step_ends_the_run)
{
    cJSON *job = channel_job("muscl-hancock", "west");
    write_pulse("pulse.csv", 2 * channel_depth_m, 1, 2000);
    cli_set(job, "source.edges.west", travelling_source);
    cli_save_job(cli_change(job, "time.duration = '300 s'"));
    cli_assert_error(cli_run("run -q -o held job.json"), 65, false,
                     "the flow became too fast for the time step of 0.625 s", "give a smaller time.step");
    cli_change(job, "time.step = '0.3125 s'");
    channel_run(job, "free");
    assert_true(cli_run_number("free", "diagnostics.end.courant") < 0.95);
}

// A level below the bed of the whole edge is reported with the file and its time.
TEST(a_level_below_the_bed_is_reported)
{
    cJSON *job = channel_job("muscl-hancock", "west");
    cli_write_text("pulse.csv", "time eta velocity\n0 0 0\n100 -15000 1\n400 0 0\n");
    cli_set(job, "source.edges.west",
            "{'file': 'pulse.csv', 'skip_lines': 1, 'time_unit': 's', 'eta_unit': 'cm', 'velocity': 3, "
            "'velocity_unit': 'm/s', 'keeps_discharge': true}");
    cli_save_job(cli_change(job, "time.duration = '120 s'"));
    assert_has(cli_run("run -q --restart job.json")->error, "source.edges.west: ", "pulse.csv",
               "at 100 s of the file the level is -150 m, below the bed", "no discharge can be kept");
    cli_save_job(cli_change(job, "time.duration = '50 s'")); // it ends before
    assert_null(strstr(cli_run("run -q --restart job.json")->error, "below the bed"));
}

// An automatic step counts the highest wave that is given, and the log states it: the same waves, and one of
// four times the depth whose velocity is given, just run. A wave that is low, or comes through a nested
// grid's edges, changes no step.
TEST(an_automatic_step_counts_the_waves_that_are_given)
{
    static const char with_velocity[] = "{'file': 'pulse.csv', 'skip_lines': 1, 'time_unit': 's', "
                                        "'eta_unit': 'cm', 'velocity': 3, 'velocity_unit': 'm/s'}";
    static const struct {
        double heights, share; // of the wave, in depths; of what its crest allows
        const char *method, *source;
    } cases[] = {{2, 0.9, "muscl-hancock", travelling_source},
                 {4, 0.9, "muscl-hancock", with_velocity},
                 {2, 0.75, "vtcs2-shore", with_velocity},
                 {0.01, 0.9, "muscl-hancock", travelling_source}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        const double height_m = cases[k].heights * channel_depth_m;
        cJSON *job = channel_job(cases[k].method, "west");
        write_pulse("pulse.csv", height_m, 1, 2000);
        cli_set(job, "source.edges.west", cases[k].source);
        cli_save_job(cli_change(job, "time.duration = '300 s'; delete time.step; delete output.gauges"));
        const struct cli_result *result = cli_run("run --restart job.json");
        if (result->exit_code != 0)
            fail_msg("%s", result->error);
        const bool is_by_wave = strstr(result->error, "m high that is given at the western edge") != NULL;
        assert_true(is_by_wave == (cases[k].heights > 1));
        assert_has(result->error, "its limit is set by the water 100 m deep at (");
        // Over still water a crest goes 3√(g(d + η)) − 2√(g d).
        const double c0 = sqrt(channel_gravity * channel_depth_m);
        const double crest = 3 * c0 * sqrt(1 + cases[k].heights) - 2 * c0;
        const double limit_s =
            is_by_wave ? cases[k].share * channel_spacing_m / crest : 0.45 * channel_spacing_m / c0;
        const double step_s = cli_run_number("out", "step_s");
        print_message("%s, %g depths: step %g s of %g s, courant %g\n", cases[k].method, cases[k].heights,
                      step_s, limit_s, cli_run_number("out", "diagnostics.end.courant"));
        assert_true(step_s <= limit_s * (1 + 1e-9) && step_s > 0.8 * limit_s);
        assert_true(cli_run_number("out", "diagnostics.end.courant") < 0.95);
    }
}

// Stopped within the wave, by a limit that it meets after some readings of the clock.
TEST(a_resumed_run_continues_its_wave)
{
    write_pulse("pulse.csv", high_m, 1, 2000);
    for (size_t m = 0; m < COUNT(methods); m++) {
        cJSON *job = cli_change(channel_job(methods[m], "west"),
                                "source.edges.west = %s; time.duration = '3000 s'", travelling_source);
        channel_run(job, "whole");
        cli_tick_clock(100); // a hundred looks at it are 10 ms
        const struct cli_result *stopped = cli_run("run -q -o parts --time-limit '10 ms' job.json");
        cli_pace_as_usual();
        assert_int_equal(stopped->exit_code, 75);
        assert_null(strstr(stopped->error, "after step 0 "));
        cli_do("run -q -o parts --resume job.json");
        cli_assert_same_results("parts", "whole");
        cli_remove("parts");
    }
}

TEST_MAIN(cli_setup, cli_teardown)
