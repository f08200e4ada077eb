// A report from its folder to its page: the order of the work, the model, the list of pictures, run.json.
#include "report/context.h"

#include "io/output/finished.h"
#include "io/output/output.h"
#include "io/path.h"
#include "report/drawn.h"
#include "report/library.h"
#include "report/model.h"
#include "report/plot.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- warnings and pictures

void report_warn(struct report *report, const char *format, ...)
{
    if (report->warning_count == REPORT_WARNINGS_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->warnings[report->warning_count], REPORT_TEXT_BYTES, format, arguments);
    va_end(arguments);
    fprintf(stderr, "fathom: report: warning: %s\n", report->warnings[report->warning_count]);
    report->warning_count++;
}

double report_scale(const struct report *report)
{
    return report->options.width_px / 1600.;
}

struct report_picture report_picture_of(int section, const char *file, const char *title, double width_px,
                                        double height_px)
{
    struct report_picture picture = {
        .section = section, .width_px = (int)ceil(width_px), .height_px = (int)ceil(height_px)};
    snprintf(picture.file, sizeof picture.file, "%s", file);
    snprintf(picture.title, sizeof picture.title, "%s", title);
    return picture;
}

enum status report_draw(struct report *report, const struct report_picture *picture, report_script *script,
                        const void *content)
{
    if (report->picture_count == REPORT_PICTURES_MAX)
        return STATUS_OK;
    report->pictures[report->picture_count++] = *picture;
    return report_draw_unlisted(report, picture, script, content);
}

enum status report_draw_unlisted(const struct report *report, const struct report_picture *picture,
                                 report_script *script, const void *content)
{
    struct plot plot;
    enum status status = plot_start(&plot, report->pictures_directory, picture->file, picture->width_px,
                                    picture->height_px, report_scale(report));
    if (status == STATUS_OK)
        status = script(&plot, report, picture, content);
    return plot_finish(&plot, status);
}

// ---- run.json

const char *report_job_title(const struct report *report)
{
    const cJSON *title = json_member(report->run, "title");
    if (report->title[0])
        return report->title;
    return cJSON_IsString(title) ? title->valuestring : NULL;
}

// run.json may be missing (results made elsewhere); a damaged one is an error.
static enum status read_run(struct report *report)
{
    char path[REPORT_PATH_BYTES];
    if (!report_has_file(report->options.directory, "run.json", path)) {
        report_warn(report, "%s: file not found; the page has no table of the run", path);
        return STATUS_OK;
    }
    CHECK(json_file_read(path, REPORT_RUN_BYTES_MAX, &report->run));
    return cJSON_IsObject(report->run) ? STATUS_OK : FAIL(STATUS_DATA, "%s: expected an object", path);
}

// ---- the model

// By its name in run.json; where that is missing, by the files.
static enum status choose_model(struct report *report)
{
    const struct report_options *options = &report->options;
    const char *name = json_text(report->run, "model");
    const struct report_model *const *model = report_models;
    for (; model[1]; model++)
        if (name[0] ? strcmp(name, (*model)->name) == 0 : (*model)->recognise && (*model)->recognise(report))
            break;
    report->model = *model;
    report->state = calloc(1, report->model->state_bytes);
    if (!report->state)
        return FAIL(STATUS_SYSTEM, "report: not enough memory");
    if (options->other_count > 0 && !report->model->draws_several)
        return FAIL(
            STATUS_USAGE,
            "more than one folder given: %s holds a run of the model %s, whose runs are not drawn together",
            options->directory, report->model->name);
    if (options->beside && !report->model->draws_beside)
        return FAIL(STATUS_USAGE, "--beside %s: the report of the model %s shows no other run beside it",
                    options->beside, report->model->name);
    if (options->anatomy && !report->model->has_anatomy)
        return FAIL(STATUS_USAGE, "--anatomy %s: results of the model %s do not lie in a body",
                    options->anatomy, report->model->name);
    if (options->far_field_m > 0 && !report->model->has_far_field)
        return FAIL(STATUS_USAGE, "--far-field: the model %s has no far field", report->model->name);
    if (options->scale_m > 0 && !report->model->has_scale)
        return FAIL(STATUS_USAGE, "--scale: the model %s has no fixed scale", report->model->name);
    if (options->has_animation && !report->model->has_animation)
        return FAIL(STATUS_USAGE, "--animation: the model %s has no animation", report->model->name);
    return STATUS_OK;
}

