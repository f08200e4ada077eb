// Values of a netCDF file (see dataset.h): blocks as unpacked doubles with NaN where nothing is, and texts.
// Knows nothing of what the variables mean.
#include "io/dataset_internal.h"

#include "io/netcdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CACHE_BYTES_MIN = 4 << 20, CACHE_SLOTS = 4099 };

// ---- how it is stored

static bool is_floating(int type)
{
    return type == NC_FLOAT || type == NC_DOUBLE;
}

bool dataset_is_single(const struct dataset_variable *variable)
{
    return variable->type == NC_FLOAT;
}

// An attribute may be written in double for float values, or negative for unsigned ones: as they are stored.
static double as_stored(const struct dataset_variable *variable, const struct dataset_packing *packing,
                        double value)
{
    if (variable->type == NC_FLOAT)
        return (double)(float)value;
    return value < 0 && packing->unsigned_wrap > 0 ? value + packing->unsigned_wrap : value;
}

// What netCDF fills in where nothing was written. Bytes have no such value by convention: all 256 are in use.
static enum status read_default_fill(const struct dataset *file, const struct dataset_variable *variable,
                                     struct dataset_packing *packing)
{
    if (variable->type == NC_BYTE || variable->type == NC_UBYTE)
        return STATUS_OK;
    union {
        signed char bytes[8];
        short i16;
        unsigned short u16;
        int i32;
        unsigned int u32;
        long long i64;
        unsigned long long u64;
        float f32;
        double f64;
    } fill = {{0}};
    int has_no_fill = 0;
    NC_CHECK(nc_inq_var_fill(variable->group, variable->id, &has_no_fill, &fill), file->path, variable->name);
    if (has_no_fill)
        return STATUS_OK;
    const double value = variable->type == NC_SHORT    ? fill.i16
                         : variable->type == NC_USHORT ? fill.u16
                         : variable->type == NC_INT    ? fill.i32
                         : variable->type == NC_UINT   ? fill.u32
                         : variable->type == NC_INT64  ? (double)fill.i64
                         : variable->type == NC_UINT64 ? (double)fill.u64
                         : variable->type == NC_FLOAT  ? (double)fill.f32
                                                       : fill.f64;
    packing->missing[packing->missing_count++] = as_stored(variable, packing, value);
    return STATUS_OK;
}

static enum status read_missing(const struct dataset *file, const struct dataset_variable *variable,
                                struct dataset_packing *packing)
{
    static const char *const names[2] = {"_FillValue", "missing_value"};
    for (int k = 0; k < 2; k++) {
        double *values = packing->missing + packing->missing_count;
        size_t count;
        CHECK_ABOUT(netcdf_number_attribute(file->path, variable->group, variable->id, names[k], values,
                                            DATASET_MISSING_MAX / 2 - 1, &count),
                    "variable %s", variable->name);
        for (size_t j = 0; j < count; j++)
            values[j] = as_stored(variable, packing, values[j]);
        packing->missing_count += count;
        if (k == 0 && count == 0)
            CHECK(read_default_fill(file, variable, packing));
    }
    return STATUS_OK;
}

// CF 2.5.1: the valid range is that of the packed numbers; a range of a type wider than the packed one is in
// practice that of the unpacked numbers (NetCDF Users Guide, attribute conventions).
static enum status read_valid_range(const struct dataset *file, const struct dataset_variable *variable,
                                    struct dataset_packing *packing)
{
    static const char *const names[3] = {"valid_range", "valid_min", "valid_max"};
    packing->valid_minimum = -INFINITY;
    packing->valid_maximum = INFINITY;
    for (int k = 0; k < 3; k++) {
        double values[2];
        size_t count;
        nc_type type;
        CHECK_ABOUT(
            netcdf_number_attribute(file->path, variable->group, variable->id, names[k], values, 2, &count),
            "variable %s", variable->name);
        if (count != (k == 0 ? 2 : 1))
            continue;
        NC_CHECK(nc_inq_atttype(variable->group, variable->id, names[k], &type), file->path, names[k]);
        if (k != 2)
            packing->valid_minimum = as_stored(variable, packing, values[0]);
        if (k != 1)
            packing->valid_maximum = as_stored(variable, packing, values[k == 0]);
        if (packing->is_packed && is_floating(type) && !is_floating(variable->type))
            packing->is_range_unpacked = true;
        if (k == 0)
            break; // valid_min and valid_max beside it are against the conventions
    }
    return STATUS_OK;
}

