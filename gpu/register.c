// The CUDA back ends, handed to the models.
#include "gpu/device.h"
#include "gpu/tsunami.h"

void gpu_register(void)
{
    tsunami_backend_register(&tsunami_backend_cuda);
    tsunami_backend_register(&tsunami_backend_cuda_plain);
}
