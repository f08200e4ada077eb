// Options of `fathom invert` (see invert_options.h).
#include "cli/invert_options.h"

#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom invert [OPTIONS] DATABASE --gauges LIST.json [--fit NAMES] [--forecast NAMES]\n"
    "       fathom invert [OPTIONS] DATABASE --observed FILE@LON,LAT[=NAME] ...\n"
    "\n"
    "Fits slips of unit sources to tsunami records, by non-negative least squares: the sum of the\n"
    "sources' waves is as near as possible to the records. DATABASE is a folder of unit sources: results\n"
    "of fathom run or fathom batch, or NOAA's files NAME_ha.nc. Waves are read from a source's gauges.nc\n"
    "if it has a gauge of that name or place, else from its fields. The slips are written in the form\n"
    "that fathom combine and a job's source.sift.slips read.\n"
    "\n"
    "Stations, and their records (metres; seconds after the event):\n"
    "      --gauges LIST.json      a list of gauges, as a job's output.gauges.file; \"observed\" names the\n"
    "                              records\n"
    "      --observations DIR      folder of those records\n"
    "      --fit NAME,...          stations of the list to fit (default: all that have a record)\n"
    "      --forecast NAME,...     stations that are compared with the sum and not fitted\n"
    "      --observed FILE@PLACE   a record to fit, and its place: LON,LAT or LON,LAT=NAME in degrees, or\n"
    "                              the NAME of a gauge of the database. A text of two columns, or netCDF\n"
    "                              in its own units\n"
    "      --skip-lines N          heading lines in the files of --observed\n"
    "      --origin DATE           time of the event, as \"2011-03-11 05:46:24\", for netCDF files whose\n"
    "                              times have a date\n"
    "\n"
    "What is fitted:\n"
    "      --window [NAME=]BEGIN,END\n"
    "                              part of the records, as \"21413=3600 s,6000 s\"; without NAME: of all\n"
    "                              other stations. Either end may be empty. Default: the sources' first\n"
    "                              waves, which leaves out the seismic waves before them\n"
    "      --weight NAME=W         weight of a station's misfit (default: 1)\n"
    "      --offsets               subtract from each record the constant that fits best (residual tide)\n"
    "      --sources PATTERN,...   unit sources to choose from, as 'kisz[ab]2?' (default: all, at most\n"
    "                              256)\n"
    "      --delay TIME            delay of the sources' waves after the event: half the duration of a\n"
    "                              long rupture\n"
    "      --far-field DEPTH       correct the sources' waves for the delay on their way (by the water's\n"
    "                              compressibility, the Earth's elasticity and gravity, and the finite\n"
    "                              depth) over an ocean of that depth, as \"4 km\"\n"
    "      --shift BOUND           fit a shift in time of each fitted station too, at most BOUND in either\n"
    "                              direction: a share of the travel time, as \"2 %\", or a time, as \"60 "
    "s\".\n"
    "                              Positive: the record comes later than the sources' waves. Stations of\n"
    "                              --forecast are not shifted\n"
    "      --damping X             keep poorly determined slips small: a fraction of the largest\n"
    "                              sensitivity, as 0.1\n"
    "      --slips FILE|NAME=SLIP,...  fit nothing: compare these slips with the records. Of a FILE that\n"
    "                              invert wrote windows, delay, shifts and offsets are those of its fit,\n"
    "                              where no option gives another. --fit and --forecast choose the\n"
    "                              stations; they must not contradict that fit\n"
    "\n"
    "With two fitted stations or more, each in turn is left out and forecast from the others: a second\n"
    "table, and \"left_out\" in slips.json. This is the error to expect where there is no buoy. The station\n"
    "that is left out is not shifted. A warning names a station that spoils the fit of the others.\n"
    "\n"
    "Results:\n"
    "  -o, --output DIR            folder for slips.json, series.csv and series.png (default: inversion)\n"
    "      --table info_sz.dat     NOAA's table of unit sources: report the moment magnitude too\n"
    "      --rigidity PRESSURE     rigidity for the magnitude (default: 40 GPa)\n"
    "      --memory AMOUNT         most that the series of all sources and stations take (default: 2 GB)\n"
    "      --no-picture            no series.png\n"
    "      --json                  print the slips and the fit as JSON\n"
    "  -h, --help                  print this text\n"
    "\n"
    "Examples:\n"
    "  fathom invert sift --gauges data/gauges/tohoku2011.json --observations records \\\n"
    "      --fit 21413,21419 --forecast 21418 --delay \"60 s\" -o tohoku\n"
    "  fathom combine --slips tohoku/slips.json sift -o forecast\n"
    "  fathom invert noaa --observed 21413.csv@152.123,30.528=21413 --skip-lines 1 --sources 'kisz[ab]2?'\n"
    "\n"
    "Exit status: 0 done; 64 wrong command line; 65 invalid records or database; 66 a file cannot be\n"
    "opened; 73 DIR cannot be created; 74 reading or writing failed; 78 windows or sources that determine\n"
    "nothing.\n";

