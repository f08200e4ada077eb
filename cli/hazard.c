// `fathom hazard`: the statistics of a batch's runs as an ensemble. Who the members are is batch/members.h,
// the statistics are models/tsunami/hazard/, the page is report/hazard/; here are the options and run.json.
#include "models/tsunami/hazard/hazard.h"
#include "batch/members.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/log.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/path.h"
#include "io/units.h"
#include "models/tsunami/export/notice.h"
#include "report/context.h"
#include "report/drawn.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom hazard BATCH [OPTIONS]\n"
    "\n"
    "Turns the runs of a batch into probabilities: how high the waves become, and when they come, with "
    "which\n"
    "share of the runs' weight. BATCH is the folder of the batch's results, or its queue. Its runs are the\n"
    "members of an ensemble: one area, many sources. It may have been stopped; runs that did not pass are\n"
    "named and left out, and the weights of the others are divided by their sum.\n"
    "\n"
    "Of each member are read: maxima.nc (output.maxima, output.arrival of the job), points.nc\n"
    "(output.points), zones.nc (output.zones) and gauges.nc (output.gauges). All must have the same grid,\n"
    "points, zones and times.\n"
    "\n"
    "Results, in BATCH/hazard:\n"
    "  ensemble.nc         maps, points and series: mean, percentiles 5, 15, 50, 85, 95, the probability "
    "that\n"
    "                      each threshold is exceeded, earliest and median arrival; all members' values at\n"
    "                      points. Of a nested grid: NAME.ensemble.nc\n"
    "  hazard_points.csv   the points' percentiles and probabilities, and the probability of each threat "
    "level\n"
    "  exceedance.csv      the exceedance curves of the points\n"
    "  hazard_zones.csv    as hazard_points.csv, for forecast zones\n"
    "  hazard.html         all of it on one page with maps, which needs no other file; pictures/*.png\n"
    "  run.json            members, weights, who was left out and why, for programs\n"
    "\n"
    "  -o, --output DIR        another folder for the results\n"
    "      --entry NAME        only the runs of this entry of the queue: NAME, NAME-0001, NAME-0002, ...\n"
    "      --leave-out NAMES   leave these runs out, \"NAME,NAME\"\n"
    "      --threshold LIST    heights for probabilities and threat, \"0.3 m, 1 m, 3 m\" (default: the "
    "threat\n"
    "                          levels of the runs' points or zones)\n"
    "      --quantiles HOW     of maps: exact (from all members' values), histogram (less memory where "
    "there\n"
    "                          are more than some 2000 members; percentiles to 1 %, see docs/hazard.md), or\n"
    "                          auto: whatever needs less memory\n"
    "      --memory AMOUNT     memory limit, as \"4 GB\" (default: 1 GiB). Less memory: more passes over "
    "the\n"
    "                          files\n"
    "      --observations DIR  look also here for the records that the runs' gauges name: the page has the "
    "largest\n"
    "                          observed elevation beside the percentiles\n"
    "      --title TEXT        title of page and files (default: the batch's)\n"
    "      --no-html           no page and no pictures\n"
    "      --json              print run.json\n"
    "  -h, --help              print this text\n"
    "\n"
    "A percentile is the inverse of the weighted distribution: the smallest value up to which the members\n"
    "have at least that share of the weight. Where no wave came the height is 0.\n"
    "\n"
    "Examples:\n"
    "  fathom batch maule.json && fathom hazard maule-results\n"
    "  fathom hazard maule.json --entry mw88 --threshold \"0.3 m, 1 m, 3 m, 10 m\" -o mw88-hazard\n"
    "  ncdump -v coastal_height_percentile maule-results/hazard/ensemble.nc\n"
    "\n"
    "Exit status: 0 done; 64 wrong command line; 65 results that are damaged or do not fit together, "
    "weights\n"
    "that do not sum to 1; 66 no batch, or results are missing; 71 not enough memory, or no gnuplot for the\n"
    "pictures; 73 the folder cannot be created, or holds other results; 74 a full disk; 78 the memory limit "
    "is\n"
    "too small.\n";

