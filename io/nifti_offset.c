// Two images beside each other: see nifti_offset.h.
#include "io/nifti_offset.h"

#include <math.h>

static struct nifti_frame frame_of(const struct nifti_info *info)
{
    struct nifti_frame frame = {.corner_mm = {info->origin_mm[0], info->origin_mm[1], info->origin_mm[2]}};
    for (int i = 0; i < NIFTI_AXES; i++) {
        const double *step = info->step_mm[i], last = (double)(info->cells[i] - 1);
        const double length = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
        const double sign = info->spacing_mm[i] < 0 ? -1 : 1;
        for (int x = 0; x < 3; x++) {
            frame.direction[info->axis[i]][x] = sign * step[x] / length;
            frame.corner_mm[x] += sign < 0 ? last * step[x] : 0;
        }
    }
    return frame;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void find_offset(const struct nifti_info *image, const struct nifti_frame *base, double offset_mm[3],
                        double *angle_degree)
{
    const struct nifti_frame own = frame_of(image);
    const double apart[3] = {own.corner_mm[0] - base->corner_mm[0], own.corner_mm[1] - base->corner_mm[1],
                             own.corner_mm[2] - base->corner_mm[2]};
    *angle_degree = 0;
    for (int x = 0; x < 3; x++) {
        const double cosine = fmin(1, fmax(-1, dot(own.direction[x], base->direction[x])));
        *angle_degree = fmax(*angle_degree, acos(cosine) * 180 / acos(-1.0));
        offset_mm[x] = dot(apart, base->direction[x]);
    }
}

void nifti_offset(const struct nifti_info *image, const struct nifti_info *base, double offset_mm[3],
                  double *angle_degree)
{
    const struct nifti_frame other = frame_of(base);
    find_offset(image, &other, offset_mm, angle_degree);
}

enum status nifti_offset_of_file(const char *image, const struct nifti_frame *base, double offset_mm[3],
                                 double *angle_degree)
{
    struct nifti *own = NULL;
    CHECK(nifti_open(image, &own));
    find_offset(nifti_info(own), base, offset_mm, angle_degree);
    nifti_close(own);
    return STATUS_OK;
}

enum status nifti_offset_of_files(const char *image, const char *base, double offset_mm[3],
                                  double *angle_degree)
{
    struct nifti *own = NULL, *other = NULL;
    CHECK(nifti_open(image, &own));
    const enum status status = nifti_open(base, &other);
    if (status == STATUS_OK)
        nifti_offset(nifti_info(own), nifti_info(other), offset_mm, angle_degree);
    nifti_close(own);
    nifti_close(other);
    return status;
}

enum status nifti_tilt_of_file(const char *path, double *angle_degree)
{
    struct nifti *file = NULL;
    CHECK(nifti_open(path, &file));
    *angle_degree = nifti_info(file)->largest_angle_degree;
    nifti_close(file);
    return STATUS_OK;
}
