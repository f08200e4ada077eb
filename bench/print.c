// What `fathom bench` prints: tables for people and one JSON object, both from the columns that all models
// share and a model's own. Measures nothing.
#include "bench/bench.h"

#include "core/statistics.h"
#include "io/json_file.h"
#include "io/utf8.h"
#include "parallel/ranks.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

// ---- columns of all models

static void get_label(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    (void)bench;
    snprintf(text, bytes, "%s", row->entry->label);
}

static void get_kind(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", bench->model->kinds ? bench->model->kinds[row->kind] : "");
}

static void get_method(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", bench_method_name(bench, row));
}

static void get_precision(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", bench->model->has_precisions ? bench_precision_name(row) : "");
}

static void get_instruction_set(const struct bench *bench, const struct bench_row *row, char *text,
                                size_t bytes)
{
    const struct backend *backend = row->entry->backend;
    (void)bench;
    snprintf(text, bytes, "%s", backend->instruction_set ? backend->instruction_set() : "");
}

static void get_clock(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    (void)bench;
    snprintf(text, bytes, "%s", !row->has_run ? "" : row->time.is_device_clock ? "device" : "host");
}

static void get_transport(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", row->has_run ? bench_ranks_transport(bench, row) : "");
}

static bool knows_bits(const struct bench_row *row)
{
    return row->has_run && row->checksum != 0 && row->alone_checksum != 0;
}

static void get_bits(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes)
{
    (void)bench;
    snprintf(text, bytes, "%s",
             !knows_bits(row)                       ? ""
             : row->checksum == row->alone_checksum ? "of one rank"
                                                    : "OTHERS");
}

// Of several ranks; NaN: not known.
static double of_ranks(const struct bench *bench, const struct bench_row *row, enum bench_source source)
{
    const double ranks = bench->ranks->count, ratio = row->alone_ms / row->time.step_ms;
    if (!row->has_run)
        return NAN;
    switch (source) {
    case BENCH_EXCHANGED_BYTES:
        return row->time.exchanged_bytes;
    case BENCH_EXCHANGE_MS:
        return row->time.exchange_ms;
    case BENCH_HAS_SAME_BITS:
        return knows_bits(row) ? row->checksum == row->alone_checksum : NAN;
    default:
        break;
    }
    if (!(row->alone_ms > 0))
        return NAN;
    const double speed_up = bench->is_weak ? ranks * ratio : ratio;
    return source == BENCH_ALONE_MS ? row->alone_ms : source == BENCH_SPEED_UP ? speed_up : speed_up / ranks;
}

// Of a row of --table threads, against that of one thread; NaN: not known.
static double of_threads(const struct bench *bench, const struct bench_row *row, enum bench_source source)
{
    struct bench_row like = *row;
    like.threads = 1;
    const struct bench_row *one = row->threads > 0 ? bench_find_row(bench, &like) : NULL;
    if (source == BENCH_THREADS)
        return row->threads > 0 ? (double)row->threads : NAN;
    if (!one || !one->has_run || !row->has_run)
        return NAN;
    const double speed_up = one->time.step_ms / row->time.step_ms;
    return source == BENCH_THREADS_SPEED_UP ? speed_up : speed_up / row->threads;
}

static double scatter_of(const struct bench_time *time)
{
    static const double percents[] = {25, 50, 75};
    double sorted[BENCH_REPEAT_MAX], quartiles[3];
    if (time->repeat < 3)
        return NAN;
    memcpy(sorted, time->seconds, sizeof sorted);
    for (int k = 0; k < 3; k++)
        quartiles[k] = statistics_percentile(sorted, (size_t)time->repeat, percents[k]);
    return 0.5 * (quartiles[2] - quartiles[0]) / quartiles[1];
}

// The value of a row that was timed; 0: not known.
static double measured(const struct bench_row *row, enum bench_source source)
{
    switch (source) {
    case BENCH_STEPS:
        return row->time.steps;
    case BENCH_REPEAT:
        return row->time.repeat;
    case BENCH_SCATTER:
        return scatter_of(&row->time);
    case BENCH_WORK:
        return row->work;
    case BENCH_BYTES:
        return row->bytes;
    case BENCH_OPERATIONS:
        return row->operations;
    case BENCH_ARITHMETIC_S:
        return row->arithmetic_s;
    default:
        return row->device_bytes;
    }
}

