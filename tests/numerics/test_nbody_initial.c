// The bodies at the start against what they are samples of: masses, profiles, energies, orbits, and that the same seed makes the
// same bodies whatever the number of threads. No back end, no run.
#include "io/job.h"
#include "models/nbody/initial.h"
#include "models/nbody/params.h"
#include "models/nbody/units.h"
#include "tests/support/folder.h"

#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

// ---- bodies of a job's block `particles`

struct nbody_solver {
    struct nbody_body *bodies;
};

static void keep(struct nbody_solver *solver, size_t first, size_t count, const struct nbody_body *bodies)
{
    memcpy(solver->bodies + first, bodies, count * sizeof *bodies);
}

static const struct nbody_backend keeper = {.set = keep};

static struct nbody_units units; // of the last make

// malloc'ed.
static struct nbody_body *make(const char *wanted_units, const char *particles, size_t *count)
{
    static struct memory_plan plan;
    const struct job_key_table tables[] = {job_shared_keys, nbody_keys};
    const bool is_si = strcmp(wanted_units, "si") == 0;
    char text[1024];
    struct job *job;
    struct nbody_initial *initial;
    snprintf(text, sizeof text,
             "{\"fathom\": 1, \"model\": \"nbody\", \"units\": \"%s\", \"particles\": %s, \"physics\": "
             "{\"softening\": 0},"
             "\"time\": {\"duration\": %s, \"step\": %s}, \"output\": {\"directory\": \"out\"}}",
             wanted_units, particles, is_si ? "\"1 s\"" : "1", is_si ? "\"1 s\"" : "1");
    folder_write_text("job.json", text);
    if (job_read(folder_path("job.json"), &job) != STATUS_OK || job_check(job, tables, 2) != STATUS_OK ||
        nbody_initial_create(job, &initial, count) != STATUS_OK)
        fail_msg("%s", status_message());
    const struct nbody_extent extent = nbody_initial_extent(initial);
    units = nbody_units_make(is_si, extent.length, extent.mass);
    struct nbody_solver solver = {malloc(*count * sizeof(struct nbody_body))};
    memory_plan_begin(&plan);
    assert_int_equal(nbody_initial_plan(initial, &plan), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    assert_int_equal(nbody_initial_prepare(initial), STATUS_OK);
    assert_int_equal(nbody_initial_apply(initial, &units, &keeper, &solver), STATUS_OK);
    memory_plan_release(&plan);
    nbody_initial_destroy(initial);
    job_free(job);
    return solver.bodies;
}

// ---- measures

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const double *a, const double *b)
{
    const double d[] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

struct centre {
    double mass, position[3], velocity[3], spread, speed; // Σ m |x|, Σ m |v|
};

// In long double: a plain sum of 270 001 equal masses is off by 2e-12 itself.
static struct centre centre_of(const struct nbody_body *bodies, size_t count)
{
    long double mass = 0, spread = 0, speed = 0, position[3] = {0}, velocity[3] = {0};
    for (size_t i = 0; i < count; i++) {
        const struct nbody_body *b = &bodies[i];
        mass += b->mass;
        spread += b->mass * sqrt(dot(b->position, b->position));
        speed += b->mass * sqrt(dot(b->velocity, b->velocity));
        for (int k = 0; k < 3; k++) {
            position[k] += (long double)b->mass * b->position[k];
            velocity[k] += (long double)b->mass * b->velocity[k];
        }
    }
    struct centre c = {.mass = (double)mass, .spread = (double)spread, .speed = (double)speed};
    for (int k = 0; k < 3; k++) {
        c.position[k] = (double)(position[k] / mass);
        c.velocity[k] = (double)(velocity[k] / mass);
    }
    return c;
}

static void assert_centred(const struct nbody_body *bodies, size_t count, double mass)
{
    const struct centre c = centre_of(bodies, count);
    assert_true(fabs(c.mass - mass) < 1e-12 * mass);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(c.position[k]) * c.mass < 1e-13 * c.spread);
        assert_true(fabs(c.velocity[k]) * c.mass <= 1e-13 * c.speed);
    }
}

