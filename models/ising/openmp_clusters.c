// Updates of SWENDSEN_WANG (state.h, CLUSTERS) of the fast CPU version: strips of rows are labelled
// independently, joined at their edges, and flipped. The final label of a cluster is its smallest site
// number, so the result does not depend on the order of joining, nor on what lies on which rank: what several
// ranks have of a cluster is in openmp_borders.c.
#include "models/ising/openmp_clusters.h"

#include "models/arrays.h"
#include "models/team.h"

#include <stdlib.h>
#include <string.h>

// The largest number of rows of a strip. Each replica has its own strips.
enum { STRIP_ROWS = 64 };

// The highest bit of a size: the cluster flips. A lattice has fewer than 2³¹ sites.
#define FLIPS 0x80000000u

// Arrays of a strip for the current row and the one below, [columns] bytes each.
enum { ROW_OWN, ROW_BELOW, ROW_OPEN, ROW_OPEN_ABOVE, ROW_KINDS };

enum status ising_clusters_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const size_t columns = (size_t)lattice->columns, first = (size_t)s->own.first;
    const size_t end = first + (size_t)(lattice->replicas * ising_own_rows(s));
    struct ising_clusters *c = calloc(1, sizeof *c);
    s->clusters = c;
    if (!c)
        return FAIL(STATUS_SYSTEM, "no memory for the clusters");
    c->solver = s;
    c->strips = (ising_own_rows(s) + STRIP_ROWS - 1) / STRIP_ROWS;
    c->row_bytes = (columns + ISING_ROW_MORE) / ISING_ROW_MORE * ISING_ROW_MORE + ISING_ROW_MORE;
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_I32, first, end, columns, (void **)&c->labels,
                               "%slabels", prefix));
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_I32, first, end, columns, (void **)&c->sizes,
                               "%ssizes of clusters", prefix));
    const size_t strips = (size_t)(lattice->replicas * c->strips);
    const struct array_row arrays[] = {
        {ELEMENT_I64, 1, strips, &c->squares, "squares of clusters"},
        {ELEMENT_U8, strips, columns + 1, &c->edges, "edges of strips"},
        {ELEMENT_U8, strips * ROW_KINDS, c->row_bytes, &c->rows, "rows of spins"},
    };
    CHECK(ARRAYS_PLAN(plan, prefix, arrays));
    return ising_borders_plan(c, plan, prefix);
}

void ising_clusters_free(struct ising_clusters *c)
{
    if (c)
        free(c->borders);
    free(c);
}

struct strip {
    const struct ising_clusters *clusters;
    int64_t replica, first, end; // rows
    uint32_t *labels, *sizes;    // of the replica
    uint8_t *edges;
    uint8_t *rows[ROW_KINDS];
};

static struct strip strip_of(const struct ising_clusters *c, size_t item)
{
    const struct share *own = &c->solver->own;
    struct strip strip = {.clusters = c, .replica = (int64_t)item / c->strips};
    strip.first = own->first + (int64_t)item % c->strips * STRIP_ROWS;
    strip.end = strip.first + STRIP_ROWS < own->end ? strip.first + STRIP_ROWS : own->end;
    strip.labels = ising_labels_of(c, strip.replica);
    strip.sizes = ising_sizes_of(c, strip.replica);
    strip.edges = ising_edges_of(c, item);
    for (size_t k = 0; k < ROW_KINDS; k++)
        strip.rows[k] = c->rows + (item * ROW_KINDS + k) * c->row_bytes;
    return strip;
}

// ---- labels

// Follows the labels, which decrease, to the root. Threads label different strips at the same time; no label
// leads out of its strip.
static uint32_t root_of(const uint32_t *labels, uint32_t site)
{
    while (labels[site] != site)
        site = labels[site];
    return site;
}

static uint32_t join(uint32_t *labels, uint32_t a, uint32_t b)
{
    const uint32_t root_a = root_of(labels, a), root_b = root_of(labels, b);
    const uint32_t least = root_a < root_b ? root_a : root_b;
    labels[root_a] = labels[root_b] = least;
    labels[a] = labels[b] = least; // shortens later searches
    return least;
}

