// core/run over a simulation that only begins its work, which another thread does later, as a device would:
// the same records and checkpoints, nothing unsound kept, no failure lost.
#include "tests/support/test.h"

#include "tests/support/fake_run.h"

#include <pthread.h>
#include <time.h>

static struct fake_books expected;

// ---- the simulation

// Another thread does the work, in the order of the calls and some time later, with frames of its own.
enum { ORDERS_MAX = 256, FAR_AHEAD = 6 };

struct order {
    enum { ORDER_STEPS, ORDER_RECORD, ORDER_LOOK, ORDER_SEND, ORDER_QUIT } kind;
    int64_t step, count;
    const struct frame *frame;
    size_t record;
};

struct distant {
    pthread_t thread, caller;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct order orders[ORDERS_MAX];
    int64_t begun, done;                              // orders
    int64_t sent[FAKE_STREAMS][PIPELINE_FRAME_SLOTS]; // number of the order that sends the frame
    double frames[FAKE_STREAMS][PIPELINE_FRAME_SLOTS][FAKE_SERIES_FRAME][2];
    int64_t found;     // step at which something unsound was seen; −1: nothing
    int64_t farthest;  // most orders ever ahead
    int64_t lost_from; // an await from this step on finds the device gone; −1: never
    int finishes;
    bool is_needed;         // the caller's thread waits for work to be done
    bool has_waited_inside; // the caller's thread waited for a frame
};

static struct distant distant;

static void carry_out(const struct order *o)
{
    double *const place = o->frame ? distant.frames[o->frame->stream][o->frame->slot][o->record] : NULL;
    if (o->kind == ORDER_STEPS) {
        (void)fake_advance(&fake, o->step, o->count);
    } else if (o->kind == ORDER_RECORD) {
        fake.is_in_order &= o->step == fake.step;
        place[0] = (double)(1000 * o->frame->stream) + (double)o->step;
        place[1] = fake.state[1];
    } else if (o->kind == ORDER_LOOK && fake.unsound_from >= 0 && o->step >= fake.unsound_from) {
        pthread_mutex_lock(&distant.lock);
        distant.found = distant.found < 0 ? o->step : distant.found;
        pthread_mutex_unlock(&distant.lock);
    } else if (o->kind == ORDER_SEND) {
        nanosleep(&(struct timespec){0, 300000}, NULL);
        memcpy(o->frame->data, distant.frames[o->frame->stream][o->frame->slot],
               (size_t)o->count * 2 * sizeof(double));
    }
}

static void *work_far_away(void *unused)
{
    for (bool is_going = true; is_going;) {
        pthread_mutex_lock(&distant.lock);
        // It begins late: only when the caller is well ahead, or can go no farther.
        while (distant.done == distant.begun || (distant.farthest < FAR_AHEAD && !distant.is_needed))
            pthread_cond_wait(&distant.changed, &distant.lock);
        const struct order order = distant.orders[distant.done % ORDERS_MAX];
        pthread_mutex_unlock(&distant.lock);
        carry_out(&order);
        is_going = order.kind != ORDER_QUIT;
        pthread_mutex_lock(&distant.lock);
        distant.done++;
        pthread_cond_broadcast(&distant.changed);
        pthread_mutex_unlock(&distant.lock);
    }
    return NULL;
}

static int64_t begin_order(struct order order)
{
    pthread_mutex_lock(&distant.lock);
    while (distant.begun - distant.done == ORDERS_MAX) // far enough ahead
        pthread_cond_wait(&distant.changed, &distant.lock);
    distant.orders[distant.begun % ORDERS_MAX] = order;
    const int64_t number = distant.begun++;
    distant.is_needed |= order.kind == ORDER_QUIT;
    if (distant.begun - distant.done > distant.farthest)
        distant.farthest = distant.begun - distant.done;
    pthread_cond_broadcast(&distant.changed);
    pthread_mutex_unlock(&distant.lock);
    return number;
}

