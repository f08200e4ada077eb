// The order of rows, planes and steps in the fast CPU version. Within one advance several steps follow each
// other through the planes, HEAT_LAG planes apart, so that all of them use a plane while it is in the cache.
// Every bit is the same as step by step. Knows no arithmetic.
#include "models/bioheat/openmp_solver.h"

#include "models/bioheat/results.h"
#include "models/denormals.h"

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { NO_COLOUR = -1, SPARSE_ONLY = 3 };

// One pass over the grid: a step, or one colour of a step, or (SPARSE_ONLY) points and boxes after the
// colours.
struct stage {
    int64_t step;
    int number; // of the step within its group
    int colour;
    const double *amplitudes;
    const void *from;
    void *to;
    struct bioheat_planes planes;
    // rkl2: of its step, from 1 on, or 0; the step's start; the stage two before (to, or the start)
    int stage;
    int part; // of the sub-steps of its step
    const void *start, *earlier;
};

struct stage_list {
    const struct solver *solver;
    struct solver *exchanging; // in a ring: before each stage; else NULL
    struct stage stages[HEAT_STAGES_MAX];
    int stage_count;
    int team; // threads: OpenMP may give fewer than requested
};

void heat_fill_row_ends(const struct solver *s, void *row)
{
    float *single = row;
    double *twice = row;
    for (int k = 0; k < HEAT_ENDS; k++)
        if (s->kind == 0)
            single[s->end_to[k]] = single[s->end_from[k]];
        else
            twice[s->end_to[k]] = twice[s->end_from[k]];
}

// ---- rows

static void *ring_plane(const struct solver *s, int number, size_t slot)
{
    return (char *)s->ring + ((size_t)number * HEAT_RING + slot) * s->ny * s->pitch * s->element;
}

static void *first_plane(const struct solver *s, size_t plane)
{
    return ring_plane(s, s->depth, plane);
}

// Row y of plane `plane` as it was before the stage, while plane z is computed.
static const void *old_row(const struct solver *s, const struct stage *stage, size_t z, size_t plane,
                           size_t y)
{
    if (!s->is_in_place || plane > z)
        return heat_row_of(s, stage->from, plane, y);
    if (plane + 2 >= z)
        return heat_row_of(s, ring_plane(s, stage->number, plane % HEAT_RING), 0, y);
    return heat_row_of(s, first_plane(s, plane), 0, y); // round a periodic domain
}

static const void *conductivity_row(const struct solver *s, size_t z, size_t y)
{
    return (const void *)((uintptr_t)*s->setup.media->conductivity +
                          (z * s->ny + y) * s->view.nx * s->element);
}

static void find_neighbours(const struct solver *s, const struct stage *stage, struct heat_row *row)
{
    static const ptrdiff_t offsets[HEAT_NEIGHBOURS] = {-2, -1, 1, 2};
    const struct bioheat_media *media = s->setup.media;
    for (int axis = BIOHEAT_Z; axis <= BIOHEAT_Y; axis++)
        for (int k = 0; k < HEAT_NEIGHBOURS; k++) {
            bool is_missing;
            const ptrdiff_t index = (ptrdiff_t)(axis == BIOHEAT_Z ? row->z : row->y) + offsets[k];
            const size_t mapped = heat_map(s->setup.grid, axis, index, &is_missing);
            const size_t z = axis == BIOHEAT_Z ? mapped : row->z, y = axis == BIOHEAT_Y ? mapped : row->y;
            row->near[axis][k] = old_row(s, stage, row->z, z, y);
            if (media->has_labels)
                row->near_media[axis][k] = is_missing ? s->no_media + HEAT_PAD : heat_media_of(s, z, y);
            else
                row->near_k[axis][k] = is_missing ? s->zeros : conductivity_row(s, z, y);
        }
}