// The number in a column; NaN: the row has none.
static double number_of(const struct bench *bench, const struct bench_row *row,
                        const struct bench_column *column)
{
    const double copy = row->entry->copy_bytes_per_s, step_s = row->time.step_ms / 1e3;
    switch (column->source) {
    case BENCH_FIGURE:
        return row->figures[column->index];
    case BENCH_STEP_MS:
        return row->time.step_ms;
    case BENCH_IS_ESTIMATE:
        return !row->has_run;
    case BENCH_SIZE:
        return (double)row->size[column->index];
    case BENCH_COPIES:
        return (double)row->copies;
    case BENCH_THREADS:
    case BENCH_THREADS_SPEED_UP:
    case BENCH_THREADS_EFFICIENCY:
        return of_threads(bench, row, column->source);
    default:
        if (column->source >= BENCH_ALONE_MS)
            return of_ranks(bench, row, column->source);
        break;
    }
    const double of_a_step = row->has_run ? measured(row, column->source) : 0;
    const double over = column->per == BENCH_PER_SECOND       ? step_s
                        : column->per == BENCH_PER_NANOSECOND ? 1e9 * step_s
                        : column->per == BENCH_PER_WORK       ? row->work
                        : column->per == BENCH_PER_COPY       ? step_s * copy
                                                              : 1;
    const bool is_known = over > 0 && (of_a_step > 0 || column->source == BENCH_SCATTER);
    return row->has_run && is_known ? of_a_step / over : NAN;
}

// The part of columns that identify the row.
enum { IN_EACH_PART = -1 };

#define NAMING(key_, name_, text_)                                                                           \
    {                                                                                                        \
        .key = key_, .name = name_, .unit = "", .is_left = true, .part = IN_EACH_PART, .text = text_         \
    }

static const struct bench_column naming_columns[] = {
    NAMING("backend", "back end", get_label),
    NAMING("kind", "system", get_kind),
    NAMING("method", "method", get_method),
    NAMING("precision", "", get_precision),
    {.name = "size", .unit = "", .part = IN_EACH_PART, .text = bench_describe_size},
    BENCH_LAST,
};

static const struct bench_column measured_columns[] = {
    BENCH_REPORTED("is_estimate", .source = BENCH_IS_ESTIMATE, .is_flag = true),
    BENCH_REPORTED("instruction_set", .text = get_instruction_set),
    BENCH_REPORTED("clock", .text = get_clock),
    BENCH_COLUMN("steps", "steps", "", "%.0f", 1, .source = BENCH_STEPS),
    BENCH_REPORTED("repeat", .source = BENCH_REPEAT),
    BENCH_COLUMN("step_ms", "a step", "ms", "%.4g", 1, .source = BENCH_STEP_MS),
    BENCH_COLUMN("scatter", "scatter", "%", "%.1f", 100, .source = BENCH_SCATTER,
                 .none = "fewer than 3 repetitions"),
    BENCH_COLUMN("threads", "threads", "", "%.0f", 1, .part = IN_EACH_PART, .source = BENCH_THREADS),
    BENCH_COLUMN("speed_up", "speed-up", "", "%.3g", 1, .source = BENCH_THREADS_SPEED_UP,
                 .none = "the row of one thread was not run"),
    BENCH_COLUMN("efficiency", "efficiency", "%", "%.1f", 100, .source = BENCH_THREADS_EFFICIENCY,
                 .none = "the row of one thread was not run"),
    BENCH_LAST,
};

#define UNCOUNTED "its method moves bytes that are not counted"

static const struct bench_column last_columns[] = {
    BENCH_REPORTED("bytes", BENCH_OF(BYTES, STEP)),
    BENCH_COLUMN("gb_s", "memory", "GB/s", "%.4g", 1, BENCH_OF(BYTES, NANOSECOND), .none = UNCOUNTED),
    BENCH_COLUMN("of_copy", "of copy", "%", "%.1f", 100, BENCH_OF(BYTES, COPY), .none = UNCOUNTED),
    BENCH_COLUMN("flop_s", "operations", "GFLOP/s", "%.4g", 1e-9, BENCH_OF(OPERATIONS, SECOND)),
    BENCH_COLUMN("of_arithmetic", "of arith.", "%", "%.1f", 100, BENCH_OF(ARITHMETIC_S, SECOND),
                 .none = "the back end's arithmetic alone is not measured"),
    BENCH_COLUMN("device_bytes", "device", "MB", "%.4g", 1e-6, BENCH_OF(DEVICE_BYTES, STEP),
                 .none = "on a processor"),
    BENCH_LAST,
};

