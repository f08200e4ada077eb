// See particles.h.
#include "report/particles.h"

#include "report/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_PARTICLES = 1 << 18 };
static const char positions_name[] = "coordinates", velocities_name[] = "velocities";

// Of the expected shape, with frames or without.
static bool has_variable(const struct report_particles *particles, const char *name)
{
    const struct result_variable *v = result_find(particles->file, name);
    const int before = particles->is_single ? 0 : 1;
    return v && v->rank == before + 2 && v->lengths[before + 1] == PARTICLES_AXES && v->lengths[before] > 0;
}

static enum status open_file(const char *directory, const char *name, struct report_particles *particles,
                             bool *is_found)
{
    char path[REPORT_PATH_BYTES];
    *is_found = false;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path || access(path, F_OK) != 0)
        return STATUS_OK;
    CHECK(result_open(path, &particles->file));
    if (!has_variable(particles, positions_name))
        return STATUS_OK;
    const struct result_variable *v = result_find(particles->file, positions_name);
    particles->frames = particles->is_single ? 1 : v->lengths[0];
    particles->count = v->lengths[particles->is_single ? 0 : 1];
    *is_found = particles->frames > 0;
    return STATUS_OK;
}

enum status report_particles_open_trajectory(const char *directory, struct report_particles *particles,
                                             bool *is_found)
{
    size_t times;
    particles->is_single = false;
    CHECK(open_file(directory, "trajectory.nc", particles, is_found));
    if (!*is_found)
        return STATUS_OK;
    CHECK(result_read_all(particles->file, "time", &particles->times, &times));
    return times == particles->frames ? STATUS_OK
                                      : FAIL(STATUS_DATA, "%s: %zu times for %zu frames",
                                             result_path(particles->file), times, particles->frames);
}

enum status report_particles_open_final(const char *directory, struct report_particles *particles,
                                        bool *is_found)
{
    particles->is_single = true;
    return open_file(directory, "final.nc", particles, is_found);
}

enum status report_particles_open(const char *directory, struct report_particles *particles, bool *is_found)
{
    CHECK(report_particles_open_trajectory(directory, particles, is_found));
    return particles->file ? STATUS_OK : report_particles_open_final(directory, particles, is_found);
}

void report_particles_close(struct report_particles *particles)
{
    result_close(particles->file);
    free(particles->times);
    *particles = (struct report_particles){0};
}

bool report_particles_has_velocities(const struct report_particles *particles)
{
    return has_variable(particles, velocities_name);
}

static enum status read_vectors(const struct report_particles *particles, const char *name, size_t frame,
                                size_t first, size_t count, double *vectors)
{
    const size_t start[] = {frame, first, 0}, counts[] = {1, count, PARTICLES_AXES};
    const int skip = particles->is_single ? 1 : 0;
    return result_read(particles->file, name, start + skip, counts + skip, vectors);
}

enum status report_particles_read_positions(const struct report_particles *particles, size_t frame,
                                            size_t first, size_t count, double *positions)
{
    return read_vectors(particles, positions_name, frame, first, count, positions);
}

enum status report_particles_read_velocities(const struct report_particles *particles, size_t frame,
                                             size_t first, size_t count, double *velocities)
{
    return read_vectors(particles, velocities_name, frame, first, count, velocities);
}

enum status report_particles_read_plane(const struct report_particles *particles, size_t frame,
                                        const int axes[2], double unit, float **xy)
{
    const size_t count = particles->count;
    double *positions = malloc(count * PARTICLES_AXES * sizeof *positions);
    *xy = malloc(2 * count * sizeof **xy);
    enum status status = positions && *xy
                             ? report_particles_read_positions(particles, frame, 0, count, positions)
                             : FAIL(STATUS_SYSTEM, "report: not enough memory for particles");
    for (size_t k = 0; k < 2 * count && status == STATUS_OK; k++)
        (*xy)[k] = (float)(positions[PARTICLES_AXES * (k / 2) + (size_t)axes[k % 2]] / unit);
    free(positions);
    return status;
}

// ---- counts

// Weights 1 2 1 along both axes about the particle's cell.
static void spread(const struct particles_raster *raster, float *counts, double across, double up)
{
    static const float weights[] = {0.25F, 0.5F, 0.25F};
    const size_t columns = raster->cells[0], rows = raster->cells[1];
    if (!(across >= 1 && up >= 1 && across < (double)columns - 1 && up < (double)rows - 1))
        return;
    const size_t i = (size_t)across, j = (size_t)up;
    for (size_t v = 0; v < 3; v++)
        for (size_t u = 0; u < 3; u++)
            counts[(j + v - 1) * columns + i + u - 1] += weights[u] * weights[v];
}

static void count(const struct particles_raster *raster, float *counts, double across, double up)
{
    if (across >= 0 && up >= 0 && across < (double)raster->cells[0] && up < (double)raster->cells[1])
        counts[(size_t)up * raster->cells[0] + (size_t)across] += 1;
}

enum status report_particles_count(const struct report_particles *particles, size_t frame,
                                   const struct particles_raster *raster, float *counts)
{
    const size_t piece = particles->count < PIECE_PARTICLES ? particles->count : PIECE_PARTICLES;
    double *positions = malloc(piece * PARTICLES_AXES * sizeof *positions);
    if (!positions)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for particles");
    memset(counts, 0, raster->cells[0] * raster->cells[1] * sizeof *counts);
    enum status status = STATUS_OK;
    for (size_t first = 0; first < particles->count && status == STATUS_OK; first += piece) {
        const size_t length = first + piece < particles->count ? piece : particles->count - first;
        status = report_particles_read_positions(particles, frame, first, length, positions);
        for (size_t k = 0; k < length && status == STATUS_OK; k++) {
            const double *x = positions + PARTICLES_AXES * k;
            const double across = (x[raster->axes[0]] - raster->low[0]) / raster->cell[0],
                         up = (x[raster->axes[1]] - raster->low[1]) / raster->cell[1];
            (raster->is_spread ? spread : count)(raster, counts, across, up);
        }
    }
    free(positions);
    return status;
}
