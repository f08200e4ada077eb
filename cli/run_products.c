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

enum status run_products_list(const struct session *s, cJSON **names)
{
    char directory[PATH_BYTES];
    *names = cJSON_CreateArray();
    CHECK(output_final_directory(s->directory, directory));
    return s->model->list_products(s->instance, directory, *names);
}

// Enters the products, and the verdict, in run.json. A failure stays in it until a resumed run succeeds.
static void enter(cJSON *report, cJSON *names, enum status written, bool is_failed_before)
{
    const cJSON *check = json_member(json_member(report, output_finished_pending), "check");
    cJSON *now = cJSON_Duplicate(check, 1);
    if (written != STATUS_OK && !is_failed_before) {
        cJSON_ReplaceItemInObject(now, "verdict", cJSON_CreateString("failed"));
        cJSON_ReplaceItemInObject(now, "exit_code", cJSON_CreateNumber(status_exit_code(written)));
        cJSON_DeleteItemFromObject(now, "message");
        cJSON_AddStringToObject(now, "message", status_message());
    }
    cJSON_ReplaceItemInArray(cJSON_GetObjectItem(report, "checks"), 0, now);
    cJSON_ReplaceItemInObject(report, "products", names);
    if (written == STATUS_OK)
        cJSON_DeleteItemFromObject(report, output_finished_pending);
    if (log_warning_kept() > (size_t)cJSON_GetArraySize(json_member(report, "warnings")))
        run_report_set_warnings(report);
}

enum status run_products_write(struct session *s, enum status *verdict)
{
    char path[PATH_BYTES + 16];
    cJSON *report, *names = cJSON_CreateArray();
    snprintf(path, sizeof path, "%s/run.json", s->directory);
    CHECK(json_file_read(path, OUTPUT_REPORT_BYTES_MAX, &report));
    const bool is_failed = *verdict != STATUS_OK;
    enum status written = s->model->write_products(s->instance, s->directory, report, names);
    log_info("products: %d files", cJSON_GetArraySize(names));
    if (written != STATUS_OK && !is_failed) {
        status_append(written,
                      "the netCDF results in %s are complete: with --resume the run makes its "
                      "products of them",
                      s->directory);
        *verdict = written;
    }
    enter(report, names, written, is_failed);
    const enum status status = json_file_write(path, report);
    cJSON_Delete(report);
    return status;
}
