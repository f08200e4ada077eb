// A run whose results are complete, by its run.json. Independent of job and model.
#ifndef FATHOM_IO_OUTPUT_FINISHED_H
#define FATHOM_IO_OUTPUT_FINISHED_H

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

enum { OUTPUT_REPORT_BYTES_MAX = 256 << 20 }; // run.json

struct output_finished {
    uint64_t job_hash, input_hash; // of the job and the inputs of these results
    int exit_code;                 // that the run ended with, or would have
    char message[1024];            // why it is not 0
};

// Reads DIRECTORY/run.json. True if all its result files are there, and either partial/ belongs to the same
// run (by its id), or partial/ is empty and the run was of this version of the program. False leaves no
// failure recorded.
bool output_finished_find(const char *directory, struct output_finished *finished);

// run.json of a folder, to be freed with cJSON_Delete; NULL, and no failure recorded, if it is missing or
// cannot be read.
struct cJSON *output_finished_read(const char *directory);

#endif
