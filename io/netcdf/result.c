// Reading result files back (see result.h). Knows netCDF; knows nothing of models or pictures.
#include "io/netcdf/result.h"

#include "io/netcdf/netcdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_CACHE_LEAST = 4 << 20, CHUNK_CACHE_MOST = 256 << 20, CHUNK_CACHE_SLOTS = 4099 };

struct result_file {
    char *path;
    int nc;
    bool is_open;
    size_t count;
    struct result_variable *variables;
};

static enum status out_of_memory(const char *path)
{
    return FAIL(STATUS_SYSTEM, "%s: not enough memory to read it", path);
}

// Fills in one entry of the list; a rank above RESULT_RANK_MAX leaves it without a name, so that it is never
// found.
static enum status describe_variable(const struct result_file *file, int id, struct result_variable *variable)
{
    int rank;
    NC_CHECK(nc_inq_varndims(file->nc, id, &rank), file->path, "reading a variable's shape");
    if (rank > RESULT_RANK_MAX)
        return STATUS_OK;
    int dimensions[RESULT_RANK_MAX];
    nc_type type;
    NC_CHECK(nc_inq_var(file->nc, id, variable->name, &type, NULL, dimensions, NULL), file->path,
             "reading a variable's description");
    variable->rank = rank;
    variable->is_text = type == NC_CHAR || type == NC_STRING;
    for (int k = 0; k < rank; k++)
        NC_CHECK(nc_inq_dim(file->nc, dimensions[k], variable->dimensions[k], &variable->lengths[k]),
                 file->path, variable->name);
    result_attribute(file, variable->name, NETCDF_RUN_UNITS, variable->units, sizeof variable->units);
    if (!variable->units[0])
        result_attribute(file, variable->name, "units", variable->units, sizeof variable->units);
    return STATUS_OK;
}

static enum status describe_file(struct result_file *file)
{
    int count;
    NC_CHECK(nc_inq_nvars(file->nc, &count), file->path, "listing the variables");
    file->variables = calloc((size_t)count + 1, sizeof *file->variables);
    if (!file->variables)
        return out_of_memory(file->path);
    struct result_variable *time = NULL, *model_time = NULL;
    for (int id = 0; id < count; id++) {
        struct result_variable *variable = &file->variables[file->count];
        CHECK(describe_variable(file, id, variable));
        time = strcmp(variable->name, "time") == 0 ? variable : time;
        model_time = strcmp(variable->name, NETCDF_MODEL_TIME) == 0 ? variable : model_time;
        file->count++;
    }
    if (time && model_time && !time->units[0]) // the axis holds bare numbers
        memcpy(time->units, model_time->units, sizeof time->units);
    return STATUS_OK;
}

enum status result_open(const char *path, struct result_file **opened)
{
    *opened = NULL;
    struct result_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return out_of_memory(path);
    }
    enum status status = netcdf_open(path, &file->nc);
    if (status != STATUS_OK) {
        free(file->path);
        free(file);
        return status;
    }
    file->is_open = true;
    status = describe_file(file);
    if (status != STATUS_OK) {
        result_close(file);
        return status;
    }
    *opened = file;
    return STATUS_OK;
}

void result_keep_list(struct result_file *file)
{
    if (file->is_open)
        nc_close(file->nc); // opened for reading only: nothing can be lost here
    file->is_open = false;
}

void result_close(struct result_file *file)
{
    if (!file)
        return;
    result_keep_list(file);
    free(file->variables);
    free(file->path);
    free(file);
}

const char *result_path(const struct result_file *file)
{
    return file->path;
}

size_t result_variable_count(const struct result_file *file)
{
    return file->count;
}

const struct result_variable *result_variable_at(const struct result_file *file, size_t index)
{
    return &file->variables[index];
}

const struct result_variable *result_find(const struct result_file *file, const char *name)
{
    for (size_t k = 0; file && k < file->count; k++)
        if (strcmp(file->variables[k].name, name) == 0)
            return &file->variables[k];
    return NULL;
}

