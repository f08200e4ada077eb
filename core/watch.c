// Records on their way to the sink, checked (see the header).
#include "core/watch.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char array_name[] = "watched";

// ---- numbers

// Whether any value is infinite, or NaN where values must not be missing. Written to be vectorised.
static bool has_bad_f32(const float *values, size_t count, bool has_missing)
{
    int bad = 0;
    if (has_missing)
        for (size_t k = 0; k < count; k++)
            bad |= fabsf(values[k]) > 3.402823466e38f;
    else
        for (size_t k = 0; k < count; k++)
            bad |= !(fabsf(values[k]) <= 3.402823466e38f);
    return bad;
}

static bool has_bad_f64(const double *values, size_t count, bool has_missing)
{
    int bad = 0;
    if (has_missing)
        for (size_t k = 0; k < count; k++)
            bad |= fabs(values[k]) > 1.7976931348623157e308;
    else
        for (size_t k = 0; k < count; k++)
            bad |= !(fabs(values[k]) <= 1.7976931348623157e308);
    return bad;
}

static bool is_valid(const struct stream *stream, const struct stream_variable *variable, double value)
{
    if (isnan(value))
        return variable->has_missing;
    return isfinite(value) || (value > 0 && stream->may_be_infinite);
}

// "station 3" or "lat 12 (33.5), lon 4 (140.25)" of element `index`; "" for a scalar.
static void describe_position(const struct stream *stream, const struct stream_variable *variable,
                              size_t index, char *text, size_t bytes)
{
    size_t indices[STREAM_RANK_MAX], length = 0;
    for (int k = variable->rank - 1; k >= 0; k--) {
        const size_t extent = stream->axes[variable->axes[k]].length;
        indices[k] = index % extent;
        index /= extent;
    }
    text[0] = '\0';
    for (int k = 0; k < variable->rank && length < bytes; k++) {
        const struct stream_axis *axis = &stream->axes[variable->axes[k]];
        length += (size_t)snprintf(text + length, bytes - length, "%s%s %zu", k > 0 ? ", " : " at ",
                                   axis->name, indices[k]);
        if (axis->values && length < bytes)
            length += (size_t)snprintf(text + length, bytes - length, " (%g)", axis->values[indices[k]]);
    }
}

// Fails for the first invalid value; +∞ may be valid.
static enum status find_bad(const struct watch *watch, const struct stream *stream,
                            const struct stream_variable *variable, const void *values, size_t count,
                            double time_s)
{
    char place[256], when[64] = "";
    size_t index = 0;
    for (; index < count; index++) {
        const double value = element_get(stream->element, values, index);
        if (!is_valid(stream, variable, value))
            break;
    }
    if (index == count)
        return STATUS_OK; // infinite, where that is permitted
    describe_position(stream, variable, index, place, sizeof place);
    if (stream->has_records)
        snprintf(when, sizeof when, " at time %g %s", time_s, watch->time_unit);
    return FAIL(STATUS_DATA, "%s: %s%s became non-finite (%g)%s; a smaller time.step may help", stream->name,
                variable->name, place, element_get(stream->element, values, index), when);
}

static enum status check_numbers(const struct watch *watch, const struct stream *stream,
                                 const struct frame *frame)
{
    const char *data = frame->data;
    for (size_t record = 0; record < frame->records; record++)
        for (int v = 0; v < stream->variable_count; v++) {
            const struct stream_variable *variable = &stream->variables[v];
            const size_t count = stream_variable_length(stream, variable);
            const bool is_bad = stream->element == ELEMENT_F32
                                    ? has_bad_f32((const float *)data, count, variable->has_missing)
                                    : has_bad_f64((const double *)data, count, variable->has_missing);
            if (is_bad)
                CHECK(find_bad(watch, stream, variable, data, count,
                               stream->has_records ? frame->times_s[record] : 0));
            data += count * element_bytes(stream->element);
        }
    return STATUS_OK;
}

// ---- limits

static int find_variable(const struct stream *stream, const char *name)
{
    for (int v = 0; v < stream->variable_count; v++)
        if (strcmp(stream->variables[v].name, name) == 0)
            return v;
    return -1;
}

static double scalar_in(const struct stream *stream, const char *record, int v)
{
    size_t offset = 0;
    for (int k = 0; k < v; k++)
        offset += stream_variable_length(stream, &stream->variables[k]);
    return ((const double *)record)[offset];
}

