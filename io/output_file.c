// One netCDF-4 file of one stream: its definition with CF-1.8 metadata, writing parts of records, closing.
// Knows nothing of segments, checkpoints and runs (io/output.c).
#include "io/output_state.h"

#include "io/netcdf.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_SLOTS = 7 };

static const char *const time_units_default = "seconds since 1970-01-01 00:00:00";

// ---- chunks

// A chunk is stored whole: one for a thousand records in a file of three would be mostly padding.
static size_t records_in_chunk(const struct stream *stream)
{
    const size_t expected = stream->expected_records;
    return expected > 0 && expected < OUTPUT_CHUNK_RECORDS_MAX ? expected : OUTPUT_CHUNK_RECORDS_MAX;
}

size_t output_chunk(const struct stream *stream, const struct stream_variable *variable, size_t chunk_bytes,
                    size_t chunk[1 + STREAM_RANK_MAX])
{
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
        size_t most = records_in_chunk(stream);
        chunk[0] = records < 1 ? 1 : records > most ? most : records;
        bytes *= chunk[0];
    }
    return bytes;
}

// ---- failures

enum status output_failure(int code, int error, const char *path, const char *what, const char *file,
                           int line)
{
    // HDF5 hides errno behind its own error, but leaves it as the failed call set it; and netCDF-C says
    // EACCES for every file that cannot be created.
    if (code == ENOSPC || error == ENOSPC)
        return status_fail(STATUS_IO, file, line, "%s: %s: no space left on device", path, what);
    if (error == EDQUOT || error == EFBIG || error == EIO)
        return status_fail(STATUS_IO, file, line, "%s: %s: %s", path, what, strerror(error));
    if (code > 0 && error > 0)
        code = error;
    return netcdf_status(code, path, what, file, line);
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
    return STATUS_OK;
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

// Parts joined by points, each beginning with a letter: "fields", "harbour.fields". What follows the name of a file in the
// making, ".0007.nc", ".static.nc", ".final.nc", must not be mistaken for a part of the name.
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

// ---- definition

enum status output_put_text(int ncid, int id, const char *name, const char *text, const char *path)
{
    if (text && text[0])
        OUTPUT_CHECK(nc_put_att_text(ncid, id, name, strlen(text), text), path, "writing an attribute");
    return STATUS_OK;
}

const char *output_join_texts(const char *first, const char *separator, const char *second,
                              char text[OUTPUT_TEXT_BYTES])
{
    bool has_first = first && first[0], has_second = second && second[0];
    snprintf(text, OUTPUT_TEXT_BYTES, "%s%s%s", has_first ? first : "",
             has_first && has_second ? separator : "", has_second ? second : "");
    return text;
}

static enum status put_global_attributes(const struct output_request *request, const struct stream *stream,
                                         int ncid, const char *path)
{
    char text[OUTPUT_TEXT_BYTES];
    CHECK(output_put_text(ncid, NC_GLOBAL, "Conventions", "CF-1.8", path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "title",
                          output_join_texts(request->title, ": ", stream->title, text), path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "source", request->source, path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "history", request->history, path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "references", request->references, path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "comment",
                          output_join_texts(stream->comment, "\n", request->comment, text), path));
    if (stream->is_time_series)
        CHECK(output_put_text(ncid, NC_GLOBAL, "featureType", "timeSeries", path));
    return STATUS_OK;
}

static enum status put_range(int ncid, int id, nc_type type, struct output_range range, const char *path)
{
    const double values[2] = {range.low, range.high};
    const float singles[2] = {(float)range.low, (float)range.high};
    if (!(range.low <= range.high))
        return STATUS_OK;
    // An infinite value is one, but netCDF-C converts none.
    if (type == NC_FLOAT)
        OUTPUT_CHECK(nc_put_att_float(ncid, id, "actual_range", type, 2, singles), path,
                     "writing an actual range");
    else
        OUTPUT_CHECK(nc_put_att_double(ncid, id, "actual_range", type, 2, values), path,
                     "writing an actual range");
    return STATUS_OK;
}

static enum status set_cache(int ncid, int id, size_t chunk_bytes, const char *path)
{
    // Written once, in order: the chunk used last need not be kept (preemption 1).
    OUTPUT_CHECK(nc_set_var_chunk_cache(ncid, id, chunk_bytes, CHUNK_SLOTS, 1.0f), path,
                 "creating a chunk cache");
    return STATUS_OK;
}

static enum status define_time(const struct output *output, struct output_file *file, int *dimension)
{
    const char *units = output->request.time_units ? output->request.time_units : time_units_default;
    const char *path = file->path;
    size_t chunk = OUTPUT_CHUNK_RECORDS_MAX;
    OUTPUT_CHECK(nc_def_dim(file->ncid, "time", NC_UNLIMITED, dimension), path, "creating the time axis");
    OUTPUT_CHECK(nc_def_var(file->ncid, "time", NC_DOUBLE, 1, dimension, &file->time_id), path,
                 "creating the time axis");
    OUTPUT_CHECK(nc_def_var_chunking(file->ncid, file->time_id, NC_CHUNKED, &chunk), path,
                 "creating the time axis");
    CHECK(set_cache(file->ncid, file->time_id, chunk * sizeof(double), path));
    CHECK(output_put_text(file->ncid, file->time_id, "long_name", "time", path));
    CHECK(output_put_text(file->ncid, file->time_id, "units", units, path));
    if (strstr(units, " since ")) { // else no time in CF's sense, which has a date and a calendar
        CHECK(output_put_text(file->ncid, file->time_id, "standard_name", "time", path));
        CHECK(output_put_text(file->ncid, file->time_id, "calendar", "standard", path));
    }
    return output_put_text(file->ncid, file->time_id, "axis", "T", path);
}

static struct output_range range_of(const double *values, size_t count)
{
    struct output_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        range.low = values[i] < range.low ? values[i] : range.low;
        range.high = values[i] > range.high ? values[i] : range.high;
    }
    return range;
}

