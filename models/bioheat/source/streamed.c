// What is found of a streamed field during the run: its heat in cells that do not warm (layers.c), and the
// heat that steps miss which have its mean power. Of each piece in each plane when it is read; of the steps
// that were taken plane by plane. A plane is one rank's alone, so the sums do not depend on the number of
// ranks.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <string.h>

enum {
    PIECE_DOUBLES = sizeof(struct source_piece) / sizeof(double),
    PLANE_DOUBLES = sizeof(struct source_plane) / sizeof(double)
};

static size_t own_planes(const struct bioheat_heating *heating)
{
    const struct bioheat_planes own = bioheat_own(heating->grid);
    return own.end - own.first;
}

bool bioheat_heating_is_streamed(const struct bioheat_heating *heating)
{
    return heating->stream != NULL;
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
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64,
                          (pieces > 0 ? (size_t)pieces : 1) * own_planes(heating), PIECE_DOUBLES,
                          (void **)&stream->piece_w, "source stream, power of planes"));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, own_planes(heating), PLANE_DOUBLES,
                           (void **)&stream->planes, "source stream, heat of planes");
}

// The media are in memory.
void source_streamed_prepare(struct bioheat_heating *heating)
{
    struct source_stream *stream = heating->stream;
    stream->last_read = -1;
    memset(stream->planes, 0, own_planes(heating) * sizeof *stream->planes);
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

static void add_record_heat(struct bioheat_heating *heating, int64_t piece, const void *values,
                            const void *before)
{
    const struct source_stream *stream = heating->stream;
    const struct bioheat_grid *grid = heating->grid;
    const struct bioheat_planes own = bioheat_own(grid);
    const struct source_cells cells = cells_of(heating, heating->precision, values);
    struct source_cells along = cells;
    along.before = before;
    along.line = line_in_run(heating, piece);
    // Of a linear stream records act alone only before the first and after the last.
    const bool is_alone = !stream->axis.is_linear || piece == 0 || (size_t)piece + 1 == stream->axis.records;
    struct source_piece *power_w = piece_w(heating, piece);
    for (size_t z = own.first; z < own.end; z++, power_w++) {
        const size_t first = z * grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
        if (is_alone)
            source_add_plane(grid, &cells, z, first, &power_w->alone);
        if (along.before && along.line.part > 0)
            source_add_plane(grid, &along, z, first, &power_w->line);
    }
}

// The largest |scale·value|, and the largest |scale·value − scale·before| (before: or NULL, then 0).
enum { LANES = 8 };
#define LARGEST_OF(real)                                                                                     \
    static void largest_of_##real(const real *values, const real *before, size_t count, const real scale[2], \
                                  struct source_piece *piece)                                                \
    {                                                                                                        \
        real size[LANES] = {0}, change[LANES] = {0};                                                         \
        for (size_t i = 0; i < count; i++) {                                                                 \
            const size_t k = i % LANES;                                                                      \
            const real value = scale[0] * values[i], apart = before ? value - scale[1] * before[i] : 0,      \
                       large = value < 0 ? -value : value, far = apart < 0 ? -apart : apart;                 \
            size[k] = large > size[k] ? large : size[k];                                                     \
            change[k] = far > change[k] ? far : change[k];                                                   \
        }                                                                                                    \
        for (size_t k = 0; k < LANES; k++) {                                                                 \
            piece->size_w_m3 = fmax(piece->size_w_m3, (double)size[k]);                                      \
            piece->change_w_m3 = fmax(piece->change_w_m3, (double)change[k]);                                \
        }                                                                                                    \
    }
LARGEST_OF(float)
LARGEST_OF(double)
#undef LARGEST_OF

// Of a record's values to W m-3.
static double power_scale(const struct source_axis *axis, size_t record)
{
    return axis->is_energy && axis->times_s ? 1 / (axis->times_s[record + 1] - axis->times_s[record]) : 1;
}

// The first record that is read, after a stop, too, is not compared: no step needs what led to it.
static void compare_records(struct bioheat_heating *heating, int64_t piece, const void *values,
                            const void *before)
{
    const struct bioheat_grid *grid = heating->grid;
    const struct bioheat_planes own = bioheat_own(grid);
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    const double scale = power_scale(&heating->stream->axis, (size_t)piece),
                 scale_before = before ? power_scale(&heating->stream->axis, (size_t)piece - 1) : 0;
    struct source_piece *power_w = piece_w(heating, piece);
    for (size_t z = own.first; z < own.end; z++, power_w++) {
        if (heating->precision == ELEMENT_F32)
            largest_of_float((const float *)values + z * plane,
                             before ? (const float *)before + z * plane : NULL, plane,
                             (const float[]){(float)scale, (float)scale_before}, power_w);
        else
            largest_of_double((const double *)values + z * plane,
                              before ? (const double *)before + z * plane : NULL, plane,
                              (const double[]){scale, scale_before}, power_w);
    }
}

