// The medium of a run: its keys, its files, and the arrays of the solvers. Before the plan: headers, and a
// first pass over the values for labels and the stable step. After the seal: the values. Independent of
// solvers.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_DOMAIN_H
#define FATHOM_MODELS_BIOHEAT_BODY_DOMAIN_H

#include "core/memory_plan.h"
#include "io/formats/nifti_place.h"
#include "io/job/job.h"
#include "models/bioheat/body/body.h"
#include "models/bioheat/body/start_rates.h"
#include "models/bioheat/body/tissues.h"

struct bioheat_domain; // opaque

// Block `domain`: which kind of medium; sets body->grid but for its faces. Headers only. The job and
// `body` must outlive it. *domain is made also on failure (or NULL).
enum status bioheat_domain_open(const struct job *job, struct bioheat_body *body,
                                struct bioheat_domain **domain);
void bioheat_domain_close(struct bioheat_domain *domain); // NULL: does nothing

struct volume_info;
// Whether the cells of a file have a size and a place that tissue can have. STATUS_DATA: they do not.
enum status bioheat_check_places(const struct volume_info *info);

// Block `tissues`, or the uniform medium's: the table, body->label_names, body->safety_dose_min. After
// the blood.
enum status bioheat_domain_read_tissues(struct bioheat_domain *domain);

// Checks all values: labels in use have a tissue, numbers are valid. Finds the limit of explicit steps.
enum status bioheat_domain_survey(struct bioheat_domain *domain, struct bioheat_limit *limit);

// After the survey, once the job is known to be right: how many cells each tissue has, and what is doubtful
// about that.
void bioheat_domain_tell(const struct bioheat_domain *domain);

// After the survey, before the plan: reads the media once more, with the temperatures at the start.
enum status bioheat_domain_start_rates(struct bioheat_domain *domain, bioheat_read_theta *read, void *context,
                                       struct bioheat_start_rates *rates);

// After the survey: how the tissue of each label absorbs sound of a frequency; 0 for labels that take no
// heat.
// STATUS_CONFIGURATION: full fields, or a tissue that lacks a number.
enum status bioheat_domain_acoustics(const struct bioheat_domain *domain, double frequency_hz,
                                     struct bioheat_acoustics acoustics[BIOHEAT_LABELS]);
// The NIfTI image from which the labels are read; NULL: they are not.
const char *bioheat_domain_image_path(const struct bioheat_domain *domain);
// The tissue of a label, with the job's numbers.
const struct bioheat_tissue *bioheat_domain_tissue(const struct bioheat_domain *domain, int label);
// After the survey: a number that tells volumes of labels apart, in words; "": the domain has none.
const char *bioheat_domain_label_hash(const struct bioheat_domain *domain);
// After the survey: how many cells have a label.
size_t bioheat_domain_label_cells(const struct bioheat_domain *domain, int label);
// The tissue's name of a label.
const char *bioheat_domain_label_name(const struct bioheat_domain *domain, int label);
// Whether a label that is void or of fixed temperature may stand for tissue: it is named as one, or nothing
// names it and it is not 0, the outside of a segmentation. Of "air" and "water" false.
bool bioheat_domain_is_unsolved_tissue(const struct bioheat_domain *domain, int label);
// The labels of plane z, between the survey and the plan; later they lie in the media. `planes`: scratch of
// two planes.
enum status bioheat_domain_read_labels(struct bioheat_domain *domain, size_t z, uint8_t *labels,
                                       double *planes);

// So the roles (enum bioheat_role) of the cells of plane z. `planes`: scratch of three planes.
enum status bioheat_domain_read_roles(struct bioheat_domain *domain, size_t z, uint8_t *roles,
                                      double *planes);

// So how far 1 J/m3 warms each cell of plane z (K): 0 of cells that are no tissue. `planes`: scratch of three
// planes.
enum status bioheat_domain_read_warming(struct bioheat_domain *domain, size_t z, double *warming,
                                        double *planes);

enum status bioheat_domain_plan(struct bioheat_domain *domain, struct memory_plan *plan);

// On the I/O thread: reads the arrays.
enum status bioheat_domain_prepare(struct bioheat_domain *domain);

// Valid from bioheat_domain_open on; its arrays' contents after bioheat_domain_prepare.
const struct bioheat_media *bioheat_domain_media(const struct bioheat_domain *domain);

// How the grid lies in the NIfTI image from which it was read, directly or by fathom convert; NULL: in none.
const struct nifti_place *bioheat_domain_place(const struct bioheat_domain *domain);

// Adds what a CT gives (domain.ct) to a report; nothing without one.
struct cJSON;
void bioheat_domain_describe_ct(const struct bioheat_domain *domain, struct cJSON *media);

int bioheat_domain_inputs(const struct bioheat_domain *domain, const char **paths);

#endif