static int64_t wait_for_order(int64_t number)
{
    pthread_mutex_lock(&distant.lock);
    distant.is_needed |= pthread_equal(pthread_self(), distant.caller) != 0;
    pthread_cond_broadcast(&distant.changed);
    while (distant.done <= number)
        pthread_cond_wait(&distant.changed, &distant.lock);
    const int64_t found = distant.found;
    pthread_mutex_unlock(&distant.lock);
    return found;
}

static enum status judge(int64_t found)
{
    return found < 0 ? STATUS_OK : FAIL(STATUS_CHECK_FAILED, "unstable by step %lld", (long long)found);
}

static enum status distant_advance(void *context, int64_t first_step, int64_t count)
{
    begin_order((struct order){.kind = ORDER_STEPS, .step = first_step, .count = count});
    return STATUS_OK;
}

static enum status distant_capture(void *context, int64_t step, const struct frame *frame)
{
    begin_order((struct order){.kind = ORDER_RECORD, .step = step, .frame = frame, .record = frame->records});
    return STATUS_OK;
}

static enum status distant_send(void *context, const struct frame *frame)
{
    memset(frame->data, 0xff, frame->records * 2 * sizeof(double)); // what nobody must see
    distant.sent[frame->stream][frame->slot] =
        begin_order((struct order){.kind = ORDER_SEND, .frame = frame, .count = (int64_t)frame->records});
    return STATUS_OK;
}

static enum status distant_await(void *context, const struct frame *frame)
{
    distant.has_waited_inside |= pthread_equal(pthread_self(), distant.caller) != 0;
    const int64_t found = wait_for_order(distant.sent[frame->stream][frame->slot]);
    const double step = fmod(*(const double *)frame->data, 1000);
    if (distant.lost_from >= 0 && step >= (double)distant.lost_from)
        return FAIL(STATUS_SYSTEM, "the device is gone");
    return judge(found);
}

static enum status distant_guard(void *context, int64_t step)
{
    begin_order((struct order){.kind = ORDER_LOOK, .step = step});
    return STATUS_OK;
}

static enum status distant_finish(void *context, int64_t step)
{
    distant.finishes++;
    const int64_t found = wait_for_order(distant.begun - 1);
    fake.is_in_order &= step == fake.step;
    return judge(found);
}

static enum status distant_arrays(void *context, struct checkpoint_array *arrays)
{
    return fake_arrays(&fake, arrays);
}

static const struct simulation distant_simulation = {.context = &distant,
                                                     .advance = distant_advance,
                                                     .capture = distant_capture,
                                                     .send = distant_send,
                                                     .await = distant_await,
                                                     .finish = distant_finish,
                                                     .checkpoint_arrays = distant_arrays,
                                                     .guard = distant_guard};

static void end_distant(void)
{
    begin_order((struct order){.kind = ORDER_QUIT});
    pthread_join(distant.thread, NULL);
}

static enum status run_far_away(const struct run_request *request, int64_t lost_from)
{
    distant = (struct distant){.found = -1, .lost_from = lost_from, .caller = pthread_self()};
    assert_int_equal(pthread_mutex_init(&distant.lock, NULL), 0);
    assert_int_equal(pthread_cond_init(&distant.changed, NULL), 0);
    assert_int_equal(pthread_create(&distant.thread, NULL, work_far_away, NULL), 0);
    fake_before_release = end_distant;
    const enum status status = fake_run_as(request, &distant_simulation);
    fake_before_release = NULL;
    pthread_cond_destroy(&distant.changed);
    pthread_mutex_destroy(&distant.lock);
    assert_false(distant.has_waited_inside);
    return status;
}

// ---- tests

TEST_SUITE(.setup = fake_begin, .limit_s = 120);

