// The main numbers of a run that a batch made, out of its run.json. Knows the keys that all models' files
// share, no model.
#ifndef FATHOM_CLI_BATCH_FIGURES_H
#define FATHOM_CLI_BATCH_FIGURES_H

#include "cli/batch.h"

enum { BATCH_FIGURES_MAX = 48, BATCH_FIGURE_NAME_BYTES = 80 };

struct batch_figure {
    char name[BATCH_FIGURE_NAME_BYTES]; // "end.energy_total": keys of "diagnostics", as they stand there
    double value;                       // finite
};

struct batch_figures {
    bool is_there;    // run.json could be read
    char verdict[32]; // of its checks: "passed", "failed", "not asked for"
    size_t count;
    struct batch_figure figures[BATCH_FIGURES_MAX];
};

// Of the run's folder; what is missing or damaged only leaves is_there false.
void batch_figures_read(const struct batch *batch, size_t run, struct batch_figures *figures);

// The value of that name, NaN if there is none.
double batch_figures_find(const struct batch_figures *figures, const char *name);

#endif
