// The heat solver of a test: see the header.
#include "tests/support/bioheat_fixture.h"
#include "models/bioheat/rkl2.h"
#include "tests/support/numbers.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/statuses.h"

enum { FIELDS_MAX = 6, POINTS = 7, BOXES = 3 }; // fields: k, ρc, perfusion, velocity z, y, x

struct phantom {
    struct phantom_setup setup;
    struct bioheat_grid grid;
    struct bioheat_media media;
    struct bioheat_source source;
    struct bioheat_physics physics;
    struct bioheat_setup solver_setup;
    size_t cells;
    uint8_t *labels;
    void *fields[FIELDS_MAX];
    void *layers[BIOHEAT_LAYERS_MAX];
    size_t points[POINTS][BIOHEAT_AXES];
    struct bioheat_box boxes[BOXES];
    struct memory_plan plan;
    struct solver *solver;
};

static const double blood_heat_capacity_j_m3_k = 1050.0 * 3617.0;
static const double reference_c = 37;

// Brain, skin, skull, fat, muscle (numbers of the order of the published ones), then a VOID and a HELD.
enum { TISSUES = 5, LABEL_VOID = 200, LABEL_HELD = 7 };
static const uint8_t tissue_labels[TISSUES] = {1, 2, 3, 90, 255};
static const struct bioheat_medium tissues[TISSUES] = {{BIOHEAT_TISSUE, 0.51, 1046.0 * 3630, 35000},
                                                       {BIOHEAT_TISSUE, 0.37, 1109.0 * 3391, 7400},
                                                       {BIOHEAT_TISSUE, 0.32, 1908.0 * 1313, 1200},
                                                       {BIOHEAT_TISSUE, 0.21, 911.0 * 2348, 1900},
                                                       {BIOHEAT_TISSUE, 0.60, 994.0 * 4178, 0}};

static size_t cells_of(const size_t cells[BIOHEAT_AXES])
{
    return cells[BIOHEAT_Z] * cells[BIOHEAT_Y] * cells[BIOHEAT_X];
}

static void place_of(const size_t cells[BIOHEAT_AXES], size_t cell, size_t place[BIOHEAT_AXES])
{
    place[BIOHEAT_X] = cell % cells[BIOHEAT_X];
    place[BIOHEAT_Y] = cell / cells[BIOHEAT_X] % cells[BIOHEAT_Y];
    place[BIOHEAT_Z] = cell / (cells[BIOHEAT_X] * cells[BIOHEAT_Y]);
}

double *phantom_array_new(size_t count)
{
    return zeros_new(count, sizeof(double));
}

// ---- what the phantom is made of

static bool is_field_media(const struct phantom_setup *s)
{
    return s->media == PHANTOM_SMOOTH || s->media == PHANTOM_JUMPS ||
           (s->media == PHANTOM_GIVEN && !s->labels);
}

// Distance from the middle, 1 on the ellipsoid that touches the domain's faces; axes of one cell count
// nothing.
static double radius_of(const size_t cells[BIOHEAT_AXES], const size_t place[BIOHEAT_AXES])
{
    static const double off[BIOHEAT_AXES] = {0.04, -0.03, 0.05};
    double sum = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double at = ((double)place[axis] + 0.5) / (double)cells[axis] - 0.5 - off[axis];
        sum += cells[axis] > 1 ? 4 * at * at : 0;
    }
    return sqrt(sum);
}

static uint8_t label_of(const struct phantom_setup *s, size_t cell, uint64_t *random)
{
    size_t place[BIOHEAT_AXES];
    place_of(s->cells, cell, place);
    const double draw = next_uniform(random, 0, 1), radius = radius_of(s->cells, place);
    switch (s->media) {
    case PHANTOM_LAYERS: {
        const double depth = (double)place[BIOHEAT_Z] / (double)s->cells[BIOHEAT_Z] +
                             0.3 * (double)place[BIOHEAT_Y] / (double)s->cells[BIOHEAT_Y];
        return tissue_labels[radius < 0.35 ? 4 : depth < 0.2 ? 0 : depth < 0.5 ? 1 : depth < 0.8 ? 2 : 3];
    }
    case PHANTOM_RANDOM:
        return draw < 0.06   ? (uint8_t)LABEL_VOID
               : draw < 0.12 ? (uint8_t)LABEL_HELD
                             : tissue_labels[(int)(draw * 1e6) % TISSUES];
    case PHANTOM_BODY:
        if (radius > 0.9)
            return LABEL_VOID;
        if (radius < 0.15)
            return LABEL_HELD;
        return tissue_labels[radius > 0.8 ? 1 : radius > 0.65 ? 2 : draw < 0.01 ? 3 : 0];
    default:
        return tissue_labels[0];
    }
}

