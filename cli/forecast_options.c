// The command line of `fathom forecast`: see forecast_options.h.
#include "cli/forecast_options.h"

#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom forecast [OPTIONS] EVENT --points FILE\n"
    "       fathom forecast [OPTIONS] --magnitude M --longitude X --latitude Y --depth D --strike S --dip D\n"
    "                       --rake R --points FILE\n"
    "\n"
    "From an earthquake to a table of arrivals, wave heights and threat levels at the points of a list, in\n"
    "one command. It chooses domain, spacing, duration and outputs by rules (docs/event-forecast.md), says\n"
    "which, writes them as a job, and runs it as fathom run does. EVENT is a file of an earthquake:\n"
    "CMTSOLUTION, ndk, QuakeML, the USGS' event GeoJSON; or a finite fault: .param, .fsp, FFM.geojson, CSV,\n"
    "a fault table. FILE has names and positions: CSV (name, longitude, latitude), GeoJSON points, or a "
    "list\n"
    "of gauges.\n"
    "\n"
    "  fathom forecast data/earthquakes/tohoku2011.ndk --points towns.csv --utc-offset 9\n"
    "\n"
    "The earthquake:\n"
    "      --event NAME         of a file with several\n"
    "      --magnitude M, --longitude X, --latitude Y, --depth D (km), --strike S, --dip D, --rake R "
    "(degree)\n"
    "                           without EVENT all of them; with it what the file lacks, or another place\n"
    "      --plane shallow|steep, --relation NAME\n"
    "                           nodal plane of a tensor; scaling relation (docs/earthquakes.md)\n"
    "      --reference WORD     of a CSV of patches: centre, top_centre, ...\n"
    "      --origin TIME        of the earthquake, UTC, \"2011-03-11 05:46:23\", where the file has none\n"
    "\n"
    "Choices:\n"
    "      --bathymetry FILE    instead of ETOPO5; what the file lacks, or with --override has wrong, as in\n"
    "                           a job: --variable NAME, --positive up|down, --units UNIT, --axes "
    "geographic,\n"
    "                           --missing DEPTH\n"
    "      --domain W,E,S,N     limits in degrees\n"
    "      --spacing ARCMIN     distance of the nodes; without it the finest that takes no longer than\n"
    "      --within TIME        (2 min) of computing on this machine; beside other programs it takes longer\n"
    "      --hours H            hours computed after the earthquake; without it until H hours after the\n"
    "      --after H            (4) last arrival at a point\n"
    "      --method NAME        c-grid-6; the others: docs/tsunami.md\n"
    "      --threat LIST        heights of the threat levels in m (0.3,1,3)\n"
    "      --as-given           keep longitudes and latitudes of the points that look exchanged\n"
    "      --dry-run            print the choices, and compute nothing; write the job, unless the folder "
    "has\n"
    "                           results\n"
    "\n"
    "Running and printing:\n"
    "  -o, --output DIR         folder of job and results (forecast)\n"
    "  -b, --backend NAME, -t, --threads N, --verify N, --time-limit TIME\n"
    "                           as in fathom run --help\n"
    "                           stopped, the same command continues the run and prints the table\n"
    "      --restart            discard what a stopped run, or another program, left in the folder\n"
    "      --utc-offset HOURS   print local times, too: 9, -3.5\n"
    "  -q, --quiet              no progress: only the table\n"
    "      --json               print event, choices and points as JSON\n"
    "  -h, --help               print this text\n"
    "\n"
    "Exit status: 0 done; 64 wrong command line; 65 invalid input data; 66 an input is missing; 71 too\n"
    "much memory; 73, 74 results cannot be written; 75 stopped, can be resumed; 78 the choices do not make "
    "a\n"
    "job.\n";

static enum status take_domain(const char *text, double domain_deg[4])
{
    const char *rest = text;
    for (int k = 0; k < 4; k++) {
        char *end;
        domain_deg[k] = strtod(rest, &end);
        if (end == rest || !isfinite(domain_deg[k]) || *end != (k < 3 ? ',' : '\0'))
            return FAIL(STATUS_USAGE,
                        "--domain: \"%.100s\": four numbers are expected, west,east,south,north in degrees",
                        text);
        rest = end + 1;
    }
    while (domain_deg[1] <= domain_deg[0])
        domain_deg[1] += 360;
    if (domain_deg[1] - domain_deg[0] > 360 || !(domain_deg[2] < domain_deg[3]) || fabs(domain_deg[2]) > 90 ||
        fabs(domain_deg[3]) > 90)
        return FAIL(STATUS_USAGE,
                    "--domain: \"%.100s\": west,east,south,north in degrees are expected, at most 360 wide, "
                    "from south to north",
                    text);
    return STATUS_OK;
}

