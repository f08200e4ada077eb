// What a netCDF-4 file of a stream is made of: dimensions, variables, constants, with CF-1.8 metadata.
// Independent of segments, checkpoints and runs (io/output/output.c).
#include "io/output/state.h"

#include "io/netcdf/netcdf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_SLOTS = 7 };

static const char *const time_units_default = "seconds since 1970-01-01 00:00:00";

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
    char title[OUTPUT_TEXT_BYTES], comment[OUTPUT_TEXT_BYTES];
    for (int k = 0; k < stream->attribute_count; k++) {
        const struct stream_attribute *a = &stream->attributes[k];
        if (a->text)
            CHECK(netcdf_write_texts(ncid, NC_GLOBAL, path, NETCDF_TEXTS({a->name, a->text})));
        else
            NC_CHECK_WRITE(nc_put_att_double(ncid, NC_GLOBAL, a->name, NC_DOUBLE, a->count, a->values), path,
                           "writing an attribute");
    }
    return netcdf_write_texts(
        ncid, NC_GLOBAL, path,
        NETCDF_TEXTS({"Conventions", "CF-1.8"},
                     {"title", output_join_texts(request->title, ": ", stream->title, title)},
                     {"source", request->source}, {"history", request->history},
                     {"references", request->references},
                     {"comment", output_join_texts(stream->comment, "\n", request->comment, comment)},
                     {"featureType", stream->is_time_series ? "timeSeries" : NULL}));
}

static enum status set_cache(int ncid, int id, size_t chunk_bytes, const char *path)
{
    // Written once, in order: the chunk used last need not be kept (preemption 1).
    NC_CHECK_WRITE(nc_set_var_chunk_cache(ncid, id, chunk_bytes, CHUNK_SLOTS, 1.0f), path,
                   "creating a chunk cache");
    return STATUS_OK;
}

static enum status define_times(const struct output_file *file, const char *name, int dimension, int *id)
{
    const size_t chunk = file->chunk_records;
    NC_CHECK_WRITE(nc_def_var(file->ncid, name, NC_DOUBLE, 1, &dimension, id), file->path,
                   "creating the time axis");
    NC_CHECK_WRITE(nc_def_var_chunking(file->ncid, *id, NC_CHUNKED, &chunk), file->path,
                   "creating the time axis");
    return set_cache(file->ncid, *id, chunk * sizeof(double), file->path);
}

// A time without a date is not a time in CF's sense. Programs that count in calendars (cdo) take any unit of
// time on this axis for a date's, and complain of others: the axis holds pure numbers, time over its unit,
// and a variable beside it the quantity.
static enum status define_bare_time(const char *units, struct output_file *file, int dimension)
{
    char text[OUTPUT_TEXT_BYTES];
    const bool is_reduced = strcmp(units, "1") == 0;
    snprintf(text, sizeof text, is_reduced ? "model time" : "model time divided by 1 %s", units);
    CHECK(netcdf_write_texts(file->ncid, file->time_id, file->path, NETCDF_TEXTS({"long_name", text})));
    CHECK(define_times(file, NETCDF_MODEL_TIME, dimension, &file->beside_ids[0]));
    return netcdf_write_texts(file->ncid, file->beside_ids[0], file->path,
                              NETCDF_TEXTS({"long_name", "model time, without a date"}, {"units", units}));
}

static enum status define_time(const struct output *output, struct output_file *file, int *dimension)
{
    const char *units = output->request.time_units ? output->request.time_units : time_units_default;
    const char *path = file->path;
    NC_CHECK_WRITE(nc_def_dim(file->ncid, "time", NC_UNLIMITED, dimension), path, "creating the time axis");
    CHECK(define_times(file, "time", *dimension, &file->time_id));
    CHECK(netcdf_write_texts(file->ncid, file->time_id, path, NETCDF_TEXTS({"axis", "T"})));
    if (!strstr(units, " since "))
        return define_bare_time(units, file, *dimension);
    return netcdf_write_texts(file->ncid, file->time_id, path,
                              NETCDF_TEXTS({"long_name", "time"}, {"units", units}, {"standard_name", "time"},
                                           {"calendar", "standard"}));
}

