// Fuzzes jobs: takes a small correct job and changes up to CHANGES_MAX keys of the model's tables. Random
// text would seldom be correct enough to reach the code that reads a model's keys.
#include "io/job/job.h"
#include "models/model.h"
#include "tests/fuzz/support/model_calls.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_MAX = 8 };

static const char *const texts[] = {"grid.nc",
                                    "bay.nc",
                                    "lift.nc",
                                    "head.nc",
                                    "heating.nc",
                                    "particles.nc",
                                    "spins.nc",
                                    "plane.asc",
                                    "wave.txt",
                                    "faults.json",
                                    "gauges.json",
                                    "sensors.json",
                                    "missing.nc",
                                    "z",
                                    "label",
                                    "q",
                                    "position",
                                    "velocity",
                                    "mass",
                                    "x y z",
                                    "",
                                    "auto",
                                    "reference",
                                    "openmp",
                                    "cuda",
                                    "cuda:1",
                                    "double",
                                    "single",
                                    "2011-03-11 05:46:24",
                                    "brain",
                                    "all",
                                    "W m-3",
                                    "m",
                                    "deg C",
                                    "0:10",
                                    "..",
                                    "/",
                                    "parent",
                                    "bay",
                                    "si",
                                    "nbody"};
static const char *const units[] = {"s",         "m",         "degree",    "K",     "degC",   "W m-3",
                                    "mm",        "km",        "min",       "h",     "1",      "GB",
                                    "kg",        "Gyr",       "kpc",       "km/s",  "arcmin", "Pa",
                                    "W m-1 K-1", "W m-2 K-1", "mL/min/kg", "m s-1", ""};

static char own[FUZZ_TEXT_BYTES];

static cJSON *quantity(struct fuzz_bytes *bytes, const struct job_key *key)
{
    char text[96];
    const double number = fuzz_number(bytes);
    const char *unit =
        key->unit && fuzz_byte(bytes) < 200 ? key->unit : fuzz_text(bytes, units, FUZZ_COUNT(units), own);
    snprintf(text, sizeof text, "%.17g %s", number, unit);
    return cJSON_CreateString(text);
}

static cJSON *choice(struct fuzz_bytes *bytes, const struct job_key *key)
{
    char word[64];
    const char *at = key->choices;
    for (size_t skip = fuzz_below(bytes, 12); skip > 0 && at && strchr(at, '|'); skip--)
        at = strchr(at, '|') + 1;
    if (!at)
        return cJSON_CreateString(fuzz_text(bytes, texts, FUZZ_COUNT(texts), own));
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|"), at);
    return cJSON_CreateString(word);
}

static cJSON *number(struct fuzz_bytes *bytes)
{
    const double value = fuzz_number(bytes);
    return cJSON_CreateNumber(isfinite(value) ? value : 1e308);
}

static cJSON *any(struct fuzz_bytes *bytes, const struct job_key *key, int depth)
{
    static const char *const names[] = {"1",      "2",     "x",      "y",    "z",       "name",   "file",
                                        "first",  "last",  "tissue", "at",   "bay",     "acsza1", "parent",
                                        "domain", "value", "on",     "kind", "spacing", "cells"};
    cJSON *item;
    const size_t count = depth < 3 ? fuzz_below(bytes, 4) : 0;
    switch (fuzz_below(bytes, depth < 3 ? 8 : 6)) {
    case 0:
        return number(bytes);
    case 1:
        return quantity(bytes, key);
    case 2:
        return cJSON_CreateString(fuzz_text(bytes, texts, FUZZ_COUNT(texts), own));
    case 3:
        return cJSON_CreateBool(fuzz_flag(bytes));
    case 4:
        return cJSON_CreateNumber(fuzz_below(bytes, 16));
    case 5:
        return fuzz_byte(bytes) < 20 ? cJSON_CreateNull() : choice(bytes, key);
    case 6:
        item = cJSON_CreateArray();
        for (size_t k = 0; k < count; k++)
            cJSON_AddItemToArray(item, any(bytes, key, depth + 1));
        return item;
    default:
        item = cJSON_CreateObject();
        for (size_t k = 0; k < count; k++) {
            const char *name = names[fuzz_below(bytes, FUZZ_COUNT(names))];
            cJSON_DeleteItemFromObjectCaseSensitive(item, name);
            cJSON_AddItemToObject(item, name, any(bytes, key, depth + 1));
        }
        return item;
    }
}

