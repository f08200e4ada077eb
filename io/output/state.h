// What io/output/output.c (the sink), io/output/file.c (one netCDF file of a stream), io/output/join.c
// (segments into one) and io/output/finish.c share. For these only.
#ifndef FATHOM_IO_OUTPUT_STATE_H
#define FATHOM_IO_OUTPUT_STATE_H

#include "io/netcdf/write.h"
#include "io/output/output.h"

#include <stdint.h>

enum {
    OUTPUT_CHUNK_BYTES_MAX = 4 << 20,  // of a chunk with one record or a part of it
    OUTPUT_CHUNK_BYTES_MIN = 64 << 10, // as far as a tight cache may shrink it
    OUTPUT_CHUNK_RECORDS_MAX = 1024,   // so that a short run's file is not mostly padding
    OUTPUT_CACHE_BYTES_DEFAULT = 64 << 20,
    OUTPUT_LIBRARY_BYTES_PER_FILE = 1 << 20, // netCDF-C's and HDF5's bookkeeping of an open file, rounded up
    OUTPUT_PART_BYTES_MIN = OUTPUT_CHUNK_RECORDS_MAX * 8,
    OUTPUT_CLASSIC_BUFFER_BYTES = 256
                                  << 10, // of a file in netCDF's classic format; netCDF-C takes twice as many
    OUTPUT_TEXT_BYTES = 2048,
    OUTPUT_BESIDE_MAX = 2,        // STREAM_CF: model_time; STREAM_AMBER: cell_lengths and cell_angles
    OUTPUT_SEGMENT_MAX = 1 << 30, // no run makes so many checkpoints
};

// Smallest and largest number written so far; low > high before the first.
struct output_range {
    double low, high;
};

// An open netCDF file of one stream.
struct output_file {
    int ncid; // −1 when closed
    int time_id;
    int beside_ids[OUTPUT_BESIDE_MAX]; // what else is written with each record's time; −1: nothing
    int variable_ids[STREAM_VARIABLES_MAX];
    size_t records;
    size_t chunk_records; // longest chunk along time
    struct output_range time_range, ranges[STREAM_VARIABLES_MAX];
    char path[PATH_BYTES];
};

struct output_stream {
    const struct stream *stream;
    struct output_file file; // the open segment
    int64_t records;         // in all segments
    double last_time_s;
    bool is_last_found; // the last time is from a segment of an earlier part of the run
    bool is_static_written;
};

struct output {
    struct output_request request;
    char directory[PATH_BYTES], partial[PATH_BYTES];
    struct output_stream streams[RUN_STREAMS_MAX];
    size_t chunk_bytes;  // largest chunk
    int64_t segment;     // number of the open or next segment
    bool has_checkpoint; // one is in partial/ and belongs to this run
    int64_t checkpoint_segment;
    char next_checkpoint; // 'a' or 'b'
    bool is_over;         // finished or abandoned
    size_t buffer_bytes;
    void *buffer; // one chunk, or a few records
};

// ---- io/output/file.c

// Limits of a chunk: its bytes, and its length along time. Chunks are stored whole: one for a thousand
// records in a file of three would be mostly padding.
struct output_chunk_limits {
    size_t bytes, records;
};

// Of a file of the stream that gets at most `records` records, 0 = unknown.
struct output_chunk_limits output_chunk_limits(const struct stream *stream, size_t chunk_bytes,
                                               size_t records);

// Elements of a chunk along time (chunk[0], if the stream has records) and along each axis. Returns its
// bytes.
size_t output_chunk(const struct stream *stream, const struct stream_variable *variable,
                    struct output_chunk_limits limits, size_t chunk[1 + STREAM_RANK_MAX]);

static inline nc_type output_type(enum element element)
{
    return element == ELEMENT_F32 ? NC_FLOAT : element == ELEMENT_F64 ? NC_DOUBLE : NC_UBYTE;
}

// Checks everything in a description that this writer relies on.
enum status output_check_stream(const struct stream *stream);

// Creates a file for stream `s` at `path`, with all metadata, coordinates and constants. `records`: most that
// it gets, 0 = unknown.
enum status output_file_create(const struct output *output, int s, const char *path, size_t records,
                               struct output_file *file);

