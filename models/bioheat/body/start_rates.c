// How far a run's start is from rest: see start_rates.h. Written from the scheme's fluxes, not from the
// solvers' code.
#include "models/bioheat/body/start_rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A cell's rate takes two cells on either side along an axis, the rate of rates two more.
// Smaller planes than PARALLEL_CELLS are not worth several threads.
enum { REACH = 2, LINE = 2 * REACH + 1, SLOTS = 8, PARALLEL_CELLS = 8192 };

struct survey {
    const struct bioheat_grid *grid;
    const struct bioheat_media *media;
    const struct bioheat_start_readers *readers;
    size_t ny, nx;
    // Plane number p of the domain and of its continuation, from −4 to nz + 3, is in slot p & 7.
    struct bioheat_plane planes[SLOTS];
    double *theta[SLOTS], *rates[SLOTS];
    bool is_in_domain[SLOTS];
    double most_rate[SLOTS];     // of the plane's rates
    bool has_walls;              // convective faces
    size_t plane_z[SLOTS];       // where in the domain it is
    ptrdiff_t *of[BIOHEAT_AXES]; // y, x: the cell that stands for index − 2, −1: none
    void *memory;
    double smallest_k, largest_k; // θ
    struct bioheat_start_rates *found;
};

// The five cells along an axis about one, and their values; plane NULL: none.
struct line {
    const struct bioheat_plane *planes[LINE];
    size_t at[LINE];
    double values[LINE];
    size_t index; // of the middle one along the axis
};

static int slot_of(ptrdiff_t p)
{
    return (int)(p & (SLOTS - 1));
}

// The cell that stands for `index` of an axis, also beyond its ends; −1 without one.
static ptrdiff_t place(const struct bioheat_grid *grid, int axis, ptrdiff_t index)
{
    const ptrdiff_t n = (ptrdiff_t)grid->cells[axis];
    while (index < 0 || index >= n)
        switch (grid->faces[axis][index < 0 ? 0 : 1].kind) {
        case BIOHEAT_PERIODIC:
            index += index < 0 ? n : -n;
            break;
        case BIOHEAT_INSULATED:
            index = index < 0 ? -1 - index : 2 * n - 1 - index;
            break;
        default:
            return -1;
        }
    return index;
}

// ---- a cell

// 0: no heat passes.
static double conductivity_at(const struct survey *s, const struct line *line, int j)
{
    const struct bioheat_plane *plane = line->planes[j];
    if (!s->media->has_labels)
        return plane->conductivity[line->at[j]];
    const struct bioheat_medium *medium = &s->media->table[plane->labels[line->at[j]]];
    return medium->role == BIOHEAT_VOID ? 0 : medium->conductivity_w_m_k;
}

static bool is_one_label(const struct line *line, int a, int b)
{
    return line->planes[a] && line->planes[b] &&
           line->planes[a]->labels[line->at[a]] == line->planes[b]->labels[line->at[b]];
}

// Whether the flux of the face between cells j + 1 and j + 2 of the line takes all of j … j + 3.
static bool is_smooth(const struct survey *s, const struct line *line, int j)
{
    if (s->media->has_labels)
        return is_one_label(line, j, j + 1) && is_one_label(line, j + 1, j + 2) &&
               is_one_label(line, j + 2, j + 3);
    double least = INFINITY, most = 0;
    for (int c = j; c < j + 4; c++) {
        const double k = line->planes[c] ? conductivity_at(s, line, c) : 0;
        least = fmin(least, k);
        most = fmax(most, k);
    }
    return least > 0 && most <= s->media->contrast_limit * least;
}

// Heat along the axis through that face times the spacing, W/m.
static double conducted(const struct survey *s, const struct line *line, int j)
{
    const double *v = line->values + j;
    const double k0 = conductivity_at(s, line, j + 1), k1 = conductivity_at(s, line, j + 2);
    if (!(k0 > 0 && k1 > 0))
        return 0;
    if (is_smooth(s, line, j))
        return -0.5 * (k0 + k1) * (v[0] - v[3] + 15 * (v[2] - v[1])) / 12;
    if (!s->media->has_labels || s->media->interfaces != BIOHEAT_QUADRATIC ||
        is_one_label(line, j + 1, j + 2))
        return -2 * k0 * k1 / (k0 + k1) * (v[2] - v[1]);
    const bool low_has_two = is_one_label(line, j, j + 1), high_has_two = is_one_label(line, j + 2, j + 3);
    const double low = (low_has_two ? 8.0 / 3 : 2) * k0, high = (high_has_two ? 8.0 / 3 : 2) * k1;
    return -low * high / (low + high) *
           (v[2] - v[1] - (low_has_two ? (v[1] - v[0]) / 8 : 0) - (high_has_two ? (v[3] - v[2]) / 8 : 0));
}

