// Jobs of heat in tissue for tests of the whole program: a small piece of a head as labels, a heating field
// over time, and a job file with results of every kind. Writes to the folder of cli_fixture.h. Uses only the
// command line and files of the program.
#ifndef FATHOM_TESTS_SUPPORT_BIOHEAT_JOB_H
#define FATHOM_TESTS_SUPPORT_BIOHEAT_JOB_H

#include "tests/support/cli_fixture.h"

enum { BIOHEAT_JOB_X = 24, BIOHEAT_JOB_Y = 18, BIOHEAT_JOB_Z = 15 };

// Cells of 1 mm, cell 0 at 0: skin (label 1) where z < 3, cortical bone (2) where z < 6, brain (3) above; air
// (0) in a corner.
int bioheat_job_label(size_t z, size_t y, size_t x);

// "head.nc" (the labels); and a job of 24 s in steps of 0.2 s on it: a block in the brain is heated for 10 s,
// then cools. Dose "kwave", fields each 5 s, sensors "focus" and "skull" each 0.4 s, diagnostics each second,
// state at the end, output in "out".
cJSON *bioheat_job(void);

// "heating.nc": q(time, z, y, x) in W m-3, `records` different records, `every_s` apart.
void bioheat_job_write_stream(size_t records, double every_s);

// "map.nc": q(z, y, x) in W m-3, a focus in the brain.
void bioheat_job_write_map(void);

#endif
