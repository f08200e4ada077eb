// The structure of a gas against known results: the neighbour shells of two lattices, g = 1 for independent
// particles with and without walls, Maxwell's distribution of speeds in two dimensions, and clusters counted
// by testing every pair.
#include "tests/support/test.h"

#include "core/philox.h"
#include "models/gas/structure.h"

static const double pi = 3.14159265358979323846;

// ---- an analysis without a run

// A record: number of clusters, the largest, the mean size, samples; then g(r), speeds, classes of clusters.
enum { SCALARS = 4 };

struct study {
    struct gas_physics physics;
    struct gas_structure_analysis analysis;
    struct memory_plan memory;
    double *record;
};

static void study_open(struct study *s, size_t count, const struct gas_structure *wanted, int threads)
{
    memory_plan_begin(&s->memory);
    s->analysis = (struct gas_structure_analysis){
        .physics = &s->physics, .wanted = *wanted, .count = count, .threads = threads};
    assert_int_equal(gas_structure_plan(&s->analysis, &s->memory), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&s->memory, SIZE_MAX, SIZE_MAX), STATUS_OK);
    gas_structure_start(&s->analysis);
    s->record = owned_zeros(stream_record_bytes(&s->analysis.stream), 1);
}

static void study_close(struct study *s)
{
    memory_plan_release(&s->memory);
}

// Sets the particles in two pieces, as the threads of a run do.
static void study_measure(struct study *s, double time, const struct gas_particle *particles)
{
    const size_t count = s->analysis.count, half = count / 2;
    gas_structure_set(&s->analysis, half, count - half, particles + half);
    gas_structure_set(&s->analysis, 0, half, particles);
    gas_structure_measure(&s->analysis, time, s->record);
}

static const double *distribution_of(const struct study *s)
{
    return s->record + SCALARS;
}

static const double *speeds_of(const struct study *s)
{
    return distribution_of(s) + s->analysis.wanted.bins;
}

static const double *classes_of(const struct study *s)
{
    return speeds_of(s) + s->analysis.wanted.speed_bins;
}

static struct gas_physics box_of(double width, double height, bool is_periodic_x, bool is_periodic_y)
{
    struct gas_physics physics = {.box = {width, height}, .step = 0.01};
    physics.walls[GAS_LEFT] = physics.walls[GAS_RIGHT] = is_periodic_x ? GAS_PERIODIC : GAS_REFLECT;
    physics.walls[GAS_BOTTOM] = physics.walls[GAS_TOP] = is_periodic_y ? GAS_PERIODIC : GAS_DAMPED;
    return physics;
}

// ---- random numbers

static double uniform(uint64_t sample, uint64_t number)
{
    return (philox4x32(philox_counter_from(sample, number), philox_key_from_seed(20240607)).v[0] + 0.5) *
           0x1p-32;
}

static void scatter(const struct gas_physics *physics, uint64_t sample, size_t count,
                    struct gas_particle *particles)
{
    for (size_t i = 0; i < count; i++)
        particles[i] = (struct gas_particle){.position = {uniform(sample, 2 * i) * physics->box[GAS_X],
                                                          uniform(sample, 2 * i + 1) * physics->box[GAS_Y]},
                                             .mass = 1};
}

// ---- lattices

// The mean number of neighbours of a particle up to a distance, from g: the number of pairs at r is g times
// that of a uniform density.
static double neighbours_within(const struct study *s, double distance)
{
    const struct gas_structure *wanted = &s->analysis.wanted;
    const double width = wanted->radius / wanted->bins, area = s->physics.box[GAS_X] * s->physics.box[GAS_Y];
    double sum = 0;
    for (int bin = 0; bin < wanted->bins && (bin + 1) * width <= distance * (1 + 1e-9); bin++)
        sum += distribution_of(s)[bin] * ((double)s->analysis.count - 1) * pi * width * width *
               (2 * bin + 1) / area;
    return sum;
}