void result_attribute(const struct result_file *file, const char *variable, const char *name, char *text,
                      size_t bytes)
{
    text[0] = '\0';
    int id = NC_GLOBAL;
    nc_type type;
    size_t length;
    if (variable && nc_inq_varid(file->nc, variable, &id) != NC_NOERR)
        return;
    if (nc_inq_att(file->nc, id, name, &type, &length) != NC_NOERR || length == 0)
        return;
    if (type == NC_STRING) {
        char **texts = calloc(length, sizeof *texts);
        if (texts && nc_get_att_string(file->nc, id, name, texts) == NC_NOERR) {
            strncat(text, texts[0] ? texts[0] : "", bytes - 1);
            nc_free_string(length, texts);
        }
        free(texts);
    } else if (type == NC_CHAR) {
        char *characters = calloc(length + 1, 1);
        if (characters && nc_get_att_text(file->nc, id, name, characters) == NC_NOERR)
            strncat(text, characters, bytes - 1);
        free(characters);
    }
}

static enum status find_numeric(const struct result_file *file, const char *name, int *id,
                                const struct result_variable **variable)
{
    *variable = result_find(file, name);
    if (!*variable)
        return FAIL(STATUS_DATA, "%s: no variable %s in it", file->path, name);
    if ((*variable)->is_text)
        return FAIL(STATUS_DATA, "%s: variable %s holds text, expected numbers", file->path, name);
    NC_CHECK(nc_inq_varid(file->nc, name, id), file->path, name);
    return STATUS_OK;
}

static enum status read_block(const struct result_file *file, int id, const char *name, const size_t *start,
                              const size_t *count, size_t length, double *values)
{
    NC_CHECK(nc_get_vara_double(file->nc, id, start, count, values), file->path, name);
    double fill;
    if (nc_get_att_double(file->nc, id, "_FillValue", &fill) == NC_NOERR && !isnan(fill))
        for (size_t k = 0; k < length; k++)
            if (values[k] == fill)
                values[k] = NAN;
    double scale;
    if (nc_get_att_double(file->nc, id, NETCDF_RUN_SCALE, &scale) == NC_NOERR && scale != 1)
        for (size_t k = 0; k < length; k++)
            values[k] *= scale;
    return STATUS_OK;
}

enum status result_read(const struct result_file *file, const char *name, const size_t *start,
                        const size_t *count, double *values)
{
    int id;
    const struct result_variable *variable;
    CHECK(find_numeric(file, name, &id, &variable));
    size_t length = 1;
    for (int k = 0; k < variable->rank; k++) {
        if (start[k] > variable->lengths[k] || count[k] > variable->lengths[k] - start[k])
            return FAIL(STATUS_DATA, "%s: variable %s: entries %zu to %zu of %s were asked for, it has %zu",
                        file->path, name, start[k], start[k] + count[k], variable->dimensions[k],
                        variable->lengths[k]);
        length *= count[k];
    }
    return length == 0 ? STATUS_OK : read_block(file, id, name, start, count, length, values);
}

enum status result_read_all(const struct result_file *file, const char *name, double **values, size_t *length)
{
    int id;
    const struct result_variable *variable;
    *values = NULL;
    *length = 0;
    CHECK(find_numeric(file, name, &id, &variable));
    size_t total = 1;
    for (int k = 0; k < variable->rank; k++)
        if (__builtin_mul_overflow(total, variable->lengths[k], &total))
            return FAIL(STATUS_DATA, "%s: variable %s is too large to read at once", file->path, name);
    nc_type type;
    NC_CHECK(nc_inq_vartype(file->nc, id, &type), file->path, name);
    CHECK(netcdf_check_count(file->path, name, total, type));
    double *all = calloc(total ? total : 1, sizeof *all);
    if (!all)
        return out_of_memory(file->path);
    static const size_t zero[RESULT_RANK_MAX];
    enum status status = result_read(file, name, zero, variable->lengths, all);
    if (status != STATUS_OK) {
        free(all);
        return status;
    }
    *values = all;
    *length = total;
    return STATUS_OK;
}

void result_free_texts(char **texts, size_t length)
{
    for (size_t k = 0; texts && k < length; k++)
        free(texts[k]);
    free(texts);
}

