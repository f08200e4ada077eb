// The table of a run's grids in a report's page: where each lies, how fine it is, how it was computed, and
// what was flooded. Knows the names that run.json uses for these.
#include "report/context.h"
#include "report/html.h"

#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cJSON *item_of(const struct report_grid *grid, const char *object, const char *key)
{
    const cJSON *from = object ? cJSON_GetObjectItemCaseSensitive(grid->run, object) : grid->run;
    return cJSON_GetObjectItemCaseSensitive(from, key);
}

static double number_of(const struct report_grid *grid, const char *object, const char *key)
{
    const cJSON *item = item_of(grid, object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static void write_cell(FILE *page, const char *text, const char *under)
{
    fputs("<td>", page);
    html_text(page, text);
    if (under[0]) {
        fputs("<small>", page);
        html_text(page, under);
        fputs("</small>", page);
    }
    fputs("</td>", page);
}

// Degrees as minutes or seconds of arc, whichever has a digit before the point.
static const char *angle_text(double degrees, char *text)
{
    if (degrees * 60 >= 1)
        snprintf(text, STYLE_TEXT_BYTES, "%.4g′", degrees * 60);
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.4g″", degrees * 3600);
    return text;
}

// The mean distance of the nodes; along x and y where they differ.
static void write_nodes(FILE *page, const struct report *report, const struct report_grid *grid)
{
    const double nx = number_of(grid, "grid", "nx"), ny = number_of(grid, "grid", "ny");
    const double dx = (number_of(grid, "grid", "x_last") - number_of(grid, "grid", "x_first")) / (nx - 1);
    const double dy = (number_of(grid, "grid", "y_last") - number_of(grid, "grid", "y_first")) / (ny - 1);
    char nodes[STYLE_TEXT_BYTES] = "–", along_x[STYLE_TEXT_BYTES], along_y[STYLE_TEXT_BYTES],
         spacing[2 * STYLE_TEXT_BYTES + 8] = "";
    if (isfinite(nx) && isfinite(ny))
        snprintf(nodes, sizeof nodes, "%.0f × %.0f", nx, ny);
    if (isfinite(dx) && isfinite(dy)) {
        (void)(report->is_geographic ? angle_text(dx, along_x) : style_length(dx, along_x));
        (void)(report->is_geographic ? angle_text(dy, along_y) : style_length(dy, along_y));
        const bool is_square = strcmp(along_x, along_y) == 0;
        snprintf(spacing, sizeof spacing, "%s%s%s", along_x, is_square ? "" : " × ",
                 is_square ? "" : along_y);
    }
    write_cell(page, nodes, spacing);
}

static void write_steps(FILE *page, const struct report_grid *grid)
{
    const double step_s = number_of(grid, NULL, "step_s"), steps = number_of(grid, NULL, "steps"),
                 per_parent = number_of(grid, NULL, "steps_per_parent");
    char text[STYLE_TEXT_BYTES] = "–", under[STYLE_TEXT_BYTES] = "";
    if (isfinite(steps) && isfinite(step_s))
        snprintf(text, sizeof text, "%.0f of %.4g s", steps, step_s);
    if (isfinite(per_parent))
        snprintf(under, sizeof under, "%.0f to one of its parent", per_parent);
    write_cell(page, text, under);
}

static const char *position_text(const struct report *report, double x, double y, char *text)
{
    if (!isfinite(x) || !isfinite(y))
        text[0] = '\0';
    else if (report->is_geographic)
        style_place(x, y, 4, text);
    else
        snprintf(text, STYLE_TEXT_BYTES, "x %.6g, y %.6g", x, y);
    return text;
}

static void write_run_up(FILE *page, const struct report *report, const struct report_grid *grid)
{
    const struct report_run_up *r = &grid->run_up;
    char text[STYLE_TEXT_BYTES], place[STYLE_TEXT_BYTES];
    if (!grid->is_flooding) {
        fputs("<td class=\"soft\" colspan=\"4\">the shore is a wall</td>", page);
        return;
    }
    write_cell(page, style_length(r->highest_m, text), position_text(report, r->x, r->y, place));
    write_cell(page, style_length(r->inundation_m, text),
               position_text(report, r->inundation_x, r->inundation_y, place));
    write_cell(page, style_length(grid->largest_flow_m, text), "");
    snprintf(text, sizeof text, isfinite(r->flooded_area_m2) ? "%.3g km²" : "–", r->flooded_area_m2 / 1e6);
    write_cell(page, text, "");
}

static void write_row(FILE *page, const struct report *report, const struct report_grid *grid)
{
    char text[STYLE_TEXT_BYTES], place[STYLE_TEXT_BYTES], in[96] = "";
    const cJSON *method = item_of(grid, "physics", "method");
    if (grid->parent >= 0)
        snprintf(in, sizeof in, "in %.80s",
                 report->grids[grid->parent].name[0] ? report->grids[grid->parent].name : "the outermost");
    fputs("<tr><th scope=\"row\">", page);
    html_text(page, grid->name[0] ? grid->name : "outermost");
    if (in[0]) {
        fputs("<small>", page);
        html_text(page, in);
        fputs("</small>", page);
    }
    fputs("</th>", page);
    write_nodes(page, report, grid);
    write_cell(page, cJSON_IsString(method) ? method->valuestring : "–", "");
    write_steps(page, grid);
    write_cell(page, style_length(grid->largest_m, text),
               position_text(report, grid->largest_x, grid->largest_y, place));
    write_run_up(page, report, grid);
    fputs("</tr>\n", page);
}

void report_html_grids(FILE *page, const struct report *report)
{
    fputs("<div class=\"card scroll\"><table "
          "class=\"gauges\"><thead><tr><th>Grid</th><th>Nodes</th><th>Method</th>"
          "<th>Steps</th><th>Largest<br>elevation</th><th>Highest<br>run-up</th><th>Farthest<br>from the "
          "shore</th>"
          "<th>Deepest<br>on land</th><th>Flooded</th></tr></thead><tbody>\n",
          page);
    for (size_t g = 0; g < report->grid_count; g++)
        write_row(page, report, &report->grids[g]);
    fputs("</tbody></table></div>\n<p class=\"soft\">Run-up: the highest water above the level of rest at a "
          "place that "
          "is land at rest. From the shore: the straight way to the nearest water at rest.</p>\n",
          page);
}
