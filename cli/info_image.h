// `fathom info` of a NIfTI image: how it lies, what its values are, and the lines with which a heat job uses
// it. Internal to cli/info*.c.
#ifndef FATHOM_CLI_INFO_IMAGE_H
#define FATHOM_CLI_INFO_IMAGE_H

#include "core/status.h"

#include <stdbool.h>

// Reads the first record and prints it. STATUS_DATA, STATUS_NO_INPUT: as io/nifti.h; STATUS_SYSTEM.
enum status info_image(const char *path, bool as_json);

#endif
