// Two-dimensional grids from users' files: bathymetry, displacement, initial states. Reads netCDF (CF and
// COARDS), MOST .most/.corr, ESRI ASCII, Surfer 6 and 7, GeoClaw tt3, GeoTIFF, one row at a time, so that
// files larger than memory can be used. Independent of models. What it returns is always: x ascending (west
// to east), y ascending (south to north).
//
// Memory: the axes, one row, and for text formats 16 bytes a row (where each row starts; found in one scan
// when the file is opened, which also checks the numbers). A row of netCDF-4 chunks is cached, so that each
// chunk is read and inflated once while rows are read in turn: GRID_CHUNK_CACHE_BYTES at most, more (up to
// GRID_CHUNK_CACHE_BYTES_MOST) where that is less than an eighth of the machine's memory, and always one
// chunk. A variable with dimensions (x, y) instead of (y, x) is read through a block of at most
// GRID_BLOCK_BYTES. HDF5 keeps one cache per variable of a file, however often it is open: what was opened
// first must have set it, so a program opens a file here before it opens it in any other way.
#ifndef FATHOM_IO_GRID_GRID_H
#define FATHOM_IO_GRID_GRID_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GRID_CHUNK_CACHE_BYTES = 256 << 20,
    GRID_CHUNK_CACHE_BYTES_MOST = 1 << 30,
    GRID_BLOCK_BYTES = 32 << 20,
    GRID_NAME_BYTES = 264
};

// The sign of the values. UP and DOWN are the user's statement. If the file itself states the opposite (an
// attribute; MOST, whose values are depths by definition), they are refused unless grid_request.overrides is
// set. They replace the convention of ESRI ASCII and tt3 files, which the files do not state.
enum grid_positive {
    // By `positive`, `standard_name` or the format's own rule; without any of these, opening fails with
    // STATUS_DATA and names the key to set ("add \"positive\": \"up\" or \"down\"").
    GRID_AS_FILE,
    GRID_POSITIVE_UP,
    GRID_POSITIVE_DOWN,
    GRID_PLAIN // not a depth: no sign rule
};

// The kind of the axes. Files with units state it (a user's value against them is an error), and MOST is
// always geographic. Other formats leave it open: numbers that cannot be degrees (beyond −360…720, −90…90)
// are metres; for numbers that could be either, AS_FILE fails with STATUS_DATA, because degrees mistaken for
// metres, or the reverse, make grids that fill all memory. LEAVE_OPEN is for tools that only describe a file:
// such numbers are read as metres, and grid_info.are_axes_open is set.
enum grid_axes_kind { GRID_AXES_AS_FILE, GRID_AXES_GEOGRAPHIC, GRID_AXES_PLANE, GRID_AXES_LEAVE_OPEN };

enum grid_format {
    GRID_FORMAT_AUTO, // by content first, then by suffix
    GRID_FORMAT_NETCDF,
    GRID_FORMAT_MOST,        // positive down; geographic; metres
    GRID_FORMAT_ESRI_ASCII,  // positive up; metres
    GRID_FORMAT_SURFER6,     // ASCII (DSAA) and binary (DSBB); no sign rule; metres
    GRID_FORMAT_SURFER7,     // DSRB; no sign rule; metres
    GRID_FORMAT_GEOCLAW_TT3, // topography: positive up; displacement (mt records): no sign rule; metres
    GRID_FORMAT_GEOTIFF,     // no sign rule; metres unless the file states another unit
};

struct grid_request {
    const char *path;     // found already (io/path.h)
    const char *variable; // NULL = the only two-dimensional variable, else an error that lists them
    enum grid_positive positive;
    // Units of the values; NULL = as in the file, which must state them if there are target_units. Units that
    // contradict the file's are refused unless `overrides` is set.
    const char *units;
    // The user states that `positive` and `units` are right, and that the sign or the units in the file are
    // wrong.
    bool overrides;
    const char *override_word; // the option for `overrides` in messages; NULL: a job's "override": true
    const char *target_units;  // of the values returned ("m", "m s-1"); NULL = as in the file, no conversion
    enum grid_format format;
    int64_t time_index; // record of a (time, y, x) variable, from 0; -1 = the variable must have only one
    enum grid_axes_kind axes;
};

