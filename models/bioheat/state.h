// Data of the solvers of heat in tissue: the grid, the media, the boundary conditions, the source, and the
// records besides the temperature. The model fills them in; every back end reads them. Independent of jobs,
// of files and of the memory plan.
//
// The equation (Pennes 1948):  ρc ∂T/∂t = ∇·(k∇T) − ρ_b c_b w (T − T_a) − ρ_b c_b v·∇T + Q.
// The state is the rise θ = T − T_ref (K): in single precision, T itself is too coarse for a slow rise.
#ifndef FATHOM_MODELS_BIOHEAT_STATE_H
#define FATHOM_MODELS_BIOHEAT_STATE_H

#include "core/element.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// euler: explicit Euler with two arrays. euler-in-place: the same bits with one array. three-colour:
// Gauss–Seidel by colours (x + y + z) mod 3, with a correction that makes it consistent. source-three-colour:
// plain update in place by colours, which converges to a different diffusivity; for comparison. rkl2:
// Runge–Kutta–Legendre super-time-stepping of second order (Meyer, Balsara & Aslam, J. Comput. Phys. 257,
// 594–626, 2014): four arrays, steps beyond Euler's limit.
enum bioheat_method {
    BIOHEAT_EULER,
    BIOHEAT_EULER_IN_PLACE,
    BIOHEAT_THREE_COLOUR,
    BIOHEAT_SOURCE_THREE_COLOUR,
    BIOHEAT_RKL2
};

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

// HELD: cells of a fixed temperature (Dirichlet), which exchange heat with their neighbours. VOID: cells
// through whose faces no heat passes (their k counts as 0), for example air; their temperature is fixed.
enum bioheat_role { BIOHEAT_TISSUE, BIOHEAT_HELD, BIOHEAT_VOID };

enum { BIOHEAT_LABELS = 256, BIOHEAT_NAME_BYTES = 48 };

// The material of a cell. perfusion_w_m3_k = ρ_b c_b w: the heat that blood removes per time, volume and
// kelvin.
struct bioheat_medium {
    enum bioheat_role role;
    double conductivity_w_m_k;   // k > 0
    double heat_capacity_j_m3_k; // ρc > 0
    double perfusion_w_m3_k;     // ≥ 0
};

// The flux through a face between two labels. TWO_POINT: two half cells in series, first order. QUADRATIC: a
// parabola on either side that has two cells of its label, temperature and flux continuous; second order.
enum bioheat_interfaces { BIOHEAT_TWO_POINT, BIOHEAT_QUADRATIC };

// Either a label for each cell and a table, or three full fields. The arrays are dense [z][y][x], in host
// memory. The model plans and fills them before it calls `start`, and does not change them later. Fields are
// rounded to the precision of the run; the table is not.
struct bioheat_media {
    bool has_labels;
    const uint8_t *const *labels;                // with labels; is_used is true for each of them
    struct bioheat_medium table[BIOHEAT_LABELS]; // with labels
    bool is_used[BIOHEAT_LABELS];
    bool is_uniform; // one label throughout (or one tissue)
    const void *const *conductivity, *const *heat_capacity,
                                         *const *perfusion; // full fields; perfusion NULL: none.
    // A cell of k = 0 is VOID; one of ρc = ∞ is HELD.
    const void *const *velocity_m_s[BIOHEAT_AXES]; // of blood, or NULL: adds −ρ_b c_b v·∇T, upwind
    double blood_heat_capacity_j_m3_k;             // ρ_b c_b
    double arterial_theta_k;                       // T_a − T_ref
    // full fields: if k among the four cells of a face differs by more than this ratio, the flux is computed
    // from the two cells beside the face
    double contrast_limit;
    enum bioheat_interfaces interfaces; // labels
};

// Of the cell with that index; fields have the precision `real`.
static inline enum bioheat_role bioheat_role_in(const struct bioheat_media *m, enum element real,
                                                uint64_t index)
{
    if (m->has_labels)
        return m->table[(*m->labels)[index]].role;
    if (element_get(real, *m->conductivity, index) == 0)
        return BIOHEAT_VOID;
    return isinf(element_get(real, *m->heat_capacity, index)) ? BIOHEAT_HELD : BIOHEAT_TISSUE;
}

