// Finding the launcher, loading the module (see the header).
#include "parallel/launch.h"

#include "parallel/pulse.h"
#include "parallel/sanitizer.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct ranks ranks_of_process = {.count = 1};
static struct launch launched; // of this process
static bool has_module;        // for it; a missing one is missing for every rank of the host

// Ranks wait so long for all others to come to MPI. FATHOM_START_S replaces it.
enum { START_S = 45, START_MOST_S = 86400 };
// The end of MPI after a failure may take so long.
enum { LIMIT_FAILED_S = 5 };

static const struct {
    const char *name, *file, *package;
} modules[] = {[LAUNCH_OPENMPI] = {"Open MPI", "fathom-mpi-openmpi.so", "libopenmpi-dev"},
               [LAUNCH_MPICH] = {"MPICH", "fathom-mpi-mpich.so", "libmpich-dev"}};
enum { MODULES = sizeof modules / sizeof *modules };

// ---- ranks that are only planned

static bool send_nowhere(void *context, enum transport_channel channel, int to, int tag, const void *data,
                         size_t bytes, struct transport_request *request, char *why)
{
    (void)context, (void)channel, (void)to, (void)tag, (void)data, (void)bytes, (void)request;
    snprintf(why, TRANSPORT_WHY_BYTES, "these ranks are only planned");
    return false;
}

static bool receive_nothing(void *context, enum transport_channel channel, int from, int tag, void *data,
                            size_t bytes, struct transport_request *request, char *why)
{
    return send_nowhere(context, channel, from, tag, data, bytes, request, why);
}

void launch_plan(int rank, int count, struct ranks_asked *asked)
{
    static const struct transport nowhere = {
        .version = TRANSPORT_VERSION, .send = send_nowhere, .receive = receive_nothing};
    ranks_of_process = (struct ranks){.count = 1};
    if (!asked)
        return;
    asked->at = 0;
    ranks_of_process = (struct ranks){.rank = rank, .count = count, .transport = &nowhere, .asked = asked};
}

// ---- the environment

static int number_of(const char *(*get)(const char *name), const char *name)
{
    const char *text = get(name);
    return text ? atoi(text) : -1;
}

struct launch launch_find(const char *(*get)(const char *name))
{
    struct launch found = {.mpi = LAUNCH_NONE};
    const int steps_tasks = get("SLURM_STEP_ID") ? number_of(get, "SLURM_STEP_NUM_TASKS") : -1;
    if (number_of(get, "OMPI_COMM_WORLD_SIZE") > 0) {
        found = (struct launch){LAUNCH_OPENMPI, number_of(get, "OMPI_COMM_WORLD_RANK"),
                                number_of(get, "OMPI_COMM_WORLD_SIZE")};
    } else if (number_of(get, "PMI_SIZE") > 0 || get("PMI_RANK") || get("MPI_LOCALNRANKS")) {
        found = (struct launch){LAUNCH_MPICH, number_of(get, "PMI_RANK"), number_of(get, "PMI_SIZE")};
    } else if (get("PMIX_RANK")) { // srun --mpi=pmix, prterun: the library of most of them
        found = (struct launch){LAUNCH_OPENMPI, number_of(get, "PMIX_RANK"), steps_tasks};
    } else if (steps_tasks > 1) {
        found = (struct launch){LAUNCH_UNKNOWN, number_of(get, "SLURM_PROCID"), steps_tasks};
    }
    if (found.mpi == LAUNCH_NONE)
        return found;
    found.count = found.count > 0 ? found.count : steps_tasks > 0 ? steps_tasks : 0;
    found.rank = found.rank > 0 ? found.rank : 0;
    if (found.count == 1)
        found.mpi = LAUNCH_NONE; // a run of one rank calls no MPI
    return found;
}

static const char *get_own(const char *name)
{
    return getenv(name);
}

struct ranks *launch_ranks(void)
{
    return &ranks_of_process;
}

bool launch_prints(void)
{
    enum { LATER_S = LIMIT_FAILED_S + 3 }; // rank 0 takes so long to end
    if (ranks_of_process.pulse)
        return pulse_prints(&ranks_of_process);
    // What fails before the pulse is there: most likely rank 0 has found it too, and its end ends this one.
    if (launched.rank > 0 && has_module) {
        signal(SIGTERM, SIG_DFL); // by which a launcher ends it: it has nothing to say then
        sleep(LATER_S);
    }
    return launched.rank == 0 || has_module;
}

