// `fathom report`: draws the result folder of a run, and makes one self-contained page of it.
// Options and the order of the work; reading, drawing and the page are in report/. Needs gnuplot, no
// model.
#include "report/context.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "io/json_file.h"
#include "io/path.h"
#include "report/plot.h"
#include "report/style.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUN_JSON_BYTES_MAX = 64 << 20, SIDE_LEAST_PX = 400, SIDE_MOST_PX = 8000 };

static const char usage[] =
    "Usage: fathom report DIR [OPTIONS]\n"
    "       fathom report DIR DIR … [OPTIONS]\n"
    "\n"
    "Draws the results of a run in the folder DIR:\n"
    "  tsunami   largest elevation, arrival times with isochrones, snapshots, the source, gauges against\n"
    "            observations, mass and energy\n"
    "  bioheat   slices of the largest temperature and of the thermal dose through the hottest cell,\n"
    "            snapshots, sensors, temperature and dose of each tissue\n"
    "  nbody     positions at several times, energy and radii, conserved quantities\n"
    "  gas       particles in their box at four times, energy, temperature, pressure, clusters, structure\n"
    "  ising     energy, magnetisation, specific heat, susceptibility and Binder cumulant against the\n"
    "  inverse\n"
    "            temperature beside the exact curves, spins, series, autocorrelation, correlations.\n"
    "            Several runs are drawn together in DIR/together.html of the first: all sizes, their\n"
    "            scaling, and the difference of two runs of one lattice\n"
    "Pictures are written to DIR/pictures. One page, DIR/report.html, holds all of them with tables of\n"
    "the run. It needs no other file: it can be mailed, printed, or read on a telephone. Figures whose\n"
    "data the folder does not hold are left out.\n"
    "\n"
    "  -o, --output FILE.html    write the page to this file\n"
    "  -s, --size WxH            size of the largest picture in pixels, 400x400 to 8000x8000 (default:\n"
    "                            1600x1000)\n"
    "      --observations DIR    look also here for the observed records that the job's gauges name (two\n"
    "                            columns: s after the event, m)\n"
    "      --beside DIR          gas: show the positions and velocities at the end of this other run too\n"
    "      --no-html             pictures only\n"
    "      --json                print what was drawn, with the figures of every gauge, as JSON\n"
    "  -h, --help                print this text\n"
    "\n"
    "Examples:\n"
    "  fathom report tohoku2011\n"
    "  fathom report head-hyperthermia\n"
    "  fathom report tohoku2011 --observations records --output tohoku2011.html --size 2400x1500\n"
    "  fathom report gas-walls-a-priori --beside gas-walls-corrected\n"
    "  fathom report L8 L16 L32 L64 --output study.html\n"
    "  fathom report tohoku2011 --no-html --json | jq '.gauges[] | [.name, .first_peak_m]'\n"
    "\n"
    "Needs gnuplot with pngcairo (Debian: gnuplot-nox).\n";

static enum status take_size(void *context, const char *name, const char *text)
{
    struct report_options *options = context;
    int width, height, end = 0;
    if (sscanf(text, "%dx%d%n", &width, &height, &end) != 2 || text[end] != '\0' || width < SIDE_LEAST_PX ||
        width > SIDE_MOST_PX || height < SIDE_LEAST_PX || height > SIDE_MOST_PX)
        return FAIL(STATUS_USAGE,
                    "--%s %s: expected WIDTHxHEIGHT in pixels, from %dx%d to %dx%d, like 1600x1000", name,
                    text, (int)SIDE_LEAST_PX, (int)SIDE_LEAST_PX, (int)SIDE_MOST_PX, (int)SIDE_MOST_PX);
    options->width_px = width;
    options->height_px = height;
    return STATUS_OK;
}

static enum status take_folders(int argc, char **argv, struct report_options *options)
{
    if (optind == argc)
        return FAIL(STATUS_USAGE, "no result folder given: fathom report DIR");
    options->directory = argv[optind];
    options->others = (const char *const *)argv + optind + 1;
    options->other_count = (size_t)(argc - optind - 1);
    if (options->other_count >= REPORT_FOLDERS_MAX)
        return FAIL(STATUS_USAGE, "%d folders given: at most %d are drawn together", argc - optind,
                    (int)REPORT_FOLDERS_MAX);
    if (options->output && !options->html)
        return FAIL(STATUS_USAGE, "--output names the page, and --no-html leaves it out: use one of them");
    return STATUS_OK;
}

