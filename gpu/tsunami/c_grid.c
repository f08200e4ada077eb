// The solver of `c-grid-6` on the device: its arrays, coefficients and steps, and a copy of the state on the
// host (the mirror), in which the state is set, lifted and read. The mirror holds the velocities at the nodes
// and those at the faces. Independent of kernels.
#include "models/tsunami/c_grid.h"
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"
#include "models/team.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <string.h>

// ---- memory

// Of a divided grid: the rows of storage that are held, those that steps read of the neighbours with them.
static struct tsunami_rows stored_rows(const struct solver *s, struct tsunami_rows rows)
{
    const struct tsunami_rows stored = {rows.first == 0 ? 0 : rows.first + C_GRID_HALO,
                                        rows.end + (rows.end == s->host.setup.geometry->ny ? 2 : 1) *
                                                       (size_t)C_GRID_HALO};
    return stored;
}

static void set_rows(struct solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    struct host_level *host = &s->host;
    host->is_divided = host->setup.shares != NULL;
    host->is_ring = host->is_divided && g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    host->own = tsunami_own(g);
    host->kept = stored_rows(s, host->own);
    s->c_grid.stored = stored_rows(s, tsunami_near(g, host->is_divided ? C_GRID_HALO : 0));
}

// From the first row that is held on.
static void *held(const struct solver *s, void *array)
{
    return host_level_row(&s->host, array, s->c_grid.stored.first);
}

static size_t held_bytes(const struct solver *s)
{
    return (s->c_grid.stored.end - s->c_grid.stored.first) * s->host.pitch * s->host.element;
}

struct held_array {
    void *pointer; // the address of the pointer that the plan sets
    enum memory_kind kind;
    const char *name;
};

static enum status plan_held(struct solver *s, struct memory_plan *plan, const char *prefix,
                             const struct held_array *arrays, size_t count)
{
    for (size_t k = 0; k < count; k++)
        CHECK(memory_plan_add_rows(plan, arrays[k].kind, s->host.setup.precision, s->c_grid.stored.first,
                                   s->c_grid.stored.end, s->host.pitch, arrays[k].pointer, "%s%s", prefix,
                                   arrays[k].name));
    return STATUS_OK;
}

static enum status plan_state(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct held_array arrays[] = {
        {&s->host.state[0][0], MEMORY_PINNED, "eta"},
        {&s->host.state[0][1], MEMORY_PINNED, "u"},
        {&s->host.state[0][2], MEMORY_PINNED, "v"},
        {&s->c_grid.node_mirror[0], MEMORY_PINNED, "u of nodes"},
        {&s->c_grid.node_mirror[1], MEMORY_PINNED, "v of nodes"},
        {&s->c_grid.lifted, MEMORY_PINNED, "lift"},
        {&s->state[0][0], MEMORY_DEVICE, "device eta 0"},
        {&s->state[0][1], MEMORY_DEVICE, "device u 0"},
        {&s->state[0][2], MEMORY_DEVICE, "device v 0"},
        {&s->state[1][0], MEMORY_DEVICE, "device eta 1"},
        {&s->state[1][1], MEMORY_DEVICE, "device u 1"},
        {&s->state[1][2], MEMORY_DEVICE, "device v 1"},
        {&s->c_grid.nodes[0], MEMORY_DEVICE, "device u of nodes"},
        {&s->c_grid.nodes[1], MEMORY_DEVICE, "device v of nodes"},
        {&s->c_grid.depth, MEMORY_DEVICE, "device depth of nodes"},
        {&s->c_grid.depth_u, MEMORY_DEVICE, "device depth of eastern faces"},
        {&s->c_grid.depth_v, MEMORY_DEVICE, "device depth of northern faces"},
        {&s->c_grid.inverse_corner, MEMORY_DEVICE, "device inverse depth of corners"},
    };
    return plan_held(s, plan, prefix, arrays, sizeof arrays / sizeof *arrays);
}

