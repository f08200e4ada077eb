// The block `source` of a job as checked parameters: faults, displacements, the water's state at the start.
// Reads headers and tables of the input files, no arrays.
#include "models/tsunami/params_private.h"
#include "models/tsunami/source_field.h"

#include "models/tsunami/axis.h"

#include "core/log.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status append_faults(struct fault_table *to, struct fault_table *from)
{
    struct fault *joined = realloc(to->faults, (to->count + from->count) * sizeof *joined);
    if (!joined) {
        fault_table_free(from);
        return FAIL(STATUS_SYSTEM, "no memory for %zu faults", to->count + from->count);
    }
    memcpy(joined + to->count, from->faults, from->count * sizeof *joined);
    to->faults = joined;
    to->count += from->count;
    to->is_geographic = from->is_geographic;
    fault_table_free(from);
    return STATUS_OK;
}

static enum status read_sift(const struct job *job, struct tsunami_params *p)
{
    const size_t count = job_list_length(job, "source.sift.slips");
    if (!job_has(job, "source.sift.table") || count == 0)
        return job_fail(job, "source.sift",
                        "needs both \"table\" and \"slips\", with at least one unit source");
    CHECK_ABOUT(path_find(job_string(job, "source.sift.table"), job_directory(job), p->source->sift_path),
                "%s: source.sift.table", job_path(job));
    const char **names = calloc(count, sizeof *names);
    double *slips = calloc(count, sizeof *slips);
    enum status status =
        names && slips ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for %zu unit sources", count);
    struct fault_table table = {0};
    if (status == STATUS_OK) {
        p->source->sift_slips = cJSON_CreateObject();
        for (size_t k = 0; k < count; k++) {
            names[k] = job_map_name(job, "source.sift.slips", k);
            slips[k] = job_map_number(job, "source.sift.slips", k);
            cJSON_AddNumberToObject(p->source->sift_slips, names[k], slips[k]);
        }
        status = fault_table_read_sift(p->source->sift_path, names, slips, count, &table);
        if (status == STATUS_OK)
            fault_table_warn(&table, "source.sift.slips", names);
    }
    free(names);
    free(slips);
    CHECK(status);
    return append_faults(&p->source->faults, &table);
}

static enum status read_fault_table(const struct job *job, struct tsunami_params *p)
{
    struct fault_table table = {0};
    const char *name = cJSON_GetStringValue(job_json(job, "source.faults"));
    if (name) {
        CHECK_ABOUT(path_find(name, job_directory(job), p->source->faults_path), "%s: source.faults",
                    job_path(job));
        CHECK(tsunami_params_read_rupture(job, p->source->faults_path, &p->source->rupture, &table));
        fault_table_warn(&table, p->source->faults_path, NULL);
    } else {
        CHECK_ABOUT(fault_table_parse(job_json(job, "source.faults"), "source.faults", &table), "%s",
                    job_path(job));
        fault_table_warn(&table, "source.faults", NULL);
        if (job_has(job, "source.faults_reference")) {
            fault_table_free(&table);
            return job_fail(job, "source.faults_reference",
                            "has no effect: source.faults is a table that states it");
        }
    }
    p->source->rupture_faults = table.count;
    return append_faults(&p->source->faults, &table);
}

static enum status read_earthquake(const struct job *job, struct tsunami_params *p)
{
    struct fault fault;
    CHECK(tsunami_params_read_earthquake(job, p->earth_radius_m, &p->source->earthquake, &fault));
    struct fault_table table;
    CHECK(tsunami_params_divide_earthquake(job, p->earth_radius_m, &p->source->earthquake, &table));
    fault_table_warn(&table, "source.earthquake", NULL);
    return append_faults(&p->source->faults, &table);
}

// A hint if the two longitudes of the domain may have been swapped: the domain then covers the rest of the
// circle, without the source. "" if the longitudes ascend, or if the latitude of the fault is outside, too.
enum { SWAPPED_TEXT_BYTES = 128 };
static const char *swapped_text(const struct job *job, const struct grid_window *w, double latitude_deg,
                                char text[SWAPPED_TEXT_BYTES])
{
    const bool is_turned =
        w->is_geographic && job_has(job, "domain.longitude") &&
        job_list_quantity(job, "domain.longitude", 1) < job_list_quantity(job, "domain.longitude", 0);
    text[0] = '\0';
    if (is_turned && latitude_deg >= w->y[0] && latitude_deg <= w->y[w->ny - 1])
        snprintf(text, SWAPPED_TEXT_BYTES,
                 "; the domain runs eastward from %g to %g: are the two longitudes swapped?", w->x[0],
                 w->x[w->nx - 1]);
    return text;
}

