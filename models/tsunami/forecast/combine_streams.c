// What a combination writes: descriptions of its streams (see combine.h). Knows no file format and no values.
#include "models/tsunami/forecast/combine_private.h"

static struct stream_variable describe_quantity(int quantity, int rank)
{
    static const struct stream_variable variables[PROPAGATION_QUANTITIES] = {
        {.name = "eta",
         .standard_name = "sea_surface_height_above_mean_sea_level",
         .long_name = "sea surface elevation above rest"},
        {.name = "u",
         .standard_name = "eastward_sea_water_velocity",
         .long_name = "depth-averaged eastward velocity"},
        {.name = "v",
         .standard_name = "northward_sea_water_velocity",
         .long_name = "depth-averaged northward velocity"},
    };
    struct stream_variable variable = variables[quantity];
    variable.units = propagation_units((enum propagation_quantity)quantity);
    variable.rank = rank;
    variable.axes[1] = 1;
    variable.has_missing = true;
    return variable;
}

static void set_axes(const struct combine *c, struct stream *stream)
{
    stream->axis_count = 2;
    stream->axes[0] =
        (struct stream_axis){"lat", "latitude", "latitude", "degrees_north", 'Y', c->rows, c->latitudes};
    stream->axes[1] =
        (struct stream_axis){"lon", "longitude", "longitude", "degrees_east", 'X', c->columns, c->longitudes};
}

static void describe_fields(const struct combine *c, struct stream *stream)
{
    *stream = (struct stream){.name = "fields",
                              .title = "sea surface and currents",
                              .has_records = true,
                              .element = c->is_double ? ELEMENT_F64 : ELEMENT_F32,
                              .records_per_frame = 1,
                              .expected_records = c->records};
    set_axes(c, stream);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        if (c->has[q])
            stream->variables[stream->variable_count++] = describe_quantity(q, 2);
}

static void describe_maxima(const struct combine *c, struct stream *stream)
{
    *stream = (struct stream){.name = "maxima",
                              .title = "largest values",
                              .comment =
                                  "of the records in fields.nc: the sea may have stood higher between two of "
                                  "them; times in seconds since the event; missing: land",
                              .element = ELEMENT_F32,
                              .records_per_frame = 1};
    set_axes(c, stream);
    stream->variable_count = COMBINE_MAXIMA_VARIABLES;
    stream->variables[0] = (struct stream_variable){.name = "max_eta",
                                                    .long_name = "largest sea surface elevation",
                                                    .units = "m",
                                                    .rank = 2,
                                                    .axes = {0, 1},
                                                    .has_missing = true};
    stream->variables[1] = (struct stream_variable){.name = "time_of_max",
                                                    .long_name = "time of the largest elevation",
                                                    .units = "s",
                                                    .rank = 2,
                                                    .axes = {0, 1},
                                                    .has_missing = true};
}

static void describe_gauges(const struct combine *c, struct stream *stream)
{
    *stream = (struct stream){.name = "gauges",
                              .title = "time series at gauges",
                              .has_records = true,
                              .is_time_series = true,
                              .element = c->gauges.is_double ? ELEMENT_F64 : ELEMENT_F32,
                              .records_per_frame = COMBINE_GAUGE_FRAME_RECORDS,
                              .expected_records = c->gauges.records};
    combine_gauges_describe(c, stream);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        if (c->gauges.has[q])
            stream->variables[stream->variable_count++] = describe_quantity(q, 1);
}

void combine_describe_streams(const struct combine *c, struct stream streams[COMBINE_STREAMS])
{
    describe_fields(c, &streams[COMBINE_FIELDS]);
    describe_maxima(c, &streams[COMBINE_MAXIMA]);
    describe_gauges(c, &streams[COMBINE_GAUGES]);
}
