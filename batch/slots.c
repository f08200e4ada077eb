// Slots of a batch's runs (see the header).
#include "batch/slots.h"

#include "batch/disk.h"
#include "batch/journal.h"
#include "batch/pending.h"
#include "batch/workers.h"
#include "core/clock.h"
#include "io/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Device memory of a CUDA context, for each process but the first, beside its arrays.
static const size_t device_context_bytes = (size_t)512 << 20;
static const double held_back_s = 10;

// ---- free resources

size_t batch_slots_count(const struct batch_scheduler *s, enum batch_state state)
{
    size_t count = 0;
    for (size_t k = 0; k < s->attempt_count; k++)
        count += s->batch->runs[s->attempts[k].run].state == state;
    return count;
}

static size_t less(size_t whole, size_t part)
{
    return whole == SIZE_MAX ? SIZE_MAX : whole > part ? whole - part : 0;
}

static struct placement_resources with_free_disk(const struct batch_scheduler *s)
{
    struct placement_resources resources = s->resources;
    uint64_t disk;
    if (path_free_bytes(s->batch->queue->directory, &disk) == STATUS_OK)
        resources.disk_bytes = (double)disk;
    else
        status_clear();
    return resources;
}

// Bits of the devices of a run, or of those that it was planned for.
static unsigned devices_of(const struct batch_attempt *attempt, const struct batch_run *run)
{
    const bool is_running = run->state == BATCH_RUNNING;
    const unsigned several = is_running ? run->devices : attempt->needs.devices;
    const int device = is_running ? run->device : attempt->needs.device;
    return several != 0 ? several : device >= 0 ? 1u << device : 0;
}

// Disk: the free space, less what the running runs have still to write.
struct placement_resources batch_slots_free(const struct batch_scheduler *s)
{
    struct placement_resources free = with_free_disk(s);
    size_t users[PLACEMENT_DEVICES_MAX] = {0};
    for (size_t k = 0; k < s->attempt_count; k++) {
        const struct batch_run *run = &s->batch->runs[s->attempts[k].run];
        const unsigned devices = devices_of(&s->attempts[k], run);
        if (run->state == BATCH_RUNNING || run->state == BATCH_DRAWING) {
            free.cores -= run->cores;
            free.jobs--;
        }
        for (int d = 0; d < free.device_count; d++)
            users[d] += s->attempts[k].needs.takes_device && devices & 1u << d;
        if (run->state != BATCH_RUNNING)
            continue;
        free.host_bytes = less(free.host_bytes, run->needs.host_bytes);
        free.disk_bytes -= batch_disk_expected(s, s->attempts[k].run, INFINITY) *
                           (isnan(run->fraction) ? 1 : 1 - run->fraction);
        for (int d = 0; d < free.device_count; d++)
            if (devices & 1u << d)
                free.device_bytes[d] = less(free.device_bytes[d], run->needs.device_bytes);
    }
    batch_workers_count_users(s, users);
    for (int d = 0; d < free.device_count; d++) {
        const size_t contexts = users[d] > 1 ? (users[d] - 1) * device_context_bytes : 0,
                     taken = s->resources.device_bytes[d] - free.device_bytes[d],
                     there = less(s->device_free[d], taken + contexts);
        free.device_bytes[d] = there < free.device_bytes[d] ? there : free.device_bytes[d];
    }
    return free;
}

// The resources of a run that runs alone.
static struct placement_resources resources_of_one(const struct batch_scheduler *s)
{
    struct placement_resources all = with_free_disk(s);
    for (size_t k = 0; k < s->attempt_count; k++)
        if (s->batch->runs[s->attempts[k].run].state == BATCH_RUNNING)
            all.disk_bytes += s->batch->runs[s->attempts[k].run].needs.disk_bytes;
    return all;
}

