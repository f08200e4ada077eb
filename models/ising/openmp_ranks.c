// What the ranks of a run of the fast CPU version exchange: the rows beside their own, words that go in and
// out, sums. One rank has no part of this.
#include "models/ising/openmp_solver.h"

#include "models/arrays.h"
#include "parallel/ring.h"

#include <string.h>

enum { TO_ABOVE, TO_BELOW, FROM_ABOVE, FROM_BELOW, RIMS };

static int64_t most_rows(const struct ising_setup *setup)
{
    int64_t most = 0;
    for (int r = 0; r < setup->ranks->count; r++) {
        const int64_t rows = setup->shares[r].end - setup->shares[r].first;
        most = rows > most ? rows : most;
    }
    return most;
}

enum status ising_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct ising_setup *setup = &s->setup;
    struct ising_words *l = &s->layout;
    if (!setup->shares)
        return STATUS_OK;
    s->own = setup->shares[setup->ranks->rank];
    l->held = ising_own_rows(s) + 2;
    l->above_first = -1;
    l->below_last = l->rows;
    const size_t planes = 2 * (size_t)l->replicas, words = (size_t)l->words;
    const size_t byte_rows = (size_t)(l->replicas * setup->physics->lattice.columns);
    const size_t word_rows = planes * words * sizeof *s->words;
    s->rim_bytes = byte_rows > word_rows ? byte_rows : word_rows;
    // Clusters send as much as they cross borders.
    const enum ising_method method = setup->physics->method;
    if (!ising_has_clusters(method))
        setup->ranks->planned_step_bytes =
            (double)(2 * (size_t)ising_sublattices(setup->physics->lattice.boundary) *
                     (ising_has_bytes(method) ? byte_rows : word_rows));
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_I32, (size_t)(s->own.first - 1),
                               (size_t)(s->own.first - 1) + planes * (size_t)l->held, words,
                               (void **)&s->words, "%sspins", prefix));
    const size_t visitor = 2 * (size_t)most_rows(setup);
    const struct array_row arrays[] = {
        {ELEMENT_I32, planes * (size_t)ising_own_rows(s), words, &s->own_words, "spins of the own rows"},
        {ELEMENT_U8, RIMS, s->rim_bytes, &s->rims, "rows of neighbours"},
        {ELEMENT_I32, visitor, words, &s->visitors[0], "rows of another rank"},
        {ELEMENT_I32, visitor, words, &s->visitors[1], "rows of the next other rank"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

// ---- rows of neighbours

// `parts` of the held rows follow each other; `data`: where row 0 of the first would be.
struct rim_rows {
    void *data;
    int64_t parts;
    size_t row_bytes;
};

static char *rim_of(const struct solver *s, int rim)
{
    return s->rims + (size_t)rim * s->rim_bytes;
}

// Copies row number `row` of each part into or out of a rim.
static void copy_rim(const struct solver *s, const struct rim_rows *rows, int64_t row, int rim, bool is_out)
{
    for (int64_t part = 0; part < rows->parts; part++) {
        char *held = (char *)rows->data + (part * s->layout.held + row) * (int64_t)rows->row_bytes;
        char *packed = rim_of(s, rim) + (size_t)part * rows->row_bytes;
        memcpy(is_out ? packed : held, is_out ? held : packed, rows->row_bytes);
    }
}

// Sends row `above` to the rank above and row `below` to that below.
static enum status send_rows(struct solver *s, const struct rim_rows *rows, int64_t above, int64_t below)
{
    const struct ring_messages messages = {.to_above = rim_of(s, TO_ABOVE),
                                           .to_below = rim_of(s, TO_BELOW),
                                           .from_above = rim_of(s, FROM_ABOVE),
                                           .from_below = rim_of(s, FROM_BELOW),
                                           .bytes = (size_t)rows->parts * rows->row_bytes};
    copy_rim(s, rows, above, TO_ABOVE, true);
    copy_rim(s, rows, below, TO_BELOW, true);
    return ring_swap(s->setup.ranks, &messages);
}

static enum status swap_rows(struct solver *s, const struct rim_rows *rows)
{
    if (!s->rims)
        return STATUS_OK;
    CHECK(send_rows(s, rows, s->own.first, s->own.end - 1));
    copy_rim(s, rows, s->own.first - 1, FROM_ABOVE, false);
    copy_rim(s, rows, s->own.end, FROM_BELOW, false);
    return STATUS_OK;
}

static struct rim_rows byte_rows(struct solver *s)
{
    return (struct rim_rows){s->bytes, s->layout.replicas, (size_t)s->setup.physics->lattice.columns};
}

enum status ising_swap_words(struct solver *s)
{
    const struct rim_rows rows = {s->words, 2 * s->layout.replicas,
                                  (size_t)s->layout.words * sizeof *s->words};
    return swap_rows(s, &rows);
}

enum status ising_swap_bytes(struct solver *s)
{
    const struct rim_rows rows = byte_rows(s);
    return swap_rows(s, &rows);
}

enum status ising_return_bytes(struct solver *s)
{
    const struct rim_rows rows = byte_rows(s);
    return send_rows(s, &rows, s->own.first - 1, s->own.end);
}

const uint8_t *ising_returned_bytes(const struct solver *s, int border, size_t replica)
{
    const char *rim = rim_of(s, border == 0 ? FROM_ABOVE : FROM_BELOW);
    return (const uint8_t *)rim + replica * (size_t)s->setup.physics->lattice.columns;
}

// ---- in and out

static void copy_words(struct solver *s, bool is_in)
{
    const int64_t length = ising_own_rows(s) * s->layout.words;
    for (int64_t plane = 0; s->own_words && plane < 2 * s->layout.replicas; plane++) {
        uint32_t *held = &s->words[(plane * s->layout.held + s->own.first) * s->layout.words],
                 *own = &s->own_words[plane * length];
        memcpy(is_in ? held : own, is_in ? own : held, (size_t)length * sizeof *own);
    }
}

void ising_take_words(struct solver *s)
{
    copy_words(s, true);
}

void ising_give_words(struct solver *s)
{
    copy_words(s, false);
}

enum status ising_add_ranks(struct solver *s, int64_t *values, size_t count)
{
    return s->setup.shares ? ranks_add(s->setup.ranks, TRANSPORT_STEPS, values, (int)count) : STATUS_OK;
}
