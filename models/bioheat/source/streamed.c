// Heat of a streamed field in the layers of fixed faces, found during the run: the power of each piece in
// each plane when it is read, and that of the steps that were taken, plane by plane. A plane is one rank's
// alone, so the sums do not depend on the number of ranks. See layers.c.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <string.h>

static size_t own_planes(const struct bioheat_heating *heating)
{
    const struct bioheat_planes own = bioheat_own(heating->grid);
    return own.end - own.first;
}

bool bioheat_heating_streams_into_layers(const struct bioheat_heating *heating)
{
    return heating->stream && source_has_fixed_faces(heating->grid);
}

enum status source_streamed_plan(struct bioheat_heating *heating, struct memory_plan *plan)
{
    struct source_stream *stream = heating->stream;
    const int64_t pieces =
        stream->is_in_memory ? stream->end_piece - stream->first_piece : (int64_t)stream->slot_count;
    if (!bioheat_heating_streams_into_layers(heating))
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64,
                          (pieces > 0 ? (size_t)pieces : 1) * own_planes(heating), SOURCE_PLACES,
                          (void **)&stream->piece_w, "source stream, power of planes"));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, own_planes(heating), SOURCE_PLACES,
                           (void **)&stream->plane_j, "source stream, heat of planes");
}

// The media are in memory.
void source_streamed_prepare(struct bioheat_heating *heating)
{
    struct source_stream *stream = heating->stream;
    if (!stream->plane_j)
        return;
    memset(stream->plane_j, 0, own_planes(heating) * sizeof *stream->plane_j);
    const struct bioheat_media *media = heating->domain ? bioheat_domain_media(heating->domain) : NULL;
    for (int label = 0; label < BIOHEAT_LABELS && media; label++)
        heating->is_tissue[label] = media->table[label].role == BIOHEAT_TISSUE ? 1 : 0;
}

static double (*piece_w(const struct bioheat_heating *heating, int64_t piece))[SOURCE_PLACES]
{
    const struct source_stream *stream = heating->stream;
    const int64_t place =
        stream->is_in_memory ? piece - stream->first_piece : piece % (int64_t)stream->slot_count;
    return stream->piece_w + (size_t)place * own_planes(heating);
}

void source_streamed_read(struct bioheat_heating *heating, int64_t piece, const void *values)
{
    const struct bioheat_grid *grid = heating->grid;
    const struct bioheat_media *media = heating->domain ? bioheat_domain_media(heating->domain) : NULL;
    const bool has_labels = media && media->has_labels;
    const struct source_cells cells = {.real = heating->precision,
                                       .values = values,
                                       .codes = has_labels ? *media->labels : NULL,
                                       .weights = heating->is_tissue,
                                       .media = media};
    if (!heating->stream->plane_j)
        return;
    double(*power_w)[SOURCE_PLACES] = piece_w(heating, piece);
    const struct bioheat_planes own = bioheat_own(grid);
    for (size_t z = own.first; z < own.end; z++, power_w++) {
        memset(power_w, 0, sizeof *power_w);
        source_add_plane(grid, &cells, z, z * grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X], *power_w);
        for (int place = 0; place < SOURCE_PLACES; place++)
            (*power_w)[place] *= bioheat_cell_volume_m3(grid);
    }
}

static void add_piece(struct bioheat_heating *heating, int64_t piece, double factor_s)
{
    const size_t planes = own_planes(heating);
    const double(*power_w)[SOURCE_PLACES] = (const double(*)[SOURCE_PLACES])piece_w(heating, piece);
    for (size_t z = 0; z < planes; z++)
        for (int place = 0; place < SOURCE_PLACES; place++)
            heating->stream->plane_j[z][place] += factor_s * power_w[z][place];
}

void bioheat_heating_count(struct bioheat_heating *heating, int64_t first_step, int64_t count)
{
    const struct source_stream *stream = heating->stream;
    if (!stream || !stream->plane_j)
        return;
    for (int64_t step = first_step; step < first_step + count; step++) {
        const struct source_window window = source_axis_window(&stream->axis, step);
        if (stream->is_averaged && window.count > 0)
            add_piece(heating, step, heating->step_s * fabs(stream->amplitude));
        for (size_t k = window.first; k < window.first + window.count && !stream->is_averaged; k++) {
            const double weight = stream->amplitude * source_axis_weight(&stream->axis, &window, k);
            if (weight != 0)
                add_piece(heating, (int64_t)k, heating->step_s * fabs(weight));
        }
    }
}

void bioheat_heating_add_streamed(const struct bioheat_heating *heating, struct bioheat_streamed *sum)
{
    const size_t planes = own_planes(heating);
    for (size_t z = 0; z < planes; z++)
        for (int place = 0; place < SOURCE_PLACES; place++)
            sum->heat_j[place] += heating->stream->plane_j[z][place];
}

void bioheat_heating_set_streamed(struct bioheat_heating *heating, const struct bioheat_streamed *sum)
{
    memcpy(heating->streamed_j, sum->heat_j, sizeof heating->streamed_j);
    heating->has_streamed = true;
}

double *bioheat_heating_streamed_sums(const struct bioheat_heating *heating, size_t *bytes)
{
    *bytes = SOURCE_PLACES * sizeof(double);
    return (double *)heating->stream->plane_j;
}