// What a cell loses through its convective face of one side.
static double wall_w_m3_k(const struct survey *s, int axis, int side, double conductivity_w_m_k)
{
    const struct bioheat_face *face = &s->grid->faces[axis][side];
    const double spacing = s->grid->spacing_m[axis];
    return 1 / (spacing * (1 / face->transfer_w_m2_k + spacing / (2 * conductivity_w_m_k)));
}

// Heat (W/m³) that comes into the middle cell of a line along its axis. is_rate: the values are rates, to
// which the outside adds nothing.
static double inflow_w_m3(const struct survey *s, int axis, const struct line *line, bool is_rate)
{
    const double spacing = s->grid->spacing_m[axis];
    const int wall = line->index > 0;
    const struct bioheat_face *face = &s->grid->faces[axis][wall];
    double sum = 0;
    for (int side = 0; side < 2; side++)
        if (line->planes[side ? REACH + 1 : REACH - 1])
            sum += (side ? -1 : 1) * conducted(s, line, side) / (spacing * spacing);
        else if (face->kind == BIOHEAT_CONVECTIVE)
            sum += wall_w_m3_k(s, axis, wall, conductivity_at(s, line, REACH)) *
                   ((is_rate ? 0 : face->outside_theta_k) - line->values[REACH]);
    return sum;
}

static void fill_line(const struct survey *s, double *const values[SLOTS], int axis, ptrdiff_t p,
                      const size_t cell[BIOHEAT_AXES], struct line *line)
{
    const size_t at = cell[BIOHEAT_Y] * s->nx + cell[BIOHEAT_X],
                 stride = axis == BIOHEAT_Y ? s->nx : axis == BIOHEAT_X;
    line->index = cell[axis];
    for (int j = 0; j < LINE; j++) {
        const int slot = slot_of(axis == BIOHEAT_Z ? p - REACH + j : p);
        const ptrdiff_t i = axis == BIOHEAT_Z ? 0 : s->of[axis][cell[axis] + (size_t)j];
        const bool is_cell = i >= 0 && s->is_in_domain[slot];
        line->planes[j] = is_cell ? &s->planes[slot] : NULL;
        line->at[j] = axis == BIOHEAT_Z ? at : at - cell[axis] * stride + (is_cell ? (size_t)i * stride : 0);
        line->values[j] = is_cell ? values[slot][line->at[j]] : 0;
    }
}

// Without a source, of the cell whose plane is number p; cell[BIOHEAT_Z] is where in the domain that is.
static double rate_of(const struct survey *s, double *const values[SLOTS], ptrdiff_t p,
                      const size_t cell[BIOHEAT_AXES], bool is_rate)
{
    const size_t i = cell[BIOHEAT_Y] * s->nx + cell[BIOHEAT_X];
    const struct bioheat_medium medium = bioheat_plane_medium(s->media, &s->planes[slot_of(p)], i);
    if (medium.role != BIOHEAT_TISSUE || bioheat_is_in_layer(s->grid, cell))
        return 0;
    double heat =
        medium.perfusion_w_m3_k * ((is_rate ? 0 : s->media->arterial_theta_k) - values[slot_of(p)][i]);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        struct line line;
        if (s->grid->cells[axis] == 1)
            continue;
        fill_line(s, values, axis, p, cell, &line);
        heat += inflow_w_m3(s, axis, &line, is_rate);
    }
    return heat / medium.heat_capacity_j_m3_k;
}

// ---- planes

