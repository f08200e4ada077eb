// `fathom bench ising`: times each method on lattices of a job, gives the rates of random numbers and
// copies alone for comparison, and compares the energy with the exact one. If the energy is wrong, the
// benchmark fails.
#include "bench/bench.h"
#include "bench/ising_ladder.h"

#include "io/job/job.h"
#include "models/ising/exact.h"
#include "models/ising/params.h"
#include "models/solver.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <xxhash.h>

enum { REPLICAS, BOUNDARY, BETA, CHECK_BETA, EVERY, TABLE };
enum {
    REFERENCE_SIZE = 64,
    SIZE_MOST = 1 << 20,
    REPLICAS_MOST = 1 << 20,
    RECORDS = 64,      // measurements that a back end with its own memory holds
    MEASUREMENTS = 32, // for the check of the energy
    SETTLE = 200,      // sweeps before them, from the cold start; a tenth as many cluster updates
    BUDGETS_OF_CHECK = 4,
    SIGMAS_MOST = 6 // largest error of an energy, in standard errors
};

// TURNED: sites of a replica that a sweep flips or updates. The check's energies are per site.
enum figure { ROWS, TURNED, WORDS, CHECKED_BETA, SWEEPS, MEASURED, ENERGY, ERROR, EXACT, SIGMAS };

enum { BITS, INTS }; // a row's variant; INTS: an int for each spin, for comparison

// The lattices that are timed without --size: on processors, on devices, or on both; and those of the
// reference.
enum { HOST = 1, DEVICE = 2, BOTH = 3, REFERENCE = 4 };
static const struct {
    enum ising_method method;
    int size, replicas;
    unsigned where;
} usual[] = {
    {ISING_METROPOLIS, 64, 1, DEVICE},
    {ISING_METROPOLIS, 64, 1000, BOTH},
    {ISING_METROPOLIS, 2048, 1, BOTH},
    {ISING_METROPOLIS, 16384, 1, BOTH},
    {ISING_METROPOLIS, 65536, 1, DEVICE},
    {ISING_METROPOLIS_INTEGER, 2048, 1, BOTH},
    {ISING_METROPOLIS_INTEGER, 16384, 1, DEVICE},
    {ISING_METROPOLIS_RANDOM, 64, 1, BOTH},
    {ISING_METROPOLIS_RANDOM, 64, 100, HOST},
    {ISING_HEAT_BATH, 64, 1000, BOTH},
    {ISING_HEAT_BATH, 2048, 1, BOTH},
    {ISING_HEAT_BATH, 16384, 1, DEVICE},
    {ISING_WOLFF, 64, 1, DEVICE},
    {ISING_WOLFF, 64, 100, HOST},
    {ISING_WOLFF, 64, 1000, DEVICE},
    {ISING_WOLFF, 1024, 1, BOTH},
    {ISING_SWENDSEN_WANG, 64, 100, HOST},
    {ISING_SWENDSEN_WANG, 64, 1000, DEVICE},
    {ISING_SWENDSEN_WANG, 1024, 1, BOTH},
    {ISING_SWENDSEN_WANG, 4096, 1, DEVICE},
};

static struct {
    const struct ising_backend *backend;
    struct solver *solver;
    struct job *job;
    struct ising_params params;
    int every;
    bool has_records;
    size_t records;                 // captured but not sent yet
    struct ising_measure *measures; // [RECORDS][replicas]
    int64_t turned, turned_sweeps;  // sites of all replicas, as measured
    struct bench_range own;         // rows of this rank
} now;

static const struct ising_lattice *lattice_of_now(void)
{
    return &now.params.physics.lattice;
}

// A lattice is square; that of several ranks may have so many times the rows (--weak).
static long long rows_of(const struct bench_row *row)
{
    return row->size[0] * row->size[1];
}

static double spins_of(const struct bench_row *row)
{
    return (double)row->size[0] * (double)rows_of(row) * (double)row->copies;
}

// ---- sweeps and measurements

