// THE REGIONS of state.h: near cells by pairs, middle cells as multipoles at each particle, far cells once
// per cell. Threads over cells.
#include "models/gas/openmp_pairs_isa.h"
#include "models/gas/openmp_sweeps_isa.h"

#include "core/clock.h"
#include "models/arrays.h"
#include "models/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The field of far cells at a cell's centre of mass: E, E' and U/A.
struct far_field {
    double field_x, field_y, slope_x, slope_y, potential, partners;
};

struct gas_field_regions {
    struct gas_setup setup;
    const struct pair_functions *functions;
    const struct sweep_functions *sweep;
    struct gas_grid grid;
    int threads, near_most, middle_most;
    int32_t *near, *middle; // [cell][most + 1] cells, ended by END_OF_LIST
    int32_t *middle_count;  // [cell]
    bool has_lists;
    struct pair_multipole *multipoles; // [cell]
    struct far_field *far;             // [cell]
    double pairs;
};

enum { END_OF_LIST = -1 };

// ---- lists of cells

static int64_t distance_square(const struct gas_grid *grid, size_t a, size_t b)
{
    const int64_t columns = grid->columns;
    const int64_t dx = (int64_t)a % columns - (int64_t)b % columns;
    const int64_t dy = (int64_t)a / columns - (int64_t)b / columns;
    return dx * dx + dy * dy;
}

// Offsets (dx, dy) with from² ≤ dx² + dy² < to²: the most cells that a list may have.
static int count_offsets(const struct gas_grid *grid, double from, double to)
{
    const int reach = (int)ceil(to);
    int count = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) {
            const double square = (double)dx * dx + (double)dy * dy;
            count += square >= from * from && square < to * to;
        }
    const int64_t cells = (int64_t)gas_grid_cells(grid);
    return count < cells ? count : (int)cells;
}

// Row by row, ascending. Returns how many there are.
static int32_t list_cells(const struct gas_grid *grid, size_t cell, double from, double to, int32_t *list)
{
    const int reach = (int)ceil(to), row = (int)cell / grid->columns, column = (int)cell % grid->columns;
    int32_t count = 0;
    for (int y = row - reach < 0 ? 0 : row - reach; y <= row + reach && y < grid->rows; y++)
        for (int x = column - reach < 0 ? 0 : column - reach; x <= column + reach && x < grid->columns; x++) {
            const double square = (double)(x - column) * (x - column) + (double)(y - row) * (y - row);
            if (square >= from * from && square < to * to)
                list[count++] = y * grid->columns + x;
        }
    list[count] = END_OF_LIST;
    return count;
}

static const int32_t *near_of(const struct gas_field_regions *r, size_t cell)
{
    return r->near + cell * (size_t)(r->near_most + 1);
}

static const int32_t *middle_of(const struct gas_field_regions *r, size_t cell)
{
    return r->middle + cell * (size_t)(r->middle_most + 1);
}

static void make_lists(struct gas_field_regions *r)
{
    const struct gas_regions *rule = &r->setup.physics->regions;
    for (size_t c = 0; c < gas_grid_cells(&r->grid) && !r->has_lists; c++) {
        (void)list_cells(&r->grid, c, 0, rule->near, r->near + c * (size_t)(r->near_most + 1));
        r->middle_count[c] =
            list_cells(&r->grid, c, rule->near, rule->far, r->middle + c * (size_t)(r->middle_most + 1));
    }
    r->has_lists = true;
}

// ---- plan

enum status gas_regions_plan(const struct gas_setup *setup, int threads, struct memory_plan *plan,
                             const char *prefix, struct gas_field_regions **regions)
{
    const struct gas_regions *rule = &setup->physics->regions;
    struct gas_field_regions *r = calloc(1, sizeof *r);
    *regions = r;
    if (!r)
        return FAIL(STATUS_SYSTEM, "no memory for the regions");
    r->setup = *setup;
    r->functions = ISA_TABLE(pair_functions);
    r->sweep = ISA_TABLE(sweep_functions);
    r->threads = r->grid.threads = threads;
    r->grid.columns = rule->columns;
    r->grid.rows = rule->rows;
    for (int axis = 0; axis < GAS_AXES; axis++)
        r->grid.box[axis] = setup->physics->box[axis];
    r->near_most = count_offsets(&r->grid, 0, rule->near);
    r->middle_most = count_offsets(&r->grid, rule->near, rule->far);
    const size_t cells = gas_grid_cells(&r->grid);
    const struct array_row arrays[] = {
        {ELEMENT_I32, cells, (size_t)r->near_most + 1, &r->near, "regions, near cells"},
        {ELEMENT_I32, cells, (size_t)r->middle_most + 1, &r->middle, "regions, middle cells"},
        {ELEMENT_I32, 1, cells, &r->middle_count, "regions, numbers of middle cells"},
        {ELEMENT_F64, cells, sizeof *r->multipoles / sizeof(double), &r->multipoles, "regions, multipoles"},
        {ELEMENT_F64, cells, sizeof *r->far / sizeof(double), &r->far, "regions, far fields"},
    };
    CHECK(ARRAYS_PLAN(plan, prefix, arrays));
    return gas_grid_plan(&r->grid, setup->count, plan, prefix);
}

