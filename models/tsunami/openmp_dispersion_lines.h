// The lines of the fast CPU version's dispersion: many tridiagonal systems side by side, by Gauss's elimination. Included once
// per precision by openmp_dispersion_isa.c, with REAL and POINT(name) defined; knows no threads and no schedule.

// `lanes` lines, lane 0 being row or column `first`. Cell number `place` of all of them lies at value + place · stride, where
// there was the right side and will be ψ.
struct POINT(dispersion_lines) {
    const struct POINT(dispersion_level) * level;
    bool along_x, is_periodic;
    ptrdiff_t first, lanes, count, stride;
    REAL *value, *after, *far;
};

// A cell of each line: a over its length, its depth, and 1/(h length), 0 of a dry one.
struct POINT(dispersion_cells) {
    REAL strength[DISPERSION_COLUMNS], depth[DISPERSION_COLUMNS], inverse[DISPERSION_COLUMNS];
};

static void POINT(dispersion_load_column)(const struct POINT(dispersion_lines) * lines, ptrdiff_t column,
                                          struct POINT(dispersion_cells) * to)
{
    const struct POINT(dispersion_level) *l = lines->level;
    const bool is_outer = POINT(dispersion_is_outer)(l, true, column);
    for (ptrdiff_t lane = 0; lane < lines->lanes; lane++) {
        const ptrdiff_t row = lines->first + lane, k = row * l->pitch + column;
        const bool is_bare = is_outer || POINT(dispersion_is_outer)(l, false, row);
        const REAL length = (REAL)0.5 * l->kx_width[column] * l->cosine[row];
        to->strength[lane] =
            is_bare ? (REAL)0 : POINT(dispersion_strength)(l->w[k], l->z[k], l->minimum) / length;
        to->depth[lane] = POINT(dispersion_depth)(l->w[k], l->z[k]);
        to->inverse[lane] = POINT(dispersion_inverse)(to->depth[lane], length, l->minimum);
    }
}

static void POINT(dispersion_load_row)(const struct POINT(dispersion_lines) * lines, ptrdiff_t row,
                                       struct POINT(dispersion_cells) * to)
{
    const struct POINT(dispersion_level) *l = lines->level;
    const REAL over_length = l->rate_y[row] / l->step, length = l->step / l->rate_y[row];
    const REAL *w = l->w + row * l->pitch + lines->first, *z = l->z + row * l->pitch + lines->first;
    const REAL factor = POINT(dispersion_is_outer)(l, false, row) ? (REAL)0 : over_length;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < lines->lanes; lane++) {
        to->strength[lane] = factor * POINT(dispersion_strength)(w[lane], z[lane], l->minimum);
        to->depth[lane] = POINT(dispersion_depth)(w[lane], z[lane]);
        to->inverse[lane] = POINT(dispersion_inverse)(to->depth[lane], length, l->minimum);
    }
    if (lines->first == 0 && POINT(dispersion_is_outer)(l, true, 0))
        to->strength[0] = (REAL)0;
    if (lines->first + lines->lanes == l->nx && POINT(dispersion_is_outer)(l, true, l->nx - 1))
        to->strength[lines->lanes - 1] = (REAL)0;
}

static void POINT(dispersion_load)(const struct POINT(dispersion_lines) * lines, ptrdiff_t place,
                                   struct POINT(dispersion_cells) * to)
{
    (lines->along_x ? POINT(dispersion_load_column) : POINT(dispersion_load_row))(lines, place, to);
}

// Between cell `place` and the next of each line.
static void POINT(dispersion_couple)(const struct POINT(dispersion_lines) * lines, ptrdiff_t place,
                                     const struct POINT(dispersion_cells) * here,
                                     const struct POINT(dispersion_cells) * next, REAL *coupling)
{
    const REAL width = lines->along_x ? (REAL)1 : lines->level->cos_north[place];
    const REAL minimum = lines->level->minimum;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < lines->lanes; lane++) {
        const REAL opening = POINT(dispersion_opening)(here->depth[lane], next->depth[lane], minimum);
        coupling[lane] =
            POINT(dispersion_coupling)(here->inverse[lane], next->inverse[lane], width * opening);
    }
}

