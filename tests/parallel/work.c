// A divided run of a few steps (see the header).
#include "tests/parallel/work.h"

#include "core/memory_plan.h"
#include "core/stream.h"
#include "parallel/allgather.h"
#include "parallel/exchange.h"
#include "parallel/gather.h"
#include "parallel/sums.h"
#include "tests/support/stencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = WORK_COLUMNS, ROWS = WORK_ROWS, POINTS = 9, RANKS_MOST = 16 };
enum { FIELDS, POINT_SERIES, STREAMS };

// Where a point lies, of all ranks' rows.
static int64_t row_of_point(int point)
{
    return point * (ROWS - 1) / (POINTS - 1);
}

struct work {
    struct ranks *ranks;
    struct exchange exchange;
    struct memory_plan memory;
    struct gather gather;
    struct stream streams[STREAMS];
    const struct stream *list[STREAMS];
    struct frame frames[STREAMS];
    int owners[POINTS];
    double *states[2], *alone[2]; // alone: of the whole grid, on every rank
    double *gathered, *numbers;   // of all rows, from the ranks that have them
    void *sum_memory;
    size_t sum_bytes;
    int differences, frames_seen;
};

static void describe_streams(struct work *w, const struct share *shares)
{
    const bool holds_all = w->ranks->rank == 0;
    for (int k = 0; k < POINTS; k++)
        w->owners[k] = shares_owner(shares, w->ranks->count, row_of_point(k));
    w->streams[FIELDS] =
        (struct stream){.name = "fields",
                        .has_records = true,
                        .element = ELEMENT_F64,
                        .records_per_frame = 1,
                        .axis_count = 2,
                        .axes = {{.name = "y", .length = ROWS}, {.name = "x", .length = COLUMNS}},
                        .variable_count = 3};
    w->streams[FIELDS].variables[0] = (struct stream_variable){.name = "value", .rank = 2, .axes = {0, 1}};
    w->streams[FIELDS].variables[1] = (struct stream_variable){.name = "sum", .rank = 0};
    w->streams[FIELDS].variables[2] = (struct stream_variable){.name = "row", .rank = 1, .axes = {0}};
    w->streams[FIELDS].division = (struct stream_division){.dividing = STREAM_ROWS,
                                                           .holds_all = holds_all,
                                                           .axis = 0,
                                                           .first = (size_t)w->exchange.own.first,
                                                           .end = (size_t)w->exchange.own.end};
    w->streams[POINT_SERIES] = (struct stream){.name = "points",
                                               .has_records = true,
                                               .element = ELEMENT_F64,
                                               .records_per_frame = 4,
                                               .axis_count = 1,
                                               .axes = {{.name = "station", .length = POINTS}},
                                               .variable_count = 1};
    w->streams[POINT_SERIES].variables[0] = (struct stream_variable){.name = "value", .rank = 1, .axes = {0}};
    w->streams[POINT_SERIES].division = (struct stream_division){
        .dividing = STREAM_OWNERS, .holds_all = holds_all, .axis = 0, .owners = w->owners};
    for (int s = 0; s < STREAMS; s++)
        w->list[s] = &w->streams[s];
}

static enum status plan(struct work *w, const struct share *shares, int depth)
{
    CHECK(exchange_begin_plan(&w->exchange, w->ranks, shares, ROWS, 2, depth));
    describe_streams(w, shares);
    const struct share held = exchange_held(&w->exchange), own = w->exchange.own;
    for (int k = 0; k < 2; k++) {
        CHECK(memory_plan_add_rows(&w->memory, MEMORY_HOST, ELEMENT_F64, (size_t)held.first, (size_t)held.end,
                                   COLUMNS, (void **)&w->states[k], "state %d", k));
        CHECK(memory_plan_add(&w->memory, MEMORY_HOST, ELEMENT_F64, ROWS, COLUMNS, (void **)&w->alone[k],
                              "alone %d", k));
    }
    CHECK(memory_plan_add(&w->memory, MEMORY_HOST, ELEMENT_F64, ROWS, COLUMNS, (void **)&w->gathered,
                          "gathered"));
    CHECK(memory_plan_add(&w->memory, MEMORY_HOST, ELEMENT_F64, ROWS, 1, (void **)&w->numbers, "numbers"));
    for (int s = 0; s < STREAMS; s++)
        CHECK(memory_plan_add(&w->memory, MEMORY_HOST, ELEMENT_U8, w->list[s]->records_per_frame,
                              stream_held_bytes(w->list[s]), &w->frames[s].data, "frame %d", s));
    w->sum_bytes = sums_bytes((uint64_t)own.first * COLUMNS, (uint64_t)own.end * COLUMNS);
    CHECK(memory_plan_add(&w->memory, MEMORY_HOST, ELEMENT_U8, 1, w->sum_bytes, &w->sum_memory, "sums"));
    CHECK(exchange_add(&w->exchange, (void *const *)&w->states[0], COLUMNS * sizeof(double)));
    CHECK(gather_plan(&w->gather, w->ranks, w->list, STREAMS, &w->memory));
    return memory_plan_reserve(&w->memory, SIZE_MAX, SIZE_MAX);
}

