// core/placement: what must hold whatever the jobs are, by hand and in simulated nights to their end.
#include "tests/support/test.h"

#include "batch/placement.h"

#include "core/philox.h"

static const struct placement_resources machine = {.cores = 8,
                                                   .jobs = 8,
                                                   .host_bytes = 1000,
                                                   .disk_bytes = 1000,
                                                   .device_count = 2,
                                                   .device_bytes = {100, 200}};

static struct placement_job small_job(void)
{
    return (struct placement_job){.host_bytes = 10, .disk_bytes = 10, .device = -1};
}

// ---- by hand

TEST(test_priority_then_number)
{
    struct placement_job jobs[4] = {small_job(), small_job(), small_job(), small_job()};
    struct placement place;
    jobs[1].priority = jobs[2].priority = 5;
    jobs[3].priority = -1;
    assert_true(placement_next(&machine, jobs, 4, 4, &place));
    assert_int_equal(place.job, 1);
    assert_int_equal(place.device, -1);
    assert_int_equal(jobs[1].times_overtaken + jobs[2].times_overtaken + jobs[0].times_overtaken +
                         jobs[3].times_overtaken,
                     0);
    jobs[1].host_bytes = jobs[2].host_bytes = 2000; // too large now
    assert_true(placement_next(&machine, jobs, 4, 4, &place));
    assert_int_equal(place.job, 0);
    assert_int_equal(jobs[1].times_overtaken, 1);
    assert_int_equal(jobs[2].times_overtaken, 1);
    assert_int_equal(jobs[3].times_overtaken, 0);
    assert_false(placement_next(&machine, jobs, 0, 4, &place));
}

// Three ranks on the host: a core for each at least, a multiple of three of the free ones otherwise.
TEST(test_ranks_take_cores)
{
    struct placement_job job = small_job();
    struct placement_resources less = machine;
    struct placement place;
    char why[128];
    job.ranks = 3;
    assert_true(placement_next(&machine, &job, 1, 1, &place));
    assert_int_equal(place.cores, 6); // of 8
    assert_true(placement_next(&machine, &job, 1, 4, &place));
    assert_int_equal(place.cores, 3); // a share is 2
    assert_true(place.device == -1 && place.devices == 0);
    job.cores = 4;
    assert_true(placement_next(&machine, &job, 1, 1, &place));
    assert_int_equal(place.cores, 4);
    job.cores = 0;
    less.cores = 2;
    assert_false(placement_next(&less, &job, 1, 1, &place));
    assert_false(placement_is_possible(&less, &job, why, sizeof why));
    assert_string_equal(why, "needs 3 cores, one for each rank, the batch may use 2");
}

// Two ranks with a device each: both devices need the memory of a rank.
TEST(test_ranks_take_devices)
{
    struct placement_job job = small_job();
    struct placement_resources less = machine;
    struct placement place;
    char why[128];
    job.ranks = 2;
    job.takes_device = true;
    job.devices = 1u << 0 | 1u << 1;
    job.device_bytes = 100;
    assert_true(placement_next(&machine, &job, 1, 1, &place));
    assert_int_equal(place.device, 0);
    assert_int_equal(place.devices, 3);
    assert_int_equal(place.cores, 2);
    less.device_bytes[0] = 99; // the other has 200
    assert_false(placement_next(&less, &job, 1, 1, &place));
    assert_false(placement_is_possible(&less, &job, why, sizeof why));
    assert_non_null(strstr(why, "of device memory, 1 B more than the 99 B"));
    less = machine;
    less.device_count = 1;
    job.devices = 0; // there are not so many
    assert_false(placement_next(&less, &job, 1, 1, &place));
    assert_false(placement_is_possible(&less, &job, why, sizeof why));
    assert_string_equal(why, "needs 2 devices, one for each rank, but the batch has 1");
}

TEST(test_every_kind_of_room_counts)
{
    struct placement_job job = {.cores = 8,
                                .host_bytes = 1000,
                                .disk_bytes = 1000,
                                .device_bytes = 200,
                                .device = -1,
                                .takes_device = true};
    struct placement place;
    assert_true(placement_next(&machine, &job, 1, 1, &place));
    assert_int_equal(place.cores, 8);
    assert_int_equal(place.device, 1);
    struct placement_resources less[6];
    for (int k = 0; k < 6; k++)
        less[k] = machine;
    less[0].cores--;
    less[1].jobs = 0;
    less[2].host_bytes--;
    less[3].disk_bytes--;
    less[4].device_bytes[1]--;
    less[5].device_count = 1;
    for (int k = 0; k < 6; k++)
        assert_false(placement_next(&less[k], &job, 1, 1, &place));
    job.device = 0; // planned for the smaller one
    assert_false(placement_next(&machine, &job, 1, 1, &place));
    assert_int_equal(job.times_overtaken, 0); // nothing passed it
}

