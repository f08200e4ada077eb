// Energy, virial ratio, Lagrangian radii and what is conserved, against time, in an N-body report. Knows diagnostics.nc.
#include "cli/report_nbody.h"
#include "cli/report_panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES_MAX = 8, PANELS_MAX = 6 };
static const char *const colours[CURVES_MAX] = {"#1f5f99", "#d9772b", "#444444", "#1d7a45",
                                                "#b0123b", "#6f4fa3", "#7a5230", "#c2549f"};

// As they stand in the file; vectors [count][3], radii [count][shares]. Owned; NULL where the file has none.
struct series {
    const struct result_file *file;
    size_t count, shares;
    double *time, *kinetic, *potential, *momentum, *angular, *centre, *scale, *virial, *radii, *share;
};

struct curve {
    char name[32];
    double *values; // [count]; owned
};

struct panel {
    const char *title, *formula; // what is shown
    char unit[32];
    bool is_logarithmic, has_zero;
    int count;
    struct curve curves[CURVES_MAX];
};

static enum status read_one(const struct series *s, const char *name, size_t width, double **values)
{
    const struct result_variable *v = result_find(s->file, name);
    size_t length;
    if (!v || v->is_text || v->rank != (width > 1 ? 2 : 1) || v->lengths[0] != s->count ||
        (width > 1 && v->lengths[1] != width))
        return STATUS_OK;
    return result_read_all(s->file, name, values, &length);
}

static enum status read_series(struct series *s)
{
    const struct result_variable *radii = result_find(s->file, "lagrangian_radius");
    CHECK(result_read_all(s->file, "time", &s->time, &s->count));
    CHECK(read_one(s, "energy_kinetic", 1, &s->kinetic));
    CHECK(read_one(s, "energy_potential", 1, &s->potential));
    CHECK(read_one(s, "momentum", NBODY_SPACE, &s->momentum));
    CHECK(read_one(s, "angular_momentum", NBODY_SPACE, &s->angular));
    CHECK(read_one(s, "centre_of_mass", NBODY_SPACE, &s->centre));
    CHECK(read_one(s, "momentum_scale", 1, &s->scale));
    CHECK(read_one(s, "virial_ratio", 1, &s->virial));
    if (!radii || radii->rank != 2 || !result_find(s->file, "mass_fraction"))
        return STATUS_OK;
    CHECK(result_read_all(s->file, "mass_fraction", &s->share, &s->shares));
    return s->shares > 1 ? read_one(s, "lagrangian_radius", s->shares, &s->radii) : STATUS_OK;
}

