// `fathom bench tsunami`: every back end that this build has, in each precision and method, on one grid with
// the whole ocean moving, beside the copy rate that the memory it works in reaches in the same run. Medians
// of several repetitions; no timing is ever a test. Knows no back end by name but the reference, which is
// slow.
#include "models/tsunami/bench.h"

#include "core/clock.h"
#include "core/statistics.h"
#include "io/units.h"
#include "models/tsunami/backends.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: fathom bench tsunami [OPTIONS]\n"
    "\n"
    "Times the tsunami's solvers, those of every back end in this build that this machine can run, on an "
    "ocean-like\n"
    "grid in which every node is wet and moving: the sphere, Coriolis and curvature on, depths 1700 to 6300 "
    "m, columns\n"
    "4 arc-minutes apart and rows so that cells are square (closer where the grid would reach beyond its "
    "usual extent,\n"
    "191.9 degrees of longitude or 64.9 of latitude). Each line is the median of several repetitions, by the "
    "device's\n"
    "own clock where it has one. 'bytes' are those that one pass must move: e, u, v and c0 read, e, u, v "
    "written; with\n"
    "--maxima 4 more, the largest elevation so far (what grows is written too, but that is little and not "
    "counted).\n"
    "'of copy' compares them with a plain copy, read and written, in the same memory and the same run.\n"
    "\n"
    "Options:\n"
    "      --size NXxNY      nodes of the grid (2879x2581, about the Pacific at 4 arc-minutes)\n"
    "      --step TIME       time step (10 s, or 0.9 of the stability limit if that is shorter)\n"
    "      --backend NAME    only this back end; NAME:1 is its second device; may be given several times\n"
    "      --steps N         steps in a repetition (10 on the host; on a device as many as take 50 ms; the "
    "reference\n"
    "                        takes one)\n"
    "      --repeat N        repetitions (7)\n"
    "      --manning N       with bottom friction of this roughness (0)\n"
    "      --maxima          with maxima and one arrival time\n"
    "      --no-reference    leave out the slow reference\n"
    "  -t, --threads N       processor cores to use (all)\n"
    "      --json            as JSON\n"
    "  -h, --help            this text\n";

enum {
    REPEAT_MAX = 101,
    STEPS_MAX = 100000,
    ENTRIES_MAX = 8,
    LABEL_BYTES = 80,
    ROWS_MAX = 4 * ENTRIES_MAX,
    NOTES_MAX = ROWS_MAX,
    NOTE_BYTES = 512,
    HOST_STEPS = 10,
    FORECAST_STEPS = 8640 // 24 hours in steps of 10 s
};

// A repetition on a device lasts at least so long: its clock resolves half a microsecond, and starting it
// costs a few.
static const double device_repetition_s = 0.05;
static const double pi = 3.14159265358979323846, gravity_m_s2 = 9.81, radius_m = 6371e3;
static const double mean_depth_m = 4000, depth_range_m = 2300, wave_height_m = 0.5, wave_speed_m_s = 0.01;
static const double usual_step_s = 10;

// A back end on one of its devices.
struct bench_entry {
    const struct tsunami_backend *backend;
    int device;
    char label[LABEL_BYTES];     // as it was asked for, "NAME" or "NAME:1"
    double copy_gigabytes_per_s; // of the memory that it works in; 0 = not measured
};

struct bench_options {
    size_t nx, ny;
    double step_s; // 0 = the usual one
    int steps;     // 0 = chosen
    int repeat;
    double manning_n;
    bool has_maxima, skips_reference, as_json;
    int named_count;
    struct bench_entry named[ENTRIES_MAX];
};

// The grid of the benchmark: everything that a solver's setup points to.
struct bench_grid {
    struct tsunami_geometry geometry;
    struct tsunami_physics physics;
    struct tsunami_records records;
    double *x, *y, *x_distance, *y_distance, *cosine, *tangent, *coriolis, *depth_m;
    double *row[3];
};

