// Numbers rounded to whole multiples of a resolution and stored as integers of 32 bits (CF-1.8, 8.1):
//     number = scale_factor · integer + add_offset,  add_offset = −OUTPUT_PACK_SHIFT · scale_factor.
// Nothing is stored as 0x00008080, and numbers of both signs near it differ in the lowest byte alone. Without
// the shift −1 would be 0xffffffff: every change of sign would change all four bytes. They are compressed
// apart from each other (shuffle), and so the upper three would be compressed as many times as there are
// changes, in place of hardly ever. What stands for missing has the same lower three bytes.
// Independent of segments and runs.
#ifndef FATHOM_IO_OUTPUT_PACK_H
#define FATHOM_IO_OUTPUT_PACK_H

#include "core/status.h"
#include "core/stream.h"
#include "io/output/range.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    OUTPUT_PACK_SHIFT = 0x8080,
    OUTPUT_PACK_MISSING = INT_MIN + OUTPUT_PACK_SHIFT, // _FillValue; all others are larger
};

// From the stream's elements to integers; NaN becomes OUTPUT_PACK_MISSING where the variable has missing
// values. False: a number is infinite or needs more than 32 bits.
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
// STATUS_DATA: the attributes of a variable that was written before are others, so that its integers stand
// for other numbers.
enum status output_check_packed(const struct stream_variable *variable, int ncid, int id, const char *path);

#endif
