// The fast CPU version: perturbation form (point.h), both sweeps in one pass over cache-sized tiles,
// vectorised, threads over tiles. Tiles of pure land are never computed, and tiles that the wave has not
// reached are skipped until a neighbour moves: rest is exact, so the results are the same. Knows no files and
// no memory but what the plan gave it.
#include "models/tsunami/solver.h"

#include "models/tsunami/openmp_isa.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

enum { COLUMN_COEFFICIENTS = 4, ROW_COEFFICIENTS = 8 };

struct tsunami_solver {
    struct tsunami_setup setup;
    const struct tsunami_tile_functions *functions;
    size_t rows, pitch, element;
    // Blocks as reserved; interior node (0, 0) lies halo_offset elements in.
    void *state[2][TSUNAMI_FIELDS], *c0, *columns, *row_coefficients, *scratch;
    size_t halo_offset;
    int current; // which of the two states is the present one
    int threads;
    size_t scratch_pitch;
    // Tiles.
    size_t tile_columns, tile_rows, tile_count, wet_nodes;
    struct tsunami_tile *tiles;
    uint8_t *is_awake;  // computed from now on
    uint8_t *is_moving; // something in it was not zero after the last step
    int32_t *list;      // the awake tiles
    size_t list_length;
    double counts[2]; // node-steps computed and skipped
};

static const struct tsunami_tile_functions *choose_functions(void)
{
#if defined(HAVE_ISA_avx512)
    const char *wanted = getenv("FATHOM_ISA"); // for tests: never more than the processor has
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512vl");
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (has_avx512 && (!wanted || strcmp(wanted, "avx512") == 0))
        return &tsunami_tiles_avx512;
    if (has_avx2 && (!wanted || strcmp(wanted, "generic") != 0))
        return &tsunami_tiles_avx2;
#endif
    return &tsunami_tiles_generic;
}

static const char *openmp_instruction_set(void)
{
    return choose_functions()->instruction_set;
}

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static enum status openmp_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct tsunami_solver **solver)
{
    static const char *const fields[TSUNAMI_FIELDS] = {"e", "u", "v"};
    struct tsunami_solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    *solver = s;
    const struct tsunami_geometry *g = setup->geometry;
    const enum element real = setup->precision;
    s->setup = *setup;
    s->functions = choose_functions();
    s->rows = g->ny + 2 * TSUNAMI_HALO_ROWS;
    s->pitch = g->pitch;
    s->element = element_bytes(real);
    s->halo_offset = TSUNAMI_HALO_ROWS * s->pitch + TSUNAMI_HALO_COLUMNS;
    s->threads = omp_get_max_threads();
    s->tile_columns = divide_up(g->nx, TILE_WIDTH);
    s->tile_rows = divide_up(g->ny, TILE_HEIGHT);
    s->tile_count = s->tile_columns * s->tile_rows;
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(memory_plan_add(plan, MEMORY_HOST, real, s->rows, s->pitch, &s->state[k][f], "%s%s %d",
                                  prefix, fields[f], k));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, s->rows, s->pitch, &s->c0, "%sc0", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, COLUMN_COEFFICIENTS, s->pitch, &s->columns,
                          "%scolumn coefficients", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, ROW_COEFFICIENTS, s->rows, &s->row_coefficients,
                          "%srow coefficients", prefix));
    s->scratch_pitch = memory_pitch(TILE_SCRATCH_ELEMENTS, real);
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, (size_t)s->threads, s->scratch_pitch, &s->scratch,
                          "%sscratch", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, s->tile_count, sizeof *s->tiles, (void **)&s->tiles,
                          "%stiles", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, s->tile_count, (void **)&s->is_awake,
                          "%stile is awake", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, s->tile_count, (void **)&s->is_moving,
                          "%stile is moving", prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, s->tile_count, (void **)&s->list, "%stile list",
                           prefix);
}