static double kinetic(const struct nbody_body *bodies, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += 0.5 * bodies[i].mass * dot(bodies[i].velocity, bodies[i].velocity);
    return sum;
}

static double potential(const struct nbody_body *bodies, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            sum -= bodies[i].mass * bodies[j].mass / distance(bodies[i].position, bodies[j].position);
    return sum;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Kolmogorov's √n D of values whose distribution function `cdf` is; 1.95 is passed once in a thousand samples.
static double kolmogorov(double *values, size_t count, double (*cdf)(double))
{
    double largest = 0;
    qsort(values, count, sizeof *values, compare);
    for (size_t i = 0; i < count; i++) {
        const double f = cdf(values[i]);
        largest = fmax(largest, fmax(f - (double)i / (double)count, (double)(i + 1) / (double)count - f));
    }
    return largest * sqrt((double)count);
}

static double uniform_cdf(double x)
{
    return fmin(fmax(x, 0), 1);
}

// ---- Plummer's sphere

static double plummer_cdf(double r)
{
    const double a = 3 * pi / 16, x = r / a;
    return pow(1 + 1 / (x * x), -1.5) * pow(1 + 1 / 1600.0, 1.5);
}

// ∫ q²(1 − q²)^{7/2} over 7π/512, by Simpson's rule.
static double speed_cdf(double q)
{
    enum { STEPS = 200 };
    const double end = fmin(q, 1), h = end / STEPS;
    double sum = 0;
    for (int k = 0; k <= STEPS; k++) {
        const double x = k * h, weight = k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2;
        sum += weight * x * x * pow(fmax(1 - x * x, 0), 3.5);
    }
    return sum * h / 3 / (7 * pi / 512);
}

static void plummer_has_its_profile(void **state)
{
    (void)state;
    size_t count;
    struct nbody_body *bodies = make("nbody", "{\"plummer\": {\"count\": 20000, \"seed\": 7}}", &count);
    double *radii = malloc(count * sizeof *radii), *speeds = malloc(count * sizeof *speeds);
    double *heights = malloc(count * sizeof *heights);
    const double a = 3 * pi / 16;
    assert_int_equal(count, 20000);
    assert_centred(bodies, count, 1);
    for (size_t i = 0; i < count; i++) {
        radii[i] = sqrt(dot(bodies[i].position, bodies[i].position));
        speeds[i] =
            sqrt(dot(bodies[i].velocity, bodies[i].velocity) / (2 / sqrt(radii[i] * radii[i] + a * a)));
        heights[i] = 0.5 + 0.5 * bodies[i].velocity[2] / sqrt(dot(bodies[i].velocity, bodies[i].velocity));
    }
    assert_true(kolmogorov(radii, count, plummer_cdf) < 1.95);
    assert_true(radii[count - 1] < 41 * a && radii[count - 1] > 10 * a);
    assert_true(kolmogorov(speeds, count, speed_cdf) < 1.95);
    assert_true(kolmogorov(heights, count, uniform_cdf) < 1.95);
    free(heights);
    free(speeds);
    free(radii);
    free(bodies);
}

// The mean of 16 samples of 2048 has a deviation of 0.002 in W and in K; leaving out what is beyond the cutoff, 0.0009 of the
// mass, and giving its mass to the rest makes W 0.002 deeper.
static void plummer_has_its_energy(void **state)
{
    (void)state;
    enum { SAMPLES = 16 };
    double k = 0, w = 0;
    for (int seed = 1; seed <= SAMPLES; seed++) {
        char text[96];
        size_t count;
        snprintf(text, sizeof text, "{\"plummer\": {\"count\": 2048, \"seed\": %d}}", seed);
        struct nbody_body *bodies = make("nbody", text, &count);
        k += kinetic(bodies, count) / SAMPLES;
        w += potential(bodies, count) / SAMPLES;
        free(bodies);
    }
    print_message("Plummer: E %.5f, 2K/|W| %.4f\n", k + w, 2 * k / fabs(w));
    assert_true(fabs(k + w + 0.25) < 0.008);
    assert_true(fabs(2 * k / fabs(w) - 1) < 0.02);
}

// More bodies than a window.
static void threads_change_no_bit(void **state)
{
    (void)state;
    static const char text[] =
        "{\"plummer\": {\"count\": 270001, \"seed\": 3, \"mass\": 2, \"radius\": 0.5, \"cutoff\": 10}}";
    struct nbody_body *bodies[3];
    size_t count;
    const int threads = omp_get_max_threads();
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(k == 0 ? 1 : 3);
        bodies[k] = make("nbody", text, &count);
    }
    omp_set_num_threads(threads);
    bodies[2] =
        make("nbody",
             "{\"plummer\": {\"count\": 270001, \"seed\": 4, \"mass\": 2, \"radius\": 0.5, \"cutoff\": 10}}",
             &count);
    assert_int_equal(count, 270001);
    assert_memory_equal(bodies[0], bodies[1], count * sizeof **bodies);
    assert_centred(bodies[0], count, 2);
    for (size_t i = 0; i < count; i++) {
        assert_true(sqrt(dot(bodies[0][i].position, bodies[0][i].position)) < 5.01);
        assert_true(bodies[0][i].position[0] != bodies[2][i].position[0]);
    }
    for (int k = 0; k < 3; k++)
        free(bodies[k]);
}

