// What seismologists publish of an earthquake as a point: origin, centroid, moment tensor. The Global CMT
// catalogue's CMTSOLUTION and ndk, QuakeML 1.2, the USGS' event GeoJSON. Reads whole files before the seal.
// Independent of grids and jobs.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_EVENT_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_EVENT_H

#include "io/date.h"
#include "models/tsunami/earthquake/tensor.h"

#include <stdbool.h>

enum { EARTHQUAKE_NAME_BYTES = 96 };

struct earthquake_point {
    double longitude_deg, latitude_deg, depth_m; // NaN: not given; −180…360, −90…90, 0…750 km
};

struct earthquake_event {
    // Without control characters, in UTF-8 (utf8_copy_line).
    char name[EARTHQUAKE_NAME_BYTES];  // its identifier, "" if the file has none
    char place[EARTHQUAKE_NAME_BYTES]; // region, "" if the file has none
    char time[DATE_BYTES]; // origin, UTC, canonical (io/date.h), "" if the file has none, or its day alone
    struct earthquake_point hypocentre, centroid;
    double magnitude; // of the event, not of the tensor; NaN: the file has none
    // False, with tensor and solution empty: first messages have a magnitude and a place alone.
    bool has_mechanism;
    bool is_from_planes; // the tensor is the double couple of the file's nodal planes and its magnitude
    struct earthquake_tensor tensor;
    struct earthquake_solution solution;
    double stated_moment_n_m; // NaN: the file states none
};

// The readers of one format each; `content` is the file, which they may change. wanted: the name of one event
// of a file with several, or NULL. QuakeML and GeoJSON may have nodal planes without a tensor, or no
// mechanism. STATUS_DATA, in one line with file and line or element: what is missing, no number, out of
// range, an unknown event, several events without a name; and as earthquake_tensor_solve.
enum status earthquake_cmtsolution_read(const char *path, char *content, const char *wanted,
                                        struct earthquake_event *event);
enum status earthquake_ndk_read(const char *path, char *content, const char *wanted,
                                struct earthquake_event *event);
enum status earthquake_quakeml_read(const char *path, char *content, const char *wanted,
                                    struct earthquake_event *event);
enum status earthquake_event_json_read(const char *path, char *content, const char *wanted,
                                       struct earthquake_event *event);

// An event without numbers.
struct earthquake_event earthquake_event_begin(void);

// Takes the origin's time. "": the file has none. STATUS_DATA, with the text: no date.
enum status earthquake_event_take_time(struct earthquake_event *event, const char *text, const char *about);

// Makes the tensor of a nodal plane and event->magnitude. STATUS_DATA: a number is missing or out of range.
enum status earthquake_event_check_plane(struct earthquake_event *event,
                                         const struct earthquake_mechanism *plane, const char *about);

// Shared by the readers: checks the points' ranges, solves the tensor (without one the magnitude must be one
// of an earthquake), and compares the moment with what the file states (5 %) and with the largest of its
// other magnitudes (0: none): a moment of two units of magnitude less has a wrong exponent.
enum status earthquake_event_finish(struct earthquake_event *event, double other_magnitude,
                                    const char *about);

#endif
