// See check.h.
#include "models/check.h"

#include "parallel/ranks.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

enum { TEXT_BYTES = 512 };

static void begin_record(struct instance *i)
{
    const struct check_operations *operations = i->check_operations;
    struct check_record *record = &i->check;
    snprintf(record->units, sizeof record->units, "%s", operations->units);
    record->places = operations->places;
    record->quantity_count = 0;
    for (int k = 0; k < CHECK_QUANTITIES_MAX && operations->quantities[k].name; k++) {
        struct check_quantity *q = &record->quantities[record->quantity_count++];
        const char *units = operations->quantities[k].units;
        snprintf(q->name, sizeof q->name, "%s", operations->quantities[k].name);
        snprintf(q->units, sizeof q->units, "%s", units ? units : operations->units_of(i, k));
        q->size = -1;
    }
}

enum status check_begin(void *context, int64_t step)
{
    struct instance *i = context;
    if (i->check.moments == 0)
        begin_record(i);
    CHECK(instance_fetch(i));
    i->check_begin_step = step;
    return i->check_operations->copy(i, step);
}

enum status check_end(void *context, int64_t step)
{
    struct instance *i = context;
    const struct check_operations *operations = i->check_operations;
    const int64_t steps = step - i->check_begin_step;
    CHECK(operations->repeat ? operations->repeat(i, i->check_begin_step, steps)
                             : i->reference_backend->advance(i->reference, i->check_begin_step, steps));
    CHECK(instance_fetch(i));
    const int64_t nodes = operations->compare(i, step);
    if (nodes < 0)
        return ranks_failed(i->ranks);
    i->check.nodes += nodes;
    i->check.moments++;
    i->check.steps += steps;
    return STATUS_OK;
}

struct check_quantity *check_difference(struct instance *instance, int quantity, int64_t step,
                                        struct check_pair pair)
{
    struct check_quantity *q = &instance->check.quantities[quantity];
    const double size = isnan(pair.size) ? INFINITY : pair.size;
    q->sum_squares += pair.difference * pair.difference;
    if (size <= q->size)
        return NULL;
    q->size = size;
    q->value = pair.value;
    q->reference = pair.reference;
    q->from_step = instance->check_begin_step;
    q->step = step;
    return q;
}

const struct check_quantity *check_worst(const struct check_record *record)
{
    const struct check_quantity *worst = &record->quantities[0];
    for (int64_t k = 1; k < record->quantity_count; k++)
        if (record->quantities[k].size > worst->size)
            worst = &record->quantities[k];
    return worst;
}

enum status check_verdict(struct instance *instance)
{
    const struct check_operations *operations = instance->check_operations;
    struct check_record *record = &instance->check;
    record->tolerance = instance->check_tolerance;
    if (record->moments == 0)
        return STATUS_OK;
    const struct check_quantity *q = check_worst(record);
    if (q->size <= record->tolerance)
        return STATUS_OK;
    char text[TEXT_BYTES];
    operations->complain(instance, q, text, sizeof text);
    return FAIL(STATUS_CHECK_FAILED,
                "the check against the reference failed: after %s %lld (repeated from %s %lld), %s",
                operations->step, (long long)q->step, operations->step, (long long)q->from_step, text);
}

void check_describe(const struct instance *instance, cJSON *report)
{
    const struct check_record *record = &instance->check;
    const struct check_operations *operations = instance->check_operations;
    if (record->moments == 0)
        return;
    cJSON *object = cJSON_AddObjectToObject(report, "reference_check");
    cJSON_AddNumberToObject(object, "steps", (double)record->moments);
    cJSON_AddNumberToObject(object, "largest_difference", check_worst(record)->size);
    cJSON_AddNumberToObject(object, "tolerance", instance->check_tolerance);
    cJSON_AddStringToObject(object, "judged_in", operations->judged_in);
}
