// The suite `tsunami-field`: earthquakes of the past on real bathymetry, against what buoys in the deep ocean
// recorded, by the criteria for operational forecasts; and Okushiri (okushiri.c).
#include "validate/case_job.h"
#include "validate/tsunami/suites.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// The first crest is the largest value between begin and end: after the seismic waves that a record begins
// with, and before reflections. Both windows are the same.
struct buoy {
    const char *name, *file;
    double begin_s, end_s;
    double interval_s; // of the record then
    // Whether the height is judged. Not where it differs because of the source: its time is the program's
    // then, its height is shown for comparison.
    bool is_height_shown;
};

struct event {
    const char *grid, *job_changes; // keys and values, as JSON, of what differs from the job among the data
    const char *coarse_spacing;     // of a second run, whose heights are shown and not judged; NULL: none
    const struct buoy *buoys;
    int buoy_count;
};

static const char source[] = "DART record among the benchmark files";

// PMEL-135 (Synolakis et al. 2007), operational forecasts: where more than 0.5 m was observed, within 20 % of
// it; else within 0.3 m. The first crest within 3 % of the travel time, and one sampling interval of the
// record.
static enum status measure_buoy(struct validation_run *run, const struct buoy *buoy,
                                const struct case_series *observed, const struct case_series *series)
{
    const size_t seen = case_series_largest(observed, buoy->begin_s, buoy->end_s),
                 made = case_series_largest(series, buoy->begin_s, buoy->end_s);
    char quantity[VALIDATION_NAME_BYTES];
    if (seen == observed->count)
        return FAIL(STATUS_DATA, "%s: has no values between %g and %g s", buoy->file, buoy->begin_s,
                    buoy->end_s);
    const double height_m = observed->value[seen];
    const double computed_m = made < series->count ? series->value[made] : (double)NAN;
    snprintf(quantity, sizeof quantity, "%s, height of the first crest%s", buoy->name,
             buoy->is_height_shown ? ", shown" : "");
    if (buoy->is_height_shown)
        CHECK(validation_show(run, quantity, "m", computed_m, height_m, source));
    else
        CHECK(validation_measure(
            run, &(struct validation_measure){.quantity = quantity,
                                              .unit = "m",
                                              .computed = computed_m,
                                              .reference = height_m,
                                              .source = source,
                                              .tolerance = height_m > 0.5 ? "height" : "small-height"}));
    snprintf(quantity, sizeof quantity, "%s, time of the first crest", buoy->name);
    return validation_measure(run, &(struct validation_measure){
                                       .quantity = quantity,
                                       .unit = "s",
                                       .computed = made < series->count ? series->time_s[made] : (double)NAN,
                                       .reference = observed->time_s[seen],
                                       .source = source,
                                       .tolerance = "arrival",
                                       .scale = observed->time_s[seen],
                                       .allowance = buoy->interval_s});
}

// The part of a series that a picture shows.
static enum status draw_part(struct validation_run *run, struct validation_picture *picture, const char *name,
                             bool is_points, const struct case_series *series, double begin_s, double end_s)
{
    size_t first = 0, end = series->count;
    while (first < end && series->time_s[first] < begin_s)
        first++;
    while (end > first && series->time_s[end - 1] > end_s)
        end--;
    return validation_line(run, picture, name, is_points, series->time_s + first, series->value + first,
                           end - first);
}

static enum status draw_buoy(struct validation_run *run, const struct buoy *buoy,
                             const struct case_series *observed, const struct case_series *series)
{
    char title[VALIDATION_NAME_BYTES], caption[VALIDATION_TEXT_BYTES];
    struct validation_picture *picture;
    const double room_s = 0.5 * (buoy->end_s - buoy->begin_s);
    snprintf(title, sizeof title, "DART %s", buoy->name);
    snprintf(caption, sizeof caption,
             "The first crest is looked for between %g and %g s after the earthquake.", buoy->begin_s,
             buoy->end_s);
    CHECK(
        validation_picture(run, title, "time after the earthquake (s)", "elevation (m)", caption, &picture));
    CHECK(draw_part(run, picture, "observed", true, observed, buoy->begin_s, buoy->end_s + room_s));
    return draw_part(run, picture, "Fathom", false, series, buoy->begin_s, buoy->end_s + room_s);
}

