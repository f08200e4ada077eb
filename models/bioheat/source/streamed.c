// Heat of a streamed field in cells that do not warm, found during the run: the power of each piece in each
// plane when it is read, and that of the steps that were taken, plane by plane. A plane is one rank's alone,
// so the sums do not depend on the number of ranks. See layers.c.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <string.h>

enum { HEAT_DOUBLES = sizeof(struct source_heat) / sizeof(double) };

static size_t own_planes(const struct bioheat_heating *heating)
{
    const struct bioheat_planes own = bioheat_own(heating->grid);
    return own.end - own.first;
}

bool bioheat_heating_loses_streamed(const struct bioheat_heating *heating)
{
    return heating->stream && source_may_lose(heating);
}

enum status source_streamed_plan(struct bioheat_heating *heating, struct memory_plan *plan)
{
    struct source_stream *stream = heating->stream;
    const int64_t pieces =
        stream->is_in_memory ? stream->end_piece - stream->first_piece : (int64_t)stream->slot_count;
    if (!bioheat_heating_loses_streamed(heating))
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64,
                          (pieces > 0 ? (size_t)pieces : 1) * own_planes(heating), (size_t)2 * HEAT_DOUBLES,
                          (void **)&stream->piece_w, "source stream, power of planes"));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, own_planes(heating), HEAT_DOUBLES,
                           (void **)&stream->plane_j, "source stream, heat of planes");
}

// The media are in memory.
void source_streamed_prepare(struct bioheat_heating *heating)
{
    struct source_stream *stream = heating->stream;
    stream->last_read = -1;
    if (!stream->plane_j)
        return;
    memset(stream->plane_j, 0, own_planes(heating) * sizeof *stream->plane_j);
    const struct bioheat_media *media = heating->domain ? bioheat_domain_media(heating->domain) : NULL;
    for (int label = 0; label < BIOHEAT_LABELS && media; label++)
        heating->warming[label] =
            media->table[label].role == BIOHEAT_TISSUE ? 1 / media->table[label].heat_capacity_j_m3_k : 0;
}

static struct source_piece *piece_w(const struct bioheat_heating *heating, int64_t piece)
{
    const struct source_stream *stream = heating->stream;
    const int64_t place =
        stream->is_in_memory ? piece - stream->first_piece : piece % (int64_t)stream->slot_count;
    return stream->piece_w + (size_t)place * own_planes(heating);
}

static struct source_cells cells_of(const struct bioheat_heating *heating, enum element real,
                                    const void *values)
{
    const struct bioheat_media *media = heating->domain ? bioheat_domain_media(heating->domain) : NULL;
    return (struct source_cells){.real = real,
                                 .values = values,
                                 .codes = media && media->has_labels ? *media->labels : NULL,
                                 .by_code = heating->warming,
                                 .media = media,
                                 .media_real = heating->precision};
}

// ---- records

// Where the piece before is, of which a line leads to this one; NULL: not read. On the I/O thread, which
// reads pieces in their order and so has not yet put another one in its place.
static const void *values_before(const struct bioheat_heating *heating, int64_t piece)
{
    const struct source_stream *stream = heating->stream;
    if (piece == 0 || stream->last_read != piece - 1)
        return NULL;
    return stream->is_in_memory
               ? source_stream_piece(heating, piece - 1)
               : heating->layers[stream->first_layer + (int)((piece - 1) % (int64_t)stream->slot_count)];
}

// The part of the line to a record that lies in the run.
static struct source_line line_in_run(const struct bioheat_heating *heating, int64_t record)
{
    struct source_axis axis = heating->stream->axis;
    axis.step_s = (double)heating->steps * heating->step_s;
    const struct source_window window = source_axis_window(&axis, 0);
    return source_axis_line(&axis, &window, (size_t)record);
}

void source_streamed_read(struct bioheat_heating *heating, int64_t piece, const void *values)
{
    struct source_stream *stream = heating->stream;
    const struct bioheat_grid *grid = heating->grid;
    const struct bioheat_planes own = bioheat_own(grid);
    const struct source_cells cells = cells_of(heating, heating->precision, values);
    struct source_cells along = cells;
    if (!stream->plane_j)
        return;
    along.before = values_before(heating, piece);
    along.line = line_in_run(heating, piece);
    stream->last_read = piece;
    // Of a linear stream records act alone only before the first and after the last.
    const bool is_alone = !stream->axis.is_linear || piece == 0 || (size_t)piece + 1 == stream->axis.records;
    struct source_piece *power_w = piece_w(heating, piece);
    for (size_t z = own.first; z < own.end; z++, power_w++) {
        const size_t first = z * grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
        *power_w = (struct source_piece){0};
        if (is_alone)
            source_add_plane(grid, &cells, z, first, &power_w->alone);
        if (along.before && along.line.part > 0)
            source_add_plane(grid, &along, z, first, &power_w->line);
    }
}

// ---- means of steps

