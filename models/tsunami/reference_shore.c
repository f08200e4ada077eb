// The serial reference of `vtcs2-shore`: double, plain, one line of the grid after the other. THE
// SPECIFICATION of that method: the fast versions are tested against it, and it shares no arithmetic with
// them (not shore_point.inc). State, records and what acts at a point are those of reference_fv.c.
//
// VTCS-2 (Titov & Synolakis 1995, 1998) in the modified form and with the shoreline of Tolkova (2014, Pure
// Appl. Geophys., doi:10.1007/s00024-014-0825-8), and with the second-order terms of `vtcs2-o2`. A sweep
// along s, with un along it and ut across, depth h, bottom z, surface η = h + z, c = √(gh), moves the
//   invariants w = un ± 2c with their speeds λ = un ± c: w_t + λ w_s = −g z_s,  ut_t + un ut_s = 0.
// Between neighbours a and b, λ̄ Δw + g Δz is, bars being means and 2 c̄ Δc = g Δh,
//   A(a, b) = (ūn ± c̄) Δun ± 2 ūn Δc + g Δη,
// which at rest is 0 to the last bit.
//
// Nodes with no more water than the minimum are dry: the water beside them meets its mirror image, as at a
// wall. Water that stands higher than the minimum above a dry node floods it. The method does not conserve
// water at the shore.
#include "models/tsunami/reference.h"

#include <math.h>

// |un| + c is held below this share of what would cross a cell in a step.
static const double fastest_share = 0.95;

struct node {
    double eta, h, un, ut, z;
    bool is_wet;
    // Flooded in this sweep: after it no deeper and no faster than this.
    bool is_new;
    double deepest, fastest;
};

struct reference_shore_line {
    struct node before, now; // before the sweep; with what it floods
};

enum status reference_plan_shore(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    if (s->setup.physics->method != TSUNAMI_VTCS2_SHORE)
        return STATUS_OK;
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, g->nx > g->ny ? g->nx : g->ny,
                           sizeof *s->shore_line, (void **)&s->shore_line, "%sreference shore line", prefix);
}

static struct node load(const struct reference_sweep *w, ptrdiff_t k)
{
    const struct solver *s = w->solver;
    const size_t at = reference_sweep_at(w, k);
    struct node node = {.z = s->z[at]};
    node.eta = reference_surface(s, at);
    node.h = reference_depth(s, at);
    node.is_wet = node.h > w->minimum;
    if (node.is_wet) {
        node.un = w->along_x ? s->u[at] : s->v[at];
        node.ut = w->along_x ? s->v[at] : s->u[at];
    }
    return node;
}

// Stores a state: η over sea, h on land. A node that is dry, or falls dry, keeps its film.
static void store(const struct reference_sweep *w, ptrdiff_t k, struct node node, double stored)
{
    struct solver *s = w->solver;
    const size_t at = reference_sweep_at(w, k);
    const double h = node.z < 0 ? stored - node.z : stored;
    s->w[at] = stored;
    s->u[at] = h > w->minimum ? (w->along_x ? node.un : node.ut) : 0;
    s->v[at] = h > w->minimum ? (w->along_x ? node.ut : node.un) : 0;
}

// Distance from node k to the next; on the sphere along a parallel less than at the equator.
static double distance(const struct reference_sweep *w, ptrdiff_t k)
{
    const struct tsunami_geometry *g = w->solver->setup.geometry;
    return w->along_x ? g->x_distance_m[k] * g->cos_latitude[w->number] : g->y_distance_m[k];
}

// ---- flooding ----

static bool floods(struct node neighbour, struct node node, double minimum)
{
    return neighbour.is_wet && neighbour.eta - node.z > minimum;
}

// A dry node, flooded from the higher of its neighbours, or from both alike if they are equally high.
static struct node flooded(struct node left, struct node node, struct node right, double minimum)
{
    bool from_left = floods(left, node, minimum), from_right = floods(right, node, minimum);
    if (node.is_wet || (!from_left && !from_right))
        return node;
    if (from_left && from_right && left.eta != right.eta) {
        from_left = left.eta > right.eta;
        from_right = !from_left;
    }
    struct node source = from_left ? left : right;
    if (from_left && from_right) {
        source.h = 0.5 * (left.h + right.h);
        source.un = 0.5 * (left.un + right.un);
        source.ut = 0.5 * (left.ut + right.ut);
    }
    node.is_wet = node.is_new = true;
    node.h = minimum;
    node.eta = node.z + minimum;
    node.un = source.un;
    node.ut = source.ut;
    node.deepest = fmax(minimum, 0.5 * source.h);
    node.fastest = fabs(source.un);
    return node;
}

// ---- one node ----

static double celerity(struct node node, double gravity)
{
    return sqrt(gravity * node.h);
}

// A(a, b); sign +1 for un + 2c, −1 for un − 2c.
static double difference(struct node a, struct node b, double sign, double gravity)
{
    const double u = 0.5 * (a.un + b.un), dc = celerity(b, gravity) - celerity(a, gravity);
    const double c = 0.5 * (celerity(a, gravity) + celerity(b, gravity));
    return (u + sign * c) * (b.un - a.un) + 2 * sign * u * dc + gravity * (b.eta - a.eta);
}

