// The heat model's CUDA back ends: state, media, source and records on the device, where steps (step.c) and
// results (results.c) are computed, and a pinned mirror on the host for starts, checks and checkpoints.
// Memory is the plan's; streams and events are created with it.
//
// The host only begins steps and results, in the order of the calls, on one stream. It waits in fetch and
// finish, for the amplitudes of an earlier batch, and where it is too far ahead of the device (timeline.h).
#include "gpu/backends.h"
#include "gpu/bioheat/solver.h"

#include <math.h>
#include <string.h>

#include "gpu/backend_head.inc"

static enum status plan_either(const struct bioheat_setup *setup, struct memory_plan *plan,
                               const char *prefix, bool is_plain, struct solver **solver)
{
    CHECK(cuda_create(plan, setup->device, solver));
    struct solver *s = *solver;
    s->setup = *setup;
    s->is_plain = is_plain;
    CHECK(gpu_timeline_open(&s->timeline, setup->device));
    CUDA_CHECK(cudaDeviceGetAttribute(&s->multiprocessors, cudaDevAttrMultiProcessorCount, setup->device),
               "to report its size");
    CUDA_CHECK(heat_load_kernels(setup->precision, &s->has_sweep), "to load its kernels");
    CHECK(heat_plan_arrays(s, plan, prefix));
    CHECK(heat_plan_media(s, plan, prefix));
    return heat_plan_source(s, plan, prefix);
}

static enum status cuda_plan(const struct bioheat_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    return plan_either(setup, plan, prefix, false, solver);
}

static enum status plain_plan(const struct bioheat_setup *setup, struct memory_plan *plan, const char *prefix,
                              struct solver **solver)
{
    return plan_either(setup, plan, prefix, true, solver);
}

static void clear_mirror(struct solver *s)
{
    const struct bioheat_planes held = bioheat_around(s->setup.grid);
    const size_t first = bioheat_index(s->setup.grid, held.first, 0, 0),
                 end = bioheat_index(s->setup.grid, held.end, 0, 0), cells = end - first;
    memset(solver_element(s, s->mirror_theta, first), 0, cells * s->element);
    if (s->mirror_low) {
        memset(solver_element(s, s->mirror_low, first), 0, cells * s->element);
        memset(s->mirror_high + first, 0, cells * sizeof *s->mirror_high);
    }
    if (s->mirror_second_low) {
        memset(solver_element(s, s->mirror_second_low, first), 0, cells * s->element);
        memset(s->mirror_second_high + first, 0, cells * sizeof *s->mirror_second_high);
    }
    // Of a ring `first` may be negative, converted.
    for (size_t k = first; s->mirror_largest && k != end; k++) {
        gpu_set_real(s->mirror_largest, s->setup.precision, k, -INFINITY);
        s->mirror_largest_at_s[k] = NAN;
    }
}

static enum status clear_state(struct solver *s)
{
    size_t elements = s->array_elements;
    if (solver_is_in_place(s))
        elements += (size_t)s->shift * (size_t)s->shape.plane;
    for (int k = 0; k < HEAT_STATES; k++)
        if (s->theta[k])
            CHECK(gpu_timeline_fill(&s->timeline, s->theta[k], 0, elements * s->element));
    if (s->first_change)
        CHECK(gpu_timeline_fill(&s->timeline, s->first_change, 0, s->array_elements * s->element));
    return heat_forget_records(s);
}

static enum status cuda_start(struct solver *s)
{
    s->status = STATUS_OK;
    s->current = 0;
    s->is_divided = false;
    heat_set_step(s);
    CHECK(heat_start_media(s)); // before the state: labels pass through its memory
    CHECK(clear_state(s));
    clear_mirror(s);
    s->is_mirror_current = true;
    solver_forget_halo(s);
    CHECK(heat_start_source(s));
    CHECK(heat_device_start_results(s));
    CHECK(gpu_timeline_finish(&s->timeline));
    gpu_timeline_restart(&s->timeline); // the run begins here
    return STATUS_OK;
}

static size_t cell_index(const struct solver *s, size_t z, size_t y, size_t x)
{
    const size_t *n = s->setup.grid->cells;
    return (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X] + x;
}

static void cuda_get(const struct solver *s, size_t z, size_t y, size_t first, size_t count, double *theta_k)
{
    const size_t cell = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++)
        theta_k[k] = gpu_real(s->mirror_theta, s->setup.precision, cell + k);
}

