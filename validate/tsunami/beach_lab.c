// BP1 against NTHMP's own tables, and BP4: solitary waves on a plane beach in the laboratory, of two heights
// and of all that were measured.
#include "validate/case_table.h"
#include "validate/tsunami/beach.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char synolakis[] = "Synolakis (1987), J. Fluid Mech. 185, 523-545: laboratory";

// A column of a table of profiles, x in the first. Dry land comes before water: a NaN behind it is a hole in
// the table, and left out.
static enum status profile_of(const struct case_table *table, int column, double **numbers,
                              struct beach_points *points)
{
    *numbers = malloc(2 * table->rows * sizeof **numbers);
    if (!*numbers)
        return FAIL(STATUS_SYSTEM, "not enough memory for a profile of %zu points", table->rows);
    size_t count = 0;
    bool is_water = false;
    for (size_t k = 0; k < table->rows; k++) {
        const double eta = case_table_at(table, k, column);
        if (is_water && isnan(eta))
            continue;
        is_water |= !isnan(eta);
        (*numbers)[count] = case_table_at(table, k, 0);
        (*numbers)[table->rows + count++] = eta;
    }
    *points = (struct beach_points){count, *numbers, *numbers + table->rows};
    return STATUS_OK;
}

static enum status measure_profile(struct validation_run *run, const struct flood_map *map,
                                   const struct beach *beach, double time, const struct case_table *table,
                                   int column, const char *source, const char *reference,
                                   const char *tolerance)
{
    char quantity[VALIDATION_NAME_BYTES];
    double *numbers = NULL;
    struct beach_points points;
    struct beach_difference d = {0};
    CHECK(profile_of(table, column, &numbers, &points));
    snprintf(quantity, sizeof quantity, "profile at t/tau %g, H/d %g", time, beach->height);
    enum status status = beach_compare(map, beach, time, &points, &d);
    if (status == STATUS_OK)
        status = validation_compare(run, tolerance, "d", source, d.rms, d.range, "%s", quantity);
    if (status == STATUS_OK)
        status = beach_draw(run, map, beach, time, &points, reference, quantity, source);
    free(numbers);
    return status;
}

// ---- BP1

#define BP1_PROFILES "nthmp/BP01/canonical_profiles.txt"
#define BP1_SERIES   "nthmp/BP01/canonical_ts.txt"
const char *const tsunami_bp1_files[] = {BP1_PROFILES, BP1_SERIES, NULL};

enum { BP1_TIMES = 8 };
static const struct beach bp1 = {.name = "bp1",
                                 .depth_m = 1,
                                 .height = 0.019,
                                 .spacing = FLOOD_SPACING,
                                 .duration = 120,
                                 .fields_every = 5,
                                 .gauge_at = {0.25, 9.95}};
static const char bp1_source[] = "NTHMP's table of the closed form";

static enum status measure_bp1_profiles(struct validation_run *run, const struct flood_map *map)
{
    struct case_table table;
    double highest = 0, runup = NAN;
    CHECK(case_read_benchmark(run, BP1_PROFILES, 1 + BP1_TIMES, false, &table));
    enum status status = beach_runup(run, &bp1, &runup, NULL);
    for (int t = 0; t < BP1_TIMES && status == STATUS_OK; t++) {
        for (size_t k = 0; k < table.rows; k++)
            highest = fmax(highest, case_table_at(&table, k, 1 + t));
        status = measure_profile(run, map, &bp1, 35 + 5 * t, &table, 1 + t, bp1_source, "closed form",
                                 "bp1/profile");
    }
    case_table_free(&table);
    CHECK(status);
    return validation_compare(run, "bp1/runup", "d", "NTHMP's table: largest of its profiles", runup, highest,
                              "largest run-up");
}

