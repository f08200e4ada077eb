// Stands in for libnccl.so.2 in tests of what the program says of one that it cannot use: an old one, or with
// FAKE_LACKS one that lacks a function. Only the version is ever asked for.
#include <stdlib.h>

#define FUNCTION(name)                                                                                       \
    int name(void);                                                                                          \
    int name(void)                                                                                           \
    {                                                                                                        \
        return 0;                                                                                            \
    }

FUNCTION(ncclGetUniqueId)
FUNCTION(ncclCommInitRankConfig)
FUNCTION(ncclCommDestroy)
FUNCTION(ncclCommGetAsyncError)
FUNCTION(ncclGroupStart)
FUNCTION(ncclGroupEnd)
FUNCTION(ncclSend)
FUNCTION(ncclRecv)
FUNCTION(ncclGetErrorString)
#ifndef FAKE_LACKS
FUNCTION(ncclCommAbort)
#endif

int ncclGetVersion(int *version);
int ncclGetVersion(int *version)
{
    const char *text = getenv("FAKE_NCCL_VERSION");
    *version = text ? atoi(text) : 0;
    return 0;
}
