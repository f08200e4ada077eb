// A forecast as forecasters make it: NOAA's unit sources off Tohoku are run one by one, their slips found
// from two DART buoys, and the wave at a third, nearer one forecast by their sum and by a run of all of them
// together (docs/forecast.md).
#include "models/tsunami/forecast/invert_stations.h"
#include "validate/case_job.h"
#include "validate/tsunami/suites.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, SEGMENTS = 7, FIRST_SEGMENT = 23, SOURCES = ROWS * SEGMENTS, BUOYS = 3, FORETOLD = 2 };

#define TABLE "sift/info_sz.dat.txt"

static const struct {
    const char *name, *file;
    int skip_lines;
} buoys[BUOYS] = {
    {"21413", "tohoku2011/21413.csv", 1},
    {"21419", "tohoku2011/21419.csv", 1},
    {"21418", "tohoku2011/TsunamiData/21418.dat", 0},
};
const char *const tsunami_sift_files[] = {TABLE, "tohoku2011/21413.csv", "tohoku2011/21419.csv",
                                          "tohoku2011/TsunamiData/21418.dat", NULL};

// Half of the rupture's 160 s (Shao et al. 2011, Earth Planets Space 63, 553-557,
// doi:10.5047/eps.2011.06.028).
static const double delay_s = 80;
static const double interval_s = 60; // of the records when the waves came
static const char source[] = "DART record among the benchmark files";

struct forecast {
    struct validation_run *run;
    struct database *database;
    size_t sources[SOURCES];
    struct invert_choice choices[BUOYS];
    struct invert_data data;
    struct invert_request request;
    struct invert_result result;
    struct case_series together; // the run of all of them, at the buoy that is forecast
};

// ---- runs

static enum status run_slips(struct validation_run *run, const char *name, const char *slips)
{
    char path[PATH_BYTES];
    validation_benchmark_path(run, TABLE, path);
    struct case_job job = case_job_read("jobs/sift-unit.json");
    case_job_set_text(&job, "source.sift.table", path);
    case_job_set(&job, "source.sift.slips", "%s", slips);
    case_job_remove(&job, "output.fields");
    if (!run->is_full) {
        case_job_set(&job, "domain.spacing", "\"8 arcmin\"");
        case_job_set(&job, "time.step", "\"20 s\"");
    }
    return case_job_run_once(run, &job, name, NULL, NULL);
}

static enum status run_sources(struct validation_run *run)
{
    for (int k = 0; k < SOURCES; k++) {
        char name[16], slips[32];
        snprintf(name, sizeof name, "kisz%c%d", "abz"[k / SEGMENTS], FIRST_SEGMENT + k % SEGMENTS);
        snprintf(slips, sizeof slips, "{\"%s\": 1}", name);
        CHECK(run_slips(run, name, slips));
    }
    return STATUS_OK;
}

// The slips found, as one source.
static enum status run_together(struct forecast *forecast)
{
    cJSON *slips = cJSON_CreateObject();
    for (size_t j = 0; j < SOURCES; j++)
        if (forecast->result.slips_m[j] > 0)
            cJSON_AddNumberToObject(slips, forecast->data.source_names[j], forecast->result.slips_m[j]);
    char *json = slips ? cJSON_PrintUnformatted(slips) : NULL;
    cJSON_Delete(slips);
    enum status status = json ? run_slips(forecast->run, "together", json)
                              : FAIL(STATUS_SYSTEM, "not enough memory for the slips");
    cJSON_free(json);
    if (status == STATUS_OK)
        status = case_read_gauge(forecast->run, "together", buoys[FORETOLD].name, &forecast->together);
    for (size_t k = 0; k < forecast->together.count && status == STATUS_OK; k++)
        forecast->together.time_s[k] += delay_s;
    return status;
}

// ---- the inversion