// The host has the codes of all rows, by which it cuts the tiles of the whole grid.
static enum status plan_coefficients(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->host.setup.precision;
    const size_t rows = s->host.rows, pitch = s->host.pitch;
    const struct gpu_array arrays[] = {
        {&s->c_grid.code, MEMORY_HOST, ELEMENT_I32, rows, pitch, "reach of stencils"},
        {&s->columns, MEMORY_DEVICE, real, C_COLUMN_MEMBERS, pitch, "device columns"},
        {&s->rows, MEMORY_DEVICE, real, rows, C_ROW_MEMBERS, "device rows"},
        {&s->host.columns, MEMORY_HOST, real, C_COLUMN_MEMBERS, pitch, "column coefficients"},
        {&s->packed_rows, MEMORY_HOST, real, rows, C_ROW_MEMBERS, "row coefficients"},
        {&s->c_grid.is_lifted, MEMORY_HOST, ELEMENT_U8, 1, s->host.setup.geometry->ny, "rows lifted"},
        {&s->counts, MEMORY_PINNED, ELEMENT_I64, 1, COUNTS, "node counts"},
        {&s->device_computed, MEMORY_DEVICE, ELEMENT_I64, 1, 1, "device computed"},
    };
    CHECK(memory_plan_add_rows(plan, MEMORY_DEVICE, ELEMENT_I32, s->c_grid.stored.first, s->c_grid.stored.end,
                               pitch, (void **)&s->c_grid.device_code, "%sdevice reach of stencils", prefix));
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status plan_work(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    for (int k = 0; k < C_GRID_WORK; k++)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, s->host.setup.precision, s->host.rows, s->host.pitch,
                              &s->c_grid.work[k], "%sdevice work %d", prefix, k));
    return STATUS_OK;
}

// ---- start

// Once, before the first launch: in the warm-up, and in the start of a solver that had none.
static enum status prepare_kernels(struct solver *s)
{
    if (!s->c_grid.is_prepared)
        CUDA_CHECK(tsunami_prepare_c_tiles(s->host.setup.precision), "to prepare the kernels");
    s->c_grid.is_prepared = true;
    return STATUS_OK;
}

enum status solver_warm_up_c_tiles(struct solver *s)
{
    if (s->is_plain)
        return STATUS_OK;
    CHECK(prepare_kernels(s));
    s->tile_count = 1;
    const int row = (int)s->host.own.first;
    s->c_grid.tiles[0] = (struct c_grid_tile){.column_end = 1, .row_begin = row, .row_end = row + 1};
    return gpu_timeline_upload(s->timeline, s->c_grid.device_tiles, s->c_grid.tiles, sizeof *s->c_grid.tiles);
}

enum status solver_plan_c_grid(struct solver *s, const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix)
{
    struct host_level *host = &s->host;
    host->setup = *setup;
    host->rows = setup->geometry->ny + 2 * C_GRID_HALO;
    host->pitch = setup->geometry->pitch;
    host->element = element_bytes(setup->precision);
    host->halo_offset = C_GRID_HALO * host->pitch + TSUNAMI_HALO_COLUMNS;
    host->copies = 1;
    set_rows(s);
    if (host->rows * host->pitch > INT32_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "the cuda back end takes grids of at most %d nodes with their padding, not %zu",
                    INT32_MAX, host->rows * host->pitch);
    CHECK(plan_state(s, plan, prefix));
    CHECK(plan_coefficients(s, plan, prefix));
    CHECK(s->is_plain ? plan_work(s, plan, prefix) : solver_plan_c_tiles(s, plan, prefix));
    CHECK(solver_plan_edges(s, plan, prefix));
    CHECK(solver_plan_ranks(s, plan, prefix));
    return solver_plan_records(s, plan, prefix);
}

// ---- coefficients