// The files that all models have in common, else one of a model's own.
static enum status open_results(struct report *report)
{
    const char *directory = report->options.directory;
    char path[REPORT_PATH_BYTES];
    int opened;
    CHECK(report_open_files(report, "", &report->files, &opened));
    for (const struct report_model *const *model = report_models; *model; model++)
        for (const char *const *file = (*model)->files; file && *file; file++)
            opened += report_has_file(directory, *file, path);
    if (opened > 0)
        return STATUS_OK;
    if (report_has_file(directory, "partial", path))
        return FAIL(STATUS_NO_INPUT, "%s: the run in it is not finished: %s continues it", directory,
                    output_continue_words(directory));
    return FAIL(STATUS_NO_INPUT,
                "%s: holds no results of a run (expected fields.nc, maxima.nc, gauges.nc, …)", directory);
}

// ---- all of it

// Of a report that was killed, gnuplot may take a moment to end.
static const double lock_wait_s = 2;

static enum status create_pictures_directory(struct report *report)
{
    if (snprintf(report->pictures_directory, sizeof report->pictures_directory, "%s/pictures",
                 report->options.directory) >= (int)sizeof report->pictures_directory - 80)
        return FAIL(STATUS_NO_INPUT, "%s: the path is too long", report->options.directory);
    CHECK(path_make_directory(report->pictures_directory));
    return path_lock_directory(report->pictures_directory, lock_wait_s, &report->lock);
}

static enum status page_path(const struct report *report, char page[REPORT_PATH_BYTES])
{
    const struct report_options *options = &report->options;
    const char *name = options->other_count > 0 ? "together" : "report";
    const int length = options->output
                           ? snprintf(page, REPORT_PATH_BYTES, "%s", options->output)
                           : snprintf(page, REPORT_PATH_BYTES, "%s/%s.html", options->directory, name);
    return length < REPORT_PATH_BYTES - 16
               ? STATUS_OK
               : FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long", options->directory);
}

// What the page's script shows. Without the libraries, or for a model that has nothing to show, the page has
// pictures alone.
static enum status collect_web(struct report *report)
{
    const bool has_maps = library_has_maps(), has_charts = library_has_charts();
    if (!report->model->web || (!has_maps && !has_charts && !report->model->has_volumes))
        return STATUS_OK;
    report->web = cJSON_CreateObject();
    if (!report->web)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the page");
    return report->model->web(report, has_maps, has_charts);
}

// Of every run that is drawn.
static enum status check_folders(const struct report_options *options,
                                 enum status (*check)(const char *directory))
{
    CHECK(check(options->directory));
    for (size_t k = 0; k < options->other_count; k++)
        CHECK(check(options->others[k]));
    return options->beside ? check(options->beside) : STATUS_OK;
}

enum status report_create(struct report *report, char page[REPORT_PATH_BYTES])
{
    const char *directory = report->options.directory;
    struct stat about;
    page[0] = '\0';
    if (stat(directory, &about) != 0)
        return FAIL(STATUS_NO_INPUT, "%s: %s", directory, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return FAIL(STATUS_NO_INPUT, "%s: expected the folder that a run wrote, not a file", directory);
    CHECK(check_folders(&report->options, output_check_published));
    CHECK(plot_check_gnuplot());
    CHECK(open_results(report));
    CHECK(read_run(report));
    CHECK(check_folders(&report->options, output_finished_check_results));
    CHECK(choose_model(report));
    CHECK(report_take_units(report, &report->files));
    CHECK(create_pictures_directory(report));
    CHECK(report->model->pictures(report));
    if (report->picture_count == 0)
        return FAIL(STATUS_DATA, "%s: its files hold nothing that can be drawn", directory);
    if (!report->options.html)
        return report_drawn_note(report, "");
    CHECK(page_path(report, page));
    CHECK(report_drawn_note(report, page)); // before the page: what is there is listed
    CHECK(collect_web(report));
    return report_write_page(report, page);
}

void report_release(struct report *report)
{
    if (report->model && report->state && report->model->release)
        report->model->release(report);
    report_close_files(&report->files);
    cJSON_Delete(report->run);
    cJSON_Delete(report->web);
    free(report->state);
    if (report->lock > 0)
        (void)close(report->lock);
}
