// Tables of scenarios (CSV), which a queue of jobs names.
#include "batch/scenarios.h"
#include "batch/queue_file.h"

#include "tests/fuzz/support/fuzz.h"

#include <math.h>
#include <string.h>

static void check_runs(const struct batch_queue *queue)
{
    double sum = 0;
    for (size_t k = 0; k < queue->count; k++) {
        const struct batch_job *job = &queue->jobs[k];
        FUZZ_EXPECT(job->weight > 0 && job->weight <= 1, "run %zu has the weight %g", k, job->weight);
        FUZZ_EXPECT(strncmp(job->name, "set-", 4) == 0 && strlen(job->name) <= BATCH_NAME_MAX,
                    "run %zu is named \"%s\"", k, job->name);
        FUZZ_EXPECT(job->varied_count >= 1 && job->varied_count == job->setting_count,
                    "run %zu has %zu of %zu settings varied", k, job->varied_count, job->setting_count);
        for (size_t s = 0; s < job->setting_count; s++)
            FUZZ_EXPECT(job->settings[s].value[0] != '\0', "run %zu has a setting without a value", k);
        sum += job->weight;
    }
    FUZZ_EXPECT(fabs(sum - 1) <= 2 * BATCH_WEIGHTS_TOLERANCE, "the weights have a sum of %g", sum);
}

FUZZ_HARNESS(scenarios)
{
    static const char job[] = "{\"fathom\": 1, \"model\": \"ising\"}";
    static const char text[] = "{\"fathom_batch\": 1, \"jobs\": [{\"name\": \"set\", \"job\": \"job.json\", "
                               "\"scenarios\": \"table.csv\"}]}";
    struct batch_queue queue = {0};
    fuzz_write("job.json", job, sizeof job - 1);
    fuzz_write("table.csv", data, size);
    const char *path = fuzz_write("queue.json", text, sizeof text - 1);
    if (fuzz_ok(batch_queue_read(path, &queue)))
        check_runs(&queue);
    else
        FUZZ_EXPECT(queue.count == 0, "something is left of a queue that was refused");
    batch_queue_free(&queue);
    fuzz_files_closed();
    return 0;
}
