// Finding input files and handling output directories.
#ifndef FATHOM_IO_PATH_H
#define FATHOM_IO_PATH_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PATH_BYTES = 4096 };

// Finds an input: absolute as it is; else in `directory` (the job's folder), in each folder of the colon-separated
// environment variable FATHOM_DATA, in the program's data folder (source tree, then installation: the compile-time
// FATHOM_DATA_DIRECTORY), and where Debian's ferret-datasets lays its files (/usr/share/ferret-vis/data).
// Not found → STATUS_NO_INPUT, naming the folders searched (and, for etopo*.cdf, the package to install).
enum status path_find(const char *name, const char *directory, char found[PATH_BYTES]);

// Creates a directory and its parents; existing is fine. Not writable → STATUS_CANNOT_CREATE.
enum status path_make_directory(const char *path);

// fsync of the file and of its directory, then rename(from, to). STATUS_IO on failure.
enum status path_publish(const char *from, const char *to);

// Free bytes on the file system that holds `path` (or its nearest existing parent).
enum status path_free_bytes(const char *path, uint64_t *bytes);

// XXH3-64 of the file's content, streamed.
enum status path_hash(const char *path, uint64_t *hash);

#endif