static void add_turned(size_t records)
{
    for (size_t k = 0; k < records * (size_t)lattice_of_now()->replicas; k++)
        now.turned += now.measures[k].clusters;
    now.turned_sweeps += (int64_t)records * now.every;
}

static enum status send_records(void)
{
    if (now.records == 0)
        return STATUS_OK;
    CHECK(now.backend->head.send(now.solver, ISING_RESULT_SERIES, 0, now.records, now.measures));
    CHECK(now.backend->await(now.solver, 0));
    add_turned(now.records);
    now.records = 0;
    return STATUS_OK;
}

static enum status measure(void)
{
    if (!now.has_records) {
        CHECK(now.backend->measure(now.solver, now.measures));
        add_turned(1);
        return STATUS_OK;
    }
    CHECK(now.backend->capture(now.solver, 0, now.records++));
    return now.records == RECORDS ? send_records() : STATUS_OK;
}

// Makes `count` sweeps, and a measurement after every now.every-th sweep of the whole run. All work is
// complete when it returns.
static enum status advance(int64_t first_step, int64_t count)
{
    for (int64_t step = first_step; step < first_step + count;) {
        const int64_t left = first_step + count - step, until = now.every - step % now.every;
        const int64_t sweeps = until < left ? until : left;
        CHECK(now.backend->head.advance(now.solver, step, sweeps));
        step += sweeps;
        if (step % now.every == 0)
            CHECK(measure());
    }
    CHECK(send_records());
    return now.backend->finish ? now.backend->finish(now.solver) : STATUS_OK;
}

// Of this rank, in all replicas.
static size_t own_words(void)
{
    const struct ising_lattice *lattice = lattice_of_now();
    return (size_t)lattice->replicas * ising_lattice_words(lattice) / (size_t)lattice->rows *
           (size_t)(now.own.end - now.own.first);
}

// Sets all spins up.
static enum status start_cold(void)
{
    memset(now.backend->words(now.solver), 0xff, own_words() * sizeof(uint32_t));
    return solver_touch(&now.backend->head, now.solver, false);
}

// ---- a row

static struct ising_setup setup_of(const struct bench *bench, const struct bench_row *row,
                                   const struct ising_physics *physics)
{
    return (struct ising_setup){.physics = physics,
                                .device = row->entry->device,
                                .has_whole_spins = row->variant == INTS,
                                .ranks = bench->ranks,
                                .shares = bench->shares};
}

static enum status plan(struct bench *bench, struct bench_row *row, struct memory_plan *memory)
{
    const struct ising_wanted wanted = {.slots = 1, .frame_records = RECORDS};
    memset(&now, 0, sizeof now);
    now.backend = (const struct ising_backend *)row->entry->backend; // the head is its first member
    now.every = (int)bench->value[EVERY];
    now.has_records = now.backend->plan_results != NULL;
    now.own = bench_own_rows(bench, rows_of(row));
    CHECK(bench_read_job(
        bench, &now.job,
        "{\"fathom\": 1, \"model\": \"ising\", \"backend\": \"%s\", \"lattice\": {\"columns\": %lld, "
        "\"rows\": %lld, \"replicas\": %lld, \"boundary\": \"%s\"}, \"method\": {\"name\": \"%s\", \"seed\": "
        "1}, "
        "\"temperatures\": {\"beta\": %.17g}, \"sweeps\": {\"count\": %d, \"every\": %d}, \"output\": "
        "{\"directory\": \"bench\"}}",
        row->entry->label, row->size[0], rows_of(row), row->copies,
        ising_boundary_names[(int)bench->value[BOUNDARY]], bench->model->methods[row->method],
        bench->value[BETA], 1000 * now.every, now.every));
    CHECK(ising_params_read(now.job, &now.params));
    const struct ising_setup setup = setup_of(bench, row, &now.params.physics);
    CHECK(now.backend->plan(&setup, memory, "", &now.solver));
    if (now.has_records)
        CHECK(now.backend->plan_results(now.solver, &wanted, memory, ""));
    return memory_plan_add(memory, MEMORY_PINNED, ELEMENT_U8, RECORDS,
                           (size_t)row->copies * sizeof *now.measures, (void **)&now.measures,
                           "measures on the host");
}

