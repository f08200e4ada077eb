// Calls of a library that reads a file of a user, and may crash on one that is damaged: HDF5 does. While a
// thread is in such a call, a crash of that thread ends the program with one line that names the file, and
// with the exit code of invalid data. Any other crash is the program's own: it ends with the signal, as
// usual. Independent of what the libraries are.
#ifndef FATHOM_CORE_LIBRARY_CALL_H
#define FATHOM_CORE_LIBRARY_CALL_H

#include "core/status.h"

// The call in which this thread is. library: "HDF5"; path: of the file, NULL: in none.
struct library_call {
    const char *library, *path;
};

// Read by a signal handler of the same thread.
extern _Thread_local volatile struct library_call library_call_now;

static inline void library_call_begin(const char *library, const char *path)
{
    library_call_now.library = library;
    library_call_now.path = path;
}

// Returns what the call returned.
static inline int library_call_end(int code)
{
    library_call_now.path = NULL;
    return code;
}

// Bytes of a stack for handlers: a thread whose own stack is used up has no room for them.
enum { LIBRARY_CALL_STACK_BYTES = 32 << 10 };

// Catches crashes, from now on. Does nothing under a sanitizer, which reports crashes itself, or with
// FATHOM_CORE_DUMP in the environment, for a debugger. STATUS_SYSTEM.
enum status library_call_guard(void);

// Gives the calling thread a stack for handlers, of LIBRARY_CALL_STACK_BYTES, which must exist as long as the
// thread.
void library_call_use_stack(void *stack);

#endif
