// Runs a model in the test's own process, with the calls of a real run: plan, reserve, start, advance. The
// test itself fills the frames. The functions late_frames_* imitate a device whose frames arrive late. An
// error in any function here fails the test that called it. Use it with cli_fixture.h, whose folder holds the
// job.
#ifndef FATHOM_TESTS_SUPPORT_MODEL_RUN_H
#define FATHOM_TESTS_SUPPORT_MODEL_RUN_H

#include "core/pipeline.h"
#include "models/model.h"
#include "tests/support/statuses.h"

#include <stddef.h>

struct model_run {
    const struct model *model;
    struct job *job;
    void *instance;
    struct memory_plan memory;
    struct model_plan plan;
    struct pipeline pipeline;
    struct simulation simulation;
};

// model_run_create makes an instance from "job.json" in the test's folder. model_run_start does everything
// else up to the first step.
void model_run_create(struct model_run *run, const struct model *model);
void model_run_start(struct model_run *run);
void model_run_destroy(struct model_run *run);

// Fails unless each element of the first `records` records has the expected bits. Two NaN count as equal.
void expect_same_bits(const struct stream *stream, size_t records, const void *actual, const void *expected,
                      const char *about);

// ---- frames of an imitated device: each kind of result has its own record size, frame size and slots

enum { LATE_RESULTS_MAX = 4 };

void late_frames_make(int result, int slots, size_t records, size_t record_bytes);
void late_frames_forget(void);
size_t late_frames_record_bytes(int result);
char *late_frames_record(int result, int slot, size_t record);
// late_frames_send only notes the frame; late_frames_await copies its records to `to` after a short delay.
void late_frames_send(int result, int slot, size_t records, void *to);
void late_frames_await(int result, int slot);

#endif
