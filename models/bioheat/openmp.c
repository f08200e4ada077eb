// The fast CPU version of the heat model: vectorised rows, threads over rows, several steps at a time through
// planes in the cache, groups of cells of one tissue by constants. This file: the plan, the start, and access
// to the state. Knows no files.
#include "models/bioheat/openmp_solver.h"

#include "models/bioheat/results.h"
#include "models/isa.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct heat_functions *choose_functions(void)
{
    return ISA_TABLE(heat_functions);
}

static const char *openmp_instruction_set(void)
{
    return choose_functions()->instruction_set;
}

// ---- plan

static void set_view(struct solver *s)
{
    const struct bioheat_grid *grid = s->setup.grid;
    struct heat_view *view = &s->view;
    const size_t n = grid->cells[BIOHEAT_X];
    *view = (struct heat_view){.nx = n,
                               .last = n,
                               .step_s = s->setup.physics->step_s,
                               .arterial_theta_k = s->setup.media->arterial_theta_k,
                               .contrast_limit = s->setup.media->contrast_limit,
                               .mode = s->setup.physics->method == BIOHEAT_THREE_COLOUR ? HEAT_IMPLICIT
                                       : s->has_colours || s->is_rkl2                   ? HEAT_CHANGE
                                                                                        : HEAT_NEXT,
                               .is_quadratic = s->setup.media->interfaces == BIOHEAT_QUADRATIC,
                               .is_periodic_x = grid->faces[BIOHEAT_X][0].kind == BIOHEAT_PERIODIC || n == 1};
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        view->scale[axis] = grid->cells[axis] > 1 ? 1 / (grid->spacing_m[axis] * grid->spacing_m[axis]) : 0;
    for (int k = 0; k < HEAT_ENDS; k++) {
        bool is_missing;
        s->end_to[k] = k < 2 ? k - 2 : (ptrdiff_t)n + k - 2;
        s->end_from[k] = (ptrdiff_t)heat_map(grid, BIOHEAT_X, s->end_to[k], &is_missing);
    }
    s->has_extras = s->has_velocity || s->setup.source->layer_count > 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++)
            s->has_extras = s->has_extras || grid->faces[axis][side].kind == BIOHEAT_CONVECTIVE;
    while (view->first < n && !bioheat_is_updated(grid, BIOHEAT_X, view->first))
        view->first++;
    while (view->last > view->first && !bioheat_is_updated(grid, BIOHEAT_X, view->last - 1))
        view->last--;
}

// Bytes of a row that a step reads and writes.
static double row_bytes(const struct solver *s)
{
    const struct bioheat_media *media = s->setup.media;
    const double real = (double)s->element;
    double cell = (s->states + s->is_rkl2) * real;
    cell += media->has_labels ? 1 : 2 * real + (media->perfusion ? real : 0);
    cell += s->setup.physics->dose != BIOHEAT_DOSE_OFF ? real : 0;
    cell += s->setup.physics->second_dose != BIOHEAT_DOSE_OFF ? real : 0;
    cell += s->setup.physics->has_maximum ? 2 * real : 0;
    cell += s->setup.source->layer_count * real;
    return cell * (double)s->pitch;
}

static double cache_bytes(int name, double usual)
{
    const long reported = sysconf(name);
    return reported > 0 ? (double)reported : usual;
}

// Caches may differ between hosts; the exchanges of all ranks must not.
static enum status agree_on_depth(struct solver *s)
{
    int64_t least = -s->depth;
    if (s->is_shared)
        CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, &least, 1));
    s->depth = (int)-least;
    return STATUS_OK;
}

