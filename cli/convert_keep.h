// Which files `fathom convert` never replaces.
#ifndef FATHOM_CLI_CONVERT_KEEP_H
#define FATHOM_CLI_CONVERT_KEEP_H

#include "core/status.h"

// STATUS_CANNOT_CREATE: the output is the input, or a run's own file: run.json, run.log, forecast.json or a
// result in the folder of a run. Products of a run may be written again.
enum status convert_keep(const char *input, const char *output);

#endif
