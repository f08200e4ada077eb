// One netCDF file of one stream: chunks, creating, writing parts of records, closing. What is in it:
// io/output/define.c. Independent of segments, checkpoints and runs (io/output/output.c).
#include "io/output/state.h"

#include "io/netcdf/netcdf.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- chunks

struct output_chunk_limits output_chunk_limits(const struct stream *stream, size_t chunk_bytes,
                                               size_t records)
{
    const size_t expected[2] = {stream->expected_records, records};
    struct output_chunk_limits limits = {chunk_bytes, OUTPUT_CHUNK_RECORDS_MAX};
    for (int k = 0; k < 2; k++)
        if (expected[k] > 0 && expected[k] < limits.records)
            limits.records = expected[k];
    return limits;
}

size_t output_chunk(const struct stream *stream, const struct stream_variable *variable,
                    struct output_chunk_limits limits, size_t chunk[1 + STREAM_RANK_MAX])
{
    const bool is_small = stream_has_rounded(stream) && limits.bytes > OUTPUT_DEFLATED_BYTES_MAX;
    const size_t chunk_bytes = is_small ? OUTPUT_DEFLATED_BYTES_MAX : limits.bytes;
    int first = stream->has_records ? 1 : 0;
    size_t element = element_bytes(stream->element);
    size_t bytes = element;
    for (int k = 0; k < variable->rank; k++) {
        chunk[first + k] = stream->axes[variable->axes[k]].length;
        bytes *= chunk[first + k];
    }
    // Cut the slowest axis into equal parts, then the next one, until a part of one record is small enough.
    for (int k = 0; k < variable->rank && bytes > chunk_bytes; k++) {
        size_t length = chunk[first + k];
        size_t parts = (bytes - 1) / chunk_bytes + 1;
        if (parts > length)
            parts = length;
        size_t part = (length - 1) / parts + 1;
        bytes = bytes / length * part;
        // One more than fits, from rounding up.
        if (bytes > chunk_bytes && part > 1) {
            bytes = bytes / part * (part - 1);
            part--;
        }
        chunk[first + k] = part;
    }
    if (stream->has_records) {
        size_t target = chunk_bytes < OUTPUT_CHUNK_BYTES_MAX / 4 ? chunk_bytes : OUTPUT_CHUNK_BYTES_MAX / 4;
        size_t records = target / bytes;
        chunk[0] = records < 1 ? 1 : records > limits.records ? limits.records : records;
        bytes *= chunk[0];
    }
    return bytes;
}

bool output_part_next(const struct stream *stream, const struct stream_variable *variable,
                      const size_t *chunk, struct output_part *part)
{
    const int first = stream->has_records ? 1 : 0;
    int k = variable->rank - 1;
    for (; part->is_begun && k >= 0; k--) {
        part->start[k] += part->count[k];
        if (part->start[k] < stream->axes[variable->axes[k]].length)
            break;
        part->start[k] = 0;
    }
    if (part->is_begun && k < 0)
        return false;
    part->is_begun = true;
    for (int j = 0; j < variable->rank; j++) {
        const size_t left = stream->axes[variable->axes[j]].length - part->start[j];
        part->count[j] = left < chunk[first + j] ? left : chunk[first + j];
    }
    return true;
}

// ---- checking a description

static enum status check_name(const struct stream *stream, const char *what, const char *name)
{
    if (!name || !name[0] || strlen(name) >= NC_MAX_NAME / 2 || name[0] == '.')
        return FAIL(STATUS_SOFTWARE, "stream %s: a %s without a usable name", stream->name, what);
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == '/' || *c == 0x7F)
            return FAIL(STATUS_SOFTWARE,
                        "stream %s: %s \"%s\": blanks, slashes and control characters cannot be in a name",
                        stream->name, what, name);
    return STATUS_OK;
}

