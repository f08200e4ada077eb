// Frames of all ranks into one (see the header).
#include "parallel/gather.h"

#include "core/clock.h"

#include <string.h>

enum { TAG_ABOUT = 0, TAG_PART };

// What goes before a part.
struct about {
    int32_t stream, rank;
    uint64_t records, first, end, bytes;
};

// ---- the other ranks' failures

// The run loop learns only at its next record what has failed on its I/O thread, and that may be hours away:
// the other ranks hear of it now.
static enum status tell(struct gather *g, enum status status)
{
    if (status != STATUS_OK && g->ranks->rank > 0)
        ranks_fail(g->ranks, status);
    return status;
}

// Whether the other ranks have parts of it.
static bool has_parts(const struct stream *stream)
{
    return stream->division.dividing == STREAM_ROWS || stream->division.dividing == STREAM_OWNERS;
}

// ---- the plan

enum status gather_plan(struct gather *gather, struct ranks *ranks, const struct stream *const *streams,
                        int stream_count, struct memory_plan *plan)
{
    int64_t most = 0;
    *gather = (struct gather){.ranks = ranks, .streams = streams, .stream_count = stream_count};
    if (ranks->count == 1)
        return STATUS_OK;
    for (int s = 0; s < stream_count; s++) {
        const int64_t bytes = (int64_t)(stream_held_bytes(streams[s]) * streams[s]->records_per_frame);
        if (has_parts(streams[s]) && ranks->rank > 0 && bytes > most)
            most = bytes;
    }
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, &most, 1));
    gather->part_bytes = (size_t)most;
    if (ranks->rank > 0 || most == 0)
        return STATUS_OK;
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, gather->part_bytes, &gather->part,
                           "part of a frame of another rank");
}

// ---- the other ranks

static enum status send_part(void *context, const struct frame *frame)
{
    struct gather *g = context;
    const struct stream *stream = g->streams[frame->stream];
    const struct stream_division *division = &stream->division;
    const struct about about = {.stream = frame->stream,
                                .rank = g->ranks->rank,
                                .records = frame->records,
                                .first = division->first,
                                .end = division->end,
                                .bytes = frame->records * stream_held_bytes(stream)};
    if (!has_parts(stream) || frame->records == 0)
        return STATUS_OK; // rank 0 has it
    enum status status = ranks_send(g->ranks, TRANSPORT_FILES, 0, TAG_ABOUT, &about, sizeof about);
    if (status == STATUS_OK)
        status = ranks_send(g->ranks, TRANSPORT_FILES, 0, TAG_PART, frame->data, (size_t)about.bytes);
    return tell(g, status);
}

// ---- rank 0

// Bytes of an entry of the divided axis, in variable `v`, and how many blocks of entries the variable has:
// one, unless other axes come before.
static size_t entry_bytes(const struct stream *stream, int v)
{
    return stream_row_length(stream, &stream->variables[v]) * element_bytes(stream->element);
}

static size_t blocks_of(const struct stream *stream, int v)
{
    const struct stream_variable *variable = &stream->variables[v];
    size_t blocks = 1;
    for (int k = 0; k < stream_divided_axis(stream, variable); k++)
        blocks *= stream->axes[variable->axes[k]].length;
    return blocks;
}

// Puts one variable of a part of rank `rank` in its place.
static void put_variable(const struct stream *stream, const struct about *about, int v, unsigned char *whole,
                         const unsigned char *part)
{
    const struct stream_division *division = &stream->division;
    const size_t bytes = entry_bytes(stream, v), length = stream->axes[division->axis].length;
    if (division->dividing == STREAM_ROWS) {
        const size_t part_bytes = (about->end - about->first) * bytes;
        for (size_t block = 0; block < blocks_of(stream, v); block++)
            memcpy(whole + (block * length + about->first) * bytes, part + block * part_bytes, part_bytes);
        return;
    }
    for (size_t e = 0; e < length; e++)
        if (division->owners[e] == about->rank)
            memcpy(whole + e * bytes, part + e * bytes, bytes);
}

// The bytes of one variable in a record of the part.
static size_t part_variable_bytes(const struct stream *stream, const struct about *about, int v)
{
    const struct stream_variable *variable = &stream->variables[v];
    if (stream->division.dividing == STREAM_ROWS && stream_is_divided(stream, variable))
        return blocks_of(stream, v) * (about->end - about->first) * entry_bytes(stream, v);
    return stream_variable_length(stream, variable) * element_bytes(stream->element);
}

static void put_part(const struct stream *stream, const struct frame *frame, const struct about *about,
                     const unsigned char *part)
{
    for (size_t record = 0; record < frame->records; record++)
        for (int v = 0; v < stream->variable_count; v++) {
            if (stream_is_divided(stream, &stream->variables[v]))
                put_variable(stream, about, v, stream_at(stream, frame, record, v), part);
            part += part_variable_bytes(stream, about, v);
        }
}

static enum status check_about(const struct gather *g, const struct frame *frame, const struct about *about,
                               int rank)
{
    const struct stream *stream = g->streams[frame->stream];
    const size_t length = stream->axes[stream->division.axis].length;
    const bool is_range =
        stream->division.dividing != STREAM_ROWS || (about->first <= about->end && about->end <= length);
    uint64_t bytes = 0;
    for (int v = 0; is_range && v < stream->variable_count; v++)
        bytes += part_variable_bytes(stream, about, v);
    bytes *= about->records;
    if (!is_range || about->stream != frame->stream || about->rank != rank ||
        about->records != frame->records || about->bytes != bytes || bytes > g->part_bytes)
        return FAIL(STATUS_SOFTWARE,
                    "rank %d sent %llu records of stream %d (%llu bytes), rank 0 has %zu of stream %d", rank,
                    (unsigned long long)about->records, about->stream, (unsigned long long)about->bytes,
                    frame->records, frame->stream);
    return STATUS_OK;
}

static enum status write_whole(void *context, const struct frame *frame)
{
    struct gather *g = context;
    const struct stream *stream = g->streams[frame->stream];
    const double begin_s = clock_now_s();
    const bool is_divided = has_parts(stream) && frame->records > 0;
    for (int r = 1; is_divided && r < g->ranks->count; r++) {
        struct about about;
        CHECK(ranks_receive(g->ranks, TRANSPORT_FILES, r, TAG_ABOUT, &about, sizeof about));
        CHECK(check_about(g, frame, &about, r));
        CHECK(ranks_receive(g->ranks, TRANSPORT_FILES, r, TAG_PART, g->part, (size_t)about.bytes));
        put_part(stream, frame, &about, g->part);
        g->received_bytes += (double)about.bytes;
    }
    g->waited_s += clock_now_s() - begin_s;
    return g->behind.write(g->behind.context, frame);
}

// ---- the rest goes to the sink behind

static enum status checkpoint(void *context, struct checkpoint_header *header,
                              const struct checkpoint_array *arrays, int array_count)
{
    struct gather *g = context;
    return tell(g, g->behind.checkpoint(g->behind.context, header, arrays, array_count));
}

static enum status finish(void *context)
{
    struct gather *g = context;
    return tell(g, g->behind.finish(g->behind.context));
}

static void abandon(void *context)
{
    struct gather *g = context;
    g->behind.abandon(g->behind.context);
}

struct sink gather_sink(struct gather *gather, struct sink behind)
{
    gather->behind = behind;
    if (gather->ranks->count == 1)
        return behind;
    return (struct sink){.context = gather,
                         .write = gather->ranks->rank == 0 ? write_whole : send_part,
                         .checkpoint = checkpoint,
                         .finish = finish,
                         .abandon = abandon};
}
