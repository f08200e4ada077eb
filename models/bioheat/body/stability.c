// The longest stable step: see stability.h. Written from the scheme's fluxes, not from the solvers' code.
#include "models/bioheat/body/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Five planes at a time: a cell's own, and two on either side.
enum { PLANES = 5, REACH = 2 };

struct survey {
    const struct bioheat_grid *grid;
    const struct bioheat_media *media;
    bioheat_read_plane *read;
    void *context;
    size_t ny, nx;
    struct bioheat_plane planes[PLANES];
    bool is_in_domain[PLANES];
    uint8_t *is_plain;              // of a row: the cell and all within REACH along the axes have one label
    bool is_judged[BIOHEAT_LABELS]; // a plain cell of that label: all have the same rate
    double most[BIOHEAT_LABELS];    // no cell of that label has a larger rate, whatever lies beside it
    void *memory;
    double largest; // rate, 1/s
    struct bioheat_limit *limit;
};

// ---- fluxes

// A face's flux is −(1/Δ) Σ c_j T_j over its four cells. Its share of a cell's row is S/Δ², S = Σ |c_j|
// (W/m/K).

static double harmonic(double a, double b)
{
    return a > 0 && b > 0 ? 2 * a * b / (a + b) : 0;
}

// The 4-point flux of varying conductivity (docs/bioheat.md), its coefficients from the four cells' own.
static double smooth_sum(const double k[4])
{
    const double mean = (-k[0] + 9 * k[1] + 9 * k[2] - k[3]) / 16;
    const double a = 0.5 * (k[1] + k[2]), b = k[2] - k[1], c = 0.5 * (k[0] - k[1] - k[2] + k[3]);
    return (fabs(mean + a - b) + fabs(-27 * mean - 3 * a + b + c) + fabs(27 * mean + 3 * a + b - c) +
            fabs(-mean - a - b)) /
           24;
}

// `k`: of the cells −1, 0 | 1, 2; is_in_domain: those beyond the domain are not.
static double fields_sum(const struct survey *s, const double k[4], bool has_all)
{
    double smallest = k[1], largest = k[1];
    for (int j = 0; j < 4 && has_all; j++) {
        smallest = fmin(smallest, k[j]);
        largest = fmax(largest, k[j]);
    }
    return has_all && smallest > 0 && largest <= s->media->contrast_limit * smallest
               ? smooth_sum(k)
               : 2 * harmonic(k[1], k[2]);
}

// Of a face between two labels by parabolas (docs/bioheat.md); their arms' eighths count twice.
static double quadratic_sum(double k0, double k1, bool low_has_two, bool high_has_two)
{
    const double low = (low_has_two ? 8.0 / 3 : 2) * k0, high = (high_has_two ? 8.0 / 3 : 2) * k1;
    const double arms = 0.25 * (low_has_two + high_has_two);
    return low > 0 && high > 0 ? low * high / (low + high) * (2 + arms) : 0;
}

static double labels_sum(const struct survey *s, const int label[4], bool has_all)
{
    const struct bioheat_medium *a = &s->media->table[label[1]], *b = &s->media->table[label[2]];
    if (a->role == BIOHEAT_VOID || b->role == BIOHEAT_VOID)
        return 0;
    if (has_all && label[0] == label[1] && label[1] == label[2] && label[2] == label[3])
        return 32.0 / 12 * a->conductivity_w_m_k; // 1 + 15 + 15 + 1
    if (s->media->interfaces == BIOHEAT_QUADRATIC && label[1] != label[2])
        return quadratic_sum(a->conductivity_w_m_k, b->conductivity_w_m_k, label[0] == label[1],
                             label[2] == label[3]);
    return 2 * harmonic(a->conductivity_w_m_k, b->conductivity_w_m_k);
}

