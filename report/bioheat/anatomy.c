// An anatomical image behind a heat run's results: read whole, looked up by position (trilinear). An image in
// a NIfTI file lies where its header says; the result lies where its attributes nifti_* say, and without them
// at its own x, y, z, as `fathom convert` writes them. An image in netCDF has the axes of the result.
#include "report/bioheat/report.h"

#include "io/formats/volume.h"
#include "io/nifti.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Positions in space from positions on axes, or the reverse: p = m · (a, 1).
struct affine {
    double m[3][4];
};

struct heat_anatomy {
    const char *name;
    size_t cells[3]; // i, j, k; i runs fastest
    float *values;
    struct affine index; // of the image, from x, y, z of the result in mm
    double low, high;    // values drawn black and white
    double share;
};

static void apply(const struct affine *a, const double from[3], double to[3])
{
    for (int r = 0; r < 3; r++)
        to[r] = a->m[r][0] * from[0] + a->m[r][1] * from[1] + a->m[r][2] * from[2] + a->m[r][3];
}

static struct affine product(const struct affine *a, const struct affine *b)
{
    struct affine c;
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 4; s++)
            c.m[r][s] = a->m[r][0] * b->m[0][s] + a->m[r][1] * b->m[1][s] + a->m[r][2] * b->m[2][s] +
                        (s == 3 ? a->m[r][3] : 0);
    return c;
}

// By cofactors. False: it is singular.
static bool invert(const struct affine *a, struct affine *inverse)
{
    double determinant = 0;
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            inverse->m[s][r] = a->m[(r + 1) % 3][(s + 1) % 3] * a->m[(r + 2) % 3][(s + 2) % 3] -
                               a->m[(r + 1) % 3][(s + 2) % 3] * a->m[(r + 2) % 3][(s + 1) % 3];
    for (int s = 0; s < 3; s++)
        determinant += a->m[0][s] * inverse->m[s][0];
    if (!(fabs(determinant) > 0) || !isfinite(determinant))
        return false;
    for (int r = 0; r < 3; r++) {
        for (int s = 0; s < 3; s++)
            inverse->m[r][s] /= determinant;
        inverse->m[r][3] = 0;
        for (int s = 0; s < 3; s++)
            inverse->m[r][3] -= inverse->m[r][s] * a->m[s][3];
    }
    return true;
}

// ---- the two readers

static enum status make_values(struct heat_anatomy *a, const char *path)
{
    const double cells = (double)a->cells[0] * (double)a->cells[1] * (double)a->cells[2];
    if (cells < 1e10)
        a->values = malloc((size_t)cells * sizeof *a->values);
    return a->values ? STATUS_OK
                     : FAIL(STATUS_SYSTEM, "%s: not enough memory for its %.3g cells", path, cells);
}

static void take_plane(struct heat_anatomy *a, size_t k, const double *plane)
{
    const size_t count = a->cells[0] * a->cells[1];
    for (size_t n = 0; n < count; n++)
        a->values[k * count + n] = (float)plane[n];
}

static enum status read_nifti_planes(struct nifti *file, struct heat_anatomy *a, const char *path)
{
    CHECK(make_values(a, path));
    double *plane = malloc(a->cells[0] * a->cells[1] * sizeof *plane);
    enum status status = plane ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: not enough memory", path);
    for (size_t k = 0; k < a->cells[2] && status == STATUS_OK; k++) {
        status = nifti_read_plane(file, plane);
        if (status == STATUS_OK)
            take_plane(a, k, plane);
    }
    free(plane);
    return status;
}

// *place: scanner positions from the image's indices.
static enum status read_nifti(const char *path, struct heat_anatomy *a, struct affine *place)
{
    struct nifti *file;
    CHECK(nifti_open(path, &file));
    const struct nifti_info *info = nifti_info(file);
    for (int r = 0; r < 3; r++) {
        a->cells[r] = info->cells[r];
        place->m[r][3] = info->origin_mm[r];
        for (int i = 0; i < 3; i++)
            place->m[r][i] = info->step_mm[i][r];
    }
    enum status status = strcmp(info->placed_by, "pixdim") == 0
                             ? FAIL(STATUS_DATA,
                                    "%s: states no position (neither sform nor qform), so that it cannot lie "
                                    "behind the results",
                                    path)
                             : read_nifti_planes(file, a, path);
    nifti_close(file);
    return status;
}