static enum status start(struct bench *bench, struct bench_row *row)
{
    CHECK(start_cold());
    now.backend->set_temperature(now.solver, 0, bench->value[BETA]);
    if (ising_has_clusters((enum ising_method)row->method)) { // until their sizes settle
        CHECK(advance(0, SETTLE / 10));
        bench->work.step = SETTLE / 10;
        now.turned = now.turned_sweeps = 0;
    }
    bench->work.least_steps = now.every;
    return STATUS_OK;
}

// The mean energy and its standard error. The correlation of neighbours in the series gives τ, as of an
// exponential decay.
static void find_mean(const double *energy, size_t count, struct bench_row *row)
{
    double sum = 0, square = 0, product = 0;
    for (size_t k = 0; k < count; k++)
        sum += energy[k];
    const double mean = sum / (double)count;
    for (size_t k = 0; k < count; k++)
        square += (energy[k] - mean) * (energy[k] - mean);
    for (size_t k = 1; k < count; k++)
        product += (energy[k] - mean) * (energy[k - 1] - mean);
    const double rho = square > 0 ? fmin(0.9, fmax(0, product / square)) : 0;
    row->figures[ENERGY] = mean;
    row->figures[ERROR] = sqrt(square / ((double)count * (double)(count - 1)) * (1 + rho) / (1 - rho));
    row->figures[SIGMAS] = fabs(mean - row->figures[EXACT]) / row->figures[ERROR];
}

// Compares the energy at a temperature whose equilibrium is near the cold start.
static enum status check_energy(struct bench *bench, struct bench_row *row)
{
    const bool has_clusters = ising_has_clusters((enum ising_method)row->method);
    const int64_t settle = has_clusters ? SETTLE / 10 : SETTLE, every = has_clusters ? 3 : now.every;
    const int64_t sweeps = settle + MEASUREMENTS * every;
    double energy[MEASUREMENTS];
    if (lattice_of_now()->boundary != ISING_PERIODIC ||
        1e-3 * row->time.step_ms * (double)sweeps > BUDGETS_OF_CHECK * bench->budget_s)
        return STATUS_OK;
    CHECK(start_cold());
    now.backend->set_temperature(now.solver, 1, bench->value[CHECK_BETA]);
    CHECK(now.backend->head.advance(now.solver, 0, settle));
    for (int k = 0; k < MEASUREMENTS; k++) {
        int64_t bonds = 0;
        CHECK(now.backend->head.advance(now.solver, settle + k * every, every));
        CHECK(now.backend->measure(now.solver, now.measures));
        for (int64_t r = 0; r < row->copies; r++)
            bonds += now.measures[r].bonds;
        energy[k] = -(double)bonds / spins_of(row);
    }
    row->figures[CHECKED_BETA] = bench->value[CHECK_BETA];
    row->figures[SWEEPS] = (double)sweeps;
    row->figures[MEASURED] = MEASUREMENTS;
    row->figures[EXACT] =
        ising_exact_periodic((int)row->size[0], (int)rows_of(row), bench->value[CHECK_BETA]).energy;
    find_mean(energy, MEASUREMENTS, row);
    return STATUS_OK;
}

// The expected number of random binary digits until all of `spins` spins are decided. Each digit leaves a
// spin undecided with probability ½.
static double expected_digits(double spins)
{
    double digits = 0;
    for (int d = 0; d < 32; d++)
        digits += 1 - pow(1 - pow(0.5, d), spins);
    return digits;
}

