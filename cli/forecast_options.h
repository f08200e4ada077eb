// The command line of `fathom forecast`.
#ifndef FATHOM_CLI_FORECAST_OPTIONS_H
#define FATHOM_CLI_FORECAST_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

// NULL and NaN: not given.
struct forecast_options {
    const char *event_path, *points;
    // Of the job's block domain.bathymetry, as they are written there.
    const char *bathymetry, *variable, *positive, *axes, *units, *missing;
    bool overrides;
    // Of the job's block source.earthquake, as they are written there; and source.faults_reference.
    const char *event, *plane, *relation, *magnitude, *longitude, *latitude, *depth, *strike, *dip, *rake,
        *reference;
    bool restarts;
    const char *origin;                   // time.origin
    double hours, after_h, within_s;      // after_h and within_s have defaults
    double spacing_arcmin, domain_deg[4]; // west, east, south, north
    const char *method, *threat;
    const char *directory, *backend, *threads, *verify, *time_limit; // as given; directory has a default
    int threads_number;                                              // 0: all
    double utc_offset_h;
    bool has_utc_offset, is_dry, is_quiet, as_json;
    bool keeps_places; // though their longitudes and latitudes look exchanged
};

// False: the command ends with *code, after --help or a reported mistake.
bool forecast_options_read(int argc, char **argv, struct forecast_options *options, int *code);

#endif
