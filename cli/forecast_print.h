// What `fathom forecast` prints: its choices, and the table of points.
#ifndef FATHOM_CLI_FORECAST_PRINT_H
#define FATHOM_CLI_FORECAST_PRINT_H

#include "cli/forecast_choices.h"
#include "io/points_result.h"

// Of a run: its points, and its warnings (texts of a cJSON array; NULL: none).
struct forecast_results {
    const struct points_result *points;
    const struct cJSON *warnings;
};

// The event, the choices and the reason of each.
void forecast_print_choices(const struct forecast_choices *choices, const char *job_path);

// The points sorted by arrival; those without one, and then those without a node, last; the warnings of the
// run below them. Coloured by threat where standard output is a terminal and NO_COLOR is not set.
enum status forecast_print_table(const struct forecast_choices *choices,
                                 const struct forecast_results *results);

// One document of event, choices, points and warnings; results NULL: of a dry run.
enum status forecast_print_json(const struct forecast_choices *choices, const char *job_path,
                                const struct forecast_results *results);

#endif