struct bench_row {
    const struct bench_entry *entry;
    enum element precision;
    enum tsunami_method method;
    int steps;
    bool is_device_clock;
    double step_ms, nodes_per_s, bytes_per_node, gigabytes_per_s;
};

struct bench_results {
    double step_s, limit_s;
    int entry_count, row_count, note_count;
    struct bench_entry entries[ENTRIES_MAX];
    struct bench_row rows[ROWS_MAX];
    char notes[NOTES_MAX][NOTE_BYTES]; // what could not be measured, and why
};

// ---- the grid

static enum status plan_grid(struct bench_grid *grid, const struct bench_options *options,
                             enum element precision, struct memory_plan *plan)
{
    const size_t nx = options->nx, ny = options->ny,
                 pitch = memory_pitch(nx + 2 * TSUNAMI_HALO_COLUMNS, precision);
    grid->geometry.nx = nx;
    grid->geometry.ny = ny;
    grid->geometry.pitch = pitch;
    struct {
        double **slot;
        size_t rows, columns;
        const char *name;
    } arrays[] = {{&grid->x, 1, nx, "x"},
                  {&grid->y, 1, ny, "y"},
                  {&grid->x_distance, 1, nx + 1, "x distance"},
                  {&grid->y_distance, 1, ny + 1, "y distance"},
                  {&grid->cosine, 1, ny + 2, "cos"},
                  {&grid->tangent, 1, ny + 2, "tan"},
                  {&grid->coriolis, 1, ny + 2, "coriolis"},
                  {&grid->depth_m, ny, pitch, "depth"},
                  {&grid->row[0], 1, nx, "row eta"},
                  {&grid->row[1], 1, nx, "row u"},
                  {&grid->row[2], 1, nx, "row v"}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, arrays[k].rows, arrays[k].columns,
                              (void **)arrays[k].slot, "%s", arrays[k].name));
    if (!options->has_maxima)
        return STATUS_OK;
    grid->records.arrival_count = 1;
    grid->records.arrival_m[0] = 0.01;
    float **records[] = {&grid->records.max_eta_m, &grid->records.time_of_max_s, &grid->records.arrival_s[0]};
    for (int k = 0; k < 3; k++)
        CHECK(
            memory_plan_add(plan, MEMORY_HOST, ELEMENT_F32, ny, pitch, (void **)records[k], "record %d", k));
    return STATUS_OK;
}

// Radians between columns: 4 arc-minutes, or less where that many nodes would reach beyond the usual grid's
// extent.
static double spacing_radian(const struct bench_options *options)
{
    const double shrink = fmin(1, fmin(2879 / (double)options->nx, 2581 / (double)options->ny));
    return 4.0 / 60 * pi / 180 * shrink;
}

// Row j's latitude, such that rows are as far apart as columns there: the inverse of Mercator's projection,
// about the equator. Evenly spaced rows of this number would go beyond the poles; MOST's Pacific grid has
// such rows too.
static double row_latitude(const struct bench_options *options, double j)
{
    return atan(sinh((j - 0.5 * (double)(options->ny - 1)) * spacing_radian(options)));
}

// Of the present grid: the last rows' cells are the smallest, and deep water is all about.
static double step_limit_s(const struct bench_options *options)
{
    const double fastest_m_s =
        sqrt(gravity_m_s2 * (mean_depth_m + depth_range_m + wave_height_m)) + 10 * wave_speed_m_s;
    const double last = (double)(options->ny - 1), latitude = row_latitude(options, last);
    const double dx_m = radius_m * spacing_radian(options) * cos(latitude);
    const double dy_m = radius_m * (latitude - row_latitude(options, last - 1));
    return fmin(dx_m, dy_m) / fastest_m_s;
}

