// How a grid lies in a NIfTI image: see nifti_place.h.
#include "io/nifti_place.h"

#include <math.h>
#include <string.h>

static double length(const struct nifti_place *place, int a)
{
    return sqrt(place->affine[0][a] * place->affine[0][a] + place->affine[1][a] * place->affine[1][a] +
                place->affine[2][a] * place->affine[2][a]);
}

void nifti_place_of(const struct nifti_info *info, struct nifti_place *place)
{
    *place = (struct nifti_place){.code = info->code};
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

void nifti_place_image(const struct nifti_place *place, const size_t grid[3], size_t cells[3],
                       double affine[3][4])
{
    double lowest[3]; // voxel of the image with which the part begins
    for (int x = 0; x < 3; x++) {
        const int a = (int)place->axes[x];
        const double last = place->first[x] + place->step[x] * (double)(grid[x] - 1);
        cells[a] = grid[x];
        lowest[a] = fmin(place->first[x], last);
    }
    for (int row = 0; row < 3; row++) {
        affine[row][3] = place->affine[row][3];
        for (int x = 0; x < 3; x++) {
            const int a = (int)place->axes[x];
            affine[row][a] = place->affine[row][a] * fabs(place->step[x]);
            affine[row][3] += place->affine[row][a] * lowest[a];
        }
    }
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
                                             {"nifti_first", 3},   {"nifti_step", 3},  {"nifti_code", 1}};

static double *numbers_of(struct nifti_place *place, int k)
{
    double *const numbers[NIFTI_PLACE_ATTRIBUTES] = {place->affine[0], place->shape, place->axes,
                                                     place->first,     place->step,  &place->code};
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
            if (!isfinite(place->affine[row][column]))
                return "nifti_affine is not finite";
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
    return is_whole(place->code, 0, most_voxels) ? NULL : "nifti_code is no code";
}

enum status nifti_place_read(const struct dataset *file, struct nifti_place *place, bool *has)
{
    size_t found = 0;
    const char *missing = NULL;
    *place = (struct nifti_place){0};
    for (int k = 0; k < NIFTI_PLACE_ATTRIBUTES; k++) {
        double numbers[13]; // one more than the longest has, so that a longer one is noticed
        const size_t count = dataset_numbers(file, NULL, attribute_table[k].name, numbers, 13);
        found += count > 0;
        if (count != attribute_table[k].count)
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
    const char *reason = objection(place);
    return reason ? FAIL(STATUS_DATA, "%s: attribute %s", dataset_path(file), reason) : STATUS_OK;
}
