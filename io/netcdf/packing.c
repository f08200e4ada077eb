// How numbers are stored in a netCDF variable: see packing.h.
#include "io/netcdf/packing.h"

#include "io/netcdf/netcdf.h"

#include <math.h>
#include <strings.h>

static bool is_floating(nc_type type)
{
    return type == NC_FLOAT || type == NC_DOUBLE;
}

// A variable and its attributes.
struct source {
    const char *path, *name;
    int ncid, variable;
    nc_type type;
};

// An attribute's value in the form of the stored values: it may be a double where they are floats, or
// negative where they are unsigned.
static double as_stored(const struct source *source, const struct netcdf_packing *packing, double value)
{
    if (source->type == NC_FLOAT)
        return (double)(float)value;
    return value < 0 && packing->unsigned_wrap > 0 ? value + packing->unsigned_wrap : value;
}

static enum status read_numbers(const struct source *source, const char *attribute, double *values,
                                size_t capacity, size_t *count)
{
    CHECK_ABOUT(netcdf_number_attribute(source->path, source->ncid, source->variable, attribute, values,
                                        capacity, count),
                "variable %s", source->name);
    return STATUS_OK;
}

// The value that netCDF stores where nothing was written. Bytes have none by convention: all 256 values are
// in use.
static enum status read_default_fill(const struct source *source, struct netcdf_packing *packing)
{
    if (source->type == NC_BYTE || source->type == NC_UBYTE)
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
    NC_CHECK(nc_inq_var_fill(source->ncid, source->variable, &has_no_fill, &fill), source->path,
             source->name);
    if (has_no_fill)
        return STATUS_OK;
    const double value = source->type == NC_SHORT    ? fill.i16
                         : source->type == NC_USHORT ? fill.u16
                         : source->type == NC_INT    ? fill.i32
                         : source->type == NC_UINT   ? fill.u32
                         : source->type == NC_INT64  ? (double)fill.i64
                         : source->type == NC_UINT64 ? (double)fill.u64
                         : source->type == NC_FLOAT  ? (double)fill.f32
                                                     : fill.f64;
    packing->missing[packing->missing_count++] = as_stored(source, packing, value);
    return STATUS_OK;
}

static enum status read_missing(const struct source *source, struct netcdf_packing *packing)
{
    static const char *const names[2] = {"_FillValue", "missing_value"};
    for (int k = 0; k < 2; k++) {
        double *values = packing->missing + packing->missing_count;
        size_t count;
        CHECK(read_numbers(source, names[k], values, NETCDF_MISSING_MAX / 2 - 1, &count));
        for (size_t j = 0; j < count; j++)
            values[j] = as_stored(source, packing, values[j]);
        packing->missing_count += count;
        if (k == 0 && count == 0)
            CHECK(read_default_fill(source, packing));
    }
    return STATUS_OK;
}

// CF 2.5.1: the valid range applies to the packed numbers. In practice a range whose type is wider than the
// packed one applies to the unpacked numbers (NetCDF Users Guide, attribute conventions).
static enum status read_valid_range(const struct source *source, struct netcdf_packing *packing)
{
    static const char *const names[3] = {"valid_range", "valid_min", "valid_max"};
    packing->valid_minimum = -INFINITY;
    packing->valid_maximum = INFINITY;
    for (int k = 0; k < 3; k++) {
        double values[2];
        size_t count;
        nc_type type;
        CHECK(read_numbers(source, names[k], values, 2, &count));
        if (count != (k == 0 ? 2 : 1))
            continue;
        NC_CHECK(nc_inq_atttype(source->ncid, source->variable, names[k], &type), source->path, names[k]);
        if (k != 2)
            packing->valid_minimum = as_stored(source, packing, values[0]);
        if (k != 1)
            packing->valid_maximum = as_stored(source, packing, values[k == 0]);
        if (packing->is_packed && is_floating(type) && !is_floating(source->type))
            packing->is_range_unpacked = true;
        if (k == 0)
            break; // the conventions permit no valid_min or valid_max beside it
    }
    return STATUS_OK;
}

