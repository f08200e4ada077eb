// The serial reference of `muscl-hancock`, the method with a moving shoreline: double, plain, one line of the
// grid after the other, written from the equations of docs/tsunami.md. THE SPECIFICATION of that method: the
// fast versions are tested against it, and it shares no arithmetic with them (not fv_point.inc). Slow on
// purpose where slow is clear.
//
// A sweep along s, with un along it and ut across, depth h, bottom z, surface η = h + z:
//   h_t + (h un)_s = 0,   (h un)_t + (h un²)_s + g h η_s = 0,   (h ut)_t + (h un ut)_s = 0,
// on the sphere along a meridian with (cos φ · )_s / cos φ of the fluxes. The cell of a node reaches halfway
// to its neighbours. Where water is no deeper than the minimum it does not flow; it is dry, and counts in the
// volume.
#include "models/tsunami/reference_fv.h"
#include "models/tsunami/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// |un| + c is held below this share of what would cross a cell in a step.
static const double fastest_share = 0.95;

struct reference_line {
    struct extent extent; // of the one behind the last cell: its face's cosine alone
    struct cell cell;
    struct faces faces;
    struct flux flux; // through the cell's minus face; one more behind the last cell
};

static enum status flooding_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                                 const char *prefix, struct solver **solver)
{
    CHECK(reference_new(setup, solver));
    struct solver *s = *solver;
    const size_t nx = setup->geometry->nx, ny = setup->geometry->ny;
    const struct reference_array arrays[] = {{&s->w, "w"}, {&s->u, "u"}, {&s->v, "v"}, {&s->z, "z"}};
    CHECK(reference_plan_arrays(s, plan, prefix, arrays, sizeof arrays / sizeof *arrays));
    CHECK(reference_plan_shore(s, plan, prefix));
    if (setup->physics->has_dispersion)
        CHECK(reference_plan_dispersion(s, plan, prefix));
    if (tsunami_physics_has_eddies(setup->physics))
        CHECK(reference_plan_eddies(s, plan, prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, (nx > ny ? nx : ny) + 1, sizeof *s->line,
                           (void **)&s->line, "%sreference line", prefix);
}

static enum status flooding_start(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++) {
            const size_t k = reference_at(s, (ptrdiff_t)i, (ptrdiff_t)j);
            s->z[k] = -(*s->setup.depth_m)[j * g->pitch + i];
            s->w[k] = s->u[k] = s->v[k] = 0; // the sea at 0, the land without water
        }
    return STATUS_OK;
}

void reference_get_flooding(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                            double *u_m_s, double *v_m_s)
{
    for (size_t i = 0; i < count; i++) {
        const size_t k = reference_at(s, (ptrdiff_t)(first + i), (ptrdiff_t)row);
        eta_m[i] = reference_surface(s, k);
        u_m_s[i] = s->u[k];
        v_m_s[i] = s->v[k];
    }
}

static void flooding_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                         const double *u_m_s, const double *v_m_s)
{
    for (size_t i = 0; i < count; i++) {
        const size_t k = reference_at(s, (ptrdiff_t)(first + i), (ptrdiff_t)row);
        const bool is_sea = s->z[k] < 0;
        s->w[k] = is_sea ? fmax(eta_m[i], s->z[k]) : fmax(eta_m[i] - s->z[k], 0);
        const bool flows = reference_depth(s, k) > s->setup.physics->minimum_depth_m;
        s->u[k] = flows ? u_m_s[i] : 0;
        s->v[k] = flows ? v_m_s[i] : 0;
    }
}

// The bottom rises, the depth stays.
static void flooding_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    (void)bottom_m; // in double precision they are the same
    for (size_t i = 0; i < s->setup.geometry->nx; i++) {
        const size_t k = reference_at(s, (ptrdiff_t)i, (ptrdiff_t)row);
        const double before = fmin(s->z[k], 0);
        s->z[k] += uplift_m[i];
        s->w[k] += fmin(s->z[k], 0) - before;
    }
}

static void record_inundation(const struct tsunami_records *r, size_t at, bool is_wet, float time_s)
{
    if (is_wet && isnan(r->wet_since_s[at]))
        r->wet_since_s[at] = time_s;
    if (is_wet || isnan(r->wet_since_s[at]))
        return;
    r->inundation_s[at] += time_s - r->wet_since_s[at];
    r->wet_since_s[at] = NAN;
}

