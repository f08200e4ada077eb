// A bottom that rises while the waves run, held against the exact solution of the linear equations over a
// flat bottom: with the uplift U(t) h(x), η(x, t) = ½ ∫ U'(τ) [h(x − c(t − τ)) + h(x + c(t − τ))] dτ
// (d'Alembert). The integral is the test's own, so that the reference and the fast versions cannot be wrong
// together.
#include "tests/support/cli_fixture.h"
#include "tests/support/cuda_test.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

static const double depth_m = 4000, gravity_m_s2 = 9.81;
static double width_m, height_m; // of the hump

static double flat(double x, double y, double time_s)
{
    return depth_m;
}

static double hump(double x, double y, double time_s)
{
    return height_m * exp(-0.5 * x * x / (width_m * width_m));
}

// A source's share of the hump: a polygon over time, 0 before its first point; a jump is two points at one
// time.
enum { POINTS_MAX = 4 };
struct polygon {
    int count;
    double times_s[POINTS_MAX], shares[POINTS_MAX];
};

static double moved_hump(double x, double distance_m)
{
    return 0.5 * (hump(x - distance_m, 0, 0) + hump(x + distance_m, 0, 0));
}

// The hump's integral from 0 to x.
static double hump_sum(double x)
{
    static const double half_pi = 1.5707963267948966;
    return height_m * width_m * sqrt(half_pi) * erf(x / (width_m * sqrt(2)));
}

// The integral of moved_hump over distances between two.
static double moved_sum(double x, double from_m, double to_m)
{
    return 0.5 * (hump_sum(x + to_m) - hump_sum(x + from_m) + hump_sum(x - from_m) - hump_sum(x - to_m));
}

static double exact_eta(const struct polygon *p, double x, double time_s)
{
    const double speed = sqrt(gravity_m_s2 * depth_m);
    double eta = 0;
    for (int k = 0; k + 1 < p->count; k++) {
        const double begin = p->times_s[k], whole = p->times_s[k + 1] - begin,
                     end = fmin(time_s, begin + whole);
        const double change = p->shares[k + 1] - p->shares[k];
        if (time_s < begin)
            break;
        if (whole == 0)
            eta += change * moved_hump(x, speed * (time_s - begin));
        else
            eta += change / whole * moved_sum(x, speed * (time_s - end), speed * (time_s - begin)) / speed;
    }
    return eta;
}

// A source with a time axis: the bottom jumps to the first record, follows them as a polygon with corners
// within steps, and stays.
static const double record_times_s[] = {0, 34, 135};

static double followed(double x, double y, double time_s)
{
    return hump(x, y, 0) * (time_s == 0 ? 0.5 : time_s == 34 ? 1.5 : 1);
}

// ---- runs

// On a GPU "cuda" stands for both.
static const char *slow = "reference", *fast = "openmp";

struct sea {
    size_t nx;
    double spacing_m, step_s, every_s, duration_s;
};

enum { SEA_ROWS = 5 };

static const double places_m[] = {0, 60e3, 150e3};
enum { PLACES = COUNT(places_m) };

static cJSON *sea_job(const struct sea *sea, const char *source)
{
    struct cli_grid grid = {.nx = sea->nx,
                            .ny = SEA_ROWS,
                            .x0 = -0.5 * (double)(sea->nx - 1) * sea->spacing_m,
                            .y0 = -2 * sea->spacing_m,
                            .dx = sea->spacing_m,
                            .dy = sea->spacing_m,
                            .is_plane = true,
                            .variable_count = 1};
    grid.variables[0] =
        (struct cli_variable){.name = "depth", .units = "m", .positive = "down", .value = flat};
    cli_write_grid("flat.nc", &grid);
    grid.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = hump};
    cli_write_grid("uplift.nc", &grid);
    grid.records = 3, grid.times_s = record_times_s;
    grid.variables[0].value = followed;
    cli_write_grid("moving.nc", &grid);
    cli_write_json("gauges.json",
                   "{'fathom_gauges': 1, 'gauges': [{'name': 'a', 'x': '0 m', 'y': '0 m'}, {'name': 'b', "
                   "'x': '60 km', 'y': '0 m'}, {'name': 'c', 'x': '150 km', 'y': '0 m'}]}");
    cJSON *job =
        cli_change(cli_sea_job(),
                   "domain = {'bathymetry': {'file': 'flat.nc'}, 'edges': {'south': 'wall', 'north': "
                   "'wall'}}; source = %s; backend = '%s'; precision = 'double'; output = {'directory': "
                   "'out', 'precision': 'double', 'deformation': true}; output.gauges.file = 'gauges.json'; "
                   "output.gauges.every = '%g s'; time.duration = '%g s'; time.step = '%g s'",
                   source, fast, sea->every_s, sea->duration_s, sea->step_s);
    return job;
}

