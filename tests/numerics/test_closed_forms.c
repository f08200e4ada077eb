// The closed forms that validations rest on, each against something else than itself: the differential
// equations that they solve (by finite differences), conservation laws, jump and boundary conditions,
// published values, and, with the public benchmark files at hand, the tables of BP1. Knows only
// validate/closed.
#include "tests/support/test.h"

#include "validate/closed/basin_mode.h"
#include "validate/closed/dam_break.h"
#include "validate/closed/depth_step.h"
#include "validate/closed/solitary_runup.h"
#include "validate/closed/solitary_wave.h"
#include "validate/closed/thacker.h"

#include "tests/support/benchmarks.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

static const double pi = 3.14159265358979323846, gravity = 9.81;

// ---- the equations, by central differences of fourth order in steps that the caller chooses

// A flow: depth below rest, η, u, v at (x, y, t).
struct flow {
    double depth, eta, u, v;
};
typedef struct flow flow_at(const void *context, double x, double y, double t);

enum term { TOTAL, ETA, U, V, FLUX_X, FLUX_Y };

static double pick(struct flow f, enum term term)
{
    switch (term) {
    case TOTAL:
        return f.depth + f.eta;
    case ETA:
        return f.eta;
    case U:
        return f.u;
    case V:
        return f.v;
    case FLUX_X:
        return f.u * (f.depth + f.eta);
    case FLUX_Y:
        return f.v * (f.depth + f.eta);
    }
    return NAN;
}

// d/dx, d/dy, d/dt for axis 0, 1, 2.
static double slope(flow_at *at, const void *context, enum term term, int axis, const double place[3],
                    double h)
{
    double values[4];
    static const double offsets[4] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
        double p[3] = {place[0], place[1], place[2]};
        p[axis] += offsets[k] * h;
        values[k] = pick(at(context, p[0], p[1], p[2]), term);
    }
    return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h);
}

// The nonlinear shallow-water equations on a plane that turns with f; `scale` are sizes of the residuals that
// are one.
static void check_equations(const char *what, flow_at *at, const void *context, double f, double g,
                            const double place[3], const double step[3], double tolerance)
{
    const struct flow here = at(context, place[0], place[1], place[2]);
    const double mass[3] = {slope(at, context, ETA, 2, place, step[2]),
                            slope(at, context, FLUX_X, 0, place, step[0]),
                            slope(at, context, FLUX_Y, 1, place, step[1])};
    const double along[5] = {slope(at, context, U, 2, place, step[2]),
                             here.u * slope(at, context, U, 0, place, step[0]),
                             here.v * slope(at, context, U, 1, place, step[1]), -f * here.v,
                             g * slope(at, context, ETA, 0, place, step[0])};
    const double across[5] = {slope(at, context, V, 2, place, step[2]),
                              here.u * slope(at, context, V, 0, place, step[0]),
                              here.v * slope(at, context, V, 1, place, step[1]), f * here.u,
                              g * slope(at, context, ETA, 1, place, step[1])};
    const struct {
        const char *name;
        const double *terms;
        int count;
    } laws[] = {{"mass", mass, 3}, {"momentum along x", along, 5}, {"momentum along y", across, 5}};
    for (int k = 0; k < 3; k++) {
        char text[160];
        double sum = 0, size = 1e-300;
        for (int n = 0; n < laws[k].count; n++) {
            sum += laws[k].terms[n];
            size = fmax(size, fabs(laws[k].terms[n]));
        }
        snprintf(text, sizeof text, "%s, %s at (%g, %g, %g), relative to %g", what, laws[k].name, place[0],
                 place[1], place[2], size);
        if (size > 1e-12)
            assert_near(text, sum / size, 0, tolerance);
    }
}

// ---- solitary wave

