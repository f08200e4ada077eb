// Space on the disk (see the header).
#include "cli/disk_space.h"

#include "core/clock.h"
#include "core/log.h"
#include "io/units.h"

#include <math.h>
#include <sys/statvfs.h>

static const double check_every_s = 0.25;
// Size of files beyond their numbers: headers, incomplete chunks, the file system's metadata.
static const double margin_bytes = 1e6;

// run.json, which exists twice for a moment, run.log, and partial/job.json.
static const double texts_bytes = 48 << 10;

// Segments of a stream: one between two checkpoints, if it gets a record. The number of checkpoints by the
// clock is unknown: one is counted.
static double segments_of(const struct session *s, int stream)
{
    const struct job *job = s->job;
    const double every =
        job_has(job, "checkpoint.every_steps") ? (double)job_integer(job, "checkpoint.every_steps") : 0;
    const double parts = every > 0 ? 1 + floor((double)s->plan.steps / every) : 1;
    return fmin(parts, fmax(1, session_records_after(s, stream, -1)));
}

// Size of the files without their records: the segments, and the joined files beside them.
static double files_bytes(const struct session *s)
{
    double bytes = texts_bytes;
    for (int k = 0; k < s->plan.stream_count; k++) {
        const double segments = segments_of(s, k), finished = s->output.join && segments > 1 ? 1 : 0;
        bytes += segments * (double)output_file_bytes(&s->output, k, true) +
                 finished * (double)output_file_bytes(&s->output, k, false);
    }
    return bytes;
}

// Of the records after `step`. Rounded numbers are compressed, a day of a tsunami on an ocean to a twentieth
// (docs/tsunami.md). A fourth is expected; a run that needs more stops with a checkpoint before the disk is
// full (disk_space_must_stop).
static double expected_bytes(const struct session *s, int64_t step)
{
    static const double rounded_share = 0.25;
    double bytes = 0;
    for (int k = 0; k < s->plan.stream_count; k++) {
        const struct stream *stream = s->plan.streams[k];
        double elements = 0;
        for (int v = 0; v < stream->variable_count; v++)
            elements += (double)stream_variable_length(stream, &stream->variables[v]) *
                        (stream->variables[v].resolution > 0 ? rounded_share : 1);
        bytes += session_records_after(s, k, step) * elements * (double)element_bytes(stream->element);
    }
    return bytes;
}

// Joining needs the segments and the joined file at once.
double disk_space_results_bytes(const struct session *s)
{
    return (s->output.join ? 2 : 1) * expected_bytes(s, -1);
}

// A third checkpoint is written before one of the two is replaced.
static double whole_bytes(const struct session *s)
{
    return disk_space_results_bytes(s) + 3 * s->all_checkpoint_bytes + files_bytes(s) + s->plan.product_bytes;
}

double disk_space_needed_bytes(const struct session *s, bool is_resumed)
{
    return fmax(0, whole_bytes(s) - (is_resumed ? (double)output_partial_bytes(s->directory) : 0));
}

enum status disk_space_check(const struct session *s, bool is_resumed)
{
    char text[3][24];
    uint64_t free_bytes, own_bytes = 0;
    CHECK(path_free_bytes(s->directory, &free_bytes));
    if (is_resumed)
        own_bytes = output_partial_bytes(s->directory);
    free_bytes += own_bytes;
    const double needed = whole_bytes(s);
    if (needed > (double)free_bytes)
        return FAIL(STATUS_IO,
                    "%s: not enough space: results, checkpoints and reports need %s %s, the file system "
                    "has %s free: %s are missing",
                    s->directory, expected_bytes(s, -1) < s->output_bytes ? "about" : "up to",
                    units_format_bytes(needed, text[0], sizeof text[0]),
                    units_format_bytes((double)free_bytes, text[1], sizeof text[1]),
                    units_format_bytes(needed - (double)free_bytes, text[2], sizeof text[2]));
    return STATUS_OK;
}

// Frames that are being filled or written, and the libraries' buffers of the open files: written before the
// next checkpoint.
static double flight_bytes(const struct session *s)
{
    double bytes = (double)output_memory_bytes(&s->output);
    for (int k = 0; k < s->plan.stream_count; k++)
        if (!s->plan.streams[k]->is_internal)
            bytes += PIPELINE_FRAME_SLOTS * (double)s->plan.streams[k]->records_per_frame *
                     (double)stream_record_bytes(s->plan.streams[k]);
    return bytes;
}

bool disk_space_is_short(double free_bytes, double fall, double needed_bytes, double checkpoint_bytes,
                         double flight)
{
    if (free_bytes >= needed_bytes || free_bytes < checkpoint_bytes)
        return false; // there is enough; or too little for a checkpoint, and a failed write ends the run
    return free_bytes < checkpoint_bytes + flight + 2 * fmax(0, fall) + margin_bytes;
}

bool disk_space_must_stop(void *context, int64_t step)
{
    struct disk_space *space = context;
    const struct session *s = space->session;
    const double now_s = clock_now_s();
    struct statvfs disk;
    char text[2][24];
    if (space->checked_s > 0 && now_s - space->checked_s < check_every_s)
        return false;
    // Not path_free_bytes: a file system that does not report its space is not a failure.
    if (statvfs(s->directory, &disk) != 0)
        return false;
    const double bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    space->fall = space->checked_s > 0 ? space->free_bytes - bytes : 0;
    space->free_bytes = bytes;
    space->checked_s = now_s;
    // The rest of the results, all of them once more when they are joined, and a third checkpoint.
    const double others = s->all_checkpoint_bytes + s->plan.product_bytes + texts_bytes,
                 expected = expected_bytes(s, step) + (s->output.join ? expected_bytes(s, -1) : 0) + others;
    space->needed_bytes = session_output_bytes(s, step) + (s->output.join ? s->output_bytes : 0) + others;
    space->is_full = disk_space_is_short(space->free_bytes, space->fall, space->needed_bytes,
                                         s->all_checkpoint_bytes, flight_bytes(s));
    if (space->free_bytes < expected && !space->is_warned && !space->is_full) {
        space->is_warned = true;
        log_warning("%s: the file system has %s free, the run still needs up to %s", s->directory,
                    units_format_bytes(space->free_bytes, text[0], sizeof text[0]),
                    units_format_bytes(space->needed_bytes, text[1], sizeof text[1]));
    }
    return space->is_full;
}
