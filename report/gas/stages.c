// Pictures of a gas run's particles in their box at some times: discs of their size, or of very many the
// density. Independent of files.
#include "report/gas/report.h"
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISCS_MAX = 30000, PARTICLES_PER_BELL = 4, PASSES_MAX = 400 };
static const char disc_colour[] = "#1f5f99";

struct panel {
    size_t frame;
    float *values; // positions [count][2], or counts [rows][columns]; owned
};

struct picture {
    const struct report_particles *particles;
    const struct gas_box *box;
    const struct gas_growth *growth;
    struct panel panels[GAS_STAGES];
    size_t count;
    bool has_discs;
    struct particles_raster raster;
    struct style_scale scale; // of counts
    double mean;              // count in a cell
    struct panels layout;
    double per_unit; // pixels per unit of length
};

// Space for half of a disc at a wall, and for discs beyond a soft wall.
static double margin_about(const struct gas_box *box)
{
    bool is_soft = false;
    for (int side = 0; side < GAS_REPORT_SIDES; side++)
        is_soft = is_soft || strcmp(box->walls[side], "soft") == 0;
    return (is_soft ? 0.02 : 0.005) * fmax(box->size[0], box->size[1]);
}

static void lay_out(const struct report *report, struct picture *p)
{
    const double *size = p->box->size, pad = margin_about(p->box), scale = report_scale(report);
    struct panels *l = &p->layout;
    *l = (struct panels){.left = round(92 * scale),
                         .top = round(124 * scale),
                         .right = round((p->has_discs ? 48 : 150) * scale),
                         .bottom = round(66 * scale),
                         .gap_x = round(44 * scale),
                         .gap_y = round(46 * scale)};
    panels_arrange(l, p->count, 2);
    const double width = report->options.width_px - l->left - l->right - (double)(l->columns - 1) * l->gap_x;
    l->width = floor(fmin(width / (double)l->columns, 900 * scale));
    // At most twice as high as wide, and at least a quarter.
    l->height = round(
        fmin(fmax(l->width * (size[1] + 2 * pad) / (size[0] + 2 * pad), 0.25 * l->width), 2 * l->width));
    p->per_unit = fmin(l->width / (size[0] + 2 * pad), l->height / (size[1] + 2 * pad));
}

// One pass of the weights 1 2 1 along an axis; beyond a wall the value of the cell at the wall is taken.
static void smooth_axis(const struct particles_raster *raster, int axis, bool is_periodic, float *values,
                        float *line)
{
    const size_t length = raster->cells[axis], lines = raster->cells[1 - axis],
                 step = axis == 0 ? 1 : raster->cells[0], next = axis == 0 ? raster->cells[0] : 1;
    for (size_t l = 0; l < lines; l++) {
        float *const first = values + l * next;
        for (size_t k = 0; k < length; k++)
            line[k] = first[k * step];
        for (size_t k = 0; k < length; k++) {
            const size_t before = k > 0 ? k - 1 : (is_periodic ? length - 1 : 0),
                         after = k + 1 < length ? k + 1 : (is_periodic ? 0 : k);
            first[k * step] = 0.25F * line[before] + 0.5F * line[k] + 0.25F * line[after];
        }
    }
}

// Single particles are noise, so each is spread as a Gaussian. Its standard deviation is half the side of a
// square with PARTICLES_PER_BELL particles on average. A pass adds half a cell squared to the variance.
static void smooth(const struct picture *p, float *values, float *line)
{
    const int passes = (int)fmin(round(0.5 * PARTICLES_PER_BELL / p->mean), PASSES_MAX);
    for (int pass = 0; pass < passes; pass++)
        for (int axis = 0; axis < 2; axis++)
            smooth_axis(&p->raster, axis, report_gas_is_periodic(p->box, axis), values, line);
}

// Cells of a pixel.
static enum status read_densities(struct picture *p)
{
    double high = 1;
    p->raster = (struct particles_raster){.axes = {0, 1}};
    for (int axis = 0; axis < 2; axis++) {
        p->raster.cells[axis] = (size_t)fmax(1, round(p->box->size[axis] * p->per_unit));
        p->raster.cell[axis] = p->box->size[axis] / (double)p->raster.cells[axis];
    }
    const size_t columns = p->raster.cells[0], rows = p->raster.cells[1], cells = columns * rows;
    float *line = malloc((columns > rows ? columns : rows) * sizeof *line);
    enum status status = line ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    p->mean = (double)p->particles->count / (double)cells;
    for (size_t k = 0; k < p->count && status == STATUS_OK; k++) {
        struct panel *panel = &p->panels[k];
        panel->values = malloc(cells * sizeof *panel->values);
        status = panel->values ? report_particles_count(p->particles, panel->frame, &p->raster, panel->values)
                               : FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
        if (status != STATUS_OK)
            break;
        smooth(p, panel->values, line);
        high = fmax(high, style_percentile(panel->values, cells, 0.998, -1) / p->mean);
    }
    free(line);
    p->scale = (struct style_scale){.kind = STYLE_LINEAR, .low = 0, .high = style_round_up_finely(high)};
    return status;
}

static enum status read_panels(struct picture *p)
{
    if (!p->has_discs)
        return read_densities(p);
    for (size_t k = 0; k < p->count; k++)
        CHECK(report_particles_read_plane(p->particles, p->panels[k].frame, (const int[]){0, 1}, 1,
                                          &p->panels[k].values));
    return STATUS_OK;
}

// ---- the script

