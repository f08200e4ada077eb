// The transport over MPI: a module that is compiled once for each MPI on the machine and loaded at run time
// (parallel/launch.c). Knows nothing of the program but parallel/transport.h. Host memory only: an MPI as
// packaged often is not aware of devices.
#include "parallel/transport.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(struct transport_request), "a request fits into its place");

static MPI_Comm channels[TRANSPORT_CHANNELS];

static bool fail(char *why, const char *what, int error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(error, text, &length) != MPI_SUCCESS)
        text[0] = '\0';
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    snprintf(why, TRANSPORT_WHY_BYTES, "%s: %.400s", what, text);
    return false;
}

// "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\nMPICH Release..." become short.
static void name_library(char text[TRANSPORT_LIBRARY_BYTES])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, number[3] = {0};
    if (MPI_Get_library_version(version, &length) != MPI_SUCCESS)
        version[0] = '\0';
    if (sscanf(version, "Open MPI v%d.%d.%d", &number[0], &number[1], &number[2]) == 3)
        snprintf(text, TRANSPORT_LIBRARY_BYTES, "Open MPI %d.%d.%d", number[0], number[1], number[2]);
    else if (sscanf(version, "MPICH Version: %d.%d.%d", &number[0], &number[1], &number[2]) >= 2)
        snprintf(text, TRANSPORT_LIBRARY_BYTES, "MPICH %d.%d.%d", number[0], number[1], number[2]);
    else
        snprintf(text, TRANSPORT_LIBRARY_BYTES, "%.*s", (int)strcspn(version, "\n,"), version);
}

// Until it is done. Ranks do not start at the same moment, and what waits inside MPI keeps its core busy
// while others need it to start.
static int wait_for(MPI_Request *request)
{
    enum { NAP_US = 200 };
    int is_done = 0;
    for (;;) {
        const int error = MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS || is_done)
            return error;
        usleep(NAP_US);
    }
}

// The name of the host, and which of its starts this is, since two hosts may have one name.
enum { BOOT_BYTES = 40, IDENTITY_BYTES = TRANSPORT_HOST_BYTES + BOOT_BYTES };

static void identify_host(struct transport_world *world, char identity[IDENTITY_BYTES])
{
    char boot[BOOT_BYTES] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file && !fgets(boot, sizeof boot, file))
        boot[0] = '\0';
    if (file)
        (void)fclose(file); // only read from
    if (gethostname(world->host, sizeof world->host) != 0)
        snprintf(world->host, sizeof world->host, "unknown");
    world->host[sizeof world->host - 1] = '\0';
    memset(identity, 0, IDENTITY_BYTES);
    snprintf(identity, IDENTITY_BYTES, "%s %.*s", world->host, (int)strcspn(boot, "\n"), boot);
}

// The number of lower ranks on this host. MPI_Comm_split_type, which finds it too, waits inside MPI.
static int find_local_rank(struct transport_world *world)
{
    char identity[IDENTITY_BYTES];
    MPI_Request request;
    identify_host(world, identity);
    char(*all)[IDENTITY_BYTES] = calloc((size_t)world->count, sizeof *all);
    if (!all)
        return MPI_ERR_NO_MEM;
    int error = MPI_Iallgather(identity, IDENTITY_BYTES, MPI_CHAR, all, IDENTITY_BYTES, MPI_CHAR,
                               MPI_COMM_WORLD, &request);
    if (error == MPI_SUCCESS)
        error = wait_for(&request);
    world->local_rank = 0;
    for (int k = 0; k < world->rank && error == MPI_SUCCESS; k++)
        world->local_rank += strcmp(all[k], identity) == 0;
    free(all);
    return error;
}

static bool describe(struct transport_world *world, char *why)
{
    int error = MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_size(MPI_COMM_WORLD, &world->count);
    if (error == MPI_SUCCESS)
        error = find_local_rank(world);
    if (error != MPI_SUCCESS)
        return fail(why, "MPI does not say which rank this is", error);
    name_library(world->library);
    return true;
}

