// Shared by the files of io/output/ only: output.c (the sink), file.c (one netCDF file of a stream), join.c
// (segments into one file), finish.c and the others named below.
#ifndef FATHOM_IO_OUTPUT_STATE_H
#define FATHOM_IO_OUTPUT_STATE_H

#include "io/netcdf/write.h"
#include "io/output/crew.h"
#include "io/output/output.h"
#include "io/output/pack.h"
#include "io/output/range.h"

#include <stdint.h>

enum {
    OUTPUT_CHUNK_BYTES_MAX = 4 << 20,      // of a chunk with one record or a part of it
    OUTPUT_DEFLATED_BYTES_MAX = 512 << 10, // of a chunk that is deflated: it stays in a core's cache
    OUTPUT_CHUNK_BYTES_MIN = 64 << 10,     // the least size to which a small cache reduces it
    OUTPUT_CHUNK_RECORDS_MAX = 1024,       // so that a short run's file is not mostly padding
    OUTPUT_CACHE_BYTES_DEFAULT = 64 << 20,
    OUTPUT_LIBRARY_BYTES_PER_FILE = 1 << 20, // netCDF-C's and HDF5's bookkeeping of an open file, rounded up
    OUTPUT_PART_BYTES_MIN = OUTPUT_CHUNK_RECORDS_MAX * 8,
    OUTPUT_CLASSIC_BUFFER_BYTES = 256
                                  << 10, // of a file in netCDF's classic format; netCDF-C takes twice as many
    OUTPUT_TEXT_BYTES = 2048,
    OUTPUT_BESIDE_MAX = 2,        // STREAM_CF: model_time; STREAM_AMBER: cell_lengths and cell_angles
    OUTPUT_SEGMENT_MAX = 1 << 30, // more than any run has checkpoints
};

// Of a file that HDF5 writes (io/output/direct.c): the stream's variables, then the times.
enum {
    OUTPUT_COLUMN_TIME = STREAM_VARIABLES_MAX,
    OUTPUT_COLUMN_MODEL_TIME,
    OUTPUT_COLUMNS_MAX,
};
struct output_column {
    chunks_id id;             // −1: the file has no such variable
    uint64_t records;         // that it has room for in the file
    unsigned char missing[8]; // its fill value
};

// An open netCDF file of one stream.
struct output_file {
    int ncid;         // −1 when netCDF-C does not have it open
    chunks_id direct; // −1 when HDF5 does not
    struct output_column columns[OUTPUT_COLUMNS_MAX];
    int time_id;
    int beside_ids[OUTPUT_BESIDE_MAX]; // variables that are written with each record's time; −1: none
    int variable_ids[STREAM_VARIABLES_MAX];
    size_t records;
    size_t chunk_records;                                         // longest chunk along time
    struct output_range time_range, ranges[STREAM_VARIABLES_MAX]; // of what was written so far
    char path[PATH_BYTES];
};

struct output_stream {
    const struct stream *stream;
    struct output_file file; // the open segment
    // Records of a chunk that is not complete, in the stream's elements; NULL: a record is a chunk or more.
    unsigned char *gathered[OUTPUT_COLUMNS_MAX];
    int64_t records; // in all segments
    double last_time_s;
    bool is_last_found; // last_time_s was read from a segment, after the run was resumed
    bool is_static_written;
    int64_t static_sum; // of its file, at least 2: in checkpoints; 1 in those of version 0.2 and before
};

// When the run's record (output_record_path) was written: each run, resumed or not, makes a new one.
struct output_owner {
    int64_t seconds, nanoseconds; // 0: unknown
};

struct output {
    struct output_request request;
    char directory[PATH_BYTES], partial[PATH_BYTES], final[PATH_BYTES];
    struct output_stream streams[RUN_STREAMS_MAX];
    size_t chunk_bytes;  // largest chunk
    int64_t segment;     // number of the open or next segment
    bool has_checkpoint; // partial/ has a checkpoint of this run
    int64_t checkpoint_segment;
    char next_checkpoint;    // 'a' or 'b'
    int64_t set_segments[2]; // of the sets that checkpoint.a and .b begin; −1: none
    bool is_part;            // of a rank other than 0
    int lock;                // of such a rank, on partial/, as long as it lives; −1: none
    struct output_owner owner;
    bool is_over; // finished or abandoned
    size_t buffer_bytes;
    void *buffer;             // one chunk, or a few records
    void *own_work;           // if the request gives none; NULL: it does, or none is needed
    struct output_crew *crew; // NULL: netCDF-C compresses
};

