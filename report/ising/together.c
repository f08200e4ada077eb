// Several runs of the Ising model in one report: all sizes against β, finite-size scaling, and how far two
// runs of one lattice differ.
#include "report/ising/report.h"

#include <math.h>
#include <stdio.h>

static const double scaling_range = 10, crossing_share = 0.05;
static const char exact_colour[] = "#444444";
enum { SMALL_SIDE = 64 }; // χ of larger lattices has a panel of its own

static double side_of(const struct ising_run *run)
{
    return sqrt(run->facts.columns * run->facts.rows);
}

static bool has_scaling(const struct ising_run *run)
{
    return report_ising_is_exact(run) && run->facts.coupling > 0 && run->facts.columns == run->facts.rows;
}

static void name_unreliable(struct points_picture *picture, const struct report_ising *ising)
{
    size_t bad = 0;
    for (size_t k = 0; k < ising->count; k++)
        bad += report_ising_count_unreliable(&ising->runs[k]);
    if (bad > 0)
        points_name(picture, POINTS_HOLLOW, exact_colour, "not reliable");
}

// ---- R

// The signed magnetisation in a panel alone: runs agree in |m| whose m have opposite signs, which R of more
// than 2 shows.
enum { RATIO_PANELS = ISING_COMPARED + 1 };

static enum status add_ratio(struct points_panel *panel, const struct ising_run *a, const struct ising_run *b,
                             enum ising_figure figure)
{
    struct point_set *errors, *good, *bad;
    CHECK(points_add(panel, POINTS_THIN, a->colour, a->count, &errors));
    CHECK(points_add(panel, POINTS_MARKS, a->colour, a->count, &good));
    CHECK(points_add(panel, POINTS_HOLLOW, a->colour, a->count, &bad));
    for (size_t i = 0; i < a->count; i++) {
        const size_t j = report_ising_find_beta(b, a->beta[i]);
        double error = NAN, ratio = j < b->count ? report_ising_ratio(a, i, b, j, figure, &error) : NAN;
        const bool is_good = j < b->count && report_ising_is_trusted(a, i) && report_ising_is_trusted(b, j);
        good->y[i] = is_good ? fabs(ratio) : NAN;
        bad->y[i] = is_good ? NAN : fabs(ratio);
        errors->y[i] = error; // the points have no bars: on this axis most would reach the bottom
        good->error[i] = bad->error[i] = errors->error[i] = NAN;
        good->x[i] = bad->x[i] = errors->x[i] = a->beta[i];
    }
    return STATUS_OK;
}

static enum status draw_ratios(struct report *report)
{
    static const char *const titles[RATIO_PANELS] = {"Energy", "Magnetisation |m|", "Specific heat",
                                                     "Susceptibility", "Signed magnetisation m"};
    const struct report_ising *ising = report->state;
    struct points_panel panels[RATIO_PANELS] = {0};
    struct points_picture picture = {
        .section = ISING_RATIOS,
        .file = "together_ratio.png",
        .title = "Two runs of one lattice",
        .caption =
            "R = 2 (a − b)/(a + b) of two runs of the same lattice: |R|, on a logarithmic axis; the "
            "line is its standard error. The points of runs that agree lie around the line, but for those "
            "of the signed magnetisation: in the ordered state its sign depends on the start."};
    enum status status = STATUS_OK;
    for (size_t p = 0; p < RATIO_PANELS; p++)
        panels[p] = (struct points_panel){.title = titles[p],
                                          .aside = "|R|",
                                          .is_y_logarithmic = true,
                                          .x_name = "β",
                                          .mark = report_ising_mark(&ising->runs[0])};
    for (size_t a = 0; a < ising->count; a++)
        for (size_t b = a + 1; b < ising->count && status == STATUS_OK; b++) {
            if (!report_ising_is_same_lattice(&ising->runs[a], &ising->runs[b]))
                continue;
            const struct ising_run *first = &ising->runs[a];
            points_name(&picture, POINTS_MARKS, first->colour, "%.0f × %.0f", first->facts.columns,
                        first->facts.rows);
            for (size_t p = 0; p < RATIO_PANELS && status == STATUS_OK; p++)
                status = add_ratio(&panels[p], first, &ising->runs[b],
                                   p < ISING_COMPARED ? ising_compared[p] : ISING_FIGURE_MAGNETISATION);
        }
    name_unreliable(&picture, ising);
    report_ising_name_mark(&picture, &ising->runs[0]);
    return points_finish(report, &picture, panels, RATIO_PANELS, status);
}

// ---- all sizes against β

static void name_runs(struct points_picture *picture, const struct report_ising *ising)
{
    for (size_t k = ising->count; k > 0; k--) // the largest on top, as its peaks are
        points_name(picture, POINTS_MARKS, ising->runs[k - 1].colour, "%s", ising->runs[k - 1].name);
}

static enum status fill_sizes(const struct report_ising *ising, enum ising_figure figure, double least_side,
                              double side_end, struct points_panel *panel)
{
    const struct ising_run *longest = &ising->runs[0];
    for (size_t k = 0; k < ising->count; k++)
        longest = ising->runs[k].count > longest->count ? &ising->runs[k] : longest;
    CHECK(report_ising_add_exact(panel, longest, figure, true, exact_colour, POINTS_DASHED));
    for (size_t k = 0; k < ising->count; k++) {
        const struct ising_run *run = &ising->runs[k];
        if (side_of(run) < least_side || side_of(run) >= side_end)
            continue;
        CHECK(report_ising_add_exact(panel, run, figure, false, run->colour, POINTS_THIN));
        CHECK(report_ising_add_marks(panel, run, figure, run->colour, figure >= ISING_FIGURE_ABSOLUTE));
    }
    return STATUS_OK;
}

