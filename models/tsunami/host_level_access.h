// State in and out of a level's arrays, once per precision (REAL and POINT(name) defined): η = (2 c0 e + e²)/g.

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
