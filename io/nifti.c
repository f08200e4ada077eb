// Volumes in NIfTI-1 files: see nifti.h.
#include "io/nifti.h"

#include "io/nifti_header.h"
#include "io/units.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <zlib.h>

enum { DATA_OFFSET_MIN = 352 };

enum kind { SIGNED, UNSIGNED, FLOATING };

static const struct type {
    int code;
    const char *name;
    size_t bytes;
    enum kind kind;
} types[] = {{2, "uint8", 1, UNSIGNED},    {4, "int16", 2, SIGNED},      {8, "int32", 4, SIGNED},
             {16, "float32", 4, FLOATING}, {64, "float64", 8, FLOATING}, {256, "int8", 1, SIGNED},
             {512, "uint16", 2, UNSIGNED}, {768, "uint32", 4, UNSIGNED}, {1024, "int64", 8, SIGNED},
             {1280, "uint64", 8, UNSIGNED}};

// Known, but no plain numbers.
static const struct {
    int code;
    const char *name;
} others[] = {{1, "single bits"},       {32, "complex numbers"},   {128, "colours (RGB)"},
              {1536, "128-bit floats"}, {1792, "complex numbers"}, {2048, "complex numbers"},
              {2304, "colours (RGBA)"}};

struct nifti {
    char *path;
    gzFile stream;
    bool is_swapped;
    const struct type *type;
    struct nifti_info info;
    double slope, intercept;
    bool is_scaled;
    size_t offset; // of the first value
    unsigned char *plane, *held;
    size_t next_plane; // of the record
    size_t record;
    bool is_end_checked; // check_end
};

// ---- numbers in the file's order of bytes

static uint64_t word(const unsigned char *bytes, size_t count, bool is_swapped)
{
    uint64_t value = 0;
    const uint16_t probe = 1;
    unsigned char first;
    memcpy(&first, &probe, 1);
    const bool is_little = (first == 1) != is_swapped; // the file's, not the machine's
    for (size_t k = 0; k < count; k++)
        value |= (uint64_t)bytes[is_little ? k : count - 1 - k] << (8 * k);
    return value;
}

