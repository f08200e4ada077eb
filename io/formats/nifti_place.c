// How a grid lies in a NIfTI image: see nifti_place.h.
#include "io/formats/nifti_place.h"

#include "core/log.h"

#include <math.h>
#include <string.h>

static double length(const struct nifti_place *place, int a)
{
    return sqrt(place->affine[0][a] * place->affine[0][a] + place->affine[1][a] * place->affine[1][a] +
                place->affine[2][a] * place->affine[2][a]);
}

void nifti_place_of(const struct nifti_info *info, struct nifti_place *place)
{
    *place = (struct nifti_place){.code = info->code, .forms = {info->sform_code, info->qform_code}};
    memcpy(place->qform, info->qform_mm, sizeof place->qform);
    for (int a = 0; a < NIFTI_AXES; a++) {
        const int x = info->axis[a];
        const bool descends = info->spacing_mm[a] < 0;
        for (int row = 0; row < 3; row++)
            place->affine[row][a] = info->step_mm[a][row];
        place->shape[a] = (double)info->cells[a];
        place->axes[x] = a;
        place->first[x] = descends ? (double)info->cells[a] - 1 : 0;
        place->step[x] = descends ? -1 : 1;
    }
    for (int row = 0; row < 3; row++)
        place->affine[row][3] = info->origin_mm[row];
}

void nifti_place_crop(struct nifti_place *place, const size_t first[3], const size_t stride[3])
{
    for (int x = 0; x < 3; x++) {
        place->first[x] += (double)first[x] * place->step[x];
        place->step[x] *= (double)stride[x];
    }
}

double nifti_place_first_mm(const struct nifti_place *place, int axis)
{
    const int a = (int)place->axes[axis];
    const double along = place->affine[axis][a];
    return place->affine[axis][3] + place->first[axis] * (along < 0 ? -length(place, a) : length(place, a));
}

double nifti_place_spacing_mm(const struct nifti_place *place, int axis)
{
    return fabs(place->step[axis]) * length(place, (int)place->axes[axis]);
}

double nifti_place_tilt_degree(const struct nifti_place *place)
{
    double largest = 0;
    for (int x = 0; x < 3; x++) {
        const int a = (int)place->axes[x];
        const double cosine = fabs(place->affine[x][a]) / length(place, a);
        largest = fmax(largest, acos(fmin(1, cosine)) * 180 / acos(-1.0));
    }
    return largest;
}

// Of the part, by an affine of the image.
static void place_part(const struct nifti_place *place, const size_t grid[3], const double image[3][4],
                       double affine[3][4])
{
    double lowest[3]; // voxel of the image with which the part begins
    for (int x = 0; x < 3; x++) {
        const double last = place->first[x] + place->step[x] * (double)(grid[x] - 1);
        lowest[(int)place->axes[x]] = fmin(place->first[x], last);
    }
    for (int row = 0; row < 3; row++) {
        affine[row][3] = image[row][3];
        for (int x = 0; x < 3; x++) {
            const int a = (int)place->axes[x];
            affine[row][a] = image[row][a] * fabs(place->step[x]);
            affine[row][3] += image[row][a] * lowest[a];
        }
    }
}

void nifti_place_image(const struct nifti_place *place, const size_t grid[3], size_t cells[3],
                       double affine[3][4])
{
    for (int x = 0; x < 3; x++)
        cells[(int)place->axes[x]] = grid[x];
    place_part(place, grid, place->affine, affine);
}

void nifti_place_qform(const struct nifti_place *place, const size_t grid[3], double affine[3][4])
{
    place_part(place, grid, place->qform, affine);
}

void nifti_place_directions(const struct nifti_place *place, double direction[3][3], double pivot_mm[3])
{
    for (int row = 0; row < 3; row++) {
        pivot_mm[row] = place->affine[row][3];
        for (int x = 0; x < 3; x++) {
            const int a = (int)place->axes[x];
            direction[row][x] = place->affine[row][a] / length(place, a) * (place->step[x] < 0 ? -1 : 1);
        }
    }
}

