// Exceedance curves of the points, and percentiles of the gauges' series.
#include "report/curves.h"
#include "report/hazard/report.h"
#include "report/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS_MAX = 12, POINTS_A_PICTURE = 12, PICTURES_MAX = 4 };

// ---- points

// From the last height that all members exceed to the first that none does.
static enum status add_curve(struct points_panel *panel, enum points_style style, const char *colour,
                             const double *heights_m, const double *shares, size_t count)
{
    size_t first = 0, end = 0;
    struct point_set *set;
    while (first + 1 < count && shares[first + 1] >= 1)
        first++;
    while (end < count && shares[end] > 0)
        end++;
    if (end == 0) // no member exceeds the least height
        return STATUS_OK;
    end = end < count ? end + 1 : count;
    CHECK(points_add(panel, style, colour, end - first, &set));
    for (size_t k = first; k < end; k++) {
        set->x[k - first] = heights_m[k];
        set->y[k - first] = shares[k];
    }
    return STATUS_OK;
}

static enum status fill_panel(const struct report_hazard_state *state, size_t point,
                              struct points_panel *panel, char aside[STYLE_TEXT_BYTES * 3])
{
    const struct report_hazard_points *p = &state->points;
    const double *coastal_m = p->coastal_m + point * HAZARD_SHOWN_PERCENTILES;
    char low[STYLE_TEXT_BYTES], high[STYLE_TEXT_BYTES];
    snprintf(aside, STYLE_TEXT_BYTES * 3, "5 – 95 %%: %s – %s", style_length(coastal_m[0], low),
             style_length(coastal_m[HAZARD_SHOWN_PERCENTILES - 1], high));
    *panel = (struct points_panel){.title = p->names[point],
                                   .aside = aside,
                                   .x_name = "height (m)",
                                   .has_zero = true,
                                   .is_x_logarithmic = true};
    CHECK(add_curve(panel, POINTS_LINE, "#b3261e", p->curve_m, p->coastal_curve + point * p->curve_count,
                    p->curve_count));
    return add_curve(panel, POINTS_DASHED, "#1f5f99", p->curve_m, p->crest_curve + point * p->curve_count,
                     p->curve_count);
}

static enum status draw_curves(struct report *report, size_t first, size_t reached, size_t number)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    struct points_panel *panels = calloc(POINTS_A_PICTURE, sizeof *panels);
    char(*asides)[STYLE_TEXT_BYTES * 3] = calloc(POINTS_A_PICTURE, sizeof *asides);
    struct points_picture picture = {
        .section = HAZARD_CURVES,
        .title = "Probability of exceedance",
        .caption =
            "The weight of the members whose largest height exceeds the one on the axis: at the coast by "
            "Green's law, and of the crest at the node taken. Points in the order of their 95th "
            "percentile. Drawn from 1 cm, at 20 heights a decade; where no wave reached the threshold of "
            "arrival "
            "the height at the coast counts as 0."};
    char file[32];
    size_t count = 0;
    enum status status =
        panels && asides ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for curves");
    snprintf(file, sizeof file, "exceedance_curves_%zu.png", number);
    picture.file = file;
    points_name(&picture, POINTS_LINE, "#b3261e", "at the coast");
    points_name(&picture, POINTS_DASHED, "#1f5f99", "crest at the node");
    for (; count < POINTS_A_PICTURE && first + count < reached && status == STATUS_OK; count++)
        status = fill_panel(state, state->points.order[first + count], &panels[count], asides[count]);
    if (panels)
        status = points_finish(report, &picture, panels, count, status);
    free(panels);
    free(asides);
    return status;
}

enum status report_hazard_draw_curves(struct report *report)
{
    const struct report_hazard_points *p = &report_hazard_state(report)->points;
    size_t reached = 0; // the others have nothing to show
    while (reached < p->count && p->coastal_m[(p->order[reached] + 1) * HAZARD_SHOWN_PERCENTILES - 1] > 0)
        reached++;
    for (size_t k = 0; k < PICTURES_MAX && k * POINTS_A_PICTURE < reached; k++)
        CHECK(draw_curves(report, k * POINTS_A_PICTURE, reached, k + 1));
    return STATUS_OK;
}

// ---- series

static double largest_of(const struct report_hazard_series *s, size_t gauge)
{
    const double *top = s->percentile_m + (HAZARD_SHOWN_PERCENTILES - 1) * s->times * s->count;
    double largest = 0;
    for (size_t t = 0; t < s->times; t++)
        largest = fmax(largest, fabs(top[t * s->count + gauge]));
    return largest;
}

// The gauges with the largest values, at most `most`. Returns how many.
static size_t choose_gauges(const struct report_hazard_series *s, size_t *chosen, size_t most)
{
    size_t count = 0;
    for (size_t g = 0; g < s->count; g++) {
        const double largest = largest_of(s, g);
        size_t place = count;
        while (place > 0 && largest_of(s, chosen[place - 1]) < largest)
            place--;
        if (place == most || largest < 1e-4)
            continue;
        count = count < most ? count + 1 : most;
        for (size_t k = count - 1; k > place; k--)
            chosen[k] = chosen[k - 1];
        chosen[place] = g;
    }
    return count;
}

static enum status fill_series(const struct report_hazard_state *state, size_t gauge,
                               struct curve_panel *panel)
{
    static const size_t shown[] = {4, 2, 0};
    const struct report_hazard_series *s = &state->series;
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        const double *from = s->percentile_m + shown[k] * s->times * s->count;
        double *values;
        char name[32];
        snprintf(name, sizeof name, "%g %%", state->percentiles[shown[k]]);
        CHECK(curves_add(panel, CURVE_LINE, name, &values));
        for (size_t t = 0; t < s->times; t++)
            values[t] = from[t * s->count + gauge];
    }
    return STATUS_OK;
}

enum status report_hazard_draw_series(struct report *report)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    const struct report_hazard_series *s = &state->series;
    size_t chosen[PANELS_MAX];
    if (s->count == 0 || s->times < 2)
        return STATUS_OK;
    const struct style_time_unit unit = style_time_unit(s->times_s[s->times - 1]);
    char x_name[48];
    snprintf(x_name, sizeof x_name, "time after the start (%s)", unit.name);
    const size_t count = choose_gauges(s, chosen, PANELS_MAX);
    struct curve_panel *panels = calloc(PANELS_MAX, sizeof *panels);
    enum status status = panels ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for series");
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        panels[k] = (struct curve_panel){.title = s->names[chosen[k]],
                                         .unit = "m",
                                         .count = s->times,
                                         .x = s->times_s,
                                         .x_unit = unit.seconds,
                                         .x_name = x_name,
                                         .has_key = true};
        status = fill_series(state, chosen[k], &panels[k]);
    }
    const struct curves_picture picture = {
        HAZARD_SERIES, "series.png", "Percentiles of the gauges' series",
        "At each time the elevation that so many per cent of the members do not exceed, by their weight. A "
        "curve is not the series of one member. The gauges with the largest values."};
    if (status == STATUS_OK && count > 0)
        status = curves_draw(report, &picture, panels, count);
    if (panels)
        curves_free(panels, PANELS_MAX);
    free(panels);
    return status;
}
