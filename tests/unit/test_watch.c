// What a run watches in its records: numbers that are none, and limits of what the physics keeps, in one part
// and resumed.
#include "tests/support/test.h"

#include "core/log.h"
#include "core/watch.h"
#include "tests/support/statuses.h"

enum { WIDTH = 40, HEIGHT = 30 };

static const double rows[HEIGHT] = {[7] = 33.5};
static const struct stream fields = {
    .name = "fields",
    .has_records = true,
    .element = ELEMENT_F32,
    .records_per_frame = 2,
    .axis_count = 2,
    .axes = {{.name = "lat", .length = HEIGHT, .values = rows}, {.name = "lon", .length = WIDTH}},
    .variable_count = 2,
    .variables = {{.name = "eta", .rank = 2, .axes = {0, 1}},
                  {.name = "dry", .rank = 2, .axes = {0, 1}, .has_missing = true}}};
static const struct stream diagnostics = {.name = "diagnostics",
                                          .has_records = true,
                                          .element = ELEMENT_F64,
                                          .records_per_frame = 4,
                                          .axis_count = 1,
                                          .axes = {{.name = "spatial", .length = 3}},
                                          .variable_count = 3,
                                          .variables = {{.name = "momentum", .rank = 1},
                                                        {.name = "kinetic"},
                                                        {.name = "potential", .has_missing = true}}};
static const struct stream raw = {.name = "raw",
                                  .has_records = true,
                                  .is_internal = true,
                                  .element = ELEMENT_F64,
                                  .records_per_frame = 1,
                                  .variable_count = 1,
                                  .variables = {{.name = "bits"}}};
static const struct stream last = {.name = "last",
                                   .element = ELEMENT_F64,
                                   .records_per_frame = 1,
                                   .variable_count = 1,
                                   .variables = {{.name = "end"}}};
static const struct stream dose = {.name = "dose",
                                   .may_be_infinite = true,
                                   .element = ELEMENT_F32,
                                   .records_per_frame = 1,
                                   .axis_count = 1,
                                   .axes = {{.name = "x", .length = 2}},
                                   .variable_count = 1,
                                   .variables = {{.name = "cem43", .rank = 1}}};
enum { FIELDS, DIAGNOSTICS, RAW, LAST, DOSE, STREAMS };
static const struct stream *const streams[STREAMS] = {&fields, &diagnostics, &raw, &last, &dose};

// ---- a sink that counts

static struct {
    int writes, finished, abandoned;
    struct watch_memory saved;
} kept;

static enum status keep_write(void *context, const struct frame *frame)
{
    kept.writes++;
    return STATUS_OK;
}

static enum status keep_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int count)
{
    assert_int_equal(arrays[count - 1].bytes, sizeof kept.saved);
    memcpy(&kept.saved, arrays[count - 1].data, sizeof kept.saved);
    return STATUS_OK;
}

static enum status keep_finish(void *context)
{
    kept.finished++;
    return STATUS_OK;
}

static void keep_abandon(void *context)
{
    kept.abandoned++;
}

static const struct sink keeper = {NULL, keep_write, keep_checkpoint, keep_finish, keep_abandon};

static struct watch watch;

static struct sink begin(const struct watch_limit *limits, int count)
{
    memset(&kept, 0, sizeof kept);
    status_clear();
    assert_ok(watch_begin(&watch, streams, STREAMS, NULL, limits, count));
    return watch_sink(&watch, keeper);
}

// ---- numbers

static enum status write_fields(const struct sink *sink, int variable, size_t record, size_t index,
                                float value)
{
    static float data[2][2][HEIGHT * WIDTH];
    double times_s[2] = {10, 20};
    const struct frame frame = {.stream = FIELDS, .records = 2, .times_s = times_s, .data = data};
    memset(data, 0, sizeof data);
    data[record][variable][index] = value;
    return sink->write(sink->context, &frame);
}

