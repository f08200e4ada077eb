// `fathom bench MODEL --table source|blocks`: the authors' figures beside those of the rungs here, as text
// (text.c) or JSON.
#include "bench/ladder/sheet.h"

#include "core/memory_limits.h"
#include "io/json_file.h"
#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"
#include "parallel/ranks.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

// ---- cases

static enum element precision_of(const struct sheet *sheet, const struct ladder_rung *rung, const char *text)
{
    const bool *asked = sheet->bench->precisions;
    const bool wants_double = asked[0] != asked[1] ? asked[1] : strcmp(text, "single") != 0;
    const bool has_wanted = rung->precisions & (wants_double ? LADDER_DOUBLE : LADDER_SINGLE);
    return wants_double == has_wanted ? ELEMENT_F64 : ELEMENT_F32;
}

// The size asked for on the command line, else the author's, else the model's.
static void set_size(const struct sheet *sheet, const long long *author, long long size[LADDER_AXES])
{
    const struct bench *bench = sheet->bench;
    const long long *from = bench->size_count > 0 ? bench->sizes[0]
                            : author && author[0] ? author
                                                  : sheet->model->size_usual;
    for (int axis = 0; axis < LADDER_AXES; axis++)
        size[axis] = axis < sheet->model->axes && from[axis] > 0 ? from[axis] : 1;
}

// The author's, as far as there are so many here.
static int threads_of(const struct ladder_figure *figure)
{
    const int most = omp_get_max_threads();
    return figure->threads > 0 && figure->threads < most ? figure->threads : most;
}

static struct ladder_case case_of(const struct sheet *sheet, const struct ladder_rung *rung,
                                  const struct ladder_table *table, const struct ladder_figure *figure)
{
    struct ladder_case wanted = {.precision = precision_of(sheet, rung, table->precision),
                                 .threads = rung->has_threads ? threads_of(figure) : 1};
    set_size(sheet, figure->size, wanted.size);
    if (rung->block[0] > 0)
        memcpy(wanted.block, figure->block[0] > 0 ? figure->block : rung->block, sizeof wanted.block);
    return wanted;
}

// ---- the authors' figures and ours

// Of the time of the rung `of`: how many times it is the rung's, or by how much it is less or more.
static enum status measure_relative(struct sheet *sheet, const struct ladder_table *table,
                                    const struct ladder_figure *figure, struct sheet_cell *cell)
{
    const struct ladder_time *base;
    const struct ladder_rung *of = ladder_find_rung(sheet->model, table->of);
    struct ladder_figure other = *figure;
    if (!of) {
        cell->why = "no program here of what it is compared with";
        return STATUS_OK;
    }
    other.threads = table->of_threads > 0 ? table->of_threads : figure->threads;
    const struct ladder_case wanted = case_of(sheet, of, table, &other);
    CHECK(ladder_time(sheet->bench, sheet->model, of, &wanted, &base));
    if (!base->has_run && !base->is_estimate) {
        cell->why = base->why;
        return STATUS_OK;
    }
    const double ratio = cell->time->step_s / base->step_s;
    cell->is_estimate = cell->is_estimate || base->is_estimate;
    cell->ours = table->measure == LADDER_SPEED_UP ? 1 / ratio
                 : table->measure == LADDER_SAVING ? 100 * (1 - ratio)
                                                   : 100 * (ratio - 1);
    return STATUS_OK;
}

static double counted(enum ladder_measure measure, const struct ladder_counts *counts)
{
    return measure == LADDER_RATE     ? counts->work
           : measure == LADDER_BYTES  ? counts->bytes
           : measure == LADDER_FRAMES ? 1
                                      : counts->operations;
}

double sheet_share_of(const struct ladder_time *time, const char *stage)
{
    double share = NAN, total = 0;
    for (int k = 0; time->rung->stages && time->rung->stages[k]; k++) {
        total += time->stages[k];
        if (strcmp(time->rung->stages[k], stage) == 0)
            share = time->stages[k];
    }
    return total > 0 ? 100 * share / total : NAN;
}

static bool is_relative(enum ladder_measure measure)
{
    return measure == LADDER_SPEED_UP || measure == LADDER_SAVING || measure == LADDER_MORE;
}

