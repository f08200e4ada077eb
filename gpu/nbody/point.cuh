// The arithmetic of models/nbody/point.inc for kernels, and the layout of bodies in memory.
#ifndef FATHOM_GPU_NBODY_POINT_CUH
#define FATHOM_GPU_NBODY_POINT_CUH

#include "gpu/inverse_root.cuh"

#include <cfloat>

namespace nbody {

#include "models/nbody/point.inc"

// A body {x, y, z, m}, a velocity {vx, vy, vz, 0} or a field {ax, ay, az, φ}: a load of 16 bytes in single
// precision, two in double.
template <typename Real> struct alignas(16) quad {
    Real x, y, z, w;
};

// Loads through the read-only data cache.
DEVICE quad<float> load(const quad<float> *from)
{
    const float4 v = __ldg(reinterpret_cast<const float4 *>(from));
    return {v.x, v.y, v.z, v.w};
}

DEVICE quad<double> load(const quad<double> *from)
{
    const double2 low = __ldg(reinterpret_cast<const double2 *>(from));
    const double2 high = __ldg(reinterpret_cast<const double2 *>(from) + 1);
    return {low.x, low.y, high.x, high.y};
}

// The smallest squared distance whose inverse root the device computes: the smallest normal number.
template <typename Real> constexpr Real smallest_square = FLT_MIN;
template <> constexpr double smallest_square<double> = DBL_MIN;

} // namespace nbody

#endif
