// The table of the gauges on the page of a tsunami: positions, arrivals, peaks, and the errors against
// observations.
#include "report/page.h"
#include "report/tsunami/report.h"

#include <math.h>

// A height, and under it its time.
static void write_peak_cell(FILE *page, double height_m, double time_s)
{
    char height[STYLE_TEXT_BYTES], time[STYLE_TEXT_BYTES];
    if (isfinite(height_m) && isfinite(time_s))
        report_table_value(page, height_m, style_length(height_m, height), style_duration(time_s, time));
    else
        report_table_value(page, NAN, "–", "");
}

// The highest level; "< least height" where no wave arrived.
static void write_level_cell(FILE *page, const struct report *report, const struct report_gauge *gauge)
{
    char least[STYLE_TEXT_BYTES];
    const double least_m = report_tsunami_least_height_m(report_tsunami_waves(report));
    if (report_tsunami_gauge_size_m(gauge) < least_m)
        fprintf(page, "<td data-sort=\"0\">&lt; %s</td>", style_length(least_m, least));
    else
        write_peak_cell(page, gauge->maximum_m, gauge->maximum_s);
}

// The usual time between two samples of a record.
static double sampling_s(const struct panels_series *series)
{
    return series->count > 1
               ? (series->times_s[series->count - 1] - series->times_s[0]) / (double)(series->count - 1)
               : 0;
}

// The observed peak and the model's errors. The criteria are those of an operational forecast (NOAA PMEL-135;
// Synolakis et al. 2007): height within 20 % where more than 0.5 m was observed, else within 0.3 m; time
// within 3 % of the travel time, here plus one sampling interval of the record.
static void write_observed_cells(FILE *page, const struct report_gauge *gauge)
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(gauge->observed_peak_s)) {
        fputs("<td>–</td><td>–</td><td>–</td>", page);
        return;
    }
    double late_s = gauge->first_peak_s - gauge->observed_peak_s;
    double above_m = gauge->first_peak_m - gauge->observed_peak_m;
    bool is_timely = fabs(late_s) <= 0.03 * gauge->observed_peak_s + sampling_s(&gauge->observed);
    bool is_high = gauge->observed_peak_m > 0.5;
    bool is_accurate = fabs(above_m) <= (is_high ? 0.2 * gauge->observed_peak_m : 0.3);
    write_peak_cell(page, gauge->observed_peak_m, gauge->observed_peak_s);
    fprintf(page, "<td class=\"%s\" data-sort=\"%.6g\">%s%s %s<small>%.1f %%</small></td>",
            is_timely ? "good" : "bad", late_s, late_s < 0 ? "−" : "+", style_duration(fabs(late_s), text),
            is_timely ? "✓" : "✗", 100 * fabs(late_s) / gauge->observed_peak_s);
    fprintf(page, "<td class=\"%s\" data-sort=\"%.6g\">%s%s %s<small>%.0f %%</small></td>",
            is_accurate ? "good" : "bad", above_m, above_m < 0 ? "−" : "+", style_length(fabs(above_m), text),
            is_accurate ? "✓" : "✗", 100 * fabs(above_m) / fabs(gauge->observed_peak_m));
}

static void write_gauge_row(FILE *page, const struct report *report, const struct report_gauge *gauge,
                            bool has_observed)
{
    char text[STYLE_TEXT_BYTES];
    report_table_row(page, gauge->name, "");
    if (report_tsunami_waves(report)->is_geographic)
        style_position(gauge->longitude, gauge->latitude, text);
    else
        snprintf(text, sizeof text, isfinite(gauge->longitude) ? "%.5g, %.5g" : "–", gauge->longitude,
                 gauge->latitude);
    report_table_cell(page, text, "");
    report_table_value(page, gauge->distance_m, style_length(gauge->distance_m, text), "");
    report_table_value(page, gauge->depth_m, style_length(gauge->depth_m, text), "");
    report_table_time(page, report, gauge->arrival_s, style_duration(gauge->arrival_s, text));
    write_peak_cell(page, gauge->first_peak_m, gauge->first_peak_s);
    write_level_cell(page, report, gauge);
    if (has_observed)
        write_observed_cells(page, gauge);
    fputs("</tr>\n", page);
}

void report_tsunami_gauge_table(FILE *page, const struct report *report)
{
    enum { COLUMNS = 7, OBSERVED_COLUMNS = 3 };
    const struct report_waves *waves = report_tsunami_waves(report);
    const char *const headings[] = {"Gauge",
                                    waves->is_geographic ? "Position" : "x, y (m)",
                                    "Distance<br>to node",
                                    "Depth",
                                    "Arrival",
                                    "First<br>peak",
                                    "Highest<br>level",
                                    "Observed<br>peak",
                                    "Time<br>error",
                                    "Height<br>error"};
    char text[STYLE_TEXT_BYTES];
    bool has_observed = false;
    for (size_t k = 0; k < waves->gauge_count; k++)
        has_observed |= waves->gauges[k].observed.count > 0;
    double epoch_s;
    if (!report_tsunami_has_points(report) && report_page_epoch(report, &epoch_s))
        fputs("<p class=\"offset-place\"></p>\n", page);
    report_table_sortable(page, headings, COLUMNS + (has_observed ? OBSERVED_COLUMNS : 0));
    for (size_t k = 0; k < waves->gauge_count; k++)
        write_gauge_row(page, report, &waves->gauges[k], has_observed);
    report_table_end(page, NULL);
    fprintf(page,
            "<p class=\"soft\">Arrival: the first time at which the level stands %s above the level that the "
            "source left, on land above the ground; –: not within the run. First peak: the first crest after "
            "the arrival that is at least a fifth as high as the largest height above the level that the "
            "source left, and after which the level falls by half of the crest's height; –: no such crest "
            "before the record ended.",
            style_length(waves->arrival_threshold_m, text));
    if (waves->far_field_m > 0)
        fprintf(
            page,
            " Series are corrected for the far field, over an ocean of %s: the water's compressibility, the "
            "Earth's elasticity and gravity and the finite depth delay the waves. Maps are not.",
            style_length(waves->far_field_m, text));
    if (has_observed)
        fputs(
            " Observed: the highest sample within ±20 % of the model's travel time, which excludes seismic "
            "waves; –: no crest there. Errors are model minus observation; ✓: height within 20 % where more "
            "than 0.5 m was observed, else within 0.3 m; time within 3 % of the travel time plus one sample.",
            page);
    fputs("</p>\n", page);
}
