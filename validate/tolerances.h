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

// Reads the file. STATUS_NO_INPUT: cannot be opened. STATUS_DATA: not JSON (with line and column), or an
// entry that is not as above, naming file and entry: every one is checked, used or not.
enum status tolerances_read(const char *path, struct tolerance_table **table);
void tolerances_free(struct tolerance_table *table); // NULL: does nothing

// By its full name. Not there → STATUS_DATA, naming the file, the entry and the nearest known one.
enum status tolerances_find(const struct tolerance_table *table, const char *name,
                            const struct tolerance **tolerance);

#endif
