// The keys of a job that all models share. Only a table: check.c checks jobs with it, and explain.c prints
// it.
#include "io/job/job.h"

#include <math.h>

// A duration of zero or less than a nanosecond is an error.
#define SHORTEST_S 1e-9
// A step that is too short is refused with the number of steps (models/limits.h). Here only numbers that
// are not normal are out of range.
#define SHORTEST_STEP_S 2.3e-308

static const struct job_key keys[] = {
    {"fathom", JOB_INTEGER, .required = true, .minimum = 1, .maximum = 1,
     .help = "version of the job format, so that a later program still reads this job as it was meant"},
    {"model", JOB_STRING, .required = true,
     .help = "which simulation model to run: tsunami, bioheat, nbody, gas or ising"},
    {"title", JOB_STRING,
     .help = "one line for the reader; becomes the title of every result file; has no effect on the numbers"},
    {"backend", JOB_CHOICE, .default_value = "auto", .choices = "auto|reference|openmp|cuda",
     .help = "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA "
             "GPU); auto takes the fastest that this build and this machine have"},
    {"precision", JOB_CHOICE, .default_value = "single", .choices = "single|double",
     .help = "arithmetic of the run; double costs about twice the memory and time, and shows whether "
             "rounding matters"},
    {"time.duration", JOB_QUANTITY, .unit = "s", .required = true, .minimum = SHORTEST_S, .maximum = HUGE_VAL,
     .help = "model time from start to end, for example \"24 h\""},
    {"time.step", JOB_QUANTITY, .unit = "s", .default_value = "auto", .minimum = SHORTEST_STEP_S,
     .maximum = HUGE_VAL, .choices = "auto",
     .help = "model time of one step; auto takes the longest that is stable, with a margin; a longer one is "
             "refused"},
    {"output.directory", JOB_STRING, .required = true,
     .help = "folder for the results, created if missing; a relative one starts where the command is given"},
    {"output.precision", JOB_CHOICE, .default_value = "single", .choices = "single|double",
     .help = "precision of the numbers in the result files; single halves the files and keeps about seven "
             "digits"},
    {"output.fields.every", JOB_QUANTITY, .unit = "s", .minimum = SHORTEST_S, .maximum = HUGE_VAL,
     .help = "model time between two frames of the whole fields, for example \"30 min\"; none are written "
             "without it"},
    {"output.fields.variables", JOB_STRING_LIST,
     .help = "which fields to write; the model's own keys list them"},
    {"output.fields.stride", JOB_INTEGER, .default_value = "1", .minimum = 1, .maximum = HUGE_VAL,
     .help = "write every n-th node in each direction: 2 makes files four times smaller in two dimensions"},
    {"output.compress", JOB_BOOLEAN, .default_value = "false",
     .help = "shuffle and deflate (level 1) the result files; loses nothing, but is slower to write"},
    {"output.join", JOB_BOOLEAN, .default_value = "true",
     .help = "at the end, join the segments that checkpoints leave into one file; false lists them instead, "
             "which saves time and disk space for very large results"},
    {"output.diagnostics.every", JOB_QUANTITY, .unit = "s", .minimum = SHORTEST_S, .maximum = HUGE_VAL,
     .help = "model time between two records of the diagnostics: extremes, volume, energy"},
    {"checkpoint.every", JOB_QUANTITY, .unit = "s", .default_value = "10 min", .minimum = SHORTEST_S,
     .maximum = HUGE_VAL,
     .help = "wall-clock time between two saved states: what a crash or a loss of power can cost"},
    {"checkpoint.every_steps", JOB_INTEGER, .minimum = 1, .maximum = HUGE_VAL,
     .help = "number of model steps after which a state is saved too, whatever the wall-clock time"},
    {"memory.host", JOB_BYTES, .minimum = 1, .maximum = HUGE_VAL,
     .help = "largest main memory that the run may use, the program itself included, for example \"2 GB\"; a "
             "run that needs more is refused before it starts; if left out, what the machine has"},
    {"memory.device", JOB_BYTES, .minimum = 1, .maximum = HUGE_VAL,
     .help = "largest memory of one GPU that the run may use, for example \"4 GB\"; if left out, what the "
             "device has"},
    {"limits", JOB_OBJECT,
     .help =
         "largest drift of the conserved quantities; checked in each record of the diagnostics; a run that "
         "drifts further ends as failed; does not affect the results"},
    {"check.reference_steps", JOB_INTEGER, .minimum = 0, .maximum = HUGE_VAL,
     .help = "number of times, spread over the run, at which the reference back end repeats two steps, which "
             "are then compared"},
    {"check.tolerance", JOB_STRING,
     .help =
         "largest difference from the reference that passes, with the model's unit, for example \"1 mm\""},
    {"check.reference_file", JOB_STRING, .help = "a result file (netCDF) that this run must agree with"},
    {"check.variables", JOB_ANY, .choices = "object",
     .help = "tolerance for each variable that is compared with the reference file: {\"eta\": \"1 mm\"}"},
};

const struct job_key_table job_shared_keys = {keys, sizeof keys / sizeof *keys};
