// What the numerics tests of heat have in common: the back end that they are for (backend_test.h), and boxes
// of cells with equal sides all round. Header only.
#ifndef FATHOM_TESTS_SUPPORT_HEAT_TEST_H
#define FATHOM_TESTS_SUPPORT_HEAT_TEST_H

#include "tests/support/backend_test.h"
#include "tests/support/bioheat_fixture.h"

// The back end that the tests are for.
static const struct bioheat_backend *heat_backend;

static inline bool heat_is_reference(void)
{
    return strcmp(heat_backend->head.name, "reference") == 0;
}

// A box of labelled cells with arrays for its start, and for one layer that heats it with amplitude 1
// throughout.
struct heat_box {
    struct phantom_setup setup;
    struct bioheat_medium table[BIOHEAT_LABELS];
    uint8_t *labels;
    double *theta, *layer, *amplitudes;
};

static inline size_t heat_cells(const struct heat_box *b)
{
    return b->setup.cells[0] * b->setup.cells[1] * b->setup.cells[2];
}

static inline void heat_table_set(struct heat_box *b, int label, double conductivity_w_m_k,
                                  double heat_capacity_j_m3_k, double perfusion_w_m3_k)
{
    b->table[label] =
        (struct bioheat_medium){BIOHEAT_TISSUE, conductivity_w_m_k, heat_capacity_j_m3_k, perfusion_w_m3_k};
}

static inline void heat_all_faces(struct heat_box *b, enum bioheat_face_kind kind)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++)
            b->setup.faces[axis][side] = (struct bioheat_face){.kind = kind};
}

// All cells of label 1, θ = 0; the caller fills in table, faces, step. The box must stay where it is.
static inline void heat_box_open(struct heat_box *b, const size_t cells[3], const double spacing_m[3])
{
    *b = (struct heat_box){
        .setup = {.backend = heat_backend, .precision = ELEMENT_F64, .media = PHANTOM_GIVEN}};
    for (int axis = 0; axis < 3; axis++) {
        b->setup.cells[axis] = cells[axis];
        b->setup.spacing_m[axis] = spacing_m[axis];
    }
    b->labels = malloc(heat_cells(b));
    assert_non_null(b->labels);
    memset(b->labels, 1, heat_cells(b));
    b->theta = phantom_array_new(heat_cells(b));
    b->layer = phantom_array_new(heat_cells(b));
    b->setup.labels = b->labels;
    b->setup.table = b->table;
}

static inline void heat_box_close(struct heat_box *b)
{
    free(b->labels);
    free(b->theta);
    free(b->layer);
    free(b->amplitudes);
}

// The layer heats, in all of `steps` steps.
static inline void heat_box_use_layer(struct heat_box *b, int64_t steps)
{
    b->setup.layer_count = 1;
    b->setup.layers[0] = b->layer;
    free(b->amplitudes);
    b->amplitudes = phantom_array_new((size_t)steps);
    for (int64_t k = 0; k < steps; k++)
        b->amplitudes[k] = 1;
    b->setup.amplitudes = b->amplitudes;
}

// From b->theta to b->theta.
static inline void heat_box_run(struct heat_box *b, int64_t steps)
{
    struct phantom *p = phantom_open(&b->setup);
    phantom_set(p, b->theta);
    phantom_advance(p, 0, steps);
    phantom_get(p, b->theta);
    phantom_close(p);
}

// Middle of a cell along each axis, from the domain's low corner.
static inline void heat_place(const struct heat_box *b, size_t cell, double at_m[BIOHEAT_AXES])
{
    const size_t nx = b->setup.cells[BIOHEAT_X], ny = b->setup.cells[BIOHEAT_Y];
    const size_t index[BIOHEAT_AXES] = {cell / nx / ny, cell / nx % ny, cell % nx};
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        at_m[axis] = ((double)index[axis] + 0.5) * b->setup.spacing_m[axis];
}

// The larger; a NaN stays.
static inline double heat_worst(double worst, double error)
{
    return error <= worst ? worst : isnan(worst) ? worst : error;
}

static inline void heat_use(const struct backend *backend)
{
    heat_backend = (const struct bioheat_backend *)backend;
}

static inline int heat_test_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    return backend_test_main(argc, argv, &bioheat_backends, heat_use, tests, count);
}

#endif