static const char program[] = "Fathom " FATHOM_VERSION;

struct command {
    struct hazard_request request;
    struct hazard_result result;
    struct batch_members batch;
    const char *entry, *leave_out, *output, *title, *observations;
    bool has_no_page, as_json;
    char directory[PATH_BYTES], history[2048];
    struct hazard_member *members; // with results
    char (*folders)[PATH_BYTES];   // theirs
};

// ---- options

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static enum status take_thresholds(void *context, const char *name, const char *value)
{
    struct hazard_request *request = &((struct command *)context)->request;
    char text[512], *rest = text;
    if (snprintf(text, sizeof text, "%s", value) >= (int)sizeof text)
        return FAIL(STATUS_USAGE, "--%s: the list is too long", name);
    request->threshold_count = 0;
    for (char *item; (item = strsep(&rest, ","));) {
        item += strspn(item, " ");
        if (request->threshold_count == HAZARD_THRESHOLDS_MAX)
            return FAIL(STATUS_USAGE, "--%s: at most %d heights", name, (int)HAZARD_THRESHOLDS_MAX);
        double *height_m = &request->thresholds_m[request->threshold_count++];
        CHECK(options_quantity(name, item, "m", height_m));
        if (!(*height_m > 0 && *height_m <= 1000))
            return FAIL(STATUS_USAGE, "--%s: \"%.80s\": expected heights above 0, to 1 km", name, item);
    }
    qsort(request->thresholds_m, request->threshold_count, sizeof(double), ascending);
    for (size_t k = 1; k < request->threshold_count; k++)
        // They name columns and layers by six digits.
        if (!(request->thresholds_m[k] > request->thresholds_m[k - 1] * (1 + 1e-5)))
            return FAIL(STATUS_USAGE, "--%s: %g m stands twice", name, request->thresholds_m[k]);
    return STATUS_OK;
}

static enum status take_memory(void *context, const char *name, const char *value)
{
    return options_bytes(name, value, &((struct command *)context)->request.memory_bytes);
}

static enum status take_quantiles(void *context, const char *name, const char *value)
{
    static const char *const words[] = {"auto", "exact", "histogram", NULL};
    int choice;
    CHECK(options_choice(name, value, words, &choice));
    ((struct command *)context)->request.quantiles = (enum hazard_quantiles)choice;
    return STATUS_OK;
}

static enum status take_leave_out(void *context, const char *name, const char *value)
{
    struct command *c = context;
    if (c->leave_out)
        return FAIL(STATUS_USAGE, "--%s may be given once: separate the names by commas", name);
    c->leave_out = value;
    return STATUS_OK;
}

static bool read_options(int argc, char **argv, struct command *c, int *code)
{
    const struct option_row rows[] = {{"output", 'o', .text = &c->output},
                                      {"entry", .text = &c->entry},
                                      {"leave-out", .take = take_leave_out},
                                      {"threshold", .take = take_thresholds},
                                      {"quantiles", .take = take_quantiles},
                                      {"memory", .take = take_memory},
                                      {"title", .text = &c->title},
                                      {"no-html", .flag = &c->has_no_page},
                                      {"observations", .text = &c->observations},
                                      {"json", .flag = &c->as_json},
                                      {NULL}};
    if (!options_read(argc, argv, help, rows, c, code))
        return false;
    enum status status = STATUS_OK;
    if (argc - optind != 1)
        status =
            FAIL(STATUS_USAGE, "hazard needs one BATCH, the folder of a batch's results or its queue; see "
                               "fathom hazard --help");
    else if (c->output && !c->output[0])
        status = FAIL(STATUS_USAGE, "--output must not be empty");
    if (status != STATUS_OK)
        *code = options_report_failure(status);
    return status == STATUS_OK;
}

// ---- members

