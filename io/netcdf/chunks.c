// Stored chunks by HDF5: see chunks.h.
#include "io/netcdf/chunks.h"

#include "io/netcdf/netcdf.h"
#include "io/netcdf/write.h"

#include <hdf5.h>

// HDF5 comes with netCDF-C (netcdf.c): the library that netCDF-C itself uses, and no other beside it.
extern __typeof__(H5Fopen) H5Fopen __attribute__((weak));
extern __typeof__(H5Fclose) H5Fclose __attribute__((weak));
extern __typeof__(H5Dopen2) H5Dopen2 __attribute__((weak));
extern __typeof__(H5Dclose) H5Dclose __attribute__((weak));
extern __typeof__(H5Dset_extent) H5Dset_extent __attribute__((weak));

static const char writing[] = "writing data", reading[] = "reading data";

enum { READ_ONLY = 0, READ_WRITE = 1 }; // HDF5's own names are calls, which need it at link time

static enum status failed(bool to_write, int error, const char *path)
{
    return to_write ? netcdf_write_failure(NC_EHDFERR, error, path, writing, __FILE__, __LINE__)
                    : netcdf_status(NC_EHDFERR, path, reading, __FILE__, __LINE__);
}

#if H5_VERSION_GE(1, 10, 2)
extern __typeof__(H5Dwrite_chunk) H5Dwrite_chunk __attribute__((weak));
extern __typeof__(H5Dread_chunk) H5Dread_chunk __attribute__((weak));
extern __typeof__(H5Dget_chunk_storage_size) H5Dget_chunk_storage_size __attribute__((weak));

bool chunks_are_possible(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && H5Fopen && H5Fclose && H5Dopen2 && H5Dclose &&
           H5Dset_extent && H5Dwrite_chunk && H5Dread_chunk && H5Dget_chunk_storage_size;
}

enum status chunks_write(chunks_id variable, const char *path, const uint64_t *offset, uint32_t left_out,
                         const void *data, size_t bytes)
{
    hsize_t at[H5S_MAX_RANK];
    for (int k = 0; k < CHUNKS_RANK_MAX; k++)
        at[k] = offset[k];
    errno = 0;
    return H5Dwrite_chunk(variable, H5P_DEFAULT, left_out, at, bytes, data) >= 0 ? STATUS_OK
                                                                                 : failed(true, errno, path);
}

enum status chunks_read(chunks_id variable, const char *path, const uint64_t *offset, uint32_t *left_out,
                        void *data, size_t room, size_t *bytes)
{
    hsize_t at[H5S_MAX_RANK], stored = 0;
    for (int k = 0; k < CHUNKS_RANK_MAX; k++)
        at[k] = offset[k];
    library_call_begin("HDF5", path);
    const bool is_there = H5Dget_chunk_storage_size(variable, at, &stored) >= 0 && stored > 0;
    const bool is_read =
        is_there && stored <= room && H5Dread_chunk(variable, H5P_DEFAULT, at, left_out, data) >= 0;
    (void)library_call_end(0);
    *bytes = (size_t)stored;
    return is_read ? STATUS_OK : failed(false, 0, path);
}

#else

bool chunks_are_possible(void)
{
    return false;
}

enum status chunks_write(chunks_id variable, const char *path, const uint64_t *offset, uint32_t left_out,
                         const void *data, size_t bytes)
{
    (void)variable, (void)offset, (void)left_out, (void)data, (void)bytes;
    return failed(true, 0, path);
}

enum status chunks_read(chunks_id variable, const char *path, const uint64_t *offset, uint32_t *left_out,
                        void *data, size_t room, size_t *bytes)
{
    (void)variable, (void)offset, (void)left_out, (void)data, (void)room, (void)bytes;
    return failed(false, 0, path);
}

#endif

enum status chunks_open(const char *path, bool to_write, chunks_id *file)
{
    netcdf_prepare_thread();
    errno = 0;
    library_call_begin("HDF5", path);
    *file = H5Fopen(path, to_write ? READ_WRITE : READ_ONLY, H5P_DEFAULT);
    (void)library_call_end(0);
    return *file >= 0 ? STATUS_OK : failed(to_write, errno, path);
}

enum status chunks_find(chunks_id file, const char *path, const char *variable, bool to_write,
                        chunks_id *found)
{
    errno = 0;
    library_call_begin("HDF5", path);
    *found = H5Dopen2(file, variable, H5P_DEFAULT);
    (void)library_call_end(0);
    return *found >= 0 ? STATUS_OK : failed(to_write, errno, path);
}

void chunks_leave(chunks_id variable)
{
    if (variable >= 0)
        (void)H5Dclose(variable); // what is left to be written is written with the file
}

enum status chunks_close(chunks_id file, const char *path, bool to_write)
{
    errno = 0;
    return H5Fclose(file) >= 0 || !to_write ? STATUS_OK : failed(true, errno, path);
}

enum status chunks_extend(chunks_id variable, const char *path, uint64_t records, const size_t *lengths,
                          int rank)
{
    hsize_t extent[H5S_MAX_RANK] = {records};
    for (int k = 0; k < rank; k++)
        extent[1 + k] = lengths[k];
    errno = 0;
    return H5Dset_extent(variable, extent) >= 0 ? STATUS_OK : failed(true, errno, path);
}
