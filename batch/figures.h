// The main numbers of a run of a batch, from its run.json. Knows the keys that all models share, no model.
#ifndef FATHOM_BATCH_FIGURES_H
#define FATHOM_BATCH_FIGURES_H

#include "batch/batch.h"

enum { BATCH_FIGURES_MAX = 96, BATCH_FIGURE_NAME_BYTES = 80, BATCH_FINDING_BYTES = 768 };

struct batch_figure {
    // Keys of "diagnostics": "run.max_speed_m_s" of every step, "records.courant" of all
    // records, "end.energy_total" of the last one; and "run.bay.max_speed_m_s" of the nested grid "bay".
    char name[BATCH_FIGURE_NAME_BYTES];
    double value; // finite, or +∞ (an infinite dose) of the whole run
};

// The verdict of a rule of the model's field, beside the run's checks ("findings" of run.json).
enum batch_finding { BATCH_FINDING_NONE, BATCH_FINDING_PASSED, BATCH_FINDING_OPEN, BATCH_FINDING_EXCEEDED };

struct batch_figures {
    bool is_there;              // run.json could be read
    char verdict[32];           // of its checks: "passed", "failed", "not asked for"
    enum batch_finding finding; // the worst
    // Its rule and reason: "thermal safety (ITRUSST) EXCEEDED: brain: ..."; "" = none.
    char message[BATCH_FINDING_BYTES];
    size_t count;
    struct batch_figure figures[BATCH_FIGURES_MAX];
};

// Of a run that has ended, passed or failed by its check. For others is_there is false: their folder may hold
// files of an earlier run. A missing or damaged file only leaves is_there false.
void batch_figures_read_ended(const struct batch *batch, size_t run, struct batch_figures *figures);

// The worst finding with its rule and reason, or "". Returns `text`.
const char *batch_finding(const struct batch *batch, size_t run, char text[BATCH_FINDING_BYTES]);

// Name of a figure as a label: "max_speed_m_s" of the whole run, "courant at the records", "energy_total at
// the end".
const char *batch_figure_label(const char *name, char text[BATCH_FIGURE_NAME_BYTES]);
// Whether it is an extreme of the run: of every step, or of the records.
bool batch_figure_is_of_run(const char *name);

// The value of that name, NaN if it is missing.
double batch_figures_find(const struct batch_figures *figures, const char *name);

#endif
