// The launches of a CUDA heat solver's steps: by method, sweeping or a cell a thread, in place slab by slab.
// Knows no arithmetic.
#include "gpu/bioheat/solver.h"
#include "gpu/memory.h"
#include "models/bioheat/rkl2.h"

#include <math.h>
#include <string.h>

static double rounded(const struct solver *s, double value)
{
    return solver_is_single(s) ? (double)(float)value : value;
}

// The least θ of the run's precision at which T_ref + θ, in double, is `least_c` or more (`above`: is more).
// By bisection: near 0 there are too many numbers to test one by one.
static double theta_from(const struct solver *s, double least_c, bool above)
{
    const double reference_c = s->setup.physics->reference_c, middle_k = least_c - reference_c;
    const double margin_k =
        1e-3 + 1e-6 * fabs(least_c) + 1e-6 * fabs(reference_c); // far more than is rounded
    double below = rounded(s, middle_k - margin_k), from = rounded(s, middle_k + margin_k);
    for (;;) {
        const double half = rounded(s, below + 0.5 * (from - below));
        if (half <= below || half >= from)
            return from;
        if (above ? reference_c + half > least_c : reference_c + half >= least_c)
            from = half;
        else
            below = half;
    }
}

// The temperatures at which the definition's law changes.
static void set_law(const struct solver *s, enum bioheat_dose dose, struct heat_records *r)
{
    r->definition = dose;
    r->least_k = -INFINITY;
    r->most_k = INFINITY;
    r->passed_k = theta_from(s, BIOHEAT_DOSE_REFERENCE_C, false);
    if (dose == BIOHEAT_DOSE_KWAVE)
        r->least_k = theta_from(s, BIOHEAT_DOSE_KWAVE_LEAST_C, false);
    if (dose == BIOHEAT_DOSE_ISO) {
        r->least_k = theta_from(s, BIOHEAT_DOSE_ISO_LEAST_C, false);
        const double above = theta_from(s, BIOHEAT_DOSE_ISO_MOST_C, true);
        r->most_k =
            solver_is_single(s) ? (double)nextafterf((float)above, -INFINITY) : nextafter(above, -INFINITY);
    }
}

static void set_records(struct solver *s)
{
    s->step.records = (struct heat_records){
        .low = solver_cells(s, s->low),
        .high = solver_doubles(s, s->high),
        .largest = solver_cells(s, s->largest),
        .largest_at_s = solver_doubles(s, s->largest_at_s),
    };
    s->second = (struct heat_records){.low = solver_cells(s, s->second_low),
                                      .high = solver_doubles(s, s->second_high)};
    set_law(s, s->setup.physics->dose, &s->step.records);
    set_law(s, s->setup.physics->second_dose, &s->second);
}

// Whether steps read beyond the ends of rows: on an axis of one cell, images of that cell.
static bool has_ends(const struct solver *s)
{
    const struct bioheat_face *faces = s->setup.grid->faces[BIOHEAT_X];
    return s->shape.cells[BIOHEAT_X] == 1 || faces[0].kind != BIOHEAT_FIXED || faces[1].kind != BIOHEAT_FIXED;
}

void heat_set_step(struct solver *s)
{
    heat_point_media(s);
    s->step.shape = s->shape;
    s->step.media = s->media;
    s->step.layers.count = 0;
    set_records(s);
}

// Cells beyond the sides along z: mirror images, or the opposite end. In place, planes that would be
// overwritten before they are read are in side_planes.
static void set_ghosts(struct solver *s, bool is_upwards)
{
    const long long plane = s->shape.plane;
    const int nz = s->shape.cells[BIOHEAT_Z];
    for (int k = 0; k < HEAT_GHOSTS; k++) {
        int z = k < HEAT_HALO ? k - HEAT_HALO : nz + k - HEAT_HALO;
        const bool is_high = z >= nz;
        if (s->shape.is_ring) {
            s->step.ghosts[k] = z * plane;
            continue;
        }
        if (s->shape.is_periodic[BIOHEAT_Z])
            z = ((z % nz) + nz) % nz;
        else
            z = is_high ? 2 * nz - 1 - z : -1 - z;
        z = z < 0 ? 0 : z >= nz ? nz - 1 : z;
        s->step.ghosts[k] = z * plane;
        if (s->side_planes && is_high == is_upwards) {
            const char *side =
                (const char *)s->side_planes + (size_t)(k % HEAT_HALO) * (size_t)plane * s->element +
                ((size_t)(HEAT_LEFT - s->shape.first[BIOHEAT_X]) + HEAT_HALO * (size_t)s->shape.pitch) *
                    s->element;
            s->step.ghosts[k] = (side - (const char *)s->step.from) / (long long)s->element;
        }
    }
}

