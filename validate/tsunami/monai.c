// BP7: the laboratory's model of the valley near Monai on Okushiri. The wave is the laboratory's, given at
// the western edge.
#include "validate/case_table.h"
#include "validate/tsunami/flood.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BP7_GROUND "nthmp/BP07/Benchmark_2_Bathymetry.txt"
#define BP7_WAVE   "nthmp/BP07/Benchmark_2_input.txt"
#define BP7_GAUGES "nthmp/BP07/output_ch5-7-9.csv"
#define BP7_RUNUPS "nthmp/BP07/OBS_RUNUP.txt"
const char *const tsunami_bp7_files[] = {BP7_GROUND, BP7_WAVE, BP7_GAUGES, BP7_RUNUPS, NULL};

enum { NX = 393, NY = 244, GAUGES = 3, PLACES = 3, RUNS = 6 };
static const double spacing_m = 0.014, still_m = 0.13535, sample_s = 0.05, end_s = 22.5;
static const char matsuyama[] = "Matsuyama and Tanaka (2001), Int. Tsunami Symp. 2001, 879-889: laboratory";

static const struct case_gauge gauges[GAUGES] = {
    {"gauge 5", 4.521, 1.196}, {"gauge 7", 4.521, 1.696}, {"gauge 9", 4.521, 2.196}};

// Where run-up was measured, in the order of the laboratory's table: the valley, and the coast beside it.
static const struct {
    const char *name;
    struct flood_box box;
    const char *tolerance; // NULL: shown
} places[PLACES] = {{"in the valley", {{5.0, 5.488}, {1.75, 2.02}}, "bp7/valley"},
                    {"at y 2.21 m", {{4.91, 5.15}, {2.17, 2.24}}, NULL},
                    {"at y 2.32 m", {{4.88, 5.12}, {2.29, 2.35}}, NULL}};

// ---- inputs

static double depth_of_grid(const void *context, int variable, double x, double y)
{
    const struct case_table *ground = context;
    (void)variable;
    const size_t i = (size_t)llround(x / spacing_m), j = (size_t)llround(y / spacing_m);
    return case_table_at(ground, i * NY + j, 2);
}

// Rows of x, y and depth, y running fastest, as the grid has them.
static enum status check_ground(const struct case_table *ground)
{
    const char *path = ground->path;
    if (ground->rows != (size_t)NX * NY)
        return FAIL(STATUS_DATA, "%s: holds %zu nodes, expected %d x %d", path, ground->rows, NX, NY);
    for (size_t k = 0; k < ground->rows; k++) {
        const double x = (double)(k / NY) * spacing_m, y = (double)(k % NY) * spacing_m;
        if (!(fabs(case_table_at(ground, k, 0) - x) < 1e-4 && fabs(case_table_at(ground, k, 1) - y) < 1e-4))
            return FAIL(STATUS_DATA, "%s: node %zu lies at (%g, %g), expected (%g, %g)", path, k + 1,
                        case_table_at(ground, k, 0), case_table_at(ground, k, 1), x, y);
    }
    return STATUS_OK;
}

static enum status write_ground(const struct validation_run *run)
{
    struct case_table ground;
    CHECK(case_read_benchmark(run, BP7_GROUND, 3, false, &ground));
    enum status status = check_ground(&ground);
    const struct case_grid grid = {.x = {NX, 0, spacing_m},
                                   .y = {NY, 0, spacing_m},
                                   .variable_count = 1,
                                   .variables = {{"depth", "m", "down"}},
                                   .context = &ground,
                                   .value = depth_of_grid};
    if (status == STATUS_OK)
        status = case_write_grid(run, "monai.nc", &grid);
    case_table_free(&ground);
    return status;
}

static enum status run_monai(struct validation_run *run)
{
    const struct flood_job wanted = {.title = "The valley near Monai, 1:400",
                                     .bathymetry = "monai.nc",
                                     .duration_s = end_s,
                                     .manning_n = FLOOD_TANK_ROUGH,
                                     .edges = {NULL, "wall", "wall", "wall"},
                                     .fields_every_s = sample_s,
                                     .has_velocity = true,
                                     .has_dispersion = true};
    struct case_series wave;
    CHECK(write_ground(run));
    CHECK(case_write_gauges(run, "gauges.json", gauges, GAUGES));
    CHECK(case_read_record(run, BP7_WAVE, &wave));
    struct case_job job = flood_job_new(&wanted);
    flood_give_wave(run, &job, "wave.csv", &wave, false);
    case_series_free(&wave);
    // The first two columns, to see what flows in.
    case_job_set(&job, "output.fields.x", "[\"%g m\", \"%g m\"]", -0.25 * spacing_m, 1.25 * spacing_m);
    case_job_set(&job, "output.gauges.file", "\"gauges.json\"");
    case_job_set(&job, "output.gauges.every", "\"%g s\"", sample_s);
    return case_job_run_once(run, &job, "monai", NULL, NULL);
}

