// Whether every spin is decided by independent random bits: products of spins in one word, in different
// words, over the seam, in other replicas and at other temperatures, taken from whole configurations, against
// the exact correlation function of the infinite lattice, which at this temperature is that of 64 sites to
// thirty digits less than the errors.
#include "models/ising/exact.h"
#include "validate/closed/ising_correlation.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLICAS = 4, RECORDS = 50, COPIES = REPLICAS * RECORDS, EVERY = 20, DISTANCES = 16, SIDE_MAX = 128 };
enum { DROPPED = RECORDS / 5 * REPLICAS }; // of each temperature: the start is forgotten
static const double betas[2] = {0.3, 0.3}; // the same twice: only the temperature's index differs
static const char exact[] = "exact correlation function of the infinite lattice (Kaufman & Onsager 1949)";
static const char alone[] = "what has nothing in common";

struct way {
    const char *name;
    enum ising_method method;
    enum ising_boundary boundary;
    int64_t side;
};
static const struct way ways[] = {
    {"metropolis, 64", ISING_METROPOLIS, ISING_PERIODIC, 64},
    {"metropolis, 128", ISING_METROPOLIS, ISING_PERIODIC, 128},
    {"metropolis, helical, 64", ISING_METROPOLIS, ISING_HELICAL, 64},
    {"heat-bath, 128", ISING_HEAT_BATH, ISING_PERIODIC, 128},
    {"swendsen-wang, 64", ISING_SWENDSEN_WANG, ISING_PERIODIC, 64},
};
enum { WAYS = sizeof ways / sizeof *ways };

// Configurations: spins[copy][row][column], ±1; the copies of the second temperature follow those of the
// first.
struct copies {
    int64_t side;
    bool is_helical;
    signed char *spins;
};

static enum status run_way(struct validation_run *run, const struct way *way, const char *name)
{
    const struct ising_job job = {.method = way->method,
                                  .boundary = way->boundary,
                                  .columns = way->side,
                                  .replicas = REPLICAS,
                                  .start = "hot",
                                  .betas = betas,
                                  .temperatures = 2,
                                  .is_independent = true,
                                  .seed = 64,
                                  .count = EVERY * RECORDS,
                                  .thermalisation = 0,
                                  .every = EVERY,
                                  .output = "\"configurations\": {\"every\": 20, \"format\": \"bytes\"}"};
    return ising_job_run(run, &job, name, NULL);
}

static enum status read_copies(const struct validation_run *run, const char *name, const struct way *way,
                               struct copies *copies)
{
    double *values;
    size_t shape[4];
    const size_t side = (size_t)way->side, count = 2 * COPIES * side * side;
    CHECK(case_read_variable(run, name, "configurations.nc", "spins", &values, shape));
    *copies = (struct copies){way->side, way->boundary == ISING_HELICAL, malloc(count)};
    enum status status = STATUS_OK;
    if (!copies->spins)
        status = FAIL(STATUS_SYSTEM, "not enough memory for %d configurations", 2 * COPIES);
    // A start is no copy: the last RECORDS of each temperature.
    else if (shape[0] != 2 * RECORDS || shape[1] != REPLICAS || shape[2] != side || shape[3] != side)
        status = FAIL(STATUS_DATA, "configurations.nc has %zu x %zu x %zu x %zu spins", shape[0], shape[1],
                      shape[2], shape[3]);
    for (size_t k = 0; k < count && status == STATUS_OK; k++)
        copies->spins[k] = values[k] > 0 ? 1 : -1;
    free(values);
    return status;
}

// A row and what follows it beyond its end: its own begin, or that of the next one.
static void extend_row(const struct copies *c, int copy, int64_t row, signed char *extended)
{
    const size_t side = (size_t)c->side;
    const signed char *lattice = c->spins + (size_t)copy * side * side;
    const size_t next = c->is_helical ? (size_t)(row + 1) % side : (size_t)row;
    memcpy(extended, lattice + (size_t)row * side, side);
    memcpy(extended + side, lattice + next * side, DISTANCES);
}

