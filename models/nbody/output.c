// What an N-body run writes: its streams, and how the present state becomes a record of one. Independent of
// file formats.
#include "models/nbody/instance.h"
#include "models/stream_rows.h"

#include <math.h>
#include <string.h>

// ---- the streams

// As numbers of the run in these units; "1" where units are reduced.
static const char *unit_of(const struct nbody *n, const char *si)
{
    return n->params.units.is_si ? si : "1";
}

#define VARIABLE(text, about, unit, dimensions, ...)                                                         \
    {                                                                                                        \
        .name = text, .long_name = about, .units = unit, .rank = dimensions, __VA_ARGS__                     \
    }

// In the order of enum nbody_diagnostic: a back end writes them so.
static void plan_diagnostics(struct nbody *n)
{
    const struct nbody_units *units = &n->params.units;
    const char *momentum = unit_of(n, "kg m s-1"), *energy = units->energy_name;
    const char *length = units->length_name;
    enum { AXIS_SPATIAL, AXIS_SHARE };
    const struct stream_variable variables[] = {
        VARIABLE("energy_kinetic", "kinetic energy", energy, 0),
        VARIABLE("energy_potential", "potential energy, with the softening", energy, 0),
        VARIABLE("momentum", "momentum", momentum, 1, .axes = {AXIS_SPATIAL}),
        VARIABLE("angular_momentum", "angular momentum about the origin", unit_of(n, "kg m2 s-1"), 1,
                 .axes = {AXIS_SPATIAL}),
        VARIABLE("centre_of_mass", "centre of mass", length, 1, .axes = {AXIS_SPATIAL}),
        VARIABLE("momentum_scale", "sum of the momenta's magnitudes, to compare the momentum with", momentum,
                 0),
        VARIABLE("virial_ratio", "2 K / |W|, W = sum of m x.a", "1", 0, .has_missing = true),
        VARIABLE("lagrangian_radius", "radius about the centre of mass that holds a share of the mass",
                 length, 1, .axes = {AXIS_SHARE}),
        VARIABLE("energy_total", "kinetic and potential energy", energy, 0),
        VARIABLE("energy_error",
                 "change of the energy since the first record, relative to its magnitude then", "1", 0,
                 .has_missing = true),
    };
    struct stream *stream = &n->diagnostics;
    *stream = (struct stream){.name = "diagnostics",
                              .title = "energy, momenta and radii of the whole system",
                              .has_records = true,
                              .element = ELEMENT_F64,
                              .records_per_frame = 1, // await counts on one
                              .axis_count = 2,
                              .axes = {[AXIS_SPATIAL] = {.name = "spatial", .length = NBODY_AXES},
                                       [AXIS_SHARE] = {.name = "mass_fraction",
                                                       .long_name = "share of the mass",
                                                       .units = "1",
                                                       .length = NBODY_RADII,
                                                       .values = nbody_lagrangian_shares}}};
    STREAM_SET_VARIABLES(stream, variables);
}

static struct stream *stream_of(struct nbody *n, enum nbody_stream kind)
{
    return kind == NBODY_STREAM_TRAJECTORY    ? &n->output.trajectory
           : kind == NBODY_STREAM_DIAGNOSTICS ? &n->diagnostics
                                              : &n->output.final;
}

static void add_stream(struct nbody *n, struct model_plan *plan, enum nbody_stream kind, double every)
{
    static const int results[NBODY_STREAM_KINDS] = {[NBODY_STREAM_TRAJECTORY] = NBODY_RESULT_TRAJECTORY,
                                                    [NBODY_STREAM_DIAGNOSTICS] = NBODY_RESULT_DIAGNOSTICS,
                                                    [NBODY_STREAM_FINAL] = -1};
    const double time = n->params.units.time;
    particles_divide_stream(n->shares, nbody_makes_results(n), stream_of(n, kind));
    particles_output_add_stream(&n->base, plan, stream_of(n, kind), every * time, n->params.duration * time,
                                n->params.steps, (int)kind, results[kind]);
}

void nbody_get_samples(const struct nbody *n, const struct nbody_backend *backend,
                       const struct solver *solver, size_t first, size_t count,
                       struct particles_sample *samples)
{
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    backend->get(solver, first, count, bodies);
    for (size_t k = 0; k < count; k++) {
        memcpy(samples[k].position, bodies[k].position, sizeof samples[k].position);
        memcpy(samples[k].velocity, bodies[k].velocity, sizeof samples[k].velocity);
        samples[k].mass = bodies[k].mass;
    }
}

static void get_samples(const void *context, size_t first, size_t count, struct particles_sample *samples)
{
    const struct nbody *n = context;
    nbody_get_samples(n, n->backend, n->base.solver, first, count, samples);
    if (!n->output.has_accelerations)
        return;
    struct nbody_field *fields = nbody_scratch_fields(n);
    n->backend->get_field(n->base.solver, first, count, fields);
    for (size_t k = 0; k < count; k++)
        memcpy(samples[k].acceleration, fields[k].acceleration, sizeof samples[k].acceleration);
}

// Viewers of molecules work in single precision with numbers about 1: a power of ten of the unit that makes
// the bodies so.
static int decade_of(double size)
{
    return (int)floor(log10(size));
}

