// How a benchmark goes: the command line, the machine's own rates, the rows, the results. Independent of the
// physics of the models.
#include "bench/bench.h"

#include "io/job/job.h"
#include "io/units.h"
#include "models/model.h"
#include "models/solver.h"
#include "parallel/ranks.h"

#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct bench_model *const models[] = {&bench_tsunami, &bench_bioheat, &bench_nbody,
                                                   &bench_gas,     &bench_ising,   NULL};

const struct bench_model *const *bench_list(void)
{
    return models;
}

const struct bench_model *bench_find(const char *name)
{
    for (int k = 0; models[k]; k++)
        if (strcmp(models[k]->name, name) == 0)
            return models[k];
    return NULL;
}

// ---- names

const char *bench_method_name(const struct bench *bench, const struct bench_row *row)
{
    const struct bench_model *model = bench->model;
    return model->name_method ? model->name_method(row) : model->methods[row->method];
}

void bench_describe_size(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    const struct bench_model *model = bench->model;
    const long long *size = row->size;
    if (model->describe_size)
        model->describe_size(row, text, bytes);
    else if (model->axes == 1)
        snprintf(text, bytes, "%lld", size[0]);
    else if (model->axes == 2)
        snprintf(text, bytes, "%lld x %lld", size[0], size[1]);
    else
        snprintf(text, bytes, "%lld x %lld x %lld", size[0], size[1], size[2]);
}

void bench_describe_row(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    const struct bench_model *model = bench->model;
    char size[BENCH_LABEL_BYTES];
    bench_describe_size(bench, row, size, sizeof size);
    snprintf(text, bytes, "%s, %s%s%s%s%s, %s%s", row->entry->label,
             model->has_precisions ? bench_precision_name(row) : "", model->has_precisions ? ", " : "",
             model->kinds ? model->kinds[row->kind] : "", model->kinds ? ", " : "",
             bench_method_name(bench, row), model->axes == 1 && !model->describe_size ? "n = " : "", size);
}

void bench_add_note(struct bench *bench, const char *what, const char *why)
{
    char note[BENCH_NOTE_BYTES];
    snprintf(note, sizeof note, "%s: not measured: %s", what, why);
    for (int k = 0; k < bench->note_count; k++)
        if (strcmp(bench->notes[k], note) == 0)
            return;
    if (bench->note_count < BENCH_NOTES_MAX)
        memcpy(bench->notes[bench->note_count++], note, sizeof note);
}

bool bench_has_entry(const struct bench *bench, bool is_device)
{
    for (int e = 0; e < bench->entry_count; e++)
        if (bench->entries[e].backend->has_devices == is_device && !bench_is_reference(&bench->entries[e]))
            return true;
    return false;
}

// ---- rows

