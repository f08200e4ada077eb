// Choice of a heat run's step: by the limit of explicit steps, of method rkl2 by the allowed error; and by
// the times at which the source is switched. Uses the job, but no arrays.
#ifndef FATHOM_MODELS_BIOHEAT_STEP_H
#define FATHOM_MODELS_BIOHEAT_STEP_H

#include "models/bioheat/params.h"
#include "models/bioheat/source/source.h"

// Sets step, stages, number of steps and what run.json has of them, after the parameters and the source were
// read; methods but rkl2 may have no heating (NULL). STATUS_CONFIGURATION: the step is unstable, or not what
// the job asks of it; STATUS_DATA: a map of the source cannot be read.
enum status bioheat_step_choose(const struct job *job, struct bioheat_heating *heating,
                                struct bioheat_params *p);

// The error (K) that the run states of itself because the source is switched within steps, if it is larger
// than what is allowed; otherwise 0.
double bioheat_step_excess_k(const struct bioheat_params *p);

// The error (K) that the run states of its steps: with rkl2 all of it (NaN: not known, of a stream), with
// other methods what they miss where the source is switched.
double bioheat_step_error_k(const struct bioheat_params *p);

// When the run has ended: adds what its steps missed of a stream, and warns if that is more than is allowed.
void bioheat_step_add_streamed(struct bioheat_params *p, double missed_j_m3);

// Warns of records, an end of the run and switches of the source that the step does not meet, as far as they
// matter. After all refusals.
void bioheat_step_warn(const struct job *job, const struct bioheat_params *p);

#endif