// Whether packing is possible.
static enum status check_resolution(const struct stream *stream, const struct stream_variable *variable)
{
    const bool is_possible = stream->has_records && stream->layout == STREAM_CF && !variable->is_byte &&
                             stream->element != ELEMENT_U8;
    if (!(variable->resolution >= 0) || isinf(variable->resolution) ||
        (variable->resolution > 0 && !is_possible))
        return FAIL(STATUS_SOFTWARE,
                    "stream %s: variable %s: resolution %g: expected 0, or more in records of floating-point "
                    "numbers",
                    stream->name, variable->name, variable->resolution);
    return STATUS_OK;
}

static enum status check_variable(const struct stream *stream, const struct stream_variable *variable)
{
    CHECK(check_name(stream, "variable", variable->name));
    if (variable->rank < 0 || variable->rank > STREAM_RANK_MAX)
        return FAIL(STATUS_SOFTWARE, "stream %s: variable %s: rank %d, expected 0 to %d", stream->name,
                    variable->name, variable->rank, STREAM_RANK_MAX);
    for (int k = 0; k < variable->rank; k++)
        if (variable->axes[k] < 0 || variable->axes[k] >= stream->axis_count)
            return FAIL(STATUS_SOFTWARE, "stream %s: variable %s: dimension %d is axis %d, expected 0 to %d",
                        stream->name, variable->name, k, variable->axes[k], stream->axis_count - 1);
    if (stream->element == ELEMENT_U8 && variable->has_missing)
        return FAIL(STATUS_SOFTWARE, "stream %s: variable %s: bytes have no missing values", stream->name,
                    variable->name);
    if (variable->is_byte && (stream->element != ELEMENT_F64 || stream->has_records ||
                              (variable->has_missing && variable->rank != 1)))
        return FAIL(STATUS_SOFTWARE,
                    "stream %s: variable %s: bytes need a static stream of float64, and missing values of "
                    "bytes a variable of rank 1",
                    stream->name, variable->name);
    return check_resolution(stream, variable);
}

static enum status check_constant(const struct stream *stream, const struct stream_constant *constant)
{
    CHECK(check_name(stream, "constant", constant->name));
    if (constant->axis < -1 || constant->axis >= stream->axis_count)
        return FAIL(STATUS_SOFTWARE, "stream %s: constant %s: axis %d, expected -1 to %d", stream->name,
                    constant->name, constant->axis, stream->axis_count - 1);
    if (!constant->values == !constant->texts)
        return FAIL(STATUS_SOFTWARE, "stream %s: constant %s: has %s numbers and texts, expected one of them",
                    stream->name, constant->name, constant->values ? "both" : "neither");
    return STATUS_OK;
}

// Parts joined by points, each beginning with a letter: "fields", "harbour.fields". What follows the name of
// an unfinished file, ".0007.nc", ".static.nc", ".final.nc", must not be mistaken for a part of the name.
static bool is_file_name(const char *name)
{
    if (!name || strlen(name) > 100)
        return false;
    for (const char *part = name;; part++) {
        const size_t length = strcspn(part, ".");
        if (!isalpha((unsigned char)part[0]) || strcspn(part, "/ \t\n") < length)
            return false;
        if (part != name && ((length == 6 && strncmp(part, "static", 6) == 0) ||
                             (length == 5 && strncmp(part, "final", 5) == 0)))
            return false;
        part += length;
        if (*part == '\0')
            return true;
    }
}

