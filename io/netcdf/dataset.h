// The catalogue of a netCDF file, opened once: its variables (also those in groups) with dimensions, types,
// CF attributes and their roles as coordinates. Reads blocks of them as unpacked doubles. All readers of
// netCDF use it: results (io/netcdf/result.h), users' grids (io/grid/grid.h), fields and volumes, particles,
// series, propagation files, comparisons. Independent of these.
//
// Not thread-safe (netCDF-C is not).
#ifndef FATHOM_IO_NETCDF_DATASET_H
#define FATHOM_IO_NETCDF_DATASET_H

#include "core/status.h"
#include "io/netcdf/packing.h"
#include "io/netcdf/role.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    DATASET_RANK_MAX = 8,
    DATASET_NAME_BYTES = 512,
    DATASET_TEXT_BYTES = 256,
    DATASET_LIST_BYTES = 320,            // of names in a message
    DATASET_CACHE_BYTES_MAX = 256 << 20, // of chunks, per variable that is read
};

struct dataset;

enum dataset_kind {
    DATASET_NUMBERS,
    DATASET_TEXT,  // characters or strings
    DATASET_OTHER, // types of the file's own (compound, enumeration, ...), or more than DATASET_RANK_MAX
                   // dimensions: listed, never read
};

struct dataset_variable {
    char name[DATASET_NAME_BYTES]; // with its groups: "forecast/eta"
    const char *base_name;         // without: "eta"
    int group, id, type;           // netCDF's own numbers
    enum dataset_kind kind;
    int rank;
    int dimensions[DATASET_RANK_MAX]; // netCDF's ids: equal ids are the same dimension of the file
    const char *dimension_names[DATASET_RANK_MAX];
    size_t lengths[DATASET_RANK_MAX];
    char units[DATASET_TEXT_BYTES], standard_name[DATASET_TEXT_BYTES]; // "" where absent
    char cell_methods[DATASET_TEXT_BYTES], calendar[32], axis[8], positive[16];
    char coordinates[DATASET_TEXT_BYTES]; // names, separated by blanks
    enum netcdf_role role;
    bool has_bad_units; // they are not one text: `units` is "", dataset_check_units fails
    bool is_longitude;  // role X, and an angle with a period of 360 degrees
    bool is_label;      // texts that name the entries of their first dimension: cf_role "..._id"
    bool is_auxiliary;  // bounds, grid mapping, or a coordinate of another variable: no data of its own
};

// Opens a file and lists the variables of all its groups. Missing → STATUS_NO_INPUT; not netCDF, truncated,
// damaged → STATUS_DATA.
enum status dataset_open(const char *path, struct dataset **file);
void dataset_close(struct dataset *file); // NULL: does nothing
// Closes the file itself and keeps the list: after it only the list can be read.
void dataset_keep_list(struct dataset *file);
const char *dataset_path(const struct dataset *file);

size_t dataset_count(const struct dataset *file);
const struct dataset_variable *dataset_at(const struct dataset *file, size_t index);

// The variable of that full name ("eta", "forecast/eta"; a leading "/" is fine), or NULL.
const struct dataset_variable *dataset_find(const struct dataset *file, const char *name);

// The variable to which an attribute of `from` refers by `name`: in the group of `from`, or in the nearest
// group above. NULL: not found.
const struct dataset_variable *dataset_find_from(const struct dataset *file,
                                                 const struct dataset_variable *from, const char *name);

// Whether a variable is one of those that a message lists; `context` is the caller's.
typedef bool dataset_filter(const struct dataset_variable *variable, const void *context);

// The names of the variables that pass the filter (NULL: all), "a, b, c", cut with "..." where `bytes` do not
// suffice; "none" for an empty list. Returns how many.
size_t dataset_list(const struct dataset *file, dataset_filter *filter, const void *context, char *names,
                    size_t bytes);

// The variable of that name, or STATUS_DATA: "FILE: no variable NAME (it has: a, b)". `use` (NULL: nothing)
// follows the name: " for the positions".
enum status dataset_require(const struct dataset *file, const char *name, const char *use,
                            const struct dataset_variable **variable);

// A text attribute of a variable (NULL: of the file), without trailing blanks, cut to `bytes`; "" where it is
// absent or not a text.
enum status dataset_text(const struct dataset *file, const struct dataset_variable *variable,
                         const char *name, char *text, size_t bytes);

// A numeric attribute of a variable (NULL: of the file): up to `most` numbers; returns how many. 0 where it
// is absent or not numeric.
size_t dataset_numbers(const struct dataset *file, const struct dataset_variable *variable, const char *name,
                       double *values, size_t most);

// STATUS_DATA if the units of the variable are not a text. Reading values (dataset_packing) checks it too.
enum status dataset_check_units(const struct dataset *file, const struct dataset_variable *variable);

// The coordinate variable of a variable's dimension k: numbers, one-dimensional, of the dimension's name;
// or else the only one along it with the role x, y, z or time. NULL without one.
const struct dataset_variable *dataset_coordinate(const struct dataset *file,
                                                  const struct dataset_variable *variable, int k);

// The texts that name the entries of dimension k (stations), or NULL.
const struct dataset_variable *dataset_labels(const struct dataset *file,
                                              const struct dataset_variable *variable, int k);

// Stored in single precision.
bool dataset_is_single(const struct dataset_variable *variable);
// Whether numbers are stored as integers.
bool dataset_is_integer(const struct dataset_variable *variable);

// The size of netCDF's chunk cache of a variable after dataset_packing: as many chunks as reading in rows
// needs (one layer along the first dimension), at most DATASET_CACHE_BYTES_MAX, or one chunk if that is
// larger.
size_t dataset_cache_bytes(const struct dataset_variable *variable);
// Sets the cache to that size. dataset_packing does it, too.
void dataset_widen_cache(const struct dataset_variable *variable);

// Reads how the values are stored, and sets the chunk cache. STATUS_DATA: scale_factor 0, or an attribute
// that is not a number.
enum status dataset_packing(const struct dataset *file, const struct dataset_variable *variable,
                            struct netcdf_packing *packing);

// Reads the block start[k] … start[k] + count[k] − 1 (the file's order of dimensions) as doubles, unpacked;
// missing, out of the valid range, or NaN → NaN. `values`: product of the counts. Rank 0: one value.
enum status dataset_read(const struct dataset *file, const struct dataset_variable *variable,
                         const struct netcdf_packing *packing, const size_t *start, const size_t *count,
                         double *values);

// Reads a whole variable with one dimension or none into a new array (free).
enum status dataset_read_line(const struct dataset *file, const struct dataset_variable *variable,
                              double **values, size_t *length);

// Reads the texts of a variable along its first dimension: (n, strlen) characters or (n) strings, without
// trailing blanks. Release them with dataset_free_texts.
enum status dataset_read_texts(const struct dataset *file, const struct dataset_variable *variable,
                               char ***texts, size_t *length);
void dataset_free_texts(char **texts, size_t length);

// The same in one new array (free), each cut to DATASET_TEXT_BYTES.
enum status dataset_read_labels(const struct dataset *file, const struct dataset_variable *variable,
                                char (**labels)[DATASET_TEXT_BYTES], size_t *length);

#endif
