// Pictures of the bodies of an N-body run: a map of the number of bodies on each pixel if there are many,
// else dots; orbits if there are few. Independent of files.
#include "report/nbody/report.h"
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PANELS_MAX = 9,
    VIEW_FRAMES_MAX = 256,
    DOTS_MAX = 3000,     // bodies that are drawn as dots; more as a map
    TRACKS_MAX = 16,     // bodies that are drawn with their orbits
    TRACK_FRAMES = 20000 // points of an orbit; of more frames some are omitted
};

// Light colours on dark, as in the sky: the page's colours in reverse order, on black.
static const char *const dark[] = {"#08050f", "#2d1948", "#4d1656", "#70025d", "#8a0458", "#a40453",
                                   "#be0549", "#d12341", "#dd403e", "#e7593c", "#ed713e", "#f28843",
                                   "#f39f50", "#eeb66e", "#ebcb8f", "#eedcb3", "#f4edd7", "#fcfcfc"};
enum { DARK_COLOURS = sizeof dark / sizeof *dark };
static const char *const track_colours[] = {"#1f5f99", "#d9772b", "#1d7a45", "#b0123b",
                                            "#6f4fa3", "#7a5230", "#c2549f", "#5c6670"};
enum { TRACK_COLOURS = sizeof track_colours / sizeof *track_colours };

struct panel {
    size_t frame;
    int plane;
    float *values; // [side][side] bodies per pixel, or [count][2] positions; owned
};

struct picture {
    const struct report_particles *bodies;
    struct nbody_unit length, time;
    struct nbody_view view;
    struct panel panels[PANELS_MAX];
    size_t count, side;
    bool has_dots, has_tracks, names_planes;
    struct style_scale scale;
    struct panels layout;
};

static void lay_out(const struct report *report, struct picture *p, size_t columns)
{
    // Whole pixels: a map is drawn pixel by pixel.
    const double scale = report_scale(report), gap = round((p->names_planes ? 108 : 16) * scale);
    p->layout = (struct panels){.left = round(100 * scale),
                                .top = round(92 * scale),
                                .right = round((p->has_dots ? 40 : 150) * scale),
                                .bottom = round(72 * scale),
                                .gap_x = gap,
                                .gap_y = gap};
    panels_arrange(&p->layout, p->count, columns);
    p->layout.width =
        floor((report->options.width_px - p->layout.left - p->layout.right - (double)(columns - 1) * gap) /
              (double)columns);
    p->layout.height = p->layout.width;
    p->side = (size_t)p->layout.width;
}

static enum status read_panels(struct picture *p)
{
    double most = 1;
    for (size_t k = 0; k < p->count; k++) {
        struct panel *panel = &p->panels[k];
        if (p->has_dots) {
            const struct nbody_plane *plane = &report_nbody_planes[panel->plane];
            CHECK(report_particles_read_plane(p->bodies, panel->frame,
                                              (const int[]){plane->across, plane->up}, p->length.size,
                                              &panel->values));
            continue;
        }
        panel->values = malloc(p->side * p->side * sizeof *panel->values);
        if (!panel->values)
            return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
        CHECK(report_nbody_count_pixels(p->bodies, panel->frame, panel->plane, &p->view, p->side,
                                        panel->values));
        const double high = style_percentile(panel->values, p->side * p->side, 0.9995, 0);
        most = high > most ? high : most;
    }
    // A single body gives 1/4 at its middle pixel and 1/16 at the four corners around it.
    p->scale = (struct style_scale){.kind = STYLE_LOG, .low = 1. / 16, .high = most};
    return STATUS_OK;
}