static void make_labels(struct phantom *p)
{
    uint64_t random = 88172645463325252ull;
    memset(p->media.is_used, 0, sizeof p->media.is_used);
    for (size_t cell = 0; cell < p->cells; cell++) {
        p->labels[cell] =
            p->setup.media == PHANTOM_GIVEN ? p->setup.labels[cell] : label_of(&p->setup, cell, &random);
        p->media.is_used[p->labels[cell]] = true;
    }
}

static void make_table(struct phantom *p)
{
    if (p->setup.media == PHANTOM_GIVEN) {
        memcpy(p->media.table, p->setup.table, sizeof p->media.table);
        return;
    }
    for (int k = 0; k < TISSUES; k++)
        p->media.table[tissue_labels[k]] = tissues[k];
    p->media.table[LABEL_VOID] = (struct bioheat_medium){BIOHEAT_VOID, 0.026, 1200, 0};
    p->media.table[LABEL_HELD] = (struct bioheat_medium){BIOHEAT_HELD, 0.52, 1050.0 * 3617, 9000};
    for (int label = 0; label < BIOHEAT_LABELS && !p->setup.has_perfusion; label++)
        p->media.table[label].perfusion_w_m3_k = 0;
}

// k, ρc, perfusion, velocity of a cell in full fields, as far as they are there.
static void field_values(const struct phantom *p, size_t cell, uint64_t *random, double value[FIELDS_MAX])
{
    const struct phantom_setup *s = &p->setup;
    size_t place[BIOHEAT_AXES];
    place_of(s->cells, cell, place);
    const double x = (double)place[BIOHEAT_X], y = (double)place[BIOHEAT_Y], z = (double)place[BIOHEAT_Z];
    const double draw = next_uniform(random, 0, 1);
    if (p->fields[0])
        value[0] = 0.45 + 0.08 * sin(0.31 * x + 0.2) * cos(0.27 * y) + 0.05 * sin(0.23 * z + 0.1 * x);
    if (p->fields[1])
        value[1] = 3.6e6 * (1 + 0.1 * cos(0.19 * x - 0.13 * y + 0.29 * z));
    if (p->fields[2])
        value[2] = 20000 * (1 + sin(0.21 * x + 0.17 * y + 0.11 * z));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) // m/s; upwind from either side
        if (p->fields[3 + axis])
            value[3 + axis] = 2e-3 * sin(0.2 * x + 0.3 * y * (axis + 1) + 0.25 * z + 1.7 * axis);
    if (s->media != PHANTOM_JUMPS)
        return;
    value[0] *= sin(0.4 * x) + sin(0.5 * y) + sin(0.3 * z) > 0.8 ? 2.5 : draw < 0.1 ? 1.4 : 1;
    if (draw > 0.96)
        value[0] = 0;
    else if (draw > 0.92)
        value[1] = INFINITY;
}

static double stored(const void *array, enum element element, size_t k)
{
    return element == ELEMENT_F32 ? (double)((const float *)array)[k] : ((const double *)array)[k];
}

static void store(void *array, enum element element, size_t k, double value)
{
    if (element == ELEMENT_F32)
        ((float *)array)[k] = (float)value;
    else
        ((double *)array)[k] = value;
}

static void make_fields(struct phantom *p)
{
    const struct phantom_setup *s = &p->setup;
    const double *given[FIELDS_MAX] = {s->conductivity,    s->heat_capacity,   s->perfusion,
                                       s->velocity_m_s[0], s->velocity_m_s[1], s->velocity_m_s[2]};
    uint64_t random = 2463534242ull;
    for (size_t cell = 0; cell < p->cells; cell++) {
        double value[FIELDS_MAX] = {0};
        field_values(p, cell, &random, value);
        for (int k = 0; k < FIELDS_MAX; k++)
            if (p->fields[k])
                store(p->fields[k], s->precision, cell,
                      s->media == PHANTOM_GIVEN && given[k] ? given[k][cell] : value[k]);
    }
}

// ---- sources

