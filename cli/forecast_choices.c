// The choices of `fathom forecast`: see forecast_choices.h. The rules themselves are those of
// models/tsunami/forecast/domain.h.
#include "cli/forecast_choices.h"

#include "core/log.h"
#include "io/job/job.h"
#include "io/utf8.h"
#include "models/tsunami/forecast/exchanged.h"
#include "models/tsunami/params.h"
#include "models/tsunami/rates.h"
#include "models/tsunami/solver.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char default_bathymetry[] = "etopo5.cdf";
static const double wall_depth_m = 20;

// How the step's limit relates to the spacing over c sqrt(1/a^2 + 1/b^2).
static const struct {
    const char *method;
    double courant;
} methods[] = {{"c-grid-6", 0.82}, {"vtcs2-o2", 1.2}, {"vtcs2", 1.2}, {"", 0.6}};

// ---- the earthquake

static void add(cJSON *object, const char *key, const char *value)
{
    if (value)
        cJSON_AddStringToObject(object, key, value);
}

// A bare number gets the unit that the option's help names.
static void add_with_unit(cJSON *object, const char *key, const char *value, const char *unit)
{
    char *end, text[80];
    if (!value)
        return;
    (void)strtod(value, &end);
    snprintf(text, sizeof text, "%s%s%s", value, *end == '\0' ? " " : "", *end == '\0' ? unit : "");
    cJSON_AddStringToObject(object, key, text);
}

static enum status add_number(cJSON *object, const char *key, const char *value)
{
    char *end;
    if (!value)
        return STATUS_OK;
    const double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number))
        return FAIL(STATUS_USAGE, "--%s: \"%.60s\" is not a number", key, value);
    cJSON_AddNumberToObject(object, key, number);
    return STATUS_OK;
}

// As the job names a file, so that it can be repeated from anywhere.
static void whole_path(const char *path, char whole[PATH_BYTES])
{
    char *real = realpath(path, NULL);
    snprintf(whole, PATH_BYTES, "%s", real ? real : path);
    free(real);
}

static enum status add_earthquake(const struct forecast_options *o, const char *path, cJSON *block)
{
    cJSON *quake = cJSON_AddObjectToObject(block, "earthquake");
    add(quake, "file", path);
    add(quake, "event", o->event);
    add(quake, "plane", o->plane);
    add(quake, "relation", o->relation);
    CHECK(add_number(quake, "magnitude", o->magnitude));
    add_with_unit(quake, "longitude", o->longitude, "degree");
    add_with_unit(quake, "latitude", o->latitude, "degree");
    add_with_unit(quake, "depth", o->depth, "km");
    add_with_unit(quake, "strike", o->strike, "degree");
    add_with_unit(quake, "dip", o->dip, "degree");
    add_with_unit(quake, "rake", o->rake, "degree");
    return o->reference ? FAIL(STATUS_USAGE, "--reference has no effect: it is of a CSV table of patches")
                        : STATUS_OK;
}

static enum status add_rupture(const struct forecast_options *o, const char *path, cJSON *block)
{
    const struct {
        const char *option, *value;
    } idle[] = {{"event", o->event},
                {"plane", o->plane},
                {"relation", o->relation},
                {"magnitude", o->magnitude},
                {"longitude", o->longitude},
                {"latitude", o->latitude},
                {"depth", o->depth},
                {"strike", o->strike},
                {"dip", o->dip},
                {"rake", o->rake}};
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++)
        if (idle[k].value)
            return FAIL(STATUS_USAGE, "--%s has no effect: %s is a finite fault, which has its own",
                        idle[k].option, o->event_path);
    cJSON_AddStringToObject(block, "faults", path);
    add(block, "faults_reference", o->reference);
    return STATUS_OK;
}

static enum status make_block(const struct forecast_options *o, cJSON *block)
{
    enum earthquake_format format = EARTHQUAKE_NONE;
    struct earthquake_event event;
    char found[PATH_BYTES], path[PATH_BYTES];
    if (!o->event_path)
        return add_earthquake(o, NULL, block);
    CHECK(path_find(o->event_path, NULL, found));
    whole_path(found, path);
    CHECK(earthquake_recognise_file(path, &format));
    if (earthquake_format_is_rupture(format) || format == EARTHQUAKE_TABLE)
        return add_rupture(o, path, block);
    if (!earthquake_format_is_event(format)) { // says what it is
        const enum status status = earthquake_read_event(path, o->event, &event, &format);
        return strstr(status_message(), "is empty")
                   ? status
                   : status_append(status, "or a finite fault: .param, .fsp, FFM.geojson, CSV");
    }
    return add_earthquake(o, path, block);
}

