// `fathom bench nbody`: each method on bodies of a job, with the arithmetic beside what the processor or the
// device does alone, and the errors of the accelerations against direct summation in double precision.
#include "bench/bench.h"

#include "core/statistics.h"
#include "io/job/job.h"
#include "io/json_file.h"
#include "models/nbody/force_error.h"
#include "models/nbody/initial.h"
#include "models/nbody/params.h"
#include "models/solver.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// Tables. SOURCE: the numbers of bodies of Pavlović's (2016) algorithms; PHASES: that of his kernels' times.
enum { VARIANTS = 1, SIZES = 2, SOURCE = 4, PHASES = 8, THREADS = 16 };
enum { TABLE, PARTICLES, THETA, SOFTENING };
enum {
    SAMPLES = 1000,           // bodies whose error is measured
    HOST_COUNT_MOST = 1 << 20 // on a processor, unless more is asked for
};

// Floating-point operations. A pair: 20, as Nyland, Harris and Prins count it (GPU Gems 3, chapter 31, 2007).
// A cell with its quadrupole: those of point.inc's add_cell and of what precedes it, a fused multiply-add as
// two, the inverse root as two: 3 + 6 + 2 + 41.
enum { PAIR_FLOPS = 20, CELL_FLOPS = 52 };
// Instructions that a pair needs at least: three differences, three multiply-adds for the square, the inverse
// root, three products, three multiply-adds for the sums. A unit of its own for inverse roots may limit
// besides.
enum { PAIR_OPERATIONS = 13 };

enum figure {
    ERRORS, // median, 90 %, 99 %, largest
    STAGES = ERRORS + 4,
    CELL_INTERACTIONS = STAGES + NBODY_STAGES,
    BODY_INTERACTIONS,
    CELLS,
    LEAVES,
    CELLS_PLANNED,
    BODIES_PER_S
};

// 1, 2, 5 of each decade.
static const long long sizes[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};
static const long long usual[] = {16384, 524288, 1048576, 8388608};
static const long long source_sizes[] = {100000, 500000}, phases_size = 150000;
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes, USUAL_COUNT = sizeof usual / sizeof *usual };

// Of the table of sizes, ascending.
static struct {
    int count;
    long long list[BENCH_SIZES_MAX];
} chosen;

// The solver of the row, and the bodies of all rows of one size with the exact accelerations of a sample of
// them in each precision.
static struct {
    const struct nbody_backend *backend;
    struct solver *solver;
    struct job *job;
    struct nbody_params params;
    size_t count, samples;
    struct particles_range own; // bodies of this rank
    struct nbody_body *bodies;
    bool has_exact[2];
    double exact[2][SAMPLES][NBODY_AXES];
} now;

static const struct nbody_backend *backend_of(const struct backend *backend)
{
    return (const struct nbody_backend *)backend; // whose first member it is
}

// ---- the bodies

// A back end that only keeps the bodies it is given: its solver is the array.
static void keep_bodies(struct solver *solver, size_t first, size_t count, const struct nbody_body *bodies)
{
    memcpy((struct nbody_body *)solver + first, bodies, count * sizeof *bodies);
}