// Of several ranks; all their columns stand in the first part.
#define NOT_ALONE "one rank alone was not timed"

static const struct bench_column rank_columns[] = {
    {.key = "ranks.transport",
     .name = "by",
     .unit = "",
     .is_left = true,
     .text = get_transport,
     .none = "nothing was exchanged"},
    BENCH_COLUMN("ranks.one_rank_ms", "one rank", "ms a step", "%.4g", 1, .source = BENCH_ALONE_MS,
                 .none = NOT_ALONE),
    BENCH_COLUMN(NULL, "all ranks", "ms a step", "%.4g", 1, .source = BENCH_STEP_MS),
    BENCH_COLUMN("ranks.speed_up", "speed-up", "", "%.3g", 1, .source = BENCH_SPEED_UP, .none = NOT_ALONE),
    BENCH_COLUMN("ranks.efficiency", "efficiency", "%", "%.1f", 100, .source = BENCH_EFFICIENCY,
                 .none = NOT_ALONE),
    BENCH_COLUMN("ranks.exchanged_bytes_per_step", "exchanged", "kB a step", "%.4g", 1e-3,
                 .source = BENCH_EXCHANGED_BYTES),
    BENCH_COLUMN("ranks.exchange_ms", "not hidden", "ms a step", "%.3g", 1, .source = BENCH_EXCHANGE_MS),
    BENCH_REPORTED("ranks.has_same_bits", .source = BENCH_HAS_SAME_BITS, .is_flag = true),
    {.name = "bits",
     .unit = "",
     .is_left = true,
     .text = get_bits,
     .none = "the states of one rank and of all were not compared"},
    BENCH_LAST,
};

enum { COLUMNS_MAX = 64, LISTS = 5 };

// A table of several ranks has the columns of ranks alone; the report has all.
static int list_columns(const struct bench *bench, bool is_table,
                        const struct bench_column *columns[COLUMNS_MAX])
{
    const bool has_ranks = bench->ranks->count > 1, has_own = !has_ranks || !is_table;
    const struct bench_column *const lists[LISTS] = {
        naming_columns, has_own ? measured_columns : NULL, has_ranks ? rank_columns : NULL,
        has_own ? bench->model->columns : NULL, has_own ? last_columns : NULL};
    int count = 0;
    for (int k = 0; k < LISTS; k++)
        for (const struct bench_column *column = lists[k]; column && (column->key || column->name); column++)
            if (count < COLUMNS_MAX)
                columns[count++] = column;
    return count;
}

// ---- tables

// Writes the text of a cell; "" if the row has no such figure.
static void format_cell(const struct bench *bench, const struct bench_row *row,
                        const struct bench_column *column, char *text, size_t bytes)
{
    text[0] = '\0';
    if (column->text) {
        column->text(bench, row, text, bytes);
        return;
    }
    const double value = number_of(bench, row, column) * (column->scale > 0 ? column->scale : 1);
    const bool is_estimate = column->source == BENCH_STEP_MS && !row->has_run;
    if (isnan(value))
        return;
    text[0] = '~';
    snprintf(text + is_estimate, bytes - is_estimate, column->format, value);
}

static bool is_shown(const struct bench *bench, const struct bench_row *row, int group)
{
    const int own = bench->model->group ? bench->model->group(row) : 0;
    return row->tables != 0 && row->time.step_ms > 0 && own == group;
}

struct table {
    int group, part, count;
    const struct bench_column *columns[COLUMNS_MAX];
    int widths[COLUMNS_MAX];
};

// The number of characters of the column's widest cell; 0: the group has no values in this column.
static int width_of(const struct bench *bench, const struct table *table, const struct bench_column *column)
{
    int width = 0;
    for (int k = 0; k < bench->row_count; k++) {
        char text[BENCH_TEXT_BYTES];
        if (!is_shown(bench, &bench->rows[k], table->group))
            continue;
        format_cell(bench, &bench->rows[k], column, text, sizeof text);
        width = (int)strlen(text) > width ? (int)strlen(text) : width;
    }
    return width;
}

