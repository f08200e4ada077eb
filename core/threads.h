// Tries to start threads before they are needed: OpenMP ends the program with an exit code of its own if it
// cannot start one.
#ifndef FATHOM_CORE_THREADS_H
#define FATHOM_CORE_THREADS_H

#include "core/status.h"

// Begins `count` − 1 threads at the same time, of the stack that OpenMP gives its own (OMP_STACKSIZE), and
// ends them. STATUS_SYSTEM if the system refuses one: too many processes or threads (ulimit -u, a control
// group), or no memory for their stacks.
enum status threads_try(int count);

#endif