static enum status read_volume_planes(struct volume *file, struct heat_anatomy *a, const char *path)
{
    CHECK(make_values(a, path));
    const size_t count = a->cells[0] * a->cells[1];
    double *planes = malloc(2 * count * sizeof *planes);
    enum status status = planes ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: not enough memory", path);
    for (size_t k = 0; k < a->cells[2] && status == STATUS_OK; k++) {
        status = volume_read(file, k, 1, planes, planes + count);
        if (status == STATUS_OK)
            take_plane(a, k, planes);
    }
    free(planes);
    return status;
}

static enum status read_volume(const char *path, struct heat_anatomy *a, struct affine *place)
{
    static const char names[] = "xyz";
    struct volume *file;
    CHECK(volume_open(path, NULL, -1, &file));
    const struct volume_info *info = volume_info(file);
    enum status status = STATUS_OK;
    *place = (struct affine){{{0}}};
    for (int r = 0; r < 3 && status == STATUS_OK; r++) {
        const int axis = VOLUME_AXES - 1 - r;
        a->cells[r] = info->cells[axis];
        const bool is_placed = info->has_origin[axis] && (info->has_spacing[axis] || info->cells[axis] == 1);
        if (!is_placed)
            status = FAIL(STATUS_DATA,
                          "%s: %s has no coordinates along %c with a unit of length, so that it cannot lie "
                          "behind the results",
                          path, info->variable, names[r]);
        place->m[r][r] = info->has_spacing[axis] ? 1e3 * info->spacing_m[axis] : 1;
        place->m[r][3] = 1e3 * info->origin_m[axis];
    }
    if (status == STATUS_OK)
        status = read_volume_planes(file, a, path);
    volume_close(file);
    return status;
}

// ---- where the result lies

