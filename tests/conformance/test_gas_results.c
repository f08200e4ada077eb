// Results of the gas model that a back end makes where its particles lie (trajectories, diagnostics, the
// guard's findings) have the bits of those that the host makes from the same state, for every method,
// potential, thermostat, precision, stride and type. The model is driven as a run drives it, and asked twice:
// through the back end, and through the host's own way with the state fetched.
//
// With the argument "cuda" on the GPU; without it on a stand-in that has frames of its own beside the
// processor's solver and makes them late: then it is the model's part that is tested.
#include "tests/support/test.h"

#include "models/gas/gas.h"
#include "models/gas/instance.h"
#include "models/gas/particle_terms.h"
#include "tests/support/cuda_test.h"
#include "tests/support/gas_job.h"
#include "tests/support/result_ways.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

STAND_IN_INSTANCE(gas);
STAND_IN_OPERATIONS(gas, gas_finding);
#define MODEL           gas
#define UPPER           GAS
#define VECTORS(wanted) (1u + ((wanted)->has_velocities ? 1u : 0u))
#define NOTHING_FOUND   ((struct gas_finding){.error = GAS_NO_ERROR})
#include "tests/support/particle_ways.inc"

// ---- a model as a run has it

struct setting {
    const struct gas_job_system *system;
    const char *precision, *element; // "single" or "double": of the solver, of the trajectory
    size_t count;
    const char *fields; // output.fields
};

static void write_job(const struct setting *setting)
{
    const struct gas_job_system *system = setting->system;
    cJSON *job = cli_change(gas_job(), "particles.lattice.count = %zu; time = {'step': 0.004, 'duration': 4}",
                            setting->count);
    gas_job_set(job, system);
    cli_change(job,
               "backend = '%s'; precision = '%s'; output.directory = 'out'; output.precision = '%s'; "
               "output.fields = %s; output.fields.every = 1; output.diagnostics.every = 1",
               apart->head.name, setting->precision, setting->element, setting->fields);
    cli_write_job(job, "job.json");
}

static struct run *run_open(const struct setting *setting)
{
    write_job(setting);
    struct run *r = run_of_job();
    // Planned for the host's way alone, too.
    r->model->sums = owned_zeros(GAS_TERMS, block_sum_bytes(r->model->params.count));
    return r;
}

// ---- the two ways

// The run by the back end, then again by the host's way.
static void check_setting(const struct setting *setting)
{
    struct ways_records records;
    const char *about = format_text("%s, %s to %s, %zu particles, %s", setting->system->name,
                                    setting->precision, setting->element, setting->count, setting->fields);
    struct run *r = run_open(setting);
    ways_collect(&r->ways, &records);
    const struct gas_series series = r->model->series;
    run_close(r);
    r = run_open(setting);
    ways_compare_records(&r->ways, &records, about);
    assert_int_equal(series.records, PIPELINE_FRAME_SLOTS);
    assert_memory_equal(series.first, r->model->series.first, sizeof series.first);
    assert_memory_equal(series.last, r->model->series.last, sizeof series.last);
    assert_true(series.largest_change == r->model->series.largest_change);
    run_close(r);
}

#define LENNARD_JONES "{'name': 'lennard-jones'}"
#define LOGARITHM     "{'name': 'log', 'softening': 0.1}"
#define CONDENSING    "{'name': 'condensing', 'cut_off': 1.6, 'attraction': 0.1}"
#define LISTS         "{'name': 'cells', 'skin': 0.05}" // stale between two records
#define EVERY_PAIR    "{'name': 'all-pairs'}"
#define REGIONS(rows)                                                                                        \
    "{'name': 'cells', 'regions': {'columns': " rows ", 'rows': " rows ", 'near': 2, 'far': 3.5}}"

static const struct gas_job_system systems[] = {
    {"every pair", LENNARD_JONES, NULL, "'periodic'", EVERY_PAIR},
    {"lists, Langevin", LENNARD_JONES, "{'thermostat': {'name': 'langevin', 'temperature': 1.2}}",
     "'periodic'", LISTS},
    {"lists, walls", "{'name': 'lj-force-shifted'}", "{'gravity': [0.5, 0]}",
     "{'left': 'soft', 'right': 'damped', 'bottom': 'periodic', 'top': 'periodic'}", LISTS},
    {"ln r, Bussi", LOGARITHM, "{'thermostat': {'name': 'bussi', 'temperature': 2, 'relaxation_time': 0.1}}",
     "'reflect'", EVERY_PAIR},
    {"regions", LOGARITHM, "{'gravity': [0, -1]}", "'field-corrected'", REGIONS("9")},
    {"regions, limiters", CONDENSING, "{'limiters': {'mean_energy': 3, 'speed_jump': 1.02}}", "'damped'",
     REGIONS("9")},
    {"repulsion everywhere", "{'name': 'real-gas', 'repulsion_everywhere': true}", NULL, "'a-priori'",
     EVERY_PAIR},
    {"no force, Euler", "{'name': 'none'}", "{'gravity': [0.3, -2]}", "'flip-and-mirror'",
     "{'integrator': 'symplectic-euler'}"}};

