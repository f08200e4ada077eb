// BP6: solitary waves about a conical island in a basin. The wave is the mean of the laboratory's gauges 1 to
// 4, given at the grid's western edge where they stood, as one that travels in.
#include "validate/case_table.h"
#include "validate/tsunami/flood.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// The basin's floor was concrete: Chow (1959), table 5-6, concrete with a float finish. The spacing is that
// of other programs' published runs of this benchmark.
#define ISLAND_ROUGH   0.015
#define ISLAND_SPACING 0.05

static const double still_m = 0.32, centre_m[2] = {12.96, 13.80}, foot_m = 3.6, top_m = 0.625, slope = 0.25;
static const double width_m = 27.6; // the island is in the middle
// The wave does not reach this far before the end, so that no water leaves.
static const double east_m = 33, begin_s = 24, end_s = 40.4, sample_s = 0.04;
static const double pi = 3.14159265358979323846;

enum { GAUGES = 8, WAVE_GAUGES = 4, ANGLES = 24, LEE = 2 };

struct island {
    const char *letter;
    double gauges_x_m; // of gauges 1 to 4
    const char *series, *runup;
    // Behind the island, in another publication of the same measurements: Liu et al. (1995), as Ma et al.
    // (2019), tables 4 and 5, list them.
    double other_back_m;
};

#define BP6_SERIES(letter) "nthmp/BP06/ts2" letter ".txt"
#define BP6_RUNUP(letter)  "nthmp/BP06/run2" letter ".txt"
#define BP6_FILES(letter)                                                                                    \
    {                                                                                                        \
        BP6_SERIES(letter), BP6_RUNUP(letter), NULL                                                          \
    }
const char *const tsunami_bp6_files[2][3] = {BP6_FILES("a"), BP6_FILES("b")};
static const struct island islands[2] = {
    {"a", 5.76, BP6_SERIES("a"), BP6_RUNUP("a"), 0.0320},
    {"b", 6.82, BP6_SERIES("b"), BP6_RUNUP("b"), 0.1018},
};
static const char briggs[] = "Briggs et al. (1995), Pure Appl. Geophys. 144, 569-593: laboratory",
                  liu[] = "Liu et al. (1995), J. Fluid Mech. 302, 259-285, table in Ma et al. (2019)";

static const struct place {
    const char *name;
    double x_m, y_m; // x NaN: where gauges 1 to 4 are
} places[GAUGES] = {{"g1", NAN, 16.05},  {"g2", NAN, 14.55},   {"g3", NAN, 13.05},    {"g4", NAN, 11.55},
                    {"g6", 9.36, 13.80}, {"g9", 10.36, 13.80}, {"g16", 12.96, 11.22}, {"g22", 15.56, 13.80}};
static const char *const lee_names[LEE] = {"lee-north", "lee-south"};

// ---- inputs

static double depth_m(const void *context, double x_m)
{
    (void)context;
    (void)x_m; // at the western edge
    return still_m;
}

static double value(const void *context, int variable, double x, double y)
{
    (void)context;
    (void)variable;
    const double r = hypot(x - centre_m[0], y - centre_m[1]);
    return still_m - fmin(top_m, fmax(0, slope * (foot_m - r)));
}

// Nodes on the island's middle and so on gauges 6, 9 and 22; the first one on gauges 1 to 4, or just before.
static double first_x_m(const struct island *island, double dx)
{
    return centre_m[0] - ceil((centre_m[0] - island->gauges_x_m) / dx - 1e-6) * dx;
}

static enum status write_grid(const struct validation_run *run, const struct island *island, double dx,
                              const char *file)
{
    const double west_m = first_x_m(island, dx), rows = floor(0.5 * width_m / dx);
    const size_t nx = (size_t)llround((east_m - west_m) / dx), ny = 2 * (size_t)rows + 1;
    const struct case_grid grid = {.x = {nx, west_m, dx},
                                   .y = {ny, centre_m[1] - rows * dx, dx},
                                   .variable_count = 1,
                                   .variables = {{"depth", "m", "down"}},
                                   .value = value};
    return case_write_grid(run, file, &grid);
}

