// Puts the segments of a record stream into one file, chunk by chunk through one fixed buffer: memory does
// not depend on how much was written. Chunks of one record that are compressed are copied as they are stored.
// Independent of when that is done (io/output/output.c).
#include "io/output/state.h"

#include "io/netcdf/netcdf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct segment {
    int ncid;
    int time_id;
    int variable_ids[STREAM_VARIABLES_MAX];
    size_t records;
    char path[PATH_BYTES];
};

static enum status segment_find(struct segment *segment, const struct stream *stream)
{
    int dimension;
    const char *path = segment->path, *what = "finding the time";
    NC_CHECK(nc_inq_dimid(segment->ncid, output_record_dimension(stream), &dimension), path, what);
    NC_CHECK(nc_inq_dimlen(segment->ncid, dimension, &segment->records), path, what);
    NC_CHECK(nc_inq_varid(segment->ncid, "time", &segment->time_id), path, what);
    if (stream->layout == STREAM_AMBER)
        CHECK(output_amber_check_scales(stream, segment->ncid, path));
    for (int v = 0; v < stream->variable_count; v++) {
        const struct stream_variable *variable = &stream->variables[v];
        int rank, dims[NC_MAX_VAR_DIMS];
        nc_type type;
        NC_CHECK(nc_inq_varid(segment->ncid, variable->name, &segment->variable_ids[v]), path,
                 variable->name);
        NC_CHECK(nc_inq_var(segment->ncid, segment->variable_ids[v], NULL, &type, &rank, dims, NULL), path,
                 variable->name);
        if (type != output_variable_type(stream, variable) || rank != variable->rank + 1)
            return FAIL(STATUS_DATA, "%s: variable %s is not as this run writes it", path, variable->name);
        if (variable->resolution > 0)
            CHECK(output_check_packed(variable, segment->ncid, segment->variable_ids[v], path));
        for (int k = 0; k < variable->rank; k++) {
            size_t length;
            NC_CHECK(nc_inq_dimlen(segment->ncid, dims[1 + k], &length), path, variable->name);
            if (length != stream->axes[variable->axes[k]].length)
                return FAIL(STATUS_DATA, "%s: variable %s: dimension %d has %zu entries, expected %zu", path,
                            variable->name, 1 + k, length, stream->axes[variable->axes[k]].length);
        }
    }
    return STATUS_OK;
}

static enum status segment_open(struct segment *segment, const struct stream *stream, const char *path)
{
    snprintf(segment->path, sizeof segment->path, "%s", path);
    size_t buffer_bytes = OUTPUT_CLASSIC_BUFFER_BYTES;
    netcdf_prepare_thread();
    NC_CHECK(nc__open(path, NC_NOWRITE, &buffer_bytes, &segment->ncid), path,
             "opening a segment of the output");
    enum status status = segment_find(segment, stream);
    if (status != STATUS_OK)
        (void)NC_READING(nc_close(segment->ncid), path);
    return status;
}

enum status output_segment_inquire(const struct stream *stream, const char *path, size_t *records,
                                   double ends_s[2])
{
    struct segment segment;
    CHECK(netcdf_check_length(path)); // of a shorter file in the classic format netCDF-C reads zeros
    CHECK(segment_open(&segment, stream, path));
    *records = segment.records;
    const size_t ends[2] = {0, segment.records - 1};
    int code = NC_NOERR;
    for (int k = 0; k < 2 && segment.records > 0 && code == NC_NOERR; k++)
        code = NC_READING(nc_get_var1_double(segment.ncid, segment.time_id, &ends[k], &ends_s[k]), path);
    (void)NC_READING(nc_close(segment.ncid), path); // only read from
    NC_CHECK(code, path, "reading the times");
    if (stream->layout == STREAM_AMBER)
        for (int k = 0; k < 2 && segment.records > 0; k++)
            ends_s[k] *= stream->time_scale.size;
    return STATUS_OK;
}

// One chunk per variable is kept, as when it was written.
static enum status set_caches(const struct output *output, const struct stream *stream,
                              const struct segment *segment)
{
    const struct output_chunk_limits limits = output_chunk_limits(stream, output->chunk_bytes, 0);
    size_t chunk[1 + STREAM_RANK_MAX];
    for (int v = 0; v < stream->variable_count; v++) {
        size_t bytes = output_chunk(stream, &stream->variables[v], limits, chunk);
        NC_CHECK(nc_set_var_chunk_cache(segment->ncid, segment->variable_ids[v], bytes, 7, 1.0f),
                 segment->path, "setting a chunk cache");
    }
    size_t bytes = OUTPUT_CHUNK_RECORDS_MAX * sizeof(double);
    NC_CHECK(nc_set_var_chunk_cache(segment->ncid, segment->time_id, bytes, 7, 1.0f), segment->path,
             "setting a chunk cache");
    return STATUS_OK;
}

