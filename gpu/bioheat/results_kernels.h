// Kernels that compute a heat run's records from the state on the device: maps, sensors, diagnostics, and the
// search for invalid temperatures. Each function only begins its work on the stream. They use
// models/bioheat/results.h and cell_terms.h and the block sums of core/statistics.h, and give the host's
// bits. Knows no memory plan, no solver and no frames.
#ifndef FATHOM_GPU_BIOHEAT_RESULTS_KERNELS_H
#define FATHOM_GPU_BIOHEAT_RESULTS_KERNELS_H

#include "gpu/bioheat/kernels.h"
#include "gpu/extern_c.h"

EXTERN_C_BEGIN

// A state on the device.
struct results_heat {
    struct heat_shape shape;
    enum element precision;
    const void *theta;
    struct heat_records records, second; // of the second dose: low is NULL without one
    double reference_c, step_s;
    int has_whole_dose; // rkl2: the steps have added all of it
};

// The media for the diagnostics. By label's number: role and ρc; or the full fields, by the address of cell
// (0, 0, 0).
struct results_heat_media {
    int has_labels, is_few;
    const void *codes;
    const unsigned char *roles;
    const double *capacities_j_m3_k;
    const void *conductivity, *capacity;
    double volume_m3, lesion_dose_min;
};

// What a guard found first; later searches do not change it. Sent as a frame's note.
struct results_heat_finding {
    long long after_step;     // 1 + the number of steps done; 0: nothing was found
    unsigned long long index; // of the first such cell, dense
    double theta_k;
};

#define RESULTS_HEAT_NOTHING (~0ULL)

// The fields wanted, one after the other, dense [z][y][x] of the crop, to `record`; as after `step` steps.
cudaError_t results_heat_fields(const struct results_heat *state, const struct bioheat_crop *crop,
                                const unsigned char wanted[BIOHEAT_FIELD_COUNT], long long step,
                                enum element element, void *record, cudaStream_t stream);

// Temperature, and the doses that there are, of `count` sensors, dense [1 to 3][count]; their cells (elements
// from cell (0, 0, 0)) and weights on the device, [BIOHEAT_CORNERS][count] (struct bioheat_sensor_place).
cudaError_t results_heat_sensors(const struct results_heat *state, const long long *places,
                                 const double *weights, int count, long long step, enum element element,
                                 void *record, cudaStream_t stream);

// Of sensors whose cells lie on several devices: temperature (K), dose and second dose of each cell,
// [count][BIOHEAT_CORNERS][BIOHEAT_CELL_NUMBERS] doubles; −0 where the weight is 0, as that of another
// device's cell is.
cudaError_t results_heat_cells(const struct results_heat *state, const long long *places,
                               const double *weights, int count, long long step, double *record,
                               cudaStream_t stream);

// Diagnostics in two parts, of the device's own planes. blocks: sums and extremes of each of
// results_heat_blocks blocks of 4096 cells by index in the whole volume, to `partial` (device),
// results_heat_partials doubles; total: those of all blocks, combined in their order, to the
// BIOHEAT_DIAGNOSTICS doubles of `record` (the source's heat is left 0). The second needs only `partial` and
// may run beside other work. `parts` and `own` are NULL, or, with other devices, the memory of the three sums
// for sums_take (parallel/sums.h), `stride` doubles each, and this device's extremes.
size_t results_heat_blocks(const struct heat_shape *shape);
size_t results_heat_partials(size_t blocks);
cudaError_t results_heat_diagnose_blocks(const struct results_heat *state,
                                         const struct results_heat_media *media, long long step,
                                         double *partial, double *parts, size_t stride, cudaStream_t stream);
cudaError_t results_heat_diagnose_total(size_t blocks, int has_dose, double reference_c,
                                        const double *partial, double *record,
                                        struct bioheat_own_extremes *own, cudaStream_t stream);

// Searches for invalid cells in the state after `step` steps. *first (device) is RESULTS_HEAT_NOTHING between
// searches.
cudaError_t results_heat_guard(const struct results_heat *state, long long step, unsigned long long *first,
                               struct results_heat_finding *finding, cudaStream_t stream);

// Loads all kernels, which may take memory: before the seal.
cudaError_t results_heat_load(enum element precision);

EXTERN_C_END

#endif
