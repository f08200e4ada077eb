// NIfTI-1 files made byte by byte, from the format's description alone. Header-only; what it knows of the
// format is its own.
#ifndef FATHOM_TESTS_SUPPORT_NIFTI_MAKER_H
#define FATHOM_TESTS_SUPPORT_NIFTI_MAKER_H

#include "tests/support/asserts.h"
#include "tests/support/folder.h"

#include <math.h>

struct nifti_bytes {
    unsigned char *bytes;
    size_t length, capacity;
    bool is_big; // most significant byte first
};

// `count` low bytes of `bits` at an offset.
static inline void nifti_put(struct nifti_bytes *file, size_t at, uint64_t bits, size_t count)
{
    while (at + count > file->capacity) {
        file->capacity = 2 * file->capacity + 4096;
        file->bytes = realloc(file->bytes, file->capacity);
        assert_non_null(file->bytes);
        memset(file->bytes + file->length, 0, file->capacity - file->length);
    }
    for (size_t k = 0; k < count; k++)
        file->bytes[at + k] = (unsigned char)(bits >> (8 * (file->is_big ? count - 1 - k : k)));
    file->length = at + count > file->length ? at + count : file->length;
}

static inline void nifti_put_short(struct nifti_bytes *file, size_t at, int value)
{
    nifti_put(file, at, (uint64_t)(int64_t)value, 2);
}

static inline void nifti_put_float(struct nifti_bytes *file, size_t at, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    nifti_put(file, at, bits, 4);
}

// A header for nx × ny × nz × nt values, spacing 1, 2, 3 mm, neither scaled nor placed; the data begin at
// 352.
static inline struct nifti_bytes nifti_make(bool is_big, int nx, int ny, int nz, int nt, int datatype,
                                            int bits)
{
    struct nifti_bytes file = {.is_big = is_big};
    nifti_put(&file, 0, 348, 4);
    const int dim[8] = {nt > 1 ? 4 : 3, nx, ny, nz, nt, 1, 1, 1};
    for (int k = 0; k < 8; k++)
        nifti_put_short(&file, 40 + 2 * (size_t)k, dim[k]);
    nifti_put_short(&file, 70, datatype);
    nifti_put_short(&file, 72, bits);
    for (int k = 0; k < 4; k++)
        nifti_put_float(&file, 76 + 4 * (size_t)k, k == 0 ? 1 : k);
    nifti_put_float(&file, 108, 352);
    nifti_put(&file, 123, 2, 1); // mm
    nifti_put(&file, 351, 0, 1);
    memcpy(file.bytes + 344, "n+1", 4);
    return file;
}

// Rows of the sform: x, y, z of (i, j, k, 1). pixdim gets the lengths of its steps.
static inline void nifti_put_sform(struct nifti_bytes *file, const double rows[3][4])
{
    nifti_put_short(file, 254, 1);
    for (size_t x = 0; x < 3; x++)
        for (size_t i = 0; i < 4; i++)
            nifti_put_float(file, 280 + 16 * x + 4 * i, rows[x][i]);
    for (size_t i = 0; i < 3; i++)
        nifti_put_float(file, 80 + 4 * i, hypot(hypot(rows[0][i], rows[1][i]), rows[2][i]));
}

static inline void nifti_save(struct nifti_bytes *file, const char *name)
{
    folder_write(name, file->bytes, file->length);
    free(file->bytes);
    file->bytes = NULL;
}

#endif