// The row's own conductivities with two beyond either end.
static void pad_conductivity(const struct solver *s, struct heat_row *row, char *scratch)
{
    const size_t n = s->view.nx, at = (row->z * s->ny + row->y) * n * s->element;
    char *k = scratch + ((size_t)HEAT_K * s->pitch + HEAT_PAD) * s->element;
    memcpy(k, (const char *)*s->setup.media->conductivity + at, n * s->element);
    for (ptrdiff_t i = -2; i < 2; i++) {
        const ptrdiff_t x = i < 0 ? i : (ptrdiff_t)n + i;
        bool is_missing;
        const size_t from = heat_map(s->setup.grid, BIOHEAT_X, x, &is_missing);
        if (is_missing)
            memset(k + x * (ptrdiff_t)s->element, 0, s->element);
        else
            memcpy(k + x * (ptrdiff_t)s->element, k + from * s->element, s->element);
    }
    row->k = k;
}

static void compute_row(const struct solver *s, const struct stage *stage, size_t z, size_t y, char *scratch)
{
    const struct bioheat_media *media = s->setup.media;
    const struct bioheat_grid *grid = s->setup.grid;
    const size_t dense = (z * s->ny + y) * s->view.nx * s->element;
    void *target = heat_row_of(s, stage->to, z, y);
    struct heat_row row = {.z = z, .y = y, .at = old_row(s, stage, z, z, y), .out = target};
    for (int side = 0; side < 2; side++) {
        row.is_wall[BIOHEAT_Z][side] = heat_is_wall(grid, BIOHEAT_Z, z, side);
        row.is_wall[BIOHEAT_Y][side] = heat_is_wall(grid, BIOHEAT_Y, y, side);
    }
    find_neighbours(s, stage, &row);
    if (media->has_labels) {
        row.media = heat_media_of(s, z, y);
        row.codes = s->codes + (z * s->ny + y) * s->groups;
    } else {
        pad_conductivity(s, &row, scratch);
        row.heat_capacity = (const char *)*media->heat_capacity + dense;
        row.perfusion = media->perfusion ? (const char *)*media->perfusion + dense : NULL;
    }
    if (s->has_extras)
        heat_add_extras(s, &row, stage->amplitudes, scratch);
    if (stage->colour >= 0 || s->is_rkl2)
        row.out = scratch + ((size_t)HEAT_CHANGES * s->pitch + HEAT_PAD) * s->element;
    (media->has_labels ? s->functions->label_row : s->functions->field_row)[s->kind](&s->view, &row);
    if (stage->colour >= 0)
        s->functions->add_colour[s->kind](s->view.first, s->view.last,
                                          ((size_t)stage->colour + 2 * (z + y)) % 3, row.out, target);
}

static struct heat_dose_row dose_row_of(const struct solver *s, enum bioheat_dose definition)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const bool is_iso = definition == BIOHEAT_DOSE_ISO, is_plain = definition == BIOHEAT_DOSE_PLAIN;
    const double least_c = is_iso ? BIOHEAT_DOSE_ISO_LEAST_C : BIOHEAT_DOSE_KWAVE_LEAST_C;
    return (struct heat_dose_row){.turn_k = BIOHEAT_DOSE_REFERENCE_C - physics->reference_c,
                                  .least_k = is_plain ? (double)-INFINITY : least_c - physics->reference_c,
                                  .most_k = is_iso ? BIOHEAT_DOSE_ISO_MOST_C - physics->reference_c
                                                   : (double)INFINITY,
                                  .remembers = is_iso,
                                  .counts_all = is_plain};
}

struct heat_dose_row heat_dose_of(const struct solver *s, const void *theta, size_t at)
{
    struct heat_dose_row row = dose_row_of(s, s->setup.physics->dose);
    row.theta = theta;
    row.block = (char *)s->block + at * s->element;
    row.total = s->total + at;
    return row;
}

struct heat_dose_row heat_second_dose_of(const struct solver *s, const void *theta, size_t at)
{
    struct heat_dose_row row = dose_row_of(s, s->setup.physics->second_dose);
    row.theta = theta;
    row.block = (char *)s->second_block + at * s->element;
    row.total = s->second_total + at;
    return row;
}