// Copies each text into memory of our own, without trailing blanks.
static enum status copy_texts(const struct result_file *file, const char *name, int id,
                              const struct result_variable *variable, char **texts)
{
    size_t count = variable->lengths[0];
    if (variable->rank == 2) {
        size_t width = variable->lengths[1];
        for (size_t k = 0; k < count; k++) {
            texts[k] = calloc(width + 1, 1);
            if (!texts[k])
                return out_of_memory(file->path);
            NC_CHECK(nc_get_vara_text(file->nc, id, (size_t[]){k, 0}, (size_t[]){1, width}, texts[k]),
                     file->path, name);
        }
    } else {
        for (size_t k = 0; k < count; k++) {
            char *text = NULL;
            NC_CHECK(nc_get_vara_string(file->nc, id, &k, (size_t[]){1}, &text), file->path, name);
            texts[k] = strdup(text ? text : "");
            nc_free_string(1, &text);
            if (!texts[k])
                return out_of_memory(file->path);
        }
    }
    for (size_t k = 0; k < count; k++)
        for (size_t n = strlen(texts[k]); n > 0 && texts[k][n - 1] == ' '; n--)
            texts[k][n - 1] = '\0';
    return STATUS_OK;
}

enum status result_read_texts(const struct result_file *file, const char *name, char ***texts, size_t *length)
{
    *texts = NULL;
    *length = 0;
    const struct result_variable *variable = result_find(file, name);
    if (!variable)
        return FAIL(STATUS_DATA, "%s: no variable %s in it", file->path, name);
    int id;
    nc_type type;
    NC_CHECK(nc_inq_varid(file->nc, name, &id), file->path, name);
    NC_CHECK(nc_inq_vartype(file->nc, id, &type), file->path, name);
    if (!(type == NC_CHAR && variable->rank == 2) && !(type == NC_STRING && variable->rank == 1))
        return FAIL(STATUS_DATA, "%s: variable %s: expected a list of texts", file->path, name);
    char **copies = calloc(variable->lengths[0] + 1, sizeof *copies);
    if (!copies)
        return out_of_memory(file->path);
    enum status status = copy_texts(file, name, id, variable, copies);
    if (status != STATUS_OK) {
        result_free_texts(copies, variable->lengths[0]);
        return status;
    }
    *texts = copies;
    *length = variable->lengths[0];
    return STATUS_OK;
}

// Which nodes of an axis make each pixel.
struct bins {
    size_t count;
    size_t first_node, nodes; // of the window
    double first, step;       // pixel centres
    double extent[2];
    size_t *begin, *end; // per pixel: nodes begin … end − 1 of the whole axis
};

static void bins_free(struct bins *bins)
{
    free(bins->begin);
    free(bins->end);
}

// Uniform to 2 % of the mean spacing: beyond that pixels and nodes would drift apart visibly.
static bool is_uniform(const double *values, size_t count)
{
    double step = (values[count - 1] - values[0]) / (double)(count - 1);
    for (size_t k = 0; k < count; k++)
        if (fabs(values[k] - values[0] - step * (double)k) > 0.02 * step)
            return false;
    return true;
}

static void bin_uniform(const double *axis, struct bins *bins, size_t factor)
{
    double step =
        (axis[bins->first_node + bins->nodes - 1] - axis[bins->first_node]) / (double)(bins->nodes - 1);
    bins->step = step * (double)factor;
    bins->first = axis[bins->first_node] + 0.5 * step * (double)(factor - 1);
    size_t last = bins->first_node + bins->nodes;
    for (size_t k = 0; k < bins->count; k++) {
        bins->begin[k] = bins->first_node + k * factor;
        bins->end[k] = bins->begin[k] + factor < last ? bins->begin[k] + factor : last;
    }
}

static void bin_irregular(const double *axis, struct bins *bins)
{
    bins->step = (bins->extent[1] - bins->extent[0]) / (double)bins->count;
    bins->first = bins->extent[0] + 0.5 * bins->step;
    size_t node = bins->first_node, last = bins->first_node + bins->nodes - 1;
    for (size_t k = 0; k < bins->count; k++) {
        double centre = bins->first + bins->step * (double)k;
        while (node < last && axis[node] < centre - 0.5 * bins->step)
            node++;
        size_t end = node;
        while (end <= last && axis[end] < centre + 0.5 * bins->step)
            end++;
        if (end == node) { // no node in this pixel: take the nearest
            bool take_left = node > bins->first_node && centre - axis[node - 1] < axis[node] - centre;
            bins->begin[k] = take_left ? node - 1 : node;
            bins->end[k] = bins->begin[k] + 1;
        } else {
            bins->begin[k] = node;
            bins->end[k] = end;
        }
    }
}

