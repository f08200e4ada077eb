// The bottom's rise between two positions, row by row: faults and displacements as functions of time. A
// position is that of a moment or the mean of a span of time (struct tsunami_span), because a step applies
// its rise in two parts (source.c). Independent of solvers and water.
#include "core/ascending.h"
#include "models/tsunami/earthquake/okada_row.h"
#include "models/tsunami/instance.h"

#include <math.h>
#include <string.h>

// Share of its final value at a time: linear from `start` over `rise`.
static double ramp(double start_s, double rise_s, double time_s)
{
    if (time_s < start_s)
        return 0;
    return rise_s > 0 ? fmin(1, (time_s - start_s) / rise_s) : 1;
}

// The share's mean over a span: exactly 0 before the start and 1 after the rise.
static double mean_ramp(double start_s, double rise_s, struct tsunami_span span)
{
    if (!(span.to_s > span.from_s))
        return ramp(start_s, rise_s, span.from_s);
    const double first = fmin(fmax(span.from_s, start_s), span.to_s);
    const double last = fmin(fmax(span.from_s, start_s + rise_s), span.to_s);
    const double half = last > first ? 0.5 * ((first - start_s) + (last - start_s)) / rise_s : 0;
    return ((last - first) * half + (span.to_s - last)) / (span.to_s - span.from_s);
}

static double fault_share(const struct fault *fault, struct tsunami_span from, struct tsunami_span to)
{
    return mean_ramp(fault->start_s, fault->rise_s, to) - mean_ramp(fault->start_s, fault->rise_s, from);
}

bool tsunami_source_moves(const struct tsunami_level *t, double from_s, double to_s)
{
    const struct tsunami_params *p = &t->params;
    for (size_t k = 0; k < p->source->faults.count; k++) {
        const struct fault *fault = &p->source->faults.faults[k];
        if (fault->slip_m != 0 &&
            ramp(fault->start_s, fault->rise_s, to_s) != ramp(fault->start_s, fault->rise_s, from_s))
            return true;
    }
    if (!p->source->displacement)
        return false;
    const struct grid_info *info = grid_info(p->source->displacement);
    if (info->records == 1)
        return ramp(p->source->displacement_start_s, p->source->displacement_rise_s, to_s) !=
               ramp(p->source->displacement_start_s, p->source->displacement_rise_s, from_s);
    return to_s >= p->source->displacement_start_s &&
           from_s < p->source->displacement_start_s + info->times_s[info->records - 1];
}

double tsunami_source_end_s(const struct tsunami_source *source)
{
    double end_s = -INFINITY;
    for (size_t k = 0; k < source->faults.count; k++)
        if (source->faults.faults[k].slip_m != 0)
            end_s = fmax(end_s, source->faults.faults[k].start_s + source->faults.faults[k].rise_s);
    if (!source->displacement)
        return end_s;
    const struct grid_info *info = grid_info(source->displacement);
    const double lasts_s =
        info->records == 1 ? source->displacement_rise_s : info->times_s[info->records - 1];
    return fmax(end_s, source->displacement_start_s + lasts_s);
}

// Adds records of a displacement, each times its weight, to the uplift; or notes the weights alone.
struct record_sum {
    const float *row;    // of the first record, from the first node on
    size_t nodes, count; // of a record; of the row, those asked for
    double sign;
    double *uplift_m;
    struct tsunami_record_weights *weights; // NULL: adds
};

static void note_weight(struct tsunami_record_weights *w, size_t record, double weight)
{
    if (weight == 0)
        return;
    if (w->count == 0)
        w->first = record;
    const size_t place = record - w->first;
    if (record < w->first || place >= TSUNAMI_RECORDS_AT_ONCE) {
        w->are_too_many = true;
        return;
    }
    while (w->count <= place)
        w->weights[w->count++] = 0;
    w->weights[place] += weight;
}

static void add_record(const struct record_sum *sum, size_t record, double weight)
{
    if (sum->weights) {
        note_weight(sum->weights, record, sum->sign * weight);
        return;
    }
    const float *values = sum->row + record * sum->nodes;
    for (size_t i = 0; weight != 0 && i < sum->count; i++)
        sum->uplift_m[i] += sum->sign * weight * (double)values[i];
}