static void fill_grid(struct bench_grid *grid, const struct bench_options *options)
{
    struct tsunami_geometry *g = &grid->geometry;
    const double spacing = spacing_radian(options), degree = 180 / pi;
    g->is_spherical = true;
    g->gravity_m_s2 = gravity_m_s2;
    for (size_t i = 0; i < g->nx; i++)
        grid->x[i] = 100 + spacing * degree * (double)i;
    for (size_t j = 0; j < g->ny; j++)
        grid->y[j] = row_latitude(options, (double)j) * degree;
    for (size_t k = 0; k < g->nx + 1; k++)
        grid->x_distance[k] = radius_m * spacing;
    for (size_t k = 0; k < g->ny + 1; k++)
        grid->y_distance[k] =
            radius_m * (row_latitude(options, (double)k) - row_latitude(options, (double)k - 1));
    for (size_t k = 0; k < g->ny + 2; k++) {
        const double latitude = row_latitude(options, (double)k - 1);
        grid->cosine[k] = cos(latitude);
        grid->tangent[k] = tan(latitude) / radius_m;
        grid->coriolis[k] = 2 * 7.2921159e-5 * sin(latitude);
    }
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++)
            grid->depth_m[j * g->pitch + i] =
                mean_depth_m + depth_range_m * sin(0.013 * (double)i) * cos(0.017 * (double)j);
    g->x = grid->x;
    g->y = grid->y;
    g->x_distance_m = grid->x_distance + 1;
    g->y_distance_m = grid->y_distance + 1;
    g->cos_latitude = grid->cosine + 1;
    g->tan_over_radius = grid->tangent + 1;
    g->coriolis_per_s = grid->coriolis + 1;
}

// A wave everywhere, so that nothing is quiet.
static void set_state(struct bench_grid *grid, const struct tsunami_backend *backend,
                      struct tsunami_solver *solver)
{
    for (size_t j = 0; j < grid->geometry.ny; j++) {
        for (size_t i = 0; i < grid->geometry.nx; i++) {
            grid->row[0][i] = wave_height_m * sin(0.05 * (double)i) * sin(0.04 * (double)j);
            grid->row[1][i] = wave_speed_m_s * sin(0.03 * (double)(i + j));
            grid->row[2][i] = wave_speed_m_s * cos(0.02 * (double)i);
        }
        backend->set(solver, j, 0, grid->geometry.nx, grid->row[0], grid->row[1], grid->row[2]);
    }
    backend->touch(solver);
}

// A time is worth something only if what was computed is still an ocean.
static enum status check_state(struct bench_grid *grid, const struct tsunami_backend *backend,
                               struct tsunami_solver *solver)
{
    if (backend->fetch)
        CHECK(backend->fetch(solver));
    for (size_t j = 0; j < grid->geometry.ny; j++) {
        backend->get(solver, j, 0, grid->geometry.nx, grid->row[0], grid->row[1], grid->row[2]);
        for (size_t i = 0; i < grid->geometry.nx; i++)
            if (!(fabs(grid->row[0][i]) < 100 * wave_height_m))
                return FAIL(STATUS_SOFTWARE,
                            "%s: the benchmark became unstable at column %zu, row %zu: eta = %g m",
                            backend->name, i, j, grid->row[0][i]);
    }
    return STATUS_OK;
}

// ---- timing

struct stopwatch {
    const struct tsunami_backend *backend;
    struct tsunami_solver *solver;
    double host_s;
    struct device_times device;
};

static enum status wait_for(const struct stopwatch *watch)
{
    struct tsunami_unsound found = {.step = -1};
    return watch->backend->finish ? watch->backend->finish(watch->solver, &found) : STATUS_OK;
}

// Seconds that `steps` steps from `first_step` on take, begun steps awaited, by the device's clock if it has
// counted all.
static enum status time_steps(struct stopwatch *watch, int64_t first_step, int steps, double *seconds,
                              bool *is_device_clock)
{
    const struct tsunami_backend *backend = watch->backend;
    const bool has_clock = backend->times != NULL && backend->finish != NULL;
    struct device_times before = {0}, after = {0};
    if (has_clock)
        before = backend->times(watch->solver);
    const double begin_s = clock_now_s();
    CHECK(backend->advance(watch->solver, first_step, steps));
    CHECK(wait_for(watch));
    *seconds = clock_now_s() - begin_s;
    if (has_clock)
        after = backend->times(watch->solver);
    *is_device_clock =
        after.is_measured && after.uncounted == before.uncounted && after.compute_s > before.compute_s;
    if (*is_device_clock)
        *seconds = after.compute_s - before.compute_s;
    return STATUS_OK;
}

