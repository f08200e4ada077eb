// Fault tables: our JSON form, and NOAA's SIFT unit-source table. Reads whole tables before the seal.
// Independent of grids and of the use of a rupture. The deformation is computed in okada.h.
//
// The JSON form, one fault (rectangle) a row:
//   {
//     "fathom_faults": 1,
//     "title": "...",                   (optional)
//     "source": "citation",             (optional, but a published figure has one)
//     "comment": "...",                 (optional)
//     "reference": "centre",
//     "columns": ["longitude", "latitude", "depth", "length", "width", "strike", "dip", "rake", "slip"],
//     "units":   ["degree",    "degree",   "km",    "km",     "km",    "degree", "degree", "degree", "cm"],
//     "rows": [[143.2, 38.1, 12.5, 50, 25, 193, 14, 90, 1350], ...]
//   }
// reference states where position and depth are measured, for all rows:
//   "centre"         centre of the plane
//   "top_centre"     middle of the upper edge
//   "bottom_centre"  middle of the lower edge
//   "top_corner"     the upper edge's end from which strike runs
//   "sift"           NOAA's mixed rule: position of the bottom centre, depth of the upper edge
// Columns, in any order; each has a unit, which must convert to the one given here:
//   longitude, latitude  degree; −360…360, −89…89; or x, y (m) on a plane grid, the same for all rows
//   depth                m, ≥ 0, positive down
//   length, width        m, > 0
//   strike               degree, −720…720, clockwise from north
//   dip                  degree, 0…90, to the right of strike
//   rake                 degree, −360…360; 0 left-lateral, 90 thrust
//   slip                 m
//   start, rise          s, ≥ 0; optional, 0 if absent
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_FAULTS_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_FAULTS_H

#include "core/status.h"
#include "models/tsunami/earthquake/okada.h"

#include <stdbool.h>
#include <stddef.h>

struct fault_table {
    struct fault *faults; // owned; in the table's order
    size_t count;         // ≥ 1
    bool is_geographic;   // positions are longitude and latitude; else x and y in metres
};

// Reads a fault table in the form above. On failure the table is empty and nothing is left to free.
// STATUS_NO_INPUT: cannot be opened. STATUS_DATA: not JSON (with line and column), or a wrong table, naming
// file, row (counted from 1) and column: missing, unknown (with the nearest known) or doubled key or column,
// unknown unit, value that is no finite number or outside the range above, upper edge above the surface,
// unknown reference. STATUS_SYSTEM: out of memory.
enum status fault_table_read(const char *path, struct fault_table *table);

// A table inside the job (a const cJSON * to an object of the same form); `about` begins the error messages.
enum status fault_table_parse(const void *json, const char *about, struct fault_table *table);

// Unit sources by name with slip in metres, from NOAA's table: lines "name, URL, longitude (degree), latitude
// (degree), slip (m), strike, dip (degree), depth of the TOP (km), length (km), width (km), rake (degree)",
// '#' comments. The table's own slip (1 m) is replaced by slips_m. count ≥ 1; the faults come out in the
// order of the names. STATUS_CONFIGURATION: unknown name (with the nearest known), or a name twice. Else as
// fault_table_read.
enum status fault_table_read_sift(const char *path, const char *const *names, const double *slips_m,
                                  size_t count, struct fault_table *table);

// Warns of values beyond those of all recorded earthquakes, often from a wrong unit: one line for each
// quantity, with the first such fault and their number. `names`: of the faults; NULL: numbers from 1.
void fault_table_warn(const struct fault_table *table, const char *about, const char *const *names);

// Frees the faults and empties the table, which may be empty.
void fault_table_free(struct fault_table *table);

// Moment magnitude (earthquake/tensor.h) of the whole table for a rigidity in Pa, whose moment is the sum of
// rigidity · area · |slip|: 7.467 of a SIFT unit source with 1 m and 4e10 Pa. −INFINITY for a table without
// slip.
double fault_table_magnitude(const struct fault_table *table, double rigidity_pa);

#endif
