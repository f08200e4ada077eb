// BP2: a solitary wave over a beach of three slopes that ends at a vertical wall. The wave is that of gauge
// 4, given at the grid's edge. Against the closed form of the linear equations, with the wave a
// ten-thousandth as high (at a hundredth, waves of case c are still 1 % faster than linear ones); and at its
// full height beside the laboratory's record, for information: the waves there disperse, which shallow-water
// equations cannot.
#include "validate/case_table.h"
#include "validate/tsunami/flood.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// From NTHMP's description: depth 0.218 m before the beach, then 4.36 m of 1:53, 2.93 m of 1:150, 0.90 m of
// 1:13; gauges 5 to 10 at 15.04, 17.22, 19.40, 20.86, 22.33 and 22.80 m, 5 at the toe, the wall at 23.23 m.
enum { SLOPES = 3, GAUGES = 8 };
static const double still_m = 0.218;
static const double lengths_m[SLOPES] = {4.36, 2.93, 0.90}, slopes[SLOPES] = {1 / 53.0, 1 / 150.0, 1 / 13.0};
static const char *const gauge_names[GAUGES] = {"G4", "G5", "G6", "G7", "G8", "G9", "G10", "wall"};
static const double linear_share = 1e-4, sample_s = 0.025;

struct composite {
    const char *letter;
    double toe_m; // how far the toe lies behind gauge 4
    const char *measured, *linear;
};

#define BP2_FILE(letter, tail) "nthmp/BP02/ts3" letter tail ".txt"
#define BP2_FILES(letter)                                                                                    \
    {                                                                                                        \
        BP2_FILE(letter, ""), BP2_FILE(letter, "_analytical"), NULL                                          \
    }
const char *const tsunami_bp2_files[3][3] = {BP2_FILES("a"), BP2_FILES("b"), BP2_FILES("c")};
static const struct composite composites[3] = {
    {"a", 2.40, BP2_FILE("a", ""), BP2_FILE("a", "_analytical")},
    {"b", 0.98, BP2_FILE("b", ""), BP2_FILE("b", "_analytical")},
    {"c", 0.64, BP2_FILE("c", ""), BP2_FILE("c", "_analytical")},
};

static double length_m(const struct composite *c)
{
    return c->toe_m + lengths_m[0] + lengths_m[1] + lengths_m[2];
}

static double depth_m(const void *context, double x_m)
{
    const struct composite *c = context;
    double depth = still_m, begin = c->toe_m;
    for (int k = 0; k < SLOPES; k++) {
        depth -= slopes[k] * fmin(fmax(0, x_m - begin), lengths_m[k]);
        begin += lengths_m[k];
    }
    return depth;
}

static double depth_of_grid(const void *context, int variable, double x, double y)
{
    (void)variable;
    (void)y;
    return depth_m(context, x);
}

// Gauge 4 at the edge, the others behind the toe.
static double gauge_m(const struct composite *c, int number)
{
    static const double behind_toe_m[GAUGES - 1] = {0, 2.18, 4.36, 5.82, 7.29, 7.76, 8.19};
    return number == 0 ? 0 : c->toe_m + behind_toe_m[number - 1];
}

// ---- the run

static enum status write_inputs(const struct validation_run *run, const struct composite *c, double spacing,
                                const char *name)
{
    char file[64];
    // The wall is the last cell's face; the incoming wave is given at the first one's.
    const size_t nodes = (size_t)llround(length_m(c) / (spacing * still_m));
    const double dx = length_m(c) / (double)nodes;
    const struct case_grid grid = {.x = {nodes, 0.5 * dx, dx},
                                   .y = {FLOOD_ROWS, 0, dx},
                                   .variable_count = 1,
                                   .variables = {{"depth", "m", "down"}},
                                   .context = c,
                                   .value = depth_of_grid};
    snprintf(file, sizeof file, "beach-%s.nc", name);
    CHECK(case_write_grid(run, file, &grid));
    struct case_gauge gauges[GAUGES];
    for (int k = 0; k < GAUGES; k++)
        gauges[k] = (struct case_gauge){gauge_names[k],
                                        fmin(fmax(gauge_m(c, k), 0.5 * dx), length_m(c) - 0.5 * dx), 0};
    snprintf(file, sizeof file, "gauges-%s.json", name);
    return case_write_gauges(run, file, gauges, GAUGES);
}

