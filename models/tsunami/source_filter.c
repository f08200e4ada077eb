// Kajiura's filter: what of a bottom's rise the surface shows. Water of depth h passes a rise of wave number
// k on as 1/cosh kh (Kajiura 1963, Bull. Earthq. Res. Inst. 41(3), 535–571). Independent of solvers and time.
//
// cosh z is the product of 1 + 4z²/((2m − 1)²π²), m = 1, 2, …; here
//   1/cosh z ≈ 1/((1 + a z²)(1 + b z²)⁴), a = 0.404771, b = (½ − a)/4,
// exact to z², and everywhere within 5e-4 (a minimises the largest difference). With −∇·h²∇ for (kh)² each
// factor is an equation for the surface,
//   η − c ∇·(h² ∇η) = the factor before, at first the uplift,
// on the sphere or a plane, over a depth that varies, with no flux through coasts and the domain's edges. So
// the volume is that of the uplift, a level rise stays level, and no factor makes new extremes. Land keeps
// its uplift. Solved by Chebyshev's iteration, preconditioned by the diagonal: it needs no sums, so that the
// bits are the same on any number of threads, and its number of steps is known beforehand.
//
// The chain is linear, over the depth at the start of the run. So what moves alike, a shape, is filtered
// once: all faults where they start and rise together, and each record of a displacement; a lift takes its
// weights of them. Faults that move apart, and lifts over more records than are kept, are filtered lift by
// lift. At the edges that a parent gives a nested grid takes each factor's solution from the parent's.
#include "core/log.h"
#include "core/progress.h"
#include "core/stop_signals.h"
#include "models/team.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/nesting.h"
#include "models/tsunami/source_filter_faces.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const double first_factor = 0.404771, next_factor = (0.5 - 0.404771) / 4;
static const double largest_error = 1e-9; // of a factor, relative to what it acts on
// Water deeper than so many times the length of the box's longer side counts as so deep: of a wave as long as
// twice that side 1/((1 + a z²)(1 + b z²)⁴) leaves 2e-8 there (z = 10π), of all shorter ones less. Without it
// the number of steps grows with the depth over the spacing, and the result stays the same.
static const double deepest_share = 10;
static const double patience_s = 2; // until a progress bar is shown
// Nodes that the iteration passes between two readings of the clock.
static const double clock_nodes = 4e6;
static const double long_row = 2e4; // nodes of a row times faults

static double coefficient(int stage)
{
    return stage == 0 ? first_factor : next_factor;
}

static enum tsunami_uplift_parts filtered_parts(const struct tsunami_level *t)
{
    const struct tsunami_source *s = t->params.source;
    return (s->filters_faults && s->faults.count > 0 ? TSUNAMI_UPLIFT_FAULTS : 0) |
           (s->filters_displacement && s->displacement ? TSUNAMI_UPLIFT_DISPLACEMENT : 0);
}

static size_t record_count(const struct tsunami_level *t)
{
    return t->filter.parts & TSUNAMI_UPLIFT_DISPLACEMENT ? grid_info(t->params.source->displacement)->records
                                                         : 0;
}

// ---- the plan

// The nodes of the edges that the parent gives.
static size_t count_edge_nodes(const struct tsunami_level *t)
{
    size_t count = 0;
    for (int side = 0; t->parent && t->parent->filter.is_active && side < TSUNAMI_SIDES; side++)
        if (t->params.edges[side] == TSUNAMI_EDGE_GIVEN)
            count += tsunami_nesting_edge_nodes(t, side);
    return count;
}

static enum status plan_arrays(struct tsunami_level *t, struct memory_plan *memory)
{
    struct tsunami_filter *f = &t->filter;
    const struct {
        double **values;
        const char *name;
    } arrays[] = {{&f->depth_m, "depth"},
                  {&f->water_m, "water"},
                  {&f->residual_m, "residual"},
                  {&f->direction_m, "direction"},
                  {&f->uplift_m, "uplift"}};
    const size_t count = sizeof arrays / sizeof *arrays - (f->is_by_shapes ? 1 : 0);
    for (size_t k = 0; k < count; k++)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, f->box.rows, f->box.columns,
                              (void **)arrays[k].values, "%sfilter %s", t->prefix, arrays[k].name));
    for (size_t k = 0; k < f->slot_count; k++)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, f->box.rows, f->box.columns,
                              (void **)&f->changes_m[k], "%sfilter change %zu", t->prefix, k));
    if (f->edge_nodes > 0)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64,
                              (TSUNAMI_FILTER_SLOTS + 1) * TSUNAMI_FILTER_STAGES, f->edge_nodes,
                              (void **)&f->edges_m, "%sfilter edges", t->prefix));
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 2, f->box.columns, (void **)&f->inverse_m2,
                           "%sfilter columns", t->prefix);
}