// Deeper than one pass only where the planes that are computed twice, two a pass and side, cost little.
static size_t openmp_halo(const struct bioheat_setup *setup, size_t planes)
{
    const enum bioheat_method method = setup->physics->method;
    if (setup->grid->is_ring) // an exchange before each pass
        return BIOHEAT_REACH;
    const size_t reach = method == BIOHEAT_THREE_COLOUR || method == BIOHEAT_SOURCE_THREE_COLOUR
                             ? 3 * BIOHEAT_REACH
                             : BIOHEAT_REACH;
    const char *wanted = getenv("FATHOM_HEAT_DEPTH"); // for tests
    const size_t most = wanted ? (size_t)atoi(wanted) : 1 + planes / 20, fitting = planes / reach;
    size_t depth = most < HEAT_DEPTH_MAX ? most : HEAT_DEPTH_MAX;
    depth = depth < fitting ? depth : fitting;
    return reach * (depth > 1 ? depth : 1);
}

// How many steps (rkl2: stages) follow each other through the planes: as many as fit half of the last-level
// cache (all planes) or 0.6 of a core's own (a strip's planes). A periodic axis has no first plane, or strip,
// to begin with.
static enum status choose_order(struct solver *s)
{
    const struct bioheat_grid *grid = s->setup.grid;
    const int stages = s->has_colours ? 3 + s->has_sparse_source : 1;
    const double row = row_bytes(s), plane = row * (double)s->ny,
                 planes = (double)(s->own.end - s->own.first);
    const double rings = s->is_in_place ? HEAT_RING * (double)(s->ny * s->pitch * s->element) : 0;
    const double own = 0.6 * cache_bytes(_SC_LEVEL2_CACHE_SIZE, 512e3);
    const double last = 0.5 * cache_bytes(_SC_LEVEL3_CACHE_SIZE, 16e6);
    const char *wanted = getenv("FATHOM_HEAT_DEPTH"); // for tests
    double depth = 1;
    s->order = HEAT_SINGLY;
    s->strip_rows = HEAT_ROWS;
    if (s->nz > 1 && grid->faces[BIOHEAT_Z][0].kind != BIOHEAT_PERIODIC) {
        const bool has_strips = !s->is_in_place && grid->faces[BIOHEAT_Y][0].kind != BIOHEAT_PERIODIC;
        s->order = has_strips ? HEAT_STRIPS : HEAT_TOGETHER;
        depth = has_strips ? (own / (HEAT_ROWS * row) - 4) / (HEAT_LAG * stages)
                           : (last - 2 * plane) / (HEAT_LAG * stages * plane + rings);
        if (!wanted && planes * plane < own)
            s->order = HEAT_SINGLY;
    }
    depth = wanted ? atof(wanted) : depth;
    depth = fmin(fmin(depth, s->is_rkl2 ? HEAT_DEPTH_MAX : s->setup.batch_steps), HEAT_DEPTH_MAX);
    if (s->is_shared)
        depth = fmin(depth, (double)(s->setup.halo / (size_t)(BIOHEAT_REACH * heat_passes(s))));
    s->depth = depth > 1 && !(s->is_in_place && s->order == HEAT_SINGLY) ? (int)depth : 1;
    CHECK(agree_on_depth(s));
    if (s->depth == 1 && !(s->has_colours && s->order == HEAT_STRIPS && !wanted))
        s->order = HEAT_SINGLY;
    s->strip_count = s->ny / s->strip_rows + (size_t)(HEAT_LAG * stages * s->depth) / s->strip_rows + 2;
    return STATUS_OK;
}

// The exchange of the state alone, before each of the passes of a step.
static enum status plan_state_exchange(struct solver *s, int depth, int passes)
{
    CHECK(exchange_add(&s->exchange, &s->exchanged, s->ny * s->pitch * s->element));
    s->setup.ranks->planned_step_bytes = exchange_message_bytes(&s->exchange) * passes / depth;
    return STATUS_OK;
}

