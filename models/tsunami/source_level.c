// The level that a source leaves at each node, from which arrivals and draw-downs count, so that the source's
// own uplift is not an arrival. It is the surface at the start of the run (on land the depth of the flow),
// and then moves with the bottom, as a gauge on the bottom would.
#include "models/tsunami/instance.h"
#include "parallel/ranks.h"

#include <math.h>
#include <string.h>

bool tsunami_source_level_is_kept(const struct tsunami_level *t)
{
    const struct tsunami_source *source = t->params.source;
    const bool is_wanted = t->records.points.count > 0 ||
                           (t->params.has_maxima && (t->params.arrival_count > 0 ||
                                                     t->params.drawdown_m > 0 || t->params.gauges.count > 0));
    return is_wanted && t->params.counts_from_source &&
           (source->initial[TSUNAMI_ETA] || source->solitary.is_given ||
            tsunami_source_moves(t, -INFINITY, INFINITY));
}

enum status tsunami_source_level_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    struct tsunami_records *r = &t->records;
    if (!tsunami_source_level_is_kept(t))
        return STATUS_OK;
    r->has_moving_level = tsunami_source_moves(t, t->start_s, INFINITY);
    return tsunami_level_rows(t, memory, ELEMENT_F32, t->own, t->geometry.pitch, (void **)&r->source_level_m,
                              "record source level");
}

// The nodes around a gauge may be of two ranks.
enum status tsunami_source_level_note(struct tsunami_level *t)
{
    const struct gauge_list *list = &t->params.gauges;
    const size_t corners = list->count * TSUNAMI_CORNERS;
    if (!t->gauge_levels_m || !t->records.source_level_m)
        return STATUS_OK;
    double *levels_m = t->gauge_levels_m + 2 * list->count;
    for (size_t k = 0; k < corners; k++) {
        const struct tsunami_gauge_place *place = &list->gauges[k / TSUNAMI_CORNERS].place;
        const size_t row = place->rows[k % TSUNAMI_CORNERS / 2], column = place->columns[k % 2];
        if (!tsunami_has_row(t->own, row))
            ranks_forget(levels_m + k, 1);
        else if (place->weights[k % TSUNAMI_CORNERS] > 0)
            levels_m[k] = (double)t->records.source_level_m[row * t->geometry.pitch + column];
    }
    CHECK(ranks_join(t->ranks, TRANSPORT_STEPS, levels_m, (int64_t)corners));
    for (size_t k = 0; k < list->count; k++) {
        const struct tsunami_gauge_place *place = &list->gauges[k].place;
        t->gauge_levels_m[k] = 0;
        for (size_t c = 0; c < TSUNAMI_CORNERS; c++)
            if (place->weights[c] > 0)
                t->gauge_levels_m[k] += place->weights[c] * levels_m[k * TSUNAMI_CORNERS + c];
    }
    return STATUS_OK;
}

// With the initial state in the solver, on the host.
enum status tsunami_source_level_start(struct tsunami_level *t)
{
    const size_t nx = t->geometry.nx;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    for (size_t j = t->own.first; t->records.source_level_m && j < t->own.end; j++) {
        const double *depth_m = t->depth_m + j * t->geometry.pitch;
        float *level_m = t->records.source_level_m + j * t->geometry.pitch;
        t->backend->get(t->solver, j, 0, nx, eta, u, v);
        for (size_t i = 0; i < nx; i++)
            level_m[i] = isnan(eta[i]) ? 0 : (float)(eta[i] + fmin(0, depth_m[i]));
    }
    CHECK(tsunami_source_level_note(t));
    if (t->gauge_levels_m)
        memcpy(t->gauge_levels_m + t->params.gauges.count, t->gauge_levels_m,
               t->params.gauges.count * sizeof *t->gauge_levels_m);
    return STATUS_OK;
}

// Where the shore moves the depth has changed already, by `bottom_m` (else NULL); the surface rises with the
// part of the bottom below the sea.
void tsunami_source_level_rise(struct tsunami_level *t, size_t row, const double *uplift_m,
                               const double *bottom_m)
{
    const double *depth_m = t->depth_m + row * t->geometry.pitch;
    float *level_m = t->records.source_level_m + row * t->geometry.pitch;
    for (size_t i = 0; i < t->geometry.nx; i++) {
        const double after = -depth_m[i], before = after - (bottom_m ? bottom_m[i] : 0);
        const bool is_sea = !bottom_m || fmax(before, after) < 0;
        level_m[i] = (float)((double)level_m[i] + (is_sea ? uplift_m[i] : fmin(0, after) - fmin(0, before)));
    }
}
