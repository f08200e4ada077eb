// The rungs on a device (rung.h): Karkoulis (2010), 4.1 to 4.4.
#include "bench/ladder/ising/device.h"

#include "bench/ladder/ising/minstd.h"

#include <cuda_runtime.h>

#include <cstdlib>

namespace {

struct ladder_view {
    int32_t *spins;
    cudaTextureObject_t texture; // of the spins
    int64_t *seeds;              // of each thread of the lattice
    const ising_ladder_chance *chances;
    philox_key key;
    int side;
    uint32_t sweep;
    int sublattice; // models/ising/state.h: (0,0), (1,1), (1,0), (0,1)
};

template <ising_ladder_memory memory> __device__ int32_t spin_at(const ladder_view &view, int site)
{
    return memory == ISING_LADDER_GLOBAL ? view.spins[site] : tex1Dfetch<int32_t>(view.texture, site);
}

// Blocks at an edge of the lattice wrap; the others need not test.
template <ising_ladder_memory memory>
__device__ int32_t sum_of_neighbours(const ladder_view &view, int site, bool is_edge)
{
    int right = site + 1, left = site - 1, below = site + view.side, above = site - view.side;
    if (is_edge) {
        const int sites = view.side * view.side;
        right -= right >= sites ? sites : 0;
        left += left < 0 ? sites : 0;
        below -= below >= sites ? sites : 0;
        above += above < 0 ? sites : 0;
    }
    return spin_at<memory>(view, right) + spin_at<memory>(view, left) + spin_at<memory>(view, below) +
           spin_at<memory>(view, above);
}

__device__ bool is_accepted(const ising_ladder_chance &chance, int64_t *seed)
{
    *seed = minstd_next(*seed);
    return static_cast<float>(minstd_uniform(*seed)) < chance.probability;
}

// The model's own random word of site (x, y).
__device__ bool is_accepted(const ising_ladder_chance &chance, const ladder_view &view, int x, int y)
{
    const uint64_t word = static_cast<uint64_t>(y) * (view.side / 2) + x / 2;
    return ising_random_word(view.key, word, view.sweep, ising_purpose(ISING_USE_SPINS, view.sublattice, 0)) <
           chance.threshold;
}

// A thread owns 2 × 2 sites, and updates that of the sublattice.
template <ising_ladder_memory memory, ising_ladder_draws draws>
__global__ void sublattice_kernel(const ladder_view view)
{
    extern __shared__ int64_t seeds[]; // then, STAGED, the block's spins
    __shared__ ising_ladder_chance chances[ISING_LADDER_CHANCES];
    const int local = threadIdx.x + blockDim.x * threadIdx.y;
    const int across = threadIdx.x + blockDim.x * blockIdx.x, down = threadIdx.y + blockDim.y * blockIdx.y;
    const int thread = across + blockDim.x * gridDim.x * down;
    int32_t *const staged = reinterpret_cast<int32_t *>(seeds + blockDim.x * blockDim.y);
    if (local < ISING_LADDER_CHANCES)
        chances[local] = view.chances[local];
    if (draws == ISING_LADDER_MINSTD)
        seeds[local] = view.seeds[thread];
    __syncthreads();
    const int x = 2 * across + (view.sublattice == 1 || view.sublattice == 2),
              y = 2 * down + (view.sublattice == 1 || view.sublattice == 3), site = x + view.side * y;
    const bool is_edge =
        blockIdx.x == 0 || blockIdx.x == gridDim.x - 1 || blockIdx.y == 0 || blockIdx.y == gridDim.y - 1;
    int32_t spin = spin_at<memory>(view, site);
    if (memory == ISING_LADDER_STAGED) {
        staged[local] = spin;
        __syncthreads();
        spin = staged[local];
    }
    const int product = spin * sum_of_neighbours<memory>(view, site, is_edge);
    bool flips = product <= 0;
    if (!flips)
        flips = draws == ISING_LADDER_MINSTD ? is_accepted(chances[product], &seeds[local])
                                             : is_accepted(chances[product], view, x, y);
    if (memory == ISING_LADDER_STAGED) {
        staged[local] = flips ? -spin : spin;
        __syncthreads();
        view.spins[site] = staged[local];
    } else if (flips) {
        view.spins[site] = -spin;
    }
    __syncthreads();
    if (draws == ISING_LADDER_MINSTD)
        view.seeds[thread] = seeds[local];
}

// ---- energy and magnetisation: sums of a block by halves, then sums of the sums

__device__ void add_up_block(int32_t *sums)
{
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
}

template <ising_ladder_memory memory, bool is_energy>
__global__ void partial_kernel(const ladder_view view, int32_t *partial)
{
    extern __shared__ int32_t sums[];
    const int site = threadIdx.x + blockDim.x * blockIdx.x, sites = view.side * view.side;
    const int right = site + 1 >= sites ? 0 : site + 1,
              below = site + view.side >= sites ? site + view.side - sites : site + view.side;
    const int32_t spin = spin_at<memory>(view, site);
    sums[threadIdx.x] =
        is_energy ? -spin * (spin_at<memory>(view, right) + spin_at<memory>(view, below)) : spin;
    add_up_block(sums);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

__global__ void recursive_kernel(const int32_t *from, int32_t *to)
{
    extern __shared__ int32_t sums[];
    sums[threadIdx.x] = from[threadIdx.x + blockDim.x * blockIdx.x];
    add_up_block(sums);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sums[0];
}

} // namespace

struct ising_ladder_device {
    cudaStream_t stream;
    ladder_view view;
    ising_ladder_chance *chances;
    int32_t *partial[2]; // the sums of one pass are the next one's input
};

namespace {

size_t sites_of(const ising_ladder *lattice)
{
    return static_cast<size_t>(lattice->setup.side) * lattice->setup.side;
}

const char *text_of(cudaError_t error)
{
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <ising_ladder_memory memory>
void launch_sublattice(const ising_ladder_setup &setup, const ladder_view &view, cudaStream_t stream)
{
    const dim3 block(setup.block_x, setup.block_y);
    const dim3 grid(setup.side / (2 * setup.block_x), setup.side / (2 * setup.block_y));
    const size_t threads = static_cast<size_t>(setup.block_x) * setup.block_y,
                 bytes = threads * (sizeof(int64_t) + sizeof(int32_t));
    if (setup.draws == ISING_LADDER_MINSTD)
        sublattice_kernel<memory, ISING_LADDER_MINSTD><<<grid, block, bytes, stream>>>(view);
    else
        sublattice_kernel<memory, ISING_LADDER_PHILOX><<<grid, block, bytes, stream>>>(view);
}

// One block has four times the threads of an update's. The sum comes back to the host at once.
template <ising_ladder_memory memory, bool is_energy>
cudaError_t add_up(const ising_ladder *lattice, int32_t *sum)
{
    const ising_ladder_device *device = lattice->device;
    const int most = 4 * lattice->setup.block_x * lattice->setup.block_y;
    const int32_t *from = device->partial[0];
    int left = static_cast<int>(sites_of(lattice)) / most, pass = 0;
    partial_kernel<memory, is_energy>
        <<<left, most, most * sizeof(int32_t), device->stream>>>(device->view, device->partial[0]);
    while (left > 1) {
        const int threads = left < most ? left : most;
        int32_t *const to = device->partial[++pass % 2];
        left /= threads;
        recursive_kernel<<<left, threads, threads * sizeof(int32_t), device->stream>>>(from, to);
        from = to;
    }
    const cudaError_t error = cudaMemcpyAsync(sum, from, sizeof *sum, cudaMemcpyDeviceToHost, device->stream);
    return error == cudaSuccess ? cudaStreamSynchronize(device->stream) : error;
}

template <ising_ladder_memory memory>
cudaError_t advance(ising_ladder *lattice, uint32_t first, int count, int32_t *energy, int32_t *magnetisation)
{
    ladder_view &view = lattice->device->view;
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < count && error == cudaSuccess; k++) {
        view.sweep = first + k;
        for (view.sublattice = 0; view.sublattice < 4; view.sublattice++)
            launch_sublattice<memory>(lattice->setup, view, lattice->device->stream);
        error = cudaGetLastError();
        if (error == cudaSuccess)
            error = add_up<memory, true>(lattice, &energy[k]);
        if (error == cudaSuccess)
            error = add_up<memory, false>(lattice, &magnetisation[k]);
    }
    return error;
}

cudaError_t make_texture(ising_ladder_device *device, size_t sites)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device->view.spins;
    resource.res.linear.desc = cudaCreateChannelDesc<int32_t>();
    resource.res.linear.sizeInBytes = sites * sizeof(int32_t);
    how.readMode = cudaReadModeElementType;
    return cudaCreateTextureObject(&device->view.texture, &resource, &how, nullptr);
}

cudaError_t reserve(ising_ladder *lattice)
{
    const size_t sites = sites_of(lattice);
    ising_ladder_device *const device = lattice->device;
    const struct {
        void **to;
        size_t bytes;
    } arrays[] = {{reinterpret_cast<void **>(&device->view.spins), sites * sizeof(int32_t)},
                  {reinterpret_cast<void **>(&device->view.seeds), sites / 4 * sizeof(int64_t)},
                  {reinterpret_cast<void **>(&device->chances), sizeof lattice->chance},
                  {reinterpret_cast<void **>(&device->partial[0]), sites * sizeof(int32_t)},
                  {reinterpret_cast<void **>(&device->partial[1]), sites * sizeof(int32_t)}};
    cudaError_t error = cudaStreamCreate(&device->stream);
    for (const auto &array : arrays)
        if (error == cudaSuccess)
            error = cudaMalloc(array.to, array.bytes);
    return error == cudaSuccess ? make_texture(device, sites) : error;
}

cudaError_t fill(ising_ladder *lattice)
{
    const size_t threads = sites_of(lattice) / 4;
    ising_ladder_device *const device = lattice->device;
    int64_t *const seeds = static_cast<int64_t *>(malloc(threads * sizeof *seeds));
    if (!seeds)
        return cudaErrorMemoryAllocation;
    minstd_make_seeds(lattice->setup.seed, threads, seeds);
    device->view.side = lattice->setup.side;
    device->view.key = lattice->key;
    device->view.chances = device->chances;
    cudaError_t error = cudaMemcpyAsync(device->view.seeds, seeds, threads * sizeof *seeds,
                                        cudaMemcpyHostToDevice, device->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(device->chances, lattice->chance, sizeof lattice->chance,
                                cudaMemcpyHostToDevice, device->stream);
    const cudaError_t waited = cudaStreamSynchronize(device->stream);
    free(seeds);
    return error == cudaSuccess ? waited : error;
}

} // namespace

extern "C" const char *ising_ladder_device_open(ising_ladder *lattice)
{
    lattice->device = static_cast<ising_ladder_device *>(calloc(1, sizeof *lattice->device));
    if (!lattice->device)
        return "no memory for a lattice";
    const cudaError_t error = reserve(lattice);
    if (error != cudaSuccess)
        return text_of(error);
    const size_t sites = sites_of(lattice);
    int32_t *const spins = static_cast<int32_t *>(malloc(sites * sizeof *spins));
    if (!spins)
        return "no memory for the spins";
    for (size_t site = 0; site < sites; site++)
        spins[site] = 1;
    const char *why = ising_ladder_device_set(lattice, spins);
    free(spins);
    return why ? why : text_of(fill(lattice));
}

extern "C" const char *ising_ladder_device_set(ising_ladder *lattice, const int32_t *spins)
{
    const size_t bytes = sites_of(lattice) * sizeof *spins;
    const cudaStream_t stream = lattice->device->stream;
    const cudaError_t error =
        cudaMemcpyAsync(lattice->device->view.spins, spins, bytes, cudaMemcpyHostToDevice, stream);
    return text_of(error == cudaSuccess ? cudaStreamSynchronize(stream) : error);
}

extern "C" const char *ising_ladder_device_get(ising_ladder *lattice, int32_t *spins)
{
    const size_t bytes = sites_of(lattice) * sizeof *spins;
    const cudaStream_t stream = lattice->device->stream;
    const cudaError_t error =
        cudaMemcpyAsync(spins, lattice->device->view.spins, bytes, cudaMemcpyDeviceToHost, stream);
    return text_of(error == cudaSuccess ? cudaStreamSynchronize(stream) : error);
}

extern "C" const char *ising_ladder_device_advance(ising_ladder *lattice, uint32_t first, int count,
                                                   int32_t *energy, int32_t *magnetisation)
{
    switch (lattice->setup.memory) {
    case ISING_LADDER_GLOBAL:
        return text_of(advance<ISING_LADDER_GLOBAL>(lattice, first, count, energy, magnetisation));
    case ISING_LADDER_TEXTURE:
        return text_of(advance<ISING_LADDER_TEXTURE>(lattice, first, count, energy, magnetisation));
    default:
        return text_of(advance<ISING_LADDER_STAGED>(lattice, first, count, energy, magnetisation));
    }
}

extern "C" void ising_ladder_device_close(ising_ladder *lattice)
{
    ising_ladder_device *const device = lattice->device;
    if (!device)
        return;
    if (device->view.texture)
        cudaDestroyTextureObject(device->view.texture);
    cudaFree(device->view.spins);
    cudaFree(device->view.seeds);
    cudaFree(device->chances);
    cudaFree(device->partial[0]);
    cudaFree(device->partial[1]);
    if (device->stream)
        cudaStreamDestroy(device->stream);
    free(device);
    lattice->device = nullptr;
}
