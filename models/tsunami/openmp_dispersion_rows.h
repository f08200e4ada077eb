// What the fast CPU version's dispersion does row by row: the right side of its equation before the lines are solved
// (openmp_dispersion_lines.h), and what ψ does to the state afterwards. Included once per precision by
// openmp_dispersion_isa.c, with REAL and POINT(name) defined; knows no threads and no schedule.

// A row and its neighbours as offsets into the level's arrays. Beyond an edge with water outside a row stands for itself, so
// that nothing differs across; beyond a wall too, and its face is not open.
struct POINT(dispersion_row) {
    ptrdiff_t here, south, north;
    REAL south_open, north_open;     // 0: a wall
    REAL over_cosine, over_length_y; // 1/cos φ; 1 over the row's height and its cos φ
    REAL width_south, width_north;
};

static struct POINT(dispersion_row)
    POINT(dispersion_row_of)(const struct POINT(dispersion_level) * l, ptrdiff_t row)
{
    const bool is_first = row == 0, is_last = row + 1 == l->ny;
    const enum tsunami_edge south = l->edges[TSUNAMI_SOUTH], north = l->edges[TSUNAMI_NORTH];
    const bool is_periodic = south == TSUNAMI_EDGE_PERIODIC;
    const ptrdiff_t before = !is_first ? row - 1 : is_periodic ? l->ny - 1 : row;
    const ptrdiff_t after = !is_last ? row + 1 : is_periodic ? 0 : row;
    return (struct POINT(dispersion_row)){
        .here = row * l->pitch,
        .south = before * l->pitch,
        .north = after * l->pitch,
        .south_open = is_first && south == TSUNAMI_EDGE_WALL ? (REAL)0 : (REAL)1,
        .north_open = is_last && north == TSUNAMI_EDGE_WALL ? (REAL)0 : (REAL)1,
        .over_cosine = (REAL)1 / l->cosine[row],
        .over_length_y = l->rate_y[row] / l->step,
        .width_south = l->cos_south[row],
        .width_north = l->cos_north[row]};
}

// The columns beyond both ends of a row of a field.
static void POINT(dispersion_ends)(const struct POINT(dispersion_level) * l, REAL *row)
{
    const bool is_periodic = l->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC;
    row[-1] = row[is_periodic ? l->nx - 1 : 0];
    row[l->nx] = row[is_periodic ? 0 : l->nx - 1];
}

// The same of what makes a cell wet: beyond a wall it is dry.
static void POINT(dispersion_ends_of_water)(const struct POINT(dispersion_level) * l, ptrdiff_t here)
{
    REAL *w = l->w + here, *z = l->z + here;
    POINT(dispersion_ends)(l, w);
    POINT(dispersion_ends)(l, z);
    if (l->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_WALL)
        w[-1] = z[-1] < (REAL)0 ? z[-1] : (REAL)0;
    if (l->edges[TSUNAMI_EAST] == TSUNAMI_EDGE_WALL)
        w[l->nx] = z[l->nx] < (REAL)0 ? z[l->nx] : (REAL)0;
}

// How far a cell's faces are open, 0 to 1; and its depth.
struct POINT(dispersion_faces) {
    REAL west, east, south, north, depth;
    int is_wet;
};

TILE_INLINE struct POINT(dispersion_faces)
    POINT(dispersion_faces_of)(const struct POINT(dispersion_level) * l,
                               const struct POINT(dispersion_row) * r, ptrdiff_t i)
{
    const REAL *w = l->w, *z = l->z, minimum = l->minimum;
    const ptrdiff_t k = r->here + i, s = r->south + i, n = r->north + i;
    const REAL h = POINT(dispersion_depth)(w[k], z[k]);
    const REAL west = POINT(dispersion_depth)(w[k - 1], z[k - 1]);
    const REAL east = POINT(dispersion_depth)(w[k + 1], z[k + 1]);
    const REAL south = POINT(dispersion_depth)(w[s], z[s]), north = POINT(dispersion_depth)(w[n], z[n]);
    return (struct POINT(dispersion_faces)){POINT(dispersion_opening)(h, west, minimum),
                                            POINT(dispersion_opening)(h, east, minimum),
                                            r->south_open * POINT(dispersion_opening)(h, south, minimum),
                                            r->north_open * POINT(dispersion_opening)(h, north, minimum),
                                            h,
                                            h > minimum};
}

// The parts along x and y of ∇· of `now` times the new velocities and `before` times the old ones.
struct POINT(dispersion_parts) {
    REAL along_x, along_y;
};

