// The block `method` of a gas job. For keys that it omits, chooses the values with the lowest estimated cost
// of a step.
#include "models/gas/method.h"
#include "models/gas/params_private.h"

#include <math.h>
#include <string.h>

// The costs of one interaction: of a pair of particles (`pair`), of a cell with a particle (`middle`), of a
// cell with a cell (`far`).
struct costs {
    double pair, middle, far;
};
// Operations, as Balen (2016) counts them (its eqs 16 and 21).
static const struct costs operations = {12, 15, 14};
// For a GPU: in the ratio of their times on an H200, in single precision (`fathom bench gas`).
static const struct costs device_times = {12, 27, 40};

static const struct costs *costs_of(const struct gas_params *p)
{
    return p->backend && p->backend->head.has_devices ? &device_times : &operations;
}

// Sorting the particles and building the lists costs as much as testing the pairs of 9 cells, about every
// tenth step.
static const double steps_per_sort = 10;

// Regions are an approximation: for fewer particles direct summation is quick, and exact.
static const size_t fewest_for_regions = 16384;

// ---- lists

static double density_of(const struct gas_params *p)
{
    return (double)p->count / (p->physics.box[GAS_X] * p->physics.box[GAS_Y]);
}

// Neighbours at the highest density that the potential allows: 1.5 per square of the core (a triangular
// lattice of spacing 0.88), or four times the mean density without a core; a multiple of 8.
static int likely_neighbours(const struct gas_params *p)
{
    const double pi = 3.14159265358979323846, reach = gas_lists_reach(&p->physics);
    const double core = gas_core(&p->physics), mean = density_of(p);
    const double density = core > 0 ? fmax(1.5 / (core * core), 2 * mean) : 4 * mean;
    const double most = ceil(density * pi * reach * reach / 8) * 8 + 8;
    return (int)fmin(most, 65536);
}

static double list_cost(const struct gas_params *p)
{
    const double pi = 3.14159265358979323846, reach = gas_lists_reach(&p->physics);
    return operations.pair * density_of(p) * reach * reach * (pi + 9 / steps_per_sort);
}

// A periodic axis needs at least three cells of the lists.
static bool lists_fit(const struct gas_params *p)
{
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (gas_is_periodic(&p->physics, axis) && gas_lists_cells(&p->physics, p->count, axis) < 3)
            return false;
    return true;
}

// ---- regions

// Number of cells nearer than `radius`, in cells, in an infinite grid.
static double cells_within(double radius)
{
    double sum = 0;
    const int reach = (int)radius;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++)
            sum += dx * dx + dy * dy < radius * radius;
    return sum;
}

struct region_cells {
    double near, middle;
};

static double region_cost(const struct gas_params *p, const struct costs *costs,
                          const struct region_cells *within, double columns, double rows)
{
    const double cells = columns * rows, particles = (double)p->count;
    const double near = fmin(within->near, cells), middle = fmin(within->middle, cells - near);
    return costs->pair * near * particles / cells + costs->middle * middle +
           costs->far * cells * (cells - near - middle) / particles;
}

static int rows_for(const struct gas_physics *physics, int columns)
{
    const double rows = round(columns * physics->box[GAS_Y] / physics->box[GAS_X]);
    return (int)fmin(fmax(rows, 1), 32768);
}

// A cell must be at least as wide as the cut-off.
static int most_cells(const struct gas_physics *physics, int axis)
{
    const double most = physics->cut_off > 0 ? floor(physics->box[axis] / physics->cut_off) : 4096;
    return (int)fmin(fmax(most, 1), 4096);
}

static void choose_regions(const struct gas_params *p, struct gas_regions *regions)
{
    const struct gas_physics *physics = &p->physics;
    const struct region_cells within = {cells_within(regions->near),
                                        cells_within(regions->far) - cells_within(regions->near)};
    const int most_columns = most_cells(physics, GAS_X), most_rows = most_cells(physics, GAS_Y);
    double least = INFINITY;
    for (int columns = 1; columns <= most_columns; columns++) {
        const int wanted = rows_for(physics, columns), rows = wanted < most_rows ? wanted : most_rows;
        const double cost = region_cost(p, costs_of(p), &within, columns, rows);
        if (cost >= least)
            continue;
        least = cost;
        regions->columns = columns;
        regions->rows = rows;
    }
}

static enum status read_regions(const struct job *job, struct gas_params *p)
{
    struct gas_regions *regions = &p->physics.regions;
    const bool has_columns = job_has(job, "method.regions.columns");
    *regions = (struct gas_regions){.near = job_number(job, "method.regions.near"),
                                    .far = job_number(job, "method.regions.far"),
                                    .order = (int)job_integer(job, "method.regions.order")};
    if (regions->far < regions->near)
        return job_fail(job, "method.regions.far",
                        "%g is less than near, %g: far cells lie beyond the near ones", regions->far,
                        regions->near);
    if (has_columns != job_has(job, "method.regions.rows"))
        return job_fail(job, "method.regions", "expected both columns and rows, or neither");
    if (!has_columns) {
        choose_regions(p, regions);
        return STATUS_OK;
    }
    regions->columns = (int)job_integer(job, "method.regions.columns");
    regions->rows = (int)job_integer(job, "method.regions.rows");
    return STATUS_OK;
}

// ---- the method

static double cost_by_cells(const struct gas_params *p, const struct costs *costs)
{
    const struct gas_regions *regions = &p->physics.regions;
    const struct region_cells within = {cells_within(regions->near),
                                        cells_within(regions->far) - cells_within(regions->near)};
    return regions->columns > 0 ? region_cost(p, costs, &within, regions->columns, regions->rows)
                                : list_cost(p);
}

double gas_operations(const struct gas_params *p)
{
    const double n = (double)p->count;
    return n * (p->physics.method == GAS_CELLS ? cost_by_cells(p, &operations) : operations.pair * (n - 1));
}

static enum gas_method cheapest(const struct gas_params *p)
{
    const struct gas_physics *physics = &p->physics;
    if (physics->potential == GAS_NO_FORCE || gas_has_endless_repulsion(physics))
        return GAS_ALL_PAIRS;
    if (physics->regions.columns == 0 && !lists_fit(p))
        return GAS_ALL_PAIRS;
    if (physics->regions.columns > 0 && p->count < fewest_for_regions)
        return GAS_ALL_PAIRS;
    const struct costs *costs = costs_of(p);
    return cost_by_cells(p, costs) < costs->pair * (double)(p->count - 1) ? GAS_CELLS : GAS_ALL_PAIRS;
}

enum status gas_params_read_method(const struct job *job, struct gas_params *p)
{
    struct gas_physics *physics = &p->physics;
    const char *name = job_string(job, "method.name");
    physics->lists.skin =
        job_has(job, "method.skin") ? job_number(job, "method.skin") : gas_usual_skin(physics->cut_off);
    physics->lists.neighbours =
        job_has(job, "method.neighbours") ? (int)job_integer(job, "method.neighbours") : likely_neighbours(p);
    if (gas_has_log(physics))
        CHECK(read_regions(job, p));
    physics->method = strcmp(name, "all-pairs") == 0 ? GAS_ALL_PAIRS
                      : strcmp(name, "cells") == 0   ? GAS_CELLS
                                                     : cheapest(p);
    if (physics->method == GAS_ALL_PAIRS)
        physics->regions = (struct gas_regions){.columns = 0};
    return STATUS_OK;
}
