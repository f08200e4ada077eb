// What a heat run's start from a file is: whether the run can begin with it, and whether a body has it.
#ifndef FATHOM_MODELS_BIOHEAT_START_CHECK_H
#define FATHOM_MODELS_BIOHEAT_START_CHECK_H

#include "models/bioheat/settings.h"

// Before the plan, so that it says, too, what the run would refuse: reads the file of initial.file, if there
// is one, and sets p->start_least and p->start_most. STATUS_DATA, as bioheat_initial_prepare; STATUS_SYSTEM.
enum status bioheat_start_check(struct bioheat_params *p);

// Whether a body may have a start or a blood of this temperature.
bool bioheat_is_of_body(double temperature_c);

// The cell of a file that is farthest from what a body has; NULL: each has a body's, or there is no file.
const struct bioheat_start_cell *bioheat_start_strange(const struct bioheat_params *p);

#endif
