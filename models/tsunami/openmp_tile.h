// One step of one tile in the fast CPU version: both sweeps in one pass, a ring of three swept rows between
// them. Included once per precision by openmp_isa.c, with REAL and POINT(name) defined; knows no threads, no
// schedule and no files.
//
// Even steps sweep X, then Y, then apply the sources; odd steps apply the sources, then sweep Y, then X
// (Strang's symmetry over two steps without a second application). `vtcs2` always takes the even order.

// A row segment of state: pointers to the tile's column 0.
struct POINT(row) {
    REAL *e, *u, *v;
};

struct POINT(const_row) {
    const REAL *e, *u, *v, *c0;
};

TILE_INLINE struct POINT(const_row)
    POINT(input_row)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column)
{
    ptrdiff_t offset = row * (ptrdiff_t)level->pitch + column;
    return (struct POINT(const_row)){level->e + offset, level->u + offset, level->v + offset,
                                     level->c0 + offset};
}

// X sweep of `count` columns starting at `first`; in and out point to the tile's column 0.
TILE_INLINE void POINT(sweep_x)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column,
                                ptrdiff_t first, ptrdiff_t count, struct POINT(const_row) in,
                                struct POINT(row) out, bool has_land, bool second_order)
{
    const REAL *restrict k0 = level->kx0 + column, *restrict km = level->kxm + column;
    const REAL *restrict kp = level->kxp + column, *restrict dd = level->dx_difference + column;
    const REAL step = level->step_x[row];
    const REAL *restrict e = in.e, *restrict u = in.u, *restrict v = in.v, *restrict c0 = in.c0;
    REAL *restrict e_out = out.e, *restrict u_out = out.u, *restrict v_out = out.v;
#pragma omp simd
    for (ptrdiff_t i = first; i < first + count; i++) {
        struct POINT(node) left = POINT(node_of)(e[i - 1], u[i - 1], v[i - 1], c0[i - 1]);
        struct POINT(node) centre = POINT(node_of)(e[i], u[i], v[i], c0[i]);
        struct POINT(node) right = POINT(node_of)(e[i + 1], u[i + 1], v[i + 1], c0[i + 1]);
        const struct POINT(spacing) h = POINT(spacing_of)(k0[i], km[i], kp[i], dd[i], step);
        if (has_land) {
            left = POINT(neighbour)(left, centre);
            right = POINT(neighbour)(right, centre);
        }
        struct POINT(node) next = POINT(sweep)(left, centre, right, h, second_order);
        bool is_wet = !has_land || centre.c0 > (REAL)0;
        e_out[i] = is_wet ? next.e : (REAL)0;
        u_out[i] = is_wet ? next.un : (REAL)0;
        v_out[i] = is_wet ? next.ut : (REAL)0;
    }
}

// Y sweep of the middle of three rows.
TILE_INLINE void POINT(sweep_y)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t first,
                                ptrdiff_t count, struct POINT(const_row) south, struct POINT(const_row) in,
                                struct POINT(const_row) north, struct POINT(row) out, bool has_land,
                                bool second_order)
{
    const struct POINT(spacing) h = POINT(spacing_of)(level->ky0[row], level->kym[row], level->kyp[row],
                                                      level->dy_difference[row], level->step);
    const REAL metric = level->has_metric_in_sweep ? level->metric[row] : (REAL)0;
    const REAL *restrict es = south.e, *restrict us = south.u, *restrict vs = south.v,
                         *restrict cs = south.c0;
    const REAL *restrict e = in.e, *restrict u = in.u, *restrict v = in.v, *restrict c0 = in.c0;
    const REAL *restrict en = north.e, *restrict un = north.u, *restrict vn = north.v,
                         *restrict cn = north.c0;
    REAL *restrict e_out = out.e, *restrict u_out = out.u, *restrict v_out = out.v;
#pragma omp simd
    for (ptrdiff_t i = first; i < first + count; i++) {
        struct POINT(node) left = POINT(node_of)(es[i], vs[i], us[i], cs[i]);
        struct POINT(node) centre = POINT(node_of)(e[i], v[i], u[i], c0[i]);
        struct POINT(node) right = POINT(node_of)(en[i], vn[i], un[i], cn[i]);
        if (has_land) {
            left = POINT(neighbour)(left, centre);
            right = POINT(neighbour)(right, centre);
        }
        struct POINT(node) next = POINT(sweep)(left, centre, right, h, second_order);
        // vtcs2 only (else 0): the published scheme's own metric term, p' += Δt m, q' −= Δt m.
        next.e = MADD(centre.un * metric, centre.c0 + centre.e, next.e);
        bool is_wet = !has_land || centre.c0 > (REAL)0;
        e_out[i] = is_wet ? next.e : (REAL)0;
        v_out[i] = is_wet ? next.un : (REAL)0;
        u_out[i] = is_wet ? next.ut : (REAL)0;
    }
}

