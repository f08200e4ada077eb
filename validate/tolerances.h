// The tolerances of all validations, read from one data file, each with its source. Independent of suites.
//
//   {
//     "fathom_tolerances": 1,
//     "comment": "...",                       (optional)
//     "tolerances": {
//       "SUITE/NAME": {"kind": "relative", "value": 0.05, "unit": "1", "source": "PMEL-135, table 2"},
//       ...
//     }
//   }
// kind: absolute, relative, order, rms or at-least (validate/suite.h). unit: that of an absolute or at-least
// tolerance, "1" otherwise.
#ifndef FATHOM_VALIDATE_TOLERANCES_H
#define FATHOM_VALIDATE_TOLERANCES_H

#include "core/status.h"
#include "validate/suite.h"

#define TOLERANCES_FILE "validation/tolerances.json" // found by io/path.h

struct tolerance {
    const char *name, *unit, *source; // owned by the table
    enum validation_kind kind;
    double value;
};

// Reads the file and checks every entry, used or not. STATUS_NO_INPUT: cannot be opened. STATUS_DATA: not
// JSON (the message gives line and column), or an invalid entry (the message gives file and entry).
enum status tolerances_read(const char *path, struct tolerance_table **table);
void tolerances_free(struct tolerance_table *table); // NULL: does nothing

// Finds a tolerance by its full name. STATUS_DATA: missing; the message gives file, name and nearest name.
enum status tolerances_find(const struct tolerance_table *table, const char *name,
                            const struct tolerance **tolerance);

#endif