void gas_regions_sort(struct gas_field_regions *r, struct gas_arrays *particles, bool is_loaded)
{
    make_lists(r);
    if (is_loaded)
        gas_grid_find_starts(&r->grid, particles->position, particles->count);
    else
        gas_grid_sort(&r->grid, particles);
}

// ---- multipoles

struct region_work {
    struct gas_field_regions *regions;
    const struct gas_law *law;
    const struct gas_arrays *particles;
    bool has_energy;
    struct particles_range cells; // of the own particles
};

static struct pair_range cell_range(const struct gas_field_regions *r, size_t cell)
{
    return (struct pair_range){r->grid.starts[cell], r->grid.starts[cell + 1]};
}

static void sum_cell(void *context, size_t cell)
{
    const struct region_work *work = context;
    const double *x = work->particles->position[GAS_X], *y = work->particles->position[GAS_Y];
    const struct pair_range range = cell_range(work->regions, cell);
    struct pair_multipole sum = {.count = (double)(range.end - range.first)};
    for (size_t i = range.first; i < range.end; i++) {
        sum.x += x[i];
        sum.y += y[i];
    }
    if (sum.count > 0) {
        sum.x /= sum.count;
        sum.y /= sum.count;
    }
    for (size_t i = range.first; i < range.end; i++) {
        const double dx = x[i] - sum.x, dy = y[i] - sum.y;
        sum.moment_x += dx * dx - dy * dy;
        sum.moment_y += 2 * dx * dy;
    }
    work->regions->multipoles[cell] = sum;
}

// U/A of a multipole at d = (x, y).
static double multipole_potential(const struct pair_multipole *cell, double x, double y,
                                  double softening_square)
{
    const double square = x * x + y * y;
    const double ux = x / square, uy = -y / square; // 1/d
    const double real = cell->moment_x * (ux * ux - uy * uy) - cell->moment_y * (2 * ux * uy);
    return cell->count / 2 * log(square + softening_square) - real / 2;
}

static void add_far_cell(const struct pair_multipole *cell, double x, double y, double softening_square,
                         struct far_field *far)
{
    const double square = x * x + y * y, inverse = cell->count / (square + softening_square);
    const double ux = x / square, uy = -y / square;
    const double u2x = ux * ux - uy * uy, u2y = 2 * ux * uy;
    const double qx = cell->moment_x * u2x - cell->moment_y * u2y; // Q/d²
    const double qy = cell->moment_x * u2y + cell->moment_y * u2x;
    const double wx = -cell->count - 3 * qx, wy = -3 * qy; // E' d²
    far->field_x += inverse * x + (qx * ux - qy * uy);
    far->field_y += -inverse * y + (qx * uy + qy * ux);
    far->slope_x += wx * u2x - wy * u2y;
    far->slope_y += wx * u2y + wy * u2x;
    far->partners += cell->count;
    far->potential += multipole_potential(cell, x, y, softening_square);
}

// With the potential: for energies.
static void sum_far_cells(void *context, size_t cell)
{
    const struct region_work *work = context;
    struct gas_field_regions *r = work->regions;
    const struct gas_regions *rule = &r->setup.physics->regions;
    cell += work->cells.first;
    const double softening_square = work->law->softening_square, far_square = rule->far * rule->far;
    const struct pair_multipole *own = &r->multipoles[cell];
    struct far_field far = {.field_x = 0};
    for (size_t c = 0; c < gas_grid_cells(&r->grid) && own->count > 0; c++)
        if (r->multipoles[c].count > 0 && (double)distance_square(&r->grid, cell, c) >= far_square)
            add_far_cell(&r->multipoles[c], own->x - r->multipoles[c].x, own->y - r->multipoles[c].y,
                         softening_square, &far);
    if (rule->order == 0)
        far.slope_x = far.slope_y = 0;
    r->far[cell] = far;
}

