// `fathom bench gas`: each system with each method, compared with the rates of arithmetic and of memory
// alone; also the stages of a step and the error of the regions.
#include "bench/gas_systems.h"

#include "core/statistics.h"
#include "models/gas/method.h"
#include "models/gas/params_private.h"
#include "models/gas/regions_error.h"
#include "models/solver.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

enum {
    LIST_STEPS = 40,         // least number of steps of a repetition with lists: it includes some rebuilds
    HOST_PAIRS_MOST = 65536, // largest sizes on a processor without --size: all pairs, lists, regions
    HOST_LISTS_MOST = 1 << 20,
    HOST_REGIONS_MOST = 1 << 21,
    REFERENCE_COUNT = 2048,
    PROBE_COUNT = 16384
};

// How a row sums its forces; this is its variant, and selects the table in which it is printed.
enum way { PAIRS, LISTS, REGIONS };

enum figure {
    PAIR_COUNT,
    PAIRS_PER_S,
    STEPS_PER_SORT,
    STAGES,
    NEIGHBOURS = STAGES + GAS_STAGES,
    REBUILDS,
    POTENTIAL,
    COLUMNS,
    ROWS,
    ERROR_SAMPLES,
    ERROR_RMS,
    ERROR_LARGEST
};

// The sizes of a system without --size, for all pairs and for cells. The last one is followed by 0.
static const long long usual[BENCH_GAS_SYSTEMS][GAS_METHODS][4] = {
    [BENCH_GAS_LOG] = {{16384, 65536}, {65536, 262144, 2097152}},
    [BENCH_GAS_LOG_2500] = {{0}, {262144, 2097152}},
    [BENCH_GAS_CONDENSING] = {{65536}, {262144, 2097152}},
    [BENCH_GAS_CONDENSING_2500] = {{0}, {262144}},
    [BENCH_GAS_REAL_GAS] = {{16384}, {262144}},
    [BENCH_GAS_LENNARD_JONES] = {{16384, 65536}, {65536, 1048576, 4194304}},
    [BENCH_GAS_FORCE_SHIFTED] = {{16384}, {1048576}},
};

// The least number of instructions of a pair besides the reciprocal of a square: two differences, two
// multiply-adds for the square and two for the sums make 6. A cut-off adds a comparison, a multiply-add and
// two products or sums. Lennard-Jones adds a comparison, a multiply-add and four products; a shifted force
// adds two more.
static const int pair_operations[BENCH_GAS_SYSTEMS] = {6, 6, 10, 10, 10, 12, 14};

static struct {
    const struct gas_backend *backend;
    struct solver *solver;
    struct gas_params params;
    struct gas_setup setup;
    struct bench_gas_particles start;
    struct gas_finding found;   // after the last steps
    int64_t rebuilds;           // before the timing
    struct particles_range own; // particles of this rank, by id, for its checksum
} now;

// ---- a row

static enum status plan(struct bench *bench, struct bench_row *row, struct memory_plan *memory)
{
    now.backend = (const struct gas_backend *)row->entry->backend;
    now.found = (struct gas_finding){.error = GAS_NO_ERROR};
    CHECK(bench_gas_make_particles(bench, row, &now.start));
    CHECK(bench_gas_read(bench, row, &now.params));
    now.setup = (struct gas_setup){.physics = &now.params.physics,
                                   .count = now.params.count,
                                   .mass = now.params.mass,
                                   .precision = row->precision,
                                   .device = row->entry->device,
                                   .ranks = bench->ranks,
                                   .shares = bench->shares};
    now.own = particles_own(now.setup.shares, now.setup.ranks, now.setup.count);
    return now.backend->plan(&now.setup, memory, "", &now.solver);
}