// Sources at each point of a row, in the order metric, rotation, friction, or the reverse.
TILE_INLINE void POINT(sources_row)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t first,
                                    ptrdiff_t count, struct POINT(const_row) in, struct POINT(row) out,
                                    bool has_land, bool has_friction, bool is_reversed)
{
    const REAL coriolis = level->coriolis[row], curvature = level->curvature[row];
    const REAL metric = level->has_metric_source ? level->metric[row] : (REAL)0;
    const REAL friction = level->friction;
    const REAL *c0 = in.c0;
#pragma omp simd
    for (ptrdiff_t i = first; i < first + count; i++) {
        REAL e = in.e[i], u = in.u[i], v = in.v[i], c = c0[i];
        if (is_reversed && has_friction) {
            REAL factor = POINT(friction_factor)(e, u, v, has_land && !(c > (REAL)0) ? (REAL)1 : c, friction);
            u *= factor;
            v *= factor;
        }
        if (!is_reversed)
            e = POINT(metric)(e, v, c, metric);
        POINT(rotate)(&u, &v, coriolis, curvature);
        if (is_reversed)
            e = POINT(metric)(e, v, c, metric);
        if (!is_reversed && has_friction) {
            REAL factor = POINT(friction_factor)(e, u, v, has_land && !(c > (REAL)0) ? (REAL)1 : c, friction);
            u *= factor;
            v *= factor;
        }
        out.e[i] = e;
        out.u[i] = u;
        out.v[i] = v;
    }
}

// What is given at node number `number` of a side at a moment of the step (0 to 1), if anything is.
static struct tsunami_edge_value POINT(given_at)(const struct POINT(level) * level, enum tsunami_side side,
                                                 ptrdiff_t number, double moment)
{
    const struct tsunami_given_edge *source = tsunami_edge_of(level->setup, side);
    if (!source)
        return (struct tsunami_edge_value){.is_given = false};
    return tsunami_edge_value(source, tsunami_edge_time(source, level->step_number, moment), (size_t)number);
}

// The node ON an edge that is open or given. point.h has the rule for still water outside and for a given state; where the
// elevation alone is given, the velocity follows from what leaves.
static struct POINT(node) POINT(edge_node)(const struct POINT(level) * level, enum tsunami_side side,
                                           struct tsunami_edge_value given, struct POINT(node) inner,
                                           struct POINT(node) edge, REAL k, REAL step)
{
    const REAL outward = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? (REAL)1 : (REAL)-1;
    if (!given.is_given)
        return POINT(open_edge)(inner, edge, outward, k, step, (REAL)0);
    const bool along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    const double c0 = (double)edge.c0, gravity = (double)level->gravity;
    const double c2 = c0 * c0 + gravity * given.eta_m; // a surface below the bottom is no water
    const REAL e = c2 > 0 ? (REAL)(gravity * given.eta_m / (__builtin_sqrt(c2) + c0)) : -edge.c0;
    if (!given.has_velocity) {
        const struct POINT(node) open = POINT(open_edge)(inner, edge, outward, k, step, (REAL)0);
        const REAL going = (REAL)2 * open.un * outward;
        return POINT(node_of)(e, outward * (going - (REAL)2 * e), open.ut, edge.c0);
    }
    const REAL un = (REAL)(along_x ? given.u_m_s : given.v_m_s);
    struct POINT(node) next = POINT(open_edge)(inner, edge, outward, k, step, outward * un - (REAL)2 * e);
    if (outward * next.un < (REAL)0) // what comes in brings its own
        next.ut = (REAL)(along_x ? given.v_m_s : given.u_m_s);
    return next;
}