const char *launch_words(char *text, size_t bytes)
{
    const bool is_by_slurm =
        getenv("SLURM_STEP_ID") && !getenv("OMPI_COMM_WORLD_SIZE") && !getenv("MPI_LOCALNRANKS");
    text[0] = '\0';
    if (ranks_of_process.count > 1)
        snprintf(text, bytes, "%s -n %d ", is_by_slurm ? "srun" : "mpirun", ranks_of_process.count);
    return text;
}

// ---- copies before they are ranks

static int muted[2] = {-1, -1}; // what standard output and error were

int launch_copies(void)
{
    return launch_find(get_own).count;
}

bool launch_is_copy(void)
{
    const struct launch found = launch_find(get_own);
    return found.mpi != LAUNCH_NONE && found.rank > 0;
}

void launch_mute(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int k = 0; nowhere >= 0 && k < 2; k++) {
        muted[k] = fcntl(STDOUT_FILENO + k, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (muted[k] >= 0)
            (void)dup2(nowhere, STDOUT_FILENO + k);
    }
    if (nowhere >= 0)
        close(nowhere);
}

bool launch_is_muted(void)
{
    return muted[0] >= 0 || muted[1] >= 0;
}

static void unmute(void)
{
    fflush(NULL);
    for (int k = 0; k < 2; k++) {
        if (muted[k] < 0)
            continue;
        (void)dup2(muted[k], STDOUT_FILENO + k);
        close(muted[k]);
        muted[k] = -1;
    }
}

// ---- the module

// The n-th place where a module may be; false beyond the last.
static bool place_of(int n, const char *file, char path[PATH_MAX])
{
    static const char *const folders[] = {"", "/..", "/../lib/fathom"};
    char program[PATH_MAX / 2];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || n >= (int)(sizeof folders / sizeof *folders))
        return false;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    snprintf(path, PATH_MAX, "%s%s/%s", program, folders[n], file);
    return true;
}

static bool find_module(enum launch_mpi mpi, char path[PATH_MAX])
{
    for (int n = 0; place_of(n, modules[mpi].file, path); n++)
        if (access(path, R_OK) == 0)
            return true;
    return false;
}

const char *launch_modules(char *text, size_t bytes)
{
    char path[PATH_MAX];
    text[0] = '\0';
    for (int mpi = LAUNCH_OPENMPI; mpi < MODULES; mpi++)
        if (find_module((enum launch_mpi)mpi, path))
            snprintf(text + strlen(text), bytes - strlen(text), "%s%s", text[0] ? ", " : "",
                     modules[mpi].name);
    return text;
}

// Whether a file is as long as its headers say: of one that was cut, as by a full disk, the loader reads
// pages that are not there (SIGBUS).
static bool is_whole(const char *path)
{
    Elf64_Ehdr header;
    struct stat file;
    FILE *module = fopen(path, "re");
    if (!module)
        return false;
    const bool is_read = fread(&header, sizeof header, 1, module) == 1 && fstat(fileno(module), &file) == 0;
    fclose(module);
    return is_read && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_shoff <= (uint64_t)file.st_size &&
           header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize <= (uint64_t)file.st_size;
}

static enum status load_module(enum launch_mpi mpi, const struct transport **transport)
{
    char path[PATH_MAX];
    if (mpi == LAUNCH_UNKNOWN)
        return FAIL(
            STATUS_SYSTEM,
            "srun started %d copies of this run without MPI: give it --mpi=pmix or --mpi=pmi2, or one "
            "task (srun -n 1)",
            launched.count);
    if (!find_module(mpi, path))
        return FAIL(STATUS_SYSTEM,
                    "started by a launcher of %s with %d ranks, but this build has no module for it (%s): "
                    "install %s and build again, or start it without the launcher",
                    modules[mpi].name, launched.count, modules[mpi].file, modules[mpi].package);
    if (!is_whole(path))
        return FAIL(STATUS_SYSTEM, "%s is not a whole library: build or install it again", path);
    void *module =
        dlopen(path, RTLD_NOW | RTLD_GLOBAL); // global: Open MPI's own modules look for its symbols
    if (!module)
        return FAIL(STATUS_SYSTEM, "%s cannot be loaded: %s", path, dlerror());
    *transport = dlsym(module, TRANSPORT_SYMBOL);
    if (!*transport || (*transport)->version != TRANSPORT_VERSION)
        return FAIL(STATUS_SYSTEM, "%s belongs to another version of this program: build or install it again",
                    path);
    return STATUS_OK;
}

// ---- the start

static volatile sig_atomic_t code_to_leave;

static void leave(int number)
{
    (void)number;
    _exit((int)code_to_leave);
}

static const int ending_signals[2] = {SIGTERM, SIGINT}; // of launchers
static char start_message[512];
static volatile sig_atomic_t start_length;

