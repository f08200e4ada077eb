// The series of the first replica of an Ising run at some temperatures: the beginning, the end of the
// thermalisation, and the whole series of the magnetisation.
#include "report/ising/report.h"
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_MAX = 3, POINTS_MOST = 2000, PANELS_OF_EACH = 2, LEAST_BEGIN = 400 };

bool report_ising_has_series(const struct ising_run *run, const struct result_file *file, size_t *records)
{
    const struct result_variable *energy = result_find(file, "energy"),
                                 *magnetisation = result_find(file, "magnetisation");
    if (!energy || !magnetisation || energy->is_text || magnetisation->is_text || energy->rank < 1 ||
        magnetisation->rank != energy->rank || run->count == 0 || !isfinite(run->end[0]))
        return false;
    for (int k = 0; k < energy->rank; k++)
        if (magnetisation->lengths[k] != energy->lengths[k])
            return false;
    *records = energy->lengths[0];
    return *records >= run->count && *records % run->count == 0;
}

struct ising_window report_ising_window_of(const struct ising_run *run, size_t records, size_t temperature)
{
    const size_t count = records / run->count;
    const double end = run->end[temperature], begin = temperature > 0 ? run->end[temperature - 1] : 0;
    return (struct ising_window){.first = temperature * count,
                                 .count = count,
                                 .every = (end - begin) / (double)count,
                                 .cut = run->thermalisation[temperature],
                                 .beta = run->beta[temperature]};
}

// Adds the first replica's measurements at a temperature as a curve, thinned so that no peak is lost.
static enum status add_series(struct points_panel *panel, const struct result_file *file,
                              const struct result_variable *v, const struct ising_window *w, size_t count,
                              const char *colour)
{
    double *values = malloc((2 * count + 1) * sizeof *values), *sweeps = values + (values ? count : 0);
    float *singles = malloc((count + 1) * sizeof *singles);
    struct panel_points points = {0};
    if (!values || !singles) {
        free(values);
        free(singles);
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a series of %zu", count);
    }
    enum status status = result_read(file, v->name, (size_t[RESULT_RANK_MAX]){w->first},
                                     (size_t[RESULT_RANK_MAX]){count, 1, 1, 1}, values);
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        singles[k] = (float)values[k];
        sweeps[k] = (double)(k + 1) * w->every;
    }
    const struct panels_series series = {count, sweeps, singles};
    if (status == STATUS_OK)
        status = panels_thin_out(&series, 0, INFINITY, 1, 1, POINTS_MOST, &points);
    struct point_set *set;
    if (status == STATUS_OK)
        status = points_add(panel, POINTS_THIN, colour, points.count, &set);
    for (size_t k = 0; status == STATUS_OK && k < points.count; k++) {
        set->x[k] = points.xy[2 * k];
        set->y[k] = points.xy[2 * k + 1];
    }
    free(points.xy);
    free(values);
    free(singles);
    return status;
}

// Long enough for the thermalisation and some sweeps after it.
static size_t beginning(const struct ising_window *w)
{
    const double wanted = isfinite(w->cut) ? fmax(4 * w->cut / w->every, LEAST_BEGIN) : (double)w->count;
    return wanted < (double)w->count ? (size_t)wanted : w->count;
}

struct panel_text {
    char title[48];
};

static enum status fill_temperature(const struct result_file *file, const struct ising_window *w,
                                    struct points_panel *panels, struct panel_text *text)
{
    const struct result_variable *energy = result_find(file, "energy"),
                                 *magnetisation = result_find(file, "magnetisation");
    static const char *const names[PANELS_OF_EACH] = {"E/N at the beginning", "M/N"};
    for (size_t k = 0; k < PANELS_OF_EACH; k++) {
        snprintf(text[k].title, sizeof text[k].title, "β = %.6g", w->beta);
        panels[k] = (struct points_panel){.title = text[k].title,
                                          .aside = names[k],
                                          .x_name = "sweeps at this temperature",
                                          .mark = isfinite(w->cut) ? w->cut : 0};
    }
    CHECK(add_series(&panels[0], file, energy, w, beginning(w), report_ising_colour(0, 1)));
    return add_series(&panels[1], file, magnetisation, w, w->count, report_ising_colour(0, 1));
}

static enum status draw(struct report *report, const struct ising_run *run, const struct result_file *file,
                        size_t records)
{
    struct points_picture picture = {
        .section = ISING_SERIES,
        .file = "series.png",
        .title = "Series",
        .caption = "Measurements of the first replica: on the left the beginning of the energy, on the right "
                   "all of the magnetisation. The thermalisation, left of the dashed line, is not counted."};
    struct points_panel panels[PANELS_OF_EACH * SHOWN_MAX] = {0};
    struct panel_text texts[PANELS_OF_EACH * SHOWN_MAX];
    size_t selected[ISING_SELECTED_MAX];
    const size_t count = report_ising_select(run, SHOWN_MAX, selected);
    points_name(&picture, POINTS_ACROSS, "#777777", "counted from here");
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        const struct ising_window w = report_ising_window_of(run, records, selected[k]);
        status = fill_temperature(file, &w, panels + PANELS_OF_EACH * k, texts + PANELS_OF_EACH * k);
    }
    return points_finish(report, &picture, panels, PANELS_OF_EACH * SHOWN_MAX, status);
}

enum status report_ising_draw_series(struct report *report, const struct ising_run *run)
{
    struct result_file *file;
    size_t records;
    CHECK(report_open_file(NULL, run->directory, "series.nc", &file));
    enum status status = STATUS_OK;
    if (file && report_ising_has_series(run, file, &records))
        status = draw(report, run, file, records);
    result_close(file);
    return status;
}
