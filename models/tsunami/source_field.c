// Waves of a field at the edges (see the header): the plan, and the values of all records that the run needs.
#include "models/tsunami/source_field.h"

#include "core/log.h"
#include "models/tsunami/axis.h"
#include "models/tsunami/nesting.h"

#include <cjson/cJSON.h>
#include <math.h>

// Of a step: places in time as near as this to a record are the record.
static const double rounding = 1e-9;
// Where the field's records are no multiple of the step, the edges get so many for each of the field's: both
// are linear between their records, and the second cuts the corners of the first.
static const double oversampling = 4;

static double record_s(const struct tsunami_field_wave *field, size_t record)
{
    return field->start_s + propagation_info(field->files[0])->times_s[record];
}

static double end_s(const struct tsunami_level *t)
{
    return t->start_s + (double)t->steps * t->step_s;
}

// The first record that the run needs: the last one up to its start.
static size_t first_record(const struct tsunami_level *t)
{
    const struct tsunami_field_wave *field = &t->params.source->field;
    size_t first = 0;
    while (first + 2 < propagation_info(field->files[0])->records && record_s(field, first + 1) <= t->start_s)
        first++;
    return first;
}

// ---- the plan

// The shortest time between two records that the run needs.
static double shortest_interval_s(const struct tsunami_level *t)
{
    const struct tsunami_field_wave *field = &t->params.source->field;
    const size_t records = propagation_info(field->files[0])->records;
    double shortest_s = INFINITY;
    for (size_t k = first_record(t); k + 1 < records && record_s(field, k) < end_s(t); k++)
        shortest_s = fmin(shortest_s, record_s(field, k + 1) - record_s(field, k));
    return shortest_s;
}

static int64_t steps_per_record(const struct tsunami_level *t)
{
    const double ratio = fmin(shortest_interval_s(t) / t->step_s, (double)t->steps);
    const bool is_multiple = fabs(ratio - round(ratio)) < 1e-6 * ratio;
    const double steps = is_multiple ? round(ratio) : floor(ratio / oversampling);
    return steps > 1 ? (int64_t)steps : 1;
}

// Nodes of the field round the domain, half a spacing of the domain beyond it.
static void find_box(const struct tsunami_level *t, struct propagation_block *box)
{
    const struct grid_window *w = &t->params.window;
    const struct propagation_info *info = propagation_info(t->params.source->field.files[0]);
    const double turn = t->params.source->field.turn_deg;
    const double half_x = 0.5 * (w->x[1] - w->x[0]), half_y = 0.5 * (w->y[1] - w->y[0]);
    box->row = axis_interval(info->latitudes, info->rows, w->y[0] - half_y);
    box->rows = axis_interval(info->latitudes, info->rows, w->y[w->ny - 1] + half_y) + 2 - box->row;
    box->column = axis_interval(info->longitudes, info->columns, w->x[0] - half_x + turn);
    box->columns =
        axis_interval(info->longitudes, info->columns, w->x[w->nx - 1] + half_x + turn) + 2 - box->column;
    box->records = 1;
}

enum status tsunami_field_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    struct tsunami_field_edges *f = &t->field_edges;
    if (!tsunami_field_is_given(t))
        return STATUS_OK;
    const int64_t every = steps_per_record(t);
    const size_t slots = (size_t)((t->steps + every - 1) / every) + 1;
    f->nodes = 0;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        const size_t nodes = tsunami_nesting_edge_nodes(t, side);
        t->given[side] = (struct tsunami_given_edge){
            .nodes = nodes, .slots = slots, .steps_per_record = every, .has_velocity = true};
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, slots * TSUNAMI_FIELDS, nodes,
                              (void **)&t->given[side].values, "field at the edge %s",
                              tsunami_side_names[side]));
        f->nodes += nodes;
    }
    find_box(t, &f->box);
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, f->box.rows, f->box.columns, (void **)&f->record,
                          "record of the field"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 2, f->nodes, (void **)&f->lines,
                          "field at two times"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, f->nodes, sizeof *f->links, (void **)&f->links,
                          "places in the field"));
    size_t cache_bytes = 0;
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        cache_bytes += propagation_cache_bytes(t->params.source->field.files[q]);
    return memory_plan_add_library(memory, cache_bytes, "netCDF chunks, field at the edges");
}

