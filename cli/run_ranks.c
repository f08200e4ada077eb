// A run of several ranks (see the header).
#include "cli/run_ranks.h"

#include "cli/options.h"
#include "cli/run_shares.h"
#include "core/log.h"
#include "core/stop_signals.h"
#include "io/json_file.h"
#include "parallel/launch.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static bool have_stopped_together;

bool run_ranks_is_first(void)
{
    return launch_ranks()->rank == 0;
}

enum status run_ranks_start(struct run_options *options)
{
    have_stopped_together = false;
    if (options->control.descriptor >= 0 && !options->control.is_of_ranks)
        return STATUS_OK; // of a batch, whatever started that
    CHECK(launch_start());
    if (launch_ranks()->count > 1)
        CHECK(stop_signals_defer()); // a launcher ends the others by a signal: there is nothing to report
    if (!run_ranks_is_first()) {
        log_mute(true); // all ranks would say the same
        options->quiet = true;
        options->json = false;
    }
    return STATUS_OK;
}

enum status run_ranks_share(struct run_ranks_found *found)
{
    struct ranks *ranks = launch_ranks();
    return ranks->count == 1 ? STATUS_OK : ranks_share(ranks, TRANSPORT_STEPS, found, sizeof *found);
}

static const char *transport_of(const struct ranks *ranks)
{
    return ranks->used_transport ? ranks->used_transport : "mpi";
}

// "cuda: devices 0, 1 of each host": each rank has the device of its number on its host (models/backend.c).
static void describe_devices(const struct session *s, const struct ranks *ranks, char *text, size_t bytes)
{
    enum { LISTED = 8 };
    const struct ranks_host first = ranks_host_of(ranks, 0);
    bool are_alike = first.count <= LISTED;
    for (int r = 0; r < ranks->count; r++)
        are_alike &= ranks_host_of(ranks, r).count == first.count;
    size_t used = (size_t)snprintf(text, bytes, "%s", s->plan.backend);
    if (memory_plan_device_bytes(&s->memory) == 0)
        return;
    if (!are_alike) {
        snprintf(text + used, bytes - used, ": a device each");
        return;
    }
    for (int d = 0; d < first.count; d++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%d",
                                 d > 0              ? ", "
                                 : first.count == 1 ? ": device "
                                                    : ": devices ",
                                 d);
    if (first.count < ranks->count)
        snprintf(text + used, bytes - used, " of each host");
}

void run_ranks_announce(const struct session *s, const struct session_request *request)
{
    const struct ranks *ranks = launch_ranks();
    char devices[160];
    if (ranks->count == 1) {
        if (request->transport)
            log_warning("--transport %s: without effect, because one rank exchanges nothing",
                        request->transport);
        return;
    }
    const int hosts = ranks_host_count(ranks);
    const bool is_none = strcmp(transport_of(ranks), "none") == 0;
    describe_devices(s, ranks, devices, sizeof devices);
    log_info("%d ranks on %d host%s (%s; %s%s)", ranks->count, hosts, hosts == 1 ? "" : "s", devices,
             is_none ? "nothing is divided" : "exchange by ", is_none ? "" : transport_of(ranks));
}

static enum status agree(void *context, struct run_vote *vote)
{
    int64_t values[] = {-vote->batch, vote->stop_signal, vote->is_time_limit, vote->is_asked_to,
                        vote->is_checkpoint_due};
    CHECK(ranks_largest(context, TRANSPORT_STEPS, values, sizeof values / sizeof *values));
    *vote = (struct run_vote){-values[0], (int)values[1], values[2] != 0, values[3] != 0, values[4] != 0};
    have_stopped_together |= vote->stop_signal != 0 || vote->is_time_limit || vote->is_asked_to;
    return STATUS_OK;
}

void run_ranks_set_agreement(struct run_request *request)
{
    if (launch_ranks()->count == 1)
        return;
    request->agree = agree;
    request->agree_context = launch_ranks();
    if (!run_ranks_is_first())
        request->must_stop = NULL; // rank 0 looks at the disk
}

// ---- checkpoints in sets, by the I/O threads

static enum status share_header(void *context, void *data, size_t bytes)
{
    return ranks_share(context, TRANSPORT_FILES, data, bytes);
}

static enum status settle(void *context)
{
    int64_t nothing = 0;
    return ranks_largest(context, TRANSPORT_FILES, &nothing, 1);
}

void run_ranks_set_checkpoints(struct session *s)
{
    struct ranks *ranks = launch_ranks();
    if (ranks->count == 1 || !s->model->checkpoint_rows)
        return;
    s->checkpoint_set = (struct checkpoint_set){.rank = ranks->rank,
                                                .ranks = ranks->count,
                                                .rows = s->checkpoint_rows,
                                                .context = ranks,
                                                .share = share_header,
                                                .settle = settle};
    s->output.set = &s->checkpoint_set;
}

// ---- the sink of the others: rank 0 writes the files

static enum status write_nothing(void *context, const struct frame *frame)
{
    (void)context;
    (void)frame;
    return STATUS_OK;
}