static void put_differences(const struct solver *s, void *array, size_t first, size_t stride,
                            const struct c_grid_line *line)
{
    const enum element real = s->host.setup.precision;
    double k[3], m[3];
    c_grid_weights(6, k, m);
    for (size_t w = 0; w < 3; w++) {
        gpu_set_real(array, real, first + (C_ROW_FACE + w) * stride, k[w] / line->face_m);
        gpu_set_real(array, real, first + (C_ROW_NODE + w) * stride, k[w] / line->node_m);
        gpu_set_real(array, real, first + (C_ROW_MEAN + w) * stride, m[w]);
    }
    gpu_set_real(array, real, first + C_ROW_INVERSE_FACE * stride, 1 / line->face_m);
    gpu_set_real(array, real, first + C_ROW_INVERSE_NODE * stride, 1 / (line->node_m * line->cos_node));
}

static void fill_columns(const struct solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    for (ptrdiff_t i = -C_GRID_HALO; i < (ptrdiff_t)g->nx + C_GRID_HALO; i++) {
        const struct c_grid_line line = c_grid_line(&s->host.setup, true, i);
        put_differences(s, s->host.columns, (size_t)(i + TSUNAMI_HALO_COLUMNS), s->host.pitch, &line);
    }
}

static void fill_rows(const struct solver *s)
{
    const struct tsunami_setup *setup = &s->host.setup;
    const struct tsunami_geometry *g = setup->geometry;
    for (ptrdiff_t j = -C_GRID_HALO; j < (ptrdiff_t)g->ny + C_GRID_HALO; j++) {
        const struct c_grid_line line = c_grid_line(setup, false, j);
        const size_t row = (size_t)(j + C_GRID_HALO) * C_ROW_MEMBERS;
        put_differences(s, s->packed_rows, row, 1, &line);
        const double members[] = {1 / line.cos_node, line.cos_face, 1 / line.cos_face, line.coriolis_per_s};
        for (size_t k = 0; k < sizeof members / sizeof *members; k++)
            gpu_set_real(s->packed_rows, setup->precision, row + C_ROW_INVERSE_COS + k, members[k]);
        for (ptrdiff_t k = 0; k < 4; k++)
            gpu_set_real(s->packed_rows, setup->precision, row + C_ROW_CURVED + (size_t)k,
                         setup->physics->has_curvature
                             ? c_grid_line(setup, false, j - 1 + k).cos_node / line.cos_face
                             : 1);
    }
}

// The arrays of depths. Each is computed in the mirror of η and uploaded from there.
enum { DEPTH_NODE, DEPTH_U, DEPTH_V, DEPTH_CORNER, DEPTHS };

static double depth_of(const struct tsunami_setup *setup, int which, ptrdiff_t i, ptrdiff_t j)
{
    if (which == DEPTH_NODE)
        return c_grid_depth_m(setup, i, j);
    if (which != DEPTH_CORNER)
        return c_grid_face_depth_m(setup, i, j, which == DEPTH_U);
    const double corner = c_grid_corner_depth_m(setup, i, j);
    return corner > 0 ? 1 / corner : 0;
}

struct filling {
    struct solver *solver;
    int which;
};

static void fill_depth_row(void *context, size_t item)
{
    const struct filling *filling = context;
    const struct solver *s = filling->solver;
    const size_t row = s->c_grid.stored.first + item;
    const ptrdiff_t nx = (ptrdiff_t)s->host.setup.geometry->nx, j = (ptrdiff_t)row - C_GRID_HALO;
    const size_t start = row * s->host.pitch + TSUNAMI_HALO_COLUMNS;
    for (ptrdiff_t i = -C_GRID_HALO; i < nx + C_GRID_HALO; i++)
        gpu_set_real(s->host.state[0][0], s->host.setup.precision, (size_t)((ptrdiff_t)start + i),
                     depth_of(&s->host.setup, filling->which, i, j));
}

static void fill_code_row(void *context, size_t row)
{
    const struct solver *s = ((const struct filling *)context)->solver;
    const ptrdiff_t nx = (ptrdiff_t)s->host.setup.geometry->nx, j = (ptrdiff_t)row - C_GRID_HALO;
    const size_t start = row * s->host.pitch + TSUNAMI_HALO_COLUMNS;
    for (ptrdiff_t i = -C_GRID_HALO; i < nx + C_GRID_HALO; i++)
        s->c_grid.code[(size_t)((ptrdiff_t)start + i)] = c_grid_code(&s->host.setup, i, j);
}