TEST(test_share_of_cores)
{
    struct placement_job job = small_job();
    struct placement place;
    const struct {
        size_t waiting;
        int cores;
    } cases[] = {{1, 8}, {2, 4}, {3, 2}, {5, 1}, {8, 1}, {1000, 1}, {0, 8}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(placement_next(&machine, &job, 1, cases[k].waiting, &place));
        assert_int_equal(place.cores, cases[k].cores);
    }
    job.cores = 3;
    assert_true(placement_next(&machine, &job, 1, 1, &place));
    assert_int_equal(place.cores, 3);
    job.cores = 0;
    job.takes_device = true; // the device does the work
    assert_true(placement_next(&machine, &job, 1, 1, &place));
    assert_int_equal(place.cores, 1);
}

// The one with most room is taken, and one that needs hardly any memory still has to have a device.
TEST(test_devices)
{
    struct placement_job job = small_job();
    struct placement place;
    struct placement_resources room = machine;
    job.takes_device = true;
    assert_true(placement_next(&room, &job, 1, 1, &place));
    assert_int_equal(place.device, 1);
    room.device_bytes[1] = 50;
    assert_true(placement_next(&room, &job, 1, 1, &place));
    assert_int_equal(place.device, 0);
    room.device_count = 0;
    assert_false(placement_next(&room, &job, 1, 1, &place));
}

TEST(test_passed_often_enough)
{
    struct placement_job jobs[2] = {small_job(), small_job()};
    struct placement_resources room = machine;
    struct placement place;
    jobs[0].cores = 8;
    room.cores = 4;
    for (int k = 0; k < PLACEMENT_PASSES; k++) {
        assert_true(placement_next(&room, jobs, 2, 2, &place));
        assert_int_equal(place.job, 1);
    }
    assert_false(placement_next(&room, jobs, 2, 2, &place)); // now it waits for the large one
    jobs[1].priority = 1;                                    // but what comes before the large one does not
    assert_true(placement_next(&room, jobs, 2, 2, &place));
    assert_int_equal(place.job, 1);
    room.cores = 8;
    jobs[1].priority = 0;
    assert_true(placement_next(&room, jobs, 2, 2, &place));
    assert_int_equal(place.job, 0);
}

