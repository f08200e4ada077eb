// Media and sources as the heat model's reference asks for them, a cell at a time. Independent of the scheme.
#include "models/bioheat/reference.h"

#include <math.h>

// Without an array of labels everything is of the first that is used.
static int label_at(const struct bioheat_media *media, size_t cell)
{
    int label = 0;
    if (media->labels && *media->labels)
        return (*media->labels)[cell];
    while (label < BIOHEAT_LABELS - 1 && !media->is_used[label])
        label++;
    return label;
}

struct bioheat_medium reference_medium(const struct solver *s, size_t cell)
{
    const struct bioheat_media *media = s->setup.media;
    const enum element precision = s->setup.precision;
    struct bioheat_medium medium = {.role = BIOHEAT_TISSUE};
    if (media->has_labels) {
        medium = media->table[label_at(media, cell)];
    } else {
        medium.conductivity_w_m_k = element_get(precision, *media->conductivity, cell);
        medium.heat_capacity_j_m3_k = element_get(precision, *media->heat_capacity, cell);
        medium.perfusion_w_m3_k = media->perfusion ? element_get(precision, *media->perfusion, cell) : 0;
        if (isinf(medium.heat_capacity_j_m3_k))
            medium.role = BIOHEAT_HELD;
        if (medium.conductivity_w_m_k == 0)
            medium.role = BIOHEAT_VOID;
    }
    if (medium.role == BIOHEAT_VOID)
        medium.conductivity_w_m_k = 0;
    return medium;
}

bool reference_is_one_medium(const struct solver *s, size_t cell, size_t other)
{
    return label_at(s->setup.media, cell) == label_at(s->setup.media, other);
}

double reference_velocity_m_s(const struct solver *s, enum bioheat_axis axis, size_t cell)
{
    const void *const *velocity = s->setup.media->velocity_m_s[axis];
    return velocity ? element_get(s->setup.precision, *velocity, cell) : 0;
}

double reference_layer_w_m3(const struct solver *s, int layer, size_t cell)
{
    return element_get(s->setup.precision, *s->setup.source->layers[layer], cell);
}

static bool is_kept_by_a_side(const struct bioheat_grid *grid, const size_t at[BIOHEAT_AXES])
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const size_t n = grid->cells[axis];
        const bool is_low = grid->faces[axis][0].kind == BIOHEAT_FIXED && at[axis] < 2;
        const bool is_high = grid->faces[axis][1].kind == BIOHEAT_FIXED && at[axis] + 2 >= n;
        if (n > 1 && (is_low || is_high))
            return true;
    }
    return false;
}

bool reference_is_updated(const struct solver *s, const size_t at[BIOHEAT_AXES])
{
    return !is_kept_by_a_side(s->setup.grid, at) &&
           reference_medium(s, reference_cell(s->setup.grid, at)).role == BIOHEAT_TISSUE;
}
