// Fields of a heat run with fewer cells, for the page: blocks of cells with their largest value.
#include "report/bioheat/report.h"

#include <math.h>
#include <stdlib.h>

// The page's axes are x, y, z, those of the files z, y, x.
static int page_axis(int axis)
{
    return HEAT_AXES - 1 - axis;
}

// An axis of one cell has no spacing; the page needs some size of it: that of another axis.
static double step_mm(const struct heat_volume *v, int axis)
{
    for (int k = 0; k < HEAT_AXES; k++) {
        const int other = (axis + k) % HEAT_AXES;
        if (v->cells[other] > 1)
            return v->axes_mm[other][1] - v->axes_mm[other][0];
    }
    return 1;
}

struct heat_reduction report_bioheat_reduction(const struct heat_volume *v, size_t factor)
{
    struct heat_reduction r;
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        const size_t f = factor < v->cells[axis] ? factor : v->cells[axis];
        const double step = step_mm(v, axis);
        r.factor[axis] = f;
        r.offset[axis] = (f / 2 + f - v->hottest[axis] % f) % f;
        struct web_volume_grid *grid = &r.grid;
        grid->cells[page_axis(axis)] = (v->cells[axis] - 1 + r.offset[axis]) / f + 1;
        grid->first_mm[page_axis(axis)] =
            v->axes_mm[axis][0] + (0.5 * (double)(f - 1) - (double)r.offset[axis]) * step;
        grid->step_mm[page_axis(axis)] = step * (double)f;
    }
    return r;
}

static size_t block_of(const struct heat_reduction *r, size_t z, size_t y, size_t x)
{
    const size_t *n = r->grid.cells;
    return ((z + r->offset[HEAT_Z]) / r->factor[HEAT_Z] * n[1] +
            (y + r->offset[HEAT_Y]) / r->factor[HEAT_Y]) *
               n[0] +
           (x + r->offset[HEAT_X]) / r->factor[HEAT_X];
}

static enum status read_plane(const struct heat_volume *v, const char *variable, long long record, size_t z,
                              double *values)
{
    const size_t start[] = {record >= 0 ? (size_t)record : 0, z, 0, 0},
                 count[] = {1, 1, v->cells[HEAT_Y], v->cells[HEAT_X]}, skip = record >= 0 ? 0 : 1;
    return result_read(v->file, variable, start + skip, count + skip, values);
}

static void clear(const struct heat_reduction *r, float *values)
{
    for (size_t k = 0; k < r->grid.cells[0] * r->grid.cells[1] * r->grid.cells[2]; k++)
        values[k] = NAN;
}

static enum status out_of_memory(size_t cells)
{
    return FAIL(STATUS_SYSTEM, "report: not enough memory for a plane of %zu cells", cells);
}

enum status report_bioheat_reduce(const struct heat_volume *v, const struct heat_reduction *r,
                                  const char *variable, long long record, float *values)
{
    const size_t nx = v->cells[HEAT_X], ny = v->cells[HEAT_Y];
    double *plane = malloc(nx * ny * sizeof *plane);
    enum status status = plane ? STATUS_OK : out_of_memory(nx * ny);
    clear(r, values);
    for (size_t z = 0; z < v->cells[HEAT_Z] && status == STATUS_OK; z++) {
        status = read_plane(v, variable, record, z, plane);
        for (size_t k = 0; k < nx * ny && status == STATUS_OK; k++) {
            float *value = &values[block_of(r, z, k / nx, k % nx)];
            if (isnan(*value) || plane[k] > (double)*value)
                *value = (float)plane[k];
        }
    }
    free(plane);
    return status;
}

// The square of the distance of a cell from the middle of its block, in halves of cells.
static long from_middle(const struct heat_reduction *r, const size_t cell[HEAT_AXES])
{
    long sum = 0;
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        const long at = (long)((cell[axis] + r->offset[axis]) % r->factor[axis]);
        const long away = 2 * at - ((long)r->factor[axis] - 1);
        sum += away * away;
    }
    return sum;
}

// What a block has so far: air is cooler than any tissue.
struct best {
    double temperature_c;
    long distance;
};

static void take_labels(const struct heat_volume *v, const struct heat_reduction *r, size_t z,
                        const double *planes[2], struct best *best, float *values)
{
    const size_t nx = v->cells[HEAT_X], ny = v->cells[HEAT_Y];
    for (size_t k = 0; k < nx * ny; k++) {
        const size_t cell[HEAT_AXES] = {z, k / nx, k % nx}, block = block_of(r, z, cell[1], cell[2]);
        const double temperature_c = isnan(planes[0][k]) ? -INFINITY : planes[0][k];
        const long distance = from_middle(r, cell);
        struct best *b = &best[block];
        if (!isnan(values[block]) && !(temperature_c > b->temperature_c) &&
            !(temperature_c == b->temperature_c && distance < b->distance))
            continue;
        *b = (struct best){temperature_c, distance};
        values[block] = (float)planes[1][k];
    }
}

enum status report_bioheat_reduce_labels(const struct heat_volume *v, const struct heat_reduction *r,
                                         float *values)
{
    const size_t plane = v->cells[HEAT_X] * v->cells[HEAT_Y],
                 blocks = r->grid.cells[0] * r->grid.cells[1] * r->grid.cells[2];
    double *both = malloc(2 * plane * sizeof *both);
    struct best *best = calloc(blocks, sizeof *best);
    enum status status = both && best ? STATUS_OK : out_of_memory(plane);
    clear(r, values);
    for (size_t z = 0; z < v->cells[HEAT_Z] && status == STATUS_OK; z++) {
        status = read_plane(v, v->variable, -1, z, both);
        if (status == STATUS_OK)
            status = read_plane(v, "label", -1, z, both + plane);
        if (status == STATUS_OK)
            take_labels(v, r, z, (const double *[]){both, both + plane}, best, values);
    }
    free(both);
    free(best);
    return status;
}
