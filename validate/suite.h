// Suites of cases: what a case is given and what it returns. Every model adds its suites to registry.c; the
// runner (runner.h) and the display of results (the command line, write_results.h) use only this. Independent
// of models.
//
// A case runs jobs as a user would (case_job.h), compares the results with a reference whose source it
// names, and is judged by tolerances from one data file (tolerances.h). It runs in a separate process
// (isolate.h), whose death is a failed case and not the end of the others; that is why a record has fixed
// room and no pointers: it lies in memory that both processes share.
#ifndef FATHOM_VALIDATE_SUITE_H
#define FATHOM_VALIDATE_SUITE_H

#include "core/status.h"
#include "io/path.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    VALIDATION_NAME_BYTES = 128,
    VALIDATION_TEXT_BYTES = 512,
    VALIDATION_UNIT_BYTES = 32,
    VALIDATION_DIRECTORY_BYTES = PATH_BYTES - 512, // leaves room for the names of files in it
    VALIDATION_RESULTS_MAX = 64,
    VALIDATION_PICTURES_MAX = 16,
    VALIDATION_LINES_MAX = 8,
    VALIDATION_NUMBERS_MAX = 1 << 19, // of all lines of a case; memory is used only as needed
};

// How a number is compared with its reference.
enum validation_kind {
    VALIDATION_ABSOLUTE, // |computed − reference| ≤ tolerance, in the quantity's unit
    VALIDATION_RELATIVE, // |computed − reference| / |reference| ≤ tolerance
    VALIDATION_ORDER,    // computed ≥ tolerance: an order of convergence
    VALIDATION_RMS,      // computed is an rms difference, reference the range of what was observed:
                         // computed / reference ≤ tolerance
    VALIDATION_AT_LEAST, // computed ≥ tolerance, in the quantity's unit; the reference is what was observed
    VALIDATION_KINDS
};
const char *validation_kind_name(
    enum validation_kind kind); // "absolute", "relative", "order", "rms", "at-least"

// SHOWN: a result without a criterion, for the reader; no case has this verdict.
enum validation_verdict { VALIDATION_PASSED, VALIDATION_FAILED, VALIDATION_SKIPPED, VALIDATION_SHOWN };
// "passed", "failed", "skipped", "shown"
const char *validation_verdict_name(enum validation_verdict verdict);

struct validation_result {
    char quantity[VALIDATION_NAME_BYTES];
    char unit[VALIDATION_UNIT_BYTES];   // of computed, reference and, if absolute, error and tolerance
    char source[VALIDATION_TEXT_BYTES]; // where the reference comes from
    char tolerance_source[VALIDATION_TEXT_BYTES]; // where the tolerance comes from
    char reason[VALIDATION_TEXT_BYTES];           // of a failure or an omission, "" otherwise
    enum validation_kind kind;
    enum validation_verdict verdict;
    double computed, reference;
    // ABSOLUTE: computed − reference; RELATIVE: that divided by the reference; RMS: computed / reference;
    // ORDER, AT_LEAST: what is missing.
    double error;
    double tolerance;
};

// A line or points: numbers[first], … are x0, y0, x1, y1, …, `count` pairs; NaN interrupts a line.
struct validation_line {
    char name[VALIDATION_NAME_BYTES];
    bool is_points; // usually for a reference; false: a line
    size_t first, count;
};

struct validation_picture {
    char title[VALIDATION_NAME_BYTES], x_label[VALIDATION_NAME_BYTES], y_label[VALIDATION_NAME_BYTES];
    char caption[VALIDATION_TEXT_BYTES];
    bool is_logarithmic; // both axes; what is not positive is left out
    bool is_map;         // x and y are positions: on one scale, and every point is drawn
    int line_count;
    struct validation_line lines[VALIDATION_LINES_MAX];
};

struct validation_record {
    enum validation_verdict verdict;
    char reason[2 * VALIDATION_TEXT_BYTES]; // of a failure outside the results, or why it was skipped
    char note[VALIDATION_TEXT_BYTES];       // what was run: grid, step, back end
    double seconds;                         // wall clock
    int result_count, picture_count;
    struct validation_result results[VALIDATION_RESULTS_MAX];
    struct validation_picture pictures[VALIDATION_PICTURES_MAX];
    size_t number_count;
    double numbers[VALIDATION_NUMBERS_MAX];
};

