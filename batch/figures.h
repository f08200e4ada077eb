// The main numbers of a run of a batch, from its run.json. Uses the keys that all models share. Independent
// of models.
#ifndef FATHOM_BATCH_FIGURES_H
#define FATHOM_BATCH_FIGURES_H

#include "batch/batch.h"

struct cJSON;

enum { BATCH_FIGURES_MAX = 96, BATCH_FIGURE_NAME_BYTES = 80, BATCH_FINDING_BYTES = 1536 };

struct batch_figure {
    // Path below run.json's `diagnostics`: `run.` extreme over all steps, `records.` over the records, `end.`
    // last record; `run.NAME.` of a nested grid.
    char name[BATCH_FIGURE_NAME_BYTES];
    double value; // finite, or +∞ (an infinite dose) of the whole run
};

// Verdict of a domain rule (for example ITRUSST limits), separate from the `check` block: "findings" of
// run.json.
enum batch_finding { BATCH_FINDING_NONE, BATCH_FINDING_PASSED, BATCH_FINDING_OPEN, BATCH_FINDING_EXCEEDED };

struct batch_figures {
    bool is_known;              // run.json could be read
    char verdict[32];           // of its checks: "passed", "failed", "not asked for"
    enum batch_finding finding; // the worst
    // Its rule and reason: "thermal safety (ITRUSST) EXCEEDED: brain: ..."; of all that are exceeded; "" =
    // none.
    char message[BATCH_FINDING_BYTES];
    size_t warnings; // number of texts in `warnings`
    size_t count;
    struct batch_figure figures[BATCH_FIGURES_MAX];
};

// Of a run that has ended, passed or failed by its check. For others is_known is false: their folder may hold
// files of an earlier run. A missing or damaged file only leaves is_known false.
void batch_figures_read_ended(const struct batch *batch, size_t run, struct batch_figures *figures);

// The run.json of such a run, which the caller deletes; NULL for runs of which batch_figures_read_ended reads
// nothing.
struct cJSON *batch_figures_document(const struct batch *batch, size_t run);

// The texts of its warnings, as a list that the caller deletes; NULL if there are none, and for runs of which
// batch_figures_read_ended reads nothing.
struct cJSON *batch_figures_warnings(const struct batch *batch, size_t run);

// Whether a domain rule is exceeded though no check failed.
bool batch_figures_exceed_only(const struct batch_figures *figures);

// The verdict of the checks as it is shown: "passed" alone only if no rule was exceeded. Returns `text`.
enum { BATCH_VERDICT_BYTES = 64 };
const char *batch_figures_verdict(const struct batch_figures *figures, char text[BATCH_VERDICT_BYTES]);

// The worst finding with its rule and reason, or "". Returns `text`.
const char *batch_finding_text(const struct batch *batch, size_t run, char text[BATCH_FINDING_BYTES]);

// Label for a figure: the run. prefix is dropped; records. becomes "… at the records", end. "… at the end".
const char *batch_figure_label(const char *name, char text[BATCH_FIGURE_NAME_BYTES]);
// Whether it is an extreme of the run: of every step, or of the records.
bool batch_figure_is_of_run(const char *name);
// Whether it belongs to a nested grid, "run.bay.max_eta_m".
bool batch_figure_is_nested(const char *name);
// Whether figure k is the first extreme over all steps of its grid.
bool batch_figure_is_first(const struct batch_figures *figures, size_t k);

// The value of that name, NaN if it is missing.
double batch_figures_find(const struct batch_figures *figures, const char *name);

#endif
