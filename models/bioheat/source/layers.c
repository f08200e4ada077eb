// Heat in cells that do not warm: in the two layers of cells at fixed faces, and in cells that are void or of
// fixed temperature. What is known of it before the run is in lost.c, the stream's part in streamed.c.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Which cells of full fields are tissue is not known before they are read.
bool source_may_lose(const struct bioheat_heating *heating)
{
    const struct bioheat_media *media = heating->domain ? bioheat_domain_media(heating->domain) : NULL;
    bool may = bioheat_has_layers(heating->grid) || (media && !media->has_labels);
    for (int label = 0; label < BIOHEAT_LABELS && media && media->has_labels; label++)
        may |= media->is_used[label] && media->table[label].role != BIOHEAT_TISSUE;
    return may;
}

enum source_place source_place_of(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES])
{
    return bioheat_is_in_layer(grid, cell) ? SOURCE_IN_LAYER : SOURCE_INSIDE;
}

// The largest rise of two, if either cell is that of only one of them.
static void add_hottest(double *rise_k, double *hottest, double other_k, double other)
{
    if (*rise_k > 0 && other_k > 0 && *hottest == other) {
        *rise_k += other_k;
    } else if (other_k > *rise_k) {
        *rise_k = other_k;
        *hottest = other;
    }
}

void source_heat_add(struct source_heat *sum, const struct source_heat *term,
                     const double factors[SOURCE_SIGNS])
{
    for (int sign = 0; sign < SOURCE_SIGNS; sign++) {
        // What warms: positive values times positive factors, and negative ones times negative ones.
        const int signs[2] = {sign, SOURCE_COOLS - sign};
        double layers_k = 0, inside_k = 0, hottest = 0;
        for (int k = 0; k < 2; k++) {
            const double factor = factors[k], own_k = factor * term->rise[signs[k]][SOURCE_INSIDE];
            for (int place = 0; place < SOURCE_PLACES; place++)
                sum->heat[sign][place] += factor * term->heat[signs[k]][place];
            layers_k += factor * term->rise[signs[k]][SOURCE_IN_LAYER]; // one after the other
            if (own_k > inside_k) {
                inside_k = own_k;
                hottest = term->hottest[signs[k]];
            }
        }
        sum->rise[sign][SOURCE_IN_LAYER] += layers_k;
        add_hottest(&sum->rise[sign][SOURCE_INSIDE], &sum->hottest[sign], inside_k, hottest);
    }
}

// ---- which cells are tissue

// Without a domain (K of 1 J/m3).
static const double warming_of_water = 1 / 4.2e6;

enum status source_tissue_open(const struct bioheat_heating *heating, struct source_tissue *tissue)
{
    const size_t cells = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    tissue->warming = malloc(cells * sizeof *tissue->warming);
    tissue->planes = malloc(3 * cells * sizeof *tissue->planes);
    if (!tissue->warming || !tissue->planes)
        return FAIL(STATUS_SYSTEM, "no memory for planes of %zu cells", cells);
    for (size_t i = 0; i < cells; i++)
        tissue->warming[i] = warming_of_water;
    return STATUS_OK;
}

enum status source_tissue_read(const struct bioheat_heating *heating, struct source_tissue *tissue, size_t z)
{
    return heating->domain ? bioheat_domain_read_warming(heating->domain, z, tissue->warming, tissue->planes)
                           : STATUS_OK;
}

void source_tissue_close(struct source_tissue *tissue)
{
    free(tissue->warming);
    free(tissue->planes);
}

// ---- planes of cells

// A piece of a row. Summed in lanes, so that one addition need not wait for the one before.
enum { CHUNK = 256, LANES = 4 };
struct chunk {
    double parts[SOURCE_SIGNS][CHUNK], warming[CHUNK];
};

static void fill_line(const struct source_cells *c, size_t first, size_t count, struct chunk *chunk)
{
    for (size_t i = 0; i < count; i++) {
        const double before = element_get(c->real, c->before, first + i),
                     value = element_get(c->real, c->values, first + i);
        chunk->parts[SOURCE_WARMS][i] = source_line_positive(&c->line, before, value);
        chunk->parts[SOURCE_COOLS][i] = source_line_positive(&c->line, -before, -value);
    }
}