// The doses that the run keeps: one, or two; returns how many.
static int dose_rows(const struct solver *s, const void *theta, size_t at, struct heat_dose_row rows[2])
{
    if (s->setup.physics->dose == BIOHEAT_DOSE_OFF)
        return 0;
    rows[0] = heat_dose_of(s, theta, at);
    if (s->setup.physics->second_dose == BIOHEAT_DOSE_OFF)
        return 1;
    rows[1] = heat_second_dose_of(s, theta, at);
    return 2;
}

// Of a step of rkl2, or of each of its sub-steps.
static int stages_of(const struct solver *s)
{
    return s->is_divided ? s->setup.physics->substep_stages : s->setup.physics->stages;
}

static int parts_of(const struct solver *s)
{
    return s->is_divided ? s->setup.physics->substeps : 1;
}

static void record_row(const struct solver *s, const struct stage *stage, size_t z, size_t y)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const size_t at = (z * s->ny + y) * s->pitch;
    const void *theta = old_row(s, stage, z, z, y);
    struct heat_dose_row rows[2];
    const int doses = s->is_rkl2 ? 0 : dose_rows(s, theta, at, rows);
    for (int k = 0; k < doses; k++) {
        rows[k].weight = stage->step == 0 ? 0.5 : 1;
        rows[k].is_flushed = (stage->step + 1) % HEAT_DOSE_BLOCK == 0;
        s->functions->dose_row[s->kind](s->view.nx, &rows[k]);
    }
    const double time_s = ((double)stage->step + (double)stage->part / parts_of(s)) * physics->step_s;
    if (physics->has_maximum)
        s->functions->maximum_row[s->kind](s->view.nx, theta, time_s, (char *)s->largest + at * s->element,
                                           (char *)s->largest_at + at * s->element);
}

// A stage of rkl2, and after the last one the step's dose.
static void rkl2_row(const struct solver *s, const struct stage *stage, size_t z, size_t y, char *scratch)
{
    const struct bioheat_rkl2_stage *weights = &s->rkl2[s->is_divided][stage->stage];
    void *change = scratch + ((size_t)HEAT_CHANGES * s->pitch + HEAT_PAD) * s->element;
    const struct heat_stage_row row = {.last_weight = weights->last,
                                       .earlier_weight = weights->earlier,
                                       .rate = weights->rate,
                                       .first_rate = weights->first_rate,
                                       .is_first = stage->stage == 1,
                                       .start = heat_row_of(s, stage->start, z, y),
                                       .last = heat_row_of(s, stage->from, z, y),
                                       .earlier = heat_row_of(s, stage->earlier, z, y),
                                       .change = change,
                                       .first = heat_row_of(s, s->first_change, z, y),
                                       .out = heat_row_of(s, stage->to, z, y)};
    compute_row(s, stage, z, y, scratch);
    if (s->has_sparse_source)
        heat_add_sparse(s, z, y, stage->amplitudes, change);
    s->functions->stage_row[s->kind](s->view.first, s->view.last, &row);
    heat_fill_row_ends(s, row.out);
}

static void record_mean_dose(const struct solver *s, const struct stage *stage, size_t z, size_t y)
{
    struct heat_dose_row rows[2];
    const int doses = dose_rows(s, heat_row_of(s, stage->to, z, y), (z * s->ny + y) * s->pitch, rows);
    for (int k = 0; k < doses; k++) {
        rows[k].before = heat_row_of(s, stage->start, z, y);
        rows[k].weight = 1.0 / parts_of(s);
        rows[k].is_flushed = stage->part + 1 == parts_of(s) && (stage->step + 1) % HEAT_DOSE_BLOCK == 0;
        s->functions->mean_dose_row[s->kind](s->view.nx, &rows[k]);
    }
}

static bool is_changed_row(const struct solver *s, size_t z, size_t y)
{
    const struct bioheat_grid *grid = s->setup.grid;
    return bioheat_is_updated(grid, BIOHEAT_Z, z) && bioheat_is_updated(grid, BIOHEAT_Y, y) &&
           s->view.first < s->view.last;
}