static enum status generate_bodies(struct nbody_body *bodies)
{
    static struct memory_plan plan;
    const struct nbody_backend keeper = {.set = keep_bodies};
    memory_plan_begin(&plan);
    CHECK(nbody_initial_plan(now.params.initial, &plan));
    CHECK(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    const enum status status =
        nbody_initial_apply(now.params.initial, &now.params.units, &keeper, (struct solver *)bodies);
    memory_plan_release(&plan);
    return status;
}

static enum status make_bodies(size_t count)
{
    if (now.bodies && now.count == count)
        return STATUS_OK;
    free(now.bodies);
    now.count = count;
    now.samples = count < SAMPLES ? count : SAMPLES;
    now.has_exact[0] = now.has_exact[1] = false;
    now.bodies = calloc(count, sizeof *now.bodies);
    if (!now.bodies)
        return FAIL(STATUS_SYSTEM, "bench nbody: no memory for %zu bodies", count);
    return generate_bodies(now.bodies);
}

static void release(void)
{
    free(now.bodies);
    now.bodies = NULL;
}

// ---- a row

static enum status read_job(const struct bench *bench, const struct bench_row *row)
{
    static const char *const particles[] = {"\"plummer\": {\"count\": %lld, \"seed\": 1, \"cutoff\": 30}",
                                            "\"uniform-cube\": {\"count\": %lld, \"seed\": 1}"};
    char block[BENCH_TEXT_BYTES], theta[BENCH_LABEL_BYTES] = "";
    snprintf(block, sizeof block, particles[(int)bench->value[PARTICLES]], row->size[0]);
    if (row->method == NBODY_BARNES_HUT)
        snprintf(theta, sizeof theta, ", \"theta\": %.17g", bench->value[THETA]);
    CHECK(bench_read_job(
        bench, &now.job,
        "{\"fathom\": 1, \"model\": \"nbody\", \"backend\": \"%s\", \"precision\": \"%s\", \"particles\": "
        "{%s}, \"physics\": {\"softening\": %.17g}, \"method\": {\"name\": \"%s\"%s},"
        // a step so small that the bodies stay about where they are
        " \"time\": {\"duration\": 1, \"step\": 0.000244140625}, \"output\": {\"directory\": \"bench\"}}",
        row->entry->label, row->precision == ELEMENT_F32 ? "single" : "double", block,
        bench->value[SOFTENING], bench->model->methods[row->method], theta));
    return nbody_params_read(now.job, &now.params);
}

static enum status plan(struct bench *bench, struct bench_row *row, struct memory_plan *memory)
{
    now.backend = backend_of(row->entry->backend);
    CHECK(read_job(bench, row));
    CHECK(make_bodies((size_t)row->size[0]));
    const struct nbody_setup setup = {.physics = &now.params.physics,
                                      .count = now.count,
                                      .precision = row->precision,
                                      .device = row->entry->device,
                                      .ranks = bench->ranks,
                                      .shares = bench->shares};
    now.own = particles_own(setup.shares, setup.ranks, setup.count);
    return now.backend->plan(&setup, memory, "", &now.solver);
}

// Of the bodies at the start, so that the exact accelerations serve all rows of a size and a precision.
static enum status find_errors(struct bench_row *row)
{
    static const double percents[] = {50, 90, 99, 100};
    double errors[SAMPLES];
    const int kind = bench_precision(row);
    if (!now.has_exact[kind])
        nbody_exact_accelerations(now.count, now.bodies, row->precision, now.params.physics.softening,
                                  now.samples, now.exact[kind]);
    now.has_exact[kind] = true;
    if (now.backend->head.fetch) // the field lies elsewhere
        CHECK(now.backend->evaluate(now.solver, false));
    nbody_relative_errors(now.backend, now.solver, now.count, now.samples, now.exact[kind], errors);
    for (int k = 0; k < 4; k++)
        row->figures[ERRORS + k] = statistics_percentile(errors, now.samples, percents[k]);
    return STATUS_OK;
}

static enum status advance(int64_t first_step, int64_t count)
{
    struct nbody_nonfinite found = {.step = -1};
    CHECK(now.backend->head.advance(now.solver, first_step, count));
    return now.backend->finish ? now.backend->finish(now.solver, &found) : STATUS_OK;
}

static enum status start(struct bench *bench, struct bench_row *row)
{
    (void)bench;
    now.backend->set(now.solver, 0, now.count, now.bodies);
    CHECK(solver_touch(&now.backend->head, now.solver, false));
    CHECK(find_errors(row));
    return STATUS_OK;
}

static enum status check_state(void)
{
    CHECK(solver_fetch(&now.backend->head, now.solver));
    for (size_t k = 0; k < now.samples; k++) {
        struct nbody_body body;
        const size_t id = nbody_sample_id(k, now.samples, now.count);
        now.backend->get(now.solver, id, 1, &body);
        for (int axis = 0; axis < NBODY_AXES; axis++)
            if (!isfinite(body.position[axis]) || !isfinite(body.velocity[axis]))
                return FAIL(STATUS_SOFTWARE,
                            "%s: after the benchmark position or velocity of body %zu is non-finite",
                            now.backend->head.name, id);
    }
    return STATUS_OK;
}

static enum status finish(struct bench *bench, struct bench_row *row)
{
    const double n = (double)now.count;
    const double fma_per_s = row->entry->arithmetic[bench_precision(row)].fma_per_s;
    struct nbody_stage_times times;
    struct nbody_tree_counts counts;
    (void)bench;
    now.backend->stages(now.solver, &times, &counts);
    row->work = n * n;
    row->operations = PAIR_FLOPS * row->work;
    row->arithmetic_s = fma_per_s > 0 ? PAIR_OPERATIONS * row->work / fma_per_s : 0;
    if (row->method == NBODY_BARNES_HUT) {
        row->work = counts.body_interactions + counts.cell_interactions;
        row->operations = PAIR_FLOPS * counts.body_interactions + CELL_FLOPS * counts.cell_interactions;
        row->arithmetic_s = 0;
        for (int stage = 0; times.steps > 0 && stage < NBODY_STAGES; stage++)
            row->figures[STAGES + stage] = 1e3 * times.seconds[stage] / (double)times.steps;
        row->figures[CELL_INTERACTIONS] = counts.cell_interactions / n;
        row->figures[BODY_INTERACTIONS] = counts.body_interactions / n;
        row->figures[BODIES_PER_S] = 1e3 * n / row->time.step_ms;
        row->figures[CELLS] = (double)counts.cells;
        row->figures[LEAVES] = (double)counts.leaves;
        row->figures[CELLS_PLANNED] = (double)counts.cells_planned;
    }
    return check_state();
}

// shares: NULL, or any, of several ranks.
static bool has_method(const struct bench_row *row, const struct share *shares, char why[BENCH_NOTE_BYTES])
{
    const struct nbody_backend *backend = backend_of(row->entry->backend);
    const struct nbody_physics physics = {.method = (enum nbody_method)row->method};
    const struct nbody_setup setup = {
        .physics = &physics, .count = 2, .precision = ELEMENT_F64, .shares = shares};
    return !backend->has_method || backend->has_method(&setup, why, BENCH_NOTE_BYTES);
}

static enum status divide(const struct bench *bench, const struct bench_row *row,
                          struct shares_request *request)
{
    const struct share any = {0, 1};
    char why[BENCH_NOTE_BYTES];
    if (!backend_of(row->entry->backend)->is_divided)
        return FAIL(STATUS_CONFIGURATION, "it does not divide a run among ranks");
    if (!has_method(row, &any, why))
        return FAIL(STATUS_CONFIGURATION, "it has no %s %s", bench->model->methods[row->method], why);
    *request = particles_request((size_t)row->size[0], "groups of 64 bodies");
    return STATUS_OK;
}

// Every rank has all bodies; it hashes as many as its share has, by id, with their accelerations.
static enum status checksum(const struct bench *bench, const struct bench_row *row, uint64_t *sum)
{
    (void)bench, (void)row;
    CHECK(solver_fetch(&now.backend->head, now.solver));
    for (size_t id = now.own.first; id < now.own.end; id++) {
        struct nbody_body body;
        struct nbody_field field;
        now.backend->get(now.solver, id, 1, &body);
        now.backend->get_field(now.solver, id, 1, &field);
        *sum += XXH3_64bits_withSeed(&body, sizeof body, id);
        *sum += XXH3_64bits_withSeed(field.acceleration, sizeof field.acceleration, id);
    }
    return STATUS_OK;
}

static void free_job(void)
{
    nbody_params_free(&now.params);
    job_free(now.job);
    now.job = NULL;
}

// ---- the rows

// One size is enough of the reference; a processor gets what only devices are made for only if it is asked
// for. Pairs grow with the square of the number; the tree's work a little faster than the number.
static enum status admit(struct bench *bench, struct bench_row *row, bool *is_wanted)
{
    const long long first = bench->size_count > 0 ? bench->sizes[0][0] : usual[0];
    char why[BENCH_NOTE_BYTES];
    row->cost = pow((double)row->size[0], row->method == NBODY_BARNES_HUT ? 1.1 : 2);
    if (bench_is_reference(row->entry))
        *is_wanted = row->tables == 0 || (row->tables == VARIANTS && row->size[0] == first);
    else
        *is_wanted =
            bench->size_count > 0 || row->entry->backend->has_devices || row->size[0] <= HOST_COUNT_MOST;
    *is_wanted = *is_wanted && has_method(row, NULL, why);
    return STATUS_OK;
}

static unsigned tables_of(const struct bench *bench)
{
    const unsigned asked = (unsigned)bench->value[TABLE];
    if (asked != 0)
        return asked == THREADS ? VARIANTS : asked;
    return bench->size_count > 0 ? (unsigned)VARIANTS : (unsigned)(VARIANTS | SIZES);
}

// The author's numbers of bodies, or the one asked for in their place.
static long long size_instead(const struct bench *bench, long long authors)
{
    return bench->size_count > 0 ? bench->sizes[0][0] : authors;
}

static enum status list_source(struct bench *bench, unsigned tables)
{
    struct bench_row row = {.tables = SOURCE};
    for (int k = 0; (tables & SOURCE) && k < 2; k++) {
        row.size[0] = size_instead(bench, source_sizes[k]);
        CHECK(bench_add_rows(bench, row, ~0u));
    }
    row.tables = PHASES;
    row.size[0] = size_instead(bench, phases_size);
    return tables & PHASES ? bench_add_rows(bench, row, 1u << NBODY_BARNES_HUT) : STATUS_OK;
}

// The harness' own tables, which the words of this model's --table lead to.
static enum status set_tables(struct bench *bench)
{
    const unsigned asked = (unsigned)bench->value[TABLE];
    if ((asked & (SOURCE | PHASES)) && bench->size_count > 1)
        return bench_mistake(bench, "--size: --table source and --table phases have one size");
    bench->tables |= asked & THREADS             ? (unsigned)BENCH_TABLE_THREADS
                     : asked & (SOURCE | PHASES) ? (unsigned)BENCH_TABLE_SOURCE
                                                 : (unsigned)BENCH_TABLE_SIZES;
    return STATUS_OK;
}

static int compare_sizes(const void *first, const void *second)
{
    const long long a = *(const long long *)first, b = *(const long long *)second;
    return (a > b) - (a < b);
}

static void choose_sizes(const struct bench *bench)
{
    const bool has_own = bench->size_count > 0;
    chosen.count = has_own ? bench->size_count : SIZE_COUNT;
    for (int k = 0; k < chosen.count; k++)
        chosen.list[k] = has_own ? bench->sizes[k][0] : sizes[k];
    qsort(chosen.list, (size_t)chosen.count, sizeof *chosen.list, compare_sizes);
}

static enum status list(struct bench *bench)
{
    const unsigned tables = tables_of(bench), best = 1u << NBODY_DIRECT | 1u << NBODY_BARNES_HUT;
    const int count = bench->size_count > 0 ? bench->size_count : USUAL_COUNT;
    struct bench_row row = {.tables = VARIANTS};
    CHECK(set_tables(bench));
    choose_sizes(bench);
    for (int k = 0; (tables & VARIANTS) && k < count; k++) {
        row.size[0] = bench->size_count > 0 ? bench->sizes[k][0] : usual[k];
        CHECK(bench_add_rows(bench, row, ~0u));
    }
    row.tables = SIZES;
    for (int k = 0; (tables & SIZES) && k < chosen.count; k++) {
        row.size[0] = chosen.list[k];
        CHECK(bench_add_rows(bench, row, best));
    }
    return list_source(bench, tables);
}

// ---- the author's figures

// Of a stage of his kernels, from the row of the tree.
static double stage_s(const struct bench_row *row, const char *name)
{
    static const char *const names[NBODY_STAGES] = {
        [NBODY_STAGE_BOX] = "box",     [NBODY_STAGE_SORT] = "sort",
        [NBODY_STAGE_BUILD] = "build", [NBODY_STAGE_SUMMARISE] = "summarise",
        [NBODY_STAGE_FORCE] = "force", [NBODY_STAGE_INTEGRATE] = "integrate"};
    for (int k = 0; k < NBODY_STAGES; k++)
        if (strcmp(names[k], name) == 0)
            return row->figures[STAGES + k] / 1e3;
    return NAN;
}

static const struct bench_row *find_like(const struct bench *bench, const struct bench_figure *figure,
                                         bool is_device, enum nbody_method method)
{
    const bool is_float = bench->precisions[0] && !bench->precisions[1];
    struct bench_row like = {.method = (int)method,
                             .precision = is_float ? ELEMENT_F32 : ELEMENT_F64,
                             .size = {size_instead(bench, figure->size[0]), 1, 1},
                             .copies = 1};
    for (int e = 0; e < bench->entry_count; e++) {
        like.entry = &bench->entries[e];
        if (like.entry->backend->has_devices != is_device || bench_is_reference(like.entry))
            continue;
        const struct bench_row *row = bench_find_row(bench, &like);
        if (row && row->time.step_ms > 0)
            return row;
    }
    return NULL;
}

// The row of the figure; NULL, with the reason: no row was timed for it.
static const struct bench_row *find_row(const struct bench *bench, struct bench_figure *figure,
                                        bool *is_whole)
{
    static const struct {
        const char *rung;
        bool is_device;
        enum nbody_method method;
    } algorithms[] = {{"cpu-direct", false, NBODY_DIRECT},
                      {"cpu-barnes-hut", false, NBODY_BARNES_HUT},
                      {"gpu-direct", true, NBODY_DIRECT_NAIVE},
                      {"gpu-direct-shared", true, NBODY_DIRECT_TILED},
                      {"gpu-barnes-hut", true, NBODY_BARNES_HUT}};
    const struct bench_row *row = NULL;
    *is_whole = false;
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms && !*is_whole; k++)
        if (strcmp(algorithms[k].rung, figure->rung) == 0) {
            *is_whole = true;
            row = find_like(bench, figure, algorithms[k].is_device, algorithms[k].method);
            if (!row && !bench_has_entry(bench, algorithms[k].is_device))
                snprintf(figure->why, sizeof figure->why, "no %s",
                         algorithms[k].is_device ? "device" : "processor");
        }
    for (int is_host = 0; !*is_whole && !row && is_host < 2; is_host++)
        row = find_like(bench, figure, is_host == 0, NBODY_BARNES_HUT);
    figure->is_unasked = !(tables_of(bench) & (*is_whole ? SOURCE : PHASES));
    return row;
}