static enum status add_text(const char *name, const char *text, struct invert_texts *texts)
{
    if (texts->count == INVERT_TEXTS_MAX)
        return FAIL(STATUS_USAGE, "--%s can be given %d times at most", name, INVERT_TEXTS_MAX);
    texts->texts[texts->count++] = text;
    return STATUS_OK;
}

static enum status check_options(int argc, char **argv, struct invert_options *options)
{
    if (argc - optind != 1)
        return FAIL(STATUS_USAGE, "invert needs one database folder%s; see fathom invert --help",
                    argc > optind ? ", not several" : "");
    options->database = argv[optind];
    if (!options->gauges && options->observed.count == 0)
        return FAIL(STATUS_USAGE, "invert needs records: --gauges LIST.json or --observed FILE@LON,LAT=NAME; "
                                  "see fathom invert --help");
    if (!options->gauges && (options->fit || options->forecast))
        return FAIL(STATUS_USAGE, "--%s names stations of --gauges, which is missing",
                    options->fit ? "fit" : "forecast");
    if (options->slips && (options->sources || options->damping > 0))
        return FAIL(STATUS_USAGE, "--%s chooses what is fitted, and --slips fits nothing",
                    options->sources ? "sources" : "damping");
    return STATUS_OK;
}

// "2 %", or "60 s".
static enum status take_shift(const char *value, struct invert_bound *bound)
{
    char *end;
    const double number = strtod(value, &end);
    const char *rest = end + strspn(end, " ");
    *bound = (struct invert_bound){.share = (double)INFINITY, .time_s = (double)INFINITY};
    if (end != value && strcmp(rest, "%") == 0) {
        bound->share = number / 100;
        return number > 0 && number <= 20
                   ? STATUS_OK
                   : FAIL(STATUS_USAGE, "--shift %s: expected more than 0 %% and at most 20 %%", value);
    }
    CHECK(options_quantity("shift", value, "s", &bound->time_s));
    return bound->time_s > 0 && bound->time_s <= 7200
               ? STATUS_OK
               : FAIL(STATUS_USAGE, "--shift %s: expected more than 0 and at most two hours", value);
}

static enum status take_value(void *context, const char *name, const char *value)
{
    struct invert_options *o = context;
    const struct {
        const char *name;
        struct invert_texts *texts;
    } lists[] = {{"observed", &o->observed}, {"window", &o->windows}, {"weight", &o->weights}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (strcmp(name, lists[k].name) == 0)
            return add_text(name, value, lists[k].texts);
    if (strcmp(name, "skip-lines") == 0)
        return options_number(name, value, 0, 10000, &o->skip_lines);
    if (strcmp(name, "damping") == 0)
        return options_number(name, value, 0, 1e6, &o->damping);
    if (strcmp(name, "far-field") == 0)
        return options_far_field(name, value, &o->far_field_m);
    if (strcmp(name, "shift") == 0)
        return take_shift(value, &o->shift);
    if (strcmp(name, "delay") == 0) {
        CHECK(options_quantity(name, value, "s", &o->delay_s));
        return fabs(o->delay_s) <= 86400 ? STATUS_OK
                                         : FAIL(STATUS_USAGE, "--delay %s: expected at most a day", value);
    }
    if (strcmp(name, "memory") == 0)
        return options_bytes(name, value, &o->memory_bytes);
    CHECK(options_quantity(name, value, "Pa", &o->rigidity_pa));
    return o->rigidity_pa > 0 ? STATUS_OK : FAIL(STATUS_USAGE, "--rigidity %s: expected more than 0", value);
}

bool invert_options_read(int argc, char **argv, struct invert_options *options, int *code)
{
    struct invert_options *const o = options;
    const struct option_row rows[] = {{"gauges", .text = &o->gauges},
                                      {"observations", .text = &o->observations},
                                      {"fit", .text = &o->fit},
                                      {"forecast", .text = &o->forecast},
                                      {"observed", .take = take_value},
                                      {"skip-lines", .take = take_value},
                                      {"origin", .text = &o->origin},
                                      {"window", .take = take_value},
                                      {"weight", .take = take_value},
                                      {"offsets", .flag = &o->has_offsets},
                                      {"sources", .text = &o->sources},
                                      {"delay", .take = take_value},
                                      {"far-field", .take = take_value},
                                      {"shift", .take = take_value},
                                      {"damping", .take = take_value},
                                      {"slips", .text = &o->slips},
                                      {"output", 'o', .text = &o->output},
                                      {"table", .text = &o->table},
                                      {"rigidity", .take = take_value},
                                      {"memory", .take = take_value},
                                      {"no-picture", .flag = &o->has_no_picture},
                                      {"json", .flag = &o->as_json},
                                      {NULL}};
    *options = (struct invert_options){
        .output = "inversion", .rigidity_pa = 40e9, .delay_s = NAN, .memory_bytes = INVERT_BYTES_MOST};
    if (!options_read(argc, argv, help, rows, options, code))
        return false;
    const enum status status = check_options(argc, argv, options);
    *code = status == STATUS_OK ? 0 : options_report_failure(status);
    return status == STATUS_OK;
}
