// How `fathom bench bioheat` times one variant: makes the media and the warm start, plans, reserves, warms
// up, repeats, releases. Knows no options' text and no table.
#include "bench/bioheat/private.h"

#include "core/clock.h"
#include "core/statistics.h"

#include <math.h>
#include <omp.h>
#include <time.h>

enum { HOST_STEPS = 16, WARM_STEPS = 16, TISSUES = 5, FIELDS = 3 };

// A repetition on a device lasts at least so long: its clock resolves half a microsecond, and starting it
// costs a few.
static const double device_repetition_s = 0.05;

// Of the order of brain, skin, skull, fat, muscle.
static const struct bioheat_medium tissues[TISSUES] = {{BIOHEAT_TISSUE, 0.51, 1046.0 * 3630, 35000},
                                                       {BIOHEAT_TISSUE, 0.37, 1109.0 * 3391, 7400},
                                                       {BIOHEAT_TISSUE, 0.32, 1908.0 * 1313, 1200},
                                                       {BIOHEAT_TISSUE, 0.21, 911.0 * 2348, 1900},
                                                       {BIOHEAT_TISSUE, 0.49, 1090.0 * 3421, 2400}};
static const double spacing_m = 1e-3, reference_c = 37;

// Everything that a solver's setup points to.
struct body {
    const struct bench_variant *variant;
    enum element precision;
    struct bioheat_grid grid;
    struct bioheat_media media;
    struct bioheat_source source; // none
    struct bioheat_physics physics;
    struct memory_plan plan;
    uint8_t *labels;
    void *fields[FIELDS];
    double *rows; // one a thread
};

struct stopwatch {
    const struct bioheat_backend *backend;
    struct bioheat_solver *solver;
    int batch_steps;
    bool by_processor_time;
};

// ---- the body

static void set_up(struct body *b, const struct bench_options *options, const struct bench_row *row)
{
    b->variant = row->variant;
    b->precision = row->precision;
    double fastest = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        b->grid.cells[axis] = options->cells[axis];
        b->grid.spacing_m[axis] = spacing_m;
        b->grid.faces[axis][0].kind = b->grid.faces[axis][1].kind = BIOHEAT_FIXED;
    }
    for (int k = 0; k < TISSUES; k++)
        fastest = fmax(fastest, tissues[k].conductivity_w_m_k / tissues[k].heat_capacity_j_m3_k);
    b->media = (struct bioheat_media){.has_labels = row->variant->media != BENCH_FIELDS,
                                      .is_uniform = row->variant->media == BENCH_UNIFORM,
                                      .contrast_limit = 1.5};
    for (int k = 0; k < (b->media.is_uniform ? 1 : TISSUES); k++) {
        b->media.table[k + 1] = tissues[k];
        b->media.is_used[k + 1] = true;
    }
    // Half of what is stable in the fastest tissue.
    b->physics = (struct bioheat_physics){.method = row->variant->method,
                                          .dose = row->variant->dose,
                                          .has_maximum = row->variant->has_maximum,
                                          .reference_c = reference_c,
                                          .step_s = spacing_m * spacing_m / (16 * fastest)};
}

static enum status plan_body(struct body *b)
{
    const size_t cells = bioheat_cells(&b->grid);
    CHECK(memory_plan_add(&b->plan, MEMORY_HOST, ELEMENT_F64, (size_t)omp_get_max_threads(),
                          b->grid.cells[BIOHEAT_X], (void **)&b->rows, "rows"));
    b->media.labels = (const uint8_t *const *)&b->labels;
    b->media.conductivity = (const void *const *)&b->fields[0];
    b->media.heat_capacity = (const void *const *)&b->fields[1];
    b->media.perfusion = (const void *const *)&b->fields[2];
    if (b->media.has_labels)
        return memory_plan_add(&b->plan, MEMORY_HOST, ELEMENT_U8, 1, cells, (void **)&b->labels, "labels");
    for (int k = 0; k < FIELDS; k++)
        CHECK(memory_plan_add(&b->plan, MEMORY_HOST, b->precision, 1, cells, &b->fields[k], "field %d", k));
    return STATUS_OK;
}

static void store(const struct body *b, int field, size_t cell, double value)
{
    if (b->precision == ELEMENT_F32)
        ((float *)b->fields[field])[cell] = (float)value;
    else
        ((double *)b->fields[field])[cell] = value;
}

