// The running records of a CUDA solver: the arrays on the device, and copies to and from the model's arrays.
// Independent of the steps.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

#include <math.h>

enum { FIXED_RECORDS = RECORD_ARRAYS - TSUNAMI_ARRIVALS_MAX, SOURCE_LEVEL = FIXED_RECORDS - 1 };

enum status solver_plan_records(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_records *r = s->host.setup.records;
    const struct tsunami_rows kept = solver_kept_rows(s);
    float *const *slots[RECORD_ARRAYS] = {
        &r->max_eta_m,   &r->time_of_max_s, &r->max_speed_m_s, &r->max_flux_m2_s, &r->first_drawdown_s,
        &r->max_depth_m, &r->hazard_m2_s,   &r->inundation_s,  &r->wet_since_s,   &r->source_level_m};
    // A record is wanted if the plan has its array: the model has declared its arrays already.
    for (int a = 0; a < TSUNAMI_ARRIVALS_MAX; a++)
        slots[FIXED_RECORDS + a] = &r->arrival_s[a];
    for (int k = 0; k < RECORD_ARRAYS; k++) {
        bool is_wanted = false;
        for (int q = 0; q < plan->count; q++)
            is_wanted |= plan->arrays[q].pointer == (void **)(void *)slots[k];
        if (is_wanted)
            CHECK(memory_plan_add_rows(plan, MEMORY_DEVICE, ELEMENT_F32, kept.first, kept.end, s->host.pitch,
                                       (void **)&s->device_records[k], "%sdevice record %d", prefix, k));
    }
    return solver_plan_points(s, plan, prefix);
}

// (Of a divided grid node (0, 0) may be another rank's.)
static float *node_0_of(const struct solver *s, float *record)
{
    return (float *)((uintptr_t)record + s->host.halo_offset * sizeof *record);
}

void solver_set_records(struct solver *s)
{
    const struct tsunami_records *r = s->host.setup.records;
    float *const host[FIXED_RECORDS] = {
        r->max_eta_m,   r->time_of_max_s, r->max_speed_m_s, r->max_flux_m2_s, r->first_drawdown_s,
        r->max_depth_m, r->hazard_m2_s,   r->inundation_s,  r->wet_since_s,   r->source_level_m};
    float *device[RECORD_ARRAYS];
    for (int k = 0; k < RECORD_ARRAYS; k++) {
        s->host_records[k] = k < FIXED_RECORDS ? host[k] : r->arrival_s[k - FIXED_RECORDS];
        // The model's arrays have no halo. Those of the device have the state's shape: one offset for all.
        device[k] = s->device_records[k] ? node_0_of(s, s->device_records[k]) : NULL;
    }
    s->records = (struct device_records){.max_eta_m = device[0],
                                         .time_of_max_s = device[1],
                                         .max_speed_m_s = device[2],
                                         .max_flux_m2_s = device[3],
                                         .first_drawdown_s = device[4],
                                         .max_depth_m = device[5],
                                         .hazard_m2_s = device[6],
                                         .inundation_s = device[7],
                                         .wet_since_s = device[8],
                                         .source_level_m = device[SOURCE_LEVEL],
                                         .has_moving_level = r->has_moving_level,
                                         .drawdown_m = (float)r->drawdown_m,
                                         .wet_depth_m = r->wet_depth_m,
                                         .arrival_count = r->arrival_count};
    s->records.highest_arrival_m = -INFINITY;
    for (int a = 0; a < r->arrival_count; a++) {
        s->records.highest_arrival_m = fmaxf(s->records.highest_arrival_m, (float)r->arrival_m[a]);
        s->records.arrival_s[a] = device[FIXED_RECORDS + a];
        s->records.arrival_m[a] = (float)r->arrival_m[a];
    }
    s->records.kind = device[2] || device[3] || device[4] || device[5] ? RECORDS_ALL
                      : device[0]                                      ? RECORDS_ETA
                                                                       : RECORDS_NONE;
}

// Copies row by row: a contiguous copy, shifted by the halo, would exceed the array.
static enum status copy_record(struct solver *s, int k, bool to_device, size_t rows)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const size_t bytes = g->pitch * sizeof(float), width = g->nx * sizeof(float);
    const size_t before = tsunami_own(g).first * bytes;
    float *const device = (float *)((uintptr_t)node_0_of(s, s->device_records[k]) + before),
                 *const host = (float *)((uintptr_t)s->host_records[k] + before);
    const cudaError_t error = to_device ? cudaMemcpy2DAsync(device, bytes, host, bytes, width, rows,
                                                            cudaMemcpyHostToDevice, s->timeline->compute)
                                        : cudaMemcpy2DAsync(host, bytes, device, bytes, width, rows,
                                                            cudaMemcpyDeviceToHost, s->timeline->compute);
    CUDA_CHECK(error, "to copy the records");
    return STATUS_OK;
}

enum status solver_copy_records(struct solver *s, bool to_device, size_t rows)
{
    for (int k = 0; k < RECORD_ARRAYS; k++)
        if (s->device_records[k])
            CHECK(copy_record(s, k, to_device, rows));
    CHECK(solver_copy_points(s, to_device));
    CHECK(gpu_timeline_finish_compute(s->timeline));
    return to_device ? STATUS_OK : solver_merge_points(s);
}

// A moving bottom changes the level from which arrivals are counted.
enum status solver_send_source_level(struct solver *s)
{
    if (!s->device_records[SOURCE_LEVEL])
        return STATUS_OK;
    const struct tsunami_rows own = tsunami_own(s->host.setup.geometry);
    CHECK(copy_record(s, SOURCE_LEVEL, true, own.end - own.first));
    return gpu_timeline_finish_compute(s->timeline);
}