enum status tsunami_filter_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    struct tsunami_filter *f = &t->filter;
    const struct tsunami_geometry *g = &t->geometry;
    f->parts = filtered_parts(t);
    if (!f->parts || !tsunami_source_moves(t, -INFINITY, INFINITY))
        return STATUS_OK;
    tsunami_uplift_box(t, f->parts, &f->box);
    if (f->box.rows == 0 || f->box.columns == 0)
        return STATUS_OK;
    f->is_active = true;
    f->is_round = f->box.columns == g->nx && g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC;
    f->is_round_y = f->box.rows == g->ny && g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    f->is_by_shapes = !(f->parts & TSUNAMI_UPLIFT_FAULTS) || tsunami_uplift_is_group(t);
    f->record_slots =
        record_count(t) < TSUNAMI_RECORDS_AT_ONCE ? record_count(t) : (size_t)TSUNAMI_RECORDS_AT_ONCE;
    f->slot_count = f->is_by_shapes ? f->record_slots + (f->parts & TSUNAMI_UPLIFT_FAULTS ? 1 : 0) : 0;
    f->edge_nodes = count_edge_nodes(t);
    return plan_arrays(t, memory);
}

// ---- the equation of one factor ----

struct factor {
    struct tsunami_level *level;
    double c;
    double keep, add;      // of the direction: of its last value, of the residual
    const double *edges_m; // [edge_nodes], NaN: free; NULL: none are held
    bool may_stop;
    struct progress progress;
    double iterations, all_iterations, nodes_since_clock;
};

// values − c ∇·(h² ∇ values) at a node over the diagonal's coefficient; of a field with residual.
static inline double scaled_operator(const struct factor *factor, const double *values,
                                     const struct tsunami_filter_line *line, size_t column, double *diagonal)
{
    const struct tsunami_filter_faces to = tsunami_filter_faces_of(factor->level, line, column);
    const size_t here = line->row * factor->level->filter.box.columns + column;
    double sum = values[here], whole = 1;
    for (int k = 0; k < 4; k++) {
        sum += factor->c * to.weights[k] * (values[here] - values[to.places[k]]);
        whole += factor->c * to.weights[k];
    }
    *diagonal = whole;
    return sum / whole;
}

// Sets a row's wet nodes on the edges that the parent gives to the parent's values, or to 0.
static void hold_edges(const struct factor *factor, size_t row, double *field, bool is_zero)
{
    const struct tsunami_level *t = factor->level;
    const struct tsunami_filter *f = &t->filter;
    const double *edge_m = factor->edges_m;
    for (int side = 0; edge_m && side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        const size_t nodes = tsunami_nesting_edge_nodes(t, side), j = row + f->box.first_row;
        const size_t begin = side < TSUNAMI_SOUTH ? j : 0, end = side < TSUNAMI_SOUTH ? j + 1 : nodes;
        for (size_t k = begin; k < end; k++) {
            size_t column, line;
            tsunami_nesting_edge_node(t, side, k, &column, &line);
            if (line != j)
                break;
            const size_t i = column - f->box.first_column, node = row * f->box.columns + i;
            if (column >= f->box.first_column && i < f->box.columns && f->depth_m[node] > 0 &&
                !isnan(edge_m[k]))
                field[node] = is_zero ? 0 : edge_m[k];
        }
        edge_m += nodes;
    }
}

static void set_edges(void *context, size_t row)
{
    const struct factor *factor = context;
    hold_edges(factor, row, factor->level->filter.water_m, false);
}

