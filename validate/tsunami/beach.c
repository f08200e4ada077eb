// A solitary wave that runs up a plane beach (see beach.h).
#include "validate/tsunami/beach.h"

#include "validate/closed/solitary_wave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double beach_tau_s(const struct beach *beach)
{
    return sqrt(beach->depth_m / FLOOD_GRAVITY);
}

double beach_depth_m(const void *context, double x_m)
{
    const struct beach *beach = context;
    return fmin(beach->depth_m, x_m / BEACH_SLOPE);
}

static double depth_of_grid(const void *context, int variable, double x, double y)
{
    (void)variable;
    (void)y;
    return beach_depth_m(context, x);
}

// How far the grid reaches on land, in d: more than any wave without friction would need, of those that break
// less would do but costs nothing.
static double land(const struct beach *beach)
{
    return beach->height <= 0.025 ? 4 : beach->height <= 0.045 ? 8 : 26;
}

static struct solitary_wave wave_of(const struct beach *beach)
{
    return solitary_wave_before_beach(beach->depth_m, beach->height * beach->depth_m, BEACH_SLOPE,
                                      FLOOD_GRAVITY);
}

static enum status write_grid(const struct validation_run *run, const struct beach *beach, const char *file)
{
    const struct solitary_wave wave = wave_of(beach);
    const double dx = beach->spacing * beach->depth_m, west = -land(beach) / beach->spacing;
    // The wave's other half lies beyond its crest, and 12 d more are at rest.
    const double width_m = wave.crest_m + wave.half_length_m + 12 * beach->depth_m;
    const size_t nodes = (size_t)llround(width_m / dx - west);
    const struct case_grid grid = {.x = {nodes, (west + 0.5) * dx, dx},
                                   .y = {FLOOD_ROWS, 0, dx},
                                   .variable_count = 1,
                                   .variables = {{"depth", "m", "down"}},
                                   .context = beach,
                                   .value = depth_of_grid};
    return case_write_grid(run, file, &grid);
}

static void add_gauges(const struct validation_run *run, const struct beach *beach, struct case_job *job)
{
    const struct case_gauge gauges[] = {{"near", beach->gauge_at[0] * beach->depth_m, 0},
                                        {"far", beach->gauge_at[1] * beach->depth_m, 0}};
    char file[VALIDATION_NAME_BYTES + 16];
    snprintf(file, sizeof file, "gauges-%.100s.json", beach->name);
    if (job->status == STATUS_OK)
        job->status = case_write_gauges(run, file, gauges, 2);
    case_job_set(job, "output.gauges.file", "\"%s\"", file);
    case_job_set(job, "output.gauges.every", "\"%.12g s\"", 0.1 * beach_tau_s(beach));
}

enum status beach_run(struct validation_run *run, const struct beach *beach)
{
    const struct solitary_wave wave = wave_of(beach);
    const double tau_s = beach_tau_s(beach);
    // The wave is at the shore after X1/d τ, and highest within some 25 more.
    const double duration = beach->duration > 0 ? beach->duration : wave.crest_m / beach->depth_m + 35;
    char file[VALIDATION_NAME_BYTES];
    snprintf(file, sizeof file, "%.100s.nc", beach->name);
    // The wave that runs back has not returned from the eastern wall when any case ends.
    const struct flood_job wanted = {.title = "Solitary wave on a plane beach",
                                     .bathymetry = file,
                                     .has_dispersion = beach->has_dispersion,
                                     .duration_s = duration * tau_s,
                                     .manning_n = beach->manning_n,
                                     .edges = {"wall", "wall", "periodic", "periodic"},
                                     .fields_every_s = beach->fields_every * tau_s};
    CHECK(write_grid(run, beach, file));
    struct case_job job = flood_job_new(&wanted);
    case_job_set(
        &job, "source.solitary",
        "{\"height\": \"%.12g m\", \"crest\": \"%.12g m\", \"depth\": \"%.12g m\", \"toward\": \"west\", "
        "\"velocity\": \"%s\"}",
        wave.height_m, wave.crest_m, wave.depth_m, beach->is_exact ? "exact" : "linear");
    if (beach->gauge_at[0] > 0)
        add_gauges(run, beach, &job);
    return case_job_run_once(run, &job, beach->name, NULL, NULL);
}