// A layer of W/m³ per unit: 0 … 1, a focus and a ripple.
static double layer_value(const struct phantom_setup *s, int layer, size_t cell)
{
    size_t place[BIOHEAT_AXES];
    place_of(s->cells, cell, place);
    const double radius = radius_of(s->cells, place);
    return exp(-8 * radius * radius) +
           0.2 * sin(0.7 * (double)place[BIOHEAT_X] + layer) * cos(0.4 * (double)place[BIOHEAT_Y]);
}

static void make_points_and_boxes(struct phantom *p)
{
    const struct phantom_setup *s = &p->setup;
    uint64_t random = 362436069ull;
    for (int k = 0; k < POINTS; k++)
        for (int axis = 0; axis < BIOHEAT_AXES; axis++)
            p->points[k][axis] = k == 0   ? 0
                                 : k == 1 ? s->cells[axis] - 1
                                          : (size_t)next_uniform(&random, 0, (double)s->cells[axis]);
    memcpy(p->points[POINTS - 1], p->points[POINTS - 2], sizeof p->points[0]); // two in one cell
    for (int k = 0; k < BOXES; k++)
        for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
            const size_t n = s->cells[axis];
            p->boxes[k].first[axis] = k == 0 ? 0 : n / 4;
            p->boxes[k].last[axis] = k == 0   ? (n - 1) / 2
                                     : k == 1 ? n - 1
                                              : n / 4; // overlapping; one of a cell
        }
}

static void make_source(struct phantom *p)
{
    const struct phantom_setup *s = &p->setup;
    make_points_and_boxes(p);
    struct bioheat_source *source = &p->source;
    source->layer_count = s->layer_count;
    source->point_count = s->points ? s->point_count : s->has_points ? POINTS : 0;
    source->points = p->points;
    if (s->points) // not "? :", whose two sides differ in a const to clang
        source->points = s->points;
    source->box_count = s->boxes ? s->box_count : s->has_boxes ? BOXES : 0;
    source->boxes = s->boxes ? s->boxes : p->boxes;
}

double phantom_amplitude(const struct phantom *p, int64_t step, size_t term)
{
    if (p->setup.amplitudes)
        return p->setup.amplitudes[(size_t)step * bioheat_terms(&p->source) + term];
    if ((step + (int64_t)term) % 5 == 4) // a pause
        return 0;
    // Some hundredths of a kelvin a step.
    const double scale = 0.03 * 3.6e6 / p->physics.step_s;
    return scale * sin(0.37 * (double)step + 1.1 * (double)term + 0.5);
}

static void make_layers(struct phantom *p)
{
    for (int layer = 0; layer < p->setup.layer_count; layer++)
        for (size_t cell = 0; cell < p->cells; cell++)
            store(p->layers[layer], p->setup.precision, cell,
                  p->setup.layers[layer] ? p->setup.layers[layer][cell]
                                         : layer_value(&p->setup, layer, cell));
}

// ---- the solver

double phantom_safe_step_s(const struct phantom_setup *s)
{
    // Of whatever the fixture makes: k ≤ 1.4, ρc ≥ 2.1e6, perfusion ≤ 4e4, velocity ≤ 2e-3. Given media:
    // looked at.
    double k = 0.6, heat = 911.0 * 2348, perfusion = s->has_perfusion ? 4e4 : 0, velocity = 2e-3;
    if (s->media == PHANTOM_SMOOTH)
        k = 0.6, heat = 3.2e6;
    if (s->media == PHANTOM_JUMPS)
        k = 1.45, heat = 3.2e6;
    double rate = perfusion / heat;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (s->cells[axis] > 1) {
            const double h = s->spacing_m[axis];
            rate += 16.0 / 3 * k / (heat * h * h);
            rate += s->has_velocity ? blood_heat_capacity_j_m3_k / heat * velocity * 2 / h : 0;
        }
    return 0.7 * 2 / rate;
}