static struct node mirrored(struct node node)
{
    node.un = -node.un;
    return node;
}

// A node after the sweep: the change of its depth, and its velocities.
struct change {
    double dh, un, ut;
};

static struct change advance_inner(const struct reference_sweep *w, struct node left, struct node node,
                                   struct node right, double dm, double dp)
{
    const double dt = w->dt, gravity = w->gravity, c = celerity(node, gravity);
    const bool is_inner = left.is_wet && right.is_wet;
    const struct node l = left.is_wet ? left : mirrored(node), r = right.is_wet ? right : mirrored(node);
    double change[2], rate[2], slope[2]; // of un + 2c and un − 2c
    for (int k = 0; k < 2; k++) {
        const double sign = k == 0 ? 1 : -1, lambda = node.un + sign * c;
        const double a_minus = difference(l, node, sign, gravity) / dm;
        const double a_plus = difference(node, r, sign, gravity) / dp;
        rate[k] = -0.5 * (a_plus + a_minus);
        change[k] = dt * (rate[k] - lambda * dt / (dm + dp) * (a_minus - a_plus));
        slope[k] = (r.un - l.un + 2 * sign * (celerity(r, gravity) - celerity(l, gravity))) / (dm + dp);
    }
    struct change next = {.ut = node.ut};
    if (is_inner) {
        change[0] -= 0.5 * dt * dt * 0.25 * (3 * rate[0] + rate[1]) * slope[0];
        change[1] -= 0.5 * dt * dt * 0.25 * (rate[0] + 3 * rate[1]) * slope[1];
        const double bend = (r.ut - node.ut) / dp - (node.ut - l.ut) / dm;
        const double across = (r.ut - l.ut) / (dm + dp);
        next.ut -= node.un * dt * (across - bend * (node.un * dt + dp - dm) / (dm + dp));
        next.ut -= 0.5 * dt * dt * 0.5 * (rate[0] + rate[1]) * across;
    } else if (node.un > 0 && left.is_wet) {
        next.ut -= node.un * dt * (node.ut - left.ut) / dm;
    } else if (node.un < 0 && right.is_wet) {
        next.ut -= node.un * dt * (right.ut - node.ut) / dp;
    }
    next.un = node.un + 0.5 * (change[0] + change[1]);
    const double dc = fmax(-c, 0.25 * (change[0] - change[1]));
    next.dh = dc * (2 * c + dc) / gravity;
    return next;
}

// What lies beyond an open or given edge, un and ut along and across the line.
struct outside {
    bool is_water; // else a wall
    bool is_given; // else still water
    bool is_elevation_alone, has_ut;
    double eta, un, ut;
};

// `moment`: of the step, 0 to 1.
static struct outside outside_of(const struct reference_sweep *w, bool is_plus, double moment)
{
    const struct tsunami_setup *setup = &w->solver->setup;
    const enum tsunami_side side = reference_sweep_side(w, is_plus);
    const enum tsunami_edge kind = setup->geometry->edges[side];
    struct outside outside = {.is_water = kind == TSUNAMI_EDGE_OPEN || kind == TSUNAMI_EDGE_GIVEN};
    const struct tsunami_given_edge *edge = tsunami_edge_of(setup, side);
    if (!edge)
        return outside;
    const struct tsunami_edge_value given =
        tsunami_edge_value(edge, tsunami_edge_time(edge, w->step, moment), w->number);
    outside.is_given = given.is_given;
    outside.is_elevation_alone = given.is_given && !given.has_velocity;
    outside.has_ut = given.is_given && given.has_velocity;
    outside.eta = given.eta_m;
    outside.un = w->along_x ? given.u_m_s : given.v_m_s;
    outside.ut = w->along_x ? given.v_m_s : given.u_m_s;
    return outside;
}

// The node ON an open or given edge, the outside lying towards `outward` (+1 or −1): the invariant that goes
// out is advanced from within, the one that comes in is the outside's; both less those of rest, 2 c0. A
// surface alone that is given is held. `rate` = Δt over the distance of `inner`.
static struct change advance_edge(const struct reference_sweep *w, struct node inner, struct node node,
                                  struct outside outside, double outward, double rate)
{
    const double gravity = w->gravity, c0 = sqrt(-gravity * node.z);
    inner = inner.is_wet ? inner : mirrored(node);
    inner.un *= outward;
    node.un *= outward;
    const double e = gravity * node.eta / (celerity(node, gravity) + c0); // c − c0
    double going = node.un + 2 * e;
    if (node.un + celerity(node, gravity) > 0) // else the flow comes in faster than a wave runs against it
        going -= rate * difference(inner, node, 1, gravity);
    const double eta = fmax(node.z, outside.eta); // a surface below the bottom is no water
    const double outside_e = gravity * eta / (sqrt(gravity * (eta - node.z)) + c0);
    const double coming = outward * outside.un - 2 * outside_e;
    double new_e = 0.25 * (going - coming), un = 0.5 * (going + coming);
    if (outside.is_elevation_alone) {
        new_e = outside_e;
        un = going - 2 * outside_e;
    }
    new_e = fmax(new_e, -c0);
    struct change next = {.un = outward * un, .ut = node.ut};
    next.dh = new_e * (2 * c0 + new_e) / gravity - node.eta;
    next.ut -= fmax(0, node.un) * rate * (node.ut - inner.ut);
    if (outside.has_ut && un < 0)
        next.ut = outside.ut;
    return next;
}

