// The bodies of an N-body report: which there are at which times, what part of space they fill, how many fall on each pixel.
// Knows trajectory.nc and final.nc; draws nothing. Bodies are read in pieces: memory does not grow with their number.
#include "cli/report_nbody.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_BODIES = 1 << 18, SAMPLES = 48, SAMPLE_BODIES = 512 };
static const char positions_name[] = "coordinates";

const struct nbody_plane nbody_planes[NBODY_PLANES] = {{0, 1, "x–y"}, {0, 2, "x–z"}};

static enum status open_file(const struct report *report, const char *name, struct result_file **file)
{
    char path[REPORT_PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", report->options.directory, name) >= (int)sizeof path ||
        access(path, F_OK) != 0)
        return STATUS_OK;
    return result_open(path, file);
}

enum status nbody_open_bodies(const struct report *report, struct nbody_bodies *bodies, bool *is_there)
{
    *is_there = false;
    CHECK(open_file(report, "trajectory.nc", &bodies->file));
    bodies->is_single = !bodies->file;
    if (bodies->is_single)
        CHECK(open_file(report, "final.nc", &bodies->file));
    const struct result_variable *v = result_find(bodies->file, positions_name);
    const int before = bodies->is_single ? 0 : 1;
    if (!v || v->rank != before + 2 || v->lengths[before + 1] != NBODY_SPACE || v->lengths[before] == 0)
        return STATUS_OK;
    bodies->frames = bodies->is_single ? 1 : v->lengths[0];
    bodies->count = v->lengths[before];
    *is_there = bodies->frames > 0;
    if (bodies->is_single || !*is_there)
        return STATUS_OK;
    size_t times;
    CHECK(result_read_all(bodies->file, "time", &bodies->times, &times));
    return times == bodies->frames ? STATUS_OK
                                   : FAIL(STATUS_DATA, "%s: %zu times for %zu frames",
                                          result_path(bodies->file), times, bodies->frames);
}

void nbody_close_bodies(struct nbody_bodies *bodies)
{
    result_close(bodies->file);
    free(bodies->times);
    *bodies = (struct nbody_bodies){0};
}

enum status nbody_read_positions(const struct nbody_bodies *bodies, size_t frame, size_t first, size_t count,
                                 double *positions)
{
    const size_t start[] = {frame, first, 0}, counts[] = {1, count, NBODY_SPACE};
    const int skip = bodies->is_single ? 1 : 0;
    return result_read(bodies->file, positions_name, start + skip, counts + skip, positions);
}

// Some bodies of a frame, evenly spread over the ids; [axis][…], *count of them.
static enum status sample_frame(const struct nbody_bodies *bodies, size_t frame, size_t room,
                                float *const values[NBODY_SPACE], size_t *count)
{
    const size_t piece = SAMPLE_BODIES,
                 stride = bodies->count / SAMPLES > piece ? bodies->count / SAMPLES : piece;
    double *positions = malloc(piece * NBODY_SPACE * sizeof *positions);
    enum status status = positions ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    for (size_t first = 0; first < bodies->count && status == STATUS_OK; first += stride) {
        const size_t wanted = bodies->count - first < piece ? bodies->count - first : piece;
        status = nbody_read_positions(bodies, frame, first, wanted, positions);
        for (size_t k = 0; k < wanted && status == STATUS_OK && *count < room; k++, ++*count)
            for (int axis = 0; axis < NBODY_SPACE; axis++)
                values[axis][*count] = (float)positions[NBODY_SPACE * k + (size_t)axis];
    }
    free(positions);
    return status;
}

enum status nbody_choose_view(const struct nbody_bodies *bodies, const size_t *frames, size_t count,
                              struct nbody_view *view)
{
    // All of few bodies; of many, without the last in a hundred on each side.
    const double outer = bodies->count > 100 ? 0.01 : 0;
    const size_t room = count * SAMPLES * SAMPLE_BODIES;
    float *values = malloc(NBODY_SPACE * room * sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    float *const axes[] = {values, values + room, values + 2 * room};
    size_t sampled = 0;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count && status == STATUS_OK; k++)
        status = sample_frame(bodies, frames[k], room, axes, &sampled);
    view->half = 0;
    for (int axis = 0; axis < NBODY_SPACE; axis++) {
        const double low = style_percentile(axes[axis], sampled, outer, -INFINITY),
                     high = style_percentile(axes[axis], sampled, 1 - outer, -INFINITY);
        view->middle[axis] = isfinite(low + high) ? 0.5 * (low + high) : 0;
        view->half = fmax(view->half, 0.5 * (high - low)); // a NaN is left out
    }
    view->half = view->half > 0 ? 1.12 * view->half : 1;
    free(values);
    return status;
}

// Weights 1 2 1 along both axes about the body's pixel: its neighbours show it too, so that a single body can be seen.
static void spread(size_t side, float *pixels, double across, double up)
{
    static const float weights[] = {0.25F, 0.5F, 0.25F};
    const double s = (double)side;
    if (!(across >= 1 && up >= 1 && across < s - 1 && up < s - 1))
        return;
    const size_t i = (size_t)across, j = (size_t)up;
    for (size_t v = 0; v < 3; v++)
        for (size_t u = 0; u < 3; u++)
            pixels[(j + v - 1) * side + i + u - 1] += weights[u] * weights[v];
}

enum status nbody_count_pixels(const struct nbody_bodies *bodies, size_t frame, int plane,
                               const struct nbody_view *view, size_t side, float *pixels)
{
    const int across = nbody_planes[plane].across, up = nbody_planes[plane].up;
    const double per_unit = 0.5 * (double)side / view->half, middle = 0.5 * (double)side;
    const size_t piece = bodies->count < PIECE_BODIES ? bodies->count : PIECE_BODIES;
    double *positions = malloc(piece * NBODY_SPACE * sizeof *positions);
    if (!positions)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    memset(pixels, 0, side * side * sizeof *pixels);
    enum status status = STATUS_OK;
    for (size_t first = 0; first < bodies->count && status == STATUS_OK; first += piece) {
        const size_t length = first + piece < bodies->count ? piece : bodies->count - first;
        status = nbody_read_positions(bodies, frame, first, length, positions);
        for (size_t k = 0; k < length && status == STATUS_OK; k++)
            spread(side, pixels,
                   middle + (positions[NBODY_SPACE * k + (size_t)across] - view->middle[across]) * per_unit,
                   middle + (positions[NBODY_SPACE * k + (size_t)up] - view->middle[up]) * per_unit);
    }
    free(positions);
    return status;
}
