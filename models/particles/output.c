// See output.h.
#include "models/particles/output.h"

#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the streams

static void set_atoms(struct stream *stream, size_t count)
{
    stream->axis_count = 2;
    stream->axes[0] = (struct stream_axis){.name = "atom", .length = count};
    stream->axes[1] = (struct stream_axis){.name = "spatial", .length = PARTICLES_AXES};
}

// Exact as far as a double can be, which pow need not be.
static double power_of_ten(int exponent)
{
    char text[16];
    snprintf(text, sizeof text, "1e%d", exponent);
    return strtod(text, NULL);
}

static const struct particles_unit *unit_of(const struct particles_output *output,
                                            enum particles_vector vector)
{
    return vector == PARTICLES_LENGTH  ? &output->length
           : vector == PARTICLES_SPEED ? &output->velocity
                                       : &output->acceleration;
}

// Length over time to the power that the vector has: 0, 1, 2.
static struct stream_scale stands_for(const struct particles_output *output, enum particles_vector vector)
{
    return (struct stream_scale){
        unit_of(output, vector)->name,
        power_of_ten(output->angstrom_exponent - (int)vector * output->picosecond_exponent)};
}

double particles_output_scale(const struct particles_output *output, enum particles_vector vector)
{
    return unit_of(output, vector)->scale / stands_for(output, vector).size;
}

static void add_vectors(struct stream *stream, const char *name, const char *long_name, const char *units,
                        struct stream_scale scale)
{
    stream->scales[stream->variable_count] = scale;
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = name, .long_name = long_name, .units = units, .rank = 2, .axes = {0, 1}};
}

// For readers; programs use the attributes run_units and run_scale.
static void describe_trajectory(struct particles_output *output)
{
    char *comment = output->comment[0];
    const size_t bytes = sizeof output->comment[0];
    const bool is_reduced = strcmp(output->length.name, "1") == 0;
    const struct stream_scale length = stands_for(output, PARTICLES_LENGTH),
                              time = {output->time.name, power_of_ten(output->picosecond_exponent)};
    size_t used =
        (size_t)snprintf(comment, bytes,
                         "angstrom and picosecond are the words of the AMBER convention: here one angstrom "
                         "stands for %g %s, one picosecond for %g %s (attributes run_units, run_scale)",
                         length.size, is_reduced ? "unit of length of the run" : length.units, time.size,
                         is_reduced ? "unit of time of the run" : time.units);
    if (output->stride > 1 && used < bytes)
        snprintf(comment + used, bytes - used,
                 "\nnot all %s: the id of an atom is its index times the job's stride", output->noun);
}

enum status particles_output_plan(struct particles_output *output, struct memory_plan *memory)
{
    const size_t numbers = sizeof(struct particles_sample) / sizeof(double);
    if (output->is_idle)
        return STATUS_OK;
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, (size_t)output->threads * PARTICLES_BLOCK,
                           numbers, (void **)&output->samples, "scratch samples of the results");
}

enum status particles_output_plan_trajectory(struct particles_output *output, struct memory_plan *memory)
{
    struct stream *stream = &output->trajectory;
    output->trajectory_count = (output->count - 1) / output->stride + 1;
    snprintf(output->title[0], sizeof output->title[0], "positions of the %s", output->noun);
    describe_trajectory(output);
    *stream = (struct stream){.name = "trajectory",
                              .title = output->title[0],
                              .comment = output->comment[0],
                              .has_records = true,
                              .layout = STREAM_AMBER,
                              .time_scale = {output->time.name, power_of_ten(output->picosecond_exponent)},
                              .element = output->element,
                              .records_per_frame = 1};
    set_atoms(stream, output->trajectory_count);
    for (int axis = 0; axis < PARTICLES_AXES; axis++)
        stream->cell[axis] = output->cell[axis] / stands_for(output, PARTICLES_LENGTH).size;
    add_vectors(stream, "coordinates", "position", "angstrom", stands_for(output, PARTICLES_LENGTH));
    if (output->has_velocities)
        add_vectors(stream, "velocities", "velocity", "angstrom/picosecond",
                    stands_for(output, PARTICLES_SPEED));
    if (output->has_accelerations)
        add_vectors(stream, "accelerations", "acceleration", "angstrom/picosecond2",
                    stands_for(output, PARTICLES_ACCELERATION));
    stream->constants[stream->constant_count++] =
        (struct stream_constant){.name = "mass", .long_name = "mass", .units = output->mass.name, .axis = 0};
    if (output->is_idle)
        return STATUS_OK;
    // The plan puts the array's address right into the description; its values are there before the first
    // frame.
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, output->trajectory_count,
                           (void **)&stream->constants[0].values, "masses of the trajectory");
}

void particles_output_plan_final(struct particles_output *output)
{
    struct stream *stream = &output->final;
    snprintf(output->title[1], sizeof output->title[1], "all %s at the end", output->noun);
    snprintf(output->comment[1], sizeof output->comment[1], "atoms in the order of the %s at the start",
             output->noun);
    *stream = (struct stream){.name = "final",
                              .title = output->title[1],
                              .comment = output->comment[1],
                              .element = ELEMENT_F64,
                              .records_per_frame = 1};
    set_atoms(stream, output->count);
    const struct stream_scale none = {NULL, 1};
    add_vectors(stream, "coordinates", "position", output->length.name, none);
    add_vectors(stream, "velocities", "velocity", output->velocity.name, none);
    if (output->has_accelerations)
        add_vectors(stream, "accelerations", "acceleration", output->acceleration.name, none);
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = "mass", .long_name = "mass", .units = output->mass.name, .rank = 1, .axes = {0}};
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = "clock", .long_name = "time of this state", .units = output->time.name};
}