static void script_axes(struct plot *plot, const struct picture *p, const struct panel *panel, bool has_x,
                        bool has_y)
{
    static const char names[NBODY_SPACE] = {'x', 'y', 'z'};
    const struct nbody_plane *plane = &report_nbody_planes[panel->plane];
    const int axes[2] = {plane->across, plane->up};
    const bool is_shown[2] = {has_x, has_y};
    const double half = p->view.half / p->length.size,
                 step = style_step(2 * half, (int)fmax(2, p->layout.width / (85 * plot->scale)));
    for (int k = 0; k < 2; k++) {
        const double middle = p->view.middle[axes[k]] / p->length.size;
        char name[STYLE_TEXT_BYTES];
        snprintf(name, sizeof name, p->length.name[0] ? "%c (%s)" : "%c", names[axes[k]], p->length.name);
        panels_axis(plot, "xy"[k], middle - half, middle + half, step, name, is_shown[k]);
    }
}

static enum status script_map(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    const size_t pixels = p->side * p->side;
    const double step = 2 * p->view.half / p->length.size / (double)p->side;
    const struct nbody_plane *plane = &report_nbody_planes[panel->plane];
    const struct plot_image image = {p->side,
                                     p->side,
                                     (p->view.middle[plane->across] - p->view.half) / p->length.size +
                                         0.5 * step,
                                     (p->view.middle[plane->up] - p->view.half) / p->length.size + 0.5 * step,
                                     step,
                                     step};
    for (size_t k = 0; k < pixels; k++)
        panel->values[k] = (float)style_scale_position(&p->scale, panel->values[k]);
    return plot_image(plot, "plot ", &image, panel->values);
}

// One body's orbit through all frames.
static enum status script_track(struct plot *plot, const struct picture *p, const struct panel *panel,
                                size_t body)
{
    const size_t stride = p->bodies->frames / TRACK_FRAMES + 1;
    const struct nbody_plane *plane = &report_nbody_planes[panel->plane];
    float *xy = malloc((p->bodies->frames / stride + 1) * 2 * sizeof *xy);
    size_t points = 0;
    enum status status = xy ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    for (size_t f = 0; f < p->bodies->frames && status == STATUS_OK; f += stride) {
        double at[NBODY_SPACE];
        status = report_particles_read_positions(p->bodies, f, body, 1, at);
        if (status != STATUS_OK)
            break;
        xy[2 * points] = (float)(at[plane->across] / p->length.size);
        xy[2 * points++ + 1] = (float)(at[plane->up] / p->length.size);
    }
    if (status == STATUS_OK)
        status = plot_xy(plot, body == 0 ? "plot " : ", ", xy, points,
                         "with lines linewidth 0.7 linecolor rgb '%s'", track_colours[body % TRACK_COLOURS]);
    free(xy);
    return status;
}

static enum status script_dots(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    const size_t count = p->bodies->count;
    if (!p->has_tracks)
        return plot_xy(plot, "plot ", panel->values, count,
                       "with points pointtype 7 pointsize %.2f linecolor rgb '#901f5f99'",
                       (count > 300 ? 0.3 : 0.6) * plot->scale);
    for (size_t body = 0; body < count; body++)
        CHECK(script_track(plot, p, panel, body));
    for (size_t body = 0; body < count; body++)
        CHECK(plot_xy(plot, ", ", panel->values + 2 * body, 1,
                      "with points pointtype 7 pointsize %.2f linecolor rgb '%s'", 1.4 * plot->scale,
                      track_colours[body % TRACK_COLOURS]));
    return STATUS_OK;
}

static void script_panel_text(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    char text[STYLE_TEXT_BYTES] = "", font[64];
    const char *colour = p->has_dots ? "front textcolor rgb '#1b1b1b'" : "front textcolor rgb '#f4f0e8'";
    plot_font(plot, 13, true, font);
    if (p->bodies->times && !p->has_tracks)
        report_nbody_time_text(&p->time, p->bodies->times[panel->frame], text);
    panels_text(plot, PANELS_LEFT, 0.9, -1.15, font, colour, text);
    if (p->names_planes)
        panels_text(plot, PANELS_RIGHT, -0.9, -1.15, font, colour, report_nbody_planes[panel->plane].name);
}

static const char *count_text(double value, char *text)
{
    snprintf(text, STYLE_TEXT_BYTES, value < 1e4 ? "%g" : "%.0e", value);
    return text;
}