static enum status define_axis(const struct stream_axis *axis, const char *path, int ncid, int *dimension)
{
    int id;
    OUTPUT_CHECK(nc_def_dim(ncid, axis->name, axis->length, dimension), path, "creating a dimension");
    if (!axis->values)
        return STATUS_OK;
    char letter[2] = {axis->axis, '\0'};
    OUTPUT_CHECK(nc_def_var(ncid, axis->name, NC_DOUBLE, 1, dimension, &id), path, "creating a coordinate");
    CHECK(output_put_text(ncid, id, "standard_name", axis->standard_name, path));
    CHECK(output_put_text(ncid, id, "long_name", axis->long_name, path));
    CHECK(output_put_text(ncid, id, "units", axis->units, path));
    CHECK(output_put_text(ncid, id, "axis", letter, path));
    return put_range(ncid, id, NC_DOUBLE, range_of(axis->values, axis->length), path);
}

// The entries of a constant, and of the longest text (at least 1: netCDF has no empty fixed dimension).
static size_t constant_length(const struct stream *stream, const struct stream_constant *constant)
{
    return constant->axis < 0 ? 1 : stream->axes[constant->axis].length;
}

static size_t longest_text(const struct stream *stream, const struct stream_constant *constant)
{
    size_t longest = 1;
    for (size_t i = 0; i < constant_length(stream, constant); i++) {
        size_t length = constant->texts[i] ? strlen(constant->texts[i]) : 0;
        longest = length > longest ? length : longest;
    }
    return longest;
}

static enum status define_constant(const struct stream *stream, const struct stream_constant *constant,
                                   const int *dimensions, const char *path, int ncid)
{
    int dims[2], rank = 0, id;
    if (constant->axis >= 0)
        dims[rank++] = dimensions[constant->axis];
    if (constant->texts) {
        char name[NC_MAX_NAME + 1];
        snprintf(name, sizeof name, "%s_strlen", constant->name);
        OUTPUT_CHECK(nc_def_dim(ncid, name, longest_text(stream, constant), &dims[rank++]), path,
                     "creating a dimension");
    }
    OUTPUT_CHECK(nc_def_var(ncid, constant->name, constant->texts ? NC_CHAR : NC_DOUBLE, rank, dims, &id),
                 path, "creating a constant");
    CHECK(output_put_text(ncid, id, "standard_name", constant->standard_name, path));
    CHECK(output_put_text(ncid, id, "long_name", constant->long_name, path));
    CHECK(output_put_text(ncid, id, "units", constant->units, path));
    CHECK(output_put_text(ncid, id, "cf_role", constant->cf_role, path));
    // A convention of netCDF's Python library and of xarray, which then hand out text instead of bytes.
    if (constant->texts)
        return output_put_text(ncid, id, "_Encoding", "utf-8", path);
    size_t length = constant_length(stream, constant);
    const double missing = NAN;
    for (size_t i = 0; i < length; i++)
        if (isnan(constant->values[i])) {
            OUTPUT_CHECK(nc_def_var_fill(ncid, id, NC_FILL, &missing), path, "creating a fill value");
            break;
        }
    return put_range(ncid, id, NC_DOUBLE, range_of(constant->values, length), path);
}

