// Record streams with compressed variables: several threads make the chunks (io/output/crew.h), and one
// writes them into a file that netCDF-C has defined, by HDF5 (io/netcdf/chunks.h). The file has the same
// content as if netCDF-C had written it. Independent of segments, checkpoints and runs (io/output/output.c).
#include "io/output/state.h"

#include "io/netcdf/netcdf.h"

#include <stdlib.h>
#include <string.h>

// ---- layout

static bool is_deflated(const struct output_request *request, const struct stream_variable *variable)
{
    return request->compress || (variable && variable->resolution > 0);
}

bool output_direct_is_possible(const struct output_request *request, const struct stream *stream)
{
    return request->threads > 0 && chunks_are_possible() && stream->has_records && !stream->is_internal &&
           stream->layout == STREAM_CF && (request->compress || stream_has_rounded(stream));
}

// NULL: of the times.
static const struct stream_variable *variable_of(const struct stream *stream, int column)
{
    return column < stream->variable_count ? &stream->variables[column] : NULL;
}

static bool has_column(const struct output_request *request, const struct stream *stream, int column)
{
    const bool has_date = !request->time_units || strstr(request->time_units, " since ");
    return column < stream->variable_count || column == OUTPUT_COLUMN_TIME ||
           (column == OUTPUT_COLUMN_MODEL_TIME && !has_date);
}

// Returns the bytes of a chunk in the stream's elements. `elements`: of a record of the column.
static size_t chunk_of(const struct stream *stream, int column, struct output_chunk_limits limits,
                       size_t chunk[1 + STREAM_RANK_MAX], size_t *elements)
{
    const struct stream_variable *variable = variable_of(stream, column);
    chunk[0] = limits.records;
    *elements = variable ? stream_variable_length(stream, variable) : 1;
    return variable ? output_chunk(stream, variable, limits, chunk) : limits.records * sizeof(double);
}

static size_t element_of(const struct stream *stream, int column)
{
    return variable_of(stream, column) ? element_bytes(stream->element) : sizeof(double);
}

// Chunks of a record, or of several, and the largest of them.
static size_t count_chunks(const struct output_request *request, const struct stream *stream,
                           size_t chunk_bytes, size_t *largest)
{
    const struct output_chunk_limits limits = output_chunk_limits(stream, chunk_bytes, 0);
    size_t count = 0, chunk[1 + STREAM_RANK_MAX], elements;
    for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++) {
        if (!has_column(request, stream, c))
            continue;
        const size_t bytes = chunk_of(stream, c, limits, chunk, &elements);
        struct output_part part = {0};
        while (c < stream->variable_count && output_part_next(stream, &stream->variables[c], chunk, &part))
            count++;
        *largest = bytes > *largest ? bytes : *largest;
    }
    return count;
}

// Bytes for the records of an incomplete chunk. 0: a record is complete.
static size_t gathered_bytes(const struct output_request *request, const struct stream *stream,
                             size_t chunk_bytes, int column)
{
    const struct output_chunk_limits limits = output_chunk_limits(stream, chunk_bytes, 0);
    size_t chunk[1 + STREAM_RANK_MAX], elements;
    if (!has_column(request, stream, column))
        return 0;
    (void)chunk_of(stream, column, limits, chunk, &elements);
    const bool is_time = column >= stream->variable_count;
    return chunk[0] > 1 || is_time ? output_crew_aligned(chunk[0] * elements * element_of(stream, column))
                                   : 0;
}

size_t output_direct_bytes(const struct output_request *request, size_t chunk_bytes, int *threads)
{
    size_t chunks = 0, largest = 0, gathered = 0;
    for (int s = 0; s < request->stream_count; s++) {
        const struct stream *stream = request->streams[s];
        if (!output_direct_is_possible(request, stream))
            continue;
        const size_t count = count_chunks(request, stream, chunk_bytes, &largest);
        chunks = count > chunks ? count : chunks;
        for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++)
            gathered += gathered_bytes(request, stream, chunk_bytes, c);
    }
    // Two records are on their way at most: one that is compressed, and the next one being read.
    const size_t most = request->threads < OUTPUT_CREW_THREADS_MAX ? (size_t)request->threads
                                                                   : (size_t)OUTPUT_CREW_THREADS_MAX;
    *threads = (int)(2 * chunks < most ? 2 * chunks : most);
    return *threads > 0
               ? output_crew_aligned(output_crew_bytes(*threads, largest)) + gathered + OUTPUT_CREW_ALIGNMENT
               : 0;
}

