// Job → checked numbers (settings.h): the job and the headers of its files are read, tables too.
// body/domain.h reads the arrays of the grid.
#ifndef FATHOM_MODELS_BIOHEAT_PARAMS_H
#define FATHOM_MODELS_BIOHEAT_PARAMS_H

#include "io/job/job.h"
#include "models/bioheat/settings.h"

extern const struct job_key_table bioheat_keys;
extern const char *const bioheat_field_names[BIOHEAT_FIELD_COUNT];
extern const char *const bioheat_image_names[BIOHEAT_IMAGES]; // of output.nifti; output_nifti.c
// The words of the keys, by their enumerations; "z_low" … "x_high".
enum { BIOHEAT_WORDS = 5 };
extern const char *const bioheat_methods[BIOHEAT_WORDS], *const bioheat_doses[BIOHEAT_WORDS],
                                                             *const bioheat_face_kinds[BIOHEAT_WORDS],
                                                                 *const bioheat_face_names[BIOHEAT_AXES][2];

// Attributes of state.nc: the definitions of its `dose` and `second_dose`, in the words of bioheat_doses.
extern const char *const bioheat_dose_attributes[2];

// Reads the job, headers and tables; reads the media once, for the labels in use and the stable step;
// bioheat_step_choose (step.h) follows. The job and `p` must stay where they are until bioheat_params_free.
// STATUS_CONFIGURATION, STATUS_NO_INPUT, STATUS_DATA: the mistake, with its key, file and position.
enum status bioheat_params_read(const struct job *job, struct bioheat_params *p);
void bioheat_params_free(struct bioheat_params *p); // also after a failure

// Paths of the input files (not the source's); at most MODEL_INPUTS_MAX / 2; returns how many.
int bioheat_params_inputs(const struct bioheat_params *p, const char **paths);

// params_output.c: the block `output`; after the grid.
enum status bioheat_params_read_outputs(const struct job *job, struct bioheat_params *p);

#endif