static double quantity_in(const struct stream *stream, const char *record, const struct watch_limit *limit)
{
    double value = 0;
    for (int k = 0; k < 2 && limit->variables[k]; k++)
        value += scalar_in(stream, record, find_variable(stream, limit->variables[k]));
    return value;
}

// Not what is beyond the limit itself: that ends the run.
static void doubt(struct watch *watch, int k, double measure, double value, double time_s)
{
    const struct watch_limit *limit = &watch->limits[k];
    const double first = watch->memory.first[k];
    if (watch->is_warned[k] || first == 0 || !(limit->doubtful > 0) || !(measure > limit->doubtful) ||
        measure > limit->most)
        return;
    log_warning("the %s is %g at time %g %s (%g, first %g): the run is not to be trusted from there on; a "
                "smaller time.step may help; %s ends such a run",
                limit->what, measure, time_s, watch->time_unit, value, first, limit->key);
    watch->is_warned[k] = true;
}

static enum status judge(struct watch *watch, int k, double value, double time_s)
{
    const struct watch_limit *limit = &watch->limits[k];
    if (isnan(watch->memory.first[k]))
        watch->memory.first[k] = value;
    const double first = watch->memory.first[k], change = value - first;
    const double measure = limit->kind == WATCH_MAGNITUDE ? fabs(value)
                           : limit->kind == WATCH_DRIFT   ? fabs(change) / fabs(first)
                                                          : change / fabs(first);
    doubt(watch, k, measure, value, time_s);
    if (!isfinite(limit->most) || measure <= limit->most)
        return STATUS_OK;
    if (isnan(measure) || (limit->kind != WATCH_MAGNITUDE && first == 0)) {
        if (!watch->is_warned[k])
            log_warning("%s: cannot be watched at time %g %s: the first value is 0, so that relative changes "
                        "are undefined",
                        limit->key, time_s, watch->time_unit);
        watch->is_warned[k] = true;
        return STATUS_OK;
    }
    if (limit->kind == WATCH_MAGNITUDE)
        return FAIL(STATUS_CHECK_FAILED, "%s: the %s is %g at time %g %s, beyond %g", limit->key, limit->what,
                    value, time_s, watch->time_unit, limit->most);
    return FAIL(STATUS_CHECK_FAILED, "%s: the %s is %g at time %g %s, beyond %g (%g, first %g)", limit->key,
                limit->what, measure, time_s, watch->time_unit, limit->most, value, first);
}

static enum status check_limits(struct watch *watch, int s, const struct frame *frame)
{
    const struct stream *stream = watch->streams[s];
    const size_t record_bytes = stream_record_bytes(stream);
    for (size_t record = 0; record < frame->records; record++)
        for (int k = 0; k < watch->limit_count; k++)
            if (watch->limits[k].stream == s && frame->times_s[record] >= watch->limits[k].from_s)
                CHECK(judge(
                    watch, k,
                    quantity_in(stream, (const char *)frame->data + record * record_bytes, &watch->limits[k]),
                    frame->times_s[record]));
    return STATUS_OK;
}

// ---- extremes

static void report_extremes(const struct watch *watch)
{
    for (int k = 0; k < watch->extreme_count; k++) {
        *watch->extremes[k].value = watch->memory.extreme[k];
        if (watch->extremes[k].time_s)
            *watch->extremes[k].time_s = watch->memory.extreme_at_s[k];
    }
}

// The first of equal extremes is kept.
static void update_extremes(struct watch *watch, int s, const struct frame *frame)
{
    const struct stream *stream = watch->streams[s];
    const size_t record_bytes = stream_record_bytes(stream);
    for (size_t record = 0; record < frame->records; record++)
        for (int k = 0; k < watch->extreme_count; k++) {
            const struct watch_extreme *e = &watch->extremes[k];
            double *extreme = &watch->memory.extreme[k];
            if (e->stream != s)
                continue;
            const double value = scalar_in(stream, (const char *)frame->data + record * record_bytes,
                                           find_variable(stream, e->variable));
            const bool is_beyond = e->is_smallest ? value < *extreme : value > *extreme;
            if (!isnan(value) && (isnan(*extreme) || is_beyond)) {
                *extreme = value;
                watch->memory.extreme_at_s[k] = frame->times_s[record];
            }
        }
    report_extremes(watch);
}

