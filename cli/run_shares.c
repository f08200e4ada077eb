// Shares by measured rates (see the header).
#include "cli/run_shares.h"

#include "cli/rank_figures.h"
#include "core/clock.h"
#include "core/log.h"
#include "io/json_file.h"
#include "parallel/launch.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// REPEATS measurements of at least MEASURED_US each on the slowest rank; the shortest of each rank counts:
// the others were disturbed. Rates are whole numbers of at most RATE_MOST. Those that all differ by less than
// a twentieth are equal, because a measurement is not better than that.
enum { REPEATS = 5, MEASURED_US = 40000, FIRST_STEPS = 4, RATE_MOST = 1000, RATE_EQUAL = 950 };

static struct {
    int ranks;
    int64_t steps;
    int64_t busy_us[RANKS_MAX], rates[RANKS_MAX];
    bool are_equal;
} measured;

bool run_shares_are_automatic(const struct session_request *request)
{
    return launch_ranks()->count > 1 && request->shares && strcmp(request->shares, "auto") == 0;
}

// ---- steps

// For tests: this rank is so many times as slow as it is.
static void slow_down(double busy_s)
{
    const char *text = getenv("FATHOM_TEST_SLOW");
    const double idle_s = text ? (strtod(text, NULL) - 1) * busy_s : 0;
    if (idle_s > 0)
        nanosleep(&(struct timespec){(time_t)idle_s, (long)((idle_s - floor(idle_s)) * 1e9)}, NULL);
}

// Advances by `count` steps. *busy_us: of this rank, without its waits for others.
static enum status time_steps(struct simulation *simulation, int64_t first, int64_t count, int64_t *busy_us)
{
    const double waited_s = ranks_waited_s(), begin_s = clock_now_s();
    CHECK(simulation->advance(simulation->context, first, count));
    if (simulation->finish)
        CHECK(simulation->finish(simulation->context, first + count));
    slow_down(clock_now_s() - begin_s - (ranks_waited_s() - waited_s));
    *busy_us = (int64_t)ceil(1e6 * (clock_now_s() - begin_s - (ranks_waited_s() - waited_s)));
    return STATUS_OK;
}

// How many steps a measurement has: more and more, until they take long enough on the slowest rank. The first
// ones warm up. *step: those that were made.
static enum status find_count(struct session *s, struct simulation *simulation, int64_t *step, int64_t *count)
{
    int64_t longest_us = 0;
    for (*count = FIRST_STEPS < s->plan.steps ? FIRST_STEPS : s->plan.steps; longest_us < MEASURED_US;
         *count *= 2) {
        CHECK(time_steps(simulation, *step, *count, &longest_us));
        *step += *count;
        CHECK(ranks_largest(launch_ranks(), TRANSPORT_STEPS, &longest_us, 1));
        if (*step + 2 * REPEATS * *count > s->plan.steps) // a short run
            break;
    }
    return STATUS_OK;
}

static enum status measure_steps(struct session *s)
{
    struct ranks *ranks = launch_ranks();
    struct simulation simulation = model_simulation(s->instance);
    int64_t step = 0, count, shortest_us = INT64_MAX;
    if (simulation.begin)
        CHECK(simulation.begin(simulation.context, &s->pipeline, 0));
    CHECK(find_count(s, &simulation, &step, &count));
    for (int k = 0; k < REPEATS && step + count <= s->plan.steps; k++, step += count) {
        int64_t busy_us;
        CHECK(time_steps(&simulation, step, count, &busy_us));
        shortest_us = busy_us < shortest_us ? busy_us : shortest_us;
    }
    measured.steps = shortest_us < INT64_MAX ? count : 0; // 0: the run is too short, and shares are equal
    memset(measured.busy_us, 0, sizeof measured.busy_us);
    measured.busy_us[ranks->rank] = measured.steps == 0 ? 0 : shortest_us > 0 ? shortest_us : 1;
    return ranks_add(ranks, TRANSPORT_STEPS, measured.busy_us, ranks->count);
}

// ---- rates

