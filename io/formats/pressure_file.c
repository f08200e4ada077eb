// Fields of acoustic pressure: see pressure_file.h.
#include "io/formats/pressure_file.h"

#include "io/formats/volume.h"
#include "io/netcdf/netcdf.h"
#include "io/nifti.h"

#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pressure_file {
    struct pressure_info info;
    struct volume *volume;       // of the form "volume"; else the layout
    struct volume_layout layout; // of a list of all cells: of its only dimension that counts, x
    struct netcdf_packing packing;
    bool is_list;
};

static const char axis_letters[VOLUME_AXES] = {'z', 'y', 'x'};

// The variables of the forms.
static const struct {
    const char *name;
    enum pressure_form form;
    enum pressure_kind kind;
} known[] = {{"p_max_all", PRESSURE_KWAVE, PRESSURE_AMPLITUDE},
             {"p_max", PRESSURE_KWAVE, PRESSURE_AMPLITUDE},
             {"p_rms", PRESSURE_KWAVE, PRESSURE_RMS},
             {"p_amp", PRESSURE_BABELBRAIN, PRESSURE_AMPLITUDE},
             {"p_amp_refocus", PRESSURE_BABELBRAIN, PRESSURE_AMPLITUDE}};
enum { KNOWN = sizeof known / sizeof *known };

const char *pressure_form_name(enum pressure_form form)
{
    static const char *const names[] = {[PRESSURE_KWAVE] = "k-Wave",
                                        [PRESSURE_BABELBRAIN] = "BabelBrain",
                                        [PRESSURE_NIFTI] = "NIfTI",
                                        [PRESSURE_VOLUME] = "volume"};
    return names[form];
}

static size_t cells_of(const struct dataset_variable *variable)
{
    size_t cells = 1;
    for (int k = 0; k < variable->rank; k++)
        cells = variable->lengths[k] > 0 && cells > SIZE_MAX / variable->lengths[k]
                    ? SIZE_MAX
                    : cells * variable->lengths[k];
    return cells;
}

// A variable of one number, whatever its dimensions. *value is NaN where the file has none of that name.
static enum status read_number(const struct dataset *file, const char *name, double *value)
{
    static const size_t start[DATASET_RANK_MAX];
    const struct dataset_variable *variable = dataset_find(file, name);
    struct netcdf_packing packing;
    *value = NAN;
    if (!variable)
        return STATUS_OK;
    if (variable->kind != DATASET_NUMBERS || cells_of(variable) != 1)
        return FAIL(STATUS_DATA, "%s: %s: expected one number", dataset_path(file), name);
    CHECK(dataset_packing(file, variable, &packing));
    return dataset_read(file, variable, &packing, start, variable->lengths, value);
}

// ---- which form, which variable

static bool has_all(const struct dataset *file, const char *const names[3])
{
    return dataset_find(file, names[0]) && dataset_find(file, names[1]) && dataset_find(file, names[2]);
}

static enum pressure_form form_of(const struct dataset *file)
{
    static const char *const sizes[] = {"Nx", "Ny", "Nz"}, *const vectors[] = {"x_vec", "y_vec", "z_vec"};
    if (has_all(file, sizes))
        return PRESSURE_KWAVE;
    return has_all(file, vectors) && dataset_find(file, "p_amp") ? PRESSURE_BABELBRAIN : PRESSURE_VOLUME;
}

enum status pressure_file_form(const char *path, enum pressure_form *form)
{
    struct dataset *file;
    CHECK(dataset_open(path, &file));
    *form = form_of(file);
    dataset_close(file);
    return STATUS_OK;
}

static enum status check_name(const struct dataset *file, enum pressure_form form, const char *name,
                              struct pressure_info *info)
{
    info->kind = PRESSURE_UNKNOWN;
    for (int k = 0; k < KNOWN; k++) {
        if (strcmp(known[k].name, name) != 0)
            continue;
        info->kind = known[k].kind;
        return STATUS_OK;
    }
    if (form == PRESSURE_KWAVE)
        return FAIL(STATUS_DATA, "%s: expected p_max_all, p_max or p_rms of a k-Wave file, not variable %s",
                    dataset_path(file), name);
    return STATUS_OK;
}

