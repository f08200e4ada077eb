// The fast CPU version: perturbation form (point.h), both sweeps in one pass over cache-sized tiles,
// vectorised, threads over tiles. Tiles of pure land are never computed, and tiles that the wave has not
// reached are skipped until a neighbour moves: rest is exact, so the results are the same. Knows no files and
// no memory but what the plan gave it.
#include "models/tsunami/solver.h"

#include "models/tsunami/host_level.h"
#include "models/tsunami/openmp_isa.h"
#include "models/tsunami/team.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

struct tsunami_solver {
    struct host_level host; // two copies of the state: the old and the new
    const struct tsunami_tile_functions *functions;
    void *scratch;
    int threads;
    size_t scratch_pitch;
    // Tiles.
    size_t tile_columns, tile_rows, tile_count;
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
    struct tsunami_solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    *solver = s;
    const struct tsunami_geometry *g = setup->geometry;
    const enum element real = setup->precision;
    s->functions = choose_functions();
    s->threads = omp_get_max_threads();
    s->tile_columns = divide_up(g->nx, TILE_WIDTH);
    s->tile_rows = divide_up(g->ny, TILE_HEIGHT);
    s->tile_count = s->tile_columns * s->tile_rows;
    CHECK(host_level_plan(&s->host, setup, plan, prefix, 2, MEMORY_HOST));
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

static void make_tiles(struct tsunami_solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
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
                if (host_level_celerity(&s->host, i, j) > 0)
                    tile->is_land = tile->is_land && !is_inside;
                else
                    tile->has_land = true;
            }
    }
}

static enum status openmp_start(struct tsunami_solver *s)
{
    host_level_start(&s->host);
    make_tiles(s);
    memset(s->is_awake, 0, s->tile_count);
    memset(s->is_moving, 0, s->tile_count);
    s->list_length = 0;
    s->counts[0] = s->counts[1] = 0;
    return STATUS_OK;
}

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/openmp_view.h"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/openmp_view.h"
#undef REAL
#undef POINT

static void openmp_get(const struct tsunami_solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s)
{
    host_level_get(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void openmp_set(struct tsunami_solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s)
{
    host_level_set(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void openmp_lift(struct tsunami_solver *s, size_t row, const double *uplift_m)
{
    host_level_lift(&s->host, row, uplift_m);
}

// Wakes a tile and its eight neighbours (through periodic edges too).
static void wake_about(struct tsunami_solver *s, size_t t)
{
    const ptrdiff_t columns = (ptrdiff_t)s->tile_columns, rows = (ptrdiff_t)s->tile_rows;
    const ptrdiff_t column = (ptrdiff_t)t % columns, row = (ptrdiff_t)t / columns;
    for (ptrdiff_t dj = -1; dj <= 1; dj++)
        for (ptrdiff_t di = -1; di <= 1; di++) {
            ptrdiff_t i = column + di, j = row + dj;
            if (s->host.setup.geometry->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
                i = (i + columns) % columns;
            if (s->host.setup.geometry->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
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
        if (!s->tiles[t].is_land && (s->is_awake[t] || !s->host.setup.skips_quiet_tiles))
            s->list[s->list_length++] = (int32_t)t;
}

static void *scratch_of_thread(const struct tsunami_solver *s)
{
    return (char *)s->scratch + (size_t)omp_get_thread_num() * s->scratch_pitch * s->host.element;
}

static bool advance_tile(const struct tsunami_solver *s, int from, size_t t, bool is_odd, float time_s)
{
    if (s->host.setup.precision == ELEMENT_F32) {
        const struct level_f level = level_of_f(&s->host, from, 1 - from);
        return s->functions->advance_f(&level, s->host.setup.records, &s->tiles[t], scratch_of_thread(s),
                                       is_odd, time_s);
    }
    const struct level_d level = level_of_d(&s->host, from, 1 - from);
    return s->functions->advance_d(&level, s->host.setup.records, &s->tiles[t], scratch_of_thread(s), is_odd,
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
    const double all = (double)(s->host.setup.geometry->nx * s->host.setup.geometry->ny);
    double nodes = 0;
    for (size_t k = 0; k < s->list_length; k++) {
        const struct tsunami_tile *tile = &s->tiles[s->list[k]];
        nodes += (double)(tile->width * (tile->row_end - tile->row_begin));
    }
    s->counts[0] += nodes;
    s->counts[1] += all - nodes;
    s->host.current = 1 - s->host.current;
    list_tiles(s);
}

static void advance_listed_tile(struct tsunami_solver *s, size_t k, int64_t step)
{
    const struct tsunami_setup *setup = &s->host.setup;
    const float time_s = (float)(setup->start_s + (double)(step + 1) * setup->step_s);
    const bool is_odd = setup->physics->method == TSUNAMI_VTCS2_O2 && step % 2 != 0;
    const size_t t = (size_t)s->list[k];
    s->is_moving[t] = advance_tile(s, s->host.current, t, is_odd, time_s);
}

static void advance_alone(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    const unsigned mode = flush_denormals();
    for (int64_t step = first_step; step < first_step + count; step++) {
        for (size_t k = 0; k < s->list_length; k++)
            advance_listed_tile(s, k, step);
        after_step(s);
    }
    restore_denormals(mode);
}

static enum status openmp_advance(struct tsunami_solver *s, int64_t first_step, int64_t count)
{
    list_tiles(s);
    if (s->threads == 1) { // without a team: see team.h
        advance_alone(s, first_step, count);
        return STATUS_OK;
    }
#pragma omp parallel num_threads(s->threads)
    {
        const unsigned mode = flush_denormals();
        for (int64_t step = first_step; step < first_step + count; step++) {
#pragma omp for schedule(dynamic, 1)
            for (size_t k = 0; k < s->list_length; k++)
                advance_listed_tile(s, k, step);
#pragma omp single
            after_step(s);
        }
        restore_denormals(mode);
    }
    return STATUS_OK;
}

struct look {
    struct tsunami_solver *solver;
    const struct tsunami_records *records;
    float time_s;
};

static void look_at_tile(void *context, size_t t)
{
    const struct look *look = context;
    struct tsunami_solver *s = look->solver;
    if (s->tiles[t].is_land)
        return;
    if (s->host.setup.precision == ELEMENT_F32) {
        const struct level_f level = level_of_f(&s->host, s->host.current, s->host.current);
        s->is_moving[t] = s->functions->record_f(&level, look->records, &s->tiles[t], look->time_s);
    } else {
        const struct level_d level = level_of_d(&s->host, s->host.current, s->host.current);
        s->is_moving[t] = s->functions->record_d(&level, look->records, &s->tiles[t], look->time_s);
    }
}

// Looks at every wet tile of the present state; brings the records up to date if asked.
static void look_at_tiles(struct tsunami_solver *s, bool records, double time_s)
{
    static const struct tsunami_records none;
    struct look look = {s, records ? s->host.setup.records : &none, (float)time_s};
    team_for(s->threads, s->tile_count, look_at_tile, &look);
}

static void openmp_record(struct tsunami_solver *s, double time_s)
{
    look_at_tiles(s, true, time_s);
}

static void openmp_touch(struct tsunami_solver *s)
{
    host_level_fill_halo(&s->host);
    look_at_tiles(s, false, 0);
}

static int openmp_checkpoint_arrays(struct tsunami_solver *s, struct checkpoint_array *arrays)
{
    const int count = host_level_checkpoint_arrays(&s->host, arrays);
    arrays[count] = (struct checkpoint_array){"node counts", s->counts, sizeof s->counts};
    return count + 1;
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
