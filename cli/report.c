// `fathom report`: draws the result folder of a run, and makes one self-contained page of it.
// Options alone: reading, drawing and the page are in report/.
#include "report/context.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "core/log.h"
#include "report/timings/timings.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE_LEAST_PX = 400, SIDE_MOST_PX = 8000 };

static const char usage[] =
    "Usage: fathom report DIR [OPTIONS]\n"
    "       fathom report DIR DIR … [OPTIONS]\n"
    "       fathom report --bench FILE.json … [OPTIONS]\n"
    "\n"
    "Draws the results of a run in the folder DIR:\n"
    "  tsunami   largest elevation, arrival times with isochrones, snapshots, the source, gauges against\n"
    "            observations, mass and energy\n"
    "  bioheat   slices of the largest temperature and of the thermal dose through the hottest cell,\n"
    "            snapshots, sensors, temperature and dose of each tissue\n"
    "  nbody     positions at several times, energy and radii, conserved quantities\n"
    "  gas       particles in their box at four times, energy, temperature, pressure, clusters, structure\n"
    "  ising     energy, magnetisation, specific heat, susceptibility and Binder cumulant against the\n"
    "            inverse temperature beside the exact curves, spins, series, autocorrelation, correlations.\n"
    "            Several runs are drawn together in DIR/together.html of the first: all sizes, their\n"
    "            scaling, and the difference of two runs of one lattice\n"
    "Pictures are written to DIR/pictures. One page, DIR/report.html, holds all of them with tables of\n"
    "the run. It needs no other file and no network: it can be mailed, printed, or read on a telephone.\n"
    "Figures whose data the folder does not hold are left out. Where Debian's libjs-leaflet and\n"
    "libjs-chart.js are installed, a tsunami's page has a map with layers and a slider for the time, and\n"
    "the gauges' series with their values; the page of heat in tissue has profiles and series. Its planes\n"
    "through the volume, with sliders for the place and the time, need neither.\n"
    "\n"
    "With --bench it draws what fathom bench MODEL --json has written, FILE.json as FILE.png and, where one\n"
    "page is not enough, FILE-2.png …: times and rates over sizes with the machine's limits, the authors'\n"
    "times and where one method becomes faster than another; speed-up and efficiency over threads; shapes\n"
    "of blocks; the authors' figures beside those of this machine.\n"
    "\n"
    "  -o, --output FILE.html    write the page to this file; with --bench, the picture of one FILE.json\n"
    "  -s, --size WxH            size of the largest picture in pixels, 400x400 to 8000x8000 (default:\n"
    "                            1600x1000); with --bench the height follows from what is shown\n"
    "      --bench               draw timings: the arguments are files of fathom bench MODEL --json\n"
    "      --observations DIR    look also here for the observed records that the job's gauges name (two\n"
    "                            columns: s after the event, m)\n"
    "      --far-field DEPTH     tsunami: correct the gauges' series for the delay of waves on their way\n"
    "                            over an ocean of that depth, as \"4 km\"\n"
    "      --scale LENGTH        tsunami: let the colours of all elevations end there, as \"2 m\", so that\n"
    "                            scenarios can be compared\n"
    "      --anatomy FILE        bioheat: show this anatomical image (.nii, .nii.gz, or a volume in netCDF)\n"
    "                            behind the temperature and the dose, by its position\n"
    "      --animation           tsunami: draw the frames of fields.nc also as pictures/animation.webp\n"
    "      --beside DIR          gas: show the positions and velocities at the end of this other run too\n"
    "      --no-html             pictures only\n"
    "  -q, --quiet               do not print what was drawn: only warnings and errors\n"
    "      --json                print what was drawn, with the figures of every gauge, as JSON\n"
    "  -h, --help                print this text\n"
    "\n"
    "Examples:\n"
    "  fathom report tohoku2011\n"
    "  fathom report head-hyperthermia --anatomy T1.nii.gz\n"
    "  fathom report tohoku2011 --observations records --output tohoku2011.html --size 2400x1500\n"
    "  fathom report gas-walls-a-priori --beside gas-walls-corrected\n"
    "  fathom report L8 L16 L32 L64 --output study.html\n"
    "  fathom bench gas --table sizes --json > gas-sizes.json; fathom report --bench gas-sizes.json\n"
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

static enum status take_far_field(void *context, const char *name, const char *text)
{
    return options_far_field(name, text, &((struct report_options *)context)->far_field_m);
}

static enum status take_scale(void *context, const char *name, const char *text)
{
    struct report_options *options = context;
    enum { SCALE_M_MAX = 10000 };
    CHECK(options_quantity(name, text, "m", &options->scale_m));
    if (!(options->scale_m > 0) || options->scale_m > SCALE_M_MAX)
        return FAIL(STATUS_USAGE, "--%s %.80s: expected a length up to 10 km, like \"2 m\"", name, text);
    return STATUS_OK;
}

// A result of a run, or a file of timings, that is named by mistake must not become a page or a picture.
static enum status check_ending(const char *output, const char *ending)
{
    const size_t length = output ? strlen(output) : 0, end = strlen(ending);
    if (output && (length <= end || strcmp(output + length - end, ending) != 0))
        return FAIL(STATUS_USAGE, "--output %s: expected a name that ends in %s", output, ending);
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
    if (options->anatomy && !options->html)
        return FAIL(STATUS_USAGE,
                    "--anatomy shows an image on the page, and --no-html leaves it out: use one of them");
    if (options->output && !options->html)
        return FAIL(STATUS_USAGE, "--output names the page, and --no-html leaves it out: use one of them");
    return check_ending(options->output, ".html");
}

