// Matches the entries of one axis by the names of stations.
#ifndef FATHOM_VALIDATE_COMPARE_LABELS_H
#define FATHOM_VALIDATE_COMPARE_LABELS_H

#include "validate/compare/axis.h"
#include "validate/compare/notes.h"
#include "validate/compare/request.h"

// `names`: the variables that hold them. STATUS_DATA: a name occurs twice, or in one file only.
enum status compare_labels_match(struct compare_axis *axis, const struct dataset_variable *const names[2],
                                 const struct compare_request *request,
                                 const struct compare_remarks *remarks);

#endif
