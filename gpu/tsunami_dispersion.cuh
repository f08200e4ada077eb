// Weak dispersion after a step of the finite volumes, once per precision (REAL and POINT(name) defined; after
// models/tsunami/dispersion_point.h): reference_dispersion.c has the equations. A thread a cell for the right sides, for the
// equations and for what comes of ψ; a thread a part of a line for the lines (below). Knows no tiles and no records.

// A cell's place and its neighbours', by side. Beyond an edge with water outside it stands for itself, so that nothing differs
// across that face; beyond a wall too, and its face is not open: no more than between a wet cell and a dry one. Between wet cells
// of very different depths a face is open in part.
struct POINT(around) {
    int here, own_column, column[TSUNAMI_SIDES], row[TSUNAMI_SIDES], at[TSUNAMI_SIDES];
    REAL open[TSUNAMI_SIDES]; // share of the face, 0 to 1
    bool is_wet;
    bool is_bare; // water outside, which knows no dispersion, lies beside the cell
};

static __device__ __forceinline__ REAL POINT(dispersion_depth_at)(const struct POINT(device_level) & level,
                                                                  int copy, int place)
{
    return POINT(dispersion_depth)(level.state[copy][0][place], level.still[place]);
}

// Of a cell at an edge: whose neighbour beyond stands elsewhere, or not at all.
static __device__ __forceinline__ void POINT(around_edges)(const struct POINT(device_level) & level,
                                                           int column, int row, struct POINT(around) & a,
                                                           bool is_wall[TSUNAMI_SIDES])
{
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_along_x = side < TSUNAMI_SOUTH, is_plus = side == TSUNAMI_EAST || side == TSUNAMI_NORTH;
        const int last = (is_along_x ? level.nx : level.ny) - 1, place = is_along_x ? column : row;
        if (place != (is_plus ? last : 0))
            continue;
        const enum tsunami_edge kind = level.edges[side].kind;
        const int there = kind != TSUNAMI_EDGE_PERIODIC ? place : is_plus ? 0 : last;
        (is_along_x ? a.column : a.row)[side] = there;
        is_wall[side] = kind == TSUNAMI_EDGE_WALL;
        a.is_bare |= kind != TSUNAMI_EDGE_PERIODIC && kind != TSUNAMI_EDGE_WALL;
    }
}

static __device__ __forceinline__ struct POINT(around)
    POINT(around_of)(const struct POINT(device_level) & level, int copy, int column, int row)
{
    struct POINT(around) a = {row * level.pitch + column,
                              column,
                              {column - 1, column + 1, column, column},
                              {row, row, row - 1, row + 1}};
    const REAL h = POINT(dispersion_depth_at)(level, copy, a.here), minimum = level.minimum_depth;
    bool is_wall[TSUNAMI_SIDES] = {};
    a.is_wet = h > minimum;
    if (column == 0 || row == 0 || column == level.nx - 1 || row == level.ny - 1)
        POINT(around_edges)(level, column, row, a, is_wall);
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        a.at[side] = a.row[side] * level.pitch + a.column[side];
        const REAL beyond = POINT(dispersion_depth_at)(level, copy, a.at[side]);
        a.open[side] = is_wall[side] ? (REAL)0 : POINT(dispersion_opening)(h, beyond, minimum);
    }
    return a;
}

// Of a row; `over_length` is of the y sweep's.
struct POINT(dispersion_row) {
    REAL over_length, length, cosine, over_cosine, width_south, width_north;
};

static __device__ __forceinline__ struct POINT(dispersion_row)
    POINT(dispersion_row_of)(const struct POINT(device_level) & level, int row)
{
    const REAL *k = level.rows + (row + 1) * ROW_CONSTANTS;
    return {FV_DIVIDE(k[FV_ROW_LAMBDA], level.step),
            FV_DIVIDE(level.step, k[FV_ROW_LAMBDA]),
            k[FV_ROW_COSINE],
            FV_DIVIDE((REAL)1, k[FV_ROW_COSINE]),
            k[FV_ROW_COSINE_SOUTH],
            k[FV_ROW_COSINE_NORTH]};
}

static __device__ __forceinline__ REAL POINT(dispersion_over_width)(const struct POINT(device_level) & level,
                                                                    const struct POINT(dispersion_row) & row,
                                                                    int column)
{
    return (REAL)2 * level.columns[column] * row.over_cosine;
}