// The planes beside its own that a rank must hold.
static enum status plan_exchange(struct solver *s)
{
    const size_t plane_bytes = s->ny * s->pitch * s->element;
    const int stages = s->setup.physics->stages;
    if (!s->is_shared)
        return STATUS_OK;
    CHECK(exchange_begin_plan(&s->exchange, s->setup.ranks, s->setup.shares, (int64_t)s->nz, BIOHEAT_REACH,
                              s->is_ring ? 1 : s->depth * heat_passes(s)));
    if (s->is_ring) {
        exchange_close_ring(&s->exchange);
        return plan_state_exchange(s, 1, s->is_rkl2 ? stages : heat_passes(s));
    }
    if (!s->is_rkl2)
        return plan_state_exchange(s, s->depth, 1);
    // A pass may begin within a step, which has its start and the stages so far.
    for (int k = 0; k < s->states; k++)
        CHECK(exchange_add(&s->exchange, &s->theta[k], plane_bytes));
    CHECK(exchange_add(&s->exchange, &s->first_change, plane_bytes));
    s->setup.ranks->planned_step_bytes = exchange_message_bytes(&s->exchange) * stages / s->depth;
    return STATUS_OK;
}

static enum status plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const struct bioheat_source *source = s->setup.source;
    const enum element real = s->setup.precision;
    const bool has_dose = physics->dose != BIOHEAT_DOSE_OFF, has_points = source->point_count > 0,
               has_second = physics->second_dose != BIOHEAT_DOSE_OFF;
    const size_t rows = s->nz * s->ny, first = s->held.first * s->ny, end = s->held.end * s->ny,
                 scratch_rows = (size_t)s->threads * HEAT_SCRATCH_ROWS + 1;
    const size_t old_planes =
        (size_t)s->depth * HEAT_RING + (s->order == HEAT_SINGLY ? (size_t)HEAT_FIRST_PLANES : 0);
    const struct {
        bool is_wanted;
        enum element element;
        size_t first, end, columns; // rows: one more where elements beyond the last row's end are read
        void *pointer;
        const char *name;
    } arrays[] = {
        {true, real, first, end + 1, s->pitch, &s->theta[0], "temperature"},
        {s->states > 1, real, first, end + 1, s->pitch, &s->theta[1], "temperature, next"},
        {s->states > 2, real, first, end + 1, s->pitch, &s->theta[2], "temperature, a stage"},
        {s->is_rkl2, real, first, end, s->pitch, &s->first_change, "change at the start of a step"},
        {s->is_in_place, real, 0, old_planes * s->ny + 1, s->pitch, &s->ring, "old planes"},
        {has_dose, real, first, end, s->pitch, &s->block, "dose of the last steps"},
        {has_dose, ELEMENT_F64, first, end, s->pitch, &s->total, "dose"},
        {has_second, real, first, end, s->pitch, &s->second_block, "second dose of the last steps"},
        {has_second, ELEMENT_F64, first, end, s->pitch, &s->second_total, "second dose"},
        {physics->has_maximum, real, first, end, s->pitch, &s->largest, "largest rise"},
        {physics->has_maximum, real, first, end, s->pitch, &s->largest_at, "time of the largest rise"},
        {true, real, 0, scratch_rows, s->pitch, &s->scratch, "scratch"},
        {true, ELEMENT_I32, 0, 1, s->strip_count, &s->progress, "progress of strips"},
        {has_points, ELEMENT_I32, 0, 1, source->point_count, &s->points, "points by row"},
        {has_points, ELEMENT_I32, 0, 1, rows + 1, &s->point_heads, "first point of a row"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k].is_wanted)
            CHECK(memory_plan_add_rows(plan, MEMORY_HOST, arrays[k].element, arrays[k].first, arrays[k].end,
                                       arrays[k].columns, arrays[k].pointer, "%s%s", prefix, arrays[k].name));
    return STATUS_OK;
}

