// Fields of acoustic pressure in the forms of k-Wave and BabelBrain, with names, sizes, types and values as
// the bytes say, or in any netCDF file; and attenuations as texts.
#include "io/formats/pressure_file.h"
#include "models/bioheat/body/tissues.h"

#include "tests/fuzz/support/fuzz.h"
#include "tests/fuzz/support/netcdf_bytes.h"

#include <math.h>
#include <netcdf.h>
#include <stdlib.h>

enum { CELLS_MAX = 1 << 14, RANK_MAX = 4, VALUES_MAX = 1 << 12 };

static const char *const dimensions[] = {"z", "y", "x", "phony_dim_0", "x_vec"};
static const char *const variables[] = {"p_max_all", "p_max", "p_rms", "p_amp", "Nx",
                                        "dx",        "x_vec", "p",     "q"};
static const char *const units[] = {"Pa", "MPa", "m", "mm", "J m-3"};

static double number(struct fuzz_bytes *bytes, double usual)
{
    static const double odd[] = {0, -1, 0.5, 3, 1e9, 1e300, NAN, INFINITY, 1e-30, -1e-3};
    const uint8_t kind = fuzz_byte(bytes);
    return kind < 200 ? usual : odd[kind % FUZZ_COUNT(odd)];
}

static nc_type type_of(struct fuzz_bytes *bytes)
{
    static const nc_type types[] = {NC_DOUBLE, NC_FLOAT, NC_DOUBLE, NC_FLOAT,
                                    NC_UINT64, NC_INT,   NC_SHORT,  NC_CHAR};
    return types[fuzz_byte(bytes) % FUZZ_COUNT(types)];
}

// What the library refuses is left out.
static void put(int file, const char *name, nc_type type, int rank, const int *ids, const size_t *lengths,
                const double *values)
{
    int variable;
    size_t count = 1;
    for (int k = 0; k < rank; k++)
        count *= lengths[k];
    if (nc_redef(file), nc_def_var(file, name, type, rank, ids, &variable) != NC_NOERR)
        return;
    (void)nc_enddef(file);
    if (type != NC_CHAR && count <= VALUES_MAX)
        (void)nc_put_var_double(file, variable, values);
}

static void put_scalars(int file, struct fuzz_bytes *bytes, const size_t lengths[3])
{
    static const char *const names[] = {"Nz", "Ny", "Nx", "dz", "dy", "dx"};
    int one;
    if (nc_def_dim(file, "one", 1, &one) != NC_NOERR)
        return;
    for (size_t k = 0; k < FUZZ_COUNT(names); k++) {
        const uint8_t kind = fuzz_byte(bytes);
        const double value = number(bytes, k < 3 ? (double)lengths[k] : 1e-3);
        const int ids[] = {one, one, one};
        const size_t ones[] = {1, 1, 1};
        if (kind < 250)
            put(file, names[k], kind < 200 ? NC_DOUBLE : type_of(bytes), kind % 4, ids, ones, &value);
    }
}

static void put_vectors(int file, struct fuzz_bytes *bytes, const int ids[3], const size_t lengths[3])
{
    static const char *const names[] = {"x_vec", "y_vec", "z_vec"};
    for (size_t k = 0; k < FUZZ_COUNT(names); k++) {
        double values[16];
        const size_t axis = fuzz_byte(bytes) < 240 ? k : fuzz_below(bytes, 3);
        for (size_t n = 0; n < lengths[axis]; n++)
            values[n] = number(bytes, 1e-3 * (double)n);
        put(file, names[k], NC_DOUBLE, 1, &ids[axis], &lengths[axis], values);
    }
}

