// Kernels for a state of `c-grid-6` between its steps: they update records, fill the halo, and correct
// velocities after the state was set or lifted. One thread for each node.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_ACCESS_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_ACCESS_CUH

#include "gpu/tsunami/c_grid_plain.cuh"

namespace tsunami {
namespace staggered {

// ---- records

DEVICE float reference_level(const struct device_records &records, int place)
{
    return records.source_level_m ? records.source_level_m[place] : 0.0f;
}

// Records the first times at which η reaches the thresholds. `before`: the maximum so far. If the source
// level is constant, such a time is also one of a new maximum; if it changes, not always.
DEVICE void record_arrivals(const struct device_records &records, int place, float eta, float before,
                            float time_s)
{
    if (!(eta > before) && !records.has_moving_level)
        return;
    const float level = reference_level(records, place);
    for (int a = 0; a < records.arrival_count; a++)
        if (records.arrival_s[a] && eta >= level + records.arrival_m[a] && isnan(records.arrival_s[a][place]))
            records.arrival_s[a][place] = time_s;
}

// On land the records keep their initial values, except that the maximum becomes 0, as in the other methods.
DEVICE void record_eta(const struct device_records &records, int place, float eta, bool is_wet, float time_s)
{
    if (records.max_eta_m) {
        const float before = records.max_eta_m[place];
        if (is_wet)
            record_arrivals(records, place, eta, before, time_s);
        if (eta > before) {
            records.max_eta_m[place] = eta;
            if (records.time_of_max_s)
                records.time_of_max_s[place] = time_s;
        }
    }
    if (records.first_drawdown_s && is_wet && eta < reference_level(records, place) - records.drawdown_m &&
        isnan(records.first_drawdown_s[place]))
        records.first_drawdown_s[place] = time_s;
}

template <typename Real>
DEVICE void record_flow(const struct device_records &records, int place, Real whole_depth, Real u, Real v)
{
    if (!records.max_speed_m_s && !records.max_flux_m2_s)
        return;
    const float speed = sqrtf((float)(u * u + v * v)), flow = speed * (float)whole_depth;
    if (records.max_speed_m_s && speed > records.max_speed_m_s[place])
        records.max_speed_m_s[place] = speed;
    if (records.max_flux_m2_s && flow > records.max_flux_m2_s[place])
        records.max_flux_m2_s[place] = flow;
}

template <typename Real>
__global__ void record_state(const __grid_constant__ c_level<Real> level,
                             const __grid_constant__ struct device_records records, float time_s)
{
    plain_at at;
    if (!plain_at_of(level, 0, 0, &at))
        return;
    const int k = at.offset;
    const Real eta = level.eta[k];
    record_eta(records, k, (float)eta, (level.code[k] & C_GRID_WET) != 0, time_s);
    record_flow(records, k, level.depth[k] + eta, level.node_u[k], level.node_v[k]);
}

// ---- beyond the domain

// The faces on open edges also belong to the domain.
template <typename Real>
__global__ void fill_halo(const __grid_constant__ c_level<Real> level, Real *field, enum c_grid_beyond kind)
{
    plain_at at;
    if (!plain_at_of(level, 1, 0, &at))
        return;
    if ((at.i < 0 && (level.is_periodic_x || kind == C_GRID_SURFACE)) ||
        (at.j < 0 && (level.is_periodic_y || kind == C_GRID_SURFACE)))
        return;
    if (at.i < C_GRID_HALO || at.j < C_GRID_HALO || at.i >= level.nx - C_GRID_HALO ||
        at.j >= level.ny - C_GRID_HALO)
        store_images(level, field, at.i, at.j, field[at.offset], kind);
}

// ---- after the state was set

// Interpolates to the face between two nodes: of order 4, or of order 2 near coasts and edges. `before`,
// `after`: number of wet nodes on each side of the two.
template <typename Real> DEVICE Real between(const Real *f, int step, int before, int after)
{
    if (before < 1 || after < 1)
        return Real(0.5) * (f[0] + f[step]);
    return (Real(9) * (f[0] + f[step]) - (f[-step] + f[2 * step])) / Real(16);
}

// A face on an open edge gets the velocity of its node.
template <typename Real> __global__ void set_faces(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, 1, 0, &at))
        return;
    const int k = at.offset, p = level.pitch, code = level.code[k];
    if (at.j >= 0 && is_open_u(level, at.i))
        level.u[k] = level.node_u[at.i < 0 ? k + 1 : k];
    else if (at.j >= 0 && at.i >= 0)
        level.u[k] = level.depth_u[k] > Real(0) ? between(level.node_u + k, 1, reach(code, C_GRID_WEST),
                                                          reach(level.code[k + 1], C_GRID_EAST))
                                                : Real(0);
    if (at.i >= 0 && is_open_v(level, at.j))
        level.v[k] = level.node_v[at.j < 0 ? k + p : k];
    else if (at.i >= 0 && at.j >= 0)
        level.v[k] = level.depth_v[k] > Real(0) ? between(level.node_v + k, p, reach(code, C_GRID_SOUTH),
                                                          reach(level.code[k + p], C_GRID_NORTH))
                                                : Real(0);
}

// Subtracts half of the change of velocity in a step.
template <typename Real> __global__ void take_half_back(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, 0, 0, &at))
        return;
    const int k = at.offset;
    if (level.depth_u[k] > Real(0) && !is_open_u(level, at.i))
        level.u[k] -= Real(0.5) * (level.u_new[k] - level.u[k]);
    if (level.depth_v[k] > Real(0) && !is_open_v(level, at.j))
        level.v[k] -= Real(0.5) * (level.v_new[k] - level.v[k]);
}

// ---- after an uplift, which is in eta_new

// Writes the pressure of the uplift to u_new.
template <typename Real> __global__ void press_lift(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, BEYOND_HEAD, BEYOND_HEAD, &at))
        return;
    const Real correction = level.gravity * level.step * level.step / Real(12), *f = level.eta_new;
    const Real whole = MADD(correction, bend_at(level, f, at), f[at.offset]);
    level.u_new[at.offset] = level.code[at.offset] & C_GRID_WET ? level.gravity * whole : Real(0);
}

// An uplift must not change the velocities at its time. The stored velocities are those half a step earlier:
// corrects them so that half a step with the new η leads to the same velocities.
template <typename Real> __global__ void unlift(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, 0, 0, &at))
        return;
    const int k = at.offset, code = level.code[k];
    const auto f = about(level, level.u_new, at);
    const Real half = Real(0.5) * level.step, *row = row_of(level, at.j);
    const six<Real> x = surface<true, true>(nodes_x<Real>(f), code, level.code[k + 1]),
                    y = surface<true, false>(nodes_y<Real>(f), code, level.code[k + level.pitch]);
    if (level.depth_u[k] > Real(0) && !is_open_u(level, at.i))
        level.u[k] += half * row[C_ROW_INVERSE_COS] * differ(x, column_weights(level, C_ROW_FACE, at.i));
    if (level.depth_v[k] > Real(0) && !is_open_v(level, at.j))
        level.v[k] += half * differ(y, velocity_row_at(level, at.j).face);
}

} // namespace staggered
} // namespace tsunami

#endif
