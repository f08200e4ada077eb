// The largest differences between the run and the steps repeated on the reference, with their positions, for
// the verdict, the report and the terminal. Every instance has one record (models/instance.h). It is a
// checkpoint array with the name CHECK_RECORD_NAME, so that a check that failed before a stop fails after it
// too, and that the command line finds the record in every model. Independent of models.
#ifndef FATHOM_MODELS_CHECK_RECORD_H
#define FATHOM_MODELS_CHECK_RECORD_H

#include <stdint.h>

#define CHECK_RECORD_NAME "reference check"

enum { CHECK_QUANTITIES_MAX = 8, CHECK_TEXT_MAX = 16 };

// What the position of a difference is.
enum check_places {
    CHECK_PLANE,     // a node of a plane grid
    CHECK_VOLUME,    // a cell of a volume: three coordinates
    CHECK_BODIES,    // a body in space; column: its id
    CHECK_PARTICLES, // a particle in a plane; column: its id
    CHECK_SITES      // a site of a lattice; plane: the number of the lattice
};

// The largest difference of one quantity, judged by `size`. Texts are arrays, because this is written to a
// file.
struct check_quantity {
    char name[CHECK_TEXT_MAX], units[CHECK_TEXT_MAX];
    double size; // of the difference, in the tolerance's units; −1: nothing compared yet; NaN counts as ∞
    double value, reference;    // actual and expected value at its position, in `units`
    int64_t from_step;          // the reference began with the state after this step
    int64_t step;               // the states after this step are compared
    int64_t column, row, plane; // of its position, from 0
    double x, y;                // of its position: degrees, or m on a plane
    double depth_m;             // at its position; only on a plane grid
    double z;                   // of its position; only in a volume or of a body
    double sum_squares;         // of the differences at all nodes compared, units²
};

struct check_record {
    int64_t places;             // enum check_places
    int64_t moments;            // how many times steps were repeated
    int64_t steps;              // all steps repeated: two at each moment, one at a run's last
    int64_t nodes;              // comparisons of a node, over all moments
    double tolerance;           // largest `size` that passes
    char units[CHECK_TEXT_MAX]; // of the tolerance and of every `size`
    int64_t quantity_count;
    struct check_quantity quantities[CHECK_QUANTITIES_MAX];
};

#endif