// The smallest number of random words for a spin.
static double words_per_flip(const struct bench_row *row)
{
    // At β_c nine of ten spins have three or four satisfied neighbours; the others flip anyhow.
    const double share = row->method == ISING_METROPOLIS ? 0.9 : 1;
    const int bits = ising_word_bits(row->size[0]);
    switch (row->method) {
    case ISING_METROPOLIS:
    case ISING_HEAT_BATH:
        return expected_digits(share * 4 * bits) / bits; // four words share a call of the generator
    case ISING_METROPOLIS_INTEGER:
        return 1;
    default:
        return 2; // a site and a number; or two bonds
    }
}

// The smallest number of bytes that a sweep moves, with its share of a measurement; 0: not known. An
// update of a sublattice reads its spins and their neighbours, and writes its spins.
static double bytes_of(const struct bench_row *row)
{
    const double spins = spins_of(row), measured = spins / 8 / now.every;
    const double moves = lattice_of_now()->boundary == ISING_PERIODIC ? 3 : 4;
    switch (row->method) {
    case ISING_METROPOLIS:
    case ISING_HEAT_BATH:
        return moves * spins / 8 + measured;
    case ISING_METROPOLIS_INTEGER:
        return moves * spins * (row->variant == INTS ? 4 : 1) + measured;
    default:
        return 0;
    }
}

static enum status finish(struct bench *bench, struct bench_row *row)
{
    const double draws_per_s = row->entry->draws_per_s;
    row->figures[TURNED] = (double)ising_sites(lattice_of_now());
    if (row->method == ISING_WOLFF && now.turned_sweeps > 0)
        row->figures[TURNED] = (double)now.turned / ((double)now.turned_sweeps * (double)row->copies);
    row->figures[WORDS] = words_per_flip(row);
    row->work = row->figures[TURNED] * (double)row->copies;
    row->bytes = bytes_of(row);
    row->arithmetic_s = draws_per_s > 0 ? row->work * row->figures[WORDS] / draws_per_s : 0;
    return check_energy(bench, row);
}

static enum status divide(const struct bench *bench, const struct bench_row *row,
                          struct shares_request *request)
{
    const struct ising_backend *backend = (const struct ising_backend *)row->entry->backend;
    if (!backend->is_divided)
        return FAIL(STATUS_CONFIGURATION, "it does not divide a run among ranks");
    if (row->method == ISING_METROPOLIS_RANDOM)
        return FAIL(STATUS_CONFIGURATION, "it does not divide %s among ranks", bench_method_name(bench, row));
    *request = (struct shares_request){.rows = rows_of(row), .least = 1, .what = "rows of the lattice"};
    return STATUS_OK;
}

// Of each row of words, in both planes of all replicas.
static enum status checksum(const struct bench *bench, const struct bench_row *row, uint64_t *sum)
{
    const struct ising_lattice *lattice = lattice_of_now();
    const uint32_t *words = now.backend->words(now.solver);
    const size_t length = (size_t)ising_row_words(lattice->columns);
    (void)bench, (void)row;
    CHECK(solver_fetch(&now.backend->head, now.solver));
    for (int64_t plane = 0; plane < 2 * lattice->replicas; plane++)
        for (int64_t line = now.own.first; line < now.own.end; line++, words += length)
            *sum +=
                XXH3_64bits_withSeed(words, length * sizeof *words, (uint64_t)(plane * lattice->rows + line));
    return STATUS_OK;
}

static void free_job(void)
{
    if (now.job)
        ising_params_free(&now.params);
    job_free(now.job);
    now.job = NULL;
}

// ---- the rows

// If a back end lacks a method that was asked for, a note says so.
static enum status admit_variant(struct bench *bench, struct bench_row *row, bool *is_wanted)
{
    const struct ising_backend *backend = (const struct ising_backend *)row->entry->backend;
    const struct ising_physics physics = {
        .lattice = {row->size[0], rows_of(row), row->copies, (enum ising_boundary)bench->value[BOUNDARY]},
        .coupling = 1,
        .method = (enum ising_method)row->method,
        .seed = 1};
    const struct ising_setup setup = setup_of(bench, row, &physics);
    char why[BENCH_NOTE_BYTES], what[BENCH_TEXT_BYTES];
    *is_wanted = !backend->has_method || backend->has_method(&setup, why, sizeof why);
    if (*is_wanted || bench->methods == 0)
        return STATUS_OK;
    bench_describe_row(bench, row, what, sizeof what);
    bench_add_note(bench, what, why);
    return STATUS_OK;
}

