// Media of the fast CPU version: media by cell, tables by medium, and the groups of cells that lie within one
// tissue with all neighbours. Computed once, at the start.
#include "models/bioheat/openmp_solver.h"

#include "models/team.h"

#include <math.h>
#include <string.h>

// ---- plan

enum table {
    TABLE_GAIN,
    TABLE_PERFUSION,
    TABLE_RESISTANCE,
    TABLE_LOSS,
    TABLE_SHARE,
    TABLE_NEAR,
    TABLE_FAR = TABLE_NEAR + 3
};

static void *table_at(const struct solver *s, int table)
{
    return (char *)s->tables + (size_t)table * BIOHEAT_LABELS * s->element;
}

enum status heat_media_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    if (!s->setup.media->has_labels)
        return memory_plan_add(plan, MEMORY_HOST, real, 1, s->pitch, &s->zeros, "%szeros", prefix);
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, BIOHEAT_LABELS, BIOHEAT_LABELS, &s->pair,
                          "%sconductivity of pairs", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, HEAT_TABLES, BIOHEAT_LABELS, &s->tables,
                          "%stables by medium", prefix));
    const size_t first = s->held.first * s->ny, end = s->held.end * s->ny;
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_U8, first, end + 1, s->pitch, (void **)&s->media,
                               "%smedia", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, s->pitch + HEAT_PAD, (void **)&s->no_media,
                          "%sno media", prefix));
    // Two bytes a group.
    return memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_U8, first, end, s->groups * sizeof *s->codes,
                                (void **)&s->codes, "%scodes of groups", prefix);
}

// ---- tables

static struct bioheat_medium void_medium(void)
{
    return (struct bioheat_medium){.role = BIOHEAT_VOID};
}

static void fill_medium(struct solver *s, size_t number, struct bioheat_medium m)
{
    const double k = m.role == BIOHEAT_VOID ? 0 : m.conductivity_w_m_k;
    const double gain = m.role == BIOHEAT_TISSUE ? s->view.step_s / m.heat_capacity_j_m3_k : 0;
    double d = m.perfusion_w_m3_k;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        heat_store(s, table_at(s, TABLE_NEAR + axis), number, gain * k * s->view.scale[axis] * (4.0 / 3));
        heat_store(s, table_at(s, TABLE_FAR + axis), number, gain * k * s->view.scale[axis] * (-1.0 / 12));
        d += k * s->view.scale[axis] * (30.0 / 12);
    }
    s->conductivity[number] = k;
    heat_store(s, table_at(s, TABLE_GAIN), number, gain);
    heat_store(s, table_at(s, TABLE_PERFUSION), number, m.perfusion_w_m3_k);
    heat_store(s, table_at(s, TABLE_RESISTANCE), number, k > 0 ? 1 / (2 * k) : (double)INFINITY);
    heat_store(s, table_at(s, TABLE_LOSS), number, gain * m.perfusion_w_m3_k);
    heat_store(s, table_at(s, TABLE_SHARE), number,
               s->view.mode == HEAT_IMPLICIT ? 1 / (1 + 0.5 * gain * d) : 1);
    s->view.has_perfusion = s->view.has_perfusion || gain * m.perfusion_w_m3_k != 0;
}

// Every label's number; all VOID ones share the last.
static enum status number_media(struct solver *s, uint8_t numbers[BIOHEAT_LABELS])
{
    const struct bioheat_media *media = s->setup.media;
    int count = 0;
    s->view.has_perfusion = false;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        if (!media->is_used[label] || media->table[label].role == BIOHEAT_VOID)
            continue;
        if (count == BIOHEAT_LABELS - 1)
            return FAIL(STATUS_CONFIGURATION, "openmp can hold %d tissues that conduct heat, not %d",
                        BIOHEAT_LABELS - 1, BIOHEAT_LABELS);
        fill_medium(s, (size_t)count, media->table[label]);
        numbers[label] = (uint8_t)count++;
    }
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (!media->is_used[label] || media->table[label].role == BIOHEAT_VOID)
            numbers[label] = (uint8_t)count;
    fill_medium(s, (size_t)count, void_medium());
    s->view.media = count + 1;
    s->view.stride = s->view.media <= HEAT_FEW ? HEAT_FEW : s->view.media;
    return STATUS_OK;
}

static void fill_pairs(struct solver *s)
{
    const size_t media = (size_t)s->view.media, stride = (size_t)s->view.stride;
    memset(s->pair, 0, stride * media * s->element);
    for (size_t a = 0; a < media; a++)
        for (size_t b = 0; b < media; b++) {
            const double ka = s->conductivity[a], kb = s->conductivity[b];
            const double k = a == b ? ka : ka + kb > 0 ? 2 * ka * kb / (ka + kb) : 0;
            heat_store(s, s->pair, a * stride + b, k);
        }
}

static void point_at_tables(struct solver *s)
{
    struct heat_view *view = &s->view;
    view->pair = s->pair;
    view->gain = table_at(s, TABLE_GAIN);
    view->perfusion = table_at(s, TABLE_PERFUSION);
    view->resistance = table_at(s, TABLE_RESISTANCE);
    view->loss = table_at(s, TABLE_LOSS);
    view->share = table_at(s, TABLE_SHARE);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        view->near[axis] = table_at(s, TABLE_NEAR + axis);
        view->far[axis] = table_at(s, TABLE_FAR + axis);
    }
}

