// Fields over z, y, x in netCDF files: see field_file.h. Independent of models.
#include "io/netcdf/field_file.h"

#include "io/netcdf/netcdf.h"
#include "io/netcdf/volume_layout.h"
#include "io/time_units.h"
#include "io/units.h"

#include <math.h>
#include <netcdf_filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A slab is checked while it is in a cache of the processor.
enum { SLAB_BYTES = 2 << 20, ALIGNED_SLAB_BYTES = 64 << 20, CACHE_BYTES_MIN = 1 << 20, CACHE_SLOTS = 4099 };
static const double largest_value = 1e30;

struct field_file {
    struct field_file_info info;
    struct volume_layout layout;
    struct netcdf_packing packing;
    enum element element;
    bool is_converted; // through doubles in the scratch: packed or whole numbers, or turned planes
    double scale;
    long long bytes; // of the file, when it was opened
};

const struct field_file_info *field_file_info(const struct field_file *file)
{
    return &file->info;
}

void field_file_set_scale(struct field_file *file, double scale)
{
    file->scale = scale;
}

// ---- how it is stored

static bool is_whole(int type)
{
    return type != NC_FLOAT && type != NC_DOUBLE;
}

// Uncompressed chunks are read in part, straight from the file, whatever their size. A compressed one is read
// whole, and must stay until all of it was taken: its planes one after another, its records one step after
// another.
static enum status plan_chunks(struct field_file *file)
{
    const struct dataset_variable *variable = file->layout.variable;
    const int time = file->layout.time, z = file->layout.dimension[VOLUME_Z];
    struct field_file_info *info = &file->info;
    const size_t value_bytes = variable->type == NC_FLOAT ? 4 : 8;
    const size_t plane_bytes = info->lengths[FIELD_Y] * info->lengths[FIELD_X] * value_bytes;
    size_t chunks[DATASET_RANK_MAX], filters = 0, chunk_planes = 1;
    int storage = NC_CONTIGUOUS;
    info->records_a_chunk = 1;
    info->slab_planes = SLAB_BYTES / plane_bytes > 0 ? SLAB_BYTES / plane_bytes : 1;
    if (NC_READING(nc_inq_var_chunking(variable->group, variable->id, &storage, chunks), info->path) ==
            NC_NOERR &&
        storage == NC_CHUNKED) {
        if (NC_READING(nc_inq_var_filter_ids(variable->group, variable->id, &filters, NULL), info->path) !=
            NC_NOERR)
            filters = 1;
        double chunk_bytes = (double)value_bytes, row_bytes = (double)value_bytes;
        for (int k = 0; k < variable->rank; k++) {
            chunk_bytes *= (double)chunks[k];
            const bool is_row = k != time && k != z;
            row_bytes *= is_row ? ceil((double)variable->lengths[k] / (double)chunks[k]) * (double)chunks[k]
                                : (double)chunks[k];
        }
        chunk_planes = z >= 0 ? chunks[z] : 1;
        info->records_a_chunk = time >= 0 ? chunks[time] : 1;
        double bytes = CACHE_BYTES_MIN;
        if (filters > 0 || info->is_slow) {
            const double rows = info->records_a_chunk > 1 || info->is_slow
                                    ? ceil((double)info->lengths[FIELD_Z] / (double)chunk_planes)
                                    : 1;
            info->is_cache_short = filters > 0 && rows * row_bytes > DATASET_CACHE_BYTES_MAX;
            bytes = fmax(bytes, fmax(chunk_bytes, fmin(rows * row_bytes, DATASET_CACHE_BYTES_MAX)));
        }
        info->cache_bytes = (size_t)bytes;
        NC_CHECK(nc_set_var_chunk_cache(variable->group, variable->id, info->cache_bytes, CACHE_SLOTS, 1.0f),
                 info->path, "sizing the cache of its chunks");
        if (filters > 0 || (!file->is_converted && chunk_planes * plane_bytes <= ALIGNED_SLAB_BYTES))
            info->slab_planes = (info->slab_planes + chunk_planes - 1) / chunk_planes * chunk_planes;
    }
    if (info->is_slow)
        info->slab_planes = 1;
    if (info->slab_planes > info->lengths[FIELD_Z])
        info->slab_planes = info->lengths[FIELD_Z];
    // What it converts from one type to another it converts slab by slab.
    const int read_as = file->is_converted || file->element == ELEMENT_F64 ? NC_DOUBLE : NC_FLOAT;
    if (variable->type != read_as)
        info->cache_bytes += info->slab_planes * plane_bytes;
    if (file->is_converted)
        info->scratch_bytes =
            info->slab_planes * info->lengths[FIELD_Y] * info->lengths[FIELD_X] * sizeof(double);
    return STATUS_OK;
}