static void stage_row(const struct solver *s, const struct stage *stage, size_t z, size_t y, char *scratch)
{
    const bool is_changed = is_changed_row(s, z, y), is_own = bioheat_has_plane(s->own, z);
    if (is_own && stage->colour <= 0 && stage->stage <= 1)
        record_row(s, stage, z, y);
    if (s->is_rkl2) {
        if (is_changed)
            rkl2_row(s, stage, z, y, scratch);
        if (is_own && stage->stage == stages_of(s))
            record_mean_dose(s, stage, z, y);
        return;
    }
    if (!is_changed)
        return;
    if (stage->colour != SPARSE_ONLY)
        compute_row(s, stage, z, y, scratch);
    void *target = heat_row_of(s, stage->to, z, y);
    if (s->has_sparse_source && (stage->colour == NO_COLOUR || stage->colour == SPARSE_ONLY))
        heat_add_sparse(s, z, y, stage->amplitudes, target);
    heat_fill_row_ends(s, target);
}

// ---- planes

static char *scratch_of(const struct solver *s, int thread)
{
    return (char *)s->scratch + (size_t)thread * HEAT_SCRATCH_ROWS * s->pitch * s->element;
}

// The calling thread's rows of a plane; in place, those of the next plane are copied first.
static void stage_plane(const struct stage_list *m, const struct stage *stage, ptrdiff_t z, int thread)
{
    const struct solver *s = m->solver;
    char *scratch = scratch_of(s, thread);
    const size_t stride = (size_t)m->team * HEAT_ROWS, bytes = s->pitch * s->element;
    for (size_t begin = (size_t)thread * HEAT_ROWS; begin < s->ny; begin += stride) {
        const size_t end = begin + HEAT_ROWS < s->ny ? begin + HEAT_ROWS : s->ny;
        if (s->is_in_place && z + 1 < (ptrdiff_t)stage->planes.end) {
            const size_t next = (size_t)(z + 1);
            const char *from = (const char *)stage->from + (next * s->ny + begin) * bytes;
            memcpy((char *)ring_plane(s, stage->number, next % HEAT_RING) + begin * bytes, from,
                   (end - begin) * bytes);
            if (next < HEAT_FIRST_PLANES && s->order == HEAT_SINGLY)
                memcpy((char *)first_plane(s, next) + begin * bytes, from, (end - begin) * bytes);
        }
        for (size_t y = begin; z >= (ptrdiff_t)stage->planes.first && y < end; y++)
            stage_row(s, stage, (size_t)z, y, scratch);
    }
}

// Where a stage begins: in place it first copies its first plane and the two before.
static ptrdiff_t begin_of(const struct solver *s, const struct stage *stage)
{
    const ptrdiff_t first = (ptrdiff_t)stage->planes.first;
    return !s->is_in_place ? first : first == 0 ? -1 : first - BIOHEAT_REACH - 1;
}

static ptrdiff_t end_of(const struct stage *stage)
{
    return (ptrdiff_t)stage->planes.end;
}

// The last position, one beyond, of the last stage, which is the last one of all: stages end at most two
// planes before the one ahead.
static ptrdiff_t last_position(const struct stage_list *m)
{
    return end_of(&m->stages[m->stage_count - 1]) + HEAT_LAG * (m->stage_count - 1);
}

static void wait_for_team(const struct stage_list *m)
{
    if (m->team > 1) {
#pragma omp barrier
    }
}

// ---- exchanges

enum status heat_exchange(struct solver *s, void *state)
{
    if (!s->is_shared)
        return STATUS_OK;
    s->exchanged = state;
    CHECK(exchange_begin(&s->exchange));
    return exchange_end(&s->exchange);
}

// By the thread that made the team; all others wait.
static bool exchange_before(struct solver *s, void *state, const struct stage_list *m, int thread)
{
    if (!s->is_shared)
        return true;
    wait_for_team(m);
    if (thread == 0)
        s->status = heat_exchange(s, state);
    wait_for_team(m);
    return s->status == STATUS_OK;
}

