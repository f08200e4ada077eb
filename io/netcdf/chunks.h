// Whole chunks of a netCDF-4 file's variables, as they are stored (shuffled, deflated), read and written by
// HDF5 past its filters. So several threads may compress what one thread writes, and chunks are copied from
// file to file without being inflated. netCDF-C defines the file and must have closed it meanwhile.
// Independent of what the chunks hold. Not thread-safe, as HDF5 is not.
#ifndef FATHOM_IO_NETCDF_CHUNKS_H
#define FATHOM_IO_NETCDF_CHUNKS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An open file, or a variable of it: HDF5's number. −1: none.
typedef int64_t chunks_id;

// Dimensions of an offset.
enum { CHUNKS_RANK_MAX = 8 };

// Whether the HDF5 that netCDF-C uses has these calls (1.10.2 or later), and the machine is little endian, as
// the callers' shuffling of bytes expects.
bool chunks_are_possible(void);

// STATUS_IO while writing, STATUS_DATA of a file that is read: damaged or cut.
enum status chunks_open(const char *path, bool to_write, chunks_id *file);
enum status chunks_find(chunks_id file, const char *path, const char *variable, bool to_write,
                        chunks_id *found);
void chunks_leave(chunks_id variable); // −1: does nothing
enum status chunks_close(chunks_id file, const char *path, bool to_write);

// Makes the variable `records` long along its first dimension, the unlimited one; it never becomes shorter.
enum status chunks_extend(chunks_id variable, const char *path, uint64_t records, const size_t *lengths,
                          int rank);

// Writes the chunk whose first element is at `offset` [CHUNKS_RANK_MAX]. Bit k of `left_out`: it was made
// without filter k.
enum status chunks_write(chunks_id variable, const char *path, const uint64_t *offset, uint32_t left_out,
                         const void *data, size_t bytes);

// Reads it as it is stored into at most `room` bytes.
enum status chunks_read(chunks_id variable, const char *path, const uint64_t *offset, uint32_t *left_out,
                        void *data, size_t room, size_t *bytes);

#endif
