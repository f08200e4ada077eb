// Volumes and fields over time, and quantities of particles: what is read through io/formats/volume.h,
// io/netcdf/field_file.h, io/formats/particles.h, and written through io/formats/nifti_export.h.
#include "io/formats/nifti_export.h"
#include "io/formats/particles.h"
#include "io/formats/volume.h"
#include "io/netcdf/field_file.h"

#include "tests/fuzz/support/fuzz.h"
#include "tests/fuzz/support/netcdf_bytes.h"

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>

enum { CELLS_MAX = 1 << 14 };

static const char *const dimensions[] = {"z", "y", "x", "time", "atom", "spatial", "frame", "body", "k", "x"};
static const char *const variables[] = {"q",    "label",    "temperature", "coordinates", "velocities",
                                        "mass", "position", "x",           "y",           "z",
                                        "vx",   "vy",       "vz",          "velocity",    "pos"};
static const char *const units[] = {"mm", "m",  "s",        "W m-3",      "K", "degC",
                                    "1",  "cm", "angstrom", "picosecond", "ms"};

static void try_volume(const char *path, struct fuzz_bytes *bytes)
{
    char own[FUZZ_TEXT_BYTES];
    const uint8_t flags = fuzz_byte(bytes);
    struct volume *volume = NULL;
    const char *variable = flags & 1 ? fuzz_text(bytes, variables, FUZZ_COUNT(variables), own) : NULL;
    if (!fuzz_ok(volume_open(path, variable, flags & 2 ? flags >> 6 : -1, &volume))) {
        FUZZ_EXPECT(!volume, "a volume that was refused is handed out");
        return;
    }
    const struct volume_info *info = volume_info(volume);
    size_t plane = 1;
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        FUZZ_EXPECT(info->cells[axis] >= 1, "no cells along axis %d", axis);
        FUZZ_EXPECT(!info->has_origin[axis] || isfinite(info->origin_m[axis]), "origin %g",
                    info->origin_m[axis]);
        FUZZ_EXPECT(!info->has_spacing[axis] ||
                        (isfinite(info->spacing_m[axis]) && info->spacing_m[axis] > 0),
                    "spacing %g", info->spacing_m[axis]);
    }
    FUZZ_EXPECT(fuzz_ok(volume_check_alike(volume, volume)), "a volume is not like itself");
    if (info->cells[VOLUME_X] <= CELLS_MAX && info->cells[VOLUME_Y] <= CELLS_MAX &&
        (plane = info->cells[VOLUME_X] * info->cells[VOLUME_Y]) <= CELLS_MAX) {
        double *values = calloc(plane, 2 * sizeof *values);
        for (size_t z = 0; z < info->cells[VOLUME_Z] && z < 12; z++)
            (void)fuzz_ok(volume_read(volume, z, 1, values,
                                      values + plane)); // infinite values are its readers' to judge
        free(values);
    }
    volume_close(volume);
}

// The file says that it was made of an image; it is written as one.
static void try_image(const char *path, struct fuzz_bytes *bytes)
{
    static const char *const names[] = {"nifti_affine", "nifti_shape", "nifti_axes",
                                        "nifti_first",  "nifti_step",  "nifti_code"};
    static const size_t counts[] = {12, 3, 3, 3, 3, 1};
    char own[FUZZ_TEXT_BYTES];
    const uint8_t flags = fuzz_byte(bytes);
    int ncid;
    if (nc_open(path, NC_WRITE, &ncid) != NC_NOERR)
        return;
    (void)nc_redef(ncid);
    for (size_t k = 0; k < FUZZ_COUNT(names); k++) {
        double numbers[13];
        const size_t count = flags & 1 && k == flags >> 5 ? (size_t)(flags >> 4) % 13 : counts[k];
        for (size_t n = 0; n < count; n++) // few bytes: an image of the whole numbers, mostly
            numbers[n] = bytes->left > 0 && fuzz_byte(bytes) % 4 == 0 ? fuzz_number(bytes)
                         : k == 0                                     ? (double)(n % 5 == 0)
                         : k == 2                                     ? (double)n
                                                                      : (double)(k != 3 && k != 5);
        (void)nc_put_att_double(ncid, NC_GLOBAL, names[k], NC_DOUBLE, count, numbers);
    }
    if (nc_close(ncid) != NC_NOERR)
        return;
    const struct nifti_export request = {
        .path = path,
        .output = fuzz_path(flags & 2 ? "image.nii" : "image.nii.gz"),
        .variable = flags & 4 ? fuzz_text(bytes, variables, FUZZ_COUNT(variables), own) : NULL,
        .record = flags & 8 ? flags >> 6 : -1,
        .time_s = flags & 16 ? 1 : NAN,
        .type = flags & 32 ? NIFTI_WRITE_I16 : NIFTI_WRITE_F32,
        .chooses_type = flags & 64};
    struct nifti_export_result result;
    if (fuzz_ok(nifti_export_file(&request, &result)))
        FUZZ_EXPECT(result.cells[0] * result.cells[1] * result.cells[2] >= 1, "an image without cells");
}

