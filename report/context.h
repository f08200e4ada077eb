// What the parts of `fathom report` share: the options, what was found in the result folder, the gauges'
// figures and the pictures drawn. Internal to report/.
#ifndef FATHOM_REPORT_CONTEXT_H
#define FATHOM_REPORT_CONTEXT_H

#include "core/status.h"
#include "io/netcdf/result.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    REPORT_PATH_BYTES = 4096,
    REPORT_TEXT_BYTES = 1024,
    REPORT_PICTURES_MAX = 80,
    REPORT_GRIDS_MAX = 32,
    REPORT_FOLDERS_MAX = 24, // of several runs in one report
    REPORT_WARNINGS_MAX = 32,
    REPORT_GAUGES_DRAWN_MAX = 48, // more are in the table only
};

struct report_options {
    const char *directory;
    const char *output;        // NULL = directory/report.html
    const char *observations;  // folder to look for observed records in, or NULL
    const char *beside;        // folder of another run, to be shown beside this one, or NULL
    const char *const *others; // folders of further runs, to be drawn together with this one
    size_t other_count;
    int width_px, height_px; // the largest map
    bool html, json;
};

enum report_section {
    REPORT_OVERVIEW,
    REPORT_GRIDS, // nested grids, and what was flooded
    REPORT_SNAPSHOTS,
    REPORT_GAUGES,
    REPORT_DIAGNOSTICS,
    REPORT_MORE,
};

struct report_picture {
    char file[64]; // in directory/pictures
    char title[128];
    char caption[REPORT_TEXT_BYTES];
    enum report_section section;
    int width_px, height_px;
};

// A series over time; values may be NaN.
struct report_series {
    size_t count;
    double *times_s; // since the start of the model time
    float *values_m;
};

// One gauge, in the finest of the grids that hold it. NaN where a figure does not exist.
struct report_gauge {
    char name[64];
    size_t grid, station;       // index of the grid, and in its gauges.nc
    double longitude, latitude; // x, y (m) on plane grids
    double distance_m;          // to the grid's node
    double depth_m;             // at the node
    // The surface, on land the flow's depth, first stands arrival_threshold_m above the level below, as in
    // maxima.nc.
    double arrival_s;
    // What the arrival counts from: the level that the source left; NaN: unknown, and the series' first value
    // serves. Until level_from_s it goes from the start's to the last in a straight line.
    double level_at_start_m, level_m, level_from_s;
    double first_peak_s, first_peak_m;
    double maximum_s, maximum_m, minimum_m;
    double observed_peak_s, observed_peak_m;
    struct report_series model;    // empty beyond REPORT_GAUGES_DRAWN_MAX
    struct report_series observed; // empty without a record
    char observed_file[256];       // as named in run.json, "" if none
    bool is_observed_missing;      // named, but not found
};

// The water on land, by run.json. NaN where a figure does not exist.
struct report_run_up {
    double highest_m, x, y, ground_m, time_s;
    double inundation_m, inundation_x, inundation_y; // the way from the shore, and where it ends
    double flooded_area_m2;
};

// A grid of the run: the outermost, or one nested in another.
struct report_grid {
    char name[64];    // "" is the outermost
    int parent;       // its index; −1: none
    int depth;        // grids around it: of two at a place the deeper is the finer
    bool is_flooding; // the shore moves: results on land too, and the depth is negative there
    const cJSON *run; // its part of run.json; NULL if absent
    struct result_file *fields, *maxima, *deformation, *gauges, *diagnostics; // NULL if absent
    double largest_m; // of max_eta, NaN if unknown, and where
    double largest_x, largest_y;
    double largest_flow_m; // depth of the water on land, NaN if unknown
    struct report_run_up run_up;
};

// What a run of heat in tissue came to. NaN where a figure does not exist.
struct report_heat {
    bool is_heat;                        // the run's model, by run.json or, without it, by the files
    double largest_c, place_mm[3], at_s; // of the whole run; place: z, y, x
    bool largest_is_of_records;          // what happened between the records is not known
    double end_c, end_place_mm[3];       // in the last frame, where the run kept no largest temperatures
    size_t sensors;
};

