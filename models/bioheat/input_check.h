// Whether a run can take a file, found without a job by the checks that a run makes of it, with their words:
// for `fathom info`. What depends on the job's other files, such as the place of a pressure among the labels,
// only a run can find.
#ifndef FATHOM_MODELS_BIOHEAT_INPUT_CHECK_H
#define FATHOM_MODELS_BIOHEAT_INPUT_CHECK_H

#include "core/status.h"

struct bioheat_input {
    const char *path, *variable; // NULL: the only one, or that of an image
    const char *units;           // that the job would give; NULL: the file's
    const char *table;           // of labels, by its name; NULL: any label has a tissue
};

// Each opens the file and reads it through. STATUS_DATA: a run refuses it; STATUS_NO_INPUT, STATUS_SYSTEM.
enum status bioheat_input_labels(const struct bioheat_input *input);
enum status bioheat_input_ct(const struct bioheat_input *input);
enum status bioheat_input_pressure(const struct bioheat_input *input);
enum status bioheat_input_temperature(const struct bioheat_input *input);

#endif
