// The parts of a report's page that all models share. Internal to report/.
#ifndef FATHOM_REPORT_PAGE_H
#define FATHOM_REPORT_PAGE_H

#include "report/context.h"

#include <stdio.h>

// run.c: a summary of the run, and the rest of run.json in blocks that the reader can open.
void report_page_run(FILE *page, const struct report *report);
// Writes a row of the summary; writes nothing if the text is empty.
void report_page_row(FILE *page, const char *name, const char *text);
// The date from which the model time counts, "2011-03-11 05:46:24 UTC"; false: the files have none.
bool report_page_origin(const struct report *report, char *text, size_t bytes);
// The same in s since 1970-01-01 UTC; false: none, or it is given in another time zone.
bool report_page_epoch(const struct report *report, double *epoch_s);
// Tells it to the page's script.
void report_page_tell_epoch(struct report *report);
// A time of the model as the time of day, "<time …>11 Mar 07:08 UTC</time>", between `before` and `after`;
// nothing if there is no origin or the time is not finite. The page's script shows it in other time zones.
void report_page_clock(FILE *page, const struct report *report, double time_s, const char *before,
                       const char *after);

// values.c: writes a name of run.json as text ("step_s" → "Step"); a value, with the unit from the end of its
// name; an object or a list as a block with a heading. Writes nothing for NULL.
void report_page_name(FILE *page, const char *name);
// `in_mm`: lengths in mm, volumes in mm³ or cm³, in place of m and m³.
void report_page_value(FILE *page, const char *name, const cJSON *value, bool in_mm);
void report_page_block(FILE *page, const char *title, const cJSON *value, bool in_mm);

// tables.c: a table with headings; <br> in a heading breaks its line. `begin` leaves <tbody> open; `end`
// closes the table, and writes `note` (HTML) under it if it is not NULL.
void report_table_begin(FILE *page, const char *const *headings, size_t count);
void report_table_end(FILE *page, const char *note);
// Begins a row and writes its first cell; `under`: text in small type below it, "" for none.
void report_table_row(FILE *page, const char *text, const char *under);
void report_table_cell(FILE *page, const char *text, const char *under);
// A cell by a format; "–" if `value`, its first number, is not finite.
void report_table_number(FILE *page, const char *format, double value);

// tables.c: the same table, whose rows the page's script sorts by any column. A cell has a key, by which it
// is sorted (not finite: last), and a text; report_table_time also the time of day, if the run has an
// origin.
void report_table_sortable(FILE *page, const char *const *headings, size_t count);
void report_table_value(FILE *page, double key, const char *text, const char *under);
void report_table_time(FILE *page, const struct report *report, double time_s, const char *text);

// stages.c: writes the stage times of a run ("phases" in run.json), if it has any, per step and as fractions
// of their sum.
void report_page_stages(FILE *page, const struct report *report);

#endif
