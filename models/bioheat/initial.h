// The temperature at the start: one number, or a field from a file. Uses solvers only through their table of
// functions.
#ifndef FATHOM_MODELS_BIOHEAT_INITIAL_H
#define FATHOM_MODELS_BIOHEAT_INITIAL_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/bioheat/solver.h"

struct bioheat_initial;
struct volume_info;

// Whether a run can start from a temperature, of cell i of plane z of a file. STATUS_DATA: it cannot.
enum status bioheat_initial_check_value(const struct volume_info *info, size_t z, size_t i, double value_c);

// Block `initial`, of a run in `precision` whose temperatures are counted from reference_c. Reads headers
// only. The job and the grid must outlive it.
enum status bioheat_initial_create(const struct job *job, const struct bioheat_grid *grid,
                                   enum element precision, double reference_c,
                                   struct bioheat_initial **initial);
void bioheat_initial_destroy(struct bioheat_initial *initial); // NULL: does nothing

// Path of its file, or NULL.
const char *bioheat_initial_path(const struct bioheat_initial *initial);

// The uniform temperature (degC); NaN: it is from a file, or from an earlier run.
double bioheat_initial_constant_c(const struct bioheat_initial *initial);

// Before the plan, of a file: plane z, of whose cells `roles` (enum bioheat_role) are known. start_c [y][x]:
// its temperatures (degC). STATUS_DATA as prepare; STATUS_SYSTEM.
enum status bioheat_initial_check(const struct bioheat_initial *initial, size_t z, const uint8_t *roles,
                                  double *start_c);

// Before the plan: θ (K) of plane z [y][x]. STATUS_DATA as prepare, but for missing values.
enum status bioheat_initial_read(const struct bioheat_initial *initial, size_t z, double *theta_k);

enum status bioheat_initial_plan(struct bioheat_initial *initial, struct memory_plan *plan);

// Which cells (in index order) are void, and need no value: they get 37 degC. is_void NULL: none.
struct bioheat_voids {
    bool (*is_void)(const void *context, uint64_t index);
    const void *context;
};

// On the I/O thread, once the media are read: reads the field. STATUS_DATA: an invalid temperature, with its
// place.
enum status bioheat_initial_prepare(struct bioheat_initial *initial, const struct bioheat_voids *voids);

// After the solver's start: every row of θ, then touch.
enum status bioheat_initial_apply(const struct bioheat_initial *initial,
                                  const struct bioheat_backend *backend, struct solver *solver);

#endif