static enum status read_unsigned(const struct dataset *file, const struct dataset_variable *variable,
                                 struct dataset_packing *packing)
{
    char text[16];
    bool found;
    CHECK(netcdf_text_attribute(file->path, variable->group, variable->id, "_Unsigned", text, sizeof text,
                                &found));
    if (strcasecmp(text, "true") == 0)
        packing->unsigned_wrap = variable->type == NC_BYTE    ? 0x1p8
                                 : variable->type == NC_SHORT ? 0x1p16
                                 : variable->type == NC_INT   ? 0x1p32
                                                              : 0;
    return STATUS_OK;
}

static size_t value_bytes(int type)
{
    switch (type) {
    case NC_BYTE:
    case NC_UBYTE:
        return 1;
    case NC_SHORT:
    case NC_USHORT:
        return 2;
    case NC_INT:
    case NC_UINT:
    case NC_FLOAT:
        return 4;
    default:
        return 8;
    }
}

// Blocks of rows touch whole chunks: with a cache smaller than a layer of them (one chunk thick along the
// first dimension) each would be read, and inflated, once per block.
size_t dataset_cache_bytes(const struct dataset_variable *variable)
{
    int storage;
    size_t chunks[DATASET_RANK_MAX];
    if (variable->rank < 1 || variable->kind != DATASET_NUMBERS ||
        nc_inq_var_chunking(variable->group, variable->id, &storage, chunks) != NC_NOERR ||
        storage != NC_CHUNKED)
        return 0;
    double chunk_bytes = (double)value_bytes(variable->type), layer_chunks = 1;
    for (int k = 0; k < variable->rank; k++) {
        chunk_bytes *= (double)chunks[k];
        if (k > 0)
            layer_chunks *= ceil((double)variable->lengths[k] / (double)chunks[k]);
    }
    const double bytes = fmin(fmax(chunk_bytes * layer_chunks, CACHE_BYTES_MIN), DATASET_CACHE_BYTES_MAX);
    return (size_t)fmax(bytes, chunk_bytes);
}

