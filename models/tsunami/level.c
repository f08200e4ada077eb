// One grid of a run: created from its part of the job, planned, prepared, started, advanced. Nesting is in
// nesting.c, the physics in the solvers, the sources in source.c, the results in output.c.
#include "models/tsunami/instance.h"
#include "models/tsunami/nesting.h"
#include "models/tsunami/results.h"
#include "models/tsunami/sea.h"

#include "core/log.h"
#include "io/checkpoint_set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tsunami_level_destroy(struct tsunami_level *t)
{
    if (!t)
        return;
    if (t->solver)
        solver_destroy(&t->backend->head, t->solver);
    if (t->reference)
        solver_destroy(&t->reference_backend->head, t->reference);
    tsunami_output_free(t);
    tsunami_sea_free(t->sea);
    tsunami_sea_free(t->shallower_sea);
    free(t->is_link_fed);
    free(t->row_work);
    free(t->shares);
    tsunami_params_free(&t->params);
    if (t->parent)
        job_free((struct job *)t->job);
    free(t);
}

// The tables of the back end for the level's method, and of the reference.
static enum status choose_backend(struct tsunami_level *t)
{
    const enum tsunami_method method = t->params.physics.method;
    t->backend = tsunami_backend_for(t->params.backend, method);
    if (!t->backend && !t->parent && strcmp(job_string(t->job, "backend"), "auto") == 0) {
        log_warning("the back end %s cannot compute with \"%s\": openmp does", t->params.backend->head.name,
                    tsunami_method_name(method));
        t->params.backend = &tsunami_backend_openmp;
        t->backend = tsunami_backend_for(t->params.backend, method);
    }
    t->reference_backend = tsunami_backend_for(&tsunami_backend_reference, method);
    char names[160] = "";
    size_t length = 0;
    for (int k = 0; k < tsunami_backends.count; k++) {
        const struct backend *head = tsunami_backends.members[k];
        if (tsunami_backend_for((const struct tsunami_backend *)head, method) && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                                       head->name);
    }
    if (!t->backend || !t->reference_backend)
        return job_fail(t->job, "method", "the back end %s cannot compute with \"%s\"; %s can",
                        t->params.backend->head.name, tsunami_method_name(method), names[0] ? names : "none");
    if (t->params.physics.has_dispersion && !t->backend->has_dispersion)
        return job_fail(t->job, "physics.dispersion",
                        "the back end %s cannot compute dispersion; reference, openmp and cuda can",
                        t->params.backend->head.name);
    return STATUS_OK;
}

static enum status create(struct tsunami_level *t)
{
    const struct job *job = t->job;
    CHECK(tsunami_params_read(job, t->parent ? &t->parent->params : NULL, &t->params));
    CHECK(choose_backend(t));
    if (t->parent)
        CHECK(tsunami_nesting_check_place(t));
    CHECK(tsunami_level_check_size(t));
    CHECK_KEY(job, "domain.bathymetry", tsunami_survey(t));
    if (t->parent)
        CHECK(tsunami_nesting_check_bottom(t));
    CHECK(tsunami_waves_check(t));
    return tsunami_level_choose_step(t);
}

enum status tsunami_level_create(const struct job *job, const char *name, struct tsunami_level *parent,
                                 struct tsunami_level **level)
{
    struct tsunami_level *t = calloc(1, sizeof *t);
    *level = NULL;
    if (!t)
        return FAIL(STATUS_SYSTEM, "no memory for the tsunami model");
    t->job = job;
    t->parent = parent;
    if (parent) {
        t->next_sibling = parent->first_child;
        parent->first_child = t;
    }
    snprintf(t->name, sizeof t->name, "%s", name);
    if (name[0]) {
        snprintf(t->prefix, sizeof t->prefix, "%s ", name);
        snprintf(t->about, sizeof t->about, "nested grid %s: ", name);
    }
    *level = t;
    return create(t);
}