static void fill_values(const struct source_cells *c, size_t first, size_t count, struct chunk *chunk)
{
    const float *single = (const float *)c->values;
    double *warms = chunk->parts[SOURCE_WARMS], *cools = chunk->parts[SOURCE_COOLS];
    for (size_t i = 0; i < count && c->real == ELEMENT_F32; i++)
        warms[i] = (double)single[first + i];
    for (size_t i = 0; i < count && c->real != ELEMENT_F32; i++)
        warms[i] = element_get(c->real, c->values, first + i);
    for (size_t i = 0; i < count; i++) {
        const double value = warms[i];
        warms[i] = value > 0 ? value : 0;
        cools[i] = value < 0 ? -value : 0;
    }
}

static void fill_parts(const struct source_cells *c, size_t first, size_t count, struct chunk *chunk)
{
    for (int sign = 0; sign < SOURCE_SIGNS && c->parts[sign]; sign++)
        memcpy(chunk->parts[sign], c->parts[sign] + first, count * sizeof *chunk->parts[sign]);
    if (c->before)
        fill_line(c, first, count, chunk);
    else if (!c->parts[SOURCE_WARMS])
        fill_values(c, first, count, chunk);
}

static double warming_of_fields(const struct source_cells *c, size_t cell)
{
    return bioheat_role_in(c->media, c->media_real, cell) == BIOHEAT_TISSUE
               ? 1 / element_get(c->media_real, *c->media->heat_capacity, cell)
               : 0;
}

static void fill_warming(const struct source_cells *c, size_t first, size_t count, double *warming)
{
    if (c->warming)
        memcpy(warming, c->warming + first, count * sizeof *warming);
    else if (c->codes)
        for (size_t i = 0; i < count; i++)
            warming[i] = c->by_code[c->codes[first + i]];
    else
        for (size_t i = 0; i < count; i++)
            warming[i] = c->media ? warming_of_fields(c, first + i) : warming_of_water;
}

// at: the number of its first cell in the grid.
static void add_chunk(const struct chunk *c, enum source_sign sign, size_t at, size_t count,
                      enum source_place place, struct source_heat *sum)
{
    double tissue[LANES] = {0}, others[LANES] = {0}, rise[LANES] = {0};
    for (size_t i = 0; i < count; i++) {
        const size_t k = i % LANES;
        const double part = c->parts[sign][i], of_tissue = c->warming[i] > 0 ? part : 0,
                     warmed = part * c->warming[i];
        tissue[k] += of_tissue;
        others[k] += part - of_tissue;
        rise[k] = warmed > rise[k] ? warmed : rise[k];
    }
    sum->heat[sign][place] += (tissue[0] + tissue[1]) + (tissue[2] + tissue[3]);
    sum->heat[sign][SOURCE_UNSOLVED] += (others[0] + others[1]) + (others[2] + others[3]);
    const double most = fmax(fmax(rise[0], rise[1]), fmax(rise[2], rise[3]));
    if (most <= sum->rise[sign][place])
        return;
    sum->rise[sign][place] = most;
    for (size_t i = 0; i < count && place == SOURCE_INSIDE; i++)
        if (c->parts[sign][i] * c->warming[i] == most) {
            sum->hottest[sign] = (double)(at + i);
            return;
        }
}

// Cells of the arrays from number `first` on, which in the grid are those from `cell` on.
static void add_cells(const struct source_cells *cells, size_t first, size_t cell, size_t count,
                      enum source_place place, struct source_heat *sum)
{
    struct chunk chunk;
    for (size_t at = 0, length; at < count; at += length) {
        length = count - at < CHUNK ? count - at : CHUNK;
        fill_parts(cells, first + at, length, &chunk);
        fill_warming(cells, first + at, length, chunk.warming);
        for (int sign = 0; sign < SOURCE_SIGNS; sign++)
            add_chunk(&chunk, (enum source_sign)sign, cell + at, length, place, sum);
    }
}

