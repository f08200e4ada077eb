// Rows of one tile in the fast CPU version of `muscl-hancock`: how they are taken from the level, what lies beyond the
// domain's edges, and each of both sweeps over a row. Included once per precision by openmp_fv.c, with REAL and POINT(name)
// defined; knows no threads and no schedule.

// A row segment of state and bottom: pointers to the tile's column 0, valid from −FV_BEYOND to width + FV_BEYOND − 1.
struct POINT(fv_row) {
    REAL *w, *u, *v, *z;
};

TILE_INLINE REAL *POINT(fv_array)(REAL *scratch, int index)
{
    return scratch + (size_t)index * FV_STRIDE + TSUNAMI_HALO_COLUMNS;
}

TILE_INLINE struct POINT(fv_row) POINT(fv_scratch_row)(REAL *scratch, int row)
{
    const int first = row * FV_ROW_FIELDS;
    return (struct POINT(fv_row)){POINT(fv_array)(scratch, first), POINT(fv_array)(scratch, first + 1),
                                  POINT(fv_array)(scratch, first + 2), POINT(fv_array)(scratch, first + 3)};
}

// ---- from the level ----

// `count` columns from `column` on, which may lie beyond the domain: periodic, else the edge's own value (which
// fv_fill_ghosts_x overwrites).
static void POINT(fv_load_field)(const REAL *line, ptrdiff_t nx, bool is_periodic, ptrdiff_t column,
                                 ptrdiff_t count, REAL *to)
{
    const ptrdiff_t begin = column < 0 ? -column : 0;
    const ptrdiff_t end = column + count > nx ? nx - column : count;
    memcpy(to + begin, line + column + begin, (size_t)(end - begin) * sizeof *to);
    for (ptrdiff_t k = 0; k < begin; k++)
        to[k] = line[is_periodic ? (column + k + nx) % nx : 0];
    for (ptrdiff_t k = end; k < count; k++)
        to[k] = line[is_periodic ? (column + k) % nx : nx - 1];
}

static void POINT(fv_load_row)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t column,
                               ptrdiff_t width, struct POINT(fv_row) to)
{
    const bool is_periodic = level->setup->geometry->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC;
    const ptrdiff_t offset = row * (ptrdiff_t)level->pitch, nx = (ptrdiff_t)level->nx;
    const REAL *from[] = {level->w + offset, level->u + offset, level->v + offset, level->z + offset};
    REAL *fields[] = {to.w, to.u, to.v, to.z};
    for (int f = 0; f < FV_ROW_FIELDS; f++)
        POINT(fv_load_field)
    (from[f], nx, is_periodic, column - FV_BEYOND, width + 2 * FV_BEYOND, fields[f] - FV_BEYOND);
}

// ---- beyond the edges ----

// What lies outside `side` at its node number `node`.
static struct POINT(fv_outside)
    POINT(fv_outside_of)(const struct POINT(fv_level) * level, enum tsunami_side side, ptrdiff_t node)
{
    const struct tsunami_given_edge *edge = tsunami_edge_of(level->setup, side);
    struct POINT(fv_outside) outside = {.is_wall = level->setup->geometry->edges[side] == TSUNAMI_EDGE_WALL};
    if (!edge)
        return outside;
    const struct tsunami_edge_value given = tsunami_edge_value(
        edge, tsunami_edge_time(edge, level->step, tsunami_edge_moment(TSUNAMI_MUSCL_HANCOCK)), (size_t)node);
    const bool along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    outside.is_elevation_alone = given.is_given && !given.has_velocity;
    outside.has_ut = given.is_given && given.has_velocity;
    outside.eta = (REAL)given.eta_m;
    outside.un = (REAL)(along_x ? given.u_m_s : given.v_m_s);
    outside.ut = (REAL)(along_x ? given.v_m_s : given.u_m_s);
    return outside;
}

// A cell as it is stored, with the velocities along x and y.
TILE_INLINE void POINT(fv_store)(struct POINT(fv_row) row, ptrdiff_t i, struct POINT(fv_cell) cell,
                                 bool along_x)
{
    row.w[i] = cell.z < (REAL)0 ? POINT(fv_max)(cell.eta, cell.z) : cell.h;
    row.u[i] = along_x ? cell.un : cell.ut;
    row.v[i] = along_x ? cell.ut : cell.un;
    row.z[i] = cell.z;
}