enum status output_direct_open(struct output *output, void *work)
{
    const struct output_request *request = &output->request;
    int threads;
    const size_t bytes = output_direct_bytes(request, output->chunk_bytes, &threads);
    if (bytes == 0)
        return STATUS_OK;
    if (!work)
        work = output->own_work = malloc(bytes);
    if (!work)
        return FAIL(STATUS_SYSTEM, "out of memory for the compression of results (%zu bytes)", bytes);
    unsigned char *next = (unsigned char *)output_crew_aligned((uintptr_t)work);
    size_t largest = 0;
    for (int s = 0; s < request->stream_count; s++) {
        const struct stream *stream = request->streams[s];
        if (!output_direct_is_possible(request, stream))
            continue;
        (void)count_chunks(request, stream, output->chunk_bytes, &largest);
        for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++) {
            const size_t part = gathered_bytes(request, stream, output->chunk_bytes, c);
            output->streams[s].gathered[c] = part > 0 ? next : NULL;
            next += part;
        }
    }
    return output_crew_open(next, threads, largest, &output->crew);
}

// ---- the file

static const char *name_of(const struct stream *stream, int column)
{
    return column == OUTPUT_COLUMN_TIME         ? "time"
           : column == OUTPUT_COLUMN_MODEL_TIME ? NETCDF_MODEL_TIME
                                                : stream->variables[column].name;
}

static int *id_of(struct output_file *file, int column)
{
    return column == OUTPUT_COLUMN_TIME         ? &file->time_id
           : column == OUTPUT_COLUMN_MODEL_TIME ? &file->beside_ids[0]
                                                : &file->variable_ids[column];
}

enum status output_direct_begin(struct output *output, int s)
{
    const struct stream *stream = output->streams[s].stream;
    struct output_file *file = &output->streams[s].file;
    for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++) {
        struct output_column *column = &file->columns[c];
        int has_none = 0;
        *column = (struct output_column){.id = -1};
        if (has_column(&output->request, stream, c))
            NC_CHECK_WRITE(nc_inq_var_fill(file->ncid, *id_of(file, c), &has_none, column->missing),
                           file->path, "writing the definitions");
        if (has_none)
            memset(column->missing, 0, sizeof column->missing);
    }
    const int ncid = file->ncid;
    file->ncid = -1;
    NC_CHECK_WRITE(nc_close(ncid), file->path, "writing the definitions");
    CHECK(chunks_open(file->path, true, &file->direct));
    for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++)
        if (has_column(&output->request, stream, c))
            CHECK(chunks_find(file->direct, file->path, name_of(stream, c), true, &file->columns[c].id));
    return STATUS_OK;
}

static enum status leave(struct output_file *file)
{
    const chunks_id direct = file->direct;
    for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++) {
        chunks_leave(file->columns[c].id);
        file->columns[c].id = -1;
    }
    file->direct = -1;
    return chunks_close(direct, file->path, true);
}

void output_direct_abandon(struct output *output, int s)
{
    struct output_file *file = &output->streams[s].file;
    if (file->direct < 0)
        return;
    output_crew_drop(output->crew);
    (void)leave(file); // the file is going to be removed
}

// ---- pieces

static size_t stored_bytes(const struct stream *stream, int column)
{
    const struct stream_variable *variable = variable_of(stream, column);
    return variable && variable->resolution > 0 ? sizeof(int) : element_of(stream, column);
}

// Names the number that was refused.
static enum status refuse(struct output *output, const struct output_piece *piece)
{
    const struct output_stream *stream = &output->streams[piece->stream];
    for (size_t r = 0; r < piece->records; r++)
        CHECK(output_pack(stream->stream, piece->numbers.variable,
                          (const unsigned char *)piece->source + r * piece->stride, piece->elements,
                          output->buffer, stream->file.path));
    return FAIL(STATUS_SOFTWARE, "%s: numbers changed while they were stored", stream->file.path);
}

static enum status extend(const struct stream *stream, int c, struct output_file *file, uint64_t records)
{
    const struct stream_variable *variable = variable_of(stream, c);
    struct output_column *column = &file->columns[c];
    size_t lengths[STREAM_RANK_MAX];
    if (records <= column->records)
        return STATUS_OK;
    for (int k = 0; variable && k < variable->rank; k++)
        lengths[k] = stream->axes[variable->axes[k]].length;
    column->records = records;
    return chunks_extend(column->id, file->path, records, lengths, variable ? variable->rank : 0);
}