// Runs some steps first: code is loaded, caches and clocks are up. They tell how many steps make a
// repetition.
static enum status warm_up(struct stopwatch *watch, const struct bench_options *options, int *steps,
                           int64_t *step)
{
    double seconds;
    bool is_device_clock;
    const bool is_device = watch->backend->fetch != NULL;
    const int warm = is_device ? HOST_STEPS : 2;
    CHECK(time_steps(watch, 0, 2, &seconds, &is_device_clock));
    *step = 2;
    *steps = options->steps > 0 ? options->steps : HOST_STEPS;
    if (!is_device)
        return STATUS_OK;
    CHECK(time_steps(watch, *step, warm, &seconds, &is_device_clock));
    *step += warm;
    if (options->steps == 0)
        *steps = (int)fmin(STEPS_MAX, fmax(HOST_STEPS, ceil(device_repetition_s / (seconds / warm))));
    // The clock rates of a device take their time to settle.
    CHECK(time_steps(watch, *step, *steps, &seconds, &is_device_clock));
    *step += *steps;
    return STATUS_OK;
}

static enum status time_variant(struct bench_grid *grid, const struct bench_options *options,
                                const struct tsunami_backend *backend, struct tsunami_solver *solver,
                                struct bench_row *row)
{
    struct stopwatch watch = {.backend = backend, .solver = solver};
    const bool is_reference = backend == &tsunami_backend_reference;
    const int repeat = is_reference ? 1 : options->repeat;
    double seconds[REPEAT_MAX];
    int64_t step = 1;
    CHECK(backend->start(solver));
    set_state(grid, backend, solver);
    backend->record(solver, 0);
    if (is_reference) { // slow: one step, and one to warm up
        row->steps = 1;
        CHECK(backend->advance(solver, 0, 1));
    } else {
        CHECK(warm_up(&watch, options, &row->steps, &step));
    }
    row->is_device_clock = true;
    for (int k = 0; k < repeat; k++, step += row->steps) {
        bool is_device_clock;
        CHECK(time_steps(&watch, step, row->steps, &seconds[k], &is_device_clock));
        row->is_device_clock &= is_device_clock;
    }
    row->step_ms = 1e3 * statistics_median(seconds, (size_t)repeat) / row->steps;
    return check_state(grid, backend, solver);
}

// Plans, reserves, times and releases: what one variant took is free for the next, on the device too.
static enum status bench_variant(const struct bench_options *options, double step_s, struct bench_row *row)
{
    struct bench_grid grid = {0};
    const struct tsunami_backend *const backend = row->entry->backend;
    static struct memory_plan plan;
    memory_plan_begin(&plan);
    grid.physics = (struct tsunami_physics){.method = row->method,
                                            .has_coriolis = true,
                                            .has_curvature = true,
                                            .manning_n = options->manning_n,
                                            .wall_depth_m = 10};
    const struct tsunami_setup setup = {.geometry = &grid.geometry,
                                        .physics = &grid.physics,
                                        .records = &grid.records,
                                        .depth_m = (const double *const *)&grid.depth_m,
                                        .precision = row->precision,
                                        .step_s = step_s,
                                        .device = row->entry->device,
                                        .skips_quiet_tiles = true};
    struct tsunami_solver *solver = NULL;
    enum status status = plan_grid(&grid, options, row->precision, &plan);
    if (status == STATUS_OK)
        status = backend->plan(&setup, &plan, "", &solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK && backend->warm_up)
        status = backend->warm_up(solver);
    if (status == STATUS_OK) {
        fill_grid(&grid, options);
        status = time_variant(&grid, options, backend, solver, row);
    }
    memory_plan_release(&plan);
    if (solver)
        backend->destroy(solver);
    CHECK(status);
    row->nodes_per_s = (double)options->nx * (double)options->ny / (row->step_ms / 1e3);
    row->bytes_per_node = 7.0 * (double)element_bytes(row->precision) + (options->has_maxima ? 4 : 0);
    row->gigabytes_per_s = row->bytes_per_node * row->nodes_per_s / 1e9;
    return STATUS_OK;
}