// What a run of N bodies came to: largest changes since the start, as parts of |E₀|, Σ m|v| and r½ Σ m|v|.
// NaN where a figure does not exist.
struct report_nbody {
    bool is_nbody, is_si;
    double energy_change, momentum_change, angular_change, virial_ratio; // the last at the end
};

// What a run of the gas came to. Energies are per particle; means are of the second half of the run, with
// their standard errors. NaN where a figure does not exist.
struct report_gas {
    bool is_gas;
    double energy_change, energy_drift; // the largest; by a straight line, over the whole run
    double temperature, temperature_error, pressure, pressure_error, potential, potential_error;
    double first_largest_cluster, largest_cluster; // particles, at the start and at the end
    double peak_radius, peak;                      // of the radial distribution
    double limited;                                // times that a limiter acted
};

struct ising_run; // report/ising/report.h

// Runs of the Ising model, by size.
struct report_ising {
    bool is_ising;
    size_t count;
    struct ising_run *runs; // owned
};

struct report {
    struct report_options options;
    struct report_heat heat;
    struct report_nbody nbody;
    struct report_gas gas;
    struct report_ising ising;
    char pictures_directory[REPORT_PATH_BYTES];
    cJSON *run;                                 // run.json, NULL if absent
    char title[128];                            // of several runs, else ""
    struct report_grid grids[REPORT_GRIDS_MAX]; // the outermost first, then as run.json has them
    size_t grid_count;
    double duration_s; // the latest time found in any file, 0 if there is none
    char time_units[RESULT_UNITS_BYTES];
    bool is_geographic;
    double volume_change;       // last − first, m³; NaN if unknown
    double arrival_threshold_m; // of the gauges: the job's lowest, else 1 cm
    struct report_gauge *gauges;
    size_t gauge_count;
    bool gauges_have_positions;
    struct report_picture pictures[REPORT_PICTURES_MAX];
    size_t picture_count;
    char warnings[REPORT_WARNINGS_MAX][REPORT_TEXT_BYTES];
    size_t warning_count;
};