// A cell's length along x, true metres.
static __device__ __forceinline__ REAL POINT(dispersion_width)(const struct POINT(device_level) & level,
                                                               REAL cosine, int column)
{
    return (REAL)0.5 * level.columns[level.pitch + column] * cosine;
}

// Both parts of ∇· of velocities, `now` times the new ones and `before` times those of the step's start, in a wet cell.
struct POINT(dispersion_divergence) {
    REAL x, y;
};

static __device__ __forceinline__ struct POINT(dispersion_divergence)
    POINT(dispersion_divergence_of)(const struct POINT(device_level) & level,
                                    const struct POINT(device_dispersion) & d, int copy,
                                    const struct POINT(around) & a, const struct POINT(dispersion_row) & row,
                                    REAL now, REAL before)
{
    const REAL *u = level.state[copy][1], *v = level.state[copy][2];
    const REAL half = (REAL)0.5;
    const REAL u_here = now * u[a.here] + before * d.u_before[a.here];
    const REAL v_here = now * v[a.here] + before * d.v_before[a.here];
    REAL through[TSUNAMI_SIDES];
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_along_x = side < TSUNAMI_SOUTH;
        const REAL beyond = now * (is_along_x ? u : v)[a.at[side]] +
                            before * (is_along_x ? d.u_before : d.v_before)[a.at[side]];
        through[side] = a.open[side] * (half * ((is_along_x ? u_here : v_here) + beyond));
    }
    return {(through[TSUNAMI_EAST] - through[TSUNAMI_WEST]) *
                POINT(dispersion_over_width)(level, row, a.own_column),
            (row.width_north * through[TSUNAMI_NORTH] - row.width_south * through[TSUNAMI_SOUTH]) *
                row.over_length};
}

// D of the middle of the step into `work`.
__global__ void POINT(dispersion_find_divergence)(const __grid_constant__ struct POINT(device_level) level,
                                                  const __grid_constant__ struct POINT(device_dispersion) d,
                                                  int copy)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    if (column >= level.nx || row >= level.ny)
        return;
    const struct POINT(around) a = POINT(around_of)(level, copy, column, row);
    const struct POINT(dispersion_divergence) D = POINT(dispersion_divergence_of)(
        level, d, copy, a, POINT(dispersion_row_of)(level, row), (REAL)0.5, (REAL)0.5);
    d.work[a.here] = a.is_wet ? D.x + D.y : (REAL)0;
}

// A cell's equations along both axes: lower ψ₋ + (1 − lower − upper) ψ + upper ψ₊ = value and what else comes there.
struct POINT(dispersion_equations) {
    REAL value_x, value_y, lower_x, upper_x, lower_y, upper_y;
};

// −a/length times the face's coupling.
static __device__ __forceinline__ REAL POINT(dispersion_part)(const struct POINT(device_level) & level,
                                                              int copy, const struct POINT(around) & a,
                                                              int side, REAL strength_here, REAL inverse_here,
                                                              REAL length_beyond, REAL width)
{
    const REAL h = POINT(dispersion_depth_at)(level, copy, a.at[side]);
    const REAL beyond = POINT(dispersion_inverse)(h, length_beyond, level.minimum_depth);
    const REAL coupling = POINT(dispersion_coupling)(inverse_here, beyond, width);
    return a.at[side] != a.here ? -strength_here * coupling : (REAL)0;
}

