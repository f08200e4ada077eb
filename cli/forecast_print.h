// What `fathom forecast` prints: its choices, and the table of points.
#ifndef FATHOM_CLI_FORECAST_PRINT_H
#define FATHOM_CLI_FORECAST_PRINT_H

#include "cli/forecast_choices.h"
#include "io/formats/points_result.h"

// Of a run: its points, and its warnings (texts of a cJSON array; NULL: none).
struct forecast_results {
    const struct points_result *points;
    const struct cJSON *warnings;
};

// ---- what table and document share

// To the nearest minute: "03-11 06:12"; with seconds for machines: "2011-03-11T06:12:07Z".
const char *forecast_clock_text(double epoch_s, bool is_for_machines, char text[40]);
double forecast_value(const struct points_result *result, enum points_quantity quantity, size_t k);
bool forecast_is_skipped(const struct points_result *result, size_t k);
// Whether heights and threat of a point may be higher: the run ended early, or does not resolve the source.
bool forecast_may_be_higher(const struct points_result *result, size_t k);
// Numbers of points in the order of the table, for free; NULL without memory.
size_t *forecast_sort_points(const struct points_result *result);

// ---- what is printed

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
