// Writes summary.json (format: docs/batch.md) and junit.xml of a batch (see the header).
#include "batch/summary.h"

#include "batch/figures.h"
#include "batch/needs.h"
#include "batch/percentiles.h"
#include "batch/restore.h"
#include "batch/totals.h"
#include "batch/weights.h"
#include "core/clock.h"
#include "io/json_file.h"
#include "io/whole_file.h"
#include "io/xml.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

enum { SUMMARY_FORMAT = 1, FILE_BYTES = PATH_BYTES + 64 };

// ---- summary.json

static void add_text(cJSON *object, const char *key, const char *text)
{
    char clean[PATH_BYTES];
    snprintf(clean, sizeof clean, "%.*s", PATH_BYTES - 1, text);
    cJSON_AddStringToObject(object, key, batch_clean_text(clean));
}

cJSON *batch_summary_settings(const struct batch_setting *settings, size_t count)
{
    cJSON *list = cJSON_CreateObject();
    for (size_t k = 0; k < count; k++) {
        cJSON *value = cJSON_Parse(settings[k].value);
        cJSON_AddItemToObject(list, settings[k].key, value ? value : cJSON_CreateString(settings[k].value));
    }
    return list;
}

static void add_settings(cJSON *object, const char *key, const struct batch_setting *settings, size_t count)
{
    cJSON_AddItemToObject(object, key, batch_summary_settings(settings, count));
}

static void add_needs(cJSON *object, const struct batch_needs *needs)
{
    if (!needs->model[0])
        return;
    add_text(object, "title", needs->title);
    cJSON_AddStringToObject(object, "model", needs->model);
    cJSON_AddStringToObject(object, "backend", needs->backend);
    batch_needs_add_amounts(cJSON_AddObjectToObject(object, "needs"), needs);
}

// Every run has the list, even if it is empty: a program that reads it needs no special case.
static void add_warnings(cJSON *object, const struct batch *batch, size_t number)
{
    cJSON *texts = batch_run_warnings(batch, number) > 0 ? batch_figures_warnings(batch, number) : NULL;
    cJSON_AddItemToObject(object, "warnings", texts ? texts : cJSON_CreateArray());
}

static void add_results(cJSON *object, const struct batch *batch, size_t number)
{
    struct batch_figures figures;
    batch_figures_read_ended(batch, number, &figures);
    if (!figures.is_known)
        return;
    // A program that reads "passed" as "safe" must not find it where a level is exceeded, or not judged.
    const bool is_open = figures.finding == BATCH_FINDING_OPEN && strcmp(figures.verdict, "passed") == 0;
    cJSON_AddStringToObject(object, "verdict",
                            batch_figures_exceed_only(&figures) ? "exceeded"
                            : is_open                           ? "not judged"
                                                                : figures.verdict);
    if (figures.finding != BATCH_FINDING_NONE) {
        cJSON_AddBoolToObject(object, "judged", figures.finding != BATCH_FINDING_OPEN);
        cJSON_AddBoolToObject(object, "exceeded", figures.finding == BATCH_FINDING_EXCEEDED);
        cJSON_AddStringToObject(object, "finding", figures.message);
    }
    cJSON *list = cJSON_AddObjectToObject(object, "figures");
    for (size_t k = 0; k < figures.count; k++)
        cJSON_AddNumberToObject(list, figures.figures[k].name, figures.figures[k].value);
}