// The source is read as a run reads it: as the block of a job.
static enum status check_block(const char *text, struct forecast_source *source)
{
    struct job *job = NULL;
    const struct job_key_table tables[] = {job_shared_keys, tsunami_keys};
    enum status status = job_parse("forecast", text, &job);
    if (status == STATUS_OK)
        status = job_check(job, tables, 2);
    if (status == STATUS_OK)
        status = forecast_source_read(job, source);
    job_free(job);
    return status;
}

// The block as a run reads it. The run will say the same again; of a dry one, warnings are said here.
static enum status read_block(struct forecast_choices *c)
{
    cJSON *draft = cJSON_Parse("{\"fathom\": 1, \"model\": \"tsunami\", \"time\": {\"duration\": \"1 h\"}, "
                               "\"domain\": {\"bathymetry\": {\"file\": \"-\"}}, \"output\": {\"directory\": "
                               "\"-\"}}");
    cJSON_AddItemReferenceToObject(draft, "source", c->source_block);
    char *text = utf8_print_json_line(draft);
    cJSON_Delete(draft);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the source");
    const enum status status = check_block(text, &c->source);
    cJSON_free(text);
    return status;
}

// The default of a job is for thrusts on a plate interface. Other mechanisms get a relation that has theirs:
// on the wide plane of an interface a strike-slip earthquake would reach 50 km too deep.
static enum status choose_relation(struct forecast_choices *c)
{
    cJSON *quake = cJSON_GetObjectItemCaseSensitive(c->source_block, "earthquake");
    if (!quake || c->options->relation || c->source.style == EARTHQUAKE_REVERSE)
        return STATUS_OK;
    c->relation = earthquake_relation_name(EARTHQUAKE_BLASER);
    cJSON_AddStringToObject(quake, "relation", c->relation);
    return read_block(c);
}

static enum status read_source(struct forecast_choices *c)
{
    c->source_block = cJSON_CreateObject();
    CHECK(make_block(c->options, c->source_block));
    const bool is_shown = log_is_shown(LOG_INFO);
    log_show(LOG_QUIET);
    log_mute(true);
    enum status status = read_block(c);
    if (status == STATUS_OK)
        status = choose_relation(c);
    log_mute(!c->options->is_dry);
    if (status == STATUS_OK && c->options->is_dry)
        status = read_block(c);
    log_show(is_shown ? LOG_INFO : LOG_QUIET);
    log_mute(false);
    CHECK(status);
    if (c->options->origin && date_read(c->options->origin, c->origin) != STATUS_OK)
        return status_prefix(STATUS_USAGE, "--origin");
    if (c->options->origin && c->options->is_dry) // else the run says so
        tsunami_params_warn_of_origin("--origin", c->origin, c->source.time, c->options->event_path);
    else if (!c->options->origin && date_read(c->source.time, c->origin) != STATUS_OK)
        status_clear(); // the file has none; the run warns of one that cannot be read
    return STATUS_OK;
}

// ---- places and sea

static enum status list_places(struct forecast_choices *c)
{
    c->places = calloc(c->points.count, sizeof *c->places);
    if (!c->places)
        return FAIL(STATUS_SYSTEM, "no memory for %zu points", c->points.count);
    for (size_t k = 0; k < c->points.count; k++)
        c->places[k] = (struct forecast_place){c->points.points[k].x, c->points.points[k].y};
    return STATUS_OK;
}

static void choose_box(struct forecast_choices *c)
{
    const double *given = c->options->domain_deg;
    forecast_domain_of(&c->source.box, c->places, c->points.count, &c->domain);
    if (isnan(given[0]))
        return;
    c->domain.box = (struct forecast_box){given[0], given[1], given[2], given[3]};
    c->domain.is_globe = given[1] - given[0] >= 360;
    c->domain.ocean = NULL;
}

