// Run-up and inundation from the records of a grid with a moving shore, at the end of a run. Independent of
// solvers.
//
// Run-up: of the nodes that were dry at the start, with ground above sea level, and reached by water deeper
// than the wet depth, the largest elevation of the surface. Inundation: of the same nodes, the largest
// straight distance to the nearest node that was wet at the start; on the sphere in the flat map that is true
// to scale at the node's own latitude. Both count whole nodes: the true line lies up to one spacing further.
#include "core/log.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/ranks.h"
#include "parallel/relay.h"

#include <cjson/cJSON.h>
#include <math.h>

enum status tsunami_runup_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    if (!tsunami_level_floods(t) || !t->params.has_maxima)
        return STATUS_OK;
    return tsunami_level_rows(t, memory, ELEMENT_F32, tsunami_near(&t->geometry, 1), t->params.window.nx,
                              (void **)&t->to_water_m, "way to the water");
}

// ---- between the ranks of rows beside each other

static enum status take_row(struct tsunami_level *t, int from, int tag, size_t row)
{
    const size_t nx = t->geometry.nx;
    return from < 0 || from == t->ranks->count
               ? STATUS_OK
               : ranks_receive(t->ranks, TRANSPORT_STEPS, from, tag, t->to_water_m + row * nx,
                               nx * sizeof *t->to_water_m);
}

static enum status pass_row(struct tsunami_level *t, int to, int tag, size_t row)
{
    const size_t nx = t->geometry.nx;
    return to < 0 || to == t->ranks->count ? STATUS_OK
                                           : ranks_send(t->ranks, TRANSPORT_STEPS, to, tag,
                                                        t->to_water_m + row * nx, nx * sizeof *t->to_water_m);
}

// Distance along the column to the nearest node that is wet now; 0 for wet nodes.
enum status tsunami_runup_start(struct tsunami_level *t)
{
    const struct tsunami_geometry *g = &t->geometry;
    const struct tsunami_rows own = t->own;
    const size_t nx = g->nx;
    const int rank = t->ranks->rank;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    if (!t->to_water_m)
        return STATUS_OK;
    CHECK(take_row(t, rank - 1, TSUNAMI_TAG_NORTHWARD, own.first - 1));
    for (size_t j = own.first; j < own.end; j++) {
        t->backend->get(t->solver, j, 0, nx, eta, u, v);
        for (size_t i = 0; i < nx; i++) {
            const bool is_wet = t->depth_m[j * g->pitch + i] + eta[i] > t->params.wet_depth_m;
            const double before = j > 0 ? (double)t->to_water_m[(j - 1) * nx + i] : (double)INFINITY;
            t->to_water_m[j * nx + i] = is_wet ? 0 : (float)(before + g->y_distance_m[(ptrdiff_t)j - 1]);
        }
    }
    CHECK(pass_row(t, rank + 1, TSUNAMI_TAG_NORTHWARD, own.end - 1));
    CHECK(take_row(t, rank + 1, TSUNAMI_TAG_SOUTHWARD, own.end));
    for (size_t j = own.end == g->ny ? own.end - 1 : own.end; j-- > own.first;)
        for (size_t i = 0; i < nx; i++) {
            const float after = t->to_water_m[(j + 1) * nx + i] + (float)g->y_distance_m[j];
            if (after < t->to_water_m[j * nx + i])
                t->to_water_m[j * nx + i] = after;
        }
    return pass_row(t, rank - 1, TSUNAMI_TAG_SOUTHWARD, own.first);
}

// The nearest wet nodes of a row, each over a stretch of it: the lower envelope of the parabolas (x − x_i)² +
// d_i², d_i the distance along column i (Felzenszwalb & Huttenlocher 2012, Theory of Computing 8, 415–428).
struct envelope {
    size_t count;
    double *place;  // of the k-th node
    double *square; // of its way along the column
    double *begin;  // of its stretch
};

static void add_to_envelope(struct envelope *e, double place, double way_m)
{
    const double square = way_m * way_m;
    double begin = -INFINITY;
    while (e->count > 0) {
        const size_t last = e->count - 1;
        const double apart = place - e->place[last];
        begin = 0.5 * ((square - e->square[last]) / apart + place + e->place[last]);
        if (begin > e->begin[last])
            break;
        e->count--;
        begin = -INFINITY;
    }
    e->place[e->count] = place;
    e->square[e->count] = square;
    e->begin[e->count++] = begin;
}

static bool is_flooded(const struct tsunami_level *t, size_t column, size_t row)
{
    return t->to_water_m[row * t->geometry.nx + column] > 0 &&
           t->depth_m[row * t->geometry.pitch + column] < 0 &&
           t->records.max_eta_m[row * t->geometry.pitch + column] > -INFINITY;
}

static void note_node(struct tsunami_level *t, size_t column, size_t row)
{
    const size_t node = row * t->geometry.pitch + column;
    struct tsunami_runup *r = &t->runup;
    r->area_m2 += tsunami_cell_area_m2(t, column, row);
    r->edge_nodes += row == 0 || row + 1 == t->geometry.ny || column == 0 || column + 1 == t->geometry.nx;
    if (!isnan(r->highest_m) && !((double)t->records.max_eta_m[node] > r->highest_m))
        return;
    r->highest_m = (double)t->records.max_eta_m[node];
    r->highest_x = t->geometry.x[column];
    r->highest_y = t->geometry.y[row];
    r->ground_m = -t->depth_m[node];
    r->time_s = (double)t->records.time_of_max_s[node];
}

