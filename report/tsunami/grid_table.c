// The table of a tsunami's grids on the page: nodes and spacing, method, steps, largest elevation, run-up and
// flooded land of each. Uses their names in run.json.
#include "report/page.h"
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Degrees as minutes of arc, or as seconds if less than a minute.
static const char *angle_text(double degrees, char *text)
{
    if (degrees * 60 >= 1)
        snprintf(text, STYLE_TEXT_BYTES, "%.4g′", degrees * 60);
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.4g″", degrees * 3600);
    return text;
}

// The number of nodes and the mean spacing; for x and y separately if they differ.
static void write_nodes(FILE *page, const struct report *report, const struct report_grid *grid)
{
    const bool is_geographic = report_tsunami_waves(report)->is_geographic;
    const cJSON *nodes_of = json_member(grid->run, "grid");
    const double nx = json_number(nodes_of, "nx"), ny = json_number(nodes_of, "ny");
    const double dx = (json_number(nodes_of, "x_last") - json_number(nodes_of, "x_first")) / (nx - 1);
    const double dy = (json_number(nodes_of, "y_last") - json_number(nodes_of, "y_first")) / (ny - 1);
    char nodes[STYLE_TEXT_BYTES] = "–", along_x[STYLE_TEXT_BYTES], along_y[STYLE_TEXT_BYTES],
         spacing[2 * STYLE_TEXT_BYTES + 8] = "";
    if (isfinite(nx) && isfinite(ny))
        snprintf(nodes, sizeof nodes, "%.0f × %.0f", nx, ny);
    if (isfinite(dx) && isfinite(dy)) {
        (void)(is_geographic ? angle_text(dx, along_x) : style_length(dx, along_x));
        (void)(is_geographic ? angle_text(dy, along_y) : style_length(dy, along_y));
        const bool is_square = strcmp(along_x, along_y) == 0;
        snprintf(spacing, sizeof spacing, "%s%s%s", along_x, is_square ? "" : " × ",
                 is_square ? "" : along_y);
    }
    report_table_cell(page, nodes, spacing);
}

static void write_steps(FILE *page, const struct report_grid *grid)
{
    const double step_s = json_number(grid->run, "step_s"), steps = json_number(grid->run, "steps"),
                 per_parent = json_number(grid->run, "steps_per_parent");
    char text[STYLE_TEXT_BYTES] = "–", under[STYLE_TEXT_BYTES] = "";
    if (isfinite(steps) && isfinite(step_s))
        snprintf(text, sizeof text, "%.0f of %.4g s", steps, step_s);
    if (isfinite(per_parent))
        snprintf(under, sizeof under, "%.0f per step of its parent", per_parent);
    report_table_cell(page, text, under);
}

static void write_run_up(FILE *page, const struct report *report, const struct report_grid *grid)
{
    const struct report_run_up *r = &grid->run_up;
    char text[STYLE_TEXT_BYTES], place[STYLE_TEXT_BYTES];
    if (!grid->is_flooding) {
        fputs("<td class=\"soft\" colspan=\"4\">reflecting wall at the shore</td>", page);
        return;
    }
    report_table_cell(page, style_length(r->highest_m, text),
                      report_tsunami_position(report, r->x, r->y, 4, place));
    report_table_cell(page, style_length(r->inundation_m, text),
                      report_tsunami_position(report, r->inundation_x, r->inundation_y, 4, place));
    report_table_cell(page, style_length(grid->largest_flow_m, text), "");
    snprintf(text, sizeof text, isfinite(r->flooded_area_m2) ? "%.3g km²" : "–", r->flooded_area_m2 / 1e6);
    report_table_cell(page, text, "");
}

static void write_row(FILE *page, const struct report *report, const struct report_grid *grid)
{
    char text[STYLE_TEXT_BYTES], place[STYLE_TEXT_BYTES], in[96] = "";
    const char *method = json_text(json_member(grid->run, "physics"), "method");
    if (grid->parent >= 0) {
        const char *parent = report_tsunami_waves(report)->grids[grid->parent].name;
        snprintf(in, sizeof in, "in %.80s", parent[0] ? parent : "the outermost");
    }
    report_table_row(page, grid->name[0] ? grid->name : "outermost", in);
    write_nodes(page, report, grid);
    report_table_cell(page, method[0] ? method : "–", "");
    write_steps(page, grid);
    report_table_cell(page, style_length(grid->largest_m, text),
                      report_tsunami_position(report, grid->largest_x, grid->largest_y, 4, place));
    write_run_up(page, report, grid);
    fputs("</tr>\n", page);
}

void report_tsunami_grid_table(FILE *page, const struct report *report)
{
    static const char *const headings[] = {"Grid",
                                           "Nodes",
                                           "Method",
                                           "Steps",
                                           "Largest<br>elevation",
                                           "Highest<br>run-up",
                                           "Farthest<br>from the shore",
                                           "Deepest<br>on land",
                                           "Flooded"};
    const struct report_waves *waves = report_tsunami_waves(report);
    report_table_begin(page, headings, sizeof headings / sizeof *headings);
    for (size_t g = 0; g < waves->grid_count; g++)
        write_row(page, report, &waves->grids[g]);
    report_table_end(page,
                     "Run-up: the greatest height of the water above the still sea level at a place that is "
                     "land at rest. From the shore: the straight distance to the nearest water at rest.");
}
