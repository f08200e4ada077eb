// The launcher of an MPI (see the header).
#include "batch/launcher.h"

#include "parallel/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {"mpirun", "mpirun.openmpi", "mpirun.mpich"};
enum { NAMES = sizeof names / sizeof *names, MODULES_BYTES = 128 };

const char *batch_launcher_mpi(const char *version)
{
    if (strstr(version, "Open MPI") || strstr(version, "OpenRTE"))
        return "Open MPI";
    return strstr(version, "HYDRA") || strstr(version, "Intel(R) MPI") ? "MPICH" : NULL;
}

// The file of a program in PATH, or the path itself.
static bool find_program(const char *name, char path[PATH_BYTES])
{
    const char *folder = getenv("PATH");
    if (strchr(name, '/'))
        return snprintf(path, PATH_BYTES, "%s", name) < PATH_BYTES && access(path, X_OK) == 0;
    for (; folder && *folder; folder += strcspn(folder, ":"), folder += *folder == ':') {
        const int length = snprintf(path, PATH_BYTES, "%.*s/%s", (int)strcspn(folder, ":"), folder, name);
        if (length < PATH_BYTES && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

// In the new process: only calls that are safe after fork(2).
static _Noreturn void exec_version(const char *path, int output)
{
    if (dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)
        execl(path, path, "--version", (char *)NULL);
    _exit(1);
}

// What it prints with --version, as far as `bytes` hold it; "" if it cannot be started.
static void ask_version(const char *path, char *text, size_t bytes)
{
    int ends[2];
    text[0] = '\0';
    if (pipe(ends) != 0)
        return;
    const pid_t child = fork();
    if (child == 0)
        exec_version(path, ends[1]);
    close(ends[1]);
    size_t used = 0;
    for (ssize_t length; child > 0 && used + 1 < bytes; used += (size_t)length) {
        length = read(ends[0], text + used, bytes - 1 - used);
        if (length < 0 && errno == EINTR)
            length = 0;
        else if (length <= 0)
            break;
    }
    text[used] = '\0';
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

// Which MPI the launcher is of; NULL: it is not there, or unknown.
static const char *look_at(const char *name, char path[PATH_BYTES])
{
    char version[2048];
    if (!find_program(name, path))
        return NULL;
    ask_version(path, version, sizeof version);
    return batch_launcher_mpi(version);
}

static enum status take_named(const char *name, const char *modules, struct batch_launcher *launcher)
{
    const char *mpi = look_at(name, launcher->path);
    if (!mpi)
        return FAIL(STATUS_SYSTEM, "FATHOM_MPIRUN=%s: it is not the launcher of Open MPI or of MPICH", name);
    if (!strstr(modules, mpi))
        return FAIL(STATUS_SYSTEM,
                    "FATHOM_MPIRUN=%s: it is of %s, for which this build has no module (it has: %s)", name,
                    mpi, modules);
    launcher->is_openmpi = strcmp(mpi, "Open MPI") == 0;
    return STATUS_OK;
}

enum status batch_launcher_find(struct batch_launcher *launcher)
{
    char modules[MODULES_BYTES];
    const char *named = getenv("FATHOM_MPIRUN");
    *launcher = (struct batch_launcher){.is_openmpi = false};
    if (!launch_modules(modules, sizeof modules)[0])
        return FAIL(STATUS_SYSTEM,
                    "this build has no module of an MPI, which runs of several ranks need: install "
                    "libopenmpi-dev or libmpich-dev and build again");
    if (named && named[0])
        return take_named(named, modules, launcher);
    for (int k = 0; k < NAMES; k++) {
        const char *mpi = look_at(names[k], launcher->path);
        if (!mpi || !strstr(modules, mpi))
            continue;
        launcher->is_openmpi = strcmp(mpi, "Open MPI") == 0;
        return STATUS_OK;
    }
    return FAIL(STATUS_SYSTEM,
                "there is no mpirun in PATH of an MPI for which this build has a module (%s), which "
                "runs of several ranks need: install openmpi-bin or mpich, or set FATHOM_MPIRUN",
                modules);
}

// On this host alone, whatever a cluster's queue has given; no rank is bound to cores, because the runs of a
// batch would all be bound to the same first ones.
int batch_launcher_words(const struct batch_launcher *launcher, int ranks, char ranks_text[BATCH_RANKS_TEXT],
                         const char *words[BATCH_LAUNCHER_WORDS_MAX])
{
    static char host[32];
    int count = 0;
    snprintf(ranks_text, BATCH_RANKS_TEXT, "%d", ranks);
    words[count++] = launcher->path;
    if (launcher->is_openmpi) {
        snprintf(host, sizeof host, "localhost:%d", ranks);
        const char *const own[] = {"--host", host, "--oversubscribe", "--bind-to", "none"};
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            words[count++] = own[k];
        if (geteuid() == 0)
            words[count++] = "--allow-run-as-root";
    } else {
        const char *const own[] = {"-launcher", "fork", "-hosts", "localhost"};
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            words[count++] = own[k];
    }
    words[count++] = "-n";
    words[count++] = ranks_text;
    return count;
}