// The heat source is a sum of terms in the order layers, points, boxes. A term is a region times an
// amplitude; the model gives the amplitude's mean over each step. A layer is a full field in W/m³ per unit of
// amplitude. A point heats one cell, a box all cells first … last (inclusive); their amplitudes are in W/m³.
// Points and boxes may overlap; they are added in their order.
enum { BIOHEAT_LAYERS_MAX = 16 };
struct bioheat_box {
    size_t first[BIOHEAT_AXES], last[BIOHEAT_AXES];
};
struct bioheat_source {
    int layer_count;
    const void *const
        *layers[BIOHEAT_LAYERS_MAX]; // dense [z][y][x], precision of the run, pinned host memory
    size_t point_count, box_count;
    const size_t (*points)[BIOHEAT_AXES]; // [point_count], indices of cells
    const struct bioheat_box *boxes;
};
static inline size_t bioheat_terms(const struct bioheat_source *source)
{
    return (size_t)source->layer_count + source->point_count + source->box_count;
}

// Thermal dose, cumulative equivalent minutes at 43 °C (Sapareto & Dewey 1984): ∫ R^(43 − T) dt, R = 0.25
// below 43 °C, 0.5 above. PLAIN: no cut-off. KWAVE: no dose below 37 °C. ISO: no dose below 39 °C; R stays
// 0.5 where 43 °C was once reached; infinite above 57 °C.
enum bioheat_dose { BIOHEAT_DOSE_OFF, BIOHEAT_DOSE_PLAIN, BIOHEAT_DOSE_KWAVE, BIOHEAT_DOSE_ISO };

// All methods but rkl2 integrate the dose by the trapezoidal rule. Step n adds the rate at θ_n times Δt
// (times Δt/2 for n = 0); the dose reported after N steps is this sum plus Δt/2 times the rate at θ_N. So the
// dose does not depend on when in a step heat is added, and each temperature is read once. The largest rise
// reported is the largest θ_n, including θ_N.
//
// rkl2 adds, at the end of each step, Δt times the mean of the rate along the straight line from θ_n to θ_n+1
// (exact, piece by piece of the law): steps are longer, and the rate is an exponential of the temperature.
// Where the two differ by less than BIOHEAT_DOSE_NEAR_K, the mean of the two rates times 1 − x²/12 + x⁴/120
// is taken, x = ln(1/R) (θ_n+1 − θ_n) with R of their middle: the same to 1e-8, without a difference of close
// numbers. ISO: above 57 °C at either end is infinite.
#define BIOHEAT_DOSE_NEAR_K 0.0625

struct bioheat_physics {
    enum bioheat_method method;
    int stages; // rkl2: of a step, from bioheat_rkl2_stages
    // rkl2: a divided step (struct bioheat_backend) has so many equal sub-steps, each of so many stages; 0 or
    // 1: none is divided
    int substeps, substep_stages;
    enum bioheat_dose dose;
    enum bioheat_dose second_dose; // kept beside `dose`, by another definition; OFF: none
    bool has_maximum;              // the largest rise of each cell, and its time, are recorded
    double reference_c;            // T_ref (°C)
    double step_s;
};

// The variables of maps: °C, CEM43 minutes, °C.
enum bioheat_field { BIOHEAT_TEMPERATURE, BIOHEAT_DOSE_FIELD, BIOHEAT_MAXIMUM_FIELD, BIOHEAT_FIELD_COUNT };

// One record of diagnostics, in double: smallest, largest temperature (°C), the index (z·ny + y)·nx + x of
// the largest, Σ ρc θ V (J, of TISSUE cells), heat from the source (W), volume above 43 °C (m³), volume with
// a dose of 240 minutes (m³), largest dose (min). Sums in blocks of 4096 by index (core/statistics.h).
enum bioheat_diagnostic {
    BIOHEAT_SMALLEST_C,
    BIOHEAT_LARGEST_C,
    BIOHEAT_LARGEST_INDEX,
    BIOHEAT_HEAT_J,
    BIOHEAT_SOURCE_W,
    BIOHEAT_HOT_VOLUME_M3,
    BIOHEAT_LESION_VOLUME_M3,
    BIOHEAT_LARGEST_DOSE_MIN,
    BIOHEAT_DIAGNOSTICS
};

// What a run of several ranks takes of the cells around a sensor: θ (K), dose and second dose (min).
enum { BIOHEAT_CELL_NUMBERS = 3 };

// Of a rank's cells that are not VOID: least and largest θ (K), largest dose (min), index of the largest θ.
// Without such a cell infinities, the last two −∞ and +∞.
struct bioheat_own_extremes {
    double smallest_k, largest_k, largest_dose_min, largest_index;
};

// Cells of a frame of maps: first, count, stride along each axis.
struct bioheat_crop {
    size_t first[BIOHEAT_AXES], count[BIOHEAT_AXES], stride[BIOHEAT_AXES];
};

#endif
