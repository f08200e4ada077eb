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
        if (child->params.has_maxima && x >= w->x[0] && x <= w->x[w->nx - 1] && y >= w->y[0] &&
            y <= w->y[w->ny - 1])
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
    for (size_t row = 0; row < g->ny; row++) {
        memset(scratch, 0, g->nx);
        if (!zones_file_mark_row(file, zone, g->y[row], g->x, g->nx, scratch))
            continue;
        for (size_t column = 0; column < g->nx; column++)
            if (scratch[column])
                note_node(t, column, row, result);
    }
}

void tsunami_zone_evaluate(const struct tsunami *run, size_t zone, const double *heights_m,
                           unsigned char *scratch, struct tsunami_zone_result *result)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    *result = (struct tsunami_zone_result){
        .crest_m = (double)NAN, .crest_x = (double)NAN, .crest_y = (double)NAN, .arrival_s = (double)NAN};
    for (int l = 0; l < run->level_count; l++)
        note_level(run->levels[l], &p->zones.file, zone, scratch, result);
    result->threat = tsunami_threat(p->threat_m, p->threat_count, result->crest_m);
    for (size_t k = 0; k < p->points.count; k++) {
        const struct tsunami_point *point = &p->points.points[k];
        if (!zones_file_contains(&p->zones.file, zone, point->x, point->y))
            continue;
        const struct tsunami_point_state *state = &point->level->records.points.states[point->number];
        const int threat = tsunami_threat(p->threat_m, p->threat_count, heights_m[k]);
        result->points++;
        result->arrival_s = fmin(result->arrival_s, state->arrival_s);
        result->threat = threat > result->threat ? threat : result->threat;
    }
}
