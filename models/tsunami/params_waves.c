// Waves given by the job as checked parameters: `source.edges` (series at the edges) and `source.solitary`.
// Reads the series' files once and keeps no values.
#include "models/tsunami/params_private.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY_BYTES = 64, COLUMN_NUMBER_MAX = 10000 };

// Larger values are marks of missing ones, or in another unit.
static const double largest_elevation_m = 12000, largest_velocity_m_s = 1000;

// The highest solitary wave over depth: 0.8332 (Longuet-Higgins & Fenton 1974, Proc. R. Soc. Lond. A 340,
// 471–493, has 0.827; later work 0.8332).
static const double highest_solitary = 0.8332;

const char *const tsunami_side_names[TSUNAMI_SIDES] = {"west", "east", "south", "north"};

static const char *edge_key(char key[KEY_BYTES], enum tsunami_side side, const char *name)
{
    snprintf(key, KEY_BYTES, "source.edges.%s.%s", tsunami_side_names[side], name);
    return key;
}

// Which column of a table (a number), or variable of a netCDF file (a name).
static enum status read_column(const struct job *job, enum tsunami_side side, const char *name,
                               const char *unit_name, struct series_column *column)
{
    char key[KEY_BYTES];
    const cJSON *item = job_json(job, edge_key(key, side, name));
    column->key = name;
    column->unit_key = unit_name;
    if (cJSON_IsString(item)) {
        column->variable = item->valuestring;
    } else if (item) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 1 && item->valuedouble <= COLUMN_NUMBER_MAX) ||
            item->valuedouble != floor(item->valuedouble))
            return job_fail(job, key,
                            "must be the number of a column, from 1, of a text table, or the name of a "
                            "variable of a netCDF file, in quotation marks");
        column->number = item->valueint;
    }
    column->unit = job_string(job, edge_key(key, side, unit_name));
    return STATUS_OK;
}

static enum status open_series(const struct job *job, const struct tsunami_params *p, enum tsunami_side side,
                               struct tsunami_wave *wave)
{
    char key[KEY_BYTES];
    struct series_request request = {.path = wave->path,
                                     .time = {.target = "s"},
                                     .values = {{.target = "m", .limit = largest_elevation_m},
                                                {.target = "m s-1", .limit = largest_velocity_m_s}},
                                     .value_count = wave->has_velocity ? 2 : 1,
                                     .origin = p->time_origin[0] ? p->time_origin : NULL};
    request.overrides = job_boolean(job, edge_key(key, side, "override"));
    request.skip_lines = (int)job_integer(job, edge_key(key, side, "skip_lines"));
    CHECK(read_column(job, side, "time", "time_unit", &request.time));
    CHECK(read_column(job, side, "eta", "eta_unit", &request.values[0]));
    CHECK(read_column(job, side, "velocity", "velocity_unit", &request.values[1]));
    CHECK_ABOUT(series_open(&request, &wave->series), "%s: source.edges.%s", job_path(job),
                tsunami_side_names[side]);
    edge_key(key, side, "override");
    tsunami_params_warn_of_override(job, key, request.overrides, wave->path,
                                    series_info(wave->series)->set_aside);
    return STATUS_OK;
}

// A series entirely before or after the run is a mistake: a wrong start or unit of time.
static enum status check_times(const struct job *job, const struct tsunami_params *p, enum tsunami_side side,
                               const struct tsunami_wave *wave)
{
    char key[KEY_BYTES];
    const struct series_info *info = series_info(wave->series);
    const double first_s = wave->start_s + info->first_s, last_s = wave->start_s + info->last_s;
    edge_key(key, side, "start");
    if (first_s >= p->duration_s)
        return job_fail(job, key,
                        "the source begins after the end of the run: %s begins at %g s, the run ends at %g s",
                        wave->path, first_s, p->duration_s);
    if (last_s <= 0)
        return job_fail(job, key, "%s ends at %g s, before the run begins", wave->path, last_s);
    return STATUS_OK;
}

static enum status read_wave(const struct job *job, struct tsunami_params *p, enum tsunami_side side)
{
    static const char *const words[] = {[TSUNAMI_EDGE_OPEN] = "open",
                                        [TSUNAMI_EDGE_WALL] = "wall",
                                        [TSUNAMI_EDGE_PERIODIC] = "periodic",
                                        [TSUNAMI_EDGE_GIVEN] = "given"};
    struct tsunami_wave *wave = &p->source->waves[side];
    char key[KEY_BYTES];
    if (!job_has(job, edge_key(key, side, "file")))
        return STATUS_OK;
    if (p->edges[side] != TSUNAMI_EDGE_OPEN)
        return job_fail(job, key, "a wave is given at an edge that domain.edges.%s makes %s: leave one out",
                        tsunami_side_names[side], words[p->edges[side]]);
    CHECK_ABOUT(path_find(job_string(job, key), job_directory(job), wave->path), "%s: %s", job_path(job),
                key);
    wave->has_velocity = job_has(job, edge_key(key, side, "velocity"));
    wave->is_travelling = job_boolean(job, edge_key(key, side, "travelling"));
    if (wave->has_velocity && wave->is_travelling)
        return job_fail(job, key, "the velocity is given too: leave one out");
    if (!wave->has_velocity && job_has(job, edge_key(key, side, "velocity_unit")))
        return job_fail(job, key, "has no effect without source.edges.%s.velocity", tsunami_side_names[side]);
    wave->keeps_discharge = job_boolean(job, edge_key(key, side, "keeps_discharge"));
    if (wave->keeps_discharge && !wave->has_velocity)
        return job_fail(job, key, "needs source.edges.%s.velocity: there is no discharge without it",
                        tsunami_side_names[side]);
    if (wave->keeps_discharge && !tsunami_method_has_cells(p->physics.method))
        return job_fail(job, key, "method \"%s\" cannot; \"%s\" can", tsunami_method_name(p->physics.method),
                        tsunami_method_name(TSUNAMI_MUSCL_HANCOCK));
    wave->start_s = job_quantity(job, edge_key(key, side, "start"));
    CHECK(open_series(job, p, side, wave));
    CHECK(check_times(job, p, side, wave));
    p->edges[side] = TSUNAMI_EDGE_GIVEN;
    return STATUS_OK;
}