static enum status plan_solvers(struct tsunami_level *t, struct memory_plan *memory)
{
    bool is_given = false;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        is_given |= t->geometry.edges[side] == TSUNAMI_EDGE_GIVEN;
    const struct tsunami_setup setup = {.geometry = &t->geometry,
                                        .physics = &t->params.physics,
                                        .records = &t->records,
                                        .depth_m = (const double *const *)&t->depth_m,
                                        .precision = t->params.precision,
                                        .step_s = t->step_s,
                                        .start_s = t->start_s,
                                        .given = is_given ? t->given : NULL,
                                        .parent = t->parent ? t->parent->solver : NULL,
                                        .links = (const struct tsunami_link *const *)&t->links,
                                        .link_count = t->link_count,
                                        .device = t->params.device,
                                        .skips_quiet_tiles = true,
                                        .ranks = t->ranks,
                                        .shares = t->shares};
    // A solver counts the bytes of its own step. A grid that is whole may have a parent that is not.
    struct ranks *ranks = t->parent && !t->shares ? t->parent->ranks : t->ranks;
    const double before = ranks->planned_step_bytes;
    CHECK(t->backend->plan(&setup, memory, t->prefix, &t->solver));
    ranks->planned_step_bytes =
        before + (double)t->steps_per_outermost * (ranks->planned_step_bytes - before);
    CHECK(tsunami_results_plan(t, memory));
    if (t->params.check_steps == 0 || t->ranks->rank > 0)
        return STATUS_OK;
    struct tsunami_setup check = setup;
    check.records = &t->no_records;
    t->no_records.wet_depth_m = t->records.wet_depth_m;
    return t->reference_backend->plan(&check, memory, "check ", &t->reference);
}

static enum status plan_cache(const struct tsunami_level *t, struct memory_plan *memory,
                              const struct grid_file *file, const char *what)
{
    char name[MEMORY_NAME_MAX];
    if (!file || grid_cache_bytes(file) == 0)
        return STATUS_OK;
    snprintf(name, sizeof name, "%snetCDF chunks, %s", t->prefix, what);
    return memory_plan_add_library(memory, grid_cache_bytes(file), name);
}

// netCDF-4's cache of the files' chunks while their rows are read.
static enum status plan_caches(const struct tsunami_level *t, struct memory_plan *memory)
{
    const struct tsunami_source *source = t->params.source;
    CHECK(plan_cache(t, memory, t->params.bathymetry, "bathymetry"));
    if (t->parent) // the source's files are open once
        return STATUS_OK;
    CHECK(plan_cache(t, memory, source->displacement, "displacement"));
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(plan_cache(t, memory, source->initial[f], "initial"));
    return STATUS_OK;
}

enum status tsunami_level_plan(struct tsunami_level *t, struct memory_plan *memory, struct model_plan *plan)
{
    t->records.wet_depth_m = t->params.wet_depth_m;
    CHECK(plan_caches(t, memory));
    CHECK(tsunami_geometry_plan(t, memory));
    CHECK(tsunami_source_plan(t, memory));
    if (t->parent)
        CHECK(tsunami_nesting_plan(t, memory));
    CHECK(tsunami_source_plan_edges(t, memory));
    CHECK(tsunami_diagnostics_plan(t, memory));
    CHECK(tsunami_runup_plan(t, memory));
    CHECK(tsunami_output_plan(t, memory, plan));
    return plan_solvers(t, memory);
}

// ---- checkpoints

// The arrays, with their rows: "rows" as in io/checkpoint_set.h, all zero for what is the same on all ranks.
struct checkpoint_list {
    struct checkpoint_array *arrays;
    struct checkpoint_rows *rows;
    int count;
};

static void add_array(struct tsunami_level *t, struct checkpoint_list *list, const char *name, void *data,
                      size_t bytes)
{
    char *kept = t->array_names[list->count], whole[sizeof t->array_names[0]];
    snprintf(whole, sizeof whole, "%.25s%.30s", t->prefix, name);
    // Each name is written once: the I/O thread may be reading it for the checkpoint before.
    if (strcmp(kept, whole) != 0)
        memcpy(kept, whole, sizeof whole);
    list->rows[list->count] = (struct checkpoint_rows){0};
    list->arrays[list->count++] = (struct checkpoint_array){kept, data, bytes};
}

// Of this rank's rows, with the array's row 0 at `data`. (NULL before the reservation.)
static void add_rows(struct tsunami_level *t, struct checkpoint_list *list, const char *name, void *data,
                     size_t row_bytes)
{
    const struct tsunami_rows own = t->own;
    add_array(t, list, name, data ? (void *)((uintptr_t)data + own.first * row_bytes) : NULL,
              (own.end - own.first) * row_bytes);
    list->rows[list->count - 1] = (struct checkpoint_rows){
        .row_bytes = row_bytes, .first = own.first, .end = own.end, .rows = t->geometry.ny};
}

