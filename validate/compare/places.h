// Auxiliary coordinates of two matched variables: positions of stations, nodes of curvilinear grids.
#ifndef FATHOM_VALIDATE_COMPARE_PLACES_H
#define FATHOM_VALIDATE_COMPARE_PLACES_H

#include "validate/compare/match.h"

// The auxiliary coordinates (attribute `coordinates`) of both variables must be equal. Reads their values in
// blocks. Where stations were matched by name, positions that differ are only noted. STATUS_DATA names the
// first one that differs.
enum status compare_places_check(const struct compare_match *match, size_t buffer_values,
                                 const struct compare_remarks *remarks);

#endif
