// `fathom info` of the files that describe an earthquake: moment tensors and finite faults
// (models/tsunami/earthquake/recognise.h). Internal to cli/info*.c.
#ifndef FATHOM_CLI_INFO_EARTHQUAKE_H
#define FATHOM_CLI_INFO_EARTHQUAKE_H

#include "core/status.h"

#include <stdbool.h>

// Whether the file is one of them, by its content; false for a file that cannot be read.
bool info_earthquake_is_for(const char *path);

// Prints it. wanted: the name of one event of a file with several, or NULL. STATUS_DATA and those of the
// readers.
enum status info_earthquake(const char *path, const char *wanted, bool as_json);

#endif
