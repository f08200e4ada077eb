// A CUDA heat solver's source: layers, uploaded on the copy stream while steps run; points and boxes, sorted
// so that those with common cells act in their order; and the amplitudes of these, a few calls of advance
// ahead.
#include "gpu/bioheat/solver.h"
#include "gpu/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static size_t place_count(const struct bioheat_source *source)
{
    return source->point_count + source->box_count;
}

static enum status plan_points(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t count = s->setup.source->point_count;
    const size_t starts = count > 0 ? count + 1 : 0;
    const enum element real = s->setup.precision;
    const struct gpu_array arrays[] = {
        {&s->point_cells, MEMORY_DEVICE, ELEMENT_I64, 1, count, "device cells of points"},
        {&s->host_point_cells, MEMORY_HOST, ELEMENT_I64, 1, count, "cells of points"},
        {&s->point_starts, MEMORY_DEVICE, ELEMENT_I32, 1, starts, "device starts of points"},
        {&s->host_point_starts, MEMORY_HOST, ELEMENT_I32, 1, starts, "starts of points"},
        {&s->point_indices, MEMORY_DEVICE, ELEMENT_I32, 1, count, "device order of points"},
        {&s->host_point_indices, MEMORY_HOST, ELEMENT_I32, 1, count, "order of points"},
        {&s->point_gains, MEMORY_DEVICE, real, 1, count, "device gains of points"},
        {&s->host_point_gains, MEMORY_HOST, real, 1, count, "gains of points"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status plan_boxes(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t count = s->setup.source->box_count;
    const struct gpu_array arrays[] = {
        {&s->boxes, MEMORY_DEVICE, ELEMENT_U8, count, sizeof *s->boxes, "device boxes"},
        {&s->host_boxes, MEMORY_HOST, ELEMENT_U8, count, sizeof *s->host_boxes, "boxes"},
        {&s->box_group_ends, MEMORY_HOST, ELEMENT_I32, 2, count, "box groups"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status make_event(struct solver *s, cudaEvent_t *event)
{
    CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "an event");
    s->events++;
    return STATUS_OK;
}

enum status heat_plan_source(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct bioheat_source *source = s->setup.source;
    for (int layer = 0; layer < source->layer_count; layer++)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, s->setup.precision, 1, s->array_elements,
                              &s->layers[layer], "%sdevice source %d", prefix, layer));
    CHECK(plan_points(s, plan, prefix));
    CHECK(plan_boxes(s, plan, prefix));
    if (place_count(source) > 0)
        for (int k = 0; k < HEAT_BATCHES; k++) {
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, (size_t)s->setup.batch_steps,
                                  place_count(source), (void **)&s->device_amplitudes[k],
                                  "%sdevice amplitudes %d", prefix, k));
            CHECK(memory_plan_add(plan, MEMORY_PINNED, ELEMENT_F64, (size_t)s->setup.batch_steps,
                                  place_count(source), (void **)&s->amplitudes[k], "%samplitudes %d", prefix,
                                  k));
        }
    CHECK(make_event(s, &s->layer_free));
    for (int k = 0; k < HEAT_BATCHES; k++)
        CHECK(make_event(s, &s->batch_done[k]));
    for (int layer = 0; layer < source->layer_count; layer++)
        CHECK(make_event(s, &s->layer_there[layer]));
    return STATUS_OK;
}

void heat_close_source(struct solver *s)
{
    cudaEvent_t *events[1 + HEAT_BATCHES + BIOHEAT_LAYERS_MAX] = {&s->layer_free};
    for (int k = 0; k < HEAT_BATCHES; k++)
        events[1 + k] = &s->batch_done[k];
    for (int layer = 0; layer < BIOHEAT_LAYERS_MAX; layer++)
        events[1 + HEAT_BATCHES + layer] = &s->layer_there[layer];
    while (s->events > 0)
        (void)cudaEventDestroy(*events[--s->events]);
}

// ---- at the start

static int compare_places(const struct solver *s, int a, int b)
{
    const size_t(*points)[BIOHEAT_AXES] = s->setup.source->points;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (points[a][axis] != points[b][axis])
            return points[a][axis] < points[b][axis] ? -1 : 1;
    return a < b ? -1 : a > b;
}

// Heap sort, in place: qsort may allocate.
static void sift_down(const struct solver *s, int *order, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare_places(s, order[child], order[child + 1]) < 0)
            child++;
        if (compare_places(s, order[root], order[child]) >= 0)
            return;
        const int other = order[root];
        order[root] = order[child];
        order[child] = other;
    }
}