struct grid_file;

struct grid_info {
    enum grid_format format;
    const char *variable;
    const char *file_units;           // of the values in the file ("" = unknown)
    enum grid_positive file_positive; // by the file or its format (GRID_AS_FILE = unknown)
    const char *sign_statement;       // attributes that state it (positive = "up"); "" = none in this file
    // For a warning: the statements of the file that the request's sign or units override; "": none.
    const char *set_aside;
    const char *crs;    // of a GeoTIFF: "EPSG:32654"; "" = none is stated, or it has no code
    bool is_geographic; // axes in degrees east and north; else metres
    bool are_axes_open; // only with GRID_AXES_LEAVE_OPEN: the numbers could be degrees or metres
    size_t nx, ny;
    // Coordinates, ascending; degrees or metres, as in the file (no shift by 360). An axis that is uniform
    // except for the rounding of its numbers is returned uniform: between its first and last node, or, if the
    // columns are periodic, exactly 360 / nx_once apart (ETOPO5 as distributed is 4 % of a spacing off at its
    // end).
    const double *x, *y;
    // Uniform within 1e-6 of the spacing, or within the axis' own rounding (single precision, or decimals).
    bool is_x_uniform, is_y_uniform;
    // The axes are geographic and the columns go round the Earth (with or without a repeated last column).
    bool wraps;
    size_t nx_once; // columns in one revolution: nx, or less where columns are repeated 360 degrees later
    size_t records; // length of the time dimension, 1 without one
    const double *times_s; // of the records, relative to the first, NULL without a time axis
};

const char *grid_format_name(enum grid_format format); // "netCDF", "ESRI ASCII", …

// Finds the format by content, else by suffix. STATUS_NO_INPUT: the file cannot be opened. STATUS_DATA: the
// format is unknown; the message names a recognised other one (gzip, zip, TIFF) and what to do.
enum status grid_identify(const char *path, enum grid_format *format);

// Lists the netCDF variables that could be opened as grids.
enum { GRID_LIST_MAX = 64 };
struct grid_variable_list {
    size_t count;
    char names[GRID_LIST_MAX][GRID_NAME_BYTES];
};
enum status grid_list_variables(const char *path, struct grid_variable_list *list);

// Opens and checks the header and the axes (strictly monotonic, finite, ≥ 2 nodes, sizes that fit 64 bits,
// data as long as the header promises). Values of netCDF and binary files are not read yet; text is scanned
// once. STATUS_CONFIGURATION: the request's sign, units or axes contradict what the file states.
enum status grid_open(const struct grid_request *request, struct grid_file **file);
void grid_close(struct grid_file *file); // NULL: does nothing
const struct grid_info *grid_info(const struct grid_file *file);
const char *grid_path(const struct grid_file *file);
// Most bytes of the file's values that the format's library may cache; 0 unless the file is chunked netCDF-4.
size_t grid_cache_bytes(const struct grid_file *file);

// Reads row `row` (0 = southernmost), columns 0 … nx−1 (west to east), of the request's record, into values
// (nx doubles) in target units: for depths positive DOWN (as in the file when positive is GRID_PLAIN).
// Missing (fill value, missing_value, valid_range, no-data value, blank, NaN) → NaN. Packed values are
// unpacked. Rows in any order. STATUS_DATA: an infinite value, with its place.
enum status grid_read_row(struct grid_file *file, size_t row, double *values);
enum status grid_select_record(struct grid_file *file,
                               size_t record); // STATUS_CONFIGURATION: there are not so many

// Finds the extremes of the record's values. Each row, or chunk of netCDF-4, is read once, in the order of
// the file, for chunks of any shape.
struct grid_scan {
    // About how many rows to read, spread evenly over the file in whole rows of chunks, of which at least
    // four are read; 0: every row.
    size_t rows_most;
    // Receives the rows read so far (fractions too) and the rows to read in all; may be NULL.
    void (*progress)(void *context, double rows_read, double rows);
    void *context;
    // What was found.
    size_t rows, missing;    // rows looked at; values missing in them
    double minimum, maximum; // in target units as grid_read_row gives them; NaN where there is no value
};
enum status grid_scan(struct grid_file *file, struct grid_scan *scan);