static double volume_of(const struct bench_row *row)
{
    return (double)row->size[0] * (double)row->size[1] * (double)row->size[2] * (double)row->copies;
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

// Whether two rows are of the same solver, of any sizes.
static bool is_same_solver(const struct bench_row *a, const struct bench_row *b)
{
    return a->entry == b->entry && a->kind == b->kind && a->method == b->method &&
           a->precision == b->precision && a->variant == b->variant && a->threads == b->threads;
}

static int compare_rows(const void *first, const void *second)
{
    const struct bench_row *a = first, *b = second;
    const double keys[][2] = {{a->kind, b->kind},
                              {volume_of(a), volume_of(b)},
                              {(double)a->copies, (double)b->copies},
                              {(double)a->size[0], (double)b->size[0]},
                              {(double)(a->entry - b->entry), 0},
                              {a->method, b->method},
                              {a->precision, b->precision},
                              {a->variant, b->variant},
                              {a->threads, b->threads}};
    int order = 0;
    for (size_t k = 0; k < sizeof keys / sizeof *keys && order == 0; k++)
        order = compare_numbers(keys[k][0], keys[k][1]);
    return order;
}

const struct bench_row *bench_find_row(const struct bench *bench, const struct bench_row *like)
{
    for (int k = 0; k < bench->row_count; k++)
        if (compare_rows(&bench->rows[k], like) == 0)
            return &bench->rows[k];
    return NULL;
}

static enum status add_row(struct bench *bench, struct bench_row row)
{
    bool is_wanted = true;
    for (int k = 0; k < BENCH_FIGURES_MAX; k++)
        row.figures[k] = NAN;
    if (bench->model->admit)
        CHECK(bench->model->admit(bench, &row, &is_wanted));
    if (!is_wanted)
        return STATUS_OK;
    struct bench_row *old = (struct bench_row *)bench_find_row(bench, &row);
    if (old) {
        old->tables |= row.tables;
        return STATUS_OK;
    }
    if (bench->row_count == BENCH_ROWS_MAX)
        return bench_mistake(bench, "more than %d rows are asked for", BENCH_ROWS_MAX);
    bench->rows[bench->row_count++] = row;
    return STATUS_OK;
}

enum status bench_add_rows(struct bench *bench, struct bench_row row, unsigned methods)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    const struct bench_model *model = bench->model;
    const bool has_any = bench->precisions[0] || bench->precisions[1];
    const unsigned wanted = bench->methods != 0 ? methods & bench->methods : methods;
    for (int axis = 0; axis < BENCH_AXES; axis++)
        row.size[axis] = axis < model->axes ? row.size[axis] : 1;
    row.copies = row.copies > 0 ? row.copies : 1;
    for (int e = 0; e < bench->entry_count; e++)
        for (int m = 0; model->methods[m]; m++)
            for (int kind = model->has_precisions ? 0 : 1; kind < 2; kind++) {
                row.entry = &bench->entries[e];
                row.method = m;
                row.precision = precisions[kind];
                const bool is_reference = bench_is_reference(row.entry);
                const bool has_precision = is_reference ? kind == 1 : !has_any || bench->precisions[kind];
                if (wanted & 1u << m && has_precision)
                    CHECK(add_row(bench, row));
            }
    return STATUS_OK;
}

// Of --table sizes without --size.
static void choose_sizes(struct bench *bench)
{
    const long long(*sizes)[BENCH_AXES] = bench->model->sizes;
    if (!(bench->tables & BENCH_TABLE_SIZES) || bench->size_count > 0)
        return;
    for (; sizes[bench->size_count][0] > 0 && bench->size_count < BENCH_SIZES_MAX; bench->size_count++)
        memcpy(bench->sizes[bench->size_count], sizes[bench->size_count], sizeof *sizes);
}

// Lists a row for each kind, method and size that is asked for.
static enum status list_all(struct bench *bench)
{
    const struct bench_model *model = bench->model;
    struct bench_row row = {.tables = 1};
    for (int k = 0; k < (bench->size_count > 0 ? bench->size_count : 1); k++)
        for (row.kind = 0; row.kind == 0 || (model->kinds && model->kinds[row.kind]); row.kind++) {
            memcpy(row.size, bench->size_count > 0 ? bench->sizes[k] : model->size_usual, sizeof row.size);
            CHECK(bench_add_rows(bench, row, ~0u));
        }
    return STATUS_OK;
}

// Has in place of each row of a processor, but the reference's, one for each of 1, 2, 4 ... all threads.
static enum status spread_threads(struct bench *bench)
{
    static struct bench_row listed[BENCH_ROWS_MAX];
    const int count = bench->row_count, most = omp_get_max_threads();
    if (bench->ranks->count > 1)
        return bench_mistake(bench, "--table threads is for one rank");
    memcpy(listed, bench->rows, (size_t)count * sizeof *listed);
    bench->row_count = 0;
    for (int k = 0; k < count; k++) {
        if (listed[k].entry->backend->has_devices || bench_is_reference(listed[k].entry))
            continue;
        for (int threads = 1; threads > 0; threads = threads == most      ? 0
                                                     : 2 * threads < most ? 2 * threads
                                                                          : most) {
            if (bench->row_count == BENCH_ROWS_MAX)
                return bench_mistake(bench, "more than %d rows are asked for", BENCH_ROWS_MAX);
            bench->rows[bench->row_count] = listed[k];
            bench->rows[bench->row_count++].threads = threads;
        }
    }
    return bench->row_count > 0 ? STATUS_OK
                                : bench_mistake(bench, "--table threads: no row is of a processor's threads");
}

