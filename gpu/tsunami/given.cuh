// The boundary data of a step. Independent of the scheme.
#ifndef FATHOM_GPU_TSUNAMI_GIVEN_CUH
#define FATHOM_GPU_TSUNAMI_GIVEN_CUH

#include "gpu/inline.cuh"
#include "gpu/tsunami/kernels.h"

namespace tsunami {

// The two records that a step lies between, the weight of the second, and the time within the step.
struct given_now {
    size_t from, to; // of the slots' values
    double weight, moment;
};

// `shift`: the time within the step, from 0 to 1.
DEVICE struct given_now given_during(const struct device_edge &edge, long long step, double shift)
{
    const long long record = step / edge.steps_per_record, slots = edge.slots;
    const size_t slot = 3 * (size_t)edge.nodes;
    return {(size_t)(record % slots) * slot, (size_t)((record + 1) % slots) * slot,
            ((double)(step % edge.steps_per_record) + shift) / (double)edge.steps_per_record, shift};
}

// The shift for a sweep. If the sweep along the other axis follows, and so advances the data by the step, the
// data are those at the step's beginning (models/tsunami/edges.h).
DEVICE double given_sweep_shift(bool is_along_x, bool is_x_first)
{
    return is_along_x == is_x_first ? 0.0 : GIVEN_SHIFT;
}

struct given_node {
    bool is_there;
    double eta_m, u_m_s, v_m_s;
};

// The data at node `place` of a side. Without data at this node and time (NaN), is_there is false.
DEVICE struct given_node given_at(const struct device_edge &edge, const struct given_now &now, int place)
{
    double value[3];
    const int node = edge.nodes == 1 ? 0 : place;
    for (int k = 0; k < 3; k++) {
        const double from = edge.values[now.from + (size_t)k * edge.nodes + node];
        const double to = edge.values[now.to + (size_t)k * edge.nodes + node];
        value[k] = from + now.weight * (to - from);
    }
    for (int k = 0; edge.has_rise && k < 3; k++) { // as in models/tsunami/edges.c
        const double before = edge.rise[(size_t)k * edge.side_nodes + place];
        const double after = edge.rise[(size_t)(3 + k) * edge.side_nodes + place];
        value[k] += before + now.moment * (after - before);
    }
    return {!isnan(value[0]), value[0], edge.has_velocity ? value[1] : 0.0,
            edge.has_velocity ? value[2] : 0.0};
}

// The edges of the domain on which a node lies, in one sweep, and the node's number along them.
struct line_end {
    bool is_on_left, is_on_right;
    enum tsunami_side left, right;
    int place;
    const struct given_now *given; // [TSUNAMI_SIDES]
};

} // namespace tsunami

#endif
