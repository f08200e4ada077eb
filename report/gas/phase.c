// A gas in an external force at the end of a run: positions, velocities along the force, and density, beside
// each other on one scale of heights; of one run, or of two below each other. Artificial patterns of a wall
// appear in the velocities first.
#include "report/gas/report.h"

#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_MAX = 2, PANELS = 3, POINTS_MAX = 30000, BINS = 100 };
enum { ACROSS, SPEED, HEIGHT, NUMBERS }; // of a point
static const char dot_colour[] = "#1f5f99";

struct row {
    struct gas_box box;
    size_t count;                      // points
    float *points;                     // [count][NUMBERS]; owned
    double profile[BINS];              // density along the force, as a multiple of its mean
    double speed_limit, density_limit; // largest to be shown
};

struct picture {
    int along; // the axis of the force
    size_t count;
    struct row rows[ROWS_MAX];
    double speed, density; // the ends of the axes
    struct panels layout;
};

// The state at the end with its velocities: final.nc, else the trajectory's last frame.
static enum status open_end(const char *directory, struct report_particles *particles, bool *is_found)
{
    CHECK(report_particles_open_final(directory, particles, is_found));
    *is_found = *is_found && report_particles_has_velocities(particles);
    if (*is_found)
        return STATUS_OK;
    report_particles_close(particles);
    CHECK(report_particles_open_trajectory(directory, particles, is_found));
    *is_found = *is_found && report_particles_has_velocities(particles);
    return STATUS_OK;
}

static void add_point(struct row *row, int along, const double *position, const double *velocity)
{
    float *point = row->points + NUMBERS * row->count++;
    point[ACROSS] = (float)position[1 - along];
    point[HEIGHT] = (float)position[along];
    point[SPEED] = (float)velocity[along];
}

// The profile counts all particles. Of very many particles only some are drawn.
static enum status read_row(struct row *row, const struct report_particles *particles, int along)
{
    enum { PIECE = 4096 };
    const size_t frame = particles->frames - 1, stride = particles->count / (POINTS_MAX + 1) + 1;
    double *positions = malloc(2 * PIECE * PARTICLES_AXES * sizeof *positions),
           *velocities = positions + (positions ? PIECE * PARTICLES_AXES : 0);
    row->points = malloc((particles->count / stride + 1) * NUMBERS * sizeof *row->points);
    enum status status =
        positions && row->points ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for particles");
    for (size_t first = 0; first < particles->count && status == STATUS_OK; first += PIECE) {
        const size_t length = first + PIECE < particles->count ? PIECE : particles->count - first;
        status = report_particles_read_positions(particles, frame, first, length, positions);
        if (status == STATUS_OK)
            status = report_particles_read_velocities(particles, frame, first, length, velocities);
        for (size_t k = 0; k < length && status == STATUS_OK; k++) {
            const double *x = positions + PARTICLES_AXES * k, *v = velocities + PARTICLES_AXES * k,
                         bin = BINS * x[along] / row->box.size[along];
            row->profile[(int)fmin(fmax(bin, 0), BINS - 1)] += BINS / (double)particles->count;
            row->speed_limit = fmax(row->speed_limit, fabs(v[along]));
            if ((first + k) % stride == 0)
                add_point(row, along, x, v);
        }
    }
    for (int bin = 0; bin < BINS; bin++)
        row->density_limit = fmax(row->density_limit, row->profile[bin]);
    free(positions);
    return status;
}

static enum status add_row(struct picture *p, const char *directory, const struct gas_box *box)
{
    struct report_particles particles = {0};
    bool is_found;
    enum status status = open_end(directory, &particles, &is_found);
    if (status == STATUS_OK && is_found) {
        p->rows[p->count].box = *box;
        status = read_row(&p->rows[p->count++], &particles, p->along);
    }
    report_particles_close(&particles);
    return status;
}

// The other run, by --beside: an error if it is missing.
static enum status add_other(struct picture *p, const char *directory)
{
    char path[REPORT_PATH_BYTES];
    struct gas_box box;
    cJSON *run = NULL;
    const size_t before = p->count;
    if (snprintf(path, sizeof path, "%s/run.json", directory) >= (int)sizeof path)
        return FAIL(STATUS_NO_INPUT, "%s: the path is too long", directory);
    enum status status = json_file_read(path, REPORT_RUN_BYTES_MAX, &run);
    if (status == STATUS_OK && !report_gas_read_box(run, &box))
        status = FAIL(STATUS_DATA, "%s: \"box\" is missing: expected the run of a gas", path);
    cJSON_Delete(run);
    CHECK(status);
    CHECK(add_row(p, directory, &box));
    return p->count > before ? STATUS_OK
                             : FAIL(STATUS_NO_INPUT,
                                    "%s: holds no velocities to show beside (expected final.nc, or "
                                    "trajectory.nc with output.fields.variables \"velocity\")",
                                    directory);
}

// ---- the script

static double step_of(const struct plot *plot, double range, double pixels)
{
    return style_step(range, (int)fmax(2, pixels / (80 * plot->scale)));
}

