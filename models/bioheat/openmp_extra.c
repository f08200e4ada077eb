// Terms of a row other than conduction and perfusion in the fast CPU version: layers of the source, the
// flow of blood, convective faces, points and boxes. All but the layers concern few cells or few jobs, so
// they are plain loops.
#include "models/bioheat/openmp_solver.h"

#include <math.h>
#include <string.h>

// A row's scratch: what is added (W/m³), and minus its derivative by the cell's own θ.
struct extras {
    const struct solver *solver;
    struct heat_row *row;
    void *heat, *diagonal;
    bool is_begun;
};

static void begin(struct extras *e)
{
    const struct solver *s = e->solver;
    if (e->is_begun)
        return;
    memset(e->heat, 0, s->view.nx * s->element);
    memset(e->diagonal, 0, s->view.nx * s->element);
    e->is_begun = true;
}

// rate (W/m³/K) towards a temperature that lies `difference` (K) above the cell's.
static void add(struct extras *e, size_t x, double rate, double difference)
{
    const struct solver *s = e->solver;
    heat_store(s, e->heat, x, heat_element(s, e->heat, x) + rate * difference);
    heat_store(s, e->diagonal, x, heat_element(s, e->diagonal, x) + rate);
}

static void add_layers(struct extras *e, const double *amplitudes)
{
    const struct solver *s = e->solver;
    const struct bioheat_source *source = s->setup.source;
    const size_t at = (e->row->z * s->ny + e->row->y) * s->view.nx * s->element;
    for (int layer = 0; layer < source->layer_count; layer++) {
        if (amplitudes[layer] == 0) // the I/O thread may be filling it
            continue;
        s->functions->add_layer[s->kind](s->view.nx, amplitudes[layer],
                                         (const char *)*source->layers[layer] + at, !e->is_begun, e->heat);
        if (!e->is_begun)
            memset(e->diagonal, 0, s->view.nx * s->element);
        e->is_begun = true;
    }
}

// ---- blood's flow

static double conductivity_of(const struct solver *s, size_t z, size_t y, size_t x)
{
    if (!s->setup.media->has_labels)
        return heat_element(s, *s->setup.media->conductivity, (z * s->ny + y) * s->view.nx + x);
    return s->conductivity[heat_media_of(s, z, y)[x]];
}

// −ρ_b c_b v·∇θ along an axis: the upwind difference, if the cell upstream conducts heat.
static void add_flow(struct extras *e, enum bioheat_axis axis)
{
    const struct solver *s = e->solver;
    const struct heat_row *row = e->row;
    const struct bioheat_grid *grid = s->setup.grid;
    const void *velocity = *s->setup.media->velocity_m_s[axis];
    const double rate = s->setup.media->blood_heat_capacity_j_m3_k / grid->spacing_m[axis];
    const size_t dense = (row->z * s->ny + row->y) * s->view.nx;
    for (size_t x = s->view.first; x < s->view.last; x++) {
        const double v = heat_element(s, velocity, dense + x);
        const ptrdiff_t side = v > 0 ? -1 : 1;
        size_t from[BIOHEAT_AXES] = {row->z, row->y, x};
        bool is_missing;
        from[axis] = heat_map(grid, axis, (ptrdiff_t)from[axis] + side, &is_missing);
        const bool is_itself = from[0] == row->z && from[1] == row->y && from[2] == x;
        if (v == 0 || is_missing || is_itself ||
            conductivity_of(s, from[BIOHEAT_Z], from[BIOHEAT_Y], from[BIOHEAT_X]) == 0)
            continue;
        const double there = axis == BIOHEAT_X
                                 ? heat_element(s, row->at, from[BIOHEAT_X])
                                 : heat_element(s, row->near[axis][v > 0 ? HEAT_M1 : HEAT_P1], x);
        add(e, x, rate * fabs(v), there - heat_element(s, row->at, x));
    }
}

// ---- convective walls

