// Pictures of an N-body run's bodies: many of them as a map of how many lie on each pixel, some as dots, a
// few with the lines along which they moved. Knows pixels and positions; knows no file.
#include "report/map.h"
#include "report/nbody/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PANELS_MAX = 9,
    VIEW_FRAMES_MAX = 256,
    DOTS_MAX = 3000,     // bodies; more are a map
    TRACKS_MAX = 16,     // bodies; more have no lines
    TRACK_FRAMES = 20000 // of a line; more are thinned out
};

// Light on dark, as the sky: the page's own colours the other way round, on black.
static const char *const night[] = {"#08050f", "#2d1948", "#4d1656", "#70025d", "#8a0458", "#a40453",
                                    "#be0549", "#d12341", "#dd403e", "#e7593c", "#ed713e", "#f28843",
                                    "#f39f50", "#eeb66e", "#ebcb8f", "#eedcb3", "#f4edd7", "#fcfcfc"};
enum { NIGHT_COLOURS = sizeof night / sizeof *night };
static const char *const track_colours[] = {"#1f5f99", "#d9772b", "#1d7a45", "#b0123b",
                                            "#6f4fa3", "#7a5230", "#c2549f", "#5c6670"};

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
    size_t count, columns, rows, side;
    bool has_dots, has_tracks, names_planes;
    struct style_scale scale;
    double left, top, right, bottom, gap, width; // pixels
};

static void lay_out(const struct report *report, struct picture *p, size_t columns, double scale)
{
    p->columns = p->count < columns ? p->count : columns;
    p->rows = (p->count + columns - 1) / columns;
    // Whole pixels: a map is drawn pixel by pixel.
    p->left = round(100 * scale);
    p->top = round(92 * scale);
    p->right = round((p->has_dots ? 40 : 150) * scale);
    p->bottom = round(72 * scale);
    p->gap = round((p->names_planes ? 108 : 16) * scale);
    p->width = floor((report->options.width_px - p->left - p->right - (double)(columns - 1) * p->gap) /
                     (double)columns);
    p->side = (size_t)p->width;
}

static enum status read_dots(const struct picture *p, struct panel *panel)
{
    const size_t count = p->bodies->count;
    const struct nbody_plane *plane = &nbody_planes[panel->plane];
    double *positions = malloc(count * NBODY_SPACE * sizeof *positions);
    panel->values = malloc(2 * count * sizeof *panel->values);
    enum status status = positions && panel->values
                             ? report_read_positions(p->bodies, panel->frame, 0, count, positions)
                             : FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        panel->values[2 * k] = (float)(positions[NBODY_SPACE * k + (size_t)plane->across] / p->length.size);
        panel->values[2 * k + 1] = (float)(positions[NBODY_SPACE * k + (size_t)plane->up] / p->length.size);
    }
    free(positions);
    return status;
}

static enum status read_panels(struct picture *p)
{
    double most = 1;
    for (size_t k = 0; k < p->count; k++) {
        struct panel *panel = &p->panels[k];
        if (p->has_dots) {
            CHECK(read_dots(p, panel));
            continue;
        }
        panel->values = malloc(p->side * p->side * sizeof *panel->values);
        if (!panel->values)
            return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
        CHECK(nbody_count_pixels(p->bodies, panel->frame, panel->plane, &p->view, p->side, panel->values));
        const double high = style_percentile(panel->values, p->side * p->side, 0.9995, 0);
        most = high > most ? high : most;
    }
    // One body alone gives 1/4 at its middle pixel, 1/16 at the corners about it.
    p->scale = (struct style_scale){.kind = STYLE_LOG, .low = 1. / 16, .high = most};
    return STATUS_OK;
}

static void script_axes(struct plot *plot, const struct picture *p, const struct panel *panel, bool has_x,
                        bool has_y)
{
    static const char names[NBODY_SPACE] = {'x', 'y', 'z'};
    const int axes[2] = {nbody_planes[panel->plane].across, nbody_planes[panel->plane].up};
    const double half = p->view.half / p->length.size;
    for (int k = 0; k < 2; k++) {
        const char which = k == 0 ? 'x' : 'y';
        const bool is_shown = k == 0 ? has_x : has_y;
        const double middle = p->view.middle[axes[k]] / p->length.size;
        fprintf(plot->script, "set %crange [%.10g:%.10g]\nset %ctics out nomirror %.10g format '%s'\n", which,
                middle - half, middle + half, which,
                style_step(2 * half, (int)fmax(2, p->width / (85 * plot->scale))), is_shown ? "%g" : "");
        if (is_shown)
            fprintf(plot->script, "set %clabel '%c%s%s%s' offset %s\n", which, names[axes[k]],
                    p->length.name[0] ? " (" : "", p->length.name, p->length.name[0] ? ")" : "",
                    k == 0 ? "0,0.4" : "1.4,0");
        else
            fprintf(plot->script, "unset %clabel\n", which);
    }
}