static enum status save_nothing(void *context, struct checkpoint_header *header,
                                const struct checkpoint_array *arrays, int array_count)
{
    (void)context;
    (void)header;
    (void)arrays;
    (void)array_count;
    return STATUS_OK;
}

static enum status finish_nothing(void *context)
{
    (void)context;
    return STATUS_OK;
}

static void abandon_nothing(void *context)
{
    (void)context;
}

struct sink run_ranks_sink(struct session *s, struct sink sink)
{
    static const struct sink nothing = {NULL, write_nothing, save_nothing, finish_nothing, abandon_nothing};
    if (run_ranks_is_first())
        return gather_sink(&s->gather, watch_sink(&s->watch, sink));
    return gather_sink(&s->gather, sink.context ? sink : nothing);
}

// ---- the report

static void add_hosts(cJSON *list, const struct ranks *ranks)
{
    for (int r = 0; r < ranks->count; r++) {
        const struct ranks_host of_rank = ranks_host_of(ranks, r);
        if (of_rank.first != r)
            continue;
        cJSON *host = json_append_object(list);
        cJSON_AddStringToObject(host, "name", ranks->places[r].host);
        cJSON_AddNumberToObject(host, "ranks", of_rank.count);
    }
}

enum status run_ranks_check(struct session *s, bool needs_none)
{
    struct rank_figures *all = NULL;
    const int ranks = launch_ranks()->count;
    if (ranks == 1)
        return STATUS_OK;
    enum status status = rank_figures_collect(s, &all);
    if (status == STATUS_OK)
        s->all_checkpoint_bytes = rank_figures_checkpoint_bytes(all, ranks);
    if (status == STATUS_OK)
        status = rank_figures_check_arithmetic(s, all, ranks);
    if (status == STATUS_OK && !needs_none)
        status = rank_figures_check_memory(s, all, ranks);
    free(all);
    return status;
}

static size_t total_host_bytes(const struct rank_figures *all, int ranks)
{
    size_t bytes = 0;
    for (int r = 0; r < ranks; r++)
        bytes += (size_t)all[r].host_bytes;
    return bytes;
}

enum status run_ranks_wait_for_slot(const struct run_control *control, struct session *s, bool is_resumed,
                                    int *threads)
{
    struct ranks *ranks = launch_ranks();
    struct rank_figures *all = NULL;
    int32_t share = *threads;
    if (ranks->count == 1)
        return run_control_wait(control, s, is_resumed, memory_plan_host_bytes(&s->memory), threads);
    if (!control->is_of_ranks)
        return STATUS_OK;
    CHECK(rank_figures_collect(s, &all));
    const size_t host_bytes = total_host_bytes(all, ranks->count);
    s->all_checkpoint_bytes = rank_figures_checkpoint_bytes(all, ranks->count);
    free(all);
    if (run_ranks_is_first()) {
        int cores = *threads * ranks->count;
        CHECK(run_control_wait(control, s, is_resumed, host_bytes, &cores));
        share = cores > ranks->count ? cores / ranks->count : 1;
    }
    CHECK(ranks_share_late(ranks, TRANSPORT_STEPS, &share, sizeof share));
    *threads = share;
    return STATUS_OK;
}

enum status run_ranks_collect(const struct session *s, struct rank_figures **all)
{
    return launch_ranks()->count == 1 ? STATUS_OK : rank_figures_collect(s, all);
}

void run_ranks_report(cJSON *report, const struct session *s, const struct rank_figures *all, int64_t steps)
{
    const struct ranks *ranks = launch_ranks();
    if (!all)
        return;
    cJSON *parallel = cJSON_AddObjectToObject(report, "parallel");
    cJSON_AddNumberToObject(parallel, "ranks", ranks->count);
    add_hosts(cJSON_AddArrayToObject(parallel, "hosts"), ranks);
    cJSON_AddStringToObject(parallel, "transport", transport_of(ranks));
    cJSON_AddStringToObject(parallel, "library", ranks->world.library);
    rank_figures_add_shares(parallel, all, ranks->count);
    run_shares_report(parallel);
    rank_figures_add_messages(parallel, all, ranks->count, steps);
    cJSON_AddNumberToObject(parallel, "gathered_bytes", s->gather.received_bytes);
    cJSON_AddNumberToObject(parallel, "gather_s", s->gather.waited_s);
    cJSON_AddStringToObject(
        parallel, "note",
        "exchanges: messages to neighbours since the start or the last resume; exchange_s: the time that a "
        "rank waited for theirs, above the shares that of the rank that waited longest; gathered: parts of "
        "results that rank 0 received");
}

// ---- the end

bool run_ranks_keep_memory(void)
{
    return ranks_have_failed(launch_ranks());
}

int run_ranks_end(enum status status, bool *must_leave)
{
    struct ranks *ranks = launch_ranks();
    *must_leave = false;
    // A stop of one rank before the first step is a stop of all.
    if (status != STATUS_OK && !(status == STATUS_STOPPED && have_stopped_together))
        ranks_fail(ranks, status);
    int code = status_exit_code(status);
    if (status != STATUS_OK && launch_prints())
        code = options_report_failure(status);
    if (ranks->count == 1)
        return code;
    return launch_end(code, must_leave);
}
