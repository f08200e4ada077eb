// `fathom bench MODEL --table source|blocks`: the authors' figures beside those of the rungs here, as text or
// JSON.
#include "bench/bench.h"
#include "bench/ladder/figures.h"
#include "bench/ladder/time.h"

#include "io/json_file.h"
#include "io/path.h"
#include "io/utf8.h"
#include "parallel/ranks.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct sheet {
    struct bench *bench;
    const struct ladder_model *model;
    struct ladder_figures figures;
    cJSON *report; // NULL: text is printed
};

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

struct cell {
    const struct ladder_rung *rung; // NULL: no rung has this name
    const struct ladder_time *time; // NULL: not timed
    struct bench_figure row;        // of a model whose own rows are the rungs
    double ours, ratio;             // in the table's unit, and times better than the author's; NaN: not known
};

// Of the time of the rung `of`: how many times it is the rung's, or what the rung saves.
static enum status measure_relative(struct sheet *sheet, const struct ladder_table *table,
                                    const struct ladder_figure *figure, struct cell *cell)
{
    const struct ladder_time *base;
    const struct ladder_rung *of = ladder_find_rung(sheet->model, table->of);
    if (!of)
        return STATUS_OK;
    const struct ladder_case wanted = case_of(sheet, of, table, figure);
    CHECK(ladder_time(sheet->bench, of, &wanted, &base));
    if (base->has_run)
        cell->ours = table->measure == LADDER_SPEED_UP ? base->step_s / cell->time->step_s
                                                       : 100 * (1 - cell->time->step_s / base->step_s);
    return STATUS_OK;
}

static double counted(enum ladder_measure measure, const struct ladder_counts *counts)
{
    return measure == LADDER_RATE    ? counts->work
           : measure == LADDER_BYTES ? counts->bytes
                                     : counts->operations;
}

// Percent of all stages' time; NaN: not known.
static double share_of(const struct ladder_time *time, const char *stage)
{
    double share = NAN, total = 0;
    for (int k = 0; time->rung->stages && time->rung->stages[k]; k++) {
        total += time->stages[k];
        if (strcmp(time->rung->stages[k], stage) == 0)
            share = time->stages[k];
    }
    return total > 0 ? 100 * share / total : NAN;
}

static enum status measure(struct sheet *sheet, const struct ladder_table *table,
                           const struct ladder_figure *figure, struct cell *cell)
{
    struct ladder_counts counts;
    *cell = (struct cell){.rung = ladder_find_rung(sheet->model, figure->rung), .ours = NAN, .ratio = NAN};
    if (!cell->rung || table->measure == LADDER_NOTHING)
        return STATUS_OK;
    const struct ladder_case wanted = case_of(sheet, cell->rung, table, figure);
    CHECK(ladder_time(sheet->bench, cell->rung, &wanted, &cell->time));
    if (!cell->time->has_run)
        return STATUS_OK;
    ladder_count(sheet->model, cell->rung, &wanted, &counts);
    if (table->measure == LADDER_TIME)
        cell->ours = cell->time->step_s * table->steps / table->unit_scale;
    else if (table->measure == LADDER_SPEED_UP || table->measure == LADDER_SAVING)
        CHECK(measure_relative(sheet, table, figure, cell));
    else if (table->measure == LADDER_SHARE)
        cell->ours = share_of(cell->time, figure->stage);
    else
        cell->ours = counted(table->measure, &counts) / cell->time->step_s / table->unit_scale;
    if (table->measure != LADDER_SAVING && table->measure != LADDER_SHARE)
        cell->ratio = table->measure == LADDER_TIME ? figure->value / cell->ours : cell->ours / figure->value;
    return STATUS_OK;
}

// Where the rungs are rows that the benchmark has timed.
static void measure_row(const struct sheet *sheet, const struct ladder_table *table,
                        const struct ladder_figure *figure, struct cell *cell)
{
    memcpy(cell->row.size, figure->size, sizeof cell->row.size);
    cell->ours = sheet->bench->model->find_ours(sheet->bench, &cell->row);
    if (table->measure == LADDER_TIME)
        cell->ours *= table->steps / table->unit_scale;
    if (table->measure != LADDER_NOTHING)
        cell->ratio = table->measure == LADDER_TIME ? figure->value / cell->ours : cell->ours / figure->value;
}

// Times of different sizes are not compared.
static void drop_unlike_ratio(const struct sheet *sheet, const struct ladder_table *table,
                              const struct ladder_figure *figure, struct cell *cell)
{
    const long long *ours = cell->time ? cell->time->wanted.size : cell->row.timed;
    bool is_alike = true;
    for (int axis = 0; axis < sheet->model->axes && figure->size[0] > 0 && ours[0] > 0; axis++)
        is_alike = is_alike && figure->size[axis] == ours[axis];
    if (table->measure == LADDER_TIME && !is_alike)
        cell->ratio = NAN;
}