// ---- the values

// The place of every node of the given edges in the box.
static void link_nodes(struct tsunami_level *t)
{
    struct tsunami_field_edges *f = &t->field_edges;
    const struct propagation_info *info = propagation_info(t->params.source->field.files[0]);
    struct tsunami_link *link = f->links;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const size_t nodes = t->params.edges[side] == TSUNAMI_EDGE_GIVEN ? t->given[side].nodes : 0;
        for (size_t k = 0; k < nodes; k++, link++) {
            double x, y, east, north;
            tsunami_nesting_edge_place(t, side, k, &x, &y);
            link->column =
                axis_locate(info->longitudes, info->columns, x + t->params.source->field.turn_deg, &east) -
                f->box.column;
            link->row = axis_locate(info->latitudes, info->rows, y, &north) - f->box.row;
            link->weights[0] = (1 - east) * (1 - north);
            link->weights[1] = east * (1 - north);
            link->weights[2] = (1 - east) * north;
            link->weights[3] = east * north;
        }
    }
}

// Weighted over the nodes with water among the four; NaN without any.
static double value_at(const struct tsunami_field_edges *f, const struct tsunami_link *link)
{
    double weights = 0, sum = 0;
    for (size_t k = 0; k < 4; k++) {
        const double value = f->record[(link->row + k / 2) * f->box.columns + link->column + k % 2];
        if (!(link->weights[k] > 0) || isnan(value))
            continue;
        weights += link->weights[k];
        sum += link->weights[k] * value;
    }
    return weights > 0 ? sum / weights : NAN;
}

static enum status read_line(struct tsunami_level *t, int quantity, size_t record, double *line)
{
    struct tsunami_field_edges *f = &t->field_edges;
    f->box.record = record;
    CHECK_ABOUT(propagation_read(t->params.source->field.files[quantity], &f->box, f->record),
                "source.edges.field");
    for (size_t k = 0; k < f->nodes; k++)
        line[k] = value_at(f, &f->links[k]);
    return STATUS_OK;
}

// One slot of all given edges, at a share of the way from one line to the next.
static void fill_slot(struct tsunami_level *t, int quantity, size_t slot, const double *before,
                      const double *after, double share)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        const size_t nodes = t->given[side].nodes;
        double *values = t->given[side].values + (slot * TSUNAMI_FIELDS + (size_t)quantity) * nodes;
        for (size_t k = 0; k < nodes; k++)
            values[k] = share == 0   ? before[k]
                        : share == 1 ? after[k]
                                     : before[k] + share * (after[k] - before[k]);
        before += nodes;
        after += nodes;
    }
}

// All given edges have the same records.
static const struct tsunami_given_edge *any_edge(const struct tsunami_level *t)
{
    int side = 0;
    while (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
        side++;
    return &t->given[side];
}

size_t tsunami_field_slots(const struct tsunami_level *t)
{
    return any_edge(t)->slots;
}

static double slot_s(const struct tsunami_level *t, size_t slot)
{
    return t->start_s + (double)slot * (double)any_edge(t)->steps_per_record * t->step_s;
}

// Of the edges' slots those from one record of the field to the next, both included.
static void fill_between(struct tsunami_level *t, int quantity, size_t record, const double *before,
                         const double *after)
{
    const struct tsunami_field_wave *field = &t->params.source->field;
    const double from_s = record_s(field, record), length_s = record_s(field, record + 1) - from_s;
    const double slot_length_s = slot_s(t, 1) - slot_s(t, 0);
    const double first = fmax(0, ceil((from_s - t->start_s) / slot_length_s - rounding));
    for (size_t slot = (size_t)first; slot < tsunami_field_slots(t); slot++) {
        const double share = (slot_s(t, slot) - from_s) / length_s;
        if (share > 1 + rounding)
            return;
        fill_slot(t, quantity, slot, before, after, share < rounding ? 0 : share > 1 - rounding ? 1 : share);
    }
}

// No values at all: open edges.
static void forget(struct tsunami_level *t)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *edge = &t->given[side];
        const bool is_given = t->params.edges[side] == TSUNAMI_EDGE_GIVEN;
        for (size_t k = 0; is_given && k < edge->slots * TSUNAMI_FIELDS * edge->nodes; k++)
            edge->values[k] = NAN;
    }
}