static enum status compare_buoy(struct validation_run *run, const struct buoy *buoy)
{
    char path[PATH_BYTES];
    struct case_series observed, series;
    validation_benchmark_path(run, buoy->file, path);
    if (access(path, R_OK) != 0)
        return validation_leave_out(run, buoy->name, "the record %.400s is not there", path);
    CHECK(case_read_columns(path, 0, 1, &observed));
    enum status status = case_read_gauge(run, "run", buoy->name, &series);
    if (status == STATUS_OK) {
        status = measure_buoy(run, buoy, &observed, &series);
        if (status == STATUS_OK)
            status = draw_buoy(run, buoy, &observed, &series);
        case_series_free(&series);
    }
    case_series_free(&observed);
    return status;
}

// The first crest on the coarse grid, which damps short waves: shown, as a measure of the grid's damping.
static enum status show_coarse_buoy(struct validation_run *run, const struct event *event,
                                    const struct buoy *buoy)
{
    char path[PATH_BYTES], quantity[VALIDATION_NAME_BYTES];
    struct case_series observed, series;
    validation_benchmark_path(run, buoy->file, path);
    if (access(path, R_OK) != 0)
        return STATUS_OK;
    CHECK(case_read_columns(path, 0, 1, &observed));
    enum status status = case_read_gauge(run, "coarse", buoy->name, &series);
    if (status == STATUS_OK) {
        const size_t seen = case_series_largest(&observed, buoy->begin_s, buoy->end_s),
                     made = case_series_largest(&series, buoy->begin_s, buoy->end_s);
        snprintf(quantity, sizeof quantity, "%s, height of the first crest at %s, shown", buoy->name,
                 event->coarse_spacing);
        if (seen < observed.count && made < series.count)
            status = validation_show(run, quantity, "m", series.value[made], observed.value[seen], source);
        case_series_free(&series);
    }
    case_series_free(&observed);
    return status;
}

static enum status run_coarse(struct validation_run *run, const struct event *event, struct cJSON *job)
{
    char spacing[64];
    snprintf(spacing, sizeof spacing, "\"%s\"", event->coarse_spacing);
    CHECK(case_job_set(job, "domain.spacing", spacing));
    CHECK(case_job_run(run, job, "coarse", NULL, NULL));
    for (int k = 0; k < event->buoy_count; k++)
        CHECK(show_coarse_buoy(run, event, &event->buoys[k]));
    return STATUS_OK;
}

// The job among the data with the event's changes.
static enum status make_job(const struct event *event, struct cJSON **job)
{
    CHECK(case_job_read("jobs/tohoku2011.json", job));
    cJSON *changes = cJSON_Parse(event->job_changes);
    enum status status =
        changes ? STATUS_OK : FAIL(STATUS_SOFTWARE, "the changes of a job are not valid JSON");
    for (const cJSON *change = changes ? changes->child : NULL; change && status == STATUS_OK;
         change = change->next) {
        char *json = cJSON_IsNull(change) ? NULL : cJSON_PrintUnformatted(change);
        status = case_job_set(*job, change->string, json);
        cJSON_free(json);
    }
    cJSON_Delete(changes);
    return status;
}

static enum status run_event(struct validation_run *run)
{
    const struct event *event = run->validation_case->context;
    char text[VALIDATION_TEXT_BYTES / 2];
    struct cJSON *job = NULL;
    CHECK(case_write_text(
        run, "gauges.json",
        "{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"32412\", \"longitude\": \"-86.392 degree\", "
        "\"latitude\": \"-17.975 degree\"}]}"));
    enum status status = make_job(event, &job);
    if (status == STATUS_OK)
        status = case_job_run(run, job, "run", NULL, NULL);
    for (int k = 0; k < event->buoy_count && status == STATUS_OK; k++)
        status = compare_buoy(run, &event->buoys[k]);
    if (event->coarse_spacing && status == STATUS_OK)
        status = run_coarse(run, event, job);
    cJSON_Delete(job);
    CHECK(status);
    CHECK(case_run_describe(run, "run", text, sizeof text));
    validation_note(run, "%s; %s", event->grid, text);
    return STATUS_OK;
}

// ---- the events

#define TOHOKU_21418 "tohoku2011/TsunamiData/21418.dat"
#define TOHOKU_21413 "tohoku2011/21413.csv"
#define TOHOKU_21419 "tohoku2011/21419.csv"
#define CHILE_32412  "chile2010/32412_notide.txt"

