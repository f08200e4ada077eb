// Reads grids from netCDF, classic and netCDF-4: CF and COARDS, packed values, (y, x) or (x, y), with or
// without time. This file handles the layout of the values; grid.c handles their meaning.
#include "io/grid/netcdf.h"
#include "io/netcdf/netcdf.h"
#include "io/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct netcdf_grid {
    struct dataset *data;
    const char *path;
    struct netcdf_layout layout;
    int group, variable; // netCDF's own numbers
    size_t nx, ny;
    struct netcdf_packing packing;
    // A variable with x slower than y is read in blocks of rows.
    double *block;
    size_t block_rows, block_first, block_record;
    size_t chunk_rows; // blocks do not reach from one row of chunks into the next
    bool has_block;
};

// ---- values

static void unpack(const struct netcdf_grid *grid, double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        values[k] = isinf(values[k]) ? NAN : netcdf_unpack(&grid->packing, values[k]);
}

static enum status read_part(const struct netcdf_grid *grid, size_t record, const struct grid_part *part,
                             double *values)
{
    size_t start[DATASET_RANK_MAX] = {0}, count[DATASET_RANK_MAX];
    char what[DATASET_NAME_BYTES + 32];
    for (int k = 0; k < DATASET_RANK_MAX; k++)
        count[k] = 1;
    start[grid->layout.x_at] = part->column;
    count[grid->layout.x_at] = part->columns;
    start[grid->layout.y_at] = part->row;
    count[grid->layout.y_at] = part->rows;
    if (grid->layout.record_at >= 0)
        start[grid->layout.record_at] = record;
    snprintf(what, sizeof what, "reading variable %s", grid->layout.variable->name);
    NC_CHECK(nc_get_vara_double(grid->group, grid->variable, start, count, values), grid->path, what);
    return STATUS_OK;
}

static enum status read_netcdf_part(void *state, size_t record, const struct grid_part *part, double *values)
{
    const struct netcdf_grid *grid = state;
    CHECK(read_part(grid, record, part, values));
    unpack(grid, values, part->rows * part->columns);
    return STATUS_OK;
}

// Finds the block of rows around `row`, within one row of chunks, so that the cache need not hold two.
static size_t block_around(const struct netcdf_grid *grid, size_t row, size_t *rows)
{
    const size_t of_chunk = row - row % grid->chunk_rows;
    const size_t first = of_chunk + (row - of_chunk) / grid->block_rows * grid->block_rows;
    size_t end = of_chunk + grid->chunk_rows;
    end = end < grid->ny ? end : grid->ny;
    *rows = end - first < grid->block_rows ? end - first : grid->block_rows;
    return first;
}

static enum status read_netcdf_row(void *state, size_t record, size_t row, double *values)
{
    struct netcdf_grid *grid = state;
    if (grid->block == NULL)
        return read_netcdf_part(state, record, &(struct grid_part){row, 1, 0, grid->nx}, values);
    size_t rows;
    const size_t first = block_around(grid, row, &rows);
    if (!grid->has_block || grid->block_first != first || grid->block_record != record) {
        grid->has_block = false;
        CHECK(read_part(grid, record, &(struct grid_part){first, rows, 0, grid->nx}, grid->block));
        grid->has_block = true;
        grid->block_first = first;
        grid->block_record = record;
    }
    for (size_t k = 0; k < grid->nx; k++)
        values[k] = grid->block[k * rows + (row - first)];
    unpack(grid, values, grid->nx);
    return STATUS_OK;
}

static void close_netcdf(void *state)
{
    struct netcdf_grid *grid = state;
    dataset_close(grid->data);
    free(grid->block);
    free(grid);
}

static const struct grid_reader netcdf_reader = {read_netcdf_row, close_netcdf};

// ---- attributes of the values

static enum grid_positive positive_of(const char *standard_name)
{
    static const char above[] = "height_above_", altitude[] = "altitude";
    const size_t length = strlen(standard_name);
    if (strcmp(standard_name, "height") == 0 || strncmp(standard_name, above, strlen(above)) == 0 ||
        strcmp(standard_name, "surface_height_above_geopotential_datum") == 0 ||
        (length >= strlen(altitude) && strcmp(standard_name + length - strlen(altitude), altitude) == 0))
        return GRID_POSITIVE_UP;
    if (strncmp(standard_name, "depth", 5) == 0 || strstr(standard_name, "sea_floor_depth") != NULL)
        return GRID_POSITIVE_DOWN;
    return GRID_AS_FILE;
}