static enum status find_variable(const struct dataset *file, enum pressure_form form, const char *name,
                                 const struct dataset_variable **variable, struct pressure_info *info)
{
    int found = 0;
    for (int k = 0; k < KNOWN && !name; k++)
        if (dataset_find(file, known[k].name) && (known[k].form == form || form == PRESSURE_VOLUME)) {
            *variable = dataset_find(file, known[k].name);
            found++;
        }
    if (!name && found > 1)
        return FAIL(STATUS_DATA, "%s: several pressures: name the variable, such as %s", dataset_path(file),
                    (*variable)->name);
    if (name)
        *variable = dataset_find(file, name);
    // netCDF-C does not even list what is of a type that h5py and others make for complex numbers.
    if (!*variable && (name || form == PRESSURE_KWAVE)) {
        char names[DATASET_LIST_BYTES];
        dataset_list(file, NULL, NULL, names, sizeof names);
        return FAIL(STATUS_DATA,
                    "%s: no variable %s of real numbers; of complex ones write the modulus |p|; it "
                    "has: %s",
                    dataset_path(file), name ? name : "p_max_all, p_max or p_rms", names);
    }
    if (!*variable)
        return STATUS_OK; // the only volume of the file
    CHECK(check_name(file, form, (*variable)->name, info));
    if ((*variable)->kind == DATASET_OTHER)
        return FAIL(STATUS_DATA,
                    "%s: variable %s is of a compound type, such as complex numbers: write its modulus |p|, "
                    "the pressure amplitude",
                    dataset_path(file), (*variable)->name);
    if ((*variable)->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s is not numeric", dataset_path(file), (*variable)->name);
    return STATUS_OK;
}

// ---- k-Wave

static enum status read_size(const struct dataset *file, const char *name, size_t *size)
{
    double value;
    CHECK(read_number(file, name, &value));
    if (!(value >= 1 && value <= 1e9 && value == floor(value)))
        return FAIL(STATUS_DATA, "%s: %s is %g: expected a whole number from 1", dataset_path(file), name,
                    value);
    *size = (size_t)value;
    return STATUS_OK;
}

static enum status read_spacing(struct pressure_file *f, const char *name, int axis)
{
    double value;
    // netCDF-C does not list what is of a type that others make for complex numbers and booleans.
    if (!dataset_find(f->layout.file, name))
        return FAIL(STATUS_DATA, "%s: no %s that is a real number: the spacing along %c is missing",
                    dataset_path(f->layout.file), name, axis_letters[axis]);
    CHECK(read_number(f->layout.file, name, &value));
    if (!(value > 0 && value < 1))
        return FAIL(STATUS_DATA, "%s: %s is %g: expected a spacing in m, above 0 and below 1",
                    dataset_path(f->layout.file), name, value);
    f->info.spacing_m[axis] = value;
    f->info.has_spacing[axis] = true;
    return STATUS_OK;
}

// Its arrays are (Nz, Ny, Nx), with dimensions of length 1 before them. What was recorded at the points of a
// sensor is a list, (1, 1, points); a list of all cells is in the same order.
static enum status open_kwave(struct pressure_file *f)
{
    static const char *const sizes[VOLUME_AXES] = {"Nz", "Ny", "Nx"}, *const spacings[VOLUME_AXES] = {
                                                                          "dz", "dy", "dx"};
    const struct dataset_variable *variable = f->layout.variable;
    size_t *cells = f->info.cells;
    bool fits = variable->rank >= VOLUME_AXES;
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        CHECK(read_size(f->layout.file, sizes[axis], &cells[axis]));
        CHECK(read_spacing(f, spacings[axis], axis));
        const int dimension = variable->rank - VOLUME_AXES + axis;
        f->layout.dimension[axis] = dimension;
        fits &= dimension >= 0 && variable->lengths[dimension] == cells[axis];
    }
    for (int k = 0; k < variable->rank - VOLUME_AXES; k++)
        fits &= variable->lengths[k] == 1;
    const double all = (double)cells[0] * (double)cells[1] * (double)cells[2];
    const int last = variable->rank - 1;
    f->is_list =
        !fits && last >= 0 && (double)variable->lengths[last] == all && (double)cells_of(variable) == all;
    if (!fits && !f->is_list)
        return FAIL(
            STATUS_DATA,
            "%s: variable %s holds %zu values, the grid %zu x %zu x %zu cells (z, y, x): values at some "
            "sensor points do not make a field; record p_max_all, or let the sensor be the whole grid",
            dataset_path(f->layout.file), variable->name, cells_of(variable), cells[0], cells[1], cells[2]);
    return STATUS_OK;
}