// Upwards, planes 0 and 1 are overwritten before the highest planes, which need them, are computed;
// downwards, the highest two.
static enum status keep_side_planes(struct solver *s, bool is_upwards)
{
    const size_t bytes = (size_t)s->shape.plane * s->element;
    const int nz = s->shape.cells[BIOHEAT_Z];
    if (!s->side_planes)
        return STATUS_OK;
    for (int k = 0; k < HEAT_HALO; k++) {
        int z = is_upwards ? k : nz - HEAT_HALO + k; // the image at n + k, or at k − 2
        z = ((z % nz) + nz) % nz;
        const char *cells = (const char *)solver_theta(s, false) + (size_t)z * bytes;
        const size_t lead =
            ((size_t)(HEAT_LEFT - s->shape.first[BIOHEAT_X]) + HEAT_HALO * (size_t)s->shape.pitch) *
            s->element;
        CUDA_CHECK(cudaMemcpyAsync((char *)s->side_planes + (size_t)k * bytes, cells - lead, bytes,
                                   cudaMemcpyDeviceToDevice, s->timeline.compute),
                   "a copy within its memory");
    }
    return STATUS_OK;
}

static int clamped(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static size_t plane_bytes(const struct solver *s)
{
    return (size_t)s->shape.plane * s->element;
}

// The beginning of plane z, which is before its first row, of an array given by its cell (0, 0, 0).
static void *plane_at(const struct solver *s, void *cells, int z)
{
    const struct heat_shape *shape = &s->shape;
    const ptrdiff_t lead = HEAT_HALO * (ptrdiff_t)shape->pitch + HEAT_LEFT - shape->first[BIOHEAT_X];
    return solver_address(cells, ((ptrdiff_t)shape->plane * z - lead) * (ptrdiff_t)s->element);
}

// Whole planes, with what lies beside their rows.
enum status heat_exchange_planes(struct solver *s, void *cells, bool is_beside)
{
    const struct heat_shape *shape = &s->shape;
    const int halo = (int)s->setup.halo;
    const size_t bytes = s->setup.halo * plane_bytes(s);
    if (!s->setup.shares)
        return STATUS_OK;
    const struct gpu_exchange_piece piece = {
        .send = {plane_at(s, cells, shape->first_own), plane_at(s, cells, shape->end_own - halo)},
        .receive = {plane_at(s, cells, shape->first_own - halo), plane_at(s, cells, shape->end_own)},
        .bytes = bytes,
        .count = 1,
        .stride = bytes};
    return is_beside ? gpu_exchange_rows_beside(&s->exchange, &piece, 1, s->exchange.beside)
                     : gpu_exchange_rows(&s->exchange, &piece, 1, s->timeline.compute);
}

// From the present array of the temperature to the next one.
static enum status copy_halo(struct solver *s)
{
    const struct heat_shape *shape = &s->shape;
    const int ends[2][2] = {{shape->first_held, shape->first_own}, {shape->end_own, shape->end_held}};
    for (int k = 0; k < 2; k++) {
        const size_t bytes = (size_t)(ends[k][1] - ends[k][0]) * plane_bytes(s);
        if (bytes > 0)
            CUDA_CHECK(cudaMemcpyAsync(plane_at(s, solver_theta(s, true), ends[k][0]),
                                       plane_at(s, solver_theta(s, false), ends[k][0]), bytes,
                                       cudaMemcpyDeviceToDevice, s->timeline.compute),
                       "a copy within its memory");
    }
    return STATUS_OK;
}

// The planes that are right after so many passes since the exchange, of those that steps may change.
static void set_range(struct solver *s, int passes)
{
    const struct heat_shape *shape = &s->shape;
    const int lost = HEAT_HALO * passes, first = shape->first[BIOHEAT_Z], last = shape->last[BIOHEAT_Z],
              low = shape->first_held == 0 ? 0 : shape->first_held + lost,
              high = shape->end_held == shape->cells[BIOHEAT_Z] ? shape->end_held : shape->end_held - lost;
    s->step.first_plane = clamped(low, first, last);
    s->step.last_plane = clamped(high, s->step.first_plane, last);
}

// Of the array that a sweeping kernel is to read.
static enum status extend_rows(struct solver *s, void *cells)
{
    if (s->is_plain || !s->sweeps || !has_ends(s))
        return STATUS_OK;
    CUDA_CHECK(heat_extend_rows(&s->shape, cells, s->setup.precision, s->timeline.compute),
               "to extend its rows");
    return STATUS_OK;
}

// Of the planes of s->step.
static enum status launch_euler(struct solver *s, cudaStream_t stream)
{
    const enum element precision = s->setup.precision;
    if (s->is_plain || !s->sweeps)
        CUDA_CHECK(heat_step_plain(&s->step, precision, stream), "to start a step");
    else
        CUDA_CHECK(s->media.has_labels ? heat_step_labels(&s->step, precision, s->multiprocessors, stream)
                                       : heat_step_fields(&s->step, precision, s->multiprocessors, stream),
                   "to start a step");
    CUDA_CHECK(heat_walls(&s->step, precision, s->step.first_plane, s->step.last_plane, stream),
               "to start a step");
    return STATUS_OK;
}

// Of planes [first, last), with the heat of points and boxes.
static enum status launch_planes(struct solver *s, int first, int last, const double *amplitudes,
                                 cudaStream_t stream)
{
    const struct heat_shape *shape = &s->shape;
    s->step.first_plane = clamped(first, shape->first[BIOHEAT_Z], shape->last[BIOHEAT_Z]);
    s->step.last_plane = clamped(last, s->step.first_plane, shape->last[BIOHEAT_Z]);
    CHECK(launch_euler(s, stream));
    return heat_places_in(s, s->step.to, amplitudes, first, last, stream);
}

// Several ranks: after `depth` steps the halo is used up. The last of these steps computes first the planes
// that the neighbours need; their exchange goes on, on a stream of its own, while it computes the others.
static enum status launch_divided(struct solver *s, const double *amplitudes)
{
    const struct heat_shape *shape = &s->shape;
    const int halo = (int)s->setup.halo, depth = halo / HEAT_HALO, left = depth - 1 - s->halo_steps;
    const int first = shape->first_own - (shape->first_held < shape->first_own ? HEAT_HALO * left : 0),
              last = shape->end_own + (shape->end_held > shape->end_own ? HEAT_HALO * left : 0);
    const int low = shape->first_held < shape->first_own ? first + halo : first,
              high = shape->end_held > shape->end_own ? last - halo : last;
    const cudaStream_t compute = s->timeline.compute;
    cudaStream_t beside;
    if (left > 0) {
        s->halo_steps++;
        return launch_planes(s, first, last, amplitudes, compute);
    }
    s->halo_steps = 0;
    if (high - low < halo) { // few planes
        CHECK(launch_planes(s, first, last, amplitudes, compute));
        return heat_exchange_planes(s, s->step.to, false);
    }
    CHECK(launch_planes(s, first, low, amplitudes, compute));
    CHECK(launch_planes(s, high, last, amplitudes, compute));
    CHECK(gpu_exchange_fork(&s->exchange, compute, &beside));
    CHECK(launch_planes(s, low, high, amplitudes, compute));
    CHECK(heat_exchange_planes(s, s->step.to, true));
    return gpu_exchange_join(&s->exchange, compute);
}

static enum status launch_two_arrays(struct solver *s, const double *amplitudes)
{
    return s->setup.shares ? launch_divided(s, amplitudes)
                           : launch_planes(s, 0, s->shape.cells[BIOHEAT_Z], amplitudes, s->timeline.compute);
}

// The state moves by a slab and two planes: towards the array's beginning, the lowest slab first; or back,
// the highest first.
static enum status launch_in_place(struct solver *s)
{
    const int begin = s->shape.first_own, end = s->shape.end_own,
              slabs = (end - begin + s->slab - 1) / s->slab;
    const bool is_upwards = s->current == 1;
    CHECK(keep_side_planes(s, is_upwards));
    set_ghosts(s, is_upwards);
    for (int k = 0; k < slabs; k++) {
        const int first = begin + (is_upwards ? k : slabs - 1 - k) * s->slab,
                  last = clamped(first + s->slab, begin, end);
        s->step.first_plane = clamped(first, s->shape.first[BIOHEAT_Z], s->shape.last[BIOHEAT_Z]);
        s->step.last_plane = clamped(last, s->shape.first[BIOHEAT_Z], s->shape.last[BIOHEAT_Z]);
        CHECK(launch_euler(s, s->timeline.compute));
        CUDA_CHECK(heat_move_unchanged(&s->step, first, last, s->setup.precision, s->timeline.compute),
                   "to move what does not change");
    }
    return STATUS_OK;
}

static enum status launch_colours(struct solver *s)
{
    const bool is_plain = s->setup.physics->method == BIOHEAT_SOURCE_THREE_COLOUR;
    for (int colour = 0; colour < HEAT_COLOURS; colour++) {
        if (s->shape.is_ring && colour > 0)
            CHECK(heat_exchange_planes(s, solver_theta(s, false), false));
        set_range(s, s->shape.is_ring ? 1 : colour + 1);
        CUDA_CHECK(heat_step_colour(&s->step, s->setup.precision, colour, is_plain, s->timeline.compute),
                   "to start a step");
    }
    return STATUS_OK;
}

// rkl2: the second dose of a step or sub-step between its two temperatures.
static enum status record_second_mean(struct solver *s, const void *before, const void *after, int parts)
{
    struct heat_step step = s->step;
    if (!s->second_low)
        return STATUS_OK;
    step.records = s->second;
    step.records.weight_min = s->setup.physics->step_s / 60 / parts;
    CUDA_CHECK(heat_record_mean(&step, before, after, s->setup.precision, s->timeline.compute), "to record");
    return STATUS_OK;
}

// The other methods: before a step.
static enum status record_second(struct solver *s, int64_t step_number)
{
    struct heat_step step = s->step;
    if (!s->second_low || s->setup.physics->method == BIOHEAT_RKL2)
        return STATUS_OK;
    step.records = s->second;
    step.records.weight_min = bioheat_dose_weight_s(step_number, s->setup.physics->step_s) / 60;
    CUDA_CHECK(heat_record(&step, s->setup.precision, s->timeline.compute), "to record");
    return STATUS_OK;
}

// Y_1 goes to the second of the three arrays from the step's start, Y_2 to the third, Y_3 over Y_1, and so
// on.
static enum status launch_plain_rkl2(struct solver *s, int stages, int parts, const double *amplitudes)
{
    void *const first = solver_cells(s, s->first_change);
    void *states[HEAT_STATES];
    for (int k = 0; k < HEAT_STATES; k++)
        states[k] = solver_cells(s, s->theta[(s->current + k) % HEAT_STATES]);
    for (int j = 1; j <= stages; j++) {
        const struct bioheat_rkl2_stage weights = bioheat_rkl2_stage_of_part(stages, parts, j);
        const int to = j % 2 == 1 ? 1 : 2;
        const struct heat_stage stage = {.start = states[0],
                                         .earlier = states[j <= 2 ? 0 : to],
                                         .first = first,
                                         .last_weight = weights.last,
                                         .earlier_weight = weights.earlier,
                                         .rate = weights.rate,
                                         .first_rate = weights.first_rate,
                                         .is_first = j == 1};
        s->step.from = states[j == 1 ? 0 : 3 - to];
        s->step.to = states[to];
        CHECK(heat_exchange_planes(s, (void *)(uintptr_t)s->step.from, false));
        CUDA_CHECK(heat_step_stage(&s->step, &stage, s->setup.precision, s->timeline.compute),
                   "to start a stage");
        if (j == 1)
            CHECK(heat_places(s, first, amplitudes, 1));
        CHECK(heat_places(s, states[to], amplitudes, weights.rate));
    }
    const int last = stages % 2 == 1 ? 1 : 2;
    if (s->low) {
        s->step.records.weight_min = s->setup.physics->step_s / 60 / parts;
        CUDA_CHECK(
            heat_record_mean(&s->step, states[0], states[last], s->setup.precision, s->timeline.compute),
            "to record");
        CHECK(record_second_mean(s, states[0], states[last], parts));
    }
    s->current = (s->current + last) % HEAT_STATES;
    return STATUS_OK;
}

// What a stage reads, writes and does in all of its planes.
struct sweep_stage {
    struct heat_step step;
    struct heat_difference by;
    const double *amplitudes; // of points and boxes, which heat in the first stage; else NULL
};

// Stage j's difference from the step's start; D_2, D_4, … go to the second array, D_3, D_5, … to the third.
// The first stage finds the changes at the start, and all of the sources; the others act on differences, for
// which blood and what lies outside are at 0.
static struct sweep_stage stage_of(const struct solver *s, int stages, int parts, int j,
                                   const struct heat_media *linear, const double *amplitudes)
{
    const struct bioheat_rkl2_difference by = bioheat_rkl2_difference(stages, parts, j);
    void *const start = solver_theta(s, false), *const first = solver_cells(s, s->first_change),
                *const own = solver_cells(s, s->theta[j % 2 == 0 ? 1 : 2]),
                *const before = solver_cells(s, s->theta[j % 2 == 0 ? 2 : 1]);
    struct sweep_stage stage = {.step = s->step, .amplitudes = j == 1 ? amplitudes : NULL};
    stage.by = (struct heat_difference){.first = j >= 3 ? first : NULL,
                                        .earlier = j >= 4 ? own : NULL,
                                        .start = j == stages ? start : NULL,
                                        .rate = by.rate,
                                        .last_weight = by.last,
                                        .first_weight = by.first,
                                        .earlier_weight = by.earlier};
    stage.step.from = j == 1 ? start : j == 2 ? first : before;
    stage.step.to = j == 1 ? first : j == stages ? start : own;
    if (j > 1) {
        stage.step.media = *linear;
        stage.step.layers.count = 0;
    }
    return stage;
}

// Of planes [first, last).
static enum status launch_stage_planes(struct solver *s, const struct sweep_stage *stage, int first, int last)
{
    struct heat_step step = stage->step;
    step.first_plane = clamped(first, s->shape.first[BIOHEAT_Z], s->shape.last[BIOHEAT_Z]);
    step.last_plane = clamped(last, step.first_plane, s->shape.last[BIOHEAT_Z]);
    CUDA_CHECK(
        heat_sweep_stage(&step, &stage->by, s->setup.precision, s->multiprocessors, s->timeline.compute),
        "to start a stage");
    return stage->amplitudes ? heat_places_in(s, step.to, stage->amplitudes, first, last, s->timeline.compute)
                             : STATUS_OK;
}

// Several ranks: as launch_divided, in each stage. The next stage reads what this one writes.
static enum status launch_stage(struct solver *s, const struct sweep_stage *stage)
{
    const struct heat_shape *shape = &s->shape;
    const int first = shape->first_own, last = shape->end_own,
              low = shape->first_held < first ? first + HEAT_HALO : first,
              high = shape->end_held > last ? last - HEAT_HALO : last;
    const cudaStream_t compute = s->timeline.compute;
    cudaStream_t beside;
    CHECK(extend_rows(s, (void *)(uintptr_t)stage->step.from));
    if (!s->setup.shares || high - low < HEAT_HALO) { // one rank, or few planes
        CHECK(launch_stage_planes(s, stage, first, last));
        return heat_exchange_planes(s, stage->step.to, false);
    }
    CHECK(launch_stage_planes(s, stage, first, low));
    CHECK(launch_stage_planes(s, stage, high, last));
    CHECK(gpu_exchange_fork(&s->exchange, compute, &beside));
    CHECK(launch_stage_planes(s, stage, low, high));
    CHECK(heat_exchange_planes(s, stage->step.to, true));
    return gpu_exchange_join(&s->exchange, compute);
}

static enum status launch_differences(struct solver *s, int stages, int parts, const double *amplitudes)
{
    struct heat_media linear = s->media;
    linear.arterial_theta_k = 0;
    for (int side = 0; side < HEAT_SIDES; side++)
        linear.wall_theta_k[side] = 0;
    s->step.records.weight_min = s->setup.physics->step_s / 60 / parts;
    if (s->second_low)
        CUDA_CHECK(cudaMemcpyAsync(s->second_start, s->theta[s->current], s->array_elements * s->element,
                                   cudaMemcpyDeviceToDevice, s->timeline.compute),
                   "a copy within its memory");
    for (int j = 1; j <= stages; j++) {
        const struct sweep_stage stage = stage_of(s, stages, parts, j, &linear, amplitudes);
        CHECK(launch_stage(s, &stage));
    }
    return record_second_mean(s, solver_cells(s, s->second_start), solver_theta(s, false), parts);
}

// rkl2: before a step or sub-step the largest rise alone; the dose follows when it has ended.
static enum status record_largest(struct solver *s)
{
    struct heat_step step = s->step;
    step.records.low = NULL;
    if (step.records.largest)
        CUDA_CHECK(heat_record(&step, s->setup.precision, s->timeline.compute), "to record");
    return STATUS_OK;
}

static enum status launch_rkl2(struct solver *s, int64_t step, const double *amplitudes)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const int parts = s->is_divided ? physics->substeps : 1,
              stages = s->is_divided ? physics->substep_stages : physics->stages;
    for (int part = 0; part < parts; part++) {
        if (part > 0) {
            s->step.from = solver_theta(s, false);
            s->step.records.time_s = ((double)step + (double)part / parts) * physics->step_s;
            CHECK(record_largest(s));
        }
        CHECK(solver_sweeps_stages(s) ? launch_differences(s, stages, parts, amplitudes)
                                      : launch_plain_rkl2(s, stages, parts, amplitudes));
    }
    return STATUS_OK;
}