TEST(solitary_wave_is_that_of_the_benchmark)
{
    // BP1, d = 1: spec values by hand: γ = √(0.75·0.019), L = arccosh(√20)/γ.
    const struct solitary_wave wave = solitary_wave_before_beach(1, 0.019, 19.85, gravity);
    assert_near("gamma", wave.gamma, 0.11937336386313323, 1e-15);
    assert_near("X0", wave.toe_m, 19.85, 1e-14);
    assert_near("half length", wave.half_length_m, 18.24756, 5e-6); // ln(√20 + √19)/γ = 2.178273/γ
    assert_near("X1", wave.crest_m, wave.toe_m + wave.half_length_m, 0);
    assert_near("height at the crest", solitary_wave_eta_m(&wave, wave.crest_m), 0.019, 1e-17);
    assert_near("at the toe: a twentieth", solitary_wave_eta_m(&wave, wave.toe_m), 0.019 / 20, 1e-15);
    assert_near("velocity", solitary_wave_velocity_m_s(&wave, 30),
                -sqrt(gravity) * solitary_wave_eta_m(&wave, 30), 1e-16);
    // Lengths scale with the depth: the same wave in 5 m.
    const struct solitary_wave deep = solitary_wave_before_beach(5, 5 * 0.019, 19.85, gravity);
    assert_near("scaled", solitary_wave_eta_m(&deep, 5 * 31.0), 5 * solitary_wave_eta_m(&wave, 31.0), 1e-15);
    // Volume 2 H d/γ.
    double volume = 0;
    for (double x = -400; x < 500; x += 0.01)
        volume += 0.01 * solitary_wave_eta_m(&wave, x);
    assert_near("volume", volume, 2 * 0.019 / wave.gamma, 1e-9);
}

OWNED(own_runup, struct solitary_runup, solitary_runup_free);

// ---- run-up on a plane beach

static struct solitary_runup *bp1(void)
{
    struct solitary_runup *s;
    assert_ok(solitary_runup_new(0.019, 19.85, &s));
    return own_runup(s);
}

// η as the flow's, x seaward; depth x/X0; the solution's velocity is landward.
static struct flow beach_at(const void *context, double x, double y, double t)
{
    double landward;
    const double eta = solitary_runup_nonlinear(context, x, t, &landward);
    return (struct flow){x / 19.85, eta, -landward, 0};
}

TEST(runup_solves_the_equations)
{
    struct solitary_runup *s = bp1();
    const double places[][3] = {{1, 0, 50}, {-0.7, 0, 54}, {5, 0, 62}, {12, 0, 30}};
    const double step[3] = {0.01, 1, 0.05};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        check_equations("run-up", beach_at, s, 0, 1, places[k], step, 3e-5);
}

TEST(runup_starts_as_the_solitary_wave)
{
    struct solitary_runup *s = bp1();
    const struct solitary_wave wave = solitary_wave_before_beach(1, 0.019, 19.85, 1);
    // Far before the beach nothing has come back yet; the wave stands where it was put, moving to −x at speed
    // 1.
    for (double x = 34; x < 60; x += 2) {
        assert_near("at t = 0", solitary_runup_linear(s, x, 0), solitary_wave_eta_m(&wave, x), 2e-5);
        assert_near("at t = 5", solitary_runup_linear(s, x - 5, 5), solitary_wave_eta_m(&wave, x), 2e-4);
    }
    // Both halves meet at the toe, in η and in its slope.
    for (double t = 5; t < 90; t += 9) {
        const double h = 1e-3;
        assert_near("at the toe", solitary_runup_linear(s, 19.85 + 1e-9, t),
                    solitary_runup_linear(s, 19.85, t), 1e-9);
        const double before =
            (solitary_runup_linear(s, 19.85, t) - solitary_runup_linear(s, 19.85 - h, t)) / h;
        const double behind =
            (solitary_runup_linear(s, 19.85 + h, t) - solitary_runup_linear(s, 19.85 + 1e-9, t)) / h;
        assert_near("slope at the toe", behind, before, 2e-6);
    }
}

