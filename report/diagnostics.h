// A picture of panels with the series of diagnostics.nc against time, in the unit of the model's files.
// Independent of the names of variables. Internal to report/.
#ifndef FATHOM_REPORT_DIAGNOSTICS_H
#define FATHOM_REPORT_DIAGNOSTICS_H

#include "report/context.h"

// One panel: up to three curves that share an axis. If there are two, their sum is added, unless the axis is
// logarithmic.
struct report_diagnostic {
    const char *title, *unit;
    const char *variables[3], *names[3]; // in the file; in the picture
    bool is_logarithmic;
    double factor; // from the file's unit to this
};

struct report_diagnostics {
    int section;
    const char *caption;
    const struct report_diagnostic *panels;
    size_t count;
    bool has_others; // also draws the other series of the file; false: only those of the panels
};
// Draws nothing if there is no series.
enum status report_draw_diagnostics(struct report *report, const struct report_diagnostics *wanted);

#endif
