// Needs of a run as JSON (see the header).
#include "batch/needs.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

static const double largest = 0x1p62; // so that the casts below are defined for any document

void batch_needs_add_devices(cJSON *object, unsigned devices)
{
    if (devices == 0)
        return;
    cJSON *list = cJSON_AddArrayToObject(object, "devices");
    for (int d = 0; devices >> d != 0; d++)
        if (devices >> d & 1)
            cJSON_AddItemToArray(list, cJSON_CreateNumber(d));
}

void batch_needs_add_amounts(cJSON *object, const struct batch_needs *needs)
{
    cJSON_AddNumberToObject(object, "steps", (double)needs->steps);
    cJSON_AddNumberToObject(object, "host_bytes", (double)needs->host_bytes);
    cJSON_AddNumberToObject(object, "device_bytes", (double)needs->device_bytes);
    cJSON_AddNumberToObject(object, "disk_bytes", needs->disk_bytes);
    cJSON_AddNumberToObject(object, "results_bytes", needs->results_bytes);
    cJSON_AddNumberToObject(object, "estimated_s", needs->estimated_s);
}

void batch_needs_add(cJSON *object, const struct batch_needs *needs)
{
    cJSON_AddStringToObject(object, "model", needs->model);
    cJSON_AddStringToObject(object, "backend", needs->backend);
    cJSON_AddStringToObject(object, "title", needs->title);
    batch_needs_add_amounts(object, needs);
}

double batch_needs_number(const cJSON *object, const char *key)
{
    const double number = json_number(object, key);
    return isnan(number) ? 0 : number;
}

static double amount(const cJSON *object, const char *key)
{
    return fmin(fmax(batch_needs_number(object, key), 0), largest);
}

void batch_needs_read(const cJSON *object, struct batch_needs *needs)
{
    *needs = (struct batch_needs){.host_bytes = (size_t)amount(object, "host_bytes"),
                                  .device_bytes = (size_t)amount(object, "device_bytes"),
                                  .disk_bytes = amount(object, "disk_bytes"),
                                  .results_bytes = amount(object, "results_bytes"),
                                  .estimated_s = amount(object, "estimated_s"),
                                  .steps = (int64_t)amount(object, "steps")};
    snprintf(needs->model, sizeof needs->model, "%s", json_text(object, "model"));
    snprintf(needs->backend, sizeof needs->backend, "%s", json_text(object, "backend"));
    snprintf(needs->title, sizeof needs->title, "%s", json_text(object, "title"));
}