static enum status leave_out(struct command *c)
{
    char text[4096], *rest = text;
    if (!c->leave_out)
        return STATUS_OK;
    if (snprintf(text, sizeof text, "%s", c->leave_out) >= (int)sizeof text)
        return FAIL(STATUS_USAGE, "--leave-out: the list is too long");
    for (char *name; (name = strsep(&rest, ", "));) {
        size_t k = 0;
        if (!name[0])
            continue;
        while (k < c->batch.count && strcmp(c->batch.list[k].name, name) != 0)
            k++;
        if (k == c->batch.count)
            return FAIL(STATUS_USAGE, "--leave-out: no run is called %.80s", name);
        struct batch_member *member = &c->batch.list[k];
        if (member->has_results)
            snprintf(member->reason, sizeof member->reason, "left out on request (--leave-out)");
        member->has_results = false;
    }
    return STATUS_OK;
}

// At most this many are named one by one; run.json and the page have all.
enum { NAMED_MAX = 10 };

static void warn_of_left_out(const struct command *c)
{
    size_t named = 0;
    for (size_t k = 0; k < c->batch.count && named < NAMED_MAX; k++)
        if (!c->batch.list[k].has_results) {
            log_warning("run %s is left out: %s", c->batch.list[k].name, c->batch.list[k].reason);
            named++;
        }
    if (c->request.left_out > named)
        log_warning("%zu more runs are left out: run.json names them", c->request.left_out - named);
}

static enum status gather(struct command *c)
{
    struct batch_members *batch = &c->batch;
    c->members = calloc(batch->count, sizeof *c->members);
    c->folders = calloc(batch->count, sizeof *c->folders);
    if (!c->members || !c->folders)
        return FAIL(STATUS_SYSTEM, "no memory for %zu members", batch->count);
    for (size_t k = 0; k < batch->count; k++) {
        const struct batch_member *member = &batch->list[k];
        c->request.weight += member->weight;
        if (!member->has_results)
            continue;
        const size_t at = c->request.member_count++;
        if (snprintf(c->folders[at], PATH_BYTES, "%s/%s", batch->directory, member->name) >= PATH_BYTES)
            return FAIL(STATUS_NO_INPUT, "%.80s...: the path is too long", batch->directory);
        c->members[at] =
            (struct hazard_member){member->name, c->folders[at], member->weight, member->settings};
    }
    c->request.members = c->members;
    c->request.left_out = batch->count - c->request.member_count;
    if (c->request.member_count == 0)
        return FAIL(STATUS_DATA, "%s: none of the %zu runs has results; the first, %s: %s", batch->directory,
                    batch->count, batch->list[0].name, batch->list[0].reason);
    warn_of_left_out(c);
    return STATUS_OK;
}

// ---- run.json

static void add_members(const struct command *c, cJSON *hazard)
{
    double sum = 0;
    cJSON *members = cJSON_AddArrayToObject(hazard, "members"),
          *left_out = cJSON_AddArrayToObject(hazard, "left_out");
    for (size_t k = 0; k < c->batch.count; k++)
        sum += c->batch.list[k].has_results ? c->batch.list[k].weight : 0;
    for (size_t k = 0; k < c->batch.count; k++) {
        const struct batch_member *member = &c->batch.list[k];
        cJSON *item = json_append_object(member->has_results ? members : left_out);
        cJSON_AddStringToObject(item, "name", member->name);
        cJSON_AddNumberToObject(item, "weight", member->weight);
        if (member->has_results)
            cJSON_AddNumberToObject(item, "weight_of_rest", member->weight / sum);
        else
            cJSON_AddStringToObject(item, "reason", member->reason);
    }
    cJSON_AddBoolToObject(hazard, "has_weights", c->batch.has_weights);
    cJSON_AddNumberToObject(hazard, "weight_of_members", c->result.weight / c->request.weight);
}

