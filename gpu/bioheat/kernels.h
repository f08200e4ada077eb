// The heat model's kernels. All arrays are the device's, of one shape (struct heat_shape), and given by the
// address of cell (0, 0, 0); numbers are those of one step. Each function only begins its work on the stream.
// Knows no memory plan and no solver; sources are fields and lists of cells.
#ifndef FATHOM_GPU_BIOHEAT_KERNELS_H
#define FATHOM_GPU_BIOHEAT_KERNELS_H

#include "core/element.h"
#include "gpu/extern_c.h"
#include "models/bioheat/state.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

// Arrays are [z][y][pitch] with HEAT_HALO planes, and rows, on either side of what they hold, and HEAT_LEFT
// elements or less before each row: as many as put the first updated cell of a row at a multiple of 128
// bytes. These halos contain the media beyond the sides; of the temperature, along x alone, the images of a
// row's ends (heat_extend_rows).
enum { HEAT_HALO = 2, HEAT_LEFT = 32, HEAT_GHOSTS = 2 * HEAT_HALO, HEAT_SIDES = 2 * BIOHEAT_AXES };

struct heat_shape {
    int cells[BIOHEAT_AXES];
    int first[BIOHEAT_AXES], last[BIOHEAT_AXES]; // cells that steps may change: first ≤ index < last
    int pitch;
    long long plane; // elements from a cell to that of the next plane
    int is_periodic[BIOHEAT_AXES];
    // Planes z that the arrays have, and those that are this device's own: all, or those of a rank (own ones
    // and a halo). Indices and addresses are those of the whole grid.
    int first_held, end_held, first_own, end_own;
    int is_ring; // periodic along z among ranks: planes of the other end are held beyond the sides
};

// A code for each cell: its label, counted among those in use, and for each axis whether the face on its low
// side has one medium in all its four cells. One byte while there are few labels, else two.
enum { HEAT_FEW_LABELS = 32 };
// A byte for each cell too, two bits for each axis, of the face on its low side where that lies between two
// labels: whether the cell beyond the low one, and the cell beyond the high one, has its label.
enum { HEAT_PAIR_LOW = 1, HEAT_PAIR_HIGH = 2 };
// Of a warp's tile: the label, HEAT_CLASS_SMOOTH, or
enum { HEAT_CLASS_SMOOTH = 0, HEAT_CLASS_MIXED = 255 };

// The media as coefficients of a step. A change of θ is Δt/ρc (the gain) times the sum over axes of
// scale[axis] times the difference of the fluxes: with labels k (15 d₁ − e), or 12 k d₁ between unlike media,
// 12 times the flux; with fields 24 times.
struct heat_media {
    int has_labels, labels, is_few; // is_few: codes are bytes
    int is_quadratic; // faces between labels: BIOHEAT_QUADRATIC; not for steps of Euler's that sweep
    const void *codes;
    const void *pairs;        // for heat_sweep_stage, if is_quadratic
    const void *conductances; // Real [labels][HEAT_FEW_LABELS or BIOHEAT_LABELS], k of the face between two
    const void *cells;        // Real [labels][2]: Δt/ρc, and the share of perfusion
    const void *walls;        // Real [HEAT_SIDES][labels]: share of a convective side
    // Full fields
    const void *conductivity, *gain, *loss; // loss: Δt/ρc times perfusion, or NULL
    const void *carry[BIOHEAT_AXES];        // Δt ρ_b c_b v/(ρc Δ), or NULL; 0 where nothing is carried
    // Both. Class of a warp's tile, [z][row of tiles][column]: the label or HEAT_CLASS_SMOOTH, or
    // HEAT_CLASS_MIXED
    const unsigned char *classes;
    int class_columns, class_rows;
    double scale[BIOHEAT_AXES]; // 1/(12 Δ²), 1/(24 Δ²)
    double spacing_m[BIOHEAT_AXES], contrast_limit;
    double arterial_theta_k;
    int has_perfusion;        // fields: whether there is `loss`
    int has_wall[HEAT_SIDES]; // convective: low and high side of z, y, x
    double wall_transfer_w_m2_k[HEAT_SIDES], wall_theta_k[HEAT_SIDES];
};

