// batch/disk: what a run is expected to need follows from its plan and from the files of runs that passed.
#include "tests/support/test.h"

#include "batch/disk.h"
#include "tests/support/folder.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 4, ENTRIES = 2 };

struct setting {
    struct batch_job jobs[RUNS];
    struct batch_run runs[RUNS];
    struct batch_queue queue;
    struct batch batch;
    double shares[ENTRIES];
    struct batch_scheduler scheduler;
};

// Four runs of two entries; each plans 1000 bytes, of which 800 for results.
static void make(struct setting *s)
{
    memset(s, 0, sizeof *s);
    for (int k = 0; k < RUNS; k++) {
        (void)snprintf(s->jobs[k].name, sizeof s->jobs[k].name, "run-%d", k);
        s->jobs[k].entry = k < 3 ? 0 : 1;
        s->runs[k].needs = (struct batch_needs){.disk_bytes = 1000, .results_bytes = 800};
    }
    (void)snprintf(s->queue.directory, sizeof s->queue.directory, "%s", folder_root());
    s->queue.jobs = s->jobs;
    s->queue.count = RUNS;
    s->batch.queue = &s->queue;
    s->batch.runs = s->runs;
    s->scheduler = (struct batch_scheduler){.batch = &s->batch, .disk_shares = s->shares};
}

TEST(test_the_plan_holds_until_a_run_of_the_entry_has_passed)
{
    static struct setting s;
    static const char text[40] = "forty bytes of a compressed file";
    make(&s);
    for (size_t k = 0; k < RUNS; k++)
        assert_true(batch_disk_expected(&s.scheduler, k, 1e6) == 1000);
    folder_shell("mkdir %s %s", folder_path("run-0"), folder_path("run-0/sub"));
    folder_write("run-0/fields.nc", text, 30);
    folder_write("run-0/run.json", text, 10);
    batch_disk_learn(&s.scheduler, 0);
    // 40 of the 400 bytes that the plan has for files that are joined: a tenth, and half as much again.
    for (size_t k = 0; k < 3; k++)
        assert_float_equal(batch_disk_expected(&s.scheduler, k, 1e6), 200 + 0.15 * 800, 1e-9);
    assert_true(batch_disk_expected(&s.scheduler, 3, 1e6) == 1000);
}

TEST(test_the_largest_counts_and_never_more_than_the_plan)
{
    static struct setting s;
    static const char bytes[700];
    make(&s);
    folder_shell("mkdir %s %s", folder_path("run-0"), folder_path("run-1"));
    folder_write("run-0/fields.nc", bytes, 100);
    folder_write("run-1/fields.nc", bytes, 20);
    batch_disk_learn(&s.scheduler, 0);
    batch_disk_learn(&s.scheduler, 1);
    assert_float_equal(batch_disk_expected(&s.scheduler, 2, 1e6), 200 + 0.375 * 800, 1e-9);
    folder_write("run-1/fields.nc", bytes, 700);
    batch_disk_learn(&s.scheduler, 1);
    assert_true(batch_disk_expected(&s.scheduler, 2, 1e6) == 1000);
}

// A run looks for the space of its whole plan before it starts: with less the batch must not start it.
TEST(test_where_the_plan_does_not_fit_it_holds)
{
    static struct setting s;
    make(&s);
    folder_shell("mkdir %s", folder_path("run-0"));
    folder_write("run-0/fields.nc", "x", 1);
    batch_disk_learn(&s.scheduler, 0);
    assert_true(batch_disk_expected(&s.scheduler, 1, 1000) < 300);
    assert_true(batch_disk_expected(&s.scheduler, 1, 999) == 1000);
}

TEST(test_a_folder_that_cannot_be_read_and_a_plan_without_results_teach_nothing)
{
    static struct setting s;
    make(&s);
    batch_disk_learn(&s.scheduler, 0);
    assert_true(batch_disk_expected(&s.scheduler, 1, 1e6) == 1000);
    folder_shell("mkdir %s", folder_path("run-0"));
    s.runs[0].needs.results_bytes = 0;
    batch_disk_learn(&s.scheduler, 0);
    assert_true(batch_disk_expected(&s.scheduler, 1, 1e6) == 1000);
}

TEST_MAIN(folder_make, folder_remove)