// The smallest depth of the wet nodes; ∞ if there are none.
static double shallowest_m(const struct tsunami_setup *setup)
{
    const struct tsunami_geometry *g = setup->geometry;
    double least_m = INFINITY;
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const double depth_m = c_grid_depth_m(setup, i, j);
            least_m = depth_m > 0 ? fmin(least_m, depth_m) : least_m;
        }
    return least_m;
}

static enum status upload(struct solver *s, void *to, void *from)
{
    return gpu_timeline_upload(s->timeline, held(s, to), held(s, from), held_bytes(s));
}

static enum status download(struct solver *s, void *to, void *from)
{
    return gpu_timeline_download(s->timeline, held(s, to), held(s, from), held_bytes(s));
}

static enum status upload_coefficients(struct solver *s)
{
    void *const depths[DEPTHS] = {s->c_grid.depth, s->c_grid.depth_u, s->c_grid.depth_v,
                                  s->c_grid.inverse_corner};
    const int threads = omp_get_max_threads();
    struct filling filling = {s, 0};
    s->c_grid.shallowest_m = shallowest_m(&s->host.setup);
    fill_columns(s);
    fill_rows(s);
    CHECK(gpu_timeline_upload(s->timeline, s->columns, s->host.columns,
                              C_COLUMN_MEMBERS * s->host.pitch * s->host.element));
    CHECK(gpu_timeline_upload(s->timeline, s->rows, s->packed_rows,
                              s->host.rows * C_ROW_MEMBERS * s->host.element));
    team_for(threads, s->host.rows, fill_code_row, &filling);
    const struct tsunami_rows stored = s->c_grid.stored;
    const size_t code_bytes = s->host.pitch * sizeof *s->c_grid.code;
    CHECK(gpu_timeline_upload(
        s->timeline, (void *)((uintptr_t)s->c_grid.device_code + stored.first * code_bytes),
        s->c_grid.code + stored.first * s->host.pitch, (stored.end - stored.first) * code_bytes));
    for (; filling.which < DEPTHS; filling.which++) {
        team_for(threads, stored.end - stored.first, fill_depth_row, &filling);
        CHECK(upload(s, depths[filling.which], s->host.state[0][0]));
        CHECK(gpu_timeline_finish_compute(s->timeline));
    }
    return STATUS_OK;
}

enum status solver_start_c_grid(struct solver *s)
{
    CHECK(upload_coefficients(s));
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        memset(held(s, s->host.state[0][f]), 0, held_bytes(s));
        for (int k = 0; k < 2; k++)
            CHECK(gpu_timeline_fill(s->timeline, held(s, s->state[k][f]), 0, held_bytes(s)));
    }
    for (int k = 0; k < 2; k++)
        memset(held(s, s->c_grid.node_mirror[k]), 0, held_bytes(s));
    memset(held(s, s->c_grid.lifted), 0, held_bytes(s));
    memset(s->c_grid.is_lifted, 0, s->host.setup.geometry->ny);
    s->c_grid.has_set = s->c_grid.has_nodes = s->c_grid.all_move = false;
    if (s->is_plain)
        return STATUS_OK;
    CHECK(prepare_kernels(s));
    return solver_upload_c_tiles(s);
}

// ---- steps

static void *interior(const struct solver *s, void *array)
{
    return array ? (void *)((uintptr_t)array + s->host.halo_offset * s->host.element) : NULL;
}