static double find_ours(const struct bench *bench, struct bench_figure *figure)
{
    bool is_whole;
    const struct bench_row *row = find_row(bench, figure, &is_whole);
    if (row && !is_whole && !row->has_run) {
        snprintf(figure->why, sizeof figure->why,
                 "a step of %s takes about %.2g s, longer than %g s (--budget), so that its stages are "
                 "not timed: give more, or fewer bodies by --size",
                 row->entry->label, row->time.step_ms / 1e3, bench->budget_s);
        row = NULL;
    }
    figure->has_rung = row != NULL;
    if (!row)
        return NAN;
    figure->is_estimate = !row->has_run;
    figure->timed[0] = row->size[0];
    bench_describe_row(bench, row, figure->what, sizeof figure->what);
    return is_whole ? row->time.step_ms / 1e3 : stage_s(row, figure->rung);
}

static long long probe_size(const struct bench_row *row)
{
    return row->entry->backend->has_devices ? 65536 : 4096;
}

static int group_of(const struct bench_row *row)
{
    return row->method == NBODY_BARNES_HUT;
}

// ---- from how many bodies on which method is the faster one

static double time_of(const struct bench *bench, struct bench_row row, int k)
{
    row.size[0] = chosen.list[k];
    row.size[1] = row.size[2] = row.copies = 1;
    const struct bench_row *found = bench_find_row(bench, &row);
    return found ? found->time.step_ms : 0;
}

