// What results of a run of the Ising model hold for each temperature over an axis of their own: autocorrelation, histograms, correlations
// in space, and figures reweighted to temperatures nearby.
#include "cli/report_ising.h"

#include "validate/closed/ising_correlation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A variable [time][axis] of one of the files, drawn for some temperatures in one panel.
struct family {
    const char *variable, *axis;
    const char *title, *formula, *x_name;
    enum points_look look;
    bool is_logarithmic, is_x_variable; // the axis is itself [time][…]
    double y_least;
    double scale; // of the values; 0: as they are
};

static enum status no_memory(void)
{
    return FAIL(STATUS_SYSTEM, "report: not enough memory for the figures of the temperatures");
}

// One record of a variable of rank 2, or all of one of rank 1.
static enum status read_row(const struct result_file *file, const struct result_variable *v, size_t record,
                            double *values)
{
    return v->rank == 1
               ? result_read(file, v->name, (size_t[]){0}, (size_t[]){v->lengths[0]}, values)
               : result_read(file, v->name, (size_t[]){record, 0}, (size_t[]){1, v->lengths[1]}, values);
}

static enum status add_row(struct points_panel *panel, const struct result_file *file,
                           const struct family *family, size_t record, const char *colour)
{
    char error_name[RESULT_NAME_BYTES + 8];
    const struct result_variable *v = result_find(file, family->variable),
                                 *axis = result_find(file, family->axis);
    struct point_set *set = points_add(panel, family->look, colour, v->lengths[1]);
    if (!set)
        return no_memory();
    CHECK(read_row(file, axis, record, set->x));
    CHECK(read_row(file, v, record, set->y));
    snprintf(error_name, sizeof error_name, "%s_error", family->variable);
    const struct result_variable *error = result_find(file, error_name);
    if (error && error->rank == 2 && error->lengths[0] == v->lengths[0] && error->lengths[1] == v->lengths[1])
        CHECK(read_row(file, error, record, set->error));
    for (size_t k = 0; k < set->count && family->scale > 0; k++) {
        set->y[k] *= family->scale;
        set->error[k] *= family->scale;
    }
    return STATUS_OK;
}

// Present, a row for each of the run's temperatures, and an axis that fits.
static bool is_there(const struct ising_run *run, const struct result_file *file, const struct family *family)
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
                                   .has_zero = family->look == POINTS_STEPS};
    for (size_t k = 0; k < count && is_there(run, file, family); k++)
        CHECK(add_row(panel, file, family, selected[k], ising_colour(k, count)));
    return STATUS_OK;
}

static void name_temperatures(struct points_picture *picture, const struct ising_run *run,
                              const size_t *selected, size_t count, enum points_look look)
{
    for (size_t k = 0; k < count; k++)
        points_name(picture, look, ising_colour(k, count), "β = %.6g", run->beta[selected[k]]);
}

// Of a histogram only what is filled is shown.
static void trim_histograms(struct points_panel *panel)
{
    double low = INFINITY, high = -INFINITY;
    for (int s = 0; s < panel->set_count; s++) {
        const struct point_set *set = &panel->sets[s];
        for (size_t k = 0; k < set->count; k++)
            if (set->y[k] > 0) {
                low = fmin(low, set->x[k]);
                high = fmax(high, set->x[k]);
            }
    }
    const double margin = 0.04 * (high - low);
    if (high > low) {
        panel->x_low = low - margin;
        panel->x_high = high + margin;
    }
}

