// Numbers rounded to whole multiples of a resolution and stored as integers of 32 bits (CF-1.8, 8.1).
// Independent of segments and runs.
#ifndef FATHOM_IO_OUTPUT_PACK_H
#define FATHOM_IO_OUTPUT_PACK_H

#include "core/status.h"
#include "core/stream.h"
#include "io/output/range.h"

#include <stdbool.h>
#include <stddef.h>

// From the stream's elements to integers; NaN becomes NC_FILL_INT where the variable has missing values.
// False: a number is infinite or needs more than 32 bits.
bool output_pack_numbers(const struct stream_variable *variable, enum element element, const void *data,
                         size_t count, int *packed);
// The same; STATUS_DATA names the number. `path`: of the file, for messages.
enum status output_pack(const struct stream *stream, const struct stream_variable *variable, const void *data,
                        size_t count, int *packed, const char *path);
// The range of the numbers that the integers stand for, missing ones left out.
struct output_range output_packed_range(const struct stream_variable *variable, const int *packed,
                                        size_t count);
// Storage and attributes of such a variable.
enum status output_define_packed(const struct stream_variable *variable, int ncid, int id, const char *path);

#endif