// All stages, one behind the other through the planes.
static void run_together(const struct stage_list *m, int thread)
{
    const struct solver *s = m->solver;
    const ptrdiff_t last = last_position(m);
    for (ptrdiff_t position = begin_of(s, &m->stages[0]); position < last; position++) {
        for (int k = 0; k < m->stage_count; k++) {
            const ptrdiff_t z = position - HEAT_LAG * k;
            if (z >= begin_of(s, &m->stages[k]) && z < end_of(&m->stages[k]))
                stage_plane(m, &m->stages[k], z, thread);
        }
        wait_for_team(m);
    }
}

// One stage after the other; the planes of a stage in any order, but in place.
static void run_singly(const struct stage_list *m, int thread)
{
    const struct solver *s = m->solver;
    for (int k = 0; k < m->stage_count; k++) {
        const bool has_exchange = k > 0 && m->exchanging && m->stages[k].colour != SPARSE_ONLY;
        if (has_exchange && !exchange_before(m->exchanging, (void *)(uintptr_t)m->stages[k].from, m, thread))
            return;
        for (ptrdiff_t z = begin_of(s, &m->stages[k]); z < end_of(&m->stages[k]); z++) {
            stage_plane(m, &m->stages[k], z, thread);
            if (s->is_in_place)
                wait_for_team(m);
        }
        wait_for_team(m);
    }
}

// ---- strips

static void wait_for(const struct solver *s, size_t strip, int32_t position)
{
    for (int spins = 0; atomic_load_explicit(&s->progress[strip], memory_order_acquire) < position; spins++)
        if (spins > 1000)
            sched_yield(); // the other thread may have no processor
}

// The rows of stage k in a strip: HEAT_LAG further back for each stage, so that each row occurs once per
// stage.
static void strip_rows(const struct solver *s, size_t strip, int k, size_t *begin, size_t *end)
{
    const ptrdiff_t first = (ptrdiff_t)(strip * s->strip_rows) - HEAT_LAG * k,
                    last = first + (ptrdiff_t)s->strip_rows, rows = (ptrdiff_t)s->ny;
    *begin = (size_t)(first < 0 ? 0 : first > rows ? rows : first);
    *end = (size_t)(last < 0 ? 0 : last > rows ? rows : last);
}

// A thread has every threads-th strip. At a position a strip needs the previous strip's results at all
// earlier ones.
static void run_strips(const struct stage_list *m, int thread)
{
    const struct solver *s = m->solver;
    char *scratch = scratch_of(s, thread);
    const ptrdiff_t first = begin_of(s, &m->stages[0]), last = last_position(m);
    const size_t strips =
        (s->ny + (size_t)(HEAT_LAG * (m->stage_count - 1)) + s->strip_rows - 1) / s->strip_rows;
    for (size_t strip = (size_t)thread; strip < strips; strip += (size_t)m->team) {
        for (ptrdiff_t position = first; position < last; position++) {
            if (strip > 0)
                wait_for(s, strip - 1, (int32_t)position);
            for (int k = 0; k < m->stage_count; k++) {
                const ptrdiff_t z = position - HEAT_LAG * k;
                size_t begin, end;
                if (z < begin_of(s, &m->stages[k]) || z >= end_of(&m->stages[k]))
                    continue;
                strip_rows(s, strip, k, &begin, &end);
                for (size_t y = begin; y < end; y++)
                    stage_row(s, &m->stages[k], (size_t)z, y, scratch);
            }
            atomic_store_explicit(&s->progress[strip], (int32_t)position + 1, memory_order_release);
        }
    }
    wait_for_team(m);
    for (size_t strip = (size_t)thread; strip < strips; strip += (size_t)m->team)
        atomic_store_explicit(&s->progress[strip], 0, memory_order_relaxed);
    wait_for_team(m);
}

// ---- steps

