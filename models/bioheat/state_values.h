// What a state.nc may hold, so that nothing else decides a verdict: the units of its variables, and the
// values of its cells. Independent of jobs and of the memory plan.
#ifndef FATHOM_MODELS_BIOHEAT_STATE_VALUES_H
#define FATHOM_MODELS_BIOHEAT_STATE_VALUES_H

#include "io/netcdf/dataset.h"
#include "models/bioheat/state.h"

enum bioheat_state_field {
    BIOHEAT_STATE_RISE,
    BIOHEAT_STATE_DOSE,
    BIOHEAT_STATE_LARGEST,
    BIOHEAT_STATE_LARGEST_AT,
    BIOHEAT_STATE_SECOND_DOSE,
    BIOHEAT_STATE_FIELDS
};

// Names and units of the variables, as output_streams.c writes them.
struct bioheat_state_text {
    const char *name, *units;
};
extern const struct bioheat_state_text bioheat_state_texts[BIOHEAT_STATE_FIELDS];

// STATUS_DATA unless the variable states these units, or others that are the same.
enum status bioheat_state_check_units(const char *path, const struct dataset_variable *variable,
                                      const char *units);

// A number of the file: a variable without dimensions, in these units, from `least` to `most`. STATUS_DATA
// with the value and what was expected.
struct bioheat_state_number {
    const char *name, *units;
    double least, most;
    bool is_whole;
};
enum status bioheat_state_read_number(const struct dataset *file, const struct bioheat_state_number *number,
                                      double *value);

// Cells, of which values[field][i] is number first + i of the file; NULL: not looked at.
struct bioheat_state_cells {
    const char *path;
    const char *names[BIOHEAT_STATE_FIELDS]; // of the variables
    const double *values[BIOHEAT_STATE_FIELDS];
    size_t first, count;
    double reference_c, clock_s;
    enum bioheat_dose definitions[2]; // of the dose and the second one
    bool has_largest;                 // whether the file's first cell has a largest temperature
};
// STATUS_DATA, with variable, index, value and what was expected: a value that no run writes.
enum status bioheat_state_check_cells(const struct bioheat_state_cells *cells);

#endif