static double POINT(sweep_moment)(const struct POINT(level) * level, bool along_x)
{
    return tsunami_edge_sweep_moment(level->setup->physics->method, along_x, level->step_number);
}

// The west or east edge node of a row after its X sweep: overwritten by the edge's rule.
static void POINT(open_edge_x)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t i,
                               ptrdiff_t inward, struct POINT(const_row) in, struct POINT(row) out,
                               ptrdiff_t column)
{
    struct POINT(node) edge = POINT(node_of)(in.e[i], in.u[i], in.v[i], in.c0[i]);
    if (!(edge.c0 > (REAL)0))
        return;
    struct POINT(node) inner =
        POINT(node_of)(in.e[i + inward], in.u[i + inward], in.v[i + inward], in.c0[i + inward]);
    if (!(inner.c0 > (REAL)0))
        inner = POINT(wall)(edge);
    REAL k = inward > 0 ? level->kxp[column + i] : level->kxm[column + i];
    const enum tsunami_side side = inward > 0 ? TSUNAMI_WEST : TSUNAMI_EAST;
    const struct tsunami_edge_value given =
        POINT(given_at)(level, side, row, POINT(sweep_moment)(level, true));
    struct POINT(node) next = POINT(edge_node)(level, side, given, inner, edge, k, level->step_x[row]);
    out.e[i] = next.e;
    out.u[i] = next.un;
    out.v[i] = next.ut;
}

// The south or north edge row after its Y sweep.
static void POINT(open_edge_y)(const struct POINT(level) * level, ptrdiff_t row, bool is_north,
                               ptrdiff_t column, ptrdiff_t first, ptrdiff_t count,
                               struct POINT(const_row) inner_row, struct POINT(const_row) in,
                               struct POINT(row) out)
{
    REAL k = is_north ? level->kym[row] : level->kyp[row];
    const enum tsunami_side side = is_north ? TSUNAMI_NORTH : TSUNAMI_SOUTH;
    const double moment = POINT(sweep_moment)(level, false);
    const ptrdiff_t nx = (ptrdiff_t)level->nx;
    for (ptrdiff_t i = first; i < first + count; i++) {
        struct POINT(node) edge = POINT(node_of)(in.e[i], in.v[i], in.u[i], in.c0[i]);
        if (!(edge.c0 > (REAL)0))
            continue;
        struct POINT(node) inner =
            POINT(node_of)(inner_row.e[i], inner_row.v[i], inner_row.u[i], inner_row.c0[i]);
        if (!(inner.c0 > (REAL)0))
            inner = POINT(wall)(edge);
        // Halo columns are wet on periodic edges only.
        const struct tsunami_edge_value given = POINT(given_at)(level, side, (column + i + nx) % nx, moment);
        struct POINT(node) next = POINT(edge_node)(level, side, given, inner, edge, k, level->step);
        out.e[i] = next.e;
        out.v[i] = next.un;
        out.u[i] = next.ut;
    }
}

// What is given at one node at the end of the step, by the edge's rule for a step of no length; un across the edge.
static void POINT(give_node)(const struct POINT(level) * level, enum tsunami_side side, ptrdiff_t number,
                             REAL c0, REAL *e, REAL *un, REAL *ut)
{
    const struct POINT(node) edge = POINT(node_of)(*e, *un, *ut, c0);
    const struct tsunami_edge_value given =
        POINT(given_at)(level, side, number, tsunami_edge_moment(level->setup->physics->method));
    if (!given.is_given || !(c0 > (REAL)0))
        return;
    const struct POINT(node) next = POINT(edge_node)(level, side, given, edge, edge, (REAL)0, (REAL)0);
    *e = next.e;
    *un = next.un;
    *ut = next.ut;
}

static void POINT(give_x)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column, ptrdiff_t width,
                          const REAL *c0, struct POINT(row) out)
{
    const ptrdiff_t last = width - 1;
    if (column == 0)
        POINT(give_node)(level, TSUNAMI_WEST, row, c0[0], &out.e[0], &out.u[0], &out.v[0]);
    if (column + width == (ptrdiff_t)level->nx)
        POINT(give_node)
    (level, TSUNAMI_EAST, row, c0[last], &out.e[last], &out.u[last], &out.v[last]);
}