struct validation_run;

typedef enum status validation_case_function(struct validation_run *run);

struct validation_case {
    const char *name;    // "okada-table2": small letters, digits, hyphens
    const char *summary; // one line
    const char *source;  // of what it is compared with
    // Files without which the case is skipped: of the benchmark data, relative to their folder; and inputs
    // that io/path.h finds. NULL-terminated; NULL = none.
    const char *const *benchmark_files, *const *input_files;
    const char *backend; // the only back end of the case, skipped if the user names another; NULL = any
    bool is_double;      // its tolerances are those of double precision: skipped if the user asks for single
    // Fills in run->record through the functions below. If it fails, the case has failed.
    validation_case_function *run;
    const void *context; // the case's own
};

struct validation_suite {
    const char *name, *summary;
    const struct validation_case *cases;
    int case_count;
    bool takes_method; // its jobs run by the method that the user names; else its cases are skipped then
};

// The program that validates itself: what `fathom run` calls.
struct validation_program {
    int (*command_run)(int argc, char **argv);
};

struct tolerance_table;

// The input of a case.
struct validation_run {
    const struct validation_suite *suite;
    const struct validation_case *validation_case;
    const char *backend, *precision;            // named by the user; NULL = as in the case or the job
    const char *method;                         // the same, of jobs of suites that take a method
    bool method_floods;                         // it moves the shore
    const char *data_directory;                 // of the benchmark files; NULL = none
    bool is_full;                               // a case with a short and a full size uses the full one
    char directory[VALIDATION_DIRECTORY_BYTES]; // the case's own, fresh
    const struct validation_program *program;
    const struct tolerance_table *tolerances;
    struct validation_record *record;
};

// A number and its reference.
struct validation_measure {
    const char *quantity, *unit; // unit "1": a pure number
    double computed, reference;
    const char *source;    // of the reference
    const char *tolerance; // its name in the file of tolerances, after "SUITE/"
    // Absolute tolerances only: the file's value times `scale` (0 = 1) plus `allowance`, in the quantity's
    // unit; e.g. 3 % of a travel time, and a sampling interval. With a scale the file's unit is "1".
    double scale, allowance;
};

// Adds a result and judges it. A non-finite number has failed. A tolerance that is not in the file,
// or in another unit → STATUS_DATA, naming it. Too many results → STATUS_SOFTWARE.
enum status validation_measure(struct validation_run *run, const struct validation_measure *measure);

// Adds a result like validation_measure, without scale and allowance; the quantity is a format. tolerance
// NULL: there is no criterion, and the result is only shown with its reference (NaN: none) and its relative
// error.
enum status validation_compare(struct validation_run *run, const char *tolerance, const char *unit,
                               const char *source, double computed, double reference, const char *quantity,
                               ...) __attribute__((format(printf, 7, 8)));

// Adds a result that could not be computed, with the reason.
enum status validation_leave_out(struct validation_run *run, const char *quantity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Marks the case as skipped, with the reason; the case then returns STATUS_OK. The first reason is kept.
void validation_skip(struct validation_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Sets the case's note: what was run, in a line for the page and the files.
void validation_note(struct validation_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The path of a benchmark file (run->data_directory must be set: the case lists the file).
void validation_benchmark_path(const struct validation_run *run, const char *name, char path[PATH_BYTES]);

// Adds a picture, and a line to it. STATUS_SOFTWARE if there is no more room.
enum status validation_picture(struct validation_run *run, const char *title, const char *x_label,
                               const char *y_label, const char *caption, struct validation_picture **picture);
enum status validation_line(struct validation_run *run, struct validation_picture *picture, const char *name,
                            bool is_points, const double *x, const double *y, size_t count);
// Adds a line over x = first + k·spacing.
enum status validation_line_even(struct validation_run *run, struct validation_picture *picture,
                                 const char *name, bool is_points, double first, double spacing,
                                 const double *y, size_t count);

// Counts the results with this verdict.
int validation_count(const struct validation_record *record, enum validation_verdict verdict);

// ---- The suites that this program has (registry.c).

int validation_suite_count(void);
const struct validation_suite *validation_suite_at(int index); // NULL beyond the last
// Adds a suite (tests). It must outlive the program's validations. At most a few.
void validation_register(const struct validation_suite *suite);

#endif
