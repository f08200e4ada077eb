// Times of a device in a run, by its own clock. Independent of devices.
#ifndef FATHOM_CORE_DEVICE_TIMES_H
#define FATHOM_CORE_DEVICE_TIMES_H

#include <stdbool.h>

struct device_times {
    bool is_measured;
    double compute_s; // steps: from the first kernel's start to the last's end of every batch, added up
    double results_s; // the same of what makes records and checks values between the steps
    double copy_s;    // frames on their way to the host
    double overlap_s; // copy_s that lies inside the other two
    double copied_bytes;
    long long uncounted; // copies whose overlap is not known: then overlap_s is too small
};

#endif
