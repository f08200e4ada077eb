// When in a step the source lifts the water (by how much: source_uplift.c), and the grids of the source,
// which are read here. Independent of the output.
#include "core/log.h"
#include "core/progress.h"
#include "core/stop_signals.h"
#include "models/team.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/source_field.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

static size_t displacement_records(const struct tsunami_level *t)
{
    return t->params.source->displacement ? grid_info(t->params.source->displacement)->records : 0;
}

struct tsunami_rows tsunami_source_rows(const struct tsunami_level *t)
{
    const struct tsunami_rows all = {0, t->params.window.ny};
    const bool has_reference = t->params.check_steps > 0 && t->ranks->rank == 0;
    bool needs_all = tsunami_level_floods(t) || t->params.has_travel_time || has_reference;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        needs_all |= t->geometry.edges[side] == TSUNAMI_EDGE_GIVEN;
    return needs_all ? all : t->own;
}

bool tsunami_source_leaves_rest(const struct tsunami_level *t)
{
    return tsunami_level_floods(t) && tsunami_level_real(t) == ELEMENT_F32 &&
           tsunami_source_moves(t, t->start_s, INFINITY);
}

enum status tsunami_source_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    static const char *const names[TSUNAMI_FIELDS] = {"initial eta", "initial u", "initial v"};
    const size_t nx = t->params.window.nx, ny = t->params.window.ny;
    if (t->params.source->displacement)
        CHECK(tsunami_level_array(t, memory, ELEMENT_F32, displacement_records(t) * ny, nx,
                                  (void **)&t->displacement_m, "displacement"));
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        if (t->params.source->initial[f])
            CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F32, ny, nx, (void **)&t->initial[f], "%s%s",
                                  t->prefix, names[f]));
    if (t->params.has_deformation)
        CHECK(tsunami_level_rows(t, memory, ELEMENT_F64, tsunami_source_rows(t), nx,
                                 (void **)&t->deformation_m, "deformation"));
    CHECK(tsunami_uplift_plan(t, memory));
    CHECK(tsunami_filter_plan(t, memory));
    // Slopes are those of the bottom before the step: the uplift of all rows is computed before any row
    // moves.
    if (tsunami_level_floods(t) && t->params.source->has_slope_term && t->params.source->faults.count > 0)
        CHECK(tsunami_level_array(t, memory, ELEMENT_F64, ny, nx, (void **)&t->uplift_m, "uplift"));
    if (tsunami_source_leaves_rest(t))
        CHECK(tsunami_level_array(t, memory, ELEMENT_F32, ny, nx, (void **)&t->uplift_rest_m,
                                  "rest of the uplift"));
    return tsunami_waves_plan(t, memory);
}

// One record of a grid, interpolated to the run's nodes; 0 where the file has no value.
static enum status read_record(struct tsunami_level *t, struct grid_file *file, size_t record, float *values)
{
    const struct grid_window *window = &t->params.window;
    const struct grid_window_request request = {.missing_value = 0, .outside_value = 0};
    struct grid_sampler *sampler = NULL;
    CHECK(grid_sampler_open(file, window, &request, &sampler));
    enum status status = grid_sampler_select_record(sampler, record);
    double *row = t->rows;
    for (size_t j = 0; j < window->ny && status == STATUS_OK; j++) {
        status = grid_sampler_row(sampler, j, row);
        for (size_t i = 0; i < window->nx && status == STATUS_OK; i++)
            values[j * window->nx + i] = (float)row[i];
    }
    grid_sampler_close(sampler);
    return status;
}

enum status tsunami_source_read(struct tsunami_level *t)
{
    const size_t nodes = t->params.window.nx * t->params.window.ny;
    for (size_t record = 0; record < displacement_records(t); record++)
        CHECK(read_record(t, t->params.source->displacement, record, t->displacement_m + record * nodes));
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        if (t->params.source->initial[f])
            CHECK(read_record(t, t->params.source->initial[f], 0, t->initial[f]));
    return tsunami_waves_read(t);
}

