// For tests of job files: one file in the test's own folder (folder.h), the keys of a model that does not
// exist, and what reading and checking must answer. Knows io/job/job.h, no model. What goes wrong in here
// fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_JOB_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_JOB_FIXTURE_H

#include "io/job/job.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// The least that a job must hold, without the closing bracket.
#define JOB_BASE                                                                                             \
    "{\"fathom\":1,\"model\":\"test\",\"time\":{\"duration\":\"24 h\"},\"output\":{\"directory\":\"out\"}"

// The model's keys; and the tables of a check, those of all models before the model's.
enum { JOB_MODEL_KEYS = 16 };
extern const struct job_key job_model_keys[JOB_MODEL_KEYS];
extern struct job_key_table job_tables[2];
extern char job_file[80]; // full path

// cmocka set-up and tear-down of a test.
int job_setup(void **state);
int job_teardown(void **state);

void write_job_bytes(const char *text, size_t length);
// The job of that text: readable, or right as well. Free with job_free.
struct job *read_job(const char *text);
struct job *check_job(const char *text);

// The message must be the job's path, ": ", and `expected`.
void expect_message(const char *expected);
// Reading, or checking what can be read, must fail with it.
void expect_unreadable_bytes(const char *text, size_t length, const char *expected);
void expect_unreadable(const char *text, const char *expected);
void expect_refused(const char *text, const char *expected);

#endif
