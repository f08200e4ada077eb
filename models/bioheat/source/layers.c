// Heat that a source gives to the two layers of cells at fixed faces, where it warms nothing: what is known
// of it before the run. The stream's part is in streamed.c.
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

enum source_place source_place_of(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES])
{
    bool is_updated = true, is_default = true;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        if (bioheat_is_updated(grid, axis, cell[axis]))
            continue;
        const struct bioheat_face *faces = grid->faces[axis];
        const bool *is_default_face = grid->is_default_face[axis];
        const bool is_low = faces[0].kind == BIOHEAT_FIXED && cell[axis] < 2,
                   is_high = faces[1].kind == BIOHEAT_FIXED && cell[axis] + 2 >= grid->cells[axis];
        is_updated = false;
        is_default &= (!is_low || is_default_face[0]) && (!is_high || is_default_face[1]);
    }
    return is_updated ? SOURCE_INSIDE : is_default ? SOURCE_IN_LAYER_BY_DEFAULT : SOURCE_IN_LAYER;
}

// ---- planes of cells

enum status source_roles_open(const struct bioheat_heating *heating, struct source_roles *roles)
{
    const size_t cells = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    roles->roles = calloc(cells, sizeof *roles->roles);
    roles->planes = malloc(3 * cells * sizeof *roles->planes);
    return roles->roles && roles->planes ? STATUS_OK
                                         : FAIL(STATUS_SYSTEM, "no memory for planes of %zu cells", cells);
}

enum status source_roles_read(const struct bioheat_heating *heating, struct source_roles *roles, size_t z)
{
    return heating->domain ? bioheat_domain_read_roles(heating->domain, z, roles->roles, roles->planes)
                           : STATUS_OK;
}

void source_roles_close(struct source_roles *roles)
{
    free(roles->roles);
    free(roles->planes);
}

// In lanes, so that one addition need not wait for the one before.
enum { LANES = 4 };

