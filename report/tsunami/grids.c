// The grids of a run in a report: whose results there are, and what run.json says of each. Knows the names of
// the files ("fields.nc", of a nested grid "NAME.fields.nc") and of run.json's parts.
#include "report/context.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 5 };
static const char *const file_names[FILES] = {"fields", "maxima", "deformation", "gauges", "diagnostics"};

static struct result_file **file_of(struct report_grid *grid, int k)
{
    struct result_file **const files[FILES] = {&grid->fields, &grid->maxima, &grid->deformation,
                                               &grid->gauges, &grid->diagnostics};
    return files[k];
}

struct report_grid *report_outermost(struct report *report)
{
    return &report->grids[0];
}

const char *report_grid_suffix(const struct report_grid *grid, char text[96])
{
    snprintf(text, 96, "%s%s", grid->name[0] ? " · " : "", grid->name);
    return text;
}

const char *report_grid_file(const struct report_grid *grid, const char *picture, char file[64])
{
    snprintf(file, 64, "%.36s%s%.24s", grid->name, grid->name[0] ? "_" : "", picture);
    return file;
}

bool report_has_grids(const struct report *report)
{
    bool is_flooding = false;
    for (size_t g = 0; g < report->grid_count; g++)
        is_flooding |= report->grids[g].is_flooding;
    return report->grid_count > 1 || is_flooding;
}

// ---- files

// The latest time of a file, and the time's units for the page's head.
static enum status note_times(struct report *report, const struct result_file *file)
{
    const struct result_variable *time = result_find(file, "time");
    if (!time || time->rank != 1 || time->lengths[0] == 0)
        return STATUS_OK;
    double last_s;
    CHECK(result_read(file, "time", (size_t[]){time->lengths[0] - 1}, (size_t[]){1}, &last_s));
    report->duration_s = isfinite(last_s) ? fmax(report->duration_s, last_s) : report->duration_s;
    if (!report->time_units[0])
        snprintf(report->time_units, sizeof report->time_units, "%s", time->units);
    return STATUS_OK;
}

static bool is_in(const char *directory, const char *name, char path[REPORT_PATH_BYTES])
{
    return snprintf(path, REPORT_PATH_BYTES, "%s/%s", directory, name) < REPORT_PATH_BYTES &&
           access(path, F_OK) == 0;
}

// The files of a grid that has its name; *opened is their number.
static enum status open_grid(struct report *report, struct report_grid *grid, int *opened)
{
    const char *dot = grid->name[0] ? "." : "";
    char path[REPORT_PATH_BYTES], name[128];
    *opened = 0;
    for (int k = 0; k < FILES; k++) {
        snprintf(name, sizeof name, "%s%s%s.nc", grid->name, dot, file_names[k]);
        if (is_in(report->options.directory, name, path)) {
            CHECK(result_open(path, file_of(grid, k)));
            CHECK(note_times(report, *file_of(grid, k)));
            ++*opened;
            continue;
        }
        snprintf(name, sizeof name, "%s%s%s.0000.nc", grid->name, dot, file_names[k]);
        if (is_in(report->options.directory, name, path))
            report_warn(report, "%s: results in segments are not drawn; leave the job's output.join on",
                        path);
    }
    grid->is_flooding |= result_find(grid->maxima, "max_depth") != NULL;
    return STATUS_OK;
}

