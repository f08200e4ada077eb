// Writes NIfTI-1 files: see nifti_write.h.
#include "io/nifti_write.h"

#include "io/nifti_header.h"
#include "io/whole_file.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

enum {
    DATA_OFFSET = 352, // after the four bytes that say that there is no extension
    MOST_CELLS = 32767,
    INTENT_LABEL = 1002,
    UNITS_MM = 2,
    UNITS_S = 8
};

enum { DESCRIPTION_BYTES = 80, NAME_BYTES = 16 };

static const struct {
    int code;
    size_t bytes;
} types[] = {[NIFTI_WRITE_U8] = {2, 1}, [NIFTI_WRITE_F32] = {16, 4}, [NIFTI_WRITE_I16] = {4, 2}};

static bool ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

bool nifti_write_is_name(const char *path)
{
    return ends_in(path, ".nii") || ends_in(path, ".nii.gz");
}

void nifti_write_scale(double low, double high, double *slope, double *intercept)
{
    low = fmin(low, 0);
    high = fmax(high, 0);
    // A slope of 9 bits and a whole number of it as intercept: single precision holds both, and 0, which
    // stands for missing values, comes back as 0. A little room keeps both ends within 16 bits.
    enum { SLOPE_BITS = 9 };
    int exponent;
    const double fraction = frexp(high > low ? (high - low) / 65500 : 0.5, &exponent);
    *slope = high > low ? ldexp(ceil(ldexp(fraction, SLOPE_BITS)), exponent - SLOPE_BITS) : 1;
    *intercept = nearbyint(low / *slope + 32750) * *slope;
}

// ---- the header

static void put(unsigned char *at, uint32_t bits, size_t count)
{
    for (size_t k = 0; k < count; k++)
        at[k] = (unsigned char)(bits >> (8 * k));
}

static void put_short(unsigned char *header, int at, int value)
{
    put(header + at, (uint32_t)value, 2);
}

static void put_float(unsigned char *at, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put(at, bits, 4);
}

static void put_text(unsigned char *header, int at, const char *text, size_t bytes)
{
    const size_t length = text ? strlen(text) : 0;
    memcpy(header + at, text ? text : "", length < bytes ? length : bytes - 1); // the rest is 0
}

