// The journal of a batch: from whatever of it has reached the disk the right state comes back.
#include "batch/journal.h"
#include "batch/journal_file.h"
#include "core/clock.h"
#include "core/log.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"
#include "tests/support/test_clock.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { RUNS = 6, EVENTS_MAX = 400 };

static struct batch_job jobs[RUNS];
static struct batch_queue queue;
static struct batch_run runs[RUNS];

static void make_queue(void)
{
    // Not in the order of their names.
    static const char *const names[RUNS] = {"zeta", "alpha-0001", "alpha-0002", "b", "a", "omega"};
    memset(jobs, 0, sizeof jobs);
    for (size_t k = 0; k < RUNS; k++) {
        snprintf(jobs[k].name, sizeof jobs[k].name, "%s", names[k]);
        jobs[k].hash = 0x123456789abcdef0u + k;
    }
    queue = (struct batch_queue){.path = "queue.json", .title = "", .jobs = jobs, .count = RUNS};
    queue.limits.host_bytes = queue.limits.device_bytes = SIZE_MAX;
    snprintf(queue.directory, sizeof queue.directory, "%s", folder_root());
}

static struct batch new_batch(void)
{
    for (size_t k = 0; k < RUNS; k++)
        runs[k] = (struct batch_run){.device = -1, .fraction = NAN, .remaining_s = NAN};
    return (struct batch){.queue = &queue, .runs = runs, .started_s = clock_now_s(), .only = SIZE_MAX};
}

static void make_results(size_t run)
{
    (void)mkdir(folder_path("%s", jobs[run].name), 0777);
    folder_write_text(format_text("%.*s/run.json", BATCH_NAME_MAX, jobs[run].name), "{}");
}

static enum status open_journal(struct batch *batch, enum batch_mode begin, bool retries_failures)
{
    *batch = new_batch();
    status_clear();
    return batch_journal_open(batch, begin, retries_failures);
}

static void close_journal(struct batch *batch)
{
    assert_int_equal(batch_journal_close(batch), STATUS_OK);
    assert_null(batch->journal);
}

static void start(struct batch *batch, size_t run)
{
    batch->runs[run].attempts++;
    batch->runs[run].state = BATCH_RUNNING;
    batch->runs[run].cores = 2;
    assert_int_equal(batch_journal_started(batch, run), STATUS_OK);
}

static void end(struct batch *batch, size_t run, enum batch_state state, enum batch_cause cause,
                const char *message)
{
    struct batch_run *r = &batch->runs[run];
    r->state = state;
    r->cause = cause;
    r->attempt_s = 1.5;
    r->total_s += 1.5;
    r->exit_code = cause == BATCH_CAUSE_EXIT && state != BATCH_PASSED ? 65 : 0;
    r->signal = cause == BATCH_CAUSE_SIGNAL ? 11 : 0;
    snprintf(r->message, sizeof r->message, "%s", message);
    assert_int_equal(batch_journal_ended(batch, run), STATUS_OK);
}

static off_t journal_bytes(void)
{
    struct stat about;
    assert_int_equal(stat(folder_path("journal.jsonl"), &about), 0);
    return about.st_size;
}

static void clear(void)
{
    folder_clear();
    make_queue();
}

// ---- any prefix of the bytes

// What is known when the journal has so many bytes.
struct moment {
    off_t bytes;
    struct batch_run runs[RUNS];
};

static struct moment moments[EVENTS_MAX];
static size_t moment_count;

static void note_moment(const struct batch *batch)
{
    assert_true(moment_count < EVENTS_MAX);
    moments[moment_count].bytes = journal_bytes();
    memcpy(moments[moment_count++].runs, batch->runs, sizeof runs);
}

