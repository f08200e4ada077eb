// Maps of results (see result.h): two axes of a variable reduced to about the size of a picture.
#include "io/netcdf/result_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
                        result_path(file), name, k, axis[k], axis[k - 1]);
    if (length > 0 && !isfinite(2 * (axis[length - 1] - axis[0]))) // pixels reach beyond the ends
        return FAIL(STATUS_DATA, "%s: axis %s goes from %g to %g, too far to be drawn", result_path(file),
                    name, axis[0], axis[length - 1]);
    size_t begin = 0, end = length;
    while (window && begin < length && axis[begin] < window[0])
        begin++;
    while (window && end > begin && axis[end - 1] > window[1])
        end--;
    if (end - begin < 2)
        return FAIL(STATUS_DATA, "%s: axis %s: %zu node(s) to draw, expected at least 2", result_path(file),
                    name, end - begin);
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
        return result_out_of_memory(result_path(file));
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
        return FAIL(STATUS_DATA, "%s: no coordinate variable for dimension %s", result_path(file), name);
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

static enum status fill_map(const struct result_file *file, const char *name, const size_t *leading,
                            enum result_reduction reduction, const struct bins *x, const struct bins *y,
                            struct result_map *map)
{
    struct result_entry *entry;
    CHECK(result_require(file, name, &entry));
    dataset_widen_cache(entry->variable);
    size_t band_rows = 1;
    for (size_t j = 0; j < y->count; j++)
        band_rows = y->end[j] - y->begin[j] > band_rows ? y->end[j] - y->begin[j] : band_rows;
    double *band = calloc(band_rows * x->nodes, sizeof *band);
    if (!band)
        return result_out_of_memory(result_path(file));
    size_t start[RESULT_RANK_MAX] = {0}, count[RESULT_RANK_MAX] = {1, 1, 1, 1};
    int iy = entry->shown.rank - 2;
    for (int k = 0; k < iy; k++)
        start[k] = leading[k];
    start[iy + 1] = x->first_node;
    count[iy + 1] = x->nodes;
    enum status status = STATUS_OK;
    for (size_t j = 0; j < y->count && status == STATUS_OK; j++) {
        size_t rows = y->end[j] - y->begin[j];
        start[iy] = y->begin[j];
        count[iy] = rows;
        status = result_read_entry(file, entry, start, count, band);
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
        return result_out_of_memory(result_path(file));
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
    struct result_entry *entry;
    CHECK(result_require(file, name, &entry));
    const struct result_variable *variable = &entry->shown;
    if (variable->rank < 2)
        return FAIL(STATUS_DATA, "%s: variable %s has %d dimension(s), a map needs at least 2",
                    result_path(file), name, variable->rank);
    for (int k = 0; k < variable->rank - 2; k++)
        if (leading[k] >= variable->lengths[k])
            return FAIL(STATUS_DATA, "%s: variable %s: entry %zu of %s was asked for, it has %zu",
                        result_path(file), name, leading[k], variable->dimensions[k], variable->lengths[k]);
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
