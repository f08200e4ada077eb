// models/tsunami/invert: slips that made the observations are found, windows are where the waves are, delays,
// offsets, damping and weights do what they say, stations of a forecast have no say.
#include "tests/support/test.h"

#include "models/tsunami/forecast/invert.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

enum { SOURCES = 4, STATIONS = 3, UNIT_SAMPLES = 301, RECORD_SAMPLES = 100 };

static const char *const names[SOURCES] = {"a1", "a2", "b1", "b2"};
static const double truth[SOURCES] = {12.5, 0, 3.25, 7};

// Waves of one crest and one trough, each source's at its own time; nothing but that is known of them.
static double wave(size_t station, size_t source, double time_s)
{
    const double arrival_s = 1800 + 600 * (double)station + 170 * (double)source;
    const double x = (time_s - arrival_s) / 300;
    return time_s < 0 ? 0
                      : 0.02 / (1 + 0.2 * (double)source) * x * exp(0.5 - x * x) * (x < 0 ? -1 : 1 - 2 * x);
}

struct made {
    double times_s[UNIT_SAMPLES], eta_m[STATIONS][SOURCES][UNIT_SAMPLES];
    double record_s[RECORD_SAMPLES], observed_m[STATIONS][RECORD_SAMPLES];
    struct invert_series units[STATIONS][SOURCES];
    struct invert_station stations[STATIONS];
    struct invert_request request;
    struct invert_result result;
};

// Sources every 30 s; observations every minute, at times between theirs, of sources that are linear between
// their samples.
static struct made *make(double delay_s)
{
    static const char *const station_names[STATIONS] = {"west", "north", "east"};
    struct made *made = owned_zeros(1, sizeof *made);
    for (size_t k = 0; k < UNIT_SAMPLES; k++)
        made->times_s[k] = 30 * (double)k;
    for (size_t k = 0; k < RECORD_SAMPLES; k++)
        made->record_s[k] = 7 + 60 * (double)k + 600;
    for (size_t s = 0; s < STATIONS; s++) {
        for (size_t j = 0; j < SOURCES; j++) {
            for (size_t k = 0; k < UNIT_SAMPLES; k++)
                made->eta_m[s][j][k] = wave(s, j, made->times_s[k]);
            made->units[s][j] = (struct invert_series){UNIT_SAMPLES, made->times_s, made->eta_m[s][j]};
            for (size_t k = 0; k < RECORD_SAMPLES; k++) {
                const double time_s = made->record_s[k] - delay_s, at = time_s / 30;
                const size_t low = at > 0 ? (size_t)at : 0;
                const double share = at - (double)low;
                if (time_s >= 0)
                    made->observed_m[s][k] += truth[j] * ((1 - share) * made->eta_m[s][j][low] +
                                                          share * made->eta_m[s][j][low + 1]);
            }
        }
        made->stations[s] =
            (struct invert_station){.name = station_names[s],
                                    .observed = {RECORD_SAMPLES, made->record_s, made->observed_m[s]},
                                    .unit = made->units[s],
                                    .is_fitted = s < 2,
                                    .begin_s = NAN,
                                    .end_s = NAN,
                                    .weight = 1};
    }
    made->request = (struct invert_request){.source_count = SOURCES,
                                            .source_names = names,
                                            .station_count = STATIONS,
                                            .stations = made->stations,
                                            .delay_s = delay_s};
    return made;
}

static void done(struct made *made)
{
    invert_free(&made->request, &made->result);
}

static void solve(struct made *made)
{
    invert_free(&made->request, &made->result);
    assert_ok(invert_solve(&made->request, &made->result));
}

static void assert_slips(const struct made *made, double tolerance)
{
    for (size_t j = 0; j < SOURCES; j++)
        assert_near(names[j], made->result.slips_m[j], truth[j], tolerance);
}

// ---- what made the observations is found

