// Correlations of the fast CPU version. The partners of a rank's spins may lie in any rank's rows: those of
// all ranks come by, one after the other.
#include "models/ising/openmp_solver.h"

#include "models/team.h"
#include "parallel/ring.h"

#include <string.h>

struct correlating {
    const struct solver *solver;
    size_t distances;
    const int64_t *distance;
    int64_t *to; // of the replica
    int64_t replica;
    // The rows of a rank that are here now: [2][its rows][words].
    const uint32_t *visitor;
    struct share rows;
};

static uint32_t visiting_spin(const struct correlating *c, int64_t x, int64_t y)
{
    const struct ising_words *l = &c->solver->layout;
    const int64_t k = x / 2, line = (x & 1) * (c->rows.end - c->rows.first) + y - c->rows.first;
    return c->visitor[line * l->words + k % l->words] >> (k / l->words) & 1;
}

// Σ s s' of the sites first … end − 1 of row y with those `shift` further in row other_y, if that is here.
static int64_t correlate_part(const struct correlating *c, int64_t y, int64_t other_y, int64_t first,
                              int64_t end, int64_t shift)
{
    int64_t unlike = 0;
    if (other_y < c->rows.first || other_y >= c->rows.end)
        return 0;
    for (int64_t x = first; x < end; x++)
        unlike += ising_spin(c->solver, c->replica, x, y) != visiting_spin(c, x + shift, other_y);
    return end - first - 2 * unlike;
}

static int64_t correlate_row(const struct correlating *c, int64_t y, int64_t distance, bool is_down)
{
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    const int64_t columns = lattice->columns, rows = lattice->rows;
    if (is_down)
        return correlate_part(c, y, (y + distance) % rows, 0, columns, 0);
    const int64_t shift = distance % columns, seam = columns - shift;
    const bool is_helical = lattice->boundary == ISING_HELICAL;
    const int64_t before = is_helical ? (y + distance / columns) % rows : y,
                  beyond = is_helical ? (y + distance / columns + 1) % rows : y;
    return correlate_part(c, y, before, 0, seam, shift) +
           correlate_part(c, y, beyond, seam, columns, shift - columns);
}

static void correlate_item(void *context, size_t item)
{
    const struct correlating *c = context;
    const int64_t distance = c->distance[item % c->distances];
    for (int64_t y = c->solver->own.first; y < c->solver->own.end; y++)
        c->to[item] += correlate_row(c, y, distance, item >= c->distances);
}

// The own rows of the replica as a visitor.
static const uint32_t *own_rows(struct solver *s, int64_t replica)
{
    const int64_t length = ising_own_rows(s) * s->layout.words;
    if (!s->own_words)
        return &s->words[ising_word_at(&s->layout, replica, 0, 0, 0)];
    for (int plane = 0; plane < 2; plane++)
        memcpy(s->visitors[0] + plane * length,
               &s->words[ising_word_at(&s->layout, replica, plane, s->own.first, 0)],
               (size_t)length * sizeof *s->words);
    return s->visitors[0];
}

static enum status correlate_replica(struct solver *s, struct correlating *c)
{
    const int ranks = s->setup.shares ? s->setup.ranks->count : 1;
    int64_t most = 0;
    c->rows = s->own;
    c->visitor = own_rows(s, c->replica);
    for (int r = 0; ranks > 1 && r < ranks; r++) {
        const int64_t rows = s->setup.shares[r].end - s->setup.shares[r].first;
        most = rows > most ? rows : most;
    }
    const size_t bytes = 2 * (size_t)(most * s->layout.words) * sizeof *s->words;
    for (int hop = 0; hop < ranks; hop++) {
        if (hop > 0) {
            uint32_t *next = s->visitors[hop & 1];
            CHECK(ring_pass(s->setup.ranks, c->visitor, next, bytes));
            c->visitor = next;
            c->rows = s->setup.shares[(s->setup.ranks->rank + hop) % ranks];
        }
        team_for(s->threads, 2 * c->distances, correlate_item, c);
    }
    return STATUS_OK;
}

enum status ising_correlate(struct solver *s, size_t distances, const int64_t *distance,
                            int64_t *correlations)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const size_t length = ising_correlations_length(lattice, distances);
    struct correlating c = {.solver = s, .distances = distances, .distance = distance, .to = correlations};
    memset(correlations, 0, (size_t)lattice->replicas * length * sizeof *correlations);
    for (c.replica = 0; c.replica < lattice->replicas; c.replica++) {
        CHECK(correlate_replica(s, &c));
        int64_t *rows = c.to + 2 * distances, *columns = rows + lattice->rows;
        for (int64_t y = s->own.first; y < s->own.end; y++)
            for (int64_t x = 0; x < lattice->columns; x++) {
                const int spin = ising_spin(s, c.replica, x, y) ? 1 : -1;
                rows[y] += spin;
                columns[x] += spin;
            }
        c.to += length;
    }
    return ising_add_ranks(s, correlations, (size_t)lattice->replicas * length);
}
