// The tsunami model's suites, and the cases they are made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_TSUNAMI_SUITES_H
#define FATHOM_VALIDATE_TSUNAMI_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite tsunami_backends_suite; // backends.c
extern const struct validation_suite tsunami_analytic_suite; // analytic.c
extern const struct validation_suite tsunami_lab_suite;      // lab.c
extern const struct validation_suite tsunami_field_suite;    // field.c

validation_case_function tsunami_case_step, tsunami_case_basin, tsunami_case_geostrophic, tsunami_case_beach,
    tsunami_case_canal, tsunami_case_bowl_plane, tsunami_case_bowl_curved, tsunami_case_stoker,
    tsunami_case_ritter, tsunami_case_lake, tsunami_case_bp1, tsunami_case_bp4, tsunami_case_bp4_table,
    tsunami_case_bp7, tsunami_case_bp9, tsunami_case_sift, tsunami_case_unit_source, tsunami_case_okada_table;
// With a context. bp2: int, which of a, b, c; bp6: int, which of a, b; okada_file: struct tsunami_okada_file.
validation_case_function tsunami_case_bp2, tsunami_case_bp6, tsunami_case_okada_file;

// The share of a case's own time step, up to 0.79 of what a wave takes from node to node, that the user's
// method allows.
double tsunami_step_share(const struct validation_run *run);

// The benchmark files of cases, by the case.
extern const char *const tsunami_bp1_files[];
extern const char *const tsunami_bp2_files[3][3];
extern const char *const tsunami_bp4_files[];
extern const char *const tsunami_bp4_table_files[];
extern const char *const tsunami_bp6_files[2][3];
extern const char *const tsunami_bp7_files[];
extern const char *const tsunami_bp9_files[];
extern const char *const tsunami_sift_files[];

// A deformation that another program computed, and the faults that it was computed from.
enum tsunami_okada_source { TSUNAMI_OKADA_SIFT, TSUNAMI_OKADA_ALASKA, TSUNAMI_OKADA_UCSB };
struct tsunami_okada_file {
    enum tsunami_okada_source source;
    const char *grid_file, *source_file; // among the benchmark files
};
extern const struct tsunami_okada_file tsunami_okada_sift, tsunami_okada_alaska, tsunami_okada_ucsb;

// Volume above rest at the end of a job against that at its start (diagnostics.nc): a relative result judged
// by the tolerance "mass".
enum status tsunami_measure_volume(struct validation_run *run, const char *job, const char *quantity);
// Both, of a job that was run.
enum status tsunami_read_volumes(const struct validation_run *run, const char *job, double *start_m3,
                                 double *end_m3);

#endif
