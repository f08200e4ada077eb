// A model's job from a text of the test's, read and checked: written to "job.json" in the test's folder
// (folder.h). Header only. What goes wrong in here fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_MODEL_JOB_H
#define FATHOM_TESTS_SUPPORT_MODEL_JOB_H

#include "io/job/job.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"

// `keys`: the model's. The text is put together as by printf, in single quotes or double ones; job_free.
#define model_job(keys, ...) (folder_write_json("job.json", __VA_ARGS__), model_job_read(keys))

static inline struct job *model_job_read(struct job_key_table keys)
{
    const struct job_key_table tables[] = {job_shared_keys, keys};
    struct job *job;
    status_clear();
    assert_ok(job_read(folder_path("job.json"), &job));
    assert_ok(job_check(job, tables, 2));
    return job;
}

#endif
