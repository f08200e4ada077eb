// The live table of a batch: on a terminal redrawn at most ten times a second; elsewhere a line for each run
// that ends. And its text, without terminal or clock, for table.c and its test.
#ifndef FATHOM_BATCH_TABLE_H
#define FATHOM_BATCH_TABLE_H

#include "batch/batch.h"

void batch_table_open(bool is_quiet);
void batch_table_draw(const struct batch *batch); // call it as often as convenient
void batch_table_ended(const struct batch *batch, size_t run);
void batch_table_close(const struct batch *batch); // the last table, and the counts

enum { BATCH_TABLE_FAILURES = 8, BATCH_TABLE_COLUMNS_MAX = 400, BATCH_TABLE_ROWS_MAX = 200 };

struct batch_table_view {
    size_t columns, rows; // at most; a line for each of the first running ones that fit
    bool is_utf8;
    double now_s; // as clock_now_s
    int cores;    // that the batch may use
    // Runs whose attempts failed, the last one last.
    size_t failures[BATCH_TABLE_FAILURES], failure_count;
};

// Lines, each ended by a line feed, at most view->rows of at most view->columns columns, without control
// characters. Returns their number.
size_t batch_table_format(const struct batch *batch, const struct batch_table_view *view, char *text,
                          size_t bytes);

// "12 of 40 done, 3 running, 24 waiting, 1 failed; 1 h 05 min, about 2 h left". Returns `text`.
char *batch_table_format_counts(const struct batch *batch, double now_s, char *text, size_t bytes);

// Estimated time until all is done, NaN if unknown: from the mean time of passed runs and the remaining times
// of running ones, at the present number of runs at a time.
double batch_table_remaining_s(const struct batch *batch, double now_s);

#endif
