// Figures of all ranks (see the header).
#include "cli/rank_figures.h"

#include "core/memory_limits.h"
#include "io/json_file.h"
#include "parallel/launch.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FIGURES = sizeof(struct rank_figures) / sizeof(int64_t) };
_Static_assert(FIGURES * sizeof(int64_t) == sizeof(struct rank_figures), "figures are summed as an array");

// A model that is not divided is saved by rank 0 alone.
static int64_t own_checkpoint_bytes(const struct session *s, const struct ranks *ranks)
{
    const struct checkpoint_set set = {
        .rank = ranks->rank, .ranks = ranks->count, .rows = s->checkpoint_rows};
    if (ranks->count == 1 || !s->model->checkpoint_rows)
        return ranks->rank == 0 ? (int64_t)s->checkpoint_bytes : 0;
    return (int64_t)checkpoint_set_bytes(s->checkpoint_arrays, s->checkpoint_array_count, &set);
}

double rank_figures_checkpoint_bytes(const struct rank_figures *all, int ranks)
{
    double bytes = 0;
    for (int r = 0; r < ranks; r++)
        bytes += (double)all[r].checkpoint_bytes;
    return bytes;
}

struct rank_figures rank_figures_own(const struct session *s)
{
    const struct ranks *ranks = launch_ranks();
    struct rank_figures own = {.planned_bytes = (int64_t)memory_plan_array_bytes(&s->memory),
                               .exchanges = ranks->exchanges,
                               .exchanged_bytes = (int64_t)ranks->exchange_bytes,
                               .waited_us = (int64_t)(ranks->exchange_wait_s * 1e6),
                               .step_bytes = (int64_t)ranks->planned_step_bytes,
                               .host_bytes = (int64_t)memory_plan_host_bytes(&s->memory),
                               .program_bytes = (int64_t)s->memory.total[MEMORY_PROGRAM]};
    own.checkpoint_bytes = own_checkpoint_bytes(s, ranks);
    const struct memory_limit limit = memory_limits_shared("");
    own.available_bytes = limit.available < INT64_MAX ? (int64_t)limit.available : INT64_MAX;
    own.limit_name = (int64_t)XXH3_64bits(limit.name, strlen(limit.name));
    own.host_name = (int64_t)XXH3_64bits(ranks->world.host, strlen(ranks->world.host));
    char arithmetic[160];
    snprintf(arithmetic, sizeof arithmetic, "%s %s", s->plan.backend, s->plan.instruction_set);
    own.arithmetic = (int64_t)XXH3_64bits(arithmetic, strlen(arithmetic));
    own.first = ranks->first_row;
    own.end = ranks->end_row;
    for (int k = 0; k < s->checkpoint_array_count && own.end == 0; k++)
        if (s->checkpoint_rows[k].row_bytes > 0) {
            own.first = (int64_t)s->checkpoint_rows[k].first;
            own.end = (int64_t)s->checkpoint_rows[k].end;
        }
    own.work = ranks->work > 0 ? (int64_t)ranks->work : own.end - own.first;
    return own;
}

enum status rank_figures_collect(const struct session *s, struct rank_figures **all)
{
    struct ranks *ranks = launch_ranks();
    *all = calloc((size_t)ranks->count, sizeof **all);
    if (!*all)
        return FAIL(STATUS_SYSTEM, "no memory for the figures of %d ranks", ranks->count);
    (*all)[ranks->rank] = rank_figures_own(s);
    return ranks_add(ranks, TRANSPORT_STEPS, (int64_t *)*all, ranks->count * FIGURES);
}

enum status rank_figures_check_arithmetic(const struct session *s, const struct rank_figures *all, int ranks)
{
    const struct ranks *own = launch_ranks();
    for (int r = 1; r < ranks; r++)
        if (all[r].arithmetic != all[0].arithmetic)
            return FAIL(
                STATUS_CONFIGURATION,
                "rank %d on %s does not compute as rank 0 on %s does, but with another back end or "
                "instruction set (rank %d: %s, %s): results would have other bits; name the back end, "
                "and set FATHOM_ISA=avx2 or generic for all",
                r, own->places[r].host, own->places[0].host, own->rank, s->plan.backend,
                s->plan.instruction_set);
    return STATUS_OK;
}

// ---- the memory of a host

// Ranks with the same host and, where the machine's memory is looked at, the same limit of it.
struct host_group {
    int first, members;
    int64_t needed, available;
};

static bool are_together(const struct rank_figures *a, const struct rank_figures *b, bool by_limit)
{
    return a->host_name == b->host_name && (!by_limit || a->limit_name == b->limit_name);
}