// The cell that stands for `index` of an axis, also beyond its ends; false without one.
static bool place(const struct bioheat_grid *grid, int axis, ptrdiff_t index, size_t *at)
{
    const ptrdiff_t n = (ptrdiff_t)grid->cells[axis];
    const int side = index < 0 ? 0 : 1;
    *at = 0;
    if (index < 0 || index >= n)
        switch (grid->faces[axis][side].kind) {
        case BIOHEAT_PERIODIC:
            index = ((index % n) + n) % n;
            break;
        case BIOHEAT_INSULATED:
            index = side == 0 ? -1 - index : 2 * n - 1 - index;
            break;
        case BIOHEAT_FIXED:
        case BIOHEAT_CONVECTIVE:
            return false;
        }
    *at = index < 0 ? 0 : (size_t)index;
    return index >= 0 && index < n;
}

static double conductivity_at(const struct survey *s, const struct bioheat_plane *plane, size_t i)
{
    if (!s->media->has_labels)
        return plane->conductivity[i];
    const struct bioheat_medium *medium = &s->media->table[plane->labels[i]];
    return medium->role == BIOHEAT_VOID ? 0 : medium->conductivity_w_m_k;
}

// S of the face whose four cells are at[j] in planes[j]; is_in_domain[1] and [2] hold.
static double face_sum(const struct survey *s, const struct bioheat_plane *const planes[4],
                       const size_t at[4], const bool is_in_domain[4])
{
    const bool has_all = is_in_domain[0] && is_in_domain[3];
    if (s->media->has_labels) {
        int label[4];
        for (int j = 0; j < 4; j++)
            label[j] = is_in_domain[j] ? planes[j]->labels[at[j]] : -1;
        return labels_sum(s, label, has_all);
    }
    double k[4];
    for (int j = 0; j < 4; j++)
        k[j] = is_in_domain[j] ? planes[j]->conductivity[at[j]] : NAN;
    return fields_sum(s, k, has_all);
}

// S of a face of the domain: Δ times the transfer coefficient, half a cell in series. Cells at fixed faces
// are not updated.
static double wall_sum(const struct survey *s, int axis, int side, double conductivity)
{
    const struct bioheat_face *face = &s->grid->faces[axis][side];
    if (face->kind != BIOHEAT_CONVECTIVE || !(conductivity > 0))
        return 0;
    const double spacing = s->grid->spacing_m[axis];
    return spacing / (1 / face->transfer_w_m2_k + spacing / (2 * conductivity));
}

// S of the face between cells `index` − 1 and `index` of an axis within a plane.
static double inner_sum(const struct survey *s, const struct bioheat_plane *plane, int axis, size_t index,
                        size_t base, size_t stride)
{
    const size_t n = s->grid->cells[axis];
    const bool is_wall = index == 0 || index == n;
    if (n == 1)
        return 0;
    if (is_wall && s->grid->faces[axis][index != 0].kind != BIOHEAT_PERIODIC)
        return wall_sum(s, axis, index != 0, conductivity_at(s, plane, base + (index ? n - 1 : 0) * stride));
    const struct bioheat_plane *const planes[4] = {plane, plane, plane, plane};
    size_t at[4] = {0};
    bool is_in_domain[4];
    for (int j = 0; j < 4; j++) {
        is_in_domain[j] = place(s->grid, axis, (ptrdiff_t)index - 2 + j, &at[j]);
        at[j] = base + at[j] * stride;
    }
    return face_sum(s, planes, at, is_in_domain);
}

// Plane number p of the domain, from −2 to nz + 1, is in slot (p + 2) % PLANES.
static int slot_of(ptrdiff_t p)
{
    return (int)((p + REACH) % PLANES);
}

