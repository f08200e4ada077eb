// What asks a run to end: the signals SIGINT, SIGTERM, and SIGHUP (a closed terminal) unless it is ignored,
// as by nohup(1); and the time limit. The only property of a run that it uses is whether anything was
// written yet.
#ifndef FATHOM_CORE_STOP_SIGNALS_H
#define FATHOM_CORE_STOP_SIGNALS_H

#include "core/status.h"

#include <stdbool.h>

// Blocks these signals, also across execve(2), until stop_signals_catch.
void stop_signals_hold(void);

// Called first in the program. From here on each of these signals, also a blocked one, ends the process at
// once with one line and the exit code of STATUS_STOPPED, since no file exists yet that must be kept or
// removed. Fails with STATUS_SYSTEM.
enum status stop_signals_catch(void);

// From here on these signals set a flag, which the run loop reads after the current step; a second SIGINT
// kills as usual. Clears the flag. Fails with STATUS_SYSTEM.
enum status stop_signals_defer(void);

// "SIGTERM"; of a signal that does not ask a run to end, "a signal".
const char *stop_signals_name(int number);

// Undoes both, and forgets a signal that came: these signals end the process as they end any other, without a
// line. For a process between two runs, which has nothing to keep. stop_signals_catch begins again.
void stop_signals_release(void);

// Returns the signal received since stop_signals_defer; 0: none.
int stop_signals_pending(void);

// The time (clock_now_s) at which the time limit is over; INFINITY, as at first: none. Called before the
// run's threads start.
void stop_signals_set_limit(double end_s);
// Reads the clock if there is a limit.
bool stop_signals_limit_is_over(void);
// For long work before the first step: true at a signal, or when the time limit is over. The work must then
// be given up, and the run ended, for which stop_signals_cut_work is true from then on.
bool stop_signals_are_due(void);
bool stop_signals_cut_work(void);

#endif