static void script_axes(struct plot *plot, const struct picture *p, bool has_x, bool has_y)
{
    const double pad = margin_about(p->box);
    char font[64];
    plot_font(plot, 12, false, font);
    for (int axis = 0; axis < 2; axis++) {
        const char name = axis == 0 ? 'x' : 'y';
        const double size = p->box->size[axis], pixels = axis == 0 ? p->layout.width : p->layout.height;
        fprintf(plot->script, "set %crange [%.10g:%.10g]\nunset %ctics\nunset %clabel\n", name, -pad,
                size + pad, name, name);
        if (axis == 0 ? has_x : has_y)
            fprintf(plot->script,
                    "set %ctics out nomirror scale 0.6 font '%s' 0,%.10g,%.10g\nset %clabel '%c' offset %s\n",
                    name, font, style_step(size, (int)fmax(2, pixels / (85 * plot->scale))), size, name, name,
                    axis == 0 ? "0,0.4" : "2.4,0");
    }
}

static enum status script_discs(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    const size_t count = p->particles->count;
    const double spacing = sqrt(p->box->size[0] * p->box->size[1] / (double)count);
    // Particles without a size: points that do not overlap.
    const double least = 0.8 * plot->scale / p->per_unit,
                 radius = p->box->core > 0 ? fmax(0.5 * p->box->core, least) : fmax(0.2 * spacing, least);
    char file[PLOT_FILE_BYTES];
    CHECK(plot_data(plot, panel->values, 2 * count * sizeof *panel->values, file));
    fprintf(plot->script,
            "plot '%s' binary format='%%float%%float' using 1:2:(%.8g) with circles fillstyle solid noborder "
            "linecolor rgb '%s' notitle",
            file, radius, disc_colour);
    return STATUS_OK;
}

static enum status script_density(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    const struct particles_raster *r = &p->raster;
    const struct plot_image image = {r->cells[0],      r->cells[1], 0.5 * r->cell[0],
                                     0.5 * r->cell[1], r->cell[0],  r->cell[1]};
    for (size_t k = 0; k < r->cells[0] * r->cells[1]; k++)
        panel->values[k] = (float)style_scale_position(&p->scale, panel->values[k] / p->mean);
    return plot_image(plot, "plot ", &image, panel->values);
}

// Above a panel: the time, and the size of the largest cluster.
static void script_panel_text(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    char time[STYLE_TEXT_BYTES] = "at the end", cluster[STYLE_TEXT_BYTES] = "", font[64];
    if (p->particles->times) {
        const double t = p->particles->times[panel->frame], largest = report_gas_largest_at(p->growth, t);
        snprintf(time, sizeof time, "t = %.6g", t);
        if (isfinite(largest))
            snprintf(cluster, sizeof cluster, "largest cluster: %.0f", largest);
    }
    panels_text(plot, PANELS_LEFT, 0.6, 0.55, plot_font(plot, 14, true, font), "", time);
    panels_text(plot, PANELS_RIGHT, -0.6, 0.55, plot_font(plot, 12.5, false, font), panels_grey, cluster);
}

static enum status script_panel(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct picture *p = content;
    const struct panel *panel = &p->panels[k];
    (void)report;
    if (k == 0)
        report_gas_script_box(plot, p->box);
    script_axes(plot, p, k + p->layout.columns >= p->count, k % p->layout.columns == 0);
    script_panel_text(plot, p, panel);
    return p->has_discs ? script_discs(plot, p, panel) : script_density(plot, p, panel);
}

static void write_caption(const struct picture *p, char caption[REPORT_TEXT_BYTES])
{
    char walls[4 * (GAS_WALL_BYTES + 12)];
    report_gas_walls_text(p->box, walls, sizeof walls);
    const char *what = !p->has_discs      ? "density of the particles, as a multiple of its mean"
                       : p->box->core > 0 ? "particles, as discs of their core"
                                          : "particles";
    snprintf(caption, REPORT_TEXT_BYTES, "The %s, in a box of %g × %g%s%s%s.", what, p->box->size[0],
             p->box->size[1], walls[0] ? " (" : "", walls, walls[0] ? ")" : "");
}

static enum status draw(struct report *report, struct picture *p)
{
    char caption[REPORT_TEXT_BYTES];
    lay_out(report, p);
    CHECK(read_panels(p));
    write_caption(p, caption);
    const char *title = p->count > 1 ? "Particles over time" : "Particles";
    const struct panels_images images = {
        12,         "unset border\n", style_sequential, STYLE_COLOURS, p->has_discs ? NULL : &p->scale,
        style_tick, "ρ / mean"};
    const struct panels_picture picture = {
        GAS_PARTICLES, "snapshots.png", title, caption, NULL, &p->layout, p->count, p, script_panel,
        NULL,          &images,         0};
    return panels_draw(report, &picture);
}

enum status report_gas_draw_stages(struct report *report, const struct report_particles *particles,
                                   const struct gas_box *box, const struct gas_growth *growth)
{
    struct picture p = {
        .particles = particles, .box = box, .growth = growth, .has_discs = particles->count <= DISCS_MAX};
    size_t stages[GAS_STAGES];
    p.count = report_gas_choose_stages(particles->times, particles->frames, growth, stages);
    for (size_t k = 0; k < p.count; k++)
        p.panels[k].frame = stages[k];
    const enum status status = draw(report, &p);
    for (size_t k = 0; k < p.count; k++)
        free(p.panels[k].values);
    return status;
}