static bool start(void *context, struct transport_world *world, char *why)
{
    (void)context;
    int provided = MPI_THREAD_SINGLE;
    int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    if (error != MPI_SUCCESS)
        return fail(why, "MPI cannot be started", error);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!describe(world, why))
        return false;
    if (provided < MPI_THREAD_MULTIPLE) {
        snprintf(
            why, TRANSPORT_WHY_BYTES,
            "%s does not allow several threads of a process to use it (MPI_THREAD_MULTIPLE), which runs of "
            "several ranks need",
            world->library);
        return false;
    }
    for (int k = 0; k < TRANSPORT_CHANNELS; k++) {
        MPI_Request request;
        error = MPI_Comm_idup(MPI_COMM_WORLD, &channels[k], &request);
        if (error == MPI_SUCCESS)
            error = wait_for(&request);
        if (error != MPI_SUCCESS)
            return fail(why, "MPI has no communicator left", error);
        MPI_Comm_set_errhandler(channels[k], MPI_ERRORS_RETURN);
    }
    return true;
}

static char is_receive; // its address marks a request to receive

static void keep(struct transport_request *request, MPI_Request handle, bool receives)
{
    memset(request, 0, sizeof *request);
    memcpy(&request->handle[0], &handle, sizeof handle);
    request->handle[1] = receives ? &is_receive : NULL;
}

static MPI_Request of(const struct transport_request *request)
{
    MPI_Request handle;
    memcpy(&handle, &request->handle[0], sizeof handle);
    return handle;
}

static bool send(void *context, enum transport_channel channel, int to, int tag, const void *data,
                 size_t bytes, struct transport_request *request, char *why)
{
    (void)context;
    MPI_Request handle = MPI_REQUEST_NULL;
    const int error = MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, channels[channel], &handle);
    keep(request, handle, false);
    return error == MPI_SUCCESS || fail(why, "MPI_Isend", error);
}

static bool receive(void *context, enum transport_channel channel, int from, int tag, void *data,
                    size_t bytes, struct transport_request *request, char *why)
{
    (void)context;
    MPI_Request handle = MPI_REQUEST_NULL;
    const int error = MPI_Irecv(data, (int)bytes, MPI_BYTE, from, tag, channels[channel], &handle);
    keep(request, handle, true);
    return error == MPI_SUCCESS || fail(why, "MPI_Irecv", error);
}

static bool test(void *context, struct transport_request *request, bool *is_done, char *why)
{
    (void)context;
    MPI_Request handle = of(request);
    int flag = 0;
    const int error = MPI_Test(&handle, &flag, MPI_STATUS_IGNORE);
    memcpy(&request->handle[0], &handle, sizeof handle);
    *is_done = flag != 0;
    return error == MPI_SUCCESS || fail(why, "MPI_Test", error);
}

// What has begun to arrive cannot be cancelled and, if its sender is gone, is never done: the wait for it is
// bounded. A send is left to itself.
static bool cancel(void *context, struct transport_request *request)
{
    enum { TRIES = 100, TRY_US = 1000 };
    (void)context;
    MPI_Request handle = of(request);
    int flag = handle == MPI_REQUEST_NULL;
    if (!flag && request->handle[1] == &is_receive)
        (void)MPI_Cancel(&handle);
    for (int k = 0; k < TRIES && !flag; k++) {
        if (MPI_Test(&handle, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            break;
        if (!flag)
            usleep(TRY_US);
    }
    return flag != 0;
}

static void end(void *context)
{
    (void)context;
    for (int k = 0; k < TRANSPORT_CHANNELS; k++)
        MPI_Comm_free(&channels[k]);
    MPI_Finalize();
}

extern const struct transport fathom_transport; // the one symbol that is looked for
__attribute__((visibility("default")))
const struct transport fathom_transport = {TRANSPORT_VERSION, NULL, start, send, receive, test, cancel, end};