TILE_INLINE struct POINT(dispersion_parts)
    POINT(dispersion_divergence)(const struct POINT(dispersion_level) * l,
                                 const struct POINT(dispersion_row) * r, struct POINT(dispersion_faces) open,
                                 ptrdiff_t i, REAL now, REAL before)
{
    const ptrdiff_t k = r->here + i, s = r->south + i, n = r->north + i;
    const REAL u = now * l->u[k] + before * l->u_before[k], v = now * l->v[k] + before * l->v_before[k];
    const REAL u_west = now * l->u[k - 1] + before * l->u_before[k - 1];
    const REAL u_east = now * l->u[k + 1] + before * l->u_before[k + 1];
    const REAL v_south = now * l->v[s] + before * l->v_before[s];
    const REAL v_north = now * l->v[n] + before * l->v_before[n];
    const REAL along_x = open.east * (u + u_east) - open.west * (u + u_west);
    const REAL along_y =
        (r->width_north * open.north) * (v + v_north) - (r->width_south * open.south) * (v + v_south);
    return (struct POINT(dispersion_parts)){along_x * (l->kx0[i] * r->over_cosine),
                                            along_y * ((REAL)0.5 * r->over_length_y)};
}

// D of the middle of the step into `work`.
static void POINT(dispersion_find_divergence)(const struct POINT(dispersion_level) * l, ptrdiff_t begin,
                                              ptrdiff_t end)
{
    for (ptrdiff_t row = begin; row < end; row++) {
        const struct POINT(dispersion_row) r = POINT(dispersion_row_of)(l, row);
        POINT(dispersion_ends_of_water)(l, r.here);
        REAL *const fields[] = {l->u, l->v, l->u_before, l->v_before};
        for (int f = 0; f < 4; f++)
            POINT(dispersion_ends)(l, fields[f] + r.here);
        REAL *work = l->work + r.here;
#pragma omp simd
        for (ptrdiff_t i = 0; i < l->nx; i++) {
            const struct POINT(dispersion_faces) open = POINT(dispersion_faces_of)(l, &r, i);
            const struct POINT(dispersion_parts) D =
                POINT(dispersion_divergence)(l, &r, open, i, (REAL)0.5, (REAL)0.5);
            work[i] = open.is_wet ? D.along_x + D.along_y : (REAL)0;
        }
        POINT(dispersion_ends)(l, work);
    }
}

// Whether cells of a row or a column lie at an edge with water outside, which knows no dispersion.
static bool POINT(dispersion_is_outer)(const struct POINT(dispersion_level) * l, bool along_x,
                                       ptrdiff_t place)
{
    const enum tsunami_edge edge = place == 0 ? l->edges[along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH]
                                   : place + 1 == (along_x ? l->nx : l->ny)
                                       ? l->edges[along_x ? TSUNAMI_EAST : TSUNAMI_NORTH]
                                       : TSUNAMI_EDGE_WALL;
    return edge == TSUNAMI_EDGE_OPEN || edge == TSUNAMI_EDGE_GIVEN;
}

// a times the parts of ∇·Δu into psi_x and psi_y; to that of the axis taken first comes q = a Δt (ū·∇D − D²). In odd steps phi
// becomes as psi_y.
static void POINT(dispersion_find_right_side)(const struct POINT(dispersion_level) * l, ptrdiff_t begin,
                                              ptrdiff_t end, bool is_odd)
{
    for (ptrdiff_t row = begin; row < end; row++) {
        const struct POINT(dispersion_row) r = POINT(dispersion_row_of)(l, row);
        const REAL *w = l->w + r.here, *z = l->z + r.here, *u = l->u + r.here, *v = l->v + r.here;
        const REAL *u_before = l->u_before + r.here, *v_before = l->v_before + r.here;
        const REAL *D = l->work + r.here, *D_south = l->work + r.south, *D_north = l->work + r.north;
        // Half of the sum of both velocities times half of a difference over a length.
        const REAL quarter = (REAL)0.25, metres = (REAL)2 * r.over_cosine,
                   over_height = r.over_length_y * l->cosine[row];
        const REAL step_x = is_odd ? (REAL)0 : l->step, step_y = is_odd ? l->step : (REAL)0;
        REAL *psi_x = l->psi_x + r.here, *psi_y = l->psi_y + r.here;
#pragma omp simd
        for (ptrdiff_t i = 0; i < l->nx; i++) {
            const struct POINT(dispersion_faces) open = POINT(dispersion_faces_of)(l, &r, i);
            const REAL a = POINT(dispersion_strength)(w[i], z[i], l->minimum);
            const struct POINT(dispersion_parts) gain =
                POINT(dispersion_divergence)(l, &r, open, i, (REAL)1, (REAL)-1);
            const REAL along_x = open.east * (D[i + 1] - D[i]) - open.west * (D[i - 1] - D[i]);
            const REAL along_y = open.north * (D_north[i] - D[i]) - open.south * (D_south[i] - D[i]);
            const REAL carried = quarter * ((u[i] + u_before[i]) * along_x * (metres * l->kx0[i]) +
                                            (v[i] + v_before[i]) * along_y * over_height);
            const REAL rest = carried - D[i] * D[i];
            const REAL value_x = a * MADD(step_x, rest, gain.along_x),
                       value_y = a * MADD(step_y, rest, gain.along_y);
            psi_x[i] = a > (REAL)0 ? value_x : (REAL)0;
            psi_y[i] = a > (REAL)0 ? value_y : (REAL)0;
        }
        const bool is_outer = POINT(dispersion_is_outer)(l, false, row);
        for (ptrdiff_t i = 0; i < l->nx; i += is_outer || l->nx == 1 ? 1 : l->nx - 1) // the row, or its ends
            if (is_outer || POINT(dispersion_is_outer)(l, true, i))
                psi_x[i] = psi_y[i] = (REAL)0;
        if (is_odd)
            memcpy(l->phi + r.here, psi_y, (size_t)l->nx * sizeof *psi_y);
    }
}

