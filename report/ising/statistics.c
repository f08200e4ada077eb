// Results of an Ising run for each temperature over an axis of their own: autocorrelation, histograms,
// correlations in space, and figures reweighted to temperatures nearby.
#include "report/ising/report.h"

#include "validate/closed/ising_correlation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A variable [time][axis] of one of the files, drawn for some temperatures in one panel.
struct family {
    const char *variable, *axis;
    const char *share; // of the measurements that count at each place: too few are not shown; or NULL
    const char *title, *formula, *x_name;
    enum points_style style;
    bool is_logarithmic, is_x_variable; // the axis is itself [time][…]
    bool is_histogram;
    double y_least;
    double scale; // of the values; 0: as they are
};

static const double least_share = 0.1;

// One record of a variable of rank 2, or all of one of rank 1.
static enum status read_row(const struct result_file *file, const struct result_variable *v, size_t record,
                            double *values)
{
    return v->rank == 1
               ? result_read(file, v->name, (size_t[]){0}, (size_t[]){v->lengths[0]}, values)
               : result_read(file, v->name, (size_t[]){record, 0}, (size_t[]){1, v->lengths[1]}, values);
}

static bool has_rows(const struct result_file *file, const char *name, const struct result_variable *like)
{
    const struct result_variable *v = result_find(file, name);
    return v && v->rank == 2 && v->lengths[0] == like->lengths[0] && v->lengths[1] == like->lengths[1];
}

// A line has no errors: the space for them holds the shares.
static enum status leave_out(const struct result_file *file, const struct family *family, size_t record,
                             struct point_set *set)
{
    CHECK(read_row(file, result_find(file, family->share), record, set->error));
    for (size_t k = 0; k < set->count; k++)
        if (!(set->error[k] >= least_share))
            set->y[k] = NAN;
    return STATUS_OK;
}

static enum status add_row(struct points_panel *panel, const struct result_file *file,
                           const struct family *family, size_t record, const char *colour)
{
    char error_name[RESULT_NAME_BYTES + 8];
    const struct result_variable *v = result_find(file, family->variable),
                                 *axis = result_find(file, family->axis);
    struct point_set *set;
    CHECK(points_add(panel, family->style, colour, v->lengths[1], &set));
    CHECK(read_row(file, axis, record, set->x));
    CHECK(read_row(file, v, record, set->y));
    snprintf(error_name, sizeof error_name, "%s_error", family->variable);
    if (family->share && has_rows(file, family->share, v))
        CHECK(leave_out(file, family, record, set));
    else if (has_rows(file, error_name, v))
        CHECK(read_row(file, result_find(file, error_name), record, set->error));
    for (size_t k = 0; k < set->count && family->scale > 0; k++) {
        set->y[k] *= family->scale;
        set->error[k] *= family->scale;
    }
    return family->is_histogram ? points_outline(set) : STATUS_OK;
}

// Whether the file has the variable, with a row for each temperature of the run and an axis of its length.
static bool has_family(const struct ising_run *run, const struct result_file *file,
                       const struct family *family)
{
    const struct result_variable *v = result_find(file, family->variable),
                                 *axis = result_find(file, family->axis);
    return v && axis && !v->is_text && !axis->is_text && v->rank == 2 && v->lengths[0] == run->count &&
           axis->rank == (family->is_x_variable ? 2 : 1) && axis->lengths[axis->rank - 1] == v->lengths[1];
}

static enum status fill_family(struct points_panel *panel, const struct ising_run *run,
                               const struct result_file *file, const struct family *family,
                               const size_t *selected, size_t count)
{
    *panel = (struct points_panel){.title = family->title,
                                   .aside = family->formula,
                                   .x_name = family->x_name,
                                   .is_y_logarithmic = family->is_logarithmic,
                                   .y_least = family->y_least,
                                   .has_zero = family->is_histogram};
    for (size_t k = 0; k < count && has_family(run, file, family); k++)
        CHECK(add_row(panel, file, family, selected[k], report_ising_colour(k, count)));
    return STATUS_OK;
}