// Chooses the columns of the part in which the group has values. False: only columns of all parts have any.
static bool choose_columns(const struct bench *bench, struct table *table)
{
    const struct bench_column *all[COLUMNS_MAX];
    const int count = list_columns(bench, true, all);
    bool has_own = false;
    table->count = 0;
    for (int k = 0; k < count; k++) {
        const struct bench_column *column = all[k];
        const bool is_here = column->part == table->part || column->part == IN_EACH_PART;
        int width = column->name && is_here ? width_of(bench, table, column) : 0;
        if (width == 0 || (column->text == get_kind && !bench->model->shows_kinds))
            continue;
        width = (int)fmax(width, fmax((double)strlen(column->name), (double)strlen(column->unit)));
        table->widths[table->count] = column->is_left ? -width : width;
        table->columns[table->count++] = column;
        has_own = has_own || column->part == table->part;
    }
    return has_own;
}

static void print_line(const struct table *table, const char *const cells[])
{
    for (int k = 0; k < table->count; k++)
        printf("%s%*s", k > 0 ? "  " : "", table->widths[k], cells[k]);
    putchar('\n');
}

static void print_titles(const struct bench *bench, const struct table *table)
{
    const struct bench_model *model = bench->model;
    const char *cells[COLUMNS_MAX];
    const char *const group = model->groups ? model->groups[table->group] : "";
    const char *const part = model->parts && table->part > 0 ? model->parts[table->part] : "";
    printf("\n%s%s%s%s", group, group[0] && part[0] ? ", " : "", part, group[0] || part[0] ? "\n" : "");
    for (int k = 0; k < table->count; k++)
        cells[k] = table->columns[k]->name;
    print_line(table, cells);
    for (int k = 0; k < table->count; k++)
        cells[k] = table->columns[k]->unit;
    print_line(table, cells);
}

// What the tables have shown, for the legend below them.
static struct {
    bool has_estimates;
    int count;
    struct {
        const char *name, *why; // of a column, in which a row that has run has no figure
    } lacks[COLUMNS_MAX];
} legend;

static void note_lack(const struct bench_row *row, const struct bench_column *column)
{
    const char *const name = column->name[0] ? column->name : column->unit;
    const char *const why = column->none ? column->none : "its method has none";
    int k = 0;
    while (k < legend.count && (strcmp(legend.lacks[k].name, name) != 0 || legend.lacks[k].why != why))
        k++;
    if (!row->has_run || k == COLUMNS_MAX)
        return;
    legend.lacks[k].name = name;
    legend.lacks[k].why = why;
    legend.count += k == legend.count;
}

// The columns that a reason holds for, each reason once.
static void print_lacks(void)
{
    for (int first = 0; first < legend.count; first++) {
        const char *const why = legend.lacks[first].why;
        bool is_new = true;
        for (int k = 0; k < first; k++)
            is_new = is_new && legend.lacks[k].why != why;
        for (int k = first; is_new && k < legend.count; k++)
            if (legend.lacks[k].why == why)
                printf("%s\"%s\"", k == first ? "- under " : ", ", legend.lacks[k].name);
        if (is_new)
            printf(": %s\n", why);
    }
}

static void print_legend(const struct bench *bench)
{
    if (legend.has_estimates)
        printf("~: not run: estimated from a smaller row, because a step takes longer than %g s (--budget); "
               "such "
               "a row has no other figures%s\n",
               bench->budget_s, bench->model->parts ? ", and no times of stages" : "");
    print_lacks();
}

static void print_table(const struct bench *bench, const struct table *table)
{
    print_titles(bench, table);
    for (int r = 0; r < bench->row_count; r++) {
        char texts[COLUMNS_MAX][BENCH_LABEL_BYTES];
        const char *cells[COLUMNS_MAX];
        const struct bench_row *row = &bench->rows[r];
        bool has_own = false;
        if (!is_shown(bench, row, table->group))
            continue;
        for (int k = 0; k < table->count; k++) {
            format_cell(bench, row, table->columns[k], texts[k], sizeof texts[k]);
            cells[k] = texts[k][0] != '\0' ? texts[k] : "-";
            if (texts[k][0] == '\0')
                note_lack(row, table->columns[k]);
            has_own = has_own || (table->columns[k]->part == table->part && texts[k][0] != '\0');
        }
        legend.has_estimates = legend.has_estimates || !row->has_run;
        if (has_own)
            print_line(table, cells);
    }
}

static int count_titles(const char *const *titles)
{
    int count = 0;
    while (titles && titles[count])
        count++;
    return count > 0 ? count : 1;
}