// The first guess is the right side, the water before: what is left is c ∇·(h² ∇ water).
static void begin_row(void *context, size_t row)
{
    const struct factor *factor = context;
    const struct tsunami_filter *f = &factor->level->filter;
    const struct tsunami_filter_line line = tsunami_filter_line_of(factor->level, row);
    for (size_t i = 0; i < f->box.columns; i++) {
        const size_t k = row * f->box.columns + i;
        double diagonal;
        const double whole = scaled_operator(factor, f->water_m, &line, i, &diagonal);
        f->residual_m[k] = f->water_m[k] / diagonal - whole;
    }
    hold_edges(factor, row, f->residual_m, true);
    for (size_t k = row * f->box.columns; k < (row + 1) * f->box.columns; k++)
        f->direction_m[k] = factor->add * f->residual_m[k];
}

static void advance_row(void *context, size_t row)
{
    const struct factor *factor = context;
    const struct tsunami_filter *f = &factor->level->filter;
    const struct tsunami_filter_line line = tsunami_filter_line_of(factor->level, row);
    for (size_t i = 0; i < f->box.columns; i++) {
        const size_t k = row * f->box.columns + i;
        double diagonal;
        f->residual_m[k] -= scaled_operator(factor, f->direction_m, &line, i, &diagonal);
        f->water_m[k] += f->direction_m[k];
    }
    hold_edges(factor, row, f->residual_m, true);
}

static void turn_row(void *context, size_t row)
{
    const struct factor *factor = context;
    const struct tsunami_filter *f = &factor->level->filter;
    for (size_t k = row * f->box.columns; k < (row + 1) * f->box.columns; k++)
        f->direction_m[k] = factor->keep * f->direction_m[k] + factor->add * f->residual_m[k];
}

// The interval of the scaled operator's eigenvalues, between 1/(1 + c s) and 2 less that, s the largest sum
// of a node's weights; and the steps of Chebyshev's iteration in it.
struct interval {
    double middle, half;
    int64_t steps; // 0: the waves of the grid are all long ones
};

static struct interval interval_of(double c, double largest_sum)
{
    const double least = 1 / (1 + c * largest_sum), most = 2 - least;
    struct interval interval = {0.5 * (most + least), 0.5 * (most - least), 0};
    if (interval.half > 1e-12) {
        const double root = sqrt(most / least), rate = log((root + 1) / (root - 1));
        interval.steps = (int64_t)ceil(log(2 / largest_error) / rate);
    }
    return interval;
}

double tsunami_filter_iterations(double largest_sum)
{
    double count = 0;
    for (int stage = 0; stage < TSUNAMI_FILTER_STAGES; stage++)
        count += (double)interval_of(coefficient(stage), largest_sum).steps;
    return count;
}

// Whether the run is to end now. The clock is read now and then.
static bool must_end(struct factor *factor)
{
    const struct tsunami_box *box = &factor->level->filter.box;
    factor->nodes_since_clock += (double)box->rows * (double)box->columns;
    factor->iterations++;
    if (factor->nodes_since_clock < clock_nodes)
        return factor->may_stop && stop_signals_pending() != 0;
    factor->nodes_since_clock = 0;
    progress_update(&factor->progress, factor->iterations, factor->iterations);
    return factor->may_stop && stop_signals_are_due();
}

// Chebyshev's iteration (Saad 2003, Iterative Methods for Sparse Linear Systems, algorithm 12.1). Returns
// false if it was stopped.
static bool apply_factor(struct factor *factor)
{
    struct tsunami_level *t = factor->level;
    const struct interval interval = interval_of(factor->c, t->filter.largest_sum);
    const double middle = interval.middle, half = interval.half;
    const size_t rows = t->filter.box.rows;
    double rho = half / middle;
    if (factor->edges_m)
        team_for(t->threads, rows, set_edges, factor);
    if (interval.steps == 0)
        return true;
    factor->add = 1 / middle;
    team_for(t->threads, rows, begin_row, factor);
    for (int64_t k = 0; k < interval.steps; k++) {
        const double next = 1 / (2 * middle / half - rho);
        if (must_end(factor))
            return false;
        team_for(t->threads, rows, advance_row, factor);
        factor->keep = next * rho;
        factor->add = 2 * next / half;
        rho = next;
        team_for(t->threads, rows, turn_row, factor);
    }
    return true;
}

// ---- what a nested grid takes from its parent

