// A back end of the Ising model that measures where its spins lie, and whose measurements come late, gives
// the files that the host's way gives, bit for bit: series in frames of many records, results, correlations,
// spins; each method, one replica and many, temperatures of which each has its own start. And the check
// against the reference names the first spin that differs.
//
// With the argument "cuda" on the GPU; without it on a stand-in that has measurements of its own beside the
// processor's solver and makes them late: then it is the model's part that is tested.
#include "tests/support/test.h"

#include "cli/commands.h"
#include "io/netcdf/netcdf.h"
#include "models/ising/instance.h"
#include "models/ising/ising.h"
#include "tests/cli/in_process.h"
#include "tests/support/cuda_test.h"
#include "tests/support/ising_job.h"
#include "tests/support/model_run.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

static const struct ising_backend *apart; // the back end under test

struct setting {
    const char *method, *lattice, *order;
    int every;
};

static const struct setting settings[] = {
    {"metropolis", "{'columns': 24, 'rows': 16}", "temper", 2},
    {"heat-bath", "{'columns': 12, 'rows': 10, 'replicas': 3, 'boundary': 'helical'}", "independent", 1},
    {"metropolis", "{'columns': 4, 'replicas': 1000}", "independent", 1}, // two frames at each temperature
    {"wolff", "{'columns': 16, 'rows': 16, 'replicas': 2}", "temper", 4},
    {"metropolis-integer", "{'columns': 20, 'rows': 10, 'replicas': 2}", "temper", 1},
    {"swendsen-wang", "{'columns': 16, 'rows': 12, 'replicas': 2}", "independent", 1}};

static void run_on(const char *backend, const struct setting *setting, const char *series)
{
    cJSON *job = ising_job();
    cli_set_text(job, "backend", "%s", backend);
    cli_set_text(job, "method.name", "%s", setting->method);
    cli_set(job, "lattice", setting->lattice);
    cli_set_text(job, "temperatures.order", "%s", setting->order);
    const char *text = format_text("{'count': 200, 'every': %d}", setting->every);
    cli_set(job, "sweeps", text);
    cli_set(job, "analysis.reweighting", "{'points': 5}");
    cli_set(job, "output.series", series);
    cli_set(job, "output.configurations", "{'every': 40}");
    cli_set(job, "output.correlations", "{'every': 20, 'distances': [1, 2]}");
    cli_set(job, "check", "{'reference_steps': 3}");
    cli_set_text(job, "output.directory", "%s", cli_path(backend));
    cli_write_job(job, "job.json");
    const struct cli_result *result = run_in_process(command_run, "run -q %s", cli_path("job.json"));
    if (result->exit_code != 0)
        fail_msg("%s, %s: %s", backend, setting->method, result->error);
}

TEST(every_file_has_the_hosts_bits)
{
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const char *series = k % 2 == 0 ? "true" : "false"; // not wanted: measured all the same
        run_on(apart->head.name, &settings[k], series);
        run_on("reference", &settings[k], series);
        cli_assert_same_results(apart->head.name, "reference");
        cli_remove(apart->head.name);
        cli_remove("reference");
    }
}

// ---- the check

// Turns one spin of the run between a check's begin and its end, at this column and row of replica 1.
static void plant(struct ising *g, int column, int row)
{
    const struct ising_lattice *l = &g->params.physics.lattice;
    const int64_t words = ising_row_words(l->columns), k = column / 2;
    const int64_t line = (2 + column % 2) * l->rows + row;
    assert_ok(instance_fetch(&g->base));
    g->backend->words(g->base.solver)[line * words + k % words] ^= (uint32_t)1 << (k / words);
    assert_ok(solver_touch(&g->backend->head, g->base.solver, true));
}

static void expect_found(bool is_planted)
{
    struct model_run run;
    cJSON *job = ising_job();
    cli_set_text(job, "backend", "%s", apart->head.name);
    cli_set(job, "lattice.replicas", "2");
    cli_set(job, "check", "{'reference_steps': 1}");
    cli_write_job(job, "job.json");
    model_run_create(&run, &ising_model);
    model_run_start(&run);
    struct ising *g = run.instance;
    // Over the end of the first temperature.
    assert_ok(run.simulation.advance(g, 0, ISING_JOB_SWEEPS - 1));
    assert_ok(run.simulation.check_begin(g, ISING_JOB_SWEEPS - 1));
    assert_ok(run.simulation.advance(g, ISING_JOB_SWEEPS - 1, 2));
    if (is_planted)
        plant(g, 7, 5);
    assert_ok(run.simulation.check_end(g, ISING_JOB_SWEEPS + 1));
    const enum status verdict = model_check(g);
    assert_int_equal(verdict, is_planted ? STATUS_CHECK_FAILED : STATUS_OK);
    if (is_planted && (!strstr(status_message(), "after sweep 401 (repeated from sweep 399)") ||
                       !strstr(status_message(), "replica 1, column 7, row 5 ") ||
                       !strstr(status_message(), "1 spins differed of 192")))
        fail_msg("%s", status_message());
    status_clear();
    model_run_destroy(&run);
}

TEST(the_check_names_the_spin)
{
    expect_found(false);
    expect_found(true);
}

// ---- the stand-in

static struct ising_backend stand_in;

static size_t replicas; // of the solver that was planned last

static enum status stand_in_plan(const struct ising_setup *setup, struct memory_plan *plan,
                                 const char *prefix, struct solver **solver)
{
    replicas = (size_t)setup->physics->lattice.replicas;
    return ising_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status stand_in_plan_results(struct solver *solver, const struct ising_wanted *wanted,
                                         struct memory_plan *plan, const char *prefix)
{
    late_frames_forget();
    late_frames_make(0, wanted->slots, wanted->frame_records, replicas * sizeof(struct ising_measure));
    return STATUS_OK;
}

static enum status stand_in_capture(struct solver *solver, int slot, size_t record)
{
    return ising_backend_openmp.measure(solver, (struct ising_measure *)late_frames_record(0, slot, record));
}

static enum status stand_in_send(struct solver *solver, int result, int slot, size_t records, void *to)
{
    late_frames_send(result, slot, records, to);
    return STATUS_OK;
}

static enum status stand_in_await(struct solver *solver, int slot)
{
    late_frames_await(0, slot);
    return STATUS_OK;
}

static enum status stand_in_fetch(struct solver *solver)
{
    return STATUS_OK;
}

static const struct ising_backend *register_stand_in(void)
{
    stand_in = ising_backend_openmp;
    stand_in.head.name = "stand-in";
    stand_in.head.rank = -1;
    stand_in.plan = stand_in_plan;
    stand_in.plan_results = stand_in_plan_results;
    stand_in.capture = stand_in_capture;
    stand_in.head.send = stand_in_send;
    stand_in.await = stand_in_await;
    stand_in.head.fetch = stand_in_fetch;
    stand_in.finish = stand_in_fetch;
    backend_register(&ising_backends, &stand_in.head);
    return &stand_in;
}

static int begin(int argc, char **argv)
{
    const int code = cuda_begin(argc, argv);
    netcdf_prepare_thread(); // which reads the files that the runs here have written
    if (code == 0)
        apart = wants_cuda(argc, argv) ? (const struct ising_backend *)backend_find(&ising_backends, "cuda")
                                       : register_stand_in();
    return code != 0 || apart ? code : EXIT_FAILURE;
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin, .end = late_frames_forget);
