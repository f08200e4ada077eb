// Polygons cut at a meridian (see the header). Rings that cross the line leave chains of positions, each
// from where the ring comes in to where it goes out. With what is bounded to the left of every chain, the way
// on from an end leads along the line, to the south on its eastern side, to the north on its western one, to
// the nearest beginning of a chain.
#include "io/geo/clip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void geo_rings_free(struct geo_rings *rings)
{
    for (size_t k = 0; k < rings->count; k++)
        free(rings->rings[k].points);
    free(rings->rings);
    *rings = (struct geo_rings){0};
}

static enum status no_memory(void)
{
    return FAIL(STATUS_SYSTEM, "not enough memory for the parts of a polygon");
}

// Room for one more of `count` elements, doubled when it is used up.
static enum status make_room(void **array, size_t count, size_t bytes)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return STATUS_OK;
    void *more = realloc(*array, (count == 0 ? 1 : 2 * count) * bytes);
    if (!more)
        return no_memory();
    *array = more;
    return STATUS_OK;
}

enum status geo_rings_add(struct geo_rings *rings, const double (*points)[2], size_t count)
{
    CHECK(make_room((void **)&rings->rings, rings->count, sizeof *rings->rings));
    double(*copy)[2] = malloc((count + 1) * sizeof *copy);
    if (!copy)
        return no_memory();
    memcpy(copy, points, count * sizeof *copy);
    rings->rings[rings->count++] = (struct geo_ring){copy, count};
    return STATUS_OK;
}

double geo_ring_area(const struct geo_ring *ring)
{
    const double *first = ring->points[0];
    double area = 0;
    for (size_t k = 1; k + 1 < ring->count; k++) {
        const double *a = ring->points[k], *b = ring->points[k + 1];
        area += (a[0] - first[0]) * (b[1] - first[1]) - (b[0] - first[0]) * (a[1] - first[1]);
    }
    return area;
}

bool geo_ring_has(const struct geo_ring *ring, const double point[2])
{
    bool is_inside = false;
    for (size_t k = 0; k < ring->count; k++) {
        const double *p = ring->points[k], *q = ring->points[(k + 1) % ring->count];
        if ((p[1] > point[1]) != (q[1] > point[1]) &&
            point[0] < p[0] + (point[1] - p[1]) * (q[0] - p[0]) / (q[1] - p[1]))
            is_inside = !is_inside;
    }
    return is_inside;
}

// ---- chains

struct chain {
    double (*points)[2]; // owned
    size_t count;
    double begin, end; // along the line, in the direction of the way on
    size_t next;       // chain; SIZE_MAX: not known yet
    bool is_taken;     // as the next one of another
    bool is_used;      // in a ring
};

struct cut {
    double line, sign;    // 1: what lies to the east is kept
    struct chain *chains; // owned
    size_t count;
};

static double side_of(const struct cut *cut, const double point[2])
{
    return cut->sign * (point[0] - cut->line);
}

static enum status append(struct chain *chain, double x, double y)
{
    CHECK(make_room((void **)&chain->points, chain->count, sizeof *chain->points));
    chain->points[chain->count][0] = x;
    chain->points[chain->count++][1] = y;
    return STATUS_OK;
}

// Where a side crosses the line; the same number from both of its ends' sides.
static double crossing(const struct cut *cut, const double *in, const double *out)
{
    const double *west = in[0] < out[0] ? in : out, *east = in[0] < out[0] ? out : in;
    return out[0] == cut->line ? out[1]
                               : west[1] + (east[1] - west[1]) * (cut->line - west[0]) / (east[0] - west[0]);
}

// One chain: from the side that comes in before position `first`; *next: the position at which it is out.
static enum status take_chain(struct cut *cut, const struct geo_ring *ring, size_t first, size_t *next)
{
    CHECK(make_room((void **)&cut->chains, cut->count, sizeof *cut->chains));
    struct chain *chain = &cut->chains[cut->count++];
    *chain = (struct chain){.next = SIZE_MAX};
    const size_t n = ring->count;
    const double *before = ring->points[(first + n - 1) % n];
    const double begin = crossing(cut, ring->points[first % n], before);
    CHECK(append(chain, cut->line, begin));
    size_t k = first;
    for (; side_of(cut, ring->points[k % n]) > 0; k++)
        CHECK(append(chain, ring->points[k % n][0], ring->points[k % n][1]));
    const double end = crossing(cut, ring->points[(k - 1) % n], ring->points[k % n]);
    CHECK(append(chain, cut->line, end));
    chain->begin = -cut->sign * begin;
    chain->end = -cut->sign * end;
    *next = k;
    return STATUS_OK;
}

