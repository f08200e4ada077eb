// A CUDA heat solver's media: tables of the tissues, codes and classes from the labels, coefficients from
// full fields. Knows no step and no source.
#include "gpu/bioheat/solver.h"
#include "gpu/memory.h"

#include <string.h>

static const struct bioheat_face *face_of(const struct solver *s, int side)
{
    return &s->setup.grid->faces[side / 2][side % 2];
}

static int count_labels(const struct bioheat_media *media)
{
    int count = 0;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        count += media->is_used[label];
    return count;
}

static void set_label_count(struct solver *s, int count)
{
    s->media.labels = count;
    s->media.is_few = count <= HEAT_FEW_LABELS;
}

// Sets what is known before the reserve.
static void describe_media(struct solver *s)
{
    const struct bioheat_media *media = s->setup.media;
    struct heat_media *m = &s->media;
    m->has_labels = media->has_labels;
    // If the labels in use are not known before the label map is read, all are planned for.
    const int count = media->has_labels ? count_labels(media) : 0;
    s->labels_max = media->has_labels && count == 0 ? BIOHEAT_LABELS : count;
    set_label_count(s, count);
    m->is_quadratic = media->has_labels && media->interfaces == BIOHEAT_QUADRATIC;
    m->contrast_limit = media->contrast_limit;
    m->arterial_theta_k = media->arterial_theta_k;
    bool has_velocity = false;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        m->spacing_m[axis] = s->setup.grid->spacing_m[axis];
        m->scale[axis] = 1 / ((media->has_labels ? 12 : 24) * m->spacing_m[axis] * m->spacing_m[axis]);
        has_velocity = has_velocity || media->velocity_m_s[axis];
    }
    for (int side = 0; side < HEAT_SIDES; side++) {
        m->has_wall[side] = face_of(s, side)->kind == BIOHEAT_CONVECTIVE && s->shape.cells[side / 2] > 1;
        m->wall_transfer_w_m2_k[side] = face_of(s, side)->transfer_w_m2_k;
        m->wall_theta_k[side] = face_of(s, side)->outside_theta_k;
    }
    heat_class_tiles(&s->shape, s->setup.precision, &m->class_columns, &m->class_rows);
    s->has_velocity = has_velocity;
}