static enum status find_directions(struct field_file *file)
{
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const struct dataset_variable *coordinate;
        double *values;
        size_t count;
        CHECK(volume_layout_coordinate(&file->layout, axis, &coordinate, &values, &count));
        free(values);
    }
    return STATUS_OK;
}

// What follows from the order of the axes.
static enum status settle_order(struct field_file *file)
{
    const struct volume_layout *layout = &file->layout;
    const int z = layout->dimension[VOLUME_Z], y = layout->dimension[VOLUME_Y],
              x = layout->dimension[VOLUME_X];
    struct field_file_info *info = &file->info;
    memcpy(&info->lengths[FIELD_Z], layout->cells, sizeof layout->cells);
    info->is_slow = x < y || z > y || z > x;
    file->is_converted = file->packing.is_packed || is_whole(layout->variable->type) || x < y;
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        file->is_converted |= layout->is_reversed[axis];
    info->scratch_bytes = info->cache_bytes = 0;
    return plan_chunks(file);
}

static enum status describe(struct field_file *file)
{
    const struct volume_layout *layout = &file->layout;
    const struct dataset_variable *variable = layout->variable;
    struct field_file_info *info = &file->info;
    info->path = dataset_path(layout->file);
    info->variable = variable->name;
    info->units = variable->units;
    info->lengths[FIELD_TIME] = layout->time >= 0 ? variable->lengths[layout->time] : 1;
    CHECK(dataset_check_units(layout->file, variable));
    CHECK(netcdf_packing_read(info->path, variable->group, variable->id, variable->name, &file->packing));
    CHECK(find_directions(file));
    struct stat state;
    if (stat(info->path, &state) != 0)
        return FAIL(STATUS_NO_INPUT, "%s: its length is unknown (stat failed)", info->path);
    file->bytes = (long long)state.st_size;
    return settle_order(file);
}

enum status field_file_open(const char *path, const char *variable, bool has_records, enum element element,
                            struct field_file **opened)
{
    *opened = NULL;
    struct field_file *file = calloc(1, sizeof *file);
    if (!file)
        return FAIL(STATUS_SYSTEM, "%s: no memory to open it", path);
    file->element = element;
    file->scale = 1;
    enum status status = volume_layout_open(
        path, variable, has_records ? VOLUME_OVER_TIME : VOLUME_WITHOUT_TIME, &file->layout);
    if (status == STATUS_OK)
        status = describe(file);
    if (status != STATUS_OK) {
        field_file_close(file);
        return status;
    }
    *opened = file;
    return STATUS_OK;
}

void field_file_close(struct field_file *file)
{
    if (!file)
        return;
    volume_layout_close(&file->layout);
    free(file);
}

// ---- coordinates

static int dimension_of(const struct field_file *file, enum field_axis axis)
{
    return axis == FIELD_TIME ? file->layout.time : file->layout.dimension[axis - FIELD_Z];
}