// A grid within, of a part of the spacing. `edges`: those of its own that its parent does not give.
static void add_nested(cJSON *job, const struct sea *sea, const char *method, int finer, const char *edges)
{
    cli_change(job,
               "nested = {'bay': {'domain': {'bathymetry': {'file': 'flat.nc'}, 'x': ['-65 km', '65 km']}}}; "
               "nested.bay.domain.spacing = '%.15g m'; nested.bay.method = '%s'",
               sea->spacing_m / finer, method);
    if (edges[0]) {
        cli_set(job, "nested.bay.domain.edges", edges);
        return;
    }
    cli_change(job, "nested.bay.domain.y = ['%g m', '%g m']", -sea->spacing_m, sea->spacing_m);
}

// Largest difference from the exact solution at the gauges, relative to the hump's height.
static double error_in(const char *file, size_t places, const struct polygon *p)
{
    size_t count, shape[4];
    double *eta = cli_read_variable(file, "eta", &count, shape);
    double *times = cli_read_values(file, "time", shape[0]);
    double largest = 0;
    assert_int_equal(shape[1], places);
    for (size_t r = 0; r < shape[0]; r++)
        for (size_t k = 0; k < places; k++) {
            const double difference = eta[r * places + k] - exact_eta(p, places_m[k], times[r]);
            largest = isfinite(difference) ? fmax(largest, fabs(difference) / height_m) : INFINITY;
        }
    return largest;
}

static double error_of(const struct polygon *p)
{
    return error_in("out/gauges.nc", PLACES, p);
}

static const struct {
    const char *source;
    struct polygon polygon;
} sources[] = {
    {"{'displacement': {'file': 'uplift.nc'}}", {2, {0, 0}, {0, 1}}},
    {"{'displacement': {'file': 'uplift.nc', 'rise': '1 s'}}", {2, {0, 1}, {0, 1}}},
    {"{'displacement': {'file': 'uplift.nc', 'start': '45 s'}}", {2, {45, 45}, {0, 1}}},
    {"{'displacement': {'file': 'uplift.nc', 'start': '60 s'}}", {2, {60, 60}, {0, 1}}},
    {"{'displacement': {'file': 'uplift.nc', 'start': '33 s', 'rise': '300 s'}}", {2, {33, 333}, {0, 1}}},
    {"{'displacement': {'file': 'uplift.nc', 'start': '43 s', 'rise': '1 s'}}", {2, {43, 44}, {0, 1}}},
    {"{'displacement': {'file': 'uplift.nc', 'start': '43 s', 'rise': '10 s'}}", {2, {43, 53}, {0, 1}}},
    {"{'displacement': {'file': 'moving.nc', 'start': '4 s'}}", {4, {4, 4, 38, 139}, {0, 0.5, 1.5, 1}}},
};

// `tolerance`: with steps of 10 s a source that acts one step late is off by 2 % of the hump's height, half a
// step by 1 %.
static void check_sources(const char *backend, const char *method, double tolerance)
{
    // What an edge sends back has not come to the gauges by then.
    const struct sea sea = {.nx = 241, .spacing_m = 2500, .step_s = 10, .every_s = 10, .duration_s = 800};
    width_m = 60e3, height_m = 1e-3;
    for (size_t k = 0; k < COUNT(sources); k++) {
        cJSON *job =
            cli_change(sea_job(&sea, sources[k].source), "backend = '%s'; method = '%s'", backend, method);
        // Where the shore moves a step may be half as long; on a staggered grid 0.65 times.
        if (tolerance > 2e-3 || strcmp(method, "c-grid-6") == 0)
            cli_change(job, "time.step = '5 s'");
        cli_run_job(job);
        const double error = error_of(&sources[k].polygon);
        print_message("%s, %s, %s: %.2e\n", backend, method, sources[k].source, error);
        if (!(error <= tolerance))
            fail_msg("%s, %s, %s: off by %g of the height, allowed %g", backend, method, sources[k].source,
                     error, tolerance);
    }
}

TEST(test_reference)
{
    check_sources(slow, "vtcs2-o2", 1e-3);
}