static enum status script_points(struct plot *plot, const struct row *row, int column)
{
    char file[PLOT_FILE_BYTES];
    CHECK(plot_data(plot, row->points, NUMBERS * row->count * sizeof *row->points, file));
    fprintf(plot->script,
            "plot '%s' binary format='%%float%%float%%float' using %d:%d with points pointtype 7 pointsize "
            "%.2f linecolor rgb '%s' notitle",
            file, column + 1, HEIGHT + 1, (row->count > 5000 ? 0.16 : 0.3) * plot->scale, dot_colour);
    return STATUS_OK;
}

// Steps, filled from the axis.
static enum status script_profile(struct plot *plot, const struct row *row, int along)
{
    float steps[BINS][4];
    const double bin = row->box.size[along] / BINS;
    for (int k = 0; k < BINS; k++) {
        steps[k][0] = steps[k][2] = (float)row->profile[k];
        steps[k][1] = (float)(k * bin);
        steps[k][3] = (float)((k + 1) * bin);
    }
    CHECK(plot_xy(plot, "plot ", &steps[0][0], 2 * BINS,
                  "with filledcurves x=0 fillstyle solid 0.35 noborder linecolor rgb '%s'", dot_colour));
    fprintf(plot->script,
            ", '' binary format='%%float%%float' using 1:2 with lines linewidth 1 linecolor rgb '%s' notitle",
            dot_colour);
    return STATUS_OK;
}

static enum status script_panel(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    static const char *const axes[2] = {"x", "y"}, *const speeds[2] = {"velocity in x", "velocity in y"};
    const struct picture *p = content;
    const struct row *row = &p->rows[k / PANELS];
    const size_t panel = k % PANELS;
    const double across = row->box.size[1 - p->along], high = row->box.size[p->along];
    const double limits[PANELS][2] = {{0, across}, {-p->speed, p->speed}, {0, p->density}},
                 *x = limits[panel];
    const char *const names[PANELS] = {axes[1 - p->along], speeds[p->along], "density / mean"};
    char walls[4 * (GAS_WALL_BYTES + 12)], font[64];
    (void)report;
    panels_axis(plot, 'x', x[0], x[1], step_of(plot, x[1] - x[0], p->layout.width), names[panel],
                k + PANELS >= PANELS * p->count);
    panels_axis(plot, 'y', 0, high, step_of(plot, high, p->layout.height), axes[p->along], panel == 0);
    if (panel == 0)
        panels_text(plot, PANELS_LEFT, 0, 0.7, plot_font(plot, 14, true, font), "",
                    report_gas_walls_text(&row->box, walls, sizeof walls));
    return panel == 2 ? script_profile(plot, row, p->along)
                      : script_points(plot, row, panel == 0 ? ACROSS : SPEED);
}

static enum status draw(struct report *report, struct picture *p)
{
    const double scale = report_scale(report);
    const char *axis = p->along == 0 ? "x" : "y";
    struct panels *l = &p->layout;
    *l = (struct panels){.left = round(92 * scale),
                         .top = round(126 * scale),
                         .right = round(48 * scale),
                         .bottom = round(66 * scale),
                         .gap_x = round(26 * scale),
                         .gap_y = round(52 * scale)};
    panels_arrange(l, PANELS * p->count, PANELS);
    l->width = floor((report->options.width_px - l->left - l->right - (PANELS - 1) * l->gap_x) / PANELS);
    l->height = l->width;
    for (size_t k = 0; k < p->count; k++) {
        p->speed = fmax(p->speed, 1.05 * p->rows[k].speed_limit);
        p->density = fmax(p->density, 1.05 * p->rows[k].density_limit);
    }
    p->speed = p->speed > 0 ? p->speed : 1;
    char caption[REPORT_TEXT_BYTES];
    snprintf(caption, sizeof caption,
             "The particles at the end of the run: positions; velocity in %s against %s; right: the density "
             "there, as a multiple of its mean.%s",
             axis, axis, p->count > 1 ? " Above: this run; below: the other one." : "");
    const struct panels_images images = {.points = 12, .setup = "set border 15\nset tics back\n"};
    const struct panels_picture picture = {GAS_FORCE,
                                           "phase.png",
                                           "Positions, velocities and density at the end",
                                           caption,
                                           NULL,
                                           l,
                                           PANELS * p->count,
                                           p,
                                           script_panel,
                                           NULL,
                                           &images,
                                           report->options.width_px};
    return panels_draw(report, &picture);
}

enum status report_gas_draw_phase(struct report *report, const struct gas_box *box)
{
    struct picture p = {.along = fabs(box->gravity[0]) > fabs(box->gravity[1]) ? 0 : 1};
    const bool is_forced = box->gravity[0] != 0 || box->gravity[1] != 0 || !box->has_pair_force;
    if (!(box->size[0] > 0 && box->size[1] > 0) || (!is_forced && !report->options.beside))
        return STATUS_OK;
    enum status status = add_row(&p, report->options.directory, box);
    if (status == STATUS_OK && report->options.beside)
        status = add_other(&p, report->options.beside);
    if (status == STATUS_OK && p.count > 0)
        status = draw(report, &p);
    for (size_t k = 0; k < p.count; k++)
        free(p.rows[k].points);
    return status;
}