static void check_shells(bool is_triangular, const double *distances, const double *neighbours, int shells)
{
    enum { COLUMNS = 24, ROWS = 20 };
    const double height = is_triangular ? sqrt(3) / 2 : 1;
    struct study s = {.physics = box_of(COLUMNS, ROWS * height, true, true)};
    struct gas_particle *particles = owned_zeros((size_t)COLUMNS * ROWS, sizeof *particles);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            particles[row * COLUMNS + column] = (struct gas_particle){
                .position = {column + (is_triangular && row % 2 ? 0.5 : 0) + 0.01, (row + 0.02) * height},
                .mass = 1};
    study_open(&s, (size_t)COLUMNS * ROWS,
               &(struct gas_structure){
                   .every = 1, .radius = 5, .bins = 500, .speed_bins = 2, .cluster_distance = 1.001},
               2);
    study_measure(&s, 0, particles);
    double total = 0;
    for (int k = 0; k < shells; k++) {
        const double before = neighbours_within(&s, distances[k] - 0.02),
                     after = neighbours_within(&s, distances[k] + 0.02);
        if (fabs(before - total) > 1e-9 || fabs(after - total - neighbours[k]) > 1e-9)
            fail_msg("shell at %g: %.12g neighbours up to it and %.12g with it, expected %g and %g",
                     distances[k], before, after, total, total + neighbours[k]);
        total += neighbours[k];
    }
    // All particles are connected through neighbours: one cluster.
    assert_true(s.record[0] == 1 && s.record[1] == COLUMNS * ROWS && s.record[2] == COLUMNS * ROWS);
    study_close(&s);
}

TEST(test_lattices)
{
    check_shells(false, (const double[]){1, sqrt(2), 2, sqrt(5), sqrt(8), 3, sqrt(10)},
                 (const double[]){4, 4, 4, 8, 4, 4, 8}, 7);
    check_shells(true, (const double[]){1, sqrt(3), 2, sqrt(7), 3, sqrt(12), sqrt(13), 4},
                 (const double[]){6, 6, 6, 12, 6, 6, 12, 6}, 8);
}

// ---- independent particles: g = 1

static void check_independent(bool is_periodic_x, bool is_periodic_y, double width, double height)
{
    enum { COUNT = 150, SAMPLES = 600, BINS = 12 };
    struct study s = {.physics = box_of(width, height, is_periodic_x, is_periodic_y)};
    struct gas_particle particles[COUNT];
    double sums[BINS] = {0}, squares[BINS] = {0}, chi2 = 0;
    // Before `from` each record holds the values of one time only; their scatter gives the error of the mean.
    study_open(&s, COUNT,
               &(struct gas_structure){.every = 1,
                                       .from = 1e6,
                                       .radius = fmin(width, height) / 2,
                                       .bins = BINS,
                                       .speed_bins = 2,
                                       .cluster_distance = 0.1},
               2);
    for (uint64_t sample = 0; sample < SAMPLES; sample++) {
        scatter(&s.physics, sample, COUNT, particles);
        study_measure(&s, (double)sample, particles);
        assert_true(s.record[3] == 1);
        for (int bin = 0; bin < BINS; bin++) {
            const double g = distribution_of(&s)[bin];
            sums[bin] += g;
            squares[bin] += g * g;
        }
    }
    for (int bin = 0; bin < BINS; bin++) {
        const double mean = sums[bin] / SAMPLES, variance = squares[bin] / SAMPLES - mean * mean;
        const double error = sqrt(variance / (SAMPLES - 1)), deviation = (mean - 1) / error;
        assert_true(error < 0.02);
        chi2 += deviation * deviation;
        if (fabs(deviation) > 4)
            fail_msg("%d %d: g in bin %d is %.5f, error of the mean %.5f", is_periodic_x, is_periodic_y, bin,
                     mean, error);
    }
    print_message("[          ] %g x %g, periodic %d %d: chi2 of g = 1 is %.1f of %d bins\n", width, height,
                  is_periodic_x, is_periodic_y, chi2, BINS);
    assert_true(chi2 <
                35); // exceeded once in 2000 for 12 independent bins; between walls bins are correlated
    study_close(&s);
}