// Something that the reader of the report should know, but that does not stop it. Beyond REPORT_WARNINGS_MAX:
// dropped.
void report_warn(struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds an entry for a picture that is about to be drawn, or NULL when the list is full.
struct report_picture *report_add_picture(struct report *report, enum report_section section,
                                          const char *file, int width_px, int height_px);

// Starts to draw it: plot_start (plot.h), and as after that, one plot_finish follows.
struct plot;
enum status report_start_picture(const struct report *report, const struct report_picture *picture,
                                 double scale, struct plot *plot);

// Of an object in run.json (which may be NULL): a number, NaN if there is none; a text, "" if there is none.
double report_json_number(const cJSON *object, const char *name);
const char *report_json_text(const cJSON *object, const char *name);

// The job's title from run.json, or NULL; of several runs what they are.
const char *report_job_title(const struct report *report);

// report/tsunami/gauges.c — reads gauges.nc and the observed records, works out the figures. Without gauges:
// nothing.
enum status report_read_gauges(struct report *report);
// The size of a gauge's record: its largest height or its deepest fall. NaN of a record without values.
double report_gauge_size_m(const struct report_gauge *gauge);
// Heights below this are neither drawn at full height nor told as figures: a thousandth of the largest height
// in the run to the nearest power of ten, at most 1 mm, at least 1 µm. Where no wave arrived, a record holds
// rounding errors.
double report_least_height_m(const struct report *report);
void report_free_gauges(struct report *report);

// Two columns "time value" (s, m), separated by blanks, tabs, commas or semicolons; `skip_lines` lines are
// left out, and empty lines and those that start with #. Columns count from 0. Not readable →
// STATUS_NO_INPUT; a line that does not hold numbers there, or times that go back → STATUS_DATA with its
// number.
enum status report_read_observed(const char *path, int time_column, int value_column, int skip_lines,
                                 struct report_series *series);
void report_free_series(struct report_series *series);

// The model's first crest after `start_s`, in heights above the level that the source left: the first
// maximum at least a fifth as high as the highest value after start_s, to which the level rises and after
// which it falls to less than half, or the gauge dries. Returns its index, or `count` if the record shows
// none.
size_t report_first_crest(const struct report_gauge *gauge, double start_s);

// The largest value between two times: its index, or `count` if there is none.
size_t report_largest_between(const struct report_series *series, double begin_s, double end_s);

// report/tsunami/grids.c — opens the results of all grids (in another folder or none: STATUS_NO_INPUT), notes
// what run.json says of them. In two parts: run.json is read between them.
enum status report_open_outermost(struct report *report);
enum status report_open_nested(struct report *report);
void report_close_grids(struct report *report);
// The outermost grid; and " · NAME" for titles, "" for the outermost.
struct report_grid *report_outermost(struct report *report);
const char *report_grid_suffix(const struct report_grid *grid, char text[96]);
// A picture's name for that grid: "maximum.png", of a nested one "NAME_maximum.png".
const char *report_grid_file(const struct report_grid *grid, const char *picture, char file[64]);
// Is there more to say of grids than that there is one?
bool report_has_grids(const struct report *report);

// report/tsunami/maps.c — maximum, arrival, deformation, other maxima: whatever the files hold.
// report/tsunami/snapshots.c — some times of the fields.
enum status report_draw_maps(struct report *report);
// report/tsunami/flood.c — what was flooded, for each grid on which the shore moves.
enum status report_draw_floods(struct report *report);
enum status report_draw_snapshots(struct report *report);

// report/tsunami/gauge_panels.c, diagnostics.c — gauges, and what diagnostics.nc holds, against time.
enum status report_draw_gauges(struct report *report);
enum status report_draw_diagnostics(struct report *report);

// report/bioheat/report.c — all pictures of a run of heat in tissue but the diagnostics.
enum status report_draw_heat(struct report *report);

// report/nbody/report.c — all pictures of a run of N bodies.
enum status report_draw_nbody(struct report *report);

// report/gas/report.c — all pictures of a run of the gas.
enum status report_draw_gas(struct report *report);

// report/ising/report.c — all pictures of a run of the Ising model, or of several.
enum status report_draw_ising(struct report *report);
bool report_has_ising_results(const char *directory); // tells the model where run.json is missing
void report_free_ising(struct report *report);

// json.c — what was drawn and the figures, as JSON on standard output. `page`: the page's path.
enum status report_print_json(const struct report *report, const char *page);

// page.c — the page; the pictures are read back from directory/pictures. Published when complete.
enum status report_write_page(const struct report *report, const char *path);

// run.c — what was run, and the rest of run.json, folded.
#include <stdio.h>
void report_html_run(FILE *page, const struct report *report);
// The date from which the model time counts, "2011-03-11 05:46:24 UTC"; false: the files name none.
bool report_origin_text(const struct report *report, char *text, size_t bytes);

// tables.c — parts of the page: values of run.json (a name for people, a value with the unit that
// ends its name, and an object or list as a card), the gauges' table, the figures at the top.
void report_html_name(FILE *page, const char *name);
void report_html_value(FILE *page, const char *name, const cJSON *value); // nothing for NULL
void report_html_card(FILE *page, const char *title, const cJSON *value);
void report_html_gauges(FILE *page, const struct report *report);
void report_html_grids(FILE *page, const struct report *report);
void report_html_figures(FILE *page, const struct report *report);
void report_html_tile(FILE *page, const char *value, const char *label, const char *note);

// report/bioheat/tables.c — the same of a heat run: figures at the top, what each tissue got.
void report_html_heat_figures(FILE *page, const struct report *report);
void report_html_heat_tissues(FILE *page, const struct report *report);

// report/nbody/tables.c — the same of N bodies: figures at the top, times of the phases.
void report_html_nbody_figures(FILE *page, const struct report *report);
void report_html_nbody_phases(FILE *page, const struct report *report);

// report/gas/tables.c — the same of the gas.
void report_html_gas_figures(FILE *page, const struct report *report);
void report_html_gas_phases(FILE *page, const struct report *report);

// report/ising/tables.c — the same of the Ising model, for the page and as JSON.
void report_html_ising_figures(FILE *page, const struct report *report);
void report_html_ising_results(FILE *page, const struct report *report);
void report_html_ising_phases(FILE *page, const struct report *report);
void report_add_ising(cJSON *root, const struct report *report);

// phases.c — a phase by its name in run.json, and what it is.
struct report_phase {
    const char *key, *text;
};
void report_html_phases(FILE *page, const struct report *report, const struct report_phase *phases,
                        size_t count);

#endif
