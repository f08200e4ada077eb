// The record of a run's job and inputs: a small JSON file beside its checkpoints. When a resume is refused,
// it shows what differs. It has the job's document without the keys that do not affect the results, and the
// path and the checksum of each input. Independent of the meaning of the keys; of a checkpoint only two
// hashes are used.
//   {"fathom_run": 1, "run_id": "89ab...", "job": {...}, "inputs": [{"file": "sea.nc", "xxh3":
//   "0123456789abcdef"}, ...]}
#ifndef FATHOM_IO_JOB_RECORD_H
#define FATHOM_IO_JOB_RECORD_H

#include "core/status.h"
#include "io/job/job.h"

#include <stdbool.h>
#include <stdint.h>

// The record of one run. `identity`: from job_identity. `files` and `hashes` have `count` entries, the inputs
// in their order. `id`: of this leg of the run, also in the run.json of the results; may be NULL.
struct job_record {
    const struct cJSON *identity;
    const char *const *files;
    const uint64_t *hashes;
    int count;
    const char *id;
};

// Combines the inputs' checksums, in their order, into the one hash that a checkpoint holds.
uint64_t job_record_input_hash(const uint64_t *hashes, int count);

enum { JOB_RECORD_ID_BYTES = 17 };

// Makes a new id: 16 random hexadecimal digits. STATUS_SYSTEM.
enum status job_record_new_id(char id[JOB_RECORD_ID_BYTES]);

// Reads the id from the record at `path`. Returns false, without recording a failure, if it cannot be read.
bool job_record_read_id(const char *path, char id[JOB_RECORD_ID_BYTES]);

// Writes the record under another name, syncs and renames it. STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM.
enum status job_record_write(const char *path, const struct job_record *record);

enum { JOB_RECORD_TEXT_BYTES = 600 };

// Describes for a message how `now` differs from the run whose record is at `path`. job_text lists the keys:
// "physics.manning_n 0.03 → 0.025, time.step (none) → \"10 s\"", the first few and the number of the others.
// input_text lists the input files that changed. Each is "" if nothing differs. If the record is missing or
// damaged, or its hashes differ from those of the run's checkpoint, both are "", and no failure is recorded.
void job_record_compare(const char *path, uint64_t job_hash, uint64_t input_hash,
                        const struct job_record *now, char job_text[JOB_RECORD_TEXT_BYTES],
                        char input_text[JOB_RECORD_TEXT_BYTES]);

#endif