// A copy by all threads of an array well beyond the caches: bytes read plus bytes written, per second.
static enum status measure_host_copy(const struct bench_options *options, double *bytes_per_s)
{
    const size_t count = (size_t)32 << 20;
    double *from = NULL, *to = NULL;
    static struct memory_plan plan;
    memory_plan_begin(&plan);
    CHECK(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, 1, count, (void **)&from, "copy from"));
    CHECK(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, 1, count, (void **)&to, "copy to"));
    CHECK(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    double seconds[REPEAT_MAX];
    for (int k = -1; k < options->repeat; k++) {
        const double begin_s = clock_now_s();
#pragma omp parallel for simd schedule(static)
        for (size_t i = 0; i < count; i++)
            to[i] = from[i] + 1.0;
        if (k >= 0)
            seconds[k] = clock_now_s() - begin_s;
    }
    *bytes_per_s = 16.0 * (double)count / statistics_median(seconds, (size_t)options->repeat);
    memory_plan_release(&plan);
    return STATUS_OK;
}

// ---- which variants

static void add_note(struct bench_results *results, const char *what, const char *why)
{
    if (results->note_count < NOTES_MAX)
        snprintf(results->notes[results->note_count++], NOTE_BYTES, "%s: not measured: %s", what, why);
}

// What a machine refuses is told and the rest goes on, unless the back end was asked for by name.
static enum status forgive(const struct bench_options *options, struct bench_results *results,
                           const char *what, enum status status)
{
    if (status != STATUS_SYSTEM || options->named_count > 0)
        return status;
    add_note(results, what, status_message());
    status_clear();
    return STATUS_OK;
}

// Those that were named, in that order; else each that this build has, on its first device.
static void list_entries(const struct bench_options *options, struct bench_results *results)
{
    results->entry_count = options->named_count;
    memcpy(results->entries, options->named, sizeof results->entries);
    for (int k = 0; options->named_count == 0 && tsunami_backend_at(k); k++) {
        const struct tsunami_backend *backend = tsunami_backend_at(k);
        if (results->entry_count == ENTRIES_MAX ||
            (options->skips_reference && backend == &tsunami_backend_reference))
            continue;
        struct bench_entry *entry = &results->entries[results->entry_count++];
        *entry = (struct bench_entry){.backend = backend};
        snprintf(entry->label, sizeof entry->label, "%s", backend->name);
    }
}

// The copy rate of the memory that entry number `index` works in; 0 if it cannot be used here, which is
// noted, or, if it was asked for by name, a failure.
static enum status measure_copy(const struct bench_options *options, int index, struct bench_results *results)
{
    struct bench_entry *entry = &results->entries[index];
    const struct tsunami_backend *backend = entry->backend;
    double *copy = &entry->copy_gigabytes_per_s, bytes_per_s = 0;
    char why[NOTE_BYTES] = "";
    // Asked first: what its libraries would say in mid-work is not what is wrong.
    if (backend->is_usable && !backend->is_usable(entry->device, why, sizeof why)) {
        if (options->named_count > 0)
            return FAIL(STATUS_SYSTEM, "bench tsunami: %s cannot be used here: %s", entry->label, why);
        add_note(results, entry->label, why);
        return STATUS_OK;
    }
    for (int k = 0; !backend->measure_copy && k < index; k++)
        if (!results->entries[k].backend->measure_copy) // the host's memory: once is enough
            *copy = fmax(*copy, results->entries[k].copy_gigabytes_per_s);
    if (*copy > 0)
        return STATUS_OK;
    if (backend->measure_copy)
        CHECK(forgive(options, results, entry->label, backend->measure_copy(entry->device, &bytes_per_s)));
    else
        CHECK(measure_host_copy(options, &bytes_per_s));
    *copy = bytes_per_s / 1e9;
    return STATUS_OK;
}