// Of an epicentre that the command line gives: files have theirs from a catalogue.
static void warn_of_epicentre(const struct forecast_choices *c)
{
    const struct forecast_box *box = &c->source.box;
    const struct forecast_place middle = {0.5 * (box->west_deg + box->east_deg),
                                          0.5 * (box->south_deg + box->north_deg)};
    struct forecast_place meant;
    const char *way;
    if ((!c->options->longitude && !c->options->latitude) ||
        !forecast_exchanged_epicentre(&middle, c->places, c->points.count, &meant, &way))
        return;
    log_warning(
        "--longitude, --latitude: the source lies %.0f km from the nearest point; with %s, at longitude "
        "%.4g, latitude %.4g, it would be %.0f km: are they right?",
        1e-3 * forecast_nearest_m(&middle, c->places, c->points.count), way, meant.longitude_deg,
        meant.latitude_deg, 1e-3 * forecast_nearest_m(&meant, c->places, c->points.count));
}

// What source and points must lie in, for messages: the bathymetry, the domain that was given, or what a
// forecast computes at all. `has_depths`: the bathymetry has the place.
static const char *region_text(const struct forecast_choices *c, const struct forecast_box *extent,
                               bool has_depths, char text[PATH_BYTES + 160])
{
    const bool is_given = !isnan(c->options->domain_deg[0]);
    if (!is_given && has_depths) {
        snprintf(
            text, PATH_BYTES + 160,
            "the forecast's domain (latitude %g to %g): its nodes would lie too close to each other beyond "
            "%g degrees",
            c->domain.box.south_deg, c->domain.box.north_deg, forecast_farthest_north_deg);
        return text;
    }
    const struct forecast_box *box = is_given ? &c->domain.box : extent;
    snprintf(text, PATH_BYTES + 160, "the %s%s (longitude %g to %g, latitude %g to %g)",
             is_given ? "domain" : "bathymetry ", is_given ? "" : c->bathymetry, box->west_deg, box->east_deg,
             box->south_deg, box->north_deg);
    return text;
}

static enum status check_points(const struct forecast_choices *c, const struct forecast_box *extent)
{
    size_t outside = 0, first = 0;
    for (size_t k = 0; k < c->points.count; k++)
        if (!forecast_box_has(&c->domain.box, c->points.points[k].x, c->points.points[k].y) && outside++ == 0)
            first = k;
    const struct points_file_point *point = &c->points.points[first];
    char more[48] = "", region[PATH_BYTES + 160];
    if (outside > 1)
        snprintf(more, sizeof more, ", and so do %zu more", outside - 1);
    const double latitude = remainder(point->x, 360);
    const bool may_be_exchanged = fabs(latitude) <= 90 && forecast_box_has(extent, point->y, latitude);
    if (outside == 0 || (!isnan(c->options->domain_deg[0]) && outside < c->points.count))
        return STATUS_OK; // the run says which it skips in a domain that was given
    return FAIL(STATUS_DATA, "%s: \"%s\" (longitude %g, latitude %g) lies outside %s%s%s", c->options->points,
                point->name, point->x, point->y,
                region_text(c, extent, forecast_box_has(extent, point->x, point->y), region), more,
                may_be_exchanged ? ": are longitude and latitude exchanged?" : "");
}

static enum status check_source(const struct forecast_choices *c, const struct forecast_box *extent)
{
    const struct forecast_box *box = &c->source.box;
    const double x = 0.5 * (box->west_deg + box->east_deg), y = 0.5 * (box->south_deg + box->north_deg);
    char region[PATH_BYTES + 160];
    if (forecast_box_has(&c->domain.box, x, y))
        return STATUS_OK;
    return FAIL(STATUS_DATA, "the source (longitude %.4g to %.4g, latitude %.4g to %.4g) lies outside %s",
                box->west_deg, box->east_deg, box->south_deg, box->north_deg,
                region_text(c, extent, forecast_box_has(extent, x, y), region));
}