static void note_distances(struct tsunami_level *t, size_t row)
{
    const struct tsunami_geometry *g = &t->geometry;
    double *places = tsunami_row_buffer(t, 3);
    struct envelope e = {0, tsunami_row_buffer(t, 0), tsunami_row_buffer(t, 1), tsunami_row_buffer(t, 2)};
    places[0] = 0;
    for (size_t i = 1; i < g->nx; i++)
        places[i] = places[i - 1] + g->x_distance_m[i - 1] * g->cos_latitude[row];
    for (size_t i = 0; i < g->nx; i++)
        if (t->to_water_m[row * g->nx + i] < INFINITY)
            add_to_envelope(&e, places[i], (double)t->to_water_m[row * g->nx + i]);
    if (e.count == 0)
        return;
    size_t k = 0;
    for (size_t i = 0; i < g->nx; i++) {
        while (k + 1 < e.count && e.begin[k + 1] <= places[i])
            k++;
        const double across = places[i] - e.place[k], distance_m = sqrt(across * across + e.square[k]);
        if (!is_flooded(t, i, row) || (!isnan(t->runup.distance_m) && !(distance_m > t->runup.distance_m)))
            continue;
        t->runup.distance_m = distance_m;
        t->runup.distance_x = g->x[i];
        t->runup.distance_y = g->y[row];
    }
}

// The records are on the host.
enum status tsunami_runup_find(struct tsunami_level *t)
{
    const struct relay_part part = {&t->runup, sizeof t->runup};
    if (!t->to_water_m)
        return STATUS_OK;
    t->runup = (struct tsunami_runup){.is_known = true, .highest_m = NAN, .distance_m = NAN};
    CHECK(relay_take(t->ranks, &part, 1));
    for (size_t j = t->own.first; j < t->own.end; j++) {
        bool has_flooded = false;
        for (size_t i = 0; i < t->geometry.nx; i++)
            if (is_flooded(t, i, j)) {
                has_flooded = true;
                note_node(t, i, j);
            }
        if (has_flooded)
            note_distances(t, j);
    }
    return relay_pass(t->ranks, &part, 1);
}

void tsunami_runup_log(const struct tsunami_level *t)
{
    const struct tsunami_runup *r = &t->runup;
    if (!r->is_known)
        return;
    if (isnan(r->highest_m))
        log_info("%srun-up: no land was flooded", t->about);
    else
        log_info("%srun-up: highest %.3g m at (%.8g, %.8g) after %.6g s, where the ground lies at %.3g m; "
                 "%.4g m inland at (%.8g, %.8g); %.4g m2 of land flooded",
                 t->about, r->highest_m, r->highest_x, r->highest_y, r->time_s, r->ground_m, r->distance_m,
                 r->distance_x, r->distance_y, r->area_m2);
    if (r->edge_nodes > 0)
        log_info("%srun-up: the flood reached the grid's own edge on land, at %zu nodes: there it ran "
                 "against a wall; do not trust heights beside it",
                 t->about, r->edge_nodes);
    log_info("%svolume: changed by %+.3g m3 from start to end, of %.4g m3 in the sea at rest", t->about,
             t->last.volume_m3 - t->first.volume_m3, t->still_water_m3);
}

void tsunami_runup_describe(const struct tsunami_level *t, cJSON *report)
{
    const struct tsunami_runup *r = &t->runup;
    if (!r->is_known)
        return;
    // A NaN becomes null.
    cJSON *object = cJSON_AddObjectToObject(report, "run_up");
    const bool has_flooded = !isnan(r->highest_m);
    const double place[] = {r->highest_x, r->highest_y, r->ground_m, r->time_s};
    static const char *const place_names[] = {"x", "y", "ground_m", "time_s"};
    cJSON_AddNumberToObject(object, "highest_m", r->highest_m);
    for (int k = 0; k < 4; k++)
        cJSON_AddNumberToObject(object, place_names[k], has_flooded ? place[k] : (double)NAN);
    cJSON_AddNumberToObject(object, "inundation_m", r->distance_m);
    cJSON_AddNumberToObject(object, "inundation_x", isnan(r->distance_m) ? (double)NAN : r->distance_x);
    cJSON_AddNumberToObject(object, "inundation_y", isnan(r->distance_m) ? (double)NAN : r->distance_y);
    cJSON_AddNumberToObject(object, "flooded_area_m2", r->area_m2);
    cJSON_AddNumberToObject(object, "flooded_nodes_on_edges", (double)r->edge_nodes);
    cJSON_AddNumberToObject(object, "wet_depth_m", t->params.wet_depth_m);
    cJSON_AddStringToObject(
        object, "note",
        "of nodes dry at the start, above sea level and reached by water deeper than wet_depth_m: the "
        "highest surface, the largest straight distance to a node wet at the start, the area of their cells");
}
