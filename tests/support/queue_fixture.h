// A queue of jobs for tests: "overnight.json" with given entries in the test's folder, and what reading it
// must return. Header only.
#ifndef FATHOM_TESTS_SUPPORT_QUEUE_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_QUEUE_FIXTURE_H

#include "batch/queue_file.h"
#include "tests/support/asserts.h"
#include "tests/support/folder.h"

#define JOB_TEXT "{\"fathom\": 1, \"model\": \"ising\"}"

static struct batch_queue queue;

static inline int setup(void **state)
{
    status_clear();
    memset(&queue, 0, sizeof queue);
    if (folder_make(state) != 0)
        return -1;
    folder_write_text("job.json", JOB_TEXT);
    return 0;
}

static inline int teardown(void **state)
{
    batch_queue_free(&queue);
    return folder_remove(state);
}

// Texts in the entries stand in single or double quotes.
static inline const char *write_queue(const char *entries)
{
    char *text = owned_zeros(strlen(entries) + 100, 1);
    sprintf(text, "{'fathom_batch': 1, 'jobs': [%s]}", entries);
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
    folder_write_text("overnight.json", text);
    return folder_path("overnight.json");
}

static inline void read_queue(const char *entries)
{
    batch_queue_free(&queue);
    if (batch_queue_read(write_queue(entries), &queue) != STATUS_OK)
        fail_msg("%s: %s", entries, status_message());
}

static inline void expect_failure(const char *path, enum status status, const char *expected)
{
    status_clear();
    const enum status found = batch_queue_read(path, &queue);
    if (found != status)
        fail_msg("%s: %s instead of %s: %s", expected, status_name(found), status_name(status),
                 status_message());
    const size_t length = strlen(path);
    assert_memory_equal(status_message(), path, length);
    assert_string_equal(status_message() + length, expected);
    assert_null(strchr(status_message(), '\n'));
    assert_int_equal(queue.count, 0); // empty, and can be freed
    assert_null(queue.jobs);
    batch_queue_free(&queue);
}

static inline void expect_refused(const char *entries, const char *expected)
{
    expect_failure(write_queue(entries), STATUS_CONFIGURATION, expected);
}

static inline const char *setting(size_t run, const char *key)
{
    const struct batch_job *job = &queue.jobs[run];
    const char *found = NULL;
    for (size_t k = 0; k < job->setting_count; k++)
        if (strcmp(job->settings[k].key, key) == 0) {
            assert_null(found); // a key only once
            found = job->settings[k].value;
        }
    return found;
}

#endif
