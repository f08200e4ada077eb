// Matches the entries of one axis by their coordinates: units, dates, longitudes round the circle,
// tolerances, times between times.
#ifndef FATHOM_VALIDATE_COMPARE_COORDINATES_H
#define FATHOM_VALIDATE_COMPARE_COORDINATES_H

#include "validate/compare/axis.h"
#include "validate/compare/notes.h"
#include "validate/compare/request.h"

// Both operands have coordinates. STATUS_DATA: the entries do not belong together, or the coordinates cannot
// be read or compared.
enum status compare_coordinates_match(struct compare_axis *axis, const struct compare_request *request,
                                      const struct compare_remarks *remarks);

#endif