// The nearer gauge falls dry after 66 τ.
static enum status measure_bp1_series(struct validation_run *run, const struct case_table *table, int place)
{
    char label[VALIDATION_NAME_BYTES];
    struct case_series expected, computed;
    snprintf(label, sizeof label, "series at x/d %g", bp1.gauge_at[place]);
    const struct flood_gauge gauge = {.label = label,
                                      .source = bp1_source,
                                      .unit = "d",
                                      .time_unit = "tau",
                                      .reference = "closed form",
                                      .begin_s = 0,
                                      .end_s = place == 0 ? 66 : 119,
                                      .peak_tolerance = "bp1/series-peak",
                                      .rms_tolerance = "bp1/profile"};
    CHECK(case_table_series(table, 2 * place, 2 * place + 1, &expected));
    enum status status = beach_gauge(run, &bp1, place == 0 ? "near" : "far", &computed);
    if (status == STATUS_OK) {
        status = flood_measure_gauge(run, &gauge, &expected, &computed);
        case_series_free(&computed);
    }
    case_series_free(&expected);
    return status;
}

enum status tsunami_case_bp1(struct validation_run *run)
{
    struct flood_map map;
    struct case_table table;
    CHECK(beach_run(run, &bp1));
    CHECK(flood_read_fields(run, bp1.name, false, &map));
    enum status status = measure_bp1_profiles(run, &map);
    flood_map_free(&map);
    CHECK(status);
    CHECK(case_read_benchmark(run, BP1_SERIES, 4, true, &table));
    for (int place = 0; place < 2 && status == STATUS_OK; place++)
        status = measure_bp1_series(run, &table, place);
    case_table_free(&table);
    CHECK(status);
    CHECK(tsunami_measure_volume(run, bp1.name, "volume at the end"));
    return case_note(run, bp1.name, "spacing 0.1 depths, no friction");
}

// ---- BP4

#define BP4_RUNUP     "nthmp/BP04/Lab_runup.txt"
#define BP4_PROFILE   "nthmp/BP04/profiles_H0.0185/Case0_0185.t="
#define BP4_BREAKS_AT 0.045 // H/d, as in the file

const char *const tsunami_bp4_files[] = {
    BP4_RUNUP, BP4_PROFILE "30", BP4_PROFILE "40", BP4_PROFILE "50", BP4_PROFILE "60", BP4_PROFILE "70",
    NULL};
const char *const tsunami_bp4_table_files[] = {BP4_RUNUP, NULL};

enum { HEIGHT, RUNUP, DEPTH_CM, BP4_COLUMNS };

// The mean of the rows whose H/d lies within half a thousandth: their run-up; their depth if `depth_m` is
// wanted.
static enum status find_rows(const struct case_table *table, double height, double *runup, double *depth_m)
{
    double sum = 0, depth = 0;
    size_t count = 0;
    for (size_t k = 0; k < table->rows; k++)
        if (fabs(case_table_at(table, k, HEIGHT) - height) < 0.00051) {
            sum += case_table_at(table, k, RUNUP);
            depth += case_table_at(table, k, DEPTH_CM) / 100;
            count++;
        }
    if (count == 0)
        return FAIL(STATUS_DATA, "%s: has no row of H/d %g", BP4_RUNUP, height);
    *runup = sum / (double)count;
    *depth_m = depth / (double)count;
    return STATUS_OK;
}

struct bp4_wave {
    const char *name;
    double row_height; // H/d of the rows that it is compared with
    double height;     // H/d of the run: 0.0185 lies between rows of 0.018 and 0.019
    const char *tolerance;
};

// The same on another grid, or without dispersion, for information.
static enum status show_wave(struct validation_run *run, const char *what, const struct beach *beach,
                             double expected)
{
    double runup = NAN;
    CHECK(beach_run(run, beach));
    CHECK(beach_runup(run, beach, &runup, NULL));
    return validation_compare(run, NULL, "d", synolakis, runup, expected, "the same %s, H/d %g", what,
                              beach->height);
}

