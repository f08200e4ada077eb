// Calls a function in a separate process, which may crash, and whose threads and memory end with it.
// Independent of what is called.
//
// The calling process must not have used OpenMP or a device before: neither survives a fork.
#ifndef FATHOM_VALIDATE_ISOLATE_H
#define FATHOM_VALIDATE_ISOLATE_H

#include "core/status.h"

#include <stddef.h>

struct isolate_outcome {
    int exit_code; // what the function returned (0 … 255); −1 if a signal ended it
    int signal;    // or 0
};

// Runs call(context) in a child, whose standard output and error go to the file (replaced), and waits. The
// child dies with the caller. STATUS_SYSTEM if no process can be created, STATUS_CANNOT_CREATE if the file
// cannot be made. STATUS_STOPPED after a signal that isolate_watch_signals caught, which also ends the child.
enum status isolate_call(int (*call)(void *context), void *context, const char *output_path,
                         struct isolate_outcome *outcome);

// Catches SIGINT, SIGTERM and SIGHUP from here on: they terminate the child, and are stored.
void isolate_watch_signals(void);
// Lets the stored signal have its usual effect on this process (termination). Returns if none came.
void isolate_follow_signal(void);

// The last line that is not empty of a text file, without a leading "fathom: "; "" without one.
void isolate_last_line(const char *path, char *line, size_t bytes);

#endif
