// Langevin's noise, with every back end: the numbers themselves, which have the same bits with each
// instruction set and on a device; and what they do to particles without forces, which is known exactly:
// temperature, its equal parts, diffusion.
#include "tests/support/test.h"

#include "models/gas/normals.h"
#include "models/gas/reference.h"

#include "tests/support/gas_test.h"
#include "tests/support/numbers.h"
#include "tests/support/solver_fixture.h"

TEST_SUITE(.run = gas_test_main);

static struct gas_physics free_physics(double side, double step, double friction)
{
    struct gas_physics physics = container_physics(GAS_NO_FORCE, side, side);
    container_set_walls(&physics, GAS_PERIODIC);
    physics.step = step;
    physics.thermostat = GAS_LANGEVIN;
    physics.temperature = 1;
    physics.friction = friction;
    physics.seed = UINT64_C(9007199254740991);
    return physics;
}

// Friction so large that nothing is left of the velocity before: what remains is √(T/m) times the normal
// numbers. Half of the particles lie so close to a wall that they cross it, and are moved one by one.
static void check_numbers(bool has_masses, const char *instruction_set)
{
    enum { COUNT = 4096 + 77 };
    const int64_t first_step = INT64_C(5) << 32;
    struct container_setup setup = {.backend = gas_backend, .count = COUNT, .has_masses = has_masses};
    setup.physics = free_physics(1000, 1, 2000);
    struct gas_particle *particles = container_particles_new(COUNT);
    container_lattice(&setup, 0.1, 1, 4, particles);
    for (size_t k = 0; k < COUNT; k++)
        if (k / 256 % 2 == 1)
            particles[k].position[k % GAS_AXES] = k % 4 < 2 ? 0.01 : 999.99;
    struct container *v = container_open(&setup);
    container_set(v, particles);
    container_advance(v, first_step, 1);
    container_get(v, particles);
    container_close(v);
    for (size_t k = 0; k < COUNT; k++) {
        double normals[GAS_AXES];
        if (gas_is_reference())
            reference_noise(&setup.physics, first_step, k, normals);
        else
            gas_normals((uint64_t)first_step, k, setup.physics.seed, normals);
        for (int axis = 0; axis < GAS_AXES; axis++)
            if (particles[k].velocity[axis] != sqrt(1 / particles[k].mass) * normals[axis])
                fail_msg("%s %s: particle %zu: %.17g, expected %.17g", setup.backend->head.name,
                         instruction_set, k, particles[k].velocity[axis],
                         sqrt(1 / particles[k].mass) * normals[axis]);
    }
}

TEST(noise_is_made_of_the_counters_numbers)
{
    const char *names[SOLVER_INSTRUCTION_SETS] = {""};
    const bool is_openmp = strcmp(gas_backend->head.name, "openmp") == 0;
    const int count = is_openmp ? solver_instruction_sets(&gas_backend->head, names) : 1;
    for (int k = 0; k < count; k++) {
        if (is_openmp)
            solver_choose_instruction_set(names[k]);
        check_numbers(false, names[k]);
        check_numbers(true, names[k]);
    }
    solver_choose_instruction_set(NULL);
}

// ---- free particles

enum { LIGHT, HEAVY, KINDS };
static const double masses[KINDS] = {1, 4};

struct free_gas {
    size_t count;
    struct container *container;
    struct gas_particle *particles;
    double *start[GAS_AXES];          // positions
    double energies[KINDS][GAS_AXES]; // Σ m v², of all steps
    double squares[KINDS][GAS_AXES];  // Σ (x − x₀)², at the end
};

static void free_gas_open(struct free_gas *g, const struct gas_physics *physics)
{
    struct container_setup setup = {
        .backend = gas_backend, .count = g->count, .has_masses = true, .physics = *physics};
    g->particles = container_particles_new(g->count);
    for (size_t k = 0; k < g->count; k++)
        g->particles[k] = (struct gas_particle){
            .position = {physics->box[GAS_X] / 2, physics->box[GAS_Y] / 2}, .mass = masses[k % KINDS]};
    for (int axis = 0; axis < GAS_AXES; axis++)
        g->start[axis] = zeros_new(g->count, sizeof(double));
    g->container = container_open(&setup);
    container_set(g->container, g->particles);
}

static void free_gas_close(struct free_gas *g)
{
    container_close(g->container);
    for (int axis = 0; axis < GAS_AXES; axis++)
        free(g->start[axis]);
}

// From rest to equilibrium; then `steps` steps.
static void free_gas_run(struct free_gas *g, int64_t before, int64_t steps)
{
    container_advance(g->container, 0, before);
    for (int64_t step = 0; step <= steps; step++) {
        container_get(g->container, g->particles);
        for (size_t k = 0; k < g->count; k++)
            for (int axis = 0; axis < GAS_AXES; axis++) {
                const double v = g->particles[k].velocity[axis], x = g->particles[k].position[axis];
                if (step == 0)
                    g->start[axis][k] = x;
                else
                    g->energies[k % KINDS][axis] += g->particles[k].mass * v * v;
                if (step == steps)
                    g->squares[k % KINDS][axis] += pow(x - g->start[axis][k], 2);
            }
        if (step < steps)
            container_advance(g->container, before + step, 1);
    }
}

// Velocities are an autoregressive series of coefficient c = e^{−γΔt} and variance T/m, exactly; a position
// changes in a step by the mean of the velocities before and after it, times Δt. So the mean square of a
// displacement is (T/m) Δt² Σ_ij w_i w_j c^|i−j|, w = ½ at the ends, 1 elsewhere.
static double mean_square(double variance, double step, double c, int64_t steps)
{
    double sum = 0;
    for (int64_t i = 0; i <= steps; i++)
        for (int64_t j = 0; j <= steps; j++)
            sum += (i == 0 || i == steps ? 0.5 : 1) * (j == 0 || j == steps ? 0.5 : 1) *
                   pow(c, (double)llabs(i - j));
    return variance * step * step * sum;
}

// m⟨v²⟩ = T on each axis for each mass, and diffusion. Steps are correlated: of v² as c².
TEST(free_particles_have_their_temperature_and_diffuse)
{
    enum { BEFORE = 50, STEPS = 80 };
    const bool is_small = gas_is_reference() || CONTAINER_IS_SANITIZED; // the reference takes every pair
    const double step = 0.25, friction = 0.8, c = exp(-friction * step), sigmas = 4.5;
    struct free_gas g = {.count = is_small ? 1000 : 32768};
    struct gas_physics physics = free_physics(1000, step, friction);
    physics.temperature = 1.5;
    free_gas_open(&g, &physics);
    free_gas_run(&g, BEFORE, STEPS);
    const double each = (double)g.count / KINDS, independent = each * STEPS * (1 - c * c) / (1 + c * c);
    for (int kind = 0; kind < KINDS; kind++)
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double exact = mean_square(physics.temperature / masses[kind], step, c, STEPS);
            assert_near("m v2/T", g.energies[kind][axis] / (each * STEPS * physics.temperature), 1,
                        sigmas * sqrt(2 / independent));
            assert_near("mean square of displacements", g.squares[kind][axis] / (each * exact), 1,
                        sigmas * sqrt(2 / each));
        }
    free_gas_close(&g);
}