enum status heat_finish_records(struct solver *s)
{
    struct heat_step step = s->step;
    if (s->unrecorded == 0)
        return STATUS_OK;
    if (s->setup.physics->method == BIOHEAT_RKL2) // recorded of all cells
        step.records.largest = NULL;
    step.from = solver_theta(s, false);
    step.records.weight_min = s->unrecorded_weight_min;
    step.records.time_s = s->unrecorded_since_s;
    CUDA_CHECK(heat_record_unchanged(&step, s->setup.precision, s->unrecorded, s->timeline.compute),
               "to record");
    s->unrecorded = 0;
    return STATUS_OK;
}

// The sweeping kernels also record the cells that they update. Cells that no step changes are recorded for
// many steps at once (heat_finish_records). With the other kernels a kernel of its own records all cells.
static enum status launch_records(struct solver *s, int64_t step)
{
    struct heat_records *r = &s->step.records;
    const double step_s = s->setup.physics->step_s;
    const bool is_euler = s->setup.physics->method == BIOHEAT_EULER || solver_is_in_place(s);
    if (!r->low && !r->largest)
        return STATUS_OK;
    r->weight_min = bioheat_dose_weight_s(step, step_s) / 60;
    r->time_s = (double)step * step_s;
    if (s->setup.physics->method == BIOHEAT_RKL2) {
        if (r->low && solver_sweeps_stages(s)) { // the last stage records the cells that steps change
            s->unrecorded++;
            s->unrecorded_weight_min = step_s / 60;
        }
        return record_largest(s);
    }
    if (!is_euler || !s->sweeps || s->is_plain) {
        CUDA_CHECK(heat_record(&s->step, s->setup.precision, s->timeline.compute), "to record");
        return STATUS_OK;
    }
    if (s->unrecorded > 0 && r->weight_min != s->unrecorded_weight_min)
        CHECK(heat_finish_records(s));
    if (s->unrecorded++ == 0) {
        s->unrecorded_weight_min = r->weight_min;
        s->unrecorded_since_s = r->time_s;
    }
    return STATUS_OK;
}