// Finds the error of the forces at the start, compared with direct summation in double precision.
static enum status find_error(struct bench_row *row)
{
    const int threads = omp_get_max_threads();
    CHECK(now.backend->evaluate(now.solver, false));
    CHECK(solver_fetch(&now.backend->head, now.solver));
    struct gas_particle *scratch = calloc((size_t)threads * STATISTICS_BLOCK, sizeof *scratch);
    if (!scratch)
        return FAIL(STATUS_SYSTEM, "bench gas: no memory for the exact forces");
    const struct gas_regions_error error =
        gas_find_regions_error(now.backend, now.solver, &now.setup, threads, scratch, STATISTICS_BLOCK);
    free(scratch);
    row->figures[COLUMNS] = now.params.physics.regions.columns;
    row->figures[ROWS] = now.params.physics.regions.rows;
    row->figures[ERROR_SAMPLES] = error.samples;
    row->figures[ERROR_RMS] = error.rms;
    row->figures[ERROR_LARGEST] = error.largest;
    return STATUS_OK;
}

static enum status advance(int64_t first_step, int64_t count)
{
    CHECK(now.backend->head.advance(now.solver, first_step, count));
    return now.backend->finish ? now.backend->finish(now.solver, &now.found) : STATUS_OK;
}

static enum status start(struct bench *bench, struct bench_row *row)
{
    struct gas_stage_times times;
    struct gas_counts counts;
    now.backend->set(now.solver, 0, now.start.count, now.start.particles);
    CHECK(solver_touch(&now.backend->head, now.solver, false));
    if (row->variant == REGIONS)
        CHECK(find_error(row));
    row->figures[POTENTIAL] = now.start.potential;
    now.backend->stages(now.solver, &times, &counts);
    now.rebuilds = counts.rebuilds;
    bench->work.least_steps = row->variant == LISTS ? LIST_STEPS : 1;
    return STATUS_OK;
}

// The least number of bytes that a step moves per particle. The kicks and the drift read positions,
// velocities and forces, and write positions and velocities. The sums read positions and lists, and write
// forces. A sort reads and writes all arrays, and new lists are written. The positions of neighbours are not
// counted again.
static double bytes_per_particle(const struct bench_row *row)
{
    const double pair = GAS_AXES * sizeof(double), index = sizeof(uint32_t);
    const double moves = 8 * pair, sums = 2 * pair, sort = 2 * (2 * pair + index);
    const double lists = row->variant == LISTS ? index * row->figures[NEIGHBOURS] : 0;
    return row->variant == PAIRS     ? moves + sums
           : row->variant == REGIONS ? moves + sums + sort
                                     : moves + sums + lists + row->figures[REBUILDS] * (sort + pair + lists);
}

// The time of `pairs` pairs at the rate of multiply-adds, or at that of inverse roots, whichever is longer
// (s).
static double arithmetic_s(const struct bench_row *row, double pairs)
{
    const int kind = bench_precision(row);
    const double fma_per_s = row->entry->arithmetic[kind].fma_per_s;
    const double rsqrt_per_s = row->entry->arithmetic[kind].rsqrt_per_s;
    return row->variant != REGIONS && fma_per_s > 0 && rsqrt_per_s > 0
               ? pairs / fmin(fma_per_s / pair_operations[row->kind], rsqrt_per_s)
               : 0;
}

// The back end may have timed the stages of only some of the steps.
static enum status finish(struct bench *bench, struct bench_row *row)
{
    struct gas_stage_times times;
    struct gas_counts counts;
    if (now.setup.shares) // the counts of all ranks
        CHECK(solver_fetch(&now.backend->head, now.solver));
    now.backend->stages(now.solver, &times, &counts);
    for (int stage = 0; times.steps > 0 && row->variant != PAIRS && stage < GAS_STAGES; stage++)
        row->figures[STAGES + stage] = 1e3 * times.seconds[stage] / (double)times.steps;
    row->work = (double)row->size[0];
    row->figures[PAIR_COUNT] = counts.pairs > 0 ? counts.pairs : row->work * (row->work - 1);
    if (row->variant == LISTS) {
        row->figures[NEIGHBOURS] = counts.neighbours;
        row->figures[REBUILDS] = (double)(counts.rebuilds - now.rebuilds) / (double)bench->work.step;
    }
    row->figures[PAIRS_PER_S] = 1e3 * row->figures[PAIR_COUNT] / row->time.step_ms;
    row->figures[STEPS_PER_SORT] = row->figures[REBUILDS] > 0 ? 1 / row->figures[REBUILDS] : NAN;
    row->bytes = row->work * bytes_per_particle(row);
    row->arithmetic_s = arithmetic_s(row, row->figures[PAIR_COUNT]);
    if (!now.backend->finish)
        CHECK(now.backend->guard(now.solver, bench->work.step, &now.found));
    if (now.found.error != GAS_NO_ERROR)
        return FAIL(STATUS_SOFTWARE, "%s: the benchmark is invalid after step %lld, particle %lld",
                    now.backend->head.name, (long long)now.found.step, (long long)now.found.id);
    return STATUS_OK;
}

