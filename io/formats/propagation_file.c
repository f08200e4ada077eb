// Reads eta, u, v (HA, UA, VA) over time, latitude and longitude, record by record: see propagation_file.h.
// Independent of unit sources.
#include "io/formats/propagation_file.h"

#include "io/netcdf/dataset.h"
#include "io/time_units.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TIME, LATITUDE, LONGITUDE, AXES };
enum { RECORDS_MAX = 10000000, NODES_MAX = 1000000 };

static const struct {
    const char *name, *noaa, *suffix, *units;
} quantities[PROPAGATION_QUANTITIES] = {
    {"eta", "HA", "_ha.nc", "m"},
    {"u", "UA", "_ua.nc", "m s-1"},
    {"v", "VA", "_va.nc", "m s-1"},
};

// The missing value of NOAA's files.
static const double noaa_missing = -1e34;
// Larger numbers are neither elevations nor speeds, in any unit.
#define LARGEST 1e7

struct propagation_file {
    struct propagation_info info;
    struct dataset *file;
    const struct dataset_variable *variable;
    struct netcdf_packing packing;
    int dimensions[AXES];       // of the variable
    double *axes[AXES];         // in s and degrees, ascending
    bool is_north_first;        // rows of the file run from north to south
    double multiplier, divisor; // value · multiplier / divisor is in m or m/s
    char date[DATASET_TEXT_BYTES];
};

const char *propagation_name(enum propagation_quantity quantity)
{
    return quantities[quantity].name;
}

const char *propagation_noaa_name(enum propagation_quantity quantity)
{
    return quantities[quantity].noaa;
}

const char *propagation_noaa_suffix(enum propagation_quantity quantity)
{
    return quantities[quantity].suffix;
}

const char *propagation_units(enum propagation_quantity quantity)
{
    return quantities[quantity].units;
}

bool propagation_is_noaa(const char *variable, enum propagation_quantity *quantity)
{
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        if (strcasecmp(variable, quantities[q].noaa) == 0) {
            *quantity = (enum propagation_quantity)q;
            return true;
        }
    return false;
}

void propagation_add_missing(struct netcdf_packing *packing, bool is_single)
{
    if (packing->missing_count < NETCDF_MISSING_MAX)
        packing->missing[packing->missing_count++] = is_single ? (double)(float)noaa_missing : noaa_missing;
}

// ---- the variable

static const struct dataset_variable *find_variable(const struct dataset *file,
                                                    enum propagation_quantity quantity)
{
    enum propagation_quantity found;
    const struct dataset_variable *own = dataset_find(file, quantities[quantity].name);
    if (own && own->rank > 0)
        return own;
    for (size_t k = 0; k < dataset_count(file); k++) {
        const struct dataset_variable *variable = dataset_at(file, k);
        if (propagation_is_noaa(variable->name, &found) && found == quantity)
            return variable;
    }
    return NULL;
}

static enum status fail_missing(const struct dataset *file, enum propagation_quantity quantity)
{
    char names[DATASET_LIST_BYTES];
    dataset_list(file, NULL, NULL, names, sizeof names);
    return FAIL(STATUS_DATA, "%s: no variable %s or %s (it has: %s)", dataset_path(file),
                quantities[quantity].name, quantities[quantity].noaa, names);
}

enum status propagation_has(const char *path, enum propagation_quantity quantity, bool *has)
{
    struct dataset *file;
    *has = false;
    CHECK(dataset_open(path, &file));
    *has = find_variable(file, quantity) != NULL;
    dataset_close(file);
    return STATUS_OK;
}

static enum status read_units(struct propagation_file *p, enum propagation_quantity quantity)
{
    const struct dataset_variable *variable = p->variable;
    const char *to = quantities[quantity].units;
    double slope, offset;
    CHECK(dataset_check_units(p->file, variable));
    if (variable->units[0] == '\0')
        return FAIL(STATUS_DATA,
                    "%s: variable %s has no units: expected a unit that converts to \"%s\", such as cm%s",
                    p->info.path, variable->name, to, quantity == PROPAGATION_ETA ? "" : "/s");
    CHECK_ABOUT(units_conversion(variable->units, to, &slope, &offset), "%s: variable %s", p->info.path,
                variable->name);
    if (offset != 0 || !(slope > 0))
        return FAIL(STATUS_DATA, "%s: variable %s is in \"%s\": expected a unit that converts to \"%s\"",
                    p->info.path, variable->name, variable->units, to);
    // A whole part of the unit (cm) divides: the result is correctly rounded.
    const double parts = round(1 / slope);
    const bool is_part = parts > 1 && fabs(1 / slope - parts) <= 4e-16 * parts;
    p->divisor = is_part ? parts : 1;
    p->multiplier = is_part ? 1 : slope;
    CHECK(dataset_packing(p->file, variable, &p->packing));
    if (p->info.is_noaa)
        propagation_add_missing(&p->packing, dataset_is_single(variable));
    return STATUS_OK;
}