static double number(const unsigned char *bytes, const struct type *type, bool is_swapped)
{
    const uint64_t bits = word(bytes, type->bytes, is_swapped);
    if (type->kind == FLOATING && type->bytes == 4) {
        const uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (type->kind == FLOATING) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const uint64_t sign = UINT64_C(1) << (8 * type->bytes - 1);
    if (type->kind == SIGNED && (bits & sign))
        return -(double)(~bits & (sign - 1)) - 1;
    return (double)bits;
}

static int header_short(const unsigned char *header, int at, bool is_swapped)
{
    static const struct type i16 = {4, "int16", 2, SIGNED};
    return (int)number(header + at, &i16, is_swapped);
}

static double header_float(const unsigned char *header, int at, bool is_swapped)
{
    static const struct type f32 = {16, "float32", 4, FLOATING};
    return number(header + at, &f32, is_swapped);
}

// ---- what it is

static bool read_size(const unsigned char *header, bool *is_swapped)
{
    for (int swapped = 0; swapped < 2; swapped++)
        if (word(header + NIFTI_AT_SIZE, 4, swapped) == NIFTI_HEADER_BYTES) {
            *is_swapped = swapped;
            return true;
        }
    return false;
}

static bool has_suffix(const char *path, const char *suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

// By its name, unless it is a netCDF or an HDF5 file: then the reader says what is wrong with it.
static bool is_named(const char *path, const unsigned char *header, int length)
{
    if (!has_suffix(path, ".nii") && !has_suffix(path, ".nii.gz"))
        return false;
    return length < 4 || (memcmp(header, "CDF", 3) != 0 && memcmp(header, "\211HDF", 4) != 0);
}

bool nifti_is(const char *path)
{
    unsigned char header[NIFTI_HEADER_BYTES];
    bool is_swapped;
    gzFile stream = gzopen(path, "rb");
    if (!stream)
        return false;
    const int length = gzread(stream, header, sizeof header);
    gzclose(stream);
    if (length == NIFTI_HEADER_BYTES && read_size(header, &is_swapped) &&
        (memcmp(header + NIFTI_AT_MAGIC, "n+1", 4) == 0 || memcmp(header + NIFTI_AT_MAGIC, "ni1", 4) == 0))
        return true;
    return is_named(path, header, length);
}

static enum status read_bytes(struct nifti *file, unsigned char *bytes, size_t count, const char *what)
{
    size_t done = 0;
    while (done < count) {
        const size_t rest = count - done;
        const int length = gzread(file->stream, bytes + done, rest < (1u << 30) ? (unsigned)rest : 1u << 30);
        if (length > 0) {
            done += (size_t)length;
            continue;
        }
        int code = Z_OK;
        const char *reason = gzerror(file->stream, &code);
        if (code == Z_ERRNO)
            return FAIL(STATUS_IO, "%s: %s: %s", file->path, what, strerror(errno));
        if (code != Z_OK && code != Z_BUF_ERROR)
            return FAIL(STATUS_DATA, "%s: %s: damaged (%s)", file->path, what, reason);
        return FAIL(STATUS_DATA, "%s: %s: the file ends %s too early", file->path, what, UNITS_BYTES(rest));
    }
    return STATUS_OK;
}

// gzip's checksum and length follow the last value, so that a reader who stops there would never see them.
// Reads on to the end, once: a file that was cut there, or whose values are others, is damaged.
static enum status check_end(struct nifti *file)
{
    unsigned char rest[1 << 14];
    int length = 1, code = Z_OK;
    if (file->is_end_checked || gzdirect(file->stream))
        return STATUS_OK;
    while (length > 0)
        length = gzread(file->stream, rest, sizeof rest);
    const char *reason = gzerror(file->stream, &code);
    if (code == Z_ERRNO)
        return FAIL(STATUS_IO, "%s: after its values: %s", file->path, strerror(errno));
    if (code == Z_BUF_ERROR)
        return FAIL(
            STATUS_DATA,
            "%s: damaged: the file ends too early, before or in gzip's checksum of 8 bytes, which is its "
            "end: was it cut while it was copied?",
            file->path);
    if (code != Z_OK && code != Z_STREAM_END)
        return FAIL(STATUS_DATA, "%s: after its values: damaged (%s)", file->path, reason);
    file->is_end_checked = true;
    return STATUS_OK;
}

static enum status check_kind(const struct nifti *file, const unsigned char *header)
{
    if (memcmp(header + NIFTI_AT_MAGIC, "n+1", 4) == 0)
        return STATUS_OK;
    if (memcmp(header + NIFTI_AT_MAGIC, "ni1", 4) == 0)
        return FAIL(STATUS_DATA,
                    "%s: a NIfTI file of two parts (.hdr, .img); expected one of a single part (.nii)",
                    file->path);
    return FAIL(STATUS_DATA, "%s: not a NIfTI-1 file (perhaps ANALYZE 7.5, whose orientation is unknown)",
                file->path);
}

// Both end in a zero byte of the structure's own.
static void read_texts(struct nifti_info *info, const unsigned char *header)
{
    memcpy(info->name, header + NIFTI_AT_NAME, sizeof info->name - 1);
    memcpy(info->description, header + NIFTI_AT_DESCRIPTION, sizeof info->description - 1);
}

// A slope of 0 means: not scaled. NaN is damage: nibabel reads it as not scaled, but writes 1, and Hounsfield
// units without their intercept are other tissue.
static enum status read_scaling(struct nifti *file, const unsigned char *header)
{
    file->slope = header_float(header, NIFTI_AT_SLOPE, file->is_swapped);
    file->intercept = header_float(header, NIFTI_AT_INTERCEPT, file->is_swapped);
    file->is_scaled = file->slope != 0 && !(file->slope == 1 && file->intercept == 0);
    file->info.is_integer = file->type->kind != FLOATING && !file->is_scaled;
    if (file->is_scaled && !(isfinite(file->slope) && isfinite(file->intercept)))
        return FAIL(
            STATUS_DATA,
            "%s: scl_slope is %g and scl_inter %g: expected finite numbers, or a slope of 0 where the "
            "values are not scaled",
            file->path, file->slope, file->intercept);
    return STATUS_OK;
}

static enum status read_type(struct nifti *file, const unsigned char *header)
{
    const int code = header_short(header, NIFTI_AT_DATATYPE, file->is_swapped);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (types[k].code == code)
            file->type = &types[k];
    for (size_t k = 0; k < sizeof others / sizeof *others && !file->type; k++)
        if (others[k].code == code)
            return FAIL(STATUS_DATA, "%s: holds %s; expected plain numbers", file->path, others[k].name);
    if (!file->type)
        return FAIL(STATUS_DATA, "%s: datatype %d is unknown", file->path, code);
    const int bits = header_short(header, NIFTI_AT_BITPIX, file->is_swapped);
    if ((size_t)bits != 8 * file->type->bytes)
        return FAIL(STATUS_DATA, "%s: bitpix %d does not fit the datatype, %s", file->path, bits,
                    file->type->name);
    file->info.type = file->type->name;
    return read_scaling(file, header);
}

static enum status read_sizes(struct nifti *file, const unsigned char *header)
{
    const int rank = header_short(header, NIFTI_AT_DIM, file->is_swapped);
    if (rank < 2 || rank > 7)
        return FAIL(STATUS_DATA, "%s: %d dimensions, expected 2 to 7", file->path, rank);
    file->info.records = 1;
    for (int k = 0; k < 7; k++) {
        const int length = k < rank ? header_short(header, NIFTI_AT_DIM + 2 * (k + 1), file->is_swapped) : 1;
        if (length < 1)
            return FAIL(STATUS_DATA, "%s: dimension %d has length %d, expected 1 to 32767", file->path, k + 1,
                        length);
        if (k > 3 && length > 1)
            return FAIL(STATUS_DATA, "%s: %d values at each point (dimension %d), expected one", file->path,
                        length, k + 1);
        if (k < NIFTI_AXES)
            file->info.cells[k] = (size_t)length;
        else if (k == 3)
            file->info.records = (size_t)length;
    }
    const double offset = header_float(header, NIFTI_AT_VOX_OFFSET, file->is_swapped);
    if (!(offset >= DATA_OFFSET_MIN && offset < 1e9) || offset != floor(offset))
        return FAIL(STATUS_DATA, "%s: vox_offset is %g, expected a whole number from %d", file->path, offset,
                    DATA_OFFSET_MIN);
    file->offset = (size_t)offset;
    return STATUS_OK;
}

// ---- where it lies

static double unit_mm(int code)
{
    return code == 1   ? 1e3
           : code == 3 ? 1e-3
                       : 1; // metres, micrometres; millimetres, also where the header states no unit
}

static void read_sform(const struct nifti *file, const unsigned char *header, double mm, double affine[3][4])
{
    for (int x = 0; x < 3; x++)
        for (int i = 0; i < 4; i++)
            affine[x][i] = mm * header_float(header, NIFTI_AT_SROW + 16 * x + 4 * i, file->is_swapped);
}

// A rotation as a quaternion (a, b, c, d), of which a is not stored; pixdim[0] = −1 turns the last axis
// round. Near half a turn a² is the rounding of the others, in single precision, and a is taken as 0, as the
// format's own library does.
static void read_qform(const struct nifti *file, const unsigned char *header, const double spacing_mm[3],
                       double mm, double affine[3][4])
{
    const double b = header_float(header, NIFTI_AT_QUATERN, file->is_swapped);
    const double c = header_float(header, NIFTI_AT_QUATERN + 4, file->is_swapped);
    const double d = header_float(header, NIFTI_AT_QUATERN + 8, file->is_swapped);
    const double rest = 1 - b * b - c * c - d * d, a = rest > 1e-7 ? sqrt(rest) : 0;
    const double sign = header_float(header, NIFTI_AT_PIXDIM, file->is_swapped) < 0 ? -1 : 1;
    const double norm = a * a + b * b + c * c + d * d; // 1, but for rounding
    const double rotation[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                                   {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
                                   {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c}};
    for (int x = 0; x < 3; x++) {
        for (int i = 0; i < NIFTI_AXES; i++)
            affine[x][i] = rotation[x][i] / norm * spacing_mm[i] * (i == NIFTI_K ? sign : 1);
        affine[x][3] = mm * header_float(header, NIFTI_AT_QOFFSET + 4 * x, file->is_swapped);
    }
}

// Of a rotation, b, c and d are three of four numbers whose squares have the sum 1.
static enum status check_quaternion(const struct nifti *file, const unsigned char *header)
{
    static const double rounding = 1e-3;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double value = header_float(header, NIFTI_AT_QUATERN + 4 * k, file->is_swapped);
        square += value * value;
    }
    return square <= 1 + rounding ? STATUS_OK
                                  : FAIL(STATUS_DATA,
                                         "%s: its qform is no rotation: quatern_b, c and d have squares with "
                                         "the sum %.4g, expected "
                                         "at most 1",
                                         file->path, square);
}

// Without sform and qform the format says nothing about directions. As nibabel has it, which most programs in
// Python read with: i to the left, the middle of the image at 0.
static void place_by_spacing(const struct nifti_info *info, const double spacing_mm[3], double affine[3][4])
{
    for (int x = 0; x < 3; x++) {
        for (int i = 0; i < 3; i++)
            affine[x][i] = i != x ? 0 : x == 0 ? -spacing_mm[x] : spacing_mm[x];
        affine[x][3] = -affine[x][x] * ((double)info->cells[x] - 1) / 2;
    }
}

// The order of x, y, z that lies nearest to the steps: the largest product of their cosines.
static enum status assign_axes(struct nifti *file)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct nifti_info *info = &file->info;
    double length[NIFTI_AXES], best = 0;
    for (int i = 0; i < NIFTI_AXES; i++) {
        length[i] =
            sqrt(info->step_mm[i][0] * info->step_mm[i][0] + info->step_mm[i][1] * info->step_mm[i][1] +
                 info->step_mm[i][2] * info->step_mm[i][2]);
        if (!(length[i] > 0) || !isfinite(length[i]) || !isfinite(info->origin_mm[i]))
            return FAIL(STATUS_DATA, "%s: the %s gives no spacing along dimension %d", file->path,
                        info->placed_by, i + 1);
    }
    for (int k = 0; k < 6; k++) {
        double product = 1;
        for (int i = 0; i < NIFTI_AXES; i++)
            product *= fabs(info->step_mm[i][orders[k][i]]) / length[i];
        if (product > best) {
            best = product;
            memcpy(info->axis, orders[k], sizeof info->axis);
        }
    }
    if (best == 0)
        return FAIL(STATUS_DATA, "%s: the axes of its %s are not at right angles", file->path,
                    info->placed_by);
    for (int i = 0; i < NIFTI_AXES; i++) {
        const double along = info->step_mm[i][info->axis[i]];
        const double angle = acos(fmin(1, fabs(along) / length[i])) * 180 / acos(-1.0);
        info->spacing_mm[i] = along < 0 ? -length[i] : length[i];
        info->largest_angle_degree = fmax(info->largest_angle_degree, angle);
    }
    return STATUS_OK;
}

// A header with an sform has the cells' sizes twice. A registration to an atlas changes those of the sform by
// some tens of percent; more is an error of units, or the sform of another image.
static enum status compare_spacings(const struct nifti *file, const double spacing_mm[3])
{
    static const double largest_ratio = 1.5;
    const struct nifti_info *info = &file->info;
    for (int i = 0; i < NIFTI_AXES; i++) {
        const double ratio = fabs(info->spacing_mm[i]) / spacing_mm[i];
        if (info->cells[i] > 1 && spacing_mm[i] > 0 && !(ratio < largest_ratio && ratio > 1 / largest_ratio))
            return FAIL(STATUS_DATA,
                        "%s: along dimension %d its sform has cells of %.4g mm, its pixdim of %.4g mm; "
                        "expected the same",
                        file->path, i + 1, fabs(info->spacing_mm[i]), spacing_mm[i]);
    }
    return STATUS_OK;
}

static enum status read_orientation(struct nifti *file, const unsigned char *header)
{
    struct nifti_info *info = &file->info;
    const double mm = unit_mm(header[NIFTI_AT_UNITS] & 7);
    double spacing_mm[NIFTI_AXES];
    for (int i = 0; i < NIFTI_AXES; i++) {
        spacing_mm[i] = mm * fabs(header_float(header, NIFTI_AT_PIXDIM + 4 * (i + 1), file->is_swapped));
        if (!(spacing_mm[i] > 0) && info->cells[i] == 1)
            spacing_mm[i] = mm; // irrelevant for a single slice
    }
    const int sform = header_short(header, NIFTI_AT_SFORM, file->is_swapped),
              qform = header_short(header, NIFTI_AT_QFORM, file->is_swapped);
    double affine[3][4];
    info->sform_code = sform > 0 ? sform : 0;
    info->qform_code = qform > 0 ? qform : 0;
    info->code = sform > 0 ? sform : info->qform_code;
    info->placed_by = sform > 0 ? "sform" : qform > 0 ? "qform" : "pixdim";
    read_qform(file, header, spacing_mm, mm, info->qform_mm);
    if (sform > 0)
        read_sform(file, header, mm, affine);
    else if (qform > 0) {
        CHECK(check_quaternion(file, header));
        memcpy(affine, info->qform_mm, sizeof affine);
    } else
        place_by_spacing(info, spacing_mm, affine);
    if (qform <= 0)
        memcpy(info->qform_mm, affine, sizeof affine);
    for (int x = 0; x < 3; x++) {
        for (int i = 0; i < NIFTI_AXES; i++)
            info->step_mm[i][x] = affine[x][i];
        info->origin_mm[x] = affine[x][3];
    }
    CHECK(assign_axes(file));
    return sform > 0 ? compare_spacings(file, spacing_mm) : STATUS_OK;
}

// ---- open, read

static enum status read_header(struct nifti *file)
{
    unsigned char header[NIFTI_HEADER_BYTES];
    CHECK(read_bytes(file, header, sizeof header, "its header"));
    if (!read_size(header, &file->is_swapped)) {
        const bool is_second = word(header, 4, false) == 540 || word(header, 4, true) == 540;
        return FAIL(STATUS_DATA, "%s: %s", file->path,
                    is_second ? "a NIfTI-2 file, which is not read; expected NIfTI-1" : "not a NIfTI-1 file");
    }
    CHECK(check_kind(file, header));
    read_texts(&file->info, header);
    CHECK(read_sizes(file, header));
    CHECK(read_type(file, header));
    return read_orientation(file, header);
}

// Refuses a file that cannot hold `planes` of what its header states before memory is taken for it: no more
// than its bytes, or gzip's largest expansion of them.
static enum status check_size(const struct nifti *file, size_t planes)
{
    enum { GZIP_RATIO_MAX = 1032 };
    struct stat about;
    const struct nifti_info *info = &file->info;
    const double bytes = (double)planes * (double)info->cells[NIFTI_I] * (double)info->cells[NIFTI_J] *
                         (double)file->type->bytes;
    if (stat(file->path, &about) != 0 || !S_ISREG(about.st_mode))
        return STATUS_OK; // what is too short is found when it is read
    const double most = (double)about.st_size * (gzdirect(file->stream) ? 1 : GZIP_RATIO_MAX);
    if ((double)file->offset + bytes <= most)
        return STATUS_OK;
    if (planes == 1)
        return FAIL(STATUS_DATA, "%s: too short: a single plane of %zu x %zu values needs %s", file->path,
                    info->cells[NIFTI_I], info->cells[NIFTI_J], UNITS_BYTES(bytes));
    return FAIL(STATUS_DATA, "%s: too short: %zu x %zu x %zu values need %s", file->path,
                info->cells[NIFTI_I], info->cells[NIFTI_J], planes, UNITS_BYTES(bytes));
}

static enum status open_file(struct nifti *file)
{
    errno = 0;
    file->stream = gzopen(file->path, "rb");
    if (!file->stream)
        return FAIL(errno ? STATUS_NO_INPUT : STATUS_SYSTEM, "%s: cannot be opened: %s", file->path,
                    errno ? strerror(errno) : "out of memory");
    (void)gzbuffer(file->stream, 1 << 18);
    CHECK(read_header(file));
    CHECK(check_size(file, 1));
    file->plane = malloc(file->info.cells[NIFTI_I] * file->info.cells[NIFTI_J] * file->type->bytes);
    if (!file->plane)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a plane of %zu x %zu values", file->path,
                    file->info.cells[NIFTI_I], file->info.cells[NIFTI_J]);
    return nifti_select(file, 0);
}