static enum status script_panel(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct picture *p = content;
    const struct panel *panel = &p->panels[k];
    const size_t columns = p->layout.columns;
    (void)report;
    script_axes(plot, p, panel, p->names_planes || k + columns >= p->count,
                p->names_planes || k % columns == 0);
    script_panel_text(plot, p, panel);
    return p->has_dots ? script_dots(plot, p, panel) : script_map(plot, p, panel);
}

static enum status draw(struct report *report, struct picture *p, size_t columns, int section,
                        const char *file, const char *title, const char *caption)
{
    char text[REPORT_TEXT_BYTES];
    lay_out(report, p, columns);
    CHECK(read_panels(p));
    snprintf(text, sizeof text, "%s%s", caption,
             p->has_dots ? ""
                         : " Brightness is the number of bodies on a pixel, logarithmic; each body is spread "
                           "over nine pixels.");
    const struct panels_images images = {
        12, "", dark, DARK_COLOURS, p->has_dots ? NULL : &p->scale, count_text, "per pixel"};
    const struct panels_picture picture = {section,  file, title,        text, NULL,    &p->layout,
                                           p->count, p,    script_panel, NULL, &images, 0};
    return panels_draw(report, &picture);
}

static void release(struct picture *p)
{
    for (size_t k = 0; k < PANELS_MAX; k++) {
        free(p->panels[k].values);
        p->panels[k].values = NULL;
    }
}

static enum status draw_snapshots(struct report *report, struct picture *p)
{
    if (p->bodies->frames < 3)
        return STATUS_OK;
    p->count = p->bodies->frames < PANELS_MAX ? p->bodies->frames : PANELS_MAX;
    for (size_t k = 0; k < p->count; k++)
        p->panels[k] = (struct panel){.frame = k * (p->bodies->frames - 1) / (p->count - 1)};
    const enum status status =
        draw(report, p, 3, NBODY_SNAPSHOTS, "snapshots.png", "Bodies over time, x–y",
             "The bodies seen along z, all in the same colours and the same part of space.");
    release(p);
    return status;
}

static enum status draw_projections(struct report *report, struct picture *p)
{
    const size_t last = p->bodies->frames - 1, times = last > 0 && !p->has_tracks ? 2 : 1;
    p->names_planes = true;
    p->count = 2 * times;
    for (size_t k = 0; k < p->count; k++)
        p->panels[k] = (struct panel){.frame = times == 2 && k < 2 ? 0 : last, .plane = (int)(k % 2)};
    const char *title = p->has_tracks ? "Orbits" : "Bodies along two axes",
               *caption =
                   p->has_tracks ? "The orbits of the bodies, seen along z and along y; dots: the last time."
                   : times == 2  ? "The bodies at the start (above) and at the end, seen along z and along y."
                                 : "The bodies at the end, seen along z and along y.";
    const enum status status = draw(report, p, 2, NBODY_BODIES, "projections.png", title, caption);
    release(p);
    p->names_planes = false;
    return status;
}

enum status report_nbody_draw_bodies(struct report *report, const struct report_particles *bodies)
{
    struct picture p = {
        .bodies = bodies, .has_dots = bodies->count <= DOTS_MAX, .has_tracks = bodies->count <= TRACKS_MAX};
    size_t frames[VIEW_FRAMES_MAX];
    const size_t last = bodies->frames - 1, count = p.has_tracks ? VIEW_FRAMES_MAX : PANELS_MAX;
    for (size_t k = 0; k < count; k++)
        frames[k] = k * last / (count - 1);
    CHECK(report_nbody_choose_view(bodies, frames, count, &p.view));
    p.length = report_nbody_length_unit(report, p.view.half);
    p.time = report_nbody_time_unit(report, bodies->times ? fabs(bodies->times[last]) : 0);
    CHECK(draw_projections(report, &p));
    return p.has_tracks ? STATUS_OK : draw_snapshots(report, &p);
}