static double sum_single(const float *values, const uint8_t *codes, const double *weights, size_t count)
{
    double lanes[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += weights[codes[i + k]] * fabs((double)values[i + k]);
    for (; i < count; i++)
        lanes[0] += weights[codes[i]] * fabs((double)values[i]);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static double sum_double(const double *values, const uint8_t *codes, const double *weights, size_t count)
{
    double lanes[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += weights[codes[i + k]] * fabs(values[i + k]);
    for (; i < count; i++)
        lanes[0] += weights[codes[i]] * fabs(values[i]);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static double sum_cells(const struct source_cells *c, size_t first, size_t count)
{
    double sum = 0;
    if (c->codes && c->real == ELEMENT_F32)
        return sum_single((const float *)c->values + first, c->codes + first, c->weights, count);
    if (c->codes)
        return sum_double((const double *)c->values + first, c->codes + first, c->weights, count);
    for (size_t i = first; i < first + count; i++)
        if (!c->media || bioheat_role_in(c->media, c->real, i) == BIOHEAT_TISSUE)
            sum += fabs(element_get(c->real, c->values, i));
    return sum;
}

// The cells of a row that are not among its two first and two last lie in the same layers.
void source_add_plane(const struct bioheat_grid *grid, const struct source_cells *cells, size_t z,
                      size_t first, double sums[SOURCE_PLACES])
{
    const size_t nx = grid->cells[BIOHEAT_X];
    for (size_t y = 0; y < grid->cells[BIOHEAT_Y]; y++)
        for (size_t x = 0, end; x < nx; x = end) {
            end = x < 2 || x + 2 >= nx ? x + 1 : nx - 2;
            sums[source_place_of(grid, (size_t[]){z, y, x})] += sum_cells(cells, first + y * nx + x, end - x);
        }
}

// ---- means over the run

// An axis whose only step is the run.
static struct source_axis axis_of_run(const struct source_axis *axis, double duration_s)
{
    struct source_axis whole = *axis;
    whole.start_s = 0;
    whole.step_s = duration_s;
    return whole;
}

// Of the absolute value: of a linear table, of the straight lines between the absolute values of its times.
static double mean_factor(const struct source_time *time, double duration_s)
{
    if (time->kind == SOURCE_CONSTANT)
        return fabs(time->constant);
    if (time->kind == SOURCE_PULSES)
        return fabs(protocol_mean(&time->given, 0, duration_s));
    const struct source_axis axis = axis_of_run(&time->axis, duration_s);
    const struct source_window window = source_axis_window(&axis, 0);
    double mean = 0;
    for (size_t k = window.first; k < window.first + window.count; k++)
        mean += source_axis_weight(&axis, &window, k) * fabs(time->values[k]);
    return mean;
}

// The run: its steps, for rows that are one step's.
struct duration {
    double step_s, duration_s;
    int64_t steps;
};

// Of row k in the mean over the run.
static double row_weight(const struct source_rows *rows, const struct duration *run, size_t k)
{
    const struct source_axis axis = axis_of_run(&rows->axis, run->duration_s);
    if (axis.times_s) {
        const struct source_window window = source_axis_window(&axis, 0);
        return k >= window.first && k < window.first + window.count ? source_axis_weight(&axis, &window, k)
                                                                    : 0;
    }
    double steps = (int64_t)k < run->steps ? 1 : 0;
    if (k + 1 == axis.records && axis.after == SOURCE_HELD && run->steps > (int64_t)axis.records)
        steps += (double)(run->steps - (int64_t)axis.records);
    return steps / (double)run->steps * (axis.is_energy ? 1 / run->step_s : 1);
}

// ---- terms

static void add(struct bioheat_heating *heating, const double heat[SOURCE_PLACES], double factor)
{
    for (int place = 0; place < SOURCE_PLACES; place++)
        heating->known_j[place] += factor * heat[place];
}

static enum status add_maps(struct bioheat_heating *heating, const struct duration *run)
{
    for (int k = 0; k < heating->map_count; k++) {
        struct source_map *map = &heating->maps[k];
        double heat_w[SOURCE_PLACES];
        if (!map->pressure && !map->is_surveyed)
            CHECK(source_map_survey(heating, map));
        memcpy(heat_w, map->heat_w, sizeof heat_w);
        if (map->pressure)
            source_pressure_heat_w(map->pressure, heat_w);
        add(heating, heat_w, run->duration_s * mean_factor(map->amplitude, run->duration_s));
    }
    return STATUS_OK;
}

// How many cells of tissue each point and each box has in each place; points of a plane are a list.
struct counting {
    struct bioheat_heating *heating;
    double (*cells)[SOURCE_PLACES]; // [points], then [boxes]
    size_t *of_plane, *next;        // SIZE_MAX: none
    struct source_roles roles;
};

static void count_cell(const struct counting *c, size_t z, size_t y, size_t x, double cells[SOURCE_PLACES])
{
    const struct bioheat_grid *grid = c->heating->grid;
    if (c->roles.roles[y * grid->cells[BIOHEAT_X] + x] == BIOHEAT_TISSUE)
        cells[source_place_of(grid, (size_t[]){z, y, x})]++;
}

static void count_box(const struct counting *c, size_t z, const struct bioheat_box *box,
                      double cells[SOURCE_PLACES])
{
    for (size_t y = box->first[BIOHEAT_Y]; y <= box->last[BIOHEAT_Y]; y++)
        for (size_t x = box->first[BIOHEAT_X]; x <= box->last[BIOHEAT_X]; x++)
            count_cell(c, z, y, x, cells);
}

static bool has_plane(const struct bioheat_box *box, size_t z)
{
    return z >= box->first[BIOHEAT_Z] && z <= box->last[BIOHEAT_Z];
}

static enum status count_plane(struct counting *c, size_t z)
{
    const struct bioheat_heating *heating = c->heating;
    const size_t points = heating->points.places, boxes = heating->boxes.places;
    bool is_heated = c->of_plane[z] != SIZE_MAX;
    for (size_t k = 0; k < boxes && !is_heated; k++)
        is_heated = has_plane(&heating->box_cells[k], z);
    if (!is_heated)
        return STATUS_OK;
    CHECK(source_roles_read(heating, &c->roles, z));
    for (size_t k = c->of_plane[z]; k != SIZE_MAX; k = c->next[k])
        count_cell(c, z, heating->point_cells[k][BIOHEAT_Y], heating->point_cells[k][BIOHEAT_X], c->cells[k]);
    for (size_t k = 0; k < boxes; k++)
        if (has_plane(&heating->box_cells[k], z))
            count_box(c, z, &heating->box_cells[k], c->cells[points + k]);
    return STATUS_OK;
}

static enum status count_planes(struct counting *c)
{
    const struct bioheat_heating *heating = c->heating;
    const size_t planes = heating->grid->cells[BIOHEAT_Z], points = heating->points.places;
    for (size_t z = 0; z < planes; z++)
        c->of_plane[z] = SIZE_MAX;
    for (size_t k = 0; k < points; k++) {
        const size_t z = heating->point_cells[k][BIOHEAT_Z];
        c->next[k] = c->of_plane[z];
        c->of_plane[z] = k;
    }
    for (size_t z = 0; z < planes; z++)
        CHECK(count_plane(c, z));
    return STATUS_OK;
}

// Row by row: a file may hold more than memory does.
static enum status add_rows(struct bioheat_heating *heating, const struct source_rows *rows,
                            double (*cells)[SOURCE_PLACES], const struct duration *run)
{
    const double volume_m3 = bioheat_cell_volume_m3(heating->grid);
    double *buffer = malloc(rows->places * sizeof *buffer);
    enum status status = buffer ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory for a row", rows->where);
    for (size_t k = 0; k < rows->axis.records && status == STATUS_OK; k++) {
        const double weight = row_weight(rows, run, k);
        const double *values = rows->given ? rows->given + k * rows->places : buffer;
        if (weight == 0)
            continue;
        if (!rows->given)
            status = source_rows_read_row(rows, k, buffer);
        for (size_t p = 0; p < rows->places && status == STATUS_OK; p++)
            add(heating, cells[p], volume_m3 * run->duration_s * weight * fabs(values[p]));
    }
    free(buffer);
    return status;
}

static enum status add_places(struct counting *c, const struct duration *run)
{
    struct bioheat_heating *heating = c->heating;
    const size_t points = heating->points.places;
    CHECK(count_planes(c));
    if (points > 0)
        CHECK(add_rows(heating, &heating->points, c->cells, run));
    return heating->boxes.places > 0 ? add_rows(heating, &heating->boxes, c->cells + points, run) : STATUS_OK;
}

static enum status find_places(struct bioheat_heating *heating, const struct duration *run)
{
    const size_t places = heating->points.places + heating->boxes.places;
    struct counting c = {.heating = heating};
    if (places == 0)
        return STATUS_OK;
    c.cells = calloc(places, sizeof *c.cells);
    c.of_plane = malloc(heating->grid->cells[BIOHEAT_Z] * sizeof *c.of_plane);
    c.next = malloc(places * sizeof *c.next);
    enum status status = source_roles_open(heating, &c.roles);
    if (status == STATUS_OK)
        status = c.cells && c.of_plane && c.next
                     ? add_places(&c, run)
                     : FAIL(STATUS_SYSTEM, "no memory for the cells of %zu points and boxes", places);
    source_roles_close(&c.roles);
    free(c.cells);
    free(c.of_plane);
    free(c.next);
    return status;
}

enum status bioheat_heating_find_layers(struct bioheat_heating *heating, double step_s, int64_t steps)
{
    const struct duration run = {step_s, (double)steps * step_s, steps};
    memset(heating->known_j, 0, sizeof heating->known_j);
    if (!source_has_fixed_faces(heating->grid))
        return STATUS_OK;
    CHECK(add_maps(heating, &run));
    return find_places(heating, &run);
}

struct bioheat_layers bioheat_heating_layers(const struct bioheat_heating *heating)
{
    double heat_j[SOURCE_PLACES], all_j = 0;
    if (bioheat_heating_streams_into_layers(heating) && !heating->has_streamed)
        return (struct bioheat_layers){NAN, NAN};
    for (int place = 0; place < SOURCE_PLACES; place++) {
        heat_j[place] = heating->known_j[place] + heating->streamed_j[place];
        all_j += heat_j[place];
    }
    const double by_default_j = heat_j[SOURCE_IN_LAYER_BY_DEFAULT];
    return all_j > 0 ? (struct bioheat_layers){(heat_j[SOURCE_IN_LAYER] + by_default_j) / all_j,
                                               by_default_j / all_j}
                     : (struct bioheat_layers){0, 0};
}
