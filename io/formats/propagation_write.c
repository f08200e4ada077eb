// Writes files in the form of NOAA's propagation database: see propagation_file.h. Independent of where the
// values come from.
#include "io/formats/propagation_file.h"

#include "io/netcdf/write.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const float missing_value = -1e34F;

struct propagation_writer {
    char stem[PATH_BYTES];
    struct netcdf_writer file;
    enum propagation_quantity quantity;
    size_t rows, columns, records;
    int time, variable;
    double last_s;
    float *record; // [rows][columns]
};

static enum status define_axis(struct propagation_writer *writer, const char *name, const char *units,
                               size_t length, int *dimension, int *variable)
{
    CHECK(netcdf_write_axis(writer->file.ncid, writer->file.path, name, length, dimension, variable));
    return netcdf_write_texts(writer->file.ncid, *variable, writer->file.path,
                              NETCDF_TEXTS({"units", units}));
}

static enum status define(struct propagation_writer *writer, const struct propagation_write *request,
                          int *latitude, int *longitude)
{
    static const char *const long_names[] = {"Wave Amplitude", "Velocity Component along Longitude",
                                             "Velocity Component along Latitude"};
    const int ncid = writer->file.ncid;
    const char *path = writer->file.path;
    int dimensions[3];
    CHECK(define_axis(writer, "LON", "degrees_east", request->columns, &dimensions[2], longitude));
    CHECK(define_axis(writer, "LAT", "degrees_north", request->rows, &dimensions[1], latitude));
    CHECK(define_axis(writer, "TIME", "SECONDS", NC_UNLIMITED, &dimensions[0], &writer->time));
    NC_CHECK_WRITE(
        nc_def_var(ncid, propagation_noaa_name(writer->quantity), NC_FLOAT, 3, dimensions, &writer->variable),
        path, "writing a variable");
    CHECK(netcdf_write_texts(
        ncid, writer->variable, path,
        NETCDF_TEXTS({"units", writer->quantity == PROPAGATION_ETA ? "CENTIMETERS" : "CENTIMETERS/SECOND"},
                     {"long_name", long_names[writer->quantity]})));
    static const char *const names[] = {"missing_value", "_FillValue"};
    for (int k = 0; k < 2; k++)
        NC_CHECK_WRITE(nc_put_att_float(ncid, writer->variable, names[k], NC_FLOAT, 1, &missing_value), path,
                       "writing an attribute");
    CHECK(netcdf_write_texts(
        ncid, NC_GLOBAL, path,
        NETCDF_TEXTS({"title", request->title}, {"history", request->history}, {"source", request->source})));
    NC_CHECK_WRITE(nc_enddef(ncid), path, "writing the header");
    return STATUS_OK;
}

// Writes the axes. Longitudes are as in NOAA's files: the first lies in 0 … 360.
static enum status put_axes(const struct propagation_writer *writer, const struct propagation_write *request,
                            int latitude, int longitude)
{
    double *shifted = malloc(request->columns * sizeof *shifted);
    if (!shifted)
        return FAIL(STATUS_SYSTEM, "%s: out of memory for %zu longitudes", writer->file.path,
                    request->columns);
    const double shift = -360 * floor(request->longitudes[0] / 360);
    for (size_t k = 0; k < request->columns; k++)
        shifted[k] = request->longitudes[k] + shift;
    int code = nc_put_var_double(writer->file.ncid, longitude, shifted);
    free(shifted);
    if (code == NC_NOERR)
        code = nc_put_var_double(writer->file.ncid, latitude, request->latitudes);
    NC_CHECK_WRITE(code, writer->file.path, "writing an axis");
    return STATUS_OK;
}

static enum status create(struct propagation_writer *writer, const struct propagation_write *request,
                          const char *path)
{
    int latitude, longitude;
    // 64-bit offsets: a day of records of the Pacific passes 2 GiB.
    CHECK(netcdf_writer_create(&writer->file, path, NC_64BIT_OFFSET));
    writer->record = malloc(writer->rows * writer->columns * sizeof *writer->record);
    if (!writer->record)
        return FAIL(STATUS_SYSTEM, "%s: out of memory for a record of %zu values", path,
                    writer->rows * writer->columns);
    CHECK(define(writer, request, &latitude, &longitude));
    int old_mode; // every value is written: no filling before
    NC_CHECK_WRITE(nc_set_fill(writer->file.ncid, NC_NOFILL, &old_mode), path, "writing the header");
    return put_axes(writer, request, latitude, longitude);
}

// ---- names

enum status propagation_noaa_path(const char *stem, enum propagation_quantity quantity, char path[PATH_BYTES])
{
    return snprintf(path, PATH_BYTES, "%s%s", stem, propagation_noaa_suffix(quantity)) < PATH_BYTES
               ? STATUS_OK
               : FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", stem);
}