static enum status script_map(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    const size_t pixels = p->side * p->side;
    const double step = 2 * p->view.half / p->length.size / (double)p->side;
    const struct nbody_plane *plane = &nbody_planes[panel->plane];
    char file[PLOT_FILE_BYTES];
    for (size_t k = 0; k < pixels; k++)
        panel->values[k] = (float)style_scale_place(&p->scale, panel->values[k]);
    CHECK(plot_data(plot, panel->values, pixels * sizeof *panel->values, file));
    fprintf(
        plot->script,
        "plot '%s' binary array=(%zu,%zu) origin=(%.12g,%.12g) dx=%.12g dy=%.12g format='%%float' using 1 "
        "with image notitle\n",
        file, p->side, p->side, (p->view.middle[plane->across] - p->view.half) / p->length.size + 0.5 * step,
        (p->view.middle[plane->up] - p->view.half) / p->length.size + 0.5 * step, step, step);
    return STATUS_OK;
}

// One body's way through all frames.
static enum status script_track(struct plot *plot, const struct picture *p, const struct panel *panel,
                                size_t body)
{
    const size_t stride = p->bodies->frames / TRACK_FRAMES + 1;
    const struct nbody_plane *plane = &nbody_planes[panel->plane];
    float *xy = malloc((p->bodies->frames / stride + 1) * 2 * sizeof *xy);
    size_t points = 0;
    enum status status = xy ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for bodies");
    for (size_t f = 0; f < p->bodies->frames && status == STATUS_OK; f += stride, points++) {
        double at[NBODY_SPACE];
        status = report_read_positions(p->bodies, f, body, 1, at);
        if (status != STATUS_OK)
            break;
        xy[2 * points] = (float)(at[plane->across] / p->length.size);
        xy[2 * points + 1] = (float)(at[plane->up] / p->length.size);
    }
    char file[PLOT_FILE_BYTES];
    if (status == STATUS_OK)
        status = plot_data(plot, xy, points * 2 * sizeof *xy, file);
    free(xy);
    CHECK(status);
    fprintf(
        plot->script,
        "%s'%s' binary format='%%float%%float' using 1:2 with lines linewidth 0.7 linecolor rgb '%s' notitle",
        body == 0 ? "plot " : ", ", file,
        track_colours[body % (sizeof track_colours / sizeof *track_colours)]);
    return STATUS_OK;
}

