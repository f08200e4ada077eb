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
    "Draws the results of a run in the folder DIR. Of a tsunami: the largest elevation, arrival times with "
    "isochrones,\n"
    "snapshots, the source, gauges against observations, mass and energy. Of heat in tissue: slices of the "
    "largest\n"
    "temperature and of the thermal dose through the hottest cell, snapshots, sensors, and what each tissue "
    "got.\n"
    "Of N bodies: where they are at several times, energy and radii, what is conserved.\n"
    "Of a gas: the particles in their box at four times, energy, temperature, pressure and clusters, the "
    "structure.\n"
    "Of the Ising model: energy, magnetisation, specific heat, susceptibility and Binder cumulant against "
    "the "
    "inverse\n"
    "temperature beside the exact curves, spins, series, autocorrelation, correlations. Several runs of it "
    "are drawn "
    "together:\n"
    "all sizes, their scaling, and how far two runs of one lattice differ; the page is then "
    "DIR/together.html of "
    "the first.\n"
    "The pictures go to DIR/pictures, and all of them with tables of the run to one page, DIR/report.html, "
    "that needs\n"
    "nothing else: it can be mailed, printed, or read on a telephone. Whatever the folder does not hold is "
    "left out.\n"
    "\n"
    "  -o, --output FILE.html    write the page there instead\n"
    "  -s, --size WxH            pixels of the largest picture, 400x400 to 8000x8000 (default 1600x1000)\n"
    "      --observations DIR    look for the observed records of the gauges here too (two columns: s after "
    "the event,\n"
    "                            m; the files are those that the job's gauges name)\n"
    "      --beside DIR          of a gas: another run, whose places and velocities at the end are shown "
    "below this one's\n"
    "      --no-html             pictures only\n"
    "      --json                print what was drawn, and every gauge's figures, as JSON on standard "
    "output\n"
    "  -h, --help                this text\n"
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

static enum status parse_size(const char *text, struct report_options *options)
{
    int width, height, end = 0;
    if (sscanf(text, "%dx%d%n", &width, &height, &end) != 2 || text[end] != '\0' || width < SIDE_LEAST_PX ||
        width > SIDE_MOST_PX || height < SIDE_LEAST_PX || height > SIDE_MOST_PX)
        return FAIL(STATUS_USAGE,
                    "--size %s: expected WIDTHxHEIGHT in pixels, from %dx%d to %dx%d, like 1600x1000", text,
                    (int)SIDE_LEAST_PX, (int)SIDE_LEAST_PX, (int)SIDE_MOST_PX, (int)SIDE_MOST_PX);
    options->width_px = width;
    options->height_px = height;
    return STATUS_OK;
}

static enum status parse_options(int argc, char **argv, struct report_options *options, bool *wants_help)
{
    enum { OBSERVATIONS = 256, BESIDE, NO_HTML, JSON };
    static const struct option table[] = {
        {"output", required_argument, NULL, 'o'},
        {"size", required_argument, NULL, 's'},
        {"observations", required_argument, NULL, OBSERVATIONS},
        {"beside", required_argument, NULL, BESIDE},
        {"no-html", no_argument, NULL, NO_HTML},
        {"json", no_argument, NULL, JSON},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    *options = (struct report_options){.width_px = 1600, .height_px = 1000, .html = true};
    optind = 0; // starts afresh: the main program has parsed its own options
    for (int key; (key = options_next(argc, argv, "o:s:h", table)) != -1;) {
        switch (key) {
        case 'o':
            options->output = optarg;
            break;
        case 's':
            CHECK(parse_size(optarg, options));
            break;
        case OBSERVATIONS:
            options->observations = optarg;
            break;
        case BESIDE:
            options->beside = optarg;
            break;
        case NO_HTML:
            options->html = false;
            break;
        case JSON:
            options->json = true;
            break;
        case 'h':
            *wants_help = true;
            return STATUS_OK;
        default:
            return STATUS_USAGE; // the reason was said
        }
    }
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

// Degrees or metres: any map, else the gauges, tells.
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
        return FAIL(
            STATUS_USAGE,
            "more than one folder given, and %s is no run of the Ising model: only those are drawn together",
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

// A failure without a message has said its reason.
static int finish(enum status status)
{
    return status != STATUS_OK && status_message()[0] ? options_report_failure(status)
                                                      : status_exit_code(status);
}

int command_report(int argc, char **argv)
{
    struct report_options options;
    bool wants_help = false;
    enum status status = parse_options(argc, argv, &options, &wants_help);
    if (status == STATUS_OK && wants_help)
        return fputs(usage, stdout) < 0 ? finish(FAIL(STATUS_IO, "standard output cannot be written")) : 0;
    if (status != STATUS_OK)
        return finish(status);
    struct report *report = calloc(1, sizeof *report);
    if (!report)
        return finish(FAIL(STATUS_SYSTEM, "report: not enough memory"));
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
    return finish(status);
}