enum status propagation_check_input(const char *stem, const char *input)
{
    struct stat from, to;
    char path[PATH_BYTES];
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        CHECK(propagation_noaa_path(stem, (enum propagation_quantity)q, path));
        if (stat(input, &from) == 0 && stat(path, &to) == 0 && from.st_dev == to.st_dev &&
            from.st_ino == to.st_ino)
            return FAIL(STATUS_CANNOT_CREATE, "%s: is the input itself", path);
    }
    return STATUS_OK;
}

// `base`: the stem without its folder.
static enum status check_entry(const char *stem, const char *base, const char *entry)
{
    char name[PATH_BYTES];
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        CHECK(propagation_noaa_path(base, (enum propagation_quantity)q, name));
        if (strcasecmp(entry, name) == 0 && strcmp(entry, name) != 0)
            return FAIL(STATUS_CANNOT_CREATE,
                        "%s%s: the folder also holds %s, which differs in case alone: remove it, or choose "
                        "another name",
                        stem, propagation_noaa_suffix((enum propagation_quantity)q), entry);
    }
    return STATUS_OK;
}

static enum status check_case(const char *stem)
{
    const char *slash = strrchr(stem, '/'), *base = slash ? slash + 1 : stem;
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%.*s.", (int)(base - stem), stem) >= (int)sizeof path)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", stem);
    DIR *folder = opendir(path); // one that cannot be read is reported when the file is created
    enum status status = STATUS_OK;
    for (const struct dirent *entry; folder && status == STATUS_OK && (entry = readdir(folder));)
        status = check_entry(stem, base, entry->d_name);
    if (folder)
        closedir(folder);
    return status;
}

// ---- the calls

static enum status begin(struct propagation_writer *writer, const struct propagation_write *request)
{
    writer->quantity = request->quantity;
    writer->rows = request->rows;
    writer->columns = request->columns;
    char path[PATH_BYTES];
    CHECK(propagation_noaa_path(request->stem, request->quantity, path));
    snprintf(writer->stem, sizeof writer->stem, "%s", request->stem);
    CHECK(check_case(request->stem));
    return create(writer, request, path);
}

enum status propagation_create(const struct propagation_write *request, struct propagation_writer **created)
{
    *created = NULL;
    struct propagation_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return FAIL(STATUS_SYSTEM, "%s: out of memory while creating it", request->stem);
    const enum status status = begin(writer, request);
    if (status != STATUS_OK) {
        propagation_abandon(writer);
        return status;
    }
    *created = writer;
    return STATUS_OK;
}

enum status propagation_append(struct propagation_writer *writer, double time_s, const double *values)
{
    const size_t length = writer->rows * writer->columns;
    if (writer->records > 0 && !(time_s > writer->last_s))
        return FAIL(STATUS_SOFTWARE, "%s: record %zu at %g s does not come after %g s", writer->file.path,
                    writer->records, time_s, writer->last_s);
    for (size_t k = 0; k < length; k++)
        writer->record[k] = isnan(values[k]) ? missing_value : (float)(values[k] * 100);
    const size_t start[3] = {writer->records, 0, 0}, count[3] = {1, writer->rows, writer->columns};
    NC_CHECK_WRITE(nc_put_vara_double(writer->file.ncid, writer->time, start, count, &time_s),
                   writer->file.path, "writing a time");
    NC_CHECK_WRITE(nc_put_vara_float(writer->file.ncid, writer->variable, start, count, writer->record),
                   writer->file.path, "writing a record");
    writer->records++;
    writer->last_s = time_s;
    return STATUS_OK;
}

static enum status close_one(struct propagation_writer *writer)
{
    CHECK(netcdf_writer_close(&writer->file));
    return path_sync_file(writer->file.part);
}

// Removes the files of an earlier source. Elevations alone can be replaced in one step, by the renaming.
static enum status remove_earlier(const char *stem, bool has_velocities)
{
    char path[PATH_BYTES];
    for (int q = PROPAGATION_QUANTITIES - 1; q >= 0; q--) {
        CHECK(propagation_noaa_path(stem, (enum propagation_quantity)q, path));
        if (q != PROPAGATION_ETA || has_velocities)
            CHECK(path_remove(path));
    }
    return STATUS_OK;
}

static enum status finish(struct propagation_writer *const writers[PROPAGATION_QUANTITIES])
{
    const char *stem = NULL;
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        if (writers[q]) {
            CHECK(close_one(writers[q]));
            stem = writers[q]->stem;
        }
    CHECK(remove_earlier(stem, writers[PROPAGATION_U] || writers[PROPAGATION_V]));
    for (int q = PROPAGATION_QUANTITIES - 1; q >= 0; q--)
        if (writers[q])
            CHECK(netcdf_writer_publish(&writers[q]->file));
    return STATUS_OK;
}

enum status propagation_finish(struct propagation_writer *writers[PROPAGATION_QUANTITIES])
{
    const enum status status = finish(writers);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        propagation_abandon(writers[q]); // a published file has no temporary one to remove
        writers[q] = NULL;
    }
    return status;
}

void propagation_abandon(struct propagation_writer *writer)
{
    if (!writer)
        return;
    netcdf_writer_abandon(&writer->file);
    free(writer->record);
    free(writer);
}