struct lift {
    struct tsunami_level *tsunami;
    const struct tsunami_backend *backend;
    struct solver *solver;
    struct tsunami_span from, to;
    struct tsunami_rows rows; // that are computed
    bool keep;
    bool is_start; // before the first step: a stop signal may end it early, and then the run
    struct progress progress;
    atomic_size_t rows_done;
    atomic_size_t work; // rows' nodes times faults
};

// Okada's formula at every node near many faults can take minutes: a progress bar is shown after this time.
static const double patience_s = 2;

static void start_progress(struct lift *lift)
{
    const struct progress_options options = {
        .enabled = log_is_shown(LOG_INFO),
        .descriptor = STDERR_FILENO,
        .duration_s = (double)(lift->rows.end - lift->rows.first),
        .time_unit = lift->tsunami->parent ? "rows of a nested grid's source" : "rows of the source",
        .time_name = "uplift:",
        .patience_s = patience_s};
    progress_start(&lift->progress, &options, 0);
}

// Whether the run ends before its first step, so that the other rows are left out. The clock is read now and
// then.
static bool is_ending(struct lift *lift)
{
    static const size_t clock_work = 1000000; // nodes times faults between two readings
    const struct tsunami_level *t = lift->tsunami;
    const size_t row_work = t->geometry.nx * (1 + t->params.source->faults.count);
    if (!lift->is_start)
        return false;
    const size_t work = atomic_fetch_add(&lift->work, row_work);
    if (work / clock_work != (work + row_work) / clock_work)
        return stop_signals_are_due();
    return stop_signals_cut_work() || stop_signals_pending() != 0;
}

// One thread updates the progress bar.
static void count_row(struct lift *lift)
{
    const size_t done = atomic_fetch_add(&lift->rows_done, 1) + 1;
    if (omp_get_thread_num() == 0)
        progress_update(&lift->progress, (double)done, (double)done);
}

static void keep_uplift_row(void *context, size_t item)
{
    struct lift *lift = context;
    struct tsunami_level *t = lift->tsunami;
    const size_t row = lift->rows.first + item;
    if (is_ending(lift))
        return;
    tsunami_filter_uplift(t, row, lift->from, lift->to, t->uplift_m + row * t->geometry.nx);
    count_row(lift);
}

// Where the shore moves the lift takes the water with the bottom; what the surface shows less is taken away,
// and what it shows more is added.
static void move_water(const struct lift *lift, size_t row, const double *uplift_m, const double *water_m)
{
    const struct tsunami_level *t = lift->tsunami;
    const size_t nx = t->geometry.nx;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    lift->backend->get(lift->solver, row, 0, nx, eta, u, v);
    for (size_t i = 0; i < nx; i++) {
        if (water_m[i] == uplift_m[i])
            continue;
        eta[i] += water_m[i] - uplift_m[i];
        lift->backend->set(lift->solver, row, i, 1, eta + i, u + i, v + i);
    }
}

static void lift_row(void *context, size_t item)
{
    struct lift *lift = context;
    struct tsunami_level *t = lift->tsunami;
    const size_t row = lift->rows.first + item;
    const size_t nx = t->geometry.nx;
    if (is_ending(lift))
        return;
    double *uplift_m = t->uplift_m ? t->uplift_m + row * nx : tsunami_row_buffer(t, 3);
    if (!t->uplift_m) {
        tsunami_filter_uplift(t, row, lift->from, lift->to, uplift_m);
        count_row(lift);
    }
    for (size_t i = 0; lift->keep && t->deformation_m && i < nx; i++)
        t->deformation_m[row * nx + i] += uplift_m[i];
    double *bottom_m = lift->keep && tsunami_level_floods(t) ? tsunami_row_buffer(t, 4) : NULL;
    if (bottom_m)
        tsunami_level_sink(t, row, uplift_m, bottom_m);
    if (lift->keep && !tsunami_has_row(t->own, row))
        return; // its water is another rank's
    double *water_m = tsunami_row_buffer(t, 5);
    const bool differs = tsunami_filter_water(t, row, uplift_m, water_m);
    if (lift->keep && t->records.source_level_m)
        tsunami_source_level_rise(t, row, differs ? water_m : uplift_m, bottom_m);
    if (differs && !tsunami_level_floods(t))
        uplift_m = water_m; // the bottom is not a part of the state
    lift->backend->lift(lift->solver, row, uplift_m, bottom_m ? bottom_m : uplift_m);
    if (differs && tsunami_level_floods(t))
        move_water(lift, row, uplift_m, water_m);
}

