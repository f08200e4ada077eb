// Which nodes a run uses: the part of a file's axes inside a range, or a stated spacing laid over it;
// longitudes in any convention. Works on axes only, reads no values.
#include "io/grid/internal.h"
#include "io/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double node_part = 1e-6;   // of a spacing: nearer than this is the node itself
static const double circle_part = 0.01; // of a spacing: 4321 steps of "0.08333 degree" still go once round
static const double count_most = 0x1p24, nodes_most = 1e11;
// From the west limit eastward to one that lies west of it are more degrees than this: those limits are
// swapped.
static const double eastward_most = 300;
enum { NODES_LEAST = 4 };

// One axis of the request against one axis of the file.
struct axis_window {
    const char *path, *key, *unit;
    const double *nodes; // of the file
    size_t count;        // without columns that repeat 360 degrees later
    double tolerance;
    bool is_longitude, wraps, may_exceed;
    bool has_range;
    double given[2]; // the range as it was given
    bool is_turned;  // its west limit lies east of its east limit: taken as the way eastward
    double range[2];
    double shift; // longitudes of the file = longitudes of the request + shift
    double spacing;
};

static double file_spacing(const struct axis_window *axis)
{
    return (axis->nodes[axis->count - 1] - axis->nodes[0]) / (double)(axis->count - 1);
}

// Limits in the wrong order, of which the way eastward from the first to the second makes no sense.
static enum status fail_swapped(const struct axis_window *axis)
{
    char why[PATH_BYTES + 160];
    if (axis->wraps) // the long way is there, and may be meant
        snprintf(why, sizeof why, "if all %.9g degrees eastward from it are meant, write %.9g … %.9g",
                 axis->range[1] - axis->range[0], axis->range[0], axis->range[1]);
    else
        snprintf(why, sizeof why,
                 "eastward from it are %.9g degrees, and %s, from %.9g to %.9g, does not hold them",
                 axis->range[1] - axis->range[0], axis->path, axis->nodes[0], axis->nodes[axis->count - 1]);
    return FAIL(STATUS_CONFIGURATION,
                "%s: the west limit, %.9g degree, lies east of the east limit, %.9g degree: are the two "
                "swapped? (%s)",
                axis->key, axis->given[0], axis->given[1], why);
}

static enum status check_range(struct axis_window *axis)
{
    double *range = axis->range;
    if (!isfinite(range[0]) || !isfinite(range[1]) || !isfinite(axis->spacing) || axis->spacing < 0)
        return FAIL(STATUS_CONFIGURATION,
                    "%s range %g … %g and spacing %g: expected finite numbers, and a spacing ≥ 0", axis->key,
                    range[0], range[1], axis->spacing);
    memcpy(axis->given, range, sizeof axis->given);
    axis->is_turned = axis->is_longitude && range[1] < range[0] && range[1] + 360 > range[0];
    if (axis->is_turned)
        range[1] += 360; // {170, −170} crosses the antimeridian
    if (axis->is_turned && range[1] - range[0] > eastward_most)
        return fail_swapped(axis);
    if (!(range[0] < range[1]))
        return FAIL(STATUS_CONFIGURATION, "%s range %g … %g %s is empty: expected the lower limit first%s",
                    axis->key, range[0], range[1], axis->unit,
                    range[0] > range[1] ? "; are the two swapped?" : "");
    if (axis->is_longitude && range[1] - range[0] > 360 * (1 + 1e-9))
        return FAIL(STATUS_CONFIGURATION, "%s range %g … %g degree is more than once round the Earth",
                    axis->key, range[0], range[1]);
    return STATUS_OK;
}

// For a file that does not go round: the multiple of 360 degrees by which the request's convention differs
// from it.
static void choose_shift(struct axis_window *axis)
{
    double best = -INFINITY;
    if (!axis->is_longitude || axis->wraps)
        return;
    for (int turn = 0; turn <= 6; turn++) { // 0, 1, −1, 2, −2, … so that none wins a tie
        double shift = 360.0 * (turn % 2 == 1 ? (turn + 1) / 2 : -turn / 2);
        double low = fmax(axis->range[0] + shift, axis->nodes[0]);
        double high = fmin(axis->range[1] + shift, axis->nodes[axis->count - 1]);
        if (high - low > best + 1e-9) {
            best = high - low;
            axis->shift = shift;
        }
    }
}