// Returns the largest of the rates of the values of plane p, which it stores in `to` (NULL: nowhere).
static double rate_plane(const struct survey *s, double *const values[SLOTS], ptrdiff_t p, bool is_rate,
                         double *to)
{
    double most = 0;
#pragma omp parallel for reduction(max : most) schedule(static) if (s->ny * s->nx >= PARALLEL_CELLS)
    for (size_t y = 0; y < s->ny; y++)
        for (size_t x = 0; x < s->nx; x++) {
            const size_t cell[BIOHEAT_AXES] = {s->plane_z[slot_of(p)], y, x};
            const double rate = rate_of(s, values, p, cell, is_rate);
            if (to)
                to[y * s->nx + x] = rate;
            most = fabs(rate) > most ? fabs(rate) : most;
        }
    return most;
}

// Whether the rates of plane p are 0 without a look at its cells: no walls, and all θ so far are one, that of
// the blood if there is any.
static bool is_at_rest(const struct survey *s)
{
    return !s->has_walls && s->smallest_k >= s->largest_k &&
           (s->found->perfusion_per_s == 0 || s->smallest_k == s->media->arterial_theta_k);
}

static void find_rates(struct survey *s, ptrdiff_t p)
{
    const int slot = slot_of(p);
    s->most_rate[slot] = 0;
    if (is_at_rest(s))
        memset(s->rates[slot], 0, s->ny * s->nx * sizeof *s->rates[slot]);
    else
        s->most_rate[slot] = rate_plane(s, s->theta, p, false, s->rates[slot]);
    s->found->rate_k_s = fmax(s->found->rate_k_s, s->most_rate[slot]);
}

static void find_bend(struct survey *s, ptrdiff_t p, ptrdiff_t reach)
{
    double most = 0;
    for (ptrdiff_t q = p - reach; q <= p + reach; q++)
        most = fmax(most, s->is_in_domain[slot_of(q)] ? s->most_rate[slot_of(q)] : 0);
    if (most > 0)
        s->found->bend_k_s2 = fmax(s->found->bend_k_s2, rate_plane(s, s->rates, p, true, NULL));
}

// Through all convective faces of a cell.
static double wall_rate_per_s(const struct survey *s, const struct bioheat_medium *medium,
                              const size_t cell[BIOHEAT_AXES])
{
    double sum = 0;
    for (int axis = 0; axis < BIOHEAT_AXES && s->has_walls; axis++)
        for (int side = 0; side < 2; side++)
            if (s->grid->cells[axis] > 1 && s->grid->faces[axis][side].kind == BIOHEAT_CONVECTIVE &&
                cell[axis] == (side ? s->grid->cells[axis] - 1 : 0))
                sum += wall_w_m3_k(s, axis, side, medium->conductivity_w_m_k);
    return sum / medium->heat_capacity_j_m3_k;
}

static void note_range(struct survey *s, int slot)
{
    for (size_t i = 0; i < s->ny * s->nx; i++) {
        const size_t cell[BIOHEAT_AXES] = {s->plane_z[slot], i / s->nx, i % s->nx};
        const struct bioheat_medium medium = bioheat_plane_medium(s->media, &s->planes[slot], i);
        if (medium.role == BIOHEAT_VOID)
            continue;
        s->smallest_k = fmin(s->smallest_k, s->theta[slot][i]);
        s->largest_k = fmax(s->largest_k, s->theta[slot][i]);
        if (medium.role != BIOHEAT_TISSUE)
            continue;
        s->found->perfusion_per_s =
            fmax(s->found->perfusion_per_s, medium.perfusion_w_m3_k / medium.heat_capacity_j_m3_k);
        s->found->wall_per_s = fmax(s->found->wall_per_s, wall_rate_per_s(s, &medium, cell));
    }
}

static enum status load(struct survey *s, ptrdiff_t p)
{
    const int slot = slot_of(p);
    const ptrdiff_t z = s->grid->cells[BIOHEAT_Z] > 1 ? place(s->grid, BIOHEAT_Z, p) : p;
    s->is_in_domain[slot] = z >= 0;
    if (z < 0)
        return STATUS_OK;
    s->plane_z[slot] = (size_t)z;
    CHECK(s->readers->media(s->readers->media_context, (size_t)z, &s->planes[slot]));
    CHECK(s->readers->theta(s->readers->theta_context, (size_t)z, s->theta[slot]));
    note_range(s, slot);
    return STATUS_OK;
}