// Without it, for FAR_TARGETS cells at once.
static void sum_far_forces(void *context, size_t item)
{
    const struct region_work *work = context;
    struct gas_field_regions *r = work->regions;
    const struct gas_regions *rule = &r->setup.physics->regions;
    const size_t first = work->cells.first + item * FAR_TARGETS, cells = work->cells.end,
                 columns = (size_t)r->grid.columns;
    struct sweep_far far;
    memset(&far, 0, sizeof far);
    for (size_t k = 0; k < FAR_TARGETS; k++) {
        const size_t cell = first + k < cells ? first + k : cells - 1;
        far.column[k] = (double)(cell % columns);
        far.row[k] = (double)(cell / columns);
        far.x[k] = r->multipoles[cell].x;
        far.y[k] = r->multipoles[cell].y;
    }
    for (size_t row = 0; row < (size_t)r->grid.rows; row++)
        r->sweep->add_far(r->multipoles + row * columns, r->grid.columns, (double)row, rule->far * rule->far,
                          work->law->softening_square, &far);
    for (size_t k = 0; k < FAR_TARGETS && first + k < cells; k++)
        r->far[first + k] = (struct far_field){.field_x = far.field_x[k],
                                               .field_y = far.field_y[k],
                                               .slope_x = rule->order == 0 ? 0 : far.slope_x[k],
                                               .slope_y = rule->order == 0 ? 0 : far.slope_y[k]};
}

// ---- particles

static void add_near_cells(const struct gas_field_regions *r, size_t cell, const struct pair_view *view,
                           struct pair_range targets, bool has_energy, struct pair_sums *sums)
{
    const struct pair_functions *functions = r->functions;
    const int kind = r->setup.precision == ELEMENT_F64 ? 1 : 0;
    const int32_t *near = near_of(r, cell);
    while (*near != END_OF_LIST) { // cells side by side in a row are one range
        struct pair_range sources = cell_range(r, (size_t)*near);
        while (near[1] == near[0] + 1)
            sources.end = cell_range(r, (size_t) * ++near).end;
        near++;
        (has_energy ? functions->add_range_energy : functions->add_range[kind])(view, targets, sources, sums);
    }
}

static void add_far_force(const struct region_work *work, size_t cell, struct pair_range targets,
                          struct pair_sums *sums)
{
    const struct far_field *far = &work->regions->far[cell];
    const struct pair_multipole *own = &work->regions->multipoles[cell];
    for (size_t i = targets.first; i < targets.end; i++) {
        const double wx = work->particles->position[GAS_X][i] - own->x;
        const double wy = work->particles->position[GAS_Y][i] - own->y;
        const double x = far->field_x + far->slope_x * wx - far->slope_y * wy;
        const double y = far->field_y + far->slope_x * wy + far->slope_y * wx;
        sums->x[i - targets.first] -= work->law->attraction * x;
        sums->y[i - targets.first] += work->law->attraction * y;
    }
}

static void add_cells_energy(const struct region_work *work, size_t cell, struct pair_range targets,
                             struct pair_sums *sums)
{
    const struct gas_field_regions *r = work->regions;
    const struct far_field *far = &r->far[cell];
    for (size_t i = targets.first; i < targets.end; i++) {
        const double x = work->particles->position[GAS_X][i], y = work->particles->position[GAS_Y][i];
        const double wx = x - r->multipoles[cell].x, wy = y - r->multipoles[cell].y;
        double partners = far->partners;
        double potential = far->potential + far->field_x * wx - far->field_y * wy +
                           (far->slope_x * (wx * wx - wy * wy) - far->slope_y * (2 * wx * wy)) / 2;
        for (const int32_t *c = middle_of(r, cell); *c != END_OF_LIST; c++) {
            const struct pair_multipole *source = &r->multipoles[*c];
            if (source->count > 0)
                potential +=
                    multipole_potential(source, x - source->x, y - source->y, work->law->softening_square);
            partners += source->count;
        }
        sums->x[i - targets.first] += work->law->attraction * potential / 2;
        sums->y[i - targets.first] -= work->law->attraction * partners / 2;
    }
}

static void sum_targets(const struct region_work *work, size_t cell, const struct pair_view *view,
                        struct pair_range targets)
{
    struct gas_field_regions *r = work->regions;
    const struct pair_functions *functions = r->functions;
    const struct gas_arrays *particles = work->particles;
    struct pair_sums sums = {{0}, {0}};
    add_near_cells(r, cell, view, targets, work->has_energy, &sums);
    if (work->has_energy) {
        add_cells_energy(work, cell, targets, &sums);
    } else {
        functions->add_multipoles[r->setup.precision == ELEMENT_F64 ? 1 : 0](
            view, targets, r->multipoles, middle_of(r, cell), (size_t)r->middle_count[cell], &sums);
        add_far_force(work, cell, targets, &sums);
    }
    double *const x = work->has_energy ? particles->potential : particles->force[GAS_X];
    double *const y = work->has_energy ? particles->virial : particles->force[GAS_Y];
    for (size_t i = targets.first; i < targets.end; i++) {
        x[i] = sums.x[i - targets.first];
        y[i] = sums.y[i - targets.first];
    }
}

