// The netCDF sink: segments, checkpoints, finishing, giving up (see the header). Independent of models; the
// files themselves are made by io/output/file.c and io/output/join.c.
#include "io/output/output.h"

#include "core/log.h"
#include "io/checkpoint_set.h"
#include "io/date.h"
#include "io/netcdf/netcdf.h"
#include "io/output/deflate.h"
#include "io/output/state.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- sizes

// One chunk of each variable and of the times (twice) of a file that gets at most `records` records.
static size_t stream_cache_bytes(const struct stream *stream, size_t chunk_bytes, size_t records)
{
    const struct output_chunk_limits limits = output_chunk_limits(stream, chunk_bytes, records);
    size_t chunk[1 + STREAM_RANK_MAX], bytes = 2 * limits.records * sizeof(double);
    if (stream->is_internal)
        return 0;
    for (int v = 0; v < stream->variable_count; v++)
        bytes += output_chunk(stream, &stream->variables[v], limits, chunk);
    return bytes;
}

// All streams' files open at once; or, while joining, one stream's twice.
static size_t all_cache_bytes(const struct output_request *request, size_t chunk_bytes)
{
    size_t sum = 0, largest = 0;
    for (int s = 0; s < request->stream_count; s++) {
        size_t bytes = stream_cache_bytes(request->streams[s], chunk_bytes, 0);
        sum += bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return sum > 2 * largest ? sum : 2 * largest;
}

// The largest chunks whose caches fit; 0 if not even the smallest do.
static size_t choose_chunk_bytes(const struct output_request *request)
{
    size_t ceiling = request->cache_bytes ? request->cache_bytes : OUTPUT_CACHE_BYTES_DEFAULT;
    const size_t most = request->compress ? OUTPUT_DEFLATED_BYTES_MAX : OUTPUT_CHUNK_BYTES_MAX;
    for (size_t bytes = most; bytes >= OUTPUT_CHUNK_BYTES_MIN; bytes /= 2)
        if (all_cache_bytes(request, bytes) <= ceiling)
            return bytes;
    return 0;
}

static size_t choose_buffer_bytes(const struct output_request *request, size_t chunk_bytes)
{
    size_t chunk[1 + STREAM_RANK_MAX], largest = OUTPUT_PART_BYTES_MIN;
    for (int s = 0; s < request->stream_count; s++) {
        const struct stream *stream = request->streams[s];
        const struct output_chunk_limits limits = output_chunk_limits(stream, chunk_bytes, 0);
        for (int v = 0; !stream->is_internal && v < stream->variable_count; v++) {
            size_t bytes = output_chunk(stream, &stream->variables[v], limits, chunk);
            if (output_direct_is_possible(request, stream)) // a stored chunk may be larger
                bytes = output_deflate_bound(bytes);
            largest = bytes > largest ? bytes : largest;
        }
    }
    return largest;
}

size_t output_work_bytes(const struct output_request *request, int *threads)
{
    const size_t chunk_bytes = choose_chunk_bytes(request);
    *threads = 0;
    return chunk_bytes > 0 ? output_direct_bytes(request, chunk_bytes, threads) : 0;
}

size_t output_memory_bytes(const struct output_request *request)
{
    size_t chunk_bytes = choose_chunk_bytes(request);
    if (chunk_bytes == 0)
        chunk_bytes = OUTPUT_CHUNK_BYTES_MIN;
    size_t buffer_bytes = choose_buffer_bytes(request, chunk_bytes);
    // Compression works on copies of one chunk: shuffled, deflated, and the library's own growth of the
    // latter.
    bool is_compressed = request->compress;
    for (int s = 0; s < request->stream_count; s++)
        is_compressed = is_compressed || stream_has_rounded(request->streams[s]);
    size_t filters = is_compressed ? 4 * buffer_bytes : 0;
    size_t files = (size_t)(request->stream_count > 2 ? request->stream_count : 2);
    return sizeof(struct output) + buffer_bytes + all_cache_bytes(request, chunk_bytes) + filters +
           (files + 1) * OUTPUT_LIBRARY_BYTES_PER_FILE + // one for what the libraries keep of no file
           netcdf_opening_bytes();                       // segments are opened to be joined
}

static size_t text_bytes(const char *text)
{
    return text ? strlen(text) : 0;
}

size_t output_file_bytes(const struct output_request *request, int s, bool is_segment)
{
    // Measured of HDF5 1.10 to 1.14: some 2 kB a variable, with its attributes and the index of its chunks,
    // and 3 kB a file.
    enum { FILE_BYTES = 8192, VARIABLE_BYTES = 4096, TEXT_BYTES = 64 };
    const struct stream *stream = request->streams[s];
    if (stream->is_internal)
        return 0;
    size_t chunk_bytes = choose_chunk_bytes(request);
    size_t bytes = FILE_BYTES + text_bytes(request->history) + text_bytes(request->references) +
                   text_bytes(request->comment) + text_bytes(stream->comment);
    bytes += VARIABLE_BYTES *
             (size_t)(2 + stream->axis_count + stream->variable_count + stream->constant_count); // 2: times
    for (int a = 0; a < stream->axis_count; a++)
        bytes += stream->axes[a].length * sizeof(double);
    for (int c = 0; c < stream->constant_count; c++) {
        const struct stream_constant *constant = &stream->constants[c];
        bytes += (constant->axis < 0 ? 1 : stream->axes[constant->axis].length) *
                 (constant->texts ? TEXT_BYTES : sizeof(double));
    }
    if (stream->has_records && stream->layout == STREAM_CF) // chunks are stored whole
        bytes += stream_cache_bytes(stream, chunk_bytes > 0 ? chunk_bytes : OUTPUT_CHUNK_BYTES_MIN,
                                    is_segment ? request->segment_records[s] : 0);
    return bytes;
}

// ---- opening

static bool are_time_units(const char *units)
{
    static const char prefix[] = "seconds since ";
    char date[DATE_BYTES];
    if (!units || strcmp(units, "1") == 0 || strcmp(units, "s") == 0)
        return true;
    if (strncmp(units, prefix, sizeof prefix - 1) != 0)
        return false;
    const bool is_date = date_read(units + sizeof prefix - 1, date) == STATUS_OK;
    if (!is_date)
        status_clear(); // the caller's message has the whole text
    return is_date;
}

static enum status check_request(const struct output_request *request)
{
    if (request->stream_count < 1 || request->stream_count > RUN_STREAMS_MAX)
        return FAIL(STATUS_SOFTWARE, "%d output streams, expected 1 to %d", request->stream_count,
                    RUN_STREAMS_MAX);
    for (int s = 0; s < request->stream_count; s++) {
        CHECK(output_check_stream(request->streams[s]));
        for (int other = 0; other < s; other++)
            if (strcmp(request->streams[s]->name, request->streams[other]->name) == 0)
                return FAIL(STATUS_SOFTWARE, "two output streams are named %s", request->streams[s]->name);
    }
    if (!are_time_units(request->time_units))
        return FAIL(STATUS_CONFIGURATION,
                    "time units \"%s\": expected \"seconds since YEAR-MONTH-DAY HOURS:MINUTES:SECONDS\", "
                    "\"s\" or \"1\"",
                    request->time_units);
    if (choose_chunk_bytes(request) == 0)
        return FAIL(
            STATUS_CONFIGURATION, "%s of netCDF cache are too little for this output: at least %s are needed",
            UNITS_BYTES(request->cache_bytes), UNITS_BYTES(all_cache_bytes(request, OUTPUT_CHUNK_BYTES_MIN)));
    if (!request->resume != !request->resume_path)
        return FAIL(STATUS_SOFTWARE, "output to be resumed from a checkpoint without its path or its header");
    return STATUS_OK;
}

static enum status resume_all(struct output *output)
{
    const struct output_request *request = &output->request;
    bool is_a = path_ends_with(request->resume_path, "/partial/checkpoint.a");
    if (!is_a && !path_ends_with(request->resume_path, "/partial/checkpoint.b"))
        return FAIL(STATUS_SOFTWARE, "%s: is not a checkpoint of %s", request->resume_path,
                    output->directory);
    CHECK(output_kept_check(output, request->resume, request->resume_path));
    output->segment = output->checkpoint_segment = request->resume->segment;
    output->has_checkpoint = true;
    output->next_checkpoint = is_a ? 'b' : 'a';
    output->set_segments[!is_a] = request->resume->segment;
    return output_partial_rewind(output);
}

// A folder that bears a result's name would be noticed at the very end, when the result is to get its name.
static enum status check_names(const struct output *output)
{
    char path[PATH_BYTES];
    struct stat about;
    for (int s = -1; s < output->request.stream_count; s++) {
        if (s >= 0 && output->streams[s].stream->is_internal)
            continue;
        CHECK(output_join_path(path, output->directory,
                               s < 0 ? output_report_name : output->streams[s].stream->name,
                               s < 0 ? "" : ".nc"));
        if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode))
            return FAIL(STATUS_CANNOT_CREATE,
                        "%s: is a folder, where a result of that name is to be written; remove it or choose "
                        "another output folder",
                        path);
    }
    return STATUS_OK;
}