static enum status openmp_plan(const struct bioheat_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    const enum bioheat_method method = setup->physics->method;
    s->setup = *setup;
    s->functions = choose_functions();
    s->kind = setup->precision == ELEMENT_F32 ? 0 : 1;
    s->element = element_bytes(setup->precision);
    s->nz = setup->grid->cells[BIOHEAT_Z];
    s->ny = setup->grid->cells[BIOHEAT_Y];
    s->own = bioheat_own(setup->grid);
    s->held = bioheat_around(setup->grid);
    s->is_shared = setup->shares != NULL;
    s->is_ring = setup->grid->is_ring;
    s->groups = (setup->grid->cells[BIOHEAT_X] + HEAT_GROUP - 1) / HEAT_GROUP;
    // Rows of a multiple of 4096 bytes would fall on the same cache sets.
    s->pitch = (setup->grid->cells[BIOHEAT_X] + 2 + HEAT_GROUP - 1) / HEAT_GROUP * HEAT_GROUP + HEAT_PAD;
    s->pitch += s->pitch * s->element % 4096 == 0 ? HEAT_PAD : 0;
    s->threads = omp_get_max_threads();
    s->is_in_place = method == BIOHEAT_EULER_IN_PLACE;
    s->has_colours = method == BIOHEAT_THREE_COLOUR || method == BIOHEAT_SOURCE_THREE_COLOUR;
    s->is_rkl2 = method == BIOHEAT_RKL2;
    s->states = s->is_rkl2 ? 3 : method == BIOHEAT_EULER ? 2 : 1;
    const struct bioheat_physics *physics = setup->physics;
    for (int j = 1; s->is_rkl2 && j <= physics->stages; j++)
        s->rkl2[0][j] = bioheat_rkl2_stage(physics->stages, j);
    for (int j = 1; s->is_rkl2 && physics->substeps > 1 && j <= physics->substep_stages; j++)
        s->rkl2[1][j] = bioheat_rkl2_stage_of_part(physics->substep_stages, physics->substeps, j);
    s->has_sparse_source = setup->source->point_count + setup->source->box_count > 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        s->has_velocity = s->has_velocity || setup->media->velocity_m_s[axis];
    set_view(s);
    CHECK(choose_order(s));
    CHECK(plan_exchange(s));
    CHECK(plan_arrays(s, plan, prefix));
    return heat_media_plan(s, plan, prefix);
}

// ---- start

static void sort_points(struct solver *s)
{
    const struct bioheat_source *source = s->setup.source;
    const size_t rows = s->nz * s->ny;
    if (source->point_count == 0)
        return;
    memset(s->point_heads, 0, (rows + 1) * sizeof *s->point_heads);
    for (size_t k = 0; k < source->point_count; k++)
        s->point_heads[source->points[k][BIOHEAT_Z] * s->ny + source->points[k][BIOHEAT_Y] + 1]++;
    for (size_t row = 0; row < rows; row++)
        s->point_heads[row + 1] += s->point_heads[row];
    // Each head advances over its own points to the next head; memmove restores them.
    for (size_t k = 0; k < source->point_count; k++) {
        const size_t row = source->points[k][BIOHEAT_Z] * s->ny + source->points[k][BIOHEAT_Y];
        s->points[s->point_heads[row]++] = (int32_t)k;
    }
    memmove(s->point_heads + 1, s->point_heads, rows * sizeof *s->point_heads);
    s->point_heads[0] = 0;
}

static void clear_plane(void *context, size_t item)
{
    struct solver *s = context;
    const size_t z = s->held.first + item;
    const size_t from = z * s->ny * s->pitch, count = s->ny * s->pitch;
    for (int k = 0; k < s->states; k++)
        memset((char *)s->theta[k] + from * s->element, 0, count * s->element);
    if (s->is_rkl2)
        memset((char *)s->first_change + from * s->element, 0, count * s->element);
    if (s->block) {
        memset((char *)s->block + from * s->element, 0, count * s->element);
        memset(s->total + from, 0, count * sizeof *s->total);
    }
    if (s->second_block) {
        memset((char *)s->second_block + from * s->element, 0, count * s->element);
        memset(s->second_total + from, 0, count * sizeof *s->second_total);
    }
    for (size_t k = from; s->largest && k < from + count; k++) {
        heat_store(s, s->largest, k, (double)-INFINITY);
        heat_store(s, s->largest_at, k, NAN);
    }
}

static enum status openmp_start(struct solver *s)
{
    team_for(s->threads, s->held.end - s->held.first, clear_plane, s);
    s->current = 0;
    s->is_divided = false;
    sort_points(s);
    return heat_media_start(s);
}

