// The weights of an entry's runs (see the header).
#include "batch/weights.h"

#include "batch/figures.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>

bool batch_weights_given(const struct batch *batch, size_t first)
{
    return batch->queue->jobs[first].weight > 0;
}

bool batch_weights_differ(const struct batch *batch, size_t first, size_t last)
{
    const struct batch_job *jobs = batch->queue->jobs;
    for (size_t k = first + 1; k < last; k++)
        if (jobs[k].weight != jobs[first].weight)
            return true;
    return false;
}

bool batch_weights_is_member(const struct batch *batch, size_t run)
{
    struct batch_figures figures;
    if (batch->runs[run].state != BATCH_FAILED)
        return batch->runs[run].state == BATCH_PASSED;
    batch_figures_read_ended(batch, run, &figures); // one that failed its check has results
    return figures.is_known;
}

struct batch_weights batch_weights_of(const struct batch *batch, size_t first, size_t last)
{
    struct batch_weights weights = {0};
    for (size_t k = first; k < last; k++) {
        const bool is_member = batch_weights_is_member(batch, k);
        weights.members += is_member;
        weights.failed += !is_member && batch->runs[k].state == BATCH_FAILED;
        weights.members_sum += is_member ? batch->queue->jobs[k].weight : 0;
    }
    return weights;
}

struct cJSON *batch_weights_make(const struct batch *batch, size_t first, size_t last)
{
    if (!batch_weights_given(batch, first))
        return NULL;
    const struct batch_weights weights = batch_weights_of(batch, first, last);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "members", (double)weights.members);
    cJSON_AddNumberToObject(object, "members_sum", weights.members_sum);
    cJSON *list = cJSON_AddArrayToObject(object, "left_out");
    for (size_t k = first; k < last; k++) {
        char text[BATCH_MESSAGE_BYTES + 128];
        if (batch->runs[k].state != BATCH_FAILED || batch_weights_is_member(batch, k))
            continue;
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "name", batch->queue->jobs[k].name);
        cJSON_AddNumberToObject(item, "weight", batch->queue->jobs[k].weight);
        cJSON_AddStringToObject(item, "reason", batch_describe(batch, k, text, sizeof text));
    }
    return object;
}
