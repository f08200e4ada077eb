// What a run writes: streams of records, described without any file format, and the sink that stores them.
// core declares these; io implements sinks; models fill in the descriptions. Nothing here allocates or does
// I/O.
//
// A stream becomes one file. A record stream has one record per output time (fields, gauges, diagnostics); a
// static stream has a single frame without a time (maxima, initial deformation). All descriptions must
// outlive the run.
#ifndef FATHOM_CORE_STREAM_H
#define FATHOM_CORE_STREAM_H

#include "core/element.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STREAM_AXES_MAX = 4,
    STREAM_VARIABLES_MAX = 40,
    STREAM_CONSTANTS_MAX = 12,
    STREAM_ATTRIBUTES_MAX = 16,
    STREAM_RANK_MAX = 3,
    STREAM_SCALES_MAX = 4
};

// One dimension of a stream, other than time. `values` (length entries, or NULL for a bare dimension such as
// "station") become the coordinate variable of the same name.
struct stream_axis {
    const char *name;          // "lon", "lat", "x", "y", "station", "threshold"
    const char *standard_name; // CF, or NULL
    const char *long_name;     // or NULL
    const char *units;         // "degrees_east", "m"; NULL if values is NULL
    // CF's axis letter: 'X', 'Y' (longitude and latitude only, because VTK and ParaView would interpret
    // lengths with these letters as angles on a globe), 'Z', or 0.
    char axis;
    size_t length;
    const double *values;
};

// Scale of the numbers in a file of STREAM_AMBER: number · size is in `units`. AMBER's readers require
// angstrom and picosecond, whatever the units of the run.
struct stream_scale {
    const char *units;
    double size; // more than 0
};

// One variable of a stream. Its dimensions are [time,] axes[0], axes[1], ... (x fastest, last).
struct stream_variable {
    const char *name;          // "eta"
    const char *standard_name; // CF, or NULL
    const char *long_name;
    const char *units;
    const char *cell_methods; // or NULL
    const char *comment;      // or NULL
    int rank;                 // number of axes, 0 … STREAM_RANK_MAX
    int axes[STREAM_RANK_MAX];
    bool has_missing; // NaN in the frame means missing: written as NaN, a byte as −127, with this _FillValue
    // Of a static stream of ELEMENT_F64: whole numbers, −126 … 127, stored as bytes; has_missing: of rank 1.
    bool is_byte;
    // 0: numbers as they are. Else, in record streams of floating-point numbers and STREAM_CF: rounded to
    // whole multiples of this, in the variable's units, stored as integers of 32 bits, and compressed.
    double resolution;
    double rounding_before; // with a resolution: the error that the numbers have from roundings before
};

// A global attribute of a stream's file: a text, or `count` numbers.
struct stream_attribute {
    const char *name, *text;
    const double *values;
    size_t count;
};

// A variable that never changes and is known at the start: station names, positions, depths. Exactly one of
// `values` and `texts` is set. Its dimension is axes[axis] (length entries), or none (one entry) if axis is
// -1.
struct stream_constant {
    const char *name;
    const char *standard_name;
    const char *long_name;
    const char *units;
    const char *cf_role; // "timeseries_id" or NULL
    int axis;
    const double *values;
    const char *const *texts;
    bool is_count; // whole numbers of less than 2^31, stored as such
    char letter;   // CF's axis letter of the nodes of a geometry, 'X' or 'Y', or 0
};

// Polygons that belong to the entries of an axis, by CF-1.8, 7.5: names of constants of the stream.
struct stream_geometry {
    const char *name; // of a scalar variable whose attributes refer to the others; NULL: not written
    int axis;         // of the entries
    const char *node_count, *part_node_count; // of the nodes of an entry, and of a ring
    const char *interior_ring;                // 1 for a hole, 0 for others
    const char *node_coordinates;             // two names with a blank between
};