// ---- means over configurations, which are 20 sweeps apart: four or more autocorrelation times

// An observable of one configuration: its mean over some of the sites.
struct sample {
    double sum, squares;
    int count;
};

static void add_sample(struct sample *sample, double value)
{
    sample->sum += value;
    sample->squares += value * value;
    sample->count++;
}

static struct ising_estimate mean_of(const struct sample *sample)
{
    const double n = sample->count, mean = sample->sum / n;
    return (struct ising_estimate){mean, sqrt(fmax(0, sample->squares / n - mean * mean) / (n - 1))};
}

// ---- along a row

// Whether the spins of a column and of the one so far to the right of it lie in one word.
static bool is_one_word(const struct copies *c, int64_t column, int64_t distance)
{
    const int64_t words = ising_row_words(c->side), other = (column + distance) % c->side;
    return column % 2 == other % 2 && column / 2 % words == other / 2 % words &&
           (!c->is_helical || column + distance < c->side);
}

// Means of s s' over the pairs of a configuration that far apart whose column is wanted.
static double mean_along_row(const struct copies *c, int copy, int64_t distance, const bool *is_wanted,
                             int64_t pairs)
{
    signed char row[SIDE_MAX + DISTANCES];
    int64_t sum = 0;
    for (int64_t y = 0; y < c->side; y++) {
        extend_row(c, copy, y, row);
        for (int64_t x = 0; x < c->side; x++)
            sum += is_wanted[x] ? row[x] * row[x + distance] : 0;
    }
    return (double)sum / (double)(pairs * c->side);
}

// The first call begins the picture.
static enum status draw_rows(struct validation_run *run, const double *exact_values, const char *line,
                             const double *distances, const struct ising_estimate *values, size_t count)
{
    struct validation_record *record = run->record;
    struct validation_picture *picture = record->pictures;
    double x[DISTANCES];
    for (int r = 0; r < DISTANCES; r++)
        x[r] = r + 1;
    if (record->picture_count == 0) {
        CHECK(validation_picture(run, "Correlation along a row, beta = 0.3", "distance", "G",
                                 "What is negative by chance is left out.", &picture));
        picture->is_logarithmic = true;
        CHECK(validation_line(run, picture, "exact", false, x, exact_values + 1, DISTANCES));
    }
    return ising_draw_values(run, picture, line, distances, values, count);
}

static enum status measure_rows(struct validation_run *run, const struct way *way, const struct copies *c,
                                bool in_one_word)
{
    struct ising_estimate values[DISTANCES], known[DISTANCES];
    double g[DISTANCES + 1], distances[DISTANCES];
    size_t count = 0;
    ising_exact_correlation(betas[0], DISTANCES, g);
    for (int r = 1; r <= DISTANCES; r++) {
        struct sample sample = {0};
        bool is_wanted[SIDE_MAX];
        int64_t pairs = 0;
        for (int64_t x = 0; x < c->side; x++)
            pairs += is_wanted[x] = is_one_word(c, x, r) == in_one_word;
        if (pairs == 0)
            continue;
        for (int copy = 0; copy < 2 * COPIES; copy++)
            if (copy % COPIES >= DROPPED)
                add_sample(&sample, mean_along_row(c, copy, r, is_wanted, pairs));
        distances[count] = r;
        known[count] = (struct ising_estimate){g[r], 0};
        values[count++] = mean_of(&sample);
    }
    const struct ising_chi2 chi2 = ising_chi2(values, known, count);
    const char *where = in_one_word ? "in a word" : "across words";
    CHECK(validation_compare(run, "errors", "1", exact, chi2.largest, 0,
                             "%s: %s, furthest of %zu distances in errors", way->name, where, count));
    return way == ways ? draw_rows(run, g, where, distances, values, count) : STATUS_OK;
}

// ---- bit by bit