TEST(every_result_has_the_hosts_bits)
{
    static const char *const precisions[] = {"single", "double"};
    static const char *const fields[] = {"{'variables': ['position', 'velocity']}", "{'stride': 7}"};
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++)
        for (size_t p = 0; p < 2; p++)
            check_setting(&(struct setting){&systems[k], precisions[p], precisions[(p + k) % 2], 700,
                                            fields[(k + p) % 2]});
}

// Two particles; and several blocks of the sums, the last one not full.
TEST(few_and_many_have_the_hosts_bits)
{
    static const struct gas_job_system pair = {"a pair", LENNARD_JONES, NULL, "'reflect'", EVERY_PAIR};
    static const struct gas_job_system lists = {"lists", LENNARD_JONES, NULL, "'periodic'", LISTS};
    static const struct gas_job_system regions = {"regions", CONDENSING, NULL, "'reflect'", REGIONS("24")};
    check_setting(&(struct setting){&pair, "double", "single", 2, "{}"});
    check_setting(&(struct setting){&lists, "single", "double", 9001, "{'variables': ['velocity']}"});
    check_setting(&(struct setting){&lists, "double", "single", 8193, "{'stride': 2}"});
    check_setting(&(struct setting){&regions, "single", "single", 9001, "{'stride': 3}"});
}

// ---- the guard

struct planted {
    size_t id;
    double x, vx;
};

static void plant(struct run *r, const struct planted *planted, size_t count)
{
    static struct gas_particle particles[GAS_BLOCK];
    struct gas *g = r->model;
    assert_true(g->params.count <= GAS_BLOCK);
    assert_ok(instance_fetch(&g->base));
    g->backend->get(g->base.solver, 0, g->params.count, particles);
    for (size_t k = 0; k < count; k++) {
        if (!isnan(planted[k].x))
            particles[planted[k].id].position[GAS_X] = planted[k].x;
        particles[planted[k].id].velocity[GAS_X] = planted[k].vx;
    }
    g->backend->set(g->base.solver, 0, g->params.count, particles);
    assert_ok(solver_touch(&g->backend->head, g->base.solver, false));
}

static void expect_found(struct run *r, int64_t look, enum gas_error error, int64_t step, int64_t id)
{
    struct gas_finding found = {.error = GAS_NO_ERROR};
    assert_ok(apart->guard(r->model->base.solver, look, &found));
    if (apart->finish)
        assert_ok(apart->finish(r->model->base.solver, &found));
    if (found.error != error || (error != GAS_NO_ERROR && (found.step != step || found.id != id)))
        fail_msg("found error %d of particle %lld at step %lld, not %d of %lld at %lld", (int)found.error,
                 (long long)found.id, (long long)found.step, (int)error, (long long)id, (long long)step);
}

// A look finds the first by id; it stays, whatever comes after, and travels with every frame.
static void check_guard(const struct gas_job_system *system, const char *precision)
{
    struct run *r = run_open(&(struct setting){system, precision, "single", 1500, "{}"});
    struct gas *g = r->model;
    assert_ok(r->ways.run.simulation.advance(g, 0, 3));
    expect_found(r, 3, GAS_NO_ERROR, 0, 0);
    const double here = (double)NAN;
    plant(r,
          (struct planted[]){
              {1203, here, (double)INFINITY}, {517, here, (double)NAN}, {518, here, (double)INFINITY}},
          3);
    expect_found(r, 3, GAS_NOT_FINITE, 3, 517);
    assert_ok(r->ways.run.simulation.advance(g, 3, 4));
    expect_found(r, 7, GAS_NOT_FINITE, 3, 517);
    struct frame *frame = ways_frame(&r->ways, GAS_STREAM_TRAJECTORY, 0);
    ways_capture(&r->ways, frame, 7);
    assert_failure(ways_fetch(&r->ways, frame), STATUS_DATA, "after step 3 ",
                   "particle 517 has a position or a velocity that is not finite");
    run_close(r);
}

// A step that goes wrong is found by the step, not by the next look.
static void check_leap(const struct gas_job_system *system, const char *precision)
{
    struct run *r = run_open(&(struct setting){system, precision, "single", 1500, "{}"});
    struct gas *g = r->model;
    plant(r, (struct planted[]){{900, (double)NAN, 40}, {903, (double)NAN, 4000}, {37, (double)NAN, -3000}},
          3);
    expect_found(r, 0, GAS_NO_ERROR, 0, 0);
    assert_ok(r->ways.run.simulation.advance(g, 0, 9));
    expect_found(r, 9, GAS_TOO_FAST, 1, 37);
    run_close(r);
}

TEST(the_guard_names_the_first_particle)
{
    static const size_t chosen[] = {0, 1, 4, 5};
    for (size_t k = 0; k < 4; k++)
        for (int p = 0; p < 2; p++)
            check_guard(&systems[chosen[k]], p ? "double" : "single");
    for (int p = 0; p < 2; p++)
        check_leap(&systems[0], p ? "double" : "single");
}

// ---- the stand-in

static enum status stand_in_guard(struct solver *solver, int64_t step, struct gas_finding *found)
{
    const enum status status = gas_backend_openmp.guard(solver, step, &stand_in_found);
    *found = stand_in_found;
    return status;
}

static enum status stand_in_fetch(struct solver *solver)
{
    return STATUS_OK;
}

STAND_IN_SUITE(gas, backend.head.fetch = stand_in_fetch);
