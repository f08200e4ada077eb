// The heat model's CUDA back ends: state, media, source and records on the device, steps there (step.c),
// results made there (results.c), and a pinned mirror on the host for starts, checks and checkpoints. Memory
// is the plan's; streams and events are made with it.
//
// The host only begins steps and results, in the order of the calls, on one stream; it waits in fetch and
// finish, for the amplitudes of a batch long past, and where the account of the device's time says that it is
// too far ahead (timeline.h).
#include "gpu/bioheat/backend.h"

#include "gpu/bioheat/solver.h"
#include "gpu/device.h"
#include "gpu/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status cuda_plan(const struct bioheat_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    CHECK(gpu_memory_use(plan, setup->device));
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the CUDA solver");
    s->setup = *setup;
    gpu_describe_one(setup->device, s->device_name, sizeof s->device_name);
    CHECK(gpu_timeline_open(&s->timeline, setup->device));
    CUDA_CHECK(cudaDeviceGetAttribute(&s->multiprocessors, cudaDevAttrMultiProcessorCount, setup->device),
               "to report its size");
    CUDA_CHECK(heat_load_kernels(setup->precision, &s->has_march), "to load its kernels");
    CHECK(heat_plan_arrays(s, plan, prefix));
    CHECK(heat_plan_media(s, plan, prefix));
    return heat_plan_source(s, plan, prefix);
}

static enum status plain_plan(const struct bioheat_setup *setup, struct memory_plan *plan, const char *prefix,
                              struct solver **solver)
{
    CHECK(cuda_plan(setup, plan, prefix, solver));
    (*solver)->is_plain = true;
    return STATUS_OK;
}

static void clear_mirror(struct solver *s)
{
    const size_t cells = bioheat_cells(s->setup.grid);
    memset(s->mirror_theta, 0, cells * s->element);
    if (s->mirror_low) {
        memset(s->mirror_low, 0, cells * s->element);
        memset(s->mirror_high, 0, cells * sizeof *s->mirror_high);
    }
    for (size_t k = 0; s->mirror_largest && k < cells; k++) {
        if (solver_is_single(s))
            ((float *)s->mirror_largest)[k] = -INFINITY;
        else
            ((double *)s->mirror_largest)[k] = -INFINITY;
        s->mirror_largest_at_s[k] = NAN;
    }
}

static enum status clear_state(struct solver *s)
{
    size_t elements = s->array_elements;
    if (solver_is_in_place(s))
        elements += (size_t)s->shift * (size_t)s->shape.plane;
    for (int k = 0; k < 2; k++)
        if (s->theta[k])
            CHECK(gpu_timeline_fill(&s->timeline, s->theta[k], 0, elements * s->element));
    return heat_forget_records(s);
}

static enum status cuda_start(struct solver *s)
{
    s->status = STATUS_OK;
    s->current = 0;
    heat_set_step(s);
    CHECK(heat_start_media(s)); // before the state: labels pass through its memory
    CHECK(clear_state(s));
    clear_mirror(s);
    s->is_mirror_current = true;
    CHECK(heat_start_source(s));
    CHECK(heat_device_results_start(&s->results, &s->timeline, &s->media));
    CHECK(gpu_timeline_finish(&s->timeline));
    gpu_timeline_restart(&s->timeline); // the warm-up is not the run's
    return STATUS_OK;
}

static size_t cell_index(const struct solver *s, size_t z, size_t y, size_t x)
{
    const size_t *n = s->setup.grid->cells;
    return (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X] + x;
}

static double real_at(const struct solver *s, const void *array, size_t index)
{
    return solver_is_single(s) ? (double)((const float *)array)[index] : ((const double *)array)[index];
}

static void set_real(const struct solver *s, void *array, size_t index, double value)
{
    if (solver_is_single(s))
        ((float *)array)[index] = (float)value;
    else
        ((double *)array)[index] = value;
}

static void cuda_get(const struct solver *s, size_t z, size_t y, size_t first, size_t count, double *theta_k)
{
    const size_t cell = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++)
        theta_k[k] = real_at(s, s->mirror_theta, cell + k);
}

static void cuda_set(struct solver *s, size_t z, size_t y, size_t first, size_t count, const double *theta_k)
{
    const size_t cell = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++)
        set_real(s, s->mirror_theta, cell + k, theta_k[k]);
}

