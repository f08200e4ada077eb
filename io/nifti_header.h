// The header of a NIfTI-1 file, for its reader (nifti.c) and its writer (nifti_write.c). Source: see nifti.h.
#ifndef FATHOM_IO_NIFTI_HEADER_H
#define FATHOM_IO_NIFTI_HEADER_H

enum { NIFTI_HEADER_BYTES = 348 };

// First byte of each entry.
enum nifti_header {
    NIFTI_AT_SIZE = 0,
    NIFTI_AT_REGULAR = 38,
    NIFTI_AT_DIM = 40,
    NIFTI_AT_INTENT = 68,
    NIFTI_AT_DATATYPE = 70,
    NIFTI_AT_BITPIX = 72,
    NIFTI_AT_PIXDIM = 76,
    NIFTI_AT_VOX_OFFSET = 108,
    NIFTI_AT_SLOPE = 112,
    NIFTI_AT_INTERCEPT = 116,
    NIFTI_AT_UNITS = 123,
    NIFTI_AT_TIME = 136,
    NIFTI_AT_DESCRIPTION = 148,
    NIFTI_AT_QFORM = 252,
    NIFTI_AT_SFORM = 254,
    NIFTI_AT_QUATERN = 256,
    NIFTI_AT_QOFFSET = 268,
    NIFTI_AT_SROW = 280,
    NIFTI_AT_NAME = 328,
    NIFTI_AT_MAGIC = 344
};

#endif
