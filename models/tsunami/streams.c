// Descriptions of the variables, axes and gauges of the results (see the header).
#include "models/tsunami/streams.h"

struct stream_variable tsunami_stream_field(enum tsunami_field field, bool is_geographic)
{
    static const struct {
        const char *name, *standard_name, *long_name, *units;
    } fields[TSUNAMI_FIELD_COUNT] = {
        {"eta", "sea_surface_height_above_mean_sea_level", "sea surface elevation above rest", "m"},
        {"u", "eastward_sea_water_velocity", "depth-averaged eastward velocity", "m s-1"},
        {"v", "northward_sea_water_velocity", "depth-averaged northward velocity", "m s-1"},
        {"speed", "sea_water_speed", "depth-averaged speed", "m s-1"},
        {"flux", NULL, "volume flux: speed times total depth", "m2 s-1"},
    };
    struct stream_variable variable = {.name = fields[field].name,
                                       .standard_name = fields[field].standard_name,
                                       .long_name = fields[field].long_name,
                                       .units = fields[field].units,
                                       .rank = 2,
                                       .axes = {0, 1},
                                       .has_missing = true};
    if (!is_geographic && (field == TSUNAMI_U || field == TSUNAMI_V)) {
        variable.standard_name = field == TSUNAMI_U ? "sea_water_x_velocity" : "sea_water_y_velocity";
        variable.long_name =
            field == TSUNAMI_U ? "depth-averaged velocity along x" : "depth-averaged velocity along y";
    }
    return variable;
}

void tsunami_stream_axes(struct stream *stream, bool is_geographic, const double *x, size_t nx,
                         const double *y, size_t ny)
{
    stream->axis_count = 2;
    stream->axes[0] = is_geographic
                          ? (struct stream_axis){"lat", "latitude", "latitude", "degrees_north", 'Y', ny, y}
                          : (struct stream_axis){"y", "projection_y_coordinate", "y", "m", 0, ny, y};
    stream->axes[1] = is_geographic
                          ? (struct stream_axis){"lon", "longitude", "longitude", "degrees_east", 'X', nx, x}
                          : (struct stream_axis){"x", "projection_x_coordinate", "x", "m", 0, nx, x};
}

// On a plane and on the sphere.
static const struct {
    const char *names[2], *standard_names[2], *long_name, *units[2];
} gauge_constants[TSUNAMI_GAUGE_CONSTANTS] = {
    {{"x", "lon"}, {"projection_x_coordinate", "longitude"}, "position of the gauge", {"m", "degrees_east"}},
    {{"y", "lat"}, {"projection_y_coordinate", "latitude"}, "position of the gauge", {"m", "degrees_north"}},
    {{"node_x", "node_lon"}, {NULL, NULL}, "position of the nearest wet node", {"m", "degrees_east"}},
    {{"node_y", "node_lat"}, {NULL, NULL}, "position of the nearest wet node", {"m", "degrees_north"}},
    {{"distance", "distance"}, {NULL, NULL}, "distance from gauge to that node", {"m", "m"}},
    {{"depth", "depth"},
     {"sea_floor_depth_below_mean_sea_level", "sea_floor_depth_below_mean_sea_level"},
     "still depth, as the values are taken",
     {"m", "m"}},
};

const char *tsunami_gauge_constant_name(int constant, bool is_geographic)
{
    return gauge_constants[constant].names[is_geographic];
}

void tsunami_stream_stations(struct stream *stream, bool is_geographic, size_t count,
                             const char *const *names, double *const constants[TSUNAMI_GAUGE_CONSTANTS])
{
    stream->axis_count = 1;
    stream->axes[0] = (struct stream_axis){.name = "station", .length = count};
    stream->constants[stream->constant_count++] = (struct stream_constant){
        .name = "name", .long_name = "gauge name", .cf_role = "timeseries_id", .axis = 0, .texts = names};
    for (int k = 0; k < TSUNAMI_GAUGE_CONSTANTS; k++)
        if (constants[k])
            stream->constants[stream->constant_count++] =
                (struct stream_constant){.name = gauge_constants[k].names[is_geographic],
                                         .standard_name = gauge_constants[k].standard_names[is_geographic],
                                         .long_name = gauge_constants[k].long_name,
                                         .units = gauge_constants[k].units[is_geographic],
                                         .axis = 0,
                                         .values = constants[k]};
}
