// Compares a result with a reference, another netCDF file, variable by variable and value by value.
// Independent of models and of the command line.
//
// Variables are paired by name, by standard_name, or as NOAA's HA, UA, VA with eta, u, v
// (io/formats/propagation_file.h); dimensions by their meaning (time, x, y, z), name or order; entries by
// their coordinates, in the run's units. There is no interpolation in space, and interpolation in time only
// on request. Entries without a match are an error; the message gives the first one.
//
// Memory: COMPARE_BUFFERS blocks of `buffer_values` doubles, the coordinates, and a cache of chunks per
// file (io/netcdf/dataset.h): compare_memory_bytes returns their sum; it does not depend on the files' size.
#ifndef FATHOM_VALIDATE_COMPARE_COMPARE_H
#define FATHOM_VALIDATE_COMPARE_COMPARE_H

#include "core/statistics.h"
#include "core/status.h"
#include "io/netcdf/dataset.h"
#include "validate/compare/axis.h"
#include "validate/compare/notes.h"
#include "validate/compare/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPARE_PLACE_BYTES = 96,
    COMPARE_BUFFERS = 4,
    COMPARE_BUFFER_VALUES = 1 << 20,
};

// ---- limits (the request: request.h)

// A pair agrees if |run − reference| ≤ absolute + relative · |reference|, and is missing in both or in
// none.
struct compare_limits {
    double absolute;   // ≥ 0, in the run's units; INFINITY: no limit
    double relative;   // ≥ 0
    bool ignores_mask; // a value that is missing in only one file is not a failure
};

// ---- variables and their pairs

enum compare_pairing {
    COMPARE_BY_NAME,
    COMPARE_BY_STANDARD_NAME,
    COMPARE_BY_NOAA_NAME, // eta, u, v with HA, UA, VA as in NOAA's propagation database
    COMPARE_AS_ASKED,     // names given by the caller
    COMPARE_ONLY_IN_RUN,  // this one and those that follow are not compared
    COMPARE_ONLY_IN_REFERENCE,
    COMPARE_COORDINATE, // checked along with the variables that it belongs to
    COMPARE_NO_NUMBERS, // text, or a type of the file's own
};

struct compare_entry {
    const struct dataset_variable *run, *reference; // NULL: this file has no such variable
    enum compare_pairing pairing;
};

struct compare_session; // two open files

// Opens both. STATUS_NO_INPUT, STATUS_DATA (not netCDF, truncated, damaged).
enum status compare_open(const struct compare_request *request, struct compare_session **session);
void compare_close(struct compare_session *session); // NULL: does nothing

// All variables of both files, the run's first, and how they are paired. Owned by the session.
const struct compare_entry *compare_entries(const struct compare_session *session, size_t *count);

// One pair by name. reference_name NULL: the entry of the same name or standard_name. A missing variable (the
// nearest name is offered) or one without numbers → STATUS_DATA.
enum status compare_find(const struct compare_session *session, const char *run_name,
                         const char *reference_name, struct compare_entry *entry);

// Most bytes that a comparison of these two variables holds at a time.
size_t compare_memory_bytes(const struct compare_session *session, const struct compare_entry *entry);

// ---- results

// The position of a pair of values along one axis.
struct compare_location {
    bool is_set;
    int rank; // of the run's and the reference's axes together
    struct {
        char name[64], units[64], label[64]; // label: of a station, "" without
        bool has_run, has_reference;         // run_index, reference_index are set
        size_t run_index, reference_index;   // from 0
        bool has_coordinate;
        double coordinate; // in `units`, the run's
    } axes[COMPARE_AXES_MAX];
    double run, reference; // the values there, in the run's units; NaN: missing
};

struct compare_axis_summary {
    char name[64];
    size_t run_length, reference_length, used;
};

enum compare_verdict { COMPARE_AGREES, COMPARE_DIFFERS, COMPARE_NOTHING }; // NOTHING: not one pair of numbers

struct comparison {
    struct difference
        difference; // run minus reference, in `units`; its indices are those of the run's variable
    size_t shape[DATASET_RANK_MAX]; // of the run's variable
    int rank;
    char units[80]; // of the run's variable
    enum compare_verdict verdict;
    struct compare_limits limits;
    uint64_t beyond;                         // pairs out of tolerance
    uint64_t run_missing, reference_missing; // missing in this file only
    double bias, rms, reference_rms;         // NaN where nothing was compared
    double relative_rms;                     // rms / reference_rms; NaN if that is 0
    double relative_max;                     // largest |difference| / largest |reference|; NaN if that is 0
    double correlation;                      // Pearson's; NaN if one operand does not vary
    struct compare_location largest, first_beyond, first_run_missing, first_reference_missing;
    int axis_count;
    struct compare_axis_summary axes[COMPARE_AXES_MAX];
    struct compare_notes notes; // conversions, reversed axes, ...
    enum compare_hint hint;     // after a failure
};

// Reads both variables once and compares them. STATUS_OK whatever the verdict; STATUS_DATA: not comparable,
// see comparison->hint. limits NULL: compares only axes and units, and reads no values.
enum status compare_pair(struct compare_session *session, const struct compare_entry *entry,
                         const struct compare_limits *limits, struct comparison *comparison);

// Compares one variable of two files by its name; the caller judges the result. Every time of the reference
// must be in the run. STATUS_NO_INPUT, STATUS_DATA.
enum status compare_variable(const char *result_path, const char *reference_path, const char *variable,
                             struct comparison *comparison);

// Writes the indices in the run's variable of a linear index as text: "(12, 340, 77)".
const char *compare_place(const struct comparison *comparison, uint64_t index,
                          char text[COMPARE_PLACE_BYTES]);

#endif