// *line is NULL if the file has no such coordinate.
static enum status find_line(const struct field_file *file, enum field_axis axis, const char *variable,
                             const struct dataset_variable **line)
{
    *line = NULL;
    if (!variable) {
        if (dimension_of(file, axis) >= 0)
            *line = dataset_coordinate(file->layout.file, file->layout.variable, dimension_of(file, axis));
        return STATUS_OK;
    }
    CHECK(dataset_require(file->layout.file, variable, NULL, line));
    if ((*line)->kind != DATASET_NUMBERS || (*line)->rank > 1)
        return FAIL(STATUS_DATA, "%s: variable %s: expected numbers along one dimension", file->info.path,
                    variable);
    return STATUS_OK;
}

enum status field_file_line_units(const struct field_file *file, enum field_axis axis, const char *variable,
                                  const char **name, const char **units)
{
    const struct dataset_variable *line;
    CHECK(find_line(file, axis, variable, &line));
    *name = line ? line->name : "";
    *units = line ? line->units : "";
    return STATUS_OK;
}

enum status field_file_line(const struct field_file *file, enum field_axis axis, const char *variable,
                            const char *unit_given, const char *unit, double **values, size_t *count)
{
    const struct dataset_variable *line;
    char from[DATASET_TEXT_BYTES];
    double slope, offset;
    *values = NULL;
    *count = 0;
    CHECK(find_line(file, axis, variable, &line));
    if (!line)
        return STATUS_OK;
    time_units_without_date(unit_given ? unit_given : line->units, from, sizeof from);
    if (from[0] == '\0')
        return FAIL(STATUS_DATA, "%s: variable %s has no units, expected units such as %s", file->info.path,
                    line->name, unit);
    CHECK_ABOUT(units_conversion(from, unit, &slope, &offset), "%s: variable %s", file->info.path,
                line->name);
    if (slope <= 0)
        return FAIL(STATUS_DATA, "%s: variable %s: units \"%s\" reverse it, expected %s or a similar unit",
                    file->info.path, line->name, from, unit);
    CHECK(dataset_read_line(file->layout.file, line, values, count));
    for (size_t k = 0; k < *count; k++)
        (*values)[k] = slope * (*values)[k] + offset;
    return STATUS_OK;
}

bool field_file_is_placed(const struct field_file *file)
{
    bool is_placed = false;
    for (int axis = FIELD_Z; axis < FIELD_Z + VOLUME_AXES; axis++) {
        double *values = NULL;
        size_t count;
        if (field_file_line(file, (enum field_axis)axis, NULL, NULL, "m", &values, &count) == STATUS_OK)
            is_placed |= values != NULL;
        else
            status_clear(); // numbered
        free(values);
    }
    return is_placed;
}

enum status field_file_turn(struct field_file *file, const struct volume_turn *turn)
{
    volume_layout_turn(&file->layout, turn);
    return settle_order(file);
}

// ---- values

// Scales `count` values in place; returns the index of the first invalid one, or `count`.
#define DEFINE_CHECK_VALUES(name, real)                                                                      \
    static size_t name(const struct field_file *file, real *values, size_t count, double *wrong)             \
    {                                                                                                        \
        const struct netcdf_packing *p = &file->packing;                                                     \
        const real largest = (real)largest_value;                                                            \
        const real low = p->valid_minimum > -largest_value ? (real)p->valid_minimum : -largest;              \
        const real high = p->valid_maximum < largest_value ? (real)p->valid_maximum : largest;               \
        int is_wrong = 0;                                                                                    \
        for (size_t k = 0; k < count; k++)                                                                   \
            is_wrong |= !(values[k] >= low && values[k] <= high);                                            \
        for (size_t m = 0; m < p->missing_count; m++) {                                                      \
            const real missing = (real)p->missing[m];                                                        \
            if (!(missing >= low && missing <= high))                                                        \
                continue;                                                                                    \
            for (size_t k = 0; k < count; k++)                                                               \
                is_wrong |= values[k] == missing;                                                            \
        }                                                                                                    \
        if (is_wrong)                                                                                        \
            for (size_t k = 0; k < count; k++) {                                                             \
                *wrong = (double)values[k];                                                                  \
                if (!(values[k] >= low && values[k] <= high) || isnan(netcdf_unpack(p, (double)values[k])))  \
                    return k;                                                                                \
            }                                                                                                \
        if (file->scale != 1)                                                                                \
            for (size_t k = 0; k < count; k++)                                                               \
                values[k] = (real)((double)values[k] * file->scale);                                         \
        return count;                                                                                        \
    }
