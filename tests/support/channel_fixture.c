// See channel_fixture.h.
#include "tests/support/channel_fixture.h"
#include "tests/support/test.h"

static double channel_bottom(double x, double y, double time_s)
{
    return -channel_depth_m;
}

static void write_channel(bool is_along_x)
{
    const struct cli_grid grid =
        CLI_PLANE(is_along_x ? CHANNEL_NODES : CHANNEL_ACROSS, is_along_x ? CHANNEL_ACROSS : CHANNEL_NODES, 0,
                  0, channel_spacing_m, channel_spacing_m, {"z", "m", "up", NULL, channel_bottom});
    cli_write_grid("channel.nc", &grid);
}

// Gauges counted from the edge that the wave comes in at.
static void write_gauges(const char *side)
{
    char text[1024];
    int length = snprintf(text, sizeof text, "{\"fathom_gauges\": 1, \"gauges\": [");
    for (int k = 0; k < CHANNEL_STATIONS; k++) {
        const bool is_along_x = strcmp(side, "west") == 0 || strcmp(side, "east") == 0;
        const bool is_low = strcmp(side, "west") == 0 || strcmp(side, "south") == 0;
        const double along =
            is_low ? channel_stations_m[k] : (CHANNEL_NODES - 1) * channel_spacing_m - channel_stations_m[k];
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s{\"name\": \"g%d\", \"x\": \"%g m\", \"y\": \"%g m\"}", k > 0 ? ", " : "", k,
                           is_along_x ? along : channel_spacing_m, is_along_x ? channel_spacing_m : along);
    }
    snprintf(text + length, sizeof text - (size_t)length, "]}");
    cli_write_text("gauges.json", text);
}

// Walls along the channel and at its far end; the near end is left to the source.
cJSON *channel_job(const char *method, const char *side)
{
    static const char *const opposite[][2] = {
        {"west", "east"}, {"east", "west"}, {"south", "north"}, {"north", "south"}};
    const bool is_along_x = strcmp(side, "west") == 0 || strcmp(side, "east") == 0;
    write_channel(is_along_x);
    write_gauges(side);
    cJSON *job =
        cli_json("{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double','domain': "
                 "{'bathymetry': {'file': 'channel.nc'}, 'edges': {}},'time': {'duration': '1000 s', 'step': "
                 "'0.625 s'},'output': {'directory': 'out', 'precision': 'double', 'maxima': false, "
                 "'deformation': false, 'gauges': {'file': 'gauges.json', 'every': '12.5 s'}}}");
    cJSON_AddStringToObject(job, "method", method);
    cJSON *edges = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(job, "domain"), "edges");
    cJSON_AddStringToObject(edges, is_along_x ? "south" : "west", "wall");
    cJSON_AddStringToObject(edges, is_along_x ? "north" : "east", "wall");
    for (int k = 0; k < 4; k++)
        if (strcmp(opposite[k][0], side) == 0)
            cJSON_AddStringToObject(edges, opposite[k][1], "wall");
    return job;
}

// Where beyond the first node the wave is given: a finite volume's edge is its cell's, half a spacing out.
double channel_edge_m(const char *method)
{
    return strcmp(method, "muscl-hancock") == 0 ? 0.5 * channel_spacing_m : 0;
}

void channel_run(cJSON *job, const char *directory)
{
    cli_save_job(job);
    cli_do("run -q -o %s job.json", directory);
}

// A gauge's η at its records, and their number.
double *channel_gauge(const char *directory, int station, double **times_s, size_t *count)
{
    size_t total;
    const char *file = format_text("%s/gauges.nc", directory);
    *times_s = cli_read_variable(file, "time", count, NULL);
    double *all = cli_read_variable(file, "eta", &total, NULL);
    assert_int_equal(total, *count * CHANNEL_STATIONS);
    for (size_t k = 0; k < *count; k++)
        all[k] = all[k * CHANNEL_STATIONS + (size_t)station]; // [time][station]
    return all;
}

// See the header; `offset_m` is added to the gauges' distances.
double channel_error(const char *directory, double (*expected)(double x_m, double time_s), double offset_m,
                     double height_m)
{
    double largest = 0;
    for (int station = 0; station < CHANNEL_STATIONS; station++) {
        size_t count;
        double *times, *eta = channel_gauge(directory, station, &times, &count);
        for (size_t k = 0; k < count; k++)
            largest =
                fmax(largest, fabs(eta[k] - expected(channel_stations_m[station] + offset_m, times[k])));
    }
    return largest / height_m;
}

void channel_assert_same(const char *one, const char *other, double tolerance)
{
    for (int station = 0; station < CHANNEL_STATIONS; station++) {
        size_t counts[2];
        double *times[2], *eta[2];
        eta[0] = channel_gauge(one, station, &times[0], &counts[0]);
        eta[1] = channel_gauge(other, station, &times[1], &counts[1]);
        assert_int_equal(counts[0], counts[1]);
        for (size_t k = 0; k < counts[0]; k++)
            if (!(fabs(eta[0][k] - eta[1][k]) <= tolerance))
                fail_msg("%s, %s, gauge %d, record %zu: %.17g %.17g", one, other, station, k, eta[0][k],
                         eta[1][k]);
    }
}
