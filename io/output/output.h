// The sink (core/stream.h) that stores a run's streams as netCDF-4 files with CF-1.8 metadata, and its
// checkpoints. Independent of models and of how frames come about. Not thread-safe, as netCDF-C is not:
// everything is called on the I/O thread, except output_open and output_close (before it starts, after it
// ends).
//
// In DIRECTORY, stream NAME becomes NAME.nc. Until the run is complete everything lies in DIRECTORY/partial/:
//   NAME.0000.nc, ...   segments of a record stream: complete netCDF files, one between two checkpoints;
//                       a number without records is left out
//   NAME.static.nc      a static stream
//   checkpoint.a, .b    the two last states, written in turn
//   job.json            what the run is made of, if the caller writes it (output_record_path)
//   NAME.final.nc, ...  while finishing
// finish() first makes all final files, then renames them to DIRECTORY, then removes partial/: results of an
// earlier run are replaced only then, and a crash at any moment leaves a state that can be resumed. A caller
// that has a report to write about the results (request.report) removes partial/ itself, after it has written
// that: until then the run can be resumed.
// Checkpoints are removed from partial/ first, so that none is left without its segments; job.json goes last.
//
// Layout: variable(time, axes ...), time unlimited. Chunks hold whole records where these are small (at most
// 1 MiB and 1024 records a chunk), one record up to 4 MiB, and above it equal parts of a record, cut along
// the slowest axis. Those of a segment are no longer along time than its records (segment_records). Static
// variables are contiguous. Compression (shuffle and deflate level 1) only on request.
//
// A stream that is internal (core/stream.h) has no file; its records are only counted.
//
// A stream of STREAM_AMBER is a trajectory in AMBER's layout (AMBER NetCDF Trajectory Convention 1.0,
// https://ambermd.org/netcdf/nctraj.xhtml), which OVITO, VMD and MDTraj open: netCDF's classic format with
// 64-bit offsets (CDF-2), or CDF-5 where a variable or one record of it is larger than CDF-2's 4 GiB (fewer
// programs read that); frame unlimited, coordinates(frame, atom, spatial) and so on in the stream's element
// type, spatial(spatial) = "xyz", and, where the stream has a periodic cell, cell_lengths and cell_angles in
// every frame. Units are the convention's, which its readers insist on: angstrom, picosecond. The stream
// defines what one of them stands for, which is written as attributes: a number times run_scale is in
// run_units. Other than the convention has it, time(frame) is double, so that records never share a time. The
// stream has two axes, "atom" and "spatial" of 3, variables along both, and constants that are numbers. No
// compression, no actual_range: the format has neither.
//
// Times without a date ("s", "1"): the axis time has no units, only numbers; model_time(time) beside it has
// the same with its units. Programs of calendars (cdo) would make dates of the former otherwise.
//
// Memory: nothing is allocated here after output_open. netCDF-C keeps one chunk per variable of the
// open files (bounded by cache_bytes) and its own bookkeeping; output_memory_bytes is the ceiling, tested by
// tests/io/test_output.c.
#ifndef FATHOM_IO_OUTPUT_OUTPUT_H
#define FATHOM_IO_OUTPUT_OUTPUT_H

#include "core/status.h"
#include "core/stream.h"
#include "io/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Strings and streams are the caller's and must outlive the sink; NULL strings are left out unless said
// otherwise.
struct output_request {
    const char *directory; // created if absent
    const struct stream *const *streams;
    int stream_count;       // 1 … RUN_STREAMS_MAX
    const char *title;      // of the run; a file's title is "TITLE: title of the stream"
    const char *source;     // "Fathom 0.1.0"
    const char *history;    // dated command line
    const char *references; // of the method
    const char *comment;    // comes after the stream's own comment
    // "seconds since 2011-03-11 05:46:24"; "s" without a date; "1" in reduced units; NULL = "seconds since
    // 1970-01-01 00:00:00"
    const char *time_units;
    bool compress;
    // (optional) Name of the file in DIRECTORY that describes the results and is written after them: an
    // earlier run's is removed before the first of its results is replaced, and finish leaves partial/ to
    // output_remove_partial.
    const char *report;
    // (optional) Results that an earlier run in DIRECTORY left, by its own account, as "maxima.nc": those
    // that this run does not write are removed, with their parts, when this run's are all made and before the
    // first gets its name.
    const char *const *earlier_files;
    int earlier_file_count;
    bool join; // the segments into NAME.nc; else several become NAME.0000.nc, NAME.0001.nc, ...
    // Ceiling of all chunk caches together, 0 = 64 MiB; if it is tight, chunks become smaller.
    size_t cache_bytes;
    // (optional) Most records that a segment of each stream gets, 0 = unknown: chunks are stored whole, so
    // those of a segment are no longer along time than that.
    size_t segment_records[RUN_STREAMS_MAX];
    // To resume: the checkpoint that output_find_checkpoint found, and its header. Both or
    // neither.
    const char *resume_path;
    const struct checkpoint_header *resume;
};

