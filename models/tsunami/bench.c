// `fathom bench tsunami`: every variant of the CPU solvers on one grid with the whole ocean moving, beside
// the copy rate that this machine reaches in the same run. Medians of several repetitions; no timing is ever
// a test.
#include "models/tsunami/bench.h"

#include "core/clock.h"
#include "core/statistics.h"
#include "io/units.h"
#include "models/tsunami/solver.h"

#include <cjson/cJSON.h>
#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: fathom bench tsunami [OPTIONS]\n"
    "\n"
    "Times the tsunami's solvers on an ocean-like grid in which every node is wet and moving: the sphere, "
    "Coriolis\n"
    "and curvature on, depths 1700 to 6300 m. Each line is the median of several repetitions. 'bytes' are "
    "those\n"
    "that one pass must move (e, u, v and c0 read, e, u, v written), 'of copy' compares them with a plain "
    "copy\n"
    "measured in the same run.\n"
    "\n"
    "Options:\n"
    "      --size NXxNY      nodes of the grid (2879x2581, the Pacific at 4 arc-minutes)\n"
    "      --steps N         steps in a repetition (10; the reference takes one)\n"
    "      --repeat N        repetitions (7)\n"
    "      --manning N       with bottom friction of this roughness (0)\n"
    "      --maxima          with maxima and one arrival time\n"
    "      --no-reference    leave out the slow reference\n"
    "  -t, --threads N       processor cores to use (all)\n"
    "      --json            as JSON\n"
    "  -h, --help            this text\n";

enum { REPEAT_MAX = 101, ROWS_MAX = 16 };

struct bench_options {
    size_t nx, ny;
    int steps, repeat;
    double manning_n;
    bool has_maxima, skips_reference, as_json;
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
    const char *backend;
    char variant[48];
    double step_ms, nodes_per_s, bytes_per_node, gigabytes_per_s;
};

static const double pi = 3.14159265358979323846;

static enum status plan_grid(struct bench_grid *grid, const struct bench_options *options,
                             enum element precision, struct memory_plan *plan)
{
    const size_t nx = options->nx, ny = options->ny,
                 pitch = memory_pitch(nx + 2 * TSUNAMI_HALO_COLUMNS, precision);
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

static void fill_grid(struct bench_grid *grid, const struct bench_options *options)
{
    struct tsunami_geometry *g = &grid->geometry;
    const double radius = 6371e3, spacing = 4.0 / 60, radian = pi / 180;
    g->is_spherical = true;
    g->nx = options->nx;
    g->ny = options->ny;
    g->gravity_m_s2 = 9.81;
    for (size_t i = 0; i < g->nx; i++)
        grid->x[i] = 120 + spacing * (double)i;
    const double south = fmax(-75, -0.5 * spacing * (double)g->ny);
    for (size_t j = 0; j < g->ny; j++)
        grid->y[j] = south + spacing * (double)j;
    for (size_t k = 0; k < g->nx + 1; k++)
        grid->x_distance[k] = radius * radian * spacing;
    for (size_t k = 0; k < g->ny + 1; k++)
        grid->y_distance[k] = radius * radian * spacing;
    for (size_t k = 0; k < g->ny + 2; k++) {
        const double latitude = radian * fmax(-75, fmin(75, south + spacing * ((double)k - 1)));
        grid->cosine[k] = cos(latitude);
        grid->tangent[k] = tan(latitude) / radius;
        grid->coriolis[k] = 2 * 7.2921159e-5 * sin(latitude);
    }
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++)
            grid->depth_m[j * g->pitch + i] = 4000 + 2300 * sin(0.013 * (double)i) * cos(0.017 * (double)j);
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
            grid->row[0][i] = 0.5 * sin(0.05 * (double)i) * sin(0.04 * (double)j);
            grid->row[1][i] = 0.01 * sin(0.03 * (double)(i + j));
            grid->row[2][i] = 0.01 * cos(0.02 * (double)i);
        }
        backend->set(solver, j, 0, grid->geometry.nx, grid->row[0], grid->row[1], grid->row[2]);
    }
    backend->touch(solver);
}