static void assert_message(const char *fragment)
{
    if (!strstr(status_message(), fragment))
        fail_msg("\"%s\" is not in \"%s\"", fragment, status_message());
}

// Wherever it stands, and with its place and time; missing values may be NaN, not infinite.
TEST(test_numbers_of_single_precision)
{
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    const struct sink sink = begin(NULL, 0);
    assert_ok(write_fields(&sink, 0, 0, 0, 3.4e38f));
    assert_ok(write_fields(&sink, 1, 1, 5, NAN));
    assert_int_equal(kept.writes, 2);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        for (size_t index = 0; index < HEIGHT * WIDTH; index += 7)
            assert_failure(write_fields(&sink, 0, k % 2, index, bad[k]), STATUS_DATA, "");
    assert_failure(write_fields(&sink, 0, 1, 7 * WIDTH + 11, NAN), STATUS_DATA,
                   "fields: eta at lat 7 (33.5), lon 11 became non-finite (nan) at time 20 s");
    assert_failure(write_fields(&sink, 1, 0, 1, -INFINITY), STATUS_DATA,
                   "fields: dry at lat 0 (0), lon 1 became non-finite (-inf) at time 10 s");
    assert_int_equal(kept.writes, 2); // what is bad is not handed on
    sink.abandon(sink.context);
    assert_int_equal(kept.abandoned, 1);
}

// Where infinity is a value it passes; what is none is found behind it.
TEST(test_infinite_values)
{
    const float behind[] = {1, INFINITY, NAN, -INFINITY};
    const struct sink sink = begin(NULL, 0);
    for (size_t k = 0; k < sizeof behind / sizeof *behind; k++) {
        float values[2] = {INFINITY, behind[k]};
        const struct frame frame = {.stream = DOSE, .records = 1, .data = values};
        assert_int_equal(sink.write(sink.context, &frame), k < 2 ? STATUS_OK : STATUS_DATA);
    }
    assert_message("dose: cem43 at x 1 became non-finite (nan)");
    assert_int_equal(kept.writes, 2);
}

static enum status write_record(const struct sink *sink, double time_s, double momentum, double kinetic,
                                double potential)
{
    double data[5] = {0, momentum, 0, kinetic, potential};
    const struct frame frame = {.stream = DIAGNOSTICS, .records = 1, .times_s = &time_s, .data = data};
    return sink->write(sink->context, &frame);
}

TEST(test_numbers_of_double_precision)
{
    const struct sink sink = begin(NULL, 0);
    assert_ok(write_record(&sink, 1, 0, 1e308, NAN));
    assert_failure(write_record(&sink, 2.5, NAN, 1, 1), STATUS_DATA,
                   "diagnostics: momentum at spatial 1 became non-finite (nan) at time 2.5 s");
    assert_failure(write_record(&sink, 3, 0, 1, INFINITY), STATUS_DATA, "");
    double value = NAN;
    const struct frame internal = {.stream = RAW, .records = 1, .times_s = &value, .data = &value},
                       at_end = {.stream = LAST, .records = 1, .data = &value};
    assert_ok(sink.write(sink.context, &internal));
    assert_failure(sink.write(sink.context, &at_end), STATUS_DATA, "last: end became non-finite (nan);");
    assert_ok(sink.finish(sink.context));
    assert_int_equal(kept.finished, 1);
}

// ---- limits

static struct watch_limit limit_of(enum watch_kind kind, double most)
{
    return (struct watch_limit){.key = "limits.energy",
                                .what = "energy's change",
                                .stream = DIAGNOSTICS,
                                .variables = {"kinetic", "potential"},
                                .kind = kind,
                                .most = most,
                                .from_s = -INFINITY};
}

