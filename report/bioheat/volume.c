// The volume of a heat run: its axes, its hottest cell, its warm cells, and slices through it. Uses the names
// of the variables in the result files.
#include "report/bioheat/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct heat_plane report_bioheat_planes[HEAT_PLANES] = {
    {HEAT_Z, HEAT_X, HEAT_Y}, {HEAT_Y, HEAT_X, HEAT_Z}, {HEAT_X, HEAT_Y, HEAT_Z}};
static const char *const axis_names[HEAT_AXES] = {"z", "y", "x"};

bool report_bioheat_has_plane(const struct heat_volume *volume, int plane)
{
    return volume->cells[report_bioheat_planes[plane].across] > 1 &&
           volume->cells[report_bioheat_planes[plane].up] > 1;
}

// ---- the volume

static enum status read_axes(struct heat_volume *v)
{
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        size_t length;
        CHECK(result_read_all(v->file, axis_names[axis], &v->axes_mm[axis], &length));
        if (length != v->cells[axis])
            return FAIL(STATUS_DATA, "%s: %zu coordinates %s for %zu cells", result_path(v->file), length,
                        axis_names[axis], v->cells[axis]);
        for (size_t i = 0; i < length; i++)
            v->axes_mm[axis][i] *= 1e3;
    }
    return STATUS_OK;
}

// Calls `use` for every plane z of a variable.
typedef void plane_user(struct heat_volume *v, size_t z, const double *values, size_t count);

static enum status each_plane(struct heat_volume *v, long long record, plane_user *use)
{
    const size_t count = v->cells[HEAT_Y] * v->cells[HEAT_X];
    double *values = malloc(count * sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a plane of %zu cells", count);
    enum status status = STATUS_OK;
    for (size_t z = 0; z < v->cells[HEAT_Z] && status == STATUS_OK; z++) {
        const size_t start[] = {record >= 0 ? (size_t)record : 0, z, 0, 0},
                     counts[] = {1, 1, v->cells[HEAT_Y], v->cells[HEAT_X]};
        const size_t skip = record >= 0 ? 0 : 1;
        status = result_read(v->file, v->variable, start + skip, counts + skip, values);
        if (status == STATUS_OK)
            use(v, z, values, count);
    }
    free(values);
    return status;
}

static void note_extremes(struct heat_volume *v, size_t z, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        v->coolest_c = fmin(v->coolest_c, values[k]);
        if (!(values[k] > v->hottest_c))
            continue;
        v->hottest_c = values[k];
        v->hottest[HEAT_Z] = z;
        v->hottest[HEAT_Y] = k / v->cells[HEAT_X];
        v->hottest[HEAT_X] = k % v->cells[HEAT_X];
    }
}

// A cell is warm if its rise above the coolest cell is at least this fraction of the largest rise.
static const double warm_fraction = 0.1;

static void note_warm(struct heat_volume *v, size_t z, const double *values, size_t count)
{
    const double warm_c = v->coolest_c + warm_fraction * (v->hottest_c - v->coolest_c);
    for (size_t k = 0; k < count; k++) {
        if (!(values[k] > warm_c))
            continue;
        const size_t cell[HEAT_AXES] = {z, k / v->cells[HEAT_X], k % v->cells[HEAT_X]};
        for (int axis = 0; axis < HEAT_AXES; axis++) {
            size_t *first = &v->close.first[axis], *count_of = &v->close.count[axis];
            const size_t last = *count_of > 0 ? *first + *count_of - 1 : cell[axis];
            const size_t low = *count_of > 0 && *first < cell[axis] ? *first : cell[axis];
            *count_of = (last > cell[axis] ? last : cell[axis]) - low + 1;
            *first = low;
        }
    }
}

// Widens the range of the warm cells to twice its size, and to at least LEAST cells.
static void widen(struct heat_volume *v)
{
    enum { LEAST = 16 };
    double part = 1;
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        const size_t cells = v->cells[axis], warm = v->close.count[axis];
        size_t margin = warm / 2 + 1;
        if (warm + 2 * margin < LEAST)
            margin = (LEAST - warm + 1) / 2;
        const size_t first = v->close.first[axis], end = first + warm + margin;
        v->close.first[axis] = first > margin ? first - margin : 0;
        v->close.count[axis] = (end < cells ? end : cells) - v->close.first[axis];
        part *= cells > 1 ? (double)v->close.count[axis] / (double)cells : 1;
    }
    v->has_close = part < 0.25;
}

static enum status find_heat(struct heat_volume *v, long long record)
{
    v->hottest_c = -INFINITY;
    v->coolest_c = INFINITY;
    CHECK(each_plane(v, record, note_extremes));
    for (int axis = 0; axis < HEAT_AXES; axis++)
        v->all.count[axis] = v->cells[axis];
    v->close = (struct heat_box){0};
    CHECK(each_plane(v, record, note_warm));
    if (v->close.count[HEAT_X] > 0)
        widen(v);
    return STATUS_OK;
}

// Opens the largest temperatures if the run wrote them, else the last frame.
enum status report_bioheat_open_volume(const struct report_files *files, struct heat_volume *v,
                                       bool *is_found)
{
    const struct result_variable *maximum = result_find(files->maxima, "max_temperature"),
                                 *variable = maximum ? maximum : result_find(files->fields, "temperature");
    *is_found =
        variable && variable->rank == HEAT_AXES + (maximum ? 0 : 1) && (maximum || variable->lengths[0] > 0);
    if (!*is_found)
        return STATUS_OK;
    v->file = maximum ? files->maxima : files->fields;
    v->variable = variable->name;
    v->is_maximum = maximum != NULL;
    for (int axis = 0; axis < HEAT_AXES; axis++)
        v->cells[axis] = variable->lengths[axis + (maximum ? 0 : 1)];
    CHECK(read_axes(v));
    return find_heat(v, maximum ? -1 : (long long)variable->lengths[0] - 1);
}