// If the times of a series of rows can be estimated and its smallest row is large, adds a small row, which
// is in no table.
static enum status add_probes(struct bench *bench)
{
    const int asked_for = bench->row_count;
    for (int k = 0; k < asked_for && bench->model->probe_size; k++) {
        struct bench_row row = bench->rows[k];
        const long long few = bench->model->probe_size(&row);
        bool is_first = row.size[0] > few;
        for (int other = 0; other < asked_for && is_first; other++)
            is_first = !is_same_solver(&bench->rows[other], &row) || bench->rows[other].size[0] > few;
        row.size[0] = few;
        row.tables = 0;
        if (is_first)
            CHECK(add_row(bench, row));
    }
    return STATUS_OK;
}

// The expected seconds of a step: those of the largest smaller row of the same solver, scaled by the cost;
// 0: not known.
static double expected_step_s(const struct bench *bench, const struct bench_row *row)
{
    const struct bench_row *best = NULL;
    for (int k = 0; k < bench->row_count; k++) {
        const struct bench_row *other = &bench->rows[k];
        if (other->has_run && is_same_solver(other, row) && volume_of(other) < volume_of(row) &&
            (!best || volume_of(other) > volume_of(best)))
            best = other;
    }
    return best && row->cost > 0 ? 1e-3 * best->time.step_ms * row->cost / best->cost : 0;
}

// From the plan to the figures. *is_refused: it was for lack of memory, and nothing has begun.
static enum status measure_row(struct bench *bench, struct bench_row *row, struct memory_plan *plan,
                               bool *is_refused)
{
    const struct bench_model *model = bench->model;
    CHECK(model->plan(bench, row, plan));
    const enum status reserved = bench_ranks_agree(bench, memory_plan_reserve(plan, SIZE_MAX, SIZE_MAX));
    *is_refused = reserved != STATUS_OK;
    CHECK(reserved);
    CHECK(solver_warm_up(bench->work.backend, *model->solver));
    CHECK(model->start(bench, row));
    CHECK(bench_ranks_check(bench, row));
    CHECK(bench_time(bench, &row->time));
    row->has_run = true;
    return model->finish(bench, row);
}

// Plans, reserves, times and releases a row, so that its memory is free for the next, on a device too.
static enum status time_row(struct bench *bench, struct bench_row *row)
{
    static struct memory_plan plan;
    const struct bench_model *model = bench->model;
    bool is_refused = false;
    bench->work =
        (struct bench_work){.backend = row->entry->backend, .is_device = row->entry->backend->has_devices};
    const int threads = omp_get_max_threads();
    if (row->threads > 0)
        omp_set_num_threads(row->threads);
    memory_plan_begin(&plan);
    const enum status status = measure_row(bench, row, &plan, &is_refused);
    row->has_run = status == STATUS_OK;
    row->device_bytes = (double)plan.total[MEMORY_DEVICE];
    if (status != STATUS_OK && bench->shares && !is_refused)
        ranks_fail(bench->ranks, status);
    if (ranks_have_failed(bench->ranks))
        return status; // messages may still use the memory; the program ends
    memory_plan_release(&plan);
    if (*model->solver)
        solver_destroy(bench->work.backend, *model->solver);
    *model->solver = NULL;
    omp_set_num_threads(threads);
    if (model->free)
        model->free();
    return status;
}

void bench_show_progress(const struct bench *bench, const char *what)
{
    const char *terminal = getenv("TERM");
    if (!bench_is_first(bench) || !isatty(STDERR_FILENO) || (terminal && strcmp(terminal, "dumb") == 0))
        return;
    fprintf(stderr, "\r\033[K%s%s", what, what[0] ? " ..." : "");
    fflush(stderr);
}