// Float positions are about the cell's middle.
static void sum_particles(void *context, size_t cell)
{
    const struct region_work *work = context;
    const struct gas_grid *grid = &work->regions->grid;
    const struct particles_range own = work->particles->own;
    cell += work->cells.first;
    struct pair_range range = cell_range(work->regions, cell);
    range.first = range.first > own.first ? range.first : own.first; // a cell may belong to several ranks
    range.end = range.end < own.end ? range.end : own.end;
    struct pair_view view = {.law = work->law,
                             .particles = work->particles,
                             .attraction = work->law->attraction,
                             .softening_square = work->law->softening_square};
    if (work->regions->setup.precision == ELEMENT_F32 && !work->has_energy) {
        view.origin[GAS_X] =
            ((double)(cell % (size_t)grid->columns) + 0.5) * grid->box[GAS_X] / (double)grid->columns;
        view.origin[GAS_Y] =
            ((double)(cell / (size_t)grid->columns) + 0.5) * grid->box[GAS_Y] / (double)grid->rows;
    }
    for (size_t i = range.first; i < range.end; i += PAIR_TARGETS) {
        const size_t end = i + PAIR_TARGETS < range.end ? i + PAIR_TARGETS : range.end;
        sum_targets(work, cell, &view, (struct pair_range){i, end});
    }
}

// The cells from that of the first to that of the last particle of the range.
static struct particles_range own_cells(const struct gas_field_regions *r, struct particles_range own)
{
    struct particles_range cells = {0, gas_grid_cells(&r->grid)};
    while (cells.first < cells.end && r->grid.starts[cells.first + 1] <= own.first)
        cells.first++;
    while (cells.first < cells.end && r->grid.starts[cells.end - 1] >= own.end)
        cells.end--;
    return cells;
}

static void count_pairs(struct gas_field_regions *r)
{
    r->pairs = 0;
    for (size_t c = 0; c < gas_grid_cells(&r->grid); c++)
        for (const int32_t *near = near_of(r, c); *near != END_OF_LIST; near++)
            r->pairs += r->multipoles[c].count * (r->multipoles[*near].count - ((size_t)*near == c ? 1 : 0));
}

void gas_regions_sum(struct gas_field_regions *r, const struct gas_law *law,
                     const struct gas_arrays *particles, bool has_energy, struct gas_stage_times *times)
{
    struct region_work work = {r, law, particles, has_energy, own_cells(r, particles->own)};
    const size_t cells = work.cells.end - work.cells.first;
    const double start_s = clock_now_s();
    team_for(r->threads, gas_grid_cells(&r->grid), sum_cell, &work);
    const double summed_s = clock_now_s();
    if (has_energy)
        team_for(r->threads, cells, sum_far_cells, &work);
    else
        team_for(r->threads, (cells + FAR_TARGETS - 1) / FAR_TARGETS, sum_far_forces, &work);
    const double far_s = clock_now_s();
    team_for(r->threads, cells, sum_particles, &work);
    count_pairs(r);
    times->seconds[GAS_STAGE_LISTS] += summed_s - start_s;
    times->seconds[GAS_STAGE_REGIONS] += far_s - summed_s;
    times->seconds[GAS_STAGE_FORCE] += clock_now_s() - far_s;
}

double gas_regions_pairs(const struct gas_field_regions *regions)
{
    return regions->pairs;
}

// The time of a pair, of a middle cell at a particle, of a far cell at a cell, and of all else of a particle:
// about, with AVX-512 in single precision. It matters only where cells differ much.
enum { PAIR_WORK = 1, MIDDLE_WORK = 1, FAR_WORK = 4, PARTICLE_WORK = 20 };

void gas_regions_find_work(const struct gas_field_regions *r, double *work)
{
    for (size_t c = 0; c < gas_grid_cells(&r->grid); c++) {
        const struct pair_range range = cell_range(r, c);
        double of_each = PARTICLE_WORK + MIDDLE_WORK * (double)r->middle_count[c];
        for (const int32_t *near = near_of(r, c); *near != END_OF_LIST; near++) {
            const struct pair_range sources = cell_range(r, (size_t)*near);
            of_each += PAIR_WORK * (double)(sources.end - sources.first);
        }
        for (size_t i = range.first; i < range.end; i++)
            work[i / PARTICLES_GROUP] += of_each;
        if (range.first < range.end) // the cell's own, with its first particle
            work[range.first / PARTICLES_GROUP] += FAR_WORK * (double)gas_grid_cells(&r->grid);
    }
}
