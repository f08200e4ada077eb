// Registers the CUDA back ends with the models.
#include "gpu/backends.h"
#include "gpu/device.h"

void gpu_register(void)
{
    backend_register(&tsunami_backends, &tsunami_backend_cuda.head);
    backend_register(&tsunami_backends, &tsunami_backend_cuda_plain.head);
    backend_register(&bioheat_backends, &bioheat_backend_cuda.head);
    backend_register(&bioheat_backends, &bioheat_backend_cuda_plain.head);
    backend_register(&gas_backends, &gas_backend_cuda.head);
    backend_register(&ising_backends, &ising_backend_cuda.head);
    backend_register(&nbody_backends, &nbody_backend_cuda.head);
}
