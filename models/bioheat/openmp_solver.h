// State of the heat model's fast CPU version, and access to its rows. Private to openmp*.c.
#ifndef FATHOM_MODELS_BIOHEAT_OPENMP_SOLVER_H
#define FATHOM_MODELS_BIOHEAT_OPENMP_SOLVER_H

#include "models/bioheat/openmp_isa.h"
#include "models/bioheat/rkl2.h"
#include "parallel/exchange.h"

// Planes of old values that a step in place keeps: two below the current plane, itself, and the next; and the
// first two if the domain is periodic along z.
enum { HEAT_RING = 4, HEAT_FIRST_PLANES = 2 };
enum { HEAT_DEPTH_MAX = 16, HEAT_STAGES_MAX = 4 * HEAT_DEPTH_MAX };
// A stage follows the previous one by so many planes: its inputs are complete, and its outputs are no longer
// read as inputs.
enum { HEAT_LAG = 3, HEAT_ENDS = 4 };
// Rows that a thread takes at a time.
enum { HEAT_ROWS = 8 };

// SINGLY: one pass over the grid after the other. TOGETHER: several, behind each other through the planes,
// all threads in the same planes. STRIPS: the same in strips of rows, a strip's planes in the cache of the
// thread that has it; each pass is HEAT_LAG rows further back than the one before, so that a strip only needs
// what those before it have done.
enum heat_order { HEAT_SINGLY, HEAT_TOGETHER, HEAT_STRIPS };

struct solver {
    struct bioheat_setup setup;
    struct heat_view view;
    const struct heat_functions *functions;
    int kind; // of the functions: 0 single, 1 double precision
    size_t element, nz, ny, groups, pitch;
    int threads;
    // Planes that the solver has, and those that are its own; of a divided run the exchange of the halo.
    struct bioheat_planes own, held;
    bool is_shared, is_ring;
    struct exchange exchange;
    void *exchanged;    // the array of the state whose halo is exchanged (rkl2: in a ring; else all are)
    enum status status; // of the last exchange
    enum heat_order order;
    int depth; // steps (rkl2: stages) that follow each other through the planes while these are in the cache
    size_t strip_rows, strip_count;
    _Atomic int32_t *progress; // [strip]: how many positions are done
    bool is_in_place, has_colours, is_rkl2, has_velocity, has_sparse_source, has_extras;
    ptrdiff_t end_to[HEAT_ENDS],
        end_from[HEAT_ENDS]; // the elements beyond a row's ends, and what they repeat
    // Rows are [z·ny + y][pitch], HEAT_PAD elements into the array.
    void *theta[3];     // euler: two; rkl2: three; else one
    int states;         // how many
    int current;        // which of them
    void *first_change; // rkl2: what a step at the rates of its start would add
    struct bioheat_rkl2_stage rkl2[2][BIOHEAT_RKL2_STAGES_MAX + 1]; // of steps, of sub-steps; from 1 on
    bool is_divided;                                                // the steps have sub-steps
    void *ring; // in place: [depth][HEAT_RING][ny][pitch], then the first planes
    void *block, *largest, *largest_at;
    double *total;
    void *second_block; // the same by another definition
    double *second_total;
    uint16_t *codes; // [row][groups]
    void *pair, *tables, *zeros;
    void *scratch; // [thread][HEAT_SCRATCH_ROWS][pitch]
    // Labels: media of cells, laid out as the rows of θ; a row of missing cells.
    uint8_t *media, *no_media;
    double conductivity[BIOHEAT_LABELS]; // by medium
    int32_t *points, *point_heads;       // points in the order of rows, and where each row's begin
};

enum heat_scratch { HEAT_EXTRA, HEAT_EXTRA_DIAGONAL, HEAT_CHANGES, HEAT_K, HEAT_SCRATCH_ROWS };
enum { HEAT_TABLES = 3 + 2 * BIOHEAT_AXES + 2 };

