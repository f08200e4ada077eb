// The serial reference of the heat model: double, plain, written from the equations of docs/bioheat.md. THE
// SPECIFICATION: the fast versions are tested against it, and it shares no arithmetic with them. Slow on
// purpose where slow is clear.
#include "models/bioheat/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING_PLANES = 3, FIRST_PLANES = 2, COLOURS = 3 };

static bool is_in_place(const struct solver *s)
{
    return s->setup.physics->method == BIOHEAT_EULER_IN_PLACE;
}

static size_t plane_cells(const struct solver *s)
{
    return s->setup.grid->cells[BIOHEAT_Y] * s->setup.grid->cells[BIOHEAT_X];
}

static double *reference_plane(const struct solver *s, const double *array, size_t z)
{
    return reference_place(array, z * plane_cells(s));
}

static enum status plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const bool has_dose = s->setup.physics->dose != BIOHEAT_DOSE_OFF;
    const bool has_second = s->setup.physics->second_dose != BIOHEAT_DOSE_OFF;
    const bool is_rkl2 = s->setup.physics->method == BIOHEAT_RKL2;
    const struct bioheat_planes planes = s->held, ring = {0, RING_PLANES + FIRST_PLANES};
    const struct {
        bool is_wanted;
        enum element element;
        struct bioheat_planes planes;
        void *pointer;
        const char *name;
    } arrays[] = {
        {true, ELEMENT_F64, planes, &s->theta, "temperature"},
        {s->setup.physics->method == BIOHEAT_EULER, ELEMENT_F64, planes, &s->theta_next, "temperature, next"},
        {is_rkl2, ELEMENT_F64, planes, &s->theta_next, "change of a stage"},
        {is_rkl2, ELEMENT_F64, planes, &s->stages[0], "temperature, a stage"},
        {is_rkl2, ELEMENT_F64, planes, &s->stages[1], "temperature, the next stage"},
        {is_rkl2, ELEMENT_F64, planes, &s->first_change, "change at the start"},
        {is_in_place(s), ELEMENT_F64, ring, &s->planes, "old planes"},
        {has_dose, ELEMENT_F64, planes, &s->dose, "dose"},
        {has_dose, ELEMENT_F64, planes, &s->dose_low, "dose, lost by rounding"},
        {has_second, ELEMENT_F64, planes, &s->second, "second dose"},
        {has_second, ELEMENT_F64, planes, &s->second_low, "second dose, lost by rounding"},
        {has_dose, ELEMENT_U8, planes, &s->has_passed, "43 degC passed"},
        {s->setup.physics->has_maximum, ELEMENT_F64, planes, &s->largest, "largest rise"},
        {s->setup.physics->has_maximum, ELEMENT_F64, planes, &s->largest_at_s, "time of the largest rise"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].is_wanted)
            CHECK(memory_plan_add_rows(plan, MEMORY_HOST, arrays[k].element, arrays[k].planes.first,
                                       arrays[k].planes.end, plane_cells(s), arrays[k].pointer,
                                       "%sreference %s", prefix, arrays[k].name));
    return STATUS_OK;
}

static enum status reference_plan(const struct bioheat_setup *setup, struct memory_plan *plan,
                                  const char *prefix, struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the reference solver");
    s->setup = *setup;
    s->own = bioheat_own(setup->grid);
    s->held = bioheat_around(setup->grid);
    if (setup->shares) {
        CHECK(exchange_begin_plan(&s->exchange, setup->ranks, setup->shares,
                                  (int64_t)setup->grid->cells[BIOHEAT_Z], BIOHEAT_REACH, 1));
        if (setup->grid->is_ring)
            exchange_close_ring(&s->exchange);
        CHECK(exchange_add(&s->exchange, &s->exchanged, plane_cells(s) * sizeof(double)));
    }
    return plan_arrays(s, plan, prefix);
}

static enum status reference_start(struct solver *s)
{
    const size_t cells = plane_cells(s);
    memset(reference_plane(s, s->theta, s->held.first), 0,
           (s->held.end - s->held.first) * cells * sizeof *s->theta);
    reference_forget_records(s);
    return STATUS_OK;
}

static void reference_get(const struct solver *s, size_t z, size_t y, size_t first, size_t count,
                          double *theta_k)
{
    const size_t cell = reference_cell(s->setup.grid, (const size_t[]){z, y, first});
    memcpy(theta_k, s->theta + cell, count * sizeof *theta_k);
}

static void reference_set(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                          const double *theta_k)
{
    const size_t cell = reference_cell(s->setup.grid, (const size_t[]){z, y, first});
    memcpy(s->theta + cell, theta_k, count * sizeof *theta_k);
}