static __device__ __forceinline__ struct POINT(dispersion_equations)
    POINT(dispersion_equations_of)(const struct POINT(device_level) & level,
                                   const struct POINT(device_dispersion) & d, int copy, int column, int row,
                                   bool is_x_first)
{
    const struct POINT(around) a = POINT(around_of)(level, copy, column, row);
    const struct POINT(dispersion_row) r = POINT(dispersion_row_of)(level, row);
    const REAL w = level.state[copy][0][a.here], z = level.still[a.here];
    const REAL strength = a.is_bare ? (REAL)0 : POINT(dispersion_strength)(w, z, level.minimum_depth);
    if (!(strength > (REAL)0))
        return {0, 0, 0, 0, 0, 0};
    const REAL D = d.work[a.here];
    REAL D_of[TSUNAMI_SIDES];
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        D_of[side] = MADD(a.open[side], d.work[a.at[side]] - D, D);
    const REAL over_width = POINT(dispersion_over_width)(level, r, column);
    const struct POINT(dispersion_divergence) gain =
        POINT(dispersion_divergence_of)(level, d, copy, a, r, (REAL)1, (REAL)-1);
    const REAL u = level.state[copy][1][a.here] + d.u_before[a.here];
    const REAL v = level.state[copy][2][a.here] + d.v_before[a.here];
    const REAL carried =
        (REAL)0.25 * (u * (D_of[TSUNAMI_EAST] - D_of[TSUNAMI_WEST]) * over_width +
                      v * (D_of[TSUNAMI_NORTH] - D_of[TSUNAMI_SOUTH]) * (r.over_length * r.cosine));
    struct POINT(dispersion_equations) e;
    const REAL more = level.step * (carried - D * D);
    e.value_x = strength * (is_x_first ? gain.x + more : gain.x);
    e.value_y = strength * (is_x_first ? gain.y : gain.y + more);
    const REAL width = POINT(dispersion_width)(level, r.cosine, column), h = POINT(dispersion_depth)(w, z);
    const REAL inverse_x = POINT(dispersion_inverse)(h, width, level.minimum_depth);
    const REAL inverse_y = POINT(dispersion_inverse)(h, r.length, level.minimum_depth);
    const REAL along_x = FV_DIVIDE(strength, width), along_y = strength * r.over_length;
    e.lower_x = POINT(dispersion_part)(level, copy, a, TSUNAMI_WEST, along_x, inverse_x,
                                       POINT(dispersion_width)(level, r.cosine, a.column[TSUNAMI_WEST]),
                                       a.open[TSUNAMI_WEST]);
    e.upper_x = POINT(dispersion_part)(level, copy, a, TSUNAMI_EAST, along_x, inverse_x,
                                       POINT(dispersion_width)(level, r.cosine, a.column[TSUNAMI_EAST]),
                                       a.open[TSUNAMI_EAST]);
    e.lower_y = POINT(dispersion_part)(level, copy, a, TSUNAMI_SOUTH, along_y, inverse_y,
                                       POINT(dispersion_row_of)(level, a.row[TSUNAMI_SOUTH]).length,
                                       r.width_south * a.open[TSUNAMI_SOUTH]);
    e.upper_y = POINT(dispersion_part)(level, copy, a, TSUNAMI_NORTH, along_y, inverse_y,
                                       POINT(dispersion_row_of)(level, a.row[TSUNAMI_NORTH]).length,
                                       r.width_north * a.open[TSUNAMI_NORTH]);
    return e;
}

// The right sides of a step and the equations of all lines.
__global__ void POINT(dispersion_find_equations)(const __grid_constant__ struct POINT(device_level) level,
                                                 const __grid_constant__ struct POINT(device_dispersion) d,
                                                 int copy, int is_x_first)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    const int place = row * level.pitch + column;
    if (column >= level.nx || row >= level.ny)
        return;
    const struct POINT(dispersion_equations) e =
        POINT(dispersion_equations_of)(level, d, copy, column, row, is_x_first != 0);
    d.value_x[place] = e.value_x;
    d.value_y[place] = e.value_y;
    d.lower_x[place] = e.lower_x;
    d.upper_x[place] = e.upper_x;
    d.lower_y[place] = e.lower_y;
    d.upper_y[place] = e.upper_y;
}

// ---- what it does ----

