// What an N-body run writes: its streams, and how the present state becomes a record of one. Knows no file format.
#include "models/nbody/instance.h"
#include "models/team.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the streams

// As numbers of the run in these units; "1" where units are reduced.
static const char *unit_of(const struct nbody *n, const char *si)
{
    return n->params.units.is_si ? si : "1";
}

static void set_atoms(struct stream *stream, size_t count)
{
    stream->axis_count = 2;
    stream->axes[0] = (struct stream_axis){.name = "atom", .length = count};
    stream->axes[1] = (struct stream_axis){.name = "spatial", .length = NBODY_AXES};
}

static void add_vectors(struct stream *stream, const char *name, const char *long_name, const char *units)
{
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = name, .long_name = long_name, .units = units, .rank = 2, .axes = {0, 1}};
}

static void plan_trajectory(struct nbody *n)
{
    const struct nbody_params *p = &n->params;
    struct stream *stream = &n->streams[NBODY_STREAM_TRAJECTORY];
    *stream = (struct stream){
        .name = "trajectory",
        .title = "positions of the bodies",
        .comment = p->trajectory_stride > 1
                       ? "not all bodies: the id of an atom is its index times the job's stride"
                       : NULL,
        .has_records = true,
        .layout = STREAM_AMBER,
        .element = p->trajectory_element,
        .records_per_frame = 1};
    set_atoms(stream, n->trajectory_count);
    add_vectors(stream, "coordinates", "position", p->units.length_name);
    if (p->has_velocities)
        add_vectors(stream, "velocities", "velocity", p->units.velocity_name);
    stream->constants[stream->constant_count++] =
        (struct stream_constant){.name = "mass", .long_name = "mass", .units = p->units.mass_name, .axis = 0};
}

static void plan_final(struct nbody *n)
{
    const struct nbody_units *units = &n->params.units;
    struct stream *stream = &n->streams[NBODY_STREAM_FINAL];
    *stream = (struct stream){.name = "final",
                              .title = "all bodies at the end",
                              .comment = "atoms in the order of the bodies at the start",
                              .element = ELEMENT_F64,
                              .records_per_frame = 1};
    set_atoms(stream, n->params.count);
    add_vectors(stream, "coordinates", "position", units->length_name);
    add_vectors(stream, "velocities", "velocity", units->velocity_name);
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = "mass", .long_name = "mass", .units = units->mass_name, .rank = 1, .axes = {0}};
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = "clock", .long_name = "time of this state", .units = units->time_name};
}

// In the order of enum nbody_diagnostic: a back end writes them so.
static void plan_diagnostics(struct nbody *n)
{
    const struct nbody_units *units = &n->params.units;
    const char *momentum = unit_of(n, "kg m s-1"), *energy = units->energy_name;
    const struct stream_variable variables[] = {
        {.name = "energy_kinetic", .long_name = "kinetic energy", .units = energy},
        {.name = "energy_potential", .long_name = "potential energy, with the softening", .units = energy},
        {.name = "momentum", .long_name = "momentum", .units = momentum, .rank = 1, .axes = {0}},
        {.name = "angular_momentum",
         .long_name = "angular momentum about the origin",
         .units = unit_of(n, "kg m2 s-1"),
         .rank = 1,
         .axes = {0}},
        {.name = "centre_of_mass",
         .long_name = "centre of mass",
         .units = units->length_name,
         .rank = 1,
         .axes = {0}},
        {.name = "momentum_scale",
         .long_name = "sum of the momenta's magnitudes, to compare the momentum with",
         .units = momentum},
        {.name = "virial_ratio", .long_name = "2 K / |W|, W = sum of m x.a", .units = "1"},
        {.name = "lagrangian_radius",
         .long_name = "radius about the centre of mass that holds a share of the mass",
         .units = units->length_name,
         .rank = 1,
         .axes = {1}},
        {.name = "energy_total", .long_name = "kinetic and potential energy", .units = energy},
        {.name = "energy_error",
         .long_name = "change of the energy since the first record, as a part of its magnitude",
         .units = "1",
         .has_missing = true},
    };
    struct stream *stream = &n->streams[NBODY_STREAM_DIAGNOSTICS];
    *stream = (struct stream){.name = "diagnostics",
                              .title = "energy, momenta and radii of the whole system",
                              .has_records = true,
                              .element = ELEMENT_F64,
                              .records_per_frame = 1}; // await counts on one
    stream->axis_count = 2;
    stream->axes[0] = (struct stream_axis){.name = "spatial", .length = NBODY_AXES};
    stream->axes[1] = (struct stream_axis){.name = "mass_fraction",
                                           .long_name = "share of the mass",
                                           .units = "1",
                                           .length = NBODY_RADII,
                                           .values = nbody_lagrangian_shares};
    stream->variable_count = sizeof variables / sizeof *variables;
    memcpy(stream->variables, variables, sizeof variables);
}

