// `fathom forecast EVENT --points FILE`: chooses a job (forecast_choices.h), runs it by `fathom run` itself,
// writes it when that run has its folder, and prints the table of its points.
#include "cli/commands.h"
#include "cli/forecast_choices.h"
#include "cli/forecast_options.h"
#include "cli/forecast_print.h"
#include "cli/options.h"
#include "cli/session.h"
#include "core/log.h"
#include "io/formats/points_result.h"
#include "io/json_file.h"
#include "io/output/output.h"
#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A forecast on its way from the choices to the table.
struct work {
    struct forecast_options options;
    struct forecast_choices choices;
    char job_path[PATH_BYTES]; // beside the results, so that the folder is whole
    cJSON *job, *earlier;      // of an earlier forecast in the folder; NULL: none
    const char *way;           // --restart or --resume
};

static bool has_file(const struct work *w, const char *name)
{
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/%s", w->options.directory, name);
    return access(path, F_OK) == 0;
}

// The job of an earlier forecast. A file of that name which no forecast wrote is left alone.
static bool read_earlier(struct work *w)
{
    enum { BYTES_MAX = 1 << 20 };
    if (access(w->job_path, F_OK) != 0)
        return true;
    if (json_file_read(w->job_path, BYTES_MAX, &w->earlier) != STATUS_OK) {
        status_clear();
        w->earlier = NULL;
    }
    return w->earlier && json_text(w->earlier, "// made by")[0] != '\0';
}

// Not even on request a job takes the place of what it is made of.
static enum status keep_inputs(const struct work *w)
{
    const char *const paths[] = {w->options.event_path, w->choices.points_path, w->choices.bathymetry};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        struct stat input, job;
        if (paths[k] && stat(paths[k], &input) == 0 && stat(w->job_path, &job) == 0 &&
            input.st_dev == job.st_dev && input.st_ino == job.st_ino)
            return FAIL(STATUS_CONFIGURATION,
                        "%s: the forecast's job would replace it: choose another folder with -o", paths[k]);
    }
    return STATUS_OK;
}

// What stands in the folder: a stopped run of this job is continued, one of another is not discarded unasked.
static enum status check_folder(struct work *w)
{
    const char *directory = w->options.directory;
    char path[PATH_BYTES];
    const bool is_foreign = !read_earlier(w);
    w->way = "--restart";
    // By a run that was killed. One of any job finishes it first; --resume of the same job then computes
    // nothing.
    const bool is_publishing = output_is_publishing(directory);
    if (w->options.restarts)
        return STATUS_OK;
    if (is_foreign)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s was not written by fathom forecast: choose another folder with -o, or --restart to "
                    "replace it",
                    w->job_path);
    const enum status found = output_find_checkpoint(directory, path);
    if (found != STATUS_OK && found != STATUS_NO_INPUT) // damaged, or of another version: which file, and why
        return status_append(found,
                             "the stopped run in %s cannot be resumed: choose another folder with -o, "
                             "or --restart to discard it",
                             directory);
    status_clear();
    if (is_publishing && w->earlier && cJSON_Compare(w->earlier, w->job, true)) {
        w->way = "--resume";
        return STATUS_OK;
    }
    // Beside a job of a forecast it is that of a run which was killed while its results got their names.
    if (found == STATUS_NO_INPUT && !w->earlier && has_file(w, "points.csv") && !has_file(w, "run.json"))
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s/points.csv was not written by fathom forecast: choose another folder with -o, or "
                    "--restart to replace it",
                    directory);
    if (found == STATUS_NO_INPUT)
        return STATUS_OK;
    if (!w->earlier || !cJSON_Compare(w->earlier, w->job, true))
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s holds a stopped run of another job: choose another folder with -o, or --restart to "
                    "discard it",
                    directory);
    w->way = "--resume";
    return STATUS_OK;
}

static enum status write_job(void *context)
{
    const struct work *w = context;
    CHECK(path_make_directory(w->options.directory));
    return json_file_write(w->job_path, w->job);
}