static void read_sign(const struct dataset_variable *variable, struct grid_file *file)
{
    const char *positive = variable->positive, *standard_name = variable->standard_name;
    enum grid_positive stated = strcasecmp(positive, "up") == 0     ? GRID_POSITIVE_UP
                                : strcasecmp(positive, "down") == 0 ? GRID_POSITIVE_DOWN
                                                                    : GRID_AS_FILE;
    enum grid_positive named = positive_of(standard_name);
    if (stated != GRID_AS_FILE)
        snprintf(file->sign_statement, sizeof file->sign_statement, "positive = \"%s\"", positive);
    if (named != GRID_AS_FILE) {
        size_t used = strlen(file->sign_statement);
        snprintf(file->sign_statement + used, sizeof file->sign_statement - used, "%sstandard_name = \"%s\"",
                 used > 0 ? " and " : "", standard_name);
    }
    // If two attributes contradict each other, neither counts, and the job has to state the sign.
    file->file_positive = stated == GRID_AS_FILE                     ? named
                          : named == GRID_AS_FILE || named == stated ? stated
                                                                     : GRID_AS_FILE;
}

static enum status read_meaning(struct netcdf_grid *grid, struct grid_file *file)
{
    const struct dataset_variable *variable = grid->layout.variable;
    CHECK(netcdf_packing_read(grid->path, variable->group, variable->id, variable->name, &grid->packing));
    read_sign(variable, file);
    snprintf(file->units, sizeof file->units, "%.*s", GRID_NAME_BYTES - 1, variable->units);
    file->states_units = file->units[0] != '\0';
    return STATUS_OK;
}

// ---- axes

static enum status read_axis(const struct netcdf_grid *grid, const struct coordinate *coordinate,
                             size_t count, double **values, bool *is_float)
{
    double slope = 1, offset = 0;
    struct netcdf_packing packing;
    const struct dataset_variable *variable = coordinate->variable;
    char what[DATASET_NAME_BYTES + 32];
    snprintf(what, sizeof what, "reading axis %s", coordinate->name);
    CHECK(netcdf_check_count(grid->path, what + strlen("reading "), count, variable->type));
    *values = malloc(count * sizeof **values);
    if (*values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: axis %s of %zu nodes: out of memory", grid->path, coordinate->name,
                    count);
    NC_CHECK(nc_get_var_double(variable->group, variable->id, *values), grid->path, what);
    *is_float = dataset_is_single(variable);
    CHECK(netcdf_packing_read_scale(grid->path, variable->group, variable->id, variable->name, &packing));
    if (coordinate->units[0] != '\0')
        CHECK_ABOUT(units_conversion(coordinate->units,
                                     coordinate->kind == GRID_AXES_GEOGRAPHIC ? "degree" : "m", &slope,
                                     &offset),
                    "%s: axis %s", grid->path, coordinate->name);
    for (size_t k = 0; k < count; k++) {
        const double value = netcdf_unpack(&packing, (*values)[k]);
        (*values)[k] = slope == 1 && offset == 0 ? value : slope * value + offset;
    }
    return STATUS_OK;
}

static enum status read_axes(struct netcdf_grid *grid, struct grid_file *file)
{
    const struct coordinate *x = &grid->layout.x, *y = &grid->layout.y;
    if (x->kind != GRID_AXES_AS_FILE && y->kind != GRID_AXES_AS_FILE && x->kind != y->kind)
        return FAIL(
            STATUS_DATA,
            "%s: axis %s is in \"%s\" but axis %s in \"%s\": expected both in degrees or both in a length",
            grid->path, x->name, x->units, y->name, y->units);
    file->file_axes = x->kind != GRID_AXES_AS_FILE ? x->kind : y->kind;
    CHECK(read_axis(grid, x, grid->nx, &file->x, &file->is_x_float));
    return read_axis(grid, y, grid->ny, &file->y, &file->is_y_float);
}

