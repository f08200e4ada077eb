// NIfTI-1 volumes, plain and compressed. The first byte says whether the rest is compressed before it is
// handed over, or is a file as it stands (then, perhaps, a damaged stream of gzip). An image that is read is
// held too, is a volume whose axes ascend, as domain.labels takes it, and is written again by its affine.
#include "io/nifti.h"
#include "io/formats/volume.h"
#include "io/nifti_write.h"

#include "tests/fuzz/support/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PLANES_MAX = 64 };

static const char *write_compressed(const uint8_t *data, size_t size)
{
    const char *path = fuzz_path("volume.nii.gz");
    gzFile file = gzopen(path, "wb1");
    if (!file || (size > 0 && gzwrite(file, data, (unsigned)size) != (int)size) || gzclose(file) != Z_OK)
        abort();
    return path;
}

static void check_info(const struct nifti_info *info)
{
    int seen = 0;
    for (int k = 0; k < NIFTI_AXES; k++) {
        FUZZ_EXPECT(info->cells[k] >= 1, "no cells along axis %d", k);
        FUZZ_EXPECT(info->axis[k] >= 0 && info->axis[k] < 3, "axis %d goes along %d", k, info->axis[k]);
        seen |= 1 << info->axis[k];
        FUZZ_EXPECT(isfinite(info->spacing_mm[k]) && info->spacing_mm[k] != 0, "spacing %d: %g", k,
                    info->spacing_mm[k]);
        FUZZ_EXPECT(isfinite(info->origin_mm[k]), "origin %d: %g", k, info->origin_mm[k]);
        for (int c = 0; c < 3; c++)
            FUZZ_EXPECT(isfinite(info->step_mm[k][c]), "step %d, %d: %g", k, c, info->step_mm[k][c]);
    }
    FUZZ_EXPECT(seen == 7, "axes go along the same direction");
    FUZZ_EXPECT(info->records >= 1 && isfinite(info->largest_angle_degree), "records or angle");
}

static void read_planes(struct nifti *file, const struct nifti_info *info, size_t size)
{
    const size_t cells = info->cells[NIFTI_I] * info->cells[NIFTI_J];
    if (cells > 1 << 20)
        return;
    double *values = malloc(cells * sizeof *values);
    for (size_t record = 0; record < info->records && record < 3; record++) {
        if (!fuzz_ok(nifti_select(file, record)))
            break;
        for (size_t k = 0; k < info->cells[NIFTI_K] && k < PLANES_MAX; k++)
            if (!fuzz_ok(nifti_read_plane(file, values)))
                break;
    }
    (void)size;
    free(values);
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

// Held in memory it has the same numbers as read plane by plane.
static void hold(struct nifti *file, const struct nifti_info *info)
{
    const size_t plane = info->cells[NIFTI_I] * info->cells[NIFTI_J];
    if (plane * info->cells[NIFTI_K] > 1 << 20 || !fuzz_ok(nifti_select(file, 0)) ||
        !fuzz_ok(nifti_hold(file)) || !fuzz_ok(nifti_select(file, 0)))
        return;
    double *read = malloc(2 * plane * sizeof *read), *held = read + plane;
    for (size_t k = 0; k < info->cells[NIFTI_K] && k < PLANES_MAX && fuzz_ok(nifti_read_plane(file, read));
         k++) {
        nifti_held_values(file, k * plane, 1, plane, held);
        for (size_t n = 0; n < plane; n++)
            FUZZ_EXPECT(is_same(read[n], held[n]), "cell %zu of plane %zu: %g and %g", n, k, read[n],
                        held[n]);
    }
    free(read);
}

struct copy {
    struct volume *volume;
    double *values;
};

static enum status next_plane(void *context, size_t record, size_t k, double *values)
{
    const struct copy *copy = context;
    const size_t *cells = volume_info(copy->volume)->cells;
    (void)record;
    return volume_read(copy->volume, k, 1, values, copy->values + cells[VOLUME_X] * cells[VOLUME_Y]);
}

// The volume as an image with axes along x, y, z: what is read of it is the same.
static void copy_volume(struct volume *volume)
{
    struct nifti_place place;
    const struct volume_info *info = volume_info(volume);
    const size_t *cells = info->cells, plane = cells[VOLUME_X] * cells[VOLUME_Y];
    const size_t grid[3] = {cells[VOLUME_X], cells[VOLUME_Y], cells[VOLUME_Z]};
    struct copy copy = {volume, malloc(2 * plane * sizeof(double))};
    struct nifti_write write = {.path = fuzz_path("copy.nii"),
                                .cells = {grid[0], grid[1], grid[2]},
                                .records = 1,
                                .code = 1,
                                .type = NIFTI_WRITE_F32,
                                .context = &copy,
                                .plane = next_plane};
    struct nifti *file = NULL;
    size_t own[3];
    FUZZ_EXPECT(volume_place(volume, &place) && nifti_place_is_whole(&place, grid),
                "an image without a place");
    nifti_place_image(&place, grid, own, write.affine);
    if (fuzz_ok(nifti_write_file(&write)) && fuzz_ok(nifti_open(write.path, &file)))
        for (size_t z = 0; z < grid[2]; z++) {
            double *read = copy.values, *wanted = copy.values + plane;
            if (!fuzz_ok(nifti_read_plane(file, read)) || !fuzz_ok(volume_read(volume, z, 1, wanted, NULL)))
                break;
            for (size_t n = 0; n < plane; n++)
                FUZZ_EXPECT(is_same(read[n], (double)(float)wanted[n]), "cell %zu: %g, %g", n, read[n],
                            wanted[n]);
        }
    nifti_close(file);
    free(copy.values);
}

static void as_volume(const char *path)
{
    struct volume *volume = NULL;
    if (!fuzz_ok(volume_open(path, NULL, -1, &volume)))
        return;
    const struct volume_info *info = volume_info(volume);
    FUZZ_EXPECT(volume_is_image(volume), "an image that is none");
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        FUZZ_EXPECT(isfinite(info->origin_m[axis]) && info->spacing_m[axis] > 0, "axis %d: %g, %g", axis,
                    info->origin_m[axis], info->spacing_m[axis]);
    if (info->cells[0] <= 64 && info->cells[1] <= 64 && info->cells[2] <= 64)
        copy_volume(volume);
    volume_close(volume);
}

FUZZ_HARNESS(nifti)
{
    if (size < 1)
        return -1;
    const uint8_t kind = *data++;
    size--;
    const char *path = kind % 4 == 1 ? write_compressed(data, size) : fuzz_write("volume.nii", data, size);
    struct nifti *file = NULL;
    const bool is = nifti_is(path);
    if (fuzz_ok(nifti_open(path, &file))) {
        FUZZ_EXPECT(is, "opened, though it does not begin as such a file does");
        check_info(nifti_info(file));
        read_planes(file, nifti_info(file), size);
        hold(file, nifti_info(file));
        as_volume(path);
    }
    nifti_close(file);
    fuzz_files_closed();
    return 0;
}