static uint32_t random_number(uint32_t below)
{
    static uint64_t state = 20261122;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

// One event of one run, whatever may come next for it.
static void random_event(struct batch *batch)
{
    static const struct {
        enum batch_state state;
        enum batch_cause cause;
    } ends[] = {{BATCH_PASSED, BATCH_CAUSE_EXIT},    {BATCH_FAILED, BATCH_CAUSE_EXIT},
                {BATCH_WAITING, BATCH_CAUSE_SIGNAL}, {BATCH_WAITING, BATCH_CAUSE_TIMEOUT},
                {BATCH_STOPPED, BATCH_CAUSE_STOP},   {BATCH_FAILED, BATCH_CAUSE_SIGNAL}};
    const size_t run = random_number(RUNS), how = random_number(COUNT(ends));
    const enum batch_state state = batch->runs[run].state;
    if (state == BATCH_RUNNING)
        end(batch, run, ends[how].state, ends[how].cause,
            ends[how].state == BATCH_FAILED ? "it \"failed\"\n" : "");
    else if (state == BATCH_WAITING || state == BATCH_STOPPED) {
        batch->runs[run].has_leftover = true;
        start(batch, run);
    } else
        return;
    note_moment(batch);
}

static void assert_told(const struct batch_run *told, const struct batch_run *was)
{
    assert_int_equal(told->attempts, was->attempts);
    if (was->state == BATCH_RUNNING) {
        assert_int_equal(told->state, BATCH_STOPPED);
        assert_true(told->has_leftover);
        return;
    }
    assert_int_equal(told->state, was->state);
    assert_int_equal(told->has_leftover, was->attempts > 0 && was->state != BATCH_PASSED);
    assert_int_equal(told->cause, was->cause);
    assert_int_equal(told->exit_code, was->exit_code);
    assert_int_equal(told->signal, was->signal);
    assert_string_equal(told->message, was->message);
    assert_float_equal(told->total_s, was->total_s, 1e-9);
}

static void assert_to_do(const struct batch_run *run, const struct batch_run *was)
{
    assert_int_equal(run->attempts, was->attempts);
    if (was->state == BATCH_PASSED || was->state == BATCH_FAILED) {
        assert_told(run, was);
        return;
    }
    assert_int_equal(run->state, BATCH_WAITING);
    assert_int_equal(run->cause, BATCH_CAUSE_NONE);
    assert_int_equal(run->has_leftover, was->attempts > 0);
    assert_string_equal(run->message, "");
}

TEST(test_every_prefix_restores_what_was_known)
{
    clear();
    struct batch batch;
    assert_int_equal(open_journal(&batch, BATCH_NEW, false), STATUS_OK);
    for (size_t k = 0; k < RUNS; k++)
        make_results(k);
    moment_count = 0;
    note_moment(&batch);
    for (int k = 0; k < 45; k++)
        random_event(&batch);
    close_journal(&batch);
    assert_true(moment_count > 12);

    size_t length, now = 0;
    char *bytes = folder_read("journal.jsonl", &length);
    for (off_t cut = moments[0].bytes; cut <= (off_t)length; cut++) {
        while (now + 1 < moment_count && moments[now + 1].bytes <= cut)
            now++;
        folder_write("journal.jsonl", bytes, (size_t)cut);
        batch = new_batch();
        assert_int_equal(batch_journal_read(&batch), STATUS_OK);
        for (size_t k = 0; k < RUNS; k++)
            assert_told(&batch.runs[k], &moments[now].runs[k]);
        if (cut != moments[now].bytes && cut % 397 != 0) // a resume writes, and that takes its time
            continue;
        assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
        assert_true(batch.is_resumed);
        for (size_t k = 0; k < RUNS; k++)
            assert_to_do(&batch.runs[k], &moments[now].runs[k]);
        close_journal(&batch);
    }
}

// ---- what changed since

static void make_history(void)
{
    struct batch batch;
    clear();
    assert_int_equal(open_journal(&batch, BATCH_NEW, false), STATUS_OK);
    for (size_t k = 0; k < 3; k++) {
        start(&batch, k);
        make_results(k);
        end(&batch, k, BATCH_PASSED, BATCH_CAUSE_EXIT, "");
    }
    start(&batch, 3);
    end(&batch, 3, BATCH_FAILED, BATCH_CAUSE_EXIT, "no such file");
    start(&batch, 4);
    close_journal(&batch);
}

TEST(test_deleted_results_are_computed_again)
{
    struct batch batch;
    make_history();
    folder_delete("alpha-0001/run.json");
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    assert_int_equal(runs[0].state, BATCH_PASSED);
    assert_int_equal(runs[1].state, BATCH_WAITING);
    assert_false(runs[1].has_leftover);
    assert_int_equal(runs[2].state, BATCH_PASSED);
    assert_int_equal(runs[3].state, BATCH_FAILED);
    assert_string_equal(runs[3].message, "no such file");
    assert_int_equal(runs[4].state, BATCH_WAITING);
    assert_true(runs[4].has_leftover);
    assert_int_equal(runs[5].state, BATCH_WAITING);
    assert_false(runs[5].has_leftover);
    close_journal(&batch);
    // A folder in run.json's place is no result.
    assert_int_equal(mkdir(folder_path("alpha-0001/run.json"), 0777), 0);
    assert_int_equal(open_journal(&batch, BATCH_RESUME, true), STATUS_OK);
    assert_int_equal(runs[1].state, BATCH_WAITING);
    assert_int_equal(runs[3].state, BATCH_WAITING); // its failure is tried again
    assert_int_equal(runs[3].retries_used, 0);
    assert_int_equal(runs[3].attempts, 1);
    close_journal(&batch);
}

TEST(test_another_job_under_the_name_starts_afresh)
{
    struct batch batch;
    make_history();
    jobs[0].hash++; // passed
    jobs[3].hash++; // failed
    jobs[4].hash++; // begun
    snprintf(jobs[2].name, sizeof jobs[2].name, "renamed");
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    for (size_t k = 0; k < RUNS; k++) {
        assert_int_equal(runs[k].state, k == 1 ? BATCH_PASSED : BATCH_WAITING);
        assert_false(runs[k].has_leftover);
        assert_int_equal(runs[k].attempts, k == 1);
    }
    // The other job is started, then the queue is restored: the folder holds files of the other job.
    start(&batch, 0);
    close_journal(&batch);
    jobs[0].hash--;
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    assert_int_equal(runs[0].state, BATCH_WAITING);
    assert_false(runs[0].has_leftover);
    close_journal(&batch);
}

TEST(test_beginning)
{
    struct batch batch;
    clear();
    batch = new_batch();
    status_clear();
    assert_int_equal(batch_journal_read(&batch), STATUS_NO_INPUT);
    make_history();
    // Neither resume nor restart: what is there is reported, and left alone.
    const off_t before = journal_bytes();
    assert_failure(open_journal(&batch, BATCH_NEW, false), STATUS_CANNOT_CREATE, "3 of 6 passed, 1 failed",
                   "--resume");
    assert_int_equal(journal_bytes(), before);
    // A damaged one, too.
    char *bytes = folder_read("journal.jsonl", NULL);
    bytes[40] ^= 1;
    folder_write("journal.jsonl", bytes, (size_t)before);
    assert_failure(open_journal(&batch, BATCH_RESUME, false), STATUS_DATA, "line 1 ");
    assert_int_equal(open_journal(&batch, BATCH_NEW, false), STATUS_CANNOT_CREATE);
    assert_int_equal(journal_bytes(), before);
    // Restarted: nothing of before is known.
    assert_int_equal(open_journal(&batch, BATCH_RESTART, false), STATUS_OK);
    close_journal(&batch);
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    for (size_t k = 0; k < RUNS; k++)
        assert_int_equal(runs[k].state, BATCH_WAITING);
    close_journal(&batch);
}

// A batch that was killed before it had a journal, or as its journal had no line, begins; results without a
// journal are left alone.
TEST(test_resume_without_a_journal)
{
    static const char *const remains[] = {"_logs", "omega", "index.html"};
    struct batch batch;
    clear();
    folder_write_text("notes.txt", "somebody's, and of no batch");
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    assert_false(batch.is_resumed);
    close_journal(&batch);
    assert_int_equal(open_journal(&batch, BATCH_NEW, false), STATUS_CANNOT_CREATE); // now there is one
    folder_write_text("journal.jsonl", "");
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    for (size_t k = 0; k < RUNS; k++)
        assert_true(runs[k].state == BATCH_WAITING && !runs[k].has_leftover && runs[k].attempts == 0);
    assert_true(batch.started_at[0] != '\0');
    close_journal(&batch);
    for (size_t k = 0; k < COUNT(remains); k++) {
        clear();
        assert_int_equal(mkdir(folder_path("%s", remains[k]), 0777), 0);
        assert_failure(open_journal(&batch, BATCH_RESUME, false), STATUS_NO_INPUT, remains[k], "no journal");
        assert_false(folder_has("journal.jsonl"));
    }
}

// ---- array elements

TEST(test_elements_have_journals_of_their_own)
{
    struct batch batch;
    clear();
    for (size_t element = 0; element < 3; element++) {
        batch = new_batch();
        batch.only = element;
        status_clear();
        assert_int_equal(batch_journal_open(&batch, BATCH_NEW, false), STATUS_OK);
        assert_false(batch.is_resumed);
        start(&batch, element);
        make_results(element);
        end(&batch, element, element == 1 ? BATCH_STOPPED : BATCH_PASSED, BATCH_CAUSE_EXIT, "");
        close_journal(&batch);
    }
    assert_true(folder_has("journal-1.jsonl") && folder_has("journal-3.jsonl") &&
                !folder_has("journal.jsonl"));
    // All of them, for the summary.
    batch = new_batch();
    assert_int_equal(batch_journal_read(&batch), STATUS_OK);
    const enum batch_state expected[RUNS] = {BATCH_PASSED,  BATCH_STOPPED, BATCH_PASSED,
                                             BATCH_WAITING, BATCH_WAITING, BATCH_WAITING};
    for (size_t k = 0; k < RUNS; k++)
        assert_int_equal(runs[k].state, expected[k]);
    assert_true(batch.started_at[0] != '\0');
    // The element that was stopped continues without an option.
    batch = new_batch();
    batch.only = 1;
    assert_int_equal(batch_journal_open(&batch, BATCH_NEW, false), STATUS_OK);
    assert_true(batch.is_resumed);
    assert_int_equal(runs[1].state, BATCH_WAITING);
    assert_true(runs[1].has_leftover);
    close_journal(&batch);
    // The whole batch continues from what the elements did; a later entry of its journal counts more than
    // theirs.
    assert_int_equal(open_journal(&batch, BATCH_NEW, false), STATUS_CANNOT_CREATE);
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    assert_int_equal(runs[0].state, BATCH_PASSED);
    assert_int_equal(runs[1].state, BATCH_WAITING);
    start(&batch, 1);
    end(&batch, 1, BATCH_FAILED, BATCH_CAUSE_EXIT, "later");
    close_journal(&batch);
    batch = new_batch();
    assert_int_equal(batch_journal_read(&batch), STATUS_OK);
    assert_int_equal(runs[1].state, BATCH_FAILED);
    assert_int_equal(runs[2].state, BATCH_PASSED);
    // Begun again as a whole: the elements' journals are gone.
    assert_int_equal(open_journal(&batch, BATCH_RESTART, false), STATUS_OK);
    close_journal(&batch);
    assert_false(folder_has("journal-1.jsonl"));
}

TEST(test_time_of_earlier_parts_adds_up)
{
    struct batch batch;
    clear();
    assert_int_equal(open_journal(&batch, BATCH_NEW, false), STATUS_OK);
    batch.started_s -= 100;
    start(&batch, 0); // and killed
    journal_file_close(batch.journal);
    char first[32];
    memcpy(first, batch.started_at, sizeof first);
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    assert_in_range((uint64_t)batch.earlier_s, 100, 101);
    assert_string_equal(batch.started_at, first);
    batch.started_s -= 50;
    close_journal(&batch);
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    assert_in_range((uint64_t)batch.earlier_s, 150, 151);
    close_journal(&batch);
}

static void write_alive(struct batch *batch, double elapsed_s)
{
    const double started_s = batch->started_s;
    batch->started_s = clock_now_s() - elapsed_s;
    assert_int_equal(batch_journal_alive(batch), STATUS_OK);
    batch->started_s = started_s;
}

// The journal's times are the clock's, which stands still here but for what is added.
static void assert_about(double value, double expected)
{
    if (!(fabs(value - expected) < 3)) // an attempt of 1.5 s among them
        fail_msg("%g s, expected about %g s", value, expected);
}

// What an attempt took that was cut off with its batch is known up to the last line.
TEST(test_time_of_killed_attempts_counts)
{
    struct batch batch;
    clear();
    assert_int_equal(open_journal(&batch, BATCH_NEW, false), STATUS_OK);
    batch.started_s -= 10000;
    start(&batch, 0);
    start(&batch, 1);
    start(&batch, 2);
    end(&batch, 2, BATCH_STOPPED, BATCH_CAUSE_STOP, "");
    write_alive(&batch, 16000);
    journal_file_close(batch.journal);
    assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
    assert_about(runs[0].total_s, 6000);
    assert_about(runs[1].total_s, 6000);
    assert_float_equal(runs[2].total_s, 1.5, 1e-9);
    assert_true(runs[3].total_s == 0);
    start(&batch, 0);
    end(&batch, 0, BATCH_WAITING, BATCH_CAUSE_SIGNAL, "");
    start(&batch, 0);
    start(&batch, 1);
    write_alive(&batch, 3000);
    journal_file_close(batch.journal);
    for (int times = 0; times < 2; times++) { // a part without attempts adds nothing
        assert_int_equal(open_journal(&batch, BATCH_RESUME, false), STATUS_OK);
        assert_about(runs[0].total_s, 6000 + 3000);
        assert_about(runs[1].total_s, 6000 + 3000);
        batch.started_s -= 1e5;
        close_journal(&batch);
    }
    // For the summary from outside, too; another job's time is not this one's.
    jobs[1].hash++;
    batch = new_batch();
    assert_int_equal(batch_journal_read(&batch), STATUS_OK);
    assert_about(runs[0].total_s, 6000 + 3000);
    assert_true(runs[1].total_s == 0);
}

static int setup(void **state)
{
    const struct log_options quiet = {.terminal_level = LOG_QUIET};
    return log_open(&quiet) == STATUS_OK ? folder_make(state) : -1;
}

TEST_SUITE(.group_setup = setup, .group_teardown = folder_remove);
