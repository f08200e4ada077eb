// What a heat run writes: descriptions of its streams. Independent of file formats and of the state.
#include "models/bioheat/body/domain.h"
#include "models/bioheat/instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char dose_text[] = "thermal dose, cumulative equivalent minutes at 43 degC";
// The second dose, by its definition.
const char *const bioheat_second_dose_texts[][2] = {
    [BIOHEAT_DOSE_PLAIN] = {"dose_cem43", "the same with R 0.25 below 43 degC and 0.5 above"},
    [BIOHEAT_DOSE_KWAVE] = {"dose_cem43_from_37", "the same without dose below 37 degC"},
    [BIOHEAT_DOSE_ISO] = {"dose_cem43_from_39", "the same without dose below 39 degC, R 0.5 once 43 degC was "
                                                "reached, infinite above 57 degC"}};

// °C: CF's air_temperature and sea_water_temperature are of other media; for tissue there is no standard
// name. "degC" is udunits' own.
static const char *const field_texts[BIOHEAT_FIELD_COUNT][2] = {
    {"temperature of the tissue", "degC"},
    {"thermal dose so far, cumulative equivalent minutes at 43 degC", "min"},
    {"largest temperature so far", "degC"},
};

// Of rank 0, or over z, y, x.
static void add_variable(struct stream *stream, int rank, const char *name, const char *long_name,
                         const char *units, bool has_missing)
{
    stream->variables[stream->variable_count++] = (struct stream_variable){
        name, NULL, long_name, units, NULL, NULL, rank, {0, 1, 2}, has_missing, false, 0, 0};
}

static const char axis_letters[BIOHEAT_AXES] = {'Z', 0, 0}; // the reason: core/stream.h

static enum status make_axes(struct bioheat *b)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const struct bioheat_crop *crop = &b->params.crop;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const size_t cropped = b->params.fields_every_s > 0 ? crop->count[axis] : 0;
        b->axes[axis] = malloc(grid->cells[axis] * sizeof(double));
        b->crop_axes[axis] = malloc((cropped + 1) * sizeof(double));
        if (!b->axes[axis] || !b->crop_axes[axis])
            return FAIL(STATUS_SYSTEM, "no memory for the outputs' axes");
        for (size_t i = 0; i < grid->cells[axis]; i++)
            b->axes[axis][i] = bioheat_position_m(grid, axis, i);
        for (size_t i = 0; i < cropped; i++)
            b->crop_axes[axis][i] =
                bioheat_position_m(grid, axis, crop->first[axis] + i * crop->stride[axis]);
    }
    return STATUS_OK;
}

static void set_axes(const struct bioheat *b, struct stream *stream, double *const values[BIOHEAT_AXES],
                     const size_t lengths[BIOHEAT_AXES])
{
    const char *long_name = b->params.body.grid.frame.is_tilted
                                ? "middle of the cells: distance along the slices, not scanner coordinates"
                                : "middle of the cells";
    stream->axis_count = BIOHEAT_AXES;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        stream->axes[axis] = (struct stream_axis){.name = bioheat_axis_names[axis],
                                                  .long_name = long_name,
                                                  .units = "m",
                                                  .axis = axis_letters[axis],
                                                  .length = lengths[axis],
                                                  .values = values[axis]};
}

// Says where the stream's grid lies in the image from which the domain was read.
static void add_place(const struct bioheat *b, const struct nifti_place *place, struct stream *stream)
{
    if (!bioheat_domain_place(b->params.domain))
        return;
    nifti_place_attributes(place, stream->attributes + stream->attribute_count);
    stream->attribute_count += NIFTI_PLACE_ATTRIBUTES;
    if (!b->params.body.grid.frame.is_tilted)
        return;
    stream->attributes[stream->attribute_count++] = (struct stream_attribute){
        .name = "positions",
        .text =
            "x, y, z are distances along the tilted slices of the image; the rows of axes_to_scanner times "
            "(x, y, z, 1) are scanner coordinates, x to the right, y to the front, z up"};
    stream->attributes[stream->attribute_count++] =
        (struct stream_attribute){.name = "axes_to_scanner", .values = b->axes_to_scanner[0], .count = 12};
}

