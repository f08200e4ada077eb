// The tissues at the beginning and the end of each exposure: see tables.h.
#include "models/bioheat/instance.h"
#include "models/bioheat/results.h"
#include "models/team.h"

#include "io/json_file.h"
#include "parallel/relay.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static int mark_count(const struct bioheat_marks *m)
{
    return m->exposures > 0 ? 2 * m->exposures + 1 : 0;
}

static int64_t nearest_step(const struct bioheat *b, double time_s)
{
    const double step = nearbyint(time_s / b->step_s);
    return step > 0 ? (step < (double)b->steps ? (int64_t)step : b->steps) : 0;
}

static int64_t mark_step(const struct bioheat *b, int mark)
{
    const struct bioheat_trains *t = &b->marks.trains;
    if (mark >= mark_count(&b->marks) - 1)
        return b->steps;
    const int64_t exposure = b->marks.first + mark / 2;
    const double begin_s = t->start_s + (exposure > 0 ? (double)exposure * t->interval_s : 0);
    if (mark % 2 == 0)
        return nearest_step(b, begin_s);
    return isnan(t->length_s) ? b->steps : nearest_step(b, begin_s + t->length_s);
}

static struct bioheat_mark *mark_at(const struct bioheat *b, int64_t mark, int slot)
{
    return b->marks.values + mark * b->tissues.count + slot;
}

// How many of `count` exposures end before the first step has begun: those have no line. The last one ends
// with the run.
static int64_t count_before(const struct bioheat *b, int64_t count)
{
    const struct bioheat_trains *t = &b->marks.trains;
    if (count < 2 || t->start_s >= 0)
        return 0;
    int64_t first = (int64_t)fmin(fmax(0, -t->start_s / t->interval_s - 2), (double)(count - 1));
    while (first < count - 1 && nearest_step(b, t->start_s + (double)(first + 1) * t->interval_s) == 0)
        first++;
    return first;
}

enum status bioheat_marks_plan(struct bioheat *b)
{
    struct bioheat_marks *m = &b->marks;
    m->trains = bioheat_heating_trains(b->heating);
    if (!b->params.has_exposures)
        return STATUS_OK;
    // Those that begin after the run's end have no line.
    int64_t count = m->trains.count;
    if (count > 1)
        count =
            (int64_t)fmin((double)count, ceil(((double)b->steps - 0.5) * b->step_s / m->trains.interval_s -
                                              m->trains.start_s / m->trains.interval_s));
    m->first = count_before(b, count);
    count -= m->first;
    if (count > BIOHEAT_EXPOSURES_MAX)
        return job_fail(b->base.job, "output.exposures",
                        "the protocol has %lld exposures in this run (repetitions of its outermost level), "
                        "at most %d are "
                        "possible: set it to false",
                        (long long)count, BIOHEAT_EXPOSURES_MAX);
    m->exposures = count < 1 ? 1 : (int)count;
    m->values = calloc((size_t)mark_count(m) * (size_t)b->tissues.count, sizeof(struct bioheat_mark));
    return m->values ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for a table of %d exposures", m->exposures);
}

int bioheat_marks_checkpoint(struct bioheat *b, struct checkpoint_array *arrays)
{
    struct bioheat_marks *m = &b->marks;
    if (m->exposures == 0)
        return 0;
    arrays[0] = (struct checkpoint_array){"exposures taken", &m->taken, sizeof m->taken};
    arrays[1] = (struct checkpoint_array){"exposures", m->values,
                                          (size_t)mark_count(m) * (size_t)b->tissues.count *
                                              sizeof(struct bioheat_mark)};
    return 2;
}

struct marking {
    struct bioheat *b;
    int64_t step;
    struct bioheat_mark *marks; // [slot]
};

static void merge(struct bioheat_mark *all, const struct bioheat_mark *one)
{
    all->largest_c = fmax(all->largest_c, one->largest_c);
    all->so_far_c = fmax(all->so_far_c, one->so_far_c);
    all->dose_min = fmax(all->dose_min, one->dose_min);
    all->second_min = fmax(all->second_min, one->second_min);
}

static const struct bioheat_mark no_mark = {NAN, NAN, NAN, NAN};

static void mark_row(const struct marking *m, size_t z, size_t y, struct bioheat_mark *of)
{
    struct bioheat *b = m->b;
    const struct bioheat_params *p = &b->params;
    const size_t nx = p->body.grid.cells[BIOHEAT_X];
    double *theta = bioheat_row_buffer(b, 0), *dose = bioheat_row_buffer(b, 1),
           *largest = bioheat_row_buffer(b, 2), *second = bioheat_row_buffer(b, 3);
    b->backend->get(b->base.solver, z, y, 0, nx, theta);
    b->backend->get_records(b->base.solver, m->step, z, y, 0, nx, dose, largest, NULL);
    if (p->physics.second_dose != BIOHEAT_DOSE_OFF)
        b->backend->get_second_dose(b->base.solver, m->step, z, y, 0, nx, second);
    else
        for (size_t x = 0; x < nx; x++)
            second[x] = NAN;
    for (size_t x = 0; x < nx; x++) {
        const uint64_t index = bioheat_index(&p->body.grid, z, y, x);
        if (bioheat_role_at(b, index) != BIOHEAT_TISSUE)
            continue;
        const struct bioheat_mark mark = {bioheat_temperature_c(theta[x], p->body.reference_c),
                                          bioheat_temperature_c(largest[x], p->body.reference_c), dose[x],
                                          second[x]};
        merge(&of[bioheat_tissue_slot(b, index)], &mark);
    }
}