static void add_stream(struct nbody *n, struct model_plan *plan, enum nbody_stream kind,
                       struct run_schedule schedule)
{
    struct stream *stream = &n->streams[kind];
    // A frame at the start and each interval, of which none is shorter than a step, and one at the end that may fall between two.
    const double intervals =
        schedule.every_s > 0
            ? fmin(n->params.duration * n->params.units.time / schedule.every_s, (double)n->params.steps)
            : 0;
    stream->expected_records = schedule.every_s > 0 ? (size_t)intervals + 2 : 0;
    n->kinds[plan->stream_count] = kind;
    plan->schedules[plan->stream_count] = schedule;
    plan->streams[plan->stream_count++] = stream;
}

static struct run_schedule every(const struct nbody *n, double interval)
{
    return (struct run_schedule){
        .every_s = interval * n->params.units.time, .at_start = true, .at_end = true};
}

enum status nbody_output_plan(struct nbody *n, struct memory_plan *memory, struct model_plan *plan)
{
    const struct nbody_params *p = &n->params;
    if (p->trajectory_every > 0) {
        n->trajectory_count = (p->count - 1) / p->trajectory_stride + 1;
        plan_trajectory(n);
        // The plan puts the array's address right into the stream's description; its values are there before the first frame.
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, n->trajectory_count,
                              (void **)&n->streams[NBODY_STREAM_TRAJECTORY].constants[0].values,
                              "masses of the trajectory"));
        add_stream(n, plan, NBODY_STREAM_TRAJECTORY, every(n, p->trajectory_every));
    }
    if (p->diagnostics_every > 0) {
        plan_diagnostics(n);
        add_stream(n, plan, NBODY_STREAM_DIAGNOSTICS, every(n, p->diagnostics_every));
    }
    if (p->has_final_state) {
        plan_final(n);
        add_stream(n, plan, NBODY_STREAM_FINAL, (struct run_schedule){.at_end = true});
    }
    return plan->stream_count > 0 ? STATUS_OK
                                  : job_fail(n->job, "output",
                                             "asks for no result: name output.fields, output.diagnostics "
                                             "or output.final");
}

enum status nbody_results_plan(struct nbody *n, struct memory_plan *memory)
{
    const struct nbody_params *p = &n->params;
    if (!n->backend->plan_results)
        return STATUS_OK;
    const struct nbody_wanted wanted = {
        .slots = {[NBODY_RESULT_TRAJECTORY] = p->trajectory_every > 0 ? PIPELINE_FRAME_SLOTS : 0,
                  [NBODY_RESULT_DIAGNOSTICS] = p->diagnostics_every > 0 ? PIPELINE_FRAME_SLOTS : 0},
        .frame_records = {1, 1},
        .element = p->trajectory_element,
        .has_velocities = p->has_velocities,
        .stride = p->trajectory_stride,
        .length_scale = p->units.length,
        .velocity_scale = p->units.velocity,
        .has_direct_potential = p->has_direct_potential};
    return n->backend->plan_results(n->solver, &wanted, memory, "");
}

// ---- records

struct capture {
    struct nbody *n;
    void *record;
};

// Bodies first, first + stride, … of the trajectory, `count` of them.
static const struct nbody_body *get_strided(const struct nbody *n, size_t first, size_t count)
{
    const size_t stride = n->params.trajectory_stride;
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    if (stride == 1)
        n->backend->get(n->solver, first, count, bodies);
    for (size_t k = 0; stride > 1 && k < count; k++)
        n->backend->get(n->solver, (first + k) * stride, 1, &bodies[k]);
    return bodies;
}

static void store(void *record, enum element element, size_t index, double value)
{
    if (element == ELEMENT_F32)
        ((float *)record)[index] = (float)value;
    else
        ((double *)record)[index] = value;
}

static size_t trajectory_block_length(const struct nbody *n, size_t block)
{
    const size_t left = n->trajectory_count - block * NBODY_BLOCK;
    return left < NBODY_BLOCK ? left : NBODY_BLOCK;
}

static size_t trajectory_blocks(const struct nbody *n)
{
    return (n->trajectory_count + NBODY_BLOCK - 1) / NBODY_BLOCK;
}

static void capture_trajectory_block(void *context, size_t block)
{
    const struct capture *c = context;
    const struct nbody *n = c->n;
    const struct nbody_params *p = &n->params;
    const size_t first = block * NBODY_BLOCK, count = trajectory_block_length(n, block);
    const size_t velocities = n->trajectory_count * NBODY_AXES;
    const struct nbody_body *bodies = get_strided(n, first, count);
    for (size_t k = 0; k < count; k++)
        for (size_t axis = 0; axis < NBODY_AXES; axis++) {
            const size_t place = (first + k) * NBODY_AXES + axis;
            store(c->record, p->trajectory_element, place, bodies[k].position[axis] * p->units.length);
            if (p->has_velocities)
                store(c->record, p->trajectory_element, velocities + place,
                      bodies[k].velocity[axis] * p->units.velocity);
        }
}