// The parent's present field at a node of the child's edge, by its corners with water; NaN without one.
static double field_at(const struct tsunami_level *parent, struct tsunami_link link)
{
    const struct tsunami_filter *f = &parent->filter;
    double sum = 0, weight = 0;
    for (size_t corner = 0; corner < 4; corner++) {
        const size_t row = link.row + corner / 2, column = link.column + corner % 2;
        const size_t j = row - f->box.first_row, i = column - f->box.first_column;
        const bool is_in_box =
            row >= f->box.first_row && j < f->box.rows && column >= f->box.first_column && i < f->box.columns;
        if (is_in_box && !(f->depth_m[j * f->box.columns + i] > 0))
            continue;
        weight += link.weights[corner];
        sum += link.weights[corner] * (is_in_box ? f->water_m[j * f->box.columns + i] : 0);
    }
    return weight > 0 ? sum / weight : NAN;
}

static double *edges_of(const struct tsunami_filter *f, size_t slot, int stage)
{
    return f->edges_m + (slot * TSUNAMI_FILTER_STAGES + (size_t)stage) * f->edge_nodes;
}

static void give_edges(struct tsunami_level *child, size_t slot, int stage)
{
    double *edge_m = edges_of(&child->filter, slot, stage);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        for (size_t k = 0;
             child->params.edges[side] == TSUNAMI_EDGE_GIVEN && k < tsunami_nesting_edge_nodes(child, side);
             k++)
            *edge_m++ = field_at(child->parent, tsunami_nesting_node_link(child, side, k));
}

// ---- shapes

// What is filtered as one: from 1 on the records of the displacement, after them the faults; 0: a lift.
struct shape {
    struct tsunami_level *level;
    size_t number, slot;
    struct tsunami_span from, to;
    struct tsunami_level *child; // for whose edges alone it is filtered; NULL: for the level itself
    bool may_stop;
};

static struct shape shape_of(struct tsunami_level *t, size_t number, bool may_stop)
{
    const size_t records = record_count(t);
    return (struct shape){.level = t,
                          .number = number,
                          .slot = number > records ? t->filter.record_slots
                                                   : (number - 1) % t->filter.record_slots,
                          .from = tsunami_at(-INFINITY),
                          .to = tsunami_at(INFINITY),
                          .may_stop = may_stop};
}

static void fill(const struct shape *shape, size_t row, double *uplift_m)
{
    const struct tsunami_level *t = shape->level;
    const struct tsunami_box *box = &t->filter.box;
    const struct tsunami_nodes nodes = {box->first_row + row, box->first_column, box->columns};
    if (shape->number == 0)
        tsunami_uplift_of(t, nodes, shape->from, shape->to, t->filter.parts, uplift_m);
    else if (shape->number <= record_count(t))
        tsunami_uplift_of_record(t, nodes, shape->number - 1, uplift_m);
    else
        tsunami_uplift_of(t, nodes, shape->from, shape->to, TSUNAMI_UPLIFT_FAULTS, uplift_m);
}

// Whether the run ends before its first step. The clock is read before each row of a long work: Okada's
// formula for many faults.
static bool is_ending(const struct shape *shape)
{
    const double row_work =
        (double)shape->level->filter.box.columns * (double)shape->level->params.source->faults.count;
    if (!shape->may_stop)
        return false;
    return row_work > long_row ? stop_signals_are_due() : stop_signals_pending() != 0;
}

// The rows of a shape's uplift, with a progress bar: Okada's formula for many faults takes long.
struct filling {
    const struct shape *shape;
    struct progress progress;
    atomic_size_t rows_done;
};

static void fill_row(void *context, size_t row)
{
    struct filling *filling = context;
    const struct shape *shape = filling->shape;
    const struct tsunami_filter *f = &shape->level->filter;
    double *water_m = f->water_m + row * f->box.columns;
    if (is_ending(shape))
        return;
    const size_t done = atomic_fetch_add(&filling->rows_done, 1) + 1;
    if (omp_get_thread_num() == 0)
        progress_update(&filling->progress, (double)done, (double)done);
    fill(shape, row, water_m);
    if (f->uplift_m)
        memcpy(f->uplift_m + row * f->box.columns, water_m, f->box.columns * sizeof *water_m);
}