static void add_records(struct tsunami_level *t, struct checkpoint_list *list)
{
    const struct tsunami_records *r = &t->records;
    const size_t row_bytes = t->geometry.pitch * sizeof(float);
    const struct {
        const char *name;
        float *array;
    } records[] = {{"max_eta", r->max_eta_m},       {"time_of_max", r->time_of_max_s},
                   {"max_speed", r->max_speed_m_s}, {"max_flux", r->max_flux_m2_s},
                   {"max_depth", r->max_depth_m},   {"first_drawdown", r->first_drawdown_s},
                   {"hazard", r->hazard_m2_s},      {"inundation", r->inundation_s},
                   {"wet since", r->wet_since_s}};
    const bool floods = t->params.has_maxima && tsunami_level_floods(t);
    const bool is_kept[] = {t->params.has_maxima,
                            t->params.has_maxima,
                            t->params.has_maxima,
                            t->params.has_maxima,
                            floods,
                            t->params.drawdown_m > 0,
                            floods,
                            floods,
                            floods};
    for (size_t k = 0; k < sizeof records / sizeof *records; k++)
        if (is_kept[k])
            add_rows(t, list, records[k].name, records[k].array, row_bytes);
    if (tsunami_source_level_is_kept(t))
        add_rows(t, list, "source level", r->source_level_m, row_bytes);
    if (r->points.count > 0)
        add_array(t, list, "points", r->points.states, r->points.count * sizeof *r->points.states);
    for (int a = 0; a < r->arrival_count; a++) {
        char name[32];
        snprintf(name, sizeof name, "arrival %d", a);
        add_rows(t, list, name, r->arrival_s[a], row_bytes);
    }
}

static void add_state(struct tsunami_level *t, struct checkpoint_list *list)
{
    struct checkpoint_array state[TSUNAMI_LEVEL_ARRAYS_MAX];
    struct checkpoint_rows rows[TSUNAMI_LEVEL_ARRAYS_MAX] = {0};
    const int count = t->backend->head.checkpoint_arrays(t->solver, state);
    if (t->backend->checkpoint_rows)
        t->backend->checkpoint_rows(t->solver, rows);
    for (int k = 0; k < count; k++) {
        add_array(t, list, state[k].name, state[k].data, state[k].bytes);
        list->rows[list->count - 1] = rows[k];
    }
}

static int list_arrays(struct tsunami_level *t, struct checkpoint_array *arrays, struct checkpoint_rows *rows)
{
    struct checkpoint_list list = {arrays, rows, 0};
    add_state(t, &list);
    add_records(t, &list);
    if (t->params.has_deformation)
        add_rows(t, &list, "deformation", t->deformation_m, t->geometry.nx * sizeof *t->deformation_m);
    if (tsunami_source_leaves_rest(t))
        add_array(t, &list, "rest of the uplift", t->uplift_rest_m,
                  t->geometry.nx * t->geometry.ny * sizeof *t->uplift_rest_m);
    if (tsunami_level_floods(t) && tsunami_source_moves(t, t->start_s, INFINITY)) // it moves with the bottom
        add_array(t, &list, "still depth", t->depth_m,
                  t->geometry.ny * t->geometry.pitch * sizeof *t->depth_m);
    add_array(t, &list, "first diagnostics", &t->first, sizeof t->first);
    // The verdict is on the whole run, so a failed check survives a stop. Always saved, because the job's
    // check may change between the legs of a run.
    if (t->check)
        add_array(t, &list, CHECK_RECORD_NAME, t->check, sizeof *t->check);
    return list.count;
}

int tsunami_level_checkpoint_arrays(struct tsunami_level *t, struct checkpoint_array *arrays)
{
    struct checkpoint_rows rows[TSUNAMI_LEVEL_ARRAYS_MAX];
    return list_arrays(t, arrays, rows);
}

int tsunami_level_checkpoint_rows(struct tsunami_level *t, struct checkpoint_rows *rows)
{
    struct checkpoint_array arrays[TSUNAMI_LEVEL_ARRAYS_MAX];
    return list_arrays(t, arrays, rows);
}

// ---- the run

enum status tsunami_level_prepare(struct tsunami_level *t)
{
    tsunami_level_log_step(t);
    tsunami_geometry_fill(t);
    CHECK(tsunami_read_bathymetry(t));
    CHECK(tsunami_condition_bathymetry(t));
    if (t->parent)
        tsunami_nesting_link(t);
    tsunami_output_depths(t);
    return tsunami_source_read(t);
}

// Of this rank's rows.
static void fill(const struct tsunami_level *t, float *array, float value)
{
    const size_t pitch = t->geometry.pitch;
    for (size_t k = t->own.first * pitch; array && k < t->own.end * pitch; k++)
        array[k] = value;
}

// Of a point, before the first record.
static const struct tsunami_point_state no_record = {.arrival_s = NAN,
                                                     .first_crest_m = NAN,
                                                     .first_crest_s = NAN,
                                                     .rising_m = -INFINITY,
                                                     .rising_s = NAN,
                                                     .crest_m = -INFINITY,
                                                     .crest_s = NAN,
                                                     .trough_m = INFINITY,
                                                     .trough_s = NAN};