// The wave must reach into the domain; it decays with distance from its crest.
static enum status check_solitary_place(const struct job *job, const struct tsunami_params *p)
{
    const struct tsunami_solitary *wave = &p->source->solitary;
    const struct grid_window *w = &p->window;
    const bool is_along_x = wave->toward == TSUNAMI_WEST || wave->toward == TSUNAMI_EAST;
    const double *axis = is_along_x ? w->x : w->y;
    const size_t count = is_along_x ? w->nx : w->ny;
    const double outside_m = fmax(axis[0] - wave->crest_m, wave->crest_m - axis[count - 1]);
    if (outside_m > 0 && isnan(wave->depth_m))
        return job_fail(job, "source.solitary.crest",
                        "%c = %g m lies outside the domain (%g to %g m): give the depth on which the wave "
                        "travels, with source.solitary.depth",
                        is_along_x ? 'x' : 'y', wave->crest_m, axis[0], axis[count - 1]);
    if (outside_m > 0 && pow(cosh(tsunami_solitary_decay_per_m(wave) * outside_m), -2) < 1e-3)
        return job_fail(
            job, "source.solitary.crest",
            "%c = %g m lies so far outside the domain (%g to %g m) that nothing of the wave is in it",
            is_along_x ? 'x' : 'y', wave->crest_m, axis[0], axis[count - 1]);
    return STATUS_OK;
}

// Serre's wave keeps its form in his equations alone, and with its own velocity.
static enum status read_solitary_form(const struct job *job, const struct tsunami_params *p,
                                      struct tsunami_solitary *wave)
{
    const char *velocity = job_string(job, "source.solitary.velocity");
    wave->is_serre = strcmp(job_string(job, "source.solitary.profile"), "serre") == 0;
    wave->is_exact = velocity ? strcmp(velocity, "exact") == 0 : wave->is_serre;
    if (wave->is_serre && !p->physics.has_dispersion)
        return job_fail(
            job, "source.solitary.profile",
            "\"serre\" keeps its form with \"physics\": {\"dispersion\": true}, which this job has not");
    if (wave->is_serre && !wave->is_exact)
        return job_fail(job, "source.solitary.velocity",
                        "the profile \"serre\" has the exact velocity: leave this out");
    return STATUS_OK;
}

double tsunami_solitary_decay_per_m(const struct tsunami_solitary *wave)
{
    const double d = wave->depth_m, height = wave->height_m;
    return sqrt(0.75 * height / (d * d * (wave->is_serre ? d + height : d)));
}

static enum status read_solitary(const struct job *job, struct tsunami_params *p)
{
    struct tsunami_solitary *wave = &p->source->solitary;
    if (!job_has(job, "source.solitary.height"))
        return STATUS_OK;
    if (p->window.is_geographic)
        return job_fail(job, "source.solitary", "is for plane grids, this one is in degrees");
    if (job_has(job, "source.initial.file"))
        return job_fail(job, "source.solitary",
                        "source.initial gives the state at the start too: leave one out");
    wave->is_given = true;
    wave->height_m = job_quantity(job, "source.solitary.height");
    wave->crest_m = job_quantity(job, "source.solitary.crest");
    wave->depth_m = job_has(job, "source.solitary.depth") ? job_quantity(job, "source.solitary.depth") : NAN;
    CHECK(read_solitary_form(job, p, wave));
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (strcmp(job_string(job, "source.solitary.toward"), tsunami_side_names[side]) == 0)
            wave->toward = (enum tsunami_side)side;
    if (!isnan(wave->depth_m))
        CHECK_ABOUT(tsunami_solitary_check(wave), "%s", job_path(job));
    return check_solitary_place(job, p);
}

enum status tsunami_solitary_check(const struct tsunami_solitary *wave)
{
    if (wave->height_m > highest_solitary * wave->depth_m)
        return FAIL(
            STATUS_CONFIGURATION,
            "source.solitary.height: %g m on a depth of %g m: the highest solitary wave has %g of the depth",
            wave->height_m, wave->depth_m, highest_solitary);
    return STATUS_OK;
}

enum status tsunami_params_read_waves(const struct job *job, struct tsunami_params *p)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        CHECK(read_wave(job, p, (enum tsunami_side)side));
    return read_solitary(job, p);
}
