// One axis of a comparison: which entries of the run and of the reference belong together. By coordinates
// (converted to the run's units, longitudes round the circle), by the names of stations, or by number where
// neither file has coordinates. Knows one dimension of each file; knows nothing of the values along it.
#ifndef FATHOM_VALIDATE_COMPARE_AXIS_H
#define FATHOM_VALIDATE_COMPARE_AXIS_H

#include "core/status.h"
#include "io/netcdf/dataset.h"
#include "validate/compare/compare.h"

#include <stdbool.h>
#include <stddef.h>

enum { COMPARE_RUN, COMPARE_REFERENCE, COMPARE_SIDES };

// What matching has to say beside yes and no.
struct compare_remarks {
    struct compare_notes *notes;
    enum compare_hint *hint; // set when a failure has a way out
};
void compare_note(struct compare_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct compare_axis_side {
    const struct dataset *file;
    const struct dataset_variable *variable;   // whose axis it is
    int dimension;                             // of the variable; −1: it has none here
    size_t length;                             // 1 without a dimension
    const struct dataset_variable *coordinate; // or NULL
    char name[DATASET_NAME_BYTES];             // for messages: the coordinate's, or the dimension's
    size_t *index;                             // [count]: entries, of pair k; all 0 without a dimension
};

struct compare_axis {
    struct compare_axis_side sides[COMPARE_SIDES];
    size_t count; // pairs
    // Times between which the run is interpolated: entries index[k] and upper[k], the latter with weight[k].
    // NULL without interpolation.
    size_t *upper;
    double *weight;
    bool is_time;
    bool is_by_label, is_by_index; // how they were matched; neither: by coordinates
    double *coordinates;           // [count], the run's units; the reference's times if interpolated; or NULL
    char units[DATASET_TEXT_BYTES];     // of the coordinates
    char (*labels)[DATASET_TEXT_BYTES]; // [run's length], or NULL
};

// Fills in pairs, coordinates and labels of an axis whose sides (file, variable, dimension, length,
// coordinate, name) are set. Exactly one side may have no dimension: then the other one's single entry is
// taken. STATUS_DATA: the entries do not belong together, or coordinates cannot be read or compared.
enum status compare_axis_match(struct compare_axis *axis, const struct compare_request *request,
                               const struct compare_remarks *remarks);
void compare_axis_free(struct compare_axis *axis);

// ---- for axis.c and nodes.c only

// Room for `most` pairs, and one more.
enum status compare_axis_reserve(struct compare_axis *axis, size_t most, bool interpolates);
void compare_axis_push(struct compare_axis *axis, size_t run, size_t reference, double coordinate);
// Both sides have coordinates.
enum status compare_axis_pair_nodes(struct compare_axis *axis, const struct compare_request *request,
                                    const struct compare_remarks *remarks);

#endif
