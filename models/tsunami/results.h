// The results of one node, from its state in SI units: map values, the terms of the diagnostics, and whether
// the state is valid. The arithmetic is in double in every precision, with the same code for host and device,
// so that both give the same bits (contraction is off on both). Independent of arrays, back ends and files.
#ifndef FATHOM_MODELS_TSUNAMI_RESULTS_H
#define FATHOM_MODELS_TSUNAMI_RESULTS_H

#include "core/host_device.h"
#include "models/tsunami/state.h"

#include <math.h>
#include <stdbool.h>

// Sea water, kg m⁻³: for the energies, which are reported only.
#define TSUNAMI_WATER_KG_M3 1025.0

// η NaN: land. Where the shore moves a dry node has the height of its bottom as η.
struct tsunami_node {
    double eta_m, u_m_s, v_m_s;
    double depth_m;     // still water, positive down, as the bottom lies now; negative: ground above the sea
    double wet_depth_m; // water of at most this depth counts as dry; −INFINITY where the shore is fixed
};

// wet_depth_m of a level's nodes.
static inline double tsunami_wet_depth_m(const struct tsunami_physics *physics,
                                         const struct tsunami_records *records)
{
    return tsunami_method_floods(physics->method) ? records->wet_depth_m : (double)-INFINITY;
}

// False for a NaN.
static FATHOM_HOST_DEVICE bool tsunami_node_is_dry(struct tsunami_node n)
{
    return n.depth_m + n.eta_m <= n.wet_depth_m;
}

// Value of a map or at a gauge; NaN on land and where it is dry.
static FATHOM_HOST_DEVICE double tsunami_field_value(enum tsunami_field field, struct tsunami_node n)
{
    if (isnan(n.eta_m) || tsunami_node_is_dry(n))
        return NAN;
    switch (field) {
    case TSUNAMI_ETA:
        return n.eta_m;
    case TSUNAMI_U:
        return n.u_m_s;
    case TSUNAMI_V:
        return n.v_m_s;
    // Not hypot: a square root is the correctly rounded one everywhere, hypot is not.
    case TSUNAMI_SPEED:
        return sqrt(n.u_m_s * n.u_m_s + n.v_m_s * n.v_m_s);
    case TSUNAMI_FLUX:
        return sqrt(n.u_m_s * n.u_m_s + n.v_m_s * n.v_m_s) * (n.depth_m + n.eta_m);
    case TSUNAMI_FIELD_COUNT:
        break;
    }
    return NAN;
}

// The state at a gauge (struct tsunami_gauge_place): the mean of the corners that are not dry, by their
// weights. Dry where the nearest one is, as a gauge on the bottom would be. Corners of weight 0 are not read.
static FATHOM_HOST_DEVICE struct tsunami_node tsunami_gauge_node(const struct tsunami_node *corners,
                                                                 const double *weights, int nearest)
{
    const struct tsunami_node here = corners[nearest];
    if (tsunami_node_is_dry(here) || weights[nearest] == 1)
        return here;
    struct tsunami_node mean = {0, 0, 0, 0, -(double)INFINITY};
    double sum = 0;
    for (int c = 0; c < TSUNAMI_CORNERS; c++) {
        if (weights[c] == 0 || tsunami_node_is_dry(corners[c]))
            continue;
        sum += weights[c];
        mean.eta_m += weights[c] * corners[c].eta_m;
        mean.u_m_s += weights[c] * corners[c].u_m_s;
        mean.v_m_s += weights[c] * corners[c].v_m_s;
        mean.depth_m += weights[c] * corners[c].depth_m;
    }
    mean.eta_m /= sum;
    mean.u_m_s /= sum;
    mean.v_m_s /= sum;
    mean.depth_m /= sum;
    return mean;
}

// The cell around a node: its area, and along each axis the distance to the nearer neighbour.
struct tsunami_cell {
    double area_m2, dx_m, dy_m;
};

