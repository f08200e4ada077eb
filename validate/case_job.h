// For cases: jobs made from a text or from one of the program's own, inputs for them, the run, and what it
// left. A job is run by the function of `fathom run`, in a separate process. Uses jobs and result
// files, and no model but the names of the keys that it is given.
#ifndef FATHOM_VALIDATE_CASE_JOB_H
#define FATHOM_VALIDATE_CASE_JOB_H

#include "validate/suite.h"

struct cJSON;
struct backend;
struct backend_list;

// ---- inputs

enum { CASE_VARIABLES_MAX = 4 };

// Evenly spaced nodes: first + k·spacing.
struct case_axis {
    size_t count;
    double first, spacing;
};
// The nodes' values; free. NULL without memory.
double *case_axis_values(const struct case_axis *axis);

// A grid of values, written to the case's folder as CF netCDF in double precision: x, y in m, or lon, lat in
// degrees, ascending; `value` is called with the variable's index.
struct case_grid {
    bool is_geographic;
    struct case_axis x, y;
    int variable_count;
    struct {
        const char *name, *unit, *positive; // positive: "up", "down" or NULL
    } variables[CASE_VARIABLES_MAX];
    const void *context;
    double (*value)(const void *context, int variable, double x, double y);
};
enum status case_write_grid(const struct validation_run *run, const char *name, const struct case_grid *grid);

// Writes a text (a fault table, a list of gauges) to the case's folder.
enum status case_write_text(const struct validation_run *run, const char *name, const char *text);

// A list of gauges on a plane, to the case's folder.
struct case_gauge {
    const char *name;
    double x_m, y_m;
};
enum status case_write_gauges(const struct validation_run *run, const char *file,
                              const struct case_gauge *gauges, size_t count);

// ---- jobs

// A job in the making. Its first failure stays in `status`, and what is set after it has no effect: only the
// run has to be checked. Free with case_job_free.
struct case_job {
    struct cJSON *json;
    enum status status;
};

// From JSON text; from a job among the program's data ("jobs/tohoku2011.json").
struct case_job case_job_parse(const char *text);
struct case_job case_job_read(const char *name);
void case_job_free(struct case_job *job);

// Sets a key ("domain.spacing") to a value given as JSON text, which is printed: "\"%g s\""; makes objects on
// the way.
void case_job_set(struct case_job *job, const char *key, const char *json, ...)
    __attribute__((format(printf, 3, 4)));
// To a text, which may hold any characters.
void case_job_set_text(struct case_job *job, const char *key, const char *text);
void case_job_remove(struct case_job *job, const char *key);

// Writes the job as NAME.json to the case's folder and runs it; its results are then in the folder NAME
// there. Back end and precision: given here, else the user's, else the job's; the method, if the job's is
// "muscl-hancock": the user's. Input files are looked for in
// the case's folder first. The run's messages go to NAME.txt. A run that ends with an error returns its
// status and its message.
enum status case_job_run(struct validation_run *run, struct case_job *job, const char *name,
                         const char *backend, const char *precision);
// The same, and frees the job.
enum status case_job_run_once(struct validation_run *run, struct case_job *job, const char *name,
                              const char *backend, const char *precision);

// The same in parts: each ends after `limit_s` of wall clock with a checkpoint, from which the next
// continues;
// *stops: how many ended so.
enum status case_job_run_in_parts(struct validation_run *run, struct case_job *job, const char *name,
                                  const char *backend, const char *precision, double limit_s, int *stops);

// Of a case about one back end: the user's name for it ("cuda:1"), or its own, and itself; NULL if it is not
// there or this machine cannot run it, and then the case is skipped with the reason.
enum status case_backend_chosen(struct validation_run *run, const struct backend_list *list,
                                const char **name, const struct backend **backend);

// The precisions that the user wants, of double and single in this order; NULL ends the list. All if the user
// named none.
const char *const *case_precisions(const struct validation_run *run);
bool case_precision_is_chosen(const struct validation_run *run, const char *precision);

// ---- results

// Path of a result: "NAME/gauges.nc" in the case's folder. Of the case's own folder if `file` is a plain
// name.
void case_path(const struct validation_run *run, const char *file, char path[PATH_BYTES]);

// A text or a number of a job's run.json ("backend", "timings.total_s"). Not there → STATUS_DATA.
enum status case_run_text(const struct validation_run *run, const char *name, const char *key, char *text,
                          size_t bytes);
enum status case_run_number(const struct validation_run *run, const char *name, const char *key,
                            double *number);

// "openmp (avx512), double, 1440 steps of 60 s": of a job, from its run.json.
enum status case_run_describe(const struct validation_run *run, const char *name, char *text, size_t bytes);

// The case's note: "WHAT; openmp (avx512), double, 1440 steps of 60 s", WHAT being printed.
enum status case_note(struct validation_run *run, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// One gauge's elevation.
struct case_series {
    size_t count;
    double *time_s, *value; // owned
};
void case_series_free(struct case_series *series);
enum status case_read_gauge(const struct validation_run *run, const char *name, const char *gauge,
                            struct case_series *series);
// The same of another file than gauges.nc, and the still depth at the gauge's node (NULL: not wanted).
enum status case_read_gauge_of(const struct validation_run *run, const char *name, const char *file,
                               const char *gauge, struct case_series *series, double *depth_m);

// All of a variable of a result file; `shape` gets up to 4 lengths. free(*values).
enum status case_read_variable(const struct validation_run *run, const char *name, const char *file,
                               const char *variable, double **values, size_t shape[4]);

// How many numbers of these variables of two jobs are not the same bits. The last one has no file.
struct case_variable {
    const char *file, *variable;
};
enum status case_count_differences(const struct validation_run *run, const char *one, const char *other,
                                   const struct case_variable *variables, double *count);

// Linear between samples; NaN outside.
double case_series_at(const struct case_series *series, double time_s);
// The largest value between two times, and when; both NaN if no time lies between them.
struct case_peak {
    double time_s, value;
};
struct case_peak case_series_peak(const struct case_series *series, double begin_s, double end_s);

// Adds the part between two times to a picture.
enum status case_series_draw(struct validation_run *run, struct validation_picture *picture, const char *name,
                             bool is_points, const struct case_series *series, double begin_s, double end_s);

#endif
