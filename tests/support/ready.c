// Loaded before the C library into the program under test (LD_PRELOAD; cli_ready.c sets it up), so that a
// test with many short commands loads the program's sixty libraries once, which takes longer than most of
// them. The program stands still where its main function would begin, and for each command a copy of the
// process (fork) runs that function. Knows nothing of the program's inside.
//
// FATHOM_TEST_READY=DESCRIPTOR: a socket. A command comes as a number of bytes (uint32_t) and as many bytes:
// texts, each with its NUL, the folder and the words, the program's name first. The answers are the copy's
// process number (pid_t) at once, and a struct ready_end when it has ended. The end of the socket ends the
// program.
#define _GNU_SOURCE
#include "tests/support/ready.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_function(int argc, char **argv, char **environment);

extern char **environ;
static main_function *program_main;

static int read_whole(int socket, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t count = read(socket, (char *)bytes + done, length - done);
        if (count <= 0 && !(count < 0 && errno == EINTR))
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

// In the copy: the surroundings that the command asks for. Whatever fails ends it with a code that no test
// expects.
static void enter(const char *folder)
{
    if (chdir(folder) != 0)
        _exit(125);
    const int output = open(".output", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int error = open(".error", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (output < 0 || error < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(error, STDERR_FILENO) < 0)
        _exit(125);
}

static int run_command(char *texts, size_t length)
{
    char *words[READY_WORDS_MAX + 1];
    int count = 0;
    enter(texts);
    for (char *word = texts + strlen(texts) + 1; word < texts + length; word += strlen(word) + 1)
        if (count < READY_WORDS_MAX)
            words[count++] = word;
    words[count] = NULL;
    return program_main(count, words, environ);
}

static int serve(int argc, char **argv, char **environment)
{
    static char texts[READY_BYTES_MAX];
    (void)argc, (void)argv, (void)environment;
    const char *text = getenv("FATHOM_TEST_READY");
    const int socket = text ? atoi(text) : -1;
    unsetenv("FATHOM_TEST_READY");
    unsetenv("LD_PRELOAD");
    unsetenv("LD_BIND_NOW");
    for (uint32_t length; read_whole(socket, &length, sizeof length) == 0;) {
        if (length > sizeof texts || read_whole(socket, texts, length) != 0)
            break;
        const pid_t child = fork();
        if (child == 0) {
            close(socket);
            return run_command(texts, length);
        }
        struct ready_end end;
        if (child < 0 || write(socket, &child, sizeof child) != sizeof child ||
            wait4(child, &end.status, 0, &end.usage) != child ||
            write(socket, &end, sizeof end) != sizeof end)
            break;
    }
    _exit(0);
}

// The C library's function that calls the constructors and then main.
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                           void (*loader_end)(void), void *stack_end);
start_function __libc_start_main;

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_end)(void), void *stack_end)
{
    start_function *start;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = main;
    return start(serve, argc, argv, init, fini, loader_end, stack_end);
}
