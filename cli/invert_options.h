// The command line of `fathom invert`: options, and the stations that they name. Internal to cli/invert*.c.
#ifndef FATHOM_CLI_INVERT_OPTIONS_H
#define FATHOM_CLI_INVERT_OPTIONS_H

#include "core/status.h"
#include "models/tsunami/forecast/invert_stations.h"

#include <stdbool.h>
#include <stddef.h>

enum { INVERT_TEXTS_MAX = 2 * INVERT_STATIONS_MAX };

struct invert_texts {
    size_t count;
    const char *texts[INVERT_TEXTS_MAX];
};

// Texts are the command line's own.
struct invert_options {
    const char *database, *output, *gauges, *observations, *fit, *forecast, *sources, *slips, *table, *origin;
    struct invert_texts observed, windows, weights;
    double skip_lines;   // of the files of --observed
    double delay_s;      // NaN: not given
    double far_field_m;  // depth of the ocean; 0: no correction
    size_t memory_bytes; // of the series, at most
    double damping, rigidity_pa;
    struct invert_bound shift;
    bool has_offsets, as_json, has_no_picture;
};

// False: the command ends here with *code (after help or a reported mistake).
bool invert_options_read(int argc, char **argv, struct invert_options *options, int *code);

// The stations: those of the list of gauges that --fit and --forecast name (without either: all that have a
// record), and those of --observed; with their windows and weights. STATUS_USAGE: an unknown station, one
// without record, named twice, or too many; an invalid window or weight. Statuses of gauge_list_read,
// path_find.
enum status invert_options_stations(const struct invert_options *options,
                                    struct invert_choice choices[INVERT_STATIONS_MAX], size_t *count);

// For --slips: takes from slips.json of an earlier fit the windows and shifts of its stations, where the
// command line gives none, its delay, and whether there are offsets. Does nothing for slips given as text, or
// for a file without a fit. *is_read: something was taken. STATUS_DATA: the fit is damaged.
enum status invert_given_read(struct invert_options *options, struct invert_choice *choices, size_t count,
                              bool *is_read);

#endif