double nifti_place_forms_apart_mm(const struct nifti_place *place)
{
    double largest = 0;
    for (int corner = 0; corner < 8 && place->forms[0] > 0 && place->forms[1] > 0; corner++) {
        double square = 0;
        for (int row = 0; row < 3; row++) {
            double by = place->affine[row][3] - place->qform[row][3];
            for (int a = 0; a < 3; a++)
                by += (place->affine[row][a] - place->qform[row][a]) *
                      (corner >> a & 1 ? place->shape[a] - 1 : 0);
            square += by * by;
        }
        largest = fmax(largest, sqrt(square));
    }
    return largest;
}

double nifti_place_shear_degree(const struct nifti_place *place)
{
    double largest = 0;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3;
        double cosine = 0;
        for (int row = 0; row < 3; row++)
            cosine += place->affine[row][a] / length(place, a) * (place->affine[row][b] / length(place, b));
        largest = fmax(largest, fabs(90 - acos(fmax(-1, fmin(1, cosine))) * 180 / acos(-1.0)));
    }
    return largest;
}

enum status nifti_place_check(const struct nifti_place *place, const char *path)
{
    static const double largest_shear_degree = 1, least_mm = 1e-2, most_mm = 100;
    const double shear_degree = nifti_place_shear_degree(place);
    if (!(shear_degree <= largest_shear_degree))
        return FAIL(
            STATUS_DATA,
            "%s: its axes are sheared: they are %.3g degrees off the right angle, expected at most %g; "
            "resample the image",
            path, shear_degree, largest_shear_degree);
    for (int a = 0; a < 3; a++)
        if (place->shape[a] > 1 && !(length(place, a) >= least_mm && length(place, a) <= most_mm))
            return FAIL(STATUS_DATA,
                        "%s: its cells measure %.4g x %.4g x %.4g mm, expected %g to %g mm: does its header "
                        "(xyzt_units) state the right unit?",
                        path, length(place, 0), length(place, 1), length(place, 2), least_mm, most_mm);
    return STATUS_OK;
}

void nifti_place_warn(const struct nifti_place *place, const char *path)
{
    const double apart_mm = nifti_place_forms_apart_mm(place), angle = nifti_place_tilt_degree(place);
    const double cell_mm = fmin(length(place, 0), fmin(length(place, 1), length(place, 2)));
    if (place->code == 0)
        log_warning(
            "%s: its sform_code and qform_code are 0: which side is left or right is unknown; as in "
            "nibabel, i is taken to run to the left, j to the front, k up, and the middle of the image "
            "to be at 0",
            path);
    if (apart_mm > 0.1 * cell_mm)
        log_warning(
            "%s: its sform (code %g) and its qform (code %g) contradict each other, by up to %.4g mm: "
            "the sform is used here, and a viewer that uses the qform shows image and results "
            "elsewhere, or mirrored",
            path, place->forms[0], place->forms[1], apart_mm);
    if (angle > NIFTI_PLACE_TILT_DEGREE)
        log_warning(
            "%s: its slices are tilted by %.3g degrees; the axes of the grid are those of the slices, "
            "not the scanner's",
            path, angle);
}

bool nifti_place_is_whole(const struct nifti_place *place, const size_t grid[3])
{
    bool is_whole = true;
    for (int x = 0; x < 3; x++)
        is_whole &= fabs(place->step[x]) == 1 && (double)grid[x] == place->shape[(int)place->axes[x]];
    return is_whole;
}

// ---- attributes

static const struct {
    const char *name;
    size_t count;
} attribute_table[NIFTI_PLACE_ATTRIBUTES] = {{"nifti_affine", 12}, {"nifti_shape", 3}, {"nifti_axes", 3},
                                             {"nifti_first", 3},   {"nifti_step", 3},  {"nifti_code", 1},
                                             {"nifti_forms", 2},   {"nifti_qform", 12}};
