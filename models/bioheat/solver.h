// The operations of a back end of the heat model. The model owns time, media, sources, outputs and the memory
// plan; a solver owns the state and the scheme.
#ifndef FATHOM_MODELS_BIOHEAT_SOLVER_H
#define FATHOM_MODELS_BIOHEAT_SOLVER_H

#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/bioheat/state.h"
#include "models/solver.h"

struct ranks;
struct share;

// All of it outlives the solver; what the arrays hold is valid when `start` is called.
struct bioheat_setup {
    const struct bioheat_grid *grid;
    const struct bioheat_media *media;
    const struct bioheat_source *source;
    const struct bioheat_physics *physics;
    enum element precision; // ELEMENT_F32 or ELEMENT_F64
    int batch_steps; // most steps in one call of advance (the amplitudes of so many are kept on a device)
    int device;      // which one, from 0, for a back end that has devices
    // Of a run that is divided: the ranks and their planes, whose halo is grid->held less grid->own; NULL:
    // one rank.
    struct ranks *ranks;
    const struct share *shares;
    size_t halo; // planes, towards each neighbour
};

// Results that a back end with a memory of its own computes there.
enum bioheat_result {
    BIOHEAT_RESULT_FIELDS,
    BIOHEAT_RESULT_SENSORS,
    BIOHEAT_RESULT_DIAGNOSTICS,
    BIOHEAT_RESULTS
};

// The sums of the diagnostics: heat, hot volume, volume of the lesion.
enum { BIOHEAT_DIAGNOSED_SUMS = 3 };

// Records are laid out as the model's streams have them: fields [field][z][y][x] of the crop in `element`;
// sensors [3][sensor]: temperature (°C), then dose and second dose (min) if there are such; diagnostics
// [BIOHEAT_DIAGNOSTICS] doubles. Of a divided run they are this rank's part: its planes of the fields; of the
// sensors' cells [sensor][BIOHEAT_CORNERS][BIOHEAT_CELL_NUMBERS] doubles, −0 of cells of other ranks; of the
// diagnostics the memory of each sum for sums_take (parallel/sums.h), a record of this rank alone, and a
// struct bioheat_own_extremes.
struct bioheat_wanted {
    int slots[BIOHEAT_RESULTS];            // frames under way at most; 0: not wanted
    size_t frame_records[BIOHEAT_RESULTS]; // records in a frame
    enum element element;
    bool fields[BIOHEAT_FIELD_COUNT];
    struct bioheat_crop crop; // of a divided run this rank's planes
    size_t held_planes;       // of the crop, in a frame on the host: rank 0's has place for those of all
    size_t diagnostics_bytes; // of a record
    double lesion_dose_min;   // from which dose on a cell counts for the lesion's volume
    size_t sensor_count;
    const struct bioheat_sensor_place *sensors;
};

// The first cell, in index order, whose temperature is not finite.
struct bioheat_nonfinite {
    int64_t step; // after which it was found; −1: all are finite
    size_t cell[BIOHEAT_AXES];
    double temperature_c;
};

// (required) unless marked.
struct bioheat_backend {
    // models/backend.h. warm_up: before `start`, which discards its traces. touch: also between set_records
    // and the first step. fetch: state and records.
    struct backend head;
    // Whether it has the method, for these media: false, and `why` completes "NAME does not have it ...".
    // (optional; left out: it has all)
    bool (*has_method)(const struct bioheat_setup *setup, char *why, size_t bytes);
    // (optional; left out: a run cannot be divided among ranks) How many planes of its neighbours a rank that
    // has so many own ones is to hold, on each side; the same on all ranks.
    size_t (*halo)(const struct bioheat_setup *setup, size_t planes);
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct bioheat_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct solver **solver);
    // With media and layers filled in: coefficients; θ = 0, dose 0, nothing recorded.
    enum status (*start)(struct solver *solver);
    // θ (K) of `count` cells of row (z, y) from x = first.
    void (*get)(const struct solver *solver, size_t z, size_t y, size_t first, size_t count, double *theta_k);
    void (*set)(struct solver *solver, size_t z, size_t y, size_t first, size_t count, const double *theta_k);
    // Dose (CEM43, minutes) and largest rise (K) with its time (s), as reported after `step` steps; rows as
    // in get. Pointers may be NULL. Without them in the physics: NaN.
    void (*get_records)(const struct solver *solver, int64_t step, size_t z, size_t y, size_t first,
                        size_t count, double *dose_min, double *largest_k, double *largest_at_s);
    // (optional) The records of an earlier exposure, rows as in set, between `start` and `touch`; pointers
    // may be NULL. The dose's integral begins from dose_min (with the run's own half rate at step 0); ISO's
    // memory is set where largest_k + T_ref ≥ 43 °C.
    void (*set_records)(struct solver *solver, size_t z, size_t y, size_t first, size_t count,
                        const double *dose_min, const double *largest_k, const double *largest_at_s);
    // Dose by physics->second_dose, which is not OFF, as get_records and set_records have the first;
    // largest_k may be NULL.
    void (*get_second_dose)(const struct solver *solver, int64_t step, size_t z, size_t y, size_t first,
                            size_t count, double *dose_min);
    void (*set_second_dose)(struct solver *solver, size_t z, size_t y, size_t first, size_t count,
                            const double *dose_min, const double *largest_k);
    // (optional) source->layers[layer] (host) has new values: takes them over, or begins to. `layer_taken`
    // returns when the host's array may be written again; advance waits by itself.
    enum status (*take_layer)(struct solver *solver, int layer);
    enum status (*layer_taken)(struct solver *solver, int layer);
    // In place of the head's: count ≤ batch_steps; amplitudes [count][bioheat_terms(source)], read before it
    // returns.
    enum status (*advance)(struct solver *solver, int64_t first_step, int64_t count,
                           const double *amplitudes);
    // (optional; left out: the back end has no rkl2) Whether the steps of the next calls of advance are
    // divided: made of physics->substeps sub-steps, for which the source is that of the step. Not divided
    // after start.
    void (*divide)(struct solver *solver, bool is_divided);
    // (optional, all or none; only with `fetch`) with the head's send, as models/tsunami/solver.h
    // has them: each begins its work and returns; the I/O thread calls only await. `amplitudes` [terms] are
    // those of the step just made (for the source's power in the diagnostics).
    enum status (*plan_results)(struct solver *solver, const struct bioheat_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct solver *solver, enum bioheat_result result, int slot, size_t record,
                           int64_t step, const double *amplitudes);
    enum status (*await)(struct solver *solver, enum bioheat_result result, int slot,
                         struct bioheat_nonfinite *found);
    enum status (*guard)(struct solver *solver, int64_t step, struct bioheat_nonfinite *found);
    enum status (*finish)(struct solver *solver, struct bioheat_nonfinite *found);
};

extern const struct bioheat_backend bioheat_backend_reference, bioheat_backend_openmp;

// All of the heat model's, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list bioheat_backends;

#endif