// ---- BabelBrain

static enum status take_vector(struct pressure_file *f, int axis, const double *values, size_t count)
{
    struct pressure_info *info = &f->info;
    const double spacing = count > 1 ? (values[count - 1] - values[0]) / (double)(count - 1) : NAN;
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k]) ||
            (k > 0 && !(fabs(values[k] - values[k - 1] - spacing) <= VOLUME_EVEN_TOLERANCE * fabs(spacing))))
            return FAIL(STATUS_DATA, "%s: %c_vec: entry %zu is not evenly spaced", info->path,
                        axis_letters[axis], k);
    if (count > 1 && !(fabs(spacing) > 0 && fabs(spacing) < 0.1))
        return FAIL(STATUS_DATA, "%s: %c_vec has a spacing of %g: expected positions in m", info->path,
                    axis_letters[axis], spacing);
    f->layout.is_reversed[axis] = spacing < 0;
    info->has_origin[axis] = true;
    info->origin_m[axis] = fmin(values[0], values[count - 1]);
    info->has_spacing[axis] = count > 1;
    info->spacing_m[axis] = fabs(spacing);
    return STATUS_OK;
}

static enum status open_babelbrain(struct pressure_file *f)
{
    static const char *const vectors[VOLUME_AXES] = {"z_vec", "y_vec", "x_vec"};
    const struct dataset_variable *variable = f->layout.variable;
    if (variable->rank != VOLUME_AXES)
        return FAIL(STATUS_DATA, "%s: variable %s has %d dimensions, expected x, y, z", f->info.path,
                    variable->name, variable->rank);
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const struct dataset_variable *vector = dataset_find(f->layout.file, vectors[axis]);
        double *values;
        size_t count;
        f->layout.dimension[axis] = VOLUME_AXES - 1 - axis;
        f->info.cells[axis] = variable->lengths[VOLUME_AXES - 1 - axis];
        if (vector->kind != DATASET_NUMBERS || vector->rank != 1 ||
            vector->lengths[0] != f->info.cells[axis] || vector->lengths[0] == 0)
            return FAIL(STATUS_DATA, "%s: %s: expected the %zu positions along %c of variable %s",
                        f->info.path, vectors[axis], f->info.cells[axis], axis_letters[axis], variable->name);
        CHECK(dataset_read_line(f->layout.file, vector, &values, &count));
        const enum status status = take_vector(f, axis, values, count);
        free(values);
        CHECK(status);
    }
    return STATUS_OK;
}

// A plane of z crosses the chunks of all x and y. The cache holds as many as fit, so that each is inflated
// once for all of its planes.
static void widen_cache(struct pressure_file *f)
{
    const struct dataset_variable *variable = f->layout.variable;
    int storage;
    size_t chunks[DATASET_RANK_MAX];
    if (nc_inq_var_chunking(variable->group, variable->id, &storage, chunks) != NC_NOERR ||
        storage != NC_CHUNKED)
        return;
    double bytes = 8 * (double)chunks[2];
    for (int k = 0; k < 2; k++)
        bytes *= ceil((double)variable->lengths[k] / (double)chunks[k]) * (double)chunks[k];
    const size_t wanted = (size_t)fmin(bytes, DATASET_CACHE_BYTES_MAX);
    if (wanted > f->info.cache_bytes &&
        nc_set_var_chunk_cache(variable->group, variable->id, wanted, 4099, 0.75f) == NC_NOERR)
        f->info.cache_bytes = wanted;
}

// ---- open, close

static enum status open_volume(struct pressure_file *f, const char *name)
{
    CHECK(volume_open(f->info.path, name, -1, &f->volume));
    const struct volume_info *volume = volume_info(f->volume);
    f->info.path = volume->path;
    f->info.variable = volume->variable;
    f->info.units = volume->units;
    f->info.has_own_units = volume->units[0] != '\0';
    memcpy(f->info.cells, volume->cells, sizeof f->info.cells);
    memcpy(f->info.has_origin, volume->has_origin, sizeof f->info.has_origin);
    memcpy(f->info.has_spacing, volume->has_spacing, sizeof f->info.has_spacing);
    memcpy(f->info.origin_m, volume->origin_m, sizeof f->info.origin_m);
    memcpy(f->info.spacing_m, volume->spacing_m, sizeof f->info.spacing_m);
    f->info.cache_bytes = volume_cache_bytes(f->volume);
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        if (f->info.cells[axis] > 1 && !f->info.has_spacing[axis])
            return FAIL(
                STATUS_DATA,
                "%s: variable %s has no spacing along %c: expected a coordinate with a unit of length, "
                "or k-Wave's Nx, Ny, Nz, dx, dy, dz",
                f->info.path, f->info.variable, axis_letters[axis]);
    return STATUS_OK;
}

