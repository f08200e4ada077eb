// Heat that faces of the domain carry off: see drained.h.
//
// The rise u in the domain, and 0 beyond a face, obeys Pennes' equation in a larger domain with a sink on the
// face, the flux J ≥ 0 (W/m²) that the face carries off. In the larger domain without it the rise is u + w,
// and w, 0 at first, obeys the equation with J as its only source. An upper bound of w: let D be at least
// the diffusivity k/ρc, r at most the rate of perfusion ρ_b c_b w/ρc of all tissue, and W(x, t) the rise in a
// half space x ≥ 0 of D and r into which the gradient g enters at x = 0 from t = 0 on,
//   W(0, t) = g √(D/r) erf √(r t),   without perfusion   g 2 √(D t/π);
// it grows with t, falls with x, and is convex. Beyond the face lies the tissue of the inner of the two
// layers (k₁), then that of the outer (k₂), which goes on unchanged along x. Let s ≤ 1 be at most k₂/k₁
// anywhere on the face, ξ = s x in the inner layer and dξ = dx thereafter, and g at least J/(s k₁) at all
// times and everywhere on the face. Then W(ξ(x), t), continued by W(0, t) into the domain, is an upper
// solution of what w solves:
// - beyond the face ρc W_t − k s² W_ξξ + ρ_b c_b w W ≥ 0 (s = 1 in the outer layer), since
//   W_ξξ = (W_t + r W)/D ≥ 0 and k s² ≤ k ≤ ρc D;
// - on the face its flux outwards is k₁ s g ≥ J, and none goes inwards; between the layers what goes on, k₂
//   |W_ξ|, is at least what comes, k₁ s |W_ξ|;
// - within, where it is uniform and grows, and at insulated, convective and fixed boundaries, it is at least
//   w whatever tissue, air or cells of fixed temperature are there.
// So w ≤ W(0, t) everywhere (maximum principle). Of several faces the sum is an upper solution. Nothing in it
// is a cell's length or a ratio, and a treatment in parts has what one run has: t is the clock of the chain,
// g and D are the largest of its runs, r and s the least. Blood that is warmer than what a face is kept at
// warms the tissue beyond by the difference at most, which as a constant is an upper solution, too. Flow of
// blood (domain.velocity) is left out, and so is air that ends the tissue beyond the face.
#include "models/bioheat/drained.h"

#include "models/bioheat/results.h"

#include <stdio.h>
#include <string.h>

// What forced convection of a liquid reaches (Incropera & DeWitt, Fundamentals of Heat and Mass Transfer,
// table 1.1). A face with more is no surface, but tissue whose temperature is kept.
static const double most_transfer_w_m2_k = 2e4;
// From here on, some k/Δ, a face keeps the cell beside it nearly at the outside's temperature: it should be
// one that a liquid flows past, which of tissues only skin is.
static const double much_transfer_w_m2_k = 500;

static bool is_fixed(const struct bioheat_grid *grid, int axis, int side)
{
    return grid->cells[axis] > 1 && grid->faces[axis][side].kind == BIOHEAT_FIXED;
}

static bool is_drain(const struct bioheat_grid *grid, int axis, int side)
{
    const struct bioheat_face *face = &grid->faces[axis][side];
    return is_fixed(grid, axis, side) || (grid->cells[axis] > 1 && face->kind == BIOHEAT_CONVECTIVE &&
                                          face->transfer_w_m2_k > most_transfer_w_m2_k);
}

static struct bioheat_medium medium_at(const struct bioheat *b, uint64_t index)
{
    const struct bioheat_media *m = b->media;
    const enum element real = bioheat_real(b);
    if (m->has_labels)
        return m->table[(*m->labels)[index]];
    return (struct bioheat_medium){.role = bioheat_role_at(b, index),
                                   .conductivity_w_m_k = element_get(real, *m->conductivity, index),
                                   .heat_capacity_j_m3_k = element_get(real, *m->heat_capacity, index),
                                   .perfusion_w_m3_k =
                                       m->perfusion ? element_get(real, *m->perfusion, index) : 0};
}

// What may well lie in a liquid.
static bool is_of_surface(const struct bioheat *b, uint64_t index)
{
    static const double level_of_skin_min = 21;
    const int label = b->media->has_labels ? (*b->media->labels)[index] : -1;
    return label >= 0 && (b->params.body.safety_dose_min[label] >= level_of_skin_min ||
                          strcmp(b->params.body.label_names[label], "water") == 0);
}

