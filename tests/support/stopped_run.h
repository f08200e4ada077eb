// For tests of stops: the same job without a stop, and in legs (stopped and resumed). Used with
// cli_fixture.h, whose folder has the job. Header only.
#ifndef FATHOM_TESTS_SUPPORT_STOPPED_RUN_H
#define FATHOM_TESTS_SUPPORT_STOPPED_RUN_H

#include "tests/support/cli_fixture.h"

// Runs "job.json" into "out" in short legs. Returns the number of stops after more than `from_step` steps.
static inline int stopped_run_in_legs(const char *limit, long long from_step)
{
    int late = 0, stops = 0;
    const struct cli_result *result = cli_run("run -q --time-limit %s -o out job.json", limit);
    while (result->exit_code == STOPPED) {
        long long step = 0;
        const char *after = strstr(result->error, "after step ");
        assert_non_null(after);
        assert_int_equal(sscanf(after, "after step %lld", &step), 1);
        late += step > from_step;
        assert_in_range(++stops, 1, 10000);
        result = cli_run("run -q --resume --time-limit %s -o out job.json", limit);
    }
    cli_assert_done(result);
    return late;
}

// Runs a job without a stop ("whole"), and stopped after more than `from_step` steps ("out"). The results
// must have the same bits, and pass `compare`, if it is not NULL.
static inline void stopped_run(const cJSON *job, const char *what, long long from_step,
                               void (*compare)(const char *what))
{
    char limit[32];
    cli_save_job(job);
    cli_tick_clock(100); // so that the legs are the same on every machine
    cli_do("run -q -o whole job.json");
    // About three legs, so that a resumed run is stopped, too; more if no stop is late enough.
    double leg_ms = 0.4 * 1000 * cli_run_number("whole", "timings.total_s");
    int late = 0;
    for (int k = 0; k < 8 && late == 0; k++, leg_ms *= 0.5) {
        if (cli_exists("out"))
            cli_remove("out");
        snprintf(limit, sizeof limit, "%.3g ms", fmax(0.5, leg_ms));
        late = stopped_run_in_legs(limit, from_step);
    }
    cli_pace_as_usual();
    if (late == 0)
        fail_msg("%s: it was never stopped after step %lld", what, from_step);
    cli_assert_same_results("out", "whole");
    if (compare)
        compare(what);
    cli_remove("whole");
    cli_remove("out");
}

// Runs a job without a stop ("whole"), and stopped by a time limit after its first step and resumed once
// ("parts"): the results must have the same bits. Each look at the clock counts a millisecond.
static inline void stopped_run_once(const cJSON *job, const char *limit)
{
    cli_run_to(job, "whole");
    cli_tick_clock(1000);
    const struct cli_result *stopped = cli_run("run -q -o parts --time-limit '%s' job.json", limit);
    cli_pace_as_usual();
    assert_int_equal(stopped->exit_code, STOPPED);
    assert_null(strstr(stopped->error, "after step 0 "));
    cli_do("run -q -o parts --resume job.json");
    cli_assert_same_results("parts", "whole");
    cli_remove("parts");
    cli_remove("whole");
}

#endif