static enum status clip(struct forecast_choices *c, const struct grid_file *file)
{
    const struct grid_info *info = grid_info(file);
    if (!info->is_geographic)
        return FAIL(STATUS_DATA, "%s: its axes are in metres; a forecast needs longitudes and latitudes",
                    grid_path(file));
    const struct forecast_box extent = {info->x[0], info->x[info->nx - 1], info->y[0], info->y[info->ny - 1]},
                              before = c->domain.box;
    if (!forecast_box_clip(&c->domain.box, &extent, info->wraps))
        return FAIL(
            STATUS_DATA,
            "%s: longitude %g to %g, latitude %g to %g lies apart from the forecast's domain, longitude "
            "%g to %g, latitude %g to %g",
            grid_path(file), extent.west_deg, extent.east_deg, extent.south_deg, extent.north_deg,
            before.west_deg, before.east_deg, before.south_deg, before.north_deg);
    c->domain.is_globe = c->domain.is_globe && info->wraps;
    c->is_clipped = memcmp(&before, &c->domain.box, sizeof before) != 0;
    CHECK(check_source(c, &extent));
    return check_points(c, &extent);
}

static enum status check_places(const struct forecast_choices *c, struct grid_file *file)
{
    bool is_exchanged;
    CHECK(forecast_exchanged_places(file, &c->sea, c->places, c->points.count, &is_exchanged));
    if (!is_exchanged || c->options->keeps_places)
        return STATUS_OK;
    return FAIL(
        STATUS_DATA,
        "%s: longitude and latitude seem to be exchanged: \"%s\" is at longitude %g, latitude %g; as they "
        "are, most points lie inland or in the open sea, exchanged they lie at coasts (--as-given keeps "
        "them)",
        c->options->points, c->points.points[0].name, c->points.points[0].x, c->points.points[0].y);
}

static enum status find_arrivals(struct forecast_choices *c)
{
    size_t starts = 0;
    CHECK(forecast_sea_march(&c->sea, &c->source.box, &starts));
    if (starts == 0)
        return FAIL(
            STATUS_DATA,
            "the source (longitude %.4g to %.4g, latitude %.4g to %.4g) lies on land: %s has no sea "
            "within a degree of it in the domain: is the epicentre right, longitude and latitude, their "
            "signs?",
            c->source.box.west_deg, c->source.box.east_deg, c->source.box.south_deg, c->source.box.north_deg,
            c->bathymetry);
    for (size_t k = 0; k < c->points.count; k++) {
        const double time_s = forecast_sea_time_s(&c->sea, &c->places[k]);
        if (isnan(time_s))
            continue;
        if (c->reached++ == 0 || time_s > c->last_arrival_s) {
            c->last_arrival_s = time_s;
            c->last = k;
        }
    }
    if (c->reached == 0)
        return FAIL(
            STATUS_DATA,
            "%s: no point in water: \"%s\" (longitude %g, latitude %g)%s is more than a degree from the "
            "sea that the waves reach: are the places of points and source right?",
            c->options->points, c->points.points[0].name, c->points.points[0].x, c->points.points[0].y,
            c->points.count > 1 ? ", like all others," : "");
    return STATUS_OK;
}

static enum status survey(struct forecast_choices *c)
{
    const struct forecast_options *o = c->options;
    char path[PATH_BYTES];
    struct grid_file *file = NULL;
    const bool is_default = !o->bathymetry;
    CHECK(path_find(is_default ? default_bathymetry : o->bathymetry, NULL, path));
    if (is_default)
        snprintf(c->bathymetry, sizeof c->bathymetry, "%s", default_bathymetry);
    else
        whole_path(path, c->bathymetry);
    const struct grid_request request = {
        .path = path,
        .variable = is_default ? "ROSE" : o->variable,
        .positive = is_default || (o->positive && strcmp(o->positive, "up") == 0) ? GRID_POSITIVE_UP
                    : o->positive                                                 ? GRID_POSITIVE_DOWN
                                                                                  : GRID_AS_FILE,
        .units = o->units,
        .overrides = o->overrides,
        .override_word = "--override",
        .target_units = "m",
        .time_index = -1,
        .axes = o->axes ? GRID_AXES_GEOGRAPHIC : GRID_AXES_AS_FILE,
    };
    if (o->positive && strcmp(o->positive, "up") != 0 && strcmp(o->positive, "down") != 0)
        return FAIL(STATUS_USAGE, "--positive: \"%.60s\": up or down is expected", o->positive);
    enum status status = grid_open(&request, &file);
    if (status != STATUS_OK && strstr(status_message(), "\"axes\"")) // of a job
        return status_append(status, "a forecast has --axes geographic for it");
    if (status == STATUS_OK)
        status = clip(c, file);
    if (status == STATUS_OK)
        status = forecast_sea_read(file, &c->domain.box, c->domain.is_globe, wall_depth_m, &c->sea);
    if (status == STATUS_OK)
        status = check_places(c, file);
    if (status == STATUS_OK)
        c->file_spacing_arcmin = 60 * c->sea.file_spacing_deg;
    grid_close(file);
    CHECK(status);
    return find_arrivals(c);
}