static cJSON *list(struct fuzz_bytes *bytes, const struct job_key *key, bool is_text)
{
    cJSON *item = cJSON_CreateArray();
    for (size_t count = fuzz_below(bytes, 5); count > 0; count--)
        cJSON_AddItemToArray(item, is_text ? choice(bytes, key) : quantity(bytes, key));
    return item;
}

static cJSON *value_for(struct fuzz_bytes *bytes, const struct job_key *key)
{
    if (fuzz_byte(bytes) > 235)
        return any(bytes, key, 0);
    switch (key->type) {
    case JOB_BOOLEAN:
        return cJSON_CreateBool(fuzz_flag(bytes));
    case JOB_INTEGER:
        return fuzz_flag(bytes) ? cJSON_CreateNumber(fuzz_below(bytes, 40)) : number(bytes);
    case JOB_NUMBER:
        return number(bytes);
    case JOB_REDUCED:
        return fuzz_flag(bytes) ? number(bytes) : quantity(bytes, key);
    case JOB_QUANTITY:
    case JOB_DIFFERENCE:
    case JOB_BYTES:
        return key->choices && fuzz_flag(bytes) ? choice(bytes, key) : quantity(bytes, key);
    case JOB_QUANTITY_LIST:
        return list(bytes, key, false);
    case JOB_STRING_LIST:
        return list(bytes, key, true);
    case JOB_STRING:
    case JOB_CHOICE:
        return choice(bytes, key);
    default:
        return any(bytes, key, 0);
    }
}

// Sets a key, or removes it if `value` is NULL. Makes the missing objects along the path, in place of values
// of other types.
static void put(cJSON *job, const char *path, cJSON *value)
{
    cJSON *object = job;
    char name[128];
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
        snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
        if (strcmp(name, "NAME") == 0)
            strcpy(name, "bay");
        cJSON *next = cJSON_GetObjectItemCaseSensitive(object, name);
        if (!cJSON_IsObject(next)) {
            cJSON_DeleteItemFromObjectCaseSensitive(object, name);
            next = cJSON_AddObjectToObject(object, name);
        }
        object = next;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(object, path);
    if (value)
        cJSON_AddItemToObject(object, path, value);
}

static const struct job_key *key_of(struct fuzz_bytes *bytes, const struct model *model)
{
    const struct job_key_table *tables[] = {&job_shared_keys, model->keys};
    const size_t place = fuzz_byte(bytes) | (size_t)fuzz_byte(bytes) << 8, shared = tables[0]->count;
    const size_t at = place % (shared / 2 + tables[1]->count); // more often one of the model's own keys
    return at < tables[1]->count ? &tables[1]->keys[at] : &tables[0]->keys[(place >> 4) % shared];
}

FUZZ_HARNESS(job_keys)
{
    size_t jobs = 0;
    while (model_jobs[jobs])
        jobs++;
    struct fuzz_bytes bytes = {data, size};
    model_calls_inputs();
    cJSON *job = cJSON_Parse(model_jobs[fuzz_below(&bytes, jobs)]);
    FUZZ_EXPECT(job, "a job of model_jobs is not a JSON");
    const struct model *model = model_find(cJSON_GetObjectItem(job, "model")->valuestring);
    for (int k = 0; k < CHANGES_MAX && bytes.left > 0; k++) {
        const struct job_key *key = key_of(&bytes, model);
        const bool is_removed = fuzz_byte(&bytes) > 240;
        put(job, key->path, is_removed ? NULL : value_for(&bytes, key));
    }
    char *text = cJSON_PrintUnformatted(job);
    const bool is_planned = model_calls_make(fuzz_write("job.json", text, strlen(text)));
    FUZZ_EXPECT(is_planned || size > 1, "an unchanged job was refused: %s", text);
    cJSON_free(text);
    cJSON_Delete(job);
    return 0;
}
