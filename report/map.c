// One map in a picture (see map.h).
#include "report/map.h"

#include "report/glyphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char land_colour[] = "#c9c6c0", coast_colour[] = "#6b665e", shore_colour[] = "#2b2723",
                  water_colour[] = "#f3f5f7";

// Margins of a picture of one map, at a scale of 1, in pixels: space for the axis, the heading, the colour
// bar.
static const double margin_left = 92, margin_top = 84, margin_right = 150, margin_bottom = 52,
                    margin_label = 28;

struct map_view map_view_of(const struct result_map *map)
{
    struct map_view view = {
        .is_geographic = map->is_geographic,
        .metres_per_unit = map->metres_per_unit,
        .x = {map->x_extent[0], map->x_extent[1]},
        .y = {map->y_extent[0], map->y_extent[1]},
        .y_weight = 1,
    };
    if (map->is_geographic) {
        double middle = fmin(fabs(0.5 * (view.y[0] + view.y[1])), 80);
        view.y_weight = 1 / cos(middle * M_PI / 180);
    }
    view.aspect = (view.x[1] - view.x[0]) / (view.y_weight * (view.y[1] - view.y[0]));
    return view;
}

// Ticks with hemispheres in degrees, or metres and kilometres.
void map_script_axis(struct plot *plot, const struct map_view *view, char axis, int most, bool has_labels)
{
    const double *range = axis == 'x' ? view->x : view->y;
    double length = range[1] - range[0];
    double metres = view->metres_per_unit;
    bool in_km = !view->is_geographic && length * metres > 5000;
    double step = view->is_geographic ? style_step_degrees(length, most) : style_step(length, most);
    fprintf(plot->script, "set %crange [%.10g:%.10g]\nset %ctics (", axis, range[0], range[1], axis);
    bool is_first = true;
    for (double k = ceil(range[0] / step - 1e-9); k * step <= range[1] + 1e-9 * step; k++) {
        char text[STYLE_TEXT_BYTES] = "";
        double value = k * step + 0.0; // no minus zero
        if (!has_labels)
            ;
        else if (view->is_geographic)
            axis == 'x' ? style_longitude(value, text) : style_latitude(value, text);
        else
            snprintf(text, sizeof text, "%.4g", value * metres / (in_km ? 1000 : 1));
        fprintf(plot->script, "%s'%s' %.10g", is_first ? "" : ", ", text, value);
        is_first = false;
    }
    fprintf(plot->script, ")\n");
    if (!view->is_geographic && has_labels)
        fprintf(plot->script, "set %clabel '%c (%s)' offset %s\n", axis, axis, in_km ? "km" : "m",
                axis == 'x' ? "0,0.4" : "1,0");
    else
        fprintf(plot->script, "unset %clabel\n", axis);
}

void map_script_colour_bar(struct plot *plot, const struct plot_box *box, const struct style_scale *scale,
                           map_tick_text *format, const char *unit)
{
    double ticks[STYLE_TICKS_MAX];
    size_t count = style_scale_ticks(scale, ticks);
    fprintf(plot->script,
            "set cbrange [0:1]\nset colorbox vertical user origin %.6f,%.6f size %.6f,%.6f\nset cbtics (",
            (box->left + box->width + 22 * plot->scale) / plot->width_px,
            1 - (box->top + box->height) / plot->height_px, 24 * plot->scale / plot->width_px,
            box->height / plot->height_px);
    for (size_t k = 0; k < count; k++) {
        char text[STYLE_TEXT_BYTES];
        fprintf(plot->script, "%s'%s' %.6f", k ? ", " : "", format(ticks[k], text),
                style_scale_position(scale, ticks[k]));
    }
    fprintf(plot->script, ")\n");
    char quoted[4 * STYLE_TEXT_BYTES];
    if (unit)
        fprintf(plot->script, "set label 103 %s at screen %.6f,%.6f left textcolor rgb '#444444'\n",
                style_quote(unit, 40, quoted, sizeof quoted),
                (box->left + box->width + 22 * plot->scale) / plot->width_px,
                1 - (box->top - 20 * plot->scale) / plot->height_px);
}

