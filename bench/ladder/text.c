// See sheet.h: the tables as text. Columns are as wide as their rows need; figures that stand alone are put
// together in a line for each reason; remarks stand below their table, each once.
#include "bench/ladder/sheet.h"

#include <stdio.h>

enum { COLUMNS = 5, REMARKS_MAX = 26 };

void sheet_format_size(const long long *size, int axes, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int axis = 0; axis < axes && size[0] > 0 && used < bytes; axis++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%lld", axis > 0 ? "x" : "", size[axis]);
}

static void append(char *text, size_t bytes, const char *format, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, bytes - used, format, more);
}

// A chunk of one dimension on the processor is what a thread takes at a time, if its size was varied.
static void append_block(const struct ladder_rung *rung, const int *block, char *text, size_t bytes)
{
    const long long sizes[LADDER_AXES] = {block[0], block[1], block[2]};
    char shape[BENCH_LABEL_BYTES];
    if (block[0] == 0)
        return;
    if (!rung->is_device && block[1] * block[2] <= 1) {
        sheet_format_size(sizes, 1, shape, sizeof shape);
        append(text, bytes, rung->shapes ? ", %s at a time" : "", shape);
        return;
    }
    sheet_format_size(sizes, block[2] > 1 ? 3 : block[1] > 1 ? 2 : 1, shape, sizeof shape);
    append(text, bytes, ", blocks of %s", shape);
}

void sheet_describe_case(const struct sheet *sheet, const struct ladder_time *time, char *text, size_t bytes)
{
    const struct ladder_case *wanted = &time->wanted;
    sheet_format_size(wanted->size, sheet->model->axes, text, bytes);
    append(text, bytes, ", %s", wanted->precision == ELEMENT_F32 ? "float" : "double");
    if (time->rung->has_threads) {
        const size_t used = strlen(text);
        snprintf(text + used, bytes - used, ", %d thread%s", wanted->threads,
                 wanted->threads == 1 ? "" : "s");
    }
    append_block(time->rung, wanted->block, text, bytes);
}

// ---- remarks, (a) to (z)

struct remarks {
    int count;
    struct {
        const char *whose, *text;
    } list[REMARKS_MAX];
};

// Appends " (a)", the letter of the remark.
static void mark(struct remarks *remarks, const char *whose, const char *remark, char *text, size_t bytes)
{
    int k = 0;
    if (!remark || remark[0] == '\0')
        return;
    while (k < remarks->count &&
           (strcmp(remarks->list[k].text, remark) != 0 || strcmp(remarks->list[k].whose, whose) != 0))
        k++;
    if (k == REMARKS_MAX)
        return;
    remarks->list[k].whose = whose;
    remarks->list[k].text = remark;
    remarks->count += k == remarks->count;
    const char letter[2] = {(char)('a' + k), '\0'};
    append(text, bytes, " (%s)", letter);
}

static void mark_authors(struct remarks *remarks, const struct ladder_figure *figure, char *text,
                         size_t bytes)
{
    mark(remarks, "the author's", figure->differs, text, bytes);
}

static void print_remarks(const struct remarks *remarks)
{
    for (int k = 0; k < remarks->count; k++) {
        printf("(%c) ", 'a' + k);
        char text[SHEET_TEXT_BYTES];
        snprintf(text, sizeof text, "%s: %s", remarks->list[k].whose, remarks->list[k].text);
        bench_print_wrapped(text, 4, 4, SHEET_COLUMNS);
    }
}

// ---- rows with a figure of ours

struct line {
    char cells[COLUMNS][BENCH_TEXT_BYTES], what[BENCH_TEXT_BYTES];
};

static void format_number(double value, const char *format, char *text, size_t bytes)
{
    snprintf(text, bytes, "-");
    if (isfinite(value))
        snprintf(text, bytes, format, value);
}

static void format_value(const struct ladder_figure *figure, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s%s%.4g", figure->bound, figure->bound[0] ? " " : "", figure->value);
}