// Labels a row. open, above: bonds of this row and of the row above. follows: whether a bond joins a site to
// the previous site. hangs: whether one joins it to the site above. The bonds are random, so the only branch
// is the one for two different labels.
static void label_row(uint32_t *labels, uint32_t start, uint32_t columns, const uint8_t *open,
                      const uint8_t *above, bool follows)
{
    uint32_t label = follows ? labels[start - 1] : start;
    for (uint32_t x = 0; x < columns; x++) {
        const uint32_t site = start + x;
        const bool hangs = above[x] & ISING_OPEN_DOWN;
        const uint32_t other = labels[hangs ? site - columns : site];
        if (follows & hangs & (label != other))
            label = join(labels, label, other);
        else
            label = follows ? label : hangs ? other : site;
        labels[site] = label;
        follows = open[x] & ISING_OPEN_RIGHT;
    }
}

// Makes every label the root within its strip, and counts the sites of each root. The label of a site is a
// smaller site, whose label already is the root.
static void count_sizes(const struct strip *strip, uint32_t first, uint32_t end)
{
    uint32_t *labels = strip->labels;
    memset(&strip->sizes[first], 0, (size_t)(end - first) * sizeof *strip->sizes);
    for (uint32_t site = first; site < end; site++) {
        labels[site] = labels[labels[site]];
        strip->sizes[labels[site]]++;
    }
}

static void exchange(uint8_t **a, uint8_t **b)
{
    uint8_t *const kept = *a;
    *a = *b;
    *b = kept;
}

static void label_strip(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    const struct solver *s = c->solver;
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t columns = lattice->columns;
    const bool is_helical = lattice->boundary == ISING_HELICAL;
    struct strip strip = strip_of(c, item);
    uint8_t *own = strip.rows[ROW_OWN], *below = strip.rows[ROW_BELOW];
    uint8_t *open = strip.rows[ROW_OPEN], *above = strip.rows[ROW_OPEN_ABOVE];
    ising_spread_row(s, strip.replica, strip.first, own);
    memset(above, 0, (size_t)columns); // bonds from the strip above: join_strips
    for (int64_t y = strip.first; y < strip.end; y++) {
        const uint32_t start = (uint32_t)(y * columns);
        ising_spread_row(s, strip.replica, ising_row_below(&s->layout, y), below);
        ising_open_row(s, strip.replica, y, own, below, open);
        label_row(strip.labels, start, (uint32_t)columns, open, above,
                  is_helical && (above[columns - 1] & ISING_OPEN_RIGHT));
        if (!is_helical && (open[columns - 1] & ISING_OPEN_RIGHT))
            join(strip.labels, start, start + (uint32_t)columns - 1);
        exchange(&own, &below);
        exchange(&open, &above);
    }
    for (int64_t x = 0; x < columns; x++)
        strip.edges[x] = above[x] & ISING_OPEN_DOWN;
    strip.edges[columns] = is_helical && (above[columns - 1] & ISING_OPEN_RIGHT);
    count_sizes(&strip, (uint32_t)(strip.first * columns), (uint32_t)(strip.end * columns));
}

static void join_strips(void *context, size_t replica)
{
    const struct ising_clusters *c = context;
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    const uint32_t columns = (uint32_t)lattice->columns;
    // Of several ranks, the last strip's neighbour is on another.
    for (int64_t k = 0; k < (c->borders ? c->strips - 1 : c->strips); k++) {
        const struct strip strip = strip_of(c, replica * (size_t)c->strips + (size_t)k);
        const uint32_t start = (uint32_t)(strip.end - 1) * columns;
        const uint32_t below = (uint32_t)(strip.end % lattice->rows) * columns;
        for (uint32_t x = 0; x < columns; x++)
            if (strip.edges[x])
                join(strip.labels, start + x, below + x);
        if (strip.edges[columns])
            join(strip.labels, start + columns - 1, below);
    }
}

// ---- flips

// A batch of roots for which random words are drawn together. `site`: root within a strip; `root`: root of
// its cluster, as far as this rank has it; `label`: that of the whole cluster.
struct roots {
    int count;
    uint32_t site[ISING_BATCH / 4], root[ISING_BATCH / 4], label[ISING_BATCH / 4];
};

