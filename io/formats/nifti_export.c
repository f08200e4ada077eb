// netCDF to NIfTI-1: see nifti_export.h.
#include "io/formats/nifti_export.h"

#include "core/log.h"
#include "io/formats/nifti_place.h"
#include "io/formats/volume.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 2 }; // sform_code: to another image

// x, y, z as axes of a volume.
static const int volume_axes[3] = {VOLUME_X, VOLUME_Y, VOLUME_Z};

struct export
{
    const struct nifti_export *request;
    struct volume *volume;
    struct nifti_place place;
    bool has_image;
    size_t grid[3]; // cells along x, y, z
    struct nifti_write write;
    size_t first_record;
    // Planes of the image, as [z][y][x] of the volume: first … first + count − 1 of a record.
    double *block, *scratch;
    size_t block_planes, first, count, record;
    double low, high;
};

// ---- which records

static enum status choose_time(struct export *e, const double *times_s)
{
    const struct volume_info *info = volume_info(e->volume);
    const double wanted_s = e->request->time_s;
    size_t nearest = 0;
    if (!times_s)
        return FAIL(STATUS_DATA, "%s: variable %s has no times", info->path, info->variable);
    for (size_t k = 1; k < info->records; k++)
        if (fabs(times_s[k] - wanted_s) < fabs(times_s[nearest] - wanted_s))
            nearest = k;
    const size_t other = nearest > 0 ? nearest - 1 : nearest + 1 < info->records ? nearest + 1 : nearest;
    const double step_s = fabs(times_s[other] - times_s[nearest]);
    if (!(fabs(times_s[nearest] - wanted_s) <= fmax(1e-3 * step_s, 1e-9 * fabs(wanted_s))))
        return FAIL(STATUS_DATA,
                    "%s: variable %s has no record at %g s; the nearest is record %zu, at %.9g s", info->path,
                    info->variable, wanted_s, nearest, times_s[nearest]);
    e->first_record = nearest;
    e->write.records = 1;
    return STATUS_OK;
}

// The spacing of the times; NIfTI has one for all.
static void space_times(struct export *e, const double *times_s)
{
    const size_t records = e->write.records;
    e->write.first_s = times_s ? times_s[0] : 0;
    e->write.step_s =
        times_s && records > 1 ? (times_s[records - 1] - times_s[0]) / (double)(records - 1) : 1;
    bool is_even = true;
    for (size_t k = 1; k < records && times_s; k++)
        is_even &= fabs(times_s[k] - times_s[k - 1] - e->write.step_s) <= 1e-3 * fabs(e->write.step_s);
    if (!is_even)
        log_warning("%s: the times of its records are not evenly spaced, which NIfTI-1 cannot say: %s has "
                    "their mean step, %g s",
                    e->request->path, e->request->output, e->write.step_s);
}

static enum status settle_times(struct export *e, const double *times_s)
{
    const struct volume_info *info = volume_info(e->volume);
    e->write.records = info->records;
    if (!isnan(e->request->time_s))
        return choose_time(e, times_s);
    if (e->request->record >= 0) {
        if ((uint64_t)e->request->record >= info->records)
            return FAIL(STATUS_DATA,
                        "%s: variable %s: record %lld was asked for, it has %zu (counted from 0)", info->path,
                        info->variable, (long long)e->request->record, info->records);
        e->first_record = (size_t)e->request->record;
        e->write.records = 1;
        return STATUS_OK;
    }
    space_times(e, times_s);
    return STATUS_OK;
}

static enum status choose_records(struct export *e)
{
    double *times_s;
    CHECK(volume_times(e->volume, &times_s));
    const enum status status = settle_times(e, times_s);
    free(times_s);
    return status;
}

// ---- where it lies

