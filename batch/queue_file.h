// The runs of a batch (queue.h), read from a queue file or from a folder of jobs. Sweeps and ensembles are
// expanded: one entry a run. Independent of how the jobs are run and of what is in their files.
//
// The queue file (every key is checked; a relative path starts at the queue file's folder, "output" at the
// working directory):
//   {
//     "fathom_batch": 1,
//     "title": "Sources of 22 November",             (optional)
//     "output": "overnight",                        (optional: STEM-results)
//     "limits": { "cores": 8, "host": "16 GB", "device": "60 GB", "jobs": 4 },   (optional: all)
//     "defaults": { "set": { "checkpoint.every": "5 min" }, "time_limit": "2 h", "retries": 1 },
//     "jobs": [
//       { "name": "tohoku", "job": "jobs/tohoku2011.json", "priority": 10 },
//       { "name": "friction", "job": "jobs/tohoku2011.json",
//         "sweep": { "physics.manning_n": { "from": 0.02, "to": 0.03, "step": 0.005 }, "precision":
//         ["single", "double"] } },
//       { "name": "chain", "job": "jobs/ising-critical.json",
//         "ensemble": { "method.seed": { "from": 1, "count": 20 } } }
//     ]
//   }
// An entry: "name" (a letter or digit, then letters, digits, . - _; unique; the folder of its results),
// "job" (file), "set" (object: job key → any JSON value), "sweep" (every combination of the keys' values,
// the last key fastest), "ensemble" (lists of one length: member k takes the k-th value of each; within each
// combination of the sweep), in place of both "sample" (sample.h) or "scenarios" (scenarios.h), which give
// the runs weights, "priority" (whole, larger first, default 0), "time_limit" (wall-clock, of one attempt),
// "retries" (0 … 100), "cores" (0 = shared out), "ranks" (0 = not divided) or "devices" (as many ranks with
// a device each), "pictures" (true: a report is drawn of a run that passed). "defaults" may hold all of
// these but name, job, sweep, ensemble, sample and scenarios. Values: a list of JSON values; or a range
// {from, to, step | count, scale: "linear" | "log"}, of numbers or of quantities in one unit ("1 km"). Runs
// of an entry with a sweep, an ensemble or a sample are named NAME-0001, NAME-0002, …; those of scenarios
// may have names, too.
//
// Settings are given to the runs as --set KEY=VALUE (docs/batch.md); "output.directory" is set by the batch.
//
// A folder: every *.json in it that holds "fathom" and "model", in the order of their names; the run has the
// file's stem. A file that is not valid JSON counts as a job, whose run then reports the mistake. Results go
// to FOLDER-results.
#ifndef FATHOM_BATCH_QUEUE_FILE_H
#define FATHOM_BATCH_QUEUE_FILE_H

#include "batch/queue.h"

// Reads and expands a queue file or a folder. STATUS_NO_INPUT: it, or a job file, is missing or cannot be
// read. STATUS_CONFIGURATION, naming file, key and value: not a queue, unknown key (with the nearest known
// one), a duplicate name, an empty list, a range without end or with mixed units, lists of different lengths
// in an ensemble, more than BATCH_JOBS_MAX runs, no job. Job files are only hashed: their mistakes are found
// when they are planned. STATUS_DATA: a table of scenarios, with its line. On failure the queue is empty.
enum status batch_queue_read(const char *path, struct batch_queue *queue);
void batch_queue_free(struct batch_queue *queue); // an empty one is fine

#endif
