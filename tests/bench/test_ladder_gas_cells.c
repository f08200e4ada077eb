// The rungs of the gas' ladder by cells, and those of all pairs on a device: velocities after a step against
// sums over all particles in double precision, written here from the definitions. Of a rung by cells each
// particle counts in the sum as its region says (itself, its cell's centre, both centres), so that the sum
// knows no lists, masses or order. Also how far such sums are from those of all pairs, the sort, and the
// author's counts.
#include "tests/support/cuda_test.h"
#include "tests/support/test.h"

#include "bench/ladder/figures.h"
#include "bench/ladder/gas/cells.h"

#include <math.h>
#include <omp.h>

enum law { LOGARITHM, SPATIAL, TWO_FORCES, THREE_FORCES };

// What a rung sums.
struct kind {
    const char *rung;
    enum law law;
    int near_cells; // 9 or 1; 0: all pairs
    bool has_far, keeps_cells;
    bool is_far_only;  // velocities that far cells give, without a move
    bool is_each_cell; // a velocity is rounded after each cell
};

static const struct kind host_kinds[] = {
    {"CPUTiled1-near9", LOGARITHM, .near_cells = 9, .is_each_cell = true},
    {"CPUTiled1-near1", LOGARITHM, .near_cells = 1, .is_each_cell = true},
    {"CPUTiled2-near9", LOGARITHM, .near_cells = 9, .has_far = true, .is_each_cell = true},
    {"CPUTiled2-near1", LOGARITHM, .near_cells = 1, .has_far = true, .is_each_cell = true},
    {"CPUTiled3-near9", LOGARITHM, .near_cells = 9, .has_far = true},
    {"CPUTiled3-near1", LOGARITHM, .near_cells = 1, .has_far = true},
    {"CPUTiled", THREE_FORCES, .near_cells = 9, .has_far = true},
    {"CPUTiled2k", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"CPUTiled2k_U", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"CPUTiled2kHa1", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"CPUTiled2kHa1_U", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"CPUTiled2kHa3", LOGARITHM, .near_cells = 9, .is_far_only = true},
};

static const struct kind device_kinds[] = {
    {"GPUMTI-divided", .law = LOGARITHM},
    {"GPUMTI", .law = LOGARITHM},
    {"GPUMTI_U2", .law = LOGARITHM},
    {"GPUMTI_U8", .law = LOGARITHM},
    {"GPUMTI_U16", .law = LOGARITHM},
    {"GPUMTI_SBi4", .law = LOGARITHM},
    {"GPUMTI_SBi4_U8", .law = LOGARITHM},
    {"GPUMTI-blocked", .law = LOGARITHM},
    {"GPUFull/22", .law = TWO_FORCES},
    {"GPUFull/28", .law = THREE_FORCES},
    {"GPU3D", .law = SPATIAL},
    {"GPU3D_U4", .law = SPATIAL},
    {"GPU3D-blocked", .law = SPATIAL},
    {"GPUTiled1-near9", LOGARITHM, .near_cells = 9, .is_each_cell = true},
    {"GPUTiled1-near1", LOGARITHM, .near_cells = 1, .is_each_cell = true},
    {"GPUTiled1-kept", LOGARITHM, .near_cells = 9, .keeps_cells = true, .is_each_cell = true},
    {"GPUTiled11-near9", LOGARITHM, .near_cells = 9},
    {"GPUTiled11-near1", LOGARITHM, .near_cells = 1},
    {"GPUTiled2-near9", LOGARITHM, .near_cells = 9, .has_far = true, .is_each_cell = true},
    {"GPUTiled2-near1", LOGARITHM, .near_cells = 1, .has_far = true, .is_each_cell = true},
    {"GPUTiled2-kept", LOGARITHM, .near_cells = 9, .has_far = true, .keeps_cells = true,
     .is_each_cell = true},
    {"GPUTiled3-near9", LOGARITHM, .near_cells = 9, .has_far = true},
    {"GPUTiled3-near1", LOGARITHM, .near_cells = 1, .has_far = true},
    {"GPUTiled3-kept", LOGARITHM, .near_cells = 9, .has_far = true, .keeps_cells = true},
    {"GPUTiled3_U-near9", LOGARITHM, .near_cells = 9, .has_far = true},
    {"GPUTiled3_U-near1", LOGARITHM, .near_cells = 1, .has_far = true},
    {"GPUTiled3_U-kept1", LOGARITHM, .near_cells = 1, .has_far = true, .keeps_cells = true},
    {"GPUTiled", THREE_FORCES, .near_cells = 9, .has_far = true},
    {"GPUTiled2k", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"GPUTiled2k_U", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"GPUTiled2kHa1", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"GPUTiled2kHa1_U", LOGARITHM, .near_cells = 9, .is_far_only = true},
    {"GPUTiled2kHa3", LOGARITHM, .near_cells = 9, .is_far_only = true},
};