static void fill_rows(const struct shape *shape)
{
    const struct tsunami_level *t = shape->level;
    struct filling filling = {.shape = shape};
    const struct progress_options options = {.enabled = log_is_shown(LOG_INFO),
                                             .descriptor = STDERR_FILENO,
                                             .duration_s = (double)t->filter.box.rows,
                                             .time_unit = t->parent ? "rows of a nested grid's source"
                                                                    : "rows of the source",
                                             .time_name = "uplift:",
                                             .patience_s = patience_s};
    progress_start(&filling.progress, &options, 0);
    team_for(t->threads, t->filter.box.rows, fill_row, &filling);
    progress_finish(&filling.progress, stop_signals_cut_work() ? "stopped" : "done");
}

// What the surface shows more than the bottom's rise.
static void keep_change(void *context, size_t row)
{
    const struct shape *shape = context;
    const struct tsunami_filter *f = &shape->level->filter;
    const size_t first = row * f->box.columns;
    double *change_m = shape->number == 0 ? f->residual_m : f->changes_m[shape->slot];
    const double *uplift_m = f->uplift_m ? f->uplift_m : f->direction_m;
    if (!f->uplift_m)
        fill(shape, row, f->direction_m + first);
    for (size_t k = first; k < first + f->box.columns; k++)
        change_m[k] = f->water_m[k] - uplift_m[k];
}

static bool needs(const struct shape *shape, const struct tsunami_level *child)
{
    return child->filter.edge_nodes > 0 && (shape->child ? shape->child == child : shape->number > 0);
}

// All factors, one after the other, on the uplift in water_m. Returns false if it was stopped.
static bool apply_factors(const struct shape *shape)
{
    struct tsunami_level *t = shape->level;
    const struct tsunami_filter *f = &t->filter;
    struct factor factor = {.level = t, .may_stop = shape->may_stop};
    const struct progress_options options = {.enabled = log_is_shown(LOG_INFO),
                                             .descriptor = STDERR_FILENO,
                                             .duration_s = fmax(1, tsunami_filter_iterations(f->largest_sum)),
                                             .time_unit = t->parent ? "iterations of a nested grid's filter"
                                                                    : "iterations of the filter",
                                             .time_name = "source.filter:",
                                             .patience_s = patience_s};
    bool is_whole = true;
    progress_start(&factor.progress, &options, 0);
    for (int stage = 0; stage < TSUNAMI_FILTER_STAGES && is_whole; stage++) {
        factor.c = coefficient(stage);
        factor.edges_m = f->edge_nodes > 0 ? edges_of(f, shape->slot, stage) : NULL;
        is_whole = apply_factor(&factor);
        for (struct tsunami_level *child = t->first_child; child && is_whole; child = child->next_sibling)
            if (needs(shape, child))
                give_edges(child, shape->slot, stage);
    }
    progress_finish(&factor.progress, is_whole ? "done" : "stopped");
    return is_whole;
}

// Filters a shape, before it for the grid's edges in its parent. Returns false if it was stopped.
static bool filter_shape(const struct shape *shape)
{
    struct tsunami_level *t = shape->level;
    struct tsunami_filter *f = &t->filter;
    if (f->edge_nodes > 0 && (shape->number == 0 || f->edge_shapes[shape->slot] != shape->number)) {
        struct shape outer = *shape;
        outer.level = t->parent;
        outer.child = t;
        if (!filter_shape(&outer))
            return false;
    }
    struct shape own = *shape;
    fill_rows(shape);
    if (stop_signals_cut_work() || !apply_factors(shape))
        return false;
    for (struct tsunami_level *child = t->first_child; child; child = child->next_sibling)
        if (needs(shape, child))
            child->filter.edge_shapes[shape->slot] = shape->number;
    if (shape->child)
        return true;
    team_for(t->threads, f->box.rows, keep_change, &own);
    if (shape->number > 0) {
        f->shapes[shape->slot] = shape->number;
        log_detail("%ssource.filter: filtered %zu x %zu nodes, %g iterations", t->prefix, f->box.columns,
                   f->box.rows, tsunami_filter_iterations(f->largest_sum));
    }
    t->group_is_known |= shape->number > record_count(t); // outside the box it is 0
    return true;
}

