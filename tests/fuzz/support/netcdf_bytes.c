// See netcdf_bytes.h. Whatever the library refuses is left out: the rest of the file is made all the same.
#include "tests/fuzz/support/netcdf_bytes.h"

#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIMENSIONS_MAX = 5, VARIABLES_MAX = 6, ATTRIBUTES_MAX = 5, VALUES_MAX = 4096, LENGTH_MAX = 9 };

struct maker {
    struct fuzz_bytes *bytes;
    const struct netcdf_words *words;
    int file, group; // group: the file itself, or one in it
    bool is_netcdf4,
        is_broken; // broken: the library could not write what was defined, and cannot be asked to go on
    int dimension_count, dimensions[DIMENSIONS_MAX];
    const char *names[DIMENSIONS_MAX];
    size_t lengths[DIMENSIONS_MAX];
    char own[DIMENSIONS_MAX][FUZZ_TEXT_BYTES];
};

static const char *const attribute_names[] = {"units",
                                              "standard_name",
                                              "positive",
                                              "axis",
                                              "long_name",
                                              "scale_factor",
                                              "add_offset",
                                              "_FillValue",
                                              "missing_value",
                                              "valid_range",
                                              "valid_min",
                                              "valid_max",
                                              "calendar",
                                              "coordinates",
                                              "cf_role",
                                              "bounds",
                                              "grid_mapping",
                                              "compress",
                                              "_CoordinateAxisType",
                                              "actual_range",
                                              "cell_methods",
                                              "_Unsigned",
                                              "flag_values",
                                              "Conventions",
                                              "scale_factor",
                                              "add_offset",
                                              "units"};

static const char *const attribute_texts[] = {"m",
                                              "degrees_east",
                                              "degrees_north",
                                              "km",
                                              "s",
                                              "seconds since 2000-01-01",
                                              "hours since 1970-01-01 00:00",
                                              "up",
                                              "down",
                                              "X",
                                              "Y",
                                              "Z",
                                              "T",
                                              "longitude",
                                              "latitude",
                                              "depth",
                                              "time",
                                              "mm",
                                              "1",
                                              "",
                                              "degree",
                                              "cm",
                                              "K",
                                              "W m-3",
                                              "standard",
                                              "noleap",
                                              "360_day",
                                              "projection_x_coordinate",
                                              "projection_y_coordinate",
                                              "sea_floor_depth",
                                              "true",
                                              "1e3",
                                              "timeseries_id",
                                              "m/s",
                                              "kg",
                                              "nan",
                                              "days since 1-1-1",
                                              "seconds since 2000-13-45",
                                              "-1 m",
                                              "m since 2000-01-01"};

static const nc_type types[] = {NC_DOUBLE, NC_FLOAT,  NC_SHORT,  NC_INT,    NC_BYTE, NC_CHAR,
                                NC_DOUBLE, NC_FLOAT,  NC_UBYTE,  NC_USHORT, NC_UINT, NC_INT64,
                                NC_UINT64, NC_STRING, NC_DOUBLE, NC_FLOAT};

static void define_dimension(struct maker *m)
{
    const int d = m->dimension_count;
    static const size_t absurd[] = {
        0, 1000, 70000, (size_t)1 << 31, (size_t)1 << 33, (size_t)1 << 40, (size_t)1 << 62};
    const uint8_t kind = fuzz_byte(m->bytes);
    size_t length = 1 + kind % LENGTH_MAX;
    m->names[d] = fuzz_text(m->bytes, m->words->dimensions, m->words->dimension_count, m->own[d]);
    // In the classic formats the library would write all of it, or move it.
    if (kind >= 252)
        length = m->is_netcdf4 ? absurd[fuzz_below(m->bytes, FUZZ_COUNT(absurd))] : 500;
    const bool is_unlimited = kind >= 225 && kind < 252;
    if (nc_def_dim(m->file, m->names[d], is_unlimited ? NC_UNLIMITED : length, &m->dimensions[d]) != NC_NOERR)
        return;
    m->lengths[d] = length;
    m->dimension_count++;
}