enum { COUNT_MAX = 10007, SAMPLES = 60 };

static const double box = 5000, step_s = 0.5, softening = 1, cell_length = 100;
static bool is_device;

static int begin(int argc, char **argv)
{
    is_device = wants_cuda(argc, argv);
    return cuda_begin(argc, argv);
}

TEST_SUITE(.begin = begin);

// ---- the sums

struct state {
    size_t count;
    double values[2 * LADDER_AXES][COUNT_MAX]; // x, y, z, v_x, v_y, v_z
    int column[COUNT_MAX], row[COUNT_MAX];     // of a particle's cell
};

static int cell_of(double at)
{
    return (int)fmin(fmax(floor(at / cell_length), 0), 49);
}

static void find_cells(struct state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        state->column[i] = cell_of(state->values[0][i]);
        state->row[i] = cell_of(state->values[1][i]);
    }
}

static double centre(int cell)
{
    return (cell + 0.5) * cell_length;
}

enum region { NEAR, MIDDLE, FAR };

static enum region region_of(const struct kind *kind, const struct state *state, size_t i, size_t j)
{
    const int across = state->column[i] - state->column[j], down = state->row[i] - state->row[j];
    const int square = across * across + down * down;
    if (kind->near_cells == 0 || square < (kind->near_cells == 1 ? 1 : 4))
        return NEAR;
    return (kind->has_far || kind->is_far_only) && square >= 100 ? FAR : MIDDLE;
}

// Factor of the distance in the acceleration of a pair whose square with the softening is s.
static double force_of(const struct kind *kind, enum region region, size_t count, double s)
{
    const double attraction = (kind->law == SPATIAL ? -1500. : -0.4) / (double)count;
    if (kind->law == SPATIAL)
        return attraction / pow(s, 1.5);
    double force = attraction / s;
    if (region == NEAR && kind->law != LOGARITHM && s < 400)
        force += 0.064 / (s * s) + (kind->law == THREE_FORCES ? -1e-3 / s : 0);
    return force;
}

// The velocity that particle i gains in a step, and the sum of the moduli of its parts.
static double sum_forces(const struct kind *kind, const struct state *state, size_t i,
                         double gain[LADDER_AXES])
{
    double moduli = 0;
    memset(gain, 0, LADDER_AXES * sizeof *gain);
    for (size_t j = 0; j < state->count; j++) {
        const enum region region = region_of(kind, state, i, j);
        if (kind->is_far_only && region != FAR)
            continue;
        const double from[] = {centre(state->column[j]), centre(state->row[j]), 0},
                     own[] = {centre(state->column[i]), centre(state->row[i]), 0};
        double d[LADDER_AXES] = {0}, s = region == FAR ? 0 : softening;
        for (int axis = 0; axis < (kind->law == SPATIAL ? 3 : 2); axis++) {
            d[axis] = (region == FAR ? own[axis] : state->values[axis][i]) -
                      (region == NEAR ? state->values[axis][j] : from[axis]);
            s += d[axis] * d[axis];
        }
        const double force = step_s * force_of(kind, region, state->count, s);
        for (int axis = 0; axis < LADDER_AXES; axis++) {
            gain[axis] += force * d[axis];
            moduli += fabs(force * d[axis]);
        }
    }
    return moduli;
}

// ---- a rung's steps against them

static void read_state(const struct ladder_rung *rung, void *of, size_t count, struct state *state)
{
    static double numbers[2 * LADDER_AXES * COUNT_MAX];
    assert_int_equal(rung->read(of, numbers), STATUS_OK);
    state->count = count;
    for (size_t row = 0; row < 2 * LADDER_AXES; row++)
        memcpy(state->values[row], numbers + row * count, count * sizeof *numbers);
}

static const struct ladder_rung *find_rung(const char *name)
{
    const struct ladder_rung *rung = ladder_find_rung(&ladder_gas, name);
    if (!rung)
        fail_msg("no rung has the name %s", name);
    return rung;
}

