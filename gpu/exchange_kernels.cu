// The kernels of an exchange between the devices of one host (see the header).
//
// Release and acquire (PTX ISA, memory consistency model): every block of the sender makes its writes
// visible to its device before it counts itself as done; the last one, which has seen the others' counts,
// makes all of them visible to the system and writes the flag. A reader that has seen the flag sees the rows.
// Fences of system scope take long, more so when many threads make them: one does.
#include "gpu/exchange_kernels.h"

#include "gpu/clock.cuh"
#include "gpu/inline.cuh"
#include "gpu/launch.cuh"
#include "gpu/release.cuh"

#include <stdint.h>

namespace exchange {
namespace {

enum { THREADS = 256, BYTES_A_BLOCK = THREADS * 16 * 4, LOOKS = 256 };

// By all threads of the launch's blocks along x: between the rows of a piece and a dense buffer. A thread
// loads some words before it stores them: few threads must keep many bytes on their way.
template <typename Word, bool TO_ROWS>
DEVICE void copy_words(const gpu_exchange_piece &piece, char *rows, char *dense)
{
    enum { AT_ONCE = 8 };
    const unsigned in_part = static_cast<unsigned>(piece.bytes / sizeof(Word)),
                   count = static_cast<unsigned>(piece.count) * in_part, stride = gridDim.x * THREADS;
    const auto row_at = [&](unsigned k) {
        const unsigned part = in_part == count ? 0 : k / in_part;
        return reinterpret_cast<Word *>(rows + part * piece.stride) + (k - part * in_part);
    };
    Word *const words = reinterpret_cast<Word *>(dense);
    for (unsigned first = blockIdx.x * THREADS + threadIdx.x; first < count; first += AT_ONCE * stride) {
        Word held[AT_ONCE];
#pragma unroll
        for (unsigned k = 0; k < AT_ONCE; k++)
            if (first + k * stride < count)
                held[k] = TO_ROWS ? words[first + k * stride] : *row_at(first + k * stride);
#pragma unroll
        for (unsigned k = 0; k < AT_ONCE; k++)
            if (first + k * stride < count)
                *(TO_ROWS ? row_at(first + k * stride) : words + first + k * stride) = held[k];
    }
}

template <bool TO_ROWS> DEVICE void copy(const gpu_exchange_piece &piece, const void *rows, const void *dense)
{
    const uintptr_t all =
        reinterpret_cast<uintptr_t>(rows) | reinterpret_cast<uintptr_t>(dense) | piece.bytes | piece.stride;
    char *const at = static_cast<char *>(const_cast<void *>(rows)), *const buffer = static_cast<char *>(
                                                                        const_cast<void *>(dense));
    if ((all & (sizeof(uint4) - 1)) == 0)
        copy_words<uint4, TO_ROWS>(piece, at, buffer);
    else
        copy_words<unsigned, TO_ROWS>(piece, at, buffer);
}

// A side for each of the blocks along y.
__global__ void __launch_bounds__(THREADS) push_kernel(const __grid_constant__ gpu_exchange_message m)
{
    const int side = static_cast<int>(blockIdx.y);
    char *to = m.there[side];
    if (!to)
        return;
    for (int k = 0; k < m.count; to += m.pieces[k].bytes * m.pieces[k].count, k++)
        copy<false>(m.pieces[k], m.pieces[k].send[side], to);
    if (!m.flags)
        return;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    __threadfence();
    if (atomicAdd(&m.flags->done[side], 1u) + 1 < gridDim.x)
        return;
    m.flags->done[side] = 0;
    __threadfence_system();
    store_release(m.their_number[side], m.number);
}

// Numbers may wrap around.
DEVICE void await_number(const gpu_exchange_message &m, int side)
{
    const unsigned long long begin_ns = kernels::now_ns();
    for (int k = 1; static_cast<int>(load_acquire(&m.flags->number[side]) - m.number) < 0; k++)
        if (k % LOOKS == 0 && *static_cast<const volatile int *>(m.failure) != 0)
            break;
    if (blockIdx.x == 0)
        m.flags->waited_ns[side] += kernels::now_ns() - begin_ns;
}

__global__ void __launch_bounds__(THREADS) pull_kernel(const __grid_constant__ gpu_exchange_message m)
{
    const int side = static_cast<int>(blockIdx.y);
    const char *from = m.here[side];
    if (!from)
        return;
    if (threadIdx.x == 0 && m.flags)
        await_number(m, side);
    __syncthreads();
    for (int k = 0; k < m.count; from += m.pieces[k].bytes * m.pieces[k].count, k++)
        copy<true>(m.pieces[k], m.pieces[k].receive[side], from);
}

dim3 blocks_of(const gpu_exchange_message *m)
{
    size_t bytes = 0;
    for (int k = 0; k < m->count; k++)
        bytes += m->pieces[k].bytes * m->pieces[k].count;
    unsigned blocks = kernels::blocks_for(static_cast<long long>(bytes), BYTES_A_BLOCK);
    const unsigned most = static_cast<unsigned>(m->blocks_max);
    blocks = blocks < 1 ? 1 : blocks > most ? most : blocks;
    return dim3(blocks, GPU_EXCHANGE_SIDES);
}

} // namespace
} // namespace exchange

using namespace exchange;

extern "C" cudaError_t gpu_exchange_push(const gpu_exchange_message *message, cudaStream_t stream)
{
    push_kernel<<<blocks_of(message), THREADS, 0, stream>>>(*message);
    return cudaGetLastError();
}

extern "C" cudaError_t gpu_exchange_pull(const gpu_exchange_message *message, cudaStream_t stream)
{
    pull_kernel<<<blocks_of(message), THREADS, 0, stream>>>(*message);
    return cudaGetLastError();
}

extern "C" cudaError_t gpu_exchange_load(void)
{
    return kernels::load(push_kernel, pull_kernel);
}
