// What a run was made of, as a small JSON file beside its checkpoints, so that a resume that is refused can
// report what differs: the job's document without the keys that do not affect the results, and each input's
// path and checksum. Independent of what keys mean, and of checkpoints but for their two hashes.
//   {"fathom_run": 1, "run_id": "89ab...", "job": {...}, "inputs": [{"file": "sea.nc", "xxh3":
//   "0123456789abcdef"}, ...]}
#ifndef FATHOM_IO_JOB_RECORD_H
#define FATHOM_IO_JOB_RECORD_H

#include "core/status.h"
#include "io/job/job.h"

#include <stdbool.h>
#include <stdint.h>

// Of one run. `identity`: job_identity's; files and hashes have `count` entries, the inputs in their order.
// `id`: of this leg of the run, in the results' run.json as well (or NULL).
struct job_record {
    const struct cJSON *identity;
    const char *const *files;
    const uint64_t *hashes;
    int count;
    const char *id;
};

// The inputs' checksums, in their order, as one: what a checkpoint keeps.
uint64_t job_record_input_hash(const uint64_t *hashes, int count);

enum { JOB_RECORD_ID_BYTES = 17 };

// A new one: 16 hexadecimal digits that no other run has. STATUS_SYSTEM.
enum status job_record_new_id(char id[JOB_RECORD_ID_BYTES]);

// The id in the record at `path`; false, and nothing recorded as a failure, if no record can be read.
bool job_record_read_id(const char *path, char id[JOB_RECORD_ID_BYTES]);

// Under another name, synced, renamed. STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM.
enum status job_record_write(const char *path, const struct job_record *record);

enum { JOB_RECORD_TEXT_BYTES = 600 };

// What `now` has otherwise than the run whose record is at `path`, for a message: "physics.manning_n 0.03 →
// 0.025, time.step (none) → \"10 s\"", the first few and how many more there are; and the input files that
// changed. Each is "" if nothing differs. The record counts only if it has the hashes that the run's
// checkpoint has; where it has not, is missing or damaged, both are "", and nothing is recorded as a failure.
void job_record_compare(const char *path, uint64_t job_hash, uint64_t input_hash,
                        const struct job_record *now, char job_text[JOB_RECORD_TEXT_BYTES],
                        char input_text[JOB_RECORD_TEXT_BYTES]);

#endif