// ---- spacing and duration

static void choose_machine(struct forecast_choices *c, struct forecast_work *work)
{
    const struct forecast_options *o = c->options;
    const struct backend *backend = backend_find(&tsunami_backends, o->backend ? o->backend : "auto");
    c->threads = omp_get_max_threads() < omp_get_num_procs() ? omp_get_max_threads() : omp_get_num_procs();
    if (o->threads_number > 0)
        c->threads = o->threads_number;
    // An unknown one is reported by the run, with those that there are.
    c->backend = backend ? backend->name : "openmp";
    size_t k = 0;
    while (methods[k].method[0] && strcmp(methods[k].method, o->method) != 0)
        k++;
    work->courant = methods[k].courant;
    work->node_steps_per_s =
        backend && backend->has_devices
            ? tsunami_rate_device
            : tsunami_rate_host(o->method, strcmp(c->backend, "reference") == 0, c->threads);
}

static void choose_work(struct forecast_choices *c)
{
    const struct forecast_options *o = c->options;
    struct forecast_work work = {.box = c->domain.box,
                                 .file_spacing_deg = c->sea.file_spacing_deg,
                                 .rate_deg_per_s = c->sea.rate_deg_per_s,
                                 .within_s = o->within_s};
    c->hours = isnan(o->hours) ? forecast_duration_h(c->last_arrival_s, o->after_h) : o->hours;
    work.duration_s = 3600 * c->hours;
    choose_machine(c, &work);
    c->spacing = isnan(o->spacing_arcmin) ? forecast_spacing_of(&work)
                                          : forecast_spacing_given(&work, o->spacing_arcmin);
    const double spacing_m = c->spacing.arcmin / 60 * forecast_earth_radius_m * acos(-1.0) / 180;
    c->source_nodes = source_shape_across_m(&c->source.shape, true, forecast_earth_radius_m) / spacing_m;
    // Two nodes, at least 30 km: nearer water is rarely deep enough to stand for a coast.
    c->search_km = fmax(30, ceil(2 * 1.852 * c->spacing.arcmin));
}

enum status forecast_choose(const struct forecast_options *options, struct forecast_choices *c)
{
    *c = (struct forecast_choices){.options = options};
    CHECK(read_source(c));
    char path[PATH_BYTES];
    CHECK(path_find(options->points, NULL, path));
    CHECK(points_file_read(path, true, &c->points));
    whole_path(path, c->points_path);
    CHECK(list_places(c));
    choose_box(c);
    CHECK(survey(c));
    warn_of_epicentre(c);
    choose_work(c);
    const struct forecast_source *s = &c->source;
    const char *name = s->place[0] ? s->place : s->name;
    snprintf(c->title, sizeof c->title, "Mw %.2f%s%s%s%s", s->magnitude, name[0] ? ", " : "", name,
             c->origin[0] ? ", " : "", c->origin);
    return STATUS_OK;
}

void forecast_choices_free(struct forecast_choices *c)
{
    cJSON_Delete(c->source_block);
    points_file_free(&c->points);
    free(c->places);
    forecast_sea_free(&c->sea);
}

// ---- the job

static void add_quantity(cJSON *object, const char *key, double value, const char *unit)
{
    char number[32], text[80];
    snprintf(text, sizeof text, "%s %s", job_number_text(value, number), unit);
    cJSON_AddStringToObject(object, key, text);
}

static void add_range(cJSON *object, const char *key, double low, double high)
{
    char number[32], text[80];
    const double limits[] = {low, high};
    cJSON *list = cJSON_AddArrayToObject(object, key);
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%s degree", job_number_text(limits[k], number));
        cJSON_AddItemToArray(list, cJSON_CreateString(text));
    }
}