TEST(slips_are_found)
{
    struct made *made = make(0);
    solve(made);
    assert_slips(made, 1e-9);
    for (size_t s = 0; s < STATIONS; s++) { // the one that has no say, too
        const struct invert_fit *fit = &made->result.fits[s];
        assert_near("rms", fit->rms_m, 0, 1e-9);
        assert_near("variance reduction", fit->variance_reduction, 1, 1e-12);
        for (size_t k = 0; k < RECORD_SAMPLES; k++)
            assert_near("fitted", fit->fitted_m[k], made->observed_m[s][k], 1e-9);
        assert_true(fit->fitted_peak_m >= fit->observed_peak_m - 1e-9); // more samples
        assert_near("peak", fit->fitted_peak_m, fit->observed_peak_m, 0.02 * fit->observed_peak_m);
        assert_near("time of the peak", fit->fitted_peak_s, fit->observed_peak_s, 60);
    }
    assert_near("rms of all", made->result.rms_m, 0, 1e-9);
    done(made);
}

// What a station shows that is only forecast changes nothing, whatever it is.
TEST(forecasts_have_no_say)
{
    struct made *made = make(0);
    for (size_t k = 0; k < RECORD_SAMPLES; k++)
        made->observed_m[2][k] = -5;
    solve(made);
    assert_slips(made, 1e-9);
    assert_true(made->result.fits[2].rms_m > 4);
    assert_near("rms of the fitted", made->result.rms_m, 0, 1e-9);
    done(made);
}

// No source can lower the sea everywhere: where the records do, all is 0.
TEST(no_slip_below_zero)
{
    struct made *made = make(0);
    for (size_t s = 0; s < STATIONS; s++)
        for (size_t k = 0; k < RECORD_SAMPLES; k++)
            made->observed_m[s][k] = -made->observed_m[s][k];
    solve(made);
    for (size_t j = 0; j < SOURCES; j++)
        assert_true(made->result.slips_m[j] >= 0);
    assert_true(made->result.variance_reduction < 0.5 && made->result.variance_reduction >= 0);
    done(made);
}

// ---- windows

TEST(seismic_waves_are_left_out)
{
    struct made *made = make(0);
    uint64_t seed = 4;
    double bound_s, begin_s, end_s;
    for (size_t s = 0; s < STATIONS; s++)
        for (size_t k = 0; made->record_s[k] < 1000; k++)
            made->observed_m[s][k] += next_uniform(&seed, -0.9, 0.9);
    solve(made);
    assert_slips(made, 1e-9);
    assert_ok(invert_window(&made->request, &made->stations[0], &bound_s, &begin_s, &end_s));
    assert_true(begin_s > 1000 && begin_s < 1500 && end_s > 2400 && end_s < 3300);
    made->stations[0].begin_s = 600; // the user's window has them
    solve(made);
    assert_true(made->result.fits[0].rms_m > 0.01);
    assert_near("begin", made->result.fits[0].begin_s, 607, 0); // where the record begins
    done(made);
}

TEST(empty_windows_are_refused)
{
    struct made *made = make(0);
    made->stations[1].begin_s = 6600; // behind the record
    made->stations[1].end_s = 7000;
    assert_failure(invert_solve(&made->request, &made->result), STATUS_CONFIGURATION, "station north");
    invert_free(&made->request, &made->result);
    made->stations[1].begin_s = 2000; // between two observations
    made->stations[1].end_s = 2040;
    assert_failure(invert_solve(&made->request, &made->result), STATUS_CONFIGURATION, "nothing was observed");
    invert_free(&made->request, &made->result);
    made->stations[1].begin_s = 2000; // two observations for four slips
    made->stations[1].end_s = 2100;
    made->stations[0].is_fitted = false;
    assert_failure(invert_solve(&made->request, &made->result), STATUS_CONFIGURATION,
                   "do not determine 4 slips");
    made->request.damping = 0.1;
    solve(made);
    made->stations[1].is_fitted = false;
    invert_free(&made->request, &made->result);
    assert_failure(invert_solve(&made->request, &made->result), STATUS_CONFIGURATION, "no station");
    invert_free(&made->request, &made->result);
    memset(made->eta_m[2], 0, sizeof made->eta_m[2]); // no wave comes here
    assert_failure(invert_solve(&made->request, &made->result), STATUS_CONFIGURATION, "station east");
    done(made);
}