static cJSON *make_run(const struct batch *batch, size_t number)
{
    const struct batch_run *run = &batch->runs[number];
    const struct batch_job *job = &batch->queue->jobs[number];
    char text[BATCH_MESSAGE_BYTES + 128], hash[17], entry[BATCH_NAME_MAX + 1];
    snprintf(hash, sizeof hash, "%016" PRIx64, job->hash);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", job->name);
    cJSON_AddStringToObject(object, "entry", batch_entry_name(job, entry));
    const bool is_done = run->state == BATCH_PASSED;
    cJSON_AddStringToObject(object, "state",
                            is_done && batch_run_exceeded(batch, number)   ? "exceeded"
                            : is_done && batch_run_unjudged(batch, number) ? "not judged"
                                                                           : batch_state_word(run->state));
    cJSON_AddStringToObject(object, "cause", batch_restore_cause_word(run->cause));
    cJSON_AddNumberToObject(object, "exit_code", run->exit_code);
    cJSON_AddNumberToObject(object, "signal", run->signal);
    cJSON_AddStringToObject(object, "message", batch_describe(batch, number, text, sizeof text));
    add_text(object, "job", job->path ? job->path : "");
    cJSON_AddStringToObject(object, "hash", hash);
    add_settings(object, "settings", job->settings, job->setting_count);
    add_settings(object, "varied", job->settings + job->setting_count - job->varied_count, job->varied_count);
    if (job->weight > 0)
        cJSON_AddNumberToObject(object, "weight", job->weight);
    cJSON_AddNumberToObject(object, "priority", job->priority);
    cJSON_AddNumberToObject(object, "attempts", run->attempts);
    cJSON_AddNumberToObject(object, "last_attempt_s", run->attempt_s);
    cJSON_AddNumberToObject(object, "wall_s", run->total_s);
    cJSON_AddNumberToObject(object, "cores", run->cores);
    if (run->device >= 0)
        cJSON_AddNumberToObject(object, "device", run->device);
    if (job->ranks > 1)
        cJSON_AddNumberToObject(object, "ranks", job->ranks);
    batch_needs_add_devices(object, run->devices);
    add_needs(object, &run->needs);
    cJSON_AddStringToObject(object, "folder", job->name);
    if (run->has_report) {
        snprintf(text, sizeof text, "%s/report.html", job->name);
        cJSON_AddStringToObject(object, "report", text);
    }
    add_warnings(object, batch, number);
    add_results(object, batch, number);
    return object;
}

static void add_machine(cJSON *summary)
{
    struct utsname name;
    cJSON *machine = cJSON_AddObjectToObject(summary, "machine");
    if (uname(&name) != 0)
        return;
    add_text(machine, "name", name.nodename);
    add_text(machine, "system", name.sysname);
    add_text(machine, "release", name.release);
    add_text(machine, "processor", name.machine);
}

static void add_totals(cJSON *summary, const struct batch *batch)
{
    const struct batch_totals t = batch_count(batch);
    double wall_s = 0, attempts = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        wall_s += batch->runs[k].total_s;
        attempts += batch->runs[k].attempts;
    }
    cJSON *totals = cJSON_AddObjectToObject(summary, "totals");
    cJSON_AddNumberToObject(totals, "runs", (double)t.runs);
    cJSON_AddNumberToObject(totals, "passed", (double)t.passed);
    cJSON_AddNumberToObject(totals, "failed", (double)t.failed);
    cJSON_AddNumberToObject(totals, "exceeded", (double)t.exceeded);
    cJSON_AddNumberToObject(totals, "not_judged", (double)t.unjudged);
    cJSON_AddNumberToObject(totals, "with_warnings", (double)t.warned);
    cJSON_AddNumberToObject(totals, "stopped", (double)t.stopped);
    cJSON_AddNumberToObject(totals, "running", (double)t.running);
    cJSON_AddNumberToObject(totals, "waiting", (double)t.waiting);
    cJSON_AddNumberToObject(totals, "attempts", attempts);
    cJSON_AddNumberToObject(totals, "wall_s", wall_s);
}

// Of each entry with several runs, once they have ended: percentiles over these runs; and at any time the
// weights of its members.
static void add_entries(cJSON *summary, const struct batch *batch)
{
    const struct batch_job *jobs = batch->queue->jobs;
    cJSON *list = cJSON_AddArrayToObject(summary, "entries");
    for (size_t first = 0, last; first < batch->queue->count; first = last) {
        char name[BATCH_NAME_MAX + 1];
        for (last = first + 1; last < batch->queue->count && jobs[last].entry == jobs[first].entry;)
            last++;
        cJSON *entry = last > first + 1 ? batch_percentiles_make(batch, first, last) : NULL,
              *weights = batch_weights_make(batch, first, last);
        if (!entry && !weights)
            continue;
        entry = entry ? entry : cJSON_CreateObject();
        if (weights)
            cJSON_AddItemToObject(entry, "weights", weights);
        batch_entry_name(&jobs[first], name);
        cJSON_AddStringToObject(entry, "name", name);
        cJSON_AddItemToArray(list, entry);
    }
}

