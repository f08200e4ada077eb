// `fathom forecast EVENT --points FILE`: chooses a job (forecast_choices.h), writes it, runs it by `fathom
// run` itself, and prints the table of its points.
#include "cli/commands.h"
#include "cli/forecast_choices.h"
#include "cli/forecast_options.h"
#include "cli/forecast_print.h"
#include "cli/options.h"
#include "io/json_file.h"
#include "io/path.h"
#include "io/points_result.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

// Beside the results, so that the folder is whole.
static enum status write_job(const struct forecast_choices *choices, const char *path)
{
    CHECK(path_make_directory(choices->options->directory));
    cJSON *job = forecast_job(choices);
    const enum status status =
        job ? json_file_write(path, job) : FAIL(STATUS_SYSTEM, "%s: no memory to write it", path);
    cJSON_Delete(job);
    return status;
}

// The one way of a run. What an earlier forecast left in the folder is replaced.
static int run(const struct forecast_options *o, char *job_path)
{
    enum { WORDS = 16 };
    char *words[WORDS] = {"run", "--restart"};
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
    words[count++] = job_path;
    words[count] = NULL;
    return command_run(count, words);
}

static enum status print(const struct forecast_choices *choices, const char *job_path)
{
    char path[PATH_BYTES + 16];
    struct points_result result;
    snprintf(path, sizeof path, "%s/points.nc", choices->options->directory);
    enum status status = points_result_read(path, &result);
    if (status == STATUS_OK)
        status = choices->options->as_json ? forecast_print_json(choices, job_path, &result)
                                           : forecast_print_table(choices, &result);
    points_result_free(&result);
    return status;
}

// Everything but the run; *job_path gets the job's place.
static enum status prepare(const struct forecast_options *options, struct forecast_choices *choices,
                           char job_path[PATH_BYTES])
{
    if (snprintf(job_path, PATH_BYTES, "%s/forecast.json", options->directory) >= PATH_BYTES)
        return FAIL(STATUS_USAGE, "--output: the path is too long");
    CHECK(forecast_choose(options, choices));
    CHECK(write_job(choices, job_path));
    if (!options->as_json && (!options->is_quiet || options->is_dry))
        forecast_print_choices(choices, job_path);
    if (options->as_json && options->is_dry)
        CHECK(forecast_print_json(choices, job_path, NULL));
    (void)fflush(stdout); // before the lines of the run
    return STATUS_OK;
}

int command_forecast(int argc, char **argv)
{
    static struct forecast_options options; // the choices point to it
    static struct forecast_choices choices; // large
    static char job_path[PATH_BYTES];
    int code;
    if (!forecast_options_read(argc, argv, &options, &code))
        return code;
    enum status status = prepare(&options, &choices, job_path);
    code = 0;
    if (status == STATUS_OK && !options.is_dry)
        code = run(&options, job_path);
    // A run that failed its check has results.
    if (status == STATUS_OK && !options.is_dry && code <= 1)
        status = print(&choices, job_path);
    forecast_choices_free(&choices);
    units_release();
    return status == STATUS_OK ? code : options_report_failure(status);
}