// ---- options

TEST(delays)
{
    struct made *made = make(73);
    solve(made);
    assert_slips(made, 1e-9);
    const double begin_s = made->result.fits[0].begin_s;
    made->request.delay_s = 0; // the wrong one
    solve(made);
    assert_true(made->result.variance_reduction < 0.999);
    assert_near("the window moves along", begin_s, made->result.fits[0].begin_s + 73, 1e-9);
    done(made);
}

TEST(offsets)
{
    struct made *made = make(0);
    for (size_t k = 0; k < RECORD_SAMPLES; k++) {
        made->observed_m[0][k] += 0.03;
        made->observed_m[1][k] -= 0.01;
    }
    made->request.has_offsets = true;
    solve(made);
    assert_slips(made, 1e-8);
    assert_near("offset", made->result.fits[0].offset_m, 0.03, 1e-9);
    assert_near("offset", made->result.fits[1].offset_m, -0.01, 1e-9);
    assert_near("peak without it", made->result.fits[0].observed_peak_m, made->result.fits[0].fitted_peak_m,
                0.02 * made->result.fits[0].fitted_peak_m);
    made->request.has_offsets = false;
    solve(made);
    assert_true(made->result.variance_reduction < 1 - 1e-6);
    done(made);
}

TEST(damping_and_weights)
{
    struct made *made = make(0);
    double sum = 0, damped = 0;
    solve(made);
    for (size_t j = 0; j < SOURCES; j++)
        sum += made->result.slips_m[j];
    made->request.damping = 0.5;
    solve(made);
    for (size_t j = 0; j < SOURCES; j++)
        damped += made->result.slips_m[j];
    assert_true(damped < sum && damped > 0.3 * sum);
    // Stations that contradict each other: the heavier one is fitted better.
    made->request.damping = 0;
    for (size_t k = 0; k < RECORD_SAMPLES; k++)
        made->observed_m[1][k] *= 2;
    solve(made);
    const double equal_m = made->result.fits[0].rms_m;
    made->stations[0].weight = 10;
    solve(made);
    assert_true(made->result.fits[0].rms_m < 0.2 * equal_m);
    done(made);
}

// ---- shifts, and stations left out

// The record of a station as the wave comes, so much later there.
static void shift_record(struct made *made, size_t s, double shift_s)
{
    for (size_t k = 0; k < RECORD_SAMPLES; k++) {
        made->observed_m[s][k] = 0;
        for (size_t j = 0; j < SOURCES; j++)
            made->observed_m[s][k] += truth[j] * wave(s, j, made->record_s[k] - shift_s);
    }
}

// Two stations whose waves come later and earlier than the sources say: found to a second, the sources being
// linear between samples of 30 s; the third is only compared, and has none.
TEST(shifts_are_found)
{
    struct made *made = make(0);
    shift_record(made, 0, 41);
    shift_record(made, 1, -17);
    solve(made);
    const double unshifted = made->result.variance_reduction;
    assert_true(unshifted < 0.995 && made->result.shift_rounds == 0);
    made->request.shift = (struct invert_bound){.share = 0.05, .time_s = INFINITY};
    solve(made);
    const struct invert_fit *fits = made->result.fits;
    assert_near("shift", fits[0].shift_s, 41, 1);
    assert_near("shift", fits[1].shift_s, -17, 1);
    assert_slips(made, 0.15);
    assert_true(made->result.variance_reduction > 0.9995 && made->result.shift_rounds > 1);
    assert_true(fits[2].shift_s == 0 && fits[2].bound_s == 0);
    // A twentieth of the travel time, and the window as much longer at both ends.
    made->request.shift = (struct invert_bound){0};
    const double bound_s = fits[0].bound_s, begin_s = fits[0].begin_s, end_s = fits[0].end_s;
    solve(made);
    assert_near("bound", bound_s, 0.05 * made->result.fits[0].begin_s, 1e-9);
    assert_near("begin", begin_s, made->result.fits[0].begin_s - bound_s, 1e-9);
    assert_near("end", end_s, made->result.fits[0].end_s + bound_s, 1e-9);
    done(made);
}