// MPI waits forever for a rank that does not come, in a call that cannot be left. Only calls that are safe in
// a handler of signals.
static void give_up_start(int number)
{
    (void)number;
    const int code = status_exit_code(STATUS_SYSTEM);
    if (write(STDERR_FILENO, start_message, (size_t)start_length) < 0)
        _exit(code);
    _exit(code);
}

static int start_limit_s(void)
{
    const char *text = getenv("FATHOM_START_S");
    const int s = text ? atoi(text) : 0;
    return s > 0 && s <= START_MOST_S ? s : START_S;
}

// Of the ranks that wait the first one says it, and the launcher ends the others, which wait longer and then
// have nothing to say. `before`: what signals did.
static void limit_start(struct sigaction before[2])
{
    enum { STAGGER_S = 3, STAGGERED_MOST = 4 };
    char host[TRANSPORT_HOST_BYTES] = "", count[24] = "the ";
    const int s = start_limit_s(), turn = launched.rank < STAGGERED_MOST ? launched.rank : STAGGERED_MOST;
    (void)gethostname(host, sizeof host - 1);
    if (launched.count > 0)
        snprintf(count, sizeof count, "the %d ", launched.count);
    start_length = snprintf(
        start_message, sizeof start_message,
        "fathom: rank %d on %s: not all of %sranks have come to MPI within %d s: one has ended before, or is "
        "late (FATHOM_START_S=%d waits longer)\n",
        launched.rank, host, count, s, 10 * s);
    signal(SIGALRM, give_up_start);
    alarm((unsigned)(s + STAGGER_S * turn));
    code_to_leave = status_exit_code(STATUS_STOPPED);
    for (int k = 0; k < 2 && launched.rank > 0; k++)
        (void)sigaction(ending_signals[k], &(struct sigaction){.sa_handler = leave}, &before[k]);
}

static void end_limit(const struct sigaction before[2])
{
    alarm(0);
    signal(SIGALRM, SIG_DFL);
    for (int k = 0; k < 2 && launched.rank > 0; k++)
        (void)sigaction(ending_signals[k], &before[k], NULL);
}

enum status launch_start(void)
{
    const struct transport *transport = NULL;
    struct ranks *ranks = &ranks_of_process;
    struct sigaction before[2];
    launched = launch_find(get_own);
    if (launched.mpi != LAUNCH_NONE)
        CHECK(load_module(launched.mpi, &transport)); // or a copy stays silent
    unmute();
    if (launched.mpi == LAUNCH_NONE)
        return STATUS_OK;
    has_module = true;
    signal(SIGUSR1, SIG_IGN); // by which MPICH's launcher tells of a rank that has gone
    limit_start(before);
    const enum status begun = ranks_begin(ranks, transport);
    end_limit(before);
    CHECK(begun);
    // A library that does not know its launcher makes a world of one of each copy.
    if (launched.count > 0 && ranks->count != launched.count) {
        const int count = ranks->count;
        ranks->count = 1;
        return FAIL(
            STATUS_SYSTEM,
            "the launcher started %d ranks, but %s sees %d: it was started by the launcher of another "
            "MPI",
            launched.count, ranks->world.library, count);
    }
    return pulse_start(ranks);
}

// Launchers take a rank that ends without this for a crash, and end the others. A rank that is killed just
// now is no longer noticed, and messages of a failed run may still be under way: the wait is bounded.
static void end_transport(struct ranks *ranks, int code, unsigned limit_s)
{
    pulse_stop(ranks);
    code_to_leave = code;
    signal(SIGALRM, leave);
    alarm(limit_s);
    sanitizer_begin_transport();
    ranks->transport->end(ranks->transport->context);
    sanitizer_end_transport();
    alarm(0);
}

int launch_end(int code, bool *must_leave)
{
    enum { LIMIT_S = 60 };
    struct ranks *ranks = &ranks_of_process;
    int64_t nothing = 0;
    *must_leave = false;
    if (ranks->count == 1)
        return code;
    // None ends before all are at the end.
    if (!ranks_have_failed(ranks) && ranks_largest(ranks, TRANSPORT_STEPS, &nothing, 1) == STATUS_OK) {
        end_transport(ranks, code, LIMIT_S);
        ranks_free(ranks);
        *ranks = (struct ranks){.count = 1};
        return code;
    }
    *must_leave = true;
    const bool has_own = code != 0 && code != status_exit_code(STATUS_STOPPED) && ranks->rank == 0;
    if (ranks_have_failed(ranks) && !has_own)
        code = status_exit_code((enum status)ranks->failure.status);
    code = pulse_release(ranks, code);
    if (!ranks->failure.is_lost)
        end_transport(ranks, code, LIMIT_FAILED_S);
    return code;
}