static enum status survey_planes(struct survey *s)
{
    const ptrdiff_t nz = (ptrdiff_t)s->grid->cells[BIOHEAT_Z], reach = nz > 1 ? REACH : 0;
    for (ptrdiff_t p = -2 * reach; p < nz + 2 * reach; p++) {
        const ptrdiff_t of_rate = p - reach, of_bend = p - 2 * reach;
        CHECK(load(s, p));
        if (of_rate >= -reach && s->is_in_domain[slot_of(of_rate)])
            find_rates(s, of_rate);
        if (of_bend >= 0)
            find_bend(s, of_bend, reach);
    }
    return STATUS_OK;
}

// ---- all of it

static void divide_memory(struct survey *s)
{
    const size_t cells = s->ny * s->nx;
    const bool has_fields = !s->media->has_labels;
    double *next = s->memory;
    for (int slot = 0; slot < SLOTS; slot++) {
        double **const places[] = {&s->theta[slot], &s->rates[slot],
                                   has_fields ? &s->planes[slot].conductivity : NULL,
                                   has_fields ? &s->planes[slot].heat_capacity : NULL,
                                   has_fields && s->media->perfusion ? &s->planes[slot].perfusion : NULL};
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (places[k]) {
                *places[k] = next;
                next += cells;
            }
    }
    s->of[BIOHEAT_Y] = (ptrdiff_t *)next;
    s->of[BIOHEAT_X] = s->of[BIOHEAT_Y] + s->ny + 2 * REACH;
    uint8_t *labels = (uint8_t *)(s->of[BIOHEAT_X] + s->nx + 2 * REACH);
    for (int slot = 0; slot < SLOTS && s->media->has_labels; slot++)
        s->planes[slot].labels = labels + (size_t)slot * cells;
    for (int axis = BIOHEAT_Y; axis <= BIOHEAT_X; axis++)
        for (size_t i = 0; i < s->grid->cells[axis] + 2 * REACH; i++)
            s->of[axis][i] =
                s->grid->cells[axis] > 1 ? place(s->grid, axis, (ptrdiff_t)i - REACH) : (ptrdiff_t)-1;
}

static enum status take_memory(struct survey *s)
{
    const size_t cells = s->ny * s->nx, arrays = s->media->has_labels ? 2 : 5,
                 places = s->ny + s->nx + 4 * (size_t)REACH;
    s->memory = calloc(SLOTS, cells * arrays * sizeof(double) + places * sizeof(ptrdiff_t) + cells);
    if (!s->memory)
        return FAIL(STATUS_SYSTEM, "no memory for planes of %zu x %zu cells", s->ny, s->nx);
    divide_memory(s);
    return STATUS_OK;
}

static double range_k(struct survey *s)
{
    if (s->found->perfusion_per_s > 0) {
        s->smallest_k = fmin(s->smallest_k, s->media->arterial_theta_k);
        s->largest_k = fmax(s->largest_k, s->media->arterial_theta_k);
    }
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++) {
            const struct bioheat_face *face = &s->grid->faces[axis][side];
            if (s->grid->cells[axis] == 1 || face->kind != BIOHEAT_CONVECTIVE)
                continue;
            s->smallest_k = fmin(s->smallest_k, face->outside_theta_k);
            s->largest_k = fmax(s->largest_k, face->outside_theta_k);
        }
    return s->largest_k > s->smallest_k ? s->largest_k - s->smallest_k : 0;
}

enum status bioheat_start_rates_find(const struct bioheat_grid *grid, const struct bioheat_media *media,
                                     const struct bioheat_start_readers *readers,
                                     struct bioheat_start_rates *rates)
{
    *rates = (struct bioheat_start_rates){0};
    struct survey survey = {.grid = grid,
                            .media = media,
                            .readers = readers,
                            .ny = grid->cells[BIOHEAT_Y],
                            .nx = grid->cells[BIOHEAT_X],
                            .smallest_k = INFINITY,
                            .largest_k = -INFINITY,
                            .found = rates};
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++)
            survey.has_walls |= grid->cells[axis] > 1 && grid->faces[axis][side].kind == BIOHEAT_CONVECTIVE;
    enum status status = take_memory(&survey);
    if (status == STATUS_OK)
        status = survey_planes(&survey);
    free(survey.memory);
    rates->range_k = range_k(&survey);
    return status;
}
