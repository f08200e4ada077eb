// Main numbers of a run (see the header).
#include "batch/figures.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUN_JSON_BYTES_MAX = 16 << 20, DEPTH_MAX = 3 };

static const char run_prefix[] = "run.", records_prefix[] = "records.", end_prefix[] = "end.",
                  start_prefix[] = "start.";

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// A figure of the start or the end whose extreme over the run is known. It is left out, because it would have
// the same label as the extreme.
static bool is_of_a_moment(const struct batch_figures *figures, const char *name)
{
    char of_run[BATCH_FIGURE_NAME_BYTES + sizeof records_prefix];
    if (!begins_with(name, end_prefix) && !begins_with(name, start_prefix))
        return false;
    const char *rest = strchr(name, '.') + 1;
    snprintf(of_run, sizeof of_run, "%s%s", run_prefix, rest);
    if (!isnan(batch_figures_find(figures, of_run)))
        return true;
    snprintf(of_run, sizeof of_run, "%s%s", records_prefix, rest);
    return !isnan(batch_figures_find(figures, of_run));
}

static void add_figure(struct batch_figures *figures, const char *name, double value)
{
    const bool is_known = !isnan(batch_figures_find(figures, name)); // those of the whole run are read first
    if (figures->count == BATCH_FIGURES_MAX || is_known || is_of_a_moment(figures, name))
        return;
    struct batch_figure *figure = &figures->figures[figures->count++];
    snprintf(figure->name, sizeof figure->name, "%s", name);
    figure->value = value;
}

// Numbers of an object, by the path of their keys. Lists are left out, but for a pair in a list of results,
// which is a mean and its standard error.
static void add_numbers(struct batch_figures *figures, const cJSON *object, const char *prefix, int depth,
                        bool has_pairs)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        char name[BATCH_FIGURE_NAME_BYTES];
        const bool fits = item->string && snprintf(name, sizeof name, "%s%s%s", prefix, prefix[0] ? "." : "",
                                                   item->string) < (int)sizeof name - 8;
        if (!fits)
            continue;
        if (cJSON_IsNumber(item) && isfinite(item->valuedouble))
            add_figure(figures, name, item->valuedouble);
        else if (cJSON_IsNull(item) && batch_figure_is_of_run(name)) // infinity, which JSON cannot express
            add_figure(figures, name, INFINITY);
        else if (cJSON_IsObject(item) && depth < DEPTH_MAX)
            add_numbers(figures, item, name, depth + 1, has_pairs);
        else if (has_pairs && cJSON_GetArraySize(item) == 2 && cJSON_IsNumber(item->child) &&
                 cJSON_IsNumber(item->child->next)) {
            add_figure(figures, name, item->child->valuedouble);
            strcat(name, "_error");
            add_figure(figures, name, item->child->next->valuedouble);
        }
    }
}

// The extremes of a run: of every step, then those of its records. `name`: of a nested grid, or NULL.
static void add_extremes(struct batch_figures *figures, const cJSON *diagnostics, const char *name)
{
    static const char *const groups[] = {"run", "records"};
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
        char prefix[BATCH_FIGURE_NAME_BYTES];
        if (snprintf(prefix, sizeof prefix, "%s%s%s", groups[k], name ? "." : "", name ? name : "") <
            (int)sizeof prefix)
            add_numbers(figures, json_member(diagnostics, groups[k]), prefix, 1, false);
    }
}

// Of nested grids the extremes alone: "run.NAME.max_eta_m".
static void add_nested(struct batch_figures *figures, const cJSON *parts)
{
    const cJSON *part;
    cJSON_ArrayForEach(part, parts)
    {
        const char *name = json_text(part, "name");
        if (name[0])
            add_extremes(figures, json_member(part, "diagnostics"), name);
    }
}

