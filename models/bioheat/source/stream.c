// A heating field over time that is read during the run: its file, its times, and the pieces for the layers.
//
// A layer holds one piece. If at most one record's time lies within a step, pieces are records, and the
// layers' amplitudes are the records' exact weights in the step. Otherwise pieces are means of steps, summed
// in double while they are read, with the amplitude 1.
#include "models/bioheat/source/private.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the job

static enum status check_time_unit(const struct source_stream *stream, struct units_override *override)
{
    struct stated_units stated = {.path = stream->path};
    CHECK_KEY(override->job, "source.stream.file",
              field_file_line_units(stream->file, FIELD_TIME,
                                    job_string(override->job, "source.stream.times"), &stated.variable,
                                    &stated.units));
    return job_units_check(override, "source.stream.time_unit", &stated);
}

static enum status read_times(struct source_stream *stream, const struct job *job)
{
    CHECK_KEY(job, "source.stream.file",
              field_file_line(stream->file, FIELD_TIME, job_string(job, "source.stream.times"),
                              job_string(job, "source.stream.time_unit"), "s", &stream->times_s,
                              &stream->axis.time_count));
    const struct field_file_info *info = field_file_info(stream->file);
    const size_t times = stream->axis.time_count, records = stream->axis.records;
    if (!stream->times_s)
        return job_fail(job, "source.stream.times",
                        "%s has no times of %s: name their variable, or give rows: \"steps\"", info->path,
                        info->variable);
    if (times != records && (times != records + 1 || stream->axis.is_linear))
        return FAIL(STATUS_DATA, "%s: %zu times for %zu records of %s: expected as many%s", info->path, times,
                    records, info->variable,
                    stream->axis.is_linear ? "" : ", or one more (the end of the last record)");
    const size_t bad = source_axis_first_bad(stream->times_s, times);
    if (bad < times && bad > 0)
        return FAIL(STATUS_DATA,
                    "%s: times of %s: record %zu, %.10g s, does not come after record %zu, %.10g s: times "
                    "must ascend",
                    info->path, info->variable, bad, stream->times_s[bad], bad - 1, stream->times_s[bad - 1]);
    if (bad < times)
        return FAIL(STATUS_DATA, "%s: times of %s: that of record 0 is not a finite number", info->path,
                    info->variable);
    const double start_s = job_quantity(job, "source.stream.start"),
                 farthest_s = fmax(fabs(stream->times_s[0]), fabs(stream->times_s[times - 1]));
    if (farthest_s > BIOHEAT_SOURCE_LONGEST_S)
        return FAIL(STATUS_DATA, "%s: times of %s: %g s is out of range: at most %g s are expected",
                    info->path, info->variable, farthest_s, BIOHEAT_SOURCE_LONGEST_S);
    for (size_t k = 0; k < times; k++)
        stream->times_s[k] += start_s;
    stream->axis.times_s = stream->times_s;
    return STATUS_OK;
}

static enum status check_energy(const struct source_stream *stream, const struct job *job)
{
    const struct source_axis *axis = &stream->axis;
    if (!axis->is_energy)
        return STATUS_OK;
    if (axis->is_linear)
        return job_fail(job, "source.stream.between",
                        "energies (J m-3) are added while their record lasts: \"stepwise\" is expected");
    if (axis->times_s && axis->time_count != axis->records + 1)
        return job_fail(
            job, "source.stream.times",
            "records of energies (J m-3) need one time more than records, the end of the last one");
    if (axis->after == SOURCE_HELD || axis->before == SOURCE_HELD)
        return job_fail(job,
                        axis->after == SOURCE_HELD ? "source.stream.after_end" : "source.stream.before_start",
                        "an energy (J m-3) is added once, it cannot be held: \"zero\" is possible");
    return STATUS_OK;
}

static void warn_of_chunks(const struct source_stream *stream)
{
    const struct field_file_info *info = field_file_info(stream->file);
    if (info->is_cache_short)
        log_warning("%s: variable %s: its compressed chunks hold %zu records each, more than is kept: each "
                    "is read and inflated as often; one record a chunk (nccopy -c) streams faster",
                    info->path, info->variable, info->records_a_chunk);
}