// How far the range may reach beyond the file's first and last node: half a cell on a stated spacing (more if
// there is an outside value), by one spacing if the file's own nodes are taken (a range given by cell edges).
static enum status check_extent(const struct axis_window *axis, double last)
{
    double low = axis->nodes[0] - axis->shift, high = axis->nodes[axis->count - 1] - axis->shift;
    const size_t most = axis->count - 1;
    double whole = file_spacing(axis) * (1 + node_part);
    double below = axis->spacing > 0 ? grid_half_cell * (axis->nodes[1] - axis->nodes[0]) : whole;
    double above = axis->spacing > 0 ? grid_half_cell * (axis->nodes[most] - axis->nodes[most - 1]) : whole;
    bool exceeds = axis->range[0] < low - below || last > high + above;
    if (axis->wraps)
        return STATUS_OK;
    if (axis->is_turned && exceeds)
        return fail_swapped(axis);
    if (last < low - axis->tolerance || axis->range[0] > high + axis->tolerance)
        return FAIL(STATUS_CONFIGURATION,
                    "%s range %.9g … %.9g %s lies outside %s, which reaches from %.9g to %.9g", axis->key,
                    axis->range[0], axis->range[1], axis->unit, axis->path, axis->nodes[0],
                    axis->nodes[axis->count - 1]);
    if (exceeds && axis->spacing > 0 && !axis->may_exceed)
        return FAIL(STATUS_CONFIGURATION,
                    "%s range %.9g … %.9g %s reaches beyond %s, whose nodes go from %.9g to %.9g", axis->key,
                    axis->range[0], last, axis->unit, axis->path, low, high);
    if (exceeds && axis->spacing == 0)
        return FAIL(
            STATUS_CONFIGURATION,
            "%s range %.9g … %.9g %s reaches beyond %s, whose nodes go from %.9g to %.9g: narrow it%s",
            axis->key, axis->range[0], last, axis->unit, axis->path, low, high,
            axis->may_exceed ? ", or give a spacing" : "");
    return STATUS_OK;
}

static enum status check_count(const struct axis_window *axis, double count)
{
    if (count > count_most)
        return FAIL(STATUS_CONFIGURATION,
                    "a spacing of %g %s over %.9g %s makes %.3g nodes along %s, expected at most 2^24: are "
                    "degrees and metres mixed up?",
                    axis->spacing, axis->unit, axis->range[1] - axis->range[0], axis->unit, count, axis->key);
    return STATUS_OK;
}

static enum status take_memory(const struct axis_window *axis, size_t count, double **nodes)
{
    *nodes = malloc((count > 0 ? count : 1) * sizeof **nodes);
    if (*nodes == NULL)
        return FAIL(STATUS_SYSTEM, "%zu nodes along %s: out of memory", count, axis->key);
    return STATUS_OK;
}

// A uniform axis from the range's lower end.
static enum status lay_nodes(const struct axis_window *axis, double **nodes, size_t *count)
{
    double low = axis->range[0], width = axis->range[1] - low;
    double number = floor(width / axis->spacing + node_part) + 1;
    CHECK(check_count(axis, number));
    if (axis->is_longitude && (number - 1) * axis->spacing > 360 - circle_part * axis->spacing)
        number -= 1; // the last node is the first one again
    CHECK(check_extent(axis, low + (number - 1) * axis->spacing));
    *count = (size_t)number;
    CHECK(take_memory(axis, *count, nodes));
    for (size_t k = 0; k < *count; k++)
        (*nodes)[k] = low + axis->spacing * (double)k;
    return STATUS_OK;
}

// Longitude of the file's node number `index` of all revolutions, in the request's convention.
static double node_at(const struct axis_window *axis, int64_t index)
{
    int64_t count = (int64_t)axis->count;
    int64_t turn = index >= 0 ? index / count : -((-index + count - 1) / count);
    return axis->nodes[index - turn * count] + 360.0 * (double)turn - axis->shift;
}