static enum status read_data(struct forecast *forecast)
{
    char folder[PATH_BYTES];
    case_path(forecast->run, ".", folder);
    CHECK(database_open(folder, &forecast->database));
    if (database_count(forecast->database) != SOURCES)
        return FAIL(STATUS_SOFTWARE, "%zu unit sources were made, not %d", database_count(forecast->database),
                    (int)SOURCES);
    for (size_t j = 0; j < SOURCES; j++)
        forecast->sources[j] = j;
    for (int s = 0; s < BUOYS; s++) {
        struct invert_choice *choice = &forecast->choices[s];
        *choice = (struct invert_choice){.is_named = true,
                                         .longitude = NAN,
                                         .latitude = NAN,
                                         .time_column = 1,
                                         .value_column = 2,
                                         .skip_lines = buoys[s].skip_lines,
                                         .role = s == FORETOLD ? INVERT_FORECAST : INVERT_FITTED,
                                         .begin_s = NAN,
                                         .end_s = NAN,
                                         .weight = 1};
        snprintf(choice->name, sizeof choice->name, "%s", buoys[s].name);
        validation_benchmark_path(forecast->run, buoys[s].file, choice->record);
    }
    return invert_data_read(forecast->database, forecast->sources, SOURCES, forecast->choices, BUOYS, NULL, 0,
                            INVERT_BYTES_MOST, &forecast->data);
}

static enum status invert(struct forecast *forecast)
{
    CHECK(read_data(forecast));
    forecast->request = (struct invert_request){.source_count = SOURCES,
                                                .source_names = forecast->data.source_names,
                                                .station_count = BUOYS,
                                                .stations = forecast->data.stations,
                                                .delay_s = delay_s};
    return invert_solve(&forecast->request, &forecast->result);
}

// ---- results

// Judged on the grid that the database is meant for; the short size is too coarse for the nearer buoy's short
// wave, and only shows it.
static enum status measure_peak(struct validation_run *run, const char *what, double height_m, double time_s,
                                const struct invert_fit *fit, bool is_judged)
{
    char time[VALIDATION_NAME_BYTES];
    CHECK(validation_compare(run, is_judged ? "height" : NULL, "m", source, height_m, fit->observed_peak_m,
                             "%s, height of the first crest", what));
    snprintf(time, sizeof time, "%s, time of the first crest", what);
    if (!is_judged)
        return validation_compare(run, NULL, "s", source, time_s, fit->observed_peak_s, "%s", time);
    return validation_measure(run, &(struct validation_measure){.quantity = time,
                                                                .unit = "s",
                                                                .computed = time_s,
                                                                .reference = fit->observed_peak_s,
                                                                .source = source,
                                                                .tolerance = "arrival",
                                                                .scale = fit->observed_peak_s,
                                                                .allowance = interval_s});
}

static enum status measure_fit(const struct forecast *forecast)
{
    struct validation_run *run = forecast->run;
    for (int s = 0; s < FORETOLD; s++) {
        const struct invert_fit *fit = &forecast->result.fits[s];
        char quantity[VALIDATION_NAME_BYTES];
        snprintf(quantity, sizeof quantity, "%s, fitted", buoys[s].name);
        CHECK(measure_peak(run, quantity, fit->fitted_peak_m, fit->fitted_peak_s, fit, false));
    }
    return validation_compare(run, "sift/explained", "1", source, forecast->result.variance_reduction, 1,
                              "share of the variance explained, 21413 and 21419");
}

// The sum of the sources against their run together, at the buoy: what is not linear.
static enum status measure_sum(const struct forecast *forecast)
{
    const struct case_series *run = &forecast->together;
    const struct invert_fit *fit = &forecast->result.fits[FORETOLD];
    const struct invert_series *record = &forecast->data.stations[FORETOLD].observed;
    double squares = 0, low_m = 0, high_m = 0;
    size_t count = 0;
    for (size_t k = 0; k < record->samples; k++) {
        const double time_s = record->times_s[k];
        const double run_m = case_series_at(run, time_s);
        if (time_s < fit->begin_s || time_s > fit->end_s || !isfinite(run_m))
            continue;
        squares += (run_m - fit->fitted_m[k]) * (run_m - fit->fitted_m[k]);
        low_m = fmin(low_m, run_m);
        high_m = fmax(high_m, run_m);
        count++;
    }
    return validation_compare(forecast->run, "sift/sum", "m",
                              "the same unit sources with the same slips in one run",
                              sqrt(squares / (double)count), high_m - low_m,
                              "21418, sum of the sources against their run together, rms");
}

