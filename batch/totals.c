// Counts of a batch's runs (see the header).
#include "batch/totals.h"

#include "batch/figures.h"

#include <stdio.h>

// Reads the finding and the warnings of a finished run, once. False while the run is not finished.
static bool read_finding(const struct batch *batch, size_t number)
{
    struct batch_run *run = &batch->runs[number];
    struct batch_figures figures;
    const bool has_finished =
        run->state == BATCH_PASSED || run->state == BATCH_DRAWING || run->state == BATCH_FAILED;
    if (has_finished && !run->finding_known) {
        batch_figures_read_ended(batch, number, &figures);
        run->has_exceeded = figures.finding == BATCH_FINDING_EXCEEDED;
        run->is_unjudged = figures.finding == BATCH_FINDING_OPEN;
        run->warnings = figures.warnings;
        run->finding_known = true;
    }
    return has_finished;
}

bool batch_run_exceeded(const struct batch *batch, size_t number)
{
    return read_finding(batch, number) && batch->runs[number].has_exceeded;
}

bool batch_run_unjudged(const struct batch *batch, size_t number)
{
    return read_finding(batch, number) && batch->runs[number].is_unjudged &&
           batch->runs[number].state != BATCH_FAILED;
}

size_t batch_run_warnings(const struct batch *batch, size_t number)
{
    return read_finding(batch, number) ? batch->runs[number].warnings : 0;
}

struct batch_totals batch_count(const struct batch *batch)
{
    struct batch_totals totals = {0};
    size_t *const counted[BATCH_STATES] = {
        [BATCH_WAITING] = &totals.waiting, [BATCH_PLANNING] = &totals.waiting,
        [BATCH_PLANNED] = &totals.waiting, [BATCH_RUNNING] = &totals.running,
        [BATCH_DRAWING] = &totals.running, [BATCH_PASSED] = &totals.passed,
        [BATCH_FAILED] = &totals.failed,   [BATCH_STOPPED] = &totals.stopped,
    };
    for (size_t k = 0; k < batch->queue->count; k++)
        if (batch->only == SIZE_MAX || batch->only == k) {
            const enum batch_state state = batch->runs[k].state;
            const bool has_exceeded = batch_run_exceeded(batch, k),
                       is_unjudged = state == BATCH_PASSED && batch_run_unjudged(batch, k);
            if (state != BATCH_PASSED || (!has_exceeded && !is_unjudged))
                ++*counted[state];
            totals.exceeded += has_exceeded;
            totals.unjudged += is_unjudged;
            totals.warned += batch_run_warnings(batch, k) > 0;
            totals.finished += state == BATCH_PASSED || state == BATCH_FAILED;
            totals.runs++;
        }
    return totals;
}

const char *batch_totals_others(const struct batch_totals *totals, char text[BATCH_OTHERS_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    if (totals->exceeded > 0)
        used = (size_t)snprintf(text, BATCH_OTHERS_BYTES, ", %zu EXCEEDED a safety level", totals->exceeded);
    if (totals->unjudged > 0)
        snprintf(text + used, BATCH_OTHERS_BYTES - used, ", %zu not judged", totals->unjudged);
    return text;
}