static bool is_believed(const struct bioheat *b, int axis, int side, const size_t cell[BIOHEAT_AXES])
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const struct bioheat_face *face = &grid->faces[axis][side];
    return grid->cells[axis] > 1 && face->kind == BIOHEAT_CONVECTIVE &&
           face->transfer_w_m2_k >= much_transfer_w_m2_k && !is_drain(grid, axis, side) &&
           !is_of_surface(b, bioheat_index(grid, cell[0], cell[1], cell[2]));
}

bool bioheat_has_drains(const struct bioheat_grid *grid)
{
    bool has = false;
    for (int face = 0; face < BIOHEAT_SIDES; face++)
        has |= is_drain(grid, face / 2, face % 2);
    return has;
}

// ---- temperatures of the layers

// The cell of a fixed face's layers that has a neighbour inside, and this neighbour.
static size_t layer_index(const struct bioheat_grid *grid, int axis, int side)
{
    return side ? grid->cells[axis] - 2 : 1;
}

static size_t outer_index(const struct bioheat_grid *grid, int axis, int side)
{
    return side ? grid->cells[axis] - 1 : 0;
}

static size_t free_index(const struct bioheat_grid *grid, int axis, int side)
{
    return side ? grid->cells[axis] - 3 : 2;
}

// Rows along z, those of the z faces along y: of the layer beside cells inside, then of the outer one.
static double *layer_of(const struct bioheat *b, int axis, int side, bool is_outer,
                        const size_t cell[BIOHEAT_AXES])
{
    const size_t *n = b->params.body.grid.cells;
    const size_t row = axis == BIOHEAT_Z ? cell[BIOHEAT_Y] : cell[BIOHEAT_Z],
                 column = axis == BIOHEAT_X ? cell[BIOHEAT_Y] : cell[BIOHEAT_X],
                 columns = axis == BIOHEAT_X ? n[BIOHEAT_Y] : n[BIOHEAT_X];
    return b->layers_k[2 * axis + side] + (2 * row + is_outer) * columns + column;
}

enum status bioheat_drained_plan(struct bioheat *b, struct memory_plan *memory)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const struct bioheat_planes own = bioheat_own(grid);
    for (int face = 0; face < BIOHEAT_SIDES; face++) {
        const int axis = face / 2, side = face % 2;
        const bool is_z = axis == BIOHEAT_Z;
        if (is_fixed(grid, axis, side))
            CHECK(memory_plan_add_rows(memory, MEMORY_HOST, ELEMENT_F64, is_z ? 0 : own.first,
                                       is_z ? grid->cells[BIOHEAT_Y] : own.end,
                                       2 * grid->cells[axis == BIOHEAT_X ? BIOHEAT_Y : BIOHEAT_X],
                                       (void **)&b->layers_k[face], "temperature kept at %s_%s",
                                       bioheat_axis_names[axis], side ? "high" : "low"));
    }
    return STATUS_OK;
}

// A layer along z may be in the halo of the rank that has the cells beside it.
static void take_layer(struct bioheat *b, int axis, int side, bool is_outer)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const struct bioheat_planes own = bioheat_own(grid);
    const size_t layer = is_outer ? outer_index(grid, axis, side) : layer_index(grid, axis, side);
    size_t first[] = {own.first, 0, 0}, end[] = {own.end, grid->cells[BIOHEAT_Y], grid->cells[BIOHEAT_X]};
    first[axis] = layer;
    end[axis] = layer + 1;
    if (axis == BIOHEAT_Z && !bioheat_has_plane(bioheat_held(grid), layer))
        return;
    for (size_t z = first[BIOHEAT_Z]; z < end[BIOHEAT_Z]; z++)
        for (size_t y = first[BIOHEAT_Y]; y < end[BIOHEAT_Y]; y++) {
            b->backend->get(b->base.solver, z, y, 0, grid->cells[BIOHEAT_X], b->rows);
            for (size_t x = first[BIOHEAT_X]; x < end[BIOHEAT_X]; x++)
                *layer_of(b, axis, side, is_outer, (size_t[]){z, y, x}) = b->rows[x];
        }
}

void bioheat_drained_start(struct bioheat *b)
{
    for (int face = 0; face < BIOHEAT_SIDES; face++)
        for (int is_outer = 0; is_outer < 2 && b->layers_k[face]; is_outer++)
            take_layer(b, face / 2, face % 2, is_outer);
}

// ---- the gradient

// At most the flux into a layer, as the solvers have it of cells inside that are no colder, over its k:
// Δ J/k ≤ a (θ − θ_layer) + b (θ_outer − θ_layer), where the outer layer is the warmer one. Within one tissue
// (15 (θ − θ_layer) + θ_outer − θ')/12; by a parabola on either side K = 4/3 of the two half cells in series
// times 9/8, and K/8; four different cells of full fields exceed neither 3/2 of the larger k nor a ninth of
// that, and are two half cells in series beyond the limit of contrast.
struct flux_law {
    double inner, outer;
};