static void record_node(const struct solver *s, size_t k, size_t at, float time_s)
{
    const struct tsunami_records *r = s->setup.records;
    const double eta = reference_surface(s, k), h = reference_depth(s, k);
    const float level = r->source_level_m ? r->source_level_m[at] : 0;
    if (r->first_drawdown_s && s->z[k] < 0 && (float)eta < level + (float)-r->drawdown_m &&
        isnan(r->first_drawdown_s[at]))
        r->first_drawdown_s[at] = time_s;
    if (r->wet_since_s && s->z[k] > 0)
        record_inundation(r, at, h > r->wet_depth_m, time_s);
    if (!(h > r->wet_depth_m))
        return;
    const double speed = sqrt(s->u[k] * s->u[k] + s->v[k] * s->v[k]);
    // w: on land an arrival is a depth of the flow. Above a fixed level the first time is a time of a new
    // maximum.
    if (r->max_eta_m && ((float)eta > r->max_eta_m[at] || r->has_moving_level))
        for (int a = 0; a < r->arrival_count; a++)
            if (r->arrival_s[a] && isnan(r->arrival_s[a][at]) &&
                (float)s->w[k] >= level + (float)r->arrival_m[a])
                r->arrival_s[a][at] = time_s;
    if (r->max_eta_m && (float)eta > r->max_eta_m[at]) {
        r->max_eta_m[at] = (float)eta;
        if (r->time_of_max_s)
            r->time_of_max_s[at] = time_s;
    }
    if (r->hazard_m2_s && s->z[k] > 0)
        r->hazard_m2_s[at] = fmaxf(r->hazard_m2_s[at], (float)(h * (speed + TSUNAMI_HAZARD_SPEED_M_S)));
    if (r->max_depth_m)
        r->max_depth_m[at] = fmaxf(r->max_depth_m[at], (float)h);
    if (r->max_speed_m_s)
        r->max_speed_m_s[at] = fmaxf(r->max_speed_m_s[at], (float)speed);
    if (r->max_flux_m2_s)
        r->max_flux_m2_s[at] = fmaxf(r->max_flux_m2_s[at], (float)(speed * h));
}

static void flooding_record(struct solver *s, double time_s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++)
            record_node(s, reference_at(s, (ptrdiff_t)i, (ptrdiff_t)j), j * g->pitch + i, (float)time_s);
    tsunami_point_record_all(&s->setup, s, reference_get_flooding, time_s);
}

// ---- a line of the grid ----

static struct side mirrored(struct side side)
{
    side.un = -side.un;
    side.froude = -side.froude;
    return side;
}

// What lies beyond an end of a line, towards `outward` (+1 or −1).
struct beyond {
    enum { BEYOND_PERIODIC, BEYOND_WALL, BEYOND_WATER } kind;
    struct cell cell; // of BEYOND_WATER
};

// The celerity at an edge with the discharge q through it (m²/s, outward; in: < 0) where the invariant
// u + 2c that goes out is `going`: 2c + g q/c² = going, on the side of the flows slower than their waves; if
// there is none, that of a flow as fast as its waves.
static double celerity_of_discharge(double q, double going, double gravity)
{
    const double slowest = cbrt(gravity * fabs(q));
    double c = fmax(0.5 * going, slowest);
    for (int k = 0; k < 40 && c > 0; k++) { // Newton's method; from this side it comes nearer in every step
        const double slope = fmax(2 - 2 * gravity * q / (c * c * c), 1e-3);
        c = fmax(slowest, c - (2 * c + gravity * q / (c * c) - going) / slope);
    }
    return c;
}

// Where the discharge is kept: of the given state q = u (d + η), of what goes out u + 2c. Water that comes in
// faster than its waves takes nothing from inside.
static void meet_discharge(struct tsunami_edge_value given, double given_un, double bottom_m, double going,
                           double gravity, double *eta, double *un)
{
    const double h = fmax(0, given.eta_m - bottom_m), q = given_un * h;
    *eta = fmax(given.eta_m, bottom_m);
    *un = given_un;
    if (-given_un >= sqrt(gravity * h) && h > 0)
        return;
    const double c = celerity_of_discharge(q, going, gravity);
    *eta = bottom_m + c * c / gravity;
    *un = c > 0 ? gravity * q / (c * c) : 0;
}

