// Results of the program in the test's folder (cli_fixture.h), read back through netCDF-C and cJSON. Knows
// the files, nothing of the program's inside. What goes wrong in here fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_CLI_RESULTS_H
#define FATHOM_TESTS_SUPPORT_CLI_RESULTS_H

#include "tests/support/cli_program.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

// What the functions here and in cli_fixture.h return as JSON or as an array belongs to the fixture, which
// releases it at the test's end. These two take what a test makes itself.
struct cJSON *cli_own_json(struct cJSON *json);
void *cli_own(void *allocated);
void cli_release(void);

// A JSON file; a number in it by its path ("memory.planned_bytes"), failing if it is not there.
struct cJSON *cli_read_json(const char *name);
struct cJSON *cli_output_json(const struct cli_result *result); // standard output
double cli_json_number(const struct cJSON *json, const char *key);
double cli_run_number(const char *directory, const char *key); // of DIRECTORY/run.json
// Whether DIRECTORY/run.json has a warning with both fragments.
bool cli_has_warning(const char *directory, const char *first, const char *second);

// Values of a variable as doubles, their number, and optionally its shape (up to 4 lengths).
double *cli_read_variable(const char *file, const char *variable, size_t *count, size_t *shape);
// One that must have so many values.
double *cli_read_values(const char *file, const char *variable, size_t expected);
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