// ---- a step

// Where the old values of plane z stand while `plane` is at work in place.
static const double *old_plane(const struct reference_view *view, size_t z)
{
    const struct solver *s = view->solver;
    const size_t cells = plane_cells(s);
    if (view->array)
        return reference_plane(s, view->array, z);
    if (z > view->plane)
        return reference_plane(s, s->theta, z);
    if (z + RING_PLANES > view->plane)
        return s->planes + z % RING_PLANES * cells;
    return s->planes + (RING_PLANES + z) * cells; // the far end of a periodic axis: 0 or 1
}

double reference_theta(const struct reference_view *view, size_t z, size_t y, size_t x)
{
    return old_plane(view, z)[y * view->solver->setup.grid->cells[BIOHEAT_X] + x];
}

static void keep_old_plane(struct solver *s, size_t z)
{
    const size_t cells = plane_cells(s), bytes = cells * sizeof *s->theta;
    memcpy(s->planes + z % RING_PLANES * cells, s->theta + z * cells, bytes);
    if (z < FIRST_PLANES)
        memcpy(s->planes + (RING_PLANES + z) * cells, s->theta + z * cells, bytes);
}

enum status reference_exchange(struct solver *s, double *theta)
{
    if (!s->setup.shares)
        return STATUS_OK;
    s->exchanged = theta;
    CHECK(exchange_begin(&s->exchange));
    return exchange_end(&s->exchange);
}

// Explicit Euler: all rates from the old values. Into the second array, or plane by plane over the first.
static enum status step_euler(struct solver *s, const double *amplitudes)
{
    const struct bioheat_grid *grid = s->setup.grid;
    const bool overwrites = is_in_place(s);
    struct reference_view view = {.solver = s, .array = overwrites ? NULL : s->theta};
    double *to = overwrites ? s->theta : s->theta_next;
    size_t at[BIOHEAT_AXES];
    CHECK(reference_exchange(s, s->theta));
    for (size_t back = overwrites && s->own.first > 0 ? BIOHEAT_REACH : 0; back > 0; back--)
        keep_old_plane(s, s->own.first - back);
    for (at[0] = s->own.first; at[0] < s->own.end; at[0]++) {
        view.plane = at[0];
        if (overwrites)
            keep_old_plane(s, at[0]);
        for (at[1] = 0; at[1] < grid->cells[1]; at[1]++)
            for (at[2] = 0; at[2] < grid->cells[2]; at[2]++) {
                const double old = reference_theta(&view, at[0], at[1], at[2]);
                double change = 0;
                if (reference_is_updated(s, at))
                    change = s->setup.physics->step_s * reference_rate(&view, at, amplitudes).k_s;
                to[reference_cell(grid, at)] = old + change;
            }
    }
    if (!overwrites) {
        s->theta_next = s->theta;
        s->theta = to;
    }
    return STATUS_OK;
}

// Gauss–Seidel by colours (x + y + z) mod 3. With θ_i itself half old and half new, as its neighbours are on
//   average: θ_i ← [θ_i (1 − ½Δt d_i) + Δt (Σ_{j≠i} a_ij θ_j + q_i)] / (1 + ½Δt d_i),
// and since Σ a_ij θ_j + q_i is the rate plus d_i θ_i, that adds Δt · rate/(1 + ½Δt d_i). Without it
// (source-three-colour): Δt · rate.
static enum status step_colour(struct solver *s, int colour, const double *amplitudes)
{
    const struct bioheat_grid *grid = s->setup.grid;
    const struct reference_view view = {.solver = s, .array = s->theta};
    const double dt = s->setup.physics->step_s;
    const bool is_plain = s->setup.physics->method == BIOHEAT_SOURCE_THREE_COLOUR;
    size_t at[BIOHEAT_AXES];
    CHECK(reference_exchange(s, s->theta));
    for (at[0] = s->own.first; at[0] < s->own.end; at[0]++)
        for (at[1] = 0; at[1] < grid->cells[1]; at[1]++)
            for (at[2] = 0; at[2] < grid->cells[2]; at[2]++) {
                if ((int)((at[0] + at[1] + at[2]) % COLOURS) != colour || !reference_is_updated(s, at))
                    continue;
                const struct reference_rate rate = reference_rate(&view, at, amplitudes);
                s->theta[reference_cell(grid, at)] +=
                    is_plain ? dt * rate.k_s : dt * rate.k_s / (1 + 0.5 * dt * rate.diagonal_per_s);
            }
    return STATUS_OK;
}