// Of integers with a scale_factor, and of sums of such. Files of other programs do not state the error.
static void read_rounding(struct propagation_file *p)
{
    double scale = 0, error;
    const double unit = p->multiplier / p->divisor;
    if (!dataset_is_integer(p->variable) ||
        dataset_numbers(p->file, p->variable, "scale_factor", &scale, 1) != 1 || !(scale > 0))
        scale = 0;
    if (dataset_numbers(p->file, p->variable, "largest_rounding_error", &error, 1) != 1 || !(error >= 0))
        error = 0.5 * scale;
    p->info.resolution = scale * unit;
    p->info.rounding = error * unit;
}

// ---- axes

static int axis_of(const struct dataset_variable *coordinate)
{
    switch (coordinate ? coordinate->role : NETCDF_ROLE_NONE) {
    case NETCDF_ROLE_TIME:
        return TIME;
    case NETCDF_ROLE_Y:
        return LATITUDE;
    case NETCDF_ROLE_X:
        return LONGITUDE;
    default:
        return AXES;
    }
}

static enum status find_dimensions(struct propagation_file *p,
                                   const struct dataset_variable *coordinates[AXES])
{
    const struct dataset_variable *variable = p->variable;
    int last = -1;
    for (int k = 0; k < variable->rank; k++) {
        const struct dataset_variable *coordinate = dataset_coordinate(p->file, variable, k);
        const int axis = axis_of(coordinate);
        if (axis == AXES && variable->lengths[k] == 1)
            continue; // a depth, of one entry
        if (axis == AXES || axis != last + 1) {
            last = AXES; // none of ours, twice, or in another order
            break;
        }
        p->dimensions[axis] = k;
        coordinates[axis] = coordinate;
        last = axis;
    }
    if (variable->kind != DATASET_NUMBERS || last != LONGITUDE)
        return FAIL(STATUS_DATA,
                    "%s: variable %s: expected numbers over (time, latitude, longitude), each with its "
                    "coordinate variable",
                    p->info.path, variable->name);
    return STATUS_OK;
}

// Strictly ascending; latitudes may descend, and are turned.
static enum status check_order(struct propagation_file *p, int axis, size_t length, const char *name)
{
    double *values = p->axes[axis];
    if (axis == LATITUDE && length > 1 && values[1] < values[0]) {
        p->is_north_first = true;
        for (size_t k = 0; k < length / 2; k++) {
            const double value = values[k];
            values[k] = values[length - 1 - k];
            values[length - 1 - k] = value;
        }
    }
    for (size_t k = 0; k < length; k++) {
        if (!isfinite(values[k]))
            return FAIL(STATUS_DATA, "%s: axis %s: entry %zu is missing or not a number", p->info.path, name,
                        k);
        if (axis == LONGITUDE && k > 0 && values[k] < values[k - 1] - 180)
            values[k] += 360; // 179, -180
        if (k > 0 && !(values[k] > values[k - 1]))
            return FAIL(STATUS_DATA, "%s: axis %s: %.9g (entry %zu) does not come after %.9g", p->info.path,
                        name, values[k], k, values[k - 1]);
    }
    if (axis == LATITUDE && (values[0] < -90 || values[length - 1] > 90))
        return FAIL(STATUS_DATA, "%s: axis %s: from %g to %g: expected latitudes", p->info.path, name,
                    values[0], values[length - 1]);
    if (axis == LONGITUDE &&
        (values[0] < -720 || values[length - 1] > 1080 || values[length - 1] - values[0] > 360))
        return FAIL(STATUS_DATA, "%s: axis %s: from %g to %g: expected longitudes", p->info.path, name,
                    values[0], values[length - 1]);
    return STATUS_OK;
}

static enum status read_axis(struct propagation_file *p, int axis, const struct dataset_variable *coordinate)
{
    static const char *const units[AXES] = {"s", "degree", "degree"};
    size_t length;
    double slope = 1, offset = 0;
    char file_units[DATASET_TEXT_BYTES];
    snprintf(file_units, sizeof file_units, "%s", coordinate->units);
    if (axis == TIME && time_units_have_date(coordinate->units)) {
        char *since = strstr(file_units, " since ");
        if (since) {
            snprintf(p->date, sizeof p->date, "%s", since + strlen(" since "));
            *since = '\0';
        }
    }
    if (coordinate->lengths[0] == 0)
        return FAIL(STATUS_DATA, "%s: axis %s has no entries", p->info.path, coordinate->name);
    if (coordinate->lengths[0] >
        (axis == TIME ? RECORDS_MAX : NODES_MAX)) // a damaged header may state anything
        return FAIL(STATUS_DATA, "%s: axis %s has %zu entries, expected at most %d", p->info.path,
                    coordinate->name, coordinate->lengths[0], axis == TIME ? RECORDS_MAX : NODES_MAX);
    if (coordinate->lengths[0] < 2 && axis != TIME)
        return FAIL(STATUS_DATA, "%s: axis %s has one entry, expected at least 2", p->info.path,
                    coordinate->name);
    if (file_units[0])
        CHECK_ABOUT(units_conversion(file_units, units[axis], &slope, &offset), "%s: axis %s", p->info.path,
                    coordinate->name);
    CHECK(dataset_read_line(p->file, coordinate, &p->axes[axis], &length));
    for (size_t k = 0; k < length; k++)
        p->axes[axis][k] = slope * p->axes[axis][k] + offset;
    return check_order(p, axis, length, coordinate->name);
}

