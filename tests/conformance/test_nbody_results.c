// Results of the N-body model that a back end makes where its bodies lie (trajectories, diagnostics, the
// guard's findings) have the bits of those that the host makes from the same state, for every method,
// precision, stride and type. The model is driven as a run drives it, and asked twice: through the back end,
// and through the host's own way with the state fetched.
//
// With the argument "cuda" on the GPU; without it on a stand-in that has frames of its own beside the
// processor's solver and makes them late: then it is the model's part that is tested.
#include "tests/support/test.h"

#include "models/nbody/instance.h"
#include "models/nbody/nbody.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/cuda_test.h"
#include "tests/support/result_ways.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

STAND_IN_INSTANCE(nbody);
STAND_IN_OPERATIONS(nbody, nbody_nonfinite);
#define MODEL           nbody
#define UPPER           NBODY
#define VECTORS(wanted) (1u + (wanted)->has_velocities + (wanted)->has_accelerations)
#define NOTHING_FOUND   ((struct nbody_nonfinite){.step = -1})
#include "tests/support/particle_ways.inc"

// ---- a model as a run has it

struct setting {
    const char *method, *precision;
    size_t count;
    const char *fields; // output.fields
    bool is_si, has_direct_potential;
};

static void write_job(const struct setting *setting)
{
    const bool is_si = setting->is_si;
    const char *every = is_si ? "'1e5 yr'" : "1";
    // With a check the model has the sums of the host's way.
    cJSON *job = cli_change(
        cli_json("{'fathom': 1, 'model': 'nbody', 'title': 'results', 'check': {'reference_steps': 2}}"),
        "backend = '%s'; precision = '%s'; method.name = '%s'; units = '%s'; particles.plummer.count "
        "= %zu; output.directory = 'out'; output.fields = %s; output.fields.every = %s; "
        "output.diagnostics.every = %s; output.diagnostics.direct_potential = %s",
        apart->head.name, setting->precision, setting->method, is_si ? "si" : "nbody", setting->count,
        setting->fields, every, every, setting->has_direct_potential ? "true" : "false");
    cli_change(job, is_si ? "particles.plummer.radius = '1 pc'; particles.plummer.mass = '1e4 solar_mass'; "
                            "physics.softening = '0.05 pc'; time.step = '1e3 yr'; time.duration = '1e6 yr'"
                          : "particles.plummer.radius = 0.6; particles.plummer.mass = 1; physics.softening = "
                            "0.05; time.step = 0.01; time.duration = 10");
    cli_write_job(job, "job.json");
}

static struct run *run_open(const struct setting *setting)
{
    write_job(setting);
    struct run *r = run_of_job();
    r->host_way.guard = NULL;
    return r;
}

// ---- the two ways

// The run by the back end, then again by the host's way.
static void check_setting(const struct setting *setting)
{
    struct ways_records records;
    const char *about = format_text("%s %s, %zu bodies, %s", setting->precision, setting->method,
                                    setting->count, setting->fields);
    struct run *r = run_open(setting);
    ways_collect(&r->ways, &records);
    const struct nbody_series series = r->model->series;
    run_close(r);
    r = run_open(setting);
    ways_compare_records(&r->ways, &records, about);
    assert_int_equal(series.records, PIPELINE_FRAME_SLOTS);
    assert_memory_equal(series.last, r->model->series.last, sizeof series.last);
    run_close(r);
}