static void sort_points(struct solver *s)
{
    const size_t count = s->setup.source->point_count;
    int *order = s->host_point_indices;
    for (size_t k = 0; k < count; k++)
        order[k] = (int)k;
    for (size_t root = count / 2; root-- > 0;)
        sift_down(s, order, root, count);
    for (size_t end = count; end-- > 1;) {
        const int first = order[0];
        order[0] = order[end];
        order[end] = first;
        sift_down(s, order, 0, end);
    }
}

static enum status start_points(struct solver *s)
{
    const size_t count = s->setup.source->point_count;
    const size_t(*points)[BIOHEAT_AXES] = s->setup.source->points;
    int cells = 0;
    if (count == 0)
        return STATUS_OK;
    sort_points(s);
    size_t end = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t *at = points[s->host_point_indices[k]];
        if (!bioheat_has_plane(bioheat_held(s->setup.grid), at[BIOHEAT_Z]))
            continue; // before or after all held ones, because they are sorted by z first
        end = k + 1;
        const long long cell = heat_cell_offset(&s->shape, at);
        if (cells > 0 && s->host_point_cells[cells - 1] == cell)
            continue;
        s->host_point_cells[cells] = cell;
        s->host_point_starts[cells] = (int)k;
        gpu_set_real(s->host_point_gains, s->setup.precision, (size_t)cells++, heat_gain(s, at));
    }
    s->host_point_starts[cells] = (int)end;
    s->points =
        (struct heat_points){cells, s->point_cells, s->point_starts, s->point_indices, s->point_gains};
    CHECK(gpu_timeline_upload(&s->timeline, s->point_cells, s->host_point_cells,
                              (size_t)cells * sizeof *s->point_cells));
    CHECK(gpu_timeline_upload(&s->timeline, s->point_starts, s->host_point_starts,
                              ((size_t)cells + 1) * sizeof *s->point_starts));
    CHECK(gpu_timeline_upload(&s->timeline, s->point_indices, s->host_point_indices,
                              count * sizeof *s->point_indices));
    return gpu_timeline_upload(&s->timeline, s->point_gains, s->host_point_gains, (size_t)cells * s->element);
}

static bool have_common_cells(const struct bioheat_box *a, const struct bioheat_box *b)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (a->last[axis] < b->first[axis] || b->last[axis] < a->first[axis])
            return false;
    return true;
}

// What steps may change of a box, in held planes.
static void clip_box(const struct solver *s, const struct bioheat_box *from, struct heat_box *box)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const bool is_z = axis == BIOHEAT_Z;
        const int low = larger((int)from->first[axis], is_z ? s->shape.first_held : 0),
                  high = smaller((int)from->last[axis] + 1, is_z ? s->shape.end_held : s->shape.cells[axis]);
        const int first = larger(low, s->shape.first[axis]), last = smaller(high, s->shape.last[axis]);
        box->first[axis] = first;
        box->count[axis] = last > first ? last - first : 0;
    }
}

// A box belongs to the group after the last group of an earlier box with common cells.
static void group_boxes(struct solver *s)
{
    const struct bioheat_source *source = s->setup.source;
    int *const ends = s->box_group_ends, *const group = ends + source->box_count;
    s->box_groups = 0;
    for (size_t b = 0; b < source->box_count; b++) {
        group[b] = 0;
        for (size_t a = 0; a < b; a++)
            if (group[a] >= group[b] && have_common_cells(&source->boxes[a], &source->boxes[b]))
                group[b] = group[a] + 1;
        if (group[b] >= s->box_groups)
            s->box_groups = group[b] + 1;
    }
    int count = 0;
    for (int g = 0; g < s->box_groups; g++) {
        for (size_t b = 0; b < source->box_count; b++) {
            if (group[b] != g)
                continue;
            struct heat_box *box = &s->host_boxes[count++];
            box->amplitude = (int)(source->point_count + b);
            clip_box(s, &source->boxes[b], box);
        }
        ends[g] = count;
    }
}

enum status heat_start_source(struct solver *s)
{
    const struct bioheat_source *source = s->setup.source;
    for (int layer = 0; layer < source->layer_count; layer++) {
        s->is_layer_awaited[layer] = false;
        s->layer_from[layer] = NULL;
        if (source->layers[layer] && *source->layers[layer])
            CHECK(heat_take_layer(s, layer));
    }
    CHECK(start_points(s));
    if (source->box_count > 0) {
        group_boxes(s);
        CHECK(
            gpu_timeline_upload(&s->timeline, s->boxes, s->host_boxes, source->box_count * sizeof *s->boxes));
    }
    s->batch = 0;
    return STATUS_OK;
}

// ---- while steps run