// How a stream is divided among the ranks of a run. All zero: it is not; every rank makes the same record,
// and rank 0's is written. Frames of rank 0 have place for whole records, which the others' parts complete.
enum stream_dividing {
    STREAM_WHOLE,
    // Rows first … end − 1 of an axis are this rank's, for each variable that has the axis. Frames of other
    // ranks than 0 hold these rows only.
    STREAM_ROWS,
    // Each entry of an axis, the first one of its variables, has an owner (points). Frames hold all entries.
    STREAM_OWNERS,
    // Rank 0 makes all of the records. Frames of the others hold nothing, and nothing may be written to them.
    STREAM_OF_FIRST
};
struct stream_division {
    enum stream_dividing dividing;
    bool holds_all; // rank 0, or a run of one rank
    int axis;
    size_t first, end;
    const int *owners; // [length of the axis]: ranks
};

// How a stream lies in its file. CF: netCDF-4 with CF's metadata and time(time). AMBER: a trajectory of
// particles as molecular viewers read it (io/output/output.h); its axes are "atom" and "spatial" (3 entries).
enum stream_layout { STREAM_CF, STREAM_AMBER };

struct stream {
    const char *name;    // file stem: "fields" becomes fields.nc
    const char *title;   // global attribute
    const char *comment; // global attribute or NULL
    bool has_records;    // has a time dimension
    bool is_time_series; // CF featureType = "timeSeries"
    enum stream_layout layout;
    // STREAM_AMBER: the scales of the numbers in the file. The sink divides the frames' times by time_scale;
    // the variables' numbers are scaled already.
    struct stream_scale time_scale, scales[STREAM_SCALES_MAX];
    double cell[3];   // STREAM_AMBER: sides of the periodic cell in the file's units; 0: none
    bool is_internal; // frames are made and awaited like others, but not stored: other records use them
    // +∞ is a valid value (a thermal dose beyond the range of its law), not a sign of an invalid run.
    bool may_be_infinite;
    enum element element;      // ELEMENT_F32, ELEMENT_F64 or ELEMENT_U8, of all variables
    const char *flag_meanings; // of ELEMENT_U8, or NULL: CF's words for 0, 1, …, with blanks between them
    size_t records_per_frame;  // most records that one frame carries (1 for fields)
    size_t expected_records;   // about how many a run will have, for the file's layout; 0 = unknown
    int axis_count;
    struct stream_axis axes[STREAM_AXES_MAX];
    int variable_count;
    struct stream_variable variables[STREAM_VARIABLES_MAX];
    int constant_count;
    struct stream_constant constants[STREAM_CONSTANTS_MAX];
    int attribute_count;
    struct stream_attribute attributes[STREAM_ATTRIBUTES_MAX];
    struct stream_geometry geometry;
    struct stream_division division;
};

// Elements of one variable in one record.
static inline size_t stream_variable_length(const struct stream *stream,
                                            const struct stream_variable *variable)
{
    size_t length = 1;
    for (int k = 0; k < variable->rank; k++)
        length *= stream->axes[variable->axes[k]].length;
    return length;
}

// Whether a variable is stored with a resolution.
static inline bool stream_has_rounded(const struct stream *stream)
{
    for (int v = 0; v < stream->variable_count; v++)
        if (stream->variables[v].resolution > 0)
            return true;
    return false;
}

// Bytes of one whole record (all variables).
static inline size_t stream_record_bytes(const struct stream *stream)
{
    size_t length = 0;
    for (int v = 0; v < stream->variable_count; v++)
        length += stream_variable_length(stream, &stream->variables[v]);
    return length * element_bytes(stream->element);
}

// Which of a variable's axes is divided among ranks; −1: none.
static inline int stream_divided_axis(const struct stream *stream, const struct stream_variable *variable)
{
    const enum stream_dividing dividing = stream->division.dividing;
    const bool is_divided = dividing == STREAM_ROWS || dividing == STREAM_OWNERS;
    for (int k = 0; is_divided && k < variable->rank; k++)
        if (variable->axes[k] == stream->division.axis)
            return k;
    return -1;
}

// Whether a variable's elements are divided among ranks.
static inline bool stream_is_divided(const struct stream *stream, const struct stream_variable *variable)
{
    return stream_divided_axis(stream, variable) >= 0;
}

// Elements of one row of the divided axis.
static inline size_t stream_row_length(const struct stream *stream, const struct stream_variable *variable)
{
    size_t length = 1;
    for (int k = stream_divided_axis(stream, variable) + 1; k < variable->rank; k++)
        length *= stream->axes[variable->axes[k]].length;
    return length;
}

