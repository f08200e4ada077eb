// One block of bytes at a time into zlib's format (RFC 1950), as HDF5's filter "deflate" stores a chunk. By
// ISA-L where the program was built with it, some five times as fast as zlib at the same size of the result;
// else by zlib at level 1. Any zlib reads both. Independent of files and of what the bytes mean. A state
// belongs to one thread at a time; nothing is allocated after output_deflate_begin.
#ifndef FATHOM_IO_OUTPUT_DEFLATE_H
#define FATHOM_IO_OUTPUT_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

// Of the compiled-in library: "ISA-L 2.30.0", "zlib 1.2.13".
const char *output_deflate_library(char text[32]);

// Memory of a state, aligned to 64 bytes.
size_t output_deflate_state_bytes(void);

// Room that suffices for the result of so many bytes, whatever they are.
size_t output_deflate_bound(size_t bytes);

// Makes a state in `memory`, which is the caller's. False: the library refuses.
bool output_deflate_begin(void *memory);

// Returns the bytes of the result; 0: it does not fit into `room`.
size_t output_deflate(void *state, const void *data, size_t bytes, void *result, size_t room);

#endif