TEST(every_result_has_the_hosts_bits)
{
    static const char *const methods[] = {"direct", "barnes-hut"}, *const precisions[] = {"single", "double"};
    static const struct {
        size_t count;
        const char *fields;
        bool is_si, has_direct_potential;
    } cases[] = {{2, "{}", false, false},
                 {700, "{'variables': ['position', 'velocity']}", true, true},
                 {4096, "{'stride': 7}", true, false},
                 {3001, "{'variables': ['acceleration'], 'stride': 3}", true, true},
                 {1500, "{'variables': ['acceleration', 'velocity']}", false, false},
                 {9001, "{'variables': ['velocity', 'position'], 'stride': 2}", false, false}};
    for (int m = 0; m < 2; m++)
        for (int p = 0; p < 2; p++)
            for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
                // On the host the three blocks of the last are the same to both methods, and all their pairs
                // take half of the test.
                if (strncmp(apart->head.name, "cuda", 4) != 0 && m == 0 && cases[c].count > 2 * NBODY_BLOCK)
                    continue;
                check_setting(&(struct setting){methods[m], precisions[p], cases[c].count, cases[c].fields,
                                                cases[c].is_si, cases[c].has_direct_potential});
            }
}

// ---- the guard

struct planted {
    size_t id;
    double x, vz;
};

static void plant(struct run *r, const struct planted *planted, size_t count)
{
    static struct nbody_body bodies[NBODY_BLOCK];
    struct nbody *n = r->model;
    assert_true(n->params.count <= NBODY_BLOCK);
    assert_ok(instance_fetch(&n->base));
    n->backend->get(n->base.solver, 0, n->params.count, bodies);
    for (size_t k = 0; k < count; k++) {
        bodies[planted[k].id].position[NBODY_X] = planted[k].x;
        bodies[planted[k].id].velocity[NBODY_Z] = planted[k].vz;
    }
    n->backend->set(n->base.solver, 0, n->params.count, bodies);
    assert_ok(solver_touch(&n->backend->head, n->base.solver, false));
}

static void expect_found(struct run *r, int64_t look, int64_t step, int64_t id)
{
    struct nbody_nonfinite found = {.step = -1};
    assert_ok(apart->guard(r->model->base.solver, look, &found));
    assert_ok(apart->finish(r->model->base.solver, &found));
    if (found.step != step || (step >= 0 && found.id != id))
        fail_msg("found body %lld at step %lld, not %lld at %lld", (long long)found.id, (long long)found.step,
                 (long long)id, (long long)step);
}

static void check_guard(const char *method, const char *precision)
{
    struct run *r = run_open(&(struct setting){method, precision, 1500, "{}", false, false});
    struct nbody *n = r->model;
    assert_ok(r->ways.run.simulation.advance(n, 0, 3));
    expect_found(r, 3, -1, 0);
    // The second one is the first by id.
    plant(r, (struct planted[]){{1203, (double)NAN, 0}, {517, 0.5, (double)INFINITY}, {518, (double)NAN, 0}},
          3);
    expect_found(r, 3, 3, 517);
    // It stays: a later look does not change what is reported, with every frame, nor do steps.
    assert_ok(r->ways.run.simulation.advance(n, 3, 4));
    expect_found(r, 7, 3, 517);
    struct frame *frame = ways_frame(&r->ways, NBODY_STREAM_TRAJECTORY, 0);
    ways_capture(&r->ways, frame, 7);
    assert_failure(ways_fetch(&r->ways, frame), STATUS_DATA, "body 517 became non-finite by step 3 ");
    run_close(r);
}

TEST(the_guard_names_the_first_unsound_body)
{
    for (int k = 0; k < 4; k++)
        check_guard(k < 2 ? "direct" : "barnes-hut", k % 2 ? "single" : "double");
}

// ---- the stand-in

static enum status stand_in_guard(struct solver *solver, int64_t step, struct nbody_nonfinite *found)
{
    struct nbody_body body;
    for (size_t id = 0; stand_in_found.step < 0 && id < present->params.count; id++) {
        nbody_backend_openmp.get(solver, id, 1, &body);
        double sum = 0;
        for (int axis = 0; axis < NBODY_AXES; axis++)
            sum += 0 * body.position[axis] + 0 * body.velocity[axis];
        if (isnan(sum))
            stand_in_found = (struct nbody_nonfinite){step, (int64_t)id, body};
    }
    *found = stand_in_found;
    return STATUS_OK;
}

STAND_IN_SUITE(nbody, (void)0);
