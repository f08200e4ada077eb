// Bonds and spins of lattices of the Ising model, counted on the device in one pass over their words; and
// other passes over all words.
#include "gpu/ising/kernels.h"
#include "gpu/ising/sum.cuh"
#include "gpu/launch.cuh"

namespace ising {
namespace {

__global__ void __launch_bounds__(SUM_THREADS)
    measure_kernel(const ising_words l, const uint32_t *words, const pieces p, long long *measures)
{
    measure_piece(l, words, p, blockIdx.x, measures);
}

__global__ void measure_clusters_kernel(int64_t replicas, bool clears, long long *flipped,
                                        long long *measures)
{
    const int64_t k = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (k >= replicas)
        return;
    measures[k * ISING_MEASURE_NUMBERS + 2] = flipped[k];
    if (clears)
        flipped[k] = 0;
}

__global__ void mask_kernel(int64_t count, uint32_t mask, uint32_t *words)
{
    const int64_t step = gridDim.x * static_cast<int64_t>(blockDim.x);
    for (int64_t k = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; k < count; k += step)
        words[k] &= mask;
}

unsigned blocks_for(int64_t threads)
{
    const int64_t blocks = (threads + SUM_THREADS - 1) / SUM_THREADS;
    return static_cast<unsigned>(blocks < 1 << 20 ? blocks : 1 << 20);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" cudaError_t ising_device_measure(const struct ising_device_lattice *lattice, long long *measures,
                                            cudaStream_t stream)
{
    const ising_words &l = lattice->layout;
    const pieces p = pieces_of(l, lattice->first, lattice->end);
    const cudaError_t error = cudaMemsetAsync(
        measures, 0, static_cast<size_t>(l.replicas) * ISING_MEASURE_NUMBERS * sizeof *measures, stream);
    if (error != cudaSuccess)
        return error;
    measure_kernel<<<static_cast<unsigned>(l.replicas * p.count), measuring_threads(l), 0, stream>>>(
        l, lattice->words, p, measures);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_measure_clusters(const struct ising_device_lattice *lattice,
                                                     long long *flipped, int clears, long long *measures,
                                                     cudaStream_t stream)
{
    const int64_t replicas = lattice->layout.replicas;
    measure_clusters_kernel<<<static_cast<unsigned>((replicas + SUM_THREADS - 1) / SUM_THREADS), SUM_THREADS,
                              0, stream>>>(replicas, clears != 0, flipped, measures);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_mask(const struct ising_device_lattice *lattice, cudaStream_t stream)
{
    const ising_words &l = lattice->layout;
    if (l.bits == 32)
        return cudaSuccess;
    const int64_t count = 2 * l.replicas * l.held * l.words;
    mask_kernel<<<blocks_for(count), SUM_THREADS, 0, stream>>>(
        count, ising_word_mask(l.bits), lattice->words + lattice->first_held * l.words);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_load_measures(void)
{
    return kernels::load(measure_kernel, measure_clusters_kernel, mask_kernel);
}