static enum status open_directory(struct output *output)
{
    CHECK(output_join_path(output->directory, output->request.directory, "", ""));
    output->directory[strlen(output->directory) - 1] = '\0'; // the slash
    CHECK(output_join_path(output->partial, output->directory, "partial", ""));
    CHECK(output_join_path(output->final, output->directory, output_final_name, ""));
    CHECK(path_make_directory(output->directory));
    CHECK(output_check_partial(output->partial));
    CHECK(check_names(output));
    if (output->request.resume) {
        CHECK(output_await_ranks(output->partial));
        return resume_all(output);
    }
    CHECK(path_make_directory(output->partial));
    CHECK(output_await_ranks(output->partial));
    return output_partial_empty(output->partial);
}

static enum status sink_write(void *context, const struct frame *frame);
static enum status sink_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int array_count);
static enum status sink_finish(void *context);
static void sink_abandon(void *context);

static void release(struct output *output)
{
    output_crew_close(output->crew);
    free(output->own_work);
    free(output->buffer);
    free(output);
}

enum status output_open(const struct output_request *request, struct sink *sink)
{
    *sink = (struct sink){0};
    CHECK(check_request(request));
    struct output *output = calloc(1, sizeof *output);
    if (!output)
        return FAIL(STATUS_SYSTEM, "out of memory for the output (%s)", UNITS_BYTES(sizeof *output));
    output->request = *request;
    output->lock = -1;
    output->next_checkpoint = 'a';
    output->set_segments[0] = output->set_segments[1] = -1;
    output->chunk_bytes = choose_chunk_bytes(request);
    output->buffer_bytes = choose_buffer_bytes(request, output->chunk_bytes);
    for (int s = 0; s < request->stream_count; s++) {
        output->streams[s].stream = request->streams[s];
        output->streams[s].file.ncid = -1;
        output->streams[s].file.direct = -1;
        output->streams[s].last_time_s = -INFINITY;
    }
    output->buffer = malloc(output->buffer_bytes);
    enum status status = output->buffer ? output_direct_open(output, request->work)
                                        : FAIL(STATUS_SYSTEM, "out of memory for the output (%s)",
                                               UNITS_BYTES(output->buffer_bytes));
    if (status == STATUS_OK)
        status = open_directory(output);
    if (status != STATUS_OK) {
        release(output);
        return status;
    }
    *sink = (struct sink){.context = output,
                          .write = sink_write,
                          .checkpoint = sink_checkpoint,
                          .finish = sink_finish,
                          .abandon = sink_abandon};
    return STATUS_OK;
}