unsigned batch_slots_choose_devices(const struct batch_scheduler *s, const struct batch_job *job)
{
    size_t users[PLACEMENT_DEVICES_MAX] = {0};
    unsigned chosen = 0;
    if (job->ranks < 2 || s->resources.device_count < job->ranks)
        return 0;
    for (size_t k = 0; k < s->attempt_count; k++)
        for (int d = 0; d < s->resources.device_count; d++)
            users[d] += devices_of(&s->attempts[k], &s->batch->runs[s->attempts[k].run]) >> d & 1;
    for (int rank = 0; rank < job->ranks; rank++) {
        int least = -1;
        for (int d = 0; d < s->resources.device_count; d++)
            if (!(chosen & 1u << d) && (least < 0 || users[d] < users[least]))
                least = d;
        chosen |= 1u << least;
    }
    return chosen;
}

int batch_slots_choose_device(const struct batch_scheduler *s, const struct batch_job *job)
{
    size_t users[PLACEMENT_DEVICES_MAX] = {0};
    int chosen = 0;
    if (s->resources.device_count < 2 || job->ranks > 1 || batch_attempt_named_device(job) >= 0)
        return -1;
    for (size_t k = 0; k < s->attempt_count; k++)
        for (int d = 0; d < s->resources.device_count; d++)
            users[d] += devices_of(&s->attempts[k], &s->batch->runs[s->attempts[k].run]) >> d & 1;
    for (int d = 1; d < s->resources.device_count; d++)
        if (users[d] < users[chosen])
            chosen = d;
    return chosen;
}

// ---- placing

static enum status start(struct batch_scheduler *s, struct batch_attempt *attempt,
                         const struct placement *placement)
{
    struct batch_run *run = &s->batch->runs[attempt->run];
    char text[32];
    run->attempts++;
    run->finding_known = false;
    run->started_s = clock_now_s();
    run->cores = placement->cores;
    run->device = placement->device;
    run->devices = placement->devices;
    run->state = BATCH_RUNNING;
    run->has_leftover = true;
    attempt->is_started = true;
    s->waiting--;
    attempt->limit_at_s = batch_attempt_limit_at_s(batch_scheduler_job(s, attempt->run));
    CHECK(batch_journal_started(s->batch, attempt->run));
    snprintf(text, sizeof text, "go %d", placement->cores);
    batch_child_send(&attempt->child, text);
    return STATUS_OK;
}

// A run that can never fit is asked to end at once.
static bool refuse_impossible(struct batch_scheduler *s, struct batch_attempt *attempt)
{
    struct batch_run *run = &s->batch->runs[attempt->run];
    const struct placement_resources all = resources_of_one(s);
    char why[256];
    if (placement_is_possible(&all, &attempt->needs, why, sizeof why))
        return false;
    if (attempt->is_reused) { // its needs have what the process keeps of other runs in them
        attempt->has_declined = true;
        batch_attempt_ask_to_end(attempt, BATCH_CAUSE_STOP, clock_now_s());
        return true;
    }
    snprintf(run->message, sizeof run->message, "%s", why);
    batch_attempt_ask_to_end(attempt, BATCH_CAUSE_RESOURCES, clock_now_s());
    return true;
}

void batch_slots_take_plan(struct batch_scheduler *s, struct batch_attempt *attempt, int visible_device)
{
    const struct batch_job *job = batch_scheduler_job(s, attempt->run);
    struct placement_job *needs = &attempt->needs;
    const int named = needs->takes_device ? batch_attempt_named_device(job) : -1;
    needs->priority = job->priority;
    needs->ranks = job->ranks;
    if (job->has_devices && !needs->takes_device) {
        struct batch_run *run = &s->batch->runs[attempt->run];
        snprintf(
            run->message, sizeof run->message,
            "\"devices\" is %d, but the run takes none, because it computes on back end %s: \"ranks\" is for "
            "that",
            job->ranks, run->needs.backend);
        batch_attempt_ask_to_end(attempt, BATCH_CAUSE_RESOURCES, clock_now_s());
        return;
    }
    needs->cores = job->cores < s->resources.cores ? job->cores : s->resources.cores; // at most all
    if (strcmp(s->batch->runs[attempt->run].needs.backend, "reference") == 0)
        needs->cores = 1;
    needs->device = !needs->takes_device || needs->ranks > 1 ? -1
                    : visible_device >= 0                    ? visible_device
                    : named >= 0                             ? named
                                                             : 0;
    attempt->limit_at_s = INFINITY; // its time limit counts from its start
    (void)refuse_impossible(s, attempt);
}

