// The processes of a batch. Each has its own process group and a socket to the batch, and is killed if the
// batch ends. Independent of queues and runs.
#ifndef FATHOM_BATCH_CHILD_H
#define FATHOM_BATCH_CHILD_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { BATCH_CHILD_MESSAGE_BYTES = 4096, BATCH_CHILD_CONTROL = 3, BATCH_CHILD_NOT_STARTED = 127 };
// What a process that waits for another command takes (batch_child_pass): well below the least buffer of a
// socket.
enum { BATCH_CHILD_PACKET_BYTES = 128 << 10, BATCH_CHILD_WORDS_MAX = 1024 };

struct batch_child {
    pid_t pid;       // and number of its process group; 0: none
    int descriptor;  // of the socket to it; −1: none
    bool is_awaited; // descriptor: where a process that it starts will connect
    pid_t leader;    // that process, which gets the signals; 0: none
    bool has_ended;
    int wait_status; // as waitpid(2) has it
};

struct batch_command {
    const char *program;
    char *const *arguments;   // ends with NULL; [0] is the program's name
    char *const *environment; // ends with NULL
    const char *log_path;     // standard output and error are appended to it
    bool is_controlled;       // has a socket as descriptor BATCH_CHILD_CONTROL
    int listener;             // of a launcher: batch_child_listen's, which the child then owns; −1: none
};

enum { BATCH_CHILD_ADDRESS_BYTES = 24 };

// A socket to which a process connects that inherits no descriptor, because a launcher starts it: "@NAME", of
// the host's abstract names. Only a process of the same user is accepted. STATUS_SYSTEM.
enum status batch_child_listen(int *listener, char address[BATCH_CHILD_ADDRESS_BYTES]);

// Blocks the signals that a batch reads from *descriptor (signalfd(2)): SIGCHLD, SIGINT, SIGTERM, and SIGHUP
// unless it is ignored; ignores SIGPIPE. Undone by batch_child_close_signals. STATUS_SYSTEM.
enum status batch_child_open_signals(int *descriptor);
void batch_child_close_signals(int descriptor);

// Returns the next pending signal; 0: none.
int batch_child_next_signal(int descriptor);

// Starts a process. STATUS_SYSTEM, STATUS_CANNOT_CREATE (the log). A program that cannot be executed ends
// with BATCH_CHILD_NOT_STARTED; the reason is in its log and in its message "end 127 WHY".
enum status batch_child_start(const struct batch_command *command, struct batch_child *child);

// Gives a process that waits for another command (cli/next_run.h) the name of its run, the command's
// arguments and its log. False: it is no longer there, or takes no packet of that length; a new process is
// needed. STATUS_CANNOT_CREATE: the log.
enum status batch_child_pass(const struct batch_command *command, const char *name,
                             const struct batch_child *child, bool *is_passed);

// Lets a process that waits end.
void batch_child_release(struct batch_child *child);

// Receives the next message from the process and returns its length. 0: no message is pending; −1: the
// process closed the socket.
ssize_t batch_child_receive(struct batch_child *child, char text[BATCH_CHILD_MESSAGE_BYTES]);
void batch_child_send(const struct batch_child *child, const char *text);

// Sends a signal to the process alone, of a launcher to the one that has connected; sends SIGKILL to its
// process group, and to that one.
void batch_child_signal(const struct batch_child *child, int number);
void batch_child_kill(const struct batch_child *child);

// Whether the process has ended. If so, kills the rest of its group.
bool batch_child_reap(struct batch_child *child);
void batch_child_close(struct batch_child *child); // after the process has ended, or if none was started

#endif