enum status report_open_outermost(struct report *report)
{
    const char *directory = report->options.directory;
    char path[REPORT_PATH_BYTES];
    int opened;
    report->grids[0] = (struct report_grid){.parent = -1, .largest_m = NAN, .largest_flow_m = NAN};
    report->grid_count = 1;
    CHECK(open_grid(report, report_outermost(report), &opened));
    // Files of particles and of spins are opened by those who draw them.
    static const char *const others[] = {"trajectory.nc", "final.nc", "structure.nc", "results.nc",
                                         "series.nc"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        opened += is_in(directory, others[k], path);
    if (opened > 0)
        return STATUS_OK;
    if (is_in(directory, "partial", path))
        return FAIL(STATUS_NO_INPUT,
                    "%s: the run in it is not finished: resume it first (fathom run --resume)", directory);
    return FAIL(STATUS_NO_INPUT,
                "%s: holds no results of a run (expected fields.nc, maxima.nc, gauges.nc, …)", directory);
}

void report_close_grids(struct report *report)
{
    for (size_t g = 0; g < report->grid_count; g++)
        for (int k = 0; k < FILES; k++)
            result_close(*file_of(&report->grids[g], k));
}

// ---- run.json

static double number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static void note_run_up(struct report_grid *grid)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(grid->run, "run_up");
    grid->is_flooding |= cJSON_IsObject(object);
    grid->run_up = (struct report_run_up){
        .highest_m = number_of(object, "highest_m"),
        .x = number_of(object, "x"),
        .y = number_of(object, "y"),
        .ground_m = number_of(object, "ground_m"),
        .time_s = number_of(object, "time_s"),
        .inundation_m = number_of(object, "inundation_m"),
        .inundation_x = number_of(object, "inundation_x"),
        .inundation_y = number_of(object, "inundation_y"),
        .flooded_area_m2 = number_of(object, "flooded_area_m2"),
    };
}

static int find_grid(const struct report *report, const char *name)
{
    for (size_t g = 0; g < report->grid_count; g++)
        if (strcmp(report->grids[g].name, name) == 0)
            return (int)g;
    return -1;
}

// A grid that is not known yet; NULL if it is, or if there are too many.
static struct report_grid *add_grid(struct report *report, const char *name)
{
    if (find_grid(report, name) >= 0)
        return NULL;
    if (report->grid_count == REPORT_GRIDS_MAX) {
        report_warn(report, "grid %s: more than %d grids: it is left out", name, (int)REPORT_GRIDS_MAX);
        return NULL;
    }
    struct report_grid *grid = &report->grids[report->grid_count];
    *grid = (struct report_grid){.parent = 0, .depth = 1, .largest_m = NAN, .largest_flow_m = NAN};
    if (snprintf(grid->name, sizeof grid->name, "%s", name) >= (int)sizeof grid->name)
        return NULL;
    report->grid_count++;
    return grid;
}

// Parents stand before their children in run.json; one that is not there is taken for the outermost.
static void add_described(struct report *report)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(report->run, "nested"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
        const char *parent = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "parent"));
        struct report_grid *grid = name && name[0] && !strchr(name, '/') ? add_grid(report, name) : NULL;
        if (!grid)
            continue;
        const int around = parent ? find_grid(report, parent) : 0;
        grid->run = item;
        grid->parent = around >= 0 && &report->grids[around] != grid ? around : 0;
        grid->depth = report->grids[grid->parent].depth + 1;
    }
}

// Without run.json: every NAME for which there is a NAME.maxima.nc, or another file of its kind.
static enum status add_found(struct report *report)
{
    DIR *entries = opendir(report->options.directory);
    if (!entries)
        return FAIL(STATUS_NO_INPUT, "%s: %s", report->options.directory, strerror(errno));
    for (const struct dirent *entry; (entry = readdir(entries));)
        for (int k = 0; k < FILES; k++) {
            char end[32], name[64];
            const size_t length = strlen(entry->d_name),
                         tail = (size_t)snprintf(end, sizeof end, ".%s.nc", file_names[k]);
            if (length <= tail || length - tail >= sizeof name ||
                strcmp(entry->d_name + length - tail, end) != 0)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)(length - tail), entry->d_name);
            (void)add_grid(report, name);
        }
    closedir(entries);
    return STATUS_OK;
}

enum status report_open_nested(struct report *report)
{
    report->grids[0].run = report->run;
    if (report->run)
        add_described(report);
    else
        CHECK(add_found(report));
    for (size_t g = 0; g < report->grid_count; g++) {
        int opened;
        if (g > 0)
            CHECK(open_grid(report, &report->grids[g], &opened));
        note_run_up(&report->grids[g]);
    }
    return STATUS_OK;
}
