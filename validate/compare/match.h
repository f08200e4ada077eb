// Matches two variables: the pairs of their dimensions and entries, and the conversion of units. Reads
// coordinates, no values.
#ifndef FATHOM_VALIDATE_COMPARE_MATCH_H
#define FATHOM_VALIDATE_COMPARE_MATCH_H

#include "validate/compare/axis.h"
#include "validate/compare/notes.h"
#include "validate/compare/request.h"

struct compare_operand {
    const struct dataset *file;
    const struct dataset_variable *variable;
    struct netcdf_packing packing;
    double multiplier, divisor, offset; // value · multiplier / divisor + offset is in the run's units
};

// The pairs, by axes in the order of the run's dimensions; the last axis varies fastest. Axes that only the
// reference has come first; they have one pair.
struct compare_match {
    struct compare_operand operands[COMPARE_OPERANDS];
    int rank;
    struct compare_axis axes[COMPARE_AXES_MAX];
};

// Matches two variables. STATUS_DATA: not comparable. Call compare_match_free in any case.
enum status compare_match(const struct dataset *run_file, const struct dataset_variable *run,
                          const struct dataset *reference_file, const struct dataset_variable *reference,
                          const struct compare_request *request, const struct compare_remarks *remarks,
                          struct compare_match *match);
// Reads only the packing and the units of the operands.
enum status compare_match_values(struct compare_match *match, const struct compare_remarks *remarks);
void compare_match_free(struct compare_match *match);

#endif