TEST(test_impossible)
{
    struct placement_job job = {.cores = 8,
                                .host_bytes = 1000,
                                .disk_bytes = 1000,
                                .device_bytes = 200,
                                .device = -1,
                                .takes_device = true};
    char why[256];
    assert_true(placement_is_possible(&machine, &job, why, sizeof why));
    const struct {
        struct placement_job job;
        const char *word;
    } cases[] = {{{.cores = 9, .device = -1}, "needs 9 cores, the batch may use 8"},
                 {{.host_bytes = 1001, .device = -1}, "main memory"},
                 {{.disk_bytes = 1000.5, .device = -1}, "disk space"},
                 {{.device_bytes = 201, .takes_device = true, .device = -1}, "device memory"},
                 {{.device_bytes = 101, .takes_device = true, .device = 0}, "device memory"},
                 {{.device_bytes = 1, .takes_device = true, .device = 2},
                  "needs device number 2 (counted from 0), but the batch has only 2 devices"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_false(placement_is_possible(&machine, &cases[k].job, why, sizeof why));
        assert_non_null(strstr(why, cases[k].word));
    }
    const struct placement_resources gigabytes = {.cores = 1, .host_bytes = 2000000000, .disk_bytes = 1e9};
    const struct placement_job large = {.host_bytes = 3200000000, .device = -1},
                               hardly = {.host_bytes = 2000000001, .device = -1};
    assert_false(placement_is_possible(&gigabytes, &large, why, sizeof why));
    assert_string_equal(why, "needs 3.2 GB of main memory, 1.2 GB more than the 2 GB that the batch may use");
    assert_false(placement_is_possible(&gigabytes, &hardly, why, sizeof why));
    assert_string_equal(why, "needs 2 GB of main memory, 1 B more than the 2 GB that the batch may use");
}

// ---- simulated nights

enum { BATCH_JOBS = 120, BATCHES = 60 };

struct batch {
    struct placement_resources free;
    struct placement_job jobs[BATCH_JOBS];
    size_t number[BATCH_JOBS], waiting; // of the jobs that wait, in their order
    struct {
        size_t number;
        struct placement place;
        int left;
    } running[BATCH_JOBS];
    size_t running_count;
    struct placement_job all[BATCH_JOBS];
    int passed_by_lower[BATCH_JOBS], starts[BATCH_JOBS];
    uint32_t seed, drawn;
};

static uint32_t draw(struct batch *batch, uint32_t below)
{
    const struct philox_counter counter = philox_counter_from(batch->drawn++, 0);
    return philox4x32(counter, philox_key_from_seed(batch->seed)).v[0] % below;
}

static void make_batch(struct batch *batch, uint32_t seed)
{
    *batch = (struct batch){.free = machine, .waiting = BATCH_JOBS, .seed = seed};
    for (size_t k = 0; k < BATCH_JOBS; k++) {
        struct placement_job *job = &batch->jobs[k];
        const bool is_large = draw(batch, 10) == 0;
        *job = (struct placement_job){.priority = (int)draw(batch, 3),
                                      .cores = (int)draw(batch, is_large ? 9 : 3),
                                      .host_bytes = draw(batch, is_large ? 1001 : 200),
                                      .disk_bytes = draw(batch, is_large ? 1001 : 200),
                                      .takes_device = draw(batch, 3) == 0,
                                      .device = -1};
        job->device_bytes = job->takes_device ? draw(batch, 101) : 0;
        job->device = job->takes_device ? (int)draw(batch, 3) - 1 : -1;
        batch->number[k] = k;
        batch->all[k] = *job;
    }
}

static void take_room(struct placement_resources *free, const struct placement_job *job,
                      const struct placement *place)
{
    free->cores -= place->cores;
    free->jobs--;
    assert_true(free->cores >= 0 && free->jobs >= 0);
    assert_true(job->host_bytes <= free->host_bytes && job->disk_bytes <= free->disk_bytes);
    free->host_bytes -= job->host_bytes;
    free->disk_bytes -= job->disk_bytes;
    assert_int_equal(place->device >= 0, job->takes_device);
    if (place->device < 0)
        return;
    assert_true(place->device < free->device_count && (job->device < 0 || job->device == place->device));
    assert_true(job->device_bytes <= free->device_bytes[place->device]);
    free->device_bytes[place->device] -= job->device_bytes;
}

static void give_room(struct placement_resources *free, const struct placement_job *job,
                      const struct placement *place)
{
    free->cores += place->cores;
    free->jobs++;
    free->host_bytes += job->host_bytes;
    free->disk_bytes += job->disk_bytes;
    if (place->device >= 0)
        free->device_bytes[place->device] += job->device_bytes;
}

static bool comes_before(const struct batch *batch, size_t a, size_t b)
{
    return batch->all[a].priority > batch->all[b].priority ||
           (batch->all[a].priority == batch->all[b].priority && a < b);
}

static void start(struct batch *batch, const struct placement *place)
{
    const size_t number = batch->number[place->job];
    take_room(&batch->free, &batch->all[number], place);
    if (batch->all[number].cores > 0)
        assert_int_equal(place->cores, batch->all[number].cores);
    for (size_t k = 0; k < batch->waiting; k++)
        if (comes_before(batch, batch->number[k], number))
            assert_true(++batch->passed_by_lower[batch->number[k]] <= PLACEMENT_PASSES);
    batch->starts[number]++;
    batch->running[batch->running_count].number = number;
    batch->running[batch->running_count].place = *place;
    batch->running[batch->running_count++].left = 1 + (int)draw(batch, 5);
    batch->waiting--;
    for (size_t k = place->job; k < batch->waiting; k++) {
        batch->number[k] = batch->number[k + 1];
        batch->jobs[k] = batch->jobs[k + 1];
    }
}

static void pass_time(struct batch *batch)
{
    for (size_t k = 0; k < batch->running_count;) {
        if (--batch->running[k].left > 0) {
            k++;
            continue;
        }
        give_room(&batch->free, &batch->all[batch->running[k].number], &batch->running[k].place);
        batch->running[k] = batch->running[--batch->running_count];
    }
}

// Every job that is possible is begun once, in the end; room is never over-used; nothing is passed more often
// than allowed; and an empty machine always takes one.
TEST(test_nights)
{
    static struct batch batch;
    char why[256];
    for (uint32_t seed = 1; seed <= BATCHES; seed++) {
        make_batch(&batch, seed);
        for (size_t k = 0; k < BATCH_JOBS; k++)
            assert_true(placement_is_possible(&machine, &batch.all[k], why, sizeof why));
        while (batch.waiting > 0 || batch.running_count > 0) {
            struct placement place;
            const size_t before = batch.waiting;
            while (placement_next(&batch.free, batch.jobs, batch.waiting, batch.waiting, &place))
                start(&batch, &place);
            assert_true(batch.running_count > 0 || batch.waiting < before);
            pass_time(&batch);
        }
        assert_memory_equal(&batch.free, &machine, sizeof machine);
        for (size_t k = 0; k < BATCH_JOBS; k++)
            assert_int_equal(batch.starts[k], 1);
    }
}