static struct tsunami_c_grid_view view_of(const struct solver *s)
{
    const struct tsunami_setup *setup = &s->host.setup;
    const struct tsunami_geometry *g = setup->geometry;
    const double n = setup->physics->manning_n;
    struct tsunami_c_grid_view view = {
        .precision = setup->precision,
        .nx = (int)g->nx,
        .ny = (int)g->ny,
        .pitch = (int)s->host.pitch,
        .first_own = (int)s->host.own.first,
        .end_own = (int)s->host.own.end,
        .nodes = {interior(s, s->c_grid.nodes[0]), interior(s, s->c_grid.nodes[1])},
        .depth = interior(s, s->c_grid.depth),
        .depth_u = interior(s, s->c_grid.depth_u),
        .depth_v = interior(s, s->c_grid.depth_v),
        .inverse_corner = interior(s, s->c_grid.inverse_corner),
        .code = (const int32_t *)((uintptr_t)s->c_grid.device_code + s->host.halo_offset * sizeof(int32_t)),
        .columns = (const char *)s->columns + TSUNAMI_HALO_COLUMNS * s->host.element,
        .rows = (const char *)s->rows + (size_t)(C_GRID_HALO * C_ROW_MEMBERS) * s->host.element,
        .step_s = setup->step_s,
        .gravity_m_s2 = g->gravity_m_s2,
        .friction = setup->step_s * g->gravity_m_s2 * n * n,
        .shallowest_m = s->c_grid.shallowest_m,
        .is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
        .is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC && !s->host.is_ring,
    };
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        view.state[f] = interior(s, s->state[s->current][f]);
        view.next[f] = interior(s, s->state[1 - s->current][f]);
    }
    for (int k = 0; k < C_GRID_WORK; k++)
        view.work[k] = interior(s, s->c_grid.work[k]);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        view.is_open[side] = g->edges[side] == TSUNAMI_EDGE_OPEN;
    return view;
}

static struct c_grid_tiles tiles_of(const struct solver *s)
{
    return (struct c_grid_tiles){.list = s->c_grid.device_tiles,
                                 .count = s->tile_count,
                                 .skips = s->host.setup.skips_quiet_tiles,
                                 .moving = s->c_grid.moving,
                                 .awake = s->c_grid.awake,
                                 .has_land = s->c_grid.device_has_land,
                                 .computed = s->device_computed};
}

// Half of a step. skips: quiet tiles may be skipped. `records` may be NULL.
struct half {
    bool is_first, skips;
    const struct device_records *records;
    double time_s;
};

// Of `count` tiles of the list, from number `first` on.
static enum status launch_tiles(const struct solver *s, const struct half *half, int first, int count,
                                cudaStream_t stream)
{
    const struct tsunami_c_grid_view view = view_of(s);
    struct c_grid_tiles tiles = tiles_of(s);
    tiles.list += first;
    tiles.count = count;
    tiles.skips = tiles.skips && half->skips;
    CUDA_CHECK(half->is_first
                   ? tsunami_launch_c_velocities(&view, &tiles, half->records, stream)
                   : tsunami_launch_c_elevation(&view, &tiles, half->records, (float)half->time_s, stream),
               "to start half a step");
    return STATUS_OK;
}

static enum status launch_half(const struct solver *s, const struct half *half)
{
    const struct tsunami_c_grid_view view = view_of(s);
    if (!s->is_plain)
        return launch_tiles(s, half, 0, s->tile_count, s->timeline->compute);
    CUDA_CHECK(half->is_first ? tsunami_launch_c_plain_velocities(&view, s->timeline->compute)
                              : tsunami_launch_c_plain_elevation(&view, s->timeline->compute),
               "to start half a step");
    return STATUS_OK;
}

// Several ranks exchange `count` of the arrays that half a step computes: the tiles beside the borders, and
// then their rows, are on a stream of their own, beside all other tiles.
static enum status launch_and_exchange(struct solver *s, const struct half *half, void *const *arrays,
                                       int count)
{
    const cudaStream_t compute = s->timeline->compute;
    const int beside = s->c_grid.tiles_beside;
    cudaStream_t stream;
    if (!s->host.is_divided)
        return launch_half(s, half);
    CHECK(gpu_exchange_fork(&s->exchange, compute, &stream));
    CHECK(launch_tiles(s, half, 0, beside, stream));
    CHECK(launch_tiles(s, half, beside, s->tile_count - beside, compute));
    CHECK(solver_exchange_beside(s, arrays, count, stream));
    return gpu_exchange_join(&s->exchange, compute);
}