// The chains of a ring; a ring that does not reach the line is kept or left out whole.
static enum status cut_ring(struct cut *cut, const struct geo_ring *ring, struct geo_rings *clipped)
{
    const size_t n = ring->count;
    size_t out = 0;
    while (out < n && side_of(cut, ring->points[out]) > 0)
        out++;
    if (out == n)
        return geo_rings_add(clipped, (const double(*)[2])ring->points, n);
    for (size_t k = out + 1; k < out + n;)
        if (side_of(cut, ring->points[k % n]) > 0)
            CHECK(take_chain(cut, ring, k, &k));
        else
            k++;
    return STATUS_OK;
}

// The nearest beginning behind the end of chain k. Chains that touch the line at one point stay rings of
// their own (only_same: looks for those alone).
static void find_next(struct cut *cut, size_t k, bool only_same)
{
    struct chain *chain = &cut->chains[k];
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < cut->count; c++) {
        const struct chain *other = &cut->chains[c];
        if (other->is_taken || other->begin < chain->end || (only_same && other->begin != chain->end))
            continue;
        if (best == SIZE_MAX || other->begin < cut->chains[best].begin ||
            (other->begin == cut->chains[best].begin && c == k))
            best = c;
    }
    if (best == SIZE_MAX)
        return;
    chain->next = best;
    cut->chains[best].is_taken = true;
}

static int compare_ends(const void *a, const void *b)
{
    const struct chain *one = a, *other = b;
    return (one->end < other->end) - (one->end > other->end);
}

// From the farthest end backwards, so that none takes a beginning that a nearer end needs.
static void link_chains(struct cut *cut)
{
    if (cut->count > 0)
        qsort(cut->chains, cut->count, sizeof *cut->chains, compare_ends);
    for (size_t k = 0; k < cut->count; k++)
        find_next(cut, k, true);
    for (size_t k = 0; k < cut->count; k++)
        if (cut->chains[k].next == SIZE_MAX)
            find_next(cut, k, false);
}

// Without an end's successor the rings contradict themselves: the chain is closed for itself.
static enum status join_ring(struct cut *cut, size_t first, struct geo_rings *clipped)
{
    struct chain whole = {0};
    enum status status = STATUS_OK;
    for (size_t c = first; c != SIZE_MAX && !cut->chains[c].is_used; c = cut->chains[c].next) {
        cut->chains[c].is_used = true;
        for (size_t k = 0; k < cut->chains[c].count && status == STATUS_OK; k++) {
            const double *p = cut->chains[c].points[k],
                         *last = whole.count > 0 ? whole.points[whole.count - 1] : NULL;
            if (!last || p[0] != last[0] || p[1] != last[1])
                status = append(&whole, p[0], p[1]);
        }
    }
    while (whole.count > 1 && memcmp(whole.points[0], whole.points[whole.count - 1], 2 * sizeof(double)) == 0)
        whole.count--;
    const struct geo_ring ring = {whole.points, whole.count};
    if (status == STATUS_OK && whole.count >= 3 && geo_ring_area(&ring) != 0)
        status = geo_rings_add(clipped, (const double(*)[2])whole.points, whole.count);
    free(whole.points);
    return status;
}

enum status geo_rings_clip(const struct geo_rings *rings, double line, bool is_east,
                           struct geo_rings *clipped)
{
    struct cut cut = {.line = line, .sign = is_east ? 1 : -1};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < rings->count && status == STATUS_OK; k++)
        status = cut_ring(&cut, &rings->rings[k], clipped);
    link_chains(&cut);
    for (size_t k = 0; k < cut.count && status == STATUS_OK; k++)
        if (!cut.chains[k].is_used)
            status = join_ring(&cut, k, clipped);
    for (size_t k = 0; k < cut.count; k++)
        free(cut.chains[k].points);
    free(cut.chains);
    return status;
}