static void cuda_set(struct solver *s, size_t z, size_t y, size_t first, size_t count, const double *theta_k)
{
    const size_t cell = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++)
        gpu_set_real(s->mirror_theta, s->setup.precision, cell + k, theta_k[k]);
}

static double reported_dose(const struct solver *s, int64_t step, double theta, enum bioheat_dose definition,
                            double low, double high)
{
    const struct bioheat_physics *p = s->setup.physics;
    const bool has_passed = bioheat_dose_passed(signbit(low) != 0, theta, p->reference_c);
    if (p->method == BIOHEAT_RKL2) // its steps add all of their dose
        step = 0;
    return bioheat_dose_reported_min(definition, step, p->step_s, high + fabs(low), theta, p->reference_c,
                                     has_passed);
}

static void cuda_get_second_dose(const struct solver *s, int64_t step, size_t z, size_t y, size_t first,
                                 size_t count, double *dose_min)
{
    const enum element real = s->setup.precision;
    const size_t begin = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++)
        dose_min[k] =
            reported_dose(s, step, gpu_real(s->mirror_theta, real, begin + k), s->setup.physics->second_dose,
                          gpu_real(s->mirror_second_low, real, begin + k), s->mirror_second_high[begin + k]);
}

static void cuda_set_second_dose(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                                 const double *dose_min, const double *largest_k)
{
    const size_t begin = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++) {
        const bool has_passed =
            largest_k && bioheat_dose_passed(false, largest_k[k], s->setup.physics->reference_c);
        s->mirror_second_high[begin + k] = dose_min[k];
        gpu_set_real(s->mirror_second_low, s->setup.precision, begin + k, has_passed ? -0.0 : 0.0);
    }
}

