// A cell's step, read directly from the arrays: for cuda-plain and the colourings, a cell a thread. Knows no
// tiles.
#ifndef FATHOM_GPU_BIOHEAT_PLAIN_CUH
#define FATHOM_GPU_BIOHEAT_PLAIN_CUH

#include "gpu/bioheat/cell.cuh"

namespace heat {

// The change of a cell in a step, and minus its derivative with respect to the cell's own θ.
template <typename Real> struct cell_change {
    Real theta, diagonal;
};

// A cell and two on either side of it along an axis.
template <typename Real> struct line {
    Real theta[5];
};

template <typename Real> DEVICE line<Real> line_about(const heat_step &step, int axis, int z, int y, int x)
{
    const Real *const from = array<Real>(step.from);
    const heat_shape &shape = step.shape;
    line<Real> cells;
    const long long row = static_cast<long long>(y) * shape.pitch;
#pragma unroll
    for (int k = 0; k < 5; k++) {
        long long place;
        if (axis == BIOHEAT_Z)
            place = plane_offset(step, z + k - 2) + row + x;
        else if (axis == BIOHEAT_Y)
            place = z * shape.plane +
                    static_cast<long long>(
                        mapped(y + k - 2, shape.cells[BIOHEAT_Y], shape.is_periodic[BIOHEAT_Y])) *
                        shape.pitch +
                    x;
        else
            place = z * shape.plane + row +
                    mapped(x + k - 2, shape.cells[BIOHEAT_X], shape.is_periodic[BIOHEAT_X]);
        cells.theta[k] = from[place];
    }
    return cells;
}

// Which of the two faces is a wall. The law of the opposite face then contains the cell twice, as its own
// mirror image.
struct faces_at {
    bool low_is_wall, high_is_wall;
};

DEVICE faces_at faces_of(const heat_shape &shape, int axis, int index)
{
    const bool is_open = !shape.is_periodic[axis];
    return {is_open && index == 0, is_open && index == shape.cells[axis] - 1};
}

DEVICE long long stride_of(const heat_shape &shape, int axis)
{
    return axis == BIOHEAT_Z ? shape.plane : axis == BIOHEAT_Y ? shape.pitch : 1;
}

// 12 times the flux times the spacing between two labels by a parabola on either side that has two cells of
// its label (models/bioheat/reference_space.c derives it). k_low, k_high: conductivities of the two cells.
template <typename Real>
DEVICE Real interface_flux(Real k_low, Real k_high, bool low_has_two, bool high_has_two, Real before,
                           Real low, Real high, Real after)
{
    const Real of_low = (low_has_two ? Real(0.375) : Real(0.5)) / k_low; // infinite in a void
    const Real of_high = (high_has_two ? Real(0.375) : Real(0.5)) / k_high;
    const Real sides = (low_has_two ? low - before : Real(0)) + (high_has_two ? after - high : Real(0));
    return 12 * (madd(Real(-0.125), sides, high - low) / (of_low + of_high));
}

// The fluxes through a cell's low and high face, where the other side is of another label.
template <typename Real, typename Code>
DEVICE void set_interfaces(const heat_step &step, int axis, long long place, int index, const line<Real> &t,
                           Real &low, Real &high)
{
    const Code *const codes = array<Code>(step.media.codes) + place;
    const Real *const k = array<Real>(step.media.conductances);
    const long long stride = stride_of(step.shape, axis);
    unsigned label[5];
    Real own[5];
#pragma unroll
    for (int n = 0; n < 5; n++) {
        label[n] = label_of<Code>(codes[(n - 2) * stride]);
        own[n] = k[label[n] * code_traits<Code>::ROW + label[n]];
    }
    if (label[1] != label[2])
        low = interface_flux(own[1], own[2],
                             label[0] == label[1] && has_medium(step.shape, step.media, axis, index - 2),
                             label[3] == label[2] && has_medium(step.shape, step.media, axis, index + 1),
                             t.theta[0], t.theta[1], t.theta[2], t.theta[3]);
    if (label[3] != label[2])
        high = interface_flux(own[2], own[3],
                              label[1] == label[2] && has_medium(step.shape, step.media, axis, index - 1),
                              label[4] == label[3] && has_medium(step.shape, step.media, axis, index + 2),
                              t.theta[1], t.theta[2], t.theta[3], t.theta[4]);
}

template <typename Real, typename Code>
DEVICE void add_label_axis(const heat_step &step, int axis, long long place, int index, const line<Real> &t,
                           cell_change<Real> &change)
{
    typedef code_traits<Code> traits;
    const Code *const codes = array<Code>(step.media.codes) + place;
    const Real *const k = array<Real>(step.media.conductances);
    const long long stride = stride_of(step.shape, axis);
    const unsigned below = label_of<Code>(codes[-stride]), code = codes[0], here = label_of<Code>(code),
                   above = codes[stride];
    const Real scale = static_cast<Real>(step.media.scale[axis]);
    const Real k_low = k[here * traits::ROW + below], k_high = k[label_of<Code>(above) * traits::ROW + here];
    const bool one_low = is_one_medium<Code>(code, axis), one_high = is_one_medium<Code>(above, axis);
    Real low = label_flux(label_law_of(k_low, one_low), t.theta[0], t.theta[1], t.theta[2], t.theta[3]);
    Real high = label_flux(label_law_of(k_high, one_high), t.theta[1], t.theta[2], t.theta[3], t.theta[4]);
    if (step.media.is_quadratic)
        set_interfaces<Real, Code>(step, axis, place, index, t, low, high);
    const faces_at faces = faces_of(step.shape, axis, index);
    change.theta = madd(scale, high - low, change.theta);
    const Real own_low = one_low ? (faces.high_is_wall ? Real(14) : Real(15)) : Real(12);
    const Real own_high = one_high ? (faces.low_is_wall ? Real(14) : Real(15)) : Real(12);
    change.diagonal += scale * ((faces.low_is_wall ? Real(0) : k_low * own_low) +
                                (faces.high_is_wall ? Real(0) : k_high * own_high));
}

template <typename Real>
DEVICE void add_field_axis(const heat_step &step, int axis, long long place, int index, const line<Real> &t,
                           cell_change<Real> &change)
{
    const Real *const k = array<Real>(step.media.conductivity) + place;
    const long long stride = stride_of(step.shape, axis);
    const Real limit = static_cast<Real>(step.media.contrast_limit);
    const Real scale = static_cast<Real>(step.media.scale[axis]);
    const field_law<Real> low = field_law_of(limit, k[-2 * stride], k[-stride], k[0], k[stride]);
    const field_law<Real> high = field_law_of(limit, k[-stride], k[0], k[stride], k[2 * stride]);
    const faces_at faces = faces_of(step.shape, axis, index);
    const Real inflow = field_flux(high, t.theta[1], t.theta[2], t.theta[3], t.theta[4]) -
                        field_flux(low, t.theta[0], t.theta[1], t.theta[2], t.theta[3]);
    change.theta = madd(scale, inflow, change.theta);
    Real own_low = low.middle + (faces.high_is_wall ? Real(0) : low.mean + low.slope);
    Real own_high = high.middle + (faces.low_is_wall ? Real(0) : high.mean - high.slope);
    own_low = faces.low_is_wall ? Real(0) : own_low;
    own_high = faces.high_is_wall ? Real(0) : own_high;
    change.diagonal += scale * (own_low + own_high);
}

// Heat that the blood carries from the next cell upstream.
template <typename Real>
DEVICE void add_carried(const heat_step &step, int axis, long long place, const line<Real> &t,
                        cell_change<Real> &change)
{
    if (!step.media.carry[axis])
        return;
    const Real share = array<Real>(step.media.carry[axis])[place];
    change.theta = madd(fabs(share), (share > 0 ? t.theta[1] : t.theta[3]) - t.theta[2], change.theta);
    change.diagonal += fabs(share);
}

template <typename Real> DEVICE Real layers_at(const heat_layers &layers, long long place)
{
    Real heat = 0;
    for (int layer = 0; layer < layers.count; layer++)
        heat =
            madd(static_cast<Real>(layers.amplitudes[layer]), array<Real>(layers.values[layer])[place], heat);
    return heat;
}

// Δt/ρc of a cell, its share of perfusion, and its label.
template <typename Real> struct cell_medium {
    Real gain, loss;
    unsigned label;
};

template <typename Real, typename Code>
DEVICE cell_medium<Real> medium_at(const heat_media &media, long long place)
{
    if (media.has_labels) {
        const unsigned label = label_of<Code>(array<Code>(media.codes)[place]);
        return {array<Real>(media.cells)[2 * label], array<Real>(media.cells)[2 * label + 1], label};
    }
    return {array<Real>(media.gain)[place], media.loss ? array<Real>(media.loss)[place] : Real(0), 0};
}

template <typename Real>
DEVICE Real wall_at(const heat_media &media, int side, const cell_medium<Real> &medium, Real k)
{
    return media.has_labels ? array<Real>(media.walls)[side * media.labels + medium.label]
                            : wall_share(media, side, medium.gain, k);
}

// The change by heat through the convective sides at the cell.
template <typename Real, typename Code>
DEVICE cell_change<Real> walls_of(const heat_step &step, int z, int y, int x)
{
    const heat_shape &shape = step.shape;
    const heat_media &media = step.media;
    const long long place = place_of(shape, z, y, x);
    const Real theta = array<Real>(step.from)[place];
    const cell_medium<Real> medium = medium_at<Real, Code>(media, place);
    cell_change<Real> change = {0, 0};
    for (int side = 0; side < HEAT_SIDES; side++)
        if (media.has_wall[side] && is_at_side(shape, side, z, y, x)) {
            const Real k = media.has_labels ? Real(0) : array<Real>(media.conductivity)[place];
            const Real share = wall_at(media, side, medium, k);
            change.theta = madd(share, static_cast<Real>(media.wall_theta_k[side]) - theta, change.theta);
            change.diagonal += share;
        }
    return change;
}

// The change without convective sides.
template <typename Real, typename Code>
DEVICE cell_change<Real> change_of(const heat_step &step, int z, int y, int x)
{
    const heat_shape &shape = step.shape;
    const heat_media &media = step.media;
    const long long place = place_of(shape, z, y, x);
    const int at[BIOHEAT_AXES] = {z, y, x};
    const Real theta = array<Real>(step.from)[place];
    const cell_medium<Real> medium = medium_at<Real, Code>(media, place);
    cell_change<Real> change = {0, 0};
    cell_change<Real> carried = {0, 0};
#pragma unroll
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        if (shape.cells[axis] == 1)
            continue;
        const line<Real> t = line_about<Real>(step, axis, z, y, x);
        if (media.has_labels)
            add_label_axis<Real, Code>(step, axis, place, at[axis], t, change);
        else
            add_field_axis<Real>(step, axis, place, at[axis], t, change);
        add_carried<Real>(step, axis, place, t, carried);
    }
    change.theta *= medium.gain;
    change.diagonal *= medium.gain;
    if (media.has_labels || media.has_perfusion) { // labels' loss may be 0
        change.theta = madd(-medium.loss, theta - static_cast<Real>(media.arterial_theta_k), change.theta);
        change.diagonal += medium.loss;
    }
    if (step.layers.count > 0)
        change.theta = madd(medium.gain, layers_at<Real>(step.layers, place), change.theta);
    change.theta += carried.theta;
    change.diagonal += carried.diagonal;
    return change;
}

} // namespace heat

#endif