TEST(test_openmp)
{
    check_sources(fast, "vtcs2-o2", 1e-3);
}

TEST(test_vtcs2)
{
    check_sources(fast, "vtcs2", 1e-3);
}

TEST(test_staggered)
{
    check_sources(slow, "c-grid-6", 1e-3);
    check_sources(fast, "c-grid-6", 1e-3);
}

TEST(test_finite_volumes)
{
    check_sources(slow, "muscl-hancock", 3e-3);
    check_sources(fast, "muscl-hancock", 3e-3);
}

TEST(test_moving_shore)
{
    check_sources(fast, "vtcs2-shore", 3e-3);
}

// The case in which the delay was found: flat sea of 4000 m, 1 m of uplift, steps of 30 s, η at 0, 30 and 60
// s.
TEST(test_first_steps)
{
    static const struct {
        const char *source;
        double eta_m[3];
    } cases[] = {{"{'displacement': {'file': 'uplift.nc'}}", {1, 0.962, 0.858}},
                 {"{'displacement': {'file': 'uplift.nc', 'rise': '1 s'}}", {0, 0.963, 0.860}}};
    const struct sea sea = {.nx = 101, .spacing_m = 7500, .step_s = 30, .every_s = 30, .duration_s = 60};
    width_m = 21.35e3, height_m = 1;
    for (size_t k = 0; k < 2; k++) {
        cli_run_job(sea_job(&sea, cases[k].source));
        double *eta = cli_read_values("out/gauges.nc", "eta", 3 * PLACES);
        for (size_t r = 0; r < 3; r++) {
            print_message("%s: %g s: %.4f\n", cases[k].source, 30.0 * (double)r, eta[r * PLACES]);
            if (!(fabs(eta[r * PLACES] - cases[k].eta_m[r]) <= 0.01))
                fail_msg("%s: %g at %zu s, expected %g", cases[k].source, eta[r * PLACES], 30 * r,
                         cases[k].eta_m[r]);
        }
    }
}

// Second order in the step, spacing and step halved together: for a rise over many steps, and for a jump
// within a step (a third of the way through it on the coarse grid, two thirds on the next).
static void check_order(const char *backend, const char *source, const struct polygon *polygon,
                        bool is_nested)
{
    double errors[3];
    width_m = 60e3, height_m = 1e-3;
    for (int k = 0; k < 3; k++) {
        const double part = 1 << k;
        const struct sea sea = {.nx = 200 * (1u << k) + 1,
                                .spacing_m = 5000 / part,
                                .step_s = 20 / part,
                                .every_s = 20,
                                .duration_s = 600};
        cJSON *job = cli_change(sea_job(&sea, source), "backend = '%s'", backend);
        if (is_nested)
            add_nested(job, &sea, "vtcs2-o2", 3, "");
        cli_run_job(job);
        errors[k] = is_nested ? error_in("out/bay.gauges.nc", 2, polygon) : error_of(polygon);
    }
    for (int k = 0; k < 2; k++) {
        print_message("%s, %s%s: order %.3f (%.2e %.2e)\n", backend, is_nested ? "nested, " : "", source,
                      log2(errors[k] / errors[k + 1]), errors[k], errors[k + 1]);
        if (!(log2(errors[k] / errors[k + 1]) >= 1.9))
            fail_msg("%s, %s: errors %g and %g, of order %g", backend, source, errors[k], errors[k + 1],
                     log2(errors[k] / errors[k + 1]));
    }
}

TEST(test_order)
{
    const char *const backends[] = {slow, fast};
    for (int b = slow == fast; b < 2; b++) {
        check_order(backends[b], "{'displacement': {'file': 'uplift.nc', 'start': '20 s', 'rise': '200 s'}}",
                    &(struct polygon){2, {20, 220}, {0, 1}}, false);
        for (int is_nested = 0; is_nested < 2; is_nested++)
            check_order(backends[b], "{'displacement': {'file': 'uplift.nc', 'start': '46.6666666666667 s'}}",
                        &(struct polygon){2, {140.0 / 3, 140.0 / 3}, {0, 1}}, is_nested);
    }
}

// Second order in the step alone: on one grid, where each step's half differs from it by a quarter of what
// it differs from its double. Starts and ends of rises lie a third or two thirds of the way through every
// step, so that a step is never luckier than the next one. A source that acts late by a part of a step is
// of first order. Three steps show one order.
enum { HALVINGS = 3 };

