// What carries bytes between the ranks of a run: a table of functions, and nothing else. One table for each
// way there is: parallel/mpi/module.c (a module that is loaded at run time), the test's own over threads.
// Independent of what the bytes mean. Includes nothing of this program, so that a module needs nothing of it.
#ifndef FATHOM_PARALLEL_TRANSPORT_H
#define FATHOM_PARALLEL_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    TRANSPORT_VERSION = 1, // of this table; a module of another version is not used
    TRANSPORT_HOST_BYTES = 64,
    TRANSPORT_LIBRARY_BYTES = 96,
    TRANSPORT_WHY_BYTES = 512,
    TRANSPORT_MESSAGE_MAX = 1 << 28 // bytes of one message
};

// Messages of one channel never meet those of another. A channel is used by one thread at a time.
enum transport_channel {
    TRANSPORT_STEPS, // the thread that computes
    TRANSPORT_FILES, // the I/O thread
    TRANSPORT_PULSE, // the thread that watches the other ranks
    TRANSPORT_CHANNELS
};

struct transport_world {
    int rank, count;
    int local_rank; // among the ranks of the same host
    char host[TRANSPORT_HOST_BYTES];
    char library[TRANSPORT_LIBRARY_BYTES]; // "Open MPI 4.1.4"
};

// A message under way: the transport's own.
struct transport_request {
    void *handle[2];
};

// (required) All functions. Those that return bool: false = failed, with the reason in `why`
// (TRANSPORT_WHY_BYTES). A message from one rank to another on the same channel with the same tag arrives in
// the order in which it was sent.
struct transport {
    int version; // TRANSPORT_VERSION
    void *context;
    bool (*start)(void *context, struct transport_world *world, char *why);
    // Begins to send or to receive at most TRANSPORT_MESSAGE_MAX bytes. The memory is the caller's until the
    // request is done. `bytes` is the same on both sides.
    bool (*send)(void *context, enum transport_channel channel, int to, int tag, const void *data,
                 size_t bytes, struct transport_request *request, char *why);
    bool (*receive)(void *context, enum transport_channel channel, int from, int tag, void *data,
                    size_t bytes, struct transport_request *request, char *why);
    // Whether it is done; never waits. A request that is done must not be asked about again.
    bool (*test)(void *context, struct transport_request *request, bool *is_done, char *why);
    // Gives up a request that may never be done. False: the transport may still use its memory, which must
    // then stay until the process ends.
    bool (*cancel)(void *context, struct transport_request *request);
    // (last) After all messages have arrived, on all ranks. The process may then end.
    void (*end)(void *context);
};

// The one symbol of a module.
#define TRANSPORT_SYMBOL "fathom_transport"

#endif
