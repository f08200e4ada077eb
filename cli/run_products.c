// Products of a finished run: see run_products.h.
#include "cli/run_products.h"

#include "core/log.h"
#include "io/json_file.h"
#include "io/output/finished.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool run_products_are_wanted(const struct session *s)
{
    return s->model->write_products && s->plan.product_bytes > 0;
}

static bool is_input(const struct session *s, const char *name)
{
    char path[PATH_BYTES + 256], product[PATH_MAX], input[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    if (!realpath(path, product))
        return false;
    for (int k = 0; k < s->plan.input_count; k++)
        if (realpath(s->plan.input_files[k], input) && strcmp(input, product) == 0)
            return true;
    return false;
}

struct cJSON *run_products_of_earlier(const struct session *s)
{
    cJSON *report = output_finished_read(s->directory), *names = NULL;
    const bool is_run = report && strncmp(json_text(report, "program"), "Fathom ", 7) == 0;
    const cJSON *name, *list = is_run ? json_member(report, "products") : NULL;
    cJSON_ArrayForEach(name, list)
    {
        if (!cJSON_IsString(name) || !name->valuestring[0] || strchr(name->valuestring, '/') ||
            strlen(name->valuestring) > 200 || is_input(s, name->valuestring))
            continue;
        if (!names)
            names = cJSON_CreateArray();
        cJSON_AddItemToArray(names, cJSON_CreateString(name->valuestring));
    }
    cJSON_Delete(report);
    return names;
}

static bool holds(const cJSON *names, const char *wanted)
{
    const cJSON *name;
    cJSON_ArrayForEach(name, names)
    {
        if (strcmp(name->valuestring, wanted) == 0)
            return true;
    }
    return false;
}

// They belong to results that are no longer there.
static enum status remove_earlier(const struct session *s, const struct run_outcome *outcome)
{
    const cJSON *name;
    char path[PATH_BYTES + 256];
    cJSON_ArrayForEach(name, outcome->earlier_products)
    {
        snprintf(path, sizeof path, "%s/%s", s->directory, name->valuestring);
        if (!holds(outcome->products, name->valuestring))
            CHECK(path_remove(path));
    }
    return STATUS_OK;
}

enum status run_products_write(struct session *s, struct run_outcome *outcome, enum status verdict)
{
    outcome->products = cJSON_CreateArray();
    if (run_products_are_wanted(s)) {
        enum status status = s->model->write_products(s->instance, s->directory, outcome->products);
        log_info("products: %d files", cJSON_GetArraySize(outcome->products));
        if (status != STATUS_OK && verdict == STATUS_OK) {
            status_append(status,
                          "the netCDF results in %s are complete: fathom convert makes products of "
                          "them",
                          s->directory);
            outcome->exit_code = status_exit_code(status);
            outcome->verdict_message = status_message();
            verdict = status;
        }
    }
    const enum status removed = remove_earlier(s, outcome);
    return verdict != STATUS_OK ? verdict : removed;
}

void run_products_free(struct run_outcome *outcome)
{
    cJSON_Delete(outcome->products);
    cJSON_Delete(outcome->earlier_products);
}