static enum status script_dots(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    const size_t count = p->bodies->count;
    char file[PLOT_FILE_BYTES];
    for (size_t body = 0; p->has_tracks && body < count; body++)
        CHECK(script_track(plot, p, panel, body));
    if (!p->has_tracks) {
        CHECK(plot_data(plot, panel->values, 2 * count * sizeof *panel->values, file));
        fprintf(plot->script,
                "plot '%s' binary format='%%float%%float' using 1:2 with points pointtype 7 pointsize %.2f "
                "linecolor rgb '#901f5f99' notitle",
                file, (count > 300 ? 0.3 : 0.6) * plot->scale);
    }
    for (size_t body = 0; p->has_tracks && body < count; body++) {
        CHECK(plot_data(plot, panel->values + 2 * body, 2 * sizeof *panel->values, file));
        fprintf(plot->script,
                ", '%s' binary format='%%float%%float' using 1:2 with points pointtype 7 pointsize %.2f "
                "linecolor "
                "rgb '%s' notitle",
                file, 1.4 * plot->scale,
                track_colours[body % (sizeof track_colours / sizeof *track_colours)]);
    }
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

static void script_panel_text(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    char text[STYLE_TEXT_BYTES] = "", font[64];
    plot_font(plot, 13, true, font);
    const char *colour = p->has_dots ? "#1b1b1b" : "#f4f0e8";
    if (p->bodies->times && !p->has_tracks)
        nbody_time_text(&p->time, p->bodies->times[panel->frame], text);
    fprintf(
        plot->script,
        "set label 1 '%s' at graph 0,1 offset character 0.9,-1.15 left front font '%s' textcolor rgb '%s'\n",
        text, font, colour);
    fprintf(plot->script,
            "set label 2 '%s' at graph 1,1 offset character -0.9,-1.15 right front font '%s' textcolor rgb "
            "'%s'\n",
            p->names_planes ? nbody_planes[panel->plane].name : "", font, colour);
}

static const char *count_text(double value, char *text)
{
    snprintf(text, STYLE_TEXT_BYTES, value < 1e4 ? "%g" : "%.0e", value);
    return text;
}

static enum status script_picture(struct plot *plot, const struct report *report, const struct picture *p,
                                  const char *title)
{
    const struct plot_box all = {p->left, p->top, (double)p->columns * (p->width + p->gap) - p->gap,
                                 (double)p->rows * (p->width + p->gap) - p->gap};
    char font[64];
    plot_palette(plot, night, NIGHT_COLOURS);
    fprintf(plot->script, "set multiplot\nset tics front font '%s'\nunset key\n",
            plot_font(plot, 12, false, font));
    plot_heading(plot, title, report_job_title(report), p->left, plot->width_px - p->left);
    if (!p->has_dots)
        map_script_colour_bar(plot, &all, &p->scale, count_text, "per pixel");
    for (size_t k = 0; k < p->count; k++) {
        const size_t column = k % p->columns, row = k / p->columns;
        const struct plot_box box = {p->left + (double)column * (p->width + p->gap),
                                     p->top + (double)row * (p->width + p->gap), p->width, p->width};
        plot_box(plot, &box);
        script_axes(plot, p, &p->panels[k], p->names_planes || k + p->columns >= p->count,
                    p->names_planes || column == 0);
        script_panel_text(plot, p, &p->panels[k]);
        CHECK(p->has_dots ? script_dots(plot, p, &p->panels[k]) : script_map(plot, p, &p->panels[k]));
        fprintf(plot->script, "unset colorbox\nunset label 101\nunset label 102\nunset label 103\n");
    }
    return STATUS_OK;
}

static enum status draw(struct report *report, struct picture *p, size_t columns, enum report_section section,
                        const char *file, const char *title, const char *caption)
{
    const double scale = report->options.width_px / 1600.;
    lay_out(report, p, columns, scale);
    CHECK(read_panels(p));
    const int width_px = (int)ceil(p->left + (double)p->columns * (p->width + p->gap) - p->gap + p->right),
              height_px = (int)ceil(p->top + (double)p->rows * (p->width + p->gap) - p->gap + p->bottom);
    struct report_picture *picture = report_add_picture(report, section, file, width_px, height_px);
    if (!picture)
        return STATUS_OK;
    snprintf(picture->title, sizeof picture->title, "%s", title);
    snprintf(picture->caption, sizeof picture->caption, "%s%s", caption,
             p->has_dots ? ""
                         : " Brightness is the number of bodies on a pixel, logarithmic; each is spread over "
                           "nine pixels.");
    struct plot plot;
    enum status status = report_start_picture(report, picture, scale, &plot);
    if (status == STATUS_OK)
        status = script_picture(&plot, report, p, title);
    return plot_finish(&plot, status);
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
        draw(report, p, 3, REPORT_SNAPSHOTS, "snapshots.png", "Bodies over time, x–y",
             "The bodies seen along z, all in the same colours and the same piece of space.");
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
                   p->has_tracks ? "The ways of the bodies, seen along z and along y; dots: the last time."
                   : times == 2  ? "The bodies at the start (above) and at the end, seen along z and along y."
                                 : "The bodies at the end, seen along z and along y.";
    const enum status status = draw(report, p, 2, REPORT_OVERVIEW, "projections.png", title, caption);
    release(p);
    p->names_planes = false;
    return status;
}

enum status report_draw_nbody_bodies(struct report *report, const struct report_particles *bodies)
{
    struct picture p = {
        .bodies = bodies, .has_dots = bodies->count <= DOTS_MAX, .has_tracks = bodies->count <= TRACKS_MAX};
    size_t frames[VIEW_FRAMES_MAX];
    const size_t last = bodies->frames - 1, count = p.has_tracks ? VIEW_FRAMES_MAX : PANELS_MAX;
    for (size_t k = 0; k < count; k++)
        frames[k] = k * last / (count - 1);
    CHECK(nbody_choose_view(bodies, frames, count, &p.view));
    p.length = nbody_length_unit(report, p.view.half);
    p.time = nbody_time_unit(report, bodies->times ? fabs(bodies->times[last]) : 0);
    CHECK(draw_projections(report, &p));
    return p.has_tracks ? STATUS_OK : draw_snapshots(report, &p);
}
