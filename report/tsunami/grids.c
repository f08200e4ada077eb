// The grids of a tsunami run in a report: the files of each ("fields.nc", of a nested grid "NAME.fields.nc"),
// and what run.json states of it.
#include "report/tsunami/report.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *report_tsunami_grid_suffix(const struct report_grid *grid, char text[96])
{
    snprintf(text, 96, "%s%s", grid->name[0] ? " · " : "", grid->name);
    return text;
}

const char *report_tsunami_grid_file(const struct report_grid *grid, const char *picture, char file[64])
{
    snprintf(file, 64, "%.36s%s%.24s", grid->name, grid->name[0] ? "_" : "", picture);
    return file;
}

static void note_run_up(struct report_grid *grid)
{
    const cJSON *object = json_member(grid->run, "run_up");
    grid->is_flooding |= cJSON_IsObject(object);
    grid->run_up = (struct report_run_up){
        .highest_m = json_number(object, "highest_m"),
        .x = json_number(object, "x"),
        .y = json_number(object, "y"),
        .ground_m = json_number(object, "ground_m"),
        .time_s = json_number(object, "time_s"),
        .inundation_m = json_number(object, "inundation_m"),
        .inundation_x = json_number(object, "inundation_x"),
        .inundation_y = json_number(object, "inundation_y"),
        .flooded_area_m2 = json_number(object, "flooded_area_m2"),
    };
}

static int find_grid(const struct report_waves *waves, const char *name)
{
    for (size_t g = 0; g < waves->grid_count; g++)
        if (strcmp(waves->grids[g].name, name) == 0)
            return (int)g;
    return -1;
}

// Adds a grid; NULL if it is known already, or if there are too many.
static struct report_grid *add_grid(struct report *report, const char *name)
{
    struct report_waves *waves = report_tsunami_waves(report);
    if (find_grid(waves, name) >= 0)
        return NULL;
    if (waves->grid_count == REPORT_GRIDS_MAX) {
        report_warn(report, "grid %s: more than %d grids: it is left out", name, (int)REPORT_GRIDS_MAX);
        return NULL;
    }
    struct report_grid *grid = &waves->grids[waves->grid_count];
    *grid = (struct report_grid){.parent = 0, .depth = 1, .largest_m = NAN, .largest_flow_m = NAN};
    if (snprintf(grid->name, sizeof grid->name, "%s", name) >= (int)sizeof grid->name)
        return NULL;
    waves->grid_count++;
    return grid;
}

// Parents precede their children in run.json; for a parent that is missing the outermost grid is taken.
static void add_described(struct report *report)
{
    struct report_waves *waves = report_tsunami_waves(report);
    const cJSON *item;
    cJSON_ArrayForEach(item, json_member(report->run, "nested"))
    {
        const char *name = json_text(item, "name"), *parent = json_text(item, "parent");
        struct report_grid *grid = name[0] && !strchr(name, '/') ? add_grid(report, name) : NULL;
        if (!grid)
            continue;
        const int around = parent[0] ? find_grid(waves, parent) : 0;
        grid->run = item;
        grid->parent = around >= 0 && &waves->grids[around] != grid ? around : 0;
        grid->depth = waves->grids[grid->parent].depth + 1;
    }
}

// Without run.json: every NAME for which there is a NAME.maxima.nc, or another file of its kind.
static enum status add_found(struct report *report)
{
    DIR *entries = opendir(report->options.directory);
    if (!entries)
        return FAIL(STATUS_NO_INPUT, "%s: %s", report->options.directory, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(entries));)
        for (int k = 0; k < REPORT_FILES; k++) {
            char end[32], name[64];
            const size_t length = strlen(entry->d_name),
                         tail = (size_t)snprintf(end, sizeof end, ".%s.nc", report_file_names[k]);
            if (length <= tail || length - tail >= sizeof name ||
                strcmp(entry->d_name + length - tail, end) != 0)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)(length - tail), entry->d_name);
            (void)add_grid(report, name);
        }
    closedir(entries);
    return STATUS_OK;
}

enum status report_tsunami_open_grids(struct report *report)
{
    struct report_waves *waves = report_tsunami_waves(report);
    waves->grids[0] = (struct report_grid){
        .parent = -1, .files = report->files, .run = report->run, .largest_m = NAN, .largest_flow_m = NAN};
    waves->grid_count = 1;
    if (report->run)
        add_described(report);
    else
        CHECK(add_found(report));
    for (size_t g = 0; g < waves->grid_count; g++) {
        struct report_grid *grid = &waves->grids[g];
        int opened;
        if (g > 0)
            CHECK(report_open_files(report, grid->name, &grid->files, &opened));
        grid->is_flooding = result_find(grid->files.maxima, "max_depth") != NULL;
        note_run_up(grid);
    }
    return STATUS_OK;
}

void report_tsunami_close_grids(struct report_waves *waves)
{
    for (size_t g = 1; g < waves->grid_count; g++)
        report_close_files(&waves->grids[g].files);
}