enum status source_stream_read(struct bioheat_heating *heating, const struct job *job)
{
    static const struct source_field_keys keys = {"source.stream.file", "source.stream.variable",
                                                  "source.stream.units", "source.stream.axes"};
    if (!job_has(job, "source.stream"))
        return STATUS_OK;
    struct source_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return FAIL(STATUS_SYSTEM, "no memory for the streamed source");
    heating->stream = stream;
    snprintf(stream->where, sizeof stream->where, "%.400s: source.stream", job_path(job));
    struct source_axis *axis = &stream->axis;
    struct units_override override = {.job = job, .key = "source.stream.override"};
    CHECK(source_field_open(heating, &keys, &override, true, &axis->is_energy, stream->path, &stream->file));
    axis->records = field_file_info(stream->file)->lengths[FIELD_TIME];
    stream->amplitude = job_number(job, "source.stream.amplitude");
    stream->is_in_memory = job_boolean(job, "source.stream.in_memory");
    source_beyond_read(job, "source.stream.before_start", "source.stream.after_end", axis);
    const bool is_by_step = strcmp(job_string(job, "source.stream.rows"), "steps") == 0;
    if (is_by_step && (job_has(job, "source.stream.times") || job_has(job, "source.stream.start")))
        return job_fail(job, "source.stream.rows",
                        "\"steps\" excludes times and start: record n is step n's");
    const char *between = job_string(job, "source.stream.between");
    if (is_by_step && job_has(job, "source.stream.between") && strcmp(between, "linear") == 0)
        return job_fail(job, "source.stream.between",
                        "has no meaning where rows is \"steps\": a record is one step's");
    axis->is_linear = !is_by_step && strcmp(between, "linear") == 0;
    if (!is_by_step) {
        CHECK(check_time_unit(stream, &override));
        CHECK(read_times(stream, job));
    }
    job_units_end(&override, stream->path);
    warn_of_chunks(stream);
    return check_energy(stream, job);
}

void source_stream_free(struct source_stream *stream)
{
    if (!stream)
        return;
    field_file_close(stream->file);
    free(stream->times_s);
    free(stream);
}

// ---- the plan

// Whether a step may miss heat: along the lines between records, or because a record begins or ends in it.
static bool must_compare(const struct source_axis *axis, int64_t steps)
{
    for (size_t k = 0; axis->times_s && k < axis->time_count; k++) {
        const double time_s = axis->times_s[k], step = floor((time_s - axis->start_s) / axis->step_s);
        for (double n = fmax(step - 1, 0); n <= step + 1 && n < (double)steps; n++) {
            const struct source_window window = source_axis_window(axis, (int64_t)n);
            if (axis->is_linear || (time_s > window.from_s && time_s < window.to_s))
                return true;
        }
    }
    return false;
}

// Whether the times of two or more records lie within one step: its mean then has more records than layers.
static bool must_average(const struct source_axis *axis, int64_t steps)
{
    const size_t most = axis->is_linear ? 3 : 2;
    for (size_t k = 0; axis->times_s && k + 1 < axis->time_count; k++) {
        const double step = floor((axis->times_s[k] - axis->start_s) / axis->step_s);
        if (axis->times_s[k + 1] - axis->times_s[k] >= axis->step_s || step < -1 || step > (double)steps)
            continue;
        for (int64_t n = (int64_t)step - 1; n <= (int64_t)step + 1; n++)
            if (n >= 0 && n < steps && source_axis_window(axis, n).count > most)
                return true;
    }
    return false;
}

void source_stream_pieces(const struct source_stream *stream, int64_t step, int64_t *first, int64_t *end)
{
    const struct source_window window = source_axis_window(&stream->axis, step);
    *first = stream->is_averaged ? step : (int64_t)window.first;
    *end = *first + (stream->is_averaged ? window.count > 0 : (int64_t)window.count);
}

bool source_stream_is_switched(const struct source_stream *stream)
{
    return stream && stream->axis.times_s && !stream->axis.is_linear && !stream->is_averaged;
}