static enum status draw_sizes(struct report *report)
{
    static const struct {
        enum ising_figure figure;
        double least_side, side_end;
        const char *title;
    } shown[] = {
        {ISING_FIGURE_ENERGY, 0, INFINITY, NULL},
        {ISING_FIGURE_ABSOLUTE, 0, INFINITY, NULL},
        {ISING_FIGURE_SPECIFIC_HEAT, 0, INFINITY, NULL},
        {ISING_FIGURE_BINDER, 0, INFINITY, NULL},
        {ISING_FIGURE_SUSCEPTIBILITY, 0, SMALL_SIDE + 1, "Susceptibility, L ≤ 64"},
        {ISING_FIGURE_SUSCEPTIBILITY, SMALL_SIDE + 1, INFINITY, "Susceptibility, L > 64"},
    };
    enum { PANELS = sizeof shown / sizeof *shown };
    const struct report_ising *ising = report->state;
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = ISING_BETA,
        .file = "together.png",
        .title = "All lattices against β",
        .caption = "Points: the runs, with standard errors (open: not reliable). Thin lines through e and c: "
                   "exact for a periodic lattice of that size (Kaufman); through the others: connected "
                   "points. Dashed: exact for the infinite lattice (Onsager, Yang)."};
    enum status status = STATUS_OK;
    name_runs(&picture, ising);
    name_unreliable(&picture, ising);
    points_name(&picture, POINTS_DASHED, exact_colour, "exact, L = ∞");
    report_ising_name_mark(&picture, &ising->runs[0]);
    for (size_t p = 0; p < PANELS && status == STATUS_OK; p++) {
        const struct ising_figure_text *text = &ising_figure_texts[shown[p].figure];
        panels[p] = (struct points_panel){.title = shown[p].title ? shown[p].title : text->title,
                                          .aside = text->formula,
                                          .x_name = "β",
                                          .mark = report_ising_mark(&ising->runs[0])};
        status = fill_sizes(ising, shown[p].figure, shown[p].least_side, shown[p].side_end, &panels[p]);
    }
    return points_finish(report, &picture, panels, PANELS, status);
}

// ---- finite-size scaling

// A figure times a power of L, where it is reliable, against (βJ − K_c) L, or against β.
static enum status add_scaled(struct points_panel *panel, const struct ising_run *run,
                              enum ising_figure figure, double power, bool is_scaled)
{
    const int first = panel->set_count;
    const double side = side_of(run), factor = pow(side, power),
                 critical = report_ising_critical_beta(run) * run->facts.coupling;
    CHECK(report_ising_add_marks(panel, run, figure, run->colour, true));
    for (int s = first; s < panel->set_count; s++)
        for (size_t k = 0; k < run->count; k++) {
            struct point_set *set = &panel->sets[s];
            set->y[k] *= report_ising_is_trusted(run, k) ? factor : NAN;
            set->error[k] *= factor;
            if (is_scaled)
                set->x[k] = (run->beta[k] * run->facts.coupling - critical) * side;
        }
    return STATUS_OK;
}

static enum status draw_scaling(struct report *report)
{
    static const struct {
        enum ising_figure figure;
        double power;
        const char *title, *formula;
    } shown[] = {{ISING_FIGURE_SUSCEPTIBILITY, -1.75, "Susceptibility, scaled", "χ / L^(7/4)"},
                 {ISING_FIGURE_ABSOLUTE, 0.125, "Magnetisation, scaled", "⟨|m|⟩ L^(1/8)"},
                 {ISING_FIGURE_BINDER, 0, "Binder cumulant, scaled", "U₄"},
                 {ISING_FIGURE_BINDER, 0, "Binder cumulants cross at β_c", "U₄"}};
    enum { PANELS = sizeof shown / sizeof *shown, CROSSING = PANELS - 1 };
    struct points_panel panels[PANELS] = {0};
    struct points_picture picture = {
        .section = ISING_SCALING,
        .file = "together_scaling.png",
        .title = "Finite-size scaling",
        .caption = "With the exact exponents, ν = 1, 7/4 of χ and 1/8 of |m|, all sizes fall on one curve "
                   "near the critical point, and Binder's cumulants cross there. Reliable points only; lines "
                   "connect the points."};
    const struct report_ising *ising = report->state;
    const double critical = report_ising_critical_beta(&ising->runs[0]);
    enum status status = STATUS_OK;
    for (size_t p = 0; p < PANELS; p++)
        panels[p] = (struct points_panel){.title = shown[p].title,
                                          .aside = shown[p].formula,
                                          .x_name = "(β − β_c) J L",
                                          .x_low = -scaling_range,
                                          .x_high = scaling_range};
    panels[CROSSING].x_name = "β";
    panels[CROSSING].x_low = (1 - crossing_share) * critical;
    panels[CROSSING].x_high = (1 + crossing_share) * critical;
    panels[CROSSING].mark = report_ising_mark(&ising->runs[0]);
    name_runs(&picture, ising);
    report_ising_name_mark(&picture, &ising->runs[0]);
    for (size_t k = 0; k < ising->count; k++)
        for (size_t p = 0; p < PANELS && status == STATUS_OK && has_scaling(&ising->runs[k]); p++)
            status = add_scaled(&panels[p], &ising->runs[k], shown[p].figure, shown[p].power, p != CROSSING);
    if (status == STATUS_OK && isfinite(critical))
        status = points_draw(report, &picture, panels, PANELS);
    points_free(panels, PANELS);
    return status;
}

enum status report_ising_draw_together(struct report *report)
{
    CHECK(draw_sizes(report));
    CHECK(draw_scaling(report));
    return draw_ratios(report);
}