// Filters the shape unless its slot holds it.
static bool hold_shape(struct tsunami_level *t, size_t number, bool may_stop)
{
    const struct shape shape = shape_of(t, number, may_stop);
    return t->filter.shapes[shape.slot] == number || filter_shape(&shape);
}

// ---- the start

static double largest_sum(const struct tsunami_level *t)
{
    double largest = 0;
    for (size_t row = 0; row < t->filter.box.rows; row++) {
        const struct tsunami_filter_line line = tsunami_filter_line_of(t, row);
        for (size_t column = 0; column < t->filter.box.columns; column++) {
            const struct tsunami_filter_faces to = tsunami_filter_faces_of(t, &line, column);
            largest = fmax(largest, to.weights[0] + to.weights[1] + to.weights[2] + to.weights[3]);
        }
    }
    return largest;
}

static void find_columns(const struct tsunami_level *t)
{
    const struct tsunami_filter *f = &t->filter;
    for (size_t k = 0; k < f->box.columns; k++) {
        const double *to_east = t->geometry.x_distance_m + f->box.first_column + k;
        const double width_m = 0.5 * (to_east[-1] + to_east[0]);
        f->inverse_m2[k] = 1 / (width_m * to_east[-1]);
        f->inverse_m2[f->box.columns + k] = 1 / (width_m * to_east[0]);
    }
}

// Of the box: its columns' widths at its widest row, its rows' heights.
static double longer_side_m(const struct tsunami_level *t)
{
    const struct tsunami_geometry *g = &t->geometry;
    const struct tsunami_box *box = &t->filter.box;
    double width_m = 0, height_m = 0, widest = TSUNAMI_FILTER_LEAST_COSINE;
    for (size_t k = 0; k < box->rows; k++) {
        widest = fmax(widest, g->cos_latitude[box->first_row + k]);
        height_m += g->y_distance_m[box->first_row + k];
    }
    for (size_t k = 0; k < box->columns; k++)
        width_m += g->x_distance_m[box->first_column + k];
    return fmax(width_m * widest, height_m);
}

void tsunami_filter_start(struct tsunami_level *t)
{
    struct tsunami_filter *f = &t->filter;
    const double dry_depth_m = tsunami_params_dry_depth_m(&t->params);
    if (!f->is_active)
        return;
    find_columns(t);
    const double deepest_m = deepest_share * longer_side_m(t);
    for (size_t k = 0; k < f->box.rows * f->box.columns; k++) {
        const size_t row = f->box.first_row + k / f->box.columns,
                     column = f->box.first_column + k % f->box.columns;
        const double depth_m = t->depth_m[row * t->geometry.pitch + column];
        f->depth_m[k] = depth_m > dry_depth_m ? fmin(depth_m, deepest_m) : 0;
    }
    f->largest_sum = largest_sum(t);
}

void tsunami_filter_prepare(struct tsunami_level *t)
{
    const struct tsunami_filter *f = &t->filter;
    struct tsunami_record_weights before, later;
    bool goes_on = f->is_active && f->is_by_shapes;
    if (goes_on && (f->parts & TSUNAMI_UPLIFT_FAULTS) &&
        tsunami_uplift_group_share(t, tsunami_at(t->start_s), tsunami_at(INFINITY)) != 0)
        goes_on = hold_shape(t, record_count(t) + 1, true);
    tsunami_uplift_records(t, tsunami_at(-INFINITY), tsunami_at(t->start_s), &before);
    tsunami_uplift_records(t, tsunami_at(t->start_s), tsunami_at(INFINITY), &later);
    for (size_t k = 0; k < f->record_slots && later.count > 0 && goes_on; k++)
        if (before.first + k < record_count(t))
            goes_on = hold_shape(t, before.first + k + 1, true);
}

// ---- a lift