// Of a float, rounded once for the velocity, or once for each cell with particles; errors of rounding of the
// sums grow with the root of the number of their terms.
static double tolerance_of(const struct kind *kind, size_t count, double velocity, double moduli)
{
    const double writes = kind->is_each_cell ? 3 * sqrt(fmin((double)count, 2500)) : 2;
    return ldexp(writes * fabs(velocity) + (20 + sqrt((double)count)) * moduli, -24);
}

static void compare_particle(const char *what, const struct kind *kind, const struct state *before,
                             const struct state *after, size_t i)
{
    double gain[LADDER_AXES];
    const double moduli = sum_forces(kind, before, i, gain);
    for (int axis = 0; axis < LADDER_AXES; axis++) {
        const double at = before->values[axis][i];
        double velocity = before->values[LADDER_AXES + axis][i] + gain[axis];
        const double tolerance = tolerance_of(kind, before->count, velocity, moduli);
        const double next = at + velocity * step_s;
        const bool turns = !kind->is_far_only && (next < 0 || next > box);
        velocity = turns ? -velocity : velocity;
        const double is = after->values[LADDER_AXES + axis][i];
        if (!(fabs(is - velocity) <= tolerance))
            fail_msg("%s: axis %d of particle %zu gained %.9g, not %.9g; tolerance %.3g", what, axis, i,
                     is - before->values[LADDER_AXES + axis][i], gain[axis], tolerance);
        const float moved = kind->is_far_only ? (float)at : (float)at + (float)is * (float)step_s;
        if (after->values[axis][i] != (double)moved)
            fail_msg("%s: axis %d of particle %zu is at %.9g, not %.9g", what, axis, i,
                     after->values[axis][i], (double)moved);
    }
}

static void compare(const struct kind *kind, size_t count, int block)
{
    static struct state before, after;
    const struct ladder_rung *const rung = find_rung(kind->rung);
    const struct ladder_case wanted = {
        .size = {(long long)count, 1, 1}, .precision = ELEMENT_F32, .block = {block, 1, 1}};
    const char *const what = format_text("%s, %zu particles, blocks of %d", kind->rung, count, block);
    void *of = NULL;
    assert_int_equal(rung->create(&wanted, &of), STATUS_OK);
    read_state(rung, of, count, &before);
    find_cells(&before);
    for (int step = 0; step < 2; step++) {
        assert_int_equal(rung->step(of, 1), STATUS_OK);
        read_state(rung, of, count, &after);
        for (size_t i = (size_t)step; i < count; i += 1 + count / SAMPLES)
            compare_particle(what, kind, &before, &after, i);
        if (kind->is_far_only)
            continue; // it gives the velocities of the start and those of the last step
        memcpy(before.values, after.values, sizeof before.values);
        if (!kind->keeps_cells)
            find_cells(&before);
    }
    rung->destroy(of);
}

static const struct kind *kinds(size_t *count)
{
    *count = is_device ? COUNT(device_kinds) : COUNT(host_kinds);
    return is_device ? device_kinds : host_kinds;
}

// Few particles leave most cells empty; 10 007 are 4 a cell. None is a multiple of blocks or of unrolled
// loops.
TEST(velocities_are_those_of_sums_in_double)
{
    static const size_t counts[] = {1, 1537, COUNT_MAX};
    size_t kind_count;
    const struct kind *all = kinds(&kind_count);
    for (size_t k = 0; k < kind_count; k++) {
        // (on the processor they say in what order particles are taken)
        const int(*shape)[LADDER_AXES] = is_device ? find_rung(all[k].rung)->shapes : NULL;
        for (size_t c = 0; c < COUNT(counts); c++)
            compare(&all[k], counts[c], 0);
        for (; shape && (*shape)[0] > 0; shape++)
            compare(&all[k], counts[1], (*shape)[0]);
    }
}

TEST(steps_at_once_are_steps_by_themselves)
{
    static struct state once, each;
    const size_t count = 1537;
    const struct ladder_case wanted = {.size = {(long long)count, 1, 1}, .precision = ELEMENT_F32};
    size_t kind_count;
    const struct kind *all = kinds(&kind_count);
    for (size_t k = 0; k < kind_count; k++) {
        const struct ladder_rung *const rung = find_rung(all[k].rung);
        void *of[2] = {NULL, NULL};
        double seconds[LADDER_STAGES_MAX] = {0};
        for (int copy = 0; copy < 2; copy++)
            assert_int_equal(rung->create(&wanted, &of[copy]), STATUS_OK);
        assert_int_equal(rung->step(of[0], 2), STATUS_OK);
        assert_int_equal(rung->step(of[1], 1), STATUS_OK);
        // a step whose stages are timed is a step, too
        assert_int_equal(rung->time_stages ? rung->time_stages(of[1], 1, seconds) : rung->step(of[1], 1),
                         STATUS_OK);
        read_state(rung, of[0], count, &once);
        read_state(rung, of[1], count, &each);
        assert_memory_equal(once.values, each.values, sizeof once.values);
        for (int copy = 0; copy < 2; copy++)
            rung->destroy(of[copy]);
    }
}

