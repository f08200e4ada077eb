// A channel with a flat bottom and two gauges, for tests of waves that come in at its end: its grid, its job,
// and the gauges' series. Beside cli_fixture.h, whose folder it uses. What goes wrong in here fails the test
// that called it.
#ifndef FATHOM_TESTS_SUPPORT_CHANNEL_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_CHANNEL_FIXTURE_H

#include "tests/support/cli_fixture.h"

// 20 km long, four nodes across.
enum { CHANNEL_NODES = 401, CHANNEL_ACROSS = 4, CHANNEL_STATIONS = 2 };
static const double channel_depth_m = 100, channel_spacing_m = 50, channel_step_s = 0.625,
                    channel_gravity = 9.81;
static const double channel_stations_m[CHANNEL_STATIONS] = {5000, 15000}; // from the near end

// A job whose near end is `side` ("west", …), without a source: walls along the channel and at its far end;
// 1000 s, gauges each 12.5 s. Double precision; the back end is openmp.
cJSON *channel_job(const char *method, const char *side);
// Runs and frees a job.
void channel_run(cJSON *job, const char *directory);

// How far beyond the first node a wave is given: a finite volume's edge is its cell's, half a spacing out.
double channel_edge_m(const char *method);

// A gauge's η at its records, and their times and number (owned by the caller).
double *channel_gauge(const char *directory, int station, double **times_s, size_t *count);
// Largest difference of the gauges from a function of the distance from the near end and the time, over a
// height.
double channel_error(const char *directory, double (*expected)(double x_m, double time_s), double offset_m,
                     double height_m);
void channel_assert_same(const char *one, const char *other, double tolerance);

#endif