static void put_attribute(struct maker *m, int variable, nc_type type)
{
    char own[FUZZ_TEXT_BYTES], own_name[FUZZ_TEXT_BYTES];
    const char *name = fuzz_text(m->bytes, attribute_names, FUZZ_COUNT(attribute_names), own_name);
    const uint8_t kind = fuzz_byte(m->bytes);
    double numbers[4];
    const size_t count = 1 + (kind >> 6) % 3;
    // Put again with another type or length, an attribute makes the library read past the end of the old one
    // (4.9.0).
    (void)nc_del_att(m->group, variable, name);
    switch (kind % 8) {
    case 0:
    case 1:
    case 2: {
        const bool is_theirs = m->words->unit_count > 0 && kind & 8;
        const char *text = fuzz_text(m->bytes, is_theirs ? m->words->units : attribute_texts,
                                     is_theirs ? m->words->unit_count : FUZZ_COUNT(attribute_texts), own);
        if (kind & 16 && m->is_netcdf4)
            nc_put_att_string(m->group, variable, name, 1, &text);
        else
            nc_put_att_text(m->group, variable, name, strlen(text), text);
        break;
    }
    default:
        for (size_t k = 0; k < count; k++)
            numbers[k] = fuzz_number(m->bytes);
        if (type == NC_CHAR || type == NC_STRING || kind % 8 == 7)
            type = NC_DOUBLE;
        nc_put_att_double(m->group, variable, name, type, count, numbers);
    }
}

// Values of one variable: along a line, all alike, or one by one.
static void fill(struct fuzz_bytes *bytes, double *values, size_t count)
{
    const uint8_t kind = fuzz_byte(bytes);
    const double first = fuzz_number(bytes), step = fuzz_number(bytes);
    for (size_t k = 0; k < count; k++)
        values[k] = kind < 96    ? first + step * (double)k
                    : kind < 144 ? (double)((k * 7 + kind) % 5)
                    : kind < 160 ? first
                    : kind < 176 ? (k % 2 ? first : step)
                    : kind < 192 ? (double)(k * k)
                                 : (k < 64 ? fuzz_number(bytes) : first);
    if (kind & 1 && count > 0)
        values[fuzz_byte(bytes) % count] = fuzz_number(bytes);
}

static void put_values(struct maker *m, int variable, nc_type type, int rank, const int *which)
{
    static double values[VALUES_MAX];
    size_t count = 1, start[DIMENSIONS_MAX] = {0}, counts[DIMENSIONS_MAX] = {0};
    for (int k = 0; k < rank; k++) {
        counts[k] = m->lengths[which[k]];
        if (counts[k] > VALUES_MAX || (count *= counts[k]) > VALUES_MAX)
            return; // nothing is written: the library's fill value stands there
    }
    fill(m->bytes, values, count);
    if (type == NC_CHAR) {
        static char letters[VALUES_MAX];
        for (size_t k = 0; k < count; k++)
            letters[k] = values[k] >= 0 && values[k] < 95 ? (char)(' ' + (int)values[k]) : '\0';
        nc_put_vara_text(m->group, variable, start, counts, letters);
    } else if (type == NC_STRING) {
        static const char *texts[VALUES_MAX];
        for (size_t k = 0; k < count; k++)
            texts[k] = attribute_texts[(size_t)(fabs(values[k]) < 1e6 ? fabs(values[k]) : 0) %
                                       FUZZ_COUNT(attribute_texts)];
        nc_put_vara_string(m->group, variable, start, counts, texts);
    } else {
        nc_put_vara_double(m->group, variable, start, counts, values); // NC_ERANGE leaves the others there
    }
}

