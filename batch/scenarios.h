// The key "scenarios" of a queue's entry: a table (CSV) with a run in each row.
//   name,   source.earthquake.magnitude, source.earthquake.depth (km), weight
//   north1, 8.6,                         25,                           0.25
// The first line names job keys, "weight" and, if wanted, "name": letters, digits, points, hyphens and
// underscores, which follow the entry's name in the run's. A field is a value as --set takes it: JSON, else a
// text ("25 km", strasser-interface). A unit in parentheses behind a key makes numbers quantities. Fields are
// separated by commas, semicolons or tabs, and may stand in quotes (io/csv_rows.h); lines that begin with #
// are passed over.
#ifndef FATHOM_BATCH_SCENARIOS_H
#define FATHOM_BATCH_SCENARIOS_H

#include "batch/axes.h"

// The sum of the weights may differ from 1 by as much, from rounded decimals.
#define BATCH_WEIGHTS_TOLERANCE 1e-6

enum { BATCH_SCENARIOS_BYTES_MAX = 64000000 };

// Fills the axes' members. `document`: the entry; the file is searched beside its queue first, as job
// files are. count_max: as many runs at most. STATUS_NO_INPUT, STATUS_IO; STATUS_DATA, with file, line,
// column and value: no column weight, a column twice, an unknown unit, a number of fields that is not the
// heading's, an empty field, a weight that is not above 0, weights whose sum is not 1, a name that is
// invalid or there twice, a value that is not a number in a column with a unit. STATUS_CONFIGURATION: a
// column that is not a key, or too many rows.
enum status batch_scenarios_read(const struct job *document, size_t count_max, struct batch_pool **pool,
                                 struct batch_axes *axes);

#endif