static enum status measure_forecast(const struct forecast *forecast)
{
    struct validation_run *run = forecast->run;
    const struct invert_fit *fit = &forecast->result.fits[FORETOLD];
    const struct case_peak crest = case_series_peak(&forecast->together, fit->begin_s, fit->end_s);
    if (isnan(crest.time_s))
        return FAIL(STATUS_DATA, "the run of all sources has no values between %g and %g s", fit->begin_s,
                    fit->end_s);
    CHECK(measure_peak(run, "21418, sum of the sources", fit->fitted_peak_m, fit->fitted_peak_s, fit,
                       run->is_full));
    CHECK(measure_peak(run, "21418, run of all sources", crest.value, crest.time_s, fit, run->is_full));
    CHECK(validation_compare(run, NULL, "m", source, fit->rms_m, (double)NAN,
                             "21418, sum of the sources against the record, rms"));
    return measure_sum(forecast);
}

static enum status draw(const struct forecast *forecast)
{
    for (int s = 0; s < BUOYS; s++) {
        const struct invert_fit *fit = &forecast->result.fits[s];
        const struct invert_series *record = &forecast->data.stations[s].observed;
        const double room_s = 0.5 * (fit->end_s - fit->begin_s);
        char title[VALIDATION_NAME_BYTES], caption[VALIDATION_TEXT_BYTES];
        struct validation_picture *picture;
        size_t first = 0, end = record->samples;
        while (first < end && record->times_s[first] < fit->begin_s - room_s)
            first++;
        while (end > first && record->times_s[end - 1] > fit->end_s + room_s)
            end--;
        snprintf(title, sizeof title, "DART %s, %s", buoys[s].name, s == FORETOLD ? "foretold" : "fitted");
        snprintf(caption, sizeof caption, "Fitted and compared between %.0f and %.0f s.", fit->begin_s,
                 fit->end_s);
        CHECK(validation_picture(forecast->run, title, "time after the earthquake (s)", "elevation (m)",
                                 caption, &picture));
        CHECK(validation_line(forecast->run, picture, "observed", true, record->times_s + first,
                              record->eta_m + first, end - first));
        CHECK(validation_line(forecast->run, picture, "sum of the sources", false, record->times_s + first,
                              fit->fitted_m + first, end - first));
        if (s == FORETOLD)
            CHECK(validation_line(forecast->run, picture, "run of all sources", false,
                                  forecast->together.time_s, forecast->together.value,
                                  (size_t)fmin((double)forecast->together.count, 200)));
    }
    return STATUS_OK;
}

static enum status foretell(struct forecast *forecast)
{
    char text[VALIDATION_TEXT_BYTES / 2];
    CHECK(run_sources(forecast->run));
    CHECK(invert(forecast));
    CHECK(run_together(forecast));
    CHECK(measure_fit(forecast));
    CHECK(measure_forecast(forecast));
    CHECK(draw(forecast));
    CHECK(case_run_describe(forecast->run, "together", text, sizeof text));
    validation_note(forecast->run, "%d unit sources, ETOPO5 sampled at %s, delay %g s; each %s", (int)SOURCES,
                    forecast->run->is_full ? "4 arcmin" : "8 arcmin", delay_s, text);
    return STATUS_OK;
}

enum status tsunami_case_sift(struct validation_run *run)
{
    struct forecast *forecast = calloc(1, sizeof *forecast);
    if (!forecast)
        return FAIL(STATUS_SYSTEM, "not enough memory for the forecast");
    forecast->run = run;
    const enum status status = foretell(forecast);
    case_series_free(&forecast->together);
    invert_free(&forecast->request, &forecast->result);
    invert_data_free(&forecast->data);
    database_close(forecast->database);
    free(forecast);
    return status;
}