static enum status define_axis(const struct stream_axis *axis, const char *path, int ncid, int *dimension)
{
    int id;
    NC_CHECK_WRITE(nc_def_dim(ncid, axis->name, axis->length, dimension), path, "creating a dimension");
    if (!axis->values)
        return STATUS_OK;
    char letter[2] = {axis->axis, '\0'};
    NC_CHECK_WRITE(nc_def_var(ncid, axis->name, NC_DOUBLE, 1, dimension, &id), path, "creating a coordinate");
    CHECK(netcdf_write_texts(ncid, id, path,
                             NETCDF_TEXTS({"standard_name", axis->standard_name},
                                          {"long_name", axis->long_name}, {"units", axis->units},
                                          {"axis", letter})));
    const struct output_range range = output_range_of(axis->values, axis->length);
    return netcdf_write_range(ncid, id, NC_DOUBLE, range.low, range.high, path);
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

// The polygons of an axis, or NULL.
static const char *geometry_of(const struct stream *stream, int axis)
{
    return stream->geometry.name && axis == stream->geometry.axis ? stream->geometry.name : NULL;
}

static enum status define_geometry(const struct stream_geometry *geometry, const char *path, int ncid)
{
    int id;
    if (!geometry->name)
        return STATUS_OK;
    NC_CHECK_WRITE(nc_def_var(ncid, geometry->name, NC_INT, 0, NULL, &id), path, "creating a variable");
    return netcdf_write_texts(ncid, id, path,
                              NETCDF_TEXTS({"geometry_type", "polygon"}, {"node_count", geometry->node_count},
                                           {"node_coordinates", geometry->node_coordinates},
                                           {"part_node_count", geometry->part_node_count},
                                           {"interior_ring", geometry->interior_ring}));
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
        NC_CHECK_WRITE(nc_def_dim(ncid, name, longest_text(stream, constant), &dims[rank++]), path,
                       "creating a dimension");
    }
    const nc_type type = constant->texts ? NC_CHAR : constant->is_count ? NC_INT : NC_DOUBLE;
    const char letter[2] = {constant->letter, '\0'};
    NC_CHECK_WRITE(nc_def_var(ncid, constant->name, type, rank, dims, &id), path, "creating a constant");
    // _Encoding: a convention of netCDF's Python library and of xarray, which then return text instead of
    // bytes.
    CHECK(netcdf_write_texts(ncid, id, path,
                             NETCDF_TEXTS({"standard_name", constant->standard_name},
                                          {"long_name", constant->long_name}, {"units", constant->units},
                                          {"cf_role", constant->cf_role}, {"axis", letter},
                                          {"geometry", geometry_of(stream, constant->axis)},
                                          {"_Encoding", constant->texts ? "utf-8" : NULL})));
    if (constant->texts || constant->is_count)
        return STATUS_OK;
    size_t length = constant_length(stream, constant);
    const double missing = NAN;
    for (size_t i = 0; i < length; i++)
        if (isnan(constant->values[i])) {
            NC_CHECK_WRITE(nc_def_var_fill(ncid, id, NC_FILL, &missing), path, "creating a fill value");
            break;
        }
    const struct output_range range = output_range_of(constant->values, length);
    return netcdf_write_range(ncid, id, NC_DOUBLE, range.low, range.high, path);
}