void particles_output_add_stream(struct instance *instance, struct model_plan *plan, struct stream *stream,
                                 double every_s, double duration_s, int64_t steps, int kind, int result)
{
    // No interval is shorter than a step, and the last record may lie between two.
    const double intervals = every_s > 0 ? fmin(duration_s / every_s, (double)steps) : 0;
    stream->expected_records = every_s > 0 ? (size_t)intervals + 2 : 0;
    instance_add_stream(instance, plan, stream,
                        (struct run_schedule){.every_s = every_s, .at_start = every_s > 0, .at_end = true},
                        kind, result);
}

// ---- records

static size_t blocks_of(size_t count)
{
    return (count + PARTICLES_BLOCK - 1) / PARTICLES_BLOCK;
}

static size_t length_of_block(size_t count, size_t block)
{
    const size_t left = count - block * PARTICLES_BLOCK;
    return left < PARTICLES_BLOCK ? left : PARTICLES_BLOCK;
}

// Particles first, first + 1, … of those that are every stride-th, `count` of them, in this thread's scratch.
static const struct particles_sample *get_strided(const struct particles_output *output, size_t first,
                                                  size_t count, size_t stride)
{
    struct particles_sample *samples = output->samples + (size_t)omp_get_thread_num() * PARTICLES_BLOCK;
    if (stride == 1)
        output->get(output->context, first, count, samples);
    for (size_t k = 0; stride > 1 && k < count; k++)
        output->get(output->context, (first + k) * stride, 1, &samples[k]);
    return samples;
}

struct capture {
    const struct particles_output *output;
    size_t count, stride; // of the record's particles
    enum element element;
    void *positions, *velocities, *accelerations; // or NULL
    double *masses;                               // or NULL
    double scales[PARTICLES_VECTORS];
};

static void store(void *values, enum element element, size_t index, double value)
{
    if (element == ELEMENT_F32)
        ((float *)values)[index] = (float)value;
    else
        ((double *)values)[index] = value;
}

static void capture_block(void *context, size_t block)
{
    const struct capture *c = context;
    const struct particles_output *output = c->output;
    const size_t first = block * PARTICLES_BLOCK, count = length_of_block(c->count, block);
    const struct particles_sample *samples = get_strided(output, first, count, c->stride);
    for (size_t k = 0; k < count; k++) {
        for (size_t axis = 0; axis < PARTICLES_AXES; axis++) {
            const size_t place = (first + k) * PARTICLES_AXES + axis;
            if (c->positions)
                store(c->positions, c->element, place,
                      samples[k].position[axis] * c->scales[PARTICLES_LENGTH]);
            if (c->velocities)
                store(c->velocities, c->element, place,
                      samples[k].velocity[axis] * c->scales[PARTICLES_SPEED]);
            if (c->accelerations)
                store(c->accelerations, c->element, place,
                      samples[k].acceleration[axis] * c->scales[PARTICLES_ACCELERATION]);
        }
        if (c->masses)
            c->masses[first + k] = samples[k].mass * output->mass.scale;
    }
}

static void capture_all(struct capture capture)
{
    team_for(capture.output->threads, blocks_of(capture.count), capture_block, &capture);
}

void particles_output_start(struct particles_output *output)
{
    if (output->trajectory_count > 0)
        capture_all((struct capture){.output = output,
                                     .count = output->trajectory_count,
                                     .stride = output->stride,
                                     .masses = (double *)output->trajectory.constants[0].values});
}

void particles_output_capture_trajectory(const struct particles_output *output, void *record)
{
    const size_t bytes = output->trajectory_count * PARTICLES_AXES * element_bytes(output->element);
    char *velocities = (char *)record + bytes,
         *accelerations = velocities + (output->has_velocities ? bytes : 0);
    capture_all((struct capture){.output = output,
                                 .count = output->trajectory_count,
                                 .stride = output->stride,
                                 .element = output->element,
                                 .positions = record,
                                 .velocities = output->has_velocities ? velocities : NULL,
                                 .accelerations = output->has_accelerations ? accelerations : NULL,
                                 .scales = {particles_output_scale(output, PARTICLES_LENGTH),
                                            particles_output_scale(output, PARTICLES_SPEED),
                                            particles_output_scale(output, PARTICLES_ACCELERATION)}});
}

void particles_output_capture_final(const struct particles_output *output, double time, double *record)
{
    const size_t numbers = output->count * PARTICLES_AXES;
    double *accelerations = record + 2 * numbers,
           *masses = accelerations + (output->has_accelerations ? numbers : 0);
    capture_all(
        (struct capture){.output = output,
                         .count = output->count,
                         .stride = 1,
                         .element = ELEMENT_F64,
                         .positions = record,
                         .velocities = record + numbers,
                         .accelerations = output->has_accelerations ? accelerations : NULL,
                         .scales = {output->length.scale, output->velocity.scale, output->acceleration.scale},
                         .masses = masses});
    masses[output->count] = time;
}