// The part of a file, on a stated spacing, that a run uses.
struct grid_window_request {
    bool has_x, has_y; // else: the whole file
    // Degrees or metres; longitudes in any convention (−180…180, 0…360, 120…290), also across the
    // antimeridian as {170, −170}. The window's nodes follow this convention.
    double x_range[2], y_range[2];
    double spacing[2];    // x, y; 0 = the file's own nodes
    double missing_value; // used where the file has NaN; NaN = an error that names the place
    double outside_value; // used outside the file's extent; NaN = an error with the extent
    bool keeps_missing;   // missing values of the file stay NaN (for tools that copy grids)
};

struct grid_window {
    size_t nx, ny;
    // Owned; ascending; longitudes continuous across the antimeridian, starting within the request.
    double *x, *y;
    bool is_uniform_x, is_uniform_y;
    bool is_geographic;
    bool covers_globe; // the columns go once round the Earth, without repetition: periodic runs are possible
};

// Works out the nodes: those of the file inside the range (spacing 0), or a uniform grid from the range's
// lower-left corner (nodes ON the lower corner; upper end included if it falls on a node within 1e-6 of a
// spacing). Without a range, from the file's own first node. Any window on a wrapping file may cross the
// antimeridian. STATUS_CONFIGURATION, saying which: a range outside the file (after trying ±360°) or, without
// an outside_value, reaching beyond its nodes by more than half a spacing of the file (with spacing 0: by
// more than one); an empty range; limits in the wrong order, unless the way eastward from the one to the
// other lies in the file; latitudes beyond ±90°; more than 360° of longitude; < 4 × 4 nodes; more than 2³¹
// columns or rows, or > 10¹¹ nodes.
enum status grid_window_resolve(const struct grid_file *file, const struct grid_window_request *request,
                                struct grid_window *window);
void grid_window_free(struct grid_window *window);

// Streams the window row by row, bilinear between the file's nodes (exactly the file's value where nodes
// coincide, to 1e-6 of a spacing or the rounding of the file's axis, up to 1 % of a spacing). For `spacing`
// coarser than the file the value is still the bilinear point value: nothing is averaged. The window need not
// come from this file: any ascending nodes do. If any of the corners with non-zero weight is missing, the
// value is missing_value. Up to half a spacing of the file beyond its outermost nodes their values hold,
// where there is no outside_value: files of cells end half a cell before their limits. Opening allocates its
// row buffers (three file rows) and the weights; reading does not allocate.
struct grid_sampler;
enum status grid_sampler_open(struct grid_file *file, const struct grid_window *window,
                              const struct grid_window_request *request, struct grid_sampler **sampler);
enum status grid_sampler_row(struct grid_sampler *sampler, size_t row,
                             double *values); // nx doubles; rows in any order
enum status grid_sampler_select_record(struct grid_sampler *sampler,
                                       size_t record); // forgets the buffered rows
void grid_sampler_close(struct grid_sampler *sampler); // NULL: does nothing

// Writes a grid to a CF-1.8 netCDF-4 file (under a temporary name, synced, renamed). `row` provides the rows,
// 0 (southernmost) first. On failure nothing is left behind, and an existing file stays unchanged.
struct grid_write {
    const char *path, *variable;
    const char *standard_name, *long_name, *units; // each may be NULL
    const char *positive;                          // "up", "down" or NULL
    const char *title;                             // NULL = long_name
    const char *history;                           // NULL = none
    const char *source;                            // "Fathom 0.1.0"; NULL = "Fathom"
    const char *source_file;                       // NULL = none; goes into `comment`
    bool is_geographic;
    size_t nx, ny;
    const double *x, *y;
    bool compress;    // shuffle and deflate level 1
    bool is_double;   // else the values are stored as float
    bool has_missing; // rows may hold NaN (_FillValue = NaN); without it a NaN is an error
    void *context;
    enum status (*row)(void *context, size_t row, double *values);
};
enum status grid_write_netcdf(const struct grid_write *request);

#endif
