// The parts of the report of the Ising model: figures against β beside the exact curves, of one run or of
// several lattices together; series, distributions, correlations and spins of one. Internal to report/ising/.
#ifndef FATHOM_REPORT_ISING_REPORT_H
#define FATHOM_REPORT_ISING_REPORT_H

#include "report/model.h"
#include "report/points.h"
#include "report/style.h"

extern const struct report_model report_ising;

// The sections of the page: indices in the model's list. The last four of several runs.
enum report_ising_section {
    ISING_BETA,
    ISING_TEMPERATURES,
    ISING_SPINS,
    ISING_SERIES,
    ISING_STATISTICS,
    ISING_RUNS,
    ISING_PAIRS,
    ISING_SCALING,
    ISING_RATIOS,
};

enum { ISING_SELECTED_MAX = 6, ISING_EXACT_POINTS = 400 };

// A record of results.nc for each temperature. In the order of results.h.
enum ising_figure {
    ISING_FIGURE_ENERGY, // per bond
    ISING_FIGURE_SPECIFIC_HEAT,
    ISING_FIGURE_ABSOLUTE,
    ISING_FIGURE_MAGNETISATION, // with its sign, which depends on the start where the lattice is ordered
    ISING_FIGURE_SUSCEPTIBILITY,
    ISING_FIGURE_BINDER,
    ISING_FIGURE_TAU_ENERGY,
    ISING_FIGURE_TAU_ABSOLUTE,
    ISING_FIGURES
};

// By run.json; NaN or "" if unknown.
struct ising_facts {
    double columns, rows, replicas, coupling, field, every;
    char boundary[16], method[32], backend[32];
};

struct ising_run {
    const char *directory;
    cJSON *json; // run.json, or NULL; owned
    struct ising_facts facts;
    char name[POINTS_NAME_BYTES]; // "L = 64"
    const char *colour;           // among several
    size_t order;                 // as the command names them
    size_t count;                 // temperatures
    // [count]; owned, NaN if unknown
    double *beta, *end;                                  // end: sweeps of the whole run up to its end
    double *value[ISING_FIGURES], *error[ISING_FIGURES]; // errors of the autocorrelation times, too
    double *thermalisation, *measurements, *is_reliable; // sweeps; of one replica
};

// The state of the report: runs, by size.
struct report_ising {
    size_t count;
    struct ising_run *runs; // owned
};

// read.c
enum status report_ising_read_run(const char *directory, struct ising_run *run);
void report_ising_free_run(struct ising_run *run);
// Without a field and with a coupling: then K = β|J| has the critical value K_c, and energies are |J| times
// the energies at K.
bool report_ising_is_exact(const struct ising_run *run);
double report_ising_critical_beta(const struct ising_run *run); // NaN if none
double report_ising_mark(const struct ising_run *run);          // the same for a panel: 0 if none
void report_ising_name_mark(struct points_picture *picture, const struct ising_run *run);
// Exact energy per bond, specific heat, |m|, of the periodic lattice of this size or of the infinite one; NaN
// where unknown.
double report_ising_exact_of_lattice(const struct ising_run *run, enum ising_figure figure, double beta);
// Whether the lattice's exact curves are drawn: those of larger ones coincide with the infinite lattice's.
bool report_ising_has_curve(const struct ising_run *run);
double report_ising_exact_of_infinity(const struct ising_run *run, enum ising_figure figure, double beta);
// Some temperatures, in the order of the run: the nearest to β_c and others evenly spread. Returns how many.
size_t report_ising_select(const struct ising_run *run, size_t most, size_t selected[ISING_SELECTED_MAX]);
// Colours in the order of size or temperature: k of `count`.
const char *report_ising_colour(size_t k, size_t count);

struct ising_figure_text {
    const char *variable, *title, *formula;
};
extern const struct ising_figure_text ising_figure_texts[ISING_FIGURES];

