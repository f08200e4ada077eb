// The program that mpirun starts: program [work | fail RANK | kill RANK | stop RANK | late RANK]. Exit
// status 0: every bit is that of one rank. The faults happen in a step of RANK.
#include "core/status.h"
#include "parallel/launch.h"
#include "tests/parallel/work.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 31, FAULT_STEP = 17 };
static const int depths[] = {1, 2, 6};

static const char *fault = "work";
static int fault_rank;

static void at_step(struct ranks *ranks, int step)
{
    if (step != FAULT_STEP || ranks->rank != fault_rank)
        return;
    if (strcmp(fault, "fail") == 0)
        ranks_fail(ranks, FAIL(STATUS_DATA, "a value is not finite at row 7"));
    else if (strcmp(fault, "kill") == 0)
        raise(SIGKILL);
    else if (strcmp(fault, "stop") == 0)
        raise(SIGSTOP);
    else if (strcmp(fault, "late") == 0)
        sleep(3); // slow is not lost
}

static int report(enum status status)
{
    enum { LATER_MS = 3000 };
    if (launch_prints())
        fprintf(stderr, "program: %s\n", status_message());
    else // as cli/fathom.c: a launcher that sees this copy end first ends the one that says why
        (void)poll(NULL, 0, LATER_MS);
    return status_exit_code(status);
}

int main(int argc, char **argv)
{
    int code = 0;
    bool must_leave;
    if (argc > 2) {
        fault = argv[1];
        fault_rank = atoi(argv[2]);
    }
    const enum status status = launch_start();
    if (status != STATUS_OK)
        return report(status);
    struct ranks *ranks = launch_ranks();
    const size_t count = strcmp(fault, "work") == 0 ? sizeof depths / sizeof *depths : 1;
    for (size_t k = 0; k < count && code == 0; k++) {
        const int depth = depths[k];
        const int differences = work_run(ranks, depth, STEPS, at_step);
        if (differences > 0)
            fprintf(stderr, "program: rank %d, depth %d: %d differences\n", ranks->rank, depth, differences);
        if (differences < 0)
            code = report(ranks_have_failed(ranks) ? (enum status)ranks->failure.status : STATUS_SOFTWARE);
        else if (differences > 0)
            code = 1;
    }
    if (ranks->rank == 0 && code == 0)
        printf("%d ranks of %s: equal\n", ranks->count, ranks->world.library);
    code = launch_end(code, &must_leave);
    fflush(NULL);
    if (must_leave)
        _exit(code);
    return code;
}
