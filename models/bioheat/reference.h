// What the files of the heat model's serial reference share: its state, and the operator in space. Private to
// them.
#ifndef FATHOM_MODELS_BIOHEAT_REFERENCE_H
#define FATHOM_MODELS_BIOHEAT_REFERENCE_H

#include "models/bioheat/solver.h"
#include "parallel/exchange.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Everything in double whatever the run's precision, which here is only that of the media's and the source's
// arrays.
struct solver {
    struct bioheat_setup setup;
    struct bioheat_planes own, held;
    struct exchange exchange; // of a divided run
    void *exchanged;          // the array whose halo is exchanged
    double *theta;            // [cell], K
    double *theta_next;       // euler; rkl2: change of a stage
    double *stages[2];        // rkl2: two stages in turn,
    double *first_change;     // and what a step at the rates of its start would add
    bool is_divided;          // rkl2: the steps have sub-steps
    double *planes;   // euler-in-place: the old values of the last three planes, then those of planes 0 and 1
    double *dose;     // minutes, without the half rate at the end; with dose_low what rounding would lose
    double *dose_low; //
    double *second, *second_low; // the same by another definition
    uint8_t *has_passed;         // 43 °C was reached (ISO)
    double *largest;             // K
    double *largest_at_s;        // s
};

// A place is an index along each axis: [z, y, x].
static inline size_t reference_cell(const struct bioheat_grid *grid, const size_t at[BIOHEAT_AXES])
{
    return (at[BIOHEAT_Z] * grid->cells[BIOHEAT_Y] + at[BIOHEAT_Y]) * grid->cells[BIOHEAT_X] + at[BIOHEAT_X];
}

// The cells of this rank's own planes: numbers first … end − 1.
static inline size_t reference_first(const struct solver *s)
{
    return s->own.first * s->setup.grid->cells[BIOHEAT_Y] * s->setup.grid->cells[BIOHEAT_X];
}

static inline size_t reference_end(const struct solver *s)
{
    return s->own.end * s->setup.grid->cells[BIOHEAT_Y] * s->setup.grid->cells[BIOHEAT_X];
}

// The values that a step reads: an array, or the state while it is being overwritten plane by plane, as it
// was.
struct reference_view {
    const struct solver *solver;
    const double *array; // NULL: in place
    size_t plane;        // in place: the plane at work; this and those before it are read from `planes`
};

// A cell's place in an array, which may be beyond a ring's end.
static inline double *reference_place(const double *array, size_t cell)
{
    return (double *)((uintptr_t)array + cell * sizeof *array);
}

// ---- what a cell is made of

// Without an array of labels everything is of the first that is used.
static inline int reference_label(const struct bioheat_media *media, size_t cell)
{
    int label = 0;
    if (media->labels && *media->labels)
        return (*media->labels)[cell];
    while (label < BIOHEAT_LABELS - 1 && !media->is_used[label])
        label++;
    return label;
}

// A VOID cell has conductivity 0.
static inline struct bioheat_medium reference_medium(const struct solver *s, size_t cell)
{
    const struct bioheat_media *media = s->setup.media;
    const enum element precision = s->setup.precision;
    struct bioheat_medium medium = {.role = BIOHEAT_TISSUE};
    if (media->has_labels) {
        medium = media->table[reference_label(media, cell)];
    } else {
        medium.conductivity_w_m_k = element_get(precision, *media->conductivity, cell);
        medium.heat_capacity_j_m3_k = element_get(precision, *media->heat_capacity, cell);
        medium.perfusion_w_m3_k = media->perfusion ? element_get(precision, *media->perfusion, cell) : 0;
        if (isinf(medium.heat_capacity_j_m3_k))
            medium.role = BIOHEAT_HELD;
        if (medium.conductivity_w_m_k == 0)
            medium.role = BIOHEAT_VOID;
    }
    if (medium.role == BIOHEAT_VOID)
        medium.conductivity_w_m_k = 0;
    return medium;
}

static inline bool reference_is_one_medium(const struct solver *s, size_t cell, size_t other)
{
    return reference_label(s->setup.media, cell) == reference_label(s->setup.media, other);
}

// ---- reference_media.c

double reference_velocity_m_s(const struct solver *solver, enum bioheat_axis axis, size_t cell);
double reference_layer_w_m3(const struct solver *solver, int layer, size_t cell);
// Whether steps change the cell: TISSUE, and not in the two layers that a FIXED side keeps.
bool reference_is_updated(const struct solver *solver, const size_t at[BIOHEAT_AXES]);

// ---- reference_space.c

// dθ/dt of a cell, without points and boxes, and minus its derivative by the cell's own θ.
struct reference_rate {
    double k_s, diagonal_per_s;
};
struct reference_rate reference_rate(const struct reference_view *view, const size_t at[BIOHEAT_AXES],
                                     const double *amplitudes);

// ---- reference_dose.c

// Reads θ before step `step`, or (rkl2) a sub-step, which is a fraction on: dose and largest rise.
void reference_record(struct solver *solver, double step);
void reference_forget_records(struct solver *solver);
void reference_get_records(const struct solver *solver, int64_t step, size_t z, size_t y, size_t first,
                           size_t count, double *dose_min, double *largest_k, double *largest_at_s);
void reference_get_second_dose(const struct solver *solver, int64_t step, size_t z, size_t y, size_t first,
                               size_t count, double *dose_min);
void reference_set_second_dose(struct solver *solver, size_t z, size_t y, size_t first, size_t count,
                               const double *dose_min, const double *largest_k);
void reference_set_records(struct solver *solver, size_t z, size_t y, size_t first, size_t count,
                           const double *dose_min, const double *largest_k, const double *largest_at_s);

// The mean of the dose's rate during a step times its length, from θ of all cells at its start and end.
void reference_add_mean_dose(struct solver *solver, double step_s, const double *before, const double *after);

// ---- reference_rkl2.c

// With the records of its sub-steps but the first.
enum status reference_step_rkl2(struct solver *solver, int64_t step, const double *amplitudes);

// ---- reference.c

// Adds points and boxes, in their order, as temperature over a step, to an array.
void reference_heat_places(struct solver *solver, const double *amplitudes, double *theta);

// The neighbours' planes that the next step, colour or stage reads.
enum status reference_exchange(struct solver *solver, double *theta);

double reference_theta(const struct reference_view *view, size_t z, size_t y, size_t x);

#endif
