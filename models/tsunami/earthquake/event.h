// What seismologists publish of an earthquake as a point: origin, centroid, moment tensor. The Global CMT
// catalogue's CMTSOLUTION and ndk, QuakeML 1.2, the USGS' event GeoJSON. Reads whole files before the seal.
// Independent of grids and jobs.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_EVENT_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_EVENT_H

#include "io/date.h"
#include "models/tsunami/earthquake/tensor.h"

#include <stdbool.h>

enum { EARTHQUAKE_NAME_BYTES = 96, EARTHQUAKE_TYPE_BYTES = 16 };

struct earthquake_point {
    double longitude_deg, latitude_deg, depth_m; // NaN: not given; −180…360, −90…90, 0…750 km
};

struct earthquake_event {
    // Without control characters, in UTF-8 (utf8_copy_line).
    char name[EARTHQUAKE_NAME_BYTES];  // its identifier, "" if the file has none
    char place[EARTHQUAKE_NAME_BYTES]; // region, "" if the file has none
    char time[DATE_BYTES]; // origin, UTC, canonical (io/date.h), "" if the file has none, or its day alone
    struct earthquake_point hypocentre, centroid;
    // Of the event, not of the tensor: a moment magnitude if the file has one, else what it has; NaN: none.
    double magnitude;
    char magnitude_type[EARTHQUAKE_TYPE_BYTES]; // "Mww", "mb"; "": the file does not say
    int magnitude_rank;                         // private to earthquake_event_offer_magnitude
    double surface_magnitude, body_magnitude;   // the largest MS and mb of the file; NaN: none
    // False, with tensor and solution empty: first messages have a magnitude and a place alone.
    bool has_mechanism;
    // The tensor is the double couple of the file's nodal planes and its magnitude; if that is no moment
    // magnitude (earthquake_event_lacks_moment), its moment means nothing.
    bool is_from_planes;
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

// Takes one of the file's magnitudes (NaN: none), the preferred one first: of moment magnitudes (Mw, Mww,
// Mwc, Mwb, Mwr) the first, else one that is derived from another wave (Mwp), else one without a type, else
// any.
void earthquake_event_offer_magnitude(struct earthquake_event *event, double value, const char *type);

// The file has no tensor, and its magnitude is of another kind than Mw: a body-wave magnitude of a great
// earthquake is too small by one or two units.
bool earthquake_event_lacks_moment(const struct earthquake_event *event);

// Refuses two times of one event that lie 10 minutes or more apart. Canonical; "": not given.
enum status earthquake_event_check_times(const char *time, const char *what, const char *other,
                                         const char *other_what, const char *about);

// Shared by the readers: checks the points' ranges and their distance, solves the tensor (without one the
// magnitude must be one of an earthquake), and compares the moment with what the file states (5 %) and with
// its magnitudes.
enum status earthquake_event_finish(struct earthquake_event *event, const char *about);

#endif