static enum status run_wave(struct validation_run *run, const char *name, const struct case_series *wave,
                            double manning_n, bool has_dispersion)
{
    char bathymetry[64], file[64];
    const struct flood_job wanted = {.title = "Solitary wave on a beach of three slopes with a wall",
                                     .bathymetry = bathymetry,
                                     .duration_s = floor(wave->time_s[wave->count - 1]),
                                     .manning_n = manning_n,
                                     .edges = {NULL, "wall", "periodic", "periodic"},
                                     .fields_every_s = 2 * sample_s,
                                     .has_velocity = true,
                                     .has_dispersion = has_dispersion};
    snprintf(bathymetry, sizeof bathymetry, "beach-%s.nc", name);
    snprintf(file, sizeof file, "wave-%s.csv", name);
    struct case_job job = flood_job_new(&wanted);
    flood_give_wave(run, &job, file, wave, false);
    case_job_set(&job, "output.gauges.file", "\"gauges-%s.json\"", name);
    case_job_set(&job, "output.gauges.every", "\"%g s\"", sample_s);
    return case_job_run_once(run, &job, name, NULL, NULL);
}

// ---- against a table of gauges

struct record {
    const char *name, *file, *source;
    int gauges;     // columns after the time
    double begin_s; // of the table: the run's time 0
    double spacing; // in still depths
    double manning_n;
    double share; // of the wave's height that is run; heights are shown in full
    bool is_wall_only;
    const char *peak_tolerance, *wall_tolerance, *rms_tolerance;
};

static enum status compare_gauge(struct validation_run *run, const struct record *r,
                                 const struct case_table *table, int number)
{
    char label[VALIDATION_NAME_BYTES];
    struct case_series expected, computed;
    snprintf(label, sizeof label, "%s, %s", r->name, gauge_names[number]);
    CHECK(case_table_series(table, 0, 1 + number, &expected));
    enum status status = case_read_gauge(run, r->name, gauge_names[number], &computed);
    if (status == STATUS_OK) {
        for (size_t k = 0; k < computed.count; k++) {
            computed.time_s[k] += r->begin_s;
            computed.value[k] /= r->share;
        }
        if (r->share == 1)
            flood_subtract_rest(&expected, r->begin_s + 2);
        const struct flood_gauge gauge = {.label = label,
                                          .source = r->source,
                                          .unit = "m",
                                          .reference = r->share == 1 ? "laboratory" : "closed form",
                                          .begin_s = r->begin_s,
                                          .end_s = computed.time_s[computed.count - 1],
                                          .peak_tolerance =
                                              number == GAUGES - 1 ? r->wall_tolerance : r->peak_tolerance,
                                          .rms_tolerance = r->rms_tolerance};
        status = flood_measure_gauge(run, &gauge, &expected, &computed);
        case_series_free(&computed);
    }
    case_series_free(&expected);
    return status;
}

// A series sampled some five times in its shortest wave loses a part of each crest if it is taken as linear
// between its samples: cubics through four of them, four points to a sample.
static enum status refine(struct case_series *series)
{
    enum { PARTS = 4 };
    const size_t count = series->count < 4 ? 0 : PARTS * (series->count - 1) + 1;
    double *time_s = malloc((count + 1) * sizeof *time_s), *value = malloc((count + 1) * sizeof *value);
    if (!time_s || !value || count == 0) {
        free(time_s);
        free(value);
        return count == 0 ? FAIL(STATUS_DATA, "a wave of %zu samples: expected 4 or more", series->count)
                          : FAIL(STATUS_SYSTEM, "not enough memory for a wave of %zu samples", count);
    }
    for (size_t n = 0; n < count; n++) {
        const size_t k = n / PARTS, first = k == 0 ? 0 : k + 3 > series->count ? series->count - 4 : k - 1;
        const double share = (double)(n % PARTS) / PARTS;
        const double *t = series->time_s + first, *v = series->value + first;
        time_s[n] = n % PARTS == 0 ? series->time_s[k]
                                   : (1 - share) * series->time_s[k] + share * series->time_s[k + 1];
        value[n] = 0;
        for (int a = 0; a < 4; a++) {
            double term = v[a];
            for (int b = 0; b < 4; b++)
                term *= a == b ? 1 : (time_s[n] - t[b]) / (t[a] - t[b]);
            value[n] += term;
        }
    }
    case_series_free(series);
    *series = (struct case_series){count, time_s, value};
    return STATUS_OK;
}