static void find_places(struct bioheat *b)
{
    const struct nifti_place *place = bioheat_domain_place(b->params.domain);
    const struct bioheat_crop *crop = &b->params.crop;
    if (!place)
        return;
    bioheat_frame_affine(&b->params.body.grid, b->axes_to_scanner);
    b->place = b->crop_place = *place;
    nifti_place_crop(
        &b->crop_place,
        (const size_t[3]){crop->first[BIOHEAT_X], crop->first[BIOHEAT_Y], crop->first[BIOHEAT_Z]},
        (const size_t[3]){crop->stride[BIOHEAT_X], crop->stride[BIOHEAT_Y], crop->stride[BIOHEAT_Z]});
}

static void plan_fields(struct bioheat *b)
{
    struct stream *stream = &b->streams[BIOHEAT_STREAM_FIELDS];
    *stream = (struct stream){.name = "fields",
                              .title = "temperature and thermal dose",
                              .has_records = true,
                              .element = b->params.output_element,
                              .records_per_frame = 1};
    set_axes(b, stream, b->crop_axes, b->params.crop.count);
    add_place(b, &b->crop_place, stream);
    for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++) {
        if (!b->params.fields[f])
            continue;
        add_variable(stream, BIOHEAT_AXES, bioheat_field_names[f], field_texts[f][0], field_texts[f][1],
                     true);
        if (f != BIOHEAT_DOSE_FIELD)
            stream->variables[stream->variable_count - 1].resolution = b->params.temperature_resolution_k;
    }
}

static void plan_diagnostics(struct bioheat *b)
{
    struct stream *stream = &b->streams[BIOHEAT_STREAM_DIAGNOSTICS];
    *stream = (struct stream){.name = "diagnostics",
                              .title = "heat, volumes and extremes of the whole domain",
                              .has_records = true,
                              .element = ELEMENT_F64,
                              .records_per_frame = 1}; // await counts on one
    add_variable(stream, 0, "smallest_temperature", "smallest temperature", "degC", false);
    add_variable(stream, 0, "largest_temperature", "largest temperature", "degC", false);
    add_variable(stream, 0, "largest_index", "cell of the largest temperature, (z ny + y) nx + x", "1",
                 false);
    add_variable(stream, 0, "heat", "heat of the tissue above the reference temperature", "J", false);
    add_variable(stream, 0, "source_power", "heat from the source in the last step", "W", false);
    add_variable(stream, 0, "hot_volume", "volume of the tissue above 43 degC", "m3", false);
    add_variable(stream, 0, "lesion_volume", "volume of the tissue with a dose of a lesion", "m3", true);
    add_variable(stream, 0, "largest_dose", "largest thermal dose, cumulative equivalent minutes at 43 degC",
                 "min", true);
    add_variable(stream, 0, "largest_x", "place of the largest temperature", "m", false);
    add_variable(stream, 0, "largest_y", "place of the largest temperature", "m", false);
    add_variable(stream, 0, "largest_z", "place of the largest temperature", "m", false);
}

// output.c writes them in this order.
static void plan_maxima(struct bioheat *b)
{
    struct stream *stream = &b->streams[BIOHEAT_STREAM_MAXIMA];
    const enum bioheat_dose second = b->params.physics.second_dose;
    *stream = (struct stream){.name = "maxima",
                              .title = "largest temperatures, thermal dose and lesion",
                              .comment = "times in seconds of the model's clock; missing: air",
                              .element = b->params.output_element,
                              .records_per_frame = 1};
    set_axes(b, stream, b->axes, b->params.body.grid.cells);
    add_place(b, &b->place, stream);
    add_variable(stream, BIOHEAT_AXES, "max_temperature", "largest temperature", "degC", true);
    add_variable(stream, BIOHEAT_AXES, "time_of_max", "time of the largest temperature", "s", true);
    if (b->params.physics.dose != BIOHEAT_DOSE_OFF) {
        add_variable(stream, BIOHEAT_AXES, "dose", dose_text, "min", true);
        if (second != BIOHEAT_DOSE_OFF)
            add_variable(stream, BIOHEAT_AXES, bioheat_second_dose_texts[second][0],
                         bioheat_second_dose_texts[second][1], "min", true);
        add_variable(stream, BIOHEAT_AXES, "lesion", "1 where the dose is that of a lesion, else 0", "1",
                     true);
    }
    if (b->media->has_labels)
        add_variable(stream, BIOHEAT_AXES, "label", "label of the tissue", "1", false);
}