// Both cells beyond an edge. Where water lies outside, the second is dry: the first then has no slopes, takes no half step,
// and the metric does not act on it.
static void POINT(fv_both_beyond)(const struct POINT(fv_level) * level, enum tsunami_side side,
                                  ptrdiff_t node, struct POINT(fv_cell) edge, struct POINT(fv_cell) inner,
                                  struct POINT(fv_cell) beyond[FV_BEYOND])
{
    const REAL outward = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? (REAL)1 : (REAL)-1;
    const struct POINT(fv_outside) outside = POINT(fv_outside_of)(level, side, node);
    const bool is_water = !outside.is_wall && edge.h > level->minimum && edge.z < (REAL)0;
    beyond[0] = POINT(fv_beyond)(edge, edge, outward, outside, level->gravity, level->minimum);
    beyond[1] = POINT(fv_beyond)(edge, inner, outward, outside, level->gravity, level->minimum);
    if (!(beyond[0].h > level->minimum)) // of a dry cell no velocity is looked at
        beyond[0].un = beyond[0].ut = (REAL)0;
    if (is_water)
        beyond[1] = (struct POINT(fv_cell)){edge.z, (REAL)0, (REAL)0, (REAL)0, edge.z};
}

static void POINT(fv_fill_ghosts_x)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t column,
                                    ptrdiff_t width, struct POINT(fv_row) in)
{
    const enum tsunami_edge *edges = level->setup->geometry->edges;
    const struct {
        enum tsunami_side side;
        bool is_here;
        ptrdiff_t edge, outward;
    } ends[] = {{TSUNAMI_WEST, column == 0, 0, -1},
                {TSUNAMI_EAST, column + width == (ptrdiff_t)level->nx, width - 1, 1}};
    for (int k = 0; k < 2; k++) {
        if (!ends[k].is_here || edges[ends[k].side] == TSUNAMI_EDGE_PERIODIC)
            continue;
        const ptrdiff_t i = ends[k].edge, step = ends[k].outward;
        struct POINT(fv_cell) beyond[FV_BEYOND];
        const struct POINT(fv_cell) edge = POINT(fv_cell_of)(in.w[i], in.u[i], in.v[i], in.z[i]);
        const struct POINT(fv_cell) inner =
            POINT(fv_cell_of)(in.w[i - step], in.u[i - step], in.v[i - step], in.z[i - step]);
        POINT(fv_both_beyond)(level, ends[k].side, row, edge, inner, beyond);
        for (ptrdiff_t b = 0; b < FV_BEYOND; b++)
            POINT(fv_store)(in, i + (b + 1) * step, beyond[b], true);
    }
}

// Rows −1 and −2 from rows 0 and 1, or those beyond the north edge: `edge` and `inner` to `first` and `second`.
static void POINT(fv_fill_ghost_rows)(const struct POINT(fv_level) * level, enum tsunami_side side,
                                      ptrdiff_t column, ptrdiff_t begin, ptrdiff_t end,
                                      struct POINT(fv_row) edge_row, struct POINT(fv_row) inner_row,
                                      struct POINT(fv_row) first, struct POINT(fv_row) second)
{
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t node = column + i, last = (ptrdiff_t)level->nx - 1;
        struct POINT(fv_cell) beyond[FV_BEYOND];
        const struct POINT(fv_cell) edge =
            POINT(fv_cell_of)(edge_row.w[i], edge_row.v[i], edge_row.u[i], edge_row.z[i]);
        const struct POINT(fv_cell) inner =
            POINT(fv_cell_of)(inner_row.w[i], inner_row.v[i], inner_row.u[i], inner_row.z[i]);
        // Columns beyond the domain are the other side's on periodic edges, else overwritten after the sweep.
        const ptrdiff_t within = node < 0 ? node + last + 1 : node > last ? node - last - 1 : node;
        POINT(fv_both_beyond)(level, side, within, edge, inner, beyond);
        POINT(fv_store)(first, i, beyond[0], false);
        POINT(fv_store)(second, i, beyond[1], false);
    }
}

// ---- the sweep along x ----

struct POINT(fv_face_arrays) {
    REAL *minus_eta, *minus_z, *minus_un, *minus_ut, *plus_eta, *plus_z, *plus_un, *plus_ut, *push, *froude;
};

struct POINT(fv_flux_arrays) {
    REAL *h, *minus, *plus, *ut;
};

