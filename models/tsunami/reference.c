// The serial reference: double, plain, in H, u, v, written from the equations of docs/tsunami.md. THE
// SPECIFICATION of the tsunami model: the fast versions are tested against it, and it shares no arithmetic
// with them (not point.inc, not the perturbation form).
#include "models/tsunami/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A node on a line of the grid in a sweep: `un` along the line, `ut` across it.
struct line_node {
    double H, un, ut, d;
    bool is_wet;
};

// Spacing about a node, m.
struct line_spacing {
    double minus, plus;
};

static bool is_wet(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return s->d[reference_at(s, i, j)] > s->setup.physics->wall_depth_m;
}

enum status reference_new(const struct tsunami_setup *setup, struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the reference solver");
    *solver = s;
    s->setup = *setup;
    s->rows = setup->geometry->ny + 2 * TSUNAMI_HALO_ROWS;
    s->pitch = setup->geometry->pitch;
    return STATUS_OK;
}

enum status reference_plan_arrays(const struct solver *s, struct memory_plan *plan, const char *prefix,
                                  const struct reference_array *arrays, size_t count)
{
    for (size_t k = 0; k < count; k++)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, s->rows, s->pitch, (void **)arrays[k].pointer,
                              "%sreference %s", prefix, arrays[k].name));
    return STATUS_OK;
}

static enum status reference_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                                  const char *prefix, struct solver **solver)
{
    CHECK(reference_new(setup, solver));
    struct solver *s = *solver;
    const struct reference_array arrays[] = {
        {&s->H, "H"},           {&s->u, "u"},           {&s->v, "v"},          {&s->H_next, "H next"},
        {&s->u_next, "u next"}, {&s->v_next, "v next"}, {&s->d, "still depth"}};
    return reference_plan_arrays(s, plan, prefix, arrays, sizeof arrays / sizeof *arrays);
}

// Index of the node that a halo node stands for; the node itself inside; −2 beyond an edge that is not
// periodic.
static ptrdiff_t wrap(ptrdiff_t index, size_t count, bool is_periodic)
{
    if (index >= 0 && index < (ptrdiff_t)count)
        return index;
    return is_periodic ? (index + (ptrdiff_t)count) % (ptrdiff_t)count : -2;
}

static enum status reference_start(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const double *depth = *s->setup.depth_m;
    for (ptrdiff_t j = -1; j <= (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = -1; i <= (ptrdiff_t)g->nx; i++) {
            ptrdiff_t source_j = wrap(j, g->ny, g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC);
            ptrdiff_t source_i = wrap(i, g->nx, g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC);
            bool is_inside = source_i >= 0 && source_j >= 0;
            double d = is_inside ? depth[(size_t)source_j * g->pitch + (size_t)source_i] : -1;
            size_t k = reference_at(s, i, j);
            s->d[k] = is_inside && d > s->setup.physics->wall_depth_m ? d : -1;
            s->H[k] = s->H_next[k] = s->d[k] > 0 ? s->d[k] : 0;
            s->u[k] = s->v[k] = s->u_next[k] = s->v_next[k] = 0;
        }
    return STATUS_OK;
}

void reference_get(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                   double *u_m_s, double *v_m_s)
{
    for (size_t i = 0; i < count; i++) {
        size_t k = reference_at(s, (ptrdiff_t)(first + i), (ptrdiff_t)row);
        bool wet = is_wet(s, (ptrdiff_t)(first + i), (ptrdiff_t)row);
        eta_m[i] = wet ? s->H[k] - s->d[k] : NAN;
        u_m_s[i] = wet ? s->u[k] : 0;
        v_m_s[i] = wet ? s->v[k] : 0;
    }
}

static void reference_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                          const double *u_m_s, const double *v_m_s)
{
    for (size_t i = 0; i < count; i++) {
        size_t k = reference_at(s, (ptrdiff_t)(first + i), (ptrdiff_t)row);
        if (!is_wet(s, (ptrdiff_t)(first + i), (ptrdiff_t)row))
            continue;
        s->H[k] = s->d[k] + eta_m[i];
        s->u[k] = u_m_s[i];
        s->v[k] = v_m_s[i];
    }
}

static void reference_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    (void)bottom_m;
    for (size_t i = 0; i < s->setup.geometry->nx; i++)
        if (is_wet(s, (ptrdiff_t)i, (ptrdiff_t)row))
            s->H[reference_at(s, (ptrdiff_t)i, (ptrdiff_t)row)] += uplift_m[i];
}

