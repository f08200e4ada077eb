// A trial run for tests of results: twelve hours of four streams, whose values depend on stream, variable,
// record and element only, written through io/output/output.h to a folder of the test (folder.h) and read
// back with netCDF-C. No model stands behind it. What goes wrong in here fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_TRIAL_RUN_H
#define FATHOM_TESTS_SUPPORT_TRIAL_RUN_H

#include "io/output/output.h"

enum { TRIAL_NX = 7, TRIAL_NY = 5, TRIAL_STATIONS = 3, TRIAL_THRESHOLDS = 2, TRIAL_HOURS = 12 };
enum { TRIAL_FIELDS, TRIAL_GAUGES, TRIAL_DIAGNOSTICS, TRIAL_MAXIMA, TRIAL_STREAMS };

// Maps each hour, series each two minutes, sums each hour, and maps that are written once.
extern const struct stream *const trial_streams[TRIAL_STREAMS];

// The value of a variable at an element of a record, NaN where it is missing; a record's time; how many
// records a stream has in the whole run.
double trial_value(int stream, int variable, size_t record, size_t element);
double trial_time_s(int stream, size_t record);
size_t trial_records(int stream);

// ---- the run

// All four streams to a folder of that full path, joined at the end.
struct output_request trial_request(const char *directory);
void trial_open(const struct output_request *request, struct sink *sink);
void trial_write(struct sink *sink, int stream, size_t first, size_t records);
// One hour of the run: one field, the sums, thirty records of the series in two frames.
void trial_write_hour(struct sink *sink, size_t hour);
// A checkpoint whose state is the step; the second fails the test unless it succeeds.
enum status trial_try_checkpoint(struct sink *sink, int64_t step, struct checkpoint_header *header);
void trial_checkpoint(struct sink *sink, int64_t step);
void trial_finish(struct sink *sink);

// The whole run without a checkpoint.
void trial_run_whole(const struct output_request *request);
// Hours 0 … 4 with checkpoints after 1 and 3, in a process that then dies without warning.
void trial_crash(const struct output_request *request);
// On from the newest checkpoint, which must be of that step, to the end.
void trial_resume(struct output_request *request, int64_t expected_step);

// cmocka tear-down of a test whose folder is kept for the next: no failure and no file is left behind.
int trial_clean(void **state);

// ---- reading back

// Every number of a stream in a file that holds the records first … first + count − 1, bit for bit.
void trial_assert_file(const char *path, int stream, size_t first, size_t count);
// A folder, named relative to the test's, that holds the four files of the whole run and nothing else.
void trial_assert_results(const char *name);
// actual_range in an open file has the variable's type, and is the least and the greatest value of the whole
// run.
void trial_assert_range(int file, int stream, int variable);

#endif
