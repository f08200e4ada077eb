// `fathom invert`: slips of unit sources from records of buoys. The order of the work. invert_options.c reads
// the command line, models/tsunami/forecast/invert.c fits, invert_print.c prints.
#include "cli/commands.h"
#include "cli/invert_options.h"
#include "cli/invert_print.h"
#include "cli/options.h"
#include "models/tsunami/earthquake/faults.h"
#include "models/tsunami/forecast/slips.h"

#include <cjson/cJSON.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_BYTES = 128 };

struct inversion {
    struct invert_options options;
    struct invert_choice choices[INVERT_STATIONS_MAX];
    size_t choice_count;
    struct database *database;
    size_t sources[INVERT_SOURCES_MAX], source_count; // indices in the database
    double given_m[INVERT_SOURCES_MAX];               // with --slips
    const char *slipping[INVERT_SOURCES_MAX];         // sources with slip, and their slips
    double slipping_m[INVERT_SOURCES_MAX];
    bool is_as_fitted; // windows and delay of the slips' own fit were taken
    struct invert_data data;
    struct invert_request request;
    struct invert_result result;
    struct invert_left_out left_out[INVERT_STATIONS_MAX];
};

// ---- sources

static enum status add_source(struct inversion *inversion, size_t index)
{
    for (size_t k = 0; k < inversion->source_count; k++)
        if (inversion->sources[k] == index)
            return STATUS_OK; // two patterns have it
    if (!inversion->options.slips && inversion->source_count == NNLS_COLUMNS_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: more than %d unit sources to fit: choose some of its %zu with --sources, those near "
                    "the earthquake",
                    inversion->options.database, NNLS_COLUMNS_MAX, database_count(inversion->database));
    inversion->sources[inversion->source_count++] = index;
    return STATUS_OK;
}

static enum status add_pattern(struct inversion *inversion, const char *pattern)
{
    const size_t before = inversion->source_count;
    bool is_known = false;
    for (size_t k = 0; k < database_count(inversion->database); k++)
        if (fnmatch(pattern, database_at(inversion->database, k)->name, 0) == 0) {
            CHECK(add_source(inversion, k));
            is_known = true;
        }
    if (is_known || inversion->source_count > before)
        return STATUS_OK;
    if (strpbrk(pattern, "*?["))
        return FAIL(STATUS_DATA, "--sources: no unit source of %s is called as %s",
                    inversion->options.database, pattern);
    size_t index; // NOAA's other spelling, or the nearest name for the message
    CHECK_ABOUT(database_find(inversion->database, pattern, &index), "--sources");
    return add_source(inversion, index);
}

static enum status choose_sources(struct inversion *inversion)
{
    const char *patterns = inversion->options.sources ? inversion->options.sources : "*";
    for (const char *at = patterns; *at;) {
        char pattern[PATTERN_BYTES];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof pattern)
            return FAIL(STATUS_USAGE, "--sources %s: expected names or patterns with commas between",
                        patterns);
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        CHECK(add_pattern(inversion, pattern));
        at += length + (at[length] == ',');
    }
    return inversion->source_count > 0 ? STATUS_OK
                                       : FAIL(STATUS_USAGE, "--sources: expected at least one name");
}

static enum status take_slips(struct inversion *inversion, const struct slip_list *list)
{
    for (size_t k = 0; k < list->count; k++) {
        size_t index;
        const size_t before = inversion->source_count;
        CHECK_ABOUT(database_find(inversion->database, list->slips[k].name, &index), "--slips");
        CHECK(add_source(inversion, index));
        if (inversion->source_count == before)
            return FAIL(STATUS_USAGE, "--slips: %s is there twice", list->slips[k].name);
        inversion->given_m[before] = list->slips[k].slip_m;
    }
    return STATUS_OK;
}

static enum status read_slips(struct inversion *inversion)
{
    struct slip_list list;
    CHECK(slips_take(inversion->options.slips, "--slips", &list));
    const enum status status = take_slips(inversion, &list);
    slips_free(&list);
    return status;
}

// ---- the work

static enum status read_all(struct inversion *inversion)
{
    struct invert_options *options = &inversion->options;
    CHECK(invert_options_stations(options, inversion->choices, &inversion->choice_count));
    CHECK(invert_given_read(options, inversion->choices, inversion->choice_count, &inversion->is_as_fitted));
    CHECK(database_open(options->database, &inversion->database));
    CHECK(options->slips ? read_slips(inversion) : choose_sources(inversion));
    CHECK(invert_data_read(inversion->database, inversion->sources, inversion->source_count,
                           inversion->choices, inversion->choice_count, options->origin, options->far_field_m,
                           options->memory_bytes, &inversion->data));
    inversion->request = (struct invert_request){.source_count = inversion->source_count,
                                                 .source_names = inversion->data.source_names,
                                                 .station_count = inversion->choice_count,
                                                 .stations = inversion->data.stations,
                                                 .delay_s = isnan(options->delay_s) ? 0 : options->delay_s,
                                                 .shift = options->shift,
                                                 .damping = options->damping,
                                                 .has_offsets = options->has_offsets};
    return STATUS_OK;
}