// The pieces of all steps are consecutive: the first and the last step in which the source acts determine
// them. Where it does not act, the window is empty, at the nearer end.
static void find_pieces(struct source_stream *stream, int64_t steps)
{
    int64_t first, end;
    source_stream_pieces(stream, 0, &first, &end);
    stream->first_piece = first;
    source_stream_pieces(stream, steps - 1, &first, &end);
    if (stream->is_averaged)
        for (int64_t n = steps - 1; n >= 0 && end == first; n--)
            source_stream_pieces(stream, n, &first, &end);
    stream->end_piece = end > stream->first_piece ? end : stream->first_piece;
}

static enum status plan_buffers(struct bioheat_heating *heating, struct memory_plan *plan)
{
    struct source_stream *stream = heating->stream;
    const struct bioheat_grid *grid = heating->grid;
    const struct field_file_info *info = field_file_info(stream->file);
    const struct bioheat_planes held = bioheat_held(grid);
    const size_t ny = grid->cells[BIOHEAT_Y], nx = grid->cells[BIOHEAT_X];
    if (stream->is_in_memory)
        CHECK(
            memory_plan_add(plan, MEMORY_PINNED, heating->precision,
                            (size_t)(stream->end_piece - stream->first_piece) * (held.end - held.first) * ny,
                            nx, &stream->all, "source stream, all of it"));
    for (int k = 0; k < stream->slot_count && !stream->is_in_memory; k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_PINNED, heating->precision, held.first * ny, held.end * ny,
                                   nx, &heating->layers[stream->first_layer + k], "source stream layer %d",
                                   k));
    if (info->scratch_bytes)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, info->scratch_bytes, &stream->scratch,
                              "source stream, a slab as stored"));
    if (stream->is_averaged) {
        stream->slab_planes = info->slab_planes;
        CHECK(memory_plan_add(plan, MEMORY_HOST, heating->precision, stream->slab_planes * ny, nx,
                              &stream->record, "source stream, a record's slab"));
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, stream->slab_planes * ny, nx,
                              (void **)&stream->sum, "source stream, a mean's slab"));
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, stream->slab_planes * ny, nx,
                              (void **)&stream->low, "source stream, a mean's least values"));
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, stream->slab_planes * ny, nx,
                              (void **)&stream->high, "source stream, a mean's largest values"));
    }
    if (stream->is_averaged && bioheat_heating_loses_streamed(heating)) {
        for (int sign = 0; sign < SOURCE_SIGNS; sign++)
            CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, stream->slab_planes * ny, nx,
                                  (void **)&stream->parts[sign], "source stream, a mean's %s values",
                                  sign == SOURCE_WARMS ? "positive" : "negative"));
        CHECK(memory_plan_add(plan, MEMORY_HOST, heating->precision, stream->slab_planes * ny, nx,
                              &stream->record_before, "source stream, the record before"));
    }
    return info->cache_bytes
               ? memory_plan_add_library(plan, info->cache_bytes, "netCDF chunks, source stream")
               : STATUS_OK;
}

enum status source_stream_plan(struct bioheat_heating *heating, struct memory_plan *plan)
{
    struct source_stream *stream = heating->stream;
    if (!stream)
        return STATUS_OK;
    CHECK_ABOUT(source_axis_fit(&stream->axis, heating->start_s, heating->step_s, heating->steps), "%s: %s",
                stream->where, stream->path);
    CHECK(source_last_check_stream(heating, heating->steps));
    stream->is_averaged = must_average(&stream->axis, heating->steps);
    stream->is_compared = must_compare(&stream->axis, heating->steps);
    find_pieces(stream, heating->steps);
    CHECK(source_streamed_plan(heating, plan));
    return plan_buffers(heating, plan);
}

// Of a stream in memory: where cell 0 of a piece is, or would be.
void *source_stream_piece(const struct bioheat_heating *heating, int64_t piece)
{
    const size_t element = element_bytes(heating->precision);
    const uintptr_t held = (uintptr_t)heating->stream->all +
                           (size_t)(piece - heating->stream->first_piece) * heating_cells(heating) * element;
    return (void *)(held - heating_first_cell(heating) * element);
}