static enum status print_summary(const struct report *report, const char *page)
{
    printf("%zu pictures in %s\n", report->picture_count, report->pictures_directory);
    if (report->options.has_animation)
        printf("%s/animation.webp\n", report->pictures_directory);
    if (report->options.html)
        printf("%s\n", page);
    return fflush(stdout) == 0 ? STATUS_OK : FAIL(STATUS_IO, "report: standard output cannot be written");
}

// ---- timings

// Files as pictures. All options but those that the timings share belong to the results of a run.
static enum status check_bench(int argc, const struct report_options *options, bool has_no_page)
{
    const char *alien = options->observations      ? "observations"
                        : options->anatomy         ? "anatomy"
                        : options->beside          ? "beside"
                        : options->far_field_m > 0 ? "far-field"
                        : options->scale_m > 0     ? "scale"
                        : options->has_animation   ? "animation"
                        : has_no_page              ? "no-html"
                                                   : NULL;
    if (optind == argc)
        return FAIL(STATUS_USAGE, "no file of timings given: fathom report --bench FILE.json");
    if (alien)
        return FAIL(STATUS_USAGE,
                    "--%s is for the results of a run, and --bench draws timings: use one of them", alien);
    if (options->output && argc - optind > 1)
        return FAIL(STATUS_USAGE, "--output names one picture, and %d files are given", argc - optind);
    return check_ending(options->output, ".png");
}

static void tell_picture(const struct timings_picture *picture, const char *file, cJSON *list, bool is_quiet)
{
    if (list) {
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "file", picture->path);
        cJSON_AddStringToObject(item, "from", file);
        cJSON_AddNumberToObject(item, "width_px", picture->width_px);
        cJSON_AddNumberToObject(item, "height_px", picture->height_px);
    } else if (!is_quiet) {
        printf("%s\n", picture->path);
    }
}

// The pictures of a file; none of one in which nothing was timed, as `fathom bench` may write and be content.
static enum status draw_file(const char *file, const struct report_options *options, cJSON *list,
                             bool is_quiet)
{
    struct timings_picture pictures[TIMINGS_PICTURES_MAX];
    size_t count;
    CHECK(timings_draw(file, options->output, options->width_px, pictures, &count));
    for (size_t k = 0; k < count; k++)
        tell_picture(&pictures[k], file, list, is_quiet);
    if (count == 0)
        log_warning("%s: nothing in it was timed, so no picture is drawn", file);
    return STATUS_OK;
}

static enum status draw_timings(int count, char **files, const struct report_options *options, bool is_quiet)
{
    cJSON *document = options->json ? cJSON_CreateObject() : NULL,
          *list = document ? cJSON_AddArrayToObject(document, "pictures") : NULL;
    enum status status = STATUS_OK;
    for (int k = 0; k < count && status == STATUS_OK; k++)
        status = draw_file(files[k], options, list, is_quiet);
    if (document && status == STATUS_OK)
        return options_print_json(document);
    cJSON_Delete(document);
    if (status == STATUS_OK && fflush(stdout) != 0)
        return FAIL(STATUS_IO, "report: standard output cannot be written");
    return status;
}

int command_report(int argc, char **argv)
{
    struct report_options options = {.width_px = 1600, .height_px = 1000};
    bool has_no_page = false, is_quiet = false, is_bench = false;
    const struct option_row rows[] = {{"output", 'o', .text = &options.output},
                                      {"size", 's', .take = take_size},
                                      {"bench", .flag = &is_bench},
                                      {"observations", .text = &options.observations},
                                      {"far-field", .take = take_far_field},
                                      {"scale", .take = take_scale},
                                      {"animation", .flag = &options.has_animation},
                                      {"anatomy", .text = &options.anatomy},
                                      {"beside", .text = &options.beside},
                                      {"no-html", .flag = &has_no_page},
                                      {"quiet", 'q', .flag = &is_quiet},
                                      {"json", .flag = &options.json},
                                      {NULL}};
    int code;
    if (!options_read(argc, argv, usage, rows, &options, &code))
        return code;
    signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a write error with a message
    options.html = !has_no_page;
    enum status status =
        is_bench ? check_bench(argc, &options, has_no_page) : take_folders(argc, argv, &options);
    if (status == STATUS_OK && is_bench)
        status = draw_timings(argc - optind, argv + optind, &options, is_quiet);
    if (status != STATUS_OK || is_bench)
        return status == STATUS_OK ? 0 : options_report_failure(status);
    struct report *report = calloc(1, sizeof *report);
    if (!report)
        return options_report_failure(FAIL(STATUS_SYSTEM, "report: not enough memory"));
    report->options = options;
    char page[REPORT_PATH_BYTES] = "";
    status = report_create(report, page);
    if (status == STATUS_OK && (options.json || !is_quiet))
        status = options.json ? report_print_json(report, page) : print_summary(report, page);
    report_release(report);
    free(report);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