// From the largest differences of successive runs, as a part of the height.
static void assert_order_in_step(const char *about, const double *differences, int count, double least)
{
    for (int k = 0; k + 1 < count; k++) {
        const double order = log2(differences[k] / differences[k + 1]);
        print_message("%s: order %.3f in the step (%.2e %.2e)\n", about, order, differences[k],
                      differences[k + 1]);
        if (!(order >= least))
            fail_msg("%s: differences %g and %g, of order %g in the step", about, differences[k],
                     differences[k + 1], order);
    }
}

static void check_order_in_step(const char *backend, const char *source)
{
    double differences[HALVINGS - 1] = {0};
    size_t values = 0;
    const double *before = NULL;
    width_m = 60e3, height_m = 1e-3;
    for (int k = 0; k < HALVINGS; k++) {
        const struct sea sea = {
            .nx = 401, .spacing_m = 2500, .step_s = 12.0 / (1 << k), .every_s = 12, .duration_s = 600};
        cli_run_job(cli_change(sea_job(&sea, source), "backend = '%s'", backend));
        const double *eta = cli_read_variable("out/gauges.nc", "eta", &values, NULL);
        for (size_t i = 0; before && i < values; i++)
            differences[k - 1] = fmax(differences[k - 1], fabs(eta[i] - before[i]) / height_m);
        before = eta;
    }
    assert_order_in_step(format_text("%s, %s", backend, source), differences, HALVINGS - 1, 1.9);
}

static const char *const starting[] = {
    "{'displacement': {'file': 'uplift.nc', 'start': '40 s'}}",
    "{'displacement': {'file': 'uplift.nc', 'start': '40 s', 'rise': '100 s'}}",
    "{'displacement': {'file': 'uplift.nc', 'start': '40 s', 'rise': '12 s'}}",
    "{'displacement': {'file': 'moving.nc', 'start': '4 s'}}", // corners at 4, 38 and 139 s
};

TEST(test_order_in_step)
{
    for (size_t k = 0; k < COUNT(starting); k++)
        check_order_in_step(fast, starting[k]);
    if (slow != fast)
        check_order_in_step(slow, starting[2]);
}

// Faults: those that start and rise together are lifted by a share of what Okada's formula gave once, others
// one by one; and a displacement that was made of them. All rise alike, and the end is that of a rise at
// once.
static cJSON *faults_job(const char *paces)
{
    cJSON *job = cli_change(cli_sea_job(), "backend = '%s'", fast);
    const char *rows = format_text("[[144.8, 33.9, 15, 100, 50, 200, 20, 90, 3, 12, %s]]", paces);
    cli_change(job,
               "source.faults.columns = ['longitude', 'latitude', 'depth', 'length', 'width', 'strike', "
               "'dip', 'rake', 'slip', 'start', 'rise']; source.faults.units = ['degree', 'degree', 'km', "
               "'km', 'km', 'degree', 'degree', 'degree', 'm', 's', 's']; source.faults.rows = %s; precision "
               "= 'double'; output.precision = 'double'; time = {'duration': '600 s', 'step': '20 s'}; "
               "output.fields.every = '60 s'",
               rows);
    return job;
}

TEST(test_faults)
{
    static const char second[] = "[145.4, 33.6, 10, 100, 50, 198, 16, 90, 2, 12,";
    static const char *const rises[] = {"90], %s 90", "90], %s 90.000000001", "0], %s 0"};
    static const char *const names[] = {"together", "apart", "at_once"};
    for (int k = 0; k < 3; k++) {
        cli_run_to(faults_job(format_text(rises[k], second)), names[k]);
    }
    assert_true(cli_difference("apart/fields.nc", "together/fields.nc", "eta") <= 1e-9);
    // 3 m of slip: what accumulated over the lifts is the whole, to the results' own rounding.
    assert_true(cli_difference("together/deformation.nc", "at_once/deformation.nc", "deformation") <= 1e-7);
    cli_run_to(
        cli_change(
            faults_job("90], [145.4, 33.6, 10, 100, 50, 198, 16, 90, 2, 12, 90"),
            "source = {'filter': 'kajiura', 'displacement': {'file': 'at_once/deformation.nc', 'start': '12 "
            "s', 'rise': '90 s'}}"),
        "displaced");
    assert_true(cli_difference("displaced/fields.nc", "together/fields.nc", "eta") <= 1e-6);
}

static double deep(double x, double y, double time_s)
{
    return -depth_m;
}