static void POINT(give_y)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column, ptrdiff_t width,
                          const REAL *c0, struct POINT(row) out)
{
    const bool is_there[] = {row == 0, row == (ptrdiff_t)level->ny - 1};
    for (int end = 0; end < 2; end++)
        for (ptrdiff_t i = 0; is_there[end] && i < width; i++)
            POINT(give_node)
    (level, end ? TSUNAMI_NORTH : TSUNAMI_SOUTH, column + i, c0[i], &out.e[i], &out.v[i], &out.u[i]);
}

// At last the edges of a finished row, in the order of the sweeps: neither the sweep along an edge nor the sources may move on
// what is given for the end of the step.
static void POINT(give_row)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column,
                            ptrdiff_t width, const REAL *c0, struct POINT(row) out, bool is_odd)
{
    if (!level->setup->given)
        return;
    if (is_odd)
        POINT(give_y)(level, row, column, width, c0, out);
    POINT(give_x)(level, row, column, width, c0, out);
    if (!is_odd)
        POINT(give_y)(level, row, column, width, c0, out);
}

// X sweep of one row of the tile with its open edges. `extra` columns on each side are NOT swept.
TILE_INLINE void POINT(x_pass)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column,
                               ptrdiff_t width, struct POINT(const_row) in, struct POINT(row) out,
                               bool has_land, bool second_order)
{
    POINT(sweep_x)(level, row, column, 0, width, in, out, has_land, second_order);
    if (has_land && level->is_open[TSUNAMI_WEST] && column == 0)
        POINT(open_edge_x)(level, row, 0, 1, in, out, column);
    if (has_land && level->is_open[TSUNAMI_EAST] && column + width == (ptrdiff_t)level->nx)
        POINT(open_edge_x)(level, row, width - 1, -1, in, out, column);
}

TILE_INLINE void POINT(y_pass)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column,
                               ptrdiff_t first, ptrdiff_t count, struct POINT(const_row) south,
                               struct POINT(const_row) in, struct POINT(const_row) north,
                               struct POINT(row) out, bool has_land, bool second_order)
{
    POINT(sweep_y)(level, row, first, count, south, in, north, out, has_land, second_order);
    if (has_land && level->is_open[TSUNAMI_SOUTH] && row == 0)
        POINT(open_edge_y)(level, row, false, column, first, count, north, in, out);
    if (has_land && level->is_open[TSUNAMI_NORTH] && row == (ptrdiff_t)level->ny - 1)
        POINT(open_edge_y)(level, row, true, column, first, count, south, in, out);
}

TILE_INLINE struct POINT(const_row) POINT(as_input)(struct POINT(row) row, const REAL *c0)
{
    return (struct POINT(const_row)){row.e, row.u, row.v, c0};
}

// A row of the thread's scratch: three fields, with room for the halo columns.
TILE_INLINE struct POINT(row) POINT(scratch_row)(REAL *scratch, int index)
{
    REAL *base = scratch + (size_t)index * 3 * TILE_SCRATCH_STRIDE + TSUNAMI_HALO_COLUMNS;
    return (struct POINT(row)){base, base + TILE_SCRATCH_STRIDE, base + 2 * TILE_SCRATCH_STRIDE};
}

TILE_INLINE struct POINT(row)
    POINT(output_row)(const struct POINT(level) * level, ptrdiff_t row, ptrdiff_t column)
{
    ptrdiff_t offset = row * (ptrdiff_t)level->pitch + column;
    return (struct POINT(row)){level->e_new + offset, level->u_new + offset, level->v_new + offset};
}

