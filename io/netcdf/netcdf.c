// netCDF-C errors as statuses, and attributes read with care. Independent of grids, streams or models.
#include "io/netcdf/netcdf.h"

#include "io/netcdf/links.h"
#include "io/path.h"
#include "io/units.h"

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

// Below this much free space a failed HDF5 write counts as a full disk: HDF5 does not pass errno on.
static const double full_disk_bytes = 1 << 20;

static bool is_writing(const char *what)
{
    return strncmp(what, "writing", 7) == 0 || strncmp(what, "creating", 8) == 0 ||
           strncmp(what, "closing", 7) == 0;
}

static bool is_disk_full(const char *path)
{
    char directory[4096];
    struct statvfs space;
    size_t length = strnlen(path, sizeof directory - 1);
    memcpy(directory, path, length);
    directory[length] = '\0';
    char *slash = strrchr(directory, '/');
    if (slash == NULL)
        memcpy(directory, ".", 2);
    else
        slash[slash == directory ? 1 : 0] = '\0';
    if (statvfs(directory, &space) != 0)
        return false;
    return (double)space.f_bavail * (double)space.f_frsize < full_disk_bytes;
}

static enum status errno_status(int code, bool writing)
{
    switch (code) {
    case ENOENT:
    case EACCES:
    case EPERM:
    case ENOTDIR:
    case EISDIR:
        return writing ? STATUS_CANNOT_CREATE : STATUS_NO_INPUT;
    case ENOMEM:
    case EMFILE:
    case ENFILE:
        return STATUS_SYSTEM;
    default:
        return STATUS_IO;
    }
}

enum status netcdf_status(int code, const char *path, const char *what, const char *file, int line)
{
    bool writing = is_writing(what);
    if (code > 0) // netCDF-C returns errno as a positive number
        return status_fail(errno_status(code, writing), file, line, "%s: %s: %s", path, what, strerror(code));
    switch (code) {
    case NC_ENOMEM:
        return status_fail(STATUS_SYSTEM, file, line, "%s: %s: out of memory", path, what);
    case NC_ENOTNC:
    case NC_ENOTNC3:
    case NC_ENOTNC4:
        return status_fail(STATUS_DATA, file, line, "%s: %s: not a netCDF file", path, what);
    case NC_ETRUNC:
        return status_fail(STATUS_DATA, file, line, "%s: %s: the file is truncated", path, what);
    case NC_EHDFERR:
        if (writing && is_disk_full(path))
            return status_fail(STATUS_IO, file, line, "%s: %s: no space left on device", path, what);
        if (writing)
            return status_fail(STATUS_IO, file, line, "%s: %s: the netCDF-4 library could not write (%s)",
                               path, what, nc_strerror(code));
        return status_fail(STATUS_DATA, file, line, "%s: %s: damaged or truncated netCDF-4 file (%s)", path,
                           what, nc_strerror(code));
    case NC_EPERM: // the library's word for "opened read-only" and for a file that may not be created
        return status_fail(writing ? STATUS_CANNOT_CREATE : STATUS_IO, file, line, "%s: %s: %s", path, what,
                           nc_strerror(code));
    case NC_ECANTWRITE:
    case NC_ECANTCREATE:
        return status_fail(STATUS_IO, file, line, "%s: %s: %s", path, what, nc_strerror(code));
    default:
        return status_fail(writing ? STATUS_IO : STATUS_DATA, file, line, "%s: %s: %s", path, what,
                           nc_strerror(code));
    }
}

// HDF5 comes with netCDF-C: the symbols are there without linking HDF5 by name, or, without HDF5, are not
// needed.
#pragma weak H5Eset_auto2
#pragma weak H5dont_atexit

