// Ranks that share a device (see the header).
#include "gpu/shared_device.h"

#include "gpu/memory.h"

#include <stdlib.h>
#include <string.h>

// A number that only this device has; its bits in a double. Half of the UUID tells devices apart.
static enum status number_device(double *number)
{
    struct cudaDeviceProp properties;
    int device;
    CUDA_CHECK(cudaGetDevice(&device), "to name its device");
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device), "to describe its device");
    memcpy(number, &properties.uuid, sizeof *number);
    return STATUS_OK;
}

enum status gpu_find_shared_device(struct ranks *ranks, int *a, int *b)
{
    double *numbers = calloc((size_t)ranks->count, sizeof *numbers);
    *a = *b = -1;
    if (!numbers)
        return FAIL(STATUS_SYSTEM, "no memory for the devices of %d ranks", ranks->count);
    ranks_forget(numbers, ranks->count);
    enum status status = number_device(&numbers[ranks->rank]);
    if (status == STATUS_OK)
        status = ranks_join(ranks, TRANSPORT_STEPS, numbers, ranks->count);
    for (int q = 1; status == STATUS_OK && q < ranks->count && *a < 0; q++)
        for (int p = 0; p < q && *a < 0; p++)
            if (memcmp(&numbers[p], &numbers[q], sizeof *numbers) == 0) {
                *a = p;
                *b = q;
            }
    free(numbers);
    return status;
}