static void describe_variant(const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s, %s", row->precision == ELEMENT_F32 ? "float" : "double",
             row->method == TSUNAMI_VTCS2 ? "vtcs2" : "vtcs2-o2");
}

static enum status bench_entry(const struct bench_options *options, const struct bench_entry *entry,
                               struct bench_results *results)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2};
    // The reference is in double whatever is asked for.
    for (int p = entry->backend == &tsunami_backend_reference ? 1 : 0; p < 2; p++)
        for (int m = 0; m < 2; m++) {
            struct bench_row *row = &results->rows[results->row_count];
            *row = (struct bench_row){.entry = entry, .precision = precisions[p], .method = methods[m]};
            char what[LABEL_BYTES + 64], variant[48];
            describe_variant(row, variant, sizeof variant);
            snprintf(what, sizeof what, "%s, %s", entry->label, variant);
            CHECK(forgive(options, results, what, bench_variant(options, results->step_s, row)));
            results->row_count += row->step_ms > 0;
        }
    return STATUS_OK;
}

// ---- what is printed

// "712.9 M", "96.42 G"
static void format_rate(double rate, char *text, size_t bytes)
{
    if (rate >= 1e9)
        snprintf(text, bytes, "%.4g G", rate / 1e9);
    else
        snprintf(text, bytes, "%.4g M", rate / 1e6);
}

static void print_table(const struct bench_options *options, const struct bench_results *results)
{
    printf("grid %zu x %zu, step %g s (limit %.3g s), %d threads, instruction set %s, median of %d%s%s\n",
           options->nx, options->ny, results->step_s, results->limit_s, omp_get_max_threads(),
           tsunami_backend_openmp.instruction_set(), options->repeat,
           options->has_maxima ? ", with maxima" : "", options->manning_n > 0 ? ", with friction" : "");
    for (int k = 0; k < results->entry_count; k++)
        if (results->entries[k].copy_gigabytes_per_s > 0)
            printf("copy rate %.1f GB/s (read + written) in the memory of %s\n",
                   results->entries[k].copy_gigabytes_per_s, results->entries[k].label);
    printf("\n%-12s %-17s %6s %10s %14s %11s %8s %8s %14s\n", "back end", "variant", "steps", "ms a step",
           "node-steps/s", "bytes/node", "GB/s", "of copy", "8640 steps, s");
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        char rate[32], variant[48];
        format_rate(row->nodes_per_s, rate, sizeof rate);
        describe_variant(row, variant, sizeof variant);
        printf("%-12s %-17s %6d %10.4g %14s %11.0f %8.4g %7.0f%% %14.4g\n", row->entry->label, variant,
               row->steps, row->step_ms, rate, row->bytes_per_node, row->gigabytes_per_s,
               100 * row->gigabytes_per_s / row->entry->copy_gigabytes_per_s,
               row->step_ms / 1e3 * FORECAST_STEPS);
    }
    for (int k = 0; k < results->note_count; k++)
        printf("%s%s\n", k == 0 ? "\n" : "", results->notes[k]);
}

static void add_row(cJSON *list, const struct bench_row *row)
{
    char variant[48];
    describe_variant(row, variant, sizeof variant);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "backend", row->entry->label);
    cJSON_AddStringToObject(item, "variant", variant);
    cJSON_AddNumberToObject(item, "steps", row->steps);
    cJSON_AddStringToObject(item, "clock", row->is_device_clock ? "device" : "host");
    cJSON_AddNumberToObject(item, "step_ms", row->step_ms);
    cJSON_AddNumberToObject(item, "node_steps_per_s", row->nodes_per_s);
    cJSON_AddNumberToObject(item, "bytes_per_node", row->bytes_per_node);
    cJSON_AddNumberToObject(item, "gb_s", row->gigabytes_per_s);
    cJSON_AddNumberToObject(item, "copy_gb_s", row->entry->copy_gigabytes_per_s);
    cJSON_AddNumberToObject(item, "of_copy", row->gigabytes_per_s / row->entry->copy_gigabytes_per_s);
    cJSON_AddNumberToObject(item, "seconds_for_8640_steps", row->step_ms / 1e3 * FORECAST_STEPS);
    cJSON_AddItemToArray(list, item);
}

