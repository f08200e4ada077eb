// Stands for device.cu where CUDA is not compiled in.
#include "bench/ladder/ising/device.h"

static const char missing[] = "CUDA is not compiled in";

const char *ising_ladder_device_open(struct ising_ladder *lattice)
{
    (void)lattice;
    return missing;
}

const char *ising_ladder_device_set(struct ising_ladder *lattice, const int32_t *spins)
{
    (void)lattice, (void)spins;
    return missing;
}

const char *ising_ladder_device_advance(struct ising_ladder *lattice, uint32_t first, int count,
                                        int32_t *energy, int32_t *magnetisation)
{
    (void)lattice, (void)first, (void)count, (void)energy, (void)magnetisation;
    return missing;
}

const char *ising_ladder_device_get(struct ising_ladder *lattice, int32_t *spins)
{
    (void)lattice, (void)spins;
    return missing;
}

void ising_ladder_device_close(struct ising_ladder *lattice)
{
    (void)lattice;
}