static void make_variable(struct maker *m)
{
    char own[FUZZ_TEXT_BYTES];
    int variable, rank = 0, which[DIMENSIONS_MAX], ids[DIMENSIONS_MAX];
    const uint8_t kind = fuzz_byte(m->bytes), storage = fuzz_byte(m->bytes);
    const char *name;
    nc_type type = types[storage % FUZZ_COUNT(types)];
    if (!m->is_netcdf4 && type > NC_DOUBLE)
        type = NC_DOUBLE;
    if (kind < 100 && m->dimension_count > 0) { // a coordinate variable
        which[rank++] = kind % m->dimension_count;
        name = m->names[which[0]];
    } else {
        name = fuzz_text(m->bytes, m->words->variables, m->words->variable_count, own);
        const int most = kind < 130 ? 2 : kind < 170 ? 3 : kind < 200 ? 4 : kind < 215 ? 5 : kind % 3;
        for (; rank < most && rank < m->dimension_count; rank++) // in the file's order, or any
            which[rank] = storage & 64 ? (int)fuzz_below(m->bytes, (size_t)m->dimension_count)
                                       : m->dimension_count -
                                             (most < m->dimension_count ? most : m->dimension_count) + rank;
    }
    for (int k = 0; k < rank; k++)
        ids[k] = m->dimensions[which[k]];
    double count = 1;
    for (int k = 0; k < rank; k++)
        count *= (double)m->lengths[which[k]];
    if (!m->is_netcdf4 && count > 1e5)
        return; // the library would write it all, at each later definition
    if (nc_def_var(m->group, name, type, rank, ids, &variable) != NC_NOERR)
        return;
    if (storage & 128 && m->is_netcdf4 && rank > 0)
        nc_def_var_deflate(m->group, variable, 1, 1, 1);
    const size_t attributes = fuzz_below(m->bytes, ATTRIBUTES_MAX + 1);
    for (size_t k = 0; k < attributes; k++)
        put_attribute(m, variable, type);
    m->is_broken = nc_enddef(m->file) != NC_NOERR;
    if (m->is_broken)
        return;
    if (type != NC_CHAR || rank < 2 || storage & 32)
        put_values(m, variable, type, rank, which);
    nc_redef(m->file);
}

static void make_file(struct maker *m)
{
    int group;
    const size_t dimensions = 1 + fuzz_below(m->bytes, DIMENSIONS_MAX),
                 variables = 1 + fuzz_below(m->bytes, VARIABLES_MAX);
    for (size_t k = 0; k < dimensions; k++)
        define_dimension(m);
    for (size_t k = 0; k < variables && !m->is_broken; k++) {
        if (m->is_netcdf4 && k > 0 && fuzz_byte(m->bytes) > 245 &&
            nc_def_grp(m->file, "group", &group) == NC_NOERR)
            m->group = group;
        make_variable(m);
    }
    const size_t attributes = fuzz_below(m->bytes, 3);
    for (size_t k = 0; k < attributes; k++)
        put_attribute(m, NC_GLOBAL, NC_DOUBLE);
}

static const char *make_from_bytes(struct fuzz_bytes *bytes, const struct netcdf_words *words,
                                   const char *name)
{
    static const int modes[] = {
        NC_NETCDF4, 0, NC_NETCDF4, NC_64BIT_OFFSET, NC_NETCDF4, NC_64BIT_DATA, NC_NETCDF4 | NC_CLASSIC_MODEL};
    struct maker m = {.bytes = bytes, .words = words};
    const char *path = fuzz_path(name);
    const uint8_t kind = fuzz_byte(bytes);
    const int mode = modes[kind % FUZZ_COUNT(modes)];
    struct stat about;
    int old;
    m.is_netcdf4 = mode == NC_NETCDF4;
    unlink(path);
    if (nc_create(path, mode | NC_CLOBBER, &m.file) != NC_NOERR)
        return NULL;
    m.group = m.file;
    nc_set_fill(m.file, NC_NOFILL, &old);
    make_file(&m);
    if (m.is_broken || nc_enddef(m.file) != NC_NOERR) {
        nc_abort(m.file);
        return NULL;
    }
    if (nc_close(m.file) != NC_NOERR)
        return NULL;
    // A file that was copied in part.
    if (kind >= 240 && stat(path, &about) == 0 &&
        truncate(path, (off_t)((double)about.st_size * fuzz_byte(bytes) / 256)) != 0)
        return NULL;
    return path;
}

const char *netcdf_from_bytes(struct fuzz_bytes *bytes, const struct netcdf_words *words, const char *name)
{
    const char *path = make_from_bytes(bytes, words, name);
    fuzz_files_mark(); // a definition that it cannot write makes the library leave files open (4.9.0)
    return path;
}
