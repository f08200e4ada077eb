// Writes a record of a run's diagnostics to run.json, with the names and shapes of its stream's variables.
// For every model.
#ifndef FATHOM_MODELS_DESCRIBE_RECORD_H
#define FATHOM_MODELS_DESCRIBE_RECORD_H

#include "core/stream.h"

#include <cjson/cJSON.h>

// JSON has no NaN and no infinity: those are null.
cJSON *describe_number(double value);

// {"time": …, variable: number or list, …} as `name` of `parent`; `values`: one record of `stream`, doubles.
void describe_record(const struct stream *stream, cJSON *parent, const char *name, const double *values,
                     double time);

// "phases" of the report, {"timed_steps": …, NAME: seconds, …}, of `count` names; nothing where no step was
// timed.
void describe_stages(cJSON *report, int64_t steps, const char *const *names, const double *seconds,
                     int count);

#endif