// ---- media of cells

static void fill_media_row(struct solver *s, size_t z, size_t y, const uint8_t numbers[BIOHEAT_LABELS],
                           uint8_t uniform)
{
    const uint8_t *const *labels = s->setup.media->labels;
    const size_t n = s->view.nx;
    uint8_t *row = heat_media_of(s, z, y);
    for (size_t x = 0; x < n; x++)
        row[x] = labels && *labels ? numbers[(*labels)[(z * s->ny + y) * n + x]] : uniform;
    for (ptrdiff_t k = -2; k < 2; k++) {
        const ptrdiff_t x = k < 0 ? k : (ptrdiff_t)n + k;
        bool is_missing;
        const size_t from = heat_map(s->setup.grid, BIOHEAT_X, x, &is_missing);
        row[x] = is_missing ? (uint8_t)(s->view.media - 1) : row[from];
    }
}

// ---- codes

static bool are_all(const uint8_t *media, size_t begin, size_t end, int medium)
{
    for (size_t x = begin; x < end; x++)
        if (media[x] != medium)
            return false;
    return true;
}

// Whether the rows two below … two above along an axis exist and are of the medium at x in begin … end − 1.
// In the implicit method no neighbour may be the mirror image of the cell itself.
static bool are_rows_of(const struct solver *s, enum bioheat_axis axis, size_t z, size_t y, size_t begin,
                        size_t end, int medium)
{
    const struct bioheat_grid *grid = s->setup.grid;
    const size_t at = axis == BIOHEAT_Z ? z : y;
    if (s->has_colours && (heat_is_wall(grid, axis, at, false) || heat_is_wall(grid, axis, at, true)))
        return false;
    for (ptrdiff_t offset = -2; offset <= 2; offset++) {
        bool is_missing;
        const size_t mapped = heat_map(grid, axis, (ptrdiff_t)at + offset, &is_missing);
        const uint8_t *row = heat_media_of(s, axis == BIOHEAT_Z ? mapped : z, axis == BIOHEAT_Y ? mapped : y);
        if (is_missing || !are_all(row, begin, end, medium))
            return false;
    }
    return true;
}

static bool are_ends_of(const struct solver *s, const uint8_t *row, size_t begin, size_t end, int medium)
{
    const struct bioheat_grid *grid = s->setup.grid;
    if (s->has_colours && ((begin == 0 && heat_is_wall(grid, BIOHEAT_X, 0, false)) ||
                           (end == s->view.nx && heat_is_wall(grid, BIOHEAT_X, end - 1, true))))
        return false;
    const uint8_t *before = row + begin - 2, *after = row + end;
    return before[0] == medium && before[1] == medium && after[0] == medium && after[1] == medium;
}

static uint16_t code_of(const struct solver *s, size_t z, size_t y, size_t group)
{
    const size_t first = group * HEAT_GROUP, beyond = first + HEAT_GROUP;
    const size_t begin = first > s->view.first ? first : s->view.first,
                 end = beyond < s->view.last ? beyond : s->view.last;
    const uint8_t *row = heat_media_of(s, z, y);
    bool has_tissue = false;
    for (size_t x = begin; x < end; x++)
        has_tissue = has_tissue || heat_element(s, s->view.gain, row[x]) > 0;
    if (!has_tissue)
        return HEAT_CODE_SKIP;
    const int medium = row[begin];
    const bool is_pure = !(s->has_colours && s->has_velocity) && are_all(row, begin, end, medium) &&
                         are_ends_of(s, row, begin, end, medium) &&
                         are_rows_of(s, BIOHEAT_Y, z, y, begin, end, medium) &&
                         are_rows_of(s, BIOHEAT_Z, z, y, begin, end, medium);
    return is_pure ? (uint16_t)medium : HEAT_CODE_MIXED;
}

// Of planes whose neighbours are held.
static void code_plane(void *context, size_t item)
{
    struct solver *s = context;
    const size_t z = heat_valid(s, 1).first + item;
    for (size_t y = 0; y < s->ny; y++)
        for (size_t group = 0; group < s->groups; group++)
            s->codes[(z * s->ny + y) * s->groups + group] = code_of(s, z, y, group);
}

struct filling {
    struct solver *solver;
    uint8_t numbers[BIOHEAT_LABELS];
    uint8_t uniform;
};

static void fill_media_plane(void *context, size_t item)
{
    const struct filling *f = context;
    const size_t z = f->solver->held.first + item;
    for (size_t y = 0; y < f->solver->ny; y++)
        fill_media_row(f->solver, z, y, f->numbers, f->uniform);
}

enum status heat_media_start(struct solver *s)
{
    struct filling filling = {.solver = s};
    int label = 0;
    if (!s->setup.media->has_labels)
        return STATUS_OK;
    CHECK(number_media(s, filling.numbers));
    while (label < BIOHEAT_LABELS - 1 && !s->setup.media->is_used[label])
        label++;
    filling.uniform = filling.numbers[label];
    fill_pairs(s);
    point_at_tables(s);
    memset(s->no_media, s->view.media - 1, s->pitch + HEAT_PAD);
    const struct bioheat_planes coded = heat_valid(s, 1);
    team_for(s->threads, s->held.end - s->held.first, fill_media_plane, &filling);
    team_for(s->threads, coded.end - coded.first, code_plane, s);
    return STATUS_OK;
}