void output_close(struct sink *sink)
{
    struct output *output = sink->context;
    if (output) {
        if (!output->is_part)
            sink_abandon(output);
        if (output->lock >= 0)
            close(output->lock);
        release(output);
    }
    *sink = (struct sink){0};
}

// ---- writing

static enum status check_times(struct output_stream *stream, const struct frame *frame)
{
    for (size_t i = 0; i < frame->records; i++) {
        if (stream->is_last_found && isfinite(frame->times_s[i]) && frame->times_s[i] <= stream->last_time_s)
            return FAIL(STATUS_DATA,
                        "the kept segments of stream %s go to %.17g s, yet the next record is of %.17g s: "
                        "they belong to another run or checkpoint; --restart starts anew",
                        stream->stream->name, stream->last_time_s, frame->times_s[i]);
        stream->is_last_found = false;
        if (!isfinite(frame->times_s[i]) || !(frame->times_s[i] > stream->last_time_s))
            return FAIL(STATUS_SOFTWARE, "stream %s: a record's time %.17g s does not come after %.17g s",
                        stream->stream->name, frame->times_s[i], stream->last_time_s);
        stream->last_time_s = frame->times_s[i];
    }
    return STATUS_OK;
}

// Writes variable `v`, which begins at `offset` bytes of each record. The frame holds the records one after
// another, the file has each variable of many records in one place. Small ones are gathered, so that each
// call to netCDF moves many.
static enum status write_variable(struct output *output, struct output_stream *stream,
                                  const struct frame *frame, int v, size_t offset, size_t bytes)
{
    static const size_t origin[STREAM_RANK_MAX];
    const struct stream_variable *variable = &stream->stream->variables[v];
    const unsigned char *data = (const unsigned char *)frame->data + offset;
    size_t count[STREAM_RANK_MAX], record_bytes = stream_record_bytes(stream->stream);
    for (int k = 0; k < variable->rank; k++)
        count[k] = stream->stream->axes[variable->axes[k]].length;
    size_t first = stream->file.records;
    if (bytes == record_bytes)
        return output_file_put(&stream->file, stream->stream, v, first, frame->records, origin, count, data);
    size_t most = output->buffer_bytes / bytes;
    for (size_t done = 0; done < frame->records;) {
        size_t piece = frame->records - done < most ? frame->records - done : most;
        const void *source = data + done * record_bytes;
        if (piece <= 1)
            piece = 1;
        else {
            for (size_t i = 0; i < piece; i++)
                memcpy((unsigned char *)output->buffer + i * bytes, data + (done + i) * record_bytes, bytes);
            source = output->buffer;
        }
        CHECK(output_file_put(&stream->file, stream->stream, v, first + done, piece, origin, count, source));
        done += piece;
    }
    return STATUS_OK;
}

