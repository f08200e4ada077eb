// The files that reports left in a run's folder: pages and pictures, listed in report.files.json, so that a
// run that replaces the results can remove what shows the earlier ones. Files that no report wrote are not in
// the list.
#ifndef FATHOM_REPORT_DRAWN_H
#define FATHOM_REPORT_DRAWN_H

#include "core/status.h"

struct report;

// Adds the pictures of a report, and its page if that is in the run's folder, to the list.
enum status report_drawn_note(const struct report *report, const char *page);

// Removes what is listed, and the list, and says so in the log.
enum status report_drawn_remove(const char *directory);
// Warns of a page that is still there.
void report_drawn_warn(const char *directory);

#endif