static void print_rates(const struct bench *bench)
{
    for (int e = 0; e < bench->entry_count; e++) {
        const struct bench_entry *entry = &bench->entries[e];
        const bool is_again = bench_is_reference(entry) && bench_has_entry(bench, false); // the same memory
        if (entry->copy_bytes_per_s > 0 && !is_again)
            printf("copy rate %.1f GB/s (read + written) in the memory of %s\n",
                   entry->copy_bytes_per_s / 1e9, entry->label);
        for (int kind = 0; kind < 2; kind++)
            if (entry->arithmetic[kind].fma_per_s > 0)
                printf("arithmetic alone, %s, %s: %.4g Gfma/s, %.4g G inverse roots/s\n", entry->label,
                       kind == 0 ? "float" : "double", entry->arithmetic[kind].fma_per_s / 1e9,
                       entry->arithmetic[kind].rsqrt_per_s / 1e9);
        if (entry->draws_per_s > 0)
            printf("random words alone, %s: %.4g a nanosecond\n", entry->label, entry->draws_per_s / 1e9);
    }
}

static const char *host_instruction_set(const struct bench *bench)
{
    return backend_find(bench->model->backends, "openmp")->instruction_set();
}

void bench_print_tables(const struct bench *bench)
{
    const struct bench_model *model = bench->model;
    if (model->print_head)
        model->print_head(bench);
    legend.has_estimates = false;
    legend.count = 0;
    const int threads = omp_get_max_threads();
    printf("%d thread%s, instruction set %s; median of up to %d repetition%s%s\n", threads,
           threads == 1 ? "" : "s", host_instruction_set(bench), bench->repeat, bench->repeat == 1 ? "" : "s",
           bench->by_processor_time ? ", by processor time" : "");
    print_rates(bench);
    bench_ranks_print(bench);
    for (int part = 0; part < count_titles(model->parts); part++)
        for (int group = 0; group < count_titles(model->groups); group++) {
            struct table table = {.group = group, .part = part};
            if (choose_columns(bench, &table))
                print_table(bench, &table);
        }
    putchar('\n');
    print_legend(bench);
    if ((bench->tables & BENCH_TABLE_SIZES) && model->sizes)
        bench_print_crossovers(bench);
    if (model->print_foot && bench->ranks->count == 1)
        model->print_foot(bench);
    for (int k = 0; k < bench->note_count; k++)
        printf("%s\n", bench->notes[k]);
}

// ---- the report

// "error.rms" is the member rms of the object error.
static cJSON *object_of(cJSON *item, const char **key)
{
    char name[BENCH_LABEL_BYTES];
    const char *dot = strchr(*key, '.');
    if (!dot)
        return item;
    snprintf(name, sizeof name, "%.*s", (int)(dot - *key), *key);
    *key = dot + 1;
    cJSON *object = cJSON_GetObjectItemCaseSensitive(item, name);
    return object ? object : cJSON_AddObjectToObject(item, name);
}

static void add_figure(cJSON *item, const struct bench *bench, const struct bench_row *row,
                       const struct bench_column *column)
{
    char text[BENCH_TEXT_BYTES] = "";
    const char *key =
        column->text == get_kind && bench->model->kind_key ? bench->model->kind_key : column->key;
    const double value = column->text ? 0 : number_of(bench, row, column);
    if (column->text)
        column->text(bench, row, text, sizeof text);
    if (column->text ? text[0] == '\0' : isnan(value))
        return;
    cJSON *object = object_of(item, &key);
    if (column->text)
        cJSON_AddStringToObject(object, key, text);
    else if (column->is_flag)
        cJSON_AddBoolToObject(object, key, value != 0);
    else
        cJSON_AddNumberToObject(object, key, value);
}

// In each model under the same keys, besides those of the model's own columns.
static void add_size(cJSON *item, const struct bench *bench, const struct bench_row *row)
{
    cJSON *size = cJSON_AddArrayToObject(item, "size");
    for (int axis = 0; axis < BENCH_AXES && (axis < bench->model->axes || row->size[axis] > 1); axis++)
        cJSON_AddItemToArray(size, cJSON_CreateNumber((double)row->size[axis]));
    cJSON_AddNumberToObject(item, "copies", (double)row->copies);
}

