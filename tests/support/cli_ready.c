// See cli_ready.h. Knows nothing of the program's inside.
#include "tests/support/cli_ready.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/sanitized.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

extern char **environ;

static struct {
    int socket; // 0: none
    pid_t process;
    char *surroundings; // of the test when the program was loaded
} ready;

// What a process takes over from the test: its environment, its limits, the signals that are ignored. As one
// text, which the caller frees.
static char *surroundings(void)
{
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    for (char **entry = environ; *entry; entry++)
        fprintf(stream, "%s\n", *entry);
    for (int k = 0; k < RLIM_NLIMITS; k++) {
        struct rlimit limit = {0};
        (void)getrlimit(k, &limit);
        fprintf(stream, "%llu %llu\n", (unsigned long long)limit.rlim_cur,
                (unsigned long long)limit.rlim_max);
    }
    for (int number = 1; number < 32; number++) {
        struct sigaction action = {0};
        (void)sigaction(number, NULL, &action);
        fputc(action.sa_handler == SIG_IGN ? '1' : '0', stream);
    }
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void end_program(void)
{
    if (ready.socket == 0)
        return;
    close(ready.socket);
    (void)waitpid(ready.process, NULL, 0);
    free(ready.surroundings);
    memset(&ready, 0, sizeof ready);
}

// In the new process.
static void execute_program(int socket, bool (*environment)(void))
{
    char descriptor[16];
    snprintf(descriptor, sizeof descriptor, "%d", socket);
    if (environment() && setenv("FATHOM_TEST_READY", descriptor, 1) == 0 &&
        setenv("LD_PRELOAD", FATHOM_TEST_READY_LIBRARY, 1) == 0 &&
        setenv("LD_BIND_NOW", "1", 1) == 0) // every symbol is looked up once, not in each copy
        execl(FATHOM_PROGRAM, FATHOM_PROGRAM, (char *)NULL);
    _exit(126);
}

// Loads the program, again if the surroundings have changed.
static void load(bool (*environment)(void))
{
    int ends[2];
    char *now = surroundings();
    if (ready.socket > 0 && strcmp(ready.surroundings, now) == 0) {
        free(now);
        return;
    }
    static bool is_first = true;
    if (is_first)
        assert_int_equal(atexit(end_program), 0);
    is_first = false;
    end_program();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_true(ends[0] > STDERR_FILENO && ends[1] > STDERR_FILENO);
    fflush(NULL);
    ready.process = fork();
    assert_true(ready.process >= 0);
    if (ready.process == 0) {
        close(ends[0]);
        execute_program(ends[1], environment);
    }
    close(ends[1]);
    assert_int_equal(fcntl(ends[0], F_SETFD, FD_CLOEXEC), 0);
    ready.socket = ends[0];
    ready.surroundings = now;
}

static void send_command(const char *const *words)
{
    static char message[sizeof(uint32_t) + READY_BYTES_MAX];
    size_t length = sizeof(uint32_t);
    const char *text = folder_root();
    for (int k = 0; text; text = words[k++]) {
        assert_true(k <= READY_WORDS_MAX && length + strlen(text) + 1 <= sizeof message);
        length += (size_t)sprintf(message + length, "%s", text) + 1;
    }
    const uint32_t bytes = (uint32_t)(length - sizeof(uint32_t));
    memcpy(message, &bytes, sizeof bytes);
    assert_int_equal(send(ready.socket, message, length, MSG_NOSIGNAL), length);
}

static void receive(void *answer, size_t bytes)
{
    if (recv(ready.socket, answer, bytes, MSG_WAITALL) != (ssize_t)bytes)
        fail_msg("the loaded program (" FATHOM_TEST_READY_LIBRARY ") did not answer");
}

bool cli_ready_run(const char *const *words, bool (*environment)(void), int limit_s, struct ready_end *end)
{
    if (IS_SANITIZED || getenv("LD_PRELOAD") || strcmp(words[0], FATHOM_PROGRAM) != 0)
        return false;
    load(environment);
    send_command(words);
    pid_t child;
    receive(&child, sizeof child);
    if (poll(&(struct pollfd){.fd = ready.socket, .events = POLLIN}, 1, 1000 * limit_s) != 1) {
        kill(child, SIGKILL);
        end_program();
        fail_msg("the program did not end within %d s", limit_s);
    }
    receive(end, sizeof *end);
    return true;
}