static double reported_dose(const struct solver *s, int64_t step, size_t cell, double theta)
{
    const struct bioheat_physics *p = s->setup.physics;
    const double low = real_at(s, s->mirror_low, cell);
    const bool has_passed = bioheat_dose_passed(signbit(low) != 0, theta, p->reference_c);
    return bioheat_dose_reported_min(p->dose, step, p->step_s, s->mirror_high[cell] + fabs(low), theta,
                                     p->reference_c, has_passed);
}

static void cuda_get_records(const struct solver *s, int64_t step, size_t z, size_t y, size_t first,
                             size_t count, double *dose_min, double *largest_k, double *largest_at_s)
{
    const size_t begin = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++) {
        const size_t cell = begin + k;
        const double theta = real_at(s, s->mirror_theta, cell);
        struct bioheat_largest largest = {NAN, NAN};
        if (s->mirror_largest)
            largest = bioheat_largest_with(
                (struct bioheat_largest){real_at(s, s->mirror_largest, cell), s->mirror_largest_at_s[cell]},
                theta, step, s->setup.physics->step_s);
        if (dose_min)
            dose_min[k] = s->mirror_low ? reported_dose(s, step, cell, theta) : NAN;
        if (largest_k)
            largest_k[k] = largest.theta_k;
        if (largest_at_s)
            largest_at_s[k] = largest.at_s;
    }
}

static void cuda_set_records(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                             const double *dose_min, const double *largest_k, const double *largest_at_s)
{
    const size_t begin = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++) {
        const size_t cell = begin + k;
        if (s->mirror_low && dose_min) {
            s->mirror_high[cell] = dose_min[k];
            set_real(s, s->mirror_low, cell, 0);
        }
        if (s->mirror_low && largest_k) // the sign is ISO's memory
            set_real(s, s->mirror_low, cell,
                     copysign(fabs(real_at(s, s->mirror_low, cell)),
                              bioheat_dose_passed(false, largest_k[k], s->setup.physics->reference_c) ? -1.0
                                                                                                      : 1.0));
        if (s->mirror_largest && largest_k)
            set_real(s, s->mirror_largest, cell, isnan(largest_k[k]) ? -INFINITY : largest_k[k]);
        if (s->mirror_largest && largest_at_s)
            s->mirror_largest_at_s[cell] = largest_at_s[k];
    }
}

// After set, or a loaded checkpoint, the mirror is newer than the device.
static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    (void)is_loaded;
    CHECK(s->status);
    CHECK(heat_send_mirror(s));
    s->is_mirror_current = true;
    return STATUS_OK;
}

static enum status cuda_fetch(struct solver *s)
{
    CHECK(s->status);
    if (!s->is_mirror_current)
        CHECK(heat_fetch_mirror(s));
    s->is_mirror_current = true;
    return STATUS_OK;
}

static enum status cuda_advance(struct solver *s, int64_t first_step, int64_t count, const double *amplitudes)
{
    const size_t terms = bioheat_terms(s->setup.source),
                 places = s->setup.source->point_count + s->setup.source->box_count;
    struct gpu_timeline *timeline = &s->timeline;
    const double *device_amplitudes;
    CHECK(s->status);
    CHECK(heat_send_amplitudes(s, count, amplitudes, &device_amplitudes));
    for (int64_t done = 0; done < count;) {
        int steps;
        CHECK(gpu_timeline_join(timeline, count - done, &steps));
        for (int n = 0; n < steps; n++, done++)
            CHECK(heat_launch_step(s, first_step + done, amplitudes + (size_t)done * terms,
                                   places > 0 ? device_amplitudes + (size_t)done * places : NULL));
        if (done == count)
            CHECK(heat_finish_records(s));
        CHECK(gpu_timeline_close_batch(timeline));
        s->is_mirror_current = false;
    }
    return heat_amplitudes_used(s);
}

static enum status cuda_plan_results(struct solver *s, const struct bioheat_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix)
{
    return heat_device_results_plan(&s->results, &s->setup, &s->shape, s->array_elements, s->lead, wanted,
                                    plan, prefix);
}

static enum status cuda_capture(struct solver *s, enum bioheat_result result, int slot, size_t record,
                                int64_t step, const double *amplitudes)
{
    const struct results_heat state = heat_present_state(s);
    (void)amplitudes; // the source's power is worked out on the host
    CHECK(s->status);
    return heat_device_results_capture(&s->results, &s->timeline, &state, result, slot, record, step);
}

static enum status cuda_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    return heat_device_results_send(&s->results, &s->timeline, (enum bioheat_result)result, slot, records,
                                    to);
}