// A percentage has no ratio.
static double ratio_of(const struct ladder_table *table, const struct ladder_figure *figure, double ours)
{
    const enum ladder_measure measure = table->measure;
    if (measure == LADDER_SAVING || measure == LADDER_MORE || measure == LADDER_SHARE ||
        measure == LADDER_NOTHING)
        return NAN;
    return measure == LADDER_TIME ? figure->value / ours : ours / figure->value;
}

// Why a rung of this name is not here.
static const char *why_no_rung(const struct sheet *sheet, const char *name)
{
    const char *lacks = ladder_is_of_device(name) ? ladder_lacks(sheet->bench, true) : NULL;
    return lacks ? lacks : "no program of it here";
}

static enum status measure(struct sheet *sheet, const struct ladder_table *table,
                           const struct ladder_figure *figure, struct sheet_cell *cell)
{
    struct ladder_counts counts;
    cell->rung = ladder_find_rung(sheet->model, figure->rung);
    if (table->measure == LADDER_NOTHING)
        cell->why = table->why[0] ? table->why : "not a time of a program";
    else if (!cell->rung)
        cell->why = why_no_rung(sheet, figure->rung);
    if (cell->why)
        return STATUS_OK;
    const struct ladder_case wanted = case_of(sheet, cell->rung, table, figure);
    CHECK(ladder_time(sheet->bench, sheet->model, cell->rung, &wanted, &cell->time));
    if (!cell->time->has_run && (!cell->time->is_estimate || table->measure == LADDER_SHARE)) {
        cell->why = cell->time->why;
        return STATUS_OK;
    }
    cell->is_estimate = cell->time->is_estimate;
    ladder_count(sheet->model, cell->rung, &wanted, &counts);
    if (table->measure == LADDER_TIME)
        cell->ours = cell->time->step_s * table->steps / table->unit_scale;
    else if (is_relative(table->measure))
        CHECK(measure_relative(sheet, table, figure, cell));
    else if (table->measure == LADDER_SHARE)
        cell->ours = sheet_share_of(cell->time, figure->stage);
    else
        cell->ours = counted(table->measure, &counts) / cell->time->step_s / table->unit_scale;
    cell->ratio = ratio_of(table, figure, cell->ours);
    return STATUS_OK;
}

// Where the rungs are rows that the benchmark has timed.
static void measure_row(const struct sheet *sheet, const struct ladder_table *table,
                        const struct ladder_figure *figure, struct sheet_cell *cell)
{
    cell->row = (struct bench_figure){.table = table->id, .rung = figure->rung};
    memcpy(cell->row.size, figure->size, sizeof cell->row.size);
    cell->ours = sheet->bench->model->find_ours(sheet->bench, &cell->row);
    cell->is_estimate = cell->row.is_estimate;
    if (table->measure == LADDER_TIME)
        cell->ours *= table->steps / table->unit_scale;
    cell->ratio = ratio_of(table, figure, cell->ours);
    if (!cell->row.has_rung)
        cell->why = cell->row.why[0] ? cell->row.why : "not timed here";
}

// Times of different sizes are not compared.
static void drop_unlike_ratio(const struct sheet *sheet, const struct ladder_table *table,
                              const struct ladder_figure *figure, struct sheet_cell *cell)
{
    const long long *ours = cell->time ? cell->time->wanted.size : cell->row.timed;
    bool is_alike = true;
    for (int axis = 0; axis < sheet->model->axes && figure->size[0] > 0 && ours[0] > 0; axis++)
        is_alike = is_alike && figure->size[axis] == ours[axis];
    if ((table->measure == LADDER_TIME || table->measure == LADDER_FRAMES) && !is_alike)
        cell->ratio = NAN;
}

static enum status find_ours(struct sheet *sheet, const struct ladder_table *table,
                             const struct ladder_figure *figure, struct sheet_cell *cell)
{
    *cell = (struct sheet_cell){.ours = NAN, .ratio = NAN};
    if (!sheet->bench->model->find_ours)
        CHECK(measure(sheet, table, figure, cell));
    else
        measure_row(sheet, table, figure, cell);
    if (!cell->why && !isfinite(cell->ours))
        cell->why = "it has no stage of this name";
    drop_unlike_ratio(sheet, table, figure, cell);
    return STATUS_OK;
}

static bool has_rung(const struct sheet_cell *cell)
{
    return cell->rung || cell->row.has_rung;
}

// ---- JSON

