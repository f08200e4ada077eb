// A valid netCDF file out of the fuzzer's bytes: dimensions, variables, attributes and values as the bytes
// say, with the words that the reader under test looks for. What is fuzzed is the reader, not the library:
// raw bytes would only try HDF5.
#ifndef FATHOM_TESTS_FUZZ_SUPPORT_NETCDF_BYTES_H
#define FATHOM_TESTS_FUZZ_SUPPORT_NETCDF_BYTES_H

#include "tests/fuzz/support/fuzz.h"

// Words that names and texts are taken from, beside a few that all have.
struct netcdf_words {
    const char *const *dimensions; // and of their coordinate variables
    size_t dimension_count;
    const char *const *variables;
    size_t variable_count;
    const char *const *units; // and other texts
    size_t unit_count;
};

// Makes `name` in the fuzzer's folder from the front of `bytes`; returns its path, or NULL if the library
// makes no such file. Some files are cut off at the end, afterwards.
const char *netcdf_from_bytes(struct fuzz_bytes *bytes, const struct netcdf_words *words, const char *name);

#endif