// Stores a coefficient in the solver's precision; index −1 … n.
static void put(const struct tsunami_solver *s, void *block, size_t pitch, int which, ptrdiff_t index,
                ptrdiff_t shift, double value)
{
    size_t k = (size_t)which * pitch + (size_t)(index + shift);
    if (s->setup.precision == ELEMENT_F32)
        ((float *)block)[k] = (float)value;
    else
        ((double *)block)[k] = value;
}

static void fill_coefficients(struct tsunami_solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct tsunami_physics *physics = s->setup.physics;
    const double dt = s->setup.step_s;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
        const double dm = g->x_distance_m[i - 1], dp = g->x_distance_m[i];
        const double values[COLUMN_COEFFICIENTS] = {1 / (dm + dp), 1 / dm, 1 / dp, dp - dm};
        for (int k = 0; k < COLUMN_COEFFICIENTS; k++)
            put(s, s->columns, s->pitch, k, i, TSUNAMI_HALO_COLUMNS, values[k]);
    }
    for (ptrdiff_t j = -1; j <= (ptrdiff_t)g->ny; j++) {
        // Halo rows are swept along x only; their y spacing is never used.
        const double dm = g->y_distance_m[j < 0 ? -1 : j - 1];
        const double dp = g->y_distance_m[j < (ptrdiff_t)g->ny ? j : (ptrdiff_t)g->ny - 1];
        const double tangent = g->tan_over_radius[j];
        const double values[ROW_COEFFICIENTS] = {1 / (dm + dp),
                                                 1 / dm,
                                                 1 / dp,
                                                 dp - dm,
                                                 dt / g->cos_latitude[j],
                                                 physics->has_coriolis ? dt * g->coriolis_per_s[j] : 0,
                                                 physics->has_curvature ? dt * tangent : 0,
                                                 0.5 * dt * tangent};
        for (int k = 0; k < ROW_COEFFICIENTS; k++)
            put(s, s->row_coefficients, s->rows, k, j, TSUNAMI_HALO_ROWS, values[k]);
    }
}

static double wet_celerity(const struct tsunami_solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
        i = (i + nx) % nx;
    if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
        j = (j + ny) % ny;
    if (i < 0 || j < 0 || i >= nx || j >= ny)
        return 0;
    const double depth = (*s->setup.depth_m)[(size_t)j * g->pitch + (size_t)i];
    return depth > s->setup.physics->wall_depth_m ? sqrt(g->gravity_m_s2 * depth) : 0;
}

static void make_tiles(struct tsunami_solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    for (size_t t = 0; t < s->tile_count; t++) {
        struct tsunami_tile *tile = &s->tiles[t];
        tile->column = (ptrdiff_t)(t % s->tile_columns) * TILE_WIDTH;
        tile->row_begin = (ptrdiff_t)(t / s->tile_columns) * TILE_HEIGHT;
        tile->width = nx - tile->column < TILE_WIDTH ? nx - tile->column : TILE_WIDTH;
        tile->row_end = ny - tile->row_begin < TILE_HEIGHT ? ny : tile->row_begin + TILE_HEIGHT;
        tile->is_land = true;
        tile->has_land = false;
        for (ptrdiff_t j = tile->row_begin - 1; j <= tile->row_end; j++)
            for (ptrdiff_t i = tile->column - 1; i <= tile->column + tile->width; i++) {
                const bool is_inside = j >= tile->row_begin && j < tile->row_end && i >= tile->column &&
                                       i < tile->column + tile->width;
                if (wet_celerity(s, i, j) > 0)
                    tile->is_land = tile->is_land && !is_inside;
                else
                    tile->has_land = true;
            }
    }
}