// If the run ended before its first checkpoint, the folder still has the results of the earlier job.
static void put_back(const struct work *w)
{
    char path[PATH_BYTES];
    const bool has_checkpoint = output_find_checkpoint(w->options.directory, path) != STATUS_NO_INPUT;
    status_clear();
    if (has_checkpoint || !w->earlier)
        return;
    const enum status status = json_file_write(w->job_path, w->earlier);
    if (status != STATUS_OK)
        (void)options_report_failure(status);
}

// The one way of a run. What an earlier forecast left in the folder is replaced.
static int run(struct work *w, int argc, char **argv)
{
    enum { WORDS = 16 };
    const struct forecast_options *o = &w->options;
    char *text = utf8_print_json(w->job);
    if (!text)
        return options_report_failure(FAIL(STATUS_SYSTEM, "%s: no memory to write it", w->job_path));
    char *words[WORDS] = {"run", (char *)(uintptr_t)w->way};
    int count = 2;
    const struct {
        const char *option, *value;
    } passed[] = {{"--backend", o->backend},
                  {"--threads", o->threads},
                  {"--verify", o->verify},
                  {"--time-limit", o->time_limit}};
    for (size_t k = 0; k < sizeof passed / sizeof *passed; k++) {
        if (!passed[k].value)
            continue;
        words[count++] = (char *)(uintptr_t)passed[k].option;
        words[count++] = (char *)(uintptr_t)passed[k].value;
    }
    if (o->is_quiet)
        words[count++] = "--quiet";
    words[count++] = w->job_path;
    words[count] = NULL;
    struct run_given given = {.job = text, .argc = argc, .argv = argv, .begin = write_job, .context = w};
    const int code = command_run_given(count, words, &given);
    if (given.has_begun && !given.has_results)
        put_back(w);
    cJSON_free(text);
    return code;
}

static enum status print(const struct forecast_choices *choices, const char *job_path)
{
    enum { REPORT_BYTES_MAX = 256 << 20 };
    char path[PATH_BYTES + 16];
    struct points_result result;
    cJSON *report = NULL;
    snprintf(path, sizeof path, "%s/run.json", choices->options->directory);
    if (json_file_read(path, REPORT_BYTES_MAX, &report) != STATUS_OK)
        status_clear(); // the table is there without its warnings
    snprintf(path, sizeof path, "%s/points.nc", choices->options->directory);
    enum status status = points_result_read(path, &result);
    const struct forecast_results results = {&result, cJSON_GetObjectItemCaseSensitive(report, "warnings")};
    if (status == STATUS_OK)
        status = choices->options->as_json ? forecast_print_json(choices, job_path, &results)
                                           : forecast_print_table(choices, &results);
    points_result_free(&result);
    cJSON_Delete(report);
    return status;
}

// ---- mistakes

// A key of the job, and the option that sets it.
static const struct {
    const char *key, *option;
} options_of_keys[] = {{"source.earthquake.event", "--event"},
                       {"source.earthquake.plane", "--plane"},
                       {"source.earthquake.relation", "--relation"},
                       {"source.earthquake.magnitude", "--magnitude"},
                       {"source.earthquake.longitude", "--longitude"},
                       {"source.earthquake.latitude", "--latitude"},
                       {"source.earthquake.depth", "--depth"},
                       {"source.earthquake.strike", "--strike"},
                       {"source.earthquake.dip", "--dip"},
                       {"source.earthquake.rake", "--rake"},
                       {"source.faults_reference", "--reference"},
                       {"domain.bathymetry.missing", "--missing"},
                       {"domain.bathymetry.variable", "--variable"},
                       {"domain.bathymetry.positive", "--positive"},
                       {"domain.bathymetry.units", "--units"},
                       {"domain.bathymetry.axes", "--axes"},
                       {"domain.spacing", "--spacing"},
                       {"time.duration", "--hours"},
                       {"output.threat_levels", "--threat"}};

// Puts `to` in the place of the first `from` in a text of `bytes`; false: the text does not contain it.
static bool put_in_place(char *text, size_t bytes, const char *from, const char *to)
{
    char rest[1024];
    char *place = strstr(text, from);
    if (!place)
        return false;
    snprintf(rest, sizeof rest, "%s", place + strlen(from));
    snprintf(place, bytes - (size_t)(place - text), "%s%s", to, rest);
    return true;
}