// S of the face between planes z − 1 and z, at cell i of them.
static double across_sum(const struct survey *s, ptrdiff_t z, size_t i)
{
    const ptrdiff_t nz = (ptrdiff_t)s->grid->cells[BIOHEAT_Z];
    if ((z == 0 || z == nz) && s->grid->faces[BIOHEAT_Z][z != 0].kind != BIOHEAT_PERIODIC)
        return wall_sum(s, BIOHEAT_Z, z != 0, conductivity_at(s, &s->planes[slot_of(z ? nz - 1 : 0)], i));
    const struct bioheat_plane *planes[4];
    bool is_in_domain[4];
    for (int j = 0; j < 4; j++) {
        planes[j] = &s->planes[slot_of(z - 2 + j)];
        is_in_domain[j] = s->is_in_domain[slot_of(z - 2 + j)];
    }
    return face_sum(s, planes, (const size_t[]){i, i, i, i}, is_in_domain);
}

// ---- rows

struct bioheat_medium bioheat_plane_medium(const struct bioheat_media *media,
                                           const struct bioheat_plane *plane, size_t i)
{
    if (media->has_labels)
        return media->table[plane->labels[i]];
    return (struct bioheat_medium){.role = !(plane->conductivity[i] > 0)    ? BIOHEAT_VOID
                                           : isinf(plane->heat_capacity[i]) ? BIOHEAT_HELD
                                                                            : BIOHEAT_TISSUE,
                                   .conductivity_w_m_k = plane->conductivity[i],
                                   .heat_capacity_j_m3_k = plane->heat_capacity[i],
                                   .perfusion_w_m3_k = plane->perfusion ? plane->perfusion[i] : 0};
}

// The velocity's share of a row (W/m³/K), and the speed.
static double carried(const struct survey *s, const struct bioheat_plane *plane, size_t i, double *speed_m_s)
{
    double sum = 0, square = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double v =
            plane->velocity_m_s[axis] && s->grid->cells[axis] > 1 ? plane->velocity_m_s[axis][i] : 0;
        sum += 2 * fabs(v) / s->grid->spacing_m[axis];
        square += v * v;
    }
    *speed_m_s = sqrt(square);
    return s->media->blood_heat_capacity_j_m3_k * sum;
}

static void note_heat_capacity(struct survey *s, double heat_capacity_j_m3_k)
{
    if (heat_capacity_j_m3_k < s->limit->least_heat_capacity_j_m3_k)
        s->limit->least_heat_capacity_j_m3_k = heat_capacity_j_m3_k;
}

static void judge_cell(struct survey *s, const struct bioheat_plane *plane, const size_t cell[BIOHEAT_AXES])
{
    const size_t row = cell[BIOHEAT_Y] * s->nx, i = row + cell[BIOHEAT_X];
    const struct bioheat_medium medium = bioheat_plane_medium(s->media, plane, i);
    if (medium.role != BIOHEAT_TISSUE || bioheat_is_in_layer(s->grid, cell))
        return;
    note_heat_capacity(s, medium.heat_capacity_j_m3_k);
    double sums[BIOHEAT_AXES] = {0};
    if (s->grid->cells[BIOHEAT_Z] > 1)
        sums[BIOHEAT_Z] =
            across_sum(s, (ptrdiff_t)cell[BIOHEAT_Z], i) + across_sum(s, (ptrdiff_t)cell[BIOHEAT_Z] + 1, i);
    sums[BIOHEAT_Y] = inner_sum(s, plane, BIOHEAT_Y, cell[BIOHEAT_Y], cell[BIOHEAT_X], s->nx) +
                      inner_sum(s, plane, BIOHEAT_Y, cell[BIOHEAT_Y] + 1, cell[BIOHEAT_X], s->nx);
    sums[BIOHEAT_X] = inner_sum(s, plane, BIOHEAT_X, cell[BIOHEAT_X], row, 1) +
                      inner_sum(s, plane, BIOHEAT_X, cell[BIOHEAT_X] + 1, row, 1);
    double speed_m_s, rate = medium.perfusion_w_m3_k + carried(s, plane, i, &speed_m_s);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        rate += sums[axis] / (s->grid->spacing_m[axis] * s->grid->spacing_m[axis]);
    rate /= medium.heat_capacity_j_m3_k;
    if (s->media->has_labels && s->is_plain[cell[BIOHEAT_X]])
        s->is_judged[plane->labels[i]] = true;
    if (!(rate > s->largest))
        return;
    s->largest = rate;
    memcpy(s->limit->cell, cell, sizeof s->limit->cell);
    s->limit->label = s->media->has_labels ? plane->labels[i] : -1;
    s->limit->conductivity_w_m_k = medium.conductivity_w_m_k;
    s->limit->heat_capacity_j_m3_k = medium.heat_capacity_j_m3_k;
    s->limit->perfusion_w_m3_k = medium.perfusion_w_m3_k;
    s->limit->speed_m_s = speed_m_s;
}