// ---- in and out

static void openmp_get(const struct solver *s, size_t z, size_t y, size_t first, size_t count,
                       double *theta_k)
{
    const void *row = heat_row_of(s, s->theta[s->current], z, y);
    for (size_t i = 0; i < count; i++)
        theta_k[i] = heat_element(s, row, first + i);
}

static void openmp_set(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                       const double *theta_k)
{
    void *row = heat_row_of(s, s->theta[s->current], z, y);
    for (size_t i = 0; i < count; i++)
        heat_store(s, row, first + i, theta_k[i]);
}

static void get_dose(const struct solver *s, int64_t step, const void *theta, size_t at, size_t count,
                     double *dose_min)
{
    struct heat_dose_row row;
    if (s->setup.physics->dose == BIOHEAT_DOSE_OFF) {
        for (size_t i = 0; i < count; i++)
            dose_min[i] = NAN;
        return;
    }
    row = heat_dose_of(s, theta, at);
    row.weight = step > 0 && !s->is_rkl2 ? 0.5 : 0;
    s->functions->reported_row[s->kind](count, &row, s->setup.physics->step_s / 60, dose_min);
}

static void openmp_get_second_dose(const struct solver *s, int64_t step, size_t z, size_t y, size_t first,
                                   size_t count, double *dose_min)
{
    const char *theta = (const char *)heat_row_of(s, s->theta[s->current], z, y) + first * s->element;
    struct heat_dose_row row = heat_second_dose_of(s, theta, (z * s->ny + y) * s->pitch + first);
    row.weight = step > 0 && !s->is_rkl2 ? 0.5 : 0;
    s->functions->reported_row[s->kind](count, &row, s->setup.physics->step_s / 60, dose_min);
}

static void openmp_set_second_dose(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                                   const double *dose_min, const double *largest_k)
{
    const struct bioheat_physics *physics = s->setup.physics;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (z * s->ny + y) * s->pitch + first + i;
        const bool has_passed = largest_k && bioheat_dose_passed(false, largest_k[i], physics->reference_c);
        s->second_total[at] = dose_min[i] * (60 / physics->step_s);
        heat_store(s, s->second_block, at, has_passed ? -0.0 : 0.0);
    }
}

static void openmp_get_records(const struct solver *s, int64_t step, size_t z, size_t y, size_t first,
                               size_t count, double *dose_min, double *largest_k, double *largest_at_s)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const size_t at = (z * s->ny + y) * s->pitch + first;
    const char *theta = (const char *)heat_row_of(s, s->theta[s->current], z, y) + first * s->element;
    if (dose_min)
        get_dose(s, step, theta, at, count, dose_min);
    for (size_t i = 0; i < count && (largest_k || largest_at_s); i++) {
        struct bioheat_largest largest = {NAN, NAN};
        if (physics->has_maximum)
            largest = bioheat_largest_with((struct bioheat_largest){heat_element(s, s->largest, at + i),
                                                                    heat_element(s, s->largest_at, at + i)},
                                           heat_element(s, theta, i), step, physics->step_s);
        if (largest_k)
            largest_k[i] = largest.theta_k;
        if (largest_at_s)
            largest_at_s[i] = largest.at_s;
    }
}

static void openmp_set_records(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                               const double *dose_min, const double *largest_k, const double *largest_at_s)
{
    const struct bioheat_physics *physics = s->setup.physics;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (z * s->ny + y) * s->pitch + first + i;
        if (physics->dose != BIOHEAT_DOSE_OFF && dose_min)
            s->total[at] = dose_min[i] * (60 / physics->step_s);
        if (physics->dose != BIOHEAT_DOSE_OFF && largest_k) // what the block remembers (ISO)
            heat_store(s, s->block, at,
                       bioheat_dose_passed(false, largest_k[i], physics->reference_c) ? -0.0 : 0.0);
        if (physics->has_maximum && largest_k)
            heat_store(s, s->largest, at, isnan(largest_k[i]) ? (double)-INFINITY : largest_k[i]);
        if (physics->has_maximum && largest_at_s)
            heat_store(s, s->largest_at, at, largest_at_s[i]);
    }
}