static void name_temperatures(struct points_picture *picture, const struct ising_run *run,
                              const size_t *selected, size_t count, enum points_style style)
{
    for (size_t k = 0; k < count; k++)
        points_name(picture, style, report_ising_colour(k, count), "β = %.6g", run->beta[selected[k]]);
}

// Up to a few autocorrelation times: beyond them is only noise.
static void shorten(struct points_panel *panel, const struct ising_run *run, enum ising_figure time,
                    const size_t *selected, size_t count)
{
    const double times_shown = 8, lags_shown = 10;
    if (panel->set_count == 0 || panel->sets[0].count < 2)
        return;
    const double *lags = panel->sets[0].x, last = lags[panel->sets[0].count - 1];
    double longest = 0;
    for (size_t k = 0; k < count; k++)
        longest = fmax(longest, run->value[time][selected[k]]); // a NaN is left out
    panel->x_high = fmin(last, fmax(times_shown * longest, lags_shown * lags[1]));
}

// Of all measurements if the file has them, else the file's own histograms.
static enum status fill_histograms(struct points_panel *panels, const struct family *families,
                                   const struct ising_run *run, const struct result_file *file,
                                   const struct result_file *series, const size_t *selected, size_t count)
{
    static const char *const variables[] = {"energy", "magnetisation"};
    // A spin flip changes M by 2, and without a field E by a multiple of 4 J.
    const double sites = run->facts.columns * run->facts.rows,
                 spacings[] = {4 * fabs(run->facts.coupling) / sites, 2 / sites};
    size_t records;
    const bool has_series = series && report_ising_has_series(run, series, &records);
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        CHECK(fill_family(&panels[k], run, file, &families[k], selected, has_series ? 0 : count));
        for (size_t t = 0; t < count && has_series; t++) {
            const struct ising_window window = report_ising_window_of(run, records, selected[t]);
            const double spacing = k == 0 && run->facts.field != 0 ? 0 : spacings[k];
            CHECK(report_ising_add_histogram(&panels[k], series, variables[k], &window, spacing,
                                             report_ising_colour(t, count)));
        }
    }
    return STATUS_OK;
}

enum status report_ising_draw_statistics(struct report *report, const struct ising_run *run)
{
    static const struct family families[] = {
        {.variable = "energy_autocorrelation",
         .axis = "lag",
         .title = "Autocorrelation of the energy",
         .formula = "ρ(t)",
         .x_name = "lag t (sweeps)",
         .style = POINTS_LINE},
        {.variable = "absolute_magnetisation_autocorrelation",
         .axis = "lag",
         .title = "Autocorrelation of |m|",
         .formula = "ρ(t)",
         .x_name = "lag t (sweeps)",
         .style = POINTS_LINE},
        {.variable = "energy_density",
         .axis = "energy",
         .title = "Distribution of the energy",
         .formula = "density",
         .x_name = "E/N",
         .style = POINTS_LINE,
         .is_histogram = true},
        {.variable = "magnetisation_density",
         .axis = "magnetisation",
         .title = "Distribution of the magnetisation",
         .formula = "density",
         .x_name = "M/N",
         .style = POINTS_LINE,
         .is_histogram = true},
    };
    enum { PANELS = sizeof families / sizeof *families, FIRST_HISTOGRAM = 2 };
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = ISING_STATISTICS,
        .file = "statistics.png",
        .title = "Autocorrelation and distributions",
        .caption = "Above: the autocorrelation function, which falls by e in about the autocorrelation time. "
                   "Below: how often each energy and each magnetisation per site was measured."};
    size_t selected[ISING_SELECTED_MAX];
    const size_t count = report_ising_select(run, ISING_SELECTED_MAX, selected);
    struct result_file *file, *series = NULL;
    CHECK(report_open_file(NULL, run->directory, "distributions.nc", &file));
    enum status status = report_open_file(NULL, run->directory, "series.nc", &series);
    name_temperatures(&picture, run, selected, count, POINTS_LINE);
    for (size_t k = 0; k < FIRST_HISTOGRAM && status == STATUS_OK; k++)
        status = fill_family(&panels[k], run, file, &families[k], selected, count);
    shorten(&panels[0], run, ISING_FIGURE_TAU_ENERGY, selected, count);
    shorten(&panels[1], run, ISING_FIGURE_TAU_ABSOLUTE, selected, count);
    if (status == STATUS_OK)
        status = fill_histograms(panels + FIRST_HISTOGRAM, families + FIRST_HISTOGRAM, run, file, series,
                                 selected, count);
    status = points_finish(report, &picture, panels, PANELS, status);
    result_close(series);
    result_close(file);
    return status;
}