static enum status run_lift(struct lift *lift)
{
    struct tsunami_level *t = lift->tsunami;
    const struct tsunami_rows all = {0, t->geometry.ny};
    lift->rows = lift->keep ? tsunami_source_rows(t) : all;
    const size_t count = lift->rows.end - lift->rows.first;
    CHECK(solver_fetch(&lift->backend->head, lift->solver));
    tsunami_filter_lift(t, lift->from, lift->to, lift->is_start);
    start_progress(lift);
    if (t->uplift_m)
        team_for(t->threads, count, keep_uplift_row, lift);
    team_for(t->threads, count, lift_row, lift);
    progress_update(&lift->progress, (double)count, (double)count);
    progress_finish(&lift->progress, "done");
    t->group_is_known |= tsunami_uplift_uses_group(t, lift->from, lift->to);
    return solver_touch(&lift->backend->head, lift->solver, false);
}

enum status tsunami_source_lift_start(struct tsunami_level *t)
{
    struct lift lift = {.tsunami = t,
                        .backend = t->backend,
                        .solver = t->solver,
                        .from = tsunami_at(-INFINITY),
                        .to = tsunami_at(t->start_s),
                        .keep = true,
                        .is_start = true};
    return tsunami_source_moves(t, -INFINITY, t->start_s) ? run_lift(&lift) : STATUS_OK;
}

// The solver's step over a resting bottom.
static enum status step_solver(struct tsunami_level *t, const struct tsunami_backend *backend,
                               struct solver *solver, int64_t step, bool pauses)
{
    t->records.is_paused = pauses;
    const enum status status = backend->head.advance(solver, step, 1);
    t->records.is_paused = false;
    tsunami_source_lower_edges(t);
    return status;
}

// A step's rise U(t + Δt) − U(t) is applied in two parts: before the solver's step up to the bottom's mean
// position in the step, after it the rest. So the rise and its first moment in time are exact, and the error
// is of second order in the step for any source, also one that begins or jumps within a step. Records are
// taken after both parts.
enum status tsunami_source_step(struct tsunami_level *t, const struct tsunami_backend *backend,
                                struct solver *solver, int64_t step, bool keep)
{
    const double from_s = tsunami_level_time_s(t, step), to_s = tsunami_level_time_s(t, step + 1);
    const struct tsunami_span mean = {from_s, to_s};
    tsunami_source_raise_edges(t, step);
    if (!tsunami_source_moves(t, from_s, to_s))
        return step_solver(t, backend, solver, step, false);
    struct lift before = {.tsunami = t,
                          .backend = backend,
                          .solver = solver,
                          .from = tsunami_at(from_s),
                          .to = mean,
                          .keep = keep};
    struct lift after = before;
    after.from = mean;
    after.to = tsunami_at(to_s);
    CHECK(run_lift(&before));
    CHECK(step_solver(t, backend, solver, step, true));
    CHECK(run_lift(&after));
    if (!keep)
        return STATUS_OK;
    backend->record(solver, to_s);
    return t->shares ? STATUS_OK : tsunami_source_level_note(t); // several ranks: when all meet
}