static enum status divide(const struct bench *bench, const struct bench_row *row,
                          struct shares_request *request)
{
    (void)bench;
    if (!((const struct gas_backend *)row->entry->backend)->is_divided)
        return FAIL(STATUS_CONFIGURATION, "it does not divide a run among ranks");
    *request = particles_request((size_t)row->size[0], "groups of 64 particles");
    return STATUS_OK;
}

// Every rank has all particles after a fetch; it hashes as many as its share has, by id, with their forces.
static enum status checksum(const struct bench *bench, const struct bench_row *row, uint64_t *sum)
{
    (void)bench, (void)row;
    CHECK(solver_fetch(&now.backend->head, now.solver));
    for (size_t id = now.own.first; id < now.own.end; id++) {
        struct gas_particle particle;
        struct gas_field field;
        now.backend->get(now.solver, id, 1, &particle);
        now.backend->get_field(now.solver, id, 1, &field);
        *sum += XXH3_64bits_withSeed(&particle, sizeof particle, id);
        *sum += XXH3_64bits_withSeed(field.force, sizeof field.force, id);
    }
    return STATUS_OK;
}

static void release(void)
{
    bench_gas_free(&now.start);
}

// ---- the rows

static long long reference_size(const struct bench *bench)
{
    return bench->size_count > 0 ? bench->sizes[0][0] : REFERENCE_COUNT;
}

// The reference has no lists, and one size is enough for it. Sizes that need a device run on a processor only
// if --size asks for them.
static bool is_wanted_of(const struct bench *bench, const struct bench_row *row)
{
    static const long long most[] = {HOST_PAIRS_MOST, HOST_LISTS_MOST, HOST_REGIONS_MOST};
    if (bench_is_reference(row->entry))
        return row->variant != LISTS && (row->tables == 0 || row->size[0] == reference_size(bench));
    if (bench->size_count > 0 || row->tables == 0)
        return true;
    return row->size[0] != REFERENCE_COUNT &&
           (row->entry->backend->has_devices || row->size[0] <= most[row->variant]);
}

static enum status admit(struct bench *bench, struct bench_row *row, bool *is_wanted)
{
    struct gas_params params;
    CHECK(bench_gas_read(bench, row, &params));
    row->variant = gas_has_regions(&params.physics) ? REGIONS
                   : gas_has_lists(&params.physics) ? LISTS
                                                    : PAIRS;
    row->cost = gas_operations(&params);
    *is_wanted = is_wanted_of(bench, row);
    return STATUS_OK;
}

// For all pairs the number of cells does not matter: of two systems that differ in it, one is enough.
static enum status list(struct bench *bench)
{
    const unsigned wanted = (unsigned)bench->value[BENCH_GAS_SYSTEM];
    if (bench->value[BENCH_GAS_FAR] < bench->value[BENCH_GAS_NEAR])
        return bench_mistake(bench, "--far is less than --near: far cells lie beyond the near ones");
    for (int system = 0; system < BENCH_GAS_SYSTEMS; system++)
        for (int method = 0; method < GAS_METHODS; method++) {
            struct bench_row row = {.kind = system, .tables = 1};
            const long long *own = usual[system][method];
            if ((wanted != 0 && !(wanted & 1u << system)) || (method == GAS_ALL_PAIRS && own[0] == 0))
                continue;
            for (int k = 0; k < (bench->size_count > 0 ? bench->size_count : 4); k++) {
                row.size[0] = bench->size_count > 0 ? bench->sizes[k][0] : own[k];
                if (row.size[0] > 0)
                    CHECK(bench_add_rows(bench, row, 1u << method));
            }
            row.size[0] = reference_size(bench);
            CHECK(bench_add_rows(bench, row, 1u << method));
        }
    return STATUS_OK;
}