// On a device metropolis-integer is also timed with an int for each spin. `tables`: the tables of the row.
static enum status admit(struct bench *bench, struct bench_row *row, bool *is_wanted)
{
    const bool is_device = row->entry->backend->has_devices;
    const unsigned own = bench_is_reference(row->entry) ? REFERENCE : is_device ? DEVICE : HOST;
    row->figures[ROWS] = (double)rows_of(row);
    *is_wanted = (row->tables & own) &&
                 (row->variant == BITS || (is_device && row->method == ISING_METROPOLIS_INTEGER));
    return *is_wanted ? admit_variant(bench, row, is_wanted) : STATUS_OK;
}

static enum status add_rows(struct bench *bench, long long size, int replicas, unsigned methods,
                            unsigned where)
{
    struct bench_row row = {.copies = replicas, .tables = where, .size = {size}};
    for (row.variant = BITS; row.variant <= INTS; row.variant++)
        CHECK(bench_add_rows(bench, row, methods));
    return STATUS_OK;
}

// Bits of --table.
enum { VARIANTS = 1, THREADS = 16 };

// The set of tables of Karkoulis' rungs (ISING_LADDER_…), and whether the methods are timed.
static unsigned ladder_tables_of(const struct bench *bench)
{
    return (unsigned)bench->value[TABLE] >> 1 &
           (ISING_LADDER_SOURCE | ISING_LADDER_SIZES | ISING_LADDER_BLOCKS);
}

static bool has_variants(const struct bench *bench)
{
    return bench->value[TABLE] == 0 || ((unsigned)bench->value[TABLE] & (VARIANTS | THREADS));
}

// The harness' own tables, which the words of this model's --table lead to.
static void set_tables(struct bench *bench)
{
    if ((unsigned)bench->value[TABLE] & THREADS)
        bench->tables |= BENCH_TABLE_THREADS;
    if (ladder_tables_of(bench) & ISING_LADDER_SOURCE)
        bench->tables |= BENCH_TABLE_SOURCE;
    else if (ladder_tables_of(bench) != 0) // rungs without his figures
        bench->tables |= BENCH_TABLE_BLOCKS;
}

// The rungs are timed before the rows, which the harness times.
static enum status time_ladder(struct bench *bench)
{
    if (ladder_tables_of(bench) == 0)
        return STATUS_OK;
    if (bench->ranks->count > 1)
        return bench_mistake(bench, "the rungs of --table source, sizes and blocks are for one rank");
    CHECK(bench_ladder_check(bench));
    return ising_ladder_time(bench, ladder_tables_of(bench));
}

// Lists the rows. The reference has one size.
static enum status list(struct bench *bench)
{
    set_tables(bench);
    CHECK(time_ladder(bench));
    if (!has_variants(bench))
        return STATUS_OK;
    const int asked = (int)bench->value[REPLICAS];
    CHECK(
        add_rows(bench, bench->size_count > 0 ? bench->sizes[0][0] : REFERENCE_SIZE, asked, ~0u, REFERENCE));
    for (int k = 0; k < bench->size_count; k++)
        CHECK(add_rows(bench, bench->sizes[k][0], asked, ~0u, BOTH));
    for (size_t k = 0; bench->size_count == 0 && k < sizeof usual / sizeof *usual; k++)
        CHECK(add_rows(bench, usual[k].size, asked > 1 ? asked : usual[k].replicas, 1u << usual[k].method,
                       usual[k].where));
    return STATUS_OK;
}