// What gauge 4 has, from its beginning, as a wave for the run.
static enum status wave_of(const struct case_table *table, const struct record *r, struct case_series *wave)
{
    CHECK(case_table_series(table, 0, 1, wave));
    if (r->share == 1)
        flood_subtract_rest(wave, r->begin_s + 2);
    for (size_t k = 0; k < wave->count; k++) {
        wave->time_s[k] -= r->begin_s;
        wave->value[k] *= r->share;
    }
    enum status status = refine(wave);
    if (status != STATUS_OK)
        case_series_free(wave);
    return status;
}

static enum status run_record(struct validation_run *run, const struct composite *c, const struct record *r,
                              const struct case_table *table)
{
    struct case_series wave;
    CHECK(write_inputs(run, c, r->spacing, r->name));
    CHECK(wave_of(table, r, &wave));
    enum status status = run_wave(run, r->name, &wave, r->manning_n, r->share == 1);
    case_series_free(&wave);
    return status;
}

static enum status measure_record(struct validation_run *run, const struct composite *c, struct record *r)
{
    char quantity[VALIDATION_NAME_BYTES];
    struct case_table table;
    struct flood_map maps;
    CHECK(case_read_benchmark(run, r->file, 1 + r->gauges, false, &table));
    r->begin_s = floor(case_table_at(&table, 0, 0));
    enum status status = run_record(run, c, r, &table);
    for (int k = r->is_wall_only ? GAUGES - 1 : 1; k < r->gauges && status == STATUS_OK; k++)
        status = compare_gauge(run, r, &table, k);
    case_table_free(&table);
    CHECK(status);
    if (r->is_wall_only)
        return STATUS_OK;
    CHECK(flood_read_fields(run, r->name, true, &maps));
    snprintf(quantity, sizeof quantity, "%s, mass drift (gain less inflow)", r->name);
    status = flood_measure_inflow(run, r->name, quantity, &maps, depth_m, c);
    flood_map_free(&maps);
    return status;
}

enum status tsunami_case_bp2(struct validation_run *run)
{
    const struct composite *c = &composites[*(const int *)run->validation_case->context];
    // The waves of cases b and c are some depths long only: a closed form takes as many nodes as they
    // need.
    struct record linear = {
        .name = "linear",
        .file = c->linear,
        .source =
            "closed form of the linear equations, Kanoglu and Synolakis (1998), J. Fluid Mech. 374, 1-28",
        .gauges = GAUGES,
        .spacing = FLOOD_SPACING / 4,
        .share = linear_share,
        .peak_tolerance = "bp2/gauge-peak",
        .wall_tolerance = "bp2/wall",
        .rms_tolerance = "bp2/gauge-rms"};
    struct record coarse = linear;
    coarse.name = "linear-0.1d";
    coarse.spacing = FLOOD_SPACING;
    coarse.peak_tolerance = coarse.wall_tolerance = coarse.rms_tolerance = NULL;
    coarse.is_wall_only = true;
    struct record measured = {.name = "laboratory",
                              .file = c->measured,
                              .source = "laboratory of the US Army's Engineer Waterways Experiment Station",
                              .gauges = GAUGES - 1,
                              .spacing = FLOOD_SPACING,
                              .manning_n = FLOOD_TANK_ROUGH,
                              .share = 1};
    CHECK(measure_record(run, c, &linear));
    CHECK(measure_record(run, c, &coarse));
    CHECK(measure_record(run, c, &measured));
    return case_note(run, linear.name,
                     "case %s; linear: the wave 1e-4 as high, no friction, spacing 0.025 depths", c->letter);
}