enum status report_draw_ising_statistics(struct report *report, const struct ising_run *run)
{
    static const struct family families[] = {
        {"energy_autocorrelation", "lag", "Autocorrelation of the energy", "ρ(t)", "lag t (sweeps)",
         POINTS_LINE, true, false, 0.01, 0},
        {"absolute_magnetisation_autocorrelation", "lag", "Autocorrelation of |m|", "ρ(t)", "lag t (sweeps)",
         POINTS_LINE, true, false, 0.01, 0},
        {"energy_density", "energy", "Distribution of the energy", "density", "E/N", POINTS_STEPS, false,
         false, 0, 0},
        {"magnetisation_density", "magnetisation", "Distribution of the magnetisation", "density", "M/N",
         POINTS_STEPS, false, false, 0, 0},
    };
    enum { PANELS = sizeof families / sizeof *families, FIRST_HISTOGRAM = 2 };
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = REPORT_DIAGNOSTICS,
        .file = "statistics.png",
        .title = "Autocorrelation and distributions",
        .caption =
            "How long a measurement is remembered: the autocorrelation function falls by e in about the "
            "autocorrelation time. Below: how often each energy and each magnetisation per site was "
            "measured."};
    size_t selected[ISING_SELECTED_MAX];
    const size_t count = ising_select(run, ISING_SELECTED_MAX, selected);
    struct result_file *file;
    CHECK(ising_open(run, "distributions", &file));
    enum status status = STATUS_OK;
    name_temperatures(&picture, run, selected, count, POINTS_LINE);
    for (size_t k = 0; k < PANELS && status == STATUS_OK; k++)
        status = fill_family(&panels[k], run, file, &families[k], selected, count);
    for (size_t k = FIRST_HISTOGRAM; k < PANELS; k++)
        trim_histograms(&panels[k]);
    if (status == STATUS_OK && count > 0)
        status = report_draw_points(report, &picture, panels, PANELS);
    points_free(panels, PANELS);
    result_close(file);
    return status;
}

// ---- correlations in space

static enum status add_exact_length(struct points_panel *panel, const struct ising_run *run)
{
    const double critical = ising_critical_beta(run),
                 low = run->beta[0] < run->beta[run->count - 1] ? run->beta[0] : run->beta[run->count - 1];
    double longest = 0;
    for (int s = 0; s < panel->set_count; s++)
        for (size_t k = 0; k < panel->sets[s].count; k++)
            longest = panel->sets[s].y[k] > longest ? panel->sets[s].y[k] : longest;
    if (!(low > 0) || !(critical > low) || !(longest > 0))
        return STATUS_OK;
    struct point_set *curve = points_add(panel, POINTS_DASHED, "#444444", ISING_EXACT_POINTS);
    if (!curve)
        return no_memory();
    for (size_t k = 0; k < ISING_EXACT_POINTS; k++) {
        const double beta = low + (critical - low) * (double)k / ISING_EXACT_POINTS,
                     coupling = beta * fabs(run->facts.coupling), length = ising_exact_length(coupling);
        curve->x[k] = beta;
        curve->y[k] = length < 1.5 * longest ? length : NAN; // it has no end
    }
    return STATUS_OK;
}

static enum status fill_lengths(struct points_panel *panel, const struct ising_run *run,
                                const struct result_file *file)
{
    const struct result_variable *v = result_find(file, "correlation_length"),
                                 *error = result_find(file, "correlation_length_error");
    *panel = (struct points_panel){.title = "Correlation length",
                                   .aside = "second moment; dashed: exact for L = ∞, along an axis",
                                   .x_name = "β",
                                   .is_y_logarithmic = true,
                                   .mark = isfinite(ising_critical_beta(run)) ? ising_critical_beta(run) : 0,
                                   .mark_name = "β_c"};
    if (!v || v->rank != 1 || v->lengths[0] != run->count || run->count < 2)
        return STATUS_OK;
    struct point_set *set = points_add(panel, POINTS_MARKS, ising_colour(0, 1), run->count);
    if (!set)
        return no_memory();
    memcpy(set->x, run->beta, run->count * sizeof *set->x);
    CHECK(read_row(file, v, 0, set->y));
    if (error && error->rank == 1 && error->lengths[0] == run->count)
        CHECK(read_row(file, error, 0, set->error));
    return add_exact_length(panel, run);
}

