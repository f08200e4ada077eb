// Numbers stored as integers: see pack.h. 32 bits, not 16: how large the numbers of a run become is unknown
// before, and the upper bytes of small ones are all equal and vanish in the compression.
#include "io/output/pack.h"

#include "io/netcdf/netcdf.h"
#include "io/netcdf/write.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>

// Of both signs: the other numbers of 32 bits are beyond it, and one of them stands for missing.
static const double largest = INT_MAX - OUTPUT_PACK_SHIFT;

static double offset_of(const struct stream_variable *variable)
{
    return -(OUTPUT_PACK_SHIFT * variable->resolution);
}

static double number_at(enum element element, const void *data, size_t i)
{
    return element == ELEMENT_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

// Of numbers below 2^51, in the default rounding mode: half to even, without a call of the library.
static double round_to_whole(double value)
{
    const double shift = 0x1.8p52;
    return (value + shift) - shift;
}

static enum status refuse(const struct stream *stream, const struct stream_variable *variable,
                          const void *data, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++) {
        const double value = number_at(stream->element, data, i);
        if (!(fabs(value / variable->resolution) <= largest) && !(isnan(value) && variable->has_missing))
            return FAIL(STATUS_DATA,
                        "%s: variable %s: %g %s cannot be stored at a resolution of %g %s, which reaches to "
                        "%g %s: choose a coarser one, or none",
                        path, variable->name, value, variable->units, variable->resolution, variable->units,
                        largest * variable->resolution, variable->units);
    }
    return FAIL(STATUS_SOFTWARE, "%s: variable %s: numbers changed while they were stored", path,
                variable->name);
}

// By one division.
static bool pack_exactly(const struct stream_variable *variable, enum element element, const void *data,
                         size_t count, int *packed)
{
    const double resolution = variable->resolution;
    const bool has_missing = variable->has_missing;
    int refused = 0;
    for (size_t i = 0; i < count; i++) {
        const double value = number_at(element, data, i), steps = value / resolution;
        const bool fits = fabs(steps) <= largest; // NaN does not
        packed[i] = (int)(fits ? round_to_whole(steps) + OUTPUT_PACK_SHIFT : (double)OUTPUT_PACK_MISSING);
        refused |= !fits & !(has_missing & (value != value));
    }
    return !refused;
}

// By a multiplication, which differs from the division by less than 1e-15 of the result: false if that may
// lead to another whole number, or if a number does not fit.
OUTPUT_WIDE static bool pack_fast(const struct stream_variable *variable, enum element element,
                                  const void *data, size_t count, int *packed)
{
    const double inverse = 1 / variable->resolution, missing = OUTPUT_PACK_MISSING - OUTPUT_PACK_SHIFT;
    const int64_t has_none = !variable->has_missing;
    int64_t unsure = 0; // as wide as a number: vectors of one width
    for (size_t i = 0; i < count; i++) {
        const double value = number_at(element, data, i), steps = value * inverse;
        const double whole = round_to_whole(steps), from_half = fabs(fabs(steps - whole) - 0.5);
        const bool fits = fabs(steps) <= largest - 1;
        packed[i] = (int)((fits ? whole : missing) + OUTPUT_PACK_SHIFT);
        unsure |= fits ? (int64_t)(from_half <= 1e-15 * fabs(steps)) : has_none | (int64_t)(value == value);
    }
    return !unsure;
}

bool output_pack_numbers(const struct stream_variable *variable, enum element element, const void *data,
                         size_t count, int *packed)
{
    return pack_fast(variable, element, data, count, packed) ||
           pack_exactly(variable, element, data, count, packed);
}

enum status output_pack(const struct stream *stream, const struct stream_variable *variable, const void *data,
                        size_t count, int *packed, const char *path)
{
    return output_pack_numbers(variable, stream->element, data, count, packed)
               ? STATUS_OK
               : refuse(stream, variable, data, count, path);
}

OUTPUT_WIDE struct output_range output_packed_range(const struct stream_variable *variable, const int *packed,
                                                    size_t count)
{
    // Counted from the smallest number, the one for missing is the largest: no condition keeps the loop from
    // vectors.
    const unsigned smallest = (unsigned)OUTPUT_PACK_MISSING + 1;
    unsigned low = UINT_MAX;
    int high = OUTPUT_PACK_MISSING;
    for (size_t i = 0; i < count; i++) {
        const unsigned number = (unsigned)packed[i] - smallest;
        low = number < low ? number : low;
        high = packed[i] > high ? packed[i] : high;
    }
    const double resolution = variable->resolution, offset = offset_of(variable);
    return low == UINT_MAX ? output_range_none
                           : (struct output_range){(int)(low + smallest) * resolution + offset,
                                                   high * resolution + offset};
}

enum status output_define_packed(const struct stream_variable *variable, int ncid, int id, const char *path)
{
    const int missing = OUTPUT_PACK_MISSING;
    const double resolution = variable->resolution, offset = offset_of(variable),
                 error = 0.5 * resolution + variable->rounding_before;
    NC_CHECK_WRITE(nc_def_var_deflate(ncid, id, 1, 1, 1), path, "creating a variable");
    if (variable->has_missing)
        NC_CHECK_WRITE(nc_def_var_fill(ncid, id, NC_FILL, &missing), path, "creating a fill value");
    NC_CHECK_WRITE(nc_put_att_double(ncid, id, "scale_factor", NC_DOUBLE, 1, &resolution), path,
                   "writing an attribute");
    NC_CHECK_WRITE(nc_put_att_double(ncid, id, "add_offset", NC_DOUBLE, 1, &offset), path,
                   "writing an attribute");
    NC_CHECK_WRITE(nc_put_att_double(ncid, id, "largest_rounding_error", NC_DOUBLE, 1, &error), path,
                   "writing an attribute");
    return netcdf_write_texts(
        ncid, id, path,
        NETCDF_TEXTS({"rounding", "to the nearest multiple of scale_factor; the error is at most "
                                  "largest_rounding_error, in the variable's units"}));
}

enum status output_check_packed(const struct stream_variable *variable, int ncid, int id, const char *path)
{
    static const char *const names[2] = {"scale_factor", "add_offset"};
    const double expected[2] = {variable->resolution, offset_of(variable)};
    for (int k = 0; k < 2; k++) {
        double value = NAN;
        size_t length = 0;
        if (NC_READING(nc_inq_attlen(ncid, id, names[k], &length), path) == NC_NOERR && length == 1)
            NC_CHECK(nc_get_att_double(ncid, id, names[k], &value), path, names[k]);
        if (value != expected[k])
            return FAIL(STATUS_DATA,
                        "%s: variable %s: %s is not %.17g: another version of the program packed its numbers "
                        "otherwise, and cannot be followed by this one",
                        path, variable->name, names[k], expected[k]);
    }
    return STATUS_OK;
}
