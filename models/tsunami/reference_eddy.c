// Horizontal stress of the serial reference's `muscl-hancock` (physics.eddy_viscosity), applied after the
// sweeps and sources of a step: double, plain, written from the equations of docs/runup.md. THE
// SPECIFICATION; it shares no arithmetic with the fast versions (not eddy_point.inc). Slow on purpose.
//
// With the depth h and the strain of the depth-averaged velocity,
//   e_xx = u_x − v tan φ/R,   e_yy = v_y,   e_xy = v_x + cos φ (u/cos φ)_y   (twice the shear)
//   τ_xx = 2 h ν e_xx,   τ_yy = 2 h ν e_yy,   τ_xy = h ν e_xy
//   h u_t = (τ_xx)_x + (cos² φ τ_xy)_y / cos² φ
//   h v_t = (τ_xy)_x + (cos φ τ_yy)_y / cos φ + τ_xx tan φ/R
// so that momentum moves from cell to cell (on the sphere the angular momentum about its axis), a solid
// rotation has no stress, and energy is lost alone. ν is the job's, or Smagorinsky's (1963):
// (C Δ)² √(2 e_xx² + 2 e_yy² + e_xy²), Δ² the cell's area.
//
// τ_xy and ν lie at the corners of cells, τ_xx and τ_yy at their faces. Depths there are harmonic means: with
// them no film beside deep water needs a shorter step. Through a face to a dry cell and through the domain's
// edges there is no stress.
#include "models/tsunami/reference.h"

#include <math.h>

enum status reference_plan_eddies(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct reference_array arrays[] = {{&s->eddy[0], "eddy u"},
                                             {&s->eddy[1], "eddy v"},
                                             {&s->corner[0], "eddy viscosity"},
                                             {&s->corner[1], "eddy stress"}};
    return reference_plan_arrays(s, plan, prefix, arrays, sizeof arrays / sizeof *arrays);
}

// ---- cells ----

struct cell {
    bool is_wet;
    double h, u, v;
};

// Beyond an edge that is not periodic a cell is dry.
static struct cell cell_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
        i = (i + nx) % nx;
    if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
        j = (j + ny) % ny;
    if (i < 0 || j < 0 || i >= nx || j >= ny)
        return (struct cell){0};
    const size_t k = reference_at(s, i, j);
    const double h = reference_depth(s, k);
    return (struct cell){h > s->setup.physics->minimum_depth_m, h, s->u[k], s->v[k]};
}

// The number of the row or column that stands for one beyond an edge.
static ptrdiff_t within(ptrdiff_t place, size_t count, enum tsunami_edge edge)
{
    const ptrdiff_t n = (ptrdiff_t)count;
    if (edge == TSUNAMI_EDGE_PERIODIC)
        return (place + n) % n;
    return place < 0 ? 0 : place >= n ? n - 1 : place;
}

static ptrdiff_t row_within(const struct tsunami_geometry *g, ptrdiff_t j)
{
    return within(j, g->ny, g->edges[TSUNAMI_SOUTH]);
}

// Of a column at the equator; of a row.
static double width_m(const struct tsunami_geometry *g, ptrdiff_t i)
{
    i = within(i, g->nx, g->edges[TSUNAMI_WEST]);
    return 0.5 * (g->x_distance_m[i - 1] + g->x_distance_m[i]);
}

static double height_m(const struct tsunami_geometry *g, ptrdiff_t j)
{
    j = row_within(g, j);
    return 0.5 * (g->y_distance_m[j - 1] + g->y_distance_m[j]);
}

// Between the middles of a cell and the next one.
static double across_x_m(const struct tsunami_geometry *g, ptrdiff_t i)
{
    return 0.5 * (width_m(g, i) + width_m(g, i + 1));
}

static double across_y_m(const struct tsunami_geometry *g, ptrdiff_t j)
{
    return 0.5 * (height_m(g, j) + height_m(g, j + 1));
}

static double cosine_between(const struct tsunami_geometry *g, ptrdiff_t j)
{
    return 0.5 * (g->cos_latitude[row_within(g, j)] + g->cos_latitude[row_within(g, j + 1)]);
}

// ---- corners ----

// The mean rise over the pairs of wet cells; 0 without such a pair.
static double mean_rise(bool has_first, double first, bool has_second, double second)
{
    const double sum = (has_first ? first : 0) + (has_second ? second : 0);
    return has_first && has_second ? 0.5 * sum : sum;
}