// Velocities at once, the change of w into `work`: neighbours still need the depth as it is.
static void POINT(dispersion_apply)(const struct POINT(dispersion_level) * l, ptrdiff_t begin, ptrdiff_t end)
{
    for (ptrdiff_t row = begin; row < end; row++) {
        const struct POINT(dispersion_row) r = POINT(dispersion_row_of)(l, row);
        POINT(dispersion_ends)(l, l->psi_x + r.here);
        const ptrdiff_t south_row = r.south / l->pitch, north_row = r.north / l->pitch;
        const REAL length = l->step / l->rate_y[row], cosine = l->cosine[row];
        const REAL length_south = l->step / l->rate_y[south_row],
                   length_north = l->step / l->rate_y[north_row];
        const REAL rate_south = r.width_south * l->step / (length + length_south),
                   rate_north = r.width_north * l->step / (length + length_north);
        const REAL rate_x = (REAL)0.5 * l->step * r.over_cosine;
        const REAL *w = l->w, *z = l->z;
        REAL *u = l->u, *v = l->v, *work = l->work;
        const REAL *psi_x = l->psi_x, *psi_y = l->psi_y;
#pragma omp simd
        for (ptrdiff_t i = 0; i < l->nx; i++) {
            const ptrdiff_t k = r.here + i, s = r.south + i, n = r.north + i;
            const struct POINT(dispersion_faces) open = POINT(dispersion_faces_of)(l, &r, i);
            const REAL h = open.depth;
            const REAL east = open.east * (psi_x[k + 1] - psi_x[k]),
                       west = open.west * (psi_x[k - 1] - psi_x[k]);
            const REAL north = r.width_north * open.north * (psi_y[n] - psi_y[k]);
            const REAL south = r.width_south * open.south * (psi_y[s] - psi_y[k]);
            const REAL half = (REAL)0.5 * cosine;
            const REAL held = h * (half * l->kx_width[i]);
            const REAL held_east = POINT(dispersion_depth)(w[k + 1], z[k + 1]) * (half * l->kx_width[i + 1]);
            const REAL held_west = POINT(dispersion_depth)(w[k - 1], z[k - 1]) * (half * l->kx_width[i - 1]);
            const REAL held_north = POINT(dispersion_depth)(w[n], z[n]) * length_north;
            const REAL held_south = POINT(dispersion_depth)(w[s], z[s]) * length_south;
            const REAL out_east = POINT(dispersion_given_back)(east, rate_x * l->between[i], held, held_east);
            const REAL out_west =
                POINT(dispersion_given_back)(west, rate_x * l->between[i - 1], held, held_west);
            const REAL out_north = POINT(dispersion_given_back)(north, rate_north, h * length, held_north);
            const REAL out_south = POINT(dispersion_given_back)(south, rate_south, h * length, held_south);
            const REAL over_length_x = (REAL)2 * l->kx0[i] * r.over_cosine;
            const REAL lost =
                (out_east + out_west) * over_length_x + (out_north + out_south) * r.over_length_y;
            const REAL over_h = open.is_wet ? FV_DIVIDE((REAL)0.5, h) : (REAL)0;
            u[k] = MADD((east - west) * over_length_x, over_h, u[k]);
            v[k] = MADD((north - south) * r.over_length_y, over_h, v[k]);
            work[k] = -lost;
        }
    }
}

static void POINT(dispersion_settle)(const struct POINT(dispersion_level) * l, ptrdiff_t begin, ptrdiff_t end)
{
    for (ptrdiff_t row = begin; row < end; row++) {
        REAL *restrict w = l->w + row * l->pitch;
        const REAL *restrict work = l->work + row * l->pitch;
#pragma omp simd
        for (ptrdiff_t i = 0; i < l->nx; i++)
            w[i] += work[i];
    }
}