static enum status time_steps(struct bench_grid *grid, const struct bench_options *options,
                              const struct tsunami_backend *backend, struct tsunami_solver *solver, int steps,
                              double *seconds_per_step)
{
    CHECK(backend->start(solver));
    set_state(grid, backend, solver);
    backend->record(solver, 0);
    double seconds[REPEAT_MAX];
    const int repeat = steps == 1 ? 1 : options->repeat;
    CHECK(backend->advance(solver, 0, steps == 1 ? 1 : 2)); // warm
    int64_t step = 2;
    for (int k = 0; k < repeat; k++, step += steps) {
        const double begin_s = clock_now_s();
        CHECK(backend->advance(solver, step, steps));
        seconds[k] = (clock_now_s() - begin_s) / steps;
    }
    *seconds_per_step = statistics_median(seconds, (size_t)repeat);
    return STATUS_OK;
}

static enum status bench_variant(const struct bench_options *options, const struct tsunami_backend *backend,
                                 enum element precision, enum tsunami_method method, struct bench_row *row)
{
    struct bench_grid grid = {0};
    static struct memory_plan plan;
    memory_plan_begin(&plan);
    CHECK(plan_grid(&grid, options, precision, &plan));
    grid.physics = (struct tsunami_physics){.method = method,
                                            .has_coriolis = true,
                                            .has_curvature = true,
                                            .manning_n = options->manning_n,
                                            .wall_depth_m = 10};
    const struct tsunami_setup setup = {.geometry = &grid.geometry,
                                        .physics = &grid.physics,
                                        .records = &grid.records,
                                        .depth_m = (const double *const *)&grid.depth_m,
                                        .precision = precision,
                                        .step_s = 5,
                                        .skips_quiet_tiles = true};
    grid.geometry.nx = options->nx;
    grid.geometry.ny = options->ny;
    struct tsunami_solver *solver = NULL;
    double seconds = 0;
    enum status status = backend->plan(&setup, &plan, "", &solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK) {
        fill_grid(&grid, options);
        status = time_steps(&grid, options, backend, solver,
                            backend == &tsunami_backend_reference ? 1 : options->steps, &seconds);
    }
    memory_plan_release(&plan);
    if (solver)
        backend->destroy(solver);
    CHECK(status);
    const double nodes = (double)options->nx * (double)options->ny;
    row->backend = backend->name;
    snprintf(row->variant, sizeof row->variant, "%s, %s", precision == ELEMENT_F32 ? "float" : "double",
             method == TSUNAMI_VTCS2 ? "vtcs2" : "vtcs2-o2");
    row->step_ms = seconds * 1e3;
    row->nodes_per_s = nodes / seconds;
    row->bytes_per_node = 7.0 * (double)element_bytes(precision) + (options->has_maxima ? 4 : 0);
    row->gigabytes_per_s = row->bytes_per_node * row->nodes_per_s / 1e9;
    return STATUS_OK;
}

// A copy by all threads of an array well beyond the caches: bytes read plus bytes written, per second.
static enum status measure_copy(const struct bench_options *options, double *gigabytes_per_s)
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
    *gigabytes_per_s = 16.0 * (double)count / statistics_median(seconds, (size_t)options->repeat) / 1e9;
    memory_plan_release(&plan);
    return STATUS_OK;
}

static void print_table(const struct bench_options *options, double copy, const struct bench_row *rows,
                        int count)
{
    printf("grid %zu x %zu, %d threads, instruction set %s, %d steps a repetition, median of %d%s%s\n",
           options->nx, options->ny, omp_get_max_threads(), tsunami_backend_openmp.instruction_set(),
           options->steps, options->repeat, options->has_maxima ? ", with maxima" : "",
           options->manning_n > 0 ? ", with friction" : "");
    printf("copy rate %.1f GB/s (read + written)\n\n", copy);
    printf("%-10s %-18s %12s %16s %12s %8s %8s\n", "back end", "variant", "ms a step", "Mnode-steps/s",
           "bytes/node", "GB/s", "of copy");
    for (int k = 0; k < count; k++)
        printf("%-10s %-18s %12.2f %16.1f %12.0f %8.2f %7.0f%%\n", rows[k].backend, rows[k].variant,
               rows[k].step_ms, rows[k].nodes_per_s / 1e6, rows[k].bytes_per_node, rows[k].gigabytes_per_s,
               100 * rows[k].gigabytes_per_s / copy);
}