// Layers that act in this step.
struct heat_layers {
    int count;
    const void *values[BIOHEAT_LAYERS_MAX];
    double amplitudes[BIOHEAT_LAYERS_MAX];
};

// The records beside the temperature; NULL if not wanted. `low` takes the steps' doses and is added to `high`
// every HEAT_FLUSH_STEPS steps; its sign records that 43 °C was reached (ISO).
struct heat_records {
    int definition; // enum bioheat_dose
    void *low;
    double *high;
    void *largest;
    double *largest_at_s;
    // Of this step: θ from which the dose counts, at which its law changes, above which it is infinite;
    // weight in minutes at 43 °C; time
    double least_k, passed_k, most_k, weight_min, time_s;
};

// The temperature that is read and written. The planes −2, −1, n and n + 1 along z are `ghosts` elements from
// `from`.
struct heat_step {
    struct heat_shape shape;
    const void *from;
    void *to;
    long long ghosts[HEAT_GHOSTS];
    int first_plane, last_plane; // of those that steps may change: the part of this launch
    struct heat_media media;
    struct heat_layers layers;
    struct heat_records records;
};

// Explicit Euler from `from` to `to`, a cell a thread. No records.
cudaError_t heat_step_plain(const struct heat_step *step, enum element precision, cudaStream_t stream);
// The same, to the same bits, for media without velocity and, if labelled, few labels: sweeping along z,
// records fused. `multiprocessors` of the device, to divide the work well.
cudaError_t heat_step_labels(const struct heat_step *step, enum element precision, int multiprocessors,
                             cudaStream_t stream);
cudaError_t heat_step_fields(const struct heat_step *step, enum element precision, int multiprocessors,
                             cudaStream_t stream);
// One colour of a step in place (from = to). is_plain: source-three-colour.
cudaError_t heat_step_colour(const struct heat_step *step, enum element precision, int colour, int is_plain,
                             cudaStream_t stream);

// A stage of rkl2 (models/bioheat/rkl2.h), a cell a thread: `from` is the stage before, `to` this one, which
// may be `earlier`. `first`: what a step at the rates of its start would add, which the first stage sets. No
// records, no points or boxes.
struct heat_stage {
    const void *start, *earlier;
    void *first;
    double last_weight, earlier_weight, rate, first_rate;
    int is_first;
};
cudaError_t heat_step_stage(const struct heat_step *step, const struct heat_stage *stage,
                            enum element precision, cudaStream_t stream);
// The same, sweeping along z, as the difference from the step's start (struct bioheat_rkl2_difference): the
// rates at `from`, times `rate`, and the weighted arrays. `first`, `earlier`: NULL if not read. `start`, of
// the last stage: the temperature that the sum is added to, and between it and the sum the step's dose
// (records.low). `to` may be `earlier` or `start`. Of all stages but the first the media are without
// constant terms: arterial_theta_k and wall_theta_k are 0, and there are no layers. For media as the other
// sweeping kernels', with parabolas at interfaces too. `from` has the images beyond the ends of its rows.
struct heat_difference {
    const void *first, *earlier, *start;
    double rate, last_weight, first_weight, earlier_weight;
};
cudaError_t heat_sweep_stage(const struct heat_step *step, const struct heat_difference *by,
                             enum element precision, int multiprocessors, cudaStream_t stream);
// rkl2: the dose of a step between the temperatures of its start and its end, of all own cells.
cudaError_t heat_record_mean(const struct heat_step *step, const void *before, const void *after,
                             enum element precision, cudaStream_t stream);

// Dose and largest rise of all own cells before a step.
cudaError_t heat_record(const struct heat_step *step, enum element precision, cudaStream_t stream);
// Of the cells that steps never change, before `steps` steps; `records` has the time of the first, and the
// weight of each.
cudaError_t heat_record_unchanged(const struct heat_step *step, enum element precision, int steps,
                                  cudaStream_t stream);
// After a step: the heat through the convective sides of planes [first, last), from the old values.
cudaError_t heat_walls(const struct heat_step *step, enum element precision, int first, int last,
                       cudaStream_t stream);