// The laboratory's, and two where the waves from both sides come round.
static enum status write_gauges(const struct validation_run *run, const struct island *island)
{
    struct case_gauge gauges[GAUGES + LEE];
    for (int k = 0; k < GAUGES; k++)
        gauges[k] = (struct case_gauge){
            places[k].name, isnan(places[k].x_m) ? island->gauges_x_m + 0.01 : places[k].x_m, places[k].y_m};
    for (int k = 0; k < LEE; k++)
        gauges[GAUGES + k] = (struct case_gauge){lee_names[k], centre_m[0] + 2.6 * sqrt(0.5),
                                                 centre_m[1] + (k == 0 ? 2.6 : -2.6) * sqrt(0.5)};
    return case_write_gauges(run, "gauges.json", gauges, GAUGES + LEE);
}

// The mean of gauges 1 to 4 less what each shows at rest, until the first reflection from the island's foot
// could be back.
static enum status incident_wave(const struct island *island, const struct case_table *table,
                                 struct case_series *wave)
{
    struct case_series gauge;
    CHECK(case_table_series(table, 0, 1, wave));
    flood_subtract_rest(wave, begin_s);
    for (int k = 1; k < WAVE_GAUGES; k++) {
        enum status status = case_table_series(table, 0, 1 + k, &gauge);
        if (status == STATUS_OK && gauge.count != wave->count)
            status = FAIL(STATUS_DATA, "%s: gauge %d has %zu samples, gauge 1 has %zu", table->path, k + 1,
                          gauge.count, wave->count);
        if (status != STATUS_OK) {
            case_series_free(wave);
            return status;
        }
        flood_subtract_rest(&gauge, begin_s);
        for (size_t n = 0; n < wave->count; n++)
            wave->value[n] += gauge.value[n];
        case_series_free(&gauge);
    }
    for (size_t n = 0; n < wave->count; n++)
        wave->value[n] /= WAVE_GAUGES;
    const double back_s = case_series_peak(wave, begin_s, end_s).time_s +
                          2 * (centre_m[0] - foot_m - island->gauges_x_m) / sqrt(FLOOD_GRAVITY * still_m);
    size_t count = 0;
    for (size_t n = 0; n < wave->count; n++)
        if (wave->time_s[n] >= begin_s && wave->time_s[n] <= back_s) {
            wave->time_s[count] = wave->time_s[n] - begin_s;
            wave->value[count++] = wave->value[n];
        }
    wave->count = count;
    return STATUS_OK;
}

// One run of it: the one that is judged, or another for information.
struct variant {
    const char *name, *what; // of the job; of the figures
    double spacing_m;
    bool has_dispersion;
    const char *precision; // NULL: the user's, or double
};

static enum status run_island(struct validation_run *run, const struct island *island,
                              const struct case_series *wave, const struct variant *v)
{
    char file[64];
    const struct flood_job wanted = {.title = "Solitary wave about a conical island",
                                     .bathymetry = file,
                                     .duration_s = end_s - begin_s,
                                     .manning_n = ISLAND_ROUGH,
                                     .edges = {NULL, "open", "wall", "wall"},
                                     .fields_every_s = sample_s,
                                     .has_velocity = true,
                                     .has_dispersion = v->has_dispersion};
    const double dx = v->spacing_m;
    snprintf(file, sizeof file, "%s.nc", v->name);
    CHECK(write_grid(run, island, dx, file));
    struct case_job job = flood_job_new(&wanted);
    flood_give_wave(run, &job, "wave.csv", wave, true);
    // The first two columns, to see what flows in.
    case_job_set(&job, "output.fields.x", "[\"%.9g m\", \"%.9g m\"]", first_x_m(island, dx) - 0.25 * dx,
                 first_x_m(island, dx) + 1.25 * dx);
    case_job_set(&job, "output.gauges.file", "\"gauges.json\"");
    case_job_set(&job, "output.gauges.every", "\"%g s\"", sample_s);
    return case_job_run_once(run, &job, v->name, NULL, v->precision);
}

// ---- gauges

static enum status read_gauge(const struct validation_run *run, const char *name, const char *gauge,
                              struct case_series *series)
{
    CHECK(flood_read_gauge(run, name, "gauges.nc", gauge, series));
    for (size_t k = 0; k < series->count; k++)
        series->time_s[k] += begin_s;
    return STATUS_OK;
}

