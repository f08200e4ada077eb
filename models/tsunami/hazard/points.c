// The members' forecast points: all values of all members are kept, so that their statistics are exact.
#include "models/tsunami/hazard/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- one member

struct place {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct place *)a)->name, ((const struct place *)b)->name);
}

// Puts rows of `bytes` in the order of the places; spare: as large.
static void arrange(void *rows, size_t bytes, const struct place *places, size_t count, void *spare)
{
    for (size_t k = 0; k < count; k++)
        memcpy((char *)spare + k * bytes, (const char *)rows + places[k].index * bytes, bytes);
    memcpy(rows, spare, count * bytes);
}

static void arrange_all(struct points_result *points, struct place *places, void *spare)
{
    for (size_t k = 0; k < points->count; k++)
        places[k] = (struct place){points->names[k], k};
    qsort(places, points->count, sizeof *places, by_name);
    for (int q = 0; q < POINTS_QUANTITIES; q++)
        arrange(points->values[q], sizeof(double), places, points->count, spare);
    arrange(points->skipped, sizeof *points->skipped, places, points->count, spare);
    arrange(points->names, sizeof *points->names, places, points->count, spare); // the places point into it
}

enum status hazard_points_load(const char *path, struct points_result *points)
{
    CHECK(points_result_read(path, points));
    struct place *places = calloc(points->count + 1, sizeof *places);
    char *spare = calloc(points->count + 1, DATASET_TEXT_BYTES);
    const bool has_memory = places && spare;
    if (has_memory)
        arrange_all(points, places, spare);
    free(places);
    free(spare);
    return has_memory ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory for its points", path);
}

// ---- all members

enum status hazard_points_plan(struct hazard *h)
{
    static const char *const names[HAZARD_QUANTITIES] = {"crests", "coastal heights", "arrivals"};
    struct hazard_points *p = &h->points;
    const size_t points = p->first.count, members = h->request->member_count;
    if (points == 0)
        return STATUS_OK;
    for (int q = 0; q < HAZARD_QUANTITIES; q++)
        CHECK(memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, points, members, (void **)&p->values[q],
                              "%s at points", names[q]));
    CHECK(memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, points, members, (void **)&p->reached,
                          "points reached"));
    CHECK(memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, 1, points, (void **)&p->lower_bound,
                          "lower bounds at points"));
    return memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, 1, points, (void **)&p->unfinished,
                           "unfinished points");
}

// Where a wave did not reach the threshold there is no height at the coast: it is 0. An arrival that does not
// come is one after any time.
static void take_point(struct hazard *h, const struct points_result *read, size_t point, size_t member)
{
    struct hazard_points *p = &h->points;
    const size_t at = point * h->request->member_count + member;
    const double crest_m = read->values[POINTS_CREST][point],
                 coastal_m = read->values[POINTS_COASTAL_HEIGHT][point],
                 arrival_s = read->values[POINTS_ARRIVAL][point];
    if (read->skipped[point][0] || isnan(crest_m)) {
        for (int q = 0; q < HAZARD_QUANTITIES; q++)
            p->values[q][at] = NAN;
        p->reached[at] = NAN;
        return;
    }
    p->values[HAZARD_CREST][at] = fmax(0, crest_m);
    p->values[HAZARD_COASTAL][at] = isnan(coastal_m) ? 0 : fmax(0, coastal_m);
    p->values[HAZARD_ARRIVAL][at] = isnan(arrival_s) ? (double)INFINITY : arrival_s;
    p->reached[at] = !isnan(read->values[POINTS_THREAT][point]);
    p->lower_bound[point] += read->values[POINTS_LOWER_BOUND][point] == 1 ? h->weights[member] : 0;
    p->unfinished[point] += read->values[POINTS_UNFINISHED][point] == 1 ? h->weights[member] : 0;
}

static enum status read_member(struct hazard *h, size_t member)
{
    char path[PATH_BYTES];
    struct points_result read;
    CHECK(hazard_path(&h->request->members[member], "", "points.nc", path));
    enum status status = hazard_points_load(path, &read);
    if (status == STATUS_OK && read.count != h->points.first.count)
        status = FAIL(STATUS_DATA, "%s: was changed while it was read", path);
    for (size_t k = 0; status == STATUS_OK && k < read.count; k++)
        take_point(h, &read, k, member);
    points_result_free(&read);
    return status;
}

enum status hazard_points_read(struct hazard *h)
{
    for (size_t k = 0; k < h->request->member_count && h->points.first.count > 0; k++)
        CHECK_ABOUT(read_member(h, k), "member %s", h->request->members[k].name);
    return STATUS_OK;
}
