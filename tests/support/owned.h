// What a test owns: memory and whatever else must be released, at the test's end, however it ends, the
// newest first. What is made outside of a test (in a suite's `begin`, a group's set-up) stays until the
// program ends.
#ifndef FATHOM_TESTS_SUPPORT_OWNED_H
#define FATHOM_TESTS_SUPPORT_OWNED_H

#include <stddef.h>

// So many elements of so many bytes, all zero.
void *owned_zeros(size_t count, size_t bytes);
// A block that something else has allocated by malloc; NULL fails the test. Returns it.
void *owned_take(void *allocated);
void owned_at_end(void (*release)(void *), void *what);
// Defines `name`, which gives the test a TYPE that `release` releases, and returns it.
#define OWNED(name, type, release)                                                                           \
    static inline void name##_release(void *what)                                                            \
    {                                                                                                        \
        release(what);                                                                                       \
    }                                                                                                        \
    static inline type *name(type *what)                                                                     \
    {                                                                                                        \
        owned_at_end(name##_release, what);                                                                  \
        return what;                                                                                         \
    }                                                                                                        \
    _Static_assert(1, "takes the semicolon")
// Releases one of them before the test's end, where many would come together. NULL is nothing.
void owned_end(void *what);

// For test.c: what is there now; and the release of all that came after it.
const void *owned_mark(void);
void owned_release(const void *mark);

#endif