// How much the ground rises from the north-west, where the light comes from, per unit of x; NaN at the map's
// rim.
static double rise_from_light(const struct result_map *ground, const struct map_view *view, size_t k)
{
    const size_t i = k % ground->nx, j = k / ground->nx;
    if (i == 0 || j == 0 || i + 1 == ground->nx || j + 1 == ground->ny)
        return NAN;
    const float *z = ground->values + k;
    const double along_x = ((double)z[1] - (double)z[-1]) / (2 * ground->x_step);
    const double along_y =
        ((double)*(z + ground->nx) - (double)*(z - ground->nx)) / (2 * ground->y_step * view->y_weight);
    return (along_x - along_y) * M_SQRT1_2;
}

// The mean size of the rises on land, by which each is scaled.
static double usual_rise(const struct result_map *ground, const struct map_view *view)
{
    double sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < ground->nx * ground->ny; k++) {
        const double rise = ground->values[k] >= 0 ? fabs(rise_from_light(ground, view, k)) : NAN;
        if (isfinite(rise)) {
            sum += rise;
            count++;
        }
    }
    return count > 0 && sum > 0 ? sum / (double)count : 1;
}

// Land as a relief: slopes that face the light are brighter.
static void shade_land(const struct map_pair *pair, unsigned char *pixels)
{
    const struct result_map *ground = &pair->ground;
    const struct map_view view = map_view_of(ground);
    const double usual = usual_rise(ground, &view);
    for (size_t k = 0; k < ground->nx * ground->ny; k++) {
        const double rise = pair->water.values[k] < 0.5f ? rise_from_light(ground, &view, k) : NAN;
        const double light = isfinite(rise) ? 1 + 0.18 * tanh(0.5 * rise / usual) : 1;
        for (size_t c = 0; c < 3; c++)
            pixels[3 * k + c] = (unsigned char)fmin(255, light * pixels[3 * k + c]);
    }
}

static enum status write_base(struct plot *plot, const struct map_pair *pair, char file[PLOT_FILE_BYTES])
{
    const struct result_map *water = &pair->water;
    size_t count = water->nx * water->ny;
    unsigned land, sea;
    sscanf(land_colour, "#%x", &land);
    sscanf(water_colour, "#%x", &sea);
    unsigned char *pixels = malloc(count * 3);
    if (!pixels)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a map of %zu pixels", count);
    for (size_t k = 0; k < count; k++) {
        unsigned colour = water->values[k] >= 0.5f ? sea : land;
        pixels[3 * k] = (unsigned char)(colour >> 16);
        pixels[3 * k + 1] = (unsigned char)(colour >> 8);
        pixels[3 * k + 2] = (unsigned char)colour;
    }
    if (pair->ground.values)
        shade_land(pair, pixels);
    enum status status = plot_data(plot, pixels, count * 3, file);
    free(pixels);
    return status;
}

static enum status script_values(struct plot *plot, const struct map_layers *layers)
{
    const struct result_map *map = &layers->pair->values;
    const struct plot_image image = {map->nx, map->ny, map->x_first, map->y_first, map->x_step, map->y_step};
    const size_t count = map->nx * map->ny;
    float *positions = malloc(count * sizeof *positions);
    if (!positions)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a map of %zu pixels", count);
    for (size_t k = 0; k < count; k++)
        positions[k] = layers->pair->ground.values || layers->pair->water.values[k] >= 0.5f
                           ? (float)style_scale_position(layers->scale, map->values[k])
                           : NAN;
    const enum status status = plot_image(plot, ", ", &image, positions);
    free(positions);
    return status;
}

enum status map_script_lines(struct plot *plot, const struct contour_points *points, const char *style)
{
    return points && points->count > 0
               ? plot_xy(plot, ", ", points->xy, points->count, "with lines %s", style)
               : STATUS_OK;
}

// The shore at rest: the level line of depth 0 where the ground is known, else the border between pixels.
static enum status trace_coast(const struct map_pair *pair, struct contour_points *coast)
{
    const struct result_map *map = pair->ground.values ? &pair->ground : &pair->water;
    const struct contour_field field = {map->nx,      map->ny,     map->x_first, map->x_step,
                                        map->y_first, map->y_step, map->values};
    return pair->ground.values ? contour_trace(&field, 0, 0, 1, coast) : contour_coast(&field, coast);
}

enum status map_script_layers(struct plot *plot, const struct map_layers *layers)
{

