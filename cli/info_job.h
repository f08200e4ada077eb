// What all of `fathom info` prints of a job: the keys with which it uses the file, on one line. Internal to
// cli/info*.c.
#ifndef FATHOM_CLI_INFO_JOB_H
#define FATHOM_CLI_INFO_JOB_H

#include "core/status.h"

struct cJSON;

// Prints `value` as the value of a key, "source.displacement" or "bathymetry", and deletes it; key NULL: the
// members of an object, as they stand in a job. STATUS_SYSTEM: no memory.
enum status info_job_print(const char *key, struct cJSON *value);

#endif