DEFINE_CHECK_VALUES(check_values_single, float)
DEFINE_CHECK_VALUES(check_values_double, double)

// Stored numbers as what they mean, brought to the array's order and precision. Returns as the above.
static size_t convert(const struct field_file *file, const struct volume_block *block, const double *stored,
                      size_t planes, void *values, double *wrong)
{
    const size_t ny = file->info.lengths[FIELD_Y], nx = file->info.lengths[FIELD_X];
    size_t k = 0;
    for (size_t z = 0; z < planes; z++)
        for (size_t y = 0; y < ny; y++) {
            const double *row = stored + block->first + (ptrdiff_t)z * block->stride[VOLUME_Z] +
                                (ptrdiff_t)y * block->stride[VOLUME_Y];
            for (size_t x = 0; x < nx; x++, k++) {
                const double value =
                    netcdf_unpack(&file->packing, row[(ptrdiff_t)x * block->stride[VOLUME_X]]);
                if (!(fabs(value) <= largest_value)) {
                    *wrong = value;
                    return k;
                }
                if (file->element == ELEMENT_F32)
                    ((float *)values)[k] = (float)(value * file->scale);
                else
                    ((double *)values)[k] = value * file->scale;
            }
        }
    return k;
}

// The value of cell number `cell` of the block that begins at `start`, in double precision.
static void read_as_stored(const struct field_file *file, const size_t *start, size_t cell, double *value)
{
    const struct dataset_variable *variable = file->layout.variable;
    const size_t ny = file->info.lengths[FIELD_Y], nx = file->info.lengths[FIELD_X],
                 offsets[] = {
                     [VOLUME_Z] = cell / (ny * nx), [VOLUME_Y] = cell / nx % ny, [VOLUME_X] = cell % nx};
    size_t at[DATASET_RANK_MAX];
    double stored;
    memcpy(at, start, sizeof at);
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        if (file->layout.dimension[axis] >= 0)
            at[file->layout.dimension[axis]] += offsets[axis];
    if (NC_READING(nc_get_var1_double(variable->group, variable->id, at, &stored), file->info.path) ==
        NC_NOERR)
        *value = stored;
}

// Planes z … z + planes − 1 of a record.
static bool read_slab(struct field_file *file, size_t record, size_t z, size_t planes, void *values,
                      void *scratch, struct field_fault *fault)
{
    const struct dataset_variable *variable = file->layout.variable;
    const struct volume_block block = volume_layout_block(&file->layout, record, z, planes);
    const size_t ny = file->info.lengths[FIELD_Y], nx = file->info.lengths[FIELD_X], cells = planes * ny * nx;
    const size_t *start = block.start, *count = block.count;
    size_t valid;
    if (file->is_converted) {
        fault->code = NC_READING(nc_get_vara_double(variable->group, variable->id, start, count, scratch),
                                 file->info.path);
        valid = fault->code == NC_NOERR ? convert(file, &block, scratch, planes, values, &fault->value) : 0;
    } else if (file->element == ELEMENT_F32) {
        fault->code = NC_READING(nc_get_vara_float(variable->group, variable->id, start, count, values),
                                 file->info.path);
        const bool is_beyond = fault->code == NC_ERANGE; // of single precision: infinite, or its largest
        fault->code = is_beyond ? NC_NOERR : fault->code;
        valid = fault->code == NC_NOERR ? check_values_single(file, values, cells, &fault->value) : 0;
        if (is_beyond && valid == cells)
            fault->code = NC_ERANGE;
        else if (is_beyond)
            read_as_stored(file, start, valid, &fault->value);
    } else {
        fault->code = NC_READING(nc_get_vara_double(variable->group, variable->id, start, count, values),
                                 file->info.path);
        valid = fault->code == NC_NOERR ? check_values_double(file, values, cells, &fault->value) : 0;
    }
    if (fault->code != NC_NOERR) {
        fault->kind = FIELD_UNREADABLE;
        fault->z = z;
        return false;
    }
    if (valid < cells) {
        fault->kind = FIELD_INVALID;
        fault->z = z + valid / (ny * nx);
        fault->y = valid / nx % ny;
        fault->x = valid % nx;
        return false;
    }
    return true;
}

