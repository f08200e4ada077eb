// A whole job in the fuzzer's folder, from reading to the first step, as the program does it: what must hold
// if it gets so far. And the small jobs and input files of all five models that harnesses change.
#ifndef FATHOM_TESTS_FUZZ_SUPPORT_MODEL_CALLS_H
#define FATHOM_TESTS_FUZZ_SUPPORT_MODEL_CALLS_H

#include "tests/fuzz/support/fuzz.h"

// Reads, hashes, checks, creates, plans; reserves and prepares, starts and steps, if that is little work.
// True if it was planned.
bool model_calls_make(const char *job_path);

// Small, right jobs, as JSON; NULL after the last. Their input files are those of model_calls_inputs.
extern const char *const model_jobs[];
void model_calls_inputs(void); // made once

#endif