static double find_crossover(const struct bench *bench, const struct bench_row *first,
                             const struct bench_row *second)
{
    double counts[BENCH_SIZES_MAX], first_ms[BENCH_SIZES_MAX], second_ms[BENCH_SIZES_MAX];
    if (!((unsigned)bench->value[TABLE] & SIZES) && tables_of(bench) != (VARIANTS | SIZES))
        return NAN;
    for (int k = 0; k < chosen.count; k++) {
        counts[k] = (double)chosen.list[k];
        first_ms[k] = time_of(bench, *first, k);
        second_ms[k] = time_of(bench, *second, k);
    }
    return bench_find_crossover(chosen.count, counts, first_ms, second_ms);
}

struct comparison {
    struct bench_row first, second;
    char text[3 * BENCH_LABEL_BYTES]; // "openmp, float: barnes-hut rather than direct"
    double from;                      // bench_find_crossover
};

// The tree with direct summation on one back end, and a processor with a device. Numbers run over entries ×
// entries × methods × precisions, most of which are not compared; false: the last is behind.
static bool next_comparison(const struct bench *bench, int *number, struct comparison *c)
{
    static const enum nbody_method methods[2] = {NBODY_DIRECT, NBODY_BARNES_HUT};
    static const enum element precisions[2] = {ELEMENT_F32, ELEMENT_F64};
    const int entries = bench->entry_count;
    while (*number < 4 * entries * entries) {
        const int k = (*number)++, m = k / 2 % 2, other = k / 4 % entries, e = k / 4 / entries;
        const struct bench_entry *first = &bench->entries[e], *second = &bench->entries[other];
        const bool is_one = e == other && m == 0;
        const bool is_host_and_device = !first->backend->has_devices && second->backend->has_devices;
        if (bench_is_reference(first) || bench_is_reference(second) || (!is_one && !is_host_and_device))
            continue;
        c->first = (struct bench_row){.entry = first, .method = methods[m], .precision = precisions[k % 2]};
        c->second = (struct bench_row){.entry = second,
                                       .method = is_one ? (int)NBODY_BARNES_HUT : (int)methods[m],
                                       .precision = precisions[k % 2]};
        c->from = find_crossover(bench, &c->first, &c->second);
        if (is_one)
            snprintf(c->text, sizeof c->text, "%s, %s: barnes-hut rather than direct", first->label,
                     bench_precision_name(&c->first));
        else
            snprintf(c->text, sizeof c->text, "%s, %s: %s rather than %s", nbody_method_names[methods[m]],
                     bench_precision_name(&c->first), second->label, first->label);
        if (!isnan(c->from))
            return true;
    }
    return false;
}

