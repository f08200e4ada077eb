// The tsunami's back ends as a list, for those who want each of them (the benchmark), and as a user writes
// them. By plain name: solver.h.
#ifndef FATHOM_MODELS_TSUNAMI_BACKENDS_H
#define FATHOM_MODELS_TSUNAMI_BACKENDS_H

#include "models/backend.h"
#include "models/tsunami/solver.h"

// All of them in the form that the models have in common, and the table of one of its members.
const struct backend_list *tsunami_backend_list(void);
const struct tsunami_backend *tsunami_backend_of(const struct backend *head); // NULL of NULL

// Number `index` from 0, in the order in which they were registered; NULL beyond the last.
const struct tsunami_backend *tsunami_backend_at(int index);

// The table of a back end for a method (solver.h: flooding); NULL if it has none.
const struct tsunami_backend *tsunami_backend_for(const struct tsunami_backend *backend,
                                                  enum tsunami_method method);

// "NAME", "auto", or "NAME:2": the third device of a back end that has devices (*device counts from 0, and is
// 0 where none is named). Does not ask whether this machine can run it. STATUS_CONFIGURATION if there is no
// such back end in this build, it has no devices to choose from, or what follows the colon is no number; the
// message begins with the text and does not say where it stood.
enum status tsunami_backend_read(const char *text, const struct tsunami_backend **backend, int *device);

#endif