// Copies from `from` to `to` the cells of planes [first, last) that steps never change.
cudaError_t heat_move_unchanged(const struct heat_step *step, int first, int last, enum element precision,
                                cudaStream_t stream);
// Sets the images beyond the ends of the held rows, which the sweeping kernels read.
cudaError_t heat_extend_rows(const struct heat_shape *shape, void *theta, enum element precision,
                             cudaStream_t stream);
// Adds `low` to `high`.
cudaError_t heat_flush_dose(const struct heat_shape *shape, const struct heat_records *records,
                            enum element precision, cudaStream_t stream);
// Clears the largest rise: −∞, its time NaN.
cudaError_t heat_forget_largest(const struct heat_shape *shape, void *largest, double *largest_at_s,
                                enum element precision, cudaStream_t stream);

// Points: cell places[p] (elements from cell (0,0,0)) gets gains[p] times each amplitude [indices[starts[p]]
// … indices[starts[p + 1] − 1]], one after the other. `weight` multiplies all gains (rkl2; else 1).
struct heat_points {
    int count;
    const long long *places;
    const int *starts, *indices;
    const void *gains;
};
cudaError_t heat_points(void *theta, const struct heat_points *points, const double *amplitudes,
                        double weight, enum element precision, cudaStream_t stream);
// Boxes that have no cell in common: first and count along z, y, x (already within what steps change), and
// which amplitude is theirs.
struct heat_box {
    int first[BIOHEAT_AXES], count[BIOHEAT_AXES], amplitude;
};
// Of planes [first, last) alone.
cudaError_t heat_boxes(void *theta, const struct heat_shape *shape, const struct heat_media *media,
                       const struct heat_box *boxes, int count, const double *amplitudes, double weight,
                       int first, int last, enum element precision, cudaStream_t stream);

// Loads all kernels, which may take memory, and sets the shared memory of the sweeping ones: before the seal.
// *sweeps: which of them the device can run; a multiprocessor may have too little shared memory for
// heat_step_labels, or heat_step_fields, or heat_sweep_stage with labels or fields.
struct heat_sweeps {
    int labels, fields, label_stages, field_stages;
};
cudaError_t heat_load_kernels(enum element precision, struct heat_sweeps *sweeps);

// ---- at the start

// From dense labels [z][y][x] (by the address where cell (0, 0, 0) would be), their compact numbers and the
// sides' kinds: codes, beyond the sides too.
struct heat_encoding {
    struct heat_shape shape;
    const unsigned char *labels, *compact; // compact [BIOHEAT_LABELS]
    int uniform;                           // ≥ 0: all cells have this number; `labels` is not used
    int is_missing
        [HEAT_SIDES]; // whether no medium is beyond the side, neither a mirror image nor the opposite end
    int is_few;
    void *codes;
};
cudaError_t heat_encode(const struct heat_encoding *encoding, cudaStream_t stream);

// From the codes (of few labels): pairs.
cudaError_t heat_encode_pairs(const struct heat_shape *shape, const struct heat_media *media, void *pairs,
                              cudaStream_t stream);

// Tiles of the kernels' warps: how many there are, and their classes. has_wall as in heat_media.
void heat_class_tiles(const struct heat_shape *shape, enum element precision, int *columns, int *rows);
cudaError_t heat_classify(const struct heat_shape *shape, const struct heat_media *media,
                          enum element precision, unsigned char *classes, cudaStream_t stream);

// Sets a full field beyond the sides: the mirror image, the opposite end, or 0 where no medium is.
cudaError_t heat_extend(const struct heat_shape *shape, const int is_missing[HEAT_SIDES], void *field,
                        enum element precision, cudaStream_t stream);
// ρc to Δt/ρc, 0 where steps change nothing (k = 0, ρc = ∞); perfusion to its share; velocities to theirs.
cudaError_t heat_prepare_fields(const struct heat_shape *shape, const struct heat_media *media, double step_s,
                                double blood_heat_capacity_j_m3_k, const int is_missing[HEAT_SIDES],
                                enum element precision, cudaStream_t stream);

EXTERN_C_END

#endif
