// Tiles at the top of a report's page: a figure, its name, and a note. Internal to report/.
#ifndef FATHOM_REPORT_TILES_H
#define FATHOM_REPORT_TILES_H

#include "report/context.h"

#include <stdio.h>

void report_tile(FILE *page, const char *value, const char *label, const char *note);
// A position, which may take two lines.
void report_tile_place(FILE *page, const char *place, const char *label);
// A tile with a number, by a format; nothing if it is not finite.
void report_tile_number(FILE *page, const char *format, double value, const char *label, const char *note);
// A count, in millions from a million up.
void report_tile_count(FILE *page, double count, const char *label, const char *note);
// The model time of the run; nothing if it is 0.
void report_tile_duration(FILE *page, const struct report *report);
// The tiles that all models have: nodes, time to compute, rate, checks.
void report_tiles_of_run(FILE *page, const struct report *report);

// A computing time as text: milliseconds below a second, else as style_duration.
const char *report_tile_time(double time_s, char *text);
// 1 if a word of run.json means success, −1 failure, 0 neither.
int report_tile_verdict(const char *word);

#endif