static void heat_cell(const struct solver *s, const size_t at[BIOHEAT_AXES], double q_w_m3, double *theta)
{
    const size_t cell = reference_cell(s->setup.grid, at);
    if (bioheat_has_plane(s->own, at[BIOHEAT_Z]) && reference_is_updated(s, at))
        theta[cell] += s->setup.physics->step_s * q_w_m3 / reference_medium(s, cell).heat_capacity_j_m3_k;
}

void reference_heat_places(struct solver *s, const double *amplitudes, double *theta)
{
    const struct bioheat_source *source = s->setup.source;
    const double *points = amplitudes + source->layer_count, *boxes = points + source->point_count;
    for (size_t p = 0; p < source->point_count; p++)
        if (points[p] != 0)
            heat_cell(s, source->points[p], points[p], theta);
    for (size_t b = 0; b < source->box_count; b++) {
        const struct bioheat_box *box = &source->boxes[b];
        size_t at[BIOHEAT_AXES];
        if (boxes[b] == 0)
            continue;
        for (at[0] = box->first[0]; at[0] <= box->last[0]; at[0]++)
            for (at[1] = box->first[1]; at[1] <= box->last[1]; at[1]++)
                for (at[2] = box->first[2]; at[2] <= box->last[2]; at[2]++)
                    heat_cell(s, at, boxes[b], theta);
    }
}

static void reference_divide(struct solver *s, bool is_divided)
{
    s->is_divided = is_divided && s->setup.physics->substeps > 1;
}

static enum status reference_advance(struct solver *s, int64_t first_step, int64_t count,
                                     const double *amplitudes)
{
    for (int64_t n = 0; n < count; n++, amplitudes += bioheat_terms(s->setup.source)) {
        reference_record(s, (double)(first_step + n));
        if (s->setup.physics->method == BIOHEAT_RKL2) {
            CHECK(reference_step_rkl2(s, first_step + n, amplitudes));
            continue;
        }
        if (s->setup.physics->method == BIOHEAT_EULER || is_in_place(s))
            CHECK(step_euler(s, amplitudes));
        else
            for (int colour = 0; colour < COLOURS; colour++)
                CHECK(step_colour(s, colour, amplitudes));
        reference_heat_places(s, amplitudes, s->theta);
    }
    return STATUS_OK;
}

// ---- what else a back end has

static int reference_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t cells = bioheat_cells(s->setup.grid), bytes = cells * sizeof(double);
    int count = 0;
    arrays[count++] = (struct checkpoint_array){"temperature", s->theta, bytes};
    if (s->setup.physics->dose != BIOHEAT_DOSE_OFF) {
        arrays[count++] = (struct checkpoint_array){"dose", s->dose, bytes};
        arrays[count++] = (struct checkpoint_array){"dose_low", s->dose_low, bytes};
        arrays[count++] = (struct checkpoint_array){"has_passed", s->has_passed, cells};
    }
    if (s->setup.physics->second_dose != BIOHEAT_DOSE_OFF) {
        arrays[count++] = (struct checkpoint_array){"second_dose", s->second, bytes};
        arrays[count++] = (struct checkpoint_array){"second_dose_low", s->second_low, bytes};
    }
    if (s->setup.physics->has_maximum) {
        arrays[count++] = (struct checkpoint_array){"largest", s->largest, bytes};
        arrays[count++] = (struct checkpoint_array){"largest_at", s->largest_at_s, bytes};
    }
    return count;
}

// A colour must not be its own neighbour round a periodic axis.
static bool reference_has_method(const struct bioheat_setup *setup, char *why, size_t bytes)
{
    static const char *const names[] = {"z", "y", "x"};
    const enum bioheat_method method = setup->physics->method;
    if (method != BIOHEAT_THREE_COLOUR && method != BIOHEAT_SOURCE_THREE_COLOUR)
        return true;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const size_t n = setup->grid->cells[axis];
        if (n > 1 && setup->grid->faces[axis][0].kind == BIOHEAT_PERIODIC && n % COLOURS != 0) {
            snprintf(why, bytes, "for %zu cells along %s, which is periodic: it takes a multiple of three", n,
                     names[axis]);
            return false;
        }
    }
    return true;
}

const struct bioheat_backend bioheat_backend_reference = {
    .head = {.name = "reference",
             .summary = "serial, double precision, plain: the specification",
             .checkpoint_arrays = reference_checkpoint_arrays},
    .has_method = reference_has_method,
    .plan = reference_plan,
    .start = reference_start,
    .get = reference_get,
    .set = reference_set,
    .get_records = reference_get_records,
    .set_records = reference_set_records,
    .get_second_dose = reference_get_second_dose,
    .set_second_dose = reference_set_second_dose,
    .divide = reference_divide,
    .advance = reference_advance,
};