static void add_choices(const struct command *c, cJSON *hazard)
{
    const struct hazard_result *result = &c->result;
    cJSON_AddItemToObject(hazard, "percentiles",
                          cJSON_CreateDoubleArray(hazard_percentiles, HAZARD_PERCENTILES));
    cJSON_AddItemToObject(hazard, "thresholds_m",
                          cJSON_CreateDoubleArray(result->thresholds_m, (int)result->threshold_count));
    cJSON_AddStringToObject(hazard, "quantiles_of_maps",
                            result->quantiles == HAZARD_EXACT ? "exact" : "histogram");
    cJSON_AddNumberToObject(hazard, "percentile_relative_bound", result->relative_error);
    cJSON_AddNumberToObject(hazard, "percentile_absolute_bound_m", result->absolute_m);
    cJSON_AddNumberToObject(hazard, "arrival_median_bound_s", result->arrival_error_s);
    cJSON_AddNumberToObject(hazard, "points", (double)result->points);
    cJSON_AddNumberToObject(hazard, "zones", (double)result->zones);
    cJSON_AddNumberToObject(hazard, "gauges", (double)result->stations);
    cJSON_AddNumberToObject(hazard, "grids", (double)result->grids);
}

// Of the first member's run.json: the system of a plane's coordinates, and the records of the gauges. Without
// them nothing is compared.
static void add_of_first(const struct command *c, cJSON *report, cJSON *hazard)
{
    char path[PATH_BYTES + 16];
    cJSON *run = NULL;
    const cJSON *gauge;
    snprintf(path, sizeof path, "%s/run.json", c->members[0].folder);
    if (json_file_read(path, (size_t)64 << 20, &run) != STATUS_OK) {
        status_clear();
        return;
    }
    const char *crs = json_text(json_member(run, "grid"), "crs");
    if (crs[0])
        cJSON_AddStringToObject(cJSON_AddObjectToObject(report, "grid"), "crs", crs);
    cJSON *list = cJSON_AddArrayToObject(hazard, "observed");
    cJSON_ArrayForEach(gauge, cJSON_GetObjectItemCaseSensitive(run, "gauges"))
    {
        const cJSON *observed = cJSON_GetObjectItemCaseSensitive(gauge, "observed"),
                    *name = cJSON_GetObjectItemCaseSensitive(gauge, "name");
        if (!cJSON_IsObject(observed) || !cJSON_IsString(name))
            continue;
        cJSON *item = cJSON_Duplicate(observed, true);
        cJSON_AddStringToObject(item, "gauge", name->valuestring);
        cJSON_AddItemToArray(list, item);
    }
    cJSON_Delete(run);
}

static cJSON *describe(const struct command *c, const char *batch)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "program", program);
    cJSON_AddStringToObject(report, "title", c->request.title);
    cJSON_AddStringToObject(report, "model", "tsunami-hazard");
    cJSON_AddStringToObject(report, "history", c->history);
    cJSON_AddStringToObject(report, "batch", batch);
    cJSON_AddStringToObject(report, "notice", HAZARD_NOTICE);
    cJSON *hazard = cJSON_AddObjectToObject(report, "hazard");
    add_choices(c, hazard);
    add_members(c, hazard);
    add_of_first(c, report, hazard);
    cJSON *files = cJSON_AddArrayToObject(report, "files");
    for (size_t k = 0; k < c->result.file_count; k++)
        cJSON_AddItemToArray(files, cJSON_CreateString(c->result.files[k]));
    cJSON *memory = cJSON_AddObjectToObject(report, "memory");
    cJSON_AddNumberToObject(memory, "planned_bytes", (double)c->result.planned_bytes);
    cJSON_AddNumberToObject(memory, "passes_over_maps", (double)c->result.passes);
    cJSON *warnings = cJSON_AddArrayToObject(report, "warnings");
    for (size_t k = 0; k < log_warning_kept(); k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(log_warning_text(k)));
    return report;
}

