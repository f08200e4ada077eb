// The reference's three regions: THE REGIONS of state.h, with complex numbers and without lists.
#include "models/gas/reference.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

// Of a cell: how many, Σ z, Σ (z − c)²; and what far cells make at its centre of mass.
struct cell {
    double count, x, y, moment_x, moment_y;
    double field_x, field_y, slope_x, slope_y, potential;
};

struct reference_regions {
    struct gas_setup setup;
    struct cell *cells;
    uint32_t *cell_of; // by particle
    size_t count;      // of cells
};

enum status reference_regions_plan(const struct gas_setup *setup, struct memory_plan *plan,
                                   const char *prefix, struct reference_regions **regions)
{
    const struct gas_regions *rule = &setup->physics->regions;
    struct reference_regions *r = calloc(1, sizeof *r);
    *regions = r;
    if (!r)
        return FAIL(STATUS_SYSTEM, "no memory for the reference's regions");
    r->setup = *setup;
    r->count = (size_t)rule->columns * (size_t)rule->rows;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, r->count, sizeof *r->cells / sizeof(double),
                          (void **)&r->cells, "%sreference cells", prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, setup->count, 1, (void **)&r->cell_of,
                           "%sreference cell of particle", prefix);
}

static double complex centre_of(const struct cell *cell)
{
    return cell->x / cell->count + I * (cell->y / cell->count);
}

static int index_on(double x, double length, int cells)
{
    const double index = floor(x / length * cells);
    return index > cells - 1 ? cells - 1 : index > 0 ? (int)index : 0; // 0 also if x is NaN
}

static void sum_cells(struct reference_regions *r, const struct gas_particle *particles)
{
    const struct gas_physics *physics = r->setup.physics;
    const struct gas_regions *rule = &physics->regions;
    for (size_t c = 0; c < r->count; c++)
        r->cells[c] = (struct cell){.count = 0};
    for (size_t i = 0; i < r->setup.count; i++) {
        const double *x = particles[i].position;
        r->cell_of[i] = (uint32_t)(index_on(x[GAS_Y], physics->box[GAS_Y], rule->rows) * rule->columns +
                                   index_on(x[GAS_X], physics->box[GAS_X], rule->columns));
        struct cell *cell = &r->cells[r->cell_of[i]];
        cell->count++;
        cell->x += x[GAS_X];
        cell->y += x[GAS_Y];
    }
    for (size_t i = 0; i < r->setup.count; i++) {
        struct cell *cell = &r->cells[r->cell_of[i]];
        const double complex d =
            particles[i].position[GAS_X] + I * particles[i].position[GAS_Y] - centre_of(cell);
        cell->moment_x += creal(d * d);
        cell->moment_y += cimag(d * d);
    }
}

// The square of the distance of two cells' middles, in cells.
static int distance_square(const struct gas_regions *rule, size_t a, size_t b)
{
    const int dx = (int)(a % (size_t)rule->columns) - (int)(b % (size_t)rule->columns);
    const int dy = (int)(a / (size_t)rule->columns) - (int)(b / (size_t)rule->columns);
    return dx * dx + dy * dy;
}

// E, E' and U/A of a cell at z.
static void add_multipole(const struct gas_physics *physics, const struct cell *cell, double complex z,
                          double complex *field, double complex *slope, double *potential)
{
    const double complex d = z - centre_of(cell), q = cell->moment_x + I * cell->moment_y;
    const double s = creal(d * conj(d)) + physics->softening * physics->softening;
    *field += cell->count * conj(d) / s + q / (d * d * d);
    *slope += -cell->count / (d * d) - 3 * q / (d * d * d * d);
    *potential += cell->count / 2 * log(s) - creal(q / (2 * d * d));
}

static void sum_far_cells(struct reference_regions *r)
{
    const struct gas_regions *rule = &r->setup.physics->regions;
    for (size_t a = 0; a < r->count; a++) {
        double complex field = 0, slope = 0;
        double potential = 0;
        for (size_t b = 0; b < r->count && r->cells[a].count > 0; b++)
            if (r->cells[b].count > 0 && distance_square(rule, a, b) >= rule->far * rule->far)
                add_multipole(r->setup.physics, &r->cells[b], centre_of(&r->cells[a]), &field, &slope,
                              &potential);
        r->cells[a].field_x = creal(field);
        r->cells[a].field_y = cimag(field);
        r->cells[a].slope_x = creal(slope);
        r->cells[a].slope_y = cimag(slope);
        r->cells[a].potential = potential;
    }
}

// Far cells' field at a particle of cell `own`, by Taylor's series about the cell's centre of mass.
static void add_far_cells(const struct gas_regions *rule, const struct cell *own, double complex z,
                          double complex *field, double *potential)
{
    const double complex w = z - centre_of(own), at_centre = own->field_x + I * own->field_y;
    const double complex slope = rule->order > 0 ? own->slope_x + I * own->slope_y : 0;
    *field += at_centre + slope * w;
    *potential += own->potential + creal(at_centre * w + slope * w * w / 2);
}

// How many of all pairs' partners a particle has in middle and far cells: their r·F is −A each, but for the
// softening.
static void add_cells(struct reference_regions *r, size_t i, const struct gas_particle *particle,
                      struct gas_field *field)
{
    const struct gas_physics *physics = r->setup.physics;
    const struct gas_regions *rule = &physics->regions;
    const double complex z = particle->position[GAS_X] + I * particle->position[GAS_Y];
    double complex sum = 0, unused = 0;
    double potential = 0, partners = 0;
    for (size_t c = 0; c < r->count; c++) {
        const int square = distance_square(rule, r->cell_of[i], c);
        if (square < rule->near * rule->near || r->cells[c].count == 0)
            continue;
        partners += r->cells[c].count;
        if (square < rule->far * rule->far)
            add_multipole(physics, &r->cells[c], z, &sum, &unused, &potential);
    }
    add_far_cells(rule, &r->cells[r->cell_of[i]], z, &sum, &potential);
    field->force[GAS_X] -= physics->attraction * creal(sum);
    field->force[GAS_Y] += physics->attraction * cimag(sum);
    field->potential += physics->attraction * potential / 2;
    field->virial -= physics->attraction * partners / 2;
}

void reference_regions_sum(struct reference_regions *r, const struct gas_particle *particles,
                           struct gas_field *field)
{
    const struct gas_physics *physics = r->setup.physics;
    const double near = physics->regions.near;
    sum_cells(r, particles);
    sum_far_cells(r);
    for (size_t i = 0; i < r->setup.count; i++) {
        struct gas_field sum = {{0, 0}, 0, 0};
        for (size_t j = 0; j < r->setup.count; j++)
            if (j != i && distance_square(&physics->regions, r->cell_of[i], r->cell_of[j]) < near * near)
                reference_add_pair(physics, &particles[i], &particles[j], &sum);
        add_cells(r, i, &particles[i], &sum);
        field[i] = sum;
    }
}