// From whole numbers that all ranks have, by the same arithmetic: the same on all of them.
static void find_rates(const struct rank_figures *all)
{
    const int count = measured.ranks;
    double most = 0;
    measured.are_equal = true;
    for (int r = 0; r < count; r++)
        measured.rates[r] = RATE_MOST;
    if (measured.steps == 0)
        return;
    for (int r = 0; r < count; r++)
        most = fmax(most, (double)all[r].work / (double)measured.busy_us[r]);
    for (int r = 0; r < count; r++) {
        const double rate = (double)all[r].work / (double)measured.busy_us[r];
        measured.rates[r] = most > 0 ? (int64_t)fmax(1, nearbyint(RATE_MOST * rate / most)) : 1;
        measured.are_equal &= measured.rates[r] >= RATE_EQUAL;
    }
}

static void write_shares(char shares[RUN_SHARES_BYTES])
{
    size_t used = 0;
    for (int r = 0; r < measured.ranks; r++)
        used += (size_t)snprintf(shares + used, RUN_SHARES_BYTES - used, "%s%lld", r > 0 ? ":" : "",
                                 (long long)measured.rates[r]);
}

// ---- a run without results

static enum status ignore_frame(void *context, const struct frame *frame)
{
    (void)context, (void)frame;
    return STATUS_OK;
}

static enum status ignore_checkpoint(void *context, struct checkpoint_header *header,
                                     const struct checkpoint_array *arrays, int array_count)
{
    (void)context, (void)header, (void)arrays, (void)array_count;
    return STATUS_OK;
}

static enum status ignore_end(void *context)
{
    (void)context;
    return STATUS_OK;
}

static void ignore_abandon(void *context)
{
    (void)context;
}

static enum status call_prepare(void *context)
{
    struct session *s = context;
    return s->model->prepare(s->instance);
}

static enum status measure(struct session *s)
{
    static const struct sink sink = {NULL, ignore_frame, ignore_checkpoint, ignore_end, ignore_abandon};
    CHECK(pipeline_start(&s->pipeline, sink));
    enum status status = model_warm_up(s->instance);
    if (status == STATUS_OK)
        status = pipeline_call(&s->pipeline, call_prepare, s);
    if (status == STATUS_OK)
        status = s->model->start(s->instance);
    if (status == STATUS_OK)
        status = measure_steps(s);
    const enum status stopped = pipeline_stop(&s->pipeline, false);
    return stopped != STATUS_OK ? stopped : status;
}

enum status run_shares_measure(struct session *s, char shares[RUN_SHARES_BYTES])
{
    struct ranks *ranks = launch_ranks();
    struct rank_figures *all = NULL;
    const double begin_s = clock_now_s();
    if (s->memory.total[MEMORY_DEVICE] > 0) // whose waits the host's clock does not see
        return FAIL(STATUS_USAGE,
                    "--shares auto: rates are measured on processors only; of GPUs give numbers, "
                    "as --shares 9:23, or nothing if they are alike");
    measured.ranks = ranks->count;
    ranks->is_measuring = true;
    CHECK(memory_plan_reserve(&s->memory, session_host_limit(s), session_device_limit(s)));
    enum status status = measure(s);
    if (status == STATUS_OK)
        status = rank_figures_collect(s, &all);
    if (ranks_have_failed(ranks)) // messages may still use the memory
        return status;
    memory_plan_release(&s->memory);
    if (status == STATUS_OK)
        find_rates(all);
    free(all);
    CHECK(status);
    shares[0] = '\0';
    if (!measured.are_equal)
        write_shares(shares);
    ranks_restart_figures(ranks);
    log_info("shares measured in %.1f s: %s", clock_now_s() - begin_s, shares[0] ? shares : "equal");
    return STATUS_OK;
}

void run_shares_report(cJSON *parallel)
{
    if (measured.ranks == 0)
        return;
    cJSON *object = cJSON_AddObjectToObject(parallel, "measured");
    cJSON_AddNumberToObject(object, "steps", (double)measured.steps);
    cJSON_AddBoolToObject(object, "are_equal", measured.are_equal);
    cJSON *list = cJSON_AddArrayToObject(object, "ranks");
    for (int r = 0; r < measured.ranks; r++) {
        cJSON *rank = json_append_object(list);
        cJSON_AddNumberToObject(rank, "busy_s", 1e-6 * (double)measured.busy_us[r]);
        cJSON_AddNumberToObject(rank, "rate", (double)measured.rates[r]);
    }
}
