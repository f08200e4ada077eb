// Shared by the grid readers; included by io/grid/ only. An opener (one per format) fills in the statements
// of its file, in the FILE's order; grid.c then settles order, axes, units and sign once for all formats.
#ifndef FATHOM_IO_GRID_INTERNAL_H
#define FATHOM_IO_GRID_INTERNAL_H

#include "io/grid/grid.h"
#include "io/kept.h"

#include <stdio.h>

// Reads one row in the file's order, units and sign, unpacked; missing values become NaN.
struct grid_reader {
    enum status (*read_row)(void *state, size_t record, size_t row, double *values);
    void (*close)(void *state);
};

// A rectangle of the file, in file order.
struct grid_part {
    size_t row, rows, column, columns;
};

struct grid_file {
    struct grid_info info;
    char *path;
    char variable[GRID_NAME_BYTES];
    char units[GRID_NAME_BYTES];
    enum grid_positive file_positive;
    char sign_statement[2 * GRID_NAME_BYTES + 64]; // as in grid_info
    char set_aside[4 * GRID_NAME_BYTES];
    char crs[32];                    // as in grid_info
    bool states_units;               // in an attribute; else `units` are the format's
    enum grid_axes_kind file_axes;   // AS_FILE = the file leaves it open
    double *x, *y, *times_s;         // owned; x, y as in the file until grid.c has turned them
    bool is_x_float, is_y_float;     // stored in single precision
    double x_tolerance, y_tolerance; // how well a node's position is known, in units of the axis
    bool is_x_reversed, is_y_reversed;
    double slope, offset; // file's values to the caller's
    size_t record;
    struct kept_file content; // if has_content
    bool has_content;         // it was the same before and after the file was opened
    const struct grid_reader *reader;
    void *state;
    size_t cache_bytes; // the most bytes of values that the reader's library may hold
    // The rectangle that the file compresses as a whole (a chunk), if it is not a set of whole rows.
    // read_part reads such a part (values in any order, else like read_row). NULL: read_row is as fast.
    size_t part_rows, part_columns;
    enum status (*read_part)(void *state, size_t record, const struct grid_part *part, double *values);
};

// Openers. Each sets: variable, units, file_positive, file_axes, x, y, is_*_float, info.nx, info.ny,
// info.records, times_s, reader, state; and sign_statement, states_units if the file has attributes. After a
// failure grid_close releases what they have set.
enum status grid_open_netcdf(const struct grid_request *request, struct grid_file *file);
enum status grid_open_most(const struct grid_request *request, struct grid_file *file);
enum status grid_open_esri(const struct grid_request *request, struct grid_file *file);
enum status grid_open_surfer6(const struct grid_request *request, struct grid_file *file);
enum status grid_open_surfer7(const struct grid_request *request, struct grid_file *file);
enum status grid_open_geoclaw(const struct grid_request *request, struct grid_file *file);
enum status grid_open_geotiff(const struct grid_request *request, struct grid_file *file);

// Sets the description of the values of a format without attributes, which are in metres.
void grid_describe(struct grid_file *file, const char *variable, enum grid_positive positive,
                   enum grid_axes_kind axes);

// Makes the uniform axis first, first + step, … in new memory.
enum status grid_even_axis(const char *path, double first, double step, size_t count, double **values);

// Checks one axis: it must be finite, strictly monotonic (longitudes may jump back by 360 once), and have at
// least two nodes. Reverses it in place if it descends, and makes it exactly uniform if it is uniform except
// for rounding.
struct grid_axis_report {
    bool is_reversed, is_uniform;
    double tolerance;
};
enum status grid_settle_axis(const char *path, const char *name, double *values, size_t count, bool is_float,
                             bool is_longitude, struct grid_axis_report *report);
void grid_reverse(double *values, size_t count);
// The distance beyond a file's outermost nodes to which their values hold, in spacings. The outermost nodes
// of files of cells (pixel-registered) are centres of cells, half a spacing inside the limits that users
// expect. The rest allows for the rounding of the axes.
static const double grid_half_cell = 0.5 + 0.01;
// Whether this ascending axis is uniform within `tolerance` (absolute) or 1e-6 of its spacing.
bool grid_is_even(const double *values, size_t count, double tolerance);

// Text files: words with their line numbers, and rows of numbers found again by their byte offset.
enum { GRID_WORD_BYTES = 64, GRID_TEXT_BUFFER_BYTES = 1 << 18 };

struct grid_text {
    const char *path;
    FILE *stream;
    char *buffer; // the stream's
    uint64_t file_bytes;
    uint64_t offset, line; // of the next byte; lines are counted from 1
};

enum status grid_text_open(const char *path, struct grid_text *text);
// Reads the next word (cut at GRID_WORD_BYTES − 1) and its line number; *found = false at the end of the
// file.
enum status grid_text_word(struct grid_text *text, char word[GRID_WORD_BYTES], uint64_t *line, bool *found);
// Reads the next word as a number. STATUS_DATA, with `what` and the line: it is missing or no number.
enum status grid_text_number(struct grid_text *text, const char *what, double *value);
// The same for a whole number minimum … 2³¹ − 1.
enum status grid_text_count(struct grid_text *text, const char *what, size_t minimum, size_t *value);
bool grid_parse_number(const char *word,
                       double *value); // also Fortran's D exponent; "nan" → NaN; no infinity
bool grid_parse_count(const char *word, size_t *value); // 1 … 2³¹ − 1
// Reads a labelled header: lines with a label, a word that starts with a letter ("nan" is a number), as word
// number label_first … label_last. It ends before the first line without a label. `entry` takes each line's
// words; the label is words[label_at].
enum { GRID_HEADER_WORDS = 3, GRID_HEADER_KEYS = 16 };
struct grid_header {
    bool has[GRID_HEADER_KEYS]; // by the format's own numbers of keys
    double value[GRID_HEADER_KEYS];
};
struct grid_header_line {
    const char *path;
    uint64_t line;
    size_t count, label_at;
    char words[GRID_HEADER_WORDS][GRID_WORD_BYTES];
};
enum status grid_text_header(struct grid_text *text, size_t label_first, size_t label_last,
                             enum status (*entry)(const struct grid_header_line *line,
                                                  struct grid_header *header),
                             struct grid_header *header);
// Returns in *value a whole number least … 2³¹ − 1 of the header; `name` for messages.
enum status grid_header_count(const char *path, const struct grid_header *header, int key, const char *name,
                              size_t least, size_t *value);
// Makes the axes of rows from north to south: ny nodes of which y is the southernmost.
enum status grid_header_axes(const struct grid_text *text, double x, double dx, double y, double dy,
                             struct grid_file *file);

// Checks that a file of this length can hold so many numbers, before a header leads to an allocation.
enum status grid_text_check_size(const struct grid_text *text, size_t nx, size_t ny, size_t records);

// Attaches a grid whose numbers are text: rows × nx numbers from the present position to the end of the file,
// record after record. Scans them once; takes over `text` (also on failure), and sets file->state and its
// reader.
struct grid_text_values {
    size_t nx, ny, records;
    double missing;     // the value that means missing; NaN: there is none
    double blank_above; // values from here up mean missing, too; INFINITY: there are none
};
// `header`: the status of reading the header; a failure is returned, and `text` closed.
enum status grid_text_attach(struct grid_file *file, struct grid_text *text, enum status header,
                             const struct grid_text_values *values);

#endif
