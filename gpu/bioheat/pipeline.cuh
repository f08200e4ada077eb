// The planes in shared memory of the heat model's sweeping kernels: a ring of stages that one warp, the
// supplier, fills some planes ahead by asynchronous copies. The other warps, the workers, wait only for the
// planes that they read, so that those with little work in a plane may run ahead. Knows no step.
//
// Rows and planes beyond the sides along y and z are copied from their images. Along x the images are in the
// array, two on either side of a row (heat_extend_rows).
#ifndef FATHOM_GPU_BIOHEAT_PIPELINE_CUH
#define FATHOM_GPU_BIOHEAT_PIPELINE_CUH

#include "gpu/bioheat/tile.cuh"

namespace heat {

// ---- copies

// 16 bytes from device to shared memory, without waiting.
DEVICE void copy_async(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
}

// Prefetches into the second cache level.
DEVICE void fetch_ahead(const void *from)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

// ---- gates

// A thread waits at a gate until all expected arrivals have come, repeatedly; the parity is that of the
// number of earlier completions.
typedef unsigned long long gate;

DEVICE unsigned shared_address(const void *of)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(of));
}

DEVICE void make_gate(gate *g, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(g)), "r"(arrivals) : "memory");
}

DEVICE void arrive(gate *g)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(shared_address(g))
                 : "memory");
}

// Arrives when the thread's copies are complete.
DEVICE void arrive_after_copies(gate *g)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(g)) : "memory");
}

DEVICE void await(gate *g, unsigned parity)
{
    unsigned is_open = 0;
    while (!is_open)
        asm volatile("{ .reg .pred open;\n"
#if __CUDA_ARCH__ >= 900
                     "mbarrier.try_wait.parity.shared.b64 open, [%1], %2;\n"
#else
                     "mbarrier.test_wait.parity.shared.b64 open, [%1], %2;\n"
#endif
                     "selp.u32 %0, 1, 0, open; }"
                     : "=r"(is_open)
                     : "r"(shared_address(g)), "r"(parity)
                     : "memory");
}

// Of the ring's stages.
template <typename Tile> struct stage_gates {
    gate filled[Tile::STAGES], freed[Tile::STAGES];

    DEVICE void make()
    {
        const int stage = static_cast<int>(threadIdx.x);
        if (stage < Tile::STAGES) {
            make_gate(&filled[stage], 32);
            make_gate(&freed[stage], 32 * Tile::WORKERS);
        }
    }

    // A worker's thread has finished reading the stage. One lane for its warp, after __syncwarp, was 2 %
    // faster with full fields and up to 5 % slower with labels; and racecheck, which does not count what the
    // other lanes read as finished then, reported every stage that was filled again.
    DEVICE void leave(int stage) { arrive(&freed[stage]); }
};

// A lane's part of the copy of a plane of θ, or of a full field, with HEAT_HALO rows and a vector of columns
// around the tile: distances in bytes from the beginning of the plane's rows. Of θ (`maps`), rows beyond a
// side are copied from their images; those of fields are in the array.
template <typename Tile> struct plane_copier {
    typedef typename Tile::Real Real;
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    unsigned from[Tile::CHUNKS_A_LANE];

    DEVICE void place(const heat_shape &shape, int x0, int y0, bool maps)
    {
        const int ny = shape.cells[BIOHEAT_Y];
#pragma unroll
        for (int k = 0; k < Tile::CHUNKS_A_LANE; k++) {
            const int chunk = min(static_cast<int>(threadIdx.x) % 32 + k * 32, Tile::CHUNKS - 1);
            const int x = x0 + (chunk % Tile::CHUNKS_A_ROW - 1) * VECTOR;
            int y = y0 - HEAT_HALO + chunk / Tile::CHUNKS_A_ROW;
            y = maps ? mapped(y, ny, shape.is_periodic[BIOHEAT_Y]) : min(y, ny + HEAT_HALO - 1);
            from[k] = static_cast<unsigned>((y + HEAT_HALO) * shape.pitch + x + HEAT_LEFT) *
                      static_cast<unsigned>(sizeof(Real));
        }
    }

    // `plane`: its cell (0, 0).
    DEVICE void copy(const heat_shape &shape, Real *stage, const Real *plane) const
    {
        const char *const rows = reinterpret_cast<const char *>(plane - HEAT_HALO * shape.pitch - HEAT_LEFT);
        const int lane = static_cast<int>(threadIdx.x) % 32;
        Real *const to = stage + lane * VECTOR;
#pragma unroll
        for (int k = 0; k < Tile::CHUNKS_A_LANE; k++)
            if ((k + 1) * 32 <= Tile::CHUNKS || lane < Tile::CHUNKS - k * 32)
                copy_async(to + k * 32 * VECTOR, rows + from[k]);
    }
};

// ---- the ring

template <typename Tile> DEVICE int stage_after(int stage)
{
    return stage + 1 == Tile::STAGES ? 0 : stage + 1;
}

// The stages of the ring that hold the planes −1, 0, 1, 2 from the present one; filled in order, from two
// planes below the first.
template <typename Tile> struct sweep_ring {
    int before, here, next, after;
    unsigned parity; // of the gate that the last of these is awaited at

    // At the faces below the first plane.
    DEVICE static sweep_ring first()
    {
        static_assert(static_cast<int>(Tile::STAGES) > 4, "four planes are at work");
        return {0, 1, 2, 3, 0};
    }

    DEVICE void go_on()
    {
        before = here;
        here = next;
        next = after;
        after = stage_after<Tile>(after);
        parity ^= after == 0;
    }
};

// The supplier's loop: fill(z, stage) begins the copies of a plane.
template <typename Tile, typename Fill>
DEVICE void supply(stage_gates<Tile> &gates, const sweep_block<Tile> &block, Fill fill)
{
    unsigned parity = 1; // the first waits return at once
    int stage = 0;
    for (int z = block.first - HEAT_HALO; z < block.last + HEAT_HALO; z++) {
        await(&gates.freed[stage], parity);
        fill(z, stage);
        arrive_after_copies(&gates.filled[stage]);
        stage = stage_after<Tile>(stage);
        parity ^= stage == 0;
    }
}

} // namespace heat

#endif