// The last verdict counts; a failed one above all.
static void take_verdict(struct batch_figures *figures, const cJSON *checks)
{
    const cJSON *check;
    cJSON_ArrayForEach(check, checks)
    {
        const cJSON *verdict = json_member(check, "verdict");
        if (cJSON_IsString(verdict) && strcmp(figures->verdict, "failed") != 0)
            snprintf(figures->verdict, sizeof figures->verdict, "%s", verdict->valuestring);
    }
}

// "thermal safety (ITRUSST) EXCEEDED: brain: ..."; several that are exceeded stand one after the other.
static void add_message(struct batch_figures *figures, const cJSON *item, enum batch_finding finding)
{
    char *text = figures->message;
    const bool joins = finding == figures->finding && finding == BATCH_FINDING_EXCEEDED;
    const size_t used = joins ? strlen(text) : 0;
    snprintf(text + used, sizeof figures->message - used, "%s%s %s: %s", joins ? "; " : "",
             json_text(item, "rule"),
             finding == BATCH_FINDING_EXCEEDED ? "EXCEEDED" : json_text(item, "verdict"),
             json_text(item, "message"));
}

// The worst ones count.
static void take_findings(struct batch_figures *figures, const cJSON *findings)
{
    static const char *const words[] = {[BATCH_FINDING_PASSED] = "passed",
                                        [BATCH_FINDING_OPEN] = "not judged",
                                        [BATCH_FINDING_EXCEEDED] = "exceeded"};
    const cJSON *item;
    cJSON_ArrayForEach(item, findings)
    {
        const char *rule = json_text(item, "rule"), *verdict = json_text(item, "verdict");
        for (int k = BATCH_FINDING_PASSED; rule[0] && k <= BATCH_FINDING_EXCEEDED; k++) {
            const bool is_worse = k > (int)figures->finding,
                       is_as_bad = k == (int)figures->finding && k == BATCH_FINDING_EXCEEDED;
            if (strcmp(verdict, words[k]) != 0 || (!is_worse && !is_as_bad) ||
                cJSON_IsTrue(json_member(item, "is_remark")))
                continue;
            add_message(figures, item, (enum batch_finding)k);
            figures->finding = (enum batch_finding)k;
        }
    }
    batch_clean_text(figures->message);
}

// The run.json of a run, which the caller deletes; NULL if it cannot be read.
static cJSON *read_document(const struct batch *batch, size_t run)
{
    char path[PATH_BYTES + BATCH_NAME_MAX + 16];
    cJSON *document;
    snprintf(path, sizeof path, "%s/%s/run.json", batch->queue->directory, batch->queue->jobs[run].name);
    // A missing file is not a failure of the batch: the first failure must be kept.
    const bool was_clear = status_message()[0] == '\0';
    if (json_file_read(path, RUN_JSON_BYTES_MAX, &document) != STATUS_OK) {
        if (was_clear)
            status_clear();
        return NULL;
    }
    return document;
}

static void read_figures(const struct batch *batch, size_t run, struct batch_figures *figures)
{
    const cJSON *warning;
    *figures = (struct batch_figures){0};
    cJSON *document = read_document(batch, run);
    if (!document)
        return;
    figures->is_known = cJSON_IsObject(document);
    take_verdict(figures, json_member(document, "checks"));
    take_findings(figures, json_member(document, "findings"));
    cJSON_ArrayForEach(warning, json_member(document, "warnings")) figures->warnings +=
        cJSON_IsString(warning) ? 1 : 0;
    const cJSON *diagnostics = json_member(document, "diagnostics");
    add_extremes(figures, diagnostics, NULL);
    add_nested(figures, json_member(document, "nested"));
    add_numbers(figures, diagnostics, "", 0, false);
    // The results at a single temperature are those of the run.
    const cJSON *temperatures = json_member(document, "temperatures");
    if (cJSON_GetArraySize(temperatures) == 1)
        add_numbers(figures, temperatures->child, "", 0, true);
    cJSON_Delete(document);
}