// The same of faults that start and rise apart, so deep that their uplift is smooth on 3 arc-minutes, without
// coasts and away from open edges: at the nodes' own scale a step also damps, in proportion to itself.
TEST(test_order_in_step_of_faults)
{
    double differences[2] = {0};
    size_t values = 0;
    const double *before = NULL;
    struct cli_grid sea = cli_sea;
    sea.variables[0].value = deep;
    for (int k = 0; k < 3; k++) {
        cJSON *job = cli_change(
            faults_job("90"),
            "source.faults.rows = [[144.8, 33.9, 150, 150, 100, 200, 20, 90, 10, 69.3333333333, 160], "
            "[145.4, "
            "33.6, 150, 150, 100, 198, 16, 90, 8, 117.3333333333, 48]]; time = {'duration': '576 s', 'step': "
            "'%g s'}; output.fields = {'every': '96 s', 'variables': ['eta'], 'longitude': ['143.5 degree', "
            "'147 degree'], 'latitude': ['32.2 degree', '35 degree']}; domain.longitude = ['142 degree', "
            "'148.5 "
            "degree']; domain.latitude = ['31 degree', '36.2 degree']; domain.spacing = '3 arcmin'",
            16.0 / (1 << k));
        cli_write_grid("sea.nc", &sea);
        cli_run_job(job);
        const double *eta = cli_read_variable("out/fields.nc", "eta", &values, NULL);
        for (size_t i = 0; before && i < values; i++)
            if (isfinite(eta[i]))
                differences[k - 1] = fmax(differences[k - 1], fabs(eta[i] - before[i]));
        before = eta;
    }
    assert_order_in_step("two faults", differences, 2, 1.9);
}

// In single precision a deep bottom can take a rise of tenths of a millimetre at best. Thousands of small
// lifts make the whole uplift none the less, of the bottom and of the water.
TEST(test_many_small_lifts)
{
    const struct sea sea = {
        .nx = 41, .spacing_m = 25000, .step_s = 20, .every_s = 20000, .duration_s = 20000};
    width_m = 1e9, height_m = 0.1;
    cli_run_job(cli_change(sea_job(&sea, "{'displacement': {'file': 'uplift.nc', 'rise': '20000 s'}}"),
                           "precision = 'single'; method = 'muscl-hancock'; domain.edges = {'west': 'wall', "
                           "'east': 'wall', 'south': 'wall', 'north': 'wall'}"));
    double *eta = cli_read_values("out/gauges.nc", "eta", 2 * PLACES);
    double *depth = cli_read_values("out/maxima.nc", "depth", sea.nx * SEA_ROWS);
    if (!(fabs(eta[PLACES] - height_m) <= 1e-5))
        fail_msg("the water rose by %.9g m, not by %g", eta[PLACES], height_m);
    if (!(fabs(depth[0] - (depth_m - height_m)) <= 3e-4))
        fail_msg("the depth is %.9g m, not %.9g", depth[0], depth_m - height_m);
}

// A grid within the grid whose given edges lie on the bottom that moves. What the parent gives is linear over
// its step, and a bottom that jumps or rises within a step is not: edges that followed the parent alone sent
// in a wave of a tenth of the hump's height. `finer`: spacing and step are the parent's divided by it; then
// all four edges are given. Every second source, in turn: each method meets jumps and rises.
static void check_nested(const char *backend, const char *method, int finer, double tolerance)
{
    // What an edge sends back has not come to the gauges by then.
    const struct sea sea = {.nx = 241, .spacing_m = 2500, .step_s = 10, .every_s = 10, .duration_s = 800};
    static size_t calls;
    int wrong = 0;
    width_m = 60e3, height_m = 1e-3;
    for (size_t k = calls++ % 2; k < COUNT(sources); k += 2) {
        cJSON *job = cli_change(sea_job(&sea, sources[k].source), "backend = '%s'", backend);
        add_nested(job, &sea, method, finer, finer == 1 ? "{'south': 'wall', 'north': 'wall'}" : "");
        cli_run_job(job);
        const double error = error_in("out/bay.gauges.nc", 2, &sources[k].polygon);
        const bool is_right = error <= tolerance;
        wrong += !is_right;
        print_message("nested %s, %s, 1/%d, %s: %.2e%s\n", backend, method, finer, sources[k].source, error,
                      is_right ? "" : ": too much");
    }
    if (wrong > 0)
        fail_msg("%s, %s in a nested grid: %d sources are off by more than %g of the height", backend, method,
                 wrong, tolerance);
}

