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
// Returns the nodes' values, which the caller frees; NULL: out of memory.
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

struct case_gauge {
    const char *name;
    double x_m, y_m;
};
// Writes a list of gauges on a plane to the case's folder.
enum status case_write_gauges(const struct validation_run *run, const char *file,
                              const struct case_gauge *gauges, size_t count);

// ---- jobs

// A job in the making. Its first failure stays in `status`, and what is set after it has no effect: only the
// run has to be checked. Free with case_job_free.
struct case_job {
    struct cJSON *json;
    enum status status;
};

struct case_job case_job_parse(const char *text); // from JSON text
struct case_job case_job_read(const char *name);  // from the program's data: "jobs/tohoku2011.json"
void case_job_free(struct case_job *job);

// Sets a key ("domain.spacing") to a value given as JSON text, which is printed: "\"%g s\""; makes objects on
// the way.
void case_job_set(struct case_job *job, const char *key, const char *json, ...)
    __attribute__((format(printf, 3, 4)));
// Sets a key to a text, which may contain any characters.
void case_job_set_text(struct case_job *job, const char *key, const char *text);
void case_job_remove(struct case_job *job, const char *key);

// Writes the job as NAME.json to the case's folder and runs it; its results are then in the folder NAME
// there. Back end and precision: given here, else the user's, else the job's. The user's method, if any,
// is that of the grids whose shore moves ("muscl-hancock") if it moves the shore, else that of the job; the
// case is skipped where it needs a moving shore and the method has none. Input files are looked for in
// the case's folder first. The run's messages go to NAME.txt. A run that ends with an error returns its
// status and its message.
enum status case_job_run(struct validation_run *run, struct case_job *job, const char *name,
                         const char *backend, const char *precision);
// Calls case_job_run and frees the job.
enum status case_job_run_once(struct validation_run *run, struct case_job *job, const char *name,
                              const char *backend, const char *precision);

// Runs the job like case_job_run, but stops it after `limit_s` of wall clock (from the program's start, at
// least one step) and resumes it from its checkpoint, each time with a limit half as long again. *stops: the
// number of stops.
enum status case_job_run_in_legs(struct validation_run *run, struct case_job *job, const char *name,
                                 const char *backend, const char *precision, double limit_s, int *stops);

// Finds the back end of a case about one back end. *name: the user's name for it ("cuda:1"), else the case's.
// *backend is NULL if it does not exist or this machine cannot run it; the case is then skipped with the
// reason.
enum status case_backend_chosen(struct validation_run *run, const struct backend_list *list,
                                const char **name, const struct backend **backend);

// Returns the requested precisions, in the order double, single, ended by NULL; both if the user named none.
const char *const *case_precisions(const struct validation_run *run);
bool case_precision_is_chosen(const struct validation_run *run, const char *precision);
// Whether a case that has two sizes runs the full one: with --full, and on a GPU.
bool case_is_full(const struct validation_run *run);

// ---- results

// Returns the path of a result, "NAME/gauges.nc", or of another file in the case's folder.
void case_path(const struct validation_run *run, const char *file, char path[PATH_BYTES]);

// Reads a text or a number of a job's run.json ("backend", "timings.total_s"). STATUS_DATA if it is missing.
enum status case_run_text(const struct validation_run *run, const char *name, const char *key, char *text,
                          size_t bytes);
enum status case_run_number(const struct validation_run *run, const char *name, const char *key,
                            double *number);

// Describes a run from its run.json: "openmp (avx512), vtcs2-o2, double, 1440 steps of 60
// s".
enum status case_run_describe(const struct validation_run *run, const char *name, char *text, size_t bytes);

// Sets the case's note: "WHAT; openmp (avx512), double, 1440 steps of 60 s", WHAT being the format's text.
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
// Reads a gauge from another file than gauges.nc, and the still depth at its node (NULL: not wanted).
enum status case_read_gauge_of(const struct validation_run *run, const char *name, const char *file,
                               const char *gauge, struct case_series *series, double *depth_m);

// Reads a whole variable of a result file; `shape` receives up to 4 lengths. The caller frees *values.
enum status case_read_variable(const struct validation_run *run, const char *name, const char *file,
                               const char *variable, double **values, size_t shape[4]);

// Counts the numbers whose bits differ between two jobs. The list of variables ends with a NULL file.
struct case_variable {
    const char *file, *variable;
};
enum status case_count_differences(const struct validation_run *run, const char *one, const char *other,
                                   const struct case_variable *variables, double *count);

// Interpolates linearly between samples; NaN outside.
double case_series_at(const struct case_series *series, double time_s);
// Finds the largest value between two times, and its time; both NaN if no sample lies between them.
struct case_peak {
    double time_s, value;
};
struct case_peak case_series_peak(const struct case_series *series, double begin_s, double end_s);

// Adds the part between two times to a picture.
enum status case_series_draw(struct validation_run *run, struct validation_picture *picture, const char *name,
                             bool is_points, const struct case_series *series, double begin_s, double end_s);

#endif