// Passes over the grid that read the planes beside: those of a step; rkl2: one at a time.
static inline int heat_passes(const struct solver *s)
{
    return s->has_colours ? 3 : 1;
}

// The planes that are right after so many passes since the exchange.
static inline struct bioheat_planes heat_valid(const struct solver *s, int passes)
{
    if (!s->is_shared)
        return s->held;
    // In a ring there is an exchange before each pass.
    const struct share valid = exchange_valid(&s->exchange, s->is_ring && passes > 1 ? 1 : passes);
    return (struct bioheat_planes){(size_t)valid.first, (size_t)valid.end};
}

// Makes the halo right: of the state, and of what a step of rkl2 has begun.
enum status heat_exchange(struct solver *s, void *state);

static inline void *heat_row_of(const struct solver *s, const void *array, size_t z, size_t y)
{
    return (void *)((uintptr_t)array + ((z * s->ny + y) * s->pitch + HEAT_PAD) * s->element);
}

// The index that stands for `index` along an axis: beyond a periodic face the other end (along z in a ring
// itself, converted: the plane is there), beyond others the mirror image, which is_missing marks unless the
// face is insulated (its values are finite).
static inline size_t heat_map(const struct bioheat_grid *grid, enum bioheat_axis axis, ptrdiff_t index,
                              bool *is_missing)
{
    const ptrdiff_t n = (ptrdiff_t)grid->cells[axis];
    *is_missing = false;
    if (n == 1)
        return 0;
    if ((index >= 0 && index < n) || (grid->is_ring && axis == BIOHEAT_Z))
        return (size_t)index;
    const enum bioheat_face_kind kind = grid->faces[axis][index >= n].kind;
    *is_missing = kind != BIOHEAT_PERIODIC && kind != BIOHEAT_INSULATED;
    return (size_t)(kind == BIOHEAT_PERIODIC ? (index % n + n) % n
                    : index < 0              ? -1 - index
                                             : 2 * n - 1 - index);
}

// Whether the index lies at a face of the domain that is not periodic.
static inline bool heat_is_wall(const struct bioheat_grid *grid, enum bioheat_axis axis, size_t index,
                                bool is_high)
{
    const size_t n = grid->cells[axis];
    return n > 1 && index == (is_high ? n - 1 : 0) && grid->faces[axis][0].kind != BIOHEAT_PERIODIC;
}

static inline uint8_t *heat_media_of(const struct solver *s, size_t z, size_t y)
{
    return (uint8_t *)((uintptr_t)s->media + (z * s->ny + y) * s->pitch + HEAT_PAD);
}

static inline double heat_element(const struct solver *s, const void *array, size_t k)
{
    return element_get(s->setup.precision, array, k);
}

static inline void heat_store(const struct solver *s, void *array, size_t k, double value)
{
    element_set(s->setup.precision, array, k, value);
}

// ---- openmp_media.c

enum status heat_media_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status heat_media_start(struct solver *s);

// ---- openmp_extra.c

// W/m³ from layers, from blood's flow, and through convective walls, and minus its derivative by the cell's
// own θ: into the thread's scratch; row->extra points to them, or is NULL.
void heat_add_extras(const struct solver *s, struct heat_row *row, const double *amplitudes, char *scratch);
// Points and boxes of a row.
void heat_add_sparse(const struct solver *s, size_t z, size_t y, const double *amplitudes, void *theta);

// ---- openmp_steps.c

// The dose of a row of cells from number `at` of its arrays on, whose temperatures are there; weight 0, not
// flushed.
struct heat_dose_row heat_dose_of(const struct solver *s, const void *theta, size_t at);
// The same of the second dose.
struct heat_dose_row heat_second_dose_of(const struct solver *s, const void *theta, size_t at);
void heat_fill_row_ends(const struct solver *s, void *row);
enum status heat_run_steps(struct solver *s, int64_t first_step, int64_t count, const double *amplitudes);

#endif