static enum status make_bins(const struct result_file *file, const char *name, const double *axis,
                             size_t length, const double *window, size_t most, struct bins *bins)
{
    for (size_t k = 1; k < length; k++)
        if (!(axis[k] > axis[k - 1]))
            return FAIL(STATUS_DATA, "%s: axis %s: entry %zu (%g) is not above the one before it (%g)",
                        file->path, name, k, axis[k], axis[k - 1]);
    if (length > 0 && !isfinite(2 * (axis[length - 1] - axis[0]))) // pixels reach beyond the ends
        return FAIL(STATUS_DATA, "%s: axis %s goes from %g to %g, too far to be drawn", file->path, name,
                    axis[0], axis[length - 1]);
    size_t begin = 0, end = length;
    while (window && begin < length && axis[begin] < window[0])
        begin++;
    while (window && end > begin && axis[end - 1] > window[1])
        end--;
    if (end - begin < 2)
        return FAIL(STATUS_DATA, "%s: axis %s: %zu node(s) to draw, expected at least 2", file->path, name,
                    end - begin);
    bins->first_node = begin;
    bins->nodes = end - begin;
    bins->extent[0] = axis[begin] - 0.5 * (axis[begin + 1] - axis[begin]);
    bins->extent[1] = axis[end - 1] + 0.5 * (axis[end - 1] - axis[end - 2]);
    size_t factor = (bins->nodes + most - 1) / most;
    bool uniform = is_uniform(axis + begin, bins->nodes);
    bins->count = uniform ? (bins->nodes + factor - 1) / factor : most;
    bins->begin = calloc(bins->count, sizeof *bins->begin);
    bins->end = calloc(bins->count, sizeof *bins->end);
    if (!bins->begin || !bins->end)
        return out_of_memory(file->path);
    if (uniform)
        bin_uniform(axis, bins, factor);
    else
        bin_irregular(axis, bins);
    return STATUS_OK;
}

static enum status read_axis_bins(const struct result_file *file, const char *name, const double *window,
                                  size_t most, struct bins *bins, struct result_map *map)
{
    const struct result_variable *variable = result_find(file, name);
    if (!variable || variable->rank != 1)
        return FAIL(STATUS_DATA, "%s: no coordinate variable for dimension %s", file->path, name);
    map->is_geographic = strncmp(variable->units, "degree", 6) == 0;
    map->metres_per_unit = map->is_geographic ? 0 : strcmp(variable->units, "km") == 0 ? 1000 : 1;
    double *axis;
    size_t length;
    CHECK(result_read_all(file, name, &axis, &length));
    enum status status = make_bins(file, name, axis, length, window, most, bins);
    free(axis);
    return status;
}

