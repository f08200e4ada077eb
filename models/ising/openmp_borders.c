// Clusters of SWENDSEN_WANG of which several ranks have parts (openmp_clusters.c has what a rank does alone).
// Each rank numbers the roots of its own rows from which an open bond leads out, and tells its neighbours the
// labels of the sites at its borders; the smaller label counts. That is repeated until no label of any rank
// changes: then each is the smallest site of the whole cluster, as in one rank. Sizes of parts go around the
// ring to the rank that has that site.
#include "models/ising/openmp_clusters.h"

#include "models/arrays.h"
#include "models/team.h"
#include "parallel/ring.h"

#include <assert.h>
#include <stdlib.h>

#define NOT_SHARED UINT32_MAX

enum { BORDER_ABOVE, BORDER_BELOW, BORDERS };
enum { TO_ABOVE, TO_BELOW, FROM_ABOVE, FROM_BELOW, RIMS };
enum { ROW_ABOVE, ROW_FIRST, ROW_OPEN, ROW_KINDS };

// Of a cluster: what one rank has of it. Without a size: none.
struct ising_part {
    uint32_t replica, label, size;
};

enum status ising_borders_plan(struct ising_clusters *c, struct memory_plan *plan, const char *prefix)
{
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    const size_t replicas = (size_t)lattice->replicas, columns = (size_t)lattice->columns;
    const size_t numbers = sizeof(struct ising_part) / sizeof(uint32_t);
    if (!c->solver->setup.shares)
        return STATUS_OK;
    struct ising_borders *b = calloc(1, sizeof *b);
    c->borders = b;
    if (!b)
        return FAIL(STATUS_SYSTEM, "no memory for the clusters of several ranks");
    b->most = BORDERS * (uint32_t)columns;
    const struct array_row arrays[] = {
        {ELEMENT_I32, 1, replicas, &b->counts, "number of shared clusters"},
        {ELEMENT_I32, replicas, b->most, &b->roots, "roots of shared clusters"},
        {ELEMENT_I32, replicas, b->most, &b->labels, "labels of shared clusters"},
        {ELEMENT_I64, replicas, b->most, &b->sizes, "sizes of shared clusters"},
        {ELEMENT_I32, replicas * BORDERS, columns, &b->numbers, "shared clusters of sites"},
        {ELEMENT_U8, replicas, columns + 1, &b->edges_above, "edges of the rank above"},
        {ELEMENT_U8, replicas * ROW_KINDS, c->row_bytes, &b->rows, "rows of spins at the border"},
        {ELEMENT_I32, RIMS * replicas, columns, &b->messages, "labels of neighbours"},
        {ELEMENT_I32, replicas * b->most, numbers, &b->parts[0], "parts of shared clusters"},
        {ELEMENT_I32, replicas * b->most, numbers, &b->parts[1], "parts of another rank"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

static uint32_t *numbers_of(const struct ising_clusters *c, size_t replica, size_t border)
{
    return c->borders->numbers +
           (replica * BORDERS + border) * (size_t)c->solver->setup.physics->lattice.columns;
}

static uint32_t *message_of(const struct ising_clusters *c, size_t rim, size_t replica)
{
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    return c->borders->messages + (rim * (size_t)lattice->replicas + replica) * (size_t)lattice->columns;
}

static uint8_t *edges_of(const struct ising_clusters *c, size_t replica, size_t border)
{
    const size_t columns = (size_t)c->solver->setup.physics->lattice.columns;
    return border == BORDER_ABOVE ? c->borders->edges_above + replica * (columns + 1)
                                  : ising_edges_of(c, (replica + 1) * (size_t)c->strips - 1);
}

// ---- the shared roots of this rank

// The bonds from the row above the own ones, which its rank draws, too.
static void open_above(const struct ising_clusters *c, size_t replica)
{
    const struct solver *s = c->solver;
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t columns = lattice->columns, first = s->own.first;
    uint8_t *rows[ROW_KINDS], *edges = edges_of(c, replica, BORDER_ABOVE);
    for (size_t k = 0; k < ROW_KINDS; k++)
        rows[k] = c->borders->rows + (replica * ROW_KINDS + k) * c->row_bytes;
    const uint8_t *open = rows[ROW_OPEN];
    ising_spread_row(s, (int64_t)replica, first - 1, rows[ROW_ABOVE]);
    ising_spread_row(s, (int64_t)replica, first, rows[ROW_FIRST]);
    ising_open_row(s, (int64_t)replica, (first + lattice->rows - 1) % lattice->rows, rows[ROW_ABOVE],
                   rows[ROW_FIRST], rows[ROW_OPEN]);
    for (int64_t x = 0; x < columns; x++)
        edges[x] = open[x] & ISING_OPEN_DOWN;
    edges[columns] = lattice->boundary == ISING_HELICAL && (open[columns - 1] & ISING_OPEN_RIGHT);
}

static uint32_t number_root(const struct ising_clusters *c, size_t replica, uint32_t site)
{
    const struct ising_borders *b = c->borders;
    uint32_t *labels = ising_labels_of(c, (int64_t)replica);
    const uint32_t root = ising_root_of(labels, site);
    if (!(labels[root] & ISING_SHARED)) {
        const uint32_t number = b->counts[replica]++;
        b->roots[replica * b->most + number] = b->labels[replica * b->most + number] = root;
        labels[root] = ISING_SHARED | number;
    }
    return labels[root] & ~ISING_SHARED;
}

static void number_roots(void *context, size_t replica)
{
    const struct ising_clusters *c = context;
    const struct share *own = &c->solver->own;
    const uint32_t columns = (uint32_t)c->solver->setup.physics->lattice.columns;
    const uint32_t starts[BORDERS] = {
        [BORDER_ABOVE] = (uint32_t)own->first * columns, [BORDER_BELOW] = (uint32_t)(own->end - 1) * columns};
    // The site whose bond to the right leads across the border (helical boundary) is the row's last; from the
    // row above it comes to the first.
    const uint32_t seams[BORDERS] = {[BORDER_ABOVE] = 0, [BORDER_BELOW] = columns - 1};
    open_above(c, replica);
    c->borders->counts[replica] = 0;
    for (size_t border = 0; border < BORDERS; border++) {
        const uint8_t *edges = edges_of(c, replica, border);
        uint32_t *numbers = numbers_of(c, replica, border);
        for (uint32_t x = 0; x < columns; x++)
            numbers[x] = edges[x] || (x == seams[border] && edges[columns])
                             ? number_root(c, replica, starts[border] + x)
                             : NOT_SHARED;
    }
}

// ---- labels

static void pack_labels(void *context, size_t replica)
{
    const struct ising_clusters *c = context;
    const struct ising_borders *b = c->borders;
    const uint32_t *labels = b->labels + replica * b->most;
    for (size_t border = 0; border < BORDERS; border++) {
        const uint32_t *numbers = numbers_of(c, replica, border);
        uint32_t *message = message_of(c, border == BORDER_ABOVE ? TO_ABOVE : TO_BELOW, replica);
        for (int64_t x = 0; x < c->solver->setup.physics->lattice.columns; x++)
            message[x] = numbers[x] == NOT_SHARED ? NOT_SHARED : labels[numbers[x]];
    }
}

static bool take_label(uint32_t *own, uint32_t label)
{
    const bool is_smaller = label < *own;
    *own = is_smaller ? label : *own;
    return is_smaller;
}

// Returns whether a label has changed.
static bool take_labels(const struct ising_clusters *c, size_t replica)
{
    const struct ising_borders *b = c->borders;
    const size_t last = (size_t)c->solver->setup.physics->lattice.columns - 1;
    uint32_t *labels = b->labels + replica * b->most;
    bool is_changed = false;
    for (size_t border = 0; border < BORDERS; border++) {
        const bool is_above = border == BORDER_ABOVE;
        const uint8_t *edges = edges_of(c, replica, border);
        const uint32_t *numbers = numbers_of(c, replica, border);
        const uint32_t *message = message_of(c, is_above ? FROM_ABOVE : FROM_BELOW, replica);
        for (size_t x = 0; x <= last; x++)
            if (edges[x])
                is_changed |= take_label(&labels[numbers[x]], message[x]);
        if (edges[last + 1])
            is_changed |= take_label(&labels[numbers[is_above ? 0 : last]], message[is_above ? last : 0]);
    }
    return is_changed;
}

enum status ising_borders_join(struct ising_clusters *c)
{
    struct solver *s = c->solver;
    const size_t replicas = (size_t)s->layout.replicas;
    int64_t is_changed = 1;
    if (!c->borders)
        return STATUS_OK;
    team_for(s->threads, replicas, number_roots, c);
    const struct ring_messages messages = {.to_above = message_of(c, TO_ABOVE, 0),
                                           .to_below = message_of(c, TO_BELOW, 0),
                                           .from_above = message_of(c, FROM_ABOVE, 0),
                                           .from_below = message_of(c, FROM_BELOW, 0),
                                           .bytes = replicas * (size_t)s->setup.physics->lattice.columns *
                                                    sizeof(uint32_t)};
    while (is_changed) {
        team_for(s->threads, replicas, pack_labels, c);
        CHECK(ring_swap(s->setup.ranks, &messages));
        is_changed = 0;
        for (size_t replica = 0; replica < replicas; replica++)
            is_changed |= take_labels(c, replica);
        CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, &is_changed, 1));
    }
    return STATUS_OK;
}

// ---- sizes

static uint32_t size_of_part(const struct ising_clusters *c, size_t replica, uint32_t number)
{
    const struct ising_borders *b = c->borders;
    return ising_sizes_of(c, (int64_t)replica)[b->roots[replica * b->most + number]] & ~ISING_FLIPS;
}

static int64_t list_parts(const struct ising_clusters *c)
{
    const struct ising_borders *b = c->borders;
    int64_t count = 0;
    for (size_t replica = 0; replica < (size_t)c->solver->layout.replicas; replica++)
        for (uint32_t k = 0; k < b->counts[replica]; k++) {
            b->sizes[replica * b->most + k] = 0;
            b->parts[0][count++] = (struct ising_part){(uint32_t)replica, b->labels[replica * b->most + k],
                                                       size_of_part(c, replica, k)};
        }
    return count;
}

// The smallest site of a shared cluster is a shared root of the rank that has it.
static void take_parts(const struct ising_clusters *c, const struct ising_part *parts, int64_t count)
{
    const struct ising_borders *b = c->borders;
    const struct share *own = &c->solver->own;
    const int64_t columns = c->solver->setup.physics->lattice.columns;
    for (int64_t k = 0; k < count; k++) {
        const struct ising_part *part = &parts[k];
        if (part->size == 0 || part->label < own->first * columns || part->label >= own->end * columns)
            continue;
        const uint32_t label = ising_labels_of(c, part->replica)[part->label];
        assert(label & ISING_SHARED);
        b->sizes[part->replica * b->most + (label & ~ISING_SHARED)] += part->size;
    }
}

static enum status add_parts(const struct ising_clusters *c)
{
    const struct ising_borders *b = c->borders;
    struct ranks *ranks = c->solver->setup.ranks;
    const int64_t count = list_parts(c);
    int64_t most = count;
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, &most, 1));
    for (int64_t k = count; k < most; k++)
        b->parts[0][k] = (struct ising_part){.size = 0};
    take_parts(c, b->parts[0], most);
    for (int hop = 1; hop < ranks->count; hop++) {
        struct ising_part *visitor = b->parts[hop & 1];
        CHECK(ring_pass(ranks, b->parts[~hop & 1], visitor, (size_t)most * sizeof *visitor));
        take_parts(c, visitor, most);
    }
    return STATUS_OK;
}

enum status ising_borders_part(struct ising_clusters *c, bool is_measured)
{
    const struct ising_borders *b = c->borders;
    if (!b)
        return STATUS_OK;
    if (is_measured)
        CHECK(add_parts(c));
    for (size_t replica = 0; replica < (size_t)c->solver->layout.replicas; replica++)
        for (uint32_t k = 0; k < b->counts[replica]; k++) {
            const uint32_t root = b->roots[replica * b->most + k];
            ising_labels_of(c, (int64_t)replica)[root] = root;
        }
    return STATUS_OK;
}

int64_t ising_borders_squares(const struct ising_clusters *c, size_t replica)
{
    const struct ising_borders *b = c->borders;
    int64_t squares = 0;
    for (uint32_t k = 0; b && k < b->counts[replica]; k++) {
        const size_t at = replica * b->most + k;
        const int64_t part = size_of_part(c, replica, k),
                      all = b->labels[at] == b->roots[at] ? b->sizes[at] : 0;
        squares += all * all - part * part;
    }
    return squares;
}
