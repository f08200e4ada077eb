// Spins as files have them: configurations.nc and final.nc, eight spins a byte or one. Independent of solvers
// but its words (state.h).
#include "models/ising/instance.h"
#include "models/team.h"
#include "parallel/ranks.h"

enum { AXIS_REPLICA, AXIS_ROW, AXIS_PLACE, AXIS_TEMPERATURE };

// A byte a spin, or eight; bytes of a row.
static size_t row_bytes(const struct ising *g)
{
    const size_t columns = (size_t)g->params.physics.lattice.columns;
    return g->params.format == ISING_PACKED ? (columns + 7) / 8 : columns;
}

static void add_constant(struct stream *stream, const char *name, const char *about, int axis,
                         const double *values)
{
    stream->constants[stream->constant_count++] = (struct stream_constant){
        .name = name, .long_name = about, .units = "1", .axis = axis, .values = values};
}

void ising_spins_plan(struct ising *g, struct stream *stream, bool has_records)
{
    const struct ising_params *p = &g->params;
    const bool is_packed = p->format == ISING_PACKED;
    *stream = (struct stream){
        .name = has_records ? "configurations" : "final",
        .title = has_records ? "spins" : "spins at the end",
        .has_records = has_records,
        .element = ELEMENT_U8,
        .flag_meanings = is_packed ? NULL : "down up",
        .records_per_frame = 1,
        .axis_count = 3,
        .axes = {[AXIS_REPLICA] = {.name = "replica", .length = ising_replicas(g)},
                 [AXIS_ROW] = {.name = "row", .length = (size_t)p->physics.lattice.rows},
                 [AXIS_PLACE] = {.name = is_packed ? "byte" : "column", .length = row_bytes(g)}},
        .variable_count = 1,
        .variables = {{.name = is_packed ? "spins_packed" : "spins",
                       .long_name = is_packed ? "spins, eight a byte: 1 up, 0 down" : "spin",
                       .units = "1",
                       .comment = is_packed ? "column 8 b + k of a row is bit 7 - k of byte b: "
                                              "numpy.unpackbits(spins_packed, axis=-1)[..., :columns]"
                                            : NULL,
                       .rank = 3,
                       .axes = {AXIS_REPLICA, AXIS_ROW, AXIS_PLACE}}},
    };
    stream->division = (struct stream_division){.dividing = g->shares ? STREAM_ROWS : STREAM_WHOLE,
                                                .holds_all = g->base.ranks->rank == 0,
                                                .axis = AXIS_ROW,
                                                .first = (size_t)g->own.first,
                                                .end = (size_t)g->own.end};
    g->columns = (double)p->physics.lattice.columns;
    g->clock = (double)ising_steps(p);
    g->sweeps_at_each = (double)p->sweeps.count;
    add_constant(stream, "columns", "columns of the lattice", -1, &g->columns);
    if (!has_records) {
        add_constant(stream, "clock", "sweeps so far", -1, &g->clock);
        add_constant(stream, "beta", "inverse temperature", -1, &p->betas[p->temperatures - 1]);
        return;
    }
    stream->axis_count = AXIS_TEMPERATURE + 1;
    stream->axes[AXIS_TEMPERATURE] = (struct stream_axis){.name = "temperature", .length = p->temperatures};
    add_constant(
        stream, "sweeps_at_each",
        "sweeps at each temperature: number k has those from k sweeps_at_each + 1 to (k + 1) sweeps_at_each",
        -1, &g->sweeps_at_each);
    add_constant(stream, "beta", "inverse temperature", AXIS_TEMPERATURE, p->betas);
}

// The record has the rows from `first` on, `held` of each replica.
struct writing {
    const struct ising *run;
    const uint32_t *words; // of the own rows
    unsigned char *record;
    size_t first, held;
};

// The planes of a row: spins of even and of odd columns.
struct row {
    const uint32_t *even, *odd;
    size_t words, bits;
};

// Two columns after the other, four times a byte; the rest of a last byte is 0.
static void pack_row(const struct row *row, unsigned char *to)
{
    unsigned spins = 0;
    size_t pairs = 0;
    for (size_t bit = 0; bit < row->bits; bit++)
        for (size_t word = 0; word < row->words; word++) {
            spins = spins << 2 | (row->even[word] >> bit & 1) << 1 | (row->odd[word] >> bit & 1);
            if (++pairs % 4 == 0)
                *to++ = (unsigned char)spins;
        }
    if (pairs % 4 != 0)
        *to = (unsigned char)(spins << (8 - 2 * (pairs % 4)));
}

static void spread_row(const struct row *row, unsigned char *to)
{
    for (size_t bit = 0; bit < row->bits; bit++)
        for (size_t word = 0; word < row->words; word++) {
            *to++ = row->even[word] >> bit & 1;
            *to++ = row->odd[word] >> bit & 1;
        }
}

// Of all replicas' own rows.
static void write_row(void *context, size_t item)
{
    const struct writing *w = context;
    const struct ising_lattice *lattice = &w->run->params.physics.lattice;
    const size_t rows = (size_t)(w->run->own.end - w->run->own.first),
                 words = (size_t)ising_row_words(lattice->columns);
    const uint32_t *plane = w->words + (item / rows * 2 * rows + item % rows) * words;
    const struct row row = {plane, plane + rows * words, words, (size_t)ising_word_bits(lattice->columns)};
    const size_t own = (size_t)w->run->own.first + item % rows - w->first;
    unsigned char *to = w->record + (item / rows * w->held + own) * row_bytes(w->run);
    if (w->run->params.format == ISING_PACKED)
        pack_row(&row, to);
    else
        spread_row(&row, to);
}

void ising_spins_write(const struct ising *g, const struct stream *stream, const struct frame *frame)
{
    const size_t rows = (size_t)(g->own.end - g->own.first), all = (size_t)g->params.physics.lattice.rows;
    const bool is_part = stream_held_bytes(stream) < stream_record_bytes(stream);
    struct writing writing = {.run = g,
                              .words = g->backend->words(g->base.solver),
                              .record =
                                  (unsigned char *)frame->data + frame->records * stream_held_bytes(stream),
                              .first = is_part ? (size_t)g->own.first : 0,
                              .held = is_part ? rows : all};
    team_for(g->threads, ising_replicas(g) * rows, write_row, &writing);
}