enum status heat_launch_step(struct solver *s, int64_t step, const double *amplitudes,
                             const double *device_amplitudes)
{
    const enum bioheat_method method = s->setup.physics->method;
    const bool is_euler = method == BIOHEAT_EULER || method == BIOHEAT_EULER_IN_PLACE,
               is_rkl2 = method == BIOHEAT_RKL2;
    s->step.from = solver_theta(s, false);
    s->step.to = is_euler ? solver_theta(s, true) : solver_theta(s, false);
    set_range(s, 1);
    set_ghosts(s, false);
    // Euler's steps, and stages that sweep, leave the halo as the next one reads it.
    const bool keeps_halo = method == BIOHEAT_EULER || solver_sweeps_stages(s);
    if (keeps_halo ? !s->is_halo_current : !is_rkl2)
        CHECK(heat_exchange_planes(s, solver_theta(s, false), false));
    if (method == BIOHEAT_EULER && !s->is_halo_current)
        CHECK(copy_halo(s)); // the halo's cells that steps do not change
    s->is_halo_current = true;
    CHECK(heat_set_layers(s, amplitudes));
    CHECK(launch_records(s, step));
    CHECK(record_second(s, step));
    if (is_euler)
        CHECK(extend_rows(s, solver_theta(s, false)));
    if (method == BIOHEAT_EULER_IN_PLACE)
        CHECK(launch_in_place(s));
    else if (method == BIOHEAT_EULER)
        CHECK(launch_two_arrays(s, device_amplitudes));
    else if (is_rkl2)
        CHECK(launch_rkl2(s, step, device_amplitudes));
    else
        CHECK(launch_colours(s));
    if (is_euler)
        s->current = 1 - s->current;
    if (!is_rkl2 && method != BIOHEAT_EULER)
        CHECK(heat_places(s, solver_theta(s, false), device_amplitudes, 1));
    if (!s->low || (step + 1) % HEAT_FLUSH_STEPS != 0)
        return STATUS_OK;
    CHECK(heat_finish_records(s));
    CUDA_CHECK(heat_flush_dose(&s->shape, &s->step.records, s->setup.precision, s->timeline.compute),
               "to add up the dose");
    if (s->second_low)
        CUDA_CHECK(heat_flush_dose(&s->shape, &s->second, s->setup.precision, s->timeline.compute),
                   "to add up the dose");
    return STATUS_OK;
}