static enum status take(void *context, const char *name, const char *value)
{
    enum { THREADS_MOST = 4096 };
    struct forecast_options *o = context;
    if (strcmp(name, "hours") == 0)
        return options_number(name, value, 0.05, 240, &o->hours);
    if (strcmp(name, "after") == 0)
        return options_number(name, value, 0, 48, &o->after_h);
    if (strcmp(name, "within") == 0)
        return options_duration(name, value, &o->within_s);
    if (strcmp(name, "time-limit") == 0) { // the run's, which reads it again
        double limit_s;
        o->time_limit = value;
        return options_duration(name, value, &limit_s);
    }
    if (strcmp(name, "spacing") == 0)
        return options_number(name, value, 0.01, 120, &o->spacing_arcmin);
    if (strcmp(name, "domain") == 0)
        return take_domain(value, o->domain_deg);
    if (strcmp(name, "threads") == 0) {
        int64_t count;
        CHECK(options_count(name, value, 1, THREADS_MOST, &count));
        o->threads = value;
        o->threads_number = (int)count;
        return STATUS_OK;
    }
    o->has_utc_offset = true;
    return options_number(name, value, -14, 14, &o->utc_offset_h);
}

static enum status check(int argc, const struct forecast_options *o)
{
    const char *const numbers[] = {o->magnitude, o->longitude, o->latitude, o->depth,
                                   o->strike,    o->dip,       o->rake};
    bool has_all = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        has_all = has_all && numbers[k];
    if (argc - optind > 1)
        return FAIL(STATUS_USAGE, "forecast takes one file of an earthquake; see fathom forecast --help");
    if (argc == optind && !has_all)
        return FAIL(STATUS_USAGE, "forecast needs the file of an earthquake, or --magnitude, --longitude, "
                                  "--latitude, --depth, --strike, --dip and --rake");
    if (!o->directory[0])
        return FAIL(STATUS_USAGE, "--output: \"\" is no folder: a name is expected");
    if (!o->points)
        return FAIL(STATUS_USAGE, "forecast needs --points FILE, a list of names and positions");
    const char *const of_file[][2] = {{"variable", o->variable},
                                      {"positive", o->positive},
                                      {"axes", o->axes},
                                      {"units", o->units},
                                      {"missing", o->missing}};
    for (size_t k = 0; k < sizeof of_file / sizeof *of_file && !o->bathymetry; k++)
        if (of_file[k][1])
            return FAIL(STATUS_USAGE, "--%s is of a file that --bathymetry names", of_file[k][0]);
    if (!o->bathymetry && o->overrides)
        return FAIL(STATUS_USAGE, "--override is of a file that --bathymetry names");
    if (o->axes && strcmp(o->axes, "geographic") != 0)
        return FAIL(STATUS_USAGE, "--axes %.60s: a forecast needs degrees: geographic is expected", o->axes);
    return STATUS_OK;
}

bool forecast_options_read(int argc, char **argv, struct forecast_options *o, int *code)
{
    const struct option_row rows[] = {{"points", .text = &o->points},
                                      {"bathymetry", .text = &o->bathymetry},
                                      {"variable", .text = &o->variable},
                                      {"positive", .text = &o->positive},
                                      {"axes", .text = &o->axes},
                                      {"units", .text = &o->units},
                                      {"missing", .text = &o->missing},
                                      {"override", .flag = &o->overrides},
                                      {"event", .text = &o->event},
                                      {"plane", .text = &o->plane},
                                      {"relation", .text = &o->relation},
                                      {"magnitude", .text = &o->magnitude},
                                      {"longitude", .text = &o->longitude},
                                      {"latitude", .text = &o->latitude},
                                      {"depth", .text = &o->depth},
                                      {"strike", .text = &o->strike},
                                      {"dip", .text = &o->dip},
                                      {"rake", .text = &o->rake},
                                      {"reference", .text = &o->reference},
                                      {"origin", .text = &o->origin},
                                      {"hours", .take = take},
                                      {"after", .take = take},
                                      {"within", .take = take},
                                      {"spacing", .take = take},
                                      {"domain", .take = take},
                                      {"method", .text = &o->method},
                                      {"threat", .text = &o->threat},
                                      {"output", 'o', .text = &o->directory},
                                      {"backend", 'b', .text = &o->backend},
                                      {"threads", 't', .take = take},
                                      {"verify", .text = &o->verify},
                                      {"time-limit", .take = take},
                                      {"utc-offset", .take = take},
                                      {"as-given", .flag = &o->keeps_places},
                                      {"dry-run", .flag = &o->is_dry},
                                      {"restart", .flag = &o->restarts},
                                      {"quiet", 'q', .flag = &o->is_quiet},
                                      {"json", .flag = &o->as_json},
                                      {NULL}};
    *o = (struct forecast_options){.hours = NAN,
                                   .after_h = 4,
                                   .within_s = 120,
                                   .spacing_arcmin = NAN,
                                   .domain_deg = {NAN, NAN, NAN, NAN},
                                   .method = "c-grid-6",
                                   .threat = "0.3,1,3",
                                   .directory = "forecast"};
    if (!options_read(argc, argv, help, rows, o, code))
        return false;
    o->event_path = argv[optind];
    const enum status status = check(argc, o);
    if (status != STATUS_OK)
        *code = options_report_failure(status);
    return status == STATUS_OK;
}