// Other threads may add to the size of a cluster's root at the same time, so it is accessed atomically.
static void decide_roots(const struct strip *strip, struct roots *roots)
{
    const struct solver *s = strip->clusters->solver;
    const uint64_t before = (uint64_t)strip->replica * ising_sites(&s->setup.physics->lattice);
    uint64_t quads[ISING_BATCH / 4] = {0};
    uint32_t words[ISING_BATCH];
    for (int k = 0; k < roots->count; k++)
        quads[k] = (before + roots->label[k]) / 4;
    s->functions->draw(&s->rule.key, quads, s->sweep, ising_purpose(ISING_USE_FLIPS, 0, 0), words);
    for (int k = 0; k < roots->count; k++) {
        const uint64_t place = 4 * (uint64_t)k + (before + roots->label[k]) % 4;
        uint32_t *own = &strip->sizes[roots->site[k]], *all = &strip->sizes[roots->root[k]];
        if (own != all)
            __atomic_fetch_add(all, *own, __ATOMIC_RELAXED);
        if (words[place] & 1)
            __atomic_fetch_or(own, ISING_FLIPS, __ATOMIC_RELAXED);
    }
    roots->count = 0;
}

// For each root of a strip: sets the flag ISING_FLIPS if its cluster flips, and adds its size to that of the
// cluster's root.
static void decide_strip(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    const struct strip strip = strip_of(c, item);
    const uint32_t columns = (uint32_t)c->solver->setup.physics->lattice.columns;
    struct roots roots = {.count = 0};
    for (uint32_t site = (uint32_t)strip.first * columns; site < (uint32_t)strip.end * columns; site++) {
        if (__atomic_load_n(&strip.sizes[site], __ATOMIC_RELAXED) == 0)
            continue;
        roots.site[roots.count] = site;
        roots.root[roots.count] = ising_root_of(strip.labels, site);
        roots.label[roots.count] = ising_cluster_of(c, strip.replica, roots.root[roots.count]);
        roots.count++;
        if (roots.count == ISING_BATCH / 4)
            decide_roots(&strip, &roots);
    }
    if (roots.count > 0)
        decide_roots(&strip, &roots);
}

static void flip_strip(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    const struct solver *s = c->solver;
    const struct ising_words *l = &s->layout;
    const struct strip strip = strip_of(c, item);
    const uint32_t columns = (uint32_t)s->setup.physics->lattice.columns;
    uint8_t *spins = strip.rows[ROW_OWN];
    int64_t squares = 0;
    for (int64_t y = strip.first; y < strip.end; y++) {
        const uint32_t start = (uint32_t)y * columns;
        ising_spread_row(s, strip.replica, y, spins);
        for (uint32_t x = 0; x < columns; x++) {
            const uint32_t label = strip.labels[start + x];
            const int64_t size = label == start + x ? strip.sizes[label] & ~ISING_FLIPS : 0;
            squares += size * size;
            spins[x] ^= (uint8_t)(strip.sizes[label] >> 31);
        }
        s->functions->gather(spins, l->words, l->bits, &s->words[ising_word_at(l, strip.replica, 0, y, 0)],
                             &s->words[ising_word_at(l, strip.replica, 1, y, 0)]);
    }
    c->squares[item] = squares;
}

enum status ising_clusters_update(struct solver *s, bool is_measured)
{
    struct ising_clusters *c = s->clusters;
    const size_t replicas = (size_t)s->layout.replicas, strips = replicas * (size_t)c->strips;
    CHECK(ising_swap_words(s));
    team_for(s->threads, strips, label_strip, c);
    team_for(s->threads, replicas, join_strips, c);
    CHECK(ising_borders_join(c));
    team_for(s->threads, strips, decide_strip, c);
    CHECK(ising_borders_part(c, is_measured));
    team_for(s->threads, strips, flip_strip, c);
    for (size_t k = 0; k < replicas; k++) {
        s->counted[k] = ising_borders_squares(c, k);
        for (int64_t strip = 0; strip < c->strips; strip++)
            s->counted[k] += c->squares[k * (size_t)c->strips + (size_t)strip];
    }
    return STATUS_OK;
}
