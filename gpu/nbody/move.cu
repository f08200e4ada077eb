// What a step of the N-body model does but for the forces: kicks and drifts. Knows no order of bodies.
#include "gpu/launch.cuh"
#include "gpu/nbody/kernels.h"
#include "gpu/nbody/point.cuh"

namespace nbody {
namespace {

enum { THREADS = 256 };

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
    for (int kick = 0; kick < ends + begins; kick++) { // two halves, rounded as two
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

template <typename Real>
cudaError_t move(const nbody_physics *physics, const nbody_device_bodies *bodies, int ends, int begins,
                 cudaStream_t stream)
{
    const unsigned count = static_cast<unsigned>(bodies->count), blocks = (count + THREADS - 1) / THREADS;
    quad<Real> *const body = static_cast<quad<Real> *>(bodies->body);
    quad<Real> *const velocity = static_cast<quad<Real> *>(bodies->velocity);
    const quad<Real> *const field = static_cast<const quad<Real> *>(bodies->field);
    const Real step = static_cast<Real>(physics->step);
    if (physics->integrator == NBODY_LEAPFROG)
        leapfrog_kernel<Real>
            <<<blocks, THREADS, 0, stream>>>(body, velocity, field, count, step, ends != 0, begins != 0);
    else if (begins)
        source_step_kernel<Real><<<blocks, THREADS, 0, stream>>>(body, velocity, field, count, step);
    return cudaGetLastError();
}

} // namespace
} // namespace nbody

extern "C" cudaError_t nbody_move(const struct nbody_physics *physics,
                                  const struct nbody_device_bodies *bodies, int ends, int begins,
                                  cudaStream_t stream)
{
    return bodies->precision == ELEMENT_F32 ? nbody::move<float>(physics, bodies, ends, begins, stream)
                                            : nbody::move<double>(physics, bodies, ends, begins, stream);
}

extern "C" cudaError_t nbody_move_load(enum element precision)
{
    return precision == ELEMENT_F32
               ? kernels::load(nbody::leapfrog_kernel<float>, nbody::source_step_kernel<float>)
               : kernels::load(nbody::leapfrog_kernel<double>, nbody::source_step_kernel<double>);
}