static void add_text(cJSON *object, const char *key, const char *text)
{
    if (text && text[0] != '\0')
        cJSON_AddStringToObject(object, key, text);
}

static void add_sizes(cJSON *object, const char *key, const long long *size, int axes)
{
    cJSON *list = size[0] > 0 ? cJSON_AddArrayToObject(object, key) : NULL;
    for (int axis = 0; list && axis < axes; axis++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)size[axis]));
}

// What was timed.
static void add_time(cJSON *item, const struct ladder_model *model, const struct ladder_time *time)
{
    const struct ladder_case *wanted = &time->wanted;
    const long long block[LADDER_AXES] = {wanted->block[0], wanted->block[1], wanted->block[2]};
    add_sizes(item, "size", wanted->size, model->axes);
    add_sizes(item, "block", block, LADDER_AXES);
    cJSON_AddStringToObject(item, "precision", wanted->precision == ELEMENT_F32 ? "single" : "double");
    cJSON_AddBoolToObject(item, "is_device", time->rung->is_device);
    if (!time->rung->is_device)
        cJSON_AddNumberToObject(item, "threads",
                                wanted->threads > 0 ? wanted->threads : omp_get_max_threads());
    if (!time->has_run)
        return;
    cJSON_AddNumberToObject(item, "step_s", time->step_s);
    cJSON_AddNumberToObject(item, "steps", time->steps);
    cJSON_AddNumberToObject(item, "repeat", time->repeat);
    cJSON *stages = time->rung->stages ? cJSON_AddObjectToObject(item, "stage_s") : NULL;
    for (int k = 0; stages && time->rung->stages[k] && k < LADDER_STAGES_MAX; k++)
        cJSON_AddNumberToObject(stages, time->rung->stages[k], time->stages[k]);
}

static void add_row(const struct sheet *sheet, cJSON *list, const struct ladder_figure *figure,
                    const struct sheet_cell *cell)
{
    cJSON *item = json_append_object(list);
    cJSON_AddStringToObject(item, "rung", figure->rung);
    cJSON_AddStringToObject(item, "machine", figure->machine);
    cJSON_AddNumberToObject(item, "value", figure->value);
    add_text(item, "bound", figure->bound);
    add_text(item, "authors_differs", figure->differs);
    add_text(item, "stage", figure->stage);
    add_sizes(item, "grid", figure->size, sheet->model->axes);
    cJSON_AddBoolToObject(item, "has_rung", has_rung(cell));
    add_text(item, "not_measured", cell->why);
    json_add_number(item, "ours", cell->ours);
    json_add_number(item, "ratio", cell->ratio);
    const long long block[LADDER_AXES] = {figure->block[0], figure->block[1], figure->block[2]};
    add_sizes(item, "authors_block", block, LADDER_AXES);
    if (cell->rung)
        add_text(item, "differs", cell->rung->differs);
    if (cell->time)
        add_time(item, sheet->model, cell->time);
    if (cell->time && cell->is_estimate)
        cJSON_AddBoolToObject(item, "is_estimate", true);
    if (cell->row.has_rung) {
        add_text(item, "ours_is", cell->row.what);
        add_sizes(item, "size", cell->row.timed, sheet->model->axes);
        cJSON_AddBoolToObject(item, "is_estimate", cell->row.is_estimate);
    }
}

// ---- --table source

static void report_table(const struct sheet *sheet, const struct ladder_table *table,
                         const struct sheet_cell *cells, cJSON *list)
{
    cJSON *item = json_append_object(list);
    cJSON_AddStringToObject(item, "id", table->id);
    cJSON_AddStringToObject(item, "place", table->place);
    cJSON_AddStringToObject(item, "quantity", table->quantity);
    cJSON_AddStringToObject(item, "unit", table->unit);
    add_text(item, "of", table->of);
    add_text(item, "precision", table->precision);
    cJSON *rows = cJSON_AddArrayToObject(item, "rows");
    for (int k = 0; k < table->row_count; k++)
        add_row(sheet, rows, &table->rows[k], &cells[k]);
}

// Whether a table is asked for: not where the model says of all rows that they are of another.
static bool is_asked_for(const struct ladder_table *table, const struct sheet_cell *cells)
{
    bool is_unasked = true;
    for (int k = 0; k < table->row_count; k++)
        is_unasked = is_unasked && cells[k].row.is_unasked;
    return !is_unasked;
}

