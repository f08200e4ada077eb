// Small files of waves over time, latitude and longitude, as the program writes them or as NOAA's propagation
// database has them, with values by a function. Header only. What goes wrong in
// here fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_PROPAGATION_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_PROPAGATION_FIXTURE_H

#include "tests/support/netcdf_maker.h"

enum { WAVE_RECORDS = 5, WAVE_ROWS = 6, WAVE_COLUMNS = 8 };

// In m or m/s; NaN: land.
typedef double wave_function(double time_s, double latitude, double longitude);

struct wave_file {
    const char *variable, *units, *time_units; // NULL: without the attribute
    double per_si;                             // numbers of the file for one of m or m/s
    nc_type type;
    int mode;            // of netCDF
    const char *axes[3]; // names
    bool is_north_first, has_missing_value;
    double turn;                                                                // added to longitudes
    double times[WAVE_RECORDS], latitudes[WAVE_ROWS], longitudes[WAVE_COLUMNS]; // ascending
    wave_function *value;
};

// Uneven in latitude, as MOST's grids are.
static inline struct wave_file wave_file_of(bool is_noaa, wave_function *value)
{
    struct wave_file f = {.value = value, .type = NC_FLOAT, .axes = {"time", "lat", "lon"}};
    f.variable = is_noaa ? "HA" : "eta";
    f.units = is_noaa ? "CENTIMETERS" : "m";
    f.time_units = is_noaa ? "SECONDS" : "seconds since 2011-03-11 05:46:24";
    f.per_si = is_noaa ? 100 : 1;
    f.mode = is_noaa ? NC_64BIT_OFFSET : NC_NETCDF4;
    f.has_missing_value = is_noaa;
    if (is_noaa) {
        f.axes[0] = "TIME";
        f.axes[1] = "LAT";
        f.axes[2] = "LON";
    }
    for (int k = 0; k < WAVE_RECORDS; k++)
        f.times[k] = 60.0 * k;
    for (int k = 0; k < WAVE_ROWS; k++)
        f.latitudes[k] = 30 + 0.5 * k + 0.01 * k * k;
    for (int k = 0; k < WAVE_COLUMNS; k++)
        f.longitudes[k] = 140 + 0.5 * k;
    return f;
}

static inline double *wave_values(const struct wave_file *f)
{
    double *values = owned_zeros(WAVE_RECORDS * WAVE_ROWS * WAVE_COLUMNS, sizeof *values);
    for (size_t t = 0, at = 0; t < WAVE_RECORDS; t++)
        for (size_t j = 0; j < WAVE_ROWS; j++)
            for (size_t i = 0; i < WAVE_COLUMNS; i++) {
                const double value = f->value(
                    f->times[t], f->latitudes[f->is_north_first ? WAVE_ROWS - 1 - j : j], f->longitudes[i]);
                values[at++] = !isnan(value) ? value * f->per_si : f->variable[1] == 'A' ? -1e34 : value;
            }
    return values;
}

static inline void wave_file_write(const char *path, const struct wave_file *f)
{
    const int file = make_file(path, f->mode);
    double latitudes[WAVE_ROWS], longitudes[WAVE_COLUMNS], *values = wave_values(f);
    for (int j = 0; j < WAVE_ROWS; j++)
        latitudes[j] = f->latitudes[f->is_north_first ? WAVE_ROWS - 1 - j : j];
    for (int i = 0; i < WAVE_COLUMNS; i++)
        longitudes[i] = f->longitudes[i] + f->turn;
    const int dimensions[3] = {make_axis(file, f->axes[0], f->time_units, WAVE_RECORDS, f->times),
                               make_axis(file, f->axes[1], "degrees_north", WAVE_ROWS, latitudes),
                               make_axis(file, f->axes[2], "degrees_east", WAVE_COLUMNS, longitudes)};
    const int variable = make_variable(file, f->variable, f->type, f->units, 3, dimensions);
    const double missing = -1e34;
    if (f->has_missing_value) // in double beside floats, as some copies have it
        NC(nc_put_att_double(file, variable, "missing_value", NC_DOUBLE, 1, &missing));
    make_values(file, variable, values);
    NC(nc_close(file));
}

// gauges.nc of two stations, "near" at 30.5 N 140.5 E and "far" at 32 N 143 E, each minute, with eta.
static inline void wave_gauges_write(const char *path, wave_function *value)
{
    static const char names[2][8] = {"near", "far"};
    static const double latitudes[2] = {30.5, 32}, longitudes[2] = {140.5, 143};
    double times[WAVE_RECORDS], values[WAVE_RECORDS][2];
    for (int t = 0; t < WAVE_RECORDS; t++) {
        times[t] = 60.0 * t;
        for (int s = 0; s < 2; s++)
            values[t][s] = value(times[t], latitudes[s], longitudes[s]);
    }
    const int file = make_file(path, NC_NETCDF4);
    const int time = make_axis(file, "time", "s", WAVE_RECORDS, times),
              station = make_dimension(file, "station", 2);
    const int both[2] = {time, station}, texts[2] = {station, make_dimension(file, "letters", 8)};
    const int name = make_variable(file, "name", NC_CHAR, NULL, 2, texts);
    make_text(file, name, "cf_role", "timeseries_id");
    NC(nc_enddef(file));
    NC(nc_put_var_text(file, name, &names[0][0]));
    make_field(file, "lon", "degrees_east", 1, &station, longitudes);
    make_field(file, "lat", "degrees_north", 1, &station, latitudes);
    const int eta = make_variable(file, "eta", NC_FLOAT, "m", 2, both);
    make_values(file, eta, &values[0][0]);
    NC(nc_close(file));
}

#endif