// ---- gauges

// From the deepest withdrawal to the highest wave.
static double rise_s(const struct case_series *series)
{
    size_t low = 0, high = 0;
    for (size_t k = 1; k < series->count && series->time_s[k] <= end_s; k++) {
        low = series->value[k] < series->value[low] ? k : low;
        high = series->value[k] > series->value[high] ? k : high;
    }
    return series->time_s[high] - series->time_s[low];
}

static enum status compare_gauge(struct validation_run *run, int number, const struct case_series *observed,
                                 const struct case_series *computed)
{
    const struct flood_gauge gauge = {.label = gauges[number].name,
                                      .source = matsuyama,
                                      .unit = "m",
                                      .begin_s = 0,
                                      .end_s = end_s,
                                      .peak_tolerance = "gauge-peak",
                                      .rms_tolerance = "gauge-rms"};
    CHECK(flood_measure_gauge(run, &gauge, observed, computed));
    return validation_compare(run, "bp7/withdrawal", "s", matsuyama, rise_s(computed), rise_s(observed),
                              "%s, from the lowest level to the highest", gauges[number].name);
}

// In cm; the columns follow on the time.
static enum status measure_gauge(struct validation_run *run, const struct case_table *table, int number)
{
    struct case_series observed, computed;
    CHECK(case_table_series(table, 0, 1 + number, &observed));
    enum status status = flood_read_gauge(run, "monai", "gauges.nc", gauges[number].name, &computed);
    if (status == STATUS_OK) {
        size_t count = 0; // the record continues for minutes
        while (count < observed.count && observed.time_s[count] <= end_s)
            observed.value[count++] /= 100;
        observed.count = count;
        status = compare_gauge(run, number, &observed, &computed);
        case_series_free(&computed);
    }
    case_series_free(&observed);
    return status;
}

// ---- run-up

static enum status measure_place(struct validation_run *run, int place, double observed_m,
                                 struct flood_height height)
{
    static const char source[] = "mean of six runs in the laboratory, in Yamazaki et al. (2009)";
    CHECK(validation_compare(run, places[place].tolerance, "m", source, height.level_m, observed_m,
                             "largest run-up %s", places[place].name));
    return validation_compare(run, NULL, "m", source, height.continued_m, observed_m,
                              "the same, continued to the ground, %s", places[place].name);
}

static enum status measure_runups(struct validation_run *run)
{
    struct case_table table;
    struct flood_map maxima;
    CHECK(case_read_benchmark(run, BP7_RUNUPS, 2 + RUNS, false, &table));
    enum status status = flood_read_maxima(run, "monai", "maxima.nc", false, &maxima);
    if (status == STATUS_OK && table.rows != PLACES)
        status = FAIL(STATUS_DATA, "%s: holds %zu places, expected %d", table.path, table.rows, PLACES);
    for (size_t k = 0; k < PLACES && status == STATUS_OK; k++) {
        double mean = 0;
        for (int r = 0; r < RUNS; r++)
            mean += case_table_at(&table, k, 2 + r) / RUNS;
        status = measure_place(run, (int)k, mean, flood_runup(&maxima, &places[k].box));
    }
    flood_map_free(&maxima);
    case_table_free(&table);
    return status;
}

static double depth_m(const void *context, double x_m)
{
    (void)context;
    (void)x_m; // at the western edge, where the bottom is level
    return still_m;
}

enum status tsunami_case_bp7(struct validation_run *run)
{
    struct case_table table;
    struct flood_map inflow;
    CHECK(run_monai(run));
    CHECK(case_read_benchmark(run, BP7_GAUGES, 1 + GAUGES, false, &table));
    enum status status = STATUS_OK;
    for (int k = 0; k < GAUGES && status == STATUS_OK; k++)
        status = measure_gauge(run, &table, k);
    case_table_free(&table);
    CHECK(status);
    CHECK(measure_runups(run));
    CHECK(flood_read_fields(run, "monai", true, &inflow));
    status = flood_measure_inflow(run, "monai", "mass drift (gain less inflow)", &inflow, depth_m, NULL);
    flood_map_free(&inflow);
    CHECK(status);
    return case_note(run, "monai", "spacing %g m, the file's own nodes; Manning n %g", spacing_m,
                     FLOOD_TANK_ROUGH);
}