// Gauges 1 to 4 are the wave that was given: shown. The others are judged on the grid of all, shown on a
// coarser and a finer one.
static enum status measure_gauge(struct validation_run *run, const struct case_table *table, int number)
{
    const bool is_given = number < WAVE_GAUGES;
    char label[32];
    struct case_series observed, computed;
    snprintf(label, sizeof label, "gauge %s", places[number].name + 1);
    CHECK(case_table_series(table, 0, 1 + number, &observed));
    flood_subtract_rest(&observed, begin_s);
    enum status status = read_gauge(run, "island", places[number].name, &computed);
    if (status == STATUS_OK) {
        const struct flood_gauge gauge = {.label = label,
                                          .source = briggs,
                                          .unit = "m",
                                          .begin_s = 25,
                                          .end_s = 40,
                                          .peak_tolerance = is_given ? NULL : "gauge-peak",
                                          .rms_tolerance = is_given ? NULL : "gauge-rms"};
        status = flood_measure_gauge(run, &gauge, &observed, &computed);
        case_series_free(&computed);
    }
    case_series_free(&observed);
    return status;
}

static enum status time_of_crest_s(const struct validation_run *run, const char *gauge, double *time_s)
{
    struct case_series series;
    CHECK(read_gauge(run, "island", gauge, &series));
    *time_s = case_series_peak(&series, 25, 40).time_s;
    case_series_free(&series);
    return STATUS_OK;
}

// The wave splits: both parts come round at the same time, and meet behind the island later.
static enum status measure_collision(struct validation_run *run)
{
    double sides_s[LEE], behind_s;
    static const char source[] = "the island is symmetric; PMEL-135: the wave splits and collides behind it";
    for (int k = 0; k < LEE; k++)
        CHECK(time_of_crest_s(run, lee_names[k], &sides_s[k]));
    CHECK(time_of_crest_s(run, "g22", &behind_s));
    CHECK(validation_compare(run, "bp6/sides", "s", source, sides_s[1], sides_s[0],
                             "crest 45 deg off the lee, south"));
    return validation_compare(run, "bp6/collision", "s", source, behind_s - sides_s[0], NAN,
                              "from there to the crest behind");
}

// ---- run-up

// 90 degrees are behind the island, 270 before it.
struct round {
    double degrees[ANGLES], observed_m[ANGLES], computed_m[ANGLES], continued_m[ANGLES];
};

static enum status read_round(const struct validation_run *run, const struct island *island,
                              struct round *round)
{
    struct case_table table;
    CHECK(case_read_benchmark(run, island->runup, 4, false, &table));
    const bool is_whole = table.rows == ANGLES;
    for (size_t k = 0; k < ANGLES && is_whole; k++) {
        round->degrees[k] = case_table_at(&table, k, 1);
        round->observed_m[k] = case_table_at(&table, k, 2) / 100;
    }
    case_table_free(&table);
    return is_whole ? STATUS_OK : FAIL(STATUS_DATA, "%s: expected %d angles", island->runup, ANGLES);
}

static enum status compute_round(const struct validation_run *run, const char *name, struct round *round)
{
    struct flood_map maxima;
    CHECK(flood_read_maxima(run, name, "maxima.nc", false, &maxima));
    for (int k = 0; k < ANGLES; k++) {
        const double east = sin(round->degrees[k] * pi / 180), north = cos(round->degrees[k] * pi / 180);
        const struct flood_height height = flood_runup_along(
            &maxima, centre_m[0] + foot_m * east, centre_m[1] + foot_m * north, -east, -north, foot_m);
        round->computed_m[k] = height.level_m;
        round->continued_m[k] = height.continued_m;
    }
    flood_map_free(&maxima);
    return STATUS_OK;
}

static double at_degrees(const struct round *round, const double *values, double degrees)
{
    for (int k = 0; k < ANGLES; k++)
        if (fabs(round->degrees[k] - degrees) < 0.01)
            return values[k];
    return NAN;
}

static double mean_error(const struct round *round)
{
    double sum = 0;
    for (int k = 0; k < ANGLES; k++)
        sum += fabs(round->computed_m[k] / round->observed_m[k] - 1) / ANGLES;
    return sum;
}

// How much higher it is behind than 45 degrees off.
static double focus(const struct round *round, const double *values)
{
    return at_degrees(round, values, 90) /
           (0.5 * (at_degrees(round, values, 45) + at_degrees(round, values, 135)));
}

static enum status draw_round(struct validation_run *run, const struct round *round)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Run-up round the island", "angle (degrees): 90 behind, 270 before",
                             "run-up (m)", briggs, &picture));
    CHECK(validation_line(run, picture, "laboratory", true, round->degrees, round->observed_m, ANGLES));
    return validation_line(run, picture, "Fathom", false, round->degrees, round->computed_m, ANGLES);
}