// Velocities at once, the change of w into `work`: neighbours still need the depth as it is.
__global__ void POINT(dispersion_apply)(const __grid_constant__ struct POINT(device_level) level,
                                        const __grid_constant__ struct POINT(device_dispersion) d, int copy)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    if (column >= level.nx || row >= level.ny)
        return;
    const struct POINT(around) a = POINT(around_of)(level, copy, column, row);
    const struct POINT(dispersion_row) r = POINT(dispersion_row_of)(level, row);
    REAL *const *state = level.state[copy];
    const REAL h = POINT(dispersion_depth_at)(level, copy, a.here);
    const REAL widths[TSUNAMI_SIDES] = {1, 1, r.width_south, r.width_north};
    const REAL own_width = POINT(dispersion_width)(level, r.cosine, column);
    REAL rise[TSUNAMI_SIDES], out[TSUNAMI_SIDES];
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_along_x = side < TSUNAMI_SOUTH;
        const REAL *psi = is_along_x ? d.psi_x : d.psi_y;
        rise[side] = widths[side] * a.open[side] * (psi[a.at[side]] - psi[a.here]);
        const REAL length = is_along_x ? own_width : r.length;
        const REAL beyond = is_along_x ? POINT(dispersion_width)(level, r.cosine, a.column[side])
                                       : POINT(dispersion_row_of)(level, a.row[side]).length;
        const REAL held = POINT(dispersion_depth_at)(level, copy, a.at[side]) * beyond;
        out[side] = POINT(dispersion_given_back)(
            rise[side], FV_DIVIDE(widths[side] * level.step, length + beyond), h * length, held);
    }
    const REAL over_width = POINT(dispersion_over_width)(level, r, column);
    const REAL over_h = a.is_wet ? FV_DIVIDE((REAL)0.5, h) : (REAL)0;
    state[1][a.here] = MADD((rise[TSUNAMI_EAST] - rise[TSUNAMI_WEST]) * over_width, over_h, state[1][a.here]);
    state[2][a.here] =
        MADD((rise[TSUNAMI_NORTH] - rise[TSUNAMI_SOUTH]) * r.over_length, over_h, state[2][a.here]);
    d.work[a.here] = -((out[TSUNAMI_EAST] + out[TSUNAMI_WEST]) * over_width +
                       (out[TSUNAMI_NORTH] + out[TSUNAMI_SOUTH]) * r.over_length);
}

__global__ void POINT(dispersion_settle)(const __grid_constant__ struct POINT(device_level) level,
                                         const __grid_constant__ struct POINT(device_dispersion) d, int copy)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    if (column < level.nx && row < level.ny)
        level.state[copy][0][row * level.pitch + column] += d.work[row * level.pitch + column];
}

// ---- launches ----

// Along one axis: of `value`, with `added` and without `taken` (NULL: nothing).
static void POINT(dispersion_launch_lines)(const struct POINT(device_level) & level,
                                           const struct POINT(device_dispersion) & d, bool is_along_x,
                                           const REAL *added, const REAL *taken, cudaStream_t stream)
{
    const size_t pitch = (size_t)level.pitch;
    if (is_along_x)
        POINT(dispersion_solve_lines)<true, false>(
            {d.lower_x, d.upper_x, d.value_x, added, taken, d.psi_x, pitch, level.ny, level.nx}, d.scratch,
            stream);
    else
        POINT(dispersion_solve_lines)<false, false>(
            {d.lower_y, d.upper_y, d.value_y, added, taken, d.psi_y, pitch, level.nx, level.ny}, d.scratch,
            stream);
}

// φ, of the axis that comes first, lies where its ψ will.
extern "C" cudaError_t POINT(tsunami_launch_dispersion)(const struct POINT(device_level) * level,
                                                        const struct POINT(device_dispersion) * d, int copy,
                                                        int is_x_first, cudaStream_t stream)
{
    const dim3 threads(DISPERSION_COLUMNS, DISPERSION_BLOCK_ROWS);
    const dim3 blocks((unsigned)(level->ny + DISPERSION_BLOCK_ROWS - 1) / DISPERSION_BLOCK_ROWS,
                      (unsigned)(level->nx + DISPERSION_COLUMNS - 1) / DISPERSION_COLUMNS);
    const bool is_x = is_x_first != 0;
    const REAL *phi = is_x ? d->psi_x : d->psi_y, *other = is_x ? d->psi_y : d->psi_x;
    POINT(dispersion_find_divergence)<<<blocks, threads, 0, stream>>>(*level, *d, copy);
    POINT(dispersion_find_equations)<<<blocks, threads, 0, stream>>>(*level, *d, copy, is_x_first);
    POINT(dispersion_launch_lines)(*level, *d, is_x, NULL, NULL, stream);
    POINT(dispersion_launch_lines)(*level, *d, !is_x, phi, NULL, stream);
    POINT(dispersion_launch_lines)(*level, *d, is_x, other, phi, stream);
    POINT(dispersion_apply)<<<blocks, threads, 0, stream>>>(*level, *d, copy);
    POINT(dispersion_settle)<<<blocks, threads, 0, stream>>>(*level, *d, copy);
    return cudaGetLastError();
}
