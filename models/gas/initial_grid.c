// Cells for finding whether a position is too close to another: see initial_private.h.
#include "models/gas/initial_private.h"

#include <math.h>

void gas_grid_shape(struct gas_grid *grid, const struct gas_physics *physics, double distance, size_t count)
{
    const double *box = physics->box;
    const double each = sqrt(box[GAS_X] * box[GAS_Y] / (double)count);
    *grid = (struct gas_grid){.physics = physics, .distance = distance};
    for (int axis = 0; axis < GAS_AXES; axis++) {
        // In a narrow box the long axis has at most as many cells as there are particles.
        const double cells = fmin(floor(box[axis] / fmax(distance, each)), (double)count);
        grid->cells[axis] = (int)fmax(cells, 1);
    }
}

size_t gas_grid_cells(const struct gas_grid *grid)
{
    return (size_t)grid->cells[GAS_X] * (size_t)grid->cells[GAS_Y];
}

void gas_grid_clear(struct gas_grid *grid)
{
    for (size_t cell = 0; cell < gas_grid_cells(grid); cell++)
        grid->heads[cell] = -1;
}

// Positions outside the box belong to the nearest cell.
static int index_on(const struct gas_grid *grid, int axis, double x)
{
    const double index = floor(x / grid->physics->box[axis] * grid->cells[axis]);
    return (int)fmin(fmax(index, 0), grid->cells[axis] - 1);
}

// The neighbouring index, which may be on the opposite side of a periodic box; −1: none.
static int index_beside(const struct gas_grid *grid, int axis, int index, int offset)
{
    const int cells = grid->cells[axis], beside = index + offset;
    if (beside >= 0 && beside < cells)
        return beside;
    return gas_is_periodic(grid->physics, axis) ? (beside + cells) % cells : -1;
}

static double square_between(const struct gas_grid *grid, const double *a, const double *b)
{
    double square = 0;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double length = grid->physics->box[axis];
        double r = a[axis] - b[axis];
        if (gas_is_periodic(grid->physics, axis))
            r -= length * round(r / length);
        square += r * r;
    }
    return square;
}

double gas_grid_distance(const struct gas_grid *grid, const double *a, const double *b)
{
    return sqrt(square_between(grid, a, b));
}

static bool is_near(const struct gas_grid *grid, const double *position, double mass, int32_t id)
{
    const double square = square_between(grid, position, grid->positions[id]);
    if (!(square < grid->distance * grid->distance))
        return false;
    return !grid->masses || square < grid->overflow * grid->overflow ||
           gas_is_too_near(grid->physics, (const double[2]){mass, grid->masses[id]}, sqrt(square));
}

static int64_t find_in_cell(const struct gas_grid *grid, int x, int y, const double *position, double mass)
{
    const size_t cell = (size_t)y * (size_t)grid->cells[GAS_X] + (size_t)x;
    for (int32_t id = grid->heads[cell]; id >= 0; id = grid->next[id])
        if (is_near(grid, position, mass, id))
            return id;
    return -1;
}

int64_t gas_grid_find_near(const struct gas_grid *grid, const double *position, double mass)
{
    const int x = index_on(grid, GAS_X, position[GAS_X]), y = index_on(grid, GAS_Y, position[GAS_Y]);
    for (int up = -1; up <= 1; up++)
        for (int right = -1; right <= 1; right++) {
            const int column = index_beside(grid, GAS_X, x, right), row = index_beside(grid, GAS_Y, y, up);
            const int64_t id = column < 0 || row < 0 ? -1 : find_in_cell(grid, column, row, position, mass);
            if (id >= 0)
                return id;
        }
    return -1;
}

void gas_grid_add(struct gas_grid *grid, size_t id)
{
    const double *position = grid->positions[id];
    const size_t cell = (size_t)index_on(grid, GAS_Y, position[GAS_Y]) * (size_t)grid->cells[GAS_X] +
                        (size_t)index_on(grid, GAS_X, position[GAS_X]);
    grid->next[id] = grid->heads[cell];
    grid->heads[cell] = (int32_t)id;
}