static enum status find_ours(struct sheet *sheet, const struct ladder_table *table,
                             const struct ladder_figure *figure, struct cell *cell)
{
    if (!sheet->bench->model->find_ours) {
        CHECK(measure(sheet, table, figure, cell));
    } else {
        *cell = (struct cell){.row = {.table = table->id, .rung = figure->rung}, .ratio = NAN};
        measure_row(sheet, table, figure, cell);
    }
    drop_unlike_ratio(sheet, table, figure, cell);
    return STATUS_OK;
}

static bool has_rung(const struct cell *cell)
{
    return cell->rung || cell->row.has_rung;
}

// ---- text

static void format_size(const long long *size, int axes, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int axis = 0; axis < axes && used < bytes; axis++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%lld", axis > 0 ? "x" : "", size[axis]);
}

static void format_number(double value, const char *format, char text[32])
{
    snprintf(text, 32, "-");
    if (isfinite(value))
        snprintf(text, 32, format, value);
}

static const char *name_of_precision(enum element precision)
{
    return precision == ELEMENT_F32 ? "single" : "double";
}

static void append_block(const struct ladder_case *wanted, char *text, size_t bytes)
{
    const long long block[LADDER_AXES] = {wanted->block[0], wanted->block[1], wanted->block[2]};
    const size_t used = strlen(text);
    char shape[BENCH_LABEL_BYTES];
    format_size(block, block[2] > 1 ? 3 : 2, shape, sizeof shape);
    if (block[0] > 0)
        snprintf(text + used, bytes - used, ", blocks of %s", shape);
}

// Where ours is not the author's size, both are told.
static void print_row(const struct sheet *sheet, const struct ladder_figure *figure, const struct cell *cell)
{
    char bound[32] = "", ours[32], ratio[32], what[BENCH_TEXT_BYTES] = "", size[BENCH_LABEL_BYTES];
    const char *const own = cell->rung && cell->rung->differs ? cell->rung->differs : "";
    snprintf(bound, sizeof bound, "%s%s", figure->bound, figure->bound[0] ? " " : "");
    const char *const no_rung = sheet->bench->model->find_ours ? "not timed here" : "no rung here";
    format_number(cell->ours, cell->row.is_estimate ? "~%.4g" : "%.4g", ours);
    format_number(cell->ratio, "%.3g", ratio);
    if (cell->row.has_rung)
        snprintf(what, sizeof what, "%s", cell->row.what);
    if (cell->time) {
        format_size(cell->time->wanted.size, sheet->model->axes, size, sizeof size);
        const int used =
            snprintf(what, sizeof what, "%s%s%s, %s", figure->stage, figure->stage[0] ? ", " : "", size,
                     name_of_precision(cell->time->wanted.precision));
        if (cell->rung->has_threads)
            snprintf(what + used, sizeof what - (size_t)used, ", %d threads", cell->time->wanted.threads);
    }
    if (cell->time)
        append_block(&cell->time->wanted, what, sizeof what);
    printf("%-18s %-22s %9s%-8.4g %10s %8s  %s%s%s%s%s\n", figure->rung, figure->machine, bound,
           figure->value, ours, ratio, has_rung(cell) ? what : no_rung,
           figure->differs[0] ? "; the author's: " : "", figure->differs, own[0] ? "; ours: " : "", own);
}

static void print_stages(const struct cell *cell)
{
    if (!cell->time || !cell->time->has_run || !cell->rung->stages)
        return;
    printf("%-18s", "");
    for (int k = 0; k < LADDER_STAGES_MAX && cell->rung->stages[k]; k++)
        printf("%s%s %.0f %%", k > 0 ? ", " : " of a step: ", cell->rung->stages[k],
               share_of(cell->time, cell->rung->stages[k]));
    printf("\n");
}

static void print_table_head(const struct ladder_table *table)
{
    char size[BENCH_LABEL_BYTES];
    const long long *author = table->rows[0].size;
    int axes = 0;
    while (axes < LADDER_AXES && author[axes] > 1)
        axes++;
    format_size(author, axes, size, sizeof size);
    printf("\n%s: %s, %s", table->place, table->quantity, table->unit);
    printf("%s%s%s%s%s%s\n", table->of[0] ? ", of " : "", table->of, axes > 0 ? "; " : "", size,
           table->precision[0] ? ", " : "", table->precision);
    printf("%-18s %-22s %17s %10s %8s\n", "rung", "the author's machine", "the author's", "here", "ratio");
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
    cJSON_AddStringToObject(item, "precision", name_of_precision(wanted->precision));
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
                    const struct cell *cell)
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
    json_add_number(item, "ours", cell->ours);
    json_add_number(item, "ratio", cell->ratio);
    const long long block[LADDER_AXES] = {figure->block[0], figure->block[1], figure->block[2]};
    add_sizes(item, "authors_block", block, LADDER_AXES);
    if (cell->rung)
        add_text(item, "differs", cell->rung->differs);
    if (cell->time)
        add_time(item, sheet->model, cell->time);
    if (cell->row.has_rung) {
        add_text(item, "ours_is", cell->row.what);
        add_sizes(item, "size", cell->row.timed, sheet->model->axes);
        cJSON_AddBoolToObject(item, "is_estimate", cell->row.is_estimate);
    }
}

