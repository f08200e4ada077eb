// Slips of unit sources: written by `fathom invert`, read by `fathom combine`, and the same as a job's
// source.sift.slips. As JSON:
//
//   {"fathom_slips": 1, "title": "...", "comment": "...", "slips": {"kisza26": 26.31, "kiszb25": 12.23},
//   "fit": {...}}
//
// fathom_slips and slips are required; slips in metres; "fit" is the inversion's own report and is not read
// here, except what it did to the waves that the slips scale.
// As text on a command line: "kisza26=26.31,kiszb25=12.23". Independent of databases.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_SLIPS_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_SLIPS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

enum { SLIPS_NAME_BYTES = 64, SLIPS_MAX = 1024 };
#define SLIPS_LARGEST_M 1000.0 // as a job's source.sift.slips: -1000 … 1000

struct slip {
    char name[SLIPS_NAME_BYTES];
    double slip_m;
};

struct slip_list {
    struct slip *slips; // owned
    size_t count;       // ≥ 1
    // Of the fit that the slips come from; all 0 without one.
    double far_field_depth_m; // > 0: the waves were corrected for the far field (far_field.h)
    double delay_s;           // of all waves after the event
    bool has_shifts;          // some station has a shift of its own
};

// Reads such a file. STATUS_NO_INPUT: cannot be opened. STATUS_DATA: no JSON, another form, an unknown key
// (the nearest known one is named), no slips, a fit whose depth, delay
// or shift is no finite number, a slip that is no finite number within ±SLIPS_LARGEST_M, a name
// twice or too long, more than SLIPS_MAX.
enum status slips_read(const char *path, struct slip_list *list);

// The same from "NAME=SLIP,NAME=SLIP,..."; `about` begins the messages ("--slips"). STATUS_USAGE.
enum status slips_parse(const char *text, const char *about, struct slip_list *list);

// The value of an option that takes either: with a "=" the text itself, else a file (io/path.h, path_find).
enum status slips_take(const char *text, const char *about, struct slip_list *list);

// Writes such a file: under another name, synced, renamed. `title` and `fit` may be NULL; `fit` stays the
// caller's. STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM.
enum status slips_write(const char *path, const struct slip_list *list, const char *title,
                        const struct cJSON *fit);

void slips_free(struct slip_list *list); // all zero is fine

#endif