// Every fault's reference point must lie in the domain, so that a missing minus sign is found.
static enum status check_faults(const struct job *job, const struct tsunami_params *p)
{
    const struct grid_window *w = &p->window;
    char text[SWAPPED_TEXT_BYTES];
    for (size_t k = 0; k < p->source->faults.count; k++) {
        const struct fault *fault = &p->source->faults.faults[k];
        if (p->source->faults.is_geographic != w->is_geographic)
            return job_fail(job, "source", "fault %zu is given in %s, the grid in %s", k + 1,
                            p->source->faults.is_geographic ? "degrees" : "metres",
                            w->is_geographic ? "degrees" : "metres");
        double x = fault->longitude_deg;
        if (w->is_geographic)
            x = axis_longitude(w, x);
        if (x < w->x[0] || x > w->x[w->nx - 1] || fault->latitude_deg < w->y[0] ||
            fault->latitude_deg > w->y[w->ny - 1])
            return job_fail(job, "source",
                            "fault %zu at (%g, %g) lies outside the domain (%g to %g, %g to %g)%s", k + 1,
                            fault->longitude_deg, fault->latitude_deg, w->x[0], w->x[w->nx - 1], w->y[0],
                            w->y[w->ny - 1], swapped_text(job, w, fault->latitude_deg, text));
    }
    return STATUS_OK;
}

// It is a mistake if all faults begin after the end of the run. If only some of them do, it may be intended.
static enum status check_fault_times(const struct job *job, const struct tsunami_params *p)
{
    double first_s = INFINITY;
    size_t acting = 0, late = 0;
    for (size_t k = 0; k < p->source->faults.count; k++) {
        const struct fault *fault = &p->source->faults.faults[k];
        if (fault->slip_m == 0)
            continue;
        first_s = fmin(first_s, fault->start_s);
        late += fault->start_s >= p->duration_s;
        acting++;
    }
    if (acting > 0 && late == acting)
        return job_fail(job, "source.faults",
                        "the source begins after the end of the run: the first fault begins at %g s, the run "
                        "ends at %g s",
                        first_s, p->duration_s);
    if (late > 0)
        log_warning(
            "source.faults: %zu of %zu faults begin after the end of the run at %g s and have no effect",
            late, acting, p->duration_s);
    return STATUS_OK;
}

// What is needed to open a grid of the source.
struct plain_grid {
    const char *file_key, *override_key; // of the job
    const char *path, *variable, *units, *target_units;
    bool may_have_times, overrides;
    bool points_up; // an uplift or an elevation: values positive down would invert the wave
};

// Elevations and uplifts have no key for their sign: a file that is positive down is refused or overridden.
static enum status check_points_up(const struct job *job, const struct plain_grid *plain,
                                   const struct grid_file *file, char set_aside[512])
{
    const struct grid_info *info = grid_info(file);
    snprintf(set_aside, 512, "%s", info->set_aside);
    if (!plain->points_up || !info->sign_statement[0] || info->file_positive != GRID_POSITIVE_DOWN)
        return STATUS_OK;
    if (!plain->overrides)
        return job_fail(
            job, plain->file_key,
            "%s: variable %s states %s, but its values must be positive up; change their sign, or, "
            "if the file is wrong about it, add \"override\": true",
            plain->path, info->variable, info->sign_statement);
    const size_t used = strlen(set_aside);
    snprintf(set_aside + used, 512 - used, "%svalues read as positive up, although the file states %s",
             used > 0 ? "; " : "", info->sign_statement);
    return STATUS_OK;
}

// Axes without units are read as the bathymetry's axes: geographic or plane.
static enum status open_plain_grid(const struct job *job, const struct plain_grid *plain, bool is_geographic,
                                   struct grid_file **file)
{
    const struct grid_request request = {
        .path = plain->path,
        .variable = plain->variable,
        .positive = GRID_PLAIN,
        .units = plain->units,
        .overrides = plain->overrides,
        .target_units = plain->target_units,
        .time_index = plain->may_have_times ? 0 : -1,
        .axes = is_geographic ? GRID_AXES_GEOGRAPHIC : GRID_AXES_PLANE,
    };
    char set_aside[512];
    CHECK_ABOUT(grid_open(&request, file), "%s: %s", job_path(job), plain->file_key);
    CHECK(check_points_up(job, plain, *file, set_aside));
    // `override` is checked once a block, for its first grid.
    if (plain->points_up || set_aside[0])
        tsunami_params_warn_of_override(job, plain->override_key, plain->overrides, plain->path, set_aside);
    return STATUS_OK;
}