// ---- --table source

static enum status show_table(struct sheet *sheet, const struct ladder_table *table, cJSON *list)
{
    cJSON *item = list ? json_append_object(list) : NULL, *rows = NULL;
    if (item) {
        cJSON_AddStringToObject(item, "id", table->id);
        cJSON_AddStringToObject(item, "place", table->place);
        cJSON_AddStringToObject(item, "quantity", table->quantity);
        cJSON_AddStringToObject(item, "unit", table->unit);
        add_text(item, "of", table->of);
        add_text(item, "precision", table->precision);
        rows = cJSON_AddArrayToObject(item, "rows");
    } else {
        print_table_head(table);
    }
    for (int k = 0; k < table->row_count; k++) {
        struct cell cell;
        CHECK(find_ours(sheet, table, &table->rows[k], &cell));
        if (rows) {
            add_row(sheet, rows, &table->rows[k], &cell);
        } else {
            print_row(sheet, &table->rows[k], &cell);
            print_stages(&cell);
        }
    }
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

void bench_ladder_report_peers(struct bench *bench, cJSON *report)
{
    struct sheet sheet = {.bench = bench};
    bool is_found;
    const enum status status = read_figures(&sheet, &is_found);
    if (status != STATUS_OK) // what was measured is reported all the same
        bench_add_note(bench, "the authors' figures", status_message());
    if (!is_found || status != STATUS_OK)
        status_clear();
    if (is_found && status == STATUS_OK) {
        add_source(&sheet.figures, report);
        cJSON *list = cJSON_AddArrayToObject(report, "peers");
        for (int t = 0; t < sheet.figures.table_count; t++)
            for (int k = 0; k < sheet.figures.tables[t].row_count; k++)
                add_peer(list, bench, &sheet.figures.tables[t], &sheet.figures.tables[t].rows[k]);
    }
    ladder_figures_free(&sheet.figures);
}

// ---- --table blocks

static enum status show_shape(struct sheet *sheet, const struct ladder_rung *rung, const int *shape,
                              cJSON *list)
{
    const struct ladder_time *time;
    const long long sizes[LADDER_AXES] = {shape[0], shape[1], shape[2]};
    char block[BENCH_LABEL_BYTES], size[BENCH_LABEL_BYTES], step[32];
    struct ladder_case wanted = {.precision = precision_of(sheet, rung, "double"),
                                 .threads = rung->has_threads ? omp_get_max_threads() : 1};
    set_size(sheet, NULL, wanted.size);
    memcpy(wanted.block, shape, sizeof wanted.block);
    CHECK(ladder_time(sheet->bench, rung, &wanted, &time));
    if (list) {
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "rung", rung->name);
        add_time(item, sheet->model, time);
        return STATUS_OK;
    }
    format_size(sizes, sizes[2] > 1 ? 3 : 2, block, sizeof block);
    format_size(wanted.size, sheet->model->axes, size, sizeof size);
    format_number(time->has_run ? 1e3 * time->step_s : NAN, "%.4g", step);
    printf("%-18s %-10s %10s  %s, %s\n", rung->name, block, step, size, name_of_precision(wanted.precision));
    return STATUS_OK;
}

static enum status show_blocks(struct sheet *sheet)
{
    cJSON *list = sheet->report ? cJSON_AddArrayToObject(sheet->report, "blocks") : NULL;
    int count = 0;
    for (const struct ladder_rung *const *rung = sheet->model->rungs; *rung; rung++)
        for (const int(*shape)[LADDER_AXES] = (*rung)->shapes; shape && (*shape)[0] > 0; shape++) {
            if (count++ == 0 && !list)
                printf("\n%-18s %-10s %10s\n", "rung", "block", "ms a step");
            CHECK(show_shape(sheet, *rung, *shape, list));
        }
    return count > 0 ? STATUS_OK
                     : FAIL(STATUS_CONFIGURATION,
                            "bench %s: --table blocks: no rung here has blocks of several shapes",
                            sheet->model->name);
}

// ---- the whole

static enum status show(struct sheet *sheet)
{
    if (sheet->bench->tables & BENCH_TABLE_SOURCE)
        CHECK(show_source(sheet));
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

enum status bench_ladder_run(struct bench *bench)
{
    struct sheet sheet = {.bench = bench, .model = ladder_find(bench->model->name)};
    if (bench->ranks->count > 1)
        return FAIL(STATUS_CONFIGURATION,
                    "bench %s: rungs of --table source and --table blocks have one rank", bench->model->name);
    if (!sheet.model)
        return FAIL(STATUS_CONFIGURATION, "bench %s: its source has no ladder here", bench->model->name);
    if (bench->as_json) {
        sheet.report = cJSON_CreateObject();
        cJSON_AddStringToObject(sheet.report, "model", bench->model->name);
        bench_report_machine(bench, sheet.report);
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
