// Planning several ranks (see the header).
#include "cli/plan_ranks.h"

#include "core/log.h"
#include "io/units.h"
#include "parallel/launch.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// From the last to rank 0, whose answers then know of all. The others' messages would be the same.
static enum status open_all(const struct session_request *request, struct plan_ranks *p,
                            struct ranks_asked *asked, struct session *s)
{
    const int count = (int)p->ranks;
    asked->has_changed = false;
    for (int r = count - 1; r >= 0; r--) {
        launch_plan(r, count, asked);
        CHECK(session_open(request, s));
        log_mute(true);
        p->all[r] = rank_figures_own(s);
        p->all[r].host_name = r * p->hosts / count;
        if (r > 0)
            session_close(s);
    }
    return STATUS_OK;
}

enum status plan_ranks_open(const struct session_request *request, struct plan_ranks *p, struct session *s)
{
    enum { TURNS = 4 };
    struct ranks_asked asked = {0};
    if (p->ranks == 1)
        return session_open(request, s);
    p->all = calloc((size_t)p->ranks, sizeof *p->all);
    if (!p->all)
        return FAIL(STATUS_SYSTEM, "no memory for the plans of %lld ranks", (long long)p->ranks);
    enum status status = open_all(request, p, &asked, s);
    for (int turn = 1; status == STATUS_OK && asked.has_changed && turn < TURNS; turn++) {
        session_close(s);
        status = open_all(request, p, &asked, s);
    }
    log_mute(false);
    if (status == STATUS_OK)
        s->all_checkpoint_bytes = rank_figures_checkpoint_bytes(p->all, (int)p->ranks);
    return status;
}

void plan_ranks_close(struct plan_ranks *p, struct session *s)
{
    session_close(s);
    if (p->ranks > 1)
        launch_plan(0, 1, NULL);
    free(p->all);
    p->all = NULL;
}

// Whether the model has divided nothing, so that 0 bytes are not unknown ones.
static bool is_divided(void)
{
    const char *const by = launch_ranks()->used_transport;
    return !by || strcmp(by, "none") != 0;
}

void plan_ranks_print(const struct plan_ranks *p)
{
    char held[24], host[24], sent[24];
    if (!p->all)
        return;
    printf("ranks      %lld (memory above: of rank 0), largest share of the work %.4g times the mean\n",
           (long long)p->ranks, rank_figures_imbalance(p->all, (int)p->ranks));
    for (int r = 0; r < p->ranks; r++) {
        const struct rank_figures *f = &p->all[r];
        snprintf(sent, sizeof sent, is_divided() ? "what the state needs" : "nothing");
        if (f->step_bytes > 0)
            units_format_bytes((double)f->step_bytes, sent, sizeof sent);
        printf("  rank %-4d rows %lld to %lld, %s of arrays, %s on the host, sends %s a step\n", r,
               (long long)f->first, (long long)f->end - 1,
               units_format_bytes((double)f->planned_bytes, held, sizeof held),
               units_format_bytes((double)f->host_bytes, host, sizeof host), sent);
    }
}

void plan_ranks_add(cJSON *report, const struct plan_ranks *p)
{
    if (!p->all)
        return;
    cJSON *parallel = cJSON_AddObjectToObject(report, "parallel");
    cJSON_AddNumberToObject(parallel, "ranks", (double)p->ranks);
    cJSON_AddNumberToObject(parallel, "host_count", (double)p->hosts);
    rank_figures_add_shares(parallel, p->all, (int)p->ranks);
    for (int r = 0; r < p->ranks; r++) {
        cJSON *share = cJSON_GetArrayItem(cJSON_GetObjectItem(parallel, "shares"), r);
        const struct rank_figures *f = &p->all[r];
        cJSON_AddNumberToObject(share, "host_bytes", (double)f->host_bytes);
        if (f->step_bytes > 0 || !is_divided())
            cJSON_AddNumberToObject(share, "exchanged_bytes_per_step", (double)f->step_bytes);
        else
            cJSON_AddNullToObject(share, "exchanged_bytes_per_step");
    }
}

enum status plan_ranks_check_memory(const struct plan_ranks *p, const struct session *s)
{
    if (p->all)
        CHECK(rank_figures_check_memory(s, p->all, (int)p->ranks));
    return session_check_memory(s);
}
