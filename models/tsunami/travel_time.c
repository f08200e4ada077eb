// Travel times by fast marching (see the header).
#include "models/tsunami/travel_time.h"

#include "core/clock.h"
#include "core/log.h"
#include "core/memory_plan.h"
#include "models/team.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/nearby.h"

#include <math.h>
#include <string.h>

// ---- the heap: entries are the bits of a time, which order as the time does, being positive, and a node

enum { CHILDREN = 4 };
#define FAR      UINT32_MAX
#define ACCEPTED (UINT32_MAX - 1)

static uint64_t entry_of(float time_s, uint32_t node)
{
    uint32_t bits;
    memcpy(&bits, &time_s, sizeof bits);
    return (uint64_t)bits << 32 | node;
}

static void put(struct tsunami_march *m, size_t at, uint64_t entry)
{
    m->heap[at] = entry;
    m->place[(uint32_t)entry] = (uint32_t)at;
}

static void rise(struct tsunami_march *m, size_t at, uint64_t entry)
{
    while (at > 0) {
        const size_t parent = (at - 1) / CHILDREN;
        if (m->heap[parent] <= entry)
            break;
        put(m, at, m->heap[parent]);
        at = parent;
    }
    put(m, at, entry);
}

static void sink(struct tsunami_march *m, uint64_t entry)
{
    size_t at = 0;
    for (;;) {
        const size_t first = CHILDREN * at + 1;
        const size_t end = first + CHILDREN < m->heap_count ? first + CHILDREN : m->heap_count;
        size_t least = first;
        if (first >= m->heap_count)
            break;
        for (size_t child = first + 1; child < end; child++)
            if (m->heap[child] < m->heap[least])
                least = child;
        if (m->heap[least] >= entry)
            break;
        put(m, at, m->heap[least]);
        at = least;
    }
    put(m, at, entry);
}

static uint32_t take_first(struct tsunami_march *m)
{
    const uint32_t node = (uint32_t)m->heap[0];
    const uint64_t last = m->heap[--m->heap_count];
    if (m->heap_count > 0)
        sink(m, last);
    m->place[node] = ACCEPTED;
    return node;
}

// ---- one node

// What lies behind a node along one axis: T = time + distance/speed there, of second order or of first.
struct behind {
    bool is_there;
    double time_s, distance_m;
};

static double depth_at(const struct tsunami_march *m, size_t column, size_t row)
{
    return m->depth_m[row * m->geometry->pitch + column];
}

// The neighbour `steps` away along an axis; false beyond the edge.
static bool neighbour(const struct tsunami_march *m, bool along_x, size_t column, size_t row, int steps,
                      size_t *node)
{
    const struct tsunami_geometry *g = m->geometry;
    const ptrdiff_t count = (ptrdiff_t)(along_x ? g->nx : g->ny);
    ptrdiff_t at = (ptrdiff_t)(along_x ? column : row) + steps;
    if (at < 0 || at >= count) {
        if (g->edges[along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH] != TSUNAMI_EDGE_PERIODIC)
            return false;
        at = (at + count) % count;
    }
    *node = along_x ? row * g->nx + (size_t)at : (size_t)at * g->nx + column;
    return true;
}

// Distance from a node to the next one in a direction; second: from that to the one after it.
static double distance_m(const struct tsunami_march *m, bool along_x, size_t column, size_t row,
                         int direction, bool second)
{
    const struct tsunami_geometry *g = m->geometry;
    const ptrdiff_t at = (ptrdiff_t)(along_x ? column : row);
    const ptrdiff_t count = (ptrdiff_t)(along_x ? g->nx : g->ny);
    ptrdiff_t from = direction > 0 ? at + second : at - 1 - second;
    if (from < -1 || from >= count) // across a periodic edge
        from = (from + count) % count;
    return along_x ? g->x_distance_m[from] * g->cos_latitude[row] : g->y_distance_m[from];
}

static struct behind look_behind(const struct tsunami_march *m, bool along_x, size_t column, size_t row)
{
    static const double even = 1e-6; // the second order needs equal distances
    struct behind b = {.time_s = INFINITY};
    int direction = 0;
    for (int d = -1; d <= 1; d += 2) {
        size_t node;
        if (neighbour(m, along_x, column, row, d, &node) && m->place[node] == ACCEPTED &&
            (double)m->time_s[node] < b.time_s) {
            b.time_s = (double)m->time_s[node];
            direction = d;
        }
    }
    if (direction == 0)
        return b;
    size_t node;
    b.is_there = true;
    b.distance_m = distance_m(m, along_x, column, row, direction, false);
    // Two nodes of one time, as in the source at its edge, have no slope that leads on.
    if (!neighbour(m, along_x, column, row, 2 * direction, &node) || m->place[node] != ACCEPTED ||
        !((double)m->time_s[node] < b.time_s))
        return b;
    const double next_m = distance_m(m, along_x, column, row, direction, true);
    if (fabs(next_m - b.distance_m) > even * b.distance_m)
        return b;
    // (3T − 4T₁ + T₂)/2h = (T − (4T₁ − T₂)/3)/(2h/3)
    b.time_s = (4 * b.time_s - (double)m->time_s[node]) / 3;
    b.distance_m *= 2.0 / 3;
    return b;
}

