// The sink (core/stream.h) that stores a run's streams as netCDF-4 files with CF-1.8 metadata, and its
// checkpoints. Independent of models and of how frames are computed. Not thread-safe, as netCDF-C is not:
// call everything on the I/O thread, except output_open (before that thread starts) and output_close (after
// it has ended).
//
// In DIRECTORY, stream NAME becomes NAME.nc. Until the run is complete everything lies in DIRECTORY/partial/:
//   NAME.0000.nc, ...   segments of a record stream: complete netCDF files, one between two checkpoints;
//                       a number without records is left out
//   NAME.static.nc      a static stream
//   checkpoint.a, .b    the last two checkpoints, written alternately
//   checkpoint.0007.0003  of a run of several ranks: what rank 3 has of a checkpoint (io/checkpoint_set.h)
//   job.json            the job and its inputs, if the caller writes them (output_record_path)
//   final/              the final files under their names, once the run is over
//   final/run.json      a report about them: the record that they are complete (output_publish)
// finish() first makes all final files, then renames them to DIRECTORY, then removes partial/. So results of
// an earlier run are replaced only when the new ones are complete, and a run can be resumed after a crash at
// any time. A caller that writes a report about the results (request.has_report) does the second and third
// itself: it writes the report, calls output_publish, then output_remove_partial.
// Checkpoints are removed from partial/ first, so that none remains without its segments; job.json is removed
// last.
//
// Layout: variable(time, axes ...), time unlimited. A chunk holds several small records (at most 1 MiB and
// 1024 records), or one record of up to 4 MiB, or a part of a larger record; the parts are equal, cut along
// the slowest axis. A chunk holds no more records than the segment can get (segment_records). Static
// variables are contiguous. Compression (shuffle and deflate level 1) only on request.
//
// A variable with a resolution (core/stream.h) is rounded to whole multiples of it and stored as int with
// scale_factor, shuffle and deflate level 1; a number that 32 bits cannot hold is STATUS_DATA.
//
// A stream that is internal (core/stream.h) has no file; its records are only counted.
//
// A stream of STREAM_AMBER is a trajectory in AMBER's layout (AMBER NetCDF Trajectory Convention 1.0,
// https://ambermd.org/netcdf/nctraj.xhtml), which OVITO, VMD and MDTraj open: netCDF's classic format with
// 64-bit offsets (CDF-2), or CDF-5 where a variable or one record of it is larger than CDF-2's 4 GiB (fewer
// programs read CDF-5). It has the unlimited dimension frame, coordinates(frame, atom, spatial) and so on in
// the stream's element type, and spatial(spatial) = "xyz"; if the stream has a periodic cell, also
// cell_lengths and cell_angles in every frame. Units are those of the convention, which other programs
// require: angstrom, picosecond. The stream defines their meaning, which is written as attributes: a number
// times run_scale is in run_units. Unlike in the convention, time(frame) is double, so that no two records
// have the same time. The stream has two axes, "atom" and "spatial" of 3, variables along both, and constants
// that are numbers. The format has no compression and no actual_range.
//
// Times without a date ("s", "1"): the axis time has numbers without units, and model_time(time) has the same
// numbers with their units. Otherwise programs with calendars (cdo) would convert the axis to dates.
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

struct cJSON;
struct checkpoint_set;

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
    const char *comment;    // follows the stream's own comment
    // "seconds since 2011-03-11 05:46:24"; "s" without a date; "1" in reduced units; NULL = "seconds since
    // 1970-01-01 00:00:00"
    const char *time_units;
    bool compress;
    // Threads that compress, besides the one that calls the sink; 0: that thread, by netCDF-C. No more are
    // started than have something to do, and none if no stream of records is compressed.
    int threads;
    // (optional) output_work_bytes of memory for them, zero or not; NULL: the sink allocates it.
    void *work;
    // A report, run.json, describes the results: finish leaves them in DIRECTORY/partial/final/, and partial/
    // to output_publish and output_remove_partial.
    bool has_report;
    bool join; // the segments into NAME.nc; else several become NAME.0000.nc, NAME.0001.nc, ...
    // Ceiling of all chunk caches together, 0 = 64 MiB; if it is tight, chunks become smaller.
    size_t cache_bytes;
    // (optional) Most records that a segment of each stream gets, 0 = unknown. A chunk holds no more records
    // than that, because chunks are stored whole.
    size_t segment_records[RUN_STREAMS_MAX];
    // To resume: the checkpoint that output_find_checkpoint found, and its header. Both or
    // neither.
    const char *resume_path;
    const struct checkpoint_header *resume;
    // (optional) Of a run of several ranks whose arrays are divided: checkpoints are sets of files.
    const struct checkpoint_set *set;
};

// Most memory (bytes) that the sink needs, including netCDF-C's, for the plan of a run, besides
// output_work_bytes. It depends on the streams, not on their number of records.
size_t output_memory_bytes(const struct output_request *request);

// Memory (bytes) of the threads that compress, and how many they are; 0, and no threads: netCDF-C compresses,
// or nothing is compressed.
size_t output_work_bytes(const struct output_request *request, int *threads);

// Most bytes that a file of stream `s` (a segment, or the joined file) needs on the disk besides the numbers
// of its records: header, coordinates, constants, and the unused part of its chunks.
size_t output_file_bytes(const struct output_request *request, int s, bool is_segment);