static enum status openmp_start(struct tsunami_solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    fill_coefficients(s);
    s->wet_nodes = 0;
    for (ptrdiff_t j = -1; j <= (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = -1; i <= (ptrdiff_t)g->nx; i++) {
            const double celerity = wet_celerity(s, i, j);
            put(s, s->c0, s->pitch, (int)(j + 1), i, TSUNAMI_HALO_COLUMNS, celerity);
            s->wet_nodes += celerity > 0 && i >= 0 && j >= 0 && i < (ptrdiff_t)g->nx && j < (ptrdiff_t)g->ny;
        }
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            memset(s->state[k][f], 0, s->rows * s->pitch * s->element);
    make_tiles(s);
    memset(s->is_awake, 0, s->tile_count);
    memset(s->is_moving, 0, s->tile_count);
    s->list_length = 0;
    s->current = 0;
    s->counts[0] = s->counts[1] = 0;
    return STATUS_OK;
}

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/openmp_access.h"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/openmp_access.h"
#undef REAL
#undef POINT

static void openmp_get(const struct tsunami_solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s)
{
    if (s->setup.precision == ELEMENT_F32)
        get_f(s, row, first, count, eta_m, u_m_s, v_m_s);
    else
        get_d(s, row, first, count, eta_m, u_m_s, v_m_s);
}

static void openmp_set(struct tsunami_solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s)
{
    if (s->setup.precision == ELEMENT_F32)
        set_f(s, row, first, count, eta_m, u_m_s, v_m_s);
    else
        set_d(s, row, first, count, eta_m, u_m_s, v_m_s);
}

static void openmp_lift(struct tsunami_solver *s, size_t row, const double *uplift_m)
{
    if (s->setup.precision == ELEMENT_F32)
        lift_f(s, row, uplift_m);
    else
        lift_d(s, row, uplift_m);
}

// Wakes a tile and its eight neighbours (through periodic edges too).
static void wake_about(struct tsunami_solver *s, size_t t)
{
    const ptrdiff_t columns = (ptrdiff_t)s->tile_columns, rows = (ptrdiff_t)s->tile_rows;
    const ptrdiff_t column = (ptrdiff_t)t % columns, row = (ptrdiff_t)t / columns;
    for (ptrdiff_t dj = -1; dj <= 1; dj++)
        for (ptrdiff_t di = -1; di <= 1; di++) {
            ptrdiff_t i = column + di, j = row + dj;
            if (s->setup.geometry->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
                i = (i + columns) % columns;
            if (s->setup.geometry->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
                j = (j + rows) % rows;
            if (i >= 0 && j >= 0 && i < columns && j < rows)
                s->is_awake[j * columns + i] = 1;
        }
}

// The tiles to compute in the next step. A tile once awake stays so: its two states then both hold this run's
// values.
static void list_tiles(struct tsunami_solver *s)
{
    for (size_t t = 0; t < s->tile_count; t++)
        if (s->is_moving[t])
            wake_about(s, t);
    s->list_length = 0;
    for (size_t t = 0; t < s->tile_count; t++)
        if (!s->tiles[t].is_land && (s->is_awake[t] || !s->setup.skips_quiet_tiles))
            s->list[s->list_length++] = (int32_t)t;
}

static void *scratch_of_thread(const struct tsunami_solver *s)
{
    return (char *)s->scratch + (size_t)omp_get_thread_num() * s->scratch_pitch * s->element;
}

static bool advance_tile(const struct tsunami_solver *s, int from, size_t t, bool is_odd, float time_s)
{
    if (s->setup.precision == ELEMENT_F32) {
        const struct level_f level = level_of_f(s, from, 1 - from);
        return s->functions->advance_f(&level, s->setup.records, &s->tiles[t], scratch_of_thread(s), is_odd,
                                       time_s);
    }
    const struct level_d level = level_of_d(s, from, 1 - from);
    return s->functions->advance_d(&level, s->setup.records, &s->tiles[t], scratch_of_thread(s), is_odd,
                                   time_s);
}

// A wave's forerunners decay through the denormal numbers, on which some processors are a hundred times
// slower: flushed to zero inside the parallel region, and only there.
static unsigned flush_denormals(void)
{
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u);
    return before;
#else
    return 0;
#endif
}

static void restore_denormals(unsigned before)
{
#if defined(__SSE2__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

static void after_step(struct tsunami_solver *s)
{
    const double all = (double)(s->setup.geometry->nx * s->setup.geometry->ny);
    double nodes = 0;
    for (size_t k = 0; k < s->list_length; k++) {
        const struct tsunami_tile *tile = &s->tiles[s->list[k]];
        nodes += (double)(tile->width * (tile->row_end - tile->row_begin));
    }
    s->counts[0] += nodes;
    s->counts[1] += all - nodes;
    s->current = 1 - s->current;
    list_tiles(s);
}

static enum status openmp_advance(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    const bool alternates = s->setup.physics->method == TSUNAMI_VTCS2_O2;
    list_tiles(s);
#pragma omp parallel num_threads(s->threads)
    {
        const unsigned mode = flush_denormals();
        for (int64_t step = first_step; step < first_step + count; step++) {
            const float time_s = (float)(s->setup.start_s + (double)(step + 1) * s->setup.step_s);
            const bool is_odd = alternates && step % 2 != 0;
#pragma omp for schedule(dynamic, 1)
            for (size_t k = 0; k < s->list_length; k++) {
                const size_t t = (size_t)s->list[k];
                s->is_moving[t] = advance_tile(s, s->current, t, is_odd, time_s);
            }
#pragma omp single
            after_step(s);
        }
        restore_denormals(mode);
    }
    return STATUS_OK;
}

// Looks at every wet tile of the present state; brings the records up to date if asked.
static void look_at_tiles(struct tsunami_solver *s, bool records, double time_s)
{
    static const struct tsunami_records none;
    const struct tsunami_records *to = records ? s->setup.records : &none;
#pragma omp parallel for schedule(dynamic, 1) num_threads(s->threads)
    for (size_t t = 0; t < s->tile_count; t++) {
        if (s->tiles[t].is_land)
            continue;
        if (s->setup.precision == ELEMENT_F32) {
            const struct level_f level = level_of_f(s, s->current, s->current);
            s->is_moving[t] = s->functions->record_f(&level, to, &s->tiles[t], (float)time_s);
        } else {
            const struct level_d level = level_of_d(s, s->current, s->current);
            s->is_moving[t] = s->functions->record_d(&level, to, &s->tiles[t], (float)time_s);
        }
    }
}

static void openmp_record(struct tsunami_solver *s, double time_s)
{
    look_at_tiles(s, true, time_s);
}

static void openmp_touch(struct tsunami_solver *s)
{
    if (s->setup.precision == ELEMENT_F32)
        fill_halo_f(s);
    else
        fill_halo_d(s);
    look_at_tiles(s, false, 0);
}

static int openmp_checkpoint_arrays(struct tsunami_solver *s, struct checkpoint_array *arrays)
{
    static const char *const names[TSUNAMI_FIELDS] = {"e", "u", "v"};
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        arrays[f] =
            (struct checkpoint_array){names[f], s->state[s->current][f], s->rows * s->pitch * s->element};
    arrays[TSUNAMI_FIELDS] = (struct checkpoint_array){"node counts", s->counts, sizeof s->counts};
    return TSUNAMI_FIELDS + 1;
}

static void openmp_work(const struct tsunami_solver *s, double *computed, double *skipped)
{
    *computed = s->counts[0];
    *skipped = s->counts[1];
}

static void openmp_destroy(struct tsunami_solver *s)
{
    free(s);
}

const struct tsunami_backend tsunami_backend_openmp = {
    .name = "openmp",
    .summary = "all processor cores, vectorised, tiled",
    .plan = openmp_plan,
    .start = openmp_start,
    .get = openmp_get,
    .set = openmp_set,
    .lift = openmp_lift,
    .record = openmp_record,
    .touch = openmp_touch,
    .advance = openmp_advance,
    .checkpoint_arrays = openmp_checkpoint_arrays,
    .work = openmp_work,
    .instruction_set = openmp_instruction_set,
    .destroy = openmp_destroy,
};
