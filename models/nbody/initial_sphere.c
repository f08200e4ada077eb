// Bodies in round and square lumps, two on an ellipse, and three on a figure eight. Independent of files and
// back ends. G = 1.
#include "models/nbody/initial_private.h"
#include "models/nbody/units.h"

static const double pi = 3.14159265358979323846;

// ---- random vectors

void nbody_draw_direction(struct nbody_draws *draws, double length, double vector[static NBODY_AXES])
{
    double two[2];
    nbody_draw_two(draws, two);
    const double z = 1 - 2 * two[0], across = sqrt(fmax(1 - z * z, 0)), angle = 2 * pi * two[1];
    vector[NBODY_X] = length * across * cos(angle);
    vector[NBODY_Y] = length * across * sin(angle);
    vector[NBODY_Z] = length * z;
}

// Box and Muller, Ann. Math. Stat. 29, 610 (1958).
void nbody_draw_normals(struct nbody_draws *draws, double normals[static NBODY_AXES])
{
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        double two[2];
        nbody_draw_two(draws, two);
        normals[axis] = sqrt(-2 * log(two[0])) * cos(2 * pi * two[1]);
    }
}

// ---- keys that all of these generators have

static enum status read_common(const struct job *job, const char *const keys[4], double fallback_radius,
                               struct nbody_generator *generator)
{
    generator->count = (size_t)job_integer(job, keys[0]);
    generator->seed = (uint64_t)job_integer(job, keys[1]);
    CHECK(nbody_units_read(job, keys[2], 1, &generator->mass));
    return nbody_units_read(job, keys[3], fallback_radius, &generator->radius);
}

// ---- Plummer's sphere

// Aarseth, Henon and Wielen, Astron. Astrophys. 37, 183 (1974), appendix. The mass within it gives the
// radius. The speed is a share q of the speed of escape, of density q²(1 − q²)^{7/2}, drawn by rejection.

static enum status read_plummer(const struct job *job, struct nbody_generator *generator)
{
    static const char *const keys[] = {"particles.plummer.count", "particles.plummer.seed",
                                       "particles.plummer.mass", "particles.plummer.radius"};
    generator->cutoff = job_number(job, "particles.plummer.cutoff");
    return read_common(job, keys, 3 * pi / 16, generator);
}

static void sample_plummer(const struct nbody_generator *generator, struct nbody_draws *draws, size_t index,
                           struct nbody_body *body)
{
    (void)index;
    const double a = generator->radius, c2 = generator->cutoff * generator->cutoff;
    const double share = pow(1 + 1 / c2, -1.5) * nbody_draw(draws);
    const double radius = a / sqrt(pow(share, -2.0 / 3) - 1);
    const double escape = sqrt(2 * generator->mass / sqrt(radius * radius + a * a));
    double two[2];
    do
        nbody_draw_two(draws, two);
    while (0.1 * two[1] >= two[0] * two[0] * pow(1 - two[0] * two[0], 3.5)); // the density is at most 0.092
    body->mass = generator->mass / (double)generator->count;
    nbody_draw_direction(draws, radius, body->position);
    nbody_draw_direction(draws, two[0] * escape, body->velocity);
}

const struct nbody_recipe nbody_recipe_plummer = {"particles.plummer", read_plummer, sample_plummer, NULL, 0};

// ---- even density, normal velocities scaled to a virial ratio 2K/|W|

static void sample_velocity(const struct nbody_generator *generator, struct nbody_draws *draws,
                            struct nbody_body *body)
{
    body->mass = generator->mass / (double)generator->count;
    if (generator->virial_ratio > 0)
        nbody_draw_normals(draws, body->velocity);
}

static enum status read_cube(const struct job *job, struct nbody_generator *generator)
{
    static const char *const keys[] = {"particles.uniform-cube.count", "particles.uniform-cube.seed",
                                       "particles.uniform-cube.mass", "particles.uniform-cube.side"};
    generator->virial_ratio = job_number(job, "particles.uniform-cube.virial_ratio");
    return read_common(job, keys, 1, generator);
}

static void sample_cube(const struct nbody_generator *generator, struct nbody_draws *draws, size_t index,
                        struct nbody_body *body)
{
    (void)index;
    double numbers[4];
    nbody_draw_two(draws, numbers);
    nbody_draw_two(draws, numbers + 2);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        body->position[axis] = generator->radius * (numbers[axis] - 0.5);
    sample_velocity(generator, draws, body);
}