// In series with half the cell, 1/(1/h + Δ/2k); spread over the cell.
static void add_wall_cell(struct extras *e, enum bioheat_axis axis, bool is_high, size_t x)
{
    const struct solver *s = e->solver;
    const struct bioheat_face *face = &s->setup.grid->faces[axis][is_high];
    const double k = conductivity_of(s, e->row->z, e->row->y, x), spacing = s->setup.grid->spacing_m[axis];
    if (k > 0)
        add(e, x, 1 / ((1 / face->transfer_w_m2_k + spacing / (2 * k)) * spacing),
            face->outside_theta_k - heat_element(s, e->row->at, x));
}

static void add_walls(struct extras *e, enum bioheat_axis axis)
{
    const struct solver *s = e->solver;
    const struct bioheat_grid *grid = s->setup.grid;
    for (int side = 0; side < 2; side++) {
        if (grid->cells[axis] == 1 || grid->faces[axis][side].kind != BIOHEAT_CONVECTIVE)
            continue;
        if (axis == BIOHEAT_X) {
            begin(e);
            add_wall_cell(e, axis, side, side ? s->view.nx - 1 : 0);
        } else if (e->row->is_wall[axis][side]) {
            begin(e);
            for (size_t x = s->view.first; x < s->view.last; x++)
                add_wall_cell(e, axis, side, x);
        }
    }
}

void heat_add_extras(const struct solver *s, struct heat_row *row, const double *amplitudes, char *scratch)
{
    struct extras e = {s, row, scratch + ((size_t)HEAT_EXTRA * s->pitch + HEAT_PAD) * s->element,
                       scratch + ((size_t)HEAT_EXTRA_DIAGONAL * s->pitch + HEAT_PAD) * s->element, false};
    add_layers(&e, amplitudes);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        if (s->setup.media->velocity_m_s[axis] && s->setup.grid->cells[axis] > 1) {
            begin(&e);
            add_flow(&e, axis);
        }
        add_walls(&e, axis);
    }
    row->extra = e.is_begun ? e.heat : NULL;
    row->extra_diagonal = e.is_begun ? e.diagonal : NULL;
}

// ---- points and boxes

static void add_cell(const struct solver *s, size_t z, size_t y, size_t x, double power_w_m3, void *theta)
{
    double gain;
    if (x < s->view.first || x >= s->view.last || power_w_m3 == 0)
        return;
    if (s->setup.media->has_labels) {
        gain = heat_element(s, s->view.gain, heat_media_of(s, z, y)[x]);
    } else {
        const size_t cell = (z * s->ny + y) * s->view.nx + x;
        gain = conductivity_of(s, z, y, x) > 0
                   ? s->view.step_s / heat_element(s, *s->setup.media->heat_capacity, cell)
                   : 0;
    }
    heat_store(s, theta, x, heat_element(s, theta, x) + gain * power_w_m3);
}

void heat_add_sparse(const struct solver *s, size_t z, size_t y, const double *amplitudes, void *theta)
{
    const struct bioheat_source *source = s->setup.source;
    const double *of_points = amplitudes + source->layer_count, *of_boxes = of_points + source->point_count;
    if (source->point_count > 0)
        for (int32_t k = s->point_heads[z * s->ny + y]; k < s->point_heads[z * s->ny + y + 1]; k++) {
            const int32_t point = s->points[k];
            add_cell(s, z, y, source->points[point][BIOHEAT_X], of_points[point], theta);
        }
    for (size_t b = 0; b < source->box_count; b++) {
        const struct bioheat_box *box = &source->boxes[b];
        if (z < box->first[BIOHEAT_Z] || z > box->last[BIOHEAT_Z] || y < box->first[BIOHEAT_Y] ||
            y > box->last[BIOHEAT_Y])
            continue;
        for (size_t x = box->first[BIOHEAT_X]; x <= box->last[BIOHEAT_X]; x++)
            add_cell(s, z, y, x, of_boxes[b], theta);
    }
}