static enum status print_json(const struct bench_options *options, double copy, const struct bench_row *rows,
                              int count)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddNumberToObject(report, "nx", (double)options->nx);
    cJSON_AddNumberToObject(report, "ny", (double)options->ny);
    cJSON_AddNumberToObject(report, "threads", omp_get_max_threads());
    cJSON_AddStringToObject(report, "instruction_set", tsunami_backend_openmp.instruction_set());
    cJSON_AddNumberToObject(report, "copy_gb_s", copy);
    cJSON *list = cJSON_AddArrayToObject(report, "variants");
    for (int k = 0; k < count; k++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "backend", rows[k].backend);
        cJSON_AddStringToObject(item, "variant", rows[k].variant);
        cJSON_AddNumberToObject(item, "step_ms", rows[k].step_ms);
        cJSON_AddNumberToObject(item, "node_steps_per_s", rows[k].nodes_per_s);
        cJSON_AddNumberToObject(item, "bytes_per_node", rows[k].bytes_per_node);
        cJSON_AddNumberToObject(item, "gb_s", rows[k].gigabytes_per_s);
        cJSON_AddNumberToObject(item, "of_copy", rows[k].gigabytes_per_s / copy);
        cJSON_AddItemToArray(list, item);
    }
    char *text = cJSON_Print(report);
    cJSON_Delete(report);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the table as JSON");
    puts(text);
    free(text);
    return STATUS_OK;
}

static enum status bench(const struct bench_options *options)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2};
    struct bench_row rows[ROWS_MAX];
    int count = 0;
    double copy;
    CHECK(measure_copy(options, &copy));
    for (int m = 0; m < 2 && !options->skips_reference; m++)
        CHECK(bench_variant(options, &tsunami_backend_reference, ELEMENT_F64, methods[m], &rows[count++]));
    for (int p = 0; p < 2; p++)
        for (int m = 0; m < 2; m++)
            CHECK(bench_variant(options, &tsunami_backend_openmp, precisions[p], methods[m], &rows[count++]));
    if (options->as_json)
        return print_json(options, copy, rows, count);
    print_table(options, copy, rows, count);
    return STATUS_OK;
}

static int usage(const char *message)
{
    fprintf(stderr, "fathom: bench tsunami: %s; see fathom bench tsunami --help\n", message);
    return status_exit_code(STATUS_USAGE);
}

int tsunami_bench(int argc, char **argv)
{
    enum { SIZE = 256, STEPS, REPEAT, MANNING, MAXIMA, NO_REFERENCE, JSON };
    static const struct option long_options[] = {{"size", required_argument, NULL, SIZE},
                                                 {"steps", required_argument, NULL, STEPS},
                                                 {"repeat", required_argument, NULL, REPEAT},
                                                 {"manning", required_argument, NULL, MANNING},
                                                 {"maxima", no_argument, NULL, MAXIMA},
                                                 {"no-reference", no_argument, NULL, NO_REFERENCE},
                                                 {"threads", required_argument, NULL, 't'},
                                                 {"json", no_argument, NULL, JSON},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct bench_options options = {.nx = 2879, .ny = 2581, .steps = 10, .repeat = 7};
    int threads = 0;
    optind = 1;
    for (int option; (option = getopt_long(argc, argv, "t:h", long_options, NULL)) != -1;) {
        switch (option) {
        case SIZE:
            if (sscanf(optarg, "%zux%zu", &options.nx, &options.ny) != 2 || options.nx < 4 ||
                options.ny < 4 || options.nx > 100000 || options.ny > 100000)
                return usage("--size needs two numbers from 4 to 100000, like 2879x2581");
            break;
        case STEPS:
            options.steps = atoi(optarg);
            break;
        case REPEAT:
            options.repeat = atoi(optarg);
            break;
        case MANNING:
            options.manning_n = atof(optarg);
            break;
        case MAXIMA:
            options.has_maxima = true;
            break;
        case NO_REFERENCE:
            options.skips_reference = true;
            break;
        case 't':
            threads = atoi(optarg);
            if (threads < 1 || threads > 4096)
                return usage("--threads needs a number from 1 to 4096");
            omp_set_num_threads(threads);
            break;
        case JSON:
            options.as_json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            return status_exit_code(STATUS_USAGE);
        }
    }
    if (options.steps < 2 || options.steps > 100000 || options.repeat < 1 || options.repeat > REPEAT_MAX ||
        !(options.manning_n >= 0 && options.manning_n < 1))
        return usage("--steps needs 2 to 100000, --repeat 1 to 101, --manning 0 to 1");
    enum status status = bench(&options);
    if (status != STATUS_OK)
        fprintf(stderr, "fathom: %s\n", status_message());
    return status_exit_code(status);
}