static void fill_line(struct sheet *sheet, enum ladder_measure measure, const struct ladder_figure *figure,
                      const struct sheet_cell *cell, struct remarks *remarks, struct line *line)
{
    enum { BYTES = sizeof line->cells[0] };
    snprintf(line->cells[0], BYTES, "%s", figure->rung);
    snprintf(line->cells[1], BYTES, "%s", figure->machine);
    format_value(figure, line->cells[2], BYTES);
    format_number(cell->ours, cell->is_estimate ? "~%.4g" : "%.4g", line->cells[3], BYTES);
    format_number(cell->ratio, "%.3g", line->cells[4], BYTES);
    snprintf(line->what, sizeof line->what, "%s%s", figure->stage, figure->stage[0] ? ", " : "");
    if (cell->time) {
        const size_t used = strlen(line->what);
        sheet_describe_case(sheet, cell->time, line->what + used, sizeof line->what - used);
        mark(remarks, "ours", cell->rung->differs, line->what, sizeof line->what);
    } else {
        snprintf(line->what, sizeof line->what, "%s", cell->row.what);
    }
    mark_authors(remarks, figure, line->what, sizeof line->what);
    sheet->has_estimates = sheet->has_estimates || cell->is_estimate;
    const bool is_time = measure == LADDER_TIME || measure == LADDER_FRAMES;
    sheet->has_other_sizes = sheet->has_other_sizes || (is_time && !isfinite(cell->ratio));
    sheet->has_ratios = sheet->has_ratios || isfinite(cell->ratio);
    sheet->has_no_ratios = sheet->has_no_ratios || (!is_time && !isfinite(cell->ratio));
}

static void print_stages(const struct sheet_cell *cell)
{
    if (!cell->time || !cell->time->has_run || !cell->rung->stages)
        return;
    for (int k = 0; cell->rung->stages[k]; k++)
        printf("%s%s %.0f %%", k > 0 ? ", " : "    of a step: ", cell->rung->stages[k],
               sheet_share_of(cell->time, cell->rung->stages[k]));
    printf("\n");
}

static void print_lines(const struct ladder_table *table, const struct sheet_cell *cells,
                        const struct line *lines)
{
    static const struct line head = {
        .cells = {"rung", "the author's machine", "the author's", "here", "ratio"},
        .what = "what was timed here"};
    int widths[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) {
        widths[c] = (int)strlen(head.cells[c]);
        for (int k = 0; k < table->row_count; k++)
            widths[c] = (int)fmax(widths[c], cells[k].why ? 0 : (double)strlen(lines[k].cells[c]));
    }
    for (int k = -1; k < table->row_count; k++) {
        const struct line *line = k < 0 ? &head : &lines[k];
        if (k >= 0 && cells[k].why)
            continue;
        printf("%-*s  %-*s  %*s  %*s  %*s  %s\n", widths[0], line->cells[0], widths[1], line->cells[1],
               widths[2], line->cells[2], widths[3], line->cells[3], widths[4], line->cells[4], line->what);
        if (k >= 0)
            print_stages(&cells[k]);
    }
}

// ---- the authors' figures that stand alone

static bool is_alike(const struct sheet_cell *a, const struct sheet_cell *b)
{
    return a->why && b->why && strcmp(a->why, b->why) == 0;
}

// "gpu-naive (8x8x8) 80 to 89", after the machine, where it is not that of the figure before.
static void append_figure(const struct ladder_figure *figure, const struct ladder_figure *before,
                          struct remarks *remarks, char *text, size_t bytes)
{
    const long long sizes[LADDER_AXES] = {figure->block[0], figure->block[1], figure->block[2]};
    char shape[BENCH_LABEL_BYTES], value[BENCH_LABEL_BYTES];
    const bool is_same = before && strcmp(before->machine, figure->machine) == 0;
    format_value(figure, value, sizeof value);
    sheet_format_size(sizes, sizes[2] > 1 ? 3 : 2, shape, sizeof shape);
    append(text, bytes, "%s", !before ? "" : is_same ? ", " : "; ");
    append(text, bytes, is_same ? "" : "%s: ", figure->machine);
    append(text, bytes, "%s", figure->rung);
    append(text, bytes, shape[0] ? " (%s)" : "", shape);
    append(text, bytes, figure->stage[0] ? " (%s)" : "", figure->stage);
    append(text, bytes, " %s", value);
    mark_authors(remarks, figure, text, bytes);
}