// As they stand in the file: not through the run's units and back, which would round twice.
static enum status copy_times(struct output *output, int s, const struct segment *segment)
{
    struct output_stream *stream = &output->streams[s];
    struct output_file *file = &stream->file;
    size_t most = output->buffer_bytes / sizeof(double);
    for (size_t done = 0; done < segment->records;) {
        size_t piece = segment->records - done < most ? segment->records - done : most;
        NC_CHECK(nc_get_vara_double(segment->ncid, segment->time_id, &done, &piece, output->buffer),
                 segment->path, "reading the times");
        const double *times = output->buffer;
        for (size_t i = 0; i < piece; i++) {
            if (!(times[i] > stream->last_time_s))
                return FAIL(STATUS_DATA, "%s: record %zu: its time %.17g does not come after %.17g",
                            segment->path, done + i, times[i], stream->last_time_s);
            stream->last_time_s = times[i];
        }
        const size_t to = file->records + done;
        if (file->direct >= 0)
            CHECK(output_direct_put_times(output, s, to, piece, times));
        else
            CHECK(output_file_put_times(file, stream->stream, to, piece, times));
        done += piece;
    }
    return STATUS_OK;
}

// Copies `records` records, from `first` of the segment to `to` of the file, in parts of the size of a chunk.
static enum status copy_records(struct output *output, const struct stream *stream, int v,
                                const struct segment *segment, size_t first, struct output_file *file,
                                size_t to, size_t records, const size_t *chunk)
{
    const struct stream_variable *variable = &stream->variables[v];
    size_t start[1 + STREAM_RANK_MAX] = {first}, count[1 + STREAM_RANK_MAX] = {records};
    struct output_part part = {0};
    while (output_part_next(stream, variable, chunk, &part)) {
        memcpy(start + 1, part.start, sizeof part.start);
        memcpy(count + 1, part.count, sizeof part.count);
        NC_CHECK(nc_get_vara(segment->ncid, segment->variable_ids[v], start, count, output->buffer),
                 segment->path, "reading data");
        CHECK(output_file_put(file, stream, v, to, records, part.start, part.count, output->buffer));
    }
    return STATUS_OK;
}

static enum status copy_segment(struct output *output, int s, const struct segment *segment)
{
    const struct stream *stream = output->streams[s].stream;
    struct output_file *file = &output->streams[s].file;
    if (stream->layout == STREAM_CF)
        CHECK(set_caches(output, stream, segment));
    CHECK(copy_times(output, s, segment));
    const struct output_chunk_limits limits = {output->chunk_bytes, file->chunk_records};
    for (int v = 0; v < stream->variable_count; v++) {
        size_t chunk[1 + STREAM_RANK_MAX];
        output_chunk(stream, &stream->variables[v], limits, chunk);
        for (size_t done = 0; done < segment->records;) {
            // Up to the end of a chunk of the new file, which is then complete and leaves the cache for good.
            size_t to = file->records + done;
            size_t records = chunk[0] - to % chunk[0];
            if (records > segment->records - done)
                records = segment->records - done;
            CHECK(copy_records(output, stream, v, segment, done, file, to, records, chunk));
            done += records;
        }
    }
    return STATUS_OK;
}

// ---- chunks as they are stored

// Whether the segment's chunks are those of the joined file: of one record, and stored in the same way. Those
// that another version of the program wrote may differ.
static enum status compare_chunks(const struct output *output, const struct stream *stream,
                                  const struct segment *segment, bool *are_equal)
{
    const struct output_chunk_limits limits = output_chunk_limits(stream, output->chunk_bytes, 0);
    for (int v = 0; v < stream->variable_count && *are_equal; v++) {
        const struct stream_variable *variable = &stream->variables[v];
        size_t chunk[1 + STREAM_RANK_MAX], found[NC_MAX_VAR_DIMS];
        int storage, shuffles, deflates, level;
        output_chunk(stream, variable, limits, chunk);
        NC_CHECK(nc_inq_var_chunking(segment->ncid, segment->variable_ids[v], &storage, found), segment->path,
                 variable->name);
        NC_CHECK(nc_inq_var_deflate(segment->ncid, segment->variable_ids[v], &shuffles, &deflates, &level),
                 segment->path, variable->name);
        const bool is_deflated = output->request.compress || variable->resolution > 0;
        *are_equal =
            storage == NC_CHUNKED && !deflates == !is_deflated && !shuffles == !is_deflated && chunk[0] == 1;
        for (int k = 0; k <= variable->rank; k++)
            *are_equal = *are_equal && found[k] == chunk[k];
    }
    return STATUS_OK;
}