static void set_up(struct phantom *p)
{
    const struct phantom_setup *s = &p->setup;
    memcpy(p->grid.cells, s->cells, sizeof p->grid.cells);
    memcpy(p->grid.spacing_m, s->spacing_m, sizeof p->grid.spacing_m);
    memcpy(p->grid.faces, s->faces, sizeof p->grid.faces);
    p->media =
        (struct bioheat_media){.has_labels = !is_field_media(s),
                               .blood_heat_capacity_j_m3_k = blood_heat_capacity_j_m3_k,
                               .arterial_theta_k = s->media == PHANTOM_GIVEN ? s->arterial_theta_k : -0.4,
                               .contrast_limit = s->contrast_limit > 0 ? s->contrast_limit : 1.5,
                               .interfaces = s->interfaces};
    p->physics = (struct bioheat_physics){.method = s->method,
                                          .dose = s->dose,
                                          .second_dose = s->second_dose,
                                          .has_maximum = s->has_maximum,
                                          .reference_c = reference_c,
                                          .step_s = s->step_s > 0 ? s->step_s : phantom_safe_step_s(s)};
    if (s->method == BIOHEAT_RKL2)
        p->physics.stages =
            s->stages > 0 ? s->stages : bioheat_rkl2_stages(p->physics.step_s, phantom_safe_step_s(s));
    if (s->method == BIOHEAT_RKL2 && s->substeps > 1) {
        p->physics.substeps = s->substeps;
        p->physics.substep_stages =
            bioheat_rkl2_stages(p->physics.step_s / s->substeps, phantom_safe_step_s(s));
    }
    p->solver_setup = (struct bioheat_setup){.grid = &p->grid,
                                             .media = &p->media,
                                             .source = &p->source,
                                             .physics = &p->physics,
                                             .precision = s->precision,
                                             .batch_steps = s->batch_steps > 0 ? s->batch_steps : 16,
                                             .device = s->device};
}

static void plan_media(struct phantom *p)
{
    const struct phantom_setup *s = &p->setup;
    const bool has[FIELDS_MAX] = {true,
                                  true,
                                  s->media == PHANTOM_GIVEN ? s->perfusion != NULL : s->has_perfusion,
                                  s->has_velocity || s->velocity_m_s[0],
                                  s->has_velocity || s->velocity_m_s[1],
                                  s->has_velocity || s->velocity_m_s[2]};
    if (p->media.has_labels)
        assert_ok(
            memory_plan_add(&p->plan, MEMORY_HOST, ELEMENT_U8, 1, p->cells, (void **)&p->labels, "labels"));
    for (int k = p->media.has_labels ? 3 : 0; k < FIELDS_MAX; k++)
        if (has[k])
            assert_ok(memory_plan_add(&p->plan, MEMORY_HOST, s->precision, 1, p->cells, &p->fields[k],
                                      "field %d", k));
    p->media.labels = (const uint8_t *const *)&p->labels;
    p->media.conductivity = (const void *const *)&p->fields[0];
    p->media.heat_capacity = (const void *const *)&p->fields[1];
    p->media.perfusion = has[2] ? (const void *const *)&p->fields[2] : NULL;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        p->media.velocity_m_s[axis] = has[3 + axis] ? (const void *const *)&p->fields[3 + axis] : NULL;
    for (int layer = 0; layer < s->layer_count; layer++) {
        assert_ok(memory_plan_add(&p->plan, MEMORY_PINNED, s->precision, 1, p->cells, &p->layers[layer],
                                  "layer %d", layer));
        p->source.layers[layer] = (const void *const *)&p->layers[layer];
    }
}

static void plan_solver(struct phantom *p)
{
    const int before = threads_choose(p->setup.threads, 2);
    assert_ok(p->setup.backend->plan(&p->solver_setup, &p->plan, "phantom ", &p->solver));
    omp_set_num_threads(before);
}

struct phantom *phantom_open(const struct phantom_setup *setup)
{
    struct phantom *p = zeros_new(1, sizeof *p);
    p->setup = *setup;
    p->cells = cells_of(setup->cells);
    set_up(p);
    make_source(p);
    if (p->media.has_labels) { // known before the plan, as a model's headers are
        make_table(p);
        p->media.is_uniform = setup->media == PHANTOM_UNIFORM;
    }
    memory_plan_begin(&p->plan);
    plan_media(p);
    plan_solver(p);
    solver_reserve(&p->plan);
    assert_ok(solver_warm_up(&setup->backend->head, p->solver));
    if (p->media.has_labels)
        make_labels(p);
    make_fields(p);
    make_layers(p);
    assert_ok(setup->backend->start(p->solver));
    return p;
}

void phantom_close(struct phantom *p)
{
    memory_plan_release(&p->plan); // clears the pointers that the solver holds: it must still be there
    solver_destroy(&p->setup.backend->head, p->solver);
    free(p);
}

bool phantom_has_method(const struct phantom_setup *setup)
{
    char why[256];
    struct phantom p = {.setup = *setup};
    set_up(&p);
    return !setup->backend->has_method || setup->backend->has_method(&p.solver_setup, why, sizeof why);
}

const struct bioheat_grid *phantom_grid(const struct phantom *p)
{
    return &p->grid;
}