// ---- the approximation itself

// Root mean square of the difference from all pairs, divided by that of all pairs' gains.
static double distance_from_all_pairs(const struct kind *kind, const struct state *state)
{
    const struct kind pairs = {.law = kind->law};
    double differences = 0, gains = 0;
    for (size_t i = 0; i < state->count; i += 1 + state->count / SAMPLES) {
        double gain[LADDER_AXES], exact[LADDER_AXES];
        sum_forces(kind, state, i, gain);
        sum_forces(&pairs, state, i, exact);
        for (int axis = 0; axis < 2; axis++) {
            differences += (gain[axis] - exact[axis]) * (gain[axis] - exact[axis]);
            gains += exact[axis] * exact[axis];
        }
    }
    return sqrt(differences / gains);
}

// Of a state at random in the box; docs/ladders/gas.md states these distances, and those of more particles.
TEST_ON_HOST(distances_from_all_pairs_are_those_of_the_page)
{
    static struct state state;
    static const struct {
        struct kind kind;
        double least, most;
    } pages[] = {{{"CPUTiled1-near9", LOGARITHM, .near_cells = 9}, 0.0028, 0.0036},
                 {{"CPUTiled1-near1", LOGARITHM, .near_cells = 1}, 0.017, 0.021},
                 {{"CPUTiled3-near9", LOGARITHM, .near_cells = 9, .has_far = true}, 0.0046, 0.0058},
                 {{"CPUTiled3-near1", LOGARITHM, .near_cells = 1, .has_far = true}, 0.017, 0.021}};
    for (size_t k = 0; k < COUNT(pages); k++) {
        const struct ladder_rung *const rung = find_rung(pages[k].kind.rung);
        const struct ladder_case wanted = {.size = {COUNT_MAX, 1, 1}, .precision = ELEMENT_F32};
        void *of = NULL;
        assert_int_equal(rung->create(&wanted, &of), STATUS_OK);
        read_state(rung, of, COUNT_MAX, &state);
        rung->destroy(of);
        find_cells(&state);
        const double distance = distance_from_all_pairs(&pages[k].kind, &state);
        if (!(distance >= pages[k].least && distance <= pages[k].most))
            fail_msg("%s: %g of all pairs' forces", pages[k].kind.rung, distance);
    }
}

// ---- the sort

static void assert_sorted(const struct gas_cells *cells, size_t count)
{
    assert_int_equal(cells->begin[0], 0);
    assert_int_equal(cells->begin[GAS_CELLS], count);
    assert_int_equal(cells->begin[GAS_CELLS + 1], count);
    for (int cell = 0; cell < GAS_CELLS; cell++)
        for (int id = cells->begin[cell]; id < cells->begin[cell + 1]; id++) {
            assert_int_equal(cell_of(cells->particles.at[0][id]), cell % 50);
            assert_int_equal(cell_of(cells->particles.at[1][id]), cell / 50);
            if (id > cells->begin[cell])
                assert_true(cells->placed[id] > cells->placed[id - 1]);
        }
}

TEST_ON_HOST(the_sort_keeps_the_order_in_a_cell_on_any_number_of_threads)
{
    static const size_t counts[] = {1, 2, 1537, COUNT_MAX};
    const struct gas_cells_way way = {.program = GAS_CELLS_SORT, .near_cells = 9};
    const int threads = omp_get_max_threads();
    for (size_t c = 0; c < COUNT(counts); c++)
        for (int many = 1; many <= 5; many += 2) {
            struct gas_cells cells;
            const struct ladder_case wanted = {.size = {(long long)counts[c], 1, 1}};
            omp_set_num_threads(many);
            assert_int_equal(gas_cells_open(&way, &wanted, &cells), STATUS_OK);
            assert_sorted(&cells, counts[c]);
            gas_cells_free(&cells);
        }
    omp_set_num_threads(threads);
}