// What is watched is the sum of both, against the first record; either way, or upwards alone.
TEST(test_drift_and_growth)
{
    struct watch_limit limit = limit_of(WATCH_DRIFT, 0.1);
    struct sink sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 9, 30, -50)); // −20
    assert_ok(write_record(&sink, 1, 9, 80, -98.1));
    assert_ok(write_record(&sink, 2, 9, 30, -51.9));
    assert_failure(
        write_record(&sink, 3.5, 9, 30, -52.5), STATUS_CHECK_FAILED,
        "limits.energy: the energy's change is 0.125 at time 3.5 s, beyond 0.1 (-22.5, first -20)");
    assert_int_equal(kept.writes, 3);
    assert_failure(write_record(&sink, 4, 9, 30, -47.5), STATUS_CHECK_FAILED, "");
    limit.kind = WATCH_GROWTH;
    sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 9, 30, -10));
    assert_ok(write_record(&sink, 1, 9, 1, -1));
    assert_int_equal(write_record(&sink, 2, 9, 32.1, -10), STATUS_CHECK_FAILED);
}

// Beyond what is doubtful a warning, once; beyond the limit the end, without one.
TEST(test_doubtful_growth)
{
    struct watch_limit limit = limit_of(WATCH_GROWTH, INFINITY);
    limit.doubtful = 3;
    struct sink sink = begin(&limit, 1);
    const size_t before = log_warning_count();
    assert_ok(write_record(&sink, 0, 9, 4, 1));
    assert_ok(write_record(&sink, 1, 9, 15, 5)); // just as much
    assert_int_equal(log_warning_count(), before);
    assert_ok(write_record(&sink, 2, 9, 15.1, 5));
    assert_ok(write_record(&sink, 3, 9, 40, 5));
    assert_int_equal(log_warning_count(), before + 1);
    assert_non_null(strstr(log_warning_text(log_warning_kept() - 1), "is 3.02 at time 2 s (20.1, first 5)"));
    limit.most = 5;
    sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 9, 4, 1));
    assert_int_equal(write_record(&sink, 1, 9, 30, 1), STATUS_CHECK_FAILED);
    limit.doubtful = 0;
    sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 9, 4, 1));
    assert_ok(write_record(&sink, 1, 9, 28, 1));
    limit.doubtful = 3;
    limit.most = INFINITY;
    sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 9, 0, 0)); // nothing to compare with
    assert_ok(write_record(&sink, 1, 9, 28, 1));
    assert_int_equal(log_warning_count(), before + 1);
}

TEST(test_magnitude)
{
    struct watch_limit limit = limit_of(WATCH_MAGNITUDE, 0.5);
    limit.variables[1] = NULL;
    const struct sink sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 9, 0, 7));
    assert_ok(write_record(&sink, 1, 9, -0.5, 7));
    assert_failure(write_record(&sink, 2, 9, -0.51, 7), STATUS_CHECK_FAILED,
                   "limits.energy: the energy's change is -0.51 at time 2 s, beyond 0.5");
}

// Records before the time do not count, neither as the first nor as one beyond the limit.
TEST(test_from_a_time_on)
{
    struct watch_limit limit = limit_of(WATCH_DRIFT, 0.1);
    limit.from_s = 5;
    const struct sink sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 0, 0, 0));
    assert_ok(write_record(&sink, 4.9, 0, 50, 0));
    assert_ok(write_record(&sink, 5, 0, 10, 0));
    assert_int_equal(write_record(&sink, 6, 0, 11.5, 0), STATUS_CHECK_FAILED);
}

// Of nothing there is no part: warned of, not passed in silence, not failed.
TEST(test_nothing_at_first)
{
    const struct watch_limit limit = limit_of(WATCH_DRIFT, 0.1);
    const struct sink sink = begin(&limit, 1);
    assert_ok(write_record(&sink, 0, 0, 0, 0));
    assert_ok(write_record(&sink, 1, 0, 3, 0));
    assert_true(watch.is_warned[0]);
    assert_int_equal(kept.writes, 2);
}