// ---- the sink

static enum status write_watched(void *context, const struct frame *frame)
{
    struct watch *watch = context;
    const struct stream *stream = watch->streams[frame->stream];
    // Internal streams may hold anything.
    if (!stream->is_internal && (stream->element == ELEMENT_F32 || stream->element == ELEMENT_F64))
        CHECK(check_numbers(watch, stream, frame));
    CHECK(check_limits(watch, frame->stream, frame));
    update_extremes(watch, frame->stream, frame);
    return watch->sink.write(watch->sink.context, frame);
}

static enum status checkpoint_watched(void *context, struct checkpoint_header *header,
                                      const struct checkpoint_array *arrays, int array_count)
{
    struct watch *watch = context;
    // Records that were still on their way when the arrays were copied have been seen by now.
    if (array_count > 0 && strcmp(arrays[array_count - 1].name, array_name) == 0)
        memcpy(arrays[array_count - 1].data, &watch->memory, sizeof watch->memory);
    return watch->sink.checkpoint(watch->sink.context, header, arrays, array_count);
}

static enum status finish_watched(void *context)
{
    struct watch *watch = context;
    return watch->sink.finish(watch->sink.context);
}

static void abandon_watched(void *context)
{
    struct watch *watch = context;
    watch->sink.abandon(watch->sink.context);
}

// Only a scalar of a record stream in double can be watched.
static enum status check_number(const struct watch *watch, int s, const char *variable)
{
    const int found = s >= 0 && s < watch->stream_count ? find_variable(watch->streams[s], variable) : -1;
    if (found < 0 || watch->streams[s]->element != ELEMENT_F64 || !watch->streams[s]->has_records ||
        watch->streams[s]->variables[found].rank != 0)
        return FAIL(STATUS_SOFTWARE, "stream %d has no scalar \"%s\" to watch", s, variable);
    return STATUS_OK;
}

enum status watch_begin(struct watch *watch, const struct stream *const *streams, int stream_count,
                        const char *time_unit, const struct watch_limit *limits, int limit_count)
{
    *watch = (struct watch){.streams = streams,
                            .stream_count = stream_count,
                            .time_unit = time_unit ? time_unit : "s",
                            .limits = limits,
                            .limit_count = limit_count};
    for (int k = 0; k < WATCH_LIMITS_MAX; k++)
        watch->memory.first[k] = NAN;
    for (int k = 0; k < WATCH_EXTREMES_MAX; k++)
        watch->memory.extreme[k] = watch->memory.extreme_at_s[k] = NAN;
    watch->loaded = watch->memory;
    if (limit_count > WATCH_LIMITS_MAX)
        return FAIL(STATUS_SOFTWARE, "%d limits, at most %d", limit_count, WATCH_LIMITS_MAX);
    for (int k = 0; k < limit_count; k++)
        for (int v = 0; v < 2 && limits[k].variables[v]; v++)
            CHECK_ABOUT(check_number(watch, limits[k].stream, limits[k].variables[v]), "%s", limits[k].key);
    return STATUS_OK;
}

enum status watch_keep_extremes(struct watch *watch, const struct watch_extreme *extremes, int count)
{
    if (count > WATCH_EXTREMES_MAX)
        return FAIL(STATUS_SOFTWARE, "%d extremes, at most %d", count, WATCH_EXTREMES_MAX);
    for (int k = 0; k < count; k++)
        CHECK(check_number(watch, extremes[k].stream, extremes[k].variable));
    watch->extremes = extremes;
    watch->extreme_count = count;
    report_extremes(watch);
    return STATUS_OK;
}

struct sink watch_sink(struct watch *watch, struct sink sink)
{
    watch->sink = sink;
    return (struct sink){.context = watch,
                         .write = write_watched,
                         .checkpoint = checkpoint_watched,
                         .finish = finish_watched,
                         .abandon = abandon_watched};
}

struct checkpoint_array watch_array(const struct watch *watch)
{
    return (struct checkpoint_array){array_name, (void *)(uintptr_t)&watch->loaded, sizeof watch->loaded};
}

void watch_resume(struct watch *watch)
{
    watch->memory = watch->loaded;
    report_extremes(watch);
}