// ---- even density

static void a_cube_is_even(void **state)
{
    (void)state;
    size_t count;
    struct nbody_body *bodies = make(
        "nbody", "{\"uniform-cube\": {\"count\": 5000, \"side\": 2, \"mass\": 3, \"virial_ratio\": 0.5}}",
        &count);
    double *places = malloc(count * sizeof *places);
    assert_centred(bodies, count, 3);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < count; i++)
            places[i] = 0.5 + bodies[i].position[axis] / 2;
        assert_true(kolmogorov(places, count, uniform_cdf) < 1.95);
        assert_true(places[0] > -0.02 && places[count - 1] < 1.02);
    }
    const double w = -0.5 * 1.8823126443896602 * 9 / 2;
    assert_true(fabs(2 * kinetic(bodies, count) / fabs(w) - 0.5) < 1e-12);
    print_message("cube: W %.5f of %.5f\n", potential(bodies, count), w);
    assert_true(fabs(potential(bodies, count) / w - 1) < 0.01);
    free(places);
    free(bodies);
}

static void a_sphere_is_even_and_cold(void **state)
{
    (void)state;
    size_t count;
    struct nbody_body *bodies =
        make("nbody", "{\"cold-collapse\": {\"count\": 5000, \"radius\": 2}}", &count);
    double *shares = malloc(count * sizeof *shares), moments[3] = {0};
    assert_centred(bodies, count, 1);
    for (size_t i = 0; i < count; i++) {
        shares[i] = pow(dot(bodies[i].position, bodies[i].position) / 4, 1.5);
        for (int axis = 0; axis < 3; axis++)
            moments[axis] += bodies[i].mass * bodies[i].velocity[axis] * bodies[i].velocity[axis];
    }
    assert_true(kolmogorov(shares, count, uniform_cdf) < 1.95);
    const double w = -0.6 / 2;
    assert_true(fabs(2 * kinetic(bodies, count) / fabs(w) - 0.1) < 1e-12);
    assert_true(fabs(potential(bodies, count) / w - 1) < 0.01);
    for (int axis = 0; axis < 3; axis++) // a third each; deviation √(2/5000)
        assert_true(fabs(moments[axis] / (0.1 * fabs(w) / 3) - 1) < 0.07);
    free(bodies);
    bodies = make("nbody", "{\"cold-collapse\": {\"count\": 50, \"virial_ratio\": 0}}", &count);
    assert_true(kinetic(bodies, count) == 0);
    free(shares);
    free(bodies);
}