static enum status print_json(const struct bench_options *options, const struct bench_results *results)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddNumberToObject(report, "nx", (double)options->nx);
    cJSON_AddNumberToObject(report, "ny", (double)options->ny);
    cJSON_AddNumberToObject(report, "step_s", results->step_s);
    cJSON_AddNumberToObject(report, "step_limit_s", results->limit_s);
    cJSON_AddNumberToObject(report, "threads", omp_get_max_threads());
    cJSON_AddStringToObject(report, "instruction_set", tsunami_backend_openmp.instruction_set());
    cJSON_AddNumberToObject(report, "repeat", options->repeat);
    cJSON_AddBoolToObject(report, "maxima", options->has_maxima);
    cJSON_AddNumberToObject(report, "manning_n", options->manning_n);
    cJSON *copies = cJSON_AddObjectToObject(report, "copy_gb_s");
    for (int k = 0; k < results->entry_count; k++)
        if (results->entries[k].copy_gigabytes_per_s > 0)
            cJSON_AddNumberToObject(copies, results->entries[k].label,
                                    results->entries[k].copy_gigabytes_per_s);
    cJSON *list = cJSON_AddArrayToObject(report, "variants");
    for (int k = 0; k < results->row_count; k++)
        add_row(list, &results->rows[k]);
    cJSON *notes = cJSON_AddArrayToObject(report, "notes");
    for (int k = 0; k < results->note_count; k++)
        cJSON_AddItemToArray(notes, cJSON_CreateString(results->notes[k]));
    char *text = cJSON_Print(report);
    cJSON_Delete(report);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the table as JSON");
    puts(text);
    free(text);
    return STATUS_OK;
}

static enum status choose_step(const struct bench_options *options, struct bench_results *results)
{
    results->limit_s = step_limit_s(options);
    results->step_s = options->step_s > 0 ? options->step_s : fmin(usual_step_s, 0.9 * results->limit_s);
    if (results->step_s <= results->limit_s)
        return STATUS_OK;
    return FAIL(STATUS_USAGE, "bench tsunami: --step: %g s is unstable on this grid, whose limit is %.4g s",
                results->step_s, results->limit_s);
}

static enum status bench(const struct bench_options *options)
{
    static struct bench_results results;
    memset(&results, 0, sizeof results);
    CHECK(choose_step(options, &results));
    list_entries(options, &results);
    for (int k = 0; k < results.entry_count; k++)
        CHECK(measure_copy(options, k, &results));
    for (int k = 0; k < results.entry_count; k++)
        if (results.entries[k].copy_gigabytes_per_s > 0)
            CHECK(bench_entry(options, &results.entries[k], &results));
    if (options->as_json)
        return print_json(options, &results);
    print_table(options, &results);
    return STATUS_OK;
}

// ---- the command line

// A whole number within limits, and nothing behind it.
static bool read_count(const char *text, int least, int most, int *count)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    *count = (int)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value >= least && value <= most;
}

static bool read_size(const char *text, size_t *nx, size_t *ny)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    *nx = strtoul(text, &end, 10);
    if (*end != 'x' || end[1] < '0' || end[1] > '9')
        return false;
    *ny = strtoul(end + 1, &end, 10);
    return *end == '\0' && *nx >= 4 && *ny >= 4 && *nx <= 100000 && *ny <= 100000;
}

static enum status mistake(const char *message)
{
    return FAIL(STATUS_USAGE, "bench tsunami: %s; see fathom bench tsunami --help", message);
}