static void print_head(const struct bench *bench)
{
    printf("%s, softening %g, theta %g, G = M = 1, leapfrog\n",
           bench->value[PARTICLES] > 0 ? "uniform cube of side 1"
                                       : "Plummer's sphere of scale radius 3 pi/16",
           bench->value[SOFTENING], bench->value[THETA]);
}

static void print_foot(const struct bench *bench)
{
    struct comparison c;
    bool has_title = false;
    printf("error: |a - a'|/|a'| of up to %d bodies, a' by direct summation in double from the same "
           "positions and softening\noperations: %d a pair, %d a cell; of arith.: %d instructions a pair at "
           "the rate of multiply-adds\ntree: quadrupoles, groups of %d bodies; interactions: with how many "
           "cells and bodies a body interacts, on average\n",
           SAMPLES, PAIR_FLOPS, CELL_FLOPS, PAIR_OPERATIONS, NBODY_GROUP_BODIES);
    for (int number = 0; next_comparison(bench, &number, &c);) {
        printf("%s", has_title ? "" : "\nfaster (interpolated between the sizes above)\n");
        has_title = true;
        if (c.from == 0)
            printf("%-60s at every n from %lld\n", c.text, chosen.list[0]);
        else if (isinf(c.from))
            printf("%-60s at no n up to %lld\n", c.text, chosen.list[chosen.count - 1]);
        else
            printf("%-60s from n = %.2g\n", c.text, c.from);
    }
}

