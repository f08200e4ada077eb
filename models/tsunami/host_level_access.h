// State in and out of a level's arrays, once per precision (REAL and POINT(name) defined): η = (2 c0 e + e²)/g, or
// where the shore moves η = w over sea (z < 0), w + z over land.

static REAL *POINT(field)(const struct host_level *s, void *block)
{
    return (REAL *)block + s->halo_offset;
}

static void POINT(get)(const struct host_level *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s)
{
    const size_t offset = row * s->pitch + first;
    const REAL *e = POINT(field)(s, s->state[s->current][0]) + offset;
    const REAL *u = POINT(field)(s, s->state[s->current][1]) + offset;
    const REAL *v = POINT(field)(s, s->state[s->current][2]) + offset;
    const REAL *c0 = POINT(field)(s, s->c0) + offset;
    const double gravity = s->setup.geometry->gravity_m_s2;
    for (size_t i = 0; i < count; i++) {
        const double perturbation = (double)e[i];
        const double eta = (2 * (double)c0[i] + perturbation) * perturbation / gravity;
        eta_m[i] = c0[i] > (REAL)0 ? eta : NAN;
        u_m_s[i] = (double)u[i];
        v_m_s[i] = (double)v[i];
    }
}

// e for a total depth H = c0²/g + η: c − c0 without cancellation.
static double POINT(perturbation)(double eta, double c0, double gravity)
{
    return gravity * eta / (sqrt(c0 * c0 + gravity * eta) + c0);
}

static void POINT(set)(struct host_level *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s)
{
    const size_t offset = row * s->pitch + first;
    REAL *e = POINT(field)(s, s->state[s->current][0]) + offset;
    REAL *u = POINT(field)(s, s->state[s->current][1]) + offset;
    REAL *v = POINT(field)(s, s->state[s->current][2]) + offset;
    const REAL *c0 = POINT(field)(s, s->c0) + offset;
    for (size_t i = 0; i < count; i++) {
        if (!(c0[i] > (REAL)0))
            continue;
        e[i] = (REAL)POINT(perturbation)(eta_m[i], (double)c0[i], s->setup.geometry->gravity_m_s2);
        u[i] = (REAL)u_m_s[i];
        v[i] = (REAL)v_m_s[i];
    }
}

static void POINT(lift)(struct host_level *s, size_t row, const double *uplift_m)
{
    const size_t offset = row * s->pitch;
    const double gravity = s->setup.geometry->gravity_m_s2;
    REAL *e = POINT(field)(s, s->state[s->current][0]) + offset;
    const REAL *c0 = POINT(field)(s, s->c0) + offset;
    for (size_t i = 0; i < s->setup.geometry->nx; i++) {
        if (!(c0[i] > (REAL)0) || uplift_m[i] == 0)
            continue;
        const double eta = (2 * (double)c0[i] + (double)e[i]) * (double)e[i] / gravity + uplift_m[i];
        e[i] = (REAL)POINT(perturbation)(eta, (double)c0[i], gravity);
    }
}

// ---- where the shore moves ----

static void POINT(get_flooding)(const struct host_level *s, size_t row, size_t first, size_t count,
                                double *eta_m, double *u_m_s, double *v_m_s)
{
    const size_t offset = row * s->pitch + first;
    const REAL *w = POINT(field)(s, s->state[s->current][0]) + offset;
    const REAL *u = POINT(field)(s, s->state[s->current][1]) + offset;
    const REAL *v = POINT(field)(s, s->state[s->current][2]) + offset;
    const REAL *z = POINT(field)(s, s->z) + offset;
    for (size_t i = 0; i < count; i++) {
        eta_m[i] = (double)w[i] + fmax(0, (double)z[i]);
        u_m_s[i] = (double)u[i];
        v_m_s[i] = (double)v[i];
    }
}

static void POINT(set_flooding)(struct host_level *s, size_t row, size_t first, size_t count,
                                const double *eta_m, const double *u_m_s, const double *v_m_s)
{
    const size_t offset = row * s->pitch + first;
    REAL *w = POINT(field)(s, s->state[s->current][0]) + offset;
    REAL *u = POINT(field)(s, s->state[s->current][1]) + offset;
    REAL *v = POINT(field)(s, s->state[s->current][2]) + offset;
    const REAL *z = POINT(field)(s, s->z) + offset;
    for (size_t i = 0; i < count; i++) {
        const double bottom = (double)z[i], depth = eta_m[i] - bottom;
        const double value = bottom < 0 ? eta_m[i] : depth;
        w[i] = (REAL)(depth > 0 ? value : fmin(0, bottom));
        const bool flows = depth > s->setup.physics->minimum_depth_m;
        u[i] = flows ? (REAL)u_m_s[i] : (REAL)0;
        v[i] = flows ? (REAL)v_m_s[i] : (REAL)0;
    }
}

// The bottom rises, the depth stays. Water that is deep beside the rounding of its bottom's height rises by the whole uplift.
static void POINT(lift_flooding)(struct host_level *s, size_t row, const double *uplift_m,
                                 const double *bottom_m)
{
    const size_t offset = row * s->pitch;
    REAL *w = POINT(field)(s, s->state[s->current][0]) + offset;
    REAL *z = POINT(field)(s, s->z) + offset;
    for (size_t i = 0; i < s->setup.geometry->nx; i++) {
        const double before = (double)z[i], after = (double)(REAL)(before + bottom_m[i]);
        const bool is_deep = fmax(before, after) < 0 && (double)w[i] - before > -1e-3 * before;
        // w less what it is above the lower of sea level and the bottom: what of the rise it takes part in.
        w[i] = (REAL)((double)w[i] + (is_deep ? uplift_m[i] : fmin(0, after) - fmin(0, before)));
        z[i] = (REAL)after;
    }
}

// Columns −2 … nx + 1: the bottom beyond an edge that is not periodic is the edge's.
static void POINT(fill_bottom_halo)(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny, pitch = (ptrdiff_t)s->pitch;
    const bool x_periodic = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC;
    const bool y_periodic = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    REAL *z = POINT(field)(s, s->z);
    for (ptrdiff_t j = 0; j < ny; j++)
        for (ptrdiff_t k = 1; k <= 2; k++) {
            z[j * pitch - k] = z[j * pitch + within(-k, g->nx, x_periodic)];
            z[j * pitch + nx - 1 + k] = z[j * pitch + within(nx - 1 + k, g->nx, x_periodic)];
        }
    const size_t bytes = (size_t)(nx + 4) * sizeof *z;
    memcpy(z - pitch - 2, z + within(-1, g->ny, y_periodic) * pitch - 2, bytes);
    memcpy(z + ny * pitch - 2, z + within(ny, g->ny, y_periodic) * pitch - 2, bytes);
}

static void POINT(fill_halo)(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny, pitch = (ptrdiff_t)s->pitch;
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        REAL *field = POINT(field)(s, s->state[s->current][f]);
        if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
            for (ptrdiff_t j = 0; j < ny; j++) {
                field[j * pitch - 1] = field[j * pitch + nx - 1];
                field[j * pitch + nx] = field[j * pitch];
            }
        if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
            for (ptrdiff_t i = -1; i <= nx; i++) {
                field[i - pitch] = field[i + (ny - 1) * pitch];
                field[i + ny * pitch] = field[i];
            }
    }
}