static void add_column(const struct copies *c, int copy, size_t column, struct sample *up,
                       struct sample *next)
{
    const size_t side = (size_t)c->side, beyond = column + 1 < side ? column + 1 : 0;
    const size_t turn = c->is_helical && beyond == 0; // to the next row
    const signed char *lattice = c->spins + (size_t)copy * side * side;
    int64_t sum = 0, products = 0;
    for (size_t row = 0; row < side; row++) {
        const int spin = lattice[row * side + column];
        sum += spin;
        products += spin * lattice[(row + turn) % side * side + beyond];
    }
    add_sample(up, (double)sum / (double)side);
    add_sample(next, (double)products / (double)side);
}

// Each column on its own: its mean, and its product with the next one, over the seam for the last.
static enum status measure_columns(struct validation_run *run, const struct way *way, const struct copies *c)
{
    const size_t side = (size_t)c->side;
    const double bond = -ising_exact_periodic((int)side, (int)side, betas[0]).energy / 2;
    struct ising_estimate seam = {0, 0};
    double ups = 0, bonds = 0;
    for (size_t column = 0; column < side; column++) {
        struct sample up = {0}, next = {0};
        for (int copy = 0; copy < 2 * COPIES; copy++)
            if (copy % COPIES >= DROPPED)
                add_column(c, copy, column, &up, &next);
        const struct ising_estimate u = mean_of(&up), n = mean_of(&next);
        ups = fmax(ups, fabs(u.value) / u.error);
        bonds = fmax(bonds, fabs(n.value - bond) / n.error);
        seam = n; // of the last column
    }
    CHECK(validation_compare(run, "bits/furthest", "1", "up and down are alike", ups, 0,
                             "%s: mean spin, furthest of %zu columns in errors", way->name, side));
    CHECK(validation_compare(run, "bits/furthest", "1", "Kaufman (1949), computed here", bonds, 0,
                             "%s: bond to the right, furthest of %zu columns in errors", way->name, side));
    return ising_measure(run, "Kaufman (1949), computed here", seam, (struct ising_estimate){bond, 0},
                         "%s: bond over the seam", way->name);
}

// ---- replicas and temperatures

static double overlap_of(const struct copies *c, int one, int other)
{
    const int64_t sites = c->side * c->side;
    int64_t sum = 0;
    for (int64_t k = 0; k < sites; k++)
        sum += c->spins[one * sites + k] * c->spins[other * sites + k];
    return (double)sum / (double)sites;
}

static enum status measure_overlaps(struct validation_run *run, const struct way *way, const struct copies *c)
{
    struct sample replicas = {0}, temperatures = {0};
    for (int copy = DROPPED; copy < COPIES; copy++) {
        if (copy % REPLICAS + 1 < REPLICAS)
            add_sample(&replicas, overlap_of(c, copy, copy + 1));
        add_sample(&temperatures, overlap_of(c, copy, COPIES + copy));
    }
    CHECK(ising_measure(run, alone, mean_of(&replicas), (struct ising_estimate){0, 0},
                        "%s: overlap of neighbouring replicas", way->name));
    return ising_measure(run, alone, mean_of(&temperatures), (struct ising_estimate){0, 0},
                         "%s: overlap of two temperatures' chains", way->name);
}

static enum status measure_way(struct validation_run *run, const struct way *way)
{
    char name[32];
    struct copies copies = {0};
    snprintf(name, sizeof name, "bits-%td", way - ways);
    CHECK(run_way(run, way, name));
    enum status status = read_copies(run, name, way, &copies);
    if (status == STATUS_OK)
        status = measure_rows(run, way, &copies, true);
    if (status == STATUS_OK)
        status = measure_rows(run, way, &copies, false);
    if (status == STATUS_OK)
        status = measure_columns(run, way, &copies);
    if (status == STATUS_OK)
        status = measure_overlaps(run, way, &copies);
    free(copies.spins);
    return status;
}

enum status ising_case_bits(struct validation_run *run)
{
    for (int k = 0; k < WAYS; k++)
        CHECK(measure_way(run, &ways[k]));
    return case_note(run, "bits-0", "%d configurations of each, beta = %g; first", 2 * COPIES, betas[0]);
}