enum status solver_make_c_nodes(struct solver *s)
{
    const struct tsunami_c_grid_view view = view_of(s);
    const struct c_grid_tiles tiles = tiles_of(s);
    if (s->c_grid.has_nodes)
        return STATUS_OK;
    CUDA_CHECK(s->is_plain ? tsunami_launch_c_plain_nodes(&view, s->timeline->compute)
                           : tsunami_launch_c_nodes(&view, &tiles, s->timeline->compute),
               "to compute the nodes' velocities");
    s->c_grid.has_nodes = true;
    return STATUS_OK;
}

static bool records_velocities(const struct solver *s)
{
    return s->records.max_speed_m_s || s->records.max_flux_m2_s;
}

enum status solver_launch_c_record(struct solver *s, double time_s)
{
    const struct tsunami_c_grid_view view = view_of(s);
    if (s->records.kind == RECORDS_NONE)
        return STATUS_OK;
    if (records_velocities(s))
        CHECK(solver_make_c_nodes(s));
    CUDA_CHECK(tsunami_launch_c_record(&view, &s->records, (float)time_s, s->timeline->compute), "to record");
    return STATUS_OK;
}

// The tiled kernels update the records: those of η at the end of a step; those of speed and flux at the
// beginning of the next step, which reads the velocities anyway, and after the last step by a kernel of their
// own.
enum status solver_launch_c_steps(struct solver *s, int64_t first_step, int64_t count)
{
    const bool has_records = !s->is_paused && s->records.kind != RECORDS_NONE;
    const struct device_records *of_eta = has_records ? &s->records : NULL;
    const struct device_records *of_flow = has_records && records_velocities(s) ? &s->records : NULL;
    for (int64_t step = first_step; step < first_step + count; step++) {
        const double time_s = s->host.setup.start_s + (double)(step + 1) * s->host.setup.step_s;
        const struct half velocities = {true, true, step > first_step ? of_flow : NULL, 0},
                          elevation = {false, true, of_eta, time_s};
        CHECK(launch_and_exchange(s, &velocities, s->state[1 - s->current] + 1, 2));
        CHECK(launch_and_exchange(s, &elevation, s->state[1 - s->current], 1));
        s->current = 1 - s->current;
        CHECK(solver_merge_c_flags(s));
        s->c_grid.has_nodes = false;
        if (has_records && (s->is_plain || (of_flow && step + 1 == first_step + count)))
            CHECK(solver_launch_c_record(s, time_s));
        if (!s->is_paused)
            CHECK(solver_launch_points(s, time_s));
    }
    return STATUS_OK;
}

// ---- access

static double mirrored(const struct solver *s, const void *array, size_t place)
{
    return gpu_real(array, s->host.setup.precision, place);
}

static void mirror(const struct solver *s, void *array, size_t place, double value)
{
    gpu_set_real(array, s->host.setup.precision, place, value);
}

// Where a row is held: in a ring it may be beyond the other end.
static size_t place_of(const struct solver *s, size_t row)
{
    const size_t ny = s->host.setup.geometry->ny;
    if (!s->host.is_ring || tsunami_has_row(s->c_grid.stored, row + C_GRID_HALO))
        return row;
    return s->host.own.first == 0 ? row - ny : row + ny; // converted, if negative
}

void solver_get_c_grid(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s)
{
    const size_t start = s->host.halo_offset + place_of(s, row) * s->host.pitch + first;
    for (size_t i = 0; i < count; i++) {
        const bool is_wet = s->c_grid.code[start + i] & C_GRID_WET;
        eta_m[i] = is_wet ? mirrored(s, s->host.state[0][0], start + i) : (double)NAN;
        u_m_s[i] = mirrored(s, s->c_grid.node_mirror[0], start + i);
        v_m_s[i] = mirrored(s, s->c_grid.node_mirror[1], start + i);
    }
}