static enum status plan_labels(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    const bool may_be_many = s->labels_max > HEAT_FEW_LABELS;
    const size_t labels = (size_t)s->labels_max, row = may_be_many ? BIOHEAT_LABELS : HEAT_FEW_LABELS;
    const bool sweeps_stages = s->setup.physics->method == BIOHEAT_RKL2 && !s->is_plain && s->media.is_few &&
                               !s->has_velocity && s->has_sweep.label_stages;
    const size_t has_pairs = sweeps_stages && s->media.is_quadratic; // 0: not wanted
    const struct gpu_array arrays[] = {
        {&s->conductances, MEMORY_DEVICE, real, labels, row, "device conductances"},
        {&s->host_conductances, MEMORY_HOST, real, labels, row, "conductances"},
        {&s->cells, MEMORY_DEVICE, real, labels, 2, "device cells by label"},
        {&s->host_cells, MEMORY_HOST, real, labels, 2, "cells by label"},
        {&s->walls, MEMORY_DEVICE, real, HEAT_SIDES, labels, "device walls by label"},
        {&s->host_walls, MEMORY_HOST, real, HEAT_SIDES, labels, "walls by label"},
        {&s->codes, MEMORY_DEVICE, ELEMENT_U8, s->media.is_few ? 1 : 2, s->array_elements, "device codes"},
        {&s->pairs, MEMORY_DEVICE, ELEMENT_U8, has_pairs, s->array_elements, "device pairs at interfaces"},
        {&s->compact, MEMORY_DEVICE, ELEMENT_U8, 1, BIOHEAT_LABELS, "device label numbers"},
        {&s->host_compact, MEMORY_HOST, ELEMENT_U8, 1, BIOHEAT_LABELS, "label numbers"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status heat_plan_media(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    static const char *const axes[] = {"z", "y", "x"};
    const struct bioheat_media *media = s->setup.media;
    const enum element real = s->setup.precision;
    describe_media(s);
    const size_t tiles = (size_t)s->media.class_columns * (size_t)s->media.class_rows;
    if (media->has_labels) {
        CHECK(plan_labels(s, plan, prefix));
    } else {
        const struct gpu_array arrays[] = {
            {&s->conductivity, MEMORY_DEVICE, real, 1, s->array_elements, "device conductivity"},
            {&s->gain, MEMORY_DEVICE, real, 1, s->array_elements, "device gain"},
            {&s->loss, MEMORY_DEVICE, real, media->perfusion ? 1 : 0, s->array_elements, "device perfusion"},
        };
        CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    }
    if (!s->has_velocity)
        CHECK(memory_plan_add_rows(plan, MEMORY_DEVICE, ELEMENT_U8, (size_t)s->shape.first_held,
                                   (size_t)s->shape.end_held + 1, tiles > 0 ? tiles : 1, (void **)&s->classes,
                                   "%sdevice classes of tiles", prefix));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (media->velocity_m_s[axis])
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, real, 1, s->array_elements, &s->carry[axis],
                                  "%sdevice velocity along %s", prefix, axes[axis]));
    return STATUS_OK;
}

void heat_point_media(struct solver *s)
{
    struct heat_media *m = &s->media;
    if (m->has_labels)
        set_label_count(s, count_labels(s->setup.media));
    const bool is_rkl2 = s->setup.physics->method == BIOHEAT_RKL2;
    const struct heat_sweeps *has = &s->has_sweep;
    const bool can_sweep = is_rkl2 ? (m->has_labels ? has->label_stages : has->field_stages)
                                   : (m->has_labels ? has->labels : has->fields) && !m->is_quadratic;
    s->sweeps = !s->has_velocity && m->is_few && can_sweep && (!is_rkl2 || !m->is_quadratic || s->pairs);
    m->codes = solver_address(s->codes, s->lead * (m->is_few ? 1 : 2));
    m->pairs = solver_address(s->pairs, s->lead);
    m->conductances = s->conductances;
    m->cells = s->cells;
    m->walls = s->walls;
    m->classes = s->classes;
    m->conductivity = solver_cells(s, s->conductivity);
    m->gain = solver_cells(s, s->gain);
    m->loss = solver_cells(s, s->loss);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        m->carry[axis] = solver_cells(s, s->carry[axis]);
    m->has_perfusion = m->loss != NULL;
}

static double conductivity_of(const struct bioheat_medium *medium)
{
    return medium->role == BIOHEAT_VOID ? 0 : medium->conductivity_w_m_k;
}

static double gain_of(const struct solver *s, const struct bioheat_medium *medium)
{
    return medium->role == BIOHEAT_TISSUE ? s->setup.physics->step_s / medium->heat_capacity_j_m3_k : 0;
}

static double harmonic_mean(double a, double b)
{
    if (a == b)
        return a;
    return a > 0 && b > 0 ? 2 * a * b / (a + b) : 0;
}

// Heat through a convective side, as a share of a step, per kelvin between the outside and the cell.
static double wall_of(const struct solver *s, int side, double gain, double k)
{
    const double spacing_m = s->setup.grid->spacing_m[side / 2];
    if (!s->media.has_wall[side] || k == 0)
        return 0;
    return gain / (spacing_m * (1 / s->media.wall_transfer_w_m2_k[side] + spacing_m / (2 * k)));
}

static void fill_tables(struct solver *s)
{
    const struct bioheat_media *media = s->setup.media;
    const size_t row = solver_labels_row(&s->media), labels = (size_t)s->media.labels;
    const struct bioheat_medium *of[BIOHEAT_LABELS];
    size_t count = 0;
    memset(s->host_compact, 0, BIOHEAT_LABELS);
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (media->is_used[label]) {
            s->host_compact[label] = (unsigned char)count;
            of[count++] = &media->table[label];
        }
    for (size_t a = 0; a < count; a++) {
        const double gain = gain_of(s, of[a]), k = conductivity_of(of[a]);
        for (size_t b = 0; b < count; b++)
            gpu_set_real(s->host_conductances, s->setup.precision, a * row + b,
                         harmonic_mean(k, conductivity_of(of[b])));
        gpu_set_real(s->host_cells, s->setup.precision, 2 * a, gain);
        gpu_set_real(s->host_cells, s->setup.precision, 2 * a + 1, gain * of[a]->perfusion_w_m3_k);
        for (int side = 0; side < HEAT_SIDES; side++)
            gpu_set_real(s->host_walls, s->setup.precision, (size_t)side * labels + a,
                         wall_of(s, side, gain, k));
    }
}

// The dense labels pass through the temperature's array.
static enum status start_labels(struct solver *s, const int is_missing[HEAT_SIDES])
{
    const struct bioheat_media *media = s->setup.media;
    const size_t labels = (size_t)s->media.labels, row = solver_labels_row(&s->media);
    const struct bioheat_grid *grid = s->setup.grid;
    const struct bioheat_planes held = bioheat_around(grid);
    const ptrdiff_t plane = (ptrdiff_t)(grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X]);
    const uint8_t *of_cells = media->labels ? *media->labels : NULL;
    struct heat_encoding encoding = {.shape = s->shape,
                                     .labels = solver_address(s->theta[0], -(ptrdiff_t)held.first * plane),
                                     .compact = s->compact,
                                     .uniform = of_cells ? -1 : 0,
                                     .is_few = s->media.is_few,
                                     .codes = (void *)(uintptr_t)s->media.codes};
    memcpy(encoding.is_missing, is_missing, sizeof encoding.is_missing);
    fill_tables(s);
    CHECK(
        gpu_timeline_upload(&s->timeline, s->conductances, s->host_conductances, labels * row * s->element));
    CHECK(gpu_timeline_upload(&s->timeline, s->cells, s->host_cells, labels * 2 * s->element));
    CHECK(gpu_timeline_upload(&s->timeline, s->walls, s->host_walls, HEAT_SIDES * labels * s->element));
    CHECK(gpu_timeline_upload(&s->timeline, s->compact, s->host_compact, BIOHEAT_LABELS));
    if (of_cells)
        CHECK(gpu_timeline_upload(&s->timeline, s->theta[0], of_cells + (ptrdiff_t)held.first * plane,
                                  (held.end - held.first) * (size_t)plane));
    CUDA_CHECK(heat_encode(&encoding, s->timeline.compute), "to take over the labels");
    if (s->media.pairs && s->media.is_few)
        CUDA_CHECK(
            heat_encode_pairs(&s->shape, &s->media, (void *)(uintptr_t)s->media.pairs, s->timeline.compute),
            "to take over the labels");
    return STATUS_OK;
}

