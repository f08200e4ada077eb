// hash_arrays FILE.nc...: one line for each variable of each file: XXH3 (128 bits) of its values as they are
// stored, type, shape, file and name. Two results whose lines are equal have the same bits in every array;
// attributes (dates, command lines) are left out. For tests/hash-results.
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

enum { BLOCK_BYTES = 16 << 20 };

static void demand(int code, const char *file, const char *what)
{
    if (code == NC_NOERR)
        return;
    fprintf(stderr, "hash_arrays: %s: %s: %s\n", file, what, nc_strerror(code));
    exit(74);
}

// Reads rows of the slowest axis, as many at a time as the buffer holds.
static XXH128_hash_t hash_values(int nc, int var, int rank, const size_t *shape, size_t value_bytes,
                                 const char *file, const char *name)
{
    static char buffer[BLOCK_BYTES];
    size_t start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS] = {1}, row_bytes = value_bytes;
    XXH3_state_t *state = XXH3_createState();
    if (!state || XXH3_128bits_reset(state) != XXH_OK)
        exit(71);
    for (int d = 0; d < rank; d++)
        count[d] = shape[d];
    for (int d = 1; d < rank; d++)
        row_bytes *= shape[d];
    const size_t rows = rank ? shape[0] : 1;
    char *room = row_bytes <= BLOCK_BYTES ? buffer : malloc(row_bytes);
    const size_t step = row_bytes && row_bytes <= BLOCK_BYTES ? BLOCK_BYTES / row_bytes : 1;
    if (!room)
        exit(71);
    for (size_t row = 0; row < rows && row_bytes; row += count[0]) {
        start[0] = row;
        count[0] = rows - row < step ? rows - row : step;
        demand(nc_get_vara(nc, var, start, count, room), file, name);
        XXH3_128bits_update(state, room, (rank ? count[0] : 1) * row_bytes);
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    if (room != buffer)
        free(room);
    return hash;
}

static void print_variable(int nc, int var, const char *file)
{
    char name[NC_MAX_NAME + 1], type_name[NC_MAX_NAME + 1];
    int rank, dimensions[NC_MAX_VAR_DIMS];
    size_t shape[NC_MAX_VAR_DIMS] = {0}, value_bytes;
    nc_type type;
    demand(nc_inq_var(nc, var, name, &type, &rank, dimensions, NULL), file, "variable");
    demand(nc_inq_type(nc, type, type_name, &value_bytes), file, name);
    if (type == NC_STRING) {
        fprintf(stderr, "hash_arrays: %s: %s: strings are not read\n", file, name);
        exit(65);
    }
    for (int d = 0; d < rank; d++)
        demand(nc_inq_dimlen(nc, dimensions[d], &shape[d]), file, name);
    const XXH128_hash_t hash = hash_values(nc, var, rank, shape, value_bytes, file, name);
    printf("%016llx%016llx %s", (unsigned long long)hash.high64, (unsigned long long)hash.low64, type_name);
    for (int d = 0; d < rank; d++)
        printf("[%zu]", shape[d]);
    printf(" %s %s\n", file, name);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        int nc, variables;
        demand(nc_open(argv[k], NC_NOWRITE, &nc), argv[k], "open");
        demand(nc_inq_nvars(nc, &variables), argv[k], "variables");
        for (int var = 0; var < variables; var++)
            print_variable(nc, var, argv[k]);
        demand(nc_close(nc), argv[k], "close");
    }
    return argc > 1 ? 0 : 64;
}
