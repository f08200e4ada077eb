// The report of an N-body run: which pictures there are for which results, what the page and the JSON state,
// results that are missing; and where the bodies are in the pictures: what part of space they show, and how
// many lie on which pixel.
#include "report/nbody/report.h"
#include "tests/support/gnuplot.h"
#include "tests/support/nbody_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

enum { AXES = NBODY_JOB_AXES };

// ---- the command

TEST(test_whole_report)
{
    need_gnuplot();
    cli_run_job(cli_change(nbody_job(), "method = {'name': 'barnes-hut', 'theta': 0.7}"));
    cJSON *said = cli_output_json(cli_do("report out --json --size 500x400"));
    assert_pictures("projections", "snapshots", "diagnostics");
    assert_picture_sizes(said);
    const double change = cli_run_number("out", "diagnostics.records.largest_energy_error");
    assert_true(fabs(cli_json_number(said, "largest_energy_change") / change - 1) < 1e-9);
    cli_expect_number(said, "virial_ratio", cli_run_number("out", "diagnostics.end.virial_ratio"));
    assert_true(cli_json_number(said, "largest_momentum_change") >
                0); // a tree's forces are not equal and opposite
    assert_true(cli_json_number(said, "largest_momentum_change") < 1e-3);
    assert_page_says("a small cluster", "Bodies along two axes", "Bodies over time",
                     "Energy, radii, and conserved quantities", "barnes-hut, θ = 0.7", "virial ratio",
                     "Stage times", "cells of the tree", "largest |ΔE/E₀|", "600");
    assert_page_lacks("elevation");
}

// Few bodies: the lines along which they moved, and nothing that would need many.
TEST(test_orbits)
{
    need_gnuplot();
    cJSON *job = nbody_job();
    cli_set(job, "particles",
            "{'kepler': {'mass': '1 solar_mass', 'mass_ratio': 3e-6, 'semi_major_axis': '1 AU'}}");
    cli_run_job(
        cli_change(job, "units = 'si'; physics.softening = '0 m'; time = {'duration': '1 year', 'step': '1 "
                        "day'}; output = {'directory': 'out', 'fields': {'every': '2 day'}}"));
    cli_do("report out --size 500x400");
    assert_pictures("projections", "diagnostics");
    assert_page_says("Orbits");
}

TEST(test_what_is_missing_is_left_out)
{
    need_gnuplot();
    cJSON *job = cli_change(nbody_job(), "particles.plummer.count = 4000"); // a map
    cli_run_job(cli_change(job, "time.duration = 0.0625; output.fields.every = 0.03125"));
    // Without run.json the files show the model.
    cli_remove("out/run.json");
    cli_do("report out --no-html --size 500x400");
    assert_pictures("projections", "snapshots", "diagnostics");
    cli_change(job, "delete output.fields; output.directory = 'out'");
    cli_remove("out");
    cli_run_job(job);
    cli_do("report out --size 500x400");
    assert_pictures("projections", "diagnostics");
    cli_change(job, "output.final = false");
    cli_remove("out");
    cli_run_job(job);
    cli_do("report out --size 500x400");
    assert_pictures("diagnostics");
}

// ---- where the bodies are

enum { BODIES = 2000, TIMES = 2 };

// Bodies near (3, −1, 5) at t = 0 and 1 further along x at t = 1; one of them is far away all the time.
static void write_trajectory(void)
{
    static double x[TIMES][BODIES][AXES];
    static const double times[TIMES] = {0, 1};
    for (size_t k = 0; k < TIMES; k++)
        for (size_t i = 0; i < BODIES; i++) {
            const double u = (double)i / BODIES;
            x[k][i][0] = 3 + (double)k + 0.5 * sin(40 * u);
            x[k][i][1] = -1 + 0.5 * cos(40 * u) * cos(7 * u);
            x[k][i][2] = 5 + 0.25 * sin(90 * u);
        }
    for (size_t k = 0; k < TIMES; k++)
        for (size_t axis = 0; axis < AXES; axis++)
            x[k][BODIES / 2][axis] = 1e6;
    make_trajectory(cli_path("trajectory.nc"), TIMES, BODIES, times, &x[0][0][0]);
}