const struct bioheat_media *phantom_media(const struct phantom *p)
{
    return &p->media;
}

static void copy_plane(const struct phantom *p, const void *const *field, size_t z, double *to)
{
    const size_t *cells = p->setup.cells, plane = cells[BIOHEAT_Y] * cells[BIOHEAT_X];
    for (size_t i = 0; to && i < plane; i++)
        to[i] = element_get(p->setup.precision, *field, z * plane + i);
}

enum status phantom_read_plane(void *phantom, size_t z, struct bioheat_plane *plane)
{
    const struct phantom *p = phantom;
    const struct bioheat_media *media = phantom_media(p);
    const size_t count = p->setup.cells[BIOHEAT_Y] * p->setup.cells[BIOHEAT_X];
    if (media->has_labels) {
        memcpy(plane->labels, *media->labels + z * count, count);
    } else {
        copy_plane(p, media->conductivity, z, plane->conductivity);
        copy_plane(p, media->heat_capacity, z, plane->heat_capacity);
        copy_plane(p, media->perfusion, z, plane->perfusion);
    }
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        copy_plane(p, media->velocity_m_s[axis], z, plane->velocity_m_s[axis]);
    return STATUS_OK;
}

struct solver *phantom_solver(const struct phantom *p)
{
    return p->solver;
}

size_t phantom_planned_bytes(const struct phantom *p, enum memory_kind kind)
{
    return p->plan.total[kind];
}