TILE_INLINE void POINT(fv_faces_x)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t column,
                                   ptrdiff_t width, struct POINT(fv_row) in, struct POINT(fv_face_arrays) to)
{
    const REAL *restrict k0 = level->kx0 + column;
    const REAL step = level->step_x[row], gravity = level->gravity, minimum = level->minimum;
    const REAL *restrict w = in.w, *restrict u = in.u, *restrict v = in.v, *restrict z = in.z;
#pragma omp simd
    for (ptrdiff_t i = -1; i < width + 1; i++) {
        const struct POINT(fv_faces) f =
            POINT(fv_faces_of)(POINT(fv_cell_of)(w[i - 1], u[i - 1], v[i - 1], z[i - 1]),
                               POINT(fv_cell_of)(w[i], u[i], v[i], z[i]),
                               POINT(fv_cell_of)(w[i + 1], u[i + 1], v[i + 1], z[i + 1]), k0[i] * step,
                               (REAL)0, gravity, minimum);
        to.minus_eta[i] = f.minus.eta;
        to.minus_z[i] = f.minus.z;
        to.minus_un[i] = f.minus.un;
        to.minus_ut[i] = f.minus.ut;
        to.plus_eta[i] = f.plus.eta;
        to.plus_z[i] = f.plus.z;
        to.plus_un[i] = f.plus.un;
        to.plus_ut[i] = f.plus.ut;
        to.push[i] = f.push;
        to.froude[i] = f.froude;
    }
}

// Through the minus face of each cell, and of the one behind the last.
TILE_INLINE void POINT(fv_fluxes_x)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t column,
                                    ptrdiff_t width, struct POINT(fv_row) in, struct POINT(fv_face_arrays) of,
                                    struct POINT(fv_flux_arrays) to)
{
    const REAL *restrict twice_width = level->kx_width + column;
    const REAL inverse_step = (REAL)0.5 / level->step_x[row];
    const REAL gravity = level->gravity, minimum = level->minimum;
    const REAL *restrict w = in.w, *restrict z = in.z;
#pragma omp simd
    for (ptrdiff_t i = 0; i < width + 1; i++) {
        const REAL left_h = w[i - 1] + POINT(fv_max)((REAL)0, -z[i - 1]);
        const REAL right_h = w[i] + POINT(fv_max)((REAL)0, -z[i]);
        const struct POINT(fv_side)
            left = {of.plus_eta[i - 1], of.plus_z[i - 1], of.plus_un[i - 1], of.plus_ut[i - 1]};
        const struct POINT(fv_side) right = {of.minus_eta[i], of.minus_z[i], of.minus_un[i], of.minus_ut[i]};
        const struct POINT(fv_flux) flux = POINT(fv_flux_of)(
            left, right, left_h > minimum, right_h > minimum, left_h * (twice_width[i - 1] * inverse_step),
            right_h * (twice_width[i] * inverse_step), of.froude[i - 1], of.froude[i], gravity);
        to.h[i] = flux.h;
        to.minus[i] = flux.minus;
        to.plus[i] = flux.plus;
        to.ut[i] = flux.ut;
    }
}

// |un| + c is held below this share of what would cross a cell in a step.
#define FV_FASTEST ((REAL)0.95)

TILE_INLINE void POINT(fv_update_x)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t column,
                                    ptrdiff_t width, struct POINT(fv_row) in, const REAL *restrict push,
                                    struct POINT(fv_flux_arrays) flux, REAL *w_out, REAL *u_out, REAL *v_out)
{
    const REAL *restrict k0 = level->kx0 + column, *restrict twice_width = level->kx_width + column;
    const REAL twice = (REAL)2 * level->step_x[row], fastest = FV_FASTEST * (REAL)0.5 / level->step_x[row];
    const REAL gravity = level->gravity, minimum = level->minimum;
    const REAL *restrict w = in.w, *restrict u = in.u, *restrict v = in.v, *restrict z = in.z;
#pragma omp simd
    for (ptrdiff_t i = 0; i < width; i++) {
        const struct POINT(fv_flux) minus = {flux.h[i], flux.minus[i], flux.plus[i], flux.ut[i]};
        const struct POINT(fv_flux)
            plus = {flux.h[i + 1], flux.minus[i + 1], flux.plus[i + 1], flux.ut[i + 1]};
        REAL w_next, un, ut;
        POINT(fv_update)
        (POINT(fv_cell_of)(w[i], u[i], v[i], z[i]), minus, plus, push[i], k0[i] * twice,
         twice_width[i] * fastest, gravity, minimum, &w_next, &un, &ut);
        w_out[i] = w_next;
        u_out[i] = un;
        v_out[i] = ut;
    }
}

// The sweep of a row with its ghosts filled in.
TILE_INLINE void POINT(fv_sweep_x)(const struct POINT(fv_level) * level, REAL *scratch, ptrdiff_t row,
                                   ptrdiff_t column, ptrdiff_t width, struct POINT(fv_row) in, REAL *w_out,
                                   REAL *u_out, REAL *v_out)
{
    const int k = FV_ROWS * FV_ROW_FIELDS;
    REAL *a[FV_FACE_FIELDS + FV_FLUX_FIELDS];
    for (int f = 0; f < FV_FACE_FIELDS + FV_FLUX_FIELDS; f++)
        a[f] = POINT(fv_array)(scratch, k + f);
    const struct POINT(fv_face_arrays) faces = {a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]};
    const struct POINT(fv_flux_arrays) fluxes = {a[10], a[11], a[12], a[13]};
    POINT(fv_faces_x)(level, row, column, width, in, faces);
    POINT(fv_fluxes_x)(level, row, column, width, in, faces, fluxes);
    POINT(fv_update_x)(level, row, column, width, in, faces.push, fluxes, w_out, u_out, v_out);
}

