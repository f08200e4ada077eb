// What the values of a NIfTI image are, as far as its name, header and values tell: the format has no place
// for a quantity; and whether a run takes a file for what it is. Internal to cli/info*.c.
#ifndef FATHOM_CLI_INFO_MEANING_H
#define FATHOM_CLI_INFO_MEANING_H

#include "io/nifti.h"
#include "models/bioheat/input_check.h"

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

enum info_use { INFO_NOTHING, INFO_LABELS, INFO_PRESSURE, INFO_TEMPERATURE, INFO_CT };

struct info_meaning {
    enum info_use use;  // of which `job` has the lines
    const char *units;  // that these lines give; NULL: the file's
    const char *table;  // of labels; NULL: none is known
    const char *says;   // "a pressure amplitude of BabelBrain's, in Pa"; "": nothing tells
    struct cJSON *job;  // the lines of a job, owned by the caller; NULL: none
    const char *decide; // what the user has to find out; "": nothing
};

// False where the image's name or header says that it is something else.
bool info_meaning_may_be_labels(const struct nifti_info *image);

struct info_meaning info_meaning_of(const struct nifti_info *image, const struct info_values *values);

// `text`: the message with which a run refuses a file for this use; left as it is where it does not. The file
// is read through.
enum { INFO_REFUSED_BYTES = 1024 };
void info_refused(enum info_use use, const struct bioheat_input *input, char text[INFO_REFUSED_BYTES]);

#endif