// Even order: X, Y, sources.
TILE_INLINE void POINT(tile_xy)(const struct POINT(level) * level, REAL *scratch, ptrdiff_t column,
                                ptrdiff_t width, ptrdiff_t row_begin, ptrdiff_t row_end, bool has_land,
                                bool second_order, bool has_friction)
{
    for (ptrdiff_t row = row_begin - 1; row <= row_end; row++) {
        struct POINT(row) swept = POINT(scratch_row)(scratch, (int)((row + 3) % 3));
        POINT(x_pass)
        (level, row, column, width, POINT(input_row)(level, row, column), swept, has_land, second_order);
        if (row < row_begin + 1)
            continue;
        ptrdiff_t middle = row - 1;
        const REAL *c0 = level->c0 + middle * (ptrdiff_t)level->pitch + column;
        struct POINT(row) out = POINT(output_row)(level, middle, column);
        struct POINT(row) south = POINT(scratch_row)(scratch, (int)((middle + 2) % 3));
        struct POINT(row) here = POINT(scratch_row)(scratch, (int)(middle % 3));
        POINT(y_pass)
        (level, middle, column, 0, width, POINT(as_input)(south, c0 - level->pitch),
         POINT(as_input)(here, c0), POINT(as_input)(swept, c0 + level->pitch), out, has_land, second_order);
        if (level->has_rotation || level->has_metric_source || has_friction)
            POINT(sources_row)
        (level, middle, 0, width, POINT(as_input)(out, c0), out, has_land, has_friction, false);
        if (has_land)
            POINT(give_row)(level, middle, column, width, c0, out, false);
    }
}

// Odd order: sources, Y, X. The Y sweep covers one column more on each side, for the X sweep.
TILE_INLINE void POINT(tile_yx)(const struct POINT(level) * level, REAL *scratch, ptrdiff_t column,
                                ptrdiff_t width, ptrdiff_t row_begin, ptrdiff_t row_end, bool has_land,
                                bool has_friction)
{
    const bool has_sources = level->has_rotation || level->has_metric_source || has_friction;
    struct POINT(const_row) rows[3];
    for (ptrdiff_t row = row_begin - 1; row <= row_end; row++) {
        int slot = (int)((row + 3) % 3);
        struct POINT(const_row) in = POINT(input_row)(level, row, column);
        if (has_sources) {
            struct POINT(row) forced = POINT(scratch_row)(scratch, slot);
            POINT(sources_row)(level, row, -1, width + 2, in, forced, has_land, has_friction, true);
            in = POINT(as_input)(forced, in.c0);
        }
        rows[slot] = in;
        if (row < row_begin + 1)
            continue;
        ptrdiff_t middle = row - 1;
        struct POINT(row) swept = POINT(scratch_row)(scratch, 3);
        struct POINT(const_row) here = rows[middle % 3];
        POINT(y_pass)
        (level, middle, column, -1, width + 2, rows[(middle + 2) % 3], here, in, swept, has_land, true);
        const struct POINT(row) out = POINT(output_row)(level, middle, column);
        POINT(x_pass)
        (level, middle, column, width, POINT(as_input)(swept, here.c0), out, has_land, true);
        if (has_land)
            POINT(give_row)(level, middle, column, width, here.c0, out, true);
    }
}

// A tile of a kind (order of sweeps, land or none, friction or none) with those choices known to the
// compiler.
static void POINT(tile_step)(const struct POINT(level) * level, REAL *scratch, ptrdiff_t column,
                             ptrdiff_t width, ptrdiff_t row_begin, ptrdiff_t row_end, bool has_land,
                             bool is_odd)
{
    const bool has_friction = level->friction > (REAL)0;
#define TILE_XY(land, second, rough)                                                                         \
    POINT(tile_xy)(level, scratch, column, width, row_begin, row_end, land, second, rough)
#define TILE_YX(land, rough) POINT(tile_yx)(level, scratch, column, width, row_begin, row_end, land, rough)
    if (is_odd) {
        if (has_land)
            has_friction ? TILE_YX(true, true) : TILE_YX(true, false);
        else
            has_friction ? TILE_YX(false, true) : TILE_YX(false, false);
    } else if (level->second_order) {
        if (has_land)
            has_friction ? TILE_XY(true, true, true) : TILE_XY(true, true, false);
        else
            has_friction ? TILE_XY(false, true, true) : TILE_XY(false, true, false);
    } else {
        if (has_land)
            has_friction ? TILE_XY(true, false, true) : TILE_XY(true, false, false);
        else
            has_friction ? TILE_XY(false, false, true) : TILE_XY(false, false, false);
    }
#undef TILE_XY
#undef TILE_YX
}

