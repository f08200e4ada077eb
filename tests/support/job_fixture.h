// For tests of job files: one file in the test's own folder (folder.h), the keys of a model that does not
// exist, and what reading and checking must answer. Knows io/job/job.h, no model. What goes wrong in here
// fails the test that called it. Texts and messages may have single quotes in place of double ones; bytes are
// taken as they are.
#ifndef FATHOM_TESTS_SUPPORT_JOB_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_JOB_FIXTURE_H

#include "io/job/job.h"
#include "tests/support/test.h"

// The least that a job must hold, without the closing bracket.
#define JOB_BASE "{'fathom':1,'model':'test','time':{'duration':'24 h'},'output':{'directory':'out'}"

// The model's keys; and the tables of a check, those of all models before the model's.
enum { JOB_MODEL_KEYS = 16 };
extern const struct job_key job_model_keys[JOB_MODEL_KEYS];
extern struct job_key_table job_tables[2];
extern char job_file[80]; // full path

// cmocka set-up and tear-down of a test.
int job_setup(void **state);
int job_teardown(void **state);

void write_job_bytes(const char *text, size_t length);
// Gives the test a job.
OWNED(own_job, struct job, job_free);
// The test's job of that text: readable, or right as well.
struct job *read_job(const char *text);
struct job *check_job(const char *text);

// The message must be the job's path, ": ", and `expected`.
void expect_message(const char *expected);
// Reading must fail with it.
void expect_unreadable_bytes(const char *bytes, size_t length, const char *expected);
void expect_unreadable(const char *text, const char *expected);

// A row of a table of mistakes: a text that cannot be read, or members beside those of JOB_BASE or a whole
// job ("{...") that can be read and must be refused when it is checked.
struct job_mistake {
    const char *text, *expected;
};
#define EXPECT_UNREADABLE(rows) expect_all_unreadable(rows, COUNT(rows))
#define EXPECT_REFUSED(rows)    expect_all_refused(rows, COUNT(rows))
void expect_all_unreadable(const struct job_mistake *rows, size_t count);
void expect_all_refused(const struct job_mistake *rows, size_t count);

#endif
