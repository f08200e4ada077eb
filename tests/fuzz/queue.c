// Queues of jobs are read and expanded to single runs, including sweeps and ensembles.
#include "batch/queue_file.h"

#include "tests/fuzz/support/fuzz.h"

#include <math.h>
#include <string.h>

static void check_job(const struct batch_queue *queue, size_t k)
{
    const struct batch_job *job = &queue->jobs[k];
    FUZZ_EXPECT(job->name[0] && strnlen(job->name, sizeof job->name) < sizeof job->name &&
                    !strchr(job->name, '/') && job->name[0] != '.',
                "run %zu is named \"%s\"", k, job->name);
    FUZZ_EXPECT(k == 0 || strcmp(job->name, queue->jobs[k - 1].name) != 0, "two runs are named %s",
                job->name);
    FUZZ_EXPECT(job->path[0] && job->varied_count <= job->setting_count,
                "run %zu has %zu of %zu settings varied", k, job->varied_count, job->setting_count);
    FUZZ_EXPECT(job->weight >= 0 && job->weight <= 1, "run %zu has the weight %g", k, job->weight);
    FUZZ_EXPECT(isfinite(job->time_limit_s) && job->time_limit_s >= 0 && job->retries >= 0 &&
                    job->retries <= BATCH_RETRIES_MAX && job->cores >= 0,
                "run %zu: %g s, %d retries, %d cores", k, job->time_limit_s, job->retries, job->cores);
}

FUZZ_HARNESS(queue)
{
    static const char job[] = "{\"fathom\": 1, \"model\": \"ising\"}";
    struct batch_queue queue = {0}, again = {0};
    fuzz_write("job.json", job, sizeof job - 1);
    const char *path = fuzz_write("queue.json", data, size);
    if (fuzz_ok(batch_queue_read(path, &queue))) {
        FUZZ_EXPECT(queue.count >= 1 && queue.count <= BATCH_JOBS_MAX, "%zu runs", queue.count);
        for (size_t k = 0; k < queue.count; k++)
            check_job(&queue, k);
        FUZZ_EXPECT(fuzz_ok(batch_queue_read(path, &again)) && again.count == queue.count &&
                        again.jobs[queue.count - 1].hash == queue.jobs[queue.count - 1].hash,
                    "another queue when it is read again");
    } else {
        FUZZ_EXPECT(queue.count == 0, "something is left of a queue that was refused");
    }
    batch_queue_free(&again);
    batch_queue_free(&queue);
    fuzz_files_closed();
    return 0;
}
