// Conformance of the gas model's fields at sizes that the fast versions cut into pieces: thousands of
// particles, cells with more of them than a block of threads, regions with many cells, wide radii, one row.
// Every back end's forces, potentials and virials are the reference's.
#include "tests/support/test.h"

#include "tests/support/gas_test.h"

enum { NO_CELLS, LATTICE = 0, CLUSTER = 1, PERIODIC = 2 };

struct scene {
    const char *name;
    enum gas_potential potential;
    size_t count;
    double softening;
    int columns, rows; // NO_CELLS: every pair
    double near, far;
    int order;
    unsigned options;
};

static const struct scene scenes[] = {
    {"pairs, ln r", GAS_LOG, 2113, 0, NO_CELLS, NO_CELLS, 0, 0, 0, LATTICE},
    {"pairs, ln r, softened", GAS_LOG, 2113, 0.25, NO_CELLS, NO_CELLS, 0, 0, 0, CLUSTER},
    {"pairs, condensing", GAS_CONDENSING, 1300, 0.125, NO_CELLS, NO_CELLS, 0, 0, 0, CLUSTER},
    {"pairs, Lennard-Jones, images", GAS_LENNARD_JONES, 1300, 0, NO_CELLS, NO_CELLS, 0, 0, 0, PERIODIC},
    {"regions as usual", GAS_LOG, 2900, 0, 37, 29, 2, 10, 1, LATTICE},
    {"regions, softened", GAS_LOG, 2900, 0.25, 37, 29, 2, 10, 1, CLUSTER},
    {"regions, order 0", GAS_LOG, 2900, 0, 33, 21, 2, 5.5, 0, CLUSTER},
    {"regions, crowded cells", GAS_LOG, 2900, 0, 7, 5, 2, 3, 1, CLUSTER},
    {"regions, cells without particles", GAS_LOG, 700, 0, 61, 43, 1.2, 6, 1, CLUSTER},
    {"regions, wide radii", GAS_LOG, 1500, 0, 50, 40, 3.5, 18, 1, LATTICE},
    {"regions, one row", GAS_LOG, 1500, 0, 70, 1, 2, 10, 1, LATTICE},
    {"regions, one cell", GAS_LOG, 900, 0, 1, 1, 2, 10, 1, LATTICE},
    {"regions, condensing", GAS_CONDENSING, 1700, 0.125, 26, 20, 2, 10, 1, CLUSTER},
    {"regions, real gas", GAS_REAL_GAS, 1700, 0, 26, 20, 2, 10, 1, LATTICE}};

static struct container_setup setup_of(const struct scene *scene)
{
    const double side = sqrt((double)scene->count / 0.7);
    struct container_setup setup = {.backend = gas_backend, .count = scene->count};
    setup.physics = container_physics(scene->potential, 1.125 * side, side / 1.125);
    setup.physics.softening = scene->softening;
    setup.physics.is_smooth = true;
    if (scene->columns != NO_CELLS) {
        setup.physics.method = GAS_CELLS;
        setup.physics.regions =
            (struct gas_regions){scene->columns, scene->rows, scene->near, scene->far, scene->order};
    }
    if (scene->options & PERIODIC)
        container_set_walls(&setup.physics, GAS_PERIODIC);
    return setup;
}

// double: rounding of up to thousands of terms. float: a place is rounded by 6e-8 of the box (pairs) or of a
// cell (regions), and pairs are as near as a thousandth of the mean distance in a cluster.
static double tolerance_of(const struct container_setup *setup)
{
    return setup->precision == ELEMENT_F64 ? 1e-11 : setup->physics.method == GAS_ALL_PAIRS ? 1e-3 : 1e-4;
}

static void expect_near(const struct scene *scene, const struct container_setup *setup,
                        const struct gas_field *should, const struct gas_particle *particles)
{
    struct gas_field *is = container_field_new(setup->count);
    container_field_of(setup, particles, false, is);
    const struct container_field_error error = container_field_error(setup->count, is, should);
    const double allowed = tolerance_of(setup);
    if (getenv("FATHOM_TEST_VERBOSE"))
        print_message("%s, %s: force %.1e, potential %.1e, virial %.1e\n", scene->name,
                      container_precision_name(setup->precision), error.force, error.potential, error.virial);
    if (!(error.force <= allowed && error.potential <= allowed && error.virial <= allowed))
        fail_msg("%s, %s, %s: forces are off by %.2e of their root mean square, potentials by %.2e, virials "
                 "by %.2e (allowed: %.0e)",
                 gas_backend->head.name, scene->name, container_precision_name(setup->precision), error.force,
                 error.potential, error.virial, allowed);
}

TEST_SUITE(.run = gas_test_main);

TEST(fields_are_the_references)
{
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        struct container_setup setup = setup_of(&scenes[k]), plain = setup;
        struct gas_particle *particles = container_particles_new(setup.count);
        struct gas_field *should = container_field_new(setup.count);
        if (scenes[k].options & CLUSTER)
            container_cluster(&setup, 1, 17, particles);
        else
            container_lattice(&setup, 0.1, 1, 17, particles);
        plain.backend = &gas_backend_reference;
        plain.precision = setup.precision = ELEMENT_F64;
        container_field_of(&plain, particles, false, should);
        expect_near(&scenes[k], &setup, should, particles);
        setup.precision = ELEMENT_F32;
        expect_near(&scenes[k], &setup, should, particles);
    }
}