TEST(test_independent_particles)
{
    check_independent(true, true, 10, 10);
    check_independent(false, false, 10, 10);
    check_independent(true, false, 14, 9);
    check_independent(false, true, 14, 9);
}

// A record at or after `from` is the mean over all times since `from`; an earlier record holds one time only.
TEST(test_means_begin_at_from)
{
    enum { COUNT = 60, BINS = 5 };
    struct study s = {.physics = box_of(8, 8, true, true)};
    struct gas_particle particles[COUNT];
    double own[4][BINS];
    study_open(
        &s, COUNT,
        &(struct gas_structure){
            .every = 1, .from = 2, .radius = 4, .bins = BINS, .speed_bins = 3, .cluster_distance = 0.5},
        1);
    for (uint64_t n = 0; n < 4; n++) {
        struct study alone = {.physics = s.physics};
        study_open(&alone, COUNT, &s.analysis.wanted, 1);
        scatter(&s.physics, 900 + n, COUNT, particles);
        study_measure(&s, (double)n, particles);
        study_measure(&alone, 0, particles);
        memcpy(own[n], distribution_of(&alone), sizeof own[n]);
        study_close(&alone);
        assert_true(s.record[3] == (n < 3 ? 1 : 2));
        for (int bin = 0; bin < BINS; bin++) {
            const double expected = n < 3 ? own[n][bin] : (own[2][bin] + own[3][bin]) / 2;
            assert_true(fabs(distribution_of(&s)[bin] - expected) < 1e-13);
        }
    }
    study_close(&s);
}

// ---- speeds

// Particles of several masses with Maxwell's distribution at temperature T. The reduced speed is v √(m/T),
// where T is the thermostat's temperature, or without thermostat that of the present velocities.
static void check_speeds(bool has_thermostat)
{
    enum { COUNT = 40000, BINS = 60 };
    static const double temperature = 2.5;
    struct study s = {.physics = box_of(100, 100, false, false)};
    struct gas_particle *particles = owned_zeros(COUNT, sizeof *particles);
    if (has_thermostat) {
        s.physics.thermostat = GAS_LANGEVIN;
        s.physics.temperature = temperature;
    }
    scatter(&s.physics, 5000, COUNT, particles);
    for (size_t i = 0; i < COUNT; i++) {
        particles[i].mass = 0.5 + (double)(i % 7);
        const double speed = sqrt(temperature / particles[i].mass) * sqrt(-2 * log(uniform(5001, 2 * i))),
                     angle = 2 * pi * uniform(5001, 2 * i + 1);
        particles[i].velocity[GAS_X] = speed * cos(angle);
        particles[i].velocity[GAS_Y] = speed * sin(angle);
    }
    study_open(&s, COUNT,
               &(struct gas_structure){
                   .every = 1, .radius = 1, .bins = 4, .speed_bins = BINS, .cluster_distance = 0.1},
               2);
    study_measure(&s, 0, particles);
    const double width = (double)GAS_SPEED_RANGE / BINS;
    const double *maxwell = s.analysis.stream.constants[0].values;
    double chi2 = 0, total = 0, share = 0;
    int classes = 0;
    for (int bin = 0; bin < BINS; bin++) {
        const double low = bin * width, high = low + width;
        const double expected = COUNT * (exp(-low * low / 2) - exp(-high * high / 2)),
                     counted = speeds_of(&s)[bin] * COUNT * width;
        assert_true(fabs(maxwell[bin] * COUNT * width - expected) < 1e-9 * COUNT);
        assert_true(fabs(counted - round(counted)) < 1e-6);
        total += counted;
        share += maxwell[bin] * width;
        if (expected < 8)
            continue;
        chi2 += (counted - expected) * (counted - expected) / expected;
        classes++;
    }
    print_message("[          ] speeds: chi2 %.1f of %d classes\n", chi2, classes);
    assert_true(classes > 35 && fabs(chi2 - classes) < 4 * sqrt(2.0 * classes));
    assert_true(total > COUNT - 3 && fabs(share - 1) < 1e-7);
    study_close(&s);
}