enum status heat_take_layer(struct solver *s, int layer)
{
    assert(layer >= 0 && layer < s->setup.source->layer_count);
    // Steps under way may still read the device's copy.
    CUDA_CHECK(cudaEventRecord(s->layer_free, s->timeline.compute), "to mark a layer as free");
    CUDA_CHECK(cudaStreamWaitEvent(s->timeline.copy, s->layer_free, 0), "to let a copy wait for its steps");
    CHECK(heat_copy_planes(s, bioheat_held(s->setup.grid), solver_cells(s, s->layers[layer]),
                           (void *)(uintptr_t)*s->setup.source->layers[layer], s->element, true,
                           s->timeline.copy));
    CUDA_CHECK(cudaEventRecord(s->layer_there[layer], s->timeline.copy), "to mark a layer as there");
    s->is_layer_awaited[layer] = true;
    s->layer_from[layer] = *s->setup.source->layers[layer];
    return STATUS_OK;
}

enum status heat_layer_taken(struct solver *s, int layer)
{
    CUDA_CHECK(gpu_wait(s->layer_there[layer]), "to take over a layer");
    return STATUS_OK;
}

enum status heat_set_layers(struct solver *s, const double *amplitudes)
{
    struct heat_layers *layers = &s->step.layers;
    layers->count = 0;
    for (int layer = 0; layer < s->setup.source->layer_count; layer++) {
        if (amplitudes[layer] == 0)
            continue;
        // A source that is held in memory as a whole only changes the pointer to a layer.
        if (s->layer_from[layer] != *s->setup.source->layers[layer])
            CHECK(heat_take_layer(s, layer));
        if (s->is_layer_awaited[layer])
            CUDA_CHECK(cudaStreamWaitEvent(s->timeline.compute, s->layer_there[layer], 0),
                       "to let steps wait for a layer");
        s->is_layer_awaited[layer] = false;
        layers->values[layers->count] = solver_cells(s, s->layers[layer]);
        layers->amplitudes[layers->count++] = amplitudes[layer];
    }
    return STATUS_OK;
}

enum status heat_send_amplitudes(struct solver *s, int64_t count, const double *amplitudes,
                                 const double **device)
{
    const size_t places = place_count(s->setup.source), terms = bioheat_terms(s->setup.source);
    double *const to = s->amplitudes[s->batch];
    *device = s->device_amplitudes[s->batch];
    if (places == 0)
        return STATUS_OK;
    assert(count <= s->setup.batch_steps);
    CUDA_CHECK(gpu_wait(s->batch_done[s->batch]), "to finish an earlier batch");
    for (int64_t n = 0; n < count; n++)
        memcpy(to + (size_t)n * places, amplitudes + (size_t)n * terms + s->setup.source->layer_count,
               places * sizeof *to);
    return gpu_timeline_upload(&s->timeline, s->device_amplitudes[s->batch], to,
                               (size_t)count * places * sizeof *to);
}

enum status heat_amplitudes_used(struct solver *s)
{
    CUDA_CHECK(cudaEventRecord(s->batch_done[s->batch], s->timeline.compute), "to mark a batch");
    s->batch = (s->batch + 1) % HEAT_BATCHES;
    return STATUS_OK;
}

// Number of the first point, of those sorted by their planes, that lies in plane z or above.
static int first_point(const struct solver *s, int z)
{
    int low = 0, high = s->points.count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (s->host_point_cells[middle] < z * s->shape.plane)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum status heat_range(struct solver *s, void *cells, const double *amplitudes, double weight,
                              int first, int last, cudaStream_t stream)
{
    const int begin = first_point(s, first), end = first_point(s, last);
    struct heat_points points = s->points;
    points.count = end - begin;
    points.places += begin;
    points.starts += begin;
    points.gains = (const char *)points.gains + (size_t)begin * s->element;
    if (points.count > 0)
        CUDA_CHECK(heat_points(cells, &points, amplitudes, weight, s->setup.precision, stream),
                   "to heat its points");
    for (int g = 0, done = 0; g < s->box_groups; done = s->box_group_ends[g++])
        CUDA_CHECK(heat_boxes(cells, &s->shape, &s->media, s->boxes + done, s->box_group_ends[g] - done,
                              amplitudes, weight, first, last, s->setup.precision, stream),
                   "to heat its boxes");
    return STATUS_OK;
}

enum status heat_places(struct solver *s, void *cells, const double *amplitudes, double weight)
{
    return heat_range(s, cells, amplitudes, weight, s->shape.first_own, s->shape.end_own,
                      s->timeline.compute);
}

enum status heat_places_in(struct solver *s, void *cells, const double *amplitudes, int first, int last,
                           cudaStream_t stream)
{
    return heat_range(s, cells, amplitudes, 1, first, last, stream);
}