// run.json may be missing (results made elsewhere), but a damaged one is said.
static enum status read_run(struct report *report)
{
    char path[REPORT_PATH_BYTES];
    snprintf(path, sizeof path, "%s/run.json", report->options.directory);
    if (access(path, F_OK) != 0) {
        report_warn(report, "%s: not there; the page has no table of the run", path);
        return STATUS_OK;
    }
    CHECK(json_file_read(path, RUN_JSON_BYTES_MAX, &report->run));
    return cJSON_IsObject(report->run) ? STATUS_OK : FAIL(STATUS_DATA, "%s: expected an object", path);
}

// Degrees or metres, by any map, else by the gauges.
static void note_geometry(struct report *report)
{
    const struct report_grid *grid = report_outermost(report);
    const struct result_file *files[] = {grid->maxima, grid->fields, grid->deformation, grid->gauges};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const struct result_variable *lon = result_find(files[k], "lon");
        if (lon && strncmp(lon->units, "degree", 6) == 0)
            report->is_geographic = true;
    }
}

// The gauges' arrivals are those of the map with the lowest threshold. Without a map it is 1 cm, far above
// rounding errors.
static enum status note_threshold(struct report *report)
{
    report->arrival_threshold_m = 0.01;
    const struct result_file *maxima = report_outermost(report)->maxima;
    const struct result_variable *threshold = result_find(maxima, "threshold");
    if (!threshold || threshold->rank != 1 || threshold->lengths[0] == 0)
        return STATUS_OK;
    double *values_m;
    size_t count;
    CHECK(result_read_all(maxima, "threshold", &values_m, &count));
    report->arrival_threshold_m = values_m[0];
    for (size_t k = 1; k < count; k++)
        report->arrival_threshold_m = fmin(report->arrival_threshold_m, values_m[k]);
    free(values_m);
    return STATUS_OK;
}

static enum status make_directories(struct report *report)
{
    if (snprintf(report->pictures_directory, sizeof report->pictures_directory, "%s/pictures",
                 report->options.directory) >= (int)sizeof report->pictures_directory - 80)
        return FAIL(STATUS_NO_INPUT, "%s: the path is too long", report->options.directory);
    return path_make_directory(report->pictures_directory);
}

// By run.json; by a variable that only that model has where that is missing.
static bool is_model(struct report *report, const char *name, const char *diagnostic)
{
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(report->run, "model");
    return cJSON_IsString(model) ? strcmp(model->valuestring, name) == 0
                                 : result_find(report_outermost(report)->diagnostics, diagnostic) != NULL;
}

static void note_model(struct report *report)
{
    const cJSON *units = cJSON_GetObjectItemCaseSensitive(report->run, "units"),
                *system = cJSON_GetObjectItemCaseSensitive(units, "system");
    report->heat.is_heat = is_model(report, "bioheat", "largest_temperature");
    report->nbody.is_nbody = is_model(report, "nbody", "lagrangian_radius");
    report->gas.is_gas = is_model(report, "gas", "pressure");
    report->ising.is_ising = report->run ? strcmp(report_json_text(report->run, "model"), "ising") == 0
                                         : report_has_ising_results(report->options.directory);
    const struct result_variable *radius =
        result_find(report_outermost(report)->diagnostics, "lagrangian_radius");
    report->nbody.is_si = cJSON_IsString(system) ? strcmp(system->valuestring, "si") == 0
                                                 : radius && strcmp(radius->units, "m") == 0;
}

static enum status draw_waves(struct report *report)
{
    CHECK(report_read_gauges(report));
    CHECK(report_draw_maps(report));
    CHECK(report_draw_floods(report));
    return report_draw_gauges(report);
}

// Folders of the Ising model are drawn together, another one is shown beside a gas.
static enum status check_folders(const struct report *report)
{
    const struct report_options *options = &report->options;
    if (options->other_count > 0 && !report->ising.is_ising)
        return FAIL(STATUS_USAGE,
                    "more than one folder given, and %s is not a run of the Ising model: only such runs are "
                    "drawn together",
                    options->directory);
    if (options->beside && !report->gas.is_gas)
        return FAIL(STATUS_USAGE, "--beside %s: only the report of a gas run shows another one beside it",
                    options->beside);
    return STATUS_OK;
}