// ---- two bodies

static void an_ellipse_has_its_energy(void **state)
{
    (void)state;
    size_t count;
    struct nbody_body *bodies = make(
        "nbody",
        "{\"kepler\": {\"mass\": 2, \"mass_ratio\": 0.25, \"semi_major_axis\": 3, \"eccentricity\": 0.5}}",
        &count);
    assert_int_equal(count, 2);
    assert_centred(bodies, count, 2);
    const double m1 = bodies[0].mass, m2 = bodies[1].mass;
    assert_true(fabs(m2 / m1 - 0.25) < 1e-15);
    assert_true(fabs(distance(bodies[0].position, bodies[1].position) - 4.5) < 1e-14);
    assert_true(bodies[1].position[0] > 0 && bodies[1].velocity[1] > 0);
    const double energy = kinetic(bodies, 2) + potential(bodies, 2);
    assert_true(fabs(energy + m1 * m2 / (2 * 3)) < 1e-15);
    double spin = 0;
    for (int i = 0; i < 2; i++)
        spin += bodies[i].mass * (bodies[i].position[0] * bodies[i].velocity[1] -
                                  bodies[i].position[1] * bodies[i].velocity[0]);
    assert_true(fabs(spin - m1 * m2 / 2 * sqrt(2 * 3 * (1 - 0.25))) < 1e-14);
    free(bodies);
}

// Earth and Sun: a year.
static void an_ellipse_in_si(void **state)
{
    (void)state;
    size_t count;
    struct nbody_body *bodies = make(
        "si",
        "{\"kepler\": {\"mass\": \"1 solar_mass\", \"mass_ratio\": 3e-6, \"semi_major_axis\": \"1 AU\"}}",
        &count);
    assert_true(fabs(2 * pi * units.time / 86400 / 365.2569 - 1) < 2e-6); // Gauss's year
    assert_true(fabs(units.velocity / 29784.7 - 1) < 1e-5);
    assert_true(fabs(units.energy / (units.mass * units.velocity * units.velocity) - 1) < 1e-15);
    assert_centred(bodies, count, 1);
    assert_true(fabs(distance(bodies[0].position, bodies[1].position) - 1) < 1e-15);
    assert_true(fabs(kinetic(bodies, 2) + potential(bodies, 2) + bodies[0].mass * bodies[1].mass / 2) <
                1e-20);
    free(bodies);
}

// A cluster in SI is the one in N-body units, scaled.
static void si_is_the_same_sphere(void **state)
{
    (void)state;
    size_t count;
    struct nbody_body *plain = make("nbody", "{\"plummer\": {\"count\": 1000, \"radius\": 1}}", &count);
    struct nbody_body *scaled =
        make("si", "{\"plummer\": {\"count\": 1000, \"radius\": \"2 pc\", \"mass\": \"1e5 Msun\"}}", &count);
    assert_memory_equal(plain, scaled, count * sizeof *plain);
    assert_true(fabs(units.length / 3.0856775814913673e16 - 2) < 1e-12);
    assert_true(fabs(units.time / sqrt(pow(units.length, 3) / (6.6743e-11 * units.mass)) - 1) < 1e-12);
    assert_string_equal(units.length_name, "m");
    free(plain);
    free(scaled);
}

// ---- two galaxies

enum { GALAXIES = 12000 };

static double gamma2_cdf(double x)
{
    return (1 - (1 + x) * exp(-x)) / (1 - 9 * exp(-8.0));
}

static double hernquist_cdf(double x)
{
    return pow(x / (x + 1) * 16 / 15, 2);
}