static enum status send_field(struct solver *s, void *device, const void *const *host)
{
    return heat_copy_grid(s, solver_cells(s, device), (void *)(uintptr_t)*host, s->element, true,
                          s->timeline.compute);
}

enum status heat_start_media(struct solver *s)
{
    const struct bioheat_media *media = s->setup.media;
    int is_missing[HEAT_SIDES];
    if (s->media.labels > s->labels_max)
        return FAIL(STATUS_SOFTWARE, "%d labels are used, not %d as planned", s->media.labels, s->labels_max);
    for (int side = 0; side < HEAT_SIDES; side++) {
        const enum bioheat_face_kind kind = face_of(s, side)->kind;
        is_missing[side] = kind == BIOHEAT_FIXED || kind == BIOHEAT_CONVECTIVE;
    }
    if (media->has_labels) {
        CHECK(start_labels(s, is_missing));
    } else {
        CHECK(send_field(s, s->conductivity, media->conductivity));
        CHECK(send_field(s, s->gain, media->heat_capacity));
        if (s->loss)
            CHECK(send_field(s, s->loss, media->perfusion));
        CUDA_CHECK(heat_extend(&s->shape, is_missing, solver_cells(s, s->conductivity), s->setup.precision,
                               s->timeline.compute),
                   "to extend a field");
    }
    if (s->sweeps && s->media.class_columns > 0 && s->media.class_rows > 0)
        CUDA_CHECK(heat_classify(&s->shape, &s->media, s->setup.precision, s->classes, s->timeline.compute),
                   "to class its tiles");
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (s->carry[axis])
            CHECK(send_field(s, s->carry[axis], media->velocity_m_s[axis]));
    if (!media->has_labels || s->has_velocity)
        CUDA_CHECK(heat_prepare_fields(&s->shape, &s->media, s->setup.physics->step_s,
                                       media->blood_heat_capacity_j_m3_k, is_missing, s->setup.precision,
                                       s->timeline.compute),
                   "to prepare the media");
    return STATUS_OK;
}

double heat_gain(const struct solver *s, const size_t at[BIOHEAT_AXES])
{
    const struct bioheat_media *media = s->setup.media;
    const struct bioheat_grid *grid = s->setup.grid;
    const size_t cell =
        (at[BIOHEAT_Z] * grid->cells[BIOHEAT_Y] + at[BIOHEAT_Y]) * grid->cells[BIOHEAT_X] + at[BIOHEAT_X];
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if ((int)at[axis] < s->shape.first[axis] || (int)at[axis] >= s->shape.last[axis])
            return 0;
    if (!media->has_labels)
        return gpu_real(*media->conductivity, s->setup.precision, cell) > 0
                   ? s->setup.physics->step_s / gpu_real(*media->heat_capacity, s->setup.precision, cell)
                   : 0;
    int label = 0;
    if (media->labels && *media->labels)
        label = (*media->labels)[cell];
    else
        while (label < BIOHEAT_LABELS - 1 && !media->is_used[label])
            label++;
    return gain_of(s, &media->table[label]);
}
