// Given edges over a moving bottom. Within a solver's step the bottom stands at its mean position Ū of that
// step (source.c). What is given at an edge (a parent's surface, a series) is the surface over the rising
// bottom, known at the records' times alone. The surface less the bottom's rise, η − U, does not jump where
// the bottom jumps: it is taken as linear between the records t₀ and t₁, and Ū is added. So at a moment of
// the step at `place` between the records (0 to 1) the linear η is raised by
//   Ū − U(t₀) − place · (U(t₁) − U(t₀)).
// The velocity follows the bottom's slope, u_t = −g ∂U/∂x + …. With S(t) the integral of U − U(t₀) from t₀ to
// t, the linear velocity gets −g ∂/∂x (S(t) − place · S(t₁)), across the edge and along it. All of these are
// linear in the step and vanish at the records. U is the grid's own, by Kajiura's filter where its shapes are
// kept; with cells, it is taken at the edge's outer face.
#include "models/team.h"
#include "models/tsunami/edges.h"
#include "models/tsunami/instance.h"

#include <math.h>
#include <string.h>

static bool is_given(const struct tsunami_level *t, int side)
{
    return t->geometry.edges[side] == TSUNAMI_EDGE_GIVEN;
}

enum status tsunami_source_plan_edges(struct tsunami_level *t, struct memory_plan *memory)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        struct tsunami_given_edge *edge = &t->given[side];
        if (!is_given(t, side) || !tsunami_source_moves(t, t->start_s, INFINITY))
            continue;
        edge->side_nodes = side < TSUNAMI_SOUTH ? t->geometry.ny : t->geometry.nx;
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 2 * TSUNAMI_FIELDS, edge->side_nodes,
                              (void **)&edge->rise, "%srise %s", t->prefix, tsunami_side_names[side]));
    }
    return STATUS_OK;
}

// A step: the bottom's mean position Ū, the times of the records around it, and the places of its begin and
// end between them.
struct raising {
    struct tsunami_level *level;
    struct tsunami_span step;
    double records_s[2], places[2];
};

// Of the bottom at a node: Ū − U(t₀) and Ū − U(t₁) (m); S at the step's beginning, at its end, at t₁ (m s).
enum { RISE_BEFORE, RISE_AFTER, SUM_BEGIN, SUM_END, SUM_WHOLE, RISES };
enum { NODES_MOST = 64 }; // at a time

// The rise of the bottom, and of the surface over it (source.filter), between two positions.
static void find_rise(const struct raising *r, struct tsunami_nodes nodes, struct tsunami_span from,
                      struct tsunami_span to, double *rise_m)
{
    tsunami_uplift(r->level, nodes, from, to, rise_m);
    tsunami_filter_change(r->level, nodes, from, to, rise_m);
}

static void find_rises(const struct raising *r, struct tsunami_nodes nodes, double rises[RISES][NODES_MOST])
{
    const double from_s = r->records_s[0], ends_s[] = {r->step.from_s, r->step.to_s, r->records_s[1]};
    for (int k = 0; k < 2; k++)
        find_rise(r, nodes, tsunami_at(r->records_s[k]), r->step, rises[RISE_BEFORE + k]);
    for (int k = 0; k < 3; k++) {
        double *sum = rises[SUM_BEGIN + k];
        memset(sum, 0, nodes.count * sizeof *sum);
        if (r->level->steps_per_parent == 1 || !(ends_s[k] > from_s))
            continue;
        find_rise(r, nodes, tsunami_at(from_s), (struct tsunami_span){from_s, ends_s[k]}, sum);
        for (size_t i = 0; i < nodes.count; i++)
            sum[i] *= ends_s[k] - from_s;
    }
}

// One node of a side, from its own values and those of the next node inward, `spacing_m` away. The velocity
// along the side is left as S − place · S(t₁), whose slope follows in slope_along.
static void raise_node(const struct raising *r, int side, size_t number, const double outermost[RISES],
                       const double next[RISES], double spacing_m)
{
    struct tsunami_level *t = r->level;
    struct tsunami_given_edge *edge = &t->given[side];
    const bool is_low = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH;
    const int across = side < TSUNAMI_SOUTH ? 1 : 2, along = 3 - across;
    // The outer face lies half a spacing beyond the outermost node.
    const double beyond = tsunami_method_has_cells(t->params.physics.method) ? 0.5 : 0;
    double rises_m[2], sums_m_s[RISES], slopes_s[RISES];
    for (int k = 0; k < 2; k++)
        rises_m[k] = outermost[k] + beyond * (outermost[k] - next[k]);
    for (int k = SUM_BEGIN; k < RISES; k++)
        sums_m_s[k] = outermost[k] + beyond * (outermost[k] - next[k]);
    for (int k = SUM_BEGIN; k < RISES; k++)
        slopes_s[k] = (is_low ? next[k] - outermost[k] : outermost[k] - next[k]) / spacing_m;
    for (int end = 0; end < 2; end++) {
        double *rise = edge->rise + (size_t)end * TSUNAMI_FIELDS * edge->side_nodes + number;
        const double place = r->places[end];
        rise[0] = rises_m[0] + place * (rises_m[1] - rises_m[0]);
        rise[(size_t)across * edge->side_nodes] =
            -t->geometry.gravity_m_s2 * (slopes_s[SUM_BEGIN + end] - place * slopes_s[SUM_WHOLE]);
        rise[(size_t)along * edge->side_nodes] = sums_m_s[SUM_BEGIN + end] - place * sums_m_s[SUM_WHOLE];
    }
}