static enum status measure_draws(const struct backend *backend, int device, double *words_per_s)
{
    const struct ising_backend *own = (const struct ising_backend *)backend; // the head is its first member
    return own->measure_draws ? own->measure_draws(device, words_per_s) : STATUS_OK;
}

static enum status judge(const struct bench *bench)
{
    for (int k = 0; k < bench->row_count; k++) {
        const struct bench_row *row = &bench->rows[k];
        char what[BENCH_TEXT_BYTES];
        if (!(row->figures[MEASURED] > 0) || row->figures[SIGMAS] <= SIGMAS_MOST)
            continue;
        bench_describe_row(bench, row, what, sizeof what);
        return FAIL(STATUS_SOFTWARE,
                    "bench ising: %s: energy %.7f a site, exactly %.7f: %.1f standard errors apart", what,
                    row->figures[ENERGY], row->figures[EXACT], row->figures[SIGMAS]);
    }
    return STATUS_OK;
}

// ---- results

static void describe_size(const struct bench_row *row, char *text, size_t bytes)
{
    if (row->copies > 1)
        snprintf(text, bytes, "%lld of %lld x %lld", row->copies, row->size[0], rows_of(row));
    else
        snprintf(text, bytes, "%lld x %lld", row->size[0], rows_of(row));
}

static void get_spin(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    const bool has_bytes = bench_is_reference(row->entry) || row->method == ISING_METROPOLIS_INTEGER ||
                           row->method == ISING_METROPOLIS_RANDOM;
    (void)bench;
    snprintf(text, bytes, "%s", row->variant == INTS ? "int" : has_bytes ? "byte" : "bit");
}

static void print_head(const struct bench *bench)
{
    if (!has_variants(bench))
        return;
    printf("%s boundary, J = 1, B = 0, beta %.8g, from a cold start; energy and magnetisation measured every "
           "%.0f sweeps\n",
           ising_boundary_names[(int)bench->value[BOUNDARY]], bench->value[BETA], bench->value[EVERY]);
}

static void print_foot(const struct bench *bench)
{
    if (ladder_tables_of(bench) != 0)
        ising_ladder_print(bench, ladder_tables_of(bench));
    if (!has_variants(bench))
        return;
    printf(
        "flips: spins decided on, with wolff those flipped; of arith.: the random words that they take at "
        "least, by the rate of the generator alone;\nof copy: bytes that a sweep must move, by the copy "
        "rate; energy: per site at beta %.8g in the same run, its standard error, the exact one\nof the "
        "periodic lattice (Kaufman), and how many errors lie between (more than %d: the benchmark fails)\n",
        bench->value[CHECK_BETA], SIGMAS_MOST);
}

static void report(const struct bench *bench, cJSON *object)
{
    if (ladder_tables_of(bench) != 0)
        ising_ladder_report(bench, object);
}

static const struct bench_option options[] = {
    [REPLICAS] = BENCH_NUMBER_OPTION("replicas", "N", BENCH_COUNT, 1, REPLICAS_MOST, 1, NULL,
                                     "lattices side by side; without --size as many as the size has"),
    [BOUNDARY] =
        BENCH_WORD_OPTION("boundary", BENCH_WORD, ((const char *const[]){"periodic", "helical", NULL}),
                          "boundary", "periodic, or helical, for which there is no exact energy"),
    [BETA] = BENCH_NUMBER_OPTION("beta", "B", BENCH_NUMBER, 1e-6, 1000, ISING_CRITICAL_BETA, "beta",
                                 "where sweeps are timed"),
    [CHECK_BETA] = BENCH_NUMBER_OPTION("check-beta", "B", BENCH_NUMBER, 0.48, 2, 0.5, NULL,
                                       "where the energy is compared, beyond the critical point"),
    [EVERY] = BENCH_NUMBER_OPTION("every", "N", BENCH_COUNT, 1, 1000, 10, "every",
                                  "sweeps from one measurement to the next"),
    [TABLE] = BENCH_WORD_OPTION(
        "table", BENCH_WORDS,
        ((const char *const[]){"variants", "source", "sizes", "blocks", "threads", NULL}), NULL,
        "only these: the methods of Fathom, or programs as Karkoulis (2010) describes them: those of a "
        "device over L (his figure 4.13) with what he says of them, the serial one against them (4.15, "
        "4.16), by the shape of blocks (4.14); may be given several times; or, alone, Fathom's methods "
        "with 1, 2, 4 ... all threads of a processor:"),
    {.name = NULL},
};

