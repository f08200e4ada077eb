// The largest differences between the run and the steps repeated on the reference, with their places: for the
// verdict, the report and the terminal. Every instance has one (models/instance.h). It is a checkpoint array
// with the name CHECK_RECORD_NAME: a check that failed before a stop fails after it too, and the command line
// finds the record without knowing the model. Knows no model.
#ifndef FATHOM_MODELS_CHECK_RECORD_H
#define FATHOM_MODELS_CHECK_RECORD_H

#include <stdint.h>

#define CHECK_RECORD_NAME "reference check"

enum { CHECK_QUANTITIES_MAX = 8, CHECK_TEXT_MAX = 16 };

// Where a difference is: at a node of a plane grid; of a volume (three coordinates); at a body in space or a
// particle in a plane, whose id is the column; or at a site of one of several lattices, whose number is the
// plane.
enum check_places { CHECK_PLANE, CHECK_VOLUME, CHECK_BODIES, CHECK_PARTICLES, CHECK_SITES };

// The largest difference of one quantity, judged by `size`. Texts are arrays, because this is written to a
// file.
struct check_quantity {
    char name[CHECK_TEXT_MAX], units[CHECK_TEXT_MAX];
    double size; // of the difference, in the tolerance's units; −1: nothing compared yet; NaN counts as ∞
    double value, reference; // there: actual and expected value, in `units`
    int64_t from_step,
        step; // the state after from_step was taken over, the comparison is of that after `step`
    int64_t column, row, plane; // from 0; plane: of a volume or of lattices
    double x, y, depth_m;       // of that node: degrees, or m on a plane
    double z;                   // of a volume or a body: x, y and z, and no depth
    double sum_squares;         // of the differences at all nodes compared, units²
};

struct check_record {
    int64_t places;             // enum check_places
    int64_t moments;            // how many times steps were repeated
    int64_t steps;              // repeated in all: two at each moment, one at a run's last
    int64_t nodes;              // compared, each as often as it was
    double tolerance;           // largest `size` that passes
    char units[CHECK_TEXT_MAX]; // of the tolerance and of every `size`
    int64_t quantity_count;
    struct check_quantity quantities[CHECK_QUANTITIES_MAX];
};

#endif
