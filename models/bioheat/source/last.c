// The last record of a source that would act for no time: it has no stated end, and after_end: "zero" ends it
// where it begins. Its heat would be missing without a sign of it, so the job is refused.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <stdlib.h>

static double last_time_s(const struct source_axis *axis)
{
    return axis->times_s[axis->time_count - 1];
}

static const char *advice_of(const struct source_axis *axis)
{
    return axis->is_linear ? "a single value is no line: give between \"stepwise\", and its end as one time "
                             "more, or a value of 0 at its end"
                           : "give its end as one time more, or a record of 0 at its end";
}

enum status source_last_check_table(const struct source_time *time, int64_t steps)
{
    const size_t last = time->axis.records - 1;
    if (!source_axis_drops_last(&time->axis, steps) || time->values[last] == 0)
        return STATUS_OK;
    return FAIL(STATUS_CONFIGURATION,
                "%s%s%s: the last value, entry %zu, %.9g at %.10g s, would act for 0 s: after_end is "
                "\"zero\", and it has no end; %s",
                time->where, time->path[0] ? ".file: " : ".values", time->path, last, time->values[last],
                last_time_s(&time->axis), advice_of(&time->axis));
}

static enum status check_row(const struct source_rows *rows, const double *row)
{
    size_t most = 0;
    for (size_t k = 1; k < rows->places; k++)
        most = fabs(row[k]) > fabs(row[most]) ? k : most;
    if (row[most] == 0)
        return STATUS_OK;
    return FAIL(
        STATUS_CONFIGURATION,
        "%s.values: the last row, %zu at %.10g s, of %.9g W m-3 in %s %zu, would act for 0 s: after_end "
        "is \"zero\", and it has no end; %s",
        rows->where, rows->axis.records - 1, last_time_s(&rows->axis), row[most], rows->noun, most,
        advice_of(&rows->axis));
}

enum status source_last_check_rows(const struct source_rows *rows, int64_t steps)
{
    const size_t last = rows->axis.records - 1;
    if (!source_axis_drops_last(&rows->axis, steps))
        return STATUS_OK;
    if (rows->given)
        return check_row(rows, rows->given + last * rows->places);
    double *row = malloc(rows->places * sizeof *row);
    if (!row)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a row of %zu values", rows->where, rows->places);
    enum status status = source_rows_read_row(rows, last, row);
    if (status == STATUS_OK)
        status = check_row(rows, row);
    free(row);
    return status;
}

static enum status check_record(const struct bioheat_heating *heating, void *slab, void *scratch)
{
    const struct source_stream *stream = heating->stream;
    const struct field_file_info *info = field_file_info(stream->file);
    const size_t *n = heating->grid->cells, cells = n[BIOHEAT_Y] * n[BIOHEAT_X],
                 last = stream->axis.records - 1;
    struct field_fault fault;
    double largest = 0;
    for (size_t z = 0; z < n[BIOHEAT_Z]; z += info->slab_planes) {
        const size_t left = n[BIOHEAT_Z] - z, planes = left < info->slab_planes ? left : info->slab_planes;
        if (!field_file_read_planes(stream->file, last, z, planes, slab, scratch, &fault))
            return field_file_fail(stream->file, &fault, last_time_s(&stream->axis));
        for (size_t i = 0; i < planes * cells; i++) {
            const double value = element_get(heating->precision, slab, i);
            largest = fabs(value) > fabs(largest) ? value : largest;
        }
    }
    if (largest * stream->amplitude == 0)
        return STATUS_OK;
    return FAIL(STATUS_CONFIGURATION,
                "%s: %s: the last record, %zu at %.10g s, of up to %.9g W m-3, would act for 0 s: "
                "source.stream.after_end is \"zero\", and it has no end; %s",
                stream->where, stream->path, last, last_time_s(&stream->axis), largest * stream->amplitude,
                advice_of(&stream->axis));
}

enum status source_last_check_stream(const struct bioheat_heating *heating, int64_t steps)
{
    const struct source_stream *stream = heating->stream;
    if (!source_axis_drops_last(&stream->axis, steps))
        return STATUS_OK;
    const struct field_file_info *info = field_file_info(stream->file);
    const size_t plane = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    void *slab = malloc(info->slab_planes * plane * element_bytes(heating->precision)),
         *scratch = malloc(info->scratch_bytes + 1);
    const enum status status =
        slab && scratch ? check_record(heating, slab, scratch)
                        : FAIL(STATUS_SYSTEM, "%s: no memory for a slab of a record", stream->where);
    free(slab);
    free(scratch);
    return status;
}