TEST(shifts_keep_their_bound)
{
    struct made *made = make(0);
    shift_record(made, 0, 41);
    made->request.shift = (struct invert_bound){.share = INFINITY, .time_s = 20};
    solve(made);
    assert_near("shift", made->result.fits[0].shift_s, 20, 0.01);
    assert_true(made->result.fits[1].shift_s >= -20 && made->result.fits[1].shift_s <= 20);
    // A shift that is known is taken, and not sought.
    made->request.shift = (struct invert_bound){0};
    made->stations[0].shift_s = 41;
    solve(made);
    assert_near("known", made->result.fits[0].shift_s, 41, 0);
    assert_slips(made, 0.15);
    // Of slips that are given every station's.
    made->stations[0].shift_s = 0;
    made->request.shift = (struct invert_bound){.share = INFINITY, .time_s = 60};
    invert_free(&made->request, &made->result);
    assert_ok(invert_evaluate(&made->request, truth, &made->result));
    assert_near("of given slips", made->result.fits[0].shift_s, 41, 1);
    assert_near("where there is none", made->result.fits[2].shift_s, 0, 1);
    done(made);
}

// What a station is foretold by the others is what a fit without it says.
TEST(stations_are_left_out)
{
    struct made *made = make(0);
    struct invert_left_out left[STATIONS];
    made->stations[2].is_fitted = true;
    solve(made);
    assert_ok(invert_leave_out(&made->request, &made->result, left));
    for (size_t s = 0; s < STATIONS; s++) {
        assert_true(left[s].is_there && !left[s].spoils);
        assert_near("explained", left[s].variance_reduction, 1, 1e-9);
    }
    for (size_t k = 0; k < RECORD_SAMPLES; k++)
        made->observed_m[0][k] = -made->observed_m[0][k]; // no sum of the sources does this
    solve(made);
    assert_ok(invert_leave_out(&made->request, &made->result, left));
    assert_true(left[0].spoils && !left[1].spoils && !left[2].spoils);
    assert_near("the others, without it", left[0].others_without, 1, 1e-9);
    made->stations[0].is_fitted = false;
    solve(made);
    const struct invert_fit *fit = &made->result.fits[0];
    assert_true(left[0].rms_m == fit->rms_m && left[0].variance_reduction == fit->variance_reduction &&
                left[0].fitted_peak_s == fit->fitted_peak_s);
    made->stations[2].is_fitted = false; // a single one cannot be left out
    solve(made);
    assert_ok(invert_leave_out(&made->request, &made->result, left));
    assert_false(left[1].is_there);
    done(made);
}

// Slips that are given are only compared.
TEST(given_slips)
{
    struct made *made = make(0);
    assert_ok(invert_evaluate(&made->request, truth, &made->result));
    assert_slips(made, 0);
    for (size_t s = 0; s < STATIONS; s++)
        assert_near("rms", made->result.fits[s].rms_m, 0, 1e-12);
    invert_free(&made->request, &made->result);
    static const double half[SOURCES] = {6.25, 0, 1.625, 3.5};
    assert_ok(invert_evaluate(&made->request, half, &made->result));
    assert_near("half of it leaves a quarter of the variance", made->result.variance_reduction, 0.75, 1e-12);
    done(made);
}

// Sources that end before the record: the window ends with them, and what follows it is NaN.
TEST(sources_end)
{
    struct made *made = make(0);
    made->units[0][2].samples = 71; // to 2100 s
    solve(made);
    assert_near("end", made->result.fits[0].end_s, 2100, 0);
    assert_slips(made, 1e-9);
    assert_true(isnan(made->result.fits[0].fitted_m[RECORD_SAMPLES - 1]));
    done(made);
}