enum status output_check_stream(const struct stream *stream)
{
    if (!is_file_name(stream->name))
        return FAIL(STATUS_SOFTWARE, "stream \"%s\": its name cannot be a file's",
                    stream->name ? stream->name : "");
    if (stream->element != ELEMENT_F32 && stream->element != ELEMENT_F64 && stream->element != ELEMENT_U8)
        return FAIL(STATUS_SOFTWARE, "stream %s: elements %s, expected float32, float64 or uint8",
                    stream->name, element_name(stream->element));
    if (stream->axis_count < 0 || stream->axis_count > STREAM_AXES_MAX || stream->variable_count < 1 ||
        stream->variable_count > STREAM_VARIABLES_MAX || stream->constant_count < 0 ||
        stream->constant_count > STREAM_CONSTANTS_MAX)
        return FAIL(STATUS_SOFTWARE, "stream %s: %d axes, %d variables, %d constants: too many or too few",
                    stream->name, stream->axis_count, stream->variable_count, stream->constant_count);
    for (int a = 0; a < stream->axis_count; a++) {
        CHECK(check_name(stream, "axis", stream->axes[a].name));
        if (stream->axes[a].length == 0)
            return FAIL(STATUS_SOFTWARE, "stream %s: axis %s has no entries", stream->name,
                        stream->axes[a].name);
    }
    if (stream->flag_meanings && stream->element != ELEMENT_U8)
        return FAIL(STATUS_SOFTWARE, "stream %s: only bytes are flags", stream->name);
    for (int v = 0; v < stream->variable_count; v++)
        CHECK(check_variable(stream, &stream->variables[v]));
    for (int c = 0; c < stream->constant_count; c++)
        CHECK(check_constant(stream, &stream->constants[c]));
    return stream->layout == STREAM_AMBER ? output_amber_check(stream) : STATUS_OK;
}

// ---- the file

enum status output_file_create(struct output *output, int s, const char *path, size_t records)
{
    const struct stream *stream = output->streams[s].stream;
    struct output_file *file = &output->streams[s].file;
    file->ncid = -1;
    file->direct = -1;
    file->time_id = -1;
    for (int k = 0; k < OUTPUT_BESIDE_MAX; k++)
        file->beside_ids[k] = -1;
    file->records = 0;
    file->chunk_records = output_chunk_limits(stream, output->chunk_bytes, records).records;
    file->time_range = output_range_none;
    for (int v = 0; v < STREAM_VARIABLES_MAX; v++)
        file->ranges[v] = file->time_range;
    snprintf(file->path, sizeof file->path, "%s", path);
    netcdf_prepare_thread();
    const bool is_amber = stream->layout == STREAM_AMBER;
    size_t buffer_bytes = OUTPUT_CLASSIC_BUFFER_BYTES; // not what the file system suggests: that has no limit
    int ncid;                                          // set by netCDF-C even if it fails
    const int format = is_amber ? output_amber_format(stream) : NC_NETCDF4;
    NC_CHECK_WRITE(nc__create(path, format | NC_CLOBBER, 0, &buffer_bytes, &ncid), path, "creating the file");
    file->ncid = ncid;
    enum status status =
        is_amber ? output_amber_define(output, stream, file) : output_define(output, stream, file);
    if (status == STATUS_OK)
        status = output_put_fixed(stream, file);
    if (status != STATUS_OK)
        output_file_abandon(output, s);
    return status;
}

// ---- writing

// A variable of rank 1: NaN has no byte of its own, and netCDF would refuse it.
static enum status put_bytes(const struct output_file *file, int v, size_t start, size_t count,
                             const double *values)
{
    signed char bytes[256];
    for (size_t done = 0; done < count;) {
        const size_t first = start + done, part = count - done < sizeof bytes ? count - done : sizeof bytes;
        for (size_t k = 0; k < part; k++)
            bytes[k] = isnan(values[done + k]) ? NC_FILL_BYTE : (signed char)values[done + k];
        NC_CHECK_WRITE(nc_put_vara_schar(file->ncid, file->variable_ids[v], &first, &part, bytes), file->path,
                       "writing data");
        done += part;
    }
    return STATUS_OK;
}