void source_streamed_read(struct bioheat_heating *heating, int64_t piece, const void *values)
{
    struct source_stream *stream = heating->stream;
    const void *before = values_before(heating, piece);
    memset(piece_w(heating, piece), 0, own_planes(heating) * sizeof(struct source_piece));
    stream->last_read = piece;
    if (source_may_lose(heating))
        add_record_heat(heating, piece, values, before);
    if (stream->is_compared)
        compare_records(heating, piece, values, before);
}

// ---- means of steps

// Where no record acts the power is 0.
void source_streamed_begin_mean(struct bioheat_heating *heating, const struct source_window *window,
                                size_t planes)
{
    struct source_stream *stream = heating->stream;
    const size_t cells = planes * heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    double share = 0;
    for (size_t k = window->first; k < window->first + window->count; k++)
        share += source_axis_weight(&stream->axis, window, k) / power_scale(&stream->axis, k);
    const bool has_pause = share < 1 - 1e-9;
    for (size_t i = 0; i < cells; i++) {
        stream->low[i] = has_pause ? 0 : INFINITY;
        stream->high[i] = has_pause ? 0 : -INFINITY;
    }
    for (int sign = 0; sign < SOURCE_SIGNS && stream->parts[sign]; sign++)
        memset(stream->parts[sign], 0, cells * sizeof *stream->parts[sign]);
}

