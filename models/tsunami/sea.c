// Bodies of water: the wet nodes of a row in stretches; stretches that touch are joined (union-find by size).
#include "models/tsunami/sea.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const size_t none = SIZE_MAX;

// Wet nodes [first, end) of one row. `joined` is the parent of a union-find tree: the root points to itself,
// represents the body and holds its sums.
struct stretch {
    uint32_t first, end;
    size_t joined, nodes;
    double depths_m; // sum over the nodes
    double moved;    // of the body: the largest value passed to tsunami_sea_note_row
    double moved_m3; // of the body: the sum of what tsunami_sea_add_moved was given
    size_t main; // see tsunami_sea_close_branches: the body with the most water that this one joins; or none
    bool is_open;
};

struct tsunami_sea {
    size_t nx, ny, rows; // rows: added so far
    bool is_x_periodic, is_y_periodic;
    struct stretch *stretches;
    size_t count, capacity;
    size_t *begin; // [ny + 1]: a row's first stretch
};

enum { FIRST_CAPACITY = 1024 };

enum status tsunami_sea_create(size_t nx, size_t ny, bool is_x_periodic, bool is_y_periodic,
                               struct tsunami_sea **sea)
{
    struct tsunami_sea *fresh = calloc(1, sizeof *fresh);
    *sea = fresh;
    if (fresh) {
        fresh->nx = nx;
        fresh->ny = ny;
        fresh->is_x_periodic = is_x_periodic;
        fresh->is_y_periodic = is_y_periodic;
        fresh->begin = calloc(ny + 1, sizeof *fresh->begin);
    }
    if (fresh && fresh->begin && nx <= UINT32_MAX)
        return STATUS_OK;
    tsunami_sea_free(fresh);
    *sea = NULL;
    return FAIL(STATUS_SYSTEM, "no memory for the bodies of water of %zu rows", ny);
}

void tsunami_sea_free(struct tsunami_sea *sea)
{
    if (!sea)
        return;
    free(sea->stretches);
    free(sea->begin);
    free(sea);
}

static size_t body_of(const struct tsunami_sea *sea, size_t k)
{
    while (sea->stretches[k].joined != k)
        k = sea->stretches[k].joined;
    return k;
}

static void join(struct tsunami_sea *sea, size_t a, size_t b)
{
    struct stretch *stretches = sea->stretches;
    a = body_of(sea, a);
    b = body_of(sea, b);
    if (a == b)
        return;
    // The smaller to the larger: paths stay shorter than the logarithm of the number of stretches.
    const size_t large = stretches[a].nodes >= stretches[b].nodes ? a : b, small = large == a ? b : a;
    stretches[small].joined = large;
    stretches[large].nodes += stretches[small].nodes;
    stretches[large].depths_m += stretches[small].depths_m;
}

static enum status add_stretch(struct tsunami_sea *sea, size_t first, size_t end, double depths_m)
{
    if (sea->count == sea->capacity) {
        const size_t capacity = sea->capacity > 0 ? 2 * sea->capacity : FIRST_CAPACITY;
        struct stretch *more = realloc(sea->stretches, capacity * sizeof *more);
        if (!more)
            return FAIL(STATUS_SYSTEM, "no memory for %zu stretches of water", capacity);
        sea->stretches = more;
        sea->capacity = capacity;
    }
    sea->stretches[sea->count] = (struct stretch){.first = (uint32_t)first,
                                                  .end = (uint32_t)end,
                                                  .joined = sea->count,
                                                  .nodes = end - first,
                                                  .depths_m = depths_m,
                                                  .main = none};
    sea->count++;
    return STATUS_OK;
}

// Stretches of two rows that have a column in common.
static void join_rows(struct tsunami_sea *sea, size_t one, size_t other)
{
    size_t a = sea->begin[one], b = sea->begin[other];
    const size_t a_end = sea->begin[one + 1], b_end = sea->begin[other + 1];
    while (a < a_end && b < b_end) {
        const struct stretch *p = &sea->stretches[a], *q = &sea->stretches[b];
        if (p->first < q->end && q->first < p->end)
            join(sea, a, b);
        if (p->end < q->end)
            a++;
        else
            b++;
    }
}

enum status tsunami_sea_add_row(struct tsunami_sea *sea, const double *depth_m, double dry_depth_m)
{
    const size_t row = sea->rows;
    assert(row < sea->ny);
    for (size_t i = 0; i < sea->nx;) {
        if (!(depth_m[i] > dry_depth_m)) {
            i++;
            continue;
        }
        const size_t first = i;
        double depths_m = 0;
        for (; i < sea->nx && depth_m[i] > dry_depth_m; i++)
            depths_m += depth_m[i];
        CHECK(add_stretch(sea, first, i, depths_m));
    }
    sea->begin[row + 1] = sea->count;
    sea->rows = row + 1;
    const size_t begin = sea->begin[row], last = sea->count - 1;
    if (sea->is_x_periodic && sea->count > begin && sea->stretches[begin].first == 0 &&
        sea->stretches[last].end == sea->nx)
        join(sea, begin, last);
    if (row > 0)
        join_rows(sea, row - 1, row);
    if (sea->is_y_periodic && sea->rows == sea->ny)
        join_rows(sea, row, 0);
    return STATUS_OK;
}