// A row of the systems and what the row before it was made: x_(k−1) + after x_k + far x_last = value.
struct POINT(dispersion_equation) {
    const REAL *strength, *minus, *plus;
    const REAL *value_before, *after_before, *far_before;
    REAL *value, *after, *far;
};

TILE_INLINE void POINT(dispersion_eliminate)(ptrdiff_t lanes, struct POINT(dispersion_equation) e,
                                             bool is_periodic)
{
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < lanes; lane++) {
        const REAL before = e.strength[lane] * e.minus[lane], after = e.strength[lane] * e.plus[lane];
        const REAL here = (REAL)1 + before + after;
        const REAL inverse = FV_DIVIDE((REAL)1, MADD(before, e.after_before[lane], here));
        e.value[lane] = MADD(before, e.value_before[lane], e.value[lane]) * inverse;
        e.after[lane] = -(after * inverse);
        if (is_periodic)
            e.far[lane] = before * e.far_before[lane] * inverse;
    }
}

// value −= factor · other, of all lanes.
TILE_INLINE void POINT(dispersion_subtract)(ptrdiff_t lanes, REAL *restrict value, const REAL *factor,
                                            const REAL *other)
{
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < lanes; lane++)
        value[lane] = MADD(-factor[lane], other[lane], value[lane]);
}

// The last cell of periodic lines, whose neighbours are the one before it and the first; then all the others.
static void POINT(dispersion_close)(const struct POINT(dispersion_lines) * lines, const REAL *strength,
                                    const REAL *minus, const REAL *plus)
{
    const ptrdiff_t last = lines->count - 1;
    REAL *value = lines->value + last * lines->stride;
    const REAL *value_before = value - lines->stride, *far_before = lines->far + (last - 1) * lines->stride;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < lines->lanes; lane++) {
        const REAL before = strength[lane] * minus[lane], after = strength[lane] * plus[lane];
        const REAL sum = value[lane] + before * value_before[lane] + after * lines->value[lane];
        value[lane] = sum / ((REAL)1 + before + after + before * far_before[lane] + after * lines->far[lane]);
    }
    for (ptrdiff_t place = 0; place < last; place++)
        POINT(dispersion_subtract)
    (lines->lanes, lines->value + place * lines->stride, lines->far + place * lines->stride, value);
}

static void POINT(dispersion_solve)(const struct POINT(dispersion_lines) * lines)
{
    struct POINT(dispersion_cells) cells[2], ends;
    REAL couplings[2][DISPERSION_COLUMNS] = {{0}};
    REAL nothing[DISPERSION_COLUMNS] = {0}, minus_one[DISPERSION_COLUMNS];
    const ptrdiff_t lanes = lines->lanes, stride = lines->stride;
    const ptrdiff_t count = lines->is_periodic ? lines->count - 1 : lines->count;
    for (ptrdiff_t lane = 0; lane < lanes; lane++)
        minus_one[lane] = (REAL)-1;
    POINT(dispersion_load)(lines, 0, &cells[0]);
    if (lines->is_periodic) {
        POINT(dispersion_load)(lines, lines->count - 1, &ends);
        POINT(dispersion_couple)(lines, lines->count - 1, &ends, &cells[0], couplings[0]);
    }
    REAL *minus = couplings[0], *plus = couplings[1];
    REAL round[DISPERSION_COLUMNS]; // of the face between the last cell and the first
    memcpy(round, minus, (size_t)lanes * sizeof *round);
    for (ptrdiff_t place = 0; place < count; place++) {
        struct POINT(dispersion_cells) *here = &cells[place % 2], *next = &cells[1 - place % 2];
        if (place + 1 < lines->count) {
            POINT(dispersion_load)(lines, place + 1, next);
            POINT(dispersion_couple)(lines, place, here, next, plus);
        } else {
            memset(plus, 0, (size_t)lanes * sizeof *plus);
        }
        REAL *value = lines->value + place * stride, *after = lines->after + place * stride,
             *far = lines->is_periodic ? lines->far + place * stride : NULL;
        const struct POINT(dispersion_equation) e = {here->strength,
                                                     minus,
                                                     plus,
                                                     place > 0 ? value - stride : nothing,
                                                     place > 0 ? after - stride : nothing,
                                                     place > 0 && far ? far - stride : minus_one,
                                                     value,
                                                     after,
                                                     far};
        if (far)
            POINT(dispersion_eliminate)(lanes, e, true);
        else
            POINT(dispersion_eliminate)(lanes, e, false);
        for (ptrdiff_t lane = 0; far && place + 1 == count && lane < lanes; lane++)
            far[lane] += after[lane];
        REAL *carried = minus;
        minus = plus;
        plus = carried;
    }
    for (ptrdiff_t place = count - 2; place >= 0; place--) {
        REAL *value = lines->value + place * stride;
        const REAL *after = lines->after + place * stride;
        POINT(dispersion_subtract)(lanes, value, after, value + stride);
        if (lines->is_periodic)
            POINT(dispersion_subtract)
        (lanes, lines->far + place * stride, after, lines->far + (place + 1) * stride);
    }
    if (lines->is_periodic)
        POINT(dispersion_close)(lines, cells[count % 2].strength, minus, round);
}

