// What the program that stands ready (ready.c) and the test that calls it (cli_ready.c) say to each other.
#ifndef FATHOM_TESTS_SUPPORT_READY_H
#define FATHOM_TESTS_SUPPORT_READY_H

#include <sys/resource.h>

enum { READY_BYTES_MAX = 1 << 16, READY_WORDS_MAX = 256 };

struct ready_end {
    int status; // of wait4
    struct rusage usage;
};

#endif