// Shells about a middle, like a head's; 0 … TISSUES − 1. Every one is computed: there is no void.
static int tissue_at(const struct body *b, size_t z, size_t y, size_t x)
{
    const size_t at[BIOHEAT_AXES] = {z, y, x};
    static const double flatness[BIOHEAT_AXES] = {0.8, 1.2, 1};
    double sum = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double u = 2 * ((double)at[axis] + 0.5) / (double)b->grid.cells[axis] - 1;
        sum += flatness[axis] * u * u;
    }
    const double radius = sqrt(sum);
    return radius > 0.95   ? 4
           : radius > 0.85 ? 1
           : radius > 0.75 ? 2
           : radius > 0.7  ? 3
           : radius > 0.3  ? 0
                           : 4;
}

// Here and below: rows are made by all threads, or a grid that a device steps through in a blink takes a
// minute to fill.
static double *own_row(const struct body *b)
{
    return b->rows + (size_t)omp_get_thread_num() * b->grid.cells[BIOHEAT_X];
}

static void fill_row(struct body *b, size_t z, size_t y)
{
    const size_t *n = b->grid.cells;
    size_t cell = (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X];
    for (size_t x = 0; x < n[BIOHEAT_X]; x++, cell++) {
        if (b->media.has_labels) {
            b->labels[cell] = b->media.is_uniform ? 1 : (uint8_t)(1 + tissue_at(b, z, y, x));
            continue;
        }
        const double wave = sin(0.05 * (double)x) * cos(0.04 * (double)y + 0.03 * (double)z);
        store(b, 0, cell, 0.45 + 0.05 * wave);
        store(b, 1, cell, 3.8e6 * (1 + 0.02 * wave));
        store(b, 2, cell, 20000 * (1 + wave));
    }
}

