// Media and sources as the heat model's reference asks for them, a cell at a time. Independent of the scheme.
#include "models/bioheat/reference.h"

#include <math.h>

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
