// The data that all parts of a report share: the options, the result files, run.json, the pictures and the
// warnings. Independent of models: a model has its own state (report/model.h). Internal to report/.
#ifndef FATHOM_REPORT_CONTEXT_H
#define FATHOM_REPORT_CONTEXT_H

#include "core/status.h"
#include "io/json_file.h"
#include "io/netcdf/result.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    REPORT_PATH_BYTES = 4096,
    REPORT_TEXT_BYTES = 1024,
    REPORT_PICTURES_MAX = 80,
    REPORT_FOLDERS_MAX = 24, // of several runs in one report
    REPORT_WARNINGS_MAX = 32,
    REPORT_RUN_BYTES_MAX = 64 << 20, // of run.json
};

struct report_options {
    const char *directory;
    const char *output;        // NULL = directory/report.html
    const char *observations;  // folder with observed records, or NULL
    const char *anatomy;       // bioheat: anatomical image behind the results, or NULL
    const char *beside;        // folder of another run, shown beside this one, or NULL
    const char *const *others; // folders of further runs, drawn together with this one
    size_t other_count;
    double far_field_m;      // tsunami: depth of the ocean over which gauges are corrected; 0: not
    double scale_m;          // tsunami: where the colours of all elevations end; 0: chosen for this run
    int width_px, height_px; // the largest map
    bool html, json;
    bool has_animation; // also draws the frames as an animation
};

// What replaces a picture on the screen where scripts run; on paper the picture is shown.
enum report_live { REPORT_PICTURE_ALONE, REPORT_BY_MAP, REPORT_BY_CHART };

struct report_picture {
    char file[64]; // in directory/pictures
    char title[128];
    char caption[REPORT_TEXT_BYTES];
    int section; // index in the model's list of sections
    int width_px, height_px;
    enum report_live live;
};

// The result files of one grid; NULL if absent.
struct report_files {
    struct result_file *fields, *maxima, *deformation, *gauges, *diagnostics;
};

struct report {
    struct report_options options;
    const struct report_model *model;
    void *state; // the model's: model->state_bytes; owned
    char pictures_directory[REPORT_PATH_BYTES];
    int lock;                  // of it: two reports would write the same files
    cJSON *run;                // run.json, NULL if absent
    cJSON *web;                // data of the page's script (report/web/page.js), NULL: none
    char title[128];           // if not empty, replaces the title of run.json
    struct report_files files; // of the run, or of its outermost grid
    double duration_s;         // the latest time found in any file, or 0
    char time_units[RESULT_UNITS_BYTES];
    struct report_picture pictures[REPORT_PICTURES_MAX];
    size_t picture_count;
    char warnings[REPORT_WARNINGS_MAX][REPORT_TEXT_BYTES];
    size_t warning_count;
};

// report.c — reads the folder, draws the pictures and writes the page. `page`: its path, "" without a page.
// STATUS_NO_INPUT: no results; STATUS_DATA: nothing to draw.
enum status report_create(struct report *report, char page[REPORT_PATH_BYTES]);
void report_release(struct report *report);

// Writes a warning to the page and to standard error; the page has at most REPORT_WARNINGS_MAX.
void report_warn(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The factor of fonts, lines and margins: 1 for pictures 1600 pixels wide.
double report_scale(const struct report *report);

// A picture without a caption; sizes are rounded up to pixels.
struct report_picture report_picture_of(int section, const char *file, const char *title, double width_px,
                                        double height_px);

// Lists the picture and draws it: `script` writes the gnuplot commands of `content`. `picture` is copied.
// Draws nothing after REPORT_PICTURES_MAX pictures.
struct plot;
typedef enum status report_script(struct plot *plot, const struct report *report,
                                  const struct report_picture *picture, const void *content);
enum status report_draw(struct report *report, const struct report_picture *picture, report_script *script,
                        const void *content);

// The same without listing it: the page does not show it.
enum status report_draw_unlisted(const struct report *report, const struct report_picture *picture,
                                 report_script *script, const void *content);

// files.c — opens the files PREFIX.fields.nc, … (without a prefix: fields.nc, …); *opened: how many exist.
// Stores the latest time and its units in the report.
enum { REPORT_FILES = 5 };
extern const char *const report_file_names[REPORT_FILES];
enum status report_open_files(struct report *report, const char *prefix, struct report_files *files,
                              int *opened);
// Takes the numbers of open files in the units of the report's model.
enum status report_take_units(struct report *report, struct report_files *files);
void report_close_files(struct report_files *files);
bool report_has_file(const char *directory, const char *name, char path[REPORT_PATH_BYTES]);
// Opens a file that only some models have; *file stays NULL if it is missing. Its numbers are read in the
// units of the report's model (NULL: as they are).
enum status report_open_file(const struct report *report, const char *directory, const char *name,
                             struct result_file **file);

// The job's title from run.json, or NULL; for several runs their names.
const char *report_job_title(const struct report *report);

// json.c — writes the pictures and the figures as JSON to standard output. `page`: the page's path.
enum status report_print_json(const struct report *report, const char *page);

// page.c — writes the page, with the pictures from directory/pictures. The file gets its final name when it
// is complete.
enum status report_write_page(const struct report *report, const char *path);

#endif
