// Forecast zones (see the header).
#include "models/tsunami/zones.h"

#include "models/tsunami/instance.h"

#include <math.h>
#include <string.h>

int tsunami_threat(const double *levels_m, int count, double height_m)
{
    int threat = 0;
    while (threat < count && height_m >= levels_m[threat])
        threat++;
    return threat;
}

// Whether a finer grid with records covers the node.
static bool is_covered(const struct tsunami_level *t, double x, double y)
{
    for (const struct tsunami_level *child = t->first_child; child; child = child->next_sibling) {
        const struct grid_window *w = &child->params.window;
        // Nodes on the common edge are computed from different spacings.
        const double slack_x = 1e-6 * (w->x[1] - w->x[0]), slack_y = 1e-6 * (w->y[1] - w->y[0]);
        if (child->params.has_maxima && x >= w->x[0] - slack_x && x <= w->x[w->nx - 1] + slack_x &&
            y >= w->y[0] - slack_y && y <= w->y[w->ny - 1] + slack_y)
            return true;
    }
    return false;
}

static void note_node(const struct tsunami_level *t, size_t column, size_t row,
                      struct tsunami_zone_result *result)
{
    const size_t node = row * t->geometry.pitch + column;
    const double highest_m = (double)t->records.max_eta_m[node];
    if (!(t->depth_m[node] > t->params.physics.wall_depth_m) || !(highest_m > -(double)INFINITY) ||
        is_covered(t, t->geometry.x[column], t->geometry.y[row]))
        return;
    result->nodes++;
    if (!(highest_m <= result->crest_m)) {
        result->crest_m = highest_m;
        result->crest_x = t->geometry.x[column];
        result->crest_y = t->geometry.y[row];
    }
    if (t->records.arrival_count > 0)
        result->arrival_s = fmin(result->arrival_s, (double)t->records.arrival_s[0][node]);
}

static void note_level(const struct tsunami_level *t, const struct zones_file *file, size_t zone,
                       unsigned char *scratch, struct tsunami_zone_result *result)
{
    const struct tsunami_geometry *g = &t->geometry;
    if (!t->params.has_maxima)
        return;
    for (size_t row = t->own.first; row < t->own.end; row++) {
        memset(scratch, 0, g->nx);
        if (!zones_file_mark_row(file, zone, g->y[row], g->x, g->nx, scratch))
            continue;
        for (size_t column = 0; column < g->nx; column++)
            if (scratch[column])
                note_node(t, column, row, result);
    }
}

// The earliest time at which a wave can have been in the zone; +infinity: unknown, or never.
static double earliest_travel_s(const struct tsunami_level *outermost, size_t zone, const float *travel_s,
                                unsigned char *scratch)
{
    const struct tsunami_geometry *g = &outermost->geometry;
    double earliest_s = INFINITY;
    for (size_t row = 0; travel_s && row < g->ny; row++) {
        memset(scratch, 0, g->nx);
        if (!zones_file_mark_row(&outermost->params.zones.file, zone, g->y[row], g->x, g->nx, scratch))
            continue;
        for (size_t column = 0; column < g->nx; column++)
            if (scratch[column])
                earliest_s = fmin(earliest_s, (double)travel_s[row * g->nx + column]);
    }
    return earliest_s;
}

// Adds the points in the zone. False: at one of them no wave can have come yet.
static bool note_points(const struct tsunami *run, size_t zone, const struct tsunami_zone_input *input,
                        double end_s, struct tsunami_zone_result *result)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    bool are_judged = true;
    for (size_t k = 0; k < p->points.count; k++) {
        const struct tsunami_point *point = &p->points.points[k];
        if (!zones_file_contains(&p->zones.file, zone, point->x, point->y))
            continue;
        const struct tsunami_point_state *state = &point->level->records.points.states[point->number];
        result->points++;
        result->arrival_s = fmin(result->arrival_s, state->arrival_s);
        result->threat =
            fmax(result->threat, tsunami_threat(p->threat_m, p->threat_count, input->heights_m[k]));
        are_judged = are_judged && (!isnan(state->arrival_s) || input->point_travel_s[k] <= end_s);
    }
    return are_judged;
}

void tsunami_zone_begin(struct tsunami_zone_result *result)
{
    *result = (struct tsunami_zone_result){
        .crest_m = (double)NAN, .crest_x = (double)NAN, .crest_y = (double)NAN, .arrival_s = (double)NAN};
}

void tsunami_zone_note_nodes(const struct tsunami *run, int level, size_t zone, unsigned char *scratch,
                             struct tsunami_zone_result *result)
{
    note_level(run->levels[level], &run->levels[0]->params.zones.file, zone, scratch, result);
}

void tsunami_zone_evaluate(const struct tsunami *run, size_t zone, const struct tsunami_zone_input *input,
                           unsigned char *scratch, struct tsunami_zone_result *result)
{
    static const double wave_least_m = 0.03; // where the job has no points, and with them no threshold
    const struct tsunami_level *outermost = run->levels[0];
    const struct tsunami_params *p = &outermost->params;
    const double end_s = tsunami_level_time_s(outermost, outermost->steps);
    const double wave_m = p->points.count > 0 ? p->points.threshold_m : wave_least_m;
    result->threat = tsunami_threat(p->threat_m, p->threat_count, result->crest_m);
    const bool are_judged = note_points(run, zone, input, end_s, result);
    const bool is_reached = !isnan(result->arrival_s) || result->crest_m >= wave_m ||
                            earliest_travel_s(outermost, zone, input->travel_s, scratch) <= end_s;
    const bool is_known = result->nodes + result->points > 0;
    if (!is_known || (result->threat == 0 && (!are_judged || (result->points == 0 && !is_reached))))
        result->threat = (double)NAN;
}