static enum status read_quantity(struct tsunami_level *t, int quantity)
{
    struct tsunami_field_edges *f = &t->field_edges;
    const struct tsunami_field_wave *field = &t->params.source->field;
    const size_t records = propagation_info(field->files[0])->records, first = first_record(t);
    double *before = f->lines, *after = f->lines + f->nodes;
    CHECK(read_line(t, quantity, first, before));
    for (size_t record = first; record + 1 < records && record_s(field, record) <= end_s(t); record++) {
        CHECK(read_line(t, quantity, record + 1, after));
        fill_between(t, quantity, record, before, after);
        double *const read = after;
        after = before;
        before = read;
    }
    return STATUS_OK;
}

static bool has_value(const struct tsunami_level *t)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *edge = &t->given[side];
        const bool is_given = t->params.edges[side] == TSUNAMI_EDGE_GIVEN;
        for (size_t slot = 0; is_given && slot < edge->slots; slot++)
            for (size_t k = 0; k < edge->nodes; k++)
                if (!isnan(edge->values[slot * TSUNAMI_FIELDS * edge->nodes + k]))
                    return true;
    }
    return false;
}

// A node that lacks its elevation or a velocity in a slot gets none of the three, which opens the edge there.
// Returns whether it has none.
static bool drop_incomplete(const struct tsunami_given_edge *edge, size_t slot, size_t node)
{
    double *const values = edge->values + slot * TSUNAMI_FIELDS * edge->nodes + node;
    bool is_missing = false;
    for (size_t q = 0; q < TSUNAMI_FIELDS; q++)
        is_missing = is_missing || isnan(values[q * edge->nodes]);
    for (size_t q = 0; is_missing && q < TSUNAMI_FIELDS; q++)
        values[q * edge->nodes] = NAN;
    return is_missing;
}

// A node that has values at some times only is no land, and is told.
static void open_gaps(struct tsunami_level *t)
{
    const struct tsunami_field_wave *field = &t->params.source->field;
    const double first_s = record_s(field, first_record(t)),
                 last_s = record_s(field, propagation_info(field->files[0])->records - 1);
    size_t partly = 0;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *edge = &t->given[side];
        const bool is_given = t->params.edges[side] == TSUNAMI_EDGE_GIVEN;
        for (size_t k = 0; is_given && k < edge->nodes; k++) {
            size_t open = 0, slots = 0;
            for (size_t slot = 0; slot < edge->slots; slot++) {
                const bool is_open = drop_incomplete(edge, slot, k);
                const bool counts = slot_s(t, slot) >= first_s && slot_s(t, slot) <= last_s;
                slots += counts;
                open += counts && is_open;
            }
            partly += open > 0 && open < slots;
        }
    }
    if (partly > 0)
        log_warning(
            "source.edges.field: %s has values only at some of the times at %zu of %zu nodes along the "
            "edges: meanwhile these are open",
            field->path, partly, t->field_edges.nodes);
}

enum status tsunami_field_read(struct tsunami_level *t)
{
    const struct tsunami_field_wave *field = &t->params.source->field;
    if (!tsunami_field_is_given(t))
        return STATUS_OK;
    link_nodes(t);
    forget(t);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        CHECK(read_quantity(t, q));
    open_gaps(t);
    if (!has_value(t))
        return job_fail(t->job, "source.edges.field",
                        "no wave can come in: %s is land, or has no values, at all nodes of the edges",
                        field->path);
    const double last_s = record_s(field, propagation_info(field->files[0])->records - 1);
    if (last_s < end_s(t))
        log_info("source.edges.field: the waves are given until %g s; from then on the edges are open",
                 last_s);
    return STATUS_OK;
}

void tsunami_field_describe(const struct tsunami_field_wave *field, cJSON *edges)
{
    const struct propagation_info *info = propagation_info(field->files[0]);
    cJSON *object = cJSON_AddObjectToObject(edges, "field");
    cJSON_AddStringToObject(object, "file", field->path);
    cJSON_AddNumberToObject(object, "records", (double)info->records);
    cJSON_AddNumberToObject(object, "first_s", record_s(field, 0));
    cJSON_AddNumberToObject(object, "last_s", record_s(field, info->records - 1));
}
