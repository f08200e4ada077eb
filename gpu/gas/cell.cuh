// The cell of an evenly divided box that a position belongs to.
#ifndef FATHOM_GPU_GAS_CELL_CUH
#define FATHOM_GPU_GAS_CELL_CUH

#include "gpu/inline.cuh"

namespace gas {

// On one axis, 0 … cells − 1. A position outside, or NaN, belongs to the nearest cell.
DEVICE unsigned cell_on(double x, double length, unsigned cells)
{
    const double index = x / length * cells;
    return index >= cells - 1 ? cells - 1 : index > 0 ? static_cast<unsigned>(index) : 0;
}

} // namespace gas

#endif