static void free_series(struct series *s)
{
    double *const all[] = {s->time,  s->kinetic, s->potential, s->momentum, s->angular,
                           s->scale, s->virial,  s->radii,     s->share,    s->centre};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

// ---- the panels

static double *add_curve(struct panel *panel, size_t count, const char *name)
{
    struct curve *curve = &panel->curves[panel->count];
    curve->values = calloc(count + 1, sizeof *curve->values);
    if (!curve->values)
        return NULL;
    snprintf(curve->name, sizeof curve->name, "%s", name);
    panel->count++;
    return curve->values;
}

static bool fill_energy(const struct report *report, const struct series *s, struct panel *panel)
{
    panel->title = "Energy";
    snprintf(panel->unit, sizeof panel->unit, "%s", report->nbody.is_si ? "J" : "");
    if (!s->kinetic || !s->potential)
        return true;
    double *kinetic = add_curve(panel, s->count, "kinetic"),
           *potential = add_curve(panel, s->count, "potential"), *total = add_curve(panel, s->count, "total");
    for (size_t k = 0; k < s->count && kinetic && potential && total; k++) {
        kinetic[k] = s->kinetic[k];
        potential[k] = s->potential[k];
        total[k] = kinetic[k] + potential[k];
    }
    panel->has_zero = true;
    return total != NULL;
}

static bool fill_energy_error(const struct series *s, struct panel *panel)
{
    panel->title = "Energy error";
    panel->formula = "ΔE/|E₀|";
    if (!s->kinetic || !s->potential)
        return true;
    const double first = s->kinetic[0] + s->potential[0];
    double *change = add_curve(panel, s->count, "");
    for (size_t k = 0; k < s->count && change; k++)
        change[k] = (s->kinetic[k] + s->potential[k] - first) / (first != 0 ? fabs(first) : NAN);
    panel->has_zero = true;
    return change != NULL;
}

static bool fill_virial(const struct series *s, struct panel *panel)
{
    panel->title = "Virial ratio";
    panel->formula = "2K/|W|";
    double *ratio = s->virial ? add_curve(panel, s->count, "") : NULL;
    for (size_t k = 0; k < s->count && ratio; k++)
        ratio[k] = s->virial[k];
    return ratio || !s->virial;
}

static bool fill_radii(const struct report *report, const struct series *s, struct panel *panel)
{
    panel->title = "Radii that hold a share of the mass";
    panel->is_logarithmic = true;
    if (!s->radii || !(s->radii[s->shares / 2] > s->radii[0])) // of two or three bodies they are one curve
        return true;
    const struct nbody_unit unit = nbody_length_unit(report, s->radii[s->shares / 2]);
    snprintf(panel->unit, sizeof panel->unit, "%s", unit.name);
    for (size_t c = 0; c < s->shares && c < CURVES_MAX; c++) {
        char name[32];
        snprintf(name, sizeof name, "%g %%", 100 * s->share[c]);
        double *values = add_curve(panel, s->count, name);
        if (!values)
            return false;
        for (size_t k = 0; k < s->count; k++)
            values[k] = s->radii[k * s->shares + c] / unit.size;
    }
    return true;
}

static double length_of(const double *vectors, size_t k)
{
    double sum = 0;
    for (size_t axis = 0; axis < NBODY_SPACE; axis++)
        sum += pow(vectors[NBODY_SPACE * k + axis] - vectors[axis], 2);
    return sqrt(sum);
}

// Of a vector, from its first value, as a part of a scale.
static bool fill_change(const struct series *s, const double *vectors, double scale, struct panel *panel)
{
    double *change = vectors && scale > 0 ? add_curve(panel, s->count, "") : NULL;
    for (size_t k = 0; k < s->count && change; k++)
        change[k] = length_of(vectors, k) / scale;
    panel->has_zero = true;
    return change || !vectors || !(scale > 0);
}

static double magnitude_of(const double *vector)
{
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

// What the momenta are measured by: Σ m|v|, and the same times the radius of half the mass, or L₀ if that is more (of a planet and
// a star half of the mass is the star); the largest over the run, since a cold start has none.
static void momentum_scales(const struct series *s, double *linear, double *angular)
{
    *linear = 0;
    *angular = s->angular && s->count > 0 ? magnitude_of(s->angular) : 0;
    for (size_t k = 0; k < s->count && s->scale; k++) {
        *linear = fmax(*linear, s->scale[k]);
        if (s->radii)
            *angular = fmax(*angular, s->scale[k] * s->radii[k * s->shares + s->shares / 2]);
    }
}

static double largest_of(const struct panel *panel, size_t count)
{
    double largest = panel->count > 0 ? 0 : NAN;
    for (size_t k = 0; k < count && panel->count > 0; k++)
        if (isfinite(panel->curves[0].values[k]))
            largest = fmax(largest, fabs(panel->curves[0].values[k]));
    return largest;
}

enum { ENERGY, RADII, ENERGY_ERROR, VIRIAL, MOMENTUM, ANGULAR };

static enum status fill_panels(struct report *report, const struct series *s, struct panel panels[PANELS_MAX])
{
    double linear, angular;
    momentum_scales(s, &linear, &angular);
    panels[MOMENTUM].title = "Momentum error";
    panels[MOMENTUM].formula = "|ΔP|/Σm|v|";
    panels[ANGULAR].title = "Angular momentum error";
    panels[ANGULAR].formula = "|ΔL|/max(|L₀|, r½Σm|v|)";
    const bool is_filled = fill_energy(report, s, &panels[ENERGY]) &&
                           fill_energy_error(s, &panels[ENERGY_ERROR]) && fill_virial(s, &panels[VIRIAL]) &&
                           fill_radii(report, s, &panels[RADII]) &&
                           fill_change(s, s->momentum, linear, &panels[MOMENTUM]) &&
                           fill_change(s, s->angular, angular, &panels[ANGULAR]);
    if (!is_filled)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
    struct report_nbody *n = &report->nbody;
    n->energy_change = largest_of(&panels[ENERGY_ERROR], s->count);
    n->momentum_change = largest_of(&panels[MOMENTUM], s->count);
    n->angular_change = largest_of(&panels[ANGULAR], s->count);
    n->virial_ratio = s->virial && s->count > 0 ? s->virial[s->count - 1] : NAN;
    return STATUS_OK;
}

// ---- drawing

// 10ⁿ at or below a size, as text: "10⁻⁶"; 1 and no text for sizes that are read as they are.
static double power_of_ten(double size, char *text, size_t bytes)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = size > 0 ? (int)floor(log10(size)) : 0;
    text[0] = '\0';
    if (power >= -1 && power <= 3)
        return 1;
    const int size_of_power = abs(power);
    if (size_of_power >= 10)
        snprintf(text, bytes, "10%s%s%s", power < 0 ? "⁻" : "", digits[size_of_power / 10 % 10],
                 digits[size_of_power % 10]);
    else
        snprintf(text, bytes, "10%s%s", power < 0 ? "⁻" : "", digits[size_of_power]);
    return pow(10, power);
}

static bool range_of(const struct panel *panel, size_t count, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int c = 0; c < panel->count; c++)
        for (size_t k = 0; k < count; k++) {
            const double value = panel->curves[c].values[k];
            if (isfinite(value) && (!panel->is_logarithmic || value > 0)) {
                *low = fmin(*low, value);
                *high = fmax(*high, value);
            }
        }
    if (panel->has_zero) {
        *low = fmin(*low, 0);
        *high = fmax(*high, 0);
    }
    return *high >= *low;
}

