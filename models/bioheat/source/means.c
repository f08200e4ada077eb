// Means of cells to the values of their middles. A mean is the middle's value + h²/24 of its second
// derivative along each axis + O(h⁴), so that what is left of the mean without 1/24 of the second differences
// is the middle's to fourth order. At the domain's faces the difference is that of the next cell inwards:
// third order there. Independent of files.
#include "models/bioheat/source/private.h"

#include <string.h>

// The three cells along an axis whose second difference a cell takes: from `first` on.
static size_t first_of(size_t index, size_t cells)
{
    const size_t before = index > 0 ? index - 1 : 0;
    return before + 3 > cells ? cells - 3 : before;
}

static double second_difference(const double three[3])
{
    return three[0] - 2 * three[1] + three[2];
}

void source_means_to_middles(const struct bioheat_grid *grid, enum element precision, void *values, void *old)
{
    const size_t *n = grid->cells, plane = n[BIOHEAT_Y] * n[BIOHEAT_X],
                 bytes = plane * element_bytes(precision);
    const struct bioheat_planes held = bioheat_held(grid);
    const size_t last = held.end, before = held.first > 0 ? held.first - 1 : 0;
    for (size_t z = before; z < last; z++) {
        char *now = (char *)values + z * bytes;
        const char *kept = (const char *)old + z % SOURCE_OLD_PLANES * bytes;
        memcpy((char *)old + z % SOURCE_OLD_PLANES * bytes, now, bytes);
        for (size_t i = 0; i < plane && z >= held.first; i++) {
            const size_t at[BIOHEAT_AXES] = {z, i / n[BIOHEAT_X], i % n[BIOHEAT_X]},
                         strides[BIOHEAT_AXES] = {0, n[BIOHEAT_X], 1};
            double sum = 0, three[3];
            for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
                if (n[axis] < 3)
                    continue;
                const size_t first = first_of(at[axis], n[axis]);
                for (size_t k = 0; k < 3; k++) {
                    const size_t p = first + k; // planes up to this one are kept, those after it as they were
                    three[k] =
                        axis != BIOHEAT_Z
                            ? element_get(precision, kept, i + p * strides[axis] - at[axis] * strides[axis])
                        : p <= z
                            ? element_get(precision, (const char *)old + p % SOURCE_OLD_PLANES * bytes, i)
                            : element_get(precision, (const char *)values + p * bytes, i);
                }
                sum += second_difference(three);
            }
            element_set(precision, now, i, element_get(precision, kept, i) - sum / 24);
        }
    }
}