// Reads the times relative to the first record, if the file has a time axis with units.
static enum status read_times(const struct netcdf_grid *grid, struct grid_file *file)
{
    const struct coordinate *record = &grid->layout.record;
    size_t count = file->info.records;
    double slope, offset;
    if (grid->layout.record_at < 0 || !record->variable || record->role != NETCDF_ROLE_TIME ||
        record->units[0] == '\0')
        return STATUS_OK;
    char units[DATASET_TEXT_BYTES];
    snprintf(units, sizeof units, "%s", record->units);
    char *since = strstr(units, " since ");
    if (since != NULL)
        *since = '\0';
    if (count > 1)
        CHECK_ABOUT(units_conversion(units, "s", &slope, &offset), "%s: axis %s", grid->path, record->name);
    else
        slope = 0; // a single record is at 0 in any units
    CHECK(netcdf_check_count(grid->path, record->name, count, NC_DOUBLE));
    file->times_s = malloc(count * sizeof *file->times_s);
    if (file->times_s == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %zu records: out of memory", grid->path, count);
    NC_CHECK(nc_get_var_double(record->variable->group, record->variable->id, file->times_s), grid->path,
             "reading the times");
    double first = file->times_s[0];
    for (size_t k = 0; k < count; k++) {
        file->times_s[k] = count > 1 ? slope * (file->times_s[k] - first) : 0;
        if (!isfinite(file->times_s[k]) || (k > 0 && !(file->times_s[k] > file->times_s[k - 1])))
            return FAIL(STATUS_DATA, "%s: axis %s: the time at index %zu is not after the one before",
                        grid->path, record->name, k);
    }
    return STATUS_OK;
}

// ---- memory

// The share of the machine's memory that a row of chunks may take.
static size_t cache_bytes_most(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const double share = pages > 0 && page_bytes > 0 ? (double)pages * (double)page_bytes / 8 : 0;
    return (size_t)fmin(fmax(share, GRID_CHUNK_CACHE_BYTES), GRID_CHUNK_CACHE_BYTES_MOST);
}

// Holds a whole row of chunks, so that each chunk is unpacked once while rows are read in turn; or, where
// such a row is too large, one chunk, which the library has to unpack as a whole anyway.
static enum status set_chunk_cache(const struct netcdf_grid *grid, struct grid_file *file)
{
    const struct netcdf_layout *layout = &grid->layout;
    int format, storage;
    size_t chunk[DATASET_RANK_MAX];
    NC_CHECK(nc_inq_format(grid->group, &format), grid->path, "reading the format");
    if (format != NC_FORMAT_NETCDF4 && format != NC_FORMAT_NETCDF4_CLASSIC)
        return STATUS_OK;
    NC_CHECK(nc_inq_var_chunking(grid->group, grid->variable, &storage, chunk), grid->path,
             "reading the chunk sizes");
    if (storage != NC_CHUNKED)
        return STATUS_OK;
    double chunk_bytes = (double)netcdf_type_bytes(layout->variable->type);
    for (int k = 0; k < layout->variable->rank; k++)
        chunk_bytes *= (double)chunk[k];
    const size_t across = (grid->nx + chunk[layout->x_at] - 1) / chunk[layout->x_at];
    const double bytes = fmax(chunk_bytes, fmin(chunk_bytes * (double)across, (double)cache_bytes_most()));
    // An odd number of slots above the chunks of a row: no two of them share one.
    NC_CHECK(nc_set_var_chunk_cache(grid->group, grid->variable, (size_t)bytes,
                                    2 * across < 1009 ? 1009 : 2 * across + 1, 0.75F),
             grid->path, "setting the chunk cache");
    file->cache_bytes = (size_t)bytes;
    file->part_rows = chunk[layout->y_at];
    file->part_columns = chunk[layout->x_at];
    file->read_part = read_netcdf_part;
    return STATUS_OK;
}

static enum status make_block(struct netcdf_grid *grid, const struct grid_file *file)
{
    if (grid->layout.x_at > grid->layout.y_at)
        return STATUS_OK;
    grid->chunk_rows = file->part_rows > 0 ? file->part_rows : grid->ny;
    grid->block_rows = GRID_BLOCK_BYTES / sizeof(double) / grid->nx;
    if (grid->block_rows < 1)
        grid->block_rows = 1;
    if (grid->block_rows > grid->ny)
        grid->block_rows = grid->ny;
    grid->block = malloc(grid->nx * grid->block_rows * sizeof *grid->block);
    if (grid->block == NULL)
        return FAIL(STATUS_SYSTEM, "%s: a block of %zu rows: out of memory", grid->path, grid->block_rows);
    return STATUS_OK;
}

enum status grid_open_netcdf(const struct grid_request *request, struct grid_file *file)
{
    struct netcdf_grid *grid = calloc(1, sizeof *grid);
    if (grid == NULL)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", file->path);
    file->state = grid;
    file->reader = &netcdf_reader;
    grid->path = file->path;
    CHECK(dataset_open(file->path, &grid->data));
    CHECK(grid_netcdf_find(grid->data, request->variable, &grid->layout));
    const struct netcdf_layout *layout = &grid->layout;
    const struct dataset_variable *variable = layout->variable;
    grid->group = variable->group;
    grid->variable = variable->id;
    file->info.nx = grid->nx = variable->lengths[layout->x_at];
    file->info.ny = grid->ny = variable->lengths[layout->y_at];
    file->info.records = layout->record_at < 0 ? 1 : variable->lengths[layout->record_at];
    if (grid->nx < 2 || grid->ny < 2 || file->info.records < 1)
        return FAIL(STATUS_DATA,
                    "%s: variable %s has %zu × %zu nodes and %zu records, expected at least 2 × 2 and 1",
                    file->path, variable->name, grid->nx, grid->ny, file->info.records);
    snprintf(file->variable, sizeof file->variable, "%.*s", GRID_NAME_BYTES - 1, variable->name);
    CHECK(read_meaning(grid, file));
    CHECK(read_axes(grid, file));
    CHECK(read_times(grid, file));
    CHECK(set_chunk_cache(grid, file));
    return make_block(grid, file);
}

enum status grid_list_variables(const char *path, struct grid_variable_list *list)
{
    struct dataset *data;
    CHECK(dataset_open(path, &data));
    grid_netcdf_list(data, list);
    dataset_close(data);
    return STATUS_OK;
}