    const struct result_map *water = &layers->pair->water;
    char base[PLOT_FILE_BYTES], style[96];
    CHECK(write_base(plot, layers->pair, base));
    fprintf(plot->script,
            "plot '%s' binary array=(%zu,%zu) origin=(%.12g,%.12g) dx=%.12g dy=%.12g "
            "format='%%uchar%%uchar%%uchar' using 1:2:3 with rgbimage notitle",
            base, water->nx, water->ny, water->x_first, water->y_first, water->x_step, water->y_step);
    CHECK(script_values(plot, layers));
    struct contour_points coast = {0};
    enum status status = trace_coast(layers->pair, &coast);
    snprintf(style, sizeof style, "linewidth %g linecolor rgb '%s'", layers->pair->ground.values ? 1.3 : 0.55,
             layers->pair->ground.values ? shore_colour : coast_colour);
    if (status == STATUS_OK)
        status = map_script_lines(plot, &coast, style);
    contour_free(&coast);
    CHECK(status);
    CHECK(map_script_lines(plot, layers->boxes, "linewidth 1.0 linecolor rgb '#111111'"));
    CHECK(map_script_lines(plot, layers->minor, "linewidth 0.6 linecolor rgb '#60000000'"));
    CHECK(map_script_lines(plot, layers->major, "linewidth 1.1 linecolor rgb '#20000000'"));
    CHECK(map_script_lines(plot, layers->dashed, "linewidth 0.9 dashtype '--' linecolor rgb '#20000000'"));
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

void map_free_pair(struct map_pair *pair)
{
    result_map_free(&pair->values);
    result_map_free(&pair->water);
    result_map_free(&pair->ground);
}

size_t map_find_largest(const struct result_map *map, bool by_magnitude)
{
    size_t best = map->nx * map->ny;
    double most = -INFINITY;
    for (size_t k = 0; k < map->nx * map->ny; k++) {
        double value = by_magnitude ? fabs((double)map->values[k]) : (double)map->values[k];
        if (value > most) {
            most = value;
            best = k;
        }
    }
    return best;
}

struct map_part map_largest_part(const struct report *report)
{
    const double scale = report_scale(report);
    return (struct map_part){
        .nx = (size_t)fmax(100, report->options.width_px - (margin_left + margin_right) * scale),
        .ny = (size_t)fmax(100, report->options.height_px - (margin_top + margin_bottom) * scale)};
}

static bool is_crowded(const struct map_labels *labels, const struct map_view *view, double x, double y)
{
    // Of a map as large as the usual picture allows, in pixels; names are some 70 wide and 20 high.
    const double map_px = fmin(1358, 864 * view->aspect), across_px = 76, along_px = 36;
    double width = view->x[1] - view->x[0], height = view->y[1] - view->y[0];
    if (x < view->x[0] + 0.03 * width || x > view->x[1] - 0.03 * width || y < view->y[0] + 0.03 * height ||
        y > view->y[1] - 0.03 * height)
        return true;
    for (size_t k = 0; k < labels->count; k++)
        if (fabs(labels->labels[k].x - x) / width * map_px < across_px &&
            fabs(labels->labels[k].y - y) / height * map_px / view->aspect < along_px)
            return true;
    return false;
}

// Puts a name on each of the lines points[begin …] that is longer than `least` points of the tracing grid.
void map_label_lines(struct map_labels *labels, const struct map_view *view,
                     const struct contour_points *points, size_t begin, size_t least, const char *text)
{
    static const double parts[] = {0.5, 0.3, 0.7, 0.15, 0.85};
    for (size_t first = begin, k = begin; k < points->count; k++) {
        if (!isnan(points->xy[2 * k]))
            continue;
        size_t length = k - first;
        for (size_t p = 0; p < 5 && length >= least && labels->count < MAP_LABELS_MAX; p++) {
            size_t at = first + (size_t)(parts[p] * (double)length);
            double x = points->xy[2 * at], y = points->xy[2 * at + 1];
            if (is_crowded(labels, view, x, y))
                continue;
            labels->labels[labels->count].x = x;
            labels->labels[labels->count].y = y;
            snprintf(labels->labels[labels->count++].text, STYLE_TEXT_BYTES, "%s", text);
            break;
        }
        first = k + 1;
    }
}

static void script_line_labels(struct plot *plot, const struct map_labels *labels)
{
    char font[64], quoted[2 * STYLE_TEXT_BYTES];
    plot_font(plot, 11.5, true, font);
    for (size_t k = 0; k < labels->count; k++)
        fprintf(plot->script,
                "set label %s at %.8g,%.8g center front boxed bs 1 font '%s' textcolor rgb '#1a1a1a'\n",
                style_quote(labels->labels[k].text, STYLE_TEXT_BYTES, quoted, sizeof quoted),
                labels->labels[k].x, labels->labels[k].y, font);
}

// Names beside marks: to the right, left, above or below, where the name covers no other name and no mark.
struct label_box {
    double x, y, width, height; // pixels in the box, centre
};

static bool overlaps(const struct label_box *a, const struct label_box *b)
{
    return fabs(a->x - b->x) < 0.5 * (a->width + b->width) &&
           fabs(a->y - b->y) < 0.5 * (a->height + b->height);
}

static size_t utf8_length(const char *text)
{
    size_t length = 0;
    for (; *text; text++)
        length += ((unsigned char)*text & 0xC0) != 0x80;
    return length;
}

static bool find_free_box(const struct label_box *taken, size_t taken_count, const struct plot_box *box,
                          struct label_box *label, double mark)
{
    double x = label->x, y = label->y, aside = 0.5 * (mark + label->width) + 2,
           above = 0.5 * (mark + label->height) + 1;
    const double offsets[][2] = {{aside, 0}, {-aside, 0},     {0, -above},
                                 {0, above}, {aside, -above}, {-aside, above}};
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
        label->x = x + offsets[k][0];
        label->y = y + offsets[k][1];
        bool is_free = label->x > 0.5 * label->width && label->x < box->width - 0.5 * label->width &&
                       label->y > 0.5 * label->height && label->y < box->height - 0.5 * label->height;
        for (size_t t = 0; t < taken_count && is_free; t++)
            is_free = !overlaps(label, &taken[t]);
        if (is_free)
            return true;
    }
    return false;
}