// CF's auxiliary coordinates of a variable: constants along its axes that say where or which. Of several
// constants with one standard name (the gauge's own position, its node's) the first counts: a second one
// would be ambiguous.
static void coordinates_of(const struct stream *stream, const struct stream_variable *variable,
                           char text[OUTPUT_TEXT_BYTES])
{
    static const char *const positions[] = {
        "longitude", "latitude", "projection_x_coordinate", "projection_y_coordinate", "altitude", "height"};
    enum { POSITIONS = sizeof positions / sizeof positions[0] };
    bool taken[POSITIONS] = {false};
    size_t used = 0;
    text[0] = '\0';
    for (int c = 0; c < stream->constant_count; c++) {
        const struct stream_constant *constant = &stream->constants[c];
        bool belongs = constant->axis < 0;
        for (int k = 0; k < variable->rank; k++)
            belongs = belongs || variable->axes[k] == constant->axis;
        bool wanted = constant->cf_role != NULL;
        for (int p = 0; p < POSITIONS && constant->standard_name; p++)
            if (strcmp(constant->standard_name, positions[p]) == 0) {
                wanted = wanted || !taken[p];
                taken[p] = taken[p] || belongs;
            }
        size_t length = strlen(constant->name);
        if (belongs && wanted && used + length + 2 < OUTPUT_TEXT_BYTES)
            used += (size_t)snprintf(text + used, OUTPUT_TEXT_BYTES - used, "%s%s", used ? " " : "",
                                     constant->name);
    }
}

static enum status define_storage(const struct output *output, const struct stream *stream,
                                  const struct stream_variable *variable, const char *path, int ncid, int id)
{
    size_t chunk[1 + STREAM_RANK_MAX];
    bool is_scalar = variable->rank == 0 && !stream->has_records;
    if (stream->has_records || (output->request.compress && !is_scalar)) {
        size_t bytes = output_chunk(stream, variable, output->chunk_bytes, chunk);
        OUTPUT_CHECK(nc_def_var_chunking(ncid, id, NC_CHUNKED, chunk), path, "creating a variable");
        CHECK(set_cache(ncid, id, bytes, path));
        if (output->request.compress)
            OUTPUT_CHECK(nc_def_var_deflate(ncid, id, 1, 1, 1), path, "creating a variable");
    } else if (!variable->has_missing)
        // Written as a whole at once: filling it before would only write it twice.
        OUTPUT_CHECK(nc_def_var_fill(ncid, id, NC_NOFILL, NULL), path, "creating a variable");
    if (!variable->has_missing)
        return STATUS_OK;
    const float missing_float = NAN;
    const double missing_double = NAN;
    const void *missing = stream->element == ELEMENT_F32 ? (const void *)&missing_float : &missing_double;
    OUTPUT_CHECK(nc_def_var_fill(ncid, id, NC_FILL, missing), path, "creating a fill value");
    return STATUS_OK;
}

