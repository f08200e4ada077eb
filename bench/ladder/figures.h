// The authors' figures, with their places: data/ladders/MODEL.json.
//
//     {"source": {"authors": TEXT, "year": NUMBER, "title": TEXT},
//      "tables": [{"id": "table-2", "place": "table 2", "quantity": "time of a step", "unit": "s",
//                  "measures": "time", "steps": 1, "of": RUNG, "of_threads": N, "grid": [2581, 2879],
//                  "precision": "double", "not_measured": WHY,
//                  "rows": [{"rung": NAME, "machine": TEXT, "value": NUMBER, "bound": "at most",
//                            "differs": TEXT, "grid": [...], "block": [...], "threads": N,
//                            "stage": NAME}]}]}
//
// A table's steps, of, of_threads, grid, precision, measures and not_measured may be left out, and all of a
// row but rung, machine and value. "part_of_step": true says that the rows are parts of a step, not steps.
// "not_measured" is printed in place of our figures where "measures" is "nothing".
#ifndef FATHOM_BENCH_LADDER_FIGURES_H
#define FATHOM_BENCH_LADDER_FIGURES_H

#include "bench/ladder/ladder.h"

struct cJSON;

enum { LADDER_ROWS_MAX = 200 }; // of a table, and tables of a file

// How a figure follows from the time of a step; if left out, by the unit.
enum ladder_measure {
    LADDER_TIME,       // of `steps` steps, in "s", "ms", "us" or "min"
    LADDER_OPERATIONS, // "GFLOP/s"
    LADDER_BYTES,      // "GB/s"
    LADDER_RATE,       // the model's work, in "1/s", "M/s", "G/s" or "1/ns"
    LADDER_SPEED_UP,   // times faster than the rung `of`, "1"
    LADDER_SAVING,     // of the time of the rung `of`, "%"
    LADDER_MORE,       // than the time of the rung `of`, "%"
    LADDER_FRAMES,     // steps in a second, "frames/s"
    LADDER_SHARE,      // of the rows' `stage` in the time of a step, "%"
    LADDER_NOTHING     // shown, but not measured
};

struct ladder_figure {
    const char *rung, *machine;
    const char *bound;           // "at most", "about"; "": the value is as the author gives it
    const char *differs;         // in what the author's program is not the rung; "": nothing is known
    const char *stage;           // the rung's, of a share; else ""
    double value;                // in the table's unit
    long long size[LADDER_AXES]; // of the author; a first 0: not known
    int block[LADDER_AXES];      // a first 0: the rung's
    int threads;                 // 0: not said
};

struct ladder_table {
    const char *id, *place, *quantity, *unit, *precision, *of;
    const char *why; // it is not measured; "": not said
    int of_threads;  // of the rung `of`; 0: as many as the row's
    enum ladder_measure measure;
    double unit_scale; // seconds, or 1/second, of one of the unit
    bool is_part;
    int steps, row_count;
    struct ladder_figure *rows;
};

struct ladder_figures {
    const char *authors, *title;
    int year, table_count;
    struct ladder_table *tables;
    struct cJSON *json; // owns the texts
};

// Reads the file; *figures is to be freed by ladder_figures_free, even after a failure. STATUS_NO_INPUT: it
// is not there; STATUS_DATA: it is not as above, with the place in the file.
enum status ladder_figures_read(const char *path, struct ladder_figures *figures);
void ladder_figures_free(struct ladder_figures *figures);

#endif
