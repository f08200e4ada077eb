// Checks of records on their way to the sink, on the I/O thread: numbers are finite, conserved quantities
// (energy, volume) stay within the job's limits; and the extremes of the whole run. A sink in front of
// another. Independent of models and file formats: streams state which numbers may be missing, and a model's
// plan has the limited quantities and those whose extremes are kept.
#ifndef FATHOM_CORE_WATCH_H
#define FATHOM_CORE_WATCH_H

#include "core/status.h"
#include "core/stream.h"

#include <stdbool.h>

enum { WATCH_LIMITS_MAX = 8, WATCH_EXTREMES_MAX = 64 };

// The quantity that is compared with the limit. v: a record's value; w: the first value watched.
enum watch_kind {
    WATCH_MAGNITUDE, // |v|
    WATCH_DRIFT,     // |v − w| / |w|
    WATCH_GROWTH,    // (v − w) / |w|: a decrease is permitted
};

// One limited quantity: a scalar variable of a record stream of ELEMENT_F64, or the sum of two.
struct watch_limit {
    const char *key;          // of the job, for messages: "limits.energy_error"
    const char *what;         // for messages: "relative change of the energy"
    int stream;               // index among the run's streams
    const char *variables[2]; // names; the second may be NULL
    enum watch_kind kind;
    double most;     // INFINITY: no limit, but w is kept all the same (a run may be resumed with one)
    double doubtful; // a quantity beyond it, but within `most`, brings a warning, once; 0: none
    // Model time from which records are watched: w is the first record at or after it; −INFINITY: all
    // records.
    double from_s;
};

// The largest (or smallest) value that a scalar variable of a record stream of ELEMENT_F64 had in all records
// of a run, including those before a stop. NaN stands for "missing" and does not count.
struct watch_extreme {
    int stream; // index among the run's streams
    const char *variable;
    bool is_smallest;
    // Set by the I/O thread and read after its end; NaN: no record yet.
    double *value;
    double *time_s; // of the record; may be NULL
};

// State of a watch that a checkpoint saves.
struct watch_memory {
    double first[WATCH_LIMITS_MAX]; // w; NaN: no record yet
    double extreme[WATCH_EXTREMES_MAX], extreme_at_s[WATCH_EXTREMES_MAX];
};

// A run's watch. watch_begin fills it in; its fields are private. It must not be moved while the sink is
// used.
struct watch {
    const struct stream *const *streams;
    int stream_count;
    const char *time_unit;
    const struct watch_limit *limits;
    int limit_count;
    const struct watch_extreme *extremes;
    int extreme_count;
    struct watch_memory memory, loaded;
    bool is_warned[WATCH_LIMITS_MAX];
    struct sink sink;
};

// Streams and limits must outlive the watch. time_unit: of model time, for messages; NULL = "s".
// STATUS_SOFTWARE for a limit that names no such variable.
enum status watch_begin(struct watch *watch, const struct stream *const *streams, int stream_count,
                        const char *time_unit, const struct watch_limit *limits, int limit_count);

// Sets, after watch_begin, the extremes to keep: at most WATCH_EXTREMES_MAX; they must outlive the watch.
// STATUS_SOFTWARE for one that names no such variable.
enum status watch_keep_extremes(struct watch *watch, const struct watch_extreme *extremes, int count);

// Returns a sink that checks each frame and passes it on to `sink`. Its write fails with STATUS_DATA for a
// non-finite value (a NaN where the variable has no missing values, an infinity unless the stream's
// may_be_infinite), and with STATUS_CHECK_FAILED for an exceeded limit; the message states quantity, value,
// limit, position and time. A frame that failed is not passed on. Beyond a limit's `doubtful` it warns.
struct sink watch_sink(struct watch *watch, struct sink sink);

// Returns the watch's state as the last array of the run's checkpoints, always of the same name and size. The
// sink's checkpoint fills it in. To resume, load the data into it and call watch_resume.
struct checkpoint_array watch_array(const struct watch *watch);
void watch_resume(struct watch *watch);

#endif