// Of the sources with slip, from NOAA's table.
static enum status find_magnitude(struct inversion *inversion, double *magnitude)
{
    const char **names = inversion->slipping;
    double *slips_m = inversion->slipping_m;
    char path[PATH_BYTES];
    struct fault_table table;
    size_t count = 0;
    *magnitude = NAN;
    for (size_t j = 0; j < inversion->source_count; j++)
        if (inversion->result.slips_m[j] != 0) {
            names[count] = inversion->request.source_names[j];
            slips_m[count++] = inversion->result.slips_m[j];
        }
    if (!inversion->options.table || count == 0)
        return STATUS_OK;
    CHECK_ABOUT(path_find(inversion->options.table, NULL, path), "--table");
    CHECK_ABOUT(fault_table_read_sift(path, names, slips_m, count, &table), "--table");
    *magnitude = fault_table_magnitude(&table, inversion->options.rigidity_pa);
    fault_table_free(&table);
    return STATUS_OK;
}

// ---- results

static enum status write_slips(const struct inversion *inversion, const struct cJSON *fit, const char *path)
{
    struct slip_list list = {.slips = calloc(inversion->source_count, sizeof *list.slips)};
    if (!list.slips)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory", path);
    for (size_t j = 0; j < inversion->source_count; j++)
        if (inversion->result.slips_m[j] != 0) {
            struct slip *slip = &list.slips[list.count++];
            snprintf(slip->name, sizeof slip->name, "%s", inversion->request.source_names[j]);
            slip->slip_m = inversion->result.slips_m[j];
        }
    enum status status = STATUS_OK;
    for (size_t k = 0; k < list.count && status == STATUS_OK; k++)
        if (!(fabs(list.slips[k].slip_m) <= SLIPS_LARGEST_M))
            status = FAIL(STATUS_DATA,
                          "%s gets a slip of %g m: the observations do not determine it, choose other "
                          "sources, stations, windows or damping",
                          list.slips[k].name, list.slips[k].slip_m);
    if (status == STATUS_OK && list.count == 0)
        status = FAIL(STATUS_DATA, "no unit source helps to explain the records: all slips are 0");
    if (status == STATUS_OK)
        status =
            slips_write(path, &list, "Slips of unit sources fitted to observations by fathom invert", fit);
    free(list.slips);
    return status;
}

static enum status print_json(const struct inversion *inversion, struct cJSON *fit)
{
    cJSON *all = cJSON_CreateObject(), *slips = cJSON_AddObjectToObject(all, "slips");
    for (size_t j = 0; j < inversion->source_count; j++)
        if (inversion->result.slips_m[j] != 0)
            cJSON_AddNumberToObject(slips, inversion->request.source_names[j], inversion->result.slips_m[j]);
    cJSON_AddItemReferenceToObject(all, "fit", fit);
    return options_print_json(all);
}

// If the picture cannot be drawn, a warning is logged and the slips are kept.
static void draw(const struct inversion *inversion, const struct invert_report *report)
{
    if (inversion->options.has_no_picture ||
        invert_draw(report, inversion->options.output, "series.png") == STATUS_OK)
        return;
    fprintf(stderr, "fathom: invert: no picture: %s\n", status_message());
    status_clear();
}

static enum status write_results(const struct inversion *inversion, const struct invert_report *report,
                                 struct cJSON *fit)
{
    char path[PATH_BYTES + 16];
    const char *folder = inversion->options.output;
    invert_warn(report);
    CHECK(path_make_directory(folder));
    if (!report->is_given) {
        snprintf(path, sizeof path, "%s/slips.json", folder);
        CHECK(write_slips(inversion, fit, path));
    }
    snprintf(path, sizeof path, "%s/series.csv", folder);
    CHECK(invert_write_csv(report, path));
    draw(inversion, report);
    if (inversion->options.as_json)
        return print_json(inversion, fit);
    invert_print_text(report);
    invert_print_left_out(report);
    printf("Results in %s\n", folder);
    return STATUS_OK;
}

static enum status invert(struct inversion *inversion)
{
    struct invert_report report = {.database = inversion->options.database,
                                   .request = &inversion->request,
                                   .data = &inversion->data,
                                   .choices = inversion->choices,
                                   .result = &inversion->result,
                                   .left_out = inversion->left_out,
                                   .is_given = inversion->options.slips != NULL,
                                   .rigidity_pa = inversion->options.rigidity_pa};
    CHECK(read_all(inversion));
    CHECK(report.is_given ? invert_evaluate(&inversion->request, inversion->given_m, &inversion->result)
                          : invert_solve(&inversion->request, &inversion->result));
    if (!report.is_given)
        CHECK(invert_leave_out(&inversion->request, &inversion->result, inversion->left_out));
    report.is_as_fitted = inversion->is_as_fitted;
    CHECK(find_magnitude(inversion, &report.magnitude));
    cJSON *fit = invert_fit_json(&report);
    const enum status status = fit ? write_results(inversion, &report, fit)
                                   : FAIL(STATUS_SYSTEM, "no memory for the result as JSON");
    cJSON_Delete(fit);
    return status;
}

int command_invert(int argc, char **argv)
{
    struct inversion *inversion = calloc(1, sizeof *inversion);
    int code = status_exit_code(STATUS_SYSTEM);
    if (!inversion) {
        fputs("fathom: no memory for the command line\n", stderr);
        return code;
    }
    if (invert_options_read(argc, argv, &inversion->options, &code)) {
        const enum status status = invert(inversion);
        fflush(stdout);
        code = status == STATUS_OK ? 0 : options_report_failure(status);
    }
    invert_free(&inversion->request, &inversion->result);
    invert_data_free(&inversion->data);
    database_close(inversion->database);
    free(inversion);
    return code;
}
