// The signals that ask a run to end: SIGINT, SIGTERM, and SIGHUP (a closed terminal) unless it is ignored, as
// by nohup(1). Knows nothing of runs but whether anything was written yet.
#ifndef FATHOM_CORE_STOP_SIGNALS_H
#define FATHOM_CORE_STOP_SIGNALS_H

#include "core/status.h"

// Holds them back, also across execve(2), until stop_signals_catch.
void stop_signals_hold(void);

// First thing in the program. From here on each of them, also one that was held back, ends the process at
// once with the exit code of STATUS_STOPPED and one line: nothing was made yet that had to be kept or
// removed. STATUS_SYSTEM.
enum status stop_signals_catch(void);

// From here on they set a flag, which the run loop sees after the current step; a second SIGINT kills as
// usual. Forgets what was pending. STATUS_SYSTEM.
enum status stop_signals_defer(void);

// The signal received since; 0: no signal.
int stop_signals_pending(void);

#endif
