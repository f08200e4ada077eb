// The part of space that the bodies of an N-body report fill, and their number on each pixel. Draws nothing.
#include "report/nbody/report.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 48, SAMPLE_BODIES = 512 };

const struct nbody_plane report_nbody_planes[NBODY_PLANES] = {{0, 1, "x–y"}, {0, 2, "x–z"}};

// Some bodies of a frame, evenly spread over the ids; [axis][…], *count of them.
static enum status sample_frame(const struct report_particles *bodies, size_t frame, size_t capacity,
                                float *const values[NBODY_SPACE], size_t *count)
{
    const size_t piece = SAMPLE_BODIES,
                 stride = bodies->count / SAMPLES > piece ? bodies->count / SAMPLES : piece;
    double *positions = malloc(piece * NBODY_SPACE * sizeof *positions);
    enum status status = positions ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    for (size_t first = 0; first < bodies->count && status == STATUS_OK; first += stride) {
        const size_t wanted = bodies->count - first < piece ? bodies->count - first : piece;
        status = report_particles_read_positions(bodies, frame, first, wanted, positions);
        for (size_t k = 0; k < wanted && status == STATUS_OK && *count < capacity; k++, ++*count)
            for (int axis = 0; axis < NBODY_SPACE; axis++)
                values[axis][*count] = (float)positions[NBODY_SPACE * k + (size_t)axis];
    }
    free(positions);
    return status;
}

enum status report_nbody_choose_view(const struct report_particles *bodies, const size_t *frames,
                                     size_t count, struct nbody_view *view)
{
    // All of few bodies; of many, without the outermost hundredth on each side.
    const double outer = bodies->count > 100 ? 0.01 : 0;
    const size_t capacity = count * SAMPLES * SAMPLE_BODIES;
    float *values = malloc(NBODY_SPACE * capacity * sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    float *const axes[] = {values, values + capacity, values + 2 * capacity};
    size_t sampled = 0;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count && status == STATUS_OK; k++)
        status = sample_frame(bodies, frames[k], capacity, axes, &sampled);
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

enum status report_nbody_count_pixels(const struct report_particles *bodies, size_t frame, int plane,
                                      const struct nbody_view *view, size_t side, float *pixels)
{
    const int across = report_nbody_planes[plane].across, up = report_nbody_planes[plane].up;
    const double pixel = 2 * view->half / (double)side;
    const struct particles_raster raster = {
        .axes = {across, up},
        .low = {view->middle[across] - view->half, view->middle[up] - view->half},
        .cell = {pixel, pixel},
        .cells = {side, side},
        .is_spread = true};
    return report_particles_count(bodies, frame, &raster, pixels);
}