// At a time counted from the first record: linear between records, constant after the last.
static void add_record_at(const struct record_sum *sum, const struct grid_info *info, double time_s)
{
    size_t k = 0;
    while (k + 1 < info->records && info->times_s[k + 1] <= time_s)
        k++;
    const bool is_between = k + 1 < info->records && time_s > info->times_s[k];
    const double share =
        is_between ? (time_s - info->times_s[k]) / (info->times_s[k + 1] - info->times_s[k]) : 0;
    add_record(sum, k, 1 - share);
    if (is_between)
        add_record(sum, k + 1, share);
}

// The mean from begin to end (counted from the first record) of `length_s`, 0 for the rest.
static void add_record_mean(const struct record_sum *sum, const struct grid_info *info, double begin_s,
                            double end_s, double length_s)
{
    const size_t last = info->records - 1;
    double now_s = begin_s;
    for (size_t k = 0; k < last && now_s < end_s; k++) {
        if (info->times_s[k + 1] <= now_s)
            continue;
        const double next_s = fmin(end_s, info->times_s[k + 1]), weight = (next_s - now_s) / length_s;
        const double share =
            (0.5 * (now_s + next_s) - info->times_s[k]) / (info->times_s[k + 1] - info->times_s[k]);
        add_record(sum, k, weight * (1 - share));
        add_record(sum, k + 1, weight * share);
        now_s = next_s;
    }
    if (now_s < end_s)
        add_record(sum, last, (end_s - now_s) / length_s);
}

static void add_records(const struct tsunami_source *source, struct record_sum sum, struct tsunami_span from,
                        struct tsunami_span to)
{
    const struct grid_info *info = grid_info(source->displacement);
    const double start_s = source->displacement_start_s, rise_s = source->displacement_rise_s;
    if (info->records == 1) {
        add_record(&sum, 0, mean_ramp(start_s, rise_s, to) - mean_ramp(start_s, rise_s, from));
        return;
    }
    const struct tsunami_span positions[2] = {from, to};
    for (int k = 0; k < 2; k++) {
        const struct tsunami_span span = positions[k];
        sum.sign = k == 0 ? -1 : 1;
        if (span.to_s > span.from_s)
            add_record_mean(&sum, info, fmax(0, span.from_s - start_s), span.to_s - start_s,
                            span.to_s - span.from_s);
        else if (span.from_s >= start_s)
            add_record_at(&sum, info, span.from_s - start_s);
    }
}

static struct record_sum sum_of(const struct tsunami_level *t, struct tsunami_nodes nodes, double *uplift_m)
{
    const struct grid_window *w = &t->params.window;
    return (struct record_sum){.row = t->displacement_m + nodes.row * w->nx + nodes.first,
                               .nodes = w->nx * w->ny,
                               .count = nodes.count,
                               .sign = 1,
                               .uplift_m = uplift_m};
}

void tsunami_uplift_records(const struct tsunami_level *t, struct tsunami_span from, struct tsunami_span to,
                            struct tsunami_record_weights *weights)
{
    *weights = (struct tsunami_record_weights){0};
    if (t->params.source->displacement)
        add_records(t->params.source, (struct record_sum){.sign = 1, .weights = weights}, from, to);
}

void tsunami_uplift_of_record(const struct tsunami_level *t, struct tsunami_nodes nodes, size_t record,
                              double *uplift_m)
{
    const struct record_sum sum = sum_of(t, nodes, uplift_m);
    memset(uplift_m, 0, nodes.count * sizeof *uplift_m);
    add_record(&sum, record, 1);
}

// 1 near a fault, fading to 0 as a half cosine over the outer half of the extent: the flat half space is not
// valid thousands of kilometres away, and a sudden end would be a step in the water.
static double fade(double distance_m, double extent_m)
{
    if (extent_m <= 0 || distance_m <= 0.5 * extent_m)
        return 1;
    if (distance_m >= extent_m)
        return 0;
    return 0.5 * (1 + cos(acos(-1.0) * (2 * distance_m / extent_m - 1)));
}

// haversine of an angle in radians
static double haversine(double angle)
{
    const double half = sin(0.5 * angle);
    return half * half;
}

// Along a row, what the distance from a fault does not find anew at each node.
struct distances {
    const struct fault *fault;
    double y, haversine_y, cosines; // y: on a plane, of the row
};

