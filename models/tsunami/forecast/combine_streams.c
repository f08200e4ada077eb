// What a combination writes: descriptions of its streams (see combine.h). Independent of file formats and of
// the values.
#include "models/tsunami/forecast/combine_private.h"

_Static_assert((int)PROPAGATION_ETA == (int)TSUNAMI_ETA && (int)PROPAGATION_U == (int)TSUNAMI_U &&
                   (int)PROPAGATION_V == (int)TSUNAMI_V,
               "a propagation file's quantities are the first fields");

static void add_quantities(struct stream *stream, const bool has[PROPAGATION_QUANTITIES], int rank)
{
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        if (!has[q])
            continue;
        struct stream_variable variable = tsunami_stream_field((enum tsunami_field)q, true);
        variable.rank = rank;
        stream->variables[stream->variable_count++] = variable;
    }
}

static void describe_fields(const struct combine *c, struct stream *stream)
{
    *stream = (struct stream){.name = "fields",
                              .title = "sea surface and currents",
                              .has_records = true,
                              .element = c->is_double ? ELEMENT_F64 : ELEMENT_F32,
                              .records_per_frame = 1,
                              .expected_records = c->records};
    tsunami_stream_axes(stream, true, c->longitudes, c->columns, c->latitudes, c->rows);
    add_quantities(stream, c->has, 2);
    for (int q = 0, v = 0; q < PROPAGATION_QUANTITIES; q++) {
        if (!c->has[q])
            continue;
        stream->variables[v].resolution = c->resolutions[q];
        stream->variables[v++].rounding_before = c->roundings[q];
    }
}

static void describe_maxima(const struct combine *c, struct stream *stream)
{
    *stream = (struct stream){.name = "maxima",
                              .title = "largest values",
                              .comment = "of the records in fields.nc: the sea may have stood higher between "
                                         "two of them; times in seconds since the event; missing: land",
                              .element = ELEMENT_F32,
                              .records_per_frame = 1};
    tsunami_stream_axes(stream, true, c->longitudes, c->columns, c->latitudes, c->rows);
    static const char *const texts[COMBINE_MAXIMA_VARIABLES][3] = {
        {"max_eta", "largest sea surface elevation", "m"},
        {"time_of_max", "time of the largest elevation", "s"},
    };
    for (int k = 0; k < COMBINE_MAXIMA_VARIABLES; k++)
        stream->variables[stream->variable_count++] = (struct stream_variable){.name = texts[k][0],
                                                                               .long_name = texts[k][1],
                                                                               .units = texts[k][2],
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
    tsunami_stream_stations(stream, true, c->gauges.stations, (const char *const *)c->gauges.names,
                            c->gauges.constants);
    add_quantities(stream, c->gauges.has, 1);
}

void combine_describe_streams(const struct combine *c, struct stream streams[COMBINE_STREAMS])
{
    describe_fields(c, &streams[COMBINE_FIELDS]);
    describe_maxima(c, &streams[COMBINE_MAXIMA]);
    describe_gauges(c, &streams[COMBINE_GAUGES]);
}
