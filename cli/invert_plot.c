// The picture of an inversion: each station's record over the sum of the sources, its window shaded (see
// invert_print.h).
#include "cli/invert_print.h"

#include "report/plot.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH_PX = 1600, PANEL_HEIGHT_PX = 330, TOP_PX = 120, BOTTOM_PX = 40, LEFT_PX = 130, GAP_PX = 90 };

static const char observed_colour[] = "#d9772b", fitted_colour[] = "#1f5f99", forecast_colour[] = "#2b8a5a";

// The times shown: the window, and half of its length before and after it.
static void shown(const struct invert_fit *fit, double *begin_s, double *end_s)
{
    const double margin_s = 0.5 * (fit->end_s - fit->begin_s);
    *begin_s = fmax(0, fit->begin_s - margin_s);
    *end_s = fit->end_s + margin_s;
}

// The range of heights in the window: earlier seismic waves would make the axis too long.
static void heights(const struct invert_report *report, size_t s, double *low_m, double *high_m)
{
    const struct invert_series *record = &report->data->stations[s].observed;
    const struct invert_fit *fit = &report->result->fits[s];
    *low_m = *high_m = 0;
    for (size_t k = 0; k < record->samples; k++) {
        if (record->times_s[k] < fit->begin_s || record->times_s[k] > fit->end_s)
            continue;
        *low_m = fmin(*low_m, fmin(record->eta_m[k], fit->fitted_m[k]));
        *high_m = fmax(*high_m, fmax(record->eta_m[k], fit->fitted_m[k]));
    }
    *low_m -= 0.1 * (*high_m - *low_m) + 1e-4;
    *high_m += 0.1 * (*high_m - *low_m) + 1e-4;
}

static enum status plot_series(struct plot *plot, const struct invert_series *record, const double *values_m,
                               char file[PLOT_FILE_BYTES])
{
    double *pairs = malloc(2 * record->samples * sizeof *pairs);
    if (!pairs)
        return FAIL(STATUS_SYSTEM, "not enough memory to draw %zu samples", record->samples);
    for (size_t k = 0; k < record->samples; k++) {
        pairs[2 * k] = record->times_s[k];
        pairs[2 * k + 1] = values_m[k];
    }
    const enum status status = plot_data(plot, pairs, 2 * record->samples * sizeof *pairs, file);
    free(pairs);
    return status;
}

static void script_axes(struct plot *plot, const struct invert_report *report, size_t s, size_t row,
                        bool is_last)
{
    const struct invert_fit *fit = &report->result->fits[s];
    char text[128], quoted[512], font[64];
    double begin_s, end_s, low_m, high_m;
    const struct plot_box box = {.left = LEFT_PX,
                                 .top = TOP_PX + (double)row * (PANEL_HEIGHT_PX + GAP_PX),
                                 .width = WIDTH_PX - LEFT_PX - 50,
                                 .height = PANEL_HEIGHT_PX};
    plot_box(plot, &box);
    shown(fit, &begin_s, &end_s);
    heights(report, s, &low_m, &high_m);
    fprintf(plot->script, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\nset ylabel 'elevation (m)'\n",
            begin_s, end_s, low_m, high_m);
    fprintf(plot->script, "%s\n", is_last ? "set xlabel 'time after the event (s)'" : "unset xlabel");
    fprintf(plot->script,
            "set object 1 rectangle from first %.10g,graph 0 to first %.10g,graph 1 back fillcolor rgb "
            "'#f3f1ea' fillstyle solid noborder\n",
            fit->begin_s, fit->end_s);
    snprintf(text, sizeof text, "%s, %s: rms %.3f m, %.1f %% of the variance", report->choices[s].name,
             invert_role_name(report->choices[s].role), fit->rms_m, 100 * fit->variance_reduction);
    fprintf(plot->script, "set label 1 %s at graph 0,1 offset character 0,0.75 left font '%s'\n",
            style_quote(text, 100, quoted, sizeof quoted), plot_font(plot, 14, true, font));
}

static enum status script_station(struct plot *plot, const struct invert_report *report, size_t s, size_t row,
                                  bool is_last)
{
    const struct invert_series *record = &report->data->stations[s].observed;
    const bool is_fitted = report->choices[s].role == INVERT_FITTED;
    char observed[PLOT_FILE_BYTES], fitted[PLOT_FILE_BYTES];
    CHECK(plot_series(plot, record, record->eta_m, observed));
    CHECK(plot_series(plot, record, report->result->fits[s].fitted_m, fitted));
    script_axes(plot, report, s, row, is_last);
    fprintf(plot->script,
            "plot '%s' binary format='%%double%%double' using 1:2 with linespoints pointtype 7 pointsize 0.7 "
            "linewidth 0.6 linecolor rgb '%s' title 'observed', '%s' binary format='%%double%%double' using "
            "1:2 with lines linewidth 1.8 linecolor rgb '%s' title '%s'\n",
            observed, observed_colour, fitted, is_fitted ? fitted_colour : forecast_colour,
            is_fitted ? "sum of the sources, fitted" : "sum of the sources, not fitted here");
    return STATUS_OK;
}

static enum status script(struct plot *plot, const struct invert_report *report, size_t stations)
{
    char font[64];
    fprintf(plot->script,
            "set multiplot\nset grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\n"
            "set tics font '%s'\nset key top right samplen 2 font '%s'\n",
            plot_font(plot, 12.5, false, font), font);
    plot_heading(plot, "Unit sources and observations", report->database, LEFT_PX, WIDTH_PX - LEFT_PX);
    for (size_t s = 0; s < stations; s++)
        CHECK(script_station(plot, report, s, s, s + 1 == stations));
    fprintf(plot->script, "unset multiplot\n");
    return STATUS_OK;
}

enum status invert_draw(const struct invert_report *report, const char *folder, const char *name)
{
    const size_t all = report->request->station_count,
                 stations = all < INVERT_PICTURE_STATIONS_MAX ? all : INVERT_PICTURE_STATIONS_MAX;
    struct plot plot;
    CHECK(plot_check_gnuplot());
    enum status status = plot_start(&plot, folder, name, WIDTH_PX,
                                    TOP_PX + BOTTOM_PX + (int)stations * (PANEL_HEIGHT_PX + GAP_PX), 1.0);
    if (status == STATUS_OK)
        status = script(&plot, report, stations);
    return plot_finish(&plot, status);
}