static enum status total_of(struct work *w, double *total)
{
    struct rank_sum sum;
    const struct share own = w->exchange.own;
    CHECK(sums_init(&sum, (uint64_t)own.first * COLUMNS, (uint64_t)own.end * COLUMNS, ROWS * COLUMNS,
                    w->sum_memory, w->sum_bytes));
    for (int64_t i = own.first * COLUMNS; i < own.end * COLUMNS; i++)
        sums_add(&sum, (uint64_t)i, w->states[0][i]);
    return sums_totals(w->ranks, (struct rank_sum *const[]){&sum}, 1, total);
}

// What rank 0 would write.
static enum status see_frame(void *context, const struct frame *frame)
{
    struct work *w = context;
    const struct stream *stream = w->list[frame->stream];
    w->frames_seen++;
    if (frame->stream == FIELDS) {
        const double total = statistics_block_sum(w->alone[0], ROWS * COLUMNS);
        const double *rows = stream_at(stream, frame, 0, 2);
        w->differences +=
            memcmp(stream_at(stream, frame, 0, 0), w->alone[0], sizeof(double) * ROWS * COLUMNS) != 0;
        w->differences += memcmp(stream_at(stream, frame, 0, 1), &total, sizeof total) != 0;
        for (int64_t row = 0; row < ROWS; row++)
            w->differences += rows[row] != (double)row;
        return STATUS_OK;
    }
    for (size_t record = 0; record < frame->records; record++)
        for (int k = 0; k < POINTS; k++) {
            const double *values = stream_at(stream, frame, record, 0);
            w->differences += values[k] != (double)record + w->alone[0][row_of_point(k) * COLUMNS];
        }
    return STATUS_OK;
}

// A record of the fields and two of the points, of the own rows only.
static enum status emit(struct work *w, const struct sink *sink)
{
    const struct share own = w->exchange.own;
    struct frame *fields = &w->frames[FIELDS], *points = &w->frames[POINT_SERIES];
    double *value = stream_at(w->list[FIELDS], fields, 0, 0),
           *rows = stream_at(w->list[FIELDS], fields, 0, 2);
    CHECK(total_of(w, stream_at(w->list[FIELDS], fields, 0, 1)));
    for (int64_t row = own.first; row < own.end; row++) {
        rows[row] = (double)row;
        for (int64_t c = 0; c < COLUMNS; c++)
            value[row * COLUMNS + c] = w->states[0][row * COLUMNS + c];
    }
    fields->stream = FIELDS;
    points->stream = POINT_SERIES;
    fields->records = 1;
    points->records = 2;
    for (size_t record = 0; record < 2; record++)
        for (int k = 0; k < POINTS; k++)
            if (w->owners[k] == w->ranks->rank)
                ((double *)stream_at(w->list[POINT_SERIES], points, record, 0))[k] =
                    (double)record + w->states[0][row_of_point(k) * COLUMNS];
    CHECK(sink->write(sink->context, fields));
    return sink->write(sink->context, points);
}

// Rank r reads the first r + 1 rows and the last two, but rank 1 nothing.
static enum status gather_needed(struct work *w, const struct share *shares, int step)
{
    struct allgather_need needs[RANKS_MOST];
    struct ranks *ranks = w->ranks;
    const struct share own = shares[ranks->rank];
    const struct allgather_array array = {w->numbers, sizeof(double)};
    const double before = ranks->exchange_bytes;
    double sent = 0;
    for (int r = 0; r < ranks->count; r++) {
        needs[r] = (struct allgather_need){{{0, r + 1}, {ROWS - 2, ROWS}}};
        if (r == 1)
            needs[r] = (struct allgather_need){{{5, 5}, {0, 0}}};
        for (int64_t row = own.first; row < own.end && r != ranks->rank && r != 1; row++)
            sent += row <= r || row >= ROWS - 2;
    }
    for (int64_t row = 0; row < ROWS; row++)
        w->numbers[row] = row >= own.first && row < own.end ? (double)(step - row) : -1e9;
    CHECK(allgather_needed(ranks, shares, needs, &array, 1));
    for (int64_t row = 0; row < ROWS; row++) {
        const bool is_own = row >= own.first && row < own.end;
        const bool has_it = is_own || (ranks->rank != 1 && (row <= ranks->rank || row >= ROWS - 2));
        w->differences += w->numbers[row] != (has_it ? (double)(step - row) : -1e9);
    }
    w->differences += ranks->exchange_bytes - before != sent * (double)sizeof(double);
    return STATUS_OK;
}

