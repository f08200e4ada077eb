// Time integration of the bodies: kicks change velocities, drifts change positions. Independent of the order
// of the bodies.
#include "gpu/launch.cuh"
#include "gpu/nbody/kernels.h"
#include "gpu/nbody/point.cuh"

namespace nbody {
namespace {

enum { THREADS = 256 };

// ends: the second half kick of a step; begins: the first half kick of the next step, and its drift.
template <typename Real>
__global__ void __launch_bounds__(THREADS)
    leapfrog_kernel(quad<Real> *bodies, quad<Real> *velocities, const quad<Real> *field, unsigned count,
                    Real step, int ends, int begins)
{
    const unsigned k = blockIdx.x * THREADS + threadIdx.x;
    if (k >= count)
        return;
    const Real half = static_cast<Real>(0.5) * step;
    const quad<Real> a = field[k];
    quad<Real> v = velocities[k];
    for (int kick = 0; kick < ends + begins; kick++) { // two half kicks, rounded separately
        v.x = moved(v.x, a.x, half);
        v.y = moved(v.y, a.y, half);
        v.z = moved(v.z, a.z, half);
    }
    velocities[k] = v;
    if (!begins)
        return;
    quad<Real> body = bodies[k];
    body.x = moved(body.x, v.x, step);
    body.y = moved(body.y, v.y, step);
    body.z = moved(body.z, v.z, step);
    bodies[k] = body;
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    source_step_kernel(quad<Real> *bodies, quad<Real> *velocities, const quad<Real> *field, unsigned count,
                       Real step)
{
    const unsigned k = blockIdx.x * THREADS + threadIdx.x;
    if (k >= count)
        return;
    const quad<Real> a = field[k];
    quad<Real> body = bodies[k], v = velocities[k];
    body.x = moved_twice(body.x, v.x, a.x, step);
    body.y = moved_twice(body.y, v.y, a.y, step);
    body.z = moved_twice(body.z, v.z, a.z, step);
    v.x = moved(v.x, a.x, step);
    v.y = moved(v.y, a.y, step);
    v.z = moved(v.z, a.z, step);
    bodies[k] = body;
    velocities[k] = v;
}

} // namespace
} // namespace nbody

using namespace nbody;

extern "C" cudaError_t nbody_move(const struct nbody_physics *physics,
                                  const struct nbody_device_bodies *bodies, int ends, int begins,
                                  cudaStream_t stream)
{
    const unsigned count = static_cast<unsigned>(bodies->count), blocks = kernels::blocks_for(count, THREADS);
    return kernels::launch(bodies->precision, [&](auto real) {
        typedef quad<decltype(real)> four;
        four *const body = static_cast<four *>(bodies->body);
        four *const velocity = static_cast<four *>(bodies->velocity);
        const four *const field = static_cast<const four *>(bodies->field);
        const auto step = static_cast<decltype(real)>(physics->step);
        if (physics->integrator == NBODY_LEAPFROG)
            leapfrog_kernel<<<blocks, THREADS, 0, stream>>>(body, velocity, field, count, step, ends != 0,
                                                            begins != 0);
        else if (begins)
            source_step_kernel<<<blocks, THREADS, 0, stream>>>(body, velocity, field, count, step);
    });
}

extern "C" cudaError_t nbody_move_load(enum element precision)
{
    return kernels::with_real(precision, [](auto real) {
        return kernels::load(leapfrog_kernel<decltype(real)>, source_step_kernel<decltype(real)>);
    });
}