static enum status read_unsigned(const struct source *source, struct netcdf_packing *packing)
{
    char text[16];
    bool found;
    CHECK(netcdf_text_attribute(source->path, source->ncid, source->variable, "_Unsigned", text, sizeof text,
                                &found));
    if (strcasecmp(text, "true") == 0)
        packing->unsigned_wrap = source->type == NC_BYTE    ? 0x1p8
                                 : source->type == NC_SHORT ? 0x1p16
                                 : source->type == NC_INT   ? 0x1p32
                                                            : 0;
    return STATUS_OK;
}

// A scale or an offset is one number; a second one would be ignored without a message.
static enum status read_one_number(const struct source *source, const char *attribute, double *value,
                                   size_t *count)
{
    size_t length;
    const int code =
        NC_READING(nc_inq_attlen(source->ncid, source->variable, attribute, &length), source->path);
    *count = 0;
    if (code == NC_ENOTATT)
        return STATUS_OK;
    NC_CHECK(code, source->path, attribute);
    nc_type type;
    NC_CHECK(nc_inq_atttype(source->ncid, source->variable, attribute, &type), source->path, attribute);
    if (length != 1 && type != NC_CHAR)
        return FAIL(STATUS_DATA, "%s: variable %s: %s has %zu values; expected one number", source->path,
                    source->name, attribute, length);
    return read_numbers(source, attribute, value, 1, count);
}

static enum status read_scale(const struct source *source, struct netcdf_packing *packing)
{
    double run_scale = 1;
    size_t scales, adds, run_scales;
    CHECK(read_one_number(source, "scale_factor", &packing->scale, &scales));
    CHECK(read_one_number(source, "add_offset", &packing->add, &adds));
    CHECK(read_numbers(source, NETCDF_RUN_SCALE, &run_scale, 1, &run_scales));
    packing->is_packed = scales + adds > 0 || run_scale != 1;
    if (!isfinite(run_scale) || run_scale <= 0)
        return FAIL(STATUS_DATA, "%s: variable %s: %s %g: expected a finite number above 0", source->path,
                    source->name, NETCDF_RUN_SCALE, run_scale);
    packing->scale *= run_scale;
    packing->add *= run_scale;
    if (!isfinite(packing->scale) || packing->scale == 0 || !isfinite(packing->add))
        return FAIL(
            STATUS_DATA,
            "%s: variable %s: scale_factor %g and add_offset %g: expected finite numbers, the first not 0",
            source->path, source->name, packing->scale, packing->add);
    return STATUS_OK;
}

enum status netcdf_packing_read_scale(const char *path, int ncid, int variable, const char *name,
                                      struct netcdf_packing *packing)
{
    const struct source source = {.path = path, .name = name, .ncid = ncid, .variable = variable};
    *packing = (struct netcdf_packing){.scale = 1, .valid_minimum = -INFINITY, .valid_maximum = INFINITY};
    return read_scale(&source, packing);
}

enum status netcdf_packing_read(const char *path, int ncid, int variable, const char *name,
                                struct netcdf_packing *packing)
{
    struct source source = {.path = path, .name = name, .ncid = ncid, .variable = variable};
    *packing = (struct netcdf_packing){.scale = 1};
    NC_CHECK(nc_inq_vartype(ncid, variable, &source.type), path, name);
    CHECK(read_unsigned(&source, packing));
    CHECK(read_scale(&source, packing));
    packing->has_steps = packing->is_packed && !is_floating(source.type);
    CHECK(read_missing(&source, packing));
    return read_valid_range(&source, packing);
}

double netcdf_unpack(const struct netcdf_packing *packing, double stored)
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

void netcdf_unpack_all(const struct netcdf_packing *packing, double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        values[k] = netcdf_unpack(packing, values[k]);
}