static enum status add_sums(const struct command *c, cJSON *report)
{
    for (size_t k = 0; k < c->result.file_count; k++)
        CHECK(output_finished_add_small_sum(report, c->directory, c->result.files[k]));
    return STATUS_OK;
}

static enum status record(const struct command *c, const char *batch)
{
    char path[PATH_BYTES + 16];
    cJSON *report = describe(c, batch);
    snprintf(path, sizeof path, "%s/run.json", c->directory);
    enum status status =
        report ? add_sums(c, report) : FAIL(STATUS_SYSTEM, "%s: no memory to write it", path);
    if (status == STATUS_OK)
        status = json_file_write(path, report);
    if (status == STATUS_OK && c->as_json)
        return options_print_json(report); // deletes it
    cJSON_Delete(report);
    return status;
}

// ---- the page

static enum status draw(const struct command *c)
{
    char path[PATH_BYTES + 16], page[REPORT_PATH_BYTES] = "";
    snprintf(path, sizeof path, "%s/hazard.html", c->directory);
    struct report *report = calloc(1, sizeof *report);
    if (!report)
        return FAIL(STATUS_SYSTEM, "report: not enough memory");
    report->options = (struct report_options){.directory = c->directory,
                                              .output = path,
                                              .observations = c->observations,
                                              .width_px = 1600,
                                              .height_px = 1000,
                                              .html = true};
    const enum status status = report_create(report, page);
    report_release(report);
    free(report);
    return status;
}

static void print(const struct command *c)
{
    const struct hazard_result *result = &c->result;
    printf("%zu members", result->members);
    if (c->request.left_out > 0)
        printf(", of %.4g of all weight; %zu left out", result->weight / c->request.weight,
               c->request.left_out);
    static const char *const names[] = {"point", "zone", "gauge", "grid"};
    const size_t counts[] = {result->points, result->zones, result->stations, result->grids};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        printf("%s %zu %s%s", k == 0 ? ";" : ",", counts[k], names[k], counts[k] == 1 ? "" : "s");
    putchar('\n');
    for (size_t k = 0; k < result->file_count; k++)
        printf("%s/%s\n", c->directory, result->files[k]);
    if (!c->has_no_page)
        printf("%s/hazard.html\n", c->directory);
}

static enum status run(struct command *c, const char *batch)
{
    CHECK(batch_members_read(batch, c->entry, &c->batch));
    CHECK(leave_out(c));
    CHECK(gather(c));
    const int length = c->output ? snprintf(c->directory, PATH_BYTES, "%s", c->output)
                                 : snprintf(c->directory, PATH_BYTES, "%s/hazard", c->batch.directory);
    if (length >= PATH_BYTES - 32)
        return FAIL(STATUS_USAGE, "--output: the path is too long");
    c->request.directory = c->directory;
    c->request.title = c->title            ? c->title
                       : c->batch.title[0] ? c->batch.title
                                           : "Tsunami hazard of an ensemble";
    c->request.source = program;
    c->request.history = c->history;
    CHECK(hazard_make(&c->request, &c->result));
    if (c->result.lower_bound > 0)
        log_warning(
            "in %.3g %% of the members, by weight, all waves are too low, for the grid has too few nodes "
            "across the source: heights are lower bounds, and a small threat is no all-clear",
            100 * c->result.lower_bound);
    CHECK(report_drawn_remove(c->directory)); // they show earlier results
    CHECK(record(c, batch));
    if (!c->has_no_page)
        CHECK(draw(c));
    if (!c->as_json)
        print(c);
    return STATUS_OK;
}

int command_hazard(int argc, char **argv)
{
    static struct command command; // large
    int code;
    signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a write error with a message
    options_history(argc, argv, command.history, sizeof command.history);
    if (!read_options(argc, argv, &command, &code))
        return code;
    const enum status status = run(&command, argv[optind]);
    free(command.members);
    free(command.folders);
    batch_members_free(&command.batch);
    units_release();
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
