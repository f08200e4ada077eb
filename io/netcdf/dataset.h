// Any netCDF file as others make them: its variables (groups included), what their attributes say, and
// blocks of them as unpacked doubles. For comparing a result with another program's files; the program's
// own results are read through io/netcdf/result.h, users' grids through io/grid/grid.h. Knows nothing of
// models or comparisons.
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
    size_t lengths[DATASET_RANK_MAX];
    char units[DATASET_TEXT_BYTES], standard_name[DATASET_TEXT_BYTES]; // "" where absent
    char cell_methods[DATASET_TEXT_BYTES], calendar[32];
    char coordinates[DATASET_TEXT_BYTES]; // names, separated by blanks
    enum netcdf_role role;
    bool is_longitude; // role X, and an angle that comes round
    bool is_label;     // texts that name the entries of their first dimension: cf_role "..._id"
    bool is_auxiliary; // bounds, grid mapping, or a coordinate of another variable: no data of its own
};

// Opens a file and lists the variables of all its groups. Not there → STATUS_NO_INPUT; not netCDF,
// truncated, damaged → STATUS_DATA.
enum status dataset_open(const char *path, struct dataset **file);
void dataset_close(struct dataset *file); // NULL is fine
const char *dataset_path(const struct dataset *file);

size_t dataset_count(const struct dataset *file);
const struct dataset_variable *dataset_at(const struct dataset *file, size_t index);

// The variable of that full name ("eta", "forecast/eta"; a leading "/" is fine), or NULL.
const struct dataset_variable *dataset_find(const struct dataset *file, const char *name);

// The variable that another one's attribute means by `name`: in its group, or the nearest one above that
// has it. NULL if there is none.
const struct dataset_variable *dataset_find_from(const struct dataset *file,
                                                 const struct dataset_variable *from, const char *name);

// The name of one of a variable's dimensions.
enum status dataset_dimension_name(const struct dataset *file, const struct dataset_variable *variable, int k,
                                   char name[DATASET_NAME_BYTES]);

// The coordinate variable of a variable's dimension k: numbers, one-dimensional, of the dimension's name;
// or else the only one along it that can be told to be x, y, z or time. NULL if there is none.
const struct dataset_variable *dataset_coordinate(const struct dataset *file,
                                                  const struct dataset_variable *variable, int k);

// The texts that name the entries of dimension k (stations), or NULL.
const struct dataset_variable *dataset_labels(const struct dataset *file,
                                              const struct dataset_variable *variable, int k);

// Stored in single precision.
bool dataset_is_single(const struct dataset_variable *variable);

// What netCDF keeps of a chunked variable's chunks once dataset_packing was called: as many as reading in
// rows needs (one layer along the first dimension), DATASET_CACHE_BYTES_MAX at most, or one chunk if that
// is larger.
size_t dataset_cache_bytes(const struct dataset_variable *variable);

// What is stored how; also sets that cache. scale_factor 0 or an attribute that is no number → STATUS_DATA.
enum status dataset_packing(const struct dataset *file, const struct dataset_variable *variable,
                            struct netcdf_packing *packing);

// Reads the block start[k] … start[k] + count[k] − 1 (the file's order of dimensions) as doubles, unpacked;
// missing, out of the valid range, or NaN → NaN. `values`: product of the counts. Rank 0: one value.
enum status dataset_read(const struct dataset *file, const struct dataset_variable *variable,
                         const struct netcdf_packing *packing, const size_t *start, const size_t *count,
                         double *values);

// A one-dimensional variable, or one without dimensions, whole, in a new array (free).
enum status dataset_read_line(const struct dataset *file, const struct dataset_variable *variable,
                              double **values, size_t *length);

// The texts of a variable along its first dimension, in one new array (free), each of DATASET_TEXT_BYTES
// with trailing blanks cut.
enum status dataset_read_labels(const struct dataset *file, const struct dataset_variable *variable,
                                char (**labels)[DATASET_TEXT_BYTES], size_t *length);

#endif
