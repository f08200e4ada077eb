// Figures of an Ising run against β, with their errors and the exact curves.
#include "report/ising/report.h"

#include <math.h>
#include <stdio.h>

static const char exact_colour[] = "#444444", figure_colour[] = "#1f5f99", kaufman_colour[] = "#d9772b",
                  other_colour[] = "#1d7a45";

enum status report_ising_add_marks(struct points_panel *panel, const struct ising_run *run,
                                   enum ising_figure figure, const char *colour, bool is_joined)
{
    struct point_set *line = NULL, *good, *bad;
    if (is_joined)
        CHECK(points_add(panel, POINTS_THIN, colour, run->count, &line));
    CHECK(points_add(panel, POINTS_MARKS, colour, run->count, &good));
    CHECK(points_add(panel, POINTS_HOLLOW, colour, run->count, &bad));
    for (size_t k = 0; k < run->count; k++) {
        const double value = run->value[figure][k];
        if (line)
            line->y[k] = value;
        good->y[k] = report_ising_is_trusted(run, k) ? value : NAN;
        bad->y[k] = report_ising_is_trusted(run, k) ? NAN : value;
        good->error[k] = bad->error[k] = run->error[figure][k];
        good->x[k] = bad->x[k] = run->beta[k];
        if (line)
            line->x[k] = run->beta[k];
    }
    return STATUS_OK;
}

enum status report_ising_add_exact(struct points_panel *panel, const struct ising_run *run,
                                   enum ising_figure figure, bool is_infinite, const char *colour,
                                   enum points_style style)
{
    const bool is_of_lattice = figure == ISING_FIGURE_ENERGY || figure == ISING_FIGURE_SPECIFIC_HEAT,
               is_exact_known =
                   is_infinite ? report_ising_is_exact(run) : is_of_lattice && report_ising_has_curve(run);
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < run->count; k++) {
        low = fmin(low, run->beta[k]);
        high = fmax(high, run->beta[k]);
    }
    if (!is_exact_known || !(high > low))
        return STATUS_OK;
    struct point_set *curve;
    CHECK(points_add(panel, style, colour, ISING_EXACT_POINTS, &curve));
    for (size_t k = 0; k < ISING_EXACT_POINTS; k++) {
        const double beta = low + (high - low) * (double)k / (ISING_EXACT_POINTS - 1);
        curve->x[k] = beta;
        curve->y[k] = is_infinite ? report_ising_exact_of_infinity(run, figure, beta)
                                  : report_ising_exact_of_lattice(run, figure, beta);
    }
    return STATUS_OK;
}

static enum status fill_panel(struct points_panel *panel, const struct ising_run *run,
                              enum ising_figure figure)
{
    const bool is_time = figure == ISING_FIGURE_TAU_ENERGY;
    *panel = (struct points_panel){
        .title = is_time ? "Autocorrelation times" : ising_figure_texts[figure].title,
        .aside = is_time ? "of e (blue) and of |m| (green), sweeps" : ising_figure_texts[figure].formula,
        .x_name = "β",
        .mark = report_ising_mark(run),
        .is_y_logarithmic = is_time};
    CHECK(report_ising_add_exact(panel, run, figure, true, exact_colour, POINTS_DASHED));
    CHECK(report_ising_add_exact(panel, run, figure, false, kaufman_colour, POINTS_LINE));
    if (is_time)
        CHECK(report_ising_add_marks(panel, run, ISING_FIGURE_TAU_ABSOLUTE, other_colour, false));
    return report_ising_add_marks(panel, run, figure, figure_colour, false);
}

static void name_all(struct points_picture *picture, const struct ising_run *run)
{
    size_t bad = 0;
    for (size_t k = 0; k < run->count; k++)
        bad += !report_ising_is_trusted(run, k);
    points_name(picture, POINTS_MARKS, figure_colour, "%s", run->name);
    if (bad > 0)
        points_name(picture, POINTS_HOLLOW, figure_colour, "not reliable");
    if (report_ising_has_curve(run))
        points_name(picture, POINTS_LINE, kaufman_colour, "exact, %s", run->name);
    if (report_ising_is_exact(run))
        points_name(picture, POINTS_DASHED, exact_colour, "exact, L = ∞");
    report_ising_name_mark(picture, run);
}

enum status report_ising_draw_beta(struct report *report, const struct ising_run *run)
{
    enum { PANELS = ISING_FIGURE_TAU_ENERGY + 1 }; // both autocorrelation times in one panel
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = ISING_BETA,
        .file = "beta.png",
        .title = "Against the inverse temperature β",
        .caption =
            "Points: this run, with standard errors (jackknife over blocks of the series). Open points "
            "are not reliable: too few measurements for their autocorrelation time. Lines: exact for "
            "a periodic lattice of this size (Kaufman) and for the infinite lattice (Onsager, Yang)."};
    enum status status = STATUS_OK;
    if (run->count < 2)
        return STATUS_OK;
    name_all(&picture, run);
    for (size_t figure = 0; figure < PANELS && status == STATUS_OK; figure++)
        status = fill_panel(&panels[figure], run, (enum ising_figure)figure);
    return points_finish(report, &picture, panels, PANELS, status);
}
