// Results of the program in the test's folder (cli_fixture.h), read back through netCDF-C and cJSON. Knows
// the files, nothing of the program's inside. What goes wrong in here fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_CLI_RESULTS_H
#define FATHOM_TESTS_SUPPORT_CLI_RESULTS_H

#include "tests/support/cli_program.h"

#include <cjson/cJSON.h>

// What the functions here and in cli_fixture.h return as JSON or as an array is the test's (owned.h). This
// one gives it JSON of the test's own making.
cJSON *cli_own_json(cJSON *json);

// A JSON file. An item, a number or a text in it by its path ("fit.stations.0.name"), failing if it is
// missing, and how many items a list has.
cJSON *cli_read_json(const char *name);
cJSON *cli_output_json(const struct cli_result *result); // standard output
const cJSON *cli_item(const cJSON *json, const char *key);
double cli_json_number(const cJSON *json, const char *key);
// The number is the expected one as cJSON writes it: with 15 digits where these are within DBL_EPSILON of it.
void cli_expect_number(const cJSON *json, const char *key, double expected);
const char *cli_text(const cJSON *json, const char *key);
int cli_count(const cJSON *json, const char *key);
double cli_run_number(const char *directory, const char *key); // of DIRECTORY/run.json
// Whether DIRECTORY/run.json has a warning with both fragments.
bool cli_has_warning(const char *directory, const char *first, const char *second);

// Values of a variable as doubles; optionally their number and its shape (up to 4 lengths).
double *cli_read_variable(const char *file, const char *variable, size_t *count, size_t *shape);
// One that must have so many values.
double *cli_read_values(const char *file, const char *variable, size_t expected);
// Largest |a − b| of a variable of two files, which has its missing values in the same places.
double cli_difference(const char *file, const char *other, const char *variable);
size_t cli_dimension(const char *file, const char *dimension);
bool cli_has_variable(const char *file, const char *variable);
// Attribute text; variable NULL = global. One static buffer.
const char *cli_attribute(const char *file, const char *variable, const char *attribute);
// A number; `otherwise` if it is not there.
double cli_number_attribute(const char *file, const char *variable, const char *attribute, double otherwise);

// Both files have the same dimensions and the same variables with the same bits in them. Attributes are not
// compared.
void cli_assert_same_data(const char *file, const char *expected);
// The same for several files whose records, one after the other, make up those of the expected file.
void cli_assert_same_joined(const char *const *files, int count, const char *expected);
// For every result file of a folder: *.nc of `expected` are in `directory` too, the same; and no others.
void cli_assert_same_results(const char *directory, const char *expected);

#endif