static long long probe_size(const struct bench_row *row)
{
    return bench_is_reference(row->entry) ? REFERENCE_COUNT : PROBE_COUNT;
}

static const char *name_method(const struct bench_row *row)
{
    static const char *const names[] = {"all-pairs", "lists", "regions"};
    return names[row->variant];
}

static int group_of(const struct bench_row *row)
{
    return row->variant;
}

// ---- results

static void get_cells(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    (void)bench;
    if (!isnan(row->figures[COLUMNS]))
        snprintf(text, bytes, "%.0f x %.0f", row->figures[COLUMNS], row->figures[ROWS]);
}

static void print_head(const struct bench *bench)
{
    (void)bench;
    printf("leapfrog; log: ln r, particles at random in a box of 5000; condensing: a box of 5000 for 262144, "
           "others as dense, near a lattice;\n-2500: 50 x 50 cells; the others: fluids of density 0.7 at "
           "temperature 1, cut off at 2.5, periodic; real-gas: without ln r\n");
}

static void print_foot(const struct bench *bench)
{
    (void)bench;
    printf("pairs: i with j and j with i; with regions, those of near cells only\nof copy: share of the rate "
           "of a plain copy, for the bytes that must move\nof arith.: share of the rate of multiply-adds (%d "
           "to %d a pair) or of inverse roots (one a pair), whichever is lower\nerror: of the force on up to "
           "%d particles, relative to the root mean square of the force of all cells that are not near\n"
           "stage lists: finding neighbours, or with regions the multipoles of the cells; stage regions: "
           "middle and far cells\n",
           pair_operations[BENCH_GAS_LOG], pair_operations[BENCH_GAS_FORCE_SHIFTED], GAS_ERROR_SAMPLES);
}

static void report(const struct bench *bench, cJSON *object)
{
    cJSON *operations = cJSON_AddObjectToObject(object, "operations_per_pair");
    (void)bench;
    for (int s = 0; s < BENCH_GAS_SYSTEMS; s++)
        cJSON_AddNumberToObject(operations, bench_gas_system_names[s], pair_operations[s]);
}

static const struct bench_option options[] = {
    [BENCH_GAS_SYSTEM] =
        BENCH_WORD_OPTION("system", BENCH_WORDS, bench_gas_system_names, NULL,
                          "only this system (-2500: with 50 x 50 cells); may be given several times:"),
    [BENCH_GAS_SKIN] = BENCH_NUMBER_OPTION("skin", "S", BENCH_NUMBER, 1e-3, 10, 0, NULL,
                                           "of the neighbour lists (0.2 of the cut-off)"),
    [BENCH_GAS_COLUMNS] = BENCH_NUMBER_OPTION("columns", "N", BENCH_COUNT, 1, 1024, 0, NULL,
                                              "cells of the regions on a side (of fewest operations)"),
    [BENCH_GAS_NEAR] = BENCH_NUMBER_OPTION("near", "R", BENCH_NUMBER, 1.001, 1000, 2, "near",
                                           "radius of the near region in cells"),
    [BENCH_GAS_FAR] = BENCH_NUMBER_OPTION("far", "R", BENCH_NUMBER, 1.001, 1000, 10, "far",
                                          "radius in cells from which on cells are far"),
    [BENCH_GAS_ORDER] = BENCH_NUMBER_OPTION("order", "N", BENCH_COUNT, 0, 1, 1, "order",
                                            "Taylor's order of the field of far cells, 0 or 1"),
    {.name = NULL},
};

