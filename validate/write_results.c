// The results of a validation as JSON and as JUnit XML (see write_results.h).
#include "validate/write_results.h"

#include "io/utf8.h"
#include "io/whole_file.h"
#include "io/xml.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

// ---- JSON

// cJSON itself writes null for non-finite numbers.
static void add_result(cJSON *results, const struct validation_result *r)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "quantity", r->quantity);
    cJSON_AddStringToObject(object, "unit", r->unit);
    cJSON_AddStringToObject(object, "kind", validation_kind_name(r->kind));
    cJSON_AddNumberToObject(object, "computed", r->computed);
    cJSON_AddNumberToObject(object, "reference", r->reference);
    cJSON_AddNumberToObject(object, "error", r->error);
    cJSON_AddNumberToObject(object, "tolerance", r->tolerance);
    cJSON_AddStringToObject(object, "verdict", validation_verdict_name(r->verdict));
    cJSON_AddStringToObject(object, "reason", r->reason);
    cJSON_AddStringToObject(object, "source", r->source);
    cJSON_AddStringToObject(object, "tolerance_source", r->tolerance_source);
    cJSON_AddItemToArray(results, object);
}

static void add_case(cJSON *cases, const struct validation_item *item)
{
    const struct validation_record *record = item->record;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "suite", item->suite->name);
    cJSON_AddStringToObject(object, "case", item->validation_case->name);
    cJSON_AddStringToObject(object, "summary", item->validation_case->summary);
    cJSON_AddStringToObject(object, "source", item->validation_case->source);
    cJSON_AddStringToObject(object, "verdict", validation_verdict_name(record->verdict));
    cJSON_AddStringToObject(object, "reason", record->reason);
    cJSON_AddStringToObject(object, "note", record->note);
    cJSON_AddNumberToObject(object, "seconds", record->seconds);
    cJSON *results = cJSON_AddArrayToObject(object, "results");
    for (int k = 0; k < record->result_count; k++)
        add_result(results, &record->results[k]);
    cJSON_AddItemToArray(cases, object);
}

enum status validation_write_json(FILE *stream, const struct validation_list *list, const char *program)
{
    const struct validation_totals totals = validation_totals(list);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "program", program);
    cJSON_AddNumberToObject(json, "passed", totals.passed);
    cJSON_AddNumberToObject(json, "failed", totals.failed);
    cJSON_AddNumberToObject(json, "skipped", totals.skipped);
    cJSON *cases = cJSON_AddArrayToObject(json, "cases");
    for (int k = 0; k < list->count; k++)
        if (list->items[k].record)
            add_case(cases, &list->items[k]);
    char *text = utf8_print_json(json);
    cJSON_Delete(json);
    if (!text)
        return FAIL(STATUS_SYSTEM, "not enough memory for the results as JSON");
    const bool is_written = fprintf(stream, "%s\n", text) > 0 && fflush(stream) == 0;
    cJSON_free(text);
    return is_written ? STATUS_OK : FAIL(STATUS_IO, "the results cannot be written: %s", strerror(errno));
}

// ---- JUnit

static bool counts_as_failed(const struct validation_record *record, bool is_required)
{
    return record->verdict == VALIDATION_FAILED ||
           (is_required &&
            (record->verdict == VALIDATION_SKIPPED || validation_count(record, VALIDATION_SKIPPED) > 0));
}

static void put_failure(FILE *file, const struct validation_record *record)
{
    const bool is_skipped = record->verdict != VALIDATION_FAILED;
    fputs("      <failure", file);
    xml_attribute(file, "message",
                  record->reason[0] ? record->reason
                  : is_skipped      ? "something was left out although all is required"
                                    : "a result is out of tolerance");
    xml_attribute(file, "type", is_skipped ? "skipped" : "tolerance");
    fputc('>', file);
    for (int k = 0; k < record->result_count; k++) {
        const struct validation_result *r = &record->results[k];
        char line[2 * VALIDATION_TEXT_BYTES];
        if (r->verdict == VALIDATION_PASSED || r->verdict == VALIDATION_SHOWN)
            continue;
        snprintf(line, sizeof line, "%s: computed %.9g %s, reference %.9g: %s\n", r->quantity, r->computed,
                 r->unit, r->reference, r->reason);
        xml_text(file, line);
    }
    fputs("</failure>\n", file);
}

static void put_case(FILE *file, const struct validation_item *item, bool is_required)
{
    const struct validation_record *record = item->record;
    fputs("    <testcase", file);
    xml_attribute(file, "classname", item->suite->name);
    xml_attribute(file, "name", item->validation_case->name);
    fprintf(file, " time=\"%.3f\">\n", record->seconds);
    if (counts_as_failed(record, is_required))
        put_failure(file, record);
    else if (record->verdict == VALIDATION_SKIPPED) {
        fputs("      <skipped", file);
        xml_attribute(file, "message", record->reason);
        fputs("/>\n", file);
    }
    fputs("    </testcase>\n", file);
}

static void put_suite(FILE *file, const struct validation_list *list, const struct validation_suite *suite,
                      bool is_required)
{
    int tests = 0, failures = 0, skipped = 0;
    double seconds = 0;
    for (int k = 0; k < list->count; k++) {
        const struct validation_record *record = list->items[k].record;
        if (list->items[k].suite != suite || !record)
            continue;
        tests++;
        seconds += record->seconds;
        if (counts_as_failed(record, is_required))
            failures++;
        else
            skipped += record->verdict == VALIDATION_SKIPPED;
    }
    if (tests == 0)
        return;
    fputs("  <testsuite", file);
    xml_attribute(file, "name", suite->name);
    fprintf(file, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\">\n", tests,
            failures, skipped, seconds);
    for (int k = 0; k < list->count; k++)
        if (list->items[k].suite == suite && list->items[k].record)
            put_case(file, &list->items[k], is_required);
    fputs("  </testsuite>\n", file);
}

enum status validation_write_junit(const char *path, const struct validation_list *list, bool is_required)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fathom validate\">\n", file.stream);
    for (int s = 0; s < validation_suite_count(); s++)
        put_suite(file.stream, list, validation_suite_at(s), is_required);
    fputs("</testsuites>\n", file.stream);
    return whole_file_end(&file, STATUS_OK);
}