// Fills `sink`. For a new run, the files that an earlier, unfinished run left in partial/ are removed. For a
// resumed run, the segments that belong to the checkpoint must exist and be complete (otherwise STATUS_DATA);
// later ones are removed.
// STATUS_CONFIGURATION: invalid time units or cache_bytes. STATUS_CANNOT_CREATE: the directory; or partial/
// is a symbolic link (also refused by all functions that follow). STATUS_SOFTWARE: a stream description that
// contradicts itself (names, ranks and lengths are all checked). STATUS_SYSTEM: no memory.
//
// write: times must increase from record to record (STATUS_SOFTWARE). A static stream may be written again:
// the last frame counts. A failure to store is STATUS_IO or STATUS_CANNOT_CREATE, with the file in the
// message; a full disk gives "FILE: no space left on device". After a failure, call only abandon.
// finish: a static stream that was never written is STATUS_SOFTWARE. A record stream without records becomes
// a file without records. After it, abandon does nothing.
// abandon: if the run has a checkpoint, partial/ keeps what that checkpoint needs; else it is removed.
enum status output_open(const struct output_request *request, struct sink *sink);

// The sink of a rank other than 0, which writes its files of checkpoints and nothing else: it has no frames.
// Rank 0 makes the folder. output_close releases its memory, too.
enum status output_open_part(const struct output_request *request, struct sink *sink);

// After output_open and output_open_part, on all ranks, when rank 0 has written the run's record
// (output_record_path): looks whether all ranks see the same folder and may write to it (request.set), and
// notes whose it is, by the time of that record. A run that is taken for lost and goes on later, because it
// was suspended or its host was cut off, then finds that a resumed run has written its own record; it fails
// at its next write and leaves the folder as it is. On one host, and where locks reach all hosts, a run does
// not begin before the ranks of an earlier one have ended. STATUS_CANNOT_CREATE, STATUS_IO.
enum status output_claim(struct sink *sink);

// Releases the sink's memory; abandons the run first if it is neither finished nor abandoned. `sink` may be
// all zero.
void output_close(struct sink *sink);

// The path of a file about the unfinished run in DIRECTORY/partial/ (io/job/record.h). It is kept as long as
// the checkpoints, and removed with them. STATUS_CANNOT_CREATE: the path is too long.
enum status output_record_path(const char *directory, char path[PATH_BYTES]);

// The folder of the final files of a request with a report, between finish and output_publish; its report is
// to be written there, synced, under the name run.json. STATUS_CANNOT_CREATE: the path is too long.
enum status output_final_directory(const char *directory, char path[PATH_BYTES]);

// Appends to `names`, a cJSON array, what in DIRECTORY would look like files of the streams beside the final
// ones: NAME.nc or NAME.0003.nc of an earlier run that had more files, or one. STATUS_IO.
enum status output_list_stale(const struct output_request *request, struct cJSON *names);

// In a report (optional): the names of files in DIRECTORY that output_publish removes.
extern const char output_removed[];

// Gives the final files their names in DIRECTORY: removes an earlier report, and the plain files that the
// new one lists under output_removed; then renames the final files; the report comes last. The report in
// partial/final/ is the record that this is under way: after a kill at any moment another call, of any
// process that holds the folder's lock, goes on to the same end. STATUS_CANNOT_CREATE: the record is not of
// the run whose job.json lies in partial/: another run has taken over. STATUS_NO_INPUT: there is no record.
// STATUS_IO. Allocates.
enum status output_publish(const char *directory);

// Whether there is such a record in DIRECTORY, where old and new results then may lie side by side.
bool output_is_publishing(const char *directory);

// STATUS_NO_INPUT if there is in the folder `path`, or in that of the file `path`; the message says what
// finishes it. For commands that read results.
enum status output_check_published(const char *path);

// Removes a run's files in DIRECTORY/partial/, and the folder unless it holds other files. For the end of a
// run with a report. STATUS_OK also if there is no such folder; STATUS_IO, STATUS_CANNOT_CREATE.
enum status output_remove_partial(const char *directory);

// Whether DIRECTORY/partial/ is missing or empty.
bool output_partial_is_empty(const char *directory);

// Bytes on the disk of DIRECTORY/partial/, where a run that has not ended keeps its files; 0 if the folder is
// missing.
uint64_t output_partial_bytes(const char *directory);

// What continues a stopped run in DIRECTORY: "fathom run --resume", or the command that wrote its job.
const char *output_continue_words(const char *directory);

// Finds the newest checkpoint in DIRECTORY/partial/ that passes all checks. If the newer of the two does not,
// a warning (core/log.h) gives its name and the reason, and the older one is chosen. STATUS_NO_INPUT: there
// is no checkpoint. STATUS_DATA, with the reason: all are damaged.
enum status output_find_checkpoint(const char *directory, char path[PATH_BYTES]);

// The same for the run with these hashes (NULL: any). If only one of the two checkpoints belongs to that run,
// it is chosen, with a warning about the other. If neither does, the newer one is chosen, and the caller
// reports the difference. Without `warns` there is no warning.
enum status output_find_checkpoint_of(const char *directory, const uint64_t *job_hash,
                                      const uint64_t *input_hash, bool warns, char path[PATH_BYTES]);

// The same in request->directory, with all files that the checkpoint needs. A checkpoint whose segments or
// static streams are missing or damaged is not chosen; a warning gives the file, or the failure (STATUS_DATA)
// if there is no other checkpoint. Opens the segments.
enum status output_find_complete(const struct output_request *request, const uint64_t *job_hash,
                                 const uint64_t *input_hash, char path[PATH_BYTES]);

#endif
