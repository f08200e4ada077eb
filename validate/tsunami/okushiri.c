// NTHMP's benchmark 9: the tsunami of Okushiri, 12 July 1993, on five grids nested from the Sea of Japan to
// the cape of Aonae and the valley of Monai, compared with surveys on land and with reports of
// eye-witnesses.
//
// The largest height that a team surveyed within a box about the cape is compared with the largest of the
// run in the same box: a survey's positions are good to some hundred metres, and some are known to be
// misplaced, so that single positions cannot be compared.
#include "validate/case_table.h"
#include "validate/tsunami/flood.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SURVEY "nthmp/BP09/FieldData_Tohoku.csv"

const char *const tsunami_bp9_files[] = {"okushiri/OK30s_SSL2.1.nc",
                                         "okushiri/OK10s_SSL2.1.nc",
                                         "okushiri/OK03s_ssl.nc",
                                         "okushiri/AO15m_SSL2.1.nc",
                                         "okushiri/MB06m_SSL2.1.nc",
                                         "okushiri/bottomdefBP9_h.nc",
                                         SURVEY,
                                         NULL};

static const char survey_source[] =
    "survey of Tohoku University, corrected for the tide (NTHMP's benchmark 9)";
static const char witness_source[] = "eye-witnesses, in NTHMP's benchmark 9";
static const double duration_s = 1200;     // after both waves on land
static const double first_crest_s = 600;   // the first wave's crest comes before, the second's after
static const double surveyed_most_m = 100; // larger ones mark missing values

static const struct flood_box cape = {{139.435, 139.462}, {42.040, 42.062}};
// The valley, and about it: the position of the highest mark, 31.7 m, lies outside the grid.
static const struct flood_box valley = {{139.4138, 139.4263}, {42.0945, 42.1035}};
static const struct flood_box about_valley = {{139.4100, 139.4300}, {42.0900, 42.1120}};

// ---- the run

static enum status run_okushiri(struct validation_run *run)
{
    static const char *const keys[] = {"domain.bathymetry.file",
                                       "nested.island.domain.bathymetry.file",
                                       "nested.south.domain.bathymetry.file",
                                       "nested.aonae.domain.bathymetry.file",
                                       "nested.monai.domain.bathymetry.file",
                                       "source.displacement.file"};
    char path[PATH_BYTES];
    struct case_job job = case_job_read("jobs/okushiri.json");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        validation_benchmark_path(run, tsunami_bp9_files[k], path);
        case_job_set_text(&job, keys[k], path);
    }
    case_job_set(&job, "time.duration", "\"%g s\"", duration_s);
    return case_job_run_once(run, &job, "okushiri", NULL, NULL);
}

// ---- heights on land

// Largest height surveyed within a box, m; NaN if the box holds none. Columns: quality, height and tide in
// cm, corrected height, latitude and longitude in degrees, minutes and seconds.
static enum status surveyed_largest(const struct validation_run *run, const struct flood_box *box,
                                    double *height_m)
{
    struct case_table table;
    *height_m = NAN;
    CHECK(case_read_benchmark(run, SURVEY, 10, false, &table));
    for (size_t k = 0; k < table.rows; k++) {
        double degrees[2];
        for (int c = 0; c < 2; c++)
            degrees[c] = case_table_at(&table, k, 4 + 3 * c) + case_table_at(&table, k, 5 + 3 * c) / 60 +
                         case_table_at(&table, k, 6 + 3 * c) / 3600;
        const double found_m = case_table_at(&table, k, 3) / 100;
        const bool is_inside = degrees[1] >= box->x_m[0] && degrees[1] <= box->x_m[1] &&
                               degrees[0] >= box->y_m[0] && degrees[0] <= box->y_m[1];
        if (is_inside && found_m < surveyed_most_m)
            *height_m = fmax(*height_m, found_m);
    }
    case_table_free(&table);
    return STATUS_OK;
}

struct shore {
    const char *quantity, *file, *tolerance; // tolerance NULL: shown
    const struct flood_box *box, *surveyed;  // of the run's heights; of the surveyed ones
};

