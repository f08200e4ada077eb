// Places of a batch's runs: what room there is beside those that go, and which that is planned goes next.
#include "batch/engine.h"

#include "batch/room.h"
#include "core/clock.h"
#include "io/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A context on a device takes so much of it beside the arrays, for each process but the first.
static const size_t device_context_bytes = (size_t)512 << 20;
static const double held_back_s = 10;

// ---- room

size_t batch_engine_count(const struct batch_engine *e, enum batch_state state)
{
    size_t count = 0;
    for (size_t k = 0; k < e->attempt_count; k++)
        count += e->batch->runs[e->attempts[k].run].state == state;
    return count;
}

static size_t less(size_t whole, size_t part)
{
    return whole == SIZE_MAX ? SIZE_MAX : whole > part ? whole - part : 0;
}

// What is left beside the runs that go. Of the disk: what is free, less what they have still to write.
struct placement_room batch_engine_room_left(const struct batch_engine *e)
{
    struct placement_room free = e->room;
    size_t users[PLACEMENT_DEVICES_MAX] = {0};
    uint64_t disk;
    if (path_free_bytes(e->batch->queue->directory, &disk) == STATUS_OK)
        free.disk_bytes = (double)disk;
    else
        status_clear();
    for (size_t k = 0; k < e->attempt_count; k++) {
        const struct batch_run *run = &e->batch->runs[e->attempts[k].run];
        const int device = run->state == BATCH_RUNNING ? run->device : e->attempts[k].needs.device;
        if (run->state == BATCH_RUNNING || run->state == BATCH_DRAWING) {
            free.cores -= run->cores;
            free.jobs--;
        }
        if (e->attempts[k].needs.takes_device && device >= 0)
            users[device]++;
        if (run->state != BATCH_RUNNING)
            continue;
        free.host_bytes = less(free.host_bytes, run->needs.host_bytes);
        free.disk_bytes -= run->needs.disk_bytes * (isnan(run->fraction) ? 1 : 1 - run->fraction);
        if (device >= 0)
            free.device_bytes[device] = less(free.device_bytes[device], run->needs.device_bytes);
    }
    for (int d = 0; d < free.device_count; d++) {
        const size_t contexts = users[d] > 1 ? (users[d] - 1) * device_context_bytes : 0,
                     taken = e->room.device_bytes[d] - free.device_bytes[d],
                     there = less(e->device_free[d], taken + contexts);
        free.device_bytes[d] = there < free.device_bytes[d] ? there : free.device_bytes[d];
    }
    return free;
}

// What there would be if nothing else ran.
static struct placement_room room_alone(const struct batch_engine *e)
{
    struct placement_room room = e->room;
    uint64_t disk;
    if (path_free_bytes(e->batch->queue->directory, &disk) == STATUS_OK)
        room.disk_bytes = (double)disk;
    else
        status_clear();
    for (size_t k = 0; k < e->attempt_count; k++)
        if (e->batch->runs[e->attempts[k].run].state == BATCH_RUNNING)
            room.disk_bytes += e->batch->runs[e->attempts[k].run].needs.disk_bytes;
    return room;
}

// The device that a new process is to see: the one with fewest. −1: it sees what the batch sees.
int batch_engine_choose_device(const struct batch_engine *e, const struct batch_job *job)
{
    size_t users[PLACEMENT_DEVICES_MAX] = {0};
    int chosen = 0;
    if (e->room.device_count < 2 || batch_attempt_named_device(job) >= 0)
        return -1;
    for (size_t k = 0; k < e->attempt_count; k++)
        if (e->attempts[k].needs.device >= 0)
            users[e->attempts[k].needs.device]++;
    for (int d = 1; d < e->room.device_count; d++)
        if (users[d] < users[chosen])
            chosen = d;
    return chosen;
}

// ---- placing

static void go(struct batch_engine *e, struct batch_attempt *attempt, const struct placement *place)
{
    struct batch_run *run = &e->batch->runs[attempt->run];
    char text[32];
    run->attempts++;
    run->finding_known = false;
    run->begun_s = clock_now_s();
    run->cores = place->cores;
    run->device = place->device;
    run->state = BATCH_RUNNING;
    run->has_leftover = true;
    attempt->is_begun = true;
    e->waiting--;
    attempt->limit_at_s = batch_engine_limit_at_s(e, attempt->run);
    const enum status status = batch_books_started(e->batch, attempt->run);
    if (status != STATUS_OK) {
        batch_engine_fail(e, status);
        return;
    }
    snprintf(text, sizeof text, "go %d", place->cores);
    batch_child_send(&attempt->child, text);
}