bool report_bioheat_is_oriented(const struct heat_volume *volume)
{
    double affine[12], code = 0;
    return result_numbers(volume->file, NULL, "nifti_affine", affine, 12) == 12 &&
           !(result_numbers(volume->file, NULL, "nifti_code", &code, 1) == 1 && code == 0);
}

static bool read_affine(const struct heat_volume *volume, double affine[3][4])
{
    return result_numbers(volume->file, NULL, "axes_to_scanner", affine[0], 12) == 12;
}

void report_bioheat_to_scanner(const struct heat_volume *volume, const double axes_mm[3],
                               double scanner_mm[3])
{
    double affine[3][4];
    memcpy(scanner_mm, axes_mm, 3 * sizeof *scanner_mm);
    if (!read_affine(volume, affine))
        return;
    for (int r = 0; r < 3; r++)
        scanner_mm[r] = affine[r][0] * axes_mm[0] + affine[r][1] * axes_mm[1] + affine[r][2] * axes_mm[2] +
                        1e3 * affine[r][3];
}

const char *report_bioheat_axis_name(const struct heat_volume *volume, enum heat_axis axis)
{
    static const char *const primed[HEAT_AXES] = {"z\u2032", "y\u2032", "x\u2032"};
    double affine[3][4];
    return read_affine(volume, affine) ? primed[axis] : axis_names[axis];
}

const char *report_bioheat_tilt_text(const struct heat_volume *volume, char *text, size_t bytes)
{
    double affine[3][4], at_mm[3];
    text[0] = '\0';
    if (!read_affine(volume, affine))
        return text;
    const double hottest_mm[3] = {volume->axes_mm[HEAT_X][volume->hottest[HEAT_X]],
                                  volume->axes_mm[HEAT_Y][volume->hottest[HEAT_Y]],
                                  volume->axes_mm[HEAT_Z][volume->hottest[HEAT_Z]]};
    report_bioheat_to_scanner(volume, hottest_mm, at_mm);
    snprintf(text, bytes,
             " The planes are those of the image, whose slices are tilted: x\u2032, y\u2032, z\u2032 are "
             "distances along them. In scanner coordinates the hottest cell is at x %.4g, y %.4g, z %.4g mm.",
             at_mm[0], at_mm[1], at_mm[2]);
    return text;
}

void report_bioheat_to_axes(const struct heat_volume *volume, const double scanner_mm[3], double axes_mm[3])
{
    double m[3][4], by[3];
    memcpy(axes_mm, scanner_mm, 3 * sizeof *axes_mm);
    if (!read_affine(volume, m))
        return;
    for (int r = 0; r < 3; r++)
        by[r] = scanner_mm[r] - 1e3 * m[r][3];
    const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    for (int r = 0; r < 3; r++) { // Cramer's rule
        const int a = (r + 1) % 3, b = (r + 2) % 3;
        axes_mm[r] = 0;
        for (int k = 0; k < 3; k++) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            axes_mm[r] += by[k] * (m[k1][a] * m[k2][b] - m[k2][a] * m[k1][b]) / determinant;
        }
    }
}

// ---- slices

enum status report_bioheat_read_slice(const struct result_file *file, const char *variable, long long record,
                                      const struct heat_volume *volume, int plane, const struct heat_box *box,
                                      struct heat_slice *slice)
{
    const struct heat_plane *p = &report_bioheat_planes[plane];
    size_t start[1 + HEAT_AXES] = {record >= 0 ? (size_t)record : 0}, count[1 + HEAT_AXES] = {1};
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        start[1 + axis] = (enum heat_axis)axis == p->normal ? volume->hottest[axis] : box->first[axis];
        count[1 + axis] = (enum heat_axis)axis == p->normal ? 1 : box->count[axis];
    }
    const double *across = volume->axes_mm[p->across] + box->first[p->across],
                 *up = volume->axes_mm[p->up] + box->first[p->up];
    *slice = (struct heat_slice){.nx = box->count[p->across],
                                 .ny = box->count[p->up],
                                 .x_first = across[0],
                                 .x_step = across[1] - across[0],
                                 .y_first = up[0],
                                 .y_step = up[1] - up[0]};
    const size_t cells = slice->nx * slice->ny, skip = record >= 0 ? 0 : 1;
    double *values = malloc(cells * sizeof *values);
    slice->values = malloc(cells * sizeof *slice->values);
    enum status status =
        values && slice->values
            ? result_read(file, variable, start + skip, count + skip, values)
            : FAIL(STATUS_SYSTEM, "report: not enough memory for a slice of %zu cells", cells);
    for (size_t k = 0; k < cells && status == STATUS_OK; k++)
        slice->values[k] = (float)values[k];
    free(values);
    return status;
}

void report_bioheat_free_slice(struct heat_slice *slice)
{
    free(slice->values);
    slice->values = NULL;
}

void report_bioheat_close_volume(struct heat_volume *volume)
{
    for (int axis = 0; axis < HEAT_AXES; axis++)
        free(volume->axes_mm[axis]);
}