// ---- open and close

static enum status open_file(struct propagation_file *p, const char *path, enum propagation_quantity quantity)
{
    const struct dataset_variable *coordinates[AXES] = {NULL, NULL, NULL};
    enum propagation_quantity unused;
    CHECK(dataset_open(path, &p->file));
    p->info.path = dataset_path(p->file);
    p->variable = find_variable(p->file, quantity);
    if (!p->variable)
        return fail_missing(p->file, quantity);
    p->info.variable = p->variable->name;
    p->info.is_noaa = propagation_is_noaa(p->variable->name, &unused);
    p->info.is_double = !dataset_is_single(p->variable);
    CHECK(find_dimensions(p, coordinates));
    for (int axis = 0; axis < AXES; axis++)
        CHECK(read_axis(p, axis, coordinates[axis]));
    CHECK(read_units(p, quantity));
    read_rounding(p);
    p->info.records = p->variable->lengths[p->dimensions[TIME]];
    p->info.rows = p->variable->lengths[p->dimensions[LATITUDE]];
    p->info.columns = p->variable->lengths[p->dimensions[LONGITUDE]];
    p->info.times_s = p->axes[TIME];
    p->info.latitudes = p->axes[LATITUDE];
    p->info.longitudes = p->axes[LONGITUDE];
    p->info.date = p->date;
    return STATUS_OK;
}

enum status propagation_open(const char *path, enum propagation_quantity quantity,
                             struct propagation_file **opened)
{
    *opened = NULL;
    struct propagation_file *p = calloc(1, sizeof *p);
    if (!p)
        return FAIL(STATUS_SYSTEM, "%s: no memory to open it", path);
    const enum status status = open_file(p, path, quantity);
    if (status != STATUS_OK) {
        propagation_close(p);
        return status;
    }
    *opened = p;
    return STATUS_OK;
}

void propagation_close(struct propagation_file *p)
{
    if (!p)
        return;
    for (int axis = 0; axis < AXES; axis++)
        free(p->axes[axis]);
    dataset_close(p->file);
    free(p);
}

const struct propagation_info *propagation_info(const struct propagation_file *p)
{
    return &p->info;
}

size_t propagation_cache_bytes(const struct propagation_file *p)
{
    return dataset_cache_bytes(p->variable);
}

// ---- values

// Rows of the file run from north to south: each record's are exchanged.
static void reverse_rows(const struct propagation_block *block, double *values)
{
    for (size_t t = 0; t < block->records; t++)
        for (size_t j = 0; j < block->rows / 2; j++) {
            double *south = values + (t * block->rows + j) * block->columns,
                   *north = values + (t * block->rows + block->rows - 1 - j) * block->columns;
            for (size_t i = 0; i < block->columns; i++) {
                const double value = south[i];
                south[i] = north[i];
                north[i] = value;
            }
        }
}

enum status propagation_read(struct propagation_file *p, const struct propagation_block *block,
                             double *values)
{
    size_t start[DATASET_RANK_MAX] = {0}, count[DATASET_RANK_MAX];
    for (int k = 0; k < DATASET_RANK_MAX; k++)
        count[k] = 1;
    start[p->dimensions[TIME]] = block->record;
    count[p->dimensions[TIME]] = block->records;
    start[p->dimensions[LATITUDE]] = p->is_north_first ? p->info.rows - block->row - block->rows : block->row;
    count[p->dimensions[LATITUDE]] = block->rows;
    start[p->dimensions[LONGITUDE]] = block->column;
    count[p->dimensions[LONGITUDE]] = block->columns;
    CHECK(dataset_read(p->file, p->variable, &p->packing, start, count, values));
    if (p->is_north_first)
        reverse_rows(block, values);
    const size_t plane = block->rows * block->columns, length = block->records * plane;
    for (size_t k = 0; k < length; k++) {
        if (fabs(values[k]) > LARGEST)
            return FAIL(STATUS_DATA,
                        "%s: %s is %g %s, which is not a wave (a missing value without an attribute that "
                        "defines it?), at %g s, latitude %.6g, longitude %.6g",
                        p->info.path, p->info.variable, values[k], p->variable->units,
                        p->info.times_s[block->record + k / plane],
                        p->info.latitudes[block->row + k % plane / block->columns],
                        p->info.longitudes[block->column + k % block->columns]);
        values[k] = values[k] * p->multiplier / p->divisor;
    }
    return STATUS_OK;
}
