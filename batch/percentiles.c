// Percentiles over the runs of a sweep or an ensemble (see the header).
#include "batch/percentiles.h"

#include "batch/figures.h"
#include "batch/totals.h"
#include "batch/weights.h"
#include "core/statistics.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double batch_percentiles[BATCH_PERCENTILES] = {5, 25, 50, 75, 95};

enum { DEPTH_MAX = 4 };

// The trees of the members, and room for one value of each.
struct members {
    const cJSON **trees;
    const char **names;
    double *values;
    size_t count;
    size_t exceeded, failed, unjudged; // of them; an exceeded run that failed its check is among `failed`
};

static bool is_value(const cJSON *item)
{
    return cJSON_IsNumber(item) || cJSON_IsNull(item); // null: an infinity, which JSON cannot express
}

static cJSON *new_value(double value)
{
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

// The values that lie at `items` of the members; false: one of them is no value.
static bool gather(const struct members *m, const cJSON *const *items)
{
    for (size_t k = 0; k < m->count; k++) {
        if (!is_value(items[k]))
            return false;
        m->values[k] = cJSON_IsNull(items[k]) ? (double)INFINITY : items[k]->valuedouble;
    }
    return true;
}

// The percentiles of a number, or of each entry of lists of the same length; false: not all members have it.
static bool put_percentiles(const struct members *m, const cJSON **items, bool is_list, cJSON *lists[])
{
    bool is_complete = true;
    if (!is_list) {
        is_complete = gather(m, items);
        for (int p = 0; p < BATCH_PERCENTILES && is_complete; p++)
            lists[p] = new_value(statistics_percentile(m->values, m->count, batch_percentiles[p]));
        return is_complete;
    }
    const int length = cJSON_GetArraySize(items[0]);
    const cJSON **entries = malloc(m->count * sizeof *entries);
    for (size_t k = 0; k < m->count && entries; k++) {
        is_complete = is_complete && cJSON_IsArray(items[k]) && cJSON_GetArraySize(items[k]) == length;
        entries[k] = is_complete ? items[k]->child : NULL;
    }
    for (int p = 0; p < BATCH_PERCENTILES; p++)
        lists[p] = cJSON_CreateArray();
    for (int entry = 0; entry < length && entries && is_complete; entry++) {
        is_complete = gather(m, entries);
        for (int p = 0; p < BATCH_PERCENTILES && is_complete; p++)
            cJSON_AddItemToArray(lists[p],
                                 new_value(statistics_percentile(m->values, m->count, batch_percentiles[p])));
        for (size_t k = 0; k < m->count; k++)
            entries[k] = entries[k]->next;
    }
    is_complete = is_complete && entries;
    free(entries);
    return is_complete;
}

// The least and the largest value, and the runs that have them. Gathered again: percentiles sort the values.
static void add_extremes(const struct members *m, const cJSON *const *items, cJSON *object)
{
    size_t least = 0, largest = 0;
    if (!gather(m, items))
        return;
    for (size_t k = 1; k < m->count; k++) {
        least = m->values[k] < m->values[least] ? k : least;
        largest = m->values[k] > m->values[largest] ? k : largest;
    }
    cJSON_AddItemToObject(object, "min", new_value(m->values[least]));
    cJSON_AddStringToObject(object, "min_of", m->names[least]);
    cJSON_AddItemToObject(object, "max", new_value(m->values[largest]));
    cJSON_AddStringToObject(object, "max_of", m->names[largest]);
}

static void add_leaf(const struct members *m, const cJSON **items, bool is_list, const char *name, cJSON *to)
{
    cJSON *lists[BATCH_PERCENTILES] = {NULL};
    const bool is_complete = put_percentiles(m, items, is_list, lists);
    cJSON *object = is_complete ? cJSON_AddObjectToObject(to, name) : NULL;
    for (int p = 0; p < BATCH_PERCENTILES; p++) {
        char key[16];
        snprintf(key, sizeof key, "p%g", batch_percentiles[p]);
        if (object)
            cJSON_AddItemToObject(object, key, lists[p]);
        else
            cJSON_Delete(lists[p]);
    }
    if (object && !is_list)
        add_extremes(m, items, object);
}

// What the first member has, and all others too.
static void add_tree(const struct members *m, const cJSON **trees, cJSON *to, int depth)
{
    const cJSON *item;
    const cJSON **items = malloc(m->count * sizeof *items);
    cJSON_ArrayForEach(item, trees[0])
    {
        bool all_have_it = items != NULL;
        for (size_t k = 0; k < m->count && all_have_it; k++) {
            items[k] = json_member(trees[k], item->string);
            all_have_it = items[k] != NULL;
        }
        if (!all_have_it || strcmp(item->string, "thresholds") == 0) // the same of all
            continue;
        if (is_value(item) || cJSON_IsArray(item))
            add_leaf(m, items, cJSON_IsArray(item), item->string, to);
        else if (cJSON_IsObject(item) && depth < DEPTH_MAX)
            add_tree(m, items, cJSON_AddObjectToObject(to, item->string), depth + 1);
    }
    free(items);
}

static cJSON *make_result(const struct members *m, cJSON *left_out)
{
    const cJSON *thresholds = json_member(m->trees[0], "thresholds");
    cJSON *result = cJSON_CreateObject();
    cJSON_AddNumberToObject(result, "members", (double)m->count);
    cJSON_AddNumberToObject(result, "exceeded", (double)m->exceeded);
    cJSON_AddNumberToObject(result, "failed", (double)m->failed);
    cJSON_AddNumberToObject(result, "not_judged", (double)m->unjudged);
    cJSON_AddItemToObject(result, "left_out", left_out);
    cJSON_AddItemToObject(result, "percentiles",
                          cJSON_CreateDoubleArray(batch_percentiles, BATCH_PERCENTILES));
    if (thresholds)
        cJSON_AddItemToObject(result, "thresholds", cJSON_Duplicate(thresholds, 1));
    add_tree(m, m->trees, result, 0);
    return result;
}

static void add_member(struct members *m, const struct batch *batch, size_t run, const cJSON *tree)
{
    const bool has_failed = batch->runs[run].state == BATCH_FAILED;
    m->names[m->count] = batch->queue->jobs[run].name;
    m->trees[m->count++] = tree;
    m->failed += has_failed;
    m->exceeded += !has_failed && batch_run_exceeded(batch, run);
    m->unjudged += batch_run_unjudged(batch, run);
}

static void leave_out(const struct batch *batch, size_t run, cJSON *left_out)
{
    char text[BATCH_MESSAGE_BYTES + 128];
    cJSON *item = json_append_object(left_out);
    batch_describe(batch, run, text, sizeof text);
    cJSON_AddStringToObject(item, "name", batch->queue->jobs[run].name);
    cJSON_AddStringToObject(item, "reason", text[0] ? text : "its run.json has no distributions");
}

struct cJSON *batch_percentiles_make(const struct batch *batch, size_t first, size_t last)
{
    const size_t runs = last - first;
    if (batch_weights_given(batch, first) && batch_weights_differ(batch, first, last))
        return NULL;
    struct members m = {.trees = malloc(runs * sizeof *m.trees),
                        .names = malloc(runs * sizeof *m.names),
                        .values = malloc(runs * sizeof *m.values)};
    cJSON **documents = calloc(runs, sizeof *documents), *left_out = cJSON_CreateArray(), *result = NULL;
    bool has_all = m.trees && m.names && m.values && documents;
    for (size_t k = 0; k < runs && has_all; k++) {
        const enum batch_state state = batch->runs[first + k].state;
        has_all = state == BATCH_PASSED || state == BATCH_FAILED;
        documents[k] = has_all ? batch_figures_document(batch, first + k) : NULL;
        const cJSON *tree = documents[k] ? json_member(documents[k], "distributions") : NULL;
        if (tree)
            add_member(&m, batch, first + k, tree);
        else if (has_all)
            leave_out(batch, first + k, left_out);
    }
    if (has_all && m.count >= 2)
        result = make_result(&m, left_out);
    else
        cJSON_Delete(left_out);
    for (size_t k = 0; k < runs && documents; k++)
        cJSON_Delete(documents[k]);
    free(documents);
    free(m.trees);
    free(m.names);
    free(m.values);
    return result;
}