void netcdf_prepare_thread(void)
{
    static _Thread_local bool is_prepared;
    if (is_prepared)
        return;
    is_prepared = true;
    // HDF5 refuses it after its initialisation: then it was called before, or another library decides.
    if (H5dont_atexit)
        (void)H5dont_atexit();
    if (H5Eset_auto2)
        (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

// Measured: none with 4.9.0, the block with 4.9.3; versions between are taken to have it.
size_t netcdf_opening_bytes_of(const char *version)
{
    enum { BLOCK_BYTES = 4 << 20, FIRST_WITH_IT = 40901 };
    int major, minor, patch;
    if (sscanf(version, "%d.%d.%d", &major, &minor, &patch) != 3)
        return BLOCK_BYTES;
    return 10000 * major + 100 * minor + patch < FIRST_WITH_IT ? 0 : BLOCK_BYTES;
}

size_t netcdf_opening_bytes(void)
{
    return netcdf_opening_bytes_of(nc_inq_libvers());
}

enum status netcdf_open(const char *path, int *ncid)
{
    netcdf_prepare_thread();
    CHECK(path_check_file(path));
    CHECK(netcdf_check_length(path));
    CHECK(netcdf_check_links(path));
    NC_CHECK(nc_open(path, NC_NOWRITE, ncid), path, "opening");
    return STATUS_OK;
}

static void trim_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
}

// Exactly one NC_STRING: what xarray and h5netcdf write for a text attribute.
static enum status read_string(const char *path, int ncid, int varid, const char *name, char *text,
                               size_t bytes)
{
    char *string = NULL;
    NC_CHECK(nc_get_att_string(ncid, varid, name, &string), path, name);
    if (string != NULL) {
        size_t length = strnlen(string, bytes - 1);
        memcpy(text, string, length);
        text[length] = '\0';
    }
    NC_CHECK(nc_free_string(1, &string), path, name);
    return STATUS_OK;
}

size_t netcdf_type_bytes(nc_type type)
{
    size_t bytes = 8;
    (void)nc_inq_type(NC_GLOBAL, type, NULL, &bytes); // a type of netCDF's own: the same in every file
    return bytes;
}

enum status netcdf_check_count(const char *path, const char *what, size_t count, nc_type type)
{
    enum { DEFLATE_RATIO_MAX = 1032, COMMON_BYTES = 1 << 27 };
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return STATUS_OK;
    const double needed = (double)count * (double)netcdf_type_bytes(type);
    if (needed > COMMON_BYTES && needed > (double)about.st_size * DEFLATE_RATIO_MAX)
        return FAIL(STATUS_DATA, "%s: %s has %zu entries by its header, more than a file of %s can hold",
                    path, what, count, UNITS_BYTES(about.st_size));
    return STATUS_OK;
}

enum status netcdf_text_attribute(const char *path, int ncid, int varid, const char *name, char *text,
                                  size_t bytes, bool *found)
{
    nc_type type;
    size_t length;
    *found = false;
    text[0] = '\0';
    int code = NC_READING(nc_inq_att(ncid, varid, name, &type, &length), path);
    if (code == NC_ENOTATT)
        return STATUS_OK;
    NC_CHECK(code, path, name);
    if (type == NC_STRING && length == 1) {
        CHECK(read_string(path, ncid, varid, name, text, bytes));
    } else if (type == NC_CHAR) {
        char *whole = malloc(length + 1);
        if (whole == NULL)
            return FAIL(STATUS_SYSTEM, "%s: attribute %s of %s: out of memory", path, name,
                        UNITS_BYTES(length));
        whole[0] = '\0';
        code = length > 0 ? NC_READING(nc_get_att_text(ncid, varid, name, whole), path) : NC_NOERR;
        whole[length] = '\0';
        size_t kept = strnlen(whole, bytes - 1);
        memcpy(text, whole, kept);
        text[kept] = '\0';
        free(whole);
        NC_CHECK(code, path, name);
    } else {
        return STATUS_OK;
    }
    trim_end(text);
    *found = true;
    return STATUS_OK;
}

enum status netcdf_units_attribute(const char *path, int ncid, int varid, char *text, size_t bytes,
                                   bool *found)
{
    char variable[NC_MAX_NAME + 1];
    double number = NAN;
    size_t count = 0;
    nc_type type;
    CHECK(netcdf_text_attribute(path, ncid, varid, "units", text, bytes, found));
    const int code = NC_READING(nc_inq_att(ncid, varid, "units", &type, &count), path);
    if (*found || code == NC_ENOTATT)
        return STATUS_OK;
    NC_CHECK(code, path, "units");
    NC_CHECK(nc_inq_varname(ncid, varid, variable), path, "reading a variable's name");
    if (count == 1 && type != NC_STRING &&
        NC_READING(nc_get_att_double(ncid, varid, "units", &number), path) == NC_NOERR && number == 1) {
        snprintf(text, bytes, "1");
        *found = true;
        return STATUS_OK;
    }
    return FAIL(STATUS_DATA,
                "%s: variable %s: its attribute units is not one text; expected a text such as \"m\"", path,
                variable);
}

static enum status number_from_text(const char *path, int ncid, int varid, const char *name, double *value)
{
    char text[64];
    bool found;
    CHECK(netcdf_text_attribute(path, ncid, varid, name, text, sizeof text, &found));
    char *end = text;
    *value = strtod(text, &end);
    if (end == text || *end != '\0')
        return FAIL(STATUS_DATA, "%s: attribute %s is \"%s\", expected a number", path, name, text);
    return STATUS_OK;
}

enum status netcdf_number_attribute(const char *path, int ncid, int varid, const char *name, double *values,
                                    size_t capacity, size_t *count)
{
    nc_type type;
    size_t length;
    *count = 0;
    int code = NC_READING(nc_inq_att(ncid, varid, name, &type, &length), path);
    if (code == NC_ENOTATT || (code == NC_NOERR && length == 0))
        return STATUS_OK;
    NC_CHECK(code, path, name);
    if (type == NC_CHAR || type == NC_STRING) {
        CHECK(number_from_text(path, ncid, varid, name, values));
        *count = 1;
        return STATUS_OK;
    }
    double *all = malloc(length * sizeof *all);
    if (all == NULL)
        return FAIL(STATUS_SYSTEM, "%s: attribute %s of %zu numbers: out of memory", path, name, length);
    code = NC_READING(nc_get_att_double(ncid, varid, name, all), path);
    *count = length < capacity ? length : capacity;
    if (code == NC_NOERR)
        memcpy(values, all, *count * sizeof *values);
    free(all);
    NC_CHECK(code, path, name);
    return STATUS_OK;
}