void source_streamed_add_record(struct bioheat_heating *heating, const struct source_window *window, size_t k,
                                size_t planes)
{
    struct source_stream *stream = heating->stream;
    const size_t cells = planes * heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    const enum element real = heating->precision;
    if (!stream->parts[SOURCE_WARMS])
        return;
    const double alone = source_axis_alone(&stream->axis, window, k);
    const struct source_line line =
        k > window->first ? source_axis_line(&stream->axis, window, k) : (struct source_line){0};
    for (size_t i = 0; i < cells; i++) {
        const double value = element_get(real, stream->record, i);
        stream->parts[value < 0 ? SOURCE_COOLS : SOURCE_WARMS][i] += alone * fabs(value);
    }
    for (size_t i = 0; i < cells && line.part > 0; i++) {
        const double before = element_get(real, stream->record_before, i),
                     value = element_get(real, stream->record, i);
        stream->parts[SOURCE_WARMS][i] += line.part * source_line_positive(&line, before, value);
        stream->parts[SOURCE_COOLS][i] += line.part * source_line_positive(&line, -before, -value);
    }
    memcpy(stream->record_before, stream->record, cells * element_bytes(real));
}

void source_streamed_read_mean(struct bioheat_heating *heating, int64_t piece, size_t z, size_t count)
{
    const struct bioheat_grid *grid = heating->grid;
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    const struct bioheat_planes own = bioheat_own(grid);
    if (!heating->stream->parts[SOURCE_WARMS])
        return;
    struct source_cells cells = cells_of(heating, ELEMENT_F64, NULL);
    for (int sign = 0; sign < SOURCE_SIGNS; sign++) // where cell 0 would be
        cells.parts[sign] =
            (const double *)((uintptr_t)heating->stream->parts[sign] - z * plane * sizeof(double));
    struct source_piece *power_w = piece_w(heating, piece);
    for (size_t at = z < own.first ? own.first : z; at < z + count && at < own.end; at++) {
        power_w[at - own.first] = (struct source_piece){0};
        source_add_plane(grid, &cells, at, at * plane, &power_w[at - own.first].alone);
    }
}

// ---- the run

// Of a hot spot that moves each record's hottest cell counts: an upper bound.
static void add_heat(struct source_heat *sum, const struct source_heat *term, double factor_s)
{
    const double size_s = fabs(factor_s);
    for (int sign = 0; sign < SOURCE_SIGNS; sign++) {
        const int from = factor_s < 0 ? SOURCE_COOLS - sign : sign;
        for (int place = 0; place < SOURCE_PLACES; place++)
            sum->heat[sign][place] += size_s * term->heat[from][place];
        for (int place = 0; place < SOURCE_RISES; place++)
            sum->rise[sign][place] += size_s * term->rise[from][place];
    }
}

static void add_piece(struct bioheat_heating *heating, int64_t piece, double alone_s, double line_s)
{
    const size_t planes = own_planes(heating);
    const struct source_piece *power_w = piece_w(heating, piece);
    for (size_t z = 0; z < planes; z++) {
        add_heat(&heating->stream->plane_j[z], &power_w[z].alone, alone_s);
        add_heat(&heating->stream->plane_j[z], &power_w[z].line, line_s);
    }
}

void bioheat_heating_count(struct bioheat_heating *heating, int64_t first_step, int64_t count)
{
    const struct source_stream *stream = heating->stream;
    if (!stream || !stream->plane_j)
        return;
    for (int64_t step = first_step; step < first_step + count; step++) {
        const struct source_window window = source_axis_window(&stream->axis, step);
        const double factor_s = heating->step_s * stream->amplitude;
        if (stream->is_averaged && window.count > 0)
            add_piece(heating, step, factor_s, 0);
        for (size_t k = window.first; k < window.first + window.count && !stream->is_averaged; k++) {
            const double alone = source_axis_alone(&stream->axis, &window, k),
                         along = source_axis_line(&stream->axis, &window, k).part;
            if (alone > 0 || along > 0)
                add_piece(heating, (int64_t)k, factor_s * alone, factor_s * along);
        }
    }
}

void bioheat_heating_add_streamed(const struct bioheat_heating *heating, struct bioheat_streamed *sum)
{
    const struct bioheat_planes own = bioheat_own(heating->grid);
    for (size_t z = own.first; z < own.end; z++)
        for (int sign = 0; sign < SOURCE_SIGNS; sign++) {
            const struct source_heat *plane = &heating->stream->plane_j[z - own.first];
            for (int place = 0; place < SOURCE_PLACES; place++)
                sum->heat_j[sign][place] += plane->heat[sign][place];
            if (plane->rise[sign][SOURCE_INSIDE] > sum->rise_k[sign][SOURCE_INSIDE])
                sum->hottest[sign] = -1 - (double)z;
            for (int place = 0; place < SOURCE_RISES; place++)
                sum->rise_k[sign][place] = fmax(sum->rise_k[sign][place], plane->rise[sign][place]);
        }
}

void bioheat_heating_set_streamed(struct bioheat_heating *heating, const struct bioheat_streamed *sum)
{
    memcpy(heating->streamed_j.heat, sum->heat_j, sizeof heating->streamed_j.heat);
    memcpy(heating->streamed_j.rise, sum->rise_k, sizeof heating->streamed_j.rise);
    memcpy(heating->streamed_j.hottest, sum->hottest, sizeof heating->streamed_j.hottest);
    heating->has_streamed = true;
}

double *bioheat_heating_streamed_sums(const struct bioheat_heating *heating, size_t *bytes)
{
    *bytes = sizeof(struct source_heat);
    return (double *)heating->stream->plane_j;
}