static void clear_records(struct tsunami_level *t)
{
    const struct tsunami_records *r = &t->records;
    fill(t, r->max_eta_m, -INFINITY);
    fill(t, r->max_speed_m_s, 0);
    fill(t, r->max_flux_m2_s, 0);
    fill(t, r->max_depth_m, 0);
    fill(t, r->hazard_m2_s, 0);
    fill(t, r->inundation_s, 0);
    fill(t, r->wet_since_s, NAN);
    fill(t, r->source_level_m, 0);
    for (size_t k = 0; k < r->points.count; k++)
        r->points.states[k] = no_record;
    fill(t, r->time_of_max_s, NAN);
    fill(t, r->first_drawdown_s, NAN);
    for (int a = 0; a < r->arrival_count; a++)
        fill(t, r->arrival_s[a], NAN);
}

static double still_water_m3(const struct tsunami_level *t)
{
    const double dry_depth_m = tsunami_params_dry_depth_m(&t->params);
    double volume = 0;
    for (size_t j = 0; j < t->geometry.ny; j++) {
        double row = 0;
        for (size_t i = 0; i < t->geometry.nx; i++) {
            const double depth = t->depth_m[j * t->geometry.pitch + i];
            if (depth > dry_depth_m)
                row += depth * tsunami_cell_area_m2(t, i, j);
        }
        volume += row;
    }
    return volume;
}

static enum status start_source_level(struct tsunami_level *t)
{
    if (!tsunami_source_level_is_kept(t))
        return STATUS_OK;
    CHECK(tsunami_fetch(t));
    CHECK(tsunami_source_level_start(t));
    return t->backend->send_records ? t->backend->send_records(t->solver) : STATUS_OK;
}

enum status tsunami_level_start(struct tsunami_level *t)
{
    clear_records(t);
    CHECK(t->backend->start(t->solver));
    if (t->reference)
        CHECK(t->reference_backend->start(t->reference));
    CHECK(tsunami_source_start(t));
    tsunami_filter_start(t);
    CHECK(tsunami_source_lift_start(t));
    tsunami_filter_prepare(t);
    CHECK(start_source_level(t));
    t->backend->record(t->solver, t->start_s);
    // Of the state in record 0, and on the host: the first checkpoint holds it.
    CHECK(tsunami_fetch(t));
    CHECK(tsunami_diagnose(t, &t->first));
    CHECK(tsunami_runup_start(t));
    t->still_water_m3 = still_water_m3(t);
    t->has_first = true;
    return STATUS_OK;
}

enum status tsunami_level_resumed(struct tsunami_level *t)
{
    CHECK(solver_touch(&t->backend->head, t->solver, true));
    CHECK(tsunami_source_level_note(t));
    return t->backend->send_records ? t->backend->send_records(t->solver) : STATUS_OK;
}

enum status tsunami_level_advance(struct tsunami_level *t, int64_t first_step, int64_t count)
{
    for (int64_t step = first_step; step < first_step + count; step++) {
        // The parent's data are corrected until the end of its step, even if the bottom has come to rest
        // within it.
        const int64_t begin = step - step % t->steps_per_parent;
        if (!tsunami_source_moves(t, tsunami_level_time_s(t, begin), INFINITY))
            return t->backend->head.advance(t->solver, step, first_step + count - step);
        CHECK(tsunami_source_step(t, t->backend, t->solver, step, true));
    }
    return STATUS_OK;
}

// The same as the solver does with the bottom's height, which stays the opposite of the depth to the last
// bit. In single precision the bottom moves by what its rounding allows, and the rest is added to the next
// rise, so that many small ones make the whole.
void tsunami_level_sink(struct tsunami_level *t, size_t row, const double *uplift_m, double *bottom_m)
{
    double *depth_m = t->depth_m + row * t->geometry.pitch;
    float *rest_m = t->uplift_rest_m ? t->uplift_rest_m + row * t->geometry.nx : NULL;
    const bool is_single = tsunami_level_real(t) == ELEMENT_F32;
    for (size_t i = 0; i < t->geometry.nx; i++) {
        const double before = depth_m[i], whole = uplift_m[i] + (rest_m ? (double)rest_m[i] : 0);
        depth_m[i] = is_single ? (double)(float)(before - whole) : before - whole;
        bottom_m[i] = is_single ? before - depth_m[i] : whole;
        if (rest_m)
            rest_m[i] = (float)(whole - bottom_m[i]);
    }
}
