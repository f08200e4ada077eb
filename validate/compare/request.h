// What a comparison compares, and how.
#ifndef FATHOM_VALIDATE_COMPARE_REQUEST_H
#define FATHOM_VALIDATE_COMPARE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum compare_time {
    COMPARE_TIME_EXACT,   // times that both files have
    COMPARE_TIME_NEAREST, // at the reference's times, the run's nearest time within half of its spacing
    COMPARE_TIME_LINEAR,  // at the reference's times, with linear interpolation between the run's times
};

struct compare_request {
    const char *run_path, *reference_path;
    enum compare_time time;
    bool needs_all_times;  // a time of the reference that the run does not have is a failure
    bool takes_overlap;    // axes other than time: the entries in common, instead of a refusal
    bool takes_index;      // an axis with coordinates in one file only: by index, instead of a refusal
    double axis_tolerance; // of coordinates, as a share of the least spacing; 0 = COMPARE_AXIS_TOLERANCE
    size_t buffer_values;  // 0 = COMPARE_BUFFER_VALUES
};
#define COMPARE_AXIS_TOLERANCE 1e-3

#endif