// ---- along both axes ----

// Rows are turned into lanes and back. First: φ = S_x(psi_x), which psi_y gains and psi_x loses. Middle: ψ_x = S_x(psi_x + phi),
// and psi_y gains what it has more than phi. Last: ψ_x = S_x(psi_x + psi_y).
static void POINT(dispersion_solve_x)(const struct POINT(dispersion_level) * l, ptrdiff_t begin,
                                      ptrdiff_t end, enum dispersion_turn turn, REAL *scratch)
{
    const ptrdiff_t block = l->nx * DISPERSION_ROWS, lanes = end - begin;
    const struct POINT(dispersion_lines)
        lines = {.level = l,
                 .along_x = true,
                 .is_periodic = l->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
                 .first = begin,
                 .lanes = lanes,
                 .count = l->nx,
                 .stride = DISPERSION_ROWS,
                 .value = scratch,
                 .after = scratch + block,
                 .far = scratch + 2 * block};
    const REAL *added = turn == DISPERSION_MIDDLE ? l->phi : l->psi_y;
    const REAL share = turn == DISPERSION_FIRST ? (REAL)0 : (REAL)1;
    for (ptrdiff_t lane = 0; lane < lanes; lane++) {
        const ptrdiff_t row = (begin + lane) * l->pitch;
        for (ptrdiff_t i = 0; i < l->nx; i++)
            scratch[i * DISPERSION_ROWS + lane] = l->psi_x[row + i] + share * added[row + i];
    }
    POINT(dispersion_solve)(&lines);
    for (ptrdiff_t lane = 0; lane < lanes; lane++) {
        const ptrdiff_t row = (begin + lane) * l->pitch;
        REAL *psi_x = l->psi_x + row, *psi_y = l->psi_y + row;
        const REAL *phi = l->phi + row, *found = scratch + lane;
        for (ptrdiff_t i = 0; i < l->nx; i++) {
            const REAL value = found[i * DISPERSION_ROWS];
            if (turn == DISPERSION_FIRST) {
                psi_y[i] += value;
                psi_x[i] -= value;
            } else {
                if (turn == DISPERSION_MIDDLE)
                    psi_y[i] += value - phi[i];
                psi_x[i] = value;
            }
        }
    }
}

// `field` becomes S_y of it.
static void POINT(dispersion_solve_y)(const struct POINT(dispersion_level) * l, ptrdiff_t begin,
                                      ptrdiff_t end, REAL *field)
{
    const struct POINT(dispersion_lines)
        lines = {.level = l,
                 .is_periodic = l->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC,
                 .first = begin,
                 .lanes = end - begin,
                 .count = l->ny,
                 .stride = l->pitch,
                 .value = field + begin,
                 .after = l->work + begin,
                 .far = l->far ? l->far + begin : NULL};
    POINT(dispersion_solve)(&lines);
}