TEST(test_maxwells_speeds)
{
    check_speeds(true);
    check_speeds(false);
}

// ---- clusters

struct count {
    double clusters, largest, mean;
    double classes[GAS_CLUSTER_CLASSES_MAX];
};

static bool are_near(const struct gas_physics *physics, const struct gas_particle *a,
                     const struct gas_particle *b, double distance)
{
    double square = 0;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        double r = fabs(a->position[axis] - b->position[axis]);
        if (gas_is_periodic(physics, axis))
            r = fmin(r, physics->box[axis] - r);
        square += r * r;
    }
    return square < distance * distance;
}

// Finds each cluster by a breadth-first search that tests all particles.
static struct count count_by_search(const struct gas_physics *physics, const struct gas_particle *particles,
                                    size_t count, double distance)
{
    struct count result = {.clusters = 0};
    bool *is_taken = owned_zeros(count, sizeof *is_taken);
    size_t *queue = owned_zeros(count, sizeof *queue);
    for (size_t first = 0; first < count; first++) {
        size_t length = 0;
        if (is_taken[first])
            continue;
        is_taken[first] = true;
        queue[length++] = first;
        for (size_t k = 0; k < length; k++)
            for (size_t j = 0; j < count; j++)
                if (!is_taken[j] && are_near(physics, &particles[queue[k]], &particles[j], distance)) {
                    is_taken[j] = true;
                    queue[length++] = j;
                }
        int class = 0;
        while (length >> (class + 1) > 0)
            class ++;
        result.clusters++;
        result.largest = fmax(result.largest, (double)length);
        result.mean += (double)length * (double)length / (double)count;
        result.classes[class]++;
    }
    return result;
}

static void check_clusters(bool is_periodic_x, bool is_periodic_y, size_t count, double distance, int threads)
{
    struct study s = {.physics = box_of(30, 22, is_periodic_x, is_periodic_y)};
    struct gas_particle *particles = owned_zeros(count, sizeof *particles);
    scatter(&s.physics, 7000 + count, count, particles);
    particles[0].position[GAS_X] = is_periodic_x ? 0 : -0.5; // on the edge, and beyond a soft wall
    study_open(&s, count,
               &(struct gas_structure){
                   .every = 1, .radius = 0.3, .bins = 2, .speed_bins = 2, .cluster_distance = distance},
               threads);
    study_measure(&s, 0, particles);
    const struct count expected = count_by_search(&s.physics, particles, count, distance);
    if (s.record[0] != expected.clusters || s.record[1] != expected.largest ||
        fabs(s.record[2] - expected.mean) > 1e-12 * expected.mean)
        fail_msg("%zu within %g, periodic %d %d: %g clusters, largest %g, mean %.12g; expected %g, %g, %.12g",
                 count, distance, is_periodic_x, is_periodic_y, s.record[0], s.record[1], s.record[2],
                 expected.clusters, expected.largest, expected.mean);
    for (int k = 0; k < s.analysis.classes; k++)
        assert_true(classes_of(&s)[k] == expected.classes[k]);
    for (int k = s.analysis.classes; k < GAS_CLUSTER_CLASSES_MAX; k++)
        assert_true(expected.classes[k] == 0);
    study_close(&s);
}

// From single particles to one cluster that spans the box, whose area is 660. Percolation occurs at a density
// of 1.44/distance².
TEST(test_clusters)
{
    static const double distances[] = {0.2, 0.7, 0.95, 1.2, 2.5, 9};
    for (size_t k = 0; k < sizeof distances / sizeof *distances; k++)
        for (int sides = 0; sides < 4; sides++) {
            check_clusters(sides & 1, sides & 2, 1000, distances[k], 1 + (int)(k + (size_t)sides) % 3);
            check_clusters(sides & 1, sides & 2, 7, distances[k] * 3, 2);
        }
}