// ---- the sweep along y ----

// What it carries from row to row: the row's plus sides, its own push and Froude number, the flux through its minus face.
struct POINT(fv_carried) {
    REAL *eta, *z, *un, *ut, *push, *froude, *h, *minus, *plus, *flux_ut;
};

// What of the rows a step of the march needs; `before` and `here` are two rows that follow each other.
struct POINT(fv_march) {
    REAL half, metric;           // of `here`
    REAL held_before, held_here; // 1/λ over the face's cos φ
    REAL share;                  // cos φ of the face between them
    REAL rate, cosine, fastest;  // of `before`
};

// Prepares the sides of `here`, finds the flux between `before` and `here`, and with it and the carried one finishes
// `before`.
TILE_INLINE void POINT(fv_march_row)(const struct POINT(fv_level) * level, ptrdiff_t begin, ptrdiff_t end,
                                     struct POINT(fv_march) m, struct POINT(fv_row) before,
                                     struct POINT(fv_row) here, struct POINT(fv_row) after,
                                     struct POINT(fv_carried) c, REAL *w_out, REAL *u_out, REAL *v_out)
{
    const REAL gravity = level->gravity, minimum = level->minimum;
#pragma omp simd
    for (ptrdiff_t i = begin; i < end; i++) {
        const struct POINT(fv_cell) south =
            POINT(fv_cell_of)(before.w[i], before.v[i], before.u[i], before.z[i]);
        const struct POINT(fv_cell) centre = POINT(fv_cell_of)(here.w[i], here.v[i], here.u[i], here.z[i]);
        const struct POINT(fv_cell) north = POINT(fv_cell_of)(after.w[i], after.v[i], after.u[i], after.z[i]);
        const struct POINT(fv_faces) f =
            POINT(fv_faces_of)(south, centre, north, m.half, m.metric, gravity, minimum);
        const struct POINT(fv_side) below = {c.eta[i], c.z[i], c.un[i], c.ut[i]};
        const struct POINT(fv_flux) flux =
            POINT(fv_flux_of)(below, f.minus, south.h > minimum, centre.h > minimum, south.h * m.held_before,
                              centre.h * m.held_here, c.froude[i], f.froude, gravity);
        const struct POINT(fv_flux)
            plus = {flux.h * m.share, flux.minus * m.share, flux.plus * m.share, flux.ut * m.share};
        const struct POINT(fv_flux) minus = {c.h[i], c.minus[i], c.plus[i], c.flux_ut[i]};
        REAL w_next, un, ut;
        POINT(fv_update)
        (south, minus, plus, c.push[i] * m.cosine, m.rate, m.fastest, gravity, minimum, &w_next, &un, &ut);
        w_out[i] = w_next;
        v_out[i] = un;
        u_out[i] = ut;
        c.eta[i] = f.plus.eta;
        c.z[i] = f.plus.z;
        c.un[i] = f.plus.un;
        c.ut[i] = f.plus.ut;
        c.push[i] = f.push;
        c.froude[i] = f.froude;
        c.h[i] = plus.h;
        c.minus[i] = plus.minus;
        c.plus[i] = plus.plus;
        c.flux_ut[i] = plus.ut;
    }
}

// ---- what acts at a point ----

// Rotation, then friction, or the reverse; in place.
TILE_INLINE void POINT(fv_sources)(const struct POINT(fv_level) * level, ptrdiff_t row, ptrdiff_t begin,
                                   ptrdiff_t end, const REAL *restrict w, const REAL *restrict z, REAL *u_row,
                                   REAL *v_row, bool has_friction, bool is_reversed)
{
    const REAL coriolis = level->coriolis[row], curvature = level->curvature[row];
    const REAL friction = level->friction, minimum = level->minimum;
#pragma omp simd
    for (ptrdiff_t i = begin; i < end; i++) {
        const REAL h = w[i] + POINT(fv_max)((REAL)0, -z[i]);
        REAL u = u_row[i], v = v_row[i];
        if (!is_reversed)
            POINT(rotate)(&u, &v, coriolis, curvature);
        if (has_friction) {
            const REAL factor = POINT(fv_friction_factor)(h, u, v, friction, minimum);
            u *= factor;
            v *= factor;
        }
        if (is_reversed)
            POINT(rotate)(&u, &v, coriolis, curvature);
        u_row[i] = u;
        v_row[i] = v;
    }
}