static struct flux_law flux_law(const struct bioheat *b, uint64_t index, uint64_t layer_index)
{
    const double own = medium_at(b, index).conductivity_w_m_k,
                 layer = medium_at(b, layer_index).conductivity_w_m_k;
    if (b->media->has_labels && (*b->media->labels)[index] == (*b->media->labels)[layer_index])
        return (struct flux_law){1.25, 1.0 / 12};
    const double series = 2 * own / (own + layer);
    if (!b->media->has_labels && fmax(own, layer) > b->media->contrast_limit * fmin(own, layer))
        return (struct flux_law){series, 0};
    const double inner = 1.5 * (b->media->has_labels ? series : fmax(1, own / layer));
    return (struct flux_law){inner, inner / 9};
}

// s of the two layers at a cell inside; 1 where either is no tissue.
static double layers_ratio(const struct bioheat *b, uint64_t layer, uint64_t outer)
{
    const bool are_tissue =
        bioheat_role_at(b, layer) == BIOHEAT_TISSUE && bioheat_role_at(b, outer) == BIOHEAT_TISSUE;
    return are_tissue
               ? fmin(1, medium_at(b, outer).conductivity_w_m_k / medium_at(b, layer).conductivity_w_m_k)
               : 1;
}

static double fixed_gradient_k_m(struct bioheat *b, int face, const size_t cell[BIOHEAT_AXES],
                                 double largest_k)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const int axis = face / 2, side = face % 2;
    size_t layer[] = {cell[0], cell[1], cell[2]}, outer[] = {cell[0], cell[1], cell[2]};
    if (cell[axis] != free_index(grid, axis, side) || bioheat_is_in_layer(grid, cell))
        return 0;
    layer[axis] = layer_index(grid, axis, side);
    outer[axis] = outer_index(grid, axis, side);
    const uint64_t index = bioheat_index(grid, cell[0], cell[1], cell[2]),
                   beside = bioheat_index(grid, layer[0], layer[1], layer[2]),
                   beyond = bioheat_index(grid, outer[0], outer[1], outer[2]);
    if (bioheat_role_at(b, beside) != BIOHEAT_TISSUE) // air, or what the job states as kept
        return 0;
    double *ratio = &b->exposures.drained.ratio[face];
    *ratio = fmin(*ratio, layers_ratio(b, beside, beyond));
    const struct flux_law law = flux_law(b, index, beside);
    const double layer_k = *layer_of(b, axis, side, false, cell),
                 outer_k = *layer_of(b, axis, side, true, cell);
    b->exposures.coldest_k[face] = fmin(b->exposures.coldest_k[face], fmin(layer_k, outer_k));
    return (law.inner * (largest_k - layer_k) + law.outer * fmax(0, outer_k - layer_k)) /
           grid->spacing_m[axis];
}

static double convective_gradient_k_m(struct bioheat *b, int face, const size_t cell[BIOHEAT_AXES],
                                      double largest_k)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const int axis = face / 2, side = face % 2;
    const struct bioheat_face *f = &grid->faces[axis][side];
    if (cell[axis] != (side ? grid->cells[axis] - 1 : 0) || bioheat_is_in_layer(grid, cell))
        return 0;
    const struct bioheat_medium medium = medium_at(b, bioheat_index(grid, cell[0], cell[1], cell[2]));
    b->exposures.coldest_k[face] = fmin(b->exposures.coldest_k[face], f->outside_theta_k);
    return (largest_k - f->outside_theta_k) /
           (medium.conductivity_w_m_k / f->transfer_w_m2_k + grid->spacing_m[axis] / 2);
}

// What gradients of that sum cause at most.
static double rise_of_k(const struct bioheat *b, const struct bioheat_drained *d, double sum_k_m)
{
    static const double pi = 3.14159265358979323846;
    const double clock_s = b->start_s + (double)b->steps * b->step_s, rate = d->perfusion_per_s;
    if (!(sum_k_m > 0 && d->diffusivity_m2_s > 0))
        return 0;
    return sum_k_m * (rate > 0 ? sqrt(d->diffusivity_m2_s / rate) * erf(sqrt(rate * clock_s))
                               : 2 * sqrt(d->diffusivity_m2_s * clock_s / pi));
}

void bioheat_drained_begin(struct bioheat *b)
{
    struct bioheat_drained *d = &b->exposures.drained;
    *d = (struct bioheat_drained){.perfusion_per_s = INFINITY};
    b->exposures.has_perfusion = false;
    for (int face = 0; face < BIOHEAT_SIDES; face++) {
        d->ratio[face] = 1;
        b->exposures.coldest_k[face] = NAN;
    }
}