static enum status draw_model(struct report *report)
{
    CHECK(check_folders(report));
    if (report->nbody.is_nbody)
        return report_draw_nbody(report);
    if (report->ising.is_ising)
        return report_draw_ising(report);
    if (report->gas.is_gas)
        return report_draw_gas(report);
    CHECK(report->heat.is_heat ? report_draw_heat(report) : draw_waves(report));
    return report_draw_diagnostics(report);
}

static enum status make_report(struct report *report, char page[REPORT_PATH_BYTES])
{
    const char *directory = report->options.directory;
    struct stat about;
    if (stat(directory, &about) != 0)
        return FAIL(STATUS_NO_INPUT, "%s: %s", directory, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return FAIL(STATUS_NO_INPUT, "%s: expected the folder that a run wrote, not a file", directory);
    CHECK(plot_check_gnuplot());
    CHECK(report_open_outermost(report));
    CHECK(read_run(report));
    note_model(report);
    CHECK(report_open_nested(report));
    note_geometry(report);
    CHECK(note_threshold(report));
    CHECK(make_directories(report));
    CHECK(draw_model(report));
    if (report->picture_count == 0)
        return FAIL(STATUS_DATA, "%s: its files hold nothing that can be drawn", directory);
    if (!report->options.html)
        return STATUS_OK;
    const char *name = report->options.other_count > 0 ? "together" : "report";
    int length = report->options.output ? snprintf(page, REPORT_PATH_BYTES, "%s", report->options.output)
                                        : snprintf(page, REPORT_PATH_BYTES, "%s/%s.html", directory, name);
    if (length >= REPORT_PATH_BYTES - 16)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long", directory);
    return report_write_page(report, page);
}

static enum status print_summary(const struct report *report, const char *page)
{
    printf("%zu pictures in %s\n", report->picture_count, report->pictures_directory);
    if (report->options.html)
        printf("%s\n", page);
    return fflush(stdout) == 0 ? STATUS_OK : FAIL(STATUS_IO, "report: standard output cannot be written");
}

static void release(struct report *report)
{
    report_free_gauges(report);
    report_free_ising(report);
    report_close_grids(report);
    cJSON_Delete(report->run);
    free(report);
}

int command_report(int argc, char **argv)
{
    struct report_options options = {.width_px = 1600, .height_px = 1000};
    bool has_no_page = false;
    const struct option_row rows[] = {{"output", 'o', .text = &options.output},
                                      {"size", 's', .take = take_size},
                                      {"observations", .text = &options.observations},
                                      {"beside", .text = &options.beside},
                                      {"no-html", .flag = &has_no_page},
                                      {"json", .flag = &options.json},
                                      {NULL}};
    int code;
    if (!options_read(argc, argv, usage, rows, &options, &code))
        return code;
    options.html = !has_no_page;
    enum status status = take_folders(argc, argv, &options);
    if (status != STATUS_OK)
        return options_report_failure(status);
    struct report *report = calloc(1, sizeof *report);
    if (!report)
        return options_report_failure(FAIL(STATUS_SYSTEM, "report: not enough memory"));
    report->options = options;
    report->volume_change = NAN;
    report->nbody = (struct report_nbody){
        .energy_change = NAN, .momentum_change = NAN, .angular_change = NAN, .virial_ratio = NAN};
    report->gas = (struct report_gas){.energy_change = NAN,
                                      .energy_drift = NAN,
                                      .temperature = NAN,
                                      .temperature_error = NAN,
                                      .pressure = NAN,
                                      .pressure_error = NAN,
                                      .potential = NAN,
                                      .potential_error = NAN,
                                      .first_largest_cluster = NAN,
                                      .largest_cluster = NAN,
                                      .peak_radius = NAN,
                                      .peak = NAN,
                                      .limited = NAN};
    report->heat =
        (struct report_heat){.largest_c = NAN, .place_mm = {NAN, NAN, NAN}, .at_s = NAN, .end_c = NAN};
    char page[REPORT_PATH_BYTES] = "";
    status = make_report(report, page);
    if (status == STATUS_OK)
        status = options.json ? report_print_json(report, page) : print_summary(report, page);
    release(report);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