// Without an image: the coordinates, in mm.
static enum status place_by_coordinates(struct export *e)
{
    const struct volume_info *info = volume_info(e->volume);
    e->place = (struct nifti_place){.axes = {0, 1, 2}, .step = {1, 1, 1}, .code = 1};
    for (int x = 0; x < 3; x++) {
        const int axis = volume_axes[x];
        const double spacing_m = info->has_spacing[axis] ? info->spacing_m[axis]
                                 : info->cells[axis] == 1 && info->has_spacing[VOLUME_X]
                                     ? info->spacing_m[VOLUME_X]
                                     : NAN;
        if (isnan(spacing_m))
            return FAIL(STATUS_DATA, "%s: variable %s has no coordinate along %c with a unit of length",
                        info->path, info->variable, "xyz"[x]);
        e->place.affine[x][x] = 1e3 * spacing_m;
        e->place.affine[x][3] = info->has_origin[axis] ? 1e3 * info->origin_m[axis] : 0;
        e->place.shape[x] = (double)info->cells[axis];
    }
    return STATUS_OK;
}

static enum status settle_place(struct export *e)
{
    const struct volume_info *info = volume_info(e->volume);
    for (int x = 0; x < 3; x++)
        e->grid[x] = info->cells[volume_axes[x]];
    e->has_image = volume_place(e->volume, &e->place);
    if (!e->has_image)
        CHECK(place_by_coordinates(e));
    nifti_place_image(&e->place, e->grid, e->write.cells, e->write.affine);
    e->write.code = (int)e->place.code;
    if (!e->has_image)
        return STATUS_OK;
    e->write.has_forms = true;
    e->write.sform_code = (int)e->place.forms[0];
    e->write.qform_code = (int)e->place.forms[1];
    nifti_place_qform(&e->place, e->grid, e->write.qform);
    // A part of an image without a position needs one, to lie where it was cut out: aligned to that image.
    if (e->place.code == 0 && !nifti_place_is_whole(&e->place, e->grid))
        e->write.sform_code = ALIGNED;
    return STATUS_OK;
}

// ---- the values

// Which of x, y, z runs along an axis of the image.
static int along(const struct export *e, int a)
{
    int x = 0;
    while ((int)e->place.axes[x] != a)
        x++;
    return x;
}

// Planes k … of a record, as many as the block holds.
static enum status read_block(struct export *e, size_t record, size_t k)
{
    const int x = along(e, 2);
    const size_t planes = e->write.cells[2],
                 count = k + e->block_planes < planes ? e->block_planes : planes - k;
    size_t start[VOLUME_AXES] = {0}, counts[VOLUME_AXES];
    for (int n = 0; n < 3; n++)
        counts[volume_axes[n]] = e->grid[n];
    start[volume_axes[x]] = e->place.step[x] < 0 ? planes - k - count : k;
    counts[volume_axes[x]] = count;
    e->record = record;
    e->first = k;
    e->count = count;
    return volume_read_part(e->volume, e->first_record + record, start, counts, e->block, e->scratch);
}

// Copies plane k of the block to [j][i].
static void take_plane(const struct export *e, size_t k, double *values)
{
    size_t counts[3];
    ptrdiff_t strides[3], step[3], at = 0; // of x, y, z in the block; of i, j, k
    for (int x = 0; x < 3; x++)
        counts[x] = x == along(e, 2) ? e->count : e->grid[x];
    strides[0] = 1;
    strides[1] = (ptrdiff_t)counts[0];
    strides[2] = (ptrdiff_t)(counts[0] * counts[1]);
    for (int a = 0; a < 3; a++) {
        const int x = along(e, a);
        const bool descends = e->place.step[x] < 0;
        step[a] = descends ? -strides[x] : strides[x];
        at += descends ? (ptrdiff_t)(counts[x] - 1) * strides[x] : 0;
    }
    at += (ptrdiff_t)(k - e->first) * step[2];
    for (size_t j = 0; j < e->write.cells[1]; j++)
        for (size_t i = 0; i < e->write.cells[0]; i++)
            values[j * e->write.cells[0] + i] =
                e->block[at + (ptrdiff_t)j * step[1] + (ptrdiff_t)i * step[0]];
}

