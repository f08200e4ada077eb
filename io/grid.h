// Two-dimensional grids from users' files: bathymetry, displacement, initial states. Reads netCDF (CF and COARDS), MOST
// .most/.corr, ESRI ASCII, Surfer 6 and 7, GeoClaw tt3, one row at a time, so that files larger than memory can be used.
// Knows nothing of models. What it hands out is always: x ascending (west to east), y ascending (south to north).
#ifndef FATHOM_IO_GRID_H
#define FATHOM_IO_GRID_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a value means. GRID_AS_FILE takes `positive`, `standard_name` or the format's own rule; none of them there →
// STATUS_DATA with an error that asks for it ("add \"positive\": \"up\" or \"down\"").
enum grid_positive { GRID_AS_FILE, GRID_POSITIVE_UP, GRID_POSITIVE_DOWN, GRID_PLAIN /* not a depth: no sign rule */ };

enum grid_format {
    GRID_FORMAT_AUTO, // by content first, then by suffix
    GRID_FORMAT_NETCDF,
    GRID_FORMAT_MOST,
    GRID_FORMAT_ESRI_ASCII,
    GRID_FORMAT_SURFER6, // ASCII (DSAA) and binary (DSBB)
    GRID_FORMAT_SURFER7, // DSRB
    GRID_FORMAT_GEOCLAW_TT3,
};

struct grid_request {
    const char *path;       // found already (io/path.h)
    const char *variable;   // NULL = the only two-dimensional variable, else an error that lists them
    enum grid_positive positive;
    const char *units;      // NULL = as the file says; for depth, missing units in the file → an error that asks
    const char *target_units; // values are handed out in these: "m", "m s-1"
    enum grid_format format;
    int64_t time_index;     // which record of a (time, y, x) variable; -1 = it must be the only one
};

struct grid_file;

struct grid_info {
    enum grid_format format;
    const char *variable;
    bool is_geographic; // axes in degrees east and north; else metres
    size_t nx, ny;
    const double *x, *y; // ascending; degrees or metres, as in the file (no shift by 360)
    bool is_x_uniform, is_y_uniform; // to 1e-6 of the spacing (better: to the axis' own rounding)
    bool wraps; // geographic, and the columns go once round the Earth (with or without a repeated last column)
    size_t records; // length of the time dimension, 1 without one
    const double *times_s; // of the records, relative to the first, NULL without a time axis
};

// Opens and checks the header and the axes (strictly monotonic, finite, ≥ 2 nodes, sizes that fit 64 bits, data as
// long as the header promises for the ASCII and binary formats' fixed parts). Values are not read yet.
enum status grid_open(const struct grid_request *request, struct grid_file **file);
void grid_close(struct grid_file *file);
const struct grid_info *grid_info(const struct grid_file *file);

// Reads row `row` (0 = southernmost), columns 0 … nx−1 (west to east), of the request's record, into values (nx
// doubles) in target units: for depths positive DOWN (up when positive is GRID_PLAIN). Missing (fill value,
// missing_value, valid_range, NaN) → NaN. Packed values are unpacked. Rows may be asked for in any order.
enum status grid_read_row(struct grid_file *file, size_t row, double *values);
enum status grid_select_record(struct grid_file *file, size_t record);

// The part of a file, on a stated spacing, that a run uses.
struct grid_window_request {
    bool has_x, has_y;     // else: the whole file
    double x_range[2], y_range[2]; // degrees or metres; longitudes in any convention (−180…180, 0…360, 120…290)
    double spacing[2];     // x, y; 0 = the file's own nodes
    double missing_value;  // used where the file has NaN; NaN = an error that names the place
    double outside_value;  // used outside the file's extent; NaN = an error that says how far it reaches
};

struct grid_window {
    size_t nx, ny;
    double *x, *y; // owned; ascending; longitudes continuous across the antimeridian, starting within the request
    bool is_uniform_x, is_uniform_y;
    bool is_geographic;
    bool covers_globe; // the columns go once round, without repetition: may be run periodic in longitude
};

// Works out the nodes: those of the file inside the range (spacing 0), or a uniform grid from the range's lower-left
// corner (nodes ON the lower corner; upper end included if it falls on a node within 1e-6 of a spacing). Any window on
// a wrapping file may cross the antimeridian. A range outside the file (after trying ±360°), a window of < 4 × 4 nodes,
// or more than 2³¹ columns or rows, or > 10¹¹ nodes → STATUS_DATA/CONFIGURATION saying which.
enum status grid_window_resolve(const struct grid_file *file, const struct grid_window_request *request,
                                struct grid_window *window);
void grid_window_free(struct grid_window *window);

// Streams the window row by row, bilinear between the file's nodes (exactly the file's value where nodes coincide).
// For `spacing` coarser than the file the value is still the bilinear point value (state it; no averaging).
// Opening allocates its row buffers; reading does not.
struct grid_sampler;
enum status grid_sampler_open(struct grid_file *file, const struct grid_window *window,
                              const struct grid_window_request *request, struct grid_sampler **sampler);
enum status grid_sampler_row(struct grid_sampler *sampler, size_t row, double *values); // nx doubles; rows in any order
void grid_sampler_close(struct grid_sampler *sampler);

// Writes a grid to a CF-1.8 netCDF-4 file (under a temporary name, synced, renamed). Rows are asked for through `row`.
struct grid_write {
    const char *path, *variable, *standard_name, *long_name, *units;
    const char *positive; // "up", "down" or NULL
    const char *history, *source_file;
    bool is_geographic;
    size_t nx, ny;
    const double *x, *y;
    bool compress;
    void *context;
    enum status (*row)(void *context, size_t row, double *values);
};
enum status grid_write_netcdf(const struct grid_write *request);

#endif