// ---- planes

static bool has_flow(const struct survey *s)
{
    const void *const *const *velocity = s->media->velocity_m_s;
    return velocity[0] || velocity[1] || velocity[2];
}

static void compare_row(uint8_t *is_plain, const uint8_t *row, const uint8_t *other, size_t count)
{
    for (size_t x = 0; x < count; x++)
        is_plain[x] &= row[x] == other[x];
}

// Most cells of a body lie within one tissue: found by comparing rows, and judged once for each label.
static void find_plain(struct survey *s, ptrdiff_t z, size_t y)
{
    const size_t nx = s->nx, nz = s->grid->cells[BIOHEAT_Z];
    const uint8_t *row = s->planes[slot_of(z)].labels + y * nx;
    const bool is_inside = y >= REACH && y + REACH < s->ny && nx > 2 * REACH &&
                           (nz == 1 || (z >= REACH && z + REACH < (ptrdiff_t)nz));
    memset(s->is_plain, 0, nx);
    if (!is_inside || has_flow(s))
        return;
    memset(s->is_plain + REACH, 1, nx - 2 * REACH);
    for (int d = 1; d <= REACH; d++) {
        compare_row(s->is_plain + REACH, row + REACH, row + REACH - d, nx - 2 * REACH);
        compare_row(s->is_plain + REACH, row + REACH, row + REACH + d, nx - 2 * REACH);
        compare_row(s->is_plain, row, row - (size_t)d * nx, nx);
        compare_row(s->is_plain, row, row + (size_t)d * nx, nx);
        if (nz > 1) {
            compare_row(s->is_plain, row, s->planes[slot_of(z - d)].labels + y * nx, nx);
            compare_row(s->is_plain, row, s->planes[slot_of(z + d)].labels + y * nx, nx);
        }
    }
}

// Bound of each label: every face next to its worst neighbour.
static void bound_labels(struct survey *s)
{
    const double between = s->media->interfaces == BIOHEAT_QUADRATIC ? 10.0 / 3 : 2; // largest quadratic_sum
    for (int a = 0; a < BIOHEAT_LABELS && s->media->has_labels; a++) {
        const struct bioheat_medium *medium = &s->media->table[a];
        double sum = 32.0 / 12 * medium->conductivity_w_m_k, rate = medium->perfusion_w_m3_k;
        for (int b = 0; b < BIOHEAT_LABELS; b++)
            sum = fmax(sum,
                       between * harmonic(medium->conductivity_w_m_k, s->media->table[b].conductivity_w_m_k));
        for (int axis = 0; axis < BIOHEAT_AXES; axis++)
            rate += 2 * sum / (s->grid->spacing_m[axis] * s->grid->spacing_m[axis]);
        s->most[a] = has_flow(s)                      ? INFINITY
                     : medium->role == BIOHEAT_TISSUE ? rate / medium->heat_capacity_j_m3_k
                                                      : 0;
    }
}

// Whether a cell cannot raise the largest rate.
static bool is_known(const struct survey *s, uint8_t label, size_t x)
{
    return s->most[label] <= s->largest || (s->is_plain[x] && s->is_judged[label]);
}