// The stretch that holds a node; `none` on land.
static size_t stretch_at(const struct tsunami_sea *sea, size_t column, size_t row)
{
    size_t low = sea->begin[row], high = sea->begin[row + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sea->stretches[middle].end <= column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sea->begin[row + 1] && sea->stretches[low].first <= column ? low : none;
}

bool tsunami_sea_is_wet(const struct tsunami_sea *sea, size_t column, size_t row)
{
    return stretch_at(sea, column, row) != none;
}

void tsunami_sea_open(struct tsunami_sea *sea, size_t column, size_t row)
{
    const size_t k = stretch_at(sea, column, row);
    if (k != none)
        sea->stretches[body_of(sea, k)].is_open = true;
}

void tsunami_sea_close(struct tsunami_sea *sea)
{
    for (size_t k = 0; k < sea->count; k++)
        sea->stretches[k].is_open = false;
}

static size_t largest_body(const struct tsunami_sea *sea)
{
    size_t largest = 0;
    for (size_t k = 0; k < sea->count; k++)
        if (sea->stretches[k].joined == k && sea->stretches[k].nodes > largest)
            largest = sea->stretches[k].nodes;
    return largest;
}

void tsunami_sea_add_moved(struct tsunami_sea *sea, size_t column, size_t row, double moved_m3)
{
    const size_t k = stretch_at(sea, column, row);
    if (k != none)
        sea->stretches[body_of(sea, k)].moved_m3 += moved_m3;
}

bool tsunami_sea_open_source(struct tsunami_sea *sea, double share)
{
    const double least_nodes = share * (double)largest_body(sea);
    double most_m3 = 0;
    for (size_t k = 0; k < sea->count; k++)
        most_m3 = fmax(most_m3, sea->stretches[k].moved_m3);
    for (size_t k = 0; k < sea->count; k++)
        if (sea->stretches[k].moved_m3 > 0 &&
            (sea->stretches[k].moved_m3 >= share * most_m3 || (double)sea->stretches[k].nodes >= least_nodes))
            sea->stretches[k].is_open = true;
    return most_m3 > 0;
}

void tsunami_sea_open_large(struct tsunami_sea *sea, double share)
{
    const size_t largest = largest_body(sea);
    for (size_t k = 0; k < sea->count; k++)
        if (sea->stretches[k].joined == k && (double)sea->stretches[k].nodes >= share * (double)largest)
            sea->stretches[k].is_open = true;
}

void tsunami_sea_note_row(struct tsunami_sea *sea, size_t row, const double *values)
{
    for (size_t k = sea->begin[row]; k < sea->begin[row + 1]; k++) {
        struct stretch *body = &sea->stretches[body_of(sea, k)];
        for (size_t i = sea->stretches[k].first; i < sea->stretches[k].end; i++)
            body->moved = fmax(body->moved, fabs(values[i]));
    }
}

void tsunami_sea_open_moved(struct tsunami_sea *sea, double share)
{
    double most = 0;
    for (size_t k = 0; k < sea->count; k++)
        most = fmax(most, sea->stretches[k].moved);
    for (size_t k = 0; k < sea->count; k++)
        if (sea->stretches[k].moved > 0 && sea->stretches[k].moved >= share * most)
            sea->stretches[k].is_open = true;
}

// The body of the shallower water that holds a stretch of `sea` in row `row`.
static struct stretch *body_about(const struct tsunami_sea *shallower, const struct stretch *stretch,
                                  size_t row)
{
    return &shallower->stretches[body_of(shallower, stretch_at(shallower, stretch->first, row))];
}

void tsunami_sea_close_branches(struct tsunami_sea *sea, struct tsunami_sea *shallower)
{
    for (size_t row = 0; row < sea->ny; row++)
        for (size_t k = sea->begin[row]; k < sea->begin[row + 1]; k++) {
            if (sea->stretches[k].joined != k)
                continue;
            struct stretch *about = body_about(shallower, &sea->stretches[k], row);
            if (about->main == none || sea->stretches[k].depths_m > sea->stretches[about->main].depths_m)
                about->main = k;
        }
    for (size_t row = 0; row < sea->ny; row++)
        for (size_t k = sea->begin[row]; k < sea->begin[row + 1]; k++)
            if (sea->stretches[k].joined == k && body_about(shallower, &sea->stretches[k], row)->main != k)
                sea->stretches[k].is_open = false;
}

bool tsunami_sea_is_open(const struct tsunami_sea *sea, size_t column, size_t row)
{
    const size_t k = stretch_at(sea, column, row);
    return k != none && sea->stretches[body_of(sea, k)].is_open;
}