static enum status next_plane(void *context, size_t record, size_t k, double *values)
{
    struct export *e = context;
    if (e->count == 0 || record != e->record || k < e->first || k >= e->first + e->count)
        CHECK(read_block(e, record, k));
    take_plane(e, k, values);
    for (size_t n = 0; n < e->write.cells[0] * e->write.cells[1]; n++) {
        e->low = fmin(e->low, values[n]);
        e->high = fmax(e->high, values[n]);
    }
    return STATUS_OK;
}

// The range of all values, before any is written.
static enum status find_scale(struct export *e, double *values)
{
    for (size_t record = 0; record < e->write.records; record++)
        for (size_t k = 0; k < e->write.cells[2]; k++)
            CHECK(next_plane(e, record, k, values));
    e->count = 0;
    if (e->low <= e->high && !(isfinite(e->low) && isfinite(e->high)))
        return FAIL(STATUS_DATA,
                    "%s: variable %s has infinite values, which 16-bit numbers cannot hold: write single "
                    "precision",
                    e->request->path, volume_info(e->volume)->variable);
    nifti_write_scale(fmin(e->low, e->high), fmax(e->low, e->high), &e->write.slope, &e->write.intercept);
    return STATUS_OK;
}

static enum status write_values(struct export *e)
{
    const size_t cells = e->write.cells[0] * e->write.cells[1];
    const size_t wanted = NIFTI_EXPORT_BYTES / (2 * sizeof(double)) / cells;
    e->block_planes = wanted < 1 ? 1 : wanted < e->write.cells[2] ? wanted : e->write.cells[2];
    e->block = malloc(3 * e->block_planes * cells * sizeof(double));
    if (!e->block)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu planes of %zu cells", e->request->path,
                    e->block_planes, cells);
    e->scratch = e->block + e->block_planes * cells;
    enum status status = STATUS_OK;
    if (e->write.type == NIFTI_WRITE_I16)
        status = find_scale(e, e->scratch + e->block_planes * cells);
    if (status == STATUS_OK)
        status = nifti_write_file(&e->write);
    free(e->block);
    return status;
}

static void report(const struct export *e, struct nifti_export_result *result)
{
    const struct volume_info *info = volume_info(e->volume);
    *result = (struct nifti_export_result){.records = e->write.records,
                                           .low = e->low,
                                           .high = e->high,
                                           .type = e->write.type,
                                           .has_image = e->has_image};
    snprintf(result->variable, sizeof result->variable, "%.63s", info->variable);
    snprintf(result->units, sizeof result->units, "%.63s", info->units);
    memcpy(result->cells, e->write.cells, sizeof result->cells);
    memcpy(result->affine, e->write.affine, sizeof result->affine);
}

static enum status write_volume(struct export *e)
{
    const struct volume_info *info = volume_info(e->volume);
    const char *name = strrchr(info->variable, '/');
    name = name ? name + 1 : info->variable;
    if (volume_is_image(e->volume))
        return FAIL(STATUS_USAGE, "%s: a NIfTI-1 file already", e->request->path);
    e->write.path = e->request->output;
    e->write.name = e->request->name ? e->request->name : name;
    e->write.description = e->request->description;
    e->write.type = !e->request->chooses_type    ? e->request->type
                    : strcmp(name, "label") == 0 ? NIFTI_WRITE_U8
                                                 : NIFTI_WRITE_F32;
    e->write.context = e;
    e->write.plane = next_plane;
    CHECK(settle_place(e));
    CHECK(choose_records(e));
    return write_values(e);
}

enum status nifti_export_file(const struct nifti_export *request, struct nifti_export_result *result)
{
    struct export e = {.request = request, .low = INFINITY, .high = -INFINITY};
    CHECK(volume_open(request->path, request->variable, 0, &e.volume));
    const enum status status = write_volume(&e);
    if (status == STATUS_OK && result)
        report(&e, result);
    volume_close(e.volume);
    return status;
}
