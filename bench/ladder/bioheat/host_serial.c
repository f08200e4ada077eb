// The rung `serial`: the loops as one writes them down. CMakeLists.txt has it compiled without optimisation.
#include "bench/ladder/bioheat/host_steps.h"

#include "bench/ladder/bioheat/heat.h"
#include "bench/ladder/bioheat/point.h"

void heat_ladder_host_serial(const struct heat_ladder_grid *grid, const float *from, float *to,
                             const float *coefficient)
{
    const ptrdiff_t row = grid->columns, plane = row * grid->rows;
    for (int z = HEAT_RIM; z < grid->planes - HEAT_RIM; z++)
        for (int y = HEAT_RIM; y < grid->rows - HEAT_RIM; y++)
            for (int x = HEAT_RIM; x < grid->columns - HEAT_RIM; x++) {
                const ptrdiff_t at = z * plane + y * row + x;
                to[at] = heat_ladder_advanced_at(from + at, row, plane, coefficient[at]);
            }
}