int tsunami_source_inputs(const struct tsunami_source *source, const char *paths[TSUNAMI_SOURCE_INPUTS])
{
    const char *const all[TSUNAMI_SOURCE_INPUTS] = {
        source->faults_path,     source->sift_path,     source->displacement_path, source->initial_path,
        source->earthquake.path, source->waves[0].path, source->waves[1].path,     source->waves[2].path,
        source->waves[3].path,   source->field.path};
    int count = 0;
    for (int k = 0; k < TSUNAMI_SOURCE_INPUTS; k++)
        if (all[k][0])
            paths[count++] = all[k];
    return count;
}

static void describe_waves(const struct tsunami_source *source, cJSON *report)
{
    cJSON *edges = NULL;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_wave *wave = &source->waves[side];
        if (!wave->series)
            continue;
        const struct series_info *info = series_info(wave->series);
        edges = edges ? edges : cJSON_AddObjectToObject(report, "edges");
        cJSON *edge = cJSON_AddObjectToObject(edges, tsunami_side_names[side]);
        cJSON_AddStringToObject(edge, "file", wave->path);
        cJSON_AddNumberToObject(edge, "samples", (double)info->samples);
        cJSON_AddNumberToObject(edge, "first_s", wave->start_s + info->first_s);
        cJSON_AddNumberToObject(edge, "last_s", wave->start_s + info->last_s);
        cJSON_AddStringToObject(edge, "velocity",
                                wave->keeps_discharge ? "given, keeps the discharge"
                                : wave->has_velocity  ? "given"
                                : wave->is_travelling ? "of a wave that travels in"
                                                      : "follows from what runs against the edge");
    }
    if (source->field.files[0])
        tsunami_field_describe(&source->field, cJSON_AddObjectToObject(report, "edges"));
    if (!source->solitary.is_given)
        return;
    cJSON *solitary = cJSON_AddObjectToObject(report, "solitary");
    cJSON_AddNumberToObject(solitary, "height_m", source->solitary.height_m);
    cJSON_AddNumberToObject(solitary, "crest_m", source->solitary.crest_m);
    cJSON_AddNumberToObject(solitary, "depth_m", source->solitary.depth_m);
    cJSON_AddStringToObject(solitary, "toward", tsunami_side_names[source->solitary.toward]);
    cJSON_AddStringToObject(solitary, "profile", source->solitary.is_serre ? "serre" : "boussinesq");
    cJSON_AddStringToObject(solitary, "velocity", source->solitary.is_exact ? "exact" : "linear");
}

void tsunami_source_describe(const struct tsunami_source *source, double earth_radius_m, cJSON *report)
{
    cJSON *object = cJSON_CreateObject();
    if (source->faults.count > 0) {
        cJSON_AddNumberToObject(object, "faults", (double)source->faults.count);
        // 40 GPa: what NOAA's unit sources assume (Gica et al. 2008, NOAA Tech. Memo. OAR PMEL-139).
        cJSON_AddNumberToObject(object, "moment_magnitude_at_40_gpa",
                                fault_table_magnitude(&source->faults, 4e10));
    }
    tsunami_source_describe_faults(source, earth_radius_m, object);
    if (source->sift_slips) {
        cJSON *sift = cJSON_AddObjectToObject(object, "sift");
        cJSON_AddStringToObject(sift, "table", source->sift_path);
        cJSON_AddItemToObject(sift, "slips", cJSON_Duplicate(source->sift_slips, true));
    }
    if (source->faults.count > 0 || source->displacement) {
        const bool faults = source->filters_faults && source->faults.count > 0;
        const bool displacement = source->filters_displacement && source->displacement;
        cJSON_AddStringToObject(object, "filter",
                                faults && displacement ? "kajiura, of faults and displacement"
                                : faults               ? "kajiura, of faults"
                                : displacement         ? "kajiura, of the displacement"
                                                       : "none");
    }
    describe_waves(source, object);
    if (object && object->child)
        cJSON_AddItemToObject(report, "source", object);
    else
        cJSON_Delete(object);
}