static void add_domain(const struct forecast_choices *c, cJSON *job)
{
    const struct forecast_options *o = c->options;
    const struct forecast_box *box = &c->domain.box;
    cJSON *domain = cJSON_AddObjectToObject(job, "domain"),
          *bathymetry = cJSON_AddObjectToObject(domain, "bathymetry");
    cJSON_AddStringToObject(bathymetry, "file", c->bathymetry);
    add(bathymetry, "variable", o->bathymetry ? o->variable : "ROSE");
    add(bathymetry, "positive", o->bathymetry ? o->positive : "up");
    add(bathymetry, "axes", o->axes);
    add(bathymetry, "units", o->units);
    add_with_unit(bathymetry, "missing", o->missing, "m");
    if (o->overrides)
        cJSON_AddBoolToObject(bathymetry, "override", true);
    if (!c->domain.is_globe)
        add_range(domain, "longitude", box->west_deg, box->east_deg);
    add_range(domain, "latitude", box->south_deg, box->north_deg);
    add_quantity(domain, "spacing", c->spacing.arcmin, "arcmin");
    if (!c->domain.is_globe)
        return;
    cJSON *edges = cJSON_AddObjectToObject(domain, "edges");
    cJSON_AddStringToObject(edges, "west", "periodic");
    cJSON_AddStringToObject(edges, "east", "periodic");
}

// "0.3,1,3" or "30 cm, 1 m" as a list of texts with units.
static void add_threats(cJSON *output, const char *list)
{
    cJSON *levels = cJSON_AddArrayToObject(output, "threat_levels");
    while (*list) {
        char text[64], *end;
        list += strspn(list, " ");
        const size_t length = strcspn(list, ",");
        snprintf(text, sizeof text - 4, "%.*s", (int)length, list);
        (void)strtod(text, &end);
        if (*end == '\0')
            strcat(text, " m");
        cJSON_AddItemToArray(levels, cJSON_CreateString(text));
        list += length + (list[length] == ',');
    }
}

// Tables for people and maps, where this program can make them of results.
static void add_products(cJSON *output)
{
    static const char *const products[] = {"csv", "geojson", "kml"};
    for (size_t k = 0; k < tsunami_keys.count; k++)
        if (strcmp(tsunami_keys.keys[k].path, "output.products") == 0)
            cJSON_AddItemToObject(output, "products", cJSON_CreateStringArray(products, 3));
}

static void add_output(const struct forecast_choices *c, cJSON *job)
{
    static const char *const arrival[] = {"3 cm"};
    cJSON *output = cJSON_AddObjectToObject(job, "output"), *points;
    cJSON_AddStringToObject(output, "directory", c->options->directory);
    cJSON_AddBoolToObject(output, "maxima", true);
    cJSON_AddItemToObject(output, "arrival", cJSON_CreateStringArray(arrival, 1));
    cJSON_AddBoolToObject(output, "travel_time", true);
    add_threats(output, c->options->threat);
    points = cJSON_AddObjectToObject(output, "points");
    cJSON_AddStringToObject(points, "file", c->points_path);
    add_quantity(points, "search", c->search_km, "km");
    add_products(output);
}

cJSON *forecast_job(const struct forecast_choices *c)
{
    cJSON *job = cJSON_CreateObject();
    cJSON_AddNumberToObject(job, "fathom", 1);
    cJSON_AddStringToObject(job, "model", "tsunami");
    cJSON_AddStringToObject(job, "title", c->title);
    cJSON_AddStringToObject(job, "// made by", "fathom forecast; docs/event-forecast.md has the rules");
    add_domain(c, job);
    cJSON_AddStringToObject(job, "method", c->options->method);
    cJSON *physics = cJSON_AddObjectToObject(job, "physics");
    cJSON_AddNumberToObject(physics, "manning_n", 0.025);
    add_quantity(physics, "wall_depth", wall_depth_m, "m");
    cJSON_AddItemToObject(job, "source", cJSON_Duplicate(c->source_block, 1));
    cJSON *time = cJSON_AddObjectToObject(job, "time");
    add_quantity(time, "duration", c->hours, "h");
    if (c->origin[0])
        cJSON_AddStringToObject(time, "origin", c->origin);
    add_output(c, job);
    return job;
}