enum status output_file_put(struct output_file *file, const struct stream *stream, int v, size_t first,
                            size_t records, const size_t *start, const size_t *count, const void *data)
{
    const struct stream_variable *variable = &stream->variables[v];
    size_t starts[1 + STREAM_RANK_MAX] = {0}, counts[1 + STREAM_RANK_MAX] = {0};
    size_t elements = 1;
    int rank = 0;
    if (stream->has_records) {
        starts[rank] = first;
        counts[rank++] = records;
        elements = records;
    }
    for (int k = 0; k < variable->rank; k++) {
        starts[rank] = start[k];
        counts[rank++] = count[k];
        elements *= count[k];
    }
    if (variable->resolution > 0)
        output_range_join(&file->ranges[v], output_packed_range(variable, data, elements));
    else if (stream->layout == STREAM_CF)
        output_range_extend(&file->ranges[v], stream->element, data, elements);
    if (variable->is_byte && variable->has_missing)
        return put_bytes(file, v, start[0], count[0], data);
    if (variable->is_byte) {
        NC_CHECK_WRITE(nc_put_vara_double(file->ncid, file->variable_ids[v], starts, counts, data),
                       file->path, "writing data");
        return STATUS_OK;
    }
    NC_CHECK_WRITE(nc_put_vara(file->ncid, file->variable_ids[v], starts, counts, data), file->path,
                   "writing data");
    return STATUS_OK;
}

enum status output_file_put_times(struct output_file *file, const struct stream *stream, size_t first,
                                  size_t records, const double *times)
{
    output_range_extend(&file->time_range, ELEMENT_F64, times, records);
    NC_CHECK_WRITE(nc_put_vara_double(file->ncid, file->time_id, &first, &records, times), file->path,
                   "writing times");
    if (stream->layout == STREAM_AMBER)
        return output_amber_put_cell(file, stream, first, records);
    if (file->beside_ids[0] >= 0)
        NC_CHECK_WRITE(nc_put_vara_double(file->ncid, file->beside_ids[0], &first, &records, times),
                       file->path, "writing times");
    return STATUS_OK;
}

static enum status put_ranges(const struct output_file *file, const struct stream *stream)
{
    const int times[2] = {stream->has_records ? file->time_id : -1, file->beside_ids[0]};
    for (int k = 0; k < 2; k++)
        if (times[k] >= 0)
            CHECK(netcdf_write_range(file->ncid, times[k], NC_DOUBLE, file->time_range.low,
                                     file->time_range.high, file->path));
    for (int v = 0; v < stream->variable_count; v++) {
        // Of packed numbers: of what they stand for (CF-1.8, 2.5.1).
        const struct stream_variable *variable = &stream->variables[v];
        const nc_type type = variable->resolution > 0 ? NC_DOUBLE : output_variable_type(stream, variable);
        CHECK(netcdf_write_range(file->ncid, file->variable_ids[v], type, file->ranges[v].low,
                                 file->ranges[v].high, file->path));
    }
    return STATUS_OK;
}

bool output_file_is_open(const struct output_file *file)
{
    return file->ncid >= 0 || file->direct >= 0;
}

enum status output_file_end(struct output *output, int s)
{
    const struct stream *stream = output->streams[s].stream;
    struct output_file *file = &output->streams[s].file;
    if (file->direct >= 0)
        CHECK(output_direct_end(output, s));
    if (stream->layout == STREAM_CF)
        CHECK(put_ranges(file, stream));
    int ncid = file->ncid;
    file->ncid = -1;
    NC_CHECK_WRITE(nc_close(ncid), file->path, "closing the file");
    return STATUS_OK;
}

enum status output_file_close(struct output *output, int s)
{
    if (!output_file_is_open(&output->streams[s].file))
        return STATUS_OK;
    CHECK(output_file_end(output, s));
    return path_sync_file(output->streams[s].file.path);
}

void output_file_abandon(struct output *output, int s)
{
    struct output_file *file = &output->streams[s].file;
    output_direct_abandon(output, s);
    if (file->ncid >= 0)
        nc_close(file->ncid); // its failure does not matter: the file is going to be removed
    file->ncid = -1;
}
