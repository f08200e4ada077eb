// The processes of a batch: begun in a group of their own, tied to the batch by a socket, ended with it
// however it ends. Knows nothing of queues and of what a run is.
#ifndef FATHOM_BATCH_CHILD_H
#define FATHOM_BATCH_CHILD_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { BATCH_CHILD_MESSAGE_BYTES = 4096, BATCH_CHILD_CONTROL = 3, BATCH_CHILD_NOT_BEGUN = 127 };

struct batch_child {
    pid_t pid;      // and number of its process group; 0: none
    int descriptor; // of the socket to it; −1: none
    bool has_ended;
    int wait_status; // as waitpid(2) has it
};

struct batch_command {
    const char *program;
    char *const *arguments;   // ends with NULL; [0] is the program's name
    char *const *environment; // ends with NULL
    const char *log_path;     // standard output and error are appended to it
    bool is_controlled;       // has a socket as descriptor BATCH_CHILD_CONTROL
};

// Blocks the signals that a batch reads from *descriptor (signalfd(2)): SIGCHLD, SIGINT, SIGTERM, SIGHUP if
// it is not ignored; a broken pipe is no signal any more. Undone by batch_child_close_signals. STATUS_SYSTEM.
enum status batch_child_open_signals(int *descriptor);
void batch_child_close_signals(int descriptor);

// Reads the next of them; 0 if there is none now.
int batch_child_next_signal(int descriptor);

// STATUS_SYSTEM, STATUS_CANNOT_CREATE (its log). A program that cannot be executed ends with
// BATCH_CHILD_NOT_BEGUN; its log, and its message "end 127 WHY", say why.
enum status batch_child_begin(const struct batch_command *command, struct batch_child *child);

// The next message from it: its length; 0 if none is there now, −1 if it closed its end.
ssize_t batch_child_receive(struct batch_child *child, char text[BATCH_CHILD_MESSAGE_BYTES]);
void batch_child_send(const struct batch_child *child, const char *text);

// Sends a signal to the process alone, which ends its own; or to its whole group.
void batch_child_signal(const struct batch_child *child, int number);
void batch_child_kill(const struct batch_child *child);

// Whether it has ended; then what it left of its group is killed.
bool batch_child_reap(struct batch_child *child);
void batch_child_close(struct batch_child *child); // of one that has ended, or none

#endif