// BabelBrain's images have its names: of pressures in Pa; of the same, normalised, for programs of
// navigation.
static enum status open_nifti(struct pressure_file *f, const char *name)
{
    const char *file = strrchr(f->info.path, '/') ? strrchr(f->info.path, '/') + 1 : f->info.path;
    if (strstr(file, "FullElasticSolution") && (strstr(file, "_NORM") || strstr(file, "Phase")))
        return FAIL(STATUS_DATA,
                    "%s: by its name a normalised field or a phase of BabelBrain's, without Pa: give the one "
                    "that ends in FullElasticSolution.nii.gz or _Sub.nii.gz",
                    f->info.path);
    struct nifti *image;
    CHECK(nifti_open(f->info.path, &image));
    const bool has_place = strcmp(nifti_info(image)->placed_by, "pixdim") != 0;
    nifti_close(image);
    CHECK(open_volume(f, name));
    f->info.form = PRESSURE_NIFTI;
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        f->info.has_origin[axis] &= has_place;
    if (strstr(file, "FullElasticSolution")) {
        f->info.kind = PRESSURE_AMPLITUDE;
        f->info.units = "Pa";
        f->info.has_own_units = false;
    }
    return STATUS_OK;
}

static enum status open_dataset(struct pressure_file *f, const char *name)
{
    const struct dataset_variable *variable = NULL;
    struct pressure_info *info = &f->info;
    CHECK(dataset_open(info->path, &f->layout.file));
    info->path = dataset_path(f->layout.file);
    info->form = form_of(f->layout.file);
    CHECK(find_variable(f->layout.file, info->form, name, &variable, info));
    if (info->form == PRESSURE_VOLUME) {
        const enum status status = open_volume(f, variable ? variable->name : NULL);
        volume_layout_close(&f->layout);
        return status;
    }
    f->layout.variable = variable;
    f->layout.time = -1;
    info->variable = variable->name;
    info->has_own_units = variable->units[0] != '\0';
    info->units = info->has_own_units ? variable->units : "Pa";
    CHECK(info->form == PRESSURE_KWAVE ? open_kwave(f) : open_babelbrain(f));
    memcpy(f->layout.cells, info->cells, sizeof f->layout.cells);
    CHECK(dataset_packing(f->layout.file, variable, &f->packing));
    info->cache_bytes = dataset_cache_bytes(variable);
    if (info->form == PRESSURE_BABELBRAIN)
        widen_cache(f);
    return STATUS_OK;
}

enum status pressure_file_open(const char *path, const char *variable, struct pressure_file **file)
{
    *file = NULL;
    struct pressure_file *made = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "%s: no memory to open it", path);
    made->info.path = path;
    const enum status status = nifti_is(path) ? open_nifti(made, variable) : open_dataset(made, variable);
    if (status != STATUS_OK) {
        pressure_file_close(made);
        return status;
    }
    *file = made;
    return STATUS_OK;
}

void pressure_file_close(struct pressure_file *file)
{
    if (!file)
        return;
    volume_close(file->volume);
    volume_layout_close(&file->layout);
    free(file);
}

const struct pressure_info *pressure_file_info(const struct pressure_file *file)
{
    return &file->info;
}

// ---- the order of cells

bool pressure_file_is_placed(const struct pressure_file *f)
{
    return f->info.has_origin[VOLUME_Z] || f->info.has_origin[VOLUME_Y] || f->info.has_origin[VOLUME_X];
}

void pressure_file_cells(const struct pressure_file *f, size_t cells[VOLUME_AXES],
                         double spacing_m[VOLUME_AXES])
{
    struct volume_turn order = {.from = {VOLUME_Z, VOLUME_Y, VOLUME_X}};
    if (f->volume && volume_is_image(f->volume))
        volume_order(f->volume, &order);
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        cells[order.from[axis]] = f->info.cells[axis];
        spacing_m[order.from[axis]] = f->info.has_spacing[axis] ? f->info.spacing_m[axis] : NAN;
    }
}