static struct distances distances_of(const struct tsunami_level *t, const struct fault *fault, double y)
{
    const double radian = acos(-1.0) / 180;
    struct distances d = {.fault = fault, .y = y};
    if (t->params.window.is_geographic) {
        d.haversine_y = haversine(radian * (y - fault->latitude_deg));
        d.cosines = cos(y * radian) * cos(fault->latitude_deg * radian);
    }
    return d;
}

static double distance_m(const struct tsunami_level *t, const struct distances *d, double x)
{
    if (!t->params.window.is_geographic)
        return hypot(x - d->fault->longitude_deg, d->y - d->fault->latitude_deg);
    const double radian = acos(-1.0) / 180;
    const double h = d->haversine_y + d->cosines * haversine(radian * (x - d->fault->longitude_deg));
    return 2 * t->params.earth_radius_m * asin(fmin(1, sqrt(h)));
}

// Distance from the fault along x, in the grid's coordinates, beyond which it does not reach a row (rather
// too large than too small); below 0: it does not reach the row.
static double fault_reach(const struct tsunami_level *t, const struct fault *fault, double y)
{
    const double extent = t->params.source->fault_extent_m * (1 + 1e-9);
    if (extent <= 0)
        return INFINITY;
    if (!t->params.window.is_geographic)
        return fabs(y - fault->latitude_deg) <= extent ? extent : -1;
    const double radian = acos(-1.0) / 180, angle = extent / t->params.earth_radius_m;
    if (angle >= acos(-1.0))
        return INFINITY;
    const double left = haversine(angle) - haversine(radian * (y - fault->latitude_deg));
    const double scale = cos(y * radian) * cos(fault->latitude_deg * radian);
    if (left < 0)
        return -1;
    return left < scale ? 2 * asin(sqrt(left / scale)) / radian + 1e-6 : INFINITY;
}

// Slope of the bottom, ∂d/∂x and ∂d/∂y (depth positive down), by central differences; one-sided at the edges.
// On land the wall depth stands for the bottom.
static void bottom_slope(const struct tsunami_level *t, size_t i, size_t j, double *east, double *north)
{
    const struct tsunami_geometry *g = &t->geometry;
    const double wall = t->params.physics.wall_depth_m;
    const size_t im = i > 0 ? i - 1 : i, ip = i + 1 < g->nx ? i + 1 : i;
    const size_t jm = j > 0 ? j - 1 : j, jp = j + 1 < g->ny ? j + 1 : j;
    double dx = 0, dy = 0;
    for (size_t k = im; k < ip; k++)
        dx += g->x_distance_m[k] * g->cos_latitude[j];
    for (size_t k = jm; k < jp; k++)
        dy += g->y_distance_m[k];
    *east = (fmax(wall, t->depth_m[j * g->pitch + ip]) - fmax(wall, t->depth_m[j * g->pitch + im])) / dx;
    *north = (fmax(wall, t->depth_m[jp * g->pitch + i]) - fmax(wall, t->depth_m[jm * g->pitch + i])) / dy;
}

// Of a row on the sphere; on a plane it is not used.
static struct fault_parallel parallel_of(const struct tsunami_level *t, const struct fault_frame *frame,
                                         size_t row)
{
    return t->geometry.is_spherical
               ? fault_frame_parallel(frame, t->geometry.y[row], t->params.earth_radius_m)
               : (struct fault_parallel){0};
}

static double fault_uplift_m(const struct tsunami_level *t, const struct fault_frame *frame,
                             const struct fault_parallel *parallel, size_t i, size_t row)
{
    const struct tsunami_geometry *g = &t->geometry;
    const struct fault_displacement d = g->is_spherical ? fault_frame_at(frame, parallel, g->x[i])
                                                        : fault_frame_plane(frame, g->x[i], g->y[row]);
    if (!t->params.source->has_slope_term)
        return d.up_m;
    // Tanioka & Satake (1996), Geophys. Res. Lett. 23(8), 861–864, eq. 1: u_h = u_x ∂d/∂x + u_y ∂d/∂y.
    double east, north;
    bottom_slope(t, i, row, &east, &north);
    return d.up_m + d.east_m * east + d.north_m * north;
}

// Nodes of a row, from column `first` on: at most OKADA_ROW_BLOCK.
struct block {
    size_t row, first, count;
};