void bioheat_drained_add(struct bioheat *b, const size_t cell[BIOHEAT_AXES], double largest_k)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    struct bioheat_drained *d = &b->exposures.drained;
    const struct bioheat_medium medium = medium_at(b, bioheat_index(grid, cell[0], cell[1], cell[2]));
    b->exposures.has_perfusion |= medium.perfusion_w_m3_k > 0;
    d->diffusivity_m2_s = fmax(d->diffusivity_m2_s, medium.conductivity_w_m_k / medium.heat_capacity_j_m3_k);
    d->perfusion_per_s = fmin(d->perfusion_per_s, medium.perfusion_w_m3_k / medium.heat_capacity_j_m3_k);
    for (int face = 0; face < BIOHEAT_SIDES; face++) {
        double *believed_k_m = &b->exposures.believed_k_m[face];
        if (is_believed(b, face / 2, face % 2, cell))
            *believed_k_m = fmax(*believed_k_m, convective_gradient_k_m(b, face, cell, largest_k));
        if (!is_drain(grid, face / 2, face % 2))
            continue;
        const double gradient_k_m = b->layers_k[face] ? fixed_gradient_k_m(b, face, cell, largest_k)
                                                      : convective_gradient_k_m(b, face, cell, largest_k);
        d->gradient_k_m[face] = fmax(d->gradient_k_m[face], gradient_k_m); // NaN, not kept: as before
    }
}

// Blood that is warmer than what a face is kept at warms the tissue beyond by up to the difference: a
// constant more, as the gradient that gives it at the run's end.
static void add_blood(struct bioheat *b)
{
    struct bioheat_exposures *own = &b->exposures;
    const double of_gradient_k = rise_of_k(b, &own->drained, 1);
    if (!own->has_perfusion || of_gradient_k == 0)
        return;
    for (int face = 0; face < BIOHEAT_SIDES; face++) {
        const double warmer_k = b->params.body.arterial_c - b->params.body.reference_c - own->coldest_k[face];
        if (!(warmer_k > 0)) // NaN: not such a face
            continue;
        if (is_drain(&b->params.body.grid, face / 2, face % 2))
            own->drained.gradient_k_m[face] += own->drained.ratio[face] * warmer_k / of_gradient_k;
        else
            own->believed_k_m[face] += warmer_k / of_gradient_k;
    }
}

void bioheat_drained_end(struct bioheat *b)
{
    const struct bioheat_carried *before = b->chain ? bioheat_chain_carried(b->chain) : NULL;
    struct bioheat_drained *sum = &b->carried.drained;
    add_blood(b);
    *sum = b->exposures.drained;
    if (!before)
        return;
    for (int face = 0; face < BIOHEAT_SIDES; face++) {
        sum->gradient_k_m[face] = fmax(sum->gradient_k_m[face], before->drained.gradient_k_m[face]);
        sum->ratio[face] = fmin(sum->ratio[face], before->drained.ratio[face]);
    }
    sum->diffusivity_m2_s = fmax(sum->diffusivity_m2_s, before->drained.diffusivity_m2_s);
    sum->perfusion_per_s = fmin(sum->perfusion_per_s, before->drained.perfusion_per_s);
}

// ---- the bound

static void tell_face(char text[BIOHEAT_FACE_BYTES], int face)
{
    snprintf(text, BIOHEAT_FACE_BYTES, "%s_%s", bioheat_axis_names[face / 2], face % 2 ? "high" : "low");
}

double bioheat_drained_rise_k(const struct bioheat *b, char face[BIOHEAT_FACE_BYTES])
{
    const struct bioheat_drained *d = &b->carried.drained;
    double sum_k_m = 0, most_k_m = 0;
    face[0] = '\0';
    for (int k = 0; k < BIOHEAT_SIDES; k++) {
        const double own_k_m = d->gradient_k_m[k] > 0 ? d->gradient_k_m[k] / d->ratio[k] : 0;
        sum_k_m += own_k_m;
        if (own_k_m > most_k_m) {
            most_k_m = own_k_m;
            tell_face(face, k);
        }
    }
    return rise_of_k(b, &b->carried.drained, sum_k_m);
}

double bioheat_believed_rise_k(const struct bioheat *b, char face[BIOHEAT_FACE_BYTES])
{
    double sum_k_m = 0, most_k_m = 0;
    face[0] = '\0';
    for (int k = 0; k < BIOHEAT_SIDES; k++) {
        const double own_k_m = b->exposures.believed_k_m[k];
        sum_k_m += own_k_m;
        if (own_k_m > most_k_m) {
            most_k_m = own_k_m;
            tell_face(face, k);
        }
    }
    return rise_of_k(b, &b->carried.drained, sum_k_m);
}