static enum status measure_shore(struct validation_run *run, const struct shore *shore)
{
    struct flood_map maxima;
    double surveyed_m;
    CHECK(surveyed_largest(run, shore->surveyed, &surveyed_m));
    CHECK(flood_read_maxima(run, "okushiri", shore->file, true, &maxima));
    const double computed_m = flood_runup(&maxima, shore->box).level_m;
    flood_map_free(&maxima);
    return validation_compare(run, shore->tolerance, "m", survey_source, computed_m, surveyed_m, "%s",
                              shore->quantity);
}

// ---- the two waves

struct waves {
    struct case_series west, tip, east;
};

static enum status read_waves(const struct validation_run *run, struct waves *w)
{
    memset(w, 0, sizeof *w);
    CHECK(flood_read_gauge(run, "okushiri", "aonae.gauges.nc", "aonae-west", &w->west));
    CHECK(flood_read_gauge(run, "okushiri", "aonae.gauges.nc", "aonae-tip", &w->tip));
    return flood_read_gauge(run, "okushiri", "aonae.gauges.nc", "aonae-east", &w->east);
}

static void free_waves(struct waves *w)
{
    case_series_free(&w->west);
    case_series_free(&w->tip);
    case_series_free(&w->east);
}

static enum status measure_waves(struct validation_run *run, const struct waves *w)
{
    const double first_s = case_series_peak(&w->tip, 0, first_crest_s).time_s,
                 second_s = case_series_peak(&w->tip, first_crest_s, duration_s).time_s;
    CHECK(validation_compare(run, "okushiri/first", "s", witness_source,
                             case_series_peak(&w->west, 0, first_crest_s).time_s, 300,
                             "first wave at the cape of Aonae"));
    CHECK(validation_compare(run, "okushiri/second", "s", witness_source, second_s - first_s, 600,
                             "from the first wave to the second"));
    // The first came from the west, the other from the east: the west side's highest water is the earlier
    // one.
    return validation_compare(run, "okushiri/order", "s", witness_source,
                              case_series_peak(&w->east, 0, duration_s).time_s -
                                  case_series_peak(&w->west, 0, duration_s).time_s,
                              600, "highest water east of the cape after that west of it");
}

static enum status draw_waves(struct validation_run *run, const struct waves *w)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "The cape of Aonae", "time after the earthquake (s)", "elevation (m)",
                             "Gauges in shallow water about the cape, on the grid of 15 m; nothing was "
                             "recorded there. While one is dry it shows the ground.",
                             &picture));
    const struct {
        const char *name;
        const struct case_series *series;
    } lines[] = {{"west", &w->west}, {"southern tip", &w->tip}, {"east", &w->east}};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        CHECK(validation_line(run, picture, lines[k].name, false, lines[k].series->time_s,
                              lines[k].series->value, lines[k].series->count));
    return STATUS_OK;
}

enum status tsunami_case_bp9(struct validation_run *run)
{
    static const struct shore shores[] = {
        {"largest run-up about the cape of Aonae", "aonae.maxima.nc", "okushiri/aonae", &cape, &cape},
        {"largest run-up in the valley of Monai", "monai.maxima.nc", NULL, &valley, &about_valley},
    };
    char text[VALIDATION_TEXT_BYTES / 2];
    struct waves waves;
    CHECK(run_okushiri(run));
    for (size_t k = 0; k < sizeof shores / sizeof *shores; k++)
        CHECK(measure_shore(run, &shores[k]));
    enum status status = read_waves(run, &waves);
    if (status == STATUS_OK)
        status = measure_waves(run, &waves);
    if (status == STATUS_OK)
        status = draw_waves(run, &waves);
    free_waves(&waves);
    CHECK(status);
    CHECK(case_run_describe(run, "okushiri", text, sizeof text));
    validation_note(run, "grids of 30, 10, 3 arcsec, 15 and 6 m, Manning n 0.025; outermost: %s", text);
    return STATUS_OK;
}