static cJSON *make_summary(const struct batch *batch)
{
    const struct batch_totals t = batch_count(batch);
    char now[32] = "";
    const time_t seconds = time(NULL);
    struct tm utc;
    if (gmtime_r(&seconds, &utc))
        strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    cJSON *summary = cJSON_CreateObject();
    cJSON_AddNumberToObject(summary, "fathom_summary", SUMMARY_FORMAT);
    cJSON_AddStringToObject(summary, "program", "Fathom " FATHOM_VERSION);
    add_text(summary, "title", batch->queue->title ? batch->queue->title : "");
    add_text(summary, "queue", batch->queue->path ? batch->queue->path : "");
    add_text(summary, "output", batch->queue->directory);
    add_machine(summary);
    cJSON_AddStringToObject(summary, "begun_at", batch->started_at);
    cJSON_AddStringToObject(summary, "written_at", now);
    cJSON_AddNumberToObject(summary, "elapsed_s", batch->earlier_s + clock_now_s() - batch->started_s);
    cJSON_AddBoolToObject(summary, "resumed", batch->is_resumed);
    cJSON_AddBoolToObject(summary, "complete", t.finished == t.runs);
    cJSON_AddBoolToObject(summary, "passed", t.passed == t.runs);
    add_totals(summary, batch);
    cJSON *runs = cJSON_AddArrayToObject(summary, "runs");
    for (size_t k = 0; k < batch->queue->count; k++)
        cJSON_AddItemToArray(runs, make_run(batch, k));
    add_entries(summary, batch);
    return summary;
}

static enum status write_json(const struct batch *batch)
{
    char path[FILE_BYTES];
    snprintf(path, sizeof path, "%s/summary.json", batch->queue->directory);
    cJSON *summary = make_summary(batch);
    const enum status status = json_file_write(path, summary);
    cJSON_Delete(summary);
    return status;
}

// ---- junit.xml: a testsuite for each entry of the queue, a testcase for each run

// A run that crashed or was killed is an error in JUnit's sense; one that reported a failure is a failure.
static bool is_error(const struct batch_run *run)
{
    return run->cause == BATCH_CAUSE_SIGNAL || run->cause == BATCH_CAUSE_TIMEOUT;
}

static bool is_done(const struct batch_run *run)
{
    return run->state == BATCH_PASSED || run->state == BATCH_DRAWING;
}

// The child of a test case that gives the reason why it did not pass.
static void put_reason(FILE *file, const char *element, const char *message, const char *type)
{
    fprintf(file, "      <%s", element);
    xml_attribute(file, "message", message);
    xml_attribute(file, "type", type);
    fputc('>', file);
    xml_text(file, message);
    fprintf(file, "</%s>\n", element);
}

// Why the run was not judged, and its warnings: one text with a line for each. `finding` may be "".
static void put_output(FILE *file, const char *finding, const cJSON *warnings)
{
    const cJSON *item;
    const char *between = "";
    fputs("      <system-out>", file);
    if (finding[0]) {
        xml_text(file, finding);
        between = "\n";
    }
    cJSON_ArrayForEach(item, warnings)
    {
        fprintf(file, "%swarning: ", between);
        xml_text(file, item->valuestring);
        between = "\n";
    }
    fputs("</system-out>\n", file);
}

static void put_failure(FILE *file, const struct batch_run *run, const char *what)
{
    char type[48];
    if (run->cause == BATCH_CAUSE_EXIT)
        snprintf(type, sizeof type, "exit code %d", run->exit_code);
    else if (run->cause == BATCH_CAUSE_SIGNAL)
        snprintf(type, sizeof type, "signal %d", run->signal);
    else
        snprintf(type, sizeof type, "%s", batch_restore_cause_word(run->cause));
    put_reason(file, is_error(run) ? "error" : "failure", what, type);
}