// On the grid of all.
static enum status measure_wave(struct validation_run *run, const struct case_table *table,
                                const struct bp4_wave *wave, struct beach *beach)
{
    char quantity[VALIDATION_NAME_BYTES], fine_name[64], shallow_name[64];
    double expected = NAN, runup = NAN, continued = NAN;
    *beach = (struct beach){.name = wave->name,
                            .height = wave->height,
                            .spacing = FLOOD_SPACING,
                            .manning_n = FLOOD_TANK_ROUGH,
                            .has_dispersion = true,
                            .is_exact = true,
                            .fields_every = 5};
    CHECK(find_rows(table, wave->row_height, &expected, &beach->depth_m));
    CHECK(beach_run(run, beach));
    CHECK(beach_runup(run, beach, &runup, &continued));
    CHECK(validation_compare(run, wave->tolerance, "d", synolakis, runup, expected,
                             "largest run-up, H/d %g, d %.4g m", wave->height, beach->depth_m));
    CHECK(validation_compare(run, NULL, "d", synolakis, continued, expected,
                             "the same, continued to the ground, H/d %g", wave->height));
    struct beach fine = *beach, shallow = *beach;
    snprintf(fine_name, sizeof fine_name, "%s-fine", wave->name);
    fine.name = fine_name;
    fine.spacing = 0.5 * FLOOD_SPACING;
    CHECK(show_wave(run, "at half the spacing", &fine, expected));
    snprintf(shallow_name, sizeof shallow_name, "%s-shallow", wave->name);
    shallow.name = shallow_name;
    shallow.has_dispersion = false;
    CHECK(show_wave(run, "without dispersion", &shallow, expected));
    snprintf(quantity, sizeof quantity, "volume at the end, H/d %g", wave->height);
    return tsunami_measure_volume(run, wave->name, quantity);
}

static enum status measure_bp4_profiles(struct validation_run *run, const struct beach *beach)
{
    struct flood_map map;
    CHECK(flood_read_fields(run, beach->name, false, &map));
    enum status status = STATUS_OK;
    for (int time = 30; time <= 70 && status == STATUS_OK; time += 10) {
        char file[sizeof BP4_PROFILE + 8];
        struct case_table table;
        snprintf(file, sizeof file, BP4_PROFILE "%d", time);
        status = case_read_benchmark(run, file, 2, false, &table);
        if (status == STATUS_OK) {
            status =
                measure_profile(run, &map, beach, time, &table, 1, synolakis, "laboratory", "bp4/profile");
            case_table_free(&table);
        }
    }
    flood_map_free(&map);
    return status;
}

enum status tsunami_case_bp4(struct validation_run *run)
{
    static const struct bp4_wave low = {"low", 0.0185, 0.0185, "bp4/runup-low"},
                                 high = {"high", 0.298, 0.298, "bp4/runup-high"};
    struct case_table table;
    struct beach beach = {0};
    CHECK(case_read_benchmark(run, BP4_RUNUP, BP4_COLUMNS, false, &table));
    enum status status = measure_wave(run, &table, &low, &beach);
    if (status == STATUS_OK)
        status = measure_bp4_profiles(run, &beach);
    if (status == STATUS_OK)
        status = measure_wave(run, &table, &high, &beach);
    case_table_free(&table);
    CHECK(status);
    return case_note(run, low.name, "spacing 0.1 depths, depth of the laboratory's rows, Manning n %g",
                     FLOOD_TANK_ROUGH);
}

// ---- BP4, the whole table

// Of log(R/d) against log(H/d), by least squares.
static double slope(const double *heights, const double *runups, size_t first, size_t end)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    const double count = (double)(end - first);
    for (size_t k = first; k < end; k++) {
        x += log(heights[k]) / count;
        y += log(runups[k]) / count;
    }
    for (size_t k = first; k < end; k++) {
        xx += (log(heights[k]) - x) * (log(heights[k]) - x);
        xy += (log(heights[k]) - x) * (log(runups[k]) - y);
    }
    return xy / xx;
}

// Rows in their order: those that do not break, then those that do.
struct branch {
    const char *name;
    size_t first, end;
};