// Water beyond an edge: the incoming invariant (0 of still water, so that waves leave; or of the boundary
// data) meets the outgoing one. If only the surface is given, it is that, and the velocity follows from the
// outgoing invariant.
static struct beyond outside(struct cell inner, double outward, enum tsunami_edge edge,
                             struct tsunami_edge_value given, bool along_x, double gravity, double minimum)
{
    struct beyond b = {.kind = edge == TSUNAMI_EDGE_PERIODIC ? BEYOND_PERIODIC : BEYOND_WALL};
    if (edge == TSUNAMI_EDGE_PERIODIC || edge == TSUNAMI_EDGE_WALL || !inner.is_wet || inner.z >= 0)
        return b;
    // e = c − c0, without cancellation
    const double c0 = sqrt(-gravity * inner.z);
    const double going = outward * inner.un + 2 * gravity * inner.eta / (sqrt(gravity * inner.h) + c0);
    const double given_eta = fmax(given.eta_m, inner.z); // a surface below the bottom is no water
    const double given_e = gravity * given_eta / (sqrt(gravity * (given_eta - inner.z)) + c0);
    const double coming = outward * (along_x ? given.u_m_s : given.v_m_s) - 2 * given_e;
    double e = fmax(0.25 * (going - coming), -c0), un = 0.5 * (going + coming);
    if (given.is_given && !given.has_velocity) {
        e = given_e;
        un = fmax(going - 2 * given_e, -(c0 + given_e)); // critical at most: beyond, nothing goes out
    }
    b.kind = BEYOND_WATER;
    b.cell = inner;
    b.cell.eta = e * (2 * c0 + e) / gravity;
    b.cell.h = fmax(0, b.cell.eta - inner.z);
    b.cell.un = outward * un;
    if (given.is_given && given.keeps_discharge) {
        meet_discharge(given, outward * (along_x ? given.u_m_s : given.v_m_s), inner.z, going + 2 * c0,
                       gravity, &b.cell.eta, &un);
        b.cell.h = b.cell.eta - inner.z;
        b.cell.un = outward * un;
    }
    if (given.is_given && given.has_velocity && un < 0)
        b.cell.ut = along_x ? given.v_m_s : given.u_m_s;
    b.cell.is_wet = b.cell.h > minimum;
    return b;
}

struct reference_sweep reference_sweep_of(struct solver *s, bool along_x, int64_t step)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    return (struct reference_sweep){.solver = s,
                                    .along_x = along_x,
                                    .step = step,
                                    .lines = along_x ? g->ny : g->nx,
                                    .count = (ptrdiff_t)(along_x ? g->nx : g->ny),
                                    .gravity = g->gravity_m_s2,
                                    .dt = s->setup.step_s,
                                    .minimum = s->setup.physics->minimum_depth_m};
}

// Cos φ midway between two rows; beyond an edge the latitude goes on as it came.
double reference_face_cosine(const struct tsunami_geometry *g, ptrdiff_t row)
{
    const ptrdiff_t n = (ptrdiff_t)g->ny;
    double degrees;
    if (!g->is_spherical)
        return 1;
    if (row <= 0)
        degrees = g->y[0] - 0.5 * (g->y[1] - g->y[0]);
    else if (row >= n)
        degrees = g->y[n - 1] + 0.5 * (g->y[n - 1] - g->y[n - 2]);
    else
        degrees = 0.5 * (g->y[row - 1] + g->y[row]);
    return fmax(0, cos(degrees * acos(-1) / 180));
}

static struct extent extent_of(const struct reference_sweep *w, ptrdiff_t k)
{
    const struct tsunami_geometry *g = w->solver->setup.geometry;
    struct extent x = {.cosine = 1,
                       .face_cosine = 1,
                       .gravity = w->gravity,
                       .dt = w->dt,
                       .minimum = w->minimum,
                       .limiter = w->solver->setup.physics->limiter};
    if (w->along_x) {
        x.width_m = 0.5 * (g->x_distance_m[k - 1] + g->x_distance_m[k]) * g->cos_latitude[w->number];
    } else {
        x.width_m = 0.5 * (g->y_distance_m[k - 1] + g->y_distance_m[k]);
        x.cosine = g->cos_latitude[k];
        x.face_cosine = reference_face_cosine(g, k);
        x.metric_per_m = g->tan_over_radius[k];
    }
    return x;
}

