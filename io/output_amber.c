// A trajectory of particles in AMBER's layout (io/output.h says which): what is particular about its file. Knows nothing of
// segments, checkpoints and runs (io/output.c).
#include "io/output_state.h"

#include <stdio.h>
#include <string.h>

enum { SPATIAL = 3 };

static const char axis_letters[SPATIAL + 1] = "xyz";

const char *output_record_dimension(const struct stream *stream)
{
    return stream->layout == STREAM_AMBER ? "frame" : "time";
}

static enum status check_variable(const struct stream *stream, const struct stream_variable *variable)
{
    if (variable->rank != 2 || variable->axes[0] != 0 || variable->axes[1] != 1 || variable->has_missing)
        return FAIL(STATUS_SOFTWARE,
                    "stream %s: variable %s of a trajectory: expected axes atom and spatial, and no missing "
                    "values",
                    stream->name, variable->name);
    return STATUS_OK;
}

enum status output_amber_check(const struct stream *stream)
{
    const struct stream_axis *axes = stream->axes;
    if (!stream->has_records || stream->axis_count != 2 || strcmp(axes[0].name, "atom") != 0 ||
        strcmp(axes[1].name, "spatial") != 0 || axes[1].length != SPATIAL || axes[0].values || axes[1].values)
        return FAIL(STATUS_SOFTWARE,
                    "stream %s: a trajectory has records, and the axes atom and spatial (3) without values",
                    stream->name);
    if (stream->element == ELEMENT_U8)
        return FAIL(STATUS_SOFTWARE, "stream %s: a trajectory of bytes, expected float32 or float64",
                    stream->name);
    for (int v = 0; v < stream->variable_count; v++)
        CHECK(check_variable(stream, &stream->variables[v]));
    for (int c = 0; c < stream->constant_count; c++)
        if (!stream->constants[c].values)
            return FAIL(STATUS_SOFTWARE, "stream %s: constant %s of a trajectory: expected numbers",
                        stream->name, stream->constants[c].name);
    return STATUS_OK;
}

int output_amber_format(const struct stream *stream)
{
    // Of a variable, or one record of it: 2^32 − 4 (NetCDF Users Guide, "Limitations of 64-bit offset format").
    const size_t most = UINT32_MAX - (size_t)3, atoms = stream->axes[0].length;
    const size_t record = atoms * SPATIAL * element_bytes(stream->element);
    const size_t constant = stream->constant_count > 0 ? atoms * sizeof(double) : 0;
    return record > most || constant > most ? NC_64BIT_DATA : NC_64BIT_OFFSET;
}

// "Fathom 0.1.0" in the convention's two attributes.
static enum status put_program(const struct output_request *request, int ncid, const char *path)
{
    char program[OUTPUT_TEXT_BYTES];
    snprintf(program, sizeof program, "%s", request->source ? request->source : "");
    char *version = strrchr(program, ' ');
    if (version)
        *version++ = '\0';
    CHECK(output_put_text(ncid, NC_GLOBAL, "application", program, path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "program", program, path));
    return output_put_text(ncid, NC_GLOBAL, "programVersion", version, path);
}

static enum status put_global_attributes(const struct output_request *request, const struct stream *stream,
                                         int ncid, const char *path)
{
    char text[OUTPUT_TEXT_BYTES];
    CHECK(output_put_text(ncid, NC_GLOBAL, "title",
                          output_join_texts(request->title, ": ", stream->title, text), path));
    CHECK(put_program(request, ncid, path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "Conventions", "AMBER", path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "ConventionVersion", "1.0", path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "source", request->source, path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "history", request->history, path));
    CHECK(output_put_text(ncid, NC_GLOBAL, "references", request->references, path));
    return output_put_text(ncid, NC_GLOBAL, "comment",
                           output_join_texts(stream->comment, "\n", request->comment, text), path);
}

static enum status define_constant(const struct stream_constant *constant, int atom, struct output_file *file)
{
    int id;
    OUTPUT_CHECK(nc_def_var(file->ncid, constant->name, NC_DOUBLE, constant->axis < 0 ? 0 : 1, &atom, &id),
                 file->path, "creating a constant");
    CHECK(output_put_text(file->ncid, id, "long_name", constant->long_name, file->path));
    return output_put_text(file->ncid, id, "units", constant->units, file->path);
}

static enum status define_variable(const struct stream *stream, int v, const int dims[3],
                                   struct output_file *file)
{
    const struct stream_variable *variable = &stream->variables[v];
    OUTPUT_CHECK(
        nc_def_var(file->ncid, variable->name, output_type(stream->element), 3, dims, &file->variable_ids[v]),
        file->path, "creating a variable");
    CHECK(output_put_text(file->ncid, file->variable_ids[v], "long_name", variable->long_name, file->path));
    CHECK(output_put_text(file->ncid, file->variable_ids[v], "units", variable->units, file->path));
    return output_put_text(file->ncid, file->variable_ids[v], "comment", variable->comment, file->path);
}

enum status output_amber_define(const struct output *output, const struct stream *stream,
                                struct output_file *file)
{
    const struct output_request *request = &output->request;
    const bool is_reduced = request->time_units && strcmp(request->time_units, "1") == 0;
    const int ncid = file->ncid;
    int frame, spatial, atom, letters;
    CHECK(put_global_attributes(request, stream, ncid, file->path));
    OUTPUT_CHECK(nc_def_dim(ncid, "frame", NC_UNLIMITED, &frame), file->path, "creating a dimension");
    OUTPUT_CHECK(nc_def_dim(ncid, "spatial", SPATIAL, &spatial), file->path, "creating a dimension");
    OUTPUT_CHECK(nc_def_dim(ncid, "atom", stream->axes[0].length, &atom), file->path, "creating a dimension");
    OUTPUT_CHECK(nc_def_var(ncid, "spatial", NC_CHAR, 1, &spatial, &letters), file->path,
                 "creating a coordinate");
    OUTPUT_CHECK(nc_def_var(ncid, "time", NC_DOUBLE, 1, &frame, &file->time_id), file->path,
                 "creating the time axis");
    CHECK(output_put_text(ncid, file->time_id, "units", is_reduced ? "1" : "second", file->path));
    for (int c = 0; c < stream->constant_count; c++)
        CHECK_ABOUT(define_constant(&stream->constants[c], atom, file), "constant %s",
                    stream->constants[c].name);
    for (int v = 0; v < stream->variable_count; v++)
        CHECK_ABOUT(define_variable(stream, v, (const int[3]){frame, atom, spatial}, file), "variable %s",
                    stream->variables[v].name);
    // Everything is written whole: filling it before would only write it twice.
    OUTPUT_CHECK(nc_set_fill(ncid, NC_NOFILL, NULL), file->path, "writing the definitions");
    OUTPUT_CHECK(nc_enddef(ncid), file->path, "writing the definitions");
    OUTPUT_CHECK(nc_put_var_text(ncid, letters, axis_letters), file->path, "writing a coordinate");
    return STATUS_OK;
}