// A piece that is done becomes part of its file.
static enum status store(struct output *output, const struct output_piece *piece)
{
    struct output_stream *stream = &output->streams[piece->stream];
    struct output_file *file = &stream->file;
    if (piece->is_refused)
        return refuse(output, piece);
    CHECK(extend(stream->stream, piece->column, file, piece->offset[0] + piece->records));
    CHECK(chunks_write(file->columns[piece->column].id, file->path, piece->offset, piece->left_out,
                       piece->data, piece->bytes));
    if (piece->column < stream->stream->variable_count)
        output_range_join(&file->ranges[piece->column], piece->range);
    output_crew_release(output->crew);
    return STATUS_OK;
}

// Stores what is done until all sources have been read, or with `all`, until no piece is left.
static enum status await(struct output *output, bool all)
{
    const struct output_piece *piece;
    while ((piece = output_crew_oldest(output->crew, all)))
        CHECK(store(output, piece));
    piece = output_crew_refused(output->crew);
    return piece ? refuse(output, piece) : STATUS_OK;
}

// Records from `first` on, in chunks: all of the variable's parts. `stride` bytes lie between two records.
static enum status submit(struct output *output, int s, int c, size_t first, size_t records,
                          const unsigned char *source, size_t stride)
{
    const struct stream *stream = output->streams[s].stream;
    const struct output_file *file = &output->streams[s].file;
    const struct stream_variable *variable = variable_of(stream, c);
    const struct output_chunk_limits limits = {output->chunk_bytes, file->chunk_records};
    const bool is_packed = variable && variable->resolution > 0;
    size_t chunk[1 + STREAM_RANK_MAX], elements, chunk_elements = 1;
    (void)chunk_of(stream, c, limits, chunk, &elements);
    for (int k = 0; variable && k < variable->rank; k++)
        chunk_elements *= chunk[1 + k];
    struct output_part part = {0};
    while (variable ? output_part_next(stream, variable, chunk, &part) : !part.is_begun) {
        struct output_piece *piece;
        part.is_begun = true;
        while (!(piece = output_crew_free(output->crew)))
            CHECK(store(output, output_crew_oldest(output->crew, true)));
        *piece = (struct output_piece){
            .numbers = {.element = variable ? stream->element : ELEMENT_F64,
                        .variable = is_packed ? variable : NULL,
                        .stored_bytes = stored_bytes(stream, c),
                        .is_deflated = variable && is_deflated(&output->request, variable)},
            .source = source,
            .stride = stride,
            .records = records,
            .elements = 1,
            .chunk_records = chunk[0],
            .chunk_elements = chunk_elements,
            .stream = s,
            .column = c,
            .offset = {first}};
        memcpy(piece->numbers.missing, file->columns[c].missing, sizeof piece->numbers.missing);
        for (int k = 0; variable && k < variable->rank; k++) {
            piece->elements *= part.count[k];
            piece->offset[1 + k] = part.start[k];
        }
        source += piece->elements * element_of(stream, c);
        output_crew_submit(output->crew);
    }
    return STATUS_OK;
}

// Gathers records of a column until a chunk of them is complete.
static enum status gather(struct output *output, int s, int c, size_t first, size_t records,
                          const unsigned char *source, size_t stride)
{
    const struct stream *stream = output->streams[s].stream;
    const struct output_chunk_limits limits = {output->chunk_bytes, output->streams[s].file.chunk_records};
    unsigned char *gathered = output->streams[s].gathered[c];
    size_t chunk[1 + STREAM_RANK_MAX], elements;
    (void)chunk_of(stream, c, limits, chunk, &elements);
    const size_t bytes = elements * element_of(stream, c);
    for (size_t r = 0; r < records; r++) {
        const size_t at = (first + r) % chunk[0];
        memcpy(gathered + at * bytes, source + r * stride, bytes);
        if (at + 1 < chunk[0])
            continue;
        CHECK(submit(output, s, c, first + r - at, chunk[0], gathered, bytes));
        CHECK(await(output, false));
    }
    return STATUS_OK;
}