static void touch_plane(void *context, size_t item)
{
    struct solver *s = context;
    const size_t z = s->held.first + item;
    for (size_t y = 0; y < s->ny; y++) {
        void *row = heat_row_of(s, s->theta[s->current], z, y);
        heat_fill_row_ends(s, row);
        // Cells that no step changes have the same in all arrays.
        for (int k = 1; k < s->states; k++)
            memcpy((char *)heat_row_of(s, s->theta[(s->current + k) % s->states], z, y) -
                       HEAT_PAD * s->element,
                   (char *)row - HEAT_PAD * s->element, s->pitch * s->element);
    }
    for (int k = 1; k < s->states && z + 1 == s->held.end; k++) // beyond the last row's end
        memcpy(heat_row_of(s, s->theta[(s->current + k) % s->states], s->held.end, 0),
               heat_row_of(s, s->theta[s->current], s->held.end, 0), (s->pitch - HEAT_PAD) * s->element);
}

static enum status openmp_touch(struct solver *s, bool is_loaded)
{
    (void)is_loaded;
    CHECK(heat_exchange(s, s->theta[s->current]));
    team_for(s->threads, s->held.end - s->held.first, touch_plane, s);
    return STATUS_OK;
}

static void openmp_divide(struct solver *s, bool is_divided)
{
    s->is_divided = is_divided && s->setup.physics->substeps > 1;
}

static enum status openmp_advance(struct solver *s, int64_t first_step, int64_t count,
                                  const double *amplitudes)
{
    return heat_run_steps(s, first_step, count, amplitudes);
}

// An array from this rank's own planes on. NULL before the reservation.
static void *own_part(const struct solver *s, void *array, size_t element)
{
    return array ? (char *)array + s->own.first * s->ny * s->pitch * element : NULL;
}

// By the run's physics, not by addresses: the list is needed before the reservation.
static int openmp_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const size_t cells = (s->own.end - s->own.first) * s->ny * s->pitch;
    const struct {
        bool is_kept;
        const char *name;
        void *array;
        size_t element;
    } kept[] = {
        {true, "temperature", s->theta[s->current], s->element},
        {physics->dose != BIOHEAT_DOSE_OFF, "dose of the last steps", s->block, s->element},
        {physics->dose != BIOHEAT_DOSE_OFF, "dose", s->total, sizeof *s->total},
        {physics->second_dose != BIOHEAT_DOSE_OFF, "second dose of the last steps", s->second_block,
         s->element},
        {physics->second_dose != BIOHEAT_DOSE_OFF, "second dose", s->second_total, sizeof *s->second_total},
        {physics->has_maximum, "largest rise", s->largest, s->element},
        {physics->has_maximum, "time of the largest rise", s->largest_at, s->element},
    };
    int count = 0;
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (kept[k].is_kept)
            arrays[count++] = (struct checkpoint_array){
                kept[k].name, own_part(s, kept[k].array, kept[k].element), cells * kept[k].element};
    return count;
}

const struct bioheat_backend bioheat_backend_openmp = {
    .head = {.name = "openmp",
             .summary = "all processor cores, vectorised, several steps a pass",
             .rank = 0,
             .warm_up = solver_warm_up_team,
             .touch = openmp_touch,
             .checkpoint_arrays = openmp_checkpoint_arrays,
             .instruction_set = openmp_instruction_set},
    .halo = openmp_halo,
    .plan = openmp_plan,
    .start = openmp_start,
    .get = openmp_get,
    .set = openmp_set,
    .get_records = openmp_get_records,
    .set_records = openmp_set_records,
    .get_second_dose = openmp_get_second_dose,
    .set_second_dose = openmp_set_second_dose,
    .divide = openmp_divide,
    .advance = openmp_advance,
};