// The first times above the thresholds, from the level that the source left or from still water. Above a level that stays such a
// time is one of a new maximum; above one that moves every node is looked at.
TILE_INLINE void POINT(record_arrivals)(const struct POINT(level) * level,
                                        const struct tsunami_records *records, ptrdiff_t offset,
                                        ptrdiff_t width, float time_s)
{
    const REAL *restrict e = level->e_new + offset, *restrict c0 = level->c0 + offset;
    const REAL inverse_gravity = (REAL)1 / level->gravity;
    const float *restrict highest = records->max_eta_m + offset;
    const float *restrict from = records->source_level_m ? records->source_level_m + offset : NULL;
    const bool looks_everywhere = records->has_moving_level;
    for (int a = 0; a < records->arrival_count; a++) {
        float *restrict arrival = records->arrival_s[a] + offset;
        const float threshold = (float)records->arrival_m[a];
        if (!from) {
#pragma omp simd
            for (ptrdiff_t i = 0; i < width; i++) {
                float eta = (float)POINT(eta)(e[i], c0[i], inverse_gravity);
                bool has_come = highest[i] < threshold && eta >= threshold && c0[i] > (REAL)0;
                arrival[i] = has_come ? time_s : arrival[i];
            }
            continue;
        }
#pragma omp simd
        for (ptrdiff_t i = 0; i < width; i++) {
            float eta = (float)POINT(eta)(e[i], c0[i], inverse_gravity);
            int is_first = (eta >= from[i] + threshold) & (arrival[i] != arrival[i]) & (c0[i] > (REAL)0);
            int is_looked_at = looks_everywhere | (eta > highest[i]);
            arrival[i] = is_first & is_looked_at ? time_s : arrival[i];
        }
    }
}

// The first times below the threshold of the draw-down.
TILE_INLINE void POINT(record_drawdown)(const struct POINT(level) * level,
                                        const struct tsunami_records *records, ptrdiff_t offset,
                                        ptrdiff_t width, float time_s)
{
    const REAL *restrict e = level->e_new + offset, *restrict c0 = level->c0 + offset;
    const REAL inverse_gravity = (REAL)1 / level->gravity;
    float *restrict drawn = records->first_drawdown_s + offset;
    const float *restrict from = records->source_level_m ? records->source_level_m + offset : NULL;
    const float threshold = (float)-records->drawdown_m;
#pragma omp simd
    for (ptrdiff_t i = 0; i < width; i++) {
        float eta = (float)POINT(eta)(e[i], c0[i], inverse_gravity);
        float least = from ? from[i] + threshold : threshold;
        drawn[i] = eta < least && drawn[i] != drawn[i] ? time_s : drawn[i];
    }
}

// Maxima and arrivals of a row segment after a step; returns whether anything in it moves. First a look at
// whether the maximum of η grows anywhere (it costs one array read): an arrival or a new maximum can only be
// there.
TILE_INLINE bool POINT(record_row)(const struct POINT(level) * level, const struct tsunami_records *records,
                                   ptrdiff_t row, ptrdiff_t column, ptrdiff_t width, float time_s)
{
    const ptrdiff_t offset = row * (ptrdiff_t)level->pitch + column;
    const REAL *restrict e = level->e_new + offset, *restrict u = level->u_new + offset;
    const REAL *restrict v = level->v_new + offset, *restrict c0 = level->c0 + offset;
    const REAL inverse_gravity = (REAL)1 / level->gravity;
    int moving = 0;
#pragma omp simd reduction(| : moving)
    for (ptrdiff_t i = 0; i < width; i++)
        moving |= (e[i] != (REAL)0) | (u[i] != (REAL)0) | (v[i] != (REAL)0);
    if (records->max_eta_m) {
        float *restrict highest = records->max_eta_m + offset;
        int grown = 0;
#pragma omp simd reduction(| : grown)
        for (ptrdiff_t i = 0; i < width; i++)
            grown |= (float)POINT(eta)(e[i], c0[i], inverse_gravity) > highest[i];
        if (grown || records->has_moving_level)
            POINT(record_arrivals)(level, records, offset, width, time_s);
        if (grown) {
            float *restrict time_of_max = records->time_of_max_s ? records->time_of_max_s + offset : NULL;
            if (time_of_max) {
#pragma omp simd
                for (ptrdiff_t i = 0; i < width; i++)
                    time_of_max[i] = (float)POINT(eta)(e[i], c0[i], inverse_gravity) > highest[i]
                                         ? time_s
                                         : time_of_max[i];
            }
#pragma omp simd
            for (ptrdiff_t i = 0; i < width; i++) {
                float eta = (float)POINT(eta)(e[i], c0[i], inverse_gravity);
                highest[i] = eta > highest[i] ? eta : highest[i];
            }
        }
    }
    if (records->max_speed_m_s || records->max_flux_m2_s) {
        float *fastest = records->max_speed_m_s ? records->max_speed_m_s + offset : NULL;
        float *strongest = records->max_flux_m2_s ? records->max_flux_m2_s + offset : NULL;
#pragma omp simd
        for (ptrdiff_t i = 0; i < width; i++) {
            float speed = __builtin_sqrtf((float)(u[i] * u[i] + v[i] * v[i]));
            float depth = (float)((c0[i] + e[i]) * (c0[i] + e[i]) * inverse_gravity);
            if (fastest)
                fastest[i] = speed > fastest[i] ? speed : fastest[i];
            if (strongest)
                strongest[i] = speed * depth > strongest[i] ? speed * depth : strongest[i];
        }
    }
    if (records->first_drawdown_s)
        POINT(record_drawdown)(level, records, offset, width, time_s);
    return moving != 0;
}