// ν (m²/s) and τ_xy (m³/s²) at the north-eastern corner of cell (i, j), both from −1 on.
static void find_corner(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct cell sw = cell_at(s, i, j), se = cell_at(s, i + 1, j);
    const struct cell nw = cell_at(s, i, j + 1), ne = cell_at(s, i + 1, j + 1);
    const bool south = sw.is_wet && se.is_wet, north = nw.is_wet && ne.is_wet;
    const bool west = sw.is_wet && nw.is_wet, east = se.is_wet && ne.is_wet;
    const double cosine = cosine_between(g, j), cosine_south = g->cos_latitude[row_within(g, j)],
                 cosine_north = g->cos_latitude[row_within(g, j + 1)];
    const double tangent = 0.5 * (g->tan_over_radius[j] + g->tan_over_radius[j + 1]);
    const double dx = across_x_m(g, i) * cosine, dy = across_y_m(g, j);
    const double u_x = mean_rise(south, se.u - sw.u, north, ne.u - nw.u) / dx;
    const double v_x = mean_rise(south, se.v - sw.v, north, ne.v - nw.v) / dx;
    const double v_y = mean_rise(west, nw.v - sw.v, east, ne.v - se.v) / dy;
    const double u_y = cosine *
                       mean_rise(west, nw.u / cosine_north - sw.u / cosine_south, east,
                                 ne.u / cosine_north - se.u / cosine_south) /
                       dy;
    const double e_xx = u_x - tangent * 0.25 * (sw.v + se.v + nw.v + ne.v), e_yy = v_y, e_xy = v_x + u_y;
    const double C = s->setup.physics->smagorinsky;
    const double area = dx * dy, shorter = fmin(dx, dy);
    const double of_strain = C * C * area * sqrt(2 * e_xx * e_xx + 2 * e_yy * e_yy + e_xy * e_xy);
    // What a step can follow; a job's own is below it.
    const double most = shorter * shorter / (TSUNAMI_EDDY_STEPS * s->setup.step_s);
    const double viscosity = fmin(s->setup.physics->eddy_viscosity_m2_s + of_strain, most);
    const size_t k = reference_at(s, i, j);
    s->corner[0][k] = viscosity;
    s->corner[1][k] = south && north ? 4 / (1 / sw.h + 1 / se.h + 1 / nw.h + 1 / ne.h) * viscosity * e_xy : 0;
}

static double viscosity_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return s->corner[0][reference_at(s, i, j)];
}

static double stress_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return s->corner[1][reference_at(s, i, j)];
}

// ---- faces ----

// 2 h ν e at a face with ν of the corners at its ends.
static double normal_stress(struct cell a, struct cell b, double viscosity, double other_viscosity,
                            double strain_per_s)
{
    if (!a.is_wet || !b.is_wet)
        return 0;
    return 2 * (2 * a.h * b.h / (a.h + b.h)) * 0.5 * (viscosity + other_viscosity) * strain_per_s;
}

// τ_xx between cell (i, j) and the next one to the east.
static double stress_east(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct cell a = cell_at(s, i, j), b = cell_at(s, i + 1, j);
    const double e_xx =
        (b.u - a.u) / (across_x_m(g, i) * g->cos_latitude[j]) - g->tan_over_radius[j] * 0.5 * (a.v + b.v);
    return normal_stress(a, b, viscosity_at(s, i, j), viscosity_at(s, i, j - 1), e_xx);
}

// τ_yy between cell (i, j) and the next one to the north.
static double stress_north(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct cell a = cell_at(s, i, j), b = cell_at(s, i, j + 1);
    return normal_stress(a, b, viscosity_at(s, i, j), viscosity_at(s, i - 1, j),
                         (b.v - a.v) / across_y_m(s->setup.geometry, j));
}

// ---- a step ----

// What the stresses add to the velocities of a wet cell.
static void find_change(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const size_t k = reference_at(s, i, j);
    const struct cell cell = cell_at(s, i, j);
    s->eddy[0][k] = s->eddy[1][k] = 0;
    if (!cell.is_wet)
        return;
    const double cosine = g->cos_latitude[j], width = width_m(g, i) * cosine, height = height_m(g, j);
    const double north = cosine_between(g, j) / cosine, south = cosine_between(g, j - 1) / cosine;
    const double ne = stress_at(s, i, j), nw = stress_at(s, i - 1, j);
    const double se = stress_at(s, i, j - 1), sw = stress_at(s, i - 1, j - 1);
    const double dx_east = across_x_m(g, i) * cosine, dx_west = across_x_m(g, i - 1) * cosine;
    const double dy_north = across_y_m(g, j), dy_south = across_y_m(g, j - 1);
    const double xx_east = stress_east(s, i, j), xx_west = stress_east(s, i - 1, j);
    const double yy_north = stress_north(s, i, j), yy_south = stress_north(s, i, j - 1);
    const double over_area = 1 / (width * height);
    const double xy_north = 0.5 * (dx_east * ne + dx_west * nw), // times the length of the face
        xy_south = 0.5 * (dx_east * se + dx_west * sw);
    const double xy_east = 0.5 * (dy_north * ne + dy_south * se),
                 xy_west = 0.5 * (dy_north * nw + dy_south * sw);
    const double metric = g->tan_over_radius[j] * 0.5 * (dx_east * xx_east + dx_west * xx_west) / width;
    const double hu_t =
        (xx_east - xx_west) / width + (north * north * xy_north - south * south * xy_south) * over_area;
    const double hv_t =
        (xy_east - xy_west) * over_area + (north * yy_north - south * yy_south) / height + metric;
    s->eddy[0][k] = s->setup.step_s * hu_t / cell.h;
    s->eddy[1][k] = s->setup.step_s * hv_t / cell.h;
}

void reference_stir(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (ptrdiff_t j = -1; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = -1; i < (ptrdiff_t)g->nx; i++)
            find_corner(s, i, j);
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++)
            find_change(s, i, j);
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const size_t k = reference_at(s, i, j);
            s->u[k] += s->eddy[0][k];
            s->v[k] += s->eddy[1][k];
        }
}
