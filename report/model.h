// The interface of a model's report: one struct report_model, in report/<model>/report.c. registry.c lists
// all of them; it is the only file of report/ outside report/<model>/ that names a model.
#ifndef FATHOM_REPORT_MODEL_H
#define FATHOM_REPORT_MODEL_H

#include "report/context.h"

#include <stdio.h>

// A section of the page: a heading, an optional table, and the pictures that name this section.
struct report_section {
    const char *heading;
    // (optional) whether the section is shown; NULL: if it has pictures.
    bool (*is_shown)(const struct report *report);
    void (*table)(FILE *page, const struct report *report); // (optional) before the pictures
    const char *web; // (optional) the id of the map or series of report->web that is shown here, first
};

// A part of a step whose time run.json has under "phases".
struct report_stage {
    const char *key, *text;
};

struct report_model {
    const char *name;                 // as in run.json
    const char *const *files;         // (optional) its own result files, NULL at the end; one suffices
    const struct result_units *units; // (optional) of the variables that it draws; others are converted
    // (optional) whether the files are this model's, if run.json is missing.
    bool (*recognise)(const struct report *report);
    size_t state_bytes;                             // of report->state, which is zero at first
    bool draws_several;                             // can draw several runs together
    bool draws_beside;                              // can draw another run beside this one (--beside)
    bool has_far_field;                             // its series may cross an ocean (--far-field)
    bool has_scale;                                 // takes a fixed scale of its colours (--scale)
    bool has_animation;                             // can draw its frames as an animation (--animation)
    bool has_anatomy;                               // can lie over an anatomical image (--anatomy)
    bool has_small_lengths;                         // its lengths are shown in mm
    bool has_volumes;                               // `web` has something to show without libraries, too
    enum status (*pictures)(struct report *report); // reads the results and draws
    // (optional) adds "maps", "charts", "volumes" and "origin_s" for the page's script to report->web, and
    // marks the pictures that they replace. Called after `pictures`, if the page has a library that draws
    // them, or has_volumes is set.
    enum status (*web)(struct report *report, bool has_maps, bool has_charts);
    const struct report_section *sections; // in the page's order; a heading of NULL ends the list
    const struct report_stage *stages;     // (optional) a key of NULL ends the list
    void (*figures)(FILE *page, const struct report *report); // the tiles at the top of the page
    void (*summary)(FILE *page, const struct report *report); // (optional) its rows of the summary
    void (*json)(cJSON *root, const struct report *report);   // the figures for programs
    void (*release)(struct report *report);                   // (optional) frees what the state owns
};

// registry.c — ends with NULL. Results that no other model recognises belong to the last model of the list.
extern const struct report_model *const report_models[];

#endif
