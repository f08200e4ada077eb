// What the values of a NIfTI image are, as far as its name, header and values tell: the format has no place
// for a quantity. Internal to cli/info*.c.
#ifndef FATHOM_CLI_INFO_MEANING_H
#define FATHOM_CLI_INFO_MEANING_H

#include "io/nifti.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

// Of the first record.
struct info_values {
    double least, most; // of the finite ones
    size_t not_finite;
    bool are_labels;  // whole numbers from 0 to 255
    size_t different; // of labels: how many
};

struct info_meaning {
    const char *says;   // "a pressure amplitude of BabelBrain's, in Pa"; "": nothing tells
    struct cJSON *job;  // the lines of a job, owned by the caller; NULL: none
    const char *decide; // what the user has to find out; "": nothing
};

// False where the image's name or header says that it is something else.
bool info_meaning_may_be_labels(const struct nifti_info *image);

struct info_meaning info_meaning_of(const struct nifti_info *image, const struct info_values *values);

#endif