// A displacement or initial grid must overlap the domain.
static enum status check_overlap(const struct job *job, const char *key, const struct grid_file *file,
                                 const struct grid_window *w)
{
    const struct grid_info *info = grid_info(file);
    if (info->is_geographic != w->is_geographic)
        return job_fail(job, key, "%s is in %s, the bathymetry in %s", grid_path(file),
                        info->is_geographic ? "degrees" : "metres", w->is_geographic ? "degrees" : "metres");
    bool overlaps = false;
    for (int turn = -1; turn <= 1; turn++) {
        const double shift = w->is_geographic ? 360.0 * turn : 0;
        overlaps |= info->x[0] + shift <= w->x[w->nx - 1] && info->x[info->nx - 1] + shift >= w->x[0];
    }
    overlaps = overlaps && info->y[0] <= w->y[w->ny - 1] && info->y[info->ny - 1] >= w->y[0];
    if (!overlaps)
        return job_fail(job, key, "%s (%g to %g, %g to %g) lies outside the domain (%g to %g, %g to %g)",
                        grid_path(file), info->x[0], info->x[info->nx - 1], info->y[0], info->y[info->ny - 1],
                        w->x[0], w->x[w->nx - 1], w->y[0], w->y[w->ny - 1]);
    return STATUS_OK;
}

// A grid of the source must have a value somewhere: missing ones, NaN and infinities count as 0, and a grid
// of them alone would start no wave. A sample of the rows tells it of most files.
static enum status check_has_values(const struct job *job, const char *key, struct grid_file *file)
{
    enum { SAMPLE_ROWS = 64 };
    const size_t records = grid_info(file)->records;
    for (int is_whole = 0; is_whole < 2; is_whole++)
        for (size_t k = 0; k < records; k++) {
            struct grid_scan scan = {.rows_most = is_whole ? 0 : SAMPLE_ROWS};
            CHECK(grid_select_record(file, k));
            CHECK_ABOUT(grid_scan(file, &scan), "%s: %s", job_path(job), key);
            if (!isnan(scan.maximum))
                return grid_select_record(file, 0);
        }
    return job_fail(job, key,
                    "%s: %s%shas no value: all are missing, not a number or infinite; expected heights or "
                    "speeds where the source acts",
                    grid_path(file), grid_info(file)->variable, grid_info(file)->variable[0] ? " " : "");
}

// Opens the grid of uplifts, if the job has one.
static enum status read_displacement(const struct job *job, struct tsunami_params *p)
{
    static const char key[] = "source.displacement";
    struct tsunami_source *s = p->source;
    if (!job_has(job, "source.displacement.file"))
        return STATUS_OK;
    CHECK_ABOUT(
        path_find(job_string(job, "source.displacement.file"), job_directory(job), s->displacement_path),
        "%s: source.displacement.file", job_path(job));
    const struct plain_grid plain = {.file_key = key,
                                     .override_key = "source.displacement.override",
                                     .path = s->displacement_path,
                                     .variable = job_string(job, "source.displacement.variable"),
                                     .units = job_string(job, "source.displacement.units"),
                                     .target_units = "m",
                                     .may_have_times = true,
                                     .overrides = job_boolean(job, "source.displacement.override"),
                                     .points_up = true};
    CHECK(open_plain_grid(job, &plain, p->window.is_geographic, &s->displacement));
    CHECK(check_overlap(job, key, s->displacement, &p->window));
    CHECK(check_has_values(job, key, s->displacement));
    if (grid_info(s->displacement)->records > 1 && !grid_info(s->displacement)->times_s)
        return job_fail(job, key, "%s has several records, but no time axis", s->displacement_path);
    s->displacement_start_s = job_quantity(job, "source.displacement.start");
    s->displacement_rise_s = job_quantity(job, "source.displacement.rise");
    if (s->displacement_start_s >= p->duration_s)
        return job_fail(
            job, "source.displacement.start",
            "the source begins after the end of the run: the uplift begins at %g s, the run ends at %g s",
            s->displacement_start_s, p->duration_s);
    return STATUS_OK;
}

