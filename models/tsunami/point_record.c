// The records of a grid's forecast points, on back ends whose state lies on the host.
#include "models/tsunami/point_record.h"

#include "models/tsunami/solver.h"

void tsunami_point_record_all(const struct tsunami_setup *setup, const struct solver *solver,
                              tsunami_point_get *get, double time_s)
{
    const struct tsunami_records *records = setup->records;
    const size_t pitch = setup->geometry->pitch;
    const struct tsunami_rows own = tsunami_own(setup->geometry);
    const double wet_depth_m = tsunami_wet_depth_m(setup->physics, records);
    for (size_t k = 0; k < records->points.count; k++) {
        const struct tsunami_point_place *place = &records->points.places[k];
        if (!tsunami_has_row(own, place->row))
            continue; // another rank has it
        const size_t node = place->row * pitch + place->column;
        struct tsunami_node now = {.depth_m = (*setup->depth_m)[node], .wet_depth_m = wet_depth_m};
        get(solver, place->row, place->column, 1, &now.eta_m, &now.u_m_s, &now.v_m_s);
        tsunami_point_record(&records->points.states[k], now,
                             records->source_level_m ? records->source_level_m[node] : 0,
                             records->points.threshold_m, time_s, time_s > setup->start_s);
    }
}