// Whether all nodes of a block lie within half the extent: those at its ends do, and no node between is
// further.
static bool is_whole_near(const struct tsunami_level *t, const struct distances *d, struct block block)
{
    const double *x = t->geometry.x + block.first, half_m = 0.5 * t->params.source->fault_extent_m;
    const double west = remainder(x[0] - d->fault->longitude_deg, 360),
                 east = remainder(x[block.count - 1] - d->fault->longitude_deg, 360);
    return x[block.count - 1] - x[0] < 180 && -90 <= west && west <= east && east <= 90 &&
           fmax(distance_m(t, d, x[0]), distance_m(t, d, x[block.count - 1])) < half_m * (1 - 1e-9);
}

static void find_weights(const struct tsunami_level *t, const struct distances *d, struct block block,
                         double *weights)
{
    const double *x = t->geometry.x + block.first, extent_m = t->params.source->fault_extent_m;
    const struct okada_fade row = {.longitude_deg = d->fault->longitude_deg,
                                   .haversine_y = d->haversine_y,
                                   .cosines = d->cosines,
                                   .earth_radius_m = t->params.earth_radius_m,
                                   .extent_m = extent_m};
    if (extent_m <= 0 || (t->params.window.is_geographic && is_whole_near(t, d, block)))
        for (size_t i = 0; i < block.count; i++)
            weights[i] = 1;
    else if (t->params.window.is_geographic)
        okada_row_fade(&row, x, block.count, weights);
    else
        for (size_t i = 0; i < block.count; i++)
            weights[i] = fade(distance_m(t, d, x[i]), extent_m);
}

static void find_uplifts(const struct tsunami_level *t, const struct fault_frame *frame,
                         const struct fault_parallel *parallel, struct block block, double *up_m)
{
    const struct tsunami_geometry *g = &t->geometry;
    if (t->params.source->has_slope_term)
        for (size_t i = 0; i < block.count; i++)
            up_m[i] = fault_uplift_m(t, frame, parallel, block.first + i, block.row);
    else if (g->is_spherical)
        okada_row_on_sphere(frame, parallel, g->x + block.first, block.count, up_m);
    else
        okada_row_on_plane(frame, g->x + block.first, g->y[block.row], block.count, up_m);
}

// Adds the fault's uplift to those of the nodes that lie from x = from to x = to.
static void add_fault_span(const struct tsunami_level *t, const struct fault *fault,
                           struct tsunami_nodes nodes, double rise, double from, double to, double *uplift_m)
{
    const struct tsunami_geometry *g = &t->geometry;
    const struct fault_frame frame = fault_frame_of(fault);
    const struct distances distances = distances_of(t, fault, g->y[nodes.row]);
    const struct fault_parallel parallel = parallel_of(t, &frame, nodes.row);
    const size_t begin = ascending_count_below(g->x, g->nx, from);
    size_t i = begin > nodes.first ? begin : nodes.first, end = i;
    while (end < nodes.first + nodes.count && g->x[end] <= to)
        end++;
    double up_m[OKADA_ROW_BLOCK], weights[OKADA_ROW_BLOCK];
    for (; i < end; i += OKADA_ROW_BLOCK) {
        const size_t left = end - i;
        const struct block block = {nodes.row, i, left < OKADA_ROW_BLOCK ? left : OKADA_ROW_BLOCK};
        find_weights(t, &distances, block, weights);
        find_uplifts(t, &frame, &parallel, block, up_m);
        for (size_t k = 0; k < block.count; k++)
            uplift_m[i - nodes.first + k] += rise * weights[k] * up_m[k];
    }
}

static void add_fault(const struct tsunami_level *t, const struct fault *fault, struct tsunami_nodes nodes,
                      double rise, double *uplift_m)
{
    const struct tsunami_geometry *g = &t->geometry;
    const double reach = fault_reach(t, fault, g->y[nodes.row]), x = fault->longitude_deg;
    const double first = g->x[0], last = g->x[g->nx - 1];
    if (reach < 0)
        return;
    if (!t->params.window.is_geographic) {
        add_fault_span(t, fault, nodes, rise, x - reach, x + reach, uplift_m);
    } else if (reach >= 180) {
        add_fault_span(t, fault, nodes, rise, first, last, uplift_m);
    } else { // the grid's longitudes may be any turn away from the fault's
        for (double turn = ceil((first - x - reach) / 360); turn <= floor((last - x + reach) / 360); turn++)
            add_fault_span(t, fault, nodes, rise, x + 360 * turn - reach, x + 360 * turn + reach, uplift_m);
    }
}