// It can never be placed: said now, while others run.
static bool refuse_impossible(struct batch_engine *e, struct batch_attempt *attempt)
{
    struct batch_run *run = &e->batch->runs[attempt->run];
    const struct placement_room room = room_alone(e);
    char why[256];
    if (placement_is_possible(&room, &attempt->needs, why, sizeof why))
        return false;
    snprintf(run->message, sizeof run->message, "%s", why);
    batch_engine_ask_to_end(attempt, BATCH_CAUSE_ROOM, clock_now_s());
    return true;
}

// Its plan is there: what placement has to know beside it.
void batch_engine_take_plan(struct batch_engine *e, struct batch_attempt *attempt, int visible_device)
{
    const struct batch_job *job = batch_engine_job(e, attempt->run);
    struct placement_job *needs = &attempt->needs;
    const int named = needs->takes_device ? batch_attempt_named_device(job) : -1;
    needs->priority = job->priority;
    needs->cores = job->cores < e->room.cores ? job->cores : e->room.cores; // more than there are: all
    if (strcmp(e->batch->runs[attempt->run].needs.backend, "reference") == 0)
        needs->cores = 1;
    needs->device = !needs->takes_device ? -1 : visible_device >= 0 ? visible_device : named >= 0 ? named : 0;
    attempt->limit_at_s = INFINITY; // it waits; its time begins when it may go
    (void)refuse_impossible(e, attempt);
}

// Nothing runs, and yet none has room: processes that only wait take some of it. All but the first give it
// back.
static void make_room(struct batch_engine *e, const size_t *which, size_t count)
{
    size_t first = which[0];
    for (size_t k = 1; k < count; k++)
        if (batch_engine_is_before(e, e->attempts[which[k]].run, e->attempts[first].run))
            first = which[k];
    if (refuse_impossible(e, &e->attempts[first]))
        return;
    for (size_t k = 0; k < count; k++)
        if (which[k] != first) {
            e->attempts[which[k]].is_sent_back = true;
            batch_engine_ask_to_end(&e->attempts[which[k]], BATCH_CAUSE_STOP, clock_now_s());
        }
}

// A run that is being planned, with a higher priority, could have the place: what is planned before it waits
// for it. Planning is short; one that hangs holds nobody back for long.
static bool is_held_back(const struct batch_engine *e, size_t planned)
{
    const double since_s = clock_now_s() - held_back_s;
    for (size_t k = 0; k < e->attempt_count; k++) {
        const struct batch_run *run = &e->batch->runs[e->attempts[k].run];
        if (run->state == BATCH_PLANNING && e->attempts[k].asked == BATCH_CAUSE_NONE &&
            run->begun_s > since_s &&
            batch_engine_job(e, e->attempts[k].run)->priority > batch_engine_job(e, planned)->priority)
            return true;
    }
    return false;
}

static size_t gather_planned(const struct batch_engine *e, struct placement_job jobs[BATCH_AHEAD_MOST],
                             size_t which[BATCH_AHEAD_MOST])
{
    size_t count = 0;
    for (size_t k = 0; k < e->attempt_count && count < BATCH_AHEAD_MOST; k++)
        if (e->batch->runs[e->attempts[k].run].state == BATCH_PLANNED &&
            e->attempts[k].asked == BATCH_CAUSE_NONE && !is_held_back(e, e->attempts[k].run))
            which[count++] = k;
    for (size_t k = 1; k < count; k++) // by number, as placement wants them
        for (size_t j = k; j > 0 && e->attempts[which[j]].run < e->attempts[which[j - 1]].run; j--) {
            const size_t swapped = which[j];
            which[j] = which[j - 1];
            which[j - 1] = swapped;
        }
    for (size_t k = 0; k < count; k++)
        jobs[k] = e->attempts[which[k]].needs;
    return count;
}

void batch_engine_place(struct batch_engine *e)
{
    struct placement_job jobs[BATCH_AHEAD_MOST];
    size_t which[BATCH_AHEAD_MOST];
    struct placement placement;
    while (!e->is_stopping) {
        const size_t count = gather_planned(e, jobs, which);
        if (count == 0)
            return;
        const struct placement_room free = batch_engine_room_left(e);
        const bool is_placed = placement_next(&free, jobs, count, e->waiting, &placement);
        for (size_t k = 0; k < count; k++)
            e->attempts[which[k]].needs.passes = jobs[k].passes;
        if (is_placed) {
            go(e, &e->attempts[which[placement.job]], &placement);
            continue;
        }
        if (batch_engine_count(e, BATCH_RUNNING) + batch_engine_count(e, BATCH_DRAWING) == 0)
            make_room(e, which, count);
        return;
    }
}
