// The block `limits` of a job: the quantities of the diagnostics that are watched during a run
// (core/watch.h), and their limits. Independent of models.
#ifndef FATHOM_MODELS_LIMITS_H
#define FATHOM_MODELS_LIMITS_H

#include "models/model.h"

// Adds a limit of one quantity of the stream "diagnostics" to the plan, which must have its streams already.
// In `limit` all members but `stream` and `most` are set; its key is a number of the job (JOB_NUMBER). If the
// plan has no such stream, adds nothing; STATUS_CONFIGURATION if the job has the key.
enum status limits_add(struct model_plan *plan, const struct job *job, struct watch_limit limit);

// Computes the number of steps from time.duration and time.step of the job; both are in `unit` (for messages;
// "": no unit). STATUS_CONFIGURATION if there are more than 1e15, which a double counts exactly.
enum status limits_count_steps(const struct job *job, double duration, double step, const char *unit,
                               int64_t *steps);

#endif
