// Propagation at a node and its neighbours in a warp. The arithmetic is that of models/tsunami/point.inc.
// Knows no tiles and no order of work.
#ifndef FATHOM_GPU_TSUNAMI_CELL_CUH
#define FATHOM_GPU_TSUNAMI_CELL_CUH

#include "gpu/tsunami/bits.cuh"
#include "gpu/tsunami/given.cuh"
#include "gpu/tsunami/level.cuh"
#include "gpu/tsunami/point.cuh"

namespace tsunami {

// Columns of a lane.
template <typename Real> constexpr int lane_columns = sizeof(Real) == sizeof(float) ? 2 : 1;

// A lane's nodes of one row; and one value of each, loaded and stored together.
template <typename Real> struct cell {
    Real e, u, v, c0;
};

template <typename Real> struct cells {
    cell<Real> at[lane_columns<Real>];
};

template <typename Real> struct alignas(sizeof(Real) * lane_columns<Real>) values {
    Real at[lane_columns<Real>];
};

// The same of the records, which are always float.
template <typename Real> struct alignas(sizeof(float) * lane_columns<Real>) heights {
    float at[lane_columns<Real>];
};

// Constants of a row, combined from the level's.
template <typename Real> struct alignas(16) row_constants {
    Real km, kp, dd, rate, step_x, coriolis, curvature, metric;
};

template <typename Real> DEVICE row_constants<Real> row_of(const device_level<Real> &level, int row)
{
    const Real *given = level.rows + (row + 1) * ROW_CONSTANTS;
    return {given[1],          given[2], given[3], level.step * given[0],
            given[ROW_STEP_X], given[5], given[6], given[7]};
}

template <typename Real> DEVICE node<Real> along_x(cell<Real> c)
{
    return node_of(c.e, c.u, c.v, c.c0);
}

template <typename Real> DEVICE node<Real> along_y(cell<Real> c)
{
    return node_of(c.e, c.v, c.u, c.c0);
}

// The last column of the lane before, or the first of the lane after.
template <typename Real> DEVICE cell<Real> cell_from_lane(cell<Real> c, int step)
{
    return {from_lane(c.e, step), from_lane(c.u, step), from_lane(c.v, step), from_lane(c.c0, step)};
}

// Constants of a lane's columns.
template <typename Real> struct columns {
    Real k0[lane_columns<Real>], km[lane_columns<Real>], kp[lane_columns<Real>], dd[lane_columns<Real>];
};

// The node ON an edge with boundary data, if they exist at this node and time, else `otherwise`. If no
// velocity is given, it follows from the outgoing wave. Rarely called, so not inlined: its code would
// displace that of the loops.
template <typename Real>
static __device__ __noinline__ node<Real> given_edge(const device_level<Real> &level, node<Real> inner,
                                                     node<Real> edge, Real k, Real step,
                                                     enum tsunami_side which, const struct given_now *now,
                                                     int place, node<Real> otherwise)
{
    const struct given_node given = given_at(level.edges[which], now[which], place);
    if (!given.is_there)
        return otherwise;
    const bool is_along_x = which == TSUNAMI_WEST || which == TSUNAMI_EAST;
    const Real side = which == TSUNAMI_EAST || which == TSUNAMI_NORTH ? Real(1) : Real(-1);
    const double c0 = (double)edge.c0, gravity = (double)level.gravity;
    const double c2 = c0 * c0 + gravity * given.eta_m; // a surface below the bottom: dry
    const Real e = c2 > 0 ? Real(gravity * given.eta_m / (sqrt(c2) + c0)) : -edge.c0;
    if (!level.edges[which].has_velocity) {
        const node<Real> open = open_edge(inner, edge, side, k, step, Real(0));
        return node_of(e, side * (Real(2) * open.un * side - Real(2) * e), open.ut, edge.c0);
    }
    const Real un = Real(is_along_x ? given.u_m_s : given.v_m_s);
    node<Real> next = open_edge(inner, edge, side, k, step, side * un - Real(2) * e);
    if (side * next.un < Real(0)) // what comes in brings its own
        next.ut = Real(is_along_x ? given.v_m_s : given.u_m_s);
    return next;
}

// At the end of the step the edge takes the boundary data once more, by its rule for a step of length 0:
// neither the sweep along it nor the sources may change them. One axis; `now`: of the end of the step.
template <typename Real>
DEVICE cell<Real> give_end(const device_level<Real> &level, cell<Real> c, bool is_along_x, int column,
                           int row, const struct given_now *now)
{
    const int place = is_along_x ? column : row, last = (is_along_x ? level.nx : level.ny) - 1;
    const enum tsunami_side before = is_along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH;
    const enum tsunami_side after = is_along_x ? TSUNAMI_EAST : TSUNAMI_NORTH;
    const enum tsunami_side which = place == 0 ? before : after;
    if ((place != 0 && place != last) || level.edges[which].kind != TSUNAMI_EDGE_GIVEN || !(c.c0 > Real(0)))
        return c;
    const node<Real> edge = is_along_x ? along_x(c) : along_y(c);
    const node<Real> next =
        given_edge(level, edge, edge, Real(0), Real(0), which, now, is_along_x ? row : column, edge);
    return {next.e, is_along_x ? next.un : next.ut, is_along_x ? next.ut : next.un, c.c0};
}

// Both axes, in the order of the sweeps.
template <typename Real>
DEVICE cell<Real> give_ends(const device_level<Real> &level, cell<Real> c, bool is_x_first, int column,
                            int row, const struct given_now *now)
{
    c = give_end(level, c, is_x_first, column, row, now);
    return give_end(level, c, !is_x_first, column, row, now);
}

// A node with land beside it, or on the domain's edge. HAS_GIVEN: one edge or more has boundary data.
template <bool SECOND, bool HAS_GIVEN, typename Real>
DEVICE node<Real> sweep_coast(const device_level<Real> &level, node<Real> left, node<Real> here,
                              node<Real> right, const spacing<Real> &h, const struct line_end &end)
{
    left = neighbour(left, here);
    right = neighbour(right, here);
    const bool is_left = end.is_on_left && level.is_open[end.left];
    const bool is_right = end.is_on_right && level.is_open[end.right];
    node<Real> next = sweep(left, here, right, h, SECOND);
    if (is_left)
        next = open_edge(right, here, Real(-1), h.kp, h.step, Real(0));
    if (is_right)
        next = open_edge(left, here, Real(1), h.km, h.step, Real(0));
    if (!(here.c0 > Real(0)))
        next = node_of(Real(0), Real(0), Real(0), here.c0);
    else if (HAS_GIVEN && (is_left || is_right) &&
             level.edges[is_right ? end.right : end.left].kind == TSUNAMI_EDGE_GIVEN)
        next = given_edge(level, is_right ? left : right, here, is_right ? h.km : h.kp, h.step,
                          is_right ? end.right : end.left, end.given, end.place, next);
    return next;
}

template <bool IS_ALONG_X, typename Real>
DEVICE struct line_end line_end_of(const device_level<Real> &level, int column, int row,
                                   const struct given_now *given)
{
    const int index = IS_ALONG_X ? column : row;
    return {index == 0,
            index == (IS_ALONG_X ? level.nx : level.ny) - 1,
            IS_ALONG_X ? TSUNAMI_WEST : TSUNAMI_SOUTH,
            IS_ALONG_X ? TSUNAMI_EAST : TSUNAMI_NORTH,
            IS_ALONG_X ? wrapped_or_mirrored(row, level.ny, level.is_periodic_y)
                       : wrapped_or_mirrored(column, level.nx, level.is_periodic_x),
            given};
}

template <bool HAS_LAND, bool SECOND, bool HAS_GIVEN, typename Real>
DEVICE cells<Real> sweep_x(const device_level<Real> &level, const cells<Real> &row, const columns<Real> &h,
                           Real step, int column, int number, const struct given_now *given)
{
    node<Real> nodes[lane_columns<Real> + 2];
    nodes[0] = along_x(cell_from_lane(row.at[lane_columns<Real> - 1], -1));
    for (int k = 0; k < lane_columns<Real>; k++)
        nodes[k + 1] = along_x(row.at[k]);
    nodes[lane_columns<Real> + 1] = along_x(cell_from_lane(row.at[0], +1));
    cells<Real> swept;
    pair<Real> pairs[lane_columns<Real> + 1];
    if (!HAS_LAND) {
        for (int k = 0; k < lane_columns<Real>; k++)
            pairs[k + 1] = between(nodes[k + 1], nodes[k + 2], h.kp[k]);
        const pair<Real> &last = pairs[lane_columns<Real>];
        pairs[0] = {from_lane(last.p, -1), from_lane(last.q, -1), from_lane(last.ut, -1)};
    }
    for (int k = 0; k < lane_columns<Real>; k++) {
        const spacing<Real> spacing = spacing_of(h.k0[k], h.km[k], h.kp[k], h.dd[k], step);
        const node<Real> next =
            HAS_LAND ? sweep_coast<SECOND, HAS_GIVEN>(level, nodes[k], nodes[k + 1], nodes[k + 2], spacing,
                                                      line_end_of<true>(level, column + k, number, given))
                     : sweep_between(nodes[k], nodes[k + 1], nodes[k + 2], pairs[k], pairs[k + 1], spacing,
                                     SECOND);
        swept.at[k] = {next.e, next.un, next.ut, next.c0};
    }
    return swept;
}

template <typename Real>
DEVICE spacing<Real> spacing_y(const device_level<Real> &level, const row_constants<Real> &k)
{
    return {k.km, k.kp, k.dd, level.step, k.rate, level.step * k.rate};
}

// The published scheme's addition to the y sweep for the sphere.
template <bool SECOND, typename Real>
DEVICE cell<Real> finish_y(const device_level<Real> &level, node<Real> centre, node<Real> next,
                           const row_constants<Real> &k)
{
    if (!SECOND && level.has_metric_in_sweep)
        next.e = MADD(centre.un * k.metric, centre.c0 + centre.e, next.e);
    return {next.e, next.ut, next.un, next.c0};
}

// The middle row's node; `below`: the pair between it and its southern neighbour; becomes the northern pair.
template <bool SECOND, typename Real>
DEVICE cell<Real> sweep_y(const device_level<Real> &level, node<Real> south, node<Real> centre,
                          node<Real> north, const row_constants<Real> &k, pair<Real> &below)
{
    const pair<Real> above = between(centre, north, k.kp);
    const node<Real> next = sweep_between(south, centre, north, below, above, spacing_y(level, k), SECOND);
    below = above;
    return finish_y<SECOND>(level, centre, next, k);
}

// The same with land beside it, or on the domain's edge: the rule of an open edge replaces the scheme's.
template <bool SECOND, bool HAS_GIVEN, typename Real>
DEVICE cell<Real> sweep_y_coast(const device_level<Real> &level, node<Real> south, node<Real> centre,
                                node<Real> north, const row_constants<Real> &k, int row, int column,
                                const struct given_now *given)
{
    const struct line_end end = line_end_of<false>(level, column, row, given);
    const bool is_through =
        (end.is_on_left && level.is_open[end.left]) || (end.is_on_right && level.is_open[end.right]);
    const node<Real> next =
        sweep_coast<SECOND, HAS_GIVEN>(level, south, centre, north, spacing_y(level, k), end);
    if (is_through || !(centre.c0 > Real(0)))
        return {next.e, next.ut, next.un, next.c0};
    return finish_y<SECOND>(level, centre, next, k);
}

template <bool HAS_LAND, bool SECOND, bool HAS_FRICTION, bool IS_REVERSED, typename Real>
DEVICE cell<Real> apply_sources(const device_level<Real> &level, cell<Real> c, const row_constants<Real> &k)
{
    const Real wet_c0 = !HAS_LAND || c.c0 > Real(0) ? c.c0 : Real(1);
    if (IS_REVERSED && HAS_FRICTION) {
        Real factor = friction_factor(c.e, c.u, c.v, wet_c0, level.friction);
        c.u *= factor;
        c.v *= factor;
    }
    if (SECOND && !IS_REVERSED && level.has_metric_source)
        c.e = metric(c.e, c.v, c.c0, k.metric);
    if (level.has_rotation)
        rotate(&c.u, &c.v, k.coriolis, k.curvature);
    if (SECOND && IS_REVERSED && level.has_metric_source)
        c.e = metric(c.e, c.v, c.c0, k.metric);
    if (!IS_REVERSED && HAS_FRICTION) {
        Real factor = friction_factor(c.e, c.u, c.v, wet_c0, level.friction);
        c.u *= factor;
        c.v *= factor;
    }
    return c;
}

// Largest speed and flux and the first drawdown of one node.
template <typename Real>
DEVICE void record_more(const struct device_records &records, const device_level<Real> &level, cell<Real> c,
                        int place, float eta, float fastest, float strongest, float time_s)
{
    if (records.max_speed_m_s || records.max_flux_m2_s) {
        const float speed = sqrtf((float)(c.u * c.u + c.v * c.v));
        const float depth = (float)((c.c0 + c.e) * (c.c0 + c.e) * level.inverse_gravity);
        if (records.max_speed_m_s && speed > fastest)
            records.max_speed_m_s[place] = speed;
        if (records.max_flux_m2_s && speed * depth > strongest)
            records.max_flux_m2_s[place] = speed * depth;
    }
    const bool has_level = records.first_drawdown_s && records.source_level_m;
    const float from = has_level ? records.source_level_m[place] : 0.0f;
    if (records.first_drawdown_s && eta < from - records.drawdown_m && isnan(records.first_drawdown_s[place]))
        records.first_drawdown_s[place] = time_s;
}

// The first times above the thresholds. With a constant source level such a time is that of a new maximum;
// with a moving one every node is tested.
DEVICE void arrive(const struct device_records &records, int place, float eta, float before, float time_s)
{
    if (!(eta > before) && !records.has_moving_level)
        return;
    const float level = records.source_level_m ? records.source_level_m[place] : 0.0f;
    for (int a = 0; a < records.arrival_count; a++)
        if (eta >= level + records.arrival_m[a] && isnan(records.arrival_s[a][place]))
            records.arrival_s[a][place] = time_s;
}

// Maxima and arrivals of a lane's nodes that have just been computed; `before` was read while they were on
// their way. Writes only where something grew.
template <int RECORDS, typename Real>
DEVICE void record(const struct device_records &records, const device_level<Real> &level,
                   const cells<Real> &cells, int columns, int offset, const heights<Real> *before,
                   float time_s)
{
    heights<Real> eta;
    const bool keeps_eta = RECORDS == RECORDS_ETA || records.max_eta_m; // a drawdown may be all that is kept
    bool has_come = false;
    for (int k = 0; k < lane_columns<Real>; k++)
        eta.at[k] = (float)tsunami::eta(cells.at[k].e, cells.at[k].c0, level.inverse_gravity);
    for (int k = 0; k < lane_columns<Real>; k++)
        if (k < columns && keeps_eta && eta.at[k] > before[0].at[k]) {
            records.max_eta_m[offset + k] = eta.at[k];
            if (records.time_of_max_s)
                records.time_of_max_s[offset + k] = time_s;
            has_come |= records.source_level_m || before[0].at[k] < records.highest_arrival_m;
        }
    if (has_come || records.has_moving_level)
        for (int k = 0; k < lane_columns<Real>; k++)
            if (k < columns)
                arrive(records, offset + k, eta.at[k], before[0].at[k], time_s);
    if (RECORDS == RECORDS_ALL)
        for (int k = 0; k < lane_columns<Real>; k++)
            if (k < columns)
                record_more(records, level, cells.at[k], offset + k, eta.at[k], before[1].at[k],
                            before[2].at[k], time_s);
}

template <typename Real> DEVICE void store_cell(Real *const *state, cell<Real> c, int offset)
{
    state[0][offset] = c.e;
    state[1][offset] = c.u;
    state[2][offset] = c.v;
}

// Records of one copy of the state, without a step. One thread a node.
template <typename Real>
__global__ void record_kernel(device_level<Real> level, struct device_records records, int copy, float time_s)
{
    const auto [column, row] = own_place_of(level);
    if (column >= level.nx)
        return;
    const int place = row * level.pitch + column;
    Real *const *state = level.state[copy];
    cells<Real> here = {};
    heights<Real> before[RECORD_MAXIMA] = {};
    float *const maxima[RECORD_MAXIMA] = {records.max_eta_m, records.max_speed_m_s, records.max_flux_m2_s};
    here.at[0] = {state[0][place], state[1][place], state[2][place], level.still[place]};
    for (int m = 0; m < RECORD_MAXIMA; m++)
        before[m].at[0] = maxima[m] ? maxima[m][place] : 0;
    record<RECORDS_ALL>(records, level, here, 1, place, before, time_s);
}

} // namespace tsunami

#endif