// What is first is the run's first, not the resumed part's: it is saved, limited or not, as the checkpoint's
// last array.
TEST(test_resumed)
{
    struct watch_limit limit = limit_of(WATCH_DRIFT, INFINITY);
    struct sink sink = begin(&limit, 1);
    double other = 0;
    struct checkpoint_array arrays[2] = {{"state", &other, sizeof other}, watch_array(&watch)};
    struct watch_memory staged;
    assert_int_equal(arrays[1].bytes, sizeof staged);
    memcpy(&staged, arrays[1].data, sizeof staged); // copied before the record comes
    arrays[1].data = &staged;
    assert_ok(write_record(&sink, 0, 0, 10, 0));
    assert_ok(write_record(&sink, 1, 0, 14, 0)); // no limit yet
    struct checkpoint_header header = {0};
    assert_ok(sink.checkpoint(sink.context, &header, arrays, 2));
    struct watch_memory saved;
    saved = kept.saved;
    assert_true(saved.first[0] == 10 && isnan(saved.first[1]));

    limit.most = 0.5;
    sink = begin(&limit, 1);
    memcpy(watch_array(&watch).data, &saved, sizeof saved);
    watch_resume(&watch);
    assert_ok(write_record(&sink, 2, 0, 14, 0));
    assert_failure(write_record(&sink, 3, 0, 15.1, 0), STATUS_CHECK_FAILED, "first 10");
}

// Of all records, also those that came after the checkpoint's arrays were copied and before it was written;
// of equal ones the first; over a stop. What is missing does not count.
TEST(test_extremes)
{
    double most = 0, most_at_s = 0, least = 0;
    const struct watch_extreme extremes[] = {
        {.stream = DIAGNOSTICS, .variable = "kinetic", .value = &most, .time_s = &most_at_s},
        {.stream = DIAGNOSTICS, .variable = "potential", .is_smallest = true, .value = &least}};
    struct sink sink = begin(NULL, 0);
    assert_ok(watch_keep_extremes(&watch, extremes, 2));
    assert_true(isnan(most) && isnan(most_at_s) && isnan(least));
    struct checkpoint_array array = watch_array(&watch);
    struct watch_memory staged;
    memcpy(&staged, array.data, sizeof staged);
    array.data = &staged;
    assert_ok(write_record(&sink, 1, 0, 3, NAN));
    assert_true(most == 3 && most_at_s == 1 && isnan(least));
    assert_ok(write_record(&sink, 2, 0, 45.5, -2));
    assert_ok(write_record(&sink, 3, 0, 45.5, 7));
    struct checkpoint_header header = {0};
    assert_ok(sink.checkpoint(sink.context, &header, &array, 1));
    const struct watch_memory saved = kept.saved;
    sink = begin(NULL, 0);
    assert_ok(watch_keep_extremes(&watch, extremes, 2));
    memcpy(watch_array(&watch).data, &saved, sizeof saved);
    watch_resume(&watch);
    assert_true(most == 45.5 && most_at_s == 2 && least == -2);
    assert_ok(write_record(&sink, 4, 0, 39, 8));
    assert_true(most == 45.5 && most_at_s == 2 && least == -2);
    const struct watch_extreme none = {.stream = FIELDS, .variable = "eta", .value = &most};
    assert_failure(watch_keep_extremes(&watch, &none, 1), STATUS_SOFTWARE, "");
}

TEST(test_refused_limits)
{
    struct watch_limit limit = limit_of(WATCH_DRIFT, 1);
    static const char *const names[] = {"momentum", "nothing"}; // no scalar; not there
    for (int k = 0; k < 2; k++) {
        status_clear();
        limit.variables[1] = names[k];
        assert_int_equal(watch_begin(&watch, streams, STREAMS, NULL, &limit, 1), STATUS_SOFTWARE);
    }
    status_clear();
    limit = limit_of(WATCH_DRIFT, 1);
    limit.stream = FIELDS;
    assert_failure(watch_begin(&watch, streams, STREAMS, NULL, &limit, 1), STATUS_SOFTWARE, "");
}