// Copies a segment of new state to the halo that a periodic edge makes of it.
static void POINT(copy_segment)(const struct POINT(level) * level, ptrdiff_t to_row, ptrdiff_t to_column,
                                ptrdiff_t from_row, ptrdiff_t from_column, ptrdiff_t count)
{
    REAL *fields[] = {level->e_new, level->u_new, level->v_new};
    for (int f = 0; f < 3; f++)
        memcpy(fields[f] + to_row * (ptrdiff_t)level->pitch + to_column,
               fields[f] + from_row * (ptrdiff_t)level->pitch + from_column, (size_t)count * sizeof(REAL));
}

// What of this tile others see through a periodic edge.
static void POINT(publish_halo)(const struct POINT(level) * level, const struct tsunami_tile *tile)
{
    const ptrdiff_t nx = (ptrdiff_t)level->nx, ny = (ptrdiff_t)level->ny;
    const ptrdiff_t last_column = tile->column + tile->width - 1;
    if (level->is_periodic_x)
        for (ptrdiff_t row = tile->row_begin; row < tile->row_end; row++) {
            if (tile->column == 0)
                POINT(copy_segment)(level, row, nx, row, 0, 1);
            if (last_column == nx - 1)
                POINT(copy_segment)(level, row, -1, row, nx - 1, 1);
        }
    if (level->is_periodic_y) {
        if (tile->row_begin == 0)
            POINT(copy_segment)(level, ny, tile->column, 0, tile->column, tile->width);
        if (tile->row_end == ny)
            POINT(copy_segment)(level, -1, tile->column, ny - 1, tile->column, tile->width);
        // The corners of the halo.
        const ptrdiff_t edges[2][2] = {{0, nx}, {nx - 1, -1}}; // a column and the halo column that shows it
        for (int k = 0; level->is_periodic_x && k < 2; k++) {
            if (edges[k][0] < tile->column || edges[k][0] > last_column)
                continue;
            if (tile->row_begin == 0)
                POINT(copy_segment)(level, ny, edges[k][1], 0, edges[k][0], 1);
            if (tile->row_end == ny)
                POINT(copy_segment)(level, -1, edges[k][1], ny - 1, edges[k][0], 1);
        }
    }
}

static bool POINT(record_tile)(const struct POINT(level) * level, const struct tsunami_records *records,
                               const struct tsunami_tile *tile, float time_s)
{
    bool is_moving = false;
    for (ptrdiff_t row = tile->row_begin; row < tile->row_end; row++)
        is_moving |= POINT(record_row)(level, records, row, tile->column, tile->width, time_s);
    return is_moving;
}

// A whole step of one tile: state, records, halo. Returns whether anything in it moves.
static bool POINT(advance_tile)(const struct POINT(level) * level, const struct tsunami_records *records,
                                const struct tsunami_tile *tile, REAL *scratch, bool is_odd, float time_s)
{
    POINT(tile_step)
    (level, scratch, tile->column, tile->width, tile->row_begin, tile->row_end, tile->has_land, is_odd);
    bool is_moving = POINT(record_tile)(level, records, tile, time_s);
    if (level->is_periodic_x || level->is_periodic_y)
        POINT(publish_halo)(level, tile);
    return is_moving;
}