// ---- faults that move together

// Most pairs of start and rise among which the group is chosen.
enum { PACES_MAX = 64 };

static bool has_pace(const struct fault *fault, double start_s, double rise_s)
{
    return fault->slip_m != 0 && fault->start_s == start_s && fault->rise_s == rise_s;
}

static size_t count_pace(const struct fault_table *table, const struct fault *like)
{
    size_t count = 0;
    for (size_t k = 0; k < table->count; k++)
        count += has_pace(&table->faults[k], like->start_s, like->rise_s);
    return count;
}

// The largest group of faults with the same start and rise that move during the run. Okada's formula is
// evaluated once for them; each lift takes a share of the result.
static const struct fault *find_group(const struct tsunami_level *t)
{
    const struct fault_table *table = &t->params.source->faults;
    const struct fault *paces[PACES_MAX], *best = NULL;
    size_t pace_count = 0, most = 0;
    for (size_t k = 0; k < table->count && pace_count < PACES_MAX; k++) {
        const struct fault *fault = &table->faults[k];
        bool is_known = fault->slip_m == 0 || ramp(fault->start_s, fault->rise_s, t->start_s) == 1;
        for (size_t p = 0; p < pace_count && !is_known; p++)
            is_known = has_pace(fault, paces[p]->start_s, paces[p]->rise_s);
        if (is_known)
            continue;
        const size_t count = count_pace(table, fault);
        paces[pace_count++] = fault;
        best = count > most ? fault : best;
        most = count > most ? count : most;
    }
    return best;
}

enum status tsunami_uplift_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    // Where the shore moves, slopes change with the bottom, and so does the uplift.
    const bool has_fixed_slopes = !(tsunami_level_floods(t) && t->params.source->has_slope_term);
    t->group_fault = has_fixed_slopes ? find_group(t) : NULL;
    if (!t->group_fault)
        return STATUS_OK;
    return tsunami_level_array(t, memory, ELEMENT_F64, t->params.window.ny, t->params.window.nx,
                               (void **)&t->group_uplift_m, "uplift of faults that move together");
}

// Computes the group's whole uplift, until the first lift that uses it has ended.
static void fill_group(const struct tsunami_level *t, struct tsunami_nodes nodes)
{
    const struct fault_table *table = &t->params.source->faults;
    double *whole_m = t->group_uplift_m + nodes.row * t->geometry.nx + nodes.first;
    memset(whole_m, 0, nodes.count * sizeof *whole_m);
    for (size_t k = 0; k < table->count; k++)
        if (has_pace(&table->faults[k], t->group_fault->start_s, t->group_fault->rise_s))
            add_fault(t, &table->faults[k], nodes, 1, whole_m);
}

static void add_group(const struct tsunami_level *t, struct tsunami_nodes nodes, double share,
                      double *uplift_m)
{
    const double *whole_m = t->group_uplift_m + nodes.row * t->geometry.nx + nodes.first;
    if (!t->group_is_known)
        fill_group(t, nodes);
    for (size_t i = 0; i < nodes.count; i++)
        uplift_m[i] += share * whole_m[i];
}

bool tsunami_uplift_uses_group(const struct tsunami_level *t, struct tsunami_span from,
                               struct tsunami_span to)
{
    return t->group_fault && fault_share(t->group_fault, from, to) != 0;
}

bool tsunami_uplift_is_group(const struct tsunami_level *t)
{
    const struct fault_table *table = &t->params.source->faults;
    for (size_t k = 0; k < table->count && t->group_fault; k++)
        if (table->faults[k].slip_m != 0 &&
            !has_pace(&table->faults[k], t->group_fault->start_s, t->group_fault->rise_s))
            return false;
    return t->group_fault != NULL;
}

double tsunami_uplift_group_share(const struct tsunami_level *t, struct tsunami_span from,
                                  struct tsunami_span to)
{
    return fault_share(t->group_fault, from, to);
}