static void add_rows(cJSON *report, const struct bench *bench)
{
    const struct bench_column *columns[COLUMNS_MAX];
    const int count = list_columns(bench, false, columns);
    cJSON *list = cJSON_AddArrayToObject(report, "rows");
    for (int r = 0; r < bench->row_count; r++) {
        const struct bench_row *row = &bench->rows[r];
        if (row->tables == 0 || !(row->time.step_ms > 0))
            continue;
        cJSON *item = json_append_object(list);
        for (int k = 0; k < count; k++)
            if (columns[k]->key)
                add_figure(item, bench, row, columns[k]);
        add_size(item, bench, row);
    }
}

static void add_rates(cJSON *report, const struct bench *bench)
{
    cJSON *copies = cJSON_AddObjectToObject(report, "copy_gb_s");
    cJSON *limits = cJSON_AddArrayToObject(report, "limits");
    cJSON *draws = cJSON_AddObjectToObject(report, "random_words_per_s");
    for (int e = 0; e < bench->entry_count; e++) {
        const struct bench_entry *entry = &bench->entries[e];
        if (entry->copy_bytes_per_s > 0)
            cJSON_AddNumberToObject(copies, entry->label, entry->copy_bytes_per_s / 1e9);
        if (entry->draws_per_s > 0)
            cJSON_AddNumberToObject(draws, entry->label, entry->draws_per_s);
        for (int kind = 0; kind < 2; kind++) {
            if (!(entry->arithmetic[kind].fma_per_s > 0))
                continue;
            cJSON *item = json_append_object(limits);
            cJSON_AddStringToObject(item, "backend", entry->label);
            cJSON_AddStringToObject(item, "precision", kind == 0 ? "float" : "double");
            cJSON_AddNumberToObject(item, "fma_per_s", entry->arithmetic[kind].fma_per_s);
            cJSON_AddNumberToObject(item, "rsqrt_per_s", entry->arithmetic[kind].rsqrt_per_s);
        }
    }
}

static void add_options(cJSON *report, const struct bench *bench)
{
    const struct bench_option *options = bench->model->options;
    for (int k = 0; options && options[k].name; k++) {
        const struct bench_option *option = &options[k];
        if (!option->key)
            continue;
        if (option->type == BENCH_SWITCH)
            cJSON_AddBoolToObject(report, option->key, bench->value[k] != 0);
        else if (option->type == BENCH_WORD)
            cJSON_AddStringToObject(report, option->key, option->words[(int)bench->value[k]]);
        else
            cJSON_AddNumberToObject(report, option->key, bench->value[k]);
    }
}

// The authors' figures: beside rows, or alone.
static enum status add_authors(cJSON *report, struct bench *bench)
{
    if (bench->tables & BENCH_TABLE_SOURCE)
        return bench_ladder_show(bench, report);
    if (bench->tables & BENCH_TABLE_SIZES)
        bench_ladder_report_peers(bench, report);
    else if (bench->tables & BENCH_TABLE_BLOCKS)
        bench_ladder_report_source(bench, report);
    return STATUS_OK;
}

static enum status fill_report(cJSON *report, struct bench *bench)
{
    cJSON_AddStringToObject(report, "model", bench->model->name);
    bench_report_machine(bench, report);
    cJSON_AddStringToObject(report, "instruction_set", host_instruction_set(bench));
    cJSON_AddNumberToObject(report, "repeat", bench->repeat);
    cJSON_AddNumberToObject(report, "budget_s", bench->budget_s);
    add_options(report, bench);
    add_rates(report, bench);
    bench_ranks_report(bench, report);
    if ((bench->tables & BENCH_TABLE_SIZES) && bench->model->sizes)
        bench_report_crossovers(bench, report);
    if (bench->model->report)
        bench->model->report(bench, report);
    CHECK(add_authors(report, bench));
    add_rows(report, bench);
    cJSON *notes = cJSON_AddArrayToObject(report, "notes");
    for (int k = 0; k < bench->note_count; k++)
        cJSON_AddItemToArray(notes, cJSON_CreateString(bench->notes[k]));
    return STATUS_OK;
}

enum status bench_print_report(struct bench *bench)
{
    cJSON *report = cJSON_CreateObject();
    const enum status status = fill_report(report, bench);
    char *text = status == STATUS_OK ? utf8_print_json(report) : NULL;
    cJSON_Delete(report);
    CHECK(status);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the results as JSON");
    puts(text);
    free(text);
    return STATUS_OK;
}
