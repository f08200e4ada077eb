// A picture of a validation: lines of the run over points of the reference, by gnuplot (report/plot.h).
#include "cli/validate_page.h"

#include "report/plot.h"
#include "report/style.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const line_colours[] = {"#1f5f99", "#2b8a5a", "#7a4fa3", "#444444"};
static const char *const point_colours[] = {"#d9772b", "#b0123b", "#8a7a1f", "#666666"};
enum { COLOURS = 4, POINTS_DRAWN_MAX = 160 };

static void script_axes(struct plot *plot, const struct validation_picture *picture)
{
    char quoted[2 * VALIDATION_TEXT_BYTES], font[64];
    const struct plot_box box = {.left = 150 * plot->scale,
                                 .top = 92 * plot->scale,
                                 .width = plot->width_px - 190 * plot->scale,
                                 .height = plot->height_px - 180 * plot->scale};
    plot_box(plot, &box);
    plot_heading(plot, picture->title, NULL, box.left, box.width);
    fprintf(plot->script,
            "set grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\nset tics font '%s'\n",
            plot_font(plot, 13, false, font));
    fprintf(plot->script, "set xlabel %s\n", style_quote(picture->x_label, 80, quoted, sizeof quoted));
    fprintf(plot->script, "set ylabel %s\n", style_quote(picture->y_label, 80, quoted, sizeof quoted));
    fprintf(plot->script, "set key at graph 1,1.02 right bottom horizontal samplen 2 font '%s'\n",
            plot_font(plot, 13, false, font));
    if (picture->is_map)
        fprintf(plot->script, "set size ratio -1\nunset key\n");
    else if (picture->is_logarithmic)
        fprintf(plot->script, "set logscale xy\n");
    else
        fprintf(plot->script, "set offsets graph 0, graph 0, graph 0.05, graph 0.05\n");
}

static enum status script_line(struct plot *plot, const struct validation_record *record,
                               const struct validation_line *line, bool is_map, int colour, bool is_first)
{
    char file[PLOT_FILE_BYTES], quoted[2 * VALIDATION_NAME_BYTES];
    CHECK(plot_data(plot, record->numbers + line->first, 2 * line->count * sizeof(double), file));
    const size_t every = is_map ? 1 : 1 + line->count / POINTS_DRAWN_MAX;
    fprintf(plot->script, "%s'%s' binary format='%%double%%double' ", is_first ? "plot " : ", ", file);
    style_quote(line->name, 60, quoted, sizeof quoted);
    if (line->is_points)
        fprintf(plot->script,
                "every %zu using 1:2 with points pointtype 7 pointsize %.2f linecolor rgb '%s' title %s",
                every, (is_map ? 0.45 : 0.9) * plot->scale, point_colours[colour % COLOURS], quoted);
    else
        fprintf(plot->script, "using 1:2 with lines linewidth 1.4 linecolor rgb '%s' title %s",
                line_colours[colour % COLOURS], quoted);
    return STATUS_OK;
}

static enum status script_picture(struct plot *plot, const struct validation_record *record,
                                  const struct validation_picture *picture)
{
    script_axes(plot, picture);
    int points = 0, lines = 0;
    bool is_first = true;
    for (int k = 0; k < picture->line_count; k++) {
        const struct validation_line *line = &picture->lines[k];
        if (line->count == 0)
            continue;
        CHECK(
            script_line(plot, record, line, picture->is_map, line->is_points ? points++ : lines++, is_first));
        is_first = false;
    }
    if (is_first)
        fprintf(plot->script, "set xrange [0:1]\nset yrange [0:1]\nplot NaN notitle");
    fputc('\n', plot->script);
    return STATUS_OK;
}

enum status validate_draw(const char *pictures, const struct validation_item *item, int number,
                          char file[VALIDATE_FILE_BYTES])
{
    struct plot plot;
    const struct validation_picture *picture = &item->record->pictures[number];
    snprintf(file, VALIDATE_FILE_BYTES, "%.128s-%.128s-%d.png", item->suite->name,
             item->validation_case->name, number + 1);
    enum status status =
        plot_start(&plot, pictures, file, VALIDATE_PICTURE_WIDTH, validate_picture_height(picture), 1.0);
    if (status == STATUS_OK)
        status = script_picture(&plot, item->record, picture);
    return plot_finish(&plot, status);
}