// Part by part through the buffer: a part is a whole number of rows, one after another in the record.
static enum status write_packed(struct output *output, struct output_stream *stream,
                                const struct frame *frame, int v, size_t offset)
{
    const struct stream *s = stream->stream;
    const struct stream_variable *variable = &s->variables[v];
    const struct output_chunk_limits limits = {output->chunk_bytes, stream->file.chunk_records};
    const size_t element = element_bytes(s->element), record_bytes = stream_record_bytes(s);
    size_t chunk[1 + STREAM_RANK_MAX];
    output_chunk(s, variable, limits, chunk);
    for (size_t r = 0; r < frame->records; r++) {
        const unsigned char *data = (const unsigned char *)frame->data + r * record_bytes + offset;
        struct output_part part = {0};
        while (output_part_next(s, variable, chunk, &part)) {
            size_t elements = 1;
            for (int k = 0; k < variable->rank; k++)
                elements *= part.count[k];
            CHECK(output_pack(s, variable, data, elements, output->buffer, stream->file.path));
            CHECK(output_file_put(&stream->file, s, v, stream->file.records + r, 1, part.start, part.count,
                                  output->buffer));
            data += elements * element;
        }
    }
    return STATUS_OK;
}

static enum status write_variables(struct output *output, struct output_stream *stream,
                                   const struct frame *frame)
{
    size_t offset = 0;
    for (int v = 0; v < stream->stream->variable_count; v++) {
        size_t bytes = stream_variable_length(stream->stream, &stream->stream->variables[v]) *
                       element_bytes(stream->stream->element);
        CHECK(stream->stream->variables[v].resolution > 0
                  ? write_packed(output, stream, frame, v, offset)
                  : write_variable(output, stream, frame, v, offset, bytes));
        offset += bytes;
    }
    return STATUS_OK;
}

