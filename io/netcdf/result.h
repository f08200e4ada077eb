// Reads the program's own netCDF files: the list of variables, blocks of values as doubles, and maps over two
// axes reduced to about the size of a picture. Only for files as core/stream.h and io/output/output.h define
// them (ascending axes, [time,] [others,] y, x); for users' grids see io/grid/grid.h. Independent of models
// and pictures.
//
// Not thread-safe (netCDF-C is not).
#ifndef FATHOM_IO_NETCDF_RESULT_H
#define FATHOM_IO_NETCDF_RESULT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { RESULT_RANK_MAX = 4, RESULT_NAME_BYTES = 257, RESULT_UNITS_BYTES = 80 };

struct result_file;

struct result_variable {
    const char *name;
    const char *units; // run_units (io/netcdf/netcdf.h) if the variable has them, else units, else ""
    int rank;          // number of dimensions; variables with more than RESULT_RANK_MAX are not listed
    size_t lengths[RESULT_RANK_MAX];
    const char *dimensions[RESULT_RANK_MAX];
    bool is_text; // characters or strings: read with result_read_texts
};

// Opens a file and lists its variables. STATUS_NO_INPUT: it is missing. STATUS_DATA: it is damaged or not
// netCDF.
enum status result_open(const char *path, struct result_file **file);
void result_close(struct result_file *file); // NULL: does nothing
// Closes the file itself, but keeps the list of its variables.
void result_keep_list(struct result_file *file);
const char *result_path(const struct result_file *file);

size_t result_variable_count(const struct result_file *file);
const struct result_variable *result_variable_at(const struct result_file *file, size_t index);

// Returns the variable of that name, or NULL. `file` may be NULL (then nothing is found).
const struct result_variable *result_find(const struct result_file *file, const char *name);

// Reads a text attribute of a variable, or of the file (variable NULL), cut to `bytes`; "" if it is missing
// or not a text.
void result_attribute(const struct result_file *file, const char *variable, const char *name, char *text,
                      size_t bytes);

// The same for a numeric attribute: up to `most` numbers; returns how many. 0: it is missing or not numeric.
size_t result_numbers(const struct result_file *file, const char *variable, const char *name, double *values,
                      size_t most);

// The units in which a reader takes a variable's numbers. A list ends with {NULL, NULL}.
struct result_units {
    const char *variable, *units;
};

// From here on the numbers of the variables of the list are read in these units, if the file states others
// (it was edited). A variable that states none, or "1", is taken to be in them; times that count from a date
// ("hours since ...") keep it. STATUS_DATA, naming file and variable: units that cannot be converted.
enum status result_take_units(struct result_file *file, const struct result_units *list);

// Reads the block start[k] … start[k] + count[k] − 1 (one entry per dimension, in the file's order) into
// `values` (product of the counts). Missing values become NaN. Unknown variable, text or a block that does
// not fit → STATUS_DATA.
enum status result_read(const struct result_file *file, const char *variable, const size_t *start,
                        const size_t *count, double *values);

// Reads the whole variable into a new array (free) of *length elements.
enum status result_read_all(const struct result_file *file, const char *variable, double **values,
                            size_t *length);

// Reads a one-dimensional list of texts, (n, strlen) characters or (n) strings, without trailing blanks.
// Release them with result_free_texts.
enum status result_read_texts(const struct result_file *file, const char *variable, char ***texts,
                              size_t *length);
void result_free_texts(char **texts, size_t length);

// How several nodes are reduced to one pixel. NaN nodes are ignored; a pixel with only NaN nodes is NaN.
enum result_reduction {
    RESULT_MEAN,
    RESULT_MAXIMUM,
    RESULT_MINIMUM,
    RESULT_VALID_FRACTION, // 0 … 1: the fraction of nodes that are not NaN
};

// Pixels of equal size. Pixel (i, j) has its centre at x_first + i·x_step, y_first + j·y_step; j runs from
// south to north, values[j·nx + i]. `x_extent` and `y_extent` reach from the outer edge of the first node's
// cell to that of the last node's cell; the last pixel may reach beyond them.
struct result_map {
    size_t nx, ny;
    size_t source_nx, source_ny; // nodes read
    double x_first, x_step, y_first, y_step;
    double x_extent[2], y_extent[2];
    bool is_geographic;     // axes in degrees east and north
    double metres_per_unit; // of the axes on plane grids: 1, or 1000 for axes in km; 0 if geographic
    float *values;          // owned: result_map_free
};

// A part of the grid in coordinates; NULL means all of it.
struct result_window {
    double x[2], y[2];
};

// Reads a map of the last two dimensions of `variable`; `leading` gives the index in each dimension before
// them (NULL: none). At most max_nx × max_ny pixels. Bands of rows are read one at a time: memory is bounded
// by the map and one band. Axes that are not uniform are resampled (several nodes in a pixel: reduced; none:
// the nearest). STATUS_DATA: an axis is missing or descends, or the window has less than two nodes.
enum status result_read_map(const struct result_file *file, const char *variable, const size_t *leading,
                            enum result_reduction reduction, size_t max_nx, size_t max_ny,
                            const struct result_window *window, struct result_map *map);
void result_map_free(struct result_map *map);

#endif
