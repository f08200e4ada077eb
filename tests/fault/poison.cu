// A kernel that writes where nothing is: from then on the device refuses this process everything, as if it
// were lost. For tests only.
#include <cuda_runtime.h>

__global__ void write_nowhere(volatile int *where)
{
    *where = 1;
}

extern "C" void poison_device(void);

extern "C" void poison_device(void)
{
    write_nowhere<<<1, 1, 0, cudaStreamPerThread>>>(reinterpret_cast<int *>(16));
    (void)cudaDeviceSynchronize(); // its error is for the run to find
}
