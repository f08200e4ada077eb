// The grid of heat in tissue: its cells and where they lie, and the boundary conditions at its faces.
// Independent of jobs and files.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_GRID_H
#define FATHOM_MODELS_BIOHEAT_BODY_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bioheat_axis { BIOHEAT_Z, BIOHEAT_Y, BIOHEAT_X, BIOHEAT_AXES };
extern const char *const bioheat_axis_names[BIOHEAT_AXES]; // "z", "y", "x"
// The faces of the grid in one list: 2 axis + side.
enum { BIOHEAT_SIDES = 2 * BIOHEAT_AXES };

// FIXED: the two outermost layers of cells keep their temperature. INSULATED: no heat passes; the cells
// beyond the face mirror those inside (−1 ↔ 0, −2 ↔ 1), with their medium. CONVECTIVE: the flux is h (T −
// T∞), with T at the wall; in series with the half cell beside the wall the transfer coefficient is 1/(1/h +
// Δ/(2k)). PERIODIC: both faces of an axis, or none.
enum bioheat_face_kind { BIOHEAT_FIXED, BIOHEAT_INSULATED, BIOHEAT_CONVECTIVE, BIOHEAT_PERIODIC };

struct bioheat_face {
    enum bioheat_face_kind kind;
    double transfer_w_m2_k; // convective: h > 0
    double outside_theta_k; // convective: T∞ − T_ref
};

// Planes z, first … end − 1.
struct bioheat_planes {
    size_t first, end;
};

// The order of cells in the file that the grid was read from: axis a of the grid runs along axis from[a] of
// the file (k, j, i of an image are its z, y, x), against it if reversed.
struct bioheat_order {
    bool is_reordered; // not the grid's own
    bool is_default;   // that of the very file, not of an image from which that file was made
    int from[BIOHEAT_AXES];
    bool is_reversed[BIOHEAT_AXES];
};

// How the axes of a grid lie in the coordinates of the scanner whose image it was read from (frame.h).
struct bioheat_frame {
    enum { BIOHEAT_FRAME_NONE, BIOHEAT_FRAME_SCANNER, BIOHEAT_FRAME_UNKNOWN } kind; // without an image: none
    bool is_tilted;                                                                 // else both are the same
    bool is_given_along_slices;                   // positions of the job are distances along the slices
    double pivot_m[BIOHEAT_AXES];                 // where both are the same
    double direction[BIOHEAT_AXES][BIOHEAT_AXES]; // [scanner's axis][axis of the slices], unit vectors
    double inverse[BIOHEAT_AXES][BIOHEAT_AXES];
    struct bioheat_order order;
};

// Cells [z][y][x], x fastest. A temperature is that of the centre of its cell. There is no flux along an axis
// of one cell (2-D: nz = 1).
struct bioheat_grid {
    size_t cells[BIOHEAT_AXES];
    double spacing_m[BIOHEAT_AXES];
    double origin_m[BIOHEAT_AXES];              // centre of cell 0
    struct bioheat_face faces[BIOHEAT_AXES][2]; // [axis][0: at index 0, 1: at the last]
    // Of a run that is divided among ranks (parallel/exchange.h): the planes of this rank, and those that it
    // has in memory, with a halo. All 0: all planes. Indices are those of the whole grid everywhere.
    struct bioheat_planes own, held;
    bool is_ring; // divided, and periodic along z: see bioheat_around
    struct bioheat_frame frame;
};

// Planes to each side that a step reads.
enum { BIOHEAT_REACH = 2 };

static inline struct bioheat_planes bioheat_own(const struct bioheat_grid *grid)
{
    return grid->own.end > 0 ? grid->own : (struct bioheat_planes){0, grid->cells[BIOHEAT_Z]};
}

static inline struct bioheat_planes bioheat_held(const struct bioheat_grid *grid)
{
    return grid->held.end > 0 ? grid->held : (struct bioheat_planes){0, grid->cells[BIOHEAT_Z]};
}

// The planes of temperature and media: those held; in a ring the first and the last rank also have planes of
// the other end, beyond their own. Such numbers may be negative, converted.
static inline struct bioheat_planes bioheat_around(const struct bioheat_grid *grid)
{
    struct bioheat_planes around = bioheat_held(grid);
    if (grid->is_ring && around.first == 0)
        around.first -= BIOHEAT_REACH;
    if (grid->is_ring && around.end == grid->cells[BIOHEAT_Z])
        around.end += BIOHEAT_REACH;
    return around;
}

static inline bool bioheat_has_plane(struct bioheat_planes planes, size_t z)
{
    return z >= planes.first && z < planes.end;
}

static inline size_t bioheat_cells(const struct bioheat_grid *grid)
{
    return grid->cells[BIOHEAT_Z] * grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
}

// The index of a cell in index order, and back.
static inline uint64_t bioheat_index(const struct bioheat_grid *grid, size_t z, size_t y, size_t x)
{
    return ((uint64_t)z * grid->cells[BIOHEAT_Y] + y) * grid->cells[BIOHEAT_X] + x;
}

static inline void bioheat_cell_at(const struct bioheat_grid *grid, uint64_t index, size_t cell[BIOHEAT_AXES])
{
    const uint64_t nx = grid->cells[BIOHEAT_X], ny = grid->cells[BIOHEAT_Y];
    cell[BIOHEAT_X] = (size_t)(index % nx);
    cell[BIOHEAT_Y] = (size_t)(index / nx % ny);
    cell[BIOHEAT_Z] = (size_t)(index / nx / ny);
}

// Whether steps change cells of this index along the axis: FIXED faces keep two layers.
static inline bool bioheat_is_updated(const struct bioheat_grid *grid, int axis, size_t index)
{
    const size_t n = grid->cells[axis];
    return n == 1 || !((grid->faces[axis][0].kind == BIOHEAT_FIXED && index < 2) ||
                       (grid->faces[axis][1].kind == BIOHEAT_FIXED && index + 2 >= n));
}

// Whether a cell lies in one of these layers; whether there are any.
static inline bool bioheat_is_in_layer(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES])
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (!bioheat_is_updated(grid, axis, cell[axis]))
            return true;
    return false;
}
static inline bool bioheat_has_layers(const struct bioheat_grid *grid)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (!bioheat_is_updated(grid, axis, 0) || !bioheat_is_updated(grid, axis, grid->cells[axis] - 1))
            return true;
    return false;
}

// Centre of a cell along an axis (m).
static inline double bioheat_position_m(const struct bioheat_grid *grid, int axis, size_t index)
{
    return grid->origin_m[axis] + (double)index * grid->spacing_m[axis];
}

static inline double bioheat_cell_volume_m3(const struct bioheat_grid *grid)
{
    return grid->spacing_m[BIOHEAT_Z] * grid->spacing_m[BIOHEAT_Y] * grid->spacing_m[BIOHEAT_X];
}

#endif