// Most memory that the sink takes, netCDF-C's included, for the plan of a run. Depends on the streams, not on
// how many records they get.
size_t output_memory_bytes(const struct output_request *request);

// Most bytes that a file of stream `s` (a segment, or the joined file) takes on the disk beside the numbers
// of its records: header, coordinates, constants, and what of its chunks is not filled.
size_t output_file_bytes(const struct output_request *request, int s, bool is_segment);

// Fills `sink`. Afresh: what an earlier, unfinished run left in partial/ is removed. partial/ as a symbolic
// link is refused, here and by all that follow: STATUS_CANNOT_CREATE. Resuming: segments that
// belong to the checkpoint must be there, whole (STATUS_DATA if not); later ones are removed.
// STATUS_CONFIGURATION for time units or a cache_bytes that cannot be used, STATUS_CANNOT_CREATE for the
// directory, STATUS_SOFTWARE for a stream description that contradicts itself (checked in full: names, ranks,
// lengths), STATUS_SYSTEM without memory.
//
// write: times must increase from record to record (STATUS_SOFTWARE). A static stream may be written again:
// the last frame counts. Every failure to store is STATUS_IO or STATUS_CANNOT_CREATE and names the file; a
// full disk gives "FILE: no space left on device". After a failure only abandon is useful.
// finish: a static stream that was never written is STATUS_SOFTWARE. A record stream without records becomes
// a file without records. After it, abandon does nothing.
// abandon: if the run has a checkpoint, partial/ stays as that checkpoint needs it; else it is removed.
enum status output_open(const struct output_request *request, struct sink *sink);

// What time_units may count from: "2011-03-11 05:46:24" or the date alone. STATUS_CONFIGURATION, with the
// text: not a day or time of the calendar.
enum status output_check_date(const char *text);

// Releases the sink's memory; abandons the run first if it is neither finished nor abandoned. `sink` may be
// all zero.
void output_close(struct sink *sink);

// Where a text about the unfinished run in DIRECTORY/partial/ may be kept (io/job/record.h): it stays and
// goes with the checkpoints. STATUS_CANNOT_CREATE: the path is too long.
enum status output_record_path(const char *directory, char path[PATH_BYTES]);

// Removes what a run left in DIRECTORY/partial/, and the folder, unless it holds files of others. None there:
// STATUS_OK. For the end of a run with a report; STATUS_IO, STATUS_CANNOT_CREATE.
enum status output_remove_partial(const char *directory);

// Whether DIRECTORY/partial/ is missing or empty.
bool output_partial_is_empty(const char *directory);

// Bytes that the unfinished run in DIRECTORY/partial/ takes on the disk; 0 without one.
uint64_t output_partial_bytes(const char *directory);

// The newest checkpoint in DIRECTORY/partial/ that is verified completely. If the newer of the
// two cannot, a warning (core/log.h) gives the name and the reason, and the older is taken. None →
// STATUS_NO_INPUT if there is no checkpoint at all, STATUS_DATA with the reason if all are damaged.
enum status output_find_checkpoint(const char *directory, char path[PATH_BYTES]);

// The same for the run with these hashes (NULL: any): if the one belongs to it and the other does not, the
// one is taken, with a warning that names the other. If neither does, the newer one: the caller
// reports in what it differs. Without `warns` there is no warning.
enum status output_find_checkpoint_of(const char *directory, const uint64_t *job_hash,
                                      const uint64_t *input_hash, bool warns, char path[PATH_BYTES]);

// The same for the streams of `request`, whose directory it is, with all that the checkpoint needs: one of
// the run whose segments or static streams are missing or damaged is left out, with what is missing in the
// warning, or in the failure (STATUS_DATA) if there is no other. Opens the segments.
enum status output_find_complete(const struct output_request *request, const uint64_t *job_hash,
                                 const uint64_t *input_hash, char path[PATH_BYTES]);

#endif