bool reference_has_node_records(const struct tsunami_records *r)
{
    return r->max_eta_m || r->max_speed_m_s || r->max_flux_m2_s || r->first_drawdown_s;
}

void reference_record_node(const struct tsunami_records *r, size_t k, double eta, double H, double u,
                           double v, double time_s)
{
    double speed = sqrt(u * u + v * v);
    float level = r->source_level_m ? r->source_level_m[k] : 0;
    // Above a fixed level the first time is a time of a new maximum; above a sinking one it may not be.
    if (r->max_eta_m && ((float)eta > r->max_eta_m[k] || r->has_moving_level))
        for (int a = 0; a < r->arrival_count; a++)
            if (r->arrival_s[a] && (float)eta >= level + (float)r->arrival_m[a] && isnan(r->arrival_s[a][k]))
                r->arrival_s[a][k] = (float)time_s;
    if (r->max_eta_m && (float)eta > r->max_eta_m[k]) {
        r->max_eta_m[k] = (float)eta;
        if (r->time_of_max_s)
            r->time_of_max_s[k] = (float)time_s;
    }
    if (r->max_speed_m_s && (float)speed > r->max_speed_m_s[k])
        r->max_speed_m_s[k] = (float)speed;
    if (r->max_flux_m2_s && (float)(speed * H) > r->max_flux_m2_s[k])
        r->max_flux_m2_s[k] = (float)(speed * H);
    if (r->first_drawdown_s && (float)eta < level + (float)-r->drawdown_m && isnan(r->first_drawdown_s[k]))
        r->first_drawdown_s[k] = (float)time_s;
}

static void reference_record(struct solver *s, double time_s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++) {
            size_t k = reference_at(s, (ptrdiff_t)i, (ptrdiff_t)j);
            if (is_wet(s, (ptrdiff_t)i, (ptrdiff_t)j))
                reference_record_node(s->setup.records, j * g->pitch + i, s->H[k] - s->d[k], s->H[k], s->u[k],
                                      s->v[k], time_s);
        }
    tsunami_point_record_all(&s->setup, s, reference_get, time_s);
}

// Half the sum of two nodes' invariant speeds times the invariant's difference, less gravity along the
// bottom: A(a,b) of the scheme. sign +1: invariant p = un + 2c with speed un + c; −1: q = un − 2c with un −
// c.
static double flux_difference(struct line_node a, struct line_node b, double sign, double gravity)
{
    double ca = sqrt(gravity * a.H), cb = sqrt(gravity * b.H);
    double mean_speed = 0.5 * ((a.un + sign * ca) + (b.un + sign * cb));
    return mean_speed * ((a.un + sign * 2 * ca) - (b.un + sign * 2 * cb)) - gravity * (a.d - b.d);
}

// Titov & Synolakis' VTCS-2 for one node; see docs/tsunami.md for the second-order terms.
static struct line_node sweep_node(struct line_node left, struct line_node node, struct line_node right,
                                   struct line_spacing h, double dt, double gravity, bool is_second_order)
{
    double c = sqrt(gravity * node.H), span = h.minus + h.plus;
    double invariant[2], rate[2], slope[2];
    const double signs[2] = {1, -1};
    for (int k = 0; k < 2; k++) {
        double sign = signs[k], lambda = node.un + sign * c;
        double a_centre = flux_difference(right, left, sign, gravity);
        double a_right = flux_difference(right, node, sign, gravity);
        double a_left = flux_difference(node, left, sign, gravity);
        invariant[k] = node.un + sign * 2 * c -
                       dt / span * (a_centre + lambda * dt * (a_left / h.minus - a_right / h.plus));
        rate[k] = -a_centre / span;
        slope[k] = ((right.un + sign * 2 * sqrt(gravity * right.H)) -
                    (left.un + sign * 2 * sqrt(gravity * left.H))) /
                   span;
    }
    double bend = (right.ut - node.ut) / h.plus - (node.ut - left.ut) / h.minus;
    double ut =
        node.ut - node.un * dt / span * (right.ut - left.ut - bend * (node.un * dt + h.plus - h.minus));
    if (is_second_order) {
        double lambda_rate[2] = {0.25 * (3 * rate[0] + rate[1]), 0.25 * (rate[0] + 3 * rate[1])};
        for (int k = 0; k < 2; k++)
            invariant[k] -= 0.5 * dt * dt * lambda_rate[k] * slope[k];
        ut -= 0.5 * dt * dt * 0.5 * (rate[0] + rate[1]) * (right.ut - left.ut) / span;
    }
    double c_new = 0.25 * (invariant[0] - invariant[1]);
    return (struct line_node){c_new * c_new / gravity, 0.5 * (invariant[0] + invariant[1]), ut, node.d, true};
}

