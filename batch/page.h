// The page OUTPUT/index.html of a batch, and its parts (page*.c). The page is replaced as a whole, also while
// the batch runs.
#ifndef FATHOM_BATCH_PAGE_H
#define FATHOM_BATCH_PAGE_H

#include "batch/batch.h"
#include "batch/figures.h"

#include <stdio.h>

// Does nothing for an array element: `fathom batch --summary` writes the page for all elements.
enum status batch_page_write(const struct batch *batch);

// The runs of one entry of the queue with its sweep: first … last − 1.
struct batch_group {
    size_t first, last;
    char name[BATCH_NAME_MAX + 1]; // of the entry
};

// Writes the table of an entry's runs: the varied settings, the outcome, and the figures in which the runs
// differ. If `draws`, and if a single number was varied, a picture of these figures against that number comes
// first. Pictures are written to OUTPUT/_pictures.
enum { BATCH_PAGE_ROWS_MAX = 1000, BATCH_PAGE_FIGURES_MAX = 6 };
enum status batch_page_sweep(FILE *page, const struct batch *batch, const struct batch_group *group,
                             bool draws);

// Writes one picture of each passed run that has pictures, in the order of the queue, up to a limit of bytes.
void batch_page_pictures(FILE *page, const struct batch *batch);

// A cell's text. A short one (a number with its unit) stays on one line; a long one is wrapped.
void batch_page_text(FILE *page, const char *text);
// The settings in which the run differs from others of its entry, each value on one line; else the job's
// title.
void batch_page_label(FILE *page, const struct batch *batch, size_t run);
// A cell with the run's name, linked to its report or its folder.
void batch_page_name(FILE *page, const struct batch *batch, size_t run);
// "passed" alone, in green, only if nothing was exceeded and everything was judged.
void batch_page_state(FILE *page, const struct batch *batch, size_t run);
// "<td class=n>3 min 20 s</td>"
void batch_page_duration(FILE *page, double seconds);

#endif
