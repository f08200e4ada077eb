// Whether tests are to be brief. Header only.
#ifndef FATHOM_TESTS_SUPPORT_SANITIZED_H
#define FATHOM_TESTS_SUPPORT_SANITIZED_H

// The address and undefined-behaviour sanitizers slow a run down some twenty times: tests shrink by this. So
// they do when built with -DFATHOM_BRIEF_TESTS, for sanitizers that the compiler does not know of
// (compute-sanitizer).
#if defined(__SANITIZE_ADDRESS__) || defined(FATHOM_BRIEF_TESTS)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

#endif