// The state beyond an edge, seen with the outside in the positive direction: still water, boundary data, or a
// surface alone, whose velocity follows from the outgoing invariant.
struct line_outside {
    bool is_edge,
        is_given; // the node lies on an edge that is open or given; something is given there and then
    bool is_elevation_alone, has_ut;
    double eta, un, ut;
};

// The node on such an edge, the outside lying in the positive direction of the line; `rate` = Δt over the
// distance of `inner`.
static struct line_node edge_node(struct line_node inner, struct line_node edge, struct line_outside outside,
                                  double rate, double gravity)
{
    const double outside_c = sqrt(gravity * fmax(0, edge.d + outside.eta));
    double p = edge.un + 2 * sqrt(gravity * edge.H) - rate * flux_difference(edge, inner, 1, gravity);
    double q = outside.un - 2 * outside_c;
    if (outside.is_elevation_alone)
        q = p - 4 * outside_c;
    double c = 0.25 * (p - q), un = 0.5 * (p + q);
    double outflow = fmax(edge.un, 0);
    double ut = edge.ut - outflow * rate * (edge.ut - inner.ut);
    if (outside.has_ut && un < 0)
        ut = outside.ut;
    return (struct line_node){c * c / gravity, un, ut, edge.d, true};
}

// The neighbour of a wet node: a coast is a wall.
static struct line_node seen_from(struct line_node node, struct line_node neighbour)
{
    if (neighbour.is_wet)
        return neighbour;
    struct line_node ghost = node;
    ghost.un = -node.un;
    return ghost;
}

static struct line_node mirrored(struct line_node node)
{
    node.un = -node.un;
    return node;
}

struct line_context {
    struct line_spacing spacing;
    struct line_outside minus, plus;
    double dt, gravity;
    bool is_second_order;
};

static struct line_node update_node(struct line_node left, struct line_node node, struct line_node right,
                                    const struct line_context *line)
{
    if (!node.is_wet)
        return node;
    left = seen_from(node, left);
    right = seen_from(node, right);
    if (line->plus.is_edge)
        return edge_node(left, node, line->plus, line->dt / line->spacing.minus, line->gravity);
    if (line->minus.is_edge)
        return mirrored(edge_node(mirrored(right), mirrored(node), line->minus, line->dt / line->spacing.plus,
                                  line->gravity));
    return sweep_node(left, node, right, line->spacing, line->dt, line->gravity, line->is_second_order);
}

static struct line_node load(const struct solver *s, ptrdiff_t i, ptrdiff_t j, bool along_x)
{
    size_t k = reference_at(s, i, j);
    return (struct line_node){s->H[k], along_x ? s->u[k] : s->v[k], along_x ? s->v[k] : s->u[k], s->d[k],
                              is_wet(s, i, j)};
}

static void store(struct line_node node, bool along_x, size_t k, double *H, double *u, double *v)
{
    H[k] = node.H;
    u[k] = along_x ? node.un : node.ut;
    v[k] = along_x ? node.ut : node.un;
}

// Copies periodic edges into the halo.
static void fill_halo(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    double *fields[] = {s->H, s->u, s->v};
    for (int f = 0; f < 3; f++) {
        if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
            for (ptrdiff_t j = 0; j < ny; j++) {
                fields[f][reference_at(s, -1, j)] = fields[f][reference_at(s, nx - 1, j)];
                fields[f][reference_at(s, nx, j)] = fields[f][reference_at(s, 0, j)];
            }
        if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
            for (ptrdiff_t i = 0; i < nx; i++) {
                fields[f][reference_at(s, i, -1)] = fields[f][reference_at(s, i, ny - 1)];
                fields[f][reference_at(s, i, ny)] = fields[f][reference_at(s, i, 0)];
            }
    }
}

static void swap_state(struct solver *s)
{
    double *H = s->H, *u = s->u, *v = s->v;
    s->H = s->H_next, s->u = s->u_next, s->v = s->v_next;
    s->H_next = H, s->u_next = u, s->v_next = v;
}