static void try_lines(const struct field_file *file)
{
    static const char *const line_units[FIELD_AXES] = {"s", "m", "m", "m"};
    for (int axis = 0; axis < FIELD_AXES; axis++) {
        double *values = NULL;
        size_t count = 0;
        if (fuzz_ok(field_file_line(file, axis, NULL, NULL, line_units[axis], &values, &count)) && values)
            FUZZ_EXPECT(count == field_file_info(file)->lengths[axis], "%zu numbers along an axis of %zu",
                        count, field_file_info(file)->lengths[axis]);
        free(values);
    }
}

static void try_field(const char *path, struct fuzz_bytes *bytes)
{
    char own[FUZZ_TEXT_BYTES];
    const uint8_t flags = fuzz_byte(bytes);
    const enum element element = flags & 1 ? ELEMENT_F32 : ELEMENT_F64;
    struct field_file *file = NULL;
    const char *variable = flags & 2 ? fuzz_text(bytes, variables, FUZZ_COUNT(variables), own) : NULL;
    if (!fuzz_ok(field_file_open(path, variable, flags & 4, element, &file)))
        return;
    const struct field_file_info *info = field_file_info(file);
    size_t cells = 1;
    for (int axis = 0; axis < FIELD_AXES; axis++) {
        FUZZ_EXPECT(info->lengths[axis] >= 1, "no entries along axis %d", axis);
        cells = axis == FIELD_TIME                                     ? cells
                : cells > CELLS_MAX || info->lengths[axis] > CELLS_MAX ? CELLS_MAX + 1
                                                                       : cells * info->lengths[axis];
    }
    try_lines(file);
    if (cells <= CELLS_MAX && info->scratch_bytes <= 8 * CELLS_MAX) {
        unsigned char *values = malloc(cells * element_bytes(element) + 1),
                      *scratch = malloc(info->scratch_bytes + 1);
        for (size_t record = 0; record < info->lengths[FIELD_TIME] && record < 4; record++) {
            struct field_fault fault = {0};
            if (field_file_read(file, record, values, scratch, &fault)) {
                for (size_t k = 0; k < cells; k++)
                    FUZZ_EXPECT(isfinite(element == ELEMENT_F32 ? (double)((float *)(void *)values)[k]
                                                                : ((double *)(void *)values)[k]),
                                "record %zu, cell %zu is not finite", record, k);
            } else {
                FUZZ_EXPECT(!fuzz_ok(field_file_fail(file, &fault, flags & 8 ? NAN : 1)), "an invalid fault");
            }
        }
        free(values);
        free(scratch);
    }
    field_file_close(file);
}

static void try_particles(const char *path, struct fuzz_bytes *bytes)
{
    char own[FUZZ_TEXT_BYTES];
    static const char *const names[] = {"x y z",    "coordinates", "vx vy vz", "mass",
                                        "position", "x y",         "z z z"};
    const uint8_t flags = fuzz_byte(bytes);
    struct particles *particles = NULL;
    const char *variable = flags & 4 ? fuzz_text(bytes, names, FUZZ_COUNT(names), own) : NULL;
    if (!fuzz_ok(particles_open(path, flags % 3, variable, flags & 8 ? flags >> 5 : -1, &particles)))
        return;
    const struct particles_info *info = particles_info(particles);
    FUZZ_EXPECT(info->count >= 1 && info->components == (flags % 3 == PARTICLES_MASS ? 1u : 3u),
                "%zu bodies, %zu components", info->count, info->components);
    const size_t count = info->count < CELLS_MAX ? info->count : CELLS_MAX;
    double *values = malloc(4 * count * sizeof *values);
    fuzz_ok(particles_read(particles, 0, count, values, values + 3 * count));
    free(values);
    particles_close(particles);
}

FUZZ_HARNESS(netcdf_volume)
{
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    struct fuzz_bytes bytes = {data, size};
    const uint8_t kind = fuzz_byte(&bytes);
    const size_t own = kind % 4 == 3 ? 40 : 6;
    struct fuzz_bytes request = {data + (size > 1), size > own + 1 ? own : 0};
    bytes.at += request.left, bytes.left -= request.left;
    const char *path = netcdf_from_bytes(&bytes, &words, "volume.nc");
    if (!path)
        return -1;
    switch (kind % 4) {
    case 0:
        try_volume(path, &request);
        break;
    case 1:
        try_field(path, &request);
        break;
    case 3:
        try_image(path, &request);
        break;
    default:
        try_particles(path, &request);
    }
    fuzz_files_closed();
    return 0;
}