// A positive number of a file's content. STATUS_NO_INPUT, STATUS_IO.
enum status output_file_sum(const char *path, int64_t *sum);

// ---- io/output/owner.c

// Whether another run has made its record in the folder since output_claim.
bool output_is_taken_over(const struct output *output);
// STATUS_CANNOT_CREATE if so.
enum status output_check_owner(const struct output *output);
// Waits a few seconds for ranks of an earlier run that have not ended. STATUS_CANNOT_CREATE: they do not.
enum status output_await_ranks(const char *partial);

// ---- io/output/file.c

// Limits of a chunk: its bytes, and its length along time. Chunks are stored whole: a chunk for a thousand
// records would be mostly padding in a file of three.
struct output_chunk_limits {
    size_t bytes, records;
};

// The limits in a file of the stream that gets at most `records` records, 0 = unknown.
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

// Of the numbers as they stand in the file.
static inline nc_type output_variable_type(const struct stream *stream,
                                           const struct stream_variable *variable)
{
    return variable->is_byte ? NC_BYTE : variable->resolution > 0 ? NC_INT : output_type(stream->element);
}

// A part of a record, as large as a chunk: where it lies along the variable's axes.
struct output_part {
    bool is_begun; // false before the first part, and all else zero
    size_t start[STREAM_RANK_MAX], count[STREAM_RANK_MAX];
};
// From one part to the next; the last axis runs fastest. False: it was the last.
bool output_part_next(const struct stream *stream, const struct stream_variable *variable,
                      const size_t *chunk, struct output_part *part);

// Checks everything in a description that this writer relies on.
enum status output_check_stream(const struct stream *stream);

// Makes the file of stream `s` at `path`, with all metadata, coordinates and constants. `records`: most
// records that it gets, 0 = unknown.
enum status output_file_create(struct output *output, int s, const char *path, size_t records);

// Writes the block start … start + count − 1 of variable `v` in `records` records from `first` on (ignored
// for a static stream). Numbers of a variable with a resolution are packed already (output_pack).
enum status output_file_put(struct output_file *file, const struct stream *stream, int v, size_t first,
                            size_t records, const size_t *start, const size_t *count, const void *data);
// Writes the times, in the file's units (output_file_times), and the variables of beside_ids.
enum status output_file_put_times(struct output_file *file, const struct stream *stream, size_t first,
                                  size_t records, const double *times);

bool output_file_is_open(const struct output_file *file);
// Writes the actual ranges to the open file of stream `s`, closes and syncs it.
enum status output_file_close(struct output *output, int s);
// The same without syncing it: for a file that is synced before it gets its final name.
enum status output_file_end(struct output *output, int s);
void output_file_abandon(struct output *output, int s);

// ---- io/output/direct.c: record streams with compressed variables, whose chunks several threads make

// Whether a stream's files are written so.
bool output_direct_is_possible(const struct output_request *request, const struct stream *stream);
// Starts the threads, if there is such a stream, with output_work_bytes of memory. `chunk_bytes`: as in
// struct output.
enum status output_direct_open(struct output *output, void *work);
size_t output_direct_bytes(const struct output_request *request, size_t chunk_bytes, int *threads);
// Takes the file of stream `s`, which is defined, from netCDF-C; and gives it back, complete but for the
// actual ranges.
enum status output_direct_begin(struct output *output, int s);
enum status output_direct_end(struct output *output, int s);
void output_direct_abandon(struct output *output, int s);
// Appends times and numbers of a frame's records. When it returns, the frame's data were read.
enum status output_direct_write(struct output *output, int s, const struct frame *frame);
// Appends times alone, in the file's units, which belong to records from `first` on.
enum status output_direct_put_times(struct output *output, int s, size_t first, size_t records,
                                    const double *times);
