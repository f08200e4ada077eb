// Matches the entries of one axis by their coordinates, with units, dates, longitudes modulo 360 degrees,
// tolerances, and interpolation in time.
#ifndef FATHOM_VALIDATE_COMPARE_COORDINATES_H
#define FATHOM_VALIDATE_COMPARE_COORDINATES_H

#include "validate/compare/axis.h"
#include "validate/compare/notes.h"
#include "validate/compare/request.h"

// Both operands must have coordinates. STATUS_DATA: the entries do not match, or the coordinates cannot be
// read or compared.
enum status compare_coordinates_match(struct compare_axis *axis, const struct compare_request *request,
                                      const struct compare_remarks *remarks);

#endif