enum status heat_forget_records(struct solver *s)
{
    s->unrecorded = 0;
    if (s->low) {
        CHECK(gpu_timeline_fill(&s->timeline, s->low, 0, s->array_elements * s->element));
        CHECK(gpu_timeline_fill(&s->timeline, s->high, 0, s->array_elements * sizeof *s->high));
    }
    if (s->second_low) {
        CHECK(gpu_timeline_fill(&s->timeline, s->second_low, 0, s->array_elements * s->element));
        CHECK(gpu_timeline_fill(&s->timeline, s->second_high, 0, s->array_elements * sizeof *s->second_high));
    }
    if (s->largest)
        CUDA_CHECK(heat_forget_largest(&s->shape, solver_cells(s, s->largest),
                                       solver_doubles(s, s->largest_at_s), s->setup.precision,
                                       s->timeline.compute),
                   "to clear its memory");
    return STATUS_OK;
}

struct results_heat heat_present_state(const struct solver *s)
{
    return (struct results_heat){
        .shape = s->shape,
        .precision = s->setup.precision,
        .theta = solver_theta(s, false),
        .records = s->step.records,
        .second = s->second,
        .reference_c = s->setup.physics->reference_c,
        .step_s = s->setup.physics->step_s,
        .has_whole_dose = s->setup.physics->method == BIOHEAT_RKL2,
    };
}
