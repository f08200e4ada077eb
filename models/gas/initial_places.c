// Where particles lie at the start: on a lattice, or at random without overlap.
#include "core/philox.h"
#include "models/gas/initial_private.h"

#include <math.h>

void gas_draw_two(uint64_t seed, uint64_t draw, uint64_t id, double two[static 2])
{
    // The thermostats' noise counts steps in the low half: their seed may be the same.
    static const uint64_t not_a_step = (uint64_t)1 << 63;
    const struct philox_counter words =
        philox4x32(philox_counter_from(not_a_step + draw, id), philox_key_from_seed(seed));
    two[0] = philox_double(words.v[0], words.v[1]);
    two[1] = philox_double(words.v[2], words.v[3]);
}

// ---- lattice

// How far spacings are from the ideal lattice's, as a logarithm, and which share of the sites stays empty.
static double strangeness(const struct gas_physics *physics, double ideal, size_t count, size_t columns,
                          size_t rows)
{
    const double across = physics->box[GAS_X] / (double)columns, up = physics->box[GAS_Y] / (double)rows;
    return fabs(log(up / across / ideal)) + 2 * ((double)(columns * rows) / (double)count - 1);
}

void gas_lattice_fit(struct gas_lattice *lattice, const struct gas_physics *physics, size_t count)
{
    // Spacing of rows to that within a row.
    const double ideal = lattice->is_triangular ? sqrt(0.75) : 1;
    const double even = sqrt((double)count * ideal * physics->box[GAS_X] / physics->box[GAS_Y]);
    const size_t fewest = (size_t)fmin(fmax(floor(0.8 * even), 1), (double)count);
    const size_t most = (size_t)fmin(fmax(ceil(1.25 * even), 1), (double)count);
    // Rows are shifted alternately, also across a periodic boundary.
    const bool is_even = lattice->is_triangular && gas_is_periodic(physics, GAS_Y);
    double least = INFINITY;
    for (size_t columns = fewest; columns <= most; columns++) {
        size_t rows = (count + columns - 1) / columns;
        rows += is_even && rows % 2 == 1;
        const double strange = strangeness(physics, ideal, count, columns, rows);
        if (strange >= least)
            continue;
        least = strange;
        lattice->columns = columns;
        lattice->rows = rows;
    }
}

void gas_lattice_position(const struct gas_lattice *lattice, const struct gas_physics *physics, size_t count,
                          uint64_t seed, size_t id, double position[static GAS_AXES])
{
    const size_t sites = lattice->columns * lattice->rows;
    const size_t site = (size_t)((unsigned __int128)id * sites / count);
    const size_t column = site % lattice->columns, row = site / lattice->columns;
    const double shift = !lattice->is_triangular ? 0.5 : row % 2 == 0 ? 0.25 : 0.75;
    double two[2] = {0.5, 0.5};
    if (lattice->jitter > 0)
        gas_draw_two(seed, GAS_DRAW_JITTER, id, two);
    const double x = (double)column + shift + lattice->jitter * (2 * two[0] - 1);
    const double y = (double)row + 0.5 + lattice->jitter * (2 * two[1] - 1);
    position[GAS_X] = x * physics->box[GAS_X] / (double)lattice->columns;
    position[GAS_Y] = y * physics->box[GAS_Y] / (double)lattice->rows;
}

// ---- at random (random sequential addition)

// gas_initial_fit admits densities at which a few hundred tries suffice.
enum { TRIES = 1000000 };

static bool place_one(struct gas_grid *grid, uint64_t seed, size_t id)
{
    const double *box = grid->physics->box;
    double *position = grid->positions[id];
    for (uint64_t k = 0; k < TRIES; k++) {
        double two[2];
        gas_draw_two(seed, GAS_DRAW_PLACES + k, id, two);
        for (int axis = 0; axis < GAS_AXES; axis++)
            position[axis] = two[axis] * box[axis];
        if (grid->distance == 0)
            return true;
        if (gas_grid_find_near(grid, position, 0) < 0) {
            gas_grid_add(grid, id);
            return true;
        }
    }
    return false;
}

bool gas_random_positions(struct gas_grid *grid, size_t count, uint64_t seed, size_t *placed)
{
    gas_grid_clear(grid);
    for (*placed = 0; *placed < count; ++*placed)
        if (!place_one(grid, seed, *placed))
            return false;
    return true;
}