static enum status prepare_cube(struct nbody_generator *generator)
{
    // Mean of 1/distance of two points in the unit cube: Bailey, Borwein and Crandall, J. Comput. Appl. Math.
    // 206, 196 (2007), Δ₃(−1).
    static const double mean_inverse_distance = 1.8823126443896602;
    const double mass = generator->mass;
    generator->groups[0].kinetic =
        0.25 * generator->virial_ratio * mean_inverse_distance * mass * mass / generator->radius;
    return STATUS_OK;
}

const struct nbody_recipe nbody_recipe_cube = {"particles.uniform-cube", read_cube, sample_cube, prepare_cube,
                                               1};

static enum status read_sphere(const struct job *job, struct nbody_generator *generator)
{
    static const char *const keys[] = {"particles.cold-collapse.count", "particles.cold-collapse.seed",
                                       "particles.cold-collapse.mass", "particles.cold-collapse.radius"};
    generator->virial_ratio = job_number(job, "particles.cold-collapse.virial_ratio");
    return read_common(job, keys, 1, generator);
}

static void sample_sphere(const struct nbody_generator *generator, struct nbody_draws *draws, size_t index,
                          struct nbody_body *body)
{
    (void)index;
    nbody_draw_direction(draws, generator->radius * cbrt(nbody_draw(draws)), body->position);
    sample_velocity(generator, draws, body);
}

static enum status prepare_sphere(struct nbody_generator *generator)
{
    const double mass = generator->mass; // W = −(3/5) M²/R
    generator->groups[0].kinetic = 0.3 * generator->virial_ratio * mass * mass / generator->radius;
    return STATUS_OK;
}

const struct nbody_recipe nbody_recipe_sphere = {"particles.cold-collapse", read_sphere, sample_sphere,
                                                 prepare_sphere, 1};

// ---- two bodies

static enum status read_kepler(const struct job *job, struct nbody_generator *generator)
{
    generator->count = 2;
    generator->mass_ratio = job_number(job, "particles.kepler.mass_ratio");
    generator->eccentricity = job_number(job, "particles.kepler.eccentricity");
    CHECK(nbody_units_read(job, "particles.kepler.mass", 1, &generator->mass));
    return nbody_units_read(job, "particles.kepler.semi_major_axis", 1, &generator->radius);
}

// At the apocentre r = a(1 + e), v² = (M/a)(1 − e)/(1 + e).
static void sample_kepler(const struct nbody_generator *generator, struct nbody_draws *draws, size_t index,
                          struct nbody_body *body)
{
    (void)draws;
    const double e = generator->eccentricity, second = generator->mass_ratio / (1 + generator->mass_ratio);
    const double share = index == 0 ? -second : 1 - second; // of the distance, from the centre of mass
    body->mass = generator->mass * (index == 0 ? 1 - second : second);
    body->position[NBODY_X] = share * generator->radius * (1 + e);
    body->velocity[NBODY_Y] = share * sqrt(generator->mass / generator->radius * (1 - e) / (1 + e));
}

const struct nbody_recipe nbody_recipe_kepler = {"particles.kepler", read_kepler, sample_kepler, NULL, 2};

// ---- three bodies

static enum status read_figure_eight(const struct job *job, struct nbody_generator *generator)
{
    generator->count = 3;
    CHECK(nbody_units_read(job, "particles.figure-eight.mass", 1, &generator->mass));
    return nbody_units_read(job, "particles.figure-eight.length", 1, &generator->radius);
}

// Simó's numbers for three masses of 1, as Chenciner and Montgomery (2000), Ann. Math. 152, 881,
// doi:10.2307/2661357, give them: two bodies opposite each other, the third in the middle moves against both.
static void sample_figure_eight(const struct nbody_generator *generator, struct nbody_draws *draws,
                                size_t index, struct nbody_body *body)
{
    static const double place[2] = {0.97000436, -0.24308753}, velocity[2] = {-0.93240737, -0.86473146};
    static const double place_share[3] = {1, -1, 0}, velocity_share[3] = {-0.5, -0.5, 1};
    const double speed = sqrt(generator->mass / 3 / generator->radius);
    (void)draws;
    body->mass = generator->mass / 3;
    for (int axis = NBODY_X; axis <= NBODY_Y; axis++) {
        body->position[axis] = place_share[index] * generator->radius * place[axis];
        body->velocity[axis] = velocity_share[index] * speed * velocity[axis];
    }
}

// No body comes further than 1.08 lengths from the centre.
const struct nbody_recipe nbody_recipe_figure_eight = {"particles.figure-eight", read_figure_eight,
                                                       sample_figure_eight, NULL, 1.2};