// The file's own nodes inside the range.
static enum status crop_nodes(const struct axis_window *axis, double **nodes, size_t *count)
{
    double low = axis->range[0] - axis->tolerance, high = axis->range[1] + axis->tolerance;
    int64_t most = (int64_t)axis->count, index = 0;
    CHECK(check_extent(axis, axis->range[1]));
    if (axis->wraps) // the revolution in which the range starts, one early for safety
        index = ((int64_t)floor((axis->range[0] - axis->nodes[0]) / 360) - 1) * most;
    while (node_at(axis, index) < low && (axis->wraps || index < most - 1))
        index++;
    *count = 0;
    while ((int64_t)*count < most && (axis->wraps || index + (int64_t)*count < most) &&
           node_at(axis, index + (int64_t)*count) <= high)
        ++*count;
    CHECK(take_memory(axis, *count, nodes));
    for (size_t k = 0; k < *count; k++)
        (*nodes)[k] = node_at(axis, index + (int64_t)k);
    return STATUS_OK;
}

static enum status resolve_axis(struct axis_window *axis, double **nodes, size_t *count, bool *is_uniform)
{
    if (!axis->has_range) {
        axis->range[0] = axis->nodes[0];
        axis->range[1] = axis->wraps ? axis->nodes[0] + 360 : axis->nodes[axis->count - 1];
    }
    CHECK(check_range(axis));
    choose_shift(axis);
    CHECK(axis->spacing > 0 ? lay_nodes(axis, nodes, count) : crop_nodes(axis, nodes, count));
    if (*count < NODES_LEAST)
        return FAIL(STATUS_CONFIGURATION, "%s range %.9g … %.9g %s holds %zu node%s, expected at least %d",
                    axis->key, axis->range[0], axis->range[1], axis->unit, *count, *count == 1 ? "" : "s",
                    NODES_LEAST);
    *is_uniform = axis->spacing > 0 || grid_is_even(*nodes, *count, axis->tolerance);
    return STATUS_OK;
}

static bool goes_round(const struct axis_window *axis, const struct grid_window *window)
{
    if (!axis->wraps)
        return false;
    if (axis->spacing == 0)
        return window->nx == axis->count;
    return fabs((double)window->nx * axis->spacing - 360) <= circle_part * axis->spacing;
}

static enum status resolve(const struct grid_file *file, const struct grid_window_request *request,
                           struct grid_window *window)
{
    const struct grid_info *info = &file->info;
    bool is_globe = info->is_geographic;
    bool may_exceed = !isnan(request->outside_value);
    const char *unit = is_globe ? "degree" : "m";
    struct axis_window x = {.path = file->path,
                            .key = is_globe ? "longitude" : "x",
                            .unit = unit,
                            .nodes = file->x,
                            .count = info->nx_once,
                            .tolerance = file->x_tolerance,
                            .is_longitude = is_globe,
                            .wraps = info->wraps,
                            .may_exceed = may_exceed,
                            .has_range = request->has_x,
                            .range = {request->x_range[0], request->x_range[1]},
                            .spacing = request->spacing[0]};
    struct axis_window y = {.path = file->path,
                            .key = is_globe ? "latitude" : "y",
                            .unit = unit,
                            .nodes = file->y,
                            .count = info->ny,
                            .tolerance = file->y_tolerance,
                            .may_exceed = may_exceed,
                            .has_range = request->has_y,
                            .range = {request->y_range[0], request->y_range[1]},
                            .spacing = request->spacing[1]};
    window->is_geographic = is_globe;
    if (is_globe && request->has_y && !(request->y_range[0] >= -90 && request->y_range[1] <= 90))
        return FAIL(STATUS_CONFIGURATION, "latitude range %g … %g degree: expected −90 … 90",
                    request->y_range[0], request->y_range[1]);
    CHECK(resolve_axis(&x, &window->x, &window->nx, &window->is_uniform_x));
    CHECK(resolve_axis(&y, &window->y, &window->ny, &window->is_uniform_y));
    if ((double)window->nx * (double)window->ny > nodes_most)
        return FAIL(STATUS_CONFIGURATION,
                    "%zu × %zu nodes are %.3g, expected at most 1e11: is the spacing right (degrees and "
                    "metres mixed up?)",
                    window->nx, window->ny, (double)window->nx * (double)window->ny);
    window->covers_globe = goes_round(&x, window);
    return STATUS_OK;
}

enum status grid_window_resolve(const struct grid_file *file, const struct grid_window_request *request,
                                struct grid_window *window)
{
    *window = (struct grid_window){0};
    enum status status = resolve(file, request, window);
    if (status != STATUS_OK)
        grid_window_free(window);
    return status;
}

void grid_window_free(struct grid_window *window)
{
    free(window->x);
    free(window->y);
    *window = (struct grid_window){0};
}