static void script_name(struct plot *plot, const struct plot_box *box, const struct label_box *label,
                        const char *name)
{
    char quoted[4 * 64 + 16], font[64];
    fprintf(plot->script,
            "set label %s at screen %.6f,%.6f center font '%s' textcolor rgb '#111111' front boxed bs 2\n",
            style_quote(name, 18, quoted, sizeof quoted), (box->left + label->x) / plot->width_px,
            1 - (box->top + label->y) / plot->height_px, plot_font(plot, 11, false, font));
}

// Marks of a map, and the boxes that marks and names occupy.
enum { MARKED_MAX = 400 };
struct marked {
    size_t marks, taken_count;
    struct label_box taken[2 * MARKED_MAX];
    double x_px[MARKED_MAX], y_px[MARKED_MAX];
    const char *names[MARKED_MAX];
};

// A mark within the view: a green triangle, or a black dot.
static void script_mark(struct plot *plot, const struct map_view *view, const struct plot_box *box,
                        const struct map_mark *mark, struct marked *marked)
{
    const double y = mark->y;
    double x = mark->x;
    while (view->is_geographic && x < view->x[0])
        x += 360;
    while (view->is_geographic && x > view->x[1])
        x -= 360;
    if (!(x >= view->x[0] && x <= view->x[1] && y >= view->y[0] && y <= view->y[1]) ||
        marked->marks == MARKED_MAX)
        return;
    const size_t k = marked->marks++;
    marked->x_px[k] = (x - view->x[0]) / (view->x[1] - view->x[0]) * box->width;
    marked->y_px[k] = (view->y[1] - y) / (view->y[1] - view->y[0]) * box->height;
    marked->names[k] = mark->text;
    marked->taken[marked->taken_count++] =
        (struct label_box){marked->x_px[k], marked->y_px[k], 12 * plot->scale, 12 * plot->scale};
    const int type = mark->is_dot ? 7 : 9;
    fprintf(plot->script,
            "set label '' at %.10g,%.10g front point pointtype %d pointsize %.3f linecolor rgb '#ffffff'\n"
            "set label '' at %.10g,%.10g front point pointtype %d pointsize %.3f linecolor rgb '%s'\n",
            x, y, type, (mark->is_dot ? 1.5 : 2.4) * plot->scale, x, y, type,
            (mark->is_dot ? 1.0 : 1.7) * plot->scale, mark->is_dot ? "#111111" : "#0b5d1e");
}