enum status nifti_open(const char *path, struct nifti **file)
{
    *file = NULL;
    struct nifti *made = calloc(1, sizeof *made);
    if (made)
        made->path = strdup(path);
    const enum status status =
        made && made->path ? open_file(made) : FAIL(STATUS_SYSTEM, "%s: no memory to open it", path);
    if (status != STATUS_OK) {
        nifti_close(made);
        return status;
    }
    made->info.path = made->path;
    *file = made;
    return STATUS_OK;
}

void nifti_close(struct nifti *file)
{
    if (!file)
        return;
    if (file->stream)
        gzclose(file->stream);
    free(file->plane);
    free(file->held);
    free(file->path);
    free(file);
}

const struct nifti_info *nifti_info(const struct nifti *file)
{
    return &file->info;
}

static size_t plane_bytes(const struct nifti *file)
{
    return file->info.cells[NIFTI_I] * file->info.cells[NIFTI_J] * file->type->bytes;
}

enum status nifti_select(struct nifti *file, size_t record)
{
    if (record >= file->info.records)
        return FAIL(STATUS_DATA, "%s: record %zu was asked for, it has %zu (counted from 0)", file->path,
                    record, file->info.records);
    const size_t at = file->offset + record * file->info.cells[NIFTI_K] * plane_bytes(file);
    if (gzseek(file->stream, (z_off_t)at, SEEK_SET) != (z_off_t)at)
        return FAIL(STATUS_DATA, "%s: the file ends before its record %zu", file->path, record);
    file->record = record;
    file->next_plane = 0;
    return STATUS_OK;
}