static void report(const struct bench *bench, cJSON *object)
{
    struct comparison c;
    cJSON_AddNumberToObject(object, "flops_per_pair", PAIR_FLOPS);
    cJSON_AddNumberToObject(object, "flops_per_cell", CELL_FLOPS);
    cJSON_AddNumberToObject(object, "operations_per_pair", PAIR_OPERATIONS);
    cJSON_AddNumberToObject(object, "samples", SAMPLES);
    cJSON *crossovers = cJSON_AddArrayToObject(object, "crossovers");
    for (int number = 0; next_comparison(bench, &number, &c);) {
        cJSON *item = json_append_object(crossovers);
        cJSON_AddStringToObject(item, "faster", c.text);
        if (isinf(c.from))
            cJSON_AddNullToObject(item, "from"); // at none
        else
            cJSON_AddNumberToObject(item, "from", c.from);
    }
}

static const struct bench_option options[] = {
    [TABLE] = BENCH_WORD_OPTION(
        "table", BENCH_WORDS,
        ((const char *const[]){"variants", "sizes", "source", "phases", "threads", NULL}), NULL,
        "only these rows: each method at a few sizes; times from 1000 to 1000000 bodies and "
        "where the fastest method changes; the numbers of bodies of Pavlovic's (2016) "
        "algorithms, or of his stages of a tree step, with his times; may be given several times; or, "
        "alone, processors with 1, 2, 4 ... all threads:"),
    [PARTICLES] =
        BENCH_WORD_OPTION("particles", BENCH_WORD, ((const char *const[]){"plummer", "uniform-cube", NULL}),
                          "particles", "plummer: Plummer's sphere, or uniform-cube"),
    [THETA] = BENCH_NUMBER_OPTION("theta", "T", BENCH_NUMBER, 0.05, 2, 0.6, "theta",
                                  "opening angle of the tree's cells, by size and offset"),
    [SOFTENING] =
        BENCH_NUMBER_OPTION("softening", "E", BENCH_NUMBER, 0, 10, 0.01, "softening",
                            "where total mass and G are 1, Plummer's scale radius 0.589, a cube's side 1"),
    {.name = NULL},
};