// Linear on the beach: η_tt = (x/X0 η_x)_x.
TEST(linear_runup_solves_its_equation)
{
    struct solitary_runup *s = bp1();
    const double h = 0.02, toe = 19.85;
    for (double x = 0.5; x < 19; x += 3)
        for (double t = 20; t < 80; t += 12) {
            const double mid = solitary_runup_linear(s, x, t);
            const double in_time =
                (solitary_runup_linear(s, x, t + h) - 2 * mid + solitary_runup_linear(s, x, t - h)) / (h * h);
            const double flux_right = (x + h / 2) / toe * (solitary_runup_linear(s, x + h, t) - mid) / h;
            const double flux_left = (x - h / 2) / toe * (mid - solitary_runup_linear(s, x - h, t)) / h;
            assert_near("wave equation on the beach", in_time, (flux_right - flux_left) / h, 2e-6);
        }
}

TEST(runup_reaches_the_law)
{
    // 2.831 √19.85 0.019^1.25, by hand.
    assert_near("law", solitary_runup_law(0.019, 19.85), 0.088973, 1e-5);
    struct solitary_runup *s = bp1();
    double time, x;
    const double largest = solitary_runup_largest(s, &time);
    // The benchmark's table has the highest point at t = 55, between x = −1.8 (η 0.0909) and −1.9 (dry).
    assert_true(largest > 0.0909 && largest < 0.0925);
    assert_true(time > 53 && time < 57);
    assert_near("height of the shoreline then", solitary_runup_shoreline(s, time, &x), largest, 1e-9);
    assert_near("it lies on the beach", -x / 19.85, largest, 1e-9);
    assert_true(solitary_runup_shoreline(s, time - 0.5, NULL) < largest);
    assert_true(solitary_runup_shoreline(s, time + 0.5, NULL) < largest);
    // It moves as its water does.
    for (double t = 44; t < 68; t += 3) {
        double ahead, behind, landward, here;
        (void)solitary_runup_shoreline(s, t + 0.01, &ahead);
        (void)solitary_runup_shoreline(s, t - 0.01, &behind);
        (void)solitary_runup_shoreline(s, t, &here);
        (void)solitary_runup_nonlinear(s, here + 1e-9, t, &landward);
        assert_near("speed of the shoreline", -(ahead - behind) / 0.02, landward, 2e-4);
        assert_true(isnan(solitary_runup_nonlinear(s, here - 1e-3, t, NULL)));
    }
    // The law is the limit for long beaches and small waves, from above.
    double before = 1;
    static const double cotangents[] = {20, 80};
    for (int k = 0; k < 2; k++) {
        assert_ok(solitary_runup_new(0.003, cotangents[k], &s));
        const double excess = solitary_runup_largest(s, NULL) / solitary_runup_law(0.003, cotangents[k]) - 1;
        assert_true(fabs(excess) < before);
        before = fabs(excess);
        solitary_runup_free(s);
    }
    assert_true(before < 0.02);
}

TEST(waves_that_break_are_refused)
{
    struct solitary_runup *s = (struct solitary_runup *)&s;
    status_clear();
    assert_int_equal(solitary_runup_new(0.035, 19.85, &s), STATUS_SOFTWARE);
    assert_null(s);
    assert_non_null(strstr(status_message(), "breaks above 0.0295"));
    status_clear();
}

// ---- BP1's own tables

// All numbers of a line; "NaN" is one.
static int read_numbers(char *line, double *values, int most)
{
    int count = 0;
    for (char *word = strtok(line, " \t\r\n"); word && count < most; word = strtok(NULL, " \t\r\n")) {
        char *end;
        values[count] = strtod(word, &end);
        if (*end)
            return 0;
        count++;
    }
    return count;
}