// netCDF-C reads what a classic file has lost as zeros: so its length is looked at each time.
static bool is_whole_still(const struct field_file *file, struct field_fault *fault)
{
    struct stat state;
    const long long bytes = stat(file->info.path, &state) == 0 ? (long long)state.st_size : 0;
    if (bytes >= file->bytes)
        return true;
    fault->kind = FIELD_SHORT;
    fault->bytes = bytes;
    fault->bytes_expected = file->bytes;
    return false;
}

bool field_file_read_planes(struct field_file *file, size_t record, size_t z, size_t planes, void *values,
                            void *scratch, struct field_fault *fault)
{
    *fault = (struct field_fault){.kind = FIELD_VALID, .record = record};
    netcdf_prepare_thread(); // HDF5 keeps its silence by thread
    return is_whole_still(file, fault) && read_slab(file, record, z, planes, values, scratch, fault) &&
           is_whole_still(file, fault);
}

bool field_file_read(struct field_file *file, size_t record, void *values, void *scratch,
                     struct field_fault *fault)
{
    const struct field_file_info *info = &file->info;
    const size_t plane = info->lengths[FIELD_Y] * info->lengths[FIELD_X] * element_bytes(file->element);
    for (size_t z = 0; z < info->lengths[FIELD_Z]; z += info->slab_planes) {
        const size_t left = info->lengths[FIELD_Z] - z,
                     planes = left < info->slab_planes ? left : info->slab_planes;
        if (!field_file_read_planes(file, record, z, planes, (char *)values + z * plane, scratch, fault))
            return false;
    }
    return true;
}

enum status field_file_fail(const struct field_file *file, const struct field_fault *fault, double time_s)
{
    char what[128] = "", where[256];
    if (file->layout.time >= 0 && isnan(time_s))
        snprintf(what, sizeof what, ", record %zu", fault->record);
    else if (file->layout.time >= 0)
        snprintf(what, sizeof what, ", record %zu (%g s)", fault->record, time_s);
    snprintf(where, sizeof where, "variable %.96s%s", file->info.variable, what);
    const bool is_fill = fabs(fault->value - NC_FILL_DOUBLE) < 1e-6 * NC_FILL_DOUBLE; // of all floats
    const bool is_too_large = isfinite(fault->value) && fabs(fault->value) > largest_value && !is_fill;
    switch (fault->kind) {
    case FIELD_SHORT:
        return FAIL(
            STATUS_DATA,
            "%s: %s: the file was cut off while it was read: it has %s, %s less than when the run began",
            file->info.path, where, UNITS_BYTES(fault->bytes),
            UNITS_BYTES(fault->bytes_expected - fault->bytes));
    case FIELD_UNREADABLE:
        return netcdf_status(fault->code, file->info.path, where, __FILE__, __LINE__);
    case FIELD_INVALID:
        return FAIL(STATUS_DATA, "%s: %s, cell z %zu, y %zu, x %zu: %s%.9g; expected a finite number%s",
                    file->info.path, where, fault->z, fault->y, fault->x,
                    isfinite(fault->value) ? "missing, or out of the file's valid range: " : "", fault->value,
                    is_too_large ? " of at most 1e30 in size" : "");
    case FIELD_VALID:
        break;
    }
    return FAIL(STATUS_SOFTWARE, "%s: %s: a failure without a fault", file->info.path, where);
}
