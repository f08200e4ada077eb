// BP1: a solitary wave of H/d 0.019 on a plane beach against its closed form, on two grids, full size: three.
// No friction.
#include "validate/closed/solitary_runup.h"
#include "validate/tsunami/beach.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GRIDS = 3,
    TIMES = 9,
    POINTS = 219
}; // x/d −2 … 19.8, on the beach, where the closed form is the nonlinear one
static const double times[TIMES] = {25, 30, 35, 40, 45, 50, 55, 60, 65};
static const struct beach grids[GRIDS] = {
    {"0.1d", 1, 0.019, FLOOD_SPACING, 0, 70, 5, {0.25, 9.95}, false, false},
    {"0.05d", 1, 0.019, FLOOD_SPACING / 2, 0, 70, 5, {0, 0}, false, false},
    {"0.025d", 1, 0.019, FLOOD_SPACING / 4, 0, 70, 5, {0, 0}, false, false},
};
static const char source[] = "Synolakis (1987), J. Fluid Mech. 185, 523-545, section 3";

// The closed form's profiles, computed once for all grids.
struct profiles {
    double x[POINTS], eta[TIMES][POINTS];
};

static void fill_profiles(const struct solitary_runup *solution, struct profiles *profiles)
{
    for (int k = 0; k < POINTS; k++)
        profiles->x[k] = -2 + 0.1 * k;
    for (int t = 0; t < TIMES; t++)
        solitary_runup_profile(solution, times[t], POINTS, profiles->x, profiles->eta[t]);
}

static struct beach_points points_at(const struct profiles *profiles, int t)
{
    return (struct beach_points){POINTS, profiles->x, profiles->eta[t]};
}

// Compares each profile of the first grid; of the finer grids all profiles together.
static enum status measure_profiles(struct validation_run *run, int grid, const struct flood_map *map,
                                    const struct profiles *profiles)
{
    char quantity[VALIDATION_NAME_BYTES];
    double squares = 0, range = 0;
    for (int t = 0; t < TIMES; t++) {
        const struct beach_points points = points_at(profiles, t);
        struct beach_difference d;
        CHECK(beach_compare(map, &grids[grid], times[t], &points, &d));
        squares += d.rms * d.rms;
        range = fmax(range, d.range);
        snprintf(quantity, sizeof quantity, "profile at t/tau %g, %s", times[t], grids[grid].name);
        if (grid == 0)
            CHECK(validation_compare(run, "bp1/profile", "d", source, d.rms, d.range, "%s", quantity));
        if (grid == 0 && t % 2 == 0)
            CHECK(beach_draw(run, map, &grids[grid], times[t], &points, "closed form", quantity,
                             "The closed form, and the run with a spacing of a tenth of the depth."));
    }
    return validation_compare(run, "bp1/profile", "d", source, sqrt(squares / TIMES), range,
                              "all profiles, %s", grids[grid].name);
}

static enum status measure_grid(struct validation_run *run, int grid, const struct solitary_runup *solution,
                                const struct profiles *profiles, double *runup)
{
    const struct beach *beach = &grids[grid];
    char quantity[VALIDATION_NAME_BYTES];
    struct flood_map map;
    double continued;
    CHECK(beach_run(run, beach));
    CHECK(beach_runup(run, beach, runup, &continued));
    CHECK(validation_compare(run, "bp1/runup", "d", source, *runup, solitary_runup_largest(solution, NULL),
                             "largest run-up, %s", beach->name));
    CHECK(validation_compare(run, NULL, "d", source, continued, solitary_runup_largest(solution, NULL),
                             "the same, continued to the ground, %s", beach->name));
    CHECK(flood_read_fields(run, beach->name, false, &map));
    enum status status = measure_profiles(run, grid, &map, profiles);
    flood_map_free(&map);
    CHECK(status);
    snprintf(quantity, sizeof quantity, "volume at the end, %s", beach->name);
    return tsunami_measure_volume(run, beach->name, quantity);
}

// Compares a gauge on the first grid, until the gauge nearer to the shore falls dry.
static enum status measure_gauge(struct validation_run *run, const struct solitary_runup *solution,
                                 const char *gauge, double x)
{
    enum { SAMPLES = 66 };
    static double time[SAMPLES], eta[SAMPLES];
    struct case_series computed, exact = {SAMPLES, time, eta};
    char label[VALIDATION_NAME_BYTES];
    for (int k = 0; k < SAMPLES; k++) {
        time[k] = k;
        eta[k] = solitary_runup_nonlinear(solution, x, time[k], NULL);
    }
    snprintf(label, sizeof label, "series at x/d %g, 0.1d", x);
    CHECK(beach_gauge(run, &grids[0], gauge, &computed));
    const struct flood_gauge wanted = {.label = label,
                                       .source = source,
                                       .unit = "d",
                                       .time_unit = "tau",
                                       .reference = "closed form",
                                       .begin_s = 0,
                                       .end_s = time[SAMPLES - 1],
                                       .peak_tolerance = "bp1/series-peak",
                                       .rms_tolerance = "bp1/profile"};
    enum status status = flood_measure_gauge(run, &wanted, &exact, &computed);
    case_series_free(&computed);
    return status;
}

// Reports how the run-up converges with the spacing. There is no criterion, because the closed form assumes
// small waves before the beach.
static enum status show_convergence(struct validation_run *run, const double runup[GRIDS], int count)
{
    CHECK(validation_compare(run, NULL, "d", "", runup[1] - runup[0], NAN,
                             "change of the run-up, 0.1d to 0.05d"));
    if (count == GRIDS)
        CHECK(validation_compare(run, NULL, "d", "", runup[2] - runup[1], NAN,
                                 "change of the run-up, 0.05d to 0.025d"));
    return validation_compare(run, NULL, "d",
                              "Synolakis (1987), equation 3.9: 2.831 sqrt(cot beta) (H/d)^(5/4)",
                              runup[count - 1], solitary_runup_law(0.019, BEACH_SLOPE), "run-up law");
}

static enum status measure_all(struct validation_run *run, const struct solitary_runup *solution,
                               struct profiles *profiles)
{
    const int count = case_is_full(run) ? GRIDS : GRIDS - 1;
    double runup[GRIDS];
    fill_profiles(solution, profiles);
    for (int k = 0; k < count; k++)
        CHECK(measure_grid(run, k, solution, profiles, &runup[k]));
    CHECK(show_convergence(run, runup, count));
    CHECK(measure_gauge(run, solution, "near", grids[0].gauge_at[0]));
    return measure_gauge(run, solution, "far", grids[0].gauge_at[1]);
}

enum status tsunami_case_beach(struct validation_run *run)
{
    struct solitary_runup *solution = NULL;
    CHECK(solitary_runup_new(0.019, BEACH_SLOPE, &solution));
    struct profiles *profiles = malloc(sizeof *profiles);
    enum status status = profiles ? measure_all(run, solution, profiles)
                                  : FAIL(STATUS_SYSTEM, "not enough memory for the profiles");
    free(profiles);
    solitary_runup_free(solution);
    CHECK(status);
    return case_note(run, grids[0].name, "beach 1:19.85, H/d 0.019, spacings 0.1, 0.05%s depths, no friction",
                     case_is_full(run) ? ", 0.025" : "");
}