static enum status measure_round(struct validation_run *run, const struct island *island,
                                 const struct round *round)
{
    const double back_m = at_degrees(round, round->computed_m, 90);
    CHECK(validation_compare(run, "bp6/back", "m", briggs, back_m, at_degrees(round, round->observed_m, 90),
                             "run-up behind the island"));
    CHECK(validation_compare(run, NULL, "m", briggs, at_degrees(round, round->continued_m, 90),
                             at_degrees(round, round->observed_m, 90), "the same, continued to the ground"));
    CHECK(validation_compare(run, NULL, "m", liu, back_m, island->other_back_m,
                             "run-up behind, another publication of it"));
    CHECK(validation_compare(run, NULL, "m", briggs, at_degrees(round, round->computed_m, 270),
                             at_degrees(round, round->observed_m, 270), "run-up before the island"));
    CHECK(validation_compare(run, NULL, "1", briggs, mean_error(round), NAN,
                             "mean error of the run-up, 24 angles"));
    CHECK(validation_compare(run, "bp6/focus", "1", briggs, focus(round, round->computed_m),
                             focus(round, round->observed_m), "run-up behind / 45 degrees off"));
    return draw_round(run, round);
}

// ---- the case

// Gauge 22 and the run-up behind in another run.
static enum status show_variant(struct validation_run *run, const struct island *island,
                                const struct case_series *wave, const struct variant *v, struct round *round,
                                const struct case_table *table)
{
    struct case_series observed, computed;
    CHECK(run_island(run, island, wave, v));
    CHECK(compute_round(run, v->name, round));
    CHECK(case_table_series(table, 0, GAUGES, &observed));
    flood_subtract_rest(&observed, begin_s);
    enum status status = read_gauge(run, v->name, "g22", &computed);
    if (status == STATUS_OK) {
        status =
            validation_compare(run, NULL, "m", briggs, case_series_peak(&computed, 25, 40).value,
                               case_series_peak(&observed, 25, 40).value, "gauge 22, largest, %s", v->what);
        case_series_free(&computed);
    }
    case_series_free(&observed);
    CHECK(status);
    CHECK(validation_compare(run, NULL, "m", briggs, at_degrees(round, round->computed_m, 90),
                             at_degrees(round, round->observed_m, 90), "run-up behind, %s", v->what));
    return validation_compare(run, NULL, "m", briggs, at_degrees(round, round->continued_m, 90),
                              at_degrees(round, round->observed_m, 90),
                              "the same, continued to the ground, %s", v->what);
}

static enum status measure_all(struct validation_run *run, const struct island *island,
                               const struct case_table *table, const struct case_series *wave)
{
    static const struct variant judged = {"island", "", ISLAND_SPACING, true, NULL},
                                others[] = {
                                    // Single precision: half the time.
                                    {"island-10cm", "spacing 10 cm", 2 * ISLAND_SPACING, true, "single"},
                                    {"island-2.5cm", "spacing 2.5 cm", 0.5 * ISLAND_SPACING, true, "single"},
                                    {"island-shallow", "without dispersion", ISLAND_SPACING, false, "single"},
                                };
    struct round round;
    struct flood_map inflow;
    CHECK(read_round(run, island, &round));
    CHECK(write_gauges(run, island));
    CHECK(run_island(run, island, wave, &judged));
    for (int k = 0; k < GAUGES; k++)
        CHECK(measure_gauge(run, table, k));
    CHECK(compute_round(run, "island", &round));
    CHECK(measure_round(run, island, &round));
    CHECK(measure_collision(run));
    CHECK(flood_read_fields(run, "island", true, &inflow));
    enum status status =
        flood_measure_inflow(run, "island", "mass drift (gain less inflow)", &inflow, depth_m, NULL);
    flood_map_free(&inflow);
    CHECK(status);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        CHECK(show_variant(run, island, wave, &others[k], &round, table));
    return STATUS_OK;
}

enum status tsunami_case_bp6(struct validation_run *run)
{
    const struct island *island = &islands[*(const int *)run->validation_case->context];
    struct case_table table;
    struct case_series wave;
    CHECK(case_read_benchmark(run, island->series, 1 + GAUGES, false, &table));
    enum status status = incident_wave(island, &table, &wave);
    if (status == STATUS_OK) {
        status = measure_all(run, island, &table, &wave);
        case_series_free(&wave);
    }
    case_table_free(&table);
    CHECK(status);
    return case_note(run, "island", "case %s, spacing %g m, Manning n %g (concrete)", island->letter,
                     ISLAND_SPACING, ISLAND_ROUGH);
}