static struct report report;

static void open_bodies(struct report_particles *bodies)
{
    bool is_there;
    write_trajectory();
    memset(&report, 0, sizeof report);
    report.options.directory = cli_path(".");
    assert_int_equal(report_particles_open(report.options.directory, bodies, &is_there), STATUS_OK);
    assert_true(is_there && bodies->frames == TIMES && bodies->count == BODIES && bodies->times[1] == 1);
}

// A cube about all but the one that flew off.
TEST(test_view)
{
    struct report_particles bodies = {0};
    struct nbody_view view;
    open_bodies(&bodies);
    assert_int_equal(report_nbody_choose_view(&bodies, (const size_t[]){0, 1}, TIMES, &view), STATUS_OK);
    assert_true(fabs(view.middle[0] - 3.5) < 0.05 && fabs(view.middle[1] + 1) < 0.05 &&
                fabs(view.middle[2] - 5) < 0.05);
    assert_true(view.half > 1 && view.half < 1.25); // x from 2.5 to 4.5, and a margin
    report_particles_close(&bodies);
}

// Every body that is in the view counts as one, and lies where it should.
TEST(test_pixels)
{
    enum { SIDE = 200 };
    static float pixels[SIDE * SIDE];
    const struct nbody_view view = {{3, -1, 5}, 2};
    struct report_particles bodies = {0};
    open_bodies(&bodies);
    for (size_t frame = 0; frame < TIMES; frame++)
        for (int plane = 0; plane < NBODY_PLANES; plane++) {
            double sum = 0, across = 0, up = 0, out_of_bounds = 0;
            assert_int_equal(report_nbody_count_pixels(&bodies, frame, plane, &view, SIDE, pixels),
                             STATUS_OK);
            for (size_t k = 0; k < SIDE * SIDE; k++) {
                const double x = ((double)(k % SIDE) + 0.5) * 4 / SIDE - 2,
                             y = ((double)(k / SIDE) + 0.5) * 4 / SIDE - 2;
                sum += (double)pixels[k];
                across += x * (double)pixels[k];
                up += y * (double)pixels[k];
                if (fabs(x - (double)frame) > 0.55 || fabs(y) > (plane == 0 ? 0.55 : 0.3))
                    out_of_bounds += (double)pixels[k];
            }
            assert_true(fabs(sum - (BODIES - 1)) < 1e-3);
            assert_true(out_of_bounds == 0);
            // Their mean is where the bodies' mean is, to the pixel's size.
            double x[BODIES][AXES], mean[2] = {0, 0};
            assert_int_equal(report_particles_read_positions(&bodies, frame, 0, BODIES, &x[0][0]), STATUS_OK);
            for (size_t i = 0; i < BODIES; i++)
                for (size_t axis = 0; axis < 2 && i != BODIES / 2; axis++) {
                    const int which =
                        axis == 0 ? report_nbody_planes[plane].across : report_nbody_planes[plane].up;
                    mean[axis] += (x[i][which] - view.middle[which]) / (BODIES - 1);
                }
            assert_true(fabs(across / sum - mean[0]) < 0.01 && fabs(up / sum - mean[1]) < 0.01);
        }
    report_particles_close(&bodies);
}

TEST(test_units)
{
    char text[STYLE_TEXT_BYTES];
    struct report_bodies bodies = {.is_si = false};
    memset(&report, 0, sizeof report);
    report.state = &bodies;
    assert_string_equal(report_nbody_length_unit(&report, 1e20).name, ""); // N-body units have none
    bodies.is_si = true;
    assert_string_equal(report_nbody_length_unit(&report, 3.1e16).name, "pc");
    assert_string_equal(report_nbody_length_unit(&report, 3.1e20).name, "kpc");
    assert_string_equal(report_nbody_length_unit(&report, 1e11).name, "AU");
    const struct nbody_unit unit = report_nbody_time_unit(&report, 6.3e14);
    assert_string_equal(unit.name, "Ma");
    assert_string_equal(report_nbody_time_text(&unit, 6.311520e14, text), "t = 20 Ma");
}

TEST_MAIN(cli_setup, cli_teardown)