void phantom_set(struct phantom *p, const double *theta_k)
{
    const size_t *n = p->grid.cells;
    for (size_t z = 0; z < n[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++)
            p->setup.backend->set(p->solver, z, y, 0, n[BIOHEAT_X],
                                  theta_k + (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X]);
    assert_ok(solver_touch(&p->setup.backend->head, p->solver, false));
}

void phantom_get(const struct phantom *p, double *theta_k)
{
    const size_t *n = p->grid.cells;
    assert_ok(solver_fetch(&p->setup.backend->head, p->solver));
    for (size_t z = 0; z < n[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++)
            p->setup.backend->get(p->solver, z, y, 0, n[BIOHEAT_X],
                                  theta_k + (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X]);
}

void phantom_records(const struct phantom *p, int64_t step, double *dose_min, double *largest_k,
                     double *largest_at_s)
{
    const size_t *n = p->grid.cells;
    assert_ok(solver_fetch(&p->setup.backend->head, p->solver));
    for (size_t z = 0; z < n[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++) {
            const size_t at = (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X];
            p->setup.backend->get_records(p->solver, step, z, y, 0, n[BIOHEAT_X],
                                          dose_min ? dose_min + at : NULL, largest_k ? largest_k + at : NULL,
                                          largest_at_s ? largest_at_s + at : NULL);
        }
}

void phantom_second_dose(const struct phantom *p, int64_t step, double *dose_min)
{
    const size_t *n = p->grid.cells;
    assert_ok(solver_fetch(&p->setup.backend->head, p->solver));
    for (size_t z = 0; z < n[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++)
            p->setup.backend->get_second_dose(p->solver, step, z, y, 0, n[BIOHEAT_X],
                                              dose_min + (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X]);
}

void phantom_advance(struct phantom *p, int64_t first_step, int64_t count)
{
    const struct bioheat_backend *b = p->setup.backend;
    const size_t terms = bioheat_terms(&p->source);
    double *amplitudes = phantom_array_new((size_t)p->solver_setup.batch_steps * terms + 1);
    while (count > 0) {
        const int64_t most = p->setup.substeps > 1 ? 1 : p->solver_setup.batch_steps,
                      batch = count < most ? count : most;
        for (int64_t k = 0; k < batch; k++)
            for (size_t t = 0; t < terms; t++)
                amplitudes[(size_t)k * terms + t] = phantom_amplitude(p, first_step + k, t);
        if (p->setup.substeps > 1 && b->divide) // a step at a time
            b->divide(p->solver, first_step % p->setup.divided_every == 0);
        assert_ok(b->advance(p->solver, first_step, batch, amplitudes));
        first_step += batch;
        count -= batch;
    }
    if (b->finish) {
        struct bioheat_nonfinite found = {.step = -1};
        assert_ok(b->finish(p->solver, &found));
        assert_int_equal(found.step, -1);
    }
    free(amplitudes);
}

void phantom_copy_checkpoint(struct phantom *from, struct phantom *to)
{
    solver_copy_checkpoint(&from->setup.backend->head, from->solver, to->solver, false);
}

struct bioheat_medium phantom_medium(const struct phantom *p, size_t cell)
{
    const enum element element = p->setup.precision;
    if (p->media.has_labels)
        return p->media.table[p->labels[cell]];
    struct bioheat_medium medium = {.conductivity_w_m_k = stored(p->fields[0], element, cell),
                                    .heat_capacity_j_m3_k = stored(p->fields[1], element, cell),
                                    .perfusion_w_m3_k =
                                        p->fields[2] ? stored(p->fields[2], element, cell) : 0};
    medium.role = medium.conductivity_w_m_k == 0            ? BIOHEAT_VOID
                  : isinf(medium.heat_capacity_j_m3_k) != 0 ? BIOHEAT_HELD
                                                            : BIOHEAT_TISSUE;
    return medium;
}

double phantom_heat_j(const struct phantom *p, const double *theta_k)
{
    long double sum = 0;
    for (size_t cell = 0; cell < p->cells; cell++) {
        const struct bioheat_medium medium = phantom_medium(p, cell);
        if (medium.role == BIOHEAT_TISSUE)
            sum += (long double)medium.heat_capacity_j_m3_k * theta_k[cell];
    }
    const double *h = p->grid.spacing_m;
    return (double)sum * h[BIOHEAT_Z] * h[BIOHEAT_Y] * h[BIOHEAT_X];
}

// ---- states

static void make_warm_start(const size_t cells[BIOHEAT_AXES], double *theta_k)
{
    uint64_t random = 521288629ull;
    for (size_t cell = 0; cell < cells_of(cells); cell++) {
        size_t place[BIOHEAT_AXES];
        place_of(cells, cell, place);
        const double x = (double)place[BIOHEAT_X], y = (double)place[BIOHEAT_Y], z = (double)place[BIOHEAT_Z],
                     radius = radius_of(cells, place);
        const double wave = 2 + 3 * sin(0.23 * x + 0.4) * cos(0.19 * y) * cos(0.29 * z + 0.3);
        const double value = wave + 17 * exp(-12 * radius * radius) + next_uniform(&random, -0.3, 0.3);
        theta_k[cell] = (double)(float)value;
    }
}

// Many runs after each other begin with the same: the last one is kept.
void phantom_warm_start(const size_t cells[BIOHEAT_AXES], double *theta_k)
{
    static size_t kept_cells[BIOHEAT_AXES];
    static double *kept;
    if (!kept || memcmp(kept_cells, cells, sizeof kept_cells) != 0) {
        free(kept);
        kept = phantom_array_new(cells_of(cells));
        make_warm_start(cells, kept);
        memcpy(kept_cells, cells, sizeof kept_cells);
    }
    memcpy(theta_k, kept, cells_of(cells) * sizeof *kept);
}

double phantom_difference(const double *a, const double *b, size_t count, size_t *where)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        const bool same = a[k] == b[k] || (isnan(a[k]) && isnan(b[k]));
        double difference = same ? 0 : fabs(a[k] - b[k]);
        if (isnan(difference))
            difference = INFINITY;
        if (difference > largest) {
            largest = difference;
            if (where)
                *where = k;
        }
    }
    return largest;
}

size_t phantom_unequal(const double *a, const double *b, size_t count, size_t *where)
{
    size_t unequal = 0;
    for (size_t k = 0; k < count; k++)
        if (!(a[k] == b[k] || (isnan(a[k]) && isnan(b[k])))) {
            if (unequal == 0 && where)
                *where = k;
            unequal++;
        }
    return unequal;
}

// ---- names, instruction sets

int phantom_instruction_sets(const char *names[PHANTOM_INSTRUCTION_SETS_MAX])
{
    return solver_instruction_sets(&bioheat_backend_openmp.head, names);
}

void phantom_choose_instruction_set(const char *name)
{
    solver_choose_instruction_set(name);
}

const char *phantom_method_name(enum bioheat_method method)
{
    static const char *const names[] = {"euler", "euler-in-place", "three-colour", "source-three-colour",
                                        "rkl2"};
    return names[method];
}

const char *phantom_dose_name(enum bioheat_dose dose)
{
    static const char *const names[] = {"no dose", "dose", "kwave dose", "iso dose"};
    return names[dose];
}

const char *phantom_precision_name(enum element precision)
{
    return precision == ELEMENT_F32 ? "float" : "double";
}