// ---- correlations in space

static enum status add_exact_length(struct points_panel *panel, const struct ising_run *run)
{
    const double critical = report_ising_critical_beta(run),
                 low = run->beta[0] < run->beta[run->count - 1] ? run->beta[0] : run->beta[run->count - 1];
    double longest = 0;
    for (int s = 0; s < panel->set_count; s++)
        for (size_t k = 0; k < panel->sets[s].count; k++)
            longest = panel->sets[s].y[k] > longest ? panel->sets[s].y[k] : longest;
    if (!(low > 0) || !(critical > low) || !(longest > 0))
        return STATUS_OK;
    struct point_set *curve;
    CHECK(points_add(panel, POINTS_DASHED, "#444444", ISING_EXACT_POINTS, &curve));
    for (size_t k = 0; k < ISING_EXACT_POINTS; k++) {
        const double beta = low + (critical - low) * (double)k / ISING_EXACT_POINTS,
                     coupling = beta * fabs(run->facts.coupling), length = ising_exact_length(coupling);
        curve->x[k] = beta;
        curve->y[k] = length < 1.5 * longest ? length : NAN; // it diverges
    }
    return STATUS_OK;
}

static enum status fill_lengths(struct points_panel *panel, const struct ising_run *run,
                                const struct result_file *file)
{
    const struct result_variable *v = result_find(file, "correlation_length"),
                                 *error = result_find(file, "correlation_length_error");
    *panel = (struct points_panel){.title = "Correlation length",
                                   .aside = "ξ by the second moment",
                                   .x_name = "β",
                                   .is_y_logarithmic = true,
                                   .mark = report_ising_mark(run)};
    if (!v || v->rank != 1 || v->lengths[0] != run->count || run->count < 2)
        return STATUS_OK;
    struct point_set *set;
    CHECK(points_add(panel, POINTS_MARKS, report_ising_colour(0, 1), run->count, &set));
    memcpy(set->x, run->beta, run->count * sizeof *set->x);
    CHECK(read_row(file, v, 0, set->y));
    if (error && error->rank == 1 && error->lengths[0] == run->count)
        CHECK(read_row(file, error, 0, set->error));
    return add_exact_length(panel, run);
}

static void make_absolute(struct points_panel *panel, const char *formula)
{
    panel->aside = formula;
    for (int s = 0; s < panel->set_count; s++)
        for (size_t k = 0; k < panel->sets[s].count; k++)
            panel->sets[s].y[k] = fabs(panel->sets[s].y[k]);
}

