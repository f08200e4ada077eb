// The keys in which runs differ (see the header).
#include "batch/axes.h"

#include "batch/queue.h"

#include <ctype.h>
#include <string.h>

enum status batch_axes_check_key(const struct job *document, const char *where, const char *key)
{
    const char *mistake = job_key_mistake(key);
    if (mistake)
        return job_fail(document, where, "%s", mistake);
    if (strcmp(key, "output.directory") == 0)
        return job_fail(document, where,
                        "cannot be set: each run has a folder of its name in the batch's output");
    return STATUS_OK;
}

// Whether the setting of the key `above` replaces the value of `key`.
static bool replaces(const char *above, const char *key)
{
    const size_t length = strlen(above);
    return strncmp(key, above, length) == 0 && (key[length] == '\0' || key[length] == '.');
}

enum status batch_axes_add(const struct job *document, const char *where, const char *key,
                           struct batch_pool **pool, struct batch_axes *axes, struct batch_axis **axis)
{
    CHECK(batch_axes_check_key(document, where, key));
    for (size_t k = 0; k < axes->count; k++)
        if (replaces(key, axes->keys[k]))
            return job_fail(document, where, "replaces the varied values of %s", axes->keys[k]);
    if (axes->count == BATCH_AXES_MAX)
        return job_fail(document, where, "%d keys can be varied at most", BATCH_AXES_MAX);
    axes->keys[axes->count] = batch_pool_text(pool, key);
    if (!axes->keys[axes->count])
        return FAIL(STATUS_SYSTEM, "no memory for the queue of jobs");
    *axis = &axes->axes[axes->count++];
    return STATUS_OK;
}

const char *batch_name_mistake(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    static const char *const suffixes[] = {".json", ".jsonl", ".xml", ".html"}; // of the batch's own files
    const size_t length = strlen(name);
    if (!isalnum((unsigned char)name[0]) || strspn(name, letters) != length)
        return "a letter or a digit is expected, then letters, digits, points, hyphens and underscores";
    if (length > BATCH_NAME_MAX)
        return "it is too long: at most 64 characters are expected";
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
        if (length > strlen(suffixes[k]) && strcmp(name + length - strlen(suffixes[k]), suffixes[k]) == 0)
            return "names that end in .json, .jsonl, .xml or .html are reserved for files of the batch";
    return NULL;
}
