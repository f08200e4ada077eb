// Pictures of the spins of an Ising run: configurations at some times, or those of some replicas at the end.
// Of a lattice with more than SIDE_MAX rows or columns only a part is shown.
#include "report/ising/report.h"
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MAX = 6, SIDE_MAX = 4096, ACROSS_MAX = 3 };
static const double panel_pixels_max = 680; // pixels of a panel's longer side, in a picture 1600 pixels wide

// One lattice at one time.
struct panel {
    size_t record, replica;
    char title[STYLE_TEXT_BYTES];
    float *cells; // [ny][nx]: fraction of spins that are up; owned
};

struct picture {
    const struct result_file *file;
    const struct result_variable *spins; // [time,] replica, row, byte or column
    bool is_packed, has_records;
    size_t columns, rows; // of the lattice
    size_t side[2];       // columns and rows that are read
    size_t block;         // spins along each side of a cell; > 1: the cell shows their mean
    size_t nx, ny;        // cells
    size_t zoom;          // pixels of a cell along each axis
    size_t count;         // panels
    struct panels layout;
    struct panel panels[PANELS_MAX];
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t length_at(const struct picture *p, int from_the_end)
{
    return p->spins->lengths[p->spins->rank - from_the_end];
}

// False if the file has no spins of a known shape.
static bool find_spins(struct picture *p, const struct ising_run *run)
{
    const struct result_variable *packed = result_find(p->file, "spins_packed");
    double columns = run->facts.columns;
    size_t zero[RESULT_RANK_MAX] = {0}, one[RESULT_RANK_MAX] = {1, 1, 1, 1};
    p->is_packed = packed;
    p->spins = packed ? packed : result_find(p->file, "spins");
    if (!p->spins || p->spins->is_text || p->spins->rank < 3 || result_find(p->file, "columns") == NULL ||
        result_read(p->file, "columns", zero, one, &columns) != STATUS_OK)
        return false;
    p->has_records = p->spins->rank == 4;
    p->columns = (size_t)columns;
    p->rows = length_at(p, 2);
    const size_t stored = p->is_packed ? (p->columns + 7) / 8 : p->columns;
    return columns >= 1 && p->rows >= 1 && length_at(p, 1) == stored && length_at(p, 3) >= 1;
}

// ---- reading

static bool is_up(const struct picture *p, const double *row, size_t column)
{
    return p->is_packed ? (unsigned)row[column / 8] >> (7 - column % 8) & 1 : row[column] > 0;
}

static enum status read_cells(const struct picture *p, struct panel *panel)
{
    const size_t stored = p->is_packed ? (p->side[0] + 7) / 8 : p->side[0], pixels = p->nx * p->ny;
    double *row = malloc(stored * sizeof *row);
    panel->cells = calloc(pixels, sizeof *panel->cells);
    enum status status = STATUS_OK;
    if (!row || !panel->cells) {
        free(row);
        return FAIL(STATUS_SYSTEM, "report: not enough memory for spins");
    }
    for (size_t y = 0; y < p->ny * p->block && status == STATUS_OK; y++) {
        const size_t in_records[] = {panel->record, panel->replica, y, 0}, one[] = {1, 1, 1, stored};
        const int skipped = p->has_records ? 0 : 1;
        status = result_read(p->file, p->spins->name, in_records + skipped, one + skipped, row);
        for (size_t x = 0; x < p->nx * p->block && status == STATUS_OK; x++)
            panel->cells[y / p->block * p->nx + x / p->block] += is_up(p, row, x) ? 1 : 0;
    }
    for (size_t k = 0; k < pixels && status == STATUS_OK; k++)
        panel->cells[k] /= (float)(p->block * p->block);
    free(row);
    return status;
}

// ---- choice of configurations

static void choose_replicas(struct picture *p, const char *title)
{
    p->count = least(length_at(p, 3), ACROSS_MAX);
    for (size_t k = 0; k < p->count; k++) {
        p->panels[k] = (struct panel){.replica = k};
        snprintf(p->panels[k].title, sizeof p->panels[k].title, p->count > 1 ? "%.32s, replica %zu" : "%.32s",
                 title, k + 1);
    }
}

// Records spread over the run, each with its temperature and sweep as the title.
static enum status choose_records(struct picture *p)
{
    size_t sweep_count;
    double *times = NULL, *betas = NULL, every = NAN;
    const size_t records = p->spins->lengths[0];
    const struct result_variable *beta = result_find(p->file, "beta");
    enum status status = result_read_all(p->file, "time", &times, &sweep_count);
    size_t temperatures = 0;
    if (status == STATUS_OK && beta && beta->rank == 1 && result_find(p->file, "sweeps_at_each"))
        status = result_read_all(p->file, "beta", &betas, &temperatures);
    if (status == STATUS_OK && betas)
        status = result_read(p->file, "sweeps_at_each", (size_t[]){0}, (size_t[]){1}, &every);
    p->count = least(records, PANELS_MAX);
    for (size_t k = 0; k < p->count && status == STATUS_OK && sweep_count == records; k++) {
        struct panel *panel = &p->panels[k];
        const size_t record = p->count > 1 ? k * (records - 1) / (p->count - 1) : 0;
        *panel = (struct panel){.record = record};
        // Sweeps 1 … every belong to the first temperature.
        const double number = fmax(ceil(times[record] / every) - 1, 0);
        if (number < (double)temperatures)
            snprintf(panel->title, sizeof panel->title, "β = %.6g, sweep %.0f", betas[(size_t)number],
                     times[record] - number * every);
        else
            snprintf(panel->title, sizeof panel->title, "sweep %.0f", times[record]);
    }
    free(times);
    free(betas);
    return status;
}

static enum status choose(struct picture *p)
{
    if (p->has_records)
        return choose_records(p);
    char title[STYLE_TEXT_BYTES] = "at the end";
    double beta;
    const struct result_variable *v = result_find(p->file, "beta");
    if (v && v->rank == 0) {
        CHECK(result_read(p->file, "beta", (size_t[]){0}, (size_t[]){1}, &beta));
        snprintf(title, sizeof title, "at the end, β = %.6g", beta);
    }
    choose_replicas(p, title);
    return STATUS_OK;
}

// ---- the script

// Draws each cell as zoom × zoom pixels of one colour, so that its edges are sharp.
static enum status script_image(struct plot *plot, const struct picture *p, const struct panel *panel)
{
    const size_t width = p->nx * p->zoom, height = p->ny * p->zoom;
    const double step = (double)p->block / (double)p->zoom;
    const struct plot_image image = {width, height, 0.5 * step, 0.5 * step, step, step};
    float *pixels = malloc(width * height * sizeof *pixels);
    if (!pixels)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            pixels[y * width + x] = panel->cells[y / p->zoom * p->nx + x / p->zoom];
    const enum status status = plot_image(plot, "plot ", &image, pixels);
    free(pixels);
    return status;
}

static enum status script_panel(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct picture *p = content;
    const size_t cells[2] = {p->nx, p->ny};
    char font[64];
    (void)report;
    for (int axis = 0; axis < 2; axis++) {
        const double size = (double)(cells[axis] * p->block);
        fprintf(plot->script, "set %crange [0:%.10g]\nset %ctics %.10g\n", "xy"[axis], size, "xy"[axis],
                style_step(size, 4));
    }
    panels_text(plot, PANELS_LEFT, 0, 0.6, plot_font(plot, 13, true, font), "", p->panels[k].title);
    return script_image(plot, p, &p->panels[k]);
}

static void write_caption(const struct picture *p, char caption[REPORT_TEXT_BYTES])
{
    const bool is_part = p->side[0] < p->columns || p->side[1] < p->rows;
    char part[STYLE_TEXT_BYTES * 2] = "", blocks[STYLE_TEXT_BYTES * 2] = "";
    if (is_part)
        snprintf(part, sizeof part, " Of %zu × %zu spins, the first %zu × %zu.", p->columns, p->rows,
                 p->side[0], p->side[1]);
    if (p->block > 1)
        snprintf(blocks, sizeof blocks, " A pixel is the mean of %zu × %zu.", p->block, p->block);
    snprintf(caption, REPORT_TEXT_BYTES,
             "Dark: spins up; light: down.%s%s Columns to the right, rows upwards.", part, blocks);
}

// Chooses cells and pixels: a small lattice is enlarged; in a large lattice a block of spins becomes one
// cell.
static void lay_out(const struct report *report, struct picture *p)
{
    const double scale = report_scale(report);
    struct panels *l = &p->layout;
    *l = (struct panels){.left = round(66 * scale),
                         .top = round(122 * scale),
                         .gap_x = round(64 * scale),
                         .gap_y = round(78 * scale),
                         .right = round(40 * scale),
                         .bottom = 52 * scale};
    panels_arrange(l, p->count, ACROSS_MAX);
    const double between = l->gap_x * (double)(l->columns - 1),
                 width = (report->options.width_px - l->left - l->right - between) / (double)l->columns;
    const size_t most = (size_t)fmin(width, panel_pixels_max * scale);
    p->side[0] = least(p->columns, SIDE_MAX);
    p->side[1] = least(p->rows, SIDE_MAX);
    const size_t longest = p->side[0] > p->side[1] ? p->side[0] : p->side[1];
    p->block = least((longest + most - 1) / most, least(p->side[0], p->side[1]));
    p->nx = p->side[0] / p->block; // whole blocks only
    p->ny = p->side[1] / p->block;
    p->zoom = longest / p->block < most ? most / (longest / p->block) : 1;
    l->width = (double)(p->nx * p->zoom);
    l->height = (double)(p->ny * p->zoom);
}

static enum status draw(struct report *report, struct picture *p)
{
    static const char *const colours[] = {"#f7f5ef", "#1c3a5e"};
    char caption[REPORT_TEXT_BYTES];
    write_caption(p, caption);
    const struct panels_images images = {
        .points = 11,
        .setup = "unset colorbox\nset cbrange [0:1]\nset border 15\nset tics back out nomirror scale 0.4\n",
        .palette = colours,
        .colours = sizeof colours / sizeof *colours};
    const struct panels_picture picture = {ISING_SPINS,  "spins.png", "Spins",  caption,
                                           NULL,         &p->layout,  p->count, p,
                                           script_panel, NULL,        &images,  500 * report_scale(report)};
    return panels_draw(report, &picture);
}

static enum status draw_file(struct report *report, const struct ising_run *run,
                             const struct result_file *file)
{
    struct picture p = {.file = file};
    if (!file || !find_spins(&p, run))
        return STATUS_OK;
    enum status status = choose(&p);
    if (status == STATUS_OK && p.count > 0)
        lay_out(report, &p);
    for (size_t k = 0; k < p.count && status == STATUS_OK; k++)
        status = read_cells(&p, &p.panels[k]);
    if (status == STATUS_OK && p.count > 0)
        status = draw(report, &p);
    for (size_t k = 0; k < p.count; k++)
        free(p.panels[k].cells);
    return status;
}

enum status report_ising_draw_spins(struct report *report, const struct ising_run *run)
{
    struct result_file *file;
    CHECK(report_open_file(NULL, run->directory, "configurations.nc", &file));
    if (!file)
        CHECK(report_open_file(NULL, run->directory, "final.nc", &file));
    const enum status status = draw_file(report, run, file);
    result_close(file);
    return status;
}