// Marks and, as far as there is space, names.
static enum status script_marks(struct plot *plot, const struct map_single *single,
                                const struct map_view *view, const struct plot_box *box)
{
    struct marked *marked = calloc(1, sizeof *marked);
    if (!marked)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the names on a map");
    for (size_t k = 0; k < single->mark_count; k++)
        script_mark(plot, view, box, &single->marks[k], marked);
    fprintf(plot->script, "set style textbox 2 opaque noborder fillcolor rgb '#48ffffff' margins 0.4,0.3\n");
    for (size_t k = 0; k < marked->marks; k++) {
        char name[STYLE_TEXT_BYTES];
        const size_t length = utf8_length(glyphs_copy(marked->names[k], name, sizeof name));
        struct label_box label = {marked->x_px[k], marked->y_px[k],
                                  (double)(length < 19 ? length : 19) * 9.2 * plot->scale + 6,
                                  19 * plot->scale};
        if (length > 0 && find_free_box(marked->taken, marked->taken_count, box, &label, 12 * plot->scale)) {
            script_name(plot, box, &label, name);
            marked->taken[marked->taken_count++] = label;
        }
    }
    free(marked);
    return STATUS_OK;
}

// Latitudes with minutes and seconds are long: the width of the longest on a map of this height.
double map_label_space(const struct map_view *view)
{
    const double step = style_step_degrees(view->y[1] - view->y[0], 10);
    const bool has_minutes = fabs(step - nearbyint(step)) > 1e-9,
               has_seconds = fabs(60 * step - nearbyint(60 * step)) > 1e-9;
    return !view->is_geographic ? 0 : has_seconds ? 138 : has_minutes ? 108 : 0;
}

// A picture of one map with a colour bar on its right: the box, and the picture's size, as large as the
// options allow. Very long and very narrow areas are stretched to be readable.
static struct plot_box layout_single(const struct report *report, const struct map_view *view, int *width_px,
                                     int *height_px)
{
    const double width = report->options.width_px, height = report->options.height_px,
                 scale = report_scale(report);
    struct plot_box box = {.left = fmax(margin_left, map_label_space(view)) * scale,
                           .top = margin_top * scale};
    double right = margin_right * scale,
           bottom = (margin_bottom + (view->is_geographic ? 0 : margin_label)) * scale;
    box.width = width - box.left - right;
    box.height = box.width / view->aspect;
    double most = height - box.top - bottom, least = 150 * scale;
    if (box.height > most) {
        box.height = most;
        box.width = fmax(most * view->aspect, 0.3 * width);
    }
    box.height = fmax(box.height, least);
    *width_px = (int)ceil(box.left + box.width + right);
    *height_px = (int)ceil(box.top + box.height + bottom);
    return box;
}

struct single_content {
    const struct map_single *single;
    const struct map_view *view;
    const struct plot_box *box;
};

static enum status script_single(struct plot *plot, const struct report *report,
                                 const struct report_picture *picture, const void *content)
{
    const struct single_content *c = content;
    const struct map_single *single = c->single;
    plot_box(plot, c->box);
    map_script_axis(plot, c->view, 'x', (int)fmax(2, c->box->width / (130 * plot->scale)), true);
    map_script_axis(plot, c->view, 'y', (int)fmax(2, c->box->height / (90 * plot->scale)), true);
    plot_heading(plot, picture->title, report_job_title(report), c->box->left,
                 c->box->width + margin_right * plot->scale);
    plot_palette(plot, single->palette, STYLE_COLOURS);
    map_script_colour_bar(plot, c->box, single->layers->scale, single->format, single->unit);
    fprintf(
        plot->script,
        "set tics front\nset style textbox 1 opaque noborder fillcolor rgb '#18ffffff' margins 0.5,0.4\n");
    if (single->labels)
        script_line_labels(plot, single->labels);
    CHECK(script_marks(plot, single, c->view, c->box));
    return map_script_layers(plot, single->layers);
}

enum status map_draw_single(struct report *report, const struct map_single *single)
{
    int width_px, height_px;
    const struct map_view view = map_view_of(&single->layers->pair->values);
    const struct plot_box box = layout_single(report, &view, &width_px, &height_px);
    const struct single_content content = {single, &view, &box};
    struct report_picture picture =
        report_picture_of(single->section, single->file, single->title, width_px, height_px);
    snprintf(picture.caption, sizeof picture.caption, "%s", single->caption);
    return single->is_unlisted ? report_draw_unlisted(report, &picture, script_single, &content)
                               : report_draw(report, &picture, script_single, &content);
}
