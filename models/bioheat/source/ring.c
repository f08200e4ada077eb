// A streamed source during the run: a ring of layers that the I/O thread fills ahead of the steps.
//
// Piece k of the stream lies in layer k mod ring. A layer is refilled when neither a granted step nor a later
// one needs its piece. Its amplitude is 0, and no solver reads it, until a step that needs it is granted. So
// two threads never access the same layer at a time, and the only lock is that of the pipeline's queue.
#include "models/bioheat/source/private.h"

#include "core/clock.h"

#include <assert.h>

static struct source_slot *slot_of(struct source_stream *stream, int64_t piece)
{
    return &stream->slots[piece % stream->slot_count];
}

// On the I/O thread (or on the run's own, in tests).
static enum status read_into_slot(void *context)
{
    struct source_slot *slot = context;
    struct bioheat_heating *heating = slot->heating;
    struct source_stream *stream = heating->stream;
    const double begin_s = clock_now_s();
    void *values = heating->layers[stream->first_layer + (int)(slot - stream->slots)];
    // A failure is reported when a step needs the piece; the steps before it are computed and written.
    const bool is_valid = source_stream_read_piece(heating, slot->piece, values, slot);
    stream->read_s += clock_now_s() - begin_s;
    return is_valid ? STATUS_OK : STATUS_DATA;
}

static bool is_done(struct source_stream *stream, const struct source_slot *slot)
{
    return stream->pipeline && !stream->is_in_memory ? pipeline_is_call_done(stream->pipeline, &slot->order)
                                                     : slot->order.is_done;
}

static void await_slot(struct source_stream *stream, struct source_slot *slot)
{
    double waited_s = 0;
    if (!is_done(stream, slot))
        (void)pipeline_await_call(stream->pipeline, &slot->order, &waited_s);
    stream->stall_s += waited_s;
}

// Reads a piece into the layer of one that no step needs any more.
static enum status order_piece(struct bioheat_heating *heating, int64_t piece)
{
    struct source_stream *stream = heating->stream;
    struct source_slot *slot = slot_of(stream, piece);
    const int layer = stream->first_layer + (int)(slot - stream->slots);
    if (slot->is_ordered) // still being read, though no step needs it
        await_slot(stream, slot);
    if (slot->piece >= 0 && slot->is_handed && stream->user.taken)
        CHECK(stream->user.taken(stream->user.context, layer));
    *slot = (struct source_slot){.heating = heating, .piece = piece, .is_ordered = true};
    if (stream->is_in_memory) {
        heating->layers[layer] = source_stream_piece(heating, piece);
        slot->order.is_done = true;
        return STATUS_OK;
    }
    if (stream->pipeline)
        return pipeline_call_later(stream->pipeline, read_into_slot, slot, &slot->order);
    slot->order.status = read_into_slot(slot);
    slot->order.is_done = true;
    return STATUS_OK;
}

static enum status order_ahead(struct bioheat_heating *heating, int64_t first)
{
    struct source_stream *stream = heating->stream;
    if (stream->next_piece < first)
        stream->next_piece = first;
    while (stream->next_piece < stream->end_piece && stream->next_piece < first + stream->slot_count)
        CHECK(order_piece(heating, stream->next_piece++));
    return STATUS_OK;
}

// Waits for a piece that a step needs; fails if it could not be read.
static enum status await_piece(struct source_stream *stream, int64_t piece)
{
    struct source_slot *slot = slot_of(stream, piece);
    assert(slot->piece == piece && slot->is_ordered);
    await_slot(stream, slot);
    if (slot->order.status == STATUS_OK)
        return STATUS_OK;
    if (slot->fault.kind != FIELD_VALID)
        return status_prefix(source_stream_fail(stream, slot), "%s", stream->where);
    return slot->order.status; // the pipeline's own failure, which has its message
}

// Passes pieces that were read to the solver, in their order, up to the first that is missing or invalid:
// *end.
static enum status pass_pieces(struct bioheat_heating *heating, int64_t first, int64_t *end)
{
    struct source_stream *stream = heating->stream;
    for (*end = first; *end < stream->next_piece; ++*end) {
        struct source_slot *slot = slot_of(stream, *end);
        if (!is_done(stream, slot) || slot->order.status != STATUS_OK)
            break;
        if (!slot->is_handed && stream->user.take)
            CHECK(stream->user.take(stream->user.context, stream->first_layer + (int)(slot - stream->slots)));
        slot->is_handed = true;
    }
    return STATUS_OK;
}

enum status bioheat_heating_begin(struct bioheat_heating *heating, struct pipeline *pipeline,
                                  struct bioheat_layer_user user, int64_t step)
{
    struct source_stream *stream = heating->stream;
    // Constant layers: a solver with its own memory copies them once.
    for (int k = 0; k < heating->map_count && user.take; k++)
        CHECK(user.take(user.context, k));
    if (!stream)
        return STATUS_OK;
    stream->pipeline = pipeline;
    stream->user = user;
    stream->last_read = -1;
    for (int k = 0; k < SOURCE_SLOTS_MAX; k++)
        stream->slots[k] = (struct source_slot){.heating = heating, .piece = -1};
    int64_t end;
    source_stream_pieces(stream, step, &stream->next_piece, &end);
    return order_ahead(heating, stream->next_piece);
}

enum status bioheat_heating_ready(struct bioheat_heating *heating, int64_t step, int64_t wanted,
                                  int64_t *granted)
{
    struct source_stream *stream = heating->stream;
    *granted = wanted;
    if (!stream)
        return STATUS_OK;
    int64_t first, end, there;
    source_stream_pieces(stream, step, &first, &end);
    CHECK(order_ahead(heating, first));
    for (int64_t piece = first; piece < end; piece++)
        CHECK(await_piece(stream, piece));
    CHECK(pass_pieces(heating, first, &there));
    // If the step does not need all layers, one is left to the I/O thread, which fills it meanwhile.
    const int64_t most = first + stream->slot_count - 1 > end ? first + stream->slot_count - 1 : end;
    int64_t count = 1;
    while (count < wanted) {
        int64_t next_first, next_end;
        source_stream_pieces(stream, step + count, &next_first, &next_end);
        if (next_end > next_first && (next_end > there || next_end > most))
            break;
        count++;
    }
    *granted = count;
    return STATUS_OK;
}
