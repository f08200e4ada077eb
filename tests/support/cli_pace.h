// The pace of the programs that a test begins (cli_program.h), so that nothing depends on how fast the
// machine is: a run that is to be stopped stands still until it was stopped, and a time limit is met after so
// many readings of the clock. By a library that is loaded before the C library (pace.c); the program itself
// knows nothing of it. These settings hold for all programs that are started afterwards, and for
// theirs, until cli_pace_as_usual() or the test's end.
#ifndef FATHOM_TESTS_SUPPORT_CLI_PACE_H
#define FATHOM_TESTS_SUPPORT_CLI_PACE_H

#include <stdbool.h>
#include <sys/types.h>

struct cli_result;

// The first program that gives a file its final name and place, if that holds `part`
// ("out/partial/checkpoint"), stands still there: the thread that writes files waits, and the others get no
// farther than it lets them (a second checkpoint, a full ring of frames). It goes on when it has taken a
// signal (SIGHUP, SIGINT, SIGTERM), or when cli_let_go is called. Only one, once; another call holds another
// one.
void cli_hold_at(const char *part);
// Waits until a program is held. Fails the test if the child ends before, or after a minute.
void cli_wait_until_held(pid_t child);
void cli_let_go(void);
// Starts the program as cli_start does, holds it at `part`, and sends it a signal there; what has come of it.
#define cli_stop_at(part, number, ...) (cli_hold_at(part), cli_stop_held(cli_start(__VA_ARGS__), number))
const struct cli_result *cli_stop_held(pid_t child, int number);

// Each look at the monotonic clock finds it so many microseconds later than the one before, and it does not
// go on by itself.
void cli_tick_clock(int microseconds);
// The monotonic clock is two hours ahead from the moment on when a file is there.
void cli_leap_at(const char *name);

void cli_pace_as_usual(void);
bool cli_pace_is_set(void); // something was asked for

// In a child, before it becomes the program: the environment for what was asked for. False on failure.
bool cli_pace_apply(void);

#endif