static struct nbody_body *encounter(size_t *count)
{
    return make("nbody",
                "{\"encounter\": {\"count\": 12000, \"mass_ratio\": 0.5, \"disc_bodies\": 0.5, \"first\": "
                "{\"inclination\": "
                "\"30 degree\", \"node\": \"40 degree\"}}}",
                count);
}

// Relative to each other, the centres move on the parabola: no energy, the angular momentum of the pericentre.
static void galaxies_meet_on_a_parabola(void **state)
{
    (void)state;
    size_t count;
    struct nbody_body *bodies = encounter(&count);
    const size_t first = GALAXIES - GALAXIES / 3;
    const struct centre a = centre_of(bodies, first), b = centre_of(bodies + first, count - first);
    double r[3], v[3];
    assert_int_equal(count, GALAXIES);
    assert_centred(bodies, count, 1);
    assert_true(fabs(b.mass / a.mass - 0.5) < 1e-12);
    for (int k = 0; k < 3; k++) {
        r[k] = b.position[k] - a.position[k];
        v[k] = b.velocity[k] - a.velocity[k];
    }
    assert_true(fabs(sqrt(dot(r, r)) - 1.5) < 1e-12);
    assert_true(fabs(0.5 * dot(v, v) - 1 / 1.5) < 1e-12);
    assert_true(fabs(r[0] * v[1] - r[1] * v[0] - sqrt(2 * 0.3)) < 1e-12);
    assert_true(fabs(r[2]) < 1e-13 && dot(r, v) < 0);
    free(bodies);
}

static void put_to_rest(struct nbody_body *bodies, size_t count)
{
    const struct centre c = centre_of(bodies, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            bodies[i].position[k] -= c.position[k];
            bodies[i].velocity[k] -= c.velocity[k];
        }
}

static void a_galaxy_has_its_profiles(void **state)
{
    (void)state;
    enum { FIRST = GALAXIES - GALAXIES / 3, DISC = FIRST / 2 };
    const double normal[3] = {sin(pi / 6) * sin(pi * 40 / 180), -sin(pi / 6) * cos(pi * 40 / 180),
                              cos(pi / 6)};
    size_t count;
    struct nbody_body *bodies = encounter(&count);
    static double radii[GALAXIES];
    double spin[3] = {0}, thickness = 0;
    put_to_rest(bodies, FIRST);
    for (size_t i = 0; i < DISC; i++) {
        const double *x = bodies[i].position, *v = bodies[i].velocity, height = dot(x, normal);
        for (int k = 0; k < 3; k++)
            spin[k] += x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3];
        radii[i] = sqrt(fmax(dot(x, x) - height * height, 0)) / 0.1;
        thickness += height * height / DISC;
    }
    assert_true(kolmogorov(radii, DISC, gamma2_cdf) < 1.95);
    assert_true(dot(spin, normal) > 0.9995 * sqrt(dot(spin, spin)));
    assert_true(fabs(thickness / (pow(0.015 * pi, 2) / 12) - 1) <
                0.15); // of sech²(z/z0); the centre moves a little
    for (size_t i = DISC; i < FIRST; i++)
        radii[i - DISC] = sqrt(dot(bodies[i].position, bodies[i].position)) / 0.3;
    assert_true(kolmogorov(radii, FIRST - DISC, hernquist_cdf) < 1.95);
    free(bodies);
}

// Jeans' equation for the first galaxy's halo, isotropic: σ² = (1/ρ) ∫ ρ M/s² ds from r to the cutoff, where ρ ∝ 1/(s (s + a)³), M of
// halo and disc; by Simpson's rule in log s.
static double jeans_variance(double r)
{
    enum { STEPS = 100 };
    static const double a = 0.3, h = 0.1, halo = 0.6, disc = 0.2 / 3;
    const double step = log(15 * a / r) / STEPS;
    double sum = 0;
    for (int k = 0; k <= STEPS; k++) {
        const double s = r * exp(k * step), weight = k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2;
        const double within = halo * pow(s / (s + a) * 16 / 15, 2) + disc * (1 - (1 + s / h) * exp(-s / h));
        sum += weight * within / (s * s * pow(s + a, 3));
    }
    return r * pow(r + a, 3) * sum * step / 3;
}