static void mark_plane(void *context, size_t item)
{
    const struct marking *m = context;
    const size_t z = bioheat_own(&m->b->params.body.grid).first + item;
    struct bioheat_mark of[BIOHEAT_LABELS];
    for (int slot = 0; slot < m->b->tissues.count; slot++)
        of[slot] = no_mark;
    for (size_t y = 0; y < m->b->params.body.grid.cells[BIOHEAT_Y]; y++)
        mark_row(m, z, y, of);
#pragma omp critical(marking) // extremes: the order does not matter
    for (int slot = 0; slot < m->b->tissues.count; slot++)
        merge(&m->marks[slot], &of[slot]);
}

static enum status mark_all(const struct marking *m)
{
    struct bioheat *b = m->b;
    const struct bioheat_planes own = bioheat_own(&b->params.body.grid);
    const struct relay_part part = {m->marks, (size_t)b->tissues.count * sizeof *m->marks};
    for (int slot = 0; slot < b->tissues.count; slot++)
        m->marks[slot] = no_mark;
    CHECK(relay_take(b->base.ranks, &part, 1));
    team_for(b->threads, own.end - own.first, mark_plane, (void *)(uintptr_t)m);
    return relay_pass(b->base.ranks, &part, 1);
}

enum status bioheat_marks_take(struct bioheat *b, int64_t step, int64_t *next)
{
    struct bioheat_marks *m = &b->marks;
    const int count = mark_count(m);
    bool is_known = false;
    for (; m->taken < count && mark_step(b, (int)m->taken) <= step; m->taken++) {
        struct marking marking = {b, step, mark_at(b, m->taken, 0)};
        if (is_known) {
            memcpy(marking.marks, mark_at(b, m->taken - 1, 0),
                   (size_t)b->tissues.count * sizeof *marking.marks);
            continue;
        }
        CHECK(instance_fetch(&b->base));
        CHECK(mark_all(&marking));
        is_known = true;
    }
    *next = m->taken < count ? mark_step(b, (int)m->taken) : INT64_MAX;
    return STATUS_OK;
}

void bioheat_marks_times(const struct bioheat *b, int exposure, double times_s[3])
{
    for (int k = 0; k < 3; k++)
        times_s[k] = b->start_s + (double)mark_step(b, 2 * exposure + k) * b->step_s;
}

struct bioheat_marked bioheat_marks_of(const struct bioheat *b, int exposure, int slot)
{
    const struct bioheat_mark *begin = mark_at(b, 2 * exposure, slot),
                              *train = mark_at(b, 2 * exposure + 1, slot),
                              *end = mark_at(b, 2 * exposure + 2, slot);
    double peak_c = fmax(fmax(begin->largest_c, train->largest_c), end->largest_c);
    if (end->so_far_c > begin->so_far_c)
        peak_c = end->so_far_c;
    return (struct bioheat_marked){begin->largest_c, peak_c, end->largest_c,
                                   bioheat_dose_gained_min(begin->dose_min, end->dose_min),
                                   bioheat_dose_gained_min(begin->second_min, end->second_min)};
}

// The numbers of a table's line: its member in run.json.
static const char *const marked_names[] = {"before_c", "peak_c", "after_c", "dose_gained_min",
                                           "second_dose_gained_min"};
enum { MARKED_NUMBERS = 5 };

void bioheat_marked_add(cJSON *list, const char *kind, const char *name, const struct bioheat_marked *m)
{
    const double values[MARKED_NUMBERS] = {m->before_c, m->peak_c, m->after_c, m->dose_min, m->second_min};
    cJSON *item = json_append_object(list);
    cJSON_AddStringToObject(item, kind, name);
    for (int k = 0; k < MARKED_NUMBERS; k++)
        if (!isnan(values[k]))
            json_add_number(item, marked_names[k], values[k]);
}

struct bioheat_marked bioheat_marked_read(const cJSON *item)
{
    double values[MARKED_NUMBERS];
    for (int k = 0; k < MARKED_NUMBERS; k++)
        values[k] =
            cJSON_IsNull(json_member(item, marked_names[k])) ? INFINITY : json_number(item, marked_names[k]);
    return (struct bioheat_marked){values[0], values[1], values[2], values[3], values[4]};
}

void bioheat_marks_describe(const struct bioheat *b, cJSON *report)
{
    const struct bioheat_marks *m = &b->marks;
    if (m->exposures == 0 || m->taken < mark_count(m))
        return;
    cJSON *list = cJSON_AddArrayToObject(report, "exposures");
    for (int k = 0; k < m->exposures; k++) {
        double times_s[3];
        cJSON *item = json_append_object(list);
        bioheat_marks_times(b, k, times_s);
        cJSON_AddNumberToObject(item, "number", (double)(m->first + k + 1));
        cJSON_AddNumberToObject(item, "begin_s", times_s[0]);
        cJSON_AddNumberToObject(item, "train_end_s", times_s[1]);
        cJSON_AddNumberToObject(item, "end_s", times_s[2]);
        cJSON *tissues = cJSON_AddArrayToObject(item, "tissues");
        for (int slot = 0; slot < b->tissues.count; slot++) {
            const struct bioheat_marked marked = bioheat_marks_of(b, k, slot);
            if (!isnan(marked.before_c)) // the tissue has cells
                bioheat_marked_add(tissues, "tissue", bioheat_tissue_name(b, b->tissues.labels[slot]),
                                   &marked);
        }
    }
}