enum status report_ising_draw_correlations(struct report *report, const struct ising_run *run)
{
    static const struct family family = {.variable = "correlation",
                                         .axis = "distance",
                                         .title = "Correlations along the axes",
                                         .formula = "G(r) = ⟨s₀ s_r⟩",
                                         .x_name = "distance r",
                                         .style = POINTS_MARKS,
                                         .is_logarithmic = true,
                                         .y_least = 1e-4};
    enum { PANELS = 2 };
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = ISING_STATISTICS,
        .file = "correlations.png",
        .title = "Correlations in space",
        .caption = "Correlations of spins: G(r) along the axes with its error, and the correlation length by "
                   "the second moment (structure factor at the two longest waves). Below β_c it is close, "
                   "but not equal, to the length over which G falls by e, whose exact value is dashed; above "
                   "β_c it contains the order of the whole lattice."};
    size_t selected[ISING_SELECTED_MAX];
    const size_t count = report_ising_select(run, ISING_SELECTED_MAX, selected);
    struct result_file *file;
    CHECK(report_open_file(NULL, run->directory, "correlations.nc", &file));
    name_temperatures(&picture, run, selected, count, POINTS_MARKS);
    enum status status = fill_family(&panels[0], run, file, &family, selected, count);
    if (status == STATUS_OK)
        status = fill_lengths(&panels[1], run, file);
    if (run->facts.coupling < 0) // the signs alternate
        make_absolute(&panels[0], "|G(r)|");
    if (panels[1].set_count > 1) {
        points_name(&picture, POINTS_DASHED, "#444444", "ξ exact, L = ∞");
        report_ising_name_mark(&picture, run);
    }
    status = points_finish(report, &picture, panels, PANELS, status);
    result_close(file);
    return status;
}

// ---- reweighted

// All temperatures' curves, their points, and the exact curve of the lattice.
static enum status fill_reweighted(struct points_panel *panel, const struct ising_run *run,
                                   const struct result_file *file, enum ising_figure figure)
{
    const struct ising_figure_text *text = &ising_figure_texts[figure];
    const bool is_energy = figure == ISING_FIGURE_ENERGY; // the file has it per site
    const struct family family = {.variable = is_energy ? "energy" : text->variable,
                                  .axis = "beta_reweighted",
                                  .share = "effective_share",
                                  .title = text->title,
                                  .formula = text->formula,
                                  .x_name = "β",
                                  .style = POINTS_LINE,
                                  .is_x_variable = true,
                                  .scale = is_energy ? 0.5 : 0};
    enum { OTHER_SETS = 3 };
    if (!has_family(run, file, &family))
        return STATUS_OK;
    CHECK(fill_family(panel, run, file, &family, NULL, 0));
    panel->mark = report_ising_mark(run);
    CHECK(report_ising_add_exact(panel, run, figure, false, "#999999", POINTS_DASHED));
    for (size_t k = 0; k < run->count && panel->set_count < POINTS_SETS_MAX - OTHER_SETS; k++)
        CHECK(add_row(panel, file, &family, k, report_ising_colour(0, 1)));
    return report_ising_add_marks(panel, run, figure, "#444444", false);
}

enum status report_ising_draw_reweighted(struct report *report, const struct ising_run *run)
{
    static const enum ising_figure figures[] = {ISING_FIGURE_ENERGY, ISING_FIGURE_SPECIFIC_HEAT,
                                                ISING_FIGURE_ABSOLUTE, ISING_FIGURE_SUSCEPTIBILITY,
                                                ISING_FIGURE_BINDER};
    enum { PANELS = sizeof figures / sizeof *figures };
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = ISING_BETA,
        .file = "reweighted.png",
        .title = "Reweighted",
        .caption = "Lines: each temperature's measurements, weighted as another temperature would have them "
                   "(Ferrenberg and Swendsen), as far as a tenth of them counts there. Points: the "
                   "temperatures that were simulated."};
    struct result_file *file;
    CHECK(report_open_file(NULL, run->directory, "reweighted.nc", &file));
    enum status status = STATUS_OK;
    points_name(&picture, POINTS_MARKS, "#444444", "simulated");
    points_name(&picture, POINTS_LINE, report_ising_colour(0, 1), "reweighted");
    if (run->count > 1 && report_ising_has_curve(run))
        points_name(&picture, POINTS_DASHED, "#999999", "exact, %s", run->name);
    report_ising_name_mark(&picture, run);
    for (size_t p = 0; p < PANELS && status == STATUS_OK; p++)
        status = fill_reweighted(&panels[p], run, file, figures[p]);
    status = points_finish(report, &picture, panels, PANELS, status);
    result_close(file);
    return status;
}
