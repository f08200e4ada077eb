// A trajectory of particles in AMBER's layout (io/output/output.h describes it): what is particular about its
// file. Independent of segments, checkpoints and runs (io/output/output.c).
#include "io/output/state.h"

#include "io/netcdf/netcdf.h"

#include <stdio.h>
#include <string.h>

enum { SPATIAL = 3, LABEL = 5 };

const char *output_record_dimension(const struct stream *stream)
{
    return stream->layout == STREAM_AMBER ? "frame" : "time";
}

static enum status check_variable(const struct stream *stream, const struct stream_variable *variable)
{
    if (variable->rank != 2 || variable->axes[0] != 0 || variable->axes[1] != 1 || variable->has_missing)
        return FAIL(
            STATUS_SOFTWARE,
            "stream %s: variable %s of a trajectory: expected axes atom and spatial, and no missing values",
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
    bool has_scales = stream->time_scale.size > 0 && stream->variable_count <= STREAM_SCALES_MAX;
    for (int v = 0; v < stream->variable_count; v++) {
        CHECK(check_variable(stream, &stream->variables[v]));
        has_scales = has_scales && stream->scales[v].size > 0;
    }
    if (!has_scales)
        return FAIL(STATUS_SOFTWARE, "stream %s: a trajectory of %d variables, expected 1 to %d, with scales",
                    stream->name, stream->variable_count, STREAM_SCALES_MAX);
    for (int c = 0; c < stream->constant_count; c++)
        if (!stream->constants[c].values)
            return FAIL(STATUS_SOFTWARE, "stream %s: constant %s of a trajectory: expected numbers",
                        stream->name, stream->constants[c].name);
    return STATUS_OK;
}

int output_amber_format(const struct stream *stream)
{
    // Of a variable, or one record of it: 2^32 − 4 (NetCDF Users Guide, "Limitations of 64-bit offset
    // format").
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
    return netcdf_write_texts(
        ncid, NC_GLOBAL, path,
        NETCDF_TEXTS({"application", program}, {"program", program}, {"programVersion", version}));
}

static enum status put_global_attributes(const struct output_request *request, const struct stream *stream,
                                         int ncid, const char *path)
{
    char title[OUTPUT_TEXT_BYTES], comment[OUTPUT_TEXT_BYTES];
    output_join_texts(request->title, ": ", stream->title, title);
    output_join_texts(stream->comment, "\n", request->comment, comment);
    CHECK(netcdf_write_texts(ncid, NC_GLOBAL, path, NETCDF_TEXTS({"title", title})));
    CHECK(put_program(request, ncid, path));
    return netcdf_write_texts(ncid, NC_GLOBAL, path,
                              NETCDF_TEXTS({"Conventions", "AMBER"}, {"ConventionVersion", "1.0"},
                                           {"source", request->source}, {"history", request->history},
                                           {"references", request->references}, {"comment", comment}));
}

// The unit of the numbers, for the program's own readers (io/netcdf/netcdf.h).
static enum status put_scale(const struct stream_scale *scale, int ncid, int id, const char *path)
{
    CHECK(netcdf_write_texts(ncid, id, path, NETCDF_TEXTS({NETCDF_RUN_UNITS, scale->units})));
    NC_CHECK_WRITE(nc_put_att_double(ncid, id, NETCDF_RUN_SCALE, NC_DOUBLE, 1, &scale->size), path,
                   "writing an attribute");
    return STATUS_OK;
}

static enum status check_scale(const struct stream_scale *scale, int ncid, const char *name, const char *path)
{
    int id;
    double size = 0;
    NC_CHECK(nc_inq_varid(ncid, name, &id), path, name);
    if (nc_get_att_double(ncid, id, NETCDF_RUN_SCALE, &size) == NC_NOERR && size == scale->size)
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "%s: variable %s has the scale %g, this run writes it by %g: another version of the program "
                "wrote it; --restart starts anew",
                path, name, size, scale->size);
}

enum status output_amber_check_scales(const struct stream *stream, int ncid, const char *path)
{
    CHECK(check_scale(&stream->time_scale, ncid, "time", path));
    for (int v = 0; v < stream->variable_count; v++)
        CHECK(check_scale(&stream->scales[v], ncid, stream->variables[v].name, path));
    return STATUS_OK;
}

// ---- the periodic cell

static bool has_cell(const struct stream *stream)
{
    return stream->cell[0] > 0;
}

static enum status define_letters(int ncid, const char *name, int rank, const int *dims, const char *path)
{
    int id;
    NC_CHECK_WRITE(nc_def_var(ncid, name, NC_CHAR, rank, dims, &id), path, "creating a coordinate");
    return STATUS_OK;
}