static enum status put(struct output *output, int s, int c, size_t first, size_t records,
                       const unsigned char *source, size_t stride)
{
    if (output->streams[s].gathered[c])
        return gather(output, s, c, first, records, source, stride);
    for (size_t r = 0; r < records; r++)
        CHECK(submit(output, s, c, first + r, 1, source + r * stride, stride));
    return STATUS_OK;
}

enum status output_direct_put_times(struct output *output, int s, size_t first, size_t records,
                                    const double *times)
{
    struct output_file *file = &output->streams[s].file;
    output_range_extend(&file->time_range, ELEMENT_F64, times, records);
    for (int c = OUTPUT_COLUMN_TIME; c <= OUTPUT_COLUMN_MODEL_TIME; c++)
        if (file->columns[c].id >= 0)
            CHECK(put(output, s, c, first, records, (const unsigned char *)times, sizeof *times));
    return STATUS_OK;
}

static enum status write_frame(struct output *output, int s, const struct frame *frame)
{
    const struct stream *stream = output->streams[s].stream;
    const size_t first = output->streams[s].file.records, record_bytes = stream_record_bytes(stream);
    const unsigned char *data = frame->data;
    CHECK(output_direct_put_times(output, s, first, frame->records, frame->times_s));
    for (int c = 0; c < stream->variable_count; c++) {
        CHECK(put(output, s, c, first, frame->records, data, record_bytes));
        data += stream_variable_length(stream, &stream->variables[c]) * element_bytes(stream->element);
    }
    return await(output, false);
}

enum status output_direct_write(struct output *output, int s, const struct frame *frame)
{
    const enum status status = write_frame(output, s, frame);
    if (status != STATUS_OK)
        output_crew_drop(output->crew); // the frame is the caller's again, whatever came of it
    return status;
}

enum status output_direct_copy(struct output *output, int s, int v, chunks_id from, const char *path,
                               size_t records)
{
    const struct stream *stream = output->streams[s].stream;
    const struct stream_variable *variable = &stream->variables[v];
    struct output_file *file = &output->streams[s].file;
    const struct output_chunk_limits limits = {output->chunk_bytes, file->chunk_records};
    size_t chunk[1 + STREAM_RANK_MAX], bytes;
    output_chunk(stream, variable, limits, chunk);
    CHECK(extend(stream, v, file, file->records + records));
    for (size_t r = 0; r < records; r++) {
        struct output_part part = {0};
        while (output_part_next(stream, variable, chunk, &part)) {
            uint64_t offset[CHUNKS_RANK_MAX] = {r};
            uint32_t left_out;
            for (int k = 0; k < variable->rank; k++)
                offset[1 + k] = part.start[k];
            CHECK(chunks_read(from, path, offset, &left_out, output->buffer, output->buffer_bytes, &bytes));
            offset[0] = file->records + r;
            CHECK(chunks_write(file->columns[v].id, file->path, offset, left_out, output->buffer, bytes));
        }
    }
    return STATUS_OK;
}

static enum status settle(struct output *output, int s)
{
    const struct stream *stream = output->streams[s].stream;
    const struct output_file *file = &output->streams[s].file;
    const struct output_chunk_limits limits = {output->chunk_bytes, file->chunk_records};
    for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++) {
        size_t chunk[1 + STREAM_RANK_MAX], elements;
        if (file->columns[c].id < 0 || !output->streams[s].gathered[c])
            continue;
        (void)chunk_of(stream, c, limits, chunk, &elements);
        const size_t left = file->records % chunk[0];
        if (left > 0)
            CHECK(submit(output, s, c, file->records - left, left, output->streams[s].gathered[c],
                         elements * element_of(stream, c)));
    }
    return await(output, true);
}

enum status output_direct_end(struct output *output, int s)
{
    const struct stream *stream = output->streams[s].stream;
    struct output_file *file = &output->streams[s].file;
    int ncid;
    CHECK(settle(output, s));
    CHECK(leave(file));
    NC_CHECK_WRITE(nc_open(file->path, NC_WRITE, &ncid), file->path, "writing the ranges");
    file->ncid = ncid;
    for (int c = 0; c < OUTPUT_COLUMNS_MAX; c++)
        if (has_column(&output->request, stream, c))
            NC_CHECK_WRITE(nc_inq_varid(ncid, name_of(stream, c), id_of(file, c)), file->path,
                           "writing the ranges");
    return STATUS_OK;
}
