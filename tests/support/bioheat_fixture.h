// A heat solver on a phantom made for a test, without a job and without files: the caller gives cells, faces,
// kinds of media and sources, or arrays of its own; the fixture makes what a solver's setup points to, the
// memory plan and the running solver. Knows nothing of the command line and of outputs. Every failure inside
// it fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_BIOHEAT_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_BIOHEAT_FIXTURE_H

#include "models/bioheat/body/stability.h"
#include "models/bioheat/solver.h"
#include "tests/support/asserts.h"
#include "tests/support/sanitized.h"

enum { PHANTOM_IS_SANITIZED = IS_SANITIZED };

enum phantom_media {
    PHANTOM_UNIFORM, // one label, is_uniform
    PHANTOM_LAYERS,  // five tissues in slabs and a ball: long rows of one label, curved interfaces
    PHANTOM_RANDOM,  // labels at random in every cell, VOID and HELD cells among them
    PHANTOM_BODY,    // a body of layers, blobs and HELD cells within VOID, off the middle
    PHANTOM_SMOOTH,  // full fields that vary smoothly, below the contrast limit
    PHANTOM_JUMPS,   // full fields with jumps above it, cells of k = 0 and of ρc = ∞
    PHANTOM_GIVEN    // arrays of the caller
};

// `cells` and `spacing_m` in the order z, y, x.
struct phantom_setup {
    const struct bioheat_backend *backend;
    enum element precision;
    enum bioheat_method method;
    size_t cells[BIOHEAT_AXES];
    double spacing_m[BIOHEAT_AXES];
    struct bioheat_face faces[BIOHEAT_AXES][2];
    enum phantom_media media;
    bool has_perfusion, has_velocity;
    double contrast_limit; // 0: 1.5
    enum bioheat_interfaces interfaces;
    int substeps, divided_every; // rkl2: of each so many-th step, from the first; 0: no sub-steps
    int stages; // rkl2; 0: as many as the step needs, with phantom_safe_step_s as that of Euler
    // Sources made by the fixture; phantom_amplitude gives their strength.
    int layer_count;
    bool has_points, has_boxes;
    enum bioheat_dose dose, second_dose;
    bool has_maximum;
    double step_s;   // 0: phantom_safe_step_s
    int batch_steps; // 0: 16
    int threads;     // 0: as many as OpenMP would take, at most 2
    int device;
    // PHANTOM_GIVEN: labels and table, or fields; doubles [z][y][x]; perfusion and velocity may be NULL. The
    // solver gets them rounded to the precision.
    const uint8_t *labels;
    const struct bioheat_medium *table; // [BIOHEAT_LABELS]
    const double *conductivity, *heat_capacity, *perfusion, *velocity_m_s[BIOHEAT_AXES];
    double arterial_theta_k;
    // In place of the sources above, if any is set. `amplitudes` [steps][terms], or NULL: phantom_amplitude.
    const double *layers[BIOHEAT_LAYERS_MAX];
    size_t point_count, box_count;
    const size_t (*points)[BIOHEAT_AXES];
    const struct bioheat_box *boxes;
    const double *amplitudes;
};

struct phantom;

// Plans, checks the plan before and after it is reserved, reserves, warms up and starts the solver at θ = 0.
// The setup's arrays must outlive the phantom.
struct phantom *phantom_open(const struct phantom_setup *setup);
void phantom_close(struct phantom *phantom);

// Whether the back end has the setup's method, and the flux between its tissues.
bool phantom_has_method(const struct phantom_setup *setup);

const struct bioheat_grid *phantom_grid(const struct phantom *phantom);
const struct bioheat_media *phantom_media(const struct phantom *phantom);
// A bioheat_read_plane whose context is the phantom.
enum status phantom_read_plane(void *phantom, size_t z, struct bioheat_plane *plane);
struct solver *phantom_solver(const struct phantom *phantom);
size_t phantom_planned_bytes(const struct phantom *phantom, enum memory_kind kind);

// Below the limit of every method, on whatever media: from the largest k and the smallest ρc.
double phantom_safe_step_s(const struct phantom_setup *setup);
// What the fixture makes `term` of `step` give (W/m³, or per unit of a layer); now and then negative or
// nothing.
double phantom_amplitude(const struct phantom *phantom, int64_t step, size_t term);

// [z][y][x] doubles.
void phantom_set(struct phantom *phantom, const double *theta_k);
void phantom_get(const struct phantom *phantom, double *theta_k);
void phantom_records(const struct phantom *phantom, int64_t step, double *dose_min, double *largest_k,
                     double *largest_at_s); // any may be NULL
void phantom_second_dose(const struct phantom *phantom, int64_t step, double *dose_min);
void phantom_advance(struct phantom *phantom, int64_t first_step, int64_t count);
// The arrays of `from`'s checkpoint are copied into `to`, which is of the same setup.
void phantom_copy_checkpoint(struct phantom *from, struct phantom *to);
// Σ ρc θ V over TISSUE cells (J), from the setup's media.
double phantom_heat_j(const struct phantom *phantom, const double *theta_k);
// Role, k and ρc of a cell, whatever kind the media are.
struct bioheat_medium phantom_medium(const struct phantom *phantom, size_t cell);

// Arrays for tests: malloc'ed doubles, all 0.
double *phantom_array_new(size_t count);
// A start with structure in it: waves, warm balls up to 22 K, noise; every value is a float's. Cells
// [z][y][x].
void phantom_warm_start(const size_t cells[BIOHEAT_AXES], double *theta_k);
// Largest |a − b|; INFINITY where exactly one is NaN or infinite; the place into *where (may be NULL).
double phantom_difference(const double *a, const double *b, size_t count, size_t *where);
// How many differ in value (NaN equals NaN); the first into *where (may be NULL).
size_t phantom_unequal(const double *a, const double *b, size_t count, size_t *where);

// ---- the cases that every back end must do: grids × faces × media × sources. The caller adds back end,
// method, dose and precision.
struct phantom_case {
    const char *name;
    struct phantom_setup setup;
    bool colours; // periodic axes are multiples of 3: the colourings can
    bool is_large;
};
extern const struct phantom_case phantom_cases[];
extern const size_t phantom_case_count;

// The instruction sets of the OpenMP back end on this machine, slowest first. Choosing one holds for the
// phantoms opened afterwards; NULL: the best.
enum { PHANTOM_INSTRUCTION_SETS_MAX = 3 };
int phantom_instruction_sets(const char *names[PHANTOM_INSTRUCTION_SETS_MAX]);
void phantom_choose_instruction_set(const char *name);

const char *phantom_method_name(enum bioheat_method method);
const char *phantom_dose_name(enum bioheat_dose dose);
const char *phantom_precision_name(enum element precision);

#endif