// No run is active and none fits, because the waiting processes occupy resources. All but the first one are
// asked to end, and are planned again later.
static void release_waiting(struct batch_scheduler *s, const size_t *which, size_t count)
{
    size_t first = which[0];
    for (size_t k = 1; k < count; k++)
        if (batch_pending_is_before(s, s->attempts[which[k]].run, s->attempts[first].run))
            first = which[k];
    if (refuse_impossible(s, &s->attempts[first]))
        return;
    for (size_t k = 0; k < count; k++)
        if (which[k] != first) {
            s->attempts[which[k]].is_sent_back = true;
            batch_attempt_ask_to_end(&s->attempts[which[k]], BATCH_CAUSE_STOP, clock_now_s());
        }
}

// A run of higher priority that is still being planned may take the resources: a planned one waits for it,
// but not for one whose planning takes longer than held_back_s.
static bool is_held_back(const struct batch_scheduler *s, size_t planned)
{
    const double since_s = clock_now_s() - held_back_s;
    for (size_t k = 0; k < s->attempt_count; k++) {
        const struct batch_run *run = &s->batch->runs[s->attempts[k].run];
        if (run->state == BATCH_PLANNING && s->attempts[k].asked == BATCH_CAUSE_NONE &&
            run->started_s > since_s &&
            batch_scheduler_job(s, s->attempts[k].run)->priority > batch_scheduler_job(s, planned)->priority)
            return true;
    }
    return false;
}

// disk_bytes: free on the file system.
static size_t gather_planned(const struct batch_scheduler *s, double disk_bytes,
                             struct placement_job jobs[BATCH_AHEAD_MOST], size_t which[BATCH_AHEAD_MOST])
{
    size_t count = 0;
    for (size_t k = 0; k < s->attempt_count && count < BATCH_AHEAD_MOST; k++)
        if (s->batch->runs[s->attempts[k].run].state == BATCH_PLANNED &&
            s->attempts[k].asked == BATCH_CAUSE_NONE && !is_held_back(s, s->attempts[k].run))
            which[count++] = k;
    for (size_t k = 1; k < count; k++) // by number, as placement_next expects
        for (size_t j = k; j > 0 && s->attempts[which[j]].run < s->attempts[which[j - 1]].run; j--) {
            const size_t swapped = which[j];
            which[j] = which[j - 1];
            which[j - 1] = swapped;
        }
    for (size_t k = 0; k < count; k++) {
        jobs[k] = s->attempts[which[k]].needs;
        jobs[k].disk_bytes = batch_disk_expected(s, s->attempts[which[k]].run, disk_bytes);
    }
    return count;
}

enum status batch_slots_fill(struct batch_scheduler *s)
{
    struct placement_job jobs[BATCH_AHEAD_MOST];
    size_t which[BATCH_AHEAD_MOST];
    struct placement placement;
    while (!s->is_stopping) {
        const size_t count = gather_planned(s, with_free_disk(s).disk_bytes, jobs, which);
        if (count == 0)
            break;
        const struct placement_resources free = batch_slots_free(s);
        const bool is_placed = placement_next(&free, jobs, count, s->waiting, &placement);
        for (size_t k = 0; k < count; k++)
            s->attempts[which[k]].needs.times_overtaken = jobs[k].times_overtaken;
        if (is_placed) {
            CHECK(start(s, &s->attempts[which[placement.job]], &placement));
            continue;
        }
        if (batch_slots_count(s, BATCH_RUNNING) + batch_slots_count(s, BATCH_DRAWING) == 0)
            release_waiting(s, which, count);
        break;
    }
    return STATUS_OK;
}