static enum status read_backend(const char *text, struct bench_options *options)
{
    if (strcmp(text, "auto") == 0)
        return mistake("--backend: \"auto\" is no back end; leave --backend out for each of them");
    struct bench_entry entry = {0};
    CHECK_ABOUT(tsunami_backend_read(text, &entry.backend, &entry.device) == STATUS_OK ? STATUS_OK
                                                                                       : STATUS_USAGE,
                "bench tsunami: --backend");
    snprintf(entry.label, sizeof entry.label, "%s", text);
    for (int k = 0; k < options->named_count; k++)
        if (options->named[k].backend == entry.backend && options->named[k].device == entry.device)
            return STATUS_OK;
    if (options->named_count == ENTRIES_MAX)
        return FAIL(STATUS_USAGE, "bench tsunami: --backend: at most %d at a time", ENTRIES_MAX);
    options->named[options->named_count++] = entry;
    return STATUS_OK;
}

enum { SIZE = 256, STEP, BACKEND, STEPS, REPEAT, MANNING, MAXIMA, NO_REFERENCE, JSON };

static enum status take_option(int option, struct bench_options *options)
{
    int threads;
    char *end;
    switch (option) {
    case SIZE:
        return read_size(optarg, &options->nx, &options->ny)
                   ? STATUS_OK
                   : mistake("--size needs two numbers from 4 to 100000, like 2879x2581");
    case STEP:
        CHECK_ABOUT(units_parse_quantity(optarg, "s", &options->step_s) == STATUS_OK ? STATUS_OK
                                                                                     : STATUS_USAGE,
                    "bench tsunami: --step");
        return options->step_s > 0 ? STATUS_OK : mistake("--step must be longer than 0");
    case BACKEND:
        return read_backend(optarg, options);
    case STEPS:
        return read_count(optarg, 2, STEPS_MAX, &options->steps) ? STATUS_OK
                                                                 : mistake("--steps needs 2 to 100000");
    case REPEAT:
        return read_count(optarg, 1, REPEAT_MAX, &options->repeat) ? STATUS_OK
                                                                   : mistake("--repeat needs 1 to 101");
    case MANNING:
        options->manning_n = strtod(optarg, &end);
        return optarg[0] != '\0' && *end == '\0' && options->manning_n >= 0 && options->manning_n < 1
                   ? STATUS_OK
                   : mistake("--manning needs a number from 0 to 1");
    case MAXIMA:
        options->has_maxima = true;
        return STATUS_OK;
    case NO_REFERENCE:
        options->skips_reference = true;
        return STATUS_OK;
    case 't':
        if (!read_count(optarg, 1, 4096, &threads))
            return mistake("--threads needs a number from 1 to 4096");
        omp_set_num_threads(threads);
        return STATUS_OK;
    default:
        options->as_json = true;
        return STATUS_OK;
    }
}

int tsunami_bench(int argc, char **argv)
{
    static const struct option long_options[] = {{"size", required_argument, NULL, SIZE},
                                                 {"step", required_argument, NULL, STEP},
                                                 {"backend", required_argument, NULL, BACKEND},
                                                 {"steps", required_argument, NULL, STEPS},
                                                 {"repeat", required_argument, NULL, REPEAT},
                                                 {"manning", required_argument, NULL, MANNING},
                                                 {"maxima", no_argument, NULL, MAXIMA},
                                                 {"no-reference", no_argument, NULL, NO_REFERENCE},
                                                 {"threads", required_argument, NULL, 't'},
                                                 {"json", no_argument, NULL, JSON},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct bench_options options = {.nx = 2879, .ny = 2581, .repeat = 7};
    enum status status = STATUS_OK;
    optind = 1;
    for (int option;
         status == STATUS_OK && (option = getopt_long(argc, argv, "t:h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (option == '?')
            return status_exit_code(STATUS_USAGE); // getopt has said why
        status = take_option(option, &options);
    }
    if (status == STATUS_OK && optind < argc)
        status = mistake("only options are expected");
    if (status == STATUS_OK)
        status = bench(&options);
    units_release();
    if (status != STATUS_OK)
        fprintf(stderr, "fathom: %s\n", status_message());
    return status_exit_code(status);
}