// The columns of an affine without their lengths; false: they are not at right angles.
static bool find_rotation(const double affine[3][4], double spacing_mm[3], double r[3][3])
{
    // Single precision, in which images state their affines, and a margin.
    static const double tolerance = 2e-6;
    bool is_rotation = true;
    for (int i = 0; i < 3; i++) {
        spacing_mm[i] =
            sqrt(affine[0][i] * affine[0][i] + affine[1][i] * affine[1][i] + affine[2][i] * affine[2][i]);
        for (int x = 0; x < 3; x++)
            r[x][i] = affine[x][i] / spacing_mm[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        is_rotation &= fabs(r[0][i] * r[0][j] + r[1][i] * r[1][j] + r[2][i] * r[2][j]) <= tolerance;
    }
    return is_rotation;
}

static double determinant(const double r[3][3])
{
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
           r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

// The quaternion (a, b, c, d), a ≥ 0, of a rotation: from the largest of its four squares, so that none of
// the divisions is by a small number (nifti1.h, method 2).
static void find_quaternion(const double r[3][3], double q[4])
{
    const double squares[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                               1 - r[0][0] + r[1][1] - r[2][2],
                               1 - r[0][0] - r[1][1] + r[2][2]}; // 4 a², 4 b², 4 c², 4 d²
    const double ab = r[2][1] - r[1][2], ac = r[0][2] - r[2][0], ad = r[1][0] - r[0][1]; // 4 ab, ...
    const double bc = r[0][1] + r[1][0], bd = r[0][2] + r[2][0], cd = r[1][2] + r[2][1];
    const double products[4][4] = {{squares[0], ab, ac, ad},
                                   {ab, squares[1], bc, bd},
                                   {ac, bc, squares[2], cd},
                                   {ad, bd, cd, squares[3]}};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        largest = squares[k] > squares[largest] ? k : largest;
    double norm = 0;
    for (int k = 0; k < 4; k++)
        norm += products[largest][k] * products[largest][k];
    const double sign = products[largest][0] < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++)
        q[k] = sign * products[largest][k] / sqrt(norm);
}

// To single precision. The header has no a, which readers take from the others, a² = 1 − b² − c² − d²: for
// half a turn, a = 0, the rounded squares must not add up to less than 1, or a would be some 1e-4.
static void round_quaternion(double q[4])
{
    int largest = 1;
    for (int k = 1; k < 4; k++) {
        q[k] = (double)(float)q[k];
        largest = fabs(q[k]) > fabs(q[largest]) ? k : largest;
    }
    if (q[0] < 1e-6 && q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1)
        q[largest] = (double)nextafterf((float)q[largest], copysignf(2, (float)q[largest]));
}

static void put_sform(const struct nifti_write *request, int code, unsigned char *header)
{
    put_short(header, NIFTI_AT_SFORM, code);
    for (int x = 0; x < 3 && code > 0; x++)
        for (int i = 0; i < 4; i++)
            put_float(header + NIFTI_AT_SROW + 16 * x + 4 * i, request->affine[x][i]);
}

static void put_qform(const double affine[3][4], double r[3][3], int code, unsigned char *header)
{
    double q[4];
    const bool is_mirrored = determinant(r) < 0; // then pixdim[0] = −1 turns the last axis round
    for (int x = 0; x < 3 && is_mirrored; x++)
        r[x][2] = -r[x][2];
    find_quaternion(r, q);
    put_short(header, NIFTI_AT_QFORM, code);
    put_float(header + NIFTI_AT_PIXDIM, is_mirrored ? -1 : 1);
    round_quaternion(q);
    for (int k = 0; k < 3; k++) {
        put_float(header + NIFTI_AT_QUATERN + 4 * k, q[k + 1]);
        put_float(header + NIFTI_AT_QOFFSET + 4 * k, affine[k][3]);
    }
}

static void put_place(const struct nifti_write *request, unsigned char *header)
{
    const int sform = request->has_forms ? request->sform_code : request->code,
              qform = request->has_forms ? request->qform_code : request->code;
    const double(*affine)[4] = request->has_forms && qform > 0 ? request->qform : request->affine;
    double spacing_mm[3], r[3][3];
    const bool is_rotation = find_rotation(affine, spacing_mm, r);
    for (int i = 0; i < 3; i++)
        put_float(header + NIFTI_AT_PIXDIM + 4 * (i + 1), spacing_mm[i]);
    put_float(header + NIFTI_AT_PIXDIM, 1);
    put_sform(request, sform, header);
    if (qform > 0 && is_rotation)
        put_qform(affine, r, qform, header);
}

static void make_header(const struct nifti_write *request, unsigned char header[DATA_OFFSET])
{
    const bool has_time = request->records > 1;
    memset(header, 0, DATA_OFFSET);
    put(header + NIFTI_AT_SIZE, NIFTI_HEADER_BYTES, 4);
    header[NIFTI_AT_REGULAR] = 'r';
    put_short(header, NIFTI_AT_DIM, has_time ? 4 : 3);
    for (int k = 1; k < 8; k++)
        put_short(header, NIFTI_AT_DIM + 2 * k,
                  k <= 3   ? (int)request->cells[k - 1]
                  : k == 4 ? (int)request->records
                           : 1);
    put_short(header, NIFTI_AT_INTENT, request->type == NIFTI_WRITE_U8 ? INTENT_LABEL : 0);
    put_short(header, NIFTI_AT_DATATYPE, types[request->type].code);
    put_short(header, NIFTI_AT_BITPIX, (int)(8 * types[request->type].bytes));
    put_float(header + NIFTI_AT_VOX_OFFSET, DATA_OFFSET);
    put_float(header + NIFTI_AT_SLOPE, request->type == NIFTI_WRITE_I16 ? request->slope : 1);
    put_float(header + NIFTI_AT_INTERCEPT, request->type == NIFTI_WRITE_I16 ? request->intercept : 0);
    header[NIFTI_AT_UNITS] = UNITS_MM | (has_time ? UNITS_S : 0);
    if (has_time) {
        put_float(header + NIFTI_AT_PIXDIM + 16, request->step_s);
        put_float(header + NIFTI_AT_TIME, request->first_s);
    }
    put_text(header, NIFTI_AT_DESCRIPTION, request->description, DESCRIPTION_BYTES);
    put_text(header, NIFTI_AT_NAME, request->name, NAME_BYTES);
    put_place(request, header);
    memcpy(header + NIFTI_AT_MAGIC, "n+1", 4);
}

// ---- the file

static enum status write_bytes(const struct nifti_write *request, gzFile stream, const unsigned char *bytes,
                               size_t count)
{
    enum { PIECE = 1 << 30 };
    for (size_t done = 0; done < count;) {
        const size_t piece = count - done < PIECE ? count - done : PIECE;
        errno = 0;
        if (gzwrite(stream, bytes + done, (unsigned)piece) != (int)piece)
            return FAIL(STATUS_IO, "%s: writing failed: %s", request->path,
                        errno ? path_error_text(errno) : "zlib has no memory");
        done += piece;
    }
    return STATUS_OK;
}

static enum status refuse(const struct nifti_write *request, size_t k, size_t n, double value,
                          const char *expected)
{
    const size_t ni = request->cells[0];
    return FAIL(STATUS_DATA, "%s: cell (%zu, %zu, %zu) of i, j, k is %g; %s", request->path, n % ni, n / ni,
                k, value, expected);
}

// The values of a plane in the file's type. STATUS_DATA: one does not fit.
static enum status store(const struct nifti_write *request, size_t k, const double *values,
                         unsigned char *bytes)
{
    const size_t cells = request->cells[0] * request->cells[1];
    for (size_t n = 0; n < cells; n++) {
        const double value = values[n];
        switch (request->type) {
        case NIFTI_WRITE_F32:
            put_float(bytes + 4 * n, value);
            break;
        case NIFTI_WRITE_U8:
            if (!isnan(value) && !(value >= 0 && value <= UINT8_MAX && value == floor(value)))
                return refuse(request, k, n, value, "labels are whole numbers from 0 to 255");
            bytes[n] = isnan(value) ? 0 : (unsigned char)value;
            break;
        case NIFTI_WRITE_I16: {
            const double whole =
                nearbyint(((isnan(value) ? 0 : value) - request->intercept) / request->slope);
            if (!(whole >= INT16_MIN && whole <= INT16_MAX))
                return refuse(request, k, n, value,
                              "it does not fit the range of 16-bit numbers: write single precision");
            put(bytes + 2 * n, (uint32_t)(int32_t)whole, 2);
            break;
        }
        }
    }
    return STATUS_OK;
}

static enum status write_planes(const struct nifti_write *request, gzFile stream, double *values,
                                unsigned char *bytes)
{
    unsigned char header[DATA_OFFSET];
    const size_t plane_bytes = request->cells[0] * request->cells[1] * types[request->type].bytes;
    make_header(request, header);
    CHECK(write_bytes(request, stream, header, sizeof header));
    for (size_t record = 0; record < request->records; record++)
        for (size_t k = 0; k < request->cells[2]; k++) {
            CHECK(request->plane(request->context, record, k, values));
            CHECK(store(request, k, values, bytes));
            CHECK(write_bytes(request, stream, bytes, plane_bytes));
        }
    return STATUS_OK;
}

static enum status write_stream(const struct nifti_write *request, gzFile stream)
{
    const size_t cells = request->cells[0] * request->cells[1];
    double *values = malloc(cells * sizeof *values);
    unsigned char *bytes = malloc(cells * types[request->type].bytes);
    const enum status status = values && bytes
                                   ? write_planes(request, stream, values, bytes)
                                   : FAIL(STATUS_SYSTEM, "%s: no memory for a plane of %zu x %zu values",
                                          request->path, request->cells[0], request->cells[1]);
    free(values);
    free(bytes);
    return status;
}

// Through zlib in both cases: its mode T writes the bytes as they are.
static enum status write_zipped(const struct nifti_write *request, FILE *file)
{
    const int descriptor = dup(fileno(file));
    gzFile stream =
        descriptor >= 0 ? gzdopen(descriptor, ends_in(request->path, ".gz") ? "wb1" : "wbT") : NULL;
    if (!stream) {
        if (descriptor >= 0)
            close(descriptor);
        return FAIL(STATUS_SYSTEM, "%s: no memory to write it", request->path);
    }
    (void)gzbuffer(stream, 1 << 18);
    enum status status = write_stream(request, stream);
    errno = 0;
    if (gzclose(stream) != Z_OK && status == STATUS_OK)
        status = FAIL(STATUS_IO, "%s: writing failed: %s", request->path,
                      errno ? path_error_text(errno) : "zlib has no memory");
    return status;
}

enum status nifti_write_file(const struct nifti_write *request)
{
    struct whole_file file;
    for (int a = 0; a < 4; a++) {
        const size_t length = a < 3 ? request->cells[a] : request->records;
        if (length < 1 || length > MOST_CELLS)
            return FAIL(STATUS_CONFIGURATION, "%s: %zu %s; NIfTI-1 holds 1 to %d along each axis",
                        request->path, length, a < 3 ? "cells along an axis" : "records", MOST_CELLS);
    }
    CHECK(whole_file_begin(&file, request->path));
    return whole_file_end(&file, write_zipped(request, file.stream));
}
