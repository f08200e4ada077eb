// Heat in cells that do not warm: in the two layers of cells at fixed faces, and in cells that are void or of
// fixed temperature. What is known of it before the run is in lost.c, the stream's part in streamed.c.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool source_has_fixed_faces(const struct bioheat_grid *grid)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (!bioheat_is_updated(grid, axis, 0) || !bioheat_is_updated(grid, axis, grid->cells[axis] - 1))
            return true;
    return false;
}

// Which cells of full fields are tissue is not known before they are read.
bool source_may_lose(const struct bioheat_heating *heating)
{
    const struct bioheat_media *media = heating->domain ? bioheat_domain_media(heating->domain) : NULL;
    bool may = source_has_fixed_faces(heating->grid) || (media && !media->has_labels);
    for (int label = 0; label < BIOHEAT_LABELS && media && media->has_labels; label++)
        may |= media->is_used[label] && media->table[label].role != BIOHEAT_TISSUE;
    return may;
}

enum source_place source_place_of(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES])
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (!bioheat_is_updated(grid, axis, cell[axis]))
            return SOURCE_IN_LAYER;
    return SOURCE_INSIDE;
}

void source_heat_add(struct source_heat *sum, const struct source_heat *term, double factor)
{
    for (int place = 0; place < SOURCE_PLACES; place++)
        sum->heat[place] += factor * term->heat[place];
    sum->rise[SOURCE_IN_LAYER] += factor * term->rise[SOURCE_IN_LAYER];
    sum->rise[SOURCE_INSIDE] = fmax(sum->rise[SOURCE_INSIDE], factor * term->rise[SOURCE_INSIDE]);
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
    double absolute[CHUNK], warming[CHUNK];
};

static void fill_absolute(const struct source_cells *c, size_t first, size_t count, double *absolute)
{
    const float *single = (const float *)c->values;
    if (c->before)
        for (size_t i = 0; i < count; i++)
            absolute[i] = source_line_absolute(&c->line, element_get(c->real, c->before, first + i),
                                               element_get(c->real, c->values, first + i));
    else if (c->real == ELEMENT_F32)
        for (size_t i = 0; i < count; i++)
            absolute[i] = fabs((double)single[first + i]);
    else
        for (size_t i = 0; i < count; i++)
            absolute[i] = fabs(element_get(c->real, c->values, first + i));
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

static void add_chunk(const struct chunk *c, size_t count, enum source_place place, struct source_heat *sum)
{
    double tissue[LANES] = {0}, others[LANES] = {0}, rise[LANES] = {0};
    for (size_t i = 0; i < count; i++) {
        const size_t k = i % LANES;
        const double absolute = c->absolute[i], of_tissue = c->warming[i] > 0 ? absolute : 0,
                     warmed = absolute * c->warming[i];
        tissue[k] += of_tissue;
        others[k] += absolute - of_tissue;
        rise[k] = warmed > rise[k] ? warmed : rise[k];
    }
    sum->heat[place] += (tissue[0] + tissue[1]) + (tissue[2] + tissue[3]);
    sum->heat[SOURCE_UNSOLVED] += (others[0] + others[1]) + (others[2] + others[3]);
    sum->rise[place] = fmax(sum->rise[place], fmax(fmax(rise[0], rise[1]), fmax(rise[2], rise[3])));
}

static void add_cells(const struct source_cells *cells, size_t first, size_t count, enum source_place place,
                      struct source_heat *sum)
{
    struct chunk chunk;
    for (size_t at = 0, length; at < count; at += length) {
        length = count - at < CHUNK ? count - at : CHUNK;
        fill_absolute(cells, first + at, length, chunk.absolute);
        fill_warming(cells, first + at, length, chunk.warming);
        add_chunk(&chunk, length, place, sum);
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
                add_cells(cells, first + y * nx + x, ends[k] - x, source_place_of(grid, (size_t[]){z, y, x}),
                          &own);
    for (int place = 0; place < SOURCE_PLACES; place++) {
        sum->heat[place] += bioheat_cell_volume_m3(grid) * own.heat[place];
        sum->rise[place] = fmax(sum->rise[place], own.rise[place]);
    }
}

// ---- of the run

struct bioheat_lost bioheat_heating_lost(const struct bioheat_heating *heating)
{
    struct source_heat all = heating->known_j;
    if (bioheat_heating_loses_streamed(heating) && !heating->has_streamed)
        return (struct bioheat_lost){NAN, NAN, NAN, NAN};
    source_heat_add(&all, &heating->streamed_j, 1);
    const double tissue_j = all.heat[SOURCE_INSIDE] + all.heat[SOURCE_IN_LAYER],
                 all_j = tissue_j + all.heat[SOURCE_UNSOLVED];
    return (struct bioheat_lost){.layers_share = tissue_j > 0 ? all.heat[SOURCE_IN_LAYER] / tissue_j : 0,
                                 .unsolved_share = all_j > 0 ? all.heat[SOURCE_UNSOLVED] / all_j : 0,
                                 .layers_rise_k = all.rise[SOURCE_IN_LAYER],
                                 .solved_rise_k = all.rise[SOURCE_INSIDE]};
}