static enum status plan_bodies(struct nbody *n, struct memory_plan *memory)
{
    const struct nbody_params *p = &n->params;
    const struct nbody_units *units = &p->units;
    n->output =
        (struct particles_output){.noun = "bodies",
                                  .count = p->count,
                                  .stride = p->outputs.trajectory_stride,
                                  .has_velocities = p->outputs.has_velocities,
                                  .has_accelerations = p->outputs.has_accelerations,
                                  .element = p->outputs.trajectory_element,
                                  .length = {units->length, units->length_name},
                                  .velocity = {units->velocity, units->velocity_name},
                                  .acceleration = {units->velocity / units->time, unit_of(n, "m s-2")},
                                  .mass = {units->mass, units->mass_name},
                                  .time = {units->time, units->time_name},
                                  .angstrom_exponent = decade_of(units->length),
                                  .picosecond_exponent = decade_of(units->time),
                                  .threads = n->threads,
                                  .is_idle = !nbody_makes_results(n),
                                  .get = get_samples,
                                  .context = n};
    return particles_output_plan(&n->output, memory);
}

enum status nbody_output_plan(struct nbody *n, struct memory_plan *memory, struct model_plan *plan)
{
    const struct nbody_params *p = &n->params;
    CHECK(plan_bodies(n, memory));
    if (p->outputs.trajectory_every > 0) {
        CHECK(particles_output_plan_trajectory(&n->output, memory));
        add_stream(n, plan, NBODY_STREAM_TRAJECTORY, p->outputs.trajectory_every);
    }
    if (p->outputs.diagnostics_every > 0) {
        plan_diagnostics(n);
        add_stream(n, plan, NBODY_STREAM_DIAGNOSTICS, p->outputs.diagnostics_every);
    }
    if (p->outputs.has_final_state) {
        particles_output_plan_final(&n->output);
        add_stream(n, plan, NBODY_STREAM_FINAL, 0);
    }
    return plan->stream_count > 0
               ? STATUS_OK
               : job_fail(n->base.job, "output",
                          "asks for no result: name output.fields, output.diagnostics or output.final");
}

enum status nbody_results_plan(struct nbody *n, struct memory_plan *memory)
{
    const struct nbody_params *p = &n->params;
    if (!n->backend->plan_results)
        return STATUS_OK;
    const struct nbody_wanted wanted = {
        .slots = {[NBODY_RESULT_TRAJECTORY] = p->outputs.trajectory_every > 0 ? PIPELINE_FRAME_SLOTS : 0,
                  [NBODY_RESULT_DIAGNOSTICS] = p->outputs.diagnostics_every > 0 ? PIPELINE_FRAME_SLOTS : 0},
        .frame_records = {1, 1},
        .element = p->outputs.trajectory_element,
        .has_velocities = p->outputs.has_velocities,
        .has_accelerations = p->outputs.has_accelerations,
        .stride = p->outputs.trajectory_stride,
        .length_scale = particles_output_scale(&n->output, PARTICLES_LENGTH),
        .velocity_scale = particles_output_scale(&n->output, PARTICLES_SPEED),
        .acceleration_scale = particles_output_scale(&n->output, PARTICLES_ACCELERATION),
        .has_direct_potential = p->has_direct_potential};
    return n->backend->plan_results(n->base.solver, &wanted, memory, "");
}

// ---- frames

enum status nbody_await(void *context, const struct frame *frame)
{
    struct nbody *n = context;
    const int result = instance_result(&n->base, frame);
    struct nbody_nonfinite found = {.step = -1};
    if (result < 0 || !nbody_makes_results(n))
        return STATUS_OK;
    CHECK(n->backend->await(n->base.solver, (enum nbody_result)result, frame->slot, &found));
    CHECK(nbody_judge(n, &found));
    if (result == NBODY_RESULT_DIAGNOSTICS && frame->records > 0)
        nbody_diagnostics_complete(n, frame->data, frame->times_s[0]);
    return STATUS_OK;
}

enum status nbody_capture(void *context, int64_t step, const struct frame *frame)
{
    struct nbody *n = context;
    const int result = instance_result(&n->base, frame);
    const enum nbody_stream kind = (enum nbody_stream)instance_kind(&n->base, frame);
    if (result >= 0)
        return n->backend->capture(n->base.solver, (enum nbody_result)result, frame->slot, frame->records,
                                   step);
    if (n->output.has_accelerations && n->backend->head.fetch && kind != NBODY_STREAM_DIAGNOSTICS)
        CHECK(n->backend->evaluate(n->base.solver,
                                   false)); // elsewhere the field is not fetched with the bodies
    if (!nbody_makes_results(n)) {
        double nothing[NBODY_RECORD_VALUES];
        return kind == NBODY_STREAM_DIAGNOSTICS ? nbody_diagnose(n, nothing) : STATUS_OK;
    }
    void *record = (char *)frame->data + frame->records * stream_record_bytes(stream_of(n, kind));
    CHECK(instance_fetch(&n->base));
    switch (kind) {
    case NBODY_STREAM_TRAJECTORY:
        particles_output_capture_trajectory(&n->output, record);
        break;
    case NBODY_STREAM_DIAGNOSTICS:
        CHECK(nbody_diagnose(n, record));
        nbody_diagnostics_complete(n, record, nbody_time(n, step));
        break;
    case NBODY_STREAM_FINAL:
        particles_output_capture_final(&n->output, nbody_time(n, step), record);
        break;
    case NBODY_STREAM_KINDS:
        break;
    }
    return STATUS_OK;
}
