// What `fathom bench MODEL --table source|blocks` shows: the authors' figures with ours in their place
// (tables.c), and as text (text.c).
#ifndef FATHOM_BENCH_LADDER_SHEET_H
#define FATHOM_BENCH_LADDER_SHEET_H

#include "bench/bench.h"
#include "bench/ladder/figures.h"
#include "bench/ladder/time.h"

enum { SHEET_COLUMNS = 100, SHEET_TEXT_BYTES = 8192 }; // of lines that are wrapped; of a text

struct sheet {
    struct bench *bench;
    const struct ladder_model *model;
    struct ladder_figures figures;
    struct cJSON *report; // NULL: text is printed
    // What the text has shown, for the legend below it.
    bool has_estimates, has_other_sizes, has_ratios, has_no_ratios;
};

// Ours in place of one of the authors' figures.
struct sheet_cell {
    const struct ladder_rung *rung; // NULL: no rung has this name
    const struct ladder_time *time; // NULL: not timed
    struct bench_figure row;        // of a model whose own rows are the rungs
    double ours, ratio;             // in the table's unit, and times better than the author's; NaN: not known
    bool is_estimate;
    const char *why; // ours is not known; NULL: it is
};

// Percent of all stages' time that a stage takes; NaN: not known.
double sheet_share_of(const struct ladder_time *time, const char *stage);
// "2581x2879"; a first 0: "".
void sheet_format_size(const long long *size, int axes, char *text, size_t bytes);
// "16384, float, 2 threads, blocks of 256x1024".
void sheet_describe_case(const struct sheet *sheet, const struct ladder_time *time, char *text, size_t bytes);
// The table with one cell for each of its rows.
void sheet_print_table(struct sheet *sheet, const struct ladder_table *table, const struct sheet_cell *cells);
// Below all tables: what ~ and - mean, if they are there.
void sheet_print_legend(const struct sheet *sheet);

#endif
