// The tsunami model's suites, and the cases they are made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_TSUNAMI_SUITES_H
#define FATHOM_VALIDATE_TSUNAMI_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite tsunami_backends_suite; // backends.c
extern const struct validation_suite tsunami_analytic_suite; // analytic.c
extern const struct validation_suite tsunami_lab_suite;      // lab.c
extern const struct validation_suite tsunami_field_suite;    // field.c

enum status tsunami_case_step(struct validation_run *run);        // step.c
enum status tsunami_case_basin(struct validation_run *run);       // basin.c
enum status tsunami_case_geostrophic(struct validation_run *run); // geostrophic.c
enum status tsunami_case_beach(struct validation_run *run);       // beach_closed.c
enum status tsunami_case_canal(struct validation_run *run);       // bowl.c
enum status tsunami_case_bowl_plane(struct validation_run *run);  // bowl.c
enum status tsunami_case_bowl_curved(struct validation_run *run); // bowl.c
enum status tsunami_case_stoker(struct validation_run *run);      // dam.c
enum status tsunami_case_ritter(struct validation_run *run);      // dam.c
enum status tsunami_case_lake(struct validation_run *run);        // lake.c
enum status tsunami_case_bp1(struct validation_run *run);         // beach_lab.c
enum status tsunami_case_bp4(struct validation_run *run);         // beach_lab.c
enum status tsunami_case_bp4_table(struct validation_run *run);   // beach_lab.c
enum status tsunami_case_bp2(struct validation_run *run); // composite.c; context: int, which of a, b, c
enum status tsunami_case_bp6(struct validation_run *run); // island.c; context: int, which of a, b
enum status tsunami_case_bp7(struct validation_run *run); // monai.c
extern const char *const tsunami_bp1_files[],
    *const tsunami_bp2_files[3][3], *const tsunami_bp4_files[], *const tsunami_bp4_table_files[],
                                                                    *const tsunami_bp6_files[2][3],
                                                                        *const tsunami_bp7_files[];
enum status tsunami_case_bp9(struct validation_run *run); // okushiri.c
extern const char *const tsunami_bp9_files[];
enum status tsunami_case_sift(struct validation_run *run); // sift.c
extern const char *const tsunami_sift_files[];
enum status tsunami_case_okada_table(struct validation_run *run); // okada.c
enum status tsunami_case_okada_file(
    struct validation_run *run); // okada.c; context: struct tsunami_okada_file

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