// The numbers of a dose do not show their law; chain.c reads it here.
static void add_definitions(const struct bioheat_physics *physics, struct stream *stream)
{
    stream->attributes[stream->attribute_count++] =
        (struct stream_attribute){.name = bioheat_dose_attributes[0], .text = bioheat_doses[physics->dose]};
    if (physics->second_dose != BIOHEAT_DOSE_OFF)
        stream->attributes[stream->attribute_count++] = (struct stream_attribute){
            .name = bioheat_dose_attributes[1], .text = bioheat_doses[physics->second_dose]};
}

static void plan_state(struct bioheat *b)
{
    struct stream *stream = &b->streams[BIOHEAT_STREAM_STATE];
    *stream = (struct stream){
        .name = "state",
        .title = "state at the end, from which another exposure can continue",
        .comment = "what the run does not keep is missing; initial.from of another job reads this file",
        .element = ELEMENT_F64,
        .records_per_frame = 1};
    set_axes(b, stream, b->axes, b->params.body.grid.cells);
    add_place(b, &b->place, stream);
    add_definitions(&b->params.physics, stream);
    add_variable(stream, BIOHEAT_AXES, "rise", "temperature above the reference temperature", "K", true);
    add_variable(stream, BIOHEAT_AXES, "dose", dose_text, "min", true);
    add_variable(stream, BIOHEAT_AXES, "largest_rise", "largest temperature above the reference temperature",
                 "K", true);
    add_variable(stream, BIOHEAT_AXES, "largest_at", "time of the largest temperature", "s", true);
    if (b->params.physics.second_dose != BIOHEAT_DOSE_OFF)
        add_variable(stream, BIOHEAT_AXES, "second_dose",
                     bioheat_second_dose_texts[b->params.physics.second_dose][1], "min", true);
    add_variable(stream, 0, "clock", "time of the state", "s", false);
    add_variable(stream, 0, "reference_temperature", "reference temperature", "degC", false);
    add_variable(
        stream, 0, bioheat_lacks_name,
        "why thermal safety is not judged as passed, a sum: 1 begins after a part of its plan, 2 ends "
        "before it, 4 heat in layers of fixed faces, 8 heat in cells that are not solved, 16 "
        "temperatures beyond the model, 32 an earlier run, 128 pressure in tissue that is not solved, "
        "256 start or blood are not at 35 to 40 degC, 512 an error of the steps beyond what is allowed, 1024 "
        "no pressure, 2048 heat carried off by faces, 4096 a tissue exceeds its level; 0: none of "
        "these. The attribute lacking_reasons of the file has the same in words",
        "1", false);
    add_variable(stream, 0, bioheat_index_name,
                 "largest mechanical index in soft tissue, of this run and those before it; 0: none is known",
                 "1", false);
    for (int k = 0; k < BIOHEAT_CARRIED_NUMBERS; k++)
        add_variable(stream, 0, bioheat_carried_texts[k].name, bioheat_carried_texts[k].long_name,
                     bioheat_carried_texts[k].units, false);
    add_variable(stream, 0, bioheat_rounding_name,
                 "what the roundings of single precision sum up to at most, of this run and those before it",
                 "K", false);
    if (bioheat_domain_label_hash(b->params.domain)[0])
        stream->attributes[stream->attribute_count++] = (struct stream_attribute){
            .name = bioheat_label_hash_name, .text = bioheat_domain_label_hash(b->params.domain)};
    // Written with the record, when it is known.
    stream->attributes[stream->attribute_count++] =
        (struct stream_attribute){.name = bioheat_reasons_name, .text = b->reasons};
    if (b->chain && bioheat_chain_lacking(b->chain)[0])
        stream->attributes[stream->attribute_count++] =
            (struct stream_attribute){.name = bioheat_earlier_name, .text = bioheat_chain_lacking(b->chain)};
}