TEST_ON_HOST(a_sort_changes_no_particle)
{
    static struct state before, after;
    const struct ladder_rung *const rung = find_rung("sort");
    const struct ladder_case wanted = {.size = {COUNT_MAX, 1, 1}, .precision = ELEMENT_F32};
    void *of = NULL;
    assert_int_equal(rung->create(&wanted, &of), STATUS_OK);
    read_state(rung, of, COUNT_MAX, &before);
    assert_int_equal(rung->step(of, 3), STATUS_OK);
    read_state(rung, of, COUNT_MAX, &after);
    assert_memory_equal(before.values, after.values, sizeof before.values);
    rung->destroy(of);
}

// Those on a far edge, or beyond one, are of the cells there.
TEST_ON_HOST(particles_beyond_the_box_are_in_its_outer_cells)
{
    struct gas_cells cells;
    const struct gas_cells_way way = {.program = GAS_CELLS_SORT, .near_cells = 9};
    const struct ladder_case wanted = {.size = {4, 1, 1}};
    static const float at[4][2] = {{5000, 5000}, {-1, 2525}, {7000, -3}, {0, 0}};
    assert_int_equal(gas_cells_open(&way, &wanted, &cells), STATUS_OK);
    for (int id = 0; id < 4; id++)
        for (int axis = 0; axis < 2; axis++)
            cells.particles.at[axis][id] = at[id][axis];
    gas_cells_sort(&cells);
    assert_int_equal(cells.begin[1] - cells.begin[0], 1);
    assert_int_equal(cells.begin[50] - cells.begin[49], 1);
    assert_int_equal(cells.begin[25 * 50 + 1] - cells.begin[25 * 50], 1);
    assert_int_equal(cells.begin[GAS_CELLS] - cells.begin[GAS_CELLS - 1], 1);
    gas_cells_free(&cells);
}

// ---- the author's counts and figures

static double operations_of(const struct gas_cells_way *way, double count)
{
    struct ladder_counts counts = {0};
    const struct ladder_case wanted = {.size = {(long long)count, 1, 1}};
    gas_cells_count(way, &wanted, true, &counts);
    return counts.operations;
}

// He expects 51, 110 and 197 times fewer operations than 12 n² for 262 144 particles; for the last one his
// own equation gives 196. He has one middle cell less than are there.
TEST_ON_HOST(operations_are_those_of_the_author)
{
    static const struct {
        enum gas_cells_program program;
        double times, tolerance;
    } authors[] = {
        {GAS_CELLS_TILED1, 51.4, 1e-3}, {GAS_CELLS_TILED2, 110.1, 3e-3}, {GAS_CELLS_TILED3, 195.8, 5e-3}};
    static const double far[] = {14, 11, 5}; // table 6
    const double count = 262144, k = GAS_CELLS;
    for (size_t a = 0; a < COUNT(authors); a++) {
        const struct gas_cells_way way = {.program = authors[a].program, .near_cells = 9};
        assert_true(fabs(12 * count * count / operations_of(&way, count) / authors[a].times - 1) <
                    authors[a].tolerance);
    }
    for (int tables = 0; tables < 3; tables++) {
        const struct gas_cells_way way = {
            .program = GAS_CELLS_FAR, .near_cells = 9, .tables = (enum gas_cells_tables)tables};
        const double nearer = (tables == 0 ? 8 : tables == 1 ? 8 : 4) * k * 305;
        assert_true(fabs(operations_of(&way, count) + nearer - far[tables] * k * k) < 1);
    }
}

TEST_ON_HOST(figures_of_devices_and_cells_have_their_rungs)
{
    static const char *const without[] = {"OpenCL-simple", "two-devices"};
    struct ladder_figures figures;
    int found = 0;
    assert_int_equal(ladder_figures_read(TEST_SOURCE_DIRECTORY "/data/ladders/gas.json", &figures),
                     STATUS_OK);
    for (int t = 0; t < figures.table_count; t++)
        for (int k = 0; k < figures.tables[t].row_count; k++) {
            const char *const name = figures.tables[t].rows[k].rung;
            bool is_known = figures.tables[t].measure == LADDER_NOTHING;
            for (size_t w = 0; w < COUNT(without); w++)
                is_known |= strcmp(name, without[w]) == 0;
            for (size_t d = 0; d < COUNT(device_kinds); d++)
                is_known |= strcmp(name, device_kinds[d].rung) == 0;
            if (!is_known && !ladder_find_rung(&ladder_gas, name))
                fail_msg("%s: no rung has the name %s", figures.tables[t].place, name);
            found += strncmp(name, "GPU", 3) == 0;
        }
    assert_in_range(found, 20, 1000);
    ladder_figures_free(&figures);
}