// The state beyond `side` of the domain, for a node on it, at a moment of the step (0 to 1).
static struct line_outside outside_of(const struct solver *s, enum tsunami_side side, size_t node,
                                      int64_t step, double moment)
{
    const enum tsunami_edge kind = s->setup.geometry->edges[side];
    struct line_outside outside = {.is_edge = kind == TSUNAMI_EDGE_OPEN || kind == TSUNAMI_EDGE_GIVEN};
    const struct tsunami_given_edge *edge = tsunami_edge_of(&s->setup, side);
    if (!edge)
        return outside;
    const struct tsunami_edge_value given =
        tsunami_edge_value(edge, tsunami_edge_time(edge, step, moment), node);
    const bool along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    const double outward = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? 1 : -1;
    outside.is_given = given.is_given;
    outside.is_elevation_alone = given.is_given && !given.has_velocity;
    outside.has_ut = given.is_given && given.has_velocity;
    outside.eta = given.eta_m;
    outside.un = outward * (along_x ? given.u_m_s : given.v_m_s);
    outside.ut = along_x ? given.v_m_s : given.u_m_s;
    return outside;
}

static struct line_context context_of(const struct solver *s, ptrdiff_t i, ptrdiff_t j, bool along_x,
                                      int64_t step)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    struct line_context line = {.dt = s->setup.step_s, .gravity = g->gravity_m_s2};
    line.is_second_order = s->setup.physics->method == TSUNAMI_VTCS2_O2;
    line.spacing.minus = along_x ? g->x_distance_m[i - 1] * g->cos_latitude[j] : g->y_distance_m[j - 1];
    line.spacing.plus = along_x ? g->x_distance_m[i] * g->cos_latitude[j] : g->y_distance_m[j];
    const ptrdiff_t place = along_x ? i : j, last = (ptrdiff_t)(along_x ? g->nx : g->ny) - 1;
    const size_t node = (size_t)(along_x ? j : i);
    const double moment = tsunami_edge_sweep_moment(s->setup.physics->method, along_x, step);
    if (place == 0)
        line.minus = outside_of(s, along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH, node, step, moment);
    if (place == last)
        line.plus = outside_of(s, along_x ? TSUNAMI_EAST : TSUNAMI_NORTH, node, step, moment);
    return line;
}

static void sweep(struct solver *s, bool along_x, int64_t step)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    fill_halo(s);
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const struct line_context line = context_of(s, i, j, along_x, step);
            struct line_node node = load(s, i, j, along_x);
            struct line_node next = update_node(load(s, i - along_x, j - !along_x, along_x), node,
                                                load(s, i + along_x, j + !along_x, along_x), &line);
            const bool is_inner = !line.minus.is_edge && !line.plus.is_edge;
            if (!along_x && is_inner && node.is_wet && s->setup.physics->method == TSUNAMI_VTCS2) {
                // MOST's metric term in the sweep itself: p' += Δt m, q' −= Δt m, m = v c tan φ / R, so c' +=
                // Δt m / 2.
                double c = sqrt(g->gravity_m_s2 * next.H) +
                           0.5 * line.dt * node.un * sqrt(g->gravity_m_s2 * node.H) * g->tan_over_radius[j];
                next.H = c * c / g->gravity_m_s2;
            }
            store(next, along_x, reference_at(s, i, j), s->H_next, s->u_next, s->v_next);
        }
    swap_state(s);
}

// Boundary data hold for the end of the step, and neither the sweep along the edge nor the sources may change
// them. So the edge's rule is applied once more at last, for a step of no length.
static void give_side(struct solver *s, enum tsunami_side side, int64_t step)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const bool along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    const bool is_plus = side == TSUNAMI_EAST || side == TSUNAMI_NORTH;
    const ptrdiff_t last = is_plus ? (ptrdiff_t)(along_x ? g->nx : g->ny) - 1 : 0;
    for (size_t k = 0; tsunami_edge_of(&s->setup, side) && k < (along_x ? g->ny : g->nx); k++) {
        const ptrdiff_t i = along_x ? last : (ptrdiff_t)k, j = along_x ? (ptrdiff_t)k : last;
        const struct line_outside outside =
            outside_of(s, side, k, step, tsunami_edge_moment(s->setup.physics->method));
        struct line_node node = load(s, i, j, along_x);
        if (!node.is_wet || !outside.is_given)
            continue;
        node = is_plus ? node : mirrored(node);
        node = edge_node(node, node, outside, 0, g->gravity_m_s2);
        store(is_plus ? node : mirrored(node), along_x, reference_at(s, i, j), s->H, s->u, s->v);
    }
}

static void give_edges(struct solver *s, bool along_x, int64_t step)
{
    give_side(s, along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH, step);
    give_side(s, along_x ? TSUNAMI_EAST : TSUNAMI_NORTH, step);
}

static void apply_metric(struct solver *s, size_t k, ptrdiff_t j)
{
    // H_t = (vH/R) tan φ, exactly, for the v of the moment.
    if (s->setup.physics->method == TSUNAMI_VTCS2_O2)
        s->H[k] *= exp(s->v[k] * s->setup.geometry->tan_over_radius[j] * s->setup.step_s);
}

