// What the result files of N bodies and of a gas have in common (nbody_job.h, gas_job.h). Header only.
#ifndef FATHOM_TESTS_SUPPORT_PARTICLE_RESULTS_H
#define FATHOM_TESTS_SUPPORT_PARTICLE_RESULTS_H

#include "tests/support/cli_fixture.h"

enum { PARTICLE_AXES = 3 }; // of a trajectory

struct particle_results {
    size_t count, frames, records;
    double frame_every, record_every;
};

// The files in "out": their conventions, units and times; the last frame is the final state.
static inline void assert_particle_files(const struct particle_results *r)
{
    size_t shape[4], values;
    const size_t one = r->count * PARTICLE_AXES;
    static const char *const names[] = {"coordinates", "velocities"};
    for (int v = 0; v < 2; v++) {
        const double *all = cli_read_variable("out/trajectory.nc", names[v], &values, shape);
        assert_true(shape[0] == r->frames && shape[1] == r->count && shape[2] == PARTICLE_AXES);
        const double *last = cli_read_values("out/final.nc", names[v], one);
        assert_memory_equal(all + (r->frames - 1) * one, last, one * sizeof *last);
    }
    assert_string_equal(cli_attribute("out/trajectory.nc", NULL, "Conventions"), "AMBER");
    assert_string_equal(cli_attribute("out/trajectory.nc", "time", "units"), "picosecond");
    assert_string_equal(cli_attribute("out/diagnostics.nc", "model_time", "units"), "1");
    assert_string_equal(cli_attribute("out/diagnostics.nc", NULL, "Conventions"), "CF-1.8");
    const double *frame_times = cli_read_values("out/trajectory.nc", "time", r->frames),
                 *times = cli_read_values("out/diagnostics.nc", "time", r->records),
                 *masses = cli_read_values("out/trajectory.nc", "mass", r->count),
                 *last_masses = cli_read_values("out/final.nc", "mass", r->count);
    for (size_t k = 0; k < r->frames; k++)
        assert_true(frame_times[k] == r->frame_every * (double)k);
    for (size_t k = 0; k < r->records; k++)
        assert_true(times[k] == r->record_every * (double)k);
    assert_true(*cli_read_values("out/final.nc", "clock", 1) == r->frame_every * (double)(r->frames - 1));
    assert_memory_equal(masses, last_masses, r->count * sizeof *masses);
}

// Every seventh particle, positions alone, in single precision: those of the whole trajectory.
static inline void assert_some_particles(cJSON *job, const struct particle_results *r)
{
    enum { STRIDE = 7 };
    const size_t kept = (r->count - 1) / STRIDE + 1, one = r->count * PARTICLE_AXES;
    cli_run_job(job);
    cli_run_job(cli_change(
        job,
        "output.fields = {'every': %g, 'stride': 7}; output.precision = 'single'; output.directory = 'some'",
        r->frame_every));
    const double *all = cli_read_values("out/trajectory.nc", "coordinates", r->frames * one),
                 *some =
                     cli_read_values("some/trajectory.nc", "coordinates", r->frames * kept * PARTICLE_AXES);
    assert_false(cli_has_variable("some/trajectory.nc", "velocities"));
    for (size_t i = 0; i < r->frames * kept * PARTICLE_AXES; i++) {
        const size_t axis = i % PARTICLE_AXES, particle = i / PARTICLE_AXES % kept * STRIDE,
                     frame = i / PARTICLE_AXES / kept;
        assert_true(some[i] == (double)(float)all[frame * one + particle * PARTICLE_AXES + axis]);
    }
}

#endif