static float reduce(const double *band, size_t row_length, size_t rows, size_t begin, size_t end,
                    enum result_reduction reduction)
{
    double sum = 0, least = INFINITY, most = -INFINITY;
    size_t valid = 0;
    for (size_t j = 0; j < rows; j++)
        for (size_t i = begin; i < end; i++) {
            double value = band[j * row_length + i];
            if (isnan(value))
                continue;
            valid++;
            sum += value;
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
    if (reduction == RESULT_VALID_FRACTION)
        return (float)valid / (float)(rows * (end - begin));
    if (valid == 0)
        return NAN;
    if (reduction == RESULT_MEAN)
        return (float)(sum / (double)valid);
    return (float)(reduction == RESULT_MAXIMUM ? most : least);
}

// A band of rows touches whole chunks: with a cache smaller than a row of chunks each would be read again per
// row.
static void widen_chunk_cache(const struct result_file *file, int id, const struct result_variable *variable)
{
    int storage;
    size_t chunks[RESULT_RANK_MAX];
    if (variable->rank < 2 || nc_inq_var_chunking(file->nc, id, &storage, chunks) != NC_NOERR ||
        storage != NC_CHUNKED)
        return;
    size_t x = (size_t)variable->rank - 1;
    size_t across = (variable->lengths[x] + chunks[x] - 1) / chunks[x];
    size_t bytes = across * sizeof(double);
    for (int k = 0; k < variable->rank; k++)
        bytes *= chunks[k];
    bytes = bytes < CHUNK_CACHE_LEAST ? CHUNK_CACHE_LEAST : bytes;
    bytes = bytes > CHUNK_CACHE_MOST ? CHUNK_CACHE_MOST : bytes;
    (void)nc_set_var_chunk_cache(file->nc, id, bytes, CHUNK_CACHE_SLOTS,
                                 0.75f); // a hint: refusal only costs time
}

static enum status fill_map(const struct result_file *file, const char *name, const size_t *leading,
                            enum result_reduction reduction, const struct bins *x, const struct bins *y,
                            struct result_map *map)
{
    int id;
    const struct result_variable *variable;
    CHECK(find_numeric(file, name, &id, &variable));
    widen_chunk_cache(file, id, variable);
    size_t band_rows = 1;
    for (size_t j = 0; j < y->count; j++)
        band_rows = y->end[j] - y->begin[j] > band_rows ? y->end[j] - y->begin[j] : band_rows;
    double *band = calloc(band_rows * x->nodes, sizeof *band);
    if (!band)
        return out_of_memory(file->path);
    size_t start[RESULT_RANK_MAX] = {0}, count[RESULT_RANK_MAX] = {1, 1, 1, 1};
    int iy = variable->rank - 2;
    for (int k = 0; k < iy; k++)
        start[k] = leading[k];
    start[iy + 1] = x->first_node;
    count[iy + 1] = x->nodes;
    enum status status = STATUS_OK;
    for (size_t j = 0; j < y->count && status == STATUS_OK; j++) {
        size_t rows = y->end[j] - y->begin[j];
        start[iy] = y->begin[j];
        count[iy] = rows;
        status = read_block(file, id, name, start, count, rows * x->nodes, band);
        for (size_t i = 0; i < x->count && status == STATUS_OK; i++)
            map->values[j * map->nx + i] = reduce(band, x->nodes, rows, x->begin[i] - x->first_node,
                                                  x->end[i] - x->first_node, reduction);
    }
    free(band);
    return status;
}

static enum status make_map(const struct result_file *file, const char *name, const size_t *leading,
                            enum result_reduction reduction, const struct bins *x, const struct bins *y,
                            struct result_map *map)
{
    *map = (struct result_map){
        .nx = x->count,
        .ny = y->count,
        .source_nx = x->nodes,
        .source_ny = y->nodes,
        .x_first = x->first,
        .x_step = x->step,
        .y_first = y->first,
        .y_step = y->step,
        .x_extent = {x->extent[0], x->extent[1]},
        .y_extent = {y->extent[0], y->extent[1]},
        .is_geographic = map->is_geographic,
        .metres_per_unit = map->metres_per_unit,
        .values = calloc(x->count * y->count, sizeof(float)),
    };
    if (!map->values)
        return out_of_memory(file->path);
    enum status status = fill_map(file, name, leading, reduction, x, y, map);
    if (status != STATUS_OK)
        result_map_free(map);
    return status;
}

enum status result_read_map(const struct result_file *file, const char *name, const size_t *leading,
                            enum result_reduction reduction, size_t max_nx, size_t max_ny,
                            const struct result_window *window, struct result_map *map)
{
    *map = (struct result_map){0};
    const struct result_variable *variable = result_find(file, name);
    if (!variable)
        return FAIL(STATUS_DATA, "%s: no variable %s in it", file->path, name);
    if (variable->rank < 2)
        return FAIL(STATUS_DATA, "%s: variable %s has %d dimension(s), a map needs at least 2", file->path,
                    name, variable->rank);
    for (int k = 0; k < variable->rank - 2; k++)
        if (leading[k] >= variable->lengths[k])
            return FAIL(STATUS_DATA, "%s: variable %s: entry %zu of %s was asked for, it has %zu", file->path,
                        name, leading[k], variable->dimensions[k], variable->lengths[k]);
    struct bins x = {0}, y = {0};
    enum status status = read_axis_bins(file, variable->dimensions[variable->rank - 2],
                                        window ? window->y : NULL, max_ny, &y, map);
    if (status == STATUS_OK)
        status = read_axis_bins(file, variable->dimensions[variable->rank - 1], window ? window->x : NULL,
                                max_nx, &x, map);
    if (status == STATUS_OK)
        status = make_map(file, name, leading, reduction, &x, &y, map);
    bins_free(&x);
    bins_free(&y);
    return status;
}

void result_map_free(struct result_map *map)
{
    free(map->values);
    map->values = NULL;
}
