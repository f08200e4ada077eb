// What seismologists publish of an earthquake as a point: origin, centroid, moment tensor. The Global CMT
// catalogue's CMTSOLUTION and ndk, QuakeML 1.2, the USGS' event GeoJSON. Reads whole files before the seal.
// Independent of grids and jobs.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_EVENT_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_EVENT_H

#include "models/tsunami/earthquake/tensor.h"

#include <stdbool.h>

enum { EARTHQUAKE_NAME_BYTES = 96 };

struct earthquake_point {
    double longitude_deg, latitude_deg, depth_m; // NaN: not given; −180…360, −90…90, 0…750 km
};

struct earthquake_event {
    char name[EARTHQUAKE_NAME_BYTES];  // its identifier, "" if the file has none
    char place[EARTHQUAKE_NAME_BYTES]; // region, "" if the file has none
    char time[32];                     // origin, UTC, "2011-03-11 05:46:23", "" if the file has none
    struct earthquake_point hypocentre, centroid;
    struct earthquake_tensor tensor;
    struct earthquake_solution solution;
    double stated_moment_n_m; // NaN: the file states none
};

// The readers of one format each; `content` is the file, which they may change. wanted: the name of one event
// of a file with several, or NULL. STATUS_DATA, in one line with file and line or element: what is missing,
// no number, out of range, an unknown event, several events without a name; and as earthquake_tensor_solve.
enum status earthquake_cmtsolution_read(const char *path, char *content, const char *wanted,
                                        struct earthquake_event *event);
enum status earthquake_ndk_read(const char *path, char *content, const char *wanted,
                                struct earthquake_event *event);
enum status earthquake_quakeml_read(const char *path, char *content, const char *wanted,
                                    struct earthquake_event *event);
enum status earthquake_event_json_read(const char *path, char *content, const char *wanted,
                                       struct earthquake_event *event);

// Shared by the readers: checks the points' ranges, solves the tensor and compares the moment with what the
// file states (5 %) and with the largest of its other magnitudes (0: none): a moment of two units of
// magnitude less has a wrong exponent.
enum status earthquake_event_finish(struct earthquake_event *event, double other_magnitude,
                                    const char *about);

#endif