// CF's flags: what 0, 1, … stand for.
static enum status put_flags(int ncid, int id, const char *meanings, const char *path)
{
    unsigned char values[UINT8_MAX + 1];
    size_t count = 0;
    for (const char *word = meanings; word && *word && count <= UINT8_MAX; count++) {
        values[count] = (unsigned char)count;
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    if (count == 0)
        return STATUS_OK;
    OUTPUT_CHECK(nc_put_att_uchar(ncid, id, "flag_values", NC_UBYTE, count, values), path,
                 "writing an attribute");
    return output_put_text(ncid, id, "flag_meanings", meanings, path);
}

static enum status define_variable(const struct output *output, const struct stream *stream, int v,
                                   int time_dimension, const int *dimensions, struct output_file *file)
{
    const struct stream_variable *variable = &stream->variables[v];
    const char *path = file->path;
    char coordinates[OUTPUT_TEXT_BYTES];
    int dims[1 + STREAM_RANK_MAX], rank = 0, id;
    if (stream->has_records)
        dims[rank++] = time_dimension;
    for (int k = 0; k < variable->rank; k++)
        dims[rank++] = dimensions[variable->axes[k]];
    OUTPUT_CHECK(nc_def_var(file->ncid, variable->name, output_type(stream->element), rank, dims, &id), path,
                 "creating a variable");
    file->variable_ids[v] = id;
    CHECK(define_storage(output, stream, variable, path, file->ncid, id));
    CHECK(output_put_text(file->ncid, id, "standard_name", variable->standard_name, path));
    CHECK(output_put_text(file->ncid, id, "long_name", variable->long_name, path));
    CHECK(output_put_text(file->ncid, id, "units", variable->units, path));
    CHECK(output_put_text(file->ncid, id, "cell_methods", variable->cell_methods, path));
    CHECK(output_put_text(file->ncid, id, "comment", variable->comment, path));
    CHECK(put_flags(file->ncid, id, stream->flag_meanings, path));
    coordinates_of(stream, variable, coordinates);
    return output_put_text(file->ncid, id, "coordinates", coordinates, path);
}

static enum status define(const struct output *output, const struct stream *stream, struct output_file *file)
{
    int time_dimension = -1, dimensions[STREAM_AXES_MAX];
    CHECK(put_global_attributes(&output->request, stream, file->ncid, file->path));
    if (stream->has_records)
        CHECK(define_time(output, file, &time_dimension));
    for (int a = 0; a < stream->axis_count; a++)
        CHECK_ABOUT(define_axis(&stream->axes[a], file->path, file->ncid, &dimensions[a]), "axis %s",
                    stream->axes[a].name);
    for (int c = 0; c < stream->constant_count; c++)
        CHECK_ABOUT(define_constant(stream, &stream->constants[c], dimensions, file->path, file->ncid),
                    "constant %s", stream->constants[c].name);
    for (int v = 0; v < stream->variable_count; v++)
        CHECK_ABOUT(define_variable(output, stream, v, time_dimension, dimensions, file), "variable %s",
                    stream->variables[v].name);
    OUTPUT_CHECK(nc_enddef(file->ncid), file->path, "writing the definitions");
    return STATUS_OK;
}

// ---- coordinates and constants

static enum status put_texts(const struct stream *stream, const struct stream_constant *constant,
                             const char *path, int ncid, int id)
{
    size_t start[2] = {0, 0}, count[2] = {1, 0};
    int text_dim = constant->axis < 0 ? 0 : 1;
    for (size_t i = 0; i < constant_length(stream, constant); i++) {
        const char *text = constant->texts[i] ? constant->texts[i] : "";
        start[0] = text_dim == 1 ? i : 0;
        count[text_dim] = strlen(text);
        if (count[text_dim] > 0)
            OUTPUT_CHECK(nc_put_vara_text(ncid, id, start, count, text), path, "writing texts");
    }
    return STATUS_OK;
}

static enum status put_fixed(const struct stream *stream, const struct output_file *file)
{
    int id;
    for (int a = 0; a < stream->axis_count; a++) {
        const struct stream_axis *axis = &stream->axes[a];
        if (!axis->values)
            continue;
        OUTPUT_CHECK(nc_inq_varid(file->ncid, axis->name, &id), file->path, "writing a coordinate");
        OUTPUT_CHECK(nc_put_var_double(file->ncid, id, axis->values), file->path, "writing a coordinate");
    }
    for (int c = 0; c < stream->constant_count; c++) {
        const struct stream_constant *constant = &stream->constants[c];
        OUTPUT_CHECK(nc_inq_varid(file->ncid, constant->name, &id), file->path, "writing a constant");
        if (constant->texts)
            CHECK(put_texts(stream, constant, file->path, file->ncid, id));
        else
            OUTPUT_CHECK(nc_put_var_double(file->ncid, id, constant->values), file->path,
                         "writing a constant");
    }
    return STATUS_OK;
}

// ---- the file

enum status output_file_create(const struct output *output, int s, const char *path, struct output_file *file)
{
    const struct stream *stream = output->streams[s].stream;
    file->ncid = -1;
    file->time_id = -1;
    file->records = 0;
    file->time_range = (struct output_range){INFINITY, -INFINITY};
    for (int v = 0; v < STREAM_VARIABLES_MAX; v++)
        file->ranges[v] = file->time_range;
    snprintf(file->path, sizeof file->path, "%s", path);
    netcdf_prepare_thread();
    const bool is_amber = stream->layout == STREAM_AMBER;
    size_t buffer_bytes = OUTPUT_CLASSIC_BUFFER_BYTES; // not what the file system suggests: that has no limit
    int ncid;                                          // set by netCDF-C even if it fails
    const int format = is_amber ? output_amber_format(stream) : NC_NETCDF4;
    OUTPUT_CHECK(nc__create(path, format | NC_CLOBBER, 0, &buffer_bytes, &ncid), path, "creating the file");
    file->ncid = ncid;
    enum status status = is_amber ? output_amber_define(output, stream, file) : define(output, stream, file);
    if (status == STATUS_OK)
        status = put_fixed(stream, file);
    if (status != STATUS_OK)
        output_file_abandon(file);
    return status;
}

static void extend_range_of_bytes(struct output_range *range, const unsigned char *values, size_t count)
{
    unsigned char low = UINT8_MAX, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    if (count > 0) {
        range->low = fmin(range->low, low);
        range->high = fmax(range->high, high);
    }
}

static void extend_range(struct output_range *range, enum element element, const void *data, size_t count)
{
    // NaN compares false: missing values do not count.
    if (element == ELEMENT_F64) {
        struct output_range found = range_of(data, count);
        range->low = fmin(range->low, found.low);
        range->high = fmax(range->high, found.high);
        return;
    }
    if (element == ELEMENT_U8) {
        extend_range_of_bytes(range, data, count);
        return;
    }
    const float *values = data;
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    range->low = fmin(range->low, (double)low);
    range->high = fmax(range->high, (double)high);
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
    if (stream->layout == STREAM_CF)
        extend_range(&file->ranges[v], stream->element, data, elements);
    OUTPUT_CHECK(nc_put_vara(file->ncid, file->variable_ids[v], starts, counts, data), file->path,
                 "writing data");
    return STATUS_OK;
}

enum status output_file_put_times(struct output_file *file, size_t first, size_t records,
                                  const double *times_s)
{
    extend_range(&file->time_range, ELEMENT_F64, times_s, records);
    OUTPUT_CHECK(nc_put_vara_double(file->ncid, file->time_id, &first, &records, times_s), file->path,
                 "writing times");
    return STATUS_OK;
}

static enum status put_ranges(const struct output_file *file, const struct stream *stream)
{
    const nc_type type = output_type(stream->element);
    if (stream->has_records)
        CHECK(put_range(file->ncid, file->time_id, NC_DOUBLE, file->time_range, file->path));
    for (int v = 0; v < stream->variable_count; v++)
        CHECK(put_range(file->ncid, file->variable_ids[v], type, file->ranges[v], file->path));
    return STATUS_OK;
}

static enum status sync_file(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return FAIL(STATUS_IO, "%s: cannot be opened again: %s", path, strerror(errno));
    int failed = fsync(descriptor) != 0 ? errno : 0;
    close(descriptor);
    if (failed)
        return FAIL(STATUS_IO, "%s: %s", path,
                    failed == ENOSPC ? "no space left on device" : strerror(failed));
    return STATUS_OK;
}

enum status output_file_close(struct output_file *file, const struct stream *stream)
{
    if (file->ncid < 0)
        return STATUS_OK;
    if (stream->layout == STREAM_CF)
        CHECK(put_ranges(file, stream));
    int ncid = file->ncid;
    file->ncid = -1;
    OUTPUT_CHECK(nc_close(ncid), file->path, "closing the file");
    return sync_file(file->path);
}

void output_file_abandon(struct output_file *file)
{
    if (file->ncid >= 0)
        nc_close(file->ncid); // whatever it says: the file is going to be removed
    file->ncid = -1;
}