// The cells of a row that are not among its two first and two last lie in the same layers.
void source_add_plane(const struct bioheat_grid *grid, const struct source_cells *cells, size_t z,
                      size_t first, struct source_heat *sum)
{
    const size_t nx = grid->cells[BIOHEAT_X], low = bioheat_is_updated(grid, BIOHEAT_X, 0) ? 0 : 2,
                 high = bioheat_is_updated(grid, BIOHEAT_X, nx - 1) ? nx : nx - 2, ends[] = {low, high, nx};
    struct source_heat own = {0};
    for (size_t y = 0; y < grid->cells[BIOHEAT_Y]; y++)
        for (size_t x = 0, k = 0; k < 3; x = ends[k++])
            if (x < ends[k])
                add_cells(cells, first + y * nx + x, bioheat_index(grid, z, y, x), ends[k] - x,
                          source_place_of(grid, (size_t[]){z, y, x}), &own);
    for (int sign = 0; sign < SOURCE_SIGNS; sign++) {
        for (int place = 0; place < SOURCE_PLACES; place++)
            sum->heat[sign][place] += bioheat_cell_volume_m3(grid) * own.heat[sign][place];
        if (own.rise[sign][SOURCE_INSIDE] > sum->rise[sign][SOURCE_INSIDE])
            sum->hottest[sign] = own.hottest[sign];
        for (int place = 0; place < SOURCE_RISES; place++)
            sum->rise[sign][place] = fmax(sum->rise[sign][place], own.rise[sign][place]);
    }
}

// ---- of the run

struct bioheat_given bioheat_heating_given(const struct bioheat_heating *heating)
{
    struct source_heat all = heating->known_j;
    struct bioheat_given given = {.is_known = true};
    if (bioheat_heating_loses_streamed(heating) && !heating->has_streamed)
        return (struct bioheat_given){.is_known = false};
    source_heat_add(&all, &heating->streamed_j, (const double[SOURCE_SIGNS]){1, 0});
    for (int place = 0; place < SOURCE_PLACES; place++) {
        given.warming_j[place] = all.heat[SOURCE_WARMS][place];
        given.cooling_j[place] = all.heat[SOURCE_COOLS][place];
    }
    given.layers_rise_k = all.rise[SOURCE_WARMS][SOURCE_IN_LAYER];
    given.solved_rise_k = all.rise[SOURCE_WARMS][SOURCE_INSIDE];
    given.hottest = all.hottest[SOURCE_WARMS];
    given.is_bound =
        !heating->has_points_in_layers && !(heating->streamed_j.rise[SOURCE_WARMS][SOURCE_IN_LAYER] > 0);
    return given;
}

struct bioheat_given bioheat_given_sum(const struct bioheat_given *before, const struct bioheat_given *own)
{
    struct bioheat_given sum = *before;
    sum.is_known = before->is_known && own->is_known;
    sum.is_bound = before->is_bound && own->is_bound;
    for (int place = 0; place < SOURCE_PLACES; place++) {
        sum.warming_j[place] += own->warming_j[place];
        sum.cooling_j[place] += own->cooling_j[place];
    }
    sum.layers_rise_k += own->layers_rise_k;
    add_hottest(&sum.solved_rise_k, &sum.hottest, own->solved_rise_k, own->hottest);
    return sum;
}

static double part_of(double part, double others)
{
    return part > 0 ? part / (part + others) : 0;
}

// Of what warms alone, or of what warms and what cools: cooling that reaches the tissue does not make up for
// warming that does not.
struct bioheat_lost bioheat_given_lost(const struct bioheat_given *given)
{
    const double *warming_j = given->warming_j, *cooling_j = given->cooling_j;
    double all_j[SOURCE_PLACES];
    if (!given->is_known)
        return (struct bioheat_lost){NAN, NAN, NAN, NAN, false};
    for (int place = 0; place < SOURCE_PLACES; place++)
        all_j[place] = warming_j[place] + cooling_j[place];
    return (struct bioheat_lost){
        .layers_share = fmax(part_of(warming_j[SOURCE_IN_LAYER], warming_j[SOURCE_INSIDE]),
                             part_of(all_j[SOURCE_IN_LAYER], all_j[SOURCE_INSIDE])),
        .unsolved_share =
            fmax(part_of(warming_j[SOURCE_UNSOLVED], warming_j[SOURCE_INSIDE] + warming_j[SOURCE_IN_LAYER]),
                 part_of(all_j[SOURCE_UNSOLVED], all_j[SOURCE_INSIDE] + all_j[SOURCE_IN_LAYER])),
        .layers_rise_k = given->layers_rise_k,
        .solved_rise_k = given->solved_rise_k,
        .is_bound = given->is_bound};
}

struct bioheat_lost bioheat_heating_lost(const struct bioheat_heating *heating)
{
    const struct bioheat_given given = bioheat_heating_given(heating);
    return bioheat_given_lost(&given);
}