static enum status measure_branch(struct validation_run *run, const struct branch *branch,
                                  const double *heights, const double *observed, const double *computed)
{
    double mean = 0, squares = 0;
    const double count = (double)(branch->end - branch->first);
    for (size_t k = branch->first; k < branch->end; k++) {
        const double error = computed[k] / observed[k] - 1;
        mean += error / count;
        squares += error * error / count;
    }
    CHECK(validation_compare(run, "bp4/trend", "1", synolakis,
                             slope(heights, computed, branch->first, branch->end),
                             slope(heights, observed, branch->first, branch->end),
                             "exponent of R/d against H/d, %s", branch->name));
    CHECK(validation_compare(run, NULL, "of R", synolakis, mean, NAN, "mean error of R, %s, %.0f waves",
                             branch->name, count));
    return validation_compare(run, NULL, "of R", synolakis, sqrt(squares), NAN, "rms error of R, %s",
                              branch->name);
}

static enum status draw_table(struct validation_run *run, size_t rows, const double *heights,
                              const double *observed, const double *computed)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Run-up of solitary waves on a beach 1:19.85", "H / d", "R / d",
                             "Each wave of the laboratory's table, run at its own depth.", &picture));
    picture->is_logarithmic = true;
    CHECK(validation_line(run, picture, "laboratory", true, heights, observed, rows));
    return validation_line(run, picture, "Fathom", true, heights, computed, rows);
}

static enum status run_rows(struct validation_run *run, const struct case_table *table, double *numbers)
{
    double *heights = numbers, *observed = numbers + table->rows, *computed = numbers + 2 * table->rows;
    size_t breaking = table->rows;
    double drift = 0;
    for (size_t k = 0; k < table->rows; k++) {
        char name[32];
        snprintf(name, sizeof name, "row-%zu", k + 1);
        heights[k] = case_table_at(table, k, HEIGHT);
        observed[k] = case_table_at(table, k, RUNUP);
        const struct beach beach = {.name = name,
                                    .depth_m = case_table_at(table, k, DEPTH_CM) / 100,
                                    .height = heights[k],
                                    .spacing = FLOOD_SPACING,
                                    .manning_n = FLOOD_TANK_ROUGH,
                                    .has_dispersion = true,
                                    .is_exact = true};
        if (k > 0 && heights[k] < heights[k - 1])
            return FAIL(STATUS_DATA, "%s: row %zu: H/d %g follows on %g: expected heights that ascend",
                        BP4_RUNUP, k + 1, heights[k], heights[k - 1]);
        if (breaking == table->rows && heights[k] > BP4_BREAKS_AT)
            breaking = k;
        CHECK(beach_run(run, &beach));
        CHECK(beach_runup(run, &beach, &computed[k], NULL));
        double start_m3, end_m3;
        CHECK(tsunami_read_volumes(run, name, &start_m3, &end_m3));
        drift = fmax(drift, fabs(end_m3 / start_m3 - 1));
    }
    const struct branch low = {"not breaking", 0, breaking}, high = {"breaking", breaking, table->rows};
    CHECK(measure_branch(run, &low, heights, observed, computed));
    CHECK(measure_branch(run, &high, heights, observed, computed));
    CHECK(validation_compare(run, "mass-closed", "1", FLOOD_MASS_SOURCE, drift, 0,
                             "largest mass drift of all"));
    return draw_table(run, table->rows, heights, observed, computed);
}

enum status tsunami_case_bp4_table(struct validation_run *run)
{
    char text[VALIDATION_TEXT_BYTES / 2];
    struct case_table table;
    CHECK(case_read_benchmark(run, BP4_RUNUP, BP4_COLUMNS, false, &table));
    double *numbers = malloc(3 * table.rows * sizeof *numbers);
    enum status status = numbers ? run_rows(run, &table, numbers)
                                 : FAIL(STATUS_SYSTEM, "not enough memory for %zu waves", table.rows);
    free(numbers);
    case_table_free(&table);
    CHECK(status);
    CHECK(case_run_describe(run, "row-1", text, sizeof text));
    validation_note(run, "spacing 0.1 depths, Manning n %g; the first of them: %s", FLOOD_TANK_ROUGH, text);
    return STATUS_OK;
}