// The own rows, of shares that are as unlike as they can be, to all ranks.
static enum status gather_all(struct work *w, int step)
{
    struct share shares[RANKS_MOST];
    struct ranks *ranks = w->ranks;
    const struct allgather_array arrays[] = {{w->gathered, COLUMNS * sizeof(double)},
                                             {w->numbers, sizeof(double)}};
    for (int r = 0; r < ranks->count; r++) { // the first have a row each, the last but one all others
        shares[r].first = r + 1 < ranks->count ? r : ROWS - 1;
        shares[r].end = r + 2 < ranks->count ? r + 1 : r + 1 < ranks->count ? ROWS - 1 : ROWS;
    }
    if (ranks->count == 1)
        shares[0].first = 0;
    memset(w->gathered, 0, sizeof(double) * ROWS * COLUMNS);
    memset(w->numbers, 0, sizeof(double) * ROWS);
    for (int64_t row = shares[ranks->rank].first; row < shares[ranks->rank].end; row++) {
        memcpy(&w->gathered[row * COLUMNS], &w->alone[0][row * COLUMNS], sizeof(double) * COLUMNS);
        w->numbers[row] = (double)(step + row);
    }
    const double before = ranks->exchange_bytes;
    CHECK(allgather_rows(ranks, shares, arrays, 2));
    w->differences += memcmp(w->gathered, w->alone[0], sizeof(double) * ROWS * COLUMNS) != 0;
    for (int64_t row = 0; row < ROWS; row++)
        w->differences += w->numbers[row] != (double)(step + row);
    w->differences +=
        ranks->exchange_bytes - before != (double)(ranks->count - 1) * sizeof(double) * (COLUMNS + 1) *
                                              (double)(shares[ranks->rank].end - shares[ranks->rank].first);
    return gather_needed(w, shares, step);
}

static enum status run(struct work *w, int depth, int steps, work_at_step *at_step)
{
    const struct sink sink = gather_sink(&w->gather, (struct sink){.context = w, .write = see_frame});
    const struct share own = w->exchange.own, all = {0, ROWS};
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t c = 0; c < COLUMNS; c++) {
            w->alone[0][row * COLUMNS + c] = stencil_start(row, c);
            if (row >= own.first && row < own.end)
                w->states[0][row * COLUMNS + c] = stencil_start(row, c);
        }
    for (int step = 0; step < steps; step++) {
        int64_t vote = step + w->ranks->rank;
        if (at_step)
            at_step(w->ranks, step);
        CHECK(ranks_failed(w->ranks));
        CHECK(ranks_largest(w->ranks, TRANSPORT_STEPS, &vote, 1));
        w->differences += vote != step + w->ranks->count - 1;
        if (step % depth == 0) {
            CHECK(exchange_begin(&w->exchange));
            CHECK(exchange_end(&w->exchange));
        }
        stencil_step(w->states, exchange_valid(&w->exchange, step % depth + 1), ROWS, COLUMNS, STENCIL_EDGES);
        stencil_step(w->alone, all, ROWS, COLUMNS, STENCIL_EDGES);
        for (int64_t row = own.first; row < own.end; row++)
            w->differences += memcmp(&w->states[0][row * COLUMNS], &w->alone[0][row * COLUMNS],
                                     COLUMNS * sizeof(double)) != 0;
        CHECK(gather_all(w, step));
        if (step % 5 == 0)
            CHECK(emit(w, &sink));
    }
    if (w->ranks->rank == 0)
        w->differences += w->frames_seen != 2 * ((steps + 4) / 5);
    return STATUS_OK;
}

int work_run(struct ranks *ranks, int depth, int steps, work_at_step *at_step)
{
    struct share shares[RANKS_MOST];
    struct work *w = calloc(1, sizeof *w);
    if (!w)
        return -1;
    w->ranks = ranks;
    memory_plan_begin(&w->memory);
    enum status status = shares_cut(
        &(struct shares_request){
            .rows = ROWS, .ranks = ranks->count, .least = 2 * (int64_t)depth, .what = "rows"},
        shares);
    if (status == STATUS_OK)
        status = plan(w, shares, depth);
    if (status == STATUS_OK)
        status = run(w, depth, steps, at_step);
    const int differences = status == STATUS_OK ? w->differences : -1;
    if (ranks_have_failed(ranks)) // messages may still use the memory
        return -1;
    memory_plan_release(&w->memory);
    free(w);
    return differences;
}
