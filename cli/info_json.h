// `fathom info` of a job or a queue of jobs: for which model it is, and the commands that take it. Internal
// to cli/info*.c.
#ifndef FATHOM_CLI_INFO_JSON_H
#define FATHOM_CLI_INFO_JSON_H

#include "core/status.h"

#include <stdbool.h>

// Whether a file is JSON of that kind.
enum status info_json_is_for(const char *path, bool *is);

// STATUS_NO_INPUT, STATUS_IO, STATUS_DATA: as json_file_read.
enum status info_json(const char *path, bool as_json);

#endif