static const struct bench_column columns[] = {
    BENCH_REPORTED("n", .source = BENCH_SIZE),
    BENCH_COLUMN("particle_steps_per_s", "rate", "Mpart.-steps/s", "%.4g", 1e-6, BENCH_OF(WORK, SECOND)),
    BENCH_REPORTED("pairs", BENCH_OWN(PAIR_COUNT)),
    BENCH_COLUMN("pairs_per_s", "pairs", "G/s", "%.4g", 1e-9, BENCH_OWN(PAIRS_PER_S)),
    BENCH_REPORTED("potential_at_start", BENCH_OWN(POTENTIAL)),
    BENCH_COLUMN("neighbours", "neighbours", "mean", "%.3g", 1, BENCH_OWN(NEIGHBOURS)),
    BENCH_REPORTED("rebuilds_per_step", BENCH_OWN(REBUILDS)),
    BENCH_COLUMN(NULL, "steps", "a sort", "%.3g", 1, BENCH_OWN(STEPS_PER_SORT),
                 .none = "nothing was sorted in the steps that were timed"),
    {.name = "cells", .unit = "", .text = get_cells},
    BENCH_REPORTED("columns", BENCH_OWN(COLUMNS)),
    BENCH_REPORTED("rows", BENCH_OWN(ROWS)),
    BENCH_REPORTED("relative_error.samples", BENCH_OWN(ERROR_SAMPLES)),
    BENCH_COLUMN("relative_error.rms", "error", "rms", "%.1e", 1, BENCH_OWN(ERROR_RMS)),
    BENCH_COLUMN("relative_error.largest", "", "largest", "%.1e", 1, BENCH_OWN(ERROR_LARGEST)),
    BENCH_STAGE("move", STAGES + GAS_STAGE_MOVE),
    BENCH_STAGE("sort", STAGES + GAS_STAGE_SORT),
    BENCH_STAGE("lists", STAGES + GAS_STAGE_LISTS),
    BENCH_STAGE("force", STAGES + GAS_STAGE_FORCE),
    BENCH_STAGE("regions", STAGES + GAS_STAGE_REGIONS),
    BENCH_LAST,
};

const struct bench_model bench_gas = {
    .name = "gas",
    .about = "Times steps of a gas in two dimensions by each back end that this machine can run: ln r (log), "
             "condensing, real-gas, Lennard-Jones, truncated or with a shifted force; by all pairs, by "
             "neighbour lists, or by the three regions of cells, whose error against all pairs is measured "
             "in the same run. Fluids are brought to equilibrium before they are timed. A step that will "
             "take longer than the budget is not run: its time is estimated from fewer particles and marked "
             "by ~. A repetition with lists has 40 steps or more.",
    .backends = &gas_backends,
    .rates = BENCH_RATE_COPY | BENCH_RATE_ARITHMETIC,
    .methods = (const char *const[]){[GAS_ALL_PAIRS] = "all-pairs", [GAS_CELLS] = "cells", [2] = NULL},
    .kinds = bench_gas_system_names,
    .kind_key = "system",
    .shows_kinds = true,
    .has_precisions = true,
    .axes = 1,
    .size_least = 256,
    .size_most = GAS_COUNT_MAX,
    .sizes = (const long long[][BENCH_AXES]){{256}, {1024}, {4096}, {16384}, {65536}, {262144}, {0}},
    .volume = "particles",
    .size_example = "16384",
    .size_help = "number of particles; may be given several times (16384 to 4194304, by system and method)",
    .repeat = 5,
    .budget_s = 2,
    .options = options,
    .columns = columns,
    .groups = (const char *const[]){"all pairs", "lists", "regions", NULL},
    .parts = (const char *const[]){"", "stage times of a step", NULL},
    .group = group_of,
    .name_method = name_method,
    .list = list,
    .admit = admit,
    .probe_size = probe_size,
    .divide = divide,
    .checksum = checksum,
    .solver = &now.solver,
    .plan = plan,
    .start = start,
    .advance = advance,
    .finish = finish,
    .release = release,
    .print_head = print_head,
    .print_foot = print_foot,
    .report = report,
};
