// See describe_record.h.
#include "models/describe_record.h"

#include <math.h>

cJSON *describe_number(double value)
{
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

void describe_record(const struct stream *stream, cJSON *parent, const char *name, const double *values,
                     double time)
{
    cJSON *object = cJSON_AddObjectToObject(parent, name);
    cJSON_AddNumberToObject(object, "time", time);
    for (int v = 0; v < stream->variable_count; v++) {
        const struct stream_variable *variable = &stream->variables[v];
        const size_t length = stream_variable_length(stream, variable);
        if (variable->rank == 0)
            cJSON_AddItemToObject(object, variable->name, describe_number(*values));
        else {
            cJSON *list = cJSON_AddArrayToObject(object, variable->name);
            for (size_t k = 0; k < length; k++)
                cJSON_AddItemToArray(list, describe_number(values[k]));
        }
        values += length;
    }
}

void describe_stages(cJSON *report, int64_t steps, const char *const *names, const double *seconds, int count)
{
    if (steps == 0)
        return;
    cJSON *object = cJSON_AddObjectToObject(report, "phases");
    cJSON_AddNumberToObject(object, "timed_steps", (double)steps);
    for (int stage = 0; stage < count; stage++)
        cJSON_AddNumberToObject(object, names[stage], seconds[stage]);
}