static enum status show_table(struct sheet *sheet, const struct ladder_table *table, cJSON *list)
{
    static struct sheet_cell cells[LADDER_ROWS_MAX];
    for (int k = 0; k < table->row_count; k++)
        CHECK(find_ours(sheet, table, &table->rows[k], &cells[k]));
    if (list)
        report_table(sheet, table, cells, list);
    else if (is_asked_for(table, cells))
        sheet_print_table(sheet, table, cells);
    return STATUS_OK;
}

// *is_found: the model has a file of figures, which were then read.
static enum status read_figures(struct sheet *sheet, bool *is_found)
{
    char name[BENCH_LABEL_BYTES], path[PATH_BYTES];
    snprintf(name, sizeof name, "ladders/%s.json", sheet->bench->model->name);
    *is_found = path_find(name, NULL, path) == STATUS_OK;
    if (!*is_found)
        return STATUS_OK;
    return ladder_figures_read(path, &sheet->figures);
}

static void add_source(const struct ladder_figures *figures, cJSON *report)
{
    cJSON *source = cJSON_AddObjectToObject(report, "source");
    cJSON_AddStringToObject(source, "authors", figures->authors);
    cJSON_AddNumberToObject(source, "year", figures->year);
    cJSON_AddStringToObject(source, "title", figures->title);
}

enum status bench_ladder_check(struct bench *bench)
{
    struct sheet sheet = {.bench = bench};
    bool is_found;
    const bool is_needed = bench->tables & BENCH_TABLE_SOURCE;
    if (!(bench->tables & (BENCH_TABLE_SOURCE | BENCH_TABLE_SIZES)))
        return STATUS_OK;
    enum status status = read_figures(&sheet, &is_found);
    ladder_figures_free(&sheet.figures);
    if (status == STATUS_OK && !is_found)
        status = STATUS_NO_INPUT;
    if (is_needed)
        CHECK_ABOUT(status, "bench %s: --table source", bench->model->name);
    if (status == STATUS_OK)
        return STATUS_OK;
    bench_add_note(bench, "the authors' figures", status_message()); // what is measured is shown all the same
    status_clear();
    return STATUS_OK;
}

static enum status show_source(struct sheet *sheet)
{
    const char *model = sheet->bench->model->name;
    const struct ladder_figures *figures = &sheet->figures;
    bool is_found;
    CHECK(read_figures(sheet, &is_found));
    if (!is_found)
        CHECK_ABOUT(STATUS_NO_INPUT, "bench %s: --table source", model);
    cJSON *list = NULL;
    if (sheet->report) {
        add_source(figures, sheet->report);
        list = cJSON_AddArrayToObject(sheet->report, "tables");
    } else {
        printf("%s: %s, %d\n", figures->authors, figures->title, figures->year);
    }
    for (int k = 0; k < figures->table_count; k++)
        CHECK(show_table(sheet, &figures->tables[k], list));
    if (!sheet->report)
        sheet_print_legend(sheet);
    return STATUS_OK;
}

enum status bench_ladder_show(struct bench *bench, cJSON *report)
{
    static const struct ladder_rung *const none[] = {NULL};
    const struct ladder_model model = {.name = bench->model->name, .axes = bench->model->axes, .rungs = none};
    struct sheet sheet = {.bench = bench, .model = &model, .report = report};
    if (!report)
        printf("\n");
    const enum status status = show_source(&sheet);
    ladder_figures_free(&sheet.figures);
    return status;
}

// ---- the authors' times, for a picture of ours

// A time of a step, or a rate, at a size that is known.
static void add_peer(cJSON *list, const struct bench *bench, const struct ladder_table *table,
                     const struct ladder_figure *figure)
{
    static const char *const keys[] = {[LADDER_TIME] = "step_s",
                                       [LADDER_OPERATIONS] = "flop_s",
                                       [LADDER_BYTES] = "bytes_per_s",
                                       [LADDER_RATE] = "work_per_s"};
    const double value = figure->value * table->unit_scale;
    if (figure->size[0] == 0 || table->measure > LADDER_RATE || !keys[table->measure] || table->is_part)
        return;
    cJSON *item = json_append_object(list);
    cJSON_AddStringToObject(item, "rung", figure->rung);
    cJSON_AddStringToObject(item, "machine", figure->machine);
    add_text(item, "bound", figure->bound);
    add_text(item, "quantity", table->quantity);
    add_text(item, "precision", table->precision);
    add_sizes(item, "size", figure->size, bench->model->axes);
    cJSON_AddNumberToObject(item, keys[table->measure],
                            table->measure == LADDER_TIME ? value / table->steps : value);
}

