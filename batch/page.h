// Parts of a batch's page. Only for page*.c.
#ifndef FATHOM_BATCH_PAGE_H
#define FATHOM_BATCH_PAGE_H

#include "batch/batch.h"
#include "batch/figures.h"

#include <stdio.h>

// Runs first … last − 1: one entry of the queue with its sweep.
struct batch_group {
    size_t first, last;
    char name[BATCH_NAME_MAX + 1]; // of the entry
};

// The table of an entry's runs: what was varied, how it went, and the figures in which the runs differ;
// before it, if `draws`, a picture of these figures against the varied setting, if a single number was
// varied. Pictures go to OUTPUT/_pictures.
enum { BATCH_PAGE_ROWS_MAX = 1000, BATCH_PAGE_FIGURES_MAX = 6 };
enum status batch_page_sweep(FILE *page, const struct batch *batch, const struct batch_group *group,
                             bool draws);

// One picture of each passed run that has some, in the order of the queue, as long as there is room on the
// page.
void batch_page_pictures(FILE *page, const struct batch *batch);

// A cell's text. A short one (a number with its unit) stays on one line; a long one is wrapped.
void batch_page_text(FILE *page, const char *text);
// The settings in which the run differs from others of its entry, each value on one line; nothing if it has
// none.
void batch_page_settings(FILE *page, const struct batch_job *job);
// A cell with the run's name, linked to its report or its folder.
void batch_page_name(FILE *page, const struct batch *batch, size_t run);
// "passed" alone, in green, only where nothing was exceeded and nothing is left to be judged.
void batch_page_state(FILE *page, const struct batch *batch, size_t run);
// "<td class=n>3 min 20 s</td>"
void batch_page_duration(FILE *page, double seconds);

#endif