static enum status define_cell(const struct stream *stream, int frame, struct output_file *file)
{
    static const char *const names[2] = {"cell_lengths", "cell_angles"};
    static const char *const units[2] = {"angstrom", "degree"};
    const int ncid = file->ncid;
    int spatial, angular, label;
    NC_CHECK_WRITE(nc_def_dim(ncid, "cell_spatial", SPATIAL, &spatial), file->path, "creating a dimension");
    NC_CHECK_WRITE(nc_def_dim(ncid, "cell_angular", SPATIAL, &angular), file->path, "creating a dimension");
    NC_CHECK_WRITE(nc_def_dim(ncid, "label", LABEL, &label), file->path, "creating a dimension");
    CHECK(define_letters(ncid, "cell_spatial", 1, &spatial, file->path));
    CHECK(define_letters(ncid, "cell_angular", 2, (const int[2]){angular, label}, file->path));
    const int rows[2] = {spatial, angular};
    for (int k = 0; k < 2; k++) {
        NC_CHECK_WRITE(
            nc_def_var(ncid, names[k], NC_DOUBLE, 2, (const int[2]){frame, rows[k]}, &file->beside_ids[k]),
            file->path, "creating the periodic cell");
        CHECK(netcdf_write_texts(ncid, file->beside_ids[k], file->path, NETCDF_TEXTS({"units", units[k]})));
    }
    return put_scale(&stream->scales[0], ncid, file->beside_ids[0], file->path);
}

static enum status put_letters(const struct output_file *file, const char *name, const char *letters)
{
    int id;
    NC_CHECK_WRITE(nc_inq_varid(file->ncid, name, &id), file->path, "writing a coordinate");
    NC_CHECK_WRITE(nc_put_var_text(file->ncid, id, letters), file->path, "writing a coordinate");
    return STATUS_OK;
}

enum status output_amber_put_cell(const struct output_file *file, const struct stream *stream, size_t first,
                                  size_t records)
{
    static const double right_angles[SPATIAL] = {90, 90, 90};
    const double *const rows[2] = {stream->cell, right_angles};
    for (size_t i = first; has_cell(stream) && i < first + records; i++)
        for (int k = 0; k < 2; k++)
            NC_CHECK_WRITE(nc_put_vara_double(file->ncid, file->beside_ids[k], (const size_t[2]){i, 0},
                                              (const size_t[2]){1, SPATIAL}, rows[k]),
                           file->path, "writing the periodic cell");
    return STATUS_OK;
}

// ---- the file

static enum status define_constant(const struct stream_constant *constant, int atom, struct output_file *file)
{
    int id;
    NC_CHECK_WRITE(nc_def_var(file->ncid, constant->name, NC_DOUBLE, constant->axis < 0 ? 0 : 1, &atom, &id),
                   file->path, "creating a constant");
    return netcdf_write_texts(file->ncid, id, file->path,
                              NETCDF_TEXTS({"long_name", constant->long_name}, {"units", constant->units}));
}

static enum status define_variable(const struct stream *stream, int v, const int dims[3],
                                   struct output_file *file)
{
    const struct stream_variable *variable = &stream->variables[v];
    NC_CHECK_WRITE(
        nc_def_var(file->ncid, variable->name, output_type(stream->element), 3, dims, &file->variable_ids[v]),
        file->path, "creating a variable");
    const int id = file->variable_ids[v];
    CHECK(netcdf_write_texts(file->ncid, id, file->path,
                             NETCDF_TEXTS({"long_name", variable->long_name}, {"units", variable->units})));
    CHECK(put_scale(&stream->scales[v], file->ncid, id, file->path));
    return netcdf_write_texts(file->ncid, id, file->path, NETCDF_TEXTS({"comment", variable->comment}));
}

enum status output_amber_define(const struct output *output, const struct stream *stream,
                                struct output_file *file)
{
    const struct output_request *request = &output->request;
    const int ncid = file->ncid;
    int frame, spatial, atom;
    CHECK(put_global_attributes(request, stream, ncid, file->path));
    NC_CHECK_WRITE(nc_def_dim(ncid, "frame", NC_UNLIMITED, &frame), file->path, "creating a dimension");
    NC_CHECK_WRITE(nc_def_dim(ncid, "spatial", SPATIAL, &spatial), file->path, "creating a dimension");
    NC_CHECK_WRITE(nc_def_dim(ncid, "atom", stream->axes[0].length, &atom), file->path,
                   "creating a dimension");
    CHECK(define_letters(ncid, "spatial", 1, &spatial, file->path));
    NC_CHECK_WRITE(nc_def_var(ncid, "time", NC_DOUBLE, 1, &frame, &file->time_id), file->path,
                   "creating the time axis");
    CHECK(netcdf_write_texts(ncid, file->time_id, file->path, NETCDF_TEXTS({"units", "picosecond"})));
    CHECK(put_scale(&stream->time_scale, ncid, file->time_id, file->path));
    if (has_cell(stream))
        CHECK(define_cell(stream, frame, file));
    for (int c = 0; c < stream->constant_count; c++)
        CHECK_ABOUT(define_constant(&stream->constants[c], atom, file), "constant %s",
                    stream->constants[c].name);
    for (int v = 0; v < stream->variable_count; v++)
        CHECK_ABOUT(define_variable(stream, v, (const int[3]){frame, atom, spatial}, file), "variable %s",
                    stream->variables[v].name);
    // Everything is written whole: filling it before would only write it twice.
    NC_CHECK_WRITE(nc_set_fill(ncid, NC_NOFILL, NULL), file->path, "writing the definitions");
    NC_CHECK_WRITE(nc_enddef(ncid), file->path, "writing the definitions");
    CHECK(put_letters(file, "spatial", "xyz"));
    if (!has_cell(stream))
        return STATUS_OK;
    CHECK(put_letters(file, "cell_spatial", "abc"));
    return put_letters(file, "cell_angular", "alphabeta gamma");
}