// Writes `records` records from `first` on (ignored for a static stream) of part start … start + count of
// variable `v`.
enum status output_file_put(struct output_file *file, const struct stream *stream, int v, size_t first,
                            size_t records, const size_t *start, const size_t *count, const void *data);
// `times`: in the file's units (output_file_times), with what is written beside them.
enum status output_file_put_times(struct output_file *file, const struct stream *stream, size_t first,
                                  size_t records, const double *times);

// Writes the actual ranges, closes and syncs.
enum status output_file_close(struct output_file *file, const struct stream *stream);
void output_file_abandon(struct output_file *file);

// ---- io/output/define.c

// Attributes, dimensions, variables; ends the definition. Then coordinates and constants, whose values are
// known at the start.
enum status output_define(const struct output *output, const struct stream *stream, struct output_file *file);
enum status output_put_fixed(const struct stream *stream, const struct output_file *file);

// The range of these numbers, NaN left out.
struct output_range output_range_of(const double *values, size_t count);

// Two texts with a separator between them if both are there.
const char *output_join_texts(const char *first, const char *separator, const char *second,
                              char text[OUTPUT_TEXT_BYTES]);

// ---- io/output/amber.c: streams of layout STREAM_AMBER

enum status output_amber_check(const struct stream *stream);
// Flag of the file's format: NC_64BIT_OFFSET (CDF-2), or NC_64BIT_DATA (CDF-5) if a variable is too large for
// that.
int output_amber_format(const struct stream *stream);
enum status output_amber_define(const struct output *output, const struct stream *stream,
                                struct output_file *file);
// The periodic cell of `records` records from `first` on; writes nothing for a stream without a cell.
enum status output_amber_put_cell(const struct output_file *file, const struct stream *stream, size_t first,
                                  size_t records);
// STATUS_DATA: the file's numbers do not stand for what this stream's do (another version wrote it).
enum status output_amber_check_scales(const struct stream *stream, int ncid, const char *path);
// The name of a stream's dimension of records.
const char *output_record_dimension(const struct stream *stream);

// ---- io/output/join.c

// Records, and the first and last time, of the segment file of stream `s` at `path`.
enum status output_segment_inquire(const struct stream *stream, const char *path, size_t *records,
                                   double ends_s[2]);

// Writes all segments of record stream `s` into one file at `path`.
enum status output_join(struct output *output, int s, const char *path);

// ---- io/output/kept.c

// Counts what is in partial/ of the segments and static streams before a checkpoint, at path `checkpoint`,
// and compares it with the checkpoint. STATUS_DATA: a file is missing or damaged, and which. Leaves the
// counts in the streams.
enum status output_kept_check(struct output *output, const struct checkpoint_header *header,
                              const char *checkpoint);
// The same without an output that is open.
enum status output_kept_inspect(const struct output_request *request, const struct checkpoint_header *header,
                                const char *checkpoint);

// ---- io/output/finish.c

// Makes all final files and renames them to the result directory. The segments are closed.
enum status output_publish(struct output *output);

// ---- io/output/names.c

// DIRECTORY/NAME SUFFIX; too long a path is STATUS_CANNOT_CREATE.
enum status output_join_path(char path[PATH_BYTES], const char *directory, const char *name,
                             const char *suffix);

// DIRECTORY/partial/NAME.0007.nc
enum status output_segment_path(const struct output *output, int s, int64_t segment, char path[PATH_BYTES]);
bool output_exists(const char *path);
// Removes a file if it exists; and those entries of a directory (a missing one is fine) that are wanted.
enum status output_remove(const char *path);
enum status output_remove_entries(const char *directory,
                                  bool (*wanted)(const void *context, const char *file), const void *context);
// STATUS_CANNOT_CREATE if partial/ is a symbolic link: what a run removes from it would be removed elsewhere.
enum status output_check_partial(const char *partial);

// The number in "NAME.NNNN.nc", or -1 if the file is called otherwise.
int64_t output_number_in(const char *file, const char *name);

// Goes from segment *number of stream `s` (−1: before the first) to the next one that is in partial/, the
// open one included; false: no other. Records may be missing between two checkpoints, and numbers with
// them.
bool output_segment_next(const struct output *output, int s, int64_t *number, char path[PATH_BYTES]);

#endif