static void cuda_get_records(const struct solver *s, int64_t step, size_t z, size_t y, size_t first,
                             size_t count, double *dose_min, double *largest_k, double *largest_at_s)
{
    const size_t begin = cell_index(s, z, y, first);
    for (size_t k = 0; k < count; k++) {
        const size_t cell = begin + k;
        const double theta = gpu_real(s->mirror_theta, s->setup.precision, cell);
        struct bioheat_largest largest = {NAN, NAN};
        if (s->mirror_largest)
            largest = bioheat_largest_with(
                (struct bioheat_largest){gpu_real(s->mirror_largest, s->setup.precision, cell),
                                         s->mirror_largest_at_s[cell]},
                theta, step, s->setup.physics->step_s);
        if (dose_min)
            dose_min[k] = s->mirror_low ? reported_dose(s, step, theta, s->setup.physics->dose,
                                                        gpu_real(s->mirror_low, s->setup.precision, cell),
                                                        s->mirror_high[cell])
                                        : NAN;
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
            gpu_set_real(s->mirror_low, s->setup.precision, cell, 0);
        }
        if (s->mirror_low && largest_k) // the sign is ISO's memory
            gpu_set_real(s->mirror_low, s->setup.precision, cell,
                         copysign(fabs(gpu_real(s->mirror_low, s->setup.precision, cell)),
                                  bioheat_dose_passed(false, largest_k[k], s->setup.physics->reference_c)
                                      ? -1.0
                                      : 1.0));
        if (s->mirror_largest && largest_k)
            gpu_set_real(s->mirror_largest, s->setup.precision, cell,
                         isnan(largest_k[k]) ? -INFINITY : largest_k[k]);
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

static void cuda_divide(struct solver *s, bool is_divided)
{
    s->is_divided = is_divided && s->setup.physics->substeps > 1;
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

// Every kernel once, on memory that is still all zero: media of one label that holds all heat.
static enum status cuda_warm_up(struct solver *s)
{
    struct bioheat_nonfinite found = {.step = -1};
    const size_t terms = bioheat_terms(s->setup.source);
    double none[64] = {0}, *amplitudes = terms <= 64 ? none : calloc(terms, sizeof *amplitudes);
    if (!amplitudes)
        return FAIL(STATUS_SYSTEM, "no memory for the CUDA solver");
    CHECK(gpu_exchange_open(&s->exchange));
    heat_set_step(s);
    enum status status = cuda_advance(s, 0, 1, amplitudes);
    if (amplitudes != none)
        free(amplitudes);
    CHECK(status);
    if (s->low)
        CUDA_CHECK(heat_flush_dose(&s->shape, &s->step.records, s->setup.precision, s->timeline.compute),
                   "to add up the dose");
    if (s->second_low)
        CUDA_CHECK(heat_flush_dose(&s->shape, &s->second, s->setup.precision, s->timeline.compute),
                   "to add up the dose");
    CHECK(heat_forget_records(s));
    CHECK(heat_fetch_mirror(s));
    CHECK(heat_send_mirror(s));
    CHECK(heat_device_warm_up_results(s));
    return heat_device_finish(s, &found);
}

// An array of the mirror from this rank's own planes on. NULL before the reservation.
static struct checkpoint_array own_part(const struct solver *s, const char *name, void *array, size_t element)
{
    const struct bioheat_grid *grid = s->setup.grid;
    const struct bioheat_planes own = bioheat_own(grid);
    const size_t first = bioheat_index(grid, own.first, 0, 0), end = bioheat_index(grid, own.end, 0, 0);
    return (struct checkpoint_array){name, solver_address(array, (ptrdiff_t)(first * element)),
                                     (end - first) * element};
}

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    int count = 0;
    arrays[count++] = own_part(s, "temperature", s->mirror_theta, s->element);
    if (solver_has_dose(s)) {
        arrays[count++] = own_part(s, "dose", s->mirror_high, sizeof(double));
        arrays[count++] = own_part(s, "dose_low", s->mirror_low, s->element);
    }
    if (solver_has_second_dose(s)) {
        arrays[count++] = own_part(s, "second_dose", s->mirror_second_high, sizeof(double));
        arrays[count++] = own_part(s, "second_dose_low", s->mirror_second_low, s->element);
    }
    if (s->setup.physics->has_maximum) {
        arrays[count++] = own_part(s, "largest", s->mirror_largest, s->element);
        arrays[count++] = own_part(s, "largest_at", s->mirror_largest_at_s, sizeof(double));
    }
    return count;
}

static bool cuda_has_method(const struct bioheat_setup *setup, char *why, size_t bytes)
{
    return bioheat_backend_reference.has_method(setup, why, bytes); // no other limits
}

// Before each step, stage or set of colours the ranks exchange what it reads: colours read two planes each.
// Steps of Euler's to a second array could make one exchange do for several, with a deeper halo whose planes
// are computed twice. In a ring before each colour, because no plane beyond the other end's first is held.
static size_t cuda_halo(const struct bioheat_setup *setup, size_t planes)
{
    const enum bioheat_method method = setup->physics->method;
    if (setup->grid->is_ring)
        return HEAT_HALO;
    if (heat_has_colours(method))
        return (size_t)HEAT_COLOURS * HEAT_HALO;
    const char *wanted = getenv("FATHOM_HEAT_DEPTH"); // for tests
    size_t depth = wanted ? (size_t)atoi(wanted) : 1;
    depth = depth < planes / HEAT_HALO ? depth : planes / HEAT_HALO;
    return method == BIOHEAT_EULER && depth > 1 ? HEAT_HALO * depth : HEAT_HALO;
}

static void cuda_destroy(struct solver *s)
{
    if (!s)
        return;
    (void)cudaSetDevice(s->setup.device);
    gpu_exchange_close(&s->exchange);
    gpu_results_close(&s->results.common);
    heat_close_source(s);
    gpu_timeline_close(&s->timeline);
    free(s);
}

// clang-format off
// Of their own operations all but `plan`.
#define CUDA_BACKEND \
    .has_method = cuda_has_method, \
    .halo = cuda_halo, \
    .start = cuda_start, \
    .get = cuda_get, \
    .set = cuda_set, \
    .get_records = cuda_get_records, \
    .set_records = cuda_set_records, \
    .get_second_dose = cuda_get_second_dose, \
    .set_second_dose = cuda_set_second_dose, \
    .take_layer = heat_take_layer, \
    .layer_taken = heat_layer_taken, \
    .divide = cuda_divide, \
    .advance = cuda_advance, \
    CUDA_RESULTS(heat), \
    .finish = heat_device_finish

// clang-format on
const struct bioheat_backend bioheat_backend_cuda = {
    .head = {.name = "cuda",
             .summary = "one NVIDIA GPU",
             .rank = 10,
             .fetch = heat_fetch_mirror,
             .send = heat_device_send,
             CUDA_HEAD},
    .plan = cuda_plan,
    CUDA_BACKEND,
};
const struct bioheat_backend bioheat_backend_cuda_plain = {
    .head = {.name = "cuda-plain",
             .summary = "one NVIDIA GPU, the plain way: a cell a thread; for comparison",
             .rank = -1,
             .fetch = heat_fetch_mirror,
             .send = heat_device_send,
             CUDA_HEAD},
    .plan = plain_plan,
    CUDA_BACKEND,
};