// beta.c: figures against β. Marks of a run: those that are not reliable hollow.
enum status report_ising_add_marks(struct points_panel *panel, const struct ising_run *run,
                                   enum ising_figure figure, const char *colour, bool is_joined);
enum status report_ising_add_exact(struct points_panel *panel, const struct ising_run *run,
                                   enum ising_figure figure, bool is_infinite, const char *colour,
                                   enum points_style style);
enum status report_ising_draw_beta(struct report *report, const struct ising_run *run);
// together.c: several runs. Finite-size scaling and Binder's crossing; two runs of one lattice: R.
enum status report_ising_draw_together(struct report *report);

// compare.c. And of the same model: coupling, field.
bool report_ising_is_same_lattice(const struct ising_run *a, const struct ising_run *b);
// Index of a temperature; run->count if the run does not have it.
size_t report_ising_find_beta(const struct ising_run *run, double beta);
// R = 2 (a − b)/(a + b) at a's temperature i and b's j, and its error (docs/report.md).
double report_ising_ratio(const struct ising_run *a, size_t i, const struct ising_run *b, size_t j,
                          enum ising_figure figure, double *error);
struct ising_difference {
    size_t count;       // temperatures
    double chi_squared; // sum of (difference/error)² over them
};
// R over the temperatures that both have reliably.
struct ising_difference report_ising_compare(const struct ising_run *a, const struct ising_run *b,
                                             enum ising_figure figure);
// Values against the exact ones of the lattice, over the reliable temperatures.
struct ising_difference report_ising_against_exact(const struct ising_run *run, enum ising_figure figure);
bool report_ising_is_trusted(const struct ising_run *run, size_t k); // or unknown
size_t report_ising_count_unreliable(const struct ising_run *run);
// The figures that are compared.
enum { ISING_COMPARED = 4 };
extern const enum ising_figure ising_compared[ISING_COMPARED];
// Binder's crossing of two sizes nearest to β_c, by straight lines between the temperatures that both have
// reliably; NaN without one.
double report_ising_crossing(const struct ising_run *a, const struct ising_run *b, double *error);
// The next run of another lattice, runs being in the order of size; the number of runs after the last one.
size_t report_ising_next_size(const struct report_ising *ising, size_t k);

// series.c. A temperature's part of series.nc, which has as many records at each.
struct ising_window {
    size_t first, count;     // records of the file
    double every, cut, beta; // sweeps between two; sweeps that count for nothing, NaN if unknown
};
// Whether the file has energies and magnetisations for all of the run's temperatures.
bool report_ising_has_series(const struct ising_run *run, const struct result_file *file, size_t *records);
struct ising_window report_ising_window_of(const struct ising_run *run, size_t records, size_t temperature);

// histogram.c: how often each value of a variable of series.nc was measured, of all replicas, as a density
// over bins that just hold them. `spacing`: of the values that there may be; 0 if unknown.
enum status report_ising_add_histogram(struct points_panel *panel, const struct result_file *series,
                                       const char *variable, const struct ising_window *window,
                                       double spacing, const char *colour);

// tables.c, json.c
void report_ising_figures(FILE *page, const struct report *report);
void report_ising_temperature_table(FILE *page, const struct report *report);
void report_ising_run_table(FILE *page, const struct report *report); // and the crossings
void report_ising_pair_table(FILE *page, const struct report *report);
void report_ising_json(cJSON *root, const struct report *report);

// Pictures of one run: series.c, statistics.c, spins.c.
enum status report_ising_draw_series(struct report *report, const struct ising_run *run);
enum status report_ising_draw_statistics(struct report *report, const struct ising_run *run);
enum status report_ising_draw_correlations(struct report *report, const struct ising_run *run);
enum status report_ising_draw_reweighted(struct report *report, const struct ising_run *run);
enum status report_ising_draw_spins(struct report *report, const struct ising_run *run);

#endif