// The larger root of ((T − a)/h)² + ((T − b)/k)² = s², if T lies behind neither; else along one axis alone.
static double time_from(struct behind x, struct behind y, double slowness_s_m)
{
    const double alone_x = x.is_there ? x.time_s + x.distance_m * slowness_s_m : (double)INFINITY;
    const double alone_y = y.is_there ? y.time_s + y.distance_m * slowness_s_m : (double)INFINITY;
    if (!x.is_there || !y.is_there)
        return fmin(alone_x, alone_y);
    const double wx = 1 / (x.distance_m * x.distance_m), wy = 1 / (y.distance_m * y.distance_m);
    const double apart = x.time_s - y.time_s;
    const double inside = slowness_s_m * slowness_s_m * (wx + wy) - wx * wy * apart * apart;
    if (inside < 0)
        return fmin(alone_x, alone_y);
    const double time_s = (wx * x.time_s + wy * y.time_s + sqrt(inside)) / (wx + wy);
    return time_s >= fmax(x.time_s, y.time_s) ? time_s : fmin(alone_x, alone_y);
}

static void update(struct tsunami_march *m, size_t node)
{
    const struct tsunami_geometry *g = m->geometry;
    const size_t column = node % g->nx, row = node / g->nx;
    const double depth_m = depth_at(m, column, row);
    if (m->place[node] == ACCEPTED || !(depth_m > m->wall_depth_m))
        return;
    const double slowness_s_m = 1 / sqrt(g->gravity_m_s2 * depth_m);
    const struct behind x = look_behind(m, true, column, row), y = look_behind(m, false, column, row);
    const float time_s = (float)time_from(x, y, slowness_s_m);
    if (!(time_s < m->time_s[node]))
        return;
    m->time_s[node] = time_s;
    rise(m, m->place[node] == FAR ? m->heap_count++ : m->place[node], entry_of(time_s, (uint32_t)node));
}

// ---- the march

void tsunami_march_clear(struct tsunami_march *m)
{
    const size_t nodes = m->geometry->nx * m->geometry->ny;
    m->heap_count = 0;
    for (size_t k = 0; k < nodes; k++) {
        m->time_s[k] = INFINITY;
        m->place[k] = FAR;
    }
}

void tsunami_march_begin(struct tsunami_march *m, size_t column, size_t row, double time_s)
{
    const size_t node = row * m->geometry->nx + column;
    if (!(depth_at(m, column, row) > m->wall_depth_m) || !((float)time_s < m->time_s[node]))
        return;
    m->time_s[node] = (float)time_s;
    m->place[node] = ACCEPTED;
}

static void update_neighbours(struct tsunami_march *m, size_t node)
{
    const size_t column = node % m->geometry->nx, row = node / m->geometry->nx;
    for (int direction = -1; direction <= 1; direction += 2)
        for (int axis = 0; axis < 2; axis++) {
            size_t next;
            if (neighbour(m, axis == 0, column, row, direction, &next))
                update(m, next);
        }
}

void tsunami_march_run(struct tsunami_march *m)
{
    const size_t nodes = m->geometry->nx * m->geometry->ny;
    for (size_t node = 0; node < nodes; node++)
        if (m->place[node] == ACCEPTED)
            update_neighbours(m, node);
    while (m->heap_count > 0)
        update_neighbours(m, take_first(m));
}

// ---- of a run

enum status tsunami_travel_plan(struct tsunami_travel *travel, struct tsunami_level *t,
                                struct memory_plan *memory)
{
    static const char key[] = "output.travel_time";
    const struct tsunami_source *source = t->params.source;
    const size_t nx = t->params.window.nx, ny = t->params.window.ny;
    if (source->faults.count == 0 && !source->displacement && !source->initial[TSUNAMI_ETA])
        return job_fail(t->job, key, "the job has no source in the grid from which waves could start");
    if (ny > TSUNAMI_MARCH_NODES_MAX / nx)
        return job_fail(t->job, key, "%zu x %zu nodes are more than can be marched", nx, ny);
    struct tsunami_march *m = &travel->march;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F32, ny, nx, (void **)&m->time_s, "travel times"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_I32, ny, nx, (void **)&m->place,
                          "travel times' places"));
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_I64, ny, nx, (void **)&m->heap, "travel times' heap");
}

struct search {
    struct tsunami_level *level;
    float *shift_m; // [ny][nx] magnitude, 0 on land; lies where the times will
};