double batch_figures_find(const struct batch_figures *figures, const char *name)
{
    for (size_t k = 0; k < figures->count; k++)
        if (strcmp(figures->figures[k].name, name) == 0)
            return figures->figures[k].value;
    return NAN;
}

void batch_figures_read_ended(const struct batch *batch, size_t number, struct batch_figures *figures)
{
    const struct batch_run *run = &batch->runs[number];
    const bool has_passed = run->state == BATCH_PASSED || run->state == BATCH_DRAWING;
    *figures = (struct batch_figures){0};
    if (has_passed || (run->state == BATCH_FAILED && run->cause == BATCH_CAUSE_EXIT))
        read_figures(batch, number, figures);
    if (!has_passed && strcmp(figures->verdict, "failed") != 0)
        *figures = (struct batch_figures){0};
}

struct cJSON *batch_figures_document(const struct batch *batch, size_t number)
{
    struct batch_figures figures;
    batch_figures_read_ended(batch, number, &figures);
    return figures.is_known ? read_document(batch, number) : NULL;
}

struct cJSON *batch_figures_warnings(const struct batch *batch, size_t number)
{
    struct batch_figures figures;
    const cJSON *item;
    batch_figures_read_ended(batch, number, &figures);
    cJSON *document = figures.warnings > 0 ? read_document(batch, number) : NULL;
    cJSON *texts = document ? cJSON_CreateArray() : NULL;
    cJSON_ArrayForEach(item, json_member(document, "warnings"))
    {
        if (cJSON_IsString(item))
            cJSON_AddItemToArray(texts, cJSON_CreateString(batch_clean_text(item->valuestring)));
    }
    cJSON_Delete(document);
    return texts;
}

bool batch_figures_exceed_only(const struct batch_figures *figures)
{
    return figures->finding == BATCH_FINDING_EXCEEDED && strcmp(figures->verdict, "failed") != 0;
}

const char *batch_figures_verdict(const struct batch_figures *figures, char text[BATCH_VERDICT_BYTES])
{
    snprintf(text, BATCH_VERDICT_BYTES, "%s%s",
             batch_figures_exceed_only(figures) ? "EXCEEDED; other checks: " : "", figures->verdict);
    return text;
}

const char *batch_finding_text(const struct batch *batch, size_t number, char text[BATCH_FINDING_BYTES])
{
    struct batch_figures figures;
    read_figures(batch, number, &figures);
    memcpy(text, figures.message, BATCH_FINDING_BYTES);
    return text;
}

bool batch_figure_is_of_run(const char *name)
{
    return begins_with(name, run_prefix) || begins_with(name, records_prefix);
}

bool batch_figure_is_nested(const char *name)
{
    return batch_figure_is_of_run(name) && strchr(strchr(name, '.') + 1, '.') != NULL;
}

bool batch_figure_is_first(const struct batch_figures *figures, size_t k)
{
    const char *name = figures->figures[k].name, *point = strrchr(name, '.');
    if (!begins_with(name, run_prefix))
        return false;
    const size_t length = (size_t)(point - name) + 1;
    for (size_t other = 0; other < k; other++) {
        const char *earlier = figures->figures[other].name;
        if (strncmp(earlier, name, length) == 0 && !strchr(earlier + length, '.'))
            return false;
    }
    return true;
}

const char *batch_figure_label(const char *name, char text[BATCH_FIGURE_NAME_BYTES])
{
    const bool is_of_end = begins_with(name, end_prefix);
    snprintf(text, BATCH_FIGURE_NAME_BYTES, "%.*s%s", BATCH_FIGURE_NAME_BYTES - 16,
             is_of_end || batch_figure_is_of_run(name) ? strchr(name, '.') + 1 : name,
             is_of_end                           ? " at the end"
             : begins_with(name, records_prefix) ? " at the records"
                                                 : "");
    return text;
}