// CF's auxiliary coordinates of a variable: constants along its axes that give positions or names. Of several
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
                                  const struct stream_variable *variable, const struct output_file *file,
                                  int id)
{
    const char *path = file->path;
    const int ncid = file->ncid;
    size_t chunk[1 + STREAM_RANK_MAX];
    bool is_scalar = variable->rank == 0 && !stream->has_records;
    if (stream->has_records || (output->request.compress && !is_scalar)) {
        const struct output_chunk_limits limits = {output->chunk_bytes, file->chunk_records};
        const size_t bytes = output_chunk(stream, variable, limits, chunk);
        NC_CHECK_WRITE(nc_def_var_chunking(ncid, id, NC_CHUNKED, chunk), path, "creating a variable");
        CHECK(set_cache(ncid, id, bytes, path));
        if (variable->resolution > 0)
            return output_define_packed(variable, ncid, id, path);
        if (variable->rounding_before > 0)
            NC_CHECK_WRITE(nc_put_att_double(ncid, id, "largest_rounding_error", NC_DOUBLE, 1,
                                             &variable->rounding_before),
                           path, "writing an attribute");
        if (output->request.compress)
            NC_CHECK_WRITE(nc_def_var_deflate(ncid, id, 1, 1, 1), path, "creating a variable");
    }
    // What is written as a whole at once would only be written twice. And of bytes each value may be one of
    // the data: readers (netCDF4-python) take netCDF's own fill value, 255, for a missing one unless there is
    // none.
    const bool is_whole = !stream->has_records && (!output->request.compress || is_scalar);
    if (!variable->has_missing && (is_whole || variable->is_byte || stream->element == ELEMENT_U8))
        NC_CHECK_WRITE(nc_def_var_fill(ncid, id, NC_NOFILL, NULL), path, "creating a variable");
    if (!variable->has_missing)
        return STATUS_OK;
    const float missing_float = NAN;
    const double missing_double = NAN;
    const signed char missing_byte = NC_FILL_BYTE;
    const void *missing = variable->is_byte                ? (const void *)&missing_byte
                          : stream->element == ELEMENT_F32 ? (const void *)&missing_float
                                                           : &missing_double;
    NC_CHECK_WRITE(nc_def_var_fill(ncid, id, NC_FILL, missing), path, "creating a fill value");
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
    NC_CHECK_WRITE(nc_put_att_uchar(ncid, id, "flag_values", NC_UBYTE, count, values), path,
                   "writing an attribute");
    return netcdf_write_texts(ncid, id, path, NETCDF_TEXTS({"flag_meanings", meanings}));
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
    NC_CHECK_WRITE(
        nc_def_var(file->ncid, variable->name, output_variable_type(stream, variable), rank, dims, &id), path,
        "creating a variable");
    file->variable_ids[v] = id;
    CHECK(define_storage(output, stream, variable, file, id));
    CHECK(netcdf_write_texts(file->ncid, id, path,
                             NETCDF_TEXTS({"standard_name", variable->standard_name},
                                          {"long_name", variable->long_name}, {"units", variable->units},
                                          {"cell_methods", variable->cell_methods},
                                          {"comment", variable->comment})));
    CHECK(put_flags(file->ncid, id, stream->flag_meanings, path));
    coordinates_of(stream, variable, coordinates);
    const char *geometry = variable->rank == 1 ? geometry_of(stream, variable->axes[0]) : NULL;
    return netcdf_write_texts(file->ncid, id, path,
                              NETCDF_TEXTS({"coordinates", coordinates}, {"geometry", geometry}));
}

enum status output_define(const struct output *output, const struct stream *stream, struct output_file *file)
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
    CHECK(define_geometry(&stream->geometry, file->path, file->ncid));
    for (int v = 0; v < stream->variable_count; v++)
        CHECK_ABOUT(define_variable(output, stream, v, time_dimension, dimensions, file), "variable %s",
                    stream->variables[v].name);
    NC_CHECK_WRITE(nc_enddef(file->ncid), file->path, "writing the definitions");
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
            NC_CHECK_WRITE(nc_put_vara_text(ncid, id, start, count, text), path, "writing texts");
    }
    return STATUS_OK;
}

enum status output_put_fixed(const struct stream *stream, const struct output_file *file)
{
    int id;
    for (int a = 0; a < stream->axis_count; a++) {
        const struct stream_axis *axis = &stream->axes[a];
        if (!axis->values)
            continue;
        NC_CHECK_WRITE(nc_inq_varid(file->ncid, axis->name, &id), file->path, "writing a coordinate");
        NC_CHECK_WRITE(nc_put_var_double(file->ncid, id, axis->values), file->path, "writing a coordinate");
    }
    for (int c = 0; c < stream->constant_count; c++) {
        const struct stream_constant *constant = &stream->constants[c];
        NC_CHECK_WRITE(nc_inq_varid(file->ncid, constant->name, &id), file->path, "writing a constant");
        if (constant->texts)
            CHECK(put_texts(stream, constant, file->path, file->ncid, id));
        else
            NC_CHECK_WRITE(nc_put_var_double(file->ncid, id, constant->values), file->path,
                           "writing a constant");
    }
    return STATUS_OK;
}
