// The signals that ask a run to end: SIGINT, SIGTERM, and SIGHUP (a closed terminal) unless it is ignored, as
// by nohup(1). The only property of a run that it uses is whether anything was written yet.
#ifndef FATHOM_CORE_STOP_SIGNALS_H
#define FATHOM_CORE_STOP_SIGNALS_H

#include "core/status.h"

// Blocks these signals, also across execve(2), until stop_signals_catch.
void stop_signals_hold(void);

// Called first in the program. From here on each of these signals, also a blocked one, ends the process at
// once with one line and the exit code of STATUS_STOPPED, since no file exists yet that must be kept or
// removed. Fails with STATUS_SYSTEM.
enum status stop_signals_catch(void);

// From here on these signals set a flag, which the run loop reads after the current step; a second SIGINT
// kills as usual. Clears the flag. Fails with STATUS_SYSTEM.
enum status stop_signals_defer(void);

// Returns the signal received since stop_signals_defer; 0: none.
int stop_signals_pending(void);

#endif