static void show_row(const struct bench *bench, const struct bench_row *row, const char *what)
{
    char text[BENCH_NOTE_BYTES];
    snprintf(text, sizeof text, "%d of %d rows: %s", (int)(row - bench->rows) + 1, bench->row_count, what);
    bench_show_progress(bench, text);
}

static enum status run_row(struct bench *bench, struct bench_row *row)
{
    char what[BENCH_TEXT_BYTES];
    const double expected_s = expected_step_s(bench, row);
    if (expected_s > bench->budget_s) {
        row->time.step_ms = 1e3 * expected_s;
        return STATUS_OK;
    }
    if (bench->ranks->count > 1)
        return bench_ranks_time(bench, row, time_row);
    bench_describe_row(bench, row, what, sizeof what);
    show_row(bench, row, what);
    return bench_note_refusal(bench, what, time_row(bench, row));
}

static enum status run_rows(struct bench *bench)
{
    enum status status = STATUS_OK;
    qsort(bench->rows, (size_t)bench->row_count, sizeof *bench->rows, compare_rows);
    for (int k = 0; k < bench->row_count && status == STATUS_OK; k++)
        status = run_row(bench, &bench->rows[k]);
    bench_show_progress(bench, "");
    if (bench->model->release)
        bench->model->release();
    return status;
}

// ---- jobs

enum status bench_read_job(const struct bench *bench, struct job **job, const char *format, ...)
{
    char name[BENCH_LABEL_BYTES], text[2048];
    const struct job_key_table tables[] = {job_shared_keys, *model_find(bench->model->name)->keys};
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(name, sizeof name, "bench %s", bench->model->name);
    CHECK(job_parse(name, text, job));
    const enum status status = job_check(*job, tables, 2);
    if (status == STATUS_OK)
        return STATUS_OK;
    job_free(*job);
    *job = NULL;
    return status;
}

// ---- the whole

static enum status print(struct bench *bench)
{
    if (!bench_is_first(bench))
        return STATUS_OK;
    if (bench->as_json)
        return bench_print_report(bench);
    bench_print_tables(bench);
    return bench->tables & BENCH_TABLE_SOURCE ? bench_ladder_show(bench, NULL) : STATUS_OK;
}

static enum status run(struct bench *bench)
{
    const struct bench_model *model = bench->model;
    CHECK(bench_ranks_start(bench));
    CHECK(bench_find_machine(bench));
    if (bench->tables & (BENCH_TABLE_SOURCE | BENCH_TABLE_BLOCKS))
        return bench_ladder_run(bench);
    choose_sizes(bench);
    CHECK((model->list ? model->list : list_all)(bench));
    if (bench->tables & BENCH_TABLE_THREADS)
        CHECK(spread_threads(bench));
    CHECK(add_probes(bench));
    CHECK(bench_ladder_check(bench));
    bench_show_progress(bench, "the rates of memory and arithmetic alone");
    const enum status measured = bench_measure_machine(bench);
    bench_show_progress(bench, "");
    CHECK(measured);
    CHECK(run_rows(bench));
    CHECK(bench_ranks_check_divided(bench));
    CHECK(print(bench));
    CHECK(bench_ranks_judge(bench));
    return model->judge ? model->judge(bench) : STATUS_OK;
}

int bench_main(const struct bench_model *model, int argc, char **argv)
{
    static struct bench bench;
    bool must_leave = false;
    memset(&bench, 0, sizeof bench);
    bench.model = model;
    bench.repeat = model->repeat;
    bench.budget_s = model->budget_s;
    int code = bench_read_options(&bench, argc, argv);
    if (code < 0)
        code = bench_ranks_end(&bench, run(&bench), &must_leave);
    if (must_leave) {
        fflush(NULL);
        _exit(code);
    }
    units_release();
    return code;
}