// `touch` computes the velocities at the faces.
void solver_set_c_grid(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s)
{
    const size_t start = s->host.halo_offset + row * s->host.pitch + first;
    for (size_t i = 0; i < count; i++) {
        const bool is_wet = s->c_grid.code[start + i] & C_GRID_WET;
        mirror(s, s->host.state[0][0], start + i, is_wet ? eta_m[i] : 0);
        mirror(s, s->c_grid.node_mirror[0], start + i, is_wet ? u_m_s[i] : 0);
        mirror(s, s->c_grid.node_mirror[1], start + i, is_wet ? v_m_s[i] : 0);
    }
    s->c_grid.has_set = true;
}

void solver_lift_c_grid(struct solver *s, size_t row, const double *uplift_m)
{
    const size_t start = s->host.halo_offset + row * s->host.pitch;
    for (size_t i = start; i < start + s->host.setup.geometry->nx; i++) {
        const double uplift = s->c_grid.code[i] & C_GRID_WET ? uplift_m[i - start] : 0;
        mirror(s, s->host.state[0][0], i, mirrored(s, s->host.state[0][0], i) + uplift);
        mirror(s, s->c_grid.lifted, i, mirrored(s, s->c_grid.lifted, i) + uplift);
    }
    s->c_grid.is_lifted[row] = 1;
}

void solver_get_staggered(const struct solver *s, size_t row, double *eta_m, double *u_m_s, double *v_m_s)
{
    const size_t start = s->host.halo_offset + row * s->host.pitch, nx = s->host.setup.geometry->nx;
    for (size_t i = 0; i < nx; i++)
        v_m_s[i] = mirrored(s, s->host.state[0][2], start - s->host.pitch + i);
    if (row == s->host.setup.geometry->ny)
        return;
    for (size_t i = 0; i < nx; i++)
        eta_m[i] = mirrored(s, s->host.state[0][0], start + i);
    for (size_t i = 0; i <= nx; i++)
        u_m_s[i] = mirrored(s, s->host.state[0][1], start + i - 1);
}

int solver_c_grid_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    static const char *const names[TSUNAMI_FIELDS] = {"eta", "u", "v"};
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        arrays[f] = (struct checkpoint_array){
            names[f], host_level_row(&s->host, s->host.state[0][f], s->host.kept.first),
            (s->host.kept.end - s->host.kept.first) * s->host.pitch * s->host.element};
    return TSUNAMI_FIELDS;
}

// What a step reads of a neighbour.
size_t solver_least_c_rows(const struct tsunami_physics *physics, size_t nx, size_t ny)
{
    (void)physics;
    (void)nx;
    (void)ny;
    return C_GRID_HALO;
}

enum status solver_fetch_c_grid(struct solver *s)
{
    CHECK(s->status);
    if (s->is_mirror_current)
        return STATUS_OK;
    CHECK(solver_make_c_nodes(s));
    CHECK(solver_exchange_nodes(s));
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(download(s, s->host.state[0][f], s->state[s->current][f]));
    for (int k = 0; k < 2; k++)
        CHECK(download(s, s->c_grid.node_mirror[k], s->c_grid.nodes[k]));
    CHECK(gpu_timeline_download(s->timeline, &s->counts[COUNT_COMPUTED], s->device_computed,
                                sizeof *s->counts));
    CHECK(gpu_timeline_finish_compute(s->timeline));
    s->is_mirror_current = true;
    solver_note_work(s);
    return STATUS_OK;
}

// ---- after changes of the mirror

static enum status fill_halo(struct solver *s, void *array, enum c_grid_beyond kind)
{
    const struct tsunami_c_grid_view view = view_of(s);
    CUDA_CHECK(tsunami_launch_c_halo(&view, interior(s, array), kind, s->timeline->compute),
               "to fill the halo");
    return STATUS_OK;
}

// And the neighbours' rows.
static enum status fill_halos(struct solver *s)
{
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(fill_halo(s, s->state[s->current][f], f == 0 ? C_GRID_SURFACE : C_GRID_VELOCITY));
    return solver_exchange_arrays(s, s->state[s->current], TSUNAMI_FIELDS);
}

