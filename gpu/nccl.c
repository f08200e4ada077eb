// Loads NCCL (see the header).
#include "gpu/nccl.h"

#include "gpu/nccl_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_VERSION = 21800 }; // ncclConfig_t.maxCTAs, which bounds NCCL's memory, is of 2.17

// The functions in the order of struct nccl_library.
static const char *const names[] = {"ncclGetVersion",  "ncclGetUniqueId",   "ncclCommInitRankConfig",
                                    "ncclCommDestroy", "ncclCommAbort",     "ncclCommGetAsyncError",
                                    "ncclGroupStart",  "ncclGroupEnd",      "ncclSend",
                                    "ncclRecv",        "ncclGetErrorString"};
enum { FUNCTIONS = sizeof names / sizeof *names };
_Static_assert(sizeof(struct nccl_library) == FUNCTIONS * sizeof(void *), "a name for each function");

static struct nccl_library library;
static char why_not[256], version_text[32];

// "" if all is there.
static void load(void)
{
    void *functions[FUNCTIONS];
    int version = 0;
    // Only sends and receives are used. What NCCL would set up for NVLink's multicast takes memory, and a
    // crash can leave it behind in the devices.
    (void)setenv("NCCL_NVLS_ENABLE", "0", 0);
    void *handle = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(why_not, sizeof why_not, "%.200s", dlerror());
        return;
    }
    for (int k = 0; k < FUNCTIONS; k++) {
        functions[k] = dlsym(handle, names[k]);
        if (!functions[k]) {
            snprintf(why_not, sizeof why_not, "libnccl.so.2 has no %s", names[k]);
            return;
        }
    }
    memcpy(&library, functions, sizeof library);
    if (library.get_version(&version) != ncclSuccess || version < LEAST_VERSION) {
        snprintf(why_not, sizeof why_not, "libnccl.so.2 is of version %d, too old: %d or newer is needed",
                 version, LEAST_VERSION);
        return;
    }
    snprintf(version_text, sizeof version_text, "NCCL %d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
}

bool gpu_nccl_describe(char *text, size_t bytes)
{
    if (!why_not[0] && !version_text[0])
        load();
    snprintf(text, bytes, "%s", why_not[0] ? why_not : version_text);
    return !why_not[0];
}

const struct nccl_library *nccl_library(void)
{
    return &library;
}