static void judge_plane(struct survey *s, ptrdiff_t z)
{
    const struct bioheat_plane *plane = &s->planes[slot_of(z)];
    for (size_t y = 0; y < s->ny; y++) {
        if (s->media->has_labels)
            find_plain(s, z, y);
        for (size_t x = 0; x < s->nx; x++)
            if (!s->media->has_labels || !is_known(s, plane->labels[y * s->nx + x], x))
                judge_cell(s, plane, (const size_t[]){(size_t)z, y, x});
    }
}

static enum status survey_planes(struct survey *s)
{
    const ptrdiff_t nz = (ptrdiff_t)s->grid->cells[BIOHEAT_Z], reach = nz > 1 ? REACH : 0;
    for (ptrdiff_t p = -reach; p < nz + reach; p++) {
        size_t z;
        s->is_in_domain[slot_of(p)] = place(s->grid, BIOHEAT_Z, p, &z);
        if (s->is_in_domain[slot_of(p)])
            CHECK(s->read(s->context, z, &s->planes[slot_of(p)]));
        if (p >= reach && p - reach < nz)
            judge_plane(s, p - reach);
    }
    return STATUS_OK;
}

static enum status take_memory(struct survey *s)
{
    const struct bioheat_media *media = s->media;
    const size_t cells = s->ny * s->nx;
    int velocities = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        velocities += media->velocity_m_s[axis] != NULL;
    const size_t arrays = (size_t)(velocities + (media->has_labels ? 0 : media->perfusion ? 3 : 2));
    double *next = s->memory = calloc(cells, PLANES * arrays * sizeof(double) + PLANES + 1);
    if (!next)
        return FAIL(STATUS_SYSTEM, "no memory for planes of %zu x %zu cells", s->ny, s->nx);
    for (int p = 0; p < PLANES; p++) {
        double **const places[] = {
            media->has_labels ? NULL : &s->planes[p].conductivity,
            media->has_labels ? NULL : &s->planes[p].heat_capacity,
            media->has_labels || !media->perfusion ? NULL : &s->planes[p].perfusion,
            media->velocity_m_s[0] ? &s->planes[p].velocity_m_s[0] : NULL,
            media->velocity_m_s[1] ? &s->planes[p].velocity_m_s[1] : NULL,
            media->velocity_m_s[2] ? &s->planes[p].velocity_m_s[2] : NULL,
        };
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (places[k]) {
                *places[k] = next;
                next += cells;
            }
    }
    s->is_plain = (uint8_t *)next + PLANES * cells;
    for (int p = 0; p < PLANES && media->has_labels; p++)
        s->planes[p].labels = (uint8_t *)next + (size_t)p * cells;
    return STATUS_OK;
}

enum status bioheat_step_limit(const struct bioheat_grid *grid, const struct bioheat_media *media,
                               bioheat_read_plane *read, void *context, struct bioheat_limit *limit)
{
    *limit = (struct bioheat_limit){.step_s = INFINITY, .label = -1, .least_heat_capacity_j_m3_k = INFINITY};
    struct survey survey = {.grid = grid,
                            .media = media,
                            .read = read,
                            .context = context,
                            .ny = grid->cells[BIOHEAT_Y],
                            .nx = grid->cells[BIOHEAT_X],
                            .limit = limit};
    enum status status = take_memory(&survey);
    if (status == STATUS_OK) {
        bound_labels(&survey);
        status = survey_planes(&survey);
    }
    free(survey.memory);
    if (survey.largest > 0)
        limit->step_s = 2 / survey.largest;
    return status;
}

// ---- the step

double bioheat_uniform_limit_s(const struct bioheat_grid *grid, const struct bioheat_medium *medium)
{
    double rate = medium->perfusion_w_m3_k;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (grid->cells[axis] > 1)
            rate += 16.0 / 3 * medium->conductivity_w_m_k / (grid->spacing_m[axis] * grid->spacing_m[axis]);
    return rate > 0 ? 2 * medium->heat_capacity_j_m3_k / rate : INFINITY;
}
