// The main numbers of a run out of its run.json: see batch_figures.h.
#include "cli/batch_figures.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUN_JSON_BYTES_MAX = 16 << 20, DEPTH_MAX = 3 };

static void add_figure(struct batch_figures *figures, const char *name, const cJSON *item)
{
    if (figures->count == BATCH_FIGURES_MAX || !isfinite(item->valuedouble))
        return;
    struct batch_figure *figure = &figures->figures[figures->count++];
    snprintf(figure->name, sizeof figure->name, "%s", name);
    figure->value = item->valuedouble;
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
        if (cJSON_IsNumber(item))
            add_figure(figures, name, item);
        else if (cJSON_IsObject(item) && depth < DEPTH_MAX)
            add_numbers(figures, item, name, depth + 1, has_pairs);
        else if (has_pairs && cJSON_GetArraySize(item) == 2 && cJSON_IsNumber(item->child) &&
                 cJSON_IsNumber(item->child->next)) {
            add_figure(figures, name, item->child);
            strcat(name, "_error");
            add_figure(figures, name, item->child->next);
        }
    }
}

// The last verdict counts; a failed one above all.
static void take_verdict(struct batch_figures *figures, const cJSON *checks)
{
    const cJSON *check;
    cJSON_ArrayForEach(check, checks)
    {
        const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(check, "verdict");
        if (cJSON_IsString(verdict) && strcmp(figures->verdict, "failed") != 0)
            snprintf(figures->verdict, sizeof figures->verdict, "%s", verdict->valuestring);
    }
}

void batch_figures_read(const struct batch *batch, size_t run, struct batch_figures *figures)
{
    char path[PATH_BYTES + BATCH_NAME_MAX + 16];
    cJSON *document;
    *figures = (struct batch_figures){0};
    snprintf(path, sizeof path, "%s/%s/run.json", batch->queue->directory, batch->queue->jobs[run].name);
    // The first failure of the process is kept for its end, and this is none.
    const bool was_clear = status_message()[0] == '\0';
    if (json_file_read(path, RUN_JSON_BYTES_MAX, &document) != STATUS_OK) {
        if (was_clear)
            status_clear();
        return;
    }
    figures->is_there = cJSON_IsObject(document);
    take_verdict(figures, cJSON_GetObjectItemCaseSensitive(document, "checks"));
    add_numbers(figures, cJSON_GetObjectItemCaseSensitive(document, "diagnostics"), "", 0, false);
    // A single temperature's results are the run's.
    const cJSON *temperatures = cJSON_GetObjectItemCaseSensitive(document, "temperatures");
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