static void column_of(double rises[RISES][NODES_MOST], size_t column, double values[RISES])
{
    for (int k = 0; k < RISES; k++)
        values[k] = rises[k][column];
}

// A row's nodes on the western and the eastern edge.
static void raise_row(void *context, size_t row)
{
    const struct raising *r = context;
    const struct tsunami_geometry *g = &r->level->geometry;
    double rises[RISES][NODES_MOST], pair[2][RISES];
    for (int side = TSUNAMI_WEST; side <= TSUNAMI_EAST; side++) {
        const size_t first = side == TSUNAMI_WEST ? 0 : g->nx - 2;
        if (!is_given(r->level, side))
            continue;
        find_rises(r, (struct tsunami_nodes){row, first, 2}, rises);
        column_of(rises, 0, pair[0]);
        column_of(rises, 1, pair[1]);
        raise_node(r, side, row, pair[side == TSUNAMI_EAST], pair[side == TSUNAMI_WEST],
                   g->x_distance_m[first] * g->cos_latitude[row]);
    }
}

// Some nodes on the southern and the northern edge.
static void raise_columns(void *context, size_t item)
{
    const struct raising *r = context;
    const struct tsunami_geometry *g = &r->level->geometry;
    const size_t first = item * NODES_MOST, left = g->nx - first;
    struct tsunami_nodes nodes = {.first = first, .count = left < NODES_MOST ? left : NODES_MOST};
    double rises[2][RISES][NODES_MOST], outermost[RISES], next[RISES];
    for (int side = TSUNAMI_SOUTH; side <= TSUNAMI_NORTH; side++) {
        const size_t south = side == TSUNAMI_SOUTH ? 0 : g->ny - 2; // of two rows
        if (!is_given(r->level, side))
            continue;
        for (size_t k = 0; k < 2; k++) {
            nodes.row = south + k;
            find_rises(r, nodes, rises[k]);
        }
        for (size_t i = 0; i < nodes.count; i++) {
            column_of(rises[side == TSUNAMI_NORTH], i, outermost);
            column_of(rises[side == TSUNAMI_SOUTH], i, next);
            raise_node(r, side, first + i, outermost, next, g->y_distance_m[south]);
        }
    }
}

// The velocity along a side, by central differences, one-sided at its ends.
static void slope_along(struct tsunami_level *t, int side)
{
    const struct tsunami_geometry *g = &t->geometry;
    const size_t count = t->given[side].side_nodes, last = count - 1;
    const bool is_row = side >= TSUNAMI_SOUTH;
    const double cosine = is_row ? g->cos_latitude[side == TSUNAMI_SOUTH ? 0 : g->ny - 1] : 1;
    const double *distance_m = is_row ? g->x_distance_m : g->y_distance_m;
    for (size_t end = 0; end < 2; end++) {
        double *sums = t->given[side].rise + (end * TSUNAMI_FIELDS + (is_row ? 1 : 2)) * count;
        double before = sums[0];
        for (size_t k = 0; k < count; k++) {
            const double here = sums[k], after = sums[k < last ? k + 1 : k];
            const double length_m =
                cosine * ((k > 0 ? distance_m[k - 1] : 0) + (k < last ? distance_m[k] : 0));
            sums[k] = -g->gravity_m_s2 * (after - before) / length_m;
            before = here;
        }
    }
}

void tsunami_source_raise_edges(struct tsunami_level *t, int64_t step)
{
    const int64_t parts = t->steps_per_parent, begin = step - step % parts;
    struct raising r = {
        .level = t,
        .step = {tsunami_level_time_s(t, step), tsunami_level_time_s(t, step + 1)},
        .records_s = {tsunami_level_time_s(t, begin), tsunami_level_time_s(t, begin + parts)},
        .places = {(double)(step - begin) / (double)parts, (double)(step + 1 - begin) / (double)parts}};
    bool has_rows = false, has_columns = false;
    if (!tsunami_source_moves(t, r.records_s[0], r.records_s[1]))
        return;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        t->given[side].has_rise = is_given(t, side);
        has_rows |= is_given(t, side) && side < TSUNAMI_SOUTH;
        has_columns |= is_given(t, side) && side >= TSUNAMI_SOUTH;
    }
    if ((has_rows || has_columns) && t->filter.is_by_shapes)
        tsunami_filter_lift(t, tsunami_at(r.records_s[0]), tsunami_at(r.records_s[1]), false);
    if (has_rows)
        team_for(t->threads, t->geometry.ny, raise_row, &r);
    if (has_columns)
        team_for(t->threads, (t->geometry.nx + NODES_MOST - 1) / NODES_MOST, raise_columns, &r);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (is_given(t, side))
            slope_along(t, side);
}

void tsunami_source_lower_edges(struct tsunami_level *t)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        t->given[side].has_rise = false;
}
