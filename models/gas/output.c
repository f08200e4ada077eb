// What a gas run writes: its streams, and how the present state becomes a record of one. Independent of file
// formats.
#include "models/gas/instance.h"
#include "models/stream_rows.h"
#include "models/team.h"

#include <math.h>
#include <string.h>

// ---- the streams

// In the order of enum gas_diagnostic: a back end writes them so.
static void plan_diagnostics(struct gas *g)
{
    static const struct stream_variable variables[] = {
        STREAM_NUMBER("energy_kinetic", "kinetic energy"),
        STREAM_NUMBER("energy_potential", "potential energy of pairs, of the outer force and of soft walls"),
        STREAM_LINE("momentum", "momentum", 0),
        STREAM_NUMBER("temperature", "2 K / degrees of freedom"),
        STREAM_NUMBER(
            "pressure",
            "number density x T + sum over pairs of r.F / (2 area); T the thermostat's if there is one"),
        STREAM_NUMBER("limited", "times that a limiter acted on a particle so far"),
        STREAM_NUMBER("energy_total", "kinetic and potential energy"),
        STREAM_NUMBER("energy_change", "change of the energy since the first record, per particle"),
    };
    struct stream *stream = &g->diagnostics;
    *stream = (struct stream){.name = "diagnostics",
                              .title = "energy, momentum, temperature and pressure of the whole gas",
                              .has_records = true,
                              .element = ELEMENT_F64,
                              .records_per_frame = 1, // await counts on one
                              .axis_count = 1,
                              .axes = {{.name = "spatial", .length = GAS_AXES}}};
    STREAM_SET_VARIABLES(stream, variables);
}

static struct stream *stream_of(struct gas *g, enum gas_stream kind)
{
    struct stream *const streams[GAS_STREAM_KINDS] = {[GAS_STREAM_TRAJECTORY] = &g->output.trajectory,
                                                      [GAS_STREAM_DIAGNOSTICS] = &g->diagnostics,
                                                      [GAS_STREAM_STRUCTURE] = &g->structure.stream,
                                                      [GAS_STREAM_FINAL] = &g->output.final};
    return streams[kind];
}

static void add_stream(struct gas *g, struct model_plan *plan, enum gas_stream kind, double every)
{
    static const int results[GAS_STREAM_KINDS] = {[GAS_STREAM_TRAJECTORY] = GAS_RESULT_TRAJECTORY,
                                                  [GAS_STREAM_DIAGNOSTICS] = GAS_RESULT_DIAGNOSTICS,
                                                  [GAS_STREAM_STRUCTURE] = -1,
                                                  [GAS_STREAM_FINAL] = -1};
    particles_divide_stream(g->shares, gas_makes_results(g), stream_of(g, kind));
    particles_output_add_stream(&g->base, plan, stream_of(g, kind), every, g->params.duration,
                                g->params.steps, (int)kind, results[kind]);
}

// As vectors with z = 0; by pieces, because the stack is small.
void gas_get_samples(const struct gas_backend *backend, const struct solver *solver, size_t first,
                     size_t count, struct particles_sample *samples)
{
    enum { PIECE = 64 };
    struct gas_particle particles[PIECE];
    for (size_t begin = 0; begin < count; begin += PIECE) {
        const size_t length = count - begin < PIECE ? count - begin : PIECE;
        backend->get(solver, first + begin, length, particles);
        for (size_t k = 0; k < length; k++) {
            const struct gas_particle *p = &particles[k];
            samples[begin + k] =
                (struct particles_sample){.position = {p->position[GAS_X], p->position[GAS_Y]},
                                          .velocity = {p->velocity[GAS_X], p->velocity[GAS_Y]},
                                          .mass = p->mass};
        }
    }
}

static void get_samples(const void *context, size_t first, size_t count, struct particles_sample *samples)
{
    const struct gas *g = context;
    gas_get_samples(g->backend, g->base.solver, first, count, samples);
}

// The periodic cell for readers of the trajectory, which support only cells that are periodic along all three
// axes. Along an axis with walls, and along z, where all particles lie at 0, the cell is longer than the box
// by the box's longer side: no neighbour within half of that side comes from an image. No periodic axis: no
// cell.
static void set_cell(const struct gas_physics *physics, double cell[PARTICLES_AXES])
{
    const double *box = physics->box, longer = fmax(box[GAS_X], box[GAS_Y]);
    if (!gas_is_periodic(physics, GAS_X) && !gas_is_periodic(physics, GAS_Y))
        return;
    for (int axis = 0; axis < GAS_AXES; axis++)
        cell[axis] = gas_is_periodic(physics, axis) ? box[axis] : box[axis] + longer;
    cell[GAS_AXES] = longer;
}

