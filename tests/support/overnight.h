// A batch of small jobs of all five models, and the eyes for what a kill leaves of it. Beside cli_fixture.h,
// whose folder it uses. Knows the command line, the queue's form and the files, nothing of the program's
// inside. What goes wrong in here fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_OVERNIGHT_H
#define FATHOM_TESTS_SUPPORT_OVERNIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Jobs "sea.json", "head.json", "cluster.json", "fluid.json", "spins.json", with their inputs. Each takes a
// fraction of a second on one core, in steps of which every few make a checkpoint.
void overnight_write_jobs(void);

// The runs of "overnight.json": one of each job, and a sweep of two of the sea and of the fluid.
extern const char *const overnight_runs[];
extern const size_t overnight_run_count;

// "overnight.json" over these jobs, results in "storm"; and "calm.json", the same into "calm". Each run is
// tried again so often.
void overnight_write_queues(int retries);

// Every file that bears a final name anywhere below the folder is whole: *.nc opens and every value of it is
// read, *.json parses, *.png and *.html end as they must, *.xml is closed. Files being written (partial/,
// names with a suffix behind) are passed over. Returns how many there were.
int overnight_assert_whole(const char *folder);

// Whether a process still runs (one that only waits to be buried does not). The processes at work in the
// test's folder, but for `except`: how many, `room` of them at most. And waiting until there are none.
bool overnight_is_alive(pid_t process);
int overnight_processes(pid_t except, pid_t *found, int room);
void overnight_assert_quiet(void);

void overnight_sleep(double seconds);

// Numbers from 0 to below 1, the same from the same seed.
double overnight_random(unsigned *state);

#endif
