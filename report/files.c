// The result files of a run in a report: which of them exist, and the times that they cover.
#include "report/context.h"
#include "report/model.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

const char *const report_file_names[REPORT_FILES] = {"fields", "maxima", "deformation", "gauges",
                                                     "diagnostics"};

static struct result_file **file_at(struct report_files *files, int k)
{
    struct result_file **const all[REPORT_FILES] = {&files->fields, &files->maxima, &files->deformation,
                                                    &files->gauges, &files->diagnostics};
    return all[k];
}

// The latest time of a file, and the units of time for the page's head.
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

bool report_has_file(const char *directory, const char *name, char path[REPORT_PATH_BYTES])
{
    return snprintf(path, REPORT_PATH_BYTES, "%s/%s", directory, name) < REPORT_PATH_BYTES &&
           access(path, F_OK) == 0;
}

enum status report_open_file(const struct report *report, const char *directory, const char *name,
                             struct result_file **file)
{
    char path[REPORT_PATH_BYTES];
    *file = NULL;
    if (!report_has_file(directory, name, path))
        return STATUS_OK;
    CHECK(result_open(path, file));
    const enum status status =
        report && report->model ? result_take_units(*file, report->model->units) : STATUS_OK;
    if (status != STATUS_OK) {
        result_close(*file);
        *file = NULL;
    }
    return status;
}

enum status report_take_units(struct report *report, struct report_files *files)
{
    for (int k = 0; k < REPORT_FILES && report->model; k++) {
        struct result_file *file = *file_at(files, k);
        if (!file)
            continue;
        CHECK(result_take_units(file, report->model->units));
        CHECK(note_times(report, file));
    }
    return STATUS_OK;
}

enum status report_open_files(struct report *report, const char *prefix, struct report_files *files,
                              int *opened)
{
    const char *directory = report->options.directory, *dot = prefix[0] ? "." : "";
    char path[REPORT_PATH_BYTES], name[128];
    *opened = 0;
    for (int k = 0; k < REPORT_FILES; k++) {
        snprintf(name, sizeof name, "%s%s%s.nc", prefix, dot, report_file_names[k]);
        if (report_has_file(directory, name, path)) {
            CHECK(result_open(path, file_at(files, k)));
            ++*opened;
            continue;
        }
        snprintf(name, sizeof name, "%s%s%s.0000.nc", prefix, dot, report_file_names[k]);
        if (report_has_file(directory, name, path))
            report_warn(report, "%s: results in segments are not drawn; leave the job's output.join on",
                        path);
    }
    return report_take_units(report, files);
}

void report_close_files(struct report_files *files)
{
    for (int k = 0; k < REPORT_FILES; k++)
        result_close(*file_at(files, k));
    *files = (struct report_files){0};
}