// Planes along the first axis, each its rank's; of the fields those of the crop.
static void divide_stream(const struct bioheat *b, enum bioheat_stream kind, struct stream *stream)
{
    const struct bioheat_planes own = bioheat_own(&b->params.body.grid);
    const struct bioheat_crop *crop = &b->params.crop;
    struct stream_division *division = &stream->division;
    if (!b->shares ||
        (kind != BIOHEAT_STREAM_FIELDS && kind != BIOHEAT_STREAM_MAXIMA && kind != BIOHEAT_STREAM_STATE))
        return;
    *division = (struct stream_division){.dividing = STREAM_ROWS,
                                         .holds_all = b->base.ranks->rank == 0,
                                         .axis = BIOHEAT_Z,
                                         .first = own.first,
                                         .end = own.end};
    if (kind != BIOHEAT_STREAM_FIELDS)
        return;
    division->first = 0;
    while (division->first < crop->count[BIOHEAT_Z] &&
           crop->first[BIOHEAT_Z] + division->first * crop->stride[BIOHEAT_Z] < own.first)
        division->first++;
    division->end = division->first;
    while (division->end < crop->count[BIOHEAT_Z] &&
           crop->first[BIOHEAT_Z] + division->end * crop->stride[BIOHEAT_Z] < own.end)
        division->end++;
}

static void add_stream(struct bioheat *b, struct model_plan *plan, enum bioheat_stream kind,
                       struct run_schedule schedule)
{
    static const int results[BIOHEAT_STREAM_KINDS] = {[BIOHEAT_STREAM_FIELDS] = BIOHEAT_RESULT_FIELDS,
                                                      [BIOHEAT_STREAM_SENSORS] = BIOHEAT_RESULT_SENSORS,
                                                      [BIOHEAT_STREAM_DIAGNOSTICS] =
                                                          BIOHEAT_RESULT_DIAGNOSTICS,
                                                      [BIOHEAT_STREAM_MAXIMA] = -1,
                                                      [BIOHEAT_STREAM_STATE] = -1,
                                                      [BIOHEAT_STREAM_HISTOGRAMS] = -1};
    if (schedule.every_s > 0)
        b->streams[kind].expected_records =
            (size_t)((double)plan->steps / fmax(1, schedule.every_s / plan->step_s)) + schedule.at_start +
            schedule.at_end;
    b->streams[kind].may_be_infinite =
        b->params.physics.dose != BIOHEAT_DOSE_OFF; // the dose; the guard checks the temperatures
    divide_stream(b, kind, &b->streams[kind]);
    instance_add_stream(&b->base, plan, &b->streams[kind], schedule, kind, results[kind]);
}

// A record shows one moment; the safety of a patient depends on the extremes of the run.
static void plan_extremes(struct bioheat *b, struct model_plan *plan)
{
    struct bioheat_extremes *e = &b->extremes;
    const struct watch_extreme extremes[] = {
        {.variable = "largest_temperature", .value = &e->largest_c, .time_s = &e->largest_at_s},
        {.variable = "smallest_temperature", .is_smallest = true, .value = &e->smallest_c},
        {.variable = "hot_volume", .value = &e->hot_volume_m3},
        {.variable = "largest_dose", .value = &e->largest_dose_min},
        {.variable = "lesion_volume", .value = &e->lesion_volume_m3},
    };
    for (size_t k = 0; k < sizeof extremes / sizeof *extremes; k++) {
        plan->extremes[plan->extreme_count] = extremes[k];
        plan->extremes[plan->extreme_count++].stream = plan->stream_count - 1;
    }
}