static void list_stages(const struct solver *s, int64_t first_step, int count, const double *amplitudes,
                        int current, struct stage_list *m)
{
    const size_t terms = bioheat_terms(s->setup.source);
    m->solver = s;
    m->team = omp_get_num_threads();
    m->stage_count = 0;
    int passes = 0;
    for (int k = 0; k < count; k++) {
        struct stage stage = {.step = first_step + k,
                              .number = k,
                              .colour = NO_COLOUR,
                              .amplitudes = amplitudes + (size_t)k * terms,
                              .from = s->theta[0],
                              .to = s->theta[0]};
        if (s->setup.physics->method == BIOHEAT_EULER) {
            stage.from = s->theta[(current + k) % 2];
            stage.to = s->theta[(current + k + 1) % 2];
        }
        const int last = s->has_colours ? (s->has_sparse_source ? 3 : 2) : NO_COLOUR;
        for (stage.colour = s->has_colours ? 0 : NO_COLOUR; stage.colour <= last; stage.colour++) {
            passes += stage.colour != SPARSE_ONLY; // which reads no planes beside
            stage.planes = heat_valid(s, passes);
            m->stages[m->stage_count++] = stage;
        }
    }
}

// Stages of rkl2 from number `first` on, counted from the first of the advance. Y_1 goes to the second of the
// three arrays from the step's start, Y_2 to the third, Y_3 over Y_1, and so on; the last is the next start.
static void list_rkl2_stages(const struct solver *s, int64_t first_step, int64_t first, int count,
                             const double *amplitudes, struct stage_list *m)
{
    const int stages = stages_of(s), parts = parts_of(s), turn = stages % 2 == 1 ? 1 : 2;
    m->solver = s;
    m->team = omp_get_num_threads();
    m->stage_count = count;
    for (int k = 0; k < count; k++) {
        const int64_t substep = (first + k) / stages, step = substep / parts;
        const int j = (int)((first + k) % stages) + 1, start = (int)((s->current + substep * turn) % 3);
        void *const arrays[] = {s->theta[start], s->theta[(start + 1) % 3], s->theta[(start + 2) % 3]};
        const int to = j % 2 == 1 ? 1 : 2;
        m->stages[k] =
            (struct stage){.step = first_step + step,
                           .colour = NO_COLOUR,
                           .amplitudes = amplitudes + (size_t)step * bioheat_terms(s->setup.source),
                           .from = arrays[j == 1 ? 0 : 3 - to],
                           .to = arrays[to],
                           .planes = heat_valid(s, k + 1),
                           .stage = j,
                           .part = (int)(substep % parts),
                           .start = arrays[0],
                           .earlier = arrays[j <= 2 ? 0 : to]};
    }
}

static void run_steps(struct solver *s, int64_t first_step, int64_t count, const double *amplitudes,
                      int thread)
{
    static void (*const runs[])(const struct stage_list *, int) = {run_singly, run_together, run_strips};
    const size_t terms = bioheat_terms(s->setup.source);
    const unsigned mode = denormals_flush();
    const int64_t all = s->is_rkl2 ? count * parts_of(s) * stages_of(s) : count;
    for (int64_t done = 0; done < all;) {
        const int steps = all - done < s->depth ? (int)(all - done) : s->depth;
        struct stage_list m;
        m.exchanging = s->is_ring ? s : NULL;
        if (s->is_rkl2)
            list_rkl2_stages(s, first_step, done, steps, amplitudes, &m);
        else
            list_stages(s, first_step + done, steps, amplitudes + (size_t)done * terms,
                        (int)((s->current + done) % 2), &m);
        if (!exchange_before(s, (void *)(uintptr_t)m.stages[0].from, &m, thread))
            break;
        runs[s->order](&m, thread);
        if (s->status != STATUS_OK)
            break;
        done += steps;
    }
    denormals_restore(mode);
}

enum status heat_run_steps(struct solver *s, int64_t first_step, int64_t count, const double *amplitudes)
{
    s->status = STATUS_OK;
    if (s->threads == 1) // without a team: see team.h
        run_steps(s, first_step, count, amplitudes, 0);
    else {
#pragma omp parallel num_threads(s->threads)
        run_steps(s, first_step, count, amplitudes, omp_get_thread_num());
    }
    if (s->setup.physics->method == BIOHEAT_EULER)
        s->current = (int)((s->current + count) % 2);
    if (s->is_rkl2)
        s->current = (int)((s->current + count * parts_of(s) * (stages_of(s) % 2 == 1 ? 1 : 2)) % 3);
    return s->status;
}
