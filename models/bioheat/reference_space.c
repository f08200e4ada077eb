// The operator in space of the heat model's reference: fluxes through the faces of a cell, perfusion, blood's
// flow, and the fields of the source. From the equations of docs/bioheat.md, one cell at a time; shares no
// arithmetic with the fast versions.
#include "models/bioheat/reference.h"

#include <math.h>

// The four cells about a face along an axis, −1, 0 | 1, 2: the face lies between 0 and 1. Beyond an insulated
// boundary lies the mirror image, beyond a periodic one the opposite end; beyond others no cell.
enum { FACE_CELLS = 4 };
struct face_cells {
    const size_t *at; // one of them: the others differ along the axis
    enum bioheat_axis axis;
    bool is_in_domain[FACE_CELLS];
    size_t index[FACE_CELLS]; // along the axis; that of `at` where no cell is
    size_t cell[FACE_CELLS];  // in the arrays
};

// Heat through a face, W/m² along the axis: F = −Σ conductance · difference of neighbours (0 − −1, 1 − 0, 2 −
// 1), in W/m²/K.
struct face_law {
    double conductance[FACE_CELLS - 1];
};

static bool map_index(const struct bioheat_grid *grid, enum bioheat_axis axis, ptrdiff_t index,
                      size_t *mapped)
{
    const ptrdiff_t n = (ptrdiff_t)grid->cells[axis];
    const bool is_beyond = index < 0 || index >= n, is_there = grid->is_ring && axis == BIOHEAT_Z;
    if (is_beyond && !is_there) {
        const enum bioheat_face_kind kind = grid->faces[axis][index >= n].kind;
        if (kind == BIOHEAT_PERIODIC)
            index = (index % n + n) % n;
        else if (kind == BIOHEAT_INSULATED)
            index = index < 0 ? -1 - index : 2 * n - 1 - index;
        else
            return false;
    }
    *mapped = (size_t)index;
    return true;
}

static void find_cells_about(const struct bioheat_grid *grid, enum bioheat_axis axis,
                             const size_t at[BIOHEAT_AXES], ptrdiff_t face, struct face_cells *cells)
{
    const size_t stride = axis == BIOHEAT_X   ? 1
                          : axis == BIOHEAT_Y ? grid->cells[BIOHEAT_X]
                                              : grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    const size_t first = reference_cell(grid, at) - at[axis] * stride; // the one of index 0
    cells->at = at;
    cells->axis = axis;
    for (int k = 0; k < FACE_CELLS; k++) {
        cells->index[k] = at[axis];
        cells->is_in_domain[k] = map_index(grid, axis, face - 2 + k, &cells->index[k]);
        cells->cell[k] = first + cells->index[k] * stride;
    }
}

// The index of cell n of them along another axis, or theirs.
static size_t index_along(const struct face_cells *cells, enum bioheat_axis axis, int n)
{
    return axis == cells->axis ? cells->index[n] : cells->at[axis];
}

static double theta_of(const struct reference_view *view, const struct face_cells *cells, int n)
{
    if (view->array)
        return *reference_place(view->array, cells->cell[n]);
    return reference_theta(view, index_along(cells, BIOHEAT_Z, n), index_along(cells, BIOHEAT_Y, n),
                           index_along(cells, BIOHEAT_X, n));
}