// Sets the other copy of the state to 0: the two copies must agree where no step writes.
static enum status clear_other(struct solver *s)
{
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(gpu_timeline_fill(s->timeline, held(s, s->state[1 - s->current][f]), 0, held_bytes(s)));
    return STATUS_OK;
}

static enum status upload_set_state(struct solver *s)
{
    const struct tsunami_c_grid_view view = view_of(s);
    CHECK(upload(s, s->state[s->current][0], s->host.state[0][0]));
    for (int k = 0; k < 2; k++) {
        CHECK(upload(s, s->c_grid.nodes[k], s->c_grid.node_mirror[k]));
        CHECK(fill_halo(s, s->c_grid.nodes[k], C_GRID_VELOCITY));
    }
    CHECK(solver_exchange_arrays(s, s->state[s->current], 1));
    CHECK(solver_exchange_nodes(s));
    CUDA_CHECK(tsunami_launch_c_faces(&view, s->timeline->compute), "to set velocities");
    CHECK(fill_halos(s));
    CHECK(launch_half(s, &(struct half){.is_first = true}));
    CUDA_CHECK(tsunami_launch_c_half_back(&view, s->timeline->compute), "to go back half a step");
    return STATUS_OK;
}

static enum status upload_lift(struct solver *s)
{
    const struct tsunami_c_grid_view view = view_of(s);
    CHECK(upload(s, s->state[s->current][0], s->host.state[0][0]));
    CHECK(upload(s, s->state[1 - s->current][0], s->c_grid.lifted));
    CHECK(fill_halo(s, s->state[1 - s->current][0], C_GRID_SURFACE));
    CHECK(solver_exchange_arrays(s, s->state[1 - s->current], 1));
    CUDA_CHECK(tsunami_launch_c_unlift(&view, s->timeline->compute), "to lift the water");
    return STATUS_OK;
}

static bool has_lift(const struct solver *s)
{
    return memchr(s->c_grid.is_lifted, 1, s->host.setup.geometry->ny) != NULL;
}

static enum status upload_changes(struct solver *s, bool is_loaded)
{
    if (is_loaded)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(upload(s, s->state[s->current][f], s->host.state[0][f]));
    else if (s->c_grid.has_set)
        CHECK(upload_set_state(s));
    else if (has_lift(s))
        CHECK(upload_lift(s));
    CHECK(clear_other(s));
    return fill_halos(s);
}

// Marks no tile as awake; the kernel marks those in which the water moves.
static enum status find_moving(struct solver *s)
{
    const struct tsunami_c_grid_view view = view_of(s);
    const struct c_grid_tiles tiles = tiles_of(s);
    if (s->is_plain)
        return STATUS_OK;
    CHECK(gpu_timeline_fill(s->timeline, s->c_grid.moving, 0, solver_tiles(s)));
    CHECK(gpu_timeline_fill(s->timeline, s->c_grid.awake, 0, solver_tiles(s)));
    CUDA_CHECK(tsunami_launch_c_inspection(&view, &tiles, s->timeline->compute), "to find what moves");
    s->c_grid.all_move = false;
    return solver_merge_c_flags(s);
}

enum status solver_touch_c_grid(struct solver *s, bool is_loaded)
{
    CHECK(upload_changes(s, is_loaded));
    CHECK(find_moving(s));
    s->is_mirror_current = s->c_grid.has_nodes = false;
    CHECK(
        gpu_timeline_upload(s->timeline, s->device_computed, &s->counts[COUNT_COMPUTED], sizeof *s->counts));
    CHECK(gpu_timeline_finish_compute(s->timeline));
    if (has_lift(s))
        memset(held(s, s->c_grid.lifted), 0, held_bytes(s));
    memset(s->c_grid.is_lifted, 0, s->host.setup.geometry->ny);
    s->c_grid.has_set = false;
    return solver_send_source_level(s);
}
