// A coarse map of the sea with its travel times: see sea.h.
#include "models/tsunami/forecast/sea.h"

#include "models/tsunami/state.h"
#include "models/tsunami/travel_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double radian = 3.14159265358979323846 / 180, gravity_m_s2 = 9.81, nodes_most = 120000,
                    reach_deg = 1;

static enum status read_rows(struct grid_file *file, const struct grid_window_request *request,
                             struct forecast_sea *sea)
{
    struct grid_sampler *sampler = NULL;
    const struct grid_window *w = &sea->window;
    sea->depth_m = calloc(w->nx * w->ny, sizeof *sea->depth_m);
    if (!sea->depth_m)
        return FAIL(STATUS_SYSTEM, "no memory for a map of %zu x %zu nodes", w->nx, w->ny);
    enum status status = grid_sampler_open(file, w, request, &sampler);
    for (size_t row = 0; row < w->ny && status == STATUS_OK; row++)
        status = grid_sampler_row(sampler, row, sea->depth_m + row * w->nx);
    grid_sampler_close(sampler);
    return status;
}

static void find_rate(struct forecast_sea *sea)
{
    const struct grid_window *w = &sea->window;
    const double degree_m = forecast_earth_radius_m * radian;
    for (size_t row = 0; row < w->ny; row++) {
        double deepest_m = 0;
        for (size_t i = 0; i < w->nx; i++)
            deepest_m = fmax(deepest_m, sea->depth_m[row * w->nx + i]);
        const double cosine = cos(w->y[row] * radian);
        const double rate = sqrt(gravity_m_s2 * deepest_m) * sqrt(1 / (cosine * cosine) + 1) / degree_m;
        sea->rate_deg_per_s = fmax(sea->rate_deg_per_s, rate);
    }
}

enum status forecast_sea_read(struct grid_file *file, const struct forecast_box *box, bool is_globe,
                              double wall_depth_m, struct forecast_sea *sea)
{
    const struct grid_info *info = grid_info(file);
    *sea = (struct forecast_sea){.box = *box, .is_globe = is_globe, .wall_depth_m = wall_depth_m};
    sea->file_spacing_deg = fmax((info->x[info->nx - 1] - info->x[0]) / (double)(info->nx - 1),
                                 (info->y[info->ny - 1] - info->y[0]) / (double)(info->ny - 1));
    const double area = (box->east_deg - box->west_deg) * (box->north_deg - box->south_deg);
    // Whole parts of a degree, so that a globe has whole columns.
    double parts = fmax(1, floor(1 / fmax(sqrt(area / nodes_most), sea->file_spacing_deg)));
    while (fabs(floor(360 * parts) - 360 * parts) > 0)
        parts--;
    sea->spacing_deg = 1 / parts;
    const struct grid_window_request request = {
        .has_x = !is_globe,
        .has_y = true,
        .x_range = {box->west_deg, box->east_deg},
        .y_range = {box->south_deg, box->north_deg},
        .spacing = {sea->spacing_deg, sea->spacing_deg},
        .missing_value = 0,
        .outside_value = NAN,
    };
    CHECK(grid_window_resolve(file, &request, &sea->window));
    CHECK(read_rows(file, &request, sea));
    find_rate(sea);
    return STATUS_OK;
}

void forecast_sea_free(struct forecast_sea *sea)
{
    grid_window_free(&sea->window);
    free(sea->depth_m);
    free(sea->time_s);
    sea->depth_m = NULL;
    sea->time_s = NULL;
}

// ---- travel times

struct march {
    struct tsunami_march march;
    struct tsunami_geometry geometry;
    double *x_m, *y_m, *cosine; // storage of the geometry
};