// At the right of a panel's title: what is shown, in which unit.
static void script_title(struct plot *plot, const struct panel *panel, const char *power)
{
    char unit[72] = "", aside[STYLE_TEXT_BYTES * 2];
    if (power[0] || panel->unit[0])
        snprintf(unit, sizeof unit, "%sin %s%s%s", panel->formula ? ", " : "", power,
                 power[0] && panel->unit[0] ? " " : "", panel->unit);
    snprintf(aside, sizeof aside, "%s%s", panel->formula ? panel->formula : "", unit);
    panels_title(plot, panel->title, aside);
}

// What the numbers on the axis are multiplied with.
static double script_value_axis(struct plot *plot, const struct panel *panel, double low, double high)
{
    char power[32] = "";
    if (panel->is_logarithmic) {
        const struct style_scale scale = {.kind = STYLE_LOG, .low = low / 1.2, .high = high * 1.2};
        double ticks[STYLE_TICKS_MAX];
        const size_t count = style_scale_ticks(&scale, ticks);
        script_title(plot, panel, power);
        fprintf(plot->script, "set logscale y\nset yrange [%.8g:%.8g]\nset ytics (", scale.low, scale.high);
        for (size_t k = 0; k < count; k++)
            fprintf(plot->script, "%s'%g' %.8g", k ? ", " : "", ticks[k], ticks[k]);
        fprintf(plot->script, ")\n");
        return 1;
    }
    const double unit = power_of_ten(fmax(fabs(low), fabs(high)), power, sizeof power),
                 range = high > low ? high - low : fmax(fabs(high), 1e-300), margin = 0.08 * range;
    script_title(plot, panel, power);
    fprintf(plot->script, "unset logscale y\nset format y '%%g'\nset yrange [%.8g:%.8g]\nset ytics %.8g\n",
            (low - margin) / unit, (high + margin) / unit, style_step((range + 2 * margin) / unit, 6));
    return unit;
}

// Where the names of curves stand, as a part of the panel's height: beside where each ends, but not on one another.
static void place_names(const struct panel *panel, size_t count, double low, double high,
                        double places[CURVES_MAX])
{
    enum { GAP_PERCENT = 8 };
    int order[CURVES_MAX];
    double above = 1 - 0.01 * GAP_PERCENT * (panel->count - 1);
    for (int c = 0; c < panel->count; c++) {
        const double last = panel->curves[c].values[count - 1];
        places[c] = panel->is_logarithmic ? log(last / low * 1.2) / log(high / low * 1.44)
                                          : (last - low + 0.08 * (high - low)) / (1.16 * (high - low));
        int k = c;
        for (; k > 0 && places[order[k - 1]] > places[c]; k--)
            order[k] = order[k - 1];
        order[k] = c;
    }
    // From the lowest up, each no higher than leaves room for those above it.
    double below = -INFINITY;
    for (int k = 0; k < panel->count; k++, above += 0.01 * GAP_PERCENT) {
        double *place = &places[order[k]];
        *place = fmin(fmax(*place, below + 0.01 * GAP_PERCENT), above);
        below = *place;
    }
}

// Names of the curves, at the right of the panel.
static void script_names(struct plot *plot, const struct panel *panel, size_t count, double low, double high)
{
    char font[64];
    double places[CURVES_MAX];
    plot_font(plot, 11.5, true, font);
    place_names(panel, count, low, high, places);
    for (int c = 0; c < panel->count && panel->count > 1; c++)
        if (isfinite(places[c]))
            fprintf(plot->script,
                    "set label %d '%s' at graph 1,%.4f offset character 0.7,0 left font '%s' textcolor rgb "
                    "'%s'\n",
                    20 + c, panel->curves[c].name, places[c], font, colours[c]);
}

