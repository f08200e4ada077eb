// What `fathom bench MODEL --json` wrote, checked. Internal to report/timings/.
#ifndef FATHOM_REPORT_TIMINGS_READ_H
#define FATHOM_REPORT_TIMINGS_READ_H

#include "report/timings/chart.h"

#include <cjson/cJSON.h>

// How a model's benchmark names what it times.
struct timings_model {
    const char *name, *title;
    const char *counted;  // what a size is a number of; of a square: its side
    const char *rate_key; // of a row; its unit in the picture, and that in one of the key's
    const char *rate_name;
    double rate_scale;
    const char *kind_key; // of a row: its system; NULL: there is one
    bool is_square;       // the size is the side of a square, and sizes are drawn as sides
};

// A row of a table of rows. Numbers are above 0, or NaN where the row has none.
struct timings_row {
    const char *kind; // "": there is one
    const char *backend, *method;
    int backend_number;          // among the back ends of the file, from 0
    char name[CHART_TEXT_BYTES]; // back end, method, precision and the like: the same at every size
    char base[CHART_TEXT_BYTES]; // the same without the precision
    bool is_double, is_estimate;
    double size; // counted; of a square its side
    char size_text[CHART_TEXT_BYTES];
    double step_ms, rate, gb_s, flop_s, of_arithmetic;
    double threads, speed_up, efficiency;
};

struct timings_file {
    const char *path;
    cJSON *json;
    const struct timings_model *model;
    size_t row_count;
    struct timings_row *rows;
};

// A number of four digits, without an exponent from 0.001 to ten millions, after a word: "~2.5", "14260".
void timings_text_of(double value, const char *before, char text[96]);
// Adds a word to a text that has room for `bytes`, after a joint unless the text is empty or ends with a
// blank. Nothing, if the word is "".
void timings_append(char *text, size_t bytes, const char *joint, const char *word);
// With what it counts: "512 bodies"; of a square "L = 64".
void timings_counted(const struct timings_file *file, const char *size, char text[CHART_TEXT_BYTES]);

// Reads and checks. *file is to be freed by timings_free, even after a failure. STATUS_NO_INPUT,
// STATUS_DATA: it is not JSON, not of a benchmark, or a value is not as expected.
enum status timings_read(const char *path, struct timings_file *file);
void timings_free(struct timings_file *file);

// Of values in any object of the file; `where` as "tables[0].rows[2]". A number must be above 0, between
// 1e-30 and 1e30; where it is left out or null it is NaN, or a failure if it `is_needed`. A text must not be
// empty.
enum status timings_number(const struct timings_file *file, const char *where, const cJSON *object,
                           const char *key, bool is_needed, double *number);
// The same of any number of at most 1e30.
enum status timings_any_number(const struct timings_file *file, const char *where, const cJSON *object,
                               const char *key, double *number);
enum status timings_text(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, bool is_needed, const char **text);
// true or false; left out: false.
enum status timings_flag(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, bool *flag);
// A list of objects that is not empty.
enum status timings_list(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, const cJSON **list);
// A list that may be left out; NULL: the key is missing, or its value is no list.
const cJSON *timings_any_list(const cJSON *object, const char *key);
// A list of one to three whole numbers: their product, and as text "64 × 48".
enum status timings_size(const struct timings_file *file, const char *where, const cJSON *object,
                         const char *key, double *product, char text[CHART_TEXT_BYTES]);

// Likewise of a block of threads, without axes at the end that have one: "32 × 4".
enum status timings_block(const struct timings_file *file, const char *where, const cJSON *object,
                          const char *key, char text[CHART_TEXT_BYTES]);

#endif
