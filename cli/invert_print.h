// Output of `fathom invert`: the fit as JSON and as a table, all series as CSV, a picture. Internal to
// cli/invert*.c.
#ifndef FATHOM_CLI_INVERT_PRINT_H
#define FATHOM_CLI_INVERT_PRINT_H

#include "core/status.h"
#include "models/tsunami/forecast/invert.h"
#include "models/tsunami/forecast/invert_stations.h"

#include <stdbool.h>

struct cJSON;

struct invert_report {
    const char *database;
    const struct invert_request *request;
    const struct invert_data *data;
    const struct invert_choice *choices;
    const struct invert_result *result;
    const struct invert_left_out *left_out; // [stations]
    bool is_given;                          // the slips were given: nothing was fitted
    bool is_as_fitted;                      // with the windows, the delay and the shifts of their own fit
    double magnitude;                       // NaN: unknown
    double rigidity_pa;
};

// "fitted", "forecast", or "compared" where given slips do not say what the station was.
const char *invert_role_name(enum invert_role role);

// "fit" of slips.json. NULL: no memory.
struct cJSON *invert_fit_json(const struct invert_report *report);

// Sources, stations and totals on standard output.
void invert_print_text(const struct invert_report *report);

// Below it, if something was fitted to two stations or more: each of them left out in turn.
void invert_print_left_out(const struct invert_report *report);

// On standard error: stations that spoil the others.
void invert_warn(const struct invert_report *report);

// station, time_s, observed_m, fitted_m (empty where a source has ended), in_window: replaced as a whole.
// STATUS_CANNOT_CREATE, STATUS_IO.
enum status invert_write_csv(const struct invert_report *report, const char *path);

// A panel for each station (the first PICTURE_STATIONS_MAX) as `name` in the folder. STATUS_SYSTEM: no
// gnuplot.
enum { INVERT_PICTURE_STATIONS_MAX = 12 };
enum status invert_draw(const struct invert_report *report, const char *folder, const char *name);

#endif