static struct beyond beyond_end(const struct reference_sweep *w, bool is_plus)
{
    const struct solver *s = w->solver;
    const enum tsunami_side side = reference_sweep_side(w, is_plus);
    const struct tsunami_given_edge *edge = tsunami_edge_of(&s->setup, side);
    struct tsunami_edge_value given = {0};
    if (edge)
        given = tsunami_edge_value(
            edge, tsunami_edge_time(edge, w->step, tsunami_edge_moment(TSUNAMI_MUSCL_HANCOCK)), w->number);
    return outside(s->line[is_plus ? w->count - 1 : 0].cell, is_plus ? 1 : -1, s->setup.geometry->edges[side],
                   given, w->along_x, w->gravity, w->minimum);
}

// The cell before the first or behind the last one.
static struct cell cell_beyond(const struct beyond *b, struct cell inner, struct cell opposite)
{
    if (b->kind == BEYOND_PERIODIC)
        return opposite;
    if (b->kind == BEYOND_WATER)
        return b->cell;
    inner.un = -inner.un;
    return inner;
}

// The outer side of the face at an end.
static struct side side_beyond(const struct beyond *b, struct side inner, struct side opposite,
                               const struct extent *x)
{
    if (b->kind == BEYOND_PERIODIC)
        return opposite;
    return b->kind == BEYOND_WATER ? reference_fv_level_side(b->cell, x) : mirrored(inner);
}

static void load_line(const struct reference_sweep *w)
{
    const struct solver *s = w->solver;
    s->line[w->count].extent.face_cosine =
        w->along_x ? 1 : reference_face_cosine(s->setup.geometry, w->count);
    for (ptrdiff_t k = 0; k < w->count; k++) {
        s->line[k].extent = extent_of(w, k);
        const size_t node = reference_sweep_at(w, k);
        struct cell *cell = &s->line[k].cell;
        *cell =
            (struct cell){.eta = reference_surface(s, node), .h = reference_depth(s, node), .z = s->z[node]};
        cell->un = w->along_x ? s->u[node] : s->v[node];
        cell->ut = w->along_x ? s->v[node] : s->u[node];
        cell->is_wet = cell->h > w->minimum;
    }
}

// The line's fluxes, through face k between cells k − 1 and k.
static void find_fluxes(const struct reference_sweep *w)
{
    struct reference_line *line = w->solver->line;
    const ptrdiff_t n = w->count;
    const struct beyond minus = beyond_end(w, false), plus = beyond_end(w, true);
    for (ptrdiff_t k = 0; k < n; k++) {
        const struct cell left =
            k > 0 ? line[k - 1].cell : cell_beyond(&minus, line[0].cell, line[n - 1].cell);
        const struct cell right =
            k < n - 1 ? line[k + 1].cell : cell_beyond(&plus, line[n - 1].cell, line[0].cell);
        line[k].faces = reference_fv_faces_of(left, line[k].cell, right, &line[k].extent);
    }
    for (ptrdiff_t k = 0; k <= n; k++) {
        struct side l, r;
        l = k > 0 ? line[k - 1].faces.plus
                  : side_beyond(&minus, line[0].faces.minus, line[n - 1].faces.plus, &line[0].extent);
        r = k < n ? line[k].faces.minus
                  : side_beyond(&plus, line[n - 1].faces.plus, line[0].faces.minus, &line[n - 1].extent);
        line[k].flux = reference_fv_flux_between(l, r, line[k].extent.face_cosine, &line[0].extent);
    }
}

static void update_cell(const struct reference_sweep *w, ptrdiff_t k)
{
    struct solver *s = w->solver;
    const struct extent x = s->line[k].extent;
    const struct cell cell = s->line[k].cell;
    const struct flux minus = s->line[k].flux, plus = s->line[k + 1].flux;
    const size_t node = reference_sweep_at(w, k);
    const double rate = x.dt / (x.width_m * x.cosine);
    const double dh = -rate * (plus.h - minus.h);
    const double dm = -rate * (plus.of_minus - minus.of_plus + s->line[k].faces.push * x.cosine);
    const double dt = -rate * (plus.ut - minus.ut);
    const double h = fmax(0, cell.h + dh);
    double un = 0, ut = 0;
    if (h > x.minimum) {
        const double most = fmax(0, fastest_share * x.width_m / x.dt - sqrt(x.gravity * h));
        un = cell.un + (dm - cell.un * dh) / h;
        un = fmax(-most, fmin(most, un));
        ut = cell.ut + (dt - cell.ut * dh) / h;
    }
    s->w[node] = fmax(s->w[node] + dh, fmin(cell.z, 0)); // not below the bottom, by a rounding
    s->u[node] = w->along_x ? un : ut;
    s->v[node] = w->along_x ? ut : un;
}