enum status report_draw_ising_correlations(struct report *report, const struct ising_run *run)
{
    static const struct family family = {"correlation",
                                         "distance",
                                         "Correlations along the axes",
                                         "G(r) = ⟨s₀ s_r⟩",
                                         "distance r",
                                         POINTS_MARKS,
                                         true,
                                         false,
                                         1e-4,
                                         0};
    enum { PANELS = 2 };
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = REPORT_DIAGNOSTICS,
        .file = "correlations.png",
        .title = "Correlations in space",
        .caption =
            "How far spins know of each other: G(r) along the axes with its error, and the correlation "
            "length by "
            "the second moment (structure factor at the two longest waves). Below β_c it is close to, but "
            "not, "
            "the length by which G falls by e, whose exact value is dashed; above it the order of the whole "
            "lattice is in it."};
    size_t selected[ISING_SELECTED_MAX];
    const size_t count = ising_select(run, ISING_SELECTED_MAX, selected);
    struct result_file *file;
    CHECK(ising_open(run, "correlations", &file));
    name_temperatures(&picture, run, selected, count, POINTS_MARKS);
    enum status status = fill_family(&panels[0], run, file, &family, selected, count);
    if (status == STATUS_OK)
        status = fill_lengths(&panels[1], run, file);
    if (status == STATUS_OK && count > 0)
        status = report_draw_points(report, &picture, panels, PANELS);
    points_free(panels, PANELS);
    result_close(file);
    return status;
}

// ---- reweighted

enum status report_draw_ising_reweighted(struct report *report, const struct ising_run *run)
{
    static const enum ising_figure figures[] = {ISING_FIGURE_ENERGY, ISING_FIGURE_SPECIFIC_HEAT,
                                                ISING_FIGURE_ABSOLUTE, ISING_FIGURE_SUSCEPTIBILITY,
                                                ISING_FIGURE_BINDER};
    enum { PANELS = sizeof figures / sizeof *figures };
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = REPORT_OVERVIEW,
        .file = "reweighted.png",
        .title = "Reweighted figures",
        .caption =
            "Lines: each temperature's measurements, weighted as another temperature would have them "
            "(Ferrenberg and "
            "Swendsen), as far as enough of them count there. Points: the temperatures that were simulated."};
    struct result_file *file;
    CHECK(ising_open(run, "reweighted", &file));
    enum status status = STATUS_OK;
    points_name(&picture, POINTS_MARKS, "#444444", "simulated");
    points_name(&picture, POINTS_LINE, ising_colour(0, 1), "reweighted");
    for (size_t p = 0; p < PANELS && status == STATUS_OK; p++) {
        const struct ising_figure_text *text = &ising_figure_texts[figures[p]];
        const bool is_energy = figures[p] == ISING_FIGURE_ENERGY; // the file has it per site
        const struct family family = {.variable = is_energy ? "energy" : text->variable,
                                      .axis = "beta_reweighted",
                                      .title = text->title,
                                      .formula = text->formula,
                                      .x_name = "β",
                                      .look = POINTS_LINE,
                                      .is_x_variable = true,
                                      .scale = is_energy ? 0.5 : 0};
        size_t temperature = 0;
        if (is_there(run, file, &family))
            status = fill_family(&panels[p], run, file, &family, &temperature, 1);
        while (++temperature < run->count && is_there(run, file, &family) && status == STATUS_OK &&
               panels[p].set_count < POINTS_SETS_MAX - 2)
            status = add_row(&panels[p], file, &family, temperature, ising_colour(0, 1));
        if (status == STATUS_OK && panels[p].set_count > 0)
            status = ising_add_marks(&panels[p], run, figures[p], "#444444", false);
        panels[p].mark = isfinite(ising_critical_beta(run)) ? ising_critical_beta(run) : 0;
        panels[p].mark_name = "β_c";
    }
    if (status == STATUS_OK)
        status = report_draw_points(report, &picture, panels, PANELS);
    points_free(panels, PANELS);
    result_close(file);
    return status;
}