enum { REQUIRED_ATTRIBUTES = 6 };

static double *numbers_of(struct nifti_place *place, int k)
{
    double *const numbers[NIFTI_PLACE_ATTRIBUTES] = {place->affine[0], place->shape,   place->axes,
                                                     place->first,     place->step,    &place->code,
                                                     place->forms,     place->qform[0]};
    return numbers[k];
}

void nifti_place_attributes(const struct nifti_place *place,
                            struct stream_attribute attributes[NIFTI_PLACE_ATTRIBUTES])
{
    for (int k = 0; k < NIFTI_PLACE_ATTRIBUTES; k++)
        attributes[k] = (struct stream_attribute){.name = attribute_table[k].name,
                                                  .values = numbers_of((struct nifti_place *)place, k),
                                                  .count = attribute_table[k].count};
}

static bool is_whole(double value, double least, double most)
{
    return value >= least && value <= most && value == floor(value);
}

// A reason to refuse the numbers, or NULL.
static const char *objection(const struct nifti_place *place)
{
    static const double most_voxels = 32767;
    int seen = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            if (!isfinite(place->affine[row][column]) || !isfinite(place->qform[row][column]))
                return "nifti_affine or nifti_qform is not finite";
    for (int x = 0; x < 3; x++) {
        if (!is_whole(place->shape[x], 1, most_voxels))
            return "nifti_shape must be three numbers of voxels, 1 to 32767";
        if (!is_whole(place->axes[x], 0, 2))
            return "nifti_axes must be axes: 0, 1 or 2";
        seen |= 1 << (int)place->axes[x];
        if (!is_whole(place->step[x], -most_voxels, most_voxels) || place->step[x] == 0)
            return "nifti_step must be whole numbers other than 0";
        if (!(length(place, x) > 0))
            return "nifti_affine has an axis without length";
    }
    if (seen != 7)
        return "nifti_axes names an axis twice";
    for (int x = 0; x < 3; x++)
        if (!is_whole(place->first[x], 0, place->shape[(int)place->axes[x]] - 1))
            return "nifti_first lies outside the image";
    return is_whole(place->code, 0, most_voxels) && is_whole(place->forms[0], 0, most_voxels) &&
                   is_whole(place->forms[1], 0, most_voxels)
               ? NULL
               : "nifti_code or nifti_forms is no code";
}

enum status nifti_place_read(const struct dataset *file, struct nifti_place *place, bool *has)
{
    size_t found = 0;
    const char *missing = NULL;
    bool has_forms = true;
    *place = (struct nifti_place){0};
    for (int k = 0; k < NIFTI_PLACE_ATTRIBUTES; k++) {
        double numbers[13]; // one more than the longest has, so that a longer one is noticed
        const size_t count = dataset_numbers(file, NULL, attribute_table[k].name, numbers, 13);
        found += count > 0;
        if (count != attribute_table[k].count && k >= REQUIRED_ATTRIBUTES)
            has_forms = false;
        else if (count != attribute_table[k].count)
            missing = attribute_table[k].name;
        else
            memcpy(numbers_of(place, k), numbers, count * sizeof *numbers);
    }
    *has = found > 0;
    if (found == 0)
        return STATUS_OK;
    if (missing)
        return FAIL(STATUS_DATA,
                    "%s: attribute %s is missing or has another length than expected, though the file has "
                    "others of the image that it was made of",
                    dataset_path(file), missing);
    if (!has_forms) {
        place->forms[0] = place->forms[1] = place->code;
        memcpy(place->qform, place->affine, sizeof place->qform);
    }
    const char *reason = objection(place);
    return reason ? FAIL(STATUS_DATA, "%s: attribute %s", dataset_path(file), reason) : STATUS_OK;
}