static void sweep(struct solver *s, bool along_x, int64_t step)
{
    if (s->setup.physics->method == TSUNAMI_VTCS2_SHORE) {
        reference_sweep_shore(s, along_x, step);
        return;
    }
    struct reference_sweep w = reference_sweep_of(s, along_x, step);
    for (; w.number < w.lines; w.number++) {
        load_line(&w);
        find_fluxes(&w);
        for (ptrdiff_t k = 0; k < w.count; k++)
            update_cell(&w, k);
    }
}

// ---- what acts at a point ----

// Manning's friction, implicit: it stops the flow and never reverses it.
static void apply_friction(struct solver *s, size_t k)
{
    const double n = s->setup.physics->manning_n, h = reference_depth(s, k);
    if (n <= 0 || !(h > s->setup.physics->minimum_depth_m))
        return;
    const double speed = sqrt(s->u[k] * s->u[k] + s->v[k] * s->v[k]);
    const double slower =
        1 + s->setup.step_s * s->setup.geometry->gravity_m_s2 * n * n * speed / pow(h, 4.0 / 3.0);
    s->u[k] /= slower;
    s->v[k] /= slower;
}

static void apply_sources(struct solver *s, bool is_reversed)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const bool has_metric = !tsunami_method_has_cells(s->setup.physics->method); // else the sweep has it
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const size_t k = reference_at(s, i, j);
            if (is_reversed)
                apply_friction(s, k);
            if (!is_reversed && has_metric)
                reference_metric_shore(s, k, j);
            reference_rotate(s, k, j);
            if (is_reversed && has_metric)
                reference_metric_shore(s, k, j);
            if (!is_reversed)
                apply_friction(s, k);
        }
}

// ---- a run of steps ----

// Dispersion last: the stresses are among what it makes of the step's increments.
static void complete(struct solver *s, bool is_reversed)
{
    if (tsunami_physics_has_eddies(s->setup.physics))
        reference_stir(s);
    if (s->setup.physics->has_dispersion)
        reference_disperse(s, is_reversed);
}

static enum status flooding_advance(struct solver *s, int64_t first_step, int64_t count)
{
    const bool is_shore = s->setup.physics->method == TSUNAMI_VTCS2_SHORE;
    const bool disperses = s->setup.physics->has_dispersion;
    const struct reference_form form = {true,
                                        apply_sources,
                                        sweep,
                                        is_shore ? reference_give_shore : NULL,
                                        flooding_record,
                                        disperses ? reference_begin_dispersion : NULL,
                                        complete};
    reference_steps(s, &form, first_step, count);
    return STATUS_OK;
}

// Nothing is derived from the state.
static int flooding_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t bytes = s->rows * s->pitch * sizeof(double);
    arrays[0] = (struct checkpoint_array){"w", s->w, bytes};
    arrays[1] = (struct checkpoint_array){"u", s->u, bytes};
    arrays[2] = (struct checkpoint_array){"v", s->v, bytes};
    arrays[3] = (struct checkpoint_array){"z", s->z, bytes};
    arrays[4] = (struct checkpoint_array){"node count", &s->computed, sizeof s->computed};
    return 5;
}

const struct tsunami_backend tsunami_backend_reference_flooding = {
    .head = {.name = "reference",
             .summary = "serial, double precision, plain: the specification",
             .advance = flooding_advance,
             .checkpoint_arrays = flooding_checkpoint_arrays},
    .flooding = &tsunami_backend_reference_flooding,
    .has_dispersion = true,
    .plan = flooding_plan,
    .start = flooding_start,
    .get = reference_get_flooding,
    .set = flooding_set,
    .lift = flooding_lift,
    .record = flooding_record,
    .gather_edges = reference_gather_edges,
    .work = reference_work,
};
