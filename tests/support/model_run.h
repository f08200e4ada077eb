// A model in the test's own process, driven as a run drives it: planned, reserved, started, advanced; its
// frames to be filled by hand. And a back end's own frames that arrive late, for a stand-in of a device. What
// goes wrong in here fails the test that called it. Beside cli_fixture.h, whose folder has the job.
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

// "job.json" of the test's folder becomes an instance; then, once the test knows it, all up to the first
// step.
void model_run_create(struct model_run *run, const struct model *model);
void model_run_start(struct model_run *run);
void model_run_destroy(struct model_run *run);

// Each element of the first `records` records.
void expect_same_bits(const struct stream *stream, size_t records, const void *actual, const void *expected,
                      const char *about);

// ---- frames of a stand-in: one record size, frame size and set of slots for each kind of result

enum { LATE_RESULTS_MAX = 4 };

void late_frames_make(int result, int slots, size_t records, size_t record_bytes);
void late_frames_forget(void);
size_t late_frames_record_bytes(int result);
char *late_frames_record(int result, int slot, size_t record);
// What was sent is at its place a little after it was asked for.
void late_frames_send(int result, int slot, size_t records, void *to);
void late_frames_await(int result, int slot);

#endif
