// A lake at rest about dry islands over a rough bottom stays at rest, to the last bit, for 2500 steps (full
// size: ten thousand). In the islands' craters water sloshes, so that no part of the grid is quiet and left
// out of the computation.
#include "validate/tsunami/flood.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 64, NY = 32, BLOCK = 32, USUAL = 2500, FULL = 10000 }; // one crater in the middle of each block
static const double step_s = 0.05, rim_m = 8, crest_m = 2, pond_m = 6;

static const struct variant {
    const char *name, *description;
    double level_m;
} variants[] = {{"level-0", "level 0", 0}, {"level-0375", "level 0.375 m", 0.375}};
enum { VARIANTS = sizeof variants / sizeof *variants };

// Distance from the middle of the nearest crater.
static double radius_m(double x_m, double y_m)
{
    const double x = x_m - BLOCK * floor(x_m / BLOCK) - 0.5 * BLOCK,
                 y = y_m - BLOCK * floor(y_m / BLOCK) - 0.5 * BLOCK;
    return hypot(x, y);
}

// Between −1 and 1, without pattern (splitmix64's finalizer).
static double rough(double x_m, double y_m)
{
    uint64_t n = (uint64_t)(int64_t)floor(x_m) * 1000003u + (uint64_t)(int64_t)floor(y_m) + 1;
    n *= 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return (double)((n ^ n >> 31) >> 11) * 0x1p-52 - 1;
}

static double ground_m(double x_m, double y_m)
{
    const double r = radius_m(x_m, y_m);
    const double crater =
        r < rim_m ? -1 + (crest_m + 1) * pow(r / rim_m, 4) : crest_m * (2 * rim_m - r) / rim_m;
    // Two more shoals, one in a corner, their tops dry or nearly so.
    const double a = hypot(x_m - BLOCK, y_m - BLOCK), b = hypot(x_m - 2 * BLOCK, y_m);
    const double bed = -3 + 0.75 * rough(x_m, y_m) + 4.2 * exp(-a * a / 30) + 3.2 * exp(-b * b / 50);
    return r < rim_m ? crater : fmax(bed, crater);
}

static double value(const void *context, int variable, double x, double y)
{
    const struct variant *v = context;
    if (variable == 0)
        return -ground_m(x, y);
    const double r = radius_m(x, y), east = x - BLOCK * floor(x / BLOCK) - 0.5 * BLOCK;
    return r < rim_m ? fmin(v->level_m, 0.3) + 0.3 * east / pond_m : v->level_m;
}

static enum status run_variant(struct validation_run *run, const struct variant *v)
{
    const struct case_grid grid = {.x = {NX, 0.5, 1},
                                   .y = {NY, 0.5, 1},
                                   .variable_count = 2,
                                   .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}},
                                   .context = v,
                                   .value = value};
    const double duration_s = step_s * (case_is_full(run) ? FULL : USUAL);
    char file[64];
    snprintf(file, sizeof file, "%s.nc", v->name);
    CHECK(case_write_grid(run, file, &grid));
    struct case_job job = flood_job_new(&(struct flood_job){.title = "A lake at rest",
                                                            .bathymetry = file,
                                                            .duration_s = duration_s,
                                                            .edges = {"wall", "wall", "wall", "wall"},
                                                            .fields_every_s = duration_s});
    case_job_set(&job, "time.step", "\"%g s\"", step_s);
    case_job_set(&job, "source.initial", "{\"file\": \"%s\", \"eta\": \"eta\", \"floods_land\": true}", file);
    return case_job_run_once(run, &job, v->name, NULL, NULL);
}

// Largest speed that a node ever had, in the lake and in the craters, and how far the lake's level is off at
// the end.
struct extremes {
    double lake_m_s, crater_m_s, off_m, volume_m3;
};

static void find_extremes(const struct flood_map *end, const double *max_speed, const struct variant *v,
                          struct extremes *e)
{
    *e = (struct extremes){0};
    for (size_t j = 0; j < end->ny; j++)
        for (size_t i = 0; i < end->nx; i++) {
            const double speed = max_speed[j * end->nx + i], eta = flood_eta(end, end->records - 1, j, i);
            const bool is_lake = radius_m(end->x_m[i], end->y_m[j]) > rim_m;
            e->volume_m3 += isnan(eta) ? 0 : eta - ground_m(end->x_m[i], end->y_m[j]);
            if (isnan(speed))
                continue;
            *(is_lake ? &e->lake_m_s : &e->crater_m_s) = fmax(is_lake ? e->lake_m_s : e->crater_m_s, speed);
            if (is_lake)
                e->off_m = isnan(eta) ? INFINITY : fmax(e->off_m, fabs(eta - v->level_m));
        }
}

static enum status measure(struct validation_run *run, const struct variant *v, const struct extremes *e)
{
    char quantity[VALIDATION_NAME_BYTES], precision[32];
    CHECK(case_run_text(run, v->name, "precision", precision, sizeof precision));
    const bool is_double = strcmp(precision, "double") == 0;
    CHECK(validation_compare(run, is_double ? "lake/speed" : "lake/speed-single", "m/s", "water at rest",
                             e->lake_m_s, 0, "largest speed in the lake, %s", v->description));
    CHECK(validation_compare(run, is_double ? "lake/level" : "lake/level-single", "m", "water at rest",
                             e->off_m, 0, "level of the lake at the end, %s", v->description));
    CHECK(validation_compare(run, "lake/craters", "m/s", "so that nothing is left out as quiet",
                             e->crater_m_s, NAN, "largest speed in the craters, %s", v->description));
    snprintf(quantity, sizeof quantity, "mass drift, %s", v->description);
    return flood_measure_mass(run, v->name, quantity, e->volume_m3);
}

static enum status measure_variant(struct validation_run *run, const struct variant *v)
{
    struct flood_map end;
    double *max_speed;
    size_t shape[4];
    struct extremes extremes;
    CHECK(run_variant(run, v));
    CHECK(case_read_variable(run, v->name, "maxima.nc", "max_speed", &max_speed, shape));
    enum status status = flood_read_fields(run, v->name, false, &end);
    if (status == STATUS_OK && (end.nx != shape[1] || end.ny != shape[0]))
        status = FAIL(STATUS_DATA, "maps and maxima of the job %s differ in size", v->name);
    if (status == STATUS_OK)
        find_extremes(&end, max_speed, v, &extremes);
    free(max_speed);
    flood_map_free(&end);
    CHECK(status);
    return measure(run, v, &extremes);
}

enum status tsunami_case_lake(struct validation_run *run)
{
    for (int k = 0; k < VARIANTS; k++)
        CHECK(measure_variant(run, &variants[k]));
    return case_note(run, variants[0].name, "%d x %d nodes of 1 m, two craters", NX, NY);
}