// A node's terms of the sums and extremes. Not for permanent land.
struct tsunami_terms {
    double volume_m3, kinetic_j, potential_j;
    double abs_eta_m, speed_m_s;
    double courant; // (|velocity| + celerity) Δt / spacing, the larger of both directions
};

static FATHOM_HOST_DEVICE struct tsunami_terms tsunami_node_terms(struct tsunami_node n,
                                                                  struct tsunami_cell cell,
                                                                  double gravity_m_s2, double step_s)
{
    // Ground above sea level, as a depth: at rest it is dry, and its top is at −ground.
    const double ground_m = fmin(0.0, n.depth_m);
    const double speed2 = n.u_m_s * n.u_m_s + n.v_m_s * n.v_m_s;
    const double celerity = sqrt(gravity_m_s2 * fmax(0.0, n.depth_m + n.eta_m));
    const bool is_dry = tsunami_node_is_dry(n);
    struct tsunami_terms terms;
    terms.volume_m3 = (n.eta_m + ground_m) * cell.area_m2;
    terms.kinetic_j = 0.5 * TSUNAMI_WATER_KG_M3 * (n.depth_m + n.eta_m) * speed2 * cell.area_m2;
    // ½ρg(η² − ground²): the work that raises the water from sea level.
    terms.potential_j =
        0.5 * TSUNAMI_WATER_KG_M3 * gravity_m_s2 * (n.eta_m + ground_m) * (n.eta_m - ground_m) * cell.area_m2;
    terms.abs_eta_m = is_dry ? 0.0 : fabs(n.eta_m);
    terms.speed_m_s = is_dry ? 0.0 : sqrt(speed2);
    terms.courant = is_dry ? 0.0
                           : step_s * fmax((fabs(n.u_m_s) + celerity) / cell.dx_m,
                                           (fabs(n.v_m_s) + celerity) / cell.dy_m);
    return terms;
}

// Where the shore moves, a sweep limits speeds to a Courant number of 0.95. A node at this limit (but for
// rounding) no longer solves the equations.
#define TSUNAMI_HELD_COURANT 0.949

// Whether the next step can use a node's state. False for a NaN; the square root gives one where a fixed
// shore falls dry. The limit is 1 + 1e-3, because a step at the limit may be rounded. A dry node only needs
// finite velocities.
static FATHOM_HOST_DEVICE bool tsunami_node_is_valid(struct tsunami_node n, double dx_m, double dy_m,
                                                     double gravity_m_s2, double step_s)
{
    if (tsunami_node_is_dry(n))
        return fabs(n.u_m_s) < (double)INFINITY && fabs(n.v_m_s) < (double)INFINITY;
    const double celerity = sqrt(gravity_m_s2 * (n.depth_m + n.eta_m));
    const double most = n.wet_depth_m > -(double)INFINITY ? TSUNAMI_HELD_COURANT : 1.001;
    return step_s * (fabs(n.u_m_s) + celerity) <= most * dx_m &&
           step_s * (fabs(n.v_m_s) + celerity) <= most * dy_m;
}

// The same for the staggered grid of "c-grid-6", which is stable for c Δt √(1/dx² + 1/dy²) ≤ 0.974
// (docs/c-grid.md); the flow's speed counts with the wave's.
#define TSUNAMI_STAGGERED_COURANT 0.974

static FATHOM_HOST_DEVICE bool tsunami_staggered_is_valid(struct tsunami_node n, double dx_m, double dy_m,
                                                          double gravity_m_s2, double step_s)
{
    const double celerity = sqrt(gravity_m_s2 * (n.depth_m + n.eta_m));
    const double along_x = step_s * (fabs(n.u_m_s) + celerity) / dx_m,
                 along_y = step_s * (fabs(n.v_m_s) + celerity) / dy_m;
    const double most = 1.001 * TSUNAMI_STAGGERED_COURANT;
    return along_x * along_x + along_y * along_y <= most * most;
}

#endif