// Of the reason of the table's row `first`, if no row before it has the same.
static void print_alone(const struct ladder_table *table, const struct sheet_cell *cells, int first,
                        struct remarks *remarks)
{
    char text[SHEET_TEXT_BYTES];
    const struct ladder_figure *before = NULL;
    for (int k = 0; k < first; k++)
        if (is_alike(&cells[k], &cells[first]))
            return;
    snprintf(text, sizeof text, "not measured: %s. The author's: ", cells[first].why);
    for (int k = first; k < table->row_count; k++)
        if (is_alike(&cells[k], &cells[first])) {
            append_figure(&table->rows[k], before, remarks, text, sizeof text);
            before = &table->rows[k];
        }
    bench_print_wrapped(text, 0, 4, SHEET_COLUMNS);
}

// ---- the table

static void print_head(const struct sheet *sheet, const struct ladder_table *table)
{
    char size[BENCH_LABEL_BYTES];
    const char *volume = sheet->bench->model->volume;
    const char *precision = strcmp(table->precision, "single") == 0 ? "float" : table->precision;
    sheet_format_size(table->rows[0].size, sheet->model->axes, size, sizeof size);
    printf("\n%s: %s", table->place, table->quantity);
    if (strcmp(table->unit, "1") != 0)
        printf(" (%s)", table->unit);
    if (table->of[0])
        printf("; against the rung %s", table->of);
    if (size[0])
        printf("; %s%s%s%s", volume ? "" : "n = ", size, volume ? " " : "", volume ? volume : "");
    printf("%s%s\n", precision[0] ? "; " : "", precision);
}

void sheet_print_table(struct sheet *sheet, const struct ladder_table *table, const struct sheet_cell *cells)
{
    static struct line lines[LADDER_ROWS_MAX];
    struct remarks remarks = {0};
    int known = 0;
    print_head(sheet, table);
    for (int k = 0; k < table->row_count; k++)
        if (!cells[k].why) {
            fill_line(sheet, table->measure, &table->rows[k], &cells[k], &remarks, &lines[k]);
            known++;
        }
    if (known > 0)
        print_lines(table, cells, lines);
    for (int k = 0; k < table->row_count; k++)
        if (cells[k].why)
            print_alone(table, cells, k, &remarks);
    print_remarks(&remarks);
}

void sheet_print_legend(const struct sheet *sheet)
{
    const double longest_s = ladder_longest_s(sheet->bench), budget_s = sheet->bench->budget_s;
    if (sheet->has_estimates || sheet->has_ratios || sheet->has_other_sizes || sheet->has_no_ratios)
        printf("\n");
    if (sheet->has_ratios)
        printf("ratio: how many times as fast (or as good) it is here as on the author's machine\n");
    if (sheet->has_estimates && sheet->bench->model->find_ours)
        printf("~: not run: estimated from a smaller row, because a step takes longer than %g s (--budget)\n",
               budget_s);
    else if (sheet->has_estimates)
        printf("~: not run: estimated from a smaller size by the number of operations, because a step would "
               "take longer than %g s (%.0f times --budget)\n",
               longest_s, longest_s / budget_s);
    if (sheet->has_other_sizes)
        printf("ratio -: the size is not the author's, so the times are not compared\n");
    if (sheet->has_no_ratios)
        printf("ratio -: none of percentages, and of numbers of which neither a large nor a small one is "
               "better\n");
}