#define UNCHECKED "no exact energy of this boundary, or the check would take longer than 4 times --budget"

static const struct bench_column columns[] = {
    BENCH_REPORTED("columns", .source = BENCH_SIZE),
    BENCH_REPORTED("rows", BENCH_OWN(ROWS)),
    BENCH_REPORTED("replicas", .source = BENCH_COPIES),
    {.key = "spin", .name = "spin", .unit = "", .is_left = true, .text = get_spin},
    BENCH_REPORTED("turned", BENCH_OWN(TURNED)),
    BENCH_COLUMN("flips_per_ns", "flips", "a ns", "%.4g", 1, BENCH_OF(WORK, NANOSECOND)),
    BENCH_REPORTED("words_per_flip", BENCH_OWN(WORDS)),
    BENCH_REPORTED("check.beta", BENCH_OWN(CHECKED_BETA)),
    BENCH_REPORTED("check.sweeps", BENCH_OWN(SWEEPS)),
    BENCH_REPORTED("check.measurements", BENCH_OWN(MEASURED)),
    BENCH_COLUMN("check.energy", "energy", "", "%.7f", 1, BENCH_OWN(ENERGY), .none = UNCHECKED),
    BENCH_COLUMN("check.error", "error", "", "%.1e", 1, BENCH_OWN(ERROR), .none = UNCHECKED),
    BENCH_COLUMN("check.exact", "exact", "", "%.7f", 1, BENCH_OWN(EXACT), .none = UNCHECKED),
    BENCH_COLUMN("check.sigmas", "off by", "errors", "%.1f", 1, BENCH_OWN(SIGMAS), .none = UNCHECKED),
    BENCH_LAST,
};

const struct bench_model bench_ising = {
    .name = "ising",
    .about = "Times sweeps of the two-dimensional Ising model by each method on each back end that this "
             "machine can run, from a cold start at the critical temperature, with energy and magnetisation "
             "measured among them. Then the same solver's mean energy is compared with the exact one of the "
             "lattice, at a temperature whose equilibrium is near; if it is off by more than 6 standard "
             "errors, the benchmark fails.",
    .backends = &ising_backends,
    .rates = BENCH_RATE_COPY,
    .measure_draws = measure_draws,
    .methods = (const char *const[]){[ISING_METROPOLIS] = "metropolis",
                                     [ISING_METROPOLIS_INTEGER] = "metropolis-integer",
                                     [ISING_METROPOLIS_RANDOM] = "metropolis-random",
                                     [ISING_HEAT_BATH] = "heat-bath",
                                     [ISING_WOLFF] = "wolff",
                                     [ISING_SWENDSEN_WANG] = "swendsen-wang",
                                     [ISING_METHODS] = NULL},
    .axes = 1,
    .size_least = 4,
    .size_most = SIZE_MOST,
    .has_even_sizes = true,
    .size_example = "64",
    .size_help = "L x L sites, L even; may be given several times (64 to 65536, by method)",
    .repeat = 5,
    .budget_s = 2,
    .options = options,
    .columns = columns,
    .describe_size = describe_size,
    .list = list,
    .admit = admit,
    .divide = divide,
    .slowest_axis = 1,
    .checksum = checksum,
    .solver = &now.solver,
    .plan = plan,
    .start = start,
    .advance = advance,
    .finish = finish,
    .free = free_job,
    .print_head = print_head,
    .print_foot = print_foot,
    .report = report,
    .judge = judge,
    .find_ours = ising_ladder_find_ours,
};