enum status pressure_file_turn(struct pressure_file *f, const struct volume_turn *turn)
{
    const struct pressure_info old = f->info;
    for (int axis = 0; axis < VOLUME_AXES && f->is_list; axis++)
        if (turn->from[axis] != axis)
            return FAIL(
                STATUS_DATA,
                "%s: variable %s is a list of points, whose axes cannot change places to those of the "
                "labels' image: write it as an array (Nz, Ny, Nx)",
                f->info.path, f->info.variable);
    if (f->volume)
        volume_turn(f->volume, turn);
    else
        volume_layout_turn(&f->layout, turn);
    const size_t *cells = f->volume ? volume_info(f->volume)->cells : f->layout.cells;
    memcpy(f->info.cells, cells, sizeof f->info.cells);
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const int from = turn->from[axis];
        f->info.has_spacing[axis] =
            f->volume ? volume_info(f->volume)->has_spacing[axis] : old.has_spacing[from];
        f->info.spacing_m[axis] = f->volume ? volume_info(f->volume)->spacing_m[axis] : old.spacing_m[from];
    }
    return STATUS_OK;
}

// ---- values

// A list holds the cells in the order of an array; its axes may be reversed, but keep their places.
static enum status read_list(struct pressure_file *f, size_t z, double *values)
{
    const struct dataset_variable *variable = f->layout.variable;
    const size_t plane = f->info.cells[VOLUME_Y] * f->info.cells[VOLUME_X];
    size_t start[DATASET_RANK_MAX] = {0}, count[DATASET_RANK_MAX];
    for (int k = 0; k < variable->rank; k++)
        count[k] = 1;
    const size_t *cells = f->info.cells, nx = cells[VOLUME_X], ny = cells[VOLUME_Y];
    const bool *is_reversed = f->layout.is_reversed;
    start[variable->rank - 1] = (is_reversed[VOLUME_Z] ? cells[VOLUME_Z] - 1 - z : z) * plane;
    count[variable->rank - 1] = plane;
    CHECK(dataset_read(f->layout.file, variable, &f->packing, start, count, values));
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++) {
            const size_t from = (is_reversed[VOLUME_Y] ? ny - 1 - y : y) * nx +
                                (is_reversed[VOLUME_X] ? nx - 1 - x : x),
                         to = y * nx + x;
            if (from <= to)
                continue; // its partner has swapped both
            const double other = values[from];
            values[from] = values[to];
            values[to] = other;
        }
    return STATUS_OK;
}

static void turn(const struct volume_block *block, const size_t *cells, const double *from, double *to)
{
    for (size_t y = 0; y < cells[VOLUME_Y]; y++)
        for (size_t x = 0; x < cells[VOLUME_X]; x++)
            to[y * cells[VOLUME_X] + x] = from[block->first + (ptrdiff_t)y * block->stride[VOLUME_Y] +
                                               (ptrdiff_t)x * block->stride[VOLUME_X]];
}

enum status pressure_file_read(struct pressure_file *f, size_t z, double *values, double *scratch)
{
    netcdf_prepare_thread();
    if (f->volume)
        return volume_read(f->volume, z, 1, values, scratch);
    if (f->is_list)
        return read_list(f, z, values);
    const struct volume_block block = volume_layout_block(&f->layout, 0, z, 1);
    const bool is_plain = volume_layout_is_plain(&f->layout);
    CHECK(dataset_read(f->layout.file, f->layout.variable, &f->packing, block.start, block.count,
                       is_plain ? values : scratch));
    if (!is_plain)
        turn(&block, f->info.cells, scratch, values);
    return STATUS_OK;
}

enum status pressure_file_check(const struct pressure_file *f, double to_pa, size_t z, const double *values)
{
    const struct pressure_info *info = &f->info;
    const size_t nx = info->cells[VOLUME_X], count = info->cells[VOLUME_Y] * nx;
    const double most = PRESSURE_MOST_PA / to_pa;
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= 0 && values[i] <= most))
            return FAIL(
                STATUS_DATA,
                "%s: variable %s: cell (%zu, %zu, %zu) of z, y, x: %g: expected a pressure amplitude or "
                "effective value from 0 to 1 GPa",
                info->path, info->variable, z, i / nx, i % nx, values[i]);
    return STATUS_OK;
}
