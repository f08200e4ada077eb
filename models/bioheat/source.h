// The heat source of a job, and its amplitudes in each step. Independent of solvers: struct bioheat_source
// (state.h) holds where it acts, bioheat_heating_amplitudes how strongly; streamed fields are read into
// layers in time.
#ifndef FATHOM_MODELS_BIOHEAT_SOURCE_H
#define FATHOM_MODELS_BIOHEAT_SOURCE_H

#include "core/memory_plan.h"
#include "core/pipeline.h"
#include "io/job/job.h"
#include "models/bioheat/state.h"

struct cJSON;
struct bioheat_heating; // opaque

// Reads and checks everything but the values of fields (headers, tables, protocols). Without a
// source in the job it has no terms.
enum status bioheat_heating_create(const struct job *job, const struct bioheat_grid *grid,
                                   enum element precision, struct bioheat_heating **heating);
void bioheat_heating_destroy(struct bioheat_heating *heating);

// Where it acts; valid from creation on, its layers' arrays from reserve on.
const struct bioheat_source *bioheat_heating_source(const struct bioheat_heating *heating);

// Paths of its input files; returns how many.
int bioheat_heating_inputs(const struct bioheat_heating *heating, const char **paths);

// Reads the maps once for their largest values; before the plan. STATUS_DATA as prepare.
enum status bioheat_heating_survey(struct bioheat_heating *heating);
// After the survey: what the source gives at most in any of the first `steps` steps of `step_s`, W/m³, upper
// bounds where terms overlap: its power density; by how much a cell's differs from the mean of the cells at
// its faces; and the heat (J/m³) by which, at any time within a step, what was given off since the step's
// start differs from that of the step's mean power. NaN where values are read during the run (a stream,
// points or boxes of a file). Before the plan, which sets the run's own steps.
struct bioheat_power {
    double largest_w_m3, rough_w_m3, missed_j_m3;
};
struct bioheat_power bioheat_heating_power(struct bioheat_heating *heating, double step_s, int64_t steps);
// Times and periods (s) of which a step must be a divisor if steps shall end where the source is switched.
// averaged = 0: of all of them. Of 2n − 1 and 2n, up to BIOHEAT_SWITCH_LEVELS, the n innermost levels of
// pulses count as evenly on, until the end of their last pulse and of its period, respectively. Returns how
// many there are; the first `most` are stored.
enum { BIOHEAT_SWITCH_LEVELS = 16 };
size_t bioheat_heating_switches(const struct bioheat_heating *heating, int averaged, double *lengths_s,
                                size_t most);

// Declares layers and buffers. `step_s` and `steps` are the run's. STATUS_CONFIGURATION if a table or file is
// shorter than the run.
enum status bioheat_heating_plan(struct bioheat_heating *heating, struct memory_plan *plan, double step_s,
                                 int64_t steps, double start_s);

// On the I/O thread, after the seal: fills the layers that do not change.
enum status bioheat_heating_prepare(struct bioheat_heating *heating);

// Mean amplitudes of steps first_step … first_step + count − 1: [count][bioheat_terms(source)], exact for
// pulses shorter than a step (the share of the step that they are on).
void bioheat_heating_amplitudes(const struct bioheat_heating *heating, int64_t first_step, int64_t count,
                                double *amplitudes);

// Whether the source is switched between two steps of these amplitudes: a term changes by more than half of
// the larger of both. A stream is never: its amplitudes are weights of records.
bool bioheat_heating_is_switched(const struct bioheat_heating *heating, const double *before,
                                 const double *after);

// Streamed fields. Callbacks to the solver's take_layer and layer_taken; either may be NULL. No solver reads
// a layer whose amplitude is 0 in a step: the I/O thread may be filling it. If the source is held in memory,
// the layers' pointers change from piece to piece.
struct bioheat_layer_user {
    void *context;
    enum status (*take)(void *context, int layer);
    enum status (*taken)(void *context, int layer);
};
// Before the first step (of the run, or after a resume at `step`): reads the layers of the first steps and
// begins to read ahead. Constant layers are passed to the solver too. `pipeline` NULL: reads on the
// calling thread (tests).
enum status bioheat_heating_begin(struct bioheat_heating *heating, struct pipeline *pipeline,
                                  struct bioheat_layer_user user, int64_t step);
// How many steps from `step` on the present layers suffice for (≥ 1), at most `wanted`: waits for the file if
// necessary, passes new layers to the solver, begins to read ahead. STATUS_DATA, with file, record and time:
// a record that a step needs cannot be read. Layers of the steps granted stay until the next call.
enum status bioheat_heating_ready(struct bioheat_heating *heating, int64_t step, int64_t wanted,
                                  int64_t *granted);

// Adds "source" to the report: terms, bytes streamed, seconds waited for the file. The diagnostics have the
// energy.
void bioheat_heating_describe(const struct bioheat_heating *heating, struct cJSON *report);

#endif