// In memory, a layer points to its piece.
enum status source_stream_prepare(struct bioheat_heating *heating)
{
    struct source_stream *stream = heating->stream;
    if (!stream)
        return STATUS_OK;
    source_streamed_prepare(heating);
    if (!stream->is_in_memory)
        return STATUS_OK;
    for (int64_t piece = stream->first_piece; piece < stream->end_piece; piece++) {
        struct source_slot slot = {.piece = piece};
        if (!source_stream_read_piece(heating, piece, source_stream_piece(heating, piece), &slot))
            return source_stream_fail(stream, &slot);
    }
    for (int k = 0; k < stream->slot_count; k++)
        heating->layers[stream->first_layer + k] = source_stream_piece(heating, stream->first_piece);
    return STATUS_OK;
}

// ---- reading

static void note_fault(const struct source_stream *stream, struct source_slot *slot)
{
    const struct source_axis *axis = &stream->axis;
    slot->fault_time_s = axis->times_s ? axis->times_s[slot->fault.record]
                                       : axis->start_s + (double)slot->fault.record * axis->step_s;
}

// The mean of a step: slab by slab, and record by record within a slab, so that the sum stays in a cache.
static bool read_mean(struct bioheat_heating *heating, int64_t step, void *values, struct source_slot *slot)
{
    struct source_stream *stream = heating->stream;
    const struct bioheat_planes held = bioheat_held(heating->grid);
    const size_t plane = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    const struct source_window window = source_axis_window(&stream->axis, step);
    for (size_t z = held.first; z < held.end; z += stream->slab_planes) {
        const size_t left = held.end - z, planes = left < stream->slab_planes ? left : stream->slab_planes;
        memset(stream->sum, 0, planes * plane * sizeof *stream->sum);
        source_streamed_begin_mean(heating, &window, planes);
        for (size_t k = window.first; k < window.first + window.count; k++) {
            const double weight = source_axis_weight(&stream->axis, &window, k);
            if (weight == 0)
                continue;
            if (!field_file_read_planes(stream->file, k, z, planes, stream->record, stream->scratch,
                                        &slot->fault))
                return false;
            for (size_t i = 0; i < planes * plane; i++)
                stream->sum[i] += weight * element_get(heating->precision, stream->record, i);
            source_streamed_add_record(heating, &window, k, planes);
            stream->bytes_read += (double)(planes * plane * element_bytes(heating->precision));
        }
        for (size_t i = 0; i < planes * plane; i++)
            element_set(heating->precision, values, z * plane + i, stream->sum[i]);
        source_streamed_read_mean(heating, step, z, planes);
    }
    return true;
}

bool source_stream_read_piece(struct bioheat_heating *heating, int64_t piece, void *values,
                              struct source_slot *slot)
{
    struct source_stream *stream = heating->stream;
    const bool is_valid = stream->is_averaged ? read_mean(heating, piece, values, slot)
                                              : source_planes_read(heating, stream->file, (size_t)piece,
                                                                   bioheat_held(heating->grid), values,
                                                                   stream->scratch, &slot->fault);
    if (!is_valid)
        note_fault(stream, slot);
    else if (!stream->is_averaged)
        stream->bytes_read += (double)(heating_cells(heating) * element_bytes(heating->precision));
    stream->pieces_read += is_valid;
    if (is_valid && !stream->is_averaged)
        source_streamed_read(heating, piece, values);
    return is_valid;
}

enum status source_stream_fail(const struct source_stream *stream, const struct source_slot *slot)
{
    return field_file_fail(stream->file, &slot->fault, slot->fault_time_s);
}

// ---- amplitudes

// Of the stream's layers, `amplitudes` being theirs. A record's layer follows from its number alone, wherever
// a run starts or resumes.
void source_stream_means(const struct bioheat_heating *heating, int64_t step, double *amplitudes)
{
    const struct source_stream *stream = heating->stream;
    const struct source_window window = source_axis_window(&stream->axis, step);
    for (int k = 0; k < stream->slot_count; k++)
        amplitudes[k] = 0;
    if (stream->is_averaged) {
        if (window.count > 0)
            amplitudes[step % stream->slot_count] = stream->amplitude;
        return;
    }
    for (size_t k = window.first; k < window.first + window.count; k++)
        amplitudes[k % (size_t)stream->slot_count] =
            stream->amplitude * source_axis_weight(&stream->axis, &window, k);
}