void reference_rotate(struct solver *s, size_t k, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct tsunami_physics *physics = s->setup.physics;
    double angular_speed = physics->has_coriolis ? g->coriolis_per_s[j] : 0;
    if (physics->has_curvature)
        angular_speed += s->u[k] * g->tan_over_radius[j];
    double angle = angular_speed * s->setup.step_s, u = s->u[k], v = s->v[k];
    s->u[k] = cos(angle) * u + sin(angle) * v;
    s->v[k] = cos(angle) * v - sin(angle) * u;
}

static void apply_friction(struct solver *s, size_t k)
{
    const double n = s->setup.physics->manning_n;
    if (n <= 0)
        return;
    double speed = sqrt(s->u[k] * s->u[k] + s->v[k] * s->v[k]);
    double drag = s->setup.geometry->gravity_m_s2 * n * n * speed / pow(s->H[k], 4.0 / 3.0);
    s->u[k] /= 1 + s->setup.step_s * drag;
    s->v[k] /= 1 + s->setup.step_s * drag;
}

static void apply_sources(struct solver *s, bool is_reversed)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            if (!is_wet(s, i, j))
                continue;
            size_t k = reference_at(s, i, j);
            if (!is_reversed) {
                apply_metric(s, k, j);
                reference_rotate(s, k, j);
                apply_friction(s, k);
            } else {
                apply_friction(s, k);
                reference_rotate(s, k, j);
                apply_metric(s, k, j);
            }
        }
}

void reference_steps(struct solver *s, const struct reference_form *form, int64_t first_step, int64_t count)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (int64_t step = first_step; step < first_step + count; step++) {
        const bool is_reversed = form->alternates && step % 2 != 0;
        if (form->begin)
            form->begin(s);
        if (is_reversed)
            form->apply_sources(s, true);
        form->sweep(s, !is_reversed, step);
        form->sweep(s, is_reversed, step);
        if (!is_reversed)
            form->apply_sources(s, false);
        if (form->give_edges) {
            form->give_edges(s, !is_reversed, step);
            form->give_edges(s, is_reversed, step);
        }
        if (form->complete)
            form->complete(s, is_reversed);
        if (!s->setup.records->is_paused)
            form->record(s, s->setup.start_s + (double)(step + 1) * s->setup.step_s);
        s->computed += (double)(g->nx * g->ny);
    }
}

static enum status reference_advance(struct solver *s, int64_t first_step, int64_t count)
{
    const struct reference_form form = {s->setup.physics->method == TSUNAMI_VTCS2_O2,
                                        apply_sources,
                                        sweep,
                                        give_edges,
                                        reference_record,
                                        NULL,
                                        NULL};
    reference_steps(s, &form, first_step, count);
    return STATUS_OK;
}

static enum status reference_touch(struct solver *s, bool is_loaded)
{
    (void)is_loaded;
    fill_halo(s);
    return STATUS_OK;
}

static int reference_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t bytes = s->rows * s->pitch * sizeof(double);
    arrays[0] = (struct checkpoint_array){"H", s->H, bytes};
    arrays[1] = (struct checkpoint_array){"u", s->u, bytes};
    arrays[2] = (struct checkpoint_array){"v", s->v, bytes};
    arrays[3] = (struct checkpoint_array){"node count", &s->computed, sizeof s->computed};
    return 4;
}

enum status reference_gather_edges(struct solver *s, size_t slot)
{
    const struct tsunami_setup *parent = &s->setup.parent->setup;
    return tsunami_edges_gather(&s->setup, parent,
                                tsunami_backend_for(&tsunami_backend_reference, parent->physics->method)->get,
                                slot);
}

void reference_work(const struct solver *s, double *computed, double *skipped)
{
    *computed = s->computed;
    *skipped = 0;
}

const struct tsunami_backend tsunami_backend_reference = {
    .head = {.name = "reference",
             .summary = "serial, double precision, plain: the specification",
             .touch = reference_touch,
             .advance = reference_advance,
             .checkpoint_arrays = reference_checkpoint_arrays},
    .flooding = &tsunami_backend_reference_flooding,
    .staggered = &tsunami_backend_reference_staggered,
    .plan = reference_plan,
    .start = reference_start,
    .get = reference_get,
    .set = reference_set,
    .lift = reference_lift,
    .record = reference_record,
    .gather_edges = reference_gather_edges,
    .work = reference_work,
};