static enum status may_copy_chunks(const struct output *output, int s, bool *may_copy)
{
    const struct stream *stream = output->streams[s].stream;
    char path[PATH_BYTES];
    *may_copy = output->crew && output_direct_is_possible(&output->request, stream);
    for (int64_t number = -1; *may_copy && output_segment_next(output, s, &number, path);) {
        struct segment segment;
        CHECK(segment_open(&segment, stream, path));
        const enum status status = compare_chunks(output, stream, &segment, may_copy);
        (void)NC_READING(nc_close(segment.ncid), path); // only read from
        CHECK(status);
    }
    return STATUS_OK;
}

// A segment without numbers states no range.
static void join_range(const struct segment *segment, int v, struct output_range *range)
{
    double ends[2];
    size_t length = 0;
    const int id = segment->variable_ids[v];
    if (NC_READING(nc_inq_attlen(segment->ncid, id, "actual_range", &length), segment->path) == NC_NOERR &&
        length == 2 &&
        NC_READING(nc_get_att_double(segment->ncid, id, "actual_range", ends), segment->path) == NC_NOERR)
        output_range_join(range, (struct output_range){ends[0], ends[1]});
}

static enum status copy_chunks(struct output *output, int s, const struct segment *segment)
{
    const struct stream *stream = output->streams[s].stream;
    chunks_id from, variable;
    CHECK(chunks_open(segment->path, false, &from));
    enum status status = STATUS_OK;
    for (int v = 0; v < stream->variable_count && status == STATUS_OK; v++) {
        status = chunks_find(from, segment->path, stream->variables[v].name, false, &variable);
        if (status != STATUS_OK)
            break;
        status = output_direct_copy(output, s, v, variable, segment->path, segment->records);
        chunks_leave(variable);
    }
    (void)chunks_close(from, segment->path, false);
    return status;
}

// ---- all segments

static enum status read_segment(struct output *output, int s, const struct segment *segment)
{
    struct output_file *file = &output->streams[s].file;
    if (file->direct < 0)
        return copy_segment(output, s, segment);
    for (int v = 0; v < output->streams[s].stream->variable_count; v++)
        join_range(segment, v, &file->ranges[v]);
    return copy_times(output, s, segment);
}

static enum status copy_segments(struct output *output, int s)
{
    struct output_stream *stream = &output->streams[s];
    stream->last_time_s = -INFINITY;
    char path[PATH_BYTES];
    for (int64_t number = -1; output_segment_next(output, s, &number, path);) {
        struct segment segment;
        CHECK(segment_open(&segment, stream->stream, path));
        enum status status = read_segment(output, s, &segment);
        (void)NC_READING(nc_close(segment.ncid), path); // only read from
        CHECK(status);
        if (stream->file.direct >= 0)
            CHECK(copy_chunks(output, s, &segment));
        stream->file.records += segment.records;
    }
    if ((int64_t)stream->file.records != stream->records)
        return FAIL(
            STATUS_DATA,
            "%s: the segments of stream %s hold %zu records, expected %lld: one is missing or damaged",
            output->partial, stream->stream->name, stream->file.records, (long long)stream->records);
    return STATUS_OK;
}

enum status output_join(struct output *output, int s, const char *path)
{
    bool may_copy;
    CHECK(may_copy_chunks(output, s, &may_copy));
    CHECK(output_file_create(output, s, path, 0)); // its segment is closed: the run is over
    enum status status = may_copy ? output_direct_begin(output, s) : STATUS_OK;
    if (status == STATUS_OK)
        status = copy_segments(output, s);
    if (status == STATUS_OK)
        status = output_file_end(output, s); // output_publish syncs it
    if (status != STATUS_OK)
        output_file_abandon(output, s);
    return status;
}