// A message in the words of the command line; a mistake in the job is then one in an option.
static enum status in_options(const struct work *w, enum status status)
{
    char text[1024], prefix[PATH_BYTES + 16];
    bool is_option = false;
    if (status == STATUS_OK)
        return status;
    snprintf(text, sizeof text, "%s", status_message());
    for (size_t k = 0; k < sizeof options_of_keys / sizeof *options_of_keys; k++)
        if (put_in_place(text, sizeof text, options_of_keys[k].key, options_of_keys[k].option))
            is_option = true;
    snprintf(prefix, sizeof prefix, "%s: method:", w->job_path);
    is_option |= put_in_place(text, sizeof text, prefix, "--method:");
    if (!is_option)
        return status;
    snprintf(prefix, sizeof prefix, "%s: --", w->job_path);
    (void)put_in_place(text, sizeof text, prefix, "--");
    if (strncmp(text, "forecast: --", 12) == 0)
        (void)put_in_place(text, sizeof text, "forecast: ", "");
    status_clear();
    return FAIL(status == STATUS_CONFIGURATION ? STATUS_USAGE : status, "%s", text);
}

// What a dry run does not compute is checked as fathom plan does; its lines are the run's.
static enum status check_job(const struct work *w)
{
    static struct session session; // large
    char *text = utf8_print_json(w->job);
    if (!text)
        return FAIL(STATUS_SYSTEM, "%s: no memory to check it", w->job_path);
    const struct session_request request = {.job_path = w->job_path,
                                            .job_text = text,
                                            .backend = w->options.backend,
                                            .has_threads = w->options.threads_number > 0};
    const bool is_shown = log_is_shown(LOG_INFO);
    log_show(LOG_QUIET);
    log_mute(true);
    enum status status = session_open(&request, &session);
    if (status == STATUS_OK)
        status = session_check_memory(&session);
    session_close(&session);
    log_show(is_shown ? LOG_INFO : LOG_QUIET);
    log_mute(false);
    cJSON_free(text);
    return status;
}

// Everything but the run.
static enum status prepare(struct work *w)
{
    const struct forecast_options *o = &w->options;
    const char *shown = w->job_path;
    if (snprintf(w->job_path, PATH_BYTES, "%s/forecast.json", o->directory) >= PATH_BYTES)
        return FAIL(STATUS_USAGE, "--output: the path is too long");
    CHECK(forecast_choose(o, &w->choices));
    w->job = forecast_job(&w->choices);
    if (!w->job)
        return FAIL(STATUS_SYSTEM, "%s: no memory to write it", w->job_path);
    CHECK(keep_inputs(w));
    if (o->is_dry)
        CHECK(check_job(w));
    if (!o->is_dry)
        CHECK(check_folder(w));
    else if (has_file(w, "run.json") || has_file(w, "partial") || !read_earlier(w))
        shown = NULL;
    else
        CHECK(write_job(w));
    if (!o->as_json && (!o->is_quiet || o->is_dry))
        forecast_print_choices(&w->choices, shown);
    if (o->as_json && o->is_dry)
        CHECK(forecast_print_json(&w->choices, shown, NULL));
    if (!o->is_dry)
        (void)fflush(stdout); // before the lines of the run
    return STATUS_OK;
}

int command_forecast(int argc, char **argv)
{
    static struct work work; // large
    int code;
    if (!forecast_options_read(argc, argv, &work.options, &code))
        return code;
    enum status status = in_options(&work, prepare(&work));
    code = 0;
    if (status == STATUS_OK && !work.options.is_dry)
        code = run(&work, argc, argv);
    // A run that failed its check has results.
    if (status == STATUS_OK && !work.options.is_dry && code <= 1)
        status = print(&work.choices, work.job_path);
    cJSON_Delete(work.job);
    cJSON_Delete(work.earlier);
    forecast_choices_free(&work.choices);
    units_release();
    return status == STATUS_OK ? code : options_report_failure(status);
}