static const struct bench_column columns[] = {
    BENCH_REPORTED("n", .source = BENCH_SIZE),
    BENCH_COLUMN("interactions_per_s", "interactions", "G/s", "%.4g", 1e-9, BENCH_OF(WORK, SECOND)),
    BENCH_COLUMN("bodies_per_s", "bodies", "M/s", "%.4g", 1e-6, BENCH_OWN(BODIES_PER_S)),
    BENCH_COLUMN("cell_interactions_per_body", "cells", "a body", "%.0f", 1, BENCH_OWN(CELL_INTERACTIONS)),
    BENCH_COLUMN("body_interactions_per_body", "bodies", "a body", "%.0f", 1, BENCH_OWN(BODY_INTERACTIONS)),
    BENCH_COLUMN("relative_error.median", "error", "median", "%.1e", 1, BENCH_OWN(ERRORS)),
    BENCH_COLUMN("relative_error.p90", "", "90 %", "%.1e", 1, BENCH_OWN(ERRORS + 1)),
    BENCH_COLUMN("relative_error.p99", "", "99 %", "%.1e", 1, BENCH_OWN(ERRORS + 2)),
    BENCH_COLUMN("relative_error.largest", "", "largest", "%.1e", 1, BENCH_OWN(ERRORS + 3)),
    BENCH_REPORTED("cells", BENCH_OWN(CELLS)),
    BENCH_REPORTED("leaves", BENCH_OWN(LEAVES)),
    BENCH_REPORTED("cells_planned", BENCH_OWN(CELLS_PLANNED)),
    BENCH_STAGE("box", STAGES + NBODY_STAGE_BOX),
    BENCH_STAGE("sort", STAGES + NBODY_STAGE_SORT),
    BENCH_STAGE("build", STAGES + NBODY_STAGE_BUILD),
    BENCH_STAGE("summarise", STAGES + NBODY_STAGE_SUMMARISE),
    BENCH_STAGE("force", STAGES + NBODY_STAGE_FORCE),
    BENCH_STAGE("integrate", STAGES + NBODY_STAGE_INTEGRATE),
    BENCH_LAST,
};

const struct bench_model bench_nbody = {
    .name = "nbody",
    .about =
        "Times steps (leapfrog) of bodies that attract each other, by direct summation and through a tree, "
        "by each back end that this machine can run. Errors are |a - a'|/|a'| of 1000 bodies, a' by direct "
        "summation in double precision from the same positions with the same softening. A step that will "
        "take longer than the budget is not run: its time is estimated from fewer bodies and marked by ~.",
    .backends = &nbody_backends,
    .rates = BENCH_RATE_ARITHMETIC,
    .methods = (const char *const[]){[NBODY_DIRECT] = "direct",
                                     [NBODY_DIRECT_TILED] = "direct-tiled",
                                     [NBODY_DIRECT_NAIVE] = "direct-naive",
                                     [NBODY_BARNES_HUT] = "barnes-hut",
                                     [NBODY_METHODS] = NULL},
    .has_precisions = true,
    .axes = 1,
    .size_least = 2,
    .size_most = NBODY_COUNT_MAX,
    .size_example = "16384",
    .size_help = "number of bodies; may be given several times (16384, 524288, 1048576; on a device 8388608, "
                 "too; --table sizes: 1, 2, 5 of each decade from 1000 to 1000000)",
    .repeat = 7,
    .budget_s = 4,
    .options = options,
    .columns = columns,
    .groups = (const char *const[]){"direct summation", "tree", NULL},
    .parts = (const char *const[]){"", "stage times of a step", NULL},
    .group = group_of,
    .list = list,
    .admit = admit,
    .probe_size = probe_size,
    .solver = &now.solver,
    .plan = plan,
    .start = start,
    .advance = advance,
    .finish = finish,
    .divide = divide,
    .slowest_axis = 0,
    .checksum = checksum,
    .free = free_job,
    .release = release,
    .print_head = print_head,
    .print_foot = print_foot,
    .report = report,
    .find_ours = find_ours,
};