static enum status script_curves(struct plot *plot, const struct panel *panel, const struct series *s,
                                 double time_unit, double unit)
{
    enum { POINTS_MOST = 4000 };
    float *values = malloc((s->count + 1) * sizeof *values);
    enum status status =
        values ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
    for (int c = 0; c < panel->count && status == STATUS_OK; c++) {
        char file[PLOT_FILE_BYTES];
        struct panel_points points = {0};
        for (size_t k = 0; k < s->count; k++)
            values[k] = (float)(panel->curves[c].values[k] / unit);
        const struct report_series series = {s->count, s->time, values};
        status =
            panels_thin_out(&series, s->time[0], s->time[s->count - 1], time_unit, 1, POINTS_MOST, &points);
        if (status == STATUS_OK)
            status = panels_write_points(plot, &points, file);
        free(points.xy);
        fprintf(plot->script,
                "%s'%s' binary format='%%float%%float' using 1:2 with lines linewidth 1.4 linecolor rgb '%s' "
                "notitle",
                c == 0 ? "plot " : ", ", file, colours[c]);
    }
    fprintf(plot->script, "\n");
    free(values);
    return status;
}

static enum status script_panel(struct plot *plot, struct panel *panel, const struct series *s,
                                const struct nbody_unit *time, bool has_label)
{
    double low, high;
    const double begin = s->time[0] / time->size;
    double end = s->time[s->count - 1] / time->size;
    const double step = style_step(end - begin, 8), last = step * round(end / step);
    if (fabs(end - last) < 1e-4 * (end - begin)) // a year is no whole number of days
        end = last;
    if (!range_of(panel, s->count, &low, &high))
        return STATUS_OK;
    fprintf(plot->script, "unset label\n");
    fprintf(plot->script, "set xrange [%.10g:%.10g]\nset xtics %.10g\n", begin, end, step);
    if (has_label)
        fprintf(plot->script, "set xlabel 'time (%s)' offset 0,0.3\n",
                time->name[0] ? time->name : "N-body units");
    else
        fprintf(plot->script, "unset xlabel\n");
    const double unit = script_value_axis(plot, panel, low, high);
    script_names(plot, panel, s->count, low, high);
    return script_curves(plot, panel, s, time->size, unit);
}

static enum status draw(struct report *report, struct panel *panels, const struct series *s)
{
    struct panel *shown[PANELS_MAX];
    size_t count = 0;
    for (size_t k = 0; k < PANELS_MAX; k++)
        if (panels[k].count > 0)
            shown[count++] = &panels[k];
    const double scale = report->options.width_px / 1600.;
    struct panels layout = panels_layout(report->options.width_px, scale, count, 300);
    layout.right = 100 * scale; // for the curves' names
    layout.gap_x = 180 * scale;
    layout.width = (report->options.width_px - layout.left - layout.right -
                    layout.gap_x * (double)(layout.columns - 1)) /
                   (double)layout.columns;
    struct report_picture *picture =
        count > 0 ? report_add_picture(report, REPORT_DIAGNOSTICS, "diagnostics.png",
                                       report->options.width_px, panels_height(&layout))
                  : NULL;
    if (!picture)
        return STATUS_OK;
    const struct nbody_unit time = nbody_time_unit(report, fabs(s->time[s->count - 1]));
    snprintf(picture->title, sizeof picture->title, "Energy, radii, and what is conserved");
    snprintf(picture->caption, sizeof picture->caption,
             "Energies with the softened potential; radii about the centre of mass that hold a share of the "
             "mass; errors: what changed since the start, where r½ is the radius of half the mass.");
    struct plot plot;
    enum status status = plot_start(&plot, report->pictures_directory, picture->file, picture->width_px,
                                    picture->height_px, scale);
    if (status == STATUS_OK)
        panels_begin(&plot);
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        panels_box(&plot, &layout, k);
        status = script_panel(&plot, shown[k], s, &time, k + layout.columns >= count);
    }
    if (status == STATUS_OK) {
        panels_empty_plot(&plot);
        panels_heading(&plot, report, layout.left, picture->title);
        fprintf(plot.script, "plot NaN notitle\n");
    }
    return plot_finish(&plot, status);
}

enum status report_draw_nbody_series(struct report *report)
{
    struct series s = {.file = report_outermost(report)->diagnostics};
    struct panel panels[PANELS_MAX] = {0};
    if (!result_find(s.file, "time"))
        return STATUS_OK;
    enum status status = read_series(&s);
    if (status == STATUS_OK && s.count > 1) {
        status = fill_panels(report, &s, panels);
        if (status == STATUS_OK)
            status = draw(report, panels, &s);
    }
    for (size_t k = 0; k < PANELS_MAX; k++)
        for (int c = 0; c < panels[k].count; c++)
            free(panels[k].curves[c].values);
    free_series(&s);
    return status;
}
