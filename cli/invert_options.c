// Options of `fathom invert` (see invert_options.h).
#include "cli/invert_options.h"

#include "cli/options.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: fathom invert [OPTIONS] DATABASE --gauges LIST.json [--fit NAMES] [--forecast NAMES]\n"
    "       fathom invert [OPTIONS] DATABASE --observed FILE@LON,LAT[=NAME] ...\n"
    "\n"
    "Finds the slips of unit sources, none below 0, with which the sum of their waves is nearest to what "
    "buoys "
    "recorded\n"
    "(non-negative least squares). DATABASE is a folder of unit sources: results of fathom run or fathom "
    "batch, "
    "or NOAA's\n"
    "files NAME_ha.nc. Waves are taken from a source's gauges.nc, where it has a gauge of that name or "
    "place, "
    "else from\n"
    "its fields. The slips are what fathom combine and a job's source.sift.slips take.\n"
    "\n"
    "Stations, and what they recorded (metres; seconds after the event):\n"
    "      --gauges LIST.json      a list of gauges, as a job's output.gauges.file; \"observed\" names the "
    "records\n"
    "      --observations DIR      where those records lie\n"
    "      --fit NAME,...          stations of the list to fit (default: all that have a record)\n"
    "      --forecast NAME,...     stations that the sum is only compared with: they have no say\n"
    "      --observed FILE@PLACE   a record to fit, and where: LON,LAT or LON,LAT=NAME in degrees, or the "
    "NAME of "
    "a gauge\n"
    "                              of the database; text of two columns or netCDF, in netCDF's own units\n"
    "      --skip-lines N          lines of heading in the files of --observed\n"
    "      --origin DATE           the event, \"2011-03-11 05:46:24\", for netCDF files whose times have a "
    "date\n"
    "\n"
    "What is fitted:\n"
    "      --window [NAME=]BEGIN,END  part of the records, as \"21413=3600 s,6000 s\"; without NAME of all "
    "others; "
    "either end\n"
    "                              may be empty. Default: where the sources' first waves are, so that "
    "seismic "
    "waves before\n"
    "                              them are left out\n"
    "      --weight NAME=W         of a station's misfit (default 1)\n"
    "      --offsets               take from each record the constant with which it fits best (rest of the "
    "tide)\n"
    "      --sources PATTERN,...   unit sources to choose from, as 'kisz[ab]2?' (default: all, at most 256)\n"
    "      --delay TIME            the sources' waves begin so long after the event: half of a long "
    "rupture's "
    "duration\n"
    "      --damping X             keep slips small that are hardly determined: a share of the largest "
    "sensitivity, as 0.1\n"
    "      --slips FILE|NAME=SLIP,...  fit nothing: compare these slips with the records\n"
    "\n"
    "Results:\n"
    "  -o, --output DIR            slips.json, series.csv and series.png go there (default: inversion)\n"
    "      --table info_sz.dat     NOAA's table of unit sources: the moment magnitude is then stated\n"
    "      --rigidity PRESSURE     for it (default: 40 GPa)\n"
    "      --no-picture            no series.png\n"
    "      --json                  print the slips and the fit as JSON\n"
    "  -h, --help                  this text\n"
    "\n"
    "Examples:\n"
    "  fathom invert sift --gauges data/gauges/tohoku2011.json --observations records \\\n"
    "      --fit 21413,21419 --forecast 21418 --delay \"60 s\" -o tohoku\n"
    "  fathom combine --slips tohoku/slips.json sift -o forecast\n"
    "  fathom invert noaa --observed 21413.csv@152.123,30.528=21413 --skip-lines 1 --sources 'kisz[ab]2?'\n"
    "\n"
    "Exit status: 0 done; 64 wrong command line; 65 bad records or database; 66 a file cannot be opened; 73 "
    "DIR "
    "cannot be\n"
    "created; 74 reading or writing failed; 78 windows or sources that determine nothing.\n";

enum option_code {
    OPTION_GAUGES = 256,
    OPTION_OBSERVATIONS,
    OPTION_FIT,
    OPTION_FORECAST,
    OPTION_OBSERVED,
    OPTION_SKIP_LINES,
    OPTION_ORIGIN,
    OPTION_WINDOW,
    OPTION_WEIGHT,
    OPTION_OFFSETS,
    OPTION_SOURCES,
    OPTION_DELAY,
    OPTION_DAMPING,
    OPTION_SLIPS,
    OPTION_TABLE,
    OPTION_RIGIDITY,
    OPTION_NO_PICTURE,
    OPTION_JSON,
};

static enum status parse_number(const char *option, const char *text, double least, double most,
                                double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !(*value >= least && *value <= most))
        return FAIL(STATUS_USAGE, "--%s %s: expected a number from %g to %g", option, text, least, most);
    return STATUS_OK;
}

static enum status parse_quantity(const char *option, const char *text, const char *unit, double *value)
{
    const enum status status = units_parse_quantity(text, unit, value);
    if (status != STATUS_OK)
        return status_prefix(STATUS_USAGE, "--%s", option);
    return STATUS_OK;
}

static enum status add_text(const char *option, const char *text, struct invert_texts *texts)
{
    if (texts->count == INVERT_TEXTS_MAX)
        return FAIL(STATUS_USAGE, "--%s: more than %d times", option, INVERT_TEXTS_MAX);
    texts->texts[texts->count++] = text;
    return STATUS_OK;
}