// The weights of the slots between two positions; false: it must be filtered as a whole.
static bool find_weights(const struct tsunami_level *t, struct tsunami_span from, struct tsunami_span to,
                         size_t numbers[TSUNAMI_FILTER_SLOTS], double weights[TSUNAMI_FILTER_SLOTS])
{
    const struct tsunami_filter *f = &t->filter;
    struct tsunami_record_weights records = {0};
    memset(weights, 0, TSUNAMI_FILTER_SLOTS * sizeof *weights);
    if (!f->is_by_shapes)
        return false;
    if (record_count(t) > 0)
        tsunami_uplift_records(t, from, to, &records);
    for (size_t k = 0; k < records.count; k++) {
        const size_t slot = (records.first + k) % f->record_slots;
        numbers[slot] = records.first + k + 1;
        weights[slot] = records.weights[k];
    }
    if (f->parts & TSUNAMI_UPLIFT_FAULTS) {
        numbers[f->record_slots] = record_count(t) + 1;
        weights[f->record_slots] = tsunami_uplift_group_share(t, from, to);
    }
    return !records.are_too_many;
}

void tsunami_filter_lift(struct tsunami_level *t, struct tsunami_span from, struct tsunami_span to,
                         bool may_stop)
{
    struct tsunami_filter *f = &t->filter;
    size_t numbers[TSUNAMI_FILTER_SLOTS] = {0};
    if (!f->is_active)
        return;
    f->is_whole_lift = !find_weights(t, from, to, numbers, f->weights);
    if (f->is_whole_lift) {
        const struct shape lift = {
            .level = t, .slot = TSUNAMI_FILTER_SLOTS, .from = from, .to = to, .may_stop = may_stop};
        (void)filter_shape(&lift);
        return;
    }
    for (size_t slot = 0; slot < f->slot_count; slot++)
        if (f->weights[slot] != 0 && !hold_shape(t, numbers[slot], may_stop))
            return;
}

void tsunami_filter_uplift(const struct tsunami_level *t, size_t row, struct tsunami_span from,
                           struct tsunami_span to, double *uplift_m)
{
    const struct tsunami_filter *f = &t->filter;
    const struct tsunami_nodes nodes = {row, 0, t->geometry.nx};
    if (!f->is_active || !f->uplift_m) {
        tsunami_uplift(t, nodes, from, to, uplift_m);
        return;
    }
    tsunami_uplift_of(t, nodes, from, to, TSUNAMI_UPLIFT_ALL & ~f->parts, uplift_m);
    if (row < f->box.first_row || row >= f->box.first_row + f->box.rows)
        return;
    const double *filtered_m = f->uplift_m + (row - f->box.first_row) * f->box.columns;
    for (size_t k = 0; k < f->box.columns; k++)
        uplift_m[f->box.first_column + k] += filtered_m[k];
}

bool tsunami_filter_water(const struct tsunami_level *t, size_t row, const double *uplift_m, double *water_m)
{
    const struct tsunami_filter *f = &t->filter;
    if (!f->is_active || row < f->box.first_row || row >= f->box.first_row + f->box.rows)
        return false;
    const size_t first = (row - f->box.first_row) * f->box.columns;
    memcpy(water_m, uplift_m, t->geometry.nx * sizeof *water_m);
    for (size_t k = 0; k < f->box.columns && f->is_whole_lift; k++)
        water_m[f->box.first_column + k] += f->residual_m[first + k];
    for (size_t slot = 0; slot < f->slot_count && !f->is_whole_lift; slot++)
        for (size_t k = 0; k < f->box.columns && f->weights[slot] != 0; k++)
            water_m[f->box.first_column + k] += f->weights[slot] * f->changes_m[slot][first + k];
    return true;
}

void tsunami_filter_change(const struct tsunami_level *t, struct tsunami_nodes nodes,
                           struct tsunami_span from, struct tsunami_span to, double *uplift_m)
{
    const struct tsunami_filter *f = &t->filter;
    const size_t row = nodes.row - f->box.first_row;
    size_t numbers[TSUNAMI_FILTER_SLOTS] = {0};
    double weights[TSUNAMI_FILTER_SLOTS];
    if (!f->is_active || nodes.row < f->box.first_row || row >= f->box.rows ||
        !find_weights(t, from, to, numbers, weights))
        return;
    for (size_t slot = 0; slot < f->slot_count; slot++)
        for (size_t k = 0; k < nodes.count && weights[slot] != 0; k++) {
            const size_t column = nodes.first + k - f->box.first_column;
            if (nodes.first + k >= f->box.first_column && column < f->box.columns &&
                f->shapes[slot] == numbers[slot])
                uplift_m[k] += weights[slot] * f->changes_m[slot][row * f->box.columns + column];
        }
}
