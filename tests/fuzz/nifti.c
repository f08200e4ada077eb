// NIfTI-1 volumes, plain and compressed. The first byte says whether the rest is compressed before it is
// handed over, or is a file as it stands (then, perhaps, a damaged stream of gzip).
#include "io/nifti.h"

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
    }
    nifti_close(file);
    fuzz_files_closed();
    return 0;
}