static void keep_masses(void *context, size_t block)
{
    struct nbody *n = context;
    const size_t first = block * NBODY_BLOCK, count = trajectory_block_length(n, block);
    const struct nbody_body *bodies = get_strided(n, first, count);
    for (size_t k = 0; k < count; k++)
        n->trajectory_masses[first + k] = bodies[k].mass * n->params.units.mass;
}

void nbody_output_start(struct nbody *n)
{
    if (n->trajectory_count == 0)
        return;
    n->trajectory_masses = (double *)n->streams[NBODY_STREAM_TRAJECTORY].constants[0].values;
    team_for(n->threads, trajectory_blocks(n), keep_masses, n);
}

static void capture_final_block(void *context, size_t block)
{
    const struct capture *c = context;
    const struct nbody *n = c->n;
    const struct nbody_units *units = &n->params.units;
    const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
    double *positions = c->record, *velocities = positions + n->params.count * NBODY_AXES,
           *masses = velocities + n->params.count * NBODY_AXES;
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    n->backend->get(n->solver, first, count, bodies);
    for (size_t k = 0; k < count; k++) {
        for (size_t axis = 0; axis < NBODY_AXES; axis++) {
            positions[(first + k) * NBODY_AXES + axis] = bodies[k].position[axis] * units->length;
            velocities[(first + k) * NBODY_AXES + axis] = bodies[k].velocity[axis] * units->velocity;
        }
        masses[first + k] = bodies[k].mass * units->mass;
    }
}

static void capture_final(struct nbody *n, int64_t step, double *record)
{
    struct capture capture = {n, record};
    team_for(n->threads, nbody_blocks(n), capture_final_block, &capture);
    record[n->params.count * (2 * NBODY_AXES + 1)] = nbody_time(n, step);
}

// ---- frames

// Whether the back end makes frames of this kind by itself, and as which of its results.
static bool is_made_there(const struct nbody *n, enum nbody_stream kind, enum nbody_result *result)
{
    static const enum nbody_result results[NBODY_STREAM_KINDS] = {
        [NBODY_STREAM_TRAJECTORY] = NBODY_RESULT_TRAJECTORY,
        [NBODY_STREAM_DIAGNOSTICS] = NBODY_RESULT_DIAGNOSTICS,
        [NBODY_STREAM_FINAL] = NBODY_RESULTS};
    *result = results[kind];
    return n->backend->capture && *result != NBODY_RESULTS;
}

enum status nbody_send(void *context, const struct frame *frame)
{
    struct nbody *n = context;
    enum nbody_result result;
    return is_made_there(n, n->kinds[frame->stream], &result)
               ? n->backend->send(n->solver, result, frame->slot, frame->records, frame->data)
               : STATUS_OK;
}

enum status nbody_await(void *context, const struct frame *frame)
{
    struct nbody *n = context;
    enum nbody_result result;
    struct nbody_unsound found = {.step = -1};
    if (!is_made_there(n, n->kinds[frame->stream], &result))
        return STATUS_OK;
    CHECK(n->backend->await(n->solver, result, frame->slot, &found));
    CHECK(nbody_judge(n, &found));
    if (result == NBODY_RESULT_DIAGNOSTICS && frame->records > 0)
        nbody_diagnostics_complete(n, frame->data, frame->times_s[0]);
    return STATUS_OK;
}

enum status nbody_capture(void *context, int64_t step, const struct frame *frame)
{
    struct nbody *n = context;
    enum nbody_result result;
    const enum nbody_stream kind = n->kinds[frame->stream];
    if (is_made_there(n, kind, &result))
        return n->backend->capture(n->solver, result, frame->slot, frame->records, step);
    void *record = (char *)frame->data + frame->records * stream_record_bytes(&n->streams[kind]);
    struct capture capture = {n, record};
    CHECK(nbody_fetch(n));
    switch (kind) {
    case NBODY_STREAM_TRAJECTORY:
        team_for(n->threads, trajectory_blocks(n), capture_trajectory_block, &capture);
        break;
    case NBODY_STREAM_DIAGNOSTICS:
        CHECK(nbody_diagnose(n, record));
        nbody_diagnostics_complete(n, record, nbody_time(n, step));
        break;
    case NBODY_STREAM_FINAL:
        capture_final(n, step, record);
        break;
    case NBODY_STREAM_KINDS:
        break;
    }
    return STATUS_OK;
}