static enum status cuda_await(struct solver *s, enum bioheat_result result, int slot,
                              struct bioheat_nonfinite *found)
{
    return heat_device_results_await(&s->results, &s->timeline, result, slot, found);
}

static enum status cuda_guard(struct solver *s, int64_t step, struct bioheat_nonfinite *found)
{
    const struct results_heat state = heat_present_state(s);
    CHECK(s->status);
    return heat_device_results_guard(&s->results, &s->timeline, &state, step, found);
}

static enum status cuda_finish(struct solver *s, struct bioheat_nonfinite *found)
{
    CHECK(s->status);
    return heat_device_results_finish(&s->results, &s->timeline, found);
}

// Every kernel once, on memory that is still all zero: media of one label that holds all heat.
static enum status cuda_warm_up(struct solver *s)
{
    struct bioheat_nonfinite found = {.step = -1};
    const size_t terms = bioheat_terms(s->setup.source);
    double none[64] = {0}, *amplitudes = terms <= 64 ? none : calloc(terms, sizeof *amplitudes);
    if (!amplitudes)
        return FAIL(STATUS_SYSTEM, "no memory for the CUDA solver");
    heat_set_step(s);
    enum status status = cuda_advance(s, 0, 1, amplitudes);
    if (amplitudes != none)
        free(amplitudes);
    CHECK(status);
    if (s->low)
        CUDA_CHECK(heat_flush_dose(&s->shape, &s->step.records, s->setup.precision, s->timeline.compute),
                   "to add up the dose");
    CHECK(heat_forget_records(s));
    CHECK(heat_fetch_mirror(s));
    CHECK(heat_send_mirror(s));
    const struct results_heat state = heat_present_state(s);
    CHECK(heat_device_results_warm_up(&s->results, &s->timeline, &state, &s->media));
    return cuda_finish(s, &found);
}

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t cells = bioheat_cells(s->setup.grid);
    int count = 0;
    arrays[count++] = (struct checkpoint_array){"temperature", s->mirror_theta, cells * s->element};
    if (solver_has_dose(s)) {
        arrays[count++] = (struct checkpoint_array){"dose", s->mirror_high, cells * sizeof(double)};
        arrays[count++] = (struct checkpoint_array){"dose_low", s->mirror_low, cells * s->element};
    }
    if (s->setup.physics->has_maximum) {
        arrays[count++] = (struct checkpoint_array){"largest", s->mirror_largest, cells * s->element};
        arrays[count++] =
            (struct checkpoint_array){"largest_at", s->mirror_largest_at_s, cells * sizeof(double)};
    }
    return count;
}

static bool cuda_has_method(const struct bioheat_setup *setup, char *why, size_t bytes)
{
    return bioheat_backend_reference.has_method(setup, why, bytes); // no other limits
}

static struct device_times cuda_times(const struct solver *s)
{
    return gpu_timeline_times(&s->timeline);
}

static void cuda_destroy(struct solver *s)
{
    if (!s)
        return;
    (void)cudaSetDevice(s->setup.device);
    gpu_results_close(&s->results.results);
    heat_close_source(s);
    gpu_timeline_close(&s->timeline);
    free(s);
}

#include "gpu/backend_head.inc"

// clang-format off
// Of their own operations all but `plan`.
#define CUDA_BACKEND \
    .has_method = cuda_has_method, \
    .start = cuda_start, \
    .get = cuda_get, \
    .set = cuda_set, \
    .get_records = cuda_get_records, \
    .set_records = cuda_set_records, \
    .take_layer = heat_take_layer, \
    .layer_taken = heat_layer_taken, \
    .advance = cuda_advance, \
    .plan_results = cuda_plan_results, \
    .capture = cuda_capture, \
    .await = cuda_await, \
    .guard = cuda_guard, \
    .finish = cuda_finish

// clang-format on
const struct bioheat_backend bioheat_backend_cuda = {
    .head = {.name = "cuda",
             .summary = "one NVIDIA GPU",
             .rank = 10,
             .measure_copy = gpu_measure_copy,
             CUDA_HEAD},
    .plan = cuda_plan,
    CUDA_BACKEND,
};
const struct bioheat_backend bioheat_backend_cuda_plain = {
    .head = {.name = "cuda-plain",
             .summary = "one NVIDIA GPU, the plain way: a cell a thread; for comparison",
             .rank = -1,
             .measure_copy = gpu_measure_copy,
             CUDA_HEAD},
    .plan = plain_plan,
    CUDA_BACKEND,
};