// The whole source's shift of the surface in one row: known already where nothing moves after the start.
static void shift_row(void *context, size_t row)
{
    const struct search *search = context;
    struct tsunami_level *t = search->level;
    const size_t nx = t->geometry.nx;
    double *uplift_m = tsunami_row_buffer(t, 0);
    if (t->deformation_m && !tsunami_source_moves(t, t->start_s, INFINITY))
        memcpy(uplift_m, t->deformation_m + row * nx, nx * sizeof *uplift_m);
    else
        tsunami_uplift(t, (struct tsunami_nodes){row, 0, nx}, tsunami_at(-INFINITY), tsunami_at(INFINITY),
                       uplift_m);
    const double wall_m = fmax(0, t->params.physics.wall_depth_m);
    for (size_t i = 0; i < nx; i++) {
        const double initial_m = t->initial[TSUNAMI_ETA] ? (double)t->initial[TSUNAMI_ETA][row * nx + i] : 0;
        const bool is_wet = t->depth_m[row * t->geometry.pitch + i] > wall_m;
        search->shift_m[row * nx + i] = is_wet ? fabsf((float)(uplift_m[i] + initial_m)) : 0;
    }
}

// The start without a shift: the wet node nearest to the first fault. False if no node is wet.
static bool begin_at_fault(struct tsunami_march *m, const struct tsunami_level *t)
{
    const struct fault_table *faults = &t->params.source->faults;
    const struct grid_window *w = &t->params.window;
    double nearest_m = INFINITY;
    size_t column = 0, row = 0;
    for (size_t k = 0; faults->count > 0 && k < w->nx * w->ny; k++) {
        const size_t i = k % w->nx, j = k / w->nx;
        if (!(depth_at(m, i, j) > m->wall_depth_m))
            continue;
        const double distance =
            nearby_distance_m(w, t->params.earth_radius_m, faults->faults[0].longitude_deg,
                              faults->faults[0].latitude_deg, w->x[i], w->y[j]);
        if (distance < nearest_m) {
            nearest_m = distance;
            column = i;
            row = j;
        }
    }
    if (!(nearest_m < INFINITY))
        return false;
    log_warning("travel times: the source shifts no water of the grid; they start at (%g, %g), the node "
                "nearest to its first fault",
                w->x[column], w->y[row]);
    tsunami_march_begin(m, column, row, 0);
    return true;
}

void tsunami_travel_find(struct tsunami_travel *travel, struct tsunami_level *t)
{
    struct tsunami_march *m = &travel->march;
    const size_t nx = t->geometry.nx, nodes = nx * t->geometry.ny;
    const double begin_s = clock_now_s();
    m->geometry = &t->geometry;
    m->depth_m = t->depth_m;
    m->wall_depth_m = fmax(0, t->params.physics.wall_depth_m);
    struct search search = {t, (float *)(void *)m->heap}; // which is free until the march runs
    team_for(t->threads, t->geometry.ny, shift_row, &search);
    float largest_m = 0;
    for (size_t k = 0; k < nodes; k++)
        largest_m = fmaxf(largest_m, search.shift_m[k]);
    tsunami_march_clear(m);
    size_t starts = 0;
    for (size_t k = 0; k < nodes && largest_m > 0; k++)
        if ((double)search.shift_m[k] >= t->params.travel_time_share * (double)largest_m) {
            tsunami_march_begin(m, k % nx, k / nx, 0);
            starts++;
        }
    travel->has_source = starts > 0;
    if (starts == 0 && !begin_at_fault(m, t))
        log_warning("travel times: the source shifts no water of the grid: there are none");
    const double march_s = clock_now_s();
    tsunami_march_run(m);
    log_info("travel times: from %zu nodes, in %.3g s (the source took %.3g s before)", starts,
             clock_now_s() - march_s, march_s - begin_s);
}

double tsunami_travel_at(const struct tsunami_travel *travel, const struct tsunami_level *t,
                         const struct tsunami_point *point, bool *is_in_source)
{
    enum { REACH = 2 };
    const struct tsunami_march *m = &travel->march;
    const struct grid_window *w = &t->params.window;
    const double slowness_s_m = 1 / sqrt(t->params.gravity_m_s2 * point->depth_m);
    const ptrdiff_t i = (ptrdiff_t)axis_nearest(w->x, w->nx, point->node_x),
                    j = (ptrdiff_t)axis_nearest(w->y, w->ny, point->node_y);
    double time_s = INFINITY;
    for (int reach = 0; reach <= REACH && time_s == (double)INFINITY; reach++)
        for (ptrdiff_t row = j - reach; row <= j + reach; row++)
            for (ptrdiff_t column = i - reach; column <= i + reach; column++) {
                if (row < 0 || column < 0 || row >= (ptrdiff_t)w->ny || column >= (ptrdiff_t)w->nx)
                    continue;
                const double way_m = nearby_distance_m(w, t->params.earth_radius_m, point->node_x,
                                                       point->node_y, w->x[column], w->y[row]);
                const double node_s = (double)m->time_s[(size_t)row * w->nx + (size_t)column];
                if (node_s + way_m * slowness_s_m >= time_s)
                    continue;
                time_s = node_s + way_m * slowness_s_m;
                *is_in_source = travel->has_source && node_s == 0;
            }
    return time_s < (double)INFINITY ? time_s : (double)NAN;
}

void tsunami_travel_copy(const struct tsunami_travel *travel, float *record)
{
    const struct tsunami_march *m = &travel->march;
    const size_t nodes = m->geometry->nx * m->geometry->ny;
    for (size_t k = 0; k < nodes; k++)
        record[k] = m->time_s[k] < INFINITY ? m->time_s[k] : NAN;
}