static void fill_body(struct body *b)
{
    const size_t *n = b->grid.cells;
#pragma omp parallel for collapse(2)
    for (size_t z = 0; z < n[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++)
            fill_row(b, z, y);
}

// Between 38 and 48 °C: in every cell the dose counts in every step.
static enum status warm_start(const struct body *b, const struct stopwatch *watch)
{
    const size_t *n = b->grid.cells;
#pragma omp parallel for collapse(2)
    for (size_t z = 0; z < n[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++) {
            double *const row = own_row(b);
            for (size_t x = 0; x < n[BIOHEAT_X]; x++)
                row[x] = 6 + 5 * sin(0.03 * (double)x + 0.02 * (double)y) * cos(0.025 * (double)z);
            watch->backend->set(watch->solver, z, y, 0, n[BIOHEAT_X], row);
        }
    return watch->backend->touch(watch->solver);
}

// What was computed must still be what such a start can become.
static enum status check_state(const struct body *b, const struct stopwatch *watch)
{
    const size_t *n = b->grid.cells;
    size_t unsound = 0;
    if (watch->backend->fetch)
        CHECK(watch->backend->fetch(watch->solver));
#pragma omp parallel for collapse(2) reduction(+ : unsound)
    for (size_t z = 0; z < n[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++) {
            double *const row = own_row(b);
            watch->backend->get(watch->solver, z, y, 0, n[BIOHEAT_X], row);
            for (size_t x = 0; x < n[BIOHEAT_X]; x++)
                unsound += !(row[x] > -1 && row[x] < 13);
        }
    if (unsound > 0)
        return FAIL(STATUS_SOFTWARE,
                    "%s: the benchmark became unstable: %zu cells are not within -1 and 13 K",
                    watch->backend->head.name, unsound);
    return STATUS_OK;
}

// ---- time

static double host_clock_s(const struct stopwatch *watch)
{
    struct timespec used;
    if (!watch->by_processor_time || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
        return clock_now_s();
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Seconds that steps take, begun ones awaited, by the device's clock if it has counted all.
static enum status time_steps(const struct stopwatch *watch, int64_t *step, int steps, double *seconds,
                              bool *is_device_clock)
{
    const struct bioheat_backend *backend = watch->backend;
    const bool has_clock = backend->times != NULL && backend->finish != NULL;
    struct device_times before = {0}, after = {0};
    struct bioheat_unsound found = {.step = -1};
    const double none = 0;
    if (has_clock)
        before = backend->times(watch->solver);
    const double begin_s = host_clock_s(watch);
    for (int done = 0; done < steps;) {
        const int batch = steps - done < watch->batch_steps ? steps - done : watch->batch_steps;
        CHECK(backend->advance(watch->solver, *step, batch, &none));
        *step += batch;
        done += batch;
    }
    if (backend->finish)
        CHECK(backend->finish(watch->solver, &found));
    *seconds = host_clock_s(watch) - begin_s;
    if (has_clock)
        after = backend->times(watch->solver);
    *is_device_clock =
        after.is_measured && after.uncounted == before.uncounted && after.compute_s > before.compute_s;
    if (*is_device_clock)
        *seconds = after.compute_s - before.compute_s;
    return STATUS_OK;
}

// Steps first that are not timed: code is loaded, caches and clocks are up. They tell how many make a
// repetition.
static enum status warm_up(const struct stopwatch *watch, const struct bench_options *options, int64_t *step,
                           int *steps)
{
    double seconds;
    bool is_device_clock;
    CHECK(time_steps(watch, step, WARM_STEPS, &seconds, &is_device_clock));
    *steps = options->common.steps > 0 ? options->common.steps : HOST_STEPS;
    if (!watch->backend->fetch)
        return STATUS_OK;
    CHECK(time_steps(watch, step, WARM_STEPS, &seconds, &is_device_clock));
    if (options->common.steps == 0)
        *steps =
            (int)fmin(BENCH_STEPS_MAX, fmax(WARM_STEPS, ceil(device_repetition_s / (seconds / WARM_STEPS))));
    // The clock rates of a device take their time to settle.
    return time_steps(watch, step, *steps, &seconds, &is_device_clock);
}

static enum status time_variant(const struct body *b, const struct bench_options *options,
                                const struct stopwatch *watch, struct bench_row *row)
{
    const bool is_reference = watch->backend == &bioheat_backend_reference;
    const int repeat = is_reference ? 1 : options->common.repeat;
    double seconds[BENCH_REPEAT_MAX];
    int64_t step = 0;
    CHECK(watch->backend->start(watch->solver));
    CHECK(warm_start(b, watch));
    row->steps = 1; // the reference is slow
    if (!is_reference)
        CHECK(warm_up(watch, options, &step, &row->steps));
    row->is_device_clock = true;
    for (int k = 0; k < repeat; k++) {
        bool is_device_clock;
        CHECK(time_steps(watch, &step, row->steps, &seconds[k], &is_device_clock));
        row->is_device_clock &= is_device_clock;
    }
    row->step_ms = 1e3 * statistics_median(seconds, (size_t)repeat) / row->steps;
    return check_state(b, watch);
}

// What one pass must move: θ read and written; a label, or k, ρc and the perfusion; a dose read and written;
// a largest rise read (what grows is written too, but that is little and not counted).
static double bytes_per_cell(const struct bench_row *row)
{
    const struct bench_variant *v = row->variant;
    const double real = (double)element_bytes(row->precision);
    double bytes = 2 * real;
    bytes += v->media == BENCH_FIELDS ? FIELDS * real : v->media == BENCH_LABELS ? 1 : 0;
    bytes += v->dose != BIOHEAT_DOSE_OFF ? 2 * real : 0;
    return bytes + (v->has_maximum ? real : 0);
}

// Plans, reserves, times and releases: what one variant took is free for the next, on a device too.
enum status bench_time_row(const struct bench_options *options, struct bench_row *row)
{
    static struct body body;
    body = (struct body){0};
    memory_plan_begin(&body.plan);
    set_up(&body, options, row);
    struct stopwatch watch = {.backend = bench_backend(row->entry),
                              .batch_steps = bench_backend(row->entry)->fetch ? 64 : HOST_STEPS,
                              .by_processor_time = options->by_processor_time};
    const struct bioheat_setup setup = {.grid = &body.grid,
                                        .media = &body.media,
                                        .source = &body.source,
                                        .physics = &body.physics,
                                        .precision = row->precision,
                                        .batch_steps = watch.batch_steps,
                                        .device = row->entry->device};
    char why[BENCH_NOTE_BYTES] = "";
    enum status status = STATUS_OK;
    if (watch.backend->has_method && !watch.backend->has_method(&setup, why, sizeof why))
        status = FAIL(STATUS_SYSTEM, "%s", why);
    if (status == STATUS_OK)
        status = plan_body(&body);
    if (status == STATUS_OK)
        status = watch.backend->plan(&setup, &body.plan, "", &watch.solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&body.plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK && watch.backend->warm_up)
        status = watch.backend->warm_up(watch.solver);
    if (status == STATUS_OK) {
        fill_body(&body);
        status = time_variant(&body, options, &watch, row);
    }
    memory_plan_release(&body.plan);
    if (watch.solver)
        watch.backend->destroy(watch.solver);
    CHECK(status);
    row->cells_per_s = (double)bioheat_cells(&body.grid) / (row->step_ms / 1e3);
    row->bytes_per_cell = bytes_per_cell(row);
    row->gigabytes_per_s = row->bytes_per_cell * row->cells_per_s / 1e9;
    return STATUS_OK;
}
