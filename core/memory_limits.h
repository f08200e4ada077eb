// Memory that the process can still use: free memory of the machine, and what the control groups (cgroup v2,
// v1) above the process and ulimit -v leave. The kernel does not refuse memory beyond a control group's
// limit, but kills the process.
#ifndef FATHOM_CORE_MEMORY_LIMITS_H
#define FATHOM_CORE_MEMORY_LIMITS_H

#include <stddef.h>

enum { MEMORY_LIMIT_NAME_BYTES = 1024 };

struct memory_limit {
    size_t available; // bytes; SIZE_MAX: unknown, or no limit
    // "this machine has free", "the limit of the control group ... leaves", with its file
    char name[MEMORY_LIMIT_NAME_BYTES];
};

// Returns the smallest limit. `root` is a prefix of the paths of /proc and /sys: "", or a test's folder. The
// usage of a group is counted without cached files, which the kernel drops when memory is requested. Every
// group from the process's own up to the root is read, with memory.max and memory.high (v1:
// memory.limit_in_bytes).
struct memory_limit memory_limits_find(const char *root);

// The same without ulimit -v, which each process has by itself: what processes of a host have together.
struct memory_limit memory_limits_shared(const char *root);

// Bytes of address space that ulimit -v leaves; SIZE_MAX without such a limit.
size_t memory_limits_address_space(const char *root);

// Bytes in memory of the process now: its code, libraries, stacks and heap. 0: unknown.
size_t memory_limits_resident(const char *root);

#endif