static struct host_group group_of(const struct rank_figures *all, int ranks, int rank, bool by_limit)
{
    struct host_group group = {.first = rank, .available = INT64_MAX};
    for (int r = ranks - 1; r >= 0; r--) {
        if (!are_together(&all[r], &all[rank], by_limit))
            continue;
        group.first = r;
        group.members++;
        // The program's present memory is not free, and is not needed again.
        group.needed += all[r].host_bytes - (by_limit ? all[r].program_bytes : 0);
        if (all[r].available_bytes < group.available)
            group.available = all[r].available_bytes;
    }
    return group;
}

static enum status refuse_group(const struct host_group *group, int64_t most, const char *limit)
{
    char who[96], need[MEMORY_TEXT_BYTES], more[MEMORY_TEXT_BYTES], of_limit[MEMORY_TEXT_BYTES];
    if (group->needed <= most)
        return STATUS_OK;
    if (group->members == 1)
        snprintf(who, sizeof who, "rank %d needs", group->first);
    else
        snprintf(who, sizeof who, "the %d ranks on the host of rank %d together need", group->members,
                 group->first);
    return FAIL(STATUS_SYSTEM, "%s %s of host memory (%lld bytes), %s more than %s (%s, %lld bytes)", who,
                memory_bytes_text((size_t)group->needed, need), (long long)group->needed,
                memory_bytes_text((size_t)(group->needed - most), more), limit,
                memory_bytes_text((size_t)most, of_limit), (long long)most);
}

enum status rank_figures_check_memory(const struct session *s, const struct rank_figures *all, int ranks)
{
    const size_t limit = session_host_limit(s);
    const int64_t most = limit < INT64_MAX ? (int64_t)limit : INT64_MAX;
    const int own = launch_ranks()->rank;
    for (int r = 0; r < ranks; r++) {
        const struct host_group of_host = group_of(all, ranks, r, false),
                                of_limit = group_of(all, ranks, r, true);
        CHECK(refuse_group(&of_host, most, "the job's limit memory.host"));
        const bool is_here = are_together(&all[r], &all[own], true);
        CHECK(refuse_group(&of_limit, of_limit.available,
                           is_here ? memory_limits_shared("").name : "that host has free"));
    }
    return STATUS_OK;
}

// ---- reports

double rank_figures_imbalance(const struct rank_figures *all, int ranks)
{
    double sum = 0, most = 0;
    for (int r = 0; r < ranks; r++) {
        sum += (double)all[r].work;
        most = fmax(most, (double)all[r].work);
    }
    return sum > 0 ? most * ranks / sum : 1;
}

void rank_figures_add_shares(cJSON *parallel, const struct rank_figures *all, int ranks)
{
    cJSON_AddNumberToObject(parallel, "imbalance", rank_figures_imbalance(all, ranks));
    cJSON *shares = cJSON_AddArrayToObject(parallel, "shares");
    for (int r = 0; r < ranks; r++) {
        cJSON *share = json_append_object(shares);
        cJSON_AddNumberToObject(share, "rank", r);
        if (all[r].end > 0) {
            cJSON_AddNumberToObject(share, "first_row", (double)all[r].first);
            cJSON_AddNumberToObject(share, "last_row", (double)(all[r].end - 1));
        }
        cJSON_AddNumberToObject(share, "planned_bytes", (double)all[r].planned_bytes);
    }
}

void rank_figures_add_messages(cJSON *parallel, const struct rank_figures *all, int ranks, int64_t steps)
{
    double bytes = 0, longest_s = 0;
    for (int r = 0; r < ranks; r++) {
        cJSON *share = cJSON_GetArrayItem(cJSON_GetObjectItem(parallel, "shares"), r);
        const double waited_s = (double)all[r].waited_us * 1e-6;
        cJSON_AddNumberToObject(share, "exchanges", (double)all[r].exchanges);
        cJSON_AddNumberToObject(share, "exchanged_bytes", (double)all[r].exchanged_bytes);
        cJSON_AddNumberToObject(share, "exchange_s", waited_s);
        bytes += (double)all[r].exchanged_bytes;
        longest_s = fmax(longest_s, waited_s);
    }
    cJSON_AddNumberToObject(parallel, "exchanged_bytes", bytes);
    if (steps > 0)
        cJSON_AddNumberToObject(parallel, "exchanged_bytes_per_step", bytes / (double)steps);
    cJSON_AddNumberToObject(parallel, "exchange_s", longest_s);
}