static const char *make(struct fuzz_bytes *bytes)
{
    static double values[VALUES_MAX];
    const char *path = fuzz_path("pressure.h5");
    const uint8_t form = fuzz_byte(bytes);
    int file, ids[RANK_MAX];
    size_t lengths[RANK_MAX];
    if (nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file) != NC_NOERR)
        return NULL;
    for (int k = 0; k < 3; k++) {
        static const char *const names[] = {"a", "b", "c"};
        lengths[k] = 1 + fuzz_below(bytes, 8);
        (void)nc_def_dim(file, names[k], lengths[k], &ids[k]);
    }
    if (form & 1)
        put_scalars(file, bytes, lengths);
    if (form & 2)
        put_vectors(file, bytes, ids, lengths);
    for (size_t k = 0; k < VALUES_MAX; k++)
        values[k] = k < 64 ? number(bytes, 1e5) : 1e5;
    // The whole grid, or one list.
    const size_t all = lengths[0] * lengths[1] * lengths[2];
    const bool is_list = form & 4;
    if (is_list) {
        (void)nc_redef(file);
        lengths[0] = fuzz_byte(bytes) < 200 ? all : 1 + fuzz_below(bytes, 100);
        (void)nc_def_dim(file, "list", lengths[0], &ids[0]);
    }
    char own[FUZZ_TEXT_BYTES];
    const char *name = fuzz_text(bytes, variables, FUZZ_COUNT(variables), own);
    put(file, name, type_of(bytes), is_list ? 1 : 3, ids, lengths, values);
    if (form & 8)
        put(file, "p_rms", NC_FLOAT, is_list ? 1 : 3, ids, lengths, values);
    return nc_close(file) == NC_NOERR ? path : NULL;
}

static void try_file(const char *path, struct fuzz_bytes *bytes)
{
    char own[FUZZ_TEXT_BYTES];
    struct pressure_file *file = NULL;
    const uint8_t flags = fuzz_byte(bytes);
    const char *variable = flags & 1 ? fuzz_text(bytes, variables, FUZZ_COUNT(variables), own) : NULL;
    if (!fuzz_ok(pressure_file_open(path, variable, &file))) {
        FUZZ_EXPECT(!file, "a pressure that was refused is handed out");
        return;
    }
    const struct pressure_info *info = pressure_file_info(file);
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        FUZZ_EXPECT(info->cells[axis] >= 1, "no cells along axis %d", axis);
        FUZZ_EXPECT(info->has_spacing[axis] ? isfinite(info->spacing_m[axis]) && info->spacing_m[axis] > 0
                                            : info->cells[axis] == 1,
                    "spacing %g of %zu cells", info->spacing_m[axis], info->cells[axis]);
        FUZZ_EXPECT(!info->has_origin[axis] || isfinite(info->origin_m[axis]), "origin %g",
                    info->origin_m[axis]);
    }
    if (info->cells[VOLUME_X] <= CELLS_MAX && info->cells[VOLUME_Y] <= CELLS_MAX / info->cells[VOLUME_X]) {
        const size_t plane = info->cells[VOLUME_X] * info->cells[VOLUME_Y];
        double *values = calloc(plane, 2 * sizeof *values);
        for (size_t z = 0; z < info->cells[VOLUME_Z] && z < 12; z++)
            (void)fuzz_ok(pressure_file_read(file, z, values, values + plane));
        free(values);
    }
    pressure_file_close(file);
}

static void try_attenuation(struct fuzz_bytes *bytes)
{
    static const char *const texts[] = {"0.59 dB/cm",  "6.8 Np/m", "1 dB/(cm MHz^y)",
                                        "1 dB/cm/MHz", "-1 Np/cm", "dB"};
    char own[FUZZ_TEXT_BYTES];
    double np_m = NAN;
    if (fuzz_ok(bioheat_attenuation_read(fuzz_text(bytes, texts, FUZZ_COUNT(texts), own), &np_m)))
        FUZZ_EXPECT(np_m >= 0 && np_m <= 1e4, "an attenuation of %g Np/m", np_m);
}

FUZZ_HARNESS(pressure)
{
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    struct fuzz_bytes bytes = {data, size};
    const uint8_t kind = fuzz_byte(&bytes);
    try_attenuation(&bytes);
    const char *path = kind < 192 ? make(&bytes) : netcdf_from_bytes(&bytes, &words, "pressure.nc");
    if (!path)
        return -1;
    try_file(path, &bytes);
    fuzz_files_closed();
    return 0;
}
