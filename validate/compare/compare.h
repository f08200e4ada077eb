// Compares a result with a reference, another netCDF file: variable by variable, value by value. Knows no
// model, no command line.
//
// Variables are paired by name, by standard_name, or as NOAA's HA, UA, VA with eta, u, v
// (io/propagation_file.h); dimensions by their meaning (time, x, y, z), name or order; entries by their
// coordinates, in the run's units. Nothing is interpolated in space, and in time only if asked. What cannot
// be matched is refused, naming the first entry at fault.
//
// Memory: COMPARE_BUFFERS blocks of `buffer_values` doubles, the coordinates, and a cache of chunks per
// file (io/netcdf/dataset.h): compare_memory_bytes says how much, whatever the files' size.
#ifndef FATHOM_VALIDATE_COMPARE_COMPARE_H
#define FATHOM_VALIDATE_COMPARE_COMPARE_H

#include "core/statistics.h"
#include "core/status.h"
#include "io/netcdf/dataset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    COMPARE_PLACE_BYTES = 96,
    COMPARE_AXES_MAX = 2 * DATASET_RANK_MAX,
    COMPARE_NOTES_MAX = 12,
    COMPARE_NOTE_BYTES = 240,
    COMPARE_REASON_BYTES = 1024,
    COMPARE_BUFFERS = 4,
    COMPARE_BUFFER_VALUES = 1 << 20,
};

// ---- what is asked for

enum compare_time {
    COMPARE_TIME_EXACT,   // times that both files have
    COMPARE_TIME_NEAREST, // at the reference's times, the run's nearest, if within half of its spacing there
    COMPARE_TIME_LINEAR,  // at the reference's times, the run interpolated between the two around them
};

struct compare_request {
    const char *run_path, *reference_path;
    enum compare_time time;
    bool needs_all_times;  // a time of the reference that the run does not have is a failure
    bool takes_overlap;    // axes other than time: the entries in common, instead of a refusal
    bool takes_index;      // an axis with coordinates in one file only: by number, instead of a refusal
    double axis_tolerance; // of coordinates, as a share of the least spacing; 0 = COMPARE_AXIS_TOLERANCE
    size_t buffer_values;  // 0 = COMPARE_BUFFER_VALUES
};
#define COMPARE_AXIS_TOLERANCE 1e-3

// A pair agrees if |run − reference| ≤ absolute + relative · |reference|, and is missing in both or in
// none.
struct compare_limits {
    double absolute;   // ≥ 0, in the run's units; INFINITY: none
    double relative;   // ≥ 0
    bool ignores_mask; // values missing in one file only are no failure
};

// ---- what there is to compare

enum compare_pairing {
    COMPARE_BY_NAME,
    COMPARE_BY_STANDARD_NAME,
    COMPARE_BY_NOAA_NAME, // eta, u, v with HA, UA, VA as in NOAA's propagation database
    COMPARE_AS_ASKED,     // names given by the caller
    COMPARE_ONLY_IN_RUN,  // not compared, as all that follow
    COMPARE_ONLY_IN_REFERENCE,
    COMPARE_COORDINATE, // checked along with the variables that it belongs to
    COMPARE_NO_NUMBERS, // text, or a type of the file's own
};

struct compare_entry {
    const struct dataset_variable *run, *reference; // NULL where it has none
    enum compare_pairing pairing;
};

struct compare_session; // two open files

// Opens both. STATUS_NO_INPUT, STATUS_DATA (not netCDF, truncated, damaged).
enum status compare_open(const struct compare_request *request, struct compare_session **session);
void compare_close(struct compare_session *session); // NULL is fine

// All variables of both files, the run's first, and how they are paired. Owned by the session.
const struct compare_entry *compare_entries(const struct compare_session *session, size_t *count);

// One pair by name. reference_name NULL: the entry of the same name or standard_name. A variable that is
// not there (the nearest name is offered) or holds no numbers → STATUS_DATA.
enum status compare_find(const struct compare_session *session, const char *run_name,
                         const char *reference_name, struct compare_entry *entry);

// Most bytes that a comparison of these two variables holds at a time.
size_t compare_memory_bytes(const struct compare_session *session, const struct compare_entry *entry);

// ---- what came out

struct compare_notes {
    int count;
    char texts[COMPARE_NOTES_MAX][COMPARE_NOTE_BYTES];
};

// A way out of a refusal, in words that belong to the caller.
enum compare_hint { COMPARE_HINT_NONE, COMPARE_HINT_OVERLAP, COMPARE_HINT_INDEX, COMPARE_HINT_TIME };

// Where a pair of values lies.
struct compare_location {
    bool is_set;
    int rank; // of the run's and the reference's axes together
    struct {
        char name[64], units[64], label[64]; // label: of a station, "" without
        bool has_run, has_reference;         // an index there
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
        difference; // run less reference, in `units`; its indices are places in the run's variable
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
    double correlation;                      // Pearson's; NaN if one side does not vary
    struct compare_location largest, first_beyond, first_run_missing, first_reference_missing;
    int axis_count;
    struct compare_axis_summary axes[COMPARE_AXES_MAX];
    struct compare_notes notes; // conversions, turned axes, ...
    enum compare_hint hint;     // after a failure
};

// Reads both variables once and compares them. Not comparable → STATUS_DATA, and comparison->hint may say
// more.
// STATUS_OK whatever the verdict.
enum status compare_pair(struct compare_session *session, const struct compare_entry *entry,
                         const struct compare_limits *limits, struct comparison *comparison);

// As far as that goes without reading values: axes, units, notes.
enum status compare_prepare(struct compare_session *session, const struct compare_entry *entry,
                            struct comparison *comparison);

// One variable of two files by its name, for the caller to judge: every time of the reference must be in
// the run. STATUS_NO_INPUT, STATUS_DATA.
enum status compare_variable(const char *result_path, const char *reference_path, const char *variable,
                             struct comparison *comparison);

// "(12, 340, 77)": where in the run's variable a linear index lies.
const char *compare_place(const struct comparison *comparison, uint64_t index,
                          char text[COMPARE_PLACE_BYTES]);

#endif
