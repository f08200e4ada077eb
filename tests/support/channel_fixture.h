// A channel with a flat bottom and two gauges, for tests of waves that enter at one end: its grid, its job,
// and the gauges' series. Uses the folder of cli_fixture.h. An error in one of these functions fails the test
// that called it.
#ifndef FATHOM_TESTS_SUPPORT_CHANNEL_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_CHANNEL_FIXTURE_H

#include "tests/support/cli_fixture.h"

// 20 km long, four nodes across.
enum { CHANNEL_NODES = 401, CHANNEL_ACROSS = 4, CHANNEL_STATIONS = 2 };
static const double channel_depth_m = 100, channel_spacing_m = 50, channel_step_s = 0.625,
                    channel_gravity = 9.81;
static const double channel_stations_m[CHANNEL_STATIONS] = {5000, 15000}; // from the near end

// Makes a job without a source. `side` ("west", …) is the near end, where the wave enters; the sides and the
// far end are walls. 1000 s; gauges every 12.5 s. Double precision; the back end is openmp.
cJSON *channel_job(const char *method, const char *side);
// Runs and frees a job.
void channel_run(cJSON *job, const char *directory);

// The distance beyond the first node at which the wave is given: for finite volumes half a spacing (the edge
// of the cell), else 0.
double channel_edge_m(const char *method);

// Returns η at a gauge for each record, and writes the times and the number of records. The caller owns both
// arrays.
double *channel_gauge(const char *directory, int station, double **times_s, size_t *count);
// The largest difference between the gauges' η and `expected`, a function of the distance from the near end
// and of time, divided by `height_m`.
double channel_error(const char *directory, double (*expected)(double x_m, double time_s), double offset_m,
                     double height_m);
void channel_assert_same(const char *one, const char *other, double tolerance);

#endif