static const struct buoy tohoku_buoys[] = {
    // The seismic waves at 21418 last until about 1500 s.
    {"21418", TOHOKU_21418, 1500, 3000, 60, false},
    // On every grid from 5 to 2 arcmin this source makes the first crest at these two higher than observed,
    // the more so the finer the grid is: a coarse one hides it.
    {"21413", TOHOKU_21413, 3600, 6000, 60, true},
    {"21419", TOHOKU_21419, 3600, 6600, 60, true},
};
static const struct event tohoku = {
    "ETOPO5 sampled at 3 arcmin",
    "{\"title\": \"Tohoku 2011, north-western Pacific, 3 arc-minutes\", \"domain.bathymetry.file\": "
    "\"etopo5.cdf\", "
    "\"domain.spacing\": \"3 arcmin\", \"domain.longitude\": [\"135 degree\", \"165 degree\"], "
    "\"domain.latitude\": [\"25 degree\", \"50 degree\"], \"time.duration\": \"2 h\", \"output.fields\": "
    "null, "
    "\"output.maxima\": false, \"output.arrival\": null, \"output.drawdown\": null, "
    "\"output.gauges.every\": \"30 s\", \"checkpoint\": null, \"check\": null}",
    "10 arcmin", tohoku_buoys, sizeof tohoku_buoys / sizeof *tohoku_buoys};

static const struct buoy chile_buoys[] = {{"32412", CHILE_32412, 9000, 15000, 60, false}};
static const struct event chile = {
    "ETOPO5 sampled at 10 arcmin",
    "{\"title\": \"Chile 2010, south-eastern Pacific, 10 arc-minutes\", \"domain.bathymetry.file\": "
    "\"etopo5.cdf\", "
    "\"domain.spacing\": \"10 arcmin\", \"domain.longitude\": [\"240 degree\", \"300 degree\"], "
    "\"domain.latitude\": [\"-60 degree\", \"0 degree\"], \"source.faults\": \"faults/chile2010.json\", "
    "\"time.duration\": \"5 h\", \"time.origin\": \"2010-02-27 06:34:14\", \"output.fields\": null, "
    "\"output.maxima\": false, \"output.arrival\": null, \"output.drawdown\": null, "
    "\"output.gauges.file\": \"gauges.json\", \"output.gauges.every\": \"30 s\", \"checkpoint\": null, "
    "\"check\": null}",
    NULL, chile_buoys, sizeof chile_buoys / sizeof *chile_buoys};

// The other two records are left out by name where they are not there: no public address of theirs is
// recorded.
static const char *const tohoku_files[] = {TOHOKU_21418, NULL};
static const char *const chile_files[] = {CHILE_32412, NULL};
static const char *const ocean_files[] = {"etopo5.cdf", NULL};

static const struct validation_case cases[] = {
    {.name = "chile2010",
     .summary = "27 February 2010, one rectangle of uniform slip, 10 arcmin: DART 32412",
     .source = "NOAA's DART record, de-tided, from GeoClaw's example chile2010",
     .benchmark_files = chile_files,
     .input_files = ocean_files,
     .run = run_event,
     .context = &chile},
    {.name = "tohoku2011",
     .summary = "11 March 2011, finite fault of 48 segments, 3 arcmin: DART 21418, 21413, 21419",
     .source = "NOAA's DART records, de-tided, from PCOMCOT's case 4 and Geoscience Australia's ptha",
     .benchmark_files = tohoku_files,
     .input_files = ocean_files,
     .run = run_event,
     .context = &tohoku},
    {.name = "tohoku2011-sift",
     .summary = "11 March 2011 from NOAA's unit sources: slips from DART 21413 and 21419, forecast of 21418",
     .source = "NOAA's DART records, de-tided, from PCOMCOT's case 4 and Geoscience Australia's ptha",
     .benchmark_files = tsunami_sift_files,
     .input_files = ocean_files,
     .run = tsunami_case_sift},
    {.name = "okushiri",
     .summary = "12 July 1993, five nested grids: run-up about the cape of Aonae, its two waves",
     .source = "NTHMP's benchmark 9: surveys on land, eye-witnesses",
     .benchmark_files = tsunami_bp9_files,
     .run = tsunami_case_bp9},
};

const struct validation_suite tsunami_field_suite = {
    .name = "tsunami-field",
    .summary = "the tsunami model against records of past tsunamis",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
};