static enum status take_number(int option, struct invert_options *options)
{
    switch (option) {
    case OPTION_DELAY:
        CHECK(parse_quantity("delay", optarg, "s", &options->delay_s));
        return fabs(options->delay_s) <= 86400
                   ? STATUS_OK
                   : FAIL(STATUS_USAGE, "--delay %s: expected at most a day", optarg);
    case OPTION_DAMPING:
        return parse_number("damping", optarg, 0, 1e6, &options->damping);
    default:
        CHECK(parse_quantity("rigidity", optarg, "Pa", &options->rigidity_pa));
        return options->rigidity_pa > 0 ? STATUS_OK
                                        : FAIL(STATUS_USAGE, "--rigidity %s: expected more than 0", optarg);
    }
}

static enum status take_text(int option, struct invert_options *options)
{
    const struct {
        int option;
        const char **text;
    } texts[] = {{'o', &options->output},
                 {OPTION_GAUGES, &options->gauges},
                 {OPTION_OBSERVATIONS, &options->observations},
                 {OPTION_FIT, &options->fit},
                 {OPTION_FORECAST, &options->forecast},
                 {OPTION_ORIGIN, &options->origin},
                 {OPTION_SOURCES, &options->sources},
                 {OPTION_SLIPS, &options->slips},
                 {OPTION_TABLE, &options->table}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k].option == option)
            *texts[k].text = optarg;
    return STATUS_OK;
}

static enum status take_option(int option, struct invert_options *options)
{
    switch (option) {
    case OPTION_OBSERVED:
        return add_text("observed", optarg, &options->observed);
    case OPTION_SKIP_LINES:
        return parse_number("skip-lines", optarg, 0, 10000, &options->skip_lines);
    case OPTION_WINDOW:
        return add_text("window", optarg, &options->windows);
    case OPTION_WEIGHT:
        return add_text("weight", optarg, &options->weights);
    case OPTION_OFFSETS:
        options->has_offsets = true;
        return STATUS_OK;
    case OPTION_NO_PICTURE:
        options->has_picture = false;
        return STATUS_OK;
    case OPTION_JSON:
        options->as_json = true;
        return STATUS_OK;
    case OPTION_DELAY:
    case OPTION_DAMPING:
    case OPTION_RIGIDITY:
        return take_number(option, options);
    default:
        return take_text(option, options);
    }
}

static enum status check_options(int argc, char **argv, struct invert_options *options)
{
    if (argc - optind != 1)
        return FAIL(STATUS_USAGE, "invert needs one database folder%s; see fathom invert --help",
                    argc > optind ? ", not several" : "");
    options->database = argv[optind];
    if (!options->gauges && options->observed.count == 0)
        return FAIL(STATUS_USAGE,
                    "invert needs records: --gauges LIST.json or --observed FILE@LON,LAT=NAME; see "
                    "fathom invert --help");
    if (!options->gauges && (options->fit || options->forecast))
        return FAIL(STATUS_USAGE, "--%s names stations of --gauges, which is missing",
                    options->fit ? "fit" : "forecast");
    if (options->slips && (options->sources || options->damping > 0))
        return FAIL(STATUS_USAGE, "--%s chooses what is fitted, and --slips fits nothing",
                    options->sources ? "sources" : "damping");
    return STATUS_OK;
}

bool invert_options_read(int argc, char **argv, struct invert_options *options, int *code)
{
    static const struct option table[] = {
        {"gauges", required_argument, NULL, OPTION_GAUGES},
        {"observations", required_argument, NULL, OPTION_OBSERVATIONS},
        {"fit", required_argument, NULL, OPTION_FIT},
        {"forecast", required_argument, NULL, OPTION_FORECAST},
        {"observed", required_argument, NULL, OPTION_OBSERVED},
        {"skip-lines", required_argument, NULL, OPTION_SKIP_LINES},
        {"origin", required_argument, NULL, OPTION_ORIGIN},
        {"window", required_argument, NULL, OPTION_WINDOW},
        {"weight", required_argument, NULL, OPTION_WEIGHT},
        {"offsets", no_argument, NULL, OPTION_OFFSETS},
        {"sources", required_argument, NULL, OPTION_SOURCES},
        {"delay", required_argument, NULL, OPTION_DELAY},
        {"damping", required_argument, NULL, OPTION_DAMPING},
        {"slips", required_argument, NULL, OPTION_SLIPS},
        {"output", required_argument, NULL, 'o'},
        {"table", required_argument, NULL, OPTION_TABLE},
        {"rigidity", required_argument, NULL, OPTION_RIGIDITY},
        {"no-picture", no_argument, NULL, OPTION_NO_PICTURE},
        {"json", no_argument, NULL, OPTION_JSON},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct invert_options){.output = "inversion", .rigidity_pa = 40e9, .has_picture = true};
    *code = 0;
    enum status status = STATUS_OK;
    for (int option; (option = options_next(argc, argv, "ho:", table)) != -1 && status == STATUS_OK;) {
        if (option == 'h')
            fputs(help, stdout);
        else if (option == '?')
            *code = status_exit_code(STATUS_USAGE); // the reason was said
        if (option == 'h' || option == '?')
            return false;
        status = take_option(option, options);
    }
    if (status == STATUS_OK)
        status = check_options(argc, argv, options);
    if (status != STATUS_OK)
        *code = options_report_failure(status);
    return status == STATUS_OK;
}