// In shells: the mean square of all velocities and of those along the radius. The deviation is 1.2 % at most.
static void a_halo_holds_itself_up(void **state)
{
    (void)state;
    enum { FIRST = 40000, DISC = FIRST / 10, SHELLS = 4 };
    static const double edges[SHELLS + 1] = {0.1, 0.5, 1.5, 5, 15};
    double squares[SHELLS] = {0}, radial[SHELLS] = {0}, wanted[SHELLS] = {0};
    size_t count;
    struct nbody_body *bodies = make(
        "nbody", "{\"encounter\": {\"count\": 60000, \"mass_ratio\": 0.5, \"disc_bodies\": 0.1}}", &count);
    // The middle of the halo and of the disc: bodies at rest there would be those of the disc.
    const struct centre c = centre_of(bodies, DISC);
    for (size_t i = DISC; i < FIRST; i++) {
        double x[3], v[3];
        for (int k = 0; k < 3; k++) {
            x[k] = bodies[i].position[k] - c.position[k];
            v[k] = bodies[i].velocity[k] - c.velocity[k];
        }
        const double r = sqrt(dot(x, x));
        for (int shell = 0; shell < SHELLS; shell++)
            if (r >= 0.3 * edges[shell] && r < 0.3 * edges[shell + 1]) {
                squares[shell] += dot(v, v);
                radial[shell] += pow(dot(x, v) / r, 2);
                wanted[shell] += jeans_variance(r);
            }
    }
    for (int shell = 0; shell < SHELLS; shell++) {
        print_message("halo from %g to %g: <v2> %.4f, <vr2> %.4f of what Jeans' equation asks for\n",
                      edges[shell], edges[shell + 1], squares[shell] / 3 / wanted[shell],
                      radial[shell] / wanted[shell]);
        assert_true(fabs(squares[shell] / 3 / wanted[shell] - 1) < 0.04);
        assert_true(fabs(radial[shell] / wanted[shell] - 1) < 0.06);
    }
    free(bodies);
}

// Alone, each is near equilibrium: 2K = −Σ m x·a, to the disc's field taken as a sphere's and to what 4000 and 8000 bodies tell (1 %).
// A halo whose velocities are cut off at the speed of escape without making up for it lacks 6 %.
static void a_galaxy_is_near_equilibrium(void **state)
{
    (void)state;
    const size_t begins[] = {0, GALAXIES - GALAXIES / 3, GALAXIES};
    size_t count;
    struct nbody_body *bodies = encounter(&count);
    for (int k = 0; k < 2; k++) {
        const size_t part = begins[k + 1] - begins[k];
        put_to_rest(bodies + begins[k], part);
        const double ratio =
            2 * kinetic(bodies + begins[k], part) / fabs(potential(bodies + begins[k], part));
        print_message("galaxy %d: 2K/|W| %.4f\n", k + 1, ratio);
        assert_true(fabs(ratio - 1) < 0.03);
    }
    free(bodies);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plummer_has_its_profile),
        TEST(plummer_has_its_energy),
        TEST(threads_change_no_bit),
        TEST(a_cube_is_even),
        TEST(a_sphere_is_even_and_cold),
        TEST(an_ellipse_has_its_energy),
        TEST(an_ellipse_in_si),
        TEST(si_is_the_same_sphere),
        TEST(galaxies_meet_on_a_parabola),
        TEST(a_galaxy_has_its_profiles),
        TEST(a_halo_holds_itself_up),
        TEST(a_galaxy_is_near_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