static enum status read_initial(const struct job *job, struct tsunami_params *p)
{
    static const char *const keys[TSUNAMI_FIELDS] = {"source.initial.eta", "source.initial.u",
                                                     "source.initial.v"};
    struct tsunami_source *s = p->source;
    if (!job_has(job, "source.initial.file"))
        return STATUS_OK;
    s->initial_floods_land = job_boolean(job, "source.initial.floods_land");
    CHECK_ABOUT(path_find(job_string(job, "source.initial.file"), job_directory(job), s->initial_path),
                "%s: source.initial.file", job_path(job));
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        s->initial_variables[f] = job_string(job, keys[f]);
        if (f > 0 && !s->initial_variables[f])
            continue;
        const struct plain_grid plain = {.file_key = keys[f],
                                         .override_key = "source.initial.override",
                                         .path = s->initial_path,
                                         .variable = s->initial_variables[f],
                                         .target_units = f == 0 ? "m" : "m s-1",
                                         .overrides = job_boolean(job, "source.initial.override"),
                                         .points_up = f == 0};
        CHECK(open_plain_grid(job, &plain, p->window.is_geographic, &s->initial[f]));
        CHECK(check_overlap(job, keys[f], s->initial[f], &p->window));
        CHECK(check_has_values(job, keys[f], s->initial[f]));
    }
    return STATUS_OK;
}

// Left out, the filter is for faults: a displacement may have been filtered, or be a landslide's.
static enum status read_filter(const struct job *job, struct tsunami_source *s)
{
    const char *name = job_string(job, "source.filter");
    if (name && s->faults.count == 0 && !s->displacement)
        return job_fail(job, "source.filter", "has no effect: there are neither faults nor a displacement");
    s->filters_faults = !name || strcmp(name, "kajiura") == 0;
    s->filters_displacement = name && s->filters_faults;
    return STATUS_OK;
}

enum status tsunami_params_read_source(const struct job *job, struct tsunami_params *p)
{
    static const struct tsunami_companions pairs[] = {
        {"source.faults_reference", "source.faults"},
        {"source.initial.eta", "source.initial.file"},
        {"source.initial.u", "source.initial.file"},
        {"source.initial.v", "source.initial.file"},
        {"source.initial.floods_land", "source.initial.file"},
        {"source.initial.override", "source.initial.file"},
        {"source.displacement.variable", "source.displacement.file"},
        {"source.displacement.units", "source.displacement.file"},
        {"source.displacement.override", "source.displacement.file"},
        {"source.displacement.start", "source.displacement.file"},
        {"source.displacement.rise", "source.displacement.file"},
        {"source.edges.field.start", "source.edges.field.file"}};
    CHECK(tsunami_params_check_companions(job, pairs, sizeof pairs / sizeof *pairs));
    p->source = calloc(1, sizeof *p->source);
    if (!p->source)
        return FAIL(STATUS_SYSTEM, "no memory for the source");
    p->owns_source = true;
    p->source->fault_extent_m = job_quantity(job, "source.extent");
    p->source->has_slope_term = job_boolean(job, "source.horizontal");
    if (job_has(job, "source.faults"))
        CHECK(read_fault_table(job, p));
    if (job_has(job, "source.earthquake"))
        CHECK(read_earthquake(job, p));
    if (job_has(job, "source.sift.table") || job_has(job, "source.sift.slips"))
        CHECK(read_sift(job, p));
    CHECK(check_faults(job, p));
    CHECK(check_fault_times(job, p));
    CHECK(read_displacement(job, p));
    CHECK(read_filter(job, p->source));
    CHECK(read_initial(job, p));
    CHECK(tsunami_params_read_waves(job, p));
    CHECK(tsunami_params_read_field(job, p));
    const struct tsunami_source *s = p->source;
    const bool has_wave = s->solitary.is_given || tsunami_source_has_edges(s);
    if (s->faults.count == 0 && !s->displacement && !s->initial[0] && !has_wave)
        return job_fail(job, "source",
                        "nothing starts a wave: give earthquake, faults, sift, displacement, initial, "
                        "solitary or edges");
    return STATUS_OK;
}

void tsunami_source_free(struct tsunami_source *source)
{
    if (!source)
        return;
    grid_close(source->displacement);
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        grid_close(source->initial[f]);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        series_close(source->waves[side].series);
    tsunami_field_free(&source->field);
    fault_table_free(&source->faults);
    cJSON_Delete(source->sift_slips);
    free(source);
}
