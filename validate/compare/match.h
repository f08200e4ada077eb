// Two variables side by side: which dimension of the one is which of the other, and how the values' units
// convert. Reads coordinates, no values.
#ifndef FATHOM_VALIDATE_COMPARE_MATCH_H
#define FATHOM_VALIDATE_COMPARE_MATCH_H

#include "validate/compare/axis.h"

struct compare_side {
    const struct dataset *file;
    const struct dataset_variable *variable;
    struct netcdf_packing packing;
    double multiplier, divisor, offset; // value · multiplier / divisor + offset is in the run's units
};

// The axes span the pairs, in the order of the run's dimensions; those that only the reference has come first
// and have one pair. The last varies fastest.
struct compare_match {
    struct compare_side sides[COMPARE_SIDES];
    int rank;
    struct compare_axis axes[COMPARE_AXES_MAX];
};

// Matches. STATUS_DATA: not comparable. compare_match_free in any case.
enum status compare_match(const struct dataset *run_file, const struct dataset_variable *run,
                          const struct dataset *reference_file, const struct dataset_variable *reference,
                          const struct compare_request *request, const struct compare_remarks *remarks,
                          struct compare_match *match);
void compare_match_free(struct compare_match *match);

// Auxiliary coordinates (attribute `coordinates`: positions of stations, nodes of curvilinear grids) of both
// variables must say the same places. Reads their values in blocks. Where stations were matched by name,
// positions that differ are noted only. STATUS_DATA names the first place that differs.
enum status compare_match_check_places(const struct compare_match *match, size_t buffer_values,
                                       const struct compare_remarks *remarks);

#endif