// Programs that read junit.xml check failures only, so an exceeded rule counts as a failure, whatever the
// exit code. A run that was not judged, or has warnings, is no failure; its <system-out> gives the reason.
static void put_case(FILE *file, const struct batch *batch, size_t number, const char *suite)
{
    const struct batch_run *run = &batch->runs[number];
    const bool has_exceeded = is_done(run) && batch_run_exceeded(batch, number),
               is_unjudged = is_done(run) && batch_run_unjudged(batch, number);
    const size_t warnings = batch_run_warnings(batch, number);
    char what[BATCH_MESSAGE_BYTES + 128], finding[BATCH_FINDING_BYTES] = "";
    batch_describe(batch, number, what, sizeof what);
    fputs("    <testcase", file);
    xml_attribute(file, "classname", suite);
    xml_attribute(file, "name", batch->queue->jobs[number].name);
    fprintf(file, " time=\"%.3f\"", run->total_s);
    if (is_done(run) && !has_exceeded && !is_unjudged && warnings == 0) {
        fputs("/>\n", file);
        return;
    }
    fputs(">\n", file);
    if (has_exceeded) {
        put_reason(file, "failure", batch_finding_text(batch, number, finding), "EXCEEDED");
    } else if (run->state == BATCH_FAILED) {
        put_failure(file, run, what);
    } else if (!is_done(run)) {
        fputs("      <skipped", file);
        xml_attribute(file, "message", what[0] ? what : batch_state_word(run->state));
        fputs("/>\n", file);
    }
    if (is_unjudged || warnings > 0) {
        cJSON *texts = batch_figures_warnings(batch, number);
        put_output(file, is_unjudged ? batch_finding_text(batch, number, finding) : "", texts);
        cJSON_Delete(texts);
    }
    fputs("    </testcase>\n", file);
}

struct suite_totals {
    size_t tests, failures, errors, skipped;
    double seconds;
};

static void count_case(struct suite_totals *totals, const struct batch *batch, size_t number)
{
    const struct batch_run *run = &batch->runs[number];
    totals->tests++;
    totals->seconds += run->total_s;
    if (run->state == BATCH_FAILED)
        ++*(is_error(run) ? &totals->errors : &totals->failures);
    else if (!is_done(run))
        totals->skipped++;
    else
        totals->failures += batch_run_exceeded(batch, number);
}

// Attributes of both the list of suites and a suite; "skipped" is a suite's only.
static void put_totals(FILE *file, const struct suite_totals *totals)
{
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\"", totals->tests,
            totals->failures, totals->errors, totals->seconds);
}

// Runs first … last − 1 belong to one entry.
static void put_suite(FILE *file, const struct batch *batch, size_t first, size_t last)
{
    struct suite_totals totals = {0};
    char name[BATCH_NAME_MAX + 1], started[20];
    for (size_t k = first; k < last; k++)
        count_case(&totals, batch, k);
    batch_entry_name(&batch->queue->jobs[first], name);
    snprintf(started, sizeof started, "%.19s", batch->started_at); // to the second, as JUnit expects
    fputs("  <testsuite", file);
    xml_attribute(file, "name", name);
    put_totals(file, &totals);
    fprintf(file, " skipped=\"%zu\"", totals.skipped);
    xml_attribute(file, "timestamp", started);
    fputs(">\n", file);
    for (size_t k = first; k < last; k++)
        put_case(file, batch, k, name);
    fputs("  </testsuite>\n", file);
}

static void put_junit(FILE *file, const struct batch *batch)
{
    const struct batch_job *jobs = batch->queue->jobs;
    struct suite_totals totals = {0};
    for (size_t k = 0; k < batch->queue->count; k++)
        count_case(&totals, batch, k);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", file);
    char title[PATH_BYTES];
    snprintf(title, sizeof title, "%.*s", PATH_BYTES - 1,
             batch->queue->title && batch->queue->title[0] ? batch->queue->title : "fathom batch");
    xml_attribute(file, "name", batch_clean_text(title));
    put_totals(file, &totals);
    fputs(">\n", file);
    for (size_t first = 0, last; first < batch->queue->count; first = last) {
        for (last = first + 1; last < batch->queue->count && jobs[last].entry == jobs[first].entry;)
            last++;
        put_suite(file, batch, first, last);
    }
    fputs("</testsuites>\n", file);
}

static enum status write_junit(const struct batch *batch)
{
    char path[FILE_BYTES];
    struct whole_file file;
    snprintf(path, sizeof path, "%s/junit.xml", batch->queue->directory);
    CHECK(whole_file_begin(&file, path));
    put_junit(file.stream, batch);
    return whole_file_end(&file, STATUS_OK);
}

enum status batch_summary_write(const struct batch *batch)
{
    if (batch->only != SIZE_MAX)
        return STATUS_OK;
    CHECK(write_json(batch));
    return write_junit(batch);
}