static enum status plan_particles(struct gas *g, struct memory_plan *memory, struct model_plan *plan)
{
    const struct gas_params *p = &g->params;
    const struct particles_unit reduced = {1, "1"};
    g->output = (struct particles_output){.noun = "particles",
                                          .count = p->count,
                                          .stride = p->outputs.trajectory_stride,
                                          .has_velocities = p->outputs.has_velocities,
                                          .element = p->outputs.trajectory_element,
                                          .length = reduced,
                                          .velocity = reduced,
                                          .mass = reduced,
                                          .time = reduced,
                                          .threads = g->threads,
                                          .is_idle = !gas_makes_results(g),
                                          .get = get_samples,
                                          .context = g};
    set_cell(&p->physics, g->output.cell);
    if (p->outputs.trajectory_every <= 0 && !p->outputs.has_final_state)
        return STATUS_OK;
    CHECK(particles_output_plan(&g->output, memory));
    if (p->outputs.trajectory_every > 0) {
        CHECK(particles_output_plan_trajectory(&g->output, memory));
        add_stream(g, plan, GAS_STREAM_TRAJECTORY, p->outputs.trajectory_every);
    }
    if (p->outputs.has_final_state) {
        particles_output_plan_final(&g->output);
        add_stream(g, plan, GAS_STREAM_FINAL, 0);
    }
    return STATUS_OK;
}

enum status gas_output_plan(struct gas *g, struct memory_plan *memory, struct model_plan *plan)
{
    const struct gas_params *p = &g->params;
    CHECK(plan_particles(g, memory, plan));
    if (p->outputs.diagnostics_every > 0) {
        plan_diagnostics(g);
        add_stream(g, plan, GAS_STREAM_DIAGNOSTICS, p->outputs.diagnostics_every);
    }
    if (p->structure.every > 0) {
        g->structure = (struct gas_structure_analysis){.physics = &p->physics,
                                                       .wanted = p->structure,
                                                       .count = p->count,
                                                       .threads = g->threads,
                                                       .is_idle = !gas_makes_results(g)};
        CHECK(gas_structure_plan(&g->structure, memory));
        add_stream(g, plan, GAS_STREAM_STRUCTURE, p->structure.every);
    }
    return plan->stream_count > 0 ? STATUS_OK
                                  : job_fail(g->base.job, "output",
                                             "asks for no result: name output.fields, output.diagnostics, "
                                             "output.structure or output.final");
}

enum status gas_results_plan(struct gas *g, struct memory_plan *memory)
{
    const struct gas_params *p = &g->params;
    if (!g->backend->plan_results)
        return STATUS_OK;
    const int slots = gas_makes_results(g) ? PIPELINE_FRAME_SLOTS : 0;
    const struct gas_wanted wanted = {
        .slots = {[GAS_RESULT_TRAJECTORY] = p->outputs.trajectory_every > 0 ? slots : 0,
                  [GAS_RESULT_DIAGNOSTICS] = p->outputs.diagnostics_every > 0 ? slots : 0},
        .frame_records = {1, 1},
        .element = p->outputs.trajectory_element,
        .has_velocities = p->outputs.has_velocities,
        .stride = p->outputs.trajectory_stride};
    return g->backend->plan_results(g->base.solver, &wanted, memory, "");
}

void gas_output_start(struct gas *g)
{
    particles_output_start(&g->output);
    if (g->params.structure.every > 0)
        gas_structure_start(&g->structure);
}

// ---- frames

static void set_structure_block(void *context, size_t block)
{
    struct gas *g = context;
    const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
    struct gas_particle *particles = gas_scratch_particles(g);
    g->backend->get(g->base.solver, first, count, particles);
    gas_structure_set(&g->structure, first, count, particles);
}

enum status gas_await(void *context, const struct frame *frame)
{
    struct gas *g = context;
    const int result = instance_result(&g->base, frame);
    struct gas_finding found = {.error = GAS_NO_ERROR, .partner = -1};
    if (result < 0 || !gas_makes_results(g))
        return STATUS_OK;
    CHECK(g->backend->await(g->base.solver, (enum gas_result)result, frame->slot, &found));
    CHECK(gas_judge(g, &found));
    if (result == GAS_RESULT_DIAGNOSTICS && frame->records > 0)
        gas_diagnostics_complete(g, frame->data, frame->times_s[0]);
    return STATUS_OK;
}

enum status gas_capture(void *context, int64_t step, const struct frame *frame)
{
    struct gas *g = context;
    const int result = instance_result(&g->base, frame);
    const enum gas_stream kind = (enum gas_stream)instance_kind(&g->base, frame);
    // With several ranks the record's errors may be known on another one.
    if (g->shares && result == GAS_RESULT_DIAGNOSTICS)
        CHECK(gas_guard(g, step));
    if (result >= 0)
        return g->backend->capture(g->base.solver, (enum gas_result)result, frame->slot, frame->records,
                                   step);
    CHECK(instance_fetch(&g->base));
    if (!gas_makes_results(g)) {
        double nothing[GAS_RECORD_VALUES];
        return kind == GAS_STREAM_DIAGNOSTICS ? gas_diagnose(g, nothing) : STATUS_OK;
    }
    void *record = (char *)frame->data + frame->records * stream_record_bytes(stream_of(g, kind));
    switch (kind) {
    case GAS_STREAM_TRAJECTORY:
        particles_output_capture_trajectory(&g->output, record);
        break;
    case GAS_STREAM_DIAGNOSTICS:
        CHECK(gas_diagnose(g, record));
        gas_diagnostics_complete(g, record, gas_time(g, step));
        break;
    case GAS_STREAM_STRUCTURE:
        team_for(g->threads, gas_blocks(g), set_structure_block, g);
        gas_structure_measure(&g->structure, gas_time(g, step), record);
        break;
    case GAS_STREAM_FINAL:
        particles_output_capture_final(&g->output, gas_time(g, step), record);
        break;
    case GAS_STREAM_KINDS:
        break;
    }
    return STATUS_OK;
}