static double harmonic_mean(double a, double b)
{
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

// k (−1, 15, −15, 1)/12 between equal media: the fourth-order flux.
static struct face_law uniform_law(double k, double spacing_m)
{
    return (struct face_law){{-k / (12 * spacing_m), 14 * k / (12 * spacing_m), -k / (12 * spacing_m)}};
}

static struct face_law two_point_law(double k0, double k1, double spacing_m)
{
    return (struct face_law){{0, harmonic_mean(k0, k1) / spacing_m, 0}};
}

// Between two labels, a parabola on either side that has two cells of its label there (else a line): its
// slope at the face, times Δ, is α (T_f − T₀) + β (T₀ − T₋₁) with α = 8/3, β = −1/3 (line: 2, 0), T_f the
// face's temperature. T_f follows from k₀ · slope₀ = k₁ · slope₁; with it the flux is
//   F = −K/Δ [(T₁ − T₀) − ⅛ (T₀ − T₋₁) − ⅛ (T₂ − T₁)],  1/K = 1/(α₀ k₀) + 1/(α₁ k₁),
// without the eighths of a line's side.
static struct face_law quadratic_law(double k0, double k1, bool low_has_two, bool high_has_two,
                                     double spacing_m)
{
    const double a0 = (low_has_two ? 8.0 / 3 : 2) * k0, a1 = (high_has_two ? 8.0 / 3 : 2) * k1;
    const double K = a0 > 0 && a1 > 0 ? a0 * a1 / (a0 + a1) / spacing_m : 0;
    return (struct face_law){{low_has_two ? -K / 8 : 0, K, high_has_two ? -K / 8 : 0}};
}

// Fourth order where k varies smoothly: the flux whose difference over h is ∂(k∂T) at the cell's middle to
// h⁴, that is k∂T at the face less h²/24 (k∂T)'', products of differences taken term by term.
//   F = −(1/h) { (−k₋₁ + 9k₀ + 9k₁ − k₂)/16 · (T₋₁ − 27T₀ + 27T₁ − T₂)/24
//                − (1/24) [ ½(k₀ + k₁)(−T₋₁ + 3T₀ − 3T₁ + T₂) + (k₁ − k₀)(T₋₁ − T₀ − T₁ + T₂)
//                           + ½(k₋₁ − k₀ − k₁ + k₂)(T₁ − T₀) ] }
// With a, b, c the three differences of T: T₋₁ − 27T₀ + 27T₁ − T₂ = 26b − a − c, the first bracket a − 2b +
// c, the second c − a.
static struct face_law smooth_law(const double k[FACE_CELLS], double spacing_m)
{
    const double middle = (-k[0] + 9 * k[1] + 9 * k[2] - k[3]) / 16;
    const double mean = (k[1] + k[2]) / 2, slope = k[2] - k[1], bend = (k[0] - k[1] - k[2] + k[3]) / 2;
    struct face_law law;
    law.conductance[0] = (-middle - mean + slope) / (24 * spacing_m);
    law.conductance[1] = (26 * middle + 2 * mean - bend) / (24 * spacing_m);
    law.conductance[2] = (-middle - mean - slope) / (24 * spacing_m);
    return law;
}

static bool is_one_label(const struct solver *s, const struct face_cells *cells, int a, int b)
{
    return cells->is_in_domain[a] && cells->is_in_domain[b] &&
           reference_is_one_medium(s, cells->cell[a], cells->cell[b]);
}

static double conductivity_of(const struct solver *s, const struct face_cells *cells, int n)
{
    return reference_medium(s, cells->cell[n]).conductivity_w_m_k;
}

static struct face_law label_law(const struct solver *s, const struct face_cells *cells)
{
    const double h = s->setup.grid->spacing_m[cells->axis];
    const double k0 = conductivity_of(s, cells, 1), k1 = conductivity_of(s, cells, 2);
    const bool is_one = is_one_label(s, cells, 1, 2), low_has_two = is_one_label(s, cells, 0, 1),
               high_has_two = is_one_label(s, cells, 2, 3);
    if (is_one && low_has_two && high_has_two)
        return uniform_law(k0, h);
    if (!is_one && s->setup.media->interfaces == BIOHEAT_QUADRATIC)
        return quadratic_law(k0, k1, low_has_two, high_has_two, h);
    return two_point_law(k0, k1, h);
}

static struct face_law field_law(const struct solver *s, const struct face_cells *cells)
{
    const double h = s->setup.grid->spacing_m[cells->axis];
    bool is_whole = true, has_void = false;
    double k[FACE_CELLS] = {0}, least = INFINITY, most = 0;
    for (int n = 0; n < FACE_CELLS; n++) {
        if (!cells->is_in_domain[n]) {
            is_whole = false;
            continue;
        }
        const struct bioheat_medium medium = reference_medium(s, cells->cell[n]);
        k[n] = medium.conductivity_w_m_k;
        has_void = has_void || medium.role == BIOHEAT_VOID;
        least = fmin(least, k[n]);
        most = fmax(most, k[n]);
    }
    if (!is_whole || has_void || !(most <= s->setup.media->contrast_limit * least))
        return two_point_law(k[1], k[2], h);
    return smooth_law(k, h);
}

// Of a face that has a cell on both sides.
static struct face_law law_of(const struct solver *s, const struct face_cells *cells)
{
    return s->setup.media->has_labels ? label_law(s, cells) : field_law(s, cells);
}

// What comes in through a face (W/m²; of face `face`, between cells face − 1 and face), and minus its
// derivative by θ of the cell at `at`.
struct inflow {
    double w_m2, diagonal_w_m2_k;
};

static struct inflow inner_inflow(const struct reference_view *view, const struct face_cells *cells,
                                  double inward)
{
    const struct face_law law = law_of(view->solver, cells);
    const size_t own = cells->at[cells->axis];
    double theta[FACE_CELLS] = {0}, flux = 0, derivative = 0;
    for (int k = 0; k < FACE_CELLS; k++)
        theta[k] = cells->is_in_domain[k] ? theta_of(view, cells, k) : 0;
    for (int k = 0; k + 1 < FACE_CELLS; k++) {
        const double g = law.conductance[k];
        if (g == 0)
            continue;
        flux -= g * (theta[k + 1] - theta[k]);
        derivative -= cells->index[k + 1] == own ? g : 0;
        derivative += cells->index[k] == own ? g : 0;
    }
    return (struct inflow){inward * flux, -inward * derivative};
}

// Through the wall: in series the passage to the outside and half a cell.
static struct inflow wall_inflow(const struct reference_view *view, enum bioheat_axis axis,
                                 const size_t at[BIOHEAT_AXES], const struct bioheat_face *face)
{
    const struct solver *s = view->solver;
    const double k = reference_medium(s, reference_cell(s->setup.grid, at)).conductivity_w_m_k;
    if (face->kind != BIOHEAT_CONVECTIVE || k == 0)
        return (struct inflow){0, 0};
    const double u = 1 / (1 / face->transfer_w_m2_k + s->setup.grid->spacing_m[axis] / (2 * k));
    return (struct inflow){u * (face->outside_theta_k - reference_theta(view, at[0], at[1], at[2])), u};
}

static struct inflow inflow_through(const struct reference_view *view, enum bioheat_axis axis,
                                    const size_t at[BIOHEAT_AXES], bool is_high)
{
    const struct bioheat_grid *grid = view->solver->setup.grid;
    const struct bioheat_face *side = &grid->faces[axis][is_high];
    const size_t outermost = is_high ? grid->cells[axis] - 1 : 0;
    if (at[axis] == outermost && side->kind != BIOHEAT_PERIODIC)
        return wall_inflow(view, axis, at, side);
    struct face_cells cells;
    find_cells_about(grid, axis, at, (ptrdiff_t)at[axis] + is_high, &cells);
    return inner_inflow(view, &cells, is_high ? -1 : 1);
}

// −ρ_b c_b v ∂θ along an axis, W/m³: the difference towards where the blood comes from, if there is a cell
// that heat passes.
static struct inflow carried(const struct reference_view *view, enum bioheat_axis axis,
                             const size_t at[BIOHEAT_AXES])
{
    const struct solver *s = view->solver;
    const struct bioheat_grid *grid = s->setup.grid;
    const double v = reference_velocity_m_s(s, axis, reference_cell(grid, at));
    if (v == 0)
        return (struct inflow){0, 0};
    size_t from[BIOHEAT_AXES] = {at[0], at[1], at[2]};
    if (!map_index(grid, axis, (ptrdiff_t)at[axis] + (v > 0 ? -1 : 1), &from[axis]) ||
        from[axis] == at[axis] || reference_medium(s, reference_cell(grid, from)).role == BIOHEAT_VOID)
        return (struct inflow){0, 0};
    const double rate = s->setup.media->blood_heat_capacity_j_m3_k * fabs(v) / grid->spacing_m[axis];
    return (struct inflow){rate * (reference_theta(view, from[0], from[1], from[2]) -
                                   reference_theta(view, at[0], at[1], at[2])),
                           rate};
}

// A layer that does nothing in this step is not looked at: it may be on its way in.
static double layers_w_m3(const struct solver *s, size_t cell, const double *amplitudes)
{
    double q = 0;
    for (int layer = 0; layer < s->setup.source->layer_count; layer++)
        if (amplitudes[layer] != 0)
            q += amplitudes[layer] * reference_layer_w_m3(s, layer, cell);
    return q;
}

struct reference_rate reference_rate(const struct reference_view *view, const size_t at[BIOHEAT_AXES],
                                     const double *amplitudes)
{
    const struct solver *s = view->solver;
    const struct bioheat_grid *grid = s->setup.grid;
    const size_t cell = reference_cell(grid, at);
    const struct bioheat_medium medium = reference_medium(s, cell);
    const double above_arterial =
        reference_theta(view, at[0], at[1], at[2]) - s->setup.media->arterial_theta_k;
    double heat_w_m3 = 0, diagonal_w_m3_k = medium.perfusion_w_m3_k;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        if (grid->cells[axis] == 1)
            continue;
        const struct inflow low = inflow_through(view, axis, at, false);
        const struct inflow high = inflow_through(view, axis, at, true);
        const struct inflow blood = carried(view, axis, at);
        heat_w_m3 += (low.w_m2 + high.w_m2) / grid->spacing_m[axis] + blood.w_m2;
        diagonal_w_m3_k +=
            (low.diagonal_w_m2_k + high.diagonal_w_m2_k) / grid->spacing_m[axis] + blood.diagonal_w_m2_k;
    }
    if (medium.perfusion_w_m3_k != 0)
        heat_w_m3 -= medium.perfusion_w_m3_k * above_arterial;
    heat_w_m3 += layers_w_m3(s, cell, amplitudes);
    return (struct reference_rate){heat_w_m3 / medium.heat_capacity_j_m3_k,
                                   diagonal_w_m3_k / medium.heat_capacity_j_m3_k};
}