static enum status begin(struct march *m, struct forecast_sea *sea)
{
    const struct grid_window *w = &sea->window;
    const size_t nodes = w->nx * w->ny;
    const double spacing_m = sea->spacing_deg * radian * forecast_earth_radius_m;
    m->x_m = calloc(w->nx + 1, sizeof *m->x_m);
    m->y_m = calloc(w->ny + 1, sizeof *m->y_m);
    m->cosine = calloc(w->ny + 2, sizeof *m->cosine);
    m->march.place = calloc(nodes, sizeof *m->march.place);
    m->march.heap = calloc(nodes, sizeof *m->march.heap);
    m->march.time_s = sea->time_s = calloc(nodes, sizeof *sea->time_s);
    if (!m->x_m || !m->y_m || !m->cosine || !m->march.place || !m->march.heap || !sea->time_s)
        return FAIL(STATUS_SYSTEM, "no memory for travel times at %zu nodes", nodes);
    for (size_t i = 0; i < w->nx + 1; i++)
        m->x_m[i] = spacing_m;
    for (size_t j = 0; j < w->ny + 1; j++)
        m->y_m[j] = spacing_m;
    for (size_t j = 0; j < w->ny; j++)
        m->cosine[j + 1] = cos(w->y[j] * radian);
    m->geometry = (struct tsunami_geometry){.is_spherical = true,
                                            .nx = w->nx,
                                            .ny = w->ny,
                                            .pitch = w->nx,
                                            .x = w->x,
                                            .y = w->y,
                                            .x_distance_m = m->x_m + 1,
                                            .y_distance_m = m->y_m + 1,
                                            .cos_latitude = m->cosine + 1,
                                            .gravity_m_s2 = gravity_m_s2};
    if (sea->is_globe && w->covers_globe)
        m->geometry.edges[TSUNAMI_WEST] = m->geometry.edges[TSUNAMI_EAST] = TSUNAMI_EDGE_PERIODIC;
    m->march.geometry = &m->geometry;
    m->march.depth_m = sea->depth_m;
    m->march.wall_depth_m = sea->wall_depth_m;
    return STATUS_OK;
}

// From every node of sea in a box; returns how many there are.
static size_t begin_in(struct march *m, const struct forecast_sea *sea, const struct forecast_box *box)
{
    const struct grid_window *w = &sea->window;
    size_t starts = 0;
    for (size_t row = 0; row < w->ny; row++)
        for (size_t i = 0; i < w->nx; i++)
            if (sea->depth_m[row * w->nx + i] > sea->wall_depth_m &&
                forecast_box_has(box, w->x[i], w->y[row])) {
                tsunami_march_begin(&m->march, i, row, 0);
                starts++;
            }
    return starts;
}

enum status forecast_sea_march(struct forecast_sea *sea, const struct forecast_box *source, size_t *starts)
{
    struct march m = {0};
    enum status status = begin(&m, sea);
    if (status == STATUS_OK) {
        tsunami_march_clear(&m.march);
        *starts = begin_in(&m, sea, source);
        // Less than a node wide, or beside a coast.
        struct forecast_box wider = *source;
        for (int k = 1; k <= 4 && *starts == 0; k++) {
            const double more = reach_deg / 4 * k;
            wider = (struct forecast_box){source->west_deg - more, source->east_deg + more,
                                          source->south_deg - more, source->north_deg + more};
            *starts = begin_in(&m, sea, &wider);
        }
        tsunami_march_run(&m.march);
    }
    free(m.x_m);
    free(m.y_m);
    free(m.cosine);
    free(m.march.place);
    free(m.march.heap);
    return status;
}

double forecast_sea_time_s(const struct forecast_sea *sea, const struct forecast_place *place)
{
    const struct grid_window *w = &sea->window;
    const struct forecast_box near = {place->longitude_deg - reach_deg, place->longitude_deg + reach_deg,
                                      place->latitude_deg - reach_deg, place->latitude_deg + reach_deg};
    double nearest_m = INFINITY, time_s = NAN;
    for (size_t row = 0; row < w->ny; row++) {
        if (fabs(w->y[row] - place->latitude_deg) > reach_deg)
            continue;
        for (size_t i = 0; i < w->nx; i++) {
            const double time = (double)sea->time_s[row * w->nx + i];
            if (!isfinite(time) || !forecast_box_has(&near, w->x[i], w->y[row]))
                continue;
            const double way_m = forecast_distance_m(place, &(struct forecast_place){w->x[i], w->y[row]});
            if (way_m < nearest_m) {
                nearest_m = way_m;
                time_s = time;
            }
        }
    }
    return time_s;
}

bool forecast_sea_has_coast(const struct forecast_sea *sea, const struct forecast_place *place)
{
    const struct grid_window *w = &sea->window;
    bool has[2] = {false, false}; // land, sea
    for (size_t row = 0; row < w->ny; row++) {
        if (fabs(w->y[row] - place->latitude_deg) > reach_deg)
            continue;
        for (size_t i = 0; i < w->nx; i++)
            if (fabs(remainder(w->x[i] - place->longitude_deg, 360)) <= reach_deg)
                has[sea->depth_m[row * w->nx + i] > sea->wall_depth_m] = true;
    }
    return has[0] && has[1];
}