// Scanner positions from x, y, z of the result: its attributes nifti_*. Without them the same.
static enum status place_of_result(const struct heat_volume *v, struct affine *place)
{
    double numbers[12], first[3], step[3], axes[3];
    *place = (struct affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    if (result_numbers(v->file, NULL, "nifti_affine", numbers, 12) != 12)
        return STATUS_OK;
    if (result_numbers(v->file, NULL, "nifti_first", first, 3) != 3 ||
        result_numbers(v->file, NULL, "nifti_step", step, 3) != 3 ||
        result_numbers(v->file, NULL, "nifti_axes", axes, 3) != 3)
        return FAIL(STATUS_DATA, "%s: has nifti_affine without nifti_first, nifti_step and nifti_axes",
                    result_path(v->file));
    struct affine image = {{{0}}}, index = {{{0}}};
    memcpy(image.m, numbers, sizeof numbers);
    for (int r = 0; r < 3; r++) { // r: x, y, z
        const double *mm = v->axes_mm[HEAT_AXES - 1 - r];
        const size_t cells = v->cells[HEAT_AXES - 1 - r];
        const int image_axis = (int)axes[r];
        if (image_axis < 0 || image_axis > 2 || !isfinite(first[r]) || !isfinite(step[r]))
            return FAIL(STATUS_DATA, "%s: nifti_axes has %g, expected 0, 1 or 2", result_path(v->file),
                        axes[r]);
        const double slope = cells > 1 ? step[r] / (mm[1] - mm[0]) : 0;
        index.m[image_axis][r] = slope;
        index.m[image_axis][3] = first[r] - slope * mm[0];
    }
    *place = product(&image, &index);
    return STATUS_OK;
}

// ---- looking up

static bool look_up(const struct heat_anatomy *a, const double at_mm[3], double *value)
{
    double at[3], sum = 0;
    size_t low[3];
    apply(&a->index, at_mm, at);
    for (int r = 0; r < 3; r++) {
        const double last = (double)a->cells[r] - 1;
        if (!(at[r] >= -0.5 && at[r] <= last + 0.5))
            return false;
        at[r] = fmax(0, fmin(last, at[r]));
        low[r] = (size_t)fmin(floor(at[r]), fmax(0, last - 1));
        at[r] -= (double)low[r];
    }
    for (size_t corner = 0; corner < 8; corner++) {
        double weight = 1;
        size_t cell[3];
        for (size_t r = 0; r < 3; r++) {
            const size_t side = corner >> r & 1;
            weight *= side ? at[r] : 1 - at[r];
            cell[r] = low[r] + side;
        }
        if (weight > 0) // then the cell exists
            sum += weight * (double)a->values[(cell[2] * a->cells[1] + cell[1]) * a->cells[0] + cell[0]];
    }
    *value = sum;
    return true;
}

// The share of the result's volume that the image covers, of some thousand points spread over it.
static double covered(const struct heat_anatomy *a, const struct heat_volume *v)
{
    enum { POINTS = 24 };
    int inside = 0, all = 0;
    for (int n = 0; n < POINTS * POINTS * POINTS; n++) {
        const int places[HEAT_AXES] = {n / POINTS / POINTS, n / POINTS % POINTS, n % POINTS};
        double at_mm[3], value;
        for (int axis = 0; axis < HEAT_AXES; axis++) {
            const double *mm = v->axes_mm[axis], last = mm[v->cells[axis] - 1];
            at_mm[HEAT_AXES - 1 - axis] = mm[0] + (last - mm[0]) * (places[axis] + 0.5) / POINTS;
        }
        all++;
        inside += look_up(a, at_mm, &value);
    }
    return (double)inside / all;
}

static enum status check_overlap(struct heat_anatomy *a, const struct heat_volume *v, const char *path,
                                 const struct affine *result, const struct affine *image)
{
    double corner[2][3], place[2][3];
    a->share = covered(a, v);
    if (a->share > 0)
        return STATUS_OK;
    for (int r = 0; r < 3; r++) {
        corner[0][r] = 0.5 * ((double)a->cells[r] - 1);
        const double *mm = v->axes_mm[HEAT_AXES - 1 - r];
        corner[1][r] = 0.5 * (mm[0] + mm[v->cells[HEAT_AXES - 1 - r] - 1]);
    }
    apply(image, corner[0], place[0]);
    apply(result, corner[1], place[1]);
    return FAIL(STATUS_DATA,
                "%s: does not overlap the results: the middle of the image lies at (%.4g, %.4g, %.4g) mm, "
                "that of the results at (%.4g, %.4g, %.4g) mm",
                path, place[0][0], place[0][1], place[0][2], place[1][0], place[1][1], place[1][2]);
}

// Black and white at percentiles, so that a few bright cells do not darken all.
static enum status choose_window(struct heat_anatomy *a, const char *path)
{
    const size_t count = a->cells[0] * a->cells[1] * a->cells[2];
    a->low = style_percentile(a->values, count, 0.005, -INFINITY);
    a->high = style_percentile(a->values, count, 0.998, -INFINITY);
    if (isnan(a->low))
        return FAIL(STATUS_DATA, "%s: has no finite values", path);
    if (!(a->high > a->low))
        a->high = a->low + 1;
    return STATUS_OK;
}

static enum status open_anatomy(const char *path, const struct heat_volume *v, struct heat_anatomy *a)
{
    struct affine image = {{{0}}}, result = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, back;
    const bool is_nifti = nifti_is(path);
    const char *slash = strrchr(path, '/');
    a->name = slash ? slash + 1 : path;
    CHECK(is_nifti ? read_nifti(path, a, &image) : read_volume(path, a, &image));
    if (is_nifti)
        CHECK(place_of_result(v, &result));
    if (!invert(&image, &back))
        return FAIL(STATUS_DATA, "%s: its axes do not span a volume", path);
    a->index = product(&back, &result);
    CHECK(check_overlap(a, v, path, &result, &image));
    return choose_window(a, path);
}

enum status report_bioheat_open_anatomy(const char *path, const struct heat_volume *v,
                                        struct heat_anatomy **anatomy)
{
    *anatomy = calloc(1, sizeof **anatomy);
    return *anatomy ? open_anatomy(path, v, *anatomy) : FAIL(STATUS_SYSTEM, "report: not enough memory");
}

void report_bioheat_free_anatomy(struct heat_anatomy *anatomy)
{
    if (anatomy)
        free(anatomy->values);
    free(anatomy);
}

const char *report_bioheat_anatomy_name(const struct heat_anatomy *anatomy)
{
    return anatomy->name;
}

double report_bioheat_anatomy_share(const struct heat_anatomy *anatomy)
{
    return anatomy->share;
}

enum status report_bioheat_sample_anatomy(const struct heat_anatomy *a, const struct web_volume_grid *grid,
                                          float **levels)
{
    enum { LEVELS = 63 };
    const size_t *n = grid->cells, count = n[0] * n[1] * n[2];
    *levels = malloc(count * sizeof **levels);
    if (!*levels)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu cells of the page", count);
    for (size_t k = 0; k < count; k++) {
        const size_t cell[3] = {k % n[0], k / n[0] % n[1], k / n[0] / n[1]};
        double at_mm[3], value;
        for (int r = 0; r < 3; r++)
            at_mm[r] = grid->first_mm[r] + (double)cell[r] * grid->step_mm[r];
        const bool is_inside = look_up(a, at_mm, &value) && isfinite(value);
        const double place = is_inside ? (value - a->low) / (a->high - a->low) : 0;
        (*levels)[k] = is_inside ? 1 + (float)round((LEVELS - 1) * fmax(0, fmin(1, place))) : 0;
    }
    return STATUS_OK;
}