// False: the figures cannot be had, of which bench_ladder_check has made a note where they matter.
static bool find_figures(struct sheet *sheet)
{
    bool is_found;
    if (read_figures(sheet, &is_found) == STATUS_OK && is_found)
        return true;
    status_clear();
    return false;
}

void bench_ladder_report_peers(struct bench *bench, cJSON *report)
{
    struct sheet sheet = {.bench = bench};
    if (find_figures(&sheet)) {
        add_source(&sheet.figures, report);
        cJSON *list = cJSON_AddArrayToObject(report, "peers");
        for (int t = 0; t < sheet.figures.table_count; t++)
            for (int k = 0; k < sheet.figures.tables[t].row_count; k++)
                add_peer(list, bench, &sheet.figures.tables[t], &sheet.figures.tables[t].rows[k]);
    }
    ladder_figures_free(&sheet.figures);
}

void bench_ladder_report_source(struct bench *bench, cJSON *report)
{
    struct sheet sheet = {.bench = bench};
    if (find_figures(&sheet))
        add_source(&sheet.figures, report);
    ladder_figures_free(&sheet.figures);
}

// ---- --table blocks

// The shapes of the rung's blocks, one a line.
static enum status show_shape(struct sheet *sheet, const struct ladder_rung *rung, const int *shape,
                              int width, cJSON *list)
{
    const struct ladder_time *time;
    const long long sizes[LADDER_AXES] = {shape[0], shape[1], shape[2]};
    const int axes = sizes[2] > 1 ? 3 : sizes[1] > 1 ? 2 : 1;
    char block[BENCH_LABEL_BYTES], what[BENCH_TEXT_BYTES], step[BENCH_LABEL_BYTES] = "-";
    struct ladder_case wanted = {.precision = precision_of(sheet, rung, "double"),
                                 .threads = rung->has_threads ? omp_get_max_threads() : 1};
    set_size(sheet, NULL, wanted.size);
    memcpy(wanted.block, shape, sizeof wanted.block);
    CHECK(ladder_time(sheet->bench, sheet->model, rung, &wanted, &time));
    if (list) {
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "rung", rung->name);
        add_time(item, sheet->model, time);
        add_text(item, "not_measured", time->why);
        return STATUS_OK;
    }
    struct ladder_time without_block = *time;
    memset(without_block.wanted.block, 0, sizeof without_block.wanted.block);
    sheet_format_size(sizes, axes, block, sizeof block);
    if (axes == 1 && !rung->is_device)
        snprintf(block, sizeof block, "%d at a time", shape[0]);
    sheet_describe_case(sheet, &without_block, what, sizeof what);
    if (time->has_run || time->is_estimate)
        snprintf(step, sizeof step, "%s%.4g", time->has_run ? "" : "~", 1e3 * time->step_s);
    sheet->has_estimates = sheet->has_estimates || time->is_estimate;
    printf("%-*s  %-14s  %10s  %s%s%s\n", width, rung->name, block, step, what,
           time->has_run || time->is_estimate ? "" : "; not measured: ", time->is_estimate ? "" : time->why);
    return STATUS_OK;
}

static bool is_left_out(const struct sheet *sheet, const struct ladder_rung *rung)
{
    return !sheet->report && ladder_lacks(sheet->bench, rung->is_device);
}

// The rungs for which there is nothing to run them on.
static void print_left_out(const struct sheet *sheet)
{
    static char text[SHEET_TEXT_BYTES];
    size_t used = 0;
    for (const struct ladder_rung *const *rung = sheet->model->rungs; *rung; rung++) {
        const char *lacks = ladder_lacks(sheet->bench, (*rung)->is_device);
        if (!(*rung)->shapes || !lacks || used >= sizeof text)
            continue;
        if (used == 0)
            used = (size_t)snprintf(text, sizeof text, "not measured: %s: %s", lacks, (*rung)->name);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s", (*rung)->name);
    }
    if (used > 0)
        bench_print_wrapped(text, 0, 4, SHEET_COLUMNS);
}