enum status bioheat_output_plan(struct bioheat *b, struct model_plan *plan)
{
    const struct bioheat_params *p = &b->params;
    const struct run_schedule at_end = {.at_end = true};
    CHECK(make_axes(b));
    find_places(b);
    if (p->fields_every_s > 0) {
        plan_fields(b);
        add_stream(b, plan, BIOHEAT_STREAM_FIELDS,
                   (struct run_schedule){.every_s = p->fields_every_s, .at_start = true, .at_end = true});
    }
    if (p->sensor_count > 0) {
        CHECK(bioheat_sensors_plan(b));
        add_stream(b, plan, BIOHEAT_STREAM_SENSORS,
                   (struct run_schedule){.every_s = p->sensors_every_s, .at_start = true, .at_end = true});
    }
    plan_diagnostics(b);
    add_stream(b, plan, BIOHEAT_STREAM_DIAGNOSTICS,
               (struct run_schedule){.every_s = p->diagnostics_every_s, .at_start = true, .at_end = true});
    plan_extremes(b, plan);
    if (p->has_maxima) {
        plan_maxima(b);
        add_stream(b, plan, BIOHEAT_STREAM_MAXIMA, at_end);
    }
    if (p->has_state) {
        plan_state(b);
        add_stream(b, plan, BIOHEAT_STREAM_STATE, at_end);
    }
    if (p->has_histograms) {
        CHECK(bioheat_histogram_stream(b, &b->streams[BIOHEAT_STREAM_HISTOGRAMS]));
        add_stream(b, plan, BIOHEAT_STREAM_HISTOGRAMS, at_end);
    }
    return STATUS_OK;
}

// Of a divided run: this rank's planes, and the memory of its parts of records.
static enum status divide_results(struct bioheat *b, struct bioheat_wanted *wanted,
                                  struct memory_plan *memory)
{
    static const char *const names[BIOHEAT_RESULTS] = {
        [BIOHEAT_RESULT_SENSORS] = "sensors", [BIOHEAT_RESULT_DIAGNOSTICS] = "diagnostics"};
    const size_t bytes[BIOHEAT_RESULTS] = {[BIOHEAT_RESULT_SENSORS] = bioheat_sensors_part_bytes(b),
                                           [BIOHEAT_RESULT_DIAGNOSTICS] = wanted->diagnostics_bytes};
    const struct stream_division *division = &b->streams[BIOHEAT_STREAM_FIELDS].division;
    if (wanted->slots[BIOHEAT_RESULT_FIELDS] > 0) {
        wanted->crop.first[BIOHEAT_Z] += division->first * wanted->crop.stride[BIOHEAT_Z];
        wanted->crop.count[BIOHEAT_Z] = division->end - division->first;
        if (!division->holds_all)
            wanted->held_planes = wanted->crop.count[BIOHEAT_Z];
    }
    for (int r = 0; r < BIOHEAT_RESULTS; r++)
        if (wanted->slots[r] > 0 && bytes[r] > 0)
            CHECK(memory_plan_add(memory, MEMORY_PINNED, ELEMENT_U8, PIPELINE_FRAME_SLOTS,
                                  wanted->frame_records[r] * bytes[r], &b->result_parts[r], "parts of %s",
                                  names[r]));
    return STATUS_OK;
}

enum status bioheat_results_plan(struct bioheat *b, struct memory_plan *memory)
{
    const enum bioheat_stream kinds[BIOHEAT_RESULTS] = {BIOHEAT_STREAM_FIELDS, BIOHEAT_STREAM_SENSORS,
                                                        BIOHEAT_STREAM_DIAGNOSTICS};
    struct bioheat_wanted wanted = {.element = b->params.output_element,
                                    .crop = b->params.crop,
                                    .lesion_dose_min = b->params.lesion_dose_min,
                                    .held_planes = b->params.crop.count[BIOHEAT_Z],
                                    .diagnostics_bytes = bioheat_diagnostics_bytes(b),
                                    .sensor_count = b->params.sensor_count,
                                    .sensors = b->sensor_places};
    if (!b->backend->plan_results)
        return STATUS_OK;
    for (int r = 0; r < BIOHEAT_RESULTS; r++) {
        const struct stream *stream = &b->streams[kinds[r]];
        if (!stream->name)
            continue; // the run has no such stream
        wanted.slots[r] = PIPELINE_FRAME_SLOTS;
        wanted.frame_records[r] = stream->records_per_frame;
    }
    memcpy(wanted.fields, b->params.fields, sizeof wanted.fields);
    if (b->shares)
        CHECK(divide_results(b, &wanted, memory));
    return b->backend->plan_results(b->base.solver, &wanted, memory, "");
}

void bioheat_output_free(struct bioheat *b)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        free(b->axes[axis]);
        free(b->crop_axes[axis]);
    }
    free(b->sensor_constants);
    free(b->sensor_texts);
    free(b->sensor_places);
    free(b->marks.values);
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        free(b->volumes.cells[kind]);
}