// A static stream is complete at once: synced, and renamed, so that a crash leaves all of it or nothing.
static enum status write_static(struct output *output, int s, const struct frame *frame)
{
    struct output_stream *stream = &output->streams[s];
    char temporary[PATH_BYTES], path[PATH_BYTES];
    CHECK(output_check_owner(output));
    if (frame->records != 1)
        return FAIL(STATUS_SOFTWARE, "stream %s: a static frame with %zu records, expected 1",
                    stream->stream->name, frame->records);
    CHECK(output_join_path(temporary, output->partial, stream->stream->name, ".static.tmp.nc"));
    CHECK(output_join_path(path, output->partial, stream->stream->name, ".static.nc"));
    CHECK(output_file_create(output, s, temporary, 1));
    CHECK(write_variables(output, stream, frame));
    CHECK(output_file_end(output, s));
    CHECK(output_file_sum(temporary, &stream->static_sum));
    CHECK(path_place(temporary, path)); // a checkpoint, or the run's end, makes the name last
    stream->is_static_written = true;
    return STATUS_OK;
}

// In the file's units: a trajectory's may be others than the run's.
static enum status write_times(struct output_stream *stream, const struct frame *frame)
{
    struct output_file *file = &stream->file;
    if (stream->stream->layout == STREAM_CF)
        return output_file_put_times(file, stream->stream, file->records, frame->records, frame->times_s);
    for (size_t i = 0; i < frame->records; i++) {
        const double time = frame->times_s[i] / stream->stream->time_scale.size;
        CHECK(output_file_put_times(file, stream->stream, file->records + i, 1, &time));
    }
    return STATUS_OK;
}

static enum status sink_write(void *context, const struct frame *frame)
{
    struct output *output = context;
    if (output->is_over)
        return FAIL(STATUS_SOFTWARE, "%s: a frame after the end of the output", output->directory);
    if (frame->stream < 0 || frame->stream >= output->request.stream_count)
        return FAIL(STATUS_SOFTWARE, "%s: a frame for stream %d, expected 0 to %d", output->directory,
                    frame->stream, output->request.stream_count - 1);
    struct output_stream *stream = &output->streams[frame->stream];
    if (stream->stream->is_internal) {
        stream->records += (int64_t)frame->records;
        return STATUS_OK;
    }
    if (!stream->stream->has_records)
        return write_static(output, frame->stream, frame);
    if (frame->records == 0)
        return STATUS_OK;
    CHECK(check_times(stream, frame));
    if (!output_file_is_open(&stream->file)) {
        char path[PATH_BYTES];
        CHECK(output_check_owner(output));
        CHECK(output_segment_path(output, frame->stream, output->segment, path));
        CHECK(
            output_file_create(output, frame->stream, path, output->request.segment_records[frame->stream]));
        if (output_direct_is_possible(&output->request, stream->stream))
            CHECK(output_direct_begin(output, frame->stream));
    }
    if (stream->file.direct >= 0) {
        CHECK(output_direct_write(output, frame->stream, frame));
    } else {
        CHECK(write_times(stream, frame));
        CHECK(write_variables(output, stream, frame));
    }
    stream->file.records += frame->records;
    stream->records += (int64_t)frame->records;
    return STATUS_OK;
}

// ---- checkpoints

static enum status close_segments(struct output *output)
{
    for (int s = 0; s < output->request.stream_count; s++)
        CHECK(output_file_close(output, s));
    return STATUS_OK;
}

// Files of a set that no checkpoint begins with any more.
static bool want_replaced(const void *context, const char *file)
{
    const struct output *output = context;
    const int64_t segment = checkpoint_set_segment(file);
    return segment >= 0 && segment != output->set_segments[0] && segment != output->set_segments[1];
}

// Rank 0 tells the others what to save, waits until they have, and writes its own file last: from then on the
// set is there. Then the files of the set that it replaces are removed.
static enum status save_set(struct output *output, const char *path, struct checkpoint_header *header,
                            const struct checkpoint_array *arrays, int array_count)
{
    const struct checkpoint_set *set = output->request.set;
    CHECK(set->share(set->context, header, sizeof *header));
    CHECK(set->settle(set->context));
    CHECK(output_check_owner(output)); // the wait may have been long
    CHECK(checkpoint_set_write(path, header, arrays, array_count, set));
    output->set_segments[output->next_checkpoint - 'a'] = header->segment;
    return output_remove_entries(output->partial, want_replaced, output);
}