static enum status show_blocks(struct sheet *sheet)
{
    cJSON *list = sheet->report ? cJSON_AddArrayToObject(sheet->report, "blocks") : NULL;
    int count = 0, width = (int)strlen("rung");
    for (const struct ladder_rung *const *rung = sheet->model->rungs; *rung; rung++)
        if ((*rung)->shapes)
            width = (int)fmax(width, (double)strlen((*rung)->name));
    for (const struct ladder_rung *const *rung = sheet->model->rungs; *rung; rung++)
        for (const int(*shape)[LADDER_AXES] = (*rung)->shapes; shape && (*shape)[0] > 0; shape++) {
            if (is_left_out(sheet, *rung))
                continue;
            if (count++ == 0 && !list)
                printf("\n%-*s  %-14s  %10s  %s\n", width, "rung", "block", "ms a step",
                       "what was timed here");
            CHECK(show_shape(sheet, *rung, *shape, width, list));
        }
    if (count == 0)
        return ladder_refuse_blocks(sheet->bench);
    if (!list) {
        print_left_out(sheet);
        sheet_print_legend(sheet);
    }
    return STATUS_OK;
}

// ---- the whole

static enum status show(struct sheet *sheet)
{
    if (sheet->bench->tables & BENCH_TABLE_SOURCE)
        CHECK(show_source(sheet));
    else if (sheet->report)
        bench_ladder_report_source(sheet->bench, sheet->report);
    return sheet->bench->tables & BENCH_TABLE_BLOCKS ? show_blocks(sheet) : STATUS_OK;
}

static enum status print_report(const struct sheet *sheet)
{
    const struct bench *bench = sheet->bench;
    cJSON *notes = cJSON_AddArrayToObject(sheet->report, "notes");
    for (int k = 0; k < bench->note_count; k++)
        cJSON_AddItemToArray(notes, cJSON_CreateString(bench->notes[k]));
    char *text = utf8_print_json(sheet->report);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the results as JSON");
    puts(text);
    free(text);
    return STATUS_OK;
}

// What --size asks for must fit into memory, for some rung at least.
static enum status check_size(const struct sheet *sheet)
{
    const struct bench *bench = sheet->bench;
    const struct memory_limit limit = memory_limits_find("");
    double least = INFINITY;
    char size[BENCH_LABEL_BYTES];
    if (bench->size_count == 0)
        return STATUS_OK;
    if (bench->size_count > 1)
        return bench_mistake(bench, "--size: the rungs of --table source and --table blocks have one size");
    struct ladder_case wanted = {.precision = ELEMENT_F32, .threads = 1};
    set_size(sheet, NULL, wanted.size);
    for (const struct ladder_rung *const *rung = sheet->model->rungs; *rung; rung++)
        least = fmin(least, ladder_count_bytes(sheet->model, *rung, &wanted));
    sheet_format_size(wanted.size, sheet->model->axes, size, sizeof size);
    return least <= (double)limit.available
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "bench %s: --size %s: a rung needs %s of memory or more, and %s %s",
                      bench->model->name, size, UNITS_BYTES(least), limit.name, UNITS_BYTES(limit.available));
}

enum status bench_ladder_run(struct bench *bench)
{
    struct sheet sheet = {.bench = bench, .model = ladder_find(bench->model->name)};
    if (bench->ranks->count > 1)
        return FAIL(STATUS_CONFIGURATION,
                    "bench %s: rungs of --table source and --table blocks have one rank", bench->model->name);
    if (!sheet.model)
        return FAIL(STATUS_CONFIGURATION, "bench %s: its source has no ladder here", bench->model->name);
    CHECK(check_size(&sheet));
    if (bench->as_json) {
        sheet.report = cJSON_CreateObject();
        cJSON_AddStringToObject(sheet.report, "model", bench->model->name);
        bench_report_machine(bench, sheet.report);
    } else if (bench->by_processor_time) {
        printf("times are the processor's (--processor-time)\n");
    }
    enum status status = show(&sheet);
    if (status == STATUS_OK && sheet.report)
        status = print_report(&sheet);
    for (int k = 0; status == STATUS_OK && !sheet.report && k < bench->note_count; k++)
        printf("%s\n", bench->notes[k]);
    cJSON_Delete(sheet.report);
    ladder_figures_free(&sheet.figures);
    return status;
}