TEST(profiles_are_those_of_the_benchmark)
{
    char path[BENCHMARK_PATH];
    need_benchmark("nthmp/BP01/canonical_profiles.txt", path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct solitary_runup *s = bp1();
    char line[512];
    double values[9], worst = 0;
    int compared = 0, dry = 0, row = 0;
    while (fgets(line, sizeof line, file)) {
        if (read_numbers(line, values, 9) != 9 || row++ % 7 != 0 || values[0] > 19.85)
            continue;
        for (int k = 0; k < 8; k++) {
            const double eta = solitary_runup_nonlinear(s, values[0], 35 + 5 * k, NULL);
            if (isnan(values[1 + k]) || isnan(eta)) {
                dry += isnan(values[1 + k]) && isnan(eta);
                assert_true(isnan(values[1 + k]) && isnan(eta));
                continue;
            }
            worst = fmax(worst, fabs(eta - values[1 + k]));
            compared++;
        }
    }
    fclose(file);
    print_message("BP1 profiles: %d values, largest difference %.1e (printed to 1e-5); %d dry\n", compared,
                  worst, dry);
    assert_true(compared > 150 && dry > 10);
    // Half a unit of the last printed digit, and as much for what the table's maker integrated with.
    assert_true(worst <= 1.01e-5);
}

TEST(profiles_in_one_go_are_the_same)
{
    enum { POINTS = 25 };
    struct solitary_runup *s = bp1();
    double x[POINTS], eta[POINTS], worst = 0;
    static const double times[] = {20, 45, 55, 65, 80};
    for (int t = 0; t < 5; t++) {
        for (int k = 0; k < POINTS; k++)
            x[k] = -2 + 0.93 * k; // beyond the toe too
        solitary_runup_profile(s, times[t], POINTS, x, eta);
        for (int k = 0; k < POINTS; k++) {
            const double exact = solitary_runup_nonlinear(s, x[k], times[t], NULL);
            assert_int_equal(isnan(exact), isnan(eta[k]));
            worst = isnan(exact) ? worst : fmax(worst, fabs(eta[k] - exact));
        }
    }
    assert_true(worst <= 1e-6);
}

TEST(series_are_those_of_the_benchmark)
{
    char path[BENCHMARK_PATH];
    need_benchmark("nthmp/BP01/canonical_ts.txt", path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct solitary_runup *s = bp1();
    char line[512];
    double values[4], worst[2] = {0, 0};
    int compared[2] = {0, 0}, row = 0;
    static const double places[2] = {0.25, 9.95};
    while (fgets(line, sizeof line, file)) {
        const int count = read_numbers(line, values, 4);
        if (count < 2 || row++ % 13 != 0)
            continue;
        for (int k = 0; k < count / 2; k++) {
            const double eta = solitary_runup_nonlinear(s, places[k], values[2 * k], NULL);
            if (isnan(values[2 * k + 1]) || isnan(eta)) {
                // Dry: at the moment of falling dry the table may be a sample early or late.
                assert_true(isnan(values[2 * k + 1]) == isnan(eta) || fabs(values[2 * k] - 67) < 1.5 ||
                            fabs(values[2 * k] - 82) < 3);
                continue;
            }
            worst[k] = fmax(worst[k], fabs(eta - values[2 * k + 1]));
            compared[k]++;
        }
    }
    fclose(file);
    print_message("BP1 series: %d values at x/d 0.25, largest difference %.1e; %d at 9.95, %.1e\n",
                  compared[0], worst[0], compared[1], worst[1]);
    assert_true(compared[0] > 60 && compared[1] > 30);
    assert_true(worst[0] <= 2e-5 && worst[1] <= 2e-5);
}

// ---- Thacker

static struct flow canal_at(const void *context, double x, double y, double t)
{
    const struct thacker_state s = thacker_canal(context, x, t);
    return (struct flow){s.depth_m, s.eta_m, s.u_m_s, s.v_m_s};
}

static struct flow paraboloid_at(const void *context, double x, double y, double t)
{
    const struct thacker_state s = thacker_paraboloid(context, x, y, t);
    return (struct flow){s.depth_m, s.eta_m, s.u_m_s, s.v_m_s};
}

static struct flow plane_at(const void *context, double x, double y, double t)
{
    const struct thacker_state s = thacker_plane(context, x, y, t);
    return (struct flow){s.depth_m, s.eta_m, s.u_m_s, s.v_m_s};
}

TEST(thackers_plane_is_a_solution)
{
    static const struct thacker_plane basins[] = {{1, 0.1, 0.5, 0, gravity},
                                                  {430620, 50, 40000, 1e-4, gravity}};
    for (int b = 0; b < 2; b++) {
        const struct thacker_plane *basin = &basins[b];
        const double omega = thacker_plane_frequency_per_s(basin), radius = basin->radius_m;
        const double step[3] = {radius / 500, radius / 500, 2 * pi / omega / 500};
        // Both of the momentum's conditions on the frequency.
        assert_near("frequency", omega * (omega + basin->coriolis_per_s) * radius * radius,
                    2 * gravity * basin->depth_m, 1e-12 * gravity * basin->depth_m);
        uint64_t seed = 13;
        for (int k = 0; k < 200; k++) {
            const double place[3] = {next_uniform(&seed, -0.4, 0.4) * radius,
                                     next_uniform(&seed, -0.4, 0.4) * radius,
                                     next_uniform(&seed, 0, 2) * 2 * pi / omega};
            check_equations("plane", plane_at, basin, basin->coriolis_per_s, gravity, place, step, 1e-6);
        }
        for (double t = 0; t < 2 * pi / omega; t += 0.9 / omega) {
            const double angle = 2.3 * t * omega;
            const double x = basin->swing_m * cos(omega * t) + radius * cos(angle),
                         y = basin->swing_m * sin(omega * t) + radius * sin(angle);
            const struct thacker_state s = thacker_plane(basin, x, y, t);
            assert_near("no water at the shore", s.depth_m + s.eta_m, 0, 1e-12 * basin->depth_m);
        }
    }
}

TEST(thackers_canal_is_a_solution)
{
    const struct thacker_canal canal = {3000, 10, 200, 1e-3, gravity};
    const double omega = thacker_canal_frequency_per_s(&canal);
    assert_near("frequency", omega * omega, 1e-6 + 2 * gravity * 10 / 9e6, 1e-18);
    uint64_t seed = 7;
    const double step[3] = {5, 1, 1};
    for (int k = 0; k < 200; k++) {
        const double place[3] = {next_uniform(&seed, -2500, 2500), 0, next_uniform(&seed, 0, 3000)};
        check_equations("canal", canal_at, &canal, canal.coriolis_per_s, gravity, place, step, 1e-7);
    }
    for (double t = 0; t < 3000; t += 321) {
        double shores[2], volume = 0;
        thacker_canal_shorelines_m(&canal, t, shores);
        for (int k = 0; k < 2; k++) {
            const struct thacker_state s = thacker_canal(&canal, shores[k], t);
            assert_near("no water at the shore", s.depth_m + s.eta_m, 0, 1e-12);
        }
        assert_near("width", shores[1] - shores[0], 2 * canal.half_width_m, 1e-9);
        const int parts = 2000;
        for (int n = 0; n < parts; n++) {
            const double x = shores[0] + (n + 0.5) * (shores[1] - shores[0]) / parts;
            const struct thacker_state s = thacker_canal(&canal, x, t);
            volume += (s.depth_m + s.eta_m) * (shores[1] - shores[0]) / parts;
        }
        assert_near("volume", volume, 4.0 / 3 * canal.depth_m * canal.half_width_m, 0.02);
    }
}

TEST(thackers_paraboloid_is_a_solution)
{
    static const struct thacker_paraboloid basins[] = {{2500, 1, 0.3, 0, gravity},
                                                       {430620, 50, 2, 1e-4, gravity}};
    for (int b = 0; b < 2; b++) {
        const struct thacker_paraboloid *basin = &basins[b];
        const double period_s = 2 * pi / thacker_paraboloid_frequency_per_s(basin);
        const double step[3] = {basin->radius_m / 500, basin->radius_m / 500, period_s / 500};
        uint64_t seed = 11;
        for (int k = 0; k < 200; k++) {
            const double place[3] = {next_uniform(&seed, -0.6, 0.6) * basin->radius_m,
                                     next_uniform(&seed, -0.6, 0.6) * basin->radius_m,
                                     next_uniform(&seed, 0, 2) * period_s};
            check_equations("paraboloid", paraboloid_at, basin, basin->coriolis_per_s, gravity, place, step,
                            1e-6);
        }
        assert_near("rise in the middle", thacker_paraboloid(basin, 0, 0, 0).eta_m, basin->rise_m,
                    1e-12 * basin->depth_m);
        double still_volume = pi / 2 * basin->depth_m * basin->radius_m * basin->radius_m, first = 0;
        for (double t = 0; t < period_s; t += period_s / 7) {
            const double shore = thacker_paraboloid_shoreline_m(basin, t);
            const struct thacker_state s = thacker_paraboloid(basin, shore * cos(1), shore * sin(1), t);
            assert_near("no water at the shore", s.depth_m + s.eta_m, 0, 1e-10 * basin->depth_m);
            double volume = 0;
            const int parts = 2000;
            for (int n = 0; n < parts; n++) {
                const double r = (n + 0.5) * shore / parts;
                const struct thacker_state ring = thacker_paraboloid(basin, r, 0, t);
                volume += 2 * pi * r * (ring.depth_m + ring.eta_m) * shore / parts;
            }
            first = t == 0 ? volume : first;
            assert_near("volume stays", volume / first, 1, 1e-9);
        }
        // The middle is raised, the rim is lowered: not far from the volume at rest.
        assert_near("volume", first / still_volume, 1, 1e-6);
    }
}

// ---- dam breaks

// Water and momentum in a stretch, by the midpoint rule.
static void contents(const struct dam_break *dam, double low, double high, double t, double *water,
                     double *momentum)
{
    const int parts = 100000;
    *water = *momentum = 0;
    for (int n = 0; n < parts; n++) {
        const struct dam_break_state s = dam_break_at(dam, low + (n + 0.5) * (high - low) / parts, t);
        *water += s.depth_m * (high - low) / parts;
        *momentum += s.depth_m * s.velocity_m_s * (high - low) / parts;
    }
}

static struct flow dam_at(const void *context, double x, double y, double t)
{
    const struct dam_break_state s = dam_break_at(context, x, t);
    return (struct flow){s.depth_m, 0, s.velocity_m_s, 0};
}

// The fan's depth as an elevation over a level bed.
static struct flow fan_at(const void *context, double x, double y, double t)
{
    const struct flow f = dam_at(context, x, y, t);
    return (struct flow){0, f.depth, f.u, 0};
}

TEST(dam_breaks_conserve)
{
    static const double depths[][2] = {{1, 0}, {1, 0.1}, {10, 1}, {0.005, 0.001}, {2, 1.9}};
    for (int k = 0; k < 5; k++) {
        const double hl = depths[k][0], hr = depths[k][1], t = 7 / sqrt(gravity * hl);
        const struct dam_break dam = dam_break_new(hl, hr, gravity);
        double water, momentum;
        contents(&dam, -40, 40, t, &water, &momentum);
        assert_near("water", water / (40 * (hl + hr)), 1, 2e-5);
        // The ends push with g h²/2.
        assert_near("momentum", momentum / (0.5 * gravity * (hl * hl - hr * hr) * t), 1, 4e-4);
        const double step[3] = {0.01, 1, t / 500}, place[3] = {-0.2 * t * sqrt(gravity * hl), 0, t};
        if (hr / hl < 0.5)
            check_equations("fan", fan_at, &dam, 0, gravity, place, step, 1e-6);
    }
}

TEST(ritter_has_his_values)
{
    const struct dam_break dam = dam_break_new(9, 0, gravity);
    const double c = sqrt(gravity * 9);
    const struct dam_break_state middle = dam_break_at(&dam, 0, 5);
    assert_near("depth at the dam: 4/9", middle.depth_m, 4, 1e-12);
    assert_near("velocity at the dam: 2/3 c", middle.velocity_m_s, 2 * c / 3, 1e-12);
    assert_near("front at 2c", dam_break_at(&dam, 2 * c * 5 * (1 - 1e-9), 5).depth_m, 0, 1e-12);
    assert_true(dam_break_at(&dam, 2 * c * 5 * (1 + 1e-9), 5).depth_m == 0);
    assert_true(dam_break_at(&dam, -c * 5 * (1 + 1e-9), 5).velocity_m_s == 0);
    assert_true(isnan(dam.bore_m_s));
}

TEST(stoker_meets_the_jump_conditions)
{
    static const double depths[][2] = {{0.005, 0.001}, {10, 1}, {1, 0.01}, {1, 0.9}};
    for (int k = 0; k < 4; k++) {
        const double hl = depths[k][0], hr = depths[k][1];
        const struct dam_break dam = dam_break_new(hl, hr, gravity);
        const double hm = dam.middle_m, um = dam.middle_m_s, s = dam.bore_m_s, cm2 = gravity * hm;
        // Rankine & Hugoniot: what flows in is what the bore adds.
        assert_near("mass across the bore", s * (hm - hr), um * hm, 1e-12 * s * hl);
        assert_near("momentum across the bore", s * um * hm,
                    um * um * hm + 0.5 * gravity * (hm * hm - hr * hr), 1e-11 * gravity * hl * hl);
        // The polynomial for cm that Delestre et al. (2013), Int. J. Numer. Meth. Fluids 72, 269-300, section
        // 4.1.1, give instead.
        const double rest = sqrt(gravity * hl) - sqrt(cm2), g_hr = gravity * hr;
        assert_near("polynomial", -8 * g_hr * cm2 * rest * rest + (cm2 - g_hr) * (cm2 - g_hr) * (cm2 + g_hr),
                    0, 1e-12 * pow(gravity * hl, 3));
        // The fan ends in the middle state.
        const double edge = um - sqrt(cm2);
        assert_near("end of the fan", dam_break_at(&dam, edge * (1 - 1e-12) * 3, 3).depth_m, hm, 1e-9 * hl);
        assert_near("before the bore", dam_break_at(&dam, s * 3.0001, 3).depth_m, hr, 0);
        assert_near("behind the bore", dam_break_at(&dam, s * 2.9999, 3).depth_m, hm, 0);
    }
}

// ---- a step in depth

static double bump(const void *context, double t)
{
    return exp(-t * t / 50);
}

TEST(step_meets_its_conditions)
{
    static const double depths[][2] = {{4000, 1000}, {1000, 4000}, {100, 100}, {3, 50}};
    for (int k = 0; k < 4; k++) {
        const struct depth_step step = {depths[k][0], depths[k][1], gravity};
        const double c1 = sqrt(gravity * depths[k][0]), c2 = sqrt(gravity * depths[k][1]);
        const double through = depth_step_transmission(&step), back = depth_step_reflection(&step);
        assert_near("height", 1 + back, through, 1e-15);
        assert_near("energy flux", c1 * (1 - back * back), c2 * through * through, 1e-12 * c1);
        for (double t = -12; t < 12; t += 3) {
            double u_before, u_behind;
            const double before = depth_step_eta_m(&step, bump, NULL, -1e-9, t, &u_before);
            const double behind = depth_step_eta_m(&step, bump, NULL, 0, t, &u_behind);
            assert_near("elevation at the step", behind, before, 1e-9);
            assert_near("flux at the step", depths[k][1] * u_behind, depths[k][0] * u_before,
                        1e-6 * depths[k][0]);
            // u_t = −g η_x and η_t = −h u_x on both sides.
            for (int side = 0; side < 2; side++) {
                const double x = side ? 40 : -40, h = 0.01, dx = 0.5, depth = depths[k][side];
                double u[4];
                const double eta_t = (depth_step_eta_m(&step, bump, NULL, x, t + h, &u[0]) -
                                      depth_step_eta_m(&step, bump, NULL, x, t - h, &u[1])) /
                                     (2 * h);
                const double eta_x = (depth_step_eta_m(&step, bump, NULL, x + dx, t, &u[2]) -
                                      depth_step_eta_m(&step, bump, NULL, x - dx, t, &u[3])) /
                                     (2 * dx);
                assert_near("momentum", (u[0] - u[1]) / (2 * h), -gravity * eta_x, 2e-3);
                assert_near("mass", eta_t, -depth * (u[2] - u[3]) / (2 * dx), 2e-3);
            }
        }
    }
    // Known: depth down to a quarter.
    const struct depth_step quarter = {4000, 1000, gravity};
    assert_near("4/3", depth_step_transmission(&quarter), 4.0 / 3, 1e-15);
    assert_near("1/3", depth_step_reflection(&quarter), 1.0 / 3, 1e-15);
}

// ---- a basin

TEST(basin_mode_fits_its_basin)
{
    const struct basin_mode mode = {600e3, 400e3, 1000, gravity, 2, 1, 0.01};
    const double omega = basin_mode_frequency_per_s(&mode), c = sqrt(gravity * 1000);
    // Along the length alone: Merian's period 2a/(m c).
    const struct basin_mode seiche = {600e3, 400e3, 1000, gravity, 1, 0, 0.01};
    assert_near("Merian", 2 * pi / basin_mode_frequency_per_s(&seiche), 2 * 600e3 / c, 1e-6);
    uint64_t seed = 3;
    for (int k = 0; k < 50; k++) {
        const double x = next_uniform(&seed, 0, 600e3), y = next_uniform(&seed, 0, 400e3),
                     t = next_uniform(&seed, 0, 9000);
        double u, v, u_next, v_next, u_side, v_side;
        const double h = 10, dt = 0.1;
        basin_mode_velocity_m_s(&mode, x, y, t, &u, &v);
        basin_mode_velocity_m_s(&mode, x, y, t + dt, &u_next, &v_side);
        assert_near("momentum along x", (u_next - u) / dt,
                    -gravity * (basin_mode_eta_m(&mode, x + h, y, t) - basin_mode_eta_m(&mode, x - h, y, t)) /
                        (2 * h),
                    1e-10);
        basin_mode_velocity_m_s(&mode, x + h, y, t, &u_next, &v_side);
        basin_mode_velocity_m_s(&mode, x, y + h, t, &u_side, &v_next);
        assert_near("mass",
                    (basin_mode_eta_m(&mode, x, y, t + dt) - basin_mode_eta_m(&mode, x, y, t - dt)) /
                        (2 * dt),
                    -1000 * ((u_next - u) / h + (v_next - v) / h), 2e-9);
    }
    double u, v;
    basin_mode_velocity_m_s(&mode, 600e3, 123e3, 800, &u, &v);
    assert_near("eastern wall", u, 0, 1e-15);
    basin_mode_velocity_m_s(&mode, 77e3, 400e3, 800, &u, &v);
    assert_near("northern wall", v, 0, 1e-15);
    assert_near("start", basin_mode_eta_m(&mode, 0, 0, 0), 0.01, 1e-17);
    assert_near("half a period", basin_mode_eta_m(&mode, 0, 0, pi / omega), -0.01, 1e-15);
}
