// Who allocates how much after the seal: the C library's allocators are replaced by ones that keep count, the
// CUDA runtime's calls go through the linker's --wrap. For one test program; linked into it, not into a
// library.
#ifndef FATHOM_TESTS_FAULT_ALLOCATION_BOOKS_H
#define FATHOM_TESTS_FAULT_ALLOCATION_BOOKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h> // __GLIBC__

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define IS_COUNTING 0 // a sanitizer has allocators of its own
#else
#define IS_COUNTING 1
#endif

extern atomic_long forbidden_count;         // after the seal, by a thread that may not
extern atomic_size_t forbidden_bytes;       // of the first of them
extern char forbidden_thread[16];           // the name of the thread that made it
void print_forbidden_calls(void);           // to stderr, those that led to it: addresses of objects
extern atomic_long exempt_count;            // by the I/O thread
extern atomic_llong held_bytes, peak_bytes; // by the I/O thread since the seal
// After the seal, in calls of a library of messages, which the program of the test marks: how often, how much
// is held now, and at most. They count as exempt, too.
extern _Thread_local bool is_in_transport;
extern atomic_long transport_count;
extern atomic_llong transport_held_bytes, transport_peak_bytes;
extern atomic_llong forbidden_held_bytes, forbidden_peak_bytes;
// After the seal, by threads of the CUDA driver's own: how often, how much in all, how much at a time.
extern atomic_long driver_count;
extern atomic_llong driver_bytes, driver_held_bytes, driver_peak_bytes;
extern atomic_long device_count,
    device_late_count; // asked of the device's runtime: before the seal, after it

void reset_books(void);

#endif