// Another rank.
static enum status part_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int array_count)
{
    const struct output *output = context;
    const struct checkpoint_set *set = output->request.set;
    char path[PATH_BYTES];
    CHECK(set->share(set->context, header, sizeof *header));
    CHECK(output_check_owner(output));
    CHECK(checkpoint_set_path(output->partial, header->segment, set->rank, path));
    CHECK(checkpoint_set_write(path, header, arrays, array_count, set));
    return set->settle(set->context);
}

static enum status part_write(void *context, const struct frame *frame)
{
    const struct output *output = context;
    return FAIL(STATUS_SOFTWARE, "%s: rank %d has a frame of stream %d to write", output->directory,
                output->request.set->rank, frame->stream);
}

static enum status part_finish(void *context)
{
    (void)context;
    return STATUS_OK;
}

static void part_abandon(void *context)
{
    (void)context;
}

enum status output_open_part(const struct output_request *request, struct sink *sink)
{
    *sink = (struct sink){0};
    struct output *output = calloc(1, sizeof *output);
    if (!output)
        return FAIL(STATUS_SYSTEM, "out of memory for the output (%s)", UNITS_BYTES(sizeof *output));
    output->request = *request;
    output->lock = -1;
    output->is_part = true;
    enum status status = output_join_path(output->directory, request->directory, "", "");
    if (status == STATUS_OK)
        status = output_join_path(output->partial, request->directory, "partial", "");
    if (status != STATUS_OK) {
        free(output);
        return status;
    }
    *sink = (struct sink){output, part_write, part_checkpoint, part_finish, part_abandon};
    return STATUS_OK;
}

static enum status sink_checkpoint(void *context, struct checkpoint_header *header,
                                   const struct checkpoint_array *arrays, int array_count)
{
    struct output *output = context;
    char path[PATH_BYTES], name[] = "checkpoint.?";
    if (output->is_over)
        return FAIL(STATUS_SOFTWARE, "%s: a checkpoint after the end of the output", output->directory);
    CHECK(output_check_owner(output));
    // Renaming the checkpoint syncs its directory, and with it the segments' names.
    CHECK(close_segments(output));
    output->segment++;
    header->segment = output->segment;
    for (int s = 0; s < RUN_STREAMS_MAX; s++)
        header->records[s] = s >= output->request.stream_count ? 0
                             : output->streams[s].stream->has_records
                                 ? output->streams[s].records
                                 : output->streams[s].static_sum; // 0: not yet written
    name[sizeof name - 2] = output->next_checkpoint;
    CHECK(output_join_path(path, output->partial, name, ""));
    if (output->request.set)
        CHECK(save_set(output, path, header, arrays, array_count));
    else
        CHECK(checkpoint_write(path, header, arrays, array_count));
    output->next_checkpoint = output->next_checkpoint == 'a' ? 'b' : 'a';
    output->has_checkpoint = true;
    output->checkpoint_segment = output->segment;
    return STATUS_OK;
}

// ---- the end

static enum status sink_finish(void *context)
{
    struct output *output = context;
    if (output->is_over)
        return FAIL(STATUS_SOFTWARE, "%s: the output was finished before", output->directory);
    CHECK(output_check_owner(output));
    for (int s = 0; s < output->request.stream_count; s++)
        if (output_file_is_open(&output->streams[s].file))
            CHECK(output_file_end(output, s));
    CHECK(output_prepare(output));
    if (!output->request.has_report)
        CHECK(output_move(output));
    output->is_over = true;
    return output->request.has_report ? STATUS_OK : output_partial_remove(output->partial);
}

static void sink_abandon(void *context)
{
    struct output *output = context;
    if (output->is_over)
        return;
    for (int s = 0; s < output->request.stream_count; s++)
        output_file_abandon(output, s);
    output->is_over = true;
    if (output_is_taken_over(output))
        return;
    enum status status =
        output->has_checkpoint ? output_partial_rewind(output) : output_partial_remove(output->partial);
    if (status != STATUS_OK)
        log_warning("%s: not everything could be removed", output->partial);
}