TEST(test_nested)
{
    check_nested(fast, "vtcs2", 1, 1e-3);
    check_nested(fast, "vtcs2-o2", 1, 1e-3);
    check_nested(fast, "vtcs2-o2", 3, 1e-3);
    check_nested(fast, "muscl-hancock", 1, 3e-3);
    check_nested(fast, "muscl-hancock", 3, 3e-3);
    check_nested(fast, "vtcs2-shore", 1, 3e-3);
}

TEST(test_nested_reference)
{
    if (slow == fast)
        return;
    check_nested(slow, "vtcs2-o2", 1, 1e-3);
    check_nested(slow, "muscl-hancock", 1, 3e-3);
    check_nested(slow, "vtcs2-shore", 1, 3e-3);
}

// Maxima are those of the states after whole steps: what lies between both parts of a rise is no sea's.
// Records of every step show it: their largest is the maximum, of each node. The bottom sinks again while the
// wave passes: a state that lacks a part of this is higher.
static void check_maxima(const char *backend, const char *method, bool is_nested)
{
    const struct sea sea = {.nx = 201, .spacing_m = 2500, .step_s = 5, .every_s = 5, .duration_s = 200};
    const char *const fields = is_nested ? "out/bay.fields.nc" : "out/fields.nc";
    const char *const maxima = is_nested ? "out/bay.maxima.nc" : "out/maxima.nc";
    width_m = 20e3, height_m = 1e-3;
    cJSON *job = cli_change(sea_job(&sea, "{'displacement': {'file': 'moving.nc', 'start': '4 s'}}"),
                            "backend = '%s'; method = '%s'; output.fields = {'every': '5 s', 'variables': "
                            "['eta']}; output.arrival = ['1 mm']",
                            backend, method);
    if (is_nested) {
        add_nested(job, &sea, method, 1, "{'south': 'wall', 'north': 'wall'}");
        cli_change(job, "nested.bay.time.step = '5 s'; nested.bay.output.fields.every = '5 s'");
    }
    cli_run_job(job);
    size_t count, nodes, shape[4];
    double *eta = cli_read_variable(fields, "eta", &count, shape);
    double *highest = cli_read_variable(maxima, "max_eta", &nodes, NULL), largest = 0;
    assert_int_equal(shape[0], 41);
    assert_int_equal(shape[0] * nodes, count);
    for (size_t i = 0; i < nodes; i++) {
        double most = -INFINITY;
        for (size_t r = 0; r < shape[0]; r++)
            most = fmax(most, eta[r * nodes + i]);
        largest = fmax(largest, fabs(highest[i] - most) / height_m);
    }
    print_message("maxima, %s, %s%s: %.2e\n", backend, method, is_nested ? ", nested" : "", largest);
    if (!(largest <= 1e-6))
        fail_msg("%s, %s%s: a maximum is off by %g of the height", backend, method,
                 is_nested ? ", nested" : "", largest);
}

TEST(test_maxima)
{
    static const char *const methods[] = {"vtcs2", "vtcs2-o2", "muscl-hancock", "vtcs2-shore", "c-grid-6"};
    for (size_t m = 0; m < COUNT(methods); m++) {
        check_maxima(fast, methods[m], false);
        if (slow != fast)
            check_maxima(slow, methods[m], false);
    }
    check_maxima(fast, "vtcs2-o2", true);
}

// Stopped while the bottom moves, and resumed: the same bits.
static void check_resumed(const char *backend, const char *method)
{
    const struct sea sea = {.nx = 201, .spacing_m = 2500, .step_s = 5, .every_s = 5, .duration_s = 600};
    width_m = 20e3, height_m = 1e-3;
    cJSON *job = sea_job(&sea, "{'displacement': {'file': 'uplift.nc', 'start': '33 s', 'rise': '450 s'}}");
    stopped_run(cli_change(job,
                           "backend = '%s'; method = '%s'; output.fields = {'every': '50 s', 'variables': "
                           "['eta', 'u', 'v']}; checkpoint.every_steps = 20",
                           backend, method),
                method, 20, NULL);
}

TEST(test_resumed)
{
    check_resumed(fast, "c-grid-6");
    check_resumed(fast, "vtcs2-o2");
}

static int begin(int argc, char **argv)
{
    if (!wants_cuda(argc, argv))
        return 0;
    slow = fast = "cuda";
    return has_cuda() ? 0 : EXIT_SKIPPED;
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);
