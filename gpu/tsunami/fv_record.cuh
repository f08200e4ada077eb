// Maxima, arrivals and drawdown of the finite volumes. Water no deeper than wet_depth_m is not recorded. An
// arrival is the first time at which the surface exceeds the source level by the threshold; on land, at which
// the depth w exceeds the threshold.
#ifndef FATHOM_GPU_TSUNAMI_FV_RECORD_CUH
#define FATHOM_GPU_TSUNAMI_FV_RECORD_CUH

#include "gpu/tsunami/fv_cell.cuh"

namespace tsunami {

DEVICE void fv_keep_larger(float *maximum, int place, float value, float before)
{
    if (maximum && value > before)
        maximum[place] = value;
}

DEVICE float fv_level(const struct device_records &records, int place)
{
    return records.source_level_m ? records.source_level_m[place] : 0.0f;
}

// Called for a node with a new maximum of the surface, or with a changing source level. `before` may be
// rounded, so the stored arrivals are tested, too.
template <typename Real>
DEVICE void fv_arrive(const struct device_records &records, water<Real> c, int place, float before,
                      float time_s)
{
    const float ground = c.z > Real(0) ? (float)c.z : 0.0f;
    const float level = fv_level(records, place);
    if (!records.source_level_m && before - ground > 1.001f * records.highest_arrival_m + 1e-3f)
        return;
    for (int a = 0; a < records.arrival_count; a++)
        if ((float)c.w >= level + records.arrival_m[a] && isnan(records.arrival_s[a][place]))
            records.arrival_s[a][place] = time_s;
}

template <typename Real>
DEVICE void fv_record_eta(const struct device_records &records, water<Real> c, Real eta_m, int place,
                          float before, float time_s)
{
    const float eta = (float)eta_m;
    const bool has_grown = eta > before;
    if (!records.max_eta_m || !(has_grown || records.has_moving_level))
        return;
    if (has_grown)
        records.max_eta_m[place] = eta;
    if (has_grown && records.time_of_max_s)
        records.time_of_max_s[place] = time_s;
    if (records.arrival_count > 0)
        fv_arrive(records, c, place, before, time_s);
}

// Of ground above the sea, where it lies under water and where it does not.
template <typename Real>
DEVICE void fv_record_inundation(const struct device_records &records, bool is_wet, int place, float time_s)
{
    const float since = records.wet_since_s[place];
    const bool was_wet = !isnan(since);
    if (is_wet == was_wet)
        return;
    if (was_wet)
        records.inundation_s[place] += time_s - since;
    records.wet_since_s[place] = is_wet ? time_s : __int_as_float(0x7fc00000);
}

// Updates the records of a node that has just been computed. `before`: its maxima, read in advance. Writes
// only values that have increased.
template <int RECORDS, typename Real>
DEVICE void fv_record(const struct device_records &records, water<Real> c, int place, const float *before,
                      float time_s)
{
    const fv_cell<Real> cell = fv_along_x(c);
    if (RECORDS == RECORDS_ALL && records.first_drawdown_s && c.z < Real(0) &&
        (float)cell.eta < fv_level(records, place) - records.drawdown_m &&
        isnan(records.first_drawdown_s[place]))
        records.first_drawdown_s[place] = time_s;
    const bool is_land = RECORDS == RECORDS_ALL && records.wet_since_s && c.z > Real(0);
    if (is_land)
        fv_record_inundation<Real>(records, cell.h > (Real)records.wet_depth_m, place, time_s);
    if (!(cell.h > (Real)records.wet_depth_m))
        return;
    fv_record_eta(records, c, cell.eta, place, before[0], time_s);
    if (RECORDS != RECORDS_ALL)
        return;
    const float speed = sqrtf((float)(c.u * c.u + c.v * c.v)), depth = (float)cell.h;
    fv_keep_larger(records.max_speed_m_s, place, speed, before[1]);
    fv_keep_larger(records.max_flux_m2_s, place, speed * depth, before[2]);
    fv_keep_larger(records.max_depth_m, place, depth, before[3]);
    if (is_land)
        fv_keep_larger(records.hazard_m2_s, place, depth * (speed + (float)TSUNAMI_HAZARD_SPEED_M_S),
                       records.hazard_m2_s[place]);
}

// Updates the records with one copy of the state, without a step. One thread for each node.
template <typename Real>
__global__ void fv_record_kernel(const __grid_constant__ device_level<Real> level,
                                 const __grid_constant__ struct device_records records, int copy,
                                 float time_s)
{
    const auto [column, row] = own_place_of(level);
    if (column >= level.nx)
        return;
    const int place = row * level.pitch + column;
    Real *const *state = level.state[copy];
    float *const maxima[FV_RECORD_MAXIMA] = {records.max_eta_m, records.max_speed_m_s, records.max_flux_m2_s,
                                             records.max_depth_m};
    float before[FV_RECORD_MAXIMA];
    for (int m = 0; m < FV_RECORD_MAXIMA; m++)
        before[m] = maxima[m] ? maxima[m][place] : 0;
    const water<Real> here = {state[0][place], state[1][place], state[2][place], level.still[place]};
    fv_record<RECORDS_ALL>(records, here, place, before, time_s);
}

} // namespace tsunami

#endif
