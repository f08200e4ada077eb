// The parts of a step's dispersion in their order, shared out among the threads of the team that is there, or done by one alone.
// Included once per precision by openmp_dispersion.c, with REAL and POINT(name) defined.
//
// Shares are fixed: a loop without a team must not ask OpenMP's library for anything, which would allocate.

static struct POINT(dispersion_level)
    POINT(dispersion_level_of)(const struct openmp_dispersion *d, const struct host_level *h, int from)
{
    const struct tsunami_geometry *g = h->setup.geometry;
    const REAL *columns = (const REAL *)h->columns + TSUNAMI_HALO_COLUMNS;
    const REAL *rows = (const REAL *)h->row_coefficients + TSUNAMI_HALO_ROWS;
    REAL *const *to = (REAL *const *)h->state[1 - from], *const *old = (REAL *const *)h->state[from];
    struct POINT(dispersion_level) level = {
        .nx = (ptrdiff_t)g->nx,
        .ny = (ptrdiff_t)g->ny,
        .pitch = (ptrdiff_t)h->pitch,
        .w = to[0] + h->halo_offset,
        .u = to[1] + h->halo_offset,
        .v = to[2] + h->halo_offset,
        .z = (REAL *)h->z + h->halo_offset,
        .u_before = old[1] + h->halo_offset,
        .v_before = old[2] + h->halo_offset,
        .psi_x = (REAL *)d->psi_x + h->halo_offset,
        .psi_y = (REAL *)d->psi_y + h->halo_offset,
        .phi = (REAL *)d->phi + h->halo_offset,
        .work = (REAL *)d->work + h->halo_offset,
        .far = d->far ? (REAL *)d->far + h->halo_offset : NULL,
        .kx0 = columns,
        .kx_width = columns + h->pitch,
        .between = columns + 2 * h->pitch,
        .rate_y = rows,
        .cosine = rows + h->rows,
        .cos_south = rows + 2 * h->rows,
        .cos_north = rows + 3 * h->rows,
        .step = (REAL)h->setup.step_s,
        .minimum = (REAL)h->setup.physics->minimum_depth_m,
    };
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        level.edges[side] = g->edges[side];
    return level;
}

static void POINT(solve_along_x)(const struct openmp_dispersion *d, const struct POINT(dispersion_level) * l,
                                 enum dispersion_turn turn)
{
    const ptrdiff_t blocks = (l->ny + DISPERSION_ROWS - 1) / DISPERSION_ROWS;
    REAL *scratch = (REAL *)d->scratch + (size_t)omp_get_thread_num() * d->scratch_pitch;
#pragma omp for schedule(static)
    for (ptrdiff_t block = 0; block < blocks; block++) {
        const ptrdiff_t begin = block * DISPERSION_ROWS, end = begin + DISPERSION_ROWS;
        d->functions->POINT(solve_x)(l, begin, end < l->ny ? end : l->ny, turn, scratch);
    }
}

static void POINT(solve_along_y)(const struct openmp_dispersion *d, const struct POINT(dispersion_level) * l,
                                 REAL *field)
{
    const ptrdiff_t strips = (l->nx + DISPERSION_COLUMNS - 1) / DISPERSION_COLUMNS;
#pragma omp for schedule(static)
    for (ptrdiff_t strip = 0; strip < strips; strip++) {
        const ptrdiff_t begin = strip * DISPERSION_COLUMNS, end = begin + DISPERSION_COLUMNS;
        d->functions->POINT(solve_y)(l, begin, end < l->nx ? end : l->nx, field);
    }
}

static void POINT(disperse)(const struct openmp_dispersion *d, const struct host_level *host, int from,
                            bool is_odd)
{
    const struct POINT(dispersion_level) l = POINT(dispersion_level_of)(d, host, from);
    const struct tsunami_dispersion_functions *do_ = d->functions;
#pragma omp for schedule(static)
    for (ptrdiff_t row = 0; row < l.ny; row++)
        do_->POINT(divergence)(&l, row, row + 1);
#pragma omp for schedule(static)
    for (ptrdiff_t row = 0; row < l.ny; row++)
        do_->POINT(right_side)(&l, row, row + 1, is_odd);
    if (is_odd) {
        POINT(solve_along_y)(d, &l, l.phi);
        POINT(solve_along_x)(d, &l, DISPERSION_MIDDLE);
        POINT(solve_along_y)(d, &l, l.psi_y);
    } else {
        POINT(solve_along_x)(d, &l, DISPERSION_FIRST);
        POINT(solve_along_y)(d, &l, l.psi_y);
        POINT(solve_along_x)(d, &l, DISPERSION_LAST);
    }
#pragma omp for schedule(static)
    for (ptrdiff_t row = 0; row < l.ny; row++)
        do_->POINT(apply)(&l, row, row + 1);
#pragma omp for schedule(static)
    for (ptrdiff_t row = 0; row < l.ny; row++)
        do_->POINT(settle)(&l, row, row + 1);
}