enum status beach_runup(const struct validation_run *run, const struct beach *beach, double *runup,
                        double *continued)
{
    struct flood_map maxima;
    const struct flood_box land_box = {{-INFINITY, 0}, {-INFINITY, INFINITY}};
    CHECK(flood_read_maxima(run, beach->name, "maxima.nc", false, &maxima));
    const struct flood_height height = flood_runup(&maxima, &land_box);
    *runup = height.level_m / beach->depth_m;
    if (continued)
        *continued = height.continued_m / beach->depth_m;
    flood_map_free(&maxima);
    return STATUS_OK;
}

enum status beach_gauge(const struct validation_run *run, const struct beach *beach, const char *gauge,
                        struct case_series *series)
{
    CHECK(flood_read_gauge(run, beach->name, "gauges.nc", gauge, series));
    for (size_t k = 0; k < series->count; k++) {
        series->time_s[k] /= beach_tau_s(beach);
        series->value[k] /= beach->depth_m;
    }
    return STATUS_OK;
}

static double ground(double x)
{
    return fmax(-1, -x / BEACH_SLOPE);
}

enum status beach_compare(const struct flood_map *map, const struct beach *beach, double time,
                          const struct beach_points *reference, struct beach_difference *difference)
{
    const double tau_s = beach_tau_s(beach);
    size_t record;
    CHECK(flood_record_at(map, time * tau_s, 0.1 * tau_s, &record));
    double squares = 0, low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < reference->count; k++) {
        const bool is_dry = isnan(reference->eta[k]);
        const double expected = is_dry ? ground(reference->x[k]) : reference->eta[k];
        const double computed =
            flood_profile_m(map, record, beach_depth_m, beach, reference->x[k] * beach->depth_m) /
            beach->depth_m;
        squares += (computed - expected) * (computed - expected);
        low = is_dry ? low : fmin(low, expected);
        high = is_dry ? high : fmax(high, expected);
    }
    *difference =
        (struct beach_difference){.rms = sqrt(squares / (double)reference->count), .range = high - low};
    return STATUS_OK;
}

// What is dry in the reference is no line; the ground is one.
static enum status draw_lines(struct validation_run *run, struct validation_picture *picture,
                              const struct flood_map *map, size_t record, const struct beach *beach,
                              const struct beach_points *reference, const char *name, double *lines)
{
    double *x = lines, *computed = lines + map->nx, *bed = lines + 2 * map->nx;
    size_t count = 0;
    const double low = reference->x[0], high = reference->x[reference->count - 1];
    for (size_t i = 0; i < map->nx; i++) {
        x[count] = map->x_m[i] / beach->depth_m;
        if (x[count] < low || x[count] > high)
            continue;
        computed[count] = flood_eta(map, record, map->ny / 2, i) / beach->depth_m;
        // Deep ground would only press the waves flat.
        bed[count] = ground(x[count]) > -0.03 ? ground(x[count]) : (double)NAN;
        count++;
    }
    CHECK(validation_line(run, picture, name, true, reference->x, reference->eta, reference->count));
    CHECK(validation_line(run, picture, "Fathom", false, x, computed, count));
    return validation_line(run, picture, "ground", false, x, bed, count);
}

enum status beach_draw(struct validation_run *run, const struct flood_map *map, const struct beach *beach,
                       double time, const struct beach_points *reference, const char *name, const char *title,
                       const char *caption)
{
    struct validation_picture *picture;
    const double tau_s = beach_tau_s(beach);
    size_t record;
    CHECK(flood_record_at(map, time * tau_s, 0.1 * tau_s, &record));
    CHECK(validation_picture(run, title, "x / d", "elevation / d", caption, &picture));
    double *lines = malloc(3 * map->nx * sizeof *lines);
    if (!lines)
        return FAIL(STATUS_SYSTEM, "not enough memory for a profile of %zu nodes", map->nx);
    enum status status = draw_lines(run, picture, map, record, beach, reference, name, lines);
    free(lines);
    return status;
}
