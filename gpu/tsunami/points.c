// The forecast points of a CUDA solver: their records lie on the device, and are updated after every step.
// Independent of steps and tiles.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"
#include "models/tsunami/ranks.h"
#include "models/tsunami/results.h"

enum status solver_plan_points(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t count = s->host.setup.records->points.count;
    const struct gpu_array arrays[] = {
        {&s->point_places, MEMORY_HOST, ELEMENT_I32, count ? RESULTS_POINT_PLACES : 0, count,
         "places of points"},
        {&s->device_point_places, MEMORY_DEVICE, ELEMENT_I32, count ? RESULTS_POINT_PLACES : 0, count,
         "device places of points"},
        {&s->device_point_states, MEMORY_DEVICE, ELEMENT_F64, count, TSUNAMI_POINT_NUMBERS,
         "device records of points"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static void set_points(struct solver *s)
{
    const struct tsunami_setup *setup = &s->host.setup;
    const struct tsunami_point_set *points = &setup->records->points;
    s->points = (struct results_points){
        .count = (int)points->count,
        .places = s->device_point_places,
        .states = s->device_point_states,
        .source_level_m = s->records.source_level_m,
        .threshold_m = points->threshold_m,
        .wet_depth_m = tsunami_wet_depth_m(setup->physics, setup->records),
        .gravity_m_s2 = setup->geometry->gravity_m_s2,
    };
}

enum status solver_start_points(struct solver *s)
{
    const struct tsunami_point_set *points = &s->host.setup.records->points;
    if (!solver_has_points(s))
        return STATUS_OK;
    const struct tsunami_rows own = tsunami_own(s->host.setup.geometry);
    set_points(s);
    for (size_t k = 0; k < points->count; k++) {
        s->point_places[RESULTS_POINT_ROWS * points->count + k] =
            tsunami_has_row(own, points->places[k].row) ? (int)points->places[k].row : -1;
        s->point_places[RESULTS_POINT_COLUMNS * points->count + k] = (int)points->places[k].column;
    }
    return gpu_timeline_upload(s->timeline, s->device_point_places, s->point_places,
                               RESULTS_POINT_PLACES * points->count * sizeof *s->point_places);
}

enum status solver_copy_points(struct solver *s, bool to_device)
{
    const struct tsunami_point_set *points = &s->host.setup.records->points;
    const size_t bytes = points->count * sizeof *points->states;
    return to_device ? gpu_timeline_upload(s->timeline, s->device_point_states, points->states, bytes)
                     : gpu_timeline_download(s->timeline, points->states, s->device_point_states, bytes);
}

enum status solver_merge_points(struct solver *s)
{
    const struct tsunami_point_set *points = &s->host.setup.records->points;
    const struct tsunami_rows own = tsunami_own(s->host.setup.geometry);
    if (!s->host.is_divided)
        return STATUS_OK;
    for (size_t k = 0; k < points->count; k++)
        if (!tsunami_has_row(own, points->places[k].row))
            ranks_forget((double *)&points->states[k], TSUNAMI_POINT_NUMBERS);
    return ranks_join(s->host.setup.ranks, TRANSPORT_STEPS, (double *)points->states,
                      (int64_t)points->count * TSUNAMI_POINT_NUMBERS);
}

enum status solver_launch_points(struct solver *s, double time_s)
{
    if (!solver_has_points(s))
        return STATUS_OK;
    const struct results_state surface = solver_present_surface(s);
    CUDA_CHECK(
        results_points(&surface, &s->points, time_s, time_s > s->host.setup.start_s, s->timeline->compute),
        "to record points");
    return STATUS_OK;
}