enum status dataset_packing(const struct dataset *file, const struct dataset_variable *variable,
                            struct dataset_packing *packing)
{
    *packing = (struct dataset_packing){.scale = 1};
    if (variable->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s holds no plain numbers", file->path, variable->name);
    size_t scales, adds;
    CHECK(read_unsigned(file, variable, packing));
    CHECK_ABOUT(netcdf_number_attribute(file->path, variable->group, variable->id, "scale_factor",
                                        &packing->scale, 1, &scales),
                "variable %s", variable->name);
    CHECK_ABOUT(netcdf_number_attribute(file->path, variable->group, variable->id, "add_offset",
                                        &packing->add, 1, &adds),
                "variable %s", variable->name);
    packing->is_packed = scales + adds > 0;
    if (!isfinite(packing->scale) || packing->scale == 0 || !isfinite(packing->add))
        return FAIL(STATUS_DATA,
                    "%s: variable %s: scale_factor %g and add_offset %g: expected finite numbers, the first "
                    "not 0",
                    file->path, variable->name, packing->scale, packing->add);
    CHECK(read_missing(file, variable, packing));
    CHECK(read_valid_range(file, variable, packing));
    const size_t cache_bytes = dataset_cache_bytes(variable);
    if (cache_bytes > 0) // a hint: refusal only costs time
        (void)nc_set_var_chunk_cache(variable->group, variable->id, cache_bytes, CACHE_SLOTS, 0.75f);
    return STATUS_OK;
}

// ---- values

static double unpack(const struct dataset_packing *packing, double stored)
{
    if (stored < 0 && packing->unsigned_wrap > 0)
        stored += packing->unsigned_wrap;
    for (size_t k = 0; k < packing->missing_count; k++)
        if (stored == packing->missing[k])
            return NAN;
    const double value = packing->is_packed ? stored * packing->scale + packing->add : stored;
    const double judged = packing->is_range_unpacked ? value : stored;
    return judged >= packing->valid_minimum && judged <= packing->valid_maximum ? value : NAN;
}

enum status dataset_read(const struct dataset *file, const struct dataset_variable *variable,
                         const struct dataset_packing *packing, const size_t *start, const size_t *count,
                         double *values)
{
    size_t length = 1;
    for (int k = 0; k < variable->rank; k++) {
        if (start[k] > variable->lengths[k] || count[k] > variable->lengths[k] - start[k])
            return FAIL(STATUS_DATA,
                        "%s: variable %s: entries %zu to %zu of dimension %d were asked for, it has %zu",
                        file->path, variable->name, start[k], start[k] + count[k], k, variable->lengths[k]);
        length *= count[k];
    }
    if (length == 0)
        return STATUS_OK;
    // netCDF-C wants arrays even where there are no dimensions.
    static const size_t none[DATASET_RANK_MAX];
    NC_CHECK(nc_get_vara_double(variable->group, variable->id, variable->rank > 0 ? start : none,
                                variable->rank > 0 ? count : none, values),
             file->path, variable->name);
    for (size_t k = 0; k < length; k++)
        values[k] = unpack(packing, values[k]);
    return STATUS_OK;
}

enum status dataset_read_line(const struct dataset *file, const struct dataset_variable *variable,
                              double **values, size_t *length)
{
    struct dataset_packing packing;
    *values = NULL;
    *length = variable->rank == 0 ? 1 : variable->lengths[0];
    if (variable->rank > 1)
        return FAIL(STATUS_SOFTWARE, "%s: variable %s has %d dimensions, expected at most one", file->path,
                    variable->name, variable->rank);
    CHECK(dataset_packing(file, variable, &packing));
    double *line = calloc(*length + 1, sizeof *line);
    if (!line)
        return FAIL(STATUS_SYSTEM, "%s: variable %s: no memory for %zu values", file->path, variable->name,
                    *length);
    const enum status status =
        dataset_read(file, variable, &packing, (const size_t[]){0}, variable->lengths, line);
    if (status != STATUS_OK) {
        free(line);
        return status;
    }
    *values = line;
    return STATUS_OK;
}

// ---- texts

static enum status read_label(const struct dataset *file, const struct dataset_variable *variable, size_t k,
                              char label[DATASET_TEXT_BYTES])
{
    if (variable->type == NC_STRING) {
        char *text = NULL;
        NC_CHECK(nc_get_vara_string(variable->group, variable->id, &k, (const size_t[]){1}, &text),
                 file->path, variable->name);
        strncat(label, text ? text : "", DATASET_TEXT_BYTES - 1);
        NC_CHECK(nc_free_string(1, &text), file->path, variable->name);
    } else {
        const size_t width =
            variable->lengths[1] < DATASET_TEXT_BYTES ? variable->lengths[1] : DATASET_TEXT_BYTES - 1;
        NC_CHECK(nc_get_vara_text(variable->group, variable->id, (const size_t[]){k, 0},
                                  (const size_t[]){1, width}, label),
                 file->path, variable->name);
    }
    for (size_t n = strlen(label); n > 0 && label[n - 1] == ' '; n--)
        label[n - 1] = '\0';
    return STATUS_OK;
}

enum status dataset_read_labels(const struct dataset *file, const struct dataset_variable *variable,
                                char (**labels)[DATASET_TEXT_BYTES], size_t *length)
{
    *labels = NULL;
    *length = variable->lengths[0];
    char(*texts)[DATASET_TEXT_BYTES] = calloc(*length + 1, sizeof *texts);
    if (!texts)
        return FAIL(STATUS_SYSTEM, "%s: variable %s: no memory for %zu texts", file->path, variable->name,
                    *length);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < *length && status == STATUS_OK; k++)
        status = read_label(file, variable, k, texts[k]);
    if (status != STATUS_OK) {
        free(texts);
        return status;
    }
    *labels = texts;
    return STATUS_OK;
}