// Elements of one variable in one record of this rank's frames. One rank: all of them.
static inline size_t stream_held_length(const struct stream *stream, const struct stream_variable *variable)
{
    const struct stream_division *division = &stream->division;
    const size_t length = stream_variable_length(stream, variable);
    if (division->dividing == STREAM_OF_FIRST && !division->holds_all)
        return 0;
    if (division->holds_all || division->dividing != STREAM_ROWS || !stream_is_divided(stream, variable))
        return length;
    return length / stream->axes[division->axis].length * (division->end - division->first);
}

// Bytes of one record (all variables) in this rank's frames.
static inline size_t stream_held_bytes(const struct stream *stream)
{
    size_t length = 0;
    for (int v = 0; v < stream->variable_count; v++)
        length += stream_held_length(stream, &stream->variables[v]);
    return length * element_bytes(stream->element);
}

// Records on their way to a file. `data` is dense: [record][variable][elements of the variable, x fastest].
// Of a stream that is divided by rows, frames of ranks other than 0 have the own rows only (stream_at).
struct frame {
    int stream;      // index among the run's streams
    int slot;        // which of the stream's frames this is, from 0
    size_t records;  // records in this frame (1 for a static stream)
    double *times_s; // one per record, seconds since the start of the model time; unused for a static stream
    void *data;      // records × stream_held_bytes
};

// Where element 0 of the whole variable `v` is, or would be, in the frame's record number `record`: elements
// are at their indices in the whole variable, whatever part of it the frame holds. (With axes before the
// divided one: those of the first block of rows; the others follow, each as long as the rows that the frame
// holds.)
static inline void *stream_at(const struct stream *stream, const struct frame *frame, size_t record, int v)
{
    const struct stream_division *division = &stream->division;
    const struct stream_variable *variable = &stream->variables[v];
    size_t length = record * (stream_held_bytes(stream) / element_bytes(stream->element)), before = 0;
    for (int k = 0; k < v; k++)
        length += stream_held_length(stream, &stream->variables[k]);
    if (stream_held_length(stream, variable) < stream_variable_length(stream, variable))
        before = stream_row_length(stream, variable) * division->first;
    // As a number: the address may lie before the frame.
    const uintptr_t held = (uintptr_t)frame->data + length * element_bytes(stream->element);
    return (void *)(held - before * element_bytes(stream->element));
}

// A saved state of the run (DESIGN §2). `arrays` are in the model's order.
struct checkpoint_array {
    const char *name;
    void *data;
    size_t bytes;
};

// Limits for one run: each of 16 nested grids has five streams and some thirty arrays.
enum { RUN_STREAMS_MAX = 80, CHECKPOINT_ARRAYS_MAX = 576, CHECKPOINT_TEXT_MAX = 64 };

struct checkpoint_header {
    uint64_t job_hash;   // of everything in the job that decides the numbers
    uint64_t input_hash; // of every input file
    int64_t step;        // steps done
    double time_s;       // model time
    int64_t steps_run;   // steps computed in all legs of the run, those repeated after a stop included
    int64_t segment;     // number of the next output segment
    // Records written so far, per stream; of a static one: 0 without its file, else a number of its content.
    int64_t records[RUN_STREAMS_MAX];
    char version[CHECKPOINT_TEXT_MAX];
    char backend[CHECKPOINT_TEXT_MAX];
    char instruction_set[CHECKPOINT_TEXT_MAX];
};

// Where frames go. Every function is called on the I/O thread only. (required) unless marked.
struct sink {
    void *context;
    // Appends the frame's records to its stream (or writes the static stream).
    enum status (*write)(void *context, const struct frame *frame);
    // Closes and syncs the open segments so that all records so far are safe, then stores the state under the
    // older of two alternating names. Sets header->segment and header->records.
    enum status (*checkpoint)(void *context, struct checkpoint_header *header,
                              const struct checkpoint_array *arrays, int array_count);
    // The run is complete: joins the segments, syncs, and renames every result to its final name.
    enum status (*finish)(void *context);
    // The run was stopped or failed: closes what is open. Segments that belong to a checkpoint stay; the rest
    // is removed.
    void (*abandon)(void *context);
};

#endif