// The same records, times and checkpoints as of a simulation that does its work at once; and it did run
// ahead.
TEST(test_work_that_is_only_begun_gives_the_same_run)
{
    struct run_request request = fake_request();
    request.checkpoint_every_steps = 120;
    fake_run_well(&request);
    expected = fake_books;
    fake_begin(cmocka_state);
    assert_int_equal(run_far_away(&request, -1), STATUS_OK);
    assert_int_equal(fake_stopped, STATUS_OK);
    assert_true(fake_result.is_complete && fake.is_in_order);
    assert_int_equal(fake.step, request.steps);
    assert_true(distant.farthest >= FAR_AHEAD);
    assert_int_equal(distant.finishes, 5); // four checkpoints and the end
    assert_int_equal(fake_books.saved_count, expected.saved_count);
    for (int k = 0; k < fake_books.saved_count; k++)
        assert_memory_equal(fake_books.saved[k].state, expected.saved[k].state,
                            sizeof fake_books.saved[k].state);
    assert_int_equal(fake_books.count, expected.count);
    for (int s = 0; s < FAKE_STREAMS; s++) { // frames of different streams may overtake each other
        int at = 0;
        for (int k = 0; k < fake_books.count; k++) {
            if (fake_books.seen[k].stream != s)
                continue;
            while (expected.seen[at].stream != s)
                at++;
            assert_memory_equal(&fake_books.seen[k], &expected.seen[at], sizeof fake_books.seen[k]);
            at++;
        }
    }
}

// What a look finds comes back later than it was begun, but before a checkpoint of it, and before a map of
// it is written.
TEST(test_unsound_work_is_found_in_time)
{
    struct run_request request = fake_request();
    request.checkpoint_every_steps = 40;
    fake.unsound_from = 115;
    const enum status status = run_far_away(&request, -1);
    assert_true(status == STATUS_CHECK_FAILED && !fake_result.is_complete);
    assert_true(fake_stopped == STATUS_OK || fake_stopped == STATUS_CHECK_FAILED);
    assert_string_equal(status_message(), "unstable by step 120");
    assert_int_equal(fake_books.saved_count, 2);
    assert_int_equal(fake_books.saved[1].header.step, 80);
    for (int k = 0; k < fake_books.count; k++)
        assert_true(fake_books.seen[k].stream != FAKE_FIELDS || fake_books.seen[k].step < 115);
}

TEST(test_unsound_work_at_the_very_end_is_found)
{
    struct run_request request = fake_request();
    request.stream_count = 0; // no frame tells it
    fake.unsound_from = request.steps;
    assert_int_equal(run_far_away(&request, -1), STATUS_CHECK_FAILED);
    assert_false(fake_result.is_complete);
    assert_string_equal(status_message(), "unstable by step 500");
}

TEST(test_a_signal_saves_what_was_begun)
{
    const struct run_request request = fake_request();
    fake.raise_at = 70; // by the other thread, whenever it gets there
    const enum status status = run_far_away(&request, -1);
    if (status == STATUS_OK) // it had begun all steps by then
        return;
    assert_int_equal(status, STATUS_STOPPED);
    assert_int_equal(fake_books.saved_count, 1);
    assert_int_equal(fake_books.saved[0].header.step, fake.step);
    assert_memory_equal(fake_books.saved[0].state, fake.state, sizeof fake.state);
}

// The failure of an await is the run's, and the checkpoint before it stays the last.
TEST(test_a_lost_device_ends_the_run)
{
    struct run_request request = fake_request();
    request.checkpoint_every_steps = 100;
    const enum status status = run_far_away(&request, 240);
    assert_true(status == STATUS_SYSTEM || fake_stopped == STATUS_SYSTEM);
    assert_string_equal(status_message(), "the device is gone");
    assert_in_range(fake_books.saved_count, 1, 2);
    for (int k = 0; k < fake_books.count; k++)
        assert_true(fmod(fake_books.seen[k].step, 1000) <
                    240 + FAKE_SERIES_FRAME * 4); // a frame from before 240 may reach beyond
}