// Appends to variable `v` the chunks of another file, as they are stored: of `records` records, each of which
// is a chunk or several. `path`: of that file.
enum status output_direct_copy(struct output *output, int s, int v, chunks_id from, const char *path,
                               size_t records);

// ---- io/output/define.c

// Attributes, dimensions, variables; ends the definition. Then coordinates and constants, whose values are
// known at the start.
enum status output_define(const struct output *output, const struct stream *stream, struct output_file *file);
enum status output_put_fixed(const struct stream *stream, const struct output_file *file);

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
// STATUS_DATA: the file has other scales or units than this stream (another version wrote it).
enum status output_amber_check_scales(const struct stream *stream, int ncid, const char *path);
// The name of a stream's dimension of records.
const char *output_record_dimension(const struct stream *stream);

// ---- io/output/join.c

// Reads the number of records, and the first and last time (s), of the segment file at `path`.
enum status output_segment_inquire(const struct stream *stream, const char *path, size_t *records,
                                   double ends_s[2]);

// Writes all segments of record stream `s` into one file at `path`.
enum status output_join(struct output *output, int s, const char *path);

// ---- io/output/kept.c

// Counts the records in the segments and static streams in partial/ up to a checkpoint (its file:
// `checkpoint`), and compares them with its header. Stores the counts in the streams. STATUS_DATA: a file is
// missing or damaged; the message names it.
enum status output_kept_check(struct output *output, const struct checkpoint_header *header,
                              const char *checkpoint);
// The same, without an open output.
enum status output_kept_inspect(const struct output_request *request, const struct checkpoint_header *header,
                                const char *checkpoint);

// ---- io/output/finish.c

// Makes all final files in partial/final/, synced. The segments must be closed.
enum status output_prepare(struct output *output);

// ---- io/output/publish.c

// In a result directory: the folder of the final files, and the report (output.h).
extern const char output_final_name[], output_report_name[];

// Moves the final files of a request without a report to the result directory.
enum status output_move(const struct output *output);
// Removes the run's files in partial/final/, and the folder unless it holds other files. `partial`: the path
// of that folder.
enum status output_final_remove(const char *partial);

// ---- io/output/names.c

// DIRECTORY/NAMESUFFIX. STATUS_CANNOT_CREATE: the path is too long.
enum status output_join_path(char path[PATH_BYTES], const char *directory, const char *name,
                             const char *suffix);

// DIRECTORY/partial/NAME.0007.nc
enum status output_segment_path(const struct output *output, int s, int64_t segment, char path[PATH_BYTES]);
bool output_exists(const char *path);
// output_each_entry calls `act` for each entry of a directory, if it exists, until a failure. output_remove
// removes a file if it exists. output_remove_entries removes the wanted entries of a directory, if it exists.
enum status output_each_entry(const char *directory,
                              enum status (*act)(const void *context, const char *path, const char *file),
                              const void *context);
enum status output_remove(const char *path);
enum status output_remove_entries(const char *directory,
                                  bool (*wanted)(const void *context, const char *file), const void *context);
// Whether there is such a file; `wanted` gets the context NULL.
bool output_has_entry(const char *directory, bool (*wanted)(const void *context, const char *file));
// STATUS_CANNOT_CREATE: partial/ is a symbolic link; a run would remove files in another folder.
enum status output_check_partial(const char *partial);

// Of io/output/partial.c; `partial`: the folder's path. Removes the run's files and leaves those of others;
// the same with the folder, if it is there; or what the checkpoint does not need.
enum status output_partial_empty(const char *partial);
enum status output_partial_remove(const char *partial);
enum status output_partial_rewind(const struct output *output);

// The number in "NAME.NNNN.nc", or −1 if the file has another name.
int64_t output_number_in(const char *file, const char *name);

// Goes from segment *number of stream `s` (−1: before the first) to the next one in partial/. The segment
// being written counts too. False: *number was the last. Numbers may be missing, because a segment without
// records is not written.
bool output_segment_next(const struct output *output, int s, int64_t *number, char path[PATH_BYTES]);

#endif
