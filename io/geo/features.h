// Places with their values, and lines, as CSV (RFC 4180), GeoJSON (RFC 7946) and KML (OGC 2.2). Independent
// of models: what a column means is the caller's. Coordinates are written with 12 digits, values with 9.
//
// The files appear under their names when they are complete. STATUS_CANNOT_CREATE, STATUS_IO.
#ifndef FATHOM_IO_GEO_FEATURES_H
#define FATHOM_IO_GEO_FEATURES_H

#include "io/geo/lines.h"
#include "io/whole_file.h"

struct cJSON;

// A property of every feature. Either `texts` or `values` (NaN = missing).
struct geo_column {
    const char *name;
    const char *units; // "" or NULL: none
    const double *values;
    char *const *texts;
};

// Features in rows. Their places are columns, too, where they are to be properties.
struct geo_table {
    const char *title; // of the folder or the collection
    size_t rows;
    int column_count;
    const struct geo_column *columns;
    const double *x, *y; // longitude and latitude in degrees; NaN: the feature has no place
    // GeoJSON's "geometry" of each row, instead of a point (polygons of zones); NULL: points. An entry may be
    // NULL: the point then.
    const struct cJSON *const *geometries;
    int name_column;      // −1: none; the name of the feature in KML
    const double *levels; // [rows] whole numbers that choose the colour in KML; NaN: grey. NULL: all are grey
};

enum { GEO_COLOURS = 5, GEO_HISTORY_BYTES = 256, GEO_NOTE_VALUES_MAX = 16 };

// What is true of all of a file.
struct geo_note {
    const char *name;
    const char *text; // NULL: the numbers
    double values[GEO_NOTE_VALUES_MAX];
    int count;
};

struct geo_about {
    const char *title, *source; // "Tohoku 2011", "Fathom 0.1.0"
    const struct geo_note *notes;
    int note_count;
};

// Lines of one quantity.
struct geo_line_set {
    const char *title;    // "largest elevation"
    const char *name;     // of the property with the level: "max_eta"
    const char *units;    // of the levels
    double shown_factor;  // of the level in a label: 1/60 with "min" for seconds
    const char *shown_as; // unit of the label
    const struct geo_lines *lines;
    int count;
};

// A heading of names, with the units behind an underscore ("depth_m"; m s-1 → m_s-1; degrees: none), and a
// line for each row. Missing: empty. The notes are columns behind the others, the same in every row: a
// comment would be a row to most programs.
enum status geo_csv_write(const char *path, const struct geo_about *about, const struct geo_table *table);
// One field, in quotes where it must be.
void geo_csv_text(FILE *stream, const char *text);
void geo_csv_number(FILE *stream, double value); // nothing for NaN
// The name of a column with its units, as above.
void geo_csv_heading(FILE *stream, const char *name, const char *units);

// Tables (NULL at the end) and line sets into one FeatureCollection, whose members are the notes and the
// units of the properties, too.
enum status geo_json_write(const char *path, const struct geo_about *about,
                           const struct geo_table *const *tables, const struct geo_line_set *sets,
                           int set_count);

// The same as folders of one document, which the notes describe.
enum status geo_kml_write(const char *path, const struct geo_about *about,
                          const struct geo_table *const *tables, const struct geo_line_set *sets,
                          int set_count);

// The numbers of a note with blanks between them.
const char *geo_note_text(const struct geo_note *note, char text[128]);

#endif