// The columns from x = from to x = to join the box; its rows are those from first_row on.
static void widen_box(const struct grid_window *w, size_t row, double from, double to,
                      struct tsunami_box *box)
{
    if (to < w->x[0] || from > w->x[w->nx - 1])
        return;
    const size_t first = ascending_count_below(w->x, w->nx, from),
                 end = ascending_count_below(w->x, w->nx, to) + 1;
    const size_t last = end > w->nx ? w->nx : end, stop = box->first_column + box->columns;
    if (box->rows == 0)
        *box = (struct tsunami_box){row, 1, first, last - first};
    const size_t begin = first < box->first_column ? first : box->first_column;
    box->columns = (last > stop ? last : stop) - begin;
    box->first_column = begin;
    const size_t top = box->first_row + box->rows, low = row < box->first_row ? row : box->first_row;
    box->rows = (row + 1 > top ? row + 1 : top) - low;
    box->first_row = low;
}

void tsunami_uplift_box(const struct tsunami_level *t, int parts, struct tsunami_box *box)
{
    const struct grid_window *w = &t->params.window;
    const struct fault_table *table = &t->params.source->faults;
    *box = (struct tsunami_box){0};
    if (parts & TSUNAMI_UPLIFT_DISPLACEMENT)
        *box = (struct tsunami_box){0, w->ny, 0, w->nx};
    for (size_t k = 0; k < table->count && (parts & TSUNAMI_UPLIFT_FAULTS); k++)
        for (size_t row = 0; row < w->ny && table->faults[k].slip_m != 0; row++) {
            const double reach = fault_reach(t, &table->faults[k], w->y[row]),
                         x = table->faults[k].longitude_deg;
            for (int turn = -2; turn <= 2 && reach >= 0; turn++)
                if (turn == 0 || w->is_geographic)
                    widen_box(w, row, x + 360 * turn - reach, x + 360 * turn + reach, box);
        }
}

void tsunami_uplift(const struct tsunami_level *t, struct tsunami_nodes nodes, struct tsunami_span from,
                    struct tsunami_span to, double *uplift_m)
{
    tsunami_uplift_of(t, nodes, from, to, TSUNAMI_UPLIFT_ALL, uplift_m);
}

void tsunami_uplift_of(const struct tsunami_level *t, struct tsunami_nodes nodes, struct tsunami_span from,
                       struct tsunami_span to, int parts, double *uplift_m)
{
    const struct fault *group = t->group_fault;
    const bool has_faults = (parts & TSUNAMI_UPLIFT_FAULTS) != 0;
    memset(uplift_m, 0, nodes.count * sizeof *uplift_m);
    if (has_faults && tsunami_uplift_uses_group(t, from, to))
        add_group(t, nodes, fault_share(group, from, to), uplift_m);
    for (size_t k = 0; k < t->params.source->faults.count && has_faults; k++) {
        const struct fault *fault = &t->params.source->faults.faults[k];
        const double share = fault_share(fault, from, to);
        if (share != 0 && fault->slip_m != 0 && !(group && has_pace(fault, group->start_s, group->rise_s)))
            add_fault(t, fault, nodes, share, uplift_m);
    }
    if (t->params.source->displacement && (parts & TSUNAMI_UPLIFT_DISPLACEMENT))
        add_records(t->params.source, sum_of(t, nodes, uplift_m), from, to);
}

double tsunami_source_shift_m(const struct tsunami_level *t, size_t column, size_t row)
{
    const struct tsunami_source *source = t->params.source;
    const struct tsunami_geometry *g = &t->geometry;
    const size_t node = row * g->nx + column;
    double shift_m = 0;
    for (size_t k = 0; k < source->faults.count; k++) {
        const struct fault *fault = &source->faults.faults[k];
        const struct distances distances = distances_of(t, fault, g->y[row]);
        const double weight = fade(distance_m(t, &distances, g->x[column]), source->fault_extent_m);
        if (fault->slip_m == 0 || weight == 0)
            continue;
        const struct fault_frame frame = fault_frame_of(fault);
        const struct fault_parallel parallel = parallel_of(t, &frame, row);
        shift_m += weight * fault_uplift_m(t, &frame, &parallel, column, row);
    }
    if (t->displacement_m)
        shift_m +=
            (double)t->displacement_m[(grid_info(source->displacement)->records - 1) * g->nx * g->ny + node];
    if (t->initial[TSUNAMI_ETA])
        shift_m += (double)t->initial[TSUNAMI_ETA][node];
    return fabs(shift_m);
}