static inline double scaled(const struct nifti *file, const unsigned char *bytes)
{
    const double stored = file->type->bytes == 1 && file->type->kind == UNSIGNED
                              ? *bytes
                              : number(bytes, file->type, file->is_swapped);
    return file->is_scaled ? stored * file->slope + file->intercept : stored;
}

enum status nifti_read_plane(struct nifti *file, double *values)
{
    char what[64];
    const size_t cells = file->info.cells[NIFTI_I] * file->info.cells[NIFTI_J];
    snprintf(what, sizeof what, "plane %zu of %zu", file->next_plane, file->info.cells[NIFTI_K]);
    if (file->next_plane == file->info.cells[NIFTI_K])
        return FAIL(STATUS_SOFTWARE, "%s: no plane after the last", file->path);
    CHECK(read_bytes(file, file->plane, plane_bytes(file), what));
    file->next_plane++;
    for (size_t i = 0; i < cells; i++)
        values[i] = scaled(file, file->plane + i * file->type->bytes);
    return file->next_plane == file->info.cells[NIFTI_K] ? check_end(file) : STATUS_OK;
}

enum status nifti_hold(struct nifti *file)
{
    const size_t planes = file->info.cells[NIFTI_K], plane = plane_bytes(file);
    CHECK(check_size(file, planes));
    CHECK(nifti_select(file, file->record));
    free(file->held);
    file->held = malloc(planes * plane); // 32767³ cells of 8 bytes do not overflow
    if (!file->held)
        return FAIL(STATUS_SYSTEM, "%s: no memory for its values, %s", file->path,
                    UNITS_BYTES((double)planes * (double)plane));
    for (size_t k = 0; k < planes; k++) {
        char what[64];
        snprintf(what, sizeof what, "plane %zu of %zu", k, planes);
        CHECK(read_bytes(file, file->held + k * plane, plane, what));
    }
    return check_end(file);
}

size_t nifti_held_bytes(const struct nifti *file)
{
    return file->info.cells[NIFTI_K] * plane_bytes(file);
}

void nifti_held_values(const struct nifti *file, size_t first, ptrdiff_t stride, size_t count, double *values)
{
    const unsigned char *at = file->held + first * file->type->bytes;
    for (size_t n = 0; n < count; n++, at += stride * (ptrdiff_t)file->type->bytes)
        values[n] = scaled(file, at);
}
