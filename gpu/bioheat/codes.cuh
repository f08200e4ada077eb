// The codes of labelled media in the shared memory of the heat model's sweeping kernels: the copies of a
// tile's planes of codes, and the table of flux laws that codes are indices to.
#ifndef FATHOM_GPU_BIOHEAT_CODES_CUH
#define FATHOM_GPU_BIOHEAT_CODES_CUH

#include "gpu/bioheat/pipeline.cuh"

namespace heat {

// The codes of a tile: a row and 16 columns more on either side.
template <typename Tile> struct code_tile {
    enum {
        MARGIN = 16,
        PITCH = Tile::WIDTH + 2 * MARGIN,
        HIGH = Tile::HEIGHT + 2,
        CHUNKS_A_ROW = PITCH / 16,
        CHUNKS = CHUNKS_A_ROW * HIGH,
        CHUNKS_A_LANE = (CHUNKS + 31) / 32,
        PLANE = PITCH * HIGH
    };
};

// A lane's part of the copying of codes: distances from a plane's cell (0, 0).
template <typename Tile> struct code_copier {
    typedef code_tile<Tile> tile;
    int from[tile::CHUNKS_A_LANE];

    DEVICE void place(const heat_shape &shape, int x0, int y0)
    {
#pragma unroll
        for (int k = 0; k < tile::CHUNKS_A_LANE; k++) {
            const int chunk = static_cast<int>(threadIdx.x) % 32 + k * 32;
            const int y = min(y0 - 1 + chunk / tile::CHUNKS_A_ROW, shape.cells[BIOHEAT_Y]);
            from[k] = y * shape.pitch + x0 - tile::MARGIN + chunk % tile::CHUNKS_A_ROW * 16;
        }
    }

    DEVICE void copy(unsigned char *stage, const unsigned char *plane) const
    {
        const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
        for (int k = 0; k < tile::CHUNKS_A_LANE; k++)
            if ((k + 1) * 32 <= tile::CHUNKS || lane < tile::CHUNKS - k * 32)
                copy_async(stage + (lane + k * 32) * 16, plane + from[k]);
    }
};

// The flux laws of faces, by the label of the cell on the low side, then by the other cell's code without the
// bits of other axes. Rows have an additional element, so that columns use several banks.
template <typename Real> struct law_table {
    enum { COLUMNS = 2 * HEAT_FEW_LABELS };
    label_law<Real> of[HEAT_FEW_LABELS][COLUMNS + 1];
};

// The codes of a vector of cells, a byte each.
struct code_word {
    enum { EVERY_LABEL = 0x1f1f1f1f, EVERY_BIT = 0x20202020 };
    unsigned word;

    DEVICE static unsigned byte(unsigned word, int v)
    {
        return __byte_perm(word, 0, 0x4440u + static_cast<unsigned>(v));
    }

    DEVICE unsigned label(int v) const { return byte(word & EVERY_LABEL, v); }

    // The column of the law for the face on the cell's low side.
    DEVICE unsigned column(int axis, int v) const
    {
        return byte((word & EVERY_LABEL) | ((word >> axis) & EVERY_BIT), v);
    }
};

// The pairs of a vector of cells, a byte each: of each axis the two bits of the face on the low side.
struct pair_word {
    unsigned word;

    DEVICE unsigned of(int axis, int v) const
    {
        return word >> (8 * v + 2 * axis);
    } // higher bits are others'
};

template <int VECTOR> DEVICE code_word load_codes(const unsigned char *from)
{
    if (VECTOR == 4)
        return {*reinterpret_cast<const unsigned *>(from)};
    return {*reinterpret_cast<const unsigned short *>(from)};
}

} // namespace heat

#endif