static void add_record_parts(struct bioheat_heating *heating, const struct source_window *window, size_t k,
                             size_t cells)
{
    struct source_stream *stream = heating->stream;
    const enum element real = heating->precision;
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

void source_streamed_add_record(struct bioheat_heating *heating, const struct source_window *window, size_t k,
                                size_t planes)
{
    struct source_stream *stream = heating->stream;
    const size_t cells = planes * heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    const double scale = power_scale(&stream->axis, k);
    for (size_t i = 0; i < cells; i++) {
        const double power = scale * element_get(heating->precision, stream->record, i);
        stream->low[i] = power < stream->low[i] ? power : stream->low[i];
        stream->high[i] = power > stream->high[i] ? power : stream->high[i];
    }
    if (stream->parts[SOURCE_WARMS])
        add_record_parts(heating, window, k, cells);
}

// A power between `low` and `high` with the mean m misses most if it is first all high and then all low:
// (high − m)(m − low)/(high − low) of the step's length, whatever the order of its records is.
static double missed_w_m3(const struct source_stream *stream, size_t i)
{
    const double low = stream->low[i], high = stream->high[i], mean = stream->sum[i];
    return high > low ? fmax(0, (high - mean) * (mean - low) / (high - low)) : 0;
}

void source_streamed_read_mean(struct bioheat_heating *heating, int64_t piece, size_t z, size_t count)
{
    const struct source_stream *stream = heating->stream;
    const struct bioheat_grid *grid = heating->grid;
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    const struct bioheat_planes own = bioheat_own(grid);
    struct source_cells cells = cells_of(heating, ELEMENT_F64, NULL);
    for (int sign = 0; sign < SOURCE_SIGNS && stream->parts[sign]; sign++) // where cell 0 would be
        cells.parts[sign] = (const double *)((uintptr_t)stream->parts[sign] - z * plane * sizeof(double));
    for (size_t at = z < own.first ? own.first : z; at < z + count && at < own.end; at++) {
        struct source_piece *power_w = piece_w(heating, piece) + (at - own.first);
        *power_w = (struct source_piece){0};
        if (stream->parts[SOURCE_WARMS])
            source_add_plane(grid, &cells, at, at * plane, &power_w->alone);
        for (size_t i = 0; i < plane; i++)
            power_w->change_w_m3 = fmax(power_w->change_w_m3, missed_w_m3(stream, (at - z) * plane + i));
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
        add_heat(&heating->stream->planes[z].heat_j, &power_w[z].alone, alone_s);
        add_heat(&heating->stream->planes[z].heat_j, &power_w[z].line, line_s);
    }
}

// The largest heat that a step of the length 1 misses of a power that rises by 1, evenly from `begin` to
// `end`; of a jump (begin = end = f) f (1 − f).
static double missed_of_rise(double begin, double end)
{
    const double mean = 1 - 0.5 * (begin + end);
    return mean * (begin + 0.5 * mean * (end - begin));
}

// Record k of a step: of its change from the record before (a stepwise one jumps where it begins), and of its
// size, in seconds: where the source begins or ends within the step.
struct record_share {
    double of_change_s, of_size_s;
};

static double missed_of_jump(const struct source_window *window, double time_s)
{
    const double length_s = window->to_s - window->from_s, at = (time_s - window->from_s) / length_s;
    return at > 0 && at < 1 ? missed_of_rise(at, at) * length_s : 0;
}

static struct record_share share_of_record(const struct source_axis *axis, const struct source_window *window,
                                           size_t k)
{
    const double length_s = window->to_s - window->from_s, *times_s = axis->times_s;
    struct record_share share = {0};
    if (!times_s)
        return share;
    const size_t end = axis->time_count - 1; // its time ends the source, unless it is held
    const struct source_line line = source_axis_line(axis, window, k);
    if (line.part > 0) {
        const double begin = (fmax(window->from_s, times_s[k - 1]) - window->from_s) / length_s;
        share.of_change_s = (line.to - line.from) * missed_of_rise(begin, begin + line.part) * length_s;
    } else if (!axis->is_linear && k > window->first) {
        share.of_change_s = missed_of_jump(window, times_s[k]);
    }
    if (k == 0 && axis->before != SOURCE_HELD)
        share.of_size_s += missed_of_jump(window, times_s[0]);
    if (axis->after != SOURCE_HELD && k + (size_t)!axis->is_linear == end)
        share.of_size_s += missed_of_jump(window, times_s[end]);
    return share;
}

// An upper bound in each plane: changes of several records add up.
static void add_missed(struct bioheat_heating *heating, const struct source_window *window, int64_t step)
{
    const struct source_stream *stream = heating->stream;
    struct record_share shares[SOURCE_SLOTS_MAX];
    for (size_t k = 0; k < window->count && !stream->is_averaged; k++)
        shares[k] = share_of_record(&stream->axis, window, window->first + k);
    for (size_t z = 0; z < own_planes(heating); z++) {
        double missed = 0;
        if (stream->is_averaged && window->count > 0)
            missed = piece_w(heating, step)[z].change_w_m3 * heating->step_s;
        for (size_t k = 0; k < window->count && !stream->is_averaged; k++) {
            const struct source_piece *power_w = &piece_w(heating, (int64_t)(window->first + k))[z];
            missed += shares[k].of_change_s * power_w->change_w_m3 + shares[k].of_size_s * power_w->size_w_m3;
        }
        struct source_plane *plane = &stream->planes[z];
        plane->missed_j_m3 = fmax(plane->missed_j_m3, fabs(stream->amplitude) * missed);
    }
}

static void add_step_heat(struct bioheat_heating *heating, const struct source_window *window, int64_t step)
{
    const struct source_stream *stream = heating->stream;
    const double factor_s = heating->step_s * stream->amplitude;
    if (stream->is_averaged && window->count > 0)
        add_piece(heating, step, factor_s, 0);
    for (size_t k = window->first; k < window->first + window->count && !stream->is_averaged; k++) {
        const double alone = source_axis_alone(&stream->axis, window, k),
                     along = source_axis_line(&stream->axis, window, k).part;
        if (alone > 0 || along > 0)
            add_piece(heating, (int64_t)k, factor_s * alone, factor_s * along);
    }
}

void bioheat_heating_count(struct bioheat_heating *heating, int64_t first_step, int64_t count)
{
    const struct source_stream *stream = heating->stream;
    if (!stream)
        return;
    for (int64_t step = first_step; step < first_step + count; step++) {
        const struct source_window window = source_axis_window(&stream->axis, step);
        if (source_may_lose(heating))
            add_step_heat(heating, &window, step);
        if (stream->is_compared)
            add_missed(heating, &window, step);
    }
}

void bioheat_heating_add_streamed(const struct bioheat_heating *heating, struct bioheat_streamed *sum)
{
    const struct bioheat_planes own = bioheat_own(heating->grid);
    for (size_t z = own.first; z < own.end; z++) {
        const struct source_plane *plane = &heating->stream->planes[z - own.first];
        for (int sign = 0; sign < SOURCE_SIGNS; sign++) {
            const struct source_heat *heat_j = &plane->heat_j;
            for (int place = 0; place < SOURCE_PLACES; place++)
                sum->heat_j[sign][place] += heat_j->heat[sign][place];
            if (heat_j->rise[sign][SOURCE_INSIDE] > sum->rise_k[sign][SOURCE_INSIDE])
                sum->hottest[sign] = -1 - (double)z;
            for (int place = 0; place < SOURCE_RISES; place++)
                sum->rise_k[sign][place] = fmax(sum->rise_k[sign][place], heat_j->rise[sign][place]);
        }
        sum->missed_j_m3 = fmax(sum->missed_j_m3, plane->missed_j_m3);
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
    *bytes = sizeof(struct source_plane);
    return (double *)heating->stream->planes;
}