// ---- a line of the grid ----

// Node k of the line, with what floods it (`now`) or before; beyond a periodic edge the other end's, beyond
// any other a dry one.
static struct node at(const struct reference_sweep *w, ptrdiff_t k, bool now)
{
    const struct reference_shore_line *line = w->solver->shore_line;
    if (k < 0 || k >= w->count) {
        if (w->solver->setup.geometry->edges[reference_sweep_side(w, k >= w->count)] != TSUNAMI_EDGE_PERIODIC)
            return (struct node){0};
        k = (k + w->count) % w->count;
    }
    return now ? line[k].now : line[k].before;
}

static struct change advance(const struct reference_sweep *w, ptrdiff_t k)
{
    const struct node node = at(w, k, true), left = at(w, k - 1, true), right = at(w, k + 1, true);
    const double dm = distance(w, k - 1), dp = distance(w, k);
    const bool is_first = k == 0, is_last = k == w->count - 1;
    if ((is_first || is_last) && !node.is_new && node.z < 0) {
        const struct outside outside =
            outside_of(w, is_last, tsunami_edge_sweep_moment(TSUNAMI_VTCS2_SHORE, w->along_x, w->step));
        if (outside.is_water)
            return advance_edge(w, is_last ? left : right, node, outside, is_last ? 1 : -1,
                                w->dt / (is_last ? dm : dp));
    }
    return advance_inner(w, left, node, right, dm, dp);
}

// The wet node after a change: no water below the ground, and no faster than a step allows.
static void settle(const struct reference_sweep *w, ptrdiff_t k, struct node node, struct change change)
{
    const double ground = fmin(node.z, 0); // what is stored where there is no water
    double stored = fmax(ground, (node.z < 0 ? node.eta : node.h) + change.dh);
    node.un = change.un;
    node.ut = change.ut;
    if (node.is_new) {
        stored = fmin(stored, ground + node.deepest);
        node.un = fmax(-node.fastest, fmin(node.fastest, node.un));
    }
    const double h = node.z < 0 ? stored - node.z : stored;
    const double width = 0.5 * (distance(w, k - 1) + distance(w, k));
    const double most = fmax(0, fastest_share * width / w->dt - sqrt(w->gravity * h));
    node.un = fmax(-most, fmin(most, node.un));
    store(w, k, node, stored);
}

static void update(const struct reference_sweep *w, ptrdiff_t k)
{
    const struct node node = at(w, k, true);
    if (node.is_wet)
        settle(w, k, node, advance(w, k));
    else
        store(w, k, node, w->solver->w[reference_sweep_at(w, k)]);
}

void reference_sweep_shore(struct solver *s, bool along_x, int64_t step)
{
    struct reference_sweep w = reference_sweep_of(s, along_x, step);
    for (w.number = 0; w.number < w.lines; w.number++) {
        for (ptrdiff_t k = 0; k < w.count; k++)
            s->shore_line[k].before = load(&w, k);
        for (ptrdiff_t k = 0; k < w.count; k++)
            s->shore_line[k].now =
                flooded(at(&w, k - 1, false), at(&w, k, false), at(&w, k + 1, false), w.minimum);
        for (ptrdiff_t k = 0; k < w.count; k++)
            update(&w, k);
    }
}

// Boundary data hold for the end of the step, and neither the sweep along the edge nor the sources may change
// them. So the edge's rule is applied once more at last, for a step of no length.
void reference_give_shore(struct solver *s, bool along_x, int64_t step)
{
    struct reference_sweep w = reference_sweep_of(s, along_x, step);
    for (int is_plus = 0; is_plus < 2; is_plus++)
        for (w.number = 0; w.number < w.lines; w.number++) {
            const ptrdiff_t k = is_plus ? w.count - 1 : 0;
            const struct outside outside = outside_of(&w, is_plus, tsunami_edge_moment(TSUNAMI_VTCS2_SHORE));
            const struct node node = load(&w, k);
            if (outside.is_given && node.is_wet && node.z < 0)
                settle(&w, k, node, advance_edge(&w, node, node, outside, is_plus ? 1 : -1, 0));
        }
}

// The sphere's metric, which the sweeps leave out: h_t = h v tan φ/R.
void reference_metric_shore(struct solver *s, size_t k, ptrdiff_t row)
{
    const double h = reference_depth(s, k);
    if (h > s->setup.physics->minimum_depth_m)
        s->w[k] += h * expm1(s->v[k] * s->setup.step_s * s->setup.geometry->tan_over_radius[row]);
}
