// Solves many tridiagonal systems at once, for the dispersion. Independent of the grid.
//
// A thread block solves DISPERSION_LINES lines, or a segment of each line if they are longer, in shared
// memory. Each thread has a part of a line, of two rows or more. After Wang (1981, ACM Trans. Math. Softw.
// 7(2), 170–183) each part eliminates its inner unknowns, until its first and last row contain only these two
// and the nearest unknowns of the adjacent parts. Cyclic reduction of all these rows at once (Hockney &
// Jesshope 1981, Parallel Computers, §5.4) leaves the segment's own first and last row. If the segment is the
// whole line, these two are coupled only to each other (in a periodic line twice). Otherwise the first and
// last rows of all segments form a shorter system, which is solved in the same way; then the other unknowns
// follow. All rows are diagonally dominant and remain so.
#ifndef FATHOM_GPU_TSUNAMI_DISPERSION_LINES_CUH
#define FATHOM_GPU_TSUNAMI_DISPERSION_LINES_CUH

#include "gpu/tsunami/kernels.h"
#include "gpu/tsunami/point.cuh"

namespace tsunami {

// Adjacent lines: row k of line l lies at l·pitch + k along x, at k·pitch + l along y. lower ψ₋ + (1 − lower
// − upper) ψ + upper ψ₊ = value + added − taken; `added` and `taken` may be NULL; ψ may overwrite any of
// them.
template <typename Real> struct dispersion_lines {
    const Real *lower, *upper, *value, *added, *taken;
    Real *psi;
    size_t pitch;
    int lines, rows;
};

// The first and last rows of the segments of long lines: [2 · segments][pitch].
template <typename Real> struct dispersion_ends {
    Real *lower, *upper, *value;
    size_t pitch;
};

// A row during the elimination: lower x₋ + x + upper x₊ = value, of two other unknowns.
template <typename Real> struct dispersion_equation {
    Real lower, upper, value;
};

// A segment's rows, and the first and last row of each of its parts.
template <typename Real> struct dispersion_shared {
    Real lower[DISPERSION_SHARED(Real)], upper[DISPERSION_SHARED(Real)], value[DISPERSION_SHARED(Real)];
    dispersion_equation<Real> ends[2 * DISPERSION_PARTS(Real)][DISPERSION_LINES];
};

// The index in shared memory of row `row` of a line. It avoids bank conflicts when lines are copied and when
// the threads work on their parts.
template <bool ALONG_X, typename Real> DEVICE int dispersion_at(int row, int line)
{
    return ALONG_X ? line * (DISPERSION_ROWS(Real) + 1) + row
                   : (row + row / DISPERSION_PART_ROWS) * DISPERSION_LINES + line;
}

// The lines and rows of a thread block.
struct dispersion_block {
    int line, lines;      // the first line, and the number of lines
    int begin, rows;      // of each line
    int first, last, own; // the thread's part, in rows of the segment: [first, last]; its lane
    bool is_there;
    int held, end_held; // of a divided grid: the rows of the parts that are held
};

template <typename Real> DEVICE dispersion_block dispersion_block_of(const dispersion_lines<Real> &l)
{
    dispersion_block b;
    b.line = (int)(blockIdx.x * DISPERSION_LINES);
    b.lines = min(DISPERSION_LINES, l.lines - b.line);
    b.begin = (int)((long long)l.rows * blockIdx.y / gridDim.y);
    b.rows = (int)((long long)l.rows * (blockIdx.y + 1) / gridDim.y) - b.begin;
    b.first = b.rows * (int)threadIdx.y / (int)blockDim.y;
    b.last = b.rows * ((int)threadIdx.y + 1) / (int)blockDim.y - 1;
    b.own = (int)threadIdx.x;
    b.is_there = b.own < b.lines;
    return b;
}

template <bool ALONG_X, typename Real>
DEVICE size_t dispersion_place(const dispersion_lines<Real> &l, const dispersion_block &b, int row, int line)
{
    return ALONG_X ? (size_t)(b.line + line) * l.pitch + b.begin + row
                   : (size_t)(b.begin + row) * l.pitch + b.line + line;
}

// The row and the line of the value that a thread copies in round `turn`. Adjacent threads copy adjacent
// values.
template <bool ALONG_X> DEVICE bool dispersion_turn(const dispersion_block &b, int turn, int *row, int *line)
{
    const int threads = (int)blockDim.y * DISPERSION_LINES;
    const int thread = (int)threadIdx.y * DISPERSION_LINES + (int)threadIdx.x;
    *row = ALONG_X ? turn / DISPERSION_LINES * threads + thread : turn * (int)blockDim.y + (int)threadIdx.y;
    *line = ALONG_X ? turn % DISPERSION_LINES : (int)threadIdx.x;
    return *row < b.rows && *line < b.lines;
}

template <bool ALONG_X> DEVICE int dispersion_turns(const dispersion_block &b)
{
    const int threads = (int)blockDim.y * (ALONG_X ? DISPERSION_LINES : 1);
    return (b.rows + threads - 1) / threads * (ALONG_X ? DISPERSION_LINES : 1);
}

// Copies the lines to shared memory; a thread loads several values at a time. IS_DIVIDED: the rows that are
// held.
template <bool ALONG_X, bool IS_DIVIDED = false, typename Real>
DEVICE void dispersion_fetch(const dispersion_lines<Real> &l, const dispersion_block &b,
                             dispersion_shared<Real> &shared)
{
    enum { TURNS = 8 };
    for (int turn = 0; turn < dispersion_turns<ALONG_X>(b); turn += TURNS) {
        dispersion_equation<Real> e[TURNS];
        Real added[TURNS] = {}, taken[TURNS] = {};
        int to[TURNS];
#pragma unroll
        for (int k = 0; k < TURNS; k++) {
            int row, line;
            bool is_there = dispersion_turn<ALONG_X>(b, turn + k, &row, &line);
            if (IS_DIVIDED)
                is_there = is_there && row >= b.held && row < b.end_held;
            to[k] = is_there ? dispersion_at<ALONG_X, Real>(row, line) : -1;
            if (!is_there)
                continue;
            const size_t from = dispersion_place<ALONG_X>(l, b, row, line);
            e[k] = {l.lower[from], l.upper[from], l.value[from]};
            if (l.added)
                added[k] = l.added[from];
            if (l.taken)
                taken[k] = l.taken[from];
        }
#pragma unroll
        for (int k = 0; k < TURNS; k++) {
            if (to[k] < 0)
                continue;
            shared.lower[to[k]] = e[k].lower;
            shared.upper[to[k]] = e[k].upper;
            shared.value[to[k]] = e[k].value + added[k] - taken[k];
        }
    }
    __syncthreads();
}

// The diagonal element of a row: 1 − lower − upper for the lines, 1 for the system of the segments' ends.
template <bool IS_ENDS, typename Real> DEVICE Real dispersion_diagonal(dispersion_equation<Real> e)
{
    return IS_ENDS ? Real(1) : Real(1) - e.lower - e.upper;
}

template <typename Real>
DEVICE dispersion_equation<Real> dispersion_take(const dispersion_shared<Real> &shared, int at)
{
    return {shared.lower[at], shared.upper[at], shared.value[at]};
}

// Eliminates from the second row of the part downwards: then the rows contain the first unknown of the part
// instead of the one before. Returns the last row.
template <bool ALONG_X, bool IS_ENDS, typename Real>
DEVICE dispersion_equation<Real> dispersion_eliminate(const dispersion_block &b,
                                                      dispersion_shared<Real> &shared)
{
    dispersion_equation<Real> e = {-1, 0, 0}; // the first row: x is x of the first
    for (int row = b.first + 1; row <= b.last; row++) {
        const int at = dispersion_at<ALONG_X, Real>(row, b.own);
        const dispersion_equation<Real> given = dispersion_take(shared, at);
        const Real inverse =
            FV_DIVIDE(Real(1), MADD(-given.lower, e.upper, dispersion_diagonal<IS_ENDS>(given)));
        e = {-(given.lower * e.lower) * inverse, given.upper * inverse,
             MADD(-given.lower, e.value, given.value) * inverse};
        shared.lower[at] = e.lower;
        shared.upper[at] = e.upper;
        shared.value[at] = e.value;
    }
    return e;
}

// Returns the first row of the part, with the last unknown instead of the next one.
template <bool ALONG_X, bool IS_ENDS, typename Real>
DEVICE dispersion_equation<Real> dispersion_first(const dispersion_block &b,
                                                  const dispersion_shared<Real> &shared)
{
    dispersion_equation<Real> e = {0, -1, 0}; // the last row: x is x of the last
    for (int row = b.last - 1; row > b.first; row--) {
        const dispersion_equation<Real> here =
            dispersion_take(shared, dispersion_at<ALONG_X, Real>(row, b.own));
        e = {MADD(-here.upper, e.lower, here.lower), -(here.upper * e.upper),
             MADD(-here.upper, e.value, here.value)};
    }
    const dispersion_equation<Real> given =
        dispersion_take(shared, dispersion_at<ALONG_X, Real>(b.first, b.own));
    const Real inverse = FV_DIVIDE(Real(1), MADD(-given.upper, e.lower, dispersion_diagonal<IS_ENDS>(given)));
    return {given.lower * inverse, -(given.upper * e.upper) * inverse,
            MADD(-given.upper, e.value, given.value) * inverse};
}

// One round of the reduction: eliminates the rows at `stride` to both sides. Rows 0 and `rows` − 1 are the
// segment's own first and last, and are kept.
template <typename Real>
DEVICE dispersion_equation<Real> dispersion_reduced(const dispersion_shared<Real> &shared, int row,
                                                    int stride, int rows, int line)
{
    const dispersion_equation<Real> here = shared.ends[row][line];
    const bool has_before = row - stride >= 1, has_after = row + stride <= rows - 2;
    const dispersion_equation<Real> before = shared.ends[has_before ? row - stride : row][line];
    const dispersion_equation<Real> after = shared.ends[has_after ? row + stride : row][line];
    const Real lower = has_before ? here.lower : Real(0), upper = has_after ? here.upper : Real(0);
    const Real inverse = FV_DIVIDE(Real(1), MADD(-upper, after.lower, MADD(-lower, before.upper, Real(1))));
    return {(has_before ? -(lower * before.lower) : here.lower) * inverse,
            (has_after ? -(upper * after.upper) : here.upper) * inverse,
            MADD(-upper, after.value, MADD(-lower, before.value, here.value)) * inverse};
}

// Reduces all rows of `ends` but the segment's first and last: then they contain only these two.
template <typename Real>
DEVICE void dispersion_reduce(const dispersion_block &b, dispersion_shared<Real> &shared)
{
    const int rows = 2 * (int)blockDim.y, own = 2 * (int)threadIdx.y;
    __syncthreads();
    for (int stride = 1; stride < rows - 2; stride *= 2) {
        const dispersion_equation<Real> first = dispersion_reduced(shared, own, stride, rows, b.own);
        const dispersion_equation<Real> last = dispersion_reduced(shared, own + 1, stride, rows, b.own);
        __syncthreads();
        if (own > 0)
            shared.ends[own][b.own] = first;
        if (own + 1 < rows - 1)
            shared.ends[own + 1][b.own] = last;
        __syncthreads();
    }
}

// The first and the last row of the segment, coupled to each other and to the unknowns beyond the segment.
template <typename Real>
DEVICE void dispersion_outer(const dispersion_shared<Real> &shared, int line,
                             dispersion_equation<Real> *first, dispersion_equation<Real> *last)
{
    const int rows = 2 * (int)blockDim.y;
    *first = shared.ends[0][line];
    *last = shared.ends[rows - 1][line];
    if (rows == 2)
        return;
    const dispersion_equation<Real> second = shared.ends[1][line], before = shared.ends[rows - 2][line];
    const Real of_first = FV_DIVIDE(Real(1), MADD(-first->upper, second.lower, Real(1)));
    const Real of_last = FV_DIVIDE(Real(1), MADD(-last->lower, before.upper, Real(1)));
    *first = {first->lower * of_first, -(first->upper * second.upper) * of_first,
              MADD(-first->upper, second.value, first->value) * of_first};
    *last = {-(last->lower * before.lower) * of_last, last->upper * of_last,
             MADD(-last->lower, before.value, last->value) * of_last};
}

// Computes the unknown of a row of `ends` from the segment's first and last unknown.
template <typename Real>
DEVICE Real dispersion_end(const dispersion_shared<Real> &shared, int row, int line, Real first, Real last)
{
    const dispersion_equation<Real> e = shared.ends[row][line];
    const int rows = 2 * (int)blockDim.y;
    return row == 0 ? first : row == rows - 1 ? last : MADD(-e.upper, last, MADD(-e.lower, first, e.value));
}

// Computes the unknowns of the thread's part into `value`, then stores all.
template <bool ALONG_X, bool IS_DIVIDED = false, typename Real>
DEVICE void dispersion_finish(const dispersion_lines<Real> &l, const dispersion_block &b,
                              dispersion_shared<Real> &shared, Real first, Real last)
{
    const int own = 2 * (int)threadIdx.y;
    const Real mine = dispersion_end(shared, own, b.own, first, last);
    Real above = dispersion_end(shared, own + 1, b.own, first, last);
    shared.value[dispersion_at<ALONG_X, Real>(b.last, b.own)] = above;
    for (int row = b.last - 1; row > b.first; row--) {
        const int at = dispersion_at<ALONG_X, Real>(row, b.own);
        const dispersion_equation<Real> e = dispersion_take(shared, at);
        above = MADD(-e.upper, above, MADD(-e.lower, mine, e.value));
        shared.value[at] = above;
    }
    shared.value[dispersion_at<ALONG_X, Real>(b.first, b.own)] = mine;
    __syncthreads();
    for (int turn = 0; turn < dispersion_turns<ALONG_X>(b); turn++) {
        int row, line;
        if (dispersion_turn<ALONG_X>(b, turn, &row, &line) &&
            (!IS_DIVIDED || (row >= b.held && row < b.end_held)))
            l.psi[dispersion_place<ALONG_X>(l, b, row, line)] =
                shared.value[dispersion_at<ALONG_X, Real>(row, line)];
    }
}

// The place of the segment's first row in the system `ends`; of its last one, a pitch later.
template <typename Real>
DEVICE size_t dispersion_place_of_ends(const dispersion_block &b, const dispersion_ends<Real> &ends)
{
    return (size_t)(2 * blockIdx.y) * ends.pitch + b.line + b.own;
}

template <typename Real>
DEVICE void dispersion_store_outer(const dispersion_block &b, const dispersion_shared<Real> &shared,
                                   const dispersion_ends<Real> &ends)
{
    const size_t place = dispersion_place_of_ends(b, ends);
    dispersion_equation<Real> first, last;
    dispersion_outer(shared, b.own, &first, &last);
    if (threadIdx.y != 0 || !b.is_there)
        return;
    ends.lower[place] = first.lower;
    ends.upper[place] = first.upper;
    ends.value[place] = first.value;
    ends.lower[place + ends.pitch] = last.lower;
    ends.upper[place + ends.pitch] = last.upper;
    ends.value[place + ends.pitch] = last.value;
}

// The segment's first and last unknown: of the solution of `ends`, or of the whole line.
template <typename Real>
DEVICE void dispersion_outer_unknowns(const dispersion_block &b, const dispersion_shared<Real> &shared,
                                      const dispersion_ends<Real> &ends, Real *x_first, Real *x_last)
{
    const size_t place = dispersion_place_of_ends(b, ends);
    if (gridDim.y > 1) {
        *x_first = b.is_there ? ends.value[place] : Real(0);
        *x_last = b.is_there ? ends.value[place + ends.pitch] : Real(0);
        return;
    }
    dispersion_equation<Real> first, last;
    dispersion_outer(shared, b.own, &first, &last);
    const Real of_last = first.lower + first.upper, of_first = last.lower + last.upper;
    const Real inverse = FV_DIVIDE(Real(1), MADD(-of_last, of_first, Real(1)));
    *x_first = MADD(-of_last, last.value, first.value) * inverse;
    *x_last = MADD(-of_first, first.value, last.value) * inverse;
}

// IS_FIRST: stores the first and last rows of the segments as the system `ends`. Otherwise reads the solution
// of this system and computes all unknowns. Whole lines need no such system. Lines beyond the last are not
// copied.
template <bool ALONG_X, bool IS_ENDS, bool IS_FIRST, typename Real>
__global__ void __launch_bounds__(DISPERSION_LINES *DISPERSION_PARTS(Real))
    dispersion_solve(const __grid_constant__ dispersion_lines<Real> l,
                     const __grid_constant__ dispersion_ends<Real> ends)
{
    __shared__ dispersion_shared<Real> shared;
    const dispersion_block b = dispersion_block_of(l);
    const int own = 2 * (int)threadIdx.y;
    dispersion_fetch<ALONG_X>(l, b, shared);
    shared.ends[own + 1][b.own] = dispersion_eliminate<ALONG_X, IS_ENDS>(b, shared);
    shared.ends[own][b.own] = dispersion_first<ALONG_X, IS_ENDS>(b, shared);
    dispersion_reduce(b, shared);
    if (IS_FIRST && gridDim.y > 1) {
        dispersion_store_outer(b, shared, ends);
        return;
    }
    Real x_first, x_last;
    dispersion_outer_unknowns(b, shared, ends, &x_first, &x_last);
    dispersion_finish<ALONG_X>(l, b, shared, x_first, x_last);
}

template <bool ALONG_X, bool IS_ENDS, typename Real>
static void dispersion_solve_lines(const dispersion_lines<Real> &l, Real *scratch, cudaStream_t stream)
{
    const auto [segments, parts] = dispersion_cut_of(l.rows, DISPERSION_ROWS(Real), DISPERSION_PARTS(Real));
    const dim3 blocks((unsigned)(l.lines + DISPERSION_LINES - 1) / DISPERSION_LINES, (unsigned)segments);
    const dim3 threads(DISPERSION_LINES, (unsigned)parts);
    const size_t pitch = (size_t)(l.lines + 31) / 32 * 32, size = 2 * (size_t)segments * pitch;
    const dispersion_ends<Real> ends = {scratch, scratch + size, scratch + 2 * size, pitch};
    if (l.rows < 2) // a single row is not coupled
        return;
    dispersion_solve<ALONG_X, IS_ENDS, true><<<blocks, threads, 0, stream>>>(l, ends);
    if (segments == 1)
        return;
    const dispersion_lines<Real> shorter = {ends.lower, ends.upper, ends.value, NULL,        NULL,
                                            ends.value, pitch,      l.lines,    2 * segments};
    dispersion_solve_lines<false, true>(shorter, scratch + 3 * size, stream);
    dispersion_solve<ALONG_X, IS_ENDS, false><<<blocks, threads, 0, stream>>>(l, ends);
}

// ---- lines along y of a grid that is divided among ranks: the same arithmetic, in two kernels

// struct tsunami_dispersion_division in this precision.
template <typename Real> struct dispersion_divided {
    int first, end;
    Real *ends;
    const int *slots;
    size_t pitch;
};

// false: the block's segment has no rows that are held.
template <typename Real>
DEVICE bool dispersion_take_held(dispersion_block &b, const dispersion_divided<Real> &d)
{
    b.held = max(d.first - b.begin, 0);
    b.end_held = min(d.end - b.begin, b.rows);
    return b.held < b.end_held;
}

// Where a row of the thread's part lies among the ends of all parts; which: 0, the first one, or 1, the last.
template <typename Real>
DEVICE Real *dispersion_end_of_part(const dispersion_divided<Real> &d, const dispersion_block &b, int which)
{
    const size_t slot = (size_t)d.slots[blockIdx.y * blockDim.y + threadIdx.y];
    return d.ends + (slot * 2 + which) * 3 * d.pitch + b.line + b.own;
}

template <typename Real>
DEVICE void dispersion_put(Real *to, size_t pitch, const dispersion_equation<Real> &e)
{
    to[0] = e.lower;
    to[pitch] = e.upper;
    to[2 * pitch] = e.value;
}

// Stores the first and the last row of each part that is held, after its elimination.
template <typename Real>
__global__ void __launch_bounds__(DISPERSION_LINES *DISPERSION_PARTS(Real))
    dispersion_find_parts(const __grid_constant__ dispersion_lines<Real> l,
                          const __grid_constant__ dispersion_divided<Real> d)
{
    __shared__ dispersion_shared<Real> shared;
    dispersion_block b = dispersion_block_of(l);
    if (!dispersion_take_held(b, d))
        return;
    dispersion_fetch<false, true>(l, b, shared);
    if (b.first < b.held || b.last >= b.end_held || !b.is_there)
        return;
    const dispersion_equation<Real> last = dispersion_eliminate<false, false>(b, shared);
    dispersion_put(dispersion_end_of_part(d, b, 0), d.pitch, dispersion_first<false, false>(b, shared));
    dispersion_put(dispersion_end_of_part(d, b, 1), d.pitch, last);
}

// With the ends of all parts: as dispersion_solve, with the unknowns of the parts that are held.
template <bool IS_FIRST, typename Real>
__global__ void __launch_bounds__(DISPERSION_LINES *DISPERSION_PARTS(Real))
    dispersion_solve_parts(const __grid_constant__ dispersion_lines<Real> l,
                           const __grid_constant__ dispersion_divided<Real> d,
                           const __grid_constant__ dispersion_ends<Real> ends)
{
    __shared__ dispersion_shared<Real> shared;
    dispersion_block b = dispersion_block_of(l);
    const bool is_held = dispersion_take_held(b, d), finishes = !IS_FIRST || gridDim.y == 1;
    if (finishes && !is_held)
        return;
    if (finishes) {
        dispersion_fetch<false, true>(l, b, shared);
        if (b.first >= b.held && b.last < b.end_held)
            dispersion_eliminate<false, false>(b, shared);
    }
    for (int which = 0; which < 2; which++) {
        const Real *const e = dispersion_end_of_part(d, b, which);
        shared.ends[2 * threadIdx.y + which][b.own] =
            b.is_there ? dispersion_equation<Real>{e[0], e[d.pitch], e[2 * d.pitch]}
                       : dispersion_equation<Real>{0, 0, 0};
    }
    dispersion_reduce(b, shared);
    if (!finishes) {
        dispersion_store_outer(b, shared, ends);
        return;
    }
    Real x_first, x_last;
    dispersion_outer_unknowns(b, shared, ends, &x_first, &x_last);
    dispersion_finish<false, true>(l, b, shared, x_first, x_last);
}

// The ends of the parts; then, when those of all ranks are there, the solution. A rank solves the systems of
// the segments' ends for all segments.
template <typename Real>
static void dispersion_solve_divided(const dispersion_lines<Real> &l, const dispersion_divided<Real> &d,
                                     bool has_ends, Real *scratch, cudaStream_t stream)
{
    const auto [segments, parts] = dispersion_cut_of(l.rows, DISPERSION_ROWS(Real), DISPERSION_PARTS(Real));
    const dim3 blocks((unsigned)(l.lines + DISPERSION_LINES - 1) / DISPERSION_LINES, (unsigned)segments);
    const dim3 threads(DISPERSION_LINES, (unsigned)parts);
    const size_t pitch = (size_t)(l.lines + 31) / 32 * 32, size = 2 * (size_t)segments * pitch;
    const dispersion_ends<Real> ends = {scratch, scratch + size, scratch + 2 * size, pitch};
    if (!has_ends) {
        dispersion_find_parts<Real><<<blocks, threads, 0, stream>>>(l, d);
        return;
    }
    dispersion_solve_parts<true, Real><<<blocks, threads, 0, stream>>>(l, d, ends);
    if (segments == 1)
        return;
    const dispersion_lines<Real> shorter = {ends.lower, ends.upper, ends.value, NULL,        NULL,
                                            ends.value, pitch,      l.lines,    2 * segments};
    dispersion_solve_lines<false, true>(shorter, scratch + 3 * size, stream);
    dispersion_solve_parts<false, Real><<<blocks, threads, 0, stream>>>(l, d, ends);
}

} // namespace tsunami

#endif
